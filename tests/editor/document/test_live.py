"""The runner: steps of one length in real time, none too many, and a recording that gives the same frames again."""

import math
import time

import pytest
from PySide6.QtTest import QTest

from editor.document import live
from editor.document.live import MOST_STEPS, LiveRunner
from editor.stack.live import STEP_S, replay
from tests.editor.stack.test_live import same_frames
from tests.live import Steer, ToyEngine


class Clock:
    """Seconds that pass when they are told to."""

    def __init__(self):
        self.now_s = 1000.0

    def __call__(self):
        return self.now_s


class Hand:
    """Steers; every time a little differently."""

    def __init__(self):
        self.asked = 0

    def __call__(self):
        self.asked += 1
        return Steer(1.0 + 0.3 * math.sin(self.asked), 0.5 * math.cos(0.7 * self.asked))


@pytest.fixture
def made(application):
    clock = Clock()
    runner = LiveRunner(ToyEngine(), Hand(), clock=clock)
    yield runner, clock
    runner.pause()


def pass_time(runner, clock, steps):
    """As the timer would: a wake for every step."""
    for _ in range(steps):
        clock.now_s += STEP_S
        runner.tick()


def test_nothing_moves_before_it_runs(made):
    runner, clock = made
    pass_time(runner, clock, 5)
    assert runner.steps == 0
    assert runner.recording.controls == ()
    assert runner.recent().motion.frames == 1


def test_every_tick_makes_the_step_that_is_due_and_tells_the_pose(made):
    runner, clock = made
    told = []
    runner.posed.connect(told.append)
    runner.run()
    pass_time(runner, clock, 30)
    assert runner.steps == len(told) == 30
    assert told[-1] is runner.pose


def test_ticks_that_come_too_soon_make_no_step(made):
    runner, clock = made
    told = []
    runner.posed.connect(told.append)
    runner.run()
    for _ in range(10):
        clock.now_s += 0.05 * STEP_S
        runner.tick()
    assert runner.steps == 0
    assert not told


def test_steps_keep_to_the_clock_whatever_the_ticks_do(made):
    """No drift: after ticks at odd moments as many steps were made as fit into the time."""
    runner, clock = made
    runner.run()
    start_s = clock.now_s
    for n in range(2000):
        clock.now_s += STEP_S * (0.4 + 1.9 * (n % 7) / 6.0)
        runner.tick()
        assert runner.steps == math.floor((clock.now_s - start_s) / STEP_S + 1e-6)


def test_steps_always_have_the_same_length(application):
    lengths = []

    class Noting(ToyEngine):
        def advance(self, state, controls, dt_s):
            lengths.append(dt_s)
            return super().advance(state, controls, dt_s)

    clock = Clock()
    runner = LiveRunner(Noting(), Hand(), clock=clock)
    runner.run()
    for late in (1.0, 2.7, 0.2, 1.9):
        clock.now_s += late * STEP_S
        runner.tick()
    runner.pause()
    assert lengths == [STEP_S] * 5


def test_late_machine_catches_up_at_once_but_tells_one_pose(made):
    runner, clock = made
    told = []
    runner.posed.connect(told.append)
    runner.run()
    clock.now_s += 3.0 * STEP_S
    runner.tick()
    assert runner.steps == 3
    assert len(told) == 1


def test_very_late_machine_drops_time_and_never_spirals(made):
    runner, clock = made
    runner.run()
    clock.now_s += 10.0
    runner.tick()
    assert runner.steps == MOST_STEPS
    runner.tick()
    assert runner.steps == MOST_STEPS, "what was dropped is not made up for"
    pass_time(runner, clock, 3)
    assert runner.steps == MOST_STEPS + 3


def test_engine_that_takes_longer_than_its_steps_leaves_the_rest_of_the_time_alone(application):
    """Each step costs three: a tick is never followed by a longer one."""
    clock = Clock()

    class Slow(ToyEngine):
        def advance(self, state, controls, dt_s):
            clock.now_s += 3.0 * dt_s
            return super().advance(state, controls, dt_s)

    runner = LiveRunner(Slow(), Hand(), clock=clock)
    runner.run()
    clock.now_s += STEP_S
    made = []
    for _ in range(20):
        before = runner.steps
        runner.tick()
        made.append(runner.steps - before)
    runner.pause()
    assert max(made) == made[-1] == MOST_STEPS


