"""Clips read from files. The file is read once, when it is imported; what it held is kept with the project."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO, ClassVar

from editor.contacts.detect import find_contacts
from model.clip import Context, Source, Take
from model.files.file_state import FileState
from model.files.formats import read_motion
from model.files.problems import MotionFileError, Problem, ReadOptions
from model.files.reading import open_regular
from model.files.remote import names_server
from model.motion import Motion
from model.roles import Role

_AS_GUESSED = ReadOptions()
# No more is read of a file only to see whether it changed, unless the user asks for it.
_UNASKED_BYTES = 64 << 20


class Staleness(StrEnum):
    """How a file on disk is other than what was read from it; unchecked : nobody may look before the user says so."""

    CHANGED = "changed"
    MISSING = "missing"
    UNCHECKED = "unchecked"


@dataclass(frozen=True, repr=False)
class ImportedFile(Source):
    """A motion file as it was when it was read.

    sha256, size, modified_ns : of its bytes then, how many they were, and the file's time (None where an older version
    read it); options, problems : how it was read and what had to be assumed; roles : of its joints,
    where the user set them right. Printed, it is the call that reads the file again.
    """

    kind: ClassVar[str] = "imported_file"
    title: ClassVar[str] = "Imported file"

    path: str
    sha256: str
    options: ReadOptions
    problems: tuple[Problem, ...]
    motion: Motion
    roles: tuple[Role | None, ...] | None = None
    size: int | None = None
    modified_ns: int | None = None

    def make(self, context: Context) -> Take:
        return Take(self.motion, find_contacts(self.motion, hands=True))

    def __repr__(self) -> str:
        options = "" if self.options == _AS_GUESSED else f", {self.options!r}"
        call = f"import_file({self.path!r}{options})"
        if self.roles is None:
            return call
        return f"with_roles({call}, {tuple(role and str(role) for role in self.roles)!r})"


def import_file(path: str | Path, options: ReadOptions = _AS_GUESSED) -> ImportedFile:
    """Read a motion file. Raises MotionFileError where that cannot be done."""
    with _opened(path) as file:
        state = FileState.of(file)
    reading = read_motion(path, options)
    return ImportedFile(
        str(Path(path).absolute()),
        state.sha256,
        options,
        reading.problems,
        reading.motion,
        size=state.size,
        modified_ns=state.modified_ns,
    )


def reloaded(source: ImportedFile) -> ImportedFile:
    """The source read again; roles set by hand stay where it still has these joints.

    Gives the source itself where the file is as it was. Raises MotionFileError where it cannot be read.
    """
    if is_stale(source) is None:
        return source
    fresh = import_file(source.path, source.options)
    same_joints = fresh.motion.skeleton.names == source.motion.skeleton.names
    return with_roles(fresh, source.roles) if source.roles is not None and same_joints else fresh


def is_stale(source: ImportedFile, unasked: bool = False) -> Staleness | None:
    """Whether the file on disk is gone or holds something else by now; by its own bytes, not those it refers to.

    unasked : whether nobody asked. Then no other machine is spoken to, and no large file read, for a project may name
    any file; where that would be needed the answer is `unchecked`.
    """
    if unasked and names_server(source.path):
        return Staleness.UNCHECKED
    try:
        with _opened(source.path) as file:
            same = _as_read(source).seems_that_of(file) if source.size is not None else None
            if same is None and unasked and os.fstat(file.fileno()).st_size > _UNASKED_BYTES:
                return Staleness.UNCHECKED
            if same is None:
                same = FileState.of(file).sha256 == source.sha256
        return None if same else Staleness.CHANGED
    except MotionFileError:
        return Staleness.MISSING


def with_roles(source: ImportedFile, roles: Iterable[Role | str | None]) -> ImportedFile:
    """The source with what its joints are to a person set right: for each joint its role, or None."""
    given = tuple(None if role is None else Role(role) for role in roles)
    skeleton = source.motion.skeleton
    if len(given) != len(skeleton):
        raise ValueError(f"roles are {len(given)}, the skeleton has {len(skeleton)} joints")
    if given == skeleton.roles:
        return source
    return replace(source, roles=given, motion=replace(source.motion, skeleton=skeleton.with_roles(given)))


def _as_read(source: ImportedFile) -> FileState:
    return FileState(source.size or 0, source.modified_ns or 0, source.sha256)


@contextmanager
def _opened(path: str | Path) -> Iterator[BinaryIO]:
    """A file to read from. Raises MotionFileError, also where that fails later."""
    with open_regular(path) as file:
        try:
            yield file
        except OSError as error:
            raise MotionFileError(str(path), None, f"cannot be read: {error.strerror}") from error
