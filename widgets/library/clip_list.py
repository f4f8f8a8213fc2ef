"""The list inside the library: clips with thumbnails, renamed in place, reordered and dropped upon by the mouse."""

from dataclasses import dataclass, field

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QMimeData,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QDrag,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QFont,
    QFontMetrics,
    QImage,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLineEdit,
    QListWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from editor.document.document import Document
from widgets.common.carried_edits import CarriedEdits
from widgets.common.clip_mime import CLIP_FORMAT
from widgets.common.icons import icon
from widgets.common.theme import GRID, colour

CLIP_ROLE = Qt.ItemDataRole.UserRole

_PICTURE = QSize(9 * GRID, 6 * GRID)
_HEIGHT = _PICTURE.height() + GRID


@dataclass(frozen=True)
class ClipRow:
    """What a row shows. compared : whether the clip is shown beside the current one; failure : why it cannot be."""

    clip_id: str
    name: str
    about: str
    compared: bool = False
    failure: str | None = None
    image_key: int = 0
    image: QImage | None = field(default=None, compare=False)  # its key stands for it


class ClipList(QListWidget):
    """Rows of `ClipRow`. It changes nothing itself: it says what is wanted."""

    compare_wanted = Signal(str)
    rename_wanted = Signal(str, str)
    delete_wanted = Signal()
    duplicate_wanted = Signal()
    move_wanted = Signal(str, int)  # a clip, and its place, counted with it
    step_wanted = Signal(int)
    edits_dropped = Signal(object, str)  # carried edits, the clip they were dropped on
    files_dropped = Signal(list)

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._drop_row: int | None = None
        self._drop_on: int | None = None
        delegate = _ClipDelegate(self)
        delegate.renamed.connect(self.rename_wanted)
        self.setItemDelegate(delegate)
        self.setAccessibleName("Clips")
        self.setToolTip("F2 renames, Ctrl+D duplicates, Delete deletes, Ctrl+click shows beside, Alt+↑ and Alt+↓ move.")
        self.setMouseTracking(True)
        self.setUniformItemSizes(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        self.setDropIndicatorShown(False)
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(triggers.DoubleClicked | triggers.EditKeyPressed)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)

    def clip_at(self, position: QPoint) -> str | None:
        """The clip whose row is at a position."""
        item = self.itemAt(position)
        return None if item is None else item.data(CLIP_ROLE).clip_id

    def drop_row(self, position: QPoint) -> int:
        """The row before which something that is dropped at a position goes."""
        rows = [row for row in range(self.count()) if not self.isRowHidden(row)]
        for row in rows:
            if position.y() < self.visualItemRect(self.item(row)).center().y():
                return row
        return rows[-1] + 1 if rows else 0

    def startDrag(self, supported: Qt.DropAction) -> None:
        item = self.currentItem()
        if item is not None:
            data = QMimeData()
            data.setData(CLIP_FORMAT, item.data(CLIP_ROLE).clip_id.encode())
            drag = QDrag(self)
            drag.setMimeData(data)
            drag.setPixmap(self.viewport().grab(self.visualItemRect(item)))
            drag.exec(Qt.DropAction.MoveAction | Qt.DropAction.CopyAction, Qt.DropAction.MoveAction)

    def _show_drop(self, row: int | None, on: int | None) -> None:
        self._drop_row, self._drop_on = row, on
        self.viewport().update()

    # Qt

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _is_wanted(event.mimeData()) or CarriedEdits.of(event.mimeData(), self._document.project) is not None:
            event.acceptProposedAction()
        else:
            event.ignore()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        super().dragMoveEvent(event)  # scrolls at the edges
        position, data = event.position().toPoint(), event.mimeData()
        if data.hasFormat(CLIP_FORMAT):
            self._show_drop(self.drop_row(position), None)
        elif CarriedEdits.of(data, self._document.project) is not None:
            item = self.itemAt(position)
            self._show_drop(None, None if item is None else self.row(item))
            if item is None:
                event.ignore()
                return
        elif not _is_wanted(data):
            event.ignore()
            return
        event.acceptProposedAction()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._show_drop(None, None)

    def dropEvent(self, event: QDropEvent) -> None:
        position, data = event.position().toPoint(), event.mimeData()
        carried = CarriedEdits.of(data, self._document.project)
        target = self.clip_at(position)
        self._show_drop(None, None)
        event.acceptProposedAction()
        if data.hasFormat(CLIP_FORMAT):
            self.move_wanted.emit(bytes(data.data(CLIP_FORMAT).data()).decode(), self.drop_row(position))
        elif carried is not None and target is not None:
            self.edits_dropped.emit(carried, target)
        elif files := _files(data):
            self.files_dropped.emit(files)
        else:
            event.ignore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        clip = self.clip_at(event.position().toPoint())
        is_compare = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if event.button() == Qt.MouseButton.LeftButton and is_compare:
            if clip is not None:
                self.compare_wanted.emit(clip)
            return
        super().mousePressEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._is_ours(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._is_ours(event):
            super().keyPressEvent(event)
        elif event.key() == Qt.Key.Key_Delete:
            self.delete_wanted.emit()
        elif event.key() == Qt.Key.Key_D:
            self.duplicate_wanted.emit()
        else:
            self.step_wanted.emit(-1 if event.key() == Qt.Key.Key_Up else 1)

    def _is_ours(self, event: QKeyEvent) -> bool:
        if event.key() == Qt.Key.Key_Delete or event.matches(QKeySequence.StandardKey.Delete):
            return True
        modifier = Qt.KeyboardModifier
        if event.key() == Qt.Key.Key_D:
            return bool(event.modifiers() & modifier.ControlModifier)
        return event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down) and bool(event.modifiers() & modifier.AltModifier)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        with QPainter(self.viewport()) as painter:
            if self._drop_on is not None:
                painter.setPen(colour("accent"))
                painter.drawRect(self.visualItemRect(self.item(self._drop_on)).adjusted(0, 0, -1, -1))
            if self._drop_row is not None and self.count():
                last = self._drop_row >= self.count()
                rect = self.visualItemRect(self.item(self.count() - 1 if last else self._drop_row))
                painter.fillRect(
                    QRect(0, rect.bottom() - 1 if last else rect.top() - 1, rect.width(), 3), colour("accent")
                )


