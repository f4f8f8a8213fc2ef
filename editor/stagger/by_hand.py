"""What hands did to staggered poses: told by value, as an edit keeps it."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from editor.extrema.correct import ExtremeCorrection
from editor.stagger.poses import SAME_MOMENT_S
from editor.stagger.warping import MOST_PACE
from model.skeleton import JointRef

Vector = tuple[float, float, float]


@dataclass(frozen=True)
class StaggerChange:
    """What a hand did to one staggered pose, at time_s as it was found.

    to_s : where it is moved as a whole; knots : joints, each with how much later its knot gets; offsets : joints, each
    with a rotation vector in radians in its parent's frame, applied after its own rotation, to the pose and to the
    extreme values alike; of_extremes : whether those were meant first, where timing does not let both be; root_move_m :
    in the world. away : how many times farther from another pose it gets, of which
    away_from_s tells the moment, or from the mean of all poses. pace_before, pace_after : how fast the transition to it
    ends and the one from it starts, as a multiple of its mean; 0 eases in and out.
    """

    time_s: float
    to_s: float | None = None
    knots: tuple[tuple[JointRef, float], ...] = ()
    offsets: tuple[tuple[JointRef, Vector], ...] = ()
    root_move_m: Vector = (0.0, 0.0, 0.0)
    of_extremes: bool = False
    away: float = 0.0
    away_from_s: float | None = None
    pace_before: float | None = None
    pace_after: float | None = None

    def __post_init__(self) -> None:
        for vector in (self.root_move_m, *(vector for _, vector in self.offsets)):
            if len(vector) != 3 or not np.all(np.isfinite(vector)):
                raise ValueError(f"{vector} is not a vector of three numbers")
        for name, given in (("knots", self.knots), ("offsets", self.offsets)):
            if len(given) != len({ref for ref, _ in given}):
                raise ValueError(f"{name}: a joint is named twice")
        for name in ("pace_before", "pace_after"):
            pace = getattr(self, name)
            if pace is not None and not 0.0 <= pace <= MOST_PACE:
                raise ValueError(f"{name} is {pace}; it must be 0 to {MOST_PACE:g}")

    @property
    def is_nothing(self) -> bool:
        """Whether the pose is as it was found."""
        return self == StaggerChange(self.time_s)


@dataclass(frozen=True)
class Round:
    """What hands did with one set of poses. corrections : poses added and removed before that; changes : what was done
    to single poses, each known by its moment.
    """

    corrections: tuple[ExtremeCorrection, ...] = ()
    changes: tuple[StaggerChange, ...] = ()

    def __post_init__(self) -> None:
        times = sorted(change.time_s for change in self.changes)
        if any(later - earlier < SAME_MOMENT_S for earlier, later in pairwise(times)):
            raise ValueError("changes: two of them are at the same moment")
