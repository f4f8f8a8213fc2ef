"""The floor from above: a path is drawn and pulled about, styles are dropped on it, and the walk is seen at once."""

from functools import partial
from pathlib import Path as FilePath

import numpy as np
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QMenu, QWidget

from editor.document.session import Session
from model.arrays import Array
from widgets.common.clip_mime import CLIP_FORMAT
from widgets.common.icons import icon
from widgets.common.plain_label import menu_text
from widgets.common.theme import colour
from widgets.walking import painting
from widgets.walking.path_editing import PathEditing
from widgets.walking.path_hits import PLACING, Grabbed, object_told
from widgets.walking.plan import Plan
from widgets.walking.style_colours import style_colour

_REACH_PX = 10.0
_KEYS, _BUTTON, _SHIFT = Qt.Key, Qt.MouseButton, Qt.KeyboardModifier.ShiftModifier
_NUDGE_M = 0.05
_ARROWS = {_KEYS.Key_Left: (-1, 0), _KEYS.Key_Right: (1, 0), _KEYS.Key_Up: (0, -1), _KEYS.Key_Down: (0, 1)}
_TABS = {_KEYS.Key_Tab: 1, _KEYS.Key_Backtab: -1}
_HINTS = {
    "point": "Drag to move the point, Shift+click adds it to the selection, Delete removes it; Ctrl snaps",
    "bulge": "Drag to bend the arc more or less; Ctrl snaps",
    "border": "Drag along the path: here the style begins; right click for more",
    "line": "Double click adds a point, right click for more",
}
DRAWING = "Hold the left button and draw, or press Enter for a straight line"


