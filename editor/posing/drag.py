"""Dragging, turning and aiming joints of one pose, with pins that hold the rest.

Everything is worked out from the pose at the start of the drag and from nothing else: the same goal gives the same
pose whichever way the mouse went, and near goals give near poses. First the body gives way (`settling`), then limbs
reach for their goals and pins by the two-bone solution of `model.limbs`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from editor.posing.body import Body, Limb, ancestors, axes_of, body_of, centre_of, natural_hinge
from editor.posing.pose import Miss, Pin, Pose, Posed
from editor.posing.settling import Turning, Wish, settle
from editor.posing.tuples import Vector
from model.arrays import Array
from model.kinematics import WorldPose
from model.limbs import SOFT_ANGLE_RAD, LimbSolution, solve_limb, turn_limb
from model.recent import recent
from model.rotation import (
    IDENTITY,
    angle_between,
    between,
    conjugate,
    from_axis_angle,
    from_rotation_vector,
    multiply,
    normalize,
    power,
    rotate,
)

Space = Literal["local", "parent", "world"]

# A limb does not fold to less than this inner angle, unless it was.
_FOLDED_RAD = np.radians(28.0)
# The body begins to follow at this share of an arm's or leg's reach before its end.
_FOLLOW_ARM, _FOLLOW_LEG = 0.2, 0.06
# How easily and how far joints of the trunk turn for an arm that is too short, and how easily the pelvis moves.
_SPINE, _CLAVICLE, _HUB = (0.3, 0.45), (0.5, 0.35), (0.25, 0.6)
_MOVE_M = 0.1
_LEG_MOVE_M = 0.15
_FREE_M = 0.3
# How far a head turns from the body.
_YAW_RAD, _PITCH_RAD, _BEHIND_RAD = np.radians(80.0), np.radians(60.0), np.radians(160.0)
# Closer than this a goal or pin is met.
_MET_M, _MET_RAD = 1e-4, 1e-3
_CHAIN, _CHAIN_PASSES = 3, 12
# How far off the line between its ends the middle of a limb is at least, as a share of it, to swivel it by.
_LEAST_BEND = 0.02


def drag(pose: Pose, handle: int, goal_m: Array, pins: Sequence[Pin] = (), keep_orientation: bool = True) -> Posed:
    """The pose with a joint dragged to a place in the world, and the pins held.

    pose : as it was when the drag began; goal_m : (3,); keep_orientation : hands, feet and head stay turned in the
    world as they were, else they go with the limb. What follows depends on the handle:

    * wrist or ankle: the limb bends as it was bent; beyond its reach clavicle and spine give way, then the pelvis;
    * elbow or knee: the limb swivels about the line between its ends, which stay;
    * pelvis, root or hip: the root moves, pinned limbs are bent anew;
    * spine, chest, clavicle, shoulder, neck, head: the spine bends, then the pelvis moves;
    * any other joint, such as a toe or finger: the last few joints above it turn to point it there.

    Pins hold before the goal is met; a pin of the handle itself is let go. Where the goal lies out of reach the handle
    comes as near as it can. Both are told by the misses.
    """
    goal = np.asarray(goal_m, dtype=np.float64)
    body = body_of(pose.skeleton)
    pins = _checked(body, [pin for pin in pins if pin.joint != handle])
    limb = body.limb_with(handle)
    if limb is not None and handle == limb.joints[2]:
        wanted = Pin(handle, goal, pose.world.rotations[handle] if keep_orientation else None)
        result = _reach(body, pose, limb, wanted, pins)
    elif limb is not None and handle == limb.joints[1]:
        return Posed(_swivelled(pose, limb, goal))
    elif body.is_core(handle) or pose.skeleton.parents[handle] < 0:
        result = _moved(body, pose, handle, goal, pins, keep_orientation)
    else:
        result = _pointed(pose, handle, goal, pins, body)
    return Posed(result, _misses(result, [*pins, Pin(handle, goal)]))


def turn(pose: Pose, joint: int, rotation_vector: Array, space: Space = "world", pins: Sequence[Pin] = ()) -> Posed:
    """The pose with a joint turned by a rotation vector (3,) in radians, and the pins held.

    space : whose axes the vector is in: those of the joint itself, of its parent or of the world. Pins of a limb whose
    upper or middle joint is turned are let go, and so is the orientation of a pin whose own joint is.
    """
    body = body_of(pose.skeleton)
    q = from_rotation_vector(np.asarray(rotation_vector, dtype=np.float64))
    rotations = np.array(pose.local_rotations)
    if space == "local":
        rotations[joint] = multiply(rotations[joint], q)
    else:
        parent = pose.skeleton.parents[joint]
        if space == "world" and parent >= 0:
            above = pose.world.rotations[parent]
            q = multiply(multiply(conjugate(above), q), above)
        rotations[joint] = multiply(q, rotations[joint])
    held = []
    for pin in _checked(body, pins):
        limb = body.limb_with(pin.joint)
        if limb is None or limb.joints[2] != pin.joint or joint not in _inside(pose, limb):
            held.append(Pin(pin.joint, pin.position, None if pin.joint == joint else pin.rotation))
    turned = pose.with_rotations(rotations)
    result = _held(body, pose, turned, held) if held else turned
    return Posed(result, _misses(result, held))


def look_at(pose: Pose, goal_m: Array) -> Posed:
    """The pose with the face turned to a place (3,) in the world. Neck and head share the turn; the roll stays.

    The head turns no farther from the body than heads do, or than it was; a goal behind the back leaves it between
    both shoulders. ValueError where the body has no head.
    """
    body = body_of(pose.skeleton)
    if not body.neck:
        raise ValueError("this body has no head")
    goal = np.asarray(goal_m, dtype=np.float64)
    head = body.neck[-1]
    face = pose.face
    if face is None:
        face = axes_of(pose.skeleton, pose.skeleton.rest_positions(), IDENTITY).forward
    start = rotate(pose.world.rotations[head], face)
    axes = axes_of(pose.skeleton, pose.world.positions, pose.world.rotations[0])
    frame = np.array([axes.left, axes.up, axes.forward])
    result = pose
    for _ in range(4):  # turning the neck moves the head
        toward = goal - result.world.positions[head]
        turned = _aimed(frame, start, toward)
        result = _neck_turned(pose, body.neck, turned)
    toward = goal - result.world.positions[head]
    looks, toward = rotate(result.world.rotations[head], face), _unit(toward)
    off = 2.0 * float(np.arctan2(np.linalg.norm(toward - looks), np.linalg.norm(toward + looks)))
    return Posed(result, (Miss(head, angle_rad=off),) if off > _MET_RAD else ())


# ---------------------------------------------------------------------------------------------- handles


def _reach(body: Body, pose: Pose, limb: Limb, wanted: Pin, pins: Sequence[Pin]) -> Pose:
    """A limb's end at its goal, the body following where the limb is too short."""
    high = _facts(pose, limb).high_m
    shoulder, end = (pose.world.positions[joint] for joint in (limb.joints[0], limb.joints[2]))
    apart = float(np.linalg.norm(wanted.position - shoulder))
    follow = (_FOLLOW_LEG if limb.is_leg else _FOLLOW_ARM) * high
    follow = min(follow, high - float(np.linalg.norm(end - shoulder)))
    wish = Wish(limb.joints[0], _tuple(wanted.position), 0.0, apart - _demand(apart - high, follow), must=False)
    turnings = _turnings(body, limb.joints[0], pins)
    return _held(body, pose, pose, [*pins, wanted], [wish], turnings, _LEG_MOVE_M if limb.is_leg else _MOVE_M)


