"""What a file does not say and a body shows: roles, unit of length, up axis, a T-pose before the motion.

Every guess is reported as a note, and the user can overrule each (`ReadOptions`).
"""

import math
from dataclasses import dataclass

import numpy as np

from model.arrays import Array
from model.files.problems import Problems, ReadOptions
from model.kinematics import forward
from model.roles import Role, find_roles
from model.rotation import IDENTITY, angle_between
from model.units import UP_AXES, Unit, guess_unit, guess_up, to_y_up

# Frames looked at to see which way up bodies stand.
_SAMPLED_FRAMES = 64
# Hip to ankle along the leg, as a share of a person's height (Winter 2009, table 4.1).
_LEG_SHARE = 0.49

_MANY = 1000

_LIMBS = (Role.LEFT_HIP, Role.RIGHT_HIP, Role.LEFT_SHOULDER, Role.RIGHT_SHOULDER)


@dataclass(frozen=True)
class Body:
    """What the file's body shows."""

    roles: tuple[Role | None, ...]
    unit: Unit
    up: str


def find_body(
    names: tuple[str, ...],
    parents: tuple[int, ...],
    root_positions: Array,
    local_rotations: Array,
    local_offsets: Array,
    options: ReadOptions,
    problems: Problems,
    declared: Unit | None = None,
    rest_offsets: Array | None = None,
) -> Body:
    """Roles, unit and up axis of a motion that is still in its file's unit and axes.

    Arrays as for `kinematics.forward`, with frames (F) as the only leading axis; rest_offsets : (J, 3), where
    they differ from the motion's. declared : the unit the
    file claims, taken unless it makes no person of the body.
    """
    if rest_offsets is None:
        rest_offsets = local_offsets if local_offsets.ndim == 2 else local_offsets[0]
    picked = np.unique(np.linspace(0, len(local_rotations) - 1, _SAMPLED_FRAMES).astype(np.intp))
    offsets = local_offsets[picked] if local_offsets.ndim == 3 else local_offsets
    positions = forward(parents, root_positions[picked], local_rotations[picked], offsets).positions
    roles = find_roles(names, parents)
    up = options.up or _up_of(roles, positions)
    if up is None:
        roles, up = _by_shape(names, parents, positions)
        problems.note(None, f"up axis: {up} assumed, there is no body to judge by")
    elif options.up is None:
        up = _checked_up(up, _up_of(roles, _rest_positions(parents, rest_offsets)[None]), problems)
    if not all(role in roles for role in _LIMBS):
        middle = len(positions) // 2
        roles = find_roles(names, parents, to_y_up(positions[middle], up))
    unit = options.unit or _unit_of(names, roles, positions, declared, problems)
    return Body(roles, unit, up)


def _checked_up(moving: str, resting: str | None, problems: Problems) -> str:
    """The up axis by how the body moves, unless only a body that never gets up would explain it.

    Files stand on Y or Z. Rest poses alone cannot tell: many are strung out along X.
    """
    usual = ("+Y", "+Z")
    if moving in usual or resting not in usual:
        if resting in usual and resting != moving:
            problems.warn(None, f"up axis: {moving}, as the body moves, though it rests along {resting}")
        else:
            problems.note(None, f"up axis: {moving}, as the body stands")
        return moving
    problems.warn(None, f"up axis: {resting}, as the body rests; it lies or hangs along {moving} most of the time")
    return resting


def _rest_positions(parents: tuple[int, ...], offsets: Array) -> Array:
    """(J, 3) where the joints are at rest."""
    positions = np.array(offsets)
    for joint, parent in enumerate(parents):
        if parent >= 0:
            positions[joint] += positions[parent]
    return positions


