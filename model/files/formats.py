"""Which module reads and writes which file."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from model.files.acclaim import read_amc, read_asf, write_amc, write_asf
from model.files.bvh import read_bvh, write_bvh
from model.files.problems import MotionFileError, Problem, Reading, ReadOptions
from model.motion import Motion
from model.units import Unit

_T = TypeVar("_T")

_READERS: dict[str, Callable[[str | Path, ReadOptions | None], Reading]] = {
    ".bvh": read_bvh,
    ".amc": read_amc,
    ".asf": read_asf,
}
_WRITERS: dict[str, Callable[[Motion, str | Path, Unit | None, str | None], tuple[Problem, ...]]] = {
    ".bvh": write_bvh,
    ".amc": write_amc,
    ".asf": write_asf,
}

READABLE = tuple(_READERS)
WRITABLE = tuple(_WRITERS)


def read_motion(path: str | Path, options: ReadOptions | None = None) -> Reading:
    """The motion in a file of any readable format, told by its extension in any case."""
    return _by_extension(_READERS, path, "read")(path, options)


def check_writable(path: str | Path) -> None:
    """Raise MotionFileError unless `path` has the extension of a format that can be written."""
    _by_extension(_WRITERS, path, "written")


def write_motion(
    motion: Motion, path: str | Path, unit: Unit | None = None, up: str | None = None
) -> tuple[Problem, ...]:
    """Write a motion in the format of the path's extension. -> what the format could not carry."""
    return _by_extension(_WRITERS, path, "written")(motion, path, unit, up)


def _by_extension(table: dict[str, _T], path: str | Path, done: str) -> _T:
    found = table.get(Path(path).suffix.lower())
    if found is None:
        suffix = Path(path).suffix
        named = f"files ending in {suffix!r} cannot be {done}" if suffix else "the file name has no extension"
        raise MotionFileError(str(path), None, f"{named}; known are {', '.join(table)}")
    return found
