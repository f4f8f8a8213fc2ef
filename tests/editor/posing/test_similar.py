"""Moments alike, and poses repeated at them."""

import numpy as np
import pytest

from editor.extrema.edit import ExtremePoses
from editor.extrema.find import body_measured, selected
from editor.posing.edit import TargetPose, TargetPoses
from editor.posing.pose import Pose
from editor.posing.similar import ALIKE, Alike, find_alike, repeated
from editor.posing.transfer import mirrored
from model.mirror import mirrored as mirrored_motion
from model.placing import turned
from model.roles import Role
from model.skeleton import JointRef
from tests.clips import DATA, needs_data, random_motion
from tests.editor.evaluated import after, take_of
from tests.editor.posing.grounded.asking import Clip

LEFT_HIP, RIGHT_HIP = JointRef("LeftUpLeg", Role.LEFT_HIP), JointRef("RightUpLeg", Role.RIGHT_HIP)


def extremes_s(motion):
    edit = ExtremePoses()
    return [one.time_s for one in selected(body_measured(motion, edit.settings), edit.level).found if not one.is_end]


@pytest.fixture(scope="module")
def walk():
    return Clip.sample("walk").motion


@pytest.mark.parametrize("name", ["walk", "run", "sneak", "march"])
def test_all_steps_are_alike_and_every_other_one_mirrored(name):
    motion = Clip.sample(name).motion
    moments = extremes_s(motion)
    place = len(moments) // 2
    found = sorted(find_alike(motion, moments[place], moments), key=lambda one: one.time_s)
    others = [*moments[:place], *moments[place + 1 :]]
    assert np.allclose([one.time_s for one in found], others, atol=motion.frame_time_s)
    sides = [(n - place) % 2 == 1 for n in range(len(moments)) if n != place]
    assert [one.mirrored for one in found] == sides
    assert all(one.distance < 0.3 for one in found)


@needs_data
@pytest.mark.parametrize("name", ["cmu-bvh/02_01", "cmu-bvh/16_45", "other-bvh/bandai/dataset-1_walk_old_001"])
def test_steps_of_recorded_walks_and_runs_are_alike(name):
    motion = Clip.read(DATA / f"{name}.bvh").motion
    moments = extremes_s(motion)
    found = find_alike(motion, moments[0], moments)
    assert len(found) == len(moments) - 1
    assert all(one.distance < ALIKE for one in found)
    sides = [one.mirrored for one in sorted(found, key=lambda one: one.time_s)]
    assert sides == [n % 2 == 0 for n in range(len(sides))]


@needs_data
def test_poses_of_a_cartwheel_are_like_no_other():
    motion = Clip.read(DATA / "cmu-bvh/49_06.bvh").motion
    assert all(one.distance > ALIKE for one in find_alike(motion, 2.17, extremes_s(motion)))


def test_frame_between_extremes_finds_the_same_phase_of_every_step(walk):
    moments = extremes_s(walk)
    at_s = moments[4] + 0.25
    alike = [one for one in find_alike(walk, at_s, moments) if one.distance < ALIKE]
    assert len(alike) >= len(moments) - 1
    for one in alike:
        apart = (one.time_s - at_s) / np.median(np.diff(moments))
        assert abs(apart - round(apart)) < 0.12
        assert one.mirrored == (round(apart) % 2 == 1)


def test_where_the_body_is_and_faces_does_not_matter(walk):
    moments = extremes_s(walk)
    other = turned(walk, 1.1, np.zeros(3), np.array([3.0, 0.5, -2.0]))
    for one, two in zip(find_alike(walk, moments[3], moments), find_alike(other, moments[3], moments), strict=True):
        assert (one.time_s, one.mirrored) == (two.time_s, two.mirrored)
        assert np.isclose(one.distance, two.distance, atol=1e-6)


def test_short_clips_have_nothing_alike():
    assert find_alike(random_motion(1), 0.0) == ()
    assert all(one.time_s > 0.15 for one in find_alike(random_motion(6), 0.0))


