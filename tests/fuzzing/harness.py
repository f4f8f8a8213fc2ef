"""Runs cases in a process of their own, each under limits of time and memory; one that goes wrong costs itself only.

A case fails where anything but a reading or a clear MotionFileError comes of it, where it takes more processor time or
memory than is in proportion to its files, or where what was read cannot be written and read again.
"""

import multiprocessing
import os
import resource
import signal
import tempfile
import time
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from model.files.problems import MotionFileError
from tests.fuzzing.format import Files, Format
from tests.fuzzing.formats import FORMATS

MEGABYTE = 1e6
_MOST_S, _S_EACH_MB = 5.0, 5.0
_MOST_BYTES, _BYTES_EACH_BYTE = 200e6, 20.0
_LONGEST = 400  # characters of a message
# The limit of the address space: threads and allocators reserve more than they use.
_RESERVED = 1 << 30
# What answers neither in its time nor to its alarm hangs; others may be using the processors, too.
_PATIENCE = 10.0


@dataclass(frozen=True)
class Outcome:
    """What became of a case: "read", "refused", or else a failure, told in `detail`.

    size : bytes of its files; seconds : of the processor, for reading; memory : bytes beyond what was held before.
    """

    number: int
    result: str
    detail: str = ""
    size: int = 0
    seconds: float = 0.0
    memory: int = 0

    @property
    def is_failure(self) -> bool:
        return self.result not in ("read", "refused")

    @property
    def share_of_time(self) -> float:
        """How much of the time that it may take it took."""
        return self.seconds / seconds_allowed(self.size)

    @property
    def share_of_memory(self) -> float:
        return self.memory / bytes_allowed(self.size)


@dataclass
class Tally:
    """What became of all cases of a format."""

    format: str
    cases: int = 0
    read: int = 0
    refused: int = 0
    slowest: Outcome = field(default_factory=lambda: Outcome(-1, "read"))
    largest: Outcome = field(default_factory=lambda: Outcome(-1, "read"))
    failures: list[Outcome] = field(default_factory=list)

    def add(self, outcome: Outcome) -> None:
        self.cases += 1
        self.read += outcome.result == "read"
        self.refused += outcome.result == "refused"
        self.slowest = max(self.slowest, outcome, key=lambda one: one.share_of_time)
        self.largest = max(self.largest, outcome, key=lambda one: one.share_of_memory)
        if outcome.is_failure:
            self.failures.append(outcome)


def seconds_allowed(size: int) -> float:
    return max(_MOST_S, _S_EACH_MB * size / MEGABYTE)


def bytes_allowed(size: int) -> float:
    return _MOST_BYTES + _BYTES_EACH_BYTE * size


def run_cases(name: str, cases: int, seed: int, first: int = 0) -> Tally:
    """Run cases of a format, from a number on, and tell what became of them."""
    tally = Tally(name)
    number, stop = first, first + cases
    while number < stop:
        for outcome in _outcomes_until_death(name, seed, number, stop):
            tally.add(outcome)
            number = outcome.number + 1
    return tally


