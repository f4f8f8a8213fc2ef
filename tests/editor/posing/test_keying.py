import numpy as np
import pytest

from editor.posing.drag import drag, turn
from editor.posing.edit import TargetPose, TargetPoses
from editor.posing.keying import offsets_between, seen_pose, target_pose
from editor.posing.pose import Pose
from model.roles import Role
from model.rotation import angle_between, from_rotation_vector, multiply
from model.time_map import shifted
from tests.clips import random_motion
from tests.editor.evaluated import Asked, after, take_of
from tests.editor.posing.bodies import joint, place, turned_most

FRAME, TIME = 45, 1.5


@pytest.fixture(scope="module")
def take():
    return take_of(random_motion(91))


def shown(take, edit, frame=FRAME):
    """The pose at a frame after an edit, as the evaluator works it out."""
    return Pose.of(after(take, edit).take.motion, frame)


def same(one, other, within=1e-9):
    return turned_most(one, other) < within and np.allclose(one.root_position, other.root_position, atol=within)


@pytest.mark.parametrize("size", [0.1, 1.0, 3.0, 6.0])
def test_offsets_lead_from_one_pose_to_the_other(take, size):
    rng = np.random.default_rng(1)
    before = Pose.of(take.motion, FRAME)
    turns = from_rotation_vector(size * rng.normal(size=(22, 3)) / 2.0)
    wanted = before.with_rotations(multiply(turns, before.local_rotations), before.root_position + rng.normal(size=3))
    offsets, move = offsets_between(before, wanted)
    assert same(shown(take, TargetPoses((TargetPose(TIME, offsets, move),))), wanted)


def test_half_turns_and_more_are_written_near_what_is_asked(take):
    before = Pose.of(take.motion, FRAME)
    elbow = joint(before, Role.LEFT_ELBOW)
    vector = np.array([0.0, 4.0, 0.0])
    wanted = turn(before, elbow, vector, "parent").pose
    (((_, short),), _) = offsets_between(before, wanted)
    (((_, long),), _) = offsets_between(before, wanted, near={elbow: np.array([0.1, 3.5, 0.0])})
    assert np.linalg.norm(short) == pytest.approx(2.0 * np.pi - 4.0)
    assert np.allclose(long, vector)


def test_equal_poses_have_no_offsets(take):
    pose = Pose.of(take.motion, FRAME)
    assert offsets_between(pose, pose) == ((), (0.0, 0.0, 0.0))


def test_seen_pose_is_what_the_evaluator_shows(take):
    names = take.motion.skeleton
    edit = TargetPoses((
        TargetPose(1.2, ((names.ref(5), (0.4, 0.1, 0.0)), (names.ref(8), (0.0, 1.0, 0.3))), (0.1, 0.2, 0.0)),
        TargetPose(1.7, ((names.ref(5), (-0.4, 0.1, 0.5)),), strength=0.5),
    ))  # fmt: skip
    for frame in (20, 40, 45, 51, 80):
        assert same(seen_pose(take, frame, edit, frame / 30.0), shown(take, edit, frame), 1e-12)
    assert same(seen_pose(take, FRAME, None, TIME), Pose.of(take.motion, FRAME), 1e-12)


def neighbour(take):
    """A pose a little earlier, which fades into the moment that is worked on."""
    skeleton = take.motion.skeleton
    head, elbow = (skeleton.ref(skeleton.joint(role)) for role in (Role.HEAD, Role.LEFT_ELBOW))
    return TargetPose(1.3, ((head, (0.5, 0.0, 0.0)), (elbow, (0.0, -0.8, 0.0))), (0.1, -0.1, 0.0))


