"""What the curve editor draws: for each channel what the figure does, what it did before the keys, and the keys.

Knows nothing of Qt. Numbers are in our own units; a track says how people read them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from editor.curves.channels import POSITION, VECTOR, Channel, channels_of, dense, euler_order
from editor.curves.edit import CurveKeys
from editor.curves.editing import Spot
from editor.curves.keys import Keys
from editor.document.session import View
from editor.document.showing import Shown
from editor.stack.evaluator import Stage
from model.arrays import Array
from model.clip import Clip, Layer
from model.derived import Deriver
from model.measures import CENTIMETRES, DEGREES, Measure
from model.motion import Motion
from model.skeleton import JointRef
from model.time_map import IDENTITY_MAP, TimeMap


@dataclass(frozen=True)
class Target:
    """Which edit holds the keys that are edited. layer : None where it is not there yet; is_seen : whether what is
    shown is what comes out of it.
    """

    layer: Layer | None
    is_seen: bool

    @property
    def edit(self) -> CurveKeys:
        edit = None if self.layer is None else self.layer.edit
        return edit if isinstance(edit, CurveKeys) else CurveKeys()

    @property
    def layer_id(self) -> str | None:
        return None if self.layer is None else self.layer.id


def target_of(clip: Clip, view: View) -> Target:
    """The selected edit where it is of keys, else the topmost one or, where that is of another kind, a new one."""
    selected = None if view.layer is None else clip.layer(view.layer)
    if selected is not None and isinstance(selected.edit, CurveKeys):
        return Target(selected, True)
    top = clip.layers[-1] if clip.layers else None
    held = top if top is not None and isinstance(top.edit, CurveKeys) else None
    return Target(held, selected is None or selected is top)


@dataclass(frozen=True, eq=False)
class Track:
    """A channel over the frames that are shown. before : (F,) without the keys; values : (F,) what the figure does;
    times_s : (K,) where in the shown take the keys are.
    """

    channel: Channel
    name: str
    measure: Measure
    frame_time_s: float
    before: Array
    values: Array
    keys: Keys
    absolute: bool
    times_s: Array

    @property
    def colour(self) -> str:
        """Its name in the theme."""
        return f"axis_{self.channel.axis.lower()}"

    @property
    def is_changed(self) -> bool:
        return self.values is not self.before

    @cached_property
    def key_values(self) -> Array:
        """(K,) where the keys are drawn: on the curve."""
        return self.keys.values if self.absolute else self.keys.values + self.value_at(self.times_s, before=True)

    def value_at(self, times_s: Array, before: bool = False) -> Array:
        """The curve at moments (T,) of the shown take."""
        values = self.before if before else self.values
        return np.interp(times_s, np.arange(len(values)) * self.frame_time_s, values)

    def place_of(self, spot: Spot) -> int | None:
        """Which of the keys a spot means."""
        near = np.flatnonzero(np.abs(self.keys.times_s - spot.time_s) < 1e-6)
        return int(near[0]) if len(near) else None


NOTHING = Target(None, True)


@dataclass(frozen=True, eq=False)
class Board:
    """All tracks, and how the source's time is laid on that of the shown take."""

    tracks: tuple[Track, ...] = ()
    frames: int = 0
    frame_time_s: float = 1.0
    time_map: TimeMap = IDENTITY_MAP
    target: Target = NOTHING
    is_root_only: bool = False  # nothing is selected: what is shown is the root's place

    def track(self, channel: Channel) -> Track | None:
        return next((one for one in self.tracks if one.channel == channel), None)

    @cached_property
    def _back(self) -> TimeMap:
        return self.time_map.inverse()

    def to_source(self, time_s: float) -> float:
        return float(self._back(time_s))

    def to_shown(self, time_s: float) -> float:
        return float(self.time_map(time_s))

    def nearest_frame(self, source_time_s: float) -> float:
        """The moment of the source at which the nearest frame of the shown take is."""
        return self.to_source(round(self.to_shown(source_time_s) / self.frame_time_s) * self.frame_time_s)


def dense_values(motion: Motion, joint: int, space: str) -> Array:
    """(F, 3) X, Y and Z of a joint in a space, each in one run of memory."""
    return np.asfortranarray(dense(motion, joint, space))


