"""The list of shortcuts, in which each can be changed; keys that are taken are refused with what has them."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QKeySequenceEdit,
    QLineEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.actions import Actions
from app.command_palette import rank
from widgets.common.plain_label import PlainLabel, plain_tip
from widgets.common.theme import GRID, colour


class ShortcutEditor(QDialog):
    """All actions with their shortcuts. Not modal; a change holds at once."""

    def __init__(self, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._actions = actions
        self.setWindowTitle("Shortcuts")
        self.resize(560, 640)
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search")
        self.search.setAccessibleName("Search shortcuts")
        self.search.setToolTip("Show actions whose name holds these letters")
        self.tree = QTreeWidget()
        self.tree.setHeaderLabels(["Action", "Shortcut"])
        self.tree.setRootIsDecorated(False)
        self.tree.setAccessibleName("Actions and their shortcuts")
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.keys = QKeySequenceEdit()
        self.keys.setMaximumSequenceLength(1)
        self.keys.setAccessibleName("New shortcut")
        self.keys.setToolTip("Press the keys that the marked action shall have")
        self.message = PlainLabel()
        self.message.setWordWrap(True)
        clear, reset = QPushButton("Clear"), QPushButton("Reset all")
        for button in (clear, reset):
            button.setAutoDefault(False)  # Enter in the search field shall not press one
        clear.setToolTip("Leave the marked action without a shortcut")
        reset.setToolTip("All shortcuts as they usually are")
        row = QHBoxLayout()
        row.addWidget(PlainLabel("New shortcut"))
        row.addWidget(self.keys, 1)
        row.addWidget(clear)
        row.addWidget(reset)
        layout = QVBoxLayout(self)
        layout.setSpacing(GRID)
        for part in (self.search, self.tree):
            layout.addWidget(part)
        layout.addLayout(row)
        layout.addWidget(self.message)
        self.search.textChanged.connect(self._fill)
        self.keys.editingFinished.connect(self._change)
        clear.clicked.connect(self._clear)
        reset.clicked.connect(self._reset)
        self._fill("")

    def select(self, name: str) -> None:
        """Mark an action."""
        for row in range(self.tree.topLevelItemCount()):
            item = self.tree.topLevelItem(row)
            if item is not None and item.data(0, Qt.ItemDataRole.UserRole) == name:
                self.tree.setCurrentItem(item)

    def change(self, keys: str) -> None:
        """Give the marked action these keys; says why where that cannot be."""
        item = self.tree.currentItem()
        if item is None:
            self._say("Mark an action first.")
            return
        name = item.data(0, Qt.ItemDataRole.UserRole)
        try:
            self._actions.change_keys(name, keys)
        except ValueError as error:
            self._say(f"{error}: change that one first, or choose other keys.", problem=True)
            return
        item.setText(1, self._actions.keys(name))
        self._say(f"{item.text(0)}: {self._actions.keys(name) or 'no shortcut'}")

    def _change(self) -> None:
        keys = self.keys.keySequence()
        if not keys.isEmpty():
            self.change(keys.toString(QKeySequence.SequenceFormat.PortableText))
            self.keys.clear()

    def _clear(self) -> None:
        self.change("")

    def _reset(self) -> None:
        self._actions.reset_keys()
        self._fill(self.search.text())
        self._say("All shortcuts are as they usually are.")

    def _fill(self, wanted: str) -> None:
        self.tree.clear()
        for name in self._actions.names():
            described = self._actions.described(name)
            text = described.text.replace("&", "")
            if rank(wanted, f"{described.menu} {text}") is not None:
                item = QTreeWidgetItem([f"{described.menu}: {text}", self._actions.keys(name)])
                item.setData(0, Qt.ItemDataRole.UserRole, name)
                item.setToolTip(0, plain_tip(described.tip))
                self.tree.addTopLevelItem(item)

    def _say(self, text: str, problem: bool = False) -> None:
        palette = self.message.palette()
        palette.setColor(self.message.foregroundRole(), colour("problem" if problem else "muted"))
        self.message.setPalette(palette)
        self.message.setText(text)
