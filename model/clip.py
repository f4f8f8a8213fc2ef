"""What a clip is: a source, and edits stacked on it. What flows through them is a take.

Sources and edits are frozen dataclasses of plain values; their kinds are defined in `editor`. They are compared by
value, which is how the evaluator knows what it has computed before. All times in them are seconds of the *source*:
`context` leads from there to the stage that an edit works on. A source may have a clock of its own, on which every step
takes as long: so what was done to a step stays with it while the walk changes.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import Field, dataclass, field, fields
from typing import Any, ClassVar, ParamSpec, Protocol, TypeVar

from model.arrays import Array
from model.contacts import Contacts
from model.extremes import Extremes
from model.ground import Ground
from model.motion import Motion
from model.scope import EVERYTHING, Scope
from model.time_map import IDENTITY_MAP, TimeMap
from model.type_hints import fit_fields, require_finite

_P = ParamSpec("_P")
_T = TypeVar("_T")


@dataclass(frozen=True, eq=False)
class Report:
    """What a source or an edit tells of the take that it made, for those who show it. Each kind is a frozen dataclass
    in the home of who makes it.

    It is true of the very take that carries it: what an edit makes of that take does not, unless the edit gives it a
    report of its own. What a source told is read from the take of the source.
    """


_R = TypeVar("_R", bound=Report)


@dataclass(frozen=True, eq=False)
class Take:
    """A motion and its ground contacts, with the ground's height. extremes : None where nobody looked for them;
    ground : None for a flat one at the contacts' height; reports : what its maker tells of it, one of a kind.
    """

    motion: Motion
    contacts: Contacts
    extremes: Extremes | None = None
    ground: Ground | None = None
    reports: tuple[Report, ...] = ()

    def __post_init__(self) -> None:
        if self.contacts.frames != self.motion.frames:
            raise ValueError(f"contacts of {self.contacts.frames} frames do not fit a motion of {self.motion.frames}")

    def report(self, kind: type[_R]) -> _R | None:
        """The report of a kind; None where the take carries none."""
        return next((report for report in self.reports if isinstance(report, kind)), None)


class Context(Protocol):
    """What a source or an edit may ask while it works. Whatever it reads becomes part of what its result depends on."""

    strength: float

    @property
    def ground(self) -> Ground:
        """The project's ground, its floor at height 0; for sources and edits that say so by `uses_ground`."""
        ...

    def to_stage(self, source_times_s: Array | float) -> Array:
        """Moments of the source, in the time of the take that an edit is given."""
        ...

    def to_source(self, stage_times_s: Array | float) -> Array:
        """Moments of the take that an edit is given, in the source's time."""
        ...

    def take_of(self, clip_id: str) -> Take:
        """The finished take of a clip named by `clips_used`. Raises ValueError where there is none."""
        ...

    def name_of(self, clip_id: str) -> str:
        """What a clip named by `clips_used` is called, for messages."""
        ...

    def derived(self, work: Callable[_P, _T], *arguments: _P.args, **named: _P.kwargs) -> _T:
        """What a pure function makes of takes, motions and hashable values: computed once as long as it is kept beside
        the stages whose takes these are. See `model.derived`.
        """
        ...

    def set_clock(self, clock: TimeMap) -> None:
        """Say by which clock a source goes: from its time, in which edits speak, to that of the take it makes. Where
        nothing is said both are the same.
        """
        ...

    def progress(self, fraction: float) -> None:
        """Tell how much is done, 0 to 1. Raises Cancelled where the result is no longer wanted."""
        ...

    def note(self, text: str) -> None:
        """Tell the user of something that had to give way."""
        ...

    def mark(self, time_s: float, text: str) -> None:
        """Tell of what had to give way at a moment of the source, for where moments are drawn; `note` is for lists."""
        ...

    def moment(self, time_s: float) -> str:
        """A moment of the source in words, for notes: "2.20 s", or "step 5" where edits are anchored to steps."""
        ...


class Cancelled(Exception):  # noqa: N818  no error: somebody changed their mind
    """Work that was called off."""


@dataclass(frozen=True)
class Setting:
    """How a parameter is shown: its label, unit, range, what it does, and what a text may be."""

    label: str
    unit: str = ""
    low: float | None = None
    high: float | None = None
    tip: str = ""
    choices: tuple[str, ...] = ()


def setting(
    default: Any,
    label: str,
    unit: str = "",
    low: float | None = None,
    high: float | None = None,
    tip: str = "",
    choices: tuple[str, ...] = (),
) -> Any:
    """A field of a source or edit that the user can set; `check_settings` refuses numbers outside [low, high]."""
    return field(default=default, metadata={"setting": Setting(label, unit, low, high, tip, choices)})


def settings_of(value: Any) -> tuple[tuple[Field[Any], Setting], ...]:
    """The fields of a source or edit, or of their class, that the user can set."""
    return tuple((one, one.metadata["setting"]) for one in fields(value) if "setting" in one.metadata)


def check_settings(value: Any) -> None:
    """Raise ValueError naming the field that is of another type than its hint says, not finite, outside its range or
    not among its choices. For a value that is being made: lists become tuples where its hints want them.
    """
    fit_fields(value)
    for one, shown in settings_of(value):
        given = getattr(value, one.name)
        require_finite(given, one.name)
        if shown.choices and given not in shown.choices:
            raise ValueError(f"{one.name} is {given!r}; it must be one of {', '.join(shown.choices)}")
        if isinstance(given, int | float) and not isinstance(given, bool):
            low = given if shown.low is None else shown.low
            high = given if shown.high is None else shown.high
            if not low <= given <= high:
                raise ValueError(f"{one.name} is {given}; it must be {shown.low} to {shown.high} {shown.unit}".rstrip())


