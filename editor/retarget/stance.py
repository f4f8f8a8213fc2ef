"""The stance: how each joint of a skeleton is turned when the body stands in a T-pose, facing +Z, soles on the floor.

It is what bodies have in common. Two joints that have turned by the same rotation since their stance are posed alike,
whatever their axes, names and rest poses are. In many files the rest pose is a body (T, A, legs apart), and the stance
follows from it. In others all bones lie along one axis and joints' frames are turned against each other by quarter
turns; there the motion has to tell which.
"""

from dataclasses import dataclass
from itertools import pairwise, permutations, product

import numpy as np

from editor.contacts.detect import find_contacts
from editor.contacts.feet import find_limb, limb_points
from model.arrays import Array
from model.contacts import FEET, HANDS, Contacts
from model.kinematics import forward
from model.motion import Motion
from model.placing import headings_rad
from model.roles import Role
from model.rotation import (
    IDENTITY,
    between,
    conjugate,
    from_axis_angle,
    from_matrix,
    multiply,
    rotate,
    slerp,
    swing_twist,
)  # fmt: skip
from model.skeleton import Skeleton

X, Y, Z = np.eye(3)
# A rest pose is a standing body where its trunk and its legs are this upright, as cosines.
_TRUNK_UPRIGHT, _LEG_UPRIGHT = 0.85, 0.7
# Frames are turned against each other by quarter turns; what a motion shows differs from these by its mean posture.
_QUARTER_TURN_RAD = np.radians(40.0)
# An axis of a joint is the one meant where it is this near to what bones show.
_AXIS_RAD = np.radians(35.0)
# A bone lies along an axis where this share of it does.
_ALONG_AXIS = 0.999
# What frames of a trunk may be turned sideways by.
_SIDEWAYS_RAD = np.radians(60.0)
_TRUNK = (Role.SPINE, Role.CHEST, Role.NECK, Role.HEAD)
# How far in front of the hips the shoulders of a body are that stands, as an angle from upright.
_UPRIGHT_RAD = np.radians(-2.5)
# Less than this is not worth a correction.
_LEANING_RAD = np.radians(4.0)
# How far necks, and heads from their joint to their top, lean forward then, at most.
_LEANS_RAD = {Role.NECK: np.radians(22.0), Role.HEAD: np.radians(10.0)}
# So many frames of a motion say enough of it.
_ENOUGH_FRAMES = 600
# A foot stands flat where its ankle is slower than this, m/s, and its lowest point this near to the ground.
_FLAT_SPEED, _FLAT_M = 0.15, 0.04
_FEWEST_FLAT = 5
# A flat foot is no more tilted against the rest pose's than this.
_TILT_RAD = np.radians(20.0)
# How far down the ankle-to-toe bone of a flat foot points, where nothing tells, and at most.
_FOOT_PITCH_RAD, _STEEPEST_RAD = np.radians(25.0), np.radians(45.0)
# A hinge is known where the bends that were seen agree this much.
_AGREEMENT = 0.5


def find_stance(skeleton: Skeleton, motion: Motion | None = None, contacts: Contacts | None = None) -> Array:
    """(J, 4) world rotations that put a skeleton into its stance.

    motion : one of this skeleton, if there is any; contacts : of the motion, found where they are not given.
    """
    base = _standing_base(skeleton, motion)
    if base is not None:
        world = _facing_ahead(skeleton, base)
        feet = world.copy()
        _align_limbs(skeleton, world, None)
    else:
        world = _from_motion(skeleton, motion)
        _align_limbs(skeleton, world, motion)
        feet = world
    flat = {} if motion is None or motion.frames < 3 else _flat_feet(motion, contacts or find_contacts(motion))
    _set_feet(skeleton, world, feet, flat, base is not None)
    return world


