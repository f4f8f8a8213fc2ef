"""What staggered poses are: moments at which a body is in a pose, and how much earlier or later each joint is in it."""

from dataclasses import dataclass

import numpy as np

from model.arrays import Array, freeze
from model.roles import Role
from model.skeleton import Skeleton

# Poses nearer to each other than this are at one moment.
SAME_MOMENT_S = 1e-6


@dataclass(frozen=True, eq=False)
class StaggeredPoses:
    """N poses of J joints, in seconds. times_s : (N,) rising, the central times t_i; refinements_s : (N, J) by how much
    later each joint is in its extreme, r_ij. Coleman 2012, section 7.2.
    """

    times_s: Array
    refinements_s: Array

    def __post_init__(self) -> None:
        for name in ("times_s", "refinements_s"):
            object.__setattr__(self, name, freeze(np.array(getattr(self, name), dtype=np.float64)))
        if self.refinements_s.ndim != 2 or self.times_s.shape != self.refinements_s.shape[:1]:
            raise ValueError(
                f"times_s and refinements_s must be (N,) and (N, J), not {self.times_s.shape} and "
                f"{self.refinements_s.shape}"
            )
        if np.any(np.diff(self.times_s) <= 0.0):
            raise ValueError("times_s must rise")

    def __len__(self) -> int:
        return len(self.times_s)

    @property
    def knots_s(self) -> Array:
        """(N, J) when each joint is in its extreme."""
        return np.asarray(self.times_s[:, None] + self.refinements_s)

    def with_pose(self, time_s: float, refinements_s: Array) -> "StaggeredPoses":
        """One more pose. Raises ValueError where there is one at its moment."""
        if np.any(np.abs(self.times_s - time_s) < SAME_MOMENT_S):
            raise ValueError(f"there is a pose at {time_s:.3f} s already")
        place = int(np.searchsorted(self.times_s, time_s))
        return StaggeredPoses(
            np.insert(self.times_s, place, time_s), np.insert(self.refinements_s, place, refinements_s, axis=0)
        )

    def without_pose(self, number: int) -> "StaggeredPoses":
        """One pose less."""
        return StaggeredPoses(np.delete(self.times_s, number), np.delete(self.refinements_s, number, axis=0))


def depths_below(skeleton: Skeleton, joint: int) -> Array:
    """(J,) how many joints each is below another; 0 for that itself and for all that does not hang on it."""
    depths = np.zeros(len(skeleton))
    for one in skeleton.subtree(joint)[1:]:
        depths[one] = depths[skeleton.parents[one]] + 1.0
    return depths


def top_of_body(skeleton: Skeleton) -> int:
    """The joint on which the whole body hangs: the pelvis. Files may travel on joints above it, which are no part of
    the body; where trunk and legs hang side by side on another joint, it is that one.
    """
    top = skeleton.joint(Role.PELVIS) or 0
    parts = {joint for joint, role in enumerate(skeleton.roles) if role is not None}
    while skeleton.parents[top] >= 0 and not parts <= set(skeleton.subtree(top)):
        top = skeleton.parents[top]
    return top
