"""The lane of extreme poses: diamonds and small figures, to be visited, added, moved, deleted and pinned."""

from functools import partial

from PySide6.QtCore import QObject, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QPainter

from editor.document.session import Session
from editor.extrema.correct import What
from model.clip import Take
from model.extremes import Extreme, ExtremeKind
from widgets.common.theme import GRID
from widgets.extrema.extrema import Extrema, told_counts
from widgets.extrema.marks import (
    LINE_PX,
    Look,
    Placed,
    grabbed_at,
    held_at,
    paint_extreme,
    paint_pictures,
    paint_small,
    place_pictures,
)
from widgets.extrema.pictures import PosePictures
from widgets.timeline.lane import Action, Drag, Hit, Lane, Pointer, Row
from widgets.timeline.scale import TimeScale

_REST_MS = 120
_KEYS = Qt.Key
_ALT = Qt.KeyboardModifier.AltModifier
_WORDS = {
    ExtremeKind.EXTREME: "Extreme pose",
    ExtremeKind.HOLD: "Hold",
    ExtremeKind.FIRST: "First frame",
    ExtremeKind.LAST: "Last frame",
}
_BY = {What.ADDED: ", added", What.MOVED: ", moved", What.PINNED: ", pinned"}


class ExtremeDrag(Drag):
    """Moves an extreme."""

    def __init__(self, lane: "ExtremeLane", one: Extreme, pointer: Pointer) -> None:
        self._lane, self._one = lane, one
        self._grabbed_s = pointer.time_s

    def move(self, pointer: Pointer) -> None:
        at_s = pointer.snap(self._one.time_s + pointer.time_s - self._grabbed_s, self._lane.magnets_for(self._one))
        self._lane.try_move(self._one, at_s)

    def finish(self) -> None:
        self._lane.finish()

    def cancel(self) -> None:
        self._lane.cancel(self._one)


