"""Mouse and keyboard, as the platform hands them to windows."""

from collections import Counter

from PySide6 import Shiboken
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QKeySequence, QWheelEvent, QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from tests.driver.seeing import panel_of

NO_KEYS = Qt.KeyboardModifier.NoModifier
LEFT = Qt.MouseButton.LeftButton


class Hand:
    """Presses, moves and lets go. While a button is down, all goes to the window that it was pressed on."""

    def __init__(self, home: QWidget) -> None:
        self._home = home
        self._top: QWidget | None = None  # what the button was pressed on
        self._button = LEFT
        self._keys = NO_KEYS
        self._at = QPoint()  # where the mouse is in the window
        self.panels: Counter[str] = Counter()  # how often something was pressed in each
        self._elsewhere = QWidget()  # stands for another program
        self._elsewhere.resize(8, 8)

    @property
    def is_down(self) -> bool:
        return self._top is not None

    def press(self, at: QPoint, button: Qt.MouseButton = LEFT, keys: Qt.KeyboardModifier = NO_KEYS) -> None:
        top, below = _top_at(at), QApplication.widgetAt(at)
        if top is None:
            return
        self._top, self._button, self._keys = top, button, keys
        if below is not None:
            self.panels[panel_of(below)] += 1
        self.look_at(top)
        QTest.mousePress(_window_of(top), button, keys, top.mapFromGlobal(at))

    def double_click(self, at: QPoint) -> None:
        top = _top_at(at)
        if top is not None:
            QTest.mouseDClick(_window_of(top), LEFT, NO_KEYS, top.mapFromGlobal(at))

    def move(self, at: QPoint) -> None:
        top = self._held() if self.is_down else _top_at(at)
        if top is not None:
            self._at = top.mapFromGlobal(at)
            QTest.mouseMove(_window_of(top), self._at)

    def release(self, at: QPoint) -> None:
        if self.is_down:
            top, self._top = self._held(), None
            QTest.mouseRelease(_window_of(top), self._button, self._keys, top.mapFromGlobal(at))

    def tap(self, button: Qt.MouseButton) -> None:
        """Click with another button where the mouse is, whichever is held."""
        top = self._held()
        for act in (QTest.mousePress, QTest.mouseRelease):
            act(_window_of(top), button, NO_KEYS, self._at)

    def wheel(self, at: QPoint, clicks: int, keys: Qt.KeyboardModifier = NO_KEYS) -> None:
        top = _top_at(at)
        if top is not None:
            turned = QWheelEvent(
                QPointF(top.mapFromGlobal(at)), QPointF(at), QPoint(), QPoint(0, 120 * clicks),
                Qt.MouseButton.NoButton, keys, Qt.ScrollPhase.NoScrollPhase, False,
            )  # fmt: skip
            QApplication.sendEvent(_window_of(top), turned)

    def key(self, key: Qt.Key | str, keys: Qt.KeyboardModifier = NO_KEYS) -> None:
        """Press a key, or the one of a character, where the keyboard is."""
        for act in (QTest.keyPress, QTest.keyRelease):
            top = self._listening()  # which the press may have closed
            act(_window_of(top), key, keys)

    def shortcut(self, keys: QKeySequence) -> None:
        for place in range(keys.count()):
            combination = keys[place]
            self.key(combination.key(), combination.keyboardModifiers())

    def look_at(self, window: QWidget | None) -> None:
        """Give a window the keyboard, as a window manager does when it is pressed on."""
        waits = QApplication.activePopupWidget() is not None or QApplication.activeModalWidget() is not None
        if window is not None and not waits and not window.isActiveWindow():
            window.activateWindow()

    def look_elsewhere(self) -> None:
        """Give the keyboard to another program."""
        self._elsewhere.show()
        self._elsewhere.activateWindow()

    def come_back(self) -> None:
        """Have the keyboard again, where another program or nobody has it."""
        away = QApplication.activeWindow() in (None, self._elsewhere)
        self._elsewhere.hide()
        if away:
            self.look_at(self._home)

    def _held(self) -> QWidget:
        """What has the mouse; it may be gone by now."""
        top = self._top
        return top if top is not None and Shiboken.isValid(top) and top.windowHandle() is not None else self._home

    def _listening(self) -> QWidget:
        return QApplication.activePopupWidget() or QApplication.activeWindow() or self._home


def _top_at(at: QPoint) -> QWidget | None:
    """The window that a press at a place of the screen goes to."""
    return QApplication.topLevelAt(at) or QApplication.activePopupWidget()


def _window_of(top: QWidget) -> QWindow:
    """The platform's window. It is good for as long as Python holds the widget."""
    return top.windowHandle()
