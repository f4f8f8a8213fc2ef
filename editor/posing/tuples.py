"""Vectors and unit quaternions `w x y z` of one pose, as tuples of floats.

One pose is too little for numpy, which takes a microsecond for every call: thirty joints one after the other are ten
times as fast like this. Whatever has frames belongs in `model.rotation`.
"""

from math import cos, sin, sqrt

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]


def add(a: Vector, b: Vector) -> Vector:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def subtract(a: Vector, b: Vector) -> Vector:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def cross(a: Vector, b: Vector) -> Vector:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def length(a: Vector) -> float:
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


def multiply(a: Quaternion, b: Quaternion) -> Quaternion:
    """The rotation b followed by the rotation a."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


def rotate(q: Quaternion, v: Vector) -> Vector:
    """v turned by q."""
    w, x, y, z = q
    vx, vy, vz = v
    tx, ty, tz = 2.0 * (y * vz - z * vy), 2.0 * (z * vx - x * vz), 2.0 * (x * vy - y * vx)
    return vx + w * tx + y * tz - z * ty, vy + w * ty + z * tx - x * tz, vz + w * tz + x * ty - y * tx


def from_rotation_vector(v: Vector) -> Quaternion:
    """The rotation by |v| radians about v."""
    angle = length(v)
    scale = sin(0.5 * angle) / angle if angle > 1e-9 else 0.5
    return cos(0.5 * angle), scale * v[0], scale * v[1], scale * v[2]
