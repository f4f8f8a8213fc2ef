"""How far an edit reaches: its strength, the joints it acts on, and when."""

from dataclasses import replace

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QVBoxLayout, QWidget

from model.clip import Edit, Layer
from model.measures import MOMENTS, PERCENT, SECONDS, Measure
from model.scope import Scope
from model.skeleton import JointRef, Skeleton
from widgets.common.icons import icon
from widgets.common.number_field import NumberField
from widgets.common.setting_kinds import FormContext
from widgets.common.theme import GRID
from widgets.inspector.joint_mask import JointMask
from widgets.inspector.setting_editors import playhead_button
from widgets.inspector.settings_form import form_label

_MOST_EASE_S = 60.0


class ScopeForm(QWidget):
    """The scope of a layer. It changes nothing itself: its signals are those of the settings form, with scopes."""

    changing = Signal(object)
    changed = Signal(object)
    nudged = Signal(object, str)
    cancelled = Signal()
    refused = Signal(str)

    def __init__(self, context: FormContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._scope = Scope()
        self._skeleton: Skeleton | None = None
        self._selected: tuple[JointRef, ...] = ()
        self.strength = _ScopeField("strength", "Strength", PERCENT, 0.0, 1.0, filled=True)
        self.strength.set_tip("How much of the edit is done. In %, 0 to 100.")
        self.start = _ScopeField("start_s", "From", SECONDS, absent="start")
        self.start.set_tip("When the edit starts to act fully. In s of the source; empty for the beginning.")
        self.stop = _ScopeField("stop_s", "To", SECONDS, absent="end")
        self.stop.set_tip("Until when the edit acts fully. In s of the source; empty for the end.")
        self.ease = _ScopeField("ease_s", "Ease", SECONDS, 0.0, _MOST_EASE_S)
        self.ease.set_tip("Over how long the edit fades in before its start and out after its end. In s.")
        self.start_here, self.stop_here = playhead_button("From"), playhead_button("To")
        self.start_here.clicked.connect(self._on_start_here)
        self.stop_here.clicked.connect(self._on_stop_here)
        self.joints = JointMask()
        self.joints.chosen.connect(self._on_joints_chosen)
        for moment in (self.start, self.stop):
            moment.set_frames(self._moment_of)
        self.ease.set_frames(self._length_of)
        for field in self._fields:
            field.scope_changing.connect(self._on_changing)
            field.scope_changed.connect(self._on_typed)
            field.scope_nudged.connect(self._on_nudged)
            field.cancelled.connect(self.cancelled)
            field.refused.connect(self.refused)
        self._lay_out()

    @property
    def _fields(self) -> tuple["_ScopeField", ...]:
        return self.strength, self.start, self.stop, self.ease

    def set_layer(self, layer: Layer, skeleton: Skeleton | None, selected: tuple[JointRef, ...]) -> None:
        """Show the scope of a layer on a body. selected : the joints that are selected in the views."""
        self._scope, self._skeleton, self._selected = layer.scope, skeleton, selected
        self._show_scope()
        self._limits.setVisible(isinstance(layer.edit, Edit) and layer.edit.reach == "pose")
        self.joints.show_mask(layer.scope, skeleton, selected)
        self.ease.setEnabled(layer.scope.start_s is not None or layer.scope.stop_s is not None)

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID // 2)
        top, self._limits = QWidget(), QWidget()
        for widget, rows in (
            (top, ((self.strength, None),)),
            (self._limits, ((self.start, self.start_here), (self.stop, self.stop_here), (self.ease, None))),
        ):
            form = QFormLayout(widget)
            form.setContentsMargins(0, 0, 0, 0)
            form.setHorizontalSpacing(GRID)
            form.setVerticalSpacing(GRID // 2)
            form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
            for field, button in rows:
                row = QHBoxLayout()
                row.setSpacing(GRID // 2)
                row.addWidget(field, 1)
                if button is not None:
                    row.addWidget(button)
                form.addRow(form_label(field.accessibleName(), field), row)
            layout.addWidget(widget)
        limits = self._limits.layout()
        assert isinstance(limits, QFormLayout)
        limits.addRow(self.joints)

    def _show_scope(self) -> None:
        for field in self._fields:
            value = getattr(self._scope, field.name)
            is_moment = field.name in MOMENTS and value is not None
            field.set_value(self._context.read_s(value) if is_moment else value)

    def _meant(self, name: str, value: object) -> object:
        """What was typed into a field, in the source's time."""
        return self._context.meant_s(value) if name in MOMENTS and isinstance(value, float) else value

    def _with(self, name: str, value: object) -> Scope | None:
        """The scope with another part; None, and told, where that cannot be."""
        try:
            return replace(self._scope, **{name: value})  # type: ignore[arg-type]
        except ValueError as error:
            self.refused.emit(str(error))
            return None

    def _on_changing(self, name: str, value: object) -> None:
        try:
            self.changing.emit(replace(self._scope, **{name: self._meant(name, value)}))  # type: ignore[arg-type]
        except ValueError:
            return  # on the way through ranges that cannot be: the last that can is shown

    def _on_typed(self, name: str, value: object) -> None:
        self._on_changed(name, self._meant(name, value))

    def _on_changed(self, name: str, value: object) -> None:
        scope = self._with(name, value)
        if scope is None:
            self.cancelled.emit()
            self._show_scope()
        else:
            self.changed.emit(scope)

    def _on_nudged(self, name: str, value: object) -> None:
        scope = self._with(name, self._meant(name, value))
        if scope is not None:
            self.nudged.emit(scope, name)
        else:
            self._show_scope()

    def _moment_of(self, frame: float) -> float | None:
        found = self._context.frames_s(frame, True)
        return None if found is None else self._context.read_s(found)

    def _length_of(self, frames: float) -> float | None:
        return self._context.frames_s(frames, False)

    def _on_start_here(self) -> None:
        self._on_changed("start_s", self._context.moment_s())

    def _on_stop_here(self) -> None:
        self._on_changed("stop_s", self._context.moment_s())

    def _on_joints_chosen(self, joints: object) -> None:
        self._on_changed("joints", joints)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.start_here.setIcon(icon("playhead"))
            self.stop_here.setIcon(icon("playhead"))


class _ScopeField(NumberField):
    """A number of the scope that knows which."""

    scope_changing = Signal(str, object)
    scope_changed = Signal(str, object)
    scope_nudged = Signal(str, object)

    def __init__(
        self,
        name: str,
        label: str,
        measure: Measure,
        low: float | None = None,
        high: float | None = None,
        absent: str | None = None,
        filled: bool = False,
    ) -> None:
        super().__init__(label, measure, low, high, absent, filled)
        self.name = name
        self.changing.connect(self._tell_changing)
        self.changed.connect(self._tell_changed)
        self.nudged.connect(self._tell_nudged)

    def _tell_changing(self, value: object) -> None:
        self.scope_changing.emit(self.name, value)

    def _tell_changed(self, value: object) -> None:
        self.scope_changed.emit(self.name, value)

    def _tell_nudged(self, value: object) -> None:
        self.scope_nudged.emit(self.name, value)
