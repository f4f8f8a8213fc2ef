"""Smoothing over time without shifting anything in it: quick movement is taken out, slow movement stays as it is."""

from dataclasses import dataclass

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
    curves = values.reshape(frames, -1).T
    ramp = np.linspace(0.0, 1.0, frames)
    filtering = _Filter.of(frames, window, keep_peaks)
    result = np.empty(curves.shape)
    for rows in _portions(len(curves), filtering.length):
        start, end = curves[rows, :1], curves[rows, -1:]
        line = start + (end - start) * ramp
        result[rows] = filtering.apply(curves[rows] - line)
        result[rows] += line
        result[rows, :1], result[rows, -1:] = start, end
    return np.moveaxis(result.reshape(*values.shape[1:], frames), -1, 0)


def smoothed_rotations(rotations: Array, window: float, keep_peaks: bool = False) -> Array:
    """Rotations (F, ..., 4) without what is quick, as `smoothed`: the quaternions' means, brought to unit length."""
    frames = len(rotations)
    if window <= 0.0 or frames < 3:
        return rotations
    joints = rotations.reshape(frames, -1, 4)
    result = np.moveaxis(np.empty((*joints.shape[1:], frames)), -1, 0)
    for some in _portions(joints.shape[1], 4 * frames):
        means = smoothed(unroll(joints[:, some]), window, keep_peaks)
        length = np.sqrt(np.sum(means * means, axis=-1, keepdims=True))
        # A spin within the window can leave nothing to normalise.
        result[:, some] = np.where(length > 1e-6, means / np.maximum(length, 1e-6), joints[:, some])
    return result.reshape(rotations.shape)


def _portions(count: int, length: int) -> list[slice]:
    """So many curves of a length, a few at a time, for what is made of them on the way needs room."""
    step = max(1, _BLOCK // length)
    return [slice(start, start + step) for start in range(0, count, step)]


@dataclass(frozen=True, eq=False)
class _Filter:
    """What is done to curves of F frames. at : (L,) the frames of a curve and of its images before and after it; length
    : of the spectrum; margin : how many frames stand before the curve's own; response : to frequencies.
    """

    at: IntArray
    length: int
    margin: int
    response: Array

    @classmethod
    def of(cls, frames: int, window: float, keep_peaks: bool) -> "_Filter":
        from scipy.fft import next_fast_len, rfftfreq  # slow to import

        width = window * (_PEAKED_WIDTH if keep_peaks else _PLAIN_WIDTH)
        reach, period = _REACH * width, 2 * (frames - 1)
        if reach > _FAR * frames:  # by then a curve has come again and again: one period of it says all
            margin, at, length = 0, np.arange(period), period
        else:
            margin = int(np.ceil(reach))
            at = np.arange(-margin, frames + margin) % period
            length = next_fast_len(len(at), real=True)
        u = 2.0 * (np.pi * width * rfftfreq(length)) ** 2
        return cls(at, length, margin, np.exp(-u) * (1.0 + u) if keep_peaks else np.exp(-u))

    def apply(self, curves: Array) -> Array:
        """Curves (N, F) that start and end at zero, filtered, each continued as its negative image in both ends."""
        from scipy.fft import irfft, rfft

        frames = curves.shape[-1]
        mirrored = self.at >= frames
        extended = np.take(curves, np.where(mirrored, 2 * (frames - 1) - self.at, self.at), axis=-1)
        extended[:, mirrored] *= -1.0
        spectrum = rfft(extended, self.length, axis=-1)
        spectrum *= self.response
        result: Array = irfft(spectrum, self.length, axis=-1, overwrite_x=True)
        return result[:, self.margin : self.margin + frames]
