"""A motion in which every joint has a time of its own: shown at other moments, joint by joint.

Values and detail between two knots live in the time from the one to the other, 0 to 1; moving knots moves them along
(Coleman 2012, section 7.2). What a joint does at a moment is then what it did at another one. The thesis lets that
other time run evenly from knot to knot, which makes corners where its pace changes; here it passes smoothly.
"""

import numpy as np

from model.arrays import Array
from model.monotone import slope_between
from model.motion import Motion
from model.rotation import unroll

# A transition's paces are at most so many times its mean: beyond it time would run backwards.
MOST_PACE = 3.0


def moments_shown(before: Array, after: Array, times_s: Array, paces: Array | None = None) -> Array:
    """(T, J) the moments of a motion that joints show at times (T,), where knots `before` (K, J) are now at `after`.

    Both rise. paces : (K - 1, 2) how fast each transition starts and ends as a multiple of its mean, 0 to 3; NaN lets
    it pass smoothly from its neighbours.
    """
    widths, slopes = np.diff(after, axis=0), np.diff(before, axis=0) / np.diff(after, axis=0)
    starts, stops = _tangents(widths, slopes)
    if paces is not None:
        given = np.isfinite(paces)
        starts = np.where(given[:, :1], np.nan_to_num(paces[:, :1]) * slopes, starts)
        stops = np.where(given[:, 1:], np.nan_to_num(paces[:, 1:]) * slopes, stops)
    shown = np.empty((before.shape[1], len(times_s)))
    for joint in range(before.shape[1]):
        knots = after[:, joint]
        part = np.clip(np.searchsorted(knots, times_s, side="right") - 1, 0, len(widths) - 1)
        width = widths[part, joint]
        u = np.clip((times_s - knots[part]) / width, 0.0, 1.0)
        v = 1.0 - u
        # Hermite, as what is added to the even way: where nothing changes nothing is rounded.
        even = before[part, joint] + u * width * slopes[part, joint]
        first, last = starts[part, joint] - slopes[part, joint], stops[part, joint] - slopes[part, joint]
        shown[joint] = even + width * u * v * (v * first - u * last)
    return shown.T


def _tangents(widths: Array, slopes: Array) -> tuple[Array, Array]:
    """(K - 1, J) twice: how fast time runs where each transition starts and ends, the same on both sides of a knot."""
    inner = slope_between(slopes[:-1], slopes[1:], widths[:-1], widths[1:])
    return np.concatenate([slopes[:1], inner]), np.concatenate([inner, slopes[-1:]])


def rotations_at(motion: Motion, moments_s: Array, joints: tuple[int, ...]) -> Array:
    """(T, N, 4) the rotations of joints at moments (T, N) of their own.

    Between frames they follow cubic curves without a corner; at frames they are as they are there. In memory the result
    has moments last.
    """
    frames = frames_at(motion, moments_s)
    turns = np.empty((len(joints), 4, len(moments_s)))
    for n, joint in enumerate(joints):
        turns[n] = cubic_between(padded(unroll(motion.local_rotations[:, joint]).T), frames[:, n])
    turns /= np.sqrt(np.sum(turns * turns, axis=1, keepdims=True))
    return np.moveaxis(turns, -1, 0)


def frames_at(motion: Motion, moments_s: Array) -> Array:
    """Moments as frames of a motion, in parts of one; those at a frame but for rounding exactly there."""
    frames = np.clip(moments_s / motion.frame_time_s, 0.0, max(motion.frames - 1.0, 0.0))
    whole = np.rint(frames)
    return np.where(np.abs(frames - whole) < 1e-9, whole, frames)


def padded(values: Array) -> Array:
    """(..., F + 2) values (..., F) with one more before and after, straight on."""
    first, last = values[..., :1], values[..., -1:]
    before, after = 2.0 * first - values[..., 1:2], 2.0 * last - values[..., -2:-1]
    return np.concatenate([before, values, after] if values.shape[-1] > 1 else [first, values, last], axis=-1)


def cubic_between(values: Array, frames: Array) -> Array:
    """(C, T) padded values (C, F + 2) at fractional frames (T,), on the curve of Catmull and Rom 1974."""
    below = np.clip(np.floor(frames).astype(np.intp), 0, max(values.shape[-1] - 4, 0))
    u = frames - below
    v = 1.0 - u
    last = values.shape[-1] - 1
    result = np.take(values, below, axis=1) * (-0.5 * u * v * v)
    result += np.take(values, below + 1, axis=1) * (v * (1.0 + u - 1.5 * u * u))
    result += np.take(values, np.minimum(below + 2, last), axis=1) * (u * (1.0 + v - 1.5 * v * v))
    result += np.take(values, np.minimum(below + 3, last), axis=1) * (-0.5 * u * u * v)
    return np.asarray(result)
