"""The tools of the viewport by name, of which one is in use."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from model.kinematics import WorldPose
from widgets.viewport.tool import Tool
from widgets.viewport.viewport import Viewport

SELECT = "select"


@dataclass(frozen=True, eq=False)
class ViewportTool:
    """A tool that a feature brings."""

    name: str
    tool: Tool


class ToolBox(QObject):
    """Gives the viewport its tool. To select there is none, unless something has a use for Esc: a tool is drawn and
    asked with every move of the mouse.
    """

    changed = Signal(str)  # the tool in use

    def __init__(self, viewport: Viewport, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._viewport = viewport
        self._tools: dict[str, ViewportTool] = {}
        self._idle: tuple[Tool, Callable[[], bool]] | None = None
        self._ghost: Callable[[], WorldPose | None] | None = None
        self._name = SELECT

    @property
    def name(self) -> str:
        """The tool in use; SELECT for none."""
        return self._name

    def add(self, brought: ViewportTool) -> None:
        """Let a tool be taken by its name."""
        self._tools[brought.name] = brought

    def set_idle(self, tool: Tool, is_wanted: Callable[[], bool]) -> None:
        """Let a tool be in use while none is chosen and something wants it."""
        self._idle = tool, is_wanted
        self.refresh()

    def set_ghost(self, ghost: Callable[[], WorldPose | None]) -> None:
        """Let a ghost stand beside the figure while any tool is in use; None for none."""
        self._ghost = ghost

    def use(self, name: str) -> None:
        """Take a tool, or SELECT."""
        assert name == SELECT or name in self._tools, f"there is no tool called {name}"
        if name != self._name:
            self._name = name
            self._viewport.tool = self._tool()
            self._viewport.show_ghost_of(None if name == SELECT else self._ghost)
            self.changed.emit(name)

    def refresh(self) -> None:
        """Draw the tool again: it changed by itself, or has come to be wanted, or no longer is."""
        tool = self._tool()
        if self._viewport.tool is not tool:
            self._viewport.tool = tool
        self._viewport.refresh()

    def _tool(self) -> Tool | None:
        if self._name != SELECT:
            return self._tools[self._name].tool
        return self._idle[0] if self._idle is not None and self._idle[1]() else None
