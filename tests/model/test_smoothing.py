import numpy as np
import pytest

from model.rotation import angle_between, from_axis_angle, from_rotation_vector, multiply
from model.smoothing import smoothed, smoothed_rotations
from tests.clips import X

BOTH = pytest.mark.parametrize("keep_peaks", [False, True])


@BOTH
def test_wave_of_the_window_keeps_half_its_height(keep_peaks):
    wave = np.sin(2.0 * np.pi * np.arange(401) / 20.0)
    middle = slice(100, 300)
    assert np.allclose(smoothed(wave, 20.0, keep_peaks)[middle], 0.5 * wave[middle], atol=1e-4)
    assert np.max(np.abs(smoothed(wave, 60.0, keep_peaks))) < 0.06
    assert np.max(np.abs(smoothed(wave, 2.0, keep_peaks) - wave)) < 0.01


@BOTH
def test_straight_lines_and_ends_stay(keep_peaks):
    line = np.linspace(3.0, -2.0, 50)[:, None] * np.array([1.0, 0.5])
    assert np.allclose(smoothed(line, 12.0, keep_peaks), line, atol=1e-12)
    noisy = line + np.random.default_rng(1).normal(size=line.shape)
    result = smoothed(noisy, 200.0, keep_peaks)  # far longer than the curve
    assert np.array_equal(result[[0, -1]], noisy[[0, -1]])
    assert np.max(np.abs(result)) < 10.0


def test_peaks_stay_higher_where_they_are_kept():
    bump = np.exp(-0.5 * ((np.arange(200) - 100) / 12.0) ** 2)
    plain, peaked = smoothed(bump, 20.0), smoothed(bump, 20.0, keep_peaks=True)
    assert abs(peaked[100] - 1.0) < 0.4 * abs(plain[100] - 1.0)


def test_nothing_is_delayed():
    bump = np.exp(-0.5 * ((np.arange(201) - 100) / 5.0) ** 2)
    result = smoothed(bump, 15.0)
    assert np.allclose(result, result[::-1], atol=1e-12)


def test_noise_is_taken_out_of_rotations_and_movement_stays():
    rng = np.random.default_rng(4)
    clean = from_axis_angle(X, np.linspace(0.0, 2.0, 300))
    noise = from_rotation_vector(rng.normal(scale=0.03, size=(300, 3)))
    noisy = np.stack([multiply(noise, clean), clean], axis=1)
    noisy[::2] *= -1.0  # signs mean nothing
    result = smoothed_rotations(noisy, 20.0)
    off = angle_between(result, clean[:, None])[5:-5]
    assert np.mean(off[:, 0]) < 0.4 * np.mean(angle_between(noisy[5:-5, 0], clean[5:-5]))
    assert np.max(off[:, 1]) < 1e-4
    assert np.allclose(np.sum(result * result, axis=-1), 1.0, atol=1e-12)


def test_joints_at_rest_keep_their_very_numbers():
    still = np.tile(from_axis_angle(X, 0.3), (50, 1))
    assert np.array_equal(smoothed(still, 10.0), still)


@pytest.mark.parametrize("frames", [0, 1, 2])
def test_short_curves_stay_as_they_are(frames):
    values = np.ones((frames, 4))
    assert smoothed(values, 5.0) is values
    assert smoothed_rotations(values, 5.0) is values
