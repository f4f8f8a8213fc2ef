"""The lane of extremes under a hand: visit, add, drag, pin and delete, each one step of undo."""

from dataclasses import replace
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest

from editor.extrema.edit import ExtremePoses
from editor.extrema.find import extremes_of
from editor.stack.layers import add_edit, change_edit
from editor.timing.edit import Retime, Trim
from tests.activating import activate
from tests.stacks import Lift
from tests.widgets.extrema.desk import FPS, desk
from tests.widgets.timeline.shown import drag, move, press, release
from widgets.common.theme import DARK, LIGHT, apply_theme, colour
from widgets.extrema.joint_lane import JointExtremesLane, joints_in_order
from widgets.extrema.lane import ExtremeLane
from widgets.extrema.measure_lane import MeasureLane
from widgets.timeline.timeline import Timeline

KEY = Qt.Key
ALT = Qt.KeyboardModifier.AltModifier


class Hand:
    """A timeline with the lane, and the places of frames in it."""

    def __init__(self, application, *edits):
        self.application = application
        self.desk = desk(*edits)
        self.timeline = Timeline(self.desk.document, self.desk.session, self.desk.showing)
        self.lane = ExtremeLane(self.desk.extrema, self.desk.session, self.timeline)
        self.view = self.timeline.add_lane(self.lane, at=40)
        self.measure = self.timeline.add_lane(MeasureLane(self.desk.extrema, self.timeline), at=60)
        self.joints = self.timeline.add_lane(
            JointExtremesLane(self.desk.extrema, self.desk.session, self.timeline), at=70
        )
        self.timeline.resize(1100, 420)
        self.timeline.show()
        activate(self.timeline)
        application.processEvents()
        self.view.grab()  # draws: pictures have their places

    def x(self, frame):
        return self.timeline.axis.scale.x_of(frame / FPS)

    @property
    def y(self):
        """Where the diamonds are."""
        return self.view.height() - 9

    @property
    def frame(self):
        return pytest.approx(self.desk.session.view.time_s * FPS)

    def key(self, key, modifiers=Qt.KeyboardModifier.NoModifier):
        self.view.setFocus()
        QTest.keyClick(self.view, key, modifiers)


@pytest.fixture
def hand(application):
    return Hand(application)


def test_click_goes_to_an_extreme_and_selects_it_without_a_step(hand):
    press(hand.view, hand.x(22) + 3, hand.y)
    release(hand.view, hand.x(22) + 3, hand.y)
    assert hand.frame == 22
    assert hand.desk.extrema.selected == hand.desk.at(22)
    assert hand.desk.document.steps == ()


def test_click_on_a_picture_goes_to_its_extreme(hand):
    placed = next(one for one in hand.lane._placed if one.extreme == hand.desk.at(37))
    press(hand.view, placed.box.center().x(), placed.box.center().y())
    assert hand.frame == 37


def test_drag_moves_an_extreme_as_one_step(hand):
    drag(hand.view, hand.x(22), hand.x(27), hand.y)
    assert hand.desk.frames == [7, 27, 37, 52, 74]
    assert hand.desk.document.undo_text == "Move extreme pose to 0.90 s"
    assert len(hand.desk.document.steps) == 1
    assert hand.frame == 27
    hand.desk.document.undo()
    assert hand.desk.frames == [7, 22, 37, 52, 74]


def test_drag_is_seen_while_it_lasts_and_escape_leaves_no_trace(hand):
    before = hand.desk.document.committed
    press(hand.view, hand.x(22), hand.y)
    move(hand.view, hand.x(24), hand.y)
    move(hand.view, hand.x(29), hand.y)
    assert 29 in hand.desk.frames
    assert 22 not in hand.desk.frames
    QTest.keyClick(hand.view, KEY.Key_Escape)
    release(hand.view, hand.x(29), hand.y)
    assert hand.desk.frames == [7, 22, 37, 52, 74]
    assert hand.desk.document.project is before
    assert hand.desk.document.steps == ()


