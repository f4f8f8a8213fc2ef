"""Edits of time: a part of a clip, another pace, another frame rate. Contacts go with the frames."""

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np

from model.arrays import Array
from model.clip import Context, Edit, Take, setting
from model.limits import MOST_FPS, check_length
from model.monotone import monotone_spline
from model.retiming import frames_at_rate, sampled
from model.time_map import IDENTITY_MAP, TimeMap, shifted

# A frame whose time is this near to an end of a range, in frames, lies at it.
_NEAR = 1e-6
# Within a frame the map of a changing pace has so many knots: in slow motion, frames show the time between frames.
_KNOTS_A_FRAME = 8


@dataclass(frozen=True)
class Trim(Edit):
    """Keeps the part of a clip between two moments, both included. At half strength half as much is cut off."""

    kind: ClassVar[str] = "trim"
    title: ClassVar[str] = "Trim"
    group: ClassVar[str] = "Time"
    reach: ClassVar[str] = "whole"

    start_s: float | None = setting(None, "Start", "s", tip="The first moment that is kept; none: from the beginning.")
    stop_s: float | None = setting(None, "Stop", "s", tip="The last moment that is kept; none: to the end.")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.start_s is not None and self.stop_s is not None and not self.start_s <= self.stop_s:
            raise ValueError(f"start_s is {self.start_s}, stop_s {self.stop_s}: what is kept must not run backwards")

    def apply(self, take: Take, context: Context) -> Take:
        start, stop = self._kept(take, context)
        if (start, stop) == (0, take.motion.frames):
            return take
        return Take(take.motion.sliced(start, stop), take.contacts.at(np.arange(float(start), float(stop))))

    def time_map(self, take: Take, context: Context) -> TimeMap:
        start, _ = self._kept(take, context)
        return shifted(-start * take.motion.frame_time_s) if start else IDENTITY_MAP

    def _kept(self, take: Take, context: Context) -> tuple[int, int]:
        """The frames [start, stop) that are kept. Raises ValueError where there are none."""
        frames, step_s = take.motion.frames, take.motion.frame_time_s
        first, last = 0.0, frames - 1.0
        if self.start_s is not None:
            first = context.strength * max(float(context.to_stage(self.start_s)) / step_s, 0.0)
        if self.stop_s is not None:
            last -= context.strength * max(last - float(context.to_stage(self.stop_s)) / step_s, 0.0)
        start, stop = math.ceil(first - _NEAR), math.floor(last + _NEAR) + 1
        if not start < stop:
            if not frames:
                return 0, 0
            start_at = "the beginning" if self.start_s is None else context.moment(self.start_s)
            stop_at = "the end" if self.stop_s is None else context.moment(self.stop_s)
            raise ValueError(f"Trim would leave nothing: no frame lies between {start_at} and {stop_at}")
        return start, stop


@dataclass(frozen=True)
class Retime(Edit):
    """Plays a clip faster or slower, at a pace that may change. At half strength four times as fast is only twice."""

    kind: ClassVar[str] = "retime"
    title: ClassVar[str] = "Retime"
    group: ClassVar[str] = "Time"
    reach: ClassVar[str] = "whole"

    speeds: tuple[tuple[float, float], ...] = setting(
        (),
        "Speed curve",
        tip="Moments, and how fast time runs there: 1 as recorded, 2 twice as fast, 0.5 half as fast.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if any(not 0.01 <= speed <= 100.0 for _, speed in self.speeds):
            raise ValueError("speeds: each must be 0.01 to 100 times the recorded one")
        if any(not earlier < later for (earlier, _), (later, _) in pairwise(self.speeds)):
            raise ValueError("speeds must be in order of time")

    def apply(self, take: Take, context: Context) -> Take:
        time_map, motion = self.time_map(take, context), take.motion
        if time_map is IDENTITY_MAP:
            return take
        steps = float(time_map(motion.duration_s)) / motion.frame_time_s
        joints = len(motion.skeleton)
        check_length("Retime", steps, joints, "Use a higher speed, or trim the clip first.", motion.frames * joints)
        count = math.floor(steps + _NEAR) + 1
        times = time_map.inverse()(np.arange(float(count)) * motion.frame_time_s)
        frames = np.clip(times / motion.frame_time_s, 0.0, motion.frames - 1.0)
        return Take(sampled(motion, frames), take.contacts.at(frames))

    def time_map(self, take: Take, context: Context) -> TimeMap:
        paces = np.log([speed for _, speed in self.speeds]) * context.strength
        if take.motion.frames < 2 or not np.any(paces):
            return IDENTITY_MAP
        knots = (take.motion.frames - 1) * _KNOTS_A_FRAME + 1
        before = np.linspace(0.0, take.motion.duration_s, knots)
        moments = np.array([time for time, _ in self.speeds])
        longer = np.exp(-monotone_spline(moments, paces, context.to_source(before)))
        return TimeMap(before, _integral(before, longer))


def _integral(x: Array, y: Array) -> Array:
    """(N,) the integral of y over x from its first value on, by trapezoids."""
    return np.concatenate([[0.0], np.cumsum(0.5 * (y[1:] + y[:-1]) * np.diff(x))])


@dataclass(frozen=True)
class Resample(Edit):
    """Shows a clip at another frame rate. It has no half strength: it is done, or at strength 0 not."""

    kind: ClassVar[str] = "resample"
    title: ClassVar[str] = "Resample"
    group: ClassVar[str] = "Time"
    reach: ClassVar[str] = "whole"

    fps: float = setting(30.0, "Frame rate", "fps", 1.0, MOST_FPS, tip="Frames per second.")

    def apply(self, take: Take, context: Context) -> Take:
        if self._leaves_alone(take, context):
            return take
        frames = frames_at_rate(take.motion, self.fps)
        return Take(sampled(take.motion, frames, 1.0 / self.fps), take.contacts.at(frames))

    def time_map(self, take: Take, context: Context) -> TimeMap:
        frames = frames_at_rate(take.motion, self.fps)
        if self._leaves_alone(take, context) or len(frames) < 2:
            return IDENTITY_MAP
        # Frame times rounded in a file are put right; over a long clip that is some milliseconds.
        ends = np.array([0.0, frames[-1] * take.motion.frame_time_s]), np.array([0.0, (len(frames) - 1) / self.fps])
        return IDENTITY_MAP if abs(ends[0][1] - ends[1][1]) < 1e-9 else TimeMap(*ends)

    def _leaves_alone(self, take: Take, context: Context) -> bool:
        return context.strength == 0.0 or abs(take.motion.fps / self.fps - 1.0) < 1e-9
