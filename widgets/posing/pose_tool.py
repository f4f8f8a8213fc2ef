"""What the tools that pose the figure have in common: a press on a handle, a drag that makes poses, and Esc."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import numpy as np
from PySide6.QtCore import Qt

from editor.posing.pose import Pose, Posed
from widgets.posing.posing import Posing
from widgets.posing.repeating import Repeating
from widgets.viewport.camera import Camera, Size
from widgets.viewport.scene import Scene
from widgets.viewport.tool import Handles, Hover, KeyPress, Pointer

_STILL_PX = 3.0  # a press that moves less is a click


class Drag(Protocol):
    """A handle in a hand. what : the words for what it does, "Turn spine"."""

    what: str

    def pose_at(self, pointer: Pointer) -> Posed:
        """The pose with the mouse here."""
        ...


H = TypeVar("H")


@dataclass(frozen=True, eq=False)
class _Press(Generic[H]):
    handle: H
    pointer: Pointer


class PoseTool(ABC, Generic[H]):
    """A tool with handles of the type H. Those that derive from it find, draw and drag them."""

    def __init__(self, posing: Posing, repeating: Repeating | None = None) -> None:
        self.posing, self.repeating = posing, repeating
        self.hovered: H | None = None
        self.drag: Drag | None = None
        self.posed: Posed | None = None
        self._press: _Press[H] | None = None

    # For those that derive from it

    @abstractmethod
    def handle_at(self, pointer: Pointer) -> H | None:
        """The handle under the mouse."""

    @abstractmethod
    def hover_of(self, handle: H) -> Hover:
        """What is said over a handle."""

    @abstractmethod
    def dragging(self, handle: H, start: Pose, pointer: Pointer) -> Drag | None:
        """Take a handle. start : the pose to work from; pointer : where the press was. None: it cannot be dragged."""

    def clicked(self, handle: H) -> None:
        """The handle was pressed and let go where it was."""

    def dropped(self, handle: H) -> None:
        """The handle was dragged and let go."""

    @abstractmethod
    def handles(self, pose: Pose, camera: Camera, size: Size) -> Handles:
        """What is drawn."""

    @property
    def held(self) -> H | None:
        """The handle that is in the hand."""
        return None if self._press is None else self._press.handle

    # As a tool

    def hover(self, pointer: Pointer | None) -> Hover | None:
        self.hovered = None if pointer is None or self.posing.is_asleep else self.handle_at(pointer)
        return None if self.hovered is None else self.hover_of(self.hovered)

    def press(self, pointer: Pointer) -> bool:
        handle = None if self.posing.is_asleep else self.handle_at(pointer)
        self.hovered = handle
        self._press = None if handle is None else _Press(handle, pointer)
        return handle is not None

    def move(self, pointer: Pointer) -> None:
        if self._press is None:
            return
        if self.drag is None and not self._take_hold(pointer):
            return
        assert self.drag is not None
        self.posed = self.drag.pose_at(pointer)
        self.posing.show(self.posed.pose, self.drag.what)

    def _take_hold(self, pointer: Pointer) -> bool:
        """Begin to drag once the mouse has moved. -> whether it has."""
        assert self._press is not None
        by = np.subtract(pointer.pixel, self._press.pointer.pixel)
        if float(np.hypot(*by)) < _STILL_PX:
            return False
        start = self.posing.begin()
        if start is not None:
            self.drag = self.dragging(self._press.handle, start, self._press.pointer)
            if self.drag is None:
                self.posing.cancel()
        return self.drag is not None

    def release(self, pointer: Pointer) -> None:
        press, drag = self._press, self.drag
        self._press = self.drag = self.posed = None
        if press is not None and drag is not None:
            self.posing.finish()
            self.dropped(press.handle)
        elif press is not None:
            self.clicked(press.handle)

    def cancel(self) -> None:
        dragged = self.drag is not None
        self._press = self.drag = self.posed = None
        if dragged:
            self.posing.cancel()

    def wants_key(self, key: KeyPress) -> bool:
        return key.key == Qt.Key.Key_Escape and (self.posing.is_pending or self._is_repeating)

    def press_key(self, key: KeyPress) -> None:
        if self.repeating is not None and self._is_repeating:
            self.repeating.drop()
        else:
            self.posing.drop()

    @property
    def _is_repeating(self) -> bool:
        return self.repeating is not None and self.repeating.is_on

    def draw(self, scene: Scene, camera: Camera, size: Size) -> Handles:
        pose = None if self.posing.is_asleep else self.posing.pose
        if pose is None or len(scene.joints) != len(pose.skeleton):
            return Handles()
        return self.handles(pose, camera, size)


class SelectTool(PoseTool[None]):
    """No handles: clicks select joints."""

    def handle_at(self, pointer: Pointer) -> None:
        return None

    def hover_of(self, handle: None) -> Hover:
        raise AssertionError("there are no handles")

    def dragging(self, handle: None, start: Pose, pointer: Pointer) -> Drag | None:
        return None

    def handles(self, pose: Pose, camera: Camera, size: Size) -> Handles:
        return Handles()
