"""Two bodies side by side in their T-poses: the motion's and the character's. Joints are picked here, and paired by
dragging from one body to the other.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from editor.retarget.stance import stance_positions
from model.arrays import Array
from model.roles import Role
from model.rotation import rotate
from model.skeleton import Skeleton
from widgets.common.plain_label import one_line, plain_tip
from widgets.common.theme import GRID, colour

SOURCE, TARGET = 0, 1
_YAW_RAD = np.radians(16.0)  # from the front, a little aside: toes and noses are seen
_NEAR_PX = 11.0
_DRAG_PX = 6.0
_DOT_PX = 4.0
_TITLE_PX = 3 * GRID
_ZOOMS = (1.0, 8.0)


@dataclass(frozen=True, eq=False)
class Shape:
    """A body as it is drawn. points : (J, 2) metres, to the right and up; tips : joints, each with the point where its
    chain ends; sides : for each joint "left", "right" or "centre"; height_m : of the body; low, high : (2,) the corners
    of what is drawn.
    """

    name: str
    skeleton: Skeleton
    points: Array
    tips: tuple[tuple[int, Array], ...]
    sides: tuple[str, ...]
    height_m: float
    low: Array
    high: Array

    @staticmethod
    def of(name: str, skeleton: Skeleton, stance: Array) -> "Shape":
        """A skeleton in its stance. stance : (J, 4) world rotations of its joints."""
        places = stance_positions(skeleton, stance)
        sites = [(site.joint, site.offset) for site in skeleton.end_sites]
        tips = [(joint, places[joint] + rotate(stance[joint], offset)) for joint, offset in sites]
        seen = np.concatenate([_seen(places), *(_seen(tip)[None] for _, tip in tips)])
        return Shape(
            name,
            skeleton,
            _seen(places),
            tuple((joint, _seen(tip)) for joint, tip in tips),
            sides_of(skeleton),
            float(np.ptp(seen[:, 1])),
            np.min(seen, axis=0),
            np.max(seen, axis=0),
        )


def sides_of(skeleton: Skeleton) -> tuple[str, ...]:
    """For each joint the side it is on: its role's, else that of the joint it hangs on."""
    sides: list[str] = []
    for joint, role in enumerate(skeleton.roles):
        parent = skeleton.parents[joint]
        if role is None:
            sides.append("centre" if parent < 0 else sides[parent])
        else:
            sides.append(str(role).split("_")[0] if "_" in str(role) else "centre")
    return tuple(sides)


def _seen(places: Array) -> Array:
    """(..., 2) places (..., 3) of bodies that face +Z, as somebody in front of them sees them."""
    across = np.cos(_YAW_RAD) * places[..., 0] + np.sin(_YAW_RAD) * places[..., 2]
    return np.stack([across, places[..., 1]], axis=-1)


