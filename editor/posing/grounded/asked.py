"""What the solver is asked for, and what it gives."""

import math
from dataclasses import dataclass

from model.arrays import Array
from model.contacts import Contacts
from model.motion import Motion


@dataclass(frozen=True)
class Target:
    """A frame at which the pose is to be met. before, after : over how many frames it comes up and fades, infinite for
    one that holds; move_m : how the root is moved there, which counts while nothing touches the ground.
    """

    frame: int
    before: float = math.inf
    after: float = math.inf
    move_m: tuple[float, float, float] = (0.0, 0.0, 0.0)


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


@dataclass(frozen=True)
class Override:
    """A target pose that a contact did not let be: how far and how much turned the foot is from where the pose has it.
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
