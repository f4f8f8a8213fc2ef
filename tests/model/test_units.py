"""Units and axes: exact both ways, guessed from the body."""

import numpy as np
import pytest

from model.rotation import multiply, normalize, rotate
from model.units import (
    CENTIMETRE,
    UNITS,
    UP_AXES,
    from_y_up,
    guess_unit,
    guess_up,
    parse_unit,
    parse_up,
    rotations_from_y_up,
    rotations_to_y_up,
    to_y_up,
)

RNG = np.random.default_rng(4)


@pytest.mark.parametrize("up", UP_AXES)
def test_axes_change_exactly_and_back_and_stand_the_up_axis_on_y(up):
    vectors, q = RNG.normal(size=(20, 3)), normalize(RNG.normal(size=(20, 4)))
    np.testing.assert_array_equal(from_y_up(to_y_up(vectors, up), up), vectors)
    np.testing.assert_array_equal(rotations_from_y_up(rotations_to_y_up(q, up), up), q)
    file_up = (1.0 if up[0] == "+" else -1.0) * np.eye(3)["XYZ".index(up[1])]
    np.testing.assert_array_equal(to_y_up(file_up, up), [0.0, 1.0, 0.0])


@pytest.mark.parametrize("up", UP_AXES)
def test_changing_axes_is_a_rotation_so_left_stays_left(up):
    columns = to_y_up(np.eye(3), up)
    assert np.linalg.det(columns) == pytest.approx(1.0)
    a, b = normalize(RNG.normal(size=(2, 4)))
    v = RNG.normal(size=3)
    np.testing.assert_allclose(rotate(rotations_to_y_up(a, up), to_y_up(v, up)), to_y_up(rotate(a, v), up))
    np.testing.assert_allclose(
        multiply(rotations_to_y_up(a, up), rotations_to_y_up(b, up)), rotations_to_y_up(multiply(a, b), up)
    )


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("height_m", [1.55, 1.7, 1.9])
def test_grown_people_give_away_their_unit(unit, height_m):
    names = ["LHipJoint", "RHipJoint"] if unit.name == "cmu" else ["LeftUpLeg"]
    assert guess_unit(height_m / unit.metres, names) is unit


@pytest.mark.parametrize("stature", [0.0, -1.0, float("nan"), float("inf")])
def test_without_a_size_centimetres_are_taken(stature):
    assert guess_unit(stature, []) is CENTIMETRE


def test_up_is_where_heads_are_most_of_the_time():
    upright = np.tile([0.0, 0.1, 1.5], (70, 1))
    cartwheel = np.tile([0.0, 0.0, -1.5], (30, 1))
    assert guess_up(np.concatenate([upright, cartwheel])) == "+Z"
    assert guess_up(np.array([[0.0, -1.0, 0.2]])) == "-Y"
    assert guess_up(np.zeros((5, 3))) == "+Y"
    assert guess_up(np.array([[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]])) == "+Y"


def test_units_and_axes_are_parsed_as_people_write_them():
    assert parse_unit(" CM ") is CENTIMETRE
    assert parse_unit("0.45").metres == 0.45
    assert (parse_up("z"), parse_up("-x"), parse_up("+Y")) == ("+Z", "-X", "+Y")


@pytest.mark.parametrize("text", ["", "ell", "0", "-1", "nan", "inf", "1e300"])
def test_what_is_no_unit_is_refused(text):
    with pytest.raises(ValueError, match="is not a unit"):
        parse_unit(text)


@pytest.mark.parametrize("text", ["", "w", "yz", "++y"])
def test_what_is_no_axis_is_refused(text):
    with pytest.raises(ValueError, match="is not an axis"):
        parse_up(text)
