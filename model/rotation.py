"""Rotations as unit quaternions `w x y z`, in functions on arrays whose leading axes are free.

Owns the algebra; Euler angles live in `euler.py`. Nothing here knows of joints or time, except
`unroll`, which follows signs along an axis. Inputs are taken to be of unit length unless said
otherwise, are never changed, and broadcast against each other. q and -q are the same rotation
everywhere.
"""

import numpy as np

from model.arrays import Array, IntArray, require_shape

IDENTITY: Array = np.array([1.0, 0.0, 0.0, 0.0])
IDENTITY.setflags(write=False)

# Below this length a vector has no direction worth the name.
_TINY = 1e-150


def multiply(a: Array, b: Array) -> Array:
    """The rotation b followed by the rotation a. a, b : (..., 4)."""
    aw, ax, ay, az = a[..., 0], a[..., 1], a[..., 2], a[..., 3]
    bw, bx, by, bz = b[..., 0], b[..., 1], b[..., 2], b[..., 3]
    shape = np.broadcast_shapes(a.shape, b.shape)
    # Laid out in memory like the operand of that shape: big arrays have frames last, and keep them there.
    like = a if a.shape == shape else b
    out = np.empty_like(like, dtype=np.float64) if like.shape == shape else np.empty(shape)
    out[..., 0] = aw * bw - ax * bx - ay * by - az * bz
    out[..., 1] = aw * bx + ax * bw + ay * bz - az * by
    out[..., 2] = aw * by - ax * bz + ay * bw + az * bx
    out[..., 3] = aw * bz + ax * by - ay * bx + az * bw
    return out


def conjugate(q: Array) -> Array:
    """The inverse of a unit quaternion. q : (..., 4)."""
    return np.asarray(q * np.array([1.0, -1.0, -1.0, -1.0]))


def normalize(q: Array) -> Array:
    """q scaled to unit length; a quaternion of length zero becomes the identity. q : (..., 4)."""
    length = np.sqrt(np.sum(q * q, axis=-1, keepdims=True))
    usable = length > _TINY
    return np.where(usable, q / np.where(usable, length, 1.0), IDENTITY)


def rotate(q: Array, v: Array) -> Array:
    """The vectors v turned by q. q : (..., 4), v : (..., 3)."""
    w, x, y, z = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    vx, vy, vz = v[..., 0], v[..., 1], v[..., 2]
    tx, ty, tz = 2.0 * (y * vz - z * vy), 2.0 * (z * vx - x * vz), 2.0 * (x * vy - y * vx)  # 2 u x v
    shape = np.broadcast_shapes(w.shape, vx.shape)
    like = q if w.shape == shape else v  # laid out in memory as in `multiply`
    out = np.empty_like(like[..., :3], dtype=np.float64) if like.shape[:-1] == shape else np.empty((*shape, 3))
    out[..., 0] = vx + w * tx + (y * tz - z * ty)
    out[..., 1] = vy + w * ty + (z * tx - x * tz)
    out[..., 2] = vz + w * tz + (x * ty - y * tx)
    return out


def from_axis_angle(axis: Array, angle_rad: Array | float) -> Array:
    """The rotation by an angle about an axis of unit length. axis : (..., 3), angle_rad : (...)."""
    half = 0.5 * np.asarray(angle_rad)[..., None]
    vector = np.sin(half) * axis
    return np.concatenate([np.broadcast_to(np.cos(half), (*vector.shape[:-1], 1)), vector], axis=-1)


def from_rotation_vector(v: Array) -> Array:
    """The exponential map: the rotation by |v| radians about v. v : (..., 3); exact at 0."""
    half = 0.5 * np.sqrt(np.sum(v * v, axis=-1, keepdims=True))
    return np.concatenate([np.cos(half), 0.5 * np.sinc(half / np.pi) * v], axis=-1)


