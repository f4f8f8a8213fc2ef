"""Limbs that poses make longer or shorter (Coleman 2012, figure 6.15): which bones a limb has, and their factors.

A factor holds for the whole clip, since bones do not grow; it stands with the first pose of an edit.
"""

from collections.abc import Iterable
from dataclasses import replace

from editor.posing.edit import SAME_MOMENT_S, TargetPose, TargetPoses
from model.roles import Role
from model.skeleton import JointRef, Skeleton

_ENDS = {
    "left leg": (Role.LEFT_KNEE, Role.LEFT_ANKLE),
    "right leg": (Role.RIGHT_KNEE, Role.RIGHT_ANKLE),
    "left arm": (Role.LEFT_ELBOW, Role.LEFT_WRIST),
    "right arm": (Role.RIGHT_ELBOW, Role.RIGHT_WRIST),
}
_BOTH = {"legs": ("left leg", "right leg"), "arms": ("left arm", "right arm")}


def limb_bones(skeleton: Skeleton) -> dict[str, tuple[int, ...]]:
    """The joints in which the bones of each limb end, by what people call it, without those that the body lacks."""
    sides = {
        name: tuple(joint for role in roles if (joint := skeleton.joint(role)) is not None)
        for name, roles in _ENDS.items()
    }
    limbs: dict[str, tuple[int, ...]] = {}
    for name, parts in _BOTH.items():
        limbs[name] = tuple(joint for part in parts for joint in sides[part])
        limbs |= {part: sides[part] for part in parts}
    limbs["spine"] = _between(skeleton, Role.PELVIS, (Role.NECK, Role.CHEST))
    limbs["neck"] = _between(skeleton, Role.NECK, (Role.HEAD,))
    return {name: joints for name, joints in limbs.items() if joints}


def _between(skeleton: Skeleton, first: Role, lasts: Iterable[Role]) -> tuple[int, ...]:
    """The joints below one up to another, the first of several that there is."""
    start = skeleton.joint(first)
    for role in lasts:
        end = skeleton.joint(role)
        if start is not None and end is not None and start != end:
            chain = [end]
            while chain[-1] not in (start, -1):
                chain.append(skeleton.parents[chain[-1]])
            return tuple(chain[-2::-1]) if chain[-1] == start else ()
    return ()


def factor_of(edit: TargetPoses, skeleton: Skeleton, joints: Iterable[int]) -> float | None:
    """By how much the bones that end in joints are longer; None where they differ."""
    found: dict[int, float] = {}
    for pose in sorted(edit.poses, key=lambda pose: pose.time_s):
        for ref, factor in pose.lengths:
            joint = skeleton.resolve(ref)
            if joint is not None:
                found.setdefault(joint, factor)
    factors = {found.get(joint, 1.0) for joint in joints}
    return factors.pop() if len(factors) == 1 else None


def with_lengths(edit: TargetPoses, joints: Iterable[JointRef], factor: float) -> TargetPoses:
    """The edit with bones of other lengths; 1 gives them back their own. Raises ValueError for lengths that cannot be.

    Where it holds no pose, one without turns is put at the start.
    """
    named = tuple(dict.fromkeys(joints))
    poses = [replace(pose, lengths=tuple(one for one in pose.lengths if one[0] not in named)) for pose in edit.poses]
    if factor == 1.0:
        return replace(edit, poses=tuple(pose for pose in poses if not _is_nothing(pose)))
    if not poses:
        poses = [TargetPose(0.0)]
    first = min(range(len(poses)), key=lambda n: poses[n].time_s)
    lengths = (*poses[first].lengths, *((ref, factor) for ref in named))
    poses[first] = replace(poses[first], lengths=lengths)
    return replace(edit, poses=tuple(poses))


def _is_nothing(pose: TargetPose) -> bool:
    """Whether a pose at the start is only left over from lengths."""
    return abs(pose.time_s) < SAME_MOMENT_S and not (pose.offsets or pose.lengths or any(pose.root_move_m))
