"""Closing the window ends the program, whatever a file does that it reads or writes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.features import FEATURES
from editor.clips.imported import import_file
from editor.stack.clips import add_clip
from model.files.project_file import write_project
from model.project import Project
from tests.app.test_window import WALK

ROOT = Path(__file__).resolve().parents[2]

# Closes its window as soon as a thread is in the midst of something that never ends.
_QUITTER = """
import sys, threading, time
from pathlib import Path
from PySide6.QtCore import QStandardPaths, QTimer
import app.application as application

recovery, project, blocked = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
reached = threading.Event()

def never_ends(*_, **__):
    reached.set()
    threading.Event().wait()

class Window(application.Window):
    def __init__(self, settings):
        super().__init__(settings, recovery_folder=recovery)
        settings.tour_seen = True
        self.viewport.set_options(painter=True)
        self.timer = QTimer(self, interval=20)
        self.timer.timeout.connect(self.act)
        self.timer.start()

    def act(self):
        if blocked == "autosave" and self.document.project.clips:
            self.document.restart(self.document.project, modified=True)
            self.recovery.autosave()
        if reached.wait(0.01):
            self.timer.stop()
            self.document.mark_saved(self.document.committed, None)
            print("closing", self.close(), flush=True)

QStandardPaths.setTestModeEnabled(True)
application.Window = Window
place = {
    "stale": "widgets.clips.stale_files.is_stale",
    "opening": "app.files.read_project",
    "orphans": "app.recovery.Recovery.orphans",
    "autosave": "app.recovery.write_project",
}[blocked]
module, _, name = place.rpartition(".")
import importlib, app.recovery
holder = app.recovery.Recovery if name == "orphans" else importlib.import_module(module)
setattr(holder, name, never_ends)
app.recovery._CLOSING_S = 0.5
sys.exit(application.start([project]))
"""


@pytest.mark.parametrize("blocked", ["stale", "opening", "orphans", "autosave"])
def test_window_closes_and_the_program_ends_although_a_file_never_answers(application, tmp_path, blocked):
    if not os.environ.get("DISPLAY"):
        pytest.skip("there is no screen")
    project = tmp_path / "dance.mwright"
    write_project(add_clip(Project(), import_file(WALK), "walk"), project, FEATURES.kinds)
    done = subprocess.run(
        [sys.executable, "-c", _QUITTER, str(tmp_path / "recovery"), str(project), blocked],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,  # against hanging for good
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "closing True\n", "")
