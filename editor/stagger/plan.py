"""What staggering does to a take, worked out but not carried out: which poses there are, and where every knot goes.

Views show a plan, edits carry it out (`carrying_out`).
"""

from dataclasses import dataclass

import numpy as np

from editor.stagger.finding import Evidence, Found
from editor.stagger.poses import StaggeredPoses
from editor.stagger.refining import HAND_SHARE, RULE_SHARE, in_order, near_neighbours
from model.arrays import Array
from model.contacts import Mask


@dataclass(frozen=True, eq=False)
class Asked:
    """What is asked of N poses and J joints, in seconds. by_rule_s : (N, J) how much later knots get by succession,
    chance and scale; by_hand_s : (N, J) what a hand adds to that; centres_s : (N,) where the poses are moved to.
    """

    by_rule_s: Array
    by_hand_s: Array
    centres_s: Array


@dataclass(frozen=True, eq=False)
class Plan:
    """Poses as they were found and as they shall be, in the take's own time.

    found : the poses and why they are there; after : where they go; before_s, after_s : (K, J) all knots with both ends
    of the motion, K = N + 2; centres_s : (K, 2) the central times before and after, likewise; paces : (K - 1, 2) of
    transitions, NaN for those that are left alone; stopped, near : (N, J) knots that had to stop before the next, and
    those that are nearer to a neighbouring pose than to their own.
    """

    evidence: Evidence
    found: Found
    after: StaggeredPoses
    before_s: Array
    after_s: Array
    centres_s: Array
    paces: Array
    stopped: Mask
    near: Mask

    @staticmethod
    def of(evidence: Evidence, found: Found, asked: Asked, paces: Array | None = None) -> "Plan":
        """Knots go where they are asked to, none beyond the next: rules first, then hands."""
        poses = found.poses
        before = _with_ends(poses.knots_s, evidence.duration_s)
        wanted = poses.knots_s + asked.by_rule_s
        ruled = in_order(before, _with_ends(wanted, evidence.duration_s), RULE_SHARE)
        moved = asked.by_hand_s + (asked.centres_s - poses.times_s)[:, None]
        wanted = ruled[1:-1] + moved
        after = in_order(before, _with_ends(wanted, evidence.duration_s), HAND_SHARE)
        centres = _with_ends(poses.times_s[:, None], evidence.duration_s)
        goals = in_order(centres, _with_ends(asked.centres_s[:, None], evidence.duration_s), HAND_SHARE)
        full = poses.knots_s + asked.by_rule_s + moved
        return Plan(
            evidence,
            found,
            StaggeredPoses(goals[1:-1, 0], after[1:-1] - goals[1:-1]),
            before,
            after,
            np.concatenate([centres, goals], axis=1),
            np.full((len(before) - 1, 2), np.nan) if paces is None else paces,
            np.abs(after[1:-1] - full) > 1e-4,
            near_neighbours(goals[1:-1, 0], after[1:-1]),
        )

    @property
    def moves_the_body(self) -> bool:
        """Whether poses are moved as a whole, or pass at another pace."""
        return not np.array_equal(self.centres_s[:, 0], self.centres_s[:, 1]) or bool(np.any(np.isfinite(self.paces)))

    @property
    def staggered(self) -> tuple[int, ...]:
        """The joints whose knots move otherwise than the poses they belong to."""
        moved = (self.after_s - self.before_s) - (self.centres_s[:, 1:] - self.centres_s[:, :1])
        return tuple(np.flatnonzero(np.any(np.abs(moved) > 1e-9, axis=0)).tolist())


def _with_ends(knots_s: Array, duration_s: float) -> Array:
    """Knots (N, J) with the first and last moment of the motion."""
    joints = knots_s.shape[1]
    return np.concatenate([np.zeros((1, joints)), knots_s, np.full((1, joints), duration_s)])
