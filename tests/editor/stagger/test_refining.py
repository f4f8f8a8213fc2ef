import numpy as np
import pytest

from editor.stagger.poses import StaggeredPoses, depths_below
from editor.stagger.refining import HAND_SHARE, chance, in_order, near_neighbours, scaled, succession
from tests.clips import figure


def test_depth_counts_joints_below_the_chosen_one():
    body = figure()
    depths = depths_below(body, body.find("Chest"))
    assert depths[body.find("LeftHand")] == 4.0
    assert depths[body.find("Neck")] == 1.0
    assert depths[body.find("Chest")] == depths[body.find("LeftToe")] == 0.0


def test_succession_grows_with_depth_and_nonlinearity_lets_ends_drag():
    depths = np.array([0.0, 1.0, 2.0, 3.0])
    assert np.allclose(succession(depths, 0.05), [0.0, 0.05, 0.10, 0.15])
    assert np.allclose(succession(depths, 0.05, 2.0), [0.0, 0.05, 0.20, 0.45])
    assert np.allclose(succession(depths, -0.05, 0.5), [0.0, -0.05, -0.05 * np.sqrt(2.0), -0.05 * np.sqrt(3.0)])


def test_chance_is_bounded_repeatable_and_each_pose_has_its_own():
    mask = np.array([True, False, True])
    times = np.arange(1.0, 40.0, 0.7)
    one = chance(times, 3, 0.1, 7, mask)
    assert np.array_equal(one, chance(times, 3, 0.1, 7, mask))
    assert not np.allclose(one, chance(times, 3, 0.1, 8, mask))
    assert np.max(np.abs(one)) <= 0.1
    assert np.std(one[:, 0]) > 0.02
    assert np.all(one[:, 1] == 0.0)
    assert np.allclose(one[5:], chance(times[5:], 3, 0.1, 7, mask))
    assert np.allclose(2.0 * one, chance(times, 3, 0.2, 7, mask))


def test_stagger_collapses_and_is_restored_by_its_scale():
    refinements = np.array([[0.1, -0.2], [0.0, 0.3]])
    every = np.array([True, True])
    assert np.all(scaled(refinements, 0.0, every) == 0.0)
    assert np.array_equal(scaled(refinements, 1.0, every), refinements)
    assert np.array_equal(scaled(refinements, 2.0, np.array([True, False])), refinements * [2.0, 1.0])


def test_knots_keep_their_order_whatever_is_asked():
    rng = np.random.default_rng(2)
    before = np.sort(rng.uniform(0.0, 10.0, (12, 5)), axis=0)
    for size in (0.1, 1.0, 20.0):
        asked = before + rng.normal(scale=size, size=before.shape)
        asked[[0, -1]] = before[[0, -1]]
        after = in_order(before, asked, HAND_SHARE)
        assert np.all(np.diff(after, axis=0) >= HAND_SHARE * np.diff(before, axis=0) - 1e-9)
        assert np.allclose(after[[0, -1]], before[[0, -1]], atol=1e-12)


def test_knots_go_where_they_are_asked_to_where_there_is_room():
    before = np.array([[0.0], [1.0], [2.0], [3.0]])
    asked = np.array([[0.0], [1.2], [1.9], [3.0]])
    assert np.allclose(in_order(before, asked, 0.1), asked)
    assert np.array_equal(in_order(before, before + 1e-15, 0.1), before)


def test_knot_near_a_neighbouring_pose_is_told():
    near = near_neighbours(np.array([1.0, 2.0]), np.array([[1.4, 1.6], [2.9, 1.4]]))
    assert near.tolist() == [[False, True], [False, True]]


def test_poses_are_put_in_and_taken_out_in_order():
    poses = StaggeredPoses(np.array([1.0, 2.0]), np.array([[0.1, 0.0], [0.0, -0.1]]))
    more = poses.with_pose(1.5, np.array([0.2, 0.3]))
    assert more.times_s.tolist() == [1.0, 1.5, 2.0]
    assert np.allclose(more.knots_s[1], [1.7, 1.8])
    assert np.array_equal(more.without_pose(1).knots_s, poses.knots_s)
    with pytest.raises(ValueError, match="there is a pose at 2"):
        poses.with_pose(2.0, np.zeros(2))
    with pytest.raises(ValueError, match="times_s must rise"):
        StaggeredPoses(np.array([2.0, 1.0]), np.zeros((2, 2)))
