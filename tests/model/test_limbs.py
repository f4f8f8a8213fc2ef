"""Two-bone limbs: the end meets the target, the plane stays, nothing snaps."""

import numpy as np
import pytest

from model.kinematics import forward
from model.limbs import LIMIT_ANGLE_RAD, MAX_STRETCH, SOFT_ANGLE_RAD, solve_limb, turn_limb
from model.rotation import angle_between, from_axis_angle, rotate
from tests.clips import X, Y, figure, random_motion

RNG = np.random.default_rng(5)
THIGH, SHANK = 0.42, 0.40


def bent_legs(count=300):
    """Hips, knees and ankles of legs bent by 10 to 150 degrees, turned every way."""
    hip = RNG.normal(size=(count, 3))
    turn = from_axis_angle(_unit(RNG.normal(size=(count, 3))), RNG.uniform(0, 3, size=count))
    bend = np.radians(RNG.uniform(10, 150, size=count))
    thigh = np.tile([0.0, -THIGH, 0.0], (count, 1))
    shank = rotate(from_axis_angle(X, bend), np.array([0.0, -SHANK, 0.0]))
    knee = hip + rotate(turn, thigh)
    return hip, knee, knee + rotate(turn, shank)


def _unit(v):
    return v / np.linalg.norm(v, axis=-1, keepdims=True)


def carried_out(hip, knee, ankle, solution):
    """Where the joints are after turning and stretching the bones as solved."""
    stretch = solution.stretch[..., None]
    new_knee = hip + stretch * rotate(solution.upper, knee - hip)
    return new_knee, new_knee + stretch * rotate(solution.lower, ankle - knee)


def inner_angle(hip, knee, ankle):
    return np.arccos(np.clip(np.sum(_unit(hip - knee) * _unit(ankle - knee), axis=-1), -1, 1))


def test_end_meets_reachable_targets_without_stretch():
    hip, knee, ankle = bent_legs()
    target = hip + _unit(RNG.normal(size=hip.shape)) * RNG.uniform(0.1, 0.99 * (THIGH + SHANK), size=(300, 1))
    solution = solve_limb(hip, knee, ankle, target)
    new_knee, new_ankle = carried_out(hip, knee, ankle, solution)
    np.testing.assert_allclose(new_ankle, target, atol=1e-12)
    np.testing.assert_allclose(solution.end, target, atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(new_knee - hip, axis=-1), THIGH, atol=1e-12)
    np.testing.assert_array_equal(solution.stretch, 1.0)


def test_limb_whose_end_is_at_its_target_is_untouched_to_the_last_bit():
    hip, knee, ankle = bent_legs()
    solution = solve_limb(hip, knee, ankle, ankle)
    np.testing.assert_array_equal(solution.upper, np.tile([1.0, 0, 0, 0], (300, 1)))
    np.testing.assert_array_equal(solution.lower, np.tile([1.0, 0, 0, 0], (300, 1)))
    np.testing.assert_array_equal(solution.end, ankle)


def test_knee_keeps_its_plane_for_targets_within_it():
    hip, knee, ankle = bent_legs()
    normal = _unit(np.cross(knee - hip, ankle - knee))
    target = hip + 0.8 * rotate(from_axis_angle(normal, 0.3), ankle - hip)
    solution = solve_limb(hip, knee, ankle, target)
    new_knee, new_ankle = carried_out(hip, knee, ankle, solution)
    np.testing.assert_allclose(_unit(np.cross(new_knee - hip, new_ankle - new_knee)), normal, atol=1e-9)


def test_small_moves_of_the_target_move_the_knee_little():
    hip, knee, ankle = bent_legs()
    solution = solve_limb(hip, knee, ankle, ankle + 1e-5 * _unit(RNG.normal(size=ankle.shape)))
    new_knee, _ = carried_out(hip, knee, ankle, solution)
    # At 10 degrees of bend a knee moves about ten times as far as the ankle; it must not jump.
    assert np.max(np.linalg.norm(new_knee - knee, axis=-1)) < 2e-4


