"""The command palette: type a few letters of anything that can be done, and do it."""

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QPalette
from PySide6.QtWidgets import QFrame, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from app.palette_entries import Entry, Kind
from widgets.common.plain_label import PlainLabel, plain_tip
from widgets.common.theme import GRID

_WIDTH, _ROWS = 520, 12
_IN_MENU = 4  # what fits only together with the name of its menu comes after what fits by itself
_BY_SYNONYM = 2  # another word for it counts more than its letters scattered


def rank(wanted: str, text: str) -> int | None:
    """How well a text fits what was typed, lower is better; None where its letters are not in it, in order."""
    wanted, text = "".join(wanted.lower().split()), text.lower()
    if not wanted:
        return 0
    squeezed = text.replace(" ", "")
    if squeezed.startswith(wanted):
        return 0
    if any(word.startswith(wanted) for word in text.split()):
        return 1
    if wanted in squeezed:
        return 2
    letters = iter(squeezed)
    return 3 if all(letter in letters for letter in wanted) else None


def _is_synonym(wanted: str, synonyms: str) -> bool:
    """Whether every word that was typed begins one of the synonyms."""
    typed, known = wanted.lower().split(), synonyms.lower().split()
    return bool(typed) and all(any(word.startswith(one) for word in known) for one in typed)


def _rank_of(wanted: str, entry: Entry) -> int | None:
    """How well an entry fits what was typed, by its own words, other words for it, or the place where it stands."""
    place = rank(wanted, entry.text)
    if place is None:
        beside = rank(wanted, f"{entry.place} {entry.text}")
        place = None if beside is None else beside + _IN_MENU
    if (place is None or place > _BY_SYNONYM) and _is_synonym(wanted, entry.synonyms):
        return _BY_SYNONYM
    # A setting begins with the name of its edit; who types that name means the edit.
    return max(place, 1) if place is not None and entry.kind is Kind.SETTING else place


class CommandPalette(QFrame):
    """A field and a list over the window; Enter does what is marked, Esc closes."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window, Qt.WindowType.Popup)
        self._entries: tuple[Entry, ...] = ()
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setBackgroundRole(QPalette.ColorRole.AlternateBase)  # over the window, not part of it
        self.setAutoFillBackground(True)
        self.setAccessibleName("Command palette")
        self.field = QLineEdit()
        self.field.setPlaceholderText("What would you like to do?")
        self.field.setAccessibleName("Command to search for")
        self.field.setToolTip("Type a few letters of a command; Enter does it")
        self.field.installEventFilter(self)
        self.list = QListWidget()
        self.list.setAccessibleName("Commands found")
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.nothing = PlainLabel()
        self.nothing.setWordWrap(True)
        self.nothing.setMinimumHeight(5 * GRID)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.nothing.setForegroundRole(self.nothing.foregroundRole().PlaceholderText)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(GRID, GRID, GRID, GRID)
        layout.addWidget(self.field)
        layout.addWidget(self.list)
        layout.addWidget(self.nothing, 1)
        self.field.textChanged.connect(self._fill)
        self.field.returnPressed.connect(self._do)
        self.list.itemClicked.connect(self._do)
        self.setFixedWidth(_WIDTH)

    def open_over(self, window: QWidget, entries: Iterable[Entry]) -> None:
        """Show the palette near the top of a window, with nothing typed yet."""
        self._entries = tuple(entries)
        self.field.clear()
        self._fill("")
        corner = window.mapToGlobal(window.rect().topLeft())
        self.move(corner.x() + (window.width() - self.width()) // 2, corner.y() + 10 * GRID)
        self.show()
        self.field.setFocus()

    def _fill(self, wanted: str) -> None:
        found: list[tuple[int, int, str, int]] = []
        for number, entry in enumerate(self._entries):
            place = _rank_of(wanted, entry)
            if place is not None:
                found.append((place, entry.kind, entry.text, number))
        self.nothing.setText(f"No action is called “{wanted.strip()}”.")
        self.nothing.setVisible(not found)
        self.list.setVisible(bool(found))
        self.list.clear()
        for _, _, text, number in sorted(found):
            entry = self._entries[number]
            item = QListWidgetItem(f"{text}    {entry.keys}" if entry.keys else text)
            item.setData(Qt.ItemDataRole.UserRole, number)
            item.setToolTip(plain_tip(entry.tip))
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        self._fit()

    def _fit(self) -> None:
        """As high as what was found, up to a few rows; more are scrolled to."""
        rows = min(self.list.count(), _ROWS)
        self.list.setFixedHeight(rows * max(self.list.sizeHintForRow(0), 1) + 2 * self.list.frameWidth())
        self.adjustSize()

    def _do(self) -> None:
        item = self.list.currentItem()
        self.hide()
        if item is not None:
            self._entries[item.data(Qt.ItemDataRole.UserRole)].do()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.field and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 8, Qt.Key.Key_PageUp: -8}.get(
                Qt.Key(event.key())
            )
            if step is not None and self.list.count():
                self.list.setCurrentRow(min(max(self.list.currentRow() + step, 0), self.list.count() - 1))
                return True
        return super().eventFilter(watched, event)
