"""What hands drag in the plot. Each shows its effect at once, is one step when let go, and leaves no trace of Esc."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

from editor.curves.editing import Spot
from widgets.curves.key_editing import KeyEditing
from widgets.curves.layout import Grip, Handle, Layout
from widgets.curves.tracks import Track


@dataclass(frozen=True)
class Pointer:
    """Where the mouse is. straight : Shift is held, one axis only; free : Alt is held, no snapping."""

    at: QPointF
    straight: bool = False
    free: bool = False


class Drag(ABC):
    """A hand that holds something."""

    hint = ""

    @abstractmethod
    def move(self, pointer: Pointer, layout: Layout) -> None: ...

    @abstractmethod
    def finish(self) -> None: ...

    @abstractmethod
    def cancel(self) -> None: ...


class Holding(Drag):
    """A drag that changes keys. start : where the hand took hold, with the layout of that moment."""

    def __init__(self, editing: KeyEditing, start: QPointF, layout: Layout) -> None:
        self._editing = editing
        self._start = start
        self._layout = layout
        editing.hold()

    def _by(self, pointer: Pointer, layout: Layout) -> tuple[float, float]:
        """How far the hand has got: seconds of the shown take, and degrees or centimetres."""
        # The view may have been moved meanwhile: the place where it started is where it was in time and value.
        time_s, value = self._layout.times.time_at(self._start.x()), self._layout.values.value_at(self._start.y())
        by_s, by = layout.times.time_at(pointer.at.x()) - time_s, layout.values.value_at(pointer.at.y()) - value
        if pointer.straight:
            along, up = abs(by_s) * layout.times.pixels_per_s, abs(by) / layout.values.per_px
            return (by_s, 0.0) if along >= up else (0.0, by)
        return by_s, by

    def finish(self) -> None:
        self._editing.let_go()

    def cancel(self) -> None:
        self._editing.put_back()


class MoveKeys(Holding):
    """Moves the selected keys. grabbed : the one under the hand."""

    hint = "Shift: one axis only. Alt: no snapping. Esc: put back"

    def __init__(self, editing: KeyEditing, start: QPointF, layout: Layout, grabbed: Spot) -> None:
        super().__init__(editing, start, layout)
        self._grabbed = grabbed
        self._spots = editing.selected

    def move(self, pointer: Pointer, layout: Layout) -> None:
        by_s, by = self._by(pointer, layout)
        board = layout.board
        here_s = self._grabbed.time_s
        there_s = board.to_source(board.to_shown(here_s) + by_s)
        self._editing.move(self._spots, there_s - here_s if by_s else 0.0, by, pointer.free)


class PullCurve(Holding):
    """Lifts a curve where it was grabbed, by a key of its own."""

    hint = "Pulls the curve within its reach. Esc: put back"

    def __init__(self, editing: KeyEditing, start: QPointF, layout: Layout, track: Track) -> None:
        super().__init__(editing, start, layout)
        self._channel = track.channel
        # Of the source: what is shown, and its time, may be another edit's once the hand has moved.
        self._source_s = layout.board.to_source(layout.times.time_at(start.x()))

    def move(self, pointer: Pointer, layout: Layout) -> None:
        _, by = self._by(Pointer(pointer.at), layout)
        self._editing.pull(self._channel, self._source_s, by, pointer.free)


class TurnTangent(Holding):
    """Turns the tangent of a key by its handle."""

    hint = "Turns the tangent. Esc: put back"

    def __init__(self, editing: KeyEditing, start: QPointF, layout: Layout, handle: Handle, track: Track) -> None:
        super().__init__(editing, start, layout)
        self._handle = handle
        self._factor = track.measure.factor

    def move(self, pointer: Pointer, layout: Layout) -> None:
        key_at, sign = self._handle.key_at, -1.0 if self._handle.side == "in" else 1.0
        along = max(sign * (pointer.at.x() - key_at.x()), 2.0)  # never back past the key
        rise = -(pointer.at.y() - key_at.y()) * layout.values.per_px * self._factor
        along_s = along / layout.times.pixels_per_s * self._handle.source_per_shown
        self._editing.turn(self._handle.spot, self._handle.side, sign * rise / along_s)


class ScaleKeys(Holding):
    """Scales the selected keys about the opposite side of the box round them."""

    hint = "Scales about the opposite side. Alt: no snapping. Esc: put back"

    def __init__(self, editing: KeyEditing, start: QPointF, layout: Layout, grip: Grip) -> None:
        super().__init__(editing, start, layout)
        box = layout.box()
        assert box is not None
        self._spots = editing.selected
        self._part = grip.part
        left_s, right_s = (layout.times.time_at(x) for x in (box.left(), box.right()))
        top, bottom = (layout.values.value_at(y) for y in (box.top(), box.bottom()))
        pivot_s, from_s = (right_s, left_s) if "left" in grip.part else (left_s, right_s)
        pivot, from_ = (bottom, top) if "top" in grip.part else (top, bottom)
        self._wide_s, self._high = from_s - pivot_s, from_ - pivot
        self._pivot = (layout.board.to_source(pivot_s), pivot)

    def move(self, pointer: Pointer, layout: Layout) -> None:
        by_s, by = self._by(Pointer(pointer.at), layout)
        in_time, in_value = bool({"left", "right"} & set(self._part)), bool({"top", "bottom"} & set(self._part))
        factor_s = (self._wide_s + by_s) / self._wide_s if in_time else 1.0
        factor = (self._high + by) / self._high if in_value else 1.0
        self._editing.scale(self._spots, self._pivot, (factor_s, factor), pointer.free)


class BoxSelect(Drag):
    """Selects the keys within a rectangle. adds : to those that are selected."""

    hint = "Selects the keys within. Shift adds"

    def __init__(self, editing: KeyEditing, start: QPointF, adds: bool) -> None:
        self._editing = editing
        self._start = start
        self._before = editing.selected
        self._kept = editing.selected if adds else frozenset()
        self.band = QRectF(start, start)

    def move(self, pointer: Pointer, layout: Layout) -> None:
        self.band = QRectF(self._start, pointer.at).normalized()
        self._editing.select(self._kept | frozenset(layout.keys_in(self.band)))

    def finish(self) -> None:
        pass

    def cancel(self) -> None:
        self._editing.select(self._before)
