"""Threads that a process need not wait for when it ends."""

import threading
import time
from collections import deque
from collections.abc import Callable


class Workers:
    """A few threads that do what they are given, in order.

    A call may never come back, such as one that reads a file of a machine that is switched off. So the threads are
    daemons, unlike those of `concurrent.futures`, for which Python waits at its end whatever they do.
    """

    def __init__(self, count: int, name: str) -> None:
        self._count = count
        self._name = name
        self._calls: deque[Callable[[], object]] = deque()
        self._changed = threading.Condition()
        self._threads = 0
        self._idle = 0
        self._is_closed = False

    @property
    def is_busy(self) -> bool:
        """Whether something is being done or waits for it."""
        with self._changed:
            return self._is_busy()

    def submit(self, call: Callable[[], object]) -> None:
        """Do something as soon as a thread is free. It must not raise."""
        with self._changed:
            assert not self._is_closed, "closed workers do nothing more"
            self._calls.append(call)
            if len(self._calls) > self._idle and self._threads < self._count:
                self._threads += 1
                threading.Thread(target=self._work, name=self._name, daemon=True).start()
            self._changed.notify()

    def close(self) -> None:
        """Take nothing more: threads end once what was asked for is done."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    def wait(self, at_most_s: float) -> bool:
        """Wait until all is done, but not for ever. -> whether it is."""
        end_s = time.monotonic() + at_most_s
        with self._changed:
            while self._is_busy() and (left_s := end_s - time.monotonic()) > 0.0:
                self._changed.wait(left_s)
            return not self._is_busy()

    def _is_busy(self) -> bool:
        return bool(self._calls) or self._idle < self._threads

    def _work(self) -> None:
        while (call := self._next()) is not None:
            call()
            del call  # what it holds need not wait for the next one

    def _next(self) -> Callable[[], object] | None:
        with self._changed:
            self._idle += 1
            self._changed.notify_all()
            while not self._calls and not self._is_closed:
                self._changed.wait()
            self._idle -= 1
            if self._calls:
                return self._calls.popleft()
            self._threads -= 1
            self._changed.notify_all()
            return None
