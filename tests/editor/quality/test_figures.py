"""Quality figures: known values of made motions."""

from dataclasses import replace

import numpy as np
import pytest

from editor.contacts.detect import find_contacts
from editor.quality import figures as quality
from model.contacts import Contact, Contacts
from model.ground import Box, Ground
from model.motion import rest_motion
from model.rotation import from_axis_angle, multiply
from model.skeleton import Skeleton
from tests.clips import Y, figure, random_motion, stepping_figure, waving_figure


def standing(frames=100, fps=50.0):
    return rest_motion(figure(), 1.0 / fps, frames)


def moved(motion, by):
    return replace(motion, root_positions=motion.root_positions + by)


def both_feet(motion, *contacts):
    return Contacts(motion.frames, {"left_foot": contacts, "right_foot": contacts}, 0.0)


def test_skate_ratio_is_the_share_of_frames_with_a_low_toe_sliding():
    motion = standing()
    slide = np.zeros((100, 3))
    slide[40:, 2] = np.minimum(np.arange(60), 20) * 0.3 / 50.0  # 20 frames at 0.3 m/s
    assert quality.skate_ratios(moved(motion, slide), 0.0) == (pytest.approx(20 / 99), 0.0)
    fast = quality.skate_ratios(moved(motion, 2.0 * slide), 0.0)
    assert fast == (pytest.approx(20 / 99), pytest.approx(20 / 99))
    assert quality.skate_ratios(moved(moved(motion, slide), [0.0, 0.2, 0.0]), 0.0) == (0.0, 0.0)
    assert quality.skate_ratios(motion, 0.0) == (0.0, 0.0)


def test_contact_drift_looks_at_the_middle_of_a_contact():
    motion = standing()
    slide = np.zeros((100, 3))
    slide[:, 0] = np.linspace(0.0, 0.099, 100)  # a millimetre a frame
    contacts = both_feet(motion, Contact(0, 50))
    drifts = quality.contact_drifts(moved(motion, slide), contacts)
    np.testing.assert_allclose(drifts, [0.0145, 0.0145], atol=1e-9)  # 30 frames about their mean
    early = np.where(np.arange(100)[:, None] < 9, 0.5, 0.0) * [1.0, 0.0, 0.0]
    np.testing.assert_allclose(quality.contact_drifts(moved(motion, early), contacts), 0.0, atol=1e-12)
    up = np.linspace(0, 1, 100)[:, None] * [0.0, 1.0, 0.0]
    np.testing.assert_allclose(quality.contact_drifts(moved(motion, up), contacts), 0.0, atol=1e-12)


def test_penetration_is_how_deep_a_foot_gets():
    motion = standing()
    sunk = moved(motion, np.where(np.arange(100)[:, None] == 60, -0.07, 0.0) * [0.0, 1.0, 0.0])
    lowest = quality.penetration_cm(moved(motion, [0.0, -1.0, 0.0]), 0.0)
    assert quality.penetration_cm(sunk, 0.0) == pytest.approx(max(0.0, lowest - 100.0 + 7.0), abs=1e-9)
    assert quality.penetration_cm(moved(motion, [0, 1.0, 0]), 0.0) == 0.0


def test_feet_on_a_box_are_judged_against_its_top():
    motion = standing()
    box = Ground(boxes=(Box((0.0, 0.0), (4.0, 4.0), 0.3),))
    raised = moved(motion, [0.0, 0.3, 0.0])
    depth = quality.penetration_cm(moved(motion, [0.0, -1.0, 0.0]), 0.0) - 100.0
    assert quality.penetration_cm(raised, box) == pytest.approx(max(0.0, depth))
    assert quality.penetration_cm(motion, box) == pytest.approx(depth + 30.0)
    contacts = both_feet(motion, Contact(0, 50))
    assert quality.measure(motion, contacts, ground=box).penetration_cm == pytest.approx(depth + 30.0)
    slide = np.cumsum(np.tile([0.3 * motion.frame_time_s, 0.0, 0.0], (100, 1)), axis=0)
    assert quality.skate_ratios(moved(raised, slide), box)[0] > 0.9
    assert quality.skate_ratios(moved(raised, slide), 0.0)[0] == 0.0


