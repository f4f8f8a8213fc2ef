"""Joints as rows of a lane: their order, what they are called, and their colours."""

from model.roles import Role
from model.skeleton import Skeleton

_ARM = ("clavicle", "shoulder", "elbow", "wrist", "hand")
_LEG = ("hip", "knee", "ankle", "toe")
_ORDER = (
    Role.PELVIS, Role.SPINE, Role.CHEST, Role.NECK, Role.HEAD,
    *(Role(f"{side}_{part}") for parts in (_ARM, _LEG) for side in ("left", "right") for part in parts),
)  # fmt: skip
_ENOUGH = 8  # roles that make a body


def joints_in_order(skeleton: Skeleton) -> tuple[int, ...]:
    """Joints as one looks at a body: pelvis, spine and head, left arm, right arm, left leg, right leg.

    Helpers and fingers have no role and are left out; where roles are not known, all joints are there.
    """
    known = [joint for role in _ORDER if (joint := skeleton.joint(role)) is not None]
    return tuple(known) if len(known) >= _ENOUGH else tuple(range(len(skeleton)))


def joint_title(skeleton: Skeleton, joint: int) -> str:
    role = skeleton.roles[joint]
    return skeleton.names[joint] if role is None else role.value.replace("_", " ").capitalize()


def joint_colour(skeleton: Skeleton, joint: int) -> str:
    role = skeleton.roles[joint] or ""
    return "left" if role.startswith("left_") else "right" if role.startswith("right_") else "centre"
