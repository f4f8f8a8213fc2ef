"""What readers assumed and repaired: a list that stays, with severity, file, line and message."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePath

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from model.files.problems import MotionFileError, Problem
from widgets.common.empty import EmptyState
from widgets.common.icons import icon
from widgets.common.plain_label import PlainLabel, plain_tip
from widgets.common.theme import GRID

# How each severity is drawn and said: icon, colour, word.
_SEVERITIES = {
    "note": ("note", "muted", "Note"),
    "warning": ("warning", "warning", "Warning"),
    "error": ("failed", "problem", "Error"),
}
_MESSAGE, _FILE, _LINE = 0, 1, 2
# What a row has beside icon and text: margins and gaps of the style.
_BESIDE_TEXT = 5 * GRID
_SEVERITY_ROLE = Qt.ItemDataRole.UserRole


@dataclass(frozen=True)
class Entry:
    """A problem of a file. severity : note, warning or error; line : from 1, where known."""

    path: str
    severity: str
    line: int | None
    message: str

    def __str__(self) -> str:
        place = self.path if self.line is None else f"{self.path}:{self.line}"
        return f"{place}: {self.severity}: {self.message}"


class ImportReport(QWidget):
    """The problems of files, the newest file first. with_files : whether to show which file each is of."""

    def __init__(self, with_files: bool = True, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries: tuple[Entry, ...] = ()
        self._with_files = with_files
        self.tree = _Tree()
        self.tree.setAccessibleName("Import report")
        self.tree.setToolTip("What was assumed or repaired to read the files. Ctrl+C copies.")
        self.tree.setColumnHidden(_FILE, not with_files)
        self._summary = PlainLabel()
        self.copy_button = QPushButton("Copy")
        self.copy_button.setAccessibleName("Copy import report")
        self.copy_button.setToolTip("Copy the report, or its selected lines, as text (Ctrl+C)")
        self.copy_button.clicked.connect(self.copy)
        self.clear_button = QPushButton("Clear")
        self.clear_button.setAccessibleName("Clear import report")
        self.clear_button.setToolTip("Empty the list")
        self.clear_button.clicked.connect(self.clear)
        self.clear_button.setVisible(with_files)
        self._empty = EmptyState("Files that are opened are checked. What had to be assumed or repaired appears here.")
        self._full = QWidget()
        row = QHBoxLayout()
        row.setContentsMargins(GRID if with_files else 0, GRID // 2, GRID if with_files else 0, GRID // 2)
        row.setSpacing(GRID // 2)
        row.addWidget(self._summary, 1)
        row.addWidget(self.copy_button)
        row.addWidget(self.clear_button)
        full = QVBoxLayout(self._full)
        full.setContentsMargins(0, 0, 0, 0)
        full.setSpacing(0)
        full.addLayout(row)
        full.addWidget(self.tree)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._full)
        layout.addWidget(self._empty)
        self._show()

    @property
    def entries(self) -> tuple[Entry, ...]:
        """What is shown, first to last."""
        return self._entries

    def add(self, path: str, problems: Iterable[Problem] | MotionFileError) -> None:
        """Put the problems of a file on top, or why it could not be read; in place of what was said of it before."""
        others = tuple(entry for entry in self._entries if entry.path != path)
        self._set((*_entries(path, problems), *others))

    def show_only(self, path: str, problems: Iterable[Problem]) -> None:
        """Show the problems of one file and nothing else."""
        self._set(_entries(path, problems))

    def clear(self) -> None:
        """Forget everything."""
        self._set(())

    def copy(self) -> None:
        """Put the selected lines, or all, on the clipboard as text."""
        chosen = [index.row() for index in self.tree.selectionModel().selectedRows()]
        rows = sorted(chosen) if len(chosen) > 1 else range(len(self._entries))
        QGuiApplication.clipboard().setText("".join(f"{self._entries[row]}\n" for row in rows))

    def _set(self, entries: tuple[Entry, ...]) -> None:
        if entries != self._entries:
            self._entries = entries
            self._show()

    def _show(self) -> None:
        self.tree.clear()
        for entry in self._entries:
            line = "" if entry.line is None else str(entry.line)
            item = QTreeWidgetItem([entry.message, PurePath(entry.path).name, line])
            item.setData(_MESSAGE, _SEVERITY_ROLE, entry.severity)
            item.setTextAlignment(_LINE, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            word = _SEVERITIES[entry.severity][2]
            item.setData(_MESSAGE, Qt.ItemDataRole.AccessibleTextRole, f"{word}: {entry.message}")
            for column in (_MESSAGE, _FILE, _LINE):
                item.setToolTip(column, plain_tip(f"{word}: {entry.message}", entry.path))
            self.tree.addTopLevelItem(item)
        self._show_icons()
        self._summary.setText(_counted(self._entries))
        self._full.setVisible(bool(self._entries))
        self._empty.setVisible(not self._entries)

    def _show_icons(self) -> None:
        self.copy_button.setIcon(icon("copy"))
        for row in range(self.tree.topLevelItemCount()):
            item = self.tree.topLevelItem(row)
            assert item is not None
            name, colour_name, _ = _SEVERITIES[item.data(_MESSAGE, _SEVERITY_ROLE)]
            item.setIcon(_MESSAGE, icon(name, colour_name))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._show_icons()


class _Tree(QTreeWidget):
    """The list; Ctrl+C goes to the panel and not to the window."""

    def __init__(self) -> None:
        super().__init__()
        self.setRootIsDecorated(False)
        self.setColumnCount(3)
        self.setHeaderLabels(["Message", "File", "Line"])
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(_MESSAGE, QHeaderView.ResizeMode.Stretch)
        for column in (_FILE, _LINE):
            self.header().setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        self.setWordWrap(True)
        self.setItemDelegateForColumn(_MESSAGE, _WrappingDelegate(self))
        self.header().sectionResized.connect(self._on_resized)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)

    def _on_resized(self, *_: object) -> None:
        self.scheduleDelayedItemsLayout()  # lines wrap elsewhere

    def event(self, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.matches(QKeySequence.StandardKey.Copy)
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            event.ignore()
        else:
            super().keyPressEvent(event)


class _WrappingDelegate(QStyledItemDelegate):
    """Rows as high as their message needs; a tree by itself does not ask how wide its columns are."""

    def __init__(self, tree: QTreeWidget) -> None:
        super().__init__(tree)
        self._tree = tree

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        size = super().sizeHint(option, index)
        width = self._tree.columnWidth(_MESSAGE) - self._tree.iconSize().width() - _BESIDE_TEXT
        area = option.fontMetrics.boundingRect(
            QRect(0, 0, max(width, 1), 10_000), int(Qt.TextFlag.TextWordWrap), str(index.data())
        )
        return QSize(size.width(), max(area.height() + GRID, 3 * GRID))


def _entries(path: str, problems: Iterable[Problem] | MotionFileError) -> tuple[Entry, ...]:
    if isinstance(problems, MotionFileError):
        return (Entry(path, "error", problems.line, problems.message),)
    return tuple(Entry(path, str(problem.severity), problem.line, problem.message) for problem in problems)


def _counted(entries: tuple[Entry, ...]) -> str:
    """How many of each severity there are: "2 warnings, 1 note"."""
    parts = []
    for severity in ("error", "warning", "note"):
        count = sum(entry.severity == severity for entry in entries)
        if count:
            parts.append(f"{count} {severity}{'s' if count > 1 else ''}")
    return ", ".join(parts)
