"""The ground as a height function: a flat floor with boxes, stairs, ramps, grids and meshes of triangles on it.

A ground is a value, compared as such. Its objects tell heights above the floor; where several lie above each other
the highest counts, where none lies the floor does. An object is named by its kind and its number among those.
"""

import copy
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from model.arrays import Array, IntArray
from model.type_hints import fit_fields, require_finite_fields

Point = tuple[float, float]  # x, z
Corner = tuple[float, float, float]
Triangle = tuple[Corner, Corner, Corner]
ObjectName = tuple[str, int]  # "box", "stairs", "ramp", "grid" or "mesh", and its number from 0 among those
# Triangles steeper than this, seen from above slimmer than so many square metres, are walls and hold nobody.
_WALL_M2 = 1e-12
_MOST_STEPS = 200


@dataclass(frozen=True)
class Box:
    """A box on the floor. size_m : along its own x and z, turned by yaw_rad about Y, left positive."""

    center: Point
    size_m: Point
    height_m: float
    yaw_rad: float = 0.0

    def __post_init__(self) -> None:
        fit_fields(self)
        require_finite_fields(self)
        if not min(self.size_m) > 0.0:
            raise ValueError(f"size_m is {self.size_m}; a box must have some")


@dataclass(frozen=True)
class Stairs:
    """Steps that rise one after the other. start : the middle of the first one's front edge; yaw_rad : the way up about
    Y, 0 being +Z, left positive; depth_m, rise_m : of one step; the last is as deep as the others.
    """

    start: Point
    yaw_rad: float
    count: int
    depth_m: float
    rise_m: float
    width_m: float = 2.0

    def __post_init__(self) -> None:
        fit_fields(self)
        require_finite_fields(self)
        if not 1 <= self.count <= _MOST_STEPS:
            raise ValueError(f"count is {self.count}; stairs have 1 to {_MOST_STEPS} steps")
        if not min(self.depth_m, self.width_m) > 0.0:
            raise ValueError("stairs must have some depth and width")

    @cached_property
    def steps(self) -> tuple[Box, ...]:
        """The steps as boxes, the lowest first."""
        ahead = np.array([np.sin(self.yaw_rad), np.cos(self.yaw_rad)])
        centers = [np.array(self.start) + (n + 0.5) * self.depth_m * ahead for n in range(self.count)]
        return tuple(
            Box((float(x), float(z)), (self.width_m, self.depth_m), (n + 1) * self.rise_m, self.yaw_rad)
            for n, (x, z) in enumerate(centers)
        )


@dataclass(frozen=True)
class Ramp:
    """A strip that rises from one end to the other."""

    start: Point
    end: Point
    width_m: float
    heights_m: Point

    def __post_init__(self) -> None:
        fit_fields(self)
        require_finite_fields(self)
        if not self.width_m > 0.0 or self.start == self.end:
            raise ValueError("a ramp must have some width and length")


@dataclass(frozen=True)
class Grid:
    """Heights at evenly spaced points. heights_m : rows along z of values along x; origin : of the first value."""

    origin: Point
    spacing_m: float
    heights_m: tuple[tuple[float, ...], ...]

    def __post_init__(self) -> None:
        fit_fields(self)
        require_finite_fields(self)
        lengths = {len(row) for row in self.heights_m}
        if len(self.heights_m) < 2 or len(lengths) != 1 or min(lengths) < 2:
            raise ValueError("heights_m must hold two rows or more, all equally long, of two values or more")
        if not self.spacing_m > 0.0:
            raise ValueError(f"spacing_m is {self.spacing_m}; it must be positive")


