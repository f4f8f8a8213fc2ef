"""What walks along a path show."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from widgets.desk.feature import VisibleFeature

if TYPE_CHECKING:
    from widgets.desk.desk import Desk


def _begin(desk: "Desk") -> Iterable[object]:
    from widgets.desk.contributions import Area, HelpPage, Menu, Panel, Sample, TimelineLane, Workspace
    from widgets.inspector.contracts import PathMeasure
    from widgets.viewport.tool_box import ViewportTool
    from widgets.walking.actions import PANEL, TOOL, WORKSPACE, WalkActions
    from widgets.walking.along import playhead_along_m
    from widgets.walking.tool import PathTool

    walk = WalkActions(desk)
    return (
        walk,
        walk.editing,
        *walk.actions(),
        Menu("Walk", 60),
        ViewportTool(TOOL, PathTool(walk.editing)),
        TimelineLane(walk.lane, 10, lambda: walk.editing.walk is not None),
        Panel(PANEL, walk.panel, Area.RIGHT, 100, (WORKSPACE,), "walk"),
        Workspace(
            WORKSPACE, 30, "A path on the floor, and a character that walks along it", ("Library", "Timeline"), 200,
            main=PANEL,
        ),
        PathMeasure(lambda: playhead_along_m(desk.session, desk.showing)),
        Sample("walk_example", 10),
        HelpPage("walk", "Walk along a path", 90),
    )  # fmt: skip


WALKING = VisibleFeature("walking", _begin)
