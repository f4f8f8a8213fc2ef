from dataclasses import replace

import numpy as np
import pytest

from editor.posing.edit import TargetPose, TargetPoses, fading_curve
from model.motion import rest_motion
from model.roles import Role, find_roles
from model.rotation import angle_between, conjugate, from_rotation_vector, multiply, to_rotation_vector
from model.skeleton import JointRef, Skeleton
from tests.clips import figure, random_motion, waving_figure
from tests.editor.evaluated import Asked, after, take_of

HEAD = JointRef("Head", Role.HEAD)
ELBOW = JointRef("LeftForeArm", Role.LEFT_ELBOW)
NOD = (0.5, 0.0, 0.0)


def turned_by(take, result, role):
    """(F, 3) what was put after a joint's own rotation."""
    joint = take.motion.skeleton.joint(role)
    before, now = take.motion.local_rotations[:, joint], result.motion.local_rotations[:, joint]
    return to_rotation_vector(multiply(now, conjugate(before)))


@pytest.fixture
def take():
    return take_of(random_motion(121))


def test_pose_is_met_exactly_at_its_moment_and_nothing_changes_far_from_it(take):
    pose = TargetPose(2.0, ((HEAD, NOD), (ELBOW, (0.0, 1.0, 0.2))), (0.1, -0.2, 0.0), before_s=0.5, after_s=1.0)
    result = after(take, TargetPoses((pose,))).take
    head, elbow = (turned_by(take, result, role) for role in (Role.HEAD, Role.LEFT_ELBOW))
    assert np.allclose(head[60], NOD, atol=1e-12)
    assert np.allclose(elbow[60], (0.0, 1.0, 0.2), atol=1e-12)
    assert np.allclose((result.motion.root_positions - take.motion.root_positions)[60], (0.1, -0.2, 0.0))
    far = [*range(46), *range(90, 121)]
    assert np.array_equal(result.motion.local_rotations[far], take.motion.local_rotations[far])
    assert np.array_equal(result.motion.root_positions[far], take.motion.root_positions[far])
    assert np.all(np.diff(head[45:61, 0]) > 0.0)
    assert np.all(np.diff(head[60:91, 0]) < 0.0)


def test_other_joints_keep_their_very_numbers(take):
    result = after(take, TargetPoses((TargetPose(2.0, ((HEAD, NOD),)),))).take.motion
    others = [joint for joint in range(22) if joint != take.motion.skeleton.joint(Role.HEAD)]
    assert np.array_equal(result.local_rotations[:, others], take.motion.local_rotations[:, others])


def test_every_pose_is_met_where_they_are_near_each_other(take):
    poses = tuple(TargetPose(1.0 + 0.3 * n, ((HEAD, (0.2 * n - 0.3, 0.1, 0.0)),)) for n in range(6))
    result = after(take, TargetPoses(tuple(reversed(poses)))).take
    head = turned_by(take, result, Role.HEAD)
    for pose in poses:
        assert np.allclose(head[round(30 * pose.time_s)], pose.offsets[0][1], atol=1e-9)


def test_pose_that_only_turns_a_joint_does_not_cut_off_the_fade_of_the_root(take):
    sinking = TargetPose(2.0, (), (0.0, -0.2, 0.0), before_s=1.0, after_s=1.0)
    nodding = TargetPose(2.1, ((HEAD, NOD),))
    one, both = (after(take, TargetPoses(poses)).take.motion for poses in ((sinking,), (sinking, nodding)))
    assert np.array_equal(one.root_positions, both.root_positions)
    assert np.min(one.root_positions[75, 1] - take.motion.root_positions[75, 1]) < -0.05


def test_strength_of_a_pose_is_its_share(take):
    half = after(take, TargetPoses((TargetPose(2.0, ((HEAD, NOD),), strength=0.5),))).take
    assert np.allclose(turned_by(take, half, Role.HEAD)[60], (0.25, 0.0, 0.0))


def test_no_poses_and_poses_of_nothing_give_the_take_itself(take):
    for poses in (
        (),
        (TargetPose(1.0),),
        (TargetPose(1.0, ((HEAD, (0.0, 0.0, 0.0)),)),),
        (TargetPose(50.0, ((HEAD, NOD),)),),
    ):
        assert TargetPoses(poses).apply(take, Asked()) is take
        assert TargetPoses(poses, grounded=True).apply(take, Asked()) is take


