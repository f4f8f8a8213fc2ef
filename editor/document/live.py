"""Live bodies in real time: runs an engine while somebody steers it, and keeps what steered it."""

import math
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from editor.stack.live import STEP_S, LiveEngine, LivePose, Recording, take_of
from model.clip import Take
from model.limits import MOST_JOINT_FRAMES

# So many steps are made at once where the machine was late; what else was missed is dropped.
MOST_STEPS = 4
_NEAR = 1e-6  # of a step: a timer that comes a hair too soon comes in time


@dataclass(frozen=True, eq=False)
class LiveFigure:
    """A live body as views show it: its last seconds, as a take whose last frame is now.

    hides_take : it stands there instead of the clip that is looked at, else beside it; name : what it is called.
    """

    take: Take
    hides_take: bool = True
    name: str = "Live"


class LiveRunner(QObject):
    """Runs an engine in steps of one length, in real time, and records what steers it.

    A timer wakes for every step when it is due. All is counted from the moment on at which it began to run, so nothing
    drifts. Where the machine was late, the steps that are due are made at once, but at most MOST_STEPS: time beyond
    that is dropped, and the body is slower than the clock, rather than the window slower and slower. While it is paused
    no time passes.

    controls : asked for before every step, for a value that nobody changes afterwards; recent_s : how much of what was
    lately done is kept to be shown; clock : seconds, for tests.
    """

    posed = Signal(object)  # the LivePose after the steps that were due
    changed = Signal()  # whether it runs
    filled = Signal()  # it has paused, for the recording is as long as a clip may be

    def __init__(
        self,
        engine: LiveEngine[Any, Any],
        controls: Callable[[], Any],
        dt_s: float = STEP_S,
        recent_s: float = 4.0,
        clock: Callable[[], float] = time.perf_counter,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._engine, self._controls, self._dt_s, self._clock = engine, controls, dt_s, clock
        self._skeleton = engine.skeleton
        self._most = MOST_JOINT_FRAMES // len(self._skeleton) - 1
        self._recorded: list[Any] = []
        self._recent: deque[LivePose] = deque(maxlen=max(round(recent_s / dt_s), 1) + 1)
        self._takes: dict[int, Take] = {}  # of the last so many frames, as long as no step is made
        # Since when it runs, and the steps that were made since then.
        self._since_s, self._made = 0.0, 0
        self._state, pose = engine.start()
        self._recent.append(pose)
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.tick)
        self._is_running = False

    # What there is

    @property
    def is_running(self) -> bool:
        return self._is_running

    @property
    def pose(self) -> LivePose:
        """How the body stands now."""
        return self._recent[-1]

    @property
    def steps(self) -> int:
        """How many were made since the start."""
        return len(self._recorded)

    @property
    def recording(self) -> Recording[Any]:
        """What steered the body since the start."""
        return Recording(tuple(self._recorded), self._dt_s)

    def recent(self, seconds: float = math.inf) -> Take:
        """The last seconds, as far as they are kept, up to now. While no step is made, the same take every time."""
        frames = len(self._recent)
        if seconds < frames * self._dt_s:
            frames = min(max(round(seconds / self._dt_s), 0) + 1, frames)
        if frames not in self._takes:
            poses = islice(self._recent, len(self._recent) - frames, None)
            self._takes[frames] = take_of(self._skeleton, self._dt_s, poses, frames, self._engine.ground)
        return self._takes[frames]

    # What is done

    def run(self) -> None:
        """Let time pass, from here on."""
        if self._is_running or self.steps >= self._most:
            return
        self._is_running = True
        self._since_s, self._made = self._clock(), 0
        self._wait()
        self.changed.emit()

    def pause(self) -> None:
        """Let no time pass."""
        if self._is_running:
            self._is_running = False
            self._timer.stop()
            self.changed.emit()

    def restart(self) -> None:
        """Begin again from the start, with a recording of its own; running or paused, as before."""
        self._state, pose = self._engine.start()
        self._recorded.clear()
        self._recent.clear()
        self._remember(pose)
        self._since_s, self._made = self._clock(), 0
        self.posed.emit(pose)

    def tick(self) -> None:
        """Make the steps that are due."""
        if not self._is_running:
            return
        due = math.floor((self._clock() - self._since_s) / self._dt_s + _NEAR) - self._made
        if due > MOST_STEPS:
            self._since_s += (due - MOST_STEPS) * self._dt_s
            due = MOST_STEPS
        steps = min(due, self._most - self.steps)
        try:
            for _ in range(steps):
                self._step()
        except BaseException:
            self.pause()  # what fails once would fail at every tick
            raise
        if steps > 0:
            self.posed.emit(self.pose)
        if self.steps >= self._most:
            self.pause()
            self.filled.emit()
        elif self._is_running:
            self._wait()

    def _step(self) -> None:
        controls = self._controls()
        self._state, pose = self._engine.advance(self._state, controls, self._dt_s)
        self._recorded.append(controls)
        self._made += 1
        self._remember(pose)

    def _remember(self, pose: LivePose) -> None:
        self._recent.append(pose)
        self._takes.clear()

    def _wait(self) -> None:
        """Wake when the next step is due; not before the window had its turn."""
        due_s = self._since_s + (self._made + 1) * self._dt_s
        self._timer.start(max(math.ceil(1000.0 * (due_s - self._clock())), 1))
