"""The undo history: every step by its sentence; a click goes there."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QBrush, QFont
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from editor.document import Document
from widgets.common.empty import EmptyState
from widgets.common.theme import colour, theme

_START = "Start"
_LOOK_ROLE = Qt.ItemDataRole.UserRole


class History(QWidget):
    """The steps, oldest first. The current one is marked; those below it are undone and can be done again."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._is_filling = False
        self.list = QListWidget()
        self.list.setAccessibleName("Undo history")
        self.list.setToolTip("Click a step to go there (Ctrl+Z and Ctrl+Shift+Z go one step)")
        self.list.setUniformItemSizes(True)
        self.list.currentRowChanged.connect(self._on_row_changed)
        self._empty = EmptyState("What you do appears here, step by step, and can be taken back.")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.list)
        layout.addWidget(self._empty)
        document.history_changed.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        self._is_filling = True
        sentences = (_START, *(step.sentence for step in self._document.steps))
        while self.list.count() > len(sentences):
            self.list.takeItem(self.list.count() - 1)
        while self.list.count() < len(sentences):
            self.list.addItem(QListWidgetItem())
        for row, sentence in enumerate(sentences):
            self._show_row(self.list.item(row), row, sentence)
        self.list.setCurrentRow(self._document.done)
        self.list.scrollToItem(self.list.item(self._document.done))
        self.list.setVisible(len(sentences) > 1)
        self._empty.setVisible(len(sentences) == 1)
        self._is_filling = False

    def _show_row(self, item: QListWidgetItem, row: int, sentence: str) -> None:
        done = self._document.done
        state = ", current" if row == done else ", undone" if row > done else ""
        look = (sentence, state, theme().name)
        if item.data(_LOOK_ROLE) == look:
            return
        item.setData(_LOOK_ROLE, look)
        item.setText(sentence)
        item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{sentence}{state}")
        item.setToolTip(f"{sentence} (undone)" if row > done else sentence)
        font = QFont(self.list.font())
        font.setBold(row == done)
        font.setItalic(row > done)
        item.setFont(font)
        item.setForeground(QBrush(colour("muted" if row > done else "text")))

    def _on_row_changed(self, row: int) -> None:
        if not self._is_filling and row >= 0:
            self._document.go_to(row)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "list"):
            self._refresh()
