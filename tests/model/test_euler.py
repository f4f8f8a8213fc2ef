"""Euler angles of all twelve orders, against scipy's."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from model.euler import ORDERS, continuous, from_euler, to_euler
from model.rotation import angle_between, normalize

RNG = np.random.default_rng(21)


def middle_of(axes):
    """A middle angle away from gimbal lock, and the two that lie in it."""
    return (0.4, 0.0, np.pi) if axes[0] == axes[2] else (0.4, -np.pi / 2, np.pi / 2)


@pytest.mark.parametrize("axes", ORDERS)
def test_composing_agrees_with_scipy(axes):
    angles = RNG.uniform(-10, 10, size=(100, 3))
    expected = Rotation.from_euler(axes, angles).as_quat(scalar_first=True)
    np.testing.assert_allclose(angle_between(from_euler(angles, axes), expected), 0.0, atol=1e-14)


@pytest.mark.parametrize("axes", ["", "X", "Z", "XY", "ZX", "YY", "XXY", "XYZX"])
def test_composing_other_sequences_multiplies_in_turn(axes):
    angles = RNG.uniform(-3, 3, size=(20, len(axes)))
    expected = Rotation.identity(20)
    for n, axis in enumerate(axes):
        expected = expected * Rotation.from_euler(axis, angles[:, n : n + 1])
    np.testing.assert_allclose(
        angle_between(from_euler(angles, axes), expected.as_quat(scalar_first=True)), 0.0, atol=1e-14
    )


def test_composing_with_the_wrong_number_of_angles_names_the_argument():
    with pytest.raises(ValueError, match="angles_rad has 2"):
        from_euler(np.zeros((5, 2)), "XYZ")


@pytest.mark.parametrize("axes", ORDERS)
def test_angles_agree_with_scipy(axes):
    q = normalize(RNG.normal(size=(300, 4)))
    expected = Rotation.from_quat(q, scalar_first=True).as_euler(axes)
    np.testing.assert_allclose(to_euler(q, axes), expected, atol=1e-9)


@pytest.mark.parametrize("axes", ORDERS)
@pytest.mark.parametrize("closeness", [0.0, 1e-12, 1e-10, 1e-9, 1e-7, 1e-5])
def test_angles_compose_back_in_and_near_gimbal_lock(axes, closeness):
    for locked in middle_of(axes)[1:]:
        angles = RNG.uniform(-np.pi, np.pi, size=(50, 3))
        angles[:, 1] = locked + closeness * RNG.choice([-1, 1], size=50)
        q = from_euler(angles, axes)
        found = to_euler(q, axes)
        # Rounding to lock costs at most the width of the zone that counts as locked.
        np.testing.assert_allclose(angle_between(from_euler(found, axes), q), 0.0, atol=3e-9)
        found = to_euler(q, axes, nearest_rad=angles)
        np.testing.assert_allclose(angle_between(from_euler(found, axes), q), 0.0, atol=3e-9)
        assert np.max(np.abs(found - angles)) < 0.01


@pytest.mark.parametrize("axes", ORDERS)
def test_nearest_solution_is_the_one_the_rotation_came_from(axes):
    angles = RNG.uniform(-20, 20, size=(400, 3))
    q = from_euler(angles, axes) * RNG.choice([-1.0, 1.0], size=(400, 1))
    np.testing.assert_allclose(to_euler(q, axes, nearest_rad=angles), angles, atol=1e-7)


@pytest.mark.parametrize("axes", ORDERS)
def test_nearest_solution_follows_a_smooth_motion_through_lock(axes):
    """370 degrees stay 370, and a curve through gimbal lock stays a curve."""
    time = np.linspace(0.0, 1.0, 400)
    locked = middle_of(axes)[2]
    curve = np.stack([2 + 9 * time, locked + 2 * (time - 0.5), 5 - 8 * time], axis=-1)
    found = to_euler(from_euler(curve, axes), axes, nearest_rad=curve + RNG.normal(size=(400, 3)) * 0.02)
    np.testing.assert_allclose(found, curve, atol=0.2)
    np.testing.assert_allclose(angle_between(from_euler(found, axes), from_euler(curve, axes)), 0, atol=1e-7)


@pytest.mark.parametrize("axes", ORDERS)
def test_continuous_angles_do_not_jump_and_mean_the_same(axes):
    time = np.linspace(0.0, 1.0, 500)
    middle = middle_of(axes)[2] + 3 * (time - 0.501)
    curve = np.stack([9 * time, middle, 5 - 8 * time], axis=-1)
    q = from_euler(np.stack([curve, curve[::-1]], axis=1), axes)
    smooth = continuous(to_euler(q, axes), axes)
    np.testing.assert_allclose(angle_between(from_euler(smooth, axes), q), 0.0, atol=1e-8)
    assert np.max(np.abs(np.diff(smooth, axis=0))) < 0.1


def test_unknown_order_names_the_argument():
    with pytest.raises(ValueError, match="axes is 'XXY'"):
        to_euler(np.array([1.0, 0, 0, 0]), "XXY")