def stance_positions(skeleton: Skeleton, stance: Array) -> Array:
    """(J, 3) where the joints are in the stance, the first at its rest position."""
    positions = np.array(skeleton.offsets)
    for joint, parent in enumerate(skeleton.parents):
        if parent >= 0:
            positions[joint] = positions[parent] + rotate(stance[parent], skeleton.offsets[joint])
    return positions


# ------------------------------------------------------------------------------------------ standing rest poses


def _standing_base(skeleton: Skeleton, motion: Motion | None) -> Array | None:
    """(J, 4) world rotations of a rest pose in which the body stands, None where there is none."""
    poses = [np.tile(IDENTITY, (len(skeleton), 1))]
    if motion is not None and motion.rest is not None:
        poses.append(motion.rest.local_rotations)
    for local in poses:
        world = forward(skeleton.parents, np.zeros(3), local, skeleton.offsets)
        if _stands(skeleton, world.positions):
            return np.array(world.rotations)
    return None


def _stands(skeleton: Skeleton, positions: Array) -> bool:
    """Whether the trunk points up and the legs down. positions : (J, 3)."""
    pelvis, across = skeleton.joint(Role.PELVIS), _across_hips(skeleton, positions)
    tops = [joint for role in (Role.NECK, Role.HEAD, Role.CHEST) if (joint := skeleton.joint(role)) is not None]
    if pelvis is None or not tops or abs(across[1]) > 0.3 * np.linalg.norm(across):
        return False
    if _cosine(positions[tops[0]] - positions[pelvis], Y) < _TRUNK_UPRIGHT:
        return False
    for name in FEET:
        limb = find_limb(skeleton, name)
        if limb is None or limb.root is None:
            continue
        if _cosine(positions[limb.end] - positions[limb.root], -Y) < _LEG_UPRIGHT:
            return False
    return True


def _facing_ahead(skeleton: Skeleton, base: Array) -> Array:
    """A standing pose turned about Y so that left is at +X."""
    positions = stance_positions(skeleton, base)
    across = _across_hips(skeleton, positions)
    yaw = np.arctan2(across[2], across[0]) if np.hypot(across[0], across[2]) > 1e-6 else 0.0
    return multiply(from_axis_angle(Y, yaw), base)


def _across_hips(skeleton: Skeleton, positions: Array) -> Array:
    """(3,) from right to left, over hips, else shoulders, else nothing."""
    for left, right in ((Role.LEFT_HIP, Role.RIGHT_HIP), (Role.LEFT_SHOULDER, Role.RIGHT_SHOULDER)):
        one, other = skeleton.joint(left), skeleton.joint(right)
        if one is not None and other is not None and np.linalg.norm(positions[one] - positions[other]) > 1e-6:
            return np.asarray(positions[one] - positions[other])
    return np.zeros(3)


# ------------------------------------------------------------------------------- rest poses that are none


def _from_motion(skeleton: Skeleton, motion: Motion | None) -> Array:
    """(J, 4) world rotations of joints whose frames are turned against each other as a motion shows."""
    joints = len(skeleton)
    local = np.tile(IDENTITY, (joints, 1))
    if motion is not None and motion.frames:
        local = _to_quarter_turns(_mean_rotations(_some(motion.local_rotations)))
    world = np.empty((joints, 4))
    for joint, parent in enumerate(skeleton.parents):
        world[joint] = local[joint] if parent < 0 else multiply(world[parent], local[joint])
    # What hangs on the pelvis tells where its left and its upper side are.
    pelvis = skeleton.joint(Role.PELVIS) or 0
    spine = next(
        (one for role in (Role.SPINE, Role.CHEST, Role.NECK) if (one := skeleton.joint(role)) is not None), None
    )
    rest = _rest_below(skeleton, pelvis, local)
    left = _nearest_axis(_across_hips(skeleton, rest))
    up = np.zeros(3) if spine is None else rest[spine] - rest[pelvis]
    up = _nearest_axis(up - np.dot(up, left) * left)
    if np.linalg.norm(left) < 0.5 or np.linalg.norm(up) < 0.5:
        return world
    ahead = np.cross(left, up)
    wanted = from_matrix(np.stack([left, up, ahead]))  # rows: the pelvis' axes that become X, Y and Z
    world = multiply(multiply(wanted, conjugate(world[pelvis])), world)
    if motion is not None and motion.frames and not _lies_along_axes(skeleton):
        _straighten_trunk(skeleton, world, motion)
    return world


