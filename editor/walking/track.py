"""A drawn path measured along its line: where a place on it is, and where on it a place is."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from model.arrays import Array
from model.path import Path

Place = tuple[float, float]  # x, z


@dataclass(frozen=True, eq=False)
class Track:
    """The line of a path. points : (M, 2), of a closed path with the first again at the end."""

    points: Array

    @staticmethod
    def of(path: Path) -> "Track":
        line = path.line()
        return Track(np.concatenate([line, line[:1]]) if path.closed and len(line) else line)

    @cached_property
    def arc_m(self) -> Array:
        """(M,) how far along each of its points is."""
        if len(self.points) < 2:
            return np.zeros(len(self.points))
        return np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(self.points, axis=0).T))])

    @property
    def length_m(self) -> float:
        return float(self.arc_m[-1]) if len(self.points) else 0.0

    def place(self, at_m: float) -> Place:
        """Where it is after so many metres."""
        x, z = (float(np.interp(at_m, self.arc_m, column)) for column in self.points.T)
        return x, z

    def nearest(self, place: Place) -> tuple[float, float]:
        """How far along it comes nearest to a place, and how near that is."""
        if len(self.points) < 2:
            return 0.0, np.inf
        starts, along = self.points[:-1], np.diff(self.points, axis=0)
        sizes = np.maximum(np.sum(along * along, axis=1), 1e-12)
        part = np.clip(np.sum((np.array(place) - starts) * along, axis=1) / sizes, 0.0, 1.0)
        far = np.hypot(*(starts + part[:, None] * along - np.array(place)).T)
        best = int(np.argmin(far))
        return float(self.arc_m[best] + part[best] * np.sqrt(sizes[best])), float(far[best])

    def heading_near(self, place: Place) -> float:
        """Its direction where it comes nearest to a place, 0 being +Z."""
        if len(self.points) < 2:
            return 0.0
        at_m, _ = self.nearest(place)
        (x, z), (next_x, next_z) = self.place(max(at_m - 0.05, 0.0)), self.place(at_m + 0.05)
        return float(np.arctan2(next_x - x, next_z - z))

    def part(self, from_m: float, to_m: float) -> Array:
        """(N, 2) its points between two places along it, both included."""
        inside = (self.arc_m > from_m) & (self.arc_m < to_m)
        return np.concatenate([[self.place(from_m)], self.points[inside], [self.place(to_m)]])
