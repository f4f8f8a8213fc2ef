"""Levelling: a floor that was bent is straight again, and a straight one stays."""

from dataclasses import replace

import numpy as np
import pytest

from editor.contacts.detect import find_contacts
from editor.contacts.level import How, level_floor, recommend_levelling
from model.contacts import FEET, Contact, Contacts
from model.files.formats import read_motion
from model.kinematics import end_site_positions
from model.motion import Motion, rest_motion
from model.rotation import IDENTITY, from_axis_angle, multiply, rotate
from model.skeleton import Skeleton
from tests.clips import figure, needs_data, random_motion, recorded, stepping_figure, waving_figure

X, Y, Z = np.eye(3)


def walk(**options):
    """A walk on level ground, and its contacts as made."""
    motion, truth = stepping_figure(**options)
    limbs = {
        foot: tuple(Contact(int(start), int(stop)) for start, stop in truth[side])
        for foot, side in zip(FEET, ("Left", "Right"), strict=True)
    }
    return motion, Contacts(motion.frames, limbs, 0.0)


def circle(seconds=8.0, radius=1.5):
    """A figure carried round a circle, standing now on one foot and now on the other: its places spread both ways."""
    motion, contacts = walk(seconds=seconds)
    angle = np.linspace(0.0, 2.0 * np.pi, motion.frames)
    roots = np.array(motion.root_positions)
    roots[:, [0, 2]] = radius * np.stack([np.sin(angle), np.cos(angle)], axis=-1)
    return replace(motion, root_positions=roots), contacts


def drifted(motion, rate, offset=0.0):
    roots = np.array(motion.root_positions)
    roots[:, 1] += offset + rate * np.arange(motion.frames) * motion.frame_time_s
    return replace(motion, root_positions=roots)


def tilted(motion, turn):
    rotations = np.array(motion.local_rotations)
    rotations[:, 0] = multiply(turn, rotations[:, 0])
    return replace(motion, root_positions=rotate(turn, motion.root_positions), local_rotations=rotations)


