"""How the pelvis rides over the legs: its turns, its sway, and a height at which both legs always reach."""

from dataclasses import dataclass

import numpy as np

from editor.gait.footfalls import UP, Curve, Plan
from editor.gait.legs import SIDEWAYS, Carrier, Leg, stance
from editor.gait.parameters import Gait, measures
from model.arrays import Array
from model.rotation import from_axis_angle, multiply, rotate

AHEAD: Array = np.array([0.0, 0.0, 1.0])
AHEAD.setflags(write=False)

# The height is a spline with a knot for each step; where there are none, knots about this far apart; none nearer.
_KNOT_S, _NEAREST_S = 0.6, 0.15
_ROUNDS = 15
# Feet are farther aside than legs reach from this share of a leg's length on, and hips too low from this on downward.
_FARTHEST, _LOWEST = 0.92, 0.25
OUT_OF_REACH = (
    "the legs do not reach the ground: the gait needs less speed_m_s, turn_rad_s, step_width_m, duty_factor or "
    "asymmetry, more cadence_hz, or slower changes of its speeds"
)
TOO_LOW = "the hips would be too low to walk: the gait needs less crouch_m, bounce_m or give_rad, or a taller body"
# In a walk the pelvis is lowest and highest this much earlier, in steps, than feet are in the middle of things.
_EARLY = 0.075


@dataclass(frozen=True, eq=False)
class Pelvis:
    """Where the pelvis is, (T,) -> (T, 3), and how it is turned, (T,) -> (T, 4)."""

    position: Curve
    rotation: Curve
    heading: Curve

    def carrier(self, hip_offset: Array, turned_out_rad: float) -> Carrier:
        """What the leg hangs on whose hip joint is at `hip_offset` (3,) in the pelvis' frame."""
        return Carrier(
            lambda times: self.position(times) + rotate(self.rotation(times), hip_offset),
            lambda times: self.heading(times) + turned_out_rad,
        )


def wander(seed: tuple[int, ...], times: Array, slow_hz: float = 0.08, fast_hz: float = 0.45) -> Array:
    """(T,) aimless smooth movement of about unit size: sines of random frequency and phase."""
    rng = np.random.default_rng(seed)
    rates, phases = rng.uniform(slow_hz, fast_hz, 5), rng.uniform(0.0, 2.0 * np.pi, 5)
    return np.asarray(np.sum(np.sin(2.0 * np.pi * times[:, None] * rates + phases) * 0.63, axis=-1))


def pelvis_rotation(gait: Gait, plan: Plan, scale: float, times: Array) -> Array:
    """(T, 4) turned about the vertical with the leading leg, listing to the swinging one, a little forward."""
    m, cycle, active = measures(gait, plan.speed(times), scale), plan.cycle(times), plan.activity(times)
    turn = active * m.pelvis_turn_rad * np.sin(np.pi * cycle)
    lists = active * m.pelvis_list_rad * np.cos(np.pi * (cycle + 0.18))
    idle = np.radians(0.6) * (1.0 - active)
    lists = lists + idle * wander((gait.seed, 2), times)
    lists = lists - 0.4 * plan.banking(times)
    tilt = 0.4 * m.lean_rad + np.radians(1.2) * active * np.cos(2.0 * np.pi * (cycle - 0.1))
    level = multiply(from_axis_angle(UP, plan.heading(times) + turn), from_axis_angle(AHEAD, lists))
    return multiply(level, from_axis_angle(SIDEWAYS, tilt))


def _level(gait: Gait, plan: Plan, scale: float, times: Array) -> Array:
    """(T, 3) the pelvis over its way, with sway and bounce about height zero."""
    m, cycle, active = measures(gait, plan.speed(times), scale), plan.cycle(times), plan.activity(times)
    idle = (1.0 - active) * scale
    aside = active * m.sway_m * np.cos(np.pi * cycle) + 0.016 * idle * wander((gait.seed, 3), times, 0.04, 0.25)
    aside = aside + 0.45 * scale * np.tan(plan.banking(times))
    up = 0.5 * active * m.bounce_m * np.cos(2.0 * np.pi * (cycle + _EARLY * (1.0 - m.running)))
    ahead = 0.007 * idle * wander((gait.seed, 4), times)
    moved = rotate(from_axis_angle(UP, plan.heading(times)), np.stack([aside, 0.0 * up, ahead], axis=-1))
    return np.asarray(plan.place(times) + moved + up[:, None] * UP)


