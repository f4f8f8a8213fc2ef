"""What the actions of the menu Ground do, the bar of the tool, and the offer to let a clip heed what stands there."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from app.files import GROUND_FILES
from widgets.ground.bar import GroundBar
from widgets.ground.tool import GroundTool

if TYPE_CHECKING:
    from app.window import Window


class GroundActions(QObject):
    """One method an action, of the same name as in `menus.TABLE`."""

    def __init__(self, window: "Window") -> None:
        super().__init__(window)
        self._window = window
        self._editing = window.ground_editing
        self._offered: set[str | None] = set()  # the clips for which it was offered
        self._tools = window.posing_actions.tools
        self._tools.add("ground", GroundTool(self._editing))

    def make_bar(self) -> GroundBar:
        """The bar, once the actions are there."""
        self.bar = GroundBar(self._editing)
        self.bar.setProperty("help", "ground")
        self.bar.hide()
        self._tools.changed.connect(self._on_tool)
        self._editing.changed.connect(self._on_changed)
        self._editing.added.connect(self._on_added)
        self._window.files.ground_changed.connect(self._on_added)
        self._on_changed()
        return self.bar

    def _on_tool(self, name: str) -> None:
        is_ours = name == "ground"
        self.bar.setVisible(is_ours)
        if not is_ours:
            self._editing.set_mode("select")
            self._editing.select(None)

    def _on_changed(self) -> None:
        actions, editing = self._window.actions_, self._editing
        shown = self._window.showing.current is not None
        for name in ("add_box", "add_stairs", "add_ramp"):
            actions[name].setEnabled(shown)
        actions["remove_object"].setEnabled(editing.selected is not None)
        for name in ("clear_ground", "export_ground"):
            actions[name].setEnabled(not editing.ground.is_flat)
        actions["adapt_to_ground"].setEnabled(shown and not editing.clip_heeds_ground)
        if self._tools.name == "ground":
            self._window.viewport.refresh()

    def _on_added(self) -> None:
        """Something new stands on the ground: offer to let the clip heed it."""
        clip = self._window.session.view.clip
        if clip in self._offered or self._tools.name == "ground" or not self._editing.needs_adapting:
            return  # the tool's bar has a button for it
        self._offered.add(clip)
        self._window.banner.offer(
            "The figure still goes through what stands on the ground.", (("Let it step onto it", self._editing.adapt),)
        )

    # Actions

    def add_box(self) -> None:
        self._add("box")

    def add_stairs(self) -> None:
        self._add("stairs")

    def add_ramp(self) -> None:
        self._add("ramp")

    def _add(self, kind: str) -> None:
        self._window.actions_["tool_ground"].setChecked(True)
        self._editing.set_mode(kind)
        self._window.viewport.setFocus()

    def adapt_to_ground(self) -> None:
        self._editing.adapt()
        if self._editing.ground.is_flat:
            self._window.banner.say("Nothing stands on the ground yet: press B and draw a box in the figure's way")

    def remove_object(self) -> None:
        self._editing.remove()

    def clear_ground(self) -> None:
        self._editing.clear()

    def import_ground(self) -> None:
        kinds = " ".join(f"*{one}" for one in GROUND_FILES)
        name, _ = QFileDialog.getOpenFileName(self._window, "Import ground", "", f"Ground ({kinds});;All (*)")
        if name:
            self._window.files.import_ground(Path(name))

    def export_ground(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self._window, "Export the ground", "ground.json", "Ground (*.json)")
        if name:
            path = Path(name)
            self._window.files.export_ground(path if path.suffix else path.with_suffix(".json"))
