"""Calls of the command line in processes of their own, several at a time.

A process that dies costs the call that it worked on, and no process outlives the one that started it.
"""

import contextlib
import io
import multiprocessing
import os
import signal
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from types import FrameType
from typing import Any

# So long a process may take to clear up what it has begun, once it is told to end.
_GRACE_S = 1.0
# So often we look whether the user wants us to stop.
_LOOK_S = 0.1


@dataclass(frozen=True)
class Call:
    """A command line that works on a file. output : the file that it writes, if any."""

    file: str
    arguments: tuple[str, ...]
    output: Path | None = None


@dataclass(frozen=True)
class Outcome:
    """What a call gave: its exit status, and what it printed."""

    file: str
    status: int
    output: str
    messages: str


class Interruptions:
    """How often the user asked to stop. Within the block it is counted, not raised: nothing is torn in the middle."""

    def __init__(self) -> None:
        self.count = 0
        self._is_raising = False
        self._before: dict[signal.Signals, Any] = {}

    @property
    def is_stopping(self) -> bool:
        """Whether nothing new shall be begun."""
        return self.count > 0

    @property
    def is_ending(self) -> bool:
        """Whether what has been begun shall end at once too."""
        return self.count > 1

    def __enter__(self) -> "Interruptions":
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                self._before[number] = signal.signal(number, self._on_signal)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    @contextlib.contextmanager
    def raising(self) -> Iterator[None]:
        """Within this block the second interruption is raised: for what may wait for others for ever, as printing."""
        self._is_raising = True
        try:
            yield
        finally:
            self._is_raising = False

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        self.count += 1 if number == signal.SIGINT else 2
        if self._is_raising and self.is_ending:
            raise KeyboardInterrupt


def carry_out(
    calls: Sequence[Call], most: int, interruptions: Interruptions
) -> Generator[tuple[int, Outcome], None, None]:
    """Carry out calls in up to `most` processes. -> the index of each call and its outcome, as they come.

    After an interruption no call is begun, after a second those at work are ended; they have no outcome.
    """
    waiting = deque(enumerate(calls))
    idle: list[_Worker] = []
    busy: dict[Connection, _Worker] = {}
    is_announced = False
    try:
        while not interruptions.is_ending:
            while waiting and len(busy) < most and not interruptions.is_stopping:
                idle = [worker for worker in idle if worker.is_alive]
                worker = idle.pop() if idle else _Worker()
                worker.begin(*waiting.popleft())
                busy[worker.connection] = worker
            if not busy:
                return
            if interruptions.is_stopping and not is_announced:
                is_announced = True
                print("stopping when the files at hand are done; Ctrl+C again ends at once", file=sys.stderr)
            for connection in wait(list(busy), _LOOK_S):
                assert isinstance(connection, Connection)
                worker = busy.pop(connection)
                outcome = worker.outcome()
                idle.append(worker)
                yield worker.index, outcome
    finally:
        _end(list(busy.values()), idle)


class _Worker:
    """A process that carries out one call after the other."""

    def __init__(self) -> None:
        self.connection, theirs = multiprocessing.Pipe()
        self.index = -1
        self._call: Call | None = None
        context = multiprocessing.get_context("spawn")
        self._process: SpawnProcess = context.Process(target=_serve, args=(theirs,), daemon=True)
        with _interrupts_held_back():
            self._process.start()
        theirs.close()  # else its end would never be noticed

    @property
    def is_alive(self) -> bool:
        return self._process.is_alive()

    def begin(self, index: int, call: Call) -> None:
        """Hand over a call."""
        self.index, self._call = index, call
        with contextlib.suppress(OSError):  # that it is dead is seen when it should have an outcome
            self.connection.send(call)

    def outcome(self) -> Outcome:
        """What came of the call, when the connection tells of something: the outcome, or that the process died."""
        try:
            outcome = self.connection.recv()
            assert isinstance(outcome, Outcome)
            return outcome
        except (EOFError, OSError):
            self.end(time.monotonic() + _GRACE_S)
            assert self._call is not None
            reason = _death(self._process.exitcode)
            return Outcome(self._call.file, 1, "", f"motionwright: {self._call.file}: {reason}\n")

    def ask_to_end(self, in_the_midst: bool) -> None:
        """Let it end: without another call, or in the midst of one."""
        if in_the_midst:
            self._process.terminate()
        else:
            self.connection.close()

    def end(self, deadline_s: float) -> None:
        """Wait for its end, or kill it at a moment, and remove what it left half-written."""
        self._process.join(max(0.0, deadline_s - time.monotonic()))
        self._process.kill()
        self._process.join()
        self.connection.close()
        if self._call is not None and self._call.output is not None and self._process.pid is not None:
            from model.files.saving import remove_left_by

            remove_left_by(self._process.pid, self._call.output)


def _end(busy: list[_Worker], idle: list[_Worker]) -> None:
    """End all processes: those at work as well, without anything half-written."""
    for worker in busy:
        worker.ask_to_end(in_the_midst=True)
    for worker in idle:
        worker.ask_to_end(in_the_midst=False)
    deadline_s = time.monotonic() + _GRACE_S
    for worker in (*busy, *idle):
        worker.end(deadline_s)


@contextlib.contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Let processes that are started here never see Ctrl-C, which a terminal sends to all of them; we see it later."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # which lets Ctrl-C through again when it starts
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _death(exit_code: int | None) -> str:
    if exit_code is not None and exit_code < 0:
        try:
            by = signal.Signals(-exit_code).name
        except ValueError:
            by = f"signal {-exit_code}"
        return f"the process that worked on it was ended by {by}, perhaps for lack of memory: try --jobs 1"
    return f"the process that worked on it ended with status {exit_code}"


# In the process


class _EndedError(BaseException):
    """We are told to end; whatever is being written is cleared up on the way."""


def _serve(connection: Connection) -> None:
    """Carry out the calls that come, until nobody is left who sends any."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(EOFError, OSError, _EndedError):
        signal.signal(signal.SIGTERM, _on_terminate)
        threading.Thread(target=_follow_parent, daemon=True).start()
        while True:
            connection.send(_outcome(connection.recv()))
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


def _on_terminate(number: int, frame: FrameType | None) -> None:
    sys.unraisablehook = lambda _: None  # where Python cannot raise it, there is nothing to tell: we are killed soon
    raise _EndedError


def _follow_parent() -> None:
    """End this process when the one that started it is no more."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_GRACE_S)
    os._exit(1)


def _outcome(call: Call) -> Outcome:
    """Carry out a call, its output caught."""
    from app.command_line import run

    output, messages = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(messages):
        try:
            status = run(call.arguments)
        except Exception as error:  # a bug of ours costs this file only
            place = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{Path(place.filename).name}:{place.lineno}"
            print(f"motionwright: {call.file}: a bug ({where}): {type(error).__name__}: {error}", file=sys.stderr)
            status = 1
    return Outcome(call.file, status, output.getvalue(), messages.getvalue())
