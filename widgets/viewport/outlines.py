"""Outlines of rounded parts on a plane: what a painter fills, and what falls on the ground as a shadow.

An ellipsoid with half axes A seen along a direction is an ellipse; the outline of a part is the hull about the two
ellipses of its ends. For a direction d on the plane the ellipse with axes a, b, c reaches p = M d / sqrt(d' M d) with
M = a a' + b b' + c c'; the hull reaches the farther of the two.
"""

import numpy as np

from model.arrays import Array
from widgets.viewport.figure import Solids


def hulls(centres: Array, axes: Array, directions: int) -> Array:
    """Outlines as polygons. centres : (N, 2, 2) of both ends on the plane; axes : (N, 2, 3, 2) the half axes of their
    ellipsoids on the plane -> (N, directions, 2).
    """
    angles = np.arange(directions) * (2.0 * np.pi / directions)
    d = np.stack([np.cos(angles), np.sin(angles)])  # (2, D)
    spread = np.swapaxes(axes, -1, -2) @ axes  # (N, 2, 2, 2)
    reach = spread @ d  # (N, 2, 2, D)
    far = np.sqrt(np.maximum(np.sum(reach * d, axis=-2, keepdims=True), 1e-18))
    points = centres[..., None] + reach / far
    support = np.sum(points * d, axis=-2)  # (N, 2, D)
    first = support[:, :1] >= support[:, 1:]  # (N, 1, D)
    chosen = np.where(first, points[:, 0], points[:, 1])  # (N, 2, D)
    return np.asarray(np.swapaxes(chosen, -1, -2))


def half_axes(solids: Solids) -> Array:
    """(N, 2, 3, 3) the half axes of the ellipsoids at either end: along, across the width, across the depth."""
    along, wide, deep = solids.frames()
    frame = np.stack([along, wide, deep], axis=1)[:, None]  # (N, 1, 3, 3)
    radii = solids.radii
    lengths = np.min(radii, axis=-1, keepdims=True) * solids.shapes[:, 4:6, None]
    sizes = np.concatenate([lengths, radii], axis=-1)
    return np.asarray(frame * sizes[..., None])
