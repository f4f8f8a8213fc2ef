"""Processes killed at any moment while they save and autosave: what is found afterwards is whole."""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal

from app.features import FEATURES
from app.recovery import Orphan, Recovery
from editor.clips.imported import ImportedFile
from model.clip import Clip
from model.files.file_state import FileState
from model.files.problems import ReadOptions
from model.files.project_file import ProjectReading, read_project, write_project
from model.files.saving import remove_left_over
from model.motion import Motion
from model.project import Project
from tests.benchmarks.measuring import Report
from tests.clips import waving_figure

KILLS = 200
_SAVED_EVERY = 10  # changes
_MOST_EVENTS = 24  # changes and autosaves of a process before it is killed
_LONGEST_S = 0.05  # that it lives on after the last of them


class _Document(QObject):
    """As much of a document as an autosave needs; every few changes it is saved."""

    modified_changed = Signal(bool)

    def __init__(self, path: Path, project: Project, state: FileState) -> None:
        super().__init__()
        self.path, self.committed, self.file_state, self.modified = path, project, state, False

    def change(self, number: int) -> None:
        self.committed = version(number)
        if number % _SAVED_EVERY == 0:
            self.file_state = write_project(self.committed, self.path, FEATURES.kinds, self.file_state)
        modified = number % _SAVED_EVERY != 0
        if modified != self.modified:
            self.modified = modified
            self.modified_changed.emit(modified)


class _Remains(NamedTuple):
    """What was found after a kill. saved, autosaved : the numbers of the versions; temporary : how many such files."""

    saved: int
    autosaved: int | None
    temporary: int


@cache
def _motion() -> Motion:
    return waving_figure(frames=2000)


def version(number: int) -> Project:
    """A project whose numbers tell which one it is."""
    motion = replace(_motion(), root_positions=np.full_like(_motion().root_positions, float(number)))
    return Project((Clip("1", str(number), ImportedFile("wave.bvh", "", ReadOptions(), (), motion)),), 2)


def number_of(reading: ProjectReading) -> int:
    """Which version a file holds. Raises ValueError where it is damaged, or a mixture."""
    (clip,) = reading.project.clips
    source = clip.source
    assert isinstance(source, ImportedFile)
    if not reading.is_whole or reading.problems or not np.all(source.motion.root_positions == float(clip.name)):
        raise ValueError(f"a file is damaged: {reading.problems}")
    return int(clip.name)


def work(path: Path, folder: Path, told: int) -> None:
    """Change, save and autosave without end, and tell of each; the process that does this is killed."""
    application = QCoreApplication([])
    reading = read_project(path, FEATURES.kinds)
    document = _Document(path, reading.project, reading.state)
    recovery = Recovery(document, FEATURES.kinds, folder, every_s=0.005)
    recovery.autosaved.connect(lambda: os.write(told, b"."))
    count = number_of(reading)

    def change() -> None:
        nonlocal count
        count += 1
        document.change(count)
        os.write(told, b".")

    timer = QTimer(interval=25)
    timer.timeout.connect(change)
    timer.start()
    application.exec()
    recovery.close()


def remains(path: Path, folder: Path, last: int) -> _Remains:
    """What one process left. Raises ValueError where something is not whole."""
    QCoreApplication([])
    reading = read_project(path, FEATURES.kinds)
    saved, autosaved = number_of(reading), None
    if saved < last:
        raise ValueError(f"version {saved} was found after {last} had been saved")
    document = _Document(path, reading.project, reading.state)
    recovery = Recovery(document, FEATURES.kinds, folder, every_s=1e6)
    for orphan in recovery.orphans():
        autosaved = _restored(recovery, orphan, saved)
    recovery.close()
    remove_left_over(path)
    temporary = [one for place in (path.parent, folder) for one in place.glob(".*.tmp")]
    return _Remains(saved, autosaved, len(temporary))


def _restored(recovery: Recovery, orphan: Orphan, saved: int) -> int:
    """Which version an autosave restores; one that is not newer than what is saved must not claim to be."""
    number = number_of(read_project(orphan.file, FEATURES.kinds))
    if number <= saved and not orphan.is_superseded:
        raise ValueError(f"version {number} is offered as unsaved although {saved} is saved")
    recovery.adopt(orphan, orphan.is_superseded)
    return number


def _forked(do: Callable[[int], None]) -> tuple[int, int]:
    """Start a process that does something, with a pipe to tell of it. -> its number, and the other end of the pipe."""
    heard, told = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            do(told)
        finally:
            os._exit(1)
    os.close(told)
    return child, heard


def _kill_one(path: Path, folder: Path, rng: random.Random) -> None:
    child, heard = _forked(lambda told: work(path, folder, told))
    for _ in range(rng.randint(0, _MOST_EVENTS)):
        os.read(heard, 1)
    time.sleep(rng.uniform(0.0, _LONGEST_S))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(heard)


def _look(path: Path, folder: Path, last: int) -> _Remains | str:
    """What a killed process left, or what is wrong with it; seen by another, as after a start."""

    def tell(told: int) -> None:
        try:
            answer: object = remains(path, folder, last)
        except Exception as error:  # whatever it is, it is a fault
            answer = repr(error)
        os.write(told, json.dumps(answer).encode())

    child, heard = _forked(tell)
    with os.fdopen(heard, "rb") as file:
        answer = json.loads(file.read() or b'"it died"')
    os.waitpid(child, 0)
    return answer if isinstance(answer, str) else _Remains(*answer)


def kill_all(folder: Path, kills: int) -> list[_Remains | str]:
    """Kill one process after the other and look at what each left. To be run by a process without Qt's application."""
    rng, found, last = random.Random(11), [], 0
    path = folder / "project" / "dance.mwright"
    path.parent.mkdir()
    write_project(version(0), path, FEATURES.kinds)
    for _ in range(kills):
        _kill_one(path, folder / "recovery", rng)
        found.append(_look(path, folder / "recovery", last))
        last = found[-1].saved if isinstance(found[-1], _Remains) else last
    return found


def run(report: Report) -> None:
    report.title(f"{KILLS} processes killed while they save and autosave")
    if not hasattr(os, "fork"):
        print("  left out: this system has no processes that split")
        return
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", __name__, folder, str(KILLS)]
        answer = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    results = json.loads(answer)
    found = [_Remains(*one) for one in results if not isinstance(one, str)]
    faults = [one for one in results if isinstance(one, str)]
    report.figure("kills after which something newer was saved", sum(a.saved < b.saved for a, b in pairwise(found)))
    report.figure("kills after which an autosave was restored", sum(one.autosaved is not None for one in found))
    report.figure("versions saved in all", found[-1].saved / _SAVED_EVERY if found else 0)
    report.goal("kills after which something was damaged or lost", len(faults), at_most=0)
    report.goal("temporary files that lay about at once", max((one.temporary for one in found), default=0), at_most=20)
    for fault in faults[:5]:
        print(f"    {fault}")


if __name__ == "__main__":
    print(json.dumps(kill_all(Path(sys.argv[1]), int(sys.argv[2]))))
