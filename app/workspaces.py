"""Workspaces: arrangements of the docks, one a task, each as the user left it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QCursor, QMouseEvent
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QWidget

from app.settings import Settings

_VERSION = 7  # of the docks: older layouts are forgotten


@dataclass(frozen=True)
class Workspace:
    """Which docks are shown, and how high the timeline is in a window of usual size."""

    name: str
    tip: str
    shown: tuple[str, ...]
    timeline_height: int


WORKSPACES = (
    Workspace(
        "Edit",
        "Poses, edits and their settings",
        ("Library", "Edits", "Inspector", "Extremes", "Exaggerate", "Timeline", "Curves"),
        276,
    ),
    Workspace(
        "Timing",
        "The timeline tall, with the joints of staggered poses",
        ("Edits", "Inspector", "Timeline", "Curves"),
        480,
    ),
    Workspace(
        "Walk", "A path on the floor, and somebody who walks along it", ("Library", "Path", "Timeline", "Curves"), 200
    ),
)


@contextmanager
def _drawn_once(window: QMainWindow) -> Iterator[None]:
    """Draw the window when all is in its place, and not at every step on the way there."""
    window.setUpdatesEnabled(False)
    try:
        yield
    finally:
        window.setUpdatesEnabled(True)


def _end_drag() -> None:
    """Let a dragged dock go where it is: Qt crashes when docks are rearranged under one that it drags."""
    dragged = QWidget.mouseGrabber()
    if isinstance(dragged, QDockWidget):
        at, left, none = QPointF(QCursor.pos()), Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
        kind, keys = QEvent.Type.MouseButtonRelease, Qt.KeyboardModifier.NoModifier
        QApplication.sendEvent(dragged, QMouseEvent(kind, dragged.mapFromGlobal(at), at, left, none, keys))


class Workspaces:
    """Arranges the docks of a window, and remembers how the user changed them."""

    def __init__(self, window: QMainWindow, docks: Mapping[str, QDockWidget], settings: Settings) -> None:
        self._window = window
        self._docks = docks
        self._settings = settings
        self.current = WORKSPACES[0]
        self._is_arranged = False

    def switch(self, name: str) -> None:
        """Leave the present workspace as it is, and go to another; to the first, where there is none of that name."""
        _end_drag()
        self.remember()
        self.current = next((one for one in WORKSPACES if one.name == name), WORKSPACES[0])
        state = self._settings.layout(name)
        with _drawn_once(self._window):
            self._give_corner()
            if state is None or not self._window.restoreState(state, _VERSION):
                self._arrange()
        self._is_arranged = True

    def remember(self) -> None:
        """Keep the present workspace as the user has it."""
        if not self._is_arranged:
            return
        self._settings.set_layout(self.current.name, self._window.saveState(_VERSION))

    def reset(self) -> None:
        """Arrange the present workspace as it comes."""
        _end_drag()
        with _drawn_once(self._window):
            self._arrange()

    def _give_corner(self) -> None:
        """A path needs a tall canvas: it goes down to the window's edge, with the timeline beside it."""
        area = Qt.DockWidgetArea
        right = area.RightDockWidgetArea if "Path" in self.current.shown else area.BottomDockWidgetArea
        self._window.setCorner(Qt.Corner.BottomRightCorner, right)

    def _arrange(self) -> None:
        window, docks = self._window, self._docks
        area = Qt.DockWidgetArea
        places = {
            "Library": area.LeftDockWidgetArea,
            "Edits": area.LeftDockWidgetArea,
            "Inspector": area.RightDockWidgetArea,
            "Extremes": area.RightDockWidgetArea,
            "Exaggerate": area.RightDockWidgetArea,
            "History": area.RightDockWidgetArea,
            "Timeline": area.BottomDockWidgetArea,
            "Curves": area.BottomDockWidgetArea,
            "Retarget": area.BottomDockWidgetArea,
            "Path": area.RightDockWidgetArea,
            "Report": area.BottomDockWidgetArea,
        }
        self._give_corner()
        for name, dock in docks.items():
            dock.setFloating(False)
            window.removeDockWidget(dock)
            window.addDockWidget(places[name], dock)
            dock.setVisible(name in self.current.shown)
        window.splitDockWidget(docks["Library"], docks["Edits"], Qt.Orientation.Vertical)
        window.tabifyDockWidget(docks["Inspector"], docks["Extremes"])
        window.tabifyDockWidget(docks["Inspector"], docks["Exaggerate"])
        window.tabifyDockWidget(docks["Inspector"], docks["History"])
        window.tabifyDockWidget(docks["Inspector"], docks["Path"])
        window.tabifyDockWidget(docks["Timeline"], docks["Curves"])
        window.tabifyDockWidget(docks["Timeline"], docks["Retarget"])
        window.tabifyDockWidget(docks["Timeline"], docks["Report"])
        for name in ("Inspector", "Path", "Timeline"):
            if name in self.current.shown:
                docks[name].raise_()
        side = max(220, min(320, window.width() // 5))
        forms = max(264, min(360, window.width() * 9 // 40))  # forms and trees need more than lists
        window.resizeDocks([docks["Library"], docks["Inspector"]], [side, forms], Qt.Orientation.Horizontal)
        if "Path" in self.current.shown:
            window.resizeDocks([docks["Path"]], [window.width() * 9 // 20], Qt.Orientation.Horizontal)
        window.resizeDocks([docks["Library"], docks["Edits"]], [1, 1], Qt.Orientation.Vertical)
        # In a large window there is room for larger figures at the extremes.
        height = min(max(self.current.timeline_height, window.height() * 5 // 16), window.height() // 2)
        window.resizeDocks([docks["Timeline"]], [height], Qt.Orientation.Vertical)
