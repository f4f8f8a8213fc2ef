"""What posing shows."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from widgets.desk.feature import VisibleFeature

if TYPE_CHECKING:
    from widgets.desk.desk import Desk


def _begin(desk: "Desk") -> Iterable[object]:
    from editor.posing.adapt_to_ground import AdaptToGround
    from widgets.desk.contributions import Bar, GroundFollower, HelpPage, Lesson, Menu, TimelineLane
    from widgets.inspector.contracts import EditSection, JointSection
    from widgets.posing.actions import PosingActions
    from widgets.posing.limb_lengths import LimbLengths
    from widgets.posing.pose_section import PoseSection
    from widgets.posing.pose_values import PoseValues

    posing = PosingActions(desk)
    return (
        posing,
        posing.posing,
        *posing.actions(),
        *posing.tools.tools,
        Menu("Pose", 40),
        TimelineLane(posing.lane, 30),
        Bar(posing.make_bar, 10, "posing"),
        EditSection(PoseSection, 10),
        EditSection(lambda context: LimbLengths(), 20),
        JointSection(lambda: PoseValues(desk.session, desk.showing, posing.posing)),
        GroundFollower(AdaptToGround),
        Lesson("Try it: a wider stance", "Make the steps of a walk longer by one pose, in a minute", posing.teach),
        HelpPage("posing", "Posing", 30),
    )


POSING = VisibleFeature("posing", _begin)
