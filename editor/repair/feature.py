"""Repaired frames and smoothing."""

from typing import TYPE_CHECKING

from editor.stack.contributions import CoreFeature

if TYPE_CHECKING:
    from model.clip import Edit


def _edits() -> "tuple[type[Edit], ...]":
    from editor.repair.edit import RepairFrames
    from editor.repair.smoothing import Smooth

    return RepairFrames, Smooth


REPAIR = CoreFeature("repair", edits=_edits)
