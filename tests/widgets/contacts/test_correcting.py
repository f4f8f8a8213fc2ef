"""Contacts moved on the timeline land where they were put, whatever edits do to time in between."""

import pytest

from editor.contacts.commands import correct_contacts
from editor.contacts.correct import Correction
from editor.contacts.edit import ContactCorrections
from editor.timing.edit import Resample, Retime, Trim
from tests.widgets.timeline.shown import LEFT, RIGHT, Standing, shown_clip
from widgets.contacts.correcting import (
    Bar,
    bars_of,
    corrections_to_add,
    corrections_to_move,
    corrections_to_remove,
    has_corrections,
    source_bars_of,
)

STACKS = {
    "none": (),
    "trim": (Trim(0.5, 2.5),),
    "slower": (Retime(((0.0, 0.5),)),),
    "faster": (Retime(((0.0, 0.8), (3.0, 1.6))),),
    "fewer frames": (Resample(15.0),),
    "more frames": (Resample(120.0),),
    "trim and slower": (Trim(0.2, None), Retime(((0.0, 0.7),))),
    "trim before corrections": (Trim(0.5, None), ContactCorrections((Correction(LEFT, 1.9, 2.0, touches=True),))),
}
# In slow motion several frames show the same one of the source: contacts cannot begin between them.
SLACK = {"slower": 2, "faster": 1, "more frames": 2, "trim and slower": 1}


def bar_at(shown, limb, start, stop):
    step_s = shown.showing.current.take.motion.frame_time_s
    return Bar(limb, start * step_s, stop * step_s)


def do(shown, corrections):
    shown.document.do(correct_contacts, "1", corrections)


@pytest.mark.parametrize("stack", STACKS)
@pytest.mark.parametrize("edge", ["start", "stop", "both"])
def test_moved_contact_is_shown_where_it_was_put(application, stack, edge):
    shown = shown_clip(*STACKS[stack])
    take = shown.showing.current.take
    contact = take.contacts.limbs[RIGHT][0]
    by = {"start": (4, 0), "stop": (0, 4), "both": (-4, -4)}[edge]
    bar = bar_at(shown, RIGHT, contact.start, contact.stop)
    to = bar_at(shown, RIGHT, contact.start + by[0], contact.stop + by[1])
    others = shown.contacts(RIGHT)[1:], shown.contacts(LEFT)
    do(shown, corrections_to_move(shown.showing.current, bar, to))
    start, stop = shown.contacts(RIGHT)[0]
    slack = SLACK.get(stack, 0)
    assert abs(start - contact.start - by[0]) <= (slack if by[0] else 0)
    assert abs(stop - contact.stop - by[1]) <= (slack if by[1] else 0)
    assert (shown.contacts(RIGHT)[1:], shown.contacts(LEFT)) == others


@pytest.mark.parametrize("edits", STACKS.values(), ids=STACKS.keys())
def test_removed_contact_is_gone_and_leaves_nothing_behind(application, edits):
    shown = shown_clip(*edits)
    contact = shown.showing.current.take.contacts.limbs[RIGHT][0]
    do(shown, corrections_to_remove(shown.showing.current, bar_at(shown, RIGHT, contact.start, contact.stop)))
    mask = shown.showing.current.take.contacts.mask(RIGHT)
    assert not mask[contact.start : contact.stop].any()
    # Also before the edits that cut or thin out frames, no rest of it is left.
    first = shown.document.project.clip("1").layers[0]
    if isinstance(first.edit, ContactCorrections):
        assert [one.start for one in shown.showing.current.stages[1].take.contacts.limbs[RIGHT]] == [80]


def test_corrections_speak_of_the_source_behind_a_trim(application):
    shown = shown_clip(Trim(0.5, 2.5))
    assert shown.contacts(LEFT) == [(0, 15), (35, 55)]
    corrections = corrections_to_move(shown.showing.current, bar_at(shown, LEFT, 35, 55), bar_at(shown, LEFT, 38, 55))
    assert [one.touches for one in corrections] == [False, True]
    assert (corrections[0].start_s, corrections[0].stop_s) == pytest.approx((50 / 30, 70 / 30))
    assert (corrections[1].start_s, corrections[1].stop_s) == pytest.approx((53 / 30, 70 / 30))


def test_end_that_a_trim_cut_off_stays_when_the_other_is_moved(application):
    shown = shown_clip(Trim(0.5, 2.5))
    corrections = corrections_to_move(shown.showing.current, bar_at(shown, LEFT, 0, 15), bar_at(shown, LEFT, 0, 12))
    assert (corrections[1].start_s, corrections[1].stop_s) == pytest.approx((10 / 30, 27 / 30))


def test_end_that_is_not_moved_keeps_the_frame_that_thinning_hides(application):
    shown = shown_clip(Resample(10.0), source=Standing(steps=((LEFT, 10, 32),)))
    assert shown.contacts(LEFT) == [(4, 11)]
    corrections = corrections_to_move(shown.showing.current, bar_at(shown, LEFT, 4, 11), bar_at(shown, LEFT, 4, 8))
    assert (corrections[1].start_s, corrections[1].stop_s) == pytest.approx((10 / 30, 24 / 30))
    do(shown, corrections)
    assert shown.contacts(LEFT) == [(4, 8)]


def test_contact_that_stays_needs_no_correction(application):
    shown = shown_clip()
    bar = bar_at(shown, LEFT, 10, 30)
    assert corrections_to_move(shown.showing.current, bar, bar) == ()


@pytest.mark.parametrize("edits", STACKS.values(), ids=STACKS.keys())
def test_added_contact_is_there(application, edits):
    shown = shown_clip(*edits, source=Standing(steps=()))
    middle = shown.showing.current.take.motion.frames // 3
    do(shown, corrections_to_add(shown.showing.current, bar_at(shown, LEFT, middle - 8, middle + 8)))
    assert shown.showing.current.take.contacts.mask(LEFT)[middle]
    assert shown.contacts(RIGHT) == []


def test_shortest_contact_has_a_frame_in_slow_motion(application):
    shown = shown_clip(Retime(((0.0, 0.1),)), source=Standing(steps=()))
    do(shown, corrections_to_add(shown.showing.current, bar_at(shown, LEFT, 301, 302)))
    assert len(shown.contacts(LEFT)) == 1


def test_bars_are_at_the_times_of_the_shown_take(application):
    shown = shown_clip(Trim(0.5, 2.5)).showing.current
    assert [(bar.start_s, bar.stop_s) for bar in bars_of(shown, LEFT)] == [
        pytest.approx((0.0, 0.5)), pytest.approx((35 / 30, 55 / 30))
    ]  # fmt: skip
    assert source_bars_of(shown, LEFT)[0].start_s == pytest.approx(-5 / 30)
    assert not has_corrections(shown)
