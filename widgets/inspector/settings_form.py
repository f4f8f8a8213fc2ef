"""A form for any source or edit, made from what its settings say of themselves."""

from dataclasses import is_dataclass, replace
from typing import Any, get_args, get_origin

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFormLayout, QLabel, QVBoxLayout, QWidget

from model.skeleton import JointRef
from widgets.common.plain_label import PlainLabel, plain_tip
from widgets.common.setting_kinds import Described, FormContext, blank, described
from widgets.common.theme import GRID
from widgets.inspector.rows_editor import RowsEditor
from widgets.inspector.section import Section
from widgets.inspector.setting_editors import (
    ChoiceEditor,
    Editor,
    JointEditor,
    NumberEditor,
    ReadOnlyEditor,
    SwitchEditor,
    TextEditor,
)

# Of a record within a record so many fields are shown at once; the rest unfolds.
_AT_ONCE = 6
_LABEL_WIDTH = 11 * GRID


class SettingsForm(QWidget):
    """The settings of a value. It changes nothing itself: it says what the value would become.

    changing : while something is dragged; changed : at the end of it; nudged : after a small step, with a name by which
    steps of one kind can be told; cancelled : what was told by `changing` is void; refused : why something cannot be.
    """

    changing = Signal(object)
    changed = Signal(object)
    nudged = Signal(object, str)
    cancelled = Signal()
    refused = Signal(str)

    def __init__(
        self, value: Any, context: FormContext, parent: QWidget | None = None, at_once: int | None = None
    ) -> None:
        super().__init__(parent)
        self._value = value
        self.editors: dict[str, Editor] = {}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        whats = described(type(value))
        at_once = len(whats) if at_once is None else at_once
        layout.addWidget(self._rows_of(whats[:at_once], context))
        self._context = context
        self._rest = whats[at_once:]
        if self._rest:
            self.more = Section("More", QWidget(), is_open=False, parent=self)
            QVBoxLayout(self.more.content).setContentsMargins(0, 0, 0, 0)
            self.more.opening.connect(self._make_rest)
            layout.addWidget(self.more)
        self.set_value(value)

    @property
    def value(self) -> Any:
        """What is shown."""
        return self._value

    def set_value(self, value: Any) -> None:
        """Show another value of the same kind."""
        assert type(value) is type(self._value)
        self._value = value
        for name, editor in self.editors.items():
            editor.set_value(getattr(value, name))

    def _make_rest(self) -> None:
        """Make what was folded away: a long form must not keep a person waiting who wants its first lines."""
        if self._rest:
            rest, self._rest = self._rest, ()
            place = self.more.content.layout()
            assert place is not None
            place.addWidget(self._rows_of(rest, self._context))
            self.set_value(self._value)

    def _rows_of(self, whats: tuple[Described, ...], context: FormContext) -> QWidget:
        rows = QWidget(self)  # a child from the start: Qt styles widgets anew whenever they move
        layout = QFormLayout(rows)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setHorizontalSpacing(GRID)
        layout.setVerticalSpacing(GRID // 2)
        layout.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        layout.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        for what in whats:
            editor = _editor(what, context, rows)
            self.editors[what.name] = editor
            editor.changing.connect(self._on_changing)
            editor.changed.connect(self._on_changed)
            editor.nudged.connect(self._on_nudged)
            editor.cancelled.connect(self._on_cancelled)
            editor.refused.connect(self.refused)
            if isinstance(editor, GroupEditor):
                layout.addRow(editor)
            elif editor.is_wide:
                layout.addRow(form_label(what.setting.label, editor))
                layout.addRow(editor)
            elif isinstance(editor, SwitchEditor):
                layout.addRow("", editor)
            else:
                layout.addRow(form_label(what.setting.label, editor), editor)
        return rows

    def _with(self, name: str, value: object) -> Any:
        """The value with another setting; None, and told, where that cannot be."""
        try:
            return replace(self._value, **{name: value})
        except (ValueError, TypeError) as error:
            self.refused.emit(str(error))
            return None

    def _on_changing(self, name: str, value: object) -> None:
        try:
            made = replace(self._value, **{name: value})
        except (ValueError, TypeError):
            return  # on the way through values that cannot be: the last that can is shown
        self.changing.emit(made)

    def _on_changed(self, name: str, value: object) -> None:
        made = self._with(name, value)
        if made is None:
            self.cancelled.emit()
            self.set_value(self._value)
        else:
            self.changed.emit(made)

    def _on_nudged(self, name: str, value: object) -> None:
        made = self._with(name, value)
        if made is None:
            self.set_value(self._value)
        else:
            self.nudged.emit(made, name)

    def _on_cancelled(self, name: str) -> None:
        self.cancelled.emit()


class GroupEditor(Editor):
    """A record within a record: a form of its own under a heading; with a switch where there may be none."""

    is_wide = True

    def __init__(self, what: Described, context: FormContext, parent: QWidget | None = None) -> None:
        super().__init__(what, parent)
        self._context = context
        self._form: SettingsForm | None = None
        self._content = QWidget(self)
        self._content_layout = QVBoxLayout(self._content)
        self._content_layout.setContentsMargins(GRID, 0, 0, 0)
        self.switch: QCheckBox | None = None
        column = QVBoxLayout()
        column.setSpacing(GRID // 2)
        self._layout.addLayout(column)
        if what.optional:
            self.switch = QCheckBox(what.setting.label)
            self.switch.setAccessibleName(what.setting.label)
            self.switch.setToolTip(plain_tip(what.setting.tip or what.setting.label))
            self.switch.clicked.connect(self._on_switched)
            column.addWidget(self.switch)
            column.addWidget(self._content)
        else:
            column.addWidget(Section(what.setting.label, self._content, parent=self))

    @property
    def form(self) -> SettingsForm | None:
        """The inner form; None where there is no value."""
        return self._form

    def set_value(self, value: Any) -> None:
        if self.switch is not None:
            self.switch.setChecked(value is not None)
            self._content.setVisible(value is not None)
        if self._form is not None and value is not None:
            self._form.set_value(value)
        elif self._form is not None:
            self._form.deleteLater()
            self._form = None
        elif value is not None:
            self._form = SettingsForm(value, self._context, self._content, at_once=_AT_ONCE)
            self._form.changing.connect(self._on_changing)
            self._form.changed.connect(self._on_changed)
            self._form.nudged.connect(self._on_inner_nudged)
            self._form.cancelled.connect(self._on_cancelled)
            self._form.refused.connect(self.refused)
            self._content_layout.addWidget(self._form)

    def _on_inner_nudged(self, value: object, name: str) -> None:
        self._on_nudged(value)

    def _on_switched(self, on: bool) -> None:
        self._on_changed(blank(self.what.inner) if on else None)


def form_label(text: str, buddy: QWidget) -> QLabel:
    """The label of a row, with room for a second line."""
    label = PlainLabel(text, buddy.parentWidget())
    label.setWordWrap(True)
    label.setFixedWidth(_LABEL_WIDTH)
    label.setBuddy(buddy)
    label.setToolTip(buddy.toolTip())
    if buddy.sizeHint().height() < 5 * GRID:  # beside a field of one line: in the middle of it
        label.setMinimumHeight(buddy.sizeHint().height())
    return label


def _editor(what: Described, context: FormContext, parent: QWidget) -> Editor:
    """The editor for a setting; what none is for is shown as text."""
    for maker in context.makers:
        if maker.fits(what):
            made: Editor = maker.make(what, context, parent)
            return made
    if what.setting.choices:
        return ChoiceEditor(what, parent)
    if what.inner is bool:
        return SwitchEditor(what, parent)
    if what.is_number:
        return NumberEditor(what, context, parent)
    if what.inner is str:
        return TextEditor(what, parent)
    if what.inner is JointRef:
        return JointEditor(what, context, parent)
    if isinstance(what.inner, type) and is_dataclass(what.inner):
        return GroupEditor(what, context, parent)
    row = what.row_type
    numbers = get_origin(row) is tuple and all(part in (int, float) for part in get_args(row)) and bool(get_args(row))
    if numbers or (isinstance(row, type) and is_dataclass(row)):
        return RowsEditor(what, context, parent)
    return ReadOnlyEditor(what, parent)
