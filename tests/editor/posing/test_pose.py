from dataclasses import replace

import numpy as np
import pytest

from editor.posing.pose import Pin, Pose, face_of, hinges_of, pins_of
from model.clip import Take
from model.contacts import Contact, Contacts
from model.motion import rest_motion
from model.roles import Role
from model.rotation import from_axis_angle, multiply, rotate
from model.skeleton import Skeleton
from tests.clips import figure, random_motion, waving_figure
from tests.editor.posing.bodies import BODIES, motion_of


@pytest.mark.parametrize("moving_limbs", [False, True])
def test_pose_stands_where_its_frame_does(moving_limbs):
    motion = random_motion(moving_limbs=moving_limbs)
    for frame in (0, 17, 39):
        pose = Pose.of(motion, frame)
        assert np.allclose(pose.world.positions, motion.world.positions[frame], atol=1e-12)
        assert np.allclose(pose.world.rotations, motion.world.rotations[frame], atol=1e-12)


@pytest.mark.parametrize("name", BODIES)
def test_pose_of_any_body_stands_where_its_frame_does(name):
    motion = motion_of(name)
    pose = Pose.of(motion, motion.frames // 2)
    assert np.allclose(pose.world.positions, motion.world.positions[motion.frames // 2], atol=1e-9)


@pytest.mark.parametrize("frame", [-1, 40])
def test_frame_that_is_not_there_is_refused(frame):
    with pytest.raises(IndexError, match="40 frames"):
        Pose.of(random_motion(40), frame)


def test_feet_and_hands_that_touch_are_pinned_where_they_are():
    motion = waving_figure(30)
    contacts = Contacts(30, {"left_foot": (Contact(0, 10),), "right_hand": (Contact(5, 30),)}, 0.0)
    pins = {n: [pin.joint for pin in pins_of(Take(motion, contacts), n)] for n in (0, 5, 9, 10)}
    ankle, wrist = (motion.skeleton.joint(role) for role in (Role.LEFT_ANKLE, Role.RIGHT_WRIST))
    assert pins == {0: [ankle], 5: [ankle, wrist], 9: [ankle, wrist], 10: [wrist]}
    (pin,) = pins_of(Take(motion, contacts), 12)
    assert np.allclose(pin.position, motion.world.positions[12, wrist])
    assert np.allclose(pin.rotation, motion.world.rotations[12, wrist])


def test_pin_that_turns_holds_the_place_only():
    pose = Pose.of(waving_figure(10), 0)
    assert Pin.of(pose, 3, turns=True).rotation is None


def test_face_looks_ahead_however_the_head_lies_at_rest():
    motion = waving_figure(60)
    head = motion.skeleton.joint(Role.HEAD)
    assert np.allclose(face_of(motion), [0.0, 0.0, 1.0])
    rotations = np.array(motion.local_rotations)
    rotations[:, head] = multiply(rotations[:, head], from_axis_angle(np.array([0.0, 1.0, 0.0]), 1.5))
    other = face_of(replace(motion, local_rotations=rotations))
    ahead = rotate(rotations[0, head], other)
    assert ahead[2] > 0.95  # up to how the figure turns its head
    assert face_of(rest_motion(Skeleton(("a",), (-1,), np.zeros((1, 3))))) is None


def test_hinges_are_those_of_bent_limbs_only():
    assert hinges_of(rest_motion(figure())) == {}
    hinges = hinges_of(waving_figure(60))
    knee = hinges[figure().joint(Role.LEFT_HIP)]
    assert knee[0] > 0.95  # knees of the figure fold about its left


def test_how_limbs_of_a_long_clip_fold_is_learned_from_some_of_its_frames():
    """A hand that takes hold of the figure does not wait for all of them."""
    short, long = waving_figure(900, 30.0), waving_figure(9000, 300.0)
    hinges = hinges_of(long)
    assert "world" not in vars(long), "nobody worked out all frames"
    assert hinges
    for joint, axis in hinges_of(short).items():
        assert float(axis @ hinges[joint]) > 0.9999
    np.testing.assert_allclose(face_of(long), face_of(short), atol=0.01)
    assert "world" not in vars(long)
