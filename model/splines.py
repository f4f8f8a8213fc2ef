"""Smooth curves through sparse knots, for vectors and for rotations.

Cubic Bezier segments between knots, tangents from the two neighbours as if knots were evenly spaced,
end values repeated; for rotations the same curve by recursive slerp. Coleman 2012, section 6.3.2.
"""

import numpy as np

from model.arrays import Array, IntArray
from model.rotation import conjugate, from_rotation_vector, multiply, slerp, to_rotation_vector, unroll


def _segments(knot_times: Array, times: Array) -> tuple[IntArray, Array]:
    """The segment in which each time lies, and how far through it in [0, 1]; ends are held."""
    if knot_times.ndim != 1 or len(knot_times) == 0:
        raise ValueError("knot_times must hold at least one knot")
    if np.any(np.diff(knot_times) <= 0.0):
        raise ValueError("knot_times must rise")
    last = max(len(knot_times) - 2, 0)
    segment = np.clip(np.searchsorted(knot_times, times, side="right") - 1, 0, last)
    following = np.minimum(segment + 1, len(knot_times) - 1)
    width = knot_times[following] - knot_times[segment]
    part = (times - knot_times[segment]) / np.where(width > 0.0, width, 1.0)
    return segment, np.clip(part, 0.0, 1.0)


def vector_spline(knot_times: Array, knots: Array, times: Array) -> Array:
    """The curve through `knots` at `times`. knot_times : (K,), knots : (K, ...), times : (T,) -> (T, ...).

    Before the first knot and after the last their values are held.
    """
    segment, part = _segments(knot_times, times)
    last = len(knot_times) - 1
    before, start, end, after = (knots[np.clip(segment + shift, 0, last)] for shift in (-1, 0, 1, 2))
    u = part.reshape(-1, *[1] * (knots.ndim - 1))
    v = 1.0 - u
    first = start + (end - before) / 6.0
    second = end - (after - start) / 6.0
    return np.asarray(v * v * v * start + 3 * v * v * u * first + 3 * v * u * u * second + u * u * u * end)


def rotation_spline(knot_times: Array, knots: Array, times: Array) -> Array:
    """The curve through rotations. knot_times : (K,), knots : (K, ..., 4), times : (T,) -> (T, ..., 4).

    De Casteljau's construction with slerp in place of straight lines (Shoemake 1985).
    """
    segment, part = _segments(knot_times, times)
    last = len(knot_times) - 1
    knots = unroll(knots)
    before, start, end, after = (knots[np.clip(segment + shift, 0, last)] for shift in (-1, 0, 1, 2))
    # The turn over two segments is told by its two parts: together they may pass half a turn.
    into, across, out = (
        to_rotation_vector(multiply(later, conjugate(earlier)))
        for earlier, later in ((before, start), (start, end), (end, after))
    )
    first = multiply(from_rotation_vector((into + across) / 6.0), start)
    second = multiply(from_rotation_vector(-(across + out) / 6.0), end)
    return bezier_rotation(start, first, second, end, part.reshape(-1, *[1] * (knots.ndim - 2)))


def bezier_rotation(
    start: Array, first: Array, second: Array, end: Array, t: Array | float, short: bool = True
) -> Array:
    """A cubic Bezier curve of rotations by recursive slerp. Controls : (..., 4), t : (...) in [0, 1]; short : as of
    `slerp`.
    """
    pairs = ((start, first), (first, second), (second, end))
    a, b, c = (slerp(one, other, t, short) for one, other in pairs)
    return slerp(slerp(a, b, t, short), slerp(b, c, t, short), t, short)
