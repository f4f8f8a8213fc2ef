"""Extremes of made and recorded motions: the right ones, and the same ones however the motion is given."""

from dataclasses import replace

import numpy as np
import pytest

from editor.contacts.detect import find_contacts
from editor.extrema.filters import Filter, FilterKind
from editor.extrema.find import (
    DEFAULT_LEVEL,
    ExtremaSettings,
    _again,
    all_joints_measured,
    body_measured,
    extremes_of,
    joint_measured,
    selected,
)
from editor.extrema.measures import Measure
from editor.extrema.parts import PARTS, across, joint_points, joints_of_part
from model.clip import Take
from model.extremes import Extreme, Extremes
from model.files.formats import read_motion
from model.motion import Motion
from model.retiming import frames_at_rate, sampled
from model.roles import Role
from model.rotation import IDENTITY, from_axis_angle, multiply, rotate
from model.skeleton import EndSite, Skeleton
from tests.clips import DATA, Y, Z, figure, needs_data, random_motion, recorded, stepping_figure, waving_figure
from tests.editor.extrema.recordings import A_FRAME_S, RUNS, WALKS, noisy_times, sameness, step_scores
from tests.editor.extrema.swings import (
    damped,
    frames,
    hop,
    keyframed,
    matched,
    pendulum,
    somersault,
    standing,
    times,
    widest_steps,
)

MAX, MIN = "max", "min"


def of_pivot(motion, measure, extreme="automatic", level=DEFAULT_LEVEL):
    return frames(motion, selected(joint_measured(motion, 0, ExtremaSettings(measure, extreme)), level))


# ---------------------------------------------------------------------------------------- pendulums (5.6.1)


@pytest.mark.parametrize("made", [keyframed, damped])
@pytest.mark.parametrize("measure", [Measure.SPATIAL, Measure.VELOCITY])
def test_swing_ends_are_found_exactly_and_nothing_else(made, measure):
    motion, ends = made()
    assert len(ends) >= 3
    assert of_pivot(motion, measure) == ends


@pytest.mark.parametrize("size_rad", [0.2, 1.5])
def test_swing_ends_are_found_whatever_the_size(size_rad):
    motion, ends = keyframed(size_rad=size_rad)
    assert of_pivot(motion, Measure.SPATIAL) == ends


def test_velocity_is_largest_between_the_swing_ends():
    motion, ends = keyframed()
    assert of_pivot(motion, Measure.VELOCITY, MAX) == [10, *(end + 10 for end in ends)]


def test_acceleration_is_largest_near_the_swing_ends():
    motion, ends = damped()
    found = of_pivot(motion, Measure.ACCELERATION)
    assert np.all(matched(ends, found, 6))  # of some 124 that a swing takes


def test_pseudo_curvature_of_a_pendulum_is_largest_half_way_and_least_at_the_ends():
    """The path is a piece of a circle, bent the same everywhere: what varies is how long the edges are, and these are
    longest where the bob is fastest. So pseudo-curvature gives the opposite of what it gives for a hip (figure 5.13).
    """
    motion, ends = keyframed()
    assert of_pivot(motion, Measure.CURVATURE, MAX) == [10, *(end + 10 for end in ends)]
    assert of_pivot(motion, Measure.CURVATURE, MIN) == ends


def test_pseudo_curvature_finds_the_ends_where_the_path_is_no_arc():
    """A bob on a narrow figure of eight turns round at its ends: there the path itself bends most."""
    t = np.arange(241) / 60.0
    angles = 0.8 * np.cos(2 * np.pi * 0.5 * t), 0.15 * np.sin(2 * np.pi * 1.0 * t)
    swing = pendulum(angles[0], 60.0)
    rotations = np.array(swing.local_rotations)
    rotations[:, 0] = multiply(rotations[:, 0], from_axis_angle(np.array([1.0, 0.0, 0.0]), angles[1]))
    found = of_pivot(replace(swing, local_rotations=rotations), Measure.CURVATURE, MAX)
    assert np.all(matched([60, 120, 180], found, 3))


