"""What the actions on staggered poses do; their lane is in the timeline."""

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject

from editor.posing.edit import TargetPoses
from editor.stack.clips import add_clip
from editor.stack.layers import add_edit
from editor.stagger.commands import take_in_poses
from editor.stagger.edit import Stagger
from editor.stagger.source import made_of
from widgets.stagger.lane import StaggerLane
from widgets.stagger.staggering import StaggerBasis, Staggering

if TYPE_CHECKING:
    from app.window import Window

_COPIES = 5
# A target pose so near to a staggered one is meant for it.
_NEAR_S = 0.1


class StaggerActions(QObject):
    """One method an action, of the same name as in `menus.TABLE`."""

    def __init__(self, window: "Window") -> None:
        super().__init__(window)
        self._window = window
        self.staggering = Staggering(window.document, window.session, window.showing, window.jobs, self)
        self.lane = StaggerLane(self.staggering, self)
        self.lane.edit_wanted.connect(self.stagger)
        self.lane.clip_wanted.connect(self.stagger_clip)
        self.lane.poses_wanted.connect(self.take_in_poses)
        self.lane.extremes_wanted.connect(self._pose_extremes)
        window.timeline.add_lane(self.lane, place=1)  # below the poses: unfolded it is tall
        self._is_timing = False
        self.lane.changed.connect(self._show_lane)
        self.lane.changed.connect(self._show_copies)
        window.session.changed.connect(self._show_copies)

    def set_timing(self, on: bool) -> None:
        """The window is arranged for timing, where the lane is shown and unfolded also while it is empty."""
        self._is_timing = on
        self._show_lane()
        self.unfold(on)

    def _show_lane(self) -> None:
        """Elsewhere an empty lane would push the contacts of feet out of a small window."""
        self._window.timeline.show_lane(self.lane, self._is_timing or self.staggering.layer is not None)

    def unfold(self, unfolded: bool = True) -> None:
        """Show the joints of the poses, or the poses alone."""
        self._window.timeline.fold(self.lane, not unfolded)

    def stagger(self) -> None:
        """Go to the edit that staggers the clip's poses, and make one where there is none."""
        window, shown = self._window, self._window.showing.current
        if shown is None:
            return
        layer = self.staggering.layer
        if layer is None:
            window.document.do(add_edit, shown.clip.id, Stagger())
            layer = window.document.project.clip(shown.clip.id).layers[-1]
        window.session.look(layer=layer.id)
        self.unfold()

    def ghost_stagger(self, on: bool) -> None:
        self._window.viewport.set_options(ghost_stagger=on)
        self._show_copies()

    def _show_copies(self, *_: object) -> None:
        """Let copies stand in the viewport from the first to the last knot of the pose nearest to the playhead."""
        viewport, columns = self._window.viewport, self.lane.columns
        if not viewport.options.ghost_stagger:
            return
        times_s: tuple[float, ...] = ()
        if columns is not None and len(columns.centres):
            pose = int(np.argmin(np.abs(columns.centres - self._window.session.view.time_s)))
            knots = columns.knots[pose, list(columns.joints)]
            times_s = tuple(np.linspace(np.min(knots), np.max(knots), _COPIES).tolist())
        viewport.stagger_times_s = times_s

    def take_in_poses(self) -> None:
        """Make the target poses that stand near staggered poses values of these."""
        basis, window = self.staggering.basis, self._window
        found = None if basis is None else self._near_poses(basis)
        if basis is None or found is None:
            window.banner.say("There is no target pose near a staggered one: pose the figure at one first")
            return
        layer, pairs = found
        window.session.look(layer=basis.layer)
        window.document.do(take_in_poses, basis.shown.clip.id, basis.layer, layer, pairs)

    def _near_poses(self, basis: StaggerBasis) -> tuple[str, tuple[tuple[float, float], ...]] | None:
        """The first edit after this one with target poses near staggered ones, and which belong together."""
        place = basis.shown.clip.place_of(basis.layer)
        centres = basis.plan.after.times_s
        if place + 1 >= len(basis.shown.stages) or not len(centres):
            return None
        time_map = basis.shown.stages[place + 1].time_map
        for layer in basis.shown.clip.layers[place + 1 :]:
            if not isinstance(layer.edit, TargetPoses):
                continue
            pairs: dict[int, tuple[float, float]] = {}
            for pose in layer.edit.poses:
                away = np.abs(centres - float(time_map(pose.time_s)))
                nearest = int(np.argmin(away))
                if away[nearest] <= _NEAR_S:
                    pairs.setdefault(nearest, (float(basis.found_s[nearest]), pose.time_s))
            if pairs:
                return layer.id, tuple(pairs[nearest] for nearest in sorted(pairs))
        return None

    def stagger_extremes(self, on: bool) -> None:
        """See and pose staggered poses with every joint in its extreme, or as the body passes through them."""
        self._window.posing.set_extremes(on)
        if on:
            self._window.banner.say("At a staggered pose every joint is shown in its extreme, all at once")

    def _pose_extremes(self) -> None:
        self._window.actions_["stagger_extremes"].setChecked(True)
        self._window.posing_actions.edit_pose()

    def stagger_clip(self) -> None:
        """Make a clip out of the poses alone: their extremes and their timing, and nothing of what is between."""
        basis = self.staggering.basis
        if basis is None:
            self._window.banner.say("There are no staggered poses yet. Choose Clip > Stagger timing first")
            return
        place = basis.shown.clip.place_of(basis.layer) + 1
        motion = basis.shown.stages[min(place, len(basis.shown.stages) - 1)].take.motion
        name = f"{basis.shown.clip.name} poses"
        source = made_of(motion, basis.plan.after, name)
        self._window.document.do(add_clip, source, name)
        made = self._window.document.project.clips[-1].name
        self._window.banner.say(f"{made} is in the library: a clip of these poses and their timing alone")
