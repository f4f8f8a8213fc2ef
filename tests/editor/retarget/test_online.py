"""One frame at a time: the same as all at once, but for what needs the future."""

from dataclasses import replace

import numpy as np
import pytest

from editor.gait.parameters import Gait
from editor.gait.procedural import generate
from editor.quality import figures as quality
from editor.retarget import plain
from editor.retarget.carry import Plan, retargeted
from editor.retarget.character import built_in
from editor.retarget.online import Retargeter
from model import rotation
from model.limbs import solve_limb
from model.motion import Motion
from model.roles import Role
from tests.editor.retarget.bodies import added_drift_cm


@pytest.fixture(scope="module")
def walk():
    return generate(Gait(), 3.0, 60.0)


def frame_by_frame(motion, contacts, plan, **given):
    retargeter = Retargeter(plan, motion.frame_time_s, contacts.ground_m)
    poses = [
        retargeter.frame(place, turns, **given)
        for place, turns in zip(motion.root_positions, motion.local_rotations, strict=True)
    ]
    return Motion(
        plan.target.skeleton,
        motion.frame_time_s,
        np.array([pose.root_position for pose in poses]),
        np.array([pose.local_rotations for pose in poses]),
        plan.target.skeleton.offsets,
    )


@pytest.mark.parametrize("name", ["average", "child", "tall", "stocky"])
def test_frames_are_those_of_the_whole_but_for_sinking(walk, name):
    motion, contacts = walk
    plan = Plan.of(motion, built_in(name), (), contacts)
    whole = retargeted(motion, contacts, built_in(name), plan=plan)
    single = frame_by_frame(motion, contacts, plan)
    assert np.mean(np.linalg.norm(whole.world.positions - single.world.positions, axis=-1)) < 0.005
    assert added_drift_cm(motion, single, contacts, plan.scale) < 0.2
    assert quality.penetration_cm(single, contacts.ground_m) < 0.3


def test_a_frame_does_not_depend_on_what_follows(walk):
    motion, contacts = walk
    plan = Plan.of(motion, built_in("child"), (), contacts)
    half = frame_by_frame(motion.sliced(0, 60), contacts, plan)
    whole = frame_by_frame(motion, contacts, plan)
    assert np.array_equal(half.local_rotations, whole.local_rotations[:60])
    assert np.array_equal(half.root_positions, whole.root_positions[:60])


def test_offsets_of_the_frame_are_used_where_they_are_given(walk):
    motion, contacts = walk
    plan = Plan.of(motion, built_in("child"), (), contacts)
    same = frame_by_frame(motion.sliced(0, 5), contacts, plan)
    given = frame_by_frame(motion.sliced(0, 5), contacts, plan, local_offsets=1.0 * motion.skeleton.offsets)
    longer = frame_by_frame(motion.sliced(0, 5), contacts, plan, local_offsets=1.2 * motion.skeleton.offsets)
    assert np.allclose(same.local_rotations, given.local_rotations, atol=1e-9)
    assert not np.allclose(same.local_rotations, longer.local_rotations)


def test_bones_that_change_their_length_still_point_where_they_did(walk):
    """Ankles that slide along and across the shin, as those of suits with six channels a joint do."""
    motion, contacts = walk
    ankle = motion.skeleton.joint(Role.LEFT_ANKLE)
    offsets = np.tile(motion.skeleton.offsets, (motion.frames, 1, 1))
    offsets[:, ankle, 2] += 0.08 * np.sin(np.linspace(0.0, 9.0, motion.frames))
    sliding = replace(motion, local_offsets=offsets)
    plan = Plan.of(sliding, built_in("average"), (), contacts)
    retargeter = Retargeter(plan, motion.frame_time_s, contacts.ground_m)
    whole = retargeted(sliding, contacts, built_in("average"), plan=plan)
    knee = whole.skeleton.joint(Role.LEFT_KNEE)
    for frame in range(0, motion.frames, 20):
        pose = retargeter.frame(motion.root_positions[frame], motion.local_rotations[frame], offsets[frame])
        single = Motion(whole.skeleton, 1.0, pose.root_position[None], pose.local_rotations[None], pose.local_offsets)
        assert np.allclose(single.world.positions[0, knee], whole.world.positions[frame, knee], atol=0.04)


def test_plain_rotations_are_those_of_the_model():
    rng = np.random.default_rng(4)
    for a, b in rng.normal(size=(20, 2, 4)):
        a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
        assert np.allclose(plain.multiply(tuple(a), tuple(b)), rotation.multiply(a, b), atol=1e-14)
        assert np.allclose(plain.rotate(tuple(a), tuple(b[:3])), rotation.rotate(a, b[:3]), atol=1e-14)
        assert np.allclose(plain.between(tuple(a[:3]), tuple(b[:3])), rotation.between(a[:3], b[:3]), atol=1e-12)


def test_plain_limb_bends_as_the_one_of_the_model():
    rng = np.random.default_rng(7)
    for _ in range(50):
        root, middle, end, target, hinge = rng.normal(size=(5, 3)) * [0.0, 1.0, 1.0] + rng.normal(size=(5, 1)) * 0.5
        target = root + (target - root) * rng.uniform(0.3, 1.5)
        solved = solve_limb(root, middle, end, target, hinge, max_stretch=0.0)
        upper, lower = plain.bend_limb(*(tuple(map(float, v)) for v in (root, middle, end, target, hinge)))
        assert rotation.angle_between(np.array(upper), solved.upper) < 1e-6
        assert rotation.angle_between(np.array(lower), solved.lower) < 1e-6
