"""The tools that pose the figure, and what the viewport shows of it."""

from PySide6.QtCore import QObject

from widgets.posing.ik_tool import IkTool
from widgets.posing.move_tool import MoveTool
from widgets.posing.pose_tool import SelectTool
from widgets.posing.posing import Posing
from widgets.posing.repeating import Repeating
from widgets.posing.rotate_tool import RotateTool
from widgets.viewport.tool_box import ToolBox, ViewportTool
from widgets.viewport.viewport import Viewport


class PoseTools(QObject):
    """Shows in a viewport what is being posed. `tools` are to be put into its box."""

    def __init__(
        self,
        viewport: Viewport,
        box: ToolBox,
        posing: Posing,
        repeating: Repeating | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._viewport, self._box, self._posing, self._repeating = viewport, box, posing, repeating
        self._ik = IkTool(posing, repeating)
        tools = (("move", MoveTool(posing, repeating)), ("rotate", RotateTool(posing, repeating)), ("ik", self._ik))
        self.tools = tuple(ViewportTool(name, tool) for name, tool in tools)
        # Esc has something to drop while nothing is dragged.
        box.set_ghost(posing.ghost)
        box.set_idle(SelectTool(posing, repeating), self._has_something_to_drop)
        if repeating is not None:
            repeating.changed.connect(box.refresh)
        posing.changed.connect(box.refresh)
        posing.posed.connect(self._on_posed)

    def toggle_pin(self) -> None:
        """Pin the joint whose handle is under the mouse, else the selected one; or let it go."""
        hovered = self._ik.hovered if self._box.name == "ik" else None
        joint = self._posing.joint if hovered is None else hovered.joint
        if joint is not None:
            self._posing.toggle_pin(joint)

    def _has_something_to_drop(self) -> bool:
        return self._posing.is_pending or (self._repeating is not None and self._repeating.is_on)

    def _on_posed(self) -> None:
        stand_in = self._posing.stand_in
        if stand_in is None:
            self._viewport.hold_pose(None)
        else:
            self._viewport.hold_pose(stand_in.now, stand_in.before)