@dataclass(frozen=True)
class Mesh:
    """Triangles, such as of a scanned floor; corners are x, y, z, y above the floor. offset_m : by how much all are
    moved.
    """

    triangles: tuple[Triangle, ...]
    offset_m: Corner = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        fit_fields(self)
        require_finite_fields(self)
        if not self.triangles:
            raise ValueError("triangles: a mesh must have some")

    def __hash__(self) -> int:
        return hash((self._hash, self.offset_m))

    def moved(self, by_m: Corner) -> "Mesh":
        """The mesh elsewhere. Its many triangles are neither looked at again nor copied."""
        x, y, z = (here + by for here, by in zip(self.offset_m, by_m, strict=True))
        other = copy.copy(self)
        object.__setattr__(other, "offset_m", (x, y, z))
        return other

    @cached_property
    def _hash(self) -> int:  # of many numbers, asked for whenever something is looked up that depends on the ground
        return hash(self.triangles)

    @cached_property
    def _corners(self) -> Array:
        """(T, 3, 3) before it was moved."""
        return np.array(self.triangles, dtype=np.float64)

    @property
    def corners(self) -> Array:
        """(T, 3, 3)."""
        return np.asarray(self._corners + self.offset_m)

    @cached_property
    def _in_cells(self) -> "_SortedMesh":
        return _SortedMesh(self._corners)

    def heights(self, places: Array) -> Array:
        """(N,) the mesh's height at places (N, 2), minus infinity beside it."""
        x, y, z = self.offset_m
        return self._in_cells.heights(places - np.array([x, z])) + y


GroundObject = Box | Stairs | Ramp | Grid | Mesh
_FIELDS = {"box": "boxes", "stairs": "stairs", "ramp": "ramps", "grid": "grids", "mesh": "meshes"}


@dataclass(frozen=True)
class Ground:
    """What people stand on. height_m : the floor's."""

    height_m: float = 0.0
    boxes: tuple[Box, ...] = ()
    ramps: tuple[Ramp, ...] = ()
    grids: tuple[Grid, ...] = ()
    meshes: tuple[Mesh, ...] = ()
    stairs: tuple[Stairs, ...] = ()

    def __post_init__(self) -> None:
        fit_fields(self)
        require_finite_fields(self)

    @property
    def is_flat(self) -> bool:
        return not (self.boxes or self.stairs or self.ramps or self.grids or self.meshes)

    def heights(self, x_z: Array) -> Array:
        """How high the ground is at places. x_z : (..., 2) -> (...)."""
        places = np.asarray(x_z, dtype=np.float64)
        if self.is_flat:
            return np.full(places.shape[:-1], self.height_m)
        flat = places.reshape(-1, 2)
        top = np.full(len(flat), -np.inf)
        for box in (*self.boxes, *(step for flight in self.stairs for step in flight.steps)):
            np.maximum(top, _on_box(box, flat), out=top)
        for ramp in self.ramps:
            np.maximum(top, _on_ramp(ramp, flat), out=top)
        for grid in self.grids:
            np.maximum(top, _on_grid(grid, flat), out=top)
        for mesh in self.meshes:
            np.maximum(top, mesh.heights(flat), out=top)
        return np.where(np.isfinite(top), top + self.height_m, self.height_m).reshape(places.shape[:-1])

    # Its objects, one by one

    @property
    def objects(self) -> tuple[tuple[ObjectName, GroundObject], ...]:
        """Every object with its name."""
        return tuple(
            ((kind, number), one) for kind, field in _FIELDS.items() for number, one in enumerate(getattr(self, field))
        )

    def object(self, name: ObjectName) -> GroundObject:
        """The object of this name. Raises ValueError where there is none."""
        found = dict(self.objects).get(name)
        if found is None:
            raise ValueError(f"there is no {told_name(name)} on the ground")
        return found

    def adding(self, *objects: GroundObject) -> "Ground":
        """The ground with objects more, each the last of its kind."""
        ground = self
        for one in objects:
            field = _FIELDS[kind_of(one)]
            ground = ground._with({field: (*getattr(ground, field), one)})
        return ground

    def changing(self, name: ObjectName, changed: GroundObject) -> "Ground":
        """The ground with an object replaced by one of its kind. Raises ValueError where there is none."""
        if kind_of(self.object(name)) != kind_of(changed):
            raise ValueError(f"changed is a {kind_of(changed)}; {told_name(name)} must be replaced by its like")
        field = _FIELDS[name[0]]
        objects = (changed if number == name[1] else one for number, one in enumerate(getattr(self, field)))
        return self._with({field: tuple(objects)})

    def without(self, names: Collection[ObjectName]) -> "Ground":
        """The ground without objects. Raises ValueError where one is not there."""
        for name in names:
            self.object(name)
        kept: dict[str, list[GroundObject]] = {field: [] for field in _FIELDS.values()}
        for name, one in self.objects:
            if name not in names:
                kept[_FIELDS[name[0]]].append(one)
        return self._with({field: tuple(objects) for field, objects in kept.items()})

    def _with(self, objects: Mapping[str, Any]) -> "Ground":
        """The ground with other objects. objects : by the field that holds them."""
        return replace(self, **objects)

    def at_height(self, height_m: float) -> "Ground":
        """The same objects on a floor at another height."""
        return self if height_m == self.height_m else replace(self, height_m=height_m)

    def is_flat_near(self, x_z: Array, within_m: float) -> bool:
        """Whether no object comes nearer than so to the box about places (N, 2), seen from above."""
        if self.is_flat or not len(x_z):
            return True
        low, high = np.min(x_z, axis=0) - within_m, np.max(x_z, axis=0) + within_m
        return not any(np.all(first <= high) and np.all(last >= low) for first, last in self._bounds)

    @cached_property
    def _bounds(self) -> list[tuple[Array, Array]]:
        return [bounds(one) for _, one in self.objects]