def test_joint_that_a_body_lacks_is_told_and_passed_over(take):
    context = Asked()
    edit = TargetPoses(
        (TargetPose(1.0, ((JointRef("Tail"), NOD), (HEAD, NOD))), TargetPose(2.0, ((JointRef("Tail"), NOD),)))
    )
    result = edit.apply(take, context)
    assert np.allclose(turned_by(take, result, Role.HEAD)[30], NOD)
    assert len(context.notes) == 1
    assert "Tail" in context.notes[0]


# What the joints of one body are called by others. The order is that of the figure of the tests.
_MIXAMO = [
    "mixamorig:" + name
    for name in (
        "Hips", "Spine", "Spine1", "Spine2", "Neck", "Head",
        "LeftShoulder", "LeftArm", "LeftForeArm", "LeftHand", "RightShoulder", "RightArm", "RightForeArm", "RightHand",
        "LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToeBase", "RightUpLeg", "RightLeg", "RightFoot", "RightToeBase",
    )
]  # fmt: skip
_ACCLAIM = [
    "root", "lowerback", "upperback", "thorax", "upperneck", "head",
    "lclavicle", "lhumerus", "lradius", "lhand", "rclavicle", "rhumerus", "rradius", "rhand",
    "lfemur", "ltibia", "lfoot", "ltoes", "rfemur", "rtibia", "rfoot", "rtoes",
]  # fmt: skip


def body_called(names):
    bare = figure()
    return Skeleton(tuple(names), bare.parents, bare.offsets, bare.end_sites, find_roles(names, bare.parents))


def test_poses_made_on_one_body_act_on_another_by_role():
    mixamo, acclaim = body_called(_MIXAMO), body_called(_ACCLAIM)
    assert not set(mixamo.names) & set(acclaim.names)
    bent = [(Role.LEFT_ELBOW, (0.0, -1.2, 0.0)), (Role.HEAD, NOD), (Role.RIGHT_KNEE, (0.7, 0.0, 0.0))]
    pose = TargetPose(0.5, tuple((mixamo.ref(mixamo.joint(role)), vector) for role, vector in bent))
    one, other = (after(take_of(rest_motion(body, frames=31)), TargetPoses((pose,))) for body in (mixamo, acclaim))
    assert not other.notes
    assert np.allclose(one.take.motion.world.positions, other.take.motion.world.positions)
    assert np.max(angle_between(other.take.motion.local_rotations[15], from_rotation_vector(np.zeros(3)))) > 1.0


@pytest.mark.parametrize(("values", "reason"), [
    ({"before_s": 0.0}, "before_s"), ({"after_s": -1.0}, "after_s"), ({"offsets": ((HEAD, NOD), (HEAD, NOD))}, "twice"),
    ({"root_move_m": (0.0, float("nan"), 0.0)}, "three numbers"), ({"offsets": ((HEAD, (1.0, 2.0)),)}, "three numbers"),
])  # fmt: skip
def test_pose_refuses_what_makes_no_sense(values, reason):
    with pytest.raises(ValueError, match=reason):
        TargetPose(1.0, **values)


def test_two_poses_at_one_moment_are_refused():
    with pytest.raises(ValueError, match="same moment"):
        TargetPoses((TargetPose(1.0), TargetPose(2.0), TargetPose(1.0)))


def curve(times, knot_times, values, before=0.5, after=0.5):
    count = len(knot_times)
    knots = np.stack([np.asarray(values, dtype=float), np.zeros(count), np.zeros(count)], axis=-1)
    spread = (np.broadcast_to(np.asarray(one, dtype=float), (count,)) for one in (before, after))
    return fading_curve(np.asarray(times), np.asarray(knot_times, dtype=float), knots, *spread)[:, 0]


def random_knots(seed):
    rng = np.random.default_rng(seed)
    return np.cumsum(rng.uniform(0.1, 1.0, 8)), rng.normal(size=8), rng.uniform(0.1, 1.0, 8), rng.uniform(0.1, 1.0, 8)


