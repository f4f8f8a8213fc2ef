"""Objects on the ground as hands make and shape them: drawn up between two places, and pulled at grips.

Places are x, y, z, y above the floor. With `snap`, lengths, places and angles go by round steps.
"""

import math
from dataclasses import dataclass, replace

from model.ground import Box, Corner, GroundObject, Point, Ramp, Stairs, end_of

KINDS = ("box", "stairs", "ramp")  # what can be drawn up
_HEIGHT_M, _RISE_M = 0.2, 0.15
_BOX_M = (1.0, 1.0)
_STEP_DEPTH_M, _STEPS = 0.35, 4
_WIDTH_M, _RAMP_LONG_M, _RAMP_HEIGHT_M = 1.2, 2.0, 0.3
# A way shorter than this is a click; nothing is pulled smaller than the second, or lower than the third.
_CLICK_M, _LEAST_M, _LOWEST_M = 0.08, 0.05, 0.01
_SNAP_M, _SNAP_HEIGHT_M, _SNAP_RAD = 0.1, 0.05, math.radians(15.0)
_BEYOND_M = 0.35  # how far the grip that turns stands off


@dataclass(frozen=True)
class Grip:
    """A place to pull an object at. part : which; kind : "side", "end", "height" or "turn"; told : what it does."""

    part: str
    kind: str
    place: Corner
    told: str


def drawn_up(kind: str, start: Point, stop: Point, yaw_rad: float, snap: bool = False) -> GroundObject:
    """A new object between two places x, z on the floor; of the usual size about the first, along yaw_rad, where they
    are one.
    """
    if snap:
        start, stop = _on_lattice(start), _on_lattice(stop)
    x, z = stop[0] - start[0], stop[1] - start[1]
    long_m = math.hypot(x, z)
    is_click = long_m < _CLICK_M
    if kind == "box":
        if is_click:
            return Box(start, _BOX_M, _HEIGHT_M, yaw_rad)
        size = max(abs(x), _LEAST_M), max(abs(z), _LEAST_M)
        return Box((start[0] + 0.5 * x, start[1] + 0.5 * z), size, _HEIGHT_M)
    yaw = yaw_rad if is_click else math.atan2(x, z)
    if kind == "stairs":
        count = _STEPS if is_click else max(1, round(long_m / _STEP_DEPTH_M))
        return Stairs(start, yaw, count, _STEP_DEPTH_M if is_click else long_m / count, _RISE_M, _WIDTH_M)
    end = _beyond(start, yaw, _RAMP_LONG_M) if is_click else stop
    return Ramp(start, end, _WIDTH_M, (0.0, _RAMP_HEIGHT_M))


def grips(one: GroundObject) -> tuple[Grip, ...]:
    """Where an object can be pulled; grids and meshes nowhere."""
    if isinstance(one, Box):
        return _box_grips(one)
    if isinstance(one, Stairs | Ramp):
        return _way_grips(one)
    return ()


def pulled(one: GroundObject, part: str, to: Corner, snap: bool = False) -> GroundObject:
    """An object with one of its grips pulled to a place. Nothing gets smaller than can be seen."""
    if isinstance(one, Box):
        return _pulled_box(one, part, to, snap)
    if isinstance(one, Stairs):
        return _pulled_stairs(one, part, to, snap)
    if isinstance(one, Ramp):
        return _pulled_ramp(one, part, to, snap)
    raise ValueError(f"one: a {type(one).__name__.lower()} cannot be pulled")


# Boxes


def _box_axes(box: Box) -> dict[str, Point]:
    """The directions x, z of a box's own axes."""
    cos, sin = math.cos(box.yaw_rad), math.sin(box.yaw_rad)
    return {"x": (cos, -sin), "z": (sin, cos)}


def _box_grips(box: Box) -> tuple[Grip, ...]:
    (x, z), y = box.center, box.height_m
    found = []
    for name, size, (ax, az) in zip("xz", box.size_m, _box_axes(box).values(), strict=True):
        for side, sign in (("+", 0.5), ("-", -0.5)):
            place = (x + sign * size * ax, y, z + sign * size * az)
            found.append(Grip(name + side, "side", place, "make it wider" if name == "x" else "make it longer"))
    turn_x, turn_z = _beyond(box.center, box.yaw_rad, 0.5 * box.size_m[1] + _BEYOND_M)
    found.append(Grip("height", "height", (x, y, z), "set its height"))
    return *found, Grip("turn", "turn", (turn_x, y, turn_z), "turn it")


def _pulled_box(box: Box, part: str, to: Corner, snap: bool) -> Box:
    if part == "height":
        return replace(box, height_m=_height(to[1], snap))
    if part == "turn":
        return replace(box, yaw_rad=_yaw(box.center, to, snap))
    axis, sign = _box_axes(box)[part[0]], 1.0 if part[1] == "+" else -1.0
    at = "xz".index(part[0])
    before = box.size_m[at]
    out_m = sign * _along(box.center, to, axis)
    after = _size(0.5 * before + out_m, snap)
    sizes = list(box.size_m)
    sizes[at] = after
    by_m = 0.5 * sign * (after - before)
    center = (box.center[0] + by_m * axis[0], box.center[1] + by_m * axis[1])
    return replace(box, center=center, size_m=(sizes[0], sizes[1]))


# Stairs and ramps: what goes from a start to an end


