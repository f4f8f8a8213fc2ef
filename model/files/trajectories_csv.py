"""Point tracks as delimited text: a column for each coordinate, a row for each frame, empty cells for gaps.

The header names the columns: `time` or `frame` (both optional), then for each point three columns that
end in x, y and z after its name, with or without a separator: `lx,ly,lz` is a point called `l`, `LWrist_X`,
`LWrist.x`, `LWrist:X` and `LWrist (x)` one called `LWrist`. Bare `X,Y,Z` columns take their names from the
row above. Lengths are metres and Y is up unless the columns (`lx [mm]`), a row of units below the header, or
a comment (`# unit: mm`, `# up: +Z`, `# fps: 120`) say otherwise. `time,lx,ly,lz,rx,ry,rz` is the wrists' file.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from model.arrays import Array
from model.files.numbers import rows_as_text, to_number
from model.files.problems import MotionFileError, Problems, ReadOptions, quoted
from model.files.trajectories_table import (
    COMMENTS,
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
    evenly_timed,
    guess_cloud_unit,
    guess_cloud_up,
    timed_by,
    tracks_of_file,
    unit_named,
)
from model.units import METRE, Unit, parse_up

_HEADER_LINES = 50
_TOLD = re.compile(r"\b(units?|up|fps|rate)\s{0,9}[:=]\s{0,9}([-+\w.]{1,40}(?:\sm\b)?)", re.I)
_UNIT_AT_END = re.compile(r"[\[(]\s{0,9}([a-z]{1,20})\s{0,9}[\])]\Z", re.I)
_SEPARATORS = "._:-/|"
# Words of the time column, and the seconds in one where they say it.
_TIMES = {"time": None, "t": None, "times": None, "timestamp": None, "seconds": 1.0, "sec": 1.0, "time_s": 1.0,
          "time_ms": 1e-3, "time_us": 1e-6, "time_ns": 1e-9}  # fmt: skip
_TIME_UNITS = {"s": 1.0, "sec": 1.0, "seconds": 1.0, "ms": 1e-3, "milliseconds": 1e-3, "us": 1e-6, "ns": 1e-9}
_FRAMES = {"frame", "frame#", "frames", "frame number", "frame_number", "frame index", "index", "sample", "no"}


@dataclass
class _Layout:
    """What the header says. columns : for each point those of x, y and z."""

    names: list[str] = field(default_factory=list)
    columns: list[tuple[int, int, int]] = field(default_factory=list)
    width: int = 0
    delimiter: str = ","
    time_column: int | None = None
    time_scale: float | None = None  # seconds in one; None where the header does not say
    frame_column: int | None = None
    unit: Unit | None = None
    up: str | None = None
    fps: float | None = None
    ignored: list[str] = field(default_factory=list)


def parse_csv(data: bytes, path: str, options: ReadOptions, fps: float | None, problems: Problems) -> PointTracks:
    """The tracks in the bytes of a delimited text file. Raises MotionFileError and nothing else."""
    data = plain_text(data, path, "CSV", problems)
    layout, start, line = _Header(path, problems).read(data)
    lead = [column for column in (layout.time_column, layout.frame_column) if column is not None]
    wanted = lead + [column for columns in layout.columns for column in columns]
    delimiter = body_delimiter(data, start, layout.delimiter, layout.width)
    values = TableReader(path, delimiter, layout.width, wanted, problems).read(data, start, line)
    del data
    if len(values) == 0:
        raise MotionFileError(path, line, "the file ends before the first row of numbers")
    numbers = seen_whole(values[:, len(lead) :].reshape(len(values), -1, 3), problems)
    times = values[:, 0] if layout.time_column is not None else None
    frames = values[:, len(lead) - 1] if layout.frame_column is not None else None
    timed = timed_by(numbers, times, frames, layout.time_scale, layout.fps or fps)
    numbers = timed.positions
    for remark in timed.remarks:
        problems.warn(None, remark)
    unit = options.unit or layout.unit or _unit_by_size(numbers, problems)
    up = options.up or layout.up or _up_by_shape(numbers, problems)
    return tracks_of_file(named(layout.names, problems), numbers, timed.frame_time_s, timed.start_time_s, unit, up)


def _unit_by_size(numbers: Array, problems: Problems) -> Unit:
    unit = guess_cloud_unit(numbers)
    if unit != METRE:
        problems.warn(None, f"the numbers are too large for metres; read as {unit.name}")
    return unit


def _up_by_shape(numbers: Array, problems: Problems) -> str:
    up = guess_cloud_up(numbers)
    if up is not None and up != "+Y":
        problems.warn(None, f"the points stand along {up}, which is taken as up")
    return up or "+Y"


class _Header:
    """Finds the header of a file and what it says."""

    def __init__(self, path: str, problems: Problems):
        self._path = path
        self._problems = problems
        self._layout = _Layout()

    def read(self, data: bytes) -> tuple[_Layout, int, int]:
        """The layout, and position and line of the first row after the header."""
        position, line, found = 0, 0, ""
        above: list[str] = []
        forced: str | None = None
        while position < len(data) and line < _HEADER_LINES:
            stop = data.find(b"\n", position) + 1 or len(data)
            text, line = decoded(data[position:stop]).rstrip("\n"), line + 1
            bare = text.strip().lstrip("#%/").strip()
            comment = text.lstrip().startswith(COMMENTS)
            if bare.lower() in ("sep=,", "sep=;"):
                forced = bare[4]
            elif bare:
                text = bare if comment else text
                self._layout.delimiter = forced or delimiter_of(text)
                cells = cells_of(text, self._layout.delimiter)
                if self._is_header(cells, above):
                    return self._layout, *self._units_row(data, stop, line + 1)
                self._told(bare, line)
                numbers = [to_number(cell.replace(",", ".")) for cell in cells]
                if not comment and sum(value is not None for value in numbers) >= max(3, len(cells) // 2):
                    if len(above) == len(cells):
                        break  # there is a header, and it names no whole point
                    self._without_header(len(cells), line)
                    return self._layout, position, line
                if numbers[0] is not None and len(cells) == 1 and 1.0 <= numbers[0] <= 1e5:
                    self._layout.fps = self._layout.fps or numbers[0]
                found, above = found or bare, cells
            position = stop
        raise MotionFileError(
            self._path, 1, f"expected a header with columns such as time,lx,ly,lz,rx,ry,rz, found {quoted(found)}"
        )

    def _told(self, text: str, line: int) -> None:
        """What a line before the columns says of unit, axes and rate."""
        for match in _TOLD.finditer(text[:1000]):
            what, value = match[1].lower(), match[2]
            number = to_number(value)
            if what.startswith("unit") and unit_named(value):
                self._layout.unit = unit_named(value)
            elif what in ("fps", "rate") and number is not None and 1e-4 <= number <= 1e5:
                self._layout.fps = number
            elif what == "up" and value.upper().lstrip("+-") in ("X", "Y", "Z"):
                self._layout.up = parse_up(value)
            else:
                self._problems.warn(line, f"{quoted(match[0])} is not understood", "header lines not understood")

    def _is_header(self, cells: list[str], above: list[str]) -> bool:
        """Take the columns from these cells, if they name any point."""
        layout = self._layout
        for last in (True, False):
            points, used, units = _group(cells, last)
            if points:
                break
        else:
            return False
        layout.width = len(cells)
        for column, cell in enumerate(cells):
            word, scale = _time_word(cell)
            if column in used:
                continue
            if layout.time_column is None and word in _TIMES:
                layout.time_column, layout.time_scale = column, scale
            elif layout.frame_column is None and word in _FRAMES:
                layout.frame_column = column
            elif cell:
                layout.ignored.append(cell)
        for name, columns in points:
            near = [above[n] for n in range(columns[0], max(columns[0] - 3, -1), -1) if n < len(above) and above[n]]
            layout.names.append(name or (near[0] if near else "" if len(points) > 1 else "point"))
            layout.columns.append(columns)
        layout.unit = layout.unit or (units[0] if units else None)
        if layout.ignored:
            some = ", ".join(quoted(cell) for cell in layout.ignored[:3])
            self._problems.note(None, f"{len(layout.ignored)} columns are no points and are ignored: {some}")
        return True

    def _units_row(self, data: bytes, position: int, line: int) -> tuple[int, int]:
        """Pass over a row of units below the columns, if there is one."""
        stop = data.find(b"\n", position) + 1 or len(data)
        cells = cells_of(decoded(data[position:stop]).rstrip("\n"), self._layout.delimiter)
        words = [cell.strip("[]() ") for cell in cells]
        if not any(words) or not all(not word or unit_named(word) or word.lower() in _TIME_UNITS for word in words):
            return position, line
        column, time_column = self._layout.columns[0][0], self._layout.time_column
        if column < len(words):
            self._layout.unit = self._layout.unit or unit_named(words[column])
        if time_column is not None and time_column < len(words):
            self._layout.time_scale = self._layout.time_scale or _TIME_UNITS.get(words[time_column].lower())
        return stop, line + 1

    def _without_header(self, width: int, line: int) -> None:
        """Columns by their number: time first where one is left over, frame and time where two are."""
        layout, lead = self._layout, width % 3
        layout.width = width
        layout.frame_column = 0 if lead == 2 else None
        layout.time_column = lead - 1 if lead else None
        layout.columns = [(column, column + 1, column + 2) for column in range(lead, width, 3)]
        layout.names = ["l", "r"] if len(layout.columns) == 2 else [f"point {n + 1}" for n in range(width // 3)]
        what = ("points", "time, then points", "frame, time, then points")[lead]
        self._problems.warn(line, f"the file has no header; its {width} columns are read as {what}")


def _time_word(cell: str) -> tuple[str, float | None]:
    """The word of a column and the seconds in one where it says so: 'Time (ms)' and 'time_ms' do."""
    word = cell.strip().lower()
    if match := _UNIT_AT_END.search(word):
        return word[: match.start()].rstrip(), _TIME_UNITS.get(match[1])
    return word, _TIMES.get(word)


def _axis_of(cell: str, last: bool) -> tuple[str, int, Unit | None] | None:
    """Point, axis and unit that a column's name tells, the axis standing last or first; None for other columns."""
    cell, unit = cell.strip(), None
    if (match := _UNIT_AT_END.search(cell)) and (unit := unit_named(match[1])):
        cell = cell[: match.start()].rstrip()
    elif cell[-3:].lower() in ("_mm", "_cm"):
        cell, unit = cell[:-3], unit_named(cell[-2:])
    if cell[-3:-2] in ("(", "[") and cell[-1:] in (")", "]"):
        cell = cell[:-3] + cell[-2]
    axis = "xyz".find((cell[-1:] if last else cell[:1]).lower() or "?")
    if axis < 0:
        return None
    name = cell[:-1].rstrip() if last else cell[1:].lstrip()
    if last and name.endswith(tuple(_SEPARATORS)):
        name = name[:-1].rstrip()
    return (name if last else name.lstrip(_SEPARATORS + " ")), axis, unit


