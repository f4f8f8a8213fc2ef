"""Measures on paths that can be worked out by hand."""

import numpy as np
import pytest

from editor.extrema.measures import MEASURES, Measure, acceleration, pseudo_curvature, spatial_extremeness, speed

FPS = 30.0
STEP = 1.0 / FPS


def circle(frames=60, radius=0.5, turns_a_second=1.0, fps=FPS):
    angle = 2.0 * np.pi * turns_a_second * np.arange(frames) / fps
    return radius * np.stack([np.cos(angle), np.sin(angle), 0.0 * angle], axis=-1)[:, None]


def there_and_back(frames=61):
    """A point that goes a metre along x and back, evenly."""
    x = 1.0 - np.abs(np.linspace(-1.0, 1.0, frames))
    return np.stack([x, 0.0 * x, 0.0 * x], axis=-1)[:, None]


def test_speed_of_even_movement_is_the_same_to_the_ends():
    line = np.arange(20.0)[:, None, None] * np.array([0.03, 0.04, 0.0])
    assert np.allclose(speed(line, STEP), 0.05 * FPS)


def test_acceleration_of_a_parabola_is_constant():
    fall = 0.5 * 9.81 * (np.arange(20.0) * STEP)[:, None, None] ** 2 * np.array([0.0, -1.0, 0.0])
    assert np.allclose(acceleration(fall, STEP), 9.81)


def test_measures_are_means_over_points():
    one, other = circle(), 3.0 * circle(turns_a_second=0.5)
    for measure in (speed, acceleration, pseudo_curvature):
        both = measure(np.concatenate([one, other], axis=1), STEP)
        assert np.allclose(both, 0.5 * (measure(one, STEP) + measure(other, STEP)))


def test_pseudo_curvature_of_a_circle_is_the_sine_of_half_a_step():
    assert np.allclose(pseudo_curvature(circle(), STEP), np.sin(np.pi / FPS))


def test_pseudo_curvature_at_a_right_angle_is_that_of_its_half():
    corner = np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0], [2, 1, 0], [2, 2, 0]])[:, None]
    found = pseudo_curvature(corner, STEP)
    assert found[2] == pytest.approx(np.sqrt(0.5))
    assert found[[1, 3]] == pytest.approx(0.0)


def test_pseudo_curvature_is_none_on_a_line_even_where_it_turns_back():
    """There is no plane in which a path to and fro would bend: the normal of a Frenet frame is not defined."""
    assert np.all(pseudo_curvature(there_and_back(), STEP) == 0.0)


def test_pseudo_curvature_stays_within_0_and_1():
    path = np.random.default_rng(2).normal(size=(200, 3, 3))
    found = pseudo_curvature(path, STEP)
    assert np.all((found >= 0.0) & (found <= 1.0))
    assert np.max(found) > 0.5


def test_spatial_extremeness_is_largest_where_a_path_turns_back():
    found = spatial_extremeness(there_and_back(), STEP)
    assert np.argmax(found[10:-10]) + 10 == 30
    # Of an even way out and back, the far end is half of it away from the rest on average.
    assert found[30] == pytest.approx(0.5, abs=0.03)
    assert found[15] == pytest.approx(0.25, abs=0.03)


@pytest.mark.parametrize("measure", Measure)
def test_rates_do_not_matter(measure):
    def wave(fps):
        t = np.arange(round(4 * fps) + 1) / fps
        return np.stack([np.sin(2 * np.pi * t), 0.3 * np.sin(4 * np.pi * t), 0.1 * np.cos(2 * np.pi * t)], -1)[:, None]

    at_30, at_120 = (MEASURES[measure](wave(fps), 1.0 / fps) for fps in (30.0, 120.0))
    # Smoothing near the ends of the motion sees other frames, so these are left out.
    assert np.allclose(at_30[8:-8], at_120[::4][8:-8], atol=0.03 * np.max(at_30))


@pytest.mark.parametrize("measure", Measure)
@pytest.mark.parametrize("frames", [1, 2, 3, 5])
def test_short_motions_are_measured(measure, frames):
    found = MEASURES[measure](circle(frames), STEP)
    assert found.shape == (frames,)
    assert np.all(np.isfinite(found))


@pytest.mark.parametrize("measure", Measure)
def test_stillness_measures_nothing(measure):
    assert np.allclose(MEASURES[measure](np.ones((30, 2, 3)), STEP), 0.0, atol=1e-9)


@pytest.mark.parametrize("measure", Measure)
def test_inputs_stay_as_they_are_and_nonsense_is_refused(measure):
    path = circle()
    path.setflags(write=False)
    MEASURES[measure](path, STEP)
    with pytest.raises(ValueError, match="positions"):
        MEASURES[measure](path[:, 0], STEP)
    with pytest.raises(ValueError, match="there must be a frame and a point"):
        MEASURES[measure](path[:, :0], STEP)