def _way(one: Stairs | Ramp) -> tuple[Point, Point, float]:
    """The direction x, z from start to end, the one to its left, and how far it is."""
    end = end_of(one)
    x, z = end[0] - one.start[0], end[1] - one.start[1]
    long_m = math.hypot(x, z)
    ahead = (x / long_m, z / long_m)
    return ahead, (ahead[1], -ahead[0]), long_m


def _heights(one: Stairs | Ramp) -> Point:
    """How high it is at its start and its end."""
    return one.heights_m if isinstance(one, Ramp) else (one.rise_m, one.count * one.rise_m)


def _way_grips(one: Stairs | Ramp) -> tuple[Grip, ...]:
    ahead, aside, long_m = _way(one)
    start, end = one.start, end_of(one)
    low, high = _heights(one)
    middle = (start[0] + 0.5 * long_m * ahead[0], start[1] + 0.5 * long_m * ahead[1])
    half = 0.5 * one.width_m
    is_ramp = isinstance(one, Ramp)
    sides = tuple(
        Grip(
            f"side{name}", "side",
            (middle[0] + sign * half * aside[0], 0.5 * (low + high), middle[1] + sign * half * aside[1]),
            "make it wider",
        )
        for name, sign in (("+", 1.0), ("-", -1.0))
    )  # fmt: skip
    turn = (end[0] + _BEYOND_M * ahead[0], high, end[1] + _BEYOND_M * ahead[1])
    heights = [
        Grip("end_height", "height", (end[0], high, end[1]), "set how high it ends" if is_ramp else "set the rise")
    ]
    if is_ramp:
        heights.append(Grip("start_height", "height", (start[0], low, start[1]), "set how high it starts"))
    return (
        *sides,
        Grip("start", "end", (start[0], low if is_ramp else 0.0, start[1]), "move its start"),
        Grip("end", "end", (end[0], high, end[1]), "move its end"),
        *heights,
        Grip("turn", "turn", turn, "turn it"),
    )


def _pulled_stairs(one: Stairs, part: str, to: Corner, snap: bool) -> Stairs:
    ahead, aside, long_m = _way(one)
    if part == "end_height":
        return replace(one, rise_m=_height(to[1], snap) / one.count)
    if part.startswith("side"):
        middle = _beyond(one.start, one.yaw_rad, 0.5 * long_m)
        return replace(one, width_m=_size(2.0 * abs(_along(middle, to, aside)), snap))
    if part == "turn":
        middle = _beyond(one.start, one.yaw_rad, 0.5 * long_m)
        yaw = _yaw(middle, to, snap)
        return replace(one, start=_beyond(middle, yaw, -0.5 * long_m), yaw_rad=yaw)
    if part == "end":
        depth = _size(_along(one.start, to, ahead), snap) / one.count
        return replace(one, depth_m=max(depth, _LEAST_M))
    end = end_of(one)
    depth = max(_size(-_along(end, to, ahead), snap) / one.count, _LEAST_M)
    return replace(one, start=_beyond(end, one.yaw_rad, -depth * one.count), depth_m=depth)


def _pulled_ramp(one: Ramp, part: str, to: Corner, snap: bool) -> Ramp:
    ahead, aside, long_m = _way(one)
    low, high = one.heights_m
    middle = (one.start[0] + 0.5 * long_m * ahead[0], one.start[1] + 0.5 * long_m * ahead[1])
    if part == "start_height":
        return replace(one, heights_m=(_height(to[1], snap, 0.0), high))
    if part == "end_height":
        return replace(one, heights_m=(low, _height(to[1], snap, 0.0)))
    if part.startswith("side"):
        return replace(one, width_m=_size(2.0 * abs(_along(middle, to, aside)), snap))
    if part == "turn":
        yaw = _yaw(middle, to, snap)
        return replace(one, start=_beyond(middle, yaw, -0.5 * long_m), end=_beyond(middle, yaw, 0.5 * long_m))
    place = _on_lattice((to[0], to[2])) if snap else (to[0], to[2])
    other = one.end if part == "start" else one.start
    if math.dist(place, other) < _LEAST_M:
        return one
    return replace(one, start=place) if part == "start" else replace(one, end=place)


# Numbers


def snapped_move(place: Point, x_m: float, z_m: float) -> Point:
    """How far something at a place is moved for it to come to stand on the lattice, about (x_m, z_m)."""
    to = _on_lattice((place[0] + x_m, place[1] + z_m))
    return to[0] - place[0], to[1] - place[1]


def _on_lattice(place: Point) -> Point:
    return _rounded(place[0], _SNAP_M), _rounded(place[1], _SNAP_M)


def _rounded(value: float, step: float) -> float:
    return round(round(value / step) * step, 9)


def _size(value_m: float, snap: bool) -> float:
    return max(_rounded(value_m, _SNAP_M) if snap else value_m, _LEAST_M)


def _height(value_m: float, snap: bool, least_m: float = _LOWEST_M) -> float:
    return max(_rounded(value_m, _SNAP_HEIGHT_M) if snap else value_m, least_m)


def _yaw(center: Point, to: Corner, snap: bool) -> float:
    """The direction from a place, 0 being +Z; as it was where both are one."""
    yaw = math.atan2(to[0] - center[0], to[2] - center[1])
    return _rounded(yaw, _SNAP_RAD) if snap else yaw


def _along(start: Point, to: Corner, axis: Point) -> float:
    return (to[0] - start[0]) * axis[0] + (to[2] - start[1]) * axis[1]


def _beyond(start: Point, yaw_rad: float, by_m: float) -> Point:
    return start[0] + by_m * math.sin(yaw_rad), start[1] + by_m * math.cos(yaw_rad)
