"""Acclaim motion: an AMC file of frames and the ASF file of its skeleton, read and written.

A bone's angles are meant in the frame that its `axis` gives, and are turned one after the other as its `dof` lists
them; the joint's rotation is that frame's, there and back.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from model.arrays import Array
from model.files.acclaim_beside import check_new_skeleton, own_skeleton, skeleton_beside
from model.files.acclaim_frames import FrameReader
from model.files.acclaim_rig import Rig, joint_limits, raw_of, rig_of
from model.files.acclaim_skeleton import Bone, RawSkeleton, asf_text, parse_asf
from model.files.assembly import FileMotion, assembled
from model.files.channels import (
    ChannelMap,
    check_size,
    fill_lengths,
    rows_to_write,
    warn_of_lost_moves,
    warn_of_lost_rotations,
)
from model.files.guesses import leading_rest_pose
from model.files.numbers import rows_as_text, to_number
from model.files.problems import (
    MotionFileError,
    Problem,
    Problems,
    Reading,
    ReadOptions,
)
from model.files.reading import read_bytes
from model.files.saving import replace_together
from model.motion import Motion, reordered
from model.rotation import conjugate, multiply, rotate
from model.units import CENTIMETRE, UNITS, Unit, from_y_up, rotations_from_y_up, to_y_up

USUAL_FRAME_TIME_S = 1.0 / 120.0
_TURNS = ("rx", "ry", "rz")
_FRAME_TIME = re.compile(rb"^#!Motionwright frame time (\S+)", re.M)
_FIRST_FRAME = re.compile(rb"^[^\S\n]*\d+[^\S\n]*$|^[^\S\n]*[A-Za-z_]\S*[^\S\n]+[-+.\d]", re.M)


@dataclass(frozen=True, eq=False)
class AcclaimDetail:
    """What the writer needs of the files: the skeleton as written, and the number of the file's first frame."""

    raw: RawSkeleton
    rig: Rig
    first_number: int

    def turning_freely(self) -> "AcclaimDetail":
        """The same skeleton with all three turns, and without limits, on every bone that has any: for other motions."""
        raw = replace(self.raw, bones={name: _turning_freely(bone) for name, bone in self.raw.bones.items()})
        return AcclaimDetail(raw, rig_of(raw), self.first_number)


def _turning_freely(bone: Bone) -> Bone:
    turns = [dof for dof in bone.dofs if dof.startswith("r")]
    if not turns or len(turns) == len(_TURNS):
        return bone
    moves = [dof for dof in bone.dofs if not dof.startswith("r")]
    return replace(bone, dofs=[*moves, *_TURNS], limits=[])


def read_amc(path: str | Path, options: ReadOptions | None = None) -> Reading:
    """The motion in an AMC file and the ASF file that `options` name or that stands beside it.

    Raises MotionFileError for what cannot be read, and no other exception.
    """
    options = options or ReadOptions()
    problems = Problems()
    data = _plain_text(read_bytes(path), str(path))
    skeleton_path = options.skeleton or str(skeleton_beside(Path(path)))
    raw = _read_raw(skeleton_path, problems)
    return _parse_amc(data, str(path), raw, options, problems)


def read_asf(path: str | Path, options: ReadOptions | None = None) -> Reading:
    """The skeleton in an ASF file, standing in its rest pose for one frame."""
    options = options or ReadOptions()
    problems = Problems()
    raw = _read_raw(str(path), problems)
    rig = rig_of(raw)
    channels = np.zeros((1, sum(len(joint) for joint in rig.layout)))
    for column, channel in enumerate(rig.layout[0]):
        if channel.endswith("position"):
            channels[0, column] = raw.position["XYZ".index(channel[0])]
    problems.note(None, "a skeleton without motion: one frame of its rest pose")
    return _reading(raw, rig, channels, [1], options.frame_time_s or USUAL_FRAME_TIME_S, str(path), options, problems)


def _read_raw(path: str, problems: Problems) -> RawSkeleton:
    data = _plain_text(read_bytes(path), path)
    return parse_asf(
        data.decode("utf-8", errors="replace") if _is_utf8(data) else data.decode("latin-1"), path, problems
    )


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _plain_text(data: bytes, path: str) -> bytes:
    if not data or data.isspace():
        raise MotionFileError(path, None, "the file is empty")
    if b"\0" in data[:4096]:
        raise MotionFileError(path, None, "this is not an Acclaim file: it is binary, not text")
    data = data.removeprefix(b"\xef\xbb\xbf")
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in data else data


