"""Picking extrema of a measure: those beyond all of a window, and how far each stands out."""

import numpy as np

from model.arrays import Array, IntArray


def semi_local_maxima(values: Array, window: float) -> IntArray:
    """(N,) the frames whose value is beyond every other within half a window, in frames, before and after (5.5).

    Frames side by side that are exactly equal count as one, the middle one, unless they are more than half a window: a
    peak may lie just between two frames. The first and last frame are never among them.
    """
    from scipy.ndimage import maximum_filter1d  # slow to import

    frames = len(values)
    half = max(1, int(np.floor(0.5 * window + 1e-6)))
    if frames < 3:
        return np.zeros(0, dtype=np.intp)
    highest = np.flatnonzero(values >= maximum_filter1d(values, 2 * half + 1, mode="nearest"))
    gaps = np.flatnonzero(np.diff(highest) > 1)
    starts, stops = highest[np.concatenate([[0], gaps + 1])], highest[np.concatenate([gaps, [len(highest) - 1]])]
    # Equal peaks in each other's window, but apart: neither is beyond the other.
    near = starts[1:] - stops[:-1] <= half
    good = (stops - starts < half) & (starts > 0) & (stops < frames - 1)
    good[1:] &= ~near
    good[:-1] &= ~near
    return np.asarray((starts[good] + stops[good]) // 2, dtype=np.intp)


def saddles(values: Array, peaks: IntArray) -> Array:
    """(N,) the value down to which each peak stands out: what must be passed to get from it to anything higher.

    peaks : (N,) rising frames, with the first and last frame of the motion among them; what is higher is looked for at
    peaks. Where nothing higher is on a side, the way goes to the end of the motion; the ends have one side only.
    """
    between = np.minimum(np.minimum.reduceat(values, peaks[:-1]), values[peaks[1:]])
    heights = values[peaks]
    left = _lowest_before(heights, between)
    right = _lowest_before(heights[::-1], between[::-1])[::-1]
    return np.maximum(left, right)


def _lowest_before(heights: Array, between: Array) -> Array:
    """(N,) the lowest value between each peak and the last higher one before it; of the first, minus infinity.

    heights : (N,) of peaks; between : (N - 1,) the lowest from each to the next.
    """
    lowest = np.full(len(heights), -np.inf)
    hidden: list[tuple[float, float]] = [(float(heights[0]), np.inf)]  # peaks with nothing as high after them so far
    for n, (height, low) in enumerate(zip(heights[1:].tolist(), between.tolist(), strict=True), 1):
        while hidden and hidden[-1][0] <= height:
            low = min(low, hidden.pop()[1])
        lowest[n] = low
        hidden.append((height, low))
    return lowest


def settled(positions: Array, peaks: IntArray, reach: float) -> IntArray:
    """(N,) peaks of spatial extremeness, each moved uphill to where the points are farthest out. reach : in frames.

    positions : (F, P, 3); peaks : (N,) rising frames, with the first and last of the motion, which stay. Neighbourhoods
    change where a movement turns back. Where it is smaller after than before, as in a pendulum that comes to rest, the
    mean distance is largest a moment before the end of the swing, when what comes after does not count yet. Held fixed
    from the peak before to the one after, they give the end itself: it is farthest from the mean of them.
    """
    if len(peaks) < 3:
        return peaks
    sums = np.cumsum(np.concatenate([np.zeros((1, *positions.shape[1:])), positions]), axis=0)
    starts, stops = peaks[:-2], peaks[2:] + 1
    means = (sums[stops] - sums[starts]) / (stops - starts)[:, None, None]
    half = int(np.floor(reach + 1e-6))
    # Peaks keep their order: none goes half the way to the next.
    room = np.clip(np.minimum(np.diff(peaks)[:-1], np.diff(peaks)[1:]) // 2 - 1, 0, half)
    steps = np.arange(-half, half + 1)
    at = np.clip(peaks[1:-1, None] + steps, 0, len(positions) - 1)
    apart = np.mean(np.linalg.norm(positions[at] - means[:, None], axis=-1), axis=-1)
    rises = np.diff(apart, axis=1) > 0.0
    right = np.minimum(np.sum(np.logical_and.accumulate(rises[:, half:], axis=1), axis=1), room)
    left = np.minimum(np.sum(np.logical_and.accumulate(~rises[:, :half][:, ::-1], axis=1), axis=1), room)
    climbed = np.where((left > 0) & (right > 0), 0, right - left)  # between two ways up it stays
    return np.concatenate([peaks[:1], peaks[1:-1] + climbed, peaks[-1:]])
