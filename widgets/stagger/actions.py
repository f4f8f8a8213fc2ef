"""What the user can do with staggered poses; their lane is in the timeline."""

import numpy as np
from PySide6.QtCore import QObject, Signal

from editor.document.session import View
from editor.document.showing import Shown
from editor.posing.edit import TargetPoses
from editor.posing.place import Place
from editor.stack.clips import add_clip
from editor.stack.layers import add_edit
from editor.stagger.commands import take_in_poses
from editor.stagger.edit import Stagger
from editor.stagger.source import made_of
from widgets.common.pose_places import PosePlaces
from widgets.desk.contributions import Action
from widgets.desk.desk import Desk
from widgets.stagger.lane import StaggerLane
from widgets.stagger.overlay import StaggerGhosts
from widgets.stagger.place import staggered_place_of
from widgets.stagger.staggering import StaggerBasis, Staggering

# A target pose so near to a staggered one is meant for it.
_NEAR_S = 0.1


class StaggerActions(QObject):
    """Staggered poses as a window has them: their state, lane, ghosts and actions."""

    extremes_changed = Signal()  # whether poses are seen with every joint in its extreme

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.widget)
        self._desk = desk
        self.staggering = Staggering(desk.document, desk.session, desk.showing, desk.jobs, self)
        self.lane = StaggerLane(self.staggering, self)
        self.ghosts = StaggerGhosts(self.lane, self)
        self.places = PosePlaces(self._place_of, lambda: self._shows_extremes, self.extremes_changed)
        self.lane.edit_wanted.connect(self.stagger)
        self.lane.clip_wanted.connect(self.stagger_clip)
        self.lane.poses_wanted.connect(self.take_in_poses)
        self.lane.extremes_wanted.connect(self._pose_extremes)
        self._shows_extremes = False
        self._is_timing = False

    def actions(self) -> tuple[Action, ...]:
        """All that can be done."""
        return (
            Action(
                "stagger", "&Stagger timing", "Clip", 170, "Delay parts of the body against each other, pose by pose",
                self.stagger, is_enabled=self._has_clip, synonyms="overlap follow through succession drag delay offset",
            ),
            Action(
                "take_in_poses", "Stagger tar&get poses", "Clip", 180,
                "Let each joint get into target poses at its own time", self.take_in_poses, is_enabled=self._has_clip,
            ),
            Action(
                "stagger_clip", "Clip of staggered &poses", "Clip", 190,
                "A new clip of the poses and their timing alone", self.stagger_clip, is_enabled=self._has_clip,
            ),
            Action(
                "stagger_extremes", "Pose e&xtremes together", "Pose", 360,
                "At a staggered pose, see and pose every joint in its extreme at once; off: as the body passes through "
                "it", self.show_extremes, checkable=True, is_checked=lambda: self._shows_extremes,
            ),
            Action(
                "ghost_stagger", "Copies through the s&taggered pose", "View/Ghosts", 180,
                "Show the body from the first joint that gets into the nearest staggered pose to the last",
                self.ghosts.set_on, checkable=True, is_checked=lambda: self.ghosts.is_on, synonyms="onion skin",
            ),
        )  # fmt: skip

    def _has_clip(self) -> bool:
        return self._desk.clip is not None

    # The lane

    @property
    def is_lane_shown(self) -> bool:
        """Elsewhere an empty lane would push the contacts of feet out of a small window."""
        return self._is_timing or self.staggering.layer is not None

    def set_timing(self, on: bool) -> None:
        """The window is arranged for timing, where the lane is shown and unfolded also while it is empty."""
        self._is_timing = on
        self.lane.changed.emit()
        self.unfold(on)

    def unfold(self, unfolded: bool = True) -> None:
        """Show the joints of the poses, or the poses alone."""
        self._desk.timeline.fold(self.lane, not unfolded)

    # What is done

    def stagger(self) -> None:
        """Go to the edit that staggers the clip's poses, and make one where there is none."""
        desk, shown = self._desk, self._desk.showing.current
        if shown is None:
            return
        layer = self.staggering.layer
        if layer is None:
            desk.document.do(add_edit, shown.clip.id, Stagger())
            layer = desk.document.project.clip(shown.clip.id).layers[-1]
        desk.session.look(layer=layer.id)
        self.unfold()

    def take_in_poses(self) -> None:
        """Make the target poses that stand near staggered poses values of these."""
        basis, desk = self.staggering.basis, self._desk
        found = None if basis is None else _near_poses(basis)
        if basis is None or found is None:
            desk.banner.say("There is no target pose near a staggered one: pose the figure at one first")
            return
        layer, pairs = found
        desk.session.look(layer=basis.layer)
        desk.document.do(take_in_poses, basis.shown.clip.id, basis.layer, layer, pairs)

    def stagger_clip(self) -> None:
        """Make a clip out of the poses alone: their extremes and their timing, and nothing of what is between."""
        basis = self.staggering.basis
        if basis is None:
            self._desk.banner.say("There are no staggered poses yet. Choose Clip > Stagger timing first")
            return
        place = basis.shown.clip.place_of(basis.layer) + 1
        motion = basis.shown.stages[min(place, len(basis.shown.stages) - 1)].take.motion
        name = f"{basis.shown.clip.name} poses"
        source = made_of(motion, basis.plan.after, name)
        self._desk.document.do(add_clip, source, name)
        made = self._desk.document.project.clips[-1].name
        self._desk.banner.say(f"{made} is in the library: a clip of these poses and their timing alone")

    # Posing

    def _place_of(self, shown: Shown, view: View) -> Place | None:
        return staggered_place_of(shown, view.layer, view.time_s, self._shows_extremes)

    def show_extremes(self, on: bool) -> None:
        """See and pose staggered poses with every joint in its extreme, or as the body passes through them."""
        if on != self._shows_extremes:
            self._shows_extremes = on
            self.extremes_changed.emit()
            self._desk.refresh_actions()
            if on:
                self._desk.banner.say("At a staggered pose every joint is shown in its extreme, all at once")

    def _pose_extremes(self) -> None:
        self.show_extremes(True)
        self._desk.trigger("edit_pose")


def _near_poses(basis: StaggerBasis) -> tuple[str, tuple[tuple[float, float], ...]] | None:
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
