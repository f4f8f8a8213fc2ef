"""Every recorded ASF and AMC: read, written, read again; and compared with its BVH twin."""

import numpy as np
import pytest

from model.files.acclaim import read_amc, read_asf, write_amc
from model.files.bvh import read_bvh, write_bvh
from model.files.problems import MotionFileError, ReadOptions
from model.roles import Role
from model.rotation import angle_between
from tests.clips import DATA, data_name, needs_data, recorded

pytestmark = needs_data

MOTIONS = recorded("**/*.amc", "**/*.AMC")
SKELETONS = recorded("**/*.asf")

# Whose skeleton does not lie beside them under a name that tells.
SKELETON_OF = {
    "defect_07_12": "cmu-acclaim/07.asf",
    "defect_09_10": "cmu-acclaim/09.asf",
    "defect_104_01": "cmu-acclaim/104.asf",
    "acclaim_16_31_starts_at_130": "cmu-acclaim/16.asf",
    "acclaim_dm_control_zeros": "cmu-acclaim/16.asf",
    "acclaim_empty_motion": "cmu-acclaim/16.asf",
    "acclaim_last_frame_truncated": "quirks/acclaim_golf_namespace.asf",
    "acclaim_null_pose": "quirks/acclaim_golf_namespace.asf",
    "acclaim_values_for_bones_without_dof": "quirks/acclaim_lowercase_axis.asf",
    "hdm05_uppercase_ext_latin1": "cmu-acclaim/hdm05/HDM_bd.asf",
}

# What the names of the odd files promise.
SAID = {
    "acclaim_14_starts_at_99": "frames are numbered from 99",
    "acclaim_16_31_starts_at_130": "frames are numbered from 130",
    "acclaim_last_frame_truncated": "the last frame has 45 of 62 values",
    "acclaim_tiny_skel": "frame numbers jump 3 times",
    "acclaim_values_for_bones_without_dof": "has no dof, but 3 values",
}


def options_for(path):
    skeleton = SKELETON_OF.get(path.stem)
    return ReadOptions(skeleton=str(DATA / skeleton)) if skeleton else None


@pytest.mark.parametrize("path", MOTIONS, ids=data_name)
def test_read_write_read_keeps_every_value(path, tmp_path):
    if path.stem == "acclaim_empty_motion":
        with pytest.raises(MotionFileError, match="before the first frame"):
            read_amc(path, options_for(path))
        return
    reading = read_amc(path, options_for(path))
    if path.stem in SAID:
        assert any(SAID[path.stem] in problem.message for problem in reading.problems)
    motion = reading.motion
    assert write_amc(motion, tmp_path / "again.amc") == ()
    again = read_amc(tmp_path / "again.amc").motion
    assert again.skeleton.names == motion.skeleton.names
    assert again.frame_time_s == motion.frame_time_s
    np.testing.assert_array_equal(again.origin.channels, motion.origin.channels)
    np.testing.assert_allclose(again.world.positions, motion.world.positions, rtol=0, atol=1e-9)


@pytest.mark.parametrize("path", SKELETONS, ids=data_name)
def test_every_skeleton_reads(path):
    motion = read_asf(path).motion
    assert motion.frames == 1
    if len(motion.skeleton) >= 25:
        assert 1.2 < np.ptp(motion.world.positions[0, :, 1]) < 1.7
        for role in (Role.LEFT_KNEE, Role.RIGHT_ANKLE, Role.LEFT_ELBOW, Role.HEAD):
            assert motion.skeleton.joint(role) is not None


ROUND = recorded(
    "cmu-acclaim/16_15.amc", "cmu-acclaim/16_45.amc", "cmu-acclaim/137_29.amc", "cmu-acclaim/hdm05/*throw*.amc",
    "quirks/*walk.amc", "cmu-bvh/49_06.bvh", "cmu-bvh/16_15.bvh", "other-bvh/accad_male1/*B3*.bvh",
    "other-bvh/bandai/dataset-1_walk_angry*.bvh", "other-bvh/lafan1*.bvh", "other-bvh/rokoko*.bvh",
    "other-bvh/neuron*.bvh", "other-bvh/vn_*.bvh", "other-bvh/sfu*.bvh",
)  # fmt: skip


