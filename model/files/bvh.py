"""BVH files, read and written. The hierarchy is parsed in `bvh_hierarchy`, the numbers in `numbers`."""

import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np

from model.arrays import Array
from model.files.assembly import FileMotion, assembled
from model.files.bvh_hierarchy import Hierarchy, read_hierarchy
from model.files.channels import (
    ChannelMap,
    check_size,
    fill_lengths,
    in_other_axes,
    rows_to_write,
    warn_of_lost_moves,
    warn_of_lost_rotations,
)
from model.files.guesses import leading_rest_pose
from model.files.numbers import RowReader, rows_as_text, to_number
from model.files.problems import MotionFileError, Problem, Problems, Reading, ReadOptions
from model.files.reading import read_bytes
from model.files.saving import replacing
from model.motion import Motion, Origin, reordered
from model.skeleton import EndSite, Skeleton
from model.units import CENTIMETRE, Unit, from_y_up, rotations_from_y_up

_MOTION = re.compile(rb"(?:^|\})[^\S\n]*MOTION\b[^\S\n]*:?", re.I | re.M)
_FRAMES = re.compile(rb"\s*frames\b[^\S\n]*[:=]?[^\S\n]*\n?[^\S\n]*([^\s]*)", re.I)
_FRAME_TIME = re.compile(rb"\s*frame\s*time\b[^\S\n]*[:=]?[^\S\n]*([^\s]*)", re.I)
_ASSUMED_FRAME_TIME_S = 1.0 / 30.0
_USUAL_RATES = (24.0, 30.0, 60.0, 90.0, 120.0, 144.0, 240.0)  # in milliseconds these are no usual rates themselves
# With the upright axis last a body can turn about without coming near gimbal lock.
_DEFAULT_ROTATION = ("Zrotation", "Xrotation", "Yrotation")
_DEFAULT_POSITION = ("Xposition", "Yposition", "Zposition")


def read_bvh(path: str | Path, options: ReadOptions | None = None) -> Reading:
    """The motion in a BVH file, with what had to be assumed or repaired.

    Raises MotionFileError for what cannot be read, and no other exception, whatever the file holds.
    """
    return parse_bvh(read_bytes(path), str(path), options)


def parse_bvh(data: bytes, path: str = "", options: ReadOptions | None = None) -> Reading:
    """The motion in the bytes of a BVH file; `path` is for messages. See `read_bvh`."""
    options = options or ReadOptions()
    problems = Problems()
    data = _plain_text(data, path, problems)
    motion_word = _MOTION.search(data)
    header = data if motion_word is None else data[: motion_word.start()] + b"}" * motion_word[0].startswith(b"}")
    hierarchy = read_hierarchy(path, _decoded(header, problems).split("\n"), problems)
    if motion_word is None:
        raise MotionFileError(path, data.count(b"\n") + 1, "the file ends before MOTION: it holds no motion")
    if hierarchy.columns == 0:
        raise MotionFileError(path, None, "no joint has CHANNELS, so the file can hold no motion")
    claimed, frame_time_s, start = _motion_header(data, motion_word.end(), path, problems)
    first_line = data.count(b"\n", 0, start) + 1
    channels = RowReader(path, hierarchy.columns, first_line, claimed, problems).read(data, start)
    file_bytes = len(data)
    del data  # the text is the largest thing held
    if len(channels) == 0:
        raise MotionFileError(path, first_line, "the file ends before the first frame: it holds no motion")
    if claimed is not None and claimed != len(channels):
        problems.warn(None, f"the file announces {claimed} frames and holds {len(channels)}; those it holds count")
    return _reading(hierarchy, channels, options.frame_time_s or frame_time_s, file_bytes, path, options, problems)


def _plain_text(data: bytes, path: str, problems: Problems) -> bytes:
    """The file as bytes with a line feed at each line's end, in an encoding that extends ASCII."""
    if not data or data.isspace():
        raise MotionFileError(path, None, "the file is empty")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        problems.note(None, "the text is encoded in UTF-16")
        data = data.decode("utf-16", errors="replace").encode("utf-8")
    data = data.removeprefix(b"\xef\xbb\xbf")
    if b"\0" in data[:4096]:
        raise MotionFileError(path, None, "this is not a BVH file: it is binary, not text")
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return data


def _decoded(header: bytes, problems: Problems) -> str:
    try:
        return header.decode("utf-8")
    except UnicodeDecodeError:
        problems.note(None, "names are not in UTF-8; read as Latin-1")
        return header.decode("latin-1")


