"""A motion on another body: the same movement, with feet and hands where they matter."""

from dataclasses import replace

import numpy as np
import pytest

from editor.contacts.detect import find_contacts
from editor.contacts.feet import find_limb, planted_point
from editor.gait.figure import Build, figure
from editor.gait.parameters import Gait
from editor.gait.procedural import generate
from editor.quality import figures as quality
from editor.retarget.carry import Plan, retargeted
from editor.retarget.character import BUILT_IN, built_in, character_from, character_of
from editor.retarget.mapping import Pair
from model.contacts import FEET, Contacts
from model.files.formats import read_motion
from model.motion import Motion, rest_motion
from model.roles import Role
from model.rotation import IDENTITY, angle_between, from_axis_angle
from model.skeleton import JointRef
from tests.clips import DATA, needs_data, random_motion, waving_figure
from tests.editor.retarget.bodies import (
    X,
    Y,
    Z,
    added_drift_cm,
    along_x,
    end_errors_cm,
    in_a_pose,
    jerk_ratio,
    plane_errors_deg,
    reframed,
    renamed,
    with_more_joints,
)

MAKES = {
    "CMU": "cmu-bvh/16_15.bvh",
    "ACCAD": "other-bvh/accad_male1/Male1_B3_Walk.bvh",
    "Bandai": "other-bvh/bandai/dataset-1_walk_normal_001.bvh",
    "100STYLE": "other-bvh/100style_rushed_reference.bvh",
    "LAFAN1": "other-bvh/lafan1_walk4_subject1.bvh",
    "Rokoko": "other-bvh/rokoko_jesse_dance.bvh",
    "Neuron": "other-bvh/neuron_milad_6ch_all_joints.bvh",
}
BUILDS = {
    "legs -30 %": Build(leg=0.7),
    "legs +30 %": Build(leg=1.3),
    "arms -30 %": Build(arm=0.7),
    "arms +30 %": Build(arm=1.3),
}


@pytest.fixture(scope="module")
def walk():
    return generate(Gait(), 4.0, 60.0)


def targets():
    return {
        **{name: built_in(name) for name in BUILT_IN},
        **{name: character_from(name, figure(1.75, build)) for name, build in BUILDS.items()},
        "more joints": character_from("more joints", with_more_joints()),
    }


@pytest.mark.parametrize("name", targets())
def test_feet_stay_planted_and_above_the_ground_on_every_build(walk, name):
    motion, contacts = walk
    character = targets()[name]
    plan = Plan.of(motion, character, (), contacts)
    result = retargeted(motion, contacts, character, plan=plan)
    assert result.skeleton is character.skeleton
    assert result.frame_time_s == motion.frame_time_s
    assert added_drift_cm(motion, result, contacts, plan.scale) < 0.2
    assert quality.penetration_cm(result, contacts.ground_m) < 0.3
    assert quality.stretch_percent(result) < 1e-6
    assert np.percentile(plane_errors_deg(motion, result), 99) < 10.0
    assert jerk_ratio(motion, result, plan) < 1.3
    for foot in FEET:
        ours, theirs = (planted_point(one, find_limb(one.skeleton, foot)) for one in (result, motion))
        down = contacts.mask(foot)
        assert np.allclose(ours[down][:, [0, 2]], plan.scale * theirs[down][:, [0, 2]], atol=0.002)


@pytest.mark.parametrize("name", targets())
def test_motion_comes_back_from_every_build(walk, name):
    motion, contacts = walk
    there = retargeted(motion, contacts, targets()[name])
    back = retargeted(there, contacts, character_of("walker", motion, contacts))
    assert np.mean(end_errors_cm(motion, back)) < 2.0


def test_bones_point_the_same_way_on_a_body_of_the_same_build(walk):
    motion, contacts = walk
    result = retargeted(motion, contacts, character_from("small", figure(1.2)))
    plan_scale = 1.2 / 1.75
    ours, theirs = (one.world.positions - one.root_positions[:, None] for one in (result, motion))
    assert np.allclose(ours, plan_scale * theirs, atol=2e-3)


@pytest.mark.parametrize("make", [waving_figure, random_motion], ids=["waving", "aimless"])
def test_motion_to_its_own_body_is_unchanged(make):
    motion = make()
    motion = replace(motion, root_positions=motion.root_positions + 0.6 * Y)  # nothing in the ground
    contacts = Contacts(motion.frames, {}, 0.0)
    result = retargeted(motion, contacts, character_of("self", motion))
    assert np.max(angle_between(result.local_rotations, motion.local_rotations)) < 1e-6
    assert np.allclose(result.world.positions, motion.world.positions, atol=1e-6)


