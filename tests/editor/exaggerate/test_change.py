"""What exaggeration asks of joints: where changes are told, what parts get, and limits that are kept."""

from dataclasses import replace

import numpy as np
import pytest

from editor.exaggerate.aiming import bends_rad
from editor.exaggerate.anatomy import PARTS, anatomy_of
from editor.exaggerate.change import Amounts, body_knots, body_turns, extreme_frames
from editor.exaggerate.joint_limits import limit_angles, within_limits
from editor.exaggerate.joints import joint_turns
from editor.exaggerate.stance import find_headings
from editor.extrema.find import extremes_of
from model.extremes import Extreme, ExtremeKind, Extremes
from model.roles import Role
from model.rotation import IDENTITY, angle_between, from_axis_angle, from_rotation_vector, multiply
from model.skeleton import JointLimits
from tests.clips import X, Z, random_motion, stepping_figure
from tests.editor.evaluated import take_of
from tests.editor.exaggerate.pendulums import pendulum
from tests.editor.posing.grounded.asking import Clip

BOTH = pytest.mark.parametrize("turns_of", [body_turns, joint_turns], ids=["body", "joints"])
SPACES = pytest.mark.parametrize("space", ["cartesian", "rotation"])


@pytest.fixture(scope="module")
def walk():
    clip = Clip.sample("walk")
    return take_of(clip.motion, clip.contacts)


def _shares(knots):
    """(K, N) how much of what each of the inner frames is changed by the knots are."""
    return knots.told(np.eye(len(knots.inner)))


def extremes(*moments):
    return Extremes(
        (Extreme(0.0, ExtremeKind.FIRST), *(Extreme(moment) for moment in moments), Extreme(1.0, ExtremeKind.LAST))
    )


@BOTH
@SPACES
def test_amount_1_asks_for_nothing(walk, turns_of, space):
    assert np.max(np.abs(turns_of(walk, Amounts(1.0, space)).vectors)) < 1e-6


@BOTH
@SPACES
def test_more_and_less_turn_joints_opposite_ways(walk, turns_of, space):
    more, less = (turns_of(walk, Amounts(amount, space, limits=False)).vectors for amount in (1.1, 0.9))
    assert np.max(np.abs(more)) > 0.02
    assert np.sum(more * less) < -0.9 * np.sqrt(np.sum(more * more) * np.sum(less * less))


@BOTH
@SPACES
def test_parts_without_weight_point_as_they_did(walk, turns_of, space):
    motion = walk.motion
    arms = Amounts(2.0, space, weights=dict.fromkeys(PARTS, 0.0) | {"left_arm": 1.0}, limits=False)
    turns = turns_of(walk, arms)
    turned = np.max(np.linalg.norm(turns.vectors, axis=-1), axis=0)
    parts = np.array([anatomy_of(motion.skeleton).parts[joint] for joint in turns.joints])
    assert np.max(turned[parts == "left_arm"]) > 0.05
    assert np.max(turned[(parts != "left_arm") & (parts != "trunk")]) < 1e-6


@BOTH
@SPACES
def test_kept_legs_and_pelvis_are_not_turned(walk, turns_of, space):
    turns = turns_of(walk, Amounts(2.0, space, keep_legs=True))
    skeleton = walk.motion.skeleton
    kept = [Role.PELVIS, Role.LEFT_HIP, Role.RIGHT_KNEE, Role.LEFT_ANKLE]
    for joint in (skeleton.joint(role) for role in kept):
        assert np.max(np.abs(turns.vectors[:, turns.joints.index(joint)])) < 1e-6
    assert np.max(np.abs(turns.vectors)) > 0.1


def knots_of(motion, extremes):
    return body_knots(motion, extremes, find_headings(motion))


def test_ends_of_a_clip_are_changed_as_far_as_they_are_like_its_extremes():
    motion = pendulum(seconds=1.0, fps=30.0).motion
    rotations = np.array(motion.local_rotations)
    rotations[0] = rotations[9]
    knots = knots_of(replace(motion, local_rotations=rotations), extremes(0.3, 0.6))
    assert knots.inner.tolist() == [9, 18]
    assert knots.frames.tolist() == [0, 9, 18, 29]
    shares = _shares(knots)
    assert shares[0] == pytest.approx([1.0, 0.0], abs=1e-6)  # the first frame is that of the first extreme
    assert np.array_equal(shares[1:3], np.eye(2))
    assert np.all(shares[3] <= 1.0)


