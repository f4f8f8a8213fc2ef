"""The extremes of what is shown, as lanes, panel and viewport share them: measured on a worker, then picked at once.

What is measured is kept, so that a slider or a drag shows its effect without waiting for takes to be worked out: the
same functions give the same extremes as the edit itself will. Times are those of the take that is shown.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, QTimer, Signal

from editor.document.document import Document
from editor.document.jobs import Job, Jobs
from editor.document.session import Session, View
from editor.document.showing import Showing, Shown
from editor.extrema.commands import add_extreme, extreme_layer, move_extreme, pin_extreme, remove_extreme
from editor.extrema.correct import What
from editor.extrema.edit import ExtremePoses
from editor.extrema.find import ExtremaSettings, Measured, all_joints_measured, body_measured, selected
from editor.extrema.parts import WHOLE_BODY
from editor.stack.command import Command
from editor.stack.evaluator import Evaluator
from model.clip import Layer
from model.extremes import Extreme, Extremes
from model.motion import Motion
from model.time_map import TimeMap

_REST_MS = 150  # while a motion changes with every movement of a hand, it is not measured each time
_SAME_S = 1e-4


@dataclass(frozen=True, eq=False)
class Basis:
    """What extremes of the shown take are found in: a motion, the edit that says how, and the way of time.

    layer : the id of that edit, None where the clip has none that is seen; to_stage : from the source's time to the
    motion's; to_shown : from the motion's time to that of the shown take.
    """

    shown: Shown
    motion: Motion
    edit: ExtremePoses
    layer: str | None
    to_stage: TimeMap
    to_shown: TimeMap

    @property
    def key(self) -> "_Key":
        return _Key(self.motion, self.edit.settings)


@dataclass(frozen=True)
class _Key:
    """A motion, which is compared by identity, and how it is measured."""

    motion: Motion
    settings: ExtremaSettings
    joints: bool = False

    def measured(self, evaluator: Evaluator) -> tuple[Measured, ...]:
        """What is measured: one for each joint, or one for the body."""
        if self.joints:
            return evaluator.derived(all_joints_measured, self.motion, self.settings)
        return (evaluator.derived(body_measured, self.motion, self.settings),)

    def known(self, evaluator: Evaluator) -> tuple[Measured, ...] | None:
        """The same where somebody has measured it already."""
        if self.joints:
            return evaluator.known_derived(all_joints_measured, self.motion, self.settings)
        body = evaluator.known_derived(body_measured, self.motion, self.settings)
        return None if body is None else (body,)


class Extrema(QObject):
    """Extremes of the clip that is looked at, the one that is selected, and what hands do to them."""

    changed = Signal()  # the extremes, their measure, or why there are none
    marked = Signal()  # which one is selected

    def __init__(
        self, document: Document, session: Session, showing: Showing, jobs: Jobs, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._document, self._session, self._showing, self._jobs = document, session, showing, jobs
        self._known: dict[_Key, tuple[Measured, ...] | str] = {}  # of what is shown, what was measured or why not
        self._job: Job | None = None
        self._measuring: _Key | None = None
        self._wants_joints = False
        self._basis: Basis | None = None
        self._extremes: Extremes | None = None
        self._of_clip: str | None = None  # whose extremes are kept until new ones are found
        self._selected_s: float | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_REST_MS)
        self._timer.timeout.connect(self._measure)
        document.restarted.connect(self._on_restarted)
        showing.changed.connect(self._refresh)
        session.changed.connect(self._on_view_changed)
        self._refresh()

    # What there is

    @property
    def extremes(self) -> tuple[Extreme, ...]:
        """In the order of time; none where nothing is shown, or they are not known yet."""
        return () if self._extremes is None else self._extremes.found

    @property
    def is_known(self) -> bool:
        """Whether the extremes are those of what is shown, not of what was shown a moment ago."""
        return self.measured is not None

    @property
    def failure(self) -> str | None:
        """Why there are none."""
        known = None if self._basis is None else self._known.get(self._basis.key)
        return known if isinstance(known, str) else None

    @property
    def basis(self) -> Basis | None:
        return self._basis

    @property
    def edit(self) -> ExtremePoses:
        """The settings in use: those of the clip's edit, or the usual ones."""
        return ExtremePoses() if self._basis is None else self._basis.edit

    @property
    def measured(self) -> Measured | None:
        """The measure, in the time of the basis' motion."""
        known = None if self._basis is None else self._known.get(self._basis.key)
        return known[0] if isinstance(known, tuple) else None

    @property
    def selected(self) -> Extreme | None:
        at_s = self._selected_s
        return None if at_s is None else next((one for one in self.extremes if abs(one.time_s - at_s) < _SAME_S), None)

    def joint_extremes(self) -> tuple[Extremes, ...] | None:
        """Of every joint of the shown take; None while they are not known. Ask for them by `want_joints`."""
        basis = self._basis
        known = None if basis is None else self._known.get(_joint_key(basis))
        return tuple(selected(one, self.edit.level) for one in known) if isinstance(known, tuple) else None

    def want_joints(self, wanted: bool) -> None:
        """Find the extremes of joints as well, or no longer."""
        if wanted != self._wants_joints:
            self._wants_joints = wanted
            self._refresh()

    def count_at(self, level: float) -> int | None:
        """How many there would be at another level."""
        basis, measured = self._basis, self.measured
        if basis is None or measured is None:
            return None
        return len(replace(basis.edit, level=level).picked(measured, basis.to_stage).found)

    def set_by(self, one: Extreme) -> What | None:
        """What a hand has done to an extreme: added, moved or pinned it."""
        if not one.pinned or self._basis is None:
            return None
        at_s = self._to_source(one.time_s)
        near = [c for c in self.edit.corrections if c.puts_s is not None and abs(c.puts_s - at_s) < _SAME_S]
        if near and near[-1].what is What.MOVED and not self._was_found(near[-1].time_s):
            return What.ADDED  # and moved later
        return near[-1].what if near else What.PINNED

    def _was_found(self, source_s: float) -> bool:
        """Whether there is something extreme at a moment of the source, however little."""
        basis, measured = self._basis, self.measured
        if basis is None or measured is None:
            return False
        at_s, tolerance_s = float(basis.to_stage(source_s)), basis.edit.tolerance_s
        return any(one.is_near(at_s, tolerance_s) for one in selected(measured, 1.0).found if not one.is_end)

    def next(self, time_s: float, by: int) -> Extreme | None:
        """The next extreme after a moment, or for by < 0 the one before."""
        some = [one for one in self.extremes if (one.time_s - time_s) * by > _SAME_S]
        return None if not some else some[0] if by > 0 else some[-1]

    # What hands do

    def select(self, one: Extreme | None) -> None:
        at_s = None if one is None else one.time_s
        if at_s != self._selected_s:
            self._selected_s = at_s
            self.marked.emit()

    def go_to(self, one: Extreme) -> None:
        """Select an extreme and show its moment."""
        self.select(one)
        self._session.look(time_s=min(max(one.time_s, 0.0), self._showing.duration_s))

    def step(self, by: int) -> None:
        """Go to the next extreme, or for by < 0 to the one before."""
        if (one := self.next(self._session.view.time_s, by)) is not None:
            self.go_to(one)

    def add(self, time_s: float) -> None:
        """Say that the pose at a moment is extreme."""
        self._selected_s = time_s
        self._do(self._document.do, add_extreme, self._to_source(time_s))

    def remove(self, one: Extreme) -> None:
        self._selected_s = None
        self._do(self._document.do, remove_extreme, self._to_source(one.time_s))

    def pin(self, one: Extreme, pinned: bool) -> None:
        self._do(self._document.do, pin_extreme, self._to_source(one.time_s), pinned)

    def toggle_pin(self, one: Extreme) -> None:
        """Pin an extreme, or let it go. One that was added or moved by hand stays where it is anyway."""
        if self.set_by(one) in (None, What.PINNED):
            self.pin(one, not one.pinned)

    def put_back(self, one: Extreme) -> None:
        """Let an extreme that was moved be where it was found."""
        at_s = self._to_source(one.time_s)
        for correction in self.edit.corrections:
            if correction.to_s is not None and abs(correction.to_s - at_s) < _SAME_S:
                self._selected_s = self._to_shown(correction.time_s)
                self._do(self._document.do, move_extreme, correction.to_s, correction.time_s)
                return

    def move(self, one: Extreme, to_s: float, merge: str | None = None) -> None:
        """Move an extreme as one step; steps of the same name right after each other are one."""
        self._selected_s = to_s

        def do(command: Command, *arguments: object, **named: object) -> object:
            return self._document.do(command, *arguments, merge=merge, **named)

        self._do(do, move_extreme, self._to_source(one.time_s), self._to_source(to_s))

    def try_move(self, one: Extreme, to_s: float) -> None:
        """Show an extreme elsewhere, until `keep` or `drop`."""
        self._selected_s = to_s
        self._do(self._document.preview, move_extreme, self._to_source(one.time_s), self._to_source(to_s))

    def keep(self) -> None:
        """Make what is shown a step."""
        self._document.commit()

    def drop(self, one: Extreme) -> None:
        """Put an extreme back that was being moved."""
        self._selected_s = one.time_s
        self._document.cancel()
        self.marked.emit()

    # How

    def _do(self, do: Callable[..., object], command: Command, *arguments: object) -> None:
        basis = self._basis
        if basis is None or basis.shown.clip.id not in self._document.project:
            return
        layer, decides = self.changes(), extreme_layer(self._document.committed, basis.shown.clip.id)
        # It is named only where another one decides: so the first step, which makes the edit, merges with the next.
        named = {} if decides is None or layer == decides.id else {"layer": layer}
        do(command, basis.shown.clip.id, *arguments, **named)
        self.marked.emit()

    def changes(self) -> str | None:
        """The id of the edit that a change is for, None for a new one. What is changed is what is seen: the edit in
        use, or one that was switched off or comes later, which is then looked at.
        """
        basis, view, project = self._basis, self._session.view, self._document.committed
        if basis is None or basis.shown.clip.id not in project:
            return None
        clip = project.clip(basis.shown.clip.id)
        layer = extreme_layer(project, clip.id, basis.layer)
        if layer is None:
            return None
        ids = [one.id for one in clip.layers]
        if view.layer in ids and ids.index(layer.id) > ids.index(view.layer):
            self._session.look(layer=None)
        return layer.id

    def _to_source(self, shown_s: float) -> float:
        assert self._basis is not None
        return float(self._basis.shown.stage.time_map.inverse()(shown_s))

    def _to_shown(self, source_s: float) -> float:
        assert self._basis is not None
        return float(self._basis.shown.stage.time_map(source_s))

    def _on_restarted(self) -> None:
        self._known = {}

    def _on_view_changed(self, before: View, after: View) -> None:
        if (before.clip, before.layer) != (after.clip, after.layer):
            self._refresh()

    def _refresh(self, *_: object) -> None:
        """Show what is known, and ask for what is not."""
        shown = self._showing.current
        self._basis = None if shown is None or not shown.take.motion.frames else basis_of(shown, self._session.view)
        found = {key: self._known.get(key) or key.known(self._showing.evaluator) for key in self._wanted()}
        self._known = {key: one for key, one in found.items() if one is not None}
        basis, measured = self._basis, self.measured
        if basis is None:
            self._extremes, self._of_clip, self._selected_s = None, None, None
        else:
            if self._of_clip != basis.shown.clip.id:
                self._extremes, self._of_clip, self._selected_s = None, basis.shown.clip.id, None
            if measured is not None:
                self._extremes = _shown_extremes(basis, measured)
            elif self.failure is not None:
                self._extremes = None
            self._ask()
        self.changed.emit()

    def _ask(self) -> None:
        """Measure what is not known: at once where nothing is shown yet, else when hands rest."""
        if self._missing() is None:
            self._timer.stop()
        elif self._extremes is None and self._job is None:
            self._measure()
        else:
            self._timer.start()

    def _wanted(self) -> tuple[_Key, ...]:
        """What is to be measured of what is shown."""
        basis = self._basis
        if basis is None:
            return ()
        return (basis.key, _joint_key(basis)) if self._wants_joints else (basis.key,)

    def _missing(self) -> _Key | None:
        return next((key for key in self._wanted() if key not in self._known), None)

    def _measure(self) -> None:
        key = self._missing()
        if key is None or self._job is not None:
            return
        self._measuring = key
        evaluator = self._showing.evaluator
        self._job = self._jobs.start("Finding extremes", lambda tell: key.measured(evaluator))
        self._job.over.connect(self._on_over)

    def _on_over(self, job: Job) -> None:
        key, self._job, self._measuring = self._measuring, None, None
        assert key is not None
        if isinstance(job.result, tuple) or job.reason is not None:
            self._known[key] = job.result if isinstance(job.result, tuple) else str(job.reason)
            self._refresh()


