"""The evaluator: from a project and a clip to the take after any of its edits, cached within a byte budget.

What a stage was made of is its key: the stage before it, the edit and its scope, and the takes of other clips and the
ground that it looked at. A stage is the same object as long as its key is the same; so a change re-runs the edit
that changed and those after it, undoing it finds what was there, and a rename re-runs nothing but what tells the name.
What is derived from takes is kept beside them, as long as they are. Safe to use from several threads. It knows nothing
of Qt.
"""

import threading
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ParamSpec, TypeVar

import numpy as np

from editor.stack.cache import Cache, Kept
from editor.stack.context import Deriving, Progress, StageContext, Surroundings
from editor.stack.inherited import finite, inherited, within
from editor.stack.sizes import arrays_in, bytes_beyond
from model.clip import Clip, Edit, Layer, Source, Take, Unknown
from model.contacts import Contacts
from model.limits import MOST_STAGE_BYTES
from model.measures import step_number
from model.motion import Motion, rest_motion
from model.project import Project
from model.skeleton import Skeleton
from model.time_map import IDENTITY_MAP, TimeMap

_DEFAULT_BUDGET = 1 << 30
# So many clips may be made of each other one below the other; each takes its share of Python's stack.
_DEEPEST = 100
# Where stages hold more than this, none but the last keeps where its joints are in the world.
_PLENTY = 256 << 20
_FULL = f"need more than {MOST_STAGE_BYTES >> 30} GB of memory together"
_FULL_HERE = f"the edits before this one {_FULL}. Switch some off, or trim the clip first."
_NO_MEMORY = "there is not enough memory for this. Trim the clip, or close other programs."
_P = ParamSpec("_P")
_T = TypeVar("_T")
Names = Mapping[str, str]  # of clips, by their ids


class SourceError(ValueError):
    """A clip whose source gives no take; says why."""


class _TooDeepError(SourceError):
    """A clip that is made of too many others, one below the other."""


class _TooLargeError(SourceError):
    """A clip that is made of others which together need too much memory."""


class _NotKnownError(Exception):
    """A stage that is not cached, where none may be computed."""


@dataclass(frozen=True, eq=False)
class Stage:
    """What a clip is after some of its edits. time_map : from the source's time to the take's own; notes : what the
    last edit wants the user to know; failed : whether it could not be done, and the take is the one before; marks :
    what it tells of single moments of the source, in words; steps : those of the source, where its time counts steps;
    names : other clips and what they were called when the notes were made, as far as these may tell of them.
    """

    take: Take
    time_map: TimeMap = IDENTITY_MAP
    notes: tuple[str, ...] = ()
    failed: bool = False
    marks: tuple[tuple[float, str], ...] = ()
    steps: "Steps | None" = None
    names: tuple[tuple[str, str], ...] = ()


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


