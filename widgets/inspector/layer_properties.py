"""What an edit is made of: its settings, and where it acts."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from editor.stack.layers import title_of
from model.clip import Layer, Unknown, settings_of
from model.skeleton import JointRef, Skeleton
from widgets.common.edit_notes import Notes
from widgets.common.plain_label import PlainLabel
from widgets.common.setting_kinds import FormContext, sentences_of
from widgets.common.theme import GRID
from widgets.inspector.contracts import EditPart, ShownEdit
from widgets.inspector.rows_editor import RowsEditor
from widgets.inspector.scope_form import ScopeForm
from widgets.inspector.section import Section
from widgets.inspector.settings_form import SettingsForm


class LayerProperties(QWidget):
    """An edit in its place. The signals are those of its form of settings; `scope` has its own.

    notes : what the edit tells of its work, above everything else.
    """

    changing = Signal(object)
    changed = Signal(object)
    nudged = Signal(object, str)
    cancelled = Signal()
    refused = Signal(str)
    moment_chosen = Signal(float)  # that of a row in a table, in the source's time

    def __init__(self, context: FormContext, parts: Sequence[EditPart] = (), parent: QWidget | None = None) -> None:
        """parts : what features tell of edits."""
        super().__init__(parent)
        self._context = context
        self._layer_id: str | None = None
        self.form: SettingsForm | None = None
        self.scope = ScopeForm(context)
        self.notes = Notes()
        self._about = PlainLabel()
        self._about.setWordWrap(True)
        self._about.setForegroundRole(self._about.foregroundRole().PlaceholderText)
        content = QWidget()
        self._content = QVBoxLayout(content)
        self._content.setContentsMargins(0, 0, 0, 0)
        self._content.setSpacing(GRID)
        self._content.addWidget(self._about)
        self._settings = Section("Edit", content)
        self._where = Section("Where it acts", self.scope)
        self.parts = tuple(parts)
        self._sections = [Section(part.title, part) for part in self.parts]
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addWidget(self.notes)
        layout.addWidget(self._settings)
        for section in self._sections:
            layout.addWidget(section)
        layout.addWidget(self._where)

    def set_layer(self, layer: Layer, skeleton: Skeleton | None, selected: tuple[JointRef, ...]) -> None:
        """Show a layer on a body. selected : the joints that are selected in the views."""
        other = layer.id != self._layer_id or self.form is None or type(self.form.value) is not type(layer.edit)
        self._layer_id = layer.id
        if other:
            self._make_form(layer)
        elif self.form is not None:
            self.form.set_value(layer.edit)
        self._settings.set_title(title_of(layer.edit))
        self._where.setVisible(not isinstance(layer.edit, Unknown))
        self._about.setText(about(layer))
        self.scope.set_layer(layer, skeleton, selected)

    def show_parts(self, edit: ShownEdit) -> None:
        """Show what features tell of the edit, at the playhead."""
        for part, section in zip(self.parts, self._sections, strict=True):
            title = part.show_edit(edit)
            section.setVisible(title is not None)
            if title is not None:
                section.set_title(title)

    def _on_row_clicked(self, row: int, column: int) -> None:
        rows = () if self.form is None else getattr(self.form.value, str(self.sender().property("setting")))
        time_s = getattr(rows[row], "time_s", None) if row < len(rows) else None
        if time_s is not None:
            self.moment_chosen.emit(time_s)

    def _make_form(self, layer: Layer) -> None:
        if self.form is not None:
            self.form.hide()
            self.form.deleteLater()
            self.form = None
        if isinstance(layer.edit, Unknown) or not settings_of(layer.edit):
            return
        self.form = SettingsForm(layer.edit, self._context, self._settings.content)
        self.form.changing.connect(self.changing)
        self.form.changed.connect(self.changed)
        self.form.nudged.connect(self.nudged)
        self.form.cancelled.connect(self.cancelled)
        self.form.refused.connect(self.refused)
        for name, editor in self.form.editors.items():
            if isinstance(editor, RowsEditor):
                editor.table.setProperty("setting", name)
                editor.table.cellClicked.connect(self._on_row_clicked)
        self._content.addWidget(self.form)


def about(layer: Layer) -> str:
    """What an edit does, in the sentences that its class says it in."""
    if isinstance(layer.edit, Unknown):
        return "This version does not know this edit. It is kept as it is, and has no effect."
    return sentences_of(type(layer.edit))
