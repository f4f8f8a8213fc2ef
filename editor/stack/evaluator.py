"""The evaluator: from a project and a clip to the take after any of its edits, remembered within a byte budget.

What a stage was made of is its key: the stage before it, the edit and its scope, and the takes of other clips and the
ground that it looked at. A stage is the same object as long as its key is the same; so a change re-runs the edit
that changed and those after it, undoing it finds what was there, and a rename re-runs nothing. Safe to use from
several threads. It knows nothing of Qt.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

import numpy as np

from model.arrays import Array
from model.clip import Clip, Edit, Layer, Source, Take, Unknown
from model.contacts import Mask
from model.ground import Ground
from model.limits import MOST_STAGE_BYTES
from model.measures import moment_in_words, step_number
from model.project import Project
from model.scope import blended_contacts, blended_motion
from model.time_map import IDENTITY_MAP, TimeMap

_DEFAULT_BUDGET = 1 << 30
# So many clips may be made of each other one below the other; each takes its share of Python's stack.
_DEEPEST = 100
# Where stages hold more than this, none but the last keeps where its joints are in the world.
_PLENTY = 256 << 20
_FULL = f"need more than {MOST_STAGE_BYTES >> 30} GB of memory together"
_FULL_HERE = f"the edits before this one {_FULL}. Switch some off, or trim the clip first."
_NO_MEMORY = "there is not enough memory for this. Trim the clip, or close other programs."
Progress = Callable[[float], None]


class SourceError(ValueError):
    """A clip whose source gives no take; says why."""


class _TooDeepError(SourceError):
    """A clip that is made of too many others, one below the other."""


class _TooLargeError(SourceError):
    """A clip that is made of others which together need too much memory."""


class _NotKnownError(Exception):
    """A stage that is not remembered, where none may be worked out."""


@dataclass(frozen=True, eq=False)
class Stage:
    """What a clip is after some of its edits. time_map : from the source's time to the take's own; notes : what the
    last edit wants the user to know; failed : whether it could not be done, and the take is the one before; marks :
    what it tells of single moments of the source, in words; steps : those of the source, where its time counts steps.
    """

    take: Take
    time_map: TimeMap = IDENTITY_MAP
    notes: tuple[str, ...] = ()
    failed: bool = False
    marks: tuple[tuple[float, str], ...] = ()
    steps: "Steps | None" = None


@dataclass(frozen=True)
class Steps:
    """The steps to which edits are anchored. step_s : how long each takes in the source's time; stop_s : when the last
    one ends.
    """

    step_s: float
    stop_s: float

    def gone(self, moments_s: Iterable[float]) -> str | None:
        """Which of the steps that edits mean are behind the end of the walk; None where it has them all."""
        beyond = sorted({step_number(one, self.step_s) for one in moments_s if one > self.stop_s + 1e-6})
        if not beyond:
            return None
        return f"step {beyond[0]} is gone" if len(beyond) == 1 else f"steps {beyond[0]} to {beyond[-1]} are gone"

    @property
    def last(self) -> int:
        """The number of the step in which the walk ends."""
        return step_number(self.stop_s, self.step_s)


@dataclass(eq=False)
class _Entry:
    """A remembered stage. parents : what it was made of; children : how many others were made of it."""

    stage: Stage
    size: int
    parents: "tuple[_Entry, ...]"
    children: int = 0


class Evaluator:
    """Evaluates clips and remembers what it found."""

    def __init__(self, budget_bytes: int = _DEFAULT_BUDGET) -> None:
        self._budget = budget_bytes
        self._entries: OrderedDict[Hashable, _Entry] = OrderedDict()
        self._by_stage: dict[Stage, _Entry] = {}
        self._size = 0
        self._running: dict[Hashable, threading.Event] = {}
        self._lock = threading.Lock()
        self._times_cleared = 0
        self.runs = 0  # how many sources and edits were worked out, for those who want to see the cache at work

    @property
    def size(self) -> int:
        """The bytes remembered."""
        return self._size

    def take(self, project: Project, clip_id: str, progress: Progress | None = None) -> Take:
        """The finished take of a clip."""
        return self.stages(project, clip_id, progress)[-1].take

    def stages(
        self, project: Project, clip_id: str, progress: Progress | None = None, edits: int | None = None
    ) -> tuple[Stage, ...]:
        """The clip's source and what it is after each of its edits, or after the first few.

        An edit that is switched off, or without effect by its scope, gives the stage before it once more.
        Raises ValueError for a clip that is not there and SourceError for one whose source fails; `progress` may
        raise Cancelled. An edit that fails is told by its stage, and passed over.
        """
        return _Walk(project, self._remembered).stages(project.clip(clip_id), progress or _ignore, edits, (clip_id,))

    def known(self, project: Project, clip_id: str) -> tuple[Stage, ...] | None:
        """The clip's stages, if all are remembered. It never works and never waits for those who do."""
        try:
            return _Walk(project, self._looked_up).stages(project.clip(clip_id), _ignore, None, (clip_id,))
        except (_NotKnownError, ValueError):
            return None

    def forget_all(self) -> None:
        """Forget everything, and what is being worked out now."""
        with self._lock:
            self._entries.clear()
            self._by_stage.clear()
            self._size = 0
            self._times_cleared += 1

    def _looked_up(self, key: Hashable, parents: Sequence[Stage], work: "_Work", progress: Progress) -> Stage:
        """The stage of this key. Raises _NotKnownError where it is not remembered."""
        with self._lock:
            stage = self._find(key)
        if stage is None:
            raise _NotKnownError
        return stage

    def _remembered(self, key: Hashable, parents: Sequence[Stage], work: "_Work", progress: Progress) -> Stage:
        """The stage of this key, worked out where it is not remembered, by one thread at a time."""
        while True:
            with self._lock:
                known = self._find(key)
                if known is not None:
                    return known
                running = self._running.get(key)
                if running is None:
                    mine = self._running[key] = threading.Event()
                    times_cleared = self._times_cleared
                    break
            while not running.wait(0.05):
                progress(0.0)
        try:
            progress(0.0)
            stage = work(progress)
            with self._lock:
                self.runs += 1
                if times_cleared == self._times_cleared:
                    self._remember(key, parents, stage)
            return stage
        finally:
            with self._lock:
                del self._running[key]
            mine.set()

    def _find(self, key: Hashable) -> Stage | None:
        """The stage of this key where it is remembered, which is now the one used last."""
        entry = self._entries.get(key)
        if entry is None:
            return None
        self._entries.move_to_end(key)
        return entry.stage

    def _remember(self, key: Hashable, parents: Sequence[Stage], stage: Stage) -> None:
        """Keep a stage, and forget others where that is too much: what nothing was made of, the longest unused first.

        What the new stage was made of is never forgotten for it. Where it does not fit beside that, it is not kept,
        unless it was made of nothing: the source of a clip is always kept, so that changing an edit does not need it
        again.
        """
        above = tuple(self._by_stage[one] for one in dict.fromkeys(parents) if one in self._by_stage)
        if len(above) < len(set(parents)):
            return  # what it was made of is forgotten already: nobody could find it again
        entry = _Entry(stage, _bytes_beyond(stage.take, [one.take for one in parents]), above)
        self._entries[key] = self._by_stage[stage] = entry
        self._size += entry.size
        for one in above:
            one.children += 1
        while self._size > self._budget:
            leaves = (one for one, other in self._entries.items() if not other.children and other is not entry)
            oldest = next(leaves, None)
            if oldest is None:
                if above:
                    self._forget(key)
                return
            self._forget(oldest)

    def _forget(self, key: Hashable) -> None:
        """Forget a stage that nothing was made of."""
        entry = self._entries.pop(key)
        del self._by_stage[entry.stage]
        self._size -= entry.size
        for one in entry.parents:
            one.children -= 1


