"""Dragging hands, feet, pelvis, head and elbows by their handles, with pins."""

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from editor.posing.edit import TargetPoses
from model.clip import Take
from model.contacts import Contacts
from model.motion import rest_motion
from model.roles import Role
from tests.stacks import Lift, Put
from tests.widgets.desk import wait_for
from tests.widgets.posing.hands import hand
from tests.widgets.viewport.stage import blob
from widgets.posing.ik_tool import grips_of
from widgets.viewport import glyphs
from widgets.viewport.gl_platform import abilities

HAND, FOOT, OTHER_FOOT = Role.LEFT_WRIST, Role.LEFT_ANKLE, Role.RIGHT_ANKLE


@pytest.fixture(params=["painter", "opengl"])
def painter(request, application):
    if request.param == "opengl" and not abilities().available:
        pytest.skip("no OpenGL here")
    return request.param == "painter"


def test_dragged_hand_is_under_the_mouse_and_pinned_feet_stay(painter):
    on = hand(painter=painter)
    start, feet = on.document.committed, [np.array(on.at(role)) for role in (FOOT, OTHER_FOOT)]
    assert set(on.posing.pinned) >= {on.joint(FOOT), on.joint(OTHER_FOOT)}
    grabbed = on.pixel(HAND)
    on.press(grabbed)
    for by in (QPointF(40, -30), QPointF(90, -160), QPointF(-20, -60), QPointF(30, -120)):
        on.move(grabbed, grabbed + by)
        off = on.pixel(HAND) - (grabbed + by)
        assert max(abs(off.x()), abs(off.y())) < 1.0
        assert on.document.committed is start
    on.release(grabbed + by)
    assert [step.sentence for step in on.document.steps] == ["Move left hand at 1.00 s"]
    for role, place in zip((FOOT, OTHER_FOOT), feet, strict=True):
        assert np.linalg.norm(on.at(role) - place) < 1e-3
    # What is worked out is what the hand saw, and the handle is still there.
    off = on.pixel(on.at(HAND)) - (grabbed + by)
    assert max(abs(off.x()), abs(off.y())) < 1.0
    on.undo_all()
    assert on.document.committed is start


def test_pelvis_goes_down_and_feet_in_contact_stay(painter):
    on = hand(painter=painter)
    feet, pelvis = [np.array(on.at(role)) for role in (FOOT, OTHER_FOOT)], np.array(on.at(Role.PELVIS))
    on.drag(on.pixel(Role.PELVIS), QPointF(0, 60))
    assert on.at(Role.PELVIS)[1] < pelvis[1] - 0.1
    for role, place in zip((FOOT, OTHER_FOOT), feet, strict=True):
        assert np.linalg.norm(on.at(role) - place) < 1e-3


def test_escape_while_dragging_leaves_no_trace(application):
    on = hand()
    project, view = on.document.project, on.session.view
    at = on.pixel(HAND)
    on.press(at)
    on.move(at, at + QPointF(30, -80))
    wait_for(application, lambda: on.document.is_previewing)
    QTest.keyClick(on.viewport, Qt.Key.Key_Escape)
    on.release(at)
    assert on.document.project is project
    assert on.session.view == view
    assert on.document.steps == ()
    assert on.posing.stand_in is None


def test_press_without_moving_selects_the_joint_and_changes_nothing(application):
    on = hand()
    on.click(on.pixel(HAND))
    assert [ref.role for ref in on.session.view.joints] == [HAND]
    assert on.document.steps == ()


def test_the_same_place_gives_the_same_pose_whichever_way_the_mouse_went(application):
    poses = []
    for ways in ((QPointF(60, -90),), (QPointF(-80, 40), QPointF(200, -200), QPointF(60, -90))):
        on = hand()
        at = on.pixel(HAND)
        on.press(at)
        for by in ways:
            on.move(at, at + by)
        on.release(at + ways[-1])
        poses.append(on.motion.local_rotations[on.frame])
    np.testing.assert_allclose(poses[0], poses[1], atol=1e-12)


