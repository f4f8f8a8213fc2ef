"""Shapes for handles of tools, as points in the world: rings, arcs, sectors, arrow heads, squares."""

import numpy as np

from model.arrays import Array
from widgets.viewport.camera import Camera, Size
from widgets.viewport.scene import Fills, Lines


def metres_at(position: Array, pixels: float, camera: Camera, size: Size) -> float:
    """How long something at (3,) must be, across the view, to be so many pixels long."""
    depth = max(float((position - camera.eye) @ -camera.axes[2]), camera.near_m)
    return pixels / float(camera.pixels_per_metre(depth, size))


def plane_axes(normal: Array) -> tuple[Array, Array]:
    """Two unit vectors (3,) that make a right-handed frame with a unit normal (3,)."""
    first = np.cross(np.eye(3)[int(np.argmin(np.abs(normal)))], normal)
    first = first / np.linalg.norm(first)
    return first, np.cross(normal, first)


def arc(centre: Array, start: Array, normal: Array, angle_rad: float, corners: int = 64) -> Array:
    """(P, 3) an arc about `centre` from centre + start, turned about the unit `normal`; the start is square to it.

    corners : of a whole turn; a whole turn comes back to where it began.
    """
    count = max(int(np.ceil(corners * min(abs(angle_rad) / (2.0 * np.pi), 1.0))), 1) + 1
    turns = np.linspace(0.0, angle_rad, count)[:, None]
    return np.asarray(centre + np.cos(turns) * start + np.sin(turns) * np.cross(normal, start))


def ring(centre: Array, normal: Array, radius_m: float, corners: int = 64) -> Array:
    """(P, 3) a whole circle."""
    return arc(centre, radius_m * plane_axes(normal)[0], normal, 2.0 * np.pi, corners)


def square(centre: Array, half_px: float, camera: Camera, size: Size) -> Array:
    """(4, 3) a square that faces the camera."""
    half = metres_at(centre, half_px, camera, size)
    right, up = half * camera.axes[0], half * camera.axes[1]
    return np.stack([centre - right - up, centre + right - up, centre + right + up, centre - right + up])


def arrow_head(tip: Array, way: Array, length_px: float, camera: Camera, size: Size) -> Array:
    """(3, 3) a triangle at the end of an arrow along `way`, turned to the camera."""
    ahead = way / max(float(np.linalg.norm(way)), 1e-9)
    aside = np.cross(ahead, camera.eye - tip)
    aside = aside / max(float(np.linalg.norm(aside)), 1e-9)
    length = metres_at(tip, length_px, camera, size)
    return np.stack([tip, tip - length * (ahead + 0.4 * aside), tip - length * (ahead - 0.4 * aside)])


def polyline(points: Array, colours: Array, width_px: float) -> Lines:
    """Lines from each point (P, 3) to the next. colours : (4,), or (P, 4) a point."""
    painted = np.broadcast_to(colours, (len(points), 4))[:-1]
    return Lines(points[:-1], points[1:], np.array(painted), np.full(len(points) - 1, width_px))


def outline(points: Array, colour: Array, width_px: float) -> Lines:
    """Lines about a shape (P, 3), back to its first point."""
    return polyline(np.concatenate([points, points[:1]]), colour, width_px)


def filled(points: Array, colour: Array) -> Fills:
    """A shape (P, 3), filled with (4,). A sector is its centre and an arc."""
    return Fills((points,), colour[None])