_Work = Callable[[Progress], Stage]
_Find = Callable[[Hashable, Sequence[Stage], _Work, Progress], Stage]
_Used = tuple[tuple[str, Stage | None], ...]


class _Walk:
    """One way through a clip and those that it is made of, each of which is gone through once.

    find : gives the stage of a key; told what it is made of and how to work it out.
    """

    def __init__(self, project: Project, find: _Find) -> None:
        self._project = project
        self._find = find
        self._finals: dict[str, Stage | None] = {}
        self._held = 0  # bytes of all stages that it came through

    def stages(self, clip: Clip, progress: Progress, edits: int | None, above: tuple[str, ...]) -> tuple[Stage, ...]:
        """As `Evaluator.stages`; above : the clips that are being worked out, this one last."""
        if isinstance(clip.source, Unknown):
            raise SourceError(f"{clip.name!r} comes from {clip.source.kind!r}, which this version does not know")
        layers = clip.layers if edits is None else clip.layers[:edits]
        parts = 1 + len(layers)

        def portion(done: int) -> Progress:
            return lambda fraction: progress((done + min(max(fraction, 0.0), 1.0)) / parts)

        stage = self._made(clip.name, clip.source, self._used(clip.source.clips_used(), portion(0), above), portion(0))
        self._hold(stage)
        stages = [stage]
        for place, layer in enumerate(layers, start=1):
            if layer.acts:
                assert isinstance(layer.edit, Edit)
                used = self._used(layer.edit.clips_used(), portion(place), above)
                before, stage = stage, self._edited(stage, layer, used, portion(place))
                self._hold(stage, before)
            stages.append(stage)
        return tuple(stages)

    def _hold(self, stage: Stage, before: Stage | None = None) -> None:
        """Count a stage among what is held. before : what it was made of, which lets go of what can be had again
        where that is a lot.
        """
        self._held += _bytes_held(stage, before)
        if before is not None and stage.take.motion is not before.take.motion and self._held > _PLENTY:
            before.take.motion.forget_world()

    @property
    def _is_full(self) -> bool:
        return self._held > MOST_STAGE_BYTES

    def _made(self, name: str, source: Source, used: _Used, progress: Progress) -> Stage:
        """The first stage of a clip."""
        takes = _takes(used)
        ground = self._project.ground if source.uses_ground() else None
        return self._find(
            (source, takes, ground),
            _known(used),
            lambda tell: _made(source, dict(takes), self._names(used), ground, tell, name),
            progress,
        )

    def _edited(self, before: Stage, layer: Layer, used: _Used, progress: Progress) -> Stage:
        """What a layer makes of a stage."""
        assert isinstance(layer.edit, Edit)
        takes = _takes(used)
        ground = self._project.ground if layer.edit.uses_ground() else None
        if self._is_full:
            return self._find((before, _FULL_HERE), (before,), lambda _: _passed_over(before, _FULL_HERE), progress)
        return self._find(
            (before, layer.edit, layer.scope, takes, ground),
            (before, *_known(used)),
            lambda tell: _edited(before, layer, dict(takes), self._names(used), ground, tell),
            progress,
        )

    def _names(self, used: _Used) -> dict[str, str]:
        return {one: self._project.clip(one).name for one, _ in used if one in self._project}

    def _used(self, clip_ids: Iterable[str], progress: Progress, above: tuple[str, ...]) -> _Used:
        """Other clips, each with its last stage, None where it cannot be had."""
        return tuple((one, self._final(one, progress, above)) for one in clip_ids)

    def _final(self, clip_id: str, progress: Progress, above: tuple[str, ...]) -> Stage | None:
        if clip_id in above or clip_id not in self._project:
            return None
        if clip_id not in self._finals:
            progress(0.0)
            if len(above) >= _DEEPEST:
                name = self._project.clip(above[0]).name
                raise _TooDeepError(f"{name!r} is made of clips that are made of clips, too many deep")
            if self._is_full:
                name = self._project.clip(above[0]).name
                raise _TooLargeError(f"{name!r}: the clips that it is made of {_FULL}. Use fewer or shorter ones.")
            try:
                clip = self._project.clip(clip_id)
                self._finals[clip_id] = self.stages(clip, lambda _: progress(0.0), None, (*above, clip_id))[-1]
            except (_TooDeepError, _TooLargeError):
                raise
            except SourceError:
                self._finals[clip_id] = None
        return self._finals[clip_id]


