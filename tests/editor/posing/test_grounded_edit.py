"""Target poses that the motion follows, as an edit: scope, strength, time and notes."""

from dataclasses import replace

import numpy as np
import pytest

from editor.posing.edit import TargetPose, TargetPoses
from editor.timing.edit import Retime, Trim
from model.clip import Layer, Take
from model.contacts import Contact, Contacts
from model.ground import Box, Ground
from model.roles import Role
from model.rotation import from_rotation_vector, multiply
from model.scope import Scope
from model.skeleton import JointRef
from tests.clips import stepping_figure
from tests.editor.evaluated import Asked, after, positions_at, same_take, take_of

HEAD = JointRef("Head", Role.HEAD)
LEFT_HIP, RIGHT_HIP = JointRef("LeftUpLeg", Role.LEFT_HIP), JointRef("RightUpLeg", Role.RIGHT_HIP)
LEFT_KNEE, RIGHT_KNEE = JointRef("LeftLeg", Role.LEFT_KNEE), JointRef("RightLeg", Role.RIGHT_KNEE)
CROUCH = ((LEFT_HIP, (-0.4, 0.0, 0.0)), (RIGHT_HIP, (-0.4, 0.0, 0.0)), (LEFT_KNEE, (0.7, 0.0, 0.0)),
          (RIGHT_KNEE, (0.7, 0.0, 0.0)), (HEAD, (0.3, 0.0, 0.0)))  # fmt: skip


@pytest.fixture(scope="module")
def take():
    """A walk of six seconds whose joints sway."""
    motion, _ = stepping_figure(seconds=6.0, fps=30.0, ground=0.3, turn=0.4)
    phases, sizes = np.random.default_rng(5).uniform(0.0, 6.0, size=(2, len(motion.skeleton), 3))
    sway = 0.006 * sizes * np.sin(np.arange(motion.frames)[:, None, None] * 2.0 * np.pi * 3.0 / 30.0 + phases)
    return take_of(replace(motion, local_rotations=multiply(from_rotation_vector(sway), motion.local_rotations)))


@pytest.fixture(scope="module")
def steady():
    """The same walk without sway, its contacts known."""
    motion, truth = stepping_figure(seconds=6.0, fps=30.0, ground=0.3)
    limbs = {f"{side.lower()}_foot": tuple(Contact(*one) for one in found) for side, found in truth.items()}
    return Take(motion, Contacts(motion.frames, limbs, 0.3))


def standing_on_both(take):
    """A frame in the middle in which both feet stand, and its moment."""
    both = take.contacts.mask("left_foot") & take.contacts.mask("right_foot")
    frame = int(min(np.flatnonzero(both), key=lambda frame: abs(frame - 90)))
    return frame, frame * take.motion.frame_time_s


def crouching(*moments, **values):
    return TargetPoses(tuple(TargetPose(time, CROUCH, **values) for time in moments), grounded=True)


def test_edit_is_solved_with_feet_on_the_ground(steady):
    frame, moment = standing_on_both(steady)
    plain, grounded = (after(steady, replace(crouching(moment), grounded=on)).take for on in (False, True))
    was, now = (one.motion.root_positions[:, 1] for one in (steady, grounded))
    assert np.array_equal(plain.motion.root_positions[:, 1], was)
    assert now[frame] < was[frame] - 0.03
    ankle = steady.motion.skeleton.joint(Role.LEFT_ANKLE)
    contact = next(one for one in steady.contacts.limbs["left_foot"] if one.stop > frame)
    for one, still in ((plain, False), (grounded, True)):
        moved = np.ptp(one.motion.world.positions[contact.start : contact.stop, ankle], axis=0)
        assert (np.max(moved) < 1e-6) == still
    assert grounded.contacts == steady.contacts


def test_edit_on_the_ground_takes_no_range_and_no_joints_but_plain_ones_do(take):
    for scope in (Scope(start_s=1.0), Scope(joints=(HEAD,))):
        with pytest.raises(ValueError, match="takes no joints and no range"):
            Layer("1", crouching(3.0), scope=scope)
        assert Layer("1", replace(crouching(3.0), grounded=False), scope=scope).acts


def test_no_strength_gives_the_take_and_little_strength_little(take):
    assert crouching(3.0).apply(take, Asked(strength=0.0)) is take
    little = after(take, (crouching(3.0), Scope(strength=1e-4))).take
    assert not same_take(little, take)
    assert np.max(np.abs(little.motion.world.positions - take.motion.world.positions)) < 0.002


def test_strength_of_layer_and_pose_are_the_same_share(take):
    layer = after(take, (crouching(3.0), Scope(strength=0.5))).take
    pose = after(take, crouching(3.0, strength=0.5)).take
    assert np.allclose(layer.motion.world.positions, pose.motion.world.positions, atol=1e-9)


def test_inputs_stay_as_they_are(take):
    copies = [np.array(array) for array in (take.motion.root_positions, take.motion.local_rotations)]
    after(take, crouching(1.0, 3.0))
    assert np.array_equal(copies[0], take.motion.root_positions)
    assert np.array_equal(copies[1], take.motion.local_rotations)


@pytest.mark.parametrize("frames", [0, 1, 2, 5, 20])
def test_short_clips_are_edited(take, frames):
    motion = take.motion.sliced(0, frames)
    short = Take(motion, take_of(motion).contacts if frames else Contacts(0, {}, 0.0))
    for moment in (0.0, 0.1, 3.0):
        stage = after(short, crouching(moment))
        assert np.all(np.isfinite(stage.take.motion.world.positions))


