"""Point tracks as TRC, the tabbed text of Motion Analysis that OpenSim reads too.

Five lines of header: file type; names and values of rate, counts and unit; `Frame#`, `Time` and a name over
every third column; `X1 Y1 Z1 …`. Empty cells, and a point at exactly 0 0 0, are gaps. The format does not say
which axis is up: markers of a whole person tell, otherwise it is Y, as OpenSim has it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePath

import numpy as np

from model.arrays import Array
from model.files.numbers import rows_as_text, to_number
from model.files.problems import MotionFileError, Problems, ReadOptions, quoted
from model.files.trajectories_table import (
    TableReader,
    body_delimiter,
    cells_of,
    decoded,
    delimiter_of,
    named,
    plain_text,
    seen_whole,
)
from model.tracks import (
    PointTracks,
    clean_names,
    guess_cloud_unit,
    guess_cloud_up,
    not_at_zero,
    timed_by,
    tracks_of_file,
    unit_named,
    zeros_as_gaps,
)
from model.units import MILLIMETRE, Unit

_HEADER_LINES = 50
_AXIS = re.compile(r"[XYZ]\d*\Z", re.I | re.ASCII)
_KEYS = ["DataRate", "CameraRate", "NumFrames", "NumMarkers", "Units"]
_KEYS += ["OrigDataRate", "OrigDataStartFrame", "OrigNumFrames"]
_UNITS = ("mm", "cm", "m", "dm", "in", "ft")


@dataclass
class _Header:
    """What stands before the rows. lead : columns before those of the markers."""

    values: dict[str, str] = field(default_factory=dict)  # by key in lower case
    names: list[str] = field(default_factory=list)
    lead: int = 2
    delimiter: str = "\t"
    start: int = 0
    line: int = 1

    def number(self, key: str) -> float | None:
        return to_number(self.values.get(key, "").replace(",", "."))


def parse_trc(data: bytes, path: str, options: ReadOptions, fps: float | None, problems: Problems) -> PointTracks:
    """The tracks in the bytes of a TRC file. Raises MotionFileError and nothing else."""
    data = plain_text(data, path, "TRC", problems)
    header = _read_header(data, path, problems)
    width = header.lead + 3 * len(header.names)
    delimiter = body_delimiter(data, header.start, header.delimiter, width)
    table = TableReader(path, delimiter, width, range(width), problems)
    values = table.read(data, header.start, header.line)
    del data
    if len(values) == 0:
        raise MotionFileError(path, header.line, "the file ends before the first frame: it holds no motion")
    claimed = header.number("numframes")
    if claimed is not None and claimed != len(values):
        problems.warn(None, f"the file announces {claimed:g} frames and holds {len(values)}; those it holds count")
    numbers = seen_whole(values[:, header.lead :].reshape(len(values), -1, 3), problems)
    zeros_at = zeros_as_gaps(numbers)
    if zeros_at:
        problems.note(None, f"{zeros_at} times a point is at exactly 0 0 0: it was not seen")

    rate = header.number("datarate") or 0.0
    if not 1e-4 <= rate <= 1e5:
        problems.warn(None, f"DataRate is {quoted(header.values.get('datarate', ''))}; the times tell the rate")
        rate = 0.0
    times = values[:, 1] if header.lead == 2 else None
    timed = timed_by(numbers, times, values[:, 0], 1.0, rate or fps)
    numbers = timed.positions
    for remark in timed.remarks:
        problems.warn(None, remark)
    unit = options.unit or _unit(header, numbers, problems)
    up = options.up or _up(numbers, problems)
    return tracks_of_file(named(header.names, problems), numbers, timed.frame_time_s, timed.start_time_s, unit, up)


def _unit(header: _Header, numbers: Array, problems: Problems) -> Unit:
    told = header.values.get("units", "")
    unit = unit_named(told)
    if unit is None:
        unit = guess_cloud_unit(numbers)
        problems.warn(None, f"Units is {quoted(told)}; by their size the numbers are {unit.name}")
    return unit


def _up(numbers: Array, problems: Problems) -> str:
    up = guess_cloud_up(numbers)
    problems.note(None, f"{up} is taken as up, along which the points stand" if up else "+Y is assumed to be up")
    return up or "+Y"


def _read_header(data: bytes, path: str, problems: Problems) -> _Header:
    """What stands before the rows, and where those start."""
    header = _Header()
    keys: list[str] = []
    position, line, found = 0, 0, ""
    while position < len(data) and line < _HEADER_LINES:
        stop = data.find(b"\n", position) + 1 or len(data)
        text, line = decoded(data[position:stop]).rstrip("\n"), line + 1
        cells = _cells(text)
        first = next((cell.lower() for cell in cells if cell), "")
        if keys and first:
            header.values = _by_key(keys, cells)
            keys = []
        elif "datarate" in (cell.lower() for cell in cells):
            keys = [cell.lower() for cell in cells]
        elif first.startswith("frame"):
            header.delimiter = "\t" if "\t" in text else delimiter_of(text)
            header.lead = 2 if len(cells) > 1 and cells[1].lower().startswith("time") else 1
            names = _names(cells[header.lead :])
            axes, header.start, header.line = _axes_row(data, stop, line + 1)
            header.names = _agreed(names, axes, header.number("nummarkers"), line, problems)
            if not header.names:
                raise MotionFileError(path, line, "the header names no markers")
            return header
        found = found or text.strip()
        position = stop
    raise MotionFileError(path, 1, f"this is not a TRC file: no line begins with Frame#, and it begins {quoted(found)}")


def _by_key(keys: list[str], cells: list[str]) -> dict[str, str]:
    """Values by their keys: in order where none is missing, else by column."""
    some_keys, some_cells = [key for key in keys if key], [cell for cell in cells if cell]
    in_order = len(some_keys) == len(some_cells)
    return dict(zip(some_keys, some_cells, strict=True) if in_order else zip(keys, cells, strict=False))


def _cells(text: str) -> list[str]:
    """The cells of a header line. Quotes are part of names here."""
    if "\t" in text:
        return [cell.strip() for cell in text.split("\t")]
    return cells_of(text, delimiter_of(text))


def _names(cells: list[str]) -> list[str]:
    """Marker names: one over every third column, or, where blanks were lost, one after the other."""
    if any(cell for column, cell in enumerate(cells) if column % 3):
        return [cell for cell in cells if cell]
    last = max((column for column, cell in enumerate(cells) if cell), default=-1)
    return cells[: last + 1 : 3]


def _axes_row(data: bytes, position: int, line: int) -> tuple[int, int, int]:
    """Pass over `X1 Y1 Z1 …`, if it is there. -> markers in it, position and line of what follows."""
    at, at_line = position, line
    while at < len(data):
        stop = data.find(b"\n", at) + 1 or len(data)
        cells = [cell for cell in _cells(decoded(data[at:stop]).rstrip("\n")) if cell]
        if cells:
            is_axes = all(_AXIS.match(cell) for cell in cells)
            return (len(cells) // 3, stop, at_line + 1) if is_axes else (0, position, line)
        at, at_line = stop, at_line + 1
    return 0, position, line


def _agreed(names: list[str], axes: int, claimed: float | None, line: int, problems: Problems) -> list[str]:
    """The names of as many markers as there are columns for."""
    if axes and axes != len(names):
        problems.warn(line, f"{len(names)} markers are named, and {axes} have columns; the columns count")
        names = names[:axes] + [""] * (axes - len(names))
    if claimed is not None and claimed != len(names):
        problems.warn(line, f"the file announces {claimed:g} markers and has {len(names)}; those it has count")
    return names


def writable_unit(unit: Unit, problems: Problems) -> Unit:
    """The unit itself where other programs know it by name, else millimetres."""
    if unit.name in _UNITS and unit_named(unit.name) == unit:
        return unit
    problems.note(None, f"the format has no unit {unit.name!r}; lengths are written in mm")
    return MILLIMETRE


def trc_parts(tracks: PointTracks, path: str, unit: Unit, up: str, problems: Problems) -> Iterator[bytes]:
    """The bytes of a TRC file."""
    unit = writable_unit(unit, problems)
    numbers = not_at_zero(tracks.in_text(unit, up))
    if up != (guess_cloud_up(numbers) or "+Y"):
        problems.warn(None, f"the format cannot say that {up} is up; readers have to be told")
    names = named(tracks.names, problems)
    rate, frames = f"{tracks.fps:.12g}", tracks.frames
    first = round(tracks.start_time_s * tracks.fps) + 1
    header = [
        ["PathFileType", "4", "(X/Y/Z)", *clean_names([PurePath(path).name])],
        _KEYS,
        [rate, rate, str(frames), str(len(names)), unit.name, rate, str(first), str(frames)],
        ["Frame#", "Time"] + [cell for name in names for cell in (name, "", "")],
        ["", ""] + [f"{axis}{n}" for n in range(1, len(names) + 1) for axis in "XYZ"],
        [],
    ]
    yield "".join("\t".join(cells) + "\n" for cells in header).encode()
    times = np.round(tracks.start_time_s + tracks.frame_time_s * np.arange(frames), 9)
    number = first
    for rows in rows_as_text(np.column_stack([times, numbers.reshape(frames, -1)])):
        lines = rows.replace(b"null", b"").replace(b" ", b"\t").split(b"\n")[:-1]
        yield b"".join(b"%d\t%b\n" % (n, line) for n, line in enumerate(lines, start=number))
        number += len(lines)
