"""The lane of target poses: diamonds that can be gone to, moved, removed, and given longer or shorter slopes."""

from functools import partial

import numpy as np
from PySide6.QtCore import QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter

from editor.document.document import Document
from editor.document.session import Session, View
from editor.document.showing import Showing, Shown
from editor.posing.commands import change_pose, move_poses, remove_poses
from editor.posing.edit import SAME_MOMENT_S, TargetPose, TargetPoses
from model.clip import Layer
from widgets.timeline.lane import Action, Drag, Hit, Lane, Pointer, Row
from widgets.timeline.pose_marks import Mark, grabbed_at, paint_diamond, paint_mark
from widgets.timeline.scale import TimeScale

_KEYS = Qt.Key
_SHORTEST_S = 0.01
_Key = tuple[str, float]


class PoseDrag(Drag):
    """Moves a pose in time, or an end of its slopes. part : "pose", "before" or "after"; grabbed_s : where the hand
    took hold, None for where it moves first.
    """

    def __init__(self, lane: "PoseLane", mark: Mark, part: str, grabbed_s: float | None, shown: Shown) -> None:
        self._lane, self._mark, self._part, self._shown = lane, mark, part, shown
        self._grabbed_s = grabbed_s
        self._magnets = lane.magnets_for(mark)

    def move(self, pointer: Pointer) -> None:
        if self._grabbed_s is None:
            self._grabbed_s = pointer.time_s
        by_s = pointer.time_s - self._grabbed_s
        mark, end_s = self._mark, max(self._shown.take.motion.frames - 1, 0) * self._shown.take.motion.frame_time_s
        if self._part == "pose":
            at_s = min(max(pointer.snap(mark.time_s + by_s, self._magnets), 0.0), end_s)
            self._lane.try_move(self._shown, mark, at_s)
        else:
            start = mark.start_s if self._part == "before" else mark.stop_s
            self._lane.try_ease(self._shown, mark, self._part, pointer.snap(start + by_s, self._magnets))

    def finish(self) -> None:
        self._lane.finish()

    def cancel(self) -> None:
        self._lane.cancel(self._mark)


