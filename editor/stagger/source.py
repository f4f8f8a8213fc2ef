"""Clips made from scratch out of a few staggered poses. Coleman 2012, section 7.1.1."""

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np

from editor.contacts.detect import find_contacts
from editor.posing.edit import Vector
from editor.retarget.character import built_in, character_of
from editor.stagger.poses import SAME_MOMENT_S, StaggeredPoses
from editor.stagger.refining import HAND_SHARE, in_order
from editor.stagger.reshaping import non_staggered
from editor.stagger.warping import cubic_between, frames_at, padded
from model.arrays import Array
from model.character import Character
from model.clip import Context, Source, Take, setting
from model.limits import check_length
from model.motion import Motion, rest_motion
from model.rotation import from_rotation_vector, to_rotation_vector
from model.skeleton import JointRef
from model.splines import rotation_spline, vector_spline

# Turns smaller than this are those of a joint at rest.
_AT_REST_RAD = 1e-6


@dataclass(frozen=True)
class StaggeredPose:
    """One pose: its central time, how joints are turned in it, and how much later each of them is.

    turns : joints, each with its rotation from the rest pose as a vector in radians in its parent's frame; a joint that
    is not named is not a matter of this pose. root_m : where the root is, None for no matter. late : joints, each with
    its refinement in seconds.
    """

    time_s: float
    turns: tuple[tuple[JointRef, Vector], ...] = ()
    root_m: Vector | None = None
    late: tuple[tuple[JointRef, float], ...] = ()

    def __post_init__(self) -> None:
        if not (math.isfinite(self.time_s) and self.time_s >= 0.0):
            raise ValueError(f"time_s is {self.time_s}; a pose is at 0 or later")


@dataclass(frozen=True)
class StaggeredPosesSource(Source):
    """A motion that passes through a few poses, each joint at its own moment, on smooth curves between them."""

    kind: ClassVar[str] = "staggered_poses"
    title: ClassVar[str] = "Staggered poses"

    poses: tuple[StaggeredPose, ...] = setting((), "Poses", tip="What the body passes through, and when.")
    character: Character = setting(built_in("average"), "Character", tip="The body that moves.")
    fps: float = setting(60.0, "Frame rate", "fps", 1.0, 480.0, tip="How many frames a second has.")
    hold_s: float = setting(0.5, "Hold", "s", 0.0, 60.0, tip="How long the last pose is held.")

    def __post_init__(self) -> None:
        super().__post_init__()
        times = sorted(pose.time_s for pose in self.poses)
        if any(later - earlier < SAME_MOMENT_S for earlier, later in pairwise(times)):
            raise ValueError("poses: two of them are at the same moment")

    def make(self, context: Context) -> Take:
        skeleton = self.character.skeleton
        poses = sorted(self.poses, key=lambda pose: pose.time_s)
        last_s = max((pose.time_s + max((late for _, late in pose.late), default=0.0) for pose in poses), default=0.0)
        steps = (last_s + self.hold_s) * self.fps
        check_length("Staggered poses", steps, len(skeleton), "Bring the last pose nearer, or use a lower frame rate.")
        frames = math.floor(steps + 1e-6) + 1
        motion = rest_motion(skeleton, 1.0 / self.fps, frames)
        times = np.arange(float(frames)) / self.fps
        rotations, roots = np.array(motion.local_rotations), np.array(motion.root_positions)
        missing: dict[str, None] = {}
        tracks: dict[int, list[tuple[float, float, Vector]]] = {}
        for pose in poses:
            late = dict(pose.late)
            for ref, turn in pose.turns:
                joint = skeleton.resolve(ref)
                if joint is None:
                    missing[ref.name] = None
                else:
                    tracks.setdefault(joint, []).append((pose.time_s, late.get(ref, 0.0), turn))
        for joint, knots in tracks.items():
            at = _knot_times(knots)
            rotations[:, joint] = rotation_spline(at, from_rotation_vector(np.array([one[2] for one in knots])), times)
        moved = [(pose.time_s, dict(pose.late).get(skeleton.ref(0), 0.0), pose.root_m) for pose in poses if pose.root_m]
        if moved:
            at = _knot_times([(time, late, root) for time, late, root in moved if root is not None])
            roots = vector_spline(at, np.array([root for _, _, root in moved]), times)
        if missing:
            context.note(f"This body has no {', '.join(missing)}: what the poses say of it has no effect.")
        made = Motion(skeleton, 1.0 / self.fps, roots, rotations, skeleton.offsets)
        return Take(made, find_contacts(made, hands=True))


def _knot_times(knots: list[tuple[float, float, Vector]]) -> Array:
    """(K,) when a joint is in its poses, in order whatever the refinements are."""
    centres = np.array([time for time, _, _ in knots])[:, None]
    late = np.array([late for _, late, _ in knots])[:, None]
    if len(knots) < 2:
        return np.asarray((centres + late)[:, 0])
    first, last = centres[:1] - 1e3, centres[-1:] + 1e3
    before = np.concatenate([first, centres, last])
    return in_order(before, np.concatenate([first, centres + late, last]), HAND_SHARE)[1:-1, 0]


def made_of(motion: Motion, poses: StaggeredPoses, name: str) -> StaggeredPosesSource:
    """A clip out of the poses of a motion alone: its extreme values, its stagger, and nothing of what is between."""
    skeleton = motion.skeleton
    turns = to_rotation_vector(non_staggered(motion, poses))
    moving = np.max(np.abs(turns), axis=(0, 2), initial=0.0) > _AT_REST_RAD
    knots = frames_at(motion, poses.knots_s[:, 0])
    roots = cubic_between(padded(motion.root_positions.T), knots).T
    refs = [(joint, skeleton.ref(joint)) for joint in np.flatnonzero(moving).tolist()]
    made = []
    for n, time_s in enumerate(poses.times_s.tolist()):
        named = tuple((ref, _vector(turns[n, joint])) for joint, ref in refs)
        late = tuple((ref, float(poses.refinements_s[n, joint])) for joint, ref in refs)
        made.append(StaggeredPose(time_s, named, _vector(roots[n]), tuple(one for one in late if one[1] != 0.0)))
    return StaggeredPosesSource(tuple(made), character_of(name, motion), motion.fps)


def _vector(values: Array) -> Vector:
    x, y, z = map(float, values)
    return x, y, z