def test_drag_of_an_extreme_that_was_moved_goes_on_from_there(hand):
    drag(hand.view, hand.x(22), hand.x(27), hand.y)
    drag(hand.view, hand.x(27), hand.x(30), hand.y)
    assert hand.desk.frames == [7, 30, 37, 52, 74]
    (correction,) = hand.desk.extrema.edit.corrections
    assert (round(correction.time_s * FPS), round(correction.to_s * FPS)) == (22, 30)


@pytest.mark.parametrize(("to_x", "frame"), [(-400, 1), (5000, 89)])
def test_drag_beyond_the_ends_stops_beside_their_marks(hand, to_x, frame):
    drag(hand.view, hand.x(22), to_x, hand.y)
    assert frame in hand.desk.frames
    assert 22 not in hand.desk.frames
    assert [one.kind.value for one in hand.desk.extrema.extremes].count("first") == 1
    hand.desk.document.undo()
    assert hand.desk.frames == [7, 22, 37, 52, 74]


def test_arrows_stop_beside_the_ends_too(hand):
    drag(hand.view, hand.x(7), hand.x(1), hand.y)
    hand.key(KEY.Key_Left, ALT)
    assert hand.desk.frames[0] == 1
    assert len(hand.desk.document.steps) == 1


@pytest.mark.parametrize("edits", [(Retime(((0.0, 0.5),)), ExtremePoses()), (ExtremePoses(), Retime(((0.0, 0.5),)))])
def test_drag_in_a_clip_at_half_speed_is_kept_in_the_source_s_time(application, edits):
    hand = Hand(application, *edits)
    before = hand.desk.extrema.extremes
    one = min(before, key=lambda one: abs(one.time_s - 44 / FPS))
    at = one.time_s * FPS
    drag(hand.view, hand.x(at), hand.x(54), hand.y)
    (correction,) = hand.desk.extrema.edit.corrections
    assert correction.time_s * FPS == pytest.approx(at / 2)
    assert correction.to_s * FPS == pytest.approx(27, abs=0.01)
    assert any(frame == pytest.approx(54, abs=0.01) for frame in hand.desk.frames)
    assert hand.desk.extrema.extremes == extremes_of(hand.desk.showing.current.final).found
    hand.desk.document.undo()
    assert hand.desk.extrema.extremes == before


def test_what_an_empty_lane_says_starts_clear_of_the_line_of_the_first_frame(application):
    hand = Hand(application)
    hand.lane._extrema._extremes = None
    said = []

    class Painter(QPainter):
        def drawText(self, *arguments):  # noqa: N802  Qt's name
            said.append(arguments)

    image = QImage(hand.view.size(), QImage.Format.Format_ARGB32)
    painter = Painter(image)
    hand.view.paint_picture(painter)
    painter.end()
    left = next(arguments[0].left() for arguments in said if arguments[-1] == hand.lane.nothing)
    assert left > hand.x(0) + 4


def test_ends_of_the_motion_are_visited_but_not_moved(hand):
    drag(hand.view, hand.x(0), hand.x(4), hand.y)
    assert hand.desk.document.steps == ()
    assert hand.frame == 0


def test_double_click_on_an_empty_place_adds_an_extreme_there(hand):
    QTest.mouseDClick(hand.view, Qt.MouseButton.LeftButton, pos=QPoint(round(hand.x(30)), hand.y))
    assert hand.desk.frames == [7, 22, 30, 37, 52, 74]
    assert hand.desk.extrema.selected == hand.desk.at(30)
    assert hand.frame == 30
    assert len(hand.desk.document.steps) == 1


def test_double_click_on_an_extreme_edits_its_pose_and_adds_none(hand):
    wanted = []
    hand.lane.edit_wanted.connect(lambda: wanted.append(hand.frame))
    QTest.mouseDClick(hand.view, Qt.MouseButton.LeftButton, pos=QPoint(round(hand.x(22)), hand.y))
    assert hand.desk.document.steps == ()
    assert wanted == [22]


@pytest.mark.parametrize("key", [KEY.Key_Delete, KEY.Key_Backspace])
def test_delete_removes_the_selected_extreme(hand, key):
    press(hand.view, hand.x(22), hand.y)
    release(hand.view, hand.x(22), hand.y)
    hand.key(key)
    assert hand.desk.frames == [7, 37, 52, 74]
    assert hand.desk.document.undo_text == "Remove extreme pose at 0.73 s"
    hand.key(key)
    assert len(hand.desk.document.steps) == 1, "none is selected any more"


