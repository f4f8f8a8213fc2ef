"""Posing in the whole window: keys, the bar, and what they do to the document."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from editor.posing.edit import TargetPoses
from model.files.bvh import write_bvh
from model.roles import Role
from model.skeleton import Skeleton
from tests.app.test_window import WALK, drop, key, mouse, settings, settle, wait_for, window  # noqa: F401  fixtures
from tests.app.windows import state_of
from tests.clips import figure, random_motion
from widgets.posing.actions import PosingActions
from widgets.posing.lane import PoseLane
from widgets.posing.posing import Posing

LEFT, NO = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
NONE, CONTROL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def opened(window):  # noqa: F811
    """The window with the sample walk at half a second, the viewport with the keyboard."""
    drop(window, WALK)
    wait_for(lambda: window.showing.current is not None)
    settle(window)
    window.viewport.rig.animated = False
    window.session.look(time_s=0.5)
    window.viewport.setFocus()
    QApplication.processEvents()
    return window


def pixel(on, role):
    joint = on.showing.current.take.motion.skeleton.joint(role)
    view = on.viewport
    x, y = view.camera.project(view.scene.joints[joint], (view.width(), view.height()))[0]
    return QPointF(float(x), float(y)).toPoint()


def drag_joint(on, role, by):
    start = pixel(on, role)
    stop = start + by
    mouse(on.viewport, QEvent.Type.MouseMove, start, NO, NO, NONE)
    mouse(on.viewport, QEvent.Type.MouseButtonPress, start, LEFT, LEFT, NONE)
    for part in np.linspace(0.2, 1.0, 5):
        mouse(on.viewport, QEvent.Type.MouseMove, start + by * float(part), NO, LEFT, NONE)
    mouse(on.viewport, QEvent.Type.MouseButtonRelease, stop, LEFT, NO, NONE)
    return stop


def poses(on):
    clip = on.document.project.clip(on.session.view.clip)
    return [pose for layer in clip.layers if isinstance(layer.edit, TargetPoses) for pose in layer.edit.poses]


def at(on, role):
    motion = on.showing.current.take.motion
    frame = round(on.session.view.time_s / motion.frame_time_s)
    return np.array(motion.world.positions[frame, motion.skeleton.joint(role)])


def worked_out(on):
    """Wait until the take that is shown is the one with all poses."""
    wait_for(lambda: not on.jobs.running and state_of(on, Posing).stand_in is None)


def point(x, y):
    return QPointF(x, y).toPoint()


def test_keys_take_tools_and_the_bar_shows_which(opened):
    for pressed, name in (
        (Qt.Key.Key_R, "ik"),
        (Qt.Key.Key_E, "rotate"),
        (Qt.Key.Key_W, "move"),
        (Qt.Key.Key_Q, "select"),
    ):
        key(opened, pressed)
        assert opened.tools.name == name
        checked = [
            action
            for action in ("tool_select", "tool_move", "tool_rotate", "tool_ik")
            if opened.actions_[action].isChecked()
        ]
        assert checked == [f"tool_{name}"]
    key(opened, Qt.Key.Key_X)
    assert state_of(opened, Posing).axes == "world"


def test_hand_is_dragged_in_the_window_with_the_standing_foot_held_and_all_undone(opened):
    start, done = opened.document.committed, opened.document.done
    key(opened, Qt.Key.Key_R)
    foot = at(opened, Role.RIGHT_ANKLE)
    stop = drag_joint(opened, Role.LEFT_WRIST, point(30, -70))
    worked_out(opened)
    assert [step.sentence for step in opened.document.steps[done:]] == ["Move left hand at 0.50 s"]
    assert (pixel(opened, Role.LEFT_WRIST) - stop).manhattanLength() <= 1
    assert np.linalg.norm(at(opened, Role.RIGHT_ANKLE) - foot) < 1e-3
    key(opened, Qt.Key.Key_M)
    worked_out(opened)
    assert opened.document.undo_text == "Mirror pose at 0.50 s"
    key(opened, Qt.Key.Key_C, CONTROL)
    opened.session.look(time_s=1.5)
    key(opened, Qt.Key.Key_V, CONTROL)
    worked_out(opened)
    assert [round(pose.time_s, 2) for pose in poses(opened)] == [0.5, 1.5]
    for _ in range(3):
        key(opened, Qt.Key.Key_Z, CONTROL)
    assert opened.document.committed is start


def test_without_auto_key_the_bar_asks_and_i_keeps_and_escape_drops(opened):
    opened.actions_["auto_key"].trigger()
    key(opened, Qt.Key.Key_R)
    bar, done = state_of(opened, PosingActions).bar, opened.document.done
    assert not bar.chip.isVisible()
    drag_joint(opened, Role.LEFT_WRIST, point(20, -50))
    assert bar.chip.isVisible()
    assert opened.document.done == done
    QTest.keyClick(opened.viewport, Qt.Key.Key_Escape)
    assert not bar.chip.isVisible()
    assert poses(opened) == []
    drag_joint(opened, Role.LEFT_WRIST, point(20, -50))
    key(opened, Qt.Key.Key_I)
    assert len(poses(opened)) == opened.document.done - done == 1
    drag_joint(opened, Role.LEFT_WRIST, point(20, -20))
    QTest.mouseClick(bar.drop_button, LEFT)
    assert opened.document.done == done + 1
    assert not opened.document.is_previewing


def test_i_holds_the_figure_and_the_lane_shows_it(opened):
    key(opened, Qt.Key.Key_I)
    (lane,) = [view.lane for view in opened.timeline.lanes if isinstance(view.lane, PoseLane)]
    worked_out(opened)
    assert [round(mark.time_s, 3) for mark in lane.marks] == [0.5]


def with_fingers(frames=60):
    """A motion of 31 joints, more than the sample walk has."""
    plain, fingers = figure(), 9
    hands = [plain.find("LeftHand"), plain.find("RightHand")]
    parents = (*plain.parents, *(hands[n % 2] for n in range(fingers)))
    offsets = np.vstack([plain.offsets, np.array([[0.08, 0.01 * n, 0.0] for n in range(fingers)])])
    names = (*plain.names, *(f"Finger{n}" for n in range(fingers)))
    skeleton = Skeleton(names, parents, offsets, plain.end_sites, (*plain.roles, *[None] * fingers))
    return random_motion(frames, skeleton=skeleton)


def test_i_holds_the_figure_of_a_clip_with_fewer_joints_than_the_one_posed_before(opened, tmp_path):
    write_bvh(with_fingers(), tmp_path / "fingers.bvh")
    walk = opened.session.view.clip
    drop(opened, tmp_path / "fingers.bvh")
    wait_for(lambda: opened.showing.current is not None and len(state_of(opened, Posing).pose.skeleton) == 31)
    opened.actions_["mirror_pose"].trigger()
    assert len(poses(opened)) == 1
    worked_out(opened)
    opened.session.look(clip=walk)
    wait_for(lambda: len(state_of(opened, Posing).pose.skeleton) == 26)
    opened.viewport.setFocus()
    key(opened, Qt.Key.Key_I)
    assert len(poses(opened)) == 1, "the walk has one of its own now"


def test_p_pins_the_joint_under_the_mouse(opened):
    key(opened, Qt.Key.Key_R)
    hand = opened.showing.current.take.motion.skeleton.joint(Role.LEFT_WRIST)
    mouse(opened.viewport, QEvent.Type.MouseMove, pixel(opened, Role.LEFT_WRIST), NO, NO, NONE)
    key(opened, Qt.Key.Key_P)
    assert hand in state_of(opened, Posing).pinned
    key(opened, Qt.Key.Key_P)
    assert hand not in state_of(opened, Posing).pinned


def test_taking_hold_pauses_what_plays(opened):
    key(opened, Qt.Key.Key_R)
    opened.timeline.playback.play()
    assert state_of(opened, Posing).is_asleep
    opened.timeline.playback.pause()
    assert not state_of(opened, Posing).is_asleep
    opened.timeline.playback.play()
    key(opened, Qt.Key.Key_I)
    assert not opened.timeline.playback.playing


def test_copy_and_paste_are_the_curve_editors_when_it_has_the_keyboard(opened):
    curves = opened.docks.get("Curves")
    if curves is None:
        pytest.skip("there is no curve editor")
    curves.show()
    curves.raise_()
    QApplication.processEvents()
    copied = state_of(opened, Posing).can_paste
    editor = curves.widget()
    editor.setFocus()
    QApplication.processEvents()
    QTest.keyClick(QApplication.focusWidget() or editor, Qt.Key.Key_C, CONTROL)
    assert state_of(opened, Posing).can_paste == copied
