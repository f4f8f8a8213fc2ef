"""What a motion is: a skeleton and arrays over frames, read-only.

Owns cutting and resampling in time. Where the motion came from (`Origin`) rides along, so that a
writer can give back what the file said; it never decides what the motion *is*.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from model.arrays import Array, freeze, require_shape
from model.kinematics import WorldPose, forward
from model.limits import check_rate
from model.rotation import IDENTITY, slerp
from model.skeleton import Skeleton
from model.units import Unit


@dataclass(frozen=True, eq=False)
class Pose:
    """One frame: root position (3,), local rotations (J, 4), local offsets (J, 3)."""

    root_position: Array
    local_rotations: Array
    local_offsets: Array


@dataclass(frozen=True, eq=False)
class Origin:
    """What a file said beyond the motion itself, so that it can be written back as it was.

    channels : (F, C) the file's own numbers, row by row with the motion's frames. They are hints: a
    writer uses a row's numbers only where they still give the motion's rotation, and otherwise the
    angles nearest to them. layout : for each joint the names of its channels, in file order. format : whose
    channels they are; the writer of another format uses unit and axes only. detail : what else that
    format's reader wants its writer to know.
    """

    path: str
    unit: Unit
    up: str
    layout: tuple[tuple[str, ...], ...]
    channels: Array
    rest_channels: Array | None = None  # (C,) the numbers of the T-pose before the motion
    format: str = "bvh"
    detail: object = None

    def without_numbers(self) -> "Origin":
        """The same file's unit, axes and layout, for a motion whose angles have nothing to do with its numbers."""
        return replace(self, channels=self.channels[:, :0], rest_channels=None)


