"""A staggered pose as a place at which the figure is posed: as the body passes through it, or in all its extremes."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from editor.document.showing import Shown
from editor.posing.keying import moved_on, turned_on
from editor.posing.place import NEAR, Call, Place
from editor.posing.pose import Pose, habits_of
from editor.stack.layers import change_edit
from editor.stagger.commands import shape_staggered_pose
from editor.stagger.edit import Planned, StageTiming, Stagger
from editor.stagger.finding import Evidence, evidence_of
from editor.stagger.reshaping import non_staggered
from model.clip import Take
from model.derived import Deriver
from model.time_map import TimeMap


@dataclass(frozen=True, eq=False)
class StaggeredPlace(Place):
    """A staggered pose. edit : the whole edit; planned : its last round, of whose poses it is `number`; result : what
    the edit makes; extremes : whether every joint is seen in its extreme, which each reaches at its own time, instead
    of as the body is at the central time (Coleman 2012, section 7.3, figure 7.6); derive : for the habits of the body.
    """

    edit: Stagger
    planned: Planned
    number: int
    result: Take
    extremes: bool
    derive: Deriver

    @cached_property
    def _through(self) -> Pose:
        return Pose.of(self.result.motion, self.frame, self.derive(habits_of, self.result.motion))

    @cached_property
    def seen(self) -> Pose:
        through = self._through
        if not self.extremes:
            return through
        values = non_staggered(self.result.motion, self.planned.plan.after)[self.number]
        return through.with_rotations(values)

    @property
    def unposed(self) -> Pose | None:
        """Beside the extremes, the pose that the body passes through."""
        return self._through if self.extremes else None

    @property
    def refusal(self) -> str | None:
        return "This is a staggered pose already: drag the figure to give it other values."

    @property
    def stands_in(self) -> bool:
        return self.extremes

    @property
    def grounded(self) -> bool | None:
        return self.edit.keep_contacts

    def ground(self, on: bool) -> Call:
        return change_edit, (self.clip, self.layer, replace(self.edit, keep_contacts=on))

    def kept(self, wanted: Pose, seen: Pose, what: str, grounded: bool) -> Call:
        time_s = float(self.planned.timing.to_source(self.planned.plan.found.poses.times_s)[self.number])
        present = self.edit.change_at(time_s)
        offsets = turned_on(present.offsets, seen, wanted)
        moved = moved_on(present.root_move_m, seen, wanted)
        return shape_staggered_pose, (self.clip, self.layer, time_s, offsets, moved, what, self.extremes)


def staggered_place_of(shown: Shown, layer_id: str | None, time_s: float, extremes: bool) -> StaggeredPlace | None:
    """The staggered pose at a moment of what is shown, where the edit that holds it is selected and acts fully.

    None where there is none, or where its poses are not known yet.
    """
    layer = None if layer_id is None else shown.clip.layer(layer_id)
    if layer is None or not isinstance(layer.edit, Stagger) or not layer.on or not layer.scope.is_everything:
        return None
    place = shown.clip.place_of(layer.id)
    if place + 1 >= len(shown.stages):
        return None
    before, result = shown.stages[place], shown.stages[place + 1].take
    evidence = shown.evaluator.known_derived(evidence_of, before.take, layer.edit.settings)
    if before.take.motion.frames < 3 or evidence is None:
        return None
    last = shown.evaluator.derived(_planned, before.take, before.time_map, layer.edit, evidence)
    frame, step_s = shown.frame_at(time_s), shown.take.motion.frame_time_s
    away = np.abs(last.plan.after.times_s / step_s - frame)
    if not len(away) or np.min(away) > NEAR:
        return None
    return StaggeredPlace(
        shown.clip.id, layer.id, frame, frame * step_s, layer.edit, last, int(np.argmin(away)), result, extremes,
        shown.evaluator.derived,
    )  # fmt: skip


def _planned(take: Take, time_map: TimeMap, edit: Stagger, evidence: Evidence) -> Planned:
    """The last round of an edit: the same for every frame that the playhead comes to."""
    return edit.planned(evidence, take.motion.skeleton, StageTiming(time_map))[-1]
