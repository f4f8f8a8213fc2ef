"""Target poses: joints turned by hand at chosen moments, fading before and after.

What is laid over each joint is a curve of rotation vectors through the poses that speak of it, and zero where none
is near. Then the motion follows: feet stay planted, and root and contacts move to fit (`editor.posing.grounded`). Or
joints turn and nothing else gives way to them: feet may leave their places.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar

import numpy as np

from editor.posing.grounded.adapting import ground_for
from editor.posing.grounded.asked import BODY, FLIGHT, Override, PoseChange, Solution, Target, Turn
from editor.posing.grounded.solve import solve
from model.arrays import Array
from model.clip import Context, Edit, Take, setting
from model.monotone import ease, slope_between
from model.roles import Role
from model.rotation import from_rotation_vector, multiply
from model.skeleton import JointRef, Skeleton

Vector = tuple[float, float, float]
# Two poses nearer to each other than this are at one moment.
SAME_MOMENT_S = 1e-6
# How much shorter and longer bones can become.
_SHORTEST, _LONGEST = 0.1, 10.0
# What a contact takes from a pose is told from here on.
_TOLD_M, _TOLD_RAD = 0.01, 0.1
# More sentences than these are put in few words.
_MOST_TOLD = 3


@dataclass(frozen=True)
class TargetPose:
    """How joints are turned, and the root moved, at one moment.

    offsets : joints, each with a rotation vector in radians in its parent's frame, applied after the joint's own
    rotation; root_move_m : in the world; before_s, after_s : how long the change comes up and fades. A pose speaks of
    the joints that it names, and of the root where it moves it; holds_root : also where it does not, between poses
    that do. lengths : joints, each with the factor on the bone that ends in it, for all of the clip: bones do not grow;
    where several poses tell of one, the first in time counts. joints : those of which it may speak, the root's move
    with the root or pelvis; None for all.
    """

    time_s: float
    offsets: tuple[tuple[JointRef, Vector], ...] = ()
    root_move_m: Vector = (0.0, 0.0, 0.0)
    before_s: float = 0.5
    after_s: float = 0.5
    strength: float = 1.0
    holds_root: bool = False
    lengths: tuple[tuple[JointRef, float], ...] = ()
    joints: tuple[JointRef, ...] | None = None

    def __post_init__(self) -> None:
        for name in ("before_s", "after_s"):
            if not getattr(self, name) > 0.0:
                raise ValueError(f"{name} is {getattr(self, name)}; a pose needs some time to come up and fade")
        for vector in (self.root_move_m, *(vector for _, vector in self.offsets)):
            if len(vector) != 3 or not np.all(np.isfinite(vector)):
                raise ValueError(f"{vector} is not a vector of three numbers")
        named = [ref for ref, _ in self.offsets]
        if len(named) != len(set(named)):
            raise ValueError("offsets: a joint is named twice")
        if self.joints is not None and len(self.joints) != len(set(self.joints)):
            raise ValueError("joints: a joint is named twice")
        for ref, factor in self.lengths:
            if not _SHORTEST <= factor <= _LONGEST:
                raise ValueError(f"lengths: {ref.name} by {factor}; a bone can be {_SHORTEST} to {_LONGEST} as long")

    def allowed(self, skeleton: Skeleton) -> frozenset[int] | None:
        """The joints of a body of which it may speak, the root among them with the pelvis; None for all."""
        if self.joints is None:
            return None
        joints = {joint for ref in self.joints if (joint := skeleton.resolve(ref)) is not None}
        return frozenset(joints | {0} if skeleton.joint(Role.PELVIS) in joints else joints)


@dataclass(frozen=True)
class TargetPoses(Edit):
    """Brings joints into poses at chosen moments. Each pose fades in and out; near ones pass over into each other.

    With feet on the ground it acts on the body as a whole, for the root goes where contacts ask it to: it has neither a
    joint mask nor a range then, and a half strength does half of each pose. Limb lengths count only then.
    """

    kind: ClassVar[str] = "target_poses"
    title: ClassVar[str] = "Target poses"
    group: ClassVar[str] = "Pose"

    poses: tuple[TargetPose, ...] = setting((), "Poses", tip="What joints are turned by, and when.")
    grounded: bool = setting(
        False,  # what projects hold that were saved before there was a choice
        "Keep feet on the ground",
        tip="Feet stay planted and the body moves along with its steps; without it, only the joints turn.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "reach", "whole" if self.grounded else "pose")
        times = sorted(pose.time_s for pose in self.poses)
        if any(later - earlier < SAME_MOMENT_S for earlier, later in pairwise(times)):
            raise ValueError("poses: two of them are at the same moment")

    def uses_ground(self) -> bool:
        return self.grounded

    def pose_at(self, time_s: float) -> TargetPose | None:
        """The pose at a moment, or None."""
        return next((pose for pose in self.poses if abs(pose.time_s - time_s) < SAME_MOMENT_S), None)

    def at(self, skeleton: Skeleton, time_s: float) -> tuple[dict[int, Array], Array]:
        """What the poses do at one moment: by joint (3,) what it is turned by, and (3,) what the root is moved by.

        Joints that no pose is near are left out.
        """
        moment = np.array([time_s])
        found: dict[int, Array] = {}
        for track in self._tracks(skeleton)[0]:
            (vectors,) = track.values(moment)
            found |= {joint: vector for joint, vector in zip(track.joints, vectors, strict=True) if np.any(vector)}
        return found, self._root_track(skeleton).values(moment)[0, 0]

    def moments_s(self) -> tuple[float, ...]:
        return tuple(pose.time_s for pose in self.poses)

    def apply(self, take: Take, context: Context) -> Take:
        motion = take.motion
        times = context.to_source(np.arange(float(motion.frames)) * motion.frame_time_s)
        tracks, missing = self._tracks(motion.skeleton)
        if missing:
            context.note(f"This body has no {', '.join(missing)}: what the poses say of it has no effect.")
        if self.grounded:
            return self._grounded(take, context, times)
        changes = [(track, near, track.values(times[near])) for track in tracks for near in (track.near(times),)]
        changes = [change for change in changes if np.any(change[2])]
        root = self._root_track(motion.skeleton)
        near = root.near(times)
        moves = root.values(times[near])[:, 0]
        if not changes and not np.any(moves):
            return take
        rotations, roots = np.array(motion.local_rotations), motion.root_positions
        for track, frames, vectors in changes:
            own = rotations[frames][:, track.joints]
            turned = np.any(vectors != 0.0, axis=-1, keepdims=True)  # elsewhere the very numbers stay
            rotations[frames, track.joints] = np.where(turned, multiply(from_rotation_vector(vectors), own), own)
        if np.any(moves):
            roots = np.array(roots)
            roots[near] += moves
        return Take(replace(motion, root_positions=roots, local_rotations=rotations), take.contacts)

    def change(self, skeleton: Skeleton, times_s: Array, strength: float = 1.0) -> PoseChange:
        """What the poses ask of frames at moments (F,) of the source, F > 0, in the solver's terms."""
        turns = []
        for track in self._tracks(skeleton)[0]:
            near = track.near(times_s)
            vectors = strength * track.values(times_s[near])
            if np.any(vectors):
                turns.append(Turn(track.joints, near.start, vectors))
        targets = tuple(target for target, _ in self._targets(skeleton, times_s, strength))
        return PoseChange(targets, tuple(turns), self._lengths(skeleton, strength))

    def _grounded(self, take: Take, context: Context, times: Array) -> Take:
        """The take with the motion following the poses. times : (F,) its frames in the source's time."""
        motion = take.motion
        if not motion.frames or context.strength == 0.0:
            return take
        ground = None if context.ground.is_flat else ground_for(take, context.ground)
        change = self.change(motion.skeleton, times, context.strength)
        solved = solve(motion, take.contacts, change, take.ground, ground)
        self._tell(solved, context, times)
        if solved.motion is motion:
            return take
        return replace(
            take, motion=solved.motion, contacts=solved.contacts, extremes=None, ground=ground or take.ground
        )

    def _tell(self, solved: Solution, context: Context, times: Array) -> None:
        """Tell what contacts took from the poses: of each at its moment, and in the list all of it in few words."""
        targets = self._targets(solved.motion.skeleton, times, 1.0)
        moments = {target.frame: pose.time_s for target, pose in targets}
        told = told_overrides(solved.overrides, times, context.moment)
        for frame, text in told:
            context.mark(moments.get(frame, float(times[frame])), text)
        if len(told) <= _MOST_TOLD:
            for _, text in told:
                context.note(text)
        else:
            context.note(_in_few_words(solved, len({frame for frame, _ in told}), len(moments)))

    def _targets(self, skeleton: Skeleton, times: Array, strength: float) -> tuple[tuple[Target, TargetPose], ...]:
        """The poses whose moments the take has, each at its nearest frame; fades in frames."""
        found: dict[int, tuple[Target, TargetPose]] = {}
        moves = strength * self._root_track(skeleton).values(np.array([pose.time_s for pose in self.poses]))[:, 0]
        for pose, (x, y, z) in zip(self.poses, moves.tolist(), strict=True):
            start, at, stop = _frames_at(times, pose.time_s + np.array([-pose.before_s, 0.0, pose.after_s])).tolist()
            if -0.51 <= at <= len(times) - 0.49:
                frame = min(max(round(at), 0), len(times) - 1)
                found[frame] = Target(frame, frame - start, stop - frame, (x, y, z)), pose
        return tuple(found[frame] for frame in sorted(found))

    def _lengths(self, skeleton: Skeleton, strength: float) -> tuple[tuple[int, float], ...]:
        """Joints with the factor on the bone that ends in them."""
        found: dict[int, float] = {}
        for pose in sorted(self.poses, key=lambda pose: pose.time_s):
            for ref, factor in pose.lengths:
                joint = skeleton.resolve(ref)
                if joint is not None:
                    found.setdefault(joint, 1.0 + strength * pose.strength * (factor - 1.0))
        return tuple((joint, factor) for joint, factor in found.items() if factor != 1.0)

    def _root_track(self, skeleton: Skeleton) -> "_Track":
        poses = tuple(pose for pose in self.poses if pose.holds_root or any(pose.root_move_m))
        poses = tuple(pose for pose in poses if (allowed := pose.allowed(skeleton)) is None or 0 in allowed)
        return _Track((0,), poses, (tuple(pose.root_move_m for pose in poses),))

    def _tracks(self, skeleton: Skeleton) -> "tuple[list[_Track], tuple[str, ...]]":
        """What is done to joints, those together of which the same poses speak; and the joints that are not there."""
        spoken: dict[int, list[int]] = {}
        vectors: dict[int, list[Vector]] = {}
        missing: dict[str, None] = {}
        for number, pose in enumerate(self.poses):
            allowed = pose.allowed(skeleton)
            for ref, vector in pose.offsets:
                joint = skeleton.resolve(ref)
                if joint is None:
                    missing[ref.name] = None
                elif allowed is not None and joint not in allowed:
                    continue
                elif number not in spoken.setdefault(joint, []):  # on other bodies two names may mean one joint
                    spoken[joint].append(number)
                    vectors.setdefault(joint, []).append(vector)
        together: dict[tuple[int, ...], list[int]] = {}
        for joint, numbers in spoken.items():
            together.setdefault(tuple(numbers), []).append(joint)
        tracks = [
            _Track(tuple(joints), tuple(self.poses[n] for n in numbers), tuple(tuple(vectors[one]) for one in joints))
            for numbers, joints in together.items()
        ]
        return tracks, tuple(missing)


