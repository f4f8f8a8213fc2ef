"""What the views show: the takes of the clip that is looked at, kept up to date while document and session change."""

from dataclasses import dataclass, field

from PySide6.QtCore import QObject, Signal

from editor.document.document import Document
from editor.document.jobs import Evaluations
from editor.document.session import Session, View
from editor.stack.evaluator import Evaluator, Stage
from model.clip import Clip, Take
from model.project import Project
from model.time_map import TimeMap


@dataclass(frozen=True, eq=False)
class Shown:
    """A clip evaluated. stages : its source and what it is after each edit; place : which of them is shown; evaluator :
    keeps what is derived from these.
    """

    clip: Clip
    stages: tuple[Stage, ...]
    place: int
    evaluator: Evaluator = field(default_factory=Evaluator)

    @property
    def stage(self) -> Stage:
        return self.stages[self.place]

    @property
    def take(self) -> Take:
        """What is shown: the output of the selected edit, or with none selected the finished take."""
        return self.stage.take

    @property
    def final(self) -> Take:
        return self.stages[-1].take

    @property
    def source(self) -> Take:
        return self.stages[0].take

    def frame_at(self, time_s: float) -> int:
        """The frame of the shown take that is nearest to a moment of it."""
        motion = self.take.motion
        return min(max(round(time_s / motion.frame_time_s), 0), max(motion.frames - 1, 0))

    @property
    def from_source(self) -> TimeMap:
        """From the time of the source's take to that of the one that is shown."""
        return self.stages[0].time_map.inverse().then(self.stage.time_map)

    def source_take_s(self, source_s: float) -> float:
        """A moment of the source, as edits speak, in the time of the source's take, as people read it."""
        return float(self.stages[0].time_map(source_s))

    def source_s(self, source_take_s: float) -> float:
        """The inverse of `source_take_s`."""
        return float(self.stages[0].time_map.inverse()(source_take_s))


class Showing(QObject):
    """The clip that is looked at and those beside it. Old takes stay until new ones are worked out."""

    changed = Signal()

    def __init__(
        self, document: Document, session: Session, evaluations: Evaluations, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._session = session
        self._evaluations = evaluations
        self._stages: dict[str, tuple[Stage, ...]] = {}
        self._failures: dict[str, str] = {}
        document.changed.connect(self._on_project_changed)
        session.changed.connect(self._on_view_changed)
        evaluations.evaluated.connect(self._on_evaluated)
        evaluations.failed.connect(self._on_failed)
        self._refresh()

    @property
    def evaluator(self) -> Evaluator:
        """Who evaluates, and keeps what is derived from takes that are shown."""
        return self._evaluations.evaluator

    @property
    def current(self) -> Shown | None:
        """The clip that is looked at; None where there is none, or nothing of it is known yet."""
        return self._shown(self._session.view.clip)

    @property
    def compared(self) -> tuple[Shown, ...]:
        """The clips shown beside it."""
        shown = (self._shown(clip_id) for clip_id in self._session.view.compared)
        return tuple(one for one in shown if one is not None)

    def read_s(self, source_s: float) -> float:
        """A moment of the source, as edits speak, in the seconds in which people read it."""
        return source_s if self.current is None else self.current.source_take_s(source_s)

    def meant_s(self, read_s: float) -> float:
        """The inverse of `read_s`."""
        return read_s if self.current is None else self.current.source_s(read_s)

    @property
    def failure(self) -> str | None:
        """Why the clip that is looked at cannot be shown."""
        return self._failures.get(self._session.view.clip or "")

    @property
    def is_late(self) -> bool:
        """Whether the clip that is looked at is still being worked out; what is shown of it is older."""
        return self._evaluations.is_waiting(self._session.view.clip or "")

    @property
    def duration_s(self) -> float:
        """How long the take that is shown lasts."""
        return self.current.take.motion.duration_s if self.current is not None else 0.0

    def _shown(self, clip_id: str | None) -> Shown | None:
        stages = self._stages.get(clip_id or "")
        if clip_id is None or stages is None or clip_id not in self._document.project:
            return None
        clip, view = self._document.project.clip(clip_id), self._session.view
        place = len(stages) - 1
        if clip_id == view.clip and view.layer is not None:
            place = min(clip.place_of(view.layer) + 1, place)
        return Shown(clip, stages, place, self.evaluator)

    def _refresh(self) -> bool:
        """Ask for all that is shown. -> whether something is new already."""
        view, project = self._session.view, self._document.project
        wanted = [clip for clip in (view.clip, *view.compared) if clip is not None and clip in project]
        before = dict(self._stages)
        for gone in set(self._stages) - set(wanted):
            del self._stages[gone]
        for clip_id in wanted:
            stages = self._evaluations.want(project, clip_id)
            if stages is not None:
                self._stages[clip_id] = stages
                self._failures.pop(clip_id, None)
        return before != self._stages

    def _on_project_changed(self, before: Project, after: Project) -> None:
        seen = self.current
        if self._refresh() or before.clips != after.clips:
            self._keep_step(seen)
            self.changed.emit()

    def _on_view_changed(self, before: View, after: View) -> None:
        if (before.clip, before.layer, before.compared) != (after.clip, after.layer, after.compared):
            self._refresh()
            self.changed.emit()

    def _on_evaluated(self, clip_id: str, stages: tuple[Stage, ...]) -> None:
        seen = self.current
        self._stages[clip_id] = stages
        self._failures.pop(clip_id, None)
        self._keep_step(seen)
        self.changed.emit()

    def _keep_step(self, seen: Shown | None) -> None:
        """Let the playhead go along with the step at which it is, where a walk was changed. seen : it before."""
        shown = self.current
        if seen is None or shown is None or seen.clip.id != shown.clip.id or shown.stage.steps is None:
            return
        if seen.stage.steps is None or seen.stage.time_map is shown.stage.time_map:
            return
        motion, time_s = shown.take.motion, self._session.view.time_s
        if time_s == 0.0:
            return
        now_s = float(shown.stage.time_map(seen.stage.time_map.inverse()(time_s)))
        frame = min(max(round(now_s / motion.frame_time_s), 0), max(motion.frames - 1, 0))
        if abs(frame * motion.frame_time_s - time_s) > 0.5 * motion.frame_time_s:
            self._session.look(time_s=frame * motion.frame_time_s)

    def _on_failed(self, clip_id: str, reason: str) -> None:
        self._stages.pop(clip_id, None)
        self._failures[clip_id] = reason
        self.changed.emit()
