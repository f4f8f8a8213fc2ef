"""Joints in the world at any moment of a motion, without working out the moments that nobody looks at."""

import math

import numpy as np

from model.arrays import Array
from model.kinematics import WorldPose, forward
from model.motion import Motion
from model.roles import Role
from model.rotation import normalize

# A figure that faces an axis up to this is meant to face it: a front view is then in line with the grid.
_SNAP_RAD = math.radians(15.0)


def frames_at(motion: Motion, times_s: Array | float) -> Array:
    """Moments (N,) as frames, fractional, kept within the motion."""
    frames = np.atleast_1d(np.asarray(times_s, dtype=np.float64)) / motion.frame_time_s
    return np.clip(frames, 0.0, max(motion.frames - 1, 0))


def world_at(motion: Motion, frames: Array) -> WorldPose:
    """Every joint at fractional frames (N,): positions (N, J, 3), rotations (N, J, 4). The motion must have frames.

    Between frames joints move straight; rotations are blended and made unit again.
    """
    below = np.floor(frames + 1e-6).astype(np.intp)
    part = np.maximum(frames - below, 0.0)
    if np.all(part < 1e-6):
        return _world(motion, below)
    above = np.minimum(below + 1, motion.frames - 1)
    both = _world(motion, np.concatenate([below, above]))
    count, weights = len(below), part[:, None, None]
    (p0, p1), (q0, q1) = ((one[:count], one[count:]) for one in both)
    near = np.where(np.sum(q0 * q1, axis=-1, keepdims=True) < 0.0, -1.0, 1.0)
    rotations = normalize((1.0 - weights) * q0 + weights * near * q1)
    return WorldPose((1.0 - weights) * p0 + weights * p1, rotations)


def _world(motion: Motion, frames: np.ndarray[tuple[int, ...], np.dtype[np.intp]]) -> WorldPose:
    """Every joint at whole frames (N,)."""
    # While something is dragged every take is new and seen for one frame only: then working out the whole
    # of it would be wasted. What somebody else has worked out is used.
    known = vars(motion).get("world")
    if known is not None:
        return WorldPose(known.positions[frames], known.rotations[frames])
    offsets = motion.local_offsets if motion.limbs_are_fixed else motion.local_offsets[frames]
    return forward(
        motion.skeleton.parents, motion.root_positions[frames], motion.local_rotations[frames], offsets
    )  # fmt: skip


def front_yaw(motion: Motion, frame: float = 0.0) -> float:
    """From where a camera sees the figure's front at a frame, radians; 0 where it cannot be told."""
    left, right = motion.skeleton.joint(Role.LEFT_HIP), motion.skeleton.joint(Role.RIGHT_HIP)
    if left is None or right is None or not motion.frames:
        return 0.0
    positions = world_at(motion, np.clip([frame], 0.0, motion.frames - 1)).positions[0]
    x, _, z = positions[left] - positions[right]
    if not math.hypot(x, z) > 1e-4:
        return 0.0
    yaw = math.atan2(-z, x)  # left x up is forward: (-z, x) in the plane of x and z
    nearest = round(yaw / (0.5 * math.pi)) * 0.5 * math.pi
    return nearest if abs(yaw - nearest) < _SNAP_RAD else yaw
