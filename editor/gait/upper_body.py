"""What the trunk, the head and the arms do above walking legs.

Shoulders turn against the pelvis, arms swing against the legs, elbows and wrists come a little late, and the head stays
level. Sizes come from `parameters.measures`, times from the cycle of the steps. Standing bodies breathe and sway.
"""

from dataclasses import dataclass, fields

import numpy as np

from editor.gait.figure import require
from editor.gait.footfalls import UP, Plan, acceleration_at
from editor.gait.legs import SIDEWAYS
from editor.gait.parameters import GRAVITY_M_S2, Gait, Measures, Wave, measures, smoothstep
from editor.gait.pelvis import AHEAD, wander
from model.arrays import Array
from model.roles import Role
from model.rotation import conjugate, from_axis_angle, multiply, power
from model.skeleton import Skeleton

_BREATH_HZ = 0.25
# How late, in steps, thorax, arm, elbow and wrist follow the legs.
_CHEST_LATE, _ARM_LATE, _ELBOW_LATE, _WRIST_LATE = 0.06, 0.05, 0.14, 0.3


@dataclass(frozen=True, eq=False)
class _Moment:
    """The walk at the times asked for, (T,) each."""

    times: Array
    measures: Measures
    cycle: Array
    active: Array
    heading: Array
    effort_rad: Array  # how far the body leans into its acceleration
    banking_rad: Array  # and into its turn


@dataclass(frozen=True, eq=False)
class _Arm:
    """Angles of an arm, (T,) each; zero hangs straight down, palm inward. Told for the left one.

    flex : forward; spread : away from the body; inward : the upper arm about itself; elbow : bent; palm_back : the
    forearm about itself; wrist : towards the palm; tilt : the hand towards its thumb; collar : the collar bone up;
    ahead : the collar bone forward.
    """

    flex: Array
    spread: Array
    inward: Array
    elbow: Array
    palm_back: Array
    wrist: Array
    tilt: Array
    collar: Array
    ahead: Array


def pose_upper_body(
    gait: Gait, plan: Plan, skeleton: Skeleton, scale: float, pelvis: Array, times: Array, wave: Wave | None
) -> dict[int, Array]:
    """Local rotations (T, 4) of every joint from the spine up, by joint. pelvis : (T, 4) its rotation in the world."""
    now = _moment(gait, plan, scale, times)
    waving = np.zeros(times.shape) if wave is None else _raised(wave, times)
    chest = _chest(gait, now, waving)
    rotations = _spine(skeleton, multiply(conjugate(pelvis), chest), gait.hunch_rad)
    hunched = multiply(chest, from_axis_angle(SIDEWAYS, gait.hunch_rad))
    rotations |= _neck(skeleton, multiply(conjugate(hunched), _head(gait, now)))
    for side, sign in (("LEFT", 1.0), ("RIGHT", -1.0)):
        arm = _swinging(gait, now, sign)
        if wave is not None and wave.side == side.lower():
            arm = _greeting(arm, wave, times)
        rotations |= _arm_rotations(skeleton, side, arm)
    return rotations


def _moment(gait: Gait, plan: Plan, scale: float, times: Array) -> _Moment:
    return _Moment(
        times,
        measures(gait, plan.speed(times), scale),
        plan.cycle(times),
        plan.activity(times),
        plan.heading(times),
        np.asarray(0.6 * np.arctan(acceleration_at(gait, times) / GRAVITY_M_S2)),
        plan.banking(times),
    )


# --------------------------------------------------------------------------------------- trunk and head


