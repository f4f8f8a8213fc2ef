"""Phase in place of time: every frequency of a joint's rotation delayed by the same angle.

The alternative that Coleman 2012, section 7.5, holds against delays in time (after Kass and Anderson 2008): swings that
are near to sinusoids keep their shape; others change it.
"""

import numpy as np

from model.arrays import Array
from model.rotation import conjugate, from_rotation_vector, multiply, to_rotation_vector, unroll


def delayed(values: Array, angle_rad: Array | float) -> Array:
    """Values (F, ...) delayed in phase: f' = cos(a) f + sin(a) H(f), the mean left out of it (eq. 7.1 but for the sign:
    exp(ia) would advance). angle_rad : broadcast against (...).

    Beyond its ends a curve is taken to go on as its image in them, which makes no jump there; the thesis lets it begin
    anew, which does.
    """
    if len(values) < 3:
        return values
    from scipy.fft import irfft, rfft  # slow to import

    mean = np.mean(values, axis=0)
    swings = np.moveaxis(values - mean, 0, -1)
    mirrored = np.concatenate([swings, swings[..., -2:0:-1]], axis=-1)
    spectrum = rfft(mirrored, axis=-1)
    spectrum[..., 0] = 0.0
    if mirrored.shape[-1] % 2 == 0:
        spectrum[..., -1] = 0.0  # at half the rate of frames there is no phase
    turned = irfft(-1j * spectrum, mirrored.shape[-1], axis=-1)[..., : len(values)]
    angle = np.asarray(angle_rad)[..., None]
    return np.asarray(np.moveaxis(np.cos(angle) * swings + np.sin(angle) * turned, -1, 0) + mean)


def delayed_rotations(rotations: Array, angles_rad: Array) -> Array:
    """Rotations (F, N, 4) of joints delayed in phase by angles (N,), as turns about each joint's mean rotation."""
    rotations = unroll(rotations)
    mean = np.mean(rotations, axis=0)
    size = np.sqrt(np.sum(mean * mean, axis=-1, keepdims=True))
    mean = np.where(size > 1e-6, mean / np.maximum(size, 1e-6), rotations[0])
    turns = to_rotation_vector(multiply(rotations, conjugate(mean)))
    return multiply(from_rotation_vector(delayed(turns, angles_rad[:, None])), mean)
