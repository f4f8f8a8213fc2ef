"""What a lane of the timeline is: a plug-in that draws one kind of thing over time and lets hands move it.

A lane knows nothing of the widget that shows it. It is given the scale and the rectangle of its rows, says what is
under the mouse, and turns a press into a drag.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from PySide6.QtCore import QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter

from widgets.common.theme import GRID
from widgets.timeline.scale import TimeScale


@dataclass(frozen=True)
class Row:
    """A row of a lane as the user reads it. colour : its name in the theme."""

    name: str
    colour: str = "text"


@dataclass(frozen=True)
class Pointer:
    """Where the mouse is in time, also beyond the take. snap : to the nearest of some moments or of the frames,
    unless the user holds Alt. y_px : its height in the lane; adding : whether the user holds Shift.
    """

    time_s: float
    snap: Callable[[float, Iterable[float]], float]
    y_px: float = 0.0
    adding: bool = False


@dataclass(frozen=True)
class Hit:
    """Something that can be grabbed. item, part : the lane's own; tip : what it is and what the mouse would do."""

    item: object
    part: str
    cursor: Qt.CursorShape
    tip: str


Action = Callable[[], object]


class Drag(ABC):
    """A hand that moves something. What it does is seen at once, and undone by `cancel` without a trace."""

    at_once = False  # whether it starts with the press; others only once the mouse has moved

    @abstractmethod
    def move(self, pointer: Pointer) -> None: ...

    @abstractmethod
    def finish(self) -> None: ...

    @abstractmethod
    def cancel(self) -> None: ...


class Lane(QObject):
    """One kind of thing on the timeline."""

    changed = Signal()  # what it draws
    revealed = Signal(float)  # a moment that the user should see now

    title = ""
    nothing = ""  # what it says where it has no rows
    tip = ""  # what the lane shows and how it is used
    row_height = 3 * GRID
    most_height = 0  # up to which a flat lane grows where the timeline has room to spare
    starts_folded = False

    @property
    def subtitle(self) -> str:
        """What is said below the title of a flat lane that has the room."""
        return ""

    @property
    def rows(self) -> tuple[Row, ...]:
        """Its rows, top to bottom; none where it has nothing to show."""
        return ()

    @property
    def is_flat(self) -> bool:
        """Whether its only row stands beside its title, and needs no room below it."""
        return False

    def paint(self, painter: QPainter, scale: TimeScale, rect: QRectF, small: bool) -> None:
        """Draw its rows, which share the rectangle evenly. small : the lane is folded, there is no room for detail.
        The painter is put back as it was afterwards.
        """
        raise NotImplementedError

    def hit(self, point: QPointF, scale: TimeScale, rect: QRectF) -> Hit | None:
        """What can be grabbed there."""
        return None

    def hover(self, hit: Hit | None) -> None:
        """The mouse is over something, or over nothing any more."""

    def press(self, hit: Hit | None, pointer: Pointer) -> Drag | None:
        """Select what was hit, or nothing. -> what moves it."""
        return None

    def double_click(self, point: QPointF, rect: QRectF, pointer: Pointer) -> bool:
        """Make something where there is nothing. -> whether the lane does."""
        return False

    def menu(self, hit: Hit | None, point: QPointF, rect: QRectF, pointer: Pointer) -> list[tuple[str, Action]]:
        """What can be done there, for the menu of the right button."""
        return []

    def wants_key(self, event: QKeyEvent, tabbed: bool) -> bool:
        """Whether a key is for the lane. tabbed : the user came by keyboard, not by mouse."""
        return False

    def press_key(self, event: QKeyEvent) -> None:
        """Do what a wanted key says."""

    def set_folded(self, folded: bool) -> None:
        """The user folds it, or unfolds it."""

    def magnets(self) -> list[float]:
        """Moments to which others snap."""
        return []

    def accessible_text(self) -> str:
        """What is in it and what is selected, for those who do not see it."""
        return ""

    def row_at(self, y_px: float, rect: QRectF) -> int | None:
        """The index of the row at a height."""
        if not self.rows or not rect.top() <= y_px < rect.bottom():
            return None
        return min(int((y_px - rect.top()) / rect.height() * len(self.rows)), len(self.rows) - 1)
