"""Where a motion takes place: the body's heading, and moving all of it over the floor."""

from dataclasses import replace

import numpy as np

from model.arrays import Array
from model.motion import Motion
from model.roles import Role
from model.rotation import from_axis_angle, multiply, rotate

_UP = np.array([0.0, 1.0, 0.0])
_PAIRS = ((Role.LEFT_HIP, Role.RIGHT_HIP), (Role.LEFT_SHOULDER, Role.RIGHT_SHOULDER))


def pelvis_positions(motion: Motion) -> Array:
    """(F, 3) where the body is: its pelvis, for files may travel on it and not on the root."""
    return np.asarray(motion.world.positions[:, motion.skeleton.joint(Role.PELVIS) or 0])


def headings_rad(motion: Motion) -> Array:
    """(F,) where the body faces, about Y, 0 being +Z and a quarter turn +X: across its hips and shoulders.

    Without such roles, or where they are upright, the root's own Z axis tells.
    """
    across = np.zeros((motion.frames, 3))
    for left, right in _PAIRS:
        joints = motion.skeleton.joint(left), motion.skeleton.joint(right)
        if joints[0] is not None and joints[1] is not None:
            across += motion.world.positions[:, joints[0]] - motion.world.positions[:, joints[1]]
    ahead = rotate(motion.world.rotations[:, 0], np.array([0.0, 0.0, 1.0]))
    clear = np.hypot(across[:, 0], across[:, 2]) > 1e-3
    x, z = np.where(clear, -across[:, 2], ahead[:, 0]), np.where(clear, across[:, 0], ahead[:, 2])
    return np.asarray(np.arctan2(x, z))


def turned(motion: Motion, turn_rad: float, pivot: Array, move: Array) -> Motion:
    """The motion turned as a whole about an upright axis through `pivot` (3,), left positive, and moved by `move` (3,).

    Only roots change; the rest pose, which stands for itself, does not.
    """
    turn = from_axis_angle(_UP, turn_rad)

    def placed(positions: Array) -> Array:
        return np.asarray(pivot + rotate(turn, positions - pivot) + move)

    rotations, offsets = motion.local_rotations, motion.local_offsets
    if turn_rad != 0.0:
        rotations = np.array(rotations)
        for root in motion.skeleton.roots:
            rotations[:, root] = multiply(turn, rotations[:, root])
    further = list(motion.skeleton.roots[1:])
    if further:
        offsets = np.array(offsets)
        offsets[..., further, :] = placed(offsets[..., further, :])
    return replace(
        motion, root_positions=placed(motion.root_positions), local_rotations=rotations, local_offsets=offsets
    )


def shifted(motion: Motion, shifts: Array) -> Motion:
    """The motion with every frame moved by its own way. shifts : (F, 3)."""
    offsets = motion.local_offsets
    further = list(motion.skeleton.roots[1:])
    if further:
        offsets = np.array(np.broadcast_to(offsets, (motion.frames, *offsets.shape[-2:])))
        offsets[:, further] += shifts[:, None]
    return replace(motion, root_positions=motion.root_positions + shifts, local_offsets=offsets)
