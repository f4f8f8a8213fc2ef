"""Place, mirror and walk in place."""

from typing import TYPE_CHECKING

from editor.stack.contributions import CoreFeature

if TYPE_CHECKING:
    from model.clip import Edit


def _edits() -> "tuple[type[Edit], ...]":
    from editor.placing.edit import InPlace, Mirror, Place

    return Place, Mirror, InPlace


PLACING = CoreFeature("placing", edits=_edits)