def _takes(used: _Used) -> tuple[tuple[str, Take | None], ...]:
    return tuple((clip_id, None if stage is None else stage.take) for clip_id, stage in used)


def _known(used: _Used) -> tuple[Stage, ...]:
    return tuple(stage for _, stage in used if stage is not None)


@dataclass
class _Context:
    """What a source or edit is given while it works; see `model.clip.Context`."""

    progress: Progress
    takes: Mapping[str, Take | None]
    names: Mapping[str, str]
    strength: float = 1.0
    time_map: TimeMap = IDENTITY_MAP
    known_ground: Ground | None = None
    notes: list[str] = field(default_factory=list)
    marks: list[tuple[float, str]] = field(default_factory=list)
    step_s: float | None = None

    @property
    def ground(self) -> Ground:
        # What nobody said they would look at is not in the key, and its changes would not be seen.
        assert self.known_ground is not None, "who looks at the ground must say so by uses_ground"
        return self.known_ground

    def to_stage(self, source_times_s: Array | float) -> Array:
        return self.time_map(source_times_s)

    def to_source(self, stage_times_s: Array | float) -> Array:
        return self.time_map.inverse()(stage_times_s)

    def take_of(self, clip_id: str) -> Take:
        take = self.takes.get(clip_id)
        if take is None:
            raise ValueError(f"{self.name_of(clip_id)!r}, of which it is made, is gone, fails, or is made of this one")
        return take

    def name_of(self, clip_id: str) -> str:
        return self.names.get(clip_id, clip_id)

    def note(self, text: str) -> None:
        self.notes.append(text)

    def mark(self, time_s: float, text: str) -> None:
        self.marks.append((time_s, text))

    def moment(self, time_s: float) -> str:
        return moment_in_words(time_s, self.step_s)


