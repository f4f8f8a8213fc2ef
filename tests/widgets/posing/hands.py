"""A viewport with tools in it, and a hand that drags their handles with real events of the mouse."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from model.roles import Role
from tests.widgets.viewport.test_viewport import shown
from widgets.posing.pose_tools import PoseTools
from widgets.posing.posing import Posing
from widgets.viewport.tool_box import ToolBox

NONE = Qt.KeyboardModifier.NoModifier
LEFT, NO = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton


@dataclass
class Hand:
    viewport: Any
    document: Any
    session: Any
    shows: Any
    posing: Posing
    tools: PoseTools
    box: ToolBox

    @property
    def motion(self):
        return self.shows.current.take.motion

    @property
    def frame(self):
        return round(self.session.view.time_s / self.motion.frame_time_s)

    def joint(self, role):
        return self.motion.skeleton.joint(role)

    def at(self, role):
        """(3,) where a joint is in the take that is worked out."""
        return self.motion.world.positions[self.frame, self.joint(role)]

    def pixel(self, place):
        """Where a place of the world, or a joint of a role, is seen in the scene that is drawn."""
        where = self.viewport.scene.joints[self.joint(place)] if isinstance(place, Role) else place
        x, y = self.viewport.camera.project(np.asarray(where), (self.viewport.width(), self.viewport.height()))[0]
        return QPointF(float(x), float(y))

    def mouse(self, kind, at, button, buttons, modifiers=NONE):
        place = QPointF(self.viewport.mapToGlobal(at.toPoint()))
        QApplication.sendEvent(self.viewport, QMouseEvent(kind, at, place, button, buttons, modifiers))

    def hover(self, at):
        self.mouse(QEvent.Type.MouseMove, at, NO, NO)

    def press(self, at, modifiers=NONE):
        self.hover(at)
        self.mouse(QEvent.Type.MouseButtonPress, at, LEFT, LEFT, modifiers)

    def move(self, start, stop, modifiers=NONE, steps=6):
        for step in range(1, steps + 1):
            self.mouse(QEvent.Type.MouseMove, start + (stop - start) * step / steps, NO, LEFT, modifiers)

    def release(self, at, modifiers=NONE):
        self.mouse(QEvent.Type.MouseButtonRelease, at, LEFT, NO, modifiers)

    def drag(self, start, by, modifiers=NONE):
        """Press, move and let go. -> where the mouse ended."""
        stop = start + by
        self.press(start, modifiers)
        self.move(start, stop, modifiers)
        self.release(stop, modifiers)
        return stop

    def click(self, at):
        self.press(at)
        self.release(at)

    def undo_all(self):
        while self.document.undo():
            pass


def hand(tool="ik", painter=True, time_s=1.0, edits=(), **options):
    viewport, document, session, shows = shown(*edits, painter=painter, size=(800, 640), **options)
    posing = Posing(document, session, shows)
    box = ToolBox(viewport, viewport)
    tools = PoseTools(viewport, box, posing, parent=viewport)
    for brought in tools.tools:
        box.add(brought)
    made = Hand(viewport, document, session, shows, posing, tools, box)
    box.use(tool)
    session.look(time_s=time_s)
    return made