@pytest.mark.parametrize("seed", range(20))
def test_curve_meets_its_knots_without_corners_or_overshoot(seed):
    knot_times, values, before, behind = random_knots(seed)
    assert np.allclose(curve(knot_times, knot_times, values, before, behind), values, atol=1e-12)
    fine = np.linspace(knot_times[0] - 1.5, knot_times[-1] + 1.5, 100_001)
    found = curve(fine, knot_times, values, before, behind)
    assert np.max(np.abs(np.diff(found, 2))) < 1e-4  # a corner would be 1e-3 and more
    ends = np.concatenate([[0.0], values, [0.0]])
    segment = np.searchsorted(knot_times, fine)
    between = np.stack([ends[segment], ends[segment + 1], np.zeros(len(fine))])
    assert np.all(found <= np.max(between, axis=0) + 1e-9)
    assert np.all(found >= np.min(between, axis=0) - 1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_curve_does_not_jump_while_a_knot_is_dragged_past_where_fades_touch(seed):
    knot_times, values, before, behind = random_knots(seed)
    fine = np.linspace(0.0, 8.0, 801)
    dragged = []
    for shift in np.linspace(-0.09, 1.0, 500):
        moved = np.array(knot_times)
        moved[4:] += shift
        dragged.append(curve(fine, moved, values, before, behind))
    assert np.max(np.abs(np.diff(dragged, axis=0))) < 0.2


def test_curve_of_even_steps_runs_evenly():
    times = np.arange(6.0)
    fine = np.linspace(1.5, 3.5, 201)
    speed = np.diff(curve(fine, times, 0.2 * times, before=1.0, after=1.0)) / np.diff(fine)
    assert np.allclose(speed, 0.2, atol=0.01)


def test_what_poses_do_at_a_moment_is_what_they_do_to_its_frame(take):
    poses = TargetPoses((
        TargetPose(2.0, ((HEAD, NOD), (ELBOW, (0.0, 1.0, 0.2))), (0.1, 0.0, 0.0), strength=0.5),
        TargetPose(1.6, ((HEAD, (0.0, 0.3, 0.0)),)),
    ))  # fmt: skip
    result = after(take, poses).take
    for frame in (40, 48, 55, 60, 70):
        vectors, move = poses.at(take.motion.skeleton, frame / 30.0)
        for role in (Role.HEAD, Role.LEFT_ELBOW):
            joint = take.motion.skeleton.joint(role)
            assert np.allclose(turned_by(take, result, role)[frame], vectors.get(joint, np.zeros(3)), atol=1e-9)
        assert np.allclose(result.motion.root_positions[frame] - take.motion.root_positions[frame], move)
    assert poses.at(take.motion.skeleton, 9.0)[0] == {}
    assert poses.pose_at(1.6) is poses.poses[1]
    assert poses.pose_at(1.7) is None


def test_pose_that_holds_the_root_keeps_it_in_place_between_poses_that_move_it(take):
    moving = tuple(TargetPose(time, (), (0.0, -0.2, 0.0), before_s=1.0, after_s=1.0) for time in (1.5, 2.5))
    held = TargetPose(2.0, ((HEAD, NOD),), holds_root=True)
    one, both = (after(take, TargetPoses(poses)).take.motion for poses in (moving, (*moving, held)))
    assert one.root_positions[60, 1] - take.motion.root_positions[60, 1] < -0.1
    assert np.allclose(both.root_positions[60], take.motion.root_positions[60])
    assert np.allclose(both.root_positions[45], one.root_positions[45])


def test_of_two_names_that_mean_one_joint_of_a_body_the_first_counts(take):
    pose = TargetPose(2.0, ((HEAD, NOD), (JointRef("Head"), (0.0, 1.0, 0.0))))
    stage = after(take, TargetPoses((pose,)))
    assert not stage.failed
    assert np.allclose(turned_by(take, stage.take, Role.HEAD)[60], NOD, atol=1e-12)


@pytest.mark.parametrize("grounded", [False, True])
def test_pose_acts_on_the_joints_that_it_may_turn_only(grounded):
    motion = waving_figure(90)
    take = take_of(motion)
    head, arm = JointRef("Head", Role.HEAD), JointRef("LeftArm", Role.LEFT_SHOULDER)
    both = ((head, (0.3, 0.0, 0.0)), (arm, (0.0, 0.4, 0.0)))
    whole = TargetPose(1.0, both, (0.0, -0.04, 0.0))
    limited = replace(whole, joints=(head,))
    result = after(take, TargetPoses((limited,), grounded)).take.motion
    alone = after(take, TargetPoses((TargetPose(1.0, both[:1]),), grounded)).take.motion
    np.testing.assert_allclose(result.local_rotations, alone.local_rotations, atol=1e-12)
    np.testing.assert_allclose(result.root_positions, motion.root_positions, atol=1e-12)
    pelvis = JointRef("Hips", Role.PELVIS)
    moved = after(take, TargetPoses((replace(whole, joints=(pelvis,)),), grounded)).take.motion
    assert moved.root_positions[30, 1] < motion.root_positions[30, 1] - 0.02
    nothing = TargetPoses((replace(whole, joints=()),), grounded)
    assert after(take, nothing).take is take


def test_joint_may_not_be_allowed_twice():
    head = JointRef("Head", Role.HEAD)
    with pytest.raises(ValueError, match="joints: a joint is named twice"):
        TargetPose(1.0, joints=(head, head))
