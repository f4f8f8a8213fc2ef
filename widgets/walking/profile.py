"""Speed and bends along the path: how fast it is walked where, and how tight it turns."""

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QWidget

from editor.walking.report import WalkReport
from widgets.common.theme import GRID, colour
from widgets.walking.painting import polygon
from widgets.walking.path_editing import PathEditing
from widgets.walking.style_colours import style_colour

_LEFT, _RIGHT, _TOP, _BOTTOM = 44.0, 12.0, 6.0, 16.0
_SMOOTH_S = 0.6  # a body's speed over this time is that of its walk


class Profile(QWidget):
    """Two curves over the metres of the path, on the colours of its styles. A click goes there."""

    hint_changed = Signal(str)
    time_wanted = Signal(float)

    def __init__(self, editing: PathEditing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._editing = editing
        self._known: tuple[WalkReport, np.ndarray, np.ndarray] | None = None  # a walk, its metres and speeds
        self.setFixedHeight(8 * GRID)
        self.setMouseTracking(True)
        self.setAccessibleName("Speed and bends along the path")
        self.setToolTip("Speed (line) and bends (filled) along the path. Click goes to that place")
        self._still: QPixmap | None = None  # what does not go with time, as it was drawn last
        editing.changed.connect(self._redraw)

    def _speeds(self, result: WalkReport) -> tuple[np.ndarray, np.ndarray]:
        """(F,) metres along the path and (F,) m/s of a walk's frames."""
        if self._known is None or self._known[0] is not result:
            arc, step_s = result.arc_m, result.frame_time_s
            width = max(1, round(_SMOOTH_S / step_s))
            frames = np.arange(len(arc))
            early, late = np.maximum(frames - width // 2, 0), np.minimum(frames + width // 2 + 1, len(arc) - 1)
            speeds = (arc[late] - arc[early]) / np.maximum((late - early) * step_s, 1e-9)
            self._known = (result, arc, speeds)
        return self._known[1], self._known[2]

    def _x(self, at_m: float) -> float:
        length = max(self._editing.track.length_m, 1e-9)
        return _LEFT + at_m / length * (self.width() - _LEFT - _RIGHT)

    def _redraw(self) -> None:
        """Draw all anew, not only the moment."""
        self._still = None
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._still is None or self._still.deviceIndependentSize() != self.size().toSizeF():
            self._still = self._draw_still()
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, self._still)
            result = self._editing.result
            if result is not None and len(result.arc_m) > 1:
                arc = result.arc_m
                frame = int(np.clip(self._editing.time_s / result.frame_time_s, 0, len(arc) - 1))
                here = self._x(float(arc[frame]) / result.curve.length_m * self._editing.track.length_m)
                painter.setPen(QPen(colour("accent"), 1.5))
                painter.drawLine(QPointF(here, _TOP), QPointF(here, self.height() - _BOTTOM))

    def _draw_still(self) -> QPixmap:
        """What does not go with time."""
        pixmap = QPixmap(self.size() * self.devicePixelRatioF())
        pixmap.setDevicePixelRatio(self.devicePixelRatioF())
        with QPainter(pixmap) as painter:
            painter.fillRect(self.rect(), colour("panel"))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            bands, result = self._editing.bands, self._editing.result
            high, low = _TOP, self.height() - _BOTTOM
            clips = list(dict.fromkeys(band.clip_id for band in bands))
            for band in bands:
                x = self._x(band.from_m)
                area = QRectF(x, high, self._x(band.to_m) - x, low - high)
                painter.fillRect(area, style_colour(clips.index(band.clip_id), 0.18))
            if result is not None and len(result.arc_m) > 1:
                self._paint_curves(painter, result, high, low)
            self._paint_metres(painter, low)
        return pixmap

    def _paint_curves(self, painter: QPainter, result: WalkReport, high: float, low: float) -> None:
        arc, speeds = self._speeds(result)
        share = max(1, len(arc) // 1000)
        top = max(float(np.max(speeds)) * 1.15, 0.5)
        # The walked curve is a little shorter than the drawn one where corners are rounded.
        x = _LEFT + arc[::share] / result.curve.length_m * (self.width() - _LEFT - _RIGHT)
        bends = np.abs(result.curve.curvatures(arc[::share]))
        tall = np.minimum(bends / 2.0, 1.0) * (low - high)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour("muted", 0.35))
        outline = np.concatenate([np.stack([x, low - tall], -1), [[x[-1], low], [x[0], low]]])
        painter.drawPolygon(polygon(outline))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(colour("text"), 1.5))
        painter.drawPolyline(polygon(np.stack([x, low - speeds[::share] / top * (low - high)], -1)))
        painter.setPen(colour("muted"))
        metrics = QFontMetricsF(painter.font())
        for value in (0.0, np.floor(top)) if top >= 1.0 else (0.0,):
            y = low - value / top * (low - high)
            text = f"{value:g} m/s" if value else "0"
            painter.drawText(QPointF(_LEFT - 4.0 - metrics.horizontalAdvance(text), y + 4.0), text)

    def _paint_metres(self, painter: QPainter, low: float) -> None:
        length = self._editing.track.length_m
        step = next(
            (one for one in (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0) if length / one <= 8), 1000.0
        )
        painter.setPen(colour("muted"))
        for at_m in np.arange(0.0, length + 1e-6, step):
            painter.drawText(QPointF(self._x(at_m) - 4.0, low + 13.0), f"{at_m:g}" if at_m else "0 m")

    def _arc_at(self, x_px: float) -> float:
        """Metres of the walked curve at a pixel."""
        part = (x_px - _LEFT) / max(self.width() - _LEFT - _RIGHT, 1.0)
        result = self._editing.result
        return float(np.clip(part, 0.0, 1.0)) * (result.curve.length_m if result is not None else 0.0)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        result = self._editing.result
        if result is None:
            return
        at_m = self._arc_at(event.position().x())
        arc, speeds = self._speeds(result)
        bend = abs(float(result.curve.curvatures(np.array(at_m))))
        radius = f", a bend of {1.0 / bend:.1f} m" if bend > 0.02 else ""
        self.hint_changed.emit(f"{at_m:.1f} m along the path: {float(np.interp(at_m, arc, speeds)):.2f} m/s{radius}")
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._go(at_m)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._editing.result is not None:
            self._go(self._arc_at(event.position().x()))

    def _go(self, at_m: float) -> None:
        result = self._editing.result
        assert result is not None
        arc = result.arc_m
        self.time_wanted.emit(float(np.interp(at_m, arc, np.arange(len(arc)))) * result.frame_time_s)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.PaletteChange:
            self._redraw()
        return super().event(event)
