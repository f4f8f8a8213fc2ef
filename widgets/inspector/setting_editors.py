"""The small editors of a form: each shows one value and says what a person makes of it."""

from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QLineEdit, QSizePolicy, QToolButton, QWidget

from model.measures import measure_of
from model.skeleton import JointRef
from widgets.common.icons import icon
from widgets.common.number_field import NumberField
from widgets.common.plain_label import PlainLabel, one_line, plain_tip
from widgets.common.setting_kinds import Described, FormContext
from widgets.common.theme import GRID

# Ranges with more steps than this are too wide for a bar to say something.
_STEPS_OF_A_BAR = 120.0


class Editor(QWidget):
    """Shows a value. changing, changed, nudged, cancelled, refused : as the number field's, with the setting's name."""

    changing = Signal(str, object)
    changed = Signal(str, object)
    nudged = Signal(str, object)
    cancelled = Signal(str)
    refused = Signal(str)
    is_wide = False  # whether it takes the whole width, its label above it

    def __init__(self, what: Described, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.what = what
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(GRID // 2)

    def set_value(self, value: Any) -> None:
        """Show a value without telling anybody."""
        raise NotImplementedError

    def _add(self, widget: QWidget) -> None:
        """Put in the widget that a person uses."""
        widget.setAccessibleName(self.what.setting.label)
        widget.setAccessibleDescription(self.what.setting.tip)
        if not widget.toolTip():
            widget.setToolTip(plain_tip(self.what.setting.tip or self.what.setting.label))
        self._layout.addWidget(widget, 1)
        self.setFocusProxy(widget)

    def _on_changing(self, value: object) -> None:
        self.changing.emit(self.what.name, value)

    def _on_changed(self, value: object) -> None:
        self.changed.emit(self.what.name, value)

    def _on_nudged(self, value: object) -> None:
        self.nudged.emit(self.what.name, value)

    def _on_cancelled(self) -> None:
        self.cancelled.emit(self.what.name)


class NumberEditor(Editor):
    """A number; a moment has a button that takes the playhead's."""

    def __init__(self, what: Described, context: FormContext, parent: QWidget | None = None) -> None:
        super().__init__(what, parent)
        self._context = context
        self._whole = what.inner is int
        setting = what.setting
        measure = measure_of(setting, self._whole)
        filled = (
            setting.low is not None
            and setting.high is not None
            and (setting.high - setting.low) / (measure.step * measure.factor) <= _STEPS_OF_A_BAR
        )
        absent = "not set" if what.optional else None
        self.field = NumberField(setting.label, measure, setting.low, setting.high, absent, filled, self)
        self.field.set_tip(_tip(what))
        if setting.unit == "s" and not self._whole:
            self.field.set_frames(self._frames_s)
        self._add(self.field)
        self.field.changing.connect(self._on_changing)
        self.field.changed.connect(self._on_changed)
        self.field.nudged.connect(self._on_nudged)
        self.field.cancelled.connect(self._on_cancelled)
        self.field.refused.connect(self.refused)
        self.here_button: QToolButton | None = None
        if what.is_moment:
            self.here_button = playhead_button(setting.label)
            self.here_button.clicked.connect(self._on_here)
            self._layout.addWidget(self.here_button)

    def set_value(self, value: Any) -> None:
        self.field.set_value(self._context.read_s(value) if self.what.is_moment and value is not None else value)

    def _frames_s(self, frames: float) -> float | None:
        found = self._context.frames_s(frames, self.what.is_moment)
        return self._context.read_s(found) if self.what.is_moment and found is not None else found

    def _on_here(self) -> None:
        super()._on_changed(self._context.moment_s())

    def _on_changing(self, value: object) -> None:
        super()._on_changing(self._typed(value))

    def _on_changed(self, value: object) -> None:
        super()._on_changed(self._typed(value))

    def _on_nudged(self, value: object) -> None:
        super()._on_nudged(self._typed(value))

    def _typed(self, value: object) -> object:
        if self.what.is_moment and isinstance(value, float):
            return self._context.meant_s(value)
        return round(value) if self._whole and isinstance(value, float) else value

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self.here_button is not None:
            self.here_button.setIcon(icon("playhead"))


class SwitchEditor(Editor):
    """Yes or no."""

    def __init__(self, what: Described, parent: QWidget | None = None) -> None:
        super().__init__(what, parent)
        self.box = QCheckBox(what.setting.label, self)
        self.box.clicked.connect(self._on_changed)
        self._add(self.box)

    def set_value(self, value: Any) -> None:
        self.box.setChecked(bool(value))


class ChoiceEditor(Editor):
    """One of several words."""

    def __init__(self, what: Described, parent: QWidget | None = None) -> None:
        super().__init__(what, parent)
        self.combo = QuietCombo(self)
        for choice in what.setting.choices:
            self.combo.addItem(choice.replace("_", " ").capitalize(), choice)
        self.combo.activated.connect(self._on_activated)
        self._add(self.combo)

    def set_value(self, value: Any) -> None:
        self.combo.setCurrentIndex(self.combo.findData(value))

    def _on_activated(self, index: int) -> None:
        self._on_changed(self.combo.itemData(index))


class JointEditor(Editor):
    """One of the body's joints, or the whole body where none is an answer too."""

    def __init__(self, what: Described, context: FormContext, parent: QWidget | None = None) -> None:
        super().__init__(what, parent)
        self._context = context
        self._value: JointRef | None = None
        self.combo = QuietCombo(self)
        self.combo.activated.connect(self._on_activated)
        self._add(self.combo)

    def set_value(self, value: Any) -> None:
        self._value = value
        skeleton = self._context.skeleton()
        refs = [] if skeleton is None else [skeleton.ref(joint) for joint in range(len(skeleton))]
        if value is not None and value not in refs:
            refs.insert(0, value)
        self.combo.clear()
        if self.what.optional:
            self.combo.addItem("Whole body", None)
        for ref in refs:
            self.combo.addItem(one_line(ref.name or str(ref.role).replace("_", " ")), ref)
        self.combo.setCurrentIndex(refs.index(value) + int(self.what.optional) if value is not None else 0)

    def _on_activated(self, index: int) -> None:
        self._on_changed(self.combo.itemData(index))


class TextEditor(Editor):
    """A text."""

    def __init__(self, what: Described, parent: QWidget | None = None) -> None:
        super().__init__(what, parent)
        self.field = QLineEdit(self)
        self.field.editingFinished.connect(self._on_finished)
        self._add(self.field)
        self._value = ""

    def set_value(self, value: Any) -> None:
        self._value = "" if value is None else str(value)
        self.field.setText(self._value)

    def _on_finished(self) -> None:
        if self.field.text() != self._value:
            self._on_changed(self.field.text())


class ReadOnlyEditor(Editor):
    """A value that no editor is known for, as text."""

    def __init__(self, what: Described, parent: QWidget | None = None) -> None:
        super().__init__(what, parent)
        self.label = PlainLabel(parent=self)
        self.label.setWordWrap(True)
        self.label.setMinimumWidth(1)  # else a long word would widen the form
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._add(self.label)

    def set_value(self, value: Any) -> None:
        text = repr(value)
        self.label.setText(text if len(text) <= 200 else f"{text[:200]}…")


class QuietCombo(QComboBox):
    """A combo box that a passing mouse wheel does not change."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(72)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)

    def wheelEvent(self, event: Any) -> None:
        event.ignore()


def playhead_button(label: str) -> QToolButton:
    """A button that sets a moment to the playhead's."""
    button = QToolButton()
    button.setIcon(icon("playhead"))
    button.setAccessibleName(f"Set {label.lower()} to the playhead")
    button.setToolTip(plain_tip(f"{label}: the moment that is shown"))
    return button


def _tip(what: Described) -> str:
    """What a number does, with its unit and range."""
    setting = what.setting
    measure = measure_of(setting, what.inner is int)
    ends = [None if end is None else measure.format(end) for end in (setting.low, setting.high)]
    parts = [setting.tip or setting.label]
    if measure.suffix:
        parts.append(f"In {measure.suffix}{', or frames as 60f' if setting.unit == 's' else ''}.")
    if ends[0] is not None and ends[1] is not None:
        parts.append(f"{ends[0]} to {ends[1]}.")
    if what.optional:
        parts.append("May be left empty.")
    return " ".join(part if part.endswith(".") else f"{part}." for part in parts)
