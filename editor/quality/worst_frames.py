"""In which frame each figure of `editor.quality.figures` is at its worst: where to look."""

from dataclasses import dataclass

import numpy as np

from editor.contacts.feet import find_limb, limb_points, planted_point
from model.arrays import Array
from model.clip import Take
from model.contacts import FEET
from model.ground import Ground
from model.motion import Motion
from model.roles import Role

# As in `editor.quality.figures`: a toe under this height is expected to stand; a foot rolls at the ends of a contact.
_LOW_M = 0.05
_ROLL_SHARE = 0.2


@dataclass(frozen=True)
class WorstFrames:
    """Frames of a take: where a planted toe is farthest from its mean, slides fastest, a foot is deepest under the
    ground, and a joint jerks most. None where the figure does not apply.
    """

    drift: int | None = None
    slide: int | None = None
    depth: int | None = None
    jerk: int | None = None


def worst_frames(take: Take) -> WorstFrames:
    """The worst frames of a take."""
    motion = take.motion
    if not motion.frames:
        return WorstFrames()
    drifts = np.zeros(motion.frames)
    speeds = np.zeros(motion.frames)
    depths = np.zeros(motion.frames)
    ground = take.ground or Ground(take.contacts.ground_m)
    for name in FEET:
        limb = find_limb(motion.skeleton, name)
        if limb is None:
            continue
        toe = planted_point(motion, limb)
        for contact in take.contacts.limbs.get(name, ()):
            margin = int(_ROLL_SHARE * (contact.stop - contact.start))
            frames = slice(contact.start + margin, contact.stop - margin)
            middle = toe[frames][:, [0, 2]]
            drifts[frames] = np.maximum(drifts[frames], _length(middle - np.mean(middle, axis=0)))
        np.maximum(speeds[1:], _low_speeds(toe, ground), out=speeds[1:])
        points = limb_points(motion, limb)
        np.maximum(depths, np.max(ground.heights(points[..., [0, 2]]) - points[..., 1], axis=1), out=depths)
    return WorstFrames(_largest(drifts), _largest(speeds), _largest(depths), _largest(_jerks(motion)))


def _low_speeds(toe: Array, ground: Ground) -> Array:
    """(F - 1,) how far a toe (F, 3) gets over the floor between frames in which it is low, else 0."""
    low = toe[:, 1] - ground.heights(toe[:, [0, 2]]) < _LOW_M
    return np.where(low[1:] & low[:-1], _length(np.diff(toe[:, [0, 2]], axis=0)), 0.0)


def _jerks(motion: Motion) -> Array:
    """(F,) the largest third difference of a joint's place against the pelvis, about each frame."""
    jerks = np.zeros(motion.frames)
    if motion.frames > 3:
        positions = motion.world.positions
        pelvis = positions[:, motion.skeleton.joint(Role.PELVIS) or 0]
        jerks[2:-1] = np.max(_length(np.diff(positions - pelvis[:, None], 3, axis=0)), axis=1)
    return jerks


def _largest(values: Array) -> int | None:
    """Where values (F,) are largest; None where none is above zero."""
    frame = int(np.argmax(values))
    return frame if 0.0 < values[frame] < np.inf else None


def _length(v: Array) -> Array:
    return np.asarray(np.sqrt(np.sum(v * v, axis=-1)))