@dataclass(frozen=True)
class _Track:
    """N joints of which the same K poses speak, and what each is turned by in each of them."""

    joints: tuple[int, ...]
    poses: tuple[TargetPose, ...]
    vectors: tuple[tuple[Vector, ...], ...]  # N x K

    def near(self, times_s: Array) -> slice:
        """The frames from the first pose's coming up to the last one's end. times_s : (F,) rising, of the source."""
        if not self.poses:
            return slice(0, 0)
        start = min(pose.time_s - pose.before_s for pose in self.poses)
        stop = max(pose.time_s + pose.after_s for pose in self.poses)
        return slice(int(np.searchsorted(times_s, start)), int(np.searchsorted(times_s, stop, side="right")))

    def values(self, times_s: Array) -> Array:
        """(T, N, 3) the curves through the poses, at moments (T,) of the source."""
        count = len(self.joints)
        moments = np.array([pose.time_s for pose in self.poses])
        order = np.argsort(moments)
        strengths = np.array([pose.strength for pose in self.poses])
        knots = np.array(self.vectors, dtype=np.float64).reshape(count, len(self.poses), 3) * strengths[:, None]
        return fading_curve(
            times_s,
            moments[order],
            np.moveaxis(knots[:, order], 0, 1).reshape(len(self.poses), 3 * count),
            np.array([pose.before_s for pose in self.poses])[order],
            np.array([pose.after_s for pose in self.poses])[order],
        ).reshape(len(times_s), count, 3)


