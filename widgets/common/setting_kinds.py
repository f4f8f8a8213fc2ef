"""What a setting is, read from its field: a number, a choice, a switch, rows of a table, or a group of its own.

Nothing here knows a single source or edit; fields that state nothing about themselves are described by their names.
"""

import types
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, is_dataclass
from typing import Any, Union, get_args, get_origin, get_type_hints

from model.character import Character
from model.clip import Setting, settings_of
from model.measures import MOMENTS, SECONDS, in_words, measure_of, settings_by_name
from model.skeleton import JointRef, Skeleton


@dataclass(frozen=True)
class FormContext:
    """What a form asks: the playhead's moment in source time, and the name of a clip by its id.

    frames_s : how long some frames of the shown take are, or where the frame of a number is in source time; None where
    nothing is shown. characters : those kept in the project; open_panel : show the panel of a name, where a setting has
    one of its own; length_s : how long the source is; skeleton : of the shown take, None where nothing is shown.
    read_s, meant_s : from a moment of the source to the seconds in which people read it, and back; where the source's
    time counts steps, these are not the same. along_m : how far along its path a walk is at the playhead, None for
    what is none; makers : editors for further kinds of settings, the first that fits is taken.
    """

    moment_s: Callable[[], float]
    clip_name: Callable[[str], str]
    frames_s: Callable[[float, bool], float | None]
    characters: Callable[[], tuple[Character, ...]] = tuple
    open_panel: Callable[[str], object] = str
    length_s: Callable[[], float] = float
    skeleton: Callable[[], Skeleton | None] = lambda: None
    read_s: Callable[[float], float] = float
    meant_s: Callable[[float], float] = float
    along_m: Callable[[], float | None] = lambda: None
    makers: "tuple[EditorMaker, ...]" = ()


@dataclass(frozen=True)
class Described:
    """A setting with the type of its values.

    owner : the name of the class whose field it is; optional : whether it may be None; inner : the type without that.
    """

    owner: str
    name: str
    setting: Setting
    inner: Any
    optional: bool

    @property
    def is_number(self) -> bool:
        return self.inner in (int, float)

    @property
    def is_moment(self) -> bool:
        return self.name in MOMENTS

    @property
    def row_type(self) -> Any:
        """The type of the rows of a `tuple[X, ...]`; None for anything else."""
        arguments = get_args(self.inner)
        is_rows = get_origin(self.inner) is tuple and len(arguments) == 2 and arguments[1] is Ellipsis
        return arguments[0] if is_rows else None


@dataclass(frozen=True, eq=False)
class EditorMaker:
    """What a feature brings for settings of a kind of its own. fits : whether it is for a setting; make : the widget
    that edits it, an `Editor`, of the setting, the form's context and its parent.
    """

    fits: Callable[[Described], bool]
    make: Callable[..., Any]


def described(kind: type) -> tuple[Described, ...]:
    """The settings of a source or edit, or all fields of another record."""
    hints = get_type_hints(kind)
    return tuple(
        Described(kind.__name__, name, setting, *_without_none(hints[name]))
        for name, setting in settings_by_name(kind).items()
    )


def blank(kind: type) -> Any:
    """A record with its defaults, and zeros where it has none. Raises TypeError where that is not enough."""
    missing = (one for one in fields(kind) if one.default is MISSING and one.default_factory is MISSING)
    return kind(**{one.name: 0.0 for one in missing})


def summary(setting: Setting, value: Any) -> str:
    """A value in a few words, for lists."""
    if isinstance(value, Character):
        return value.name
    if isinstance(value, JointRef):
        return value.name
    if value is None or is_dataclass(value):
        return ""
    if isinstance(value, bool):
        return setting.label if value else f"{setting.label}: off"
    if isinstance(value, int | float):
        return measure_of(setting, isinstance(value, int)).format(value)
    if isinstance(value, tuple):
        return f"{setting.label}: {len(value)}" if value else ""
    return in_words(str(value))


def summary_of(value: Any, read_s: Callable[[float], float] = float) -> str:
    """The most important value of a source or edit: its range of time, else the first setting that is not as usual,
    else the first that is any. read_s : moments as people read them, see `FormContext`.
    """
    names = {one.name for one, _ in settings_of(value)}
    if {"start_s", "stop_s"} <= names:
        start_s, stop_s = (None if one is None else read_s(one) for one in (value.start_s, value.stop_s))
        return _range(start_s, stop_s)
    told = []
    for one, setting in settings_of(value):
        given = getattr(value, one.name)
        read = read_s(given) if one.name in MOMENTS and given is not None else given
        told.append((given != one.default, setting, summary(setting, read)))
    told = [one for one in told if one[2]]
    if not told:
        return ""
    first = told[0]
    _, setting, text = next((one for one in told if one[0]), first)
    # Beyond the first, a number needs its name to be understood.
    return text if setting is first[1] or setting.label in text else f"{setting.label} {text}"


def can_be_added(row_type: Any) -> bool:
    """Whether a person can make new rows in the table: such as are tuples of numbers."""
    return get_origin(row_type) is tuple and all(part in (int, float) for part in get_args(row_type))


def sentences_of(kind: type) -> str:
    """The first paragraph of what a class says of itself; nothing where it says nothing but its signature."""
    text = kind.__doc__ or ""
    return "" if text.startswith(f"{kind.__name__}(") else " ".join(text.split("\n\n")[0].split())


def _range(start_s: float | None, stop_s: float | None) -> str:
    if start_s is None or stop_s is None:
        start = "" if start_s is None else f"from {SECONDS.format(start_s)}"
        return start if stop_s is None else f"up to {SECONDS.format(stop_s)}"
    return f"{SECONDS.number(start_s)} \u2013 {SECONDS.format(stop_s)}"


def _without_none(hint: Any) -> tuple[Any, bool]:
    """The type, and whether None is allowed beside it."""
    if get_origin(hint) in (Union, types.UnionType):
        rest = [one for one in get_args(hint) if one is not type(None)]
        if len(rest) == 1:
            return rest[0], True
    return hint, False
