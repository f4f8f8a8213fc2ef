"""Joints at moments of their own, without jerks that the motion never had.

Joints side by side make up for each other: a hip that turns suddenly and a knee that turns back leave the foot at rest.
Drawn apart in time they no longer do (Coleman 2012, section 7.8). So where a point moves more suddenly than the motion
does, the bones on the way to it are smoothed around that moment: as they are turned in the world, where what one does
is not made up for by the next. Arrays are (J, ..., F) here, frames last.
"""

from dataclasses import replace

import numpy as np

from model.arrays import Array
from model.contacts import Mask
from model.kinematics import forward, local_cartesian
from model.motion import Motion
from model.roles import Role
from model.rotation import IDENTITY, conjugate, multiply, rotate, unroll
from model.smoothing import smoothed_rotations

# Points may jerk so many times as much as all but one in a hundred did before. Bones are smoothed in full where points
# jerk more than that by the second share.
_LIMIT, _FULL = 1.35, 0.5
# Smaller jerks, as third differences between frames, nobody sees.
_UNSEEN_M = 5e-5
# Bones that change by less are taken to be fixed.
_FIXED_M = 1e-3
# What a point did at a moment it did so much earlier and later as well.
_BESIDE_S = 0.015
# A bone that has less of a share in a jerk is left alone, one with twice as much takes part in full.
_SHARE = 0.12
# The window of the first smoothing, in seconds and frames at the least; how much wider the next ones are, and how many.
_WINDOW_S, _WINDOW_FRAMES, _WIDER, _ROUNDS = 0.12, 4.0, 1.5, 3


def softened(before: Motion, after: Motion, shown_s: Array) -> Motion:
    """A motion whose joints were moved in time, smoothed where it is more sudden than the one before it.

    shown_s : (F, J) the moment of the motion before that each joint shows. What a point did at the moments that the
    joints on the way to it show it may do again, however suddenly.
    """
    parents = after.skeleton.parents
    times = np.arange(float(after.frames)) * after.frame_time_s
    free = _and_below(parents, np.any(np.abs(shown_s - times[:, None]) > 1e-9, axis=0)) & ~_stretching(after)
    if after.frames < 8 or not np.any(free):
        return after
    limits = _limits(before, shown_s)
    # Not as the motion's own, which would stay with it.
    world = forward(parents, after.root_positions, after.local_rotations, after.local_offsets)
    turns = np.moveaxis(world.rotations, 0, -1)
    bones = np.array(np.moveaxis(local_cartesian(parents, world.positions), 0, -1))
    del world
    bone_jerks = _jerks(bones)
    changed = np.zeros(len(parents), dtype=bool)
    window = max(_WINDOW_S / after.frame_time_s, _WINDOW_FRAMES)
    for _ in range(_ROUNDS):
        excess = _jerks(_from_pelvis(after, bones)) / limits - 1.0
        if np.max(excess) <= 0.0:
            break
        needed = np.clip(_largest_below(parents, excess) / _FULL, 0.0, 1.0)
        taking_part = np.clip(bone_jerks / limits / _SHARE - 1.0, 0.0, 1.0)
        weights = _of_the_joints(parents, needed * taking_part)
        joints = np.flatnonzero(free & np.any(weights > 0.0, axis=-1)).tolist()
        if not len(joints):
            break
        for joint in joints:
            turns[joint] = _smoothed_near(turns[joint], weights[joint], window)
        changed[joints] = True
        below = [joint for joint, parent in enumerate(parents) if parent in joints]
        for joint in below:
            bones[joint] = rotate(turns[parents[joint]].T, after.local_offsets[..., joint, :]).T
            bone_jerks[joint] = _jerks(bones[joint : joint + 1])[0]
        window *= _WIDER
    if not np.any(changed):
        return after
    rotations = np.array(after.local_rotations)
    for joint, parent in enumerate(parents):
        if changed[joint] or (parent >= 0 and changed[parent]):
            above = turns[parent].T if parent >= 0 else IDENTITY
            rotations[:, joint] = multiply(conjugate(above), turns[joint].T)
    return replace(after, local_rotations=rotations)