def test_stretch_is_the_largest_change_of_a_bone():
    motion = standing()
    offsets = np.tile(motion.local_offsets, (100, 1, 1))
    offsets[30, motion.skeleton.find("LeftLeg")] *= 1.03
    offsets[31, motion.skeleton.find("RightLeg")] *= 0.98
    assert quality.stretch_percent(replace(motion, local_offsets=offsets), [motion]) == pytest.approx(3.0)
    assert quality.stretch_percent(motion, [motion]) == 0.0
    assert quality.stretch_percent(replace(motion, local_offsets=offsets)) == pytest.approx(3.0)


def test_a_pop_shows_in_the_step_ratio_and_not_beyond_its_size():
    motion, _ = stepping_figure()
    elbow = motion.skeleton.find("LeftArm")
    rotations = motion.local_rotations.copy()
    rotations[150:, elbow] = multiply(from_axis_angle(Y, 0.6), rotations[150:, elbow])
    popped = replace(motion, local_rotations=rotations)
    still = quality.measure(motion, find_contacts(motion), [motion])
    figures = quality.measure(popped, find_contacts(motion), [motion])
    assert (still.step_ratio, still.jerk_ratio) == (pytest.approx(1.0), pytest.approx(1.0))
    assert figures.step_ratio > 3.0
    assert figures.jerk_p99 == pytest.approx(still.jerk_p99, rel=0.2)  # one frame is no percentile


def test_trembling_shows_in_the_jerk_ratio():
    motion, _ = stepping_figure()
    shaken = from_axis_angle(Y, 0.01 * (-1.0) ** np.arange(motion.frames))
    rotations = motion.local_rotations.copy()
    rotations[:, 0] = multiply(rotations[:, 0], shaken)
    figures = quality.measure(replace(motion, local_rotations=rotations), find_contacts(motion), [motion])
    assert figures.jerk_ratio > 2.0


def test_ratios_compare_at_the_same_rate_and_with_the_largest_reference():
    motion, _ = stepping_figure(fps=120.0)
    slow = motion.resampled(30.0)
    figures = quality.measure(motion, find_contacts(motion), [slow])
    assert figures.step_ratio == pytest.approx(1.0)
    lively = random_motion(frames=15)
    assert quality.measure(motion, find_contacts(motion), [slow, lively]).step_ratio < 1.0


def test_path_error_of_a_straight_walk():
    motion, _ = stepping_figure(speed=1.0)
    contacts = find_contacts(motion)
    on = quality.measure(motion, contacts, path=np.array([[0.0, -1.0], [0.0, 100.0]]))
    assert on.path_error_worst_cm == pytest.approx(0.0, abs=1e-9)
    assert on.heading_error_mean_deg == pytest.approx(0.0, abs=1e-6)
    beside = quality.measure(motion, contacts, path=np.array([[0.2, -1.0], [0.2, 3.0], [0.2, 100.0]]))
    assert beside.path_error_mean_cm == pytest.approx(20.0)
    askew = quality.measure(motion, contacts, path=np.array([[0.0, 0.0], [100.0, 100.0]]))
    assert askew.heading_error_mean_deg == pytest.approx(45.0, abs=1e-6)
    assert quality.path_errors(waving_figure(), np.array([[0.0, 0.0], [1.0, 0.0]]))[2] is None