def _demand(beyond_m: float, follow_m: float) -> float:
    """How much nearer the body must come: what lies beyond reach, and a little before it, without a corner."""
    if follow_m <= 1e-9 or beyond_m >= follow_m:
        return max(beyond_m, 0.0)
    return max(beyond_m + follow_m, 0.0) ** 2 / (4.0 * follow_m)


def _moved(body: Body, pose: Pose, handle: int, goal: Array, pins: Sequence[Pin], keep_orientation: bool) -> Pose:
    """A joint of the body itself at a goal: spine and pelvis give way."""
    wish = Wish(handle, _tuple(goal), must=False)
    carriers = body.carriers(handle)
    if not carriers and handle not in body.neck:
        turnings = [one for pin in pins for one in _turnings(body, pin.joint, ()) if one.joint in body.trunk]
        return _held(body, pose, pose, pins, [wish], list({one.joint: one for one in turnings}.values()), _FREE_M)
    turnings = _turnings(body, handle, pins)
    turnings += [Turning(joint, *_SPINE) for joint in body.neck[:-1] if joint in ancestors(pose.skeleton, handle)]
    held = list(pins)
    result = _held(body, pose, pose, held, [wish], turnings, _MOVE_M)
    if keep_orientation and handle in body.neck[-1:]:
        result = _oriented(result, handle, pose.world.rotations[handle])
    return result