def pose_at(take, frame, pose):
    """What a target pose makes of a frame."""
    made = after(take, TargetPoses((TargetPose(frame / 30.0, pose.offsets, pose.root_move_m),))).take
    return Pose.of(made.motion, frame)


def test_mirrored_pose_is_the_mirror_of_what_the_pose_does():
    """On a motion and its mirror image, one after the other, the pose and its repetition are mirror images."""
    motion = random_motion(40, seed=3)
    take, other = take_of(motion), take_of(mirrored_motion(motion))
    offsets = ((LEFT_HIP, (0.3, 0.1, -0.2)), (JointRef("Hips", Role.PELVIS), (0.2, 0.4, 0.1)))
    pose = TargetPose(0.5, offsets, (0.1, 0.05, -0.2))
    (same,) = repeated(pose, take, 0.5, [(0.5, Alike(0.5, True, 0.0))])
    assert {ref.role for ref, _ in same.offsets} == {Role.RIGHT_HIP, Role.PELVIS}
    frame = 15
    straight = pose_at(take, frame, pose)
    # The mirror image of the clip faces elsewhere: what is told in the world's frame is turned with it.
    image = Pose.of(other.motion, frame)
    expected = mirrored(straight)
    start = mirrored(Pose.of(motion, frame))
    assert np.allclose(start.local_rotations[1:], image.local_rotations[1:], atol=1e-9)
    got = pose_at(take_of(motion_of(start, motion)), 0, same)
    assert np.allclose(np.abs(np.sum(got.local_rotations * expected.local_rotations, axis=-1)), 1.0, atol=1e-9)
    by_pose, by_mirror = got.root_position - start.root_position, np.array(same.root_move_m)
    assert np.allclose(by_pose, by_mirror, atol=1e-9)
    assert np.isclose(np.linalg.norm(by_mirror), np.linalg.norm(pose.root_move_m))


def motion_of(pose, like):
    return like.sliced(0, 1).__class__(
        like.skeleton, like.frame_time_s, pose.root_position[None], pose.local_rotations[None], like.local_offsets
    )


def test_repeated_pose_turns_with_the_body(walk):
    take = take_of(walk)
    quarter = turned(walk, np.pi / 2, np.zeros(3), np.zeros(3))
    pose = TargetPose(1.0, ((JointRef("Hips", Role.PELVIS), (0.3, 0.0, 0.0)),), (0.0, 0.0, 0.2))
    both = np.concatenate([walk.root_positions[:120], quarter.root_positions[120:]])
    rotations = np.concatenate([walk.local_rotations[:120], quarter.local_rotations[120:]])
    mixed = take_of(
        walk.__class__(walk.skeleton, walk.frame_time_s, both, rotations, walk.local_offsets), take.contacts
    )
    (there,) = repeated(pose, mixed, 60 * walk.frame_time_s, [(3.1, Alike(188 * walk.frame_time_s, False, 0.0))])
    assert there.time_s == 3.1
    assert np.allclose(there.offsets[0][1], (0.0, 0.0, -0.3), atol=0.03)
    assert np.allclose(there.root_move_m, (0.2, 0.0, 0.0), atol=0.03)


def test_strength_fades_and_mask_go_along(walk):
    pose = TargetPose(1.0, ((LEFT_HIP, (0.3, 0.0, 0.0)),), (0.0, 0.0, 0.0), 0.2, 0.7, 0.5, joints=(LEFT_HIP,))
    alike = [(2.0, Alike(2.0, False, 0.1)), (3.0, Alike(3.0, True, 0.1))]
    same, other = repeated(pose, take_of(walk), 1.0, alike)
    for one in (same, other):
        assert (one.before_s, one.after_s, one.strength) == (0.2, 0.7, 0.5)
    assert same.joints == (LEFT_HIP,)
    assert [ref.role for ref in other.joints] == [Role.RIGHT_HIP]
