"""Starting the editor: the application, its window, what was left by a crash, and the first run."""

import os
import signal
import sys
import traceback
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QCoreApplication, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication

from app import VERSION
from app.settings import Settings
from app.window import Window
from widgets.common.keys import ButtonKeys
from widgets.common.theme import DARK, THEMES, apply_theme

_SIGNALS_MS = 200


def has_display() -> bool:
    """Whether a window can be shown. Windows and macOS always have a screen, as far as we can tell."""
    if sys.platform in ("win32", "darwin"):
        return True
    wanted = os.environ.get("QT_QPA_PLATFORM", "")
    return bool(wanted or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def start(paths: Sequence[str]) -> int:
    """Open the editor on files, or as it was; with neither, on a sample. -> the exit status."""
    application = make_application()
    ButtonKeys(application)
    settings = Settings()
    apply_theme(application, THEMES.get(settings.theme, DARK))
    window = Window(settings)
    window.go_to_workspace(settings.workspace)
    _tell_bugs(window)
    _end_politely(application, window)
    window.show()
    window.after_layout(lambda: _begin(window, [Path(path) for path in paths]))
    status = application.exec()
    if window.is_at_work:
        # A file may never answer. Python would end without its threads only after it took down what they use.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    return status


def make_application() -> QApplication:
    """The one application, named, with contexts that views may share."""
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    QCoreApplication.setOrganizationName("Motionwright")
    QCoreApplication.setApplicationName("Motionwright")
    QCoreApplication.setApplicationVersion(VERSION)
    made = QApplication(sys.argv[:1])
    made.setApplicationDisplayName("Motionwright")
    return made


def _begin(window: Window, paths: list[Path]) -> None:
    if paths:
        window.files.open_paths(paths)
    else:
        window.restoring.looked.connect(partial(_begin_without_files, window))
    window.restoring.look()


def _begin_without_files(window: Window, has_unsaved_work: bool) -> None:
    if has_unsaved_work:
        return
    window.file_actions.open_sample()
    window.play_when_shown()
    if not window.settings.tour_seen:
        window.doing.tour()


def _end_politely(application: QApplication, window: Window) -> None:
    """On Ctrl+C or a polite signal keep unsaved work for the next start, and end without asking."""
    asked: list[int] = []
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda one, _: asked.append(one))

    def look() -> None:  # Python runs signal handlers only while it runs
        if asked:
            timer.stop()
            window.keep_for_recovery()
            application.exit(0)

    timer = QTimer(window)
    timer.timeout.connect(look)
    timer.start(_SIGNALS_MS)


class _Bugs(QObject):
    """Tells of a bug after what it broke is over: in the midst of drawing, say, the window must not change."""

    happened = Signal(str)


def _tell_bugs(window: Window) -> None:
    """Let exceptions that nobody caught be told in the window, and not end it."""
    bugs = _Bugs(window)
    bugs.happened.connect(window.crashed, Qt.ConnectionType.QueuedConnection)

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        traceback.print_exception(kind, error, trace)
        if not issubclass(kind, KeyboardInterrupt):
            bugs.happened.emit(f"{kind.__name__}: {error}")

    sys.excepthook = hook
