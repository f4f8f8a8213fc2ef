"""Point tracks as C3D: blocks of 512 bytes, first a header, then parameters, then points as integers or floats.

Reads the three byte orders of the format (Intel, DEC, MIPS) and writes Intel floats. Analog channels are not
read. A count is believed only as far as the file is long, so that damage costs no memory. The format is
described in "The C3D File Format: A Technical User Guide" (c3d.org), to whose chapters the names refer.
"""

import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from model.arrays import Array
from model.files.numbers import LARGEST
from model.files.problems import MotionFileError, Problems, ReadOptions, quoted
from model.files.trajectories_table import decoded, named
from model.files.trajectories_trc import writable_unit
from model.tracks import (
    ASSUMED_FPS,
    PointTracks,
    guess_cloud_unit,
    guess_cloud_up,
    not_at_zero,
    tracks_of_file,
    unit_named,
    zeros_as_gaps,
)
from model.units import UP_AXES, Unit

_BLOCK = 512
_MAGIC = 0x50
_INTEL, _DEC, _MIPS = 84, 85, 86
_MOST = 65535  # a count in the header has sixteen bits
_LABELS_EACH = 255  # and the size of an array in the parameters eight
_LONGEST_LABEL = 120
_TEXT, _BYTE, _INTEGER, _FLOAT = -1, 1, 2, 4


@dataclass(frozen=True)
class _Parameter:
    """One parameter as it stands in the file: kind of value, sizes (first runs fastest), bytes."""

    kind: int
    sizes: tuple[int, ...]
    data: bytes


class _Bytes:
    """Numbers in the byte order of one file."""

    def __init__(self, data: bytes, processor: int):
        self.data = data
        self._order = ">" if processor == _MIPS else "<"
        self._dec = processor == _DEC

    def integers(self, data: bytes) -> npt.NDArray[np.int64]:
        """Signed words of sixteen bits."""
        return np.frombuffer(data, self._order + "i2").astype(np.int64)

    def floats(self, data: bytes) -> Array:
        with np.errstate(invalid="ignore"):  # damaged bytes may be signalling NaNs
            if not self._dec:
                return np.frombuffer(data, self._order + "f4").astype(np.float64)
            # A DEC float has its two words the other way round and an exponent larger by two.
            words = np.ascontiguousarray(np.frombuffer(data, "<u2").reshape(-1, 2)[:, ::-1])
            return words.view("<f4").reshape(-1).astype(np.float64) / 4.0


def parse_c3d(data: bytes, path: str, options: ReadOptions, fps: float | None, problems: Problems) -> PointTracks:
    """The tracks in the bytes of a C3D file. Raises MotionFileError and nothing else."""
    return _C3DReader(data, path, problems).tracks(options, fps)


