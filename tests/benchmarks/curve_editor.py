"""What the curve editor costs: 90 channels of 6,000 frames moved, zoomed and played over."""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from model.clip import Source, Take
from model.contacts import Contacts
from tests.benchmarks.measuring import Report
from tests.clips import figure, random_motion

FRAMES, JOINTS = 6_000, 30
_PAN_MS, _PLAYHEAD_MS = 16.0, 1.0
_SIZE = (1600, 500)


@dataclass(frozen=True)
class Aimless(Source):
    """Every joint moves all the time."""

    kind: ClassVar[str] = "aimless"
    title: ClassVar[str] = "Aimless"

    def make(self, context: Any) -> Take:
        return Take(random_motion(FRAMES, skeleton=_body()), Contacts(FRAMES, {}, 0.0))


def run(report: Report) -> None:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    from tests.widgets.curves.desk import Desk

    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    body = _body()
    desk = Desk(application, joints=(), size=_SIZE, source=Aimless())
    start = time.thread_time()
    desk.session.look(joints=tuple(body.ref(joint) for joint in range(1, JOINTS + 1)))
    selecting = 1000.0 * (time.thread_time() - start)
    plot, axis = desk.plot, desk.timeline.axis
    assert len(desk.editing.visible) == 3 * JOINTS
    report.title(f"Curve editor, {3 * JOINTS} channels of {FRAMES} frames, {plot.width()} by {plot.height()} pixels")
    report.figure("selecting all joints", selecting, "ms")

    def pan() -> None:
        axis.pan(40.0 if axis.scale.start_s < 50.0 else -axis.scale.start_s * axis.scale.pixels_per_s)
        plot.repaint()

    def zoom() -> None:
        axis.zoom(1.05 if axis.scale.pixels_per_s < 40.0 else 1e-3, 500.0)
        plot.repaint()

    axis.zoom(1.5, 0.0)
    panning = _mean_ms(pan)
    axis.fit()
    zooming = _mean_ms(zoom)
    axis.fit()
    whole = _mean_ms(lambda: (plot.refresh(), plot.repaint()))
    plot.repaint()
    playhead = _mean_ms(lambda: (_move(desk), plot.repaint(plot._playhead)))
    for what, value in (("panning", panning), ("zooming", zooming), ("all of it", whole), ("playhead", playhead)):
        report.figure(what, value, "ms")
    report.goal("panning / 16 ms", panning / _PAN_MS, at_most=1.0)
    report.goal("zooming / 16 ms", zooming / _PAN_MS, at_most=1.0)
    report.goal("playhead / 1 ms", playhead / _PLAYHEAD_MS, at_most=1.0)
    desk.session.look(joints=(body.ref(3),))
    desk.plot.repaint()
    point = desk.on_curve(2_000, desk.editing.board.tracks[0].channel)
    desk.press(point)
    places = iter(range(10_000))
    dragging = _mean_ms(lambda: (desk.move(point + desk.px(0, 2 + next(places) % 20)), plot.repaint()))
    desk.release(point)
    report.figure("a move of a dragged key, with the take worked out anew", dragging, "ms")
    desk.editor.close()
    desk.timeline.close()


def _move(desk: Any) -> None:
    desk.session.look(time_s=(desk.session.view.time_s + 1.7) % 199.0)


def _mean_ms(call: Callable[[], object], repeats: int = 30) -> float:
    """The mean processor time of many, in the best of three rounds: however busy the machine is."""
    best = float("inf")
    for _ in range(3):
        start = time.thread_time()
        for _ in range(repeats):
            call()
        best = min(best, (time.thread_time() - start) / repeats)
    return 1000.0 * best


def _body() -> Any:
    from tests.benchmarks.viewport import with_fingers

    return with_fingers(figure(), 40)
