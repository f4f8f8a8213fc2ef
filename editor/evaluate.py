"""The evaluator: from a project and a clip to the take after any of its edits, remembered within a byte budget.

What a stage was made of is its key: the stage before it, the edit and its scope, and the takes of other clips that it
looked at. A stage is the same object as long as its key is the same; so a change re-runs the edit that changed and
those after it, undoing it finds what was there, and a rename re-runs nothing. Safe to use from several threads. It
knows nothing of Qt.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from model.arrays import Array
from model.clip import Cancelled, Clip, Edit, Layer, Source, Take, Unknown
from model.contacts import Mask
from model.project import Project
from model.scope import blended_contacts, blended_motion
from model.time_map import IDENTITY_MAP, TimeMap

_DEFAULT_BUDGET = 1 << 30
Progress = Callable[[float], None]


class SourceError(ValueError):
    """A clip whose source gives no take; says why."""


@dataclass(frozen=True, eq=False)
class Stage:
    """What a clip is after some of its edits. time_map : from the source's time to the take's own; notes : what the
    last edit wants the user to know; failed : whether it could not be done, and the take is the one before.
    """

    take: Take
    time_map: TimeMap = IDENTITY_MAP
    notes: tuple[str, ...] = ()
    failed: bool = False


@dataclass(eq=False)
class _Entry:
    """A remembered stage, with the keys of what was made of it."""

    stage: Stage
    size: int
    dependents: set[Hashable] = field(default_factory=set)


class Evaluator:
    """Evaluates clips and remembers what it found."""

    def __init__(self, budget_bytes: int = _DEFAULT_BUDGET) -> None:
        self._budget = budget_bytes
        self._entries: OrderedDict[Hashable, _Entry] = OrderedDict()
        self._keys: dict[Stage, Hashable] = {}
        self._size = 0
        self._running: dict[Hashable, threading.Event] = {}
        self._lock = threading.Lock()
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
        return self._stages(project, project.clip(clip_id), progress or _ignore, edits, (clip_id,))

    def known(self, project: Project, clip_id: str) -> tuple[Stage, ...] | None:
        """The clip's stages, if all are remembered and nothing need be worked out."""

        def give_up(fraction: float) -> None:
            raise Cancelled

        try:
            return self._stages(project, project.clip(clip_id), give_up, None, (clip_id,))
        except (Cancelled, ValueError):
            return None

    def _stages(
        self,
        project: Project,
        clip: Clip,
        progress: Progress,
        edits: int | None,
        above: tuple[str, ...],
    ) -> tuple[Stage, ...]:
        """As `stages`; above : the clips that are being worked out, this one last."""
        if isinstance(clip.source, Unknown):
            raise SourceError(f"{clip.name!r} comes from {clip.source.kind!r}, which this version does not know")
        layers = clip.layers if edits is None else clip.layers[:edits]
        parts = 1 + len(layers)

        def used(ids: Iterable[str]) -> tuple[tuple[str, Take | None], ...]:
            return tuple((one, self._used(project, one, progress, above)) for one in ids)

        def portion(done: int) -> Progress:
            return lambda fraction: progress((done + min(max(fraction, 0.0), 1.0)) / parts)

        source = clip.source
        takes = used(source.clips_used())
        stage = self._remembered(
            (source, takes), None, lambda tell: _made(source, dict(takes), tell, clip.name), portion(0)
        )
        stages = [stage]
        for place, layer in enumerate(layers):
            if layer.acts:
                assert isinstance(layer.edit, Edit)
                stage = self._edited(stage, layer, used(layer.edit.clips_used()), portion(place + 1))
            stages.append(stage)
        return tuple(stages)

    def _edited(
        self, before: Stage, layer: Layer, takes: tuple[tuple[str, Take | None], ...], progress: Progress
    ) -> Stage:
        """What a layer makes of a stage."""
        return self._remembered(
            (before, layer.edit, layer.scope, takes),
            before,
            lambda tell: _edited(before, layer, dict(takes), tell),
            progress,
        )

    def _used(self, project: Project, clip_id: str, progress: Progress, above: tuple[str, ...]) -> Take | None:
        """The finished take of another clip, None where it cannot be had."""
        if clip_id in above or clip_id not in project:
            return None
        try:
            clip = project.clip(clip_id)
            return self._stages(project, clip, lambda _: progress(0.0), None, (*above, clip_id))[-1].take
        except SourceError:
            return None

    def _remembered(
        self, key: Hashable, before: Stage | None, work: Callable[[Progress], Stage], progress: Progress
    ) -> Stage:
        """The stage of this key, worked out where it is not remembered, by one thread at a time."""
        while True:
            with self._lock:
                entry = self._entries.get(key)
                if entry is not None:
                    self._entries.move_to_end(key)
                    return entry.stage
                running = self._running.get(key)
                if running is None:
                    mine = self._running[key] = threading.Event()
                    break
            while not running.wait(0.05):
                progress(0.0)
        try:
            progress(0.0)
            stage = work(progress)
            with self._lock:
                self.runs += 1
                self._remember(key, before, stage)
            return stage
        finally:
            with self._lock:
                del self._running[key]
            mine.set()

    def _remember(self, key: Hashable, before: Stage | None, stage: Stage) -> None:
        """Keep a stage, and forget those not used for longest where that is too much."""
        size = _bytes_beyond(stage.take, None if before is None else before.take)
        if before is not None:
            above = self._entries.get(self._keys.get(before))
            if above is None:
                return  # what it was made of is forgotten already: nobody could find it again
            above.dependents.add(key)
        self._entries[key] = _Entry(stage, size)
        self._keys[stage] = key
        self._size += size
        while self._size > self._budget and len(self._entries) > 1:
            self._forget(next(iter(self._entries)))

    def _forget(self, key: Hashable) -> None:
        """Forget a stage and all that was made of it, for that can no longer be found."""
        entry = self._entries.pop(key, None)
        if entry is None:
            return
        self._size -= entry.size
        self._keys.pop(entry.stage, None)
        for dependent in entry.dependents:
            self._forget(dependent)


