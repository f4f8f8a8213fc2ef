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
    while len(chosen) < min(_MOST_POINTS, len(line)):
        path = Path.through(line[chosen], "smooth", closed)
        far = _distances(line, path)
        far[chosen] = 0.0
        worst = int(np.argmax(far))
        if far[worst] <= tolerance_m:
            return path
        chosen = sorted({*chosen, worst})
    return Path.through(line[chosen], "smooth", closed)


def _spaced(points: Array) -> Array:
    """(M, 2) evenly spaced points along a gesture, its ends among them."""
    steps = np.hypot(*np.diff(points, axis=0).T) if len(points) > 1 else np.zeros(0)
    keep = np.concatenate([[True], steps > 1e-9])
    arc = np.concatenate([[0.0], np.cumsum(steps)])[keep]
    if arc[-1] < 2.0 * _SPACING_M:
        raise ValueError("the gesture stays on the spot; a path needs some way")
    at = np.linspace(0.0, arc[-1], max(3, round(float(arc[-1]) / _SPACING_M) + 1))
    return np.stack([np.interp(at, arc, column) for column in points[keep].T], axis=-1)


def _distances(points: Array, path: Path) -> Array:
    """(N,) how far points (N, 2) are from a path's line, each compared with the part of it that it belongs to."""
    line = path.line()
    line = np.concatenate([line, line[:1]]) if path.closed else line
    starts, ends = line[:-1], line[1:]
    along = ends - starts
    # (N, M): where each point falls on each piece, from 0 to 1.
    part = np.einsum("nmk,mk->nm", points[:, None] - starts, along) / np.maximum(np.sum(along * along, axis=1), 1e-12)
    near = starts + np.clip(part, 0.0, 1.0)[..., None] * along
    return np.asarray(np.min(np.linalg.norm(points[:, None] - near, axis=-1), axis=1))
