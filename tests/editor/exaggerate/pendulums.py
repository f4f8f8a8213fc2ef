"""The multi-link pendulums of figures 8.4 and 8.5, and how their shapes are told."""

import numpy as np

from model.clip import Take
from model.contacts import Contacts
from model.motion import Motion
from model.rotation import IDENTITY, from_axis_angle
from model.skeleton import Skeleton
from tests.clips import Z

LINKS, SWING_RAD, PERIOD_S = 6, np.radians(12.0), 1.2
CHAIN = Skeleton(
    tuple(f"Link{n}" for n in range(LINKS + 1)),
    tuple(range(-1, LINKS)),
    np.array([[0.0, 0.0, 0.0]] + [[0.0, -0.2, 0.0]] * LINKS),
)


def pendulum(delay_s=0.0, seconds=6.0, fps=60.0, swing_rad=SWING_RAD) -> Take:
    """Links that swing against each other, each `delay_s` later than the one above: 12 degrees each, 72 in all."""
    time = np.arange(round(seconds * fps)) / fps
    rotations = np.tile(IDENTITY, (len(time), LINKS + 1, 1))
    for link in range(LINKS):
        angle = swing_rad * np.sin(2.0 * np.pi * (time - delay_s * link) / PERIOD_S)
        rotations[:, link] = from_axis_angle(Z, angle)
    motion = Motion(CHAIN, 1.0 / fps, np.zeros((len(time), 3)), rotations, CHAIN.offsets)
    return Take(motion, Contacts(motion.frames, {}, -2.0))


def link_angles(motion: Motion) -> np.ndarray:
    """(F, links) radians by which each link is turned from hanging, right positive, not wrapped along the chain."""
    bones = np.diff(motion.world.positions, axis=1)
    return np.unwrap(np.arctan2(bones[..., 0], -bones[..., 1]), axis=1)
