"""Contacts corrected by hand."""

import pytest

from editor.contacts.correct import Correction, correct, move
from model.contacts import Contact, Contacts

FOUND = Contacts(100, {"left_foot": (Contact(10, 30), Contact(50, 70)), "right_foot": (Contact(30, 50),)}, 0.02)
STEP_S = 1 / 25


def spans(contacts, limb="left_foot"):
    return [(one.start, one.stop) for one in contacts.limbs[limb]]


def on(start, stop, limb="left_foot"):
    return Correction(limb, start * STEP_S, stop * STEP_S, True)


def off(start, stop, limb="left_foot"):
    return Correction(limb, start * STEP_S, stop * STEP_S, False)


@pytest.mark.parametrize(
    ("corrections", "wanted"),
    [
        ([], [(10, 30), (50, 70)]),
        ([on(80, 90)], [(10, 30), (50, 70), (80, 90)]),
        ([off(50, 70)], [(10, 30)]),
        ([off(10, 15)], [(15, 30), (50, 70)]),
        ([on(30, 35)], [(10, 35), (50, 70)]),
        ([on(25, 55)], [(10, 70)]),
        ([off(12, 14)], [(10, 12), (14, 30), (50, 70)]),
        ([on(80, 90), off(85, 95)], [(10, 30), (50, 70), (80, 85)]),
        ([off(85, 95), on(80, 90)], [(10, 30), (50, 70), (80, 90)]),
        ([on(95, 500), off(-20, 12)], [(12, 30), (50, 70), (95, 100)]),
        (move("left_foot", (10 * STEP_S, 30 * STEP_S), (20 * STEP_S, 40 * STEP_S)), [(20, 40), (50, 70)]),
    ],
    ids=["none", "add", "delete", "trim", "lengthen", "join", "split", "in order", "in other order", "outside", "move"],
)
def test_corrections_add_trim_move_and_delete(corrections, wanted):
    corrected = correct(FOUND, corrections, STEP_S)
    assert spans(corrected) == wanted
    assert spans(corrected, "right_foot") == [(30, 50)]
    assert corrected.ground_m == FOUND.ground_m


def test_limb_without_contacts_gets_some():
    assert spans(correct(FOUND, [on(5, 9, "left_hand")], STEP_S), "left_hand") == [(5, 9)]


def test_corrections_hold_at_another_rate():
    twice = correct(Contacts(200, {}, 0.0), [on(10, 30)], STEP_S / 2)
    assert spans(twice) == [(20, 60)]


@pytest.mark.parametrize(
    ("wrong", "reason"), [(("tail", 0.0, 1.0, True), "limb is 'tail'"), (("left_foot", 1.0, 1.0, True), "a length")]
)
def test_senseless_corrections_are_refused(wrong, reason):
    with pytest.raises(ValueError, match=reason):
        Correction(*wrong)
