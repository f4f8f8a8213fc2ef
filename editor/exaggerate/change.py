"""What exaggeration asks of a motion: by how much joints are turned, when.

For the body the extreme poses are moved apart and what each is changed by is carried over to the frames between; for
joints each has extremes of its own (Coleman 2012, section 8.3). Bones are told where to point; whether all that is
spread are positions about the root or bones about their joints is the same, for both are sums of bones.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from editor.exaggerate.aiming import aimed, local_turns
from editor.exaggerate.anatomy import LEGS, PARTS, Anatomy, anatomy_of
from editor.exaggerate.joint_limits import unfolded_wrongly, within_limits, within_stride
from editor.exaggerate.scaling import EVEN, spread_rotations, spread_vectors
from editor.exaggerate.stance import BodyFacts, body_facts
from editor.extrema.find import extremes_of
from model.arrays import Array, IntArray
from model.clip import Take
from model.contacts import Mask
from model.derived import Deriver, uncached
from model.extremes import Extremes
from model.kinematics import WorldPose, global_cartesian, local_cartesian, local_from_world
from model.monotone import monotone_spline
from model.motion import Motion
from model.rotation import conjugate, from_axis_angle, multiply, rotate, to_rotation_vector, unroll
from model.skeleton import Skeleton

SPACES = ("cartesian", "rotation")
_UP = np.array([0.0, 1.0, 0.0])
_Shares = tuple[tuple[int, float], tuple[int, float]]  # of two poses: their places, and how much of each


@dataclass(frozen=True)
class Amounts:
    """How much is done.

    amount : e, by which distances between extremes are multiplied; bias : 1 away from the extreme before, 0 from the
    one after; weights : of parts of the body, 0 for none of it and 1 where not told; keep_legs : legs and pelvis stay
    as they are, and with them the way that the body goes; limits : whether joint limits are heeded.
    """

    amount: float
    space: str = "cartesian"
    bias: float = EVEN
    weights: Mapping[str, float] = field(default_factory=dict)
    keep_legs: bool = False
    limits: bool = True

    def of_joints(self, anatomy: Anatomy) -> Array:
        """(J,) e for the turn of each joint, and so for the bones below it."""
        weights = {part: self.weights.get(part, 1.0) for part in PARTS}
        if self.keep_legs:
            weights |= dict.fromkeys(LEGS, 0.0)
        return np.array([1.0 + weights[part] * (self.amount - 1.0) for part in anatomy.parts])


@dataclass(frozen=True, eq=False)
class Turns:
    """What is asked for. joints : N of them; vectors : (F, N, 3) what they are turned by, after their own rotations."""

    joints: tuple[int, ...]
    vectors: Array


@dataclass(frozen=True, eq=False)
class Knots:
    """The extremes of a body.

    inner : (N,) frames of the extreme poses that are moved apart; rests : (N,) which of them are holds; frames : (K,)
    all at which the change is told, the clip's ends and both ends of holds with them; of, shares : (K, 2) by what each
    of these is changed: that of two of the inner ones, by their places among them, and how much of each.
    """

    inner: IntArray
    rests: Mask
    frames: IntArray
    of: IntArray
    shares: Array

    def told(self, changes: Array) -> Array:
        """(K, ...) what frames are changed by, where the inner ones are changed by this (N, ...)."""
        shares = self.shares.reshape(-1, 2, *[1] * (changes.ndim - 1))
        return np.asarray(shares[:, 0] * changes[self.of[:, 0]] + shares[:, 1] * changes[self.of[:, 1]])


def body_knots(motion: Motion, extremes: Extremes, headings: Array) -> Knots:
    """The extreme poses of a motion of two frames or more. headings : (F,) where its body faces.

    The clip's first and last frame are none of them, and are changed as far as they are like those that are. Where
    there is one only, it is moved away from both.
    """
    last = motion.frames - 1
    poses = [one for one in extremes.found if not one.is_end]
    spans = [
        (one.time_s, one.time_s) if one.start_s is None or one.stop_s is None else (one.start_s, one.stop_s)
        for one in poses
    ]
    at = np.clip(np.rint(np.array([one.time_s for one in poses]) / motion.frame_time_s).astype(np.intp), 0, last)
    edges = np.clip(np.rint(np.array(spans).reshape(-1, 2) / motion.frame_time_s).astype(np.intp), 0, last)
    own = {int(frame): _alone(n) for n, span in enumerate(edges) for frame in span}
    if len(at) < 2:  # of a single pose, or none, the ends tell where it is moved away from
        return _with_ends(at, own, last)
    rests = np.array([one.is_hold for one in poses])
    for frame, first, second in ((0, 0, 1), (last, -1, -2)):
        if frame not in own:
            first_share, second_share = _likeness(motion, headings, frame, int(at[first]), int(at[second]))
            own[frame] = (first % len(at), first_share), (second % len(at), second_share)
    return _knots(at, rests, own)


def _with_ends(at: IntArray, held: Iterable[int], last: int) -> Knots:
    """Those of a motion with one extreme pose, or none. held : the frames in which the body is in it."""
    inner = np.unique(np.concatenate([[0], at, [last]]).astype(np.intp))
    moved = {
        int(frame): _alone(int(np.searchsorted(inner, at[0] if len(at) else frame))) for frame in list(held) or inner
    }
    for frame in (0, last):
        moved.setdefault(frame, ((0, 0.0), (0, 0.0)))
    rests = np.isin(inner, at, invert=True) if len(at) else np.zeros(len(inner), dtype=bool)
    return _knots(inner, rests, moved)


def _alone(place: int) -> _Shares:
    """All of what one of the inner frames is changed by."""
    return (place, 1.0), (place, 0.0)


def _knots(inner: IntArray, rests: Mask, shares: Mapping[int, _Shares]) -> Knots:
    """Knots of which each is changed as two of the inner ones are. shares : by frame."""
    frames = sorted(shares)
    pairs = np.array([shares[frame] for frame in frames])
    return Knots(inner, rests, np.array(frames, dtype=np.intp), pairs[..., 0].astype(np.intp), pairs[..., 1])


def _likeness(motion: Motion, headings: Array, frame: int, *extremes: int) -> tuple[float, ...]:
    """How much a pose is like each of two extremes: 1 where it is the same, 0 where it is as far away as the other."""
    pose, first, second = stances(motion, np.array([frame, *extremes]), headings)
    apart = float(np.linalg.norm(second - first))
    if apart < 1e-9:
        return 0.0, 0.0
    return tuple(max(1.0 - float(np.linalg.norm(pose - one)) / apart, 0.0) for one in (first, second))


def stances(motion: Motion, frames: IntArray, headings: Array) -> Array:
    """(N, J, 3) bones of some frames, seen from where the body faces; headings : (F,) of all."""
    bones = local_cartesian(motion.skeleton.parents, motion.world.positions[frames])
    bones[:, list(motion.skeleton.roots)] = 0.0
    return rotate(from_axis_angle(_UP, -headings[frames])[:, None], bones)


def body_turns(take: Take, amounts: Amounts, derive: Deriver = uncached) -> Turns:
    """What exaggeration by extreme poses of the whole body asks for. The take has two frames or more. derive : for what
    a slider need not have computed again.
    """
    motion = take.motion
    anatomy, body = anatomy_of(motion.skeleton), derive(body_facts, motion)
    knots = body_knots(motion, extremes_of(take, derive), body.headings)
    joints = anatomy.order
    world = WorldPose(motion.world.positions[knots.inner], motion.world.rotations[knots.inner])
    if amounts.space == "cartesian":
        after = _aimed_apart(motion, anatomy, knots, world, amounts, body)
    else:
        after = _turned_apart(motion, anatomy, knots, world, amounts, body)
    turns = local_turns(motion.skeleton.parents, world.rotations, after)
    vectors = to_rotation_vector(unroll(turns[:, list(joints)]))
    if amounts.limits:
        vectors = within_limits(motion.skeleton, joints, motion.local_rotations[knots.inner][:, joints], vectors)
    told = knots.told(vectors)
    frames = np.arange(float(motion.frames))
    curves = monotone_spline(knots.frames.astype(np.float64), told.reshape(len(told), -1), frames)
    curves = curves.reshape(motion.frames, len(joints), 3)
    if amounts.limits:
        curves = unfolded_wrongly(anatomy, motion, joints, curves, body)
    return Turns(joints, curves)


def extreme_frames(take: Take, derive: Deriver = uncached) -> IntArray:
    """(N,) the frames of the extreme poses that are moved apart, in a take of two frames or more."""
    return _knots_of(take, derive).inner


def knot_frames(take: Take, derive: Deriver = uncached) -> IntArray:
    """(K,) all frames at which a change is told: those, both ends of holds, and the clip's ends."""
    return _knots_of(take, derive).frames