def _between_roles(skeleton: Skeleton) -> list[tuple[int, tuple[int, int]]]:
    """The joints of the trunk that have no role, each with those below and above it that have one."""
    pelvis, found = skeleton.joint(Role.PELVIS), []
    for low, high in pairwise([joint for joint in (pelvis, *_trunk(skeleton)) if joint is not None]):
        if high in skeleton.subtree(low):
            found += [(joint, (low, high)) for joint in skeleton.chain(low, high)[1:-1]]
    return found


def _upward_bone(skeleton: Skeleton, joint: int, above: int | None) -> Array:
    """(3,) from a joint of the trunk to the next, from the last to its tip, in its frame; zero where there is none."""
    if above is not None and skeleton.parents[above] == joint:
        return np.asarray(skeleton.offsets[above])
    tips = [site.offset for site in skeleton.end_sites if site.joint == joint]
    return tips[0] if above is None and tips else np.zeros(3)


def _lean_rad(role: Role | None, bone: Array, seen: Array) -> float:
    """How far a bone of the trunk leans forward in the stance: upright, but necks and heads lean as they are seen to,
    within reason, unless their bones lie along axes: such bodies were built and not measured.

    bone : (3,) in its joint's frame; seen : (4,) how that is turned on average.
    """
    most = 0.0 if role is None else _LEANS_RAD.get(role, 0.0)
    if most == 0.0 or np.max(np.abs(bone)) > _ALONG_AXIS * np.linalg.norm(bone):
        return 0.0
    forward = rotate(seen, bone)
    return float(np.clip(np.arctan2(forward[2], forward[1]), 0.0, most))


def _trunk(skeleton: Skeleton) -> list[int]:
    return [joint for role in _TRUNK if (joint := skeleton.joint(role)) is not None]


def _lies_along_axes(skeleton: Skeleton) -> bool:
    """Whether the bones of the trunk lie along axes of their joints, which then are the body's."""
    bones = [skeleton.offsets[joint] for joint in _trunk(skeleton)[1:]]
    return all(np.max(np.abs(bone)) > _ALONG_AXIS * np.linalg.norm(bone) for bone in bones)


def _straighten_trunk(skeleton: Skeleton, world: Array, motion: Motion) -> None:
    """Set the trunk of a skeleton whose joints' axes are not the body's: upright bones that face ahead.

    What turns or bends them sideways on average are their frames: people do not. How far they bend forward on average
    is posture. `world` (J, 4) is changed.
    """
    ahead = _some(from_axis_angle(Y, -headings_rad(motion)))

    def seen(joint: int) -> Array:
        return np.asarray(_mean_rotations(multiply(ahead, _some(motion.world.rotations[:, joint]))[:, None])[0])

    joints: list[int | None] = [*_trunk(skeleton), None]
    for joint, above in pairwise(joints):
        assert joint is not None
        forward_bend = swing_twist(multiply(seen(joint), conjugate(world[joint])), X)[1]
        straight = multiply(conjugate(forward_bend), seen(joint))
        if _angle(straight, world[joint]) < _SIDEWAYS_RAD:
            world[joint] = straight
        offset = _upward_bone(skeleton, joint, above)
        bone = rotate(world[joint], offset)
        bend_rad = np.arctan2(bone[2], bone[1]) - _lean_rad(skeleton.roles[joint], offset, seen(joint))
        if np.hypot(bone[1], bone[2]) > 1e-3 and abs(bend_rad) < _AXIS_RAD:
            world[joint] = multiply(from_axis_angle(X, -bend_rad), world[joint])
    for joint, ends in _between_roles(skeleton):  # which bend halfway between their neighbours, on average
        low, high = (multiply(seen(end), conjugate(world[end])) for end in ends)
        world[joint] = multiply(conjugate(slerp(low, high, 0.5)), seen(joint))
    for role in (Role.LEFT_CLAVICLE, Role.RIGHT_CLAVICLE):  # as they are on average, they are at rest
        clavicle = skeleton.joint(role)
        if clavicle is not None and (above := skeleton.parents[clavicle]) >= 0:
            mean = _mean_rotations(_some(motion.local_rotations[:, clavicle])[:, None])[0]
            world[clavicle] = multiply(world[above], mean)
    _lean_upright(skeleton, world)


