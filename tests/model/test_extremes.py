"""Extremes go with the time of their take."""

import numpy as np
import pytest

from model.extremes import Extreme, ExtremeKind, Extremes
from model.time_map import IDENTITY_MAP, TimeMap, shifted

FOUND = Extremes(
    (
        Extreme(4.0, ExtremeKind.LAST, 0.1),
        Extreme(0.0, ExtremeKind.FIRST, 0.2),
        Extreme(1.0, prominence=0.5, pinned=True),
        Extreme(2.5, ExtremeKind.HOLD, 0.4, start_s=2.0, stop_s=3.0),
    )
)


def test_extremes_are_in_the_order_of_time():
    assert [one.time_s for one in FOUND.found] == [0.0, 1.0, 2.5, 4.0]


def test_the_same_time_gives_the_same_extremes():
    assert FOUND.through(IDENTITY_MAP, 4.0) == FOUND


def test_a_trim_drops_what_is_outside_and_keeps_the_ends():
    found = FOUND.through(shifted(-1.5), 2.5).found
    assert [(one.kind, one.time_s) for one in found] == [("first", 0.0), ("hold", 1.0), ("last", 2.5)]
    assert (found[1].start_s, found[1].stop_s) == (0.5, 1.5)


def test_of_a_hold_that_is_cut_the_rest_is_kept():
    hold = FOUND.through(shifted(-2.75), 1.0).found[1]
    assert hold.kind == "hold"
    assert (hold.start_s, hold.time_s, hold.stop_s) == (0.0, 0.0, pytest.approx(0.25))


def test_another_pace_moves_all_and_keeps_what_they_are():
    twice = TimeMap(np.array([0.0, 4.0]), np.array([0.0, 8.0]))
    found = FOUND.through(twice, 8.0).found
    assert [one.time_s for one in found] == [0.0, 2.0, 5.0, 8.0]
    assert (found[2].start_s, found[2].stop_s) == (4.0, 6.0)
    assert found[1].pinned
    assert found[1].prominence == 0.5


def test_only_holds_have_a_start_and_a_stop():
    with pytest.raises(ValueError, match="every hold has them"):
        Extreme(1.0, ExtremeKind.HOLD)
    with pytest.raises(ValueError, match="every hold has them"):
        Extreme(1.0, start_s=0.5, stop_s=1.5)


def test_a_hold_is_near_all_moments_in_it():
    hold = FOUND.found[2]
    assert hold.is_near(2.05, 0.01)
    assert not hold.is_near(3.2, 0.1)
    assert FOUND.found[1].is_near(1.05, 0.1)
    assert not FOUND.found[1].is_near(1.2, 0.1)
