"""Spans of stillness."""

import numpy as np

from editor.extrema.holds import LEAST_S, find_holds

FPS = 60.0


def moves(*parts):
    """(F, 1, 3) a point at distance 1 that stays (seconds, None) or goes (seconds, to)."""
    x = [0.0]
    for seconds, to in parts:
        count = round(seconds * FPS)
        x += list(np.full(count, x[-1]) if to is None else np.linspace(x[-1], to, count + 1)[1:])
    x = np.array(x)
    return np.stack([x, 1.0 + 0.0 * x, 0.0 * x], axis=-1)[:, None]


def spans(holds):
    return [(hold.start / FPS, hold.stop / FPS) for hold in holds]


def test_stillness_between_movements_is_a_hold():
    found = find_holds(moves((1.0, 1.0), (1.5, None), (1.0, 0.0)), 1.0, 1.0 / FPS)
    assert len(found) == 1
    assert np.allclose(spans(found), [(1.0, 2.5)], atol=0.2)
    assert 1.5 < found[0].frame / FPS < 2.0


def test_short_stops_are_no_holds():
    assert find_holds(moves((1.0, 1.0), (0.5 * LEAST_S, None), (1.0, 0.0)), 1.0, 1.0 / FPS) == ()


def test_two_stances_are_two_holds():
    found = find_holds(moves((1.0, None), (0.3, 0.5), (1.0, None)), 1.0, 1.0 / FPS)
    assert len(found) == 2
    assert found[0].stop / FPS < 1.2 < found[1].start / FPS


def test_slow_movement_is_not_one_long_hold():
    """Each half second of it is nearly still, but it leads far away."""
    slow = moves((0.8, None), (10.0, 0.8), (0.8, None))
    found = find_holds(slow, 1.0, 1.0 / FPS)
    for hold in found:
        assert np.ptp(slow[hold.start : hold.stop, 0, 0]) < 0.21


def test_trembling_of_millimetres_does_not_break_a_hold():
    still = moves((2.0, None)) + np.random.default_rng(1).normal(scale=0.002, size=(121, 1, 3))
    assert spans(find_holds(still, 0.5, 1.0 / FPS)) == [(0.0, 121 / FPS)]


def test_the_frame_that_stands_for_a_hold_is_near_its_mean():
    x = moves((3.0, None))
    x[:60, 0, 0] = np.linspace(0.04, 0.0, 60)
    (hold,) = find_holds(x, 1.0, 1.0 / FPS)
    assert abs(x[hold.frame, 0, 0] - np.mean(x[:, 0, 0])) < 0.004
    assert 0 < hold.frame < len(x) - 1


def test_size_is_what_stillness_is_measured_by():
    sway = moves((2.0, None))
    sway[:, 0, 0] += 0.05 * np.sin(2.0 * np.pi * 2.0 * np.arange(len(sway)) / FPS)
    assert not find_holds(sway, 1.0, 1.0 / FPS)
    assert find_holds(sway, 10.0, 1.0 / FPS)
    assert find_holds(sway[:10], 10.0, 1.0 / FPS) == ()  # too short to tell
