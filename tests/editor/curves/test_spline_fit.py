"""Splines through few knots: the least-squares fit, held against equations solved in full and against `Keys`."""

import numpy as np
import pytest

from editor.curves.keys import Key, Keys
from editor.curves.spline_fit import BROKEN, FLAT, FREE, Knots, fit_again, fit_spline
from tests.clips import random_motion


def wobbly(channels=4, frames=60, seed=3):
    rng = np.random.default_rng(seed)
    return np.cumsum(rng.normal(size=(channels, frames)), axis=1)


def some_knots(samples, seed=5, mode=None, pinned=None):
    rng = np.random.default_rng(seed)
    at = rng.random(samples.shape) < 0.15
    at[:, [0, -1]] = True
    modes = rng.integers(0, 3, size=at.shape) if mode is None else np.full(at.shape, mode)
    pins = rng.random(at.shape) < 0.5 if pinned is None else np.full(at.shape, pinned)
    return Knots(at, pins, modes.astype(np.int8))


def uneven(frames, seed=1):
    return np.cumsum(np.random.default_rng(seed).uniform(0.3, 2.0, size=frames))


def spread(fit, numbers):
    """(C, F) numbers at knots (N,), where they are; 0 elsewhere."""
    whole = np.zeros(fit.curve.shape)
    whole[fit.knots.at] = numbers
    return whole


def keys_of(times, fit, row):
    frames = np.flatnonzero(fit.knots.at[row])
    values, slope_in, slope_out = (spread(fit, part)[row, frames] for part in (fit.values, fit.slope_in, fit.slope_out))
    rows = zip(times[frames], values, slope_in, slope_out, strict=True)
    return Keys(tuple(Key(time, value, "broken", before, after) for time, value, before, after in rows))


def test_curve_is_the_one_that_keys_give():
    samples, times = wobbly(), uneven(60)
    fit = fit_spline(times, samples, some_knots(samples))
    for row in range(len(samples)):
        np.testing.assert_allclose(fit.curve[row], keys_of(times, fit, row).at(times), atol=1e-12)


def test_no_change_of_a_free_number_fits_better():
    samples, times = wobbly(), uneven(60)
    knots = some_knots(samples)
    fit = fit_spline(times, samples, knots)
    least = np.sum((fit.curve - samples) ** 2, axis=1)
    for row in range(len(samples)):
        for n, frame in enumerate(np.flatnonzero(knots.at[row])):
            mode = knots.modes[row, frame]
            changes = [] if knots.pinned[row, frame] else [(1, 0, 0)]
            changes += {FLAT: [], FREE: [(0, 1, 1)], BROKEN: [(0, 1, 0), (0, 0, 1)]}[int(mode)]
            for change in changes:
                for step in (1e-2, -1e-2):
                    keys = list(keys_of(times, fit, row).keys)
                    old = keys[n]
                    value, before, after = step * np.array(change)
                    keys[n] = Key(old.time_s, old.value + value, "broken", old.slope_in + before, old.slope_out + after)
                    # The slight pull towards the samples' slopes may give way to a fit better by as little.
                    assert np.sum((Keys(tuple(keys)).at(times) - samples[row]) ** 2) > least[row] - 1e-6


def test_knots_are_heeded_as_they_are_asked_for():
    samples, times = wobbly(), uneven(60)
    knots = some_knots(samples)
    fit = fit_spline(times, samples, knots)
    pinned, modes = knots.pinned[knots.at], knots.modes[knots.at]
    np.testing.assert_array_equal(fit.values[pinned], samples[knots.at][pinned])
    assert not np.any(fit.slope_in[modes == FLAT])
    assert not np.any(fit.slope_out[modes == FLAT])
    np.testing.assert_array_equal(fit.slope_in[modes == FREE], fit.slope_out[modes == FREE])
    assert np.any(fit.slope_in[modes == BROKEN] != fit.slope_out[modes == BROKEN])


@pytest.mark.parametrize("pinned", [True, False])
def test_a_cubic_is_found_again(pinned):
    times = uneven(40)
    samples = np.stack([(times / 10) ** 3 - times / 5, 2.0 - (times / 8) ** 2])
    fit = fit_spline(times, samples, some_knots(samples, mode=FREE, pinned=pinned))
    np.testing.assert_allclose(fit.curve, samples, atol=1e-4)


def test_knots_at_all_frames_give_the_samples():
    samples, times = wobbly(), uneven(60)
    every = Knots(np.ones(samples.shape, bool), np.zeros(samples.shape, bool), np.ones(samples.shape, np.int8))
    np.testing.assert_allclose(fit_spline(times, samples, every).curve, samples, atol=1e-9)


def test_a_single_knot_holds_the_middle():
    samples = np.array([[1.0, 2.0, 5.0, 2.0]])
    at = np.array([[True, False, False, False]])
    fit = fit_spline(np.arange(4.0), samples, Knots(at, ~at, np.ones((1, 4), np.int8)))
    np.testing.assert_array_equal(fit.curve, np.full((1, 4), 3.0))
    assert fit.values.tolist() == [3.0]


def test_channels_do_not_touch_each_other():
    samples, times = wobbly(40, 2_000), uneven(2_000)  # more than one block
    knots = some_knots(samples)
    whole = fit_spline(times, samples, knots)
    row = np.arange(40) == 23
    np.testing.assert_allclose(fit_spline(times, samples[row], knots.rows(row)).curve[0], whole.curve[23], atol=1e-9)


def test_fitting_some_channels_again_is_fitting_all():
    samples, times = wobbly(), uneven(60)
    first, second = some_knots(samples), some_knots(samples, seed=6)
    rows = np.array([False, True, False, True])
    mixed = Knots(*(np.where(rows[:, None], getattr(second, n), getattr(first, n)) for n in ("at", "pinned", "modes")))
    again = fit_again(times, samples, fit_spline(times, samples, first), mixed, rows)
    whole = fit_spline(times, samples, mixed)
    for name in ("curve", "values", "slope_in", "slope_out"):
        np.testing.assert_allclose(getattr(again, name), getattr(whole, name), atol=1e-9)


def test_inputs_are_left_alone():
    samples = np.array(random_motion(30).root_positions.T)
    knots = some_knots(samples)
    before = [np.array(part) for part in (samples, knots.at, knots.pinned, knots.modes)]
    fit_spline(np.arange(30.0), samples, knots)
    for old, new in zip(before, (samples, knots.at, knots.pinned, knots.modes), strict=True):
        np.testing.assert_array_equal(old, new)
