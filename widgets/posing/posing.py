"""Posing by hand, as several views do it: the pose that is being made, pins, axes, what was copied, and whether a
pose is kept at once.

Tools of the viewport and fields of the inspector give it poses; it shows them, and keeps them as target poses, one
step of undo each. It is state of the session and no part of the project.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from editor.document.document import Document
from editor.document.session import Session, View
from editor.document.showing import Showing
from editor.posing.commands import part_called
from editor.posing.place import Call, Place
from editor.posing.pose import Pin, Pose
from editor.posing.transfer import mirrored, pasted
from model.kinematics import WorldPose
from model.roles import Role
from model.skeleton import JointRef
from widgets.common.pose_places import PosePlaces
from widgets.posing.pins import Pins, can_pin
from widgets.posing.target_place import TargetPlace, place_of

Axes = Literal["local", "world"]
# The figure follows the hand at once; the document, with all that listens to it, so much later.
_FOLLOW_MS = 20


@dataclass(frozen=True, eq=False)
class StandIn:
    """What a view shows in the place of the take's own pose: as it is now, and as it is without any pose."""

    now: WorldPose
    before: WorldPose | None


@dataclass(frozen=True, eq=False)
class _Copied:
    """A pose to be pasted. joints : those that were selected; None: the whole body."""

    pose: Pose
    joints: tuple[JointRef, ...] | None


@dataclass(frozen=True, eq=False)
class _Made:
    """A pose that is shown and not kept yet, with the words for it."""

    pose: Pose
    what: str


