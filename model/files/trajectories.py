"""Named point tracks in files: CSV, TRC (Motion Analysis, OpenSim) and C3D, told by the extension.

Owns opening and replacing the files and what the formats share; each format has its own module.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from model.files.problems import MotionFileError, Problem, Problems, ReadOptions
from model.files.reading import read_bytes
from model.files.saving import replacing
from model.files.trajectories_c3d import c3d_parts, parse_c3d
from model.files.trajectories_csv import csv_parts, parse_csv
from model.files.trajectories_trc import parse_trc, trc_parts
from model.tracks import PointTracks
from model.units import UP_AXES, Unit

_Parser = Callable[[bytes, str, ReadOptions, float | None, Problems], PointTracks]
_Composer = Callable[[PointTracks, str, Unit, str, Problems], Iterable[bytes]]

_PARSERS: dict[str, _Parser] = {".csv": parse_csv, ".trc": parse_trc, ".c3d": parse_c3d}
_COMPOSERS: dict[str, _Composer] = {".csv": csv_parts, ".trc": trc_parts, ".c3d": c3d_parts}

READABLE = tuple(_PARSERS)
WRITABLE = tuple(_COMPOSERS)


@dataclass(frozen=True, eq=False)
class TracksReading:
    """Tracks and what had to be assumed or repaired to get them."""

    tracks: PointTracks
    problems: tuple[Problem, ...]


def read_tracks(path: str | Path, options: ReadOptions | None = None) -> TracksReading:
    """The point tracks in a file, with what had to be assumed or repaired.

    The rate in `options` is for files that state none; 30 frames a second are assumed without it. Raises
    MotionFileError for what cannot be read, and no other exception, whatever the file holds.
    """
    _known(path, READABLE, "read")
    return parse_tracks(read_bytes(path), str(path), options)


def parse_tracks(data: bytes, path: str, options: ReadOptions | None = None) -> TracksReading:
    """The point tracks in the bytes of a file; `path` tells the format and is for messages. See `read_tracks`."""
    options = options or ReadOptions()
    fps = None if options.frame_time_s is None else 1.0 / options.frame_time_s
    parser = _PARSERS[_known(path, READABLE, "read")]
    if not data:
        raise MotionFileError(path, None, "the file is empty")
    problems = Problems()
    tracks = parser(data, path, options, fps, problems)
    return TracksReading(tracks, problems.all())


def write_tracks(
    tracks: PointTracks, path: str | Path, unit: Unit | None = None, up: str | None = None
) -> tuple[Problem, ...]:
    """Write tracks in the format of the path's extension, in their file's unit and axes unless told others.

    -> what the format could not carry. Raises MotionFileError where the file cannot be written.
    """
    composer = _COMPOSERS[_known(path, WRITABLE, "written")]
    up = up or tracks.up
    if up not in UP_AXES:
        raise ValueError(f"up is {up!r}; it must be one of {', '.join(UP_AXES)}")
    if tracks.frames == 0 or not tracks.names:
        raise ValueError("tracks holds nothing to write: it has no frames or no points")
    problems = Problems()
    with replacing(path) as file:
        for part in composer(tracks, str(path), unit or tracks.unit, up, problems):
            file.write(part)
    return problems.all()


def _known(path: str | Path, known: tuple[str, ...], done: str) -> str:
    """The extension of `path` in lower case; MotionFileError unless it is a known one."""
    suffix = Path(path).suffix
    if suffix.lower() not in known:
        named = f"files ending in {suffix!r} cannot be {done}" if suffix else "the file name has no extension"
        raise MotionFileError(str(path), None, f"{named}; known are {', '.join(known)}")
    return suffix.lower()
