"""Legs that carry a pelvis over planned footfalls: feet that roll on the ground, and swing from one stance to the next.

On the ground a foot is rigid but for its toes and turns about its heel, stands flat, then turns about its toe joint and
at last about the tip of the toes (the rockers of Perry 1992, chapter 3): whatever touches the ground stands still.
In the air the leg is led by its joints, which start and end as the stances before and after have them, with continuous
velocity and acceleration: so knees bend as far as asked and never snap.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from editor.gait.figure import heel_offset, require
from editor.gait.footfalls import UP, Curve, Footfall
from editor.gait.parameters import smoothstep
from model.arrays import Array
from model.limbs import solve_limb
from model.roles import Role
from model.rotation import (
    conjugate,
    from_axis_angle,
    from_rotation_vector,
    multiply,
    rotate,
    to_rotation_vector,
)
from model.skeleton import Skeleton

SIDEWAYS: Array = np.array([1.0, 0.0, 0.0])
SIDEWAYS.setflags(write=False)

# Derivatives at the ends of stances are differences over this time.
_DIFFERENCE_S = 1e-3
# Shares of a stance: until the foot is flat, until the heel rises, until the toes begin to roll; walking, running.
_FLAT, _HEEL_OFF, _TOE_OFF = (0.18, 0.12), (0.57, 0.27), (0.81, 0.81)
# How fast a heel or toe rises at the end, and how it accelerates, for a rise of 1 in a time of 1.
_END_SPEED, _END_ACCELERATION = 2.2, 1.2
# How far the toes themselves have pitched when the foot leaves, as a share of the foot.
_TOE_SHARE = 0.4
# How long, as a share of the swing, joints go on as they did on the ground, and move ahead as they will there:
# sideways, forward, knee, ankle, toes.
_EASE = np.array([1.0, 1.0, 0.5, 0.28, 0.28, 0.28, 0.6]), np.array([1.0, 1.0, 0.25, 0.3, 0.3, 0.3, 0.4])
# How fast a foot strikes downward for each m/s forward.
_DOWNWARD = 0.3
# No knee is straighter than this in a swing.
_LEAST_KNEE_RAD = np.radians(5.5)
# How far a swing goes astray, in angles, for how its joints move and accelerate as it starts: by these shares of
# velocity times time and acceleration times time squared at most; and how far acceleration may lead it so.
_ASTRAY, _ASTRAY_TWICE, _MOST_ASTRAY_RAD = 0.2, 0.0173, 0.5
# Feet that swing are kept above this.
_UNDER_M = 1e-3
# Where swings are looked at to see how far knees bend and feet clear the ground.
_LOOKS = np.linspace(0.0, 1.0, 41)


@dataclass(frozen=True, eq=False)
class Leg:
    """The lengths of a figure's leg. heel, ball : (3,) in the ankle's frame; tip : (3,) in the toe joint's; metres."""

    thigh_m: float
    shank_m: float
    heel: Array
    ball: Array
    tip: Array

    @property
    def length_m(self) -> float:
        return self.thigh_m + self.shank_m

    def span(self, knee_rad: Array | float) -> Array:
        """From hip to ankle with the knee bent by so much; 0 is straight."""
        a, b = self.thigh_m, self.shank_m
        return np.asarray(np.sqrt(a * a + b * b + 2.0 * a * b * np.cos(knee_rad)))

    def knee(self, span_m: Array) -> Array:
        """How far the knee is bent where hip and ankle are so far apart."""
        a, b = self.thigh_m, self.shank_m
        wide = np.maximum(span_m * span_m - (a - b) ** 2, 1e-12)
        narrow = np.maximum((a + b) ** 2 - span_m * span_m, 0.0)
        return np.asarray(2.0 * np.arctan2(np.sqrt(narrow), np.sqrt(wide)))


@dataclass(frozen=True, eq=False)
class LegPose:
    """A leg in the world: (T, 4) rotations of thigh, shank and foot, and how far the toes bend up (T,)."""

    thigh: Array
    shank: Array
    foot: Array
    toe_rad: Array


@dataclass(frozen=True, eq=False)
class Carrier:
    """What a leg hangs on: (T,) -> (T, 3) where the hip joint is, and (T,) the heading in which its knee bends."""

    hip: Curve
    yaw: Curve


def leg_of(skeleton: Skeleton) -> Leg:
    """The leg of a figure."""
    knee, ankle, toe = (require(skeleton, role) for role in (Role.LEFT_KNEE, Role.LEFT_ANKLE, Role.LEFT_TOE))
    tips = [site.offset for site in skeleton.end_sites if site.joint == toe]
    if not tips:
        raise ValueError("skeleton has no tip of the left toes")
    lengths = np.linalg.norm(skeleton.offsets[[knee, ankle]], axis=-1)
    return Leg(float(lengths[0]), float(lengths[1]), heel_offset(skeleton), skeleton.offsets[toe], tips[0])


