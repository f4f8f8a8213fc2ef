"""The project file, `.mwright`: a zip of one JSON text and arrays, whole or not at all.

The JSON tells what the file is, its version, and the clips with their sources and edits, which are stored as
`plain_values` says through a table of kinds that the editor supplies. What is of an unknown kind, or cannot be read
although its numbers are there, is kept as it stands, without effect. What is damaged is left out and told; the rest
opens. No bytes, whatever they are, raise anything but MotionFileError.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from model.clip import Clip, Edit, Layer, Source, Unknown
from model.files.acclaim import AcclaimDetail
from model.files.file_state import FileState
from model.files.plain_values import Forms, Json, LostArrayError, MisfitError, shortened, shown
from model.files.problems import MotionFileError, Problem, Problems
from model.files.project_archive import MOST_BYTES, Archive, DamagedEntryError, Part, open_archive, write_archive
from model.files.project_arrays import ArrayPack, ArrayShelf, is_entry_name
from model.files.project_checks import check_acclaim, check_motion, check_skeleton
from model.files.project_upgrades import VERSION, upgraded
from model.files.reading import open_regular
from model.files.saving import remove_left_over, replacing
from model.motion import Motion
from model.project import Project
from model.skeleton import Skeleton

EXTENSION = ".mwright"

_FORMAT = "motionwright project"
_JSON = "project.json"
_HEAD = ("format", "version")
_MOST_CLIPS = 100_000
_MOST_EDITS = 10_000  # of one clip
# Clips and edits that any file may have, together; more only in proportion to its text, in which each takes more bytes.
_SPARE_PARTS = 1_000
_FEWEST_BYTES = 50
# How deep in the JSON of a file an edit stands: in the project, its clips, a clip, its edits, an edit.
_LEVELS_ABOVE = 5
_LARGEST_ID = 10**15
_UPGRADE_FAULTS = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)

# What the readers of motion files may hang on a motion's origin.
_DETAILS = (AcclaimDetail,)
_FORMS = Forms(_DETAILS, {Motion: check_motion, Skeleton: check_skeleton, AcclaimDetail: check_acclaim})


@dataclass(frozen=True, eq=False)
class Kinds:
    """The sources and edits that a project may hold, by the names they have in files."""

    sources: Mapping[str, type[Source]]
    edits: Mapping[str, type[Edit]]


@dataclass(frozen=True, eq=False)
class ProjectReading:
    """A project and what is to be said about its file. losses : what it held and could not be read, in words; state :
    the file as it was read.
    """

    project: Project
    problems: tuple[Problem, ...]
    losses: tuple[str, ...]
    state: FileState

    @property
    def is_whole(self) -> bool:
        """Whether nothing that the file held was lost."""
        return not self.losses


class ChangedFileError(MotionFileError):
    """A project file that is not to be replaced, for it holds something else than what was expected."""


def check_kinds(kinds: Kinds) -> None:
    """Raise TypeError naming a field of a source or edit that cannot be stored."""
    for table in (kinds.sources, kinds.edits):
        for kind, cls in table.items():
            if cls.kind != kind:
                raise TypeError(f"{cls.__name__} is called {cls.kind!r} and listed as {kind!r}")
            _FORMS.record(cls)


def write_project(project: Project, path: str | Path, kinds: Kinds, expected: FileState | None = None) -> FileState:
    """Write a project. -> the file as it was written.

    Raises MotionFileError where it cannot be written, and ChangedFileError where there is a file that is not as
    `expected`; the old one is then still there.
    """
    arrays = ArrayPack()
    root = {
        "format": _FORMAT,
        "version": VERSION,
        **_FORMS.record(Project).encode(project, arrays, leave=("clips",)),
        "clips": [_stored_clip(clip, arrays, kinds) for clip in project.clips],
    }
    text = orjson.dumps(root)
    remove_left_over(path)
    with replacing(path) as file:
        write_archive(file, _parts(text, arrays))
        file.flush()
        state = FileState.of(file)
        # Last of all, for others may save while we write.
        if expected is not None and Path(path).exists() and not _is_as(expected, path):
            raise ChangedFileError(str(path), None, "was changed by another program")
    return state


def _is_as(expected: FileState, path: str | Path) -> bool:
    try:
        with open_regular(path, MOST_BYTES) as file:
            return expected.is_that_of(file)
    except MotionFileError:
        return False


def _parts(text: bytes, arrays: ArrayPack) -> Iterator[Part]:
    yield _JSON, len(text), (text,)
    yield from arrays.parts()


def _stored_clip(clip: Clip, arrays: ArrayPack, kinds: Kinds) -> Json:
    return {
        **_FORMS.record(Clip).encode(clip, arrays, leave=("source", "layers")),
        "source": _stored_part(clip.source, arrays, kinds.sources),
        "layers": [
            {
                **_FORMS.record(Layer).encode(layer, arrays, leave=("edit",)),
                "edit": _stored_part(layer.edit, arrays, kinds.edits),
            }
            for layer in clip.layers
        ],
    }


def _stored_part(part: Source | Edit | Unknown, arrays: ArrayPack, table: Mapping[str, type]) -> Json:
    """A source or edit with its kind; one that is unknown as it stood in its file."""
    if isinstance(part, Unknown):
        return arrays.outlined(orjson.loads(part.data))
    if table.get(part.kind) is not type(part):
        raise ValueError(f"kinds: {type(part).__name__} is not among them, so nobody could read it again")
    return {"kind": part.kind, **_FORMS.record(type(part)).encode(part, arrays)}


def read_project(path: str | Path, kinds: Kinds) -> ProjectReading:
    """The project in a file. Raises MotionFileError where nothing of it can be had, and no other exception."""
    problems = Problems()
    # Checking absurd numbers may overflow; what comes of it is refused, and nobody needs to read about it.
    with open_archive(path, problems) as archive, np.errstate(all="ignore"):
        reader = _Reader(archive, kinds, problems)
        for name in archive.names:
            if name != _JSON and not is_entry_name(name):
                problems.warn(None, f"{shortened(name)!r} is no part of a project; not used", "parts not used")
        project = reader.project(reader.root(str(path)))
        return ProjectReading(project, problems.all(), tuple(reader.losses), archive.state)


class _Reader:
    """Reads the parts of one file, and remembers what was lost."""

    def __init__(self, archive: Archive, kinds: Kinds, problems: Problems) -> None:
        self._archive = archive
        self._kinds = kinds
        self._problems = problems
        self._shelf = ArrayShelf(archive, problems)
        self._sources: dict[str, Source | Unknown] = {}
        self._unknowns: dict[str, Unknown] = {}
        self._next_id = 1
        self._clip_ids: set[str] = set()
        self._parts_left = _SPARE_PARTS
        self.losses: list[str] = []

    def root(self, path: str) -> dict[str, Json]:
        """The JSON of the file, as this version would have written it."""

        def refusal(message: str) -> MotionFileError:
            return MotionFileError(path, None, message)

        try:
            text = self._archive.read(_JSON)
        except DamagedEntryError as error:
            if not error.data:
                raise refusal(f"this is not a project file, or it is damaged: {_JSON}: {error}") from error
            text = error.data
            self._lose("the description of the clips is damaged; some of their values may be wrong")
        self._parts_left = max(_SPARE_PARTS, len(text) // _FEWEST_BYTES)
        try:
            root = orjson.loads(text)
        except orjson.JSONDecodeError as error:
            raise refusal(f"{_JSON} is damaged: {shortened(str(error), 100)}") from error
        if not isinstance(root, dict) or root.get("format") != _FORMAT:
            raise refusal("this is not a Motionwright project")
        version = root.get("version")
        if type(version) is not int or version < 1:
            raise refusal(f"the version of the project is {shown(version)}, which never was")
        if version > VERSION:
            raise refusal(
                f"a newer Motionwright saved this project (file version {version}; this one reads up to {VERSION})"
            )
        try:
            return upgraded(root, version)
        except _UPGRADE_FAULTS as error:
            raise refusal(f"the project of file version {version} is damaged and cannot be read") from error

    def project(self, root: dict[str, Json]) -> Project:
        """The project, without what cannot be had."""
        listed = root.get("clips", [])
        if not isinstance(listed, list):
            listed = []
            self._lose("the list of clips is damaged")
        listed = self._as_many_as_allowed(listed, _MOST_CLIPS, "the project", "clips")
        values = self._values(Project, root, (*_HEAD, "clips"), "the project")
        self._next_id = self._first_free_id(values.pop("next_id", 1), listed)
        clips = tuple(clip for n, stored in enumerate(listed, 1) if (clip := self._clip(stored, n)) is not None)
        return Project(clips=clips, next_id=self._next_id, **values)

    def _clip(self, stored: Json, number: int) -> Clip | None:
        """A clip, None (told) where its source is lost."""
        where = f"clip {number}"
        if not isinstance(stored, dict):
            self._lose(f"{where} is left out: {shown(stored)} is no clip", "clips that are none")
            return None
        values = self._values(Clip, stored, ("source", "layers"), where)
        name = values.setdefault("name", where)
        where = f"clip {shortened(name)!r}"
        try:
            source = self._source(stored.get("source"), where)
        except (MisfitError, RecursionError) as error:
            self._lose(f"{where} is left out: {_reason(error)}", "clips left out")
            return None
        values["id"] = self._own_id(values.get("id"), self._clip_ids, where)
        ids: set[str] = set()
        values["markers"] = tuple(
            replace(marker, id=self._own_id(marker.id, ids, f"{where}, marker {n}"))
            for n, marker in enumerate(values.get("markers", ()), 1)
        )
        return Clip(source=source, layers=self._layers(stored.get("layers", []), where), **values)

    def _layers(self, listed: Json, where: str) -> tuple[Layer, ...]:
        """The edits of a clip, without those that cannot be had."""
        if not isinstance(listed, list):
            self._lose(f"{where} has lost its edits", "clips without their edits")
            return ()
        listed = self._as_many_as_allowed(listed, _MOST_EDITS, where, "edits")
        ids: set[str] = set()
        read = (self._layer(stored, ids, f"{where}, edit {n}") for n, stored in enumerate(listed, 1))
        return tuple(layer for layer in read if layer is not None)

    def _as_many_as_allowed(self, listed: list[Json], most: int, where: str, what: str) -> list[Json]:
        """The first clips or edits of a list that is far too long, told; all of others."""
        most = min(most, self._parts_left)
        if len(listed) > most:
            self._lose(f"{where} claims to have {len(listed):,} {what}; only {most:,} are read", f"too many {what}")
        self._parts_left -= min(len(listed), most)
        return listed[:most]

    def _source(self, stored: Json, where: str) -> Source | Unknown:
        """A source; clips whose sources say the same share one. Raises MisfitError where its numbers are lost."""
        text = _text(stored)
        if text not in self._sources:
            self._sources[text] = self._part(stored, self._kinds.sources, where)
        return self._sources[text]

    def _layer(self, stored: Json, ids: set[str], where: str) -> Layer | None:
        """An edit in its place, None (told) where it is lost. ids : those of the clip's edits so far."""
        if not isinstance(stored, dict):
            self._lose(f"{where} is left out: {shown(stored)} is no edit", "edits left out")
            return None
        try:
            edit = self._part(stored.get("edit"), self._kinds.edits, where)
        except (MisfitError, RecursionError) as error:
            self._lose(f"{where} is left out: {_reason(error)}", "edits left out")
            return None
        values, misfits = _FORMS.record(Layer).decode_fields(stored, self._shelf, ("edit",))
        values["id"] = self._own_id(values.get("id"), ids, where)
        try:
            if misfits:
                raise misfits[0]
            return Layer(edit=edit, **values)
        except ValueError as error:
            # With another scope it would do what nobody asked for.
            self._lose(f"{where} is switched off: {shortened(str(error), 120)}", "edits switched off")
            return Layer(values["id"], edit, on=False)

    def _part(self, stored: Json, table: Mapping[str, type], where: str) -> Any:
        """A source or edit, or what stands in its place. Raises MisfitError where its numbers are lost."""
        kind = stored.get("kind") if isinstance(stored, dict) else None
        try:
            if not isinstance(kind, str):
                raise MisfitError("it does not say what it is")
            if kind not in table:
                raise MisfitError("this version does not know it")
            fields = {name: value for name, value in stored.items() if name != "kind"}
            return _FORMS.record(table[kind]).decode(fields, self._shelf)
        except LostArrayError:
            raise
        except (MisfitError, RecursionError) as error:
            kind = kind if isinstance(kind, str) else "damaged"
            message = f"{where}: {shortened(kind)!r} has no effect, but is kept: {_reason(error)}"
            self._problems.warn(None, message, "parts without effect")
        return self._unknown(kind, stored)

    def _unknown(self, kind: str, stored: Json) -> Unknown:
        """A part as it stands in the file, with its arrays; those that say the same are one."""
        text = _text(stored)
        if text not in self._unknowns:
            # It must be savable again, which depends on how deep it stands in the file.
            nested = self._shelf.inlined(stored)
            for _ in range(_LEVELS_ABOVE):
                nested = [nested]
            self._unknowns[text] = Unknown(kind, _text(nested)[_LEVELS_ABOVE:-_LEVELS_ABOVE])
        return self._unknowns[text]

    def _values(self, cls: type, stored: dict[str, Json], leave: Collection[str], where: str) -> dict[str, Any]:
        """The plain fields of a record; those that cannot be read are left to their defaults, and told."""
        values, misfits = _FORMS.record(cls).decode_fields(stored, self._shelf, leave)
        for misfit in misfits:
            self._lose(f"{where}: {misfit}; not used", "values that cannot be read")
        return values

    def _first_free_id(self, claimed: int, listed: list[Json]) -> int:
        """A number that no part has for an id: the one that the file claims is free, unless it is not."""
        clips = [clip for clip in listed if isinstance(clip, dict)]
        layers = [layer for clip in clips for layer in _as_list(clip.get("layers")) if isinstance(layer, dict)]
        markers = [marker for clip in clips for marker in _as_list(clip.get("markers")) if isinstance(marker, dict)]
        ids = [part.get("id") for part in (*clips, *layers, *markers)]
        taken = [int(name) for name in ids if isinstance(name, str) and name.isdecimal() and len(name) < 15]
        return max([claimed if 1 <= claimed <= _LARGEST_ID else 1, *(number + 1 for number in taken)])

    def _own_id(self, claimed: str | None, taken: set[str], where: str) -> str:
        """The id of a clip, edit or marker, a new one where it has none of its own."""
        if claimed is None or claimed in taken:
            self._problems.warn(None, f"{where} has no id of its own; it gets one", "parts without ids")
            claimed = str(self._next_id)
            self._next_id += 1
        taken.add(claimed)
        return claimed

    def _lose(self, message: str, kind: str | None = None) -> None:
        """Tell of something that the file held and that cannot be had."""
        self.losses.append(message)
        self._problems.warn(None, message, kind)


def _as_list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _text(stored: Json) -> str:
    """The text of JSON that was read. Raises MisfitError: what can be read may be too deep to be written."""
    try:
        return orjson.dumps(stored).decode()
    except TypeError as error:
        raise MisfitError("it is nested too deeply") from error


def _reason(error: Exception) -> str:
    return "it is nested too deeply" if isinstance(error, RecursionError) else shortened(str(error), 160)
