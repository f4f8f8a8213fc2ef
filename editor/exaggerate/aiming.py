"""From bones that point elsewhere to a body that is turned so: no bone changes its length (Coleman 2012, figure 8.3b).

Each joint is turned as little as it must for the bones below it to point as they should, in the least-squares sense
where there are several (4.5). Turns of a bone about itself are not asked for and stay. Knees and elbows stay
hinges: the limb turns as a whole until its new plane fits, and none is bent the wrong way.
"""

from collections.abc import Collection

import numpy as np

from editor.exaggerate.anatomy import Anatomy
from model.arrays import Array
from model.kinematics import WorldPose, align, local_from_world
from model.monotone import ease
from model.rotation import between, conjugate, from_axis_angle, multiply, power, rotate

# Bent less than the first a limb has no plane of its own, bent more than the second it has.
_PLANE_RAD = np.radians([8.0, 25.0])
# Bent less than the first a limb is aimed by its end, bent more than the second by its upper bone.
_OPEN_RAD = np.radians([80.0, 120.0])
# No hinge is folded more than this, or than it already is.
_FOLDED_RAD = np.radians(150.0)


def aimed(
    anatomy: Anatomy,
    parents: tuple[int, ...],
    world: WorldPose,
    goals: Array,
    straightest_rad: Array,
    still: Collection[int] = (),
) -> Array:
    """(N, J, 4) world rotations with which bones point as goals do; joints that are `still` are not turned.

    world : of N poses; goals : (N, J, 3) where each joint should be, as far as directions go; straightest_rad : (L,)
    for each limb how far it must stay bent.
    """
    positions, rotations = world
    turns = np.zeros_like(rotations)  # what is applied after each joint's world rotation
    turns[..., 0] = 1.0
    uppers = {limb[0]: n for n, limb in enumerate(anatomy.limbs)}
    middles = {limb[1]: n for n, limb in enumerate(anatomy.limbs)}
    folds: dict[int, Array] = {}
    turning = set(anatomy.order) - set(still)
    for joint, parent in enumerate(parents):
        above = turns[:, parent] if parent >= 0 else turns[:, joint]
        turns[:, joint] = above
        if joint not in turning:
            continue
        now = np.stack([positions[:, end] - positions[:, start] for end, start in anatomy.aims[joint]], axis=1)
        goal = np.stack([goals[:, end] - goals[:, start] for end, start in anatomy.aims[joint]], axis=1)
        if joint in uppers:
            limb = anatomy.limbs[uppers[joint]]
            lower, lower_goal = (points[:, limb[2]] - points[:, limb[1]] for points in (positions, goals))
            turns[:, joint], folds[limb[1]] = _aim_limb(
                above, now[:, 0], lower, goal[:, 0], lower_goal, straightest_rad[uppers[joint]]
            )
        elif joint in middles:
            turns[:, joint] = multiply(between(rotate(above, now[:, 0]), folds[joint]), above)
        elif now.shape[1] == 1:
            turns[:, joint] = multiply(between(rotate(above, now[:, 0]), goal[:, 0]), above)
        else:
            carried = rotate(above[:, None], now)
            turns[:, joint] = multiply(align(carried, _as_long_as(carried, goal)), above)
    return multiply(turns, rotations)


def _as_long_as(vectors: Array, goals: Array) -> Array:
    """Goals (..., 3) with the lengths of vectors (..., 3)."""
    lengths, wanted = (np.linalg.norm(v, axis=-1, keepdims=True) for v in (vectors, goals))
    return np.where(wanted > 1e-12, goals * (lengths / np.maximum(wanted, 1e-12)), vectors)


def _aim_limb(
    above: Array, upper: Array, lower: Array, upper_goal: Array, lower_goal: Array, straightest_rad: float
) -> tuple[Array, Array]:
    """(N, 4) the turn of a limb's upper joint, and (N, 3) where its lower bone should point.

    above : (N, 4) the turn of what it hangs on; upper, lower : (N, 3) its bones as they were, and as they should be.
    """
    bent = _angle(upper, lower)
    turn = multiply(between(rotate(above, upper), upper_goal), above)
    along = _unit(rotate(turn, upper))
    fold, wanted = _across(rotate(turn, lower), along), _across(lower_goal, along)
    twist = np.arctan2(np.sum(np.cross(fold, wanted) * along, axis=-1), np.sum(fold * wanted, axis=-1))
    bent_goal = _angle(along, lower_goal)
    # Bent to the other side is straightened, not folded the wrong way.
    wrong = np.abs(twist) > 0.5 * np.pi
    bent_goal = np.where(wrong, 0.0, bent_goal)
    least = np.minimum(straightest_rad, bent)
    bent_goal = np.clip(bent_goal, least, np.maximum(_FOLDED_RAD, bent))
    share = ease((np.minimum(bent, bent_goal) - _PLANE_RAD[0]) / np.ptp(_PLANE_RAD)) * ~wrong
    turn = multiply(from_axis_angle(along, share * twist), turn)
    side = _unit(_across(rotate(turn, lower), along))
    aim = np.cos(bent_goal)[:, None] * along + np.sin(bent_goal)[:, None] * side
    # Where the limb ends counts for more than how its upper bone points: a leg that cannot come straighter would lean.
    length_upper, length_lower = (np.linalg.norm(bone, axis=-1, keepdims=True) for bone in (upper, lower))
    swing = between(length_upper * along + length_lower * aim, upper_goal + lower_goal)
    open_limb = ease((_OPEN_RAD[1] - bent_goal) / np.ptp(_OPEN_RAD))
    swing = power(swing, open_limb)
    return multiply(swing, turn), rotate(swing, aim)


def _angle(a: Array, b: Array) -> Array:
    return np.asarray(np.arctan2(np.linalg.norm(np.cross(a, b), axis=-1), np.sum(a * b, axis=-1)))


def _across(vectors: Array, along: Array) -> Array:
    return np.asarray(vectors - np.sum(vectors * along, axis=-1, keepdims=True) * along)


def _unit(vectors: Array) -> Array:
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.maximum(length, 1e-150))


def bends_rad(anatomy: Anatomy, positions: Array) -> Array:
    """(L,) how straight each limb gets, positions (F, J, 3): the angle by which it is bent there at least."""
    found = []
    for upper, middle, end in anatomy.limbs:
        bent = _angle(positions[:, middle] - positions[:, upper], positions[:, end] - positions[:, middle])
        found.append(float(np.percentile(bent, 1)) if len(bent) else 0.0)
    return np.array(found)


def local_turns(parents: tuple[int, ...], before: Array, after: Array) -> Array:
    """(N, J, 4) what local rotations are multiplied by, from the left, to get from world rotations to others.

    before, after : (N, J, 4). What is done to a joint is told in its parent's frame, as target poses have it.
    """
    return multiply(local_from_world(parents, after), conjugate(local_from_world(parents, before)))
