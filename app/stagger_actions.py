"""What the actions on staggered poses do; their lane is in the timeline."""

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject

from editor.commands.clips import add_clip
from editor.commands.layers import add_edit
from editor.edits.stagger import Stagger
from editor.sources.staggered_poses import made_of
from widgets.common.staggering import Staggering
from widgets.timeline.lanes.stagger import StaggerLane

if TYPE_CHECKING:
    from app.window import Window

_COPIES = 5


class StaggerActions(QObject):
    """One method an action, of the same name as in `menus.TABLE`."""

    def __init__(self, window: "Window") -> None:
        super().__init__(window)
        self._window = window
        self.staggering = Staggering(window.document, window.session, window.showing, window.jobs, self)
        self.lane = StaggerLane(self.staggering, self)
        self.lane.edit_wanted.connect(self.stagger)
        self.lane.clip_wanted.connect(self.stagger_clip)
        window.timeline.add_lane(self.lane, place=1)  # below the poses: unfolded it is tall
        self.lane.changed.connect(self._show_copies)
        window.session.changed.connect(self._show_copies)

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
