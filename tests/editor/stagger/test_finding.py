import numpy as np
import pytest

from editor.extrema.correct import ExtremeCorrection, What
from editor.extrema.measures import Measure
from editor.gait.parameters import Gait
from editor.gait.source import ProceduralGait
from editor.stagger.finding import (
    FindingSettings,
    Picking,
    contact_changes,
    evidence_in,
    joint_weights,
    picked,
    refined_by_extrema,
    tent_filtered,
    told,
)
from model.contacts import Contact, Contacts
from tests.editor.evaluated import Asked
from tests.editor.stagger.pendulum import FPS, pendulum


def test_poses_are_where_links_turn_back():
    found = picked(evidence_in(pendulum()))
    assert np.allclose(found.poses.times_s * FPS, np.arange(100, 1000, 100), atol=1.0)
    assert np.all(np.abs(found.poses.refinements_s) * FPS <= 1.0)
    assert np.all(found.with_extremum)


@pytest.mark.parametrize("late", [(0, 6, 12), (0, 10, 20), (0, -8, 5)])
def test_known_stagger_is_given_back_within_a_frame(late):
    poses = picked(evidence_in(pendulum(late=late))).poses
    inside = (poses.times_s > 0.5) & (poses.times_s < 8.0)  # at the ends some links do not turn any more
    assert np.sum(inside) == 9
    apart = (poses.knots_s - poses.knots_s[:, :1])[inside] * FPS
    assert np.all(np.abs(apart - late) <= 1.0)


@pytest.mark.parametrize("measure", [one for one in Measure if one is not Measure.CURVATURE])  # back on the same way
def test_any_measure_finds_the_turning_points_of_a_swing(measure):
    found = picked(evidence_in(pendulum(linear=True), settings=FindingSettings(measure)), Picking(1.0))
    turns = np.arange(100, 1000, 100)
    nearest = np.min(np.abs(found.poses.times_s[:, None] * FPS - turns), axis=0)
    assert np.all(nearest <= 3.0)


def test_fewer_are_wanted_fewer_come_and_the_most_important_stay():
    rng = np.random.default_rng(3)
    motion = pendulum(late=(0, 7, 30))
    evidence = evidence_in(motion)
    counts = [len(picked(evidence, Picking(level)).poses) for level in np.linspace(0.0, 1.0, 11)]
    assert counts == sorted(counts)
    assert counts[-1] == len(evidence.candidates) > 0
    level = float(rng.uniform(0.3, 0.7))
    few, many = (set(picked(evidence, Picking(one)).poses.times_s.tolist()) for one in (0.5 * level, level))
    assert few <= many


def test_range_and_corrections_say_which_poses_are_there():
    evidence = evidence_in(pendulum())
    inside = picked(evidence, Picking(1.0, 2.0, 6.0)).poses.times_s
    assert len(inside)
    assert np.all((inside >= 2.0) & (inside <= 6.0))
    first = float(inside[0])
    corrections = (ExtremeCorrection(What.DELETED, first), ExtremeCorrection(What.ADDED, first + 0.4))
    found = picked(evidence, Picking(1.0, 2.0, 6.0, corrections))
    assert first not in found.poses.times_s.tolist()
    assert first + 0.4 in found.poses.times_s.tolist()
    assert found.by_hand.sum() == 1


def test_joint_extremum_belongs_to_the_pose_that_it_is_nearest_to():
    refinements, has = refined_by_extrema(np.array([1.0, 2.0]), (np.array([1.2, 1.6]), np.zeros(0)), 3.0)
    assert np.allclose(refinements, [[0.2, 0.0], [-0.4, 0.0]])
    assert has.tolist() == [[True, False], [True, False]]


def test_weights_are_length_of_bones_times_way_of_their_ends():
    weights = joint_weights(pendulum())
    assert np.isclose(np.sum(weights), 1.0)
    assert weights[1] > weights[0] > 0.0  # the second bone turns with the first and by itself
    assert weights[2] == 0.0  # nothing but a tip


def test_contact_changes_speak_for_a_pose():
    motion = pendulum()
    contacts = Contacts(motion.frames, {"left_foot": (Contact(0, 50), Contact(350, 440))}, 0.0)
    assert np.flatnonzero(contact_changes(contacts)).tolist() == [50, 350, 440]
    plain = evidence_in(motion, contacts)
    with_them = evidence_in(motion, contacts, FindingSettings(contact_weight=1.0))
    assert with_them.probability[350] - with_them.probability[550] > 0.2
    assert np.isclose(plain.probability[350], plain.probability[550], atol=0.02)


def test_tent_gathers_what_is_near_and_keeps_what_is_even():
    assert np.allclose(tent_filtered(np.full(50, 0.4), 9.0), 0.4)
    one = np.zeros(41)
    one[20] = 1.0
    spread = tent_filtered(one, 10.0)
    assert np.argmax(spread) == 20
    assert np.isclose(np.sum(spread), 1.0)
    assert np.all(spread[:15] == 0.0)
    assert spread[17] > 0.0


def test_pose_tells_why_it_is_there():
    motion = pendulum(late=(0, 6, 12))
    evidence = evidence_in(motion)
    sentence = told(picked(evidence), 0, motion.skeleton, evidence.joint_weights)
    assert "likely" in sentence
    assert "Middle" in sentence
    assert sentence.endswith(".")


@pytest.mark.parametrize("gait", [Gait(), Gait(speed_m_s=3.2), Gait(speed_m_s=0.9)], ids=["walk", "run", "stroll"])
def test_made_walks_and_runs_have_one_pose_a_step(gait):
    take = ProceduralGait(gait).make(Asked())
    found = picked(evidence_in(take.motion, take.contacts)).poses.times_s
    strikes = np.sort([
        one.start * take.motion.frame_time_s
        for foot in ("left_foot", "right_foot")
        for one in take.contacts.limbs[foot]
        if one.start * take.motion.frame_time_s > 0.1
        and (take.motion.frames - 1 - one.start) * take.motion.frame_time_s > 0.1
    ])  # fmt: skip
    step = float(np.median(np.diff(strikes)))
    for strike in strikes:
        assert np.sum(np.abs(found - strike) < 0.5 * step) in (1, 2)
    assert abs(np.sum((found > strikes[0] - 0.5 * step) & (found < strikes[-1] + 0.5 * step)) - len(strikes)) <= 1


def test_clips_without_frames_or_movement_have_no_poses():
    still = pendulum(frames=300)
    still = still.sliced(100, 101)
    assert len(picked(evidence_in(still)).poses) == 0
    assert len(picked(evidence_in(still.sliced(0, 0))).poses) == 0
