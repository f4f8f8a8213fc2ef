"""Motions: read-only, cut and resampled in time."""

from dataclasses import replace

import numpy as np
import pytest

from model.motion import Motion, rest_motion
from model.rotation import angle_between, from_axis_angle
from tests.clips import Y, figure, random_motion


def test_arrays_cannot_be_written_and_the_makers_array_can():
    motion = random_motion()
    mine = motion.local_rotations.copy()
    again = Motion(motion.skeleton, 0.1, motion.root_positions, mine, motion.local_offsets)
    for array in (
        motion.local_rotations,
        motion.root_positions,
        again.local_rotations,
        motion.world.positions,
    ):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0.0
    mine[0] = 1.0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"frame_time_s": 0.0}, "frame_time_s is 0.0"),
        ({"frame_time_s": float("nan")}, "frame_time_s is nan"),
        ({"root_positions": np.zeros((3, 3))}, "root_positions has shape"),
        ({"local_rotations": np.zeros((40, 3, 4))}, "local_rotations has shape"),
        ({"local_offsets": np.zeros((4, 3))}, "local_offsets has shape"),
    ],
)
def test_broken_rules_are_named(change, message):
    from dataclasses import replace

    with pytest.raises(ValueError, match=message):
        replace(random_motion(), **change)


def test_slicing_keeps_frames_and_counts_from_the_file():
    motion = random_motion(moving_limbs=True)
    part = motion.sliced(10, 25)
    assert part.frames == 15
    assert part.first_frame == 10
    np.testing.assert_allclose(part.world.positions, motion.world.positions[10:25], atol=1e-14)
    assert np.shares_memory(part.local_rotations, motion.local_rotations)


@pytest.mark.parametrize(("start", "stop"), [(-1, 3), (5, 4), (0, 41)])
def test_slices_outside_the_motion_are_refused(start, stop):
    with pytest.raises(ValueError, match="does not lie within"):
        random_motion().sliced(start, stop)


def test_resampling_to_a_divisor_of_the_rate_picks_frames_exactly():
    motion = random_motion(frames=41)
    half = motion.resampled(15.0)
    assert half.frames == 21
    np.testing.assert_array_equal(half.local_rotations, motion.local_rotations[::2])
    np.testing.assert_array_equal(half.root_positions, motion.root_positions[::2])


def test_resampling_a_rounded_frame_time_picks_frames_exactly():
    from dataclasses import replace

    motion = replace(random_motion(frames=401), frame_time_s=0.0083333)
    np.testing.assert_array_equal(motion.resampled(30.0).local_rotations, motion.local_rotations[::4])


def test_resampling_up_from_a_rounded_frame_time_keeps_the_last_frame():
    from dataclasses import replace

    motion = replace(random_motion(frames=10), frame_time_s=0.033333)
    fine = motion.resampled(60.0)
    assert fine.frames == 19
    np.testing.assert_allclose(fine.root_positions[::2], motion.root_positions, atol=1e-12)


def test_resampling_up_keeps_the_old_frames_and_turns_evenly_between():
    motion = random_motion(frames=11, moving_limbs=True)
    fine = motion.resampled(120.0)
    assert fine.frames == 41
    np.testing.assert_allclose(fine.world.positions[::4], motion.world.positions, atol=1e-12)
    steps = angle_between(fine.local_rotations[1:], fine.local_rotations[:-1]).reshape(10, 4, -1)
    np.testing.assert_allclose(steps, steps[:, :1] * np.ones((1, 4, 1)), atol=1e-9)


@pytest.mark.parametrize("fps", [7.0, 24.0, 29.97, 59.94, 100.0, 1000.0])
def test_resampling_never_leaves_the_motions_time(fps):
    motion = random_motion()
    other = motion.resampled(fps)
    assert motion.duration_s - 1 / fps < other.duration_s <= motion.duration_s + 1e-9
    time = np.arange(other.frames) / fps
    expected = np.stack([np.interp(time, np.arange(40) / 30, motion.root_positions[:, n]) for n in range(3)], -1)
    np.testing.assert_allclose(other.root_positions, expected, atol=1e-9)


def test_resampling_to_the_same_rate_is_the_same_motion():
    motion = random_motion()
    assert motion.resampled(30.0) is motion


@pytest.mark.parametrize("fps", [0.0, -1.0, float("inf"), float("nan")])
def test_impossible_rates_are_refused(fps):
    with pytest.raises(ValueError, match="fps is"):
        random_motion().resampled(fps)


@pytest.mark.parametrize("frames", [0, 1])
def test_resampling_nothing_gives_nothing_more(frames):
    assert random_motion(frames=5).sliced(0, frames).resampled(77.0).frames == frames


def test_rest_motion_stands_in_the_rest_pose():
    skeleton = figure()
    motion = rest_motion(skeleton, frames=2)
    np.testing.assert_allclose(motion.world.positions[1], skeleton.rest_positions())
    assert motion.pose(1).local_rotations.shape == (len(skeleton), 4)


def test_turning_the_root_turns_the_body():
    motion = rest_motion(figure())
    from dataclasses import replace

    rotations = motion.local_rotations.copy()
    rotations[:, 0] = from_axis_angle(Y, np.pi)
    turned = replace(motion, local_rotations=rotations)
    rest = motion.world.positions - motion.root_positions[:, None]
    np.testing.assert_allclose(turned.world.positions - motion.root_positions[:, None], rest * [-1, 1, -1], atol=1e-12)


@pytest.mark.parametrize("moving_limbs", [False, True])
@pytest.mark.parametrize("known", [False, True])
def test_frames_are_replaced_and_the_body_goes_on_from_there(moving_limbs, known):
    motion, other = (random_motion(30, seed=seed, moving_limbs=moving_limbs) for seed in (1, 2))
    if known:
        assert len(motion.world.positions) == 30
    part = other.sliced(8, 20)
    made = motion.with_frames(8, part)
    moved = part.root_positions[-1] - motion.root_positions[19]
    again = replace(made)  # without what is known of the world
    for one in (made, again):
        np.testing.assert_allclose(one.world.positions[8:20], part.world.positions, atol=1e-12)
        np.testing.assert_allclose(one.world.positions[:8], motion.world.positions[:8], atol=1e-12)
        np.testing.assert_allclose(one.world.positions[20:], motion.world.positions[20:] + moved, atol=1e-12)
        np.testing.assert_allclose(one.world.rotations[20:], motion.world.rotations[20:], atol=1e-12)
