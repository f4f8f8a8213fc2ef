from itertools import pairwise

import numpy as np
import pytest

from model.ground import FLAT, Box, Grid, Ground, Mesh, Ramp, Stairs, end_of, moved, outline


def heights(ground, *places):
    return ground.heights(np.array(places, dtype=float)).tolist()


def test_flat_ground_is_as_high_everywhere():
    assert FLAT.is_flat
    assert np.array_equal(Ground(0.25).heights(np.zeros((3, 4, 2))), np.full((3, 4), 0.25))


def test_box_is_high_within_its_sides_and_turned_with_its_yaw():
    straight, turned = Box((1.0, 2.0), (2.0, 0.5), 0.3), Box((1.0, 2.0), (2.0, 0.5), 0.3, np.radians(30.0))
    assert heights(Ground(boxes=(straight,)), (1.9, 2.0), (2.1, 2.0), (1.0, 2.3)) == [0.3, 0.0, 0.0]
    # Left positive about Y: the box's x axis goes to (cos, -sin) in x, z.
    along, away = (0.9 * np.cos(np.radians(30.0)), -0.9 * np.sin(np.radians(30.0))), (0.78, 0.45)
    there = [(1.0 + x, 2.0 + z) for x, z in (along, away)]
    assert heights(Ground(boxes=(turned,)), *there) == [0.3, 0.0]


def test_ramp_rises_from_end_to_end():
    ramp = Ramp((0.0, 1.0), (0.0, 3.0), 1.0, (0.1, 0.5))
    assert np.allclose(
        heights(Ground(ramps=(ramp,)), (0.0, 1.0), (0.4, 2.0), (0.0, 3.0), (0.6, 2.0)), (0.1, 0.3, 0.5, 0)
    )


def test_grid_is_bilinear_and_may_lie_under_the_floor():
    grid = Grid((1.0, 2.0), 0.5, ((0.0, 1.0), (-2.0, 3.0)))
    found = heights(Ground(0.5, grids=(grid,)), (1.0, 2.0), (1.5, 2.0), (1.0, 2.5), (1.25, 2.25), (3.0, 3.0))
    assert np.allclose(found, (0.5, 1.5, -1.5, 1.0, 0.5))


def test_highest_of_what_lies_above_each_other_counts():
    ground = Ground(boxes=(Box((0.0, 0.0), (2.0, 2.0), 0.2), Box((0.0, 0.0), (1.0, 1.0), 0.4)))
    assert heights(ground, (0.0, 0.0), (0.9, 0.0), (1.1, 0.0)) == [0.4, 0.2, 0.0]


@pytest.mark.parametrize("count", [1, 40])
def test_mesh_is_as_high_as_the_plane_that_it_is_cut_from(count):
    rng = np.random.default_rng(3)

    def height(x, z):
        return 0.2 + 0.1 * x - 0.3 * z

    triangles = []
    edges = np.linspace(0.0, 4.0, count + 1)
    for x0, x1 in pairwise(edges):
        for z0, z1 in pairwise(edges):
            a, b, c, d = ((x, float(height(x, z)), z) for x, z in ((x0, z0), (x1, z0), (x1, z1), (x0, z1)))
            triangles += [(a, b, c), (a, c, d)]
    ground = Ground(meshes=(Mesh(tuple(triangles)),))
    places = rng.uniform(-1.0, 5.0, size=(500, 2))
    inside = np.all((places >= 0.0) & (places <= 4.0), axis=-1)
    assert np.allclose(ground.heights(places), np.where(inside, height(*places.T), 0.0))


def test_walls_of_a_mesh_hold_nobody():
    wall = (((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 2.0, 0.0)),)
    assert heights(Ground(meshes=(Mesh(wall),)), (0.5, 0.0)) == [0.0]


def test_stairs_rise_step_by_step_in_their_direction():
    ground = Ground(stairs=(Stairs((1.0, 0.0), np.pi / 2, 3, 0.3, 0.15),))
    assert np.allclose(
        heights(ground, (0.9, 0.0), (1.1, 0.5), (1.4, 0.0), (1.7, -0.5), (2.0, 0.0)), (0, 0.15, 0.3, 0.45, 0)
    )


def test_stairs_end_behind_their_last_step_and_are_outlined_from_their_start():
    flight = Stairs((1.0, 0.0), np.pi / 2, 3, 0.3, 0.15, 1.0)
    assert np.allclose(end_of(flight), (1.9, 0.0))
    assert np.allclose(np.sort(outline(flight)[:2], axis=0), [[1.0, -0.5], [1.0, 0.5]])
    with pytest.raises(ValueError, match="count is 0; stairs have 1 to 200 steps"):
        Stairs((0.0, 0.0), 0.0, 0, 0.3, 0.1)


