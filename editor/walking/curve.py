"""A smooth line on the floor, by arc length: places, headings and curvature, exact everywhere and beyond both ends.

Headings are angles about +Y: 0 is +Z, and what turns left grows; so does curvature.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from model.arrays import Array, IntArray

# How far apart the curve's own samples are.
SPACING_M = 0.02


@dataclass(frozen=True, eq=False)
class Curve:
    """A line on the floor that bends without corners.

    points : (N, 2) x and z, evenly spaced by arc length, of a closed curve the first once more at the end;
    length_m : in all. Before its start and after its end an open curve goes straight on, a closed one round again.
    """

    points: Array
    length_m: float
    closed: bool = False

    @property
    def spacing_m(self) -> float:
        return self.length_m / (len(self.points) - 1)

    @cached_property
    def _around(self) -> Array:
        """(N + 2,) headings at the samples and one before and after, not wrapped."""
        ahead = _slopes(self._padded(2), self.spacing_m)
        return np.asarray(np.unwrap(np.arctan2(ahead[:, 0], ahead[:, 1])))

    @cached_property
    def _headings(self) -> Array:
        """(N,) at the samples."""
        return self._around[1:-1]

    @cached_property
    def _tangents(self) -> Array:
        """(N, 2) directions at the samples."""
        return np.stack([np.sin(self._headings), np.cos(self._headings)], axis=-1)

    @cached_property
    def _bends(self) -> Array:
        """(N,) curvature at the samples."""
        return _slopes(self._around[:, None], self.spacing_m)[:, 0]

    def _padded(self, count: int) -> Array:
        """(N + 2 count, 2) the samples with some more before and after."""
        points = self.points
        if self.closed:
            return np.concatenate([points[-count - 1 : -1], points, points[1 : count + 1]])
        steps = np.arange(1.0, count + 1.0)[:, None]
        first, last = points[0] - points[1], points[-1] - points[-2]
        return np.concatenate([points[0] + steps[::-1] * first, points, points[-1] + steps * last])

    @property
    def turned_rad(self) -> float:
        """By how much it turns from start to end, left positive."""
        turned = float(self._headings[-1] - self._headings[0])
        return 2.0 * np.pi * round(turned / (2.0 * np.pi)) if self.closed else turned

    @property
    def tightest_m(self) -> float:
        """The smallest radius of its bends."""
        return 1.0 / max(float(np.max(np.abs(self._bends))), 1e-9)

    def places(self, arc_m: Array) -> Array:
        """(..., 2) x and z after so many metres along the curve. arc_m : (...), may lie before and after it."""
        where, tangents = self._where(arc_m), self._tangents
        inside = _hermite(self.points, tangents, where.below, where.part, self.spacing_m)
        return np.asarray(inside + where.beyond_m[..., None] * tangents[where.below + (where.part > 0.5)])

    def headings(self, arc_m: Array) -> Array:
        """(...) where the curve heads, not wrapped."""
        where = self._where(arc_m)
        inside = _hermite(self._headings[:, None], self._bends[:, None], where.below, where.part, self.spacing_m)[
            ..., 0
        ]
        return np.asarray(inside + where.rounds * (self.turned_rad if self.closed else 0.0))

    def curvatures(self, arc_m: Array) -> Array:
        """(...) how much the curve turns in a metre, left positive; none beyond the ends of an open one."""
        where = self._where(arc_m)
        bends = self._bends
        inside = (1.0 - where.part) * bends[where.below] + where.part * bends[where.below + 1]
        return np.where(where.beyond_m == 0.0, inside, 0.0)

    def _where(self, arc_m: Array) -> "_Where":
        arc = np.asarray(arc_m, dtype=np.float64)
        rounds = np.zeros(arc.shape)
        if self.closed:
            rounds = np.floor(arc / self.length_m)
            arc = arc - rounds * self.length_m
        inside = np.clip(arc, 0.0, self.length_m)
        at = inside / self.spacing_m
        below = np.clip(at.astype(np.intp), 0, len(self.points) - 2)
        return _Where(below, at - below, arc - inside, rounds)


@dataclass(frozen=True, eq=False)
class _Where:
    """Where moments of a curve lie: behind which sample, how far to the next (0 to 1), how far off its ends."""

    below: IntArray
    part: Array
    beyond_m: Array
    rounds: Array


def curve_through(points: Array, closed: bool = False, spacing_m: float = SPACING_M) -> Curve:
    """The curve along a smooth line much denser than the spacing. points : (N, 2), N > 1; closed : the last is joined
    to the first, which is not repeated.
    """
    if closed:
        points = np.concatenate([points, points[:1]])
    steps = np.hypot(*np.diff(points, axis=0).T)
    keep = np.concatenate([[True], steps > 1e-9])
    arc = np.concatenate([[0.0], np.cumsum(steps)])[keep]
    count = max(8, round(float(arc[-1]) / spacing_m)) + 1
    at = np.linspace(0.0, arc[-1], count)
    return Curve(np.stack([np.interp(at, arc, column) for column in points[keep].T], axis=-1), float(arc[-1]), closed)


def _slopes(values: Array, spacing: float) -> Array:
    """(N - 2, C) slopes of evenly spaced values (N, C), by differences of fourth order where there is room."""
    slopes = (values[2:] - values[:-2]) / (2.0 * spacing)
    if len(values) > 4:
        slopes[1:-1] = (8.0 * (values[3:-1] - values[1:-3]) - (values[4:] - values[:-4])) / (12.0 * spacing)
    return slopes


def _hermite(values: Array, slopes: Array, below: IntArray, part: Array, spacing: float) -> Array:
    """(..., C) between samples (N, C) with these slopes (N, C), on the cubic through both neighbours."""
    u = part[..., None]
    v = 1.0 - u
    bend = spacing * u * v * (v * slopes[below] - u * slopes[below + 1])
    return np.asarray(v * v * (1.0 + 2.0 * u) * values[below] + u * u * (1.0 + 2.0 * v) * values[below + 1] + bend)
