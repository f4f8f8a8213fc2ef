"""The lane of contacts: bars where feet and hands touch the ground, to be trimmed, moved, added and deleted."""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QKeyEvent, QPainter

from editor.contacts.commands import correct_contacts
from editor.contacts.correct import Correction
from editor.contacts.feet import find_limb
from editor.document.document import Document
from editor.document.session import Session
from editor.document.showing import Showing, Shown
from model.contacts import FEET, HANDS
from widgets.contacts.bars import grabbed_at, paint_bar, paint_small, paint_source
from widgets.contacts.correcting import (
    Bar,
    bars_of,
    corrections_to_add,
    corrections_to_move,
    corrections_to_remove,
    has_corrections,
    source_bars_of,
)
from widgets.timeline.lane import Action, Drag, Hit, Lane, Pointer, Row
from widgets.timeline.markers import placed_markers
from widgets.timeline.scale import TimeScale

_NEW_S = 0.3
_KEYS = Qt.Key


def limb_name(limb: str) -> str:
    """What the user reads for "left_foot"."""
    return limb.replace("_", " ").capitalize()


class ContactDrag(Drag):
    """Moves a contact or one of its edges. part : "start", "stop" or "middle"."""

    def __init__(self, lane: "ContactLane", bar: Bar, part: str, pointer: Pointer, shown: Shown) -> None:
        self._lane = lane
        self._bar = bar
        self._part = part
        self._grabbed_s = pointer.time_s
        self._shown = shown
        self._magnets = lane.magnets_for(bar)

    def move(self, pointer: Pointer) -> None:
        self._lane.try_move(self._shown, self._bar, self._moved(pointer))

    def finish(self) -> None:
        self._lane.finish_move()

    def cancel(self) -> None:
        self._lane.cancel_move()

    def _moved(self, pointer: Pointer) -> Bar:
        """The contact where the mouse takes it, at least a frame long and within the take."""
        motion, bar = self._shown.take.motion, self._bar
        shortest_s, end_s = motion.frame_time_s, motion.frames * motion.frame_time_s
        by_s = pointer.time_s - self._grabbed_s
        if self._part == "start":
            start_s = pointer.snap(bar.start_s + by_s, self._magnets)
            return replace(bar, start_s=min(max(start_s, 0.0), bar.stop_s - shortest_s))
        if self._part == "stop":
            stop_s = pointer.snap(bar.stop_s + by_s, self._magnets)
            return replace(bar, stop_s=max(min(stop_s, end_s), bar.start_s + shortest_s))
        # Whichever end is nearer to what it snaps to leads.
        ends = (bar.start_s + by_s, bar.stop_s + by_s)
        shifts = [pointer.snap(end, self._magnets) - end for end in ends]
        by_s += min(shifts, key=abs)
        by_s = min(max(by_s, -bar.start_s), end_s - bar.stop_s)
        return replace(bar, start_s=bar.start_s + by_s, stop_s=bar.stop_s + by_s)


