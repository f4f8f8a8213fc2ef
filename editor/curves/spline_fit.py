"""Splines with few knots laid through many samples: the least-squares fit of all channels of a motion at once.

A knot is a frame of a channel. Between knots the curve is the cubic of `keys`: told by a value at each knot and a slope
on either side of it.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from model.arrays import Array, IntArray

# How a curve goes through a knot: level, with one slope, with a slope on either side.
FLAT, FREE, BROKEN = 0, 1, 2

Mask = npt.NDArray[np.bool_]
Modes = npt.NDArray[np.int8]
Report = Callable[[float], None]  # told which part of a round is done; it may raise

# How strongly slopes are held to those of the samples, as a share of a sample's own say: where there are no samples
# between two knots, nothing else tells them.
_PULL = 1e-5

# So many samples at a time stay in the processor's cache, which makes all the difference.
_BLOCK = 32_000


def _quiet(part: float) -> None:
    pass


@dataclass(frozen=True, eq=False)
class Knots:
    """Where the knots of C channels over F frames are, and what is free there.

    at : (C, F) whether a frame is a knot; the first frame always is, the last where the channel has more than that one.
    pinned : (C, F) whether a knot's value is the sample's own; elsewhere it is fitted. modes : (C, F) FLAT, FREE or
    BROKEN; both are heeded at knots only.
    """

    at: Mask
    pinned: Mask
    modes: Modes

    def rows(self, rows: slice | Mask | IntArray) -> "Knots":
        """Some of the channels, sharing the arrays where they are a slice."""
        return Knots(self.at[rows], self.pinned[rows], self.modes[rows])

    def copy(self) -> "Knots":
        """The same knots, in arrays of their own."""
        return Knots(np.array(self.at), np.array(self.pinned), np.array(self.modes))


@dataclass(frozen=True, eq=False)
class Fit:
    """Curves through knots. curve : (C, F) their values at the frames; values, slope_in, slope_out : (N,) what they are
    told by at all N knots, channel after channel (slopes per unit of time).
    """

    knots: Knots
    curve: Array
    values: Array
    slope_in: Array
    slope_out: Array


def blocks_of(channels: int, frames: int) -> list[slice]:
    """So many channels of so many samples in portions that are quick to work on."""
    size = max(1, _BLOCK // max(frames, 1))
    return [slice(start, min(start + size, channels)) for start in range(0, channels, size)]


def fit_spline(times: Array, samples: Array, knots: Knots, report: Report = _quiet) -> Fit:
    """The curves through knots that are nearest to samples in the sense of least squares.

    times : (F,) rising; samples : (C, F). All channels are one banded system of equations, so its cost grows with the
    number of samples and of knots only. A channel with a single knot is constant: the middle of its range.
    """
    curve = np.empty(samples.shape)
    return Fit(knots, curve, *_fit_rows(times, samples, knots, np.arange(len(samples)), curve, report))


def fit_again(times: Array, samples: Array, fit: Fit, knots: Knots, rows: Mask, report: Report = _quiet) -> Fit:
    """The fit with other knots, where only those of some channels (C,) have changed."""
    curve = np.array(fit.curve)
    fitted = _fit_rows(times, samples, knots, np.flatnonzero(rows), curve, report)
    new, old = (np.repeat(rows, np.count_nonzero(at, axis=1)) for at in (knots.at, fit.knots.at))

    def put(numbers_before: Array, numbers: Array) -> Array:
        whole = np.empty(len(new))
        whole[new], whole[~new] = numbers, numbers_before[~old]
        return whole

    return Fit(knots, curve, *map(put, (fit.values, fit.slope_in, fit.slope_out), fitted))


def _fit_rows(
    times: Array, samples: Array, knots: Knots, rows: IntArray, curve: Array, report: Report
) -> tuple[Array, Array, Array]:
    """Values and slopes at the knots of some channels (R,), whose curves are put into `curve` (C, F)."""
    told: list[tuple[Array, Array, Array]] = [(np.zeros(0), np.zeros(0), np.zeros(0))]
    blocks = blocks_of(len(rows), len(times))
    for block in blocks:
        report(1.0 / len(blocks))
        some = rows[block]
        curve[some], *numbers = _fit_block(times, samples[some], knots.rows(some))
        told.append((numbers[0], numbers[1], numbers[2]))
    values, slope_in, slope_out = (np.concatenate(parts) for parts in zip(*told, strict=True))
    return values, slope_in, slope_out


def _fit_block(times: Array, samples: Array, knots: Knots) -> tuple[Array, Array, Array, Array]:
    """The parts of a `Fit` for some channels: curves, values and slopes."""
    layout = Layout.of(times, knots.at)
    unknown = _Unknowns.of(layout, knots)
    basis = layout.basis()
    fixed = np.where(unknown.value < 0, samples.ravel()[layout.knot], 0.0)
    after = layout.after
    rest = samples.ravel() - basis[0] * fixed[layout.segment] - basis[2] * fixed[after][layout.segment]
    solved = _solve(layout, unknown, basis, rest, _slopes_at(times, samples).ravel()[layout.knot])
    values = np.where(unknown.value < 0, fixed, solved[unknown.value])
    slope_in, slope_out = (np.where(n < 0, 0.0, solved[n]) for n in (unknown.slope_in, unknown.slope_out))
    single = layout.ends & (layout.knot % len(times) == 0)
    if np.any(single):
        rows = layout.knot[single] // len(times)
        values[single] = 0.5 * (samples[rows].min(axis=1) + samples[rows].max(axis=1))
        slope_in[single] = slope_out[single] = 0.0
    told = (values, slope_out, values[after], slope_in[after])
    curve = sum(part * number[layout.segment] for part, number in zip(basis, told, strict=True))
    return np.asarray(curve).reshape(samples.shape), values, slope_in, slope_out


@dataclass(frozen=True, eq=False)
class Layout:
    """All samples in a row, channel after channel, and the segments that the N knots cut them into.

    knot : (N,) where among the samples the knots are; segment : (C F,) the knot at or before each sample; after : (N,)
    the knot that ends the segment; ends : (N,) whether a knot is the last of its channel; width : (N,) how long the
    segment is; u : (C F,) where in its segment a sample is, 0 to 1.
    """

    knot: IntArray
    segment: IntArray
    after: IntArray
    ends: Mask
    width: Array
    u: Array

    @classmethod
    def of(cls, times: Array, knots: Mask) -> "Layout":
        """The segments between knots (C, F) over frames at `times` (F,)."""
        channels, frames = knots.shape
        at = knots.ravel()
        knot = np.flatnonzero(at)
        channel, frame = np.divmod(knot, frames)
        ends = np.append(channel[1:] != channel[:-1], True)
        # A channel's last knot has no segment: it ends in itself, and only the sample on it counts.
        after = np.where(ends, np.arange(len(knot)), np.arange(1, len(knot) + 1))
        width = np.where(ends, 1.0, times[frame[after]] - times[frame])
        segment = np.cumsum(at) - 1
        since = np.tile(times, channels) - times[frame][segment]
        u = np.where(ends[segment], 0.0, since / width[segment])
        return cls(knot, segment, after, ends, width, u)

    def basis(self) -> tuple[Array, Array, Array, Array]:
        """(C F,) each: what a segment's first value and slope, last value and slope add to each sample."""
        u = self.u
        v = 1.0 - u
        width = self.width[self.segment]
        uv = u * v
        return v * v * (1.0 + 2.0 * u), width * uv * v, u * u * (3.0 - 2.0 * u), -width * uv * u

    def sums(self, numbers: Array) -> Array:
        """(N,) the sum of numbers (C F,) over each segment."""
        return np.asarray(np.add.reduceat(numbers, self.knot))

    def largest(self, numbers: Array) -> Array:
        """(N,) the largest of numbers (C F,) in each segment."""
        return np.asarray(np.maximum.reduceat(numbers, self.knot))


