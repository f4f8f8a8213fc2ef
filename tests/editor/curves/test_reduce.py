"""Reduce to keys: within the tolerance at every frame, with keys on extrema, for whatever motion."""

from dataclasses import replace

import numpy as np
import pytest

from editor.curves.channels import POSITION, VECTOR, dense, with_dense
from editor.curves.edit import CurveKeys
from editor.curves.reduce import Tolerance, reduce_to_keys, reduce_to_share
from editor.curves.turning_points import prominences
from editor.timing.edit import Trim
from model.clip import Cancelled
from model.files.formats import read_motion, write_motion
from model.kinematics import end_site_positions
from model.motion import Motion
from model.rotation import angle_between, from_rotation_vector, multiply
from tests.clips import data_name, random_motion, recorded, stepping_figure, waving_figure
from tests.editor.evaluated import after, stages, take_of

TOLERANCES = [
    Tolerance(centimetres=2.0),
    Tolerance(centimetres=0.3),
    Tolerance(degrees=3.0),
    Tolerance(degrees=0.4),
    Tolerance(degrees=1.0, centimetres=1.0),
]


def times_of(motion):
    return np.arange(motion.frames) * motion.frame_time_s


def with_keys(motion, reduction):
    """The motion that the keys make, as the program applies them."""
    return after(take_of(motion), CurveKeys(reduction.curves)).take.motion


def worst_degrees(one: Motion, other: Motion):
    return np.degrees(np.max(angle_between(one.local_rotations, other.local_rotations)))


def worst_centimetres(one: Motion, other: Motion):
    apart = np.linalg.norm(one.world.positions - other.world.positions, axis=-1)
    tips = (end_site_positions(motion.skeleton, motion.world) for motion in (one, other))
    return 100.0 * max(np.max(apart), np.max(np.linalg.norm(np.subtract(*tips), axis=-1), initial=0.0))


def assert_within(tolerance, motion, keyed):
    if tolerance.degrees is not None:
        assert worst_degrees(motion, keyed) <= tolerance.degrees
    if tolerance.centimetres is not None:
        assert worst_centimetres(motion, keyed) <= tolerance.centimetres


def noisy(motion, seed=2, angle_rad=0.02, distance_m=0.01):
    rng = np.random.default_rng(seed)
    shaken = from_rotation_vector(angle_rad * rng.normal(size=(*motion.local_rotations.shape[:-1], 3)))
    return replace(
        motion,
        local_rotations=multiply(motion.local_rotations, shaken),
        root_positions=motion.root_positions + distance_m * rng.normal(size=motion.root_positions.shape),
    )


MOTIONS = {
    "wild": lambda: random_motion(90, seed=3),
    "moving limbs": lambda: random_motion(60, seed=4, moving_limbs=True),
    "noisy": lambda: noisy(waving_figure(80)),
    "waving": waving_figure,
    "stepping": lambda: stepping_figure(seconds=2.0)[0],
}


@pytest.mark.parametrize("tolerance", TOLERANCES, ids=str)
@pytest.mark.parametrize("space", [VECTOR, "ZXY", "XYZ"])
@pytest.mark.parametrize("motion", MOTIONS)
def test_tolerance_is_held_at_every_frame(motion, space, tolerance):
    motion = MOTIONS[motion]()
    reduction = reduce_to_keys(motion, times_of(motion), tolerance, space)
    keyed = with_keys(motion, reduction)
    assert_within(tolerance, motion, keyed)
    assert worst_degrees(motion, keyed) == pytest.approx(reduction.worst_degrees, abs=1e-6)
    assert worst_centimetres(motion, keyed) == pytest.approx(reduction.worst_centimetres, abs=1e-6)


RECORDED = recorded("cmu-bvh/02_01.bvh", "cmu-bvh/16_35.bvh", "cmu-bvh/49_06.bvh", "other-bvh/rokoko_jesse_dance.bvh")


@pytest.mark.parametrize("tolerance", [TOLERANCES[0], TOLERANCES[4]], ids=str)
@pytest.mark.parametrize("path", RECORDED, ids=data_name)
def test_tolerance_is_held_by_recorded_clips(path, tolerance):
    motion = read_motion(path).motion
    motion = motion.sliced(0, min(motion.frames, 400))
    reduction = reduce_to_keys(motion, times_of(motion), tolerance)
    assert_within(tolerance, motion, with_keys(motion, reduction))
    assert reduction.share < 0.2


