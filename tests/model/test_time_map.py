"""Maps of time compose, invert and go on outside their knots."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.time_map import IDENTITY_MAP, TimeMap, shifted

TIMES = np.linspace(-3.0, 12.0, 301)


@st.composite
def maps(draw):
    count = draw(st.integers(1, 6))
    steps = st.lists(st.floats(0.05, 3.0), min_size=count, max_size=count)
    return TimeMap(np.cumsum(draw(steps)), np.cumsum(draw(steps)))


def test_identity_changes_nothing():
    np.testing.assert_array_equal(IDENTITY_MAP(TIMES), TIMES)
    assert IDENTITY_MAP.is_identity
    assert not shifted(0.5).is_identity


def test_straight_between_knots_and_at_unit_speed_outside():
    half = TimeMap(np.array([1.0, 3.0]), np.array([0.0, 1.0]))
    np.testing.assert_allclose(half(np.array([0.0, 1.0, 2.0, 3.0, 5.0])), [-1.0, 0.0, 0.5, 1.0, 3.0])
    np.testing.assert_allclose(shifted(-2.0)(5.0), 3.0)


@given(maps())
def test_inverse_leads_back(one):
    np.testing.assert_allclose(one.inverse()(one(TIMES)), TIMES, atol=1e-9)


@given(maps(), maps())
def test_composition_is_one_after_the_other(one, other):
    np.testing.assert_allclose(one.then(other)(TIMES), other(one(TIMES)), atol=1e-9)


@given(maps(), maps(), maps())
def test_composition_is_associative(a, b, c):
    np.testing.assert_allclose(a.then(b).then(c)(TIMES), a.then(b.then(c))(TIMES), atol=1e-9)


def test_composition_with_identity_is_the_map_itself():
    one = shifted(1.0)
    assert one.then(IDENTITY_MAP) is one
    assert IDENTITY_MAP.then(one) is one


@pytest.mark.parametrize("knots", [([0, 1], [0]), ([1, 0], [0, 1]), ([0, 1], [1, 1])])
def test_knots_that_do_not_rise_together_are_refused(knots):
    with pytest.raises(ValueError, match="must"):
        TimeMap(*(np.array(values, dtype=float) for values in knots))
