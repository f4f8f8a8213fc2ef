"""The ground as a height function: a flat floor with boxes, ramps, a grid of heights and triangles on it.

A ground is a value, compared as such. Its parts tell heights above the floor; where several lie above each other
the highest counts, where none lies the floor does.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from model.arrays import Array, IntArray

Point = tuple[float, float]  # x, z
Corner = tuple[float, float, float]
# Triangles steeper than this, seen from above slimmer than so many square metres, are walls and hold nobody.
_WALL_M2 = 1e-12


@dataclass(frozen=True)
class Box:
    """A box on the floor. size_m : along its own x and z, turned by yaw_rad about Y, left positive."""

    center: Point
    size_m: Point
    height_m: float
    yaw_rad: float = 0.0

    def __post_init__(self) -> None:
        if not min(self.size_m) > 0.0:
            raise ValueError(f"size_m is {self.size_m}; a box must have some")


@dataclass(frozen=True)
class Ramp:
    """A strip that rises from one end to the other."""

    start: Point
    end: Point
    width_m: float
    heights_m: Point

    def __post_init__(self) -> None:
        if not self.width_m > 0.0 or self.start == self.end:
            raise ValueError("a ramp must have some width and length")


@dataclass(frozen=True)
class Grid:
    """Heights at evenly spaced points. heights_m : rows along z of values along x; origin : of the first value."""

    origin: Point
    spacing_m: float
    heights_m: tuple[tuple[float, ...], ...]

    def __post_init__(self) -> None:
        lengths = {len(row) for row in self.heights_m}
        if len(self.heights_m) < 2 or len(lengths) != 1 or min(lengths) < 2:
            raise ValueError("heights_m must hold two rows or more, all equally long, of two values or more")
        if not self.spacing_m > 0.0:
            raise ValueError(f"spacing_m is {self.spacing_m}; it must be positive")


@dataclass(frozen=True)
class Ground:
    """What people stand on. height_m : the floor's; triangles : (x, y, z) of three corners each, y above the floor."""

    height_m: float = 0.0
    boxes: tuple[Box, ...] = ()
    ramps: tuple[Ramp, ...] = ()
    grids: tuple[Grid, ...] = ()
    triangles: tuple[tuple[Corner, Corner, Corner], ...] = ()

    @property
    def is_flat(self) -> bool:
        return not (self.boxes or self.ramps or self.grids or self.triangles)

    def heights(self, x_z: Array) -> Array:
        """How high the ground is at places. x_z : (..., 2) -> (...)."""
        places = np.asarray(x_z, dtype=np.float64)
        if self.is_flat:
            return np.full(places.shape[:-1], self.height_m)
        flat = places.reshape(-1, 2)
        top = np.full(len(flat), -np.inf)
        for box in self.boxes:
            np.maximum(top, _on_box(box, flat), out=top)
        for ramp in self.ramps:
            np.maximum(top, _on_ramp(ramp, flat), out=top)
        for grid in self.grids:
            np.maximum(top, _on_grid(grid, flat), out=top)
        if self.triangles:
            np.maximum(top, self._mesh.heights(flat), out=top)
        return np.where(np.isfinite(top), top + self.height_m, self.height_m).reshape(places.shape[:-1])

    @cached_property
    def _mesh(self) -> "_Mesh":
        return _Mesh(np.array(self.triangles, dtype=np.float64))


FLAT = Ground()


def stairs(
    start: Point, direction_rad: float, count: int, depth_m: float, rise_m: float, width_m: float = 2.0
) -> tuple[Box, ...]:
    """Steps that rise one after the other as boxes, from `start` in a direction about Y, 0 being +Z; the last is as
    deep as the others.
    """
    ahead = np.array([np.sin(direction_rad), np.cos(direction_rad)])
    centers = [np.array(start) + (n + 0.5) * depth_m * ahead for n in range(count)]
    return tuple(
        Box((float(x), float(z)), (width_m, depth_m), (n + 1) * rise_m, direction_rad)
        for n, (x, z) in enumerate(centers)
    )


def _turned(places: Array, yaw_rad: float) -> Array:
    """Places (N, 2) seen from a frame that is turned by yaw_rad about Y."""
    cos, sin = np.cos(yaw_rad), np.sin(yaw_rad)
    x, z = places[:, 0], places[:, 1]
    return np.stack([cos * x - sin * z, sin * x + cos * z], axis=-1)


def _on_box(box: Box, places: Array) -> Array:
    """(N,) the box's height at places (N, 2), minus infinity beside it."""
    apart = np.abs(_turned(places - np.array(box.center), box.yaw_rad))
    return np.where(np.all(apart <= 0.5 * np.array(box.size_m), axis=-1), box.height_m, -np.inf)


