"""Curves over frames that the solver's steps share: gaps filled, jumps smoothed, knots met, contacts bridged."""

from collections.abc import Sequence
from dataclasses import dataclass

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
    return np.asarray(np.interp(np.arange(len(values)), at, values[at]))


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


def faded(frames: Array, centres: Array, values: Array, before: Array, after: Array) -> Array:
    """(T, ...) what values (K, ...) at moments (K,) are at frames (T,): themselves at their moments, easing to 0 over
    `before` and `after` (K,) or until the moment next to them.
    """
    order = np.argsort(centres, kind="stable")
    centres, values, before, after = centres[order], values[order], before[order], after[order]
    apart = np.diff(centres)
    before = np.maximum(np.minimum(before, np.concatenate([[np.inf], apart])), 1e-9)
    after = np.maximum(np.minimum(after, np.concatenate([apart, [np.inf]])), 1e-9)
    # Only the moments on either side of a frame count in it.
    behind = np.searchsorted(centres, frames, side="right")
    last, following = np.maximum(behind - 1, 0), np.minimum(behind, len(centres) - 1)
    each = (-1, *[1] * (values.ndim - 1))
    fading = np.where(behind > 0, ease(1.0 - (frames - centres[last]) / after[last]), 0.0)
    coming = np.where(behind < len(centres), ease(1.0 - (centres[following] - frames) / before[following]), 0.0)
    return np.asarray(fading.reshape(each) * values[last] + coming.reshape(each) * values[following])


@dataclass(frozen=True, eq=False)
class Gaps:
    """The frames of a mask (F,) and those between. earlier, later : (F,) for each frame the last true one up to it, -1
    if none, and the first from it on, F if none.
    """

    mask: Mask
    earlier: IntArray
    later: IntArray

    @staticmethod
    def of(mask: Mask) -> "Gaps":
        at = np.arange(len(mask))
        earlier = np.maximum.accumulate(np.where(mask, at, -1))
        later = np.minimum.accumulate(np.where(mask, at, len(mask))[::-1])[::-1]
        return Gaps(mask, earlier, later)

    def away(self) -> Array:
        """(F,) how many frames each is from the nearest true one; infinite where there is none."""
        at = np.arange(len(self.mask))
        since = np.where(self.earlier < 0, np.inf, at - self.earlier)
        return np.asarray(np.minimum(since, np.where(self.later >= len(self.mask), np.inf, self.later - at)))

    def bridged(self, values: npt.NDArray, steepest: float) -> npt.NDArray:  # type: ignore[type-arg]
        """Values (F,), real or complex, known where the mask is true, carried over the gaps between on cubic curves
        that go on as the values came, at most `steepest` a frame. Before the first and after the last they are held.
        """
        mask, earlier, later, frames = self.mask, self.earlier, self.later, len(values)
        if np.all(mask) or not np.any(values):
            return values
        first, last = np.where(earlier < 0, later, earlier), np.where(later >= frames, earlier, later)
        at = np.arange(frames)
        width = np.maximum(last - first, 1).astype(np.float64)
        u = np.where((earlier < 0) | (later >= frames), 0.0, (at - first) / width)
        v = 1.0 - u
        carried = ease(v) * values[first] + ease(u) * values[last]
        if steepest > 0.0:
            slopes = self._slopes(values, steepest)
            carried = carried + width * u * v * (v * slopes[first] - u * slopes[last])
        return np.where(mask, values, carried)

    def _slopes(self, values: npt.NDArray, steepest: float) -> npt.NDArray:  # type: ignore[type-arg]
        """(F,) at the last frame of a run how the values came there, at its first how they go on."""
        steps = np.where(self.mask[1:] & self.mask[:-1], np.diff(values), 0.0)
        slopes = np.concatenate([[0.0], steps])
        starts = np.flatnonzero(self.mask[1:] & ~self.mask[:-1]) + 1
        slopes[starts] = np.concatenate([steps, [0.0]])[starts]
        slopes[0] = steps[0] if len(steps) else 0.0
        return np.asarray(slopes * np.minimum(1.0, steepest / np.maximum(np.abs(slopes), 1e-300)))
