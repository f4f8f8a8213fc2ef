"""The joints of the body as a tree, with what each is to a person. The selection is shared with the other views."""

from PySide6.QtCore import QAbstractItemModel, QEvent, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QBrush, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from editor.document.session import Session, View
from editor.document.showing import Showing
from model.roles import Role
from model.skeleton import Skeleton
from widgets.common.empty import EmptyState
from widgets.common.plain_label import plain_tip
from widgets.common.theme import GRID, colour
from widgets.inspector.setting_editors import QuietCombo

_JOINT, _ROLE = 0, 1
_INDEX_ROLE = Qt.ItemDataRole.UserRole
_NO_ROLE = "no role"


class SkeletonTree(QWidget):
    """The joints of what is shown. role_chosen : a joint, and the role that a person gives it, or None."""

    role_chosen = Signal(int, object)

    def __init__(self, session: Session, showing: Showing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._showing = showing
        self._skeleton: Skeleton | None = None
        self._items: list[QTreeWidgetItem] = []
        self._is_filling = False
        self.tree = _Tree()
        self.tree.setAccessibleName("Skeleton")
        self.tree.setToolTip("Joints of the body. Enter or F2 on a joint corrects its role.")
        self.tree.itemSelectionChanged.connect(self._on_selection_changed)
        self._delegate = _RoleDelegate(self.tree)
        self._delegate.chosen.connect(self._on_role_chosen)
        self.tree.setItemDelegateForColumn(_ROLE, self._delegate)
        self._empty = EmptyState("The joints of the clip appear here, to select them and to correct what they are.")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.tree)
        layout.addWidget(self._empty)
        showing.changed.connect(self._on_showing_changed)
        session.changed.connect(self._on_view_changed)
        self._on_showing_changed()

    def item(self, joint: int) -> QTreeWidgetItem:
        """The row of a joint."""
        return self._items[joint]

    def _on_showing_changed(self) -> None:
        shown = self._showing.current
        skeleton = None if shown is None else shown.take.motion.skeleton
        if skeleton is not self._skeleton:
            same = skeleton is not None and self._skeleton is not None and _alike(skeleton, self._skeleton)
            self._skeleton = skeleton
            if not same:
                self._fill()
                self._show_selection()
        self.tree.setVisible(skeleton is not None)
        self._empty.setVisible(skeleton is None)

    def _fill(self) -> None:
        self._is_filling = True
        self.tree.clear()
        self._items = []
        for joint, name in enumerate(self._skeleton.names if self._skeleton else ()):
            assert self._skeleton is not None
            role = self._skeleton.roles[joint]
            item = QTreeWidgetItem([name, role_name(role)])
            item.setData(_JOINT, _INDEX_ROLE, joint)
            item.setData(_ROLE, _INDEX_ROLE, None if role is None else str(role))
            item.setToolTip(_JOINT, plain_tip(name))
            item.setToolTip(_ROLE, "What this joint is to a person; double-click to correct it")
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
            parent = self._skeleton.parents[joint]
            if parent < 0:
                self.tree.addTopLevelItem(item)
            else:
                self._items[parent].addChild(item)
            self._items.append(item)
        self.tree.expandAll()
        self._colour()
        self._is_filling = False

    def _colour(self) -> None:
        for item in self._items:
            role = item.data(_ROLE, _INDEX_ROLE)
            side = "muted" if role is None else str(role).split("_")[0] if "_" in str(role) else "text"
            item.setForeground(_ROLE, QBrush(colour(side)))

    def _show_selection(self) -> None:
        if self._skeleton is None:
            return
        wanted = {self._skeleton.resolve(ref) for ref in self._session.view.joints}
        self._is_filling = True
        first = None
        for joint, item in enumerate(self._items):
            item.setSelected(joint in wanted)
            first = item if joint in wanted and first is None else first
        self._is_filling = False
        if first is not None and not self.tree.hasFocus():
            self.tree.setCurrentItem(first, _JOINT, self.tree.selectionModel().SelectionFlag.NoUpdate)
            self.tree.scrollToItem(first)

    def _on_view_changed(self, before: View, after: View) -> None:
        if before.joints != after.joints:
            self._show_selection()

    def _on_selection_changed(self) -> None:
        if self._is_filling or self._skeleton is None:
            return
        joints = sorted(item.data(_JOINT, _INDEX_ROLE) for item in self.tree.selectedItems())
        self._session.look(joints=tuple(self._skeleton.ref(joint) for joint in joints))

    def _on_role_chosen(self, joint: int, role: object) -> None:
        self.role_chosen.emit(joint, role)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._colour()


class _Tree(QTreeWidget):
    """The tree itself; its edit key edits the role, whichever column is current."""

    def __init__(self) -> None:
        super().__init__()
        self.setColumnCount(2)
        self.setHeaderLabels(["Joint", "Role"])
        # Roles are always whole, for they are what this tree is read for; a long name gives way, and its tip has it.
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(_JOINT, QHeaderView.ResizeMode.Stretch)
        self.header().setSectionResizeMode(_ROLE, QHeaderView.ResizeMode.ResizeToContents)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setIndentation(GRID)
        self.setUniformRowHeights(True)
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(triggers.DoubleClicked | triggers.EditKeyPressed)

    def edit(self, index: QModelIndex, *arguments: object) -> bool:  # type: ignore[override]
        if not arguments:
            super().edit(index)
            return True
        return bool(super().edit(index.siblingAtColumn(_ROLE), *arguments))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            super().edit(self.currentIndex().siblingAtColumn(_ROLE))
        else:
            super().keyPressEvent(event)


class _RoleDelegate(QStyledItemDelegate):
    """Corrects a role from a list of all."""

    chosen = Signal(int, object)

    def createEditor(
        self, parent: QWidget, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QWidget:
        combo = QuietCombo(parent)
        combo.setAccessibleName("Role")
        combo.setToolTip("What this joint is to a person")
        combo.addItem("No role", None)
        for role in Role:
            combo.addItem(role_name(role).capitalize(), str(role))
        combo.activated.connect(self._on_activated)
        return combo

    def setEditorData(self, editor: QWidget, index: QModelIndex | QPersistentModelIndex) -> None:
        assert isinstance(editor, QuietCombo)
        editor.setCurrentIndex(editor.findData(index.data(_INDEX_ROLE)))

    def setModelData(
        self, editor: QWidget, model: QAbstractItemModel, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        assert isinstance(editor, QuietCombo)
        role = editor.currentData()
        if role != index.data(_INDEX_ROLE):
            joint = index.sibling(index.row(), _JOINT).data(_INDEX_ROLE)
            self.chosen.emit(joint, None if role is None else Role(role))

    def _on_activated(self, place: int) -> None:
        editor = self.sender()
        if isinstance(editor, QWidget):
            self.commitData.emit(editor)
            self.closeEditor.emit(editor)


def role_name(role: Role | None) -> str:
    """A role as people say it."""
    return _NO_ROLE if role is None else str(role).replace("_", " ")


def _alike(one: Skeleton, other: Skeleton) -> bool:
    """Whether two skeletons give the same tree."""
    return (one.names, one.parents, one.roles) == (other.names, other.parents, other.roles)
