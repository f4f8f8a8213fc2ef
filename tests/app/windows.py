"""Whole windows for tests: one that is shown, works, and is closed without asking."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication

from app.settings import Settings
from app.window import Window
from widgets.common.theme import DARK, apply_theme


def wait_for(done, seconds=30.0):
    """Let the window work until something is so."""
    end = time.monotonic() + seconds
    while not done() and time.monotonic() < end:
        QApplication.processEvents()
        time.sleep(0.002)
    assert done()


def state_of(window, kind):
    """What a feature keeps for a window, by its class."""
    (found,) = window.brought(kind)
    return found


@contextmanager
def painted_window(application, tmp_path, size=(1280, 800), workspace="Edit") -> Iterator[Window]:
    """A window with the painter's view, and settings of its own."""
    apply_theme(application, DARK)
    settings = Settings(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))
    made = Window(settings, recovery_folder=tmp_path / "recovery")
    made.viewport.set_options(painter=True)
    made.resize(*size)
    made.show()
    made.go_to_workspace(workspace)
    yield made
    made.document.mark_saved(made.document.committed, None)
    made.close()
    wait_for(lambda: not made.jobs.running)