def _parse_amc(data: bytes, path: str, raw: RawSkeleton, options: ReadOptions, problems: Problems) -> Reading:
    rig = rig_of(raw)
    columns = rig.columns(raw)
    if not any(columns.values()):
        raise MotionFileError(path, None, "no bone of the skeleton has dof, so the file can hold no motion")
    head = _FIRST_FRAME.search(data)
    if head is None:
        raise MotionFileError(path, data.count(b"\n") + 1, "the file ends before the first frame: it holds no motion")
    header = data[: head.start()]
    frames = FrameReader(path, columns, problems).read(data, head.start())
    if len(frames.channels) == 0:
        raise MotionFileError(path, header.count(b"\n") + 1, "the file holds no whole frame")
    check_size(len(rig.parents), len(frames.channels), len(data), path)
    _mind_numbers(frames.numbers, problems)
    channels = frames.channels
    if options.radians or re.search(rb"^\s*:RADIANS", header, re.I | re.M):
        turning = ChannelMap(rig.layout, rig.products).rotation_columns()
        channels[:, turning] = np.degrees(channels[:, turning])
    frame_time_s = options.frame_time_s or _frame_time(header, problems)
    return _reading(raw, rig, channels, frames.numbers, frame_time_s, path, options, problems)


def _mind_numbers(numbers: list[int], problems: Problems) -> None:
    broken = [n for n in range(1, len(numbers)) if numbers[n] != numbers[n - 1] + 1]
    if broken:
        first = broken[0]
        problems.warn(
            None,
            f"frame numbers jump {len(broken)} times, first from {numbers[first - 1]} to {numbers[first]}; "
            "frames are taken in the order of the file",
        )
    elif numbers[0] != 1:
        problems.note(None, f"frames are numbered from {numbers[0]}")


def _frame_time(header: bytes, problems: Problems) -> float:
    remembered = _FRAME_TIME.search(header)
    if remembered:
        value = to_number(remembered[1].decode("latin-1"))
        if value is not None and 1e-5 <= value < 10.0:
            return value
    problems.note(None, "the format does not tell the rate: 120 frames a second are assumed")
    return USUAL_FRAME_TIME_S


def _reading(
    raw: RawSkeleton, rig: Rig, channels: Array, numbers: list[int], frame_time_s: float, path: str,
    options: ReadOptions, problems: Problems,
) -> Reading:  # fmt: skip
    """The motion of parsed channels."""
    channel_map = ChannelMap(rig.layout, rig.products)
    rotations = channel_map.rotations(channels)
    turned = np.any(rig.frames[:, 1:] != 0.0, axis=-1)  # most skeletons have some bones with axes of their own
    rotations[:, turned] = multiply(multiply(rig.frames[turned], rotations[:, turned]), conjugate(rig.frames[turned]))
    roots = channel_map.root_positions(channels, rig.offsets)
    file = FileMotion(
        path=path,
        format="acclaim",
        names=rig.names,
        parents=rig.parents,
        offsets=rig.offsets,
        root_positions=roots,
        local_rotations=rotations,
        local_offsets=_offsets(rig, channel_map, channels),
        frame_time_s=frame_time_s,
        layout=rig.layout,
        channels=channels,
        tips=tuple((joint, tip, "Site") for joint, tip in rig.tips),
        limits=joint_limits(raw, rig),
        declared=_declared_unit(raw),
        detail=AcclaimDetail(raw, rig, numbers[0]),
    )
    # Zeroed frames, which damaged captures have, stand at the origin; a rest pose stands where the motion does.
    is_rest = leading_rest_pose(rotations) and bool(np.any(roots[0]))
    return assembled(file, is_rest, options, problems)


def _declared_unit(raw: RawSkeleton) -> Unit:
    """Acclaim lengths are inches times the file's `length`; others write what they like."""
    metres = 0.0254 / raw.length
    for unit in UNITS:
        if math.isclose(unit.metres, metres, rel_tol=1e-6):
            return unit
    return Unit(f"{metres:.6g} m", metres)


def _offsets(rig: Rig, channel_map: ChannelMap, channels: Array) -> Array:
    """Joint positions in the parent's frame: (J, 3), or (F, J, 3) where bones have translation or length dof."""
    moved = [(joint, axis, column) for joint, axis, column in channel_map.positions if joint > 0]
    grown = _length_columns(rig)
    if not any(np.any(channels[:, column]) for column in [*(c for _, _, c in moved), *grown.values()]):
        return rig.offsets.copy()
    result = np.tile(rig.offsets, (len(channels), 1, 1))
    for joint, axis, column in moved:
        direction = rotate(rig.frames[joint], np.eye(3)[axis])
        result[:, joint] += channels[:, column, None] * direction
    for joint, parent in enumerate(rig.parents):
        if parent in grown:
            result[:, joint] += channels[:, grown[parent], None] * _bone_direction(rig, parent)
    return result


