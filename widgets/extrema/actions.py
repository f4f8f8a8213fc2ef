"""What the actions on extreme poses do; the lanes of the timeline and the viewport's ghosts go by the same extremes."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog

from editor.extrema.find import ExtremaSettings, joint_measured, selected
from editor.extrema.parts import WHOLE_BODY
from model.clip import Take
from model.extremes import Extreme
from model.motion import Motion
from model.skeleton import JointRef
from widgets.common.theme import theme
from widgets.extrema.joint_lane import JointExtremesLane
from widgets.extrema.lane import ExtremeLane
from widgets.extrema.measure_lane import MeasureLane
from widgets.viewport.strip import chosen, pose_strip

if TYPE_CHECKING:
    from app.window import Window


class ExtremeActions(QObject):
    """One method an action, of the same name as in `menus.TABLE`."""

    def __init__(self, window: "Window") -> None:
        super().__init__(window)
        self._window = window
        self._extrema = window.extrema
        self.lane = ExtremeLane(window.extrema, window.session, self)
        timeline = window.timeline
        timeline.add_lane(self.lane, place=1)  # below the poses, over the contacts
        timeline.add_lane(MeasureLane(window.extrema, self))  # contacts are seen in a small window too
        timeline.add_lane(JointExtremesLane(window.extrema, window.session, self))
        window.extrema.changed.connect(self.refresh)
        window.curves.extremes_wanted.connect(self.keys_at_extremes)

    def previous_extreme(self) -> None:
        self._step(-1)

    def next_extreme(self) -> None:
        self._step(1)

    def _step(self, by: int) -> None:
        self._window.timeline.playback.pause()
        self._extrema.step(by)

    def add_extreme(self) -> None:
        self._extrema.add(self._window.session.view.time_s)

    def pin_extreme(self) -> None:
        if (one := self._meant()) is not None:
            self._extrema.toggle_pin(one)

    def delete_extreme(self) -> None:
        if (one := self._meant()) is not None:
            self._extrema.remove(one)

    def _meant(self) -> Extreme | None:
        """The extreme at the playhead; else the selected one; the ends of the clip are none that hands change."""
        now_s, shown = self._window.session.view.time_s, self._window.showing.current
        half_s = 0.0 if shown is None else 0.5 * shown.take.motion.frame_time_s
        here = [one for one in self._extrema.extremes if abs(one.time_s - now_s) <= half_s]
        one = next((one for one in here if not one.is_end), self._extrema.selected)
        if one is None or one.is_end:
            self._window.banner.say("There is no extreme pose at this frame. Press , and . to go to them")
            return None
        return one

    def ghost_extremes(self, on: bool) -> None:
        self._window.viewport.set_options(ghost_keys=on)

    def keys_at_extremes(self) -> None:
        """Put keys on the curves that are shown, where their joints are at their extremes."""
        shown = self._window.showing.current
        refs = {track.channel.joint for track in self._window.curves.editing.edited_tracks}
        if shown is None or not refs:
            return
        take, edit = shown.take, self._extrema.edit
        settings, level = replace(edit.settings, part=WHOLE_BODY), edit.level
        job = self._window.jobs.start(
            "Finding extremes of joints", lambda tell: (take, joint_moments_s(take.motion, refs, settings, level))
        )
        job.finished.connect(self._on_moments)
        job.failed.connect(self._on_failed)

    def _on_moments(self, found: tuple[Take, dict[JointRef, tuple[float, ...]]]) -> None:
        shown, (take, moments_s) = self._window.showing.current, found
        if shown is not None and shown.take is take:
            self._window.curves.insert_at_extremes(moments_s)

    def pose_strip(self) -> None:
        """Save the extreme poses of the clip side by side as a picture."""
        shown = self._window.showing.current
        if shown is None or not self._extrema.extremes:
            return
        name, _ = QFileDialog.getSaveFileName(
            self._window,
            "Save the pose strip",
            str(self._window.doing.folder() / f"{shown.clip.name} poses.png"),
            "Picture (*.png)",
        )
        if name:
            self.save_strip(Path(name) if Path(name).suffix else Path(name).with_suffix(".png"))

    def save_strip(self, path: Path) -> None:
        """Draw the poses beside the interface, and write the picture."""
        shown = self._window.showing.current
        assert shown is not None
        take, some, chosen_theme = shown.take, chosen(self._extrema.extremes, None), theme()
        job = self._window.jobs.start(
            f"Drawing {path.name}", lambda tell: _saved(pose_strip(take, some, chosen_theme, painter=True), path)
        )
        job.finished.connect(self._on_saved)
        job.failed.connect(self._on_failed)

    def _on_saved(self, path: Path) -> None:
        self._window.banner.say(f"Saved {path.name}")

    def _on_failed(self, reason: str, details: str) -> None:
        self._window.banner.warn(reason)

    def refresh(self) -> None:
        """Let actions and ghosts go by the extremes that there are."""
        extremes = self._extrema.extremes
        times_s = tuple(one.time_s for one in extremes)
        if times_s != self._window.viewport.key_times_s:
            self._window.viewport.key_times_s = times_s
        for name in ("previous_extreme", "next_extreme", "add_extreme", "pin_extreme", "delete_extreme", "pose_strip"):
            self._window.actions_[name].setEnabled(bool(extremes))


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
