"""Spatial extent: how much a body moves against itself, from extreme to extreme. Coleman 2012, section 8.2.

Of a body it is the way of its joints about the pelvis, on average over them (the thesis sums), in metres; or the sum of
the turns of all joints, in radians. Where it travels and faces does not count: stances are seen from a frame that turns
along with the body.
"""

import numpy as np

from editor.exaggerate.stance import find_headings
from editor.extrema.parts import WHOLE_BODY, body_root, joints_of_part
from model.arrays import Array, IntArray
from model.kinematics import local_from_world
from model.motion import Motion
from model.rotation import angle_between, from_axis_angle, multiply, rotate

_UP = np.array([0.0, 1.0, 0.0])


def body_extent(motion: Motion, frames: IntArray) -> float:
    """Metres that joints are moved about the pelvis from extreme to extreme: eq. 8.1 with the distance of eq. 5.3.

    frames : (N,) those of the extremes, rising.
    """
    root, joints = body_root(motion.skeleton), list(joints_of_part(motion.skeleton, WHOLE_BODY))
    stance = motion.world.positions[frames][:, joints] - motion.world.positions[frames][:, [root]]
    seen = rotate(_turned_back(motion, frames)[:, None], stance)
    return float(np.sum(np.mean(np.linalg.norm(np.diff(seen, axis=0), axis=-1), axis=1)))


def body_turning(motion: Motion, frames: IntArray) -> float:
    """Radians that joints turn in all from extreme to extreme: eq. 8.1 with the distance of eq. 8.2."""
    joints = list(motion.skeleton.subtree(body_root(motion.skeleton)))
    local = _local_rotations(motion, frames)[:, joints]
    return float(np.sum(angle_between(local[1:], local[:-1])))


def joint_extent(motion: Motion, joint: int, frames: IntArray) -> float:
    """Metres that a joint is moved about its parent over its own extremes: eq. 8.3 with the distance of eq. 5.2."""
    parent = motion.skeleton.parents[joint]
    bone = motion.world.positions[frames, joint] - motion.world.positions[frames, max(parent, 0)]
    seen = rotate(_turned_back(motion, frames), bone)
    return float(np.sum(np.linalg.norm(np.diff(seen, axis=0), axis=-1)))


def joint_turning(motion: Motion, joint: int, frames: IntArray) -> float:
    """Radians that a joint turns over its own extremes: eq. 8.3 with the distance of eq. 8.4."""
    local = _local_rotations(motion, frames)[:, joint]
    return float(np.sum(angle_between(local[1:], local[:-1])))


def _turned_back(motion: Motion, frames: IntArray) -> Array:
    """(N, 4) the turns that take world axes to those of the body."""
    return from_axis_angle(_UP, -find_headings(motion)[frames])


def _local_rotations(motion: Motion, frames: IntArray) -> Array:
    """(N, J, 4) local rotations, those of roots seen from a frame that turns along with the body."""
    turns = _turned_back(motion, frames)
    world = multiply(turns[:, None], motion.world.rotations[frames])
    return local_from_world(motion.skeleton.parents, world)
