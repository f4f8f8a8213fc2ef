"""Docks dragged about quicker than any hand does, by titles and by tabs: Qt has crashed on less.

Each run is a process of its own, so that a crash is told and does not end the benchmark.
"""

import faulthandler
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks.measuring import Report

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint
    from PySide6.QtGui import QWindow

    from app.window import Window

_RUNS = ((8, 700), (3, 700), (0, 700))  # milliseconds between two moves of the mouse, and how many drags
_WORKSPACES = ("Edit", "Timing", "Walk")
_TIMEOUT_S = 1200.0
_STEPS = 6


def run(report: Report) -> None:
    report.title("Docks dragged about, each run in a process of its own: drags survived")
    for seed, (pause_ms, drags) in enumerate(_RUNS):
        done = survived(drags, pause_ms, seed)
        report.goal(f"drags with a move every {pause_ms} ms, of {drags}", done, at_least=drags)


def survived(drags: int, pause_ms: int, seed: int) -> int:
    """How many of so many drags a new window survives."""
    command = [sys.executable, "-m", "tests.benchmarks.docks", str(drags), str(pause_ms), str(seed)]
    if not os.environ.get("DISPLAY") and shutil.which("xvfb-run"):
        command = ["xvfb-run", "-a", "-s", "-screen 0 1920x1200x24", *command]
    environment = {**os.environ, "PYTHONPATH": os.getcwd()}
    ran = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, timeout=_TIMEOUT_S, check=False)
    drags_done = len(ran.stdout.splitlines())
    if ran.returncode != 0:
        print(f"  ended with {ran.returncode} after {drags_done} drags", flush=True)
        return min(drags_done, drags - 1)
    return drags_done


class Hands:
    """A mouse in a hurry. Every choice comes of a seed."""

    def __init__(self, window: "Window", pause_ms: int, seed: int) -> None:
        self._window, self._pause_ms = window, pause_ms
        self._chance = random.Random(seed)

    def drag(self) -> str:
        """Drag a dock somewhere, or do to it what else hands do. -> what was done."""
        from PySide6.QtCore import Qt
        from PySide6.QtTest import QTest

        handles = self._handles()
        if not handles or self._chance.random() < 0.02:
            name = self._chance.choice(_WORKSPACES)
            self._window.go_to_workspace(name)
            return f"workspace {name}"
        what, window, start = self._chance.choice(handles)
        if self._chance.random() < 0.1:
            QTest.mouseDClick(window, Qt.MouseButton.LeftButton, pos=window.mapFromGlobal(start))
            self._turn()
            return f"double click on {what}"
        goal = self._goal()
        QTest.mousePress(window, Qt.MouseButton.LeftButton, pos=window.mapFromGlobal(start))
        for step in range(1, _STEPS + 1):
            self._move(start + (goal - start) * step / _STEPS)
            if self._chance.random() < 0.01:
                self._disturb()
        if self._chance.random() < 0.05:
            QTest.keyClick(self._window.windowHandle(), Qt.Key.Key_Escape)
        window = self._holder()
        QTest.mouseRelease(window, Qt.MouseButton.LeftButton, pos=window.mapFromGlobal(goal))
        self._turn()
        return f"{what} to {goal.toTuple()}"

    def _disturb(self) -> None:
        """What keys, or files that have been read, do to docks while one is being dragged."""
        if self._chance.random() < 0.5:
            self._window.go_to_workspace(self._chance.choice(_WORKSPACES))
        else:
            dock = self._chance.choice(list(self._window.docks.values()))
            dock.setVisible(not dock.isVisible())
            dock.raise_()

    def _move(self, at: "QPoint") -> None:
        from PySide6.QtTest import QTest

        window = self._holder()
        QTest.mouseMove(window, window.mapFromGlobal(at))
        self._turn()

    def _holder(self) -> "QWindow":
        """The window that hears the mouse: docks that come off become windows under it, and go again."""
        from PySide6.QtWidgets import QWidget

        grabber = QWidget.mouseGrabber()
        return (grabber.window() if grabber is not None else self._window).windowHandle()

    def _turn(self) -> None:
        from PySide6.QtTest import QTest

        QTest.qWait(self._pause_ms)  # which, unlike processEvents, also deletes what waits for it

    def _handles(self) -> list[tuple[str, "QWindow", "QPoint"]]:
        """What can be taken hold of: its name, the window that it is in, and where on the screen."""
        from PySide6.QtCore import QPoint
        from PySide6.QtWidgets import QTabBar

        found = []
        for name, dock in self._window.docks.items():
            if dock.titleBarWidget() is None and not dock.visibleRegion().isEmpty():
                top = dock.window()
                found.append((f"title of {name}", top.windowHandle(), dock.mapToGlobal(QPoint(40, 8))))
        for bar in self._window.findChildren(QTabBar):
            if bar.parent() is self._window and bar.isVisible():
                for place in range(bar.count()):
                    at = bar.mapToGlobal(bar.tabRect(place).center())
                    found.append((f"tab of {bar.tabText(place)}", self._window.windowHandle(), at))
        return found

    def _goal(self) -> "QPoint":
        """Somewhere on the screen: mostly a dock or its edge, else wherever."""
        from PySide6.QtCore import QPoint

        screen = self._window.screen().geometry()
        docks = [dock for dock in self._window.docks.values() if not dock.visibleRegion().isEmpty()]
        if docks and self._chance.random() < 0.6:
            dock = self._chance.choice(docks)
            x, y = (self._chance.choice((0.03, 0.3, 0.5, 0.97)) for _ in range(2))
            at = dock.mapToGlobal(QPoint(round(x * dock.width()), round(y * dock.height())))
            return QPoint(min(max(at.x(), 0), screen.right()), min(max(at.y(), 0), screen.bottom()))
        return QPoint(self._chance.randrange(screen.width()), self._chance.randrange(screen.height()))


def main(drags: int, pause_ms: int, seed: int) -> int:
    """Drag docks of a new window, and print a line for each drag that is done."""
    from PySide6.QtWidgets import QApplication

    from app.application import make_application
    from tests.app.windows import painted_window

    faulthandler.enable()
    application = QApplication.instance() or make_application()
    with tempfile.TemporaryDirectory() as folder, painted_window(application, Path(folder), (1440, 900)) as window:
        hands = Hands(window, pause_ms, seed)
        for drag in range(1, drags + 1):
            print(drag, hands.drag(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(*(int(value) for value in sys.argv[1:4])))
