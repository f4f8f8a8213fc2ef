"""What a hand does to a walk's path, its styles and the ground while it drags: it sees the document as it would be."""

from collections.abc import Callable, Sequence

import numpy as np

from editor.document.document import Document
from editor.ground.commands import add_ground_object, change_ground_object
from editor.ground.shaping import drawn_up
from editor.walking.commands import move_walk_style, set_walk_path
from editor.walking.path_shaping import bent, with_points_moved
from editor.walking.track import Place, Track
from model.ground import ObjectName, moved
from model.path import Path
from widgets.walking.path_hits import Band

# Told where the hand is, and whether it snaps to round values. Raises ValueError where it cannot be.
PathDrag = Callable[[Place, bool], None]
_SNAP_M = 0.25


def moving_points(document: Document, clip: str, before: Path, chosen: Sequence[int], start: Place) -> PathDrag:
    what = f"Move point {chosen[0] + 1}" if len(chosen) == 1 else f"Move {len(chosen)} points"

    def move(place: Place, snap: bool) -> None:
        by = np.array(place) - start
        if snap:
            first = before.x_z[chosen[0]]
            by = np.round((first + by) / _SNAP_M) * _SNAP_M - first
        path = with_points_moved(before, chosen, (float(by[0]), float(by[1])))
        document.preview(set_walk_path, clip, path, what)

    return move


def bending(document: Document, clip: str, before: Path, number: int) -> PathDrag:
    """Bends the arc that begins at a point."""

    def move(place: Place, snap: bool) -> None:
        document.preview(set_walk_path, clip, bent(before, number, place, snap), "Bend the path")

    return move


def moving_border(document: Document, clip: str, track: Track, bands: Sequence[Band], number: int) -> PathDrag:
    """Moves where a style begins, as far as its neighbours let it."""
    low, high = bands[number - 1].from_m, bands[number].to_m

    def move(place: Place, snap: bool) -> None:
        at_m, _ = track.nearest(place)
        at_m = round(at_m / _SNAP_M) * _SNAP_M if snap else at_m
        document.preview(move_walk_style, clip, number, float(np.clip(at_m, low, high)))

    return move


def moving_object(document: Document, name: ObjectName, start: Place) -> PathDrag:
    before = document.project.ground.object(name)

    def move(place: Place, snap: bool) -> None:
        by = np.array(place) - start
        by = np.round(by / _SNAP_M) * _SNAP_M if snap else by
        document.preview(change_ground_object, name, moved(before, float(by[0]), float(by[1])))

    return move


def putting_down(document: Document, kind: str, start: Place, heading_rad: float) -> PathDrag:
    """Draws an object up from a place; where the hand stays there, one of usual size along a direction."""

    def move(place: Place, snap: bool) -> None:
        document.preview(add_ground_object, drawn_up(kind, start, place, heading_rad, snap))

    return move
