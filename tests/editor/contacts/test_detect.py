"""Contacts: found where feet stand, whatever the rate, the size, the floor and the noise."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from editor.contacts.detect import find_contacts, savitzky_golay
from editor.contacts.plant import reach
from editor.gait.figure import figure as person
from editor.gait.parameters import Gait
from editor.gait.procedural import generate
from editor.gait.samples import SAMPLES
from model.contacts import FEET, Contact, Contacts, intervals
from model.files.formats import read_motion, write_motion
from model.kinematics import articulate
from model.motion import rest_motion
from model.roles import Role
from model.rotation import from_axis_angle, multiply, power
from model.skeleton import Skeleton
from model.units import parse_unit
from tests.clips import X, Z, data_name, figure, needs_data, random_motion, recorded, stepping_figure, waving_figure


def spans(contacts, limb):
    return [(contact.start, contact.stop) for contact in contacts.limbs[limb]]


def score(contacts, truth):
    """F1 over the frames of both feet, and the largest error of a boundary in frames.

    Every true contact that the clip's ends do not cut must be found as one.
    """
    hits = wrong = missed = worst = 0
    for limb in FEET:
        true, found = truth.mask(limb), contacts.mask(limb)
        hits += np.sum(found & true)
        wrong += np.sum(found & ~true)
        missed += np.sum(~found & true)
        for step in truth.limbs[limb]:
            if step.start > 1 and step.stop < truth.frames - 1:
                (got,) = [one for one in contacts.limbs[limb] if one.start < step.stop and step.start < one.stop]
                worst = max(worst, abs(got.start - step.start), abs(got.stop - step.stop))
    return 2 * hits / (2 * hits + wrong + missed), worst


def stepping(**options):
    """A stepping figure and its true contacts."""
    motion, truth = stepping_figure(**options)
    limbs = {
        limb: tuple(Contact(int(start), int(stop)) for start, stop in truth[side])
        for side, limb in (("Left", "left_foot"), ("Right", "right_foot"))
    }
    return motion, Contacts(motion.frames, limbs, 0.0)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_contacts_of_the_samples_are_those_they_were_made_of(sample):
    motion, truth = sample.make()
    f1, worst = score(find_contacts(motion), truth)
    print(f"\n{sample.name}: F1 {f1:.3f}, boundaries within {worst} frames")
    assert f1 >= 0.98
    assert worst <= (3 if sample.name == "sneak" else 2)  # who sneaks sets feet down over three frames


# At 30 fps a run's contact is six frames long: one frame more or less is 0.96.
@pytest.mark.parametrize(("fps", "least"), [(30.0, 0.96), (60.0, 0.98), (120.0, 0.98)])
@pytest.mark.parametrize("speed", [0.7, 1.3, 1.9, 2.8, 3.8])
def test_made_steps_are_found_once_each_at_every_rate(fps, least, speed):
    motion, truth = generate(Gait(speed_m_s=speed), 6.0, fps)
    f1, worst = score(find_contacts(motion), truth)
    assert f1 >= least
    assert worst <= max(1, 2 * fps / 60)


@pytest.mark.parametrize("unit", ["m", "cm", "mm", "in"])
def test_files_of_any_unit_are_judged_alike(unit, tmp_path):
    motion, truth = generate(Gait(speed_m_s=1.3), 4.0)
    write_motion(motion, tmp_path / "walk.bvh", parse_unit(unit))
    contacts = find_contacts(read_motion(tmp_path / "walk.bvh").motion)
    assert contacts.limbs == find_contacts(motion).limbs
    assert score(contacts, truth)[0] >= 0.98


@pytest.mark.parametrize("height_m", [1.1, 2.0])
def test_bodies_of_any_size_are_judged_alike(height_m):
    motion, truth = generate(Gait(speed_m_s=1.2), 4.0, skeleton=person(height_m))
    assert score(find_contacts(motion), truth)[0] >= 0.98


@pytest.mark.parametrize(
    "change", [{"ground": 0.4}, {"ground": -1.3}, {"climb": 0.1}, {"climb": -0.08}, {"turn": 1.0}], ids=str
)
def test_the_floor_may_lie_anywhere_and_slope(change):
    motion, truth = stepping(**change)
    contacts = find_contacts(motion)
    f1, worst = score(contacts, truth)
    assert f1 >= 0.96
    assert worst <= 2
    if "ground" in change:
        assert contacts.ground_m == pytest.approx(change["ground"] + 0.01, abs=0.01)


def test_running_leaves_the_ground():
    motion, truth = generate(Gait(speed_m_s=3.4), 6.0)
    contacts = find_contacts(motion)
    flights = contacts.flights()
    assert len(flights) == len(truth.flights()) >= 14
    for flight in flights:
        for limb in FEET:
            assert not np.any(contacts.mask(limb)[flight.start : flight.stop])


@pytest.mark.parametrize("fps", [30.0, 60.0, 120.0])
@pytest.mark.parametrize("speed", [1.3, 3.0])
def test_noise_of_two_millimetres_does_no_harm(fps, speed):
    motion, truth = generate(Gait(speed_m_s=speed), 5.0, fps)
    noisy = motion.world.positions + np.random.default_rng(0).normal(scale=0.002, size=motion.world.positions.shape)
    roots, rotations, offsets = articulate(motion.skeleton, noisy)
    shaken = replace(motion, root_positions=roots, local_rotations=rotations, local_offsets=offsets)
    f1, _ = score(find_contacts(shaken), truth)
    print(f"\n{speed} m/s, {fps} fps: F1 {f1:.3f}")
    assert f1 >= 0.93


def test_standing_is_one_contact_per_foot():
    contacts = find_contacts(waving_figure(), hands=True)
    for limb in FEET:
        assert spans(contacts, limb) == [(0, 90)]
    assert contacts.limbs["left_hand"] == contacts.limbs["right_hand"] == ()
    assert contacts.flights() == ()


@pytest.mark.parametrize("angle_rad", [-1.4, -0.6])
def test_foot_held_in_the_air_is_no_contact(angle_rad):
    motion = waving_figure(frames=150)
    left = motion.skeleton.find("LeftUpLeg")
    rotations = motion.local_rotations.copy()
    raised = np.clip(np.minimum(np.arange(150) - 30, 120 - np.arange(150)) / 15, 0, 1)
    rotations[:, left] = multiply(power(from_axis_angle(X, angle_rad), raised), rotations[:, left])
    contacts = find_contacts(replace(motion, local_rotations=rotations))
    assert not np.any(contacts.mask("left_foot")[50:100])
    assert np.all(contacts.mask("right_foot"))


def moved_in_one_step(motion, truth, at_contact):
    """The motion whose left foot is moved, while it stands for the third time, by at_contact(seconds since strike).

    What it is moved by comes and goes in the swings before and after. -> the motion and that contact.
    """
    before, step, after = truth.limbs["left_foot"][1:4]
    frames = np.arange(motion.frames)
    moved = at_contact((np.clip(frames, step.start, step.stop - 1) - step.start) * motion.frame_time_s)
    coming = np.clip((frames - before.stop) / (step.start - before.stop), 0.0, 1.0)
    going = np.clip((after.start - frames) / (after.start - step.stop), 0.0, 1.0)
    share = np.minimum(coming, going)
    moved = moved * (share * share * (3.0 - 2.0 * share))[:, None]
    ankle = motion.world.positions[:, motion.skeleton.joint(Role.LEFT_ANKLE)]
    return reach(motion, {"left_foot": ankle + moved}), step


def test_step_onto_a_box_and_off_again_is_a_contact():
    motion, truth = stepping(speed=1.0)
    boxed, _ = moved_in_one_step(motion, truth, lambda time: np.outer(np.ones_like(time), [0.0, 0.15, 0.0]))
    f1, worst = score(find_contacts(boxed), truth)
    assert f1 >= 0.96
    assert worst <= 3


@pytest.mark.parametrize(("speed", "slide_m_s"), [(3.0, -1.0), (3.8, -1.2), (3.8, 1.2)])
def test_foot_that_slides_while_nothing_else_carries_is_a_contact(speed, slide_m_s):
    motion, truth = generate(Gait(speed_m_s=speed), 4.0, 120.0)
    slid, step = moved_in_one_step(motion, truth, lambda time: np.outer(slide_m_s * (time - 0.1), Z))
    contacts = find_contacts(slid)
    (found,) = [one for one in contacts.limbs["left_foot"] if one.start < step.stop and step.start < one.stop]
    assert abs(found.start - step.start) <= 5
    assert abs(found.stop - step.stop) <= 5
    assert len(contacts.limbs["right_foot"]) == len(truth.limbs["right_foot"])


def test_rounding_of_the_rate_decides_nothing():
    motion, _ = stepping_figure(seconds=2.0, fps=120.0, speed=2.0)
    for stop in range(70, 125):  # the last contact is cut to every length
        cut = motion.sliced(0, stop)
        rounded = replace(cut, frame_time_s=1.0 / 120.00048)
        assert find_contacts(rounded).limbs == find_contacts(cut).limbs


@pytest.mark.parametrize("frames", [1, 2, 4, 6])
def test_short_motions_are_judged_without_complaint(frames):
    contacts = find_contacts(rest_motion(figure(), frames=frames), hands=True)
    assert contacts.frames == frames
    assert set(contacts.limbs) == {"left_foot", "right_foot", "left_hand", "right_hand"}


def test_skeleton_without_feet_has_no_contacts():
    skeleton = Skeleton(("a", "b"), (-1, 0), np.array([[0, 1, 0], [0, 1, 0.0]]))
    contacts = find_contacts(random_motion(skeleton=skeleton), hands=True)
    assert dict(contacts.limbs) == {}


def test_input_is_not_changed():
    motion, _ = stepping_figure(seconds=1.0)
    kept = motion.local_rotations.copy()
    find_contacts(motion, hands=True)
    np.testing.assert_array_equal(motion.local_rotations, kept)


@pytest.mark.parametrize(("frames", "width", "degree"), [(5, 5, 4), (40, 7, 4), (40, 13, 2), (13, 13, 4)])
def test_smoothing_is_that_of_savitzky_and_golay(frames, width, degree):
    from scipy.signal import savgol_filter

    values = np.random.default_rng(2).normal(size=(frames, 3, 2))
    np.testing.assert_allclose(
        savitzky_golay(values, width, degree), savgol_filter(values, width, degree, axis=0), atol=1e-10
    )


def test_intervals_are_the_runs_of_a_mask():
    assert intervals(np.array([True, True, False, True])) == (Contact(0, 2), Contact(3, 4))
    assert intervals(np.zeros(3, dtype=bool)) == ()


@pytest.mark.parametrize(
    ("limbs", "message"),
    [
        ({"left_foot": (Contact(0, 5), Contact(5, 7))}, "touch or overlap at frame 5"),
        ({"left_foot": (Contact(0, 11),)}, "ends behind the last frame"),
    ],
)
def test_contacts_that_break_the_rules_are_refused(limbs, message):
    with pytest.raises(ValueError, match=message):
        Contacts(10, limbs, 0.0)
    with pytest.raises(ValueError, match="holds no frame"):
        Contact(3, 3)


# Recorded clips

# Seen in their curves of heights and speeds: these feet do not alternate.
NOT_ALTERNATING = {
    "16_43",  # lands on the left foot twice in a turn; the right one comes down after it and skids at 1 m/s
    "Male1_B15_WalkTurnAround",  # turns by 130 degrees on the right foot, whose toe stays within 4 cm
    "Male1_B16_WalkTrunChange",  # turns by 80 degrees on the right foot, whose toe stays within 5 cm
    "Male1_B8_WalkBackToForward",  # stands on both feet, then sets out with the one that came last
    "Male1_C10_RunBackStopRunForward",  # stops on the right foot, while the left steps back and forth
}
ALTERNATING = [
    path
    for path in recorded(
        "cmu-acclaim/16_*.amc", "cmu-acclaim/35_*.amc", "cmu-acclaim/0[79]_*.amc", "cmu-acclaim/104_*.amc",
        "cmu-acclaim/127_*.amc", "cmu-acclaim/137_*.amc", "cmu-acclaim/crlf_original/02_0[123].amc",
        "cmu-acclaim/possumwood/141_01.amc", "cmu-acclaim/hdm05/*jog*.amc", "cmu-bvh/02_01.bvh", "cmu-bvh/09_01.bvh",
        "cmu-bvh/16_08.bvh", "cmu-bvh/16_[1-5]*.bvh", "cmu-bvh/35_*.bvh", "cmu-bvh/104_0*.bvh", "cmu-bvh/127_*.bvh",
        "cmu-bvh/137_*.bvh", "other-bvh/accad_male1/*Walk*.bvh", "other-bvh/accad_male1/*Run*.bvh",
    )
    if path.stem not in NOT_ALTERNATING
]  # fmt: skip


@needs_data
@pytest.mark.parametrize("path", ALTERNATING, ids=data_name)
def test_recorded_steps_alternate(path):
    motion = read_motion(path).motion
    contacts = find_contacts(motion)
    # Of two feet that stand at the clip's start, the one that leaves first came first.
    steps = sorted((contact.start, contact.stop, limb) for limb in FEET for contact in contacts.limbs[limb])
    sides = [limb for _, _, limb in steps]
    assert len(sides) >= 3
    assert all(one != other for one, other in pairwise(sides))


@needs_data
@pytest.mark.parametrize("path", recorded("cmu-acclaim/16_[124][1567]*.amc"), ids=data_name)
def test_recorded_steps_are_the_same_at_other_rates(path):
    motion = read_motion(path).motion
    whole = find_contacts(motion)
    for factor in (2, 4):
        other = find_contacts(motion.resampled(motion.fps / factor))
        for limb in FEET:
            # Contacts that the clip's ends cut short may be told at one rate and not at another.
            inner = [contact for contact in whole.limbs[limb] if contact.stop - contact.start > 0.1 * motion.fps]
            found = [
                contact for contact in other.limbs[limb] if (contact.stop - contact.start) * factor > 0.08 * motion.fps
            ]
            assert len(found) >= len(inner)
            for contact in inner:
                near = min(abs(contact.start - factor * one.start) for one in found)
                assert near <= 0.06 * motion.fps


@needs_data
def test_recorded_skip_has_no_contact_at_its_top():
    (path,) = recorded("cmu-bvh/104_11.bvh")
    contacts = find_contacts(read_motion(path).motion)
    assert not np.any(contacts.mask("left_foot")[175:255])
    assert np.any(contacts.mask("right_foot")[190:220])


@needs_data
def test_recorded_cartwheel_is_found_on_the_hands():
    (path,) = recorded("cmu-bvh/49_06.bvh")
    contacts = find_contacts(read_motion(path).motion, hands=True)
    assert [len(contacts.limbs[limb]) for limb in ("left_hand", "right_hand")] == [1, 1]
    assert 180 < contacts.limbs["right_hand"][0].start < contacts.limbs["left_hand"][0].start < 240


@needs_data
def test_recorded_stand_is_one_contact_per_foot_and_a_jump_is_a_flight():
    (stand,) = recorded("cmu-bvh/77_02.bvh")
    motion = read_motion(stand).motion
    assert [spans(find_contacts(motion), limb) for limb in FEET] == [[(0, motion.frames)]] * 2
    (jump,) = recorded("cmu-bvh/16_01.bvh")
    contacts = find_contacts(read_motion(jump).motion)
    assert [len(contacts.limbs[limb]) for limb in FEET] == [2, 2]
    assert len(contacts.flights()) == 1
