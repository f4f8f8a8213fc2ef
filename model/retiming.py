"""A motion shown at other moments than its frames: between them it moves on smoothly.

Between frames rotations and positions follow cubic curves without a corner at any frame, so that slow motion does not
show where the frames were.
"""

import math
from dataclasses import replace

import numpy as np

from model.arrays import Array, IntArray, freeze
from model.limits import check_rate
from model.motion import Motion, Origin
from model.rotation import unroll


def frames_at_rate(motion: Motion, fps: float) -> Array:
    """(N,) the moments, in frames of the motion, that it shows at another rate; from its first to at most its last.

    Frame times are rounded in files, 1/120 is .0083333: rates that are meant to divide each other do.
    """
    if not (math.isfinite(fps) and fps > 0.0):
        raise ValueError(f"fps is {fps}; it must be positive")
    step = motion.fps / fps
    faster, slower = round(step), round(1.0 / step)
    if faster and abs(step - faster) < 1e-4 * step:
        step = float(faster)
    elif slower and abs(1.0 / step - slower) < 1e-4 / step:
        step = 1.0 / slower
    check_rate(fps, max(motion.frames - 1, 0) / step, len(motion.skeleton), motion.frames)
    count = math.floor((motion.frames - 1) / step + 1e-9) + 1 if motion.frames else 0
    return np.asarray(np.minimum(np.arange(float(count)) * step, max(motion.frames - 1.0, 0.0)))


def sampled(motion: Motion, frames: Array, frame_time_s: float | None = None) -> Motion:
    """The motion that shows these moments of `motion`, one a frame. frames : (N,) rising, within its frames.

    frame_time_s : of the result, the same if not given. Moments at frames show them exactly. The numbers of the file
    are hints and go along, straight between frames.
    """
    below = np.clip(np.floor(frames).astype(np.intp), 0, max(motion.frames - 2, 0))
    part = frames - below
    if motion.frames == 1 or np.all((part == 0.0) | (part == 1.0)):
        return _picked(motion, np.rint(frames).astype(np.intp), frame_time_s)
    rotations = _cubic(unroll(motion.local_rotations), below, part)
    rotations /= np.sqrt(np.sum(rotations * rotations, axis=-1, keepdims=True))
    moving = not motion.limbs_are_fixed
    return replace(
        motion,
        frame_time_s=frame_time_s or motion.frame_time_s,
        root_positions=_cubic(motion.root_positions, below, part),
        local_rotations=rotations,
        local_offsets=_cubic(motion.local_offsets, below, part) if moving else motion.local_offsets,
        first_frame=_first_frame(motion),
        origin=_hints(motion.origin, below, part),
    )


def _picked(motion: Motion, frames: IntArray, frame_time_s: float | None) -> Motion:
    """The motion with some of its frames only, their numbers untouched."""
    origin = motion.origin
    if origin is not None:
        origin = replace(origin, channels=freeze(origin.channels[frames]))
    return replace(
        motion,
        frame_time_s=frame_time_s or motion.frame_time_s,
        root_positions=motion.root_positions[frames],
        local_rotations=_taken(motion.local_rotations, frames),
        local_offsets=motion.local_offsets if motion.limbs_are_fixed else motion.local_offsets[frames],
        first_frame=_first_frame(motion),
        origin=origin,
    )


def _first_frame(motion: Motion) -> int:
    """The file's index of frame 0 where frames no longer are the file's: after the rest pose, if there is one."""
    return min(motion.first_frame, 1) if motion.rest is not None else 0


def _taken(values: Array, frames: IntArray) -> Array:
    """Rows of an array (F, ...), laid out in memory with frames last."""
    return np.moveaxis(np.take(np.moveaxis(values, 0, -1), frames, axis=-1), -1, 0)


def _cubic(values: Array, below: IntArray, part: Array) -> Array:
    """Values (F, ...) at moments `part` (N,) in [0, 1] after frames `below` (N,) -> (N, ...), F > 1.

    Catmull and Rom 1974: cubic segments whose tangents are those of the chord over both neighbours; before the first
    frame and after the last the values are taken to go straight on.
    """
    padded = np.concatenate([2.0 * values[:1] - values[1:2], values, 2.0 * values[-1:] - values[-2:-1]])
    frames_last = np.ascontiguousarray(np.moveaxis(padded, 0, -1))
    u, v = part, 1.0 - part
    weights = (-0.5 * u * v * v, v * (1.0 + u - 1.5 * u * u), u * (1.0 + v - 1.5 * v * v), -0.5 * u * u * v)
    result = np.zeros((*frames_last.shape[:-1], len(part)))
    for shift, weight in enumerate(weights):
        result += weight * np.take(frames_last, below + shift, axis=-1)
    return np.moveaxis(result, -1, 0)


def _hints(origin: Origin | None, below: IntArray, part: Array) -> Origin | None:
    if origin is None:
        return None
    share = part[:, None]
    return replace(origin, channels=freeze((1.0 - share) * origin.channels[below] + share * origin.channels[below + 1]))
