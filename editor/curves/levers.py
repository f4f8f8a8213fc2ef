"""How far a change of a channel moves the body: what an error in a curve is worth in metres."""

import numpy as np

from editor.curves.channels import rotations_of
from editor.curves.spline_fit import Mask
from model.arrays import Array, IntArray
from model.motion import Motion
from model.rotation import conjugate, multiply, rotate

# The body is no line: skin stands off the bones. It gives a say to turns that move no joint, such as a hand's.
FLESH_M = 0.05
_STEP_RAD = 1e-6


def turning_axes(space: str, values: Array) -> Array:
    """(3, ..., 3) about which axis of its parent, and how fast, a joint turns with its X, Y and Z in a space.

    values : (..., 3) of the three channels.
    """
    steps = _STEP_RAD * np.eye(3).reshape(3, *[1] * (values.ndim - 1), 3)
    turned = multiply(rotations_of(values + steps, space), conjugate(rotations_of(values, space)))
    return np.asarray(2.0 / _STEP_RAD * turned[..., 1:] * np.where(turned[..., :1] < 0.0, -1.0, 1.0))


def effects(motion: Motion, joints: IntArray, moves: Mask, axes: Array) -> Array:
    """(C, F) metres that all points below a channel's joint move together (the root of the sum of squares), per unit.

    joints : (C,) whose channels they are; moves : (C,) whether a channel moves its joint or turns it; axes : (C, F, 3)
    along or about which axis in the world. For a turn about the axis a the sum of |a x r|^2 over points at r is
    |a|^2 S - a^T P a, where P is the sum of r r^T and S its trace.
    """
    count, total, spread = _moments(motion)
    result = np.empty(axes.shape[:2])
    for channel, (joint, is_move) in enumerate(zip(joints, moves, strict=True)):
        if is_move:
            result[channel] = count[joint]
            continue
        a, at = axes[channel].T, motion.world.positions[:, joint].T
        # About the joint in the place of the origin: r = p - at.
        along, there = np.sum(a * total[joint], axis=0), np.sum(a * at, axis=0)
        about = np.einsum("if,ijf,jf->f", a, spread[joint], a) - 2.0 * along * there + count[joint] * there**2
        size = spread[joint, 0, 0] + spread[joint, 1, 1] + spread[joint, 2, 2]
        size = size + np.sum((count[joint] * at - 2.0 * total[joint]) * at, axis=0)
        result[channel] = np.sum(a * a, axis=0) * (size + FLESH_M**2) - about
    return np.sqrt(np.maximum(result, 0.0))


def _moments(motion: Motion) -> tuple[Array, Array, Array]:
    """(J,) how many points each joint carries, itself among them, (J, 3, F) their sum, (J, 3, 3, F) that of p p^T."""
    skeleton, world = motion.skeleton, motion.world
    joints, frames = len(skeleton), motion.frames
    count, total, spread = np.zeros(joints), np.zeros((joints, 3, frames)), np.zeros((joints, 3, 3, frames))

    def add(joint: int, points: Array) -> None:
        count[joint] += 1.0
        total[joint] += points.T
        spread[joint] += points.T[:, None] * points.T

    for site in skeleton.end_sites:
        add(site.joint, world.positions[:, site.joint] + rotate(world.rotations[:, site.joint], site.offset))
    for joint in range(joints - 1, -1, -1):
        add(joint, world.positions[:, joint])
        parent = skeleton.parents[joint]
        if parent >= 0:
            count[parent] += count[joint]
            total[parent] += total[joint]
            spread[parent] += spread[joint]
    return count, total, spread
