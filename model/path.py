"""A path on the floor as somebody draws it: points, and how the line goes from each to the next.

A path is a value. What is walked is a smooth curve near it; making that is the work of `editor/locomotion`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from model.arrays import Array
from model.type_hints import fit_fields, require_finite_fields

SHAPES = ("straight", "smooth", "arc")
# Bends are told by points this far apart; of very long paths farther, so that a few points never become very many.
_SPACING_M = 0.03
_MOST_BEND_POINTS = 300_000
_FARTHEST_M = 1e6


@dataclass(frozen=True)
class PathPoint:
    """A point of a path, in metres. shape : how the line goes on from here, one of SHAPES; bulge : of an arc, the
    tangent of a quarter of the angle that it turns by, left positive, so that 1 is a half circle.
    """

    x: float
    z: float
    shape: str = "straight"
    bulge: float = 0.0

    def __post_init__(self) -> None:
        fit_fields(self)
        require_finite_fields(self)
        if self.shape not in SHAPES:
            raise ValueError(f"shape is {self.shape!r}; it must be one of {', '.join(SHAPES)}")
        if not max(abs(self.x), abs(self.z)) < _FARTHEST_M:
            raise ValueError(f"the point {self.x:g}, {self.z:g} lies more than 1,000 km away; lengths are metres")
        if abs(self.bulge) > 10.0:
            raise ValueError(f"bulge is {self.bulge}; it must be -10 to 10")


@dataclass(frozen=True)
class Path:
    """Points in the order in which they are walked; closed : whether the last is joined to the first."""

    points: tuple[PathPoint, ...]
    closed: bool = False

    def __post_init__(self) -> None:
        fit_fields(self)

    @staticmethod
    def through(x_z: Sequence[Sequence[float]] | Array, shape: str = "straight", closed: bool = False) -> "Path":
        """The path through points x, z, all segments of one shape."""
        return Path(tuple(PathPoint(float(x), float(z), shape) for x, z in x_z), closed)

    @property
    def x_z(self) -> Array:
        """(N, 2) its points."""
        return np.array([(point.x, point.z) for point in self.points], dtype=np.float64).reshape(-1, 2)

    def line(self) -> Array:
        """(M, 2) points along the path, dense where it bends; those of straights are its own. Of a closed path the
        first is not repeated.
        """
        points = self.x_z
        count = len(points) if self.closed else len(points) - 1
        if count < 1:
            return points
        tangents = self._tangents(points)
        lengths = self._bend_lengths(points)[:count]
        spacing = max(_SPACING_M, float(np.sum(lengths)) / _MOST_BEND_POINTS)
        pieces = []
        for n in range(count):
            start, end = points[n], points[(n + 1) % len(points)]
            dense = int(np.ceil(lengths[n] / spacing))
            if not dense:
                pieces.append(start[None])
            elif self.points[n].shape == "arc":
                pieces.append(_arc(start, end, self.points[n].bulge, max(4, dense)))
            else:
                pieces.append(_cubic(start, end, tangents[n], tangents[(n + 1) % len(points)], max(2, dense)))
        if not self.closed:
            pieces.append(points[-1:])
        return np.concatenate(pieces)

    def _bend_lengths(self, points: Array) -> Array:
        """(N,) how long the bend from each point to the next is; of a smooth segment its chord, of a straight one 0."""
        chords = np.hypot(*(np.roll(points, -1, axis=0) - points).T)
        half_turns = 2.0 * np.arctan([point.bulge if point.shape == "arc" else 0.0 for point in self.points])
        is_bent = [point.shape == "smooth" or (point.shape == "arc" and point.bulge != 0.0) for point in self.points]
        return np.asarray(np.where(is_bent, chords / np.sinc(half_turns / np.pi), 0.0))

    def _tangents(self, points: Array) -> Array:
        """(N, 2) unit directions at the points, for smooth segments: along a straight neighbour where there is one,
        else those of the circle through the point and its neighbours.
        """
        count = len(points)
        before, after = np.roll(points, 1, axis=0), np.roll(points, -1, axis=0)
        coming, going = points - before, after - points
        if not self.closed:
            coming[0], going[-1] = going[0], coming[-1]
        sizes = [np.maximum(np.hypot(*one.T), 1e-12)[:, None] for one in (coming, going)]
        coming, going = coming / sizes[0], going / sizes[1]
        tangents = coming * sizes[1] + going * sizes[0]
        size = np.hypot(*tangents.T)[:, None]
        tangents = np.where(size > 1e-9, tangents / np.maximum(size, 1e-9), going)
        for n in range(count):
            if self.points[n - 1].shape == "straight" and (self.closed or n > 0):
                tangents[n] = coming[n]
            elif self.points[n].shape == "straight" and (self.closed or n < count - 1):
                tangents[n] = going[n]
        return np.asarray(tangents)


def _cubic(start: Array, end: Array, leaving: Array, arriving: Array, count: int) -> Array:
    """(count, 2) from the start, without the end, on the cubic with these directions."""
    chord = float(np.hypot(*(end - start)))
    u = np.linspace(0.0, 1.0, count, endpoint=False)[:, None]
    v = 1.0 - u
    return np.asarray(
        v * v * (1.0 + 2.0 * u) * start + u * u * (1.0 + 2.0 * v) * end + chord * u * v * (v * leaving - u * arriving)
    )


def _arc(start: Array, end: Array, bulge: float, count: int) -> Array:
    """(count, 2) from the start, without the end, on an arc that turns by 4 atan(bulge), left positive."""
    turned = 4.0 * np.arctan(bulge)
    chord = complex(end[1] - start[1], end[0] - start[0])  # z + i x: multiplying by i turns left
    part = np.linspace(0.0, 1.0, count, endpoint=False)
    half = 0.5 * turned * part
    way = part * np.sinc(half / np.pi) * np.exp(1j * half) / np.sinc(0.5 * turned / np.pi)
    way = way * chord * np.exp(-0.5j * turned)
    return np.asarray(start + np.stack([way.imag, way.real], axis=-1))
