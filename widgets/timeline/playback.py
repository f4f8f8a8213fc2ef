"""Playback: moves the session's time along, in real time or frame by frame, over the take or the loop range."""

import math
import time
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from editor.document.session import Session
from editor.document.showing import Showing

SLOWEST, FASTEST = 0.1, 2.0
_TICK_MS = 16
# Times that were frames once are not exactly so any more.
_NEAR = 1e-4


class Playback(QObject):
    """Plays what is shown.

    In real time each tick shows the frame that is due, whatever was dropped; all is counted from one moment on, so
    nothing drifts. With `every_frame` each tick shows the next one, which may be slower. The loop range, both its
    ends included, bounds what is played; at its end playing begins anew or stops. clock : seconds, for tests.
    """

    changed = Signal()  # whether and how it plays

    def __init__(
        self,
        session: Session,
        showing: Showing,
        clock: Callable[[], float] = time.perf_counter,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._showing = showing
        self._clock = clock
        self._speed = 1.0
        self._looping = True
        self._every_frame = False
        # Since when it has been played from which frame, under what circumstances, and the time told last.
        self._since_s = 0.0
        self._from_frame = 0.0
        self._under: object = None
        self._told_s = math.nan
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self.tick)
        showing.changed.connect(self._on_shown)

    # How it plays

    @property
    def playing(self) -> bool:
        return self._timer.isActive()

    @property
    def speed(self) -> float:
        return self._speed

    @property
    def looping(self) -> bool:
        return self._looping

    @property
    def every_frame(self) -> bool:
        return self._every_frame

    def set_speed(self, speed: float) -> None:
        """Play so many times as fast as recorded, SLOWEST to FASTEST."""
        self._speed = min(max(speed, SLOWEST), FASTEST)
        self._pace()

    def set_looping(self, on: bool) -> None:
        """Begin anew at the end, or stop there."""
        self._looping = on
        self.changed.emit()

    def set_every_frame(self, on: bool) -> None:
        """Show every frame, even where that takes longer."""
        self._every_frame = on
        self._pace()

    # Playing

    def play(self) -> None:
        """Play from here, or from the start of the range where here is outside of it or at its very end."""
        span = self._span()
        if span is None or self.playing:
            return
        first, last = span
        frame = self._frame()
        if not first - _NEAR <= frame <= last + _NEAR or (frame >= last - _NEAR and not self._looping):
            self._tell(first)
        self._under = None
        self._timer.start(self._interval_ms())
        self.changed.emit()

    def pause(self) -> None:
        if self.playing:
            self._timer.stop()
            self.changed.emit()

    def toggle(self) -> None:
        """Play, or pause."""
        if self.playing:
            self.pause()
        else:
            self.play()

    def tick(self) -> None:
        """Show the frame that is due."""
        span = self._span()
        if span is None:
            return
        first, last = span
        now_s, under = self._clock(), (self._frame_time_s, span, self._speed, self._every_frame)
        if under != self._under or self._session.view.time_s != self._told_s:
            # Somebody scrubbed, or something changed: what is due counts from here on.
            self._under, self._since_s, self._from_frame = under, now_s, self._frame()
            self._told_s = self._session.view.time_s
            if not self._every_frame:
                return
        if self._every_frame:
            frame = math.floor(self._frame() + _NEAR) + 1
        else:
            frame = math.floor(self._from_frame + (now_s - self._since_s) * self._speed / self._frame_time_s + _NEAR)
        if frame > last and not self._looping:
            self._tell(last)
            self.pause()
            return
        self._tell(first + (frame - first) % (last - first + 1) if frame > last else frame)

    # Going somewhere

    def step(self, frames: int) -> None:
        """Go so many frames on, or back; from between two frames the first of them counts to the next."""
        frame = self._frame()
        self.go_to_frame((math.floor(frame + _NEAR) if frames > 0 else math.ceil(frame - _NEAR)) + frames)

    def to_first(self) -> None:
        self.go_to_frame(0)

    def to_last(self) -> None:
        self.go_to_frame(self._frames - 1)

    def go_to_frame(self, frame: int) -> None:
        """Pause at a frame, or at the take's end that is nearest to it."""
        self.pause()
        if self._frames:
            self._tell(min(max(frame, 0), self._frames - 1))

    def loop_from_here(self) -> None:
        """Start the loop range at the playhead; it ends where it did if that is later, else with the take."""
        here_s, end_s = self._session.view.time_s, self._showing.duration_s
        stop_s = (self._session.view.loop_s or (0.0, end_s))[1]
        self._set_loop(here_s, stop_s if stop_s > here_s else end_s)

    def loop_up_to_here(self) -> None:
        """End the loop range at the playhead; it starts where it did if that is sooner, else with the take."""
        here_s = self._session.view.time_s
        start_s = (self._session.view.loop_s or (0.0, 0.0))[0]
        self._set_loop(start_s if start_s < here_s else 0.0, here_s)

    # How

    @property
    def _frame_time_s(self) -> float:
        shown = self._showing.current
        return 1.0 if shown is None else shown.take.motion.frame_time_s

    @property
    def _frames(self) -> int:
        shown = self._showing.current
        return 0 if shown is None else shown.take.motion.frames

    def _frame(self) -> float:
        """The frame that is shown, not always a whole one, within the take."""
        return min(max(self._session.view.time_s / self._frame_time_s, 0.0), max(self._frames - 1.0, 0.0))

    def _span(self) -> tuple[int, int] | None:
        """The first and last frame of what is played; None where there is nothing."""
        if not self._frames:
            return None
        end = self._frames - 1
        if self._session.view.loop_s is None:
            return 0, end
        start_s, stop_s = self._session.view.loop_s
        first = math.ceil(start_s / self._frame_time_s - _NEAR)
        last = min(math.floor(stop_s / self._frame_time_s + _NEAR), end)
        return (max(first, 0), last) if max(first, 0) < last else (0, end)

    def _set_loop(self, start_s: float, stop_s: float) -> None:
        if self._frames and start_s < stop_s:
            self._session.look(loop_s=(start_s, stop_s))

    def _tell(self, frame: int) -> None:
        self._told_s = frame * self._frame_time_s
        self._session.look(time_s=self._told_s)

    def _interval_ms(self) -> int:
        if self._every_frame:
            return max(1, round(1000.0 * self._frame_time_s / self._speed))
        return _TICK_MS

    def _pace(self) -> None:
        if self.playing:
            self._timer.setInterval(self._interval_ms())
        self.changed.emit()

    def _on_shown(self) -> None:
        """Another clip may have other frame times, or there may be none any more."""
        if self.playing and self._showing.current is None and self._session.view.clip is None:
            self.pause()
        elif self.playing and self._timer.interval() != self._interval_ms():
            self._timer.setInterval(self._interval_ms())
