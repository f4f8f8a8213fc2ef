"""The time axis that ruler and lanes share: what part of the take is seen, how moments are called, where they snap."""

from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal

from widgets.timeline.numbering import Numbering, Unit
from widgets.timeline.scale import TimeScale

_MAGNET_PX = 6.0
_SOME_SPAN_S = 1.0


class TimeAxis(QObject):
    """Scale and numbering of a take of `frames` frames."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.frames = 0
        self.scale = TimeScale.fitting(_SOME_SPAN_S, _SOME_SPAN_S, 1.0)
        self.numbering = Numbering(Unit.FRAMES, _SOME_SPAN_S)

    @property
    def last_s(self) -> float:
        """The last frame's time."""
        return max(self.frames - 1, 0) * self.scale.frame_time_s

    def set_take(self, frames: int, frame_time_s: float, file_number: int) -> None:
        """Be the axis of a take. frames : at least one."""
        self.frames = frames
        numbering = Numbering(self.numbering.unit, frame_time_s, file_number)
        self._set(self.scale.over(frames * frame_time_s, frame_time_s), numbering)

    def set_unit(self, unit: Unit) -> None:
        """Count in frames, seconds, or as the file does."""
        self._set(self.scale, Numbering(unit, self.numbering.frame_time_s, self.numbering.file_number))

    def set_width(self, width_px: float) -> None:
        self._set(self.scale.resized(width_px))

    def zoom(self, factor: float, x_px: float) -> None:
        """Show less, larger, about a place."""
        self._set(self.scale.zoomed(factor, x_px))

    def pan(self, by_px: float) -> None:
        """Show what comes later, or with a negative number sooner."""
        self._set(self.scale.panned(by_px))

    def fit(self) -> None:
        """Show all of the take."""
        self._set(TimeScale.fitting(self.scale.span_s, self.scale.frame_time_s, self.scale.width_px))

    def reveal(self, time_s: float) -> None:
        """Show a moment."""
        self._set(self.scale.revealing(time_s))

    def snapped(self, time_s: float, magnets: Iterable[float] = ()) -> float:
        """The magnet that is within reach of a moment, else the nearest frame or the end of the last one."""
        reach_s = _MAGNET_PX / self.scale.pixels_per_s
        nearest = min(magnets, key=lambda magnet: abs(magnet - time_s), default=None)
        # Where frames are wide the nearest frame is nearer than any magnet that is not on it.
        if nearest is not None and abs(nearest - time_s) <= reach_s and reach_s > 0.5 * self.scale.frame_time_s:
            return nearest
        step_s = self.scale.frame_time_s
        return min(max(round(time_s / step_s), 0), self.frames) * step_s

    def _set(self, scale: TimeScale, numbering: Numbering | None = None) -> None:
        numbering = numbering or self.numbering
        if (scale, numbering) != (self.scale, self.numbering):
            self.scale, self.numbering = scale, numbering
            self.changed.emit()
