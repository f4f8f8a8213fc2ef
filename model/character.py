"""Characters: bodies that motions can be put on, as plain values that a project file and a script can hold."""

from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np

from model.arrays import Array
from model.motion import Motion
from model.roles import Role
from model.rotation import normalize
from model.skeleton import EndSite, Skeleton
from model.type_hints import fit_fields, require_finite

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]
# Bodies whose bones differ by less than this are the same.
_SAME_BONE_M = 1e-6
# How characters that come with the program are printed, by name.
_CALLS: dict[str, tuple["Character", str]] = {}
# The stances of characters' skeletons: a motion that was put on one need not tell again how its body stands.
_STANCES: WeakKeyDictionary[Skeleton, Array] = WeakKeyDictionary()


@dataclass(frozen=True)
class CharacterJoint:
    """A joint of a character. parent : its place among the joints, before this one, or -1; offset : metres, in the
    parent's frame; stance : its world rotation in the T-pose; tips : end sites, in its own frame.
    """

    name: str
    parent: int
    offset: Vector
    role: Role | None = None
    stance: Quaternion = (1.0, 0.0, 0.0, 0.0)
    tips: tuple[Vector, ...] = ()


@dataclass(frozen=True, repr=False)
class Character:
    """A body by value: its joints, parents first, and how they are turned in a T-pose."""

    name: str
    joints: tuple[CharacterJoint, ...]

    def __post_init__(self) -> None:
        fit_fields(self)
        require_finite(self.joints, "joints")
        _ = self.skeleton  # whose rules are the character's

    def __repr__(self) -> str:
        call = _CALLS.get(self.name)
        if call is not None and call[0] == self:
            return call[1]
        return f"Character({self.name!r}, {self.joints!r})"

    def printed_as(self, call: str) -> "Character":
        """This very character, printed from now on as a call that makes it."""
        _CALLS[self.name] = (self, call)
        return self

    @cached_property
    def skeleton(self) -> Skeleton:
        """The skeleton, the same object each time."""
        skeleton = Skeleton(
            tuple(joint.name for joint in self.joints),
            tuple(joint.parent for joint in self.joints),
            np.array([joint.offset for joint in self.joints]).reshape(-1, 3),
            tuple(EndSite(n, np.array(tip)) for n, joint in enumerate(self.joints) for tip in joint.tips),
            tuple(joint.role for joint in self.joints),
        )
        _STANCES[skeleton] = self.stance
        return skeleton

    @cached_property
    def stance(self) -> Array:
        """(J, 4) world rotations of the joints in the T-pose."""
        return normalize(np.array([joint.stance for joint in self.joints]).reshape(-1, 4))

    def is_body_of(self, motion: Motion) -> bool:
        """Whether a motion is one of this very body."""
        one, other = self.skeleton, motion.skeleton
        same = one.names == other.names and one.parents == other.parents and one.roles == other.roles
        if not same:
            return False
        lengths = (other.offsets, _usual_offsets(motion))
        return any(np.max(np.abs(one.offsets[1:] - each[1:]), initial=0.0) < _SAME_BONE_M for each in lengths)


def known_stance(skeleton: Skeleton) -> Array | None:
    """(J, 4) the stance of a skeleton that is a character's; None for others."""
    return _STANCES.get(skeleton)


def with_usual_limbs(motion: Motion) -> Skeleton:
    """The skeleton of a motion; where limbs change their length over time, with lengths as they usually are."""
    skeleton = motion.skeleton
    if motion.limbs_are_fixed:
        return skeleton
    return Skeleton(
        skeleton.names, skeleton.parents, _usual_offsets(motion), skeleton.end_sites, skeleton.roles, skeleton.limits
    )


def _usual_offsets(motion: Motion) -> Array:
    """(J, 3) the offsets of joints; of roots, and of the pelvis that may travel against them, those at rest."""
    skeleton = motion.skeleton
    if motion.limbs_are_fixed or not motion.frames:
        return skeleton.offsets
    offsets = np.median(motion.local_offsets, axis=0)
    kept = [*skeleton.roots, *(joint for joint in (skeleton.joint(Role.PELVIS),) if joint is not None)]
    offsets[kept] = skeleton.offsets[kept]
    return np.asarray(offsets)