@pytest.mark.parametrize("frames_of", [in_a_pose, along_x], ids=["A-pose", "no pose"])
def test_rest_pose_and_axes_of_either_body_make_no_difference(walk, frames_of):
    motion, contacts = walk
    other = renamed(reframed(motion, frames_of(motion.skeleton)))
    direct = retargeted(motion, contacts, built_in("child"))
    from_it = retargeted(other, contacts, built_in("child"))
    assert np.mean(end_errors_cm(direct, from_it)) < 0.5
    onto_it = retargeted(motion, contacts, character_of("other", other, contacts))
    assert np.mean(end_errors_cm(motion, onto_it)) < 0.5


def test_travel_is_scaled_about_the_pivot_and_with_the_legs(walk):
    motion, contacts = walk
    child = built_in("child")
    plan = Plan.of(motion, child, (), contacts)
    about_origin = retargeted(motion, contacts, child)
    about_start = retargeted(motion, contacts, child, pivot=motion.root_positions[0])
    way = np.ptp(motion.root_positions[:, 2])
    assert np.isclose(np.ptp(about_origin.root_positions[:, 2]), plan.scale * way, atol=0.02)
    apart = about_start.root_positions - about_origin.root_positions
    assert np.allclose(apart, apart[0], atol=1e-9)
    assert np.allclose(about_start.root_positions[0, [0, 2]], motion.root_positions[0, [0, 2]], atol=0.02)


def test_steps_go_with_the_legs_and_heights_with_the_hips(walk):
    """Thick soles make a body higher, not its steps longer."""
    motion, contacts = walk
    thick = figure()
    offsets = np.array(thick.offsets)
    for side in ("LEFT", "RIGHT"):
        offsets[thick.joint(Role[f"{side}_TOE"]), 1] -= 0.1
    character = character_from("thick soles", replace(thick, offsets=offsets))
    plan = Plan.of(motion, character, (), contacts)
    assert np.isclose(plan.scale, 1.0)
    assert plan.rise > 1.05
    result = retargeted(motion, contacts, character, plan=plan)
    assert np.isclose(np.ptp(result.root_positions[:, 2]), np.ptp(motion.root_positions[:, 2]), atol=0.02)
    assert np.mean(result.root_positions[:, 1] - motion.root_positions[:, 1]) > 0.05


def test_joints_that_tremble_against_each_other_do_not_shake_the_body(walk):
    motion, contacts = walk
    rng = np.random.default_rng(3)
    spine = [motion.skeleton.joint(role) for role in (Role.SPINE, Role.CHEST, Role.NECK, Role.LEFT_CLAVICLE)]
    offsets = np.tile(motion.skeleton.offsets, (motion.frames, 1, 1))
    offsets[:, spine] += rng.normal(0.0, 0.002, (motion.frames, len(spine), 3))
    shaking = replace(motion, local_offsets=offsets)
    plan = Plan.of(shaking, built_in("tall"), (), contacts)
    result = retargeted(shaking, contacts, built_in("tall"), plan=plan)
    assert jerk_ratio(shaking, result, plan) < 1.0
    calm = retargeted(motion, contacts, built_in("tall"))
    assert np.mean(end_errors_cm(calm, result)) < 1.0


def test_ground_stays_where_it_is(walk):
    motion, contacts = walk
    raised = replace(motion, root_positions=motion.root_positions + 0.7 * Y)
    low = retargeted(motion, contacts, built_in("tall"))
    high = retargeted(raised, replace(contacts, ground_m=contacts.ground_m + 0.7), built_in("tall"))
    assert np.allclose(high.root_positions - low.root_positions, [0.0, 0.7, 0.0], atol=1e-9)


def test_feet_on_a_step_stand_on_it_by_their_contacts(walk):
    """High above the floor angles count; but not for a foot that is known to stand."""
    motion, contacts = walk
    lowered = replace(contacts, ground_m=contacts.ground_m - 0.8)
    long_shanks = figure()
    offsets = np.array(long_shanks.offsets)
    for role, factor in (("KNEE", 0.8), ("ANKLE", 1.2)):
        for side in ("LEFT", "RIGHT"):
            offsets[long_shanks.joint(Role[f"{side}_{role}"])] *= factor
    character = character_from("long shanks", replace(long_shanks, offsets=offsets))
    plan = Plan.of(motion, character, (), lowered)
    held, loose = (retargeted(motion, known, character, plan=plan) for known in (lowered, replace(lowered, limbs={})))
    assert added_drift_cm(motion, held, contacts, plan.scale) < 0.2
    assert added_drift_cm(motion, loose, contacts, plan.scale) > 1.0


