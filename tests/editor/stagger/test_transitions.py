from dataclasses import replace

import numpy as np
import pytest

from editor.stagger.finding import evidence_in, picked
from editor.stagger.poses import StaggeredPoses
from editor.stagger.reshaping import (
    away_from,
    mean_pose,
    no_change,
    non_staggered,
    reshaped,
    true_poses,
)
from editor.stagger.transitions import Transitions, fitted, mean_square_angle
from model.motion import rest_motion
from model.rotation import angle_between, conjugate, from_rotation_vector, multiply, to_rotation_vector, unroll
from tests.clips import figure, random_motion, waving_figure
from tests.editor.stagger.pendulum import FPS, pendulum

PLACES = np.linspace(0.0, 1.0, 16)


def curves(count, size, seed=4):
    """(16, N, 4) rotations on smooth ways."""
    rng = np.random.default_rng(seed)
    knots = rng.normal(scale=size, size=(4, count, 3))
    basis = np.stack([np.cos(np.pi * n * PLACES) for n in range(4)], axis=1)
    return unroll(from_rotation_vector(np.einsum("sk,kni->sni", basis, knots / np.array([1, 1, 4, 16])[:, None, None])))


def test_splines_and_displacements_give_the_motion_back_exactly():
    motion = random_motion(frames=50)
    rng = np.random.default_rng(1)
    joints = tuple(range(len(motion.skeleton)))
    knots = np.sort(rng.uniform(0.0, motion.duration_s, (6, len(joints))), axis=0)
    transitions = Transitions.of(motion, joints, knots)
    assert np.max(angle_between(transitions.values(), motion.local_rotations)) < 1e-12
    nothing = no_change(6, len(joints))
    assert np.max(angle_between(transitions.values(nothing), motion.local_rotations)) < 1e-12


@pytest.mark.parametrize("power", [0.5, 1.0, 2.0], ids=["early", "even", "late"])
@pytest.mark.parametrize("turned_deg", [-100.0, -63.0, 63.0, 100.0])
def test_changed_knots_never_send_a_joint_round_the_other_side(power, turned_deg):
    """A knee that bends by 60 degrees early in a transition has controls far apart; turned apart, the short way from
    one to the other leads round the back.
    """
    motion = rest_motion(figure(), 1.0 / 120.0, 121)
    bent = np.radians(60.0) * np.sin(np.pi * np.linspace(0.0, 1.0, 121) ** power) ** 2
    rotations = np.array(motion.local_rotations)
    rotations[:, 5] = from_rotation_vector(np.stack([bent, 0.0 * bent, 0.0 * bent], axis=-1))
    transitions = Transitions.of(replace(motion, local_rotations=rotations), (5,), np.array([[0.0], [1.0]]))
    changes = no_change(2, 1)
    changes[0, 0] = from_rotation_vector(np.radians([turned_deg, 0.0, 0.0]))
    apart = angle_between(transitions.values(changes)[:, 0], rotations[:, 5])
    assert np.max(apart) < np.radians(abs(turned_deg)) + 1e-6
    assert np.max(np.abs(np.diff(apart))) < 0.05


@pytest.mark.parametrize("size", [0.1, 0.5])
def test_fit_is_as_good_as_that_of_a_general_solver(size):
    from scipy.optimize import minimize

    values = curves(6, size)
    ours = mean_square_angle(fitted(values, PLACES), values, PLACES)
    for n in range(values.shape[1]):
        one = values[:, [n]]
        start = fitted(one, PLACES)

        def objective(turns, start=start, one=one):
            moved = start.copy()
            moved[0, 1] = multiply(from_rotation_vector(turns[:3]), start[0, 1])
            moved[0, 2] = multiply(from_rotation_vector(turns[3:]), start[0, 2])
            return 1e4 * float(mean_square_angle(moved, one, PLACES)[0])

        best = minimize(objective, np.zeros(6), method="Nelder-Mead", options={"maxiter": 1500}).fun / 1e4
        assert ours[n] <= 1.05 * best + 1e-10


def test_fit_follows_a_curve_of_its_own_kind_and_ignores_signs():
    controls = fitted(curves(5, 0.3), PLACES)
    from model.splines import bezier_rotation

    start, first, second, stop = np.moveaxis(controls, 1, 0)
    values = bezier_rotation(start, first, second, stop, PLACES[:, None])
    assert np.max(mean_square_angle(fitted(values, PLACES), values, PLACES)) < 1e-8
    flipped = values * np.where(np.arange(16) % 3 == 1, -1.0, 1.0)[:, None, None]
    assert np.allclose(mean_square_angle(fitted(flipped, PLACES), values, PLACES), 0.0, atol=1e-8)


