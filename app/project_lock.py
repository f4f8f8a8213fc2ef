"""The lock of a project: a small file beside it that says who has it open."""

import os
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QLockFile


@dataclass(frozen=True)
class Holder:
    """Who has a project open."""

    pid: int
    host: str
    application: str

    @property
    def is_this_process(self) -> bool:
        return self.pid == os.getpid()

    def __str__(self) -> str:
        return f"{self.application or 'a program'} (process {self.pid} on {self.host or 'this machine'})"


class ProjectLock:
    """Keeps others from opening a project unawares. Locks of processes that died on this machine are taken over.

    held : whether it is ours; holder : who has it otherwise, as far as it is known; note : why there is no lock at all.
    """

    def __init__(self, path: str | Path) -> None:
        target = Path(os.path.realpath(path))
        self._name = target.name
        self._file = QLockFile(str(target.with_name(f".{target.name}.lock")))
        # However long a project stays open, its lock does not get old.
        self._file.setStaleLockTime(0)
        self.holder: Holder | None = None
        self.note: str | None = None
        self._try()

    @property
    def held(self) -> bool:
        return self._file.isLocked()

    @property
    def is_open_elsewhere(self) -> bool:
        """Whether somebody else has the project open."""
        return not self.held and self.note is None

    @property
    def message(self) -> str | None:
        """What to tell the user, if anything."""
        if self.is_open_elsewhere:
            return f"{self._name} is already open in {self.holder or 'another program'}"
        return self.note

    def take_over(self) -> None:
        """Lock although somebody else does: the user knows better, such as that the other machine is off."""
        if not self.held:
            Path(self._file.fileName()).unlink(missing_ok=True)
            self._try()

    def release(self) -> None:
        """Let others have the project. Does nothing where the lock is not ours."""
        if self.held:
            self._file.unlock()

    def _try(self) -> None:
        self.holder = self.note = None
        if self._file.tryLock(0):
            return
        if self._file.error() == QLockFile.LockError.LockFailedError:
            pid, host, application = self._file.getLockInfo()
            self.holder = Holder(pid, host, application) if pid else None
        else:
            self.note = f"{self._name} cannot be locked in its folder: nobody is warned who opens it too"
