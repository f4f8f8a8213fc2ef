"""The lane of styles of a walk: who walks when, and how long one fades into the next. Kim and Neff 2011, figure 3."""

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from editor.document.document import Document
from editor.document.showing import Showing
from editor.walking.commands import change_walk_style, move_walk_style
from editor.walking.report import WalkReport
from model.arrays import Array
from widgets.common.theme import GRID, colour
from widgets.timeline.lane import Action, Drag, Hit, Lane, Pointer, Row
from widgets.timeline.scale import TimeScale
from widgets.walking.path_editing import PathEditing
from widgets.walking.path_hits import Band
from widgets.walking.style_colours import style_colour

_REACH_PX = 6.0
_SHORTEST_S, _LONGEST_S = 0.05, 10.0


@dataclass(frozen=True)
class Passing:
    """How one band goes over into the next, in the time of the take that is shown."""

    number: int  # of the band that begins
    start_s: float
    stop_s: float

    @property
    def middle_s(self) -> float:
        return 0.5 * (self.start_s + self.stop_s)


class StyleDrag(Drag):
    """Moves where a style begins, or how long it takes to. part : "border" or "fade"."""

    def __init__(self, lane: "StyleLane", passing: Passing, part: str) -> None:
        self._lane, self._passing, self._part = lane, passing, part
        self._places = lane.places()  # as they are now: the walk changes under the hand

    def move(self, pointer: Pointer) -> None:
        if self._part == "border":
            self._lane.try_border(self._passing, float(np.interp(pointer.time_s, *self._places)))
        else:
            self._lane.try_fade(self._passing, 2.0 * abs(pointer.time_s - self._passing.middle_s))

    def finish(self) -> None:
        self._lane.finish()

    def cancel(self) -> None:
        self._lane.cancel()


