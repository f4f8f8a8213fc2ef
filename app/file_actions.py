"""What the menu File does, but for saving: opening, exporting, samples and recent files."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QStandardPaths
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog

from model.files.formats import READABLE, WRITABLE
from model.files.project_file import EXTENSION
from resources import samples
from widgets.common.plain_label import menu_text, plain_tip
from widgets.desk.contributions import Action, Sample

if TYPE_CHECKING:
    from app.window import Window


class FileActions(QObject):
    """Files as the user asks for them."""

    def __init__(self, window: "Window") -> None:
        super().__init__(window)
        self._window = window

    def actions(self) -> tuple[Action, ...]:
        return (
            Action("new_project", "&New project", "File", 110, "Start over with an empty project", self.new_project,
                   "Ctrl+N", "new"),
            Action("open", "&Open…", "File", 120, "Open clips or a project", self.open, "Ctrl+O", "open",
                   synonyms="import load bvh amc"),
            Action("open_folder", "Open &folder…", "File", 130, "Open all clips of a folder", self.open_folder,
                   "Ctrl+Shift+O"),
            Action("open_sample", "Open s&ample", "File/Samples", 140,
                   "Open one of the clips that come with Motionwright", self.open_sample),
            Action("export", "&Export clip…", "File", 230, "Write the clip as BVH, AMC, glTF or CSV", self.export,
                   "Ctrl+E", "export", is_enabled=lambda: self._window.clip is not None,
                   synonyms="save write bvh gltf glb csv unit"),
            Action("quit", "&Quit", "File", 310, "Close Motionwright", self._window.close, "Ctrl+Q"),
        )  # fmt: skip

    # Menus that grow

    def fill_menus(self) -> None:
        """Put samples and recent files into their menus."""
        window = self._window
        samples_menu = window.menus["File/Samples"]
        samples_menu.clear()
        for path in samples():
            action = samples_menu.addAction(path.stem.replace("_", " ").capitalize())
            action.setData(str(path))
        samples_menu.triggered.connect(self._on_path_chosen)
        brought = sorted(window.brought(Sample), key=lambda sample: sample.at)
        if brought:
            samples_menu.addSeparator()
        for sample in brought:
            samples_menu.addAction(window.actions_[sample.action])
        self.recent = window.menus["File"].addMenu("Recent files")
        window.menus["File"].insertMenu(window.actions_["save"], self.recent)
        self.recent.triggered.connect(self._on_path_chosen)
        self.fill_recent()

    def fill_recent(self) -> None:
        self.recent.clear()
        for path in self._window.settings.recent_files():
            action = self.recent.addAction(menu_text(path.name))
            action.setToolTip(plain_tip(str(path)))
            action.setData(str(path))
        self.recent.setEnabled(not self.recent.isEmpty())

    def _on_path_chosen(self, action: QAction) -> None:
        if action.data() is not None:  # else it does something itself
            self.open_paths([Path(action.data())])

    # What is done

    def new_project(self) -> None:
        if self._window.saving_actions.may_leave():
            self._window.files.new_project()

    def folder(self) -> Path:
        """Where file dialogs begin: beside the file that was opened or saved last; samples do not count."""
        come_with_us = set(samples())
        mine = [path for path in self._window.settings.recent_files() if path not in come_with_us]
        documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        return mine[0].parent if mine else Path(documents or Path.home())

    def open(self) -> None:
        kinds = " ".join(f"*{one}" for one in (EXTENSION, *READABLE))
        names, _ = QFileDialog.getOpenFileNames(
            self._window, "Open clips or a project", str(self.folder()), f"Motion ({kinds});;All (*)"
        )
        self.open_paths([Path(name) for name in names])

    def open_paths(self, paths: Iterable[Path]) -> None:
        """Open clips, folders or a project; before a project replaces another, unsaved work is asked about."""
        paths = list(paths)
        projects = [path for path in paths if path.suffix.lower() == EXTENSION]
        if len(projects) > 1:
            self._window.banner.warn(f"Only one project can be open: {projects[0].name} is opened.")
        if paths and (not projects or self._window.saving_actions.may_leave()):
            self._window.files.open_paths(paths)

    def choose_skeleton(self, paths: tuple[Path, ...]) -> None:
        """Ask for the skeleton of AMC files that have none beside them, and open them with it."""
        name, _ = QFileDialog.getOpenFileName(
            self._window, f"Skeleton of {paths[0].name}", str(paths[0].parent), "Skeleton (*.asf *.ASF);;All (*)"
        )
        if name:
            self._window.files.open_paths(paths, Path(name))

    def open_folder(self) -> None:
        name = QFileDialog.getExistingDirectory(self._window, "Open all clips of a folder", str(self.folder()))
        if name:
            self._window.files.open_paths([Path(name)])

    def open_sample(self) -> None:
        self._window.files.open_paths([next(path for path in samples() if path.stem == "walk")])

    def export(self) -> None:
        clip = self._window.clip
        if clip is None:
            return
        kinds = ";;".join(f"{one[1:].upper()} (*{one})" for one in WRITABLE)
        start = str(self._window.files.export_name(clip.name, self.folder()))
        name, _ = QFileDialog.getSaveFileName(self._window, "Export the clip", start, kinds)
        if name:
            self._window.files.export(clip.id, Path(name))
