"""What the actions of the menu Walk do; the path's panel, its tool in the viewport and its lane in the timeline."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from app.examples import WALK_PATH, sample_style, walk_styles
from editor.document.jobs import Job
from editor.walking.commands import draw_walk
from editor.walking.drawing import path_of_clip
from model.files.formats import READABLE
from model.path import Path as WalkedPath
from widgets.walking.lane import StyleLane
from widgets.walking.tool import PathTool

if TYPE_CHECKING:
    from app.window import Window

_WORKSPACE = "Walk"


class WalkActions(QObject):
    """One method an action, of the same name as in `menus.TABLE`."""

    def __init__(self, window: "Window") -> None:
        super().__init__(window)
        self._window = window
        self._editing = window.path_editing
        self._editing.usual_style = sample_style
        self._editing.run = self._run
        self._editing.begun.connect(window.play_when_shown)
        self._dropped: tuple[str, float] | None = None  # on which walk, and where, clips fell that are being read
        self._tools = window.posing_actions.tools
        self._tools.add("path", PathTool(self._editing))
        self._lane = StyleLane(self._editing, window.document, window.showing, self)
        window.timeline.add_lane(self._lane, place=0)
        window.path.example_wanted.connect(self.walk_example)
        window.path.file_wanted.connect(self.add_style)
        window.path.canvas.files_dropped.connect(self._on_files_dropped)
        for view in (window.path.canvas, window.path.profile):
            view.hint_changed.connect(window.show_hint)
        self._editing.said.connect(window.banner.say)
        self._editing.changed.connect(self._on_changed)

    def refresh(self) -> None:
        """Let the actions go by what there is."""
        has_walk, shown = self._editing.walk is not None, self._window.showing.current is not None
        actions = self._window.actions_
        for name in ("close_path", "reverse_path", "add_style"):
            actions[name].setEnabled(has_walk)
        actions["path_from_clip"].setEnabled(shown)
        self._window.timeline.show_lane(self._lane, has_walk)

    def _on_changed(self) -> None:
        self.refresh()
        if self._tools.name == "path":
            self._window.viewport.refresh()

    def _run(self, work: Callable[[], object], then: Callable[[object], None]) -> None:
        """What takes long is done by a worker."""
        job = self._window.jobs.start("Following the drawing", lambda tell: work())
        job.finished.connect(then)
        job.failed.connect(self._on_failed)
        for ended in (job.failed, job.cancelled):
            ended.connect(self._editing.forget_drawing)

    # Actions

    def draw_path(self) -> None:
        """Begin a new path, on the canvas or in the viewport."""
        if self._window.workspaces.current.name != _WORKSPACE:
            self._window.go_to_workspace(_WORKSPACE)
        self._window.docks["Path"].show()
        self._window.docks["Path"].raise_()
        self._editing.set_drawing(True)
        self._window.path.canvas.setFocus()

    def close_path(self) -> None:
        self._editing.toggle_closed()

    def reverse_path(self) -> None:
        self._editing.reverse()

    def add_style(self) -> None:
        """Ask for a file whose way of going becomes a style in the middle of the last one."""
        kinds = " ".join(f"*{one}" for one in READABLE)
        names, _ = QFileDialog.getOpenFileNames(
            self._window, "Whose way of going", str(self._window.doing.folder()), f"Motion ({kinds});;All (*)"
        )
        bands = self._editing.bands
        if names and bands:
            self._on_files_dropped([Path(name) for name in names], 0.5 * (bands[-1].from_m + bands[-1].to_m))

    def path_from_clip(self) -> None:
        """Walk along the way of the clip that is shown, in its own style."""
        shown = self._window.showing.current
        if shown is None:
            return
        take, clip = shown.final, shown.clip.id
        job = self._window.jobs.start("Following the clip's way", lambda tell: (clip, path_of_clip(take)))
        job.finished.connect(self._on_path_found)
        job.failed.connect(self._on_failed)

    def _on_path_found(self, found: tuple[str, WalkedPath]) -> None:
        clip, path = found
        if clip in self._window.document.project:
            self._draw(path, ((0.0, clip),), "Path walk")

    def walk_example(self) -> None:
        """Add a walk in three styles along a winding path."""
        self._job: Job = self._window.jobs.start_reading("Reading the samples", lambda tell: walk_styles())
        self._job.finished.connect(self._on_styles_read)
        self._job.failed.connect(self._on_failed)

    def _on_styles_read(self, styles: tuple[tuple[float, str], ...]) -> None:
        self._draw(WALK_PATH, styles, "Walk along a path")
        if self._window.workspaces.current.name != _WORKSPACE:
            self._window.go_to_workspace(_WORKSPACE)
        self._window.play_when_shown()

    def _draw(self, path: WalkedPath, styles: tuple[tuple[float, object], ...], name: str) -> None:
        document = self._window.document
        try:
            document.do(draw_walk, path, styles, name)
        except ValueError as error:
            self._window.banner.warn(str(error))
            return
        self._window.session.look(clip=document.project.clips[-1].id)

    def _on_failed(self, reason: str, details: str) -> None:
        self._window.banner.warn(reason)

    # Files on the path

    def _on_files_dropped(self, paths: list[Path], at_m: float) -> None:
        self._dropped = (self._editing.clip_id, at_m) if self._editing.clip_id is not None else None
        self._window.files.open_paths(paths)

    def on_clips_added(self, clip_id: str) -> None:
        """Clips were read: what fell on a path becomes a style there, and the walk is looked at again."""
        dropped, self._dropped = self._dropped, None
        if dropped is not None and dropped[0] in self._window.document.project:
            self._window.session.look(clip=dropped[0])
            self._editing.add_style(clip_id, dropped[1])
