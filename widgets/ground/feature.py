"""What the ground shows."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from widgets.desk.feature import VisibleFeature

if TYPE_CHECKING:
    from widgets.desk.desk import Desk


def _begin(desk: "Desk") -> Iterable[object]:
    from widgets.desk.contributions import Bar, FileKind, HelpPage, Menu
    from widgets.ground.actions import GROUND_FILES, TOOL, GroundActions
    from widgets.ground.properties import GroundProperties
    from widgets.ground.tool import GroundTool
    from widgets.inspector.contracts import InspectorPage
    from widgets.viewport.tool_box import ViewportTool

    ground = GroundActions(desk)
    return (
        ground,
        ground.editing,
        *ground.actions(),
        Menu("Ground", 50),
        ViewportTool(TOOL, GroundTool(ground.editing)),
        Bar(ground.make_bar, 20, "ground"),
        InspectorPage("Ground", lambda: GroundProperties(ground.editing), lambda view: view.ground_object is not None),
        FileKind(GROUND_FILES, ground.import_file),
        HelpPage("ground", "Ground", 40),
    )


GROUND = VisibleFeature("ground", _begin)