def _chest(gait: Gait, now: _Moment, waving: Array) -> Array:
    """(T, 4) the thorax in the world."""
    m, idle = now.measures, 1.0 - now.active
    turn = -now.active * m.chest_turn_rad * np.sin(np.pi * (now.cycle - _CHEST_LATE))
    turn = turn + np.radians(1.5) * idle * wander((gait.seed, 5), now.times)
    roll = -0.3 * now.active * m.pelvis_list_rad * np.cos(np.pi * (now.cycle + 0.1))
    spared = np.sign(gait.asymmetry)  # the trunk leans over the leg that is spared while it stands
    limp = 0.12 * gait.asymmetry * now.active * np.maximum(spared * np.cos(np.pi * now.cycle), 0.0) ** 3
    roll = roll - 0.8 * now.banking_rad - limp + np.radians(2.0) * waving
    nod = now.active * np.radians(1.0 + m.running) * np.cos(2.0 * np.pi * (now.cycle + 0.4))
    breath = np.radians(0.7) * idle * np.sin(2.0 * np.pi * _BREATH_HZ * now.times)
    lean = m.lean_rad + now.effort_rad + nod - breath + np.radians(0.5) * idle * wander((gait.seed, 6), now.times)
    level = multiply(from_axis_angle(UP, now.heading + turn), from_axis_angle(AHEAD, roll))
    return multiply(level, from_axis_angle(SIDEWAYS, lean))


def _spine(skeleton: Skeleton, turned: Array, hunch_rad: float) -> dict[int, Array]:
    """The spine's joints share the turn from pelvis to thorax evenly; the hunch sits in the upper ones."""
    last = require(skeleton, Role.CHEST)
    joints = skeleton.chain(require(skeleton, Role.SPINE), last)
    share = power(turned, 1.0 / len(joints))
    rotations = dict.fromkeys(joints, share)
    rotations[last] = multiply(share, from_axis_angle(SIDEWAYS, hunch_rad))
    return rotations


def _head(gait: Gait, now: _Moment) -> Array:
    """(T, 4) the head in the world: the gaze stays ahead, a little against the bounce."""
    steady = -np.radians(0.8) * now.active * np.cos(2.0 * np.pi * (now.cycle + 0.05))
    drift = 1.0 - 0.7 * now.active
    turn = np.radians(2.5) * drift * wander((gait.seed, 7), now.times, 0.05, 0.25)
    nod = np.radians(1.2) * drift * wander((gait.seed, 8), now.times, 0.05, 0.3)
    roll = np.radians(0.8) * now.active * np.cos(np.pi * (now.cycle - 0.1))
    pitch = gait.head_rad + 0.15 * now.measures.lean_rad + 0.3 * now.effort_rad + steady + nod
    level = multiply(from_axis_angle(UP, now.heading + turn), from_axis_angle(AHEAD, roll))
    return multiply(level, from_axis_angle(SIDEWAYS, pitch))


def _neck(skeleton: Skeleton, turned: Array) -> dict[int, Array]:
    """Neck and head share the turn from thorax to head."""
    joints = skeleton.chain(require(skeleton, Role.NECK), require(skeleton, Role.HEAD))
    return dict.fromkeys(joints, power(turned, 1.0 / len(joints)))


# ------------------------------------------------------------------------------------------------- arms


def _swinging(gait: Gait, now: _Moment, sign: float) -> _Arm:
    """An arm that swings against its leg; sign : 1 left, -1 right."""
    m, idle = now.measures, 1.0 - now.active
    noise = gait.variation * 2.0 * wander((gait.seed, 9, int(sign) + 1), now.times, 0.2, 0.6)

    def swing(late: float) -> Array:
        return np.asarray(sign * now.active * (1.0 + noise) * np.sin(np.pi * (now.cycle - late)))

    quiet = np.radians(1.5) * idle * wander((gait.seed, 10, int(sign) + 1), now.times)
    carried = m.arm_mean_rad + gait.arm_forward_rad + 0.8 * (m.lean_rad + gait.hunch_rad)
    fast = smoothstep(m.elbow_rad, np.radians(30.0), np.radians(80.0))  # elbows bent: a runner's arms
    breath = np.radians(0.8) * idle * np.sin(2.0 * np.pi * _BREATH_HZ * now.times)
    jolt = np.radians(1.0 + 1.5 * m.running) * now.active * np.cos(2.0 * np.pi * (now.cycle - 0.1))
    return _Arm(
        flex=carried + m.arm_swing_rad * swing(_ARM_LATE) + quiet,
        spread=gait.arm_spread_rad + np.radians(7.0 + 7.0 * fast) - np.radians(2.0) * swing(0.0) + 0.4 * quiet,
        inward=np.radians(12.0 + 2.0 * fast) + np.radians(4.0 + 4.0 * fast) * swing(_ELBOW_LATE),
        elbow=m.elbow_rad + np.minimum(m.elbow_swing_rad, 0.6 * m.elbow_rad) * swing(_ELBOW_LATE) + 0.5 * quiet,
        palm_back=np.radians(22.0 - 22.0 * fast),
        wrist=np.radians(8.0) + np.radians(5.0) * swing(_WRIST_LATE),
        tilt=np.radians(-3.0) - np.radians(4.0) * swing(_WRIST_LATE),
        collar=breath + 0.5 * jolt,
        ahead=0.12 * m.arm_swing_rad * swing(0.0),
    )


