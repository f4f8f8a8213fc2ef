"""Where a pose is made: which edit takes it, at which frame, on top of what."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from editor.commands.poses import pose_layer, takes_poses
from editor.edits.target_poses import TargetPose, TargetPoses
from editor.posing.keying import offsets_between, seen_pose, target_pose
from editor.posing.pose import Pose
from editor.showing import Shown
from model.clip import Layer, Take
from model.time_map import TimeMap

# A pose this near to a frame, in frames, is that frame's.
_NEAR = 0.5


@dataclass(frozen=True, eq=False)
class Place:
    """A frame of a clip, and the edit that takes the pose made there.

    layer : its id, None for a new one; after : the edit right after which a new one comes, None for the top; take :
    what the edit works on; edit : what it holds so far; time_s : the moment in the source's time, that of a pose beside
    the frame where there is one; frame_s : that of the frame itself; shown_s : in the take that is shown.
    """

    clip: str
    layer: str | None
    after: str | None
    take: Take
    frame: int
    edit: TargetPoses | None
    time_s: float
    frame_s: float
    shown_s: float

    @cached_property
    def seen(self) -> Pose:
        """The pose that is seen there, before anything is done to it."""
        return seen_pose(self.take, self.frame, self.edit, self.time_s)

    @property
    def worked_out(self) -> Pose:
        """The pose of the take that comes out of the edit, whether it is there yet or not."""
        return seen_pose(self.take, self.frame, self.edit, self.frame_s)

    def target(self, wanted: Pose) -> TargetPose:
        """What is to be kept so that the figure stands there as wanted."""
        return target_pose(self.take, self.frame, self.edit, self.time_s, self.seen, wanted)

    def held(self) -> TargetPose:
        """What keeps the figure there as it is seen, whatever poses come beside it: a pose that names every joint.

        A joint that it did not name would follow its neighbours' poses.
        """
        skeleton = self.take.motion.skeleton
        near = {} if self.edit is None else self.edit.at(skeleton, self.time_s)[0]
        offsets, move = offsets_between(Pose.of(self.take.motion, self.frame), self.seen, near)
        told = dict(offsets)
        everyone = dict.fromkeys(skeleton.ref(joint) for joint in range(len(skeleton)))
        present = None if self.edit is None else self.edit.pose_at(self.time_s)
        others = () if present is None else (one for one in present.offsets if skeleton.resolve(one[0]) is None)
        return replace(
            present or TargetPose(self.time_s),
            offsets=(*((ref, told.get(ref, (0.0, 0.0, 0.0))) for ref in everyone), *others),
            root_move_m=move,
            holds_root=True,
            strength=1.0,
        )


def place_of(shown: Shown, layer_id: str | None, time_s: float) -> Place | None:
    """Where a pose that is made now goes; None where there is no frame.

    layer_id : the edit that is selected. It takes the pose if it holds poses and shows them fully; else a new edit
    right after it does. With none selected it is the top one, or a new one on top.
    """
    clip, motion = shown.clip, shown.take.motion
    if not motion.frames:
        return None
    frame = frame_at(shown, time_s)
    layer = pose_layer(clip) if layer_id is None else _if_it_takes_poses(clip.layer(layer_id))
    stage, edit = shown.stage, None
    if layer is not None:
        place = clip.place_of(layer)
        stage = shown.stages[min(place, len(shown.stages) - 1)]
        held = clip.layers[place].edit
        assert isinstance(held, TargetPoses)
        edit = held
    shown_s = frame * motion.frame_time_s
    if not 0 <= frame < stage.take.motion.frames:
        return None
    frame_s = float(stage.time_map.inverse()(shown_s))
    near_s = _moment(edit, stage.time_map, shown_s, motion.frame_time_s)
    time_s = frame_s if near_s is None else near_s
    after = layer_id if layer is None else None
    return Place(clip.id, layer, after, stage.take, frame, edit, time_s, frame_s, shown_s)


def frame_at(shown: Shown, time_s: float) -> int:
    """The frame of the shown take that is nearest to a moment."""
    motion = shown.take.motion
    return min(max(round(time_s / motion.frame_time_s), 0), max(motion.frames - 1, 0))


def _if_it_takes_poses(layer: Layer) -> str | None:
    return layer.id if takes_poses(layer) else None


def _moment(edit: TargetPoses | None, time_map: TimeMap, shown_s: float, frame_time_s: float) -> float | None:
    """The moment of the pose that is seen less than half a frame beside a frame."""
    moments = np.array([pose.time_s for pose in (edit.poses if edit is not None else ())])
    away = np.abs(time_map(moments) - shown_s)
    near = len(moments) and float(np.min(away)) < _NEAR * frame_time_s
    return float(moments[np.argmin(away)]) if near else None
