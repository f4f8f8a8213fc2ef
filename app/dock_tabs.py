"""Docks that share a place are pulled by their tabs: along the bar, into another place, or to float on their own.

Qt can do this itself (`GroupedDragging`, tabs that may be reordered), but rearranges the docks while the mouse is still
down, and crashes when that is done quickly. Here nothing moves before the button is let go.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QMouseEvent, QRegion
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabBar, QWidget

from widgets.common.theme import colour

_PULL_PX = 24  # how far from its bar a tab is pulled before it comes off
_FRAME_PX = 3


@dataclass(frozen=True)
class _Drop:
    """What letting go would do. place : where the dock would then be, on the screen."""

    place: QRect
    do: Callable[[], None]


class DropFrame(QWidget):
    """An outline on the screen, which hides nothing of what is under it and does not hear the mouse."""

    def __init__(self) -> None:
        flags = Qt.WindowType.ToolTip | Qt.WindowType.FramelessWindowHint | Qt.WindowType.WindowTransparentForInput
        super().__init__(None, flags)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        palette = self.palette()
        palette.setColor(self.backgroundRole(), colour("accent"))
        self.setPalette(palette)

    def lie_around(self, place: QRect) -> None:
        self.setGeometry(place)
        whole, edge = self.rect(), _FRAME_PX
        self.setMask(QRegion(whole) - QRegion(whole.adjusted(edge, edge, -edge, -edge)))
        self.show()


class DockTabs(QObject):
    """Watches the tab bars of a window's docks, whichever Qt makes."""

    def __init__(self, window: QMainWindow, docks: Iterable[QDockWidget]) -> None:
        super().__init__(window)
        self._window = window
        self._docks = {dock.windowTitle(): dock for dock in docks}
        self._pulled: QDockWidget | None = None
        self._frame: DropFrame | None = None
        option = QMainWindow.DockOption
        window.setDockOptions(window.dockOptions() & ~(option.GroupedDragging | option.AnimatedDocks))
        window.installEventFilter(self)
        for bar in window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
            self._watch(bar)

    def _watch(self, bar: QTabBar) -> None:
        bar.setMovable(False)
        bar.installEventFilter(self)

    # The mouse

    def _on_move(self, bar: QTabBar, at: QPoint) -> None:
        """Show where the pulled dock would go."""
        drop = self._drop(bar, at)
        if drop is None:
            self._hide_frame()
            return
        if self._frame is None:
            self._frame = DropFrame()
            self._window.grabKeyboard()  # for Esc
        self._frame.lie_around(drop.place)

    def _on_release(self, bar: QTabBar, at: QPoint) -> None:
        drop = self._drop(bar, at)
        self._let_go()
        if drop is not None:
            self._do_later(drop.do)

    def _on_double_click(self, dock: QDockWidget | None) -> None:
        """Float, as a double click on a title does: while it is a tab a dock has none."""
        self._let_go()
        if dock is not None:
            self._do_later(lambda: dock.setFloating(True))

    def _do_later(self, do: Callable[[], None]) -> None:
        """Once the bar is done with the mouse: it may not outlive its tab."""
        QTimer.singleShot(0, self, do)

    # What letting go would do

    def _drop(self, bar: QTabBar, at: QPoint) -> _Drop | None:
        """None while the tab stays where it is."""
        dock = self._pulled
        if dock is None:
            return None
        if bar.rect().adjusted(-_PULL_PX, -_PULL_PX, _PULL_PX, _PULL_PX).contains(at):
            return self._drop_in_bar(dock, bar, at)
        pointer = bar.mapToGlobal(at)
        target = self._dock_at(pointer)
        if target is not None:
            place = QRect(target.mapToGlobal(QPoint(0, 0)), target.size())
            return _Drop(place, lambda: self._join(dock, target))
        place = QRect(pointer - QPoint(_PULL_PX, _PULL_PX // 2), dock.size())
        return _Drop(place, lambda: self._float(dock, place))

    def _drop_in_bar(self, dock: QDockWidget, bar: QTabBar, at: QPoint) -> _Drop | None:
        """Before or after another tab of the same bar."""
        names = [bar.tabText(tab) for tab in range(bar.count())]
        tab = bar.tabAt(QPoint(at.x(), bar.rect().center().y()))
        if tab < 0 or self._docks.get(names[tab]) is dock or dock.windowTitle() not in names:
            return None
        names.remove(dock.windowTitle())
        names.insert(tab, dock.windowTitle())
        ordered = [self._docks[name] for name in names if name in self._docks]
        place = QRect(bar.mapToGlobal(bar.tabRect(tab).topLeft()), bar.tabRect(tab).size())
        return _Drop(place, lambda: self._order(dock, ordered))

    def _order(self, dock: QDockWidget, ordered: list[QDockWidget]) -> None:
        for other in ordered[1:]:  # each goes to the end
            self._window.tabifyDockWidget(ordered[0], other)
        dock.raise_()

    def _join(self, dock: QDockWidget, target: QDockWidget) -> None:
        self._window.tabifyDockWidget(target, dock)
        dock.raise_()

    def _float(self, dock: QDockWidget, place: QRect) -> None:
        dock.setFloating(True)
        dock.setGeometry(place)

    def _dock_at(self, pointer: QPoint) -> QDockWidget | None:
        """The dock of another place that lies under the pointer, unless one that floats is above it."""
        under = [
            dock
            for dock in self._docks.values()
            if not dock.visibleRegion().isEmpty() and dock.rect().contains(dock.mapFromGlobal(pointer))
        ]
        if len(under) != 1 or under[0].isFloating() or under[0] is self._pulled:
            return None
        return None if self._shares_place(under[0]) else under[0]

    def _shares_place(self, dock: QDockWidget) -> bool:
        return self._pulled is not None and dock in self._window.tabifiedDockWidgets(self._pulled)

    def _tab_dock(self, bar: QTabBar, at: QPoint) -> QDockWidget | None:
        tab = bar.tabAt(at)
        return self._docks.get(bar.tabText(tab)) if tab >= 0 else None

    def _let_go(self) -> None:
        self._pulled = None
        self._hide_frame()

    def _hide_frame(self) -> None:
        if self._frame is not None:
            self._window.releaseKeyboard()
            self._frame.hide()
            self._frame.deleteLater()
            self._frame = None

    # Qt

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if isinstance(watched, QTabBar):
            if isinstance(event, QMouseEvent):
                self._on_mouse(watched, event)
            elif kind in (QEvent.Type.Hide, QEvent.Type.DeferredDelete):
                self._let_go()
        elif kind == QEvent.Type.ChildPolished:
            child = event.child()  # type: ignore[attr-defined]
            if isinstance(child, QTabBar):
                self._watch(child)
        elif kind == QEvent.Type.WindowDeactivate:
            self._let_go()
        elif isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape and self._frame is not None:
            self._let_go()
            event.accept()
            return True
        return super().eventFilter(watched, event)

    def _on_mouse(self, bar: QTabBar, event: QMouseEvent) -> None:
        kind, at = event.type(), event.position().toPoint()
        if kind == QEvent.Type.MouseMove:
            self._on_move(bar, at)
        elif event.button() != Qt.MouseButton.LeftButton:
            self._let_go()
        elif kind == QEvent.Type.MouseButtonPress:
            self._pulled = self._tab_dock(bar, at)
        elif kind == QEvent.Type.MouseButtonRelease:
            self._on_release(bar, at)
        elif kind == QEvent.Type.MouseButtonDblClick:
            self._on_double_click(self._tab_dock(bar, at))
