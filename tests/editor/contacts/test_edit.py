from dataclasses import replace

import numpy as np
import pytest

from editor.contacts.correct import Correction
from editor.contacts.edit import ContactCorrections, FootCleanUp, LevelFloor
from editor.contacts.feet import find_limb, limb_points
from editor.posing.adapt_to_ground import AdaptToGround
from editor.posing.edit import TargetPose, TargetPoses
from editor.quality.figures import contact_drifts, jerk_p99, penetration_cm
from model.contacts import Contact, Contacts
from model.ground import Box, Ground, Stairs
from model.roles import Role
from model.rotation import from_rotation_vector, multiply
from model.scope import Scope
from model.time_map import TimeMap
from tests.clips import random_motion, stepping_figure
from tests.editor.evaluated import Asked, after, take_of


def test_level_floor_puts_resting_feet_on_the_ground():
    take = take_of(stepping_figure(fps=30.0, ground=0.4)[0])
    levelled = LevelFloor(ground_m=0.1).apply(take, Asked())
    assert levelled.contacts.ground_m == 0.1
    foot = limb_points(levelled.motion, find_limb(levelled.motion.skeleton, "left_foot"))
    lowest = np.min(foot[levelled.contacts.mask("left_foot"), :, 1], axis=1)
    assert np.allclose(lowest, 0.1, atol=1e-3)


def test_level_floor_takes_a_tilt_out_and_says_so():
    take = take_of(stepping_figure(fps=30.0, climb=0.02)[0])
    context = Asked()
    levelled = LevelFloor("tilt").apply(take, context)
    way = levelled.motion.root_positions - take.motion.root_positions
    assert np.isclose(way[0, 1] - way[-1, 1], 0.02 * np.ptp(take.motion.root_positions[:, 2]), rtol=0.02)
    LevelFloor("automatic").apply(take, context)
    assert len(context.notes) == 1
    assert context.notes[0].endswith(".")


def test_level_floor_at_half_strength_goes_half_the_way():
    take = take_of(stepping_figure(fps=30.0, ground=0.4)[0])
    half, whole = (after(take, (LevelFloor("height"), Scope(strength=strength))).take for strength in (0.5, 1.0))
    heights = [one.motion.root_positions[:, 1] for one in (take, half, whole)]
    assert np.allclose(heights[1], 0.5 * (heights[0] + heights[2]))
    assert np.isclose(half.contacts.ground_m, 0.5 * (take.contacts.ground_m + whole.contacts.ground_m))


def test_level_floor_of_a_level_floor_gives_the_take_itself():
    levelled = LevelFloor("height").apply(take_of(stepping_figure(fps=30.0, ground=0.4)[0]), Asked())
    assert LevelFloor("height").apply(levelled, Asked()) is levelled


def test_level_floor_refuses_other_ways():
    with pytest.raises(ValueError, match="how is 'sideways'"):
        LevelFloor("sideways")


def test_clean_up_stops_sliding_feet():
    motion, _ = stepping_figure(fps=30.0)
    clean = take_of(motion)
    drift = from_rotation_vector(0.03 * np.sin(np.arange(motion.frames) / 4.0)[:, None, None] * np.ones((1, 22, 3)))
    sliding = take_of(replace(motion, local_rotations=multiply(drift, motion.local_rotations)), clean.contacts)
    cleaned = FootCleanUp().apply(sliding, Asked())
    assert np.max(contact_drifts(cleaned.motion, clean.contacts)) < 0.2 * np.max(
        contact_drifts(sliding.motion, clean.contacts)
    )
    assert cleaned.contacts is sliding.contacts


def test_clean_up_without_contacts_gives_the_take_itself():
    take = take_of(random_motion(30), Contacts(30, {"left_foot": ()}, 0.0))
    assert FootCleanUp().apply(take, Asked()) is take


def contacts_of(*spans):
    return Contacts(90, {"left_foot": tuple(Contact(*span) for span in spans)}, 0.0)


def test_corrections_are_laid_over_contacts_in_source_time():
    take = take_of(random_motion(90), contacts_of((10, 20)))
    edit = ContactCorrections((Correction("left_foot", 0.5, 1.0, True), Correction("right_hand", 1.0, 2.0, True)))
    corrected = edit.apply(take, Asked()).contacts
    assert corrected.limbs == {"left_foot": (Contact(10, 30),), "right_hand": (Contact(30, 60),)}
    slower = Asked(time_map=TimeMap(np.array([0.0, 1.5]), np.array([0.0, 3.0])))
    assert edit.apply(take, slower).contacts.limbs["right_hand"] == (Contact(60, 90),)


