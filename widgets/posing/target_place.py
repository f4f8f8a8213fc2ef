"""Where target poses are made: which edit takes one, at which frame, on top of what."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from editor.document.showing import Shown
from editor.posing.commands import pose_layer, set_grounded, set_pose, takes_poses
from editor.posing.edit import TargetPose, TargetPoses, Vector
from editor.posing.keying import seen_pose, target_pose
from editor.posing.place import NEAR, Call, Place
from editor.posing.pose import Pose, habits_of
from model.arrays import Array
from model.clip import Layer, Take
from model.derived import Deriver, uncached
from model.skeleton import JointRef
from model.time_map import TimeMap


@dataclass(frozen=True, eq=False)
class TargetPlace(Place):
    """A frame at which a target pose is made, or changed.

    after : the edit right after which a new one comes, None for the top; take : what the edit works on, and result :
    what came of it; edit : what it holds so far; time_s : the moment in the source's time, that of a pose beside the
    frame where there is one; time_map : from the source's time to the take's; derive : for the habits of the body.
    """

    after: str | None
    take: Take
    edit: TargetPoses | None
    time_s: float
    time_map: TimeMap
    result: Take | None = None
    derive: Deriver = uncached

    @property
    def grounded(self) -> bool | None:
        return None if self.edit is None else self.edit.grounded

    def ground(self, on: bool) -> Call:
        assert self.layer is not None
        return set_grounded, (self.clip, self.layer, on)

    def kept(self, wanted: Pose, seen: Pose, what: str, grounded: bool) -> Call:
        return self.keeping(self.target(wanted, seen), what, grounded)

    def keeping(self, target: TargetPose, what: str, grounded: bool) -> Call:
        """The command that keeps a target pose there."""
        return set_pose, (self.clip, self.layer, target, what, self.after, grounded)

    @property
    def ghost(self) -> Pose | None:
        if self.edit is None:
            return None
        turns, move = self.edit.at(self.take.motion.skeleton, self.time_s)
        return self.unposed if turns or np.any(move) else None

    @cached_property
    def seen(self) -> Pose:
        return seen_pose(self.take, self.frame, self.edit, self.time_s, self.result, self.derive)

    @cached_property
    def unposed(self) -> Pose:
        """The pose that is there before the edit, where the body has got to by its steps."""
        before = Pose.of(self.take.motion, self.frame, self.derive(habits_of, self.take.motion))
        move = np.zeros(3) if self.edit is None else self.edit.at(self.take.motion.skeleton, self.time_s)[1]
        apart = self.seen.root_position - before.root_position - move
        return before.with_rotations(before.local_rotations, before.root_position + apart * [1.0, 0.0, 1.0])

    def target(self, wanted: Pose, seen: Pose | None = None) -> TargetPose:
        """What is to be kept so that the figure stands there as wanted. seen : what the hand began with."""
        return target_pose(self.take, self.frame, self.edit, self.time_s, seen or self.seen, wanted)

    def held(self) -> TargetPose:
        """What keeps the figure there as it is seen, whatever poses come beside it: a pose that names every joint.

        A joint that it did not name would follow its neighbours' poses.
        """
        skeleton = self.take.motion.skeleton
        turns, move = ({}, np.zeros(3)) if self.edit is None else self.edit.at(skeleton, self.time_s)
        told: dict[JointRef, Vector] = {}
        for joint, vector in turns.items():
            told[skeleton.ref(joint)] = _plain(vector)
        everyone = dict.fromkeys(skeleton.ref(joint) for joint in range(len(skeleton)))
        present = None if self.edit is None else self.edit.pose_at(self.time_s)
        others = () if present is None else (one for one in present.offsets if skeleton.resolve(one[0]) is None)
        return replace(
            present or TargetPose(self.time_s),
            offsets=(*((ref, told.get(ref, (0.0, 0.0, 0.0))) for ref in everyone), *others),
            root_move_m=_plain(move),
            holds_root=True,
            strength=1.0,
            joints=None,
        )


def place_of(shown: Shown, layer_id: str | None, time_s: float) -> TargetPlace | None:
    """Where a target pose that is made now goes; None where there is no frame.

    layer_id : the edit that is selected. It takes the pose if it holds poses and shows them fully; else a new edit
    right after it does. With none selected it is the top one, or a new one on top.
    """
    clip, motion = shown.clip, shown.take.motion
    if not motion.frames:
        return None
    frame = shown.frame_at(time_s)
    layer = pose_layer(clip) if layer_id is None else _if_it_takes_poses(clip.layer(layer_id))
    stage, edit, result = shown.stage, None, None
    if layer is not None:
        place = clip.place_of(layer)
        stage = shown.stages[min(place, len(shown.stages) - 1)]
        held = clip.layers[place].edit
        assert isinstance(held, TargetPoses)
        edit = held
        result = shown.stages[place + 1].take if place + 1 < len(shown.stages) else None
    shown_s = frame * motion.frame_time_s
    if not 0 <= frame < stage.take.motion.frames:
        return None
    frame_s = float(stage.time_map.inverse()(shown_s))
    near_s = _moment(edit, stage.time_map, shown_s, motion.frame_time_s)
    time_s = frame_s if near_s is None else near_s
    after = layer_id if layer is None else None
    return TargetPlace(
        clip.id, layer, frame, shown_s, after, stage.take, edit, time_s, stage.time_map, result,
        shown.evaluator.derived,
    )  # fmt: skip


def _plain(vector: Array) -> Vector:
    x, y, z = vector.tolist()
    return x, y, z


def _if_it_takes_poses(layer: Layer) -> str | None:
    return layer.id if takes_poses(layer) else None


def _moment(edit: TargetPoses | None, time_map: TimeMap, shown_s: float, frame_time_s: float) -> float | None:
    """The moment of the pose that is seen less than half a frame beside a frame."""
    moments = np.array([pose.time_s for pose in (edit.poses if edit is not None else ())])
    away = np.abs(time_map(moments) - shown_s)
    near = len(moments) and float(np.min(away)) < NEAR * frame_time_s
    return float(moments[np.argmin(away)]) if near else None
