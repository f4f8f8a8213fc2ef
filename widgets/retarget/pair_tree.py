"""The joints of a character as a tree, each with what it follows; a list in each row corrects it."""

from collections.abc import Mapping

from PySide6.QtCore import QAbstractItemModel, QEvent, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QBrush, QFont, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from model.skeleton import Skeleton
from widgets.common.plain_label import one_line, plain_tip
from widgets.common.theme import GRID, colour
from widgets.retarget.bodies_view import sides_of

_JOINT, _FOLLOWS = 0, 1
_INDEX_ROLE = Qt.ItemDataRole.UserRole
NOTHING, GUESS = -1, -2  # what the list offers besides joints


class PairTree(QTreeWidget):
    """picked : a joint of the character, or -1; corrected : a joint of it and the joint of the motion that it should
    follow, or NOTHING, or GUESS.
    """

    picked = Signal(int)
    corrected = Signal(int, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._source: Skeleton | None = None
        self._target: Skeleton | None = None
        self._items: list[QTreeWidgetItem] = []
        self._is_filling = False
        self.setColumnCount(2)
        self.setHeaderLabels(["Character", "Follows"])
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(_JOINT, QHeaderView.ResizeMode.Stretch)
        self.header().setSectionResizeMode(_FOLLOWS, QHeaderView.ResizeMode.Stretch)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setIndentation(GRID)
        self.setUniformRowHeights(True)
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(triggers.DoubleClicked | triggers.EditKeyPressed)
        self.setAccessibleName("What joints follow")
        self.setToolTip("Enter or double-click says what a joint follows; Delete goes back to the guess.")
        self._delegate = _FollowsDelegate(self)
        self._delegate.chosen.connect(self.corrected)
        self.setItemDelegateForColumn(_FOLLOWS, self._delegate)
        self.itemSelectionChanged.connect(self._on_selection_changed)

    def show_pairs(
        self,
        source: Skeleton | None,
        target: Skeleton | None,
        follows: Mapping[int, tuple[int, ...]],
        corrections: frozenset[int],
    ) -> None:
        """follows : for joints of the target those of the source that they follow; corrections : those set by hand."""
        if target is not self._target:
            self._target = target
            self._fill()
        self._source = source
        for joint, item in enumerate(self._items):
            sources = follows.get(joint, ()) if source is not None else ()
            assert source is not None or not sources
            names = [] if source is None else [source.names[one] for one in sources]
            item.setText(_FOLLOWS, " + ".join(names) if names else "nothing")
            item.setData(_FOLLOWS, _INDEX_ROLE, sources[0] if len(sources) == 1 else NOTHING if not sources else GUESS)
            is_corrected = joint in corrections
            tip = "Set by hand; Delete goes back to the guess" if is_corrected else "Guessed from roles and names"
            item.setToolTip(_FOLLOWS, plain_tip(f"{item.text(_FOLLOWS)}. {tip}."))
            font = QFont(self.font())
            font.setBold(is_corrected)
            item.setFont(_FOLLOWS, font)
        self._colour()

    @property
    def source(self) -> Skeleton | None:
        return self._source

    def item_of(self, joint: int) -> QTreeWidgetItem:
        """The row of a joint of the character."""
        return self._items[joint]

    def pick(self, joint: int | None) -> None:
        """Select the row of a joint."""
        self._is_filling = True
        if joint is None or joint >= len(self._items):
            self.clearSelection()
        else:
            self.setCurrentItem(self._items[joint])
            self.scrollToItem(self._items[joint])
        self._is_filling = False

    def _fill(self) -> None:
        self._is_filling = True
        self.clear()
        self._items = []
        for joint, name in enumerate(self._target.names if self._target is not None else ()):
            assert self._target is not None
            item = QTreeWidgetItem([name, ""])
            item.setData(_JOINT, _INDEX_ROLE, joint)
            role = self._target.roles[joint]
            item.setToolTip(_JOINT, plain_tip(name if role is None else f"{name}: {str(role).replace('_', ' ')}"))
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
            parent = self._target.parents[joint]
            if parent < 0:
                self.addTopLevelItem(item)
            else:
                self._items[parent].addChild(item)
            self._items.append(item)
        self.expandAll()
        self._is_filling = False

    def _colour(self) -> None:
        sides = () if self._target is None else sides_of(self._target)
        for item, side in zip(self._items, sides, strict=True):
            item.setForeground(_JOINT, QBrush(colour("text" if side == "centre" else side)))
            alone = item.text(_FOLLOWS) == "nothing"
            item.setForeground(_FOLLOWS, QBrush(colour("warning" if alone else "text")))

    def _on_selection_changed(self) -> None:
        if not self._is_filling:
            items = self.selectedItems()
            self.picked.emit(items[0].data(_JOINT, _INDEX_ROLE) if items else -1)

    def edit(self, index: QModelIndex, *arguments: object) -> bool:  # type: ignore[override]
        if not arguments:
            super().edit(index)
            return True
        return bool(super().edit(index.siblingAtColumn(_FOLLOWS), *arguments))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        if index.isValid() and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().edit(index.siblingAtColumn(_FOLLOWS))
        elif index.isValid() and event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.corrected.emit(index.siblingAtColumn(_JOINT).data(_INDEX_ROLE), GUESS)
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._colour()


class _FollowsDelegate(QStyledItemDelegate):
    """Says what a joint follows, from a list of the motion's joints."""

    chosen = Signal(int, int)

    def createEditor(
        self, parent: QWidget, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QWidget:
        combo = QComboBox(parent)
        combo.setAccessibleName("Follows")
        combo.setToolTip("The joint of the motion that this one follows")
        combo.addItem("As guessed", GUESS)
        combo.addItem("Nothing", NOTHING)
        tree = self.parent()
        assert isinstance(tree, PairTree)
        for joint, name in enumerate(tree.source.names if tree.source is not None else ()):
            combo.addItem(one_line(name), joint)
        combo.activated.connect(self._on_activated)
        return combo

    def setEditorData(self, editor: QWidget, index: QModelIndex | QPersistentModelIndex) -> None:
        assert isinstance(editor, QComboBox)
        editor.setCurrentIndex(editor.findData(index.data(_INDEX_ROLE)))

    def setModelData(
        self, editor: QWidget, model: QAbstractItemModel, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        assert isinstance(editor, QComboBox)
        if editor.currentData() != index.data(_INDEX_ROLE):
            self.chosen.emit(index.sibling(index.row(), _JOINT).data(_INDEX_ROLE), editor.currentData())

    def _on_activated(self, place: int) -> None:
        editor = self.sender()
        if isinstance(editor, QWidget):
            self.commitData.emit(editor)
            self.closeEditor.emit(editor)
