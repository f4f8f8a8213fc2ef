"""The lane of target poses: go to one, move it, change its slopes, remove it."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from editor.posing.commands import set_pose, set_poses
from editor.posing.edit import TargetPose, TargetPoses
from model.roles import Role
from model.skeleton import JointRef
from tests.stacks import Cut
from tests.widgets.timeline.shown import drag, move, press, release, shown_timeline
from widgets.common.theme import colour
from widgets.posing.lane import PoseLane
from widgets.timeline.lane_view import TITLE_HEIGHT

HEAD = JointRef("Head", Role.HEAD)
NOD = ((HEAD, (0.3, 0.0, 0.0)),)
TIMES = (0.5, 1.0, 2.0)


def poses(*times):
    return TargetPoses(tuple(TargetPose(time, NOD, before_s=0.2, after_s=0.3) for time in times))


class On:
    def __init__(self, application, *edits):
        self.shown, self.timeline = shown_timeline(application, *(edits or (poses(*TIMES),)))
        self.lane = PoseLane(self.shown.document, self.shown.session, self.shown.showing, self.timeline)
        self.view = self.timeline.add_lane(self.lane, at=30)
        application.processEvents()
        self.document, self.session = self.shown.document, self.shown.session

    def x(self, time_s):
        return self.timeline.axis.scale.x_of(time_s)

    @property
    def y(self):
        return TITLE_HEIGHT / 2

    @property
    def times(self):
        (layer,) = [one for one in self.document.project.clip("1").layers if isinstance(one.edit, TargetPoses)]
        return [round(pose.time_s, 6) for pose in layer.edit.poses]

    def pose(self, place):
        (layer,) = [one for one in self.document.project.clip("1").layers if isinstance(one.edit, TargetPoses)]
        return layer.edit.poses[place]


def test_poses_of_the_clip_are_marks_at_their_moments(application):
    on = On(application)
    assert [mark.time_s for mark in on.lane.marks] == list(TIMES)
    assert on.view.height() == TITLE_HEIGHT
    assert on.timeline.lanes[0] is on.view


def test_click_goes_to_the_pose_and_selects_its_edit(application):
    on = On(application)
    press(on.view, on.x(1.0), on.y)
    release(on.view, on.x(1.0), on.y)
    assert on.session.view.time_s == pytest.approx(1.0)
    assert on.session.view.layer == "e0"
    assert on.lane.selected.time_s == pytest.approx(1.0)
    assert on.document.steps == ()


def test_drag_moves_it_to_a_frame_in_one_step_and_goes_along(application):
    on = On(application)
    start = on.document.committed
    drag(on.view, on.x(1.0), on.x(1.418), on.y)
    assert on.times == [0.5, pytest.approx(43 / 30, abs=1e-6), 2.0]
    assert [step.sentence for step in on.document.steps] == ["Move pose at 1.00 s by +0.43 s"]
    assert on.session.view.time_s == pytest.approx(43 / 30)
    on.document.undo()
    assert on.document.committed is start


def test_escape_puts_it_back(application):
    on = On(application)
    start = on.document.committed
    press(on.view, on.x(1.0), on.y)
    move(on.view, on.x(1.3), on.y)
    assert on.times != list(TIMES)
    QTest.keyClick(on.view, Qt.Key.Key_Escape)
    release(on.view, on.x(1.3), on.y)
    assert on.document.project is start
    assert on.document.steps == ()
    assert on.lane.selected.time_s == pytest.approx(1.0)


def test_pose_does_not_go_onto_another(application):
    on = On(application)
    press(on.view, on.x(1.0), on.y)
    for time_s in (1.5, 1.9, 2.0):
        move(on.view, on.x(time_s), on.y)
    release(on.view, on.x(2.0), on.y)
    assert len(on.times) == 3
    assert on.times[1] == pytest.approx(1.9)


def test_ends_of_the_slopes_of_the_selected_pose_are_dragged(application):
    on = On(application)
    press(on.view, on.x(1.0), on.y)
    release(on.view, on.x(1.0), on.y)
    drag(on.view, on.x(1.3), on.x(1.6), on.y)
    assert on.pose(1).after_s == pytest.approx(0.6, abs=0.02)
    drag(on.view, on.x(0.8), on.x(0.6), on.y)
    assert on.pose(1).before_s == pytest.approx(0.4, abs=0.02)
    drag(on.view, on.x(0.6), on.x(1.9), on.y)
    assert 0.0 < on.pose(1).before_s < 0.05
    assert on.times == list(TIMES)
    assert len(on.document.steps) == 3


def test_delete_removes_the_selected_pose_and_the_last_takes_the_edit_with_it(application):
    on = On(application, poses(0.5, 1.0))
    start = on.document.committed
    for time_s in (1.0, 0.5):
        press(on.view, on.x(time_s), on.y)
        release(on.view, on.x(time_s), on.y)
        QTest.keyClick(on.view, Qt.Key.Key_Delete)
    assert on.document.project.clip("1").layers == ()
    assert on.lane.rows == ()
    while on.document.undo():
        pass
    assert on.document.committed is start


def test_alt_and_arrows_move_the_selected_pose_by_frames_as_one_step(application):
    on = On(application)
    press(on.view, on.x(1.0), on.y)
    release(on.view, on.x(1.0), on.y)
    for _ in range(3):
        QTest.keyClick(on.view, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert on.times[1] == pytest.approx(1.1)
    assert len(on.document.steps) == 1
    on.document.undo()
    assert on.times == list(TIMES)


def test_time_that_was_cut_is_heeded(application):
    on = On(application, Cut(0.5), poses(1.0))
    (mark,) = on.lane.marks
    assert mark.time_s == pytest.approx(0.5)
    drag(on.view, on.x(0.5), on.x(0.9), on.y)
    assert on.times == [pytest.approx(1.4, abs=1e-6)]


def test_two_edits_of_poses_have_a_row_each(application):
    on = On(application, poses(0.5), poses(1.0))
    assert [row.name for row in on.lane.rows] == ["Target poses 1", "Target poses 2"]
    assert on.view.height() == TITLE_HEIGHT + 2 * on.lane.row_height
    y = TITLE_HEIGHT + 1.5 * on.lane.row_height
    press(on.view, on.x(1.0), y)
    release(on.view, on.x(1.0), y)
    assert on.session.view.layer == "e1"


def test_menu_adds_a_pose_at_the_playhead_or_deletes_the_one_there(application):
    on = On(application)
    wanted = []
    on.lane.pose_wanted.connect(lambda: wanted.append("pose"))
    on.lane.edit_wanted.connect(lambda: wanted.append("edit"))
    on.lane.repeat_wanted.connect(lambda: wanted.append("repeat"))
    rect = on.view._rows_rect()
    point = rect.center()
    point.setX(on.x(1.5))
    entries = dict(on.lane.menu(None, point, rect, on.view.pointer_at(point, Qt.KeyboardModifier.NoModifier)))
    entries["Add target pose at the playhead"]()
    entries["Edit pose here"]()
    assert wanted == ["pose", "edit"]
    assert on.session.view.time_s == pytest.approx(1.5, abs=0.02)
    point.setX(on.x(1.0))
    hit = on.lane.hit(point, on.timeline.axis.scale, rect)
    entries = dict(on.lane.menu(hit, point, rect, on.view.pointer_at(point, Qt.KeyboardModifier.NoModifier)))
    for name, signal in (("Edit pose", "edit"), ("Repeat at similar poses", "repeat")):
        on.session.look(time_s=0.0)
        entries[name]()
        assert wanted[-1] == signal
        assert on.session.view.time_s == 1.0
    entries["Delete pose"]()
    assert on.times == [0.5, 2.0]


def test_double_click_edits_the_pose_there_or_the_moment(application):
    on = On(application)
    wanted = []
    on.lane.edit_wanted.connect(lambda: wanted.append(on.session.view.time_s))
    for at_s in (1.0, 1.5):
        where = QPoint(round(on.x(at_s)), round(on.y))
        QTest.mouseClick(on.view, Qt.MouseButton.LeftButton, pos=where)
        QTest.mouseDClick(on.view, Qt.MouseButton.LeftButton, pos=where)
    assert wanted == [1.0, pytest.approx(1.5, abs=0.02)]
    assert on.document.steps == ()


def test_pose_that_contacts_override_has_a_mark_that_says_by_how_much(application):
    tipped = ((JointRef("LeftFoot", Role.LEFT_ANKLE), (0.4, 0.0, 0.0)),)
    edit = TargetPoses((TargetPose(0.5, tipped), TargetPose(2.5, NOD)), grounded=True)
    on = On(application, edit)
    first, second = on.lane.marks
    assert "overrides the pose by 23 degrees" in first.told
    assert second.told == ""
    point = on.view._rows_rect().center()
    point.setX(on.x(0.5))
    assert first.told in on.lane.hit(point, on.timeline.axis.scale, on.view._rows_rect()).tip
    marked, plain = (on.view.grab().toImage().pixelColor(round(on.x(at)) + 11, 8) for at in (0.5, 2.5))
    assert marked.name() == colour("warning").name()
    assert plain.name() != marked.name()


def test_poses_that_are_only_tried_out_are_drawn_hollow(application):
    on = On(application)
    on.document.preview(set_poses, "1", "e0", (TargetPose(1.5, NOD),), 1.0)
    assert [mark.tried for mark in on.lane.marks] == [False, False, True, False]
    image = on.view.grab().toImage()
    y = image.height() // 2
    assert image.pixelColor(round(on.x(1.5)), y).name() != image.pixelColor(round(on.x(1.0)), y).name()
    on.document.commit()
    assert not any(mark.tried for mark in on.lane.marks)


def test_diamond_is_drawn_where_a_pose_is_and_not_beside_it(application):
    on = On(application)
    image = on.view.grab().toImage()
    y = image.height() // 2
    here = image.pixelColor(round(on.x(1.0)), y)
    beside = image.pixelColor(round(on.x(1.5)), y)
    assert here.name() == colour("accent").name()
    assert beside.name() != here.name()


def test_click_on_a_pose_below_a_cut_goes_to_its_moment_as_its_edit_shows_it(application):
    on = On(application, poses(2.0), Cut(1.0))
    press(on.view, on.x(1.0), on.y)
    release(on.view, on.x(1.0), on.y)
    assert on.session.view.layer == "e0"
    assert on.session.view.time_s == pytest.approx(2.0)


def test_pose_below_a_cut_does_not_jump_when_it_is_taken(application):
    on = On(application, poses(2.0), Cut(1.0))
    x = on.x(1.0)
    press(on.view, x, on.y)
    move(on.view, x + 5, on.y)
    assert on.times == [2.0]
    by_px = 0.5 * on.timeline.axis.scale.pixels_per_s
    move(on.view, x + 5 + by_px, on.y)
    release(on.view, x + 5 + by_px, on.y)
    assert on.times == [pytest.approx(2.5, abs=1e-6)]


def test_pose_that_is_only_tried_out_is_dropped_by_delete(application):
    on = On(application, Cut(0.5))
    on.document.preview(set_pose, "1", None, TargetPose(1.0, NOD))
    on.lane._select(on.lane.marks[0])
    QTest.keyClick(on.view, Qt.Key.Key_Delete)
    assert not on.document.is_previewing
    assert on.document.steps == ()
    assert on.lane.marks == ()


def test_nudges_of_another_pose_are_another_step(application):
    on = On(application)
    for place in (0, 2):
        on.lane._select(on.lane.marks[place])
        for _ in range(3):
            QTest.keyClick(on.view, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert len(on.document.steps) == 2
    on.document.undo()
    assert on.times == [pytest.approx(0.6, abs=1e-6), 1.0, 2.0]
