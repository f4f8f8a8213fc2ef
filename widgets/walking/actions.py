"""What the user can do with walks along a path; the path's panel, its tool and its lane."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from editor.document.jobs import Job
from editor.walking.commands import draw_walk
from editor.walking.drawing import path_of_clip
from model.files.formats import READABLE
from model.path import Path as WalkedPath
from widgets.desk.contributions import Action
from widgets.desk.desk import Desk
from widgets.desk.tool_actions import tool_action
from widgets.walking.examples import WALK_PATH, sample_style, walk_styles
from widgets.walking.lane import StyleLane
from widgets.walking.panel import WalkPanel
from widgets.walking.path_editing import PathEditing

WORKSPACE, PANEL, TOOL = "Walk", "Path", "path"


class WalkActions(QObject):
    """Walks along a path as a window has them: their state, panel, lane and actions."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.widget)
        self._desk = desk
        self.editing = PathEditing(desk.document, desk.session, desk.showing, self)
        self.editing.usual_style = sample_style
        self.editing.run = self._run
        self.editing.begun.connect(desk.play_when_shown)
        self._dropped: tuple[str, float] | None = None  # on which walk, and where, clips fell that are being read
        self.panel = WalkPanel(self.editing, desk.session, desk.showing)
        self.lane = StyleLane(self.editing, desk.document, desk.showing, self)
        self.panel.example_wanted.connect(self.walk_example)
        self.panel.file_wanted.connect(self.add_style)
        self.panel.canvas.files_dropped.connect(self._on_files_dropped)
        for view in (self.panel.canvas, self.panel.profile):
            view.hint_changed.connect(desk.show_hint)
        self.editing.said.connect(desk.banner.say)
        self.editing.changed.connect(self._on_changed)
        desk.clips_added.connect(self._on_clips_added)

    def actions(self) -> tuple[Action, ...]:
        """All that can be done."""
        editing, has_walk = self.editing, self._has_walk
        return (
            Action(
                "draw_path", "&Draw a path", "Walk", 110, "Draw a line on the floor, and a character walks along it",
                self.draw_path, "", "draw", synonyms="trajectory route locomotion",
            ),
            tool_action(
                self._desk, TOOL, "&Path in the viewport", "Walk", 120,
                "Draw the path on the viewport's floor, and move its points", "L", "path_smooth",
            ),
            Action(
                "path_from_clip", "Walk along the &clip's way", "Walk", 130,
                "A walk along the way of the clip, in its style", self.path_from_clip,
                is_enabled=lambda: self._desk.showing.current is not None,
            ),
            Action(
                "add_style", "&Add style…", "Walk", 210, "Walk a part of the path in the style of a file",
                self.add_style, is_enabled=has_walk,
            ),
            Action(
                "close_path", "C&lose or open the path", "Walk", 220, "Join the path's end to its start, or part them",
                editing.toggle_closed, is_enabled=has_walk,
            ),
            Action(
                "reverse_path", "&Reverse path", "Walk", 230, "Walk the path the other way", editing.reverse,
                is_enabled=has_walk,
            ),
            Action(
                "walk_example", "&Example: three styles on a path", "Walk", 310,
                "A walk in three styles on a winding path", self.walk_example,
            ),
        )  # fmt: skip

    def _has_walk(self) -> bool:
        return self.editing.walk is not None

    def _on_changed(self) -> None:
        self._desk.refresh_actions()
        if self._desk.tools.name == TOOL:
            self._desk.viewport.refresh()

    def _run(self, work: Callable[[], object], then: Callable[[object], None]) -> None:
        """What takes long is done by a worker."""
        job = self._desk.jobs.start("Following the drawing", lambda tell: work())
        job.finished.connect(then)
        job.failed.connect(self._on_failed)
        for ended in (job.failed, job.cancelled):
            ended.connect(self.editing.forget_drawing)

    # Actions

    def draw_path(self) -> None:
        """Begin a new path, on the canvas or in the viewport."""
        if self._desk.workspace != WORKSPACE:
            self._desk.go_to_workspace(WORKSPACE)
        self._desk.show_panel(PANEL)
        self.editing.set_drawing(True)
        self.panel.canvas.setFocus()

    def add_style(self) -> None:
        """Ask for a file whose style is walked from the middle of the last one on."""
        kinds = " ".join(f"*{one}" for one in READABLE)
        names, _ = QFileDialog.getOpenFileNames(
            self._desk.widget, "Style of a file", str(self._desk.folder()), f"Motion ({kinds});;All (*)"
        )
        bands = self.editing.bands
        if names and bands:
            self._on_files_dropped([Path(name) for name in names], 0.5 * (bands[-1].from_m + bands[-1].to_m))

    def path_from_clip(self) -> None:
        """Walk along the way of the clip that is shown, in its own style."""
        shown = self._desk.showing.current
        if shown is None:
            return
        take, clip = shown.final, shown.clip.id
        job = self._desk.jobs.start("Following the clip's way", lambda tell: (clip, path_of_clip(take)))
        job.finished.connect(self._on_path_found)
        job.failed.connect(self._on_failed)

    def _on_path_found(self, found: tuple[str, WalkedPath]) -> None:
        clip, path = found
        if clip in self._desk.document.project:
            self._draw(path, ((0.0, clip),), "Path walk")

    def walk_example(self) -> None:
        """Add a walk in three styles along a winding path."""
        self._job: Job = self._desk.jobs.start_reading("Reading the samples", lambda tell: walk_styles())
        self._job.finished.connect(self._on_styles_read)
        self._job.failed.connect(self._on_failed)

    def _on_styles_read(self, styles: tuple[tuple[float, str], ...]) -> None:
        self._draw(WALK_PATH, styles, "Walk along a path")
        if self._desk.workspace != WORKSPACE:
            self._desk.go_to_workspace(WORKSPACE)
        self._desk.play_when_shown()

    def _draw(self, path: WalkedPath, styles: tuple[tuple[float, object], ...], name: str) -> None:
        document = self._desk.document
        try:
            document.do(draw_walk, path, styles, name)
        except ValueError as error:
            self._desk.banner.warn(str(error))
            return
        self._desk.session.look(clip=document.project.clips[-1].id)

    def _on_failed(self, reason: str, details: str) -> None:
        self._desk.banner.warn(reason)

    # Files on the path

    def _on_files_dropped(self, paths: list[Path], at_m: float) -> None:
        self._dropped = (self.editing.clip_id, at_m) if self.editing.clip_id is not None else None
        self._desk.open_paths(paths)

    def _on_clips_added(self, clip_id: str) -> None:
        """Clips were read: what fell on a path becomes a style there, and the walk is looked at again."""
        dropped, self._dropped = self._dropped, None
        if dropped is not None and dropped[0] in self._desk.document.project:
            self._desk.session.look(clip=dropped[0])
            self.editing.add_style(clip_id, dropped[1])
