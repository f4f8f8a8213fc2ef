"""One application for all tests of a process; Qt's warnings and exceptions in slots fail the test that caused them."""

import atexit
import gc
import os
import shutil
import subprocess
import sys

import pytest


def _own_screen():
    """Give this process a virtual screen of its own, for only one window of a screen can have mouse and keyboard."""
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1920x1200x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=(write,), stderr=subprocess.DEVNULL)
    atexit.register(server.terminate)
    os.close(write)
    with os.fdopen(read) as told:
        number = told.readline().strip()
    if number:
        os.environ["DISPLAY"] = f":{number}"


def pytest_configure(config):
    """Choose where windows are opened, before anything of Qt is imported."""
    if hasattr(config, "workerinput"):
        if not os.environ.get("KEEP_SCREEN") and shutil.which("Xvfb"):
            _own_screen()
    elif config.getoption("numprocesses", None):
        return  # the processes that run the tests see to it themselves, and inherit what is set here
    # Without a screen Qt draws into memory; OpenGL then needs none of its own.
    if not os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY"):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ.setdefault("PYOPENGL_PLATFORM", "glx" if os.environ.get("DISPLAY") else "egl")


# What Qt says about the machine, not about us.
_NOT_OURS = ("propagateSizeHints", "XDG_RUNTIME_DIR", "QStandardPaths", "could not connect to display")


@pytest.fixture(scope="session")
def application_of_all():
    """The one application that Qt allows a process."""
    from PySide6.QtCore import QCoreApplication, QStandardPaths, Qt
    from PySide6.QtWidgets import QApplication

    QStandardPaths.setTestModeEnabled(True)
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    QCoreApplication.setOrganizationName("motionwright-tests")
    QCoreApplication.setApplicationName("motionwright-tests")
    made = QApplication([])
    made.setQuitOnLastWindowClosed(False)
    return made


@pytest.fixture
def application(application_of_all):
    """The application; afterwards no window may be left, and Qt must not have complained."""
    from PySide6.QtCore import QtMsgType, qInstallMessageHandler

    complaints = []

    def handler(kind, context, message):
        if kind != QtMsgType.QtInfoMsg and not any(known in message for known in _NOT_OURS):
            complaints.append(message)

    before = qInstallMessageHandler(handler)
    hook = sys.excepthook
    sys.excepthook = lambda kind, value, trace: (
        complaints.append(f"{kind.__name__} in a slot: {value}") or hook(kind, value, trace)
    )
    try:
        yield application_of_all
        for window in application_of_all.topLevelWidgets():
            window.close()
            window.deleteLater()
        application_of_all.sendPostedEvents(None, 52)  # deferred deletions
        application_of_all.processEvents()
        gc.collect()
    finally:
        sys.excepthook = hook
        qInstallMessageHandler(before)
    assert not complaints, complaints
