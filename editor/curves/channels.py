"""Channels: one number of a joint over time, as curves show it, and the way back to rotations and places.

Angles come as Euler angles in an order of axes, or as the parts of a rotation vector; both go on past full turns
instead of jumping.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from model.arrays import Array
from model.euler import ORDERS, continuous, from_euler, to_euler
from model.motion import Motion
from model.rotation import from_rotation_vector, unroll
from model.skeleton import JointRef
from model.type_hints import fit_fields

POSITION, VECTOR = "position", "vector"
_DEFAULT_ORDER = "ZXY"
_AXES = "XYZ"


@dataclass(frozen=True)
class Channel:
    """One number of a joint. space : "position" (of the root, in the world, metres), "vector" (a rotation vector's
    part, radians), or an order of three different Euler axes as motion files write it ("ZXY": radians).
    """

    joint: JointRef
    space: str
    axis: str

    def __post_init__(self) -> None:
        fit_fields(self)
        if self.axis not in tuple(_AXES):
            raise ValueError(f"axis is {self.axis!r}; it must be X, Y or Z")
        if self.space not in (POSITION, VECTOR) and not (self.space in ORDERS and len(set(self.space)) == 3):
            raise ValueError(f"space is {self.space!r}; it must be position, vector or an order of axes such as ZXY")

    def __str__(self) -> str:
        name = self.joint.name if self.joint.role is None else self.joint.role.value.replace("_", " ")
        return f"{name} {'place' if self.space == POSITION else 'turn'} {self.axis}"

    @property
    def column(self) -> int:
        """Where among X, Y, Z the channel is."""
        return _AXES.index(self.axis)


def euler_order(motion: Motion, joint: int) -> str:
    """The order in which a joint's file turns it; a usual one where there is no such file."""
    origin = motion.origin
    if origin is not None and origin.format == "bvh" and joint < len(origin.layout):
        order = "".join(name[0] for name in origin.layout[joint] if name.endswith("rotation"))
        if order in ORDERS and len(set(order)) == 3:
            return order
    return _DEFAULT_ORDER


def dense(motion: Motion, joint: int, space: str) -> Array:
    """(F, 3) what a joint does in a space, its X, Y and Z, without jumps from frame to frame."""
    if space == POSITION:
        if joint != 0:
            raise ValueError(f"{motion.skeleton.names[joint]!r} has no place of its own: only the root has")
        return motion.root_positions
    rotations = motion.local_rotations[:, joint]
    if space == VECTOR:
        return _continuous_vectors(rotations)
    return continuous(to_euler(rotations, space), space)[:, _columns(space)]


def with_dense(motion: Motion, joint: int, space: str, values: Array, frames: Array) -> Motion:
    """The motion with a joint's values (F, 3) in a space put into some frames (F,) bool; the others keep their own."""
    if space == POSITION:
        return replace(motion, root_positions=np.where(frames[:, None], values, motion.root_positions))
    rotations = np.array(motion.local_rotations)
    rotations[frames, joint] = rotations_of(values[frames], space)
    return replace(motion, local_rotations=rotations)


def rotations_of(values: Array, space: str) -> Array:
    """(..., 4) the rotations that values (..., 3) in X, Y, Z of an angular space mean."""
    if space == VECTOR:
        return from_rotation_vector(values)
    return from_euler(values[..., [_AXES.index(axis) for axis in space]], space)


def channels_of(joint: JointRef, space: str) -> tuple[Channel, ...]:
    """The three channels of a joint in a space."""
    return tuple(Channel(joint, space, axis) for axis in _AXES)


def _columns(order: str) -> Sequence[int]:
    """Where X, Y and Z are in an order of axes."""
    return [order.index(axis) for axis in _AXES]


def _continuous_vectors(rotations: Array) -> Array:
    """(F, 3) rotation vectors that follow each other closely, over half and full turns too. rotations : (F, 4)."""
    if len(rotations) == 0:
        return np.zeros((0, 3))
    q = unroll(np.where(rotations[:1, :1] < 0.0, -rotations, rotations))
    length = np.sqrt(np.sum(q[:, 1:] ** 2, axis=-1, keepdims=True))
    axes = np.divide(q[:, 1:], length, out=np.zeros_like(q[:, 1:]), where=length > 1e-12)
    # The axis keeps its side, so that a turn through zero changes the angle's sign, not the axis.
    side = np.cumprod(np.where(np.sum(axes[1:] * axes[:-1], axis=-1) < 0.0, -1.0, 1.0))
    axes[1:] *= side[:, None]
    signed = length[:, 0] * np.concatenate([[1.0], side])
    angles = np.unwrap(2.0 * np.arctan2(signed, q[:, 0]), period=4.0 * np.pi)
    return np.asarray(angles[:, None] * axes)
