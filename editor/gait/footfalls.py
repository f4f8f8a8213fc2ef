"""Where and when feet come down: the way travelled, the phase of the steps along it, and every stance of every foot.

Time is continuous here; frames come later. Phase counts steps: where it is n the body is above foot n, even ones being
left, which has struck a duty factor before and leaves a duty factor later.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from editor.gait.parameters import GRAVITY_M_S2, Gait, Measures, measures, smoothstep
from model.arrays import Array
from model.rotation import from_axis_angle, rotate

Curve = Callable[[Array], Array]

UP: Array = np.array([0.0, 1.0, 0.0])
UP.setflags(write=False)

# The plan is made on this grid, from so many seconds, and steps, before the clip to as many after it.
_GRID_S, _MARGIN_S, _MARGIN_STEPS = 0.005, 3.0, 3.0
# How many steps a resting body sets off before it is above its first foot, and rests after the last but one.
_START_PHASE, _STOP_PHASE = 1.65, 0.25
# The last step before a rest brings the feet together, sooner than others.
_CLOSING_PHASE = 0.2
# The phase at time zero of a body that moves already.
_FIRST_PHASE = -0.3
# A body shifts its weight this long before it sets off, and settles so long after it has stopped.
_SHIFT_S, _SETTLE_S = 0.45, 0.6
# How much farther back feet are put for each m/s^2 of acceleration, and forward in braking, up to so many m/s^2.
_BRAKING_M, _MOST_BRAKING_M_S2 = 0.02, 6.0
# Variation repeats itself after so many steps.
_PERIOD = 512


@dataclass(frozen=True, eq=False)
class Footfall:
    """One stance of a foot: on the ground in [strike_s, leave_s], infinite where it stands from or for ever.

    middle_s : when the body is above it, any time where it stands for ever; position : (3,) on the ground, below the
    ankle of the flat foot; roll_s : how long a stance usually takes at this speed, which times the rolling of the foot;
    measures : of the gait at this step.
    """

    left: bool
    strike_s: float
    middle_s: float
    leave_s: float
    position: Array
    yaw_rad: float
    roll_s: float
    measures: Measures


@dataclass(frozen=True, eq=False)
class Plan:
    """A way and its footfalls, in order of time. Curves take times (T,) and give (T,) or (T, 3).

    speed : m/s; activity : 1 moving, 0 standing; cycle : the phase;
    place : on the ground below the pelvis, without sway; banking : how far a body leans into its turn, to the left
    positive; grid_s : times dense enough to see everything that happens.
    """

    speed: Curve
    activity: Curve
    cycle: Curve
    place: Curve
    heading: Curve
    banking: Curve
    footfalls: tuple[Footfall, ...]
    grid_s: Array


@dataclass(frozen=True, eq=False)
class _Span:
    """A time in which the body moves, from rest (or for ever) to rest (or for ever), and the phase of its steps.

    first, last : numbers of the first strike and of the last; phases : on the grid, at all times.
    """

    start_s: float
    stop_s: float
    first: int
    last: int
    phases: Array


def speed_at(gait: Gait, times: Array) -> Array:
    """The speed wanted, (T,) m/s, with two continuous derivatives."""
    if not gait.speeds:
        return np.full(times.shape, gait.speed_m_s)
    speed = np.full(times.shape, gait.speeds[0][1])
    for (start, before), (stop, after) in pairwise(gait.speeds):
        speed = speed + (after - before) * smoothstep(times, start, stop)
    return speed


def acceleration_at(gait: Gait, times: Array) -> Array:
    """The change of that speed, (T,) m/s^2."""
    step_s = 1e-3
    return np.asarray((speed_at(gait, times + step_s) - speed_at(gait, times - step_s)) / (2.0 * step_s))


def plan_walk(gait: Gait, seconds: float, turn_rad_s: float, scale: float) -> Plan:
    """The way and the footfalls of a gait. scale : length of the legs over those of a man of 1.75 m."""
    from scipy.integrate import cumulative_simpson
    from scipy.interpolate import CubicSpline

    zero = round(_margin_s(gait, scale) / _GRID_S)
    count = round(seconds / _GRID_S) + 2 * zero + 1
    grid = np.asarray(np.arange(count) * _GRID_S - zero * _GRID_S, dtype=np.float64)

    def integral(rates: Array) -> Array:
        total = np.asarray(cumulative_simpson(rates, dx=_GRID_S, initial=0.0))
        return np.asarray(total - total[zero])

    speeds, heading = speed_at(gait, grid), turn_rad_s * grid
    x, z = integral(speeds * np.sin(heading)), integral(speeds * np.cos(heading))
    place = CubicSpline(grid, np.stack([x, np.zeros_like(x), z], axis=-1))
    spans = _spans(gait, grid, integral(measures(gait, speeds, scale).cadence_hz))
    cycles = [CubicSpline(grid, span.phases) for span in spans]

    def cycle(times: Array) -> Array:
        counts = np.zeros(times.shape)
        for n, (span, curve) in enumerate(zip(spans, cycles, strict=True)):
            begins = 0.5 * (spans[n - 1].stop_s + span.start_s) if n else -math.inf
            counts = np.where(times >= begins, curve(times), counts)
        return counts

    return Plan(
        speed=lambda times: speed_at(gait, times),
        activity=lambda times: _activity(gait, times),
        cycle=cycle,
        place=lambda times: np.asarray(place(times)),
        heading=lambda times: np.asarray(turn_rad_s * times),
        banking=lambda times: np.arctan(turn_rad_s * speed_at(gait, times) / GRAVITY_M_S2),
        footfalls=_footfalls(gait, spans, grid, place, turn_rad_s, scale),
        grid_s=grid,
    )


def _margin_s(gait: Gait, scale: float) -> float:
    """For how long the plan goes on before and after the clip: as long as the slowest of its steps need."""
    speeds = [gait.speed_m_s, *(speed for _, speed in gait.speeds)]
    slowest_hz = float(np.min(measures(gait, np.array(speeds), scale).cadence_hz))
    return max(_MARGIN_S, _MARGIN_STEPS / slowest_hz)


def _rests(gait: Gait) -> list[tuple[float, float]]:
    """The times [start, stop] in which the body stands."""
    knots = gait.speeds or ((0.0, gait.speed_m_s),)
    held = [(-math.inf, knots[0][1]), *knots, (math.inf, knots[-1][1])]
    rests: list[tuple[float, float]] = []
    for (start, before), (stop, after) in pairwise(held):
        if before == after == 0.0:
            rests.append((rests.pop()[0], stop) if rests and rests[-1][1] == start else (start, stop))
    return rests


def _activity(gait: Gait, times: Array) -> Array:
    """(T,) 1 where the body moves, 0 where it stands."""
    active = np.ones(times.shape)
    for start, stop in _rests(gait):
        settled = smoothstep(times, start - 0.1, start + _SETTLE_S) if math.isfinite(start) else 1.0
        leaving = smoothstep(times, stop - _SHIFT_S, stop + 0.1) if math.isfinite(stop) else 0.0
        active = active - settled * (1.0 - leaving)
    return active


def _spans(gait: Gait, grid: Array, steps: Array) -> list[_Span]:
    """The times in which the body moves, with phases that begin and end as steps from and to rest do.

    steps : number of steps since time zero at the cadence of the moment, on the grid.
    """
    rests = _rests(gait)
    edges = [-math.inf, *(edge for rest in rests for edge in rest), math.inf]
    jitter = _jitter(gait)
    spans: list[_Span] = []
    for start, stop in zip(edges[::2], edges[1::2], strict=True):
        if start == stop:  # the body rests from or for ever
            continue
        first = spans[-1].last + 1 if spans else 0
        phases = steps + _FIRST_PHASE
        if math.isfinite(start):
            phases = first - _START_PHASE + steps - np.interp(start, grid, steps)
        last = int(phases[-1]) + 1
        if math.isfinite(stop):
            stops = float(np.interp(stop, grid, phases))
            last = max(round(stops - _STOP_PHASE), first) + 1
            wanted = last - 1 + _STOP_PHASE
            if math.isfinite(start):  # a whole number of steps, by stepping a little faster or slower
                begins = first - _START_PHASE
                phases = begins + (phases - begins) * (wanted - begins) / (stops - begins)
            else:
                phases = phases + wanted - stops
        if not math.isfinite(start):
            first = math.floor(phases[0]) - 1
        spans.append(_Span(start, stop, first, last, phases + jitter(phases)))
    return spans


def _jitter(gait: Gait) -> Curve:
    """How much earlier or later than planned steps come, as a smooth function of phase, in steps."""
    from scipy.interpolate import CubicSpline

    early = 0.45 * gait.variation * np.random.default_rng([gait.seed, 0]).standard_normal(_PERIOD + 1)
    early[-1] = early[0]
    spline = CubicSpline(np.arange(_PERIOD + 1), early, bc_type="periodic", extrapolate="periodic")
    return lambda phases: np.asarray(spline(phases))


def _footfalls(
    gait: Gait, spans: list[_Span], grid: Array, place: Curve, turn_rad_s: float, scale: float
) -> tuple[Footfall, ...]:
    """Every stance, from some steps before the clip to some after it."""
    if not spans:
        return tuple(_footfall(gait, n, (-math.inf, 0.0, math.inf), place, turn_rad_s, scale) for n in (0, 1))

    def duty_near(span: _Span, phase: float) -> float:
        """The duty factor where feet strike or leave, not where the body is above them: speed may change."""
        speed = speed_at(gait, np.array(_time_of(span, grid, phase)))
        return float(measures(gait, speed, scale).duty_factor)

    footfalls = []
    for span, following in zip(spans, [*spans[1:], None], strict=True):
        from_rest, to_rest = math.isfinite(span.start_s), math.isfinite(span.stop_s)
        # The two feet that stand before the first step of all; later steps from rest take over the last two.
        standing = 2 if from_rest and span is spans[0] else 0
        for n in range(span.first - standing, span.last + 1):
            stands = n < span.first
            middle = span.start_s if stands else _time_of(span, grid, n)
            closing = _CLOSING_PHASE if to_rest and n == span.last else 0.0
            strike = -math.inf
            if not stands:
                strike = _time_of(span, grid, n - duty_near(span, n - 0.5) + _late(gait, n) - closing)
            leaving = following if to_rest and n >= span.last - 1 else span
            leave = math.inf
            if leaving is not None:
                leave = _time_of(leaving, grid, n + duty_near(leaving, n + 0.5) + _late(gait, n, leaving=True))
            if strike != grid[0] and leave != grid[-1]:  # steps that the plan holds whole
                footfalls.append(_footfall(gait, n, (strike, middle, leave), place, turn_rad_s, scale))
    return tuple(footfalls)


def _time_of(span: _Span, grid: Array, phase: float) -> float:
    return float(np.interp(phase, span.phases, grid))


def _late(gait: Gait, n: int, leaving: bool = False) -> float:
    """How much later than evenly, in steps, a foot strikes or leaves where one leg is spared.

    The foot of the spared leg is taken off early, the other put down early for it.
    """
    spared = (gait.asymmetry > 0.0) == (n % 2 == 0)
    amount = abs(gait.asymmetry)
    if leaving:
        return -0.2 * amount if spared else 0.06 * amount
    return 0.04 * amount if spared else -0.14 * amount


def _footfall(
    gait: Gait, n: int, times_s: tuple[float, float, float], place: Curve, turn_rad_s: float, scale: float
) -> Footfall:
    """Stance n, given when it begins, when the body is above it, and when it ends."""
    strike, middle, leave = times_s
    left = n % 2 == 0
    speed = speed_at(gait, np.array(middle))
    pace = measures(gait, speed, scale)
    noise = gait.variation * scale * np.random.default_rng([gait.seed, 1, n + 1000]).standard_normal(3)
    heading = turn_rad_s * middle
    side = 1.0 if left else -1.0
    aside = 0.5 * float(pace.step_width_m) * side + 0.4 * noise[0]
    push = float(np.clip(acceleration_at(gait, np.array(middle)), -_MOST_BRAKING_M_S2, _MOST_BRAKING_M_S2))
    ahead = float(pace.lead_m) - _BRAKING_M * scale * push
    ahead += 0.2 * noise[1] * float(smoothstep(speed, 0.0, 1.0))
    turned = from_axis_angle(UP, heading)
    position = place(np.array(middle)) + rotate(turned, np.array([aside, 0.0, ahead]))
    # Feet that leave from rest roll as at the speed they leave for.
    rolling = (
        measures(gait, speed_at(gait, np.array(leave)), scale) if math.isinf(strike) and leave < math.inf else pace
    )
    roll_s = float(2.0 * rolling.duty_factor / rolling.cadence_hz)
    yaw = heading + side * gait.toe_out_rad + noise[2]
    return Footfall(left, strike, middle, leave, position, yaw, roll_s, rolling)
