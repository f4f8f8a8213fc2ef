"""What of a walk's path, its styles and the ground a hand could take hold of."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from editor.walking.track import Place, Track
from model.arrays import Array
from model.ground import Grid, Ground, GroundObject, Mesh, ObjectName, outline, told_name
from model.path import Path

# What is said while the next press puts something on the ground, by its kind.
PLACING = {
    "box": "Click to put a box here, or drag from corner to corner; Esc ends",
    "stairs": "Click to put stairs here, or drag from the first step to the last; Esc ends",
    "ramp": "Click to put a ramp here, or drag from the low end to the high one; Esc ends",
}


@dataclass(frozen=True)
class Band:
    """A style on the path: from where to where it goes. number : among the walk's styles."""

    number: int
    clip_id: str
    name: str
    from_m: float
    to_m: float


@dataclass(frozen=True)
class Grabbed:
    """What a hand could take hold of. kind : "point", "bulge", "border", "object" or "line"; number : which of its
    kind; at_m : of the line, how far along.
    """

    kind: str
    number: int = 0
    at_m: float = 0.0
    name: ObjectName | None = None


def grabbed(
    path: Path, track: Track, bands: Sequence[Band], ground: Ground, place: Place, reach_m: float
) -> Grabbed | None:
    """What can be taken hold of at a place: the smaller before the larger."""
    here = np.array(place)
    if path.points:
        far = np.hypot(*(path.x_z - here).T)
        nearest = int(np.argmin(far))
        if far[nearest] <= reach_m:
            return Grabbed("point", nearest)
    for number, handle in bulge_handles(path):
        if np.hypot(*(np.array(handle) - here)) <= reach_m:
            return Grabbed("bulge", number)
    for band in bands[1:]:
        if np.hypot(*(np.array(track.place(band.from_m)) - here)) <= 1.2 * reach_m:
            return Grabbed("border", band.number)
    at_m, far_m = track.nearest(place)
    if far_m <= reach_m:
        return Grabbed("line", at_m=at_m)
    for name, one in reversed(ground.objects):
        corners = _corners(one)
        if corners is not None and _is_inside(here, corners):
            return Grabbed("object", name=name)
    return None


def bulge_handles(path: Path) -> list[tuple[int, Place]]:
    """The middles of arcs, each with the number of the point where it begins."""
    points, found = path.points, []
    for n, point in enumerate(points):
        if point.shape == "arc" and (path.closed or n + 1 < len(points)):
            end = points[(n + 1) % len(points)]
            x, z = end.x - point.x, end.z - point.z
            # The middle of an arc stands off its chord by half of it times the bulge, to the right where it turns left.
            middle = (point.x + end.x) / 2 - 0.5 * point.bulge * z, (point.z + end.z) / 2 + 0.5 * point.bulge * x
            found.append((n, middle))
    return found


def object_told(name: ObjectName) -> str:
    """What is said of an object of the ground under the mouse."""
    return f"{told_name(name)[:1].upper()}{told_name(name)[1:]}: drag to move it"


def _corners(one: GroundObject) -> Array | None:
    """(4, 2) the outline of an object that can be moved by hand, or None."""
    return None if isinstance(one, Grid | Mesh) else outline(one)


def _is_inside(place: Array, corners: Array) -> bool:
    """Whether a place (2,) lies in a convex outline (N, 2)."""
    ahead = np.roll(corners, -1, axis=0) - corners
    off = place - corners
    sides = ahead[:, 0] * off[:, 1] - ahead[:, 1] * off[:, 0]
    return bool(np.all(sides >= 0.0) or np.all(sides <= 0.0))