def board_of(shown: Shown, view: View, as_vectors: bool) -> Board:
    """What is drawn of a clip: the channels of the selected joints, or of the root's place where there are none."""
    target = target_of(shown.clip, view)
    before, after = _stages(shown, target)
    motion = before.take.motion
    skeleton = motion.skeleton
    joints = [joint for ref in view.joints if (joint := skeleton.resolve(ref)) is not None]
    wanted: list[tuple[int, str]] = []
    for joint in dict.fromkeys(joints or [0]):
        if joint == 0:
            wanted.append((0, POSITION))
        if joints:
            wanted.append((joint, _space(motion, joint, target.edit, as_vectors)))
    times = np.arange(float(motion.frames)) * motion.frame_time_s
    laid = _Laid(before, after, target, after.time_map.inverse()(times), shown.evaluator.derived)
    tracks = [track for joint, space in wanted for track in laid.tracks(joint, space)]
    return Board(tuple(tracks), motion.frames, motion.frame_time_s, after.time_map, target, not joints)


def joint_name(ref: JointRef) -> str:
    """What a joint is called: what it is to a person, else its name in the file."""
    return ref.name if ref.role is None else ref.role.value.replace("_", " ")


def joint_names(channels: Sequence[Channel]) -> str:
    """Whose channels these are, for a sentence."""
    names = list(dict.fromkeys(joint_name(channel.joint) for channel in channels))
    return names[0] if len(names) == 1 else f"{len(names)} joints"


def _stages(shown: Shown, target: Target) -> tuple[Stage, Stage]:
    """What comes into the edit and what comes out. While a new edit is being worked out its stage is not there yet."""
    if target.layer is None or not target.is_seen:
        return shown.stage, shown.stage
    place, last = shown.clip.place_of(target.layer.id), len(shown.stages) - 1
    return shown.stages[min(place, last)], shown.stages[min(place + 1, last)]


def _space(motion: Motion, joint: int, edit: CurveKeys, as_vectors: bool) -> str:
    """In which space a joint is shown: the one in which it has keys, so that all of its keys are seen."""
    skeleton = motion.skeleton
    for curve in edit.curves:
        if curve.channel.space != POSITION and len(curve.keys) and skeleton.resolve(curve.channel.joint) == joint:
            return curve.channel.space
    return VECTOR if as_vectors else euler_order(motion, joint)


@dataclass(frozen=True, eq=False)
class _Laid:
    """Makes tracks of the edit's keys and the stages round it. source_s : (F,) the frames' times in the source;
    derive : for dense values, which are asked for with every change.
    """

    before: Stage
    after: Stage
    target: Target
    source_s: Array
    derive: Deriver

    def tracks(self, joint: int, space: str) -> list[Track]:
        motion = self.before.take.motion
        ref = motion.skeleton.ref(joint)
        before = self.derive(dense_values, motion, joint, space)
        return [self._track(channel, joint, before[:, channel.column]) for channel in channels_of(ref, space)]

    def _track(self, channel: Channel, joint: int, before: Array) -> Track:
        motion = self.before.take.motion
        curve = None
        if self.target.is_seen:
            # The very joint may be spoken of in another way, where the keys came from another body.
            same = (channel.space, channel.axis)
            curve = next(
                (
                    one
                    for one in self.target.edit.curves
                    if (one.channel.space, one.channel.axis) == same
                    and motion.skeleton.resolve(one.channel.joint) == joint
                ),
                None,
            )
        keys = Keys() if curve is None else curve.keys
        return Track(
            channel if curve is None else curve.channel,
            joint_name(channel.joint),
            CENTIMETRES if channel.space == POSITION else DEGREES,
            motion.frame_time_s,
            before,
            self._values(channel, joint, before, keys, curve is not None and curve.absolute),
            keys,
            curve is not None and curve.absolute,
            self.after.time_map(keys.times_s),
        )

    def _values(self, channel: Channel, joint: int, before: Array, keys: Keys, absolute: bool) -> Array:
        """What comes out. Laid over what comes in it is there at once, before the take is worked out."""
        layer = self.target.layer
        if layer is None or not self.target.is_seen or not len(keys):
            return before
        if not layer.on or not layer.scope.is_everything:
            return self.derive(dense_values, self.after.take.motion, joint, channel.space)[:, channel.column]
        laid = keys.at(self.source_s)
        return laid if absolute else before + laid