def test_pin_keeps_an_extreme_however_few_are_wanted(application):
    hand = Hand(application, ExtremePoses())
    press(hand.view, hand.x(37), hand.y)
    release(hand.view, hand.x(37), hand.y)
    hand.key(KEY.Key_P)
    assert hand.desk.at(37).pinned
    hand.desk.document.do(change_edit, "1", "e0", replace(hand.desk.extrema.edit, level=0.0))
    assert hand.desk.frames == [7, 37, 74]
    hand.key(KEY.Key_P)
    assert hand.desk.frames == [7, 74]


def test_menu_offers_what_can_be_done(hand):
    def offered(frame):
        menu = hand.view.menu_at(QPointF(hand.x(frame), hand.y))
        return {action.text(): action for action in menu.actions()}

    offered(30)["Add extreme here"].trigger()
    assert 30 in hand.desk.frames
    assert "Pin extreme" not in offered(30), "what was added is there anyway"
    offered(52)["Pin extreme"].trigger()
    assert hand.desk.at(52).pinned
    offered(52)["Unpin extreme"].trigger()
    assert not hand.desk.at(52).pinned
    offered(52)["Remove extreme"].trigger()
    assert 52 not in hand.desk.frames
    offered(22)["Go to extreme"].trigger()
    assert hand.frame == 22
    drag(hand.view, hand.x(22), hand.x(26), hand.y)
    offered(26)["Put back where it was found"].trigger()
    assert 22 in hand.desk.frames


def test_arrows_move_the_selected_extreme_by_frames_as_one_step(hand):
    press(hand.view, hand.x(22), hand.y)
    release(hand.view, hand.x(22), hand.y)
    hand.key(KEY.Key_Right, ALT)
    hand.key(KEY.Key_Right, ALT)
    assert 24 in hand.desk.frames
    assert len(hand.desk.document.steps) == 1


def test_keyboard_alone_selects_visits_and_adds(hand):
    hand.view.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(hand.view, KEY.Key_Right)
    QTest.keyClick(hand.view, KEY.Key_Right)
    assert hand.desk.extrema.selected == hand.desk.at(7)
    QTest.keyClick(hand.view, KEY.Key_Return)
    assert hand.frame == 7
    hand.desk.session.look(time_s=30 / FPS)
    QTest.keyClick(hand.view, KEY.Key_Insert)
    assert 30 in hand.desk.frames
    QTest.keyClick(hand.view, KEY.Key_Escape)
    assert hand.desk.extrema.selected is None


def test_tip_tells_frame_time_prominence_and_kind(hand):
    hit = hand.view.hit(QPointF(hand.x(22), hand.y))
    assert hit.tip.startswith("Extreme pose, frame 22, 0.73 s, prominence 0.2")
    hold = hand.view.hit(QPointF(hand.x(68), hand.y))
    assert hold.tip.startswith("Hold, frame 74, 2.47 s, held for")


def test_corrections_speak_of_the_source_after_a_trim(application):
    hand = Hand(application, Trim(start_s=0.5))
    drag(hand.view, hand.x(22 - 15), hand.x(26 - 15), hand.y)
    (correction,) = hand.desk.document.project.clip("1").layers[0].edit.corrections
    assert (round(correction.time_s * FPS), round(correction.to_s * FPS)) == (22, 26)


# Drawing


def count(view, name):
    """How many pixels have a colour of the theme."""
    image = view.grab().toImage()
    wanted = colour(name).rgb()
    return sum(image.pixel(x, y) == wanted for x in range(image.width()) for y in range(image.height()))


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=["dark", "light"])
def test_diamonds_and_figures_have_the_colours_of_the_theme(hand, theme):
    apply_theme(hand.application, theme)
    hand.application.processEvents()
    try:
        assert count(hand.view, "extreme") > 100
        assert count(hand.view, "left") > 20
        assert count(hand.view, "right") > 20
    finally:
        apply_theme(hand.application, DARK)


