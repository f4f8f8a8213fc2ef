"""What can be wrong with a file: an error that ends the reading, or a problem that was dealt with."""

from dataclasses import dataclass
from enum import StrEnum

from model.motion import Motion
from model.units import Unit


def quoted(text: str, length: int = 40) -> str:
    """A name or word of a file as it stands in messages: in quotes, on one line, and not much longer than this."""
    return repr(text if len(text) <= length else text[:length] + "…")


class MotionFileError(Exception):
    """A file that cannot be read or written: which, where (line from 1, if known) and why."""

    def __init__(self, path: str, line: int | None, message: str) -> None:
        super().__init__(path, line, message)
        self.path = path
        self.line = line
        self.message = message

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place}: {self.message}"


class MissingSkeletonError(MotionFileError):
    """A file of frames whose skeleton is in another file, which is not found: the user must say where it is."""


class ProtectedFileError(MotionFileError):
    """A file that is not replaced unless the user insists: others need it as it is."""


class WriteError(MotionFileError):
    """A file that could not be written to its end, though its name is right: the disk is full or fails."""


class Severity(StrEnum):
    """A note says what was assumed, a warning what was repaired or lost."""

    NOTE = "note"
    WARNING = "warning"


@dataclass(frozen=True)
class Problem:
    """Something a reader assumed or repaired, or a writer could not carry over."""

    severity: Severity
    line: int | None
    message: str


class Problems:
    """Collects the problems of one file; the same repair is spelled out a few times, then counted."""

    _SPELLED_OUT = 3

    def __init__(self) -> None:
        self._found: list[Problem] = []
        self._counts: dict[str, int] = {}

    def note(self, line: int | None, message: str) -> None:
        self._found.append(Problem(Severity.NOTE, line, message))

    def warn(self, line: int | None, message: str, kind: str | None = None) -> None:
        """Report a repair. Repairs of one `kind` beyond the third are only counted."""
        if kind is not None:
            self._counts[kind] = self._counts.get(kind, 0) + 1
            if self._counts[kind] > self._SPELLED_OUT:
                return
        self._found.append(Problem(Severity.WARNING, line, message))

    def all(self) -> tuple[Problem, ...]:
        rest = [
            Problem(Severity.WARNING, None, f"{count - self._SPELLED_OUT} more: {kind}")
            for kind, count in self._counts.items()
            if count > self._SPELLED_OUT
        ]
        return (*self._found, *rest)


@dataclass(frozen=True)
class ReadOptions:
    """What the user knows better than the guess; None means guess."""

    unit: Unit | None = None
    up: str | None = None
    radians: bool = False
    frame_time_s: float | None = None
    skeleton: str | None = None  # the .asf file of an .amc file


@dataclass(frozen=True, eq=False)
class Reading:
    """A motion and what had to be assumed or repaired to get it."""

    motion: Motion
    problems: tuple[Problem, ...]
