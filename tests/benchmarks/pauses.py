"""How long the window does not answer while somebody works on a clip with a long past: many edits, many steps of undo,
many poses and rows. Every deed is held against the limit of a pause that people feel.
"""

import os
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tests.benchmarks.measuring import Report
from tests.clips import figure, stepping_figure

if TYPE_CHECKING:
    from app.window import Window
    from model.project import Project

_LIMIT_MS = 100.0
_FRAMES, _FPS = 6000, 60.0
_EDITS, _STEPS, _POSES, _ROWS = 40, 500, 60, 100
_SETTLE_S = 1.0
_PATIENCE_S = 240.0


def run(report: Report) -> None:
    report.title(
        "Pauses of the window on stacked edits: longest turn of each deed as a share of 100 ms of the processor"
    )
    with tempfile.TemporaryDirectory() as folder:
        for what, taken_ms in pauses(Path(folder)):
            report.goal(what, taken_ms / _LIMIT_MS, at_most=1.0)


def pauses(folder: Path) -> Iterator[tuple[str, float]]:
    """Deeds, and the longest turn of each in milliseconds."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    from tests.app.windows import painted_window

    application = QApplication.instance() or QApplication([])
    with painted_window(application, folder, (1440, 900)) as window:
        project = stacked_project()
        yield "opening the project", _longest_ms(window, lambda: window.document.restart(project))
        yield "looking at its clip", _longest_ms(window, lambda: window.session.look(clip="1"))
        yield f"{_STEPS} steps, the worst of them", max(_steps_ms(window))
        for what, do in _deeds(window).items():
            yield what, _longest_ms(window, do)


def stacked_project() -> "Project":
    """A clip of many frames with many edits on it: most are light, some have many poses or rows."""
    from editor.clips.imported import ImportedFile
    from editor.placing.edit import Mirror
    from editor.posing.edit import TargetPose, TargetPoses
    from editor.repair.smoothing import Smooth
    from editor.timing.edit import Retime
    from model.clip import Clip, Edit, Layer
    from model.files.problems import ReadOptions
    from model.project import Project

    motion = stepping_figure(seconds=_FRAMES / _FPS, fps=_FPS)[0]
    skeleton, length_s = figure(), motion.duration_s
    turns = tuple((skeleton.ref(joint), (0.05, 0.0, 0.02)) for joint in range(1, len(skeleton)))
    poses = tuple(TargetPose(moment, turns) for moment in np.linspace(1.0, length_s - 1.0, _POSES).tolist())
    speeds = tuple((moment, 1.0 + 0.1 * (row % 3)) for row, moment in enumerate(np.linspace(0.0, 90.0, _ROWS).tolist()))
    heavy: tuple[Edit, ...] = (Smooth(), TargetPoses(poses), Retime(speeds=speeds))
    edits = (*(Mirror() for _ in range(_EDITS - len(heavy))), *heavy)
    source = ImportedFile("walk.bvh", "", ReadOptions(), (), motion)
    clip = Clip("1", "walk", source, tuple(Layer(str(number), edit) for number, edit in enumerate(edits, 2)))
    return Project((clip,), 100)


def _steps_ms(window: "Window") -> Iterator[float]:
    """The longest turns of many small steps, each right after the other."""
    from PySide6.QtCore import QCoreApplication

    from editor.stack.clips import rename_clip

    window.docks["History"].show()
    window.docks["History"].raise_()
    for step in range(_STEPS):
        name = f"walk {step}"
        taken = _taken_ms(lambda name=name: window.document.do(rename_clip, "1", name))
        yield max(taken, _taken_ms(QCoreApplication.processEvents))


def _deeds(window: "Window") -> dict[str, Callable[[], object]]:
    from editor.placing.edit import Mirror
    from editor.stack.layers import add_edit, switch_edit

    def layer(place: int) -> str:
        return window.document.project.clip("1").layers[place].id

    def trigger(name: str) -> Callable[[], object]:
        return lambda: window.actions_[name].trigger()

    def front(name: str) -> Callable[[], object]:
        return lambda: (window.docks[name].show(), window.docks[name].raise_())

    def look(place: int) -> Callable[[], object]:
        return lambda: window.session.look(layer=layer(place))

    def pull_number() -> None:
        form = window.inspector.form
        table = form.editors["speeds"].table
        table.item(50, 1).setText("1.3")

    return {
        "undo": trigger("undo"),
        "redo": trigger("redo"),
        "going to the first step": lambda: window.document.go_to(0),
        "going to the last step": lambda: window.document.go_to(_STEPS),
        "selecting the edit with 100 rows": lambda: (front("Inspector")(), look(_EDITS - 1)()),
        "changing one of the rows": pull_number,
        "undoing that": trigger("undo"),
        "selecting the edit with 60 poses": look(_EDITS - 2),
        "scrubbing": lambda: window.session.look(time_s=20.0),
        "scrubbing to a pose": lambda: window.session.look(time_s=_FRAMES / _FPS / 2),
        "mirroring the pose": trigger("mirror_pose"),
        "holding the pose": trigger("add_pose"),
        "undoing that too": trigger("undo"),
        "selecting a joint": lambda: window.session.look(joints=(figure().ref(9),)),
        "curves": front("Curves"),
        "timeline": front("Timeline"),
        "extremes": front("Extremes"),
        "exaggerate": front("Exaggerate"),
        "retarget": front("Retarget"),
        "switching off the first edit": lambda: window.document.do(switch_edit, "1", layer(0), False),
        "adding an edit": lambda: window.document.do(add_edit, "1", Mirror()),
        "light theme": trigger("dark"),
        "dark theme": trigger("dark"),
        "another workspace": lambda: window.go_to_workspace("Timing"),
        "and back": lambda: window.go_to_workspace("Edit"),
    }


def _longest_ms(window: "Window", do: Callable[[], object]) -> float:
    """The longest turn of what is done and of what follows. It may hold several events: no handler took longer."""
    from PySide6.QtCore import QCoreApplication

    with _watched():
        longest, start = _taken_ms(do), time.monotonic()
        while time.monotonic() < start + _SETTLE_S or (window.jobs.running and time.monotonic() < start + _PATIENCE_S):
            longest = max(longest, _taken_ms(QCoreApplication.processEvents))
            time.sleep(0.001)
    return longest


def _taken_ms(call: Callable[[], object]) -> float:
    start = time.thread_time()
    call()
    return 1000.0 * (time.thread_time() - start)


@contextmanager
def _watched() -> Iterator[None]:
    """With WATCH set, tell afterwards where the time went: the stacks that were seen most."""
    if not os.environ.get("WATCH"):
        yield
        return
    ours, over, seen = threading.get_ident(), threading.Event(), Counter[str]()

    def sample() -> None:
        while not over.wait(0.005):
            frames = traceback.extract_stack(sys._current_frames()[ours])
            lines = [
                f"{Path(one.filename).name}:{one.lineno} {one.name}" for one in frames if "/tests/" not in one.filename
            ]
            seen[" < ".join(reversed(lines[-6:]))] += 1

    thread = threading.Thread(target=sample)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        for line, count in seen.most_common(6):
            print(f"      {count:4d} {line}", flush=True)
