"""What the user can do with extreme poses; lanes, panel and ghosts go by the same extremes."""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog

from editor.extrema.find import ExtremaSettings, joint_measured, selected
from editor.extrema.parts import WHOLE_BODY
from model.extremes import Extreme
from model.motion import Motion
from model.skeleton import JointRef
from widgets.common.theme import theme
from widgets.desk.contributions import Action, JointFinder
from widgets.desk.desk import Desk
from widgets.extrema.extrema import Extrema
from widgets.extrema.lane import ExtremeLane
from widgets.extrema.overlay import ExtremeGhosts
from widgets.viewport.strip import chosen, pose_strip


class ExtremeActions(QObject):
    """Extreme poses as a window has them: their state, lane, ghosts and actions."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.widget)
        self._desk = desk
        self.extrema = Extrema(desk.document, desk.session, desk.showing, desk.jobs, self)
        self.ghosts = ExtremeGhosts(self.extrema, self)
        self.lane = ExtremeLane(self.extrema, desk.session, self)
        self.lane.edit_wanted.connect(self._edit_pose)
        self.extrema.changed.connect(desk.refresh_actions)

    def actions(self) -> tuple[Action, ...]:
        """All that can be done."""
        return (
            self._action("add_extreme", "&Add here", "Pose/Extremes", 440, "Say that the pose at this frame is extreme",
                         self.add_extreme, "Shift+I"),
            self._action("pin_extreme", "&Pin or let go", "Pose/Extremes", 450,
                         "Keep the extreme here however few are wanted", self.pin_extreme, "Shift+P"),
            self._action("delete_extreme", "&Delete", "Pose/Extremes", 460, "Remove the extreme at this frame",
                         self.delete_extreme),
            self._action("previous_extreme", "Previous extre&me", "Play", 410,
                         "Go to the extreme pose before this frame", self.previous_extreme, ","),
            self._action("next_extreme", "Next ext&reme", "Play", 420, "Go to the extreme pose after this frame",
                         self.next_extreme, "."),
            self._action("pose_strip", "Save &pose strip…", "File", 240,
                         "Save the extreme poses side by side as a picture", self.pose_strip),
            Action("ghost_extremes", "Ghosts at e&xtremes", "View/Ghosts", 170, "Show the figure at its extreme poses",
                   self.ghosts.set_on, "Shift+G", checkable=True, is_checked=lambda: self.ghosts.is_on,
                   synonyms="onion skin"),
        )  # fmt: skip

    def _action(self, name: str, text: str, menu: str, at: int, tip: str, do: object, keys: str = "") -> Action:
        assert callable(do)
        return Action(name, text, menu, at, tip, do, keys, is_enabled=lambda: bool(self.extrema.extremes))

    def previous_extreme(self) -> None:
        self._step(-1)

    def next_extreme(self) -> None:
        self._step(1)

    def _step(self, by: int) -> None:
        self._desk.timeline.playback.pause()
        self.extrema.step(by)

    def _edit_pose(self) -> None:
        self._desk.trigger("edit_pose")

    def add_extreme(self) -> None:
        self.extrema.add(self._desk.session.view.time_s)

    def pin_extreme(self) -> None:
        if (one := self._meant()) is not None:
            self.extrema.toggle_pin(one)

    def delete_extreme(self) -> None:
        if (one := self._meant()) is not None:
            self.extrema.remove(one)

    def _meant(self) -> Extreme | None:
        """The extreme at the playhead; else the selected one; the ends of the clip are none that hands change."""
        now_s, shown = self._desk.session.view.time_s, self._desk.showing.current
        half_s = 0.0 if shown is None else 0.5 * shown.take.motion.frame_time_s
        here = [one for one in self.extrema.extremes if abs(one.time_s - now_s) <= half_s]
        one = next((one for one in here if not one.is_end), self.extrema.selected)
        if one is None or one.is_end:
            self._desk.banner.say("There is no extreme pose at this frame. Press , and . to go to them")
            return None
        return one

    def joint_finder(self) -> JointFinder:
        """Finds when joints of a motion are at their extremes, as the clip's edit looks for extremes."""
        edit = self.extrema.edit
        return partial(joint_moments_s, settings=replace(edit.settings, part=WHOLE_BODY), level=edit.level)

    def pose_strip(self) -> None:
        """Save the extreme poses of the clip side by side as a picture."""
        shown = self._desk.showing.current
        if shown is None or not self.extrema.extremes:
            return
        start = str(self._desk.folder() / f"{shown.clip.name} poses.png")
        name, _ = QFileDialog.getSaveFileName(self._desk.widget, "Save the pose strip", start, "Picture (*.png)")
        if name:
            self.save_strip(Path(name) if Path(name).suffix else Path(name).with_suffix(".png"))

    def save_strip(self, path: Path) -> None:
        """Draw the poses beside the interface, and write the picture."""
        shown = self._desk.showing.current
        assert shown is not None
        take, some, chosen_theme = shown.take, chosen(self.extrema.extremes, None), theme()
        job = self._desk.jobs.start(
            f"Drawing {path.name}", lambda tell: _saved(pose_strip(take, some, chosen_theme, painter=True), path)
        )
        job.finished.connect(self._on_saved)
        job.failed.connect(self._on_failed)

    def _on_saved(self, path: Path) -> None:
        self._desk.banner.say(f"Saved {path.name}")

    def _on_failed(self, reason: str, details: str) -> None:
        self._desk.banner.warn(reason)


def joint_moments_s(
    motion: Motion, refs: Iterable[JointRef], settings: ExtremaSettings, level: float
) -> dict[JointRef, tuple[float, ...]]:
    """When joints of a motion are at their extremes, its first and last frame with them."""
    joints = {ref: joint for ref in refs if (joint := motion.skeleton.resolve(ref)) is not None}
    return {
        ref: tuple(one.time_s for one in selected(joint_measured(motion, joint, settings), level).found)
        for ref, joint in joints.items()
    }


def _saved(image: QImage, path: Path) -> Path:
    if not image.save(str(path), "png"):  # type: ignore[call-overload]
        raise OSError(f"{path.name} could not be written")
    return path