class _C3DReader:
    """Reads one file: the header, the parameters, and with both the points."""

    def __init__(self, data: bytes, path: str, problems: Problems):
        if len(data) < _BLOCK or data[1] != _MAGIC:
            raise MotionFileError(path, None, "this is not a C3D file: it does not begin as one")
        self._path = path
        self._problems = problems
        self._parameters_at = (data[0] - 1) * _BLOCK
        if data[0] == 0 or self._parameters_at + 4 > len(data):
            raise MotionFileError(path, None, "the file ends before its parameters")
        processor = data[self._parameters_at + 3]
        if processor not in (_INTEL, _DEC, _MIPS):
            problems.warn(None, f"the file names an unknown processor ({processor}); read as Intel's")
        self._bytes = _Bytes(data, processor)
        self._header = self._bytes.integers(data[:_BLOCK]) & _MOST
        self._parameters = self._read_parameters()

    def tracks(self, options: ReadOptions, fps: float | None) -> PointTracks:
        numbers, first_frame = self._numbers()
        rate = self._float("POINT:RATE", float(self._bytes.floats(self._bytes.data[20:24])[0]))
        if not 1e-4 <= rate <= 1e5:
            assumed = fps or ASSUMED_FPS
            self._problems.warn(None, f"POINT:RATE is {rate:g}; {assumed:g} frames a second are assumed")
            rate = assumed
        # The file has 29.97 to seven digits: the shortest number that is the same there is meant.
        rate = next((short for n in range(7) if np.float32(short := round(rate, n)) == np.float32(rate)), rate)
        zeros = zeros_as_gaps(numbers)
        if zeros:
            self._problems.note(None, f"{zeros} times a point is at exactly 0 0 0: it was not seen")
        if np.all(np.isnan(numbers)):
            self._problems.warn(None, "no point is seen in any frame")
        unit = options.unit or self._unit(numbers)
        up = options.up or self._up(numbers)
        names = named(self._labels(numbers.shape[1]), self._problems)
        return tracks_of_file(names, numbers, 1.0 / rate, max(first_frame - 1, 0) / rate, unit, up)

    def _read_parameters(self) -> dict[str, _Parameter]:
        """All parameters by GROUP:NAME. A damaged one ends the list; those before it count."""
        data = self._bytes.data
        at = self._parameters_at + 4
        end = int(self._header[8] - 1) * _BLOCK
        end = min(end, len(data)) if end > at else len(data)
        groups: dict[int, str] = {}
        found: list[tuple[int, str, _Parameter]] = []
        while at + 2 <= end:
            length, group = abs(struct.unpack_from("b", data, at)[0]), struct.unpack_from("b", data, at + 1)[0]
            link = at + 2 + length
            if length == 0 or group == 0 or link + 2 > end:
                break
            name = data[at + 2 : link].decode("latin-1").upper()
            offset = int(self._bytes.integers(data[link : link + 2])[0]) & _MOST
            if group < 0:
                groups[-group] = name
            elif (parameter := self._parameter(link + 2, min(link + offset, end) if offset else end)) is not None:
                found.append((group, name, parameter))
            if offset < 2:
                break
            at = link + offset
        if not found:
            self._problems.warn(None, "the file's parameters cannot be read; its header alone counts")
        return {f"{groups.get(group, '?')}:{name}": parameter for group, name, parameter in found}

    def _parameter(self, at: int, end: int) -> _Parameter | None:
        """The parameter whose kind stands at `at`, or None where it is damaged or goes on beyond `end`."""
        data = self._bytes.data
        if at + 2 > end:
            return None
        kind, dimensions = struct.unpack_from("bB", data, at)
        sizes = tuple(data[at + 2 : at + 2 + dimensions])
        start, size = at + 2 + dimensions, abs(kind) * math.prod(sizes)
        if kind not in (_TEXT, _BYTE, _INTEGER, _FLOAT) or len(sizes) < dimensions or start + size > end:
            return None
        return _Parameter(kind, sizes, data[start : start + size])

    def _float(self, key: str, default: float) -> float:
        """The first number of a parameter of any kind."""
        values = self._numbers_of(key)
        return values[0] if values else default

    def _numbers_of(self, key: str) -> list[float]:
        parameter = self._parameters.get(key)
        if parameter is None or parameter.kind == _TEXT:
            return []
        if parameter.kind == _FLOAT:
            return [float(value) for value in self._bytes.floats(parameter.data)]
        if parameter.kind == _INTEGER:
            # Counts beyond 32767 are stored in the sign bit too.
            return [float(value & _MOST) for value in self._bytes.integers(parameter.data)]
        return [float(value) for value in parameter.data]

    def _texts(self, key: str) -> list[str]:
        parameter = self._parameters.get(key)
        if parameter is None or parameter.kind != _TEXT or not parameter.sizes:
            return []
        size = parameter.sizes[0] or 1
        pieces = (parameter.data[n : n + size] for n in range(0, len(parameter.data), size))
        return [decoded(piece.rstrip(b" \0")).strip() for piece in pieces]

    def _count(self, key: str, header: int, what: str) -> int:
        """A count that stands in the parameters and in the header; the parameters count."""
        value = self._float(key, float(header))
        if not (math.isfinite(value) and 0 <= value <= 1e9):
            value = float(header)
        if int(value) != header:
            self._problems.warn(None, f"{key} is {int(value)} and the header has {header} {what}; {key} counts")
        return int(value)

    def _numbers(self) -> tuple[Array, int]:
        """The points in the file's unit and axes. -> (F, N, 3), NaN in gaps; and the number of the first frame."""
        data = self._bytes.data
        points = self._count("POINT:USED", int(self._header[1]), "points")
        if points == 0:
            raise MotionFileError(self._path, None, "the file holds no points")
        header_scale = float(self._bytes.floats(data[12:16])[0])
        scale = self._float("POINT:SCALE", header_scale)
        if not math.isfinite(scale) or scale == 0.0:
            scale = header_scale
        if not math.isfinite(scale) or scale == 0.0:
            raise MotionFileError(self._path, None, f"POINT:SCALE is {scale:g}: it must be a number other than zero")
        analog = int(self._header[2])
        if analog:
            self._problems.note(None, "analog channels are not read")
        start = (int(self._header[8]) - 1) * _BLOCK
        if start < _BLOCK:
            raise MotionFileError(self._path, None, "the file does not say where its points are")
        size = 4 if scale < 0.0 else 2
        words = 4 * points + analog
        held = max(len(data) - start, 0) // (words * size)
        if held == 0:
            raise MotionFileError(
                self._path, None, f"the file ends before the first frame of its {points} points: it holds no motion"
            )
        first, claimed = self._frames_claimed()
        if claimed > held or claimed < 1:
            self._problems.warn(None, f"the file announces {claimed} frames and holds {held}; those it holds count")
        frames = held if claimed < 1 else min(claimed, held)
        section = data[start : start + frames * words * size]
        values = self._bytes.floats(section) if size == 4 else self._bytes.integers(section).astype(np.float64)
        rows = values.reshape(frames, words)[:, : 4 * points].reshape(frames, points, 4)
        numbers = rows[..., :3] * (scale if size == 2 else 1.0)
        numbers[rows[..., 3] < 0.0] = np.nan  # the fourth word: how well the point was seen, negative if not
        self._drop_damage(numbers)
        return numbers, first

    def _drop_damage(self, numbers: Array) -> None:
        """Points whose coordinates are no usable numbers, though marked as seen, become gaps."""
        bad = np.any(~(np.abs(numbers) <= LARGEST), axis=-1)
        damaged = int(np.sum(bad & ~np.all(np.isnan(numbers), axis=-1)))
        numbers[bad] = np.nan
        if damaged:
            self._problems.warn(None, f"{damaged} times a point's coordinates are not usable numbers; they are gaps")

    def _frames_claimed(self) -> tuple[int, int]:
        """Number of the first frame, and how many there should be. Long clips outgrow the header's sixteen bits."""
        first, last = int(self._header[3]), int(self._header[4])
        starts, ends = self._numbers_of("TRIAL:ACTUAL_START_FIELD"), self._numbers_of("TRIAL:ACTUAL_END_FIELD")
        frames = last - first + 1
        if len(starts) >= 2 and len(ends) >= 2 and all(map(math.isfinite, starts[:2] + ends[:2])):
            long_first, long_last = int(starts[0] + 65536 * starts[1]), int(ends[0] + 65536 * ends[1])
            # The low words are the header's, unless a program trimmed the clip and forgot them.
            if long_last >= long_first and (last == _MOST or long_last % 65536 == last or frames < 1):
                return long_first, long_last - long_first + 1
        told = self._float("POINT:FRAMES", float(frames))
        if (last == _MOST or frames < 1) and math.isfinite(told) and told > frames:
            frames = int(told)
        return first, frames

    def _labels(self, points: int) -> list[str]:
        """The names of the points; beyond 255 they go on in LABELS2, LABELS3 …"""
        labels = self._texts("POINT:LABELS")
        number = 2
        while len(labels) < points and (more := self._texts(f"POINT:LABELS{number}")):
            labels += more
            number += 1
        if len(labels) < points:
            self._problems.warn(None, f"{points - len(labels)} of {points} points have no label; they are numbered")
        return [label or f"point {n}" for n, label in enumerate(labels[:points], start=1)] + [
            f"point {n}" for n in range(len(labels) + 1, points + 1)
        ]

    def _unit(self, numbers: Array) -> Unit:
        told = next(iter(self._texts("POINT:UNITS")), "")
        unit = unit_named(told)
        if unit is None:
            unit = guess_cloud_unit(numbers)
            self._problems.warn(None, f"POINT:UNITS is {quoted(told)}; by their size the numbers are {unit.name}")
        return unit

    def _up(self, numbers: Array) -> str:
        """Up on the screen where the file says it, else along the points, else Z, as most laboratories have it."""
        told = next(iter(self._texts("POINT:Y_SCREEN")), "").strip().upper()
        told = told if told[:1] in ("+", "-") else "+" + told
        seen = guess_cloud_up(numbers)
        if told in UP_AXES:
            if seen not in (None, told):
                self._problems.warn(
                    None, f"POINT:Y_SCREEN says that {told} is up, though the points stand along {seen}"
                )
            return told
        if seen is None:
            self._problems.warn(None, "the file does not say which axis is up; +Z is assumed")
        else:
            self._problems.note(None, f"{seen} is taken as up, along which the points stand")
        return seen or "+Z"


