"""Windows that have the keyboard: a screen without a window manager gives it to them a moment after they ask."""

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

_PATIENCE_MS = 3000


def activate(window: QWidget) -> bool:
    """Let a window have the keyboard, and wait until it has. -> whether it has."""
    window.activateWindow()
    return QTest.qWaitForWindowActive(window, _PATIENCE_MS)