# ------------------------------------------------------------------------------------------ on the ground


def hermite(
    times: Array, start_s: float, stop_s: float, start: Array, stop: Array, ease: tuple[Array, Array] | None = None
) -> Array:
    """A curve with given value, velocity and acceleration at both ends, and two continuous derivatives between.

    times : (T,); start, stop : (3, ...) value, velocity, acceleration -> (T, ...). ease : (...) each, over which share
    of the time the velocity at the start dies away, and that of the end builds up: the less, the less does a fast end
    make the curve swing out; without it all of the time, which gives the quintic. It goes on beyond its ends.
    """
    length = stop_s - start_s
    u = ((times - start_s) / length).reshape(-1, *[1] * (np.ndim(start) - 1))
    first, last = ease if ease is not None else (np.ones_like(start[0]), np.ones_like(stop[0]))
    curve = start[0] + (stop[0] - start[0]) * u**3 * (10.0 + u * (6.0 * u - 15.0))
    for x, share, (_, velocity, acceleration), sign in (
        (u / first, first * length, start, 1.0),
        ((1.0 - u) / last, last * length, stop, -1.0),
    ):
        fading = np.maximum(1.0 - x, 0.0) ** 3 * share
        curve = curve + fading * x * (sign * velocity * (1.0 + 3.0 * x) + 0.5 * acceleration * share * x)
    return np.asarray(curve)


def foot_pitches(footfall: Footfall, times: Array) -> tuple[Array, Array]:
    """(T,) how far foot and toes are pitched up in a stance, radians; a risen heel is negative."""
    pace = footfall.measures
    running = float(pace.running)
    flat, heel_off, toe_off = (
        footfall.roll_s * ((1.0 - running) * walk + running * run) for walk, run in (_FLAT, _HEEL_OFF, _TOE_OFF)
    )
    foot, toes = np.zeros(times.shape), np.zeros(times.shape)
    still = np.zeros(3)
    landing = footfall.strike_s + flat
    if math.isfinite(footfall.strike_s):
        strike = float(pace.strike_rad)
        down = hermite(times, footfall.strike_s, landing, np.array([strike, -2.5 * strike / flat, 0.0]), still)
        foot = np.where(times < landing, down, foot)
        toes = np.where(times < landing, np.maximum(down, 0.0), toes)
    if math.isfinite(footfall.leave_s):
        push = -float(pace.push_rad)
        begun = footfall.leave_s - footfall.roll_s
        rises, rolls = max(begun + heel_off, landing), max(begun + toe_off, landing)  # a short stance is cut short
        foot = np.where(times > rises, _rising(times, rises, footfall.leave_s, push), foot)
        toes = np.where(times > rolls, _rising(times, rolls, footfall.leave_s, _TOE_SHARE * push), toes)
    return foot, toes


def _rising(times: Array, start_s: float, stop_s: float, pitch_rad: float) -> Array:
    """(T,) from rest at the start to the pitch with which a foot, or its toes, leaves."""
    length = stop_s - start_s
    end = pitch_rad * np.array([1.0, _END_SPEED / length, _END_ACCELERATION / length**2])
    return hermite(times, start_s, stop_s, np.zeros(3), end)


def stance(leg: Leg, footfall: Footfall, times: Array) -> tuple[Array, Array, Array]:
    """A foot on the ground: (T, 3) its ankle, (T, 4) its rotation in the world, and (T,) how far its toes bend up."""
    foot, toes = foot_pitches(footfall, times)
    turned = from_axis_angle(UP, footfall.yaw_rad)
    rotation = multiply(turned, from_axis_angle(SIDEWAYS, -foot))
    flat_ankle = footfall.position - leg.heel[1] * UP
    on_heel = flat_ankle + rotate(turned, leg.heel) - rotate(rotation, leg.heel)
    tip = flat_ankle + rotate(turned, leg.ball + leg.tip)
    joint = tip - rotate(multiply(turned, from_axis_angle(SIDEWAYS, -toes)), leg.tip)
    on_toes = joint - rotate(rotation, leg.ball)
    return np.where((foot > 0.0)[:, None], on_heel, on_toes), rotation, np.asarray(toes - foot)


# ------------------------------------------------------------------------------------------------- angles


def leg_pose(leg: Leg, hip: Array, yaw: Array, ankle: Array) -> tuple[Array, Array]:
    """(T, 4) world rotations of thigh and shank that bring the ankle from the hip to where it should be.

    hip, ankle : (T, 3); yaw : (T,) the heading in which the knee bends.
    """
    facing = from_axis_angle(UP, yaw)
    knee = hip - leg.thigh_m * UP
    foot = hip - leg.length_m * UP
    solution = solve_limb(hip, knee, foot, ankle, bend_axis=rotate(facing, SIDEWAYS), max_stretch=0.0)
    return multiply(solution.upper, facing), multiply(solution.lower, facing)