class _ClipDelegate(QStyledItemDelegate):
    """Draws a clip: its picture, its name, what it is, and whether it is shown beside the current one."""

    renamed = Signal(str, str)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(20 * GRID, _HEIGHT)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row = index.data(CLIP_ROLE)
        rect = QRect(option.rect)
        painter.save()
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        _paint_ground(painter, option, rect)
        picture = QRect(rect.left() + GRID, rect.top() + GRID // 2, _PICTURE.width(), _PICTURE.height())
        _paint_picture(painter, picture, row.image)
        text = _text_area(rect)
        if row.compared or row.failure:
            mark = QRect(rect.right() - 3 * GRID, rect.center().y() - GRID, 2 * GRID, 2 * GRID)
            icon(*(("failed", "problem") if row.failure else ("beside", "accent"))).paint(painter, mark)
            text.setRight(mark.left() - GRID // 2)
        font = QFont(option.font)
        small = QFont(font)
        small.setPointSizeF(font.pointSizeF() * 0.9)
        height = QFontMetrics(font).height()
        top = text.center().y() - height
        _write(painter, QRect(text.left(), top, text.width(), height), row.name, font, "text")
        _write(painter, QRect(text.left(), top + height + 1, text.width(), height), row.about, small, "muted")
        painter.restore()

    def createEditor(
        self, parent: QWidget, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QWidget:
        editor = QLineEdit(parent)
        editor.setAccessibleName("Clip name")
        editor.setToolTip("The clip's name; Enter takes it, Esc does not")
        return editor

    def setEditorData(self, editor: QWidget, index: QModelIndex | QPersistentModelIndex) -> None:
        """Once: what changes about the clip while somebody types must not take the text away."""
        assert isinstance(editor, QLineEdit)
        if not editor.property("filled"):
            editor.setProperty("filled", True)
            editor.setText(index.data(CLIP_ROLE).name)
            editor.selectAll()

    def setModelData(
        self, editor: QWidget, model: QAbstractItemModel, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        assert isinstance(editor, QLineEdit)
        row = index.data(CLIP_ROLE)
        if editor.text() != row.name:
            self.renamed.emit(row.clip_id, editor.text())

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        area = _text_area(QRect(option.rect))
        height = max(editor.sizeHint().height(), 2 * QFontMetrics(option.font).height() + 4)
        editor.setGeometry(area.left() - GRID // 2, area.center().y() - height // 2, area.width() + GRID // 2, height)


def _text_area(rect: QRect) -> QRect:
    return rect.adjusted(_PICTURE.width() + 2 * GRID + GRID // 2, 0, -GRID, 0)


def _paint_ground(painter: QPainter, option: QStyleOptionViewItem, rect: QRect) -> None:
    if option.state & QStyle.StateFlag.State_Selected:
        painter.fillRect(rect, colour("accent", 0.28))
        painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), colour("accent"))
    elif option.state & QStyle.StateFlag.State_MouseOver:
        painter.fillRect(rect, colour("raised"))
    if option.state & QStyle.StateFlag.State_HasFocus:
        painter.setPen(colour("accent"))
        painter.drawRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5))


def _paint_picture(painter: QPainter, area: QRect, image: QImage | None) -> None:
    """The clip's picture, filling its place; a quiet figure until there is one."""
    outline = QPainterPath()
    outline.addRoundedRect(QRectF(area), 4.0, 4.0)
    painter.fillPath(outline, colour("raised"))
    if image is None or image.isNull():
        size = 3 * GRID
        icon("figure", "muted").paint(
            painter, QRect(area.center().x() - size // 2, area.center().y() - size // 2, size, size)
        )
        return
    painter.save()
    painter.setClipPath(outline)
    scale = max(area.width() / image.width(), area.height() / image.height())
    shown = QSize(round(area.width() / scale), round(area.height() / scale))
    part = QRect(QPoint((image.width() - shown.width()) // 2, (image.height() - shown.height()) // 2), shown)
    painter.drawImage(area, image, part)
    painter.restore()


def _write(painter: QPainter, area: QRect, text: str, font: QFont, tint: str) -> None:
    painter.setFont(font)
    painter.setPen(colour(tint))
    elided = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, area.width())
    painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), elided)


def _files(data: QMimeData) -> list[str]:
    return [url.toLocalFile() for url in data.urls() if url.isLocalFile()]


def _is_wanted(data: QMimeData) -> bool:
    return data.hasFormat(CLIP_FORMAT) or bool(_files(data))
