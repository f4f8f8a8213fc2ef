"""A small field over the ruler in which a marker is given its name."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from widgets.common.theme import GRID

_WIDTH = 20 * GRID
_STAYS = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason)


class NameField(QLineEdit):
    """Enter, or a click elsewhere, takes the name; Esc leaves it as it was."""

    named = Signal(str, str)  # the id of what gets a name, and the name
    left = Signal()  # by a key

    # Of the class too: Qt takes the focus away from a window that Python has already taken apart.
    _item: str | None = None

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._over = parent
        self.setAccessibleName("Name of the marker")
        self.setToolTip("The marker's name. Enter takes it, Esc leaves it as it was")
        self.setPlaceholderText("Name")
        self.returnPressed.connect(self._on_return)
        self.hide()

    @property
    def item(self) -> str | None:
        """What is being given a name."""
        return self._item

    def ask(self, item: str, name: str, x_px: float) -> None:
        """Ask for a name at a place."""
        self._item = item
        self.setText(name)
        self.selectAll()
        self.place(x_px)
        self.show()
        self.setFocus()

    def place(self, x_px: float) -> None:
        """Go to a place, but not out of sight."""
        room = self._over.size()
        width = min(_WIDTH, room.width())
        left = min(max(round(x_px), 0), room.width() - width)
        self.setGeometry(left, GRID // 2, width, min(self.sizeHint().height(), room.height() - GRID))

    def close_without(self) -> None:
        """Go away and leave the name as it was."""
        self._item = None
        self.hide()

    def _take(self) -> None:
        item = self._item
        self.close_without()
        if item is not None:
            self.named.emit(item, self.text())

    def _on_return(self) -> None:
        self._take()
        self.left.emit()

    # Qt

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_without()
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if self._item is not None and event.reason() not in _STAYS:
            self._take()