@dataclass(frozen=True, eq=False)
class Motion:
    """A skeleton moving. Metres, seconds, Y up.

    root_positions : (F, 3); local_rotations : (F, J, 4); local_offsets : (J, 3), the skeleton's own,
    or (F, J, 3) where a file moves joints against each other. rest : the T-pose that stood before the
    motion in its file; first_frame : the file's index of frame 0.
    """

    skeleton: Skeleton
    frame_time_s: float
    root_positions: Array
    local_rotations: Array
    local_offsets: Array
    rest: Pose | None = None
    first_frame: int = 0
    origin: Origin | None = None

    def __post_init__(self) -> None:
        for name in ("root_positions", "local_rotations", "local_offsets"):
            array = np.asarray(getattr(self, name), dtype=np.float64)
            if array.flags.writeable:
                # A view: the array stays its maker's, but cannot be written through the motion.
                array = freeze(array.view())
            object.__setattr__(self, name, array)
        self.validate()

    def validate(self) -> None:
        """Raise ValueError naming the rule that is broken."""
        frames, joints = self.local_rotations.shape[0], len(self.skeleton)
        require_shape("local_rotations", self.local_rotations, (frames, joints, 4))
        require_shape("root_positions", self.root_positions, (frames, 3))
        if self.local_offsets.shape not in ((joints, 3), (frames, joints, 3)):
            raise ValueError(
                f"local_offsets has shape {self.local_offsets.shape}; it must be ({joints}, 3) or "
                f"({frames}, {joints}, 3)"
            )
        if not (math.isfinite(self.frame_time_s) and self.frame_time_s > 0.0):
            raise ValueError(f"frame_time_s is {self.frame_time_s}; it must be positive")

    @property
    def frames(self) -> int:
        return int(self.local_rotations.shape[0])

    @property
    def fps(self) -> float:
        return 1.0 / self.frame_time_s

    @property
    def duration_s(self) -> float:
        """Time from the first frame to the last."""
        return max(self.frames - 1, 0) * self.frame_time_s

    @property
    def limbs_are_fixed(self) -> bool:
        """Whether no joint but the root is moved against its parent."""
        return self.local_offsets.ndim == 2

    @cached_property
    def world(self) -> WorldPose:
        """Every joint in the world, computed once."""
        world = forward(self.skeleton.parents, self.root_positions, self.local_rotations, self.local_offsets)
        return WorldPose(freeze(world.positions), freeze(world.rotations))

    @property
    def knows_world(self) -> bool:
        """Whether `world` has been computed."""
        return "world" in self.__dict__

    def forget_world(self) -> None:
        """Let go of what `world` computed; it is computed again when it is asked for."""
        self.__dict__.pop("world", None)

    def pose(self, frame: int) -> Pose:
        """One frame of the motion."""
        offsets = self.local_offsets if self.limbs_are_fixed else self.local_offsets[frame]
        return Pose(self.root_positions[frame], self.local_rotations[frame], offsets)

    def sliced(self, start: int, stop: int) -> "Motion":
        """Frames [start, stop), sharing the arrays. Both must lie within the motion, in order."""
        if not 0 <= start <= stop <= self.frames:
            raise ValueError(f"[{start}, {stop}) does not lie within the motion's {self.frames} frames")
        origin = self.origin
        if origin is not None:
            origin = replace(origin, channels=origin.channels[start:stop])
        part = replace(
            self,
            root_positions=self.root_positions[start:stop],
            local_rotations=self.local_rotations[start:stop],
            local_offsets=self.local_offsets if self.limbs_are_fixed else self.local_offsets[start:stop],
            first_frame=self.first_frame + start,
            origin=origin,
        )
        if self.knows_world:  # what is computed need not be again
            part.__dict__["world"] = WorldPose(self.world.positions[start:stop], self.world.rotations[start:stop])
        return part

    def with_frames(self, start: int, part: "Motion") -> "Motion":
        """The motion with frames from `start` on replaced by those of another of the same body and limbs; behind them
        the body goes on as it did, from where the last of them is.

        Where joints are in the world is worked out for the new frames only, if it is known of the others.
        """
        stop = start + part.frames
        rotations, roots = np.array(self.local_rotations), np.array(self.root_positions)
        moved = part.root_positions[-1] - roots[stop - 1] if part.frames else np.zeros(3)
        rotations[start:stop], roots[start:stop] = part.local_rotations, part.root_positions
        roots[stop:] += moved
        offsets = self.local_offsets
        further = list(self.skeleton.roots[1:])
        if (further and stop < self.frames) or not part.limbs_are_fixed:
            offsets = np.array(np.broadcast_to(offsets, (self.frames, *offsets.shape[-2:])))
            offsets[start:stop] = part.local_offsets
            offsets[stop:, further] += moved
        made = replace(self, root_positions=roots, local_rotations=rotations, local_offsets=offsets)
        if self.knows_world:
            positions, turns = np.array(self.world.positions), np.array(self.world.rotations)
            positions[start:stop], turns[start:stop] = part.world
            positions[stop:] += moved
            made.__dict__["world"] = WorldPose(freeze(positions), freeze(turns))
        return made

    def resampled(self, fps: float) -> "Motion":
        """The same motion at another rate, from the first frame's time to at most the last's.

        Rotations turn at constant speed between frames, positions move straight; a rate that divides
        the present one picks frames exactly.
        """
        if not (math.isfinite(fps) and fps > 0.0):
            raise ValueError(f"fps is {fps}; it must be positive")
        step = self.fps / fps  # in frames of ours
        if abs(step - 1.0) < 1e-9:
            return self
        # Frame times are rounded in files, 1/120 is .0083333: rates that are meant to divide each other do.
        if abs(step - round(step)) < 1e-4 * step:
            step = float(round(step))
        elif abs(1.0 / step - round(1.0 / step)) < 1e-4 / step:
            step = 1.0 / round(1.0 / step)
        check_rate(fps, max(self.frames - 1, 0) / step, len(self.skeleton), self.frames)
        count = math.floor((self.frames - 1) / step + 1e-9) + 1 if self.frames else 0
        at = np.arange(count) * step
        below = np.minimum(np.floor(at + 1e-9).astype(np.intp), max(self.frames - 1, 0))
        above = np.minimum(below + 1, max(self.frames - 1, 0))
        part = np.maximum(at - below, 0.0)

        def between(values: Array) -> Array:
            weight = part.reshape(-1, *[1] * (values.ndim - 1))
            return np.asarray((1.0 - weight) * values[below] + weight * values[above])

        if np.all(part < 1e-9):
            rotations = self.local_rotations[below]
        else:
            rotations = slerp(self.local_rotations[below], self.local_rotations[above], part[:, None])
        origin = self.origin
        if origin is not None:
            origin = replace(origin, channels=freeze(between(origin.channels)))
        return replace(
            self,
            frame_time_s=1.0 / fps,
            root_positions=between(self.root_positions),
            local_rotations=rotations,
            local_offsets=self.local_offsets if self.limbs_are_fixed else between(self.local_offsets),
            first_frame=min(self.first_frame, 1) if self.rest is not None else 0,
            origin=origin,
        )


def reordered(motion: Motion, order: tuple[int, ...]) -> Motion:
    """The same motion with its joints in another order, parents still first, or with some of them only.

    The origin is dropped.
    """
    joints = list(order)
    rest = motion.rest
    if rest is not None:
        rest = Pose(rest.root_position, rest.local_rotations[joints], rest.local_offsets[joints])
    return replace(
        motion,
        skeleton=motion.skeleton.reordered(order),
        local_rotations=motion.local_rotations[:, joints],
        local_offsets=motion.local_offsets[..., joints, :],
        rest=rest,
        origin=None,
    )


def rest_motion(skeleton: Skeleton, frame_time_s: float = 1.0 / 30.0, frames: int = 1) -> Motion:
    """A skeleton standing in its rest pose."""
    return Motion(
        skeleton=skeleton,
        frame_time_s=frame_time_s,
        root_positions=np.tile(skeleton.offsets[0], (frames, 1)),
        local_rotations=np.tile(IDENTITY, (frames, len(skeleton), 1)),
        local_offsets=skeleton.offsets,
    )
