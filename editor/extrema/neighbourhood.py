"""Temporal neighbourhoods: how far before and after each frame a motion leads away from the pose that it has there.

Distances are looked at along lags that are the same for all frames. So what is worked out is a band along the diagonal
of the matrix of all distances: frames times lags, never frames times frames (Coleman 2012, section 5.4.3).
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from model.arrays import Array, IntArray

# Distances of a tenth of a micrometre are exact enough, and take half the time.
_Short = npt.NDArray[np.float32]
# Samples are taken this far apart, at whatever rate the motion is: so extrema are the same at all rates.
_SAMPLE_S = 1.0 / 30.0
# The search halts where the distance has fallen by this share of the largest seen.
_DROP = 0.05
# A neighbourhood reaches at least so far to each side, 1/12 s in all, and at most so far: the search would never halt
# in a motion that goes on and on in one direction.
_LEAST_S, _MOST_S = 1.0 / 24.0, 1.5


@dataclass(frozen=True)
class Lags:
    """Steps along which neighbourhoods grow: `count` of so many frames each. They are `least` steps long or more."""

    frames: int
    count: int
    least: float


def sample_frames(frame_time_s: float) -> int:
    """How many frames lie from one sample to the next: as far as at 30 frames a second, at least one."""
    return max(1, round(_SAMPLE_S / frame_time_s))


def lags_of(frame_time_s: float, frames: int) -> Lags:
    """The steps for a motion of so many frames."""
    step = sample_frames(frame_time_s)
    step_s = step * frame_time_s
    enough = -(-(frames - 1) // step)
    return Lags(step, max(1, min(round(_MOST_S / step_s), enough)), _LEAST_S / step_s)


def mean_distances(points: Array, lags: Lags) -> Array:
    """(F,) how far each frame's configuration is from those of its neighbourhood on average: eq. 5.1.

    points : (P, 3, F); two frames are as far apart as their P points on average (eq. 5.2; 5.3 but for the factor P).
    A neighbourhood ends where the distance to its frame is largest before it falls, between samples too. Its bounds
    never run backwards in time, which the thesis leaves as future work (5.7.3).
    """
    frames = points.shape[-1]
    band = _band(points, lags)
    margin = band.shape[1] - frames
    after, before = _Side(band, margin, 0, frames), _Side(band, margin, lags.frames, frames)
    at = np.arange(frames) / lags.frames
    last = at[-1]
    stops = _rising(np.minimum(at + _most_distant(after, lags), last))
    starts = _rising(np.maximum(at - _most_distant(before, lags), 0.0))
    ahead = np.clip(stops - at, np.minimum(lags.least, last - at), lags.count)
    behind = np.clip(at - starts, np.minimum(lags.least, at), lags.count)
    width = ahead + behind
    total = _integral(after, ahead) + _integral(before, behind)
    return np.asarray(np.divide(total, width, out=np.zeros(frames), where=width > 0.0))


@dataclass(frozen=True, eq=False)
class _Side:
    """One side of the diagonal: distances of frames to what comes later, or with a shift a lag to what came before.

    band : as `_band` gives it; first : where in it the first frame is.
    """

    band: _Short
    first: int
    shift: int
    frames: int

    def row(self, lag: int) -> _Short:
        """(F,) the distances at one lag."""
        start = self.first - lag * self.shift
        return self.band[lag, start : start + self.frames]

    def at(self, lags: IntArray) -> _Short:
        """(F,) the distance of each frame at a lag (F,) of its own."""
        return np.asarray(self.band[lags, self.first - lags * self.shift + np.arange(self.frames)])


def _band(points: Array, lags: Lags) -> _Short:
    """(K + 1, M + F) the distance of each frame to the one k lags later, M frames before the motion included.

    Before and after the motion its first and last pose are held; so the bounds that the motion's ends set are found as
    those where the distance stops growing.
    """
    frames = points.shape[-1]
    margin = lags.frames * lags.count
    band = np.zeros((lags.count + 1, margin + frames), dtype=np.float32)
    for point in points.astype(np.float32):
        held = np.pad(point, ((0, 0), (margin, margin)), mode="edge")
        here = held[:, : margin + frames]
        for lag in range(1, lags.count + 1):
            apart = held[:, lag * lags.frames : lag * lags.frames + margin + frames] - here
            np.multiply(apart, apart, out=apart)
            squares = apart[0]
            squares += apart[1]
            squares += apart[2]
            band[lag] += np.sqrt(squares, out=squares)
    band /= len(points)
    return band


def _most_distant(side: _Side, lags: Lags) -> Array:
    """(F,) the lag, which may be fractional, at which the distance is largest before it falls by the tolerance."""
    first = min(max(1, round(lags.least)), lags.count)
    largest, at = np.array(side.row(first)), np.full(side.frames, first)
    growing = np.ones(side.frames, dtype=bool)
    for lag in range(first + 1, lags.count + 1):
        distance = side.row(lag)
        growing &= distance >= (1.0 - _DROP) * largest
        further = growing & (distance > largest)
        np.copyto(largest, distance, where=further)
        np.copyto(at, lag, where=further)
    return _between_samples(side, largest, at, lags.count)


def _between_samples(side: _Side, largest: _Short, at: IntArray, last: int) -> Array:
    """(F,) the peaks of parabolas through the largest distances (F,), at lags `at` (F,), and those beside them."""
    low, high = side.at(at - 1), side.at(np.minimum(at + 1, last))
    bend = 2.0 * largest - low - high
    inside = (at < last) & (low <= largest) & (high <= largest) & (bend > 0.0)
    return np.asarray(at + np.divide(0.5 * (high - low), bend, out=np.zeros(len(at)), where=inside))


def _rising(bounds: Array) -> Array:
    """(F,) the nearest bounds that never fall, in the least-squares sense."""
    from scipy.optimize import isotonic_regression  # slow to import

    return np.asarray(isotonic_regression(bounds).x)


def _integral(side: _Side, lags: Array) -> Array:
    """(F,) the integral of the distances from lag 0 up to lags (F,), straight between samples."""
    total, part, step = (np.zeros(side.frames, dtype=np.float32) for _ in range(3))
    bounds = lags.astype(np.float32)
    for lag in range(int(np.ceil(np.max(lags)))):
        here = side.row(lag)
        np.subtract(bounds, lag, out=part)
        np.clip(part, 0.0, 1.0, out=part)
        # part (here + part (next - here) / 2)
        np.subtract(side.row(lag + 1), here, out=step)
        step *= part
        step *= 0.5
        step += here
        step *= part
        total += step
    return total.astype(np.float64)
