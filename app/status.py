"""The status bar: where in time we are, what the mouse would do, and what is being worked on, with Cancel."""

import time

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QProgressBar, QStatusBar, QToolButton, QWidget

from editor.document.jobs import Job, Jobs
from editor.document.session import Session
from editor.document.showing import Showing
from widgets.common.plain_label import PlainLabel, one_line
from widgets.common.theme import GRID

_QUICK_MS = 300
_HEIGHT = 20
_TITLE = 60  # characters


class Status(QStatusBar):
    """Reads session and jobs."""

    def __init__(self, session: Session, showing: Showing, jobs: Jobs, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._showing = showing
        self._job: Job | None = None
        self._jobs = jobs
        self.place = PlainLabel()
        self.place.setAccessibleName("Frame, time and frame rate")
        self.place.setMinimumWidth(28 * GRID)
        self.work = PlainLabel()
        self.work.setContentsMargins(2 * GRID, 0, 0, 0)  # what the mouse would do is told right before it
        self.progress = QProgressBar()
        self.progress.setRange(0, 100)
        self.progress.setFixedWidth(16 * GRID)
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName("Progress")
        self.cancel = QToolButton()
        self.cancel.setText("Cancel")
        self.cancel.setToolTip("Stop what is being worked out; nothing changes")
        self.cancel.clicked.connect(self._on_cancel)
        self.progress.setFixedHeight(GRID)
        self.cancel.setFixedHeight(_HEIGHT)  # the bar is as high as its highest part, shown or not
        self.addPermanentWidget(self.work)
        self.addPermanentWidget(self.progress)
        self.addPermanentWidget(self.cancel)
        self.addPermanentWidget(self.place)
        self._since: dict[Job, float] = {}
        # Work that is done in no time is not worth a flicker.
        self._delay = QTimer(self)
        self._delay.setSingleShot(True)
        self._delay.timeout.connect(self._on_delayed)
        self._show_work(None)
        session.changed.connect(self._on_changed)
        showing.changed.connect(self._on_changed)
        jobs.started.connect(self._on_started)
        jobs.ended.connect(self._on_ended)
        self._on_changed()

    def _on_changed(self, *_: object) -> None:
        shown = self._showing.current
        if shown is None:
            self.place.setText("")
            return
        motion = shown.take.motion
        time_s = min(max(self._session.view.time_s, 0.0), motion.duration_s)
        frame = min(max(round(time_s / motion.frame_time_s), 0), max(motion.frames - 1, 0))
        self.place.setText(f"frame {frame} of {motion.frames}   {time_s:.2f} s   {motion.fps:.4g} fps")

    def _on_started(self, job: Job) -> None:
        self._since[job] = time.monotonic()
        if self._job is None and not self._delay.isActive():
            self._delay.start(_QUICK_MS)

    def _on_delayed(self) -> None:
        """Show what has been worked on for long enough; while one quick job follows the other there is nothing."""
        longest = self._longest()
        if longest is None:
            return
        left_ms = _QUICK_MS - round(1000.0 * (time.monotonic() - self._since[longest]))
        if left_ms > 0:
            self._delay.start(left_ms)
        else:
            self._show_work(longest)

    def _on_progressed(self, fraction: float) -> None:
        self.progress.setValue(round(100 * fraction))

    def _on_ended(self, job: Job) -> None:
        self._since.pop(job, None)
        if self._longest() is None:
            self._delay.stop()
        if job is self._job:
            self._show_work(None)
            self._on_delayed()

    def _longest(self) -> Job | None:
        """Of what is worked on, what has been so for the longest time."""
        return next(iter(self._jobs.running), None)

    def _on_cancel(self) -> None:
        if self._job is not None:
            self._job.cancel()

    def _show_work(self, job: Job | None) -> None:
        if self._job is not None:
            self._job.progressed.disconnect(self._on_progressed)
        self._job = job
        for part in (self.work, self.progress, self.cancel):
            part.setVisible(job is not None)
        if job is not None:
            self.work.setText(f"{one_line(job.title, _TITLE)} …")
            self.progress.setValue(round(100 * job.fraction))
            job.progressed.connect(self._on_progressed)
