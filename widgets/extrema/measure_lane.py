"""The lane of the measure in which extremes are found: a thin curve over time."""

import numpy as np
from PySide6.QtCore import QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from model.arrays import Array
from model.measures import in_words
from widgets.common.theme import GRID, colour
from widgets.extrema.extrema import Extrema
from widgets.timeline.lane import Lane, Row
from widgets.timeline.scale import TimeScale

_ROOM_PX = 3.0
_UNDER = 0.15


class MeasureLane(Lane):
    """How extreme the pose is at every moment; extremes are its peaks, or of speed its valleys."""

    title = "Measure"
    nothing = ""
    tip = "How extreme the pose is at every moment. The panel Extremes says what is measured"
    row_height = 5 * GRID
    is_flat = True
    starts_folded = True

    def __init__(self, extrema: Extrema, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._extrema = extrema
        self._drawn: tuple[object, ...] = ()
        extrema.changed.connect(self._on_changed)

    @property
    def rows(self) -> tuple[Row, ...]:
        return (Row("Measure", "extreme"),) if self._extrema.measured is not None else ()

    @property
    def subtitle(self) -> str:
        return in_words(self._extrema.edit.measure)

    def _on_changed(self) -> None:
        basis, measured = self._extrema.basis, self._extrema.measured
        way = None if basis is None else (basis.to_shown.before.tobytes(), basis.to_shown.after.tobytes())
        drawn = (measured, way, self.subtitle)
        if drawn != self._drawn:  # while a hand changes the motion it is not measured
            self._drawn = drawn
            self.changed.emit()

    def accessible_text(self) -> str:
        return f"The measure of extreme poses: {self.subtitle}."

    def paint(self, painter: QPainter, scale: TimeScale, rect: QRectF, small: bool) -> None:
        basis, measured = self._extrema.basis, self._extrema.measured
        if basis is None or measured is None or len(measured.values) < 2:
            return
        times_s = basis.to_shown(np.arange(len(measured.values), dtype=np.float64) * measured.frame_time_s)
        columns, lows, highs = by_column(scale, times_s, measured.values, rect)
        if not len(columns):
            return
        low, high = float(np.min(measured.values)), float(np.max(measured.values))
        low -= _UNDER * (high - low)  # valleys stand clear of the ground
        room = rect.height() - 2.0 * _ROOM_PX
        upper, lower = (rect.bottom() - room * (values - low) / max(high - low, 1e-9) for values in (highs, lows))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        line = [QPointF(x, y) for x, y in zip(columns.tolist(), upper.tolist(), strict=True)]
        ground = [QPointF(line[-1].x(), rect.bottom()), QPointF(line[0].x(), rect.bottom())]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour("extreme", 0.12))
        painter.drawPolygon(QPolygonF([*line, *ground]))
        painter.setPen(QPen(colour("extreme", 0.85), 1.0))
        # Where several frames share a pixel, both the highest and the lowest of them are seen.
        both = np.stack([upper, lower], axis=-1).reshape(-1).tolist()
        places = np.repeat(columns, 2).tolist()
        painter.drawPolyline(QPolygonF([QPointF(x, y) for x, y in zip(places, both, strict=True)]))


def by_column(scale: TimeScale, times_s: Array, values: Array, rect: QRectF) -> tuple[Array, Array, Array]:
    """The pixels that are seen (N,), and the lowest and highest of the values (F,) at each of them."""
    x = scale.x_of(0.0) + times_s * scale.pixels_per_s
    seen = np.flatnonzero((x >= rect.left() - scale.pixels_per_s) & (x <= rect.right() + scale.pixels_per_s))
    if not len(seen):
        return np.zeros(0), np.zeros(0), np.zeros(0)
    x, values = x[seen], values[seen]
    pixels = np.floor(x)
    starts = np.flatnonzero(np.concatenate([[True], np.diff(pixels) > 0.0]))
    return x[starts], np.minimum.reduceat(values, starts), np.maximum.reduceat(values, starts)
