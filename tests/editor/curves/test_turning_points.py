"""Extrema and how much they stand out."""

import numpy as np
from scipy.signal import find_peaks

from editor.curves.turning_points import prominences


def test_prominences_are_those_of_scipy():
    samples = np.cumsum(np.random.default_rng(4).normal(size=(50, 80)), axis=1)
    wanted = np.zeros(samples.shape)
    for row, channel in zip(wanted, samples, strict=True):
        for side in (channel, -channel):
            peaks, found = find_peaks(side, prominence=0.0)
            row[peaks] = found["prominences"]
    assert np.count_nonzero(wanted) > 500
    np.testing.assert_allclose(prominences(samples), wanted, atol=1e-12)


def test_small_hill_on_a_slope_stands_out_by_its_dip():
    np.testing.assert_allclose(prominences(np.array([[0.0, 3.0, 2.5, 6.0]])), [[0.0, 0.5, 0.5, 0.0]])


def test_plateau_has_an_extremum_at_either_end():
    np.testing.assert_allclose(prominences(np.array([[0.0, 2.0, 2.0, 2.0, 1.0]])), [[0.0, 1.0, 0.0, 1.0, 0.0]])


def test_steps_of_a_stair_are_no_extrema():
    np.testing.assert_array_equal(prominences(np.array([[0.0, 1.0, 1.0, 2.0, 2.0, 3.0]])), np.zeros((1, 6)))


def test_equal_peaks_stand_out_alike():
    assert np.all(prominences(np.array([[0.0, 1.0, 0.0, 1.0, 0.0]]))[0, 1:4] == 1.0)


def test_still_and_short_channels_have_none():
    for samples in (np.ones((2, 30)), np.zeros((2, 1)), np.array([[0.0, 1.0]]), np.zeros((0, 9))):
        np.testing.assert_array_equal(prominences(samples), np.zeros(samples.shape))


def test_channels_do_not_run_into_each_other():
    samples = np.random.default_rng(2).normal(size=(7, 25))
    apart = np.concatenate([prominences(channel[None]) for channel in samples])
    np.testing.assert_array_equal(prominences(samples), apart)
