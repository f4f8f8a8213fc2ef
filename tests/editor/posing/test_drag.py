from itertools import pairwise

import numpy as np
import pytest

from editor.posing.body import body_of
from editor.posing.drag import drag, look_at, turn
from editor.posing.pose import Pin, Pose
from model.motion import rest_motion
from model.roles import Role
from model.rotation import angle_between, conjugate, from_rotation_vector, multiply, rotate
from model.skeleton import Skeleton
from tests.clips import X, Y, Z, figure, waving_figure
from tests.editor.posing.bodies import BODIES, feet_pinned, folds, joint, place, pose_of, turned_most

ARMS = [Role.LEFT_WRIST, Role.RIGHT_WRIST]
LEGS = [Role.LEFT_ANKLE, Role.RIGHT_ANKLE]


def standing():
    return Pose.of(waving_figure(60), 5)


def missed(posed, at):
    return next((miss.distance_m for miss in posed.misses if miss.joint == at), 0.0)


def assert_pinned(pose, pins, within_m=1e-3):
    for pin in pins:
        assert np.linalg.norm(place(pose, pin.joint) - pin.position) < within_m
        if pin.rotation is not None:
            assert angle_between(pose.world.rotations[pin.joint], pin.rotation) < 1e-3


def random_places(limb, pose, count, seed):
    """Places that a limb reaches by itself, all round its root."""
    rng = np.random.default_rng(seed)
    root, middle, end = (place(pose, one) for one in limb.joints)
    reach = np.linalg.norm(middle - root) + np.linalg.norm(end - middle)
    directions = rng.normal(size=(count, 3))
    directions /= np.linalg.norm(directions, axis=-1, keepdims=True)
    return root + directions * reach * rng.uniform(0.45, 0.75, (count, 1))


# Limbs


@pytest.mark.parametrize("name", BODIES)
def test_limb_meets_every_place_in_its_reach_and_nothing_else_moves(name):
    pose = pose_of(name, 1)
    for n, limb in enumerate(body_of(pose.skeleton).limbs):
        others = [one for one in range(len(pose.skeleton)) if one not in pose.skeleton.subtree(limb.joints[0])]
        for goal in random_places(limb, pose, 8, n):
            posed = drag(pose, limb.joints[2], goal)
            assert posed.misses == ()
            assert np.allclose(place(posed.pose, limb.joints[2]), goal, atol=1e-6)
            assert np.allclose(posed.pose.world.positions[others], pose.world.positions[others], atol=1e-9)


@pytest.mark.parametrize("name", BODIES)
def test_limb_folds_the_way_it_did(name):
    pose = pose_of(name, 2)
    for n, limb in enumerate(body_of(pose.skeleton).limbs):
        before = folds(pose, limb)
        hinge = pose.hinges.get(limb.joints[0], before)
        clear = np.linalg.norm(before) > 0.35 * np.prod([
            np.linalg.norm(place(pose, limb.joints[k + 1]) - place(pose, limb.joints[k])) for k in range(2)
        ])  # fmt: skip
        if not clear and limb.joints[0] not in pose.hinges:
            continue  # a limb that is straight all through the clip has no way that it was bent
        for goal in random_places(limb, pose, 8, n):
            after = folds(drag(pose, limb.joints[2], goal).pose, limb)
            assert after @ (before if clear else hinge) > 0.0


def test_straight_limbs_bend_as_knees_and_elbows_do():
    pose = Pose.of(rest_motion(figure()), 0)
    for role, middle, way in [
        (Role.LEFT_ANKLE, Role.LEFT_KNEE, Z), (Role.RIGHT_ANKLE, Role.RIGHT_KNEE, Z),
        (Role.LEFT_WRIST, Role.LEFT_ELBOW, -Z), (Role.RIGHT_WRIST, Role.RIGHT_ELBOW, -Z),
    ]:  # fmt: skip
        end, bent = joint(pose, role), joint(pose, middle)
        root = place(pose, body_of(pose.skeleton).limb_with(end).joints[0])
        goal = root + 0.7 * (place(pose, end) - root)
        result = drag(pose, end, goal).pose
        assert (place(result, bent) - 0.5 * (root + goal)) @ way > 0.05


