"""Paths as hands shape them: what stays as it was."""

import numpy as np
import pytest

from editor.walking.path_shaping import (
    bent,
    lengthened,
    reshaped,
    turned_round,
    with_point_at,
    with_points_moved,
    without_points,
)
from editor.walking.track import Track
from model.path import Path, PathPoint

MIXED = Path((
    PathPoint(0.0, 0.0), PathPoint(0.0, 3.0, "arc", 0.4), PathPoint(3.0, 5.0, "smooth"), PathPoint(6.0, 4.0, "smooth"),
    PathPoint(8.0, 6.0),
))  # fmt: skip


def farthest(path, other):
    """How far the line of a path is from that of another, metres."""
    track = Track.of(other)
    return max(track.nearest((x, z))[1] for x, z in path.line().tolist())


@pytest.mark.parametrize("at_m", [1.0, 4.0, 8.0, 12.0])
def test_point_on_the_line_leaves_it_about_as_it_is(at_m):
    path, number = with_point_at(MIXED, at_m)
    assert path.x_z[number] == pytest.approx(Track.of(MIXED).place(at_m), abs=1e-6)
    assert len(path.points) == len(MIXED.points) + 1
    assert farthest(MIXED, path) < 0.15


@pytest.mark.parametrize("closed", [False, True])
def test_path_turned_round_is_the_same_line_and_twice_the_same_path(closed):
    path = Path(MIXED.points, closed)
    back = turned_round(path)
    assert farthest(path, back) < 0.02
    assert np.allclose(back.x_z, path.x_z[::-1])
    assert np.allclose(turned_round(back).line(), path.line())


def test_arc_is_bent_through_a_place_as_far_as_it_goes():
    line = Path((PathPoint(0.0, 0.0, "arc", 0.1), PathPoint(0.0, 4.0)))
    assert Track.of(bent(line, 0, (-1.0, 2.0))).nearest((-1.0, 2.0))[1] < 0.01
    assert bent(line, 0, (-90.0, 2.0)).points[0].bulge == 2.0
    assert (8.0 * bent(line, 0, (-0.9, 2.0), snap=True).points[0].bulge).is_integer()


def test_points_are_moved_and_removed_by_number():
    assert with_points_moved(MIXED, {1}, (1.0, -1.0)).x_z[1] == pytest.approx([1.0, 2.0])
    assert with_points_moved(MIXED, (), (1.0, 1.0)) == MIXED
    assert len(without_points(MIXED, {0, 4}).points) == 3
    assert not without_points(Path(MIXED.points, True), {0, 1, 2}).closed


def test_shape_goes_on_from_the_chosen_points_only():
    shapes = [point.shape for point in reshaped(MIXED, {0, 3}, "arc").points]
    assert shapes == ["arc", "arc", "smooth", "arc", "straight"]
    assert reshaped(MIXED, {0}, "arc").points[0].bulge != 0.0


def test_longer_path_goes_on_as_it_came():
    path = lengthened(MIXED, (9.0, 9.0))
    assert path.x_z[-1] == pytest.approx([9.0, 9.0])
    assert [point.shape for point in path.points[-2:]] == ["smooth", "smooth"]
