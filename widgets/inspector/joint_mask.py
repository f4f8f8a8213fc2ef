"""Which joints an edit acts on: parts of the body by buttons, and joint by joint in a tree that unfolds."""

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from model.scope import Scope
from model.skeleton import JointRef, Skeleton
from widgets.common.plain_label import PlainLabel, plain_tip
from widgets.common.theme import GRID
from widgets.inspector.body_parts import BodyPart, body_parts, refs_of
from widgets.inspector.section import Section

_INDEX_ROLE = Qt.ItemDataRole.UserRole
_TREE_HEIGHT = 28 * GRID


class JointMask(QWidget):
    """The joints of a scope. No part is marked while it is the whole body: those that are pressed limit it to them."""

    chosen = Signal(object)  # the joints, None for all

    def __init__(self) -> None:
        super().__init__()
        self._skeleton: Skeleton | None = None
        self._joints: frozenset[int] = frozenset()
        self._is_whole = True
        self._selected: tuple[JointRef, ...] = ()
        self.parts: tuple[PartButton, ...] = ()
        self._label = PlainLabel()
        self._label.setWordWrap(True)
        self._grid = QGridLayout()
        self._grid.setSpacing(GRID // 2)
        self.whole = QPushButton("Whole body")
        self.whole.setAccessibleName("Act on the whole body")
        self.whole.setToolTip("Let the edit act on all joints")
        self.whole.clicked.connect(self._on_whole)
        self.from_selection = QPushButton("Selected")
        self.from_selection.setAccessibleName("Act on the selected joints")
        self.from_selection.setToolTip("Let the edit act on the joints that are selected in viewport or skeleton")
        self.from_selection.clicked.connect(self._on_from_selection)
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID // 2)
        buttons.addWidget(self.whole)
        buttons.addWidget(self.from_selection)
        self.tree = JointTree()
        self.tree.chosen.connect(self._choose)
        self.single = Section("Joint by joint", self.tree, is_open=False)
        self.single.opening.connect(self._show_tree)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, GRID // 2, 0, 0)
        layout.setSpacing(GRID // 2)
        layout.addWidget(self._label)
        layout.addLayout(buttons)
        layout.addLayout(self._grid)
        layout.addWidget(self.single)

    def show_mask(self, scope: Scope, skeleton: Skeleton | None, selected: tuple[JointRef, ...]) -> None:
        """Show the joints of a scope on a body."""
        if skeleton is not self._skeleton:
            self._skeleton = skeleton
            self._make_parts()
        self._selected = selected
        self.setEnabled(skeleton is not None)
        if skeleton is None:
            return
        self._is_whole = scope.joints is None
        self._joints = frozenset(int(joint) for joint in scope.joints_of(skeleton).nonzero()[0])
        for button in self.parts:
            button.setChecked(not self._is_whole and button.part.joints <= self._joints)
        self._label.setText(self._told())
        self.whole.setEnabled(not self._is_whole)
        self.from_selection.setEnabled(bool(selected))
        if self.single.is_open:
            self._show_tree()

    def _told(self) -> str:
        assert self._skeleton is not None
        if self._is_whole:
            return "Acts on the whole body"
        if not self._joints:
            return "Acts on no joint of this body"
        return f"Acts on {len(self._joints)} of {len(self._skeleton)} joints"

    def _show_tree(self) -> None:
        if self._skeleton is not None:
            self.tree.show_joints(self._skeleton, self._joints)

    def _make_parts(self) -> None:
        for button in self.parts:
            self._grid.removeWidget(button)
            button.deleteLater()
        found = body_parts(self._skeleton) if self._skeleton else ()
        self.parts = tuple(PartButton(part, self) for part in found)
        for place, button in enumerate(self.parts):
            button.switched.connect(self._on_switched)
            self._grid.addWidget(button, place // 2, place % 2)

    def _on_switched(self, part: BodyPart) -> None:
        before = frozenset[int]() if self._is_whole else self._joints
        joints = before - part.joints if part.joints <= before else before | part.joints
        if joints:
            self._choose(joints)
        else:
            self._on_whole()  # without a part that limits it

    def _choose(self, joints: frozenset[int]) -> None:
        assert self._skeleton is not None
        self.chosen.emit(refs_of(self._skeleton, joints))

    def _on_whole(self) -> None:
        self.chosen.emit(None)

    def _on_from_selection(self) -> None:
        self.chosen.emit(self._selected)


class PartButton(QPushButton):
    """A part of the body that is acted on or not."""

    switched = Signal(object)

    def __init__(self, part: BodyPart, parent: QWidget) -> None:
        super().__init__(parent)
        self.part = part
        self.setText(part.label)
        self.setCheckable(True)
        self.setAccessibleName(f"Act on {part.label.lower()}")
        self.setToolTip(plain_tip(f"Whether the edit acts on the {part.label.lower()} (Enter)"))
        self.setSizePolicy(self.sizePolicy().Policy.Expanding, self.sizePolicy().Policy.Fixed)
        self.clicked.connect(self._on_clicked)

    def _on_clicked(self) -> None:
        self.switched.emit(self.part)


class JointTree(QTreeWidget):
    """The joints of a body under its parts, each with a box. chosen : those whose boxes are marked."""

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._skeleton: Skeleton | None = None
        self._items: dict[int, QTreeWidgetItem] = {}
        self._is_filling = False
        self.setHeaderHidden(True)
        self.setIndentation(2 * GRID)
        self.setFixedHeight(_TREE_HEIGHT)
        self.setAccessibleName("Joints that the edit acts on")
        self.setToolTip("Mark the joints that the edit acts on, or a part of the body with all of its joints (Space)")
        self.itemChanged.connect(self._on_item_changed)

    def show_joints(self, skeleton: Skeleton, joints: frozenset[int]) -> None:
        """Show which joints of a body are marked."""
        self._is_filling = True
        if skeleton is not self._skeleton:
            self._skeleton = skeleton
            self._fill(skeleton)
        for joint, item in self._items.items():
            item.setCheckState(0, Qt.CheckState.Checked if joint in joints else Qt.CheckState.Unchecked)
        self._is_filling = False

    def item(self, joint: int) -> QTreeWidgetItem:
        """The row of a joint."""
        return self._items[joint]

    def _fill(self, skeleton: Skeleton) -> None:
        self.clear()
        self._items = {}
        parts = body_parts(skeleton) or (BodyPart("Body", frozenset(range(len(skeleton)))),)
        for part in parts:
            top = QTreeWidgetItem([part.label])
            top.setFlags(top.flags() | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsAutoTristate)
            self.addTopLevelItem(top)
            for joint in sorted(part.joints):
                item = QTreeWidgetItem([skeleton.names[joint]])
                item.setData(0, _INDEX_ROLE, joint)
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
                top.addChild(item)
                self._items[joint] = item

    def _on_item_changed(self, changed: QTreeWidgetItem) -> None:
        if self._is_filling:
            return
        # A part tells of itself and of each of its joints: one change is enough, once all boxes are as they will be.
        self._is_filling = True
        QTimer.singleShot(0, self, self._tell)

    def _tell(self) -> None:
        self._is_filling = False
        marked = Qt.CheckState.Checked
        self.chosen.emit(frozenset(joint for joint, item in self._items.items() if item.checkState(0) == marked))