def test_body_without_roles_only_turns_its_joints(take):
    nameless = replace(take.motion, skeleton=take.motion.skeleton.with_roles([None] * len(take.motion.skeleton)))
    plain, grounded = (after(take_of(nameless), replace(crouching(3.0), grounded=on)).take for on in (False, True))
    assert np.allclose(plain.motion.world.positions, grounded.motion.world.positions)


def test_trim_before_or_behind_does_not_aim_it_elsewhere(take):
    alone = after(take, crouching(3.0))
    times = np.arange(75, 106) / 30.0
    for edits in ((Trim(0.5, 5.5), crouching(3.0)), (crouching(3.0), Trim(1.0, 5.0))):
        assert np.allclose(positions_at(alone, times), positions_at(after(take, *edits), times), atol=0.002)


def test_retiming_before_leaves_it_at_its_moment(take):
    alone, retimed = after(take, crouching(3.0)), after(take, Retime(((0.0, 0.5), (6.0, 0.8))), crouching(3.0))
    head = take.motion.skeleton.joint(Role.HEAD)
    lowest = [float(np.arange(60, 121)[np.argmin(positions_at(one, np.arange(60, 121) / 30.0)[:, head, 1])])
              for one in (alone, retimed)]  # fmt: skip
    assert abs(lowest[0] - lowest[1]) <= 3.0


def test_pose_whose_moment_is_cut_off_still_fades_in(take):
    result = after(take, Trim(0.0, 2.8), crouching(3.0)).take
    before = after(take, Trim(0.0, 2.8)).take
    assert np.max(np.abs(result.motion.world.positions[-1] - before.motion.world.positions[-1])) > 0.02
    assert np.array_equal(result.motion.local_rotations[:60], before.motion.local_rotations[:60])


def test_overridden_poses_are_told(steady):
    _, moment = standing_on_both(steady)
    lifted = ((LEFT_KNEE, (0.9, 0.0, 0.0)), (RIGHT_HIP, (0.4, 0.0, 0.0)))
    notes = after(steady, TargetPoses((TargetPose(moment, lifted),), grounded=True)).notes
    assert any("overrides the pose by" in note and " cm" in note for note in notes)
    assert all(f"at {moment:.2f} s" in note for note in notes)


def test_other_limb_lengths_hold_for_all_of_the_clip(take):
    pose = TargetPose(3.0, lengths=((LEFT_KNEE, 0.7), (RIGHT_KNEE, 0.7)))
    result = after(take, TargetPoses((pose,), grounded=True)).take.motion
    knee = result.skeleton.joint(Role.LEFT_KNEE)
    assert np.allclose(result.local_offsets[..., knee, :], 0.7 * take.motion.local_offsets[..., knee, :])
    assert np.all(result.root_positions[:, 1] < take.motion.root_positions[:, 1] - 0.05)
    half = after(take, (TargetPoses((pose,), grounded=True), Scope(strength=0.5))).take.motion
    assert np.allclose(half.skeleton.offsets[knee], 0.85 * take.motion.skeleton.offsets[knee])


def test_bones_of_no_length_are_refused():
    with pytest.raises(ValueError, match="lengths"):
        TargetPose(1.0, lengths=((LEFT_KNEE, 0.0),))


def test_longer_step_takes_feet_onto_a_box_that_they_did_not_reach_before(steady):
    _, moment = standing_on_both(steady)
    ankle, tip = (steady.motion.skeleton.joint(role) for role in (Role.LEFT_ANKLE, Role.LEFT_TOE))
    last = steady.contacts.limbs["left_foot"][-1]
    edge = float(np.max(steady.motion.world.positions[last.start : last.stop, tip, 2])) + 0.1
    box = Ground(0.3, (Box((0.0, edge + 10.0), (4.0, 20.0), 0.1),))
    lifts = {}
    for side in (-1.0, 1.0):
        stride = ((LEFT_HIP, (-0.3 * side, 0.0, 0.0)), (RIGHT_HIP, (0.3 * side, 0.0, 0.0)))
        result = after(replace(steady, ground=box), TargetPoses((TargetPose(moment, stride),), grounded=True)).take
        assert result.ground == box
        moved = result.motion.world.positions[last.start, ankle] - steady.motion.world.positions[last.start, ankle]
        lifts[moved[2] > 0.1] = moved[1]
    assert np.isclose(lifts[True], 0.1, atol=0.005)
    assert np.isclose(lifts[False], 0.0, atol=0.005)


def test_what_contacts_took_is_marked_at_the_moment_of_each_pose(steady):
    frame, moment = standing_on_both(steady)
    tipped = ((JointRef("LeftFoot", Role.LEFT_ANKLE), (0.5, 0.0, 0.0)),)
    beside = moment + 0.2 * steady.motion.frame_time_s  # a pose need not stand on a frame
    stage = after(steady, TargetPoses((TargetPose(beside, tipped),), grounded=True))
    ((at_s, text),) = stage.marks
    assert at_s == beside
    assert text == stage.notes[0]
    assert f"{frame * steady.motion.frame_time_s:.2f} s" in text


def test_many_overrides_are_told_in_few_words_and_marked_one_by_one(steady):
    tipped = ((JointRef("LeftFoot", Role.LEFT_ANKLE), (0.5, 0.0, 0.0)),)
    middles = [(one.start + one.stop) / 2 * steady.motion.frame_time_s for one in steady.contacts.limbs["left_foot"]]
    stage = after(steady, TargetPoses(tuple(TargetPose(at_s, tipped) for at_s in middles), grounded=True))
    assert len(middles) > 3
    (note,) = stage.notes
    assert note.startswith(f"Contacts override {len(middles)} of {len(middles)} poses, by up to ")
    assert len(stage.marks) == len(middles)
