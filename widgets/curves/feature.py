"""What curves show."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from widgets.desk.feature import VisibleFeature

if TYPE_CHECKING:
    from widgets.desk.desk import Desk


def _begin(desk: "Desk") -> Iterable[object]:
    from widgets.curves.actions import CurveActions
    from widgets.desk.contributions import Area, HelpPage, Panel

    curves = CurveActions(desk)
    panel = curves.panel
    return (
        curves,
        *curves.actions(),
        Panel("Curves", panel, Area.BOTTOM, 80, ("Edit", "Timing", "Walk"), "curves", panel.editing.set_awake),
        HelpPage("curves", "Curves", 100),
    )


CURVES = VisibleFeature("curves", _begin)