class BodiesView(QWidget):
    """Draws both bodies. chosen : a body, and a joint of it that was clicked; paired : a joint of the target and the
    joint of the source that it should follow, after a drag between them.
    """

    chosen = Signal(int, int)
    paired = Signal(int, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shapes: list[Shape | None] = [None, None]
        self._empty = ["", ""]
        self._follows: Mapping[int, tuple[int, ...]] = {}
        self._selected: int | None = None
        self._hovered: tuple[int, int] | None = None
        self._pressed: tuple[int, int] | None = None
        self._pressed_at = QPointF()
        self._dragged_to: QPointF | None = None
        self._zoom = [1.0, 1.0]
        self._centre = [np.zeros(2), np.zeros(2)]
        self._placings: list[tuple[float, float, float, float, float] | None] = [None, None]
        self.setMouseTracking(True)
        self.setMinimumSize(34 * GRID, 20 * GRID)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Both bodies")
        self.setAccessibleDescription("Drag from a joint of the motion to one of the character to pair them")

    def set_body(self, which: int, shape: Shape | None, empty: str = "") -> None:
        """Show a body on the left (SOURCE) or on the right (TARGET); empty : what stands there where there is none."""
        before = self._shapes[which]
        self._shapes[which], self._empty[which] = shape, empty
        if shape is None or before is None or before.skeleton is not shape.skeleton:
            self._zoom[which] = 1.0
            # Joints of the body that is gone: the new one may not have as many.
            self._pressed = self._dragged_to = self._hovered = None
            if which == TARGET:
                self._selected = None
        self._placings[which] = None
        self.update()

    def set_follows(self, follows: Mapping[int, tuple[int, ...]]) -> None:
        """Say for joints of the target which joints of the source they follow."""
        self._follows = follows
        self.update()

    def select(self, target_joint: int | None) -> None:
        """Let a joint of the target stand out, with those that it follows."""
        self._selected = target_joint
        self.update()

    def place_of(self, which: int, joint: int) -> QPointF:
        """Where a joint is drawn."""
        shape = self._shapes[which]
        assert shape is not None
        return self._to_screen(which, shape.points[joint])

    def joint_at(self, at: QPointF) -> tuple[int, int] | None:
        """The body and joint under a place; of several the nearest."""
        best: tuple[float, int, int] | None = None
        for which, shape in enumerate(self._shapes):
            if shape is None:
                continue
            for joint in range(len(shape.points)):
                away = self.place_of(which, joint) - at
                distance = float(np.hypot(away.x(), away.y()))
                if distance < _NEAR_PX and (best is None or distance < best[0]):
                    best = (distance, which, joint)
        return None if best is None else best[1:]

    def sizeHint(self) -> QSize:
        return QSize(60 * GRID, 30 * GRID)

    # Where things are

    def _area(self, which: int) -> QRectF:
        half = self.width() / 2.0
        return QRectF(which * half, _TITLE_PX, half, self.height() - _TITLE_PX).adjusted(GRID, GRID, -GRID, -GRID)

    def _to_screen(self, which: int, point: Array) -> QPointF:
        scale, middle_x, middle_y, x, y = self._placing(which)
        return QPointF(x + scale * (float(point[0]) - middle_x), y - scale * (float(point[1]) - middle_y))

    def _placing(self, which: int) -> tuple[float, float, float, float, float]:
        """Pixels a metre, the point in the middle of a body's area, and where that is."""
        shape, known = self._shapes[which], self._placings[which]
        assert shape is not None
        if known is None:
            area, size = self._area(which), np.maximum(shape.high - shape.low, 1e-3)
            scale = min(area.width() / size[0], area.height() / size[1]) * self._zoom[which]
            middle = 0.5 * (shape.low + shape.high) if self._zoom[which] == 1.0 else self._centre[which]
            known = (float(scale), float(middle[0]), float(middle[1]), area.center().x(), area.center().y())
            self._placings[which] = known
        return known

    # Drawing

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.fillRect(self.rect(), colour("panel"))
            painter.setPen(QPen(colour("line"), 1.0))
            painter.drawLine(QPointF(self.width() / 2.0, 0.0), QPointF(self.width() / 2.0, float(self.height())))
            for which, shape in enumerate(self._shapes):
                self._paint_title(painter, which, shape)
                if shape is not None:
                    painter.save()
                    painter.setClipRect(
                        QRectF(which * self.width() / 2.0, 0.0, self.width() / 2.0, float(self.height()))
                    )
                    self._paint_body(painter, which, shape)
                    painter.restore()
            self._paint_links(painter)

    def _paint_title(self, painter: QPainter, which: int, shape: Shape | None) -> None:
        half = self.width() / 2.0
        title = QRectF(which * half + GRID, 0.0, half - 2 * GRID, float(_TITLE_PX))
        if shape is None:
            painter.setPen(colour("muted"))
            wrap = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(self._area(which), wrap, self._empty[which])
            return
        painter.setPen(colour("text"))
        height = f"{shape.height_m:.2f} m"
        metrics = painter.fontMetrics()
        room = int(title.width()) - metrics.horizontalAdvance(height) - GRID
        name = metrics.elidedText(shape.name, Qt.TextElideMode.ElideMiddle, room)
        painter.drawText(title, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, name)
        painter.setPen(colour("muted"))
        painter.drawText(title, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, height)

    def _paint_body(self, painter: QPainter, which: int, shape: Shape) -> None:
        for joint, parent in enumerate(shape.skeleton.parents):
            if parent >= 0:
                self._paint_bone(painter, which, shape, parent, shape.points[joint], shape.sides[joint])
        for joint, tip in shape.tips:
            self._paint_bone(painter, which, shape, joint, tip, shape.sides[joint])
        moves = {one for sources in self._follows.values() for one in sources}
        lit = self._lit(which)
        for joint in range(len(shape.points)):
            busy = joint in (self._follows if which == TARGET else moves)
            self._paint_joint(painter, self.place_of(which, joint), shape.sides[joint], which, busy, joint in lit)

    def _paint_bone(self, painter: QPainter, which: int, shape: Shape, start: int, end: Array, side: str) -> None:
        pen = QPen(colour(side, 0.45), 5.0)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.drawLine(self.place_of(which, start), self._to_screen(which, end))

    def _paint_joint(self, painter: QPainter, at: QPointF, side: str, which: int, busy: bool, lit: bool) -> None:
        if lit:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour("accent", 0.4))
            painter.drawEllipse(at, _DOT_PX + 5.0, _DOT_PX + 5.0)
        fill = colour(side) if busy else colour("panel")
        edge = colour(side) if busy else colour("warning" if which == TARGET else "muted")
        painter.setPen(QPen(colour("text") if lit else edge, 1.6))
        painter.setBrush(fill)
        painter.drawEllipse(at, _DOT_PX, _DOT_PX)

    def _lit(self, which: int) -> set[int]:
        """The joints of a body that stand out: the selected pair, and what is under the mouse."""
        found: set[int] = set()
        if self._selected is not None:
            found |= {self._selected} if which == TARGET else set(self._follows.get(self._selected, ()))
        if self._hovered is not None:
            body, joint = self._hovered
            if body == which:
                found.add(joint)
            elif which == SOURCE:
                found |= set(self._follows.get(joint, ()))
            else:
                found |= {one for one, sources in self._follows.items() if joint in sources}
        return found

    def _paint_links(self, painter: QPainter) -> None:
        """Lines from the joints of the source to those that follow them, and the one that is being dragged."""
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self._shapes[SOURCE] is not None and self._shapes[TARGET] is not None:
            painter.setPen(QPen(colour("accent"), 1.5))
            for joint in self._lit(TARGET):
                for source in self._follows.get(joint, ()):
                    painter.drawPath(_link(self.place_of(SOURCE, source), self.place_of(TARGET, joint)))
        if self._pressed is not None and self._dragged_to is not None:
            painter.setPen(QPen(colour("accent"), 2.0, Qt.PenStyle.DashLine))
            painter.drawLine(self.place_of(*self._pressed), self._dragged_to)
        for which in (SOURCE, TARGET):
            for joint in self._lit(which):
                self._paint_name(painter, which, joint)

    def _paint_name(self, painter: QPainter, which: int, joint: int) -> None:
        shape = self._shapes[which]
        if shape is None:
            return
        at, text = self.place_of(which, joint), one_line(shape.skeleton.names[joint])
        box = QRectF(painter.fontMetrics().boundingRect(text)).adjusted(-4.0, -2.0, 4.0, 2.0)
        box.moveTo(at.x() + 10.0, at.y() - box.height() - 4.0)
        box.moveRight(min(box.right(), self.width() - 2.0))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour("raised", 0.92))
        painter.drawRoundedRect(box, 3.0, 3.0)
        painter.setPen(QColor(colour("text")))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    # The mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self._pressed = self.joint_at(event.position())
        self._pressed_at = event.position()
        self._dragged_to = None
        if self._pressed is not None:
            self.setFocus(Qt.FocusReason.MouseFocusReason)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        hovered = self.joint_at(event.position())
        if hovered != self._hovered:
            self._hovered = hovered
            self._tell(event, hovered)
        away = event.position() - self._pressed_at
        if self._pressed is not None and (self._dragged_to is not None or np.hypot(away.x(), away.y()) > _DRAG_PX):
            self._dragged_to = event.position()
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, dragged = self._pressed, self._dragged_to is not None
        self._pressed, self._dragged_to = None, None
        self.update()
        if event.button() != Qt.MouseButton.LeftButton or pressed is None:
            return
        if not dragged:
            self.chosen.emit(*pressed)
            return
        end = self.joint_at(event.position())
        if end is not None and end[0] != pressed[0]:
            ends = dict((pressed, end))
            self.paired.emit(ends[TARGET], ends[SOURCE])

    def keyPressEvent(self, event: object) -> None:
        if event.key() == Qt.Key.Key_Escape and self._dragged_to is not None:  # type: ignore[attr-defined]
            self._pressed, self._dragged_to = None, None
            self.update()
        else:
            super().keyPressEvent(event)  # type: ignore[arg-type]

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Nearer to what is under the mouse, or farther away: hands have many joints."""
        which = SOURCE if event.position().x() < self.width() / 2.0 else TARGET
        if self._shapes[which] is None:
            return
        at = event.position()
        scale, *middle, x, y = self._placing(which)
        away = np.array([at.x() - x, y - at.y()])
        before = self._zoom[which]
        self._zoom[which] = float(np.clip(before * 1.2 ** (event.angleDelta().y() / 120.0), *_ZOOMS))
        self._centre[which] = np.array(middle) + away / scale - away / (scale * self._zoom[which] / before)
        self._placings[which] = None
        self.update()
        event.accept()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._placings = [None, None]
        super().resizeEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._hovered = None
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.update()

    def _tell(self, event: QMouseEvent, hovered: tuple[int, int] | None) -> None:
        shape = None if hovered is None else self._shapes[hovered[0]]
        if shape is None or hovered is None:
            QToolTip.hideText()
            return
        role = shape.skeleton.roles[hovered[1]]
        what = "no role" if role is None else str(Role(role)).replace("_", " ")
        QToolTip.showText(
            event.globalPosition().toPoint(), plain_tip(f"{shape.skeleton.names[hovered[1]]} ({what})"), self
        )


def _link(start: QPointF, end: QPointF) -> QPainterPath:
    path = QPainterPath(start)
    middle = 0.5 * (start.x() + end.x())
    path.cubicTo(QPointF(middle, start.y()), QPointF(middle, end.y()), end)
    return path