def on_a_way(place, heading, cycle_s, frames=600, fps=60.0):
    """A stiff body whose root goes where place(t) says, sways 6 cm to both sides in a cycle, and steps in time."""
    at = np.arange(frames) / fps
    x_z, sway = np.stack(place(at), axis=-1), 0.06 * np.sin(2.0 * np.pi * at / cycle_s)
    aside = np.stack([np.cos(heading(at)), -np.sin(heading(at))], axis=-1)
    body = rest_motion(figure(), 1.0 / fps, frames)
    roots = np.array(body.root_positions)
    roots[:, [0, 2]] = x_z + sway[:, None] * aside
    cycle = round(cycle_s * fps)
    left = tuple(Contact(n, n + cycle // 2) for n in range(0, frames - cycle, cycle))
    return replace(body, root_positions=roots), Contacts(frames, {"left_foot": left}, 0.0)


@pytest.mark.parametrize("cycle_s", [0.6, 1.1, 2.2])
def test_sway_is_no_path_error_however_slow_the_steps(cycle_s):
    motion, contacts = on_a_way(lambda t: (0.0 * t, 0.8 * t), lambda t: 0.0 * t, cycle_s)
    figures = quality.measure(motion, contacts, path=np.array([[0.0, -1.0], [0.0, 20.0]]))
    assert figures.path_error_mean_cm < 1.0  # 3.8 if nothing were evened out
    assert figures.heading_error_mean_deg < 4.0


def test_evening_out_sway_does_not_pull_a_run_into_its_bends():
    radius, speed = 3.0, 4.0
    motion, contacts = on_a_way(
        lambda t: (radius * np.sin(speed / radius * t), radius * np.cos(speed / radius * t)),
        lambda t: speed / radius * t + 0.5 * np.pi,
        0.7,
    )
    around = np.linspace(0.0, 2.0 * np.pi, 361)
    circle = radius * np.stack([np.sin(around), np.cos(around)], axis=-1)
    figures = quality.measure(motion, contacts, path=np.tile(circle, (4, 1)))
    assert figures.path_error_mean_cm < 3.0


@pytest.mark.parametrize("path", [np.zeros((1, 2)), np.zeros((3, 3)), np.zeros((4, 2))])
def test_paths_that_are_none_are_refused(path):
    with pytest.raises(ValueError, match="path"):
        quality.path_errors(waving_figure(), path)


def test_seam_tells_a_jump_from_a_smooth_passage():
    motion, _ = stepping_figure()
    smooth_cm, smooth_ratio = quality.seam(motion, 120)
    jumped = moved(motion, np.where(np.arange(motion.frames)[:, None] < 120, 0.0, 0.05) * [1.0, 0.0, 0.0])
    cm, _ = quality.seam(jumped, 120)
    assert cm == pytest.approx(5.0, abs=smooth_cm)
    rotations = motion.local_rotations.copy()
    rotations[120:, 5] = multiply(from_axis_angle(Y, 0.6), rotations[120:, 5])
    assert quality.seam(replace(motion, local_rotations=rotations), 120)[1] > max(2.0, smooth_ratio)
    with pytest.raises(ValueError, match="two frames on either side"):
        quality.seam(motion, 1)


def test_pose_match_is_the_mean_angle():
    pose = standing().pose(0)
    turned = pose.local_rotations.copy()
    turned[3] = from_axis_angle(Y, np.radians(44.0))
    assert quality.pose_match_deg(replace(pose, local_rotations=turned), pose) == pytest.approx(44.0 / len(turned))


def test_contacts_of_the_reference_are_used_at_the_rate_of_the_motion():
    motion, _ = stepping_figure(fps=120.0)
    slow = motion.resampled(60.0)
    own = find_contacts(slow)
    judged = quality.contacts_to_judge(own, slow, [motion])
    assert judged.frames == slow.frames
    for limb, contacts in find_contacts(motion).limbs.items():
        assert len(judged.limbs[limb]) == len(contacts)
        assert abs(judged.limbs[limb][1].start - contacts[1].start / 2) <= 1
    assert quality.contacts_to_judge(own, slow, [waving_figure()]) is own
    assert quality.contacts_to_judge(own, slow, []) is own


def test_figures_that_do_not_apply_are_none():
    thing = random_motion(skeleton=Skeleton(("a", "b"), (-1, 0), np.array([[0, 1, 0], [0, 1, 0.0]])))
    figures = quality.measure(thing, find_contacts(thing))
    assert (figures.skate_ratio, figures.contact_drift_worst_cm, figures.penetration_cm) == (None, None, None)
    assert (figures.jerk_ratio, figures.path_error_mean_cm, figures.seam_cm) == (None, None, None)
    assert figures.jerk_p99 > 0.0
    single = quality.measure(rest_motion(figure()), find_contacts(rest_motion(figure())))
    assert (single.jerk_p99, single.skate_ratio) == (None, None)
    with pytest.raises(ValueError, match="contacts are those of"):
        quality.measure(waving_figure(), find_contacts(rest_motion(figure())))
