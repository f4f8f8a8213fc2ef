"""Records what goes wrong while the window works: exceptions, warnings, pauses, memory that grows."""

import faulthandler
import os
import sys
import tempfile
import threading
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from types import TracebackType
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Qt, QTimer, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from tests.driver.findings import Findings

BEAT_MS = 10
PAUSE_MS = 200.0
_HISTOGRAM_MS = (50, 100, 200, 500, 1000, 2000, 5000)
_SAMPLE_EVERY_S = 0.02
_SAMPLE_AFTER_S = 0.09
_FRAMES = 14
_HUNG_S = 60.0
HUNG_STATUS = 70
_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_OURS = tuple(f'  File "{folder}/' for folder in ("app", "widgets", "editor", "model"))
_MEMORY_EVERY_S = 2.0
_GROWING = ("MB a minute", "MB a minute besides cached takes", "top-level widgets a minute", "objects a minute")
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
# What Qt says about the machine or about the driver, not about the program.
_NOT_OURS = (
    "propagateSizeHints", "XDG_RUNTIME_DIR", "QStandardPaths", "could not connect to display",
    "occurs outside target window", "This plugin does not support",
)  # fmt: skip


class Hooks:
    """Exceptions and warnings, wherever they come up."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._told_bug = sys.excepthook  # what the program does with a bug
        sys.excepthook = self._on_exception
        threading.excepthook = self._on_thread_exception
        sys.unraisablehook = self._on_unraisable
        warnings.simplefilter("always")
        warnings.showwarning = self._on_warning  # type: ignore[assignment]
        qInstallMessageHandler(self._on_message)

    def _on_exception(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        self._findings.add("exception", place_of(error), f"{kind.__name__}: {error}", _formatted(error))
        self._told_bug(kind, error, trace)

    def _on_thread_exception(self, told: threading.ExceptHookArgs) -> None:
        error = told.exc_value
        if error is not None:
            self._findings.add("thread exception", place_of(error), repr(error), _formatted(error))

    def _on_unraisable(self, told: Any) -> None:
        error = told.exc_value
        self._findings.add("unraisable", place_of(error), f"{error!r} in {told.object!r}", _formatted(error))

    def on_job_failed(self, title: str, reason: str, details: str) -> None:
        """A job failed; with details it is a bug."""
        if details:
            lines = [line.strip() for line in details.splitlines() if 'File "' in line]
            self._findings.add("job", lines[-1] if lines else reason, f"{title}: {reason}", details)

    def _on_warning(self, message: Warning, category: type[Warning], filename: str, line: int, *_: object) -> None:
        key = f"{category.__name__} {os.path.relpath(filename, _ROOT)}:{line}"
        self._findings.add("Python warning", key, f"{key}: {message}", "".join(traceback.format_stack(limit=14)))

    def _on_message(self, kind: QtMsgType, context: object, message: str) -> None:
        if kind == QtMsgType.QtInfoMsg or any(known in message for known in _NOT_OURS):
            return
        self._findings.add("Qt warning", message, message, "".join(traceback.format_stack(limit=14)))


class Pulse(QObject):
    """Beats while the event loop turns; where it does not, another thread looks at what the interface is doing.

    Pauses are counted without the time in which the thread could have worked, but other processes had the processor.
    """

    def __init__(self, findings: Findings) -> None:
        super().__init__()
        self._findings = findings
        self.histogram: Counter[int] = Counter()
        self.longest_ms = 0.0
        self._main = threading.get_ident()
        self._samples: list[str] = []
        self._beaten_s, (self._worked_s, self._waited_s) = time.monotonic(), _thread_times()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self.beat)
        self._timer.start(BEAT_MS)
        self._dumped = tempfile.TemporaryFile("w+")  # noqa: SIM115  closed by the thread
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._look, name="pulse", daemon=True)
        self._thread.start()

    def beat(self) -> None:
        now_s, (worked_s, waited_s) = time.monotonic(), _thread_times()
        worked_ms = 1000.0 * (worked_s - self._worked_s)
        gap_ms = 1000.0 * (now_s - self._beaten_s - (waited_s - self._waited_s))
        self._beaten_s, self._worked_s, self._waited_s = now_s, worked_s, waited_s
        for bound in _HISTOGRAM_MS:
            if gap_ms > bound:
                self.histogram[bound] += 1
        self.longest_ms = max(self.longest_ms, gap_ms)
        samples, self._samples = self._samples, []
        if gap_ms > PAUSE_MS:
            self._tell(gap_ms, worked_ms, samples)

    def skip(self) -> None:
        """What was done since the last beat is not the program's."""
        self._beaten_s, (self._worked_s, self._waited_s) = time.monotonic(), _thread_times()
        self._samples = []

    def stop(self) -> None:
        self._timer.stop()
        self._is_over.set()
        self._thread.join()

    def _tell(self, gap_ms: float, worked_ms: float, samples: list[str]) -> None:
        usual = Counter(samples).most_common(1)
        stack = usual[0][0] if usual else "  (no sample)\n"
        ours = [line.strip() for line in stack.splitlines() if line.startswith(_OURS)]
        key = ours[-1].split('"')[1] + ours[-1].rpartition(" in")[2] if ours else "outside our code"
        share = f"  in {usual[0][1]} of {len(samples)} samples\n" if usual else ""
        self._findings.add(
            "pause", key, f"{gap_ms:.0f} ms ({worked_ms:.0f} ms of the processor) in {key}", share + stack,
            pause_ms=gap_ms, processor_ms=worked_ms,
        )  # fmt: skip

    def _look(self) -> None:
        while not self._is_over.wait(_SAMPLE_EVERY_S):
            late_s = time.monotonic() - self._beaten_s
            if late_s < _SAMPLE_AFTER_S:
                continue
            self._samples.append(self._stack())
            if late_s > _HUNG_S:
                self._findings.add("hang", "hang", f"no turn of the event loop for {late_s:.0f} s", self._samples[-1])
                os._exit(HUNG_STATUS)
        self._dumped.close()

    def _stack(self) -> str:
        """What the interface thread is doing, the innermost call last. Frames are not touched: a reference to one would
        keep its painter alive, and let it die on this thread.
        """
        self._dumped.seek(0)
        self._dumped.truncate()
        faulthandler.dump_traceback(self._dumped)
        self._dumped.seek(0)
        of_threads = self._dumped.read().replace("Current thread", "Thread").split("Thread 0x")
        ours = next((text for text in of_threads if text.startswith(f"{self._main:016x}")), "")
        lines = [line.replace(_ROOT + os.sep, "") for line in ours.splitlines()[1:] if line.startswith("  File")]
        return "".join(f"{line}\n" for line in reversed(lines[:_FRAMES]))


