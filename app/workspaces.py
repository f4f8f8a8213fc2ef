"""Workspaces: arrangements of the docks, one a task, each as the user left it."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QCursor, QMouseEvent
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QWidget

from app.settings import Settings
from widgets.desk.contributions import Area, Panel, Workspace

_VERSION = 7  # of the docks: older layouts are forgotten


EDIT = Workspace(
    "Edit", 10, "Poses, edits and their settings", ("Library", "Edits", "Inspector", "Timeline"), timeline_height=276
)
_AREAS = {
    Area.LEFT: Qt.DockWidgetArea.LeftDockWidgetArea,
    Area.RIGHT: Qt.DockWidgetArea.RightDockWidgetArea,
    Area.BOTTOM: Qt.DockWidgetArea.BottomDockWidgetArea,
}


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

    def __init__(
        self,
        window: QMainWindow,
        docks: Mapping[str, QDockWidget],
        panels: Iterable[Panel],
        workspaces: Iterable[Workspace],
        settings: Settings,
    ) -> None:
        """panels : those in the docks, which have their names."""
        self._window = window
        self._docks = docks
        self._panels = sorted(panels, key=lambda panel: panel.at)
        self.all = tuple(sorted(workspaces, key=lambda workspace: workspace.at))
        self._settings = settings
        self.current = self.all[0]
        self._is_arranged = False

    def switch(self, name: str) -> None:
        """Leave the present workspace as it is, and go to another; to the first, where there is none of that name."""
        _end_drag()
        self.remember()
        self.current = next((one for one in self.all if one.name == name), self.all[0])
        state = self._settings.layout(self.current.name)
        with _drawn_once(self._window):
            self._give_corner()
            if state is None or not self._window.restoreState(state, _VERSION):
                self._arrange()
        self._is_arranged = True
        for workspace in self.all:
            if workspace.entered is not None:
                workspace.entered(workspace is self.current)

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
        """What a task is done in needs room: it goes down to the window's edge, with the timeline beside it."""
        area = Qt.DockWidgetArea
        right = area.RightDockWidgetArea if self.current.main in self._docks else area.BottomDockWidgetArea
        self._window.setCorner(Qt.Corner.BottomRightCorner, right)

    def _is_shown(self, panel: Panel) -> bool:
        return panel.name in self.current.panels or self.current.name in panel.workspaces

    def _arrange(self) -> None:
        window, docks = self._window, self._docks
        self._give_corner()
        for panel in self._panels:
            dock = docks[panel.name]
            dock.setFloating(False)
            window.removeDockWidget(dock)
            window.addDockWidget(_AREAS[panel.area], dock)
            dock.setVisible(self._is_shown(panel))
        first: dict[Area, QDockWidget] = {}
        for panel in self._panels:
            dock, before = docks[panel.name], first.setdefault(panel.area, docks[panel.name])
            if before is not dock and panel.area is Area.LEFT:
                window.splitDockWidget(before, dock, Qt.Orientation.Vertical)
            elif before is not dock:
                window.tabifyDockWidget(before, dock)
        main = docks.get(self.current.main)
        for front in (first[Area.RIGHT], main, first[Area.BOTTOM]):
            if front is not None and not front.isHidden():
                front.raise_()
        side = max(220, min(320, window.width() // 5))
        forms = max(264, min(360, window.width() * 9 // 40))  # forms and trees need more than lists
        window.resizeDocks([first[Area.LEFT], first[Area.RIGHT]], [side, forms], Qt.Orientation.Horizontal)
        if main is not None:
            window.resizeDocks([main], [window.width() * 9 // 20], Qt.Orientation.Horizontal)
        left = [docks[panel.name] for panel in self._panels if panel.area is Area.LEFT]
        window.resizeDocks(left, [1] * len(left), Qt.Orientation.Vertical)
        # In a large window there is room for larger figures at the extremes.
        height = min(max(self.current.timeline_height, window.height() * 5 // 16), window.height() // 2)
        window.resizeDocks([first[Area.BOTTOM]], [height], Qt.Orientation.Vertical)
