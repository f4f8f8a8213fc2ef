"""What exaggeration shows."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from widgets.desk.feature import VisibleFeature

if TYPE_CHECKING:
    from widgets.desk.desk import Desk


def _begin(desk: "Desk") -> Iterable[object]:
    from editor.curves.keys import Keys
    from widgets.common.setting_kinds import EditorMaker
    from widgets.desk.contributions import Action, Area, HelpPage, Panel
    from widgets.exaggerate.panel import ExaggeratePanel
    from widgets.exaggerate.share_curve import ShareCurveEditor

    panel = ExaggeratePanel(desk.document, desk.session, desk.showing, desk.jobs)
    panel.ghost_wanted.connect(lambda: desk.trigger("ghosts"))
    return (
        Action(
            "exaggerate", "E&xaggerate…", "Clip", 160, "Make the motion larger or more subtle by its extreme poses",
            lambda: desk.show_panel("Exaggerate"), is_enabled=lambda: desk.clip is not None, synonyms="amplify cartoon",
        ),
        Panel("Exaggerate", panel, Area.RIGHT, 50, ("Edit",), "exaggerate", panel.set_awake, panel.amount),
        EditorMaker(lambda setting: setting.inner is Keys, ShareCurveEditor),
        HelpPage("exaggerate", "Exaggerate", 70),
    )  # fmt: skip


EXAGGERATE = VisibleFeature("exaggerate", _begin)
