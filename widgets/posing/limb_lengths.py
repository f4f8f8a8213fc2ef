"""Limbs made longer or shorter by an edit of target poses: a factor for each."""

from PySide6.QtWidgets import QFormLayout, QLabel, QVBoxLayout, QWidget

from editor.posing.commands import set_lengths
from editor.posing.edit import TargetPoses
from editor.posing.lengths import factor_of, limb_bones
from model.measures import PERCENT
from model.skeleton import JointRef, Skeleton
from widgets.common.number_field import NumberField
from widgets.common.plain_label import PlainLabel
from widgets.common.theme import GRID
from widgets.inspector.contracts import EditPart, EditRequest, ShownEdit
from widgets.inspector.settings_form import form_label

_LEAST, _MOST = 0.1, 3.0
_ONE = "one bone"  # the row of the selected joint
_NEEDS_FEET = "Lengths count only while feet are kept on the ground."


class LimbLengths(EditPart):
    """Rows of limbs, a part of the page of an edit that holds target poses."""

    title = "Limb lengths"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._seen: tuple[TargetPoses, Skeleton, tuple[JointRef, ...]] | None = None
        self.fields: dict[str, NumberField] = {}
        self._bones: dict[str, tuple[JointRef, ...]] = {}
        self._labels: dict[str, QLabel] = {}
        self._form = QFormLayout()
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setHorizontalSpacing(GRID)
        self._form.setVerticalSpacing(GRID // 2)
        self._note = PlainLabel(_NEEDS_FEET)
        self._note.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID // 2)
        layout.addLayout(self._form)
        layout.addWidget(self._note)

    def show_edit(self, edit: ShownEdit) -> str | None:
        poses = edit.layer.edit
        if not isinstance(poses, TargetPoses) or edit.shown is None:
            return None
        seen = poses, edit.shown.final.motion.skeleton, edit.joints
        if seen != self._seen:
            self._show_factors(*seen)
            self._seen = seen
        return self.title

    def _show_factors(self, edit: TargetPoses, skeleton: Skeleton, selected: tuple[JointRef, ...]) -> None:
        """Show the factors of an edit on a body. selected : the joints that are selected in the views."""
        limbs = dict(limb_bones(skeleton))
        joint = skeleton.resolve(selected[0]) if selected else None
        names = (*limbs, _ONE)
        if joint is not None and skeleton.parents[joint] >= 0:
            limbs[_ONE] = (joint,)
        if names != tuple(self.fields):
            self._build(names)
        self._bones = {name: tuple(skeleton.ref(one) for one in joints) for name, joints in limbs.items()}
        for name, field in self.fields.items():
            joints = limbs.get(name)
            field.setEnabled(joints is not None and edit.grounded)
            field.set_value(None if joints is None else factor_of(edit, skeleton, joints))
        told = skeleton.names[limbs[_ONE][0]] if _ONE in limbs else "Selected bone"
        self._labels[_ONE].setText(told)
        self._note.setVisible(not edit.grounded)

    def _build(self, names: tuple[str, ...]) -> None:
        while self._form.rowCount():
            self._form.removeRow(0)
        self.fields, self._labels = {}, {}
        for name in names:
            field = NumberField(
                f"Length of {name}", PERCENT, _LEAST, _MOST, absent="none" if name == _ONE else "several"
            )
            tip = "Select a joint: the bone that ends in it" if name == _ONE else f"How long the {name} is"
            field.set_tip(f"{tip}, of what it was. The whole clip is carried over, and contacts stay")
            field.setProperty("limb", name)
            field.changing.connect(self._on_changing)
            field.changed.connect(self._on_changed)
            field.nudged.connect(self._on_nudged)
            field.cancelled.connect(self.cancelled)
            field.refused.connect(self.refused)
            self.fields[name] = field
            self._labels[name] = form_label(name.capitalize(), field)
            self._form.addRow(self._labels[name], field)

    def _request(self, value: float | None) -> EditRequest:
        """The command that makes a limb so long: the joints in which its bones end, the factor, what it is called."""
        self._seen = None  # where it cannot be, the field goes back
        name = str(self.sender().property("limb"))
        bones = self._bones.get(name, ())
        called = bones[0].name if name == _ONE and bones else name
        return EditRequest(set_lengths, (bones, 1.0 if value is None else value, called))

    def _on_changing(self, value: float | None) -> None:
        self.changing.emit(self._request(value))

    def _on_changed(self, value: float | None) -> None:
        self.changed.emit(self._request(value))

    def _on_nudged(self, value: float | None) -> None:
        request = self._request(value)
        self.nudged.emit(request, f"length of {request.arguments[-1]}")
