"""A gesture as a path that can be edited: few points, and a smooth line through them that stays near the gesture."""

import numpy as np

from model.arrays import Array
from model.path import Path

# Nobody draws more exactly with a mouse than this.
TOLERANCE_M = 0.04
_MOST_POINTS = 80
# Points of a gesture are looked at so far apart.
_SPACING_M = 0.05
# A gesture whose ends come so near to each other, and which is that much longer, is a round.
_MEET_M, _ROUND_M = 0.4, 3.0


def fitted(points: Array, tolerance_m: float = TOLERANCE_M) -> Path:
    """The smooth path with few points that stays within the tolerance of a gesture. points : (N, 2) x and z, in order.

    A gesture that comes back to where it began becomes a closed path. Raises ValueError where it stays on the spot.
    """
    line = _spaced(np.asarray(points, dtype=np.float64))
    apart = float(np.hypot(*(line[-1] - line[0])))
    closed = apart < _MEET_M and _SPACING_M * len(line) > _ROUND_M
    if closed:
        line = line[:-1] if apart < _SPACING_M else line
    chosen = [0, len(line) // 3, 2 * len(line) // 3] if closed else [0, len(line) - 1]
    while True:
        path = Path.through(line[chosen], "smooth", closed)
        worst = _worst_between(line, chosen, path, tolerance_m)
        if not worst or len(chosen) >= _MOST_POINTS:
            return path
        chosen = sorted({*chosen, *worst[: _MOST_POINTS - len(chosen)]})


def _spaced(points: Array) -> Array:
    """(M, 2) evenly spaced points along a gesture, its ends among them."""
    steps = np.hypot(*np.diff(points, axis=0).T) if len(points) > 1 else np.zeros(0)
    keep = np.concatenate([[True], steps > 1e-9])
    arc = np.concatenate([[0.0], np.cumsum(steps)])[keep]
    if arc[-1] < 2.0 * _SPACING_M:
        raise ValueError("the gesture stays on the spot; a path needs some way")
    at = np.linspace(0.0, arc[-1], max(3, round(float(arc[-1]) / _SPACING_M) + 1))
    return np.stack([np.interp(at, arc, column) for column in points[keep].T], axis=-1)


def _worst_between(points: Array, chosen: list[int], path: Path, tolerance_m: float) -> list[int]:
    """The numbers of the points (N, 2) that lie farthest off the path, one between each two that it goes through, as
    far as they lie beyond the tolerance; the farthest first.
    """
    from scipy.spatial import cKDTree

    line, found, start = path.line(), [], 0
    ends = [*chosen[1:], len(points)] if path.closed else chosen[1:]
    for first, last in zip(chosen, ends, strict=False):
        goal = points[last % len(points)]
        rest = line[start + 1 :]
        here = np.flatnonzero(np.all(rest == goal, axis=1))
        stop = start + 1 + int(here[0]) if len(here) and last < len(points) else len(line)
        piece = np.concatenate([line[start:stop], goal[None]])
        start = stop
        if last > first + 1:
            far = cKDTree(piece).query(points[first + 1 : last])[0]  # its points are nearer than the tolerance
            if np.max(far) > tolerance_m:
                found.append((float(np.max(far)), first + 1 + int(np.argmax(far))))
    return [number for _, number in sorted(found, reverse=True)]
