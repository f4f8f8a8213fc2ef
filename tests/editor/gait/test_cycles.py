"""Steps, cycles, phases and parameters: those that a made walk has, and on recorded clips those that are known."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from editor.contacts.detect import find_contacts
from editor.gait.arc import Arc
from editor.gait.cycles import Event, Kind, find_cycles
from model.contacts import FEET, Contact, Contacts
from model.files.formats import read_motion
from model.mirror import mirrored
from model.motion import rest_motion
from model.rotation import from_axis_angle, multiply
from tests.clips import data_name, figure, needs_data, recorded, stepping_figure, waving_figure

LEFT, RIGHT = FEET


def contacts_of(frames, left=(), right=()):
    """Contacts of [start, stop) pairs."""
    limbs = {LEFT: tuple(Contact(*span) for span in left), RIGHT: tuple(Contact(*span) for span in right)}
    return Contacts(frames, limbs, 0.0)


def known(motion, truth):
    """The contacts that a stepping figure is known to have."""
    return contacts_of(motion.frames, truth["Left"], truth["Right"])


def walk(**options):
    motion, truth = stepping_figure(**options)
    return motion, find_cycles(motion, known(motion, truth))


def on_arc(motion, arc):
    """A motion straight along +Z, its bodies set on an arc and turned with it. Feet then slide; the way counts."""
    times = np.arange(motion.frames) * motion.frame_time_s
    roots, rotations = np.array(motion.root_positions), np.array(motion.local_rotations)
    roots[:, [0, 2]] = arc.at(times)
    rotations[:, 0] = multiply(from_axis_angle(np.array([0.0, 1.0, 0.0]), arc.headings_at(times)), rotations[:, 0])
    return replace(motion, root_positions=roots, local_rotations=rotations)


@pytest.mark.parametrize("fps", [30.0, 120.0])
@pytest.mark.parametrize("speed", [0.8, 1.4])
def test_walk_has_the_parameters_it_was_made_with(fps, speed):
    _, found = walk(speed=speed, fps=fps)
    stance = 0.56 / speed
    assert found.kind is Kind.WALK
    assert found.whole_cycles >= 3
    assert found.speed_m_s == pytest.approx(speed, rel=1e-3)
    assert found.turning_rad_s == pytest.approx(0.0, abs=1e-6)
    assert found.cycle_s == pytest.approx(stance + 0.35, abs=1.0 / fps)
    assert found.cadence_per_min == pytest.approx(120.0 / (stance + 0.35), rel=0.03)
    assert found.stride_m == pytest.approx(speed * (stance + 0.35), rel=0.03)
    assert found.duty_factor == pytest.approx(stance / (stance + 0.35), abs=0.03)
    assert found.double_support_share == pytest.approx(2.0 * found.duty_factor - 1.0, abs=0.03)
    assert found.flight_share == 0.0


def test_running_is_to_leave_the_ground():
    _, found = walk(speed=3.0, stance_s=0.18, swing_s=0.4, clearance=0.15)
    assert found.kind is Kind.RUN
    assert found.duty_factor == pytest.approx(0.18 / 0.58, abs=0.03)
    assert found.flight_share == pytest.approx(1.0 - 2.0 * found.duty_factor, abs=0.03)
    assert found.double_support_share == 0.0


def test_steps_are_as_long_and_wide_as_made():
    _, found = walk(speed=1.2, turn=0.9)
    cycle = 0.56 / 1.2 + 0.35
    assert all(one.foot != other.foot for one, other in pairwise(found.steps))
    assert (found.steps[0].length_m, found.steps[0].width_m) == (None, None)
    for step in found.steps[1:]:
        assert step.length_m == pytest.approx(0.5 * 1.2 * cycle, abs=0.005)
        assert step.width_m == pytest.approx(0.18, abs=1e-6)  # the hips' breadth
        assert step.place[1] == pytest.approx(0.01, abs=0.01)


def test_walk_backwards_keeps_left_on_the_left():
    motion, truth = stepping_figure()
    back = replace(
        motion, root_positions=motion.root_positions[::-1].copy(), local_rotations=motion.local_rotations[::-1].copy()
    )
    spans = {
        side: [(motion.frames - stop, motion.frames - start) for start, stop in reversed(truth[side])] for side in truth
    }
    found = find_cycles(back, known(back, spans))
    assert all(step.width_m == pytest.approx(0.18, abs=1e-6) for step in found.steps if step.width_m is not None)
    assert all(step.length_m > 0.3 for step in found.steps if step.length_m is not None)


def test_cut_contacts_have_no_strike_or_toe_off():
    motion, found = walk()
    first, last = found.steps[0], found.steps[-1]
    assert (first.contact.start, first.strike, first.mid_stance) == (0, None, None)
    assert (last.contact.stop, last.toe_off, last.mid_stance) == (motion.frames, None, None)
    inner = found.steps[3]
    assert (inner.strike, inner.toe_off) == (inner.contact.start, inner.contact.stop)
    assert inner.contact.start < inner.mid_stance < inner.contact.stop
    assert abs((inner.mid_stance - inner.strike) - (inner.toe_off - 1 - inner.mid_stance)) <= 1


def test_key_times_are_all_strikes_and_toe_offs_in_order():
    _, found = walk()
    frames = [key.frame for key in found.key_times]
    assert frames == sorted(frames)
    strikes = {(key.frame, key.foot) for key in found.key_times if key.event is Event.STRIKE}
    assert strikes == {(step.strike, step.foot) for step in found.steps if step.strike is not None}
    # In a walk the order repeats: a foot strikes, the other leaves, strikes, and the first leaves.
    pattern = [(key.foot, key.event) for key in found.key_times]
    assert pattern[4:] == pattern[:-4]
    assert len(set(pattern[:4])) == 4


def test_cycles_go_from_strike_to_strike_of_the_left_foot():
    _, found = walk()
    strikes = [step.strike for step in found.steps if step.foot == LEFT and step.strike is not None]
    assert [(cycle.start, cycle.stop) for cycle in found.cycles] == list(pairwise(strikes))
    for cycle in found.cycles:
        assert cycle.foot == LEFT
        assert cycle.is_regular
        assert cycle.start < cycle.other_toe_off < cycle.other_strike < cycle.toe_off < cycle.stop
    assert found.mid_stances() == tuple(
        step.mid_stance for step in found.steps if step.foot == LEFT and step.mid_stance is not None
    )


def test_phase_is_whole_at_left_strikes_and_half_at_right_ones():
    motion, found = walk()
    assert found.phases.shape == (motion.frames,)
    for step in found.steps:
        if step.strike is not None:
            assert found.phases[step.strike] % 1.0 == pytest.approx(0.0 if step.foot == LEFT else 0.5)
    strikes = [step.strike for step in found.steps if step.strike is not None]
    assert np.all(np.diff(found.phases[strikes[0] - 10 :]) > 0.0)
    assert np.all(np.diff(found.phases) >= 0.0)
    assert found.phases[0] >= 0.0
    assert np.max(np.diff(found.phases)) < 2.0 / (found.cycle_s / motion.frame_time_s)


def test_phase_is_held_where_nobody_steps_any_more():
    motion = rest_motion(figure(), 1 / 60, 600)
    found = find_cycles(motion, contacts_of(600, [(0, 30), (60, 600)], [(0, 60), (90, 600)]))
    assert np.all(np.diff(found.phases) >= 0.0)
    assert found.phases[60] % 1.0 == 0.0
    assert found.phases[90] - found.phases[60] == pytest.approx(0.5)
    assert found.phases[-1] - found.phases[90] == pytest.approx(0.5)
    assert found.phases[200] == found.phases[-1]


@pytest.mark.parametrize("turned", [1.0, -2.5, 8.0])
def test_turning_is_that_of_the_way(turned):
    motion, truth = stepping_figure()
    arc = Arc(np.array([1.0, 1.0]), 0.4, 1.2, turned / motion.duration_s, motion.duration_s, 0.0)
    found = find_cycles(on_arc(motion, arc), known(motion, truth))
    assert found.turning_rad_s == pytest.approx(arc.turning_rad_s, rel=1e-5)
    assert found.speed_m_s == pytest.approx(1.2, rel=1e-5)
    assert found.body_turned_rad == pytest.approx(found.arc.turned_rad, abs=0.01)
    assert found.arc.residual_m < 1e-6


def test_turning_on_the_spot_is_read_off_the_body():
    motion, truth = stepping_figure()
    times = np.arange(motion.frames) * motion.frame_time_s
    spin = on_arc(motion, Arc(np.zeros(2), 0.0, 0.0, 0.8, motion.duration_s, 0.0))
    sway = np.stack([0.02 * np.sin(7.0 * times), 0 * times, 0.02 * np.cos(6.0 * times)], axis=-1)
    found = find_cycles(replace(spin, root_positions=spin.root_positions + sway), known(motion, truth))
    assert found.turning_rad_s == pytest.approx(0.8, abs=0.01)
    assert found.speed_m_s < 0.05


def test_standing_has_no_steps_and_no_speed():
    motion = waving_figure()
    found = find_cycles(motion, find_contacts(motion))
    assert found.kind is Kind.STAND
    assert (found.steps, found.cycles, found.key_times, found.whole_cycles) == ((), (), (), 0)
    assert (found.speed_m_s, found.turning_rad_s) == (0.0, 0.0)
    assert (found.cycle_s, found.cadence_per_min, found.stride_m) == (None, None, None)
    np.testing.assert_array_equal(found.phases, 0.0)
    assert found.double_support_share == 1.0


def test_from_stand_to_walk_is_mixed_and_measured_where_it_walks():
    motion, truth = stepping_figure(seconds=5.0)
    still = 120
    roots = np.concatenate([np.repeat(motion.root_positions[:1], still, axis=0), motion.root_positions])
    rotations = np.concatenate([np.repeat(motion.local_rotations[:1], still, axis=0), motion.local_rotations])
    spans = {side: [(start + still, stop + still) for start, stop in truth[side]] for side in truth}
    for side in spans:
        start, stop = spans[side][0]
        spans[side][0] = (0, stop if start == still else still)
        if start != still:
            spans[side].insert(1, (start, stop))
    longer = replace(motion, root_positions=roots, local_rotations=rotations)
    found = find_cycles(longer, known(longer, spans))
    assert found.kind is Kind.MIXED
    assert [stretch.kind for stretch in found.stretches] == [Kind.STAND, Kind.WALK]
    assert found.stretches[0].start == 0
    assert abs(found.stretches[0].stop - still) < 40
    assert found.stretches[-1].stop == longer.frames
    assert found.measured.start >= still
    assert found.speed_m_s == pytest.approx(1.2, rel=0.01)


def test_a_single_lost_flight_makes_no_walk_of_a_run():
    motion = rest_motion(figure(), 1 / 60, 300)
    left = [(start, start + 12) for start in range(10, 290, 40)]
    right = [(start, start + 12) for start in range(30, 280, 40)]
    assert find_cycles(motion, contacts_of(300, left, right)).kind is Kind.RUN
    right[2] = (right[2][0], left[3][0] + 1)
    assert find_cycles(motion, contacts_of(300, left, right)).kind is Kind.RUN
    # And one false flight makes no run of a walk.
    left = [(start, start + 26) for start in range(10, 270, 40)]
    right = [(start, start + 26) for start in range(30, 260, 40)]
    assert find_cycles(motion, contacts_of(300, left, right)).kind is Kind.WALK
    right[2] = (right[2][0], left[3][0] - 4)
    assert find_cycles(motion, contacts_of(300, left, right)).kind is Kind.WALK


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ((), ()),
        ([(20, 40)], ()),
        ((), [(20, 40)]),
        ([(0, 100)], [(0, 100)]),
        ([(0, 100)], [(30, 60)]),
        ([(10, 20), (30, 40), (50, 60)], ()),
        ([(0, 1)], [(99, 100)]),
        ([(20, 40), (60, 80)], [(20, 40), (60, 80)]),
    ],
    ids=["none", "one left", "one right", "standing", "a tap", "hops", "cut", "jumps"],
)
def test_odd_contacts_are_told_without_complaint(left, right):
    motion = rest_motion(figure(), 1 / 60, 100)
    found = find_cycles(motion, contacts_of(100, left, right))
    assert np.all(np.diff(found.phases) >= 0.0)
    assert np.all(np.isfinite(found.phases))
    assert found.stretches[0].start == 0
    assert found.stretches[-1].stop == 100
    assert all(before.stop == after.start for before, after in pairwise(found.stretches))
    assert found.whole_cycles == sum(cycle.is_regular for cycle in found.cycles)


def test_double_step_of_one_foot_is_no_regular_cycle():
    motion = rest_motion(figure(), 1 / 60, 200)
    found = find_cycles(motion, contacts_of(200, [(10, 30), (50, 70), (90, 110), (130, 150)], [(70, 95), (112, 135)]))
    assert [cycle.is_regular for cycle in found.cycles] == [False, True, True]
    assert (found.measured.start, found.measured.stop, found.whole_cycles) == (50, 130, 2)
    assert found.phases[50] - found.phases[10] == pytest.approx(1.0)


def test_right_foot_is_measured_where_the_left_has_no_cycle():
    motion = rest_motion(figure(), 1 / 60, 100)
    found = find_cycles(motion, contacts_of(100, [(30, 50)], [(10, 32), (48, 70), (90, 100)]))
    assert {cycle.foot for cycle in found.cycles} == {RIGHT}
    assert (found.measured.start, found.measured.stop) == (10, 48)


def test_mirrored_walk_turns_the_other_way_with_feet_exchanged():
    motion, truth = stepping_figure()
    arc = Arc(np.zeros(2), 0.0, 1.2, 0.25, motion.duration_s, 0.0)
    turned = on_arc(motion, arc)
    found = find_cycles(turned, known(turned, truth))
    other = find_cycles(mirrored(turned), contacts_of(motion.frames, truth["Right"], truth["Left"]))
    assert other.turning_rad_s == pytest.approx(-found.turning_rad_s, rel=1e-3)
    assert [(step.contact, step.foot == LEFT) for step in other.steps] == [
        (step.contact, step.foot == RIGHT) for step in found.steps
    ]


def test_contacts_of_another_length_are_refused():
    with pytest.raises(ValueError, match="contacts are of 5 frames"):
        find_cycles(waving_figure(), contacts_of(5))


# Recorded clips: what subject 16 does, and how fast

KNOWN = {
    "16_16": (1.02, Kind.WALK), "16_15": (1.10, Kind.WALK), "16_58": (1.30, Kind.WALK), "16_47": (1.31, Kind.WALK),
    "16_22": (1.63, Kind.WALK), "16_21": (1.71, Kind.WALK), "16_36": (2.69, Kind.RUN), "16_35": (2.80, Kind.RUN),
    "16_45": (3.97, Kind.RUN), "16_46": (4.12, Kind.RUN),
}  # fmt: skip


def read(name):
    (path,) = recorded(f"cmu-acclaim/{name}.amc")
    motion = read_motion(path).motion
    return find_cycles(motion, find_contacts(motion))


@needs_data
@pytest.mark.parametrize("name", KNOWN)
def test_recorded_straight_clips_have_their_speed_and_kind(name):
    speed, kind = KNOWN[name]
    found = read(name)
    assert found.kind is kind
    assert found.speed_m_s == pytest.approx(speed, rel=0.03)
    assert abs(found.arc.turned_rad) < np.radians(6.0)
    assert found.arc.residual_m < 0.03
    lengths = [step.length_m for step in found.steps if step.length_m is not None]
    assert 2.0 * np.median(lengths) == pytest.approx(found.stride_m, rel=0.1)
    slowest, fastest = (140.0, 190.0) if kind is Kind.RUN else (95.0, 130.0)
    assert slowest < found.cadence_per_min < fastest


@needs_data
@pytest.mark.parametrize(
    ("name", "degrees"), [("16_17", 93), ("16_19", -91), ("16_29", -100), ("16_11", 39), ("16_13", -50)]
)
def test_recorded_turns_turn_as_far_as_known(name, degrees):
    found = read(name)
    assert found.kind is Kind.WALK
    assert np.degrees(found.body_turned_rad) == pytest.approx(degrees, abs=8)
    assert np.sign(found.turning_rad_s) == np.sign(degrees)


@needs_data
@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("16_31", ["stand", "walk"]), ("16_32", ["stand", "walk"]), ("16_33", ["walk", "stand"]),
        ("16_34", ["walk", "stand"]), ("104_06", ["stand", "run"]), ("104_53", ["stand", "run"]),
        ("16_57", ["run", "walk", "stand"]), ("104_56", ["run", "walk", "stand"]),
    ],
)  # fmt: skip
def test_recorded_transitions_are_told_in_order(name, kinds):
    found = read(name)
    assert found.kind is Kind.MIXED
    assert [stretch.kind for stretch in found.stretches] == kinds


@needs_data
@pytest.mark.parametrize("path", recorded("other-bvh/accad_male1/*_A[2-4]*.bvh"), ids=data_name)
def test_recorded_stands_stand(path):
    motion = read_motion(path).motion
    assert find_cycles(motion, find_contacts(motion)).kind is Kind.STAND
