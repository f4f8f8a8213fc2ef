import numpy as np
import pytest

from model.monotone import ease, monotone_spline, slope_between


def test_spline_passes_through_its_knots_and_holds_beyond():
    times, knots = np.array([0.0, 1.0, 1.5, 4.0]), np.array([1.0, 3.0, 2.0, 2.0])
    assert np.allclose(monotone_spline(times, knots, times), knots, atol=1e-14)
    assert np.array_equal(monotone_spline(times, knots, np.array([-2.0, 9.0])), [1.0, 2.0])


def test_spline_stays_between_neighbouring_knots():
    rng = np.random.default_rng(2)
    times, knots = np.cumsum(rng.uniform(0.05, 2.0, 40)), rng.normal(size=40)
    at = np.linspace(times[0], times[-1], 4000)
    segment = np.clip(np.searchsorted(times, at, side="right") - 1, 0, 38)
    low, high = np.minimum(knots[segment], knots[segment + 1]), np.maximum(knots[segment], knots[segment + 1])
    curve = monotone_spline(times, knots, at)
    assert np.all(curve >= low - 1e-12)
    assert np.all(curve <= high + 1e-12)


def test_spline_has_no_corners():
    times, knots = np.array([0.0, 1.0, 1.3, 4.0]), np.array([1.0, 3.0, 4.0, 2.0])
    fine = np.linspace(-1.0, 5.0, 60_001)
    slopes = np.diff(monotone_spline(times, knots, fine)) / 1e-4
    assert np.max(np.abs(np.diff(slopes))) < 0.01


def test_spline_of_one_knot_is_level():
    assert np.array_equal(monotone_spline(np.array([2.0]), np.array([0.7]), np.array([0.0, 5.0])), [0.7, 0.7])


@pytest.mark.parametrize("times", [[], [0.0, 0.0], [1.0, 0.5]])
def test_spline_refuses_knots_that_do_not_rise(times):
    with pytest.raises(ValueError, match="knot_times"):
        monotone_spline(np.array(times), np.zeros(len(times)), np.zeros(1))


def test_slope_is_level_at_a_turning_point_and_the_common_one_on_a_line():
    one = np.ones(1)
    assert slope_between(one, -one, one, one) == 0.0
    assert np.allclose(slope_between(0.3 * one, 0.3 * one, one, 5.0 * one), 0.3)


def test_ease_runs_from_zero_to_one():
    assert np.array_equal(ease(np.array([-1.0, 0.0, 0.5, 1.0, 2.0])), [0.0, 0.0, 0.5, 1.0, 1.0])
