"""The edit stack: rows, badges, keys, drags and the clipboard, each ending in a command."""

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtTest import QTest

from app.features import FEATURES
from editor.contacts.edit import FootCleanUp
from editor.timing.edit import Trim
from model.clip import Clip, Layer, Unknown
from model.project import Project
from model.scope import Scope
from tests.stacks import Broken, Failing, Lift, Made, stack
from tests.widgets.desk import desk, drop, show
from widgets.common.carried_edits import CarriedEdits
from widgets.edits.edit_row import ROW_ROLE, switch_area
from widgets.edits.edit_stack import EditStack

EDITS = FEATURES.edits


@pytest.fixture
def made(application):
    return opened(stack(Lift(1.0), Lift(2.0), Broken()))


def opened(project):
    on = desk(project)
    return on, show(EditStack(on.document, on.session, on.showing, EDITS))


def row(panel, place):
    return panel.list.item(place).data(ROW_ROLE)


def click(panel, place, modifiers=Qt.KeyboardModifier.NoModifier):
    rect = panel.list.visualItemRect(panel.list.item(place))
    QTest.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, modifiers, rect.center())


def between(panel, place):
    """Where to drop something so that it becomes the edit of this place."""
    rect = panel.list.visualItemRect(panel.list.item(place))
    return QPoint(rect.center().x(), rect.bottom() - 2)


def test_rows_are_the_source_and_the_edits_in_order(made):
    _, panel = made
    assert [row(panel, place).title for place in range(panel.list.count())] == ["Made", "Lift", "Lift", "Broken"]
    assert row(panel, 1).value == "1.00 m"
    assert row(panel, 2).value == "2.00 m"


def test_strength_is_shown_where_it_is_not_full(application):
    _, panel = opened(stack(Lift(1.0), scopes=[Scope(strength=0.6)]))
    assert row(panel, 1).value == "1.00 m · 60 %"


def test_failed_edit_has_a_badge_that_says_why(made):
    _, panel = made
    assert row(panel, 3).failed
    assert "there are no wings" in panel.list.item(3).toolTip()
    assert "there are no wings" in panel.list.item(3).data(Qt.ItemDataRole.AccessibleTextRole)


def test_notes_are_those_of_their_own_edit_and_none_when_it_is_off(made):
    on, panel = made
    assert row(panel, 1).notes == ("lifted by 1.0",)
    assert row(panel, 2).notes == ("lifted by 2.0",)
    assert not row(panel, 1).failed
    QTest.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=switch_of(panel, 2))
    assert row(panel, 2).notes == ()
    assert on.layers()[1].on is False


def switch_of(panel, place):
    return switch_area(panel.list.visualItemRect(panel.list.item(place))).center()


def test_source_that_fails_has_a_badge(application):
    _, panel = opened(stack(source=Failing()))
    assert row(panel, 0).failed
    assert "the well is dry" in panel.list.item(0).toolTip()


def test_selecting_an_edit_shows_it_and_the_source_row_the_finished_clip(made):
    on, panel = made
    click(panel, 1)
    assert on.view.layer == "e0"
    click(panel, 0)
    assert on.view.layer is None
    click(panel, 2)
    QTest.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(50, 500))
    assert on.view.layer is None, "a click beside the edits"


def test_selection_from_elsewhere_is_shown(made):
    on, panel = made
    on.session.look(layer="e1")
    assert [item.data(ROW_ROLE).layer for item in panel.list.selectedItems()] == ["e1"]
    on.session.look(layer=None)
    assert [item.data(ROW_ROLE).layer for item in panel.list.selectedItems()] == [None]


def test_arrow_keys_walk_the_stack(made):
    on, panel = made
    click(panel, 0)
    QTest.keyClick(panel.list, Qt.Key.Key_Down)
    assert on.view.layer == "e0"
    QTest.keyClick(panel.list, Qt.Key.Key_Down)
    assert on.view.layer == "e1"
    QTest.keyClick(panel.list, Qt.Key.Key_Escape)
    assert on.view.layer is None


def test_switch_by_mouse_does_not_select(made):
    on, panel = made
    click(panel, 1)
    QTest.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=switch_of(panel, 2))
    assert on.layers()[1].on is False
    assert on.view.layer == "e0"
    assert on.document.undo_text == "Switch lift off"
    QTest.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=switch_of(panel, 2))
    assert on.layers()[1].on is True


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_enter_switches_the_current_edit(made, key):
    on, panel = made
    click(panel, 1)
    QTest.keyClick(panel.list, key)
    assert [layer.on for layer in on.layers()] == [False, True, True]


def test_space_is_left_to_the_window(made):
    on, panel = made
    click(panel, 1)
    pressed = []
    shortcut = QShortcut(QKeySequence(Qt.Key.Key_Space), panel)
    shortcut.activated.connect(lambda: pressed.append(True))
    QTest.keyClick(panel.list, Qt.Key.Key_Space)
    assert pressed == [True]
    shortcut.setEnabled(False)
    QTest.keyClick(panel.list, Qt.Key.Key_Space)
    assert on.document.steps == ()
    assert panel.list.item(1).checkState() == Qt.CheckState.Checked


