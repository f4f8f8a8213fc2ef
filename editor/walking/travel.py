"""How far along the path a walk is: strides shorten where it bends, and it slows where it would be flung out.

Stride scale: 1 % less for every 0.2 degrees between headings 0.1 m apart, down to a half (Kim and Neff 2011, section
7.2). Below that only where a step would turn the body too far.
"""

from dataclasses import dataclass

import numpy as np

from editor.walking.curve import Curve
from editor.walking.rounding import LATERAL_M_S2
from model.arrays import Array
from model.smoothing import smoothed

_SAMPLE_M = 0.1
_LESS_PER_DEG, _LEAST_SCALE = 0.05, 0.5
# One step turns the body by no more than this, and strides get no shorter than that.
_STEP_TURN_RAD, _SHORTEST_SCALE = np.radians(60.0), 0.2
# What is needed to slow down is taken from strides to this share, and the rest from the pace, down to that.
_STRIDE_SHARE, _SLOWEST_PACE = 0.6, 0.6
# Nobody brakes or speeds up harder than this for a bend, m/s^2.
_BRAKING_M_S2 = 2.5
# No step climbs or falls by more than this where shorter ones help, down to this share; slopes are read over that much.
_CLIMB_M, _SHORTEST_CLIMB, _CLIMB_OVER_M = 0.2, 0.4, 0.5
# Strides change over about this length at least, and about a step.
_CHANGE_M = 0.8
_SPACING_M = 0.02


@dataclass(frozen=True, eq=False)
class Travel:
    """What becomes of a straight way on a path. arc_m : (N,) metres along the path; straight_m : (N,) of the straight
    way that end there, both rising; scales : (N,) strides there over the loop's own; paces : (N,) likewise of time.
    """

    arc_m: Array
    straight_m: Array
    scales: Array
    paces: Array

    def arc_at(self, straight_m: Array) -> Array:
        """(...) metres along the path at metres of the straight way (...), straight on beyond the table."""
        return hermite(self.straight_m, self.arc_m, self.scales, straight_m)

    def straight_at(self, arc_m: Array) -> Array:
        """(...) the inverse of `arc_at`."""
        return hermite(self.arc_m, self.straight_m, 1.0 / self.scales, arc_m)

    def stretched(self, factor: float) -> "Travel":
        """The same way with all strides longer by a factor."""
        return Travel(self.arc_m, self.straight_m / factor, self.scales * factor, self.paces)

    def scales_at(self, arc_m: Array) -> Array:
        return np.asarray(np.interp(arc_m, self.arc_m, self.scales))

    def paces_at(self, arc_m: Array) -> Array:
        return np.asarray(np.interp(arc_m, self.arc_m, self.paces))


def stride_scales(curve: Curve, arc_m: Array) -> Array:
    """(...) how long strides are on the path, as a share of the loop's own, by the rule of section 7.2."""
    half = 0.5 * _SAMPLE_M
    bend_deg = np.degrees(np.abs(curve.headings(arc_m + half) - curve.headings(arc_m - half)))
    return np.asarray(np.maximum(1.0 - _LESS_PER_DEG * bend_deg, _LEAST_SCALE))