def _swivelled(pose: Pose, limb: Limb, goal: Array) -> Pose:
    """A limb turned about the line between its ends so that its middle joint points to a goal."""
    positions = pose.world.positions
    root, middle, end = (positions[joint] for joint in limb.joints)
    axis = _unit(end - root)
    hinge = rotate(pose.world.rotations[limb.joints[0]], _facts(pose, limb).hinge)
    present = _across(middle - root, axis)
    least = _LEAST_BEND * float(np.linalg.norm(end - root))
    if np.linalg.norm(present) < least:  # a straight limb's middle is taken to be a little where it would go
        present = least * _unit(_across(np.cross(axis, hinge), axis))
    wanted = present + _across(goal - middle, axis)
    if min(np.linalg.norm(wanted), np.linalg.norm(present)) < 1e-9:
        return pose
    angle = float(np.arctan2(np.cross(present, wanted) @ axis, present @ wanted))
    q = from_axis_angle(axis, angle)
    solution = LimbSolution(q, q, np.ones(()), end)
    return pose.with_rotations(
        turn_limb(pose.skeleton.parents, pose.local_rotations, pose.world, limb.joints, solution)
    )


def _pointed(pose: Pose, handle: int, goal: Array, pins: Sequence[Pin], body: Body) -> Pose:
    """The joints above a joint turned so that it comes toward a goal: nearest first, again and again."""
    fixed = {pin.joint for pin in pins if pin.rotation is not None}
    chain: list[int] = []
    for joint in ancestors(pose.skeleton, handle)[:_CHAIN]:
        if joint in fixed:
            break
        chain.append(joint)
        limb = body.limb_with(joint)
        if limb is not None and joint == limb.joints[2]:
            break
    result = pose
    for _ in range(_CHAIN_PASSES if len(chain) > 1 else 1):
        for joint in chain:
            positions, rotations = result.world
            q = between(positions[handle] - positions[joint], goal - positions[joint])
            result = _oriented(result, joint, multiply(q, rotations[joint]))
    return result


# ------------------------------------------------------------------------------------- bodies and limbs


def _held(
    body: Body,
    start: Pose,
    pose: Pose,
    pins: Sequence[Pin],
    wishes: Sequence[Wish] = (),
    turnings: Sequence[Turning] | None = None,
    move_ease_m: float = _MOVE_M,
) -> Pose:
    """A pose with the body settled and limbs bent so that pins hold.

    start : before anything was turned, which says how far limbs may stretch and fold. Of the pins the last may be the
    one that is dragged, with a wish of its own.
    """
    limbs = {pin.joint: limb for pin in pins if (limb := body.limb_with(pin.joint)) is not None}
    wished = {wish.joint for wish in wishes}
    needs = list(wishes)
    for pin in pins:
        limb = limbs.get(pin.joint)
        if limb is None or limb.joints[2] != pin.joint:
            needs.append(Wish(pin.joint, _tuple(pin.position)))
        elif limb.joints[0] not in wished:
            facts = _facts(start, limb)
            needs.append(Wish(limb.joints[0], _tuple(pin.position), facts.low_m, facts.high_m))
    if turnings is None:
        found = [one for pin in pins for one in _turnings(body, pin.joint, ())]
        turnings = list({one.joint: one for one in found}.values())
    settled = settle(pose, turnings, move_ease_m, needs)
    return _bent(start, settled, [(limbs[pin.joint], pin) for pin in pins if pin.joint in limbs])