class Evaluator:
    """Evaluates clips and caches what it found."""

    def __init__(self, budget_bytes: int = _DEFAULT_BUDGET) -> None:
        self._cache = Cache(budget_bytes)
        self._lock = threading.Lock()
        self.runs = 0  # how many sources and edits were evaluated, for those who want to see the cache at work

    @property
    def size(self) -> int:
        """The bytes cached."""
        return self._cache.size

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
        walk = _Walk(project, self._computed, self._derived)
        return walk.stages(project.clip(clip_id), progress or _ignore, edits, (clip_id,))

    def known(self, project: Project, clip_id: str) -> tuple[Stage, ...] | None:
        """The clip's stages, if all are cached. It never computes and never waits for those who do."""
        try:
            walk = _Walk(project, self._looked_up, self._derived)
            return walk.stages(project.clip(clip_id), _ignore, None, (clip_id,))
        except (_NotKnownError, ValueError):
            return None

    def is_same_work(self, clip_id: str, one: Project, other: Project) -> bool:
        """Whether evaluating a clip in two projects is the same work: all its stages have the same keys. Names are not
        among these; see `known` for whether the result holds in both.
        """
        stages: dict[Hashable, Stage] = {}

        def stand_in(key: Hashable, *_: object) -> Stage:
            return stages.setdefault(key, Stage(replace(_NOBODY)))

        try:
            walks = [_Walk(project, stand_in, self._derived) for project in (one, other)]
            first, second = (
                walk.stages(project.clip(clip_id), _ignore, None, (clip_id,))
                for walk, project in zip(walks, (one, other), strict=True)
            )
        except ValueError:
            return False
        return first == second

    def derived(self, work: Callable[_P, _T], *arguments: _P.args, **named: _P.kwargs) -> _T:
        """What a pure function makes of takes or motions and hashable values. It is computed once and kept as long as
        the stages with these takes are, within the budget; of other takes it is not kept.
        """
        return self._derived(_nothing, work, *arguments, **named)

    def known_derived(self, work: Callable[_P, _T], *arguments: _P.args, **named: _P.kwargs) -> _T | None:
        """As `derived`, but None where it would have to be computed."""
        kept = self._cache.find(_derived_key(work, arguments, named))
        return None if kept is None else kept.value

    def forget_all(self) -> None:
        """Forget everything, and what is being computed now."""
        self._cache.forget_all()

    def _derived(
        self, waits: Callable[[], None], work: Callable[_P, _T], *arguments: _P.args, **named: _P.kwargs
    ) -> _T:
        made_of = tuple(one for one in (*arguments, *named.values()) if isinstance(one, Take | Motion))
        assert made_of, "what is derived from no take is nobody's to forget"

        def make() -> Kept:
            value = work(*arguments, **named)
            return Kept(value, bytes_beyond(value, made_of), made_of)

        value: _T = self._cache.computed(_derived_key(work, arguments, named), make, waits)
        return value

    def _looked_up(self, key: Hashable, parents: Sequence[Stage], names: Names, *_: object) -> Stage:
        """The stage of this key. Raises _NotKnownError where it is not cached."""
        kept = self._cache.find(key, lambda stage: _tells(stage, names))
        if kept is None:
            raise _NotKnownError
        stage: Stage = kept.value
        return stage

    def _computed(
        self, key: Hashable, parents: Sequence[Stage], names: Names, work: "_Work", progress: Progress
    ) -> Stage:
        """The stage of this key, evaluated where it is not cached, by one thread at a time."""

        def make() -> Kept:
            progress(0.0)
            stage = work(progress)
            with self._lock:
                self.runs += 1
            size = bytes_beyond(stage.take, [one.take for one in parents])
            return Kept(stage, size, tuple(parents), (stage, stage.take, stage.take.motion))

        stage: Stage = self._cache.computed(key, make, lambda: progress(0.0), lambda stage: _tells(stage, names))
        return stage


_Work = Callable[[Progress], Stage]
_Find = Callable[[Hashable, Sequence[Stage], Names, _Work, Progress], Stage]
_Used = tuple[tuple[str, Stage | None], ...]


class _Walk:
    """One way through a clip and those that it is made of, each of which is gone through once.

    find : gives the stage of a key; told what it is made of, what the clips are called that it is made of, and how to
    compute it. derive : gives derived values to sources and edits.
    """

    def __init__(self, project: Project, find: _Find, derive: Deriving) -> None:
        self._project = project
        self._find = find
        self._derive = derive
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
        takes, around = _takes(used), self._around(used, source.uses_ground())
        key = (source, takes, around.ground)
        return self._find(key, _known(used), around.names, lambda tell: _made(source, around, tell, name), progress)

    def _edited(self, before: Stage, layer: Layer, used: _Used, progress: Progress) -> Stage:
        """What a layer makes of a stage."""
        assert isinstance(layer.edit, Edit)
        if self._is_full:
            return self._find((before, _FULL_HERE), (before,), {}, lambda _: _passed_over(before, _FULL_HERE), progress)
        takes, around = _takes(used), self._around(used, layer.edit.uses_ground())
        key = (before, layer.edit, layer.scope, takes, around.ground)
        parents = (before, *_known(used))
        return self._find(key, parents, around.names, lambda tell: _edited(before, layer, around, tell), progress)

    def _around(self, used: _Used, uses_ground: bool) -> Surroundings:
        names = {one: self._project.clip(one).name for one, _ in used if one in self._project}
        ground = self._project.ground if uses_ground else None
        return Surroundings(dict(_takes(used)), names, ground, self._derive)

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


