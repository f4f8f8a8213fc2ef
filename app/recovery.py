"""Autosave, and what it saves after a crash.

While a document is modified its committed project is written to a folder of the user's, never by the thread of the
interface, as <id>.mwright; <id>.json beside it says whose it is. Both are removed when the work is saved or closed.
What is found there of processes that are dead are orphans: they can be restored or discarded. A process may be killed
at any moment: the note is written before the first autosave and removed after the last, and each is replaced whole.

The note also remembers what the project's own file held when work on it began. So it is seen whether that was saved
since, by whomever, without trusting clocks.
"""

import filecmp
import json
import os
import socket
import time
import uuid
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from PySide6.QtCore import QObject, QStandardPaths, QTimer, Signal

from app.processes import birth_of
from editor.document.threads import Workers
from model.files.file_state import FileState
from model.files.problems import MotionFileError
from model.files.project_archive import MOST_BYTES
from model.files.project_file import EXTENSION, Kinds, write_project
from model.files.reading import open_regular
from model.files.saving import remove_if_left_over, replacing
from model.project import Project

# What was done a minute ago is to be on the disk, the time to write it included.
AUTOSAVE_EVERY_S = 50.0
# Whether processes of other machines that share the folder live cannot be seen: after this they are taken for dead.
_ELSEWHERE_S = 24 * 3600.0
_CLOSING_S = 10.0  # so long closing waits at most for an autosave that is being written


class Recoverable(Protocol):
    """What is asked of a document."""

    modified_changed: Any  # Signal(bool)

    @property
    def committed(self) -> Project: ...

    @property
    def modified(self) -> bool: ...

    @property
    def path(self) -> Path | None: ...

    @property
    def file_state(self) -> FileState | None: ...


@dataclass(frozen=True)
class Orphan:
    """An autosave whose process is dead.

    original : the project's own file, None where it had none or is not known; state : what that held when work on it
    began; is_superseded : whether it holds something else by now, so that the autosave may be the older of the two.
    """

    id: str
    file: Path
    original: Path | None
    time_s: float  # since 1970
    state: FileState | None = None
    is_superseded: bool = False


@dataclass(frozen=True)
class _Note:
    """Whose autosave it is: the project's file, what that held, and the process that works on it."""

    original: str | None
    pid: int
    birth: str
    host: str
    state: FileState | None = None

    @property
    def is_dead(self) -> bool:
        """Whether the process is certainly dead, as far as this machine knows."""
        return self.host == socket.gethostname() and birth_of(self.pid) != self.birth