def test_drag_over_a_fade_shows_what_was_dragged_and_leaves_the_rest(take):
    edit = TargetPoses((neighbour(take),))
    seen = seen_pose(take, FRAME, edit, TIME)
    hand = joint(seen, Role.LEFT_WRIST)
    wanted = drag(seen, hand, place(seen, hand) + np.array([0.02, 0.05, 0.03])).pose
    new = target_pose(take, FRAME, edit, TIME, seen, wanted)
    named = {ref.role for ref, _ in new.offsets}
    assert named == {Role.LEFT_SHOULDER, Role.LEFT_ELBOW, Role.LEFT_WRIST}
    assert new.root_move_m == (0.0, 0.0, 0.0)
    both = TargetPoses((*edit.poses, new))
    assert same(shown(take, both), wanted)
    head = joint(seen, Role.HEAD)
    one, other = (after(take, each).take.motion.local_rotations[:, head] for each in (edit, both))
    assert np.array_equal(one, other)  # the head's fade is not cut short
    elbow = joint(seen, Role.LEFT_ELBOW)  # nor is what the other pose says changed at its own moment
    one, other = (shown(take, each, 39).local_rotations[elbow] for each in (edit, both))
    assert angle_between(one, other) < 1e-9


def test_root_that_was_dragged_is_told_in_full(take):
    edit = TargetPoses((neighbour(take),))
    seen = seen_pose(take, FRAME, edit, TIME)
    wanted = drag(seen, 0, seen.root_position + np.array([0.0, -0.2, 0.1])).pose
    new = target_pose(take, FRAME, edit, TIME, seen, wanted)
    assert new.offsets == ()
    assert same(shown(take, TargetPoses((*edit.poses, new))), wanted)


def test_second_drag_at_one_moment_keeps_what_the_first_said(take):
    first = TargetPose(TIME, neighbour(take).offsets, (0.0, 0.1, 0.0), before_s=0.3, after_s=0.8, strength=0.5)
    edit = TargetPoses((first,))
    seen = seen_pose(take, FRAME, edit, TIME)
    wanted = turn(seen, joint(seen, Role.RIGHT_ELBOW), np.array([0.3, 0.2, 0.1])).pose
    new = target_pose(take, FRAME, edit, TIME, seen, wanted)
    assert {ref.role for ref, _ in new.offsets} == {Role.HEAD, Role.LEFT_ELBOW, Role.RIGHT_ELBOW}
    assert (new.before_s, new.after_s, new.strength) == (0.3, 0.8, 1.0)
    assert same(shown(take, TargetPoses((new,))), wanted)


def test_joint_turned_back_to_nothing_still_speaks(take):
    edit = TargetPoses((neighbour(take),))
    seen, before = seen_pose(take, FRAME, edit, TIME), Pose.of(take.motion, FRAME)
    head = joint(seen, Role.HEAD)
    rotations = np.array(seen.local_rotations)
    rotations[head] = before.local_rotations[head]
    wanted = seen.with_rotations(rotations)
    new = target_pose(take, FRAME, edit, TIME, seen, wanted)
    assert same(shown(take, TargetPoses((*edit.poses, new))), wanted)


def test_root_moved_back_to_nothing_still_speaks(take):
    edit = TargetPoses((neighbour(take),))
    seen, before = seen_pose(take, FRAME, edit, TIME), Pose.of(take.motion, FRAME)
    wanted = seen.with_rotations(seen.local_rotations, before.root_position)
    new = target_pose(take, FRAME, edit, TIME, seen, wanted)
    assert same(shown(take, TargetPoses((*edit.poses, new))), wanted)


def test_times_are_those_of_the_source(take):
    context = Asked(time_map=shifted(-0.5))
    seen = Pose.of(take.motion, FRAME)
    wanted = turn(seen, joint(seen, Role.HEAD), np.array([0.3, 0.2, 0.1])).pose
    new = target_pose(take, FRAME, None, TIME + 0.5, seen, wanted)
    result = TargetPoses((new,)).apply(take, context)
    assert np.max(angle_between(result.motion.local_rotations[FRAME], wanted.local_rotations)) < 1e-9
