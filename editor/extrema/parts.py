"""Which points of a body are looked at: parts of it, and what the rotation of a joint moves."""

import numpy as np

from model.arrays import Array
from model.motion import Motion
from model.roles import Role
from model.rotation import rotate
from model.skeleton import Skeleton

WHOLE_BODY = "whole body"
_LEGS = {"left leg": Role.LEFT_HIP, "right leg": Role.RIGHT_HIP}
_ARMS = {
    "left arm": (Role.LEFT_CLAVICLE, Role.LEFT_SHOULDER), "right arm": (Role.RIGHT_CLAVICLE, Role.RIGHT_SHOULDER)
}  # fmt: skip
PARTS = (WHOLE_BODY, "upper body", "legs", "arms", *_LEGS, *_ARMS)

# Joints nearer to their parent than this share of the body's size are at its place: they would count it twice.
_SAME_PLACE = 1e-3


def body_root(skeleton: Skeleton) -> int:
    """The joint from which the body's points are measured: the pelvis where it is known."""
    pelvis = skeleton.joint(Role.PELVIS)
    return 0 if pelvis is None else pelvis


def joints_of_part(skeleton: Skeleton, part: str) -> tuple[int, ...]:
    """The joints of a part of the body, without the root and without those in the same place as their parent.

    Raises ValueError where the body has no such part.
    """
    if part not in PARTS:
        raise ValueError(f"part is {part!r}; it must be one of {', '.join(PARTS)}")
    root = body_root(skeleton)
    body = [joint for joint in skeleton.subtree(root) if joint != root and not _at_parent(skeleton, joint)]
    if part == WHOLE_BODY:
        joints = set(body)
    elif part == "upper body":
        joints = set(body) - _below(skeleton, "left leg") - _below(skeleton, "right leg")
    elif part in ("legs", "arms"):
        joints = _below(skeleton, f"left {part[:-1]}") | _below(skeleton, f"right {part[:-1]}")
    else:
        joints = _below(skeleton, part)
    found = tuple(joint for joint in body if joint in joints)
    if not found:
        raise ValueError(f"this body has no {'joints that move' if part == WHOLE_BODY else part}")
    return found


def joint_points(motion: Motion, joint: int, in_parent: bool = False) -> Array:
    """(F, P, 3) what a joint's rotation moves, relative to the joint in world axes; in_parent : in those of its parent,
    where nothing but the joint's own rotation moves it.

    Its children, its tips, and for each of them a virtual one across it, equally long, which moves when the limb turns
    about itself (Coleman 2012, section 5.3.1). A joint that ends in nothing has two virtual ones.
    """
    skeleton = motion.skeleton
    children = [child for child in skeleton.children[joint] if not _at_parent(skeleton, child)]
    tips = [n for n, site in enumerate(skeleton.end_sites) if site.joint == joint and np.any(site.offset)]
    bones = [skeleton.offsets[child] for child in children] + [skeleton.end_sites[n].offset for n in tips]
    virtual = [across(bone) for bone in bones] or list(_size(skeleton) * np.eye(3)[:2])
    if in_parent:
        return np.stack([rotate(motion.local_rotations[:, joint], offset) for offset in [*bones, *virtual]], axis=1)
    world = motion.world
    points = [world.positions[:, child] - world.positions[:, joint] for child in children]
    points += [rotate(world.rotations[:, joint], offset) for offset in [*bones[len(children) :], *virtual]]
    return np.stack(points, axis=1)


def across(bone: Array) -> Array:
    """(3,) a vector across a bone (3,), as long as it."""
    least = np.eye(3)[np.argmin(np.abs(bone))]
    vector = np.cross(bone, least)
    return np.asarray(vector * (np.linalg.norm(bone) / np.linalg.norm(vector)))


def _below(skeleton: Skeleton, limb: str) -> set[int]:
    """The joints of an arm or leg, none where its roles are not known."""
    roles = (_LEGS[limb],) if limb in _LEGS else _ARMS[limb]
    tops = [joint for role in roles if (joint := skeleton.joint(role)) is not None]
    return set(skeleton.subtree(tops[0])) if tops else set()


def _at_parent(skeleton: Skeleton, joint: int) -> bool:
    return bool(np.linalg.norm(skeleton.offsets[joint]) <= _SAME_PLACE * _size(skeleton))


def _size(skeleton: Skeleton) -> float:
    """The mean length of bones, in metres."""
    lengths = np.linalg.norm(skeleton.offsets, axis=-1)[np.array(skeleton.parents) >= 0]
    return float(np.mean(lengths)) if np.any(lengths > 0.0) else 1.0
