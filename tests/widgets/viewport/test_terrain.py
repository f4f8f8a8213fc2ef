"""What stands on the floor: its faces, what a ray meets, and that both ways of drawing show it."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QSize

from model.clip import Take
from model.ground import FLAT, Box, Grid, Ground, Mesh, Ramp, Stairs
from tests.widgets.viewport.stage import stepping_take
from widgets.common.theme import DARK
from widgets.viewport.camera import Camera
from widgets.viewport.composing import Composer, Moment, ViewOptions, Wanted
from widgets.viewport.figure import NOTHING
from widgets.viewport.gl_platform import abilities
from widgets.viewport.image import picture
from widgets.viewport.painted_ground import BlockOrder
from widgets.viewport.scene import Scene, backdrop_of
from widgets.viewport.terrain import NO_TERRAIN, terrain_of

BOX = Box((0.0, 0.0), (1.0, 2.0), 0.4, 0.3)
EVERYTHING = Ground(
    0.2,
    (BOX,),
    (Ramp((3.0, 0.0), (3.0, 2.0), 1.0, (0.0, 0.5)),),
    (Grid((-4.0, -1.0), 0.5, ((0.0, 0.1, 0.2), (0.1, 0.3, 0.1), (0.0, 0.2, 0.4))),),
    (Mesh((((5.0, 0.0, 0.0), (6.0, 0.0, 0.0), (5.5, 0.6, 1.0)),)),),
    (Stairs((0.0, 3.0), 0.0, 3, 0.4, 0.2, 1.5),),
)


def test_flat_ground_has_no_faces():
    assert terrain_of(FLAT) is NO_TERRAIN
    assert NO_TERRAIN.hit(np.array([0.0, 3.0, 0.0]), np.array([0.0, -1.0, 0.0])) is None


def test_rays_from_above_meet_every_object_as_high_as_the_ground_is_there():
    terrain = terrain_of(EVERYTHING)
    rng = np.random.default_rng(2)
    places = rng.uniform([-5.0, -2.0], [7.0, 5.0], size=(400, 2))
    heights = EVERYTHING.heights(places)
    met = set()
    for (x, z), height in zip(places.tolist(), heights.tolist(), strict=True):
        hit = terrain.hit(np.array([x, 10.0, z]), np.array([0.0, -1.0, 0.0]))
        assert (hit is not None) == (height > 0.2 + 1e-9) or (hit is not None and abs(height - 0.2) < 0.25)
        if hit is not None:
            met.add(EVERYTHING.objects[hit[0]][0][0])
            if EVERYTHING.objects[hit[0]][0][0] != "grid":  # whose cells are bent, not two triangles
                assert 10.0 - hit[1] == pytest.approx(height, abs=1e-9)
    assert met == {"box", "stairs", "ramp", "grid", "mesh"}


def test_faces_of_blocks_look_outward_and_those_of_pits_inward():
    for height in (0.4, -0.4):
        terrain = terrain_of(Ground(boxes=(replace(BOX, height_m=height),)))
        away = np.mean(terrain.triangles, axis=1) - np.mean(terrain.blocks[0], axis=0)
        sides = np.abs(terrain.normals[:, 1]) < 0.5
        assert np.all((np.sum(away * terrain.normals, axis=-1) > 0.0)[sides] == (height > 0.0))
        assert np.all(terrain.normals[~sides, 1] > 0.99)


def test_edges_of_a_surface_are_its_rim_and_sharp_bends():
    flat = Grid((0.0, 0.0), 1.0, ((0.1,) * 4,) * 4)
    terrain = terrain_of(Ground(grids=(flat,)))
    rim = np.any(np.isclose(terrain.edges[..., [0, 2]].mean(axis=1) % 3.0, 0.0), axis=-1)
    assert len(terrain.edges) == 12
    assert np.all(rim)
    bent = terrain_of(Ground(grids=(replace(flat, heights_m=((0.0, 0.8, 0.0, 0.0),) * 4),)))
    assert len(bent.edges) == 12 + 3 + 3


@pytest.mark.parametrize("yaw", np.linspace(0.0, 2.0 * np.pi, 9)[:-1])
def test_blocks_are_ordered_so_that_none_is_drawn_over_one_that_hides_it(yaw):
    terrain = terrain_of(Ground(stairs=(Stairs((0.0, 0.0), 0.0, 5, 0.4, 0.2, 2.0),)))
    camera = Camera((0.0, 0.3, 1.0), 6.0, float(yaw), 0.3)
    order = BlockOrder(terrain, camera).order.tolist()
    assert sorted(order) == list(range(5))
    if abs(np.sin(yaw)) < 0.9:
        toward = camera.eye[2] > 1.0
        assert order == (list(range(5)) if toward else list(range(4, -1, -1)))


def test_parts_before_a_block_are_drawn_after_it_and_those_behind_it_first():
    terrain = terrain_of(Ground(boxes=(Box((0.0, 0.0), (1.0, 1.0), 0.5),)))
    camera = Camera((0.0, 0.3, 0.0), 6.0, 0.0, 0.2)  # from +Z
    assert camera.eye[2] > 3.0
    points = np.array([[0.0, 0.2, 0.8], [0.0, 0.2, -0.8], [0.0, 0.6, 0.0], [0.0, 0.2, 0.0]])
    assert BlockOrder(terrain, camera).slots(points).tolist() == [1, 0, 1, 0]


@pytest.fixture(params=["opengl", "painter"])
def painter(request, application):
    """Whether it is drawn without OpenGL."""
    if request.param == "opengl" and not abilities().available:
        pytest.skip("there is no OpenGL here")
    return request.param == "painter"


def test_blocks_are_seen_hide_what_is_behind_and_are_lit_where_selected(painter):
    ground = Ground(boxes=(Box((0.0, 0.0), (1.0, 1.0), 0.5),))
    camera = Camera((0.0, 0.25, 0.0), 4.0, 0.0, 0.2)
    plain = Scene(backdrop_of(DARK), grid=False)

    def colours(scene):
        image = picture(scene, camera, QSize(200, 150), painter)
        return np.array([image.pixelColor(100, y).getRgb()[:3] for y in (70, 85, 140)])

    empty, shown = colours(plain), colours(replace(plain, terrain=terrain_of(ground)))
    chosen = colours(replace(plain, terrain=terrain_of(ground), chosen=0))
    assert np.all(np.abs(shown[:2] - empty[:2]).max(axis=-1) > 12)
    assert np.array_equal(shown[2], empty[2])
    assert np.all((chosen - shown)[:2, 2] > (chosen - shown)[:2, 0])  # towards the accent, which is blue


@pytest.mark.parametrize("kind", [name[0] for name, _ in EVERYTHING.objects])
def test_every_kind_of_object_alone_changes_the_picture(painter, kind):
    take = stepping_take()
    camera = Camera((1.0, 0.3, 1.0), 12.0, 0.4, 0.5)
    one = next(one for (other, _), one in EVERYTHING.objects if other == kind)
    pictures = [
        picture(
            Composer().scene(Wanted(Moment(take, 0.0), ground=ground), ViewOptions(), DARK),
            camera,
            QSize(90, 60),
            painter,
        )
        for ground in (FLAT, FLAT.adding(one))
    ]
    assert pictures[0] != pictures[1]


def test_blocks_that_reach_behind_the_camera_are_seen_as_far_as_they_are_before_it(painter):
    platform = Ground(boxes=(Box((0.0, 20.0), (4.0, 42.0), 0.3),))  # the camera stands over it
    camera = Camera((0.0, 0.3, 0.0), 4.0, 0.0, 0.4)
    plain = Scene(backdrop_of(DARK), grid=False)
    images = [
        picture(one, camera, QSize(100, 80), painter) for one in (plain, replace(plain, terrain=terrain_of(platform)))
    ]
    assert abs(images[0].pixelColor(50, 60).lightness() - images[1].pixelColor(50, 60).lightness()) > 12


def test_shadows_fall_on_top_of_what_a_figure_stands_on(painter):
    take = stepping_take()
    feet = take.motion.world.positions[0]
    under = feet[np.argmin(feet[:, 1])]
    ground = Ground(boxes=(Box((float(under[0]), float(under[2])), (3.0, 3.0), 0.3),))
    lifted = replace(take.motion, root_positions=take.motion.root_positions + np.array([0.0, 0.3, 0.0]))
    stage = ground.at_height(take.contacts.ground_m)
    wanted = Wanted(Moment(Take(lifted, take.contacts, ground=stage), 0.0), ground=ground)
    camera = Camera(tuple((under + np.array([0.0, 0.3, 0.0])).tolist()), 3.0, 0.0, 1.2)
    size = QSize(160, 120)
    with_shadow, without = (
        picture(replace(Composer().scene(wanted, ViewOptions(shadow=on, contacts=False), DARK), solids=NOTHING),
                camera, size, painter)
        for on in (True, False)
    )  # fmt: skip
    dark, light = (image.pixelColor(80, 60).lightnessF() for image in (with_shadow, without))
    assert dark < 0.85 * light


def test_contact_marks_lie_on_what_the_take_stands_on():
    take = stepping_take()
    where = take.motion.world.positions[:, 0].mean(axis=0)
    ground = Ground(boxes=(Box((float(where[0]), float(where[2])), (60.0, 60.0), 0.3),)).at_height(
        take.contacts.ground_m
    )
    flat, high = (
        Composer().scene(Wanted(Moment(replace(take, ground=on), 0.0)), ViewOptions(), DARK).prints.centres[:, 1]
        for on in (None, ground)
    )
    assert np.allclose(high - flat, 0.3)