def _made(
    source: Source, takes: Mapping[str, Take | None], names: Mapping[str, str], ground: Ground | None,
    progress: Progress, name: str,
) -> Stage:  # fmt: skip
    """The first stage of a clip."""
    context = _Context(progress, takes, names, known_ground=ground)
    try:
        take = _finite(source.make(context))
    except (ValueError, ArithmeticError) as error:
        raise SourceError(f"{name!r}: {error}") from error
    except MemoryError as error:
        raise SourceError(f"{name!r}: {_NO_MEMORY}") from error
    clock, steps = source.clock(take), None
    if source.step_s is not None:
        steps = Steps(source.step_s, float(clock.inverse()(take.motion.duration_s)))
    return Stage(take, clock, tuple(context.notes), steps=steps)


def _edited(
    before: Stage, layer: Layer, takes: Mapping[str, Take | None], names: Mapping[str, str], ground: Ground | None,
    progress: Progress,
) -> Stage:  # fmt: skip
    """What an edit makes of a stage; the stage's take itself where the edit cannot be done."""
    edit, scope, take = layer.edit, layer.scope, before.take
    assert isinstance(edit, Edit)
    steps = before.steps
    context = _Context(progress, takes, names, scope.strength, before.time_map, ground)
    context.step_s = None if steps is None else steps.step_s
    try:
        time_map = edit.time_map(take, context)
        after = edit.apply(take, context)
        if edit.reach == "pose" and not scope.is_everything:
            times = context.to_source(np.arange(float(take.motion.frames)) * take.motion.frame_time_s)
            after = _within(take, after, scope.weights(times), scope.joints_of(take.motion.skeleton))
        after = _with_ground(take, _with_extremes(take, _finite(after), time_map))
    except (ValueError, ArithmeticError) as error:
        return _passed_over(before, str(error))
    except MemoryError:
        return _passed_over(before, _NO_MEMORY)
    meant = edit.moments_s() if scope.start_s is None else (*edit.moments_s(), scope.start_s)
    notes = tuple(context.notes)
    if steps is not None and (gone := steps.gone(meant)):
        notes += (f"The walk ends in step {steps.last}, {gone}. What was done there comes back with a longer walk.",)
    return Stage(after, before.time_map.then(time_map), notes, marks=tuple(context.marks), steps=steps)