def test_straight_turn_needs_no_displacement():
    motion = pendulum(linear=True)
    knots = np.arange(0.0, 1001.0, 100.0)[:, None] / FPS + np.zeros(3)
    displaced = Transitions.of(motion, (0, 1, 2), knots).displacements
    assert np.max(np.abs(to_rotation_vector(displaced))) < 1e-6


@pytest.fixture(scope="module")
def waving():
    motion = waving_figure(240)
    found = picked(evidence_in(motion))
    assert len(found.poses) >= 3
    return motion, found.poses


def test_pose_and_extremes_change_by_the_same_and_others_stay(waving):
    motion, poses = waving
    arm = motion.skeleton.find("LeftForeArm")
    changes = no_change(len(poses), len(motion.skeleton))
    turn = from_rotation_vector(np.array([0.0, 0.4, 0.2]))
    changes[1, arm] = turn
    edited = reshaped(motion, poses, changes)
    for values in (non_staggered, true_poses):
        before, after = values(motion, poses), values(edited, poses)
        assert np.max(angle_between(after[1, arm], multiply(turn, before[1, arm]))) < 2e-3
        assert np.max(angle_between(after[[0, 2], arm], before[[0, 2], arm])) < 2e-3
    others = [joint for joint in range(len(motion.skeleton)) if joint != arm]
    assert np.array_equal(edited.local_rotations[:, others], motion.local_rotations[:, others])


def test_change_passes_smoothly_from_pose_to_pose():
    motion = pendulum()
    times = np.arange(100.0, 1000.0, 100.0) / FPS
    poses = StaggeredPoses(times, np.tile([0.0, 0.05, 0.1], (9, 1)))
    changes = no_change(9, 3)
    changes[4, 2] = from_rotation_vector(np.array([0.0, 0.0, 0.3]))
    edited = reshaped(motion, poses, changes)
    turned = to_rotation_vector(multiply(edited.local_rotations[:, 2], conjugate(motion.local_rotations[:, 2])))[:, 2]
    assert np.isclose(np.max(turned), 0.3, atol=1e-6)
    assert np.max(np.abs(np.diff(turned, 2))) < 1e-3
    held = slice(round(times[4] * FPS), round((times[4] + 0.1) * FPS) + 1)  # from editing knot to extreme knot
    assert np.allclose(turned[held], 0.3, atol=1e-3)
    assert np.allclose(turned[: round(times[3] * FPS)], 0.0, atol=1e-9)


def test_pose_is_pushed_away_from_another_and_from_the_mean(waving):
    motion, poses = waving
    values = non_staggered(motion, poses)
    pushed = multiply(away_from(values[1], values[0], 0.5), values[1])
    assert np.allclose(angle_between(pushed, values[0]), 1.5 * angle_between(values[1], values[0]), atol=1e-6)
    mean = mean_pose(values)
    back = multiply(away_from(values[1], mean, -1.0), values[1])
    assert np.max(angle_between(back, mean)) < 1e-7


def test_editing_knot_is_evaluated_anew_after_retiming():
    """Figure 7.7: with another refinement, the pose at the central time is another one, and it is what is edited."""
    motion = pendulum()
    times = np.arange(100.0, 1000.0, 100.0) / FPS
    together = StaggeredPoses(times, np.zeros((9, 3)))
    apart = pendulum(late=(0, 0, 12))
    later = StaggeredPoses(times, np.tile([0.0, 0.0, 0.1], (9, 1)))
    assert np.max(angle_between(non_staggered(motion, together), non_staggered(apart, later))) < 1e-6
    assert np.min(angle_between(true_poses(motion, together), true_poses(apart, later))[:, 2]) > 0.02
    changes = no_change(9, 3)
    changes[3, 2] = from_rotation_vector(np.array([0.2, 0.0, 0.0]))
    edited = reshaped(apart, later, changes)
    before, after = true_poses(apart, later)[3, 2], true_poses(edited, later)[3, 2]
    assert angle_between(after, multiply(changes[3, 2], before)) < 1e-4


def test_body_is_moved_at_its_poses_and_between_them():
    motion = pendulum()
    poses = StaggeredPoses(np.array([2.0, 4.0, 6.0]), np.zeros((3, 3)))
    moves = np.array([[0.0, 0.0, 0.0], [0.0, 0.3, 0.0], [0.0, 0.0, 0.0]])
    edited = reshaped(motion, poses, no_change(3, 3), moves)
    lifted = (edited.root_positions - motion.root_positions)[:, 1]
    assert np.allclose(lifted[[240, 360, 480, 600, 720]], [0.0, 0.15, 0.3, 0.15, 0.0], atol=1e-9)
