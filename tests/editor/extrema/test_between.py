"""Poses between extremes that no blend of these comes near."""

import numpy as np
import pytest

from editor.extrema.between import poses_between


def half_turn(frames=61, turn_rad=np.pi):
    """(F, 2, 3) two points that go round a circle of a metre."""
    angles = np.linspace(0.0, turn_rad, frames)
    point = np.stack([np.cos(angles), np.sin(angles), np.zeros(frames)], axis=-1)
    return np.stack([point, -point], axis=1)


def test_half_a_turn_needs_the_pose_in_its_middle():
    frames, far = poses_between(half_turn(), np.array([0, 60]), 1.0, 5)
    assert frames.tolist() == [30]
    assert far == pytest.approx([1.0 - 0.4])  # the blend goes through the centre, a radius away


def test_more_of_a_turn_needs_more_poses():
    frames, _ = poses_between(half_turn(241, 4.0 * np.pi), np.array([0, 240]), 1.0, 5)
    assert np.max(np.diff([0, *frames, 240])) <= 60  # no half turn is left to a blend
    anchored, _ = poses_between(half_turn(241, 4.0 * np.pi), np.array([0, *frames, 240]), 1.0, 5)
    assert not len(anchored)


def test_straight_ways_need_none_however_they_are_timed():
    time = np.linspace(0.0, 1.0, 61) ** 3
    positions = time[:, None, None] * np.array([[1.0, 2.0, 0.0], [0.0, -1.0, 3.0]])
    assert not len(poses_between(positions, np.array([0, 60]), 1.0, 5)[0])


def test_a_quarter_of_a_turn_is_told_by_its_ends():
    assert not len(poses_between(half_turn(turn_rad=0.5 * np.pi), np.array([0, 60]), 1.0, 5)[0])


def test_poses_keep_the_margin():
    """A jerk right beside an extreme is not another one."""
    positions = np.zeros((61, 1, 3))
    positions[2:4] = 5.0
    assert not len(poses_between(positions, np.array([0, 60]), 1.0, 5)[0])
    assert not len(poses_between(half_turn(9), np.array([0, 8]), 1.0, 5)[0])


def test_far_is_measured_in_sizes():
    frames, far = poses_between(half_turn(), np.array([0, 60]), 1.0, 5)
    again, far_again = poses_between(8.0 * half_turn(), np.array([0, 60]), 8.0, 5)
    assert frames.tolist() == again.tolist()
    assert far == pytest.approx(far_again)
    assert not len(poses_between(half_turn(), np.array([0, 60]), 3.0, 5)[0])
