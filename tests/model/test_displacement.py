"""Displacement maps: the two operators undo each other, and sparse ones pass through their poses."""

from dataclasses import replace

import numpy as np
import pytest

from model.displacement import Displacement, apply, between_poses, difference
from model.rotation import IDENTITY, angle_between, from_axis_angle, multiply
from tests.clips import Y, random_motion


@pytest.mark.parametrize("moving_limbs", [False, True])
def test_applying_the_difference_gives_the_other_motion(moving_limbs):
    base, other = random_motion(seed=1, moving_limbs=moving_limbs), random_motion(seed=2)
    result = apply(difference(other, base), base)
    np.testing.assert_allclose(result.world.positions, other.world.positions, atol=1e-12)
    np.testing.assert_allclose(angle_between(result.local_rotations, other.local_rotations), 0, atol=1e-12)


def test_difference_of_limb_lengths_is_kept():
    base = random_motion()
    longer = replace(base, local_offsets=base.local_offsets * 1.1)
    result = apply(difference(longer, base), base)
    np.testing.assert_allclose(result.world.positions, longer.world.positions, atol=1e-12)


def test_change_acts_after_the_motion_in_the_parents_frame():
    base = random_motion()
    change = np.tile(IDENTITY, (base.frames, len(base.skeleton), 1))
    change[:, 3] = from_axis_angle(Y, 0.3)
    result = apply(Displacement(np.zeros((base.frames, 3)), change), base)
    np.testing.assert_allclose(
        result.local_rotations[:, 3], multiply(from_axis_angle(Y, 0.3), base.local_rotations[:, 3])
    )


def test_strength_zero_changes_nothing_and_half_goes_half_way():
    base, other = random_motion(seed=1), random_motion(seed=2)
    change = difference(other, base)
    np.testing.assert_allclose(apply(change, base, 0.0).world.positions, base.world.positions, atol=1e-15)
    half = apply(change, base, 0.5)
    whole = angle_between(other.local_rotations, base.local_rotations)
    np.testing.assert_allclose(angle_between(half.local_rotations, base.local_rotations), whole / 2, atol=1e-9)
    ramp = apply(change, base, np.linspace(0.0, 1.0, base.frames))
    np.testing.assert_allclose(ramp.root_positions[-1], other.root_positions[-1])
    np.testing.assert_allclose(ramp.root_positions[0], base.root_positions[0])


def test_sparse_poses_are_met_and_none_change_nothing():
    base, other = random_motion(seed=1), random_motion(seed=2)
    full = difference(other, base)
    at = np.array([5, 20, 31])
    knots = Displacement(full.root_translations[at], full.local_rotations[at])
    result = apply(between_poses(at.astype(float), knots, base.frames, len(base.skeleton)), base)
    np.testing.assert_allclose(result.world.positions[at], other.world.positions[at], atol=1e-9)
    empty = Displacement(np.zeros((0, 3)), np.zeros((0, len(base.skeleton), 4)))
    unchanged = apply(between_poses(np.zeros(0), empty, base.frames, len(base.skeleton)), base)
    np.testing.assert_array_equal(unchanged.local_rotations, base.local_rotations)


def test_motions_that_do_not_match_are_refused():
    with pytest.raises(ValueError, match="differ in frames"):
        difference(random_motion(frames=3), random_motion(frames=4))
