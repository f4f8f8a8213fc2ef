"""Planting: feet stand, the rest of the body hardly notices."""

from dataclasses import replace

import numpy as np
import pytest

from editor.contacts.detect import find_contacts
from editor.contacts.feet import find_limb
from editor.contacts.plant import clean_feet, reach
from editor.quality import figures as quality
from model.contacts import FEET, Contact, Contacts
from model.files.formats import read_motion, write_motion
from model.rotation import angle_between, conjugate, from_axis_angle, multiply, rotate
from model.skeleton import Skeleton
from tests.clips import Y, data_name, figure, needs_data, random_motion, recorded, stepping_figure, waving_figure


def true_contacts(motion, truth, ground_m=0.0):
    limbs = {
        limb: tuple(Contact(int(a), int(b)) for a, b in truth[side])
        for side, limb in (("Left", "left_foot"), ("Right", "right_foot"))
    }
    return Contacts(motion.frames, limbs, ground_m)


def skating(fps=60.0, slide_m_s=0.1, **options):
    """A stepping figure whose whole body slides sideways and onwards, and its true contacts."""
    motion, truth = stepping_figure(fps=fps, **options)
    slide = np.outer(np.arange(motion.frames) / fps, [slide_m_s, 0.0, 0.5 * slide_m_s])
    return replace(motion, root_positions=motion.root_positions + slide), true_contacts(motion, truth)


def knee_folds(motion, limb):
    """(F,) how far the knee is bent the way it bends, from below zero where it is bent the other way."""
    hip, knee, ankle = (motion.world.positions[:, joint] for joint in limb.bends)
    axis = rotate(conjugate(motion.world.rotations[:, limb.bends[0]]), np.cross(knee - hip, ankle - knee))
    usual = np.sum(axis, axis=0)
    return axis @ (usual / np.linalg.norm(usual))


@pytest.mark.parametrize("fps", [30.0, 60.0, 120.0])
@pytest.mark.parametrize("slide_m_s", [0.03, 0.1])
def test_sliding_feet_come_to_rest(fps, slide_m_s):
    motion, contacts = skating(fps, slide_m_s)
    cleaned = clean_feet(motion, contacts)
    assert np.max(quality.contact_drifts(motion, contacts)) > 0.002
    assert np.max(quality.contact_drifts(cleaned, contacts)) < 2e-3
    assert quality.measure(cleaned, contacts, [motion]).jerk_ratio < 1.3
    assert quality.measure(cleaned, contacts, [motion]).step_ratio < 1.3


def test_feet_that_stand_are_left_alone():
    motion, truth = stepping_figure()
    cleaned = clean_feet(motion, true_contacts(motion, truth))
    np.testing.assert_allclose(cleaned.world.positions, motion.world.positions, atol=2e-3)
    stands = waving_figure()
    np.testing.assert_allclose(
        clean_feet(stands, find_contacts(stands)).world.positions, stands.world.positions, atol=2e-3
    )


def test_foot_keeps_rolling_while_it_is_planted():
    motion, contacts = skating()
    limb = find_limb(motion.skeleton, "left_foot")
    roll = from_axis_angle(np.array([1.0, 0.0, 0.0]), 0.3 * np.sin(np.arange(motion.frames) / 5.0))
    rotations = motion.local_rotations.copy()
    rotations[:, limb.end] = multiply(rotations[:, limb.end], roll)
    rolling = replace(motion, local_rotations=rotations)
    cleaned = clean_feet(rolling, contacts)
    turned = angle_between(cleaned.world.rotations[:, limb.end], rolling.world.rotations[:, limb.end])
    assert np.max(turned) < 1e-6
    assert np.max(quality.contact_drifts(cleaned, contacts)) < 2e-3


def test_swing_between_far_contacts_fades_to_what_it_was():
    motion = waving_figure(frames=180)
    slide = np.where(np.arange(180) < 40, np.linspace(0, 1.0, 180), 0.2222)[:, None] * [0.1, 0.0, 0.0]
    motion = replace(motion, root_positions=motion.root_positions + slide)
    contacts = Contacts(180, {"left_foot": (Contact(0, 40), Contact(140, 180))}, 0.0)
    cleaned = clean_feet(motion, contacts)
    ankle = find_limb(motion.skeleton, "left_foot").end
    apart = np.linalg.norm(cleaned.world.positions[:, ankle] - motion.world.positions[:, ankle], axis=-1)
    assert np.max(apart[:40]) > 0.005
    assert np.max(apart[75:105]) < 2e-3


