from dataclasses import replace

import numpy as np
import pytest

from editor.posing.grounded.asked import BODY, FLIGHT, PoseChange
from editor.posing.grounded.solve import solve
from editor.quality import figures as quality
from model.contacts import FEET, Contact, Contacts
from model.ground import Box, Ground, Ramp, Stairs
from model.placing import turned
from model.roles import Role
from model.rotation import angle_between
from tests.clips import DATA, data_name, needs_data, recorded, stepping_figure, waving_figure
from tests.editor.posing.grounded.asking import CROUCH, HELD_S, KINDS, Clip

RECORDED = recorded(*(f"cmu-bvh/{name}.bvh" for name in (
    "02_01", "09_01", "13_26", "16_01", "16_15", "16_31", "18_08", "35_17", "77_02", "49_06", "104_06", "104_41",
    "111_37", "127_04",
)), *(f"other-bvh/{name}.bvh" for name in (
    "accad_male1/Male1_B22_SideStepLeft", "accad_male1/Male1_C04_RunToWalk", "bandai/dataset-1_walk_old_001",
    "bandai/dataset-2_run_normal_001", "lafan1_walk4_subject1", "xia/strutting_01_000", "rokoko_jesse_dance",
)))  # fmt: skip


@pytest.fixture(scope="module")
def walk():
    return Clip.sample("walk")


@pytest.fixture(scope="module")
def run():
    return Clip.sample("run")


@pytest.fixture(scope="module")
def stand():
    return Clip.sample("stand")


def front_and_back(clip, frame, degrees):
    """Hips turned so that the step at a frame becomes longer."""
    left, right = (
        clip.motion.world.positions[frame, clip.motion.skeleton.joint(role), 2]
        for role in (Role.LEFT_ANKLE, Role.RIGHT_ANKLE)
    )
    side = 1.0 if left > right else -1.0
    return {"left_hip": (-side * degrees, 0, 0), "right_hip": (side * degrees, 0, 0)}


# Identities


@pytest.mark.parametrize("name", ["walk", "run", "sneak"])
def test_nothing_asked_for_changes_nothing(name):
    clip = Clip.sample(name)
    assert clip.solve().motion is clip.motion
    assert clip.solve(clip.pose(100, head=(0, 0, 0))).motion is clip.motion


def test_targets_like_the_motion_leave_it_as_it_is(walk):
    # A pose of the smallest turn goes through every step of the solver.
    result = walk.solve(*(walk.pose(frame, head=(1e-7, 0, 0), pelvis=(0, 1e-9, 0)) for frame in walk.every(0.7)))
    assert np.max(np.abs(result.motion.world.positions - walk.motion.world.positions)) < 1e-8


@pytest.mark.parametrize("name", ["walk", "run", "stand", "march"])
def test_all_poses_turned_turn_the_clip(name):
    clip = Clip.sample(name)
    assert clip.quarter_turn_m() < 1e-9


@needs_data
@pytest.mark.parametrize("path", RECORDED, ids=data_name)
def test_recorded_clips_stay_as_they_are_and_turn_as_a_whole(path):
    clip = short(path)
    assert clip.identity_m() < 1e-9
    assert clip.quarter_turn_m() < 1e-9


def test_body_above_the_legs_is_turned_without_moving_root_or_legs(walk):
    pose = walk.pose(150, spine=(15, 5, 0), left_shoulder=(0, 0, 30), head=(0, 20, 0))
    result = walk.solve(pose).motion
    assert np.array_equal(result.root_positions, walk.motion.root_positions)
    legs = [joint for _, _, limb in walk.limbs() for joint in walk.motion.skeleton.subtree(limb.root)]
    assert np.array_equal(result.local_rotations[:, legs], walk.motion.local_rotations[:, legs])
    assert walk.off_targets_deg([pose], result) < 1e-6