def test_elbow_swivels_while_hand_and_shoulder_stay(application):
    on = hand()
    before = {role: np.array(on.at(role)) for role in (HAND, Role.LEFT_SHOULDER, Role.LEFT_ELBOW)}
    on.drag(on.pixel(Role.LEFT_ELBOW), QPointF(30, 10))
    assert np.linalg.norm(on.at(Role.LEFT_ELBOW) - before[Role.LEFT_ELBOW]) > 0.01
    for role in (HAND, Role.LEFT_SHOULDER):
        np.testing.assert_allclose(on.at(role), before[role], atol=1e-6)
    assert on.document.undo_text.startswith("Swivel left elbow")


def test_handle_before_the_face_turns_the_head_and_nothing_else(application):
    on = hand()
    look = next(grip for grip in grips_of(on.posing.pose) if grip.kind == "look")
    before = np.array(on.motion.local_rotations[on.frame])
    on.drag(on.pixel(look.position), QPointF(60, -20))
    changed = np.max(np.abs(on.motion.local_rotations[on.frame] - before), axis=-1) > 1e-6
    names = {on.motion.skeleton.names[joint] for joint in np.flatnonzero(changed)}
    assert names == {"Neck", "Head"}


def test_taking_the_handle_before_the_face_does_not_jerk_the_head(application):
    on = hand()
    look = next(grip for grip in grips_of(on.posing.pose) if grip.kind == "look")
    before = np.array(on.motion.local_rotations[on.frame])
    at = on.pixel(look.position)
    on.press(at)
    on.move(at, at + QPointF(3.5, 0.0))
    on.release(at + QPointF(3.5, 0.0))
    assert np.max(np.abs(on.motion.local_rotations[on.frame] - before)) < 0.05


# Pins


def test_click_on_the_padlock_lets_go_and_pins_again(application):
    on = hand()
    foot, size = on.joint(FOOT), (float(on.viewport.width()), float(on.viewport.height()))
    lock = on.pixel(glyphs.lock_place(on.at(FOOT), on.viewport.camera, size))
    on.click(lock)
    assert foot not in on.posing.pinned
    assert on.document.steps == ()
    place = np.array(on.at(FOOT))
    on.drag(on.pixel(Role.PELVIS), QPointF(40, 30))
    assert np.linalg.norm(on.at(FOOT) - place) > 0.02


def test_padlock_of_a_free_hand_shows_while_the_mouse_is_near_and_pins_it(application):
    on = hand()
    size = (float(on.viewport.width()), float(on.viewport.height()))
    bare = len(on.viewport.scene.front_fills)
    on.hover(on.pixel(HAND))
    assert len(on.viewport.scene.front_fills) > bare
    on.click(on.pixel(glyphs.lock_place(on.at(HAND), on.viewport.camera, size)))
    assert on.joint(HAND) in on.posing.pinned
    place = np.array(on.at(HAND))
    on.drag(on.pixel(Role.PELVIS), QPointF(10, 15))
    assert np.linalg.norm(on.at(HAND) - place) < 1e-3


def test_pin_holds_although_the_hand_pulls_too_far_and_the_miss_is_told(application):
    on = hand()
    feet = [np.array(on.at(role)) for role in (FOOT, OTHER_FOOT)]
    at = on.pixel(HAND)
    on.press(at)
    on.move(at, at + QPointF(330, -150))
    assert any("out of reach" in label.text for label in on.viewport.scene.labels)
    on.release(at + QPointF(330, -150))
    for role, place in zip((FOOT, OTHER_FOOT), feet, strict=True):
        assert np.linalg.norm(on.at(role) - place) < 1e-3


