"""The ruler: ticks in frames or seconds, the loop range with its handles, and the head of the playhead."""

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QWidget

from editor.session import Session
from widgets.common.theme import GRID, colour
from widgets.timeline.area import TimeArea
from widgets.timeline.axis import TimeAxis
from widgets.timeline.lane import Drag, Hit, Pointer

HEIGHT = 5 * GRID
_LOOP_HEIGHT = 12
_HANDLE_PX = 8
_HEAD = QRect(0, _LOOP_HEIGHT, 0, 2 * GRID + 2)
_USE = "Drag to scrub, Shift+drag to loop a range, wheel to zoom, Ctrl+wheel or middle drag to pan"


class LoopDrag(Drag):
    """Makes, moves or resizes the loop range. part : "start", "stop", "middle", or "new" for one from here on."""

    def __init__(
        self, session: Session, axis: TimeAxis, magnets: Callable[[], list[float]], part: str, pointer: Pointer
    ) -> None:
        self._session = session
        self._axis = axis
        self._before = session.view.loop_s
        self._part = part
        self._magnets = [*magnets(), session.view.time_s]
        here_s = self._held(pointer.snap(pointer.time_s, self._magnets))
        self._range = (here_s, here_s) if part == "new" or self._before is None else self._before
        self._grabbed_s = pointer.time_s

    def move(self, pointer: Pointer) -> None:
        start_s, stop_s = self._range
        if self._part == "middle":
            by_s = pointer.snap(start_s + pointer.time_s - self._grabbed_s, self._magnets) - start_s
            by_s = min(max(by_s, -start_s), self._axis.last_s - stop_s)
            new = (start_s + by_s, stop_s + by_s)
        else:
            fixed_s, moving_s = (stop_s, start_s) if self._part == "start" else (start_s, stop_s)
            if self._part != "new":  # the handle keeps its place under the mouse
                moving_s += pointer.time_s - self._grabbed_s
            else:
                moving_s = pointer.time_s
            moving_s = self._held(pointer.snap(moving_s, self._magnets))
            new = (min(fixed_s, moving_s), max(fixed_s, moving_s))
        if new[1] - new[0] > 0.5 * self._axis.scale.frame_time_s:
            self._session.look(loop_s=new)

    def finish(self) -> None:
        pass

    def cancel(self) -> None:
        self._session.look(loop_s=self._before)

    def _held(self, time_s: float) -> float:
        return min(max(time_s, 0.0), self._axis.last_s)