@pytest.mark.parametrize("path", ROUND, ids=data_name)
def test_there_and_back_between_the_formats_keeps_joints_within_a_tenth_of_a_millimetre(path, tmp_path):
    from_bvh = path.suffix == ".bvh"
    motion = (read_bvh if from_bvh else read_amc)(path).motion
    if from_bvh:
        write_amc(motion, tmp_path / "there.amc")
        write_bvh(read_amc(tmp_path / "there.amc").motion, tmp_path / "back.bvh")
        again = read_bvh(tmp_path / "back.bvh").motion
    else:
        write_bvh(motion, tmp_path / "there.bvh")
        write_amc(read_bvh(tmp_path / "there.bvh").motion, tmp_path / "back.amc")
        again = read_amc(tmp_path / "back.amc").motion
    assert len(again.skeleton) == len(motion.skeleton)
    assert again.first_frame == motion.first_frame
    assert again.frames == motion.frames
    assert again.frame_time_s == motion.frame_time_s
    np.testing.assert_allclose(again.world.positions, motion.world.positions, rtol=0, atol=1e-4)


TWINS = [
    (path, DATA / "cmu-bvh" / f"{path.stem}.bvh")
    for path in recorded("cmu-acclaim/*.amc")
    if (DATA / "cmu-bvh" / f"{path.stem}.bvh").exists()
]
LEGS = {
    "root": "Hips", "lhipjoint": "LHipJoint", "lfemur": "LeftUpLeg", "ltibia": "LeftLeg", "lfoot": "LeftFoot",
    "ltoes": "LeftToeBase", "rhipjoint": "RHipJoint", "rfemur": "RightUpLeg", "rtibia": "RightLeg",
    "rfoot": "RightFoot", "rtoes": "RightToeBase",
}  # fmt: skip
BACK = {"lowerback": "LowerBack", "upperback": "Spine", "thorax": "Spine1"}


def test_there_are_twins():
    assert len(TWINS) > 20


@pytest.mark.parametrize(("amc", "bvh"), TWINS, ids=lambda path: path.name)
def test_twins_agree_in_the_legs(amc, bvh):
    ours, theirs = read_amc(amc).motion, read_bvh(bvh).motion
    assert ours.frames == theirs.frames
    unit = ours.origin.unit.metres
    for bone, joint in LEGS.items():
        a = ours.world.positions[:, ours.skeleton.find(bone)]
        b = theirs.world.positions[:, theirs.skeleton.find(joint)]
        np.testing.assert_allclose(a / unit, b / unit, rtol=0, atol=1e-3, err_msg=bone)


@pytest.mark.parametrize(("amc", "bvh"), TWINS[:6], ids=lambda path: path.name)
def test_twins_upper_bodies_hang_on_another_offset_and_turn_alike(amc, bvh):
    """The BVH twins start the spine elsewhere and have other bone lengths above it; in the joint's own frame the
    difference does not change over time, for the rotations are the same."""
    ours, theirs = read_amc(amc).motion, read_bvh(bvh).motion
    unit = ours.origin.unit.metres
    for bone, joint in BACK.items():
        a, b = ours.skeleton.find(bone), theirs.skeleton.find(joint)
        above = ours.skeleton.parents[a], theirs.skeleton.parents[b]
        hang = [
            motion.world.positions[:, j] - motion.world.positions[:, p]
            for motion, j, p in ((ours, a, above[0]), (theirs, b, above[1]))
        ]
        lengths = [np.linalg.norm(v, axis=-1) for v in hang]
        np.testing.assert_allclose(lengths[0], lengths[0][0], rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(lengths[1], lengths[1][0], rtol=1e-9, atol=1e-12)
        # Four decimals of degrees in the BVH.
        assert np.max(angle_between(ours.world.rotations[:, a], theirs.world.rotations[:, b])) < 1e-4
        assert unit == theirs.origin.unit.metres