def _made(source: Source, around: Surroundings, progress: Progress, name: str) -> Stage:
    """The first stage of a clip."""
    context = StageContext(around, progress)
    try:
        take = finite(source.make(context))
    except (ValueError, ArithmeticError) as error:
        raise SourceError(f"{name!r}: {error}") from error
    except MemoryError as error:
        raise SourceError(f"{name!r}: {_NO_MEMORY}") from error
    steps = None
    if source.step_s is not None:
        steps = Steps(source.step_s, float(context.clock.inverse()(take.motion.duration_s)))
    return Stage(take, context.clock, tuple(context.notes), steps=steps, names=tuple(context.names_read.items()))


def _edited(before: Stage, layer: Layer, around: Surroundings, progress: Progress) -> Stage:
    """What an edit makes of a stage; the stage's take itself where the edit cannot be done."""
    edit, scope, take = layer.edit, layer.scope, before.take
    assert isinstance(edit, Edit)
    steps = before.steps
    context = StageContext(around, progress, scope.strength, before.time_map, None if steps is None else steps.step_s)
    try:
        time_map = edit.time_map(take, context)
        after = edit.apply(take, context)
        if edit.reach == "pose" and not scope.is_everything:
            times = context.to_source(np.arange(float(take.motion.frames)) * take.motion.frame_time_s)
            after = within(take, after, scope.weights(times), scope.joints_of(take.motion.skeleton))
        after = inherited(take, finite(after), time_map)
    except (ValueError, ArithmeticError) as error:
        return _passed_over(before, str(error), context)
    except MemoryError:
        return _passed_over(before, _NO_MEMORY, context)
    meant = edit.moments_s() if scope.start_s is None else (*edit.moments_s(), scope.start_s)
    notes = tuple(context.notes)
    if steps is not None and (gone := steps.gone(meant)):
        notes += (f"The walk ends in step {steps.last}, {gone}. What was done there comes back with a longer walk.",)
    return Stage(
        after, before.time_map.then(time_map), notes, marks=tuple(context.marks), steps=steps,
        names=tuple(context.names_read.items()),
    )  # fmt: skip


def _passed_over(before: Stage, reason: str, context: StageContext | None = None) -> Stage:
    """What an edit that cannot be done leaves of a stage: its take, and why. context : in which it was tried."""
    names = () if context is None else tuple(context.names_read.items())
    return Stage(before.take, before.time_map, (reason,), failed=True, steps=before.steps, names=names)


def _bytes_held(stage: Stage, before: Stage | None) -> int:
    """How much memory a stage needs beyond the one before it, whether or not views have asked where its joints are."""
    known = {} if before is None else arrays_in(*_lasting(before))
    return sum(array.nbytes for key, array in arrays_in(*_lasting(stage)).items() if key not in known)


def _lasting(stage: Stage) -> tuple[object, ...]:
    """What a stage holds for good."""
    motion = stage.take.motion
    arrays = (motion.root_positions, motion.local_rotations, motion.local_offsets)
    return *arrays, motion.origin, stage.take.reports, stage.time_map


def _tells(stage: Stage, names: Names) -> bool:
    """Whether what a stage tells of other clips holds by what these are called now."""
    return all(names.get(clip_id, clip_id) == name for clip_id, name in stage.names)


def _derived_key(work: object, arguments: tuple[object, ...], named: dict[str, object]) -> Hashable:
    return work, arguments, tuple(sorted(named.items()))


def _ignore(fraction: float) -> None:
    pass


def _nothing() -> None:
    pass


# What stands for a take where nothing is evaluated.
_NOBODY = Take(rest_motion(Skeleton(("nobody",), (-1,), np.zeros((1, 3))), frames=0), Contacts(0, {}, 0.0))
