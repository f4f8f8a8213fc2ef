"""Objects on the ground, drawn up and pulled: the grip goes where it is pulled, the rest stays."""

import math

import numpy as np
import pytest

from editor.ground.shaping import KINDS, drawn_up, grips, pulled, snapped_move
from model.ground import Box, Grid, Ramp, Stairs, end_of, outline

OBJECTS = {
    "box": Box((1.0, 2.0), (0.8, 1.4), 0.3, 0.5),
    "stairs": Stairs((1.0, 2.0), 0.7, 4, 0.35, 0.15, 1.2),
    "ramp": Ramp((1.0, 2.0), (2.0, 4.0), 1.2, (0.1, 0.4)),
}


def grip_of(one, part):
    return next(grip for grip in grips(one) if grip.part == part)


@pytest.mark.parametrize("name", OBJECTS)
def test_pulling_a_grip_nowhere_changes_nothing(name):
    one = OBJECTS[name]
    for grip in grips(one):
        same = pulled(one, grip.part, grip.place)
        assert np.allclose(outline(same), outline(one), atol=1e-9)
        assert [each.place for each in grips(same)] == [pytest.approx(each.place) for each in grips(one)]


@pytest.mark.parametrize("name", OBJECTS)
def test_grips_follow_what_pulls_them(name):
    """Sides and ends along the direction that is theirs, heights upward, turns to the direction."""
    one = OBJECTS[name]
    for grip in grips(one):
        to = tuple(np.array(grip.place) + (np.array([0.0, 0.13, 0.0]) if grip.kind == "height" else [0.2, 0.0, 0.1]))
        after = grip_of(pulled(one, grip.part, to), grip.part).place
        if grip.kind == "height":
            assert after == pytest.approx(to)
        elif grip.kind == "turn":
            middle = np.mean(outline(one), axis=0)
            wanted, got = (np.array([place[0], place[2]]) - middle for place in (to, after))
            assert math.atan2(*wanted) == pytest.approx(math.atan2(*got), abs=0.02)
        elif isinstance(one, Ramp) and grip.kind == "end":
            assert after == pytest.approx(to)
        else:
            way = np.subtract(after, grip.place)
            asked = np.subtract(to, grip.place)
            assert float(way @ asked) >= -1e-9
            assert np.linalg.norm(way) <= np.linalg.norm(asked) + 1e-9


def test_pulled_side_of_a_box_leaves_the_opposite_one():
    box = OBJECTS["box"]
    for part, other in (("x+", "x-"), ("x-", "x+"), ("z+", "z-"), ("z-", "z+")):
        to = tuple(np.array(grip_of(box, part).place) + np.array([0.3, 0.0, -0.2]))
        after = pulled(box, part, to)
        assert grip_of(after, other).place == pytest.approx(grip_of(box, other).place)
        assert after.yaw_rad == box.yaw_rad


def test_pulled_ends_of_stairs_leave_the_other_end_and_the_number_of_steps():
    flight = OBJECTS["stairs"]
    longer = pulled(flight, "start", (0.5, 0.0, 1.4))
    assert end_of(longer) == pytest.approx(end_of(flight))
    assert longer.count == flight.count
    assert longer.depth_m > flight.depth_m
    assert pulled(flight, "end", (9.0, 0.0, 9.0)).start == flight.start


def test_snapping_goes_by_round_steps():
    box = pulled(Box((0.0, 0.0), (1.0, 1.0), 0.2), "x+", (0.637, 0.2, 0.0), snap=True)
    assert box.size_m == pytest.approx((1.1, 1.0))
    assert pulled(box, "height", (0.0, 0.336, 0.0), snap=True).height_m == pytest.approx(0.35)
    turned = pulled(box, "turn", (math.sin(0.5), 0.2, math.cos(0.5)), snap=True)
    assert turned.yaw_rad == pytest.approx(math.radians(30.0))
    x, z = snapped_move((0.13, 0.0), 0.31, 0.22)
    assert (0.13 + x, z) == pytest.approx((0.4, 0.2))


def test_nothing_is_pulled_to_nothing():
    for one in OBJECTS.values():
        for grip in grips(one):
            after = pulled(one, grip.part, (1.0, -5.0, 2.0))
            assert np.ptp(outline(after), axis=0).min() > 0.01


def test_meshes_and_grids_have_no_grips():
    grid = Grid((0.0, 0.0), 1.0, ((0.0, 0.1), (0.0, 0.1)))
    assert grips(grid) == ()
    with pytest.raises(ValueError, match="a grid cannot be pulled"):
        pulled(grid, "height", (0.0, 1.0, 0.0))


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_drawn_up_reaches_from_place_to_place_and_clicks_give_the_usual_size(kind):
    one = drawn_up(kind, (1.0, 1.0), (2.0, 3.0), 0.0)
    low, high = outline(one).min(axis=0), outline(one).max(axis=0)
    assert np.all(low <= [1.0 + 1e-9, 1.0 + 1e-9])
    assert np.all(high >= [2.0 - 1e-9, 3.0 - 1e-9])
    usual = drawn_up(kind, (1.0, 1.0), (1.01, 1.0), math.pi / 2)
    assert np.ptp(outline(usual), axis=0).min() > 0.9
    if kind != "box":
        assert np.allclose(np.subtract(end_of(usual), usual.start)[1], 0.0, atol=1e-9)
        assert end_of(usual)[0] > usual.start[0] + 1.0