def _frames_at(times: Array, moments: Array) -> Array:
    """(M,) which frames, in parts of one, moments (M,) are; times : (F,) rising, those of the frames."""
    last = len(times) - 1
    if last < 1:
        return np.asarray((moments - times[0]) * 1e6)
    first_s, last_s = times[1] - times[0], times[last] - times[last - 1]
    frames = np.interp(moments, times, np.arange(last + 1.0))
    frames = np.where(moments < times[0], (moments - times[0]) / first_s, frames)
    return np.asarray(np.where(moments > times[last], last + (moments - times[last]) / last_s, frames))


def told_overrides(
    overrides: tuple[Override, ...], times_s: Array, moment: Callable[[float], str]
) -> list[tuple[int, str]]:
    """What contacts took from poses: frames, and sentences; times_s : (F,) of the frames, as the user counts them;
    moment : these in words.
    """
    sentences = []
    for one in overrides:
        parts = [f"{100.0 * one.distance_m:.1f} cm"] if one.distance_m > _TOLD_M else []
        parts += [f"{np.degrees(one.angle_rad):.0f} degrees"] if one.angle_rad > _TOLD_RAD else []
        if parts:
            sentences.append((one.frame, _told(one, moment(float(times_s[one.frame])), " and ".join(parts))))
    return sentences


