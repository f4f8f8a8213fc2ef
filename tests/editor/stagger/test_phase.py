"""Delays in time against delays in phase: the three-link pendulum of Coleman 2012, figures 7.9 and 7.10."""

from dataclasses import replace

import numpy as np
import pytest

from editor.stagger.phase import delayed, delayed_rotations
from editor.stagger.poses import depths_below
from editor.stagger.refining import succession
from tests.editor.stagger.pendulum import PERIOD, angles_of, pendulum, swings

MIDDLE = slice(150, 851)
FRAMES = np.arange(1001)


def delayed_pendulum(angle, linear):
    motion = pendulum(linear=linear)
    angles = succession(depths_below(motion.skeleton, 0), angle)
    return angles_of(replace(motion, local_rotations=delayed_rotations(motion.local_rotations, angles)))


@pytest.mark.parametrize("angle", [0.5, 1.0])
def test_sinusoid_delayed_in_phase_is_the_same_one_later(angle):
    """Figure 7.9 d and e: 0.5 rad are 15.9 frames, much as the 15 frames of figure 7.9 b."""
    values = delayed_pendulum(angle, linear=False)
    for link in range(3):
        late = link * angle / (2.0 * np.pi) * PERIOD
        assert np.max(np.abs(values[:, link] - swings(FRAMES - late))[MIDDLE]) < 0.01
    assert np.allclose(values[:, 0], angles_of(pendulum())[:, 0], atol=1e-12)


@pytest.mark.parametrize("angle", [0.5, 1.0])
def test_straight_swing_delayed_in_phase_loses_its_shape(angle):
    """Figure 7.10 d and e: no longer straight, where a delay in time leaves it so; near half a turn it is again."""
    values = delayed_pendulum(angle, linear=True)
    bends = np.max(np.abs(np.diff(values, 2, axis=0))[MIDDLE], axis=0)
    late = angle / (2.0 * np.pi) * PERIOD
    away = [np.max(np.abs(values[:, n] - swings(FRAMES - n * late, True))[MIDDLE]) for n in range(3)]
    assert away[0] < 1e-9
    assert away[1] > 0.02
    assert bends[1] > 0.0


def test_half_a_turn_mirrors_and_a_negative_angle_advances():
    swing = swings(FRAMES)
    assert np.allclose(delayed(swing, np.pi), -(swing - np.mean(swing)) + np.mean(swing), atol=1e-9)
    early = delayed(swing, -0.5)
    assert np.max(np.abs(early - swings(FRAMES + 0.5 / (2.0 * np.pi) * PERIOD))[MIDDLE]) < 0.01


def test_phase_leaves_the_mean_and_short_curves_alone():
    values = 3.0 + np.random.default_rng(1).normal(size=(60, 2))
    assert np.allclose(delayed(values, 0.0), values)
    assert np.array_equal(delayed(values[:2], 1.0), values[:2])
    offset = delayed(values + 5.0, 0.7) - delayed(values, 0.7)
    assert np.allclose(offset, 5.0)