def posed(frames=8, **turns):
    """Our figure standing, some of its joints turned: by role, in degrees about an axis."""
    body = figure()
    rotations = np.tile(IDENTITY, (frames, len(body), 1))
    for role, (axis, degrees) in turns.items():
        rotations[:, body.joint(Role[role])] = from_axis_angle(axis, np.radians(degrees))
    return Motion(body, 1 / 30, np.tile(body.offsets[0], (frames, 1)), rotations, body.offsets)


def wrists_apart(motion):
    wrists = [motion.world.positions[:, motion.skeleton.joint(Role[f"{side}_WRIST"])] for side in ("LEFT", "RIGHT")]
    return float(np.max(np.linalg.norm(wrists[0] - wrists[1], axis=-1)))


def test_hands_that_meet_meet_on_broad_shoulders_too():
    motion = posed(LEFT_SHOULDER=(Y, -75.0), LEFT_ELBOW=(Y, -75.0), RIGHT_SHOULDER=(Y, 75.0), RIGHT_ELBOW=(Y, 75.0))
    assert wrists_apart(motion) < 0.15
    broad = character_from("broad", figure(1.75, Build(shoulders=1.6)))
    assert wrists_apart(retargeted(motion, Contacts(8, {}, 0.0), broad)) < wrists_apart(motion) + 0.02


def test_hands_far_from_everything_keep_their_angles():
    motion = posed(LEFT_SHOULDER=(Z, -30.0), RIGHT_ELBOW=(Y, 30.0))
    arms = [
        motion.skeleton.joint(Role[f"{side}_{part}"]) for side in ("LEFT", "RIGHT") for part in ("SHOULDER", "ELBOW")
    ]
    result = retargeted(motion, Contacts(8, {}, 0.0), built_in("stocky"))
    assert np.allclose(angle_between(result.local_rotations[:, arms], motion.local_rotations[:, arms]), 0.0, atol=1e-6)


def test_hands_on_the_ground_stay_there():
    motion = posed(SPINE=(X, 150.0), LEFT_SHOULDER=(Z, 65.0), RIGHT_SHOULDER=(Z, -65.0))
    wrist = motion.skeleton.joint(Role.LEFT_WRIST)
    lift = motion.world.positions[0, wrist, 1] - 0.1
    contacts = Contacts(8, {}, float(lift))  # the ground is just below the hands
    long_arms = character_from("long arms", figure(1.75, Build(arm=1.3)))
    plan = Plan.of(motion, long_arms, (), contacts)
    result = retargeted(motion, contacts, long_arms, plan=plan)
    there = result.world.positions[:, result.skeleton.joint(Role.LEFT_WRIST)]
    assert np.allclose(there[:, 1] - lift, plan.rise * 0.1, atol=0.01)


def test_correction_of_the_mapping_makes_a_joint_follow_another(walk):
    motion, contacts = walk
    plain = retargeted(motion, contacts, built_in("tall"))
    mapped = retargeted(motion, contacts, built_in("tall"), (Pair(JointRef("Head"), JointRef("LeftArm")),))
    assert not np.allclose(plain.local_rotations, mapped.local_rotations)
    still = retargeted(motion, contacts, built_in("tall"), (Pair(JointRef("Head"), None),))
    head = still.skeleton.joint(Role.HEAD)
    assert np.allclose(angle_between(still.local_rotations[:, head], IDENTITY), 0.0, atol=1e-6)


def test_bodies_without_roles_are_refused_by_name():
    motion = rest_motion(figure())
    nothing = replace(motion, skeleton=motion.skeleton.with_roles([None] * len(motion.skeleton)))
    contacts = Contacts(1, {}, 0.0)
    with pytest.raises(ValueError, match="the motion has no pelvis"):
        retargeted(nothing, contacts, built_in("child"))
    with pytest.raises(ValueError, match="thing has no pelvis"):
        retargeted(motion, contacts, character_from("thing", nothing.skeleton))


def test_inputs_stay_as_they_are_and_contacts_must_fit(walk):
    motion, contacts = walk
    before = np.array(motion.local_rotations), np.array(motion.root_positions)
    retargeted(motion, contacts, built_in("stocky"))
    assert np.array_equal(before[0], motion.local_rotations)
    assert np.array_equal(before[1], motion.root_positions)
    with pytest.raises(ValueError, match="contacts"):
        retargeted(motion, Contacts(3, {}, 0.0), built_in("child"))


def clip(make):
    motion = read_motion(DATA / MAKES[make]).motion
    return motion if motion.frames <= 300 else motion.sliced(100, 400)


