"""The worst frames are those in which something was made worse."""

from dataclasses import replace

import numpy as np
import pytest

from editor.contacts.detect import find_contacts
from editor.quality.worst_frames import WorstFrames, worst_frames
from model.clip import Take
from model.contacts import Contacts
from model.ground import Box, Ground
from model.motion import rest_motion
from model.roles import Role
from model.rotation import from_axis_angle, multiply
from tests.clips import X, Y, random_motion, stepping_figure


@pytest.fixture(scope="module")
def stepping():
    motion, _ = stepping_figure(3.0)
    return Take(motion, find_contacts(motion))


def moved(take, frame, by):
    """The take with its root moved in some frames; the contacts stay."""
    roots = np.array(take.motion.root_positions)
    roots[frame] += by
    return replace(take, motion=replace(take.motion, root_positions=roots))


def middle_of_a_contact(take):
    contact = take.contacts.limbs["left_foot"][1]
    return (contact.start + contact.stop) // 2


def test_deepest_frame_is_the_one_pushed_down(stepping):
    assert worst_frames(moved(stepping, 77, -0.3 * Y)).depth == 77


def test_deepest_frame_on_objects_is_the_one_in_the_box(stepping):
    frame = middle_of_a_contact(stepping)
    toe = stepping.motion.world.positions[frame, stepping.motion.skeleton.joint(Role.LEFT_TOE)]
    box = Ground(stepping.contacts.ground_m, (Box((float(toe[0]), float(toe[2])), (0.1, 0.1), 0.2),))
    contact = stepping.contacts.limbs["left_foot"][1]
    assert contact.start - 2 <= worst_frames(replace(stepping, ground=box)).depth < contact.stop


def test_drift_is_worst_where_a_planted_foot_was_moved(stepping):
    frame = middle_of_a_contact(stepping)
    assert worst_frames(moved(stepping, frame, 0.1 * X)).drift == frame


def test_slide_is_worst_where_a_low_foot_goes_fastest(stepping):
    frame = middle_of_a_contact(stepping)
    assert worst_frames(moved(stepping, frame, 0.2 * X)).slide in (frame, frame + 1)


def test_feet_in_the_air_neither_slide_nor_sink(stepping):
    worst = worst_frames(moved(stepping, slice(None), Y))
    assert (worst.slide, worst.depth) == (None, None)


def test_jerk_is_worst_where_a_joint_pops(stepping):
    motion = stepping.motion
    rotations = np.array(motion.local_rotations)
    shoulder = motion.skeleton.joint(Role.LEFT_SHOULDER)
    rotations[50, shoulder] = multiply(from_axis_angle(Y, 1.0), rotations[50, shoulder])
    worst = worst_frames(replace(stepping, motion=replace(motion, local_rotations=rotations))).jerk
    assert abs(worst - 50) <= 1


def test_still_figure_and_things_without_feet_have_no_worst_frame():
    thing = random_motion()
    bare = replace(thing, skeleton=replace(thing.skeleton, roles=(None,) * len(thing.skeleton)))
    worst = worst_frames(Take(bare, Contacts(bare.frames, {}, 0.0)))
    assert (worst.drift, worst.slide, worst.depth) == (None, None, None)
    still = rest_motion(stepping_figure(0.1)[0].skeleton, frames=20)
    assert worst_frames(Take(still, Contacts(20, {}, -5.0))) == WorstFrames()


def test_short_and_empty_takes_are_judged_as_far_as_they_go(stepping):
    for frames in (0, 1, 2, 3):
        motion = stepping.motion.sliced(0, frames)
        assert worst_frames(Take(motion, Contacts(frames, {}, -5.0))).jerk is None