@pytest.mark.parametrize("role", [*ARMS, *LEGS])
def test_end_keeps_its_orientation_unless_told_to_go_with_the_limb(role):
    pose = standing()
    end = joint(pose, role)
    goal = place(pose, end) + np.array([0.05, 0.2, 0.1])
    kept = drag(pose, end, goal).pose
    assert angle_between(kept.world.rotations[end], pose.world.rotations[end]) < 1e-9
    carried = drag(pose, end, goal, keep_orientation=False).pose
    assert np.allclose(carried.local_rotations[end], pose.local_rotations[end])
    assert np.allclose(place(carried, end), goal, atol=1e-6)


@pytest.mark.parametrize("name", BODIES)
def test_drag_to_where_the_handle_is_changes_nothing(name):
    pose = pose_of(name, 3)
    pins = feet_pinned(pose)
    body = body_of(pose.skeleton)
    for handle in {one for limb in body.limbs for one in limb.joints} | {0, *body.neck, *body.trunk}:
        posed = drag(pose, handle, place(pose, handle), pins)
        assert posed.misses == ()
        assert turned_most(posed.pose, pose) < 1e-6


def test_swivel_of_a_straight_limb_starts_where_it_is():
    pose = Pose.of(rest_motion(figure()), 0)
    elbow = joint(pose, Role.LEFT_ELBOW)
    poses = [drag(pose, elbow, place(pose, elbow) + away * Y).pose for away in np.linspace(0.0, 0.2, 80)]
    assert turned_most(poses[0], pose) < 1e-9
    assert max(turned_most(one, other) for one, other in pairwise(poses)) < 0.3
    assert turned_most(poses[-1], pose) > 1.0


def test_body_follows_a_hand_beyond_its_reach_and_feet_hold():
    pose = standing()
    pins = feet_pinned(pose)
    shoulder = place(pose, joint(pose, Role.LEFT_SHOULDER))
    hand = joint(pose, Role.LEFT_WRIST)
    for way in (np.array([0.3, 0.0, 0.7]), np.array([0.75, 0.1, 0.0]), np.array([0.1, -1.1, 0.4])):
        posed = drag(pose, hand, shoulder + way, pins)
        assert posed.misses == ()
        assert np.allclose(place(posed.pose, hand), shoulder + way, atol=1e-4)
        assert_pinned(posed.pose, pins)
        assert np.linalg.norm(place(posed.pose, joint(pose, Role.CHEST)) - place(pose, joint(pose, Role.CHEST))) > 0.02


def test_hand_without_pins_is_met_anywhere():
    pose = standing()
    for role in (*ARMS, *LEGS):
        goal = np.array([3.0, 1.0, -2.0])
        posed = drag(pose, joint(pose, role), goal)
        assert np.allclose(place(posed.pose, joint(pose, role)), goal, atol=1e-4), role
        assert posed.misses == ()


@pytest.mark.parametrize("name", BODIES)
def test_pins_hold_however_far_the_handle_is_dragged_and_what_is_missed_is_told(name):
    rng = np.random.default_rng(6)
    pose = pose_of(name, 4)
    body = body_of(pose.skeleton)
    every = [*feet_pinned(pose), Pin.of(pose, joint(pose, Role.RIGHT_WRIST))]
    for handle in (*(limb.joints[2] for limb in body.limbs), body.hub, *body.neck[-1:]):
        pins = [pin for pin in every if pin.joint != handle]
        goal = place(pose, handle) + rng.normal(size=3) * 1.5
        posed = drag(pose, handle, goal, every)
        assert_pinned(posed.pose, pins)
        assert missed(posed, handle) == pytest.approx(np.linalg.norm(place(posed.pose, handle) - goal), abs=1e-4)
        assert np.all(np.isfinite(posed.pose.local_rotations))


