"""Docks that share a place are named by their tabs; a title above each would only take room."""

from collections.abc import Iterable

from PySide6 import Shiboken
from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabWidget, QWidget


class DockTitles(QObject):
    """Shows the title of a dock that stands alone, and hides it while it is one of several tabs."""

    def __init__(self, window: QMainWindow, docks: Iterable[QDockWidget]) -> None:
        super().__init__(window)
        self._window = window
        self._docks = tuple(docks)
        window.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        # So that a dock without a title can still be dragged, by its tab.
        window.setDockOptions(window.dockOptions() | QMainWindow.DockOption.GroupedDragging)
        for dock in self._docks:
            dock.visibilityChanged.connect(self._on_moved)
            dock.topLevelChanged.connect(self._on_moved)
            dock.dockLocationChanged.connect(self._on_moved)

    def _on_moved(self, *_: object) -> None:
        if not Shiboken.isValid(self._window):  # type: ignore[attr-defined]
            return  # docks are still heard while the window is taken down around them
        for dock in self._docks:
            bare = dock.titleBarWidget() is not None
            if self._is_tab(dock) == bare:
                continue
            # Qt forgets a title bar that is replaced, but does not delete it.
            old = dock.titleBarWidget()
            dock.setTitleBarWidget(None if bare else QWidget())  # type: ignore[arg-type]
            if old is not None:
                old.deleteLater()

    def _is_tab(self, dock: QDockWidget) -> bool:
        """Whether a dock shares its place with others that are not closed."""
        if dock.isFloating():
            return False
        return any(other.toggleViewAction().isChecked() for other in self._window.tabifiedDockWidgets(dock))
