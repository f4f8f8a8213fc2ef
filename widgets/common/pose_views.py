"""From which side single poses of a motion are best seen in a small picture. Knows nothing of Qt.

A walk is told by its side view, a wave or a cartwheel by its front view: the plane in which limbs move about a pose is
the plane of its picture.
"""

import numpy as np

from model.arrays import Array, IntArray
from model.kinematics import WorldPose, forward
from model.motion import Motion
from model.roles import Role

_AROUND_S = np.linspace(-0.4, 0.4, 7)  # what happens so near to a pose tells its plane
_WEIGHTS = np.exp(-0.5 * (_AROUND_S / 0.2) ** 2)
_CLIP = 0.3  # how much the whole clip counts besides
_FRONT = 1.3  # limbs must move so much more across than along before a pose is seen from its front
_ENDS = (
    Role.LEFT_KNEE, Role.RIGHT_KNEE, Role.LEFT_ANKLE, Role.RIGHT_ANKLE, Role.LEFT_ELBOW, Role.RIGHT_ELBOW,
    Role.LEFT_WRIST, Role.RIGHT_WRIST, Role.HEAD,
)  # fmt: skip


def poses_at(motion: Motion, frames: IntArray) -> WorldPose:
    """Every joint at whole frames (N,): positions (N, J, 3), rotations (N, J, 4), without working out all others."""
    known = vars(motion).get("world")
    if known is not None:
        return WorldPose(known.positions[frames], known.rotations[frames])
    offsets = motion.local_offsets if motion.limbs_are_fixed else motion.local_offsets[frames]
    return forward(motion.skeleton.parents, motion.root_positions[frames], motion.local_rotations[frames], offsets)


def picture_axes(motion: Motion, frames: IntArray) -> Array:
    """(N, 2) unit vectors in x and z that point to the right in the pictures of poses at whole frames (N,).

    In a side view the figure looks to the right; in a front view it looks out of the picture.
    """
    skeleton = motion.skeleton
    left, right = skeleton.joint(Role.LEFT_HIP), skeleton.joint(Role.RIGHT_HIP)
    if left is None or right is None or not len(frames):
        return np.tile([1.0, 0.0], (len(frames), 1))
    count, steps = len(frames), np.rint(_AROUND_S / motion.frame_time_s).astype(np.intp)
    around = np.clip(np.asarray(frames)[:, None] + steps, 0, motion.frames - 1)
    world = poses_at(motion, around.ravel()).positions.reshape(count, len(steps), len(skeleton), 3)
    ahead = _facings(world, left, right, skeleton.joint(Role.HEAD))
    ends = [joint for role in _ENDS if (joint := skeleton.joint(role)) is not None] or list(range(len(skeleton)))
    limbs = (world[:, :, ends] - world[:, :, [0]])[..., [0, 2]]
    moved = limbs - np.mean(limbs, axis=1, keepdims=True)
    across = np.stack([ahead[:, 1], -ahead[:, 0]], axis=-1)  # to the figure's left
    spread = np.stack([np.mean(np.einsum("nkjc,nc->nkj", moved, way) ** 2, axis=(1, 2)) for way in (ahead, across)])
    spread = spread + _CLIP * np.mean(spread, axis=1, keepdims=True)
    return np.where((spread[1] > _FRONT * spread[0])[:, None], across, ahead)


def _facings(world: Array, left: int, right: int, head: int | None) -> Array:
    """(N, 2) where figures look about each pose, in x and z. world : (N, K, J, 3)."""
    hips = (world[:, :, left] - world[:, :, right])[..., [0, 2]]
    ahead = np.stack([-hips[..., 1], hips[..., 0]], axis=-1)
    # Upside down, left and right are exchanged: such frames say nothing.
    upright = np.ones(ahead.shape[:2])
    if head is not None:
        upright = np.clip(2.0 * (world[:, :, head] - world[:, :, left])[..., 1], 0.0, 1.0)
    weights = (_WEIGHTS * upright)[..., None]
    local, clip = np.sum(weights * ahead, axis=1), np.mean(weights * ahead, axis=(0, 1))
    facing = local + 0.05 * clip + [0.0, 1e-9]
    return np.asarray(facing / np.linalg.norm(facing, axis=-1, keepdims=True))
