"""Workspaces: arrangements of the docks, one a task, each as the user left it."""

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow

from app.settings import Settings

_VERSION = 1  # of the docks: older layouts are forgotten


@dataclass(frozen=True)
class Workspace:
    """Which docks are shown, and how high the timeline is."""

    name: str
    tip: str
    shown: tuple[str, ...]
    timeline_height: int


WORKSPACES = (
    Workspace("Edit", "Poses, edits and their settings", ("Library", "Edits", "Inspector", "Timeline"), 220),
    Workspace("Timing", "The timeline tall, everything else small", ("Edits", "Timeline"), 420),
)


class Workspaces:
    """Arranges the docks of a window, and remembers how the user changed them."""

    def __init__(self, window: QMainWindow, docks: Mapping[str, QDockWidget], settings: Settings) -> None:
        self._window = window
        self._docks = docks
        self._settings = settings
        self.current = WORKSPACES[0]
        self._is_arranged = False

    def switch(self, name: str) -> None:
        """Leave the present workspace as it is, and go to another."""
        self.remember()
        self.current = next(one for one in WORKSPACES if one.name == name)
        state = self._settings.layout(name)
        if state is None or not self._window.restoreState(state, _VERSION):
            self.reset()
        self._is_arranged = True

    def remember(self) -> None:
        """Keep the present workspace as the user has it."""
        if not self._is_arranged:
            return
        self._settings.set_layout(self.current.name, self._window.saveState(_VERSION))

    def reset(self) -> None:
        """Arrange the present workspace as it comes."""
        window, docks = self._window, self._docks
        area = Qt.DockWidgetArea
        places = {
            "Library": area.LeftDockWidgetArea,
            "Edits": area.LeftDockWidgetArea,
            "Inspector": area.RightDockWidgetArea,
            "History": area.RightDockWidgetArea,
            "Timeline": area.BottomDockWidgetArea,
            "Report": area.BottomDockWidgetArea,
        }
        for name, dock in docks.items():
            window.removeDockWidget(dock)
            dock.setFloating(False)
            window.addDockWidget(places[name], dock)
            dock.setVisible(name in self.current.shown)
        window.splitDockWidget(docks["Library"], docks["Edits"], Qt.Orientation.Vertical)
        window.tabifyDockWidget(docks["Inspector"], docks["History"])
        window.tabifyDockWidget(docks["Timeline"], docks["Report"])
        for name in ("Inspector", "Timeline"):
            docks[name].raise_()
        side = max(220, min(320, window.width() // 5))
        window.resizeDocks([docks["Library"], docks["Inspector"]], [side, side], Qt.Orientation.Horizontal)
        window.resizeDocks([docks["Library"], docks["Edits"]], [3, 2], Qt.Orientation.Vertical)
        height = min(self.current.timeline_height, window.height() // 2)
        window.resizeDocks([docks["Timeline"]], [height], Qt.Orientation.Vertical)
