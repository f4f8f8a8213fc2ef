"""A strip along the time axis: draws from a picture that it keeps, with the playhead over it, and turns the mouse
into drags. Ruler and lanes are such areas.
"""

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetrics,
    QHelpEvent,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
    QStatusTipEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from editor.document.session import Session, View
from widgets.common.number_field import tabular
from widgets.common.plain_label import plain_tip
from widgets.common.theme import colour
from widgets.timeline.axis import TimeAxis
from widgets.timeline.lane import Drag, Hit, Pointer
from widgets.timeline.scale import MARGIN_PX

_DRAG_PX = 3
_ZOOM_A_NOTCH = 1.25
_NOTCH = 120.0
_PAN_A_NOTCH_PX = 64.0


class Scrub(Drag):
    """Moves the playhead to the frame under the mouse; with Alt to any moment."""

    at_once = True

    def __init__(self, session: Session, axis: TimeAxis) -> None:
        self._session = session
        self._axis = axis
        self._before_s = session.view.time_s

    def move(self, pointer: Pointer) -> None:
        time_s = min(max(pointer.snap(pointer.time_s, ()), 0.0), self._axis.last_s)
        self._session.look(time_s=time_s)

    def finish(self) -> None:
        pass

    def cancel(self) -> None:
        self._session.look(time_s=self._before_s)


