"""One frame of a body as a value, the pins that hold parts of it, and what posing gives back."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from editor.contacts.feet import find_limb
from editor.posing.tuples import Quaternion, Vector, add, multiply, rotate
from model.arrays import Array, freeze
from model.clip import Take
from model.contacts import FEET, HANDS
from model.kinematics import WorldPose, forward
from model.motion import Motion
from model.roles import Role
from model.rotation import conjugate
from model.rotation import rotate as rotated
from model.skeleton import Skeleton

# A limb bent by less than this tells nothing of how its hinge lies.
_BENT = 0.1
# A mean over so many frames of a clip is as good as one over all, and does not keep a hand waiting that takes hold.
_MOST_FRAMES = 1000
# The cosine of the angle by which people look away from where they face, on the average, at most.
_LOOKS_ABOUT = 0.87

_ROUNDING = 1e-10


@dataclass(frozen=True, eq=False)
class Pose:
    """One frame of a motion.

    root_position : (3,) world; local_rotations : (J, 4); local_offsets : (J, 3). hinges : by a limb's upper joint,
    (3,) the unit axis in that joint's frame about which the limb folds, as far as a clip told; a limb that is straight
    in this pose bends by it. face : (3,) the unit vector in the head's frame along which it looks, as far as known.
    """

    skeleton: Skeleton
    root_position: Array
    local_rotations: Array
    local_offsets: Array
    hinges: Mapping[int, Array] = field(default_factory=dict)
    face: Array | None = None

    @staticmethod
    def of(motion: Motion, frame: int, habits: "Habits | None" = None) -> "Pose":
        """A frame of a motion, and how its limbs fold. IndexError where the motion has no such frame. habits : those of
        the motion, where they are at hand.
        """
        if not 0 <= frame < motion.frames:
            raise IndexError(f"frame is {frame}; the motion has {motion.frames} frames")
        one, habits = motion.pose(frame), habits_of(motion) if habits is None else habits
        # Copies: a view would hold the motion for as long as somebody holds the pose.
        root, rotations, offsets = (np.array(a) for a in (one.root_position, one.local_rotations, one.local_offsets))
        return Pose(motion.skeleton, root, rotations, offsets, habits.hinges, habits.face)

    def is_same_as(self, other: "Pose") -> bool:
        """Whether nothing but rounding is between two poses of one body."""
        turned = np.allclose(self.local_rotations, other.local_rotations, rtol=0.0, atol=_ROUNDING)
        return bool(turned and np.allclose(self.root_position, other.root_position, rtol=0.0, atol=_ROUNDING))

    def with_rotations(self, local_rotations: Array, root_position: Array | None = None) -> "Pose":
        """The same body otherwise turned, and its root elsewhere where that is given."""
        root = self.root_position if root_position is None else root_position
        return replace(self, root_position=root, local_rotations=local_rotations)

    @cached_property
    def world(self) -> WorldPose:
        """Every joint in the world: positions (J, 3), rotations (J, 4). Computed once."""
        roots: Vector = tuple(self.root_position.tolist())
        offsets, local = self.local_offsets.tolist(), self.local_rotations.tolist()
        positions: list[Vector] = []
        rotations: list[Quaternion] = []
        for joint, parent in enumerate(self.skeleton.parents):
            if parent < 0:
                positions.append(roots if joint == 0 else offsets[joint])
                rotations.append(local[joint])
            else:
                above = rotations[parent]
                positions.append(add(positions[parent], rotate(above, offsets[joint])))
                rotations.append(multiply(above, local[joint]))
        return WorldPose(freeze(np.array(positions)), freeze(np.array(rotations)))


@dataclass(frozen=True, eq=False)
class Habits:
    """How the body of a clip folds its limbs, and where it looks: hinges and face as a `Pose` has them."""

    hinges: Mapping[int, Array] = field(default_factory=dict)
    face: Array | None = None


@dataclass(frozen=True, eq=False)
class Pin:
    """A joint that stays where it is while others are moved.

    position : (3,) world; rotation : (4,) world, None where the joint may turn. Wrists and ankles are held by their
    limbs, pelvis, spine, neck and head by the body; other joints cannot be pinned.
    """

    joint: int
    position: Array
    rotation: Array | None = None

    @staticmethod
    def of(pose: Pose, joint: int, turns: bool = False) -> "Pin":
        """A pin that holds a joint as it is; turns : it holds the place only."""
        world = pose.world
        return Pin(joint, world.positions[joint], None if turns else world.rotations[joint])


@dataclass(frozen=True)
class Miss:
    """What could not be met: a joint that is distance_m from its goal or pin, or angle_rad short of its direction."""

    joint: int
    distance_m: float = 0.0
    angle_rad: float = 0.0


@dataclass(frozen=True, eq=False)
class Posed:
    """A new pose, and what of its goal and pins it misses; nothing where all were met."""

    pose: Pose
    misses: tuple[Miss, ...] = ()


def pins_of(take: Take, frame: int) -> tuple[Pin, ...]:
    """The feet and hands that touch the ground at a frame, pinned where they are: what a drag holds by default."""
    pose = Pose.of(take.motion, frame, Habits())  # nothing is bent here
    return tuple(Pin.of(pose, joint) for joint in touching(take, frame))


def touching(take: Take, frame: int) -> tuple[int, ...]:
    """The wrists and ankles of the limbs that bend and touch the ground at a frame."""
    joints = []
    for name in (*FEET, *HANDS):
        limb = find_limb(take.motion.skeleton, name)
        touches = any(one.start <= frame < one.stop for one in take.contacts.limbs.get(name, ()))
        if limb is not None and limb.bends is not None and touches:
            joints.append(limb.end)
    return tuple(joints)


def habits_of(motion: Motion) -> Habits:
    """The habits of a motion. Who asks for them with every move of the mouse keeps them."""
    world = _world_of_some(motion)
    return Habits(_hinges(motion.skeleton, world), _face(motion.skeleton, world))


def hinges_of(motion: Motion) -> Mapping[int, Array]:
    """For each arm and leg, by its upper joint: (3,) the unit axis in that joint's frame about which it folds.

    The mean over the clip, in which frames count the more the more the limb is bent; none for a limb that is straight
    throughout.
    """
    return _hinges(motion.skeleton, _world_of_some(motion))


def _hinges(skeleton: Skeleton, world: WorldPose) -> Mapping[int, Array]:
    hinges = {}
    for name in (*FEET, *HANDS):
        limb = find_limb(skeleton, name)
        if limb is None or limb.bends is None:
            continue
        root, middle, end = (world.positions[:, joint] for joint in limb.bends)
        axes = np.cross(middle - root, end - middle)
        lengths = np.linalg.norm(middle - root, axis=-1) * np.linalg.norm(end - middle, axis=-1)
        mean = np.sum(rotated(conjugate(world.rotations[:, limb.bends[0]]), axes), axis=0)
        size = float(np.linalg.norm(mean))
        if size > _BENT * float(np.sum(lengths)):
            hinges[limb.bends[0]] = freeze(mean / size)
    return hinges


def face_of(motion: Motion) -> Array | None:
    """(3,) the unit vector in the head's frame along which it looks; None for a body without head or shoulders.

    Rigs do not agree on how the head lies at rest, but people look ahead most of the time: where the body faces, on
    the average over the clip. Where that is near what the rest pose says, they were looking about, and rest is right.
    """
    return _face(motion.skeleton, _world_of_some(motion))


def _face(skeleton: Skeleton, world: WorldPose) -> Array | None:
    head, left, right = (skeleton.joint(role) for role in (Role.HEAD, Role.LEFT_SHOULDER, Role.RIGHT_SHOULDER))
    if head is None or left is None or right is None:
        return None
    across = world.positions[:, left] - world.positions[:, right]
    ahead = np.stack([-across[:, 2], np.zeros(len(across)), across[:, 0]], axis=-1)
    seen = _unit_sum(rotated(conjugate(world.rotations[:, head]), ahead))
    across_rest = skeleton.rest_positions()[left] - skeleton.rest_positions()[right]
    rest = _unit_sum(np.array([[-across_rest[2], 0.0, across_rest[0]]]))
    return freeze(rest if float(seen @ rest) > _LOOKS_ABOUT else seen)


def _world_of_some(motion: Motion) -> WorldPose:
    """Every joint in the world at frames that are spread evenly over a motion; at all of a short one."""
    if motion.frames <= _MOST_FRAMES:
        return motion.world
    some = slice(None, None, -(-motion.frames // _MOST_FRAMES))
    offsets = motion.local_offsets if motion.limbs_are_fixed else motion.local_offsets[some]
    return forward(motion.skeleton.parents, motion.root_positions[some], motion.local_rotations[some], offsets)


def _unit_sum(vectors: Array) -> Array:
    """(3,) the direction of the sum of vectors (N, 3); +Z where there is none."""
    total = np.sum(vectors, axis=0)
    size = float(np.linalg.norm(total))
    return np.asarray(total / size) if size > 1e-9 else np.array([0.0, 0.0, 1.0])