def _lean_upright(skeleton: Skeleton, world: Array) -> None:
    """Lean the spine as a whole so that shoulders are over hips: spines often start far behind these.

    `world` (J, 4) is changed.
    """
    roles = (Role.LEFT_HIP, Role.RIGHT_HIP, Role.LEFT_SHOULDER, Role.RIGHT_SHOULDER)
    ends = [joint for role in roles if (joint := skeleton.joint(role)) is not None]
    spine, neck = skeleton.joint(Role.SPINE), skeleton.joint(Role.NECK)
    if len(ends) < len(roles) or spine is None:
        return
    above = () if neck is None else skeleton.subtree(neck)  # which keeps looking ahead
    joints = [joint for joint in skeleton.subtree(spine) if joint not in above]
    for turn in range(3):  # joints turn about other places than the hips: what is left is turned again
        positions = stance_positions(skeleton, world)
        hips, shoulders = np.mean(positions[ends[:2]], axis=0), np.mean(positions[ends[2:]], axis=0)
        line = shoulders - hips
        if turn == 0 and abs(np.arctan2(line[2], line[1]) - _UPRIGHT_RAD) < _LEANING_RAD:
            return
        world[joints] = multiply(from_axis_angle(X, _UPRIGHT_RAD - np.arctan2(line[2], line[1])), world[joints])


def _rest_below(skeleton: Skeleton, top: int, local: Array) -> Array:
    """(J, 3) joints in the frame of `top`, those that do not hang on it at zero."""
    positions, rotations = np.zeros((len(skeleton), 3)), np.tile(IDENTITY, (len(skeleton), 1))
    for joint in skeleton.subtree(top)[1:]:
        parent = skeleton.parents[joint]
        positions[joint] = positions[parent] + rotate(rotations[parent], skeleton.offsets[joint])
        rotations[joint] = multiply(rotations[parent], local[joint])
    return positions