def _up_of(roles: tuple[Role | None, ...], positions: Array) -> str | None:
    """The up axis from feet to head over the sampled frames (F, J, 3), where the body has both."""

    def mean_of(*wanted: Role) -> Array | None:
        found = [roles.index(role) for role in wanted if role in roles]
        return positions[:, found].mean(axis=1) if found else None

    top = mean_of(Role.HEAD)
    for others in ((Role.NECK,), (Role.LEFT_SHOULDER, Role.RIGHT_SHOULDER), (Role.CHEST,)):
        top = mean_of(*others) if top is None else top
    bottom = mean_of(Role.LEFT_ANKLE, Role.RIGHT_ANKLE)
    bottom = mean_of(Role.LEFT_KNEE, Role.RIGHT_KNEE) if bottom is None else bottom
    bottom = mean_of(Role.PELVIS) if bottom is None else bottom
    if top is None or bottom is None:
        return None
    upward = np.asarray(top - bottom)
    if float(np.max(np.abs(upward), initial=0.0)) == 0.0:
        return None
    return guess_up(upward)


def _by_shape(
    names: tuple[str, ...], parents: tuple[int, ...], positions: Array
) -> tuple[tuple[Role | None, ...], str]:
    """Roles by topology for the first up axis under which a body shows; +Y if none does."""
    middle = positions[len(positions) // 2]
    for up in ("+Y", "+Z", *(axis for axis in UP_AXES if axis not in ("+Y", "+Z"))):
        roles = find_roles(names, parents, to_y_up(middle, up))
        if all(role in roles for role in _LIMBS):
            return roles, up
        if not any(role in roles for role in _LIMBS) and len(names) > _MANY:
            break  # no body, and too many joints to look at from every side
    return find_roles(names, parents), "+Y"


def _unit_of(
    names: tuple[str, ...],
    roles: tuple[Role | None, ...],
    positions: Array,
    declared: Unit | None,
    problems: Problems,
) -> Unit:
    """The unit that makes the body person-sized. positions : (F, J, 3) in file units."""
    legs = []
    for side in ("LEFT", "RIGHT"):
        joints = [Role[f"{side}_{part}"] for part in ("HIP", "KNEE", "ANKLE")]
        if all(role in roles for role in joints):
            hip, knee, ankle = (positions[:, roles.index(role)] for role in joints)
            legs.append(np.median(_length(knee - hip) + _length(ankle - knee)))
    if legs and max(legs) > 0.0:
        stature, judged_by = float(max(legs)) / _LEG_SHARE, "length of the legs"
    elif len(names) >= 10:
        extent = np.max(positions, axis=1) - np.min(positions, axis=1)
        stature, judged_by = float(np.median(np.max(extent, axis=-1))), "size of the skeleton"
    else:
        stature, judged_by = 0.0, ""
    if declared is not None and (stature == 0.0 or 1.0 < stature * declared.metres < 2.2):
        problems.note(None, f"unit: {declared.name}, as the file says")
        return declared
    unit = guess_unit(stature, names)
    if judged_by and stature > 0.0:
        metres = stature * unit.metres
        message = f"unit: {unit.name}, which makes the body {metres:.2f} m tall by the {judged_by}"
        if 1.0 < metres < 2.2:
            problems.note(None, message)
        else:
            problems.warn(None, message + "; no known unit fits well")
    else:
        problems.note(None, f"unit: {unit.name} assumed, there is no body to judge by")
    return unit


def leading_rest_pose(local_rotations: Array) -> bool:
    """Whether the first frame is a rest pose put before the motion. local_rotations : (F, J, 4).

    It is one where most joints do not turn at all in it, though they do later, and the body jumps
    out of it as it never jumps again.
    """
    if len(local_rotations) < 3:
        return False
    head = local_rotations[:32]
    resting = angle_between(head[:2], IDENTITY) < 1e-6
    if np.mean(resting[0]) < 0.6 or np.mean(resting[0] & ~resting[1]) < 0.3:
        return False
    jumps = np.mean(angle_between(head[1:], head[:-1]), axis=-1)
    # Against the median: recordings have spikes of their own, and few frames a second make every step large.
    return bool(jumps[0] > max(math.radians(2.0), 1.5 * np.median(jumps[1:])))


def _length(v: Array) -> Array:
    return np.asarray(np.sqrt(np.sum(v * v, axis=-1)))