def test_a_single_extreme_is_moved_away_from_both_ends():
    knots = knots_of(random_motion(31), extremes(0.5))
    assert knots.inner.tolist() == [0, 15, 30]
    assert knots.rests.tolist() == [True, False, True]
    assert np.array_equal(_shares(knots), [[0, 0, 0], [0, 1, 0], [0, 0, 0]])


def test_without_extremes_the_ends_are_moved_apart():
    knots = knots_of(random_motion(31), extremes())
    assert knots.inner.tolist() == knots.frames.tolist() == [0, 30]
    assert np.array_equal(_shares(knots), np.eye(2))


def test_holds_stay_from_their_start_to_their_end():
    hold = Extreme(0.5, ExtremeKind.HOLD, start_s=0.4, stop_s=0.6)
    knots = knots_of(random_motion(31), Extremes((*extremes(0.2, 0.8).found, hold)))
    assert knots.rests.tolist() == [False, True, False]
    assert set(knots.frames.tolist()) >= {12, 18}
    at = dict(zip(knots.frames.tolist(), _shares(knots), strict=True))
    assert np.array_equal(at[12], at[18])


def test_extremes_that_were_set_by_hand_are_heeded(walk):
    alone = replace(walk, extremes=Extremes(tuple(extremes_of(walk).found[:3])))
    assert len(extreme_frames(alone)) < len(extreme_frames(walk))


def test_knees_and_elbows_do_not_bend_the_wrong_way(walk):
    anatomy = anatomy_of(walk.motion.skeleton)
    before = bends_rad(anatomy, walk.motion.world.positions)
    for amount in (0.0, 2.0, 4.0):
        turns = body_turns(walk, Amounts(amount))
        rotations = np.array(walk.motion.local_rotations)
        rotations[:, list(turns.joints)] = multiply(
            from_rotation_vector(turns.vectors), rotations[:, list(turns.joints)]
        )
        after = bends_rad(anatomy, replace(walk.motion, local_rotations=rotations).world.positions)
        assert np.all(after > before - np.radians(2.0)), amount


LIMITS = JointLimits("XZ", IDENTITY, np.radians([-20.0, -90.0]), np.radians([45.0, np.inf]))


def test_turns_end_at_limits_that_are_known():
    skeleton = replace(stepping_figure(seconds=0.1)[0].skeleton, limits={3: LIMITS})
    local = from_axis_angle(X, np.radians(40.0))[None, None]
    for turn, expected in ((np.radians(30.0) * X, 45.0), (np.radians(3.0) * X, 43.0), (np.radians(-90.0) * X, -20.0)):
        vectors = within_limits(skeleton, (3,), local, turn[None, None])
        after = multiply(from_rotation_vector(vectors[0, 0]), local[0, 0])
        assert np.degrees(angle_between(after, from_axis_angle(X, np.radians(expected)))) < 1e-6
    free = within_limits(skeleton, (4,), local, np.radians(90.0) * X[None, None])
    assert np.allclose(free, np.radians(90.0) * X)


def test_a_joint_past_its_limit_may_only_come_back():
    skeleton = replace(stepping_figure(seconds=0.1)[0].skeleton, limits={3: LIMITS})
    local = from_axis_angle(X, np.radians(60.0))[None, None]
    assert np.allclose(within_limits(skeleton, (3,), local, 0.2 * X[None, None]), 0.0)
    assert np.allclose(within_limits(skeleton, (3,), local, -0.2 * X[None, None]), -0.2 * X)


def test_angles_are_told_about_the_axes_of_the_limits():
    local = multiply(from_axis_angle(Z, 0.3), from_axis_angle(X, -0.2))  # X turns first
    assert np.allclose(limit_angles(LIMITS, local), [-0.2, 0.3])
