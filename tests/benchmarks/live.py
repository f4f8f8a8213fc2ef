"""What a frame of a live figure costs the processor: a step of its engine, the scene, and its picture by QPainter, held
against the sixtieth of a second that there is.
"""

import os
import time
from collections.abc import Callable

from model.skeleton import Skeleton
from tests.benchmarks.measuring import Report
from tests.benchmarks.viewport import with_fingers
from tests.clips import figure
from tests.live import Steer, ToyEngine, straight

_FRAMES, _BATCHES = 5, 40
_SIZE = (1280, 720)


def run(report: Report) -> None:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from editor.stack.live import STEP_S, replay

    report.title(f"Live figures at {_SIZE[0]} x {_SIZE[1]} without OpenGL, processor time a frame as a share of 1/60 s")
    for skeleton in (figure(), with_fingers(figure(), 62)):
        joints = f"{len(skeleton)} joints"
        report.goal(f"{joints}: step, scene and picture", _frame_s(skeleton, beside=False) / STEP_S, at_most=0.8)
        report.goal(f"{joints}: beside a clip", _frame_s(skeleton, beside=True) / STEP_S, at_most=1.0)
    recording = straight(3600, turn=0.2)
    replaying = _least_s(lambda: replay(ToyEngine(), recording))
    report.goal("replaying a minute, as a share of it", replaying / recording.duration_s, at_most=0.1)


def _frame_s(skeleton: Skeleton, beside: bool) -> float:
    """The mean of some frames as the window makes them, of several batches the least."""
    from PySide6.QtWidgets import QApplication

    from editor.document.live import LiveFigure, LiveRunner
    from editor.stack.live import STEP_S
    from tests.widgets.viewport.stage import desk
    from widgets.common.theme import DARK, apply_theme
    from widgets.viewport.viewport import Viewport

    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    apply_theme(application, DARK)
    viewport = Viewport(*desk(empty=not beside))
    viewport.set_options(painter=True)
    viewport.resize(*_SIZE)
    viewport.show()
    now_s = 0.0
    runner = LiveRunner(ToyEngine(skeleton, start_x=0.8), lambda: Steer(1.3, 0.4), clock=lambda: now_s)
    runner.posed.connect(lambda pose: viewport.show_live(LiveFigure(runner.recent(), not beside)))
    runner.run()

    def frames() -> None:
        nonlocal now_s
        for _ in range(_FRAMES):
            now_s += STEP_S
            runner.tick()
            application.processEvents()

    frames()
    taken_s = _least_s(frames, _BATCHES) / _FRAMES
    runner.pause()
    viewport.close()
    viewport.deleteLater()
    return taken_s


def _least_s(call: Callable[[], object], repeats: int = 3) -> float:
    taken_s = []
    for _ in range(repeats):
        start = time.process_time()
        call()
        taken_s.append(time.process_time() - start)
    return min(taken_s)
