"""What features bring to a window. Hosts have contracts of their own: lanes, tools, overlays, parts of the Inspector.

Whatever has a place among others says it as a number `at`; in menus, another hundred begins after a line.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from PySide6.QtWidgets import QWidget

from model.clip import Edit
from model.extremes import Extreme
from model.motion import Motion
from model.skeleton import JointRef
from widgets.timeline.lane import Lane

JointFinder = Callable[[Motion, Iterable[JointRef]], Mapping[JointRef, tuple[float, ...]]]


def always() -> bool:
    return True


@dataclass(frozen=True, eq=False)
class Action:
    """Something that the user can do.

    menu : "Clip", "View/Ghosts"; do : called with whether it is checked, if it is checkable, else with nothing; keys :
    the usual shortcut, as text; checkable : whether it is on or off; group : of those in one group exactly one is on;
    is_enabled : whether it can be done now; is_checked : whether it is on, asked again with every change, None where
    only the user says so; synonyms : other words by which people look for it.
    """

    name: str
    text: str
    menu: str
    at: int
    tip: str
    do: Callable[..., object]
    keys: str = ""
    icon: str = ""
    checkable: bool = False
    group: str = ""
    is_enabled: Callable[[], bool] = always
    is_checked: Callable[[], bool] | None = None
    synonyms: str = ""


@dataclass(frozen=True)
class Menu:
    """A menu of the window that only this feature needs."""

    name: str
    at: int


class Area(Enum):
    """Where panels stand around the viewport."""

    LEFT = "left"
    RIGHT = "right"
    BOTTOM = "bottom"


@dataclass(frozen=True, eq=False)
class Panel:
    """A panel. workspaces : those in which it is open at first; help : its page; set_awake : told whether it is seen;
    focus : what gets the keyboard where the user asks for the panel.
    """

    name: str
    widget: QWidget
    area: Area
    at: int
    workspaces: tuple[str, ...] = ()
    help: str = ""
    set_awake: Callable[[bool], object] | None = None
    focus: QWidget | None = None


@dataclass(frozen=True, eq=False)
class Workspace:
    """An arrangement of panels for a task.

    panels : which are open besides those that say so themselves; main : the one that the task is done in, as tall and
    wide as can be; timeline_height : in a window of usual size, pixels; entered : told whether it is the present one.
    """

    name: str
    at: int
    tip: str
    panels: tuple[str, ...]
    timeline_height: int
    main: str = ""
    entered: Callable[[bool], object] | None = None


@dataclass(frozen=True, eq=False)
class TimelineLane:
    """A lane in its place among others. is_shown : whether it has a meaning now; `Lane.changed` asks again."""

    lane: Lane
    at: int
    is_shown: Callable[[], bool] = always


@dataclass(frozen=True, eq=False)
class Bar:
    """A bar over the viewport. make : called once all actions are there."""

    make: Callable[[], QWidget]
    at: int
    help: str = ""


@dataclass(frozen=True, eq=False)
class ToolBarItem:
    """Something small at the end of the bar of workspaces."""

    widget: QWidget
    at: int
    help: str = ""


@dataclass(frozen=True)
class HelpPage:
    """A page of the help. path : of its text, for those that do not come with Motionwright."""

    name: str
    title: str
    at: int
    path: Path | None = None


@dataclass(frozen=True, eq=False)
class FileKind:
    """Files that are opened otherwise than as clips, such as what stands on the ground."""

    extensions: tuple[str, ...]
    open: Callable[[Path], object]


@dataclass(frozen=True, eq=False)
class Sample:
    """Something that shows newcomers how a thing is done. action : the name of the action that opens it."""

    action: str
    at: int


@dataclass(frozen=True, eq=False)
class Note:
    """A note beside a part of the window. done : whether what it tells of is done; None: a click goes on."""

    part: Callable[[], QWidget]
    text: str
    done: Callable[[], bool] | None = None


@dataclass(frozen=True, eq=False)
class GroundFollower:
    """The edit that lets clips step onto what stands on the ground."""

    make: Callable[[], Edit]


@dataclass(frozen=True, eq=False)
class Lesson:
    """A lesson, which the tour offers at its end. text : of the button; begin : starts it."""

    text: str
    tip: str
    begin: Callable[[], object]


@dataclass(frozen=True, eq=False)
class ExtremeMoments:
    """The extreme poses of what is shown, in the order of time, and which of them is selected.

    joint_finder : gives the function that finds when joints of a motion are at their extremes, for a worker to call.
    """

    extremes: Callable[[], tuple[Extreme, ...]]
    selected: Callable[[], Extreme | None]
    select: Callable[[Extreme | None], object]
    joint_finder: Callable[[], "JointFinder"]
