"""Repair of frames that a recording system lost."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from editor.repair.frames import BadSpan, find_bad_frames, repair_frames
from model.clip import Context, Edit, Take, setting
from model.contacts import intervals


@dataclass(frozen=True)
class RepairFrames(Edit):
    """Makes bad frames anew from the good ones beside them: those found, and those named."""

    kind: ClassVar[str] = "repair_frames"
    title: ClassVar[str] = "Repair frames"
    group: ClassVar[str] = "Clean up"

    zeroed: bool = setting(True, "Frames without a pose", tip="Frames in which every angle is zero.")
    frozen: bool = setting(True, "Frozen frames", tip="Frames that repeat one pose and break movement off.")
    spiking: bool = setting(True, "Spikes", tip="Joints that jump for a frame or two and return.")
    spans: tuple[tuple[float, float], ...] = setting(
        (), "Spans", tip="Stretches of time that are bad as a whole, from and up to a moment."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if any(not start < stop for start, stop in self.spans):
            raise ValueError("spans: a stretch of time must have a length")

    def apply(self, take: Take, context: Context) -> Take:
        spans = (*self._found(take), *self._named(take, context))
        if not spans:
            return take
        return Take(repair_frames(take.motion, spans), take.contacts)

    def _found(self, take: Take) -> tuple[BadSpan, ...]:
        if not (self.zeroed or self.frozen or self.spiking):
            return ()
        bad = find_bad_frames(take.motion)
        return bad.zeroed * self.zeroed + bad.frozen * self.frozen + bad.spiking * self.spiking

    def _named(self, take: Take, context: Context) -> tuple[BadSpan, ...]:
        """The spans that the user named, as frames of the take; what lies outside it has no effect."""
        bad = np.zeros(take.motion.frames, dtype=bool)
        times = (np.arange(take.motion.frames) + 1e-6) * take.motion.frame_time_s
        for span in self.spans:
            start, stop = context.to_stage(np.array(span))
            bad |= (times >= start) & (times < stop)
        return tuple(BadSpan(run.start, run.stop) for run in intervals(bad))
