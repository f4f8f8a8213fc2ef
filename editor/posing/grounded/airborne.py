"""Target poses of limbs that are in the air: met as they are, and out of the ground.

The end of Coleman 2012, sections 6.6.3 and 6.6.4: what is laid over a limb is bounded by the contacts on either side.
"""

from collections.abc import Sequence

import numpy as np

from editor.contacts.feet import limb_points, tip_offset
from editor.posing.grounded.asked import Override, Target, bounds, faded_in_gap, targets_within
from editor.posing.grounded.bending import Reach, bend_limbs
from editor.posing.grounded.footing import Footing, heights_at, on_floor
from editor.posing.grounded.posed import PosedJoints
from editor.posing.grounded.swing import cleared
from model.arrays import Array, IntArray
from model.contacts import Contact, intervals
from model.ground import Ground
from model.motion import Motion
from model.rotation import conjugate, from_rotation_vector, multiply, rotate, to_rotation_vector

# Turns smaller than this are rounding.
_NO_TURN_RAD = 1e-12
# A pose right beside a contact is met as far as joints need not turn faster than this to get there.
_FASTEST_RAD_S = 10.0


class Swings:
    """The gaps between contacts in which there are targets, limb by limb."""

    def __init__(
        self, motion: Motion, posed: PosedJoints, move: Array, footings: Sequence[Footing], targets: Sequence[Target]
    ) -> None:
        """motion : whose skeleton and offsets are taken; posed : its root where it was; move : (F, 3) of the root."""
        self._motion, self._posed, self._move, self._targets = motion, posed, move, targets
        self.overrides: list[Override] = []
        self._gaps = [(footing, self._gaps_of(footing)) for footing in footings]

    def _gaps_of(self, footing: Footing) -> "_Gaps":
        return targets_within(intervals(~footing.mask), self._targets)

    def restored(self, rotations: Array, asked: Array, flat: Array) -> Array:
        """Rotations (F, J, 4) with the targets met that fall into gaps, fading with the pose, and to nothing where a
        contact begins or ends. asked : (F, J, 4) the poses as they were asked for; flat : those that the limbs were
        bent from, with toes as they were.
        """
        result, skeleton = rotations, self._motion.skeleton
        for footing, every in self._gaps:
            firm = [(gap, [one for one in inside if not one.is_loose]) for gap, inside in every]
            gaps = [(gap, inside) for gap, inside in firm if inside]
            if not gaps:
                continue
            end = footing.limb.end
            below = [j for j in skeleton.subtree(end)[1:] if asked is not flat and np.any(asked[:, j] != flat[:, j])]
            joints = [*footing.bends, *below]
            targets = [one for _, inside in gaps for one in inside]
            at = np.ix_([one.frame for one in targets], joints)
            apart = to_rotation_vector(multiply(asked[at], conjugate(rotations[at])))
            if np.max(np.abs(apart)) < _NO_TURN_RAD:
                continue
            over = self._over(footing, gaps, apart)
            frames = _frames(gaps)
            result = np.array(rotations) if result is rotations else result
            result[frames[:, None], joints] = multiply(from_rotation_vector(over), rotations[frames[:, None], joints])
        return result

    def _over(self, footing: Footing, gaps: "_Gaps", apart: Array) -> Array:
        """(N, J, 3) what is laid over J joints in all frames of the gaps. apart : (K, J, 3) at all their targets."""
        over, done = [], 0
        for gap, targets in gaps:
            some = apart[done : done + len(targets)]
            some = some * self._shares(footing, gap, targets, some)[:, None, None]
            over.append(faded_in_gap(gap, targets, self._motion.frames, some))
            done += len(targets)
        return np.concatenate(over)

    def _shares(self, footing: Footing, gap: Contact, targets: Sequence[Target], apart: Array) -> Array:
        """(K,) how far each target can be met, given what joints are to be turned by (K, J, 3)."""
        low, high = bounds(gap, self._motion.frames)
        at = np.array([float(one.frame) for one in targets])
        time_s = np.minimum(at - low, high - at) * self._motion.frame_time_s
        size = np.sqrt(np.max(np.sum(apart * apart, axis=-1), axis=1))
        shares = np.minimum(1.0, _FASTEST_RAD_S * time_s / np.maximum(size, _NO_TURN_RAD))
        for target, share, most in zip(targets, shares, size, strict=True):
            if share < 1.0:
                self.overrides.append(Override(footing.name, target.frame, 0.0, float((1.0 - share) * most)))
        return np.asarray(shares)

    def lifted(self, rotations: Array, before: Motion, ground: Ground, edited: Ground) -> Array:
        """Rotations (F, J, 4) with limbs bent out of the ground in gaps with targets, no deeper than they were before.

        before : the original motion, on `ground`; edited : what it stands on now.
        """
        for footing, gaps in self._gaps:
            if not gaps:
                continue
            frames = _frames(gaps)
            limb = footing.limb
            last = limb.end if limb.toe is None else limb.toe
            chain = self._motion.skeleton.chain(footing.bends[0], last)
            now = self._posed.limb(self._motion, rotations, chain, frames, self._move)
            points, was = self._points(footing, now), limb_points(before, limb)[frames]
            sunk = np.maximum(heights_at(ground, on_floor(was)) - was[..., 1], 0.0)
            above = points[..., 1] - points[:, :1, 1]
            floor, heights = np.full(before.frames, -np.inf), np.zeros(before.frames)
            floor[frames] = np.max(heights_at(edited, on_floor(points)) - above - sunk, axis=1)
            heights[frames] = points[:, 0, 1]
            higher = cleared(heights, floor, footing, before.frame_time_s, [one.frame for one in self._targets])
            if higher is not heights:
                rotations = self._raised(rotations, footing, frames, now, higher[frames])
        return rotations

    def _points(self, footing: Footing, now: PosedJoints) -> Array:
        """(N, P, 3) ankle, toe and tip of a limb, as `limb_points` has them."""
        limb = footing.limb
        joints = [limb.end] if limb.toe is None else [limb.end, limb.toe]
        points = [now.position(joint) for joint in joints]
        tip = tip_offset(self._motion.skeleton, limb)
        if tip is not None:
            points.append(points[-1] + rotate(now.rotation(joints[-1]), tip))
        return np.stack(points, axis=1)

    def _raised(self, rotations: Array, footing: Footing, frames: IntArray, now: PosedJoints, heights: Array) -> Array:
        """Rotations (F, J, 4) with an ankle at other heights (N,) in some frames (N,)."""
        ankle = now.position(footing.limb.end)
        places = np.stack([ankle[:, 0], heights, ankle[:, 2]], axis=-1)
        free = np.zeros(len(frames))
        reach = Reach(footing.bends, places, now.rotation(footing.limb.end), free > 0.0, free)
        bent, _ = bend_limbs(rotations[frames], now, np.zeros((len(frames), 3)), [reach], (), self._motion.frame_time_s)
        result = np.array(rotations)
        result[frames] = bent
        return result


_Gaps = list[tuple[Contact, list[Target]]]


def _frames(gaps: _Gaps) -> IntArray:
    """All frames of gaps."""
    return np.concatenate([np.arange(gap.start, gap.stop) for gap, _ in gaps])