@pytest.mark.parametrize("name", BODIES)
def test_pins_hold_and_limbs_fold_as_they_did_whatever_is_dragged_however_much_is_pinned(name):
    rng = np.random.default_rng(11)
    for seed in range(6):
        pose = pose_of(name, seed)
        limbs = body_of(pose.skeleton).limbs
        before = [folds(pose, limb) for limb in limbs]
        for role in (*ARMS, *LEGS, Role.PELVIS, Role.CHEST, Role.HEAD):
            handle = joint(pose, role)
            some = [limb.joints[2] for limb in limbs if limb.joints[2] != handle and rng.random() < 0.7]
            pins = [Pin.of(pose, one) for one in some]
            posed = drag(pose, handle, place(pose, handle) + 0.15 * rng.normal(size=3), pins)
            assert_pinned(posed.pose, pins)
            for limb, was in zip(limbs, before, strict=True):
                now = folds(posed.pose, limb)
                sizes = np.linalg.norm(was), np.linalg.norm(now)
                assert min(sizes) < 0.01 or was @ now > 0.5 * sizes[0] * sizes[1], pose.skeleton.names[limb.joints[1]]


def test_goal_inside_the_shoulder_is_missed_by_what_an_arm_cannot_fold():
    pose = standing()
    hand, shoulder = (joint(pose, role) for role in (Role.LEFT_WRIST, Role.LEFT_SHOULDER))
    for away in np.linspace(-0.05, 0.05, 11):
        posed = drag(pose, hand, place(pose, shoulder) + away * Z)
        assert 0.03 < missed(posed, hand) < 0.25


# No flips


def paths(pose, handle, seed, steps=40):
    """A smooth way of the mouse from the handle, some tens of centimetres long."""
    rng = np.random.default_rng(seed)
    time = np.linspace(0.0, 1.0, steps)[:, None]
    return place(pose, handle) + sum(np.sin(2.2 * k * time) * rng.normal(size=3) * 0.4 / k for k in (1, 2, 3))


def assert_continuous(pose, handle, pins, goals):
    """No joint turns at once, however near two goals are: large turns shrink when the way between is halved."""
    before = drag(pose, handle, goals[0], pins).pose
    for start, stop in pairwise(goals):
        after = drag(pose, handle, stop, pins).pose
        here, there, near, far = start, stop, before, after
        for _ in range(7):
            if turned_most(near, far) < 0.25:
                break
            middle = 0.5 * (here + there)
            between = drag(pose, handle, middle, pins).pose
            if turned_most(near, between) > turned_most(between, far):
                there, far = middle, between
            else:
                here, near = middle, between
        assert turned_most(near, far) < 0.25, (pose.skeleton.names[handle], here)
        before = after


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("role", [Role.LEFT_WRIST, Role.RIGHT_ANKLE, Role.PELVIS, Role.HEAD])
def test_nothing_flips_along_any_way(name, role):
    pose = pose_of(name, 5)
    handle = joint(pose, role)
    assert_continuous(pose, handle, feet_pinned(pose), paths(pose, handle, 7, steps=20))


@pytest.mark.parametrize("side", ["left", "right"])
def test_arm_that_hangs_is_raised_overhead_and_round_without_a_flip(side):
    pose = standing()
    hand, shoulder = joint(pose, Role(f"{side}_wrist")), joint(pose, Role(f"{side}_shoulder"))
    angles = np.linspace(0.0, 2.0 * np.pi, 60)
    for across in (-0.1, 0.0, 0.1):  # round in front, up, behind and back down; before and behind straight overhead
        circle = np.stack([0.0 * angles, -0.4 * np.cos(angles), 0.4 * np.sin(angles)], axis=-1)
        goals = place(pose, shoulder) + circle + across * X * (1.0 if side == "left" else -1.0)
        poses = [drag(pose, hand, goal).pose for goal in goals]
        turns = [turned_most(one, other) for one, other in pairwise(poses)]
        assert max(turns) < 0.6