def to_angles(leg: Leg, hip: Array, yaw: Array, ankle: Array, foot: Array, toe_rad: Array) -> Array:
    """(T, 7) a leg told by angles: sideways and forward swing of the whole leg, knee, ankle (3), toes."""
    away = rotate(from_axis_angle(UP, -yaw), ankle - hip)
    sideways = np.arctan2(away[:, 0], -away[:, 1])
    forward = np.arctan2(away[:, 2], np.hypot(away[:, 0], away[:, 1]))
    knee = leg.knee(np.sqrt(np.sum(away * away, axis=-1)))
    _, shank = leg_pose(leg, hip, yaw, ankle)
    bent = to_rotation_vector(multiply(conjugate(shank), foot))
    return np.concatenate([np.stack([sideways, forward, knee], axis=-1), bent, toe_rad[:, None]], axis=-1)


def from_angles(leg: Leg, hip: Array, yaw: Array, angles: Array) -> LegPose:
    """The leg that `to_angles` tells of. angles : (T, 7)."""
    sideways, forward, knee = angles[:, 0], angles[:, 1], angles[:, 2]
    level = np.cos(forward)
    away = np.stack([np.sin(sideways) * level, -np.cos(sideways) * level, np.sin(forward)], axis=-1)
    ankle = hip + rotate(from_axis_angle(UP, yaw), away * leg.span(knee)[:, None])
    thigh, shank = leg_pose(leg, hip, yaw, ankle)
    return LegPose(thigh, shank, multiply(shank, from_rotation_vector(angles[:, 3:6])), angles[:, 6])


def _bump(u: Array, rise: float, fall: float) -> Array:
    """Up to 1 and down again over u in [0, 1], with two continuous derivatives at the ends."""
    top = rise / (rise + fall)
    return np.asarray((u / top) ** rise * ((1.0 - u) / (1.0 - top)) ** fall)


def _knee_bump(u: Array, running: float) -> Array:
    """How a knee bends in a swing: runners' bend later."""
    return _bump(u, 3.0, 5.0 - running)


# ----------------------------------------------------------------------------------------------- in the air


def _state(leg: Leg, carrier: Carrier, footfall: Footfall, time_s: float, strike: bool) -> Array:
    """(3, 7) the leg's angles on the ground at this time, their velocities and their accelerations.

    Differences are taken on the ground's side. A strike is an impact: the swing before it knows nothing of the
    acceleration, and arrives with some speed forward and downward, as feet do.
    """
    steps = np.arange(4.0) if strike else -np.arange(4.0)
    times = time_s + _DIFFERENCE_S * steps
    now, once, twice, thrice = to_angles(leg, carrier.hip(times), carrier.yaw(times), *stance(leg, footfall, times))
    velocity = (-1.5 * now + 2.0 * once - 0.5 * twice) / (steps[1] * _DIFFERENCE_S)
    acceleration = (2.0 * now - 5.0 * once + 4.0 * twice - thrice) / _DIFFERENCE_S**2
    if strike:
        velocity[1:3] += _impact(leg, now, float(footfall.measures.impact_m_s))
        acceleration = np.zeros_like(velocity)
    return np.stack([now, velocity, acceleration])


def _impact(leg: Leg, angles: Array, forward_m_s: float) -> Array:
    """(2,) what arriving so fast, and downward too, adds to the velocities of the leg's forward angle and its knee."""
    angle, knee = angles[1], angles[2]
    span = leg.span(knee)
    lengthening = forward_m_s * (_DOWNWARD + np.sin(angle)) / np.cos(angle)
    bent = max(float(np.sin(knee)), 0.05)  # a straight knee would turn infinitely fast
    return np.array([forward_m_s / span, -lengthening * span / (leg.thigh_m * leg.shank_m * bent)])


@dataclass(frozen=True, eq=False)
class Swing:
    """A foot on its way from one stance to the next. start, stop : (3, 7) states of the leg; bend_rad : of the knee, on
    top of what start and stop ask for; lift_rad : to clear the ground; reach_rad : forward."""

    start_s: float
    stop_s: float
    start: Array
    stop: Array
    running: float
    bend_rad: float = 0.0
    reach_rad: float = 0.0
    lift_rad: float = 0.0

    def angles(self, times: Array) -> Array:
        """(T, 7) the leg's angles."""
        angles = hermite(times, self.start_s, self.stop_s, self.start, self.stop, _EASE)
        u = (times - self.start_s) / (self.stop_s - self.start_s)
        lift = self.lift_rad * smoothstep(u, 0.0, 0.4) * (1.0 - smoothstep(u, 0.6, 1.0))
        angles[:, 1] += self.reach_rad * _bump(u, 4.0, 4.0)
        angles[:, 2] += self.bend_rad * _knee_bump(u, self.running) + 0.8 * lift
        angles[:, 3] -= 0.6 * lift  # toes up
        angles[:, 6] += 0.2 * _bump(u, 4.0, 3.0)
        return angles


