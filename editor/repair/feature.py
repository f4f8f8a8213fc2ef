"""Repaired frames and smoothing."""

from typing import TYPE_CHECKING

from editor.stack.contributions import CoreFeature, Verb, VerbModule

if TYPE_CHECKING:
    from model.clip import Edit


def _edits() -> "tuple[type[Edit], ...]":
    from editor.repair.edit import RepairFrames
    from editor.repair.smoothing import Smooth

    return RepairFrames, Smooth


def _verb() -> VerbModule:
    from editor.repair import verb

    return verb


REPAIR = CoreFeature(
    "repair",
    edits=_edits,
    verbs=(Verb("clean", "stop planted feet from sliding and sinking", _verb, place=60),),
)