def _motion_header(data: bytes, position: int, path: str, problems: Problems) -> tuple[int | None, float, int]:
    """What stands between MOTION and the first row: frames announced, frame time, where rows start."""
    claimed: bytes | None = None
    frame_time: bytes | None = None
    while True:
        if match := _FRAME_TIME.match(data, position):
            frame_time = match[1]
        elif match := _FRAMES.match(data, position):
            claimed = match[1]
        else:
            break
        position = match.end()
    line = data.count(b"\n", 0, position) + 1
    frames: int | None = None
    if claimed is None:
        problems.warn(line, "Frames: is missing; the rows are counted")
    else:
        value = to_number(claimed.decode("latin-1"))
        if value is None or not 0 <= value <= 1e15 or value != int(value):
            problems.warn(line, f"Frames: says {claimed[:20].decode('latin-1')!r}; the rows are counted")
        else:
            frames = int(value)
    return frames, _frame_time(frame_time, line, problems), position


def _frame_time(text: bytes | None, line: int, problems: Problems) -> float:
    """The time of a frame in seconds; a missing or impossible one is 1/30, a rate is turned round."""
    if text is None:
        problems.warn(line, "Frame Time: is missing; 1/30 s is assumed")
        return _ASSUMED_FRAME_TIME_S
    shown = text[:20].decode("latin-1")
    value = to_number(text.decode("latin-1").replace(",", "."))
    if value is not None and 1e-5 <= value <= 0.5:
        return value
    if value is not None and any(
        math.isclose(1000.0 / value, rate, rel_tol=2e-3) for rate in _USUAL_RATES if value > 0
    ):
        problems.warn(line, f"Frame Time: says {shown}; read as milliseconds")
        return value / 1000.0
    if value is not None and 0.5 < value < 10.0:
        problems.warn(line, f"Frame Time: says {shown} seconds, which is long")
        return value
    if value is not None and 10.0 <= value <= 1000.0:
        problems.warn(line, f"Frame Time: says {shown}; read as frames a second")
        return 1.0 / value
    problems.warn(line, f"Frame Time: says {shown!r}; 1/30 s is assumed")
    return _ASSUMED_FRAME_TIME_S


def _reading(
    hierarchy: Hierarchy,
    channels: Array,
    frame_time_s: float,
    file_bytes: int,
    path: str,
    options: ReadOptions,
    problems: Problems,
) -> Reading:
    """The motion of parsed channels."""
    layout = tuple(tuple(joint.channels) for joint in hierarchy.joints)
    file_offsets = np.array([joint.offset for joint in hierarchy.joints])
    channel_map = ChannelMap(layout)
    check_size(len(layout), len(channels), file_bytes, path)
    if channel_map.positions_are_moves(channels, file_offsets):
        problems.warn(None, "position channels below the root are about zero: read as moves from OFFSET")
    if options.radians:
        turning = channel_map.rotation_columns()
        channels[:, turning] = np.degrees(channels[:, turning])
    else:
        _mind_radians(channels, channel_map, problems)
    rotations = channel_map.rotations(channels)
    roots = channel_map.root_positions(channels, file_offsets)
    _mind_root_offset(file_offsets[0], roots, problems)
    file = FileMotion(
        path=path,
        format="bvh",
        names=tuple(joint.name for joint in hierarchy.joints),
        parents=tuple(joint.parent for joint in hierarchy.joints),
        offsets=file_offsets,
        root_positions=roots,
        local_rotations=rotations,
        local_offsets=channel_map.offsets(channels, file_offsets),
        frame_time_s=frame_time_s,
        layout=layout,
        channels=channels,
        tips=tuple((site.parent, np.array(site.offset), site.name) for site in hierarchy.end_sites),
    )
    return assembled(file, leading_rest_pose(rotations), options, problems)


def _mind_radians(channels: Array, channel_map: ChannelMap, problems: Problems) -> None:
    """Say so when no angle of a whole body passes a full turn in radians: it may be in radians."""
    turning = channel_map.rotation_columns()
    if channel_map.joints < 10 or len(channels) < 10:
        return
    for rows in (channels[::100], channels):  # a few frames tell of most files that they are in degrees
        largest = float(np.max(np.abs(rows[:, turning]), initial=0.0))
        if not 0.5 < largest <= 2.0 * math.pi + 1e-3:
            return
    problems.warn(None, f"no angle exceeds {largest:.2f}: read as degrees, though they may be radians")


def _mind_root_offset(offset: list[float] | Array, roots: Array, problems: Problems) -> None:
    """Say so where a file seems to count the root's position from its OFFSET, which few readers do."""
    if np.any(offset) and not np.any(roots[0]):
        shown = " ".join(f"{value:g}" for value in offset)
        problems.note(None, f"the root's OFFSET ({shown}) is not added to its position channels, which are absolute")


