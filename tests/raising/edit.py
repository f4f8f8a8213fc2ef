"""The edit."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from motionwright.model.clip import Edit, setting


@dataclass(frozen=True)
class Raise(Edit):
    """Puts a body higher above the floor."""

    kind: ClassVar = "raise_body"
    title: ClassVar = "Raise"
    by_m: float = setting(0.5, "By", unit="m", low=-10.0, high=10.0)

    def apply(self, take, context):
        up = np.array([0.0, self.by_m, 0.0])
        return replace(take, motion=replace(take.motion, root_positions=take.motion.root_positions + up))
