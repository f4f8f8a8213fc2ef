"""What motions from a project file must hold beyond what their classes check, so that nobody stumbles over them later.

The readers of motion files make parts that fit each other; a project file may say anything.
"""

import math

import numpy as np

from model.arrays import Array
from model.files.acclaim import AcclaimDetail
from model.files.acclaim_rig import rig_of
from model.files.channels import ChannelMap
from model.motion import Motion, Origin, Pose
from model.skeleton import Skeleton
from model.units import UP_AXES


def check_motion(motion: Motion) -> None:
    """Raise ValueError naming what does not fit the rest of a motion."""
    frames, joints = motion.frames, len(motion.skeleton)
    for name in ("root_positions", "local_offsets"):
        _check_finite(name, getattr(motion, name))
    _check_rotations("local_rotations", motion.local_rotations)
    if motion.rest is not None:
        _check_rest(motion.rest, joints)
    if motion.origin is not None:
        _check_origin(motion.origin, frames)


def check_skeleton(skeleton: Skeleton) -> None:
    """Raise ValueError naming the tip or limit that is none."""
    for site in skeleton.end_sites:
        _check_shape("offset of an end site", site.offset, (3,))
        _check_finite("offset of an end site", site.offset)
    for joint, limits in skeleton.limits.items():
        if not 0 <= joint < len(skeleton):
            raise ValueError(f"limits are given for joint {joint}, which is not there")
        if set(limits.axes) - set("XYZ"):
            raise ValueError(f"the axes of limits are {limits.axes!r}; they must be of X, Y and Z")
        _check_shape("frame of limits", limits.frame, (4,))
        _check_rotations("frame of limits", limits.frame)
        for array in (limits.low, limits.high):
            _check_shape("limits", array, (len(limits.axes),))


def check_acclaim(detail: AcclaimDetail) -> None:
    """Raise ValueError where the joints of a rig are not those of its bones."""
    rig, due = detail.rig, rig_of(detail.raw)
    for name in ("bones", "names", "parents", "layout", "products"):
        if getattr(rig, name) != getattr(due, name):
            raise ValueError(f"the {name} of the rig are not those of its skeleton")
    for name in ("offsets", "vectors", "frames"):
        _check_shape(name, getattr(rig, name), getattr(due, name).shape)
    for joint, tip in rig.tips:
        _check_shape("tip", tip, (3,))
        if not 0 <= joint < len(rig.bones):
            raise ValueError(f"a tip hangs on joint {joint}, which is not there")
    ChannelMap(rig.layout, rig.products)


def _check_rest(rest: Pose, joints: int) -> None:
    _check_shape("root_position of rest", rest.root_position, (3,))
    _check_shape("local_rotations of rest", rest.local_rotations, (joints, 4))
    _check_shape("local_offsets of rest", rest.local_offsets, (joints, 3))
    _check_finite("root_position of rest", rest.root_position)
    _check_finite("local_offsets of rest", rest.local_offsets)
    _check_rotations("local_rotations of rest", rest.local_rotations)


def _check_origin(origin: Origin, frames: int) -> None:
    if not (math.isfinite(origin.unit.metres) and origin.unit.metres > 0.0):
        raise ValueError(f"a unit has {origin.unit.metres} metres")
    if origin.up not in UP_AXES:
        raise ValueError(f"up is {origin.up!r}; it must be one of {', '.join(UP_AXES)}")
    ChannelMap(origin.layout)
    if origin.channels.ndim != 2 or len(origin.channels) != frames:
        raise ValueError(f"channels has shape {origin.channels.shape} for {frames} frames")
    if origin.rest_channels is not None:
        _check_shape("rest_channels", origin.rest_channels, origin.channels.shape[1:])


def _check_shape(name: str, array: Array, shape: tuple[int, ...]) -> None:
    if array.shape != shape:
        raise ValueError(f"{name} has shape {array.shape}; it must be {shape}")


def _check_finite(name: str, array: Array) -> None:
    if not np.all(np.isfinite(array)):
        raise ValueError(f"{name} must be finite")


def _check_rotations(name: str, rotations: Array) -> None:
    """Rotations (..., 4) have unit length, up to more than rounding could ever do."""
    squares = np.einsum("...i,...i->...", rotations, rotations)
    if not np.all(np.abs(squares - 1.0) < 1e-3):  # not a number is not less
        raise ValueError(f"{name} must be unit quaternions")