@pytest.mark.parametrize(
    "one",
    [
        Box((0.0, 0.0), (1.0, 2.0), 0.3, 0.4),
        Stairs((0.0, 0.0), 0.3, 3, 0.3, 0.15, 1.0),
        Ramp((0.0, -1.0), (0.2, 1.0), 1.0, (0.1, 0.4)),
        Grid((-1.0, -1.0), 1.0, ((0.1, 0.2, 0.3), (0.3, 0.2, 0.4), (0.0, 0.1, 0.2))),
        Mesh((((-1.0, 0.1, -1.0), (1.0, 0.2, -1.0), (0.0, 0.5, 1.5)),)),
    ],
    ids=lambda one: type(one).__name__,
)
def test_moved_objects_are_as_high_where_they_went(one):
    places = np.random.default_rng(5).uniform(-2.0, 2.0, size=(200, 2))
    before, after = Ground().adding(one), Ground().adding(moved(one, 1.5, -0.25))
    assert np.allclose(before.heights(places), after.heights(places + np.array([1.5, -0.25])), atol=1e-9)
    assert np.max(before.heights(places)) > 0.05


def test_moved_meshes_share_their_triangles_and_differ_by_value():
    mesh = Mesh((((0.0, 0.1, 0.0), (1.0, 0.2, 0.0), (0.0, 0.5, 1.0)),))
    other = mesh.moved((1.0, 0.5, 0.0))
    assert other.triangles is mesh.triangles
    assert other != mesh
    assert other.moved((-1.0, -0.5, 0.0)) == mesh
    assert np.allclose(other.corners - mesh.corners, [1.0, 0.5, 0.0])


def test_grounds_are_compared_by_value():
    one, other = (Ground(0.1, (Box((0.0, 0.0), (1.0, 1.0), 0.2),)) for _ in range(2))
    assert one == other
    assert hash(one) == hash(other)
    assert one != Ground(0.1)


@pytest.mark.parametrize("make", [
    lambda: Box((0.0, 0.0), (0.0, 1.0), 0.2), lambda: Ramp((0.0, 0.0), (0.0, 0.0), 1.0, (0.0, 1.0)),
    lambda: Grid((0.0, 0.0), 0.0, ((0.0, 1.0), (0.0, 1.0))), lambda: Grid((0.0, 0.0), 1.0, ((0.0, 1.0), (0.0,))),
])  # fmt: skip
def test_parts_without_size_are_refused(make):
    with pytest.raises(ValueError, match="must"):
        make()


def test_objects_are_added_changed_and_taken_away_by_name():
    box, other = Box((0.0, 0.0), (1.0, 1.0), 0.2), Box((5.0, 0.0), (1.0, 1.0), 0.4)
    ramp = Ramp((0.0, 1.0), (0.0, 3.0), 1.0, (0.1, 0.5))
    ground = Ground(0.3).adding(ramp, box, other)
    assert ground.objects == ((("box", 0), box), (("box", 1), other), (("ramp", 0), ramp))
    assert ground.object(("box", 1)) is other
    assert ground.changing(("box", 0), other).boxes == (other, other)
    assert ground.without([("box", 0)]).objects == ((("box", 0), other), (("ramp", 0), ramp))
    assert ground.without([name for name, _ in ground.objects]) == Ground(0.3)
    with pytest.raises(ValueError, match="there is no box 3"):
        ground.object(("box", 2))
    with pytest.raises(ValueError, match="changed is a ramp"):
        ground.changing(("box", 0), ramp)


def test_outline_of_a_box_is_where_its_height_ends():
    box = Box((1.0, 2.0), (2.0, 0.5), 0.3, np.radians(30.0))
    middle = np.array(box.center)
    inside, outside = (middle + factor * (outline(box) - middle) for factor in (0.999, 1.001))
    assert np.array_equal(Ground(boxes=(box,)).heights(inside), [0.3] * 4)
    assert np.array_equal(Ground(boxes=(box,)).heights(outside), [0.0] * 4)
    ramp = Ramp((0.0, 1.0), (2.0, 3.0), 1.0, (0.1, 0.5))
    assert np.allclose(np.mean(outline(ramp)[:2], axis=0), ramp.start)
    assert np.allclose(np.mean(outline(ramp)[2:], axis=0), ramp.end)


@pytest.mark.parametrize(
    "one",
    [
        Box((0.0, 0.0), (1.0, 1.0), 0.2),
        Ramp((0.0, -0.5), (0.0, 0.5), 1.0, (0.1, 0.5)),
        Grid((-0.5, -0.5), 0.5, ((0.1,) * 3,) * 3),
        Mesh((((-0.5, 0.1, -0.5), (0.5, 0.1, -0.5), (0.5, 0.1, 0.5)),)),
    ],
)
def test_ground_is_flat_for_who_stays_away_from_its_objects(one):
    ground = Ground().adding(one)
    way = np.array([[2.0, -3.0], [2.0, 3.0]])
    assert ground.is_flat_near(way, 1.0)
    assert not ground.is_flat_near(way, 1.6)
    assert not ground.is_flat_near(np.array([[-1.0, 0.0], [1.0, 0.0]]), 0.0)
    assert ground.is_flat_near(np.zeros((0, 2)), 1.0)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: Box((np.nan, 0.0), (1.0, 1.0), 0.2), "center"),
        (lambda: Box((0.0, 0.0), (1.0, np.inf), 0.2), "size_m"),
        (lambda: Ramp((0.0, 0.0), (0.0, 1.0), 1.0, (0.0, np.nan)), "heights_m"),
        (lambda: Mesh(()), "triangles"),
    ],
)
def test_objects_of_no_size_or_place_are_refused(make, reason):
    with pytest.raises(ValueError, match=reason):
        make()
