"""Exaggeration: extreme poses moved apart or together, and the whole motion with them, feet on the ground."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from editor.curves.keys import Keys
from editor.exaggerate.anatomy import PARTS
from editor.exaggerate.change import SPACES, Amounts, knot_frames
from editor.exaggerate.flight import raised
from editor.exaggerate.motion import SCOPES, exaggerated, turns_of
from editor.exaggerate.scaling import EVEN
from editor.posing.edit import TargetPose
from model.arrays import Array
from model.clip import Context, Edit, Take, setting
from model.derived import Deriver, uncached

# Far beyond what a slider needs; figure 8.4 goes so far.
_MOST = 20.0
# Poses at the clip's ends come up and fade over this time.
_FADE_S = 0.5


@dataclass(frozen=True)
class Exaggerate(Edit):
    """Makes a motion larger or more subtle by moving its extreme poses apart or together.

    It acts on the body as a whole, for steps become longer or shorter: it has neither a joint mask nor a range, but
    weights for parts of the body and a curve over time. At half strength joints are turned half as far.
    """

    kind: ClassVar[str] = "exaggerate"
    title: ClassVar[str] = "Exaggerate"
    reach: ClassVar[str] = "whole"

    amount: float = setting(
        1.5, "Amount", "x", 0.0, _MOST,
        tip="How far apart extreme poses get: 1 changes nothing, 2 is twice as far, 0.5 half as far.",
    )  # fmt: skip
    scope: str = setting(
        "body", "Extremes of", choices=SCOPES,
        tip="Poses of the whole body, which stays coordinated; extremes of each joint; a cartoon filter, to compare.",
    )  # fmt: skip
    space: str = setting(
        "cartesian", "Space", choices=SPACES,
        tip="Move joints apart in space, which stays plausible, or turn them apart, which adds up along limbs.",
    )  # fmt: skip
    bias: float = setting(
        EVEN, "Bias", "", 0.0, 1.0, tip="1 moves each pose away from the one before it, 0 from the one after, 0.5 both."
    )
    head: float = setting(1.0, "Head", "%", 0.0, 2.0, tip="How much of the amount the neck and head get.")
    trunk: float = setting(1.0, "Trunk", "%", 0.0, 2.0, tip="How much of the amount the pelvis and spine get.")
    left_arm: float = setting(1.0, "Left arm", "%", 0.0, 2.0, tip="How much of the amount the left arm gets.")
    right_arm: float = setting(1.0, "Right arm", "%", 0.0, 2.0, tip="How much of the amount the right arm gets.")
    left_leg: float = setting(1.0, "Left leg", "%", 0.0, 2.0, tip="How much of the amount the left leg gets.")
    right_leg: float = setting(1.0, "Right leg", "%", 0.0, 2.0, tip="How much of the amount the right leg gets.")
    keep_legs: bool = setting(
        False, "Keep legs", tip="Legs and pelvis stay as they are, and the body goes the way that it went."
    )
    jumps: bool = setting(
        False, "Higher jumps", tip="Jumps get higher, or lower, by the amount as well; they take as long as before."
    )
    limits: bool = setting(
        True, "Joint limits", tip="Knees and elbows do not bend the wrong way; limits that the file tells are kept."
    )
    over_time: Keys = setting(
        Keys(), "Over time", tip="How much of it there is at each moment, 0 to 1; without keys all of it, always."
    )
    time_s: float = setting(0.0, "Stay where it is at", "s", tip="The moment at whose place the body stays.")

    @property
    def weights(self) -> dict[str, float]:
        """How much of the amount each part of the body gets."""
        return {part: getattr(self, part) for part in PARTS}

    @property
    def amounts(self) -> Amounts:
        """What is done, as the kernels take it."""
        return Amounts(self.amount, self.space, self.bias, self.weights, self.keep_legs, self.limits)

    def apply(self, take: Take, context: Context) -> Take:
        if take.motion.frames < 2 or context.strength == 0.0 or self.amount == 1.0:
            return take
        times = context.to_source(np.arange(float(take.motion.frames)) * take.motion.frame_time_s)
        stays = round(float(context.to_stage(self.time_s)) / take.motion.frame_time_s)
        return exaggerated(
            take, self.amounts, self.scope,
            shares=context.strength * self.shares(times), jumps=self.jumps,
            stays=min(max(stays, 0), take.motion.frames - 1), derive=context.derived,
        )  # fmt: skip

    def as_poses(
        self, take: Take, to_source: Callable[[Array], Array], derive: Deriver = uncached
    ) -> tuple[TargetPose, ...]:
        """Target poses that do about the same: the extreme poses of the body as this edit would have them.

        take : the one that the edit is given, of two frames or more; to_source : from its time to the source's. What
        single joints do at extremes of their own is told at those of the body only.
        """
        motion, skeleton = take.motion, take.motion.skeleton
        turns = turns_of(take, self.amounts, self.scope, derive)
        frames = knot_frames(take, derive)
        times = to_source(frames.astype(np.float64) * motion.frame_time_s)
        shares = self.shares(times)
        joints = [n for n, joint in enumerate(turns.joints) if skeleton.resolve(skeleton.ref(joint)) == joint]
        higher = raised(motion, take.contacts, self.amount)[frames] if self.jumps else np.zeros(len(frames))
        gaps = np.maximum(np.diff(times, prepend=times[0] - _FADE_S, append=times[-1] + _FADE_S), 1e-3)
        return tuple(
            TargetPose(
                float(times[k]),
                tuple((skeleton.ref(turns.joints[n]), _plain(shares[k] * turns.vectors[frame, n])) for n in joints),
                (0.0, float(shares[k] * higher[k]), 0.0),
                float(gaps[k]),
                float(gaps[k + 1]),
                holds_root=bool(np.any(higher)),
            )
            for k, frame in enumerate(frames.tolist())
        )

    def shares(self, times_s: Array) -> Array:
        """(T,) how much of the change there is at moments of the source."""
        return np.clip(self.over_time.at(times_s), 0.0, 1.0) if len(self.over_time) else np.ones(len(times_s))


def _plain(vector: Array) -> tuple[float, float, float]:
    x, y, z = vector.tolist()
    return x, y, z