class ContactLane(Lane):
    """One row for each foot, and for each hand that touches the ground."""

    title = "Contacts"
    nothing = "None of this figure's joints is known as a foot"
    tip = (
        "When feet and hands touch the ground. Drag a bar or its ends, double click to add one, Delete to remove one; "
        "hold Alt not to snap"
    )

    def __init__(self, document: Document, session: Session, showing: Showing, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._session = session
        self._showing = showing
        self._limbs: tuple[str, ...] = ()
        self._bars: dict[str, tuple[Bar, ...]] = {}
        self._source_bars: dict[str, tuple[Bar, ...]] = {}
        self._selected: tuple[str, float] | None = None  # a limb, and a moment of the contact that is selected
        self._hovered: tuple[Bar, str] | None = None
        # While a bar is dragged, and until its take is worked out: the bar as it was, and where it is now.
        self._moving: tuple[Bar, Bar] | None = None
        self._is_dragging = False
        self._stage_before: object = None
        self._with_hands = False  # rows for hands that touch nothing, so that they can be given contacts
        showing.changed.connect(self._on_shown)
        self._on_shown()

    # What is there

    @property
    def rows(self) -> tuple[Row, ...]:
        return tuple(Row(limb_name(limb), limb.split("_")[0]) for limb in self._limbs)

    @property
    def bars(self) -> tuple[Bar, ...]:
        """All bars as they are drawn, row by row."""
        return tuple(self._drawn(bar) for limb in self._limbs for bar in self._bars[limb])

    @property
    def selected(self) -> Bar | None:
        """The contact that is selected."""
        if self._selected is None:
            return None
        limb, moment_s = self._selected
        return next((bar for bar in self.bars if bar.limb == limb and bar.start_s <= moment_s < bar.stop_s), None)

    def magnets(self) -> list[float]:
        return [time_s for bar in self.bars for time_s in (bar.start_s, bar.stop_s)]

    def magnets_for(self, moving: Bar) -> list[float]:
        """What a bar snaps to: the edges of others, the playhead, the loop range, and markers."""
        others = [time_s for bar in self.bars if bar != moving for time_s in (bar.start_s, bar.stop_s)]
        markers = [placed.time_s for placed in placed_markers(self._showing.current)]
        return [*others, self._session.view.time_s, *(self._session.view.loop_s or ()), *markers]

    def accessible_text(self) -> str:
        counts = ", ".join(f"{limb_name(limb)} {len(self._bars[limb])}" for limb in self._limbs)
        bar = self.selected
        chosen = "none selected" if bar is None else f"selected: {self._told(bar)}"
        keys = "Arrows select, Alt with arrows moves the start, Alt and Shift the end, Insert adds, Delete removes"
        return f"Contacts: {counts or 'none'}; {chosen}. {keys}."

    # Drawing

    def paint(self, painter: QPainter, scale: TimeScale, rect: QRectF, small: bool) -> None:
        if not self._limbs:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        height = rect.height() / len(self._limbs)
        selected = self.selected
        for row, limb in enumerate(self._limbs):
            band = QRectF(rect.left(), rect.top() + row * height, rect.width(), height)
            if small:
                paint_small(painter, self._bars[limb], scale, band)
                continue
            paint_source(painter, self._source_bars.get(limb, ()), scale, band)
            for bar in map(self._drawn, self._bars[limb]):
                is_hovered = self._hovered is not None and self._hovered[0] == bar
                paint_bar(painter, bar, scale, band, bar == selected, is_hovered)

    # The mouse

    def hit(self, point: QPointF, scale: TimeScale, rect: QRectF) -> Hit | None:
        row = self.row_at(point.y(), rect)
        if row is None:
            return None
        grabbed = grabbed_at(map(self._drawn, self._bars[self._limbs[row]]), point.x(), scale)
        if grabbed is None:
            return None
        bar, part = grabbed
        use = "Drag to move it" if part == "middle" else f"Drag to move its {'start' if part == 'start' else 'end'}"
        cursor = Qt.CursorShape.OpenHandCursor if part == "middle" else Qt.CursorShape.SizeHorCursor
        return Hit(bar, part, cursor, f"{self._told(bar)}. {use}, Delete to remove it")

    def hover(self, hit: Hit | None) -> None:
        over = (hit.item, hit.part) if hit is not None and isinstance(hit.item, Bar) else None
        if over != self._hovered:
            self._hovered = over
            self.changed.emit()

    def press(self, hit: Hit | None, pointer: Pointer) -> Drag | None:
        bar, shown = None if hit is None else hit.item, self._showing.current
        if self._moving is not None:
            self._settle()
        self._select(bar if isinstance(bar, Bar) else None)
        if hit is None or not isinstance(bar, Bar) or shown is None or bar not in self.bars:
            return None
        return ContactDrag(self, bar, hit.part, pointer, shown)

    def double_click(self, point: QPointF, rect: QRectF, pointer: Pointer) -> bool:
        row = self.row_at(point.y(), rect)
        if row is None or any(bar.start_s <= pointer.time_s < bar.stop_s for bar in self._bars[self._limbs[row]]):
            return False
        self._add(self._limbs[row], pointer.time_s)
        return True

    def menu(self, hit: Hit | None, point: QPointF, rect: QRectF, pointer: Pointer) -> list[tuple[str, Action]]:
        made: list[tuple[str, Action]] = []
        row = self.row_at(point.y(), rect)
        if hit is not None and isinstance(hit.item, Bar):
            self._select(hit.item)
            made.append(("Delete contact", self._delete))
        elif row is not None:
            made.append(("Add contact here", partial(self._add, self._limbs[row], pointer.time_s)))
        made.append(("Hide hands" if self._with_hands else "Show hands", self._toggle_hands))
        return made

    # The keyboard

    def wants_key(self, event: QKeyEvent, tabbed: bool) -> bool:
        key, modifiers = event.key(), event.modifiers()
        bare = modifiers & ~Qt.KeyboardModifier.KeypadModifier
        if key in (_KEYS.Key_Left, _KEYS.Key_Right):
            with_alt = bool(modifiers & Qt.KeyboardModifier.AltModifier)
            return (with_alt and self.selected is not None) or (tabbed and bare == Qt.KeyboardModifier.NoModifier)
        if key in (_KEYS.Key_Delete, _KEYS.Key_Backspace, _KEYS.Key_Escape):
            return self.selected is not None
        return tabbed and key in (_KEYS.Key_Up, _KEYS.Key_Down, _KEYS.Key_Insert) and bool(self._limbs)

    def press_key(self, event: QKeyEvent) -> None:
        key, modifiers = event.key(), event.modifiers()
        if key in (_KEYS.Key_Left, _KEYS.Key_Right):
            by = -1 if key == _KEYS.Key_Left else 1
            if modifiers & Qt.KeyboardModifier.AltModifier:
                self._nudge(by, "stop" if modifiers & Qt.KeyboardModifier.ShiftModifier else "start")
            else:
                self._select_next(by)
        elif key in (_KEYS.Key_Up, _KEYS.Key_Down):
            self._select_row(-1 if key == _KEYS.Key_Up else 1)
        elif key == _KEYS.Key_Insert:
            self._add(self._row(), self._session.view.time_s)
        elif key == _KEYS.Key_Escape:
            self._select(None)
        else:
            self._delete()

    def _row(self) -> str:
        """The limb that the keyboard is at."""
        return self._selected[0] if self._selected is not None and self._selected[0] in self._limbs else self._limbs[0]

    def _select_next(self, by: int) -> None:
        """Select the next or previous contact of the row; the first time, the one nearest to the playhead."""
        if not self._limbs:
            return
        bars, selected = self._bars[self._row()], self.selected
        if selected in bars:
            place = min(max(bars.index(selected) + by, 0), len(bars) - 1)
            self._reveal(bars[place])
        else:
            self._reveal(_nearest(bars, self._session.view.time_s))

    def _select_row(self, by: int) -> None:
        """Select the contact of the row above or below that is nearest in time."""
        row, selected = self._limbs.index(self._row()), self.selected
        if selected is not None:
            row = min(max(row + by, 0), len(self._limbs) - 1)
        at_s = self._session.view.time_s if selected is None else selected.middle_s
        bar = _nearest(self._bars[self._limbs[row]], at_s)
        if bar is not None:
            self._reveal(bar)
        else:
            self._selected = (self._limbs[row], at_s)  # a row without contacts can still be given one

    def _reveal(self, bar: Bar | None) -> None:
        if bar is not None:
            self._select(bar)
            self.revealed.emit(bar.start_s)

    def _nudge(self, by: int, edge: str) -> None:
        """Move an edge of the selected contact by a frame."""
        bar, shown = self.selected, self._showing.current
        if bar is None or shown is None:
            return
        motion = shown.take.motion
        step_s = motion.frame_time_s
        if edge == "start":
            to = replace(bar, start_s=min(max(bar.start_s + by * step_s, 0.0), bar.stop_s - step_s))
        else:
            end_s = motion.frames * step_s
            to = replace(bar, stop_s=max(min(bar.stop_s + by * step_s, end_s), bar.start_s + step_s))
        self._do(shown, corrections_to_move(shown, bar, to), to)

    # What is done to the document

    def try_move(self, shown: Shown, bar: Bar, to: Bar) -> None:
        """Show a contact elsewhere."""
        if (self._moving is not None and self._moving[1] == to) or shown.clip.id not in self._document.project:
            return
        self._is_dragging = True
        self._moving = (bar, to)
        self._selected = (to.limb, to.middle_s)
        self._stage_before = self._stage()
        self._document.preview(correct_contacts, shown.clip.id, corrections_to_move(shown, bar, to))
        self.changed.emit()

    def finish_move(self) -> None:
        """Make what is shown a step."""
        if not self._is_dragging:
            return
        self._document.commit()
        self._is_dragging = False
        self._on_shown()

    def cancel_move(self) -> None:
        """Put the contact back."""
        if not self._is_dragging:
            return
        bar = self._moving[0] if self._moving is not None else None
        self._is_dragging = False
        self._document.cancel()
        self._settle()
        self._select(bar)

    def _add(self, limb: str, at_s: float) -> None:
        """Add a contact about a moment."""
        shown = self._showing.current
        if shown is None:
            return
        motion = shown.take.motion
        step_s, end = motion.frame_time_s, motion.frames
        length = min(max(round(_NEW_S / step_s), 1), end)
        start = min(max(round(at_s / step_s - 0.5 * length), 0), end - length)
        bar = Bar(limb, start * step_s, (start + length) * step_s)
        self._do(shown, corrections_to_add(shown, bar), bar)

    def _delete(self) -> None:
        bar, shown = self.selected, self._showing.current
        if bar is not None and shown is not None:
            self._do(shown, corrections_to_remove(shown, bar), None)

    def _do(self, shown: Shown, corrections: Iterable[Correction], select: Bar | None) -> None:
        self._settle()
        self._selected = None if select is None else (select.limb, select.middle_s)
        self._document.do(correct_contacts, shown.clip.id, tuple(corrections))
        self.changed.emit()

    # How

    def _stage(self) -> object:
        shown = self._showing.current
        return None if shown is None else shown.stage

    def _on_shown(self) -> None:
        if self._moving is not None and (self._is_dragging or self._stage() is self._stage_before):
            return  # a bar stays where it is put until the take with it there is worked out
        self._settle()

    def _settle(self) -> None:
        """Show the contacts of the take that is shown."""
        shown = self._showing.current
        before = (self._moving, self._hovered, self._bars, self._source_bars, self._limbs)
        self._moving = None
        self._bars, self._source_bars, self._limbs = {}, {}, ()
        if shown is not None:
            self._bars = {limb: bars_of(shown, limb) for limb in (*FEET, *HANDS)}
            skeleton = shown.take.motion.skeleton
            known = (*FEET, *HANDS) if self._with_hands else FEET
            self._limbs = tuple(
                limb
                for limb in (*FEET, *HANDS)
                if self._bars[limb] or (limb in known and find_limb(skeleton, limb) is not None)
            )
            if has_corrections(shown):
                self._source_bars = {limb: source_bars_of(shown, limb) for limb in self._limbs}
        self._hovered = None
        if before != (None, None, self._bars, self._source_bars, self._limbs):  # most edits leave contacts alone
            self.changed.emit()

    def _toggle_hands(self) -> None:
        self._with_hands = not self._with_hands
        self._settle()

    def _drawn(self, bar: Bar) -> Bar:
        """A bar where it is being dragged to."""
        return self._moving[1] if self._moving is not None and bar == self._moving[0] else bar

    def _select(self, bar: Bar | None) -> None:
        self._selected = None if bar is None else (bar.limb, bar.middle_s)
        self.changed.emit()

    def _told(self, bar: Bar) -> str:
        shown = self._showing.current
        step_s = 1.0 if shown is None else shown.take.motion.frame_time_s
        first, last = round(bar.start_s / step_s), round(bar.stop_s / step_s) - 1
        return f"{limb_name(bar.limb)}, frames {first} to {last}, {bar.stop_s - bar.start_s:.2f} s"


def _nearest(bars: Iterable[Bar], time_s: float) -> Bar | None:
    return min(bars, key=lambda bar: abs(bar.middle_s - time_s), default=None)
