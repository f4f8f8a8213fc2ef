"""The tool in use: keeps to the order in which a tool may be called, whatever mouse and keys do."""

from dataclasses import replace

from PySide6.QtCore import Qt

from widgets.viewport.camera import Camera, Size
from widgets.viewport.scene import Scene
from widgets.viewport.tool import Hover, KeyPress, Pointer, Tool


class ToolSlot:
    """Holds a tool, or none, and knows whether it has the mouse."""

    def __init__(self) -> None:
        self._tool: Tool | None = None
        self._has_mouse = False
        self._pointer: Pointer | None = None

    @property
    def tool(self) -> Tool | None:
        return self._tool

    @property
    def has_mouse(self) -> bool:
        return self._has_mouse

    def put(self, tool: Tool | None) -> None:
        """Use another tool; the one before leaves no trace."""
        self.cancel()
        self._tool, self._pointer = tool, None

    def cancel(self) -> None:
        """Put back what is being dragged."""
        self._has_mouse = False
        if self._tool is not None:
            self._tool.cancel()

    def hover(self, pointer: Pointer | None) -> Hover | None:
        return None if self._tool is None else self._tool.hover(pointer)

    def press(self, pointer: Pointer) -> bool:
        """-> whether the tool has the mouse now."""
        self._pointer = pointer
        self._has_mouse = self._tool is not None and self._tool.press(pointer)
        return self._has_mouse

    def move(self, pointer: Pointer) -> None:
        self._pointer = pointer
        if self._tool is not None and self._has_mouse:
            self._tool.move(pointer)

    def release(self, pointer: Pointer) -> None:
        had, self._has_mouse = self._has_mouse, False
        if self._tool is not None and had:
            self._tool.release(pointer)

    def modify(self, modifiers: Qt.KeyboardModifier) -> None:
        """Shift, Ctrl or Alt changed while the mouse stays."""
        if self._has_mouse and self._pointer is not None:
            self.move(replace(self._pointer, modifiers=modifiers))

    def wants_key(self, key: KeyPress) -> bool:
        if self._has_mouse and key.key == Qt.Key.Key_Escape:
            return False
        return self._tool is not None and self._tool.wants_key(key)

    def press_key(self, key: KeyPress) -> None:
        if self._tool is not None:
            self._tool.press_key(key)

    def drawn_on(self, scene: Scene, camera: Camera, size: Size) -> Scene:
        """The scene with the handles over it."""
        if self._tool is None:
            return scene
        return self._tool.draw(scene, camera, size).over(scene)
