"""Commands on the target poses of a clip. Times are of the clip's source; a pose is known by its moment."""

from collections.abc import Callable
from dataclasses import replace

from editor.posing.edit import SAME_MOMENT_S, TargetPose, TargetPoses
from editor.posing.lengths import with_lengths
from editor.stack.command import command
from editor.stack.layers import add_edit, change_edit, remove_edits
from editor.stack.sentences import moment, poses_called
from model.clip import Clip, Layer
from model.project import Project
from model.roles import Role
from model.skeleton import JointRef

_PARTS = {
    Role.LEFT_ANKLE: "left foot", Role.RIGHT_ANKLE: "right foot",
    Role.LEFT_WRIST: "left hand", Role.RIGHT_WRIST: "right hand",
    Role.LEFT_HAND: "left hand", Role.RIGHT_HAND: "right hand",
}  # fmt: skip


def part_called(ref: JointRef) -> str:
    """What the user calls the part of the body that a joint moves: "left hand", "spine", or the joint's own name."""
    return ref.name if ref.role is None else _PARTS.get(ref.role, ref.role.value.replace("_", " "))


def pose_layer(clip: Clip) -> str | None:
    """The layer that takes new poses: the top one, if it holds poses and shows them fully. None for a new one.

    Poses on a layer with a scope would not be seen as they were made.
    """
    return clip.layers[-1].id if clip.layers and takes_poses(clip.layers[-1]) else None


def takes_poses(layer: Layer) -> bool:
    """Whether a layer holds poses and shows all of them, as far as contacts let it."""
    return isinstance(layer.edit, TargetPoses) and layer.on and layer.scope.is_everything


def _what(pose: TargetPose, part: str) -> str:
    """ "Move left hand": what a pose is for, from what the user dragged or else from the joints that it turns."""
    if part:
        return part
    if len(pose.offsets) == 1 and not any(pose.root_move_m):
        return f"Turn {part_called(pose.offsets[0][0])}"
    if not pose.offsets:
        return "Move body"
    return "Pose body"


@command(
    lambda project, clip, layer, pose, what="", after=None, grounded=True: (
        f"{_what(pose, what)} at {moment(project, clip, pose.time_s)}"
    )
)
def set_pose(
    project: Project,
    clip: str,
    layer: str | None,
    pose: TargetPose,
    what: str = "",
    after: str | None = None,
    grounded: bool = True,
) -> Project:
    """Put a pose on a clip, in the place of one at the same moment.

    layer : the edit that holds it; None: the clip's top edit if it is one of poses (see `pose_layer`), else a new one
    on top. what : the words for it, "Move left hand"; without them they are made from the joints. after : the edit
    right after which a new one comes, instead of on top. grounded : whether a new edit keeps feet on the ground.
    """
    new = TargetPoses((pose,), grounded=grounded)
    if layer is None and after is not None:
        return add_edit(project, clip, new, place=project.clip(clip).place_of(after) + 1)
    place = layer or pose_layer(project.clip(clip))
    if place is None:
        return add_edit(project, clip, new)
    return _changed(project, clip, place, lambda poses: _with(poses, (pose,)))


@command(lambda project, clip, layer, joints, factor, what="": f"Set the length of {what or 'limbs'} to {factor:.0%}")
def set_lengths(
    project: Project, clip: str, layer: str, joints: tuple[JointRef, ...], factor: float, what: str = ""
) -> Project:
    """Make the bones that end in joints longer or shorter in all of the clip; 1 gives them back their own lengths.

    layer : an edit of target poses, with which it stands; what : the words for the limb, "legs".
    """
    return change_edit(project, clip, layer, with_lengths(_edit(project, clip, layer), joints, factor))


@command(lambda project, clip, layer, poses, source_s=None: _repeated(project, clip, poses, source_s))
def set_poses(
    project: Project, clip: str, layer: str, poses: tuple[TargetPose, ...], source_s: float | None = None
) -> Project:
    """Put several poses on a clip, in the place of those at the same moments. source_s : the pose they repeat."""
    return _changed(project, clip, layer, lambda present: _with(present, poses)) if poses else project


@command(lambda project, clip, layer, time_s, joints: f"{_limited(joints)} {poses_called(project, clip, (time_s,))}")
def limit_pose(project: Project, clip: str, layer: str, time_s: float, joints: tuple[JointRef, ...] | None) -> Project:
    """Let a pose act on some joints only; None for all that it turns."""
    new = replace(_at(project, clip, layer, time_s), joints=joints)
    return _changed(project, clip, layer, lambda poses: _with(poses, (new,)))


