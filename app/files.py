"""Opening, saving and exporting, as work beside the window."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.project_lock import ProjectLock
from editor.clips.imported import ImportedFile, import_file
from editor.document.document import Document
from editor.document.jobs import Job, Jobs
from editor.stack.clips import add_clips
from editor.stack.context import Progress
from editor.stack.evaluator import Evaluator
from model.files.file_state import FileState
from model.files.formats import READABLE, check_writable, holds_points, write_motion
from model.files.problems import MissingSkeletonError, MotionFileError, Problem, ReadOptions
from model.files.project_file import EXTENSION, ChangedFileError, Kinds, ProjectReading, read_project, write_project
from model.files.saving import check_target, is_same_file, remove_left_over
from model.project import Project
from widgets.desk.contributions import FileKind

_SPELLED_OUT = 3  # of what is missing in a damaged project; the rest is in the report


@dataclass(frozen=True, eq=False)
class Imported:
    """What came of files: sources that were read, what could not be read and why, and what lacks a skeleton."""

    sources: tuple[ImportedFile, ...]
    failures: tuple[tuple[str, str], ...]
    lacking: tuple[Path, ...] = ()


@dataclass(frozen=True, eq=False)
class _Saved:
    """A project as it was saved; without a state, it was not, for another program changed the file. states : those of
    `Files` when it was, which tell whether another project was opened since.
    """

    project: Project
    path: Path
    state: FileState | None
    states: dict[Path, FileState]


class Files(QObject):
    """Reads and writes on workers, and puts what comes of it into the document."""

    said = Signal(str)  # good news for the status bar
    failed = Signal(str)  # what went wrong, with which file
    save_failed = Signal(str)  # why the project could not be saved
    conflicted = Signal(object)  # the path that was not saved to, for another program changed the file
    reported = Signal(str, object)  # a file, and the problems that were found in it
    opened = Signal(object)  # the paths of what was opened or saved: for the list of recent files
    skeleton_wanted = Signal(object)  # the paths of AMC files whose skeleton is not found
    clips_added = Signal(str)  # the id of the first of them
    project_opened = Signal()

    def __init__(
        self, document: Document, evaluator: Evaluator, jobs: Jobs, kinds: Kinds, parent: QObject | None = None
    ) -> None:
        """kinds : what project files may hold."""
        super().__init__(parent)
        self._document = document
        self._evaluator = evaluator
        self._jobs = jobs
        self._lock: ProjectLock | None = None
        # What project files held when they were last read or saved here. The threads that save look at it and set it.
        self._states: dict[Path, FileState] = {}
        self._saving: set[Job] = set()
        self.proposed_path: Path | None = None  # where to save what was recovered of a project
        self.kinds = kinds
        self.further: tuple[FileKind, ...] = ()  # what is opened otherwise than as clips

    @property
    def is_saving(self) -> bool:
        return bool(self._saving)

    # Opening

    def open_paths(self, paths: Iterable[Path], skeleton: Path | None = None) -> None:
        """Open a project, or import clips and folders of clips. skeleton : the ASF file of AMC files without one."""
        paths = list(paths)
        projects = [path for path in paths if path.suffix.lower() == EXTENSION]
        clips = []
        for path in paths:
            openers = (kind.open for kind in self.further if path.suffix.lower() in kind.extensions)
            if (opener := next(openers, None)) is not None:
                opener(path)
            elif path not in projects:
                clips.append(path)
        if projects:
            self.open_project(projects[0])
        if clips:
            job = self._jobs.start_reading("Reading clips", lambda tell: _import_all(clips, skeleton, tell))
            job.finished.connect(self._on_imported)
            job.failed.connect(self._on_failed)

    def open_project(self, path: Path) -> None:
        """Work on the project of a file, in place of what is open."""
        job = self._jobs.start_reading(f"Opening {path.name}", lambda tell: (path, read_project(path, self.kinds)))
        job.finished.connect(self._on_project_read)
        job.failed.connect(self._on_failed)

    def new_project(self) -> None:
        self._restart(Project())

    def restore(self, reading: ProjectReading, original: Path | None, state: FileState | None, as_copy: bool) -> None:
        """Go on with what an autosave held; it counts as not saved.

        original, state : the project's own file, and what it held when the autosave was written; as_copy : it holds
        something else by now, which is not to be replaced.
        """
        name = "a new project" if original is None else original.name
        if as_copy or not reading.is_whole:
            self._restart(reading.project, modified=True, proposed=free_path(original, "recovered"))
        else:
            self._restart(reading.project, original, state, modified=True)
        self.reported.emit(f"Autosave of {name}", reading.problems)
        self.project_opened.emit()
        if not reading.is_whole:
            kept = "" if original is None else f" {name} stays as it is."
            self.failed.emit(
                f"The autosave of {name} is damaged; what could be read is open as a new project.{kept} "
                f"Missing: {_losses(reading)}."
            )

    def _restart(
        self,
        project: Project,
        path: Path | None = None,
        state: FileState | None = None,
        modified: bool = False,
        proposed: Path | None = None,
    ) -> None:
        self._take_lock(path)
        self._states = {} if path is None or state is None else {path: state}
        self.proposed_path = proposed
        self._document.restart(project, path, modified, state)

    def _on_imported(self, imported: Imported) -> None:
        failures = [reason if path in reason else f"{path}: {reason}" for path, reason in imported.failures]
        if len(failures) > 2:
            self.failed.emit(f"{len(failures)} files could not be read. The first: {failures[0]}")
        elif failures:
            self.failed.emit("\n".join(failures))
        if imported.lacking:
            self.skeleton_wanted.emit(imported.lacking)
        if not imported.sources:
            return
        names = tuple(Path(source.path).stem for source in imported.sources)
        as_before = not self._document.modified and not self._document.project.clips
        self._document.do(add_clips, imported.sources, names)
        if as_before and self._document.path is None:
            self._document.mark_saved(self._document.committed, None)  # nothing of the user's own is in it yet
        for source in imported.sources:
            self.reported.emit(source.path, source.problems)
        self.opened.emit(tuple(Path(source.path) for source in imported.sources))
        self.clips_added.emit(self._document.project.clips[-len(names)].id)
        self.said.emit(f"Opened {names[0]}" if len(names) == 1 else f"Opened {len(names)} clips")

    def _on_project_read(self, read: tuple[Path, ProjectReading]) -> None:
        path, reading = read
        self.reported.emit(str(path), reading.problems)
        if not reading.is_whole:
            # Saved over its file, what could not be read would be lost for good.
            self._restart(reading.project, modified=True, proposed=free_path(path, "recovered"))
            self.project_opened.emit()
            self.failed.emit(
                f"{path.name} is damaged; what could be read is open as a new project, and the file stays as it is. "
                f"Missing: {_losses(reading)}."
            )
            return
        self._restart(reading.project, path, reading.state)
        self.opened.emit((path,))
        self.project_opened.emit()
        if self._lock is not None and self._lock.message is not None:
            what_then = " If it is saved there, saving here asks first." if self._lock.is_open_elsewhere else ""
            self.failed.emit(f"{self._lock.message}.{what_then}")
        else:
            self.said.emit(f"Opened {path.name}")

    def _take_lock(self, path: Path | None) -> None:
        if self._lock is not None:
            self._lock.release()
        self._lock = None if path is None else ProjectLock(path)

    # Saving

    def save(self, path: Path, overwrite: bool = False) -> Job:
        """Save what is committed now; what is done meanwhile stays to be saved.

        A file that another program changed since it was read or saved here is replaced only to `overwrite`.
        """
        project, states = self._document.committed, self._states
        if overwrite or path != self._document.path:
            states.pop(path, None)  # the user chose to replace whatever is there
        kinds = self.kinds
        job = self._jobs.start_writing(f"Saving {path.name}", lambda tell: _save(project, path, kinds, states), path)
        self._saving.add(job)
        job.finished.connect(self._on_saved)
        job.failed.connect(self._on_save_failed)
        job.cancelled.connect(self._on_save_cancelled)
        job.over.connect(self._on_save_over)
        return job

    def _on_saved(self, saved: _Saved) -> None:
        is_still_open = saved.states is self._states
        if saved.state is None:
            if is_still_open:
                self.conflicted.emit(saved.path)
            else:
                self.failed.emit(f"{saved.path.name} was not saved: another window or program changed it.")
            return
        if is_still_open:
            if self._document.path != saved.path:
                self._take_lock(saved.path)
            self.proposed_path = None
            self._document.mark_saved(saved.project, saved.path, saved.state)
        self.opened.emit((saved.path,))
        self.said.emit(f"Saved {saved.path.name}")

    def export_name(self, name: str, folder: Path) -> Path:
        """A file for a clip in a folder, which has not the name of one that a clip was read from."""
        sources = source_files(self._document.committed)
        taken = {path.stem.lower() for path in sources if is_same_file(path.parent, folder)}
        number, stem = 1, name
        while stem.lower() in taken:
            stem = f"{name}_edited{number if number > 1 else ''}"
            number += 1
        return folder / f"{stem}.bvh"

    def _on_save_failed(self, reason: str, details: str) -> None:
        self.save_failed.emit(f"{reason}. Your work is still open, but not saved.")

    def _on_save_cancelled(self) -> None:
        self.save_failed.emit("Saving was cancelled. Your work is still open, but not saved.")

    def _on_save_over(self, job: Job) -> None:
        self._saving.discard(job)

    def export(self, clip_id: str, path: Path) -> Job:
        """Write the finished take of a clip to a motion file, but to none that a clip was read from."""
        project, evaluator = self._document.committed, self._evaluator
        job = self._jobs.start_writing(
            f"Writing {path.name}", lambda tell: _export(evaluator, project, clip_id, path, tell), path
        )
        job.finished.connect(self._on_exported)
        job.failed.connect(self._on_failed)
        return job

    def _on_exported(self, exported: tuple[Path, tuple[Problem, ...]]) -> None:
        path, problems = exported
        self.reported.emit(str(path), problems)
        self.said.emit(f"Wrote {path.name}")

    def close(self) -> None:
        self._take_lock(None)

    def _on_failed(self, reason: str, details: str) -> None:
        self.failed.emit(reason)


def source_files(project: Project) -> tuple[Path, ...]:
    """The files that the clips of a project were read from."""
    sources = [clip.source for clip in project.clips if isinstance(clip.source, ImportedFile)]
    named = [path for source in sources for path in (source.path, source.options.skeleton) if path is not None]
    return tuple(Path(path) for path in named)


def free_path(original: Path | None, word: str) -> Path | None:
    """A path beside a project for another version of it, such as walk-recovered.mwright, that no file has yet."""
    if original is None:
        return None
    names = (f"{original.stem}-{word}{number}{EXTENSION}" for number in ("", *range(2, 1000)))
    return next((path for name in names if not (path := original.with_name(name)).exists()), None)


def clips_below(paths: Iterable[Path]) -> list[Path]:
    """The motion files among paths and in folders among them, in order of their names."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = (one for one in sorted(path.rglob("*")) if one.suffix.lower() in READABLE and one.is_file())
            found.extend(one for one in inside if not holds_points(one))
        else:
            found.append(path)
    return list(dict.fromkeys(found))


