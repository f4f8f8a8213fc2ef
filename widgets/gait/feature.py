"""What made walks show."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from widgets.desk.feature import VisibleFeature

if TYPE_CHECKING:
    from widgets.desk.desk import Desk


def _begin(desk: "Desk") -> Iterable[object]:
    from editor.gait.source import ProceduralGait
    from editor.stack.clips import add_clip
    from widgets.desk.contributions import Action

    def new_walk() -> None:
        desk.document.do(add_clip, ProceduralGait(), "New walk")
        desk.session.look(clip=desk.document.project.clips[-1].id)
        desk.show_panel("Inspector")

    return (
        Action(
            "new_walk", "New &walk", "Clip", 110, "A walk made from a few settings", new_walk, "Ctrl+Shift+W", "walk",
            synonyms="generate procedural gait cycle",
        ),
    )  # fmt: skip


GAIT = VisibleFeature("gait", _begin)
