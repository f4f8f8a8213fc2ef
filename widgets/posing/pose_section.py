"""The target pose at the playhead: how strongly it counts, how it comes up and fades, which joints it may turn, and
what contacts took from it."""

from dataclasses import replace

from PySide6.QtWidgets import QFormLayout, QVBoxLayout, QWidget

from editor.posing.edit import SAME_MOMENT_S, TargetPose, TargetPoses
from editor.stack.layers import change_edit
from model.measures import PERCENT, SECONDS, Measure
from model.scope import Scope
from model.skeleton import JointRef, Skeleton
from widgets.common.number_field import NumberField
from widgets.common.plain_label import PlainLabel
from widgets.common.setting_kinds import FormContext
from widgets.common.theme import GRID
from widgets.inspector.contracts import EditPart, EditRequest, ShownEdit
from widgets.inspector.joint_mask import JointMask
from widgets.inspector.section import Section
from widgets.inspector.settings_form import form_label

_SHORTEST_S, _LONGEST_S = 0.01, 60.0
_MOST = 2.0
# A pose this near to the playhead is the one at it.
_NEAR_S = 0.02


class PoseSection(EditPart):
    """A part of the page of an edit that holds target poses."""

    title = "Pose"

    def __init__(self, context: FormContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._edit: TargetPoses | None = None
        self._pose: TargetPose | None = None
        self.told = PlainLabel()
        self.told.setWordWrap(True)
        self.told.setMinimumWidth(1)
        self.strength = self._field("strength", "Strength", PERCENT, 0.0, _MOST, "How much of this pose is done. In %.")
        ease = "Over how long this pose {}. In s."
        self.before = self._field("before_s", "Comes up", SECONDS, _SHORTEST_S, _LONGEST_S, ease.format("comes up"))
        self.after = self._field("after_s", "Fades", SECONDS, _SHORTEST_S, _LONGEST_S, ease.format("fades"))
        self.joints = JointMask()
        self.joints.chosen.connect(self._on_joints)
        form = QFormLayout()
        form.setContentsMargins(0, 0, 0, 0)
        form.setHorizontalSpacing(GRID)
        form.setVerticalSpacing(GRID // 2)
        for field in self._fields:
            form.addRow(form_label(field.accessibleName(), field), field)
        self.limits = Section("Joints of this pose", self.joints, is_open=False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID // 2)
        layout.addWidget(self.told)
        layout.addLayout(form)
        layout.addWidget(self.limits)

    @property
    def _fields(self) -> tuple[NumberField, ...]:
        return self.strength, self.before, self.after

    def _field(self, name: str, label: str, measure: Measure, low: float, high: float, tip: str) -> NumberField:
        field = NumberField(label, measure, low, high, None, measure is PERCENT)
        field.set_tip(tip)
        field.setProperty("part", name)
        field.changing.connect(self._on_changing)
        field.changed.connect(self._on_changed)
        field.nudged.connect(self._on_nudged)
        field.cancelled.connect(self.cancelled)
        field.refused.connect(self.refused)
        return field

    @property
    def pose(self) -> TargetPose | None:
        """The pose that is shown; None where none is at the playhead."""
        return self._pose

    def show_edit(self, edit: ShownEdit) -> str | None:
        poses = edit.layer.edit
        if not isinstance(poses, TargetPoses):
            return None
        skeleton = None if edit.shown is None else edit.shown.final.motion.skeleton
        self.set_pose(poses, self._context.moment_s(), skeleton, edit.joints, edit.marks)
        return None if self._pose is None else f"Pose at {self._context.read_s(self._pose.time_s):.2f} s"

    def set_pose(
        self,
        edit: TargetPoses,
        moment_s: float,
        skeleton: Skeleton | None,
        selected: tuple[JointRef, ...],
        marks: tuple[tuple[float, str], ...],
    ) -> None:
        """Show the pose of an edit that is at a moment of the source. marks : what contacts took from its poses."""
        self._edit = edit
        near = min(edit.poses, key=lambda pose: abs(pose.time_s - moment_s), default=None)
        self._pose = near if near is not None and abs(near.time_s - moment_s) <= _NEAR_S else None
        pose = self._pose
        if pose is None:
            return
        for field in self._fields:
            field.set_value(getattr(pose, str(field.property("part"))))
        told = [text for time_s, text in marks if abs(time_s - pose.time_s) < SAME_MOMENT_S]
        self.told.setText("\n".join(told))
        self.told.setVisible(bool(told))
        self.joints.show_mask(Scope(joints=pose.joints), skeleton, selected)

    def _with(self, **parts: object) -> TargetPoses | None:
        """The edit with the shown pose changed; None, and told, where that cannot be."""
        edit, pose = self._edit, self._pose
        if edit is None or pose is None:
            return None
        try:
            new = replace(pose, **parts)  # type: ignore[arg-type]
            return replace(edit, poses=tuple(new if one is pose else one for one in edit.poses))
        except ValueError as error:
            self.refused.emit(str(error))
            return None

    def _part(self) -> str:
        return str(self.sender().property("part"))

    def _on_changing(self, value: float) -> None:
        if (edit := self._with(**{self._part(): value})) is not None:
            self.changing.emit(EditRequest(change_edit, (edit,)))

    def _on_changed(self, value: float) -> None:
        if (edit := self._with(**{self._part(): value})) is not None:
            self.changed.emit(EditRequest(change_edit, (edit,)))

    def _on_nudged(self, value: float) -> None:
        part = self._part()
        if (edit := self._with(**{part: value})) is not None:
            self.nudged.emit(EditRequest(change_edit, (edit,)), f"pose {part}")

    def _on_joints(self, joints: object) -> None:
        if (edit := self._with(joints=joints)) is not None:
            self.changed.emit(EditRequest(change_edit, (edit,)))