def test_leg_too_short_lowers_the_pelvis_and_keeps_its_length():
    motion = waving_figure()
    limb = find_limb(motion.skeleton, "left_foot")
    rise = np.sin(np.linspace(0, np.pi, motion.frames)) * 0.06
    wanted = motion.world.positions[:, limb.end] - rise[:, None] * [0.0, 1.0, 0.0]
    reached = reach(motion, {"left_foot": wanted})
    np.testing.assert_allclose(reached.world.positions[:, limb.end], wanted, atol=1e-6)
    sunk = motion.root_positions[:, 1] - reached.root_positions[:, 1]
    assert 0.02 < np.max(sunk) < 0.08
    assert np.max(np.abs(np.diff(sunk, 2))) < 0.002
    assert quality.stretch_percent(reached, [motion]) < 1e-9


def test_nothing_of_a_foot_stays_under_the_ground():
    motion, contacts = skating()
    limb = find_limb(motion.skeleton, "left_foot")
    rotations = motion.local_rotations.copy()
    pitch = 0.13 * np.sin(np.pi * np.clip((np.arange(motion.frames) - 100) / 60, 0, 1))
    rotations[:, limb.end] = multiply(rotations[:, limb.end], from_axis_angle(np.array([1.0, 0.0, 0.0]), pitch))
    digging = replace(motion, local_rotations=rotations)
    assert quality.penetration_cm(digging, 0.01) > 2.0
    assert quality.penetration_cm(clean_feet(digging, contacts), 0.01) < 0.05


def test_knees_never_bend_backwards():
    motion, contacts = skating(slide_m_s=0.25)
    cleaned = clean_feet(motion, contacts)
    for name in FEET:
        assert np.min(knee_folds(cleaned, find_limb(cleaned.skeleton, name))) > -1e-6


def test_turned_and_shifted_motions_are_cleaned_alike():
    motion, contacts = skating()
    spin, shift = from_axis_angle(Y, 2.1), np.array([3.0, 0.0, -7.0])

    def carried(one):
        rotations = one.local_rotations.copy()
        rotations[:, 0] = multiply(spin, rotations[:, 0])
        return replace(one, root_positions=rotate(spin, one.root_positions) + shift, local_rotations=rotations)

    np.testing.assert_allclose(
        clean_feet(carried(motion), contacts).world.positions,
        carried(clean_feet(motion, contacts)).world.positions,
        atol=1e-9,
    )


def test_leg_in_the_air_that_cannot_reach_leaves_the_body_alone():
    motion = waving_figure(frames=120)
    limb = find_limb(motion.skeleton, "left_foot")
    rotations = motion.local_rotations.copy()
    raised = np.clip(np.minimum(np.arange(120) - 25, 95 - np.arange(120)) / 20, 0, 1)
    rotations[:, limb.root] = multiply(from_axis_angle(np.array([1.0, 0, 0]), -1.5 * raised), rotations[:, limb.root])
    kicking = replace(motion, local_rotations=rotations)
    contacts = Contacts(120, {"left_foot": (Contact(0, 25), Contact(95, 120)), "right_foot": (Contact(0, 120),)}, 0.0)
    cleaned = clean_feet(kicking, contacts)
    assert np.max(np.abs(cleaned.root_positions - kicking.root_positions)[45:75]) < 0.01


@pytest.mark.parametrize("aside", [0.05, -0.05])
def test_straight_knee_bent_aside_does_not_pop(aside):
    motion, contacts = skating(slide_m_s=0.05)
    limb = find_limb(motion.skeleton, "left_foot")
    rotations = motion.local_rotations.copy()
    wobble = aside * np.sin(np.arange(motion.frames) / 3.0)
    rotations[:, limb.middle] = multiply(rotations[:, limb.middle], from_axis_angle(np.array([0, 0, 1.0]), wobble))
    wobbling = replace(motion, local_rotations=rotations)
    cleaned = clean_feet(wobbling, contacts)
    assert np.max(knee_steps(cleaned, limb) - knee_steps(wobbling, limb)) < 0.02


def test_motion_without_feet_or_contacts_is_given_back():
    thing = Skeleton(("a", "b"), (-1, 0), np.array([[0, 1, 0], [0, 1, 0.0]]))
    motion = random_motion(skeleton=thing)
    assert clean_feet(motion, find_contacts(motion)) is motion
    airborne = random_motion()
    assert clean_feet(airborne, Contacts(airborne.frames, {}, 0.0)) is airborne


@pytest.mark.parametrize("frames", [1, 2, 5])
def test_short_motions_are_cleaned_without_complaint(frames):
    motion = waving_figure().sliced(0, frames)
    contacts = Contacts(frames, {"left_foot": (Contact(0, frames),), "right_foot": (Contact(0, 1),)}, 0.0)
    assert np.all(np.isfinite(clean_feet(motion, contacts).world.positions))


