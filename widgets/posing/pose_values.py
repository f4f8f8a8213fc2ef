"""Where the selected joint is and how it is turned, in the frame that is shown, in fields that pose it."""

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from editor.document.session import Session, View
from editor.document.showing import Showing
from editor.posing.drag import drag, turn
from editor.posing.pose import Pose, Posed
from model.arrays import Array
from model.euler import ORDERS, from_euler, to_euler
from model.measures import DEGREES, Measure
from model.motion import Motion
from model.rotation import conjugate, multiply, to_rotation_vector
from widgets.common.elided import ElidedLabel
from widgets.common.number_field import NumberField
from widgets.common.plain_label import PlainLabel
from widgets.common.theme import GRID
from widgets.posing.posing import Posing

_USUAL_ORDER = "XYZ"
_PLACE, _TURN = 0, 1
# The unit stands in the caption, so that narrow fields have room for the number.
_CENTIMETRES = Measure("m", "", 0.01, 1, 1, 0.5)


class PoseValues(QWidget):
    """Place in the world and rotation of the first selected joint. A number that is typed poses it at this frame.

    Rotations are against the parent, or in the world where the tools use the world's axes.
    """

    refused = Signal(str)

    def __init__(self, session: Session, showing: Showing, posing: Posing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._showing, self._posing = session, showing, posing
        self._joint = 0
        self._order = _USUAL_ORDER
        self._start: Pose | None = None  # while a field is dragged
        self._title = ElidedLabel()
        self._captions = [PlainLabel("Place in the world, cm"), PlainLabel("Rotation")]
        self._letters: list[list[PlainLabel]] = []
        self.fields: list[list[NumberField]] = []
        self._lay_out()
        showing.changed.connect(self._refresh)
        posing.posed.connect(self._refresh)
        posing.changed.connect(self._refresh)
        session.changed.connect(self._on_view_changed)
        self._refresh()

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(GRID)
        grid.setVerticalSpacing(GRID // 2)
        rows: tuple[tuple[str, Measure, str], ...] = (
            (
                "Place",
                _CENTIMETRES,
                "Where the joint is in the world, in cm; Y is up. The body follows as in a drag",
            ),
            ("Rotation", DEGREES, "How the joint is turned, in degrees about its axes in turn"),
        )
        for row, (name, measure, tip) in enumerate(rows):
            grid.addWidget(self._captions[row], 2 * row, 0, 1, 3)
            letters, fields = [], []
            for column, axis in enumerate("XYZ"):
                letter, field = PlainLabel(axis), self._field(row, column, f"{name} {axis}", measure, tip)
                cell = QHBoxLayout()
                cell.setSpacing(GRID // 2)
                cell.addWidget(letter)
                cell.addWidget(field, 1)
                grid.addLayout(cell, 2 * row + 1, column)
                letters.append(letter)
                fields.append(field)
            self._letters.append(letters)
            self.fields.append(fields)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(GRID, GRID, GRID, GRID)
        layout.setSpacing(GRID // 2)
        layout.addWidget(self._title)
        layout.addLayout(grid)

    def _field(self, row: int, column: int, name: str, measure: Measure, tip: str) -> NumberField:
        field = NumberField(name, measure)
        field.setMinimumWidth(7 * GRID)
        field.set_tip(tip)
        field.setProperty("place", (row, column))
        field.changing.connect(self._on_changing)
        field.changed.connect(self._on_changed)
        field.nudged.connect(self._on_nudged)
        field.cancelled.connect(self._on_cancelled)
        field.refused.connect(self.refused)
        return field

    @property
    def text(self) -> str:
        """All that is shown, in one line."""
        rows = (
            " ".join(f"{letter.text()} {field.text()}" for letter, field in zip(letters, fields, strict=True))
            for letters, fields in zip(self._letters, self.fields, strict=True)
        )
        return "; ".join((self._title.text(), *rows))

    # What it shows

    def _on_view_changed(self, before: View, after: View) -> None:
        if (before.time_s, before.joints) != (after.time_s, after.joints):
            self._refresh()

    def _refresh(self) -> None:
        shown, view = self._showing.current, self._session.view
        motion = None if shown is None else shown.take.motion
        joint = motion.skeleton.resolve(view.joints[0]) if motion is not None and view.joints else None
        self.setVisible(joint is not None and bool(motion and motion.frames))
        pose = self._posing.pose if self.isVisible() else None
        if motion is None or joint is None or pose is None or joint >= len(pose.skeleton):
            return
        frame = min(max(round(view.time_s / motion.frame_time_s), 0), motion.frames - 1)
        more = len(view.joints) - 1
        name = motion.skeleton.names[joint]
        self._title.setText(
            f"{name} at frame {frame + motion.first_frame}" + (f", and {more} more selected" if more else "")
        )
        self._joint, self._order = joint, rotation_order(motion, joint)
        whose = "in the world" if self._posing.axes == "world" else "against its parent"
        self._captions[_TURN].setText(f"Rotation {whose}, {self._order}")
        self._show(_PLACE, "XYZ", pose.world.positions[joint])
        self._show(_TURN, self._order, self._angles(pose))

    def _angles(self, pose: Pose) -> Array:
        rotations = pose.world.rotations if self._posing.axes == "world" else pose.local_rotations
        return to_euler(rotations[self._joint], self._order)

    def _show(self, row: int, axes: str, values: Array) -> None:
        for letter, field, axis, value in zip(self._letters[row], self.fields[row], axes, values, strict=True):
            letter.setText(axis)
            field.setAccessibleName(f"{'Place' if row == _PLACE else 'Rotation'} {axis}")
            field.set_value(float(value))

    # What is typed and dragged

    def _posed(self, start: Pose, row: int, column: int, value: float) -> tuple[Posed, str]:
        """The pose with one number of the joint another."""
        joint, pins, part = self._joint, self._posing.pins(start), self._posing.part(self._joint)
        if row == _PLACE:
            goal = np.array(start.world.positions[joint])
            goal[column] = value
            return drag(start, joint, goal, pins), f"Move {part}"
        angles = np.array(self._angles(start))
        angles[column] = value
        in_world = self._posing.axes == "world"
        have = (start.world.rotations if in_world else start.local_rotations)[joint]
        by = to_rotation_vector(multiply(from_euler(angles, self._order), conjugate(have)))
        return turn(start, joint, by, "world" if in_world else "parent", pins), f"Turn {part}"

    def _place(self) -> tuple[int, int]:
        row, column = self.sender().property("place")
        return int(row), int(column)

    def _on_changing(self, value: float) -> None:
        row, column = self._place()
        if self._start is None:
            self._start = self._posing.begin()
        if self._start is not None:
            posed, what = self._posed(self._start, row, column, value)
            self._posing.show(posed.pose, what)

    def _on_changed(self, value: float) -> None:
        row, column = self._place()
        if self._start is None:
            self._apply(row, column, value, None)
            return
        posed, what = self._posed(self._start, row, column, value)
        self._start = None
        self._posing.show(posed.pose, what)
        self._posing.finish()

    def _on_nudged(self, value: float) -> None:
        row, column = self._place()
        self._apply(row, column, value, f"nudge {row} {column}")

    def _apply(self, row: int, column: int, value: float, merge: str | None) -> None:
        start = self._posing.pose
        if start is not None:
            posed, what = self._posed(start, row, column, value)
            self._posing.apply(posed.pose, what, merge)
        self._refresh()

    def _on_cancelled(self) -> None:
        self._start = None
        self._posing.cancel()

    # Qt

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh()


def rotation_order(motion: Motion, joint: int) -> str:
    """The axes in which the file turns a joint, else X, Y, Z."""
    if motion.origin is not None and joint < len(motion.origin.layout):
        order = "".join(name[0].upper() for name in motion.origin.layout[joint] if name.lower().endswith("rotation"))
        if order in ORDERS:
            return order
    return _USUAL_ORDER
