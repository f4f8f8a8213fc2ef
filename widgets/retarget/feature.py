"""What putting clips on other bodies shows."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from widgets.desk.feature import VisibleFeature

if TYPE_CHECKING:
    from widgets.desk.desk import Desk


def _begin(desk: "Desk") -> Iterable[object]:
    from editor.retarget.mapping import Pair
    from model.character import Character
    from widgets.common.setting_kinds import EditorMaker
    from widgets.desk.contributions import Area, HelpPage, Panel
    from widgets.retarget.actions import RetargetActions
    from widgets.retarget.setting_editors import PANEL, CharacterEditor, MappingEditor

    retarget = RetargetActions(desk)
    panel = retarget.panel
    return (
        retarget,
        *retarget.actions(),
        Panel(PANEL, panel, Area.BOTTOM, 90, (), "retarget", panel.set_awake, panel.characters),
        EditorMaker(lambda setting: setting.inner is Character, CharacterEditor),
        EditorMaker(lambda setting: setting.row_type is Pair, MappingEditor),
        HelpPage("retarget", "Other bodies", 120),
    )


RETARGET = VisibleFeature("retarget", _begin)