def _group(cells: list[str], last: bool) -> tuple[list[tuple[str, tuple[int, int, int]]], set[int], list[Unit]]:
    """The points that have all three columns, in the order of their first; columns used; units named."""
    groups: list[tuple[str, dict[int, int]]] = []
    latest: dict[str, int] = {}
    units: list[Unit] = []
    for column, cell in enumerate(cells):
        if (told := _axis_of(cell, last)) is None:
            continue
        name, axis, unit = told
        if name not in latest or axis in groups[latest[name]][1]:
            latest[name] = len(groups)
            groups.append((name, {}))
        groups[latest[name]][1][axis] = column
        units += [unit] if unit else []
    points = [(name, (axes[0], axes[1], axes[2])) for name, axes in groups if len(axes) == 3]
    return points, {column for _, columns in points for column in columns}, units


def csv_parts(tracks: PointTracks, path: str, unit: Unit, up: str, problems: Problems) -> Iterator[bytes]:
    """The bytes of a CSV file. It states only what a reader would not assume."""
    numbers = tracks.in_text(unit, up)
    if unit != METRE or np.any(np.abs(numbers) > 40.0):
        yield f"# unit: {unit.name if unit_named(unit.name) == unit else f'{unit.metres!r} m'}\n".encode()
    if up != "+Y" or len(tracks.names) >= 10:
        yield f"# up: {up}\n".encode()
    times = np.round(tracks.start_time_s + tracks.frame_time_s * np.arange(tracks.frames), 9)
    timed = evenly_timed(times, numbers)
    if timed is None or tracks.frame_time_s >= 1.0 or abs(timed.frame_time_s * tracks.fps - 1.0) > 1e-9:
        yield f"# fps: {tracks.fps!r}\n".encode()
    names = named(tracks.names, problems)
    mark = "" if names == ("l", "r") else "_"
    yield ",".join(["time"] + [_quoted(name + mark + axis) for name in names for axis in "xyz"]).encode() + b"\n"
    for rows in rows_as_text(np.column_stack([times, numbers.reshape(tracks.frames, -1)])):
        yield rows.replace(b"null", b"").replace(b" ", b",")


def _quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"' if any(mark in cell for mark in ',;"') else cell