class PoseLane(Lane):
    """A row for each edit that holds target poses; a single one is in the strip of the title."""

    title = "Poses"
    nothing = "No target poses: pose the figure with a tool over the viewport, or press I"
    tip = (
        "Target poses. Click goes to one, a drag moves it, Delete removes it; drag the ends of its slopes to let it "
        "come up and fade more slowly; hold Alt not to snap"
    )
    pose_wanted = Signal()  # a target pose at the playhead
    edit_wanted = Signal()  # handles at the figure, at the playhead
    repeat_wanted = Signal()  # the pose at the playhead at all moments like it

    def __init__(self, document: Document, session: Session, showing: Showing, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document, self._session, self._showing = document, session, showing
        self._layers: tuple[Layer, ...] = ()
        self._marks: tuple[Mark, ...] = ()
        self._drawn: tuple[object, ...] = ()
        self._selected: _Key | None = None
        self._hovered: tuple[_Key, str] | None = None
        self._is_dragging = False
        self._series = 0  # nudges of the pose that is selected now are one step, those of another another
        document.changed.connect(self._on_changed)
        showing.changed.connect(self._on_changed)
        session.changed.connect(self._on_view_changed)
        self._on_changed()

    # What is there

    @property
    def rows(self) -> tuple[Row, ...]:
        many = len(self._layers) > 1
        return tuple(Row(f"Target poses {n}" if many else "Target poses") for n in range(1, len(self._layers) + 1))

    @property
    def is_flat(self) -> bool:
        return len(self._layers) <= 1

    @property
    def marks(self) -> tuple[Mark, ...]:
        """All poses as they are drawn, row by row."""
        return self._marks

    @property
    def selected(self) -> Mark | None:
        return next((mark for mark in self._marks if mark.key == self._selected), None)

    def magnets(self) -> list[float]:
        return [mark.time_s for mark in self._marks]

    def magnets_for(self, moving: Mark) -> list[float]:
        """What a pose snaps to: the others, the playhead and the loop range."""
        others = [mark.time_s for mark in self._marks if mark.key != moving.key]
        return [*others, self._session.view.time_s, *(self._session.view.loop_s or ())]

    def accessible_text(self) -> str:
        mark = self.selected
        chosen = "none selected" if mark is None else f"selected: {_told(mark)}"
        keys = "Arrows select, Alt with arrows moves it, Insert adds one at the playhead, Delete removes"
        return f"Target poses: {len(self._marks) or 'none'}; {chosen}. {keys}."

    # Drawing

    def paint(self, painter: QPainter, scale: TimeScale, rect: QRectF, small: bool) -> None:
        if not self._layers:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        height = rect.height() / len(self._layers)
        for row, layer in enumerate(self._layers):
            band = QRectF(rect.left(), rect.top() + row * height, rect.width(), height)
            active = layer.on and self._session.view.layer in (None, layer.id)
            for mark in (one for one in self._marks if one.layer == layer.id):
                if small:
                    tone = "accent" if active else "muted"
                    paint_diamond(painter, scale.x_of(mark.time_s), band.center().y(), 4.0, tone, False)
                else:
                    is_hovered = self._hovered is not None and self._hovered[0] == mark.key
                    paint_mark(painter, mark, scale, band, mark.key == self._selected, is_hovered, active)

    # The mouse

    def hit(self, point: QPointF, scale: TimeScale, rect: QRectF) -> Hit | None:
        row = self.row_at(point.y(), rect)
        if row is None:
            return None
        marks = [mark for mark in self._marks if mark.layer == self._layers[row].id]
        grabbed = grabbed_at(marks, point.x(), scale, self.selected)
        if grabbed is None:
            return None
        mark, part = grabbed
        if part == "pose":
            use = "Click goes there, double click edits it, drag to move it, Delete to remove it"
            tip = f"{_told(mark)}. {f'{mark.told} ' if mark.told else ''}{use}"
            return Hit(mark, part, Qt.CursorShape.OpenHandCursor, tip)
        long_s = mark.time_s - mark.start_s if part == "before" else mark.stop_s - mark.time_s
        tip = f"It {'comes up' if part == 'before' else 'fades'} over {long_s:.2f} s. Drag to change that"
        return Hit(mark, part, Qt.CursorShape.SizeHorCursor, tip)

    def hover(self, hit: Hit | None) -> None:
        over = (hit.item.key, hit.part) if hit is not None and isinstance(hit.item, Mark) else None
        if over != self._hovered:
            self._hovered = over
            self.changed.emit()

    def press(self, hit: Hit | None, pointer: Pointer) -> Drag | None:
        mark, shown = None if hit is None else hit.item, self._showing.current
        if hit is None or not isinstance(mark, Mark) or shown is None:
            self._select(None)
            return None
        self._select(mark)
        if hit.part == "pose":
            self._go_to(mark)
        now, mark = self._showing.current, self.selected  # another edit may be shown, and with it other time
        if mark is None or now is None:
            return None
        return PoseDrag(self, mark, hit.part, pointer.time_s if _have_same_time(shown, now) else None, now)

    def menu(self, hit: Hit | None, point: QPointF, rect: QRectF, pointer: Pointer) -> list[tuple[str, Action]]:
        if hit is not None and isinstance(hit.item, Mark):
            self._select(hit.item)
            return [
                ("Edit pose", partial(self._edit, hit.item)),
                ("Repeat at similar poses", partial(self._repeat, hit.item)),
                ("Go to pose", partial(self._go_to, hit.item)),
                ("Delete pose", self._delete),
            ]
        here_s = pointer.snap(pointer.time_s, ())
        return [
            ("Edit pose here", partial(self._edit_at, here_s)),
            ("Add target pose at the playhead", self.pose_wanted.emit),
        ]

    def double_click(self, point: QPointF, rect: QRectF, pointer: Pointer) -> bool:
        """A pose is edited, and so is a moment without one."""
        mark = self.selected
        if mark is None:
            self._edit_at(pointer.snap(pointer.time_s, ()))
        else:
            self._edit(mark)
        return self._showing.current is not None

    # The keyboard

    def wants_key(self, event: QKeyEvent, tabbed: bool) -> bool:
        key, modifiers = event.key(), event.modifiers()
        bare = modifiers & ~Qt.KeyboardModifier.KeypadModifier
        if key in (_KEYS.Key_Left, _KEYS.Key_Right):
            with_alt = bool(modifiers & Qt.KeyboardModifier.AltModifier)
            return (with_alt and self.selected is not None) or (tabbed and bare == Qt.KeyboardModifier.NoModifier)
        if key in (_KEYS.Key_Delete, _KEYS.Key_Backspace, _KEYS.Key_Escape):
            return self.selected is not None
        return tabbed and key in (_KEYS.Key_Insert, _KEYS.Key_Return, _KEYS.Key_Enter)

    def press_key(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in (_KEYS.Key_Left, _KEYS.Key_Right):
            by = -1 if key == _KEYS.Key_Left else 1
            if event.modifiers() & Qt.KeyboardModifier.AltModifier:
                self._nudge(by)
            else:
                self._select_next(by)
        elif key == _KEYS.Key_Insert:
            self.pose_wanted.emit()
        elif key == _KEYS.Key_Escape:
            self._select(None)
        elif key in (_KEYS.Key_Return, _KEYS.Key_Enter):
            if self.selected is not None:
                self._go_to(self.selected)
        else:
            self._delete()

    def _select_next(self, by: int) -> None:
        """Select the next or previous pose; the first time, the one nearest to the playhead."""
        ordered = sorted(self._marks, key=lambda mark: mark.time_s)
        if not ordered:
            return
        keys = [mark.key for mark in ordered]
        if self._selected in keys:
            place = min(max(keys.index(self._selected) + by, 0), len(ordered) - 1)
        else:
            now_s = self._session.view.time_s
            place = min(range(len(ordered)), key=lambda n: abs(ordered[n].time_s - now_s))
        self._select(ordered[place])
        self.revealed.emit(ordered[place].time_s)

    # What is done to the document

    def try_move(self, shown: Shown, mark: Mark, at_s: float) -> None:
        """Show a pose at another moment of the shown take; where another is, it stays where it was last."""
        by_s = _to_source(shown, at_s) - mark.source_s
        self._try(move_poses, shown, mark, (mark.source_s,), by_s, key=(mark.layer, mark.source_s + by_s))

    def try_ease(self, shown: Shown, mark: Mark, part: str, at_s: float) -> None:
        """Show a pose with one of its slopes ending at a moment of the shown take."""
        long_s = abs(_to_source(shown, at_s) - mark.source_s)
        outside = at_s >= mark.time_s if part == "before" else at_s <= mark.time_s
        length_s = max(0.0 if outside else long_s, _SHORTEST_S)
        lengths = (length_s, None) if part == "before" else (None, length_s)
        self._try(change_pose, shown, mark, mark.source_s, *lengths, key=mark.key)

    def _try(self, command: object, shown: Shown, mark: Mark, *arguments: object, key: _Key) -> None:
        if shown.clip.id not in self._document.project:
            return
        assert callable(command)
        before, self._selected, self._is_dragging = self._selected, key, True
        try:
            self._document.preview(command, shown.clip.id, mark.layer, *arguments)
        except ValueError:
            self._selected = before  # another pose is there
        self.changed.emit()

    def finish(self) -> None:
        """Make what is shown a step, and go along with the pose."""
        if not self._is_dragging:
            return
        self._is_dragging = False
        self._document.commit()
        if (mark := self.selected) is not None:
            self._go_to(mark)

    def cancel(self, mark: Mark) -> None:
        """Put a pose back."""
        if self._is_dragging:
            self._is_dragging = False
            self._selected = mark.key
            self._document.cancel()
            self._on_changed()

    def _nudge(self, by: int) -> None:
        """Move the selected pose by a frame of the shown take."""
        mark, shown = self.selected, self._showing.current
        if mark is None or shown is None:
            return
        motion = shown.take.motion
        at_s = min(max(mark.time_s + by * motion.frame_time_s, 0.0), max(motion.frames - 1, 0) * motion.frame_time_s)
        by_s, merge = _to_source(shown, at_s) - mark.source_s, f"nudge pose {self._series}"
        try:
            self._document.do(move_poses, shown.clip.id, mark.layer, (mark.source_s,), by_s, merge=merge)
        except ValueError:
            return  # another pose is there
        self._selected = (mark.layer, mark.source_s + by_s)
        self.changed.emit()

    def _delete(self) -> None:
        mark, shown = self.selected, self._showing.current
        if mark is not None and shown is not None:
            self._selected = None
            try:
                self._document.do(remove_poses, shown.clip.id, mark.layer, (mark.source_s,))
            except ValueError:
                self._document.cancel()  # it was only tried out

    def _edit(self, mark: Mark) -> None:
        self._go_to(mark)
        self.edit_wanted.emit()

    def _edit_at(self, shown_s: float) -> None:
        self._session.look(time_s=min(max(shown_s, 0.0), self._showing.duration_s))
        self.edit_wanted.emit()

    def _repeat(self, mark: Mark) -> None:
        self._go_to(mark)
        self.repeat_wanted.emit()

    def _go_to(self, mark: Mark) -> None:
        """Show the moment of a pose, as its edit leaves it."""
        shown = self._showing.current
        if shown is None:
            return
        stage = shown.stages[min(shown.clip.place_of(mark.layer) + 1, len(shown.stages) - 1)]
        motion = stage.take.motion
        end_s = max(motion.frames - 1, 0) * motion.frame_time_s
        self._session.look(layer=mark.layer, time_s=min(max(float(stage.time_map(mark.source_s)), 0.0), end_s))

    # How

    def _on_view_changed(self, before: View, after: View) -> None:
        if (before.clip, before.layer) != (after.clip, after.layer):
            self._on_changed()

    def _on_changed(self, *_: object) -> None:
        shown = self._showing.current
        layers: tuple[Layer, ...] = ()
        marks: list[Mark] = []
        if shown is not None:
            layers = tuple(layer for layer in shown.clip.layers if isinstance(layer.edit, TargetPoses))
            for layer in layers:
                assert isinstance(layer.edit, TargetPoses)
                kept = self._committed_moments(shown.clip.id, layer.id)
                marks += _marks(shown, layer, layer.edit.poses, kept)
        drawn = (tuple(marks), tuple(layer.on for layer in layers), self._session.view.layer)
        before, self._drawn = self._drawn, drawn
        self._layers, self._marks = layers, tuple(marks)
        if drawn != before:
            self.changed.emit()

    def _committed_moments(self, clip_id: str, layer_id: str) -> frozenset[float] | None:
        """When the poses are that are not only tried out; None while a single one is made or moved."""
        project = self._document.committed
        if not self._document.is_previewing or self._is_dragging or clip_id not in project:
            return None
        edits = [one.edit for one in project.clip(clip_id).layers if one.id == layer_id]
        return frozenset(pose.time_s for edit in edits if isinstance(edit, TargetPoses) for pose in edit.poses)

    def _select(self, mark: Mark | None) -> None:
        self._selected = None if mark is None else mark.key
        self._series += 1
        self.changed.emit()


def _marks(shown: Shown, layer: Layer, poses: tuple[TargetPose, ...], kept: frozenset[float] | None) -> list[Mark]:
    """Poses as they are shown. kept : the moments of those that are committed, None for all."""
    source_s = [(pose.time_s, pose.time_s - pose.before_s, pose.time_s + pose.after_s) for pose in poses]
    shown_s = shown.stage.time_map(np.array(source_s)).tolist()
    place = shown.clip.place_of(layer.id) + 1
    told = shown.stages[place].marks if place < len(shown.stages) and layer.acts else ()
    made = []
    for pose, (at_s, start_s, stop_s) in zip(poses, shown_s, strict=True):
        text = " ".join(text for time_s, text in told if abs(time_s - pose.time_s) < SAME_MOMENT_S)
        tried = kept is not None and pose.time_s not in kept
        made.append(Mark(layer.id, pose.time_s, at_s, start_s, stop_s, pose.strength, text, tried))
    return made


def _to_source(shown: Shown, shown_s: float) -> float:
    return float(shown.stage.time_map.inverse()(shown_s))


def _have_same_time(one: Shown, other: Shown) -> bool:
    """Whether two takes of a clip run alike and last as long, so that places on the time axis mean the same."""
    return one.stage.time_map is other.stage.time_map and one.take.motion.duration_s == other.take.motion.duration_s


def _told(mark: Mark) -> str:
    return f"Target pose at {mark.time_s:.2f} s"
