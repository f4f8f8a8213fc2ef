"""Curves through sparse knots."""

import numpy as np
import pytest

from model.rotation import angle_between, from_axis_angle, normalize
from model.splines import bezier_rotation, rotation_spline, vector_spline
from tests.clips import Y

RNG = np.random.default_rng(8)
KNOTS = np.array([0.0, 3.0, 4.0, 9.0, 20.0])


def test_curves_pass_through_their_knots():
    values, rotations = RNG.normal(size=(5, 3, 2)), normalize(RNG.normal(size=(5, 6, 4)))
    np.testing.assert_allclose(vector_spline(KNOTS, values, KNOTS), values, atol=1e-12)
    np.testing.assert_allclose(angle_between(rotation_spline(KNOTS, rotations, KNOTS), rotations), 0.0, atol=1e-7)


def test_values_are_held_outside_the_knots():
    values = RNG.normal(size=(5, 2))
    np.testing.assert_allclose(vector_spline(KNOTS, values, np.array([-5.0, 50.0])), values[[0, -1]])


def test_one_knot_gives_a_constant():
    np.testing.assert_array_equal(
        vector_spline(np.array([2.0]), np.array([[7.0]]), np.arange(4.0)), np.full((4, 1), 7.0)
    )
    q = from_axis_angle(Y, 1.0)[None]
    np.testing.assert_allclose(angle_between(rotation_spline(np.array([2.0]), q, np.arange(4.0)), q), 0.0, atol=1e-12)


def test_even_knots_on_a_line_give_the_line_between_inner_knots():
    """With evenly spaced knots the tangents are exact; the repeated ends ease in and out."""
    times = np.linspace(1.0, 3.0, 50)
    np.testing.assert_allclose(vector_spline(np.arange(5.0), 2.0 * np.arange(5.0), times), 2.0 * times, atol=1e-12)


def test_segment_is_the_cubic_bezier_with_a_sixth_of_the_neighbours_distance():
    values = np.array([1.0, 4.0, 2.0, 7.0])
    controls = [4.0, 4.0 + (2.0 - 1.0) / 6, 2.0 - (7.0 - 4.0) / 6, 2.0]
    for u in (0.1, 0.5, 0.8):
        expected = sum(
            weight * control
            for weight, control in zip(
                [(1 - u) ** 3, 3 * u * (1 - u) ** 2, 3 * u * u * (1 - u), u**3], controls, strict=True
            )
        )
        assert vector_spline(np.arange(4.0), values, np.array([1 + u]))[0] == pytest.approx(expected)


def test_turns_about_one_axis_follow_the_curve_of_their_angles():
    angles = np.array([0.1, 0.9, 0.4, -0.6, 0.2])
    times = np.linspace(0.0, 20.0, 80)
    curve = rotation_spline(KNOTS, from_axis_angle(Y, angles), times)
    expected = from_axis_angle(Y, vector_spline(KNOTS, angles, times))
    np.testing.assert_allclose(angle_between(curve, expected), 0.0, atol=1e-9)


def test_turns_that_pass_half_a_turn_in_two_steps_go_on_the_same_way():
    times = np.linspace(0.0, 3.0, 60)
    angles = np.radians([0.0, 100.0, 200.0, 300.0])
    curve = rotation_spline(np.arange(4.0), from_axis_angle(Y, angles), times)
    expected = from_axis_angle(Y, vector_spline(np.arange(4.0), angles, times))
    np.testing.assert_allclose(angle_between(curve, expected), 0.0, atol=1e-9)


def test_signs_of_knots_do_not_count():
    rotations = normalize(RNG.normal(size=(5, 4)))
    flipped = rotations * np.array([1, -1, -1, 1, -1])[:, None]
    times = np.linspace(0, 20, 33)
    np.testing.assert_allclose(
        angle_between(rotation_spline(KNOTS, rotations, times), rotation_spline(KNOTS, flipped, times)),
        0,
        atol=1e-7,
    )


def test_rotation_curve_has_no_corner_at_its_knots():
    rotations = from_axis_angle(Y, np.array([0.0, 1.0, 0.3, 0.8, 0.5]))
    close = 1e-4
    before = rotation_spline(np.arange(5.0), rotations, np.array([2 - close]))
    at = rotation_spline(np.arange(5.0), rotations, np.array([2.0]))
    after = rotation_spline(np.arange(5.0), rotations, np.array([2 + close]))
    assert angle_between(before, at)[0] == pytest.approx(angle_between(at, after)[0], rel=1e-2)


def test_bezier_of_rotations_starts_and_ends_at_its_ends():
    a, b, c, d = normalize(RNG.normal(size=(4, 4)))
    assert angle_between(bezier_rotation(a, b, c, d, 0.0), a) == pytest.approx(0.0, abs=1e-9)
    assert angle_between(bezier_rotation(a, b, c, d, 1.0), d) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("knots", [np.zeros(0), np.array([1.0, 1.0]), np.array([2.0, 1.0])])
def test_knots_that_do_not_rise_name_the_argument(knots):
    with pytest.raises(ValueError, match="knot_times"):
        vector_spline(knots, np.zeros(len(knots)), np.zeros(1))
