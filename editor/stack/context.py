"""What sources and edits are given while they work, and what they tell meanwhile."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import ParamSpec, Protocol, TypeVar

from model.arrays import Array
from model.clip import Take
from model.ground import Ground
from model.measures import moment_in_words
from model.time_map import IDENTITY_MAP, TimeMap

_P = ParamSpec("_P")
_T = TypeVar("_T")
Progress = Callable[[float], None]


class Deriving(Protocol):
    """As `model.derived.Deriver`; waits : called again and again while another thread computes the value, may raise."""

    def __call__(
        self, waits: Callable[[], None], work: Callable[_P, _T], *arguments: _P.args, **named: _P.kwargs
    ) -> _T: ...


@dataclass(frozen=True, eq=False)
class Surroundings:
    """What is around a clip that is evaluated. takes, names : of the clips that are used, None for those that cannot
    be had; ground : None for who did not say that they look at it; derive : gives derived values.
    """

    takes: Mapping[str, Take | None]
    names: Mapping[str, str]
    ground: Ground | None
    derive: Deriving


@dataclass(eq=False)
class StageContext:
    """What a source or edit is given while it works; see `model.clip.Context`.

    notes, marks, clock : what it told; names_read : the names of other clips that it asked for, by their ids.
    """

    surroundings: Surroundings
    tell: Progress
    strength: float = 1.0
    time_map: TimeMap = IDENTITY_MAP
    step_s: float | None = None
    notes: list[str] = field(default_factory=list)
    marks: list[tuple[float, str]] = field(default_factory=list)
    clock: TimeMap = IDENTITY_MAP
    names_read: dict[str, str] = field(default_factory=dict)
    _fraction: float = 0.0

    @property
    def ground(self) -> Ground:
        # What nobody said they would look at is not in the key, and its changes would not be seen.
        assert self.surroundings.ground is not None, "who looks at the ground must say so by uses_ground"
        return self.surroundings.ground

    def to_stage(self, source_times_s: Array | float) -> Array:
        return self.time_map(source_times_s)

    def to_source(self, stage_times_s: Array | float) -> Array:
        return self.time_map.inverse()(stage_times_s)

    def take_of(self, clip_id: str) -> Take:
        take = self.surroundings.takes.get(clip_id)
        if take is None:
            raise ValueError(f"{self.name_of(clip_id)!r}, of which it is made, is gone, fails, or is made of this one")
        return take

    def name_of(self, clip_id: str) -> str:
        name = self.names_read[clip_id] = self.surroundings.names.get(clip_id, clip_id)
        return name

    def derived(self, work: Callable[_P, _T], *arguments: _P.args, **named: _P.kwargs) -> _T:
        return self.surroundings.derive(self._wait, work, *arguments, **named)

    def set_clock(self, clock: TimeMap) -> None:
        self.clock = clock

    def progress(self, fraction: float) -> None:
        self._fraction = fraction
        self.tell(fraction)

    def note(self, text: str) -> None:
        self.notes.append(text)

    def mark(self, time_s: float, text: str) -> None:
        self.marks.append((time_s, text))

    def moment(self, time_s: float) -> str:
        return moment_in_words(time_s, self.step_s)

    def _wait(self) -> None:
        """Hear whether the result is still wanted."""
        self.tell(self._fraction)
