"""The camera: between the world and pixels, and from one camera to another."""

import math

import numpy as np
import pytest

from widgets.viewport.camera import Camera, Preset

SIZE = (800.0, 500.0)
CAMERA = Camera((0.3, 1.0, -0.2), 4.0, 0.7, 0.3)


def test_target_is_seen_in_the_middle_at_its_distance():
    pixels, depth = CAMERA.project(np.array(CAMERA.target), SIZE)
    np.testing.assert_allclose(pixels, [400.0, 250.0], atol=1e-9)
    assert depth == pytest.approx(4.0)


@pytest.mark.parametrize("pixel", [(10.0, 20.0), (400.0, 250.0), (790.0, 100.0)])
def test_ray_through_a_pixel_projects_back_to_it(pixel):
    origin, direction = CAMERA.ray(pixel, SIZE)
    assert np.linalg.norm(direction) == pytest.approx(1.0)
    for distance in (1.0, 5.0, 30.0):
        pixels, depth = CAMERA.project(origin + distance * direction, SIZE)
        np.testing.assert_allclose(pixels, pixel, atol=1e-6)
        assert 0.0 < depth < distance + 1e-9


def test_matrices_and_project_agree():
    points = np.random.default_rng(1).normal(size=(20, 3))
    clip = np.concatenate([points, np.ones((20, 1))], axis=-1) @ CAMERA.matrix(SIZE).T
    share = clip[:, :2] / clip[:, 3:]
    pixels, depths = CAMERA.project(points, SIZE)
    np.testing.assert_allclose((share * [0.5, -0.5] + 0.5) * SIZE, pixels, atol=1e-6)
    np.testing.assert_allclose(clip[:, 3], depths)


def test_up_is_up_and_right_is_right():
    middle, _ = CAMERA.project(np.array(CAMERA.target), SIZE)
    above, _ = CAMERA.project(np.array(CAMERA.target) + np.array([0.0, 0.2, 0.0]), SIZE)
    beside, _ = CAMERA.project(np.array(CAMERA.target) + 0.2 * CAMERA.axes[0], SIZE)
    assert above[1] < middle[1]
    assert abs(above[0] - middle[0]) < 1e-6
    assert beside[0] > middle[0]


@pytest.mark.parametrize(
    ("preset", "towards"),
    [
        (Preset.FRONT, (0, 0, 1)),
        (Preset.BACK, (0, 0, -1)),
        (Preset.SIDE, (-1, 0, 0)),
        (Preset.OTHER_SIDE, (1, 0, 0)),
        (Preset.TOP, (0, 1, 0)),
        (Preset.BOTTOM, (0, -1, 0)),
    ],
)
def test_presets_look_from_where_they_say(preset, towards):
    camera = CAMERA.at_preset(preset)
    eye = camera.eye - np.array(camera.target)
    assert eye @ np.array(towards) / np.linalg.norm(eye) > 0.99
    assert camera.target == CAMERA.target


def test_front_preset_turns_with_the_figure():
    camera = CAMERA.at_preset(Preset.FRONT, math.radians(90.0))
    assert (camera.eye - np.array(camera.target))[0] == pytest.approx(4.0, rel=0.01)


def test_orbit_keeps_target_and_distance_and_never_goes_over_the_top():
    camera = CAMERA.orbited(0.5, 9.0)
    assert camera.target == CAMERA.target
    assert np.linalg.norm(camera.eye - np.array(camera.target)) == pytest.approx(4.0)
    assert camera.pitch_rad == pytest.approx(math.pi / 2)
    assert np.all(np.isfinite(camera.matrix(SIZE)))


def test_pan_moves_what_is_at_the_target_with_the_mouse():
    moved = CAMERA.panned(30.0, -12.0, SIZE)
    pixels, _ = moved.project(np.array(CAMERA.target), SIZE)
    np.testing.assert_allclose(pixels, [430.0, 238.0], atol=1e-6)


@pytest.mark.parametrize("size", [(800.0, 500.0), (300.0, 900.0), (160.0, 120.0)])
@pytest.mark.parametrize("preset", [Preset.FRONT, Preset.TOP, Preset.THREE_QUARTER])
def test_framed_points_are_all_in_the_picture_and_fill_it(size, preset):
    points = np.random.default_rng(2).uniform([-0.4, 0.0, 2.0], [0.4, 1.8, 3.0], size=(50, 3))
    pixels, depths = CAMERA.at_preset(preset).framing(points, size).project(points, size)
    assert np.all(depths > 0.0)
    assert np.all((pixels > 0.0) & (pixels < size))
    assert np.max(np.ptp(pixels, axis=0) / size) > 0.5


def test_way_to_another_camera_ends_there_and_turns_the_shorter_way():
    other = Camera((1.0, 1.0, 1.0), 2.0, math.radians(-170.0), 0.1)
    start = Camera((0.0, 1.0, 0.0), 8.0, math.radians(170.0), 0.5)
    assert start.towards(other, 0.0).distance_m == pytest.approx(8.0)
    end = start.towards(other, 1.0)
    assert (end.distance_m, end.yaw_rad, *end.target) == pytest.approx((2.0, other.yaw_rad, *other.target))
    assert abs(abs(start.towards(other, 0.5).yaw_rad) - math.pi) < 1e-6


def test_what_is_behind_the_camera_has_no_positive_depth():
    _, depth = CAMERA.project(CAMERA.eye + CAMERA.axes[2], SIZE)
    assert depth < 0.0
