"""Target poses: joints turned by hand at chosen moments, fading before and after.

What is laid over each joint is a curve of rotation vectors through the poses that speak of it, and zero where none
is near. Here joints turn and nothing else gives way to them: feet may leave their places.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar

import numpy as np

from model.arrays import Array
from model.clip import Context, Edit, Take, setting
from model.monotone import ease, slope_between
from model.rotation import from_rotation_vector, multiply
from model.skeleton import JointRef

Vector = tuple[float, float, float]


@dataclass(frozen=True)
class TargetPose:
    """How joints are turned, and the root moved, at one moment.

    offsets : joints, each with a rotation vector in radians in its parent's frame, applied after the joint's own
    rotation; root_move_m : in the world; before_s, after_s : how long the change comes up and fades.
    """

    time_s: float
    offsets: tuple[tuple[JointRef, Vector], ...] = ()
    root_move_m: Vector = (0.0, 0.0, 0.0)
    before_s: float = 0.5
    after_s: float = 0.5
    strength: float = 1.0

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


@dataclass(frozen=True)
class TargetPoses(Edit):
    """Brings joints into poses at chosen moments. Each pose fades in and out; near ones pass over into each other."""

    kind: ClassVar[str] = "target_poses"
    title: ClassVar[str] = "Target poses"

    poses: tuple[TargetPose, ...] = setting((), "Poses", tip="What joints are turned by, and when.")

    def __post_init__(self) -> None:
        super().__post_init__()
        times = sorted(pose.time_s for pose in self.poses)
        if any(later - earlier < 1e-6 for earlier, later in pairwise(times)):
            raise ValueError("poses: two of them are at the same moment")

    def apply(self, take: Take, context: Context) -> Take:
        motion = take.motion
        times = context.to_source(np.arange(float(motion.frames)) * motion.frame_time_s)
        rotations = np.array(motion.local_rotations)
        moves = _fading(times, [(pose, pose.root_move_m) for pose in self.poses if any(pose.root_move_m)])
        changed = bool(np.any(moves))
        for joint, offsets in self._by_joint(take, context).items():
            vectors = _fading(times, offsets)
            turned = np.any(vectors != 0.0, axis=-1)  # elsewhere the very numbers stay
            rotations[turned, joint] = multiply(from_rotation_vector(vectors[turned]), rotations[turned, joint])
            changed |= bool(np.any(turned))
        if not changed:
            return take
        return Take(
            replace(motion, root_positions=motion.root_positions + moves, local_rotations=rotations), take.contacts
        )

    def _by_joint(self, take: Take, context: Context) -> dict[int, list[tuple[TargetPose, Vector]]]:
        """For each joint the poses that speak of it, with what they turn it by. Joints that are not there are told."""
        found: dict[int, list[tuple[TargetPose, Vector]]] = {}
        missing: dict[str, None] = {}
        for pose in self.poses:
            for ref, vector in pose.offsets:
                joint = take.motion.skeleton.resolve(ref)
                if joint is None:
                    missing[ref.name] = None
                else:
                    found.setdefault(joint, []).append((pose, vector))
        if missing:
            context.note(f"This body has no {', '.join(missing)}: what the poses say of it has no effect.")
        return found


def _fading(times_s: Array, offsets: Sequence[tuple[TargetPose, Vector]]) -> Array:
    """(T, 3) the curve through the vectors of poses, at moments (T,) of the source."""
    offsets = sorted(offsets, key=lambda offset: offset[0].time_s)
    return fading_curve(
        times_s,
        np.array([pose.time_s for pose, _ in offsets]),
        np.array([np.multiply(pose.strength, vector) for pose, vector in offsets]).reshape(-1, 3),
        np.array([pose.before_s for pose, _ in offsets]),
        np.array([pose.after_s for pose, _ in offsets]),
    )


def fading_curve(times: Array, knot_times: Array, knots: Array, before: Array, after: Array) -> Array:
    """A curve through vectors that fades to zero away from them. times : (T,) -> (T, 3).

    knot_times : (K,) rising; knots : (K, 3); before, after : (K,) over how long each comes up and fades, cut short by
    the knot next to it. The curve passes through every knot, has no corners, stays between neighbouring knots (or
    zero), and follows every argument continuously: nothing jumps when fades begin to overlap.
    """
    if len(knot_times) == 0:
        return np.zeros((len(times), 3))
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
    """(K, 3) the curve's slope at each knot, from what its neighbours have left where its own fade ends."""
    earlier, later = np.zeros_like(knots), np.zeros_like(knots)
    gaps = np.diff(knot_times)
    earlier[1:] = ease(1.0 - (gaps - before[1:]) / after[:-1])[:, None] * knots[:-1]
    later[:-1] = ease(1.0 - (gaps - after[:-1]) / before[1:])[:, None] * knots[1:]
    left, right = before[:, None], after[:, None]
    return slope_between((knots - earlier) / left, (later - knots) / right, left, right)
