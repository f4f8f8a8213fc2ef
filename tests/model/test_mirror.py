"""Mirroring: left is right, twice is once."""

from dataclasses import replace

import numpy as np
import pytest

from model.files.bvh import read_bvh
from model.mirror import mirrored, reflect, sagittal_normal
from model.roles import mirror_pairs
from model.rotation import angle_between
from model.skeleton import Skeleton
from tests.clips import X, Z, data_name, needs_data, random_motion, recorded, waving_figure


def reflected_positions(motion, normal, point=(0.0, 0.0, 0.0)):
    pairs = list(mirror_pairs(motion.skeleton.names, motion.skeleton.roles))
    return reflect(motion.world.positions[:, pairs] - point, normal) + point


@pytest.mark.parametrize("moving_limbs", [False, True])
def test_symmetric_body_lands_exactly_in_the_mirror(moving_limbs):
    motion = random_motion()
    if moving_limbs:
        swell = 1.0 + 0.05 * np.sin(np.arange(motion.frames))[:, None, None]
        motion = replace(motion, local_offsets=motion.skeleton.offsets * swell)
    for normal, point in ((X, np.zeros(3)), (Z, np.array([1.0, 0.0, 2.0]))):
        result = mirrored(motion, normal, point)
        np.testing.assert_allclose(result.world.positions, reflected_positions(motion, normal, point), atol=1e-12)


def test_mirroring_twice_gives_the_motion_back():
    motion = random_motion()
    again = mirrored(mirrored(motion))
    np.testing.assert_allclose(again.world.positions, motion.world.positions, atol=1e-12)


@pytest.mark.parametrize("moving_limbs", [False, True])
def test_further_roots_and_the_rest_pose_are_mirrored_too(moving_limbs):
    body = random_motion().skeleton
    skeleton = Skeleton((*body.names, "Ball"), (*body.parents, -1), np.vstack([body.offsets, [0.5, 0.1, 0.2]]))
    skeleton = skeleton.with_roles((*body.roles, None))
    motion = random_motion(skeleton=skeleton, moving_limbs=moving_limbs)
    motion = replace(motion, rest=motion.pose(3))
    result = mirrored(motion, X, np.array([0.2, 0.0, 0.0]))
    np.testing.assert_allclose(result.world.positions[:, -1], reflected_positions(motion, X, (0.2, 0, 0))[:, -1])
    pose = result.pose(3)
    np.testing.assert_allclose(result.rest.root_position, pose.root_position, atol=1e-12)
    np.testing.assert_allclose(angle_between(result.rest.local_rotations, pose.local_rotations), 0.0, atol=1e-9)
    np.testing.assert_allclose(result.rest.local_offsets, pose.local_offsets, atol=1e-12)


def test_the_other_hand_waves():
    motion = waving_figure()
    left, right = (motion.skeleton.find(side + "Hand") for side in ("Left", "Right"))
    result = mirrored(motion)
    assert np.max(motion.world.positions[:, right, 1]) > 1.6
    assert np.max(motion.world.positions[:, left, 1]) < 1.2
    assert np.max(result.world.positions[:, left, 1]) > 1.6
    assert np.max(result.world.positions[:, right, 1]) < 1.2


def test_input_is_not_changed():
    motion = random_motion()
    kept = motion.local_rotations.copy()
    mirrored(motion)
    np.testing.assert_array_equal(motion.local_rotations, kept)


def test_sagittal_normal_of_the_figure_is_x():
    np.testing.assert_array_equal(np.abs(sagittal_normal(random_motion().skeleton)), X)


_CLIPS = recorded(
    "cmu-bvh/16_15.bvh", "other-bvh/accad_male1/*B3*.bvh", "other-bvh/bandai/dataset-1_walk_angry*.bvh",
    "other-bvh/lafan1*.bvh", "other-bvh/rokoko*.bvh", "other-bvh/100style*.bvh", "other-bvh/neuron*.bvh",
    "other-bvh/vn_*.bvh", "other-bvh/makehuman_walk1.bvh", "other-bvh/upf*.bvh",
)  # fmt: skip


@needs_data
@pytest.mark.parametrize("path", _CLIPS, ids=data_name)
def test_recorded_bodies_land_in_the_mirror_whatever_their_bone_axes(path):
    motion = read_bvh(path).motion
    motion = motion.sliced(0, min(motion.frames, 200))
    result = mirrored(motion)
    # Real bodies are a little lopsided: their own limb lengths stay, so a few centimetres may remain.
    apart = np.linalg.norm(result.world.positions - reflected_positions(motion, X), axis=-1)
    assert np.mean(apart) < 0.03
    again = mirrored(result)
    np.testing.assert_allclose(again.world.positions, motion.world.positions, atol=1e-9)
