"""What the figures of quality show."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from widgets.desk.feature import VisibleFeature

if TYPE_CHECKING:
    from widgets.desk.desk import Desk


def _begin(desk: "Desk") -> Iterable[object]:
    from widgets.desk.contributions import HelpPage, ToolBarItem
    from widgets.quality.chips import QualityChips

    chips = QualityChips(desk.document, desk.session, desk.showing, desk.jobs)
    return chips, ToolBarItem(chips, 10, "quality"), HelpPage("quality", "Quality", 150)


QUALITY = VisibleFeature("quality", _begin)
