"""Exaggeration of each joint by extremes of its own. Coleman 2012, sections 8.2.2 and 8.3.3.

What bones are changed by at the extremes of their joint is carried over to the time between, and the body is aimed so
all the time: at no moment are all joints at an extreme.
"""

import numpy as np

from editor.exaggerate.aiming import aimed, local_turns
from editor.exaggerate.anatomy import Anatomy, anatomy_of
from editor.exaggerate.change import Amounts, Turns, stances
from editor.exaggerate.joint_limits import unfolded_wrongly, within_limits, within_stride
from editor.exaggerate.scaling import spread_rotations, spread_vectors
from editor.exaggerate.stance import BodyFacts, body_facts
from editor.extrema.find import all_joints_measured, selected
from model.arrays import Array, IntArray
from model.clip import Take
from model.contacts import Mask
from model.derived import Deriver, uncached
from model.kinematics import WorldPose, global_cartesian
from model.monotone import monotone_spline
from model.motion import Motion
from model.rotation import conjugate, from_axis_angle, multiply, rotate, to_rotation_vector, unroll

_UP = np.array([0.0, 1.0, 0.0])
_SAMPLE_S = 1.0 / 15.0
JointExtremes = tuple[tuple[IntArray, Mask], ...]


def joint_turns(take: Take, amounts: Amounts, derive: Deriver = uncached) -> Turns:
    """What exaggeration by the extremes of each joint asks for. The take has two frames or more. derive : for what a
    slider need not have computed again.
    """
    motion = take.motion
    anatomy = anatomy_of(motion.skeleton)
    body, extremes = derive(body_facts, motion), derive(joint_extremes, motion)
    if amounts.space == "cartesian":
        vectors = _aimed_apart(motion, anatomy, body, extremes, amounts)
    else:
        vectors = _turned_apart(motion, anatomy, body, extremes, amounts)
    joints = anatomy.order
    if amounts.limits:
        vectors = within_limits(motion.skeleton, joints, motion.local_rotations[:, list(joints)], vectors)
        vectors = unfolded_wrongly(anatomy, motion, joints, vectors, body)
    return Turns(joints, vectors)


def joint_extremes(motion: Motion) -> JointExtremes:
    """For each joint (N,) the frames of its extremes, and (N,) which of them are holds; the clip's first and last frame
    where it has fewer than two.
    """
    found = []
    for measured in all_joints_measured(motion):
        extremes = [one for one in selected(measured).found if not one.is_end]
        times = np.array([one.time_s for one in extremes])
        frames, places = np.unique(np.rint(times / motion.frame_time_s).astype(np.intp), return_index=True)
        holds = np.array([extremes[place].is_hold for place in places], dtype=bool)
        if len(frames) < 2:
            frames, holds = np.array([0, motion.frames - 1]), np.zeros(2, dtype=bool)
        found.append((frames, holds))
    return tuple(found)


def _aimed_apart(motion: Motion, anatomy: Anatomy, body: BodyFacts, extremes: JointExtremes, amounts: Amounts) -> Array:
    """(F, N, 3) turns with which every bone is spread from its joint's neighbouring extremes (8.3.2)."""
    skeleton, each = motion.skeleton, amounts.of_joints(anatomy)
    samples = _samples(motion)
    bones = stances(motion, samples, body.headings)
    spread = np.array(bones)
    for joint in anatomy.order:
        frames, rests = extremes[joint]
        below = [bone for end, start in anatomy.aims[joint] for bone in skeleton.chain(start, end)[1:]]
        there = stances(motion, frames, body.headings)[:, below]
        change = spread_vectors(there, each[joint], amounts.bias, rests) - there
        spread[:, below] += monotone_spline(frames.astype(np.float64), change, samples.astype(np.float64))
    if amounts.limits:
        spread = within_stride(anatomy, skeleton, bones, spread)
    facing = from_axis_angle(_UP, body.headings[samples])[:, None]
    goals = global_cartesian(skeleton.parents, rotate(facing, spread))
    world = WorldPose(motion.world.positions[samples], motion.world.rotations[samples])
    still = {anatomy.root} if amounts.keep_legs else set()
    after = aimed(anatomy, skeleton.parents, world, goals, body.straight, still)
    turns = to_rotation_vector(local_turns(skeleton.parents, world.rotations, after)[:, list(anatomy.order)])
    return monotone_spline(samples.astype(np.float64), turns, np.arange(float(motion.frames)))


def _samples(motion: Motion) -> IntArray:
    """The frames at which bodies are aimed: as many a second as what is added to them can change."""
    step = max(1, round(_SAMPLE_S / motion.frame_time_s))
    return np.unique(np.append(np.arange(0, motion.frames, step), motion.frames - 1))


def _turned_apart(
    motion: Motion, anatomy: Anatomy, body: BodyFacts, extremes: JointExtremes, amounts: Amounts
) -> Array:
    """(F, N, 3) turns with which every joint is turned away from its neighbouring extremes (8.3.1)."""
    vectors, each = np.zeros((motion.frames, len(anatomy.order), 3)), amounts.of_joints(anatomy)
    facing = from_axis_angle(_UP, body.headings)
    for n, joint in enumerate(anatomy.order):
        if amounts.keep_legs and joint == anatomy.root:
            continue
        frames, rests = extremes[joint]
        local = unroll(motion.local_rotations[frames, joint])
        at = facing[frames] if joint == anatomy.root else None
        if at is not None:
            local = unroll(multiply(conjugate(at), motion.world.rotations[frames, joint]))
        spread = spread_rotations(local, each[joint], amounts.bias, rests)
        change = to_rotation_vector(unroll(multiply(spread, conjugate(local))))
        vectors[:, n] = monotone_spline(frames.astype(np.float64), change, np.arange(float(motion.frames)))
        if at is not None:
            vectors[:, n] = rotate(_from_facing(motion, joint, facing), vectors[:, n])
    return vectors


def _from_facing(motion: Motion, root: int, facing: Array) -> Array:
    """(F, 4) the turn from where the body faces to the frame of the pelvis' parent."""
    parent = motion.skeleton.parents[root]
    return facing if parent < 0 else multiply(conjugate(motion.world.rotations[:, parent]), facing)