def _outcomes_until_death(name: str, seed: int, first: int, stop: int) -> Iterator[Outcome]:
    """The outcomes of one process, until it has done all or dies of a case, which is told."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(theirs, name, seed, first, stop), daemon=True)
    process.start()
    theirs.close()
    number, patience = first, 120.0  # the first waits for the imports
    try:
        while number < stop:
            if not ours.poll(patience):
                yield Outcome(number, "hangs", f"no answer in {patience:.0f} s")
                return
            try:
                outcome = ours.recv()
            except EOFError:
                process.join()
                yield Outcome(number, "dies", f"the process ended with {process.exitcode}")
                return
            number, patience = outcome.number + 1, _PATIENCE * seconds_allowed(outcome.size)
            yield outcome
    finally:
        process.kill()
        process.join()


def _work(answers: Any, name: str, seed: int, first: int, stop: int) -> None:
    """What the process does."""
    warnings.simplefilter("error")  # a reader that lets numpy complain has not looked at its numbers
    reader = FORMATS[name]
    in_memory = Path("/dev/shm")  # where it is no work to make sure that files are written
    with tempfile.TemporaryDirectory(dir=in_memory if in_memory.is_dir() else None) as folder:
        warm_up(reader, Path(folder))
        for number in range(first, stop):
            answers.send(outcome_of(reader, reader.case(seed, number), number, Path(folder)))
    answers.close()


def warm_up(reader: Format, folder: Path) -> None:
    """Read and write what is valid, so that what is imported and cached on the way counts for no case."""
    for files in reader.seeds():
        outcome = outcome_of(reader, files, -1, folder)
        assert outcome.result == "read", outcome


def put(files: Files, folder: Path) -> Path:
    """Write the files of a case into a folder. -> the one to open."""
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder / next(iter(files))


def outcome_of(reader: Format, files: Files, number: int, folder: Path) -> Outcome:
    """Read the files of a case under their limits, and judge what becomes of it."""
    for old in folder.iterdir():
        old.unlink()
    path = put(files, folder)
    size = sum(map(len, files.values()))
    _forget_peak()
    before, started = _memory("VmRSS"), time.process_time()
    reading, result, detail = None, "read", ""
    try:
        with _limits(size):
            reading = reader.read(path)
    except MotionFileError as refusal:
        result, detail = _judged(refusal)
    except (Exception, _TimeUpError) as error:
        result, detail = _fault(error)
    seconds, memory = time.process_time() - started, max(_memory("VmHWM") - before, 0)
    problems = getattr(reading, "problems", ())
    if result == "read" and (longest := max((len(problem.message) for problem in problems), default=0)) > _LONGEST:
        result, detail = "unclear problem", f"of {longest} characters"
    if memory > bytes_allowed(size):
        result, detail = "memory", f"{memory / MEGABYTE:.0f} MB for {size} bytes"
    elif result == "read" and reader.write is not None:
        result, detail = _written_and_read(reader, reading, path, size)
    return Outcome(number, result, detail, size, seconds, memory)


def _judged(refusal: MotionFileError) -> tuple[str, str]:
    """A refusal is a sentence or two on one line that name the file."""
    told = refusal.message
    if not told or len(told) > _LONGEST or "\n" in str(refusal) or not refusal.path:
        return "unclear refusal", str(refusal)[:1000]
    return "refused", told


def _fault(error: BaseException) -> tuple[str, str]:
    if isinstance(error, _TimeUpError):
        return "time", "".join(traceback.format_exception(error)[-3:])
    if isinstance(error, MemoryError):
        return "memory", "".join(traceback.format_exception(error)[-3:])
    return type(error).__name__, "".join(traceback.format_exception(error)[-4:])[-2000:]


def _written_and_read(reader: Format, reading: Any, path: Path, size: int) -> tuple[str, str]:
    """What was read is written to a new file, which can be read."""
    again = path.with_name("again" + path.suffix)
    assert reader.write is not None
    try:
        with _limits(4 * size):
            try:
                reader.write(reading, again)
            except MotionFileError as refusal:  # of what the format cannot hold
                return "read", f"not written: {refusal.message}"
            reader.read(again)
    except (Exception, _TimeUpError) as error:
        kind, detail = _fault(error)
        return f"{kind} after writing", detail
    return "read", ""


class _TimeUpError(BaseException):
    """Not an Exception, so that no reader takes it for a fault of its file."""


@contextmanager
def _limits(size: int) -> Iterator[None]:
    """Raise where more time of the processor, or far more memory, is used than a file of this size may take."""

    def time_is_up(*_: object) -> None:
        raise _TimeUpError

    handler = signal.signal(signal.SIGPROF, time_is_up)
    unlimited = resource.getrlimit(resource.RLIMIT_AS)
    most = _memory("VmSize") + int(bytes_allowed(size)) + _RESERVED
    resource.setrlimit(resource.RLIMIT_AS, (most, unlimited[1]))
    signal.setitimer(signal.ITIMER_PROF, seconds_allowed(size))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, handler)
        resource.setrlimit(resource.RLIMIT_AS, unlimited)


def _memory(what: str) -> int:
    """A line of what the system tells of this process's memory, in bytes."""
    with open("/proc/self/status", encoding="ascii", errors="replace") as status:
        for line in status:
            if line.startswith(what + ":"):
                return 1024 * int(line.split()[1])
    return 0


def _forget_peak() -> None:
    """Let the peak of memory (VmHWM) begin again with what is held now."""
    with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
        file.write("5")


def keep(tally: Tally, seed: int, folder: Path) -> None:
    """Write the files of all failures into a folder, each case in one of its own, with what went wrong."""
    for outcome in tally.failures:
        place = folder / f"{tally.format}-{seed}-{outcome.number}"
        os.makedirs(place, exist_ok=True)
        put(FORMATS[tally.format].case(seed, outcome.number), place)
        (place / "what-went-wrong.txt").write_text(f"{outcome.result}\n{outcome.detail}\n")
