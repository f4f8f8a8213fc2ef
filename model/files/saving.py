"""Files are replaced whole or not at all."""

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from model.files.problems import MotionFileError


@contextmanager
def replacing(path: str | Path) -> Iterator[BinaryIO]:
    """Open a temporary file beside `path` that takes its place when the block ends well.

    Whatever interrupts the block, the old file (or none) is still there and nothing half-written
    stays behind. The data is on the disk before the name points to it. A symbolic link is followed,
    and a file that is replaced hands on its permissions.
    """
    target = Path(os.path.realpath(path))
    name = target.parent / f".{target.name[:40]}.{secrets.token_hex(8)}.tmp"
    try:
        mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
        # The system takes off what the process's umask says: to ask for it would mean to change it, for all threads.
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        handle = os.open(name, flags, 0o666 if mode is None else 0o600)
    except OSError as error:
        raise MotionFileError(str(path), None, f"cannot be written: {error.strerror}") from error
    done = False
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            os.chmod(name, mode)
        os.replace(name, target)
        done = True
    except OSError as error:
        raise MotionFileError(str(path), None, f"cannot be written: {error.strerror}") from error
    finally:
        if not done:
            os.unlink(name)
