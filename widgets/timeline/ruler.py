"""The ruler: ticks in frames or seconds, the loop range with its handles, markers, and the head of the playhead."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QContextMenuEvent, QFontMetrics, QKeyEvent, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QMenu, QWidget

from editor.document.session import Session
from widgets.common.plain_label import plain_tip
from widgets.common.theme import GRID, colour
from widgets.timeline.area import TimeArea
from widgets.timeline.axis import TimeAxis
from widgets.timeline.lane import Drag, Hit, Pointer
from widgets.timeline.markers import STRIP_HEIGHT, MarkerDrag, Markers, Placed
from widgets.timeline.name_field import NameField

HEIGHT = 5 * GRID
_LOOP_HEIGHT = 12
_HANDLE_PX = 8
_HEAD_HEIGHT = 2 * GRID + 2
_KEYS = Qt.Key
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
    """magnets : the moments of the lanes to which the loop range and markers snap. A clip with markers has a strip
    more, in which their flags are.
    """

    def __init__(
        self,
        axis: TimeAxis,
        session: Session,
        markers: Markers,
        magnets: Callable[[], list[float]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(axis, session, parent)
        self.markers = markers
        self._magnets = magnets
        self.name_field = NameField(self)
        self.name_field.named.connect(markers.rename)
        self.name_field.left.connect(self.setFocus)
        self.setAccessibleName("Time ruler")
        self.setToolTip(
            plain_tip(f"{_USE}. [ and ] set the loop range here; a double click on it clears it. Ctrl+M sets a marker.")
        )
        self.setStatusTip(_USE)
        markers.changed.connect(self._on_markers_changed)
        axis.changed.connect(self._place_name_field)
        self._on_markers_changed()

    def rename_selected(self) -> None:
        """Ask for the name of the marker that is selected."""
        placed = self.markers.selected
        if placed is not None:
            self.axis.reveal(placed.time_s)
            self.name_field.ask(placed.marker.id, placed.marker.name, self.axis.scale.x_of(placed.time_s))

    def menu_at(self, point: QPointF) -> QMenu:
        """What can be done at a place, as a menu that goes away when it is closed."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        placed = self._marker_at(point)
        if placed is not None:
            self.markers.select(placed.marker.id)
            menu.addAction("Rename marker").triggered.connect(self.rename_selected)
            menu.addAction("Remove marker").triggered.connect(self.markers.remove_selected)
        else:
            time_s = self.axis.snapped(self.axis.scale.time_at(point.x()))
            menu.addAction("Add marker here").triggered.connect(partial(self.markers.add, time_s))
            menu.addSeparator()
            start_s, stop_s = self.session.view.loop_s or (0.0, self.axis.last_s)
            after = (time_s, stop_s if stop_s > time_s else self.axis.last_s)
            before = (start_s if start_s < time_s else 0.0, time_s)
            for text, loop_s in (("Loop from here", after), ("Loop up to here", before), ("Clear the loop", None)):
                action = menu.addAction(text)
                action.setEnabled(loop_s[0] < loop_s[1] if loop_s else self.session.view.loop_s is not None)
                action.triggered.connect(partial(self._loop, loop_s))
        return menu

    def _loop(self, loop_s: tuple[float, float] | None) -> None:
        self.session.look(loop_s=loop_s)

    # What it follows

    @property
    def _labels_top(self) -> int:
        """Where the strips of loop range and markers end."""
        return _LOOP_HEIGHT + (STRIP_HEIGHT if self.markers.all else 0)

    def _on_markers_changed(self) -> None:
        self.setFixedHeight(HEIGHT - _LOOP_HEIGHT + self._labels_top)
        keys = "Left and Right step, Home and End go to the ends, [ and ] set the loop range, Ctrl+M sets a marker"
        if self.markers.selected is not None:
            keys += ", Alt with Left and Right moves it, F2 renames it, Delete removes it"
        self.setAccessibleDescription(f"{self.markers.accessible_text()}. {keys}")
        self._place_name_field()
        self.refresh()

    def _place_name_field(self) -> None:
        if self.name_field.item is None:
            return
        placed = self.markers.find(self.name_field.item)
        if placed is None:
            self.name_field.close_without()
        else:
            self.name_field.place(self.axis.scale.x_of(placed.time_s))

    # What it draws

    def paint_picture(self, painter: QPainter) -> None:
        scale, numbering = self.axis.scale, self.axis.numbering
        top, bottom = self._labels_top, self.height()
        painter.fillRect(self.rect(), colour("panel"))
        painter.fillRect(QRect(0, 0, self.width(), _LOOP_HEIGHT), colour("window"))
        ticks = numbering.ticks(scale, self.digit_px)
        painter.setPen(colour("grid"))
        for x in ticks.minor:
            painter.drawLine(QPointF(round(x), bottom - 4), QPointF(round(x), bottom))
        for x, value in ticks.major:
            text = numbering.tick_text(value, ticks.step)
            painter.setPen(colour("muted"))
            painter.drawLine(QPointF(round(x), bottom - 8), QPointF(round(x), bottom))
            box = QRectF(x - 4 * HEIGHT, top, 8 * HEIGHT, bottom - top - 8)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
        self.shade(painter, QRectF(0, _LOOP_HEIGHT, self.width(), bottom - _LOOP_HEIGHT))
        self._paint_loop(painter)
        self.markers.paint(painter, _LOOP_HEIGHT, bottom)
        painter.setPen(colour("line"))
        painter.drawLine(QPointF(0, bottom - 0.5), QPointF(self.width(), bottom - 0.5))

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
        return QRect(left, 0, width + 1, self.height())

    def paint_playhead(self, painter: QPainter, x_px: int) -> None:
        head = self.playhead_rect(x_px).adjusted(0, self._labels_top, -1, 0)
        head.setHeight(_HEAD_HEIGHT)
        painter.fillRect(QRect(x_px - 1, 0, 2, self.height()), colour("accent"))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        path = QPainterPath()
        path.addRoundedRect(QRectF(head), 4, 4)
        painter.fillPath(path, colour("accent"))
        painter.setPen(QPen(colour("on_accent")))
        painter.drawText(head, Qt.AlignmentFlag.AlignCenter, self.axis.numbering.text(self.playhead_s))

    # What hands do

    def hit(self, point: QPointF) -> Hit | None:
        placed = self._marker_at(point)
        if placed is not None:
            use = "Drag to move it, double click to rename it, Delete to remove it"
            return Hit(placed, "marker", Qt.CursorShape.SizeHorCursor, f"{self.markers.told(placed)}. {use}")
        return self._hit_loop(point)

    def _marker_at(self, point: QPointF) -> Placed | None:
        if not _LOOP_HEIGHT <= point.y() < self._labels_top:
            return None
        flag = self.markers.flag_at(point, QFontMetrics(self.font()), _LOOP_HEIGHT)
        return None if flag is None else flag.placed

    def _hit_loop(self, point: QPointF) -> Hit | None:
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

    def hover(self, hit: Hit | None) -> None:
        self.markers.hover(hit.item.marker.id if hit is not None and isinstance(hit.item, Placed) else None)

    def drag_of(self, hit: Hit | None, pointer: Pointer, modifiers: Qt.KeyboardModifier) -> Drag | None:
        placed = None if hit is None or not isinstance(hit.item, Placed) else hit.item
        self.markers.select(None if placed is None else placed.marker.id)
        if modifiers & Qt.KeyboardModifier.ShiftModifier:
            return LoopDrag(self.session, self.axis, self._loop_magnets, "new", pointer)
        if placed is not None:
            view = self.session.view
            return MarkerDrag(self.markers, placed, [*self._magnets(), view.time_s, *(view.loop_s or ())], pointer)
        if hit is not None:
            return LoopDrag(self.session, self.axis, self._loop_magnets, hit.part, pointer)
        return None

    def _loop_magnets(self) -> list[float]:
        return [*self._magnets(), *self.markers.times_s()]

    def double_click(self, point: QPointF, pointer: Pointer) -> bool:
        placed = self._marker_at(point)
        if placed is not None:
            self.markers.select(placed.marker.id)
            self.rename_selected()
            return True
        loop_s = self.session.view.loop_s
        if loop_s is None or not loop_s[0] <= pointer.time_s <= loop_s[1]:
            return False
        self.session.look(loop_s=None)
        return True

    def _wants_key(self, event: QKeyEvent) -> bool:
        """Whether a key is for the marker that is selected."""
        if self.markers.selected is None or self.is_dragging:
            return False
        if event.key() in (_KEYS.Key_Left, _KEYS.Key_Right):
            return bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        return event.key() in (_KEYS.Key_Delete, _KEYS.Key_Backspace, _KEYS.Key_F2, _KEYS.Key_Escape)

    # Qt

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.is_dragging:
            return
        point, at = QPointF(event.pos()), event.globalPos()
        placed = self.markers.selected
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            # The keyboard points at the marker that is selected, else at the playhead.
            x_px = self.axis.scale.x_of(self.playhead_s if placed is None else placed.time_s)
            point = QPointF(x_px, _LOOP_HEIGHT + 1)
            at = self.mapToGlobal(point.toPoint())
        self.menu_at(point).popup(at)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._wants_key(event):
            super().keyPressEvent(event)
            return
        match event.key():
            case _KEYS.Key_Left:
                self.markers.nudge(-1)
            case _KEYS.Key_Right:
                self.markers.nudge(1)
            case _KEYS.Key_F2:
                self.rename_selected()
            case _KEYS.Key_Escape:
                self.markers.select(None)
            case _:
                self.markers.remove_selected()

    def event(self, event: QEvent) -> bool:
        # The window has shortcuts on the same keys; those that the marker needs are the ruler's.
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._wants_key(event):
            event.accept()
            return True
        return super().event(event)
