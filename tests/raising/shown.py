"""What the feature shows: an action, a panel, a lane, a tool, an overlay and a page of the help."""

from motionwright.widgets.desk.feature import VisibleFeature


def _begin(desk):
    from pathlib import Path

    from motionwright.widgets.desk.contributions import Action, Area, HelpPage, Panel, TimelineLane
    from motionwright.widgets.desk.tool_actions import tool_action
    from motionwright.widgets.viewport.tool_box import ViewportTool

    from .commands import raise_clip
    from .views import HeightLane, Level, LiftTool, RaisePanel

    def lift():
        desk.run(lambda: desk.document.do(raise_clip, desk.clip.id, 0.5))

    panel, level = RaisePanel(lift), Level(desk.widget)
    return (
        Action("raise_clip", "Raise clip", "Clip", 900, "Put the clip half a metre higher", lift, "Ctrl+Alt+U",
               is_enabled=lambda: desk.clip is not None, synonyms="elevate"),
        tool_action(desk, "lift", "Lift", "Pose", 900, "Drag the figure upwards", "Ctrl+Alt+L", "move"),
        ViewportTool("lift", LiftTool(desk)),
        Action("level", "Level marks", "View", 900, "Show how high the body is", level.set_on, checkable=True,
               is_checked=lambda: level.is_on),
        level,
        Panel("Raise", panel, Area.RIGHT, 900, ("Edit",), "raising"),
        TimelineLane(HeightLane(desk.showing, desk.widget), 900),
        HelpPage("raising", "Raising", 900, Path(__file__).with_name("raising.md")),
    )  # fmt: skip


RAISING = VisibleFeature("raising", _begin)