def _bent(start: Pose, pose: Pose, goals: Sequence[tuple[Limb, Pin]]) -> Pose:
    """A pose with limbs bent so that their ends meet their goals, all at once."""
    goals = [(limb, pin) for limb, pin in goals if limb.joints[2] == pin.joint]
    if not goals:
        return pose
    positions, rotations = pose.world
    chains = [limb.joints for limb, _ in goals]
    root, middle, end = (positions[[chain[n] for chain in chains]] for n in range(3))
    facts = [_facts(start, limb) for limb, _ in goals]
    uppers, above = [chain[0] for chain in chains], [pose.skeleton.parents[chain[0]] for chain in chains]
    hinges = rotate(rotations[uppers], np.array([fact.hinge for fact in facts]))
    centres = rotate(rotations[above], np.array([fact.centre for fact in facts]))
    targets = [_outside(pin.position, root[n], centres[n], facts[n].low_m) for n, (_, pin) in enumerate(goals)]
    solved = solve_limb(root, middle, end, np.array(targets), hinges, max_stretch=0.0, centre=centres)
    wanted = np.array(rotations)
    for _, pin in goals:
        if pin.rotation is not None:
            wanted[pin.joint] = pin.rotation
    local = pose.local_rotations
    for n, (limb, pin) in enumerate(goals):
        one = LimbSolution(solved.upper[n], solved.lower[n], solved.stretch[n], solved.end[n])
        local = turn_limb(pose.skeleton.parents, local, WorldPose(positions, wanted), limb.joints, one)
        if pin.rotation is None:
            local[pin.joint] = pose.local_rotations[pin.joint]
    return pose.with_rotations(local)


def _outside(goal: Array, root: Array, centre: Array, low_m: float) -> Array:
    """The goal itself, or where nearer to the limb's root than it folds, the nearest place where it can be.

    No map of the inside to the outside is smooth all over; the place where this one is not lies opposite of the centre.
    """
    reach = goal - root
    part = float(np.linalg.norm(reach)) / low_m if low_m > 0.0 else 1.0
    if part >= 1.0:
        return goal
    away = reach + low_m * (1.0 - part) ** 2 * centre
    size = float(np.linalg.norm(away))
    return np.asarray(root + low_m * (away / size if size > 1e-9 else centre))


@dataclass(frozen=True, eq=False)
class _Facts:
    """What a pose says of a limb. low_m, high_m : how near to its root and how far from it its end gets, not folded or
    stretched farther than limbs are, or than it is; hinge : (3,) the axis about which it folds, in the frame of its
    upper joint; centre : (3,) the direction about which it moves, in the frame of what carries it.
    """

    low_m: float
    high_m: float
    hinge: Array
    centre: Array


@recent(64)
def _facts(pose: Pose, limb: Limb) -> _Facts:
    """What a pose says of a limb; asked again with every move of the mouse."""
    positions, rotations = pose.world
    root, middle, end = (positions[joint] for joint in limb.joints)
    upper, lower, present = (float(np.linalg.norm(one)) for one in (middle - root, end - middle, end - root))
    far, near = (
        float(np.sqrt(upper**2 + lower**2 - 2.0 * upper * lower * np.cos(angle)))
        for angle in (SOFT_ANGLE_RAD, _FOLDED_RAD)
    )
    hinge = pose.hinges.get(limb.joints[0])
    if hinge is None:
        hinge = rotate(conjugate(rotations[limb.joints[0]]), natural_hinge(limb, pose))
    above = rotations[pose.skeleton.parents[limb.joints[0]]]
    return _Facts(min(near, present), max(far, present), hinge, rotate(conjugate(above), centre_of(limb, pose)))


def _turnings(body: Body, joint: int, pins: Sequence[Pin]) -> list[Turning]:
    """What may turn for a joint of the upper body, and for pinned hands; the pelvis where both feet are pinned."""
    joints = dict.fromkeys(body.carriers(joint))
    for pin in pins:
        joints |= dict.fromkeys(body.carriers(pin.joint))
    found = [Turning(one, *(_CLAVICLE if one in body.clavicles else _SPINE)) for one in joints]
    feet = {limb.joints[2] for limb in body.limbs if limb.is_leg}
    if found and feet and feet <= {pin.joint for pin in pins}:
        found.append(Turning(body.hub, *_HUB))
    return found


