"""Semi-local extrema and how far they stand out."""

import numpy as np

from editor.extrema.selecting import saddles, semi_local_maxima


def test_maxima_are_beyond_all_of_their_window():
    values = np.zeros(60)
    values[[10, 14, 40]] = [3.0, 2.0, 1.0]
    assert semi_local_maxima(values + np.linspace(0, 1e-3, 60), 20).tolist() == [10, 40]
    assert semi_local_maxima(values + np.linspace(0, 1e-3, 60), 6).tolist() == [10, 14, 40]


def test_a_peak_between_two_equal_frames_is_found_once():
    values = np.cos(np.linspace(-1.0, 1.0, 40))
    assert values[19] == values[20]
    assert semi_local_maxima(values, 10).tolist() == [19]


def test_flat_regions_are_no_peaks():
    values = np.concatenate([np.linspace(0, 1, 20), np.ones(30), np.linspace(1, 0, 20)])
    assert semi_local_maxima(values, 20).tolist() == []
    assert semi_local_maxima(np.zeros(50), 5).tolist() == []


def test_equal_peaks_in_one_window_are_not_beyond_each_other():
    values = np.zeros(40)
    values[[15, 19]] = 1.0
    assert semi_local_maxima(values, 20).tolist() == []


def test_the_ends_are_never_among_the_maxima():
    assert semi_local_maxima(np.linspace(0, 1, 30), 4).tolist() == []
    assert semi_local_maxima(np.ones(2), 4).tolist() == []


def test_saddles_are_those_of_mountains():
    #                   first     peak      peak      last
    values = np.array([2.0, 0.0, 5.0, 3.0, 4.0, 1.0, 1.5])
    assert saddles(values, np.array([0, 2, 4, 6])).tolist() == [0.0, 1.0, 3.0, 1.0]


def test_saddles_agree_with_scipy_on_noise():
    from scipy.signal import argrelmax, peak_prominences

    values = np.random.default_rng(4).normal(size=500).cumsum()
    values[[0, -1]] = values.min() - 1.0  # the ends are no peaks
    peaks = argrelmax(values)[0]
    found = values[peaks] - saddles(values, np.concatenate([[0], peaks, [499]]))[1:-1]
    assert np.allclose(found, peak_prominences(values, peaks)[0])
