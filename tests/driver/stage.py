"""The window that is driven, and the project that is open in it. All that the driver knows of the program is here."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication, QFileDialog

from app.application import _tell_bugs
from app.features import FEATURES
from app.settings import Settings
from app.window import Window
from editor.clips.imported import import_file
from editor.contacts.edit import FootCleanUp
from editor.document.document import Document
from editor.exaggerate.edit import Exaggerate
from editor.extrema.edit import ExtremePoses
from editor.repair.smoothing import Smooth
from editor.retarget.edit import Retarget
from editor.stack.clips import add_clips
from editor.stack.layers import add_edit
from editor.stagger.edit import Stagger
from editor.timing.edit import Trim
from editor.walking.commands import draw_walk
from model.files.formats import write_motion
from model.files.project_file import read_project, write_project
from model.project import Project
from resources import samples
from tests.clips import stepping_figure
from widgets.common.keys import ButtonKeys
from widgets.common.theme import DARK, apply_theme
from widgets.walking.examples import WALK_PATH, walk_styles

NEVER = frozenset({"quit"})
_SAMPLES = ("walk", "run", "wave", "happy")


class Stage:
    """A window with settings of its own, open on a project with several clips."""

    def __init__(self, application: QApplication, folder: Path, painter: bool) -> None:
        self._folder = folder
        self._random = Random(0)
        self.restarted: Callable[[], None] = lambda: None  # called when another project is open
        self.start = folder / "start.mwright"
        write_project(_project(folder), self.start, FEATURES.kinds)
        self.files = _files(folder, self.start)
        apply_theme(application, DARK)
        ButtonKeys(application)
        store = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
        self.window = Window(Settings(store), recovery_folder=folder / "recovery")
        self.window.viewport.set_options(painter=painter)
        self.window.resize(1280, 800)
        _tell_bugs(self.window)
        self._answer_dialogs()
        self.window.document.history_bytes = 1 << 40  # everything can be undone
        self._watch_restarts()
        self.window.go_to_workspace("Edit")
        self.window.show()
        self.window.activateWindow()
        self.window.files.open_paths([self.start])

    @property
    def is_busy(self) -> bool:
        return bool(self.window.jobs.running)

    @property
    def is_empty(self) -> bool:
        return not self.window.document.project.clips

    @property
    def document(self) -> Document:
        return self.window.document

    def cached_bytes(self) -> int:
        return self.window.evaluator.size

    def choose_by(self, random: Random) -> None:
        """Let the next file dialogs be answered by this chance."""
        self._random = random

    def start_over(self) -> None:
        self.window.files.open_paths([self.start])

    def saved(self, project: Project) -> bytes:
        """A project as it would be saved."""
        path = self._folder / "compared.mwright"
        write_project(project, path, FEATURES.kinds)
        return path.read_bytes()

    def saved_again(self) -> bytes:
        """What was saved last, read and saved once more."""
        reading = read_project(self._folder / "compared.mwright", FEATURES.kinds)
        return self.saved(reading.project)

    def close(self) -> None:
        self.document.mark_saved(self.document.committed, None)
        self.window.close()

    def _watch_restarts(self) -> None:
        """Tell when another project takes the place of the one that is open."""
        restart = self.document.restart

        def restart_and_tell(*arguments: Any, **named: Any) -> None:
            restart(*arguments, **named)
            self.restarted()

        self.document.restart = restart_and_tell  # type: ignore[method-assign]

    def _answer_dialogs(self) -> None:
        """Let the dialogs of the system be answered at once, now and then with Cancel."""

        def one(*_: object, **__: object) -> tuple[str, str]:
            return ("", "") if self._random.random() < 0.2 else (self._random.choice(self.files), "")

        def several(*_: object, **__: object) -> tuple[list[str], str]:
            name, _ = one()
            return ([name] if name else []), ""

        def new(_parent: object, _title: str, start: str, kinds: str = "", *_: object) -> tuple[str, str]:
            endings = [part.rstrip(")") for part in kinds.split("*") if part.startswith(".")]
            ending = self._random.choice(endings).split(")")[0].split(" ")[0] if endings else Path(start).suffix
            return ("", "") if self._random.random() < 0.2 else (str(self._folder / f"written{ending}"), "")

        def folder(*_: object, **__: object) -> str:
            return "" if self._random.random() < 0.2 else str(self._folder / "clips")

        QFileDialog.getOpenFileName = staticmethod(one)  # type: ignore[assignment]
        QFileDialog.getOpenFileNames = staticmethod(several)  # type: ignore[assignment]
        QFileDialog.getSaveFileName = staticmethod(new)  # type: ignore[assignment]
        QFileDialog.getExistingDirectory = staticmethod(folder)  # type: ignore[assignment]


def _project(folder: Path) -> Project:
    """Clips with and without edits, one of another body, and a walk along a path."""
    stepping = folder / "stepping.bvh"
    write_motion(stepping_figure(3.0)[0], stepping)
    paths = [next(path for path in samples() if path.stem == name) for name in _SAMPLES] + [stepping]
    document = Document()
    document.do(add_clips, tuple(import_file(path) for path in paths), tuple(path.stem for path in paths))
    ids = {clip.name: clip.id for clip in document.project.clips}
    for name, edit in (
        ("walk", Smooth()), ("walk", FootCleanUp()), ("walk", ExtremePoses()), ("walk", Exaggerate(1.3)),
        ("run", Trim(0.3, 3.0)), ("run", Retarget()),
        ("wave", Stagger(0.04, 1.3)),
    ):  # fmt: skip
        document.do(add_edit, ids[name], edit)
    document.do(draw_walk, WALK_PATH, walk_styles(), "path walk")
    return document.committed


def _files(folder: Path, start: Path) -> tuple[str, ...]:
    """What is opened and dropped: good files, and some that are not."""
    (folder / "broken.bvh").write_text("HIERARCHY\nROOT Hips\n{\n OFFSET 0 0\n")
    (folder / "broken.mwright").write_bytes(start.read_bytes()[:2000])
    (folder / "ground.json").write_text("{}")
    clips = folder / "clips"
    clips.mkdir(exist_ok=True)
    for path in samples()[:2]:
        (clips / path.name).write_bytes(path.read_bytes())
    names = ("broken.bvh", "broken.mwright", "ground.json", "stepping.bvh", "clips")
    return (*(str(path) for path in samples()[:6]), *(str(folder / name) for name in names), str(start))