def test_delete_removes_the_selected_edits_in_one_step(made):
    on, panel = made
    click(panel, 1)
    click(panel, 3, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(panel.list, Qt.Key.Key_Delete)
    assert on.edits() == [Lift(2.0)]
    assert on.document.undo_text == "Remove 2 edits"
    on.document.undo()
    assert on.edits() == [Lift(1.0), Lift(2.0), Broken()]


def test_button_removes_and_is_off_without_a_selection(made):
    on, panel = made
    click(panel, 0)
    assert not panel.remove_button.isEnabled()
    click(panel, 2)
    QTest.mouseClick(panel.remove_button, Qt.MouseButton.LeftButton)
    assert on.edits() == [Lift(1.0), Broken()]


def test_alt_arrows_move_an_edit_and_keep_it_selected(made):
    on, panel = made
    click(panel, 2)
    QTest.keyClick(panel.list, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert on.edits() == [Lift(2.0), Lift(1.0), Broken()]
    assert on.view.layer == "e1"
    QTest.keyClick(panel.list, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert on.edits() == [Lift(2.0), Lift(1.0), Broken()]
    QTest.keyClick(panel.list, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert on.edits() == [Lift(1.0), Lift(2.0), Broken()]


@pytest.mark.parametrize(
    ("dragged", "place", "order"),
    [(1, 3, [2.0, 3.0, 1.0]), (3, 0, [3.0, 1.0, 2.0]), (1, 2, [2.0, 1.0, 3.0]), (2, 2, [1.0, 2.0, 3.0])],
)
def test_dragged_edit_is_put_where_it_is_dropped(application, dragged, place, order):
    on, panel = opened(stack(Lift(1.0), Lift(2.0), Lift(3.0)))
    click(panel, dragged)
    data = panel.list.mimeData(panel.list.selectedItems())
    assert drop(panel.list.viewport(), data, between(panel, place))
    assert [edit.by_m for edit in on.edits()] == order
    assert len(on.document.steps) == (order != [1.0, 2.0, 3.0])


def test_drop_with_control_copies(made):
    on, panel = made
    click(panel, 1)
    data = panel.list.mimeData(panel.list.selectedItems())
    assert drop(panel.list.viewport(), data, between(panel, 3), Qt.KeyboardModifier.ControlModifier)
    assert on.edits() == [Lift(1.0), Lift(2.0), Broken(), Lift(1.0)]


def test_edits_are_copied_to_another_clip_by_keys(application):
    one = stack(Lift(1.0), Lift(2.0)).clips[0]
    on, panel = opened(Project((one, Clip("2", "Second", Made())), 10))
    click(panel, 1)
    click(panel, 2, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(panel.list, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    on.session.look(clip="2")
    assert panel.list.count() == 1
    QTest.keyClick(panel.list, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert on.edits("2") == [Lift(1.0), Lift(2.0)]
    assert on.document.undo_text == "Copy 2 edits to Second"
    assert on.view.layer == on.layers("2")[-1].id


def test_paste_of_edits_that_are_gone_or_of_something_else_does_nothing(made):
    on, panel = made
    QGuiApplication.clipboard().setMimeData(CarriedEdits("1", ("gone",)).to_mime())
    QTest.keyClick(panel.list, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    QGuiApplication.clipboard().setText("hello")
    QTest.keyClick(panel.list, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert on.document.steps == ()
    broken = QMimeData()
    broken.setData("application/x-motionwright-edits", b"{")
    assert CarriedEdits.of(broken, on.project) is None


def test_foreign_drops_are_not_taken(made):
    _, panel = made
    data = QMimeData()
    data.setText("hello")
    assert not drop(panel.list.viewport(), data, between(panel, 1))


def test_added_edit_goes_behind_the_selected_one_and_is_selected(made):
    on, panel = made
    click(panel, 1)
    next(action for action in panel.add_menu.actions() if action.text() == "Trim").trigger()
    assert on.edits() == [Lift(1.0), Trim(), Lift(2.0), Broken()]
    assert on.view.layer == on.layers()[1].id
    click(panel, 0)
    next(action for action in panel.add_menu.actions() if action.text() == "Foot clean-up").trigger()
    assert on.edits()[-1] == FootCleanUp()


def test_menu_offers_every_kind_that_a_form_can_fill_once_under_headings(made):
    _, panel = made
    offered = [action.text() for action in panel.add_menu.actions() if action.data() is not None]
    made_elsewhere = {"contact_corrections", "target_poses", "curve_keys"}  # in timeline, viewport and curve editor
    assert sorted(offered) == sorted(kind.title for kind in EDITS.values() if kind.kind not in made_elsewhere)
    headings = [action.text() for action in panel.add_menu.actions() if action.data() is None and action.text()]
    assert headings[0] == "Time"
    assert len(headings) == len(set(headings))


def test_unknown_edit_has_no_switch_and_can_be_removed(application):
    clip = Clip("1", "Clip", Made(), (Layer("e0", Unknown("wings", "{}")),))
    on, panel = opened(Project((clip,), 5))
    assert row(panel, 1).on is None
    click(panel, 1)
    QTest.keyClick(panel.list, Qt.Key.Key_Return)
    assert on.document.steps == ()
    QTest.keyClick(panel.list, Qt.Key.Key_Delete)
    assert on.edits() == []


def test_several_selected_edits_stay_selected_when_something_changes(made):
    on, panel = made
    click(panel, 1)
    click(panel, 2, Qt.KeyboardModifier.ControlModifier)
    QTest.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=switch_of(panel, 3))
    assert on.layers()[2].on is False
    assert len(panel.list.selectedItems()) == 2


def test_without_a_clip_it_says_what_it_is_for(application):
    _, panel = opened(Project())
    assert panel._empty.isVisible()
    assert not panel.list.isVisible()