def test_stretch_sets_in_at_170_degrees_and_bending_stops_at_175():
    hip, knee = np.zeros(3), np.array([0.0, -THIGH, 0.0])
    ankle = knee + rotate(from_axis_angle(X, np.radians(30)), np.array([0.0, -SHANK, 0.0]))
    reach = np.linspace(0.9, 1.2, 4000) * (THIGH + SHANK)
    target = np.array([0.0, -1.0, 0.0]) * reach[:, None]
    solution = solve_limb(hip, knee, ankle, target)
    new_knee, new_ankle = carried_out(hip, knee, ankle, solution)
    angle = inner_angle(hip, new_knee, new_ankle)
    assert np.max(angle) <= LIMIT_ANGLE_RAD + 1e-9
    np.testing.assert_array_equal(solution.stretch[angle < SOFT_ANGLE_RAD - 1e-6], 1.0)
    assert np.max(solution.stretch) == pytest.approx(1.0 + MAX_STRETCH)
    # Up to full extension the ankle is met with well under one per cent of stretch.
    within = reach <= THIGH + SHANK
    np.testing.assert_allclose(new_ankle[within], target[within], atol=1e-12)
    assert np.max(solution.stretch[within]) < 1.002
    # The knee never runs: no faster per step of the ankle than at 170 degrees.
    speed = np.abs(np.diff(angle)) / np.diff(reach)
    at_soft = speed[np.searchsorted(angle[: len(speed)], SOFT_ANGLE_RAD) - 2]
    assert np.max(speed) <= 1.05 * at_soft


def test_target_out_of_reach_is_approached_and_the_end_is_told():
    hip, knee, ankle = bent_legs()
    far = hip + 2.0 * _unit(RNG.normal(size=hip.shape))
    solution = solve_limb(hip, knee, ankle, far)
    _, new_ankle = carried_out(hip, knee, ankle, solution)
    np.testing.assert_allclose(solution.end, new_ankle, atol=1e-12)
    np.testing.assert_allclose(_unit(new_ankle - hip), _unit(far - hip), atol=1e-9)
    np.testing.assert_allclose(solution.stretch, 1.0 + MAX_STRETCH)


def test_limits_are_never_stricter_than_the_pose_itself():
    """A leg held at 178 degrees may turn as it is; it is not bent to 175."""
    hip, knee = np.zeros(3), np.array([0.0, -THIGH, 0.0])
    ankle = knee + rotate(from_axis_angle(X, np.radians(2)), np.array([0.0, -SHANK, 0.0]))
    target = rotate(from_axis_angle(Y, 0.0), rotate(from_axis_angle(X, 0.5), ankle))
    solution = solve_limb(hip, knee, ankle, target)
    new_knee, new_ankle = carried_out(hip, knee, ankle, solution)
    assert inner_angle(hip, new_knee, new_ankle) == pytest.approx(np.radians(178), abs=1e-6)
    assert solution.stretch == pytest.approx(1.0, abs=1e-12)
    np.testing.assert_allclose(new_ankle, target, atol=1e-12)


def test_straight_limb_bends_about_the_given_axis():
    hip, knee, ankle = np.zeros(3), np.array([0.0, -THIGH, 0.0]), np.array([0.0, -THIGH - SHANK, 0.0])
    solution = solve_limb(hip, knee, ankle, np.array([0.0, -0.7, 0.0]), bend_axis=X)
    new_knee, new_ankle = carried_out(hip, knee, ankle, solution)
    np.testing.assert_allclose(new_ankle, [0.0, -0.7, 0.0], atol=1e-9)
    assert new_knee[2] > 0.1  # forwards, as a knee does
    assert abs(new_knee[0]) < 1e-9


@pytest.mark.parametrize("degrees", [0.001, 0.1, 3.0])
def test_limb_pressed_past_straight_bends_the_right_way(degrees):
    hip, knee = np.zeros(3), np.array([0.0, -THIGH, 0.0])
    ankle = knee + rotate(from_axis_angle(X, -np.radians(degrees)), np.array([0.0, -SHANK, 0.0]))
    solution = solve_limb(hip, knee, ankle, np.array([0.0, -0.7, 0.0]), bend_axis=X)
    new_knee, new_ankle = carried_out(hip, knee, ankle, solution)
    np.testing.assert_allclose(new_ankle, [0.0, -0.7, 0.0], atol=1e-9)
    assert new_knee[2] > 0.1


def test_target_at_the_root_folds_as_far_as_the_bones_allow():
    hip, knee, ankle = (part[:5] for part in bent_legs())
    solution = solve_limb(hip, knee, ankle, hip)
    _, new_ankle = carried_out(hip, knee, ankle, solution)
    np.testing.assert_allclose(np.linalg.norm(new_ankle - hip, axis=-1), THIGH - SHANK, atol=1e-9)


