"""The markers of the clip that is shown, as flags in the ruler: where they are, how they look, and how they move."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPen, QPolygonF

from editor.document.document import Document
from editor.document.session import Session
from editor.document.showing import Showing, Shown
from editor.stack.markers import add_marker, move_marker, remove_markers, rename_marker
from model.clip import Marker
from widgets.common.theme import GRID, colour
from widgets.timeline.axis import TimeAxis
from widgets.timeline.lane import Drag, Pointer
from widgets.timeline.numbering import Unit

STRIP_HEIGHT = 2 * GRID
_FLAG_PX = 8
_FLAG_HEIGHT = 10
_AROUND_PX = 2  # by how much a flag can be missed
_LEAST_NAME_PX = 3 * GRID


@dataclass(frozen=True)
class Placed:
    """A marker in the time of the take that is shown."""

    marker: Marker
    time_s: float


@dataclass(frozen=True)
class Flag:
    """A marker as it is drawn. text : as much of its name as there is room for; rect : what can be grabbed."""

    placed: Placed
    x_px: float
    text: str
    rect: QRectF


def placed_markers(shown: Shown | None) -> tuple[Placed, ...]:
    """The markers that lie within the take that is shown, first to last."""
    if shown is None or not shown.clip.markers:
        return ()
    motion = shown.take.motion
    times_s = shown.stage.time_map(np.array([marker.time_s for marker in shown.clip.markers]))
    beyond_s = 1e-6 * motion.frame_time_s  # maps of time round
    end_s = motion.frames * motion.frame_time_s
    return tuple(
        Placed(marker, float(time_s))
        for marker, time_s in zip(shown.clip.markers, times_s, strict=True)
        if -beyond_s <= time_s <= end_s + beyond_s
    )


class MarkerDrag(Drag):
    """Moves a marker to where the mouse is."""

    def __init__(self, markers: "Markers", placed: Placed, magnets: Iterable[float], pointer: Pointer) -> None:
        self._markers = markers
        self._placed = placed
        self._magnets = tuple(magnets)
        self._grabbed_s = pointer.time_s

    def move(self, pointer: Pointer) -> None:
        time_s = pointer.snap(self._placed.time_s + pointer.time_s - self._grabbed_s, self._magnets)
        self._markers.try_move(self._placed.marker.id, time_s)

    def finish(self) -> None:
        self._markers.finish_move()

    def cancel(self) -> None:
        self._markers.cancel_move()


class Markers(QObject):
    """The markers of the clip that is looked at, one of them perhaps selected. Times are those of the shown take."""

    changed = Signal()

    def __init__(
        self, document: Document, session: Session, showing: Showing, axis: TimeAxis, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._session = session
        self._showing = showing
        self._axis = axis
        self._placed: tuple[Placed, ...] = ()
        self._selected: str | None = None
        self._hovered: str | None = None
        self._is_moving = False
        showing.changed.connect(self._on_shown)
        self._on_shown()

    # What is there

    @property
    def all(self) -> tuple[Placed, ...]:
        """Those within the take, first to last."""
        return self._placed

    @property
    def selected(self) -> Placed | None:
        return self.find(self._selected)

    def find(self, marker_id: str | None) -> Placed | None:
        """The marker with this id, if it is there."""
        return next((placed for placed in self._placed if placed.marker.id == marker_id), None)

    def times_s(self) -> list[float]:
        """Moments to which others snap."""
        return [placed.time_s for placed in self._placed]

    def next(self, by: int) -> Placed | None:
        """The first marker after the playhead, or for by < 0 the last one before it."""
        here_s, apart_s = self._session.view.time_s, 1e-3 * self._axis.scale.frame_time_s
        if by < 0:
            return next((one for one in reversed(self._placed) if one.time_s < here_s - apart_s), None)
        return next((one for one in self._placed if one.time_s > here_s + apart_s), None)

    def told(self, placed: Placed) -> str:
        """A marker in words."""
        text = self._axis.numbering.text(placed.time_s)
        when = text if self._axis.numbering.unit is Unit.SECONDS else f"frame {text}, {placed.time_s:.2f} s"
        return f"Marker {placed.marker.name}".rstrip() + f", {when}"

    def accessible_text(self) -> str:
        """How many there are and which is selected, for those who do not see it."""
        count = len(self._placed)
        counted = "1 marker" if count == 1 else f"{count or 'No'} markers"
        return counted if self.selected is None else f"{counted}, selected: {self.told(self.selected)}"

    # Drawing

    def flags(self, metrics: QFontMetrics, top_px: float) -> list[Flag]:
        """The flags of a strip that begins at a height, first to last; names end before the next flag."""
        made: list[Flag] = []
        next_px = self._axis.scale.width_px
        for placed in reversed(self._placed):
            x_px = self._axis.scale.x_of(placed.time_s)
            room_px = next_px - x_px - _FLAG_PX - GRID
            text, width_px = "", 0
            if placed.marker.name and room_px >= _LEAST_NAME_PX:
                text = metrics.elidedText(placed.marker.name, Qt.TextElideMode.ElideRight, int(room_px))
                width_px = metrics.horizontalAdvance(text) + GRID // 2
            made.append(Flag(placed, x_px, text, QRectF(x_px, top_px, _FLAG_PX + width_px, STRIP_HEIGHT)))
            next_px = x_px
        return made[::-1]

    def flag_at(self, point: QPointF, metrics: QFontMetrics, top_px: float) -> Flag | None:
        """The flag under the mouse; of several, the one whose pole is nearest."""
        grown = (-_AROUND_PX, 0.0, _AROUND_PX, 0.0)
        there = [flag for flag in self.flags(metrics, top_px) if flag.rect.adjusted(*grown).contains(point)]
        return min(there, key=lambda flag: abs(flag.x_px + 0.5 * _FLAG_PX - point.x()), default=None)

    def paint(self, painter: QPainter, top_px: float, bottom_px: float) -> None:
        """Draw flags on poles that stand at the bottom."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for flag in self.flags(painter.fontMetrics(), top_px):
            self._paint_flag(painter, flag, top_px, bottom_px)
        painter.restore()

    def _paint_flag(self, painter: QPainter, flag: Flag, top_px: float, bottom_px: float) -> None:
        is_selected = flag.placed.marker.id == self._selected
        stands_out = is_selected or flag.placed.marker.id == self._hovered
        x, top = round(flag.x_px) + 0.5, top_px + 2.5
        painter.setPen(QPen(colour("accent", 1.0 if stands_out else 0.6), 1.0))
        # The pole leaves the labels of the ticks free.
        painter.drawLine(QPointF(x, top), QPointF(x, top_px + STRIP_HEIGHT))
        painter.drawLine(QPointF(x, bottom_px - GRID), QPointF(x, bottom_px))
        painter.setPen(QPen(colour("text" if is_selected else "accent"), 1.5 if is_selected else 1.0))
        painter.setBrush(colour("accent"))
        notch = QPointF(x + _FLAG_PX - 3, top + 0.5 * _FLAG_HEIGHT)
        corners = [QPointF(x, top), QPointF(x + _FLAG_PX, top), notch, QPointF(x + _FLAG_PX, top + _FLAG_HEIGHT)]
        painter.drawPolygon(QPolygonF([*corners, QPointF(x, top + _FLAG_HEIGHT)]))
        painter.setPen(colour("text" if stands_out else "muted"))
        box = QRectF(x + _FLAG_PX + GRID // 2, top_px, flag.rect.width(), STRIP_HEIGHT)
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, flag.text)

    # What hands do

    def select(self, marker_id: str | None) -> None:
        """Select a marker, or none."""
        if marker_id != self._selected:
            self._selected = marker_id
            self.changed.emit()

    def hover(self, marker_id: str | None) -> None:
        """The mouse is over a marker, or over none."""
        if marker_id != self._hovered:
            self._hovered = marker_id
            self.changed.emit()

    def add(self, time_s: float) -> None:
        """Mark a moment and select it; where a marker is in that frame already, select that one."""
        shown = self._showing.current
        if shown is None or not shown.take.motion.frames:
            return
        time_s = self._held(time_s)
        near_s = 0.5 * self._axis.scale.frame_time_s
        there = next((one for one in self._placed if abs(one.time_s - time_s) < near_s), None)
        if there is None:
            self._document.do(add_marker, shown.clip.id, _in_source(shown, time_s))
            known = {marker.id for marker in shown.clip.markers}
            there = next((one for one in self._placed if one.marker.id not in known), None)
        self.select(None if there is None else there.marker.id)

    def nudge(self, frames: int) -> None:
        """Move the selected marker by some frames."""
        shown, placed = self._showing.current, self.selected
        if shown is not None and placed is not None:
            time_s = self._held(placed.time_s + frames * self._axis.scale.frame_time_s)
            marker_id = placed.marker.id
            source_s = _in_source(shown, time_s)
            self._document.do(move_marker, shown.clip.id, marker_id, source_s, merge=f"nudge marker {marker_id}")

    def rename(self, marker_id: str, name: str) -> None:
        """Give a marker another name."""
        shown = self._showing.current
        if shown is not None and self.find(marker_id) is not None:
            self._document.do(rename_marker, shown.clip.id, marker_id, name)

    def remove_selected(self) -> None:
        shown, placed = self._showing.current, self.selected
        if shown is not None and placed is not None:
            self._document.do(remove_markers, shown.clip.id, (placed.marker.id,))

    def try_move(self, marker_id: str, time_s: float) -> None:
        """Show a marker elsewhere."""
        shown = self._showing.current
        # What is dragged may be undone meanwhile.
        if shown is None or all(one.id != marker_id for one in self._committed(shown.clip.id)):
            return
        self._is_moving = True
        self._document.preview(move_marker, shown.clip.id, marker_id, _in_source(shown, self._held(time_s)))

    def finish_move(self) -> None:
        """Make what is shown a step."""
        if self._is_moving:
            self._is_moving = False
            self._document.commit()

    def cancel_move(self) -> None:
        """Put the marker back."""
        if self._is_moving:
            self._is_moving = False
            self._document.cancel()

    # How

    def _committed(self, clip_id: str) -> tuple[Marker, ...]:
        project = self._document.committed
        return project.clip(clip_id).markers if clip_id in project else ()

    def _held(self, time_s: float) -> float:
        return min(max(time_s, 0.0), self._axis.last_s)

    def _on_shown(self) -> None:
        placed = placed_markers(self._showing.current)
        if placed != self._placed:
            self._placed = placed
            self.changed.emit()


def _in_source(shown: Shown, time_s: float) -> float:
    return float(shown.stage.time_map.inverse()(time_s))
