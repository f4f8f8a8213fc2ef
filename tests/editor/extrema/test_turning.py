"""Slow turning taken out of poses."""

import numpy as np
import pytest

from editor.extrema.turning import turned_back
from model.rotation import from_axis_angle, multiply, rotate
from tests.clips import X, Y, Z

FPS = 60.0
POSE = np.array([[0.3, 0.5, 0.1], [-0.2, -0.8, 0.4]])
TIME_S = np.arange(241) / FPS


def turned(rotations):
    return turned_back(rotate(rotations[:, None], POSE), rotations, 1.0 / FPS)


def test_even_turning_about_the_vertical_leaves_the_first_pose():
    assert np.allclose(turned(from_axis_angle(Y, 2.0 * TIME_S)), POSE)


def test_quick_swings_stay():
    swing = from_axis_angle(Y, 0.5 * np.sin(2.0 * np.pi * 2.0 * TIME_S))
    assert np.allclose(turned(swing), rotate(swing[:, None], POSE), atol=0.02)


@pytest.mark.parametrize("axis", [X, Z])
def test_turning_over_is_no_turning(axis):
    over = from_axis_angle(axis, 2.0 * np.pi * TIME_S / TIME_S[-1])
    assert np.allclose(turned(over), rotate(over[:, None], POSE))


def test_where_the_body_faces_at_first_does_not_matter():
    way = multiply(from_axis_angle(Y, np.sin(TIME_S)), from_axis_angle(X, 0.3 * np.cos(3.0 * TIME_S)))
    elsewhere = from_axis_angle(Y, 1.3)
    assert np.allclose(turned(multiply(elsewhere, way)), rotate(elsewhere, turned(way)))


@pytest.mark.parametrize("frames", [0, 1, 2])
def test_short_motions_are_turned_too(frames):
    rotations = from_axis_angle(Y, TIME_S[:frames])
    assert turned_back(np.zeros((frames, 2, 3)), rotations, 1.0 / FPS).shape == (frames, 2, 3)
