"""What posing asks of a skeleton: its limbs, what carries each of them, and which way a pose faces."""

from dataclasses import dataclass

import numpy as np

from editor.contacts.feet import find_limb
from editor.posing.pose import Pose
from model.arrays import Array
from model.contacts import FEET, HANDS
from model.recent import recent
from model.roles import Role
from model.rotation import rotate
from model.skeleton import Skeleton


@dataclass(frozen=True)
class Limb:
    """An arm or a leg: joints : its upper, middle and end joint; is_leg, is_left : which of the four it is."""

    joints: tuple[int, int, int]
    is_leg: bool
    is_left: bool


@dataclass(frozen=True)
class Body:
    """A skeleton as posing sees it.

    limbs : those that can bend; trunk : joints that carry the upper body and can bend it, and the clavicles, but not
    what carries the legs; clavicles : those that carry one arm only; hub : the joint that carries both legs and trunk;
    neck : from the first joint that carries the head only up to the head.
    """

    skeleton: Skeleton
    limbs: tuple[Limb, ...]
    trunk: frozenset[int]
    clavicles: frozenset[int]
    hub: int
    neck: tuple[int, ...]

    def limb_with(self, joint: int) -> Limb | None:
        """The limb of which a joint is the upper, the middle or the end joint."""
        return next((limb for limb in self.limbs if joint in limb.joints), None)

    def carriers(self, joint: int) -> tuple[int, ...]:
        """The joints of the trunk that carry a joint, from the top down, not the joint itself."""
        return tuple(one for one in ancestors(self.skeleton, joint)[::-1] if one in self.trunk)

    def is_core(self, joint: int) -> bool:
        """Whether a joint belongs to the body itself: trunk, neck, head, pelvis, or the top of a limb."""
        below = {above for limb in self.limbs for above in (*ancestors(self.skeleton, limb.joints[0]), limb.joints[0])}
        return joint in below or joint in self.trunk or joint in self.neck


def ancestors(skeleton: Skeleton, joint: int) -> tuple[int, ...]:
    """The joints above a joint, its parent first."""
    found = []
    while (joint := skeleton.parents[joint]) >= 0:
        found.append(joint)
    return tuple(found)


@recent(32)
def body_of(skeleton: Skeleton) -> Body:
    """What a skeleton is to posing. One without roles has no limbs and no trunk, and can still be turned."""
    limbs = []
    for name in (*FEET, *HANDS):
        limb = find_limb(skeleton, name)
        if limb is not None and limb.bends is not None and _in_line(skeleton, limb.bends):
            limbs.append(Limb(limb.bends, name in FEET, name.startswith("left")))
    low = {joint for limb in limbs if limb.is_leg for joint in ancestors(skeleton, limb.joints[0])}
    pelvis = skeleton.joint(Role.PELVIS)
    if pelvis is not None:
        low |= {pelvis, *ancestors(skeleton, pelvis)}
    low |= {0}
    carried = [set(ancestors(skeleton, limb.joints[0])) for limb in limbs if not limb.is_leg]
    neck = _neck(skeleton, carried)
    carried_head = set(ancestors(skeleton, neck[0])) if neck else set()
    everything = set().union(*carried, carried_head) - low
    shared = set.intersection(*carried) if len(carried) == 2 else set()
    clavicles = set().union(*carried) - shared - carried_head - low
    above = [set(ancestors(skeleton, joint)) for joint in everything]
    hub = max(joint for joint in low if joint == 0 or (above and all(joint in one for one in above if one & low)))
    return Body(skeleton, tuple(limbs), frozenset(everything), frozenset(clavicles), hub, neck)


def _in_line(skeleton: Skeleton, joints: tuple[int, int, int]) -> bool:
    """Whether each of a limb's joints hangs below the one before, and the first on a body."""
    root, middle, end = joints
    return middle in ancestors(skeleton, end) and root in ancestors(skeleton, middle) and skeleton.parents[root] >= 0


def _neck(skeleton: Skeleton, carried: list[set[int]]) -> tuple[int, ...]:
    """The joints that carry the head and nothing else of the body, from the bottom up to the head."""
    head = skeleton.joint(Role.HEAD)
    if head is None:
        return ()
    others = set().union(*carried) | {0}
    neck_role = skeleton.joint(Role.NECK)
    above = [joint for joint in ancestors(skeleton, head) if joint not in others]
    if neck_role in above:
        above = above[: above.index(neck_role) + 1]
    return (*above[:3][::-1], head)


@dataclass(frozen=True, eq=False)
class Axes:
    """Which way a body or a part of it lies: unit vectors (3,) to its left, up and forward, at right angles."""

    left: Array
    up: Array
    forward: Array


def axes_of(skeleton: Skeleton, positions: Array, rotation: Array, of_legs: bool = False) -> Axes:
    """Which way the shoulders lie, or the hips. positions : (J, 3); rotation : (4,) of the root, for bodies that have
    neither."""
    pairs = [(Role.LEFT_SHOULDER, Role.RIGHT_SHOULDER), (Role.LEFT_HIP, Role.RIGHT_HIP)]
    left = np.zeros(3)
    for roles in pairs[::-1] if of_legs else pairs:
        one, other = (skeleton.joint(role) for role in roles)
        if one is not None and other is not None:
            left = positions[one] - positions[other]
            break
    up = _up(skeleton, positions)
    if up is None:
        up = rotate(rotation, np.array([0.0, 1.0, 0.0]))
    if np.linalg.norm(left) < 1e-6:
        left = rotate(rotation, np.array([1.0, 0.0, 0.0]))
    forward = np.cross(left, up)
    size = float(np.linalg.norm(forward))
    if size < 1e-9:
        return Axes(*(rotate(rotation, axis) for axis in np.eye(3)))
    forward = forward / size
    left = left / np.linalg.norm(left)
    return Axes(left, np.cross(forward, left), forward)


def _up(skeleton: Skeleton, positions: Array) -> Array | None:
    """From the hips to the shoulders, as far as there are such."""

    def found(*roles: Role) -> list[int]:
        return [joint for role in roles if (joint := skeleton.joint(role)) is not None]

    bottom = found(Role.LEFT_HIP, Role.RIGHT_HIP) or found(Role.PELVIS) or [0]
    top = found(Role.LEFT_SHOULDER, Role.RIGHT_SHOULDER) or found(Role.NECK) or found(Role.CHEST)
    if not top:
        return None
    up = np.mean(positions[top], axis=0) - np.mean(positions[bottom], axis=0)
    return np.asarray(up) if np.linalg.norm(up) > 1e-6 else None


def centre_of(limb: Limb, pose: Pose) -> Array:
    """(3,) the world direction about which a limb usually moves.

    How it lies is smooth but opposite of it: for legs through the belly and up behind, for arms through the chest and
    out behind the other shoulder, where neither gets.
    """
    axes = axes_of(pose.skeleton, pose.world.positions, pose.world.rotations[0], limb.is_leg)
    side = axes.left if limb.is_left else -axes.left
    centre = 0.3 * side + 0.5 * axes.forward - axes.up if limb.is_leg else side + axes.forward - 0.2 * axes.up
    return np.asarray(centre / np.linalg.norm(centre))


def natural_hinge(limb: Limb, pose: Pose) -> Array:
    """(3,) the world axis about which a limb folds whose hinge is not known: knees back, elbows forward and up."""
    axes = axes_of(pose.skeleton, pose.world.positions, pose.world.rotations[0], limb.is_leg)
    if limb.is_leg:
        return axes.left
    side = 1.0 if limb.is_left else -1.0
    return np.asarray(-axes.left - side * axes.up)