def c3d_parts(tracks: PointTracks, path: str, unit: Unit, up: str, problems: Problems) -> Iterator[bytes]:
    """The bytes of a C3D file: Intel order, floats."""
    unit = writable_unit(unit, problems)
    numbers = not_at_zero(tracks.in_file(unit, up))
    frames, points = tracks.frames, len(tracks.names)
    first = tracks.start_time_s * tracks.fps + 1.0
    if abs(first - round(first)) > 1e-3 or first < 0.999:
        problems.warn(
            None, f"the clip starts at {tracks.start_time_s:g} s; the format can only start on a frame from 0 s"
        )
    first = max(round(first), 1)
    last = first + frames - 1
    if points > _MOST or last >= 1 << 32:
        raise MotionFileError(path, None, f"the format cannot hold {points} points in frames up to {last}")
    largest = float(np.max(np.abs(numbers), initial=1.0, where=~np.isnan(numbers)))
    scale = -float(np.float32(largest)) / 32000.0
    section = _parameter_section(tracks, unit, up, first, last, scale, problems)
    blocks = len(section) // _BLOCK
    if blocks > 255:
        raise MotionFileError(path, None, f"the names of {points} points are too long for the format")
    header = struct.pack(
        "<BBHHHHHfHHf", 2, _MAGIC, points, 0, min(first, _MOST), min(last, _MOST), 0, scale, 2 + blocks, 1, tracks.fps
    )
    yield header.ljust(_BLOCK, b"\0")
    yield section
    written = 0
    for start in range(0, frames, 1024):
        block = numbers[start : start + 1024]
        rows = np.zeros((len(block), points, 4), dtype="<f4")
        seen = ~np.isnan(block[..., 0])
        rows[..., :3] = np.where(seen[..., None], block, 0.0)
        rows[..., 3] = np.where(seen, 0.0, -1.0)
        yield rows.tobytes()
        written += rows.nbytes
    yield b"\0" * (-written % _BLOCK)


