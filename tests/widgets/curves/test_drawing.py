"""Where curves and values are on the screen."""

import numpy as np
import pytest

from widgets.common.theme import THEMES, contrast
from widgets.curves.thinning import thinned
from widgets.curves.value_scale import ValueScale, tick_text


@pytest.mark.parametrize(("first", "last", "columns"), [(0, 5999, 700), (13, 4321, 100), (-5, 9000, 333), (7, 8, 1)])
def test_thinned_curves_keep_every_extreme(first, last, columns):
    values = np.random.default_rng(1).normal(size=(3, 6000))
    frames, points = thinned(values, first, last, columns)
    part = values[:, max(first, 0) : last + 1]
    np.testing.assert_array_equal(points.min(axis=1), part.min(axis=1))
    np.testing.assert_array_equal(points.max(axis=1), part.max(axis=1))
    assert (frames[0], frames[-1]) == (pytest.approx(max(first, 0), abs=60), pytest.approx(min(last, 5999), abs=60))
    assert np.all(np.diff(frames) >= 0)
    assert len(frames) <= 2 * columns + 2 * part.shape[1] / columns + 2


def test_thinned_curve_stays_within_the_extremes_of_its_column():
    values = np.random.default_rng(2).normal(size=(1, 1000))
    frames, points = thinned(values, 0, 999, 100)
    for frame, value in zip(frames, points[0], strict=True):
        near = values[0, max(int(frame) - 10, 0) : int(frame) + 11]
        assert near.min() <= value <= near.max()


def test_few_frames_are_drawn_as_they_are():
    values = np.arange(20.0).reshape(2, 10)
    frames, points = thinned(values, 2, 7, 100)
    np.testing.assert_array_equal(frames, np.arange(2, 8))
    np.testing.assert_array_equal(points, values[:, 2:8])


def test_nothing_is_seen_beyond_the_ends():
    frames, points = thinned(np.zeros((2, 10)), 50, 60, 100)
    assert len(frames) == 0
    assert points.shape == (2, 0)


def test_values_and_pixels_are_each_others_inverse():
    scale = ValueScale(-10.0, 50.0, 200.0)
    assert scale.y_of(-10.0) == 200.0
    assert scale.y_of(40.0) == 0.0
    assert scale.value_at(scale.y_of(12.3)) == pytest.approx(12.3)


def test_zooming_keeps_the_value_under_the_mouse_and_panning_moves_all():
    scale = ValueScale(-10.0, 50.0, 200.0)
    closer = scale.zoomed(2.0, 50.0)
    assert closer.span == 25.0
    assert closer.value_at(50.0) == pytest.approx(scale.value_at(50.0))
    assert scale.panned(20.0).low == pytest.approx(-5.0)


def test_framing_leaves_a_margin_and_gives_level_curves_room():
    scale = ValueScale(height_px=100.0).framing(0.0, 100.0)
    assert scale.low < 0.0 < 100.0 < scale.low + scale.span
    level = ValueScale(height_px=100.0).framing(3.0, 3.0)
    assert level.span >= 1.0
    assert level.y_of(3.0) == pytest.approx(50.0)


def test_ticks_are_round_and_far_enough_apart():
    scale = ValueScale(-3.0, 107.0, 200.0)
    step, ticks = scale.ticks(40.0)
    assert step == 50.0
    assert ticks == [0.0, 50.0, 100.0]
    assert tick_text(-0.0, 0.5) == "0.0"
    assert tick_text(-1.05, 0.05) == "-1.05"


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_axes_can_be_told_from_their_ground_and_from_what_colours_mean(theme):
    axes = (theme.axis_x, theme.axis_y, theme.axis_z)
    assert all(contrast(axis, theme.panel) >= 4.5 for axis in axes)
    assert not {*axes} & {theme.left, theme.right, theme.contact, theme.problem, theme.source, theme.accent}
    assert len({*axes}) == 3
