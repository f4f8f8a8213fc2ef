from dataclasses import replace

import numpy as np

from model.motion import rest_motion
from model.placing import headings_rad, pelvis_positions, shifted, turned
from model.rotation import from_axis_angle, multiply, rotate
from model.skeleton import Skeleton
from tests.clips import Y, figure, random_motion


def with_prop(motion):
    """The motion with a further root that stands in the world."""
    bare = motion.skeleton
    skeleton = Skeleton(
        (*bare.names, "Box"), (*bare.parents, -1), np.concatenate([bare.offsets, [[1.0, 0.5, 2.0]]]), (),
        (*bare.roles, None),
    )  # fmt: skip
    still = np.tile([1.0, 0.0, 0.0, 0.0], (motion.frames, 1, 1))
    rotations = np.concatenate([motion.local_rotations, still], axis=1)
    return replace(motion, skeleton=skeleton, local_rotations=rotations, local_offsets=skeleton.offsets)


def test_heading_is_where_hips_and_shoulders_face():
    standing = rest_motion(figure(), frames=3)
    angles = np.array([0.0, 1.2, -2.5])
    rotations = np.array(standing.local_rotations)
    rotations[:, 0] = from_axis_angle(Y, angles)
    motion = replace(standing, local_rotations=rotations)
    assert np.allclose(headings_rad(motion), angles)
    nameless = replace(motion, skeleton=motion.skeleton.with_roles([None] * len(motion.skeleton)))
    assert np.allclose(headings_rad(nameless), angles)


def test_turning_takes_every_joint_and_prop_along():
    motion = with_prop(random_motion(8))
    pivot, move = np.array([0.2, 0.0, -0.4]), np.array([1.0, 0.3, 2.0])
    turn = from_axis_angle(Y, 0.8)
    world = turned(motion, 0.8, pivot, move).world
    assert np.allclose(world.positions, pivot + rotate(turn, motion.world.positions - pivot) + move, atol=1e-12)
    assert np.allclose(world.rotations, multiply(turn, motion.world.rotations), atol=1e-12)


def test_shifting_takes_every_joint_and_prop_along():
    motion = with_prop(random_motion(8))
    shifts = np.random.default_rng(0).normal(size=(8, 3))
    world = shifted(motion, shifts).world
    assert np.allclose(world.positions, motion.world.positions + shifts[:, None], atol=1e-12)


def test_pelvis_tells_where_the_body_is_and_without_one_the_root():
    motion = random_motion(4)
    assert np.array_equal(pelvis_positions(motion), motion.world.positions[:, 0])
    nameless = replace(motion, skeleton=motion.skeleton.with_roles([None] * len(motion.skeleton)))
    assert np.array_equal(pelvis_positions(nameless), motion.root_positions)