def _passed_over(before: Stage, reason: str) -> Stage:
    """What an edit that cannot be done leaves of a stage: its take, and why."""
    return Stage(before.take, before.time_map, (reason,), failed=True, steps=before.steps)


def _within(before: Take, after: Take, weights: Array, joints: Mask) -> Take:
    """What is left of an edit within its scope; the take before it where nothing is."""
    if after is before or not np.any(weights > 0.0) or not np.any(joints):
        return before
    return Take(
        blended_motion(before.motion, after.motion, weights, joints),
        blended_contacts(before.contacts, after.contacts, weights),
    )


def _with_extremes(before: Take, after: Take, time_map: TimeMap) -> Take:
    """The take after an edit with the extremes of the one before, where the edit has none of its own to say."""
    extremes = before.extremes
    own = after.extremes is not None and after.extremes is not extremes
    if after is before or extremes is None or own:
        return after
    return replace(after, extremes=extremes.through(time_map, after.motion.duration_s))


def _with_ground(before: Take, after: Take) -> Take:
    """The take after an edit on the ground of the one before, where the edit says nothing of it; floors that are lifted
    take what stands on them along.
    """
    if before.ground is None or after.ground is not None:
        return after
    lifted_m = after.contacts.ground_m - before.contacts.ground_m
    return replace(after, ground=before.ground.at_height(before.ground.height_m + lifted_m))


def _finite(take: Take) -> Take:
    """The take itself. Raises ValueError where it holds infinities, or numbers that are none."""
    motion = take.motion
    with np.errstate(all="ignore"):
        sums = [np.sum(array) for array in (motion.root_positions, motion.local_rotations, motion.local_offsets)]
    if not np.all(np.isfinite(sums)):
        raise ValueError("the result holds numbers that are none")
    return take


def _bytes_held(stage: Stage, before: Stage | None) -> int:
    """How much memory the motion and the map of time of a stage need beyond those of the one before it."""
    known = () if before is None else (*_arrays(before.take), before.time_map.before, before.time_map.after)
    ids = {id(array) for array in known}
    return sum(
        array.nbytes
        for array in (*_arrays(stage.take), stage.time_map.before, stage.time_map.after)
        if id(array) not in ids
    )


def _bytes_beyond(take: Take, others: Iterable[Take]) -> int:
    """How much memory a take needs beyond others, with the world positions that views will ask for."""
    mine, theirs = _arrays(take), {id(array) for array in chain.from_iterable(map(_arrays, others))}
    own = [array for array in mine if id(array) not in theirs]
    world = 7 * 8 * take.motion.frames * len(take.motion.skeleton) if own else 0
    return 2000 + world + sum(array.nbytes for array in own)


def _arrays(take: Take) -> list[Array]:
    motion = take.motion
    arrays = [motion.root_positions, motion.local_rotations, motion.local_offsets]
    if motion.origin is not None:
        arrays.append(motion.origin.channels)
    return arrays


def _ignore(fraction: float) -> None:
    pass
