"""Tables of numbers in delimited text, as CSV and TRC files hold them: split, read, with gaps and repairs.

Cells are split by commas, semicolons, tabs or blanks.
"""

import csv
import math
import re
from collections.abc import Sequence

import numpy as np
import orjson

from model.arrays import Array
from model.files.numbers import LARGEST, to_number
from model.files.problems import MotionFileError, Problems, quoted
from model.tracks import clean_names, whole_points

COMMENTS = ("#", "//", "%")
_CHUNK_BYTES = 1 << 18
_GAP_WORDS = {"", "-", "--", "na", "n/a", "#n/a", "null", "none", "missing"}
_BLANKS = re.compile(rb"[ \t]+")


def plain_text(data: bytes, path: str, kind: str, problems: Problems) -> bytes:
    """The file as bytes with a line feed at each line's end, in an encoding that extends ASCII."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        problems.note(None, "the text is encoded in UTF-16")
        data = data.decode("utf-16", errors="replace").encode("utf-8")
    data = data.removeprefix(b"\xef\xbb\xbf")
    if not data or data.isspace():
        raise MotionFileError(path, None, "the file is empty")
    if b"\0" in data[:4096]:
        raise MotionFileError(path, None, f"this is not a {kind} file: it is binary, not text")
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return data


def decoded(line: bytes) -> str:
    """A line of a header as text, in UTF-8 or else in Latin-1."""
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return line.decode("latin-1")


def delimiter_of(line: str) -> str:
    """What splits the cells of a line. A comma may be a decimal point wherever something else can split."""
    outside = "".join(line.split('"')[::2])
    return next((mark for mark in "\t;," if mark in outside), " ")


def cells_of(line: str, delimiter: str) -> list[str]:
    """The cells of one line, quotes undone, blanks around them gone."""
    if delimiter == " ":
        return line.split()
    if '"' not in line:
        return [cell.strip() for cell in line.split(delimiter)]
    try:
        found = next(csv.reader([line], delimiter=delimiter, skipinitialspace=True), [])
    except csv.Error:
        found = line.replace('"', "").split(delimiter)
    return [cell.strip() for cell in found]


class TableReader:
    """Reads rows of numbers with gaps. `width` cells make a row, of which the `wanted` columns are kept.

    Chunks of the text go through a JSON parser where they are regular, cell by cell where they hold odd
    numbers or words in columns that nobody wants, and line by line, with repairs, where they are damaged.
    """

    def __init__(self, path: str, delimiter: str, width: int, wanted: Sequence[int], problems: Problems):
        self._path = path
        self._delimiter = delimiter
        self._mark = delimiter.encode()
        self._width = width
        self._wanted = list(wanted)
        self._problems = problems
        self._padding = 0  # cells that may still be made up for short rows
        kept = b"0123456789.+-eE \nnNaA"
        self._to_json = bytes(
            ord(",") if byte == self._mark[0] else ord(".") if byte == ord(",") else byte if byte in kept else ord("!")
            for byte in range(256)
        )

    def read(self, data: bytes, start: int, line: int) -> Array:
        """All rows in `data` from `start`, which is in `line`. -> (F, wanted), NaN in gaps.

        Raises MotionFileError with the line.
        """
        self._padding = 2 * len(data) + 1000  # memory follows what the file holds
        if self._delimiter != "," and data.find(b",", start) >= 0:
            self._problems.note(line, "commas in numbers are read as decimal points")
        blocks = [np.empty((0, len(self._wanted)))]
        while start < len(data):
            stop = data.find(b"\n", start + _CHUNK_BYTES) + 1 or len(data)
            chunk = data[start:stop]
            block = self._regular(chunk)
            if block is None:
                block = self._cell_by_cell(chunk)
            if block is None:
                block = self._careful(chunk, line, cut=stop == len(data) and not data.endswith(b"\n"))
            blocks.append(block)
            line += chunk.count(b"\n")
            start = stop
        values = np.concatenate(blocks)
        absurd = ~(np.abs(values) <= LARGEST) & ~np.isnan(values)
        if np.any(absurd):
            values[absurd] = np.nan
            self._problems.warn(None, f"{int(np.sum(absurd))} values are absurdly large; they are gaps")
        return values

    def _regular(self, chunk: bytes) -> Array | None:
        """The rows of text in which every line has the same number of plain numbers or empty cells."""
        text = chunk.strip(b"\n")
        if b'"' in text:
            # Every other piece lies within quotes.
            if any(self._mark in piece for piece in text.split(b'"')[1::2]):
                return None
            text = text.replace(b'"', b"")
        if self._delimiter == " ":
            text = _BLANKS.sub(b" ", text).replace(b" \n", b"\n").replace(b"\n ", b"\n").strip(b" ")
        text = text.translate(self._to_json)
        if b"n" in text or b"N" in text:
            text = text.replace(b"NaN", b"null").replace(b"nan", b"null").replace(b"NAN", b"null")
        text = b"\n" + text + b"\n"
        if b",," in text or b",\n" in text or b"\n," in text:
            for _ in range(2):  # twice, for those that share a comma
                text = text.replace(b",,", b",null,")
            text = text.replace(b"\n,", b"\nnull,").replace(b",\n", b",null\n")
        try:
            rows: list[list[float | None]] = orjson.loads(b"[[" + text[1:-1].replace(b"\n", b"],[") + b"]]")
        except orjson.JSONDecodeError:
            return None
        cells = len(rows[0])
        if cells < self._width or any(len(row) != cells for row in rows):
            return None
        try:
            values = np.array(rows, dtype=np.float64)
        except OverflowError:  # whole numbers of hundreds of digits
            return None
        return values[:, self._wanted] if np.all(np.isnan(values[:, self._width :])) else None

    def _cell_by_cell(self, chunk: bytes) -> Array | None:
        """The rows of text in which every line has all its cells and the wanted ones are numbers or empty."""
        if b'"' in chunk or b"_" in chunk:
            return None
        if self._delimiter != ",":
            chunk = chunk.replace(b",", b".")
        rows: list[list[float]] = []
        for line in chunk.split(b"\n"):
            if not line or line.isspace():
                continue
            cells = line.split(None if self._delimiter == " " else self._mark)
            if len(cells) < self._width or any(cell and not cell.isspace() for cell in cells[self._width :]):
                return None
            kept = [cells[column] for column in self._wanted]
            try:
                rows.append([math.nan if not cell or cell.isspace() else float(cell) for cell in kept])
            except ValueError:
                return None
        return np.array(rows).reshape(-1, len(self._wanted))

    def _careful(self, chunk: bytes, line: int, cut: bool) -> Array:
        """The rows of damaged text. cut : the text ends within a line, where the file ends."""
        rows: list[list[float]] = []
        lines = chunk.decode("latin-1").split("\n")
        for number, text in enumerate(lines, start=line):
            if not text.strip() or text.lstrip().startswith(COMMENTS):
                continue
            cells = cells_of(text, self._delimiter)
            if len(cells) < self._width and cut and number == line + len(lines) - 1:
                self._problems.warn(number, f"the last row has {len(cells)} of {self._width} values; it is left out")
                break
            rows.append(self._careful_row(cells, number))
        return np.array(rows).reshape(-1, len(self._wanted))

    def _careful_row(self, cells: list[str], line: int) -> list[float]:
        if len(cells) < self._width:
            self._padding -= self._width - len(cells)
            if self._padding < 0:
                reason = f"most rows have too few values; this one {len(cells)} of {self._width}"
                raise MotionFileError(self._path, line, reason)
            message = f"the row has {len(cells)} of {self._width} values; the missing ones are gaps"
            self._problems.warn(line, message, "rows with too few values")
            if self._delimiter == " ":
                cells = cells[:2]  # frame and time at most: no telling which of the others are there
        elif any(cells[self._width :]):
            message = f"the row has {len(cells)} values for {self._width} columns; the surplus is ignored"
            self._problems.warn(line, message, "rows with too many values")
        return [self._number(cells[column], line) if column < len(cells) else math.nan for column in self._wanted]

    def _number(self, cell: str, line: int) -> float:
        value = to_number(cell)
        if value is None and "," in cell and "." not in cell:
            value = to_number(cell.replace(",", "."))
        if value is not None:
            return value
        if cell.lower() in _GAP_WORDS:
            return math.nan
        raise MotionFileError(self._path, line, f"expected a number, found {quoted(cell)}")


def seen_whole(numbers: Array, problems: Problems) -> Array:
    """Points of which a coordinate is missing made gaps, in place, with a report. numbers : (F, N, 3)."""
    if broken := whole_points(numbers):
        problems.warn(None, f"{broken} times a point has only some of its coordinates; they are gaps")
    if np.all(np.isnan(numbers[..., 0])):
        problems.warn(None, "no point is seen in any frame")
    return numbers


def named(names: Sequence[str], problems: Problems) -> tuple[str, ...]:
    """Names made fit and unique, with a report of what changed."""
    clean = clean_names(names)
    for before, after in zip(names, clean, strict=True):
        if before != after:
            problems.warn(None, f"a point named {quoted(before)} is called {quoted(after)}", "points renamed")
    return clean


def body_delimiter(data: bytes, start: int, header: str, width: int) -> str:
    """The header's delimiter, unless the first row from `start` plainly uses another."""
    first = ""
    while start < len(data) and (not first.strip() or first.lstrip().startswith(COMMENTS)):
        stop = data.find(b"\n", start) + 1 or len(data)
        first, start = data[start:stop].decode("latin-1"), stop
    own = delimiter_of(first)
    return header if len(cells_of(first, header)) >= width or len(cells_of(first, own)) < width else own
