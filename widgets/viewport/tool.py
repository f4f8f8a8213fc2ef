"""What a tool of the viewport is: handles that are drawn over the figure and take the mouse before the camera does.

How a tool is used. `viewport.tool = tool` puts it to work; the one before is cancelled. Then the viewport

* asks `draw` for the handles whenever the scene, the camera or the size changes, and after every call below. They are
  drawn over the figure by both renderers, fills first, then lines, then dots. Widths and sizes are logical pixels, wide
  lines are wide everywhere, and a handle that is to keep its size on the screen asks `shapes.metres_at`. `shapes` makes
  rings, arcs, sectors, arrow heads and squares; a handle behind the figure may be drawn fainter by the tool itself.
* calls `hover` when the mouse moves with no button down, with None when it left. What it answers sets the cursor and
  the hint; where it answers None, the joint under the mouse lights up as it does without a tool.
* calls `press` when the left button goes down, unless the keys held make it a camera drag. If it answers True, the tool
  has the mouse: `move` and then `release` follow, or `cancel`. If False, the press orbits or selects a joint.
* calls `cancel` on Esc, when the view is hidden or loses the window while dragging, and when another tool comes. The
  tool may hold nothing then; to cancel twice does no harm.
* calls `move` again, at the same place, when Shift, Ctrl or Alt changes while the tool has the mouse.
* offers every key first to `wants_key` and, if it is wanted, gives it to `press_key`, before shortcuts of menus see it.
  While the tool has the mouse, shortcuts sleep: time and document do not change under a drag.

Which handle is under the mouse is asked in pixels: `picking.points_px` for round and square ones, `picking.polyline_px`
for rings and arrows; 8 pixels is a good reach. A tool that changes by itself (another mode, say) is followed by
`viewport.refresh()`. While the source is held up with the backtick, the tool is neither drawn nor asked. Nor is it
while a live figure stands in the clip's place or brings a tool of its own (`viewport.show_live`): that is used then.
"""

import math
from dataclasses import dataclass, field, replace
from typing import Protocol

from PySide6.QtCore import Qt

from model.arrays import Array
from widgets.viewport.camera import Camera, Size
from widgets.viewport.scene import Dots, Fills, Label, Lines, Scene

_SAME_M = 1e-2  # a label so near to a place is at it
REACH_PX = 8.0  # how near the mouse must be to a line


def place(position: Array) -> tuple[float, float, float]:
    """A place (3,) as labels have it."""
    x, y, z = (float(value) for value in position)
    return x, y, z


@dataclass(frozen=True, eq=False)
class Pointer:
    """The mouse in the view and in the world: where it is in pixels, and the ray (3,), (3,) that goes through there.

    is_double : it is the second press of a double click.
    """

    pixel: tuple[float, float]
    origin: Array
    direction: Array
    modifiers: Qt.KeyboardModifier
    camera: Camera
    size: Size
    is_double: bool = False


@dataclass(frozen=True)
class KeyPress:
    """A key that went down. text : what it would type, "" for none."""

    key: int
    modifiers: Qt.KeyboardModifier
    text: str = ""


@dataclass(frozen=True)
class Hover:
    """What is said while the mouse is over a handle. hint : for the status bar, "Drag turns the spine"."""

    hint: str
    cursor: Qt.CursorShape = Qt.CursorShape.PointingHandCursor


@dataclass(frozen=True, eq=False)
class Handles:
    """What a tool draws, all of it seen through the figure. labels : such as the angle turned by; they are written
    while the tool has the mouse, or a joint is selected or hovered over; bare : a place whose name is not written,
    since it would lie over the handles.
    """

    lines: Lines = field(default_factory=Lines)
    dots: Dots = field(default_factory=Dots)
    fills: Fills = field(default_factory=Fills)
    labels: tuple[Label, ...] = ()
    bare: tuple[float, float, float] | None = None

    def over(self, scene: Scene) -> Scene:
        """A scene with these over it."""
        if self.is_empty:
            return scene
        bare = self.bare
        names = tuple(one for one in scene.labels if bare is None or math.dist(one.position, bare) > _SAME_M)
        return replace(
            scene,
            front_fills=scene.front_fills + self.fills,
            front_lines=scene.front_lines + self.lines,
            front_dots=scene.front_dots + self.dots,
            labels=names + self.labels,
        )

    @property
    def is_empty(self) -> bool:
        return not (len(self.lines) or len(self.dots) or len(self.fills) or self.labels or self.bare)

    def __add__(self, other: "Handles") -> "Handles":
        return Handles(
            self.lines + other.lines,
            self.dots + other.dots,
            self.fills + other.fills,
            self.labels + other.labels,
            self.bare or other.bare,
        )


class Tool(Protocol):
    """A tool previews while the mouse moves, commits when it is let go, and puts everything back on `cancel`."""

    def hover(self, pointer: Pointer | None) -> Hover | None:
        """The mouse is here, no button down; None: it left. -> what is under it, None where no handle is."""
        ...

    def press(self, pointer: Pointer) -> bool:
        """The left button goes down. -> whether the tool takes the mouse until it is let go."""
        ...

    def move(self, pointer: Pointer) -> None:
        """The mouse, or a modifier, changed while the tool has the mouse."""
        ...

    def release(self, pointer: Pointer) -> None:
        """The left button comes up after the tool took it."""
        ...

    def cancel(self) -> None:
        """Leave no trace of what is being dragged."""
        ...

    def wants_key(self, key: KeyPress) -> bool:
        """Whether the tool has a use for a key now. Esc is never asked for while it has the mouse."""
        ...

    def press_key(self, key: KeyPress) -> None:
        """A key that was wanted goes down."""
        ...

    def draw(self, scene: Scene, camera: Camera, size: Size) -> Handles:
        """The handles on a scene, whose `joints` are those of the figure."""
        ...