def _length_columns(rig: Rig) -> dict[int, int]:
    """The column of each joint whose bone has a length dof."""
    flat = [(joint, channel) for joint, channels in enumerate(rig.layout) for channel in channels]
    return {joint: column for column, (joint, channel) in enumerate(flat) if channel == "length"}


def _bone_direction(rig: Rig, joint: int) -> Array:
    vector = rig.vectors[joint]
    return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-300))


def write_amc(
    motion: Motion,
    path: str | Path,
    unit: Unit | None = None,
    up: str | None = None,
    *,
    replace_skeleton: bool = False,
) -> tuple[Problem, ...]:
    """Write a motion as AMC, and its skeleton as the ASF file of the same name beside it: both, or none.

    Values that still hold are written as they were read. An ASF file that is there stays as it is if it holds this
    skeleton; where it holds another, ProtectedFileError is raised, unless `replace_skeleton`. -> what the dofs could
    not carry.
    """
    problems = Problems()
    motion, raw, rig, unit, up = _prepared(motion, path, unit, up)
    channels = _channels(motion, rig, unit, up, problems)
    detail = _acclaim_detail(motion, unit, up)
    first_number = 1 if detail is None else detail.first_number + motion.first_frame - (motion.rest is not None)
    skeleton_path = own_skeleton(Path(path))
    # Whoever reads this finds the skeleton by name; the rate has no other place in the format.
    head = f"#!OML:ASF {skeleton_path.name}\n#!Motionwright frame time {motion.frame_time_s!r}\n"
    text = _amc_text(head, rig, channels, first_number)
    if _is_to_write(raw, skeleton_path, Path(path), replace_skeleton):
        replace_together([(skeleton_path, [asf_text(raw).encode()]), (path, text)])
    else:
        replace_together([(path, text)])
    return problems.all()


def write_asf(
    motion: Motion,
    path: str | Path,
    unit: Unit | None = None,
    up: str | None = None,
    *,
    replace_skeleton: bool = False,
) -> tuple[Problem, ...]:
    """Write a motion's skeleton as ASF; the motion itself is not written. For a file that is there see `write_amc`."""
    _, raw, *_ = _prepared(motion, path, unit, up)
    if _is_to_write(raw, Path(path), Path(path), replace_skeleton):
        replace_together([(path, [asf_text(raw).encode()])])
    problems = Problems()
    problems.warn(None, "an ASF file holds the skeleton only: the motion is not written")
    return problems.all()


def _is_to_write(raw: RawSkeleton, skeleton_path: Path, path: Path, is_forced: bool) -> bool:
    """Whether the file at `path` needs its ASF file written: not where that holds this very skeleton already.

    Raises ProtectedFileError, unless forced, where other files would be read with another skeleton then.
    """
    if skeleton_path.exists() and _holds(skeleton_path, raw):
        return False
    if not is_forced:
        check_new_skeleton(skeleton_path, path, lambda there: _holds(there, raw))
    return True


def _holds(path: Path, raw: RawSkeleton) -> bool:
    """Whether an ASF file holds a skeleton, as far as motions are concerned."""
    try:
        there = _read_raw(str(path), Problems())
    except MotionFileError:
        return False
    return math.isclose(there.length, raw.length, rel_tol=1e-9) and rig_of(there).is_same(rig_of(raw))


def _amc_text(head: str, rig: Rig, channels: Array, first_number: int) -> Iterator[bytes]:
    """The text of an AMC file, in parts."""
    yield (head + ":FULLY-SPECIFIED\n:DEGREES\n").encode()
    template = _frame_template(rig)
    for rows in rows_as_text(channels):
        text = []
        for row in rows.decode().splitlines():
            text.append(template % (first_number, *row.split(" ")))
            first_number += 1
        yield "".join(text).encode()


def _frame_template(rig: Rig) -> str:
    """A frame with a place for its number and each value; bones without values are not named."""
    lines = ["%d"]
    for bone, channels in zip(rig.bones, rig.layout, strict=True):
        if channels:
            lines.append(bone.replace("%", "%%") + " %s" * len(channels))
    return "\n".join(lines) + "\n"