def _parameter_section(
    tracks: PointTracks, unit: Unit, up: str, first: int, last: int, scale: float, problems: Problems
) -> bytes:
    """The parameters, in whole blocks."""
    points = len(tracks.names)
    short = [_short(name) for name in tracks.names]
    if tuple(short) != tracks.names:
        problems.warn(None, f"names longer than {_LONGEST_LABEL} bytes are cut")
    labels = named(short, problems)
    across = {"X": "+Y", "Y": "+X", "Z": "+X"}[up[1]]
    point = [
        _integers("USED", points),
        _floats("SCALE", scale),
        _floats("RATE", tracks.fps),
        _integers("DATA_START", 0),
        _integers("FRAMES", min(tracks.frames, _MOST)),
        _texts("UNITS", [unit.name], flat=True),
        _texts("X_SCREEN", [across], flat=True),
        _texts("Y_SCREEN", [up], flat=True),
    ]
    for n, start in enumerate(range(0, points, _LABELS_EACH), start=1):
        part = list(labels[start : start + _LABELS_EACH])
        point += [
            _texts("LABELS" + (str(n) if n > 1 else ""), part),
            _texts("DESCRIPTIONS" + (str(n) if n > 1 else ""), [""] * len(part)),
        ]
    analog = [_integers("USED", 0), _floats("GEN_SCALE", 1.0), _floats("RATE", tracks.fps)]
    trial = [
        _integers("ACTUAL_START_FIELD", first & _MOST, first >> 16),
        _integers("ACTUAL_END_FIELD", last & _MOST, last >> 16),
        _floats("CAMERA_RATE", tracks.fps),
    ]
    groups = {"POINT": point, "ANALOG": analog, "FORCE_PLATFORM": [_integers("USED", 0)], "TRIAL": trial}
    body = b""
    for number, (name, parameters) in enumerate(groups.items(), start=1):
        body += struct.pack("<bb", len(name), -number) + name.encode() + struct.pack("<hB", 3, 0)
        for title, content in parameters:
            # The offset counts from itself: its two bytes, the content, and an empty description.
            body += struct.pack("<bb", len(title), number) + title.encode()
            body += struct.pack("<h", len(content) + 3) + content + b"\0"
    blocks = -(-(len(body) + 6) // _BLOCK)
    at = body.index(b"DATA_START") + len(b"DATA_START") + 4
    body = body[:at] + struct.pack("<H", min(2 + blocks, _MOST)) + body[at + 2 :]
    return (struct.pack("BBBB", 1, _MAGIC, min(blocks, 255), _INTEL) + body).ljust(blocks * _BLOCK, b"\0")


def _short(name: str) -> str:
    """A name that fits a label, cut between characters."""
    return name.encode()[:_LONGEST_LABEL].decode("utf-8", errors="ignore")


def _integers(name: str, *values: int) -> tuple[str, bytes]:
    return name, _shape(_INTEGER, values) + struct.pack(f"<{len(values)}H", *values)


def _floats(name: str, *values: float) -> tuple[str, bytes]:
    return name, _shape(_FLOAT, values) + struct.pack(f"<{len(values)}f", *values)


def _shape(kind: int, values: tuple[float, ...]) -> bytes:
    return struct.pack("bB", kind, 0) if len(values) == 1 else struct.pack("bBB", kind, 1, len(values))


def _texts(name: str, values: list[str], flat: bool = False) -> tuple[str, bytes]:
    """Texts of one length, padded with blanks. flat : a single text, without the second size."""
    encoded = [value.encode() for value in values]
    size = max(1, *map(len, encoded)) if encoded else 1
    sizes = struct.pack("bBB", _TEXT, 1, size) if flat else struct.pack("bBBB", _TEXT, 2, size, len(encoded))
    return name, sizes + b"".join(text.ljust(size) for text in encoded)