def plan_pelvis(gait: Gait, plan: Plan, leg: Leg, hip_offsets: tuple[Array, Array], scale: float) -> Pelvis:
    """The pelvis of a walk, as high as the legs allow with knees bent as the gait asks, less the crouch.

    Raises ValueError where legs cannot reach the ground, or would have no room above it.
    """
    from scipy.interpolate import CubicSpline

    edges = [time for f in plan.footfalls for time in (f.strike_s, f.leave_s) if np.isfinite(time)]
    grid = np.unique(np.concatenate([plan.grid_s[::2], edges]))  # legs reach farthest as feet strike and leave
    level, rotation = _level(gait, plan, scale, grid), pelvis_rotation(gait, plan, scale, grid)
    room = np.full(grid.shape, np.inf)  # how much higher than `level` the pelvis may be
    longest = leg.span(measures(gait, plan.speed(grid), scale).give_rad)
    for footfall in plan.footfalls:
        inside = (grid >= footfall.strike_s) & (grid <= footfall.leave_s)
        hip = level[inside] + rotate(rotation[inside], hip_offsets[0 if footfall.left else 1])
        ankle, _, _ = stance(leg, footfall, grid[inside])
        apart = np.hypot(*(ankle - hip)[:, [0, 2]].T)
        if not np.all(apart < _FARTHEST * longest[inside]):
            raise ValueError(OUT_OF_REACH)
        rise = np.sqrt(np.maximum(longest[inside] ** 2 - apart**2, 0.0))
        room[inside] = np.minimum(room[inside], ankle[:, 1] + rise - hip[:, 1])
    knots = _knots(plan)
    base = CubicSpline(knots, _highest(knots, grid, room) - gait.crouch_m)
    if not np.min(level[:, 1] + base(grid)) > _LOWEST * leg.length_m:
        raise ValueError(TOO_LOW)
    return Pelvis(
        lambda times: _level(gait, plan, scale, times) + base(times)[:, None] * UP,
        lambda times: pelvis_rotation(gait, plan, scale, times),
        plan.heading,
    )


def _knots(plan: Plan) -> Array:
    """Times at which the height is free to differ: one in each step."""
    ends = plan.grid_s[0] - 0.01, plan.grid_s[-1] + 0.01
    steps = sorted({ends[0], ends[1], *(f.middle_s for f in plan.footfalls if ends[0] < f.middle_s < ends[1])})
    knots = [steps[0]]
    for time in steps[1:]:
        if time - knots[-1] > _NEAREST_S:
            pieces = max(1, round((time - knots[-1]) / _KNOT_S))
            knots += np.linspace(knots[-1], time, pieces + 1)[1:].tolist()
    return np.array(knots)


def _highest(knots: Array, grid: Array, room: Array) -> Array:
    """(K,) knots of the spline that touches `room` (T,) from below about once between knots, and never passes it."""
    from scipy.interpolate import CubicSpline

    middles = 0.5 * (knots[1:] + knots[:-1])
    window = np.searchsorted(middles, grid)
    known = np.isfinite(room)
    heights = np.full(knots.shape, np.min(room[known]))
    for turn in range(2 * _ROUNDS):
        left = np.full(knots.shape, np.inf)
        np.minimum.at(left, window[known], (room - CubicSpline(knots, heights)(grid))[known])
        sure = np.isfinite(left)
        left = np.interp(knots, knots[sure], left[sure])
        # Rise where there is room and sink where there is none; in the end only sink.
        heights = heights + np.where(left < 0.0, 1.0, 0.5 if turn < _ROUNDS else 0.0) * left
    return heights