def sole_heights(motion, contacts):
    """Heights of the toe tips in the middle of contacts: those feet stand flat."""
    tips = end_site_positions(motion.skeleton, motion.world)
    sites = [motion.skeleton.names[site.joint] for site in motion.skeleton.end_sites]
    heights = []
    for foot, name in zip(FEET, ("LeftToe", "RightToe"), strict=True):
        middle = [(contact.start + contact.stop) // 2 for contact in contacts.limbs[foot]]
        heights.append(tips[middle, sites.index(name), 1])
    return np.concatenate(heights)


def test_drift_is_taken_out_whole():
    motion, contacts = walk()
    result = level_floor(drifted(motion, 0.02, 0.3), contacts, How.DRIFT)
    assert result.drift_m_s == pytest.approx(0.02, abs=1e-9)
    assert result.residual_before_m > 0.02
    assert result.residual_after_m < 1e-9
    np.testing.assert_allclose(sole_heights(result.motion, contacts), 0.0, atol=1e-9)
    difference = result.motion.root_positions - motion.root_positions
    np.testing.assert_allclose(difference, np.broadcast_to(difference[0], difference.shape), atol=1e-9)
    assert result.motion.local_rotations is motion.local_rotations


@pytest.mark.parametrize("degrees", [0.5, -4.0])
def test_tilt_is_taken_out_in_every_direction_that_is_walked(degrees):
    motion, contacts = circle()
    turn = from_axis_angle(np.array([0.6, 0.0, 0.8]), np.radians(degrees))
    result = level_floor(tilted(motion, turn), contacts, How.TILT, ground_m=0.25)
    assert np.degrees(np.arctan(np.hypot(*result.slope))) == pytest.approx(abs(degrees), abs=0.05)
    np.testing.assert_allclose(sole_heights(result.motion, contacts), 0.25, atol=0.002)
    upright = rotate(result.motion.local_rotations[:, 0], Y)
    assert np.max(np.abs(upright - rotate(motion.local_rotations[:, 0], Y))) < 0.002
    assert result.residual_after_m < 0.1 * result.residual_before_m


def test_tilt_keeps_limbs_and_poses_exactly():
    motion, contacts = circle()
    bent = tilted(motion, from_axis_angle(X, 0.03))
    result = level_floor(bent, contacts, How.BOTH)
    np.testing.assert_array_equal(result.motion.local_rotations[:, 1:], bent.local_rotations[:, 1:])
    np.testing.assert_array_equal(result.motion.local_offsets, bent.local_offsets)


def test_straight_walk_is_not_tilted_sideways():
    """Left and right feet at different heights are 18 cm apart: that is no floor."""
    motion, contacts = walk()
    rotations = np.array(motion.local_rotations)
    rolled = multiply(from_axis_angle(Z, 0.05), rotations[:, 0])
    result = level_floor(replace(motion, local_rotations=np.concatenate([rolled[:, None], rotations[:, 1:]], axis=1)),
                         contacts, How.TILT)  # fmt: skip
    assert abs(result.slope[0]) < 1e-3


def test_both_takes_out_tilt_and_drift():
    motion, contacts = circle()
    bent = drifted(tilted(motion, from_axis_angle(X, 0.02)), 0.01)
    after = {how: level_floor(bent, contacts, how).residual_after_m for how in How}
    assert after[How.BOTH] < 0.3 * min(after[How.HEIGHT], after[How.DRIFT])
    assert after[How.BOTH] < after[How.TILT]


def test_height_alone_moves_the_clip_straight_up():
    motion, contacts = walk(ground=0.7, climb=0.05)
    result = level_floor(motion, contacts, ground_m=-0.2)
    difference = result.motion.root_positions - motion.root_positions
    np.testing.assert_array_equal(difference[:, [0, 2]], 0.0)
    assert np.ptp(difference[:, 1]) < 1e-12
    assert np.median(sole_heights(result.motion, contacts)) == pytest.approx(-0.2, abs=0.02)
    assert result.contacts.ground_m == -0.2
    assert result.contacts.limbs == contacts.limbs


def test_levelled_twice_is_levelled_once():
    motion, contacts = circle()
    bent = drifted(tilted(motion, from_axis_angle(X, 0.02)), 0.01)
    for how in How:
        once = level_floor(bent, contacts, how)
        twice = level_floor(once.motion, once.contacts, how)
        np.testing.assert_allclose(twice.motion.root_positions, once.motion.root_positions, atol=2e-4)


def test_step_on_a_box_does_not_spoil_the_line():
    motion, contacts = walk(seconds=8.0)
    roots = np.array(motion.root_positions)
    on_box = contacts.limbs[FEET[0]][1]
    roots[on_box.start : on_box.stop + 20, 1] += 0.4
    result = level_floor(drifted(replace(motion, root_positions=roots), 0.01), contacts, How.DRIFT)
    assert result.drift_m_s == pytest.approx(0.01, abs=1e-4)


def test_detected_ground_of_a_levelled_clip_is_where_it_was_put():
    motion, _ = walk(ground=1.1)
    result = level_floor(motion, find_contacts(motion), How.DRIFT, ground_m=0.5)
    assert find_contacts(result.motion).ground_m == pytest.approx(0.5, abs=0.01)


def test_without_contacts_only_the_height_is_set():
    motion = random_motion()
    nothing = Contacts(motion.frames, {}, 0.4)
    for how in How:
        result = level_floor(motion, nothing, how)
        np.testing.assert_allclose(result.motion.root_positions, motion.root_positions - 0.4 * Y, atol=1e-12)
        np.testing.assert_array_equal(result.motion.local_rotations, motion.local_rotations)
    assert recommend_levelling(motion, nothing).how is How.HEIGHT


def test_further_roots_go_with_the_body():
    person = figure()
    skeleton = Skeleton(
        (*person.names, "Ball"), (*person.parents, -1), np.concatenate([person.offsets, [[0.5, 1.0, 2.0]]]),
        person.end_sites, (*person.roles, None),
    )  # fmt: skip
    motion, contacts = circle()
    ball = np.broadcast_to(IDENTITY, (motion.frames, 1, 4))
    both = Motion(
        skeleton, motion.frame_time_s, motion.root_positions, np.concatenate([motion.local_rotations, ball], axis=1),
        skeleton.offsets,
    )  # fmt: skip
    tilt = level_floor(both, contacts, How.TILT).motion
    assert tilt.limbs_are_fixed
    bent = replace(both, root_positions=drifted(motion, 0.05).root_positions)
    for before, after in ((both, tilt), (bent, level_floor(bent, contacts, How.BOTH).motion)):
        far = [motion.world.positions[:, -1] - motion.world.positions[:, 0] for motion in (before, after)]
        np.testing.assert_allclose(np.linalg.norm(far[0], axis=-1), np.linalg.norm(far[1], axis=-1), atol=1e-9)


def test_travel_on_a_child_is_levelled_by_the_root():
    """Some files hold the root still and move its child."""
    plain, contacts = walk()
    offsets = np.array(np.broadcast_to(plain.local_offsets, (plain.frames, len(plain.skeleton), 3)))
    carrier = Skeleton(
        ("Carrier", *plain.skeleton.names), (-1, *(parent + 1 for parent in plain.skeleton.parents)),
        np.concatenate([np.zeros((1, 3)), plain.skeleton.offsets]),
        tuple(replace(site, joint=site.joint + 1) for site in plain.skeleton.end_sites), (None, *plain.skeleton.roles),
    )  # fmt: skip
    offsets[:, 0] = drifted(plain, 0.02).root_positions
    offsets = np.concatenate([np.zeros((plain.frames, 1, 3)), offsets], axis=1)
    rotations = np.concatenate([np.broadcast_to(IDENTITY, (plain.frames, 1, 4)), plain.local_rotations], axis=1)
    carried = Motion(carrier, plain.frame_time_s, np.zeros((plain.frames, 3)), rotations, offsets)
    result = level_floor(carried, contacts, How.DRIFT)
    assert result.drift_m_s == pytest.approx(0.02, abs=1e-9)
    np.testing.assert_allclose(sole_heights(result.motion, contacts), 0.0, atol=1e-9)


def test_recommendation_follows_what_is_wrong():
    straight, contacts = walk(seconds=8.0)
    round_, round_contacts = circle()
    tilt = from_axis_angle(np.array([0.6, 0.0, 0.8]), np.radians(0.8))
    assert recommend_levelling(straight, contacts).how is How.HEIGHT
    assert recommend_levelling(drifted(straight, 0.0, 2.0), contacts).how is How.HEIGHT
    assert recommend_levelling(tilted(round_, tilt), round_contacts).how is How.TILT
    assert recommend_levelling(drifted(round_, 0.008), round_contacts).how is How.DRIFT
    assert "drifts by" in recommend_levelling(drifted(round_, 0.008), round_contacts).reason


def test_slopes_and_stairs_are_not_recommended_away():
    motion, contacts = walk(climb=0.12, seconds=8.0)
    advice = recommend_levelling(motion, contacts)
    assert advice.how is How.HEIGHT
    assert "slope or stairs" in advice.reason
    assert advice.tilt_residual_m < advice.height_residual_m


def test_standing_has_no_tilt():
    motion = waving_figure()
    result = level_floor(motion, find_contacts(motion), How.TILT)
    np.testing.assert_array_equal(result.slope, 0.0)
    np.testing.assert_array_equal(result.motion.local_rotations, motion.local_rotations)


def test_wrong_calls_are_refused():
    motion = rest_motion(figure(), frames=3)
    with pytest.raises(ValueError, match="contacts are of 4 frames"):
        level_floor(motion, Contacts(4, {}, 0.0))
    with pytest.raises(ValueError, match="sideways"):
        level_floor(motion, Contacts(3, {}, 0.0), "sideways")


@needs_data
@pytest.mark.parametrize("name", ["07_01", "07_04", "07_09", "07_11"])
def test_recorded_clips_of_one_session_are_tilted_alike(name):
    (path,) = recorded(f"cmu-acclaim/{name}.amc")
    motion = read_motion(path).motion
    contacts = find_contacts(motion)
    result = level_floor(motion, contacts, How.TILT)
    assert np.degrees(np.arctan(np.hypot(*result.slope))) == pytest.approx(1.08, abs=0.06)
    assert result.residual_after_m < 0.3 * result.residual_before_m
    assert recommend_levelling(motion, contacts).how in (How.TILT, How.DRIFT)
