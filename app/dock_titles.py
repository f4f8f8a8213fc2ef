"""Docks that share a place are named by their tabs; a title above each would only take room.

By its tab a dock without a title can still be dragged, see `dock_tabs`.
"""

from collections.abc import Iterable

from PySide6 import Shiboken
from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabWidget, QWidget

_DRAG_MS = 50  # how often to look whether a drag is over


class DockTitles(QObject):
    """Shows the title of a dock that stands alone, and hides it while it is one of several tabs."""

    def __init__(self, window: QMainWindow, docks: Iterable[QDockWidget]) -> None:
        super().__init__(window)
        self._window = window
        self._docks = tuple(docks)
        window.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        # Once all docks are in their places: a title that changes in between leaves tab bars of Qt's behind.
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._on_settled)
        for dock in self._docks:
            dock.visibilityChanged.connect(self._on_moved)
            dock.topLevelChanged.connect(self._on_moved)
            dock.dockLocationChanged.connect(self._on_moved)

    def _on_moved(self, *_: object) -> None:
        if Shiboken.isValid(self._later):  # type: ignore[attr-defined]  # docks are heard while the window goes down
            self._later.start(0)

    def _on_settled(self) -> None:
        # Qt remembers where everything was when a drag began, and crashes on titles that came or went meanwhile.
        if QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton:
            self._later.start(_DRAG_MS)
            return
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