def plan_travel(curve: Curve, speeds_m_s: Array, steps_m: Array, factors: Array, arc_m: Array, others: Array) -> Travel:
    """How the straight way lies on the path.

    speeds_m_s, steps_m, factors : (N,) the style's speed and length of a step, and how much faster or slower the user
    wants it, at arc_m (N,), evenly spaced; others : (N,) how much shorter strides are for other reasons.
    """
    bends = np.abs(curve.curvatures(arc_m))
    scales = stride_scales(curve, arc_m)
    too_fast = np.sqrt(LATERAL_M_S2 / np.maximum(bends, 1e-6)) / np.maximum(speeds_m_s * scales * factors, 1e-6)
    slower = factors * np.minimum(too_fast, 1.0)
    faster = np.maximum(slower, 1.0)
    scales = scales * np.where(slower > 1.0, faster**0.5, slower**_STRIDE_SHARE)
    paces = np.where(slower > 1.0, faster**0.5, np.maximum(slower ** (1.0 - _STRIDE_SHARE), _SLOWEST_PACE))
    scales = np.minimum(scales, _STEP_TURN_RAD / np.maximum(bends * steps_m, 1e-6))
    scales = np.maximum(scales, _SHORTEST_SCALE)
    braked = _braked(scales * paces, speeds_m_s, arc_m) / (scales * paces)
    scales, paces = scales * braked**_STRIDE_SHARE, paces * braked ** (1.0 - _STRIDE_SHARE)
    window = max(_CHANGE_M, 1.1 * float(np.max(steps_m))) / _SPACING_M
    scales, paces = (_eased(one, window) for one in (scales, paces))
    scales = scales * others
    inverse = 1.0 / scales
    steps = 0.5 * (inverse[1:] + inverse[:-1]) * np.diff(arc_m)
    straight = np.concatenate([[0.0], np.cumsum(steps)])
    straight = straight - np.interp(0.0, arc_m, straight)
    return Travel(arc_m, straight, scales, paces)


def climbing_scales(heights_m: Array, steps_m: Array) -> Array:
    """(N,) how long strides may be for no step to climb or fall too far. heights_m : (N,) of the ground at the places
    of `samples`; steps_m : (N,) the length of a step.
    """
    from scipy.ndimage import maximum_filter1d, minimum_filter1d

    width = 2 * int(0.5 * _CLIMB_OVER_M / _SPACING_M) + 1
    rises = maximum_filter1d(heights_m, width, mode="nearest") - minimum_filter1d(heights_m, width, mode="nearest")
    scales = _CLIMB_M / np.maximum(rises / _CLIMB_OVER_M * steps_m, 1e-6)
    return _eased(np.clip(scales, _SHORTEST_CLIMB, 1.0), _CHANGE_M / _SPACING_M)


def _braked(shares: Array, speeds_m_s: Array, arc_m: Array) -> Array:
    """(N,) shares (N,) of speeds (N,), lowered so that nobody brakes or speeds up harder than people do.

    The square of the speed changes by no more than twice the acceleration in a metre.
    """
    steps = np.diff(arc_m) * 2.0 * _BRAKING_M_S2 / np.square(np.maximum(speeds_m_s[1:], 1e-6))
    allowed = np.concatenate([[0.0], np.cumsum(steps)])
    squares = np.square(shares)
    ahead = np.minimum.accumulate(squares - allowed) + allowed
    back = np.minimum.accumulate((squares + allowed)[::-1])[::-1] - allowed
    return np.asarray(np.sqrt(np.minimum(ahead, back)))


def _eased(values: Array, window: float) -> Array:
    """(N,) what is no higher than values (N,) and changes over so many of them: who slows down does so before."""
    from scipy.ndimage import minimum_filter1d

    low = minimum_filter1d(values, 2 * int(0.15 * window) + 1, mode="nearest")
    return smoothed(low[:, None], window)[:, 0]


def samples(curve: Curve, margin_m: float) -> Array:
    """(N,) places along a path at which to plan, from before its start to behind its end."""
    count = int(np.ceil((curve.length_m + 2.0 * margin_m) / _SPACING_M)) + 1
    return np.linspace(-margin_m, curve.length_m + margin_m, count)


def hermite(x: Array, y: Array, slopes: Array, at: Array) -> Array:
    """(...) the cubic curve through knots (N,) with these slopes (N,), straight on beyond both ends."""
    at = np.asarray(at, dtype=np.float64)
    n = np.clip(np.searchsorted(x, at, side="right") - 1, 0, len(x) - 2)
    width = x[n + 1] - x[n]
    u = np.clip((at - x[n]) / width, 0.0, 1.0)
    v = 1.0 - u
    inside = (
        v * v * (1.0 + 2.0 * u) * y[n]
        + u * u * (1.0 + 2.0 * v) * y[n + 1]
        + width * u * v * (v * slopes[n] - u * slopes[n + 1])
    )
    beyond = np.minimum(at - x[0], 0.0) * slopes[0] + np.maximum(at - x[-1], 0.0) * slopes[-1]
    return np.asarray(inside + beyond)