class Ruler(TimeArea):
    """magnets : the moments of the lanes that the loop range snaps to."""

    def __init__(
        self, axis: TimeAxis, session: Session, magnets: Callable[[], list[float]], parent: QWidget | None = None
    ) -> None:
        super().__init__(axis, session, parent)
        self._magnets = magnets
        self.setFixedHeight(HEIGHT)
        self.setAccessibleName("Time ruler")
        self.setAccessibleDescription("Left and Right step, Home and End go to the ends, [ and ] set the loop range")
        self.setToolTip(f"{_USE}. [ and ] set the loop range here; a double click on it clears it.")
        self.setStatusTip(_USE)

    # What it draws

    def paint_picture(self, painter: QPainter) -> None:
        scale, numbering = self.axis.scale, self.axis.numbering
        painter.fillRect(self.rect(), colour("panel"))
        painter.fillRect(QRect(0, 0, self.width(), _LOOP_HEIGHT), colour("window"))
        ticks = numbering.ticks(scale, self.digit_px)
        painter.setPen(colour("grid"))
        for x in ticks.minor:
            painter.drawLine(QPointF(round(x), HEIGHT - 4), QPointF(round(x), HEIGHT))
        for x, value in ticks.major:
            text = numbering.tick_text(value, ticks.step)
            painter.setPen(colour("muted"))
            painter.drawLine(QPointF(round(x), HEIGHT - 8), QPointF(round(x), HEIGHT))
            box = QRectF(x - 4 * HEIGHT, _LOOP_HEIGHT, 8 * HEIGHT, HEIGHT - _LOOP_HEIGHT - 8)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
        self.shade(painter, QRectF(0, _LOOP_HEIGHT, self.width(), HEIGHT - _LOOP_HEIGHT))
        self._paint_loop(painter)
        painter.setPen(colour("line"))
        painter.drawLine(QPointF(0, HEIGHT - 0.5), QPointF(self.width(), HEIGHT - 0.5))

    def _paint_loop(self, painter: QPainter) -> None:
        ends = self._loop_ends()
        if ends is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        band = QRectF(ends[0], 2, ends[1] - ends[0], _LOOP_HEIGHT - 4)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour("accent", 0.45))
        painter.drawRoundedRect(band, 3, 3)
        painter.setBrush(colour("accent"))
        for handle in self._handles(*ends).values():
            painter.drawRoundedRect(handle, 2, 2)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)

    def _loop_ends(self) -> tuple[float, float] | None:
        loop_s = self.session.view.loop_s
        return None if loop_s is None else (self.axis.scale.x_of(loop_s[0]), self.axis.scale.x_of(loop_s[1]))

    def _handles(self, left: float, right: float) -> dict[str, QRectF]:
        """Outside the band, so that the shortest range can still be moved."""
        return {
            "start": QRectF(left - _HANDLE_PX, 0, _HANDLE_PX, _LOOP_HEIGHT),
            "stop": QRectF(right, 0, _HANDLE_PX, _LOOP_HEIGHT),
        }

    def playhead_rect(self, x_px: int) -> QRect:
        if not 0 <= x_px <= self.width():
            return QRect()  # out of sight
        text = self.axis.numbering.text(self.playhead_s)
        width = QFontMetrics(self.font()).horizontalAdvance(text) + 2 * GRID
        left = min(max(x_px - width // 2, 0), max(self.width() - width, 0))
        return QRect(left, 0, width + 1, HEIGHT)

    def paint_playhead(self, painter: QPainter, x_px: int) -> None:
        head = self.playhead_rect(x_px).adjusted(0, _HEAD.y(), -1, 0)
        head.setHeight(_HEAD.height())
        painter.fillRect(QRect(x_px - 1, 0, 2, HEIGHT), colour("accent"))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        path = QPainterPath()
        path.addRoundedRect(QRectF(head), 4, 4)
        painter.fillPath(path, colour("accent"))
        painter.setPen(QPen(colour("on_accent")))
        painter.drawText(head, Qt.AlignmentFlag.AlignCenter, self.axis.numbering.text(self.playhead_s))

    # What hands do

    def hit(self, point: QPointF) -> Hit | None:
        ends = self._loop_ends()
        if ends is None or point.y() >= _LOOP_HEIGHT:
            return None
        for part, handle in self._handles(*ends).items():
            if handle.left() - 2 <= point.x() <= handle.right() + 2:
                tip = f"Drag to set where the loop {part}s; Esc puts it back"
                return Hit(None, part, Qt.CursorShape.SizeHorCursor, tip)
        if ends[0] <= point.x() <= ends[1]:
            return Hit(None, "middle", Qt.CursorShape.OpenHandCursor, "Drag to move the loop, double click to clear it")
        return None

    def drag_of(self, hit: Hit | None, pointer: Pointer, modifiers: Qt.KeyboardModifier) -> Drag | None:
        if modifiers & Qt.KeyboardModifier.ShiftModifier:
            return LoopDrag(self.session, self.axis, self._magnets, "new", pointer)
        if hit is not None:
            return LoopDrag(self.session, self.axis, self._magnets, hit.part, pointer)
        return None

    def double_click(self, point: QPointF, pointer: Pointer) -> bool:
        loop_s = self.session.view.loop_s
        if loop_s is None or not loop_s[0] <= pointer.time_s <= loop_s[1]:
            return False
        self.session.look(loop_s=None)
        return True