def _limits(motion: Motion, shown_s: Array) -> Array:
    """(J, F - 3) how much each point may jerk. shown_s : (F, J), see `softened`."""
    from scipy.ndimage import maximum_filter1d  # slow to import

    parents = motion.skeleton.parents
    bones = np.moveaxis(local_cartesian(parents, motion.world.positions), 0, -1)
    jerks = _jerks(_from_pelvis(motion, bones))
    usual = max(_LIMIT * float(np.percentile(jerks, 99.0)), _UNSEEN_M)
    beside = int(np.ceil(_BESIDE_S / motion.frame_time_s))
    jerks = maximum_filter1d(jerks, 2 * beside + 1, axis=-1)
    frames = np.arange(float(jerks.shape[-1]))
    shown = np.ascontiguousarray(shown_s[: len(frames)].T) / motion.frame_time_s
    limits = np.maximum(jerks, usual)
    for joint in np.flatnonzero(np.max(jerks, axis=-1) > usual).tolist():
        above = parents[joint]
        while above >= 0:
            np.maximum(limits[joint], np.interp(shown[above], frames, jerks[joint]), out=limits[joint])
            above = parents[above]
    return limits


def _from_pelvis(motion: Motion, bones: Array) -> Array:
    """(J, 3, F) where joints are, of bones (J, 3, F) from their parents to them."""
    points = np.array(bones)
    points[0] = 0.0
    for joint, parent in enumerate(motion.skeleton.parents):
        if parent >= 0:
            points[joint] += points[parent]
    points -= np.array(points[motion.skeleton.joint(Role.PELVIS) or 0])
    return points


def _jerks(points: Array) -> Array:
    """(J, F - 3) how suddenly points (J, 3, F) move: their third differences."""
    jerks = np.empty((len(points), points.shape[-1] - 3))
    for joint, curves in enumerate(points):
        third = np.diff(curves, 3, axis=-1)
        jerks[joint] = np.sqrt(np.sum(third * third, axis=0))
    return jerks


def _smoothed_near(turns: Array, weights: Array, window: float) -> Array:
    """Rotations (4, F), smoothed where weights (F - 3,) are, and around it."""
    from scipy.ndimage import gaussian_filter1d, maximum_filter1d  # slow to import

    near = np.pad(weights, (1, 2), mode="edge")
    near = maximum_filter1d(near, 2 * int(np.ceil(0.5 * window)) + 1)
    near = gaussian_filter1d(near, 0.3 * window, mode="nearest")
    rotations = unroll(turns.T)
    calm, mixed = smoothed_rotations(rotations, window, keep_peaks=True).T, rotations.T
    mixed = mixed + near * (calm - mixed)
    return np.asarray(mixed / np.sqrt(np.sum(mixed * mixed, axis=0)))


def _largest_below(parents: tuple[int, ...], values: Array) -> Array:
    """(J, F) the largest of values (J, F) of a joint and of all that hangs on it."""
    largest = np.array(values)
    for joint in reversed(range(len(parents))):
        if parents[joint] >= 0:
            np.maximum(largest[parents[joint]], largest[joint], out=largest[parents[joint]])
    return largest


def _of_the_joints(parents: tuple[int, ...], values: Array) -> Array:
    """(J, F) the largest of values (J, F) of the bones that each joint turns."""
    largest = np.zeros(values.shape)
    for joint, parent in enumerate(parents):
        if parent >= 0:
            np.maximum(largest[parent], values[joint], out=largest[parent])
    return largest


def _stretching(motion: Motion) -> Mask:
    """(J,) which joints have bones that change in themselves: these make up for turns of the joint as well."""
    found = np.zeros(len(motion.skeleton), dtype=bool)
    if not motion.limbs_are_fixed:
        moving = np.any(np.ptp(motion.local_offsets, axis=0) > _FIXED_M, axis=-1)
        found[[parent for joint, parent in enumerate(motion.skeleton.parents) if parent >= 0 and moving[joint]]] = True
    return found


def _and_below(parents: tuple[int, ...], mask: Mask) -> Mask:
    """(J,) which joints are in a mask or hang on one that is."""
    found = np.array(mask)
    for joint, parent in enumerate(parents):
        if parent >= 0:
            found[joint] |= found[parent]
    return found