def _some(values: Array) -> Array:
    """A part of the frames of (F, ...), evenly spread."""
    return values[:: max(1, len(values) // _ENOUGH_FRAMES)]


def _mean_rotations(rotations: Array) -> Array:
    """(J, 4) the means of (F, J, 4): of each the largest eigenvector of its scatter."""
    scatter = np.einsum("fja,fjb->jab", rotations, rotations)
    return np.asarray(np.linalg.eigh(scatter)[1][..., -1])


def _quarter_turns() -> Array:
    """(24, 4) every rotation that takes axes to axes."""
    found = []
    for order in permutations(range(3)):
        for signs in product((1.0, -1.0), repeat=3):
            matrix = np.zeros((3, 3))
            matrix[range(3), order] = signs
            if np.linalg.det(matrix) > 0.0:
                found.append(from_matrix(matrix))
    return np.array(found)


def _to_quarter_turns(rotations: Array) -> Array:
    """Rotations (J, 4), those near a quarter turn replaced by it."""
    turns = _quarter_turns()
    likeness = np.abs(rotations @ turns.T)
    nearest = turns[np.argmax(likeness, axis=1)]
    near = np.max(likeness, axis=1) > np.cos(0.5 * _QUARTER_TURN_RAD)
    return np.where(near[:, None], nearest, rotations)


def _nearest_axis(v: Array) -> Array:
    """(3,) the axis that a vector nearly lies along, its own direction where none is near, zero where it has none."""
    length = float(np.linalg.norm(v))
    if length < 1e-9:
        return np.zeros(3)
    axis = np.zeros(3)
    largest = int(np.argmax(np.abs(v)))
    axis[largest] = np.sign(v[largest])
    return axis if _cosine(v, axis) > np.cos(_AXIS_RAD) else np.asarray(v / length)


# ---------------------------------------------------------------------------------------------------- limbs


@dataclass(frozen=True, eq=False)
class _Straight:
    """How a limb lies in the stance: the way its bones point, and the axis about which it folds."""

    bone: Array
    hinge: Array


_LEG = _Straight(-Y, X)
_ARMS = {"left_hand": _Straight(X, -Y), "right_hand": _Straight(-X, Y)}


def _align_limbs(skeleton: Skeleton, world: Array, motion: Motion | None) -> None:
    """Turn arms and legs, with all that hangs on them, to lie as in the stance; `world` (J, 4) is changed.

    Without a motion bones swing the shortest way; with one, which frames without a rest pose need, the axes about
    which they fold are set too.
    """
    for name in (*FEET, *HANDS):
        limb = find_limb(skeleton, name)
        if limb is None or limb.bends is None:
            continue
        root, middle, end = limb.bends
        straight = _LEG if name in FEET else _ARMS[name]
        for joint, below in ((root, middle), (middle, end)):
            bone = _bone(skeleton, world, joint, below)
            hinge = None if motion is None else _seen_hinge(motion, limb.bends, joint)
            if hinge is not None:
                hinge = rotate(world[joint], hinge)
            turn = between(bone, straight.bone) if hinge is None else _onto(bone, hinge, straight)
            below_it = list(skeleton.subtree(joint))
            world[below_it] = multiply(turn, world[below_it])


def _bone(skeleton: Skeleton, world: Array, joint: int, below: int) -> Array:
    """(3,) from a joint to one that hangs below it, in the world."""
    bone = np.zeros(3)
    for one in skeleton.chain(joint, below)[1:]:
        bone = bone + rotate(world[skeleton.parents[one]], skeleton.offsets[one])
    return bone


def _seen_hinge(motion: Motion, joints: tuple[int, int, int], of: int) -> Array | None:
    """(3,) the axis about which a limb folds, in the frame of one of its joints; None where a motion does not tell."""
    positions = _some(motion.world.positions[:, list(joints)])
    root, middle, end = positions[:, 0], positions[:, 1], positions[:, 2]
    folds = rotate(conjugate(_some(motion.world.rotations[:, of])), np.cross(middle - root, end - middle))
    total = np.sum(folds, axis=0)
    if np.linalg.norm(total) < max(_AGREEMENT * float(np.sum(np.linalg.norm(folds, axis=-1))), 1e-6):
        return None
    return _nearest_axis(total)


def _onto(bone: Array, hinge: Array, straight: _Straight) -> Array:
    """(4,) the rotation that lays a bone and its hinge as they lie in the stance; the bone exactly."""
    swing = between(bone, straight.bone)
    across = rotate(swing, hinge)
    across = across - np.dot(across, straight.bone) * straight.bone
    angle = np.arctan2(np.dot(np.cross(across, straight.hinge), straight.bone), np.dot(across, straight.hinge))
    return multiply(from_axis_angle(straight.bone, angle), swing)


# ----------------------------------------------------------------------------------------------------- feet


def _set_feet(skeleton: Skeleton, world: Array, base: Array, flat: dict[str, Array], rest_is_flat: bool) -> None:
    """Put feet flat on the floor, pointing ahead; `world` (J, 4) is changed.

    flat : how feet are turned where a motion shows them flat, by name. Others are turned as in `base`, a pose in which
    they are flat if `rest_is_flat`; else they are tilted as the other one, or as people's.
    """
    pitches = [_pitch_rad(_foot_bone(skeleton, seen, name)) for name, seen in flat.items()]
    pitch_rad = pitches[0] if pitches else _FOOT_PITCH_RAD
    for name in FEET:
        limb = find_limb(skeleton, name)
        if limb is None:
            continue
        foot = list(skeleton.subtree(limb.end))
        bone = _foot_bone(skeleton, world if not rest_is_flat else base, name)
        seen = flat.get(name)
        if bone is None:
            world[foot] = base[foot]
            continue
        flat_in_base = multiply(from_axis_angle(Y, -np.arctan2(bone[0], bone[2])), base[foot])
        if seen is not None and (not rest_is_flat or _angle(flat_in_base[0], seen[limb.end]) < _TILT_RAD):
            world[foot] = seen[foot]
        elif rest_is_flat:
            world[foot] = flat_in_base
        else:
            ahead = np.array([0.0, -np.sin(pitch_rad), np.cos(pitch_rad)])
            world[foot] = multiply(between(bone, ahead), world[foot])


def _foot_bone(skeleton: Skeleton, world: Array, name: str) -> Array | None:
    """(3,) from ankle to toe, or to the tip, None where there is neither."""
    limb = find_limb(skeleton, name)
    assert limb is not None
    if limb.toe is not None:
        bone = _bone(skeleton, world, limb.end, limb.toe)
    else:
        tip = next((site.offset for site in skeleton.end_sites if site.joint == limb.end), None)
        bone = np.zeros(3) if tip is None else rotate(world[limb.end], tip)
    return bone if np.hypot(bone[0], bone[2]) > 1e-4 or np.linalg.norm(bone) > 1e-3 else None


def _pitch_rad(bone: Array | None) -> float:
    """How far a bone points down from level."""
    return 0.0 if bone is None else float(np.arctan2(-bone[1], np.hypot(bone[0], bone[2])))


def _flat_feet(motion: Motion, contacts: Contacts) -> dict[str, Array]:
    """For feet that are seen to stand flat, (J, 4) how its joints are turned then, the foot pointing ahead."""
    found = {}
    for name in FEET:
        limb = find_limb(motion.skeleton, name)
        if limb is None:
            continue
        points = limb_points(motion, limb)
        if points.shape[1] < 2:
            continue
        speed = np.linalg.norm(np.gradient(points[:, 0], motion.frame_time_s, axis=0), axis=-1)
        low = np.abs(np.min(points[..., 1], axis=1) - contacts.ground_m) < _FLAT_M
        flat = np.flatnonzero(contacts.mask(name) & (speed < _FLAT_SPEED) & low)
        if len(flat) < _FEWEST_FLAT:
            continue
        flat = flat[:: max(1, len(flat) // _ENOUGH_FRAMES)]
        bone = points[flat, 1] - points[flat, 0]
        ahead = from_axis_angle(Y, -np.arctan2(bone[:, 0], bone[:, 2]))
        turned = np.tile(IDENTITY, (len(motion.skeleton), 1))
        if not 0.0 <= _pitch_rad(np.mean(bone, axis=0)) <= _STEEPEST_RAD:
            continue  # on tiptoe, or none
        for joint in motion.skeleton.subtree(limb.end):
            turned[joint] = _mean_rotations(multiply(ahead, motion.world.rotations[flat, joint])[:, None])[0]
        found[name] = turned
    return found


def _cosine(u: Array, v: Array) -> float:
    size = float(np.linalg.norm(u) * np.linalg.norm(v))
    return float(np.dot(u, v)) / size if size > 1e-12 else 0.0


def _angle(a: Array, b: Array) -> float:
    return float(2.0 * np.arccos(min(1.0, abs(float(np.dot(a, b))))))