def test_corrections_leave_the_motion_alone():
    take = take_of(random_motion(90), contacts_of((10, 20)))
    corrected = ContactCorrections((Correction("left_foot", 0.0, 3.0, False),)).apply(take, Asked())
    assert corrected.motion is take.motion
    assert corrected.contacts.limbs["left_foot"] == ()


def test_corrections_that_change_nothing_give_the_take_itself():
    take = take_of(random_motion(90), contacts_of((10, 20)))
    same = (Correction("left_foot", 10 / 30, 20 / 30, True), Correction("right_foot", 0.0, 1.0, False))
    for corrections in ((), same, (Correction("left_foot", 50.0, 60.0, True),)):
        assert ContactCorrections(corrections).apply(take, Asked()) is take


BOXES = Ground(boxes=(Box((0.0, 2.0), (2.0, 1.2), 0.15),), stairs=(Stairs((0.0, 4.0), 0.0, 3, 0.6, 0.12),))


@pytest.fixture(scope="module")
def walk():
    """A walk along Z on a floor at 0.3 m, over where the boxes stand."""
    return take_of(stepping_figure(seconds=6.0, fps=60.0, ground=0.3)[0])


def test_feet_step_onto_boxes_and_stairs_on_the_clips_own_floor(walk):
    result = after(walk, AdaptToGround(), ground=BOXES).take
    floor_m = walk.contacts.ground_m
    assert result.ground == BOXES.at_height(floor_m)
    assert result.contacts.ground_m == floor_m
    assert penetration_cm(result.motion, result.ground) < penetration_cm(walk.motion, floor_m) + 0.3
    tops = set()
    for name in ("left_foot", "right_foot"):
        limb = find_limb(walk.motion.skeleton, name)
        points, before = limb_points(result.motion, limb), limb_points(walk.motion, limb)
        for contact in walk.contacts.limbs[name]:
            frame = (contact.start + contact.stop) // 2
            top = float(np.max(result.ground.heights(points[frame][:, [0, 2]])))
            lowest = np.min(before[frame, :, 1]) - floor_m
            assert np.isclose(np.min(points[frame, :, 1]) - top, lowest, atol=0.01)
            tops.add(round(top - floor_m, 2))
    assert {0.0, 0.15, 0.36} <= tops
    assert (
        np.max(contact_drifts(result.motion, result.contacts))
        < np.max(contact_drifts(walk.motion, walk.contacts)) + 0.001
    )
    assert jerk_p99(result.motion) < 1.5 * jerk_p99(walk.motion)


@pytest.mark.parametrize("ground", [Ground(), Ground(boxes=(Box((50.0, 0.0), (1.0, 1.0), 0.5),))], ids=["flat", "far"])
def test_adapting_to_what_is_not_in_the_way_changes_nothing_and_says_so(walk, ground):
    stage = after(walk, AdaptToGround(), ground=ground)
    assert stage.take is walk
    assert len(stage.notes) == 1


def test_adapting_twice_is_adapting_once(walk):
    once, twice = (after(walk, *[AdaptToGround()] * count, ground=BOXES).take for count in (1, 2))
    assert np.array_equal(once.motion.local_rotations, twice.motion.local_rotations)


def test_half_of_adapting_goes_half_as_high(walk):
    whole = after(walk, AdaptToGround(), ground=BOXES).take.motion
    half = after(walk, (AdaptToGround(), Scope(strength=0.5)), ground=BOXES).take.motion
    assert np.allclose(half.root_positions, 0.5 * (whole.root_positions + walk.motion.root_positions))


def test_grounded_poses_heed_what_stands_in_the_way(walk):
    nod = TargetPose(3.0, ((walk.motion.skeleton.ref(walk.motion.skeleton.joint(Role.HEAD)), (0.3, 0.0, 0.0)),))
    adapted = after(walk, AdaptToGround(), ground=BOXES).take
    posed = after(walk, TargetPoses((nod,), grounded=True), ground=BOXES).take
    assert posed.ground == adapted.ground
    far_off = np.abs(np.arange(walk.motion.frames) / 60.0 - 3.0) > 0.8  # from where the pose acts
    assert np.allclose(posed.motion.root_positions[far_off], adapted.motion.root_positions[far_off], atol=1e-6)
    assert penetration_cm(posed.motion, posed.ground) < penetration_cm(adapted.motion, adapted.ground) + 0.1
    far = after(walk, TargetPoses((nod,), grounded=True), ground=Ground(boxes=(Box((50.0, 0.0), (1.0, 1.0), 0.5),)))
    flat = after(walk, TargetPoses((nod,), grounded=True))
    assert np.array_equal(far.take.motion.local_rotations, flat.take.motion.local_rotations)
    assert far.take.ground is None
