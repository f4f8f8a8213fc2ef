"""Draws the curves, their keys and handles into a picture."""

import math
from typing import Any

import numpy as np
from PySide6 import Shiboken
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from model.arrays import Array
from widgets.common.theme import colour
from widgets.curves.layout import BOX_MARGIN_PX, HANDLE_PX, KEY_PX, Layout
from widgets.curves.thinning import thinned
from widgets.curves.tracks import Track

# Smooth edges cost several times as much: they are for curves that are few enough.
_SMOOTH_POINTS = 20_000
_VOID_POINTER: Any = Shiboken.VoidPtr  # type: ignore[attr-defined]  # has no stub


def polygon(points: Array) -> QPolygonF:
    """Points (N, 2) as Qt has them, in one copy."""
    made = QPolygonF()
    made.resize(len(points))
    if len(points):
        room: Any = _VOID_POINTER(made.data(), 16 * len(points), True)
        np.frombuffer(room, dtype=np.float64)[:] = points.reshape(-1)
    return made


def draw_values(painter: QPainter, layout: Layout, apart_px: float, width: float) -> None:
    """Faint lines at round values, a stronger one at zero."""
    _, ticks = layout.values.ticks(apart_px)
    for value in ticks:  # filled rectangles: see-through lines take ten times as long
        y = round(layout.values.y_of(value))
        painter.fillRect(QRectF(0, y, width, 1), colour("line", 1.0 if abs(value) < 1e-9 else 0.55))


def draw_curves(painter: QPainter, layout: Layout, width: float) -> None:
    """What the figure does, and thin and grey-blue below it what it did before the keys."""
    if not layout.visible or layout.board.frames < 1:
        return
    changed = [track for track in layout.visible if track.is_changed]
    _draw(painter, layout, changed, width, before=True)
    _draw(painter, layout, list(layout.visible), width, before=False)


def _draw(painter: QPainter, layout: Layout, tracks: list[Track], width: float, before: bool) -> None:
    if not tracks:
        return
    scale, values, frame_s = layout.times, layout.values, layout.board.frame_time_s
    first = math.floor(scale.time_at(0.0) / frame_s) - 1
    last = math.ceil(scale.time_at(width) / frame_s) + 1
    seen_px = min(width, scale.span_s * scale.pixels_per_s)
    rows = np.stack([(track.before if before else track.values) for track in tracks])
    factors = np.array([track.measure.factor for track in tracks])
    # So many curves lie over each other that columns of two pixels look the same.
    coarse = 2.0 if 2.0 * seen_px * len(tracks) > 3 * _SMOOTH_POINTS else 1.0
    frames, points = thinned(rows, first, last, math.ceil(seen_px / coarse))
    x = scale.x_of(0.0) + frames * (frame_s * scale.pixels_per_s)
    y = values.height_px + (values.low - points / factors[:, None]) / values.per_px
    # Far outside Qt's rasteriser would still go through every line.
    y = np.clip(y, -2.0 * values.height_px, 3.0 * values.height_px)
    smooth = points.size <= _SMOOTH_POINTS
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, smooth)
    line = np.empty((len(x), 2))
    line[:, 0] = x
    on_top = [not before and track.channel in layout.active for track in tracks]
    for place in sorted(range(len(tracks)), key=lambda place: on_top[place]):
        line[:, 1] = y[place]
        tint = colour("source") if before else colour(tracks[place].colour)
        # A line of width 1 is drawn by a fast path of its own; wider ones take ten times as long.
        wide = (2.0 if on_top[place] else 1.25) if smooth and not before else 1.0
        painter.setPen(QPen(tint, wide))
        painter.drawPolyline(polygon(line))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def draw_keys(painter: QPainter, layout: Layout) -> None:
    """Keys as dots, all of a track at once; the selected ones larger, with their tangents and the box round them."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _draw_box(painter, layout)
    _draw_handles(painter, layout)
    for track in layout.visible:
        if not len(track.keys):
            continue
        at, tint = layout.key_points(track), colour(track.colour)
        _dots(painter, at, KEY_PX + 2.0, colour("panel"))
        _dots(painter, at, KEY_PX, tint)
    for track, mask in layout.chosen:
        at = layout.key_points(track)[mask]
        _dots(painter, at, KEY_PX + 4.0, colour("text"))
        _dots(painter, at, KEY_PX, colour(track.colour))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def _dots(painter: QPainter, at: Array, size: float, tint: QColor) -> None:
    pen = QPen(tint, size)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    painter.drawPoints(polygon(at))


def _draw_handles(painter: QPainter, layout: Layout) -> None:
    for handle in layout.handles():
        painter.setPen(QPen(colour("text", 0.7), 1.0))
        painter.drawLine(handle.key_at, handle.at)
        painter.setPen(QPen(colour("text"), 1.0))
        painter.setBrush(colour("panel"))
        half = HANDLE_PX / 2.0
        painter.drawRect(QRectF(handle.at.x() - half, handle.at.y() - half, HANDLE_PX, HANDLE_PX))


def _draw_box(painter: QPainter, layout: Layout) -> None:
    grips = layout.grips()
    if not grips:
        return
    box = layout.box()
    assert box is not None
    dashed = QPen(colour("muted", 0.7), 1.0, Qt.PenStyle.DashLine)
    painter.setPen(dashed)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(box.adjusted(-BOX_MARGIN_PX, -BOX_MARGIN_PX, BOX_MARGIN_PX, BOX_MARGIN_PX))
    painter.setPen(QPen(colour("accent"), 1.0))
    painter.setBrush(colour("raised"))
    for grip in grips:
        painter.drawRoundedRect(grip.rect, 2.0, 2.0)


def draw_band(painter: QPainter, rect: QRectF) -> None:
    """The rectangle that is being drawn to select keys."""
    painter.setPen(QPen(colour("accent"), 1.0))
    painter.setBrush(colour("accent", 0.15))
    painter.drawRect(rect)
