"""Buttons by keys: Space and Enter press the button that has the focus, also where the window has a use for Space."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QWidget

LEAVES_SPACE = "leavesSpace"  # the property of a button that leaves Space to the window in any case
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class ButtonKeys(QObject):
    """Watches every button that gets the focus. One for the whole application; making it is all there is to do.

    A button that got the focus by a click leaves Space to the window: who clicks and then wants to play must not press
    it again. Enter presses it all the same.

    It is put on buttons as they get the focus, and not on the application: there it would see every event of all.
    """

    def __init__(self, application: QApplication) -> None:
        super().__init__(application)
        self._by_mouse = False
        application.focusChanged.connect(self._on_focus_changed)

    def _on_focus_changed(self, before: QWidget | None, now: QWidget | None) -> None:
        self._by_mouse = QApplication.mouseButtons() != Qt.MouseButton.NoButton
        if isinstance(now, QAbstractButton):
            now.installEventFilter(self)  # again for one that has it: no change

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or not isinstance(watched, QAbstractButton):
            return False
        keys = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if keys != Qt.KeyboardModifier.NoModifier:
            return False
        if event.type() == QEvent.Type.ShortcutOverride and event.key() == Qt.Key.Key_Space:
            event.setAccepted(not self._by_mouse and not watched.property(LEAVES_SPACE))
            return True
        # In a dialog Enter has a meaning already: its default button.
        if event.key() not in _ENTER or isinstance(watched.window(), QDialog):
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if event.type() == QEvent.Type.KeyPress:
            if not event.isAutoRepeat():
                watched.click()
            return True
        return False
