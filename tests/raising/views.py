"""The views of the feature."""

import numpy as np
from motionwright.widgets.timeline.lane import Lane, Row
from motionwright.widgets.viewport.overlay import Overlay
from motionwright.widgets.viewport.scene import Dots
from motionwright.widgets.viewport.tool import Handles, Hover
from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from .commands import raise_clip


class RaisePanel(QWidget):
    """A button."""

    def __init__(self, lift):
        super().__init__()
        self.button = QPushButton("Raise the clip")
        self.button.setToolTip("Put the clip half a metre higher")
        self.button.clicked.connect(lift)
        QVBoxLayout(self).addWidget(self.button)


class HeightLane(Lane):
    """How high the root is over time."""

    title = "Height"
    tip = "How high the body is"

    def __init__(self, showing, parent):
        super().__init__(parent)
        self._showing = showing
        self.painted = 0
        showing.changed.connect(self.changed)

    @property
    def rows(self):
        return () if self._showing.current is None else (Row("Root"),)

    def paint(self, painter, scale, rect, small):
        self.painted += 1
        motion = self._showing.current.take.motion
        for frame in range(0, motion.frames, 10):
            x = scale.x_of(frame * motion.frame_time_s)
            painter.drawPoint(QPointF(x, rect.bottom() - 5.0 * motion.root_positions[frame, 1]))


class Level(Overlay):
    """A dot at the root."""

    def __init__(self, parent):
        super().__init__(parent)
        self.is_on = False

    def set_on(self, on):
        self.is_on = on
        self.changed.emit()

    def draw(self, scene, camera, size):
        if not self.is_on or not len(scene.joints):
            return Handles()
        return Handles(dots=Dots(scene.joints[[0]], np.ones((1, 4)), np.full(1, 9.0)))


class LiftTool:
    """Drags the figure up: a metre a hundred pixels."""

    def __init__(self, desk):
        self._desk = desk
        self._start = None
        self._by_m = 0.0

    def hover(self, pointer):
        return None if pointer is None else Hover("Drag lifts the figure")

    def press(self, pointer):
        self._start, self._by_m = pointer.pixel[1], 0.0
        return self._desk.clip is not None

    def move(self, pointer):
        self._by_m = (self._start - pointer.pixel[1]) / 100.0
        self._desk.document.preview(raise_clip, self._desk.clip.id, self._by_m)

    def release(self, pointer):
        self._desk.document.commit()
        self._start = None

    def cancel(self):
        if self._start is not None:
            self._desk.document.cancel()
        self._start = None

    def wants_key(self, key):
        return False

    def press_key(self, key):
        pass

    def draw(self, scene, camera, size):
        return Handles()
