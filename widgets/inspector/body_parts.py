"""The parts of a body that a person names: arms, legs, head, trunk, and the joints of each."""

from dataclasses import dataclass

from model.roles import Role
from model.skeleton import JointRef, Skeleton

# A part is all that hangs below the first of these joints that a body has.
_PARTS = (
    ("Head", (Role.NECK, Role.HEAD)),
    ("Left arm", (Role.LEFT_CLAVICLE, Role.LEFT_SHOULDER)),
    ("Right arm", (Role.RIGHT_CLAVICLE, Role.RIGHT_SHOULDER)),
    ("Left leg", (Role.LEFT_HIP,)),
    ("Right leg", (Role.RIGHT_HIP,)),
)


@dataclass(frozen=True)
class BodyPart:
    """A part and its joints."""

    label: str
    joints: frozenset[int]


def body_parts(skeleton: Skeleton) -> tuple[BodyPart, ...]:
    """The parts that a body has: limbs, head, and the trunk with what is left. None for what is not a person."""
    parts = []
    for label, tops in _PARTS:
        top = next((joint for role in tops if (joint := skeleton.joint(role)) is not None), None)
        if top is not None:
            parts.append(BodyPart(label, frozenset(skeleton.subtree(top))))
    if not parts:
        return ()
    rest = frozenset(range(len(skeleton))).difference(*(part.joints for part in parts))
    return (BodyPart("Trunk", rest), *parts) if rest else tuple(parts)


def refs_of(skeleton: Skeleton, joints: frozenset[int]) -> tuple[JointRef, ...] | None:
    """How an edit speaks of some joints; None for all of them."""
    if len(joints) == len(skeleton):
        return None
    return tuple(skeleton.ref(joint) for joint in sorted(joints))
