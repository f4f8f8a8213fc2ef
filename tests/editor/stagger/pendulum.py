"""The three-link pendulum of Coleman 2012, section 7.5.2: a period of 200 frames, 120 frames a second."""

import numpy as np

from model.motion import Motion
from model.rotation import from_axis_angle
from model.skeleton import EndSite, Skeleton

PERIOD, FPS = 200, 120.0
LINKS = Skeleton(
    ("Top", "Middle", "Lower"), (-1, 0, 1), np.array([[0.0, 2.0, 0.0], [0.0, -0.5, 0.0], [0.0, -0.5, 0.0]]),
    (EndSite(2, np.array([0.0, -0.5, 0.0])),),
)  # fmt: skip


def swings(frames, linear=False):
    """(F,) the angle of every link: a cosine, or straight from extreme to extreme."""
    cosine = np.cos(2.0 * np.pi * np.asarray(frames) / PERIOD)
    return 0.5 * (1.0 - 2.0 * np.arccos(np.clip(cosine, -1.0, 1.0)) / np.pi if linear else cosine)


def pendulum(frames=1001, linear=False, late=(0, 0, 0)):
    """Links that swing together, or each so many frames later."""
    angles = np.stack([swings(np.arange(frames) - one, linear) for one in late], axis=1)
    rotations = from_axis_angle(np.array([0.0, 0.0, 1.0]), angles)
    return Motion(LINKS, 1.0 / FPS, np.tile(LINKS.offsets[0], (frames, 1)), rotations, LINKS.offsets)


def angles_of(motion):
    """(F, J) what links are turned by."""
    return 2.0 * np.arctan2(motion.local_rotations[..., 3], motion.local_rotations[..., 0])
