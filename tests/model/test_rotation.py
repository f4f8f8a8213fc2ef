"""Quaternion functions against scipy's, and the properties their descriptions promise."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation, Slerp

from model import rotation

RNG = np.random.default_rng(20)
UP = np.array([0.0, 1.0, 0.0])


def random_rotations(*shape):
    return rotation.normalize(RNG.normal(size=(*shape, 4)))


def scipy_of(q):
    return Rotation.from_quat(q.reshape(-1, 4), scalar_first=True)


def assert_same_rotation(a, b, tolerance=1e-12):
    a, b = np.broadcast_arrays(a, b)
    sign = np.where(np.sum(a * b, axis=-1, keepdims=True) < 0, -1.0, 1.0)
    np.testing.assert_allclose(a, sign * b, atol=tolerance)


def test_multiply_and_rotate_agree_with_scipy():
    a, b, v = random_rotations(5, 40), random_rotations(5, 40), RNG.normal(size=(5, 40, 3))
    assert_same_rotation(rotation.multiply(a, b).reshape(-1, 4), (scipy_of(a) * scipy_of(b)).as_quat(scalar_first=True))
    np.testing.assert_allclose(rotation.rotate(a, v).reshape(-1, 3), scipy_of(a).apply(v.reshape(-1, 3)))


def test_functions_broadcast_and_leave_inputs_alone():
    one, many = random_rotations(), random_rotations(7, 3)
    kept = one.copy(), many.copy()
    assert rotation.multiply(one, many).shape == (7, 3, 4)
    assert rotation.rotate(many, UP).shape == (7, 3, 3)
    assert rotation.slerp(one, many, np.linspace(0, 1, 3)).shape == (7, 3, 4)
    rotation.unroll(many), rotation.power(many, 0.5), rotation.swing_twist(many, UP)
    np.testing.assert_array_equal(one, kept[0])
    np.testing.assert_array_equal(many, kept[1])


def test_conjugate_undoes():
    q = random_rotations(50)
    assert_same_rotation(rotation.multiply(q, rotation.conjugate(q)), rotation.IDENTITY)


def test_normalize_turns_zero_into_identity():
    np.testing.assert_array_equal(rotation.normalize(np.zeros((2, 4))), np.tile(rotation.IDENTITY, (2, 1)))


def test_matrix_agrees_with_scipy_and_returns():
    q = np.concatenate([random_rotations(200), np.eye(4), -np.eye(4)])
    np.testing.assert_allclose(rotation.to_matrix(q), scipy_of(q).as_matrix(), atol=1e-14)
    assert_same_rotation(rotation.from_matrix(rotation.to_matrix(q)), q)


@pytest.mark.parametrize("angle", [0.0, 1e-300, 1e-160, 1e-12, 1e-8, 1e-4, 1.0, np.pi - 1e-9, np.pi])
def test_rotation_vector_is_exact_at_every_angle(angle):
    axis = rotation.normalize(RNG.normal(size=(30, 4)))[:, 1:]
    axis /= np.linalg.norm(axis, axis=-1, keepdims=True)
    v = angle * axis
    q = rotation.from_rotation_vector(v)
    assert_same_rotation(q, Rotation.from_rotvec(v).as_quat(scalar_first=True))
    back = rotation.to_rotation_vector(q)
    if angle == np.pi:  # either sign of the axis is right
        back = back * np.sign(np.sum(back * v, axis=-1, keepdims=True))
    # Near a half turn w is a small difference of the cosine: only 1e-16 absolute is left of it.
    np.testing.assert_allclose(back, v, rtol=1e-9 if angle > 3 else 1e-14, atol=0)


def test_rotation_vector_of_negated_quaternion_is_the_same():
    q = random_rotations(100)
    np.testing.assert_allclose(rotation.to_rotation_vector(-q), rotation.to_rotation_vector(q))


def test_power_of_one_half_applied_twice_is_the_rotation():
    q = random_rotations(100)
    half = rotation.power(q, 0.5)
    assert_same_rotation(rotation.multiply(half, half), q)
    assert_same_rotation(rotation.power(q, 0.0), rotation.IDENTITY)


def test_slerp_agrees_with_scipy_and_takes_the_short_way():
    a, b = random_rotations(40), random_rotations(40)
    t = np.linspace(0.0, 1.0, 40)
    expected = [
        Slerp([0, 1], Rotation.from_quat([p, q], scalar_first=True))(s).as_quat(scalar_first=True)
        for p, q, s in zip(a, b, t, strict=True)
    ]
    assert_same_rotation(rotation.slerp(a, b, t), np.array(expected), 1e-9)
    assert_same_rotation(rotation.slerp(a, -b, t), rotation.slerp(a, b, t))


def test_slerp_of_nearly_equal_rotations_keeps_full_precision():
    a = random_rotations(30)
    b = rotation.multiply(a, rotation.from_rotation_vector(np.full(3, 1e-9)))
    middle = rotation.slerp(a, b, 0.5)
    np.testing.assert_allclose(np.linalg.norm(middle, axis=-1), 1.0, atol=1e-15)
    np.testing.assert_allclose(rotation.angle_between(a, middle), 0.5 * np.sqrt(3) * 1e-9, rtol=1e-5)


def test_angle_between_measures_the_rotation_from_one_to_the_other():
    a, angle = random_rotations(6), np.array([0.0, 1e-9, 0.3, 2.0, 3.0, np.pi])
    b = rotation.multiply(rotation.from_axis_angle(UP, angle), a)
    np.testing.assert_allclose(rotation.angle_between(a, b), angle, atol=1e-15, rtol=1e-6)
    np.testing.assert_allclose(rotation.angle_between(a, -b), angle, atol=1e-15, rtol=1e-6)


def test_between_takes_one_direction_to_the_other_by_the_smallest_angle():
    u, v = RNG.normal(size=(200, 3)), RNG.normal(size=(200, 3))
    q = rotation.between(u, v)
    unit = v / np.linalg.norm(v, axis=-1, keepdims=True)
    turned = rotation.rotate(q, u)
    np.testing.assert_allclose(turned / np.linalg.norm(turned, axis=-1, keepdims=True), unit, atol=1e-12)
    angle = np.arccos(np.sum(u * v, axis=-1) / np.linalg.norm(u, axis=-1) / np.linalg.norm(v, axis=-1))
    np.testing.assert_allclose(rotation.angle_between(q, rotation.IDENTITY), angle, atol=1e-7)


@pytest.mark.parametrize("tiny", [0.0, 1e-16, 1e-13, 1e-9, 1e-5])
def test_between_opposite_directions_is_a_half_turn(tiny):
    u = RNG.normal(size=(50, 3))
    v = -u + tiny * RNG.normal(size=(50, 3))
    turned = rotation.rotate(rotation.between(u, v), u)
    scale = np.linalg.norm(u, axis=-1, keepdims=True)
    np.testing.assert_allclose(turned / scale, v / np.linalg.norm(v, axis=-1, keepdims=True), atol=1e-9)


def test_between_a_zero_vector_and_anything_is_the_identity():
    assert_same_rotation(rotation.between(np.zeros(3), UP), rotation.IDENTITY)


def test_swing_twist_recompose_and_swing_has_no_part_about_the_axis():
    q = random_rotations(100)
    axis = RNG.normal(size=(100, 3))
    axis /= np.linalg.norm(axis, axis=-1, keepdims=True)
    swing, twist = rotation.swing_twist(q, axis)
    assert_same_rotation(rotation.multiply(swing, twist), q)
    np.testing.assert_allclose(np.sum(swing[:, 1:] * axis, axis=-1), 0.0, atol=1e-12)
    np.testing.assert_allclose(np.cross(twist[:, 1:], axis), 0.0, atol=1e-12)


def test_swing_twist_where_the_axis_is_turned_right_round_gives_no_twist():
    q = np.array([0.0, 1.0, 0.0, 0.0])  # half a turn about X
    swing, twist = rotation.swing_twist(q, UP)
    assert_same_rotation(twist, rotation.IDENTITY)
    assert_same_rotation(swing, q)


def test_about_axis_keeps_a_pure_turn_and_drops_a_pure_tilt():
    angles = np.linspace(-3.1, 3.1, 21)
    yaw = rotation.from_axis_angle(UP, angles)
    assert_same_rotation(rotation.about_axis(yaw, UP), yaw)
    tilt = rotation.from_axis_angle(np.array([1.0, 0.0, 0.0]), angles)
    assert_same_rotation(rotation.about_axis(tilt, UP), rotation.IDENTITY)


def test_about_axis_is_the_construction_of_the_thesis():
    """b = the part of the axis in the ground plane, turned by q and projected back: the angle from b to it."""
    q = random_rotations(100)
    q = np.where(q[:, :1] < 0, -q, q)
    b = q[:, 1:] * [1.0, 0.0, 1.0]
    d = rotation.rotate(q, b)
    # In the ground plane (z, x) is the right-handed pair when Y is up.
    angle = np.arctan2(b[:, 2] * d[:, 0] - b[:, 0] * d[:, 2], b[:, 2] * d[:, 2] + b[:, 0] * d[:, 0])
    assert_same_rotation(rotation.about_axis(q, UP), rotation.from_axis_angle(UP, angle))


def test_about_axis_never_turns_farther():
    q = random_rotations(500)
    small = rotation.angle_between(rotation.about_axis(q, UP), rotation.IDENTITY)
    assert np.all(small <= rotation.angle_between(q, rotation.IDENTITY) + 1e-12)


def test_blend_of_two_is_slerp_and_signs_do_not_count():
    a, b = random_rotations(60), random_rotations(60)
    w = np.stack([np.linspace(0, 1, 60), 1 - np.linspace(0, 1, 60)], axis=-1)
    blended = rotation.blend_rotations(np.stack([a, b], axis=-2), w)
    assert_same_rotation(blended, rotation.slerp(a, b, w[:, 1]), 1e-9)
    assert_same_rotation(rotation.blend_rotations(np.stack([a, -b], axis=-2), w), blended, 1e-9)


def test_blend_of_turns_about_one_axis_is_the_weighted_angle():
    angles, w = np.array([0.1, 0.5, -0.4, 0.9]), np.array([0.4, 0.9, -0.2, -0.1])
    blended = rotation.blend_rotations(rotation.from_axis_angle(UP, angles), w)
    assert_same_rotation(blended, rotation.from_axis_angle(UP, np.sum(angles * w)))


def test_blend_with_the_wrong_number_of_weights_names_the_argument():
    with pytest.raises(ValueError, match="weights has 2"):
        rotation.blend_rotations(random_rotations(3), np.ones(2))


def test_unroll_removes_sign_flips_along_time_only():
    time = np.linspace(0.0, 12.0, 200)
    smooth = rotation.from_axis_angle(UP, time)
    flipped = smooth * RNG.choice([-1.0, 1.0], size=(200, 1))
    unrolled = rotation.unroll(flipped)
    assert np.all(np.sum(unrolled[1:] * unrolled[:-1], axis=-1) > 0)
    assert_same_rotation(unrolled, smooth)
    both = rotation.unroll(np.stack([flipped, smooth], axis=0), axis=1)
    np.testing.assert_array_equal(both[0], unrolled)


@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e12])
def test_perpendicular_is_a_unit_vector_at_right_angles(scale):
    v = RNG.normal(size=(50, 3)) * scale
    p = rotation.perpendicular(v)
    np.testing.assert_allclose(np.linalg.norm(p, axis=-1), 1.0)
    np.testing.assert_allclose(np.sum(p * v, axis=-1) / scale, 0.0, atol=1e-12)
