"""Scopes: how strongly, where and when an edit acts."""

from dataclasses import replace

import numpy as np
import pytest

from model.contacts import Contact, Contacts
from model.rotation import angle_between, from_axis_angle, multiply
from model.scope import EVERYTHING, Scope, blended_contacts, blended_motion
from model.skeleton import JointRef
from tests.clips import Y, figure, random_motion, waving_figure


def turned(motion, angle=0.8):
    return replace(
        motion,
        local_rotations=multiply(from_axis_angle(Y, angle), motion.local_rotations),
        root_positions=motion.root_positions + 1.0,
    )


def test_weights_fade_in_and_out_of_the_range():
    scope = Scope(strength=0.5, start_s=2.0, stop_s=3.0, ease_s=1.0)
    times = np.array([0.0, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 9.0])
    np.testing.assert_allclose(scope.weights(times), [0, 0, 0.25, 0.5, 0.5, 0.5, 0.25, 0, 0])
    sharp = replace(scope, ease_s=0.0)
    np.testing.assert_allclose(sharp.weights(times), [0, 0, 0, 0.5, 0.5, 0.5, 0, 0, 0])
    np.testing.assert_allclose(EVERYTHING.weights(times), 1.0)


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"strength": 1.2}, "strength is 1.2"),
        ({"strength": float("nan")}, "strength is nan"),
        ({"ease_s": -1.0}, "ease_s is -1.0"),
        ({"start_s": 2.0, "stop_s": 1.0}, "backwards"),
    ],
)
def test_scopes_that_make_no_sense_are_refused(wrong, reason):
    with pytest.raises(ValueError, match=reason):
        Scope(**wrong)


def test_joints_are_found_by_role_then_by_name():
    skeleton = figure()
    refs = (skeleton.ref(skeleton.find("LeftLeg")), JointRef("Spine1"), JointRef("Tail"))
    other = Scope(joints=refs).joints_of(skeleton)
    assert [skeleton.names[joint] for joint in np.flatnonzero(other)] == ["Spine1", "LeftLeg"]
    renamed = replace(skeleton, names=tuple(f"j{n}" for n in range(len(skeleton))))
    assert list(np.flatnonzero(Scope(joints=refs).joints_of(renamed))) == [skeleton.find("LeftLeg")]


def test_blend_is_exact_at_both_ends_and_between_in_between():
    before = random_motion(frames=30)
    after = turned(before)
    weights = np.repeat([0.0, 0.25, 1.0], 10)
    joints = np.arange(len(before.skeleton)) % 2 == 0
    blended = blended_motion(before, after, weights, joints)
    np.testing.assert_array_equal(blended.local_rotations[:10], before.local_rotations[:10])
    np.testing.assert_array_equal(blended.local_rotations[:, ~joints], before.local_rotations[:, ~joints])
    np.testing.assert_array_equal(blended.local_rotations[20:, joints], after.local_rotations[20:, joints])
    angles = angle_between(blended.local_rotations[10:20, joints], before.local_rotations[10:20, joints])
    np.testing.assert_allclose(angles, 0.2, atol=1e-9)
    np.testing.assert_allclose(blended.root_positions[10:20], before.root_positions[10:20] + 0.25)
    np.testing.assert_array_equal(blended.root_positions[:10], before.root_positions[:10])


def test_root_stays_where_its_joint_is_not_meant():
    before = waving_figure()
    joints = np.ones(len(before.skeleton), dtype=bool)
    joints[0] = False
    blended = blended_motion(before, turned(before), np.ones(before.frames), joints)
    np.testing.assert_array_equal(blended.root_positions, before.root_positions)


def test_moving_limbs_are_blended_too():
    before = random_motion(moving_limbs=True)
    after = replace(before, local_offsets=before.local_offsets * 1.1)
    joints = np.ones(len(before.skeleton), dtype=bool)
    blended = blended_motion(before, after, np.full(before.frames, 0.5), joints)
    np.testing.assert_allclose(blended.local_offsets, before.local_offsets * 1.05)


def test_contacts_are_those_that_count_for_more():
    before = Contacts(10, {"left_foot": (Contact(0, 10),)}, 0.1)
    after = Contacts(10, {"left_foot": (), "left_hand": (Contact(2, 9),)}, 0.2)
    mixed = blended_contacts(before, after, np.linspace(0.0, 1.0, 10))
    assert mixed.limbs["left_foot"] == (Contact(0, 5),)
    assert mixed.limbs["left_hand"] == (Contact(5, 9),)
    assert mixed.ground_m == 0.2
    assert blended_contacts(before, after, np.zeros(10)).ground_m == 0.1


def test_motions_of_other_length_are_refused():
    motion = waving_figure()
    with pytest.raises(ValueError, match="same frames"):
        blended_motion(motion, motion.sliced(0, 5), np.ones(90), np.ones(22, dtype=bool))