@dataclass
class _Context:
    """What a source or edit is given while it works; see `model.clip.Context`."""

    progress: Progress
    takes: Mapping[str, Take | None]
    strength: float = 1.0
    time_map: TimeMap = IDENTITY_MAP
    notes: list[str] = field(default_factory=list)

    def to_stage(self, source_times_s: Array | float) -> Array:
        return self.time_map(source_times_s)

    def to_source(self, stage_times_s: Array | float) -> Array:
        return self.time_map.inverse()(stage_times_s)

    def take_of(self, clip_id: str) -> Take:
        take = self.takes.get(clip_id)
        if take is None:
            raise ValueError(f"the clip {clip_id!r}, of which it is made, is gone, fails, or is made of this one")
        return take

    def note(self, text: str) -> None:
        self.notes.append(text)


def _made(source: Source, takes: Mapping[str, Take | None], progress: Progress, name: str) -> Stage:
    """The first stage of a clip."""
    context = _Context(progress, takes)
    try:
        take = source.make(context)
    except ValueError as error:
        raise SourceError(f"{name!r}: {error}") from error
    return Stage(take, notes=tuple(context.notes))


def _edited(before: Stage, layer: Layer, takes: Mapping[str, Take | None], progress: Progress) -> Stage:
    """What an edit makes of a stage; the stage's take itself where the edit cannot be done."""
    edit, scope, take = layer.edit, layer.scope, before.take
    assert isinstance(edit, Edit)
    context = _Context(progress, takes, scope.strength, before.time_map)
    try:
        time_map = edit.time_map(take, context)
        after = edit.apply(take, context)
        if edit.reach == "pose" and not scope.is_everything:
            times = context.to_source(np.arange(float(take.motion.frames)) * take.motion.frame_time_s)
            after = _within(take, after, scope.weights(times), scope.joints_of(take.motion.skeleton))
    except ValueError as error:
        return Stage(take, before.time_map, (str(error),), failed=True)
    return Stage(after, before.time_map.then(time_map), tuple(context.notes))


def _within(before: Take, after: Take, weights: Array, joints: Mask) -> Take:
    """What is left of an edit within its scope; the take before it where nothing is."""
    if after is before or not np.any(weights > 0.0) or not np.any(joints):
        return before
    return Take(
        blended_motion(before.motion, after.motion, weights, joints),
        blended_contacts(before.contacts, after.contacts, weights),
    )


def _bytes_beyond(take: Take, other: Take | None) -> int:
    """How much memory a take needs beyond another, with the world positions that views will ask for."""
    mine, theirs = _arrays(take), set() if other is None else {id(array) for array in _arrays(other)}
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