def write_bvh(motion: Motion, path: str | Path, unit: Unit | None = None, up: str | None = None) -> tuple[Problem, ...]:
    """Write a motion as BVH, in its file's unit and axes (centimetres, Y up, for a motion without one).

    Rotations that still equal the file's keep its numbers; others get the nearest angles. -> what the
    format or the channels could not carry. Raises MotionFileError where the file cannot be written.
    """
    origin = motion.origin
    unit = unit or (origin.unit if origin else CENTIMETRE)
    up = up or (origin.up if origin else "+Y")
    if origin is not None and origin.format == "bvh":
        motion = replace(motion, origin=in_other_axes(origin, up))
    problems = Problems()
    order = motion.skeleton.depth_first()
    if order != tuple(range(len(order))):
        motion = reordered(motion, order)
    layout = _layout(motion)
    channels = _channels(motion, layout, unit, up, problems)
    with replacing(path) as file:
        file.write(_header(motion.skeleton, layout, unit, up).encode("utf-8"))
        file.write(f"MOTION\nFrames: {len(channels)}\nFrame Time: {motion.frame_time_s!r}\n".encode())
        for rows in rows_as_text(channels):
            file.write(rows)
    return problems.all()


def _bvh_origin(motion: Motion) -> Origin | None:
    """The motion's origin if that is a BVH file with the same joints."""
    origin = motion.origin
    if origin is None or origin.format != "bvh" or len(origin.layout) != len(motion.skeleton):
        return None
    return origin


def _layout(motion: Motion) -> tuple[tuple[str, ...], ...]:
    """The file's channels where they fit the skeleton, or rotations for all and positions where needed."""
    origin = _bvh_origin(motion)
    if origin is not None:
        return origin.layout
    moving = np.zeros(len(motion.skeleton), dtype=bool)
    moving[list(motion.skeleton.roots)] = True
    if not motion.limbs_are_fixed:
        moving |= np.any(np.ptp(motion.local_offsets, axis=0) > 1e-9, axis=-1)
    return tuple((_DEFAULT_POSITION if moves else ()) + _DEFAULT_ROTATION for moves in moving)


def _channels(motion: Motion, layout: tuple[tuple[str, ...], ...], unit: Unit, up: str, problems: Problems) -> Array:
    """The rows to write, the rest pose first where there is one. -> (F, C)."""
    channel_map = ChannelMap(layout)
    rows = rows_to_write(motion, _bvh_origin(motion), channel_map.columns)
    lost = channel_map.fill_rotations(rows.channels, rotations_from_y_up(rows.local_rotations, up), rows.have_hints)
    warn_of_lost_rotations(lost, motion.skeleton.names, problems)
    roots, offsets = from_y_up(rows.root_positions, up), from_y_up(rows.local_offsets, up)
    if rows.have_hints and channel_map.positions_are_moves(rows.channels, _file_offsets(motion.skeleton, unit, up)):
        offsets = offsets - from_y_up(motion.skeleton.offsets, up)
    for joint, axis, column in channel_map.positions:
        fill_lengths(rows.channels, column, roots[:, axis] if joint == 0 else offsets[..., joint, axis], unit)
    moved = np.max(np.abs(motion.local_offsets - motion.skeleton.offsets), axis=-1)
    moved = np.max(moved.reshape(-1, len(layout)), axis=0, initial=0.0)
    moved[[0, *(joint for joint, _, _ in channel_map.positions)]] = 0.0
    warn_of_lost_moves(moved, motion.skeleton.names, problems)
    return rows.channels


def _file_offsets(skeleton: Skeleton, unit: Unit, up: str) -> Array:
    """(J, 3) the skeleton's offsets as a file of this unit and up axis has them."""
    return np.asarray(from_y_up(skeleton.offsets, up) / unit.metres)


def _header(skeleton: Skeleton, layout: tuple[tuple[str, ...], ...], unit: Unit, up: str) -> str:
    """The HIERARCHY section."""
    lines = ["HIERARCHY"]
    sites: dict[int, list[EndSite]] = {}
    for site in skeleton.end_sites:
        sites.setdefault(site.joint, []).append(site)
    open_joints: list[int] = []

    def indent() -> str:
        return "\t" * min(len(open_joints), 40)  # deeper ones would fill the file with tabs

    def offset_of(offset: Array) -> str:
        numbers = from_y_up(offset, up) / unit.metres
        # Twelve digits: what conversion to metres and back adds in the last place is dropped.
        return "OFFSET " + " ".join(repr(float(f"{value:.12g}") + 0.0) for value in numbers)

    def close_until(parent: int) -> None:
        while open_joints and open_joints[-1] != parent:
            open_joints.pop()
            lines.append(indent() + "}")

    for joint, parent in enumerate(skeleton.parents):
        close_until(parent)
        name = re.sub(r"[{}\r\n]", "_", skeleton.names[joint])
        lines += [f"{indent()}{'JOINT' if parent >= 0 else 'ROOT'} {name}", indent() + "{"]
        open_joints.append(joint)
        lines.append(indent() + offset_of(skeleton.offsets[joint]))
        channels = layout[joint]
        lines.append(f"{indent()}CHANNELS {len(channels)}" + "".join(f" {channel}" for channel in channels))
        for site in sites.get(joint, []):
            lines.append(f"{indent()}End {site.label}")
            lines.append(indent() + "{")
            lines.append(f"{indent()}\t{offset_of(site.offset)}")
            lines.append(indent() + "}")
    close_until(-1)
    return "\n".join(lines) + "\n"
