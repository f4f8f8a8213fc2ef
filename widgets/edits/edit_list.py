"""The list inside the edit stack: its keys, and edits that are dragged within it and out of it."""

from PySide6.QtCore import QEvent, QMimeData, QPoint, QRect, Qt, Signal
from PySide6.QtGui import (
    QDrag,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QListWidgetItem, QWidget

from editor.document.document import Document
from widgets.common.carried_edits import CarriedEdits
from widgets.common.theme import colour
from widgets.edits.edit_row import ROW_ROLE, RowDelegate, switch_area


class EditList(QListWidget):
    """Rows of `edit_row.Row`. It changes nothing itself: it says what is wanted."""

    remove_wanted = Signal()
    switch_wanted = Signal(str)  # the id of an edit
    copy_wanted = Signal()
    paste_wanted = Signal()
    add_wanted = Signal()
    move_wanted = Signal(int)
    edits_dropped = Signal(object, int, bool)  # carried edits, the place among the edits, whether to copy them

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._clip_id: str | None = None
        self._drop_place: int | None = None
        self._switching = False
        self.setItemDelegate(RowDelegate(self))
        self.setAccessibleName("Edits of the clip")
        self.setToolTip(
            "Enter switches an edit, Delete removes it, Alt+↑ and Alt+↓ move it, Ctrl+C and Ctrl+V copy it."
        )
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        self.setDropIndicatorShown(False)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)

    def set_clip(self, clip_id: str | None) -> None:
        """Say whose edits the rows are."""
        self._clip_id = clip_id

    def mimeData(self, items: list[QListWidgetItem]) -> QMimeData:  # type: ignore[override]
        rows = sorted(self.row(item) for item in items)
        layers = (self.item(row).data(ROW_ROLE).layer for row in rows)
        return CarriedEdits(self._clip_id or "", tuple(layer for layer in layers if layer is not None)).to_mime()

    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.CopyAction | Qt.DropAction.MoveAction

    def drop_place(self, position: QPoint) -> int:
        """Among the edits, the place that a position stands for."""
        for row in range(1, self.count()):
            if position.y() < self.visualItemRect(self.item(row)).center().y():
                return row - 1
        return max(self.count() - 1, 0)

    def startDrag(self, supported: Qt.DropAction) -> None:
        """As the list does, but it never removes rows itself: the document does."""
        data = self.mimeData(self.selectedItems())
        if CarriedEdits.of(data, self._document.project) is not None:
            drag = QDrag(self)
            drag.setMimeData(data)
            drag.setPixmap(self.viewport().grab(self.visualItemRect(self.currentItem())))
            drag.exec(Qt.DropAction.CopyAction | Qt.DropAction.MoveAction, Qt.DropAction.MoveAction)

    def _show_drop(self, place: int | None) -> None:
        self._drop_place = place
        self.viewport().update()

    # Qt

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if CarriedEdits.of(event.mimeData(), self._document.project) is not None:
            event.acceptProposedAction()
        else:
            event.ignore()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        super().dragMoveEvent(event)  # scrolls at the edges
        if CarriedEdits.of(event.mimeData(), self._document.project) is None:
            event.ignore()
            return
        self._show_drop(self.drop_place(event.position().toPoint()))
        event.acceptProposedAction()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._show_drop(None)

    def dropEvent(self, event: QDropEvent) -> None:
        carried = CarriedEdits.of(event.mimeData(), self._document.project)
        self._show_drop(None)
        if carried is None:
            event.ignore()
            return
        copies = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        place = self.drop_place(event.position().toPoint())
        event.acceptProposedAction()
        self.edits_dropped.emit(carried, place, copies)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        position = event.position().toPoint()
        self._switching = event.button() == Qt.MouseButton.LeftButton and self._switch_at(position) is not None
        if self._switching:
            return  # a switch is no selection: what is shown stays
        super().mousePressEvent(event)
        if self.itemAt(position) is None:
            self.setCurrentRow(0)  # beside the edits: the finished clip

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if not self._switching:
            super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        layer = self._switch_at(event.position().toPoint())
        if not self._switching:
            super().mouseReleaseEvent(event)
        elif layer is not None:
            self.switch_wanted.emit(layer)
        self._switching = False

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mousePressEvent(event)

    def _switch_at(self, position: QPoint) -> str | None:
        """The edit whose switch is at a position."""
        item = self.itemAt(position)
        if item is None or not switch_area(self.visualItemRect(item)).contains(position):
            return None
        row = item.data(ROW_ROLE)
        return None if row.on is None else str(row.layer)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._signal(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        name = self._signal(event)
        if event.key() == Qt.Key.Key_Space:
            event.ignore()  # it plays; the list itself would mark the row's switch with it
        elif name is None:
            super().keyPressEvent(event)
        elif name == "move_up":
            self.move_wanted.emit(-1)
        elif name == "move_down":
            self.move_wanted.emit(1)
        elif name == "deselect":
            self.setCurrentRow(0)
        elif name == "switch":
            row = None if self.currentItem() is None else self.currentItem().data(ROW_ROLE)
            if row is not None and row.on is not None:
                self.switch_wanted.emit(row.layer)
        else:
            getattr(self, name).emit()

    def _signal(self, event: QKeyEvent) -> str | None:
        """What a key wants of the stack."""
        alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        if event.matches(QKeySequence.StandardKey.Copy):
            return "copy_wanted"
        if event.matches(QKeySequence.StandardKey.Paste):
            return "paste_wanted"
        if alt and event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            return "move_up" if event.key() == Qt.Key.Key_Up else "move_down"
        plain = {
            Qt.Key.Key_Delete: "remove_wanted",
            Qt.Key.Key_Backspace: "remove_wanted",
            Qt.Key.Key_Return: "switch",
            Qt.Key.Key_Enter: "switch",
            Qt.Key.Key_Insert: "add_wanted",
            Qt.Key.Key_Escape: "deselect",
        }
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        return None if modifiers else plain.get(Qt.Key(event.key()))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._drop_place is None or not self.count():
            return
        above = self.visualItemRect(self.item(min(self._drop_place, self.count() - 1)))
        with QPainter(self.viewport()) as painter:
            painter.fillRect(QRect(0, above.bottom() - 1, self.viewport().width(), 3), colour("accent"))
