"""Files are replaced whole or not at all, those that belong together all or none; and some are not replaced at all."""

import errno
import glob
import os
import secrets
import shutil
import stat
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from model.files.problems import MotionFileError, ProtectedFileError, WriteError

# What the user can put right by naming another output; everything else is the disk's doing.
_WRONG_NAME = frozenset(
    getattr(errno, name)
    for name in ("ENOENT", "ENOTDIR", "EISDIR", "EACCES", "EPERM", "EROFS", "ENAMETOOLONG", "ELOOP", "EINVAL")
)
# A temporary file that was not written to for so long belongs to a program that died while saving. Where the system
# tells which files are in use, it need only be old enough to have been marked as such.
_LEFT_OVER_S = 600.0
_JUST_MADE_S = 2.0


@contextmanager
def replacing(path: str | Path) -> Iterator[BinaryIO]:
    """Open a temporary file beside `path` that takes its place when the block ends well.

    Whatever interrupts the block, the old file (or none) is still there and nothing half-written
    stays behind. The data is on the disk before the name points to it. A symbolic link is followed,
    and a file that is replaced hands on its permissions. Folders, devices, pipes and
    files that nobody may write to are not replaced.
    """
    with _naming(path), _staged(path) as staged:
        yield staged.file
        staged.finish()
        staged.put_in_place()


def replace_together(contents: Sequence[tuple[str | Path, Iterable[bytes]]]) -> None:
    """Write files that are only of use together: `replacing` for each, but none takes its place unless all can.

    contents : paths, and their bytes in parts. The files are put in place in this order.
    """
    with ExitStack() as stack:
        files = []
        for path, parts in contents:
            with _naming(path):
                staged = stack.enter_context(_staged(path))
                for part in parts:
                    staged.file.write(part)
                staged.finish()
            files.append(staged)
        placed: list[_Staged] = []
        try:
            for staged in files[:-1]:
                with _naming(staged.path):
                    staged.keep_old()
                    placed.append(staged)
                    staged.put_in_place()
            with _naming(files[-1].path):
                files[-1].put_in_place()
        except BaseException:
            if not files[-1].is_in_place:  # else the interruption came when all was done
                for staged in reversed(placed):
                    staged.put_back()
            raise


def check_target(path: str | Path, sources: Iterable[str | Path] = ()) -> None:
    """Raise where a file cannot be written to `path`, so far as that can be told before it is tried.

    MotionFileError where there is a folder, a device or a pipe, or no folder to hold the file; ProtectedFileError where
    the file is one of `sources`, by whatever name or link.
    """
    with _naming(path):
        folder = Path(os.path.realpath(path)).parent
        if not stat.S_ISDIR(os.stat(folder).st_mode):
            raise MotionFileError(str(path), None, f"cannot be written: {folder} is not a folder")
        if _mode_of(Path(path)) is None:
            return
    for source in sources:
        if is_same_file(source, path):
            raise ProtectedFileError(
                str(path), None, "is one of the files that this is made from, and is not replaced: choose another name"
            )


def remove_left_by(process_id: int, path: str | Path) -> None:
    """Remove what a process that is dead by now left beside a file while it wrote it, or one of its name."""
    target = Path(os.path.realpath(path))
    with suppress(OSError):
        for other in target.parent.glob(f".{glob.escape(target.stem[:40])}*.{process_id}-*.tmp"):
            other.unlink()


def remove_left_over(path: str | Path) -> None:
    """Remove what programs that died while they replaced this file left beside it."""
    target = Path(os.path.realpath(path))
    for other in target.parent.glob(f".{glob.escape(target.name[:40])}.*.tmp"):
        remove_if_left_over(other)


def remove_if_left_over(temporary: Path) -> None:
    """Remove a temporary file of `replacing` whose program is dead."""
    with suppress(OSError):
        age_s = abs(time.time() - temporary.stat().st_mtime)  # the clock may have been set back
        if age_s > _LEFT_OVER_S or (age_s > _JUST_MADE_S and not _is_locked(temporary)):
            temporary.unlink()


def is_same_file(one: str | Path, other: str | Path) -> bool:
    """Whether two paths lead to one file that is there."""
    try:
        return os.path.samefile(one, other)
    except (OSError, ValueError):
        return False


class _Staged:
    """A file on its way: written beside its target, then put in its place."""

    def __init__(self, path: str | Path) -> None:
        self.path = path
        self._target = Path(os.path.realpath(path))
        self._mode = _mode_of(Path(path))
        self._temporary = self._beside()
        self._old: Path | None = None
        # The system takes off what the process's umask says: to ask for it would mean to change it, for all threads.
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        self.file = os.fdopen(os.open(self._temporary, flags, 0o666 if self._mode is None else 0o600), "w+b")
        _lock(self.file.fileno())

    def finish(self) -> None:
        """Bring all that was written onto the disk."""
        self.file.flush()
        os.fsync(self.file.fileno())
        self.file.close()
        if self._mode is not None:
            os.chmod(self._temporary, self._mode)

    @property
    def is_in_place(self) -> bool:
        return not self._temporary.exists()

    def put_in_place(self) -> None:
        os.replace(self._temporary, self._target)

    def keep_old(self) -> None:
        """Keep the file that is there under another name, to put it back."""
        if self._mode is not None:
            self._old = self._beside()
            try:
                os.link(self._target, self._old)
            except OSError:  # not every disk has links
                shutil.copy2(self._target, self._old)

    def put_back(self) -> None:
        """Undo `put_in_place`, whether or not it came to that."""
        with suppress(OSError):
            if self._old is not None:
                os.replace(self._old, self._target)
            elif self.is_in_place:
                self._target.unlink()

    def clear(self) -> None:
        """Remove what is left beside the target."""
        with suppress(OSError):  # what could not be written cannot be flushed either
            self.file.close()
        for path in (self._temporary, self._old):
            if path is not None:
                with suppress(OSError):
                    path.unlink(missing_ok=True)

    def _beside(self) -> Path:
        return self._target.parent / f".{self._target.name[:40]}.{os.getpid()}-{secrets.token_hex(8)}.tmp"


@contextmanager
def _staged(path: str | Path) -> Iterator[_Staged]:
    staged = _Staged(path)
    try:
        yield staged
    finally:
        staged.clear()


def _mode_of(path: Path) -> int | None:
    """The permissions of the file that is to be replaced, None where there is none."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(mode):
        raise MotionFileError(str(path), None, "cannot be written: it is a folder")
    if not stat.S_ISREG(mode):
        raise MotionFileError(str(path), None, "cannot be written: it is a device or a pipe, not a file")
    if not mode & 0o222:
        raise MotionFileError(str(path), None, "cannot be written: the file is read-only")
    return stat.S_IMODE(mode)


@contextmanager
def _naming(path: str | Path) -> Iterator[None]:
    """Turn errors of the system into ones that name the file."""
    try:
        yield
    except OSError as error:
        kind = MotionFileError if error.errno in _WRONG_NAME else WriteError
        raise kind(str(path), None, f"cannot be written: {error.strerror or error}") from error


if sys.platform == "win32":

    def _lock(handle: int) -> None:
        """Nothing to do: files that are open cannot be removed."""

    def _is_locked(path: Path) -> bool:
        return False

else:
    import fcntl

    def _lock(handle: int) -> None:
        """Show that a file is being written, for as long as this process lives and has it open."""
        with suppress(OSError):  # some disks know no locks
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _is_locked(path: Path) -> bool:
        """Whether some program has the file open to write to it, or nobody can tell."""
        with open(path, "rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except OSError:
                return True
        return False
