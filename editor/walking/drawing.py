"""Paths from a hand that draws, and from clips: points smoothed as they come. Kim and Neff 2011, section 4."""

import numpy as np

from model.arrays import Array
from model.clip import Take
from model.motion import Motion
from model.path import Path
from model.placing import pelvis_positions

# So many of the last points are averaged, by a Gaussian of width one.
_POINTS = 7
_WEIGHTS = np.exp(-0.5 * np.arange(_POINTS) ** 2)
# Points of a hand that rests are one; a path from a clip has points this far apart.
_REST_M = 0.01
_SPACING_M = 0.1
# The sway of a body evens out over this time.
_SWAY_S = 1.0


class OnlineFilter:
    """Smooths points one by one: each new one becomes the mean of the last few, all of which were smoothed before."""

    def __init__(self) -> None:
        self._points: list[Array] = []

    def add(self, x: float, z: float) -> Array:
        """(2,) the new point, smoothed."""
        latest = [np.array([x, z]), *self._points[:-_POINTS:-1]]
        weights = _WEIGHTS[: len(latest)]
        point = np.asarray(weights @ np.stack(latest) / np.sum(weights))
        self._points.append(point)
        return point

    @property
    def points(self) -> Array:
        """(N, 2) all points so far."""
        return np.array(self._points).reshape(-1, 2)


def drawn_path(points: Array, closed: bool = False) -> Path:
    """The path that a hand drew. points : (N, 2) x and z of its gesture, in order; it ends where the hand did.

    Raises ValueError for a gesture that stays on the spot.
    """
    kept = [points[0]] if len(points) else []
    for point in points[1:]:
        if np.hypot(*(point - kept[-1])) >= _REST_M:
            kept.append(point)
    if len(kept) < 2:
        raise ValueError("the gesture stays on the spot; a path needs some way")
    line = OnlineFilter()
    for x, z in kept:
        line.add(float(x), float(z))
    return Path.through(np.concatenate([line.points[:-1], points[-1:]]), closed=closed)


def path_of_clip(take: Take) -> Path:
    """The way of a clip's body over the floor, without its sway. Raises ValueError where it stays on the spot."""
    from scipy.ndimage import uniform_filter1d

    motion = take.motion
    way = pelvis_positions(motion)[:, [0, 2]]
    width = max(1, min(round(_SWAY_S / motion.frame_time_s), motion.frames))
    way = uniform_filter1d(way, width, axis=0, mode="nearest") if motion.frames else way
    arc = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(way, axis=0).T))])
    if arc[-1] < 2.0 * _SPACING_M:
        raise ValueError("the clip stays on the spot; it has no path")
    at = np.linspace(0.0, arc[-1], max(3, round(float(arc[-1]) / _SPACING_M)))
    rising = np.concatenate([[True], np.diff(arc) > 1e-9])
    return Path.through(np.stack([np.interp(at, arc[rising], column[rising]) for column in way.T], axis=-1), "smooth")


def travels(motion: Motion) -> bool:
    """Whether a body gets anywhere: more than a step's length."""
    if not motion.frames:
        return False
    way = pelvis_positions(motion)[:, [0, 2]]
    return bool(np.hypot(*np.ptp(way, axis=0)) > 1.0)