class ExtremeLane(Lane):
    """One row, beside its title: diamonds below, figures above them where there is room."""

    title = "Extremes"
    tip = "Extreme poses. Click goes there, drag moves, double click adds, Delete removes, P pins; , and . step"
    row_height = 6 * GRID
    most_height = 13 * GRID
    is_flat = True
    edit_wanted = Signal()  # handles at the figure, at the playhead

    def __init__(self, extrema: Extrema, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._extrema, self._session = extrema, session
        self._pictures = PosePictures()
        self._pictured: Take | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_REST_MS)
        self._timer.timeout.connect(self._picture_anew)
        self._placed: list[Placed] = []  # as they were drawn last
        self._scale: TimeScale | None = None
        self._hovered: Extreme | None = None
        self._drawn: tuple[object, ...] = ()
        self._is_dragging = False
        extrema.changed.connect(self._on_changed)
        extrema.marked.connect(self.changed)
        self._picture_anew()

    # What is there

    @property
    def rows(self) -> tuple[Row, ...]:
        return (Row("Extreme poses", "extreme"),) if self._extrema.extremes else ()

    @property
    def nothing(self) -> str:  # type: ignore[override]
        if self._extrema.basis is None:
            return ""
        reason = self._extrema.failure
        return "Looking for extreme poses …" if reason is None else f"{reason[:1].upper()}{reason[1:]}"

    @property
    def subtitle(self) -> str:
        """How many there are, beside a title that says of what: there is room for a few words."""
        some = [one for one in self._extrema.extremes if not one.is_end]
        holds = sum(one.is_hold for one in some)
        told = [str(len(some) - holds)] if len(some) > holds else []
        return " and ".join([*told, *([f"{holds} hold{'' if holds == 1 else 's'}"] if holds else [])])

    def magnets(self) -> list[float]:
        return [one.time_s for one in self._extrema.extremes]

    def magnets_for(self, moving: Extreme) -> list[float]:
        """What an extreme snaps to: the playhead and the loop range. Others are no place for it."""
        return [self._session.view.time_s, *(self._session.view.loop_s or ())]

    def accessible_text(self) -> str:
        one = self._extrema.selected
        chosen = "none selected" if one is None else f"selected: {self.told(one)}"
        keys = "Arrows select, Alt with arrows moves, P pins, Insert adds one at the playhead, Delete removes"
        return f"Extremes: {told_counts(self._extrema.extremes) or 'none'}; {chosen}. {keys}."

    def told(self, one: Extreme) -> str:
        """An extreme in words: what it is, when, and how far it stands out."""
        basis = self._extrema.basis
        step_s = 1.0 if basis is None else basis.shown.take.motion.frame_time_s
        words = f"{_WORDS[one.kind]}, frame {round(one.time_s / step_s)}, {one.time_s:.2f} s"
        if one.start_s is not None and one.stop_s is not None:
            words += f", held for {one.stop_s - one.start_s:.2f} s"
        by = self._extrema.set_by(one)
        return f"{words}, prominence {one.prominence:.2f}{'' if by is None else _BY.get(by, '')}"

    # Drawing

    def paint(self, painter: QPainter, scale: TimeScale, rect: QRectF, small: bool) -> None:
        extremes = self._extrema.extremes
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._placed, self._scale = [], scale
        if not extremes:
            return
        if small:
            paint_small(painter, extremes, scale, rect.center().y())
            return
        self._paint_pictures(painter, scale, rect)
        chosen = self._extrema.selected
        # The selected one last: it is seen whole.
        for one in sorted(extremes, key=lambda one: (one == chosen, not one.is_hold)):
            look = Look(one == chosen, one == self._hovered, self._extrema.set_by(one))
            paint_extreme(painter, one, scale, rect.bottom() - LINE_PX, look)

    def _paint_pictures(self, painter: QPainter, scale: TimeScale, rect: QRectF) -> None:
        take, extremes = self._pictured, self._extrema.extremes
        if take is None:
            return
        motion, last = take.motion, take.motion.frames - 1
        frames = [min(max(round(one.time_s / motion.frame_time_s), 0), last) for one in extremes]
        pictures = self._pictures.of(motion, frames, take.contacts.ground_m)
        height_m = self._pictures.height_m(motion)
        size, self._placed = place_pictures(extremes, pictures, height_m, scale, rect)
        paint_pictures(painter, self._placed, size, self._pictures, motion.skeleton, self._extrema.selected)

    # The mouse

    def hit(self, point: QPointF, scale: TimeScale, rect: QRectF) -> Hit | None:
        if not rect.top() <= point.y() < rect.bottom():
            return None
        extremes = self._extrema.extremes
        one = grabbed_at(extremes, point.x(), scale)
        if point.y() < rect.bottom() - 2.0 * LINE_PX:
            one = next((placed.extreme for placed in self._placed if placed.box.contains(point)), None)
        if one is None and point.y() >= rect.bottom() - 2.0 * LINE_PX:
            one = held_at(extremes, point.x(), scale)
        if one is None:
            return None
        edits = "Click goes there, double click edits its pose"
        use = edits if one.is_end else f"{edits}, drag moves it, P pins it, Delete removes it"
        cursor = Qt.CursorShape.PointingHandCursor if one.is_end else Qt.CursorShape.OpenHandCursor
        return Hit(one, "extreme", cursor, f"{self.told(one)}. {use}")

    def hover(self, hit: Hit | None) -> None:
        over = hit.item if hit is not None and isinstance(hit.item, Extreme) else None
        if over != self._hovered:
            self._hovered = over
            self.changed.emit()

    def press(self, hit: Hit | None, pointer: Pointer) -> Drag | None:
        if hit is None or not isinstance(hit.item, Extreme):
            self._extrema.select(None)
            return None
        self._extrema.go_to(hit.item)
        return None if hit.item.is_end else ExtremeDrag(self, hit.item, pointer)

    def double_click(self, point: QPointF, rect: QRectF, pointer: Pointer) -> bool:
        hit = None if self._scale is None else self.hit(point, self._scale, rect)
        if self._scale is None or self._extrema.basis is None:
            return False
        if hit is not None and isinstance(hit.item, Extreme):
            self._edit(hit.item)
            return True
        self._add(pointer.snap(pointer.time_s, ()))
        return True

    def menu(self, hit: Hit | None, point: QPointF, rect: QRectF, pointer: Pointer) -> list[tuple[str, Action]]:
        if self._extrema.basis is None:
            return []
        here_s = pointer.snap(pointer.time_s, ())
        if hit is None or not isinstance(hit.item, Extreme):
            return [
                ("Edit pose here", partial(self._edit_at, here_s)),
                ("Add extreme here", partial(self._add, here_s)),
                ("Add extreme at the playhead", self._add_here),
            ]
        one = hit.item
        self._extrema.select(one)
        made: list[tuple[str, Action]] = [
            ("Edit pose", partial(self._edit, one)),
            ("Go to extreme", partial(self._extrema.go_to, one)),
        ]
        by = self._extrema.set_by(one)
        if by is What.MOVED:
            made.append(("Put back where it was found", partial(self._extrema.put_back, one)))
        elif by is not What.ADDED and not one.is_end:
            made.append(("Unpin extreme" if one.pinned else "Pin extreme", self._toggle_pin))
        made.append(("Remove extreme", self._remove))
        made.append(("Add extreme at the playhead", self._add_here))
        return made

    # The keyboard

    def wants_key(self, event: QKeyEvent, tabbed: bool) -> bool:
        key, modifiers = event.key(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        chosen, alone = self._extrema.selected, modifiers == Qt.KeyboardModifier.NoModifier
        if key in (_KEYS.Key_Left, _KEYS.Key_Right):
            return (modifiers == _ALT and chosen is not None) or (tabbed and alone)
        if key in (_KEYS.Key_Delete, _KEYS.Key_Backspace, _KEYS.Key_Escape, _KEYS.Key_P):
            return chosen is not None and alone
        return tabbed and alone and key in (_KEYS.Key_Insert, _KEYS.Key_Return, _KEYS.Key_Enter)

    def press_key(self, event: QKeyEvent) -> None:
        key, chosen = event.key(), self._extrema.selected
        if key in (_KEYS.Key_Left, _KEYS.Key_Right):
            by = -1 if key == _KEYS.Key_Left else 1
            if event.modifiers() & _ALT:
                self._nudge(by)
            else:
                self._select_next(by)
        elif key == _KEYS.Key_Insert:
            self._add_here()
        elif key == _KEYS.Key_Escape:
            self._extrema.select(None)
        elif key == _KEYS.Key_P:
            self._toggle_pin()
        elif key in (_KEYS.Key_Return, _KEYS.Key_Enter):
            if chosen is not None:
                self._extrema.go_to(chosen)
        else:
            self._remove()

    def _select_next(self, by: int) -> None:
        """Select the next extreme, or the one before; the first time the one nearest to the playhead."""
        chosen, now_s = self._extrema.selected, self._session.view.time_s
        if chosen is not None:
            one = self._extrema.next(chosen.time_s, by) or chosen
        else:
            nearest = min(self._extrema.extremes, key=lambda one: abs(one.time_s - now_s), default=None)
            if nearest is None:
                return
            one = nearest
        self._extrema.select(one)
        self.revealed.emit(one.time_s)

    # What is done

    def _edit(self, one: Extreme) -> None:
        self._extrema.go_to(one)
        self.edit_wanted.emit()

    def _edit_at(self, shown_s: float) -> None:
        basis = self._extrema.basis
        if basis is not None:
            self._session.look(time_s=min(max(shown_s, 0.0), basis.shown.take.motion.duration_s))
            self.edit_wanted.emit()

    def try_move(self, one: Extreme, at_s: float) -> None:
        """Show an extreme at another moment."""
        if self._extrema.basis is not None:
            self._is_dragging = True
            self._extrema.try_move(one, self._inside(at_s))

    def _inside(self, time_s: float) -> float:
        """The moment, held between the first and last frame of the shown take: these have marks of their own."""
        basis = self._extrema.basis
        assert basis is not None
        motion = basis.shown.take.motion
        step_s = min(motion.frame_time_s, 0.5 * motion.duration_s)
        return min(max(time_s, step_s), motion.duration_s - step_s)

    def finish(self) -> None:
        """Make what is shown a step, and go along with the extreme."""
        if self._is_dragging:
            self._is_dragging = False
            self._extrema.keep()
            if (one := self._extrema.selected) is not None:
                self._extrema.go_to(one)

    def cancel(self, one: Extreme) -> None:
        """Put it back."""
        if self._is_dragging:
            self._is_dragging = False
            self._extrema.drop(one)

    def _add(self, time_s: float) -> None:
        basis = self._extrema.basis
        if basis is not None:
            at_s = min(max(time_s, 0.0), basis.shown.take.motion.duration_s)
            self._extrema.add(at_s)
            self._session.look(time_s=at_s)

    def _add_here(self) -> None:
        self._add(self._session.view.time_s)

    def _remove(self) -> None:
        if (one := self._extrema.selected) is not None:
            self._extrema.remove(one)

    def _toggle_pin(self) -> None:
        if (one := self._extrema.selected) is not None:
            self._extrema.toggle_pin(one)

    def _nudge(self, by: int) -> None:
        """Move the selected extreme by a frame of the shown take."""
        one, basis = self._extrema.selected, self._extrema.basis
        if one is None or basis is None or one.is_end:
            return
        to_s = self._inside(one.time_s + by * basis.shown.take.motion.frame_time_s)
        self._extrema.move(one, to_s, merge="nudge extreme")

    def _on_changed(self) -> None:
        before, self._drawn = self._drawn, (self._extrema.extremes, self._extrema.edit, self.nothing)
        basis, pictured = self._extrema.basis, self._pictured
        motion = None if basis is None else basis.shown.take.motion
        if pictured is None or motion is None or pictured.motion.skeleton is not motion.skeleton:
            self._picture_anew()
        elif pictured.motion is not motion:
            # While a hand changes the motion the old pictures serve: it must not wait for new ones.
            self._timer.start()
        if before != self._drawn:
            self._hovered = None
            self.changed.emit()

    def _picture_anew(self) -> None:
        """Draw figures of the take that is shown now."""
        basis = self._extrema.basis
        self._pictured = None if basis is None else basis.shown.take
        self.changed.emit()
