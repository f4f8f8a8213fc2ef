"""What curves in the place of a motion's channels do to the body: how far off it is, and which of them are to blame."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from editor.curves.channels import POSITION, Channel, channels_of, dense, euler_order, rotations_of
from editor.curves.levers import effects, turning_axes
from editor.curves.spline_fit import Mask
from model.arrays import Array, IntArray
from model.kinematics import forward
from model.motion import Motion
from model.rotation import angle_between, rotate
from model.skeleton import Skeleton

# A channel is to blame where it has at least this share in the error of the one that has most.
_BLAME = 0.5
# What a channel has a share by even where its axis leads nowhere: rotation vectors of a full turn have such axes.
_LEAST = 1e-3
# So many samples of all channels together are looked at at a time.
_SECTION = 1 << 19


@dataclass(frozen=True, eq=False)
class Errors:
    """How far a body is off. angles_rad : (J, F) between local rotations; distances_m : (P, F) of its points, the
    joints first and then the tips.
    """

    angles_rad: Array
    distances_m: Array


@dataclass(frozen=True, eq=False)
class Body:
    """A motion and the C channels of it that curves stand for, three for each of `parts`: a joint and its space.

    samples : (C, F) what the channels do.
    """

    motion: Motion
    parts: tuple[tuple[int, str], ...]
    samples: Array

    @classmethod
    def of(cls, motion: Motion, space: str | None, joints: Sequence[int] | None) -> "Body":
        """space : of the rotations, None for the order of each joint's file; joints : whose channels, None for all."""
        chosen = range(len(motion.skeleton)) if joints is None else sorted(set(joints))
        parts = [(joint, space or euler_order(motion, joint)) for joint in chosen]
        if 0 in chosen:
            parts = [(0, POSITION), *parts]
        samples = np.empty((len(parts), 3, motion.frames))
        for n, (joint, one) in enumerate(parts):
            samples[n] = dense(motion, joint, one).T
        return cls(motion, tuple(parts), samples.reshape(3 * len(parts), motion.frames))

    def sections(self) -> "Iterator[tuple[slice, Body]]":
        """A few frames after the other: what is known of all channels at each needs much room."""
        length = max(1, _SECTION // max(len(self.samples), 1))
        if self.motion.frames <= length:
            yield slice(0, self.motion.frames), self
            return
        for start in range(0, self.motion.frames, length):
            frames = slice(start, min(start + length, self.motion.frames))
            yield frames, Body(self.motion.sliced(frames.start, frames.stop), self.parts, self.samples[:, frames])

    @cached_property
    def channels(self) -> tuple[Channel, ...]:
        """The C channels."""
        ref = self.motion.skeleton.ref
        return tuple(channel for joint, space in self.parts for channel in channels_of(ref(joint), space))

    @cached_property
    def joints(self) -> IntArray:
        """(C,) whose channels they are."""
        return np.repeat(np.array([joint for joint, _ in self.parts], dtype=np.intp), 3)

    @cached_property
    def moves(self) -> Mask:
        """(C,) whether a channel moves the root along an axis; the others turn a joint about one."""
        return np.repeat([space == POSITION for _, space in self.parts], 3)

    @cached_property
    def _turned(self) -> tuple[tuple[str, list[int]], ...]:
        """The parts that turn, by their space: they are worked out together."""
        spaces = dict.fromkeys(space for _, space in self.parts if space != POSITION)
        return tuple((space, [n for n, part in enumerate(self.parts) if part[1] == space]) for space in spaces)

    @cached_property
    def axes(self) -> Array:
        """(C, F, 3) along or about which axis in the world a channel acts, and how fast."""
        return self._axes(np.arange(self.motion.frames))

    def axes_at(self, frames: IntArray) -> Array:
        """(C, n, 3) the axes at some frames (n,), which are fewer to work out where not all are known."""
        return self.axes[:, frames] if "axes" in self.__dict__ else self._axes(frames)

    def _axes(self, frames: IntArray) -> Array:
        skeleton, world = self.motion.skeleton, self.motion.world.rotations
        axes = np.empty((len(self.parts), 3, len(frames), 3))
        axes[:] = np.eye(3)[:, None]
        for space, parts in self._turned:
            local = turning_axes(space, self._values(self.samples[:, frames], parts))
            axes[parts] = np.moveaxis(local, 2, 0)
        for n, (joint, space) in enumerate(self.parts):
            if space != POSITION and (parent := skeleton.parents[joint]) >= 0:
                axes[n] = rotate(world[frames, parent], axes[n])
        return axes.reshape(-1, len(frames), 3)

    def _values(self, curves: Array, parts: list[int]) -> Array:
        """(F, n, 3) the channels of some parts."""
        return np.moveaxis(curves.reshape(len(self.parts), 3, -1)[parts], 2, 0)

    @cached_property
    def speeds(self) -> Array:
        """(C, F) how fast a channel acts: radians of turn, or metres, for one of its own unit."""
        return _lengths(self.axes)

    @cached_property
    def effects(self) -> Array:
        """(C, F) metres that the body moves for one unit of a channel."""
        result = np.empty(self.samples.shape)
        for frames, part in self.sections():
            result[:, frames] = effects(part.motion, self.joints, self.moves, part.axes)
        return result

    @cached_property
    def points(self) -> Array:
        """(P, F, 3) where joints and tips are in the world."""
        return _points(self.motion.skeleton, self.motion.world.positions, self.motion.world.rotations)

    @cached_property
    def _carried(self) -> Mask:
        """(J, P) whether a joint carries a point along."""
        skeleton = self.motion.skeleton
        carried = np.eye(len(skeleton), dtype=bool)
        for joint in range(len(skeleton) - 1, 0, -1):
            if (parent := skeleton.parents[joint]) >= 0:
                carried[parent] |= carried[joint]
        return np.concatenate([carried, carried[:, [site.joint for site in skeleton.end_sites]]], axis=1)

    def errors(self, curves: Array) -> Errors:
        """How far the body is off with curves (C, F) in the place of its channels."""
        motion = self.motion
        rotations = np.array(motion.local_rotations)
        for space, parts in self._turned:
            joints = [self.parts[n][0] for n in parts]
            rotations[:, joints] = rotations_of(self._values(curves, parts), space)
        roots = curves[self.moves].T if np.any(self.moves) else motion.root_positions
        world = forward(motion.skeleton.parents, roots, rotations, motion.local_offsets)
        offsets = _points(motion.skeleton, world.positions, world.rotations) - self.points
        angles = angle_between(rotations, motion.local_rotations)
        return Errors(angles.T, _lengths(offsets))

    def blame_for_angles(self, misses: Array, angles_rad: Array, limit_rad: float) -> Mask:
        """(C, F) which channels turn joints farther than the limit. misses : (C, F) curves less samples."""
        blamed = np.zeros(misses.shape, dtype=bool)
        beyond = angles_rad > limit_rad
        frames = np.flatnonzero(np.any(beyond, axis=0))
        if not len(frames):
            return blamed
        share = np.abs(misses[:, frames]) * (_lengths(self.axes_at(frames)) + _LEAST)
        share[self.moves] = 0.0
        most = np.max(share.reshape(len(self.parts), 3, -1), axis=1).repeat(3, axis=0)
        blamed[:, frames] = beyond[:, frames][self.joints] & (share > 0.0) & (share >= _BLAME * most)
        return blamed

    def blame_for_distances(self, misses: Array, distances_m: Array, limit_m: float) -> Mask:
        """(C, F) which channels lead points farther away than the limit: for the worst point that each carries."""
        blamed = np.zeros(misses.shape, dtype=bool)
        frames = np.flatnonzero(np.any(distances_m > limit_m, axis=0))
        if not len(frames):
            return blamed
        near = distances_m[:, frames]
        worst = np.stack([np.where(below[:, None], near, -1.0).argmax(axis=0) for below in self._carried])
        channel, n = np.nonzero(np.take_along_axis(near, worst, axis=0)[self.joints] > limit_m)
        joint, frame = self.joints[channel], frames[n]
        point = worst[joint, n]
        apart = self.points[point, frame] - self.points[joint, frame]
        axes = self.axes_at(frames)[channel, n]
        lever = np.where(self.moves[channel][:, None], axes, np.cross(axes, apart))
        share = np.abs(misses[channel, frame]) * (_lengths(lever) + _LEAST)
        most = np.zeros(near.shape)
        np.maximum.at(most, (point, n), share)
        blamed[channel, frame] = (share > 0.0) & (share >= _BLAME * most[point, n])
        return blamed


def _lengths(vectors: Array) -> Array:
    """(...) of vectors (..., 3)."""
    return np.asarray(np.sqrt(np.sum(vectors**2, axis=-1)))


def _points(skeleton: Skeleton, positions: Array, rotations: Array) -> Array:
    """(P, F, 3) joints and tips in the world."""
    tips = [positions[:, site.joint] + rotate(rotations[:, site.joint], site.offset) for site in skeleton.end_sites]
    return np.stack([*np.moveaxis(positions, 1, 0), *tips])
