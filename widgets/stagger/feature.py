"""What staggered poses show."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from widgets.desk.feature import VisibleFeature

if TYPE_CHECKING:
    from widgets.desk.desk import Desk


def _begin(desk: "Desk") -> Iterable[object]:
    from widgets.desk.contributions import HelpPage, TimelineLane, Workspace
    from widgets.stagger.actions import StaggerActions

    actions = StaggerActions(desk)
    return (
        actions,
        actions.staggering,
        *actions.actions(),
        actions.places,
        actions.ghosts,
        TimelineLane(actions.lane, 20, lambda: actions.is_lane_shown),
        Workspace(
            "Timing", 20, "The timeline tall, with the joints of staggered poses", ("Edits", "Inspector", "Timeline"),
            480, entered=actions.set_timing,
        ),
        HelpPage("stagger", "Staggered poses", 80),
    )  # fmt: skip


STAGGER = VisibleFeature("stagger", _begin)