class Recovery(QObject):
    """Autosaves a document, and finds what was autosaved by those who crashed."""

    autosaved = Signal()
    failed = Signal(str)  # why an autosave could not be written; it is tried again
    _written = Signal(int, object, object)  # from the worker: the round, the project, what went wrong

    def __init__(
        self,
        document: Recoverable,
        kinds: Kinds,
        folder: Path | None = None,
        every_s: float = AUTOSAVE_EVERY_S,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._kinds = kinds
        self._folder = folder or default_folder()
        self._id = uuid.uuid4().hex
        self._round = 0  # raised whenever what was autosaved before no longer counts
        self._kept: Project | None = None  # what the autosave holds
        # One worker: what is asked for is done in order, so a removal comes after the writing it is to undo.
        self._worker = Workers(1, "autosave")
        self._is_closed = False
        self._is_writing = False
        self._is_due = False  # whether an autosave was asked for while another was written
        self._written.connect(self._on_written)
        document.modified_changed.connect(self._on_modified_changed)
        self._timer = QTimer(self)
        self._timer.setInterval(round(every_s * 1000))
        self._timer.timeout.connect(self.autosave)
        self._timer.start()

    @property
    def is_at_work(self) -> bool:
        """Whether something is still being written or removed."""
        return self._worker.is_busy

    def autosave(self) -> None:
        """Start to write the committed project unless it is saved, written or being written already."""
        project = self._document.committed
        self._is_due = self._is_writing
        if self._is_writing or not self._document.modified or project is self._kept:
            return
        note = self._note(self._document.path, self._document.file_state)
        self._is_writing = True
        self._worker.submit(partial(self._write, self._round, self._id, note, project))

    def forget(self) -> None:
        """Remove the autosave: the work is saved, or is not wanted."""
        self._round += 1
        self._kept = None
        self._worker.submit(partial(self._remove, self._id))

    def close(self) -> None:
        """End without leaving anything to be recovered. To be called before the document goes."""
        if self._is_closed:
            return
        self._is_closed = True
        self._timer.stop()
        self._document.modified_changed.disconnect(self._on_modified_changed)
        self.forget()
        self._worker.close()
        self._worker.wait(_CLOSING_S)

    def orphans(self) -> tuple[Orphan, ...]:
        """What those left behind who crashed, the newest first. Clears away what holds nothing that is not saved.

        It reads files, so it is not for the thread of the interface.
        """
        found = [orphan for file in self._files(f"*{EXTENSION}") if (orphan := self._orphan(file)) is not None]
        for file in self._files("*.json"):
            note = _read_note(file)
            if not file.with_suffix(EXTENSION).exists() and (note is None or note.is_dead):
                file.unlink(missing_ok=True)
        for file in self._files(".*.tmp"):
            remove_if_left_over(file)
        return tuple(sorted(found, key=lambda orphan: -orphan.time_s))

    def adopt(self, orphan: Orphan, as_copy: bool = False) -> None:
        """Make an orphan the autosave of this document, which goes on with what it held.

        as_copy : what it held becomes a project of its own. Raises MotionFileError where that cannot be done; it is
        then still an orphan.
        """
        own = uuid.uuid4().hex
        try:
            self._write_note(own, self._note(None) if as_copy else self._note(orphan.original, orphan.state))
            # Of two who want the same orphan, one finds it gone.
            os.rename(orphan.file, self._file(own))
        except OSError as error:
            self._remove(own)
            raise MotionFileError(str(orphan.file), None, f"cannot be restored: {error.strerror}") from error
        self._remove(orphan.id)
        self.forget()
        self._id = own

    def discard(self, orphan: Orphan) -> None:
        """Remove an orphan for good."""
        self._remove(orphan.id)

    def _orphan(self, file: Path) -> Orphan | None:
        """The orphan in a file, None where its process may live."""
        note = _read_note(file.with_suffix(".json"))
        try:
            time_s = file.stat().st_mtime
        except OSError:
            return None
        if file.stem == self._id or (note is not None and not note.is_dead and not _is_forsaken(note, time_s)):
            return None
        if note is None or note.original is None:
            return Orphan(file.stem, file, None, time_s)
        original = Path(note.original)
        if _same_bytes(file, original):
            self._remove(file.stem)  # it was saved; only the end of the autosave was missed
            return None
        return Orphan(file.stem, file, original, time_s, note.state, _is_superseded(original, note.state, time_s))

    def _note(self, original: Path | None, state: FileState | None = None) -> _Note:
        path = None if original is None else str(original.absolute())
        return _Note(path, os.getpid(), birth_of(os.getpid()) or "", socket.gethostname(), state)

    def _file(self, own: str) -> Path:
        return self._folder / f"{own}{EXTENSION}"

    def _files(self, pattern: str) -> Iterator[Path]:
        yield from sorted(self._folder.glob(pattern))

    # On the worker's thread

    def _write(self, round_: int, own: str, note: _Note, project: Project) -> None:
        error: str | None = None
        try:
            self._write_note(own, note)
            write_project(project, self._file(own), self._kinds)
        except Exception as raised:  # whatever it is: the user must know that nothing guards the work
            reason = str(raised) or type(raised).__name__
            error = f"The autosave could not be written: {reason}. Save the project to be safe."
        with suppress(RuntimeError):  # the window has been closed: nobody is left to be told
            self._written.emit(round_, project, error)

    def _write_note(self, own: str, note: _Note) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        target = self._file(own).with_suffix(".json")
        if _read_note(target) != note:
            # An autosave from before the project was saved must not be taken for what came after.
            self._file(own).unlink(missing_ok=True)
            with replacing(target) as file:
                file.write(json.dumps(asdict(note)).encode())

    def _remove(self, own: str) -> None:
        for suffix in (EXTENSION, ".json"):
            with suppress(OSError):
                self._file(own).with_suffix(suffix).unlink(missing_ok=True)

    # What comes in

    def _on_written(self, round_: int, project: Project, error: str | None) -> None:
        self._is_writing = False
        if error is not None:
            self.failed.emit(error)
        elif round_ == self._round:
            self._kept = project
            self.autosaved.emit()
        if self._is_due and not self._is_closed:
            self.autosave()

    def _on_modified_changed(self, modified: bool) -> None:
        if not modified:
            self.forget()


def default_folder() -> Path:
    """Where autosaves of this user are."""
    return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation)) / "recovery"


def _is_forsaken(note: _Note, time_s: float) -> bool:
    """Whether nobody on another machine can be meant to come back."""
    return note.host != socket.gethostname() and time.time() - time_s > _ELSEWHERE_S


def _is_superseded(original: Path, state: FileState | None, time_s: float) -> bool:
    """Whether a project's file holds something else than what it held when the work began that was autosaved.

    state : what it held then; unknown, only the times of file and autosave can tell.
    """
    try:
        with open_regular(original, MOST_BYTES) as file:
            return os.fstat(file.fileno()).st_mtime > time_s if state is None else not state.is_that_of(file)
    except (MotionFileError, OSError):
        return False  # it is gone: then nothing can be lost by saving in its place


def _same_bytes(one: Path, other: Path) -> bool:
    try:
        return filecmp.cmp(one, other, shallow=False)
    except OSError:
        return False


def _read_note(file: Path) -> _Note | None:
    """The note in a file, None where there is none that makes sense."""
    try:
        stored = json.loads(file.read_bytes())
        state = stored.pop("state", None)
        note = _Note(**stored, state=None if state is None else FileState(**state))
    except (AttributeError, OSError, TypeError, ValueError, RecursionError):
        return None
    fits = isinstance(note.original, str | None) and isinstance(note.pid, int) and isinstance(note.birth, str)
    return note if fits and isinstance(note.host, str) else None
