"""Rows of numbers as text, both ways, fast for what is regular and careful with what is not.

Regular rows (one frame a line, plain decimal numbers) go through a JSON parser, the fastest reader of
decimal text at hand; the first irregular line hands over to a reader that takes one line at a time and
repairs what real files are known to do.
"""

import math
import re
from collections.abc import Iterable, Iterator

import numpy as np
import orjson

from model.arrays import Array
from model.files.problems import MotionFileError, Problems, quoted

# Text parsed, and rows written, at a time: temporaries stay small beside the arrays.
_CHUNK_BYTES = 1 << 18
_CHUNK_ROWS = 1024

# Anything larger is damage: no body is 10^9 units away or turns 10^9 degrees.
LARGEST = 1e9

_BLANKS = bytes.maketrans(b"\t\v\f", b"   ")
_TO_BLANKS = bytes.maketrans(b",", b" ")
# Blanks become commas; what cannot stand in a number becomes something that JSON refuses.
_TO_JSON = bytes(
    byte if byte in b"0123456789.+-eE\n" else ord(",") if byte in b" \t" else ord("!") for byte in range(256)
)
_GLUED = re.compile(r"(?<=[0-9.])(?=[-+])")
# Where a file was cut off inside a number.
_CUT_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d*)?(?:[eE][-+]?)?\Z", re.ASCII)
_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eEdD][-+]?\d+)?\Z", re.ASCII)
_NOT_FINITE = re.compile(r"[-+]?(?:nan|inf|infinity|1\.#?(?:qnan|snan|ind|inf|nan)\d*|nan\(\w*\))\Z", re.I)


def to_number(token: str) -> float | None:
    """The number a token means, NaN for the ways programs write 'not a number', None if it is none."""
    if _NUMBER.match(token):
        return float(token.replace("d", "e").replace("D", "e"))
    return math.nan if _NOT_FINITE.match(token) else None


def split_glued(token: str) -> list[str]:
    """Numbers run together where a minus took the place of the blank: '0.0-7.5' is two."""
    return _GLUED.split(token)


class RowReader:
    """Reads the rows of one file. `columns` numbers make a frame."""

    def __init__(self, path: str, columns: int, first_line: int, claimed: int | None, problems: Problems):
        self._path = path
        self._columns = columns
        self._line = first_line
        self._claimed = claimed
        self._problems = problems
        self._rows = 0

    def read(self, data: bytes, start: int = 0) -> Array:
        """All frames in `data` from `start` on. -> (F, columns), finite. Raises MotionFileError with the line."""
        if data.find(b",", start) >= 0:
            data, start = self._without_commas(data[start:]), 0
        # A number takes two bytes with its blank: memory follows what can be there, not what is claimed.
        room = (len(data) - start) // (2 * self._columns) + 1
        if self._claimed is not None:
            room = min(room, self._claimed)
        values = np.empty((room, self._columns))
        position = self._read_regular(data, start, values)
        values = values[: self._rows]
        if position < len(data):
            self._line += data.count(b"\n", start, position)
            rest = list(self._read_careful(data[position:].decode("latin-1").rstrip().split("\n")))
            values = np.concatenate([values, np.array(rest).reshape(-1, self._columns)])
        return fill_unusable(values, self._problems)

    def _without_commas(self, body: bytes) -> bytes:
        """Commas as decimal points ('0,5 1,5') or as separators ('0.5, 1.5') turned into the usual."""
        lines = [line.split() for line in body[:100_000].split(b"\n")[:20] if line.strip()]
        tokens = [token for line in lines for token in line]
        decimal = all(token.count(b",") <= 1 and token[-1:] != b"," and b"." not in token for token in tokens)
        decimal = decimal and not (lines and 2 * len(lines[0]) == self._columns)  # "1,2 3,4" for four channels
        if decimal:
            self._problems.warn(self._line, "numbers are written with decimal commas; read as decimal points")
            return body.replace(b",", b".")
        self._problems.warn(self._line, "numbers are separated by commas; read as blanks")
        return body.replace(b",", b" ")

    def _read_regular(self, data: bytes, position: int, values: Array) -> int:
        """Fill `values` chunk by chunk while every line holds one frame; the position it got to."""
        tidy = [_as_it_is, _without_end_blanks, _single_blanks]
        while position < len(data):
            stop = data.find(b"\n", position + _CHUNK_BYTES) + 1 or len(data)
            chunk = data[position:stop].strip()
            if chunk:
                # The least tidying that made the last chunk readable comes first.
                while (rows := _plain_rows(tidy[0](chunk))) is None and len(tidy) > 1:
                    del tidy[0]
                if rows is None or any(len(row) != self._columns for row in rows):
                    break
                if self._rows + len(rows) > len(values):
                    break  # more frames than were announced
                values[self._rows : self._rows + len(rows)] = rows
                self._rows += len(rows)
            position = stop
        return position

    def _read_careful(self, lines: list[str]) -> Iterator[list[float]]:
        """The frames in `lines`, with repairs."""
        self._mind_row_length(lines)
        pending: list[float] = []  # a frame that goes on over several lines
        started = self._line
        for number, text in enumerate(lines, start=self._line):
            if not text.strip():
                continue
            is_last = number == self._line + len(lines) - 1
            found = self._line_numbers(text, number, is_last)
            if found is None:
                break
            if not pending:
                started = number
            elif len(pending) + len(found) > self._columns and len(found) >= self._columns:
                self._rows += 1
                yield self._padded(pending, started)
                pending, started = [], number
            pending += found
            whole = len(pending) // self._columns * self._columns
            if len(pending) > self._columns and whole != len(pending):
                self._problems.warn(
                    number,
                    f"the frame has {len(pending)} values for {self._columns} channels; the surplus is ignored",
                    "frames with too many values",
                )
                pending = pending[:whole]
            for start in range(0, whole, self._columns):
                self._rows += 1
                yield pending[start : start + self._columns]
            pending = pending[whole:]
        if pending:
            self._problems.warn(started, f"the last frame has {len(pending)} of {self._columns} values; it is left out")

    def _mind_row_length(self, lines: list[str]) -> None:
        """Raise where rows agree on a length that no frame can be made of: the file is not what its header says."""
        lengths = [len(line.split()) for line in lines[:200] if line.strip()][:8]
        length = lengths[0] if lengths else self._columns
        if len(lengths) < 3 or self._rows or any(other != length for other in lengths[:-1]):
            return
        if length % self._columns and self._columns % length:
            first = self._line + next(n for n, line in enumerate(lines) if line.strip())
            raise MotionFileError(
                self._path, first, f"the rows have {length} values each, but there are {self._columns} channels"
            )

    def _padded(self, short: list[float], line: int) -> list[float]:
        """A frame that lost values keeps its place in time; what is missing is interpolated later."""
        self._problems.warn(
            line,
            f"the frame has {len(short)} of {self._columns} values; the missing ones are interpolated",
            "frames with too few values",
        )
        return short + [math.nan] * (self._columns - len(short))

    def _line_numbers(self, text: str, line: int, is_last: bool) -> list[float] | None:
        """The numbers of one line; None where the motion has ended."""
        numbers: list[float] = []
        for token in text.split():
            value = to_number(token)
            if value is not None:
                numbers.append(value)
                continue
            pieces = [to_number(piece) for piece in split_glued(token)]
            if len(pieces) > 1 and all(piece is not None for piece in pieces):
                self._problems.warn(line, f"{quoted(token)} is read as {len(pieces)} numbers", "numbers run together")
                numbers += [piece for piece in pieces if piece is not None]
            elif is_last and len(numbers) < self._columns and _CUT_NUMBER.match(token):
                break
            elif self._claimed is not None and self._rows >= self._claimed > 0:
                self._problems.warn(line, "text after the last frame is ignored")
                return None
            else:
                raise MotionFileError(self._path, line, f"expected a number, found {quoted(token)}")
        return numbers


