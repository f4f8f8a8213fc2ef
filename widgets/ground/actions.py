"""What the user can do to the ground, the bar of the tool, and the offer to let a clip step onto what stands there."""

from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from editor.document.jobs import Job
from editor.ground.commands import set_ground
from model.clip import Edit
from model.files.ground_file import read_ground, read_obj, write_ground
from model.ground import Ground, Mesh
from widgets.desk.contributions import Action, GroundFollower
from widgets.desk.desk import Desk
from widgets.desk.tool_actions import tool_action
from widgets.ground.bar import GroundBar
from widgets.ground.editing import GroundEditing

GROUND_FILES = (".json", ".obj")
TOOL = "ground"


class GroundActions(QObject):
    """The ground as a window has it: its state, bar, files and actions."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.widget)
        self._desk = desk
        self.editing = GroundEditing(desk.document, desk.session, desk.showing, self._follower, self)
        self._offered: set[str | None] = set()  # the clips for which it was offered
        desk.tools.changed.connect(self._on_tool)
        self.editing.changed.connect(self._on_changed)
        self.editing.added.connect(self._on_added)

    def make_bar(self) -> GroundBar:
        """The bar, which is seen with the tool."""
        self.bar = GroundBar(self.editing)
        self.bar.hide()
        return self.bar

    def _follower(self) -> Edit | None:
        return next((brought.make() for brought in self._desk.brought(GroundFollower)), None)

    def _on_tool(self, name: str) -> None:
        is_ours = name == TOOL
        self.bar.setVisible(is_ours)
        if not is_ours:
            self.editing.set_mode("select")
            self.editing.select(None)

    def _on_changed(self) -> None:
        self._desk.refresh_actions()
        if self._desk.tools.name == TOOL:
            self._desk.viewport.refresh()

    def _on_added(self, *_: object) -> None:
        """Something new stands on the ground: offer to let the clip step onto it."""
        clip = self._desk.session.view.clip
        if clip in self._offered or self._desk.tools.name == TOOL or not self.editing.needs_adapting:
            return  # the tool's bar has a button for it
        self._offered.add(clip)
        self._desk.banner.offer(
            "The figure still goes through what stands on the ground.", (("Let it step onto it", self.editing.adapt),)
        )

    # Actions

    def actions(self) -> tuple[Action, ...]:
        """All that can be done."""
        editing, is_shown = self.editing, self._is_shown
        kinds = (("box", "&box", "a box"), ("stairs", "&stairs", "stairs"), ("ramp", "&ramp", "a ramp"))
        adding = (
            Action(
                f"add_{kind}", f"Add {text}", "Ground", 110 + 10 * place, f"Draw {words} on the floor",
                lambda kind=kind: self.add(kind), "", kind, is_enabled=is_shown,
            )
            for place, (kind, text, words) in enumerate(kinds)
        )  # fmt: skip
        return (
            tool_action(
                self._desk, TOOL, "&Ground", "Pose", 220, "Put boxes, stairs and ramps on the floor, and move them",
                "B", "ground",
            ),
            *adding,
            Action(
                "adapt_to_ground", "&Adapt clip to the ground", "Ground", 210,
                "Let the clip step onto what stands there", self.adapt,
                is_enabled=lambda: is_shown() and not editing.clip_heeds_ground,
            ),
            Action(
                "remove_object", "Re&move object", "Ground", 310, "Take the selected object off the ground",
                editing.remove, is_enabled=lambda: editing.selected is not None,
            ),
            Action(
                "clear_ground", "&Clear the ground", "Ground", 320, "Take everything off the ground", editing.clear,
                is_enabled=lambda: not editing.ground.is_flat,
            ),
            Action(
                "import_ground", "&Import ground…", "Ground", 410,
                "Put the objects of a ground file or an OBJ mesh there", self.choose_import,
            ),
            Action(
                "export_ground", "&Export ground…", "Ground", 420, "Write what stands on the ground as JSON",
                self.choose_export, is_enabled=lambda: not editing.ground.is_flat,
            ),
        )  # fmt: skip

    def _is_shown(self) -> bool:
        return self._desk.showing.current is not None

    def add(self, kind: str) -> None:
        """Take the tool, and let the next drag on the floor draw a kind of object."""
        self._desk.trigger(f"tool_{TOOL}")
        self.editing.set_mode(kind)
        self._desk.viewport.setFocus()

    def adapt(self) -> None:
        """Let the clip step onto what stands there."""
        self.editing.adapt()
        if self.editing.ground.is_flat:
            self._desk.banner.say("Nothing stands on the ground yet: press B and draw a box in the figure's way")

    # Files

    def choose_import(self) -> None:
        kinds = " ".join(f"*{one}" for one in GROUND_FILES)
        name, _ = QFileDialog.getOpenFileName(self._desk.widget, "Import ground", "", f"Ground ({kinds});;All (*)")
        if name:
            self.import_file(Path(name))

    def choose_export(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self._desk.widget, "Export the ground", "ground.json", "Ground (*.json)")
        if name:
            path = Path(name)
            self.export_file(path if path.suffix else path.with_suffix(".json"))

    def import_file(self, path: Path) -> None:
        """Put what a ground file or a mesh tells of on the ground, beside what is there."""
        job = self._desk.jobs.start_reading(f"Reading {path.name}", lambda tell: (path, _read(path)))
        job.finished.connect(self._on_read)
        job.failed.connect(self._on_failed)

    def export_file(self, path: Path) -> Job:
        """Write what stands on the ground."""
        ground = self._desk.document.committed.ground
        job = self._desk.jobs.start_writing(f"Writing {path.name}", lambda tell: _write(ground, path), path)
        job.finished.connect(self._on_written)
        job.failed.connect(self._on_failed)
        return job

    def _on_read(self, read: tuple[Path, Ground]) -> None:
        path, ground = read
        document = self._desk.document
        objects = tuple(one for _, one in ground.objects)
        if not objects:
            self._desk.banner.say(f"Nothing stands on the ground of {path.name}")
            return
        document.do(set_ground, document.committed.ground.adding(*objects), f"Import {path.name}")
        self._on_added()
        many = "s" if len(objects) > 1 else ""
        self._desk.banner.say(f"Put {len(objects)} object{many} of {path.name} on the ground")

    def _on_written(self, path: Path) -> None:
        self._desk.banner.say(f"Wrote {path.name}")

    def _on_failed(self, reason: str, details: str) -> None:
        self._desk.banner.warn(reason)


def _read(path: Path) -> Ground:
    return Ground(meshes=(Mesh(read_obj(path)),)) if path.suffix.lower() == ".obj" else read_ground(path)


def _write(ground: Ground, path: Path) -> Path:
    write_ground(ground, path)
    return path
