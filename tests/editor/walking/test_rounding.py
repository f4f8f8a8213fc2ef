"""From lines with corners to curves that can be walked."""

import numpy as np
import pytest

from editor.quality.figures import nearest_on
from editor.walking.curve import curve_through
from editor.walking.drawing import OnlineFilter, drawn_path, path_of_clip
from editor.walking.rounding import LATERAL_M_S2, ArcsOf, rounded
from model.path import Path
from tests.clips import stepping_figure
from tests.editor.evaluated import take_of


def circle(radius, turns=1.0, points=73):
    at = np.linspace(0.0, 2.0 * np.pi * turns, points)
    return np.stack([radius - radius * np.cos(at), radius * np.sin(at)], axis=-1)  # starts towards +z, turns right


def test_curve_has_exact_places_headings_and_curvature_on_a_circle():
    radius = 2.0
    curve = curve_through(circle(radius, 0.75, 4000))
    arc = np.linspace(0.2, curve.length_m - 0.2, 300)
    assert curve.length_m == pytest.approx(1.5 * np.pi * radius, rel=1e-4)
    expected = np.stack([radius - radius * np.cos(arc / radius), radius * np.sin(arc / radius)], axis=-1)
    assert np.allclose(curve.places(arc), expected, atol=1e-4)
    assert np.allclose(curve.headings(arc), arc / radius, atol=2e-3)
    assert np.allclose(curve.curvatures(arc), 1.0 / radius, rtol=0.03)


def test_curve_goes_straight_on_beyond_its_ends():
    curve = curve_through(np.stack([np.zeros(400), np.linspace(0.0, 4.0, 400)], axis=-1))
    assert np.allclose(curve.places(np.array([-1.0, 5.5])), [[0.0, -1.0], [0.0, 5.5]])
    assert np.array_equal(curve.curvatures(np.array([-1.0, 5.5])), [0.0, 0.0])


def test_closed_curve_goes_round_again():
    ring = circle(1.5, points=2000)[:-1]
    curve = curve_through(ring, closed=True)
    arc = np.array([0.3, 2.0])
    assert np.allclose(curve.places(arc), curve.places(arc + 2.0 * curve.length_m), atol=1e-9)
    assert np.allclose(curve.headings(arc + curve.length_m) - curve.headings(arc), 2.0 * np.pi)


def test_line_stays_the_line():
    curve = rounded(np.array([[1.0, 1.0], [1.0, 4.0], [1.0, 9.0]]))
    arc = np.linspace(0.0, 8.0, 50)
    assert curve.length_m == pytest.approx(8.0)
    assert np.allclose(curve.places(arc), np.stack([np.ones(50), 1.0 + arc], axis=-1), atol=1e-9)


@pytest.mark.parametrize("speed", [0.8, 1.3, 2.7])
def test_right_angle_is_cut_by_no_more_than_its_speed_asks(speed):
    corner = np.array([[0.0, 0.0], [0.0, 6.0], [6.0, 6.0]])
    radius = speed**2 / LATERAL_M_S2
    curve = rounded(corner, radius_at=lambda arc: np.full(len(arc), radius))
    places = curve.places(np.linspace(0.0, curve.length_m, 2000))
    cut = np.min(np.hypot(*(places - [0.0, 6.0]).T))
    assert cut < max(0.2, 0.4143 * radius)
    assert np.allclose(places[[0, -1]], corner[[0, -1]], atol=1e-9)


@pytest.mark.parametrize("radius", [3.0, 1.0])
def test_circle_given_by_points_keeps_its_shape(radius):
    curve = rounded(circle(radius))
    places = curve.places(np.linspace(0.0, curve.length_m, 500))
    off = np.hypot(places[:, 0] - radius, places[:, 1]) - radius
    assert np.max(np.abs(off)) < 0.012


