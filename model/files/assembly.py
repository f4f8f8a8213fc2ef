"""The last step of reading: arrays in a file's unit and axes become a motion in ours."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from model.arrays import Array, freeze
from model.files.guesses import find_body
from model.files.problems import Problems, Reading, ReadOptions
from model.motion import Motion, Origin, Pose
from model.skeleton import EndSite, JointLimits, Skeleton
from model.units import Unit, rotations_to_y_up, to_y_up


@dataclass(frozen=True, eq=False)
class FileMotion:
    """What a reader made of its file, in the file's unit and axes; shapes as in `Motion`.

    channels : (F, C) the numbers it was made of; offsets : (J, 3) at rest; tips : joint, offset and label of each
    end site; declared : the unit the file claims.
    """

    path: str
    format: str
    names: tuple[str, ...]
    parents: tuple[int, ...]
    offsets: Array
    root_positions: Array
    local_rotations: Array
    local_offsets: Array
    frame_time_s: float
    layout: tuple[tuple[str, ...], ...]
    channels: Array
    tips: tuple[tuple[int, Array, str], ...] = ()
    limits: Mapping[int, JointLimits] = field(default_factory=dict)
    declared: Unit | None = None
    detail: object = None


def assembled(file: FileMotion, first_is_rest: bool, options: ReadOptions, problems: Problems) -> Reading:
    """The motion of a file, its unit, axes and roles found; its first frame set aside if that is a rest pose."""
    first = 1 if first_is_rest else 0

    def moving(values: Array) -> Array:
        return values[first:] if values.ndim == 3 else values

    body = find_body(
        file.names,
        file.parents,
        file.root_positions[first:],
        file.local_rotations[first:],
        moving(file.local_offsets),
        options,
        problems,
        file.declared,
        file.offsets,
    )
    up, metres = body.up, body.unit.metres
    rotations = freeze(rotations_to_y_up(file.local_rotations, up))
    roots = freeze(to_y_up(file.root_positions, up) * metres)
    offsets = freeze(to_y_up(file.local_offsets, up) * metres)
    skeleton = Skeleton(
        file.names,
        file.parents,
        to_y_up(file.offsets, up) * metres,
        # By joint, as they are written: tips between children keep their order on every re-reading.
        tuple(
            EndSite(joint, freeze(to_y_up(tip, up) * metres), label)
            for joint, tip, label in sorted(file.tips, key=lambda tip: tip[0])
        ),
        body.roles,
        {joint: replace(limits, frame=rotations_to_y_up(limits.frame, up)) for joint, limits in file.limits.items()},
    )
    rest = None
    if first:
        problems.note(None, "the first frame is a rest pose; it is kept beside the motion")
        rest = Pose(
            freeze(np.array(roots[0])),
            freeze(np.array(rotations[0])),
            freeze(np.array(offsets[0] if offsets.ndim == 3 else offsets)),
        )
    channels = freeze(file.channels)
    motion = Motion(
        skeleton=skeleton,
        frame_time_s=file.frame_time_s,
        root_positions=roots[first:],
        local_rotations=rotations[first:],
        local_offsets=moving(offsets),
        rest=rest,
        first_frame=first,
        origin=Origin(
            path=file.path,
            unit=body.unit,
            up=up,
            layout=file.layout,
            channels=channels[first:],
            rest_channels=channels[0] if first else None,
            format=file.format,
            detail=file.detail,
        ),
    )
    return Reading(motion, problems.all())
