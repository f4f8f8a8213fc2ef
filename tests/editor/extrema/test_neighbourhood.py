"""Neighbourhoods: how far they reach, that their bounds rise, and that they equal the thesis' own loop."""

import numpy as np

from editor.extrema.neighbourhood import Lags, _rising, lags_of, mean_distances

FPS = 30.0


def swing(frames=121, period=30.0):
    """(1, 3, F) a point going to and fro."""
    x = np.cos(2.0 * np.pi * np.arange(frames) / period)
    return np.stack([x, 0.0 * x, 0.0 * x])[None]


def by_the_book(x, frame):
    """The mean distance to the neighbourhood that the search of section 5.4.3 finds, for one frame of a curve (F,)."""

    def bound(step):
        at = frame + step
        best = at
        while 0 <= at + step < len(x):
            at += step
            if abs(x[at] - x[frame]) < 0.95 * abs(x[best] - x[frame]):
                break
            if abs(x[at] - x[frame]) > abs(x[best] - x[frame]):
                best = at
        return best

    low, high = bound(-1), bound(1)
    distances = np.abs(x[low : high + 1] - x[frame])
    return np.trapezoid(distances) / (high - low)


def test_equals_the_search_of_the_thesis_away_from_jumps():
    points = swing()
    found = mean_distances(points, Lags(1, 60, 1.0))
    for frame in (30, 45, 60, 75, 52, 67):  # ends of swings, and on the way between them
        assert abs(found[frame] - by_the_book(points[0, 0], frame)) < 0.02


def test_ends_of_a_swing_are_as_far_from_the_rest_as_can_be():
    found = mean_distances(swing(), lags_of(1.0 / FPS, 121))
    # 1 - cos over half a period on each side is 1 on average; half way it is 2 / pi.
    assert abs(found[60] - 1.0) < 0.01
    assert abs(found[67] - 2.0 / np.pi) < 0.03


def test_a_way_that_never_turns_is_seen_as_far_as_the_cap():
    x = np.arange(400.0) / FPS
    found = mean_distances(np.stack([x, 0 * x, 0 * x])[None], lags_of(1.0 / FPS, 400))
    assert np.allclose(found[60:-60], 0.75, atol=1e-6)  # a metre a second, a second and a half to each side


def test_bounds_rise_and_single_outliers_hardly_move_them():
    """Noise that stops a search too soon must not make the measure jump (section 5.7.3)."""
    steps = np.repeat([10.0, 40.0, 70.0], 30)
    bad = steps.copy()
    bad[[20, 50]] = 2.0, 5.0
    found = _rising(bad)
    assert np.all(np.diff(found) >= 0.0)
    assert np.max(np.abs(found - steps)) < 2.0


def test_time_runs_the_same_both_ways():
    points = np.random.default_rng(3).normal(size=(4, 3, 90)).cumsum(axis=-1)
    lags = lags_of(1.0 / FPS, 90)
    assert np.allclose(mean_distances(points, lags), mean_distances(points[..., ::-1], lags)[::-1])


def test_samples_are_a_thirtieth_of_a_second_apart_at_any_rate():
    assert [lags_of(1.0 / fps, 1000).frames for fps in (24, 30, 60, 120, 240)] == [1, 1, 2, 4, 8]
    assert lags_of(1.0 / 30.0, 10).count == 9  # no farther than the motion is long


def test_nothing_as_large_as_all_pairs_of_frames_is_held():
    import tracemalloc

    points = swing(30_000)
    tracemalloc.start()
    mean_distances(points, lags_of(1.0 / FPS, 30_000))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 30_000 * 8 * 200