def _on_ramp(ramp: Ramp, places: Array) -> Array:
    start, end = np.array(ramp.start), np.array(ramp.end)
    length = float(np.hypot(*(end - start)))
    ahead = (end - start) / length
    from_start = places - start
    along = from_start @ ahead / length
    across = from_start @ np.array([ahead[1], -ahead[0]])
    inside = (along >= 0.0) & (along <= 1.0) & (np.abs(across) <= 0.5 * ramp.width_m)
    low, high = ramp.heights_m
    return np.where(inside, low + along * (high - low), -np.inf)


def _on_grid(grid: Grid, places: Array) -> Array:
    heights = np.array(grid.heights_m)
    most = np.array([heights.shape[1] - 1, heights.shape[0] - 1])
    at = (places - np.array(grid.origin)) / grid.spacing_m
    inside = np.all((at >= 0.0) & (at <= most), axis=-1)
    cell = np.clip(np.floor(at), 0, most - 1).astype(np.intp)
    u, v = np.clip(at - cell, 0.0, 1.0).T
    x, z = cell.T
    near = (1.0 - u) * heights[z, x] + u * heights[z, x + 1]
    far = (1.0 - u) * heights[z + 1, x] + u * heights[z + 1, x + 1]
    return np.where(inside, (1.0 - v) * near + v * far, -np.inf)


class _Mesh:
    """Triangles sorted into the cells of a grid on the floor, so that a place meets few of them."""

    def __init__(self, corners: Array) -> None:
        """corners : (T, 3, 3)."""
        first, second = (corners[:, n][:, [0, 2]] - corners[:, 0][:, [0, 2]] for n in (1, 2))
        area = first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]
        self._corners = corners[np.abs(area) > _WALL_M2]
        low, high = (pick(self._corners[:, :, [0, 2]], axis=1) for pick in (np.min, np.max))
        self._origin = np.min(low, axis=0, initial=np.inf)
        extent = np.max(high, axis=0, initial=-np.inf) - self._origin
        count = len(self._corners)
        if not count:
            return
        # About as many cells as triangles, and no triangle in very many of them on average.
        self._cell = float(np.sqrt(max(extent[0] * extent[1], 1e-12) / count))
        while np.sum(np.prod(np.floor((high - low) / self._cell) + 2.0, axis=-1)) > 20.0 * count + 100.0:
            self._cell *= 1.5
        self._shape = np.floor(extent / self._cell).astype(np.intp) + 1
        self._sort(low, high)

    def _sort(self, low: Array, high: Array) -> None:
        """Which triangles each cell holds: those from _starts[cell] to _starts[cell + 1] in _held."""
        first = np.floor((low - self._origin) / self._cell).astype(np.intp)
        size = np.floor((high - self._origin) / self._cell).astype(np.intp) - first + 1
        many = size[:, 0] * size[:, 1]
        triangle = np.repeat(np.arange(len(low)), many)
        within = np.arange(len(triangle)) - np.repeat(np.cumsum(many) - many, many)
        column = first[triangle, 0] + within % size[triangle, 0]
        row = first[triangle, 1] + within // size[triangle, 0]
        cell = row * self._shape[0] + column
        order = np.argsort(cell, kind="stable")
        self._held = triangle[order]
        self._starts = np.searchsorted(cell[order], np.arange(int(np.prod(self._shape)) + 1))

    def heights(self, places: Array) -> Array:
        """(N,) the highest triangle at places (N, 2), minus infinity where there is none."""
        top = np.full(len(places), -np.inf)
        if not len(self._corners):
            return top
        at = np.floor((places - self._origin) / self._cell)
        inside = np.flatnonzero(np.all((at >= 0) & (at < self._shape), axis=-1))
        cell = at[inside, 1].astype(np.intp) * self._shape[0] + at[inside, 0].astype(np.intp)
        many = self._starts[cell + 1] - self._starts[cell]
        place: IntArray = np.repeat(inside, many)
        which = np.arange(len(place)) - np.repeat(np.cumsum(many) - many, many) + np.repeat(self._starts[cell], many)
        np.maximum.at(top, place, _on_triangles(self._corners[self._held[which]], places[place]))
        return top


def _on_triangles(corners: Array, places: Array) -> Array:
    """(M,) the height of a triangle each (M, 3, 3) at a place each (M, 2), minus infinity beside it."""
    a, b, c = (corners[:, n] for n in range(3))
    first, second, here = b[:, [0, 2]] - a[:, [0, 2]], c[:, [0, 2]] - a[:, [0, 2]], places - a[:, [0, 2]]
    area = first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]
    u = (here[:, 0] * second[:, 1] - here[:, 1] * second[:, 0]) / area
    v = (first[:, 0] * here[:, 1] - first[:, 1] * here[:, 0]) / area
    inside = (u >= -1e-9) & (v >= -1e-9) & (u + v <= 1.0 + 1e-9)
    return np.where(inside, a[:, 1] + u * (b[:, 1] - a[:, 1]) + v * (c[:, 1] - a[:, 1]), -np.inf)
