"""What an edit is made of: its settings, and where it acts."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from editor.posing.edit import TargetPoses
from editor.stack.layers import title_of
from model.clip import Layer, Unknown, settings_of
from model.skeleton import JointRef, Skeleton
from widgets.common.plain_label import PlainLabel
from widgets.common.theme import GRID
from widgets.inspector.rows_editor import RowsEditor
from widgets.inspector.scope_form import ScopeForm
from widgets.inspector.section import Section
from widgets.inspector.setting_kinds import FormContext
from widgets.inspector.settings_form import SettingsForm
from widgets.inspector.told import Notes
from widgets.posing.limb_lengths import LimbLengths
from widgets.posing.pose_section import PoseSection


class LayerProperties(QWidget):
    """An edit in its place. The signals are those of its form of settings; `scope` has its own.

    notes : what the edit tells of its work, above everything else.
    """

    changing = Signal(object)
    changed = Signal(object)
    nudged = Signal(object, str)
    cancelled = Signal()
    refused = Signal(str)
    pose_chosen = Signal(float)  # the moment of a target pose, in the source's time

    def __init__(self, context: FormContext, parent: QWidget | None = None) -> None:
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
        self.pose = PoseSection()
        self.pose.changing.connect(self.changing)
        self.pose.changed.connect(self.changed)
        self.pose.nudged.connect(self.nudged)
        self.pose.cancelled.connect(self.cancelled)
        self.pose.refused.connect(self.refused)
        self._pose = Section("Pose", self.pose)
        self._settings = Section("Edit", content)
        self._where = Section("Where it acts", self.scope)
        self.lengths = LimbLengths()
        self._lengths = Section("Limb lengths", self.lengths)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addWidget(self.notes)
        layout.addWidget(self._settings)
        layout.addWidget(self._pose)
        layout.addWidget(self._lengths)
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
        self._lengths.setVisible(isinstance(layer.edit, TargetPoses) and skeleton is not None)
        if isinstance(layer.edit, TargetPoses) and skeleton is not None:
            self.lengths.show_edit(layer.edit, skeleton, selected)

    def show_pose(
        self,
        layer: Layer,
        skeleton: Skeleton | None,
        selected: tuple[JointRef, ...],
        marks: tuple[tuple[float, str], ...],
    ) -> None:
        """Show the target pose at the playhead, where the layer has one. marks : what contacts took from its poses."""
        if isinstance(layer.edit, TargetPoses):
            self.pose.set_pose(layer.edit, self._context.moment_s(), skeleton, selected, marks)
        pose = self.pose.pose if isinstance(layer.edit, TargetPoses) else None
        self._pose.setVisible(pose is not None)
        if pose is not None:
            self._pose.set_title(f"Pose at {self._context.read_s(pose.time_s):.2f} s")

    def _on_row_clicked(self, row: int, column: int) -> None:
        edit = None if self.form is None else self.form.value
        if isinstance(edit, TargetPoses) and row < len(edit.poses):
            self.pose_chosen.emit(edit.poses[row].time_s)

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
        poses = self.form.editors.get("poses")
        if isinstance(poses, RowsEditor):
            poses.table.cellClicked.connect(self._on_row_clicked)
        self._content.addWidget(self.form)


def about(layer: Layer) -> str:
    """What an edit does, in the sentences that its class says it in."""
    if isinstance(layer.edit, Unknown):
        return "This version does not know this edit. It is kept as it is, and has no effect."
    return sentences_of(type(layer.edit))


def sentences_of(kind: type) -> str:
    """The first paragraph of what a class says of itself; nothing where it says nothing but its signature."""
    text = kind.__doc__ or ""
    return "" if text.startswith(f"{kind.__name__}(") else " ".join(text.split("\n\n")[0].split())
