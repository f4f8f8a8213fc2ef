"""The lane of staggered poses: each pose a column, each joint a knot on it, early or late; a succession is a slant.

A column is dragged to retime a pose as a whole, a knot to let one joint be later, the line down a limb to let it lag
more and more towards its end. A box drawn with Shift selects knots, which then move together.
"""

from functools import partial

from PySide6.QtCore import QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPen

from editor.document.session import View
from editor.stack.command import Command
from editor.stagger.commands import (
    add_staggered_pose,
    ease_staggered_poses,
    move_knots,
    move_staggered_poses,
    push_staggered_poses,
    remove_staggered_poses,
    reset_staggered_poses,
)
from widgets.common.theme import GRID, colour
from widgets.stagger.marks import Columns, Grabbed, Knot, grabbed_at, paint_columns, paint_small
from widgets.stagger.staggering import StaggerBasis, Staggering
from widgets.timeline.joint_rows import joint_colour, joint_title, joints_in_order
from widgets.timeline.lane import Action, Drag, Hit, Lane, Pointer, Row
from widgets.timeline.scale import TimeScale

_KEYS = Qt.Key
_PUSH = 0.25  # by which share a pose gets farther from another, each time


class StaggerDrag(Drag):
    """Moves a pose, knots, or a slant. weights : for each knot how far it goes along, the joint -1 for whole poses."""

    def __init__(self, lane: "StaggerLane", columns: Columns, held: Grabbed, weights: dict[Knot, float]) -> None:
        self._lane, self._columns, self._held, self._weights = lane, columns, held, weights
        self._grabbed_s: float | None = None

    def start(self, pointer: Pointer) -> "StaggerDrag":
        self._grabbed_s = pointer.time_s
        return self

    def move(self, pointer: Pointer) -> None:
        if self._grabbed_s is None:
            self._grabbed_s = pointer.time_s
        pose, joint = self._held.knot
        by_s = pointer.time_s - self._grabbed_s
        whole = self._held.part == "pose"
        from_s = self._columns.centre_s(pose) if whole else self._columns.knot_s(pose, joint)
        if self._held.part != "slant":
            magnets = [one for one in self._columns.centres.tolist() if whole is False or one != from_s]
            by_s = pointer.snap(from_s + by_s, magnets) - from_s
        self._lane.try_move(self._columns.basis, self._held, self._weights, by_s)

    def finish(self) -> None:
        self._lane.finish()

    def cancel(self) -> None:
        self._lane.cancel()


class BoxDrag(Drag):
    """Draws a box, within which knots are selected."""

    def __init__(self, lane: "StaggerLane", pointer: Pointer) -> None:
        self._lane, self._from = lane, pointer
        self._before = lane.chosen

    def move(self, pointer: Pointer) -> None:
        self._lane.try_box((self._from.time_s, self._from.y_px), (pointer.time_s, pointer.y_px))

    def finish(self) -> None:
        self._lane.set_box(None)

    def cancel(self) -> None:
        self._lane.set_box(None)
        self._lane.choose(self._before)