def test_less_tolerance_takes_more_keys():
    motion = MOTIONS["stepping"]()
    shares = [
        reduce_to_keys(motion, times_of(motion), Tolerance(centimetres=centimetres)).share
        for centimetres in (3.0, 1.0, 0.3)
    ]
    assert shares[0] < shares[1] < shares[2]


@pytest.mark.parametrize("space", [VECTOR, "ZXY"])
def test_extrema_that_stand_out_are_keys_on_the_data(space):
    motion, _ = stepping_figure(seconds=3.0)
    tolerance = Tolerance(degrees=1.0)
    reduction = reduce_to_keys(motion, times_of(motion), tolerance, space)
    count = 0
    for curve in reduction.curves:
        if curve.channel.space == POSITION:
            continue
        joint = motion.skeleton.resolve(curve.channel.joint)
        data = dense(motion, joint, space)[:, curve.channel.column]
        frames = np.flatnonzero(prominences(data[None])[0] > np.radians(2.0))
        count += len(frames)
        keys = dict(zip(np.rint(curve.keys.times_s / motion.frame_time_s).astype(int), curve.keys.values, strict=True))
        assert set(frames) <= set(keys)
        np.testing.assert_allclose([keys[frame] for frame in frames], data[frames], atol=1e-12)
    assert count > 20


def test_smooth_extrema_are_level():
    motion = waving_figure(181)
    angles = np.zeros((181, 3))
    angles[:, 1] = 0.6 * np.sin(np.arange(181) / 14.0)
    motion = with_dense(motion, 8, "ZXY", angles, np.ones(181, dtype=bool))
    reduction = reduce_to_keys(motion, times_of(motion), Tolerance(degrees=1.0), "ZXY", joints=[8])
    keys = next(curve.keys for curve in reduction.curves if curve.channel.axis == "Y")
    level = [key.value for key in keys.keys if key.tangent == "flat"]
    np.testing.assert_allclose(np.abs(level), 0.6, atol=1e-2)
    assert len(level) == 4
    assert len(keys) <= 8


def test_wiggles_within_the_tolerance_get_no_keys():
    motion = noisy(waving_figure(120), angle_rad=0.001, distance_m=1e-4)
    still = np.array(motion.local_rotations)
    still[:] = from_rotation_vector(0.001 * np.random.default_rng(0).normal(size=(*still.shape[:-1], 3)))
    reduction = reduce_to_keys(replace(motion, local_rotations=still), times_of(motion), Tolerance(degrees=1.0))
    assert all(len(curve.keys) == 1 for curve in reduction.curves if curve.channel.space != POSITION)


def test_channels_that_drift_slowly_are_held_too():
    """Each is within its own share of the tolerance when it stands still; together they are not."""
    motion = waving_figure(60)
    drift = np.linspace(-0.004, 0.004, 60)[:, None, None] * np.ones((1, len(motion.skeleton), 3))
    motion = replace(motion, local_rotations=from_rotation_vector(drift))
    for centimetres in (0.2, 0.4, 0.8, 1.6):
        tolerance = Tolerance(centimetres=centimetres)
        reduction = reduce_to_keys(motion, times_of(motion), tolerance)
        assert_within(tolerance, motion, with_keys(motion, reduction))


@pytest.mark.parametrize("frames", [1, 2, 30])
def test_still_channels_have_one_key(frames):
    motion = waving_figure(30)
    motion = replace(
        motion,
        root_positions=np.tile(motion.root_positions[:1], (frames, 1)),
        local_rotations=np.tile(motion.local_rotations[:1], (frames, 1, 1)),
    )
    for reduction in (
        reduce_to_keys(motion, times_of(motion), Tolerance(centimetres=0.01)),
        reduce_to_share(motion, times_of(motion), 0.5),
    ):
        assert all(len(curve.keys) == 1 for curve in reduction.curves)
        assert reduction.keys == len(reduction.curves) == 3 * len(motion.skeleton) + 3
        assert worst_centimetres(motion, with_keys(motion, reduction)) < 1e-9


@pytest.mark.parametrize("frames", [1, 2, 3, 4])
def test_shortest_clips_are_within_the_tolerance(frames):
    motion = random_motion(40).sliced(10, 10 + frames)
    tolerance = Tolerance(centimetres=0.1)
    reduction = reduce_to_keys(motion, times_of(motion), tolerance)
    assert_within(tolerance, motion, with_keys(motion, reduction))
    assert all(1 <= len(curve.keys) <= frames for curve in reduction.curves)


def test_no_frames_and_no_joints_give_no_curves():
    motion = random_motion(10)
    assert reduce_to_keys(motion.sliced(0, 0), np.zeros(0), Tolerance(degrees=1.0)).curves == ()
    assert reduce_to_share(motion, times_of(motion), 0.1, joints=[]).curves == ()


