"""Work away from the interface: jobs with progress and Cancel, and takes worked out while the window stays alive."""

import contextlib
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from PySide6.QtCore import QObject, QTimer, Signal

from editor.document.threads import Workers
from editor.stack.context import Progress
from editor.stack.evaluator import Evaluator, Stage
from model.clip import Cancelled
from model.files.problems import MotionFileError
from model.project import Project

_WORKERS = 2
# So long what is no longer wanted may go on, for it may be done.
_PATIENCE_MS = 150
# So long closing waits at most: what computes hears of it soon, what writes is let finish, what reads may never end.
_COMPUTING_S = 10.0
_WRITING_S = 20.0
_READING_S = 0.5


class Job(QObject):
    """Something that is being worked on. Exactly one of finished, failed and cancelled comes, on the thread it was
    started from, and then `over`.

    Whoever listens should be a method of a QObject, not a lambda that holds the job: such circles are cleared on
    whatever thread Python happens to be, and Qt's objects must not die on a worker's.
    """

    progressed = Signal(float)
    finished = Signal(object)
    failed = Signal(str, str)  # what to tell the user, and the traceback where it is our own bug
    cancelled = Signal()
    over = Signal(object)  # the job itself
    # From the worker's thread to ours; who listens to the others is called on ours.
    _done = Signal(object, object)
    _reported = Signal(float)

    def __init__(
        self, title: str, work: Callable[[Progress], object], parent: QObject | None = None, may_block: bool = False
    ) -> None:
        """may_block : whether the work may never come back, so that it is left behind when it is cancelled."""
        super().__init__(parent)
        self.title = title
        self.result: object = None
        self.reason: str | None = None  # why it failed
        self.started_s = time.monotonic()
        self._work: Callable[[Progress], object] | None = work
        self._may_block = may_block
        self._stop = False
        self._is_over = False
        self._told = -1.0
        self._done.connect(self._on_done)
        self._reported.connect(self.progressed)

    @property
    def fraction(self) -> float:
        """How much of the work was done when it last told."""
        return max(self._told, 0.0)

    @property
    def is_called_off(self) -> bool:
        """Whether somebody asked for the work to stop."""
        return self._stop

    def cancel(self) -> None:
        """Ask for the work to stop; it does at its next report of progress, or goes on where nobody listens."""
        self._stop = True
        if self._may_block:
            QTimer.singleShot(0, self, self._leave)

    def run(self) -> None:
        """Do the work, on a worker's thread."""
        result: object = None
        error: BaseException | None = None
        work, self._work = self._work, None
        assert work is not None
        try:
            self._report(0.0)
            result = work(self._report)
        except BaseException as raised:  # everything is told to whoever started the job
            error = raised
        with contextlib.suppress(RuntimeError):  # the window has been closed: nobody is left to be told
            self._done.emit(result, error)

    def _report(self, fraction: float) -> None:
        if self._stop:
            raise Cancelled
        if fraction >= self._told + 0.01 or fraction < self._told:
            self._told = fraction
            self._reported.emit(fraction)

    def _leave(self) -> None:
        self._on_done(None, Cancelled())

    def _on_done(self, result: object, error: BaseException | None) -> None:
        if self._is_over:
            return
        self._is_over = True
        if isinstance(error, Cancelled) or (self._stop and error is None):
            self.cancelled.emit()
        elif error is not None:
            expected = isinstance(error, ValueError | OSError | MotionFileError)
            self.reason = str(error) if expected else f"{self.title} failed: {error}"
            self.failed.emit(self.reason, "" if expected else "".join(traceback.format_exception(error)))
        else:
            self.result = result
            self.finished.emit(result)
        self.over.emit(self)


@dataclass(frozen=True)
class _Lane:
    """Jobs on files that are done one after the other, on a thread of their own."""

    kind: Literal["reader", "writer"]
    name: str


class Jobs(QObject):
    """Runs jobs on threads; numpy lets several compute at once."""

    started = Signal(object)
    ended = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = Workers(_WORKERS, "motionwright")
        self._lanes: dict[_Lane, Workers] = {}
        self._lane_of: dict[Job, _Lane] = {}
        self._readers = 0
        self._left: list[Workers] = []  # the threads of lanes that are over, for what was cancelled may still go on
        self._jobs: list[Job] = []
        self._is_closed = False

    @property
    def running(self) -> tuple[Job, ...]:
        return tuple(self._jobs)

    @property
    def is_at_work(self) -> bool:
        """Whether threads are still at work, such as on a file that never answers."""
        return any(workers.is_busy for workers in (self._pool, *self._lanes.values(), *self._left))

    def start(self, title: str, work: Callable[[Progress], object]) -> Job:
        """Start work that computes and reports its progress. Connect to the job's signals at once: they come later."""
        return self._start(Job(title, work, self), self._pool)

    def start_reading(self, title: str, work: Callable[[Progress], object]) -> Job:
        """Start work that reads files, which may never answer: on a thread that no other work waits for."""
        self._readers += 1
        return self._start_in_lane(title, work, _Lane("reader", str(self._readers)))

    def start_writing(self, title: str, work: Callable[[Progress], object], path: Path) -> Job:
        """Start work that writes a file, after all that was to be written to it before."""
        return self._start_in_lane(title, work, _Lane("writer", str(path)))

    def cancel_computing(self) -> None:
        """Cancel what computes; files go on being read and written."""
        for job in self._jobs:
            if job not in self._lane_of:
                job.cancel()

    def close(self) -> None:
        """Cancel everything, and wait until it has stopped, but not for ever."""
        self._is_closed = True
        for job in self._jobs:
            job.cancel()
        for workers in (self._pool, *self._lanes.values()):
            workers.close()
        now_s = time.monotonic()
        for lane, workers in self._lanes.items():
            end_s = now_s + (_READING_S if lane.kind == "reader" else _WRITING_S)
            workers.wait(end_s - time.monotonic())
        self._pool.wait(now_s + _COMPUTING_S - time.monotonic())

    def _start_in_lane(self, title: str, work: Callable[[Progress], object], lane: "_Lane") -> Job:
        job = Job(title, work, self, may_block=True)
        self._lane_of[job] = lane
        return self._start(job, self._lanes.setdefault(lane, Workers(1, f"{lane.kind} {lane.name}")))

    def _start(self, job: Job, workers: Workers) -> Job:
        self._jobs.append(job)
        job.over.connect(self._on_over)
        self.started.emit(job)
        if self._is_closed:
            job.cancel()
            QTimer.singleShot(0, job, job.run)  # which ends it, once whoever starts it has connected to it
        else:
            workers.submit(job.run)
        return job

    def _on_over(self, job: Job) -> None:
        self._jobs.remove(job)
        lane = self._lane_of.pop(job, None)
        if lane is not None and lane not in self._lane_of.values():
            workers = self._lanes.pop(lane)
            workers.close()
            self._left = [*(one for one in self._left if one.is_busy), workers]
        self.ended.emit(job)
        job.deleteLater()


