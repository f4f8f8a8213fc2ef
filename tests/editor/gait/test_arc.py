"""The arc fit: what was walked is found again, straight or round, and nothing odd happens where little is known."""

import numpy as np
import pytest

from editor.gait.arc import Arc, fit_arc


def walked(turned, seconds=4.0, fps=50.0, speed=1.3, heading=0.7, start=(1.0, -2.0)):
    """Points of a walk on an arc, and the arc."""
    arc = Arc(np.array(start), heading, speed, turned / seconds, seconds, 0.0)
    return arc.at(np.arange(round(seconds * fps) + 1) / fps), arc


@pytest.mark.parametrize("turned", [0.0, 1e-12, 1e-7, 1e-4, 0.3, -1.6, 3.1, -6.0, 9.5, 40.0, -90.0])
def test_walked_arc_is_found_again_however_it_turns(turned):
    points, arc = walked(turned)
    found = fit_arc(points, 0.02)
    assert found.turned_rad == pytest.approx(turned, abs=2e-6)
    assert found.speed_m_s == pytest.approx(arc.speed_m_s, abs=1e-6)
    assert found.heading_rad == pytest.approx(arc.heading_rad, abs=1e-6)
    np.testing.assert_allclose(found.start, arc.start, atol=1e-6)
    assert found.residual_m < 1e-7
    np.testing.assert_allclose(found.at(np.arange(len(points)) * 0.02), points, atol=1e-6)


def test_facing_z_a_left_turn_goes_to_plus_x_and_is_positive():
    quarter = Arc(np.zeros(2), 0.0, 1.0, np.pi / 2, 1.0, 0.0)
    radius = 2.0 / np.pi
    np.testing.assert_allclose(quarter.at(np.array([0.0, 1.0])), [[0.0, 0.0], [radius, radius]], atol=1e-12)
    assert quarter.headings_at(np.array(1.0)) == pytest.approx(np.pi / 2)
    ahead_then_left = np.array([[0.0, 0.0], [0.0, 1.0], [0.5, 1.5], [1.2, 1.6]])
    assert fit_arc(ahead_then_left, 0.5).turning_rad_s > 0.3


def test_arc_near_straight_is_continuous_in_its_turning():
    times = np.linspace(0.0, 4.0, 9)
    turnings = np.concatenate([-np.logspace(-2, -14, 40), [0.0], np.logspace(-14, -2, 40)])
    ways = np.stack([Arc(np.zeros(2), 0.2, 1.0, turning, 4.0, 0.0).at(times) for turning in turnings])
    jump = np.max(np.linalg.norm(np.diff(ways, axis=0), axis=-1), axis=1)
    # The end of the way moves by half its length squared for each unit of turning; nothing more.
    assert np.all(jump <= 8.0 * np.diff(turnings) + 1e-14)


def test_fit_is_the_least_squares_one_on_a_noisy_path():
    points, _ = walked(1.2)
    points = points + np.random.default_rng(3).normal(scale=0.02, size=points.shape)
    best = fit_arc(points, 0.02)
    times = np.arange(len(points)) * 0.02

    def cost(arc):
        return float(np.sum((arc.at(times) - points) ** 2))

    assert best.turned_rad == pytest.approx(1.2, abs=0.02)
    assert cost(best) == pytest.approx(len(points) * best.residual_m**2)
    for change in (-1e-3, 1e-3):
        near = [
            Arc(best.start + np.array([change, 0.0]), best.heading_rad, best.speed_m_s, best.turning_rad_s, 4.0, 0.0),
            Arc(best.start + np.array([0.0, change]), best.heading_rad, best.speed_m_s, best.turning_rad_s, 4.0, 0.0),
            Arc(best.start, best.heading_rad + change, best.speed_m_s, best.turning_rad_s, 4.0, 0.0),
            Arc(best.start, best.heading_rad, best.speed_m_s + change, best.turning_rad_s, 4.0, 0.0),
            Arc(best.start, best.heading_rad, best.speed_m_s, best.turning_rad_s + change, 4.0, 0.0),
        ]
        assert all(cost(arc) > cost(best) for arc in near)


def test_fit_turns_and_moves_with_the_path_and_mirrors():
    points, _ = walked(0.8)
    points = points + np.random.default_rng(4).normal(scale=0.02, size=points.shape)
    plain = fit_arc(points, 0.02)
    spun = fit_arc(np.stack([-points[:, 1], points[:, 0]], axis=-1) + 5.0, 0.02)  # a quarter turn to the right
    mirrored = fit_arc(points * [-1.0, 1.0], 0.02)
    assert spun.turning_rad_s == pytest.approx(plain.turning_rad_s, abs=1e-6)
    assert np.cos(spun.heading_rad - plain.heading_rad + np.pi / 2) == pytest.approx(1.0, abs=1e-9)
    assert mirrored.turning_rad_s == pytest.approx(-plain.turning_rad_s, abs=1e-6)
    assert mirrored.speed_m_s == pytest.approx(plain.speed_m_s, abs=1e-9)


def test_few_points_and_standing_still_say_little():
    one = fit_arc(np.array([[1.0, 2.0]]), 0.1)
    assert (one.speed_m_s, one.turning_rad_s, one.residual_m) == (0.0, 0.0, 0.0)
    two = fit_arc(np.array([[0.0, 0.0], [0.0, 0.3]]), 0.1)
    assert (two.speed_m_s, two.turning_rad_s) == (pytest.approx(3.0), 0.0)
    still = fit_arc(np.full((50, 2), 0.37), 0.1)
    assert (still.speed_m_s, still.turning_rad_s, still.residual_m) == (0.0, 0.0, 0.0)
    np.testing.assert_array_equal(still.start, [0.37, 0.37])


def test_turning_is_looked_for_where_the_caller_says():
    points, _ = walked(7.0)
    assert fit_arc(points, 0.02, about_rad=6.0, within_rad=2.0).turned_rad == pytest.approx(7.0, abs=1e-6)
    kept = fit_arc(points, 0.02, about_rad=6.5, within_rad=0.0)
    assert kept.turned_rad == pytest.approx(6.5)
    assert kept.residual_m > 0.01
    assert abs(fit_arc(points, 0.02, about_rad=0.0, within_rad=1.0).turned_rad) <= 1.0


@pytest.mark.parametrize("points", [np.zeros((0, 2)), np.zeros((4, 3)), np.zeros(2)], ids=["none", "3d", "flat"])
def test_points_of_another_shape_are_refused(points):
    with pytest.raises(ValueError, match="points"):
        fit_arc(points, 0.1)