def plan_swing(leg: Leg, carrier: Carrier, before: Footfall, after: Footfall, reach_rad: float) -> Swing:
    """The swing between two stances of a foot: the knee bends and the foot clears the ground as the gait asks."""
    start_s, stop_s = before.leave_s, after.strike_s
    start = _state(leg, carrier, before, start_s, strike=False)
    stop = _state(leg, carrier, after, stop_s, strike=True)
    _calm(start, stop, stop_s - start_s)
    looks = start_s + (stop_s - start_s) * _LOOKS
    inner, running = slice(5, -13), float(before.measures.running)
    straight = hermite(looks, start_s, stop_s, start, stop, _EASE)[inner, 2]
    bend = max(float(np.min((float(before.measures.knee_rad) - straight) / _knee_bump(_LOOKS[inner], running))), 0.0)
    hips, yaws = carrier.hip(looks), carrier.yaw(looks)
    wanted = float(after.measures.foot_lift_m) * _bump(_LOOKS, 5.0, 6.0) - 5e-4  # the ends touch the ground

    def short(lift: float) -> float:
        """How much the foot lacks to the height wanted."""
        angles = Swing(start_s, stop_s, start, stop, running, bend, reach_rad, lift).angles(looks)
        return float(np.max(wanted - lowest(leg, hips, from_angles(leg, hips, yaws, angles))))

    return Swing(start_s, stop_s, start, stop, running, bend, reach_rad, _root(short))


def _calm(start: Array, stop: Array, length_s: float) -> None:
    """Take from a swing's states what would lead it astray. start, stop : (3, 7), changed.

    A knee about to give way fast must not be stretched for it, nor one that was stretched fast be bent backwards.
    """
    most = _MOST_ASTRAY_RAD / (_ASTRAY_TWICE * (_EASE[0] * length_s) ** 2)
    start[2] = np.clip(start[2], -most, most)
    for state, ease, sign in ((start, _EASE[0][2], -1.0), (stop, _EASE[1][2], 1.0)):
        spare = max(float(state[0, 2]) - _LEAST_KNEE_RAD, 0.0) / (_ASTRAY * ease * length_s)
        if sign * state[1, 2] > spare:
            state[1:, 2] = sign * spare, 0.0


def ankle_of(leg: Leg, hips: Array, thigh: Array, shank: Array) -> Array:
    """(T, 3) where the ankle is. hips : (T, 3); thigh, shank : (T, 4) in the world."""
    return hips + rotate(thigh, -leg.thigh_m * UP) + rotate(shank, -leg.shank_m * UP)


def above_ground(leg: Leg, hips: Array, yaws: Array, pose: LegPose) -> LegPose:
    """The leg with its knee bent as far as it must be to keep the foot out of the ground."""
    deep = np.maximum(-lowest(leg, hips, pose) - _UNDER_M, 0.0)
    if not np.any(deep > 0.0):
        return pose
    thigh, shank = leg_pose(leg, hips, yaws, ankle_of(leg, hips, pose.thigh, pose.shank) + deep[:, None] * UP)
    return LegPose(thigh, shank, pose.foot, pose.toe_rad)


def lowest(leg: Leg, hips: Array, pose: LegPose) -> Array:
    """(T,) how high the lowest point of the foot's sole is: heel, ball and tip. hips : (T, 3)."""
    ankle = ankle_of(leg, hips, pose.thigh, pose.shank)
    heel = ankle + rotate(pose.foot, leg.heel)
    joint = ankle + rotate(pose.foot, leg.ball)
    toes = multiply(pose.foot, from_axis_angle(SIDEWAYS, -pose.toe_rad))
    tip = joint + rotate(toes, leg.tip)
    thickness = leg.ball[1] - leg.heel[1], leg.ball[1] + leg.tip[1] - leg.heel[1]  # of the sole below the last two
    heights = [heel[:, 1], joint[:, 1] - thickness[0], tip[:, 1] - thickness[1]]
    return np.asarray(np.min(heights, axis=0))


def _root(short: Callable[[float], float]) -> float:
    """The least lift, radians, at which nothing is short, by halving; none where nothing is."""
    if short(0.0) <= 0.0:
        return 0.0
    low, high = 0.0, 1.2
    for _ in range(11):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if short(middle) > 0.0 else (low, middle)
    return high
