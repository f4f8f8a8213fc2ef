"""Live figures in the viewport: on their own skeleton, beside the clip or instead of it, followed by the camera."""

import gc
import math
import time
import weakref

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from editor.document.live import LiveFigure, LiveRunner
from editor.stack.clips import add_clip
from editor.stack.live import STEP_S, LivePose, replay, take_of
from model.clip import Take
from model.contacts import Contacts
from model.motion import rest_motion
from model.rotation import IDENTITY
from tests.clips import figure
from tests.live import Steer, ToyEngine, straight
from tests.stacks import Lift, Made
from tests.widgets.viewport.stage import blob, stepping_take
from tests.widgets.viewport.test_image import pixels_of
from tests.widgets.viewport.test_tool import RIGHT_SIDE, Recorder
from tests.widgets.viewport.test_viewport import (
    EMPTY,
    LEFT,
    MIDDLE,
    NONE,
    drag,
    has_figure,
    move,
    names,
    pixel_of,
    shown,
    wheel,
)
from widgets.common.theme import DARK, apply_theme
from widgets.viewport.composing import Composer, Moment, ViewOptions, Wanted
from widgets.viewport.rig import trailing_point


@pytest.fixture(autouse=True)
def dark(application):
    apply_theme(application, DARK)


def live(steps, hides_take=True, engine=None, **steering):
    """A figure that has gone for so many steps."""
    return LiveFigure(replay(engine or ENGINE, straight(steps, **steering)), hides_take, "Toy")


ENGINE = ToyEngine()
PARTS = len(Composer().scene(Wanted(Moment(live(1).take, 0.0)), ViewOptions(), DARK).solids)


def pelvis(figure):
    return figure.take.motion.world.positions[-1, 0]


def on_screen(viewport, point):
    pixels, depth = viewport.camera.project(np.asarray(point), (viewport.width(), viewport.height()))
    return depth > 0.0 and 0.0 < pixels[0] < viewport.width() and 0.0 < pixels[1] < viewport.height()


@pytest.mark.parametrize("painter", [False, True])
def test_empty_project_shows_a_live_figure_and_its_footprints(application, painter):
    viewport, *_ = shown(empty=True, painter=painter)
    assert viewport._stack.currentWidget() is viewport._empty
    for steps in range(0, 150, 10):
        viewport.show_live(live(steps))
    assert has_figure(viewport)
    pixels = pixels_of(viewport.grab().toImage())
    green = np.count_nonzero(pixels[..., 1] - np.maximum(pixels[..., 0], pixels[..., 2]) > 0.15)
    assert green > 60
    assert viewport._picture.captions.notes.clip == "Toy"
    assert "Working" not in viewport._picture.captions.notes.note
    viewport.show_live(None)
    assert viewport._stack.currentWidget() is viewport._empty


@pytest.mark.parametrize("painter", [False, True])
def test_runner_moves_the_figure_in_the_view(application, painter):
    viewport, *_ = shown(empty=True, painter=painter)
    runner = LiveRunner(ENGINE, lambda: Steer(1.5, 0.5))
    runner.posed.connect(lambda pose: viewport.show_live(LiveFigure(runner.recent())))
    viewport.show_live(LiveFigure(runner.recent()))
    first = viewport.grab().toImage()
    runner.run()
    end_s = time.monotonic() + 20.0
    while runner.steps < 15 and time.monotonic() < end_s:
        QTest.qWait(10)
    runner.pause()
    np.testing.assert_array_equal(viewport.scene.joints[0], runner.pose.root_position)
    assert has_figure(viewport)
    assert viewport.grab().toImage() != first


@pytest.mark.parametrize("speed", [0.5, 1.4, 6.0])
def test_camera_follows_and_keeps_its_side_and_distance(application, speed):
    viewport, *_ = shown(empty=True)
    viewport.show_live(live(0))
    before = viewport.camera
    for steps in range(1, 240, 3):
        figure = live(steps, speed=speed, turn=0.3)
        viewport.show_live(figure)
        assert np.linalg.norm((pelvis(figure) - viewport.camera.target)[[0, 2]]) < 0.4
    assert viewport.camera.target[1] == before.target[1]
    assert (viewport.camera.yaw_rad, viewport.camera.distance_m) == (before.yaw_rad, before.distance_m)