def test_motion_is_as_it_was_before_a_pose_and_only_elsewhere_behind_it(walk):
    solution = walk.solve(walk.pose(180, 0.3, **front_and_back(walk, 180, 8)))
    start, stop = solution.frames
    assert 0 < start < 180 < stop < walk.motion.frames
    result = solution.motion
    assert np.array_equal(result.local_rotations[:start], walk.motion.local_rotations[:start])
    assert np.array_equal(result.root_positions[:start], walk.motion.root_positions[:start])
    assert np.array_equal(result.local_rotations[stop:], walk.motion.local_rotations[stop:])
    moves = result.root_positions[stop:] - walk.motion.root_positions[stop:]
    assert np.allclose(moves, moves[0], atol=1e-12)
    assert abs(moves[0, 1]) < 1e-9


def test_frames_at_the_border_of_what_is_solved_join_those_beside_it(walk):
    solution = walk.solve(walk.pose(180, 0.3, **front_and_back(walk, 180, 8)))
    apart = solution.motion.world.positions - walk.motion.world.positions
    steps = np.max(np.linalg.norm(np.diff(apart, axis=0), axis=-1), axis=1)
    start, stop = solution.frames
    assert steps[start - 1] < 1e-6
    assert steps[stop - 1] < 1e-6


def test_bodies_without_limbs_on_the_ground_only_turn_their_joints(walk):
    nameless = Clip(walk.motion, Contacts(walk.motion.frames, {}, 0.0))
    pose = nameless.pose(150, left_hip=(-20, 0, 0), head=(0, 20, 0))
    result = nameless.solve(pose).motion
    assert nameless.off_targets_deg([pose], result) < 1e-6
    assert np.allclose(result.root_positions, walk.motion.root_positions)


# What is asked for is met, and contacts stay


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["walk", "run", "sneak", "march"])
def test_consistent_targets_are_met_and_contacts_kept(name, kind):
    check_consistent(Clip.sample(name), kind)


@needs_data
@pytest.mark.parametrize("path", RECORDED, ids=data_name)
def test_consistent_targets_are_met_and_contacts_kept_in_recorded_clips(path):
    clip = short(path)
    check_consistent(clip, "wide")
    check_consistent(clip, "turn")


def short(path):
    """At most 700 frames of a clip."""
    clip = Clip.read(path)
    return clip if clip.motion.frames <= 700 else Clip.of(clip.motion.sliced(0, 700))


def check_consistent(clip, kind):
    """Solve for poses that fit contacts, for they are those of a motion that keeps them."""
    figures = clip.figures(kind)
    assert figures.met_deg < 0.1
    assert figures.drift_cm < 0.1
    assert figures.deeper_cm < 0.1
    assert figures.swing_cm < 1.0


def test_wider_stance_makes_the_walk_longer_and_meets_the_stance(walk):
    frames = walk.double_supports()
    result = walk.solve(*(walk.pose(frame, **front_and_back(walk, frame, 9)) for frame in frames)).motion
    longer = result.root_positions[-1, 2] / walk.motion.root_positions[-1, 2]
    assert 1.15 < longer < 1.6
    assert walk.slips_cm(result) < 0.3
    assert walk.deeper_cm(result) < 0.1
    assert quality.measure(result, walk.contacts, [walk.motion]).jerk_ratio < 1.5
    ankles = [walk.motion.skeleton.joint(role) for role in (Role.LEFT_ANKLE, Role.RIGHT_ANKLE)]
    for frame in frames[1:-1]:
        before, after = (np.ptp(motion.world.positions[frame, ankles, 2]) for motion in (walk.motion, result))
        assert after > 1.15 * before


@pytest.mark.parametrize("degrees", [9, -8])
@pytest.mark.parametrize("name", ["walk", "sneak", "march"])
def test_feet_swing_as_high_as_they_did(name, degrees):
    clip = Clip.sample(name)
    poses = [clip.pose(frame, **front_and_back(clip, frame, degrees)) for frame in clip.double_supports()]
    result = clip.solve(*poses).motion
    for _, _, limb in clip.limbs():
        off = result.world.positions[:, limb.end, 1] - clip.motion.world.positions[:, limb.end, 1]
        assert np.max(np.abs(off)) < 0.003


