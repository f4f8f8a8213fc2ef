"""Left becomes right: a motion reflected in an upright plane, on the same skeleton."""

from dataclasses import replace

import numpy as np

from model.arrays import Array
from model.kinematics import align, forward, local_from_world
from model.motion import Motion, Pose
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
    if np.array_equal(world_normal, rest_normal):
        # Half a turn, the rotation, half a turn back: the part about the normal stays, the rest is reversed.
        w, x, y, z = (rotations[..., n] for n in range(4))
        along = x * world_normal[0] + y * world_normal[1] + z * world_normal[2]
        reflected = np.empty_like(rotations)
        reflected[..., 0] = -w
        for n, part in enumerate((x, y, z)):
            np.subtract(part, (2.0 * world_normal[n]) * along, out=reflected[..., n + 1])
        return reflected
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
    mirror = _Mirror(
        skeleton,
        np.array([1.0, 0.0, 0.0]) if normal is None else np.asarray(normal, dtype=np.float64),
        np.zeros(3) if point is None else np.asarray(point, dtype=np.float64),
    )
    rest = motion.rest
    if rest is not None:
        rest = Pose(
            mirror.positions(rest.root_position),
            mirror.rotations(rest.local_rotations),
            mirror.offsets(rest.local_offsets, motion.limbs_are_fixed),
        )
    return replace(
        motion,
        root_positions=mirror.positions(motion.root_positions),
        local_rotations=mirror.rotations(motion.local_rotations),
        local_offsets=mirror.offsets(motion.local_offsets, motion.limbs_are_fixed),
        rest=rest,
        origin=None if motion.origin is None else motion.origin.without_numbers(),
    )


class _Mirror:
    """A plane, and what it makes of the poses of one skeleton."""

    def __init__(self, skeleton: Skeleton, normal: Array, point: Array) -> None:
        self._parents = skeleton.parents
        self._pairs = list(mirror_pairs(skeleton.names, skeleton.roles))
        self._normal, self._point = normal, point
        self._rest_normal = sagittal_normal(skeleton)
        self._corrections = np.stack(
            [_bone_correction(skeleton, self._pairs, joint, self._rest_normal) for joint in range(len(skeleton))]
        )

    def positions(self, positions: Array) -> Array:
        """World positions in the mirror. (..., 3)."""
        return reflect(positions - self._point, self._normal) + self._point

    def rotations(self, local_rotations: Array) -> Array:
        """Local rotations in the mirror. (..., J, 4) -> (..., J, 4).

        Where counterparts hang on counterparts, the world is not needed: what the mirror makes of parent and child
        cancels but for the rest pose's own reflection.
        """
        if not self._is_paired:
            still = np.zeros(3), np.zeros((len(self._parents), 3))
            world = forward(self._parents, still[0], local_rotations, still[1]).rotations
            reflected = reflect_rotations(world[..., self._pairs, :], self._normal, self._rest_normal)
            return local_from_world(self._parents, multiply(reflected, self._corrections))
        result = np.empty_like(local_rotations)
        for joint, (parent, other) in enumerate(zip(self._parents, self._pairs, strict=True)):
            normal = self._normal if parent < 0 else self._rest_normal
            turned = reflect_rotations(local_rotations[..., other, :], normal, self._rest_normal)
            if parent >= 0 and not np.array_equal(self._corrections[parent], IDENTITY):
                turned = multiply(conjugate(self._corrections[parent]), turned)
            if not np.array_equal(self._corrections[joint], IDENTITY):
                turned = multiply(turned, self._corrections[joint])
            result[..., joint, :] = turned
        return result

    @property
    def _is_paired(self) -> bool:
        """Whether each joint's counterpart hangs on the counterpart of its parent."""
        return all(
            self._parents[other] == (-1 if parent < 0 else self._pairs[parent])
            for parent, other in zip(self._parents, self._pairs, strict=True)
        )

    def offsets(self, offsets: Array, limbs_are_fixed: bool) -> Array:
        """Local offsets in the mirror, (..., J, 3): fixed limbs keep the skeleton's own, others are carried over;
        of further roots they are world positions, and reflected."""
        result = np.array(offsets)
        for joint, parent in enumerate(self._parents):
            other = offsets[..., self._pairs[joint], :]
            if parent < 0 and joint > 0:
                result[..., joint, :] = self.positions(other)
            elif parent >= 0 and not limbs_are_fixed:
                turned = conjugate(self._corrections[parent])
                result[..., joint, :] = rotate(turned, reflect(other, self._rest_normal))
        return result


def _bone_correction(skeleton: Skeleton, pairs: list[int], joint: int, rest_normal: Array) -> Array:
    """The rotation from a joint's bones to the mirrored bones of its counterpart."""
    bones, wanted = [], []
    for child in skeleton.children[joint]:
        lengths = np.linalg.norm(skeleton.offsets[[child, pairs[child]]], axis=-1)
        # Bones of clearly different lengths are no pair: helpers of the rig, not parts of the body.
        if skeleton.parents[pairs[child]] == pairs[joint] and np.ptp(lengths) <= 0.25 * np.max(lengths):
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