def test_camera_stays_where_it_shall_not_follow(application):
    viewport, *_ = shown(empty=True)
    viewport.set_options(follow=False)
    viewport.show_live(live(0))
    before = viewport.camera
    viewport.show_live(live(200))
    assert viewport.camera == before


def test_what_the_hand_does_to_the_camera_stays(application):
    viewport, *_ = shown(empty=True)
    viewport.show_live(live(0))
    wheel(viewport, 3)
    drag(viewport, MIDDLE, QPoint(60, 20))
    near = viewport.camera
    viewport.show_live(live(120))
    assert viewport.camera.distance_m == near.distance_m
    assert viewport.camera.yaw_rad == near.yaw_rad
    assert viewport.camera.target != near.target
    viewport.show_live(live(121, hides_take=False))
    assert viewport.camera.distance_m == near.distance_m


def test_hidden_clip_is_not_drawn_and_cannot_be_handled(application):
    viewport, _, session, _ = shown()
    told = []
    viewport.hint_changed.connect(told.append)
    viewport.show_live(live(60))
    scene = viewport.scene
    assert len(scene.solids) == PARTS
    assert len(scene.shadows) == 1
    np.testing.assert_array_equal(scene.joints[0], pelvis(live(60)))
    QTest.mouseClick(viewport, LEFT, NONE, pixel_of(viewport, "Head"))
    move(viewport, QPointF(pixel_of(viewport, "Head")))
    assert names(session) == []
    assert viewport.scene.labels == ()
    assert "orbits" in told[-1]


def test_selected_joints_of_the_clip_are_not_looked_for_in_the_live_figure(application):
    viewport, _, session, shows = shown()
    skeleton = shows.current.take.motion.skeleton
    session.look(joints=(skeleton.ref(skeleton.find("RightHand")),))
    viewport.show_live(LiveFigure(snake(), name="Snake"))
    QTest.keyClick(viewport, Qt.Key.Key_F)
    assert not len(viewport.scene.front_dots)
    assert len(viewport.scene.joints) == 5


def test_clip_is_there_again_when_the_live_figure_is_gone(application):
    viewport, *_ = shown()
    solids = len(viewport.scene.solids)
    place = viewport.scene.joints[0]
    for steps in (0, 300, 600):
        viewport.show_live(live(steps))
    assert not on_screen(viewport, place)
    viewport.show_live(None)
    assert len(viewport.scene.solids) == solids
    np.testing.assert_array_equal(viewport.scene.joints[0], place)
    assert on_screen(viewport, place)
    assert has_figure(viewport)
    assert viewport._picture.captions.notes.clip != "Toy"


@pytest.mark.parametrize("painter", [False, True])
def test_live_figure_stands_beside_the_clip_which_can_be_handled(application, painter):
    viewport, _, session, _ = shown(painter=painter)
    alone = viewport.scene
    figure = live(0, hides_take=False, engine=ToyEngine(start_x=0.9))
    viewport.show_live(figure)
    scene = viewport.scene
    assert len(scene.solids) == len(alone.solids) + PARTS
    assert len(scene.shadows) == 2
    np.testing.assert_array_equal(scene.joints, alone.joints)
    assert [label.text for label in scene.labels] == ["Toy"]
    assert on_screen(viewport, pelvis(figure))
    assert has_figure(viewport)
    viewport.frame_all()
    QTest.mouseClick(viewport, LEFT, NONE, pixel_of(viewport, "Head"))
    assert names(session) == ["Head"]


