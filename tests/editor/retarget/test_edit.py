"""The edit that puts clips on other bodies, in a stack with others."""

import numpy as np
import pytest

from editor.contacts.edit import FootCleanUp
from editor.extrema.edit import ExtremePoses
from editor.gait.parameters import Gait
from editor.gait.procedural import generate
from editor.placing.edit import Mirror
from editor.posing.edit import TargetPose, TargetPoses
from editor.repair.smoothing import Smooth
from editor.retarget.character import built_in, character_of
from editor.retarget.edit import Retarget
from editor.retarget.mapping import Pair
from model.clip import Take
from model.placing import pelvis_positions
from model.roles import Role
from model.scope import Scope
from model.skeleton import JointRef
from tests.clips import waving_figure
from tests.editor.evaluated import after, stages, take_of
from tests.editor.retarget.bodies import end_errors_cm


@pytest.fixture(scope="module")
def take():
    return Take(*generate(Gait(), 3.0, 60.0))


def test_take_has_the_new_body_and_keeps_its_contacts_and_time(take):
    stage = after(take, ExtremePoses(), Retarget(built_in("child")))
    assert stage.take.motion.skeleton is built_in("child").skeleton
    assert stage.take.contacts is take.contacts
    assert stage.time_map.is_identity
    assert stage.take.extremes == after(take, ExtremePoses()).take.extremes


def test_take_of_the_very_body_is_left_alone():
    take = take_of(waving_figure())
    assert after(take, Retarget(character_of("self", take.motion))).take is take


def test_two_retargets_lead_back(take):
    home = character_of("home", take.motion, take.contacts)
    there = after(take, Retarget(built_in("child")), Retarget(home)).take.motion
    assert np.mean(end_errors_cm(take.motion, there)) < 0.5


@pytest.mark.parametrize("time_s", [0.0, 1.5, 2.9])
def test_body_stays_where_it_is_at_its_moment(take, time_s):
    result = after(take, Retarget(built_in("tall"), time_s=time_s)).take.motion
    frame = round(time_s * 60.0)
    apart = pelvis_positions(result)[frame] - pelvis_positions(take.motion)[frame]
    assert np.hypot(apart[0], apart[2]) < 0.03


def test_later_edits_see_the_new_body_by_role(take):
    pose = TargetPoses((TargetPose(1.5, ((JointRef("skull", Role.HEAD), (0.5, 0.0, 0.0)),)),))
    for later in (pose, Mirror(), Smooth(0.1), FootCleanUp()):
        *_, before, edited = stages(take, Retarget(built_in("stocky")), later)
        assert not edited.failed
        assert edited.take.motion.skeleton is built_in("stocky").skeleton
        assert not np.array_equal(before.take.motion.local_rotations, edited.take.motion.local_rotations)


def test_half_strength_does_it_all(take):
    half, whole = (after(take, (Retarget(built_in("child")), Scope(strength=s))).take.motion for s in (0.5, 1.0))
    assert np.array_equal(half.local_rotations, whole.local_rotations)


def test_mapping_that_names_no_joint_is_told(take):
    pairs = (Pair(JointRef("Tail"), JointRef("Head")), Pair(JointRef("Head"), JointRef("Antenna")))
    stage = after(take, Retarget(built_in("child"), pairs))
    assert any("Tail" in note for note in stage.notes)
    assert any("Antenna" in note for note in stage.notes)


def test_joints_that_nothing_moves_are_told(take):
    assert not after(take, Retarget(built_in("child"))).notes
    still = after(take, Retarget(built_in("child"), (Pair(JointRef("Head"), None), Pair(JointRef("Neck"), None))))
    assert still.notes == ("Nothing moves Neck and Head.",)


def test_body_without_roles_is_refused_with_a_sentence(take):
    nobody = take.motion.skeleton.with_roles([None] * len(take.motion.skeleton))
    from dataclasses import replace

    *_, stage = stages(replace(take, motion=replace(take.motion, skeleton=nobody)), Retarget())
    assert stage.failed
    assert "pelvis" in stage.notes[0]
