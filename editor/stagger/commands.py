"""Commands on the staggered poses of a clip. Times are of the clip's source; a pose is known by its moment as found."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from editor.extrema.correct import ExtremeCorrection, What, with_correction
from editor.posing.commands import part_called, remove_poses
from editor.posing.edit import TargetPose, TargetPoses, Vector
from editor.stack.command import command
from editor.stack.layers import change_edit
from editor.stack.sentences import moment, poses_called
from editor.stagger.by_hand import Round, StaggerChange
from editor.stagger.edit import SAME_POSE_S, Stagger
from editor.stagger.poses import SAME_MOMENT_S
from model.arrays import Array
from model.project import Project
from model.rotation import from_rotation_vector, multiply, to_rotation_vector
from model.skeleton import JointRef

# Knots are moved by no less than this.
_LEAST_S = 1e-9


@command(lambda project, clip, layer, times_s, by_s: f"Move {poses_called(project, clip, times_s)} by {by_s:+.2f} s")
def move_staggered_poses(project: Project, clip: str, layer: str, times_s: tuple[float, ...], by_s: float) -> Project:
    """Put poses earlier or later as a whole, all their knots along."""

    def moved(change: StaggerChange) -> StaggerChange:
        to_s = (change.time_s if change.to_s is None else change.to_s) + by_s
        return replace(change, to_s=None if abs(to_s - change.time_s) < SAME_MOMENT_S else to_s)

    return _changed(project, clip, layer, times_s if by_s else (), moved)


@command(lambda project, clip, layer, knots, what="": f"Move {what or _knots(project, clip, knots)}")
def move_knots(
    project: Project, clip: str, layer: str, knots: tuple[tuple[float, JointRef, float], ...], what: str = ""
) -> Project:
    """Let joints be in poses earlier or later. knots : each with the pose's moment, the joint, and seconds to add.

    what : the part of the body, in words.
    """
    by: dict[float, dict[JointRef, float]] = {}
    for time_s, ref, by_s in knots:
        if abs(by_s) > _LEAST_S:
            by.setdefault(time_s, {})[ref] = by_s

    def moved(change: StaggerChange) -> StaggerChange:
        late = dict(change.knots)
        for ref, by_s in next(
            some for time_s, some in by.items() if abs(time_s - change.time_s) < SAME_MOMENT_S
        ).items():
            late[ref] = late.get(ref, 0.0) + by_s
        return replace(change, knots=tuple((ref, one) for ref, one in late.items() if abs(one) > _LEAST_S))

    return _changed(project, clip, layer, tuple(by), moved)


@command(lambda project, clip, layer, time_s, offsets, root_move_m=(0.0, 0.0, 0.0), what="", of_extremes=False: (
    f"{what or 'Pose body'} at {moment(project, clip, time_s)}"
))  # fmt: skip
def shape_staggered_pose(
    project: Project,
    clip: str,
    layer: str,
    time_s: float,
    offsets: tuple[tuple[JointRef, Vector], ...],
    root_move_m: Vector = (0.0, 0.0, 0.0),
    what: str = "",
    of_extremes: bool = False,
) -> Project:
    """Give a pose other values: joints turned by rotation vectors, and the body moved; in place of what was given.

    of_extremes : whether the extremes of joints are meant, or how the body is at the pose's moment; it makes a
    difference where joints are so late that both cannot be.
    """

    def shaped(change: StaggerChange) -> StaggerChange:
        is_something = bool(offsets) or any(root_move_m)
        return replace(change, offsets=offsets, root_move_m=root_move_m, of_extremes=of_extremes and is_something)

    return _changed(project, clip, layer, (time_s,), shaped)


@command(
    lambda project, clip, layer, times_s, away, away_from_s=None: (
        f"Set {poses_called(project, clip, times_s)} {abs(away):.0%} {'farther from' if away >= 0 else 'nearer to'} "
        + ("the mean" if away_from_s is None else f"the pose at {moment(project, clip, away_from_s)}")
    )
)
def push_staggered_poses(
    project: Project, clip: str, layer: str, times_s: tuple[float, ...], away: float, away_from_s: float | None = None
) -> Project:
    """Push poses farther from another one, or from the mean of all, by so many times their difference from it."""
    return _changed(project, clip, layer, times_s, lambda change: replace(change, away=away, away_from_s=away_from_s))


@command(
    lambda project, clip, layer, times_s, before=None, after=None: f"Ease at {poses_called(project, clip, times_s)}"
)
def ease_staggered_poses(
    project: Project,
    clip: str,
    layer: str,
    times_s: tuple[float, ...],
    before: float | None = None,
    after: float | None = None,
) -> Project:
    """How fast transitions to poses end and those from them start, as a multiple of their mean; None: as it comes.

    That of earlier rounds is forgotten.
    """
    project = _changed_before(
        project, clip, layer, times_s, lambda change: replace(change, pace_before=None, pace_after=None)
    )
    return _changed(project, clip, layer, times_s, lambda change: replace(change, pace_before=before, pace_after=after))


@command(
    lambda project, clip, layer, poses_layer, pairs: (
        f"Take {'a target pose' if len(pairs) == 1 else f'{len(pairs)} target poses'} into staggered poses"
    )
)
def take_in_poses(
    project: Project, clip: str, layer: str, poses_layer: str, pairs: tuple[tuple[float, float], ...]
) -> Project:
    """Make target poses values of staggered ones: joints then get there each at its own time.

    pairs : the moment of a staggered pose, and that of the target pose of another edit which it takes over.
    """
    held = project.clip(clip).layer(poses_layer).edit
    if not isinstance(held, TargetPoses):
        raise ValueError(f"the edit {poses_layer!r} holds no target poses")
    for time_s, pose_s in pairs:
        pose = held.pose_at(pose_s)
        if pose is None:
            raise ValueError(f"there is no target pose at {moment(project, clip, pose_s)}")
        project = _changed(project, clip, layer, (time_s,), partial(_with_values, pose=pose))
    return remove_poses(project, clip, poses_layer, tuple(pose_s for _, pose_s in pairs))


def _with_values(change: StaggerChange, pose: TargetPose) -> StaggerChange:
    """A change with the values of a target pose on top of its own."""
    turns = dict(change.offsets)
    for ref, vector in pose.offsets:
        new = from_rotation_vector(pose.strength * np.array(vector))
        turned = to_rotation_vector(multiply(new, from_rotation_vector(np.array(turns.get(ref, (0.0, 0.0, 0.0))))))
        turns[ref] = _vector(turned)
    moved = np.array(change.root_move_m) + pose.strength * np.array(pose.root_move_m)
    return replace(change, offsets=tuple(turns.items()), root_move_m=_vector(moved))


def _vector(values: Array) -> Vector:
    x, y, z = map(float, values)
    return x, y, z


@command(lambda project, clip, layer, times_s: f"Reset {poses_called(project, clip, times_s)}")
def reset_staggered_poses(project: Project, clip: str, layer: str, times_s: tuple[float, ...]) -> Project:
    """Forget what hands did to poses, in earlier rounds too; they are as they were found."""
    project = _changed_before(project, clip, layer, times_s, lambda change: StaggerChange(change.time_s))
    return _changed(project, clip, layer, times_s, lambda change: StaggerChange(change.time_s))


def _changed_before(
    project: Project,
    clip: str,
    layer: str,
    times_s: tuple[float, ...],
    change: Callable[[StaggerChange], StaggerChange],
) -> Project:
    """The project with what hands did to some poses in earlier rounds changed."""
    edit = stagger_edit(project, clip, layer)

    def those(one: StaggerChange) -> StaggerChange:
        meant = any(abs(one.time_s - time_s) < SAME_POSE_S for time_s in times_s)  # maps of time round
        return change(one) if meant else one

    earlier = tuple(
        replace(part, changes=tuple(new for one in part.changes if not (new := those(one)).is_nothing))
        for part in edit.earlier
    )
    return change_edit(project, clip, layer, replace(edit, earlier=earlier))


@command(lambda project, clip, layer, time_s: f"Add staggered pose at {moment(project, clip, time_s)}")
def add_staggered_pose(project: Project, clip: str, layer: str, time_s: float) -> Project:
    """Say that there is a pose at a moment. The motion stays as it is."""
    edit = _with_new_round(stagger_edit(project, clip, layer))
    corrections = with_correction(edit.corrections, ExtremeCorrection(What.ADDED, time_s))
    return change_edit(project, clip, layer, replace(edit, corrections=corrections))


@command(lambda project, clip, layer, times_s: f"Remove {poses_called(project, clip, times_s)}")
def remove_staggered_poses(project: Project, clip: str, layer: str, times_s: tuple[float, ...]) -> Project:
    """Say that there are no poses at moments. The motion stays as it is: what hands did to them is no longer theirs."""
    if not times_s:
        return project
    edit = _with_new_round(stagger_edit(project, clip, layer))
    corrections = edit.corrections
    for time_s in times_s:
        corrections = with_correction(corrections, ExtremeCorrection(What.DELETED, time_s))
    return change_edit(project, clip, layer, replace(edit, corrections=corrections))


def _with_new_round(edit: Stagger) -> Stagger:
    """An edit in which what was done so far stays as it is when its poses become others."""
    begun = bool(edit.changes) if edit.earlier else not edit.is_nothing
    if not begun:
        return edit
    return replace(edit, earlier=(*edit.earlier, Round(edit.corrections, edit.changes)), corrections=(), changes=())


def stagger_edit(project: Project, clip: str, layer: str) -> Stagger:
    """The edit of this id. Raises ValueError where it is another kind of edit."""
    edit = project.clip(clip).layer(layer).edit
    if not isinstance(edit, Stagger):
        raise ValueError(f"the edit {layer!r} holds no staggered poses")
    return edit


def _changed(
    project: Project,
    clip: str,
    layer: str,
    times_s: tuple[float, ...],
    change: Callable[[StaggerChange], StaggerChange],
) -> Project:
    """The project with what hands did to some poses changed; what comes to nothing is forgotten."""
    edit = stagger_edit(project, clip, layer)
    changes = {one.time_s: one for one in edit.changes}
    for time_s in times_s:
        known = edit.change_at(time_s)
        changes[known.time_s] = change(known)
    kept = tuple(sorted((one for one in changes.values() if not one.is_nothing), key=lambda one: one.time_s))
    return change_edit(project, clip, layer, replace(edit, changes=kept))


def _knots(project: Project, clip: str, knots: tuple[tuple[float, JointRef, float], ...]) -> str:
    if len(knots) == 1:
        time_s, ref, by_s = knots[0]
        return f"{part_called(ref)} by {by_s:+.2f} s in pose at {moment(project, clip, time_s)}"
    return f"{len(knots)} knots"
