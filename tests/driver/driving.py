"""Does one deed after another in the event loop of the window, until there were enough.

Which deed comes next depends on the seed, the number of the step and what is on the screen, not on the clock.
"""

import json
import time
from collections import Counter
from pathlib import Path
from random import Random

from PySide6.QtCore import QCoreApplication, QObject, Qt, QThread, QTimer
from PySide6.QtWidgets import QApplication

from tests.driver.deeds import USUAL, answer
from tests.driver.findings import Findings
from tests.driver.hand import Hand
from tests.driver.seeing import odd_texts
from tests.driver.stage import NEVER, Stage
from tests.driver.watching import Hooks, Memory, Pulse
from tests.driver.world import Deed, Step, World

_SETTLE_TURNS = 120
_SETTLE_MS = 5
_START_OVER_EVERY = 400
_LEAVE_TRIES = 200
_PICTURE_EVERY = 10


class Driver(QObject):
    """Drives a stage, for so many steps or so long, whichever comes first."""

    def __init__(self, stage: Stage, seed: int, steps: int, seconds: float, findings: Findings, hooks: Hooks) -> None:
        super().__init__()
        self._stage = stage
        self._seed, self._steps = seed, steps
        self._findings, self._hooks = findings, hooks
        self._world = World(stage.window, Hand(stage.window), NEVER, stage.files)
        self._end_s = time.monotonic() + seconds
        self._deed: Deed = iter(())
        self._level: int | None = None  # of event loops, while a step is being done
        self._turns = 0
        self._patience = _SETTLE_TURNS
        self._step = 0
        self._is_leaving = 0
        self.usual = dict(USUAL)  # what is done how often
        self.pictures: Path | None = None  # where pictures of the screen go
        self.kinds: Counter[str] = Counter()
        self.changing: Counter[str] = Counter()  # deeds that changed the project
        self.actions: Counter[str] = Counter()
        self._kind = ""
        self._before = stage.document.committed
        self.pulse, self.memory = Pulse(findings), Memory(stage.window, stage.cached_bytes)
        stage.window.jobs.started.connect(self._on_job)
        self._listen_to_actions()
        self._rebase()
        stage.restarted = self._rebase
        self._arm(200)

    # Turning

    def _arm(self, ms: int) -> None:
        QTimer.singleShot(ms, self, self._tick)

    def _tick(self) -> None:
        level = QThread.currentThread().loopLevel()
        if self._level is not None and level <= self._level:
            self._arm(2)  # a step is still being done, and only lets events be handled
            return
        self.pulse.beat()
        step = self._next_step()
        self.pulse.skip()
        if step is None:
            return
        do, wait_ms = step
        self._arm(wait_ms)
        before, self._level = self._level, level
        try:
            do()
        finally:
            self._level = before

    def _next_step(self) -> Step | None:
        step = next(self._deed, None)
        if step is not None:
            return step
        if self._turns < self._patience and (self._turns < 2 or self._stage.is_busy):
            self._turns += 1
            self._arm(_SETTLE_MS)
            return None
        self._count()
        if self.pictures is not None and self._step % _PICTURE_EVERY == 0:
            self._stage.window.screen().grabWindow(0).save(str(self.pictures / f"{self._step:05}.png"))
        if self._step >= self._steps or time.monotonic() > self._end_s or self._is_leaving:
            return self._leave()
        self._choose()
        return lambda: None, 0

    def _choose(self) -> None:
        self._step += 1
        random = Random(f"{self._seed} {self._step}")
        self._stage.choose_by(random)
        self._turns, self._patience = 0, random.choice((2, _SETTLE_TURNS, _SETTLE_TURNS, _SETTLE_TURNS))
        waiting = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        self._world.hand.come_back()
        needs_clips = self._stage.is_empty and random.random() < 0.3
        if (self._step % _START_OVER_EVERY == 0 or needs_clips) and waiting is None:
            self._begin("start over", "start over", iter([(self._stage.start_over, 0)]))
            return
        seldom = {deed: 0.02 * weight for deed, weight in self.usual.items()}
        weights = {answer: 8, **seldom} if waiting else self.usual
        for _ in range(10):
            make = random.choices(list(weights), list(weights.values()))[0]
            made = make(self._world, random)
            if made is not None:
                self._begin(make.__name__, *made)
                return

    def _begin(self, kind: str, name: str, deed: Deed) -> None:
        self._kind, self._deed = kind, deed
        self._before = self._stage.document.committed
        self.kinds[kind] += 1
        self._findings.begin(self._step, name)

    def _count(self) -> None:
        if self._kind and self._stage.document.committed is not self._before:
            self.changing[self._kind] += 1
        self._kind = ""
        for text in odd_texts():
            self._findings.add("odd text", text[:60], text)

    # Leaving

    def _leave(self) -> Step | None:
        """Close what waits, then undo everything and end."""
        self._is_leaving += 1
        waiting = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        if (waiting is not None or QThread.currentThread().loopLevel() > 1) and self._is_leaving < _LEAVE_TRIES:
            if self._world.hand.is_down:
                return lambda: self._world.hand.release(self._stage.window.geometry().center()), 5
            return lambda: self._world.hand.key(Qt.Key.Key_Escape), 5
        return self._finish, 0

    def _finish(self) -> None:
        self._check_file()
        self._undo_all()
        self.pulse.stop()
        QCoreApplication.exit(0)

    def _check_file(self) -> None:
        """A file holds all of a project: read and saved again, it has the same bytes."""
        if self._stage.saved(self._stage.document.committed) != self._stage.saved_again():
            self._findings.add("file", "other bytes", "a project that is saved, opened and saved again has other bytes")

    def _undo_all(self) -> None:
        """What is left when everything is undone is what was opened, byte for byte."""
        document = self._stage.document
        document.cancel()
        while document.done:
            document.undo()
            QApplication.processEvents()
        base, saved = self._base
        if base is not document.committed:
            self._findings.add("undo", "another project", "undoing everything does not lead back to the first project")
        elif self._stage.saved(document.committed) != saved:
            self._findings.add("undo", "other bytes", "undone, the project is saved with other bytes than before")

    # Listening

    def _rebase(self) -> None:
        """From now on, undoing everything leads back here."""
        project = self._stage.document.committed
        self._base = (project, self._stage.saved(project))
        self.pulse.skip()

    def _on_job(self, job: QObject) -> None:
        job.failed.connect(self._on_job_failed)  # type: ignore[attr-defined]

    def _on_job_failed(self, reason: str, details: str) -> None:
        self._hooks.on_job_failed(getattr(self.sender(), "title", "job"), reason, details)

    def _listen_to_actions(self) -> None:
        for action in self._stage.window.actions():
            action.triggered.connect(self._on_action)

    def _on_action(self) -> None:
        self.actions[self.sender().objectName()] += 1

    def write(self, folder: Path) -> None:
        """Write what was done, and how the window fared."""
        told = {
            "steps": self._step,
            "kinds": self.kinds,
            "changing": self.changing,
            "panels": self._world.hand.panels,
            "actions": self.actions,
            "all actions": [action.objectName() for action in self._stage.window.actions()],
            "pauses": self.pulse.histogram,
            "longest ms": self.pulse.longest_ms,
            "slopes": self.memory.slopes(),
            "memory": self.memory.samples,
            "counts": self._findings.counts,
        }
        (folder / "figures.json").write_text(json.dumps(told))
