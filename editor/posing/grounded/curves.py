"""Curves over frames that the solver's steps share: gaps filled, jumps smoothed, knots met, contacts bridged."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from model.arrays import Array, IntArray
from model.contacts import Mask
from model.monotone import ease, monotone_spline

Complex = npt.NDArray[np.complex128]


def filled(values: npt.NDArray, known: Mask) -> npt.NDArray:  # type: ignore[type-arg]
    """Values (F,), real or complex, straight across the frames that are not known; zero where none is."""
    at = np.flatnonzero(known)
    if not len(at):
        return np.zeros_like(values)
    return np.interp(np.arange(len(values)), at, values[at])


def tented(values: npt.NDArray, half_width: float) -> npt.NDArray:  # type: ignore[type-arg]
    """Values (F,), real or complex, averaged under a tent of so many frames on either side; ends are held."""
    reach = int(half_width)
    if reach < 1 or not np.any(values):
        return values
    tent = 1.0 - np.abs(np.arange(-reach, reach + 1)) / (reach + 1.0)
    return np.convolve(np.pad(values, reach, mode="edge"), tent / np.sum(tent), mode="valid")


def through_knots(frames: Sequence[int], values: Sequence[complex], count: int) -> Complex:
    """(F,) a curve without corners or overshoot through complex values at rising frames, held at both ends."""
    if not any(values):
        return np.zeros(count, dtype=np.complex128)
    at, knots, times = np.array(frames, dtype=np.float64), np.array(values), np.arange(float(count))
    return np.asarray(monotone_spline(at, knots.real, times) + 1j * monotone_spline(at, knots.imag, times))


def fading_weights(frames: Array, centres: Array, before: Array, after: Array) -> Array:
    """(T, K) how much each of K moments counts at frames (T,): 1 at itself, and easing to 0 over `before` and `after`
    or until the moment next to it.
    """
    apart = np.diff(centres)
    before = np.minimum(before, np.concatenate([[np.inf], apart]))
    after = np.minimum(after, np.concatenate([apart, [np.inf]]))
    late = frames[:, None] - centres
    return ease(1.0 - np.abs(late) / np.maximum(np.where(late < 0.0, before, after), 1e-9))


def neighbours(mask: Mask) -> tuple[IntArray, IntArray]:
    """For each frame the last true one up to it, -1 if none, and the first from it on, F if none. mask : (F,)."""
    at = np.arange(len(mask))
    earlier = np.maximum.accumulate(np.where(mask, at, -1))
    later = np.minimum.accumulate(np.where(mask, at, len(mask))[::-1])[::-1]
    return earlier, later


def bridged(values: npt.NDArray, mask: Mask, steepest: float) -> npt.NDArray:  # type: ignore[type-arg]
    """Values (F,), real or complex, known where the mask is true, carried over the gaps between on cubic curves that
    go on as the values came, at most `steepest` a frame. Before the first and after the last they are held.
    """
    if np.all(mask) or not np.any(mask):
        return values if np.any(mask) else np.zeros_like(values)
    earlier, later = neighbours(mask)
    frames = len(values)
    first, last = np.where(earlier < 0, later, earlier), np.where(later >= frames, earlier, later)
    slopes = np.zeros_like(values)
    inside = np.flatnonzero(mask[1:] & mask[:-1]) + 1
    steps = np.zeros_like(values)
    steps[inside] = values[inside] - values[inside - 1]
    slopes[:] = steps  # at the end of a contact, how it went there; at its start, how it goes on
    starts = np.flatnonzero(mask & ~np.concatenate([[False], mask[:-1]]))
    slopes[starts] = np.where(starts + 1 < frames, steps[np.minimum(starts + 1, frames - 1)], 0.0)
    size = np.abs(slopes)
    slopes = slopes * np.minimum(1.0, steepest / np.maximum(size, 1e-300))
    width = np.maximum(last - first, 1).astype(np.float64)
    u = (np.arange(frames) - first) / width
    open_ended = (earlier < 0) | (later >= frames)
    u = np.where(open_ended, 0.0, u)
    v = 1.0 - u
    carried = ease(v) * values[first] + ease(u) * values[last] + width * u * v * (v * slopes[first] - u * slopes[last])
    return np.where(mask, values, carried)