def test_camera_goes_with_the_live_figure_beside_the_clip(application):
    viewport, document, session, _ = shown()
    viewport.show_live(live(0, hides_take=False))
    viewport.show_live(live(200, hides_take=False))
    camera = viewport.camera
    assert on_screen(viewport, pelvis(live(200)))
    session.look(time_s=0.7)
    assert viewport.camera == camera
    document.do(add_clip, Made(20), "Second")
    session.look(clip=document.project.clips[1].id)
    assert viewport.camera == camera
    viewport.show_live(None)
    assert on_screen(viewport, viewport.scene.joints[0])


def test_figures_stand_on_the_ground_of_the_clip(application):
    """A recording has its floor anywhere; a live figure stands on the same one."""
    take = stepping_take(seconds=1.0, ground=0.7)
    assert take.contacts.ground_m == pytest.approx(0.7, abs=0.02)
    figure = live(60)
    moment = Moment(figure.take, figure.take.motion.duration_s, "Toy", is_live=True)
    scene = Composer().scene(Wanted(Moment(take, 0.5)).with_live(moment, alone=False), ViewOptions(), DARK)
    bottoms = scene.solids.starts[-PARTS:, 1]
    alone = Composer().scene(Wanted(moment), ViewOptions(), DARK)
    np.testing.assert_allclose(bottoms - alone.solids.starts[:, 1], take.contacts.ground_m)
    assert np.all(np.abs(scene.prints.centres[:, 1] - take.contacts.ground_m) < 0.01)


def test_footprints_are_there_where_the_engine_tells_contacts(application):
    viewport, *_ = shown(empty=True)
    viewport.show_live(live(150))
    prints = viewport.scene.prints
    assert len(prints) > 4
    assert np.max(prints.centres[:, 2]) > np.min(prints.centres[:, 2]) + 2.0, "a trail"
    assert np.count_nonzero(prints.fills) == 1, "one foot has the ground"
    viewport.set_options(contacts=False)
    assert not len(viewport.scene.prints)
    viewport.set_options(contacts=True)
    viewport.show_live(LiveFigure(without_contacts(150)))
    assert len(viewport.scene.solids)
    assert not len(viewport.scene.prints)


def without_contacts(steps):
    motion = live(steps).take.motion
    poses = [LivePose(*pose) for pose in zip(motion.root_positions, motion.local_rotations, strict=True)]
    return take_of(motion.skeleton, STEP_S, poses, len(poses))


def snake():
    skeleton = blob()
    pose = LivePose(np.array([3.0, 0.2, 1.0]), np.tile(IDENTITY, (len(skeleton), 1)))
    return take_of(skeleton, STEP_S, [pose], 1)


def test_skeleton_is_that_of_the_engine_and_another_one_is_framed(application):
    viewport, *_ = shown()
    viewport.show_live(live(10))
    viewport.show_live(LiveFigure(snake()))
    assert len(viewport.scene.joints) == 5
    assert on_screen(viewport, [3.0, 0.2, 1.0])


def test_clip_without_frames_gives_way(application):
    motion = rest_motion(figure(), frames=0)
    empty = Take(motion, Contacts(0, {}, 0.0))
    wanted = Wanted(Moment(empty, 0.0)).with_live(Moment(live(3).take, 0.05, is_live=True), alone=False)
    assert len(Composer().scene(wanted, ViewOptions(), DARK).solids) == PARTS


def test_trails_ghosts_and_mass_work_on_what_was_lately_done(application):
    viewport, *_ = shown(empty=True)
    viewport.set_options(trails=True, ghost_around=True, centre_of_mass=True, names=True)
    viewport.show_live(live(120))
    scene = viewport.scene
    assert len(scene.lines)
    assert len(scene.ghosts) == 3 * PARTS, "only what has been"
    assert len(scene.front_dots)
    assert len(scene.labels) == len(scene.joints)


def test_source_key_does_nothing_while_the_clip_is_hidden(application):
    viewport, *_ = shown(Lift(1.0))
    viewport.show_live(live(30))
    joints, camera = viewport.scene.joints, viewport.camera
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        QApplication.sendEvent(viewport, QKeyEvent(kind, Qt.Key.Key_QuoteLeft, NONE, "`"))
        np.testing.assert_array_equal(viewport.scene.joints, joints)
        assert viewport.camera == camera
    assert viewport._picture.captions.notes.note != "Source"


