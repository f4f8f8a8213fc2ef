"""How extremes are drawn, as diamonds sized by prominence with pictures of their poses, and where they are grabbed."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from editor.extrema.correct import What
from model.extremes import Extreme, ExtremeKind
from model.skeleton import Skeleton
from widgets.common.theme import colour
from widgets.extrema.pictures import MARGIN_PX, PosePicture, PosePictures
from widgets.timeline.scale import TimeScale

LINE_PX = 9.0  # diamonds stand so far over the bottom of the lane
_PICTURES_OVER_PX = 18.0  # and the pictures' ground
_LEAST_PX, _MOST_PX = 4.0, 8.0  # half a diamond's width
_FULL = 0.6  # what stands out so far has the largest
_REACH_PX = 8.0
_BAR_PX = 6.0
_GAP_PX = 5.0  # between pictures
_NARROWEST_PX = 14.0


@dataclass(frozen=True)
class Look:
    """How an extreme is to be drawn. by : what a hand did to it."""

    selected: bool = False
    hovered: bool = False
    by: What | None = None


def half_width(one: Extreme) -> float:
    """Half the width of the diamond, in pixels: its area grows with the prominence. The ends are all alike."""
    if one.is_end:
        return 6.0
    part = math.sqrt(min(max(one.prominence, 0.0) / _FULL, 1.0))
    return _LEAST_PX + (_MOST_PX - _LEAST_PX) * part


def paint_extreme(painter: QPainter, one: Extreme, scale: TimeScale, y: float, look: Look) -> None:
    """A diamond, on a bar where the pose is held, half of it at the ends of the motion."""
    x, half = scale.x_of(one.time_s), half_width(one) + (1.0 if look.hovered else 0.0)
    if one.start_s is not None and one.stop_s is not None:
        left, right = scale.x_of(one.start_s), scale.x_of(one.stop_s)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour("extreme", 0.5 if look.selected or look.hovered else 0.34))
        painter.drawRoundedRect(QRectF(left, y - 0.5 * _BAR_PX, max(right - left, 2.0), _BAR_PX), 3.0, 3.0)
    hollow = one.is_end or look.by is What.ADDED
    rim = colour("text") if look.selected else colour("extreme") if hollow else colour("panel")
    painter.setPen(QPen(rim, 1.8 if look.selected or hollow else 1.0))
    painter.setBrush(colour("panel") if hollow else colour("extreme"))
    painter.drawPolygon(_shape(one, x, y, half))
    if one.pinned:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour("extreme") if hollow else colour("window"))
        painter.drawEllipse(QPointF(x, y), 2.0, 2.0)


def paint_small(painter: QPainter, extremes: Iterable[Extreme], scale: TimeScale, y: float) -> None:
    """All of them in the height of a title."""
    for one in extremes:
        if one.start_s is not None and one.stop_s is not None:
            left, right = scale.x_of(one.start_s), scale.x_of(one.stop_s)
            painter.fillRect(QRectF(left, y - 1.5, right - left, 3.0), colour("extreme", 0.4))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour("extreme", 0.5 if one.is_end else 1.0))
        painter.drawPolygon(_shape(one, scale.x_of(one.time_s), y, 0.6 * half_width(one)))


def grabbed_at(extremes: Iterable[Extreme], x_px: float, scale: TimeScale) -> Extreme | None:
    """The extreme at a place; one that is no end of the motion first."""
    near = [(abs(x_px - scale.x_of(one.time_s)), one) for one in extremes]
    within = [(one.is_end, away, one) for away, one in near if away <= max(_REACH_PX, half_width(one))]
    return min(within, key=lambda found: found[:2])[2] if within else None


def held_at(extremes: Iterable[Extreme], x_px: float, scale: TimeScale) -> Extreme | None:
    """The hold whose bar is at a place."""
    time_s = scale.time_at(x_px)
    return next((one for one in extremes if one.is_hold and one.is_near(time_s, 0.0)), None)


@dataclass(frozen=True)
class Placed:
    """A picture in its place."""

    extreme: Extreme
    picture: PosePicture
    box: QRectF


def place_pictures(
    extremes: Sequence[Extreme], pictures: Sequence[PosePicture], height_m: float, scale: TimeScale, rect: QRectF
) -> tuple[float, list[Placed]]:
    """How large pictures are, in pixels a metre, and where they stand: over their diamonds where there is room.

    Where there is not, the extreme that stands out more has its picture.
    """
    ground = rect.bottom() - _PICTURES_OVER_PX
    pixels_per_m = (ground - rect.top() - 2.0) / height_m
    placed: list[Placed] = []
    order = sorted(range(len(extremes)), key=lambda n: (extremes[n].is_end, -extremes[n].prominence))
    for n in order:
        x, half = scale.x_of(extremes[n].time_s), max(pictures[n].half_m * pixels_per_m, 0.5 * _NARROWEST_PX)
        box = QRectF(x - half, rect.top(), 2.0 * half, ground - rect.top())
        if box.right() < rect.left() or box.left() > rect.right():
            continue
        with_gap = box.adjusted(-_GAP_PX, 0.0, _GAP_PX, 0.0)
        if not any(with_gap.intersects(other.box) for other in placed):
            placed.append(Placed(extremes[n], pictures[n], box))
    return pixels_per_m, placed


def paint_pictures(
    painter: QPainter,
    placed: Iterable[Placed],
    pixels_per_m: float,
    pictures: PosePictures,
    skeleton: Skeleton,
    chosen: Extreme | None,
) -> None:
    """Draw the pictures that have room."""
    for one in placed:
        if one.extreme == chosen:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour("extreme", 0.16))
            painter.drawRoundedRect(one.box.adjusted(-3.0, 1.0, 3.0, 3.0), 4.0, 4.0)
        drawn = pictures.drawn(
            one.picture, skeleton, pixels_per_m, one.box.size(), painter.device().devicePixelRatioF()
        )
        painter.setOpacity(0.6 if one.extreme.is_end else 1.0)
        painter.drawPixmap(one.box.topLeft() - QPointF(MARGIN_PX, MARGIN_PX), drawn)
        painter.setOpacity(1.0)


def _shape(one: Extreme, x: float, y: float, half: float) -> QPolygonF:
    left = QPointF(x if one.kind is ExtremeKind.FIRST else x - half, y)
    right = QPointF(x if one.kind is ExtremeKind.LAST else x + half, y)
    return QPolygonF([QPointF(x, y - half), right, QPointF(x, y + half), left])
