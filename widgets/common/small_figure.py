"""A person drawn small: bones as strokes, left blue, right coral, and a head."""

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from model.arrays import Array
from model.recent import recent
from model.roles import Role
from model.skeleton import Skeleton
from widgets.common.theme import theme

# What lies under these is told by them alone: fingers would be a blot.
_LAST = (Role.LEFT_WRIST, Role.RIGHT_WRIST)
_HEAD_PART = 0.055  # of the figure's height, the head's radius
_STROKE_PART = 0.05


@dataclass(frozen=True)
class Stroke:
    """A bone between two joints. side : the name of its colour in the theme."""

    start: int
    end: int
    side: str


def paint_pose(painter: QPainter, points: Array, skeleton: Skeleton, foot: QPointF, pixels_per_m: float) -> None:
    """Draw a pose over a place on the ground. points : (J, 2) metres, to the right of that place and above it."""
    size = _height(skeleton)
    width = max(_STROKE_PART * size * pixels_per_m, 1.3)
    places = [QPointF(foot.x() + x * pixels_per_m, foot.y() - y * pixels_per_m) for x, y in points.tolist()]
    for side in ("left", "centre", "right"):
        pen = QPen(QColor(getattr(theme(), side)), width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        bones = strokes(skeleton)
        painter.drawLines([QLineF(places[one.start], places[one.end]) for one in bones if one.side == side])
    head = skeleton.joint(Role.HEAD)
    if head is not None:
        radius = max(_HEAD_PART * size * pixels_per_m, 2.0)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme().centre))
        painter.drawEllipse(places[head], radius, radius)


@recent(8)
def strokes(skeleton: Skeleton) -> tuple[Stroke, ...]:
    """The bones of a body that a small picture shows."""
    hidden: set[int] = set()
    for role in _LAST:
        joint = skeleton.joint(role)
        if joint is not None:
            hidden |= set(skeleton.subtree(joint)) - {joint}
    found = []
    for joint, parent in enumerate(skeleton.parents):
        if parent >= 0 and joint not in hidden:
            name = skeleton.roles[joint] or ""
            side = "left" if name.startswith("left_") else "right" if name.startswith("right_") else "centre"
            found.append(Stroke(parent, joint, side))
    return tuple(found)


@recent(8)
def _height(skeleton: Skeleton) -> float:
    """About how tall a body is: the way from the root to the head and to a foot, metres."""
    total = 0.0
    for role in (Role.HEAD, Role.LEFT_ANKLE):
        joint = skeleton.joint(role)
        while joint is not None and skeleton.parents[joint] >= 0:
            total += float(np.linalg.norm(skeleton.offsets[joint]))
            joint = skeleton.parents[joint]
    return total if total > 0.0 else 1.0