@dataclass(frozen=True, eq=False)
class _Unknowns:
    """Which unknown each number of each knot is; -1 where it is known. value, slope_in, slope_out : (N,)."""

    value: IntArray
    slope_in: IntArray
    slope_out: IntArray
    count: int

    @classmethod
    def of(cls, layout: Layout, knots: Knots) -> "_Unknowns":
        pinned, mode = knots.pinned.ravel()[layout.knot], knots.modes.ravel()[layout.knot]
        number = np.stack([~pinned, mode != FLAT, mode == BROKEN], axis=1)  # the order of the unknowns of a knot
        place = np.cumsum(number.ravel()).reshape(number.shape) - 1
        value, slope_in, second = (np.where(number[:, n], place[:, n], -1) for n in range(3))
        return cls(value, slope_in, np.where(second < 0, slope_in, second), int(number.sum()))


def _solve(layout: Layout, unknown: _Unknowns, basis: tuple[Array, ...], rest: Array, slopes: Array) -> Array:
    """(unknowns + 1,) what fits the rest best; one more that is 0, for known numbers to point at.

    The unknowns of neighbouring knots only are tied together, so the normal equations have four diagonals below the
    main one. slopes : (N,) those of the samples, to which slopes are drawn a little.
    """
    from scipy.linalg import solveh_banded

    numbers = (unknown.value, unknown.slope_out, unknown.value[layout.after], unknown.slope_in[layout.after])
    matrix, right = np.zeros((5, unknown.count + 1)), np.zeros(unknown.count + 1)
    inner = ~layout.ends
    for a in range(4):
        told = layout.sums(basis[a] * rest)
        here = (numbers[a] >= 0) & (inner if a > 0 else True)
        right[numbers[a][here]] += told[here]
        for b in range(a, 4):
            gram = layout.sums(basis[a] * basis[b])
            both = here & (numbers[b] >= 0) & (inner if b > 0 else True)
            low = np.minimum(numbers[a][both], numbers[b][both])
            matrix[np.abs(numbers[a][both] - numbers[b][both]), low] += gram[both]
    before = np.append(1.0, layout.width[:-1])
    before = np.where(np.append(True, layout.ends[:-1]), layout.width, before)
    for number, width in ((unknown.slope_in, before), (unknown.slope_out, np.where(layout.ends, before, layout.width))):
        here = number >= 0
        matrix[0, number[here]] += _PULL * width[here] ** 2
        right[number[here]] += _PULL * width[here] ** 2 * slopes[here]
    matrix[0, -1] = 1.0
    return np.asarray(solveh_banded(matrix, right, lower=True, overwrite_ab=True, overwrite_b=True))


def _slopes_at(times: Array, samples: Array) -> Array:
    """(C, F) the slopes of samples: between the neighbours of each frame."""
    if len(times) < 2:
        return np.zeros(samples.shape)
    return np.asarray(np.gradient(samples, times, axis=1))
