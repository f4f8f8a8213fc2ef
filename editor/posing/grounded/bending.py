"""Legs and arms bent so that ankles and wrists go where they should. Coleman 2012, section 6.6.4.

All limbs are solved at once. Bones do not stretch, for most files cannot carry that: where a leg is too short the
body sinks.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from editor.posing.grounded.posed import PosedJoints
from model.arrays import Array
from model.contacts import Mask
from model.limbs import SOFT_ANGLE_RAD, solve_limb
from model.monotone import ease
from model.rotation import conjugate, multiply, rotate

# How slowly the body gives way where a leg is too short.
_SINK_S = 0.16
# So long before and after a contact its foot must be in reach.
_NEAR_S = 0.12
# So long before and after a target the body rises to where its pose has it, if that leaves feet in reach but for this.
_NOTCH_S, _SHORT_M = (0.25, 0.2, 0.15, 0.12, 0.1, 0.08, 0.06, 0.04, 0.025), 0.0003
# It rises by no more than this times the square of that time: it shall not hop.
_HOP_M_S2 = 3.0
_UP = np.array([0.0, 1.0, 0.0])
_STILL_M, _STILL_RAD = 1e-9, 1e-12


@dataclass(frozen=True, eq=False)
class Reach:
    """Where a limb's end should be: places (F, 3), turns (F, 4) in the world; standing : (F,) whether it rests;
    straight : (F,) how straight the limb was, 1 for a limb stretched out.
    """

    joints: tuple[int, int, int]
    places: Array
    turns: Array
    standing: Mask
    straight: Array


def bend_limbs(
    rotations: Array,
    posed: PosedJoints,
    move: Array,
    reaches: Sequence[Reach],
    targets: Sequence[int],
    frame_time_s: float,
) -> tuple[Array, Array]:
    """Local rotations (F, J, 4) and the root's move (F, 3) with which limbs reach.

    rotations, posed : of the posed body, its root where it was; move : (F, 3) of the root; targets : frames in which it
    sinks no more than it must. Frames in which a limb is where it should be keep their numbers.
    """
    if not reaches:
        return rotations, move
    hips, knees, ankles = (np.stack([posed.position(reach.joints[n]) for reach in reaches]) + move for n in range(3))
    ends = np.stack([reach.places for reach in reaches])
    straight = np.stack([reach.straight for reach in reaches])
    short = missing(hips, knees, ankles, ends, straight, _at_targets(targets, hips.shape[1], frame_time_s))
    if np.any(short):
        needed = np.max(np.stack([_near(reach.standing, frame_time_s) for reach in reaches]) * short, axis=0)
        firmly = np.max(np.stack([reach.standing for reach in reaches]) * short, axis=0)
        down = _sink(needed, firmly, targets, frame_time_s)[:, None] * _UP
        move, hips, knees, ankles = move - down, hips - down, knees - down, ankles - down
    still = np.all(np.abs(ends - ankles) <= _STILL_M, axis=-1)
    ends[still] = ankles[still]
    hinge = _hinges(np.stack([posed.rotation(reach.joints[0]) for reach in reaches]), hips, knees, ankles)
    solved = solve_limb(hips, knees, ankles, ends, hinge, max_stretch=0.0)
    result = np.array(rotations)
    for reach, upper, lower, bent in zip(reaches, solved.upper, solved.lower, ~still, strict=True):
        _turn(result, posed, reach, upper, lower, bent)
    return result, move


def _turn(result: Array, posed: PosedJoints, reach: Reach, upper: Array, lower: Array, bent: Mask) -> None:
    """Turn a limb's joints in `result` (F, J, 4) where it bends, and its end where that is turned elsewhere."""
    hip, knee, ankle = reach.joints
    frames: Mask | slice = slice(None) if np.all(bent) else bent
    if np.any(bent):
        upper_above = multiply(upper, posed.above(knee))
        result[frames, hip] = _local(posed.above(hip), multiply(upper, posed.rotation(hip)))[frames]
        result[frames, knee] = _local(upper_above, multiply(lower, posed.rotation(knee)))[frames]
    now = posed.rotation(ankle)
    apart = np.minimum(np.max(np.abs(reach.turns - now), axis=-1), np.max(np.abs(reach.turns + now), axis=-1))
    off = bent | (apart > _STILL_RAD)
    above = multiply(lower, posed.above(ankle))
    result[off, ankle] = _local(above[off], reach.turns[off])


def _local(above: Array, wanted: Array) -> Array:
    return multiply(conjugate(above), wanted)


