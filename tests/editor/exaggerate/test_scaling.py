"""Extremes moved apart: the amount is the scale that the text of the thesis promises."""

import numpy as np
import pytest

from editor.exaggerate.scaling import spread_rotations, spread_vectors
from model.rotation import angle_between, from_axis_angle
from tests.clips import Z

SWING = np.array([[1.0, 0.2, 0.0], [-1.0, 0.2, 0.0]] * 3)


def turns(degrees):
    return from_axis_angle(Z, np.radians(np.array(degrees)))


@pytest.mark.parametrize("amount", [0.0, 0.5, 1.0, 2.0, 3.0, 20.0])
@pytest.mark.parametrize("bias", [0.0, 0.5, 1.0])
def test_alternating_extremes_end_as_many_times_as_far_apart(amount, bias):
    spread = spread_vectors(SWING, amount, bias)
    assert np.allclose(np.diff(spread, axis=0), amount * np.diff(SWING, axis=0), atol=1e-12)
    turned = spread_rotations(turns([5.0, -5.0] * 3), amount, bias)
    assert np.allclose(np.degrees(angle_between(turned[1:], turned[:-1])), min(amount * 10.0, 360.0 - amount * 10.0))


def test_amount_1_gives_the_very_numbers():
    vectors = np.random.default_rng(1).normal(size=(5, 4, 3))
    assert np.array_equal(spread_vectors(vectors, 1.0, 0.3), vectors)
    rotations = turns([3.0, 80.0, -20.0])
    assert np.allclose(spread_rotations(rotations, 1.0, 0.3), rotations, atol=1e-12)


def test_bias_chooses_the_neighbour_that_is_moved_away_from():
    told = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 2.0, 0.0]])
    assert np.allclose(spread_vectors(told, 3.0, bias=1.0)[1], [2.0, 0.0, 0.0])
    assert np.allclose(spread_vectors(told, 3.0, bias=0.0)[1], [1.0, -2.0, 0.0])
    assert np.allclose(spread_vectors(told, 3.0)[1], [1.5, -1.0, 0.0])


def test_rests_stay_and_their_neighbours_do_all_of_it():
    told = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    rests = np.array([True, False, True])
    assert np.allclose(spread_vectors(told, 3.0, rests=rests), 3.0 * told)
    turned = spread_rotations(turns([0.0, 10.0, 0.0]), 3.0, rests=rests)
    assert np.allclose(turned, turns([0.0, 30.0, 0.0]), atol=1e-12)


def test_rests_beside_each_other_share_the_distance():
    told = np.array([[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]])
    assert np.allclose(spread_vectors(told, 2.0, rests=np.array([True, True])), 2.0 * told)


def test_each_vector_may_have_its_own_amount():
    told = np.stack([SWING, SWING], axis=1)
    spread = spread_vectors(told, np.array([1.0, 2.0]))
    assert np.array_equal(spread[:, 0], SWING)
    assert np.allclose(np.diff(spread[:, 1], axis=0), 2.0 * np.diff(SWING, axis=0))


def test_antipodes_are_the_same_rotation():
    rotations = turns([5.0, -40.0, 30.0])
    other = rotations * np.array([[1.0], [-1.0], [1.0]])
    assert np.allclose(angle_between(spread_rotations(rotations, 2.0), spread_rotations(other, 2.0)), 0.0, atol=1e-7)