class Memory(QObject):
    """How much memory the process has over time, and how many windows and objects of Qt there are."""

    def __init__(self, window: QObject, cached_bytes: Callable[[], int]) -> None:
        super().__init__()
        self._window = window
        self._cached_bytes = cached_bytes  # what is kept on purpose, up to a limit
        self._began_s = time.monotonic()
        self.samples: list[tuple[float, ...]] = []  # minutes, and one figure for each of _GROWING
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._sample)
        self._timer.start(int(1000 * _MEMORY_EVERY_S))

    def _sample(self) -> None:
        with open("/proc/self/statm") as file:
            resident = int(file.read().split()[1]) * _PAGE / 1e6
        minutes = (time.monotonic() - self._began_s) / 60.0
        windows, objects = len(QApplication.topLevelWidgets()), len(self._window.findChildren(QObject))
        self.samples.append((minutes, resident, resident - self._cached_bytes() / 1e6, windows, objects))

    def slopes(self) -> dict[str, float]:
        """What grows by how much a minute, after the first third, in which all that is kept is made."""
        late = np.array(self.samples[len(self.samples) // 3 :])
        if len(late) < 3:
            return {}
        return {name: float(np.polyfit(late[:, 0], late[:, 1 + n], 1)[0]) for n, name in enumerate(_GROWING)}


def _thread_times() -> tuple[float, float]:
    """How long this thread has worked, and how long it waited for a processor where the system tells, in seconds."""
    try:
        with open("/proc/thread-self/schedstat") as file:
            worked, waited, _ = file.read().split()
        return int(worked) / 1e9, int(waited) / 1e9
    except OSError:
        return time.thread_time(), 0.0


def place_of(error: BaseException | None) -> str:
    """Where an error was raised: what makes two of them the same."""
    trace = traceback.extract_tb(error.__traceback__) if error is not None else []
    ours = [frame for frame in trace if frame.filename.startswith(_ROOT)] or list(trace)
    where = f"{os.path.relpath(ours[-1].filename, _ROOT)}:{ours[-1].lineno} {ours[-1].name}" if ours else "nowhere"
    return f"{type(error).__name__} {where}"


def _formatted(error: BaseException | None) -> str:
    return "".join(traceback.format_exception(error)) if error is not None else ""