def _knots_of(take: Take, derive: Deriver) -> Knots:
    return body_knots(take.motion, extremes_of(take, derive), derive(body_facts, take.motion).headings)


def _aimed_apart(
    motion: Motion, anatomy: Anatomy, knots: Knots, world: WorldPose, amounts: Amounts, body: BodyFacts
) -> Array:
    """(N, J, 4) world rotations of extreme poses, bones spread in Cartesian space (8.3.2)."""
    bones, each = stances(motion, knots.inner, body.headings), amounts.of_joints(anatomy)
    spread = spread_vectors(bones, each[_above(motion.skeleton)], amounts.bias, knots.rests)
    if amounts.limits:
        spread = within_stride(anatomy, motion.skeleton, bones, spread)
    turns = from_axis_angle(_UP, body.headings[knots.inner])[:, None]
    goals = global_cartesian(motion.skeleton.parents, rotate(turns, spread))
    still = {anatomy.root} if amounts.keep_legs else set()
    return aimed(anatomy, motion.skeleton.parents, world, goals, body.straight, still)


def _above(skeleton: Skeleton) -> IntArray:
    """(J,) the joint that turns the bone that ends in each: its parent, or a root itself."""
    return np.array([max(parent, 0) for parent in skeleton.parents])


def _turned_apart(
    motion: Motion, anatomy: Anatomy, knots: Knots, world: WorldPose, amounts: Amounts, body: BodyFacts
) -> Array:
    """(N, J, 4) world rotations of extreme poses, joints turned apart (8.3.1); the root's without where it faces."""
    parents, each = motion.skeleton.parents, amounts.of_joints(anatomy)
    back = from_axis_angle(_UP, -body.headings[knots.inner])
    local = local_from_world(parents, world.rotations)
    local[:, anatomy.root] = multiply(back, world.rotations[:, anatomy.root])
    joints = [joint for joint in anatomy.order if not (amounts.keep_legs and joint == anatomy.root)]
    local[:, joints] = spread_rotations(local[:, joints], each[joints], amounts.bias, knots.rests)
    after = np.array(world.rotations)
    for joint in motion.skeleton.subtree(anatomy.root):
        above = conjugate(back) if joint == anatomy.root else after[:, parents[joint]]
        after[:, joint] = multiply(above, local[:, joint])
    return after
