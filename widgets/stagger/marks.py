"""How staggered poses are drawn, as columns of knots that lean where joints are late, and where they can be grabbed."""

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from model.arrays import Array
from model.skeleton import Skeleton
from widgets.common.theme import colour
from widgets.stagger.staggering import StaggerBasis
from widgets.timeline.joint_rows import joint_colour
from widgets.timeline.pose_marks import paint_diamond
from widgets.timeline.scale import TimeScale

_KNOT_PX, _COLUMN_PX = 3.5, 6.0
_REACH_PX, _LINE_REACH_PX = 7.0, 5.0
_DENSE_PX = 16.0
_SIGHT_PX = 300.0  # within which knots of a line near the mouse are

Knot = tuple[int, int]  # the numbers of a pose and of a joint


@dataclass(frozen=True)
class Grabbed:
    """part : "pose", "knot" or "slant"; knot : the pose and joint, the joint -1 for a pose as a whole. share : of a
    slant, how far down its limb it was taken, 0 to 1.
    """

    part: str
    knot: Knot
    share: float = 1.0


@dataclass(frozen=True, eq=False)
class Columns:
    """What is drawn: a basis, the joints of its rows, and which of them hang together as limbs, top to bottom.

    centres : (N,), knots : (N, J) when poses are and when joints are in them, in the time of what is shown.
    """

    basis: StaggerBasis
    joints: tuple[int, ...]
    limbs: tuple[tuple[int, ...], ...]
    centres: Array
    knots: Array

    @staticmethod
    def of(basis: StaggerBasis, joints: tuple[int, ...]) -> "Columns":
        plan = basis.plan
        centres, knots = basis.to_shown(plan.after.times_s), basis.to_shown(plan.after_s[1:-1])
        return Columns(basis, joints, limbs_of(basis.skeleton, joints), centres, knots)

    @property
    def rows(self) -> int:
        """The row of the poses, and one for each joint."""
        return 1 + len(self.joints)

    def limb_of(self, joint: int) -> tuple[int, ...]:
        return next((limb for limb in self.limbs if joint in limb), (joint,))

    def centre_s(self, pose: int) -> float:
        return float(self.centres[pose])

    def knot_s(self, pose: int, joint: int) -> float:
        return float(self.knots[pose, joint])

    def y_of(self, row: int, rect: QRectF) -> float:
        return rect.top() + (row + 0.5) * rect.height() / self.rows

    def place(self, pose: int, joint: int, scale: TimeScale, rect: QRectF) -> QPointF:
        """Where a knot is drawn."""
        return QPointF(scale.x_of(self.knot_s(pose, joint)), self.y_of(1 + self.joints.index(joint), rect))

    def knots_in(self, box: QRectF, scale: TimeScale, rect: QRectF) -> frozenset[Knot]:
        """The knots within a rectangle."""
        return frozenset(
            (pose, joint)
            for pose in range(len(self.basis.plan.after))
            for joint in self.joints
            if box.contains(self.place(pose, joint, scale, rect))
        )


