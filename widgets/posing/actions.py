"""What the actions of the menu Pose do, and the bar of them over the viewport."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QActionGroup

from widgets.posing.bar import PoseBar
from widgets.posing.lane import PoseLane
from widgets.posing.pose_tools import PoseTools
from widgets.posing.repeating import Repeating

if TYPE_CHECKING:
    from app.window import Window

_TOOLS = {
    "tool_select": "select",
    "tool_move": "move",
    "tool_rotate": "rotate",
    "tool_ik": "ik",
    "tool_ground": "ground",
    "tool_path": "path",
}
_BAR = (
    tuple(_TOOLS),
    ("world_axes", "pin"),
    ("auto_key", "add_pose", "repeat_pose"),
    ("grounded",),
    ("mirror_pose", "copy_pose", "paste_pose"),
)


class PosingActions(QObject):
    """One method an action, of the same name as in `menus.TABLE`."""

    def __init__(self, window: "Window") -> None:
        super().__init__(window)
        self._window = window
        self._posing = window.posing
        self.repeating = Repeating(window.document, window.session, window.posing, window.extrema, window.jobs, self)
        self.tools = PoseTools(window.viewport, window.posing, self.repeating, self)
        self.lane = PoseLane(window.document, window.session, window.showing, self)
        self.lane.pose_wanted.connect(window.posing.add)
        self.lane.edit_wanted.connect(self.edit_pose)
        self.lane.repeat_wanted.connect(self.repeating.begin)
        window.timeline.add_lane(self.lane, place=0)

    def make_bar(self) -> PoseBar:
        """The bar, once the actions are there."""
        actions = self._window.actions_
        group = QActionGroup(self)
        for name in _TOOLS:
            group.addAction(actions[name])
        actions["tool_select"].setChecked(True)
        actions["auto_key"].setChecked(self._posing.auto_key)
        self.bar = PoseBar(self._posing, self.repeating, [[actions[name] for name in names] for names in _BAR])
        self.bar.setProperty("help", "posing")
        playback = self._window.timeline.playback
        self._posing.began.connect(playback.pause)
        self._posing.said.connect(self._window.banner.say)
        self.repeating.said.connect(self._window.banner.say)
        self._window.extreme_actions.lane.edit_wanted.connect(self.edit_pose)
        self._window.session.changed.connect(self._on_changed)
        playback.changed.connect(self._on_playback)
        self._posing.changed.connect(self._on_changed)
        self._window.showing.changed.connect(self._on_changed)
        self._on_changed()
        return self.bar

    def _on_playback(self) -> None:
        self._posing.set_asleep(self._window.timeline.playback.playing)

    def _on_changed(self, *_: object) -> None:
        shown = self._window.showing.current is not None
        for name in ("mirror_pose", "copy_pose", "add_pose", "pin", "edit_pose", "repeat_pose"):
            self._window.actions_[name].setEnabled(shown)
        grounded = self._window.actions_["grounded"]
        if grounded.isChecked() != self._posing.grounded:
            grounded.blockSignals(True)  # it shows what is, and decides nothing
            grounded.setChecked(self._posing.grounded)
            grounded.blockSignals(False)
            grounded.changed.emit()  # to the buttons that show it
        self._window.actions_["paste_pose"].setEnabled(shown and self._posing.can_paste)

    # Tools

    def tool_select(self, on: bool) -> None:
        self._use("tool_select", on)

    def tool_move(self, on: bool) -> None:
        self._use("tool_move", on)

    def tool_rotate(self, on: bool) -> None:
        self._use("tool_rotate", on)

    def tool_ik(self, on: bool) -> None:
        self._use("tool_ik", on)

    def tool_ground(self, on: bool) -> None:
        self._use("tool_ground", on)

    def tool_path(self, on: bool) -> None:
        self._use("tool_path", on)

    def _use(self, name: str, on: bool) -> None:
        if on:
            self.tools.use(_TOOLS[name])

    def world_axes(self, on: bool) -> None:
        self._posing.set_axes("world" if on else "local")

    def auto_key(self, on: bool) -> None:
        self._posing.set_auto_key(on)

    def pin(self) -> None:
        self.tools.toggle_pin()

    # Poses

    def edit_pose(self) -> None:
        """Take hold of the figure at this frame: with the tool in use, or handles to drag it by."""
        self._window.timeline.playback.pause()
        if self.tools.name == "select":
            self._window.actions_["tool_ik"].setChecked(True)
        self._window.viewport.setFocus()

    def grounded(self, on: bool) -> None:
        self._posing.set_grounded(on)

    def repeat_pose(self) -> None:
        """Show at which moments the pose would be repeated; the second time, repeat it there."""
        if not self.repeating.keep():
            self.repeating.begin()

    def add_pose(self) -> None:
        self._posing.add()

    def mirror_pose(self) -> None:
        self._posing.mirror()

    def copy_pose(self) -> None:
        self._posing.copy()

    def paste_pose(self) -> None:
        self._posing.paste()
