import numpy as np
import pytest

from editor.posing.pose import Pose
from editor.posing.transfer import mirrored, pasted
from model.mirror import reflect
from model.motion import Motion, rest_motion
from model.placing import headings_rad
from model.roles import Role, find_roles
from model.rotation import angle_between, from_axis_angle, multiply
from model.skeleton import Skeleton
from tests.clips import Y, figure, random_motion, waving_figure
from tests.editor.posing.bodies import BODIES, joint, place, pose_of, turned_most


def heading(pose):
    arrays = pose.root_position[None], pose.local_rotations[None], pose.skeleton.offsets
    return float(headings_rad(Motion(pose.skeleton, 1.0, *arrays))[0])


@pytest.mark.parametrize("name", BODIES)
def test_mirrored_twice_is_the_same(name):
    pose = pose_of(name, 8)
    again = mirrored(mirrored(pose))
    assert turned_most(again, pose) < 0.02  # people are not symmetric, so neither is which way they face
    assert np.allclose(again.root_position, pose.root_position)


def test_mirrored_figure_stays_in_place_and_its_left_hand_is_where_the_right_one_was_in_the_mirror():
    pose = Pose.of(waving_figure(60), 40)
    other = mirrored(pose)
    assert np.allclose(other.root_position, pose.root_position)
    sideways = np.array([np.cos(heading(pose)), 0.0, -np.sin(heading(pose))])
    relative = place(pose, joint(pose, Role.RIGHT_WRIST)) - pose.root_position
    assert np.allclose(
        place(other, joint(pose, Role.LEFT_WRIST)) - pose.root_position, reflect(relative, sideways), atol=1e-9
    )
    assert turned_most(mirrored(other), pose) < 1e-9


def test_pose_pasted_onto_itself_is_the_same():
    pose = Pose.of(random_motion(10), 3)
    assert pasted(pose, pose) is pose
    same = pasted(pose, Pose.of(random_motion(10), 3))
    assert turned_most(same, pose) < 1e-12
    assert np.allclose(same.root_position, pose.root_position, atol=1e-12)


def test_pasted_pose_stays_where_the_body_is_and_faces_as_it_does():
    motion = random_motion(40)
    pose, onto = Pose.of(motion, 3), Pose.of(motion, 30)
    result = pasted(pose, onto)
    assert np.allclose(result.root_position[[0, 2]], onto.root_position[[0, 2]])
    assert result.root_position[1] == pose.root_position[1]
    assert np.array_equal(result.local_rotations[1:], pose.local_rotations[1:])
    assert np.sin(heading(result) - heading(onto)) == pytest.approx(0.0, abs=1e-9)
    away = pasted(pose, onto, in_place=False)
    assert np.array_equal(away.local_rotations, pose.local_rotations)
    assert np.array_equal(away.root_position, pose.root_position)


def test_pose_pasted_onto_another_body_points_its_limbs_the_same_way():
    plain = figure()
    names = tuple(f"rig:{name}" for name in plain.names)
    # The same person in other proportions, resting with arms down: other offsets for the same directions.
    offsets = plain.offsets * np.linspace(0.8, 1.2, len(plain))[:, None]
    for part in ("LeftForeArm", "LeftHand", "RightForeArm", "RightHand"):
        offsets[plain.find(part)] = [0.0, -0.26, 0.0]
    other = Skeleton(names, plain.parents, offsets, (), find_roles(names, plain.parents))
    pose, onto = Pose.of(waving_figure(60), 40), Pose.of(rest_motion(other), 0)
    result = pasted(pose, onto, in_place=False)
    for start, end in [
        (Role.LEFT_SHOULDER, Role.LEFT_ELBOW), (Role.RIGHT_SHOULDER, Role.RIGHT_ELBOW),
        (Role.RIGHT_ELBOW, Role.RIGHT_WRIST), (Role.LEFT_HIP, Role.LEFT_KNEE), (Role.RIGHT_KNEE, Role.RIGHT_ANKLE),
    ]:  # fmt: skip
        ways = [place(one, joint(one, end)) - place(one, joint(one, start)) for one in (pose, result)]
        wanted, got = (way / np.linalg.norm(way) for way in ways)
        assert np.allclose(wanted, got, atol=1e-9), end


def test_joints_without_a_counterpart_keep_their_own_rotation():
    plain = figure()
    more = Skeleton(
        (*plain.names, "Tail"), (*plain.parents, 0), np.concatenate([plain.offsets, [[0.0, 0.0, -0.2]]]),
        plain.end_sites, (*plain.roles, None),
    )  # fmt: skip
    onto = Pose.of(rest_motion(more), 0)
    rotations = np.array(onto.local_rotations)
    rotations[-1] = from_axis_angle(Y, 0.5)
    onto = onto.with_rotations(rotations)
    result = pasted(Pose.of(waving_figure(60), 40), onto)
    assert np.array_equal(result.local_rotations[-1], rotations[-1])


def test_pose_of_a_turned_body_mirrors_about_its_own_middle():
    pose = Pose.of(waving_figure(60), 40)
    rotations = np.array(pose.local_rotations)
    rotations[0] = multiply(from_axis_angle(Y, 0.7), rotations[0])
    straight, turned = mirrored(pose), mirrored(pose.with_rotations(rotations))
    assert np.max(angle_between(straight.local_rotations[1:], turned.local_rotations[1:])) < 1e-9
    assert np.allclose(turned.root_position, pose.root_position)