def to_rotation_vector(q: Array) -> Array:
    """The logarithm: axis times angle in radians, the angle in [0, pi]. q : (..., 4).

    Exact near the identity and near half turns; at a half turn the sign of the axis is that of q.
    """
    q = np.where(q[..., :1] < 0.0, -q, q)
    w, u = q[..., :1], q[..., 1:]
    sine = np.sqrt(np.sum(u * u, axis=-1, keepdims=True))
    small = sine < 1e-8
    # atan(s/w) = s/w - (s/w)^3/3 ...: below 1e-8 the cubic term is beyond double precision.
    factor = np.where(small, 2.0 / np.where(small, w, 1.0),
                      2.0 * np.arctan2(sine, w) / np.where(small, 1.0, sine))  # fmt: skip
    return factor * u


def power(q: Array, exponent: Array | float) -> Array:
    """The same rotation carried out `exponent` times, the short way. q : (..., 4), exponent : (...)."""
    return from_rotation_vector(np.asarray(exponent)[..., None] * to_rotation_vector(q))


def angle_between(a: Array, b: Array) -> Array:
    """The angle in radians, in [0, pi], of the rotation that takes a to b. a, b : (..., 4) -> (...)."""
    flip = np.where(np.sum(a * b, axis=-1, keepdims=True) < 0.0, -1.0, 1.0)
    apart = np.sqrt(np.sum((a - flip * b) ** 2, axis=-1))
    along = np.sqrt(np.sum((a + flip * b) ** 2, axis=-1))
    return np.asarray(4.0 * np.arctan2(apart, along))


def slerp(a: Array, b: Array, t: Array | float, short: bool = True) -> Array:
    """Turn from a (t = 0) to b (t = 1) at constant speed, the short way. a, b : (..., 4), t : (...).

    t may lie outside [0, 1]. Where a and b are half a turn apart either way round is as short; the
    one that b's sign points to is taken. short : if not, that one is always taken, up to nearly a whole turn.
    """
    t = np.asarray(t)[..., None]
    if short:
        b = np.where(np.sum(a * b, axis=-1, keepdims=True) < 0.0, -b, b)
    apart = np.sqrt(np.sum((a - b) ** 2, axis=-1, keepdims=True))
    along = np.sqrt(np.sum((a + b) ** 2, axis=-1, keepdims=True))
    theta = 2.0 * np.arctan2(apart, along) / np.pi  # in [0, 1/2], or up to 1; sinc counts in half turns
    whole = np.maximum(np.sinc(theta), 1e-9)
    return np.asarray(((1.0 - t) * np.sinc((1.0 - t) * theta) * a + t * np.sinc(t * theta) * b) / whole)


def to_matrix(q: Array) -> Array:
    """Rotation matrices acting on column vectors. q : (..., 4) -> (..., 3, 3)."""
    w, x, y, z = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def from_matrix(m: Array) -> Array:
    """The quaternion of a rotation matrix. m : (..., 3, 3) -> (..., 4), w not negative.

    The largest of the four components is taken from the diagonal, so that no precision is lost.
    """
    require_shape("m", m, (3, 3))
    xx, yy, zz = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    squares = np.stack([1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz], -1)
    sx, sy, sz = m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]
    xy, xz, yz = m[..., 0, 1] + m[..., 1, 0], m[..., 0, 2] + m[..., 2, 0], m[..., 1, 2] + m[..., 2, 1]
    # Row k is 4 q_k q, so any row with a large q_k gives q after scaling.
    rows = np.stack(
        [
            np.stack([squares[..., 0], sx, sy, sz], -1),
            np.stack([sx, squares[..., 1], xy, xz], -1),
            np.stack([sy, xy, squares[..., 2], yz], -1),
            np.stack([sz, xz, yz, squares[..., 3]], -1),
        ],
        axis=-2,
    )
    best: IntArray = np.argmax(squares, axis=-1)
    q = normalize(np.take_along_axis(rows, best[..., None, None], axis=-2)[..., 0, :])
    return np.where(q[..., :1] < 0.0, -q, q)


