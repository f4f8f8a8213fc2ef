"""Between poses and the `TargetPoses` edit that keeps them.

What the user drags is the pose that is *seen*: what the stage before the layer gives, with everything that the layer's
poses fade into at that moment. What is kept is the whole way from the stage before to the new pose, for the joints that
the drag touched, and only for those: a key that did not speak of the others would leave their fades as they are.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from editor.posing.edit import TargetPose, TargetPoses, Vector
from editor.posing.pose import Habits, Pose, habits_of
from model.arrays import Array
from model.clip import Take
from model.derived import Deriver, uncached
from model.rotation import angle_between, conjugate, from_rotation_vector, multiply, to_rotation_vector
from model.skeleton import JointRef, Skeleton

# Turns and moves smaller than these are rounding.
_TURNED_RAD, _MOVED_M = 1e-9, 1e-9


def seen_pose(
    take: Take,
    frame: int,
    edit: TargetPoses | None,
    time_s: float,
    result: Take | None = None,
    derive: Deriver = uncached,
) -> Pose:
    """The pose that the user sees at a frame, and drags: the stage before a layer, with what its poses do there.

    take : of the stage before the layer; edit : the layer's, None where there is none yet; time_s : the frame's moment
    in the source's time, `stage.time_map.inverse()(frame * frame_time_s)`; result : of the stage after the layer, in
    which contacts have had their say where feet are kept on the ground; derive : for the habits of these. The layer's
    scope is not heeded.
    """
    if edit is not None and edit.grounded and result is not None and frame < result.motion.frames:
        return Pose.of(result.motion, frame, derive(habits_of, result.motion))
    before = Pose.of(take.motion, frame, derive(habits_of, take.motion))
    if edit is None:
        return before
    vectors, move = edit.at(take.motion.skeleton, time_s)
    if not vectors and not np.any(move):
        return before
    rotations = np.array(before.local_rotations)
    joints = list(vectors)
    if joints:
        turns = from_rotation_vector(np.array([vectors[one] for one in joints]))
        rotations[joints] = multiply(turns, rotations[joints])
    return before.with_rotations(rotations, before.root_position + move)


def offsets_between(
    before: Pose, after: Pose, near: Mapping[int, Array] | None = None
) -> tuple[tuple[tuple[JointRef, Vector], ...], Vector]:
    """What leads from one pose of a body to another: offsets of the joints that differ, and the root's move in metres.

    The rotation vectors are in the parent's frame and applied after the joint's own rotation, as `TargetPose` has them.
    near : for joints, (3,) vectors to which theirs should be near: a turn may be written as less or as more than half
    a turn, and curves pass through vectors. Without it the short way.
    """
    apart = angle_between(before.local_rotations, after.local_rotations)
    joints = [int(joint) for joint in np.flatnonzero(apart > _TURNED_RAD)]
    return _offsets(before, after, joints, near or {}), _move(before, after)


def target_pose(
    take: Take,
    frame: int,
    edit: TargetPoses | None,
    time_s: float,
    seen: Pose,
    wanted: Pose,
    before_s: float = 0.5,
    after_s: float = 0.5,
) -> TargetPose:
    """The target pose that makes `wanted` of what is seen at a frame; what the drag did not touch stays as it is.

    The first four arguments as for `seen_pose`, which gave `seen`. A pose that the edit already has at that moment is
    kept for the joints it speaks of, with its fades; what is new is told in full, so its strength becomes 1. What
    contacts make of a pose is not told of: joints that were not touched keep what they were asked for.
    """
    before = Pose.of(take.motion, frame, Habits())  # nothing is bent here
    skeleton = take.motion.skeleton
    present = None if edit is None else edit.pose_at(time_s)
    near, asked_move = ({}, np.zeros(3)) if edit is None else edit.at(skeleton, time_s)
    touched = angle_between(seen.local_rotations, wanted.local_rotations) > _TURNED_RAD
    turned = [int(joint) for joint in np.flatnonzero(touched)]
    kept = () if present is None else _kept(present, skeleton, frozenset(turned))
    by_hand = wanted.root_position - seen.root_position
    moved = np.max(np.abs(by_hand)) > _MOVED_M
    speaks = moved or (present is not None and (present.holds_root or any(present.root_move_m)))
    pose = present or TargetPose(time_s, before_s=before_s, after_s=after_s)
    return replace(
        pose,
        offsets=(*_offsets(before, wanted, turned, near), *kept),
        root_move_m=_plain(asked_move + by_hand) if speaks else (0.0, 0.0, 0.0),
        strength=1.0,
        holds_root=bool(speaks),
        joints=_allowing(present, skeleton, turned, bool(moved)),
    )


def turned_on(
    offsets: tuple[tuple[JointRef, Vector], ...], seen: Pose, wanted: Pose
) -> tuple[tuple[JointRef, Vector], ...]:
    """Offsets with what a hand did on top of them: those of joints that it turned are turned on, others stay."""
    skeleton = seen.skeleton
    known = {skeleton.resolve(ref): np.array(vector) for ref, vector in offsets}
    touched = np.flatnonzero(angle_between(seen.local_rotations, wanted.local_rotations) > _TURNED_RAD).tolist()
    turns = multiply(wanted.local_rotations[touched], conjugate(seen.local_rotations[touched]))
    old = from_rotation_vector(np.array([known.get(joint, np.zeros(3)) for joint in touched]).reshape(-1, 3))
    new = zip(touched, to_rotation_vector(multiply(turns, old)), strict=True)
    told = {skeleton.ref(joint): _plain(_nearest(vector, known.get(joint))) for joint, vector in new}
    kept = tuple((ref, vector) for ref, vector in offsets if skeleton.resolve(ref) not in touched)
    return (*kept, *told.items())


def moved_on(move_m: Vector, seen: Pose, wanted: Pose) -> Vector:
    """A move of the root with what a hand did on top of it."""
    return _plain(np.array(move_m) + np.array(_move(seen, wanted)))


def _kept(present: TargetPose, skeleton: Skeleton, touched: frozenset[int]) -> tuple[tuple[JointRef, Vector], ...]:
    """What a pose asks of joints that are not touched, in full; of joints that are not there, too."""
    kept = []
    for ref, vector in present.offsets:
        joint = skeleton.resolve(ref)
        if joint is None:
            kept.append((ref, vector))
        elif joint not in touched:
            kept.append((ref, _plain(present.strength * np.array(vector))))
    return tuple(kept)


def _allowing(
    present: TargetPose | None, skeleton: Skeleton, touched: list[int], moved: bool
) -> tuple[JointRef, ...] | None:
    """The mask of a pose, with the joints that a hand has touched."""
    if present is None or present.joints is None:
        return None
    new = [skeleton.ref(joint) for joint in dict.fromkeys([*touched, *([0] if moved else [])])]
    return tuple(dict.fromkeys((*present.joints, *new)))


def _offsets(
    before: Pose, after: Pose, joints: list[int], near: Mapping[int, Array]
) -> tuple[tuple[JointRef, Vector], ...]:
    """The offsets of some joints, without those of which another is meant by the same name."""
    skeleton = before.skeleton
    joints = [joint for joint in joints if skeleton.resolve(skeleton.ref(joint)) == joint]
    vectors = to_rotation_vector(multiply(after.local_rotations[joints], conjugate(before.local_rotations[joints])))
    return tuple(
        (skeleton.ref(joint), _plain(_nearest(vector, near.get(joint))))
        for joint, vector in zip(joints, vectors, strict=True)
    )


def _nearest(vector: Array, near: Array | None) -> Array:
    """Of the vectors of one rotation, whole turns apart along its axis, the one nearest to another."""
    angle = float(np.linalg.norm(vector))
    if near is None or angle < _TURNED_RAD:
        return vector
    axis = vector / angle
    turns = np.rint((float(axis @ near) - angle) / (2.0 * np.pi))
    return np.asarray(vector + 2.0 * np.pi * turns * axis)


def _move(before: Pose, after: Pose) -> Vector:
    move = after.root_position - before.root_position
    return _plain(move) if np.max(np.abs(move)) > _MOVED_M else (0.0, 0.0, 0.0)


def _plain(vector: Array) -> Vector:
    x, y, z = vector.tolist()
    return x, y, z
