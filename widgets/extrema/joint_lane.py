"""The dope sheet of joints: a row for each joint in the order of the body, a diamond for each of its extremes."""

from dataclasses import dataclass

from PySide6.QtCore import QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPolygonF

from editor.document.session import Session, View
from model.extremes import Extreme, Extremes
from model.skeleton import Skeleton
from widgets.common.theme import GRID, colour
from widgets.extrema.extrema import Extrema
from widgets.timeline.joint_rows import joint_colour, joint_title, joints_in_order
from widgets.timeline.lane import Drag, Hit, Lane, Pointer, Row
from widgets.timeline.scale import TimeScale

_REACH_PX = 6.0
_LEAST_PX, _MORE_PX = 2.5, 2.5


@dataclass(frozen=True)
class _Mark:
    """An extreme of a joint."""

    joint: int
    extreme: Extreme


class JointExtremesLane(Lane):
    """Found only while it is unfolded: that takes longer than the poses of the body."""

    title = "Joint extremes"
    tip = "When each joint changes its turning. Click goes there and selects the joint"
    row_height = 2 * GRID
    starts_folded = True

    def __init__(self, extrema: Extrema, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._extrema, self._session = extrema, session
        self._joints: tuple[int, ...] = ()
        self._found: tuple[Extremes, ...] = ()
        self._skeleton: Skeleton | None = None
        self._folded = True
        self._hovered: _Mark | None = None
        extrema.changed.connect(self._on_changed)
        session.changed.connect(self._on_view_changed)
        self._on_changed()

    # What is there

    @property
    def rows(self) -> tuple[Row, ...]:
        skeleton = self._skeleton
        if skeleton is None or not self._found:
            return ()
        return tuple(Row(joint_title(skeleton, joint), joint_colour(skeleton, joint)) for joint in self._joints)

    @property
    def nothing(self) -> str:  # type: ignore[override]
        if self._extrema.basis is None:
            return ""
        return "Unfold to see when each joint turns back" if self._folded else "Looking for extremes of joints …"

    def set_folded(self, folded: bool) -> None:
        self._folded = folded
        self._extrema.want_joints(not folded)
        self._on_changed()

    def accessible_text(self) -> str:
        return f"Extremes of {len(self._joints)} joints." if self._found else "Extremes of joints."

    # Drawing

    def paint(self, painter: QPainter, scale: TimeScale, rect: QRectF, small: bool) -> None:
        skeleton = self._skeleton
        if small or skeleton is None or not self._found:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        height = rect.height() / max(len(self._joints), 1)
        chosen = {skeleton.resolve(ref) for ref in self._session.view.joints}
        first_s, last_s = scale.time_at(rect.left() - GRID), scale.time_at(rect.right() + GRID)
        for row, joint in enumerate(self._joints):
            band = QRectF(rect.left(), rect.top() + row * height, rect.width(), height)
            if joint in chosen:
                painter.fillRect(band, colour("accent", 0.14))
            tone = joint_colour(skeleton, joint)
            for one in self._found[joint].found:
                if not one.is_end and first_s <= (one.stop_s or one.time_s) and (one.start_s or one.time_s) <= last_s:
                    self._paint_mark(painter, one, tone, scale, band, _Mark(joint, one) == self._hovered)

    def _paint_mark(
        self, painter: QPainter, one: Extreme, tone: str, scale: TimeScale, band: QRectF, hovered: bool
    ) -> None:
        x, y = scale.x_of(one.time_s), band.center().y()
        if one.start_s is not None and one.stop_s is not None:
            left, right = scale.x_of(one.start_s), scale.x_of(one.stop_s)
            painter.fillRect(QRectF(left, y - 1.0, max(right - left, 1.0), 2.0), colour(tone, 0.3))
            return
        half = _LEAST_PX + _MORE_PX * min(one.prominence / 0.5, 1.0) + (1.0 if hovered else 0.0)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(tone))
        painter.drawPolygon(
            QPolygonF([QPointF(x, y - half), QPointF(x + half, y), QPointF(x, y + half), QPointF(x - half, y)])
        )

    # The mouse

    def hit(self, point: QPointF, scale: TimeScale, rect: QRectF) -> Hit | None:
        row = self.row_at(point.y(), rect)
        if row is None or self._skeleton is None:
            return None
        joint = self._joints[row]
        near = [
            (abs(point.x() - scale.x_of(one.time_s)), one)
            for one in self._found[joint].found
            if not one.is_end and not one.is_hold
        ]
        away, one = min(near, key=lambda found: found[0], default=(_REACH_PX + 1.0, None))
        if one is None or away > _REACH_PX:
            return None
        step_s = 1.0 if self._extrema.basis is None else self._extrema.basis.shown.take.motion.frame_time_s
        told = f"{joint_title(self._skeleton, joint)}, frame {round(one.time_s / step_s)}, {one.time_s:.2f} s"
        tip = f"{told}, prominence {one.prominence:.2f}. Click goes there and selects the joint"
        return Hit(_Mark(joint, one), "extreme", Qt.CursorShape.PointingHandCursor, tip)

    def hover(self, hit: Hit | None) -> None:
        over = hit.item if hit is not None and isinstance(hit.item, _Mark) else None
        if over != self._hovered:
            self._hovered = over
            self.changed.emit()

    def press(self, hit: Hit | None, pointer: Pointer) -> Drag | None:
        if hit is not None and isinstance(hit.item, _Mark) and self._skeleton is not None:
            ref = self._skeleton.ref(hit.item.joint)
            self._session.look(joints=(ref,), time_s=hit.item.extreme.time_s)
        return None

    # How

    def _on_view_changed(self, before: View, after: View) -> None:
        if before.joints != after.joints and not self._folded:
            self.changed.emit()

    def _on_changed(self) -> None:
        if self._folded and not self._found:
            return
        basis = self._extrema.basis
        found = None if basis is None or self._folded else self._extrema.joint_extremes()
        self._hovered = None
        if basis is None or self._folded:
            self._skeleton, self._joints, self._found = None, (), ()
        elif found is not None:
            self._skeleton, self._found = basis.shown.take.motion.skeleton, found
            self._joints = joints_in_order(self._skeleton)
        elif self._skeleton is not basis.shown.take.motion.skeleton:
            self._skeleton, self._joints, self._found = None, (), ()
        self.changed.emit()