class StyleLane(Lane):
    """Bands in time, slanted where one fades into another."""

    title = "Styles"
    tip = "Who walks when. Drag where a style begins, or the ends of a slant to let it fade longer or shorter"
    row_height = 4 * GRID
    is_flat = True

    def __init__(
        self, editing: PathEditing, document: Document, showing: Showing, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._editing, self._document, self._showing = editing, document, showing
        self._hovered: tuple[int, str] | None = None
        editing.changed.connect(self.changed)

    @property
    def rows(self) -> tuple[Row, ...]:
        return (Row("Styles"),) if self._editing.walk is not None else ()

    def accessible_text(self) -> str:
        told = [f"{band.name} from {band.from_m:.1f} metres" for band in self._editing.bands]
        return f"Styles of the walk: {', '.join(told) or 'none'}."

    # What is there

    def _to_shown(self, time_s: float) -> float:
        shown = self._showing.current
        return time_s if shown is None else float(shown.from_source(time_s))

    @property
    def passings(self) -> tuple[Passing, ...]:
        """Where styles go over into each other."""
        found = []
        for number, fade in self._editing.fades.items():
            ends = (self._to_shown(fade.start_s), self._to_shown(fade.start_s + fade.length_s))
            found.append(Passing(number, *ends))
        return tuple(found)

    def places(self) -> tuple[Array, Array]:
        """(F,) moments of the shown take, and (F,) how far along the drawn path the walk is then."""
        result = self._editing.result
        if result is None:
            return np.zeros(1), np.zeros(1)
        return self._moments(result), result.arc_m * (self._editing.track.length_m / result.curve.length_m)

    def _moments(self, result: WalkReport) -> Array:
        times = np.arange(float(len(result.arc_m))) * result.frame_time_s
        shown = self._showing.current
        return times if shown is None else np.asarray(shown.from_source(times))

    # Drawing

    def paint(self, painter: QPainter, scale: TimeScale, rect: QRectF, small: bool) -> None:
        result, bands = self._editing.result, self._editing.bands
        if result is None or not bands:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        end_s = float(self._moments(result)[-1]) if len(result.arc_m) else 0.0
        passings = {one.number: one for one in self.passings}
        top, bottom = rect.top() + 3.0, rect.bottom() - 3.0
        clips = list(dict.fromkeys(band.clip_id for band in bands))
        shown = [band for band in bands if band.number == 0 or band.number in passings]
        for n, band in enumerate(shown):
            before = passings.get(band.number)
            after = passings.get(shown[n + 1].number) if n + 1 < len(shown) else None
            self._paint_band(painter, scale, band, before, after, end_s, (top, bottom), clips.index(band.clip_id))
        if not small:
            for one in passings.values():
                self._paint_passing(painter, scale, one, top, bottom)

    def _paint_band(
        self, painter: QPainter, scale: TimeScale, band: Band, before: Passing | None, after: Passing | None,
        end_s: float, heights: tuple[float, float], kind: int,
    ) -> None:  # fmt: skip
        """A band that comes up along one slant and goes along another."""
        top, bottom = heights
        left = (0.0, 0.0) if before is None else (before.start_s, before.stop_s)
        right = (end_s, end_s) if after is None else (after.start_s, after.stop_s)
        x = [scale.x_of(one) for one in (left[0], right[1], right[0], left[1])]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(style_colour(kind, 0.55))
        corners = [QPointF(x[3], top), QPointF(x[2], top), QPointF(x[1], bottom), QPointF(x[0], bottom)]
        painter.drawPolygon(QPolygonF(corners))
        if right[0] > left[1]:
            painter.setPen(colour("text"))
            area = QRectF(x[3] + 6.0, top, x[2] - x[3] - 12.0, bottom - top)
            text = painter.fontMetrics().elidedText(band.name, Qt.TextElideMode.ElideRight, int(area.width()))
            painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), text)

    def _paint_passing(self, painter: QPainter, scale: TimeScale, one: Passing, top: float, bottom: float) -> None:
        over = self._hovered is not None and self._hovered[0] == one.number
        part = self._hovered[1] if over and self._hovered is not None else ""
        for at_s, name in ((one.start_s, "fade"), (one.stop_s, "fade"), (one.middle_s, "border")):
            wide = 3.0 if name == "border" else 1.5
            tone = "accent" if part == name else "text"
            painter.setPen(QPen(colour(tone, 1.0 if name == "border" else 0.6), wide))
            x = scale.x_of(at_s)
            painter.drawLine(QPointF(x, top), QPointF(x, bottom))

    # The mouse

    def hit(self, point: QPointF, scale: TimeScale, rect: QRectF) -> Hit | None:
        if self.row_at(point.y(), rect) is None:
            return None
        for one in self.passings:
            band = self._editing.bands[one.number]
            if abs(scale.x_of(one.middle_s) - point.x()) <= _REACH_PX:
                tip = f"{band.name} begins {band.from_m:.1f} m along the path. Drag to move that"
                return Hit(one, "border", Qt.CursorShape.SizeHorCursor, tip)
            for at_s in (one.start_s, one.stop_s):
                if abs(scale.x_of(at_s) - point.x()) <= _REACH_PX:
                    tip = f"Fades over {one.stop_s - one.start_s:.2f} s. Drag to change that"
                    return Hit(one, "fade", Qt.CursorShape.SplitHCursor, tip)
        return None

    def hover(self, hit: Hit | None) -> None:
        over = (hit.item.number, hit.part) if hit is not None and isinstance(hit.item, Passing) else None
        if over != self._hovered:
            self._hovered = over
            self.changed.emit()

    def press(self, hit: Hit | None, pointer: Pointer) -> Drag | None:
        if hit is None or not isinstance(hit.item, Passing):
            return None
        return StyleDrag(self, hit.item, hit.part)

    def menu(self, hit: Hit | None, point: QPointF, rect: QRectF, pointer: Pointer) -> list[tuple[str, Action]]:
        if hit is None or not isinstance(hit.item, Passing):
            return []
        number = hit.item.number
        return [
            ("Let the fade fit both styles", lambda: self._editing.change_style(number, blend_s=None)),
            ("Remove this style", lambda: self._editing.remove_style(number)),
        ]

    # What is done to the document

    def try_border(self, passing: Passing, at_m: float) -> None:
        bands = self._editing.bands
        low, high = bands[passing.number - 1].from_m, bands[passing.number].to_m
        self._document.preview(move_walk_style, self._editing.clip_id, passing.number, float(np.clip(at_m, low, high)))

    def try_fade(self, passing: Passing, length_s: float) -> None:
        walk = self._editing.walk
        if walk is not None:
            length_s = float(np.clip(length_s, _SHORTEST_S, _LONGEST_S))
            band = walk.styles[passing.number].fading(length_s)
            self._document.preview(change_walk_style, self._editing.clip_id, passing.number, band)

    def finish(self) -> None:
        self._document.commit()

    def cancel(self) -> None:
        self._document.cancel()