def limbs_of(skeleton: Skeleton, joints: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Rows that hang together: runs in which each joint is below the one before it in the body."""
    limbs: list[list[int]] = []
    for joint in joints:
        if limbs and joint in skeleton.subtree(limbs[-1][-1]):
            limbs[-1].append(joint)
        else:
            limbs.append([joint])
    return tuple(tuple(limb) for limb in limbs)


def paint_columns(
    painter: QPainter,
    columns: Columns,
    scale: TimeScale,
    rect: QRectF,
    chosen: frozenset[Knot],
    hovered: Grabbed | None,
) -> None:
    """Every pose with its knots."""
    first_s, last_s = scale.time_at(rect.left() - _KNOT_PX), scale.time_at(rect.right() + _KNOT_PX)
    some = columns.knots[:, list(columns.joints)]
    seen = np.flatnonzero((np.max(some, axis=1) >= first_s) & (np.min(some, axis=1) <= last_s)).tolist()
    # Where columns are too near to each other to grab a dot, lines tell more, and are drawn at once.
    dense = len(seen) * _DENSE_PX > rect.width()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, not dense)
    for pose in seen:
        x = scale.x_of(columns.centre_s(pose))
        top = columns.y_of(0, rect)
        painter.setPen(QPen(colour("muted", 0.45), 1.0, Qt.PenStyle.DotLine))
        painter.drawLine(QPointF(x, top), QPointF(x, rect.bottom()))
        over = hovered is not None and hovered.part == "pose" and hovered.knot[0] == pose
        _paint_limbs(painter, columns, pose, scale, rect, hovered)
        for joint in () if dense else columns.joints:
            _paint_knot(painter, columns, (pose, joint), scale, rect, (pose, joint) in chosen, hovered)
        size = _COLUMN_PX - (2.0 if dense else 0.0) + (1.0 if over else 0.0)
        paint_diamond(painter, x, top, size, "accent", (pose, -1) in chosen)


def paint_small(painter: QPainter, columns: Columns, scale: TimeScale, rect: QRectF) -> None:
    """The poses alone, where the lane is folded."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for pose in range(len(columns.basis.plan.after)):
        paint_diamond(painter, scale.x_of(columns.centre_s(pose)), rect.center().y(), 4.0, "accent", False)


def _paint_limbs(
    painter: QPainter, columns: Columns, pose: int, scale: TimeScale, rect: QRectF, hovered: Grabbed | None
) -> None:
    """Lines down the body, along which a succession reads as a slant."""
    for limb in columns.limbs:
        if len(limb) < 2:
            continue
        held = hovered is not None and hovered.part == "slant" and hovered.knot[0] == pose and hovered.knot[1] in limb
        tone = joint_colour(columns.basis.skeleton, limb[-1])
        painter.setPen(QPen(colour(tone, 1.0 if held else 0.55), 2.0 if held else 1.2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(QPolygonF([columns.place(pose, joint, scale, rect) for joint in limb]))


def _paint_knot(
    painter: QPainter,
    columns: Columns,
    knot: Knot,
    scale: TimeScale,
    rect: QRectF,
    selected: bool,
    hovered: Grabbed | None,
) -> None:
    """A dot; hollow where no extremum of the joint is near, with a ring where it came too near to another pose."""
    pose, joint = knot
    plan, at = columns.basis.plan, columns.place(pose, joint, scale, rect)
    tone = joint_colour(columns.basis.skeleton, joint)
    over = hovered is not None and hovered.part == "knot" and hovered.knot == knot
    size = _KNOT_PX + (1.2 if over or selected else 0.0)
    if plan.near[pose, joint] or plan.stopped[pose, joint]:
        painter.setPen(QPen(colour("problem" if plan.stopped[pose, joint] else "warning"), 1.4))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(at, size + 2.5, size + 2.5)
    if plan.found.with_extremum[pose, joint]:
        painter.setPen(QPen(colour("text" if selected else "window"), 1.6 if selected else 1.0))
        painter.setBrush(colour(tone))
    else:
        painter.setPen(QPen(colour("text" if selected else tone), 1.4))
        painter.setBrush(colour("panel"))
    painter.drawEllipse(at, size, size)


def grabbed_at(columns: Columns, point: QPointF, scale: TimeScale, rect: QRectF) -> Grabbed | None:
    """What a hand takes hold of at a place: a pose in the first row, a knot, or the line down a limb."""
    poses = range(len(columns.basis.plan.after))
    row_height = rect.height() / columns.rows
    row = int((point.y() - rect.top()) / row_height)
    if not 0 <= row < columns.rows or not len(poses):
        return None
    if row == 0:
        away = [abs(point.x() - scale.x_of(one)) for one in columns.centres.tolist()]
        nearest = int(np.argmin(away))
        return Grabbed("pose", (nearest, -1)) if away[nearest] <= _REACH_PX + 1.0 else None
    joint = columns.joints[row - 1]
    away = [abs(point.x() - scale.x_of(one)) for one in columns.knots[:, joint].tolist()]
    nearest = int(np.argmin(away))
    middle = abs(point.y() - columns.y_of(row, rect)) <= _REACH_PX
    if away[nearest] <= _REACH_PX and middle:
        return Grabbed("knot", (nearest, joint))
    return _slant_at(columns, point, scale, rect)


def _slant_at(columns: Columns, point: QPointF, scale: TimeScale, rect: QRectF) -> Grabbed | None:
    """The line down a limb near a place."""
    best: tuple[float, Grabbed] | None = None
    near_s = scale.time_at(point.x() - _SIGHT_PX), scale.time_at(point.x() + _SIGHT_PX)
    close = np.any((columns.knots >= near_s[0]) & (columns.knots <= near_s[1]), axis=1)
    for pose in np.flatnonzero(close).tolist():
        for limb in columns.limbs:
            places = [columns.place(pose, joint, scale, rect) for joint in limb]
            if len(limb) < 2 or not places[0].y() <= point.y() <= places[-1].y():
                continue
            x = float(np.interp(point.y(), [place.y() for place in places], [place.x() for place in places]))
            share = (point.y() - places[0].y()) / max(places[-1].y() - places[0].y(), 1.0)
            away = abs(point.x() - x)
            if away <= _LINE_REACH_PX and share > 0.1 and (best is None or away < best[0]):
                best = away, Grabbed("slant", (pose, limb[-1]), share)
    return None if best is None else best[1]