@command(lambda project, clip, layer, grounded: _ground_told(grounded))
def set_grounded(project: Project, clip: str, layer: str, grounded: bool) -> Project:
    """Let feet stay planted where target poses are applied, or only turn joints."""
    return change_edit(project, clip, layer, replace(_edit(project, clip, layer), grounded=grounded))


@command(lambda project, clip, layer, times_s: f"Remove {poses_called(project, clip, times_s)}")
def remove_poses(project: Project, clip: str, layer: str, times_s: tuple[float, ...]) -> Project:
    """Remove the poses at some moments; an edit that has none left goes too. ValueError where there is none."""
    gone = [_at(project, clip, layer, time) for time in times_s]
    left = tuple(pose for pose in _edit(project, clip, layer).poses if pose not in gone)
    if not gone:
        return project
    return _changed(project, clip, layer, lambda _: left) if left else remove_edits(project, clip, (layer,))


@command(lambda project, clip, layer, times_s, by_s: f"Move {poses_called(project, clip, times_s)} by {by_s:+.2f} s")
def move_poses(project: Project, clip: str, layer: str, times_s: tuple[float, ...], by_s: float) -> Project:
    """Put the poses at some moments earlier or later. ValueError where one would meet another that stays."""
    moved = [_at(project, clip, layer, time) for time in times_s]
    stay = [pose for pose in _edit(project, clip, layer).poses if pose not in moved]
    later = [replace(pose, time_s=pose.time_s + by_s) for pose in moved]
    for pose in later:
        if any(abs(other.time_s - pose.time_s) < SAME_MOMENT_S for other in stay):
            raise ValueError(f"there is another pose at {moment(project, clip, pose.time_s)}")
    return _changed(project, clip, layer, lambda _: tuple(sorted((*stay, *later), key=_moment)))


@command(
    lambda project, clip, layer, time_s, before_s=None, after_s=None, strength=None: (
        f"Change {poses_called(project, clip, (time_s,))}"
    )
)
def change_pose(
    project: Project,
    clip: str,
    layer: str,
    time_s: float,
    before_s: float | None = None,
    after_s: float | None = None,
    strength: float | None = None,
) -> Project:
    """Set over how long a pose comes up and fades, and its share; what is not given stays."""
    pose = _at(project, clip, layer, time_s)
    new = replace(
        pose,
        before_s=pose.before_s if before_s is None else before_s,
        after_s=pose.after_s if after_s is None else after_s,
        strength=pose.strength if strength is None else strength,
    )
    return _changed(project, clip, layer, lambda poses: _with(poses, (new,)))


def _repeated(project: Project, clip: str, poses: tuple[TargetPose, ...], source_s: float | None) -> str:
    where = f"{len(poses)} place{'' if len(poses) == 1 else 's'}"
    if source_s is None:
        return f"Set {len(poses)} poses"
    return f"Repeat {poses_called(project, clip, (source_s,))} in {where}"


def _limited(joints: tuple[JointRef, ...] | None) -> str:
    return "Let all joints follow the" if joints is None else f"Limit to {len(joints)} joints the"


def _ground_told(grounded: bool) -> str:
    return "Keep feet on the ground in target poses" if grounded else "Only turn joints in target poses"


def _edit(project: Project, clip: str, layer: str) -> TargetPoses:
    edit = project.clip(clip).layer(layer).edit
    if not isinstance(edit, TargetPoses):
        raise ValueError(f"the edit {layer!r} holds no poses")
    return edit


def _at(project: Project, clip: str, layer: str, time_s: float) -> TargetPose:
    pose = _edit(project, clip, layer).pose_at(time_s)
    if pose is None:
        raise ValueError(f"there is no pose at {moment(project, clip, time_s)}")
    return pose


def _with(poses: tuple[TargetPose, ...], new: tuple[TargetPose, ...]) -> tuple[TargetPose, ...]:
    """Poses in the order of time, new ones in the place of those at the same moments."""
    kept = [one for one in poses if all(abs(one.time_s - pose.time_s) >= SAME_MOMENT_S for pose in new)]
    return tuple(sorted((*kept, *new), key=_moment))


def _moment(pose: TargetPose) -> float:
    return pose.time_s


def _changed(
    project: Project, clip: str, layer: str, change: Callable[[tuple[TargetPose, ...]], tuple[TargetPose, ...]]
) -> Project:
    edit = _edit(project, clip, layer)
    return change_edit(project, clip, layer, replace(edit, poses=change(edit.poses)))