class StaggerLane(Lane):
    """A row of poses, and unfolded a row for each joint."""

    title = "Stagger"
    tip = (
        "Staggered poses: when each joint is in a pose. Drag a diamond to retime a pose, a dot to let a joint be "
        "later, a line to let a limb lag; Shift draws a box; hold Alt not to snap"
    )
    row_height = 2 * GRID
    starts_folded = True
    edit_wanted = Signal()  # an edit that staggers poses
    clip_wanted = Signal()  # a clip out of these poses alone
    poses_wanted = Signal()  # target poses as values of these
    extremes_wanted = Signal()  # the pose at the playhead posed with every joint in its extreme

    def __init__(self, staggering: Staggering, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._staggering = staggering
        self._document, self._session = staggering.document, staggering.session
        self._columns: Columns | None = None
        self._chosen: frozenset[Knot] = frozenset()
        self._hovered: Grabbed | None = None
        self._box: QRectF | None = None
        self._drawn: tuple[TimeScale, QRectF] | None = None
        self._is_dragging = False
        staggering.changed.connect(self._on_changed)
        self._session.changed.connect(self._on_view_changed)
        self._on_changed()

    # What is there

    @property
    def rows(self) -> tuple[Row, ...]:
        columns = self._columns
        if columns is None:
            return ()
        skeleton = columns.basis.skeleton
        named = (Row(joint_title(skeleton, joint), joint_colour(skeleton, joint)) for joint in columns.joints)
        return Row("Whole pose", "accent"), *named

    @property
    def nothing(self) -> str:  # type: ignore[override]
        if self._staggering.showing.current is None:
            return ""
        if self._staggering.layer is None:
            return "Timing between body parts: double click to find this clip's poses and stagger them"
        return "Looking for poses …" if self._staggering.is_finding else "No poses here"

    @property
    def columns(self) -> Columns | None:
        return self._columns

    @property
    def chosen(self) -> frozenset[Knot]:
        """The selected knots; a whole pose has the joint -1."""
        return self._chosen

    def magnets(self) -> list[float]:
        return [] if self._columns is None else self._columns.centres.tolist()

    def accessible_text(self) -> str:
        columns = self._columns
        if columns is None:
            return self.nothing
        poses = {pose for pose, _ in self._chosen}
        chosen = f"{len(self._chosen)} knots of {len(poses)} poses selected" if self._chosen else "none selected"
        keys = "Arrows select a pose, Alt with arrows moves what is selected by a frame, Delete removes a pose"
        return f"Staggered poses: {len(columns.centres)}; {chosen}. {keys}."

    # Drawing

    def paint(self, painter: QPainter, scale: TimeScale, rect: QRectF, small: bool) -> None:
        columns = self._columns
        if columns is None:
            return
        if small:
            paint_small(painter, columns, scale, rect)
            return
        self._drawn = scale, rect
        paint_columns(painter, columns, scale, rect, self._chosen, self._hovered)
        if self._box is not None:
            painter.setPen(QPen(colour("accent"), 1.0))
            painter.setBrush(colour("accent", 0.15))
            painter.drawRect(self._box)

    # The mouse

    def hit(self, point: QPointF, scale: TimeScale, rect: QRectF) -> Hit | None:
        held = None if self._columns is None else grabbed_at(self._columns, point, scale, rect)
        if held is None or self._columns is None:
            return None
        pose, joint = held.knot
        basis = self._columns.basis
        if held.part == "pose":
            tip = f"{basis.explained(pose)} Drag to retime the whole pose, Delete to remove it"
        else:
            late_s = float(basis.plan.after.refinements_s[pose, joint])
            name = joint_title(basis.skeleton, joint)
            when = "on time" if abs(late_s) < 5e-4 else f"{abs(late_s):.3f} s {'late' if late_s > 0.0 else 'early'}"
            tip = f"{name}, {when}{self._why(basis, pose, joint)}. Drag to let it be earlier or later"
        if held.part == "slant":
            limb = self._columns.limb_of(joint)
            tip = f"From {joint_title(basis.skeleton, limb[0])} to {joint_title(basis.skeleton, joint)}. Drag to slant"
        return Hit(held, held.part, Qt.CursorShape.SizeHorCursor, tip)

    def _why(self, basis: StaggerBasis, pose: int, joint: int) -> str:
        """What is to be said of a knot beyond its time."""
        if basis.plan.stopped[pose, joint]:
            return "; it stops before the next pose's knot"
        if basis.plan.near[pose, joint]:
            return "; it is nearer to another pose than to its own"
        return "" if basis.plan.found.with_extremum[pose, joint] else "; it does not turn back near this pose"

    def hover(self, hit: Hit | None) -> None:
        over = hit.item if hit is not None and isinstance(hit.item, Grabbed) else None
        if over != self._hovered:
            self._hovered = over
            self.changed.emit()

    def press(self, hit: Hit | None, pointer: Pointer) -> Drag | None:
        columns = self._columns
        if columns is None:
            return None
        if hit is None or not isinstance(hit.item, Grabbed):
            if pointer.adding:
                return BoxDrag(self, pointer)
            self.choose(frozenset())
            return None
        held = hit.item
        self._select(held, pointer.adding)
        return StaggerDrag(self, columns, held, self._weights(held)).start(pointer)

    def _select(self, held: Grabbed, adding: bool) -> None:
        """Select what was taken hold of, unless it is already; go to its pose and its joint."""
        assert self._columns is not None
        pose, joint = held.knot
        own = frozenset((pose, one) for one in self._columns.limb_of(joint)) if held.part == "slant" else {held.knot}
        if adding:
            self.choose(self._chosen ^ own)
        elif not own <= self._chosen:
            self.choose(frozenset(own))
        joints = () if joint < 0 else (self._columns.basis.skeleton.ref(joint),)
        at_s = self._columns.centre_s(pose) if joint < 0 else self._columns.knot_s(pose, joint)
        self._session.look(joints=joints or self._session.view.joints, time_s=self._frame_s(at_s))

    def _frame_s(self, at_s: float) -> float:
        """The moment of the frame that is nearest to one."""
        assert self._columns is not None
        step_s = self._columns.basis.before.motion.frame_time_s
        return max(round(at_s / step_s), 0) * step_s

    def _weights(self, held: Grabbed) -> dict[Knot, float]:
        """How far each knot goes along with the mouse: a slant leans, everything else moves as one."""
        assert self._columns is not None
        pose, joint = held.knot
        if held.part == "slant":
            limb = self._columns.limb_of(joint)
            steps = max(len(limb) - 1, 1)
            return {(pose, one): n / (steps * max(held.share, 0.1)) for n, one in enumerate(limb) if n}
        same = {knot: 1.0 for knot in self._chosen if (knot[1] < 0) == (held.part == "pose")}
        return same if held.knot in same else {held.knot: 1.0}

    def double_click(self, point: QPointF, rect: QRectF, pointer: Pointer) -> bool:
        if self._staggering.showing.current is None:
            return False
        if self._staggering.layer is None:
            self.edit_wanted.emit()
        elif self._hovered is None:
            self._add_at(pointer.snap(pointer.time_s, ()))
        return True

    def menu(self, hit: Hit | None, point: QPointF, rect: QRectF, pointer: Pointer) -> list[tuple[str, Action]]:
        if self._staggering.layer is None:
            return [("Find poses and stagger them", self.edit_wanted.emit)]
        here_s = pointer.snap(pointer.time_s, ())
        actions: list[tuple[str, Action]] = []
        if hit is not None and isinstance(hit.item, Grabbed):
            pose = hit.item.knot[0]
            actions = [
                ("Ease in and out", partial(self._ease, pose, 0.0)),
                ("Pass evenly", partial(self._ease, pose, None)),
                ("Push farther from the mean of all poses", partial(self._push, pose, _PUSH, False)),
                ("Push farther from the pose before", partial(self._push, pose, _PUSH, True)),
                ("Calm towards the mean of all poses", partial(self._push, pose, -_PUSH, False)),
                ("Pose its extremes together", partial(self._pose_extremes, pose)),
                ("Reset pose", partial(self._do, reset_staggered_poses, (pose,))),
                ("Remove pose", partial(self._do, remove_staggered_poses, (pose,))),
            ]
        actions.append((f"Add pose at {here_s:.2f} s", partial(self._add_at, here_s)))
        actions.append(("Take in target poses near these", self.poses_wanted.emit))
        actions.append(("Make a clip of these poses alone", self.clip_wanted.emit))
        return actions

    # The keyboard

    def wants_key(self, event: QKeyEvent, tabbed: bool) -> bool:
        key, modifiers = event.key(), event.modifiers()
        if self._columns is None:
            return tabbed and key in (_KEYS.Key_Insert, _KEYS.Key_Return) and self._staggering.layer is None
        if key in (_KEYS.Key_Left, _KEYS.Key_Right):
            with_alt = bool(modifiers & Qt.KeyboardModifier.AltModifier)
            return (with_alt and bool(self._chosen)) or (tabbed and modifiers == Qt.KeyboardModifier.NoModifier)
        if key in (_KEYS.Key_Delete, _KEYS.Key_Backspace, _KEYS.Key_Escape):
            return bool(self._chosen)
        return tabbed and key == _KEYS.Key_Insert

    def press_key(self, event: QKeyEvent) -> None:
        key, columns = event.key(), self._columns
        if columns is None:
            self.edit_wanted.emit()
        elif key in (_KEYS.Key_Left, _KEYS.Key_Right):
            by = -1 if key == _KEYS.Key_Left else 1
            if event.modifiers() & Qt.KeyboardModifier.AltModifier:
                self._nudge(columns, by)
            else:
                self._select_next(columns, by)
        elif key == _KEYS.Key_Insert:
            self._add_at(self._session.view.time_s)
        elif key == _KEYS.Key_Escape:
            self.choose(frozenset())
        else:
            self._do(remove_staggered_poses, tuple(sorted({pose for pose, _ in self._chosen})))

    def _select_next(self, columns: Columns, by: int) -> None:
        count = len(columns.centres)
        if not count:
            return
        now = min((pose for pose, _ in self._chosen), default=None)
        pose = 0 if now is None else min(max(now + by, 0), count - 1)
        self.choose(frozenset({(pose, -1)}))
        self._session.look(time_s=self._frame_s(columns.centre_s(pose)))
        self.revealed.emit(columns.centre_s(pose))

    def _nudge(self, columns: Columns, by: int) -> None:
        first = min(self._chosen)
        held = Grabbed("pose" if first[1] < 0 else "knot", first)
        weights = self._weights(held)
        step_s = by * columns.basis.before.motion.frame_time_s
        command, arguments = self._call(columns.basis, held, weights, step_s)
        self._document.do(command, columns.basis.shown.clip.id, columns.basis.layer, *arguments, merge="nudge stagger")

    # What is done to the document

    def try_move(self, basis: StaggerBasis, held: Grabbed, weights: dict[Knot, float], by_s: float) -> None:
        """Show poses or knots moved by a time of the shown take."""
        if basis.shown.clip.id not in self._document.project:
            return
        self._is_dragging = True
        command, arguments = self._call(basis, held, weights, by_s)
        self._document.preview(command, basis.shown.clip.id, basis.layer, *arguments)

    def _call(
        self, basis: StaggerBasis, held: Grabbed, weights: dict[Knot, float], by_s: float
    ) -> tuple[Command, tuple[object, ...]]:
        """The command that moves poses or knots, each no farther than those beside it let it."""
        plan = basis.plan
        if held.part == "pose":
            pose = held.knot[0]
            low, high = basis.column_room(pose)
            at_s = float(plan.after.times_s[pose])
            by_s = min(max(at_s + by_s, low), high) - at_s
            poses = sorted(pose for pose, _ in weights)
            times_s = tuple(float(basis.found_s[pose]) for pose in poses)
            return move_staggered_poses, (times_s, basis.source_s_of(at_s, by_s))
        knots = []
        for (pose, joint), weight in weights.items():
            at_s, (low, high) = float(plan.after_s[pose + 1, joint]), basis.room(pose, joint)
            moved_s = min(max(at_s + weight * by_s, low), high) - at_s
            knots.append((float(basis.found_s[pose]), basis.skeleton.ref(joint), basis.source_s_of(at_s, moved_s)))
        what = ""
        if held.part == "slant" and self._columns is not None:
            limb = self._columns.limb_of(held.knot[1])
            what = f"the slant of {joint_title(basis.skeleton, limb[-1]).lower()}"
        return move_knots, (tuple(knots), what)

    def try_box(self, one: tuple[float, float], other: tuple[float, float]) -> None:
        """Select what lies within two corners, each a moment and a height."""
        if self._drawn is None or self._columns is None:
            return
        scale, rect = self._drawn
        corners = [QPointF(scale.x_of(time_s), y) for time_s, y in (one, other)]
        self.set_box(QRectF(*corners).normalized())
        assert self._box is not None
        self.choose(self._columns.knots_in(self._box, scale, rect))

    def set_box(self, box: QRectF | None) -> None:
        self._box = box
        self.changed.emit()

    def choose(self, knots: frozenset[Knot]) -> None:
        """Select knots and poses."""
        if knots != self._chosen:
            self._chosen = knots
            self.changed.emit()

    def finish(self) -> None:
        """Make what is shown a step."""
        if self._is_dragging:
            self._is_dragging = False
            self._document.commit()

    def cancel(self) -> None:
        """Put back what was moved."""
        if self._is_dragging:
            self._is_dragging = False
            self._document.cancel()

    def _do(self, command: Command, poses: tuple[int, ...]) -> None:
        columns = self._columns
        if columns is not None and poses:
            basis = columns.basis
            times_s = tuple(float(basis.found_s[pose]) for pose in poses)
            self.choose(frozenset())
            self._document.do(command, basis.shown.clip.id, basis.layer, times_s)

    def _ease(self, pose: int, pace: float | None) -> None:
        columns = self._columns
        if columns is not None:
            basis = columns.basis
            times_s = (float(basis.found_s[pose]),)
            self._document.do(ease_staggered_poses, basis.shown.clip.id, basis.layer, times_s, pace, pace)

    def _push(self, pose: int, away: float, from_before: bool) -> None:
        """Make a pose more extreme against others, or less; once more adds to it."""
        columns = self._columns
        if columns is None:
            return
        basis = columns.basis
        time_s = float(basis.found_s[pose])
        known = basis.edit.change_at(time_s)
        from_s = float(basis.found_s[max(pose - 1, 0)]) if from_before else None
        more = known.away + away if known.away_from_s == from_s else away
        self._document.do(push_staggered_poses, basis.shown.clip.id, basis.layer, (time_s,), more, from_s)

    def _pose_extremes(self, pose: int) -> None:
        if self._columns is not None:
            self._session.look(layer=self._columns.basis.layer, time_s=self._frame_s(self._columns.centre_s(pose)))
            self.extremes_wanted.emit()

    def _add_at(self, shown_s: float) -> None:
        columns = self._columns
        if columns is not None:
            basis = columns.basis
            source_s = float(basis.shown.stage.time_map.inverse()(shown_s))
            self._document.do(add_staggered_pose, basis.shown.clip.id, basis.layer, source_s)

    # How

    def _on_view_changed(self, before: View, after: View) -> None:
        if before.clip != after.clip:
            self._chosen = frozenset()
            self._on_changed()

    def _on_changed(self) -> None:
        basis = self._staggering.basis
        self._columns = None if basis is None else Columns.of(basis, joints_in_order(basis.skeleton))
        count = 0 if basis is None else len(basis.plan.after)
        self._chosen = frozenset(knot for knot in self._chosen if knot[0] < count)
        self.changed.emit()