def test_pictures_never_overlap_and_what_stands_out_has_one_first(hand):
    hand.desk.extrema.add(25 / FPS)
    hand.timeline.resize(420, 420)
    hand.application.processEvents()
    hand.view.grab()
    boxes = sorted((one.box for one in hand.lane._placed), key=lambda box: box.left())
    assert 1 < len(boxes) < len(hand.desk.extrema.extremes)
    assert all(one.right() < other.left() for one, other in pairwise(boxes))
    assert hand.desk.at(7) in [one.extreme for one in hand.lane._placed]


def test_figures_follow_a_motion_when_hands_rest(hand):
    before = hand.lane._pictured
    hand.desk.document.do(add_edit, "1", Lift(by_m=0.2))
    take = hand.desk.showing.current.take
    assert hand.lane._pictured is before, "a hand that changes the motion does not wait for pictures"
    while hand.lane._pictured is before:
        hand.application.processEvents()
    assert hand.lane._pictured is take
    hand.desk.settle()
    assert hand.desk.frames == [7, 22, 37, 52, 74]


def test_folded_lane_shows_small_diamonds_that_cannot_be_grabbed(hand):
    hand.view.set_folded(True)
    assert hand.view.height() == 24
    assert count(hand.view, "extreme") > 20
    assert hand.view.hit(QPointF(hand.x(22), 12)) is None


def test_measure_is_drawn_large_and_small(hand):
    small = count(hand.measure, "panel")
    assert hand.measure.folded
    assert hand.measure.height() == 24
    hand.measure.set_folded(False)
    assert hand.measure.height() == 40
    assert count(hand.measure, "panel") != small


# Joints


def unfolded(hand):
    hand.joints.set_folded(False)
    hand.desk.extrema._timer.start(0)
    while hand.desk.extrema.joint_extremes() is None:
        hand.application.processEvents()
    hand.application.processEvents()
    return hand.joints.lane


def test_rows_of_joints_are_in_the_order_of_the_body(hand):
    lane = unfolded(hand)
    names = [row.name for row in lane.rows]
    assert names[0] == "Pelvis"
    order = [names.index(name) for name in ("Head", "Left elbow", "Right elbow", "Left knee", "Right knee")]
    assert order == sorted(order)
    colours = {row.name: row.colour for row in lane.rows}
    assert (colours["Left knee"], colours["Right knee"], colours["Head"]) == ("left", "right", "centre")


def test_click_on_a_joints_extreme_goes_there_and_selects_the_joint(hand):
    lane = unfolded(hand)
    row = [one.name for one in lane.rows].index("Left hip")
    press(hand.joints, hand.x(22), 24 + 16 * row + 8)
    skeleton = hand.desk.showing.current.take.motion.skeleton
    assert hand.desk.session.view.joints == (skeleton.ref(skeleton.find("LeftUpLeg")),)
    assert abs(hand.desk.session.view.time_s * FPS - 22) < 1.5


def test_folded_joints_are_not_looked_for(hand):
    lane = unfolded(hand)
    assert lane.rows
    hand.joints.set_folded(True)
    assert lane.rows == ()
    assert not hand.desk.extrema._wants_joints
    assert lane.nothing == "Unfold to see when each joint turns back"


def test_lane_grows_into_room_that_no_other_needs(hand, application):
    """Figures are larger in a tall timeline; where it is low, nothing is pushed out of sight."""
    small, large = hand.lane.row_height, hand.lane.most_height

    def height_at(timeline_height):
        hand.timeline.resize(1100, timeline_height)
        application.processEvents()
        return hand.view.height()

    assert [height_at(one) for one in (160, 800, 160)] == [small, large, small]
    between = next(one for one in range(160, 800, 4) if small < height_at(one) < large)
    assert height_at(between) - small == hand.timeline._area.viewport().height() - sum(
        view.needed for view in hand.timeline.lanes
    )
    hand.view.set_folded(True)
    assert hand.view.height() == hand.view.needed
    hand.view.set_folded(False)
    assert height_at(between) > small


def test_body_without_roles_shows_all_its_joints():
    from model.skeleton import Skeleton
    from tests.clips import figure

    known = figure()
    bare = Skeleton(known.names, known.parents, known.offsets, known.end_sites, (None,) * len(known))
    assert joints_in_order(bare) == tuple(range(len(bare)))
    assert len(joints_in_order(known)) < len(known)
