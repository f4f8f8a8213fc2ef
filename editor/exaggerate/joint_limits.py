"""Joints kept within their limits: those that the file tells, and hinges that do not bend the wrong way.

Coleman 2012, section 8.3.3: where an edited joint is past its limit, what was done to it is lessened so that it is
there. A recording may be past its limits already; it need not get better, but does not get worse.
"""

from collections.abc import Sequence

import numpy as np

from editor.exaggerate.anatomy import Anatomy
from editor.exaggerate.stance import BodyFacts
from model.arrays import Array
from model.euler import to_euler
from model.motion import Motion
from model.rotation import (
    between,
    conjugate,
    from_axis_angle,
    from_rotation_vector,
    multiply,
    power,
    rotate,
    to_rotation_vector,
)
from model.skeleton import JointLimits, Skeleton

# Changes of an angle smaller than this are rounding.
_NOTHING_RAD = 1e-9
# How slowly a hinge gives way where it may not come straighter.
_EASE_S = 0.08
# Legs on the ground that are turned from upright by more than the first angle are turned on ever less, and never by
# more than the second farther.
_WIDE_RAD, _WIDER_RAD = np.radians(40.0), np.radians(25.0)


def within_limits(skeleton: Skeleton, joints: Sequence[int], local: Array, vectors: Array) -> Array:
    """Turns (..., N, 3) of joints lessened so far that they stay within the limits that are known.

    local : (..., N, 4) the joints' rotations; a turn is a rotation vector, applied after them.
    """
    result = vectors
    for n, joint in enumerate(joints):
        limits = skeleton.limits.get(joint)
        if limits is not None:
            result = np.array(vectors) if result is vectors else result
            result[..., n, :] = _limited(limits, local[..., n, :], vectors[..., n, :])
    return result


def _limited(limits: JointLimits, local: Array, vectors: Array) -> Array:
    """Turns (..., 3) of one joint, whose rotations (..., 4) stay within its limits about its own axes."""
    now = limit_angles(limits, local)
    then = limit_angles(limits, multiply(from_rotation_vector(vectors), local))
    change = np.remainder(then - now + np.pi, 2.0 * np.pi) - np.pi
    room = np.where(change > 0.0, np.maximum(limits.high - now, 0.0), np.maximum(now - limits.low, 0.0))
    size = np.abs(change)
    shares = np.where(size > _NOTHING_RAD, np.minimum(room / np.maximum(size, _NOTHING_RAD), 1.0), 1.0)
    share = np.min(shares, axis=-1, keepdims=True)
    return np.asarray(vectors * share)


def limit_angles(limits: JointLimits, local: Array) -> Array:
    """(..., N) the angles of rotations (..., 4) about the N axes that have limits."""
    own = multiply(multiply(conjugate(limits.frame), local), limits.frame)
    products = limits.axes[::-1]  # the first turns first
    missing = [axis for axis in "XYZ" if axis not in products]
    # Of the ways to write a rotation, that nearest to the middle of what is allowed.
    middle = np.nan_to_num(0.5 * (limits.low + limits.high), posinf=0.0, neginf=0.0)[::-1]
    nearest = np.broadcast_to(np.concatenate([middle, np.zeros(len(missing))]), (*local.shape[:-1], 3))
    angles = to_euler(own, products + "".join(missing), nearest)
    return np.asarray(angles[..., : len(products)][..., ::-1])


def within_stride(anatomy: Anatomy, skeleton: Skeleton, bones: Array, spread: Array) -> Array:
    """Spread bones (N, J, 3), legs turned back to where people can still stand on them.

    bones : (N, J, 3) as they were, by which legs may stay as wide as they are. Both from each joint's parent, Y up.
    """
    result = spread
    for upper, _, end in anatomy.legs:
        chain = list(skeleton.chain(upper, end)[1:])
        was, goal = (np.sum(vectors[:, chain], axis=1) for vectors in (bones, spread))
        wide, wider = _from_down(was), _from_down(goal)
        start = np.maximum(_WIDE_RAD, wide)
        beyond = np.maximum(wider - start, 0.0)
        if np.any(beyond):
            back = beyond + _WIDER_RAD * np.expm1(-beyond / _WIDER_RAD)
            down = np.broadcast_to([0.0, -1.0, 0.0], goal.shape)
            turn = power(between(goal, down), back / np.maximum(wider, 1e-9))
            result = np.array(spread) if result is spread else result
            below = list(skeleton.subtree(upper)[1:])
            result[:, below] = rotate(turn[:, None], result[:, below])
    return result


def _from_down(vectors: Array) -> Array:
    """(N,) the angles of vectors (N, 3) from straight down."""
    return np.asarray(np.arctan2(np.hypot(vectors[:, 0], vectors[:, 2]), -vectors[:, 1]))


def unfolded_wrongly(anatomy: Anatomy, motion: Motion, joints: Sequence[int], vectors: Array, body: BodyFacts) -> Array:
    """Turns (F, N, 3) of joints, those of hinges lessened so that knees and elbows come no straighter than they may.

    body : of the motion, in which limbs are straight as far as they may be. What makes a limb straighter is used up
    smoothly on the way there; what folds it stays as it is.
    """
    hinges, result = body.hinges, vectors
    for limb, least in zip(anatomy.limbs, body.straight, strict=True):
        upper, middle, end = limb
        if middle not in joints or upper not in hinges:
            continue
        n = list(joints).index(middle)
        axis = hinges[upper]
        bone, below = motion.skeleton.offsets[middle], motion.skeleton.offsets[motion.skeleton.chain(middle, end)[1]]
        local = motion.local_rotations[:, middle]
        turned = multiply(from_rotation_vector(vectors[:, n]), local)
        now, then = (_folded(axis, bone, rotate(rotations, below)) for rotations in (local, turned))
        room = np.maximum(now - least, 0.0)
        by = np.maximum(now - then, 0.0)
        allowed = room * -np.expm1(-by / np.maximum(room, 1e-6))
        back = _smooth_above(by - allowed, motion.frame_time_s)
        if np.max(back, initial=0.0) > _NOTHING_RAD:
            result = np.array(vectors) if result is vectors else result
            turned = multiply(from_axis_angle(axis, back), turned)
            result[:, n] = to_rotation_vector(multiply(turned, conjugate(local)))
    return result


def _smooth_above(values: Array, frame_time_s: float) -> Array:
    """(F,) a smooth curve nowhere below values (F,), which are zero or more."""
    if not np.any(values):
        return values
    from scipy.ndimage import maximum_filter1d, uniform_filter1d

    half = max(1, round(0.5 * _EASE_S / frame_time_s))
    most = maximum_filter1d(values, 4 * half + 1, mode="nearest")
    for _ in range(2):
        most = uniform_filter1d(most, 2 * half + 1, mode="nearest")
    return np.asarray(most)


def _folded(axis: Array, bone: Array, below: Array) -> Array:
    """(F,) by which angle a limb is folded about its hinge. bone : (3,), below : (F, 3) in the upper one's frame."""
    return np.asarray(np.arctan2(np.cross(bone, below) @ axis, below @ bone))
