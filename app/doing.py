"""What the actions of the window do."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QStandardPaths
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QApplication, QFileDialog

from app import VERSION
from app.command_palette import CommandPalette
from app.help import Help
from app.menus import WORKSPACE, described
from app.shortcut_editor import ShortcutEditor
from app.tour import Tour
from editor.clips.commands import set_role
from editor.clips.imported import ImportedFile, reloaded
from editor.clips.sequence import Part, Sequence
from editor.gait.source import ProceduralGait
from editor.stack.clips import add_clip, delete_clips, duplicate_clip, set_source
from model.clip import Clip
from model.files.formats import READABLE, WRITABLE
from model.files.project_file import EXTENSION
from resources import samples
from widgets.common.plain_label import menu_text, plain_tip
from widgets.common.theme import DARK, LIGHT, THEMES, apply_theme, theme, undress
from widgets.curves.reduce_form import ReduceForm
from widgets.viewport.camera import Preset

if TYPE_CHECKING:
    from app.window import Window


class Doing(QObject):
    """One method an action, of the same name as in `menus.TABLE`."""

    def __init__(self, window: "Window") -> None:
        super().__init__(window)
        self._window = window
        for name, entry in described().items():
            if name.startswith(WORKSPACE):
                window.actions_.add(entry, partial(window.go_to_workspace, name.removeprefix(WORKSPACE)))
                continue
            doers = (
                self, window.saving_actions, window.posing_actions, window.extreme_actions, window.ground_actions,
                window.walk_actions, window.stagger_actions,
            )  # fmt: skip
            window.actions_.add(entry, getattr(next(one for one in doers if hasattr(one, name)), name))
        self._palette: CommandPalette | None = None
        self._shortcuts: ShortcutEditor | None = None
        self._help: Help | None = None
        self._tour: Tour | None = None
        self._reduce: ReduceForm | None = None
        window.document.history_changed.connect(self._on_history_changed)
        window.session.changed.connect(self._on_view_changed)
        window.showing.changed.connect(self._on_view_changed)
        self._on_history_changed()
        self._on_view_changed()
        window.viewport.set_options(mouse="maya" if window.settings.mouse == "maya" else "blender")
        mice = QActionGroup(self)
        for name in ("mouse_blender", "mouse_maya"):
            mice.addAction(window.actions_[name])
        options = window.viewport.options
        for action, on in (
            ("ghosts", options.ghost_source),
            ("trails", options.trails),
            ("contacts", options.contacts),
            ("mass", options.centre_of_mass),
            ("follow", options.follow),
            ("mouse_blender", options.mouse == "blender"),
            ("mouse_maya", options.mouse == "maya"),
            ("dark", theme() is DARK),
        ):
            window.actions_[action].setChecked(on)

    # Menus that grow

    def fill_menus(self) -> None:
        """Put samples, recent files and docks into their menus."""
        window = self._window
        samples_menu = window.menus["File/Samples"]
        samples_menu.clear()
        for path in samples():
            action = samples_menu.addAction(path.stem.replace("_", " ").capitalize())
            action.setData(str(path))
        samples_menu.triggered.connect(self._on_path_chosen)
        samples_menu.addSeparator()
        samples_menu.addAction(window.actions_["walk_example"])
        self._recent = window.menus["File"].addMenu("Recent files")
        window.menus["File"].insertMenu(window.actions_["save"], self._recent)
        self._recent.triggered.connect(self._on_path_chosen)
        self.fill_recent()
        for dock in window.docks.values():
            window.menus["Window"].addAction(dock.toggleViewAction())

    def fill_recent(self) -> None:
        self._recent.clear()
        for path in self._window.settings.recent_files():
            action = self._recent.addAction(menu_text(path.name))
            action.setToolTip(plain_tip(str(path)))
            action.setData(str(path))
        self._recent.setEnabled(not self._recent.isEmpty())

    def _on_path_chosen(self, action: QAction) -> None:
        if action.data() is not None:  # else it does something itself
            self.open_paths([Path(action.data())])

    # Files

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

    def open_paths(self, paths: list[Path]) -> None:
        """Open clips, folders or a project; before a project replaces another, unsaved work is asked about."""
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
        clip = self._clip()
        if clip is None:
            return
        kinds = ";;".join(f"{one[1:].upper()} (*{one})" for one in WRITABLE)
        start = str(self._window.files.export_name(clip.name, self.folder()))
        name, _ = QFileDialog.getSaveFileName(self._window, "Export the clip", start, kinds)
        if name:
            self._window.files.export(clip.id, Path(name))

    def quit(self) -> None:
        self._window.close()

    # Editing

    def undo(self) -> None:
        self._window.document.undo()

    def redo(self) -> None:
        self._window.document.redo()

    def retarget(self) -> None:
        """Show the panel with the bodies that the clip can be put on."""
        dock = self._window.docks["Retarget"]
        dock.show()
        dock.raise_()
        self._window.retarget.characters.setFocus()

    def exaggerate(self) -> None:
        """Show the panel with the slider that makes motions larger or more subtle."""
        dock = self._window.docks["Exaggerate"]
        dock.show()
        dock.raise_()
        self._window.exaggerate.amount.setFocus()

    def retarget_to_file(self) -> None:
        """Put the clip on the body of a file."""
        kinds = " ".join(f"*{one}" for one in (*READABLE, ".asf"))
        name, _ = QFileDialog.getOpenFileName(self._window, "Body of a file", "", f"Bodies ({kinds});;All (*)")
        if name:
            self._window.retarget.put_on_file(name)

    def reduce_to_keys(self) -> None:
        window = self._window
        if self._reduce is None:
            self._reduce = ReduceForm(window.document, window.session, window.showing, window.jobs, window)
            self._reduce.made.connect(self._on_reduced)
            self._reduce.adjustSize()
            self._reduce.move(window.geometry().center() - self._reduce.rect().center())
        self._reduce.show()
        self._reduce.raise_()
        self._reduce.activateWindow()

    def _on_reduced(self) -> None:
        self._window.docks["Curves"].show()
        self._window.docks["Curves"].raise_()

    def _on_history_changed(self) -> None:
        document, actions = self._window.document, self._window.actions_
        for name, text in (("undo", document.undo_text), ("redo", document.redo_text)):
            words = described()[name].text
            actions[name].setEnabled(text is not None)
            actions[name].setText(words if text is None else f"{words} “{menu_text(text)}”")

    # Clips

    def _clip(self) -> Clip | None:
        """The clip that is looked at."""
        view, project = self._window.session.view, self._window.document.project
        return project.clip(view.clip) if view.clip is not None and view.clip in project else None

    def new_walk(self) -> None:
        document = self._window.document
        document.do(add_clip, ProceduralGait(), "New walk")
        self._window.session.look(clip=document.project.clips[-1].id)
        self._window.docks["Inspector"].show()
        self._window.docks["Inspector"].raise_()

    def duplicate_clip(self) -> None:
        if (clip := self._clip()) is not None:
            document = self._window.document
            document.do(duplicate_clip, clip.id)
            places = [one.id for one in document.project.clips]
            self._window.session.look(clip=places[places.index(clip.id) + 1])

    def delete_clip(self) -> None:
        if (clip := self._clip()) is not None:
            self._try(lambda: self._window.document.do(delete_clips, (clip.id,)))

    def reload_clip(self) -> None:
        clip = self._clip()
        if clip is None or not isinstance(clip.source, ImportedFile):
            return
        source = clip.source
        job = self._window.jobs.start_reading(f"Reading {clip.name}", lambda tell: (clip.id, reloaded(source)))
        job.finished.connect(self._on_reloaded)
        job.failed.connect(self._on_failed)

    def _on_reloaded(self, read: tuple[str, ImportedFile]) -> None:
        clip_id, source = read
        document = self._window.document
        if clip_id in document.project and document.do(set_source, clip_id, source):
            self._window.banner.say(f"Read {Path(source.path).name} again")
        else:
            self._window.banner.say("The file is as it was")

    def _on_failed(self, reason: str, details: str) -> None:
        self._window.banner.warn(reason)

    def sequence(self) -> None:
        clip, view = self._clip(), self._window.session.view
        if clip is None:
            return
        parts = tuple(Part(one) for one in (clip.id, *view.compared))
        document = self._window.document
        if self._try(lambda: document.do(add_clip, Sequence(parts), f"{clip.name} and on")):
            self._window.session.look(clip=document.project.clips[-1].id)

    def set_role(self, joint: int, role: object) -> None:
        if (clip := self._clip()) is not None:
            self._try(lambda: self._window.document.do(set_role, clip.id, joint, None if role is None else str(role)))

    def _try(self, do: Callable[[], bool]) -> bool:
        """Do something; what cannot be done is told, not raised."""
        try:
            return do()
        except ValueError as error:
            self._window.banner.warn(f"{str(error)[:1].upper()}{str(error)[1:]}.")
            return False

    # Playing: the timeline does it

    def play(self) -> None:
        self._window.timeline.playback.toggle()

    def first_frame(self) -> None:
        self._window.timeline.go_to_frame(0)

    def last_frame(self) -> None:
        self._window.timeline.go_to_frame(-1)

    def next_frame(self) -> None:
        self._window.timeline.step(1)

    def previous_frame(self) -> None:
        self._window.timeline.step(-1)

    def ten_on(self) -> None:
        self._window.timeline.step(10)

    def ten_back(self) -> None:
        self._window.timeline.step(-10)

    def loop_start(self) -> None:
        self._window.timeline.loop_from_here()

    def loop_stop(self) -> None:
        self._window.timeline.loop_up_to_here()

    def loop_clear(self) -> None:
        self._window.session.look(loop_s=None)

    def add_marker(self) -> None:
        self._window.timeline.add_marker_here()

    def previous_marker(self) -> None:
        self._window.timeline.go_to_marker(-1)

    def next_marker(self) -> None:
        self._window.timeline.go_to_marker(1)

    # Looking

    def frame_selection(self) -> None:
        self._window.viewport.frame_selection()

    def frame_all(self) -> None:
        self._window.viewport.frame_all()

    def view_front(self) -> None:
        self._window.viewport.look_from(Preset.FRONT)

    def view_side(self) -> None:
        self._window.viewport.look_from(Preset.SIDE)

    def view_top(self) -> None:
        self._window.viewport.look_from(Preset.TOP)

    def view_free(self) -> None:
        self._window.viewport.look_from(Preset.THREE_QUARTER)

    def follow(self, on: bool) -> None:
        self._window.viewport.set_options(follow=on)

    def mouse_blender(self, on: bool) -> None:
        if on:
            self._use_mouse("blender")

    def mouse_maya(self, on: bool) -> None:
        if on:
            self._use_mouse("maya")

    def _use_mouse(self, preset: str) -> None:
        self._window.viewport.set_options(mouse=preset)
        self._window.settings.mouse = preset

    def ghosts(self, on: bool) -> None:
        self._window.viewport.set_options(ghost_source=on)

    def trails(self, on: bool) -> None:
        self._window.viewport.set_options(trails=on)

    def contacts(self, on: bool) -> None:
        self._window.viewport.set_options(contacts=on)

    def mass(self, on: bool) -> None:
        self._window.viewport.set_options(centre_of_mass=on)

    def dark(self, on: bool) -> None:
        """Change the theme in two turns: for each Qt goes through all widgets, which takes about 30 ms."""
        self._window.settings.theme = (DARK if on else LIGHT).name
        if self._window.settings.theme != theme().name:
            self._window.setUpdatesEnabled(False)
            undress(_application())
            self._window.after_layout(self._dress)

    def _dress(self) -> None:
        apply_theme(_application(), THEMES[self._window.settings.theme])
        self._window.actions_.redraw_icons()
        self._window.thumbnails.redraw()
        self._window.setUpdatesEnabled(True)

    def full_screen(self, on: bool) -> None:
        if on:
            self._window.showFullScreen()
        elif self._window.isFullScreen():
            self._window.showNormal()

    def reset_workspace(self) -> None:
        self._window.workspaces.reset()

    # Help

    def palette(self) -> None:
        if self._palette is None:
            self._palette = CommandPalette(self._window.actions_, self._window)
        self._palette.open_over(self._window)

    def help(self) -> None:
        if self._help is None:
            self._help = Help(self._window.actions_, self._window)
        self._help.open_for(QApplication.widgetAt(self._window.cursor().pos()))

    def shortcuts(self) -> None:
        if self._shortcuts is None:
            self._shortcuts = ShortcutEditor(self._window.actions_, self._window)
        self._shortcuts.show()
        self._shortcuts.raise_()

    def tour(self) -> None:
        if self._tour is None:
            self._tour = Tour(self._window)
        self._tour.begin()

    def lesson(self) -> None:
        """Show how a walk's stance is widened; on the sample where no clip is open."""
        if not self._window.document.project.clips:
            self.open_paths([path for path in samples() if path.stem == "walk"])
        if self._tour is None:
            self._tour = Tour(self._window)
        self._tour.teach()

    def about(self) -> None:
        self._window.banner.say(f"Motionwright {VERSION}, free software under the MIT licence")

    def _on_view_changed(self, *_: object) -> None:
        clip = self._clip()
        actions = self._window.actions_
        actions["reduce_to_keys"].setEnabled(clip is not None)
        for name in (
            "export",
            "duplicate_clip",
            "delete_clip",
            "retarget",
            "exaggerate",
            "stagger",
            "stagger_clip",
            "take_in_poses",
            "play",
            "first_frame",
            "last_frame",
        ):
            actions[name].setEnabled(clip is not None)
        actions["add_marker"].setEnabled(clip is not None)
        for name in ("previous_marker", "next_marker"):
            actions[name].setEnabled(clip is not None and bool(clip.markers))
        actions["reload_clip"].setEnabled(clip is not None and isinstance(clip.source, ImportedFile))
        actions["sequence"].setEnabled(clip is not None and bool(self._window.session.view.compared))


def _application() -> QApplication:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    return application
