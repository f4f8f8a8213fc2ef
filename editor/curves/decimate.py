"""Knots taken away from curves until few are left: the first, rough half of reducing a motion to keys.

While knots go, the curve passes through the samples at those that are left, and each segment has the slopes that fit it
best, whatever its neighbours do. So what it costs to lose a knot depends on two segments only, and all knots of all
channels are judged at once; those that cost least, and less than either neighbour, go together.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from editor.curves.spline_fit import Layout, Mask, Report, blocks_of
from model.arrays import Array, IntArray

# Which part of the knots that could go does go in a round: many while there are far too many, few at the end.
_QUICK, _CAREFUL = 0.6, 0.25
# Knots that cost nothing must not go in rank and file: whichever of two is the cheaper is then left to chance.
_CHANCE = 1e-9
_SEED = 7


def decimate_to_count(times: Array, samples: Array, weights: Array, fixed: Mask, count: int, report: Report) -> Mask:
    """(C, F) the knots that are left when there are `count`: those go that add least to the sum of squared errors.

    times : (F,); samples : (C, F); weights : (C,) what an error in a channel is worth; fixed : (C, F) the knots that
    stay, a channel's first and last frame among them: there may be more than `count` of these. report : called many
    times in every round.
    """
    rng = np.random.default_rng(_SEED)
    knots = _first_knots(fixed, rng)
    blocks = [
        _Squares(times, samples[rows], fixed[rows], knots[rows], weights[rows, None] ** 2)
        for rows in blocks_of(*samples.shape)
    ]
    while blocks and (present := int(np.count_nonzero(knots))) > count:
        costs = _costs(blocks, report)
        chance = _CHANCE * max(float(np.mean(block.before)) for block in blocks)
        costs = [cost + chance * rng.random(len(cost)) for cost in costs]
        share = _QUICK if present > 3 * count else _CAREFUL
        going = _cheapest(costs, share, present - count)
        if not any(map(len, going)):
            break
        for block, gone in zip(blocks, going, strict=True):
            block.remove(gone)
    return knots


def decimate_within(times: Array, samples: Array, limits: Array, fixed: Mask, report: Report) -> Mask:
    """(C, F) the knots that are left when no more can go without an error beyond the limits (C, F).

    Otherwise as `decimate_to_count`.
    """
    rng = np.random.default_rng(_SEED)
    knots = _first_knots(fixed, rng)
    blocks = [
        _Worst(times, samples[rows], fixed[rows], knots[rows], 1.0 / limits[rows]) for rows in blocks_of(*samples.shape)
    ]
    while blocks:
        costs = _costs(blocks, report)
        costs = [np.where(cost <= 1.0, cost + _CHANCE * rng.random(len(cost)), np.inf) for cost in costs]
        going = _cheapest(costs, 1.0, samples.size)
        if not any(map(len, going)):
            break
        for block, gone in zip(blocks, going, strict=True):
            block.remove(gone)
    return knots


def _first_knots(fixed: Mask, rng: np.random.Generator) -> Mask:
    """(C, F) two or three frames from knot to knot, by chance: a cubic passes through two samples between its ends."""
    channels, frames = fixed.shape
    steps = np.cumsum(rng.integers(2, 4, size=(channels, frames // 2 + 1)), axis=1)
    knots = np.array(fixed)
    channel, step = np.nonzero(steps < frames)
    knots[channel, steps[channel, step]] = True
    return knots


@dataclass(eq=False)
class _Block:
    """Some channels and their knots, which it takes away in place. worth : what errors are multiplied with."""

    times: Array
    samples: Array
    fixed: Mask
    knots: Mask
    worth: Array

    def measure(self, layout: Layout) -> Array:
        """(N,) how badly each segment fits."""
        raise NotImplementedError

    def merged(self) -> Array:
        """(N,) the measure of the segment that is left when a knot goes; infinite for knots that are fixed.

        Every other knot is judged at a time, so that all have their neighbours.
        """
        at = np.flatnonzero(self.knots)
        free = ~self.fixed.ravel()[at]
        result = np.full(len(at), np.inf)
        for start in (0, 1):
            gone = start + 2 * np.flatnonzero(free[start::2])
            left = np.array(self.knots)
            left.ravel()[at[gone]] = False
            layout = Layout.of(self.times, left)
            result[gone] = self.measure(layout)[layout.segment[at[gone]]]
        return result

    def costs(self) -> Array:
        """(N,) what it costs to lose each knot."""
        return self.merged()

    def remove(self, gone: IntArray) -> None:
        """Take knots away, by their number among those that are left; no two of them neighbours."""
        self.knots.ravel()[np.flatnonzero(self.knots)[gone]] = False


class _Worst(_Block):
    """Knots cost the largest error that is there without them."""

    def measure(self, layout: Layout) -> Array:
        return layout.largest(np.abs(_local_fit(layout, self.samples).misses()) * self.worth.ravel())


@dataclass(eq=False)
class _Squares(_Block):
    """Knots cost the squared error that they save. before, after : (N,) that of segments now, and with a knot gone."""

    before: Array = field(init=False)
    after: Array = field(init=False)

    def __post_init__(self) -> None:
        self.before = self.measure(Layout.of(self.times, self.knots))

    def measure(self, layout: Layout) -> Array:
        worth: Array = self.worth[layout.knot // self.samples.shape[1], 0]
        return worth * _local_fit(layout, self.samples).squares()

    def costs(self) -> Array:
        self.after = self.merged()
        cost = np.array(self.after)
        cost[1:] -= self.before[:-1] + self.before[1:]
        return np.maximum(cost, 0.0)

    def remove(self, gone: IntArray) -> None:
        super().remove(gone)
        self.before[gone - 1] = self.after[gone]
        self.before = np.delete(self.before, gone)


@dataclass(frozen=True, eq=False)
class _LocalFit:
    """Curves through the samples at the knots with the best slopes of each segment by itself.

    off : (C F,) samples less what the values at knots give; first, last : what the segment's slopes add, per slope;
    slopes : (N,), (N,); told : (N,), (N,) the right-hand sides of the normal equations that gave them.
    """

    layout: Layout
    off: Array
    first: Array
    last: Array
    slopes: tuple[Array, Array]
    told: tuple[Array, Array]

    def misses(self) -> Array:
        """(C F,) samples less curve."""
        segment = self.layout.segment
        return np.asarray(self.off - self.first * self.slopes[0][segment] - self.last * self.slopes[1][segment])

    def squares(self) -> Array:
        """(N,) the sum of the squared misses of each segment."""
        saved = self.slopes[0] * self.told[0] + self.slopes[1] * self.told[1]
        return np.maximum(self.layout.sums(self.off * self.off) - saved, 0.0)


def _local_fit(layout: Layout, samples: Array) -> _LocalFit:
    flat = samples.ravel()
    start, first, end, last = layout.basis()
    values = flat[layout.knot]
    off = flat - start * values[layout.segment] - end * values[layout.after][layout.segment]
    # Two normal equations for each segment. One without samples of its own gives zeros, and level slopes.
    a, b, c = layout.sums(first * first), layout.sums(first * last), layout.sums(last * last)
    r, s = layout.sums(first * off), layout.sums(last * off)
    least = 1e-9 * (a + c) + 1e-30
    a, c = a + least, c + least
    below = a * c - b * b
    return _LocalFit(layout, off, first, last, ((c * r - b * s) / below, (a * s - b * r) / below), (r, s))


def _costs(blocks: "Sequence[_Block]", report: Report) -> list[Array]:
    """What it costs to lose each knot of each block."""
    costs = []
    for block in blocks:
        report(1.0 / len(blocks))
        costs.append(block.costs())
    return costs


def _cheapest(costs: Sequence[Array], share: float, most: int) -> list[IntArray]:
    """For each block the knots that cost less than both neighbours and are among the cheapest of all blocks.

    share : of all such knots, rounded up; most : how many at the most.
    """
    found = [np.flatnonzero((c < np.append(np.inf, c[:-1])) & (c < np.append(c[1:], np.inf))) for c in costs]
    every = np.concatenate([cost[lower] for cost, lower in zip(costs, found, strict=True)])
    count = min(most, int(np.ceil(share * len(every))))
    chosen = np.zeros(len(every), dtype=bool)
    chosen[np.argsort(every, kind="stable")[:count]] = True
    ends = np.cumsum([len(lower) for lower in found])[:-1]
    return [lower[part] for lower, part in zip(found, np.split(chosen, ends), strict=True)]
