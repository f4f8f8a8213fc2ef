"""Clips read from files. The file is read once, when it is imported; what it held is kept with the project."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar, Literal

from editor.contacts.detect import find_contacts
from model.clip import Context, Source, Take
from model.files.formats import read_motion
from model.files.problems import MotionFileError, Problem, ReadOptions, read_bytes
from model.motion import Motion
from model.roles import Role

_AS_GUESSED = ReadOptions()


@dataclass(frozen=True, repr=False)
class ImportedFile(Source):
    """A motion file as it was when it was read.

    sha256 : of its bytes then; options, problems : how it was read and what had to be assumed; roles : of its joints,
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
    sha256 = _sha256(path)
    reading = read_motion(path, options)
    return ImportedFile(str(Path(path).absolute()), sha256, options, reading.problems, reading.motion)


def reloaded(source: ImportedFile) -> ImportedFile:
    """The source read again; roles set by hand stay where it still has these joints.

    Gives the source itself where the file is as it was. Raises MotionFileError where it cannot be read.
    """
    if is_stale(source) is None:
        return source
    fresh = import_file(source.path, source.options)
    same_joints = fresh.motion.skeleton.names == source.motion.skeleton.names
    return with_roles(fresh, source.roles) if source.roles is not None and same_joints else fresh


def is_stale(source: ImportedFile) -> Literal["missing", "changed"] | None:
    """Whether the file on disk is gone or holds something else by now; by its own bytes, not those it refers to."""
    try:
        return None if _sha256(source.path) == source.sha256 else "changed"
    except MotionFileError:
        return "missing"


def with_roles(source: ImportedFile, roles: Iterable[Role | str | None]) -> ImportedFile:
    """The source with what its joints are to a person set right: for each joint its role, or None."""
    given = tuple(None if role is None else Role(role) for role in roles)
    skeleton = source.motion.skeleton
    if len(given) != len(skeleton):
        raise ValueError(f"roles are {len(given)}, the skeleton has {len(skeleton)} joints")
    if given == skeleton.roles:
        return source
    return replace(source, roles=given, motion=replace(source.motion, skeleton=skeleton.with_roles(given)))


def _sha256(path: str | Path) -> str:
    return hashlib.sha256(read_bytes(path)).hexdigest()