@pytest.mark.parametrize("through", [Role.LEFT_SHOULDER, Role.LEFT_CLAVICLE])
def test_hand_dragged_through_the_shoulder_does_not_snap(through):
    pose = standing()
    hand = joint(pose, Role.LEFT_WRIST)
    start = place(pose, joint(pose, through)) + 0.02 * Y
    assert_continuous(pose, hand, (), [start + away * Z for away in np.linspace(-0.4, 0.4, 30)])


def test_same_goal_gives_the_same_pose_to_the_last_bit():
    pose = standing()
    hand = joint(pose, Role.LEFT_WRIST)
    goal = place(pose, hand) + np.array([0.3, 0.4, 0.5])
    first = drag(pose, hand, goal, feet_pinned(pose)).pose
    drag(pose, hand, goal + 0.3, feet_pinned(pose))
    assert np.array_equal(first.local_rotations, drag(pose, hand, goal, feet_pinned(pose)).pose.local_rotations)


# The body


def test_pelvis_goes_where_it_is_dragged_and_pinned_legs_bend():
    pose = standing()
    pins = feet_pinned(pose)
    goal = place(pose, 0) - 0.35 * Y
    posed = drag(pose, 0, goal, pins)
    assert posed.misses == ()
    assert np.allclose(place(posed.pose, 0), goal, atol=1e-6)
    assert_pinned(posed.pose, pins, 1e-6)
    for role in (Role.LEFT_KNEE, Role.RIGHT_KNEE):
        assert (place(posed.pose, joint(pose, role)) - place(pose, joint(pose, role)))[2] > 0.1  # knees go forward
    trunk = [joint(pose, role) for role in (Role.CHEST, Role.HEAD, Role.LEFT_WRIST)]
    assert np.allclose(posed.pose.local_rotations[trunk], pose.local_rotations[trunk])


def test_pelvis_stops_before_a_pin_breaks():
    pose = standing()
    pins = feet_pinned(pose)
    posed = drag(pose, 0, place(pose, 0) + 0.4 * Y, pins)
    assert_pinned(posed.pose, pins)
    (miss,) = posed.misses
    assert miss.joint == 0
    assert 0.3 < miss.distance_m < 0.4


@pytest.mark.parametrize("role", [Role.CHEST, Role.HEAD, Role.NECK, Role.LEFT_SHOULDER])
def test_upper_body_goes_where_it_is_dragged(role):
    pose = standing()
    pins = feet_pinned(pose)
    handle = joint(pose, role)
    goal = place(pose, handle) + np.array([0.05, -0.04, 0.1])
    posed = drag(pose, handle, goal, pins)
    assert posed.misses == ()
    assert np.allclose(place(posed.pose, handle), goal, atol=1e-4)
    assert_pinned(posed.pose, pins)
    assert angle_between(posed.pose.local_rotations[1], pose.local_rotations[1]) > 0.01  # the spine bends


def test_head_that_is_moved_keeps_looking_where_it_did():
    pose = standing()
    head = joint(pose, Role.HEAD)
    result = drag(pose, head, place(pose, head) + np.array([0.1, -0.05, 0.1]), feet_pinned(pose)).pose
    assert angle_between(result.world.rotations[head], pose.world.rotations[head]) < 1e-9