def test_contacts_of_another_motion_are_refused():
    with pytest.raises(ValueError, match="contacts are those of 7 frames, the motion has 90"):
        clean_feet(waving_figure(), Contacts(7, {}, 0.0))


def test_inputs_are_not_changed():
    motion, contacts = skating()
    kept = motion.local_rotations.copy(), motion.root_positions.copy()
    clean_feet(motion, contacts)
    np.testing.assert_array_equal(motion.local_rotations, kept[0])
    np.testing.assert_array_equal(motion.root_positions, kept[1])


def test_skeleton_with_toes_only_as_tips_is_cleaned():
    whole = figure()
    keep = [joint for joint, name in enumerate(whole.names) if "Toe" not in name]
    from model.skeleton import EndSite

    names = tuple(whole.names[joint] for joint in keep)
    parents = tuple(-1 if whole.parents[joint] < 0 else keep.index(whole.parents[joint]) for joint in keep)
    tips = tuple(EndSite(names.index(f"{side}Foot"), np.array([0.0, -0.07, 0.2])) for side in ("Left", "Right"))
    roles = tuple(whole.roles[joint] for joint in keep)
    skeleton = Skeleton(names, parents, whole.offsets[keep], tips, roles)
    motion, contacts = skating()
    bare = replace(
        motion, skeleton=skeleton, local_rotations=motion.local_rotations[:, keep], local_offsets=skeleton.offsets
    )
    assert np.max(quality.contact_drifts(bare, contacts)) > 0.01
    assert np.max(quality.contact_drifts(clean_feet(bare, contacts), contacts)) < 2e-3


# Recorded clips

LOCOMOTION = recorded(
    "cmu-acclaim/16_*.amc", "cmu-acclaim/35_*.amc", "cmu-acclaim/0[79]_*.amc", "cmu-acclaim/104_*.amc",
    "cmu-acclaim/127_*.amc", "cmu-acclaim/137_*.amc", "other-bvh/accad_male1/*.bvh", "other-bvh/**/*[wW]alk*.bvh",
    "other-bvh/**/*[rR]un*.bvh", "other-bvh/xia/*.bvh", "quirks/acclaim_biovision_walk.amc",
)  # fmt: skip


@needs_data
@pytest.mark.parametrize("path", sorted(set(LOCOMOTION)), ids=data_name)
def test_recorded_feet_are_clean_in_the_exported_file(path, tmp_path):
    motion = read_motion(path).motion
    contacts = find_contacts(motion)
    if motion.frames < 8 or not any(contacts.limbs.get(foot) for foot in FEET):
        pytest.skip("no foot rests on the ground in it")
    out = tmp_path / f"out{path.suffix.lower()}"
    write_motion(clean_feet(motion, contacts), out)
    back = read_motion(out).motion
    figures = quality.measure(back, contacts, [motion])
    print(f"\n{data_name(path)}: {figures}")
    assert figures.contact_drift_worst_cm < 0.3
    # neutral_01 moves so smoothly that what is left of its corrected sliding shows; the other has 58 frames.
    assert figures.jerk_ratio < (1.45 if path.stem in ("neutral_01_000", "acclaim_biovision_walk") else 1.3)
    assert figures.step_ratio < 1.3
    assert figures.stretch_percent < 0.2
    moved = np.linalg.norm(back.root_positions - motion.root_positions, axis=-1)
    print(f"body moved by {100 * np.median(moved):.1f} cm in the middle, {100 * np.max(moved):.1f} cm at most")
    assert np.max(moved) < 0.09
    for name in FEET:
        limb = find_limb(motion.skeleton, name)
        if limb is None or limb.bends is None:
            continue
        flipped = (knee_folds(back, limb) < -0.005) & (knee_folds(motion, limb) >= -0.005)
        assert not np.any(flipped)
        faster = knee_steps(back, limb) - knee_steps(motion, limb)
        assert np.max(faster) < 0.05, "a knee pops"


def knee_steps(motion, limb):
    """(F-1,) how far a knee moves from frame to frame, against the body."""
    return np.linalg.norm(np.diff(motion.world.positions[:, limb.middle] - motion.root_positions, axis=0), axis=-1)


@needs_data
def test_recorded_cartwheel_is_not_pulled_down_by_a_leg_in_the_air():
    (path,) = recorded("cmu-bvh/49_06.bvh")
    motion = read_motion(path).motion
    cleaned = clean_feet(motion, find_contacts(motion))
    assert np.max(np.abs(cleaned.root_positions - motion.root_positions)) < 0.05
