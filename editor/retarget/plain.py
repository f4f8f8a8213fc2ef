"""Rotations and two-bone limbs of one frame, in plain numbers.

For a single frame Python's own floats are far quicker than numpy's arrays. What these do is defined by
`model/rotation` and `model/limbs`, of which they are the form for one; tests hold them together. The arithmetic of
`editor/posing/tuples` goes before it.
"""

from math import acos, atan2, cos, exp, hypot, pi, sin, sqrt

from editor.posing.tuples import Quaternion, Vector, add, cross, length, multiply, rotate, subtract
from model.limbs import LIMIT_ANGLE_RAD, SOFT_ANGLE_RAD

_SOFT_COSINE, _LIMIT_COSINE = cos(SOFT_ANGLE_RAD), cos(LIMIT_ANGLE_RAD)
# As in `model/limbs`: bent less than the first a limb folds as its hinge does, more than the second in its own plane.
_NEARLY_STRAIGHT_RAD = (10.0 * pi / 180.0, 25.0 * pi / 180.0)


def conjugate(q: Quaternion) -> Quaternion:
    """The inverse of a unit quaternion."""
    return q[0], -q[1], -q[2], -q[3]


def scaled(v: Vector, factor: float) -> Vector:
    return factor * v[0], factor * v[1], factor * v[2]


def dot(a: Vector, b: Vector) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def unit(q: Quaternion) -> Quaternion:
    """A quaternion scaled to unit length, which must not be zero."""
    w, x, y, z = q
    size = sqrt(w * w + x * x + y * y + z * z)
    return w / size, x / size, y / size, z / size


def between(u: Vector, v: Vector) -> Quaternion:
    """The smallest rotation that takes the direction of u to that of v; none where one has no direction."""
    a, b = length(u), length(v)
    if a < 1e-12 or b < 1e-12:
        return 1.0, 0.0, 0.0, 0.0
    u, v = scaled(u, 1.0 / a), scaled(v, 1.0 / b)
    axis = cross(u, v)
    cosine = 0.5 * length(add(u, v))
    if cosine < 1e-9:
        return (0.0, *_perpendicular(u))
    return unit((cosine, *scaled(axis, 0.5 / cosine)))


def about(axis: Vector, angle_rad: float) -> Quaternion:
    """The rotation by an angle about an axis of unit length."""
    return (cos(0.5 * angle_rad), *scaled(axis, sin(0.5 * angle_rad)))


def bend_limb(
    root: Vector, middle: Vector, end: Vector, target: Vector, hinge: Vector
) -> tuple[Quaternion, Quaternion]:
    """World rotations of the upper and the lower bone that bring a limb's end to its target, as far as it reaches.

    As `model.limbs.solve_limb` without stretch; hinge : the world axis about which a straight limb folds.
    """
    upper, lower = subtract(middle, root), subtract(end, middle)
    a, b = length(upper), length(lower)
    reach = subtract(target, root)
    wanted, present = length(reach), length(subtract(end, root))
    soft = max(sqrt(a * a + b * b - 2.0 * a * b * _SOFT_COSINE), present)
    hard = max(sqrt(a * a + b * b - 2.0 * a * b * _LIMIT_COSINE), soft)
    span, room = wanted, hard - soft
    if wanted > soft:
        span = soft + (room * (1.0 - exp((soft - wanted) / room)) if room > 0.0 else 0.0)
    span = max(span, abs(a - b))
    axis = _fold_axis(upper, lower, a, b, hinge)
    folding = about(axis, _fold(upper, lower, axis, span))
    swing = between(add(upper, rotate(folding, lower)), reach)
    return swing, multiply(swing, folding)


def _fold(upper: Vector, lower: Vector, axis: Vector, span: float) -> float:
    """The angle by which to turn the lower bone about the axis so that the limb's ends are `span` apart."""
    along = dot(upper, axis) * dot(lower, axis)
    x, y = dot(upper, lower) - along, dot(upper, cross(axis, lower))
    wanted = 0.5 * (span * span - dot(upper, upper) - dot(lower, lower)) - along
    most = hypot(x, y)
    fold = 2.0 * atan2(sqrt(max(most - wanted, 0.0)), sqrt(max(most + wanted, 0.0)))
    return atan2(y, x) + fold


def _fold_axis(upper: Vector, lower: Vector, a: float, b: float, hinge: Vector) -> Vector:
    """Unit axis about which the lower bone folds: the hinge's near straight, that of its own plane where it is bent."""
    along = scaled(upper, 1.0 / a)
    spare = subtract(hinge, scaled(along, dot(hinge, along)))
    size = length(spare)
    spare = scaled(spare, 1.0 / size) if size > 1e-9 else _perpendicular(along)
    own = cross(upper, lower)
    size = length(own)
    if size < 1e-6 * a * b:
        return spare
    bent = acos(max(-1.0, min(1.0, dot(upper, lower) / (a * b))))
    low, high = _NEARLY_STRAIGHT_RAD
    share = max(0.0, min(1.0, (bent - low) / (high - low)))
    share = share * share * (3.0 - 2.0 * share)
    axis = add(scaled(own, share / size), scaled(spare, 1.0 - share))
    size = length(axis)
    return scaled(axis, 1.0 / size) if size > 1e-6 else spare


def _perpendicular(v: Vector) -> Vector:
    """Some unit vector perpendicular to a unit vector."""
    other = (1.0, 0.0, 0.0) if abs(v[0]) < 0.6 else (0.0, 1.0, 0.0)
    found = cross(v, other)
    return scaled(found, 1.0 / length(found))