@pytest.mark.parametrize("role", [Role.LEFT_ELBOW, Role.RIGHT_ELBOW, Role.LEFT_KNEE, Role.RIGHT_KNEE])
def test_elbow_and_knee_swivel_about_the_line_between_the_ends(role):
    pose = standing()
    middle = joint(pose, role)
    root, _, end = body_of(pose.skeleton).limb_with(middle).joints
    axis = place(pose, end) - place(pose, root)
    goal = place(pose, middle) + np.array([0.2, 0.1, -0.15])
    result = drag(pose, middle, goal).pose
    assert np.allclose(place(result, end), place(pose, end), atol=1e-9)
    assert angle_between(result.world.rotations[end], pose.world.rotations[end]) < 1e-9
    plane = np.cross(axis, goal - place(pose, root))
    way = place(result, middle) - place(pose, root)
    assert abs(way @ plane) < 1e-9 * np.linalg.norm(plane)
    assert np.cross(axis, way) @ plane > 0.0


def test_toe_and_finger_point_to_the_goal():
    pose = standing()
    toe, ankle = joint(pose, Role.LEFT_TOE), joint(pose, Role.LEFT_ANKLE)
    goal = place(pose, toe) + np.array([0.05, 0.05, 0.0])
    result = drag(pose, toe, goal).pose
    way, wanted = place(result, toe) - place(pose, ankle), goal - place(pose, ankle)
    assert np.linalg.norm(np.cross(way, wanted)) < 1e-9
    changed = np.flatnonzero(angle_between(result.local_rotations, pose.local_rotations) > 1e-9)
    assert changed.tolist() == [ankle]


def test_joints_of_a_thing_without_roles_are_pointed_too():
    chain = Skeleton(("a", "b", "c", "d"), (-1, 0, 1, 2), np.array([[0.0, 0.0, 0.0], *[[0.0, 0.3, 0.0]] * 3]))
    pose = Pose.of(rest_motion(chain), 0)
    goal = np.array([0.4, 0.5, 0.1])
    posed = drag(pose, 3, goal)
    assert np.linalg.norm(place(posed.pose, 3) - goal) < 0.01
    moved = drag(pose, 0, goal)
    assert np.allclose(moved.pose.root_position, goal, atol=1e-4)


def test_thing_with_a_root_of_its_own_leaves_the_body_where_it_is():
    body = figure()
    offsets = np.vstack([body.offsets, [[1.0, 1.0, 0.0]]])
    both = Skeleton((*body.names, "Ball"), (*body.parents, -1), offsets, body.end_sites, (*body.roles, None))
    pose, ball = Pose.of(rest_motion(both), 0), len(body)
    posed = drag(pose, ball, place(pose, ball) + 0.3 * Y, feet_pinned(pose))
    assert np.array_equal(posed.pose.root_position, pose.root_position)
    assert [miss.joint for miss in posed.misses] == [ball]


def test_pin_of_a_joint_that_nothing_can_hold_is_refused():
    pose = standing()
    with pytest.raises(ValueError, match="LeftToe"):
        drag(pose, 0, np.zeros(3), [Pin.of(pose, joint(pose, Role.LEFT_TOE))])


def test_inputs_are_not_changed():
    pose = standing()
    before = pose.local_rotations.copy()
    for handle in range(len(pose.skeleton)):
        drag(pose, handle, place(pose, handle) + 0.1, feet_pinned(pose))
    assert np.array_equal(pose.local_rotations, before)


# Turning


@pytest.mark.parametrize("space", ["local", "parent", "world"])
def test_joint_turns_about_the_axes_of_its_space(space):
    pose = Pose.of(waving_figure(60), 40)
    elbow = joint(pose, Role.RIGHT_ELBOW)
    vector = np.array([0.2, -0.4, 0.3])
    result = turn(pose, elbow, vector, space).pose
    q, above = from_rotation_vector(vector), pose.world.rotations[pose.skeleton.parents[elbow]]
    wanted = {
        "local": multiply(pose.world.rotations[elbow], q),
        "parent": multiply(multiply(above, q), pose.local_rotations[elbow]),
        "world": multiply(q, pose.world.rotations[elbow]),
    }[space]
    assert angle_between(result.world.rotations[elbow], wanted) < 1e-9
    assert np.allclose(place(result, elbow), place(pose, elbow))


