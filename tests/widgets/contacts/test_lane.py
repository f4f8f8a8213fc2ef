"""Contacts under a hand: dragged, added, deleted, by mouse and keyboard; one step of undo each, and Esc leaves none."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

from editor.contacts.edit import ContactCorrections, FootCleanUp
from editor.stack.clips import delete_clips
from editor.timing.edit import Trim
from tests.widgets.timeline.shown import LEFT, RIGHT, Standing, drag, move, press, release, shown_timeline

KEY, SHIFT, ALT = Qt.Key, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier
NONE = Qt.KeyboardModifier.NoModifier
LEFT_Y, RIGHT_Y = 36, 60  # the middles of the rows


class Hand:
    """A timeline of a clip and the lane of its contacts."""

    def __init__(self, application, *edits, source=None, width=1000):
        self.application = application
        self.shown, self.timeline = shown_timeline(application, *edits, source=source, width=width)
        self.view = self.timeline.lanes[0]
        self.lane = self.view.lane
        self.document = self.shown.document

    def x(self, frame):
        return self.timeline.axis.scale.x_of(frame * self.timeline.axis.scale.frame_time_s)

    def contacts(self, limb):
        return self.shown.contacts(limb)

    def drag(self, start, stop, y, modifiers=NONE, beside=0.0):
        """Drag from one frame to another; beside : so many pixels off."""
        drag(self.view, self.x(start) + beside, self.x(stop) + beside, y, modifiers)

    def key(self, key, modifiers=NONE):
        QTest.keyClick(self.view, key, modifiers)

    def tab_to(self):
        self.view.setFocus(Qt.FocusReason.TabFocusReason)
        self.application.processEvents()
        assert self.view.hasFocus()


@pytest.fixture
def hand(application):
    return Hand(application)


# Dragging


def test_end_of_a_contact_is_dragged_in_one_step(hand):
    hand.drag(30, 36, LEFT_Y, beside=2)
    assert hand.contacts(LEFT) == [(10, 36), (50, 70)]
    assert len(hand.document.steps) == 1
    assert hand.document.undo_text == "Correct contacts"
    assert not hand.document.is_previewing


def test_start_of_a_contact_is_dragged(hand):
    hand.drag(25, 20, RIGHT_Y, beside=-2)
    assert hand.contacts(RIGHT) == [(20, 55), (80, 90)]


def test_middle_of_a_contact_moves_it_whole(hand):
    hand.drag(20, 23, LEFT_Y)
    assert hand.contacts(LEFT) == [(13, 33), (50, 70)]


def test_undo_and_redo_restore_the_contacts(hand):
    hand.drag(30, 36, LEFT_Y)
    hand.document.undo()
    assert hand.contacts(LEFT) == [(10, 30), (50, 70)]
    assert hand.document.project.clip("1").layers == ()
    hand.document.redo()
    assert hand.contacts(LEFT) == [(10, 36), (50, 70)]


def test_drag_shows_its_effect_and_escape_leaves_no_trace(hand):
    before = hand.document.project
    press(hand.view, hand.x(30), LEFT_Y)
    move(hand.view, hand.x(38), LEFT_Y)
    assert hand.contacts(LEFT)[0] == (10, 38)
    assert hand.lane.bars[0].stop_s == pytest.approx(38 / 30)
    hand.key(KEY.Key_Escape)
    assert hand.document.project is before
    assert hand.document.steps == ()
    assert hand.contacts(LEFT)[0] == (10, 30)
    assert hand.lane.bars[0].stop_s == pytest.approx(1.0)
    move(hand.view, hand.x(45), LEFT_Y)
    release(hand.view, hand.x(45), LEFT_Y)
    assert hand.document.project is before


def test_drag_there_and_back_is_no_step(hand):
    press(hand.view, hand.x(30), LEFT_Y)
    for frame in (34, 30):
        move(hand.view, hand.x(frame), LEFT_Y)
    release(hand.view, hand.x(30), LEFT_Y)
    assert hand.document.steps == ()
    assert not hand.document.is_previewing


def test_click_selects_and_changes_nothing(hand):
    press(hand.view, hand.x(60), LEFT_Y)
    move(hand.view, hand.x(60) + 1, LEFT_Y)
    release(hand.view, hand.x(60) + 1, LEFT_Y)
    assert hand.lane.selected.start_s == pytest.approx(50 / 30)
    assert hand.document.steps == ()
    assert hand.shown.session.view.time_s == 0.0
    press(hand.view, hand.x(42), LEFT_Y)
    assert hand.lane.selected is None


def test_contact_keeps_a_frame_and_stays_within_the_take(hand):
    hand.drag(10, 300, LEFT_Y)
    assert hand.contacts(LEFT)[0] == (29, 30)
    hand.drag(85, 400, RIGHT_Y)
    assert hand.contacts(RIGHT)[1] == (80, 90)
    hand.drag(40, -400, RIGHT_Y)
    assert hand.contacts(RIGHT)[0] == (0, 30)


def test_contact_dragged_onto_its_neighbour_joins_it(hand):
    hand.drag(30, 52, LEFT_Y)
    assert hand.contacts(LEFT) == [(10, 70)]


def test_drags_add_up_in_one_edit(hand):
    hand.drag(30, 36, LEFT_Y)
    hand.drag(36, 33, LEFT_Y)
    hand.drag(20, 22, LEFT_Y)
    assert hand.contacts(LEFT) == [(12, 35), (50, 70)]
    assert len(hand.document.steps) == 3
    (layer,) = hand.document.project.clip("1").layers
    assert isinstance(layer.edit, ContactCorrections)


def test_source_times_are_told_behind_a_trim(application):
    hand = Hand(application, Trim(0.5, 2.5))
    assert hand.contacts(LEFT) == [(0, 15), (35, 55)]
    hand.drag(55, 58, LEFT_Y)
    assert hand.contacts(LEFT) == [(0, 15), (35, 58)]
    assert len(hand.document.steps) == 1
    edit = hand.document.project.clip("1").layers[0].edit
    told = [(one.limb, one.touches, pytest.approx(one.start_s), pytest.approx(one.stop_s)) for one in edit.corrections]
    assert told == [(LEFT, False, 50 / 30, 70 / 30), (LEFT, True, 50 / 30, 73 / 30)]


def test_edges_snap_to_the_playhead_and_other_contacts_where_frames_are_narrow(application):
    hand = Hand(application, source=Standing(3000, 120.0, ((LEFT, 500, 1000), (RIGHT, 1501, 1800))))
    hand.drag(1000, 1501, LEFT_Y, beside=-3)
    assert hand.contacts(LEFT) == [(500, 1501)]
    hand.document.undo()
    hand.shown.session.look(time_s=1303 / 120)
    press(hand.view, hand.x(1000), LEFT_Y)
    move(hand.view, hand.x(1303) + 4, LEFT_Y)
    release(hand.view, hand.x(1303) + 4, LEFT_Y)
    assert hand.contacts(LEFT) == [(500, 1303)]
    hand.document.undo()
    press(hand.view, hand.x(1000), LEFT_Y, ALT)
    move(hand.view, hand.x(1303) + 4, LEFT_Y, ALT)
    release(hand.view, hand.x(1303) + 4, LEFT_Y, ALT)
    assert hand.contacts(LEFT)[0][1] > 1305


def test_bar_stays_where_it_is_put_until_its_take_is_worked_out(hand):
    hand.shown.evaluations.held_back = True
    press(hand.view, hand.x(30), LEFT_Y)
    for frame in (33, 36):
        move(hand.view, hand.x(frame), LEFT_Y)
        assert hand.lane.bars[0].stop_s == pytest.approx(frame / 30)
    hand.shown.evaluations.let_go()
    assert hand.lane.bars[0].stop_s == pytest.approx(36 / 30)
    move(hand.view, hand.x(38), LEFT_Y)
    release(hand.view, hand.x(38), LEFT_Y)
    assert hand.contacts(LEFT)[0] == (10, 36), "not worked out yet"
    assert hand.lane.bars[0].stop_s == pytest.approx(38 / 30)
    hand.shown.evaluations.let_go()
    assert hand.contacts(LEFT)[0] == (10, 38)
    assert hand.lane.bars[0].stop_s == pytest.approx(38 / 30)
    hand.shown.evaluations.held_back = False
    hand.drag(38, 34, LEFT_Y)
    assert hand.contacts(LEFT)[0] == (10, 34)


def test_clip_that_goes_away_under_the_hand_ends_the_drag(hand):
    press(hand.view, hand.x(30), LEFT_Y)
    move(hand.view, hand.x(36), LEFT_Y)
    hand.document.do(delete_clips, ("1",))
    move(hand.view, hand.x(38), LEFT_Y)
    release(hand.view, hand.x(38), LEFT_Y)
    assert hand.document.project.clips == ()
    assert hand.lane.bars == ()
    hand.document.undo()
    assert hand.contacts(LEFT) == [(10, 30), (50, 70)]


def test_edge_shows_a_resize_cursor_and_the_bar_a_hand(hand):
    for frame, shape in (
        (30, Qt.CursorShape.SizeHorCursor), (20, Qt.CursorShape.OpenHandCursor), (40, Qt.CursorShape.ArrowCursor),
    ):  # fmt: skip
        move(hand.view, hand.x(frame), LEFT_Y, button=Qt.MouseButton.NoButton)
        assert hand.view.cursor().shape() == shape


@pytest.mark.parametrize("off", [-4, 0, 4])
def test_edges_can_be_grabbed_eight_pixels_wide(hand, off):
    hand.drag(30, 36, LEFT_Y, beside=off)
    assert hand.contacts(LEFT)[0] == (10, 36)


def test_contacts_come_before_the_edits_that_need_them(application):
    hand = Hand(application, FootCleanUp())
    hand.drag(30, 36, LEFT_Y)
    layers = hand.document.project.clip("1").layers
    assert [type(layer.edit) for layer in layers] == [ContactCorrections, FootCleanUp]


# Adding and deleting


def test_double_click_adds_a_contact_of_its_own(hand):
    at = QPoint(round(hand.x(40.5)), LEFT_Y)
    QTest.mouseDClick(hand.view, Qt.MouseButton.LeftButton, NONE, at)
    assert hand.contacts(LEFT) == [(10, 30), (36, 45), (50, 70)]
    assert len(hand.document.steps) == 1
    assert hand.lane.selected.start_s == pytest.approx(36 / 30)
    hand.document.undo()
    assert hand.contacts(LEFT) == [(10, 30), (50, 70)]


def test_double_click_on_a_contact_adds_none(hand):
    QTest.mouseDClick(hand.view, Qt.MouseButton.LeftButton, NONE, QPoint(round(hand.x(20)), LEFT_Y))
    assert hand.document.steps == ()


def test_double_click_near_the_end_stays_within_the_take(hand):
    QTest.mouseDClick(hand.view, Qt.MouseButton.LeftButton, NONE, QPoint(round(hand.x(89)), LEFT_Y))
    assert hand.contacts(LEFT)[-1] == (81, 90)


def test_take_shorter_than_a_new_contact_gets_one_all_along(application):
    hand = Hand(application, source=Standing(1, 30.0, ()))
    QTest.mouseDClick(hand.view, Qt.MouseButton.LeftButton, NONE, QPoint(500, LEFT_Y))
    assert hand.contacts(LEFT) == [(0, 1)]


@pytest.mark.parametrize("key", [KEY.Key_Delete, KEY.Key_Backspace])
def test_delete_removes_the_selected_contact(hand, key):
    hand.drag(60, 60, LEFT_Y)
    hand.key(key)
    assert hand.contacts(LEFT) == [(10, 30)]
    assert len(hand.document.steps) == 1
    hand.key(key)
    assert len(hand.document.steps) == 1, "nothing is selected any more"
    hand.document.undo()
    assert hand.contacts(LEFT) == [(10, 30), (50, 70)]


def test_delete_behind_a_trim_removes_what_was_cut_off_too(application):
    hand = Hand(application, Trim(0.5, 2.5))
    hand.drag(7, 7, LEFT_Y)
    hand.key(KEY.Key_Delete)
    assert hand.contacts(LEFT) == [(35, 55)]
    assert [one.start for one in hand.shown.showing.current.stages[1].take.contacts.limbs[LEFT]] == [50]


# The keyboard


def test_arrows_select_where_one_came_by_tab(hand):
    hand.tab_to()
    hand.key(KEY.Key_Right)
    assert hand.lane.selected.start_s == pytest.approx(10 / 30), "the nearest to the playhead first"
    hand.key(KEY.Key_Right)
    assert hand.lane.selected.start_s == pytest.approx(50 / 30)
    hand.key(KEY.Key_Right)
    assert hand.lane.selected.start_s == pytest.approx(50 / 30)
    hand.key(KEY.Key_Down)
    assert (hand.lane.selected.limb, hand.lane.selected.start_s) == (RIGHT, pytest.approx(25 / 30))
    hand.key(KEY.Key_Up)
    assert hand.lane.selected.limb == LEFT
    hand.key(KEY.Key_Left)
    assert hand.shown.session.view.time_s == 0.0, "the playhead stays"


def test_arrows_step_where_one_came_by_mouse(hand):
    hand.drag(20, 20, LEFT_Y)
    hand.key(KEY.Key_Right)
    assert hand.shown.session.view.time_s == pytest.approx(1 / 30)
    assert hand.lane.selected.start_s == pytest.approx(10 / 30)


@pytest.mark.parametrize(
    ("key", "modifiers", "contact"),
    [
        (KEY.Key_Left, ALT, (9, 30)),
        (KEY.Key_Right, ALT, (11, 30)),
        (KEY.Key_Left, ALT | SHIFT, (10, 29)),
        (KEY.Key_Right, ALT | SHIFT, (10, 31)),
    ],
)
def test_alt_and_arrows_nudge_the_edges(hand, key, modifiers, contact):
    hand.tab_to()
    hand.key(KEY.Key_Right)
    hand.key(key, modifiers)
    assert hand.contacts(LEFT) == [contact, (50, 70)]
    assert len(hand.document.steps) == 1


def test_nudged_contact_keeps_a_frame(application):
    hand = Hand(application, source=Standing(steps=((LEFT, 88, 90),)))
    hand.tab_to()
    hand.key(KEY.Key_Right)
    for _ in range(3):
        hand.key(KEY.Key_Right, ALT)
        hand.key(KEY.Key_Right, ALT | SHIFT)
    assert hand.contacts(LEFT) == [(89, 90)]


def test_insert_adds_at_the_playhead_in_the_row(hand):
    hand.shown.session.look(time_s=70 / 30)
    hand.tab_to()
    hand.key(KEY.Key_Down)
    hand.key(KEY.Key_Down)
    hand.key(KEY.Key_Insert)
    assert hand.contacts(RIGHT) == [(25, 55), (66, 75), (80, 90)]


def test_row_without_contacts_can_be_given_one_by_keyboard(application):
    hand = Hand(application, source=Standing(steps=()))
    hand.shown.session.look(time_s=1.0)
    hand.tab_to()
    for key in (KEY.Key_Right, KEY.Key_Delete, KEY.Key_Insert):
        hand.key(key)
    assert hand.contacts(LEFT) == [(26, 35)]


def test_escape_selects_nothing(hand):
    hand.drag(20, 20, LEFT_Y)
    hand.key(KEY.Key_Escape)
    assert hand.lane.selected is None


def test_selection_is_told_to_those_who_do_not_see_it(hand):
    assert "Left foot 2, Right foot 2" in hand.view.accessibleDescription()
    hand.tab_to()
    hand.key(KEY.Key_Right)
    assert "selected: Left foot, frames 10 to 29, 0.67 s" in hand.view.accessibleDescription()


def test_focus_is_seen_and_hides_nothing(hand):
    def place_between():
        return hand.view.grab().toImage().pixelColor(round(hand.x(40) * hand.view.devicePixelRatioF()), LEFT_Y)

    hand.view.setFocus(Qt.FocusReason.MouseFocusReason)
    before, plain = place_between(), hand.view.grab().toImage()
    hand.view.clearFocus()
    hand.tab_to()
    assert place_between() == before
    assert hand.view.grab().toImage() != plain


# The menu


def choose(hand, frame, y, text):
    """Open the menu at a place and choose from it."""
    menu = hand.view.menu_at(QPointF(hand.x(frame), y))
    (action,) = [action for action in menu.actions() if action.text() == text]
    action.trigger()
    menu.deleteLater()


def test_menu_adds_and_deletes(hand):
    choose(hand, 40.5, LEFT_Y, "Add contact here")
    assert hand.contacts(LEFT) == [(10, 30), (36, 45), (50, 70)]
    choose(hand, 20, LEFT_Y, "Delete contact")
    assert hand.contacts(LEFT) == [(36, 45), (50, 70)]
    assert len(hand.document.steps) == 2


def test_hands_can_be_shown_and_given_contacts(hand):
    choose(hand, 40, LEFT_Y, "Show hands")
    assert [row.name for row in hand.lane.rows] == ["Left foot", "Right foot", "Left hand", "Right hand"]
    choose(hand, 40.5, RIGHT_Y + 24, "Add contact here")
    choose(hand, 40, LEFT_Y, "Hide hands")
    assert [row.name for row in hand.lane.rows] == ["Left foot", "Right foot", "Left hand"]
    assert hand.contacts("left_hand") == [(36, 45)]


# Rows


def test_rows_are_those_of_feet_and_of_hands_that_touch(application):
    hand = Hand(application, source=Standing(steps=(("left_hand", 3, 9),)))
    assert [(row.name, row.colour) for row in hand.lane.rows] == [
        ("Left foot", "left"), ("Right foot", "right"), ("Left hand", "left")
    ]  # fmt: skip
    hand.drag(9, 12, RIGHT_Y + 24)
    assert hand.contacts("left_hand") == [(3, 12)]


def test_selected_edit_decides_whose_contacts_are_shown(application):
    hand = Hand(application, Trim(0.5, 2.5), Trim(1.0, None))
    assert hand.lane.bars[0].stop_s < 50 / 30
    hand.shown.session.look(layer="e0")
    assert [round(bar.start_s * 30) for bar in hand.lane.bars] == [0, 35, 10]
    hand.drag(55, 58, LEFT_Y)
    assert hand.document.project.clip("1").layers[0].edit.corrections[1].stop_s == pytest.approx(73 / 30)
