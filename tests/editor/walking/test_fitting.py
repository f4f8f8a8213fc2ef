"""Gestures as paths with few points."""

import numpy as np
import pytest

from editor.walking.fitting import TOLERANCE_M, fitted
from editor.walking.track import Track


def gesture(shape, count=300):
    """(N, 2) a hand's way, with the tremble of a mouse."""
    t = np.linspace(0.0, 1.0, count)
    ways = {
        "line": np.stack([0.0 * t, 6.0 * t], -1),
        "wave": np.stack([8.0 * t, np.sin(2.0 * np.pi * t)], -1),
        "corner": np.where(
            t[:, None] < 0.5, np.stack([0.0 * t, 8.0 * t], -1), np.stack([8.0 * t - 4.0, 4.0 + 0 * t], -1)
        ),
        "eight": np.stack([2.0 * np.sin(4.0 * np.pi * t), 3.0 * np.sin(2.0 * np.pi * t)], -1),
        "round": 2.0 * np.stack([np.cos(2.0 * np.pi * t), np.sin(2.0 * np.pi * t)], -1),
    }
    return ways[shape] + np.random.default_rng(1).normal(0.0, 0.003, (count, 2))


@pytest.mark.parametrize("shape", ["line", "wave", "corner", "eight", "round"])
def test_few_points_stay_within_the_tolerance_of_a_gesture(shape):
    drawn = gesture(shape)
    path = fitted(drawn)
    track = Track.of(path)
    assert max(track.nearest((x, z))[1] for x, z in drawn.tolist()) < 1.5 * TOLERANCE_M
    assert len(path.points) <= 24


def test_a_line_needs_two_points():
    assert len(fitted(gesture("line")).points) == 2


@pytest.mark.parametrize(("shape", "closed"), [("wave", False), ("line", False), ("round", True), ("eight", True)])
def test_gesture_that_comes_back_becomes_a_round(shape, closed):
    assert fitted(gesture(shape)).closed == closed


def test_open_path_starts_and_ends_where_the_hand_did():
    drawn = gesture("wave")
    path = fitted(drawn)
    assert np.allclose(path.x_z[[0, -1]], drawn[[0, -1]])


def test_dot_is_refused():
    with pytest.raises(ValueError, match="stays on the spot"):
        fitted(np.zeros((20, 2)))


def test_place_along_a_track_is_found_again():
    track = Track.of(fitted(gesture("wave")))
    for at_m in (0.0, 0.7, 3.3, track.length_m):
        found, far = track.nearest(track.place(at_m))
        assert found == pytest.approx(at_m, abs=1e-6)
        assert far < 1e-6
    part = track.part(1.0, 2.5)
    assert np.sum(np.hypot(*np.diff(part, axis=0).T)) == pytest.approx(1.5, abs=1e-6)