def test_pinned_limbs_hold_while_the_body_turns():
    pose = standing()
    pins = [*feet_pinned(pose), Pin.of(pose, joint(pose, Role.LEFT_WRIST))]
    for turned in (0, joint(pose, Role.SPINE), joint(pose, Role.CHEST)):
        posed = turn(pose, turned, np.array([0.1, 0.25, 0.05]), "world", pins)
        assert posed.misses == ()
        assert_pinned(posed.pose, pins)


def test_turning_a_joint_of_a_pinned_limb_lets_its_pin_go():
    pose = standing()
    pins = feet_pinned(pose)
    hip, ankle = joint(pose, Role.LEFT_HIP), joint(pose, Role.LEFT_ANKLE)
    result = turn(pose, hip, np.array([-0.5, 0.0, 0.0]), pins=pins).pose
    assert np.linalg.norm(place(result, ankle) - place(pose, ankle)) > 0.2
    flexed = turn(pose, ankle, np.array([0.3, 0.0, 0.0]), pins=pins).pose
    assert np.allclose(place(flexed, ankle), place(pose, ankle), atol=1e-9)
    assert angle_between(flexed.world.rotations[ankle], pose.world.rotations[ankle]) == pytest.approx(0.3)


# Looking


@pytest.mark.parametrize("goal", [(1.0, 1.8, 1.0), (-2.0, 1.2, 1.0), (0.0, 2.2, 2.0), (0.3, 1.0, 1.0)])
def test_face_points_to_the_goal_and_neck_and_head_share_the_turn(goal):
    pose = standing()
    head, neck = joint(pose, Role.HEAD), joint(pose, Role.NECK)
    posed = look_at(pose, np.array(goal))
    assert posed.misses == ()
    face = rotate(posed.pose.world.rotations[head], Z)
    way = np.array(goal) - place(posed.pose, head)
    assert np.allclose(face, way / np.linalg.norm(way), atol=1e-3)
    shares = angle_between(posed.pose.local_rotations[[neck, head]], pose.local_rotations[[neck, head]])
    assert np.all(shares > 0.2 * np.sum(shares))
    others = [one for one in range(len(pose.skeleton)) if one not in (head, neck)]
    assert np.array_equal(posed.pose.local_rotations[others], pose.local_rotations[others])


def test_head_turns_no_farther_than_heads_do_and_tells_it():
    pose = standing()
    head = joint(pose, Role.HEAD)
    posed = look_at(pose, place(pose, head) + np.array([1.0, 0.0, -1.0]))
    body = conjugate(pose.world.rotations[joint(pose, Role.CHEST)])
    face = rotate(multiply(body, posed.pose.world.rotations[head]), Z)
    assert np.degrees(np.arctan2(face[0], face[2])) == pytest.approx(80.0, abs=3.0)
    assert posed.misses[0].angle_rad > 0.5


def test_head_follows_a_goal_all_round_without_a_jump():
    pose = standing()
    head = joint(pose, Role.HEAD)
    angles = np.linspace(0.0, 2.0 * np.pi, 721)
    goals = place(pose, head) + np.stack([np.sin(angles), 0.2 + 0.0 * angles, np.cos(angles)], axis=-1)
    poses = [look_at(pose, goal).pose for goal in goals[::4]]
    assert max(turned_most(one, other) for one, other in pairwise(poses)) < 0.2


def test_head_keeps_its_roll():
    pose = standing()
    head = joint(pose, Role.HEAD)
    tilted = turn(pose, head, 0.3 * rotate(pose.world.rotations[head], Z)).pose
    ahead = place(tilted, head) + rotate(tilted.world.rotations[head], Z)
    assert turned_most(look_at(tilted, ahead).pose, tilted) < 1e-6


def test_body_without_a_head_cannot_look():
    with pytest.raises(ValueError, match="no head"):
        look_at(Pose.of(rest_motion(Skeleton(("a",), (-1,), np.zeros((1, 3)))), 0), np.ones(3))
