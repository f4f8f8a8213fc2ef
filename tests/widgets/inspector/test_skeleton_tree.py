"""The skeleton tree: selection is shared, roles are corrected."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox

from model.project import Project
from model.roles import Role
from tests.stacks import Lift, stack
from tests.widgets.desk import desk, show
from widgets.common.plain_label import plain_tip
from widgets.inspector.skeleton_tree import SkeletonTree


@pytest.fixture
def made(application):
    on = desk(stack(Lift()))
    tree = show(SkeletonTree(on.session, on.showing), 320, 800)
    return on, tree, on.showing.current.take.motion.skeleton


def click(tree, joint, modifiers=Qt.KeyboardModifier.NoModifier):
    rect = tree.tree.visualItemRect(tree.item(joint))
    QTest.mouseClick(
        tree.tree.viewport(), Qt.MouseButton.LeftButton, modifiers, QPoint(rect.left() + 20, rect.center().y())
    )


def test_clicks_select_joints_for_all_views(made):
    on, tree, skeleton = made
    neck, head = skeleton.joint(Role.NECK), skeleton.joint(Role.HEAD)
    click(tree, head)
    assert on.view.joints == (skeleton.ref(head),)
    click(tree, neck, Qt.KeyboardModifier.ControlModifier)
    assert set(on.view.joints) == {skeleton.ref(head), skeleton.ref(neck)}


def test_arrow_keys_select_joints(made):
    on, tree, skeleton = made
    click(tree, 0)
    QTest.keyClick(tree.tree, Qt.Key.Key_Down)
    assert on.view.joints == (skeleton.ref(1),)


def test_selection_from_elsewhere_is_shown(made):
    on, tree, skeleton = made
    on.session.look(joints=(skeleton.ref(3), skeleton.ref(5)))
    assert [tree.item(joint).isSelected() for joint in range(6)] == [False, False, False, True, False, True]
    on.session.look(joints=())
    assert tree.tree.selectedItems() == []


def test_tree_follows_the_skeleton_and_names_roles(made):
    _, tree, skeleton = made
    for joint, parent in enumerate(skeleton.parents):
        item = tree.item(joint)
        assert item.text(0) == skeleton.names[joint]
        assert (item.parent() is tree.item(parent)) if parent >= 0 else item.parent() is None
    assert tree.item(skeleton.joint(Role.LEFT_KNEE)).text(1) == "left knee"


def test_role_is_corrected_by_keys(application, made):
    _, tree, skeleton = made
    chosen = []
    tree.role_chosen.connect(lambda joint, role: chosen.append((joint, role)))
    knee = skeleton.joint(Role.LEFT_KNEE)
    click(tree, knee)
    QTest.keyClick(tree.tree, Qt.Key.Key_Return)
    combo = tree.tree.findChild(QComboBox)
    assert combo.currentText() == "Left knee"
    QTest.keyClick(combo, Qt.Key.Key_Down)
    assert chosen == [(knee, Role.LEFT_ANKLE)]


def test_role_is_taken_away(made):
    _, tree, _ = made
    chosen = []
    tree.role_chosen.connect(lambda joint, role: chosen.append((joint, role)))
    click(tree, 0)
    QTest.keyClick(tree.tree, Qt.Key.Key_F2)
    combo = tree.tree.findChild(QComboBox)
    QTest.keyClick(combo, Qt.Key.Key_Home)
    assert chosen == [(0, None)]


def test_without_a_clip_it_says_what_it_is_for(application):
    on = desk(Project())
    tree = show(SkeletonTree(on.session, on.showing))
    assert tree._empty.isVisible()
    assert not tree.tree.isVisible()


def test_roles_are_shown_whole_and_tips_have_the_names_in_a_narrow_panel(made):
    _, panel, skeleton = made
    panel.resize(224, 400)
    tree = panel.tree
    assert tree.horizontalScrollBar().maximum() == 0
    assert tree.columnWidth(0) + tree.columnWidth(1) <= tree.viewport().width()
    for joint, name in enumerate(skeleton.names):
        assert tree.columnWidth(1) >= tree.fontMetrics().horizontalAdvance(panel.item(joint).text(1))
        assert panel.item(joint).toolTip(0) == plain_tip(name)
