"""What exaggeration asks of a body: which joints it turns, what each of them aims, and which part each belongs to."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from editor.contacts.feet import find_limb
from editor.extrema.parts import body_root
from model.contacts import FEET, HANDS
from model.recent import recent
from model.roles import Role
from model.skeleton import Skeleton

# The parts of a body that have weights of their own.
PARTS = ("head", "trunk", "left_arm", "right_arm", "left_leg", "right_leg")
LEGS = ("left_leg", "right_leg")
_TOPS = {
    "head": (Role.NECK, Role.HEAD),
    "left_arm": (Role.LEFT_CLAVICLE, Role.LEFT_SHOULDER),
    "right_arm": (Role.RIGHT_CLAVICLE, Role.RIGHT_SHOULDER),
    "left_leg": (Role.LEFT_HIP,),
    "right_leg": (Role.RIGHT_HIP,),
}
# Bones shorter than this share of the longest have no direction.
_SHORT = 1e-3


@dataclass(frozen=True)
class Anatomy:
    """A skeleton as exaggeration sees it.

    order : joints that it turns, parents first; aims : for each of them the joints that its turn brings into place,
    each with the joint that it is seen from; limbs : (upper, middle, end) joints of arms and legs, of which the middle
    one is a hinge; parts : (J) the part of each joint, trunk where nothing else is known.
    """

    root: int
    order: tuple[int, ...]
    aims: Mapping[int, tuple[tuple[int, int], ...]]
    limbs: tuple[tuple[int, int, int], ...]
    parts: tuple[str, ...]

    @property
    def legs(self) -> tuple[tuple[int, int, int], ...]:
        """Those of the limbs that are legs."""
        return tuple(limb for limb in self.limbs if self.parts[limb[1]] in LEGS)


@recent(8)
def anatomy_of(skeleton: Skeleton) -> Anatomy:
    """The body, without what is above its pelvis or below its wrists and ankles."""
    root = body_root(skeleton)
    limbs = [limb for name in (*FEET, *HANDS) if (limb := find_limb(skeleton, name)) is not None]
    bends = tuple(limb.bends for limb in limbs if limb.bends is not None)
    ends = {limb.end for limb in limbs}
    beyond = {joint for end in ends for joint in skeleton.subtree(end)[1:]}
    # What lies between hip and knee, or pelvis and hip, goes along with the joint above.
    between = {joint for upper, middle, end in bends for joint in _inside(skeleton, upper, middle, end)}
    for upper, _, end in bends:
        if skeleton.roles[end] in (Role.LEFT_ANKLE, Role.RIGHT_ANKLE) and upper in skeleton.subtree(root)[1:]:
            between |= set(skeleton.chain(root, upper)[1:-1])
    aims = {}
    for joint in skeleton.subtree(root):
        if joint not in beyond and joint not in between:
            found = _aims(skeleton, joint)
            if found:
                aims[joint] = found
    for upper, middle, end in bends:
        aims[upper], aims[middle] = ((middle, upper),), ((end, middle),)
    return Anatomy(root, tuple(sorted(aims)), aims, bends, _parts(skeleton))


def _inside(skeleton: Skeleton, upper: int, middle: int, end: int) -> tuple[int, ...]:
    return (*skeleton.chain(upper, middle)[1:-1], *skeleton.chain(middle, end)[1:-1])


def _aims(skeleton: Skeleton, joint: int) -> tuple[tuple[int, int], ...]:
    """The joints next to a joint, each with where it is seen from: through joints that are in the same place."""
    least = _SHORT * float(
        np.max(np.linalg.norm(skeleton.offsets, axis=-1)[np.array(skeleton.parents) >= 0], initial=0)
    )
    found: list[tuple[int, int]] = []
    waiting = list(skeleton.children[joint])
    while waiting:
        child = waiting.pop(0)
        if np.linalg.norm(skeleton.offsets[child]) > least:
            found.append((child, joint))
        else:
            waiting += skeleton.children[child]
    return tuple(found)


def _parts(skeleton: Skeleton) -> tuple[str, ...]:
    parts = ["trunk"] * len(skeleton)
    for part, roles in _TOPS.items():
        top = next((joint for role in roles if (joint := skeleton.joint(role)) is not None), None)
        for joint in () if top is None else skeleton.subtree(top):
            parts[joint] = part
    return tuple(parts)
