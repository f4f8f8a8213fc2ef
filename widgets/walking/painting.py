"""What the canvas draws: grid, ground, path with its styles, footprints, the walker, and handles."""

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF, QTransform

from editor.walking.footprints import Footprint
from model.arrays import Array
from model.ground import Grid, Ground, Mesh, ObjectName, Stairs, bounds, outline
from widgets.common.theme import colour
from widgets.walking.plan import Plan

POINT_PX, HANDLE_PX = 5.0, 6.0
_BAND_PX = 7.0
_SEEN_PX = 4.0
_FEET_PX_M = 8.0  # smaller feet cannot be seen
_NONE = Qt.BrushStyle.NoBrush


def polygon(pixels: Array) -> QPolygonF:
    """Pixels (N, 2) as Qt takes them."""
    return QPolygonF([QPointF(x, y) for x, y in np.asarray(pixels).tolist()])


def paint_grid(painter: QPainter, plan: Plan) -> None:
    """Lines of the floor, every metre or as far apart as can be told, and a scale in the corner."""
    painter.fillRect(QRectF(0.0, 0.0, *plan.size), colour("ground"))
    fine = plan.grid_m
    coarse = 5.0 * fine if fine not in (0.25, 2.0) else 4.0 * fine if fine == 0.25 else 10.0
    for step, alpha in ((fine, 0.35), (coarse, 0.9)):
        tone = colour("grid", alpha)
        xs, ys = plan.to_px(np.stack([plan.lines(0, step)] * 2, -1))[:, 0], plan.lines(1, step)
        ys = plan.to_px(np.stack([ys, ys], -1))[:, 1]
        for x in np.round(xs).tolist():  # filling is ten times faster than drawing lines
            painter.fillRect(QRectF(x, 0.0, 1.0, plan.size[1]), tone)
        for y in np.round(ys).tolist():
            painter.fillRect(QRectF(0.0, y, plan.size[0], 1.0), tone)
    _paint_scale(painter, plan, coarse)


def _paint_scale(painter: QPainter, plan: Plan, step_m: float) -> None:
    wide, bottom = step_m * plan.pixels_per_m, plan.size[1] - 14.0
    painter.setPen(QPen(colour("muted"), 1.5))
    painter.drawLine(QPointF(14.0, bottom), QPointF(14.0 + wide, bottom))
    for x in (14.0, 14.0 + wide):
        painter.drawLine(QPointF(x, bottom - 4.0), QPointF(x, bottom + 4.0))
    painter.drawText(QPointF(18.0, bottom - 6.0), f"{step_m:g} m")


def thinned(pixels: Array) -> Array:
    """A line (N, 2) without most of the points that are nearer to the last than can be seen; corners stay."""
    if len(pixels) < 3:
        return pixels
    arc = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(pixels, axis=0).T))])
    kept = np.diff(np.floor(arc / _SEEN_PX), prepend=-1.0) > 0.0
    kept[-1] = True
    return np.asarray(pixels[kept])


def paint_ground(painter: QPainter, plan: Plan, ground: Ground, chosen: ObjectName | None) -> None:
    """What stands on the floor, the higher the lighter, with its height."""
    for name, one in ground.objects:
        is_chosen = name == chosen
        painter.setPen(QPen(colour("accent" if is_chosen else "muted"), 1.5 if is_chosen else 1.0))
        painter.setBrush(colour("centre", 0.25))
        if isinstance(one, Grid | Mesh):
            low, high = plan.to_px(np.stack(bounds(one)))
            painter.setBrush(colour("centre", 0.12))
            painter.drawRect(QRectF(QPointF(*low), QPointF(*high)))
            continue
        corners = plan.to_px(outline(one))
        painter.drawPolygon(polygon(corners))
        if isinstance(one, Stairs):
            sides = corners[:2], corners[[3, 2]] - corners[:2]
            for part in np.arange(1, one.count) / one.count:
                left, right = sides[0] + part * sides[1]
                painter.drawLine(QPointF(*left), QPointF(*right))


def paint_line(painter: QPainter, pixels: Array, tone: QColor, width: float, style: Qt.PenStyle) -> None:
    painter.setPen(QPen(tone, width, style, Qt.PenCapStyle.FlatCap, Qt.PenJoinStyle.RoundJoin))
    painter.setBrush(_NONE)
    painter.drawPolyline(polygon(thinned(pixels)))


