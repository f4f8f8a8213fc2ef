"""Moments at which a body stands much as at another, or as in its mirror: where the edit of one pose belongs as well.

Walks repeat themselves: an edit made at one step is wanted at all of them, and mirrored at those of the other foot.
What is compared is where joints are about the body and how they move, so that equal phases of a gait are found and not
merely equal stances.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from editor.posing.edit import TargetPose, Vector
from editor.posing.keying import offsets_between
from editor.posing.pose import Habits, Pose
from editor.posing.transfer import mirrored
from model.arrays import Array, IntArray
from model.clip import Take
from model.motion import Motion
from model.placing import headings_rad, pelvis_positions
from model.roles import mirror_pairs
from model.rotation import from_axis_angle, from_rotation_vector, multiply, rotate
from model.skeleton import JointRef, Skeleton

# So much of how joints move counts beside where they are: as far as they get in this time.
_AHEAD_S = 0.1
# Moments nearer to each other than this are one; an extreme so near to a moment is meant by it.
_APART_S, _AT_EXTREME_S = 0.15, 0.12
# Up to this distance moments are alike, where two of a clip are usually 1 apart.
ALIKE = 0.65
_UP = np.array([0.0, 1.0, 0.0])


@dataclass(frozen=True)
class Alike:
    """A moment like another. mirrored : left and right exchanged; distance : 0 the same, 1 as usual in the clip."""

    time_s: float
    mirrored: bool
    distance: float


def find_alike(motion: Motion, time_s: float, extremes_s: Sequence[float] = ()) -> tuple[Alike, ...]:
    """The moments of a motion like one of them, most alike first, also those that are not much alike.

    extremes_s : moments of extreme poses. Where the moment is at one of them, only they are looked at; else all frames,
    of which those are taken that are more alike than all near them. Each is given once, straight or mirrored.
    """
    frames, step_s = motion.frames, motion.frame_time_s
    if frames < 2:
        return ()
    at = min(max(round(time_s / step_s), 0), frames - 1)
    straight, other = _distances(motion, at)
    near = min(extremes_s, key=lambda one: abs(one - time_s), default=np.inf)
    if abs(near - time_s) <= _AT_EXTREME_S:
        late = time_s - near
        places = [round((one + late) / step_s) for one in extremes_s]
        candidates = np.array([place for place in places if 0 <= place < frames], dtype=np.intp)
    else:
        candidates = np.concatenate([_lowest(straight, step_s), _lowest(other, step_s)])
    found = [
        Alike(float(place * step_s), bool(other[place] < straight[place]), float(min(straight[place], other[place])))
        for place in candidates
    ]
    kept: list[Alike] = []
    for one in sorted(found, key=lambda one: one.distance):
        if all(abs(one.time_s - moment) >= _APART_S for moment in (time_s, *(each.time_s for each in kept))):
            kept.append(one)
    return tuple(kept)


def _distances(motion: Motion, at: int) -> tuple[Array, Array]:
    """(F,) how far each frame is from one of them, and from its mirror."""
    features, pairs = _features(motion)
    mean = np.mean(features, axis=0)
    usual = np.sqrt(2.0 * np.mean(np.sum((features - mean) ** 2, axis=-1)))
    one = features[at]
    mirror = one[pairs] * np.array([-1.0, 1.0, 1.0, -1.0, 1.0, 1.0])
    far = [np.sqrt(np.mean(np.sum((features - each) ** 2, axis=-1), axis=-1)) for each in (one, mirror)]
    return far[0] / max(usual, 1e-9), far[1] / max(usual, 1e-9)


def _features(motion: Motion) -> tuple[Array, list[int]]:
    """(F, N, 6) where joints are about the pelvis, X to the left and Z ahead, and how they move; and for each joint the
    one on the other side.
    """
    skeleton = motion.skeleton
    pairs = mirror_pairs(skeleton.names, skeleton.roles)
    joints = [joint for joint in range(len(skeleton)) if skeleton.roles[joint] is not None]
    joints = [joint for joint in joints if pairs[joint] in joints] or list(range(len(skeleton)))
    about = motion.world.positions[:, joints] - pelvis_positions(motion)[:, None]
    about = rotate(from_axis_angle(_UP, -headings_rad(motion))[:, None], about)
    moves = np.gradient(about, motion.frame_time_s, axis=0) * _AHEAD_S
    place = {joint: n for n, joint in enumerate(joints)}
    return np.concatenate([about, moves], axis=-1), [place.get(pairs[joint], n) for n, joint in enumerate(joints)]


def _lowest(distances: Array, step_s: float) -> IntArray:
    """Frames whose distance is the lowest of those near them."""
    from scipy.ndimage import minimum_filter1d

    wide = 2 * max(round(_APART_S / step_s), 1) + 1
    return np.asarray(np.flatnonzero(distances <= minimum_filter1d(distances, wide, mode="nearest")))


def repeated(pose: TargetPose, take: Take, at_s: float, alike: Sequence[tuple[float, Alike]]) -> tuple[TargetPose, ...]:
    """A target pose at other moments: mirrored where those are, and turned with the body.

    take : what the poses are laid over; at_s : the pose's moment in it; alike : moments of the source, each with what
    was found at it in the take.
    """
    made = []
    heads = headings_rad(take.motion)
    straight, other = pose, _mirrored(pose, take, _frame(take.motion, at_s))
    for source_s, one in alike:
        turn_rad = float(heads[_frame(take.motion, one.time_s)] - heads[_frame(take.motion, at_s)])
        made.append(_turned(other if one.mirrored else straight, take.motion.skeleton, turn_rad, source_s))
    return tuple(made)


def _frame(motion: Motion, time_s: float) -> int:
    return min(max(round(time_s / motion.frame_time_s), 0), motion.frames - 1)


def _mirrored(pose: TargetPose, take: Take, frame: int) -> TargetPose:
    """A pose for a body that stands as in the mirror of a frame, facing as it does there."""
    before, skeleton = Pose.of(take.motion, frame, Habits()), take.motion.skeleton
    rotations = np.array(before.local_rotations)
    for ref, vector in pose.offsets:
        joint = skeleton.resolve(ref)
        if joint is not None:
            rotations[joint] = multiply(from_rotation_vector(np.array(vector)), rotations[joint])
    after = before.with_rotations(rotations, before.root_position + np.array(pose.root_move_m))
    start = mirrored(before)
    offsets, _ = offsets_between(start, mirrored(after))
    # The mirror of a body stands on its own root: what it is moved by is mirrored by itself.
    heading = float(headings_rad(take.motion)[frame])
    across = np.array([np.cos(heading), 0.0, -np.sin(heading)])
    move = np.array(pose.root_move_m)
    move = move - 2.0 * float(move @ across) * across
    pairs = mirror_pairs(skeleton.names, skeleton.roles)
    named = {pairs[joint] for ref, _ in pose.offsets if (joint := skeleton.resolve(ref)) is not None}
    told = dict(offsets)
    offsets = tuple((skeleton.ref(joint), told.get(skeleton.ref(joint), (0.0, 0.0, 0.0))) for joint in sorted(named))
    joints = None if pose.joints is None else _other_side(pose.joints, skeleton, pairs)
    return replace(pose, offsets=offsets, root_move_m=_plain(move), joints=joints, lengths=())


def _other_side(refs: Sequence[JointRef], skeleton: Skeleton, pairs: Sequence[int]) -> tuple[JointRef, ...]:
    found = (skeleton.resolve(ref) for ref in refs)
    return tuple(skeleton.ref(pairs[joint]) for joint in found if joint is not None)


def _turned(pose: TargetPose, skeleton: Skeleton, turn_rad: float, source_s: float) -> TargetPose:
    """A pose at another moment, for a body that faces elsewhere: what is told in the world's frame turns with it."""
    turn = from_axis_angle(_UP, turn_rad)
    offsets = tuple(
        (ref, _plain(rotate(turn, np.array(vector))) if skeleton.resolve(ref) in skeleton.roots else vector)
        for ref, vector in pose.offsets
    )
    move = _plain(rotate(turn, np.array(pose.root_move_m)))
    return replace(pose, time_s=source_s, offsets=offsets, root_move_m=move, lengths=())


def _plain(vector: Array) -> Vector:
    x, y, z = (float(value) for value in vector)
    return x, y, z
