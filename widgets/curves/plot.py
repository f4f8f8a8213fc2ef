"""The plot: curves drawn into a picture that is kept, the playhead over it, and hands that move keys."""

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QFontMetrics,
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
from PySide6.QtWidgets import QApplication, QWidget

from editor.curves.editing import Spot
from editor.document.session import Session, View
from widgets.common.number_field import tabular
from widgets.common.theme import GRID, colour
from widgets.curves.axis import Axis
from widgets.curves.drags import BoxSelect, Drag, MoveKeys, Pointer, PullCurve, ScaleKeys, TurnTangent
from widgets.curves.key_editing import KeyEditing
from widgets.curves.layout import Layout
from widgets.curves.painting import draw_band, draw_curves, draw_keys, draw_values
from widgets.curves.value_scale import ValueScale

_DRAG_PX = 3
_ZOOM_A_NOTCH = 1.25
_NOTCH = 120.0
_PAN_A_NOTCH_PX = 64.0
APART_PX = 3 * GRID
_USE = "Drag a key or a curve, drag on empty space to select, double click a curve for a key, wheel to zoom"


class Plot(QWidget):
    """Wheel zooms both axes, with Ctrl time only, with Shift values only; middle drag pans; Esc puts back a drag."""

    values_changed = Signal()  # the value scale
    menu_wanted = Signal(object)  # a QContextMenuEvent

    # Of the class too: Qt hides a window that Python has already taken apart.
    _drag: Drag | None = None

    def __init__(self, axis: Axis, session: Session, editing: KeyEditing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._axis = axis
        self._session = session
        self._editing = editing
        self.values = ValueScale()
        self._picture: QPixmap | None = None
        self._pressed: QPointF | None = None
        self._moved = False
        self._panned_from: QPointF | None = None
        self._playhead = QRect()
        self._hint = ""
        self._clicked: Spot | None = None
        self._shift = False
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMouseTracking(True)
        self.setFont(tabular(self.font()))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumHeight(6 * GRID)
        self.setAccessibleName("Curves")
        self.setToolTip("")
        self.setStatusTip(_USE)
        axis.changed.connect(self.refresh)
        session.changed.connect(self._on_view_changed)
        editing.changed.connect(self.refresh)
        editing.marked.connect(self.refresh)

    @property
    def layout_(self) -> Layout:
        """What is seen now."""
        editing = self._editing
        return Layout(editing.board, editing.visible, editing.selected, editing.active, self._axis.scale, self.values)

    @property
    def is_dragging(self) -> bool:
        return self._drag is not None

    def refresh(self) -> None:
        """Draw everything again."""
        self._picture = None
        self._playhead = self._playhead_now()
        self.update()

    def set_values(self, scale: ValueScale) -> None:
        """Show other values."""
        if scale != self.values:
            self.values = scale
            self.refresh()
            self.values_changed.emit()

    def cancel_drag(self) -> None:
        """Put back what is being dragged."""
        drag, self._drag = self._drag, None
        self._pressed = self._panned_from = None
        if drag is not None:
            drag.cancel()
            self.refresh()

    # Drawing

    def _draw_picture(self, painter: QPainter) -> None:
        layout = self.layout_
        scale = self._axis.scale
        digit_px = QFontMetrics(self.font()).horizontalAdvance("0")
        for x, _ in self._axis.numbering.ticks(scale, digit_px).major:
            painter.fillRect(QRectF(round(x), 0, 1, self.height()), colour("line", 0.6))
        draw_values(painter, layout, APART_PX, self.width())
        draw_curves(painter, layout, self.width())
        self._shade(painter)
        draw_keys(painter, layout)
        if self.hasFocus():
            painter.setPen(colour("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -1.5, -1.5))

    def _shade(self, painter: QPainter) -> None:
        """Darken what is outside the take and outside the loop range."""
        scale, loop_s = self._axis.scale, self._session.view.loop_s
        left, right = scale.x_of(0.0), scale.x_of(scale.span_s)
        if loop_s is not None:
            left, right = max(left, scale.x_of(loop_s[0])), min(right, scale.x_of(loop_s[1]))
        dim = colour("window", 0.5)
        if left > 0.0:
            painter.fillRect(QRectF(0.0, 0.0, left, self.height()), dim)
        if right < self.width():
            painter.fillRect(QRectF(right, 0.0, self.width() - right, self.height()), dim)

    def _playhead_now(self) -> QRect:
        time_s = min(max(self._session.view.time_s, 0.0), self._axis.last_s)
        return QRect(round(self._axis.scale.x_of(time_s)) - 1, 0, 2, self.height())

    def _on_view_changed(self, before: View, after: View) -> None:
        if before.loop_s != after.loop_s:
            self.refresh()
        elif before.time_s != after.time_s:
            old, self._playhead = self._playhead, self._playhead_now()
            self.update(old)
            self.update(self._playhead)

    # Hands

    def _drag_of(self, point: QPointF, modifiers: Qt.KeyboardModifier) -> Drag | None:
        """What a press takes hold of; keys and curves are selected by it."""
        editing, layout = self._editing, self.layout_
        shift = bool(modifiers & Qt.KeyboardModifier.ShiftModifier)
        if (handle := layout.handle_at(point)) is not None:
            track = editing.board.track(handle.spot.channel)
            if track is not None:
                return TurnTangent(editing, point, layout, handle, track)
        if (spot := layout.key_at(point)) is not None:
            self._press_key(spot, shift)
            return MoveKeys(editing, point, self.layout_, spot) if spot in editing.selected else None
        if (grip := layout.grip_at(point)) is not None:
            return ScaleKeys(editing, point, layout, grip)
        if (found := layout.track_at(point)) is not None:
            editing.activate([found.channel])
            if modifiers & Qt.KeyboardModifier.ControlModifier:
                editing.insert([found.channel], self._axis.scale.time_at(point.x()))
                return None
            if not shift:
                return PullCurve(editing, point, layout, found)
        return BoxSelect(editing, point, shift)

    def _press_key(self, spot: Spot, adds: bool) -> None:
        selected = self._editing.selected
        if adds:
            self._editing.select(selected ^ {spot})
        elif spot not in selected:
            self._editing.select([spot])
        else:
            self._clicked = spot  # a click without a move leaves it alone selected

    def _finish(self, drag: Drag) -> None:
        if self._moved:
            drag.finish()
            return
        drag.cancel()
        if isinstance(drag, BoxSelect):
            if not self._shift:
                self._editing.select(())
                self._editing.activate(())
        elif self._clicked is not None:
            self._editing.select([self._clicked])

    def _hint_at(self, point: QPointF) -> tuple[str, Qt.CursorShape]:
        layout, shape = self.layout_, Qt.CursorShape
        if layout.handle_at(point) is not None:
            return "Drag to turn the tangent", shape.PointingHandCursor
        if (spot := layout.key_at(point)) is not None:
            return f"{self._told(spot)}. Drag to move, Shift+click to add to the selection", shape.SizeAllCursor
        if (grip := layout.grip_at(point)) is not None:
            across = {"left", "right"} & set(grip.part)
            up = {"top", "bottom"} & set(grip.part)
            cursor = shape.SizeHorCursor if not up else shape.SizeVerCursor if not across else shape.SizeAllCursor
            return "Drag to scale the selected keys about the opposite side", cursor
        if (track := layout.track_at(point)) is not None:
            name = f"{track.name[:1].upper()}{track.name[1:]} {track.channel.axis}"
            return f"{name}. Drag to pull the curve, double click or Ctrl+click for a key", shape.SplitVCursor
        return _USE, shape.ArrowCursor

    def _told(self, spot: Spot) -> str:
        track = self._editing.board.track(spot.channel)
        place = None if track is None else track.place_of(spot)
        if track is None or place is None:
            return ""
        key, when = track.keys.keys[place], self._axis.numbering.text(float(track.times_s[place]))
        kind = "" if track.absolute else "offset "
        return f"{track.name} {track.channel.axis}, {when}: {kind}{track.measure.format(key.value)}, {key.tangent}"

    def _show_hint(self, hint: str) -> None:
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
                self._draw_picture(picture_painter)
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, self._picture)
            if event.rect().intersects(self._playhead):
                painter.fillRect(self._playhead, colour("accent"))
            if isinstance(self._drag, BoxSelect) and self._moved:
                draw_band(painter, self._drag.band)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._axis.set_width(float(self.width()))
        self.set_values(ValueScale(self.values.low, self.values.span, float(self.height())))
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
        self._clicked = None
        self._shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        self._pressed, self._moved = point, False
        self._drag = self._drag_of(point, event.modifiers())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point = event.position()
        if self._panned_from is not None:
            by = self._panned_from - point
            self._panned_from = point
            self._axis.pan(by.x())
            self.set_values(self.values.panned(-by.y()))
        elif self._drag is not None and self._pressed is not None:
            self._moved = self._moved or (point - self._pressed).manhattanLength() >= _DRAG_PX
            if self._moved:
                shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
                free = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
                self._show_hint(self._drag.hint)
                self._drag.move(Pointer(point, shift, free), self.layout_)
        else:
            hint, cursor = self._hint_at(point)
            self.setCursor(cursor)
            self._show_hint(hint)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.MiddleButton:
            self._panned_from = None
        elif event.button() == Qt.MouseButton.LeftButton and self._drag is not None:
            drag, self._drag = self._drag, None
            self._pressed = None
            self._finish(drag)
            self.refresh()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        point, layout = event.position(), self.layout_
        track = layout.track_at(point)
        if event.button() == Qt.MouseButton.LeftButton and layout.key_at(point) is None and track is not None:
            self.cancel_drag()
            self._editing.activate([track.channel])
            self._editing.insert([track.channel], self._axis.scale.time_at(point.x()))
        else:
            self.mousePressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        across, along = event.angleDelta().x() / _NOTCH, event.angleDelta().y() / _NOTCH
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        ctrl = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if across and not along and not shift:
            self._axis.pan(-across * _PAN_A_NOTCH_PX)
        factor = _ZOOM_A_NOTCH ** (along or (across if shift else 0.0))
        if factor != 1.0:
            if not ctrl:
                self.set_values(self.values.zoomed(factor, event.position().y()))
            if not shift:
                self._axis.zoom(factor, event.position().x())
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hint = ""

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self._drag is None:
            self.menu_wanted.emit(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._drag is not None and event.key() == Qt.Key.Key_Escape:
            self.cancel_drag()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        escape = event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        if escape and isinstance(event, QKeyEvent) and self._drag is not None and event.key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        return super().event(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.refresh()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        # A window that comes up takes the release of the button with it.
        if event.reason() in (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason):
            self.cancel_drag()
        self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if self._drag is not None:
            self.cancel_drag()
