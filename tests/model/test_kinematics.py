"""Forward kinematics and the three representations of a pose."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from model import kinematics
from model.rotation import angle_between, from_axis_angle, rotate
from model.skeleton import Skeleton
from tests.clips import X, Z, figure, random_motion


def slow_forward(motion, frame):
    """Forward kinematics of one frame with matrices, joint by joint."""
    positions, matrices = [], []
    offsets = motion.local_offsets if motion.limbs_are_fixed else motion.local_offsets[frame]
    for joint, parent in enumerate(motion.skeleton.parents):
        local = Rotation.from_quat(motion.local_rotations[frame, joint], scalar_first=True).as_matrix()
        if joint == 0:
            positions.append(motion.root_positions[frame])
            matrices.append(local)
        elif parent < 0:
            positions.append(offsets[joint])
            matrices.append(local)
        else:
            positions.append(positions[parent] + matrices[parent] @ offsets[joint])
            matrices.append(matrices[parent] @ local)
    return np.array(positions), np.array(matrices)


@pytest.mark.parametrize("moving_limbs", [False, True])
def test_forward_agrees_with_matrices_joint_by_joint(moving_limbs):
    motion = random_motion(moving_limbs=moving_limbs)
    for frame in (0, 7, 39):
        positions, matrices = slow_forward(motion, frame)
        np.testing.assert_allclose(motion.world.positions[frame], positions, atol=1e-12)
        turned = rotate(motion.world.rotations[frame], X)
        np.testing.assert_allclose(turned, matrices @ X, atol=1e-12)


def body_with_prop():
    """A skeleton of two roots."""
    offsets = np.array([[0, 1, 0], [0, 1, 0], [5, 0, 0], [0, 1, 0.0]])
    return Skeleton(("a", "b", "prop", "tip"), (-1, 0, -1, 2), offsets)


@pytest.mark.parametrize("frames", [3, 9000])
def test_forward_with_several_roots_places_each_in_the_world(frames):
    motion = random_motion(frames=frames, skeleton=body_with_prop())
    np.testing.assert_array_equal(motion.world.positions[:, 2], np.tile([5.0, 0, 0], (frames, 1)))
    np.testing.assert_allclose(np.linalg.norm(motion.world.positions[:, 3] - [5, 0, 0], axis=-1), 1.0)


@pytest.mark.parametrize("moving_limbs", [False, True])
@pytest.mark.parametrize("skeleton", [figure(), body_with_prop()], ids=["figure", "two roots"])
def test_forward_of_few_frames_and_of_many_agree_to_the_last_bit(skeleton, moving_limbs):
    motion = random_motion(frames=9000, skeleton=skeleton, moving_limbs=moving_limbs)
    some = slice(4000, 4007)
    offsets = motion.local_offsets[some] if moving_limbs else motion.local_offsets
    few = kinematics.forward(skeleton.parents, motion.root_positions[some], motion.local_rotations[some], offsets)
    np.testing.assert_array_equal(few.positions, motion.world.positions[some])
    np.testing.assert_array_equal(few.rotations, motion.world.rotations[some])


def test_forward_takes_any_leading_axes_and_any_memory_layout():
    motion = random_motion(frames=12)
    skeleton = motion.skeleton
    shaped = kinematics.forward(
        skeleton.parents,
        motion.root_positions.reshape(3, 4, 3),
        motion.local_rotations.reshape(3, 4, -1, 4),
        skeleton.offsets,
    )
    np.testing.assert_array_equal(shaped.positions.reshape(12, -1, 3), motion.world.positions)
    one = kinematics.forward(skeleton.parents, motion.root_positions[5], motion.local_rotations[5], skeleton.offsets)
    np.testing.assert_allclose(one.positions, motion.world.positions[5], atol=1e-15)
    last = np.moveaxis(np.ascontiguousarray(np.moveaxis(motion.local_rotations, 0, -1)), -1, 0)
    same = kinematics.forward(skeleton.parents, motion.root_positions, last, skeleton.offsets)
    np.testing.assert_array_equal(same.rotations, motion.world.rotations)


def test_forward_of_many_frames_equals_forward_of_parts():
    motion = random_motion(frames=9000)
    whole = motion.world.positions
    part = motion.sliced(4000, 4200).world.positions
    np.testing.assert_allclose(part, whole[4000:4200], atol=1e-14)


def test_forward_of_no_frames_is_empty():
    motion = random_motion(frames=4).sliced(2, 2)
    assert motion.world.positions.shape == (0, len(motion.skeleton), 3)


def test_forward_with_wrong_shapes_names_the_argument():
    with pytest.raises(ValueError, match="local_rotations has shape"):
        kinematics.forward((-1, 0), np.zeros(3), np.zeros((5, 3, 4)), np.zeros((2, 3)))


def test_end_sites_are_carried_by_their_joints():
    skeleton = figure()
    motion = random_motion()
    tips = kinematics.end_site_positions(skeleton, motion.world)
    for n, site in enumerate(skeleton.end_sites):
        np.testing.assert_allclose(
            np.linalg.norm(tips[:, n] - motion.world.positions[:, site.joint], axis=-1),
            np.linalg.norm(site.offset),
        )


def test_local_rotations_come_back_from_world_rotations():
    motion = random_motion()
    back = kinematics.local_from_world(motion.skeleton.parents, motion.world.rotations)
    np.testing.assert_allclose(angle_between(back, motion.local_rotations), 0.0, atol=1e-12)


def test_local_and_global_cartesian_undo_each_other():
    motion = random_motion()
    parents = motion.skeleton.parents
    relative = kinematics.local_cartesian(parents, motion.world.positions)
    np.testing.assert_array_equal(relative[:, 0], motion.root_positions)
    np.testing.assert_allclose(
        np.linalg.norm(relative[:, 1:], axis=-1),
        np.tile(np.linalg.norm(motion.skeleton.offsets[1:], axis=-1), (40, 1)),
    )
    np.testing.assert_allclose(kinematics.global_cartesian(parents, relative), motion.world.positions, atol=1e-14)


def test_articulate_puts_every_joint_back_and_keeps_limb_lengths():
    """Coleman 4.5: positions that a rigid skeleton can take need rotations only."""
    motion = random_motion()
    roots, rotations, offsets = kinematics.articulate(motion.skeleton, motion.world.positions)
    again = kinematics.forward(motion.skeleton.parents, roots, rotations, offsets)
    np.testing.assert_allclose(again.positions, motion.world.positions, atol=1e-12)
    np.testing.assert_allclose(offsets[:, 1:], np.tile(motion.skeleton.offsets[1:], (40, 1, 1)), atol=1e-9)


def test_articulate_of_deformed_positions_still_meets_them_and_balances_the_error():
    motion = random_motion()
    goal = motion.world.positions + 0.02 * np.random.default_rng(0).normal(size=motion.world.positions.shape)
    roots, rotations, offsets = kinematics.articulate(motion.skeleton, goal)
    again = kinematics.forward(motion.skeleton.parents, roots, rotations, offsets)
    np.testing.assert_allclose(again.positions, goal, atol=1e-12)
    # Rotations take most of it: what is left in the offsets is about what was added, not more.
    assert np.sqrt(np.mean((offsets[:, 1:] - motion.skeleton.offsets[1:]) ** 2)) < 0.04


def test_articulate_of_the_rest_pose_turns_nothing():
    skeleton = figure()
    _, rotations, _ = kinematics.articulate(skeleton, skeleton.rest_positions())
    np.testing.assert_allclose(angle_between(rotations, np.array([1.0, 0, 0, 0])), 0.0, atol=1e-7)


def test_align_finds_the_rotation_of_several_vectors():
    rng = np.random.default_rng(3)
    sources = rng.normal(size=(50, 4, 3))
    q = from_axis_angle(Z, rng.uniform(-3, 3, size=50))
    found = kinematics.align(sources, rotate(q[:, None], sources))
    np.testing.assert_allclose(angle_between(found, q), 0.0, atol=1e-7)


def test_align_of_vectors_on_one_line_takes_the_smallest_rotation():
    sources = np.array([[0.0, 1.0, 0.0], [0.0, 2.0, 0.0]])
    targets = rotate(from_axis_angle(X, 0.7), sources)
    found = kinematics.align(sources, targets)
    np.testing.assert_allclose(angle_between(found, from_axis_angle(X, 0.7)), 0.0, atol=1e-9)


def test_align_is_not_turned_about_by_the_noise_of_a_tiny_bone():
    rng = np.random.default_rng(1)
    sources = np.concatenate([np.tile([0.0, 0.3, 0.0], (40, 1, 1)), 1e-5 * rng.normal(size=(40, 1, 3))], axis=1)
    targets = np.concatenate([np.tile([0.0, 0.3, 0.0], (40, 1, 1)), 1e-5 * rng.normal(size=(40, 1, 3))], axis=1)
    np.testing.assert_allclose(
        angle_between(kinematics.align(sources, targets), np.array([1.0, 0, 0, 0])), 0, atol=1e-3
    )


def test_align_splits_the_error_between_children_as_in_figure_4_2():
    sources = np.array([[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]])
    targets = rotate(np.stack([from_axis_angle(Z, 0.2), from_axis_angle(Z, 0.6)]), sources)
    found = kinematics.align(sources, targets)
    np.testing.assert_allclose(angle_between(found, from_axis_angle(Z, 0.4)), 0.0, atol=1e-6)