def _in_few_words(solution: Solution, some: int, poses: int) -> str:
    """What contacts took from many poses."""
    most_m, most_rad = (max(getattr(one, part) for one in solution.overrides) for part in ("distance_m", "angle_rad"))
    parts = [f"{100.0 * most_m:.1f} cm"] if most_m > _TOLD_M else []
    parts += [f"{np.degrees(most_rad):.0f} degrees"] if most_rad > _TOLD_RAD else []
    by = " and ".join(parts)
    return f"Contacts override {some} of {poses} poses, by up to {by}. Their marks in the timeline say where."


def _told(one: Override, moment: str, by: str) -> str:
    if one.limb == BODY:
        return f"The body is {by} lower at {moment} than the pose has it, for feet must reach the ground."
    if one.limb == FLIGHT:
        return f"In flight, at {moment}, the body goes on as it left the ground: the pose's {by} are left out."
    return f"The contact of the {one.limb.replace('_', ' ')} at {moment} overrides the pose by {by}."


def fading_curve(times: Array, knot_times: Array, knots: Array, before: Array, after: Array) -> Array:
    """A curve through vectors that fades to zero away from them. times : (T,) -> (T, D).

    knot_times : (K,) rising; knots : (K, D); before, after : (K,) over how long each comes up and fades, cut short by
    the knot next to it. The curve passes through every knot, has no corners, stays between neighbouring knots (or
    zero), and follows every argument continuously: nothing jumps when fades begin to overlap.
    """
    if len(knot_times) == 0:
        return np.zeros((len(times), knots.shape[1]))
    apart = np.diff(knot_times)
    before = np.minimum(before, np.concatenate([[np.inf], apart]))
    after = np.minimum(after, np.concatenate([apart, [np.inf]]))
    slopes = _slopes(knot_times, knots, before, after)
    late = times[:, None] - knot_times
    width = np.where(late < 0.0, before, after)
    left = np.maximum(1.0 - np.abs(late) / width, 0.0)
    # The two Hermite cubics of a knot on either side of it: one carries its value, the other its slope.
    return np.asarray(ease(left) @ knots + (late * left * left) @ slopes)


def _slopes(knot_times: Array, knots: Array, before: Array, after: Array) -> Array:
    """(K, D) the curve's slope at each knot, from what its neighbours have left where its own fade ends."""
    earlier, later = np.zeros_like(knots), np.zeros_like(knots)
    gaps = np.diff(knot_times)
    earlier[1:] = ease(1.0 - (gaps - before[1:]) / after[:-1])[:, None] * knots[:-1]
    later[:-1] = ease(1.0 - (gaps - after[:-1]) / before[1:])[:, None] * knots[1:]
    left, right = before[:, None], after[:, None]
    return slope_between((knots - earlier) / left, (later - knots) / right, left, right)
