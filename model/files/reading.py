"""The one way in which bytes of files come in: from regular files only, and no more of them than a stated limit.

A path may come from a project or from another file, so it can name anything: a pipe that never answers, a device that
never ends. Such things are not opened at all.
"""

import os
import stat
from pathlib import Path
from typing import BinaryIO

from model.files.problems import MotionFileError

# Of a file that is read whole: an hour of 60 joints at 120 frames a second is a fifth of it as text.
MOST_BYTES = 2 << 30


def open_regular(path: str | Path, most_bytes: int = MOST_BYTES) -> BinaryIO:
    """A file opened for reading; MotionFileError where it is not there, not regular, or larger than `most_bytes`."""
    try:
        _require_regular(path, os.stat(path), most_bytes)
        # Without waiting, for between the two looks a pipe may have taken the file's place.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        file = os.fdopen(handle, "rb")
        try:
            _require_regular(path, os.fstat(handle), most_bytes)
        except MotionFileError:
            file.close()
            raise
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise MotionFileError(str(path), None, f"cannot be read: {reason}") from error
    return file


def read_bytes(path: str | Path, most_bytes: int = MOST_BYTES) -> bytes:
    """All bytes of a regular file, as many as it has when it is opened; MotionFileError where it cannot be read."""
    with open_regular(path, most_bytes) as file:
        try:
            return file.read(os.fstat(file.fileno()).st_size)
        except OSError as error:
            raise MotionFileError(str(path), None, f"cannot be read: {error.strerror}") from error


def file_beside(path: str | Path, name: str) -> Path:
    """The file in the folder of the file at `path`, or below it, that it names. Raises ValueError for any other."""
    folder = Path(path).parent.resolve()
    elsewhere = ValueError("only files beside the one that names them are read")
    if ":" in name.split("/")[0] or "://" in name or "\\" in name or "\0" in name:
        raise elsewhere
    try:
        target = (folder / name).resolve()
    except (OSError, RuntimeError) as error:  # links in a circle, names that are too long
        raise ValueError("it cannot be found") from error
    if not target.is_relative_to(folder) or target == folder:
        raise elsewhere
    return target


def _require_regular(path: str | Path, state: os.stat_result, most_bytes: int) -> None:
    if stat.S_ISDIR(state.st_mode):
        raise MotionFileError(str(path), None, "cannot be read: it is a folder")
    if not stat.S_ISREG(state.st_mode):
        raise MotionFileError(str(path), None, "cannot be read: it is a device or a pipe, not a file")
    if state.st_size > most_bytes:
        limit = f"{most_bytes / (1 << 20):,.0f} MB"
        raise MotionFileError(str(path), None, f"cannot be read: it has {state.st_size:,} bytes, the limit is {limit}")