def test_no_time_passes_while_it_is_paused(made):
    runner, clock = made
    told = []
    runner.changed.connect(lambda: told.append(runner.is_running))
    runner.run()
    pass_time(runner, clock, 5)
    pose = runner.pose
    runner.pause()
    pass_time(runner, clock, 100)
    assert runner.pose is pose
    runner.run()
    runner.tick()
    assert runner.steps == 5
    pass_time(runner, clock, 2)
    assert runner.steps == 7
    assert told == [True, False, True]


def test_recording_gives_the_frames_that_were_seen(made):
    runner, clock = made
    runner.run()
    pass_time(runner, clock, 20)
    clock.now_s += 9.3 * STEP_S  # late, with time dropped
    runner.tick()
    runner.pause()
    runner.run()
    pass_time(runner, clock, 60)
    assert same_frames(replay(ToyEngine(), runner.recording), runner.recent())


def test_recent_is_what_was_lately_done_and_the_same_while_nothing_moves(made):
    runner, clock = made
    runner.run()
    pass_time(runner, clock, 400)
    whole = replay(ToyEngine(), runner.recording).motion
    take = runner.recent()
    assert take.motion.frames == 241, "four seconds, both ends"
    assert take.motion.root_positions.tobytes() == whole.root_positions[-241:].tobytes()
    assert runner.recent() is take
    short = runner.recent(1.0)
    assert short.motion.frames == 61
    assert short.motion.root_positions.tobytes() == whole.root_positions[-61:].tobytes()
    assert runner.recent(1.0) is short
    pass_time(runner, clock, 1)
    assert runner.recent() is not take


def test_starting_again_forgets_what_was(made):
    runner, clock = made
    runner.run()
    pass_time(runner, clock, 10)
    told = []
    runner.posed.connect(told.append)
    runner.restart()
    assert told == [runner.pose]
    assert runner.is_running
    assert runner.steps == 0
    assert runner.recent().motion.frames == 1
    pass_time(runner, clock, 3)
    assert same_frames(replay(ToyEngine(), runner.recording), runner.recent())


def test_recording_ends_where_a_clip_would_be_too_long(application, monkeypatch):
    monkeypatch.setattr(live, "MOST_JOINT_FRAMES", 22 * 11)
    clock = Clock()
    runner = LiveRunner(ToyEngine(), Hand(), clock=clock)
    told = []
    runner.filled.connect(lambda: told.append(runner.is_running))
    runner.run()
    pass_time(runner, clock, 8)
    clock.now_s += 3.0 * STEP_S
    runner.tick()
    assert runner.steps == 10, "and a frame for the start"
    assert told == [False]
    runner.run()
    assert not runner.is_running
    runner.restart()
    runner.run()
    assert runner.is_running
    runner.pause()


def test_engine_that_fails_stops(application):
    class Broken(ToyEngine):
        def advance(self, state, controls, dt_s):
            raise ValueError("the well is dry")

    clock = Clock()
    runner = LiveRunner(Broken(), Hand(), clock=clock)
    runner.run()
    clock.now_s += STEP_S
    with pytest.raises(ValueError, match="well"):
        runner.tick()
    assert not runner.is_running
    assert runner.recording.controls == ()


def test_timer_runs_it_in_real_time(application):
    runner = LiveRunner(ToyEngine(), Hand())
    start_s = time.perf_counter()
    runner.run()
    end_s = start_s + 20.0
    while runner.steps < 20 and time.perf_counter() < end_s:
        QTest.qWait(5)
    runner.pause()
    assert runner.steps >= 20
    assert runner.steps * STEP_S <= time.perf_counter() - start_s, "never ahead of the clock"
    steps = runner.steps
    QTest.qWait(60)
    assert runner.steps == steps