class PathCanvas(QWidget):
    """Draws the walk that is looked at, and gives hands what they pull at."""

    files_dropped = Signal(list, float)  # paths, and how far along the path they fell
    hint_changed = Signal(str)

    def __init__(self, editing: PathEditing, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._editing, self._session = editing, session
        self.plan = Plan()
        self._hovered: Grabbed | None = None
        self._panned_from: QPointF | None = None
        self._drop_at_m: float | None = None
        self._framed: str | None = None  # the walk that was brought into view last
        self._stays_framed = True  # until a hand moves the plan
        self._still: QPixmap | None = None  # what does not go with time, as it was drawn last
        self.setMouseTracking(True)
        self.setAcceptDrops(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(160, 120)
        self.setAccessibleName("Path from above")
        self.setAccessibleDescription(
            "Draw with D and the mouse, or Enter for a straight line; Tab chooses points, arrows move them, "
            "Delete removes, Insert adds one"
        )
        editing.changed.connect(self._on_changed)

    # What is seen

    def frame_all(self) -> None:
        """Bring the path, its footprints and the ground about it into view."""
        places = [self._editing.track.points]
        if self._editing.result is not None:
            places.append(self._editing.result.curve.points)
        places = [one for one in places if len(one)]
        if places:
            self.plan = self.plan.framing(np.concatenate(places))
            self._stays_framed = True
            self._redraw()

    def _on_changed(self) -> None:
        clip = self._editing.clip_id
        if self._editing.is_busy and len(self._editing.gesture) > 1:
            self.update()  # only the gesture is new, which is drawn over the rest
            return
        if clip != self._framed and not self._editing.is_busy:
            self._framed = clip
            if clip is not None and (self._stays_framed or not self._is_well_seen()):
                self.frame_all()
        if not self._editing.is_busy:
            self._hovered = None
        self.setCursor(Qt.CursorShape.CrossCursor if self._editing.makes_something else Qt.CursorShape.ArrowCursor)
        self._redraw()

    def _is_well_seen(self) -> bool:
        """Whether the path is in view and not too small."""
        points = self._editing.track.points
        if not len(points) or not self.plan.shows(points):
            return False
        return bool(np.max(np.ptp(self.plan.to_px(points), axis=0) / np.array(self.plan.size)) > 0.25)

    def kind_number(self, number: int) -> int:
        """The colour of a band, by its place among the clips that the walk takes its styles from."""
        clips = list(dict.fromkeys(band.clip_id for band in self._editing.bands))
        return clips.index(self._editing.bands[number].clip_id)

    # Drawing

    def _redraw(self) -> None:
        """Draw all anew, not only what goes with time."""
        self._still = None
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._still is None or self._still.deviceIndependentSize() != self.size().toSizeF():
            self._still = self._draw_still()
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, self._still)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_moment(painter)
            if len(self._editing.gesture):
                pixels = self.plan.to_px(self._editing.gesture)
                painting.paint_line(painter, pixels, colour("accent"), 3.0, Qt.PenStyle.SolidLine)
            if self._drop_at_m is not None and len(self._editing.track.points):
                painting.paint_border(
                    painter, self._at(self._drop_at_m), self._ahead(self._drop_at_m), colour("accent"), True
                )
            if self.hasFocus():
                painter.setPen(colour("accent"))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    def _draw_still(self) -> QPixmap:
        """What does not go with time."""
        pixmap = QPixmap(self.size() * self.devicePixelRatioF())
        pixmap.setDevicePixelRatio(self.devicePixelRatioF())
        with QPainter(pixmap) as painter:
            painting.paint_grid(painter, self.plan)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painting.paint_ground(painter, self.plan, self._editing.project.ground, self._session.view.ground_object)
            self._paint_path(painter)
            self._paint_walk(painter)
            self._paint_handles(painter)
            if self._editing.drawing and self._editing.walk is None:
                painter.setPen(colour("text"))
                painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignCenter), DRAWING)
            if self._editing.failure is not None:
                painting.paint_message(painter, self._editing.failure, self.plan.size)
        return pixmap

    def _paint_path(self, painter: QPainter) -> None:
        track = self._editing.track
        for band in self._editing.bands:
            if band.to_m > band.from_m:
                pixels = self.plan.to_px(track.part(band.from_m, band.to_m))
                tone = style_colour(self.kind_number(band.number))
                painting.paint_band(painter, pixels, tone)
                painting.paint_direction(painter, pixels, tone)

    def _paint_walk(self, painter: QPainter) -> None:
        """Where feet tread, and the way of the body."""
        result = self._editing.result
        if result is None:
            return
        painting.paint_footprints(painter, self.plan, result.footprints)
        places = result.places
        if len(places):
            trace = self.plan.to_px(places[:: max(1, len(places) // 2000)])
            painting.paint_line(painter, trace, colour("muted", 0.7), 1.0, Qt.PenStyle.SolidLine)

    def _paint_moment(self, painter: QPainter) -> None:
        """Where the body is now, and on which feet it stands."""
        result, time_s = self._editing.result, self._editing.time_s
        if result is None or not len(result.arc_m):
            return
        arc = result.arc_m
        painting.paint_standing(painter, self.plan, result.footprints, time_s)
        frame = int(np.clip(round(time_s / result.frame_time_s), 0, len(arc) - 1))
        heading = float(result.curve.headings(arc[[frame]])[0])
        painting.paint_walker(painter, self.plan.to_px(result.places[frame]), heading)

    def _paint_handles(self, painter: QPainter) -> None:
        editing, over = self._editing, self._hovered
        for number, handle in editing.bulge_handles:
            is_over = over is not None and (over.kind, over.number) == ("bulge", number)
            painting.paint_bulge(painter, self.plan.to_px(np.array(handle)), is_over)
        points = editing.path.x_z
        for n, pixel in enumerate(self.plan.to_px(points) if len(points) else points):
            is_over = over is not None and (over.kind, over.number) == ("point", n)
            painting.paint_point(painter, pixel, n in editing.selected, is_over)
        for band in editing.bands[1:]:
            is_over = over is not None and (over.kind, over.number) == ("border", band.number)
            pixel, tone = self._at(band.from_m), style_colour(self.kind_number(band.number))
            painting.paint_border(painter, pixel, self._ahead(band.from_m), tone, is_over)
        self._paint_labels(painter)

    def _paint_labels(self, painter: QPainter) -> None:
        """Where the walk starts, and how it goes on from each border."""
        bands, track = self._editing.bands, self._editing.track
        if not len(track.points):
            return
        labels = [(self._at(0.0), "Start", colour("text"))]
        for band in bands[1:]:
            if band.to_m > band.from_m:
                labels.append((self._at(band.from_m), band.name, style_colour(self.kind_number(band.number))))
        avoid = painting.thinned(self.plan.to_px(track.points))
        avoid = np.concatenate([avoid, *[self.plan.to_px(self._editing.path.x_z)] * 3])  # points matter more
        painting.paint_labels(painter, labels, avoid, self.plan.size)

    def _at(self, at_m: float) -> Array:
        """(2,) the pixel of a place along the path."""
        return self.plan.to_px(np.array(self._editing.track.place(at_m)))

    def _ahead(self, at_m: float) -> Array:
        """(2,) the direction of the path there."""
        track = self._editing.track
        low, high = max(at_m - 0.05, 0.0), min(at_m + 0.05, track.length_m)
        way = np.array(track.place(high)) - np.array(track.place(low))
        return np.asarray(way / max(float(np.hypot(*way)), 1e-9))

    # The mouse

    @property
    def _reach_m(self) -> float:
        return _REACH_PX / self.plan.pixels_per_m

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self.plan.to_m(event.position().x(), event.position().y())
        if event.button() == _BUTTON.LeftButton:
            more = bool(event.modifiers() & _SHIFT)
            if self._editing.press(place, self._reach_m, more):
                return
        if event.button() in (_BUTTON.LeftButton, _BUTTON.MiddleButton):
            self._panned_from = event.position()
            self.setCursor(Qt.CursorShape.ClosedHandCursor)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        position = event.position()
        if self._panned_from is not None:
            by = position - self._panned_from
            self._panned_from = position
            self._stays_framed = False
            self.plan = self.plan.panned(by.x(), by.y())
            self._redraw()
        elif self._editing.is_busy:
            snap = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            self._editing.move(self.plan.to_m(position.x(), position.y()), snap)
        else:
            self._hover(position)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._panned_from is not None:
            self._panned_from = None
        elif event.button() == _BUTTON.LeftButton:
            self._editing.release()
        self._on_changed()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() != _BUTTON.LeftButton or self._editing.makes_something:
            return
        place = self.plan.to_m(event.position().x(), event.position().y())
        what = self._editing.grabbed(place, self._reach_m)
        if what is not None and what.kind == "line":
            self._editing.insert_point(what.at_m)
        elif what is None:
            self._editing.append_point(place)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._stays_framed = False
        factor = 1.0015 ** event.angleDelta().y()
        self.plan = self.plan.zoomed(factor, event.position().x(), event.position().y())
        self._redraw()
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        self._hovered = None
        self.hint_changed.emit("")
        self._redraw()
        super().leaveEvent(event)

    def _hover(self, position: QPointF) -> None:
        if self._editing.drawing:
            self.hint_changed.emit("Hold the button and draw the way to walk; end near the start for a round")
            return
        if self._editing.placing is not None:
            self.hint_changed.emit(PLACING[self._editing.placing])
            return
        what = self._editing.grabbed(self.plan.to_m(position.x(), position.y()), self._reach_m)
        if what != self._hovered:
            self._hovered = what
            self._redraw()
        held = what is not None and what.kind != "line"
        self.setCursor(Qt.CursorShape.OpenHandCursor if held else Qt.CursorShape.ArrowCursor)
        if what is None:
            self.hint_changed.emit("Drag moves the plan, the wheel zooms, double click lengthens the path to here")
        elif what.name is not None:
            self.hint_changed.emit(object_told(what.name))
        else:
            self.hint_changed.emit(_HINTS[what.kind])

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        point, is_mouse = event.pos(), event.reason() == QContextMenuEvent.Reason.Mouse
        if not is_mouse:
            chosen = self._editing.selected
            pixel = self.plan.to_px(self._editing.path.x_z[min(chosen)]) if chosen else None
            point = self.rect().center() if pixel is None else QPointF(*pixel).toPoint()
        menu = self.make_menu(point)
        menu.exec(event.globalPos() if is_mouse else self.mapToGlobal(point))
        menu.deleteLater()

    def make_menu(self, point: QPoint) -> QMenu:
        """What can be done at a place."""
        editing, menu = self._editing, QMenu(self)
        place = self.plan.to_m(point.x(), point.y())
        what = editing.grabbed(place, self._reach_m)
        if what is not None and what.kind == "point":
            editing.select(what.number) if what.number not in editing.selected else None
            for shape, told in (("straight", "Straight"), ("smooth", "Smooth"), ("arc", "Arc")):
                menu.addAction(f"{told} from here", partial(editing.set_shape, shape))
            menu.addAction("Remove", editing.delete_selected)
            menu.addSeparator()
        if what is not None and what.kind == "line":
            menu.addAction("Add a point", lambda: editing.insert_point(what.at_m))
            styles = menu.addMenu("Begin a style here")
            for clip in editing.project.clips:
                if clip.id != editing.clip_id:
                    styles.addAction(menu_text(clip.name), partial(editing.add_style, clip.id, what.at_m))
            menu.addSeparator()
        if what is not None and what.kind == "border":
            menu.addAction("Remove this style", lambda: editing.remove_style(what.number))
            menu.addSeparator()
        if what is not None and what.kind == "object":
            self._session.look(ground_object=what.name)
            menu.addAction("Remove", editing.delete_selected)
            menu.addSeparator()
        ground = menu.addMenu("Put on the ground")
        for kind in PLACING:
            ground.addAction(icon(kind), kind.capitalize(), partial(editing.put_down, kind, place))
        menu.addAction("Draw a new path", lambda: editing.set_drawing(True))
        if editing.walk is not None:
            menu.addAction("Open the path" if editing.path.closed else "Close the path", editing.toggle_closed)
            menu.addAction("Reverse path", editing.reverse)
            menu.addAction("Bring it into view", self.frame_all)
        return menu

    # The keyboard

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.PaletteChange:
            self._redraw()
        # Keys that mean something here are not for menus.
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._wants(event):
            event.accept()
            return True
        by = _TABS.get(_KEYS(event.key())) if isinstance(event, QKeyEvent) else None
        if by is not None and event.type() == QEvent.Type.KeyPress and self._choose_next(by):
            return True
        return super().event(event)

    def _wants(self, event: QKeyEvent) -> bool:
        key, editing = event.key(), self._editing
        if key == _KEYS.Key_Escape:
            return editing.is_busy or self._editing.makes_something or bool(editing.selected)
        if key in _ARROWS:
            return bool(editing.selected)
        if key in (_KEYS.Key_Delete, _KEYS.Key_Backspace):
            return bool(editing.selected) or editing.object_selected is not None
        if key in (_KEYS.Key_Return, _KEYS.Key_Enter):
            return editing.drawing
        return key in (_KEYS.Key_D, _KEYS.Key_F, _KEYS.Key_A, _KEYS.Key_Insert)

    def _choose_next(self, by: int) -> bool:
        """Select the next point, or the one before. -> whether there is one; beyond the ends, the keyboard goes on."""
        count, selected = len(self._editing.path.points), self._editing.selected
        chosen = (max(selected, default=-1) if by > 0 else min(selected, default=count)) + by
        if not 0 <= chosen < count:
            self._editing.select(None)
            return False
        self._editing.select(chosen)
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, editing = event.key(), self._editing
        if not self._wants(event):
            super().keyPressEvent(event)
        elif key == _KEYS.Key_Escape:
            if editing.is_busy:
                editing.cancel()
            elif self._editing.makes_something:
                editing.set_drawing(False)
            else:
                editing.select(None)
        elif key in _ARROWS:
            step = _NUDGE_M * (10.0 if event.modifiers() & _SHIFT else 1.0)
            editing.nudge(step * _ARROWS[_KEYS(key)][0], step * _ARROWS[_KEYS(key)][1])
        elif key in (_KEYS.Key_Delete, _KEYS.Key_Backspace):
            editing.delete_selected()
        elif key in (_KEYS.Key_Return, _KEYS.Key_Enter):
            editing.begin_straight()
        elif key == _KEYS.Key_D:
            editing.set_drawing(not editing.drawing)
        elif key == _KEYS.Key_Insert:
            if editing.walk is not None:
                editing.insert_point(self._free_place())
        elif event.modifiers() == Qt.KeyboardModifier.ControlModifier and key == _KEYS.Key_A:
            editing.select_all()
        else:
            self.frame_all()

    def _free_place(self) -> float:
        """Half way from the selected point to the next, or along the whole path."""
        track, points = self._editing.track, self._editing.path.points
        if not self._editing.selected:
            return 0.5 * track.length_m
        chosen = min(max(self._editing.selected), len(points) - 2)
        ends = [track.nearest((points[n].x, points[n].z))[0] for n in (chosen, chosen + 1)]
        return 0.5 * sum(ends)

    # Dropping

    def _drop(self, data: QMimeData, position: QPointF) -> float | None:
        """How far along the path what is dragged would fall; None for what is not taken."""
        if not data.hasFormat(CLIP_FORMAT) and not any(url.isLocalFile() for url in data.urls()):
            return None
        if self._editing.walk is None:
            return 0.0
        return self._editing.track.nearest(self.plan.to_m(position.x(), position.y()))[0]

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if self._drop(event.mimeData(), event.position()) is not None:
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        self._drop_at_m = self._drop(event.mimeData(), event.position())
        if self._drop_at_m is not None:
            event.acceptProposedAction()
        self.update()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._drop_at_m = None
        self.update()

    def dropEvent(self, event: QDropEvent) -> None:
        at_m, data = self._drop(event.mimeData(), event.position()), event.mimeData()
        self._drop_at_m = None
        self.update()
        if at_m is None:
            return
        event.setDropAction(Qt.DropAction.CopyAction)  # the clip stays in the library
        event.accept()
        if data.hasFormat(CLIP_FORMAT):
            self._editing.drop_clip(bytes(data.data(CLIP_FORMAT).data()).decode(), at_m)
        else:
            paths = [FilePath(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
            self.files_dropped.emit(paths, at_m)

    # Qt

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.plan = Plan(self.plan.centre, self.plan.pixels_per_m, (float(self.width()), float(self.height())))
        self._still = None
        if self._stays_framed and not self._editing.is_busy:
            self.frame_all()
        super().resizeEvent(event)