def _oriented(pose: Pose, joint: int, world_rotation: Array) -> Pose:
    """The pose with one joint turned as given in the world."""
    parent = pose.skeleton.parents[joint]
    rotations = np.array(pose.local_rotations)
    above = pose.world.rotations[parent] if parent >= 0 else IDENTITY
    rotations[joint] = normalize(multiply(conjugate(above), world_rotation))
    return pose.with_rotations(rotations)


def _inside(pose: Pose, limb: Limb) -> tuple[int, ...]:
    """The joints of a limb that decide where its end is."""
    return pose.skeleton.chain(limb.joints[0], limb.joints[2])[:-1]


def _checked(body: Body, pins: Sequence[Pin]) -> list[Pin]:
    """The pins. ValueError where one is of a joint that cannot be held."""
    for pin in pins:
        limb = body.limb_with(pin.joint)
        held = limb is not None and limb.joints[2] == pin.joint
        if not held and not body.is_core(pin.joint) and pin.joint != 0:
            raise ValueError(f"pins: {body.skeleton.names[pin.joint]!r} cannot be held")
    return list(pins)


def _misses(pose: Pose, goals: Sequence[Pin]) -> tuple[Miss, ...]:
    """The goals and pins that were not met."""
    found = []
    for pin in goals:
        away = float(np.linalg.norm(pose.world.positions[pin.joint] - pin.position))
        off = 0.0 if pin.rotation is None else float(angle_between(pose.world.rotations[pin.joint], pin.rotation))
        if away > _MET_M or off > _MET_RAD:
            found.append(Miss(pin.joint, away if away > _MET_M else 0.0, off if off > _MET_RAD else 0.0))
    return tuple(found)


# ------------------------------------------------------------------------------------------------- head


def _aimed(frame: Array, start: Array, toward: Array) -> Array:
    """The turn of the head that takes its face from one world direction toward another, by yaw and pitch."""
    yaw, pitch = _yaw_pitch(frame, start)
    to_yaw, to_pitch = _yaw_pitch(frame, toward)
    most = max(_YAW_RAD, abs(yaw))
    behind = np.clip((np.pi - abs(to_yaw)) / (np.pi - max(_BEHIND_RAD, most)), 0.0, 1.0)
    to_yaw = np.clip(to_yaw, -most, most) * behind * behind * (3.0 - 2.0 * behind)
    steep = max(_PITCH_RAD, abs(pitch))
    to_pitch = np.clip(to_pitch, -steep, steep)
    return multiply(_facing(frame, to_yaw, to_pitch), conjugate(_facing(frame, yaw, pitch)))


def _yaw_pitch(frame: Array, direction: Array) -> tuple[float, float]:
    left, up, ahead = frame @ direction
    return float(np.arctan2(left, ahead)), float(np.arctan2(up, np.hypot(left, ahead)))


def _facing(frame: Array, yaw_rad: float, pitch_rad: float) -> Array:
    return multiply(from_axis_angle(frame[1], yaw_rad), from_axis_angle(frame[0], -pitch_rad))


def _neck_turned(pose: Pose, neck: tuple[int, ...], turned: Array) -> Pose:
    """The pose with the head turned in the world, each joint of the neck by an equal share."""
    result = pose
    for n, joint in enumerate(neck, start=1):
        result = _oriented(result, joint, multiply(power(turned, n / len(neck)), pose.world.rotations[joint]))
    return result


# ---------------------------------------------------------------------------------------------- vectors


def _unit(v: Array) -> Array:
    size = float(np.linalg.norm(v))
    return np.asarray(v / size) if size > 1e-12 else np.array([0.0, 1.0, 0.0])


def _across(v: Array, axis: Array) -> Array:
    return np.asarray(v - (v @ axis) * axis)


def _tuple(v: Array) -> Vector:
    x, y, z = v.tolist()
    return x, y, z
