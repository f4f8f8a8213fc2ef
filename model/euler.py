"""Euler angles: rotations about one, two or three axes of the moving frame, one after the other.

`axes` is written as motion files write it: "ZXY" means Rz Rx Ry acting on column vectors, so the
last axis acts first. All twelve orders of three axes are known, and any shorter or repeating
sequence can be composed. Angles are radians.
"""

import numpy as np

from model.arrays import Array
from model.rotation import multiply

_INDEX = {"X": 0, "Y": 1, "Z": 2}

ORDERS = (
    "XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", "XYX", "XZX", "YXY", "YZY", "ZXZ", "ZYZ",
)  # fmt: skip

# Within this of gimbal lock, first and last axis are one and only their sum or difference counts.
_LOCK_RAD = 1e-9


def from_euler(angles_rad: Array, axes: str) -> Array:
    """Quaternions of rotations about `axes` in turn. angles_rad : (..., N), len(axes) = N -> (..., 4)."""
    if angles_rad.shape[-1] != len(axes):
        raise ValueError(f"angles_rad has {angles_rad.shape[-1]} angles for axes {axes!r}")
    half = 0.5 * angles_rad
    cosines, sines = np.cos(half), np.sin(half)
    if len(axes) == 3 and len(set(axes)) == 3:
        return _from_three_different(cosines, sines, axes)
    q = np.zeros((*angles_rad.shape[:-1], 4))
    q[..., 0] = 1.0
    for n, axis in enumerate(axes):
        step = np.zeros_like(q)
        step[..., 0] = cosines[..., n]
        step[..., 1 + _INDEX[axis]] = sines[..., n]
        q = multiply(q, step)
    return q


def _from_three_different(cosines: Array, sines: Array, axes: str) -> Array:
    """The closed form for three different axes: the product of the three, written out."""
    first, second, third = (_INDEX[axis] for axis in axes)
    sign = 1.0 if (first, second, third) in ((0, 1, 2), (1, 2, 0), (2, 0, 1)) else -1.0
    c1, c2, c3 = cosines[..., 0], cosines[..., 1], cosines[..., 2]
    s1, s2, s3 = sines[..., 0], sines[..., 1], sines[..., 2]
    q = np.moveaxis(np.empty((4, *cosines.shape[:-1])), 0, -1)  # components apart in memory: faster
    cc, ss, sc, cs = c1 * c2, s1 * s2, s1 * c2, c1 * s2
    q[..., 0] = cc * c3 - sign * ss * s3
    q[..., 1 + first] = sc * c3 + sign * cs * s3
    q[..., 1 + second] = cs * c3 - sign * sc * s3
    q[..., 1 + third] = cc * s3 + sign * ss * c3
    return q


def to_euler(q: Array, axes: str, nearest_rad: Array | None = None) -> Array:
    """Angles about three `axes` that compose to q. q : (..., 4) -> (..., 3).

    Without `nearest_rad` the middle angle lies in [-pi/2, pi/2] (three different axes) or [0, pi]
    (first and last alike) and the others in [-pi, pi]. With it, (..., 3), the solution nearest to
    those angles is given, among both branches, all full turns and, in gimbal lock, all ways to share
    the turn between first and last axis. The half-angle form of Bernardes and Viollet 2022.
    """
    if axes not in ORDERS:
        raise ValueError(f"axes is {axes!r}; it must be one of {', '.join(ORDERS)}")
    last, middle, first = (_INDEX[axis] for axis in axes)  # as rotations about fixed axes
    repeated = axes[0] == axes[2]
    i, j, k = first, middle, 3 - first - middle if repeated else last
    sign = 0.5 * (i - j) * (j - k) * (k - i)
    w, qi, qj, qk = q[..., 0], q[..., 1 + i], q[..., 1 + j], q[..., 1 + k] * sign
    if repeated:
        a, b, c, d = w, qi, qj, qk
    else:
        a, b, c, d = w - qj, qi + qk, qj + w, qk - qi
    tilt = 2.0 * np.arctan2(np.hypot(c, d), np.hypot(a, b))
    half_sum, half_difference = np.arctan2(b, a), np.arctan2(d, c)
    inner, outer = half_sum - half_difference, half_sum + half_difference
    flat, folded = tilt < _LOCK_RAD, tilt > np.pi - _LOCK_RAD
    turn = 1.0 if repeated else sign
    wanted = 0.0 if nearest_rad is None else turn * nearest_rad[..., 0]
    # Where first and last axis coincide the first turns as wanted, and the last by the rest.
    outer = np.where(flat | folded, wanted, outer)
    inner = np.where(flat, 2.0 * half_sum - wanted, inner)
    inner = np.where(folded, wanted - 2.0 * half_difference, inner)
    outer = turn * outer
    if not repeated:
        tilt = tilt - 0.5 * np.pi
    angles = np.stack([outer, tilt, inner], axis=-1)
    if nearest_rad is None:
        turns = np.rint(angles / (2.0 * np.pi))
        turns[..., 1] = 0.0
        return np.asarray(angles - 2.0 * np.pi * turns)
    other = nearest_turn(_other_branch(angles, axes), nearest_rad)
    angles = nearest_turn(angles, nearest_rad)
    error = np.sum((angles - nearest_rad) ** 2, axis=-1, keepdims=True)
    other_error = np.sum((other - nearest_rad) ** 2, axis=-1, keepdims=True)
    return np.where(other_error < error, other, angles)


def nearest_turn(angles_rad: Array, nearest_rad: Array) -> Array:
    """The same angles, each moved by whole turns to lie within half a turn of `nearest_rad`."""
    return angles_rad + 2.0 * np.pi * np.rint((nearest_rad - angles_rad) / (2.0 * np.pi))


def continuous(angles_rad: Array, axes: str) -> Array:
    """The same rotations in angles that do not jump from frame to frame. angles_rad : (F, ..., 3).

    Every rotation has two sets of angles. Going from one to the other costs the same in both directions,
    so where to change over can be told for each pair of frames by itself.
    """
    other = _other_branch(angles_rad, axes)

    def far(a: Array, b: Array) -> Array:
        return np.asarray(np.sum(np.abs(a - nearest_turn(b, a)), axis=-1))

    change = far(angles_rad[1:], other[:-1]) < far(angles_rad[1:], angles_rad[:-1])
    on_other = np.zeros(angles_rad.shape[:-1], dtype=bool)
    on_other[1:] = np.cumsum(change, axis=0) % 2 == 1
    return np.unwrap(np.where(on_other[..., None], other, angles_rad), axis=0)


def _other_branch(angles_rad: Array, axes: str) -> Array:
    """The second set of angles with the same rotation."""
    middle = -angles_rad[..., 1] if axes[0] == axes[2] else np.pi - angles_rad[..., 1]
    return np.stack([angles_rad[..., 0] + np.pi, middle, angles_rad[..., 2] + np.pi], axis=-1)
