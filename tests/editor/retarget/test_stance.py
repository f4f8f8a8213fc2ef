"""The stance is the same T-pose on every skeleton, whatever its rest pose and its axes are."""

from dataclasses import replace

import numpy as np
import pytest

from editor.gait.figure import figure
from editor.gait.parameters import Gait
from editor.gait.procedural import generate
from editor.retarget.stance import find_stance, stance_positions
from model.files.formats import read_motion
from model.roles import Role
from model.rotation import angle_between, from_axis_angle
from tests.clips import data_name, needs_data, recorded
from tests.editor.retarget.bodies import X, Y, Z, along_x, in_a_pose, reframed

LIMBS = [
    (Role.LEFT_HIP, Role.LEFT_KNEE, -Y), (Role.LEFT_KNEE, Role.LEFT_ANKLE, -Y),
    (Role.RIGHT_HIP, Role.RIGHT_KNEE, -Y), (Role.RIGHT_KNEE, Role.RIGHT_ANKLE, -Y),
    (Role.LEFT_SHOULDER, Role.LEFT_ELBOW, X), (Role.LEFT_ELBOW, Role.LEFT_WRIST, X),
    (Role.RIGHT_SHOULDER, Role.RIGHT_ELBOW, -X), (Role.RIGHT_ELBOW, Role.RIGHT_WRIST, -X),
]  # fmt: skip


@pytest.fixture(scope="module")
def walk():
    return generate(Gait(), 4.0, 60.0)[0]


def direction(skeleton, positions, one, other):
    bone = positions[skeleton.joint(other)] - positions[skeleton.joint(one)]
    return bone / np.linalg.norm(bone)


def assert_stands(skeleton, stance):
    positions = stance_positions(skeleton, stance)
    for one, other, way in LIMBS:
        assert np.allclose(direction(skeleton, positions, one, other), way, atol=1e-6)
    assert direction(skeleton, positions, Role.PELVIS, Role.NECK)[1] > 0.9
    assert direction(skeleton, positions, Role.RIGHT_HIP, Role.LEFT_HIP)[0] > 0.98


def test_rest_pose_of_our_figure_is_its_stance():
    skeleton = figure()
    assert np.allclose(angle_between(find_stance(skeleton), [1.0, 0.0, 0.0, 0.0]), 0.0, atol=1e-7)


@pytest.mark.parametrize("yaw_deg", [0.0, 90.0, -150.0])
def test_stance_faces_ahead_from_a_pose_that_faces_elsewhere(walk, yaw_deg):
    turn = np.tile(from_axis_angle(Y, np.radians(yaw_deg)), (len(walk.skeleton), 1))
    other = reframed(walk, turn)
    assert_stands(other.skeleton, find_stance(other.skeleton))


@pytest.mark.parametrize("frames_of", [in_a_pose, along_x], ids=["A-pose", "no pose"])
def test_stance_does_not_depend_on_the_rest_pose(walk, frames_of):
    """Joints in frames that are turned are turned by as much in the stance: the body stands the same."""
    frames = frames_of(walk.skeleton)
    other = reframed(walk, frames)
    stance = find_stance(other.skeleton, other)
    assert_stands(other.skeleton, stance)
    limbs = [walk.skeleton.joint(role) for role in Role if "shoulder" in role or "hip" in role or "knee" in role]
    # What a frame is turned by about its bone is read off how the limb folds; the gait's own do not fold exactly so.
    assert np.degrees(np.max(angle_between(stance[limbs], frames[limbs]))) < 6.0


def test_flat_feet_of_a_motion_count_more_than_those_of_the_rest_pose(walk):
    skeleton = walk.skeleton
    ankle = skeleton.joint(Role.LEFT_ANKLE)
    frames = np.tile([1.0, 0.0, 0.0, 0.0], (len(skeleton), 1))
    for joint in skeleton.subtree(ankle):
        frames[joint] = from_axis_angle(X, np.radians(12.0))
    other = reframed(walk, frames)  # whose rest pose has a foot that is tilted, though it walks as before
    tilts = [np.degrees(angle_between(find_stance(other.skeleton, one)[ankle], frames[ankle])) for one in (other, None)]
    assert tilts[0] < 3.0
    assert tilts[1] > 9.0


def test_measured_spine_that_starts_behind_the_hips_leans_forward(walk):
    """Shoulders are over hips whatever way the spine takes there."""
    skeleton = walk.skeleton
    offsets = np.array(skeleton.offsets)
    offsets[skeleton.joint(Role.SPINE)] += [0.0, 0.0, -0.06]
    body = replace(skeleton, offsets=offsets)
    other = reframed(replace(walk, skeleton=body, local_offsets=offsets), along_x(skeleton))
    positions = stance_positions(other.skeleton, find_stance(other.skeleton, other))
    middle = {part: np.mean([positions[body.joint(Role[f"{side}_{part}"])] for side in ("LEFT", "RIGHT")], axis=0)
              for part in ("HIP", "SHOULDER")}  # fmt: skip
    line = middle["SHOULDER"] - middle["HIP"]
    assert abs(np.degrees(np.arctan2(line[2], line[1])) + 2.5) < 4.5


@needs_data
@pytest.mark.parametrize(
    "path",
    recorded(
        "cmu-bvh/16_15.bvh", "cmu-acclaim/16_15.amc", "other-bvh/accad_male1/Male1_B3_Walk.bvh",
        "other-bvh/bandai/dataset-1_walk_normal_001.bvh", "other-bvh/rokoko_jesse_dance.bvh",
        "other-bvh/neuron_milad_6ch_all_joints.bvh", "other-bvh/fair1_wave_hello.bvh",
    ),
    ids=data_name,
)  # fmt: skip
def test_recorded_bodies_of_all_makes_stand(path):
    motion = read_motion(path).motion
    skeleton = motion.skeleton
    stance = find_stance(skeleton, motion)
    assert_stands(skeleton, stance)
    positions = stance_positions(skeleton, stance)
    for side in ("LEFT", "RIGHT"):
        toe = skeleton.joint(Role[f"{side}_TOE"])
        if toe is not None:
            foot = direction(skeleton, positions, Role[f"{side}_ANKLE"], Role[f"{side}_TOE"])
            assert foot @ Z > 0.7
            assert foot[1] < 0.0
