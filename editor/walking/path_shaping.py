"""Paths as hands shape them: points added, moved and taken away, pieces bent, the whole turned round."""

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from editor.walking.track import Place, Track
from model.path import Path, PathPoint

_BULGE = 0.3  # of new arcs
_WIDEST = 2.0  # arcs are bent no further than this
_SNAP = 1.0 / 8.0


def with_point_at(path: Path, at_m: float) -> tuple[Path, int]:
    """The path with a point more on its line, which stays about as it is; and the number of that point."""
    track = Track.of(path)
    arcs = [track.nearest((point.x, point.z))[0] for point in path.points]
    after = max((n for n in range(len(arcs)) if arcs[n] <= at_m + 1e-6), default=0)
    x, z = track.place(at_m)
    before = path.points[after]
    bulge = float(np.tan(np.arctan(before.bulge) / 2.0))  # about a half of the arc to either side
    new = (replace(before, bulge=bulge), PathPoint(x, z, before.shape, bulge))
    return replace(path, points=(*path.points[:after], *new, *path.points[after + 1 :])), after + 1


def lengthened(path: Path, place: Place) -> Path:
    """The path, going on to a place from its end as it came there."""
    shape = path.points[-2].shape if len(path.points) > 1 else "smooth"
    return replace(path, points=(*path.points[:-1], replace(path.points[-1], shape=shape), PathPoint(*place, shape)))


def without_points(path: Path, numbers: Collection[int]) -> Path:
    """The path without some points; with less than three it is open."""
    kept = tuple(point for n, point in enumerate(path.points) if n not in numbers)
    return replace(path, points=kept, closed=path.closed and len(kept) > 2)


def with_points_moved(path: Path, numbers: Collection[int], by: Place) -> Path:
    """The path with some points elsewhere, by metres x and z."""
    points = tuple(
        replace(point, x=point.x + by[0], z=point.z + by[1]) if n in numbers else point
        for n, point in enumerate(path.points)
    )
    return replace(path, points=points)


def reshaped(path: Path, numbers: Collection[int], shape: str) -> Path:
    """The path, going on in another shape from some points."""
    points = tuple(
        replace(point, shape=shape, bulge=point.bulge or (_BULGE if shape == "arc" else 0.0)) if n in numbers else point
        for n, point in enumerate(path.points)
    )
    return replace(path, points=points)


def bent(path: Path, number: int, through: Place, snap: bool = False) -> Path:
    """The path with the arc from a point bent so that its middle comes as near to a place as it can."""
    point, end = path.points[number], path.points[(number + 1) % len(path.points)]
    x, z = end.x - point.x, end.z - point.z
    chord = max(float(np.hypot(x, z)), 1e-6)
    off = (through[0] - (point.x + end.x) / 2) * -z + (through[1] - (point.z + end.z) / 2) * x
    bulge = float(np.clip(2.0 * off / chord**2, -_WIDEST, _WIDEST))
    bulge = round(bulge / _SNAP) * _SNAP if snap else bulge
    return replace(path, points=(*path.points[:number], replace(point, bulge=bulge), *path.points[number + 1 :]))


def turned_round(path: Path) -> Path:
    """The same line, walked the other way."""
    backwards = path.points[::-1]
    following = [backwards[(n + 1) % len(backwards)] for n in range(len(backwards))]
    points = tuple(
        replace(point, shape=before.shape, bulge=-before.bulge)
        for point, before in zip(backwards, following, strict=True)
    )
    return replace(path, points=points)
