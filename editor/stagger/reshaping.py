"""Staggered poses given other values: the pose at a central time and the extremes that joints have around it change
together, and the motion passes over from pose to pose. Coleman 2012, section 7.3.
"""

from dataclasses import replace

import numpy as np

from editor.stagger.poses import StaggeredPoses
from editor.stagger.transitions import Transitions
from editor.stagger.warping import rotations_at
from model.arrays import Array
from model.contacts import Mask
from model.monotone import ease
from model.motion import Motion
from model.rotation import IDENTITY, blend_rotations, conjugate, multiply, power

# Knots nearer to each other than this are one: at a refinement of 0 the editing knot is the extreme knot.
_ONE_KNOT_S = 1e-4
# Between the knots of one pose and those of the next there must be this share of the time between both poses: change
# would come too suddenly in less.
_LEAST_GAP = 0.25


def non_staggered(motion: Motion, poses: StaggeredPoses) -> Array:
    """(N, J, 4) the extreme values: every joint as it is at its own knot. No moment of the motion shows such a pose
    unless nothing is staggered; it is a little more than the pose that is seen.
    """
    return _at(motion, poses.knots_s)


def true_poses(motion: Motion, poses: StaggeredPoses) -> Array:
    """(N, J, 4) the values at the central times, the editing knots: poses that the motion passes through."""
    return _at(motion, np.broadcast_to(poses.times_s[:, None], poses.knots_s.shape))


def away_from(values: Array, reference: Array, weight: float) -> Array:
    """(..., 4) what values are turned by to get farther from a reference: weight times their difference from it.

    values, reference : (..., 4). A weight of 1 doubles the difference, -1 takes it away.
    """
    return power(multiply(values, conjugate(reference)), weight)


def mean_pose(values: Array) -> Array:
    """(J, 4) the mean of poses (N, J, 4)."""
    return blend_rotations(np.moveaxis(values, 0, -2), np.full((values.shape[1], len(values)), 1.0 / len(values)))


def reshaped(
    motion: Motion,
    poses: StaggeredPoses,
    changes: Array,
    root_moves_m: Array | None = None,
    of_extremes: Mask | None = None,
) -> Motion:
    """The motion through poses of other values.

    changes : (N, J, 4) rotations in the parents' frames, applied after the joints' own, to the extreme and to the
    editing knot alike, so that nothing happens suddenly between them; root_moves_m : (N, 3). Between poses the sweep
    changes and the detail stays; before the first and behind the last the change is held. of_extremes : (N,) the poses
    whose extreme knots are meant first, where a joint is so late that it has no room for both; else the editing knots.
    """
    turned = np.any(np.abs(changes[..., 1:]) > 0.0, axis=(0, 2))
    joints = tuple(np.flatnonzero(turned).tolist())
    rotations, roots = motion.local_rotations, motion.root_positions
    if joints:
        rotations = np.array(rotations)
        meant = np.zeros(len(poses), dtype=bool) if of_extremes is None else of_extremes
        for group, knots, owners in _knots_of(motion, poses, joints, bool(np.any(meant))):
            transitions = Transitions.of(motion, group, knots)
            values = transitions.values(changes[owners][:, list(group)])
            rotations[:, list(group)] = values
    if root_moves_m is not None and np.any(root_moves_m):
        times = np.arange(float(motion.frames)) * motion.frame_time_s
        roots = roots + _eased_between(times, poses, root_moves_m)
    return replace(motion, local_rotations=rotations, root_positions=roots)


def _knots_of(
    motion: Motion, poses: StaggeredPoses, joints: tuple[int, ...], extremes_first: bool
) -> list[tuple[tuple[int, ...], Array, list[int]]]:
    """Groups of joints with their knots (K, N), and the number of the pose of each knot.

    A joint has both knots of each pose, extreme and editing one, where those of one pose are well before those of the
    next; else one of them.
    """
    groups: dict[tuple[int, ...], list[int]] = {}
    knots_of: dict[int, Array] = {}
    last_s = max(motion.duration_s, motion.frame_time_s)
    for joint in joints:
        centres, extremes = poses.times_s, poses.knots_s[:, joint]
        pairs = np.sort(np.stack([centres, extremes], axis=1), axis=1)
        if np.any(pairs[1:, 0] - pairs[:-1, 1] < _LEAST_GAP * np.diff(centres)):
            pairs = np.stack([extremes if extremes_first else centres] * 2, axis=1)
        owners, knots = [0], [min(0.0, float(pairs[0, 0])) - 1e-3]
        for n, pair in enumerate(pairs.tolist()):
            for moment in pair:
                if moment > knots[-1] + _ONE_KNOT_S:
                    knots.append(moment)
                    owners.append(n)
        knots.append(max(last_s, knots[-1]) + 1e-3)
        owners.append(len(poses) - 1)
        knots_of[joint] = np.array(knots)
        groups.setdefault(tuple(owners), []).append(joint)
    return [
        (tuple(group), np.stack([knots_of[joint] for joint in group], axis=1), list(owners))
        for owners, group in groups.items()
    ]


def _eased_between(times_s: Array, poses: StaggeredPoses, moves: Array) -> Array:
    """(F, 3) moves (N, 3) of the root, each reached at its knot, passing over from one to the next.

    What Bezier segments do whose controls move along with their knots.
    """
    knots = poses.knots_s[:, 0]
    part = np.clip(np.searchsorted(knots, times_s, side="right") - 1, 0, max(len(knots) - 2, 0))
    following = np.minimum(part + 1, len(knots) - 1)
    width = np.maximum(knots[following] - knots[part], 1e-9)
    u = ease((times_s - knots[part]) / width)[:, None]
    return np.asarray((1.0 - u) * moves[part] + u * moves[following])


def _at(motion: Motion, moments_s: Array) -> Array:
    """(N, J, 4) each joint's rotation at moments (N, J) of its own."""
    if not len(moments_s):
        return np.zeros((0, len(motion.skeleton), 4))
    return rotations_at(motion, moments_s, tuple(range(len(motion.skeleton))))


def no_change(poses: int, joints: int) -> Array:
    """(N, J, 4) changes that leave everything as it is."""
    return np.tile(IDENTITY, (poses, joints, 1))
