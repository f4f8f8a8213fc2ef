"""Legs and arms bent so that ankles and wrists go where they should. Coleman 2012, section 6.6.4.

All limbs are solved at once. Bones do not stretch, for most files cannot carry that: where a leg is too short the
body sinks.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from editor.posing.grounded.curves import fading_weights
from model.arrays import Array
from model.contacts import Mask
from model.kinematics import WorldPose
from model.limbs import SOFT_ANGLE_RAD, solve_limb
from model.rotation import IDENTITY, conjugate, multiply, rotate

# How slowly the body gives way where a leg is too short.
_SINK_S = 0.16
# So long before and after a contact its foot must be in reach.
_NEAR_S = 0.12


@dataclass(frozen=True, eq=False)
class Reach:
    """Where a limb's end should be: places (F, 3), turns (F, 4) in the world; held : (F,) how much it matters."""

    joints: tuple[int, int, int]
    places: Array
    turns: Array
    held: Array
    carries: bool  # whether the body sinks for it


def bend_limbs(
    parents: tuple[int, ...], rotations: Array, world: WorldPose, move: Array, reaches: Sequence[Reach], sink_frames: float
) -> tuple[Array, Array]:
    """Local rotations (F, J, 4) and the root's move (F, 3) with which limbs reach.

    rotations, world : of the posed body, its root where it was; move : (F, 3) of the root. Frames in which a limb is
    where it should be keep their numbers.
    """
    if not reaches:
        return rotations, move
    chains = np.array([reach.joints for reach in reaches])
    hips, knees, ankles = (np.stack([world.positions[:, joint] for joint in chains[:, n]]) for n in range(3))
    ends = np.stack([reach.places for reach in reaches])
    move = move - _sink(hips + move, knees + move, ankles + move, ends, reaches, sink_frames)[:, None] * _UP
    hips, knees, ankles = hips + move, knees + move, ankles + move
    ends = np.where(np.max(np.abs(ends - ankles), axis=-1, keepdims=True) > _STILL_M, ends, ankles)
    turned = [_world(world, joint) for joint in chains[:, 0]]
    hinge = _hinges(np.stack(turned), hips, knees, ankles)
    solved = solve_limb(hips, knees, ankles, ends, hinge, max_stretch=0.0)
    result = np.array(rotations)
    for n, (reach, (hip, knee, ankle)) in enumerate(zip(reaches, chains.tolist(), strict=True)):
        upper, lower = solved.upper[n], solved.lower[n]
        bent = np.any(ends[n] != ankles[n], axis=-1)
        if np.any(bent):
            result[bent, hip] = _local(_above(world, parents, hip)[bent], multiply(upper, _world(world, hip))[bent])
            above = multiply(upper, _above(world, parents, knee))
            result[bent, knee] = _local(above[bent], multiply(lower, _world(world, knee))[bent])
        off = bent | (np.abs(np.sum(reach.turns * _world(world, ankle), axis=-1)) < 1.0 - 1e-15)
        above = multiply(lower, _above(world, parents, ankle))
        result[off, ankle] = _local(above[off], reach.turns[off])
    return result, move


_UP = np.array([0.0, 1.0, 0.0])
_STILL_M = 1e-9


def _local(above: Array, wanted: Array) -> Array:
    return multiply(conjugate(above), wanted)


def _world(world: WorldPose, joint: int) -> Array:
    return world.rotations[:, joint]


def _above(world: WorldPose, parents: tuple[int, ...], joint: int) -> Array:
    """(F, 4) how the parent of a joint is turned."""
    parent = parents[joint]
    return np.broadcast_to(IDENTITY, (len(world.rotations), 4)) if parent < 0 else world.rotations[:, parent]


def _hinges(thighs: Array, hips: Array, knees: Array, ankles: Array) -> Array:
    """(L, F, 3) the axes about which knees bend: how they bend where they do, carried by the thigh (L, F, 4)."""
    axes = np.cross(knees - hips, ankles - knees)
    mean = np.sum(rotate(conjugate(thighs), axes), axis=1, keepdims=True)
    size = _length(mean)[..., None]
    mean = np.where(size > 1e-9, mean / np.maximum(size, 1e-9), np.array([1.0, 0.0, 0.0]))
    return rotate(thighs, mean)


def _sink(hips: Array, knees: Array, ankles: Array, ends: Array, reaches: Sequence[Reach], sink_frames: float) -> Array:
    """(F,) how far the body must go down so that feet that matter are in reach, smoothly.

    No leg need be straighter than 170 degrees for it, or than the pose has it.
    """
    carrying = [n for n, reach in enumerate(reaches) if reach.carries]
    if not carrying:
        return np.zeros(hips.shape[1])
    hips, knees, ankles, ends = (array[carrying] for array in (hips, knees, ankles, ends))
    upper, lower = _length(knees - hips), _length(ankles - knees)
    straight = np.sqrt(upper**2 + lower**2 - 2.0 * upper * lower * np.cos(SOFT_ANGLE_RAD))
    longest = np.maximum(straight, _length(ankles - hips))
    wanted = ends - hips
    below = np.sqrt(np.maximum(longest**2 - wanted[..., 0] ** 2 - wanted[..., 2] ** 2, 0.0))
    missing = np.where(wanted[..., 1] < 0.0, -wanted[..., 1] - below, 0.0)
    held = np.stack([reaches[n].held for n in carrying])
    needed = np.max(np.where(missing > _STILL_M, held * missing, 0.0), axis=0)
    return _envelope(needed, sink_frames)


def _envelope(values: Array, frames: float) -> Array:
    """(F,) a smooth curve nowhere below `values` (F,): the largest nearby, averaged over as far."""
    if not np.any(values > 0.0):
        return values
    from scipy.ndimage import maximum_filter1d, uniform_filter1d

    half = max(1, round(0.5 * frames))
    most = maximum_filter1d(values, 4 * half + 1, mode="nearest")
    once = uniform_filter1d(most, 2 * half + 1, mode="nearest")
    return np.asarray(uniform_filter1d(once, 2 * half + 1, mode="nearest"))


def near_contacts(mask: Mask, frame_time_s: float) -> Array:
    """(F,) 1 where a foot rests and shortly before and after, fading to 0 where it is longer in the air."""
    from scipy.ndimage import maximum_filter1d, uniform_filter1d

    width = 2 * max(1, round(_NEAR_S / frame_time_s)) + 1
    near = maximum_filter1d(mask.astype(np.float64), width, mode="nearest")
    return np.asarray(uniform_filter1d(near, width, mode="nearest"))


def sink_frames(frame_time_s: float) -> float:
    return _SINK_S / frame_time_s


def _length(v: Array) -> Array:
    return np.asarray(np.sqrt(np.sum(v * v, axis=-1)))
