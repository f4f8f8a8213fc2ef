"""Limb lengths with target poses: which bones, what factors, and clips that are carried over with contacts kept."""

import numpy as np
import pytest

from editor.posing.edit import TargetPose, TargetPoses
from editor.posing.lengths import factor_of, limb_bones, with_lengths
from editor.quality import figures as quality
from model.roles import Role
from model.skeleton import Skeleton
from tests.clips import DATA, figure, needs_data
from tests.editor.posing.grounded.asking import Clip
from tests.editor.posing.grounded.obstacles import flipped

RECORDED = {
    "CMU walk": "cmu-bvh/02_01", "CMU run": "cmu-bvh/16_45", "ACCAD walk": "other-bvh/accad_male1/Male1_B3_Walk",
    "Bandai walk": "other-bvh/bandai/dataset-1_walk_normal_001",
}  # fmt: skip


def refs(skeleton, name):
    return tuple(skeleton.ref(joint) for joint in limb_bones(skeleton)[name])


def resized(clip, **factors):
    """The clip with limbs of other lengths."""
    edit = TargetPoses(grounded=True)
    for name, factor in factors.items():
        edit = with_lengths(edit, refs(clip.motion.skeleton, name), factor)
    return clip.solve(*edit.poses).motion


def test_limbs_are_thighs_and_shanks_upper_and_lower_arms_spine_and_neck():
    skeleton = figure()
    limbs = limb_bones(skeleton)
    assert set(limbs) == {"legs", "left leg", "right leg", "arms", "left arm", "right arm", "spine", "neck"}
    assert limbs["left leg"] == (skeleton.joint(Role.LEFT_KNEE), skeleton.joint(Role.LEFT_ANKLE))
    assert limbs["legs"] == limbs["left leg"] + limbs["right leg"]
    assert skeleton.joint(Role.SPINE) in limbs["spine"]
    assert skeleton.joint(Role.PELVIS) not in limbs["spine"]
    assert skeleton.joint(Role.HEAD) in limbs["neck"]


def test_bodies_without_roles_have_no_limbs():
    assert limb_bones(Skeleton(("a", "b"), (-1, 0), np.zeros((2, 3)))) == {}


def test_factors_stand_with_the_first_pose_and_one_takes_them_away():
    skeleton = figure()
    edit = TargetPoses((TargetPose(0.8), TargetPose(0.2)), grounded=True)
    legs = limb_bones(skeleton)["legs"]
    short = with_lengths(edit, refs(skeleton, "legs"), 0.6)
    assert [len(pose.lengths) for pose in short.poses] == [0, 4]
    assert factor_of(short, skeleton, legs) == 0.6
    assert factor_of(with_lengths(short, refs(skeleton, "left leg"), 0.9), skeleton, legs) is None
    assert with_lengths(short, refs(skeleton, "legs"), 1.0) == edit


def test_edit_without_poses_gets_one_at_the_start_and_loses_it_again():
    skeleton, empty = figure(), TargetPoses(grounded=True)
    short = with_lengths(empty, refs(skeleton, "arms"), 0.5)
    (pose,) = short.poses
    assert pose.time_s == 0.0
    assert with_lengths(short, refs(skeleton, "arms"), 1.0) == empty
    with pytest.raises(ValueError, match=r"lengths: .* a bone can be 0.1 to 10.0 as long"):
        with_lengths(empty, refs(skeleton, "arms"), 0.0)


def check(clip, result, **factors):
    skeleton = clip.motion.skeleton
    for name, factor in factors.items():
        for joint in limb_bones(skeleton)[name]:
            assert np.allclose(result.skeleton.offsets[joint], factor * skeleton.offsets[joint])
    before, after = (quality.contact_drifts(motion, clip.contacts) for motion in (clip.motion, result))
    assert np.max(after - before) < 0.001
    assert clip.deeper_cm(result) < 0.1
    assert quality.measure(result, clip.contacts, [clip.motion]).jerk_ratio < 1.5
    assert flipped(clip.motion, result) == 0


@pytest.mark.parametrize("factors", [{"legs": 0.6, "arms": 0.6}, {"legs": 1.3}, {"spine": 0.7, "neck": 1.5}])
@pytest.mark.parametrize("name", ["walk", "run"])
def test_samples_are_carried_over_with_contacts_kept(name, factors):
    clip = Clip.sample(name)
    check(clip, resized(clip, **factors), **factors)


@needs_data
@pytest.mark.parametrize("name", RECORDED)
def test_recorded_clips_are_carried_over_with_contacts_kept(name):
    clip = Clip.read(DATA / f"{RECORDED[name]}.bvh")
    check(clip, resized(clip, legs=0.6, arms=0.6), legs=0.6, arms=0.6)


def test_shorter_legs_take_shorter_steps_and_carry_the_body_lower():
    clip = Clip.sample("walk")
    result = resized(clip, legs=0.6)
    pelvis = clip.motion.skeleton.joint(Role.PELVIS)
    was, now = (motion.world.positions[:, pelvis] for motion in (clip.motion, result))
    assert np.mean(now[:, 1]) < 0.75 * np.mean(was[:, 1])
    assert abs(now[-1, 2] - now[0, 2]) < 0.75 * abs(was[-1, 2] - was[0, 2])
