"""What ground contacts show."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from widgets.desk.feature import VisibleFeature

if TYPE_CHECKING:
    from widgets.desk.desk import Desk


def _begin(desk: "Desk") -> Iterable[object]:
    from widgets.contacts.lane import ContactLane
    from widgets.desk.contributions import TimelineLane

    return (TimelineLane(ContactLane(desk.document, desk.session, desk.showing, desk.widget), 50),)


CONTACTS = VisibleFeature("contacts", _begin)