def test_a_resting_pendulum_has_a_hold_and_no_extremes():
    motion = pendulum(np.full(200, 0.3), 60.0)
    found = selected(joint_measured(motion, 0), 1.0)
    assert [one.kind for one in found.found] == ["first", "hold", "last"]
    hold = found.found[1]
    assert (hold.start_s, hold.stop_s) == (0.0, pytest.approx(200 / 60.0))


# ---------------------------------------------------------------------------------------- joints


def test_twisting_a_limb_is_seen_by_its_virtual_child():
    """Turning about the bone does not move the child at all."""
    angles = 0.8 * np.cos(2 * np.pi * np.arange(181) / 60.0)
    motion = pendulum(np.zeros(181), 60.0)
    rotations = np.array(motion.local_rotations)
    rotations[:, 0] = from_axis_angle(Y, angles)
    motion = replace(motion, local_rotations=rotations)
    assert np.ptp(motion.world.positions, axis=0).max() < 1e-12
    assert frames(motion, selected(joint_measured(motion, 0))) == [30, 60, 90, 120, 150]


def test_a_joint_sees_the_child_that_moves_most():
    """Of two children one lies along the axis of the rotation."""
    offsets = np.array([[0.0, 0, 0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
    body = Skeleton(("Root", "Still", "Moving"), (-1, 0, 0), offsets)
    turn = from_axis_angle(Z, 0.8 * np.cos(2 * np.pi * np.arange(181) / 60.0))
    rotations = np.tile(IDENTITY, (181, 3, 1))
    rotations[:, 0] = turn
    motion = Motion(body, 1 / 60, np.zeros((181, 3)), rotations, offsets)
    assert frames(motion, selected(joint_measured(motion, 0))) == [30, 60, 90, 120, 150]


def test_points_of_a_joint_are_its_children_its_tips_and_what_is_across():
    motion = random_motion(5)
    skeleton = motion.skeleton
    chest, hand = skeleton.find("Chest"), skeleton.find("LeftHand")
    assert joint_points(motion, chest).shape == (5, 6, 3)
    neck = motion.world.positions[:, skeleton.find("Neck")] - motion.world.positions[:, chest]
    points = joint_points(motion, chest)
    assert np.allclose(points[:, 0], neck)
    assert np.allclose(np.sum(points[:, 0] * points[:, 3], axis=-1), 0.0, atol=1e-12)
    assert np.allclose(np.linalg.norm(points[:, 0], axis=-1), np.linalg.norm(points[:, 3], axis=-1))
    assert joint_points(motion, hand).shape == (5, 2, 3)
    bare = replace(motion, skeleton=replace(skeleton, end_sites=()))
    assert joint_points(bare, hand).shape == (5, 2, 3)


def test_across_is_across_and_as_long():
    for bone in np.random.default_rng(1).normal(size=(20, 3)):
        assert np.dot(bone, across(bone)) == pytest.approx(0.0, abs=1e-12)
        assert np.linalg.norm(across(bone)) == pytest.approx(np.linalg.norm(bone))


def test_all_joints_at_once_are_the_same_as_one_by_one():
    motion = random_motion(60)
    together = all_joints_measured(motion)
    assert len(together) == len(motion.skeleton)
    for joint in (0, 5, 8):
        assert np.array_equal(together[joint].values, joint_measured(motion, joint).values)


# ---------------------------------------------------------------------------------------- bodies


@pytest.mark.parametrize("speed", [1.2, 1.35, 1.5])
def test_steps_of_a_walk_are_its_extremes(speed):
    motion, _ = stepping_figure(seconds=6.0, speed=speed)
    wanted, found = widest_steps(motion), times(selected(body_measured(motion)))
    inside = (wanted > 0.3) & (wanted < 5.7)
    assert np.all(matched(wanted[inside], found, 0.1))
    assert np.all(matched(found[(found > 0.3) & (found < 5.7)], wanted, 0.1))


@pytest.mark.parametrize("turn_rad", [-0.6, 0.6, 1.2])
def test_steps_of_a_walk_round_a_corner_are_its_extremes(turn_rad):
    """It turns by so much a second, half a circle or more in all."""
    straight, _ = stepping_figure(seconds=6.0)
    turns = from_axis_angle(Y, turn_rad * np.arange(straight.frames) * straight.frame_time_s)
    rotations = np.array(straight.local_rotations)
    rotations[:, 0] = multiply(turns, rotations[:, 0])
    motion = replace(straight, local_rotations=rotations)
    wanted, found = widest_steps(motion), times(selected(body_measured(motion)))
    inside = (wanted > 0.3) & (wanted < 5.7)
    assert np.all(matched(wanted[inside], found, 0.1))
    assert np.all(matched(found[(found > 0.3) & (found < 5.7)], wanted, 0.1))


def test_standing_is_a_hold():
    found = selected(body_measured(standing()))
    assert [one.kind for one in found.found] == ["first", "hold", "last"]


def test_walking_does_not_hold():
    motion, _ = stepping_figure(seconds=4.0)
    assert not body_measured(motion).holds


def test_a_body_that_turns_over_is_told_by_more_than_its_middle():
    """Its points run round without turning back: of the quarters of the turn the measure alone says nothing."""
    motion = somersault()
    found, at_quarters = times(selected(body_measured(motion))), motion.duration_s * np.array([0.41, 0.5, 0.59])
    assert len(found) >= 3
    assert np.all(matched(at_quarters, found, 0.15))
    assert np.array_equal(found, times(selected(body_measured(motion), 0.6)))


def test_the_top_of_a_jump_is_told_by_its_height():
    motion, top_s = hop()
    found = times(selected(body_measured(motion)))
    assert np.all(matched([0.8, top_s, 1.8], found, 0.05))
    low, _ = hop(height_m=0.05)
    assert not np.any(matched([top_s], times(selected(body_measured(low))), 0.05))


def test_poses_between_are_of_spatial_extremeness_alone():
    motion = somersault()
    for settings in (ExtremaSettings(Measure.VELOCITY), ExtremaSettings(extreme=MIN)):
        apart = body_measured(motion, settings).frames.tolist()
        assert not set(apart) & set(range(70, 85))


@pytest.mark.parametrize(
    ("peaks", "shares", "apart", "again"),
    [
        ([0, 40, 50, 90], [0.0, 0.3, 0.05, 0.0], 0.1, [50]),
        ([0, 40, 50, 90], [0.0, 0.05, 0.3, 0.0], 0.1, [40]),
        ([0, 40, 50, 90], [0.0, 0.3, 0.2, 0.0], 0.1, []),  # both are clear
        ([0, 40, 50, 90], [0.0, 0.03, 0.05, 0.0], 0.1, []),  # neither is
        ([0, 40, 50, 90], [0.0, 0.3, 0.05, 0.0], 0.2, []),  # another pose
        ([0, 40, 55, 90], [0.0, 0.3, 0.05, 0.0], 0.1, []),  # another moment
        ([0, 5, 85, 90], [0.0, 0.3, 0.3, 0.0], 0.0, []),  # the ends stay
    ],
)
def test_a_faint_peak_beside_a_clear_one_is_the_same_pose_again(peaks, shares, apart, again):
    stance = np.zeros((91, 2, 3))
    stance[45:, :, 0] = apart
    found = _again(stance, np.array(peaks), np.array(shares), 1.0 / 60.0)
    assert np.array(peaks)[found].tolist() == again


def test_level_goes_from_few_to_many():
    time = np.arange(900) / 60.0
    phases, rates = np.random.default_rng(3).uniform(0, 6, size=8), np.linspace(0.3, 2.5, 8)
    angles = np.sum(0.3 * np.sin(2 * np.pi * rates * time[:, None] + phases) / rates, axis=1)
    found = joint_measured(pendulum(angles, 60.0), 0)
    counts = [len(selected(found, level).found) for level in np.linspace(0.0, 1.0, 11)]
    assert counts == sorted(counts)
    assert counts[0] < counts[5] <= counts[-1]
    few, many = (set(selected(found, level).found) for level in (0.2, 0.9))
    assert few <= many


def test_first_and_last_are_always_there_and_flagged():
    motion = random_motion(90)
    for level in (0.0, 1.0):
        found = selected(body_measured(motion), level).found
        assert (found[0].kind, found[-1].kind) == ("first", "last")
        assert (found[0].time_s, found[-1].time_s) == (0.0, pytest.approx(motion.duration_s))
        assert all(one.kind not in ("first", "last") for one in found[1:-1])


@pytest.mark.parametrize("measure", Measure)
def test_prominences_are_shares(measure):
    shares = body_measured(random_motion(300, seed=5), ExtremaSettings(measure)).prominences
    assert np.all((shares >= 0.0) & (shares <= 1.0))
    assert np.max(shares) > 0.05


@pytest.mark.parametrize("measure", Measure)
@pytest.mark.parametrize("count", [0, 1, 2, 3, 7])
def test_short_motions_are_measured(measure, count):
    motion = random_motion(40).sliced(0, count)
    found = selected(body_measured(motion, ExtremaSettings(measure)), 1.0)
    assert len(found.found) >= min(count, 2)
    assert len(all_joints_measured(motion, ExtremaSettings(measure))) == len(motion.skeleton)


def test_window_sets_how_near_extremes_may_be():
    motion, ends = keyframed(swings=8)
    wide = selected(joint_measured(motion, 0, ExtremaSettings(window_s=2.0)), 1.0)
    assert len(frames(motion, wide)) < len(ends)
    apart = np.diff(times(selected(body_measured(random_motion(600, seed=2), ExtremaSettings(window_s=0.8)), 1.0)))
    assert np.min(apart) > 0.4 - A_FRAME_S


def test_filters_take_noise_out_before_measuring():
    motion, ends = damped()
    noise = from_axis_angle(Z, np.random.default_rng(8).normal(scale=0.01, size=motion.frames))
    rotations = np.array(motion.local_rotations)
    rotations[:, 0] = multiply(noise, rotations[:, 0])
    noisy = replace(motion, local_rotations=rotations)
    rough = ExtremaSettings(Measure.ACCELERATION)
    assert len(frames(noisy, selected(joint_measured(noisy, 0, rough)))) > 1.5 * len(ends)
    for how in (Filter(FilterKind.LAPLACIAN, 300), Filter(FilterKind.LOW_PASS, window_s=0.6)):
        found = frames(noisy, selected(joint_measured(noisy, 0, replace(rough, filter=how))))
        assert len(found) <= len(ends) + 2
        assert np.all(matched(ends, found, 14))


def test_parts_of_the_body_are_looked_at_alone():
    """A person waves: the arm has extremes, the legs hold."""
    motion = waving_figure(240, 60.0)
    arm, legs = (body_measured(motion, ExtremaSettings(part=part)) for part in ("right arm", "legs"))
    assert len(times(selected(arm))) >= 4
    assert not len(times(selected(legs)))
    assert legs.holds


def test_parts_are_found_by_roles():
    skeleton = figure()
    legs = joints_of_part(skeleton, "legs")
    assert {skeleton.roles[joint] for joint in legs} >= {Role.LEFT_KNEE, Role.RIGHT_ANKLE}
    assert not set(legs) & set(joints_of_part(skeleton, "upper body"))
    everything = set(joints_of_part(skeleton, "whole body"))
    assert everything == set(range(1, len(skeleton))) == set(legs) | set(joints_of_part(skeleton, "upper body"))
    assert all(set(joints_of_part(skeleton, part)) <= everything for part in PARTS)
    nameless = skeleton.with_roles([None] * len(skeleton))
    assert len(joints_of_part(nameless, "whole body")) == len(skeleton) - 1
    with pytest.raises(ValueError, match="this body has no arms"):
        joints_of_part(nameless, "arms")
    with pytest.raises(ValueError, match="part is 'tail'"):
        joints_of_part(skeleton, "tail")


def test_joints_in_the_place_of_their_parents_count_once():
    offsets = np.array([[0.0, 1, 0], [0.0, 0, 0], [0.0, 0.5, 0]])
    assert joints_of_part(Skeleton(("A", "B", "C"), (-1, 0, 1), offsets), "whole body") == (2,)


def test_wrong_settings_are_named():
    with pytest.raises(ValueError, match="extreme is 'most'"):
        ExtremaSettings(extreme="most")
    with pytest.raises(ValueError, match="window_s is 0"):
        ExtremaSettings(window_s=0.0)


def test_extremes_of_a_take_are_its_own_or_found():
    motion, _ = stepping_figure(seconds=3.0)
    contacts = find_contacts(motion)
    assert extremes_of(Take(motion, contacts)) == selected(body_measured(motion))
    own = Extremes((Extreme(1.0),))
    assert extremes_of(Take(motion, contacts, own)) is own


# ---------------------------------------------------------------------------------------- the same extremes


def walk_and_gesture():
    motion, _ = stepping_figure(seconds=5.0, fps=120.0)
    phases = np.random.default_rng(9).uniform(0, 6, size=(len(motion.skeleton), 1))
    time = np.arange(motion.frames) / 120.0
    sway = from_axis_angle(Z, 0.2 * np.sin(2 * np.pi * 0.7 * time + phases).T)
    keep = np.array([role is not None and "hip" not in role and "knee" not in role for role in motion.skeleton.roles])
    rotations = np.where(keep[:, None], multiply(sway, motion.local_rotations), motion.local_rotations)
    return replace(motion, local_rotations=rotations)


def assert_same(one, other, share=1.0):
    assert len(one) >= 3
    assert np.mean(matched(one, other, A_FRAME_S)) >= share
    assert np.mean(matched(other, one, A_FRAME_S)) >= share


@pytest.mark.parametrize("fps", [30.0, 60.0])
def test_same_at_other_rates(fps):
    motion = walk_and_gesture()
    other = sampled(motion, frames_at_rate(motion, fps), 1.0 / fps)
    assert_same(times(selected(body_measured(motion))), times(selected(body_measured(other))))


@pytest.mark.parametrize("measure", Measure)
def test_same_when_moved_turned_and_scaled(measure):
    motion, settings = walk_and_gesture(), ExtremaSettings(measure)
    spin = from_axis_angle(Y, 1.1)
    rotations = np.array(motion.local_rotations)
    rotations[:, 0] = multiply(spin, rotations[:, 0])
    turned = replace(motion, root_positions=rotate(spin, motion.root_positions) + 7.0, local_rotations=rotations)
    body = motion.skeleton
    large = Skeleton(body.names, body.parents, 3.0 * body.offsets, (), body.roles)
    scaled = Motion(large, motion.frame_time_s, 3.0 * motion.root_positions, motion.local_rotations, large.offsets)
    wanted = times(selected(body_measured(motion, settings)))
    for other in (turned, scaled):
        assert_same(wanted, times(selected(body_measured(other, settings))))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("measure", Measure)
def test_extremes_are_exactly_the_same_when_moved_turned_and_scaled(measure, seed):
    """Of the body and of each joint: the frames are equal, prominences are up to rounding."""
    rng, settings = np.random.default_rng(seed), ExtremaSettings(measure)
    motion = random_motion(240, seed=20 + seed)
    body, scale = motion.skeleton, rng.uniform(0.01, 100.0)
    spin = from_axis_angle(Y, rng.uniform(-3.0, 3.0))
    rotations = np.array(motion.local_rotations)
    rotations[:, 0] = multiply(spin, rotations[:, 0])
    tips = tuple(EndSite(site.joint, scale * site.offset) for site in body.end_sites)
    large = Skeleton(body.names, body.parents, scale * body.offsets, tips, body.roles)
    roots = scale * (rotate(spin, motion.root_positions) + rng.uniform(-5.0, 5.0, size=3))
    other = Motion(large, motion.frame_time_s, roots, rotations, large.offsets)
    for one, same in zip(
        (body_measured(motion, settings), *all_joints_measured(motion, settings)),
        (body_measured(other, settings), *all_joints_measured(other, settings)),
        strict=True,
    ):
        clear, clear_too = (found.frames[found.prominences > 1e-3].tolist() for found in (one, same))
        assert clear == clear_too
        assert one.holds == same.holds
        assert [extreme.prominence for extreme in selected(one).found] == pytest.approx(
            [extreme.prominence for extreme in selected(same).found], abs=1e-3
        )


def test_same_with_two_millimetres_of_noise():
    """Of many recordings taken together: what stands out by just enough may be found in one, and not in another."""
    motion = walk_and_gesture()
    wanted = noisy_times(motion, 0.0, 0)
    some = [noisy_times(motion, 0.002, seed) for seed in range(40)]
    assert len(wanted) >= 3
    assert np.mean([matched(wanted, found, A_FRAME_S) for found in some]) >= 0.95
    assert np.mean(np.concatenate([matched(found, wanted, A_FRAME_S) for found in some])) >= 0.95


# ---------------------------------------------------------------------------------------- recorded


@needs_data
@pytest.mark.parametrize(("clips", "least"), [(WALKS, 0.95), (RUNS, 0.9)], ids=["walks", "runs"])
def test_recorded_steps_are_the_extremes_of_the_body(clips, least):
    scores = step_scores(recorded(*clips))
    assert scores.steps > 20
    assert scores.recall >= least
    assert scores.precision >= least


@needs_data
@pytest.mark.parametrize(
    ("name", "poses_s"),
    [("49_06", {"lunge": 1.45, "upside down": 2.15, "landing": 2.65, "upright": 3.15}),
     ("16_01", {"crouch": 0.83, "top": 1.26, "landing": 1.6})],
)  # fmt: skip
def test_recorded_leaps_are_told_by_the_poses_that_animators_draw(name, poses_s):
    motion = read_motion(DATA / f"cmu-bvh/{name}.bvh").motion
    found = times(selected(body_measured(motion)))
    assert np.all(matched(list(poses_s.values()), found, 0.1))
    assert len(found) <= len(poses_s) + 2


@needs_data
def test_recorded_gestures_are_not_told_twice():
    found = times(selected(body_measured(read_motion(DATA / "cmu-bvh/18_08.bvh").motion)))
    assert np.min(np.diff(found)) > 0.2


@needs_data
@pytest.mark.parametrize("name", ["cmu-bvh/77_02.bvh", "other-bvh/upf_standingIdle.bvh"])
def test_recorded_standing_holds(name):
    motion = read_motion(DATA / name).motion
    found = selected(body_measured(motion))
    held = sum(one.stop_s - one.start_s for one in found.found if one.is_hold)
    assert held > 0.8 * motion.duration_s
    assert len(times(found)) <= 1


@needs_data
def test_recorded_extremes_are_the_same_at_other_rates_and_with_noise():
    same = sameness(recorded("cmu-acclaim/16_[12]*.amc", "cmu-bvh/13_26.bvh", "cmu-bvh/35_17.bvh"))
    assert same.at_other_rates >= 0.95
    assert same.with_noise >= 0.95
