"""How contacts are drawn as bars, and where a bar can be grabbed."""

from collections.abc import Iterable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from widgets.common.theme import colour
from widgets.contacts.correcting import Bar
from widgets.timeline.scale import TimeScale

# How far from an edge, outside and inside of a bar, it can be grabbed.
_OUTSIDE_PX, _INSIDE_PX = 5.0, 6.0
_INSET_PX = 4.0
_RADIUS_PX = 4.0
_SOURCE_PX = 2.0


def paint_bar(painter: QPainter, bar: Bar, scale: TimeScale, band: QRectF, selected: bool, hovered: bool) -> None:
    """A contact in its row; selected or under the mouse, with its length and where to grab it."""
    box = _box(bar, scale, band.adjusted(0, _INSET_PX, 0, -_INSET_PX))
    if not box.intersects(band):
        return
    painter.setPen(QPen(colour("text"), 1.5) if selected else Qt.PenStyle.NoPen)
    painter.setBrush(colour("contact", 1.0 if selected or hovered else 0.85))
    radius = min(_RADIUS_PX, 0.5 * box.width())
    painter.drawRoundedRect(box, radius, radius)
    if not (selected or hovered) or box.width() < 3 * _INSIDE_PX:
        return
    painter.setPen(QPen(colour("on_accent"), 1.5))
    for x in (box.left() + 4.0, box.right() - 4.0):
        painter.drawLine(QPointF(x, box.top() + 4.0), QPointF(x, box.bottom() - 4.0))
    text, seen = f"{bar.stop_s - bar.start_s:.2f} s", box.intersected(band)
    if painter.fontMetrics().horizontalAdvance(text) + 4 * _INSIDE_PX < seen.width():
        painter.drawText(seen, Qt.AlignmentFlag.AlignCenter, text)


def paint_small(painter: QPainter, bars: Iterable[Bar], scale: TimeScale, band: QRectF) -> None:
    """Contacts of a row where the lane is folded."""
    for bar in bars:
        box = _box(bar, scale, band.adjusted(0, 1, 0, -1))
        if box.intersects(band):
            painter.fillRect(box, colour("contact"))


def paint_source(painter: QPainter, bars: Iterable[Bar], scale: TimeScale, band: QRectF) -> None:
    """Thin lines under the bars: when the limb touched the ground before all edits."""
    line = QRectF(band.left(), band.bottom() - _SOURCE_PX - 1.0, band.width(), _SOURCE_PX)
    for bar in bars:
        box = _box(bar, scale, line)
        if box.intersects(line):
            painter.fillRect(box, colour("source"))


def grabbed_at(bars: Iterable[Bar], x_px: float, scale: TimeScale) -> tuple[Bar, str] | None:
    """The bar at a place, and which part of it: "start", "stop" or "middle"; of two the nearer edge."""
    found: list[tuple[float, Bar, str]] = []
    for bar in bars:
        left, right = scale.x_of(bar.start_s), scale.x_of(bar.stop_s)
        inside = min(_INSIDE_PX, (right - left) / 3.0)
        from_left, from_right = x_px - left, x_px - right
        if -_OUTSIDE_PX <= from_left <= inside:
            found.append((abs(from_left), bar, "start"))
        if -inside <= from_right <= _OUTSIDE_PX:
            found.append((abs(from_right), bar, "stop"))
        if left + inside < x_px < right - inside:
            found.append((0.0, bar, "middle"))
    if not found:
        return None
    _, bar, part = min(found, key=lambda one: one[0])
    return bar, part


def _box(bar: Bar, scale: TimeScale, band: QRectF) -> QRectF:
    """Where a bar is drawn within a band; never too thin to be seen."""
    left, right = scale.x_of(bar.start_s), scale.x_of(bar.stop_s)
    return QRectF(left, band.top(), max(right - left, 2.0), band.height())
