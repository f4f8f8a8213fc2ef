"""What the solver is asked for, and what it gives."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from editor.posing.grounded.curves import faded
from model.arrays import Array
from model.contacts import Contact, Contacts
from model.motion import Motion

# What an override has in the place of a limb: the body is lower than the pose has it; in flight it does not go along
# the ground as the pose has it.
BODY, FLIGHT = "body", "flight"


@dataclass(frozen=True)
class Target:
    """A frame at which the pose is to be met. before, after : over how many frames it comes up and fades, infinite for
    one that holds; move_m : how the root is moved there. In flight only its height counts, and in contact only where
    the pose leaves the limbs in contact alone: the body then moves over its planted feet. A body that nowhere touches
    the ground goes as it is moved.
    """

    frame: int
    before: float = math.inf
    after: float = math.inf
    move_m: tuple[float, float, float] = (0.0, 0.0, 0.0)
    is_loose: bool = False


@dataclass(frozen=True, eq=False)
class Turn:
    """What N joints are turned by in frames [start, start + T): rotation vectors (T, N, 3) in the frames of their
    parents, applied after their own rotations.
    """

    joints: tuple[int, ...]
    start: int
    vectors: Array

    @property
    def stop(self) -> int:
        return self.start + len(self.vectors)


@dataclass(frozen=True, eq=False)
class PoseChange:
    """Target poses laid over a motion. turns : what joints are turned by, smooth, zero where no pose is near;
    lengths : joints with the factor on the bone that ends in them, for all of the motion.
    """

    targets: tuple[Target, ...] = ()
    turns: tuple[Turn, ...] = ()
    lengths: tuple[tuple[int, float], ...] = ()

    def turned_at(self, frame: int) -> frozenset[int]:
        """The joints that are turned in a frame."""
        return frozenset(
            turn.joints[n]
            for turn in self.turns
            if turn.start <= frame < turn.stop
            for n in np.flatnonzero(np.any(turn.vectors[frame - turn.start], axis=-1))
        )

    @property
    def is_nothing(self) -> bool:
        """Whether nothing is asked for."""
        turned = any(np.any(turn.vectors) for turn in self.turns)
        return not (turned or any(any(one.move_m) for one in self.targets) or self.lengths)


@dataclass(frozen=True)
class Override:
    """A target pose that contacts did not let be: how far and how much turned the limb's end is from where the pose has
    it; for BODY and FLIGHT how far the body is.
    """

    limb: str
    frame: int
    distance_m: float
    angle_rad: float


@dataclass(frozen=True, eq=False)
class Solution:
    """The edited motion. contacts : those of the motion, which last as long as before; frames : [start, stop), outside
    of which the motion is as it was, but for a move of the whole body behind them.
    """

    motion: Motion
    contacts: Contacts
    overrides: tuple[Override, ...] = ()
    frames: tuple[int, int] = (0, 0)


def faded_in_gap(gap: Contact, targets: Sequence[Target], frames: int, values: Array) -> Array:
    """(N, ...) what values (K, ...) at the targets within a gap between contacts are in its frames: they fade as they
    should, and to nothing where a contact is next to the gap.
    """
    centres = np.array([float(one.frame) for one in targets])
    low, high = bounds(gap, frames)
    return faded(
        np.arange(gap.start, gap.stop, dtype=np.float64),
        centres,
        values,
        np.minimum([one.before for one in targets], centres - low),
        np.minimum([one.after for one in targets], high - centres),
    )


def targets_within(spans: Sequence[Contact], targets: Sequence[Target]) -> list[tuple[Contact, list[Target]]]:
    """The spans that hold targets, each with those whose frames it has, in order."""
    ordered = sorted(targets, key=lambda one: one.frame)
    frames = np.array([one.frame for one in ordered])
    firsts, stops = (
        np.searchsorted(frames, [getattr(span, edge) for span in spans]).tolist() for edge in ("start", "stop")
    )
    inside = zip(spans, firsts, stops, strict=True)
    return [(span, ordered[first:stop]) for span, first, stop in inside if first < stop]


def bounds(gap: Contact, frames: int) -> tuple[float, float]:
    """The frames of contacts on either side of a gap, infinite where there is none."""
    return gap.start - 1.0 if gap.start else -math.inf, float(gap.stop) if gap.stop < frames else math.inf