def test_gimbal_lock_is_held_by_the_true_angle():
    """A joint whose middle Euler angle passes straight through a quarter turn, its other angles flying about."""
    frames = 120
    time = np.linspace(-1.0, 1.0, frames)
    vectors = np.stack([np.pi / 2 + 0.4 * time, 0.02 * np.cos(9 * time), 0.5 * time**2 - 0.01], axis=-1)
    motion = with_dense(waving_figure(frames), 7, VECTOR, vectors, np.ones(frames, dtype=bool))
    assert np.max(np.abs(np.diff(dense(motion, 7, "ZXY"), axis=0))) > 0.3
    tolerance = Tolerance(degrees=0.5)
    reduction = reduce_to_keys(motion, times_of(motion), tolerance, "ZXY")
    assert_within(tolerance, motion, with_keys(motion, reduction))


@pytest.mark.parametrize("tolerance", [Tolerance(degrees=1.0), Tolerance(centimetres=1.0)], ids=str)
def test_full_turns_are_held(tolerance):
    """Where rotation vectors reach a full turn, their parts turn the joint about no axis."""
    frames = 200
    angles = np.linspace(0.0, 4.4 * np.pi, frames) + 0.3 * np.sin(np.arange(frames) / 9.0)
    vectors = angles[:, None] * np.array([0.36, 0.48, 0.8]) + 0.1 * np.sin(np.arange(frames) / 5.0)[:, None]
    motion = with_dense(waving_figure(frames), 0, VECTOR, vectors, np.ones(frames, dtype=bool))
    reduction = reduce_to_keys(motion, times_of(motion), tolerance, VECTOR)
    assert_within(tolerance, motion, with_keys(motion, reduction))


def test_frames_at_uneven_times_are_held():
    motion = MOTIONS["wild"]()
    times = 5.0 + np.cumsum(np.random.default_rng(1).uniform(0.001, 0.08, size=motion.frames))
    tolerance = Tolerance(centimetres=0.5)
    reduction = reduce_to_keys(motion, times, tolerance)
    values = {curve.channel: curve.keys.at(times) for curve in reduction.curves}
    keyed = motion
    for joint, space in [(0, POSITION), *((joint, "ZXY") for joint in range(len(motion.skeleton)))]:
        ref = motion.skeleton.ref(joint)
        parts = [values[channel] for channel in values if channel.joint == ref and channel.space == space]
        keyed = with_dense(keyed, joint, space, np.stack(parts, axis=1), np.ones(motion.frames, dtype=bool))
    assert_within(tolerance, motion, keyed)


def test_keys_made_behind_a_trim_are_at_the_moments_of_the_source():
    take = take_of(random_motion(120, seed=9))
    trim = Trim(1.0, 3.0)
    stage = stages(take, trim)[-1]
    motion = stage.take.motion
    times = stage.time_map.inverse()(times_of(motion))
    assert times[0] == pytest.approx(1.0)
    tolerance = Tolerance(centimetres=0.5)
    reduction = reduce_to_keys(motion, times, tolerance)
    assert_within(tolerance, motion, after(take, trim, CurveKeys(reduction.curves)).take.motion)


@pytest.mark.parametrize("extension", ["bvh", "glb"])
def test_written_keys_are_read_within_the_tolerance(tmp_path, extension):
    motion = MOTIONS["stepping"]()
    tolerance = Tolerance(centimetres=0.5)
    keyed = with_keys(motion, reduce_to_keys(motion, times_of(motion), tolerance))
    write_motion(keyed, tmp_path / f"keyed.{extension}")
    assert worst_centimetres(motion, read_motion(tmp_path / f"keyed.{extension}").motion) <= 0.5 + 1e-4


def test_other_joints_keep_their_very_numbers():
    motion = MOTIONS["wild"]()
    tolerance = Tolerance(centimetres=1.0)
    reduction = reduce_to_keys(motion, times_of(motion), tolerance, joints=[8, 3])
    assert {motion.skeleton.resolve(curve.channel.joint) for curve in reduction.curves} == {3, 8}
    keyed = with_keys(motion, reduction)
    others = [joint for joint in range(len(motion.skeleton)) if joint not in (3, 8)]
    np.testing.assert_array_equal(keyed.local_rotations[:, others], motion.local_rotations[:, others])
    np.testing.assert_array_equal(keyed.root_positions, motion.root_positions)
    assert_within(tolerance, motion, keyed)