@dataclass(frozen=True, eq=False)
class _Request:
    """What a view wants to see."""

    project: Project
    clip_id: str

    @property
    def names(self) -> dict[str, str]:
        """What the clip and all clips that it is made of are called, which failures tell."""
        clips = (self.clip_id, *self.project.depends_on(self.clip_id))
        return {clip_id: self.project.clip(clip_id).name for clip_id in clips}


class Evaluations(QObject):
    """The stages of clips as the views want them: at once where they are known, else later, told by `evaluated`."""

    evaluated = Signal(str, object)  # the clip's id, its stages
    failed = Signal(str, str)  # the clip's id, why there is no take: its source fails, or somebody cancelled

    def __init__(self, evaluator: Evaluator, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.evaluator = evaluator
        self._jobs = jobs
        self._wanted: dict[str, _Request] = {}
        self._running: dict[Job, _Request] = {}
        self._dropped: set[Job] = set()  # those of them that were cancelled before what is wanted now was wanted
        self._patience = QTimer(self)
        self._patience.setInterval(_PATIENCE_MS // 3)
        self._patience.timeout.connect(self._call_off)

    def want(self, project: Project, clip_id: str) -> tuple[Stage, ...] | None:
        """The clip's stages where they are known; None where they are worked out now and told by `evaluated`.

        What was wanted before is cancelled, unless it is the same work. But it is given a moment to end: in a drag,
        whose every move wants something new, what is nearly done is told on the way.
        """
        known = self.evaluator.known(project, clip_id)
        job = next((job for job, running in self._running.items() if running.clip_id == clip_id), None)
        if known is not None:
            if job is not None:
                job.cancel()
            self._wanted.pop(clip_id, None)
            return known
        request = self._wanted[clip_id] = _Request(project, clip_id)
        if job is None:
            self._start(request)
        elif job.is_called_off:
            self._dropped.add(job)
        elif not self._does(self._running[job], request):
            self._patience.start()
        return None

    def is_waiting(self, clip_id: str) -> bool:
        """Whether what was wanted last of a clip is still being worked out."""
        return clip_id in self._wanted

    def _does(self, running: _Request, wanted: _Request) -> bool:
        """Whether what is being computed is the work that is wanted."""
        return running is wanted or self.evaluator.is_same_work(wanted.clip_id, running.project, wanted.project)

    def _start(self, request: _Request) -> None:
        evaluator, project, clip_id = self.evaluator, request.project, request.clip_id
        job = self._jobs.start(
            f"Working out {project.clip(clip_id).name}", lambda tell: _seen(evaluator.stages(project, clip_id, tell))
        )
        self._running[job] = request
        job.over.connect(self._on_over)

    def _call_off(self) -> None:
        """Call off what has gone on for long although something else is wanted."""
        late = [job for job, request in self._running.items() if not self._is_wanted(request)]
        for job in late:
            if time.monotonic() - job.started_s > _PATIENCE_MS / 1000.0:
                self._dropped.add(job)
                job.cancel()
        if not late:
            self._patience.stop()

    def _is_wanted(self, request: _Request) -> bool:
        wanted = self._wanted.get(request.clip_id)
        return wanted is not None and self._does(request, wanted)

    def _on_over(self, job: Job) -> None:
        """Tell what was found if it is what is wanted now, or go on with that."""
        request, is_dropped = self._running.pop(job), job in self._dropped
        self._dropped.discard(job)
        wanted = self._wanted.get(request.clip_id)
        if wanted is None:
            return
        result = job.result if isinstance(job.result, tuple) else None
        if wanted is not request:
            # The project has changed meanwhile: what was found is the answer only where the evaluator says so.
            known = self.evaluator.known(wanted.project, wanted.clip_id)
            is_answer = not is_dropped and self._does(request, wanted) and request.names == wanted.names
            if known is None and not is_answer:
                if result is not None:
                    self.evaluated.emit(request.clip_id, result)
                self._start(wanted)
                return
            result = known or result
        del self._wanted[request.clip_id]
        if result is not None:
            self.evaluated.emit(request.clip_id, result)
        else:
            self.failed.emit(request.clip_id, job.reason or "Cancelled")


def _seen(stages: tuple[Stage, ...]) -> tuple[Stage, ...]:
    """The stages, of which the last has worked out where its joints are: views will ask for that at once."""
    _ = stages[-1].take.motion.world
    return stages