FLAT = Ground()


def kind_of(one: GroundObject) -> str:
    """What names call an object: "box", "stairs", "ramp", "grid" or "mesh"."""
    return type(one).__name__.lower()


def told_name(name: ObjectName) -> str:
    """The name of an object as people read it: "box 2"."""
    return f"{name[0]} {name[1] + 1}"


def bounds(one: GroundObject) -> tuple[Array, Array]:
    """The lowest and the highest x, z (2,) of an object."""
    if isinstance(one, Mesh):
        x_z = one.corners[..., [0, 2]].reshape(-1, 2)
    elif isinstance(one, Grid):
        far = np.array([len(one.heights_m[0]) - 1, len(one.heights_m) - 1]) * one.spacing_m
        x_z = np.array([one.origin, one.origin + far])
    else:
        x_z = outline(one)
    return np.min(x_z, axis=0), np.max(x_z, axis=0)


def outline(one: Box | Stairs | Ramp) -> Array:
    """(4, 2) the corners of an object, seen from above, in turn; of ramps and stairs first those of their start."""
    if isinstance(one, Box):
        x, z = 0.5 * np.array(one.size_m)
        return np.array(one.center) + _turned(np.array([[-x, -z], [x, -z], [x, z], [-x, z]]), -one.yaw_rad)
    start, end = np.array(one.start), np.array(end_of(one))
    ahead = (end - start) / np.hypot(*(end - start))
    aside = 0.5 * one.width_m * np.array([ahead[1], -ahead[0]])
    return np.stack([start - aside, start + aside, end + aside, end - aside])


def end_of(one: Stairs | Ramp) -> Point:
    """The middle of the edge where stairs or a ramp end."""
    if isinstance(one, Ramp):
        return one.end
    long_m = one.count * one.depth_m
    return one.start[0] + long_m * float(np.sin(one.yaw_rad)), one.start[1] + long_m * float(np.cos(one.yaw_rad))


def moved(one: GroundObject, x_m: float, z_m: float) -> GroundObject:
    """An object elsewhere on the floor."""
    if isinstance(one, Mesh):
        return one.moved((x_m, 0.0, z_m))
    if isinstance(one, Box):
        return replace(one, center=(one.center[0] + x_m, one.center[1] + z_m))
    if isinstance(one, Grid):
        return replace(one, origin=(one.origin[0] + x_m, one.origin[1] + z_m))
    start = (one.start[0] + x_m, one.start[1] + z_m)
    if isinstance(one, Stairs):
        return replace(one, start=start)
    return replace(one, start=start, end=(one.end[0] + x_m, one.end[1] + z_m))


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


class _SortedMesh:
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