def _raised(wave: Wave, times: Array, late_s: float = 0.0) -> Array:
    """(T,) how far the greeting hand is up, 0 to 1."""
    start, stop = wave.start_s + late_s, wave.stop_s + late_s
    return np.asarray(
        smoothstep(times, start, start + wave.rise_s) * (1.0 - smoothstep(times, stop - wave.rise_s, stop))
    )


def _greeting(arm: _Arm, wave: Wave, times: Array) -> _Arm:
    """The arm raised to wave: the elbow bends first, the hand comes last and trails behind the forearm."""
    up_s = wave.start_s + wave.rise_s

    def beat(late_s: float) -> Array:
        """The waving to and fro, grown and gone within half a beat."""
        since = times - late_s - up_s + 0.15
        length, half = wave.count / wave.rate_hz + 0.15, 0.5 / wave.rate_hz
        grown = smoothstep(since, 0.0, half) * (1.0 - smoothstep(since, length - half, length))
        return np.asarray(grown * np.sin(2.0 * np.pi * wave.rate_hz * since))

    rads, none = np.radians, np.zeros(times.shape)
    up, before, after = (_raised(wave, times, late) for late in (0.0, -0.1, 0.08))
    wanted = _Arm(
        flex=rads(26.0) + rads(2.0) * beat(-0.02),
        spread=rads(67.0) - rads(4.0) * beat(-0.03),
        inward=rads(-84.0) + none,
        elbow=rads(116.0) - rads(22.0) * beat(0.0),
        palm_back=none,
        wrist=rads(-8.0) + rads(3.0) * beat(0.12),
        tilt=rads(4.0) - rads(17.0) * beat(0.09),
        collar=rads(6.0) + none,
        ahead=none,
    )
    weights = {"elbow": before, "inward": before, "tilt": after, "wrist": after}
    mixed = {}
    for field in fields(_Arm):
        weight = weights.get(field.name, up)
        mixed[field.name] = (1.0 - weight) * getattr(arm, field.name) + weight * getattr(wanted, field.name)
    return _Arm(**mixed)


def _arm_rotations(skeleton: Skeleton, side: str, arm: _Arm) -> dict[int, Array]:
    """Local rotations of collar bone, arm and hand, by joint."""

    def joint(part: str) -> int:
        return require(skeleton, Role[f"{side}_{part}"])

    upper = multiply(from_axis_angle(SIDEWAYS, -arm.flex), from_axis_angle(AHEAD, arm.spread - 0.5 * np.pi))
    rotations = {
        joint("CLAVICLE"): multiply(from_axis_angle(UP, -arm.ahead), from_axis_angle(AHEAD, arm.collar)),
        joint("SHOULDER"): multiply(upper, from_axis_angle(SIDEWAYS, arm.inward)),
        joint("ELBOW"): multiply(from_axis_angle(UP, -arm.elbow), from_axis_angle(SIDEWAYS, arm.palm_back)),
        joint("WRIST"): multiply(from_axis_angle(UP, -arm.tilt), from_axis_angle(AHEAD, -arm.wrist)),
        joint("HAND"): from_axis_angle(AHEAD, np.radians(-24.0) - 0.3 * arm.wrist),
    }
    thumbs = [child for child in skeleton.children[joint("WRIST")] if child != joint("HAND")]
    rotations |= {thumb: from_axis_angle(AHEAD, np.full(arm.flex.shape, np.radians(-14.0))) for thumb in thumbs}
    if side == "RIGHT":  # the mirror image across x = 0
        rotations = {joint: rotation * np.array([1.0, 1.0, -1.0, -1.0]) for joint, rotation in rotations.items()}
    return rotations