def _shown_extremes(basis: Basis, measured: Measured) -> Extremes:
    picked, duration_s = basis.edit.picked(measured, basis.to_stage), basis.shown.take.motion.duration_s
    same = basis.to_shown.is_identity and duration_s == basis.motion.duration_s
    return picked if same else picked.through(basis.to_shown, duration_s)


def basis_of(shown: Shown, view: View) -> Basis:
    """What the extremes of a shown take are found in: the edit's, where one that acts is seen, else the take itself."""
    place, layer = _place_of_edit(shown, view)
    if layer is None or not isinstance(layer.edit, ExtremePoses):
        identity = TimeMap()
        return Basis(shown, shown.take.motion, ExtremePoses(), None, shown.stage.time_map, identity)
    stage = shown.stages[min(place, len(shown.stages) - 1)]
    to_shown = stage.time_map.inverse().then(shown.stage.time_map)
    return Basis(shown, stage.take.motion, layer.edit, layer.id, stage.time_map, to_shown)


def _place_of_edit(shown: Shown, view: View) -> tuple[int, Layer | None]:
    """The last of the edits that are seen which says what is extreme."""
    last = len(shown.clip.layers) - 1 if view.layer is None else shown.clip.place_of(view.layer)
    for place in range(last, -1, -1):
        layer = shown.clip.layers[place]
        if isinstance(layer.edit, ExtremePoses) and layer.acts:
            return place, layer
    return 0, None


def _joint_key(basis: Basis) -> _Key:
    """Joints are measured one by one in what is shown, whatever part of the body is looked at."""
    return _Key(basis.shown.take.motion, replace(basis.edit.settings, part=WHOLE_BODY), joints=True)


def told_counts(extremes: Iterable[Extreme]) -> str:
    """How many extremes there are besides the ends of the motion, in words; nothing where there are none."""
    some = [one for one in extremes if not one.is_end]
    holds = sum(one.is_hold for one in some)
    counts = ((len(some) - holds, "extreme"), (holds, "hold"))
    return ", ".join(f"{count} {name}{'' if count == 1 else 's'}" for count, name in counts if count)
