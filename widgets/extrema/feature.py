"""What extreme poses show."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from widgets.desk.feature import VisibleFeature

if TYPE_CHECKING:
    from widgets.desk.desk import Desk


def _begin(desk: "Desk") -> Iterable[object]:
    from widgets.desk.contributions import Area, ExtremeMoments, HelpPage, Panel, TimelineLane
    from widgets.extrema.actions import ExtremeActions
    from widgets.extrema.joint_lane import JointExtremesLane
    from widgets.extrema.measure_lane import MeasureLane
    from widgets.extrema.panel import ExtremesPanel

    actions = ExtremeActions(desk)
    extrema = actions.extrema
    panel = ExtremesPanel(desk.document, desk.showing, extrema)
    return (
        actions,
        extrema,
        *actions.actions(),
        actions.ghosts,
        TimelineLane(actions.lane, 40),
        TimelineLane(MeasureLane(extrema, actions), 60),  # below the contacts, which small windows must show
        TimelineLane(JointExtremesLane(extrema, desk.session, actions), 70),
        Panel("Extremes", panel, Area.RIGHT, 40, ("Edit",), "extremes"),
        ExtremeMoments(lambda: extrema.extremes, lambda: extrema.selected, extrema.select, actions.joint_finder),
        HelpPage("extremes", "Extreme poses", 60),
    )


EXTREMA = VisibleFeature("extrema", _begin)
