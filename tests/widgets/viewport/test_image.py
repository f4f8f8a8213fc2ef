"""Pictures, drawn with OpenGL and with QPainter alike: the figure is where its joints are, in its colours."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage

from model.clip import Take
from model.contacts import Contacts
from model.motion import Motion
from tests.clips import waving_figure
from tests.widgets.viewport.stage import stepping_take
from widgets.common.theme import DARK, LIGHT
from widgets.viewport.camera import Camera, Preset
from widgets.viewport.composing import Composer, Moment, ViewOptions, Wanted
from widgets.viewport.figure import Solids
from widgets.viewport.gl_platform import abilities
from widgets.viewport.image import drawn, good_camera, painted, picture, thumbnail

SIZE = QSize(360, 300)
EXTENT = (360.0, 300.0)
PLAIN = ViewOptions(contacts=False)


@pytest.fixture(params=["opengl", "painter"])
def draw(request, application):
    """A way of drawing."""
    if request.param == "painter":
        return painted
    if not abilities().available:
        pytest.skip("there is no OpenGL here")
    return drawn


def standing(height=0.0):
    motion = waving_figure()
    roots = motion.root_positions + np.array([0.0, height, 0.0])
    raised = Motion(motion.skeleton, motion.frame_time_s, roots, motion.local_rotations, motion.local_offsets)
    return Take(raised, Contacts(motion.frames, {}, 0.0))


def seen(draw, take, preset=Preset.FRONT, theme=DARK, options=PLAIN, time_s=1.5, joints=()):
    """A scene of a take, its camera, and the picture (H, W, 3) 0 to 1."""
    scene = Composer().scene(Wanted(Moment(take, time_s), joints=joints), options, theme)
    camera = good_camera(scene, take.motion, 0.0, SIZE, preset)
    return scene, camera, pixels_of(draw(scene, camera, SIZE))


def pixels_of(image):
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    rows = np.frombuffer(image.constBits(), dtype=np.uint8).reshape(image.height(), image.bytesPerLine() // 4, 4)
    return rows[:, : image.width(), 2::-1] / 255.0


def colour_at(picture, camera, point):
    (x, y), _ = camera.project(np.asarray(point), EXTENT)
    return picture[round(y), round(x)]


def middle(scene, take, upper, lower):
    return 0.5 * (scene.joints[take.motion.skeleton.find(upper)] + scene.joints[take.motion.skeleton.find(lower)])


def is_blue(colour):
    return colour[2] > colour[0] + 0.15


def is_coral(colour):
    return colour[0] > colour[2] + 0.15


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=lambda theme: theme.name)
def test_limbs_have_the_colours_of_their_sides_where_they_are(draw, theme):
    take = standing()
    scene, camera, picture = seen(draw, take, theme=theme)
    for upper, lower in (("Arm", "ForeArm"), ("UpLeg", "Leg"), ("Leg", "Foot")):
        left, right = (middle(scene, take, side + upper, side + lower) for side in ("Left", "Right"))
        assert is_blue(colour_at(picture, camera, left)), upper
        assert is_coral(colour_at(picture, camera, right)), upper
    blue = picture[..., 2] - picture[..., 0] > 0.2
    coral = picture[..., 0] - picture[..., 2] > 0.2
    assert np.mean(np.nonzero(blue)[1]) > np.mean(np.nonzero(coral)[1]), "seen from the front, left is on the right"


def test_left_is_on_the_left_when_seen_from_behind(draw):
    _, _, picture = seen(draw, standing(), Preset.BACK)
    blue = picture[..., 2] - picture[..., 0] > 0.2
    coral = picture[..., 0] - picture[..., 2] > 0.2
    assert np.mean(np.nonzero(blue)[1]) < np.mean(np.nonzero(coral)[1])


@pytest.mark.parametrize(("preset", "nearer"), [(Preset.SIDE, is_coral), (Preset.OTHER_SIDE, is_blue)])
def test_nearer_leg_hides_the_other(draw, preset, nearer):
    take = standing()
    scene, camera, picture = seen(draw, take, preset)
    for side in ("Left", "Right"):
        assert nearer(colour_at(picture, camera, middle(scene, take, side + "UpLeg", side + "Leg"))), side


def test_part_has_round_ends_and_its_own_width_and_depth(draw):
    part = Solids(
        np.array([[0.0, 0.5, 0.0]]), np.array([[0.0, 1.5, 0.0]]), np.array([[1.0, 0.0, 0.0]]),
        np.array([[0.4, 0.2, 0.4, 0.2, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0]]), np.array([[1.0, 0.0, 0.0, 1.0]]),
        np.array([0], dtype=np.intp),
    )  # fmt: skip
    scene = replace(Composer().scene(Wanted(None), PLAIN, DARK), solids=part)
    for preset, inside, outside in (
        (Preset.FRONT, ([0.35, 1, 0], [-0.35, 1, 0], [0, 1.65, 0], [0, 0.35, 0]), ([0.45, 1, 0], [0, 1.78, 0])),
        (Preset.SIDE, ([0, 1, 0.15], [0, 1, -0.15], [0, 1.65, 0]), ([0, 1, 0.27], [0, 0.22, 0])),
    ):
        camera = Camera((0.0, 1.0, 0.0), 6.0).at_preset(preset)
        picture = pixels_of(draw(scene, camera, SIZE))
        for point in inside:
            assert is_coral(colour_at(picture, camera, point)), (preset, point)
        for point in outside:
            assert not is_coral(colour_at(picture, camera, point)), (preset, point)


def test_ground_does_not_hide_a_figure_that_sank_into_it(draw):
    take = standing(height=-0.5)
    scene, camera, picture = seen(draw, take)
    assert is_blue(colour_at(picture, camera, middle(scene, take, "LeftLeg", "LeftFoot")))


def test_figure_stands_out_from_ground_and_sky(draw):
    take = standing()
    for theme in (DARK, LIGHT):
        scene, camera, picture = seen(draw, take, theme=theme)
        empty = Composer().scene(Wanted(None), PLAIN, theme)
        behind = pixels_of(draw(empty, camera, SIZE))
        for name in ("Chest", "Head", "LeftLeg", "RightForeArm"):
            point = scene.joints[take.motion.skeleton.find(name)] + np.array([0.0, 0.05, 0.0])
            apart = np.abs(colour_at(picture, camera, point) - colour_at(behind, camera, point))
            assert np.max(apart) > 0.2, (theme.name, name)


def test_theme_changes_the_background(draw):
    dark, light = (seen(draw, standing(), theme=theme)[2] for theme in (DARK, LIGHT))
    for corner in ((2, 2), (-3, -3)):
        assert np.all(light[corner] > dark[corner] + 0.4)


def test_figure_casts_a_shadow_on_the_ground(draw):
    take = standing()
    _, _, with_shadow = seen(draw, take, Preset.THREE_QUARTER, LIGHT)
    _, _, without = seen(draw, take, Preset.THREE_QUARTER, LIGHT, ViewOptions(contacts=False, shadow=False))
    darker = np.sum(without - with_shadow, axis=-1) > 0.1
    assert np.count_nonzero(darker) > 50
    assert np.mean(np.nonzero(darker)[0]) > 0.7 * SIZE.height(), "it lies at the feet"


def test_contacts_trails_mass_ghosts_and_selection_are_drawn(draw):
    take = stepping_take(seconds=2.0)
    ref = take.motion.skeleton.ref(take.motion.skeleton.find("RightHand"))
    _, _, plain = seen(draw, take, Preset.THREE_QUARTER, time_s=1.0)
    for options, joints in (
        (ViewOptions(contacts=True), ()),
        (ViewOptions(contacts=False, trails=True), ()),
        (ViewOptions(contacts=False, centre_of_mass=True), ()),
        (ViewOptions(contacts=False, ghost_around=True), ()),
        (PLAIN, (ref,)),
    ):
        _, _, picture = seen(draw, take, Preset.THREE_QUARTER, options=options, time_s=1.0, joints=joints)
        assert np.count_nonzero(np.max(np.abs(picture - plain), axis=-1) > 0.1) > 20, (options, joints)


def test_grid_can_be_left_out(draw):
    empty = Wanted(None)
    camera = Camera(distance_m=4.0)
    with_grid, without = (
        pixels_of(draw(Composer().scene(empty, ViewOptions(grid=grid), DARK), camera, SIZE)) for grid in (True, False)
    )
    assert np.count_nonzero(np.abs(with_grid - without) > 0.02) > 500


@pytest.mark.parametrize("pitch_rad", [-1.5, 0.0, np.pi / 2])
def test_any_direction_can_be_looked_in(draw, pitch_rad):
    scene = Composer().scene(Wanted(Moment(standing(), 1.0)), ViewOptions(), DARK)
    for distance in (0.06, 500.0):
        image = draw(scene, Camera(distance_m=distance, pitch_rad=pitch_rad), SIZE)
        assert image.size() == SIZE


def test_both_ways_of_drawing_agree_on_where_the_figure_is(application):
    if not abilities().available:
        pytest.skip("there is no OpenGL here")
    take = standing()
    options = ViewOptions(contacts=False, grid=False, shadow=False)
    masks = []
    for draw in (drawn, painted):
        _, camera, picture = seen(draw, take, options=options)
        background = pixels_of(draw(Composer().scene(Wanted(None), options, DARK), camera, SIZE))
        masks.append(np.max(np.abs(picture - background), axis=-1) > 0.05)
    together, either = np.count_nonzero(masks[0] & masks[1]), np.count_nonzero(masks[0] | masks[1])
    assert together / either > 0.95


def test_picture_without_opengl_is_painted(application):
    scene = Composer().scene(Wanted(Moment(standing(), 1.0)), PLAIN, DARK)
    camera = Camera()
    assert picture(scene, camera, SIZE, painter=True) == painted(scene, camera, SIZE)


def test_thumbnail_shows_a_figure_and_takes_any_clip(application):
    image = thumbnail(stepping_take(seconds=1.0), QSize(96, 72))
    assert image.size() == QSize(96, 72)
    pixels = pixels_of(image)
    assert np.any(pixels[..., 2] - pixels[..., 0] > 0.2)
    nothing = standing().motion.sliced(0, 0)
    assert not thumbnail(Take(nothing, Contacts(0, {}, 0.0))).isNull()