@dataclass(frozen=True)
class Source(ABC):
    """Where a take comes from."""

    kind: ClassVar[str]  # what a project file calls it
    title: ClassVar[str]  # what the user reads
    step_s: ClassVar[float | None] = None  # how long each step takes on its clock, where that counts steps

    def __post_init__(self) -> None:
        check_settings(self)

    @abstractmethod
    def make(self, context: Context) -> Take:
        """The take. Pure: the same value, the same take."""

    def clips_used(self) -> tuple[str, ...]:
        """The ids of other clips that this one is made of."""
        return ()

    def uses_ground(self) -> bool:
        """Whether this source looks at the project's ground."""
        return False


@dataclass(frozen=True)
class Edit(ABC):
    """What is done to a take.

    An edit whose `reach` is "pose" is done fully by `apply`; what lies outside its scope is put back afterwards. One
    whose reach is "whole" acts on the body or on time as a whole: it heeds `context.strength` itself and has neither a
    joint mask nor a range. `group` is the heading under which menus offer it; without one, its title.
    """

    kind: ClassVar[str]
    title: ClassVar[str]
    group: ClassVar[str] = ""
    reach: ClassVar[str] = "pose"

    def __post_init__(self) -> None:
        check_settings(self)

    @abstractmethod
    def apply(self, take: Take, context: Context) -> Take:
        """The edited take. Pure, and the take itself where the edit has no effect on it."""

    def time_map(self, take: Take, context: Context) -> TimeMap:
        """Where moments of the given take are in the edited one."""
        return IDENTITY_MAP

    def moments_s(self) -> tuple[float, ...]:
        """The moments of the source at which something was done by hand, to tell of those that are gone."""
        return ()

    def clips_used(self) -> tuple[str, ...]:
        """The ids of other clips that this edit looks at."""
        return ()

    def uses_ground(self) -> bool:
        """Whether this edit looks at the project's ground."""
        return False


@dataclass(frozen=True)
class Unknown:
    """A source or edit of a kind that this version does not know: kept as it stood in the file, without effect."""

    kind: str
    data: str  # its JSON, whole


@dataclass(frozen=True)
class Layer:
    """An edit in its place in the stack: with a name of its own, a switch and a scope."""

    id: str
    edit: Edit | Unknown
    on: bool = True
    scope: Scope = EVERYTHING

    def __post_init__(self) -> None:
        if isinstance(self.edit, Edit) and self.edit.reach == "whole":
            scope = self.scope
            if scope.joints not in (None, ()) or scope.start_s is not None or scope.stop_s is not None:
                raise ValueError(
                    f"{self.edit.title} acts on all of the body and of time: it takes no joints and no range"
                )

    @property
    def acts(self) -> bool:
        """Whether the layer can have an effect."""
        return self.on and not isinstance(self.edit, Unknown) and not self.scope.is_nothing


@dataclass(frozen=True)
class Marker:
    """A moment that the user marked. time_s : of the source; name : may be empty."""

    id: str
    time_s: float
    name: str = ""

    def __post_init__(self) -> None:
        fit_fields(self)
        require_finite(self.time_s, "time_s")


@dataclass(frozen=True)
class Clip:
    """A source and the edits stacked on it, first to last. markers : put in the order of time."""

    id: str
    name: str
    source: Source | Unknown
    layers: tuple[Layer, ...] = ()
    markers: tuple[Marker, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "markers", tuple(sorted(self.markers, key=lambda marker: marker.time_s)))
        if len(self.markers) != len({marker.id for marker in self.markers}):
            raise ValueError(f"markers: those of {self.name!r} do not all have ids of their own")
        ids = [layer.id for layer in self.layers]
        if len(ids) != len(set(ids)):
            raise ValueError(f"layers: the edits of {self.name!r} do not all have ids of their own")

    def layer(self, layer_id: str) -> Layer:
        """The layer with this id. Raises ValueError where there is none."""
        return self.layers[self.place_of(layer_id)]

    def place_of(self, layer_id: str) -> int:
        """Where in the stack the layer with this id is. Raises ValueError where there is none."""
        for place, layer in enumerate(self.layers):
            if layer.id == layer_id:
                return place
        raise ValueError(f"{self.name!r} has no edit {layer_id!r}")

    def marker(self, marker_id: str) -> Marker:
        """The marker with this id. Raises ValueError where there is none."""
        for marker in self.markers:
            if marker.id == marker_id:
                return marker
        raise ValueError(f"{self.name!r} has no marker {marker_id!r}")

    def clips_used(self) -> tuple[str, ...]:
        """The ids of other clips that this one is made of."""
        parts = (self.source, *(layer.edit for layer in self.layers))
        used = [clip for part in parts if not isinstance(part, Unknown) for clip in part.clips_used()]
        return tuple(dict.fromkeys(used))


def unique_name(wanted: str, taken: Sequence[str]) -> str:
    """The name, or the name with the first number that makes it one of its own."""
    if wanted not in taken:
        return wanted
    number = 2
    while f"{wanted} {number}" in taken:
        number += 1
    return f"{wanted} {number}"
