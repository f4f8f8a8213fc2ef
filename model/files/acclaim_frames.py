"""The frames of an AMC file: for each a number, then a line a bone with its values.

Regular frames (every one the same bones in the same order) are split once and read as a table; the first
irregular one hands over to a reader that takes a line at a time and repairs what real files do.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import compress, cycle

import numpy as np

from model.arrays import Array
from model.files.numbers import fill_unusable, plain_numbers, to_number
from model.files.problems import MotionFileError, Problems, quoted

# Text taken apart at a time: the words of a chunk take several times its size.
_CHUNK_BYTES = 1 << 17
# Values that any file may leave out; more only in proportion to its bytes. A frame of few bytes may lack very many.
_SPARE_VALUES = 1_000_000


@dataclass(frozen=True)
class Frames:
    """channels : (F, C) in the order of the columns asked for; numbers : the file's numbers of the frames."""

    channels: Array
    numbers: list[int]


class FrameReader:
    """Reads the frames of one file. `columns` gives each bone the columns of its values, in file order."""

    def __init__(self, path: str, columns: dict[str, range], problems: Problems) -> None:
        self._path = path
        self._columns = columns
        self._width = sum(len(of_bone) for of_bone in columns.values())
        self._speaking = dict.fromkeys(name for name, of_bone in columns.items() if len(of_bone))
        self._lacking = self._may_lack = 0  # values
        self._problems = problems
        self._numbers: list[int] = []

    def read(self, data: bytes, start: int) -> Frames:
        """All frames from `start` on. Raises MotionFileError with the line."""
        blocks: list[Array] = []
        self._may_lack = _SPARE_VALUES + len(data) // 2
        position = start
        template = self._template(data, start)
        if template is not None:
            position = self._read_regular(data, start, template, blocks)
        if position < len(data):
            line = data.count(b"\n", 0, position) + 1
            rest = list(self._read_careful(data[position:].decode("latin-1").rstrip().split("\n"), line))
            blocks.append(np.array(rest).reshape(-1, self._width))
        channels = np.concatenate(blocks) if blocks else np.zeros((0, self._width))
        self._mind_silent_bones(channels)
        return Frames(fill_unusable(channels, self._problems), self._numbers)

    def _template(self, data: bytes, start: int) -> list[tuple[bytes, int]] | None:
        """Bones and numbers of values in the first frame, if it is one that a regular file can be made of."""
        template: list[tuple[bytes, int]] = []
        for line in data[start : start + 100_000].split(b"\n"):
            words = line.split()
            if not words:
                continue
            if words[0].isdigit():
                if template:
                    break
                continue
            template.append((words[0], len(words) - 1))
        names = [name.decode("latin-1") for name, _ in template]
        counts = {name: count for name, (_, count) in zip(names, template, strict=True)}
        wanted = {name: len(columns) for name, columns in self._columns.items() if len(columns)}
        return template if counts == wanted and len(names) == len(counts) else None

    def _read_regular(self, data: bytes, position: int, template: list[tuple[bytes, int]], blocks: list[Array]) -> int:
        """Append blocks of frames as long as they follow the template; the position it got to."""
        is_value = [False]
        columns: list[int] = []
        name_places: list[tuple[int, bytes]] = []
        for name, count in template:
            name_places.append((len(is_value), name))
            is_value += [False] + [True] * count
            columns += self._columns[name.decode("latin-1")]
        width = len(is_value)
        first_bone = b"\n" + template[0][0] + b" "
        while position < len(data):
            stop = self._frame_start(data, position, first_bone)
            words = data[position:stop].split()
            frames, surplus = divmod(len(words), width)
            if surplus or any(words[place::width].count(name) != frames for place, name in name_places):
                break
            numbers = words[::width]
            values = plain_numbers(compress(words, cycle(is_value)))
            if values is None or len(values) != frames * self._width or not b"".join(numbers).isdigit():
                break
            block = np.empty((frames, self._width))
            block[:, columns] = np.array(values, dtype=np.float64).reshape(frames, self._width)
            blocks.append(block)
            self._numbers += [int(number[-15:]) for number in numbers]
            position = stop
        return position

    @staticmethod
    def _frame_start(data: bytes, position: int, first_bone: bytes) -> int:
        """Where the first frame a chunk behind `position` begins, or the end of the file."""
        found = data.find(first_bone, position + _CHUNK_BYTES)
        if found < 0:
            return len(data)
        return max(data.rfind(b"\n", position, found) + 1, position)

    def _read_careful(self, lines: list[str], first_line: int) -> Iterator[list[float]]:
        """The frames in `lines`, with repairs."""
        row: list[float] | None = None
        seen: set[str] = set()
        started = first_line
        for line, text in enumerate(lines, start=first_line):
            words = text.partition("#")[0].split()
            if not words:
                continue
            name = words[0]
            is_number = len(words) == 1 and name.isascii() and name.isdigit()
            if is_number or row is None or name in seen:
                if row is not None and self._is_usable(seen, started):
                    yield row
                if is_number:
                    self._numbers.append(int(name[-15:]))
                else:
                    self._problems.warn(line, f"a frame starts at {name[:40]!r} without a number", "unnumbered frames")
                    self._numbers.append(self._numbers[-1] + 1 if self._numbers else 1)
                row, seen, started = [math.nan] * self._width, set(), line
                if is_number:
                    continue
            seen.add(name)
            is_last = line == first_line + len(lines) - 1
            self._take_bone(row, name, words[1:], line, is_last)
        if row is not None:
            given = sum(not math.isnan(value) for value in row)
            if not self._speaking.keys() <= seen:
                self._problems.warn(started, f"the last frame has {given} of {self._width} values; it is left out")
                self._numbers.pop()
            else:
                yield row

    def _is_usable(self, seen: set[str], line: int) -> bool:
        """Whether a frame that has ended holds anything; what it lacks is reported."""
        if self._columns.keys().isdisjoint(seen):
            self._problems.warn(line, "the frame holds no values; it is left out", "frames without values")
            self._numbers.pop()
            return False
        # Bones that have values in other frames but none in this one.
        silent = [name for name in self._speaking if name not in seen]
        if silent:
            self._lacking += sum(len(self._columns[name]) for name in silent)
            if self._lacking > self._may_lack:
                raise MotionFileError(
                    self._path,
                    line,
                    f"most frames lack most values, this one those of {len(silent):,} bones; "
                    f"{self._may_lack:,} values may be missing",
                )
            shown = ", ".join(name[:40] for name in silent[:3]) + (" …" if len(silent) > 3 else "")
            self._problems.warn(
                line, f"the frame has no values for {shown}; interpolated", "frames without values for a bone"
            )
        return True

    def _take_bone(self, row: list[float], name: str, words: list[str], line: int, is_last: bool) -> None:
        columns = self._columns.get(name)
        if columns is None:
            self._problems.warn(line, f"the skeleton has no bone {name[:40]!r}; ignored", "values for unknown bones")
            return
        values = []
        for word in words:
            value = to_number(word)
            if value is None:
                if is_last:
                    break  # the file was cut off inside this number
                raise MotionFileError(self._path, line, f"expected a number, found {word[:40]!r}")
            values.append(value)
        if len(values) > len(columns):
            what = "has no dof" if not columns else f"has {len(columns)} dof"
            self._problems.warn(
                line, f"bone {quoted(name)} {what}, but {len(values)} values; the surplus is ignored", "surplus values"
            )
        elif len(values) < len(columns) and not is_last:
            self._problems.warn(
                line, f"bone {quoted(name)} has {len(values)} of {len(columns)} values; interpolated", "missing values"
            )
        for column, value in zip(columns, values, strict=False):
            row[column] = value

    def _mind_silent_bones(self, channels: Array) -> None:
        """Bones that no frame speaks of stay at rest, and that is said rather than interpolated."""
        for name, columns in self._columns.items():
            part = channels[:, columns.start : columns.stop]
            if part.size and np.all(np.isnan(part)):
                part[:] = 0.0
                self._problems.warn(
                    None, f"no frame has values for bone {quoted(name)}; it stays at rest", "silent bones"
                )
