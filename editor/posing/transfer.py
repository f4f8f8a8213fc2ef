"""Poses mirrored, and carried from one moment or body to another."""

import numpy as np

from editor.posing.body import ancestors
from editor.posing.pose import Pose
from model import mirror
from model.arrays import Array
from model.kinematics import align
from model.motion import Motion
from model.placing import headings_rad
from model.rotation import IDENTITY, conjugate, from_axis_angle, multiply
from model.skeleton import Skeleton

_UP = np.array([0.0, 1.0, 0.0])


def mirrored(pose: Pose) -> Pose:
    """The pose with left and right exchanged, in place: the mirror stands upright in the middle of the body."""
    motion = _motion(pose)
    heading = float(headings_rad(motion)[0])
    normal = np.array([np.cos(heading), 0.0, -np.sin(heading)])
    other = mirror.mirrored(motion, normal, pose.root_position)
    offsets = pose.local_offsets if motion.limbs_are_fixed else other.local_offsets[0]
    return Pose(pose.skeleton, other.root_positions[0], other.local_rotations[0], offsets, pose.hinges, pose.face)


def pasted(pose: Pose, onto: Pose, in_place: bool = True) -> Pose:
    """A pose taken over by another: `onto` with the rotations of `pose`.

    On the same skeleton joint by joint; on another, joints that have a role by it, others by name, each turned so
    that its bones point as they do in `pose`; joints without a counterpart keep their own. in_place : it stays where
    `onto` is over the floor and faces as that does; otherwise it goes where `pose` is. A pose pasted onto itself is
    itself.
    """
    if pose is onto:
        return onto
    if pose.skeleton is onto.skeleton or _alike(pose.skeleton, onto.skeleton):
        result = onto.with_rotations(pose.local_rotations, pose.root_position)
    else:
        result = _transferred(pose, onto)
    return _placed_as(result, onto) if in_place else result


def _placed_as(pose: Pose, onto: Pose) -> Pose:
    """The pose turned about Y and moved over the floor to where another is."""
    turn_rad = float(headings_rad(_motion(onto))[0] - headings_rad(_motion(pose))[0])
    position = np.array([onto.root_position[0], pose.root_position[1], onto.root_position[2]])
    if abs(turn_rad) < 1e-12:
        return pose.with_rotations(pose.local_rotations, position)
    rotations = np.array(pose.local_rotations)
    rotations[0] = multiply(from_axis_angle(_UP, turn_rad), rotations[0])
    return pose.with_rotations(rotations, position)


def _alike(one: Skeleton, other: Skeleton) -> bool:
    return one.names == other.names and one.parents == other.parents and np.allclose(one.offsets, other.offsets)


def _transferred(pose: Pose, onto: Pose) -> Pose:
    """The pose on another skeleton, in the world where it was; its height scaled with the body's."""
    theirs, ours = pose.skeleton, onto.skeleton
    pairs = _pairs(theirs, ours)
    rotations = np.array(onto.local_rotations)
    world = np.array(onto.world.rotations)
    for joint, parent in enumerate(ours.parents):
        if joint in pairs:
            world[joint] = multiply(pose.world.rotations[pairs[joint]], _correction(theirs, ours, pairs, joint))
            rotations[joint] = world[joint] if parent < 0 else multiply(conjugate(world[parent]), world[joint])
        else:
            world[joint] = rotations[joint] if parent < 0 else multiply(world[parent], rotations[joint])
    heights = [max(float(np.ptp(one.rest_positions()[:, 1])), 1e-6) for one in (theirs, ours)]
    position = np.array(pose.root_position)
    position[1] *= heights[1] / heights[0]
    return onto.with_rotations(rotations, position)


def _pairs(theirs: Skeleton, ours: Skeleton) -> dict[int, int]:
    """For our joints those of another skeleton: by role, then by name."""
    pairs = {}
    for joint, (name, role) in enumerate(zip(ours.names, ours.roles, strict=True)):
        other = None if role is None else theirs.joint(role)
        if other is None and role is None and name in theirs.names:
            named = theirs.names.index(name)
            other = named if theirs.roles[named] is None else None
        if other is not None:
            pairs[joint] = other
    return pairs


def _correction(theirs: Skeleton, ours: Skeleton, pairs: dict[int, int], joint: int) -> Array:
    """(4,) from our bones below a joint at rest to theirs: with it, bones point the same way on both."""
    mine, others = [], []
    for child in ours.children[joint]:
        if child in pairs and pairs[joint] in ancestors(theirs, pairs[child]):
            here = ours.offsets[child]
            there = theirs.rest_positions()[pairs[child]] - theirs.rest_positions()[pairs[joint]]
            if np.linalg.norm(here) > 1e-6 and np.linalg.norm(there) > 1e-6:
                mine.append(here / np.linalg.norm(here))
                others.append(there / np.linalg.norm(there))
    if not mine:
        return IDENTITY
    return align(np.array(mine), np.array(others))


def _motion(pose: Pose) -> Motion:
    """A motion of this one frame."""
    fixed = np.array_equal(pose.local_offsets, pose.skeleton.offsets)
    offsets = pose.skeleton.offsets if fixed else pose.local_offsets[None]
    return Motion(pose.skeleton, 1.0, pose.root_position[None], pose.local_rotations[None], offsets)
