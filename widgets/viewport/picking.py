"""Which joint is under the mouse: a ray against the parts and joints of a figure, all at once in numpy; and how far
handles are from it on the screen."""

import numpy as np

from model.arrays import Array
from model.skeleton import JointRef
from widgets.viewport.camera import Camera, Size
from widgets.viewport.figure import Solids

_REACH_PX = 9.0  # a joint is hit this near to it
_BEHIND_M = 0.12  # joints this far behind what is seen still count: they are inside of it


def hit_distances(solids: Solids, origin: Array, direction: Array) -> Array:
    """(N,) how far along a ray each part is hit; infinite where it is missed. direction : (3,) unit.

    A part is hit where the ray passes its middle line within the ellipse that it has there.
    """
    along = solids.ends - solids.starts
    away = solids.starts - origin
    # The nearest points of a line and a segment, in closed form.
    a, b, c = np.sum(along * along, axis=-1), along @ direction, np.sum(along * away, axis=-1)
    denominator = a - b * b
    share = np.where(denominator > 1e-12, (b * (away @ direction) - c) / np.maximum(denominator, 1e-12), 0.5)
    share = np.clip(share, 0.0, 1.0)
    middles = solids.starts + share[:, None] * along
    distances = (middles - origin) @ direction
    offsets = origin + distances[:, None] * direction - middles
    radii = (1.0 - share[:, None]) * solids.radii[:, 0] + share[:, None] * solids.radii[:, 1]
    axes = solids.frames()
    sizes = np.stack([np.min(radii, axis=-1), radii[:, 0], radii[:, 1]])
    inside = sum((np.sum(offsets * axis, axis=-1) / size) ** 2 for axis, size in zip(axes, sizes, strict=True))
    return np.where((inside <= 1.0) & (distances > 0.0), distances, np.inf)


def pick(solids: Solids, joints: Array, camera: Camera, pixel: tuple[float, float], size: Size) -> int | None:
    """The joint under a pixel: the nearest one close by, else the one that moves the part there; None for neither.

    joints : (J, 3) of the figure whose parts can be picked.
    """
    if not len(joints):
        return None
    origin, direction = camera.ray(pixel, size)
    hits = hit_distances(solids, origin, direction)
    front = int(np.argmin(hits)) if len(hits) else -1
    seen_m = float(hits[front]) if front >= 0 else np.inf
    pixels, depths = camera.project(joints, size)
    # Parts of a figure that cannot be picked hide what is behind them.
    reachable = (depths > camera.near_m) & ((joints - origin) @ direction < seen_m + _BEHIND_M)
    away = np.where(reachable, np.linalg.norm(pixels - np.array(pixel), axis=-1), np.inf)
    nearest = int(np.argmin(away))
    if away[nearest] <= _REACH_PX:
        return nearest
    if np.isfinite(seen_m) and solids.joints[front] >= 0:
        return int(solids.joints[front])
    return None


def points_px(points: Array, camera: Camera, pixel: tuple[float, float], size: Size) -> Array:
    """(N,) how many pixels each of the points (N, 3) is from a pixel; infinite behind the camera."""
    pixels, depths = camera.project(points, size)
    away = np.linalg.norm(pixels - np.array(pixel), axis=-1)
    return np.where(depths > camera.near_m, away, np.inf)


def polyline_px(points: Array, camera: Camera, pixel: tuple[float, float], size: Size) -> Array:
    """(P - 1,) how many pixels each line from a point (P, 3) to the next is from a pixel; infinite where an end of it
    is behind the camera. The least is the distance of the whole; its place tells where along it the mouse is.
    """
    pixels, depths = camera.project(points, size)
    starts, along = pixels[:-1], np.diff(pixels, axis=0)
    away = np.array(pixel) - starts
    lengths = np.maximum(np.sum(along * along, axis=-1), 1e-12)
    share = np.clip(np.sum(away * along, axis=-1) / lengths, 0.0, 1.0)
    distances = np.linalg.norm(away - share[:, None] * along, axis=-1)
    return np.where(np.minimum(depths[:-1], depths[1:]) > camera.near_m, distances, np.inf)


def selection_after(joints: tuple[JointRef, ...], clicked: JointRef | None, adding: bool) -> tuple[JointRef, ...]:
    """What is selected after a click on a joint, or on none. adding : to what is selected; once more takes it away."""
    if clicked is None:
        return joints if adding else ()
    if not adding:
        return (clicked,)
    if clicked in joints:
        return tuple(one for one in joints if one != clicked)
    return (*joints, clicked)
