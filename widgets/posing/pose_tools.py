"""The tools that pose the figure, put to work in a viewport: one at a time."""

from PySide6.QtCore import QObject, Signal

from widgets.posing.ik_tool import IkTool
from widgets.posing.move_tool import MoveTool
from widgets.posing.pose_tool import SelectTool
from widgets.posing.posing import Posing
from widgets.posing.repeating import Repeating
from widgets.posing.rotate_tool import RotateTool
from widgets.viewport.tool import Tool
from widgets.viewport.viewport import Viewport

TOOLS = ("select", "move", "rotate", "ik")


class PoseTools(QObject):
    """Gives the viewport its tool, and shows there what is being posed."""

    changed = Signal(str)  # the tool in use

    def __init__(
        self, viewport: Viewport, posing: Posing, repeating: Repeating | None = None, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._viewport, self._posing, self._repeating = viewport, posing, repeating
        self.ik = IkTool(posing, repeating)
        self._tools: dict[str, Tool] = {
            "select": SelectTool(posing, repeating),
            "move": MoveTool(posing, repeating),
            "rotate": RotateTool(posing, repeating),
            "ik": self.ik,
        }
        self._name = ""
        if repeating is not None:
            repeating.changed.connect(self._on_changed)
        posing.changed.connect(self._on_changed)
        posing.posed.connect(self._on_posed)
        self.use("select")

    @property
    def name(self) -> str:
        """The tool in use."""
        return self._name

    def add(self, name: str, tool: Tool) -> None:
        """Let another tool be taken by this name."""
        self._tools[name] = tool

    def use(self, name: str) -> None:
        """Take a tool: "select", "move", "rotate", "ik", or one that was added."""
        if name != self._name:
            self._name = name
            self._viewport.tool = self._wanted()
            self._viewport.show_ghost_of(None if name == "select" else self._posing.ghost)
            self.changed.emit(name)

    def toggle_pin(self) -> None:
        """Pin the joint whose handle is under the mouse, else the selected one; or let it go."""
        hovered = self.ik.hovered if self._name == "ik" else None
        joint = self._posing.joint if hovered is None else hovered.joint
        if joint is not None:
            self._posing.toggle_pin(joint)

    def _wanted(self) -> Tool | None:
        """The tool in use. To select there is none, unless Esc has something to drop: a tool is drawn and asked with
        every move of the mouse.
        """
        drops = self._posing.is_pending or (self._repeating is not None and self._repeating.is_on)
        return None if self._name == "select" and not drops else self._tools[self._name]

    def _on_changed(self) -> None:
        if self._viewport.tool is not self._wanted():
            self._viewport.tool = self._wanted()
        self._viewport.refresh()

    def _on_posed(self) -> None:
        stand_in = self._posing.stand_in
        if stand_in is None:
            self._viewport.hold_pose(None)
        else:
            self._viewport.hold_pose(stand_in.now, stand_in.before)
