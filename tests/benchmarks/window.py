"""How soon the window can be used, and how long what is done in it keeps it from answering."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks.measuring import Report
from tests.benchmarks.viewport import long_take

if TYPE_CHECKING:
    from app.window import Window

_LONGEST_MS = 50.0
_USABLE_S = {"OpenGL": 2.0, "painter": 1.0}
_SETTLE_S = 1.5
_STARTS = 3
# Starts the editor as people do, and ends it at the first turn in which its window can be used.
_START = """
import sys, tempfile, time
from pathlib import Path
from PySide6.QtCore import QSettings, QTimer
import app.application as application

folder = Path(tempfile.mkdtemp(dir=sys.argv[1]))

class Window(application.Window):
    def __init__(self, settings):
        super().__init__(settings, recovery_folder=folder)
        QTimer.singleShot(0, self.look)

    def look(self):
        if not self.isVisible():
            QTimer.singleShot(1, self.look)
            return
        print(time.process_time(), flush=True)
        self.close()
        application.QCoreApplication.exit(0)

kept = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
application.Settings = lambda made=application.Settings: made(kept)
application.Window = Window
application._begin = lambda window, paths: None
sys.exit(application.start([]))
"""


def run(report: Report) -> None:
    report.title("Start of the editor: seconds of the processor until its window can be used")
    with tempfile.TemporaryDirectory() as folder:
        for view, limit_s in _USABLE_S.items():
            if view == "OpenGL" and not os.environ.get("DISPLAY") and not shutil.which("xvfb-run"):
                continue
            report.goal(f"usable with {view}, seconds", _start_s(view, Path(folder)), at_most=limit_s)
        report.title("What keeps the window from answering: longest turn after each, milliseconds of the processor")
        _turns(report, Path(folder))


def _start_s(view: str, folder: Path) -> float:
    """The least of several starts; the first one compiles, as it does once after an installation."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder / "compiled"), "PYTHONPATH": os.getcwd()}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-c", _START, str(folder)]
    if view == "painter":
        environment["QT_QPA_PLATFORM"] = "offscreen"
    elif not os.environ.get("DISPLAY"):
        command = ["xvfb-run", "-a", "-s", "-screen 0 1920x1200x24", *command]
    taken = [
        float(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)
        for _ in range(_STARTS + 1)
    ]
    return min(taken)


def _turns(report: Report, folder: Path) -> None:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import QSettings
    from PySide6.QtWidgets import QApplication

    from app.settings import Settings
    from app.window import Window
    from model.files.formats import write_motion
    from widgets.common.theme import DARK, apply_theme

    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    apply_theme(application, DARK)
    window = Window(
        Settings(QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)), recovery_folder=folder / "kept"
    )
    window.viewport.set_options(painter=True)  # OpenGL's driver is not ours to measure
    window.resize(1440, 900)
    window.show()
    window.workspaces.switch("Edit")
    _longest_ms(window, lambda: None)
    write_motion(long_take().motion, folder / "long.bvh")
    for what, do in _deeds(window, folder).items():
        taken = _longest_ms(window, do)
        report.goal(what, taken, at_most=_LONGEST_MS)
    window.document.mark_saved(window.document.committed, None)
    window.close()


def _deeds(window: "Window", folder: Path) -> dict[str, Callable[[], object]]:
    from editor.repair.smoothing import Smooth
    from editor.stack.layers import add_edit

    def clip() -> str:
        return window.document.project.clips[0].id

    def trigger(name: str) -> Callable[[], object]:
        return lambda: window.actions_[name].trigger()

    return {
        "opening 62 joints x 6,000 frames": lambda: window.files.open_paths([folder / "long.bvh"]),
        "scrubbing": lambda: window.session.look(time_s=20.0),
        "adding an edit": lambda: window.document.do(add_edit, clip(), Smooth()),
        "selecting it": lambda: window.session.look(layer=window.document.project.clip(clip()).layers[0].id),
        "undo": trigger("undo"),
        "mirroring a pose": trigger("mirror_pose"),
        "trails": trigger("trails"),
        "curves": lambda: window.docks["Curves"].raise_(),
        "another workspace": lambda: window.workspaces.switch("Timing"),
        "and back": lambda: window.workspaces.switch("Edit"),
        "light theme": trigger("dark"),
        "dark theme": trigger("dark"),
        "new walk": trigger("new_walk"),
        "back to the long clip": lambda: window.session.look(clip=clip()),
        "saving": lambda: window.files.save(folder / "long.mwright"),
    }


def _longest_ms(window: "Window", do: Callable[[], object]) -> float:
    """The longest turn of what is done and of what follows. It may hold several events: no handler took longer."""
    from PySide6.QtCore import QCoreApplication

    longest, end = _taken_ms(do), time.monotonic() + _SETTLE_S
    while time.monotonic() < end or window.jobs.running:
        longest = max(longest, _taken_ms(QCoreApplication.processEvents))
        time.sleep(0.001)
    return longest


def _taken_ms(call: Callable[[], object]) -> float:
    start = time.thread_time()
    call()
    return 1000.0 * (time.thread_time() - start)
