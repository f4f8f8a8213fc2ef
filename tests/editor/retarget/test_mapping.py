"""Which joint follows which."""

import numpy as np

from editor.gait.figure import figure
from editor.retarget.mapping import Pair, followers, guessed, joint_pairs, with_roles_of
from model.character import Character, CharacterJoint
from model.roles import Role
from model.skeleton import JointRef
from tests import clips
from tests.editor.retarget.bodies import renamed, with_more_joints


def names(source, target, pairs):
    return {target.names[ours]: source.names[theirs] for ours, theirs in pairs.items()}


def test_roles_pair_joints_whatever_their_names():
    source, target = renamed(clips.waving_figure()).skeleton, figure()
    pairs = joint_pairs(source, target, ())
    assert all(source.roles[theirs] is target.roles[ours] for ours, theirs in pairs.items())
    assert len(pairs) == sum(role is not None and source.joint(role) is not None for role in target.roles)


def test_joints_without_a_role_are_paired_by_name_and_side():
    target = figure()
    other = figure()
    spelled = tuple({"LeftThumb": "left_thumb", "RightThumb": "thumb.R"}.get(name, name) for name in other.names)
    pairs = names(other := other.__class__(spelled, other.parents, other.offsets, other.end_sites, other.roles),
                  target, joint_pairs(other, target, ()))  # fmt: skip
    assert (pairs["LeftThumb"], pairs["RightThumb"]) == ("left_thumb", "thumb.R")


def test_fingers_are_paired_by_which_they_are_and_how_far_along():
    def hand(*names):
        joints = tuple(CharacterJoint(name, n - 1, (0.1, 0.0, 0.0)) for n, name in enumerate(names))
        return Character("hand", joints).skeleton

    source = hand("RightInHandIndex", "RightHandIndex1", "RightHandIndex2", "RightHandThumb1", "RightHandPinky3")
    target = hand("rIndex1", "rIndex2", "RThumb", "little3.R", "LThumb", "rMid1")
    assert names(source, target, joint_pairs(source, target, ())) == {
        "rIndex1": "RightHandIndex1",
        "rIndex2": "RightHandIndex2",
        "RThumb": "RightHandThumb1",
        "little3.R": "RightHandPinky3",
    }


def test_corrections_beat_guesses_and_free_what_they_take():
    body = figure()
    corrections = (
        Pair(JointRef("LeftArm"), JointRef("RightArm")),
        Pair(JointRef("Head"), None),
        Pair(JointRef("Tail"), JointRef("Head")),
        Pair(JointRef("Neck"), JointRef("Tail")),
    )
    pairs = names(body, body, joint_pairs(body, body, corrections))
    assert pairs["LeftArm"] == "RightArm"
    assert "RightArm" not in pairs
    assert "Head" not in pairs
    assert pairs["Neck"] == "Neck"


def test_corrected_joint_takes_the_role_of_its_counterpart():
    body = figure()
    pairs = joint_pairs(body, body, (Pair(JointRef("Chest"), JointRef("Spine1")),))
    source = with_roles_of(body, body, pairs)
    assert source.joint(Role.CHEST) == body.find("Spine1")
    assert source.roles.count(Role.CHEST) == 1


def test_guess_is_told_as_pairs_that_name_joints():
    body = figure()
    assert Pair(JointRef("Hips", Role.PELVIS), JointRef("Hips", Role.PELVIS)) in guessed(body, body)


def test_same_spine_is_followed_joint_by_joint():
    body = with_more_joints()
    found = followers(body, body, joint_pairs(body, body, ()))
    assert all(one.sources == (one.joint,) for one in found if "Twist" not in body.names[one.joint])
    assert {one.joint for one in found} == set(range(len(body)))


def test_spines_of_other_counts_share_the_bend():
    source, target = figure(), with_more_joints()
    for one, other in ((source, target), (target, source)):
        found = {other.names[f.joint]: f for f in followers(one, other, joint_pairs(one, other, ()))}
        assert {"Spine", "Spine1", "Chest", "Neck"} <= set(found)
        for follows in found.values():
            assert np.isclose(sum(follows.shares), 1.0)
            assert min(follows.shares) > 0.0
        assert found["Chest"].sources == (one.find("Chest"),)
    more = {target.names[f.joint]: f for f in followers(source, target, joint_pairs(source, target, ()))}
    assert more["Lumbar"].sources == (source.find("Spine"),)
    assert more["Thorax"].sources == (source.find("Spine1"),)


def test_twist_joints_without_a_counterpart_follow_nothing():
    source, target = figure(), with_more_joints()
    found = {target.names[one.joint] for one in followers(source, target, joint_pairs(source, target, ()))}
    assert "LeftHandTwist" not in found