def fill_unusable(values: Array, problems: Problems) -> Array:
    """Values that are missing, not numbers or absurd, replaced by interpolation over time. (F, C), changed."""
    bad = ~(np.abs(values) <= LARGEST)
    if not np.any(bad):
        return values
    frames = np.arange(len(values))
    for column in np.flatnonzero(np.any(bad, axis=0)):
        good = ~bad[:, column]
        if np.any(good):
            values[:, column] = np.interp(frames, frames[good], values[good, column])
        else:
            values[:, column] = 0.0
    first = int(np.argmax(np.any(bad, axis=1)))
    problems.warn(
        None,
        f"{int(np.sum(bad))} values in {int(np.sum(np.any(bad, axis=1)))} frames, the first in frame {first} of "
        "the file, are missing or not usable numbers; interpolated from their neighbours",
    )
    return values


def _as_it_is(text: bytes) -> bytes:
    return text


def _without_end_blanks(text: bytes) -> bytes:
    return text.replace(b" \n", b"\n")


def _single_blanks(text: bytes) -> bytes:
    """The same rows with one blank between numbers, none at the ends, and no empty lines."""
    text = text.translate(_BLANKS)
    while b"  " in text:
        text = text.replace(b"  ", b" ")
    text = text.replace(b" \n", b"\n").replace(b"\n ", b"\n")
    while b"\n\n" in text:
        text = text.replace(b"\n\n", b"\n")
    return text.strip()


def _plain_rows(text: bytes) -> list[list[float]] | None:
    """The numbers of regular text, line by line, or None where it holds what JSON does not call a number."""
    try:
        rows: list[list[float]] = orjson.loads(b"[[" + text.translate(_TO_JSON).replace(b"\n", b"],[") + b"]]")
    except orjson.JSONDecodeError:
        return None
    return rows


def plain_numbers(words: Iterable[bytes]) -> list[float] | None:
    """The numbers that words mean, or None where one is not what JSON calls a number."""
    try:
        numbers: list[float] = orjson.loads(b"[" + b" ".join(words).translate(_TO_JSON) + b"]")
    except orjson.JSONDecodeError:
        return None
    return numbers


def rows_as_text(values: Array) -> Iterator[bytes]:
    """Rows of finite numbers as text, one line each, in the shortest form that reads back the same."""
    for start in range(0, len(values), _CHUNK_ROWS):
        # Adding zero turns -0 into 0.
        block = np.ascontiguousarray(values[start : start + _CHUNK_ROWS]) + 0.0
        text = orjson.dumps(block, option=orjson.OPT_SERIALIZE_NUMPY)
        yield text[2:-2].replace(b"],[", b"\n").translate(_TO_BLANKS) + b"\n"
