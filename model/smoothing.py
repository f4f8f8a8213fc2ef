"""Smoothing over time without shifting anything in it: quick movement is taken out, slow movement stays as it is."""

import numpy as np

from model.arrays import Array, IntArray
from model.rotation import unroll

# So many numbers are filtered at a time: their spectrum needs room.
_BLOCK = 1 << 18
# How far a filter is followed, in widths of its bell.
_REACH = 6.0
# So many times its length a curve is continued at most.
_FAR = 4.0
# The width of the bell at which a wave of length 1 keeps half its height: exp(-u) and (1 + u) exp(-u) are a half at
# u = 2 pi^2 width^2.
_PLAIN_WIDTH, _PEAKED_WIDTH = 0.18739, 0.29159


def smoothed(values: Array, window: float, keep_peaks: bool = False) -> Array:
    """Values (F, ...) without what is quick. The first and last keep their value.

    window : in frames; a wave of this length keeps half its height, shorter ones less. The filter is a Gaussian, or to
    keep peaks one of fourth order, which leaves cubic curves as they are (Wand and Schucany 1990, Can. J. Stat. 18).
    Beyond its ends a curve is taken to go on as its own image in them.
    """
    frames = len(values)
    if window <= 0.0 or frames < 3:
        return values
    curves = np.moveaxis(values, 0, -1)
    start, end = curves[..., :1], curves[..., -1:]
    line = start + (end - start) * np.linspace(0.0, 1.0, frames)
    result = _filtered(curves - line, window, keep_peaks)
    result += line
    result[..., :1], result[..., -1:] = start, end
    return np.moveaxis(result, -1, 0)


def smoothed_rotations(rotations: Array, window: float, keep_peaks: bool = False) -> Array:
    """Rotations (F, ..., 4) without what is quick, as `smoothed`: the quaternions' means, brought to unit length."""
    result = smoothed(unroll(rotations), window, keep_peaks)
    if result is rotations or len(rotations) < 3 or window <= 0.0:
        return rotations
    length = np.sqrt(np.sum(result * result, axis=-1, keepdims=True))
    # A spin within the window can leave nothing to normalise.
    return np.where(length > 1e-6, result / np.maximum(length, 1e-6), rotations)


def _filtered(curves: Array, window: float, keep_peaks: bool) -> Array:
    """Curves (..., F) that start and end at zero, filtered, each continued as its negative image in both ends."""
    from scipy.fft import next_fast_len, rfftfreq  # slow to import

    frames = curves.shape[-1]
    width = window * (_PEAKED_WIDTH if keep_peaks else _PLAIN_WIDTH)
    reach, period = _REACH * width, 2 * (frames - 1)
    if reach > _FAR * frames:  # by then a curve has come again and again: one period of it says all
        margin, at, length = 0, np.arange(period), period
    else:
        margin = int(np.ceil(reach))
        at = np.arange(-margin, frames + margin) % period
        length = next_fast_len(len(at), real=True)
    u = 2.0 * (np.pi * width * rfftfreq(length)) ** 2
    response = np.exp(-u) * (1.0 + u) if keep_peaks else np.exp(-u)
    rows = curves.reshape(-1, frames)
    result = np.empty(rows.shape)
    count = max(1, _BLOCK // length)
    for start in range(0, len(rows), count):
        block = slice(start, start + count)
        result[block] = _responded(rows[block], at, length, response)[:, margin : margin + frames]
    return result.reshape(curves.shape)


def _responded(curves: Array, at: IntArray, length: int, response: Array) -> Array:
    """(N, L) curves (N, F) at frames (L,), which go on as images of them, filtered by a response to frequencies."""
    from scipy.fft import irfft, rfft

    frames = curves.shape[-1]
    mirrored = at >= frames
    extended = np.take(curves, np.where(mirrored, 2 * (frames - 1) - at, at), axis=-1)
    extended[:, mirrored] *= -1.0
    spectrum = rfft(extended, length, axis=-1)
    spectrum *= response
    return np.asarray(irfft(spectrum, length, axis=-1, overwrite_x=True))
