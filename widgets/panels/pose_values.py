"""Where the selected joint is and how it is turned, in the frame that is shown."""

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from editor.session import Session, View
from editor.showing import Showing
from model.arrays import Array
from model.euler import ORDERS, to_euler
from model.motion import Motion
from widgets.common.elided import ElidedLabel
from widgets.common.measures import DEGREES, METRES
from widgets.common.number_field import tabular
from widgets.common.theme import GRID

_USUAL_ORDER = "XYZ"


class PoseValues(QWidget):
    """Position in the world and rotation against the parent, of the first selected joint."""

    def __init__(self, session: Session, showing: Showing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._showing = showing
        self._title = ElidedLabel()
        grid = QGridLayout()
        grid.setHorizontalSpacing(GRID)
        grid.setVerticalSpacing(GRID // 2)
        self._captions: list[QLabel] = []
        self._numbers: list[list[QLabel]] = []
        for row, (caption, tip) in enumerate(
            (
                ("Position", "Where the joint is in the world, X, Y, Z, in m; Y is up"),
                ("Rotation", "How the joint is turned against its parent, in degrees about its axes in turn"),
            )
        ):
            label = QLabel(caption)
            label.setToolTip(tip)
            grid.addWidget(label, 2 * row, 0, 1, 3)
            self._captions.append(label)
            numbers = [self._number(f"{caption} {axis}", tip) for axis in "XYZ"]
            for column, number in enumerate(numbers):
                grid.addWidget(number, 2 * row + 1, column)
            self._numbers.append(numbers)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(GRID, GRID, GRID, GRID)
        layout.setSpacing(GRID // 2)
        layout.addWidget(self._title)
        layout.addLayout(grid)
        showing.changed.connect(self._refresh)
        session.changed.connect(self._on_view_changed)
        self._refresh()

    @property
    def text(self) -> str:
        """All that is shown, in one line."""
        rows = (" ".join(number.text() for number in numbers) for numbers in self._numbers)
        return "; ".join((self._title.text(), *rows))

    def _number(self, name: str, tip: str) -> QLabel:
        label = QLabel()
        label.setFont(tabular(label.font()))
        label.setAccessibleName(name)
        label.setToolTip(tip)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return label

    def _on_view_changed(self, before: View, after: View) -> None:
        if (before.time_s, before.joints) != (after.time_s, after.joints):
            self._refresh()

    def _refresh(self) -> None:
        shown, view = self._showing.current, self._session.view
        motion = None if shown is None else shown.take.motion
        joint = motion.skeleton.resolve(view.joints[0]) if motion is not None and view.joints else None
        self.setVisible(joint is not None and bool(motion and motion.frames))
        if motion is None or joint is None or not motion.frames:
            return
        frame = min(max(round(view.time_s / motion.frame_time_s), 0), motion.frames - 1)
        more = len(view.joints) - 1
        name = motion.skeleton.names[joint]
        self._title.setText(
            f"{name} at frame {frame + motion.first_frame}" + (f", and {more} more selected" if more else "")
        )
        order = rotation_order(motion, joint)
        angles = to_euler(motion.local_rotations[frame, joint], order)
        self._captions[1].setText(f"Rotation, {order}")
        self._show(0, "XYZ", motion.world.positions[frame, joint], METRES.format)
        self._show(1, order, angles, DEGREES.format)

    def _show(self, row: int, axes: str, values: Array, text: object) -> None:
        assert callable(text)
        for label, axis, value in zip(self._numbers[row], axes, np.asarray(values), strict=True):
            label.setText(f"{axis} {text(float(value))}")


def rotation_order(motion: Motion, joint: int) -> str:
    """The axes in which the file turns a joint, else X, Y, Z."""
    if motion.origin is not None and joint < len(motion.origin.layout):
        order = "".join(name[0].upper() for name in motion.origin.layout[joint] if name.lower().endswith("rotation"))
        if order in ORDERS:
            return order
    return _USUAL_ORDER