class TimeArea(QWidget):
    """Scrubs where nothing else is; wheel zooms, Ctrl+wheel and middle drag pan, Esc puts back what is dragged."""

    scrubbed = Signal()  # the playhead was taken hold of

    # Of the class too: Qt hides a window that Python has already taken apart.
    _drag: Drag | None = None

    def __init__(self, axis: TimeAxis, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.axis = axis
        self.session = session
        self._picture: QPixmap | None = None
        self._pressed: QPointF | None = None
        self._moved = False
        self._panned_from: QPointF | None = None
        self._playhead = QRect()
        self._hint = ""
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMouseTracking(True)
        self.setFont(tabular(self.font()))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        axis.changed.connect(self.refresh)
        session.changed.connect(self._on_view_changed)

    # For those that derive from it

    def paint_picture(self, painter: QPainter) -> None:
        """Draw everything but the playhead."""
        raise NotImplementedError

    def paint_playhead(self, painter: QPainter, x_px: int) -> None:
        """Draw the playhead."""
        painter.fillRect(QRect(x_px - 1, 0, 2, self.height()), colour("accent"))

    def playhead_rect(self, x_px: int) -> QRect:
        """What the playhead covers."""
        return QRect(x_px - 1, 0, 2, self.height())

    def hit(self, point: QPointF) -> Hit | None:
        """What can be grabbed there."""
        return None

    def drag_of(self, hit: Hit | None, pointer: Pointer, modifiers: Qt.KeyboardModifier) -> Drag | None:
        """What a press does; None: it scrubs."""
        return None

    def double_click(self, point: QPointF, pointer: Pointer) -> bool:
        return False

    def hover(self, hit: Hit | None) -> None:
        """The mouse is over something else than before."""

    # What they use

    @property
    def is_dragging(self) -> bool:
        return self._drag is not None

    @property
    def playhead_s(self) -> float:
        """Where the playhead is drawn: within the take."""
        return min(max(self.session.view.time_s, 0.0), self.axis.last_s)

    def refresh(self) -> None:
        """Draw everything again."""
        self._picture = None
        self._playhead = self._playhead_now()
        self.update()

    @property
    def digit_px(self) -> float:
        """How wide a digit is."""
        return QFontMetrics(self.font()).horizontalAdvance("0")

    def guide(self, painter: QPainter, rect: QRectF) -> None:
        """Draw faint lines below the labels of the ruler."""
        painter.setPen(colour("line", 0.6))
        for x, _ in self.axis.numbering.ticks(self.axis.scale, self.digit_px).major:
            painter.drawLine(QPointF(round(x), rect.top()), QPointF(round(x), rect.bottom()))

    def shade(self, painter: QPainter, rect: QRectF, strength: float = 0.5) -> None:
        """Darken what is outside the take and outside the loop range."""
        scale, loop_s = self.axis.scale, self.session.view.loop_s
        dim = colour("window", strength)
        left, right = scale.x_of(0.0), scale.x_of(scale.span_s)
        if loop_s is not None:
            left, right = max(left, scale.x_of(loop_s[0])), min(right, scale.x_of(loop_s[1]))
        if left > rect.left():
            painter.fillRect(QRectF(rect.left(), rect.top(), left - rect.left(), rect.height()), dim)
        if right < rect.right():
            painter.fillRect(QRectF(right, rect.top(), rect.right() - right, rect.height()), dim)

    def cancel_drag(self) -> None:
        """Put back what is being dragged."""
        drag, self._drag = self._drag, None
        self._pressed = self._panned_from = None
        if drag is not None:
            drag.cancel()

    # How

    def _playhead_now(self) -> QRect:
        return self.playhead_rect(round(self.axis.scale.x_of(self.playhead_s)))

    def _on_view_changed(self, before: View, after: View) -> None:
        if before.loop_s != after.loop_s:
            self.refresh()
        elif before.time_s != after.time_s:
            old, self._playhead = self._playhead, self._playhead_now()
            self.update(old)
            self.update(self._playhead)

    def pointer_at(self, point: QPointF, modifiers: Qt.KeyboardModifier) -> Pointer:
        free = bool(modifiers & Qt.KeyboardModifier.AltModifier)
        adding = bool(modifiers & Qt.KeyboardModifier.ShiftModifier)
        return Pointer(self.axis.scale.time_at(point.x()), _free if free else self.axis.snapped, point.y(), adding)

    def _show_hint(self, hit: Hit | None) -> None:
        """Tell the status bar what the mouse would do here."""
        hint = self.statusTip() if hit is None else hit.tip
        if hint != self._hint:
            self._hint = hint
            QApplication.sendEvent(self, QStatusTipEvent(hint))

    # Qt

    def paintEvent(self, event: QPaintEvent) -> None:
        ratio = self.devicePixelRatioF()
        if self._picture is None or self._picture.devicePixelRatio() != ratio:
            self._picture = QPixmap(self.size() * ratio)
            self._picture.setDevicePixelRatio(ratio)
            self._picture.fill(colour("panel"))
            with QPainter(self._picture) as picture_painter:
                picture_painter.setFont(self.font())
                self.paint_picture(picture_painter)
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, self._picture)
            if event.rect().intersects(self._playhead):
                self.paint_playhead(painter, round(self.axis.scale.x_of(self.playhead_s)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.refresh()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self.refresh()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        point = event.position()
        if event.button() == Qt.MouseButton.MiddleButton:
            self._panned_from = point
            return
        if event.button() != Qt.MouseButton.LeftButton or self._drag is not None:
            return
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        pointer, hit = self.pointer_at(point, event.modifiers()), self.hit(point)
        drag = self.drag_of(hit, pointer, event.modifiers())
        if drag is None and hit is None:
            drag = Scrub(self.session, self.axis)
            self.scrubbed.emit()
        self._drag, self._pressed, self._moved = drag, point, False
        if drag is not None and drag.at_once:
            self._moved = True
            drag.move(pointer)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point = event.position()
        if self._panned_from is not None:
            self.axis.pan(self._panned_from.x() - point.x())
            self._panned_from = point
        elif self._drag is not None and self._pressed is not None:
            self._moved = self._moved or abs(point.x() - self._pressed.x()) >= _DRAG_PX
            if self._moved:
                self._pan_along(point)
                self._drag.move(self.pointer_at(point, event.modifiers()))
        else:
            hit = self.hit(point)
            self.setCursor(Qt.CursorShape.ArrowCursor if hit is None else hit.cursor)
            self._show_hint(hit)
            self.hover(hit)

    def _pan_along(self, point: QPointF) -> None:
        """Let what is dragged out of sight take the view with it."""
        beyond = min(point.x() - MARGIN_PX / 2, 0.0) + max(point.x() - self.width() + MARGIN_PX / 2, 0.0)
        if beyond:
            self.axis.pan(beyond)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.MiddleButton:
            self._panned_from = None
        elif event.button() == Qt.MouseButton.LeftButton and self._drag is not None:
            drag, self._drag = self._drag, None
            self._pressed = None
            drag.finish()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        point = event.position()
        if event.button() != Qt.MouseButton.LeftButton or not self.double_click(
            point, self.pointer_at(point, event.modifiers())
        ):
            self.mousePressEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hint = ""
        if self._drag is None:
            self.hover(None)

    def wheelEvent(self, event: QWheelEvent) -> None:
        across, along = event.angleDelta().x() / _NOTCH, event.angleDelta().y() / _NOTCH
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            event.ignore()  # the lanes scroll
            return
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            across, along = across + along, 0.0
        if across:
            self.axis.pan(-across * _PAN_A_NOTCH_PX)
        if along:
            self.axis.zoom(_ZOOM_A_NOTCH**along, event.position().x())
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._drag is not None and event.key() == Qt.Key.Key_Escape:
            self.cancel_drag()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if self._drag is not None and event.key() == Qt.Key.Key_Escape:
                event.accept()
                return True
        elif event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            self._show_tip(event.pos(), event.globalPos())
            return True
        return super().event(event)

    def _show_tip(self, pos: QPoint, at: QPoint) -> None:
        hit = self.hit(QPointF(pos))
        QToolTip.showText(at, self.toolTip() if hit is None else plain_tip(hit.tip), self)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        # A window that comes up takes the release of the button with it.
        if event.reason() in (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason):
            self.cancel_drag()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if self._drag is not None:
            self.cancel_drag()


def _free(time_s: float, magnets: Iterable[float]) -> float:
    return time_s
