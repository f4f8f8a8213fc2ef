"""What hands do to keys."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from editor.curves.channels import Channel
from editor.curves.editing import (
    Spot,
    copy_keys,
    delete_keys,
    insert_key,
    key_at,
    merged,
    move_keys,
    paste_keys,
    present,
    pull,
    scale_keys,
    set_slope,
    set_tangents,
)
from editor.curves.keys import TANGENTS, Key, Keys
from model.skeleton import JointRef

KNEE = JointRef("LeftLeg")
X, Y, Z = (Channel(KNEE, "ZXY", axis) for axis in "XYZ")
PLACE = Channel(JointRef("Hips"), "position", "X")
TIMES = np.linspace(-1.0, 5.0, 601)


def wave(tangent="auto"):
    return Keys(tuple(Key(float(t), float(v), tangent) for t, v in ((0, 0), (1, 2), (2, 3), (3, -1))))


def tenth(time_s):
    return round(time_s * 10.0) / 10.0


def spots(channel, *times):
    return [Spot(channel, float(time)) for time in times]


@st.composite
def some_keys(draw):
    times = draw(st.lists(st.integers(0, 40), min_size=1, max_size=6, unique=True))
    number = st.floats(-3.0, 3.0)
    made = []
    for time in times:
        tangent = draw(st.sampled_from(TANGENTS))
        slope_in, slope_out = draw(number), draw(number)
        made.append(Key(0.1 * time, draw(number), tangent, slope_in, slope_in if tangent == "free" else slope_out))
    return Keys(tuple(made))


@settings(max_examples=200, deadline=None)
@given(some_keys(), st.floats(-0.95, 4.95))
def test_inserted_key_leaves_the_curve_as_it_is(keys, time_s):
    made = insert_key(keys, time_s)
    times = TIMES[np.abs(TIMES - time_s) > 1e-5]
    np.testing.assert_allclose(made.at(times), keys.at(times), atol=1e-8)
    assert key_at(made, time_s) is not None


def test_inserted_key_on_a_key_changes_nothing():
    keys = wave()
    assert insert_key(keys, 1.0) is keys


def test_first_key_of_a_channel_is_no_offset():
    assert insert_key(Keys(), 0.5) == Keys((Key(0.5, 0.0),))


def test_neighbours_keep_their_tangents_where_they_can():
    made = insert_key(wave("linear"), 0.5)
    assert [key.tangent for key in made.keys if key.time_s != 0.5] == ["linear"] * 4
    assert made.at(np.array([0.25, 0.75])) == pytest.approx([0.5, 1.5])


def test_pull_on_an_empty_channel_stays_within_reach():
    made = pull(Keys(), 2.0, 0.5, 0.25)
    assert list(made.times_s) == [1.75, 2.0, 2.25]
    assert list(made.values) == [0.0, 0.5, 0.0]
    assert np.all(made.at(TIMES[np.abs(TIMES - 2.0) >= 0.25 - 1e-9]) == 0.0)


def test_pull_puts_no_keys_where_others_are_within_reach():
    keys = pull(Keys(), 2.0, 0.5, 0.25)
    made = pull(keys, 2.1, 0.3, 0.25)
    assert list(made.times_s) == pytest.approx([1.75, 2.0, 2.1, 2.25])
    before = float(keys.at(np.array([2.1]))[0])
    assert key_at(made, 2.1).value == pytest.approx(before + 0.3)


def test_pull_at_a_key_lifts_it():
    made = pull(wave(), 1.0, 0.5, 2.0)
    assert list(made.times_s) == [-1.0, 0.0, 1.0, 2.0, 3.0][1:]
    assert key_at(made, 1.0).value == 2.5


def test_deleted_keys_are_gone_and_others_stay():
    done = delete_keys({X: wave(), Y: wave()}, spots(X, 1, 2))
    assert set(done.curves) == {X}
    assert list(done.curves[X].times_s) == [0.0, 3.0]
    assert done.spots == frozenset()


def test_moved_keys_keep_their_distances():
    done = move_keys({X: wave()}, spots(X, 1, 2), 0.25, -1.0)
    assert list(done.curves[X].times_s) == [0.0, 1.25, 2.25, 3.0]
    assert list(done.curves[X].values) == [0.0, 1.0, 2.0, -1.0]
    assert done.spots == frozenset(spots(X, 1.25, 2.25))


def test_moved_keys_go_past_others_and_take_the_place_of_those_they_meet():
    past = move_keys({X: wave()}, spots(X, 1), 1.5, 0.0)
    assert list(past.curves[X].values) == [0.0, 3.0, 2.0, -1.0]
    onto = move_keys({X: wave()}, spots(X, 1), 1.0, 0.0)
    assert list(onto.curves[X].times_s) == [0.0, 2.0, 3.0]
    assert key_at(onto.curves[X], 2.0).value == 2.0


def test_moving_snaps_moments_only_where_they_move():
    done = move_keys({X: Keys((Key(0.02, 1.0),))}, spots(X, 0.02), 0.095, 0.0, snap=tenth)
    assert done.curves[X].times_s == pytest.approx([0.1])
    up = move_keys({X: Keys((Key(0.02, 1.0),))}, spots(X, 0.02), 0.0, 2.0, snap=tenth)
    assert up.curves[X].times_s == pytest.approx([0.02])


def test_snapping_together_keeps_one_key():
    keys = Keys((Key(0.0, 1.0), Key(0.04, 2.0)))
    done = move_keys({X: keys}, spots(X, 0.0, 0.04), 0.1, 0.0, snap=tenth)
    assert list(done.curves[X].values) == [2.0]


def test_moving_back_gives_the_same_keys():
    curves = {X: wave(), Y: wave("flat")}
    there = move_keys(curves, spots(X, 1, 2) + spots(Y, 0), 0.25, 0.5)
    back = move_keys({**curves, **there.curves}, there.spots, -0.25, -0.5)
    assert back.curves == curves


def test_scaling_about_a_pivot_stretches_times_values_and_slopes():
    keys = Keys((Key(1.0, 1.0, "free", 2.0, 2.0), Key(2.0, 3.0)))
    done = scale_keys({X: keys}, spots(X, 1, 2), (1.0, 1.0), (2.0, 0.5))
    first, second = done.curves[X].keys
    assert (first.time_s, first.value, first.slope_in) == (1.0, 1.0, 0.5)
    assert (second.time_s, second.value) == (3.0, 2.0)


def test_scaling_by_minus_one_mirrors_the_curve_in_time():
    keys = Keys((Key(0.0, 1.0, "broken", 0.3, 2.0), Key(1.0, 3.0, "free", -1.0, -1.0), Key(2.0, 0.0, "flat")))
    done = scale_keys({X: keys}, spots(X, 0, 1, 2), (1.0, 0.0), (-1.0, 1.0))
    times = np.linspace(0.0, 2.0, 41)
    np.testing.assert_allclose(done.curves[X].at(times), keys.at(2.0 - times), atol=1e-12)


def test_scaling_to_nothing_keeps_every_key():
    done = scale_keys({X: wave()}, spots(X, 0, 1, 2, 3), (0.0, 0.0), (0.0, 1.0))
    assert len(done.curves[X]) == 4


@pytest.mark.parametrize("tangent", TANGENTS)
def test_tangents_are_set_and_keys_stay_valid(tangent):
    done = set_tangents({X: wave()}, spots(X, 1, 2), tangent)
    assert [key.tangent for key in done.curves[X].keys] == ["auto", tangent, tangent, "auto"]


@pytest.mark.parametrize("tangent", ["free", "broken"])
def test_free_and_broken_tangents_start_as_the_curve_is(tangent):
    done = set_tangents({X: wave()}, spots(X, 1, 2), tangent)
    np.testing.assert_allclose(done.curves[X].at(TIMES), wave().at(TIMES), atol=1e-12)


def test_slope_of_one_side_needs_a_broken_tangent():
    keys = set_slope(wave(), 1.0, 5.0, "in")
    assert (key_at(keys, 1.0).tangent, key_at(keys, 1.0).slope_out) == ("free", 5.0)
    broken = set_tangents({X: keys}, spots(X, 1), "broken").curves[X]
    keys = set_slope(broken, 1.0, -1.0, "out")
    assert (key_at(keys, 1.0).slope_in, key_at(keys, 1.0).slope_out) == (5.0, -1.0)


def test_pasting_on_the_same_channels_at_another_moment():
    copied = copy_keys({X: wave(), Y: wave()}, spots(X, 1, 2) + spots(Y, 2))
    done = paste_keys({X: wave()}, copied, 10.0, (X, Y, Z))
    assert list(done.curves[X].times_s) == [0.0, 1.0, 2.0, 3.0, 10.0, 11.0]
    assert list(done.curves[Y].times_s) == [11.0], "what lay between keys of two channels stays between them"
    assert done.spots == frozenset(spots(X, 10, 11) + spots(Y, 11))


def test_pasting_on_another_joint_goes_by_axis_and_one_channel_onto_one():
    elbow = [Channel(JointRef("LeftForeArm"), "XYZ", axis) for axis in "XYZ"]
    copied = copy_keys({X: wave()}, spots(X, 1))
    assert set(paste_keys({}, copied, 0.0, elbow).curves) == {elbow[0]}
    assert set(paste_keys({}, copied, 0.0, elbow[2:]).curves) == {elbow[2]}
    assert paste_keys({}, copied, 0.0, (PLACE,)).curves == {}, "an angle is no length"


def test_spots_without_a_key_are_not_present():
    assert present({X: wave()}, [*spots(X, 1, 1.5), *spots(Y, 1)]) == frozenset(spots(X, 1))


def test_what_is_done_to_two_channels_is_one():
    both = merged(move_keys({X: wave()}, spots(X, 1), 0.5, 0.0), delete_keys({Y: wave()}, spots(Y, 1)))
    assert set(both.curves) == {X, Y}
    assert both.spots == frozenset(spots(X, 1.5))
