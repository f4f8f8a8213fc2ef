"""Trim, retime and resample."""

from typing import TYPE_CHECKING

from editor.stack.contributions import CoreFeature

if TYPE_CHECKING:
    from model.clip import Edit


def _edits() -> "tuple[type[Edit], ...]":
    from editor.timing.edit import Resample, Retime, Trim

    return Trim, Retime, Resample


TIMING = CoreFeature("timing", edits=_edits)