class Posing(QObject):
    """One pose at a time: `begin`, any number of `show`, then `finish` or `cancel`.

    With `auto_key` off a finished pose is only pending: `keep` makes it a step, `drop` or another moment forgets it.
    """

    changed = Signal()  # pins, axes, auto-key, or whether something is pending
    posed = Signal()  # the pose that is shown
    began = Signal()  # a hand takes hold of the figure: time must stand still
    said = Signal(str)

    def __init__(self, document: Document, session: Session, showing: Showing, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document, self._session, self._showing = document, session, showing
        self._axes: Axes = "local"
        self._auto_key = True
        self._grounded = True  # of new edits
        self._other_places: list[PosePlaces] = []
        self._asleep = False
        self._pins = Pins()
        self._copied: _Copied | None = None
        self._place: Place | None = None
        self._seen_key: tuple[object, ...] = ()
        self._known: Place | None = None
        self._start: Pose | None = None  # a gesture is going on, from this pose
        self._seen: Pose | None = None  # what was seen before it, and before what is pending
        self._made: _Made | None = None
        self._pending: _Made | None = None
        self._waiting: Pose | None = None  # kept, but the take with it is not worked out yet
        self._is_ours = False  # document and session change by our own doing
        self._follow = QTimer(self)
        self._follow.setSingleShot(True)
        self._follow.setInterval(_FOLLOW_MS)
        self._follow.timeout.connect(self._on_follow)
        document.changed.connect(self._on_project_changed)
        document.restarted.connect(self._on_restarted)
        session.changed.connect(self._on_view_changed)
        showing.changed.connect(self._on_shown)

    # What there is

    @property
    def pose(self) -> Pose | None:
        """The pose that is seen: the one being made, else the take's."""
        for one in (self._made, self._pending):
            if one is not None:
                return one.pose
        if self._waiting is not None:
            return self._waiting
        place = self.place
        return None if place is None else place.seen

    @property
    def place(self) -> Place | None:
        """Where a pose would be made."""
        if self._place is not None:
            return self._place
        shown, view = self._showing.current, self._session.view
        if shown is None:
            return None
        # The clip too: a copy of another has the very same stages.
        others = tuple(places.stands_in() for places in self._other_places)
        frame = shown.frame_at(view.time_s)
        key = (shown.clip.id, shown.stages, shown.clip.layers, shown.place, view.layer, frame, others)
        if key != self._seen_key:
            found = (place for places in self._other_places if (place := places.find(shown, view)) is not None)
            self._seen_key, self._known = key, next(found, None) or place_of(shown, view.layer, view.time_s)
        return self._known

    def add_places(self, places: PosePlaces) -> None:
        """Let poses of another kind be made too, where there are such."""
        self._other_places.append(places)
        places.changed.connect(self._on_places_changed)

    @property
    def _something_stands_in(self) -> bool:
        return any(places.stands_in() for places in self._other_places)

    def _on_places_changed(self) -> None:
        self.drop()
        self.changed.emit()
        self.posed.emit()

    @property
    def stand_in(self) -> StandIn | None:
        """What views draw instead of the take, so that nothing lags behind the hand; None: the take."""
        place = self.place
        if (self._made or self._pending or self._waiting) is None and (
            self._asleep or place is None or not place.stands_in
        ):
            return None
        pose = self.pose
        assert pose is not None
        held = place if place is not None and place.stands_in else self._place
        before = None if held is None or held.unposed is None else held.unposed.world
        return StandIn(pose.world, before)

    def ghost(self) -> WorldPose | None:
        """How the figure stands here without the poses that act on it; None where none does."""
        place = None if self._asleep else self.place
        return None if place is None or place.ghost is None else place.ghost.world

    @property
    def is_busy(self) -> bool:
        """Whether a gesture is going on."""
        return self._start is not None

    @property
    def is_pending(self) -> bool:
        """Whether there is a pose that is shown and not kept."""
        return self._pending is not None

    @property
    def joint(self) -> int | None:
        """The joint that is posed: the first of the selected ones, else the pelvis."""
        pose, refs = self.pose, self._session.view.joints
        if pose is None:
            return None
        found = pose.skeleton.resolve(refs[0]) if refs else None
        pelvis = pose.skeleton.joint(Role.PELVIS)
        return found if found is not None else (0 if pelvis is None else pelvis)

    def part(self, joint: int) -> str:
        """What the user calls a joint's part of the body."""
        pose = self.pose
        return "" if pose is None else part_called(pose.skeleton.ref(joint))

    def select(self, joint: int) -> None:
        """Select a joint alone."""
        if (pose := self.pose) is not None:
            self._session.look(joints=(pose.skeleton.ref(joint),))

    # How it is done

    @property
    def axes(self) -> Axes:
        """Whose axes joints are turned and moved along."""
        return self._axes

    def set_axes(self, axes: Axes) -> None:
        self._axes = axes
        self.changed.emit()

    @property
    def auto_key(self) -> bool:
        """Whether a pose is kept as soon as the hand lets go."""
        return self._auto_key

    def set_auto_key(self, on: bool) -> None:
        self._auto_key = on
        if on:
            self.keep()
        self.changed.emit()

    @property
    def grounded(self) -> bool:
        """Whether feet stay planted: as the edit that takes poses here has it, else as a new one will."""
        place = self.place
        known = None if place is None else place.grounded
        return self._grounded if known is None else known

    def set_grounded(self, on: bool) -> None:
        """Keep feet on the ground, or only turn joints, in the edit that takes poses here and in new ones."""
        self._grounded = on
        place = self.place
        if place is not None and place.grounded is not None and place.grounded != on:
            self.drop()
            command, arguments = place.ground(on)
            self._document.do(command, *arguments)
        self.changed.emit()

    @property
    def is_asleep(self) -> bool:
        """Whether nothing can be posed now, since the clip plays."""
        return self._asleep

    def set_asleep(self, asleep: bool) -> None:
        if asleep != self._asleep:
            self._asleep = asleep
            self.changed.emit()
            if self._something_stands_in:
                self.posed.emit()

    # Pins

    @property
    def pinned(self) -> tuple[int, ...]:
        """The joints that are held: what touches the ground, unless the user said otherwise."""
        place, shown = self.place, self._showing.current
        if place is None or shown is None:
            return ()
        frame = min(place.frame, shown.take.motion.frames - 1)
        return self._pins.joints(shown.take.motion.skeleton, shown.take, frame)

    def toggle_pin(self, joint: int) -> None:
        """Pin a joint, or let it go, from now on at every frame."""
        pose = self.pose
        if pose is None or not can_pin(pose.skeleton, joint):
            self.said.emit("Hands, feet, pelvis, chest and head can be pinned; this joint cannot.")
            return
        self._pins.set(pose.skeleton.ref(joint), joint not in self.pinned)
        self.changed.emit()

    def pins(self, pose: Pose) -> tuple[Pin, ...]:
        """The pins, which hold joints where they are in a pose."""
        return tuple(Pin.of(pose, joint) for joint in self.pinned)

    # A gesture

    def begin(self) -> Pose | None:
        """Take hold of the figure. -> the pose to work from; None where there is none."""
        place = self.place
        if place is None or self._start is not None:
            return None
        self.began.emit()
        self._is_ours = True
        if abs(place.shown_s - self._session.view.time_s) > 1e-9:
            self._session.look(time_s=place.shown_s)
        self._is_ours = False
        self._place = place
        # What was kept a moment ago may not be worked out yet.
        if self._pending is None:
            self._start = self._seen = self._waiting or place.seen
        else:
            self._start = self._pending.pose
        return self._start

    def show(self, pose: Pose, what: str) -> None:
        """Show a pose in the gesture. what : the words for it, "Move left hand"."""
        if self._place is None or self._start is None:
            return
        self._made = _Made(pose, what)
        if not self._follow.isActive():
            self._follow.start()
        self.posed.emit()

    def finish(self, merge: str | None = None) -> bool:
        """Let go. -> whether a step was made: not where the figure is as it was. merge : as of `Document.do`."""
        made, start = self._made, self._start
        if made is None or start is None or made.pose.is_same_as(start):
            self.cancel()
            return False
        self._follow.stop()
        self._start = self._made = None
        if not self._auto_key:
            self._pending = made
            self._try(made)
            self.changed.emit()
            return False
        return self._commit(made, merge=merge)

    def cancel(self) -> None:
        """Put back what the gesture did."""
        if self._start is None:
            return
        self._follow.stop()
        had, self._start, self._made = self._made is not None, None, None
        if self._pending is not None:
            self._try(self._pending)
        elif had:
            self._quietly_cancel()
        self._leave()

    def apply(self, pose: Pose, what: str, merge: str | None = None) -> bool:
        """A gesture of one step. -> whether a step was made. merge : as of `Document.do`."""
        if self.begin() is None:
            return False
        self.show(pose, what)
        return self.finish(merge)

    # A pose that is not kept yet

    def keep(self) -> bool:
        """Keep what is pending. -> whether there was something."""
        made, self._pending = self._pending, None
        return made is not None and self._commit(made)

    def drop(self) -> None:
        """Forget what is pending."""
        if self._pending is not None and self._start is None:
            self._pending = None
            self._quietly_cancel()
            self._leave()
            self.changed.emit()

    # Whole poses

    def mirror(self) -> None:
        """Exchange left and right at this frame."""
        if (pose := self.pose) is not None:
            self.apply(mirrored(pose), "Mirror pose")

    def copy(self) -> None:
        """Remember the pose that is seen, or the selected joints of it."""
        pose, refs = self.pose, self._session.view.joints
        if pose is None:
            return
        self._copied = _Copied(pose, refs or None)
        what = "the whole pose" if not refs else part_called(refs[0]) if len(refs) == 1 else f"{len(refs)} joints"
        self.said.emit(f"Copied {what}. Ctrl+V pastes it at another frame or clip.")
        self.changed.emit()

    @property
    def can_paste(self) -> bool:
        return self._copied is not None

    def paste(self) -> None:
        """Put what was copied on the figure that is shown, at this frame."""
        pose, copied = self.pose, self._copied
        if pose is None or copied is None:
            self.said.emit("Nothing was copied yet: Ctrl+C copies the pose that is shown.")
            return
        whole = pasted(copied.pose, pose)
        if copied.joints is None:
            self.apply(whole, "Paste pose")
            return
        joints = [joint for ref in copied.joints if (joint := pose.skeleton.resolve(ref)) is not None]
        rotations = np.array(pose.local_rotations)
        rotations[joints] = whole.local_rotations[joints]
        self.apply(pose.with_rotations(rotations, whole.root_position if 0 in joints else None), "Paste joints")

    def add(self) -> None:
        """Keep what is pending; else hold the figure as it is seen here, whatever poses come beside it."""
        if self._pending is not None:
            self.keep()
            return
        place = self.place
        if place is not None and place.refusal is not None:
            self.said.emit(place.refusal)
        if not isinstance(place, TargetPlace):
            return
        self.began.emit()
        self._place = place
        self._commit(_Made(place.seen, "Hold pose"), place.keeping(place.held(), "Hold pose", self._grounded))

    # How

    def _on_follow(self) -> None:
        """Let the document follow the hand."""
        if self._made is not None:
            self._try(self._made)

    def _try(self, made: _Made) -> None:
        """Show a pose by what the document would become."""
        place = self._place
        assert place is not None
        self._is_ours = True
        try:
            command, arguments = place.kept(made.pose, self._seen or place.seen, made.what, self._grounded)
            self._document.preview(command, *arguments)
        finally:
            self._is_ours = False

    def _commit(self, made: _Made, call: Call | None = None, merge: str | None = None) -> bool:
        """Make a pose a step, and select the edit that holds it, so that what is edited is what is shown. call : what
        keeps it, if not as usual.
        """
        place, self._place = self._place, None
        assert place is not None
        clip = self._document.committed.clip(place.clip)
        known = {layer.id for layer in clip.layers}
        self._is_ours = True
        self._waiting = made.pose
        try:
            seen = self._seen or place.seen
            command, arguments = call or place.kept(made.pose, seen, made.what, self._grounded)
            did = self._document.do(command, *arguments, merge=merge)
            now = self._document.project.clip(place.clip)
            layer = place.layer or next((one.id for one in now.layers if one.id not in known), None)
            if layer is None and now.layers:
                layer = now.layers[-1].id
            if did and self._session.view.layer != layer:
                self._session.look(layer=layer)
        finally:
            self._is_ours = False
            self._seen = None  # the next pose may be another body's
        self._settle()
        self.posed.emit()
        self.changed.emit()
        return did

    def _quietly_cancel(self) -> None:
        self._is_ours = True
        self._document.cancel()
        self._is_ours = False

    def _leave(self) -> None:
        """Nothing is being made any more, unless something is pending."""
        if self._pending is None:
            self._place = self._seen = None
        self._settle()
        self.posed.emit()

    def _forget(self) -> None:
        """Somebody else changed what we were at."""
        self._follow.stop()
        was_pending = self._pending is not None
        self._start = self._made = self._pending = self._waiting = self._place = self._seen = None
        self.posed.emit()
        if was_pending:
            self.changed.emit()

    def _settle(self) -> None:
        """Show the take again once it is worked out."""
        place, shown = self.place, self._showing.current
        if self._waiting is None or self._start is not None or self._is_ours:
            return
        if place is None or shown is None or place.frame >= shown.take.motion.frames:
            self._waiting = None
            return
        if not self._showing.is_late:
            self._waiting = None

    def _on_project_changed(self, *_: object) -> None:
        if not self._is_ours and (self._start or self._pending or self._waiting) is not None:
            self._forget()

    def _on_restarted(self) -> None:
        self._seen_key, self._known = (), None

    def _on_view_changed(self, before: View, after: View) -> None:
        if before.clip != after.clip:
            self._pins.clear()
        if self._is_ours:
            return
        if (before.clip, before.time_s, before.layer) == (after.clip, after.time_s, after.layer):
            return
        if self._pending is not None and self._start is None:
            self.drop()
        elif self._waiting is not None or self._something_stands_in:
            self._waiting = None
            self.posed.emit()

    def _on_shown(self) -> None:
        waited = self._waiting is not None
        self._settle()
        if self._something_stands_in or (waited and self._waiting is None):
            self.posed.emit()