def between(u: Array, v: Array) -> Array:
    """The smallest rotation that takes the direction of u to that of v. u, v : (..., 3).

    A vector of length zero gives the identity; opposite directions give a half turn about some
    axis perpendicular to u.
    """
    u, v = np.broadcast_arrays(u, v)
    length_u = np.sqrt(np.sum(u * u, axis=-1, keepdims=True))
    length_v = np.sqrt(np.sum(v * v, axis=-1, keepdims=True))
    usable = (length_u > _TINY) & (length_v > _TINY)
    u = u / np.where(usable, length_u, 1.0)
    v = v / np.where(usable, length_v, 1.0)
    # Half the sum and half the difference of unit vectors are cosine and sine of half the angle,
    # both without cancellation where they are small.
    cosine = 0.5 * np.sqrt(np.sum((u + v) ** 2, axis=-1, keepdims=True))
    sine = 0.5 * np.sqrt(np.sum((u - v) ** 2, axis=-1, keepdims=True))
    axis = np.cross(u, v)
    # Close to opposite, rounding is all there is of the part along u: take it out.
    axis = axis - np.sum(axis * u, axis=-1, keepdims=True) * u
    size = np.sqrt(np.sum(axis * axis, axis=-1, keepdims=True))
    clear = size > 1e-15 * sine
    axis = np.where(clear, axis / np.where(clear, size, 1.0), perpendicular(u))
    return np.where(usable, normalize(np.concatenate([cosine, sine * axis], axis=-1)), IDENTITY)


def perpendicular(v: Array) -> Array:
    """Some unit vector perpendicular to v, the same for all scales of v. v : (..., 3)."""
    smallest: IntArray = np.argmin(np.abs(v), axis=-1)
    other = np.eye(3)[smallest]
    p = np.cross(v, other)
    length = np.sqrt(np.sum(p * p, axis=-1, keepdims=True))
    usable = length > _TINY
    return np.where(usable, p / np.where(usable, length, 1.0), np.array([1.0, 0.0, 0.0]))


def swing_twist(q: Array, axis: Array) -> tuple[Array, Array]:
    """Split q into swing and twist, q = swing * twist, the twist about `axis`.

    q : (..., 4), axis : (..., 3) of unit length. Where q turns the axis right round the twist is
    undetermined and taken as none.
    """
    along = np.sum(q[..., 1:] * axis, axis=-1, keepdims=True)
    twist = normalize(np.concatenate([q[..., :1], along * axis], axis=-1))
    return multiply(q, conjugate(twist)), twist


def about_axis(q: Array, axis: Array) -> Array:
    """The rotation about `axis` with an effect similar to q, never turning a point farther than q does.

    q : (..., 4), axis : (..., 3) of unit length. A vector in the plane of the axis, along q's own
    axis of rotation, is turned by q and projected back to the plane: the angle is
    atan2(2 w q_axis, 1 - 2 q_axis^2), which is exact for a pure turn about the axis, where the
    construction itself has no vector to turn. Coleman 2012, appendix A.
    """
    along = np.sum(q[..., 1:] * axis, axis=-1)
    angle = np.arctan2(2.0 * q[..., 0] * along, 1.0 - 2.0 * along * along)
    return from_axis_angle(axis, angle)


def blend_rotations(rotations: Array, weights: Array) -> Array:
    """Weighted mean of unit quaternions, about the orientation nearest to all of them.

    rotations : (..., E, 4) of E examples; weights : (..., E), summing to one, negative ones allowed.
    Antipodal inputs give the same result. Park et al. 2002, section 5.3, eq. 11-19.
    """
    if rotations.shape[-2] != weights.shape[-1]:
        raise ValueError(f"weights has {weights.shape[-1]} entries for {rotations.shape[-2]} rotations")
    scatter = np.einsum("...ei,...ej->...ij", rotations, rotations)
    reference = np.linalg.eigh(scatter)[1][..., -1]  # of the largest eigenvalue
    offsets = to_rotation_vector(multiply(conjugate(reference)[..., None, :], rotations))
    mean = np.sum(weights[..., None] * offsets, axis=-2)
    return multiply(reference, from_rotation_vector(mean))


def unroll(q: Array, axis: int = 0) -> Array:
    """The same rotations with signs chosen so that neighbours along `axis` are never opposite.

    q : (..., 4), axis : one of the leading axes, usually time. The first keeps its sign.
    """
    moved = np.moveaxis(q, axis, 0)
    same_side = np.sum(moved[1:] * moved[:-1], axis=-1, keepdims=True) >= 0.0
    signs = np.cumprod(np.where(same_side, 1.0, -1.0), axis=0)
    return np.moveaxis(np.concatenate([moved[:1], moved[1:] * signs], axis=0), 0, axis)
