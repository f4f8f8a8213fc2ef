"""Edits and sources that have every sort of setting a form must cope with."""

from dataclasses import dataclass, field
from typing import ClassVar

from model.clip import Edit, setting
from model.skeleton import JointRef
from tests.stacks import Made


@dataclass(frozen=True)
class Knob:
    start_s: float
    reach_m: float = 0.5
    bend_rad: float | None = None
    count: int = 2


@dataclass(frozen=True)
class Everything(Edit):
    """Has one of each."""

    kind: ClassVar = "everything"
    title: ClassVar = "Everything"

    amount: float = setting(0.5, "Amount", low=0.0, high=1.0, tip="How much of it.")
    angle_rad: float = setting(0.0, "Angle", "rad", -3.2, 3.2)
    start_s: float | None = setting(None, "Start", "s", tip="When it starts.")
    count: int = setting(3, "Count", low=1, high=9)
    on: bool = setting(True, "On")
    how: str = setting("fast", "How", choices=("fast", "very_slow"))
    label: str = setting("", "Label")
    knots: tuple[tuple[float, float], ...] = setting((), "Knots")
    knobs: tuple[Knob, ...] = setting((), "Knobs")
    knob: Knob | None = setting(None, "Knob")
    joints: frozenset[JointRef] = setting(frozenset(), "Joints")
    hidden: int = field(default=7)

    def __post_init__(self):
        super().__post_init__()
        if any(not 0.0 <= value <= 10.0 for _, value in self.knots):
            raise ValueError("knots: values must be 0 to 10")

    def apply(self, take, context):
        return take


@dataclass(frozen=True)
class Walk(Made):
    kind: ClassVar = "walk"
    title: ClassVar = "Made walk"
    seconds: float = setting(2.0, "Length", "s", 0.1, 10.0)