def test_hint_names_the_part_and_the_key_for_its_pin(application):
    on = hand()
    hints = []
    on.viewport.hint_changed.connect(hints.append)
    on.hover(on.pixel(HAND))
    assert hints[-1] == "Drag to move the left hand · P pins it"
    on.tools.toggle_pin()
    on.hover(QPointF(5, 5))
    on.hover(on.pixel(HAND))
    assert hints[-1].endswith("P lets go of it")


# Bodies of other kinds


def test_thing_without_roles_can_be_dragged_by_every_joint(application):
    motion = rest_motion(blob(), 1.0 / 30.0, 60)
    on = hand(edits=(Put(Take(motion, Contacts(60, {}, 0.0))),))
    end = np.array(on.posing.pose.world.positions[4])
    on.drag(on.pixel(end), QPointF(0, -40))
    assert on.motion.world.positions[30, 4, 1] > end[1] + 0.02
    assert len(on.document.steps) == 1


def test_without_a_clip_no_tool_does_anything(application):
    for tool in ("ik", "move", "rotate", "select"):
        on = hand(tool, empty=True)
        on.hover(QPointF(300, 300))
        on.posing.mirror()
        on.posing.copy()
        on.posing.add()
        on.tools.toggle_pin()
        assert on.posing.pose is None
        assert on.document.steps == ()


def test_select_tool_draws_nothing_and_escape_drops_what_is_pending(application):
    on = hand("select")
    assert not len(on.viewport.scene.front_dots)
    on.posing.set_auto_key(False)
    pose = on.posing.pose
    on.posing.apply(pose.with_rotations(pose.local_rotations, pose.root_position + 0.1), "Move body")
    assert on.posing.is_pending
    QTest.keyClick(on.viewport, Qt.Key.Key_Escape)
    assert not on.posing.is_pending
    assert on.viewport.tool is None


# Which edit takes the pose


def layers(on):
    return [type(layer.edit).__name__ for layer in on.document.project.clip("1").layers]


def test_pose_goes_into_a_new_edit_on_top_which_is_selected_then(application):
    on = hand(edits=(Lift(0.1),))
    on.drag(on.pixel(HAND), QPointF(20, -40))
    assert layers(on) == ["Lift", "TargetPoses"]
    assert on.session.view.layer == on.document.project.clip("1").layers[-1].id
    on.session.look(time_s=0.5)
    on.drag(on.pixel(HAND), QPointF(20, -40))
    assert layers(on) == ["Lift", "TargetPoses"]
    (_, poses) = on.document.project.clip("1").layers
    assert isinstance(poses.edit, TargetPoses)
    assert [round(pose.time_s, 3) for pose in poses.edit.poses] == [0.5, 1.0]


def test_pose_made_on_a_selected_edit_goes_right_after_it(application):
    on = hand(edits=(Lift(0.1), Lift(0.2)))
    start = on.document.committed
    on.session.look(layer="e0")
    at = on.pixel(HAND)
    stop = on.drag(at, QPointF(20, -40))
    assert layers(on) == ["Lift", "TargetPoses", "Lift"]
    assert on.session.view.layer == on.document.project.clip("1").layers[1].id
    off = on.pixel(on.at(HAND)) - stop
    assert max(abs(off.x()), abs(off.y())) < 1.0
    on.undo_all()
    assert on.document.committed is start
    assert on.session.view.layer == "e0"


def test_second_drag_at_a_frame_changes_the_pose_that_is_there(application):
    on = hand()
    on.drag(on.pixel(HAND), QPointF(20, -40))
    on.drag(on.pixel(Role.RIGHT_WRIST), QPointF(-20, -20))
    (layer,) = on.document.project.clip("1").layers
    assert len(layer.edit.poses) == 1
    assert len(on.document.steps) == 2


def test_handles_are_gone_while_it_plays(application):
    on = hand()
    assert len(on.viewport.scene.front_dots)
    on.posing.set_asleep(True)
    assert not len(on.viewport.scene.front_dots)
    at = on.pixel(HAND)
    on.press(at)
    assert not on.posing.is_busy
    on.release(at)
