"""The cartoon animation filter, the alternative that the thesis compares with (Coleman 2012, figure 8.11).

What is subtracted from each curve is its smoothed second derivative: movement is anticipated, overshoots and follows
through. J. Wang, S. Drucker, M. Agrawala, M. Cohen, "The cartoon animation filter", ACM Trans. Graph. 25(3), 2006.
"""

import numpy as np

from editor.exaggerate.anatomy import anatomy_of
from editor.exaggerate.change import Amounts, Turns
from editor.exaggerate.stance import find_headings
from model.arrays import Array
from model.derived import Deriver, uncached
from model.motion import Motion
from model.rotation import conjugate, from_axis_angle, multiply, rotate, to_rotation_vector, unroll

_UP = np.array([0.0, 1.0, 0.0])
# A movement to and fro of this length is enlarged most; quicker ones less, and slow ones hardly.
PERIOD_S = 0.8


def filtered_turns(motion: Motion, amounts: Amounts, period_s: float = PERIOD_S, derive: Deriver = uncached) -> Turns:
    """What the filter turns joints by. amounts : what moves to and fro within `period_s` becomes that many times as
    large; weights and kept legs count as they do elsewhere. Root translation stays (figure 8.11).
    """
    anatomy = anatomy_of(motion.skeleton)
    each = amounts.of_joints(anatomy)
    joints = [joint for joint in anatomy.order if not (amounts.keep_legs and joint == anatomy.root)]
    local = motion.local_rotations[:, joints]
    headings = derive(find_headings, motion)
    if anatomy.root in joints:  # a turn of the whole body is no movement against itself
        facing = from_axis_angle(_UP, headings)
        local = np.array(local)
        n = joints.index(anatomy.root)
        local[:, n] = multiply(conjugate(facing), motion.world.rotations[:, anatomy.root])
    local = unroll(local)
    added = sharpened(local, period_s / motion.frame_time_s) * (each[joints] - 1.0)[:, None]
    wanted = local + added
    wanted /= np.linalg.norm(wanted, axis=-1, keepdims=True)
    vectors = to_rotation_vector(multiply(wanted, conjugate(local)))
    if anatomy.root in joints:
        n = joints.index(anatomy.root)
        vectors[:, n] = _in_parent(motion, anatomy.root, headings, vectors[:, n])
    return Turns(tuple(joints), vectors)


def sharpened(values: Array, period: float) -> Array:
    """What is added to curves (F, ...): their second derivative, smoothed and turned round, in the size in which it
    doubles a wave that is `period` frames long. Beyond its ends a curve is held.

    A wave of f times that rate is multiplied by f^2 exp(1 - f^2).
    """
    from scipy.ndimage import gaussian_filter1d

    # exp(-(sigma w)^2 / 2) w^2 is largest at w = sqrt(2) / sigma.
    sigma = np.sqrt(2.0) * period / (2.0 * np.pi)
    second = gaussian_filter1d(values, sigma, axis=0, order=2, mode="nearest", truncate=5.0)
    return np.asarray(-second * np.e * (period / (2.0 * np.pi)) ** 2)


def _in_parent(motion: Motion, root: int, headings: Array, vectors: Array) -> Array:
    """Rotation vectors (F, 3) seen from where the body faces, in the frame of the pelvis' parent."""
    turned = rotate(from_axis_angle(_UP, headings), vectors)
    parent = motion.skeleton.parents[root]
    return turned if parent < 0 else rotate(conjugate(motion.world.rotations[:, parent]), turned)
