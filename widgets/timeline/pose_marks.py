"""How target poses are drawn, as diamonds on slopes, and where they can be grabbed."""

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from widgets.common.theme import colour
from widgets.timeline.scale import TimeScale

_HALF_PX = 6.0
_REACH_PX = 8.0
_END_PX = 5.0
_WARNING_PX = 7.0


@dataclass(frozen=True)
class Mark:
    """A target pose as it is shown: in which edit, at which moment of the source, and the times [start_s, stop_s] of
    its slopes and of itself in the shown take. told : what contacts took from it, in words; tried : it is only shown.
    """

    layer: str
    source_s: float
    time_s: float
    start_s: float
    stop_s: float
    strength: float = 1.0
    told: str = ""
    tried: bool = False

    @property
    def key(self) -> tuple[str, float]:
        return self.layer, self.source_s


def paint_mark(
    painter: QPainter, mark: Mark, scale: TimeScale, band: QRectF, selected: bool, hovered: bool, active: bool
) -> None:
    """A diamond on its slopes. active : its edit is the one that is shown."""
    x, left, right = (scale.x_of(at) for at in (mark.time_s, mark.start_s, mark.stop_s))
    if right < band.left() - _HALF_PX or left > band.right() + _HALF_PX:
        return
    top, bottom = band.top() + 4.0, band.bottom() - 3.0
    tone = "accent" if active else "muted"
    height = (bottom - top) * min(max(mark.strength, 0.15), 1.0)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour(tone, 0.34 if selected or hovered else 0.2))
    painter.drawPolygon(QPolygonF([QPointF(left, bottom), QPointF(x, bottom - height), QPointF(right, bottom)]))
    if selected or hovered:
        painter.setPen(QPen(colour("text"), 1.5))
        for end in (left, right):
            painter.drawLine(QPointF(end, bottom - 7.0), QPointF(end, bottom))
    size = _HALF_PX + (1.0 if hovered else 0.0)
    paint_diamond(painter, x, band.center().y(), size, tone, selected, hollow=mark.tried)
    if mark.told:
        _paint_warning(painter, x + _HALF_PX + 2.0, band.top() + 2.0)


def _paint_warning(painter: QPainter, left: float, top: float) -> None:
    """A small triangle: contacts did not let the pose be."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour("warning"))
    tip = QPointF(left + 0.5 * _WARNING_PX, top)
    corners = (QPointF(left, top + _WARNING_PX), QPointF(left + _WARNING_PX, top + _WARNING_PX))
    painter.drawPolygon(QPolygonF([tip, *corners]))


def paint_diamond(
    painter: QPainter, x: float, y: float, half: float, tone: str, selected: bool, hollow: bool = False
) -> None:
    if hollow:
        painter.setPen(QPen(colour(tone), 1.6))
        painter.setBrush(colour("panel"))
    else:
        painter.setPen(QPen(colour("text" if selected else "window"), 1.6 if selected else 1.0))
        painter.setBrush(colour(tone))
    painter.drawPolygon(
        QPolygonF([QPointF(x, y - half), QPointF(x + half, y), QPointF(x, y + half), QPointF(x - half, y)])
    )


def grabbed_at(marks: Iterable[Mark], x_px: float, scale: TimeScale, ends_of: Mark | None) -> tuple[Mark, str] | None:
    """The pose at a place and its part: "pose", or "before" and "after" for the ends of its slopes.

    ends_of : the pose whose ends are drawn; those of others cannot be grabbed.
    """
    found: list[tuple[float, Mark, str]] = []
    for mark in marks:
        away = abs(x_px - scale.x_of(mark.time_s))
        if away <= _REACH_PX:
            found.append((away, mark, "pose"))
        if ends_of is not None and mark.key == ends_of.key:
            for part, at in (("before", mark.start_s), ("after", mark.stop_s)):
                away = abs(x_px - scale.x_of(at))
                if away <= _END_PX:
                    found.append((away + 1.0, mark, part))
    best = min(found, key=lambda one: one[0], default=None)
    return None if best is None else (best[1], best[2])
