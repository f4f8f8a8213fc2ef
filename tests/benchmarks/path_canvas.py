"""What dragging a path costs: a walk of half a minute in three styles, made anew, and the canvas that shows it."""

import os
import time

import numpy as np

from tests.benchmarks.measuring import Report

_UPDATES_HZ, _CANVAS_MS, _HANDLER_MS, _FITTING_MS = 10.0, 16.0, 50.0, 200.0
_MOVES = 12


def run(report: Report) -> None:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    from editor.walking.fitting import fitted
    from model.path import Path
    from tests.widgets.walking.desk import Desk

    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    turn = np.linspace(0.0, 4.0 * np.pi, 18)
    path = Path.through(np.stack([2.2 * turn, 3.0 * np.sin(turn)], -1), "smooth")
    desk = Desk(application, path, ((0.0, "1"), (11.0, "2"), (22.0, "1")))
    walk = desk.editing.result
    report.title(f"Dragging a point of a path of {walk.duration_s:.0f} s in three styles")
    place = np.array(desk.path.x_z[8])
    desk.editing.press((float(place[0]), float(place[1])), 0.1)
    making, painting, hearing = [], [], []
    for n in range(1, _MOVES + 1):
        x, z = (place + 0.03 * n).tolist()
        # First what the hand waits for, with the work left to a worker; then that work.
        desk.evaluations.held_back = True
        start = time.thread_time()
        desk.editing.move((x, z))
        hearing.append(time.thread_time() - start)
        start = time.thread_time()
        desk.canvas.repaint()
        painting.append(time.thread_time() - start)
        start = time.thread_time()
        desk.evaluations.let_go()
        making.append(time.thread_time() - start)
    desk.editing.cancel()
    moments = []
    for n in range(_MOVES):
        desk.session.look(time_s=0.1 * n)
        start = time.thread_time()
        desk.canvas.repaint()
        moments.append(time.thread_time() - start)
    t = np.linspace(0.0, 1.0, 2000)
    gesture = np.stack([30.0 * t, 3.0 * np.sin(20.0 * t)], -1)
    fitted(gesture)  # what is loaded once is not counted
    start = time.thread_time()
    fitted(gesture)
    fitting = time.thread_time() - start
    report.goal("the walk made anew, updates a second", 1.0 / float(np.median(making)), at_least=_UPDATES_HZ)
    report.goal("what a move of the mouse takes, ms", 1000.0 * float(np.median(hearing)), at_most=_HANDLER_MS)
    report.goal("drawing the canvas at another moment, ms", 1000.0 * float(np.median(moments)), at_most=_CANVAS_MS)
    report.goal("a gesture of half a minute made a path, ms", 1000.0 * fitting, at_most=_FITTING_MS)
    report.goal("drawing the canvas, ms", 1000.0 * float(np.median(painting)), at_most=_CANVAS_MS)