def test_hand_that_turns_about_itself_is_not_lost():
    """No joint moves with it, yet it must be seen to turn."""
    motion = waving_figure(90)
    hand = motion.skeleton.find("LeftHand")
    turns = np.zeros((90, 3))
    turns[:, 0] = np.sin(np.arange(90) / 9.0)
    motion = with_dense(motion, hand, VECTOR, turns, np.ones(90, dtype=bool))
    keyed = with_keys(motion, reduce_to_keys(motion, times_of(motion), Tolerance(centimetres=1.0), VECTOR))
    assert np.degrees(np.max(angle_between(keyed.local_rotations, motion.local_rotations)[:, hand])) <= 11.5


# A number of keys


def straight(motion, share):
    """Keys at even steps with the tangents that animators' programs give them, on all channels: what ours must beat."""
    frames = np.unique(np.rint(np.linspace(0, motion.frames - 1, max(2, int(share * motion.frames)))).astype(int))
    from scipy.interpolate import CubicHermiteSpline

    def through(values):
        slopes = np.gradient(values[frames], frames, axis=0)
        return CubicHermiteSpline(frames, values[frames], slopes)(np.arange(motion.frames))

    every = np.ones(motion.frames, dtype=bool)
    result = with_dense(motion, 0, POSITION, through(motion.root_positions), every)
    for joint in range(len(motion.skeleton)):
        result = with_dense(result, joint, "ZXY", through(dense(motion, joint, "ZXY")), every)
    return result


@pytest.mark.parametrize("share", [0.05, 0.1, 0.3])
def test_share_of_keys_is_kept_and_well_used(share):
    motion, _ = stepping_figure(seconds=4.0)
    reduction = reduce_to_share(motion, times_of(motion), share)
    assert reduction.keys <= share * motion.frames * len(reduction.curves)
    keyed = with_keys(motion, reduction)
    assert 2.0 * worst_centimetres(motion, keyed) < worst_centimetres(motion, straight(motion, share))
    assert worst_centimetres(motion, keyed) == pytest.approx(reduction.worst_centimetres, abs=1e-6)


def test_share_too_small_for_two_keys_a_channel_leaves_the_smallest_still():
    motion = MOTIONS["wild"]()
    reduction = reduce_to_share(motion, times_of(motion), 1.5 / motion.frames)
    counts = [len(curve.keys) for curve in reduction.curves]
    assert min(counts) == 1
    assert sum(counts) <= 1.5 * len(counts)
    assert all(len(curve.keys) > 1 for curve in reduction.curves if curve.channel.space == POSITION)


def test_all_keys_give_nearly_the_motion_itself():
    motion = MOTIONS["noisy"]()
    assert reduce_to_share(motion, times_of(motion), 1.0).worst_centimetres < 0.01


# Manners


def test_progress_rises_and_cancels():
    motion = MOTIONS["waving"]()
    told = []
    reduce_to_keys(motion, times_of(motion), Tolerance(degrees=1.0), progress=told.append)
    assert len(told) > 3
    assert told == sorted(told)
    assert told[0] >= 0.0
    assert told[-1] <= 1.0

    def cancel(fraction):
        raise Cancelled

    for call in (lambda: reduce_to_keys(motion, times_of(motion), Tolerance(degrees=1.0), progress=cancel),
                 lambda: reduce_to_share(motion, times_of(motion), 0.1, progress=cancel)):  # fmt: skip
        with pytest.raises(Cancelled):
            call()


def test_same_motion_gives_the_same_keys():
    motion = MOTIONS["noisy"]()
    one, other = (reduce_to_keys(motion, times_of(motion), Tolerance(centimetres=1.0)) for _ in range(2))
    assert one.curves == other.curves


@pytest.mark.parametrize("wrong", [{}, {"degrees": 0.0}, {"centimetres": -1.0}, {"degrees": float("nan")}])
def test_no_tolerance_is_refused(wrong):
    with pytest.raises(ValueError, match="degrees"):
        Tolerance(**wrong)


@pytest.mark.parametrize("times", [np.zeros(40), np.arange(39.0), -np.arange(40.0), np.full(40, np.nan)])
def test_times_that_do_not_fit_are_refused(times):
    with pytest.raises(ValueError, match="times_s"):
        reduce_to_keys(random_motion(40), times, Tolerance(degrees=1.0))


@pytest.mark.parametrize("share", [0.0, -0.1, 1.1])
def test_share_outside_of_everything_is_refused(share):
    with pytest.raises(ValueError, match="share"):
        reduce_to_share(random_motion(40), np.arange(40.0), share)
