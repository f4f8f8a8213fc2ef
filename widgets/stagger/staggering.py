"""The staggered poses of what is shown, as lane and viewport share them: found on a worker, moved at once.

What a hand or a slider asks for is seen in the plan before takes are worked out: the same functions give it that the
edit itself uses. Times are those of the take that the edit makes.
"""

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QObject, Signal

from editor.document.document import Document
from editor.document.jobs import Job, Jobs
from editor.document.session import Session, View
from editor.document.showing import Showing, Shown
from editor.stagger.edit import StageTiming, Stagger, Timing
from editor.stagger.finding import Evidence, FindingSettings, evidence_of, told
from editor.stagger.plan import Plan
from editor.stagger.refining import HAND_SHARE
from model.arrays import Array
from model.clip import Layer, Take
from model.skeleton import Skeleton


@dataclass(frozen=True, eq=False)
class StaggerBasis:
    """An edit of the shown clip that staggers poses, and what it does. layer : its id; before : the take it is given;
    timing : from the source's time to that in which its last round begins; found_s : (N,) the poses' moments in the
    source's time.
    """

    shown: Shown
    layer: str
    edit: Stagger
    before: Take
    timing: Timing
    plan: Plan
    found_s: Array

    @property
    def skeleton(self) -> Skeleton:
        return self.before.motion.skeleton

    def to_shown(self, times_s: Array) -> Array:
        """Moments of the take that the edit makes, in the time of what is shown."""
        place = self.shown.clip.place_of(self.layer) + 1
        if self.shown.place == place or place >= len(self.shown.stages):
            return times_s
        return self.shown.stage.time_map(self.shown.stages[place].time_map.inverse()(times_s))

    def source_s_of(self, at_s: float, by_s: float) -> float:
        """How much of the source's time a way in the take's time is, from a moment on."""
        there, here = self.timing.to_source(np.array([at_s + by_s, at_s]))
        return float(there - here)

    def room(self, pose: int, joint: int) -> tuple[float, float]:
        """Between which moments a knot can be: it stops before those beside it."""
        before, after = self.plan.before_s[:, joint], self.plan.after_s[:, joint]
        low = after[pose] + HAND_SHARE * (before[pose + 1] - before[pose])
        high = after[pose + 2] - HAND_SHARE * (before[pose + 2] - before[pose + 1])
        return float(low), float(high)

    def column_room(self, pose: int) -> tuple[float, float]:
        """Between which moments a pose can be as a whole."""
        before, after = self.plan.centres_s[:, 0], self.plan.centres_s[:, 1]
        low = after[pose] + HAND_SHARE * (before[pose + 1] - before[pose])
        high = after[pose + 2] - HAND_SHARE * (before[pose + 2] - before[pose + 1])
        return float(low), float(high)

    def explained(self, pose: int) -> str:
        """Why a pose is there."""
        return told(self.plan.found, pose, self.skeleton, self.plan.evidence.joint_weights)


class Staggering(QObject):
    """The edit that staggers poses of the clip that is looked at: the selected one, else the last there is."""

    changed = Signal()

    def __init__(
        self, document: Document, session: Session, showing: Showing, jobs: Jobs, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.document, self.session, self.showing, self._jobs = document, session, showing, jobs
        self._basis: StaggerBasis | None = None
        self._job: Job | None = None
        self._finding: tuple[Take, FindingSettings] | None = None
        self._found: tuple[Take, FindingSettings, Evidence] | None = None  # what was found last
        document.restarted.connect(self._on_restarted)
        document.changed.connect(self.refresh)
        showing.changed.connect(self.refresh)
        session.changed.connect(self._on_view_changed)
        self.refresh()

    @property
    def basis(self) -> StaggerBasis | None:
        """What is staggered; None where the clip has no such edit, or its poses are not known yet."""
        return self._basis

    @property
    def is_finding(self) -> bool:
        """Whether the poses are still being looked for."""
        return self._job is not None

    @property
    def layer(self) -> Layer | None:
        """The edit that is meant."""
        shown, view = self.showing.current, self.session.view
        if shown is None:
            return None
        layers = [one for one in shown.clip.layers if isinstance(one.edit, Stagger)]
        return next((one for one in layers if one.id == view.layer), layers[-1] if layers else None)

    def refresh(self, *_: object) -> None:
        """Work the plan out anew, where its poses are known; else look for them."""
        shown, layer = self.showing.current, self.layer
        basis = None
        if shown is not None and layer is not None and shown.clip.place_of(layer.id) < len(shown.stages):
            stage = shown.stages[shown.clip.place_of(layer.id)]
            edit = layer.edit
            assert isinstance(edit, Stagger)
            if stage.take.motion.frames > 2:
                evidence = self._evidence_of(stage.take, edit.settings)
                if evidence is None:
                    self._find(stage.take, edit.settings)
                else:
                    timing = StageTiming(stage.time_map, layer.scope.strength if layer.on else 0.0)
                    last = edit.planned(evidence, stage.take.motion.skeleton, timing)[-1]
                    found_s = last.timing.to_source(last.plan.found.poses.times_s)
                    basis = StaggerBasis(shown, layer.id, edit, stage.take, last.timing, last.plan, found_s)
        self._basis = basis
        self.changed.emit()

    def _find(self, take: Take, settings: FindingSettings) -> None:
        if self._finding is not None and self._finding[0] is take and self._finding[1] == settings:
            return
        if self._job is not None:
            self._job.cancel()
        self._finding = take, settings
        derive = self.showing.evaluator.derived
        self._job = self._jobs.start(
            "Finding staggered poses", lambda tell: (take, settings, derive(evidence_of, take, settings))
        )
        self._job.finished.connect(self._on_found)
        self._job.over.connect(self._on_over)

    def _evidence_of(self, take: Take, settings: FindingSettings) -> Evidence | None:
        """What speaks for poses in a take: as it was found last, or as it is known; None where it is not."""
        if self._found is not None and self._found[0] is take and self._found[1] == settings:
            return self._found[2]
        return self.showing.evaluator.known_derived(evidence_of, take, settings)

    def _on_restarted(self) -> None:
        self._found = None

    def _on_found(self, found: tuple[Take, FindingSettings, Evidence]) -> None:
        self._job, self._found = None, found
        self.refresh()

    def _on_over(self, job: Job) -> None:
        if job is self._job:
            self._job = None
        self._finding = None

    def _on_view_changed(self, before: View, after: View) -> None:
        if (before.clip, before.layer) != (after.clip, after.layer):
            self.refresh()
