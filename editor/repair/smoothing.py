"""Smoothing: the jitter of a recording taken out, in place and time."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from editor.contacts.feet import Limb, find_limb, planted_point
from editor.contacts.plant import reach
from model.arrays import Array
from model.clip import Context, Edit, Take, setting
from model.contacts import FEET, Contact, Contacts
from model.monotone import ease
from model.motion import Motion, reordered
from model.rotation import conjugate, multiply, slerp
from model.scope import blended_motion
from model.skeleton import Skeleton
from model.smoothing import smoothed, smoothed_rotations

# Over this time at least before and after it stands, a foot passes over from its place to where smoothing brings it.
_PASS_OVER_S = 0.1
# What moves at the ends of a contact, where the foot rolls on and off, must not reach its middle: windows are no
# longer than this share of it.
_WINDOW_SHARE = 0.3
# From this on a sunken body is lifted at the clip's ends; less cannot be seen.
_SUNK_M = 1e-4


@dataclass(frozen=True)
class Smooth(Edit):
    """Takes trembling out and leaves slow movement as it is, without delay.

    The clip begins and ends in the poses that it has now, and feet stay where they stand.
    """

    kind: ClassVar[str] = "smooth"
    title: ClassVar[str] = "Smooth"
    group: ClassVar[str] = "Clean up"

    window_s: float = setting(
        0.15, "Window", "s", 0.0, 10.0,
        tip="A movement to and fro that takes this long keeps half its size, a quicker one less.",
    )  # fmt: skip
    keep_peaks: bool = setting(
        True, "Keep peaks", tip="Leave the turning points of larger movements as high as they are; off is softer."
    )
    root: bool = setting(True, "Root", tip="Smooth where the body is, too, and not only how its joints are turned.")
    keep_contacts: bool = setting(
        True, "Keep contacts", tip="Feet on the ground stay where they stand: smoothing does not make them slide."
    )

    def apply(self, take: Take, context: Context) -> Take:
        motion = take.motion
        window = self.window_s / motion.frame_time_s
        if window <= 0.0 or motion.frames < 3:
            return take
        roots, offsets = motion.root_positions, motion.local_offsets
        if self.root:
            roots = smoothed(roots, window, self.keep_peaks)
        if not motion.limbs_are_fixed:
            offsets = smoothed(offsets, window, self.keep_peaks)
        rotations = smoothed_rotations(motion.local_rotations, window, self.keep_peaks)
        motion = replace(motion, root_positions=roots, local_rotations=rotations, local_offsets=offsets)
        if self.keep_contacts and any(take.contacts.limbs.values()):
            context.progress(0.5)
            motion = self._standing(take.motion, motion, take.contacts)
        return Take(motion, take.contacts)

    def _standing(self, before: Motion, after: Motion, contacts: Contacts) -> Motion:
        """The smoothed motion with feet that stand where and as they stood before."""
        joints = _legs(before.skeleton)
        legs = self._legs_standing(reordered(before, joints), reordered(after, joints), contacts)
        rotations = np.array(after.local_rotations)
        rotations[:, joints] = legs.local_rotations
        return _with_ends(replace(after, root_positions=legs.root_positions, local_rotations=rotations), before)

    def _legs_standing(self, before: Motion, after: Motion, contacts: Contacts) -> Motion:
        """As `_standing`, of a body.

        In a contact a foot is smoothed by itself, so that what it does before and after does not leak into it: the
        less is smoothed, the less differs from the motion before.
        """
        window = self.window_s / before.frame_time_s
        rotations = np.array(after.local_rotations)
        wanted = {}
        for name in FEET:
            limb, steps = find_limb(before.skeleton, name), contacts.limbs.get(name, ())
            if limb is None or limb.bends is None or not steps:
                continue
            weights = _weights(steps, before.frames, max(_PASS_OVER_S / before.frame_time_s, window))

            def alone(values: Array, turns: bool, steps: tuple[Contact, ...] = steps) -> Array:
                return _smoothed_in(steps, values, window, self.keep_peaks, turns)

            foot = slerp(after.world.rotations[:, limb.end], alone(before.world.rotations[:, limb.end], True), weights)
            above = after.world.rotations[:, before.skeleton.parents[limb.end]]
            rotations[:, limb.end] = multiply(conjugate(above), foot)
            if limb.toe is not None:
                toes = alone(before.local_rotations[:, limb.toe], True)
                rotations[:, limb.toe] = slerp(after.local_rotations[:, limb.toe], toes, weights)
            wanted[name] = limb, alone(planted_point(before, limb), False), weights
        turned = replace(after, local_rotations=rotations)
        return reach(turned, {name: _ankle(turned, *one) for name, one in wanted.items()})


def _legs(skeleton: Skeleton) -> tuple[int, ...]:
    """The joints that it takes to know where the feet are: of the legs, and those that carry them."""
    limbs = [limb for name in FEET if (limb := find_limb(skeleton, name)) is not None]
    joints = (joint for limb in limbs for joint in (limb.root, limb.middle, limb.end, limb.toe))
    return skeleton.with_ancestors([0, *(joint for joint in joints if joint is not None)])


def _with_ends(motion: Motion, wanted: Motion) -> Motion:
    """The motion with the first and last pose of another, where its body had to sink for feet near there."""
    sunk = np.abs(motion.root_positions[[0, -1]] - wanted.root_positions[[0, -1]])[:, 1]
    if not np.any(sunk > 0.0):
        return motion
    first, last = np.minimum(sunk / _SUNK_M, 1.0)
    at = np.arange(float(motion.frames)) * motion.frame_time_s / _PASS_OVER_S
    weights = 1.0 - np.maximum(first * ease(1.0 - at), last * ease(1.0 - at[::-1]))
    return blended_motion(wanted, motion, weights, np.ones(len(motion.skeleton), dtype=bool))


def _weights(steps: tuple[Contact, ...], frames: int, pass_over: float) -> Array:
    """(F,) 1 where a foot stands, passing over to 0 before and after within so many frames."""
    at = np.arange(float(frames))
    before, after = np.full(frames, -np.inf), np.full(frames, np.inf)  # the nearest frames in which it stands
    for step in steps:
        before[step.start : step.stop] = after[step.start : step.stop] = at[step.start : step.stop]
    before, after = np.maximum.accumulate(before), np.minimum.accumulate(after[::-1])[::-1]
    return ease(1.0 - np.minimum(at - before, after - at) / pass_over)


def _smoothed_in(steps: tuple[Contact, ...], values: Array, window: float, keep_peaks: bool, turns: bool) -> Array:
    """Values (F, ...) smoothed within each contact, and between them, by itself. turns : they are rotations."""
    smooth = smoothed_rotations if turns else smoothed
    result = np.array(values)
    edges = np.array([0, *(edge for step in steps for edge in (step.start, step.stop - 1)), len(values) - 1])
    firsts, lengths = edges[:-1], np.diff(edges) + 1
    for length in np.unique(lengths):  # spans of one length all at once
        frames = np.arange(length)[:, None] + firsts[lengths == length]
        result[frames] = smooth(values[frames], min(window, _WINDOW_SHARE * float(length)), keep_peaks)
    return result


def _ankle(motion: Motion, limb: Limb, points: Array, weights: Array) -> Array:
    """(F, 3) where the ankle must be for the foot's planted point to be at `points` (F, 3), as far as weights say."""
    moves = weights[:, None] * (points - planted_point(motion, limb))
    return np.asarray(motion.world.positions[:, limb.end] + moves)
