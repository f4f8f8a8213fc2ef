"""Knots taken away: what is left holds what was asked for, and the cheapest went."""

import numpy as np
import pytest

from editor.curves.decimate import decimate_to_count, decimate_within
from editor.curves.spline_fit import BROKEN, Knots, fit_spline


def quiet(part):
    pass


def curves(channels=5, frames=300):
    time = np.linspace(0.0, 1.0, frames)
    rng = np.random.default_rng(8)
    parts = (rng.normal() * np.sin(rng.uniform(5, 30) * time + rng.uniform(0, 6)) for _ in range(4 * channels))
    return np.sum(np.stack(list(parts)).reshape(channels, 4, frames), axis=1)


def ends_of(samples):
    fixed = np.zeros(samples.shape, dtype=bool)
    fixed[:, [0, -1]] = True
    return fixed


def misses(times, samples, at):
    knots = Knots(at, np.ones(at.shape, dtype=bool), np.full(at.shape, BROKEN, dtype=np.int8))
    return np.abs(fit_spline(times, samples, knots).curve - samples)


@pytest.mark.parametrize("limit", [0.3, 0.02])
def test_errors_stay_within_the_limits(limit):
    samples = curves()
    times = np.cumsum(np.random.default_rng(3).uniform(0.5, 1.5, size=300))
    limits = np.full(samples.shape, limit)
    limits[:, 100:150] *= 0.1
    at = decimate_within(times, samples, limits, ends_of(samples), quiet)
    assert np.all(misses(times, samples, at) <= 1.01 * limits)
    assert np.count_nonzero(at) < 0.2 * at.size


def test_more_knots_are_left_where_limits_are_tight():
    samples = curves()
    limits = np.full(samples.shape, 0.1)
    limits[:, :150] = 0.001
    at = decimate_within(np.arange(300.0), samples, limits, ends_of(samples), quiet)
    assert np.count_nonzero(at[:, :150]) > 1.5 * np.count_nonzero(at[:, 150:])


def test_fixed_knots_stay():
    samples = curves()
    fixed = ends_of(samples) | (np.random.default_rng(1).random(samples.shape) < 0.05)
    for at in (
        decimate_within(np.arange(300.0), samples, np.full(samples.shape, 9.0), fixed, quiet),
        decimate_to_count(np.arange(300.0), samples, np.ones(5), fixed, 0, quiet),
    ):
        np.testing.assert_array_equal(at, fixed)


def test_count_is_kept_to_the_knot_and_used_where_it_matters():
    samples = curves(6)
    weights = np.array([1.0, 1.0, 1.0, 100.0, 100.0, 100.0])
    at = decimate_to_count(np.arange(300.0), samples, weights, ends_of(samples), 97, quiet)
    assert np.count_nonzero(at) == 97
    assert np.count_nonzero(at[3:]) > 1.5 * np.count_nonzero(at[:3])


def test_cubic_needs_no_knots_but_its_ends():
    time = np.linspace(-1.0, 1.0, 120)
    samples = np.stack([time**3 - time, 2.0 * time**2])
    at = decimate_within(np.arange(120.0), samples, np.full(samples.shape, 1e-4), ends_of(samples), quiet)
    np.testing.assert_array_equal(at, ends_of(samples))


def test_a_corner_keeps_its_knot():
    samples = np.abs(np.arange(-40.0, 61.0))[None]
    at = decimate_to_count(np.arange(101.0), samples, np.ones(1), ends_of(samples), 3, quiet)
    first, corner, last = np.flatnonzero(at[0])
    assert (first, last) == (0, 100)
    assert abs(corner - 40) <= 1  # not every frame is a knot to begin with
