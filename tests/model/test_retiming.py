from dataclasses import replace

import numpy as np
import pytest

from model.motion import Origin
from model.retiming import frames_at_rate, sampled
from model.rotation import angle_between, from_axis_angle, unroll
from model.units import METRE
from tests.clips import Y, random_motion


def with_numbers(motion):
    channels = np.arange(motion.frames * 2.0).reshape(-1, 2)
    return replace(motion, origin=Origin("a.bvh", METRE, "+Y", (("Xrotation", "Yrotation"),), channels))


def test_moments_at_frames_show_them_exactly():
    motion = with_numbers(random_motion(20))
    picked = sampled(motion, np.array([0.0, 3.0, 19.0]), 0.1)
    assert np.array_equal(picked.local_rotations, motion.local_rotations[[0, 3, 19]])
    assert np.array_equal(picked.root_positions, motion.root_positions[[0, 3, 19]])
    assert np.array_equal(picked.origin.channels, motion.origin.channels[[0, 3, 19]])
    assert picked.frame_time_s == 0.1


def test_between_frames_the_file_numbers_lie_between():
    motion = with_numbers(random_motion(20))
    assert np.allclose(sampled(motion, np.array([0.0, 2.5, 19.0])).origin.channels, [[0, 1], [5, 6], [38, 39]])


def test_curves_lie_near_the_movement_that_the_frames_were_taken_from():
    fine, coarse = random_motion(381), random_motion(20)  # the same movement, every twentieth frame
    shown = sampled(coarse, np.arange(381) / 20.0)
    assert np.max(angle_between(shown.local_rotations, fine.local_rotations)) < 0.008
    assert np.max(np.abs(shown.root_positions - fine.root_positions)) < 0.002
    straight = coarse.resampled(coarse.fps * 20)
    within = slice(20, -20)  # beyond the first and last frame nothing is known of the movement
    errors = [np.max(angle_between(one.local_rotations, fine.local_rotations)[within]) for one in (shown, straight)]
    assert errors[0] < 0.3 * errors[1]


def test_slow_motion_has_no_steps_in_its_speed():
    motion = random_motion(30, moving_limbs=True)
    slow = sampled(motion, np.arange(0.0, 29.0, 0.1))
    for values in (slow.root_positions, unroll(slow.local_rotations), slow.local_offsets):
        bends = np.abs(np.diff(values, 2, axis=0))
        at_frames = np.max(bends[9::10], axis=0)  # where the old frames are
        assert np.all(at_frames <= 3.0 * np.max(np.delete(bends, np.s_[9::10], axis=0), axis=0) + 1e-9)


def test_spin_at_constant_speed_stays_one_whatever_the_signs():
    motion = random_motion(10)
    rotations = np.array(motion.local_rotations)
    rotations[:, 0] = from_axis_angle(Y, 0.4 * np.arange(10))
    rotations[::3] *= -1.0
    shown = sampled(replace(motion, local_rotations=rotations), np.array([0.5, 4.25, 8.75]))
    expected = from_axis_angle(Y, 0.4 * np.array([0.5, 4.25, 8.75]))
    assert np.max(angle_between(shown.local_rotations[:, 0], expected)) < 2e-3


@pytest.mark.parametrize(("frames", "fps", "expected"), [
    (5, 30.0, [0, 1, 2, 3, 4]), (5, 15.0, [0, 2, 4]), (4, 15.0, [0, 2]), (3, 60.0, [0, 0.5, 1, 1.5, 2]), (1, 60.0, [0]),
])  # fmt: skip
def test_frames_at_rate(frames, fps, expected):
    assert np.allclose(frames_at_rate(random_motion(frames), fps), expected)


def test_rates_that_are_meant_to_divide_do():
    motion = replace(random_motion(1201), frame_time_s=0.0083333)
    assert np.array_equal(frames_at_rate(motion, 30.0), np.arange(0.0, 1201.0, 4.0))


def test_rate_must_be_positive():
    with pytest.raises(ValueError, match="fps"):
        frames_at_rate(random_motion(3), 0.0)
