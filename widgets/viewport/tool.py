"""What a tool of the viewport is: handles that are drawn over the figure and take the mouse before the camera does."""

from dataclasses import dataclass
from typing import Protocol

from PySide6.QtCore import Qt

from model.arrays import Array
from widgets.viewport.camera import Camera, Size
from widgets.viewport.scene import Dots, Lines, Scene


@dataclass(frozen=True, eq=False)
class Pointer:
    """The mouse in the view and in the world: where it is in pixels, and the ray (3,), (3,) that goes through there."""

    pixel: tuple[float, float]
    origin: Array
    direction: Array
    modifiers: Qt.KeyboardModifier
    camera: Camera
    size: Size


class Tool(Protocol):
    """A tool previews while the mouse moves, commits when it is let go, and puts everything back on `cancel`."""

    def press(self, pointer: Pointer) -> bool:
        """The left button goes down. -> whether the tool takes the mouse until it is let go."""
        ...

    def move(self, pointer: Pointer) -> None:
        """The mouse moves; also while nothing is pressed."""
        ...

    def release(self, pointer: Pointer) -> None:
        """The left button comes up after the tool took it."""
        ...

    def cancel(self) -> None:
        """Leave no trace: Esc was pressed, or another tool is wanted."""
        ...

    def draw(self, scene: Scene, camera: Camera, size: Size) -> tuple[Lines, Dots]:
        """The handles, seen through the figure."""
        ...
