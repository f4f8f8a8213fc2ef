"""What a walk tells of the take that it made, for those who draw it."""

from dataclasses import dataclass

import numpy as np

from editor.walking.curve import Curve
from editor.walking.footprints import Footprint, footprints
from editor.walking.timeline import Fade, Style
from editor.walking.walk import Walk
from model.arrays import Array, freeze
from model.clip import Report, Take


@dataclass(frozen=True, eq=False)
class WalkReport(Report):
    """What a walk tells of its take. frame_time_s : of its F frames; places : (F, 2) x and z of the root; arc_m : (F,)
    how far along the curve each frame is; lean_rad, scales, fades : as a `Walk` has them, in the time of the take;
    curve : what was walked, corners rounded; styles : those that the fades number, each once.
    """

    frame_time_s: float
    places: Array
    arc_m: Array
    lean_rad: Array
    scales: Array
    fades: tuple[Fade, ...]
    curve: Curve
    styles: tuple[Style, ...]
    footprints: tuple[Footprint, ...]

    @staticmethod
    def of(walk: Walk, take: Take, curve: Curve, styles: tuple[Style, ...]) -> "WalkReport":
        """The report of a walk. take : what was made of it."""
        return WalkReport(
            take.motion.frame_time_s, freeze(np.array(take.motion.root_positions[:, [0, 2]])),
            walk.arc_m, walk.lean_rad, walk.scales, walk.fades, curve, styles, footprints(take),
        )  # fmt: skip

    @property
    def duration_s(self) -> float:
        return max(len(self.arc_m) - 1, 0) * self.frame_time_s
