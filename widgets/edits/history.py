"""The undo history: every step by its sentence; a click goes there."""

from PySide6.QtCore import QAbstractListModel, QEvent, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QBrush, QFont
from PySide6.QtWidgets import QListView, QVBoxLayout, QWidget

from editor.document.document import Document, Step
from widgets.common.empty import EmptyState
from widgets.common.plain_label import LONGEST, one_line, plain_tip
from widgets.common.theme import colour

_START = "Start"
_Index = QModelIndex | QPersistentModelIndex


class StepModel(QAbstractListModel):
    """The steps of a document as rows, oldest first, after one for the start. What a row shows is made when it is seen,
    and only rows that came, went or changed are announced: there may be thousands.
    """

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._steps = document.steps
        self._done = document.done

    def refresh(self) -> None:
        """Announce what is not as it was."""
        before, after = self._steps, self._document.steps
        forgotten = _forgotten(before, after)
        if forgotten:
            self.beginRemoveRows(QModelIndex(), 1, forgotten)
            self._steps = before = before[forgotten:]
            self.endRemoveRows()
        kept = _kept(before, after)
        if kept < len(before):
            self.beginRemoveRows(QModelIndex(), kept + 1, len(before))
            self._steps = before[:kept]
            self.endRemoveRows()
        if kept < len(after):
            self.beginInsertRows(QModelIndex(), kept + 1, len(after))
            self._steps = after
            self.endInsertRows()
        self._steps = after
        ends = sorted((min(self._done - forgotten, len(after)), self._document.done))
        self._done = self._document.done
        if ends[0] != ends[1]:
            self.dataChanged.emit(self.index(max(ends[0], 0)), self.index(ends[1]))

    def sentence(self, row: int) -> str:
        return self._steps[row - 1].sentence if row else _START

    def rowCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._steps) + 1

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row, roles = index.row(), Qt.ItemDataRole
        is_undone, is_current = row > self._done, row == self._done
        if role == roles.DisplayRole:
            return one_line(self.sentence(row), LONGEST)
        if role == roles.AccessibleTextRole:
            state = ", current" if is_current else ", undone" if is_undone else ""
            return f"{one_line(self.sentence(row), LONGEST)}{state}"
        if role == roles.ToolTipRole:
            return plain_tip(f"{self.sentence(row)} (undone)" if is_undone else self.sentence(row))
        if role == roles.FontRole:
            font = QFont()
            font.setBold(is_current)
            font.setItalic(is_undone)
            return font
        if role == roles.ForegroundRole:
            return QBrush(colour("muted" if is_undone else "text"))
        return None


class History(QWidget):
    """The steps, oldest first. The current one is marked; those below it are undone and can be done again."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._is_filling = False
        self.model = StepModel(document, self)
        self.list = QListView()
        self.list.setAccessibleName("Undo history")
        self.list.setToolTip("Click a step to go there (Ctrl+Z and Ctrl+Shift+Z go one step)")
        self.list.setUniformItemSizes(True)
        self.list.setModel(self.model)
        self.list.selectionModel().currentChanged.connect(self._on_current_changed)
        self._empty = EmptyState("What you do appears here, step by step, and can be taken back.")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.list)
        layout.addWidget(self._empty)
        document.history_changed.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        self._is_filling = True
        self.model.refresh()
        current = self.model.index(self._document.done)
        self.list.setCurrentIndex(current)
        self.list.scrollTo(current)
        has_steps = self.model.rowCount() > 1
        self.list.setVisible(has_steps)
        self._empty.setVisible(not has_steps)
        self._is_filling = False

    def _on_current_changed(self, current: QModelIndex, _: QModelIndex) -> None:
        if not self._is_filling and current.isValid():
            self._document.go_to(current.row())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "list"):
            self.list.viewport().update()


def _are_one(one: Step, other: Step) -> bool:
    """Whether two are the same step: what is shown after it may have been learned since."""
    return one is other or (one.after is other.after and one.before is other.before)


def _forgotten(before: tuple[Step, ...], after: tuple[Step, ...]) -> int:
    """How many of the oldest steps are gone, of which a document keeps only so many."""
    if not before or not after:
        return 0
    return next((place for place, step in enumerate(before) if _are_one(step, after[0])), 0)


def _kept(before: tuple[Step, ...], after: tuple[Step, ...]) -> int:
    """How many steps are there as they were, from the first on."""
    pairs = enumerate(zip(before, after, strict=False))
    changed = (place for place, (one, other) in pairs if not _are_one(one, other) or one.sentence != other.sentence)
    return next(changed, min(len(before), len(after)))