def _acclaim_detail(motion: Motion, unit: Unit, up: str) -> AcclaimDetail | None:
    """The files' own skeleton, if it is still the motion's and is asked for in its own unit and axes."""
    origin = motion.origin
    if origin is None or not isinstance(origin.detail, AcclaimDetail):
        return None
    rig = origin.detail.rig
    if (unit, up) != (origin.unit, origin.up) or rig.names != motion.skeleton.names:
        return None
    same = np.allclose(to_y_up(rig.offsets, up) * unit.metres, motion.skeleton.offsets, rtol=0.0, atol=1e-9)
    return origin.detail if same else None


def _prepared(
    motion: Motion, path: str | Path, unit: Unit | None, up: str | None
) -> tuple[Motion, RawSkeleton, Rig, Unit, str]:
    """What to write: the motion with its joints in the order of the skeleton's bones, and that skeleton."""
    origin = motion.origin
    unit = unit or (origin.unit if origin else CENTIMETRE)
    up = up or (origin.up if origin else "+Y")
    detail = _acclaim_detail(motion, unit, up)
    if detail is not None:
        return motion, detail.raw, detail.rig, unit, up
    if len(motion.skeleton.roots) > 1:
        raise MotionFileError(
            str(path), None, f"an Acclaim skeleton has one root; this motion has {len(motion.skeleton.roots)}"
        )
    order = motion.skeleton.depth_first()
    if order != tuple(range(len(order))):
        motion = reordered(motion, order)
    moving: set[int] = set()
    if np.any(motion.local_offsets[..., 1:, :] != motion.skeleton.offsets[1:]):
        apart = np.abs(motion.local_offsets - motion.skeleton.offsets).reshape(-1, len(order), 3)
        moving = {int(joint) for joint in np.flatnonzero(np.max(apart, axis=(0, 2)) > 1e-9) if joint > 0}
    raw = raw_of(motion.skeleton, moving, unit, up)
    return motion, raw, rig_of(raw), unit, up


def _channels(motion: Motion, rig: Rig, unit: Unit, up: str, problems: Problems) -> Array:
    """The values to write, the rest pose first where there is one. -> (F, C)."""
    origin = motion.origin if _acclaim_detail(motion, unit, up) is not None else None
    channel_map = ChannelMap(rig.layout, rig.products)
    rows = rows_to_write(motion, origin, channel_map.columns)
    channels = rows.channels
    in_file = multiply(multiply(conjugate(rig.frames), rotations_from_y_up(rows.local_rotations, up)), rig.frames)
    lost = channel_map.fill_rotations(channels, in_file, rows.have_hints)
    warn_of_lost_rotations(lost, motion.skeleton.names, problems)
    roots = from_y_up(rows.root_positions, up)
    for joint, axis, column in channel_map.positions:
        if joint == 0:
            fill_lengths(channels, column, roots[:, axis], unit)
    # Where the values still place the joints they stay; a bone's length and its child's translation may both do so.
    placed = _offsets(rig, channel_map, channels) * unit.metres
    wanted = from_y_up(rows.local_offsets, up)
    if np.max(np.abs(placed[..., 1:, :] - wanted[..., 1:, :]), initial=0.0) > 1e-12:
        left = _fill_moves(channels, channel_map, rig, wanted - rig.offsets * unit.metres, unit)
        warn_of_lost_moves(left[1:], motion.skeleton.names[1:], problems)
    return channels


def _fill_moves(channels: Array, channel_map: ChannelMap, rig: Rig, moved_m: Array, unit: Unit) -> Array:
    """Write joints' moves against their parents, (..., J, 3) metres, into `channels`. -> (J,) what is left over."""
    moved_m = np.array(moved_m)
    grown = _length_columns(rig)
    for joint, parent in enumerate(rig.parents):
        if parent in grown:
            direction = _bone_direction(rig, parent)
            along = np.sum(moved_m[..., joint, :] * direction, axis=-1)
            fill_lengths(channels, grown[parent], along, unit)
            moved_m[..., joint, :] -= along[..., None] * direction
    local = rotate(conjugate(rig.frames), moved_m)
    for joint, axis, column in channel_map.positions:
        if joint > 0:
            fill_lengths(channels, column, local[..., joint, axis], unit)
            local[..., joint, axis] = 0.0
    left = np.linalg.norm(local, axis=-1).reshape(-1, len(rig.parents))
    return np.asarray(np.max(left, axis=0, initial=0.0))