def test_tool_of_the_clip_rests_while_its_figure_is_hidden(application):
    viewport, *_ = shown()
    tool = viewport.tool = Recorder()
    QTest.mousePress(viewport, LEFT, NONE, RIGHT_SIDE)
    viewport.show_live(live(0))
    assert tool.calls[-1] == "cancel", "what was dragged is put back"
    QTest.mouseRelease(viewport, LEFT, NONE, RIGHT_SIDE)
    calls = list(tool.calls)
    drag(viewport, LEFT, QPoint(-40, 0), start=RIGHT_SIDE)
    move(viewport, QPointF(RIGHT_SIDE))
    QTest.keyClick(viewport, Qt.Key.Key_X)
    assert tool.calls == calls
    assert viewport.scene.labels == ()
    assert viewport.tool is tool
    viewport.show_live(None)
    QTest.mouseClick(viewport, LEFT, NONE, RIGHT_SIDE)
    assert tool.calls[-2:] == ["press", "release"]


@pytest.mark.parametrize("hides_take", [True, False])
def test_tool_that_steers_has_the_mouse(application, hides_take):
    viewport, *_ = shown()
    posing, steering = Recorder(), Recorder()
    viewport.tool = posing
    viewport.show_live(live(0, hides_take), steering)
    posing.calls.clear()
    move(viewport, QPointF(RIGHT_SIDE))
    assert viewport.cursor().shape() == Qt.CursorShape.SizeAllCursor
    QTest.mousePress(viewport, LEFT, NONE, RIGHT_SIDE)
    viewport.show_live(live(1, hides_take), steering)
    move(viewport, QPointF(RIGHT_SIDE) + QPointF(4, 4), LEFT)
    QTest.mouseRelease(viewport, LEFT, NONE, RIGHT_SIDE)
    assert steering.calls[-3:] == ["press", "move", "release"]
    assert posing.calls == []
    viewport.show_live(None)
    assert steering.calls[-1] == "cancel"
    assert viewport.cursor().shape() == Qt.CursorShape.ArrowCursor
    QTest.mousePress(viewport, LEFT, NONE, EMPTY)
    assert posing.calls[-1] == "press"


def test_nothing_of_past_poses_is_kept(application):
    viewport, *_ = shown()
    past = []
    for steps in range(40):
        figure = live(steps)
        past.append(weakref.ref(figure.take))
        viewport.show_live(figure)
        _ = viewport.scene
    viewport.show_live(None)
    _ = viewport.scene
    del figure
    gc.collect()
    assert not [one for one in past if one() is not None]


def test_view_that_is_resized_still_sees_the_live_figure(application):
    viewport, *_ = shown()
    viewport.show_live(live(0, hides_take=False))
    viewport.show_live(live(400, hides_take=False))
    viewport.resize(300, 500)
    assert on_screen(viewport, pelvis(live(400)))
    assert on_screen(viewport, viewport._live.take.motion.world.positions[-1, 5])


def test_camera_point_does_not_sway_with_the_steps():
    motion = live(200).take.motion
    sway = 0.03 * np.sin(2.0 * math.pi * np.arange(motion.frames) * STEP_S / 0.8)
    roots = motion.root_positions + sway[:, None] * np.array([1.0, 0.0, 0.0])
    points = []
    for stop in range(120, 200):
        poses = [LivePose(*pose) for pose in zip(roots[:stop], motion.local_rotations[:stop], strict=True)]
        points.append(trailing_point(take_of(motion.skeleton, STEP_S, poses, stop).motion))
    across = np.array(points)[:, 0]
    assert np.ptp(across) < 0.5 * np.ptp(sway)
    assert np.all(np.diff(np.array(points)[:, 2]) > 0.0)