@pytest.mark.parametrize(("thigh", "shank"), [(0.0, 0.4), (0.4, 0.0), (0.0, 0.0)])
def test_bones_of_no_length_give_finite_answers(thigh, shank):
    hip, knee = np.zeros(3), np.array([0.0, -thigh, 0.0])
    solution = solve_limb(hip, knee, knee - [0.0, shank, 0.0], np.array([0.1, -0.2, 0.3]))
    for values in (solution.upper, solution.lower, solution.stretch, solution.end):
        assert np.all(np.isfinite(values))


@pytest.mark.parametrize("side", ["Left", "Right"])
def test_turned_limb_brings_the_joint_to_the_target_and_keeps_the_foot_level(side):
    motion = random_motion()
    skeleton = motion.skeleton
    joints = tuple(skeleton.find(side + part) for part in ("UpLeg", "Leg", "Foot"))
    hip, knee, ankle = (motion.world.positions[:, joint] for joint in joints)
    target = hip + 0.9 * rotate(from_axis_angle(Y, 0.2), ankle - hip)
    solution = solve_limb(hip, knee, ankle, target)
    rotations = turn_limb(skeleton.parents, motion.local_rotations, motion.world, joints, solution)
    world = forward(skeleton.parents, motion.root_positions, rotations, skeleton.offsets)
    np.testing.assert_allclose(world.positions[:, joints[2]], target, atol=1e-9)
    kept = angle_between(world.rotations[:, joints[2]], motion.world.rotations[:, joints[2]])
    np.testing.assert_allclose(kept, 0.0, atol=1e-9)
    others = [joint for joint in range(len(skeleton)) if joint not in joints]
    np.testing.assert_array_equal(rotations[:, others], motion.local_rotations[:, others])


def test_turned_arm_of_the_resting_figure_keeps_frames_without_a_move():
    motion = random_motion(frames=6)
    skeleton = figure()
    joints = tuple(skeleton.find("Left" + part) for part in ("Arm", "ForeArm", "Hand"))
    shoulder, elbow, wrist = (motion.world.positions[:, joint] for joint in joints)
    target = wrist.copy()
    target[3] += 0.05
    solution = solve_limb(shoulder, elbow, wrist, target)
    rotations = turn_limb(skeleton.parents, motion.local_rotations, motion.world, joints, solution)
    still = [0, 1, 2, 4, 5]
    np.testing.assert_array_equal(rotations[still], motion.local_rotations[still])
    assert np.any(rotations[3] != motion.local_rotations[3])


def test_limb_with_a_centre_meets_its_target_and_stays_where_it_is_at_its_own():
    hip, knee, ankle = bent_legs()
    centre = _unit(RNG.normal(size=hip.shape))
    target = hip + _unit(RNG.normal(size=hip.shape)) * RNG.uniform(0.3, 0.75, size=(len(hip), 1))
    solution = solve_limb(hip, knee, ankle, target, max_stretch=0.0, centre=centre)
    assert np.allclose(carried_out(hip, knee, ankle, solution)[1], target, atol=1e-9)
    near = solve_limb(hip, knee, ankle, ankle + 1e-7, max_stretch=0.0, centre=centre)
    away = np.linalg.norm(_unit(ankle - hip) + centre, axis=-1)
    assert np.max(angle_between(near.upper, np.array([1.0, 0.0, 0.0, 0.0]))[away > 0.3]) < 1e-5


def test_limb_with_a_centre_turns_slowly_wherever_its_target_passes_but_opposite_of_it():
    """Without one, a leg that hangs turns right round when its target passes close by straight overhead."""
    hip, knee, ankle = np.zeros(3), np.array([0.0, -THIGH, 0.05]), np.array([0.0, -0.75, 0.0])
    along = np.linspace(-0.1, 0.1, 41)
    overhead = np.stack([along, np.full(41, 0.75), np.full(41, 0.003)], axis=-1)
    sideways = np.array([1.0, 0.2, 0.3])
    joints = [np.tile(one, (41, 1)) for one in (hip, knee, ankle)]

    def most(centre):
        upper = solve_limb(*joints, overhead, centre=centre).upper
        return float(np.max(angle_between(upper[1:], upper[:-1])))

    assert most(None) > 0.6
    assert most(np.tile(sideways, (41, 1))) < 0.05
