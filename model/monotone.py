"""Curves through knots that rise and fall only where the knots do, for whatever must not overshoot: speeds, fades."""

import numpy as np

from model.arrays import Array


def ease(x: Array) -> Array:
    """From 0 at x <= 0 to 1 at x >= 1, level at both ends."""
    x = np.clip(x, 0.0, 1.0)
    return np.asarray(x * x * (3.0 - 2.0 * x))


def slope_between(before: Array, after: Array, width_before: Array, width_after: Array) -> Array:
    """The slope at a knot between a segment of slope `before` and one of slope `after`: 0 where they differ in sign.

    All (...). The weighted harmonic mean of Fritsch and Butland 1984, SIAM J. Sci. Stat. Comput. 5, with which cubic
    segments stay between their ends.
    """
    first, second = 2.0 * width_after + width_before, width_after + 2.0 * width_before
    same = before * after > 0.0
    below = np.where(same, first * after + second * before, 1.0)
    return np.where(same, (first + second) * before * after / below, 0.0)


def monotone_spline(knot_times: Array, knots: Array, times: Array) -> Array:
    """The curve through knots at `times`. knot_times : (K,), rising; knots : (K, ...); times : (T,) -> (T, ...).

    Before the first knot and after the last their values are held, and reached without a corner.
    """
    if len(knot_times) == 0 or np.any(np.diff(knot_times) <= 0.0):
        raise ValueError("knot_times must hold at least one knot, and rise")
    if len(knot_times) == 1:
        return np.broadcast_to(knots[0], (len(times), *knots.shape[1:])).astype(np.float64)
    each = (-1, *[1] * (knots.ndim - 1))
    widths = np.diff(knot_times).reshape(each)
    slopes = np.diff(knots, axis=0) / widths
    tangents = np.zeros(knots.shape)
    tangents[1:-1] = slope_between(slopes[:-1], slopes[1:], widths[:-1], widths[1:])
    segment = np.clip(np.searchsorted(knot_times, times, side="right") - 1, 0, len(widths) - 1)
    width = widths[segment]
    u = np.clip((times - knot_times[segment]).reshape(each) / width, 0.0, 1.0)
    v = 1.0 - u
    return np.asarray(
        knots[segment] * ease(v)
        + knots[segment + 1] * ease(u)
        + width * u * v * (v * tangents[segment] - u * tangents[segment + 1])
    )