def test_reversal_is_walked_within_reach_of_the_line_and_never_tighter_than_one_can_turn():
    hairpin = np.array([[0.0, 0.0], [0.0, 4.0], [0.1, 0.0]])
    curve = rounded(hairpin)
    arc = np.linspace(0.0, curve.length_m, 3000)
    assert np.max(nearest_on(hairpin, curve.places(arc))[0]) < 0.25
    assert np.max(np.abs(curve.curvatures(arc))) < 8.0
    assert abs(curve.turned_rad) == pytest.approx(np.pi - np.arctan(0.1 / 4.0), abs=0.02)


@pytest.mark.parametrize("seed", range(5))
def test_scribbles_become_curves_that_can_be_walked(seed):
    rng = np.random.default_rng(seed)
    line = np.cumsum(rng.normal(size=(60, 2)) * 0.2 + [0.0, 0.12], axis=0)
    curve = rounded(line)
    arc = np.linspace(0.0, curve.length_m, 4000)
    places = curve.places(arc)
    assert np.all(np.isfinite(places))
    tangents = np.gradient(places, arc, axis=0)
    assert np.allclose(np.hypot(*tangents.T)[5:-5], 1.0, atol=0.02)
    off = np.angle(np.exp(1j * (np.arctan2(tangents[:, 0], tangents[:, 1]) - curve.headings(arc))))
    assert np.max(np.abs(off[5:-5])) < 0.05


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ([[0.0, 0.0]], "two points"),
        ([[0.0, 0.0], [0.0, 0.0], [0.0, 1e-9]], "cm long"),
        ([[0.0, 0.0], [0.0, np.nan], [1.0, 1.0]], "point 1"),
        ([[0.0, 0.0], [0.05, 0.1]], "11 cm long"),
        ([[0.0, 0.0], [0.0, 1e9]], "1,000 km"),
        ([[0.0, 0.0, 1.0]], "pairs"),
    ],
)
def test_lines_that_are_no_way_are_refused_with_the_reason(line, says):
    with pytest.raises(ValueError, match=says):
        rounded(np.array(line))


def test_filter_leaves_a_straight_hand_on_its_line_and_calms_a_trembling_one():
    line = OnlineFilter()
    for n in range(30):
        line.add(0.0, 0.05 * n)
    assert np.all(line.points[:, 0] == 0.0)
    rng = np.random.default_rng(3)
    trembling = np.stack([0.01 * rng.normal(size=80), 0.05 * np.arange(80)], axis=-1)
    calm = drawn_path(trembling).x_z
    assert np.std(calm[:, 0]) < 0.75 * np.std(trembling[:, 0])
    assert np.array_equal(calm[-1], trembling[-1])


def test_gesture_on_the_spot_is_no_path():
    with pytest.raises(ValueError, match="on the spot"):
        drawn_path(np.full((20, 2), 0.5))


def test_path_of_a_clip_is_the_way_of_its_body():
    motion, _ = stepping_figure(seconds=4.0, turn=0.7)
    path = path_of_clip(take_of(motion))
    ahead = path.x_z[-1] - path.x_z[0]
    assert np.arctan2(*ahead) == pytest.approx(0.7, abs=0.02)
    assert np.hypot(*ahead) == pytest.approx(1.2 * 4.0, abs=0.7)


def test_places_of_a_path_are_found_on_the_curve_that_is_walked():
    path = Path.through([(0.0, 0.0), (0.0, 4.0), (4.0, 4.0), (4.0, 0.0), (0.0, 0.0)])
    curve = rounded(path.line())
    arcs = ArcsOf(curve, path)
    for path_m in (0.0, 1.0, 3.0, 6.0, 10.0, 15.0, 16.0):
        place = curve.places(np.array(arcs.of_path(path_m)))
        wanted = np.array([np.interp(path_m, [0, 4, 8, 12, 16], column) for column in path.x_z.T])
        assert np.hypot(*(place - wanted)) < 0.05
    assert arcs.of_path(16.0) == pytest.approx(curve.length_m)
    assert curve.length_m < 15.9