def paint_band(painter: QPainter, pixels: Array, tone: QColor) -> None:
    """A style along the path."""
    soft = QColor(tone)
    soft.setAlphaF(0.38)
    paint_line(painter, pixels, soft, 2.0 * _BAND_PX, Qt.PenStyle.SolidLine)
    paint_line(painter, pixels, tone, 2.0, Qt.PenStyle.SolidLine)


def paint_direction(painter: QPainter, pixels: Array, tone: QColor) -> None:
    """Arrow heads along a line (N, 2), about every hundred pixels: which way it is walked."""
    steps = np.hypot(*np.diff(pixels, axis=0).T)
    arc = np.concatenate([[0.0], np.cumsum(steps)])
    painter.setPen(QPen(tone, 2.0))
    for at in np.arange(50.0, arc[-1], 100.0):
        n = int(np.searchsorted(arc, at)) - 1
        ahead = (pixels[n + 1] - pixels[n]) / max(steps[n], 1e-9)
        tip = pixels[n] + (at - arc[n]) * ahead
        aside = np.array([-ahead[1], ahead[0]])
        for side in (-1.0, 1.0):
            painter.drawLine(QPointF(*tip), QPointF(*(tip - 6.0 * ahead + 4.0 * side * aside)))


def _foot() -> QPainterPath:
    """A left foot from heel (0, 0) to toe (1, 0), as wide as feet are."""
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    path.addEllipse(QRectF(-0.22, -0.2, 0.5, 0.4))
    path.addEllipse(QRectF(0.42, -0.27, 0.68, 0.54))
    return path


_FOOT = _foot()


_SIDES = ("left", "right")


def paint_footprints(painter: QPainter, plan: Plan, prints: Sequence[Footprint]) -> None:
    """Where feet tread: all of a side at once, which is much faster than one by one."""
    low, high = np.array(plan.to_m(0.0, 0.0)) - 1.0, np.array(plan.to_m(*plan.size)) + 1.0
    sides = {side: QPainterPath() for side in _SIDES}
    for one in prints if plan.pixels_per_m >= _FEET_PX_M else ():
        if low[0] < one.heel[0] < high[0] and low[1] < one.heel[1] < high[1]:
            sides[_side(one)].addPath(_foot_on(plan, one))
    painter.setPen(Qt.PenStyle.NoPen)
    for side, path in sides.items():
        path.setFillRule(Qt.FillRule.WindingFill)
        painter.setBrush(colour(side, 0.5))
        painter.drawPath(path)


def paint_standing(painter: QPainter, plan: Plan, prints: Sequence[Footprint], time_s: float) -> None:
    """The feet that stand at a moment."""
    painter.setPen(QPen(colour("text"), 1.5))
    for one in prints if plan.pixels_per_m >= _FEET_PX_M else ():
        if one.start_s <= time_s < one.stop_s:
            painter.setBrush(colour(_side(one), 0.95))
            painter.drawPath(_foot_on(plan, one))


def _side(one: Footprint) -> str:
    return "left" if one.foot.startswith("left") else "right"


def _foot_on(plan: Plan, one: Footprint) -> QPainterPath:
    start, toe = plan.to_px(np.array([one.heel, one.toe]))
    x, y = (toe - start).tolist()
    return QTransform(x, y, -y, x, *start.tolist()).map(_FOOT)


def paint_walker(painter: QPainter, place: Array, heading_rad: float) -> None:
    """Where the body is, and where it heads: 0 is +Z, that is down."""
    ahead = np.array([np.sin(heading_rad), np.cos(heading_rad)])
    aside = np.array([ahead[1], -ahead[0]])
    shape = np.stack([place + 13.0 * ahead, place - 7.0 * ahead + 8.0 * aside, place - 3.0 * ahead,
                      place - 7.0 * ahead - 8.0 * aside])  # fmt: skip
    painter.setPen(QPen(colour("window"), 1.5))
    painter.setBrush(colour("text"))
    painter.drawPolygon(polygon(shape))