def test_hunched_short_strides_shorten_the_walk(walk):
    hunch = {"spine": (14, 0, 0), "chest": (12, 0, 0), "neck": (8, 0, 0)}
    poses = [walk.pose(frame, **front_and_back(walk, frame, -8), **hunch) for frame in walk.double_supports()]
    result = walk.solve(*poses).motion
    assert result.root_positions[-1, 2] < 0.85 * walk.motion.root_positions[-1, 2]
    assert walk.slips_cm(result) < 0.1
    assert walk.deeper_cm(result) < 0.1
    assert quality.measure(result, walk.contacts, [walk.motion]).jerk_ratio < 1.5


def test_loose_run_meets_its_poses(run):
    stances = sorted((one.start + one.stop) // 2 for foot in FEET for one in run.contacts.limbs[foot])
    poses = [
        run.pose(frame, pelvis=(0, side, 0), spine=(0, -1.4 * side, 6), left_shoulder=(0, 0, 25))
        for frame, side in zip(stances, [10, -10] * len(stances), strict=False)
    ]
    result = run.solve(*poses).motion
    assert run.off_targets_deg(poses, result) < 0.1
    assert run.slips_cm(result) < 0.1
    assert quality.measure(result, run.contacts, [run.motion]).jerk_ratio < 1.2
    assert abs(result.root_positions[-1, 2] / run.motion.root_positions[-1, 2] - 1.0) < 0.05


def test_single_pose_makes_a_moving_hold_of_a_stand(stand):
    pose = stand.pose(100, HELD_S, left_shoulder=(-60, 0, 0), right_shoulder=(-60, 0, 0), **CROUCH)
    result = stand.solve(pose).motion
    lower = result.root_positions[:, 1] - stand.motion.root_positions[:, 1]
    assert np.all(lower < -0.05)
    assert stand.slips_cm(result) < 0.01
    moving = np.ptp(result.world.positions - result.world.positions[:1], axis=0)
    assert np.max(moving) > 0.5 * np.max(np.ptp(stand.motion.world.positions, axis=0))


@needs_data
def test_deeper_jump_crouches_with_feet_in_their_places():
    clip = Clip.read(DATA / "cmu-bvh/16_01.bvh")
    (flight,) = clip.contacts.flights()
    heights = clip.motion.root_positions[:, 1]
    low = [int(np.argmin(heights[: flight.start])), flight.stop + int(np.argmin(heights[flight.stop :]))]
    result = clip.solve(*(clip.pose(frame, 0.4, **CROUCH, spine=(15, 0, 0)) for frame in low)).motion
    assert np.all(result.root_positions[low, 1] < heights[low] - 0.1)
    assert clip.slips_cm(result) < 0.1
    assert clip.deeper_cm(result) < 0.1
    assert quality.measure(result, clip.contacts, [clip.motion]).jerk_ratio < 1.2
    shift = np.linalg.norm((result.root_positions - clip.motion.root_positions)[-1, [0, 2]])
    assert shift < 0.2


@needs_data
def test_cartwheel_keeps_hands_and_feet_in_their_places():
    clip = Clip.read(DATA / "cmu-bvh/49_06.bvh")
    assert all(clip.contacts.limbs[limb] for limb in ("left_hand", "right_hand", *FEET))
    spread = {
        "left_shoulder": (0, 0, 10),
        "right_shoulder": (0, 0, -10),
        "left_hip": (0, 0, 8),
        "right_hip": (0, 0, -8),
    }
    solution = clip.solve(*(clip.pose(frame, **spread) for frame in (42, 126, 210, 294, 378, 462)))
    assert clip.slips_cm(solution.motion) < 0.1
    assert clip.deeper_cm(solution.motion) < 0.1
    assert quality.measure(solution.motion, clip.contacts, [clip.motion]).jerk_ratio < 1.3


def test_hand_in_contact_stays_where_it_rests_while_the_body_leans():
    motion = waving_figure(120)
    both = {foot: (Contact(0, 120),) for foot in FEET}
    clip = Clip(motion, Contacts(120, {**both, "left_hand": (Contact(30, 90),)}, 0.0))
    lean = clip.pose(60, spine=(10, 0, 0), chest=(5, 0, 0))
    result = clip.solve(lean).motion
    assert clip.slips_cm(result) < 0.1
    hand = motion.skeleton.joint(Role.LEFT_WRIST)
    free = Clip(motion, Contacts(120, both, 0.0)).solve(lean).motion
    apart = np.linalg.norm(result.world.positions[60, hand] - free.world.positions[60, hand])
    assert apart > 0.02  # without the contact it goes along with the body


def test_inconsistent_heights_are_shared_by_both_feet_and_told(stand):
    pose = stand.pose(180, left_knee=(40, 0, 0), left_hip=(-20, 0, 0))
    solution = stand.solve(pose)
    assert stand.slips_cm(solution.motion) < 0.1
    left, right = sorted(solution.overrides, key=lambda one: one.limb)
    assert (left.limb, right.limb, left.frame) == ("left_foot", "right_foot", 180)
    assert left.distance_m > 0.01
    assert np.isclose(left.distance_m, right.distance_m, rtol=1e-6)


def test_feet_are_told_to_be_turned_elsewhere_where_a_pose_tips_them(stand):
    (override,) = stand.solve(stand.pose(180, left_ankle=(20, 0, 0))).overrides
    assert override.limb == "left_foot"
    assert np.isclose(np.degrees(override.angle_rad), 20.0, atol=0.5)


def test_limb_in_the_air_meets_its_pose_with_toes_and_all(walk):
    frame = next(frame for frame in walk.every(0.1) if frame > 100 and not walk.contacts.mask("left_foot")[frame])
    pose = walk.pose(frame, left_hip=(-15, 0, 5), left_knee=(20, 0, 0), left_ankle=(-10, 0, 0), left_toe=(-15, 0, 0))
    result = walk.solve(pose).motion
    for ref, vector in pose.offsets:
        joint = walk.motion.skeleton.resolve(ref)
        off = angle_between(result.local_rotations[frame, joint], walk.motion.local_rotations[frame, joint])
        assert np.isclose(off, np.linalg.norm(vector), atol=1e-4), ref
    assert walk.slips_cm(result) < 0.1


def test_pose_that_puts_a_swinging_foot_into_the_ground_is_lifted_out(walk):
    poses = [walk.pose(frame, pelvis=(10, 10, 3)) for frame in walk.every(0.6)]
    assert walk.deeper_cm(walk.solve(*poses).motion) < 0.1


def test_flight_is_higher_by_what_a_pose_asks_and_contacts_are_not(run):
    flight = next(one for one in run.contacts.flights() if one.start > 60)
    frame = (flight.start + flight.stop) // 2
    result = run.solve(run.pose(frame, 1.0, move=(0.0, 0.06, 0.0))).motion
    rise = result.root_positions - run.motion.root_positions
    assert np.allclose(rise[frame], (0.0, 0.06, 0.0), atol=1e-9)
    assert np.allclose(np.delete(rise, np.arange(flight.start, flight.stop), axis=0), 0.0, atol=1e-9)


def test_root_is_moved_over_planted_feet_by_a_pose_that_leaves_the_legs_alone(stand):
    solution = stand.solve(stand.pose(180, move=(0.04, -0.08, 0.0)))
    assert solution.overrides == ()
    result = solution.motion
    moved = result.root_positions[180] - stand.motion.root_positions[180]
    assert np.allclose(moved, (0.04, -0.08, 0.0), atol=0.003)
    assert stand.slips_cm(result) < 0.01
    assert np.allclose(result.root_positions[-1], stand.motion.root_positions[-1])


def test_body_is_raised_no_higher_than_its_legs_reach(stand):
    result = stand.solve(stand.pose(180, move=(0.0, 0.1, 0.0))).motion
    rise = result.root_positions[:, 1] - stand.motion.root_positions[:, 1]
    assert np.all(np.abs(rise) < 0.01)
    assert stand.slips_cm(result) < 0.01


# Other grounds


def across(clip, kind):
    """Something on the floor in a clip's way along Z."""
    start, way = clip.motion.root_positions[0, [0, 2]], np.array([0.0, clip.motion.root_positions[-1, 2]])
    at = [tuple((start + share * way).tolist()) for share in (0.3, 0.5, 0.7)]
    parts = {
        "box": {"boxes": (Box(at[1], (3.0, 1.2), 0.15),)},
        "boxes": {"boxes": tuple(Box(place, (3.0, 0.8), h) for place, h in zip(at, (0.1, 0.2, 0.12), strict=True))},
        "hurdle": {"boxes": (Box(at[1], (3.0, 0.12), 0.15),)},
        "stairs": {
            "stairs": (Stairs(at[0], 0.0, 3, 0.7, 0.12, 4.0),),
            "boxes": (Box((0.0, at[0][1] + 7.1), (4.0, 10.0), 0.36),),
        },
        "ramp": {"ramps": (Ramp(at[0], at[2], 4.0, (0.0, 0.3)),), "boxes": (Box((0.0, at[2][1] + 5), (4, 10), 0.3),)},
    }
    return Ground(clip.contacts.ground_m, **parts[kind])


@pytest.mark.parametrize("kind", ["box", "boxes", "hurdle", "stairs", "ramp"])
@pytest.mark.parametrize("name", ["walk", "march", "run"])
def test_feet_go_over_what_is_put_in_their_way(name, kind):
    check_ground(Clip.sample(name), kind)


@needs_data
@pytest.mark.parametrize("kind", ["boxes", "stairs"])
def test_recorded_feet_go_over_what_is_put_in_their_way(kind):
    clip = Clip.read(DATA / "cmu-bvh/35_01.bvh")
    turn = float(np.arctan2(*np.diff(clip.motion.root_positions[[0, -1]][:, [0, 2]], axis=0)[0]))
    straight = turned(clip.motion, -turn, clip.motion.root_positions[0], -clip.motion.root_positions[0] * [1, 0, 1])
    check_ground(Clip.of(straight), kind)


def check_ground(clip, kind):
    ground = across(clip, kind)
    result = clip.solve(ground=ground).motion
    if kind != "ramp":  # on which feet tilt
        assert clip.slips_cm(result) < 0.3
    before, after = (quality.contact_drifts(motion, clip.contacts) for motion in (clip.motion, result))
    assert np.max(after - before) < 0.001
    assert clip.deeper_cm(result, ground) < 0.1
    figures = quality.measure(result, clip.contacts, [clip.motion])
    assert figures.jerk_ratio < 1.5
    assert figures.stretch_percent < 1e-6
    for name, held, limb in clip.limbs():
        lifts = result.world.positions[:, limb.end, 1] - clip.motion.world.positions[:, limb.end, 1]
        under = ground.heights(result.world.positions[:, limb.end][:, [0, 2]]) - clip.contacts.ground_m
        for contact in held:
            part = slice(contact.start, contact.stop)
            assert np.max(lifts[part]) > np.median(under[part]) - 0.05, (name, contact)
    if kind != "hurdle":
        assert np.max(result.root_positions[:, 1] - clip.motion.root_positions[:, 1]) > 0.05


def test_poses_and_new_ground_go_together(walk):
    ground = across(walk, "stairs")
    poses = [walk.pose(frame, spine=(15, 0, 0), **front_and_back(walk, frame, -5)) for frame in walk.double_supports()]
    result = walk.solve(*poses, ground=ground).motion
    assert walk.slips_cm(result) < 0.3
    assert walk.deeper_cm(result, ground) < 0.1
    assert result.root_positions[-1, 2] < 0.95 * walk.motion.root_positions[-1, 2]


def test_ground_that_sinks_as_a_whole_takes_the_clip_along(walk):
    lower = Ground(walk.contacts.ground_m - 0.3)
    solution = walk.solve(ground=lower)
    result = solution.motion
    assert solution.contacts == replace(walk.contacts, ground_m=lower.height_m)
    assert np.allclose(result.root_positions, walk.motion.root_positions - [0.0, 0.3, 0.0], atol=1e-9)
    assert np.allclose(result.local_rotations, walk.motion.local_rotations, atol=1e-9)


def test_steps_that_the_ground_already_had_stay(walk):
    """Stepping off and on again comes back to much the same, for contacts are where they were."""
    ground = across(walk, "box")
    up = walk.solve(ground=ground).motion
    back = solve(up, walk.contacts, PoseChange(), ground, Ground(walk.contacts.ground_m)).motion
    assert Clip(up, walk.contacts).slips_cm(back) < 0.3
    for _, held, limb in walk.limbs():
        for one in held:
            part = slice(one.start, one.stop)
            was, now = (motion.world.positions[part, limb.end] for motion in (walk.motion, back))
            assert np.allclose(was, now, atol=0.003)


# Other bodies


@pytest.mark.parametrize("name", ["walk", "run"])
def test_short_limbs_take_short_steps_on_the_same_contacts(name):
    clip = Clip.sample(name)
    skeleton = clip.motion.skeleton
    parts = ("KNEE", "ANKLE", "ELBOW", "WRIST")
    short = [skeleton.ref(skeleton.joint(Role[f"{side}_{part}"])) for side in ("LEFT", "RIGHT") for part in parts]
    result = clip.solve(clip.pose(60, HELD_S, lengths=[(ref, 0.5) for ref in short])).motion
    knee = skeleton.joint(Role.LEFT_KNEE)
    assert np.allclose(result.skeleton.offsets[knee], 0.5 * skeleton.offsets[knee])
    assert clip.slips_cm(result) < 0.1
    assert clip.deeper_cm(result) < 0.1
    assert 0.35 < result.root_positions[-1, 2] / clip.motion.root_positions[-1, 2] < 0.85
    assert np.median(result.root_positions[:, 1]) < 0.65 * np.median(clip.motion.root_positions[:, 1])
    assert quality.jerk_p99(result) < 1.3 * quality.jerk_p99(clip.motion)


def test_made_steps_keep_their_places_to_a_hair():
    motion, truth = stepping_figure(seconds=5.0)
    limbs = {f"{side.lower()}_foot": tuple(Contact(*one) for one in found) for side, found in truth.items()}
    clip = Clip(motion, Contacts(motion.frames, limbs, 0.0))
    result = clip.solve(*(clip.pose(frame, **CROUCH) for frame in clip.every(0.9))).motion
    assert clip.slips_cm(result) < 0.01
    assert quality.measure(result, clip.contacts, [motion]).contact_drift_worst_cm < 0.05


def test_body_that_never_touches_the_ground_goes_as_it_is_moved():
    motion = waving_figure(120)
    clip = Clip(motion, Contacts(120, {}, 0.0))
    result = clip.solve(clip.pose(60, move=(0.1, 0.05, -0.2))).motion
    assert np.allclose(result.root_positions[60] - motion.root_positions[60], (0.1, 0.05, -0.2), atol=1e-9)
    assert np.allclose(result.root_positions[[0, -1]], motion.root_positions[[0, -1]])


def test_move_along_the_ground_in_flight_is_left_out_and_told(run):
    flight = next(one for one in run.contacts.flights() if one.start > 60)
    frame = (flight.start + flight.stop) // 2
    solution = run.solve(run.pose(frame, 1.0, move=(0.1, 0.0, 0.0)))
    assert np.allclose(solution.motion.root_positions, run.motion.root_positions, atol=1e-9)
    assert [(one.limb, one.frame) for one in solution.overrides] == [(FLIGHT, frame)]
    assert np.isclose(solution.overrides[0].distance_m, 0.1)


def test_body_that_must_be_lower_than_a_pose_has_it_is_told(walk):
    wide = [walk.pose(frame, **front_and_back(walk, frame, 25)) for frame in walk.double_supports()[2:4]]
    poses = [*wide, walk.pose(round(wide[0].time_s / walk.motion.frame_time_s) + 12, pelvis=(0, 1, 0))]
    solution = walk.solve(*poses)
    lowered = [one for one in solution.overrides if one.limb == BODY]
    assert lowered
    assert walk.slips_cm(solution.motion) < 0.3
