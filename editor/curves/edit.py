"""Keys laid over channels of a motion: as offsets, under which its detail stays, or in its place."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from editor.curves.channels import POSITION, Channel, dense, with_dense
from editor.curves.keys import Keys
from model.clip import Context, Edit, Take, setting
from model.skeleton import JointRef
from model.type_hints import fit_fields


@dataclass(frozen=True)
class Curve:
    """Keys on a channel. absolute : whether they replace what the motion does there, or are added to it."""

    channel: Channel
    keys: Keys
    absolute: bool = False

    def __post_init__(self) -> None:
        fit_fields(self)


@dataclass(frozen=True)
class CurveKeys(Edit):
    """Moves joints and the root by curves through keys. Offset keys leave the recorded detail as it is."""

    kind: ClassVar[str] = "curve_keys"
    title: ClassVar[str] = "Curve keys"

    curves: tuple[Curve, ...] = setting((), "Curves", tip="Keys on channels of joints, offsets or in their place.")

    def __post_init__(self) -> None:
        super().__post_init__()
        channels = [curve.channel for curve in self.curves]
        if len(channels) != len(set(channels)):
            raise ValueError("curves: a channel has two of them")

    def curve(self, channel: Channel) -> Curve | None:
        """What there is on a channel."""
        return next((curve for curve in self.curves if curve.channel == channel), None)

    def moments_s(self) -> tuple[float, ...]:
        return tuple(time_s for curve in self.curves for time_s in curve.keys.times_s.tolist())

    def apply(self, take: Take, context: Context) -> Take:
        motion = take.motion
        times = context.to_source(np.arange(float(motion.frames)) * motion.frame_time_s)
        groups: dict[tuple[JointRef, str], list[Curve]] = {}
        for curve in self.curves:
            if len(curve.keys):
                groups.setdefault((curve.channel.joint, curve.channel.space), []).append(curve)
        missing: dict[str, None] = {}
        for (ref, space), curves in groups.items():
            joint = motion.skeleton.resolve(ref)
            if joint is None:
                missing[ref.name] = None
                continue
            if space == POSITION and joint != 0:
                missing[f"place of its own for {ref.name}"] = None
                continue
            values = np.array(dense(motion, joint, space))
            moved = np.zeros(motion.frames, dtype=bool)  # elsewhere the very numbers stay
            for curve in curves:
                column, present = curve.channel.column, curve.keys.at(times)
                moved |= True if curve.absolute else present != 0.0
                values[:, column] = present if curve.absolute else values[:, column] + present
            if np.any(moved):
                motion = with_dense(motion, joint, space, values, moved)
        if missing:
            context.note(f"This body has no {', '.join(missing)}: the keys on it have no effect.")
        return take if motion is take.motion else Take(motion, take.contacts)
