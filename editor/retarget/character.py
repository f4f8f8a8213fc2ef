"""Characters: bodies that motions can be put on, as plain values that a project file and a script can hold."""

from dataclasses import dataclass
from functools import cache, cached_property
from weakref import WeakKeyDictionary

import numpy as np

from editor.gait.figure import Build, figure
from editor.retarget.stance import find_stance
from model.arrays import Array
from model.contacts import Contacts
from model.motion import Motion
from model.roles import Role
from model.rotation import normalize
from model.skeleton import EndSite, Skeleton
from model.type_hints import fit_fields, require_finite

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]
# Bodies whose bones differ by less than this are the same.
_SAME_BONE_M = 1e-6
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
        if self.name in BUILT_IN and self == built_in(self.name):
            return f"built_in({self.name!r})"
        return f"Character({self.name!r}, {self.joints!r})"

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


def stance_of(motion: Motion, contacts: Contacts | None = None) -> Array:
    """(J, 4) the stance of a motion's body: its character's, where it was made for one, else what can be found.

    contacts : of the motion, found where they are not given.
    """
    known = _STANCES.get(motion.skeleton)
    return find_stance(with_usual_limbs(motion), motion, contacts) if known is None else known


def character_of(name: str, motion: Motion, contacts: Contacts | None = None) -> Character:
    """The body of a motion, limbs as long as they usually are in it. contacts : of the motion, if they are at hand."""
    skeleton = with_usual_limbs(motion)
    return character_from(name, skeleton, stance_of(motion, contacts))


def character_from(name: str, skeleton: Skeleton, stance: Array | None = None) -> Character:
    """A skeleton as a character. stance : (J, 4), found from the rest pose alone if not given."""
    turned = find_stance(skeleton) if stance is None else stance
    joints = []
    for n, (joint, parent) in enumerate(zip(skeleton.names, skeleton.parents, strict=True)):
        tips = tuple(_vector(site.offset) for site in skeleton.end_sites if site.joint == n)
        w, x, y, z = map(float, turned[n])
        offset = _vector(skeleton.offsets[n])
        joints.append(CharacterJoint(joint, parent, offset, skeleton.roles[n], (w, x, y, z), tips))
    return Character(name, tuple(joints))


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


# The characters that come with the program: height in metres, and how they are built.
BUILT_IN: dict[str, tuple[float, Build]] = {
    "average": (1.75, Build()),
    "child": (1.15, Build(leg=0.86, torso=1.0, head=1.5, arm=0.88, foot=0.95, shoulders=0.88, hips=0.92)),
    "tall": (2.1, Build(leg=1.1, arm=1.08, head=0.92)),
    "stocky": (1.62, Build(leg=0.88, arm=0.95, shoulders=1.25, hips=1.3, foot=1.05)),
    "short legs": (1.55, Build(leg=0.7)),
}


@cache
def built_in(name: str) -> Character:
    """The character of this name that comes with the program. Raises ValueError where there is none."""
    if name not in BUILT_IN:
        raise ValueError(f"there is no character {name!r}; there are {', '.join(BUILT_IN)}")
    height_m, build = BUILT_IN[name]
    return character_from(name, figure(height_m, build))


def _vector(values: Array) -> Vector:
    x, y, z = map(float, values)
    return x, y, z