@needs_data
@pytest.mark.parametrize(
    ("one", "other"), [("CMU", "LAFAN1"), ("ACCAD", "Bandai"), ("100STYLE", "Rokoko"), ("Neuron", "CMU")]
)
def test_recorded_motion_goes_to_other_makes_and_back(one, other):
    for name, whose in ((one, other), (other, one)):
        motion = clip(name)
        contacts = find_contacts(motion, hands=True)
        character = character_of(whose, clip(whose))
        plan = Plan.of(motion, character, (), contacts)
        there = retargeted(motion, contacts, character, plan=plan)
        back = retargeted(there, contacts, character_of(name, motion, contacts))
        assert np.mean(end_errors_cm(motion, back)) < 2.0
        assert np.percentile(plane_errors_deg(motion, there), 99) < 10.0
        assert added_drift_cm(motion, there, contacts, plan.scale) < 0.2
        assert quality.penetration_cm(there, contacts.ground_m) < 0.3


def on_hands(frames=40):
    """Our figure upside down with straight arms, its wrists a little over the ground; and no foot near it."""
    motion = posed(frames, PELVIS=(Z, 180.0), LEFT_SHOULDER=(Z, 85.0), RIGHT_SHOULDER=(Z, -85.0))
    wrist = motion.skeleton.joint(Role.LEFT_WRIST)
    return replace(motion, root_positions=motion.root_positions + (0.1 - motion.world.positions[0, wrist, 1]) * Y)


def bend_deg(motion):
    arm = (Role.LEFT_SHOULDER, Role.LEFT_ELBOW, Role.LEFT_WRIST)
    shoulder, elbow, wrist = (motion.world.positions[:, motion.skeleton.joint(role)] for role in arm)
    upper, lower = elbow - shoulder, wrist - elbow
    cosine = np.sum(upper * lower, axis=-1) / np.linalg.norm(upper, axis=-1) / np.linalg.norm(lower, axis=-1)
    return np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0)))


@pytest.mark.parametrize("arm", [0.7, 1.3])
def test_arms_that_carry_the_body_stay_as_straight_as_they_were(arm):
    motion = on_hands()
    character = character_from("other arms", figure(1.75, Build(arm=arm)))
    result = retargeted(motion, Contacts(motion.frames, {}, 0.0), character)
    assert np.max(np.abs(bend_deg(result) - bend_deg(motion))) < 10.0
    wrist = result.world.positions[:, result.skeleton.joint(Role.LEFT_WRIST), 1]
    assert np.allclose(wrist, 0.1, atol=0.01)


def test_hands_that_pass_by_each_other_quickly_do_not_jump():
    """Drawn together on broad shoulders, but not within a frame."""
    shut, apart = posed(1, LEFT_SHOULDER=(Y, -80.0), RIGHT_SHOULDER=(Y, 80.0)), posed(1)
    turns = np.repeat(apart.local_rotations, 60, axis=0)
    turns[30:33] = shut.local_rotations
    motion = Motion(apart.skeleton, 1 / 30, np.repeat(apart.root_positions, 60, axis=0), turns, apart.local_offsets)
    broad = character_from("broad", figure(1.75, Build(shoulders=1.6)))
    result = retargeted(motion, Contacts(60, {}, 0.0), broad)
    carried = retargeted(motion, Contacts(60, {}, 0.0), character_from("same", figure(1.75)))
    wrist = result.skeleton.joint(Role.LEFT_WRIST)
    about = [one.world.positions[:, wrist] - one.world.positions[:, wrist - 2] for one in (result, carried)]
    moved = np.linalg.norm(np.diff(about[0] - about[1], axis=0), axis=-1)
    assert np.max(moved) < 0.05


def test_body_without_roles_follows_what_is_paired_by_hand(walk):
    """Names that say nothing and no roles: every pair is a correction, and the result is that of roles."""
    motion, contacts = walk
    nobody = renamed(motion)
    nobody = replace(nobody, skeleton=nobody.skeleton.with_roles([None] * len(nobody.skeleton)))
    child = built_in("child")
    pairs = tuple(
        Pair(child.skeleton.ref(child.skeleton.joint(role)), nobody.skeleton.ref(motion.skeleton.joint(role)))
        for role in Role
        if child.skeleton.joint(role) is not None and motion.skeleton.joint(role) is not None
    )
    by_hand = retargeted(nobody, contacts, child, pairs)
    by_role = retargeted(motion, contacts, child)
    assert np.mean(end_errors_cm(by_role, by_hand)) < 0.5
