"""Opening, saving and exporting, as work beside the window."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.project_lock import ProjectLock
from editor.commands.clips import add_clips
from editor.commands.ground import set_ground
from editor.document import Document
from editor.evaluate import Evaluator, Progress
from editor.jobs import Job, Jobs
from editor.kinds import EDITS, SOURCES
from editor.sources.imported import ImportedFile, import_file
from model.files.formats import READABLE, check_writable, holds_points, write_motion
from model.files.ground_file import read_ground, read_obj, write_ground
from model.files.problems import MissingSkeletonError, MotionFileError, Problem, ReadOptions
from model.files.project_file import EXTENSION, Kinds, ProjectReading, read_project, write_project
from model.ground import Ground, Mesh
from model.project import Project

KINDS = Kinds(SOURCES, EDITS)
GROUND_FILES = (".json", ".obj")


@dataclass(frozen=True, eq=False)
class Imported:
    """What came of files: sources that were read, what could not be read and why, and what lacks a skeleton."""

    sources: tuple[ImportedFile, ...]
    failures: tuple[tuple[str, str], ...]
    lacking: tuple[Path, ...] = ()


@dataclass(frozen=True, eq=False)
class _Saved:
    project: Project
    path: Path


class Files(QObject):
    """Reads and writes on workers, and puts what comes of it into the document."""

    said = Signal(str)  # good news for the status bar
    failed = Signal(str)  # what went wrong, with which file
    reported = Signal(str, object)  # a file, and the problems that were found in it
    opened = Signal(object)  # the paths of what was opened or saved: for the list of recent files
    skeleton_wanted = Signal(object)  # the paths of AMC files whose skeleton is not found
    clips_added = Signal(str)  # the id of the first of them
    project_opened = Signal()
    ground_changed = Signal()  # something was put on the ground

    def __init__(self, document: Document, evaluator: Evaluator, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._evaluator = evaluator
        self._jobs = jobs
        self._lock: ProjectLock | None = None
        self.kinds = KINDS

    # Opening

    def open_paths(self, paths: Iterable[Path], skeleton: Path | None = None) -> None:
        """Open a project, or import clips and folders of clips. skeleton : the ASF file of AMC files without one."""
        paths = list(paths)
        projects = [path for path in paths if path.suffix.lower() == EXTENSION]
        grounds = [path for path in paths if path.suffix.lower() in GROUND_FILES]
        clips = [path for path in paths if path not in projects and path not in grounds]
        if projects:
            self.open_project(projects[0])
        for path in grounds:
            self.import_ground(path)
        if clips:
            job = self._jobs.start("Reading clips", lambda tell: _import_all(clips, skeleton, tell))
            job.finished.connect(self._on_imported)
            job.failed.connect(self._on_failed)

    def open_project(self, path: Path) -> None:
        """Work on the project of a file, in place of what is open."""
        job = self._jobs.start(f"Opening {path.name}", lambda tell: (path, read_project(path, KINDS)))
        job.finished.connect(self._on_project_read)
        job.failed.connect(self._on_failed)

    def import_ground(self, path: Path) -> None:
        """Put what a ground file or a mesh tells of on the ground, beside what is there."""
        job = self._jobs.start(f"Reading {path.name}", lambda tell: (path, _read_ground(path)))
        job.finished.connect(self._on_ground_read)
        job.failed.connect(self._on_failed)

    def _on_ground_read(self, read: tuple[Path, Ground]) -> None:
        path, ground = read
        before = self._document.committed.ground
        objects = tuple(one for _, one in ground.objects)
        if not objects:
            self.said.emit(f"Nothing stands on the ground of {path.name}")
            return
        self._document.do(set_ground, before.adding(*objects), f"Import {path.name}")
        self.ground_changed.emit()
        self.said.emit(f"Put {len(objects)} object{'s' if len(objects) > 1 else ''} of {path.name} on the ground")

    def export_ground(self, path: Path) -> Job:
        """Write what stands on the ground."""
        ground = self._document.committed.ground
        job = self._jobs.start(f"Writing {path.name}", lambda tell: _write_ground(ground, path))
        job.finished.connect(self._on_ground_written)
        job.failed.connect(self._on_failed)
        return job

    def _on_ground_written(self, path: Path) -> None:
        self.said.emit(f"Wrote {path.name}")

    def new_project(self) -> None:
        self._take_lock(None)
        self._document.restart(Project())

    def restore(self, reading: ProjectReading, original: Path | None) -> None:
        """Go on with what an autosave held; it counts as not saved."""
        self._take_lock(original)
        self._document.restart(reading.project, original, modified=True)
        self.project_opened.emit()

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
            self._take_lock(None)
            self._document.restart(reading.project, None, modified=True)
            self.project_opened.emit()
            self.failed.emit(f"{path.name} is damaged: what could be read is open as a new project; the file stays.")
            return
        self._take_lock(path)
        self._document.restart(reading.project, path)
        self.opened.emit((path,))
        self.project_opened.emit()
        if self._lock is not None and self._lock.message is not None:
            self.failed.emit(f"{self._lock.message}. What you save here replaces what is saved there.")
        else:
            self.said.emit(f"Opened {path.name}")

    def _take_lock(self, path: Path | None) -> None:
        if self._lock is not None:
            self._lock.release()
        self._lock = None if path is None else ProjectLock(path)

    # Saving

    def save(self, path: Path) -> Job:
        """Save what is committed now; what is done meanwhile stays to be saved."""
        project = self._document.committed
        job = self._jobs.start(f"Saving {path.name}", lambda tell: _save(project, path))
        job.finished.connect(self._on_saved)
        job.failed.connect(self._on_failed)
        return job

    def _on_saved(self, saved: _Saved) -> None:
        if self._document.path != saved.path:
            self._take_lock(saved.path)
        self._document.mark_saved(saved.project, saved.path)
        self.opened.emit((saved.path,))
        self.said.emit(f"Saved {saved.path.name}")

    def export(self, clip_id: str, path: Path) -> Job:
        """Write the finished take of a clip to a motion file."""
        project, evaluator = self._document.committed, self._evaluator
        job = self._jobs.start(f"Writing {path.name}", lambda tell: _export(evaluator, project, clip_id, path, tell))
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


def _read_ground(path: Path) -> Ground:
    return Ground(meshes=(Mesh(read_obj(path)),)) if path.suffix.lower() == ".obj" else read_ground(path)


def _write_ground(ground: Ground, path: Path) -> Path:
    write_ground(ground, path)
    return path


def _save(project: Project, path: Path) -> _Saved:
    write_project(project, path, KINDS)
    return _Saved(project, path)


def _export(
    evaluator: Evaluator, project: Project, clip_id: str, path: Path, progress: Progress
) -> tuple[Path, tuple[Problem, ...]]:
    check_writable(path)
    take = evaluator.take(project, clip_id, lambda part: progress(0.8 * part))
    return path, tuple(write_motion(take.motion, path))