def _hinges(thighs: Array, hips: Array, knees: Array, ankles: Array) -> Array:
    """(L, F, 3) the axes about which knees bend: how they bend where they do, carried by the thigh (L, F, 4)."""
    axes = np.cross(knees - hips, ankles - knees)
    mean = np.sum(rotate(conjugate(thighs), axes), axis=1, keepdims=True)
    size = _length(mean)[..., None]
    mean = np.where(size > 1e-9, mean / np.maximum(size, 1e-9), np.array([1.0, 0.0, 0.0]))
    return rotate(thighs, mean)


def straightness(hips: Array, knees: Array, ankles: Array) -> Array:
    """(...) how far limbs reach of what they could, 0 to 1."""
    return np.asarray(_length(ankles - hips) / np.maximum(_length(knees - hips) + _length(ankles - knees), 1e-9))


def missing(hips: Array, knees: Array, ankles: Array, ends: Array, was: Array, as_posed: Array | float = 1.0) -> Array:
    """(...) how much too short limbs are to reach down to their ends.

    hips, knees, ankles : (..., 3) as they are posed; ends : (..., 3). No leg need be straighter for it than 170
    degrees, or than it was (...) in the original, or, as far as the pose counts (...), than the pose has it: elsewhere
    knees would lock before they are needed.
    """
    upper, lower = _length(knees - hips), _length(ankles - knees)
    straight = np.sqrt(upper**2 + lower**2 - 2.0 * upper * lower * np.cos(SOFT_ANGLE_RAD))
    longest = np.maximum(straight, was * (upper + lower))
    longest = longest + as_posed * np.maximum(_length(ankles - hips) - longest, 0.0)
    wanted = ends - hips
    below = np.sqrt(np.maximum(longest**2 - wanted[..., 0] ** 2 - wanted[..., 2] ** 2, 0.0))
    short = np.where(wanted[..., 1] < 0.0, -wanted[..., 1] - below, 0.0)
    return np.where(short > _STILL_M, short, 0.0)


def _sink(needed: Array, firmly: Array, targets: Sequence[int], frame_time_s: float) -> Array:
    """(F,) a smooth curve nowhere below what is needed (F,), but near a target that fits the ground, for whose limbs in
    contact nothing is missing: there it comes up to meet the pose.
    """
    if not np.any(needed > 0.0):
        return needed
    from scipy.ndimage import maximum_filter1d, uniform_filter1d

    half = max(1, round(0.5 * _SINK_S / frame_time_s))
    most = maximum_filter1d(needed, 4 * half + 1, mode="nearest")
    for _ in range(2):
        most = uniform_filter1d(most, 2 * half + 1, mode="nearest")
    sink = np.maximum(most, 0.0)
    for target in targets:
        if sink[target] > 0.0 and firmly[target] <= 0.1 * _SHORT_M:
            _notch(sink, firmly, target, frame_time_s)
    return sink


def _notch(sink: Array, firmly: Array, target: int, frame_time_s: float) -> None:
    """Take `sink` (F,) to zero at a target, over the longest time that leaves what limbs in contact need (F,)."""
    for over_s in _NOTCH_S:
        wide = max(round(over_s / frame_time_s), 1)
        if sink[target] > _HOP_M_S2 * (wide * frame_time_s) ** 2:
            return  # the body would hop
        near = np.arange(max(target - wide, 0), min(target + wide + 1, len(sink)))
        less = sink[near] * ease(np.abs(near - target) / wide)
        if np.all(less >= firmly[near] - _SHORT_M):
            sink[near] = less
            return


def _at_targets(targets: Sequence[int], frames: int, frame_time_s: float) -> Array:
    """(F,) 1 at targets, fading to 0 beside them."""
    weights = np.zeros(frames)
    wide = max(round(_NEAR_S / frame_time_s), 1)
    for target in targets:
        near = np.arange(max(target - wide, 0), min(target + wide + 1, frames))
        weights[near] = np.maximum(weights[near], ease(1.0 - np.abs(near - target) / wide))
    return weights


def _near(mask: Mask, frame_time_s: float) -> Array:
    """(F,) 1 where a foot rests and shortly before and after, fading to 0 where it is longer in the air."""
    from scipy.ndimage import maximum_filter1d, uniform_filter1d

    wide = max(1, round(_NEAR_S / frame_time_s))
    near = maximum_filter1d(mask.astype(np.float64), 4 * wide + 1, mode="nearest")
    return np.asarray(uniform_filter1d(near, 2 * wide + 1, mode="nearest"))


def _length(v: Array) -> Array:
    x, y, z = v[..., 0], v[..., 1], v[..., 2]
    return np.asarray(np.sqrt(x * x + y * y + z * z))
