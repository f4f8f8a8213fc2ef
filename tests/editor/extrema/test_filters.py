"""Filters before measuring."""

import numpy as np
import pytest

from editor.extrema.filters import Filter, FilterKind, filtered

TIME = np.arange(120.0) / 30.0
SLOW = np.sin(2.0 * np.pi * 0.5 * TIME)[:, None] * np.array([1.0, 0.5, 0.0])
NOISE = np.random.default_rng(6).normal(scale=0.02, size=SLOW.shape)


@pytest.mark.parametrize("kind", [FilterKind.LAPLACIAN, FilterKind.LOW_PASS])
def test_noise_is_taken_out_and_slow_movement_stays(kind):
    how = Filter(kind, iterations=4, window_s=0.2)
    left = filtered(SLOW + NOISE, how, 1 / 30) - filtered(SLOW, how, 1 / 30)
    assert np.std(left[2:-2]) < 0.6 * np.std(NOISE)
    assert np.max(np.abs(filtered(SLOW, how, 1 / 30) - SLOW)) < 0.02


def test_more_iterations_smooth_more():
    left = [np.std(filtered(NOISE, Filter(FilterKind.LAPLACIAN, n), 1 / 30)[5:-5]) for n in (1, 5, 25)]
    assert left[0] > 1.3 * left[1] > 1.3 * 1.3 * left[2]


def test_no_filter_gives_the_very_positions_and_none_changes_them():
    assert filtered(SLOW, Filter(), 1 / 30) is SLOW
    before = SLOW.copy()
    filtered(SLOW, Filter(FilterKind.LAPLACIAN), 1 / 30)
    assert np.array_equal(before, SLOW)
