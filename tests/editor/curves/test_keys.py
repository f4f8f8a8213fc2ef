"""Keys and the curve that they make."""

import numpy as np
import pytest

from editor.curves.keys import TANGENTS, Key, Keys


def wave(tangent="auto"):
    return Keys(tuple(Key(float(t), float(v), tangent) for t, v in ((0, 0), (1, 2), (2, 2), (3, -1))))


@pytest.mark.parametrize("tangent", TANGENTS)
def test_curve_passes_through_its_keys(tangent):
    keys = wave(tangent)
    np.testing.assert_allclose(keys.at(keys.times_s), keys.values, atol=1e-12)


def test_curve_holds_its_ends():
    np.testing.assert_array_equal(wave().at(np.array([-5.0, 9.0])), [0.0, -1.0])


def test_no_keys_are_zero_and_one_is_constant():
    times = np.linspace(0.0, 1.0, 5)
    np.testing.assert_array_equal(Keys().at(times), np.zeros(5))
    np.testing.assert_array_equal(Keys((Key(0.3, 7.0),)).at(times), np.full(5, 7.0))


def test_auto_curve_never_overshoots_its_keys():
    values = wave().at(np.linspace(0.0, 3.0, 301))
    assert values.max() <= 2.0 + 1e-12
    assert np.all(np.abs(values[100:201] - 2.0) < 1e-12), "level between two keys of the same height"


def test_linear_curve_is_straight_between_keys():
    assert wave("linear").at(np.array([0.25]))[0] == pytest.approx(0.5)


def test_stepped_curve_holds_until_the_next_key():
    keys = wave("stepped")
    np.testing.assert_array_equal(keys.at(np.array([0.0, 0.999, 1.0, 2.999, 3.0])), [0.0, 0.0, 2.0, 2.0, -1.0])


def test_slopes_of_a_broken_key_differ_on_its_sides():
    keys = Keys((Key(0.0, 0.0), Key(1.0, 1.0, "broken", slope_in=0.5, slope_out=-3.0), Key(2.0, 0.0)))
    step = 1e-6
    before, at, after = keys.at(np.array([1.0 - step, 1.0, 1.0 + step]))
    assert (at - before) / step == pytest.approx(0.5, abs=1e-4)
    assert (after - at) / step == pytest.approx(-3.0, abs=1e-4)


def test_keys_are_put_in_the_order_of_time():
    assert [key.time_s for key in Keys((Key(2.0, 0.0), Key(1.0, 0.0))).keys] == [1.0, 2.0]


def test_two_keys_at_one_moment_are_refused():
    with pytest.raises(ValueError, match="same moment"):
        Keys((Key(1.0, 0.0), Key(1.0, 2.0)))


@pytest.mark.parametrize("wrong", [{"tangent": "wavy"}, {"value": float("nan")}, {"tangent": "free", "slope_in": 1.0}])
def test_broken_keys_are_refused(wrong):
    with pytest.raises(ValueError, match=r"tangent|value"):
        Key(**{"time_s": 0.0, "value": 0.0, **wrong})


def test_inserting_at_a_key_replaces_it():
    keys = wave().inserted([Key(1.0, 9.0), Key(1.5, 3.0)])
    np.testing.assert_array_equal(keys.times_s, [0.0, 1.0, 1.5, 2.0, 3.0])
    assert keys.values[1] == 9.0