def _import_all(paths: list[Path], skeleton: Path | None, progress: Progress) -> Imported:
    files = clips_below(paths)
    if not files:
        raise ValueError(f"{paths[0]}: there are no motion files in it")
    if any(path.suffix.lower() == ".amc" for path in files):
        # Beside the motion, skeletons are no clips of their own.
        skeletons = [path for path in files if path.suffix.lower() == ".asf"]
        files = [path for path in files if path not in skeletons]
        if skeleton is None and len(skeletons) == 1:
            skeleton = skeletons[0]
    sources, failures, lacking = [], [], []
    for n, path in enumerate(files):
        progress(n / len(files))
        try:
            sources.append(_import_one(path, skeleton))
        except MissingSkeletonError:
            lacking.append(path)
        except (MotionFileError, ValueError, OSError) as error:
            failures.append((str(path), str(error)))
    return Imported(tuple(sources), tuple(failures), tuple(lacking))


def _import_one(path: Path, skeleton: Path | None) -> ImportedFile:
    """Read a file; its skeleton, where none is found beside it, from another."""
    try:
        return import_file(path)
    except MissingSkeletonError:
        if skeleton is None:
            raise
        return import_file(path, ReadOptions(skeleton=str(skeleton.absolute())))


def _save(project: Project, path: Path, kinds: Kinds, states: dict[Path, FileState]) -> _Saved:
    try:
        state = states[path] = write_project(project, path, kinds, states.get(path))
    except ChangedFileError:
        return _Saved(project, path, None, states)
    return _Saved(project, path, state, states)


def _losses(reading: ProjectReading) -> str:
    """What a damaged project lacks, in words."""
    more = len(reading.losses) - _SPELLED_OUT
    return "; ".join(reading.losses[:_SPELLED_OUT]) + (f"; and {more} more, see the report" if more > 0 else "")


def _export(
    evaluator: Evaluator, project: Project, clip_id: str, path: Path, progress: Progress
) -> tuple[Path, tuple[Problem, ...]]:
    check_writable(path)
    check_target(path, source_files(project))
    take = evaluator.take(project, clip_id, lambda part: progress(0.8 * part))
    remove_left_over(path)
    return path, tuple(write_motion(take.motion, path))