def paint_point(painter: QPainter, pixel: Array, is_chosen: bool, is_hovered: bool) -> None:
    """A point of the path."""
    size = POINT_PX + (1.5 if is_chosen or is_hovered else 0.0)
    painter.setPen(QPen(colour("accent" if is_chosen else "text"), 2.0))
    painter.setBrush(colour("accent") if is_chosen else colour("panel"))
    painter.drawEllipse(QPointF(*pixel), size, size)


def paint_bulge(painter: QPainter, pixel: Array, is_hovered: bool) -> None:
    """The handle that bends an arc."""
    size = HANDLE_PX - (0.0 if is_hovered else 1.5)
    painter.setPen(QPen(colour("text"), 1.5))
    painter.setBrush(colour("panel"))
    painter.drawRect(QRectF(pixel[0] - size, pixel[1] - size, 2.0 * size, 2.0 * size))


def paint_border(painter: QPainter, pixel: Array, ahead: Array, tone: QColor, is_hovered: bool) -> None:
    """Where a style begins: a bar across the path that can be dragged along it."""
    aside = np.array([-ahead[1], ahead[0]]) * (14.0 if is_hovered else 12.0)
    ends = QPointF(*(pixel - aside)), QPointF(*(pixel + aside))
    painter.setPen(QPen(colour("window"), 7.0, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    painter.drawLine(*ends)
    painter.setPen(QPen(tone, 4.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    painter.drawLine(*ends)


def paint_labels(
    painter: QPainter, labels: Sequence[tuple[Array, str, QColor]], avoid: Array, size: tuple[float, float]
) -> None:
    """Words beside pixels (2,), each where it hides least. avoid : (N, 2) what should stay free; size : of the view."""
    metrics = QFontMetricsF(painter.font())
    sizes = [(metrics.horizontalAdvance(text) + 8.0, metrics.height() + 4.0) for _, text, _ in labels]
    boxes = free_boxes([pixel for pixel, _, _ in labels], sizes, avoid, size)
    for box, (_, text, tone) in zip(boxes, labels, strict=True):
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour("window", 0.8))
        painter.drawRoundedRect(box, 4.0, 4.0)
        painter.setPen(tone)
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), text)


def free_boxes(
    pixels: Sequence[Array], sizes: Sequence[tuple[float, float]], avoid: Array, view: tuple[float, float]
) -> list[QRectF]:
    """Boxes of these sizes beside pixels (2,), each where it hides least of what should stay free, avoid (N, 2), and of
    the boxes before it. view : the size of what they should stay in.
    """
    taken: list[QRectF] = []
    for (x, y), (wide, tall) in zip(pixels, sizes, strict=True):
        boxes = [
            QRectF(x + dx, y + dy, wide, tall)
            for off in (14.0, 26.0)
            for dx, dy in ((off, -0.5 * tall), (-off - wide, -0.5 * tall), (-0.5 * wide, -off - tall),
                           (-0.5 * wide, off), (off, -off - tall), (off, off), (-off - wide, -off - tall),
                           (-off - wide, off))
        ]  # fmt: skip
        taken.append(min(boxes, key=lambda box: _hidden(box, avoid, taken, view)))
    return taken


def _hidden(box: QRectF, avoid: Array, taken: Sequence[QRectF], size: tuple[float, float]) -> float:
    """How much would be hidden by words in a box."""
    inside = np.abs(avoid - [box.center().x(), box.center().y()]) < [0.5 * box.width() + 4, 0.5 * box.height() + 4]
    count = float(np.sum(np.all(inside, axis=1)))
    is_out = not QRectF(0.0, 0.0, *size).contains(box)
    return count + 100.0 * sum(box.intersects(one) for one in taken) + 200.0 * is_out


def paint_message(painter: QPainter, text: str, size: tuple[float, float]) -> None:
    """Why there is no walk, over as many lines as it needs."""
    flags = int(Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap)
    room = QRectF(14.0, 12.0, max(size[0] - 28.0, 40.0), size[1])
    box = painter.boundingRect(room, flags, text)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour("window", 0.85))
    painter.drawRoundedRect(box.adjusted(-6.0, -4.0, 6.0, 4.0), 4.0, 4.0)
    painter.setPen(colour("problem"))
    painter.drawText(box, flags, text)
