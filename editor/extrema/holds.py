"""Holds: spans of time in which a configuration stays nearly as it is, each with one frame that stands for it.

Extrema are looked for where something moves. In such spans every breath would be one, and one pose for the whole span
serves better: the thesis leaves this as future work (Coleman 2012, sections 5.6.2 and 5.7.3).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from model.arrays import Array
from model.contacts import Mask, intervals

# A hold is at least so long.
LEAST_S = 0.5
# Over that time points stay so near to their mean (root mean square), as a share of the configuration's size. A body
# moves by less than about a decimetre a second then, and a joint turns by less than two degrees a second or so.
BODY_STILL, JOINT_STILL = 0.03, 0.01
# A hold as a whole stays within so many times that, or there is a slow movement in it, and where it is fastest is
# taken out.
_DRIFT = 3.5
# Poses that differ by less are alike.
_ALIKE = 0.002


@dataclass(frozen=True, order=True)
class Hold:
    """Frames [start, stop), and the one whose configuration is nearest to their mean."""

    start: int
    stop: int
    frame: int


def find_holds(positions: Array, size_m: float, frame_time_s: float, still: float = BODY_STILL) -> tuple[Hold, ...]:
    """The holds of points (F, P, 3).

    size_m : how far the points are from what they are measured from; still : the share of it by which they may move.
    """
    frames = len(positions)
    window = max(3, round(LEAST_S / frame_time_s))
    if window > frames or size_m <= 0.0:
        return ()
    points = np.ascontiguousarray(np.moveaxis(positions, 0, -1))
    spreads = _spreads(points, window) / size_m
    spans = [
        part
        for span in intervals(_covered(spreads < still, window))
        for part in _parts(points, spreads, span.start, span.stop, window, _DRIFT * still * size_m)
    ]
    return tuple(Hold(start, stop, _representative(points, start, stop, size_m)) for start, stop in spans)


def _representative(points: Array, start: int, stop: int, size_m: float) -> int:
    """The frame of [start, stop) that is nearest to their mean, of those equally near the one in the middle.

    It is not the first or last of all, which are told anyway.
    """
    first, last = max(start, 1), min(stop, points.shape[-1] - 1)
    deviations = _deviations(points[..., start:stop])[first - start : last - start]
    near = first + np.flatnonzero(deviations <= np.min(deviations) + _ALIKE * size_m)
    return int(near[np.argmin(np.abs(near - 0.5 * (start + stop - 1)))])


def _parts(
    points: Array, spreads: Array, start: int, stop: int, window: int, drift_m: float
) -> Iterator[tuple[int, int]]:
    """The span [start, stop) where it stays in one place; else what is left without the window that moves most."""
    waiting = [(start, stop)]
    while waiting:
        start, stop = waiting.pop()
        if stop - start < window:
            continue
        if np.max(_deviations(points[..., start:stop])) <= drift_m:
            yield start, stop
        else:
            fastest = start + int(np.argmax(spreads[start : stop - window + 1]))
            waiting += [(fastest + window, stop), (start, fastest)]


def _spreads(points: Array, window: int) -> Array:
    """(F - window + 1,) how far points (P, 3, F) are from their mean over the window that starts at each frame."""
    still = points - points[..., :1]  # sums of squares lose less of what is small
    means = _window_sums(still, window) / window
    variances = _window_sums(np.sum(still * still, axis=1), window) / window - np.sum(means * means, axis=1)
    return np.asarray(np.sqrt(np.maximum(np.mean(variances, axis=0), 0.0)))


def _window_sums(values: Array, window: int) -> Array:
    """Sums of (..., F) over windows: (..., F - window + 1)."""
    sums = np.cumsum(values, axis=-1)
    result = np.array(sums[..., window - 1 :])
    result[..., 1:] -= sums[..., :-window]
    return result


def _covered(starts: Mask, window: int) -> Mask:
    """(F,) the frames that lie in a window that starts where `starts` (F - window + 1,) is true."""
    edges = np.zeros(len(starts) + window, dtype=np.intp)
    edges[:-window] += starts
    edges[window:] -= starts
    return np.asarray(np.cumsum(edges)[:-1] > 0)


def _deviations(points: Array) -> Array:
    """(F,) how far points (P, 3, F) are from their mean in each frame, root mean square over the points."""
    apart = points - np.mean(points, axis=-1, keepdims=True)
    return np.asarray(np.sqrt(np.mean(np.sum(apart * apart, axis=1), axis=0)))
