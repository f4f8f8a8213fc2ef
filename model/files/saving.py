"""Files are replaced whole or not at all."""

import os
import tempfile
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
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name[:40]}.", suffix=".tmp", dir=target.parent)
    except OSError as error:
        raise MotionFileError(str(path), None, f"cannot be written: {error.strerror}") from error
    done = False
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, target.stat().st_mode if target.exists() else 0o666 & ~_umask())
        os.replace(name, target)
        done = True
    except OSError as error:
        raise MotionFileError(str(path), None, f"cannot be written: {error.strerror}") from error
    finally:
        if not done:
            os.unlink(name)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
