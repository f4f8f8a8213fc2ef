"""Corrections by hand, laid over whatever was found."""

import pytest

from editor.extrema.correct import ExtremeCorrection, What, correct, with_correction, without_pin
from model.extremes import Extreme, ExtremeKind, Extremes

NEAR_S = 0.1
HOLD = Extreme(3.0, ExtremeKind.HOLD, 0.6, start_s=2.5, stop_s=3.5)
SHOWN = Extremes(
    (Extreme(0.0, ExtremeKind.FIRST, 0.0), Extreme(1.0, prominence=0.4), HOLD, Extreme(5.0, ExtremeKind.LAST))
)
POSSIBLE = Extremes((*SHOWN.found, Extreme(2.0, prominence=0.01)))


def corrected(*corrections, shown=SHOWN):
    return correct(shown, POSSIBLE, corrections, NEAR_S).found


def moments(found):
    return [one.time_s for one in found]


def added(time_s):
    return ExtremeCorrection(What.ADDED, time_s)


def deleted(time_s):
    return ExtremeCorrection(What.DELETED, time_s)


def moved(time_s, to_s):
    return ExtremeCorrection(What.MOVED, time_s, to_s)


def pinned(time_s):
    return ExtremeCorrection(What.PINNED, time_s)


def test_added_is_there_whatever_was_found():
    assert moments(corrected(added(4.0))) == [0.0, 1.0, 3.0, 4.0, 5.0]
    assert moments(corrected(added(4.0), shown=Extremes(()))) == [4.0]
    assert corrected(added(4.0))[3].pinned


def test_added_takes_the_place_of_one_that_is_nearly_there():
    assert moments(corrected(added(1.04))) == [0.0, 1.04, 3.0, 5.0]


def test_deleted_takes_away_what_is_near_and_nothing_else():
    assert moments(corrected(deleted(1.06))) == [0.0, 3.0, 5.0]
    assert corrected(deleted(1.2)) == SHOWN.found


def test_a_hold_is_deleted_from_anywhere_in_it():
    assert moments(corrected(deleted(2.6))) == [0.0, 1.0, 5.0]


def test_moved_goes_along_even_if_it_is_no_longer_found():
    assert moments(corrected(moved(0.95, 1.5))) == [0.0, 1.5, 3.0, 5.0]
    assert moments(corrected(moved(2.0, 2.2))) == [0.0, 1.0, 2.2, 3.0, 5.0]
    assert corrected(moved(1.0, 1.5))[1].prominence == 0.4


def test_moved_upon_another_takes_its_place():
    assert moments(corrected(added(4.0), moved(4.0, 1.0))) == [0.0, 1.0, 3.0, 5.0]
    assert moments(corrected(added(4.0), moved(4.0, 1.02))) == [0.0, 1.0, 1.02, 3.0, 5.0]
    assert moments(corrected(moved(1.0, 0.0))) == [0.0, 0.0, 3.0, 5.0]  # the first frame is flagged whatever is there


def test_a_hold_moved_within_itself_stays_one():
    hold = corrected(moved(3.0, 3.3))[2]
    assert (hold.kind, hold.time_s, hold.start_s) == ("hold", 3.3, 2.5)
    assert corrected(moved(3.0, 4.0))[2].kind == "extreme"


def test_pinned_survives_any_level():
    found = corrected(pinned(2.04))
    assert moments(found) == [0.0, 1.0, 2.0, 3.0, 5.0]
    assert found[2].pinned
    assert found[2].prominence == 0.01
    assert [one.pinned for one in corrected(pinned(1.0))] == [False, True, False, False]
    assert moments(corrected(pinned(4.4))) == [0.0, 1.0, 3.0, 4.4, 5.0]  # where nothing is found any more


def test_ends_are_meant_only_where_nothing_else_is():
    shown = Extremes((Extreme(0.0, ExtremeKind.FIRST), Extreme(0.06)))
    assert moments(correct(shown, shown, [deleted(0.01)], NEAR_S).found) == [0.0]


def test_later_corrections_lie_over_earlier_ones():
    assert moments(corrected(added(4.0), deleted(4.0))) == [0.0, 1.0, 3.0, 5.0]
    assert moments(corrected(deleted(4.0), added(4.0))) == [0.0, 1.0, 3.0, 4.0, 5.0]


@pytest.mark.parametrize(
    ("before", "new", "after"),
    [
        ((added(4.0),), moved(4.0, 4.5), (moved(4.0, 4.5),)),
        ((moved(1.0, 1.5),), moved(1.5, 1.7), (moved(1.0, 1.7),)),
        ((moved(1.0, 1.5),), moved(1.5, 1.0), ()),
        ((moved(1.0, 1.5),), deleted(1.5), (deleted(1.0),)),
        ((moved(1.0, 1.5),), pinned(1.5), (moved(1.0, 1.5),)),
        ((added(4.0),), deleted(4.0), (deleted(4.0),)),
        ((pinned(2.0),), pinned(2.0), (pinned(2.0),)),
        ((added(4.0), pinned(2.0)), added(3.9), (added(4.0), pinned(2.0), added(3.9))),
    ],
)
def test_what_is_taken_up_again_leaves_nothing_behind(before, new, after):
    assert with_correction(before, new) == after
    assert moments(corrected(*before, new)) == moments(corrected(*after))


def test_pins_can_be_taken_out():
    assert without_pin((added(2.0), pinned(2.0), pinned(3.0)), 2.05, NEAR_S) == (added(2.0), pinned(3.0))


def test_wrong_corrections_are_refused():
    with pytest.raises(ValueError, match="to_s"):
        ExtremeCorrection(What.MOVED, 1.0)
    with pytest.raises(ValueError, match="to_s"):
        ExtremeCorrection(What.ADDED, 1.0, 2.0)
    with pytest.raises(ValueError, match="time_s"):
        ExtremeCorrection(What.ADDED, float("nan"))
