"""Left becomes right: a motion reflected in an upright plane, on the same skeleton."""

from dataclasses import replace

import numpy as np

from model.arrays import Array
from model.kinematics import align, local_from_world
from model.motion import Motion
from model.roles import mirror_pairs
from model.rotation import IDENTITY, conjugate, multiply, rotate
from model.skeleton import Skeleton


def reflect(vectors: Array, normal: Array) -> Array:
    """Vectors mirrored in the plane through the origin with this unit normal. (..., 3)."""
    return np.asarray(vectors - 2.0 * np.sum(vectors * normal, axis=-1, keepdims=True) * normal)


def reflect_rotations(rotations: Array, world_normal: Array, rest_normal: Array) -> Array:
    """S_w R S_r for rotations R and the reflections S_w, S_r with these unit normals. (..., 4).

    A reflection is the half turn about its normal times -1; the two signs cancel.
    """
    half_world = np.concatenate([np.zeros(1), world_normal])
    half_rest = np.concatenate([np.zeros(1), rest_normal])
    return multiply(multiply(half_world, rotations), half_rest)


def sagittal_normal(skeleton: Skeleton) -> Array:
    """The left-right direction of the rest pose: of the way from each right joint to its left one.

    Snapped to an axis where it lies within a degree of it, so that symmetric bodies mirror exactly;
    X where the skeleton has no pairs.
    """
    pairs = mirror_pairs(skeleton.names, skeleton.roles)
    positions = skeleton.rest_positions()
    across = [
        positions[joint] - positions[other]
        for joint, other in enumerate(pairs)
        if other > joint and np.any(positions[joint] != positions[other])
    ]
    if not across:
        return np.array([1.0, 0.0, 0.0])
    scatter = np.einsum("ni,nj->ij", across, across)
    normal = np.linalg.eigh(scatter)[1][:, -1]
    axis = int(np.argmax(np.abs(normal)))
    if abs(normal[axis]) > np.cos(np.radians(1.0)):
        return np.asarray(np.eye(3)[axis])
    return np.asarray(normal)


def mirrored(motion: Motion, normal: Array | None = None, point: Array | None = None) -> Motion:
    """The motion seen in a mirror, played by the same skeleton with left and right exchanged.

    The mirror stands at `point` (3,) (the world's origin) with the unit `normal` (3,) (X). Each joint
    takes the reflected world rotation of its counterpart, corrected by the constant rotation between
    its own bones and the counterpart's mirrored ones, which is none on symmetric skeletons. Limb
    lengths stay the skeleton's own. Mirroring twice gives the motion back.
    """
    skeleton = motion.skeleton
    world_normal = np.array([1.0, 0.0, 0.0]) if normal is None else np.asarray(normal, dtype=np.float64)
    origin = np.zeros(3) if point is None else np.asarray(point, dtype=np.float64)
    rest_normal = sagittal_normal(skeleton)
    pairs = list(mirror_pairs(skeleton.names, skeleton.roles))
    corrections = np.stack([_bone_correction(skeleton, pairs, joint, rest_normal) for joint in range(len(pairs))])
    reflected = reflect_rotations(motion.world.rotations[:, pairs], world_normal, rest_normal)
    world_rotations = multiply(reflected, corrections)
    offsets = motion.local_offsets
    if not motion.limbs_are_fixed:
        offsets = _mirrored_offsets(motion, pairs, world_normal, rest_normal, corrections)
    return replace(
        motion,
        root_positions=reflect(motion.root_positions - origin, world_normal) + origin,
        local_rotations=local_from_world(skeleton.parents, world_rotations),
        local_offsets=offsets,
        origin=motion.origin,
    )


def _bone_correction(skeleton: Skeleton, pairs: list[int], joint: int, rest_normal: Array) -> Array:
    """The rotation from a joint's bones to the mirrored bones of its counterpart."""
    bones, wanted = [], []
    for child in skeleton.children[joint]:
        if skeleton.parents[pairs[child]] == pairs[joint]:
            bones.append(skeleton.offsets[child])
            wanted.append(skeleton.offsets[pairs[child]])
    tips = [site.offset for site in skeleton.end_sites if site.joint == joint]
    other_tips = [site.offset for site in skeleton.end_sites if site.joint == pairs[joint]]
    if len(tips) == len(other_tips):
        bones += tips
        wanted += other_tips
    if not bones:
        return IDENTITY
    sources, targets = np.array(bones), reflect(np.array(wanted), rest_normal)
    scale = float(np.max(np.abs(targets), initial=1e-12))
    if np.max(np.abs(sources - targets)) < 1e-3 * scale:
        return IDENTITY  # symmetric but for rounding in the file
    return align(sources, targets)


def _mirrored_offsets(
    motion: Motion, pairs: list[int], world_normal: Array, rest_normal: Array, corrections: Array
) -> Array:
    """Moving offsets carried over: S_r of the counterpart's, in the corrected frame of the parent."""
    skeleton = motion.skeleton
    offsets = reflect(motion.local_offsets[:, pairs], rest_normal)
    for joint, parent in enumerate(skeleton.parents):
        if parent >= 0:
            offsets[:, joint] = rotate(conjugate(corrections[parent]), offsets[:, joint])
        elif joint > 0:
            offsets[:, joint] = reflect(motion.local_offsets[:, pairs[joint]], world_normal)
    return offsets
