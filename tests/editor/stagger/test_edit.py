"""Staggered poses as an edit: what is asked for is what joints do, and feet stay where they stand."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from editor.contacts.detect import find_contacts
from editor.document.document import Document
from editor.extrema.correct import ExtremeCorrection, What
from editor.gait.parameters import Gait
from editor.gait.source import ProceduralGait
from editor.quality import figures as quality
from editor.stack.evaluator import Evaluator
from editor.stagger.by_hand import Round, StaggerChange
from editor.stagger.carrying_out import joint_moments
from editor.stagger.commands import (
    add_staggered_pose,
    ease_staggered_poses,
    move_knots,
    move_staggered_poses,
    remove_staggered_poses,
    reset_staggered_poses,
)
from editor.stagger.edit import StageTiming, Stagger
from editor.stagger.finding import evidence_of
from editor.stagger.poses import depths_below, top_of_body
from model.clip import Clip, Layer, Take
from model.contacts import FEET, Contacts
from model.files.formats import read_motion
from model.motion import Motion
from model.project import Project
from model.roles import Role
from model.rotation import angle_between, from_axis_angle, from_rotation_vector, multiply
from model.skeleton import JointRef, Skeleton
from resources import path_of
from tests.benchmarks.stagger import moved_prints
from tests.clips import DATA, needs_data
from tests.editor.evaluated import Asked, Given, after
from tests.editor.stagger.pendulum import FPS, angles_of, pendulum, swings

MIDDLE = slice(250, 751)
LOWER = JointRef("Lower")


def pendulum_take(**how):
    motion = pendulum(**how)
    return Take(motion, Contacts(motion.frames, {}, 0.0))


def last_round(edit, take):
    return edit.planned(evidence_of(take, edit.settings), take.motion.skeleton, StageTiming())[-1]


@pytest.fixture(scope="module")
def walk():
    return ProceduralGait(Gait(seed=3), seconds=5.0).make(Asked())


@pytest.mark.parametrize("frames", [15, 30])
@pytest.mark.parametrize("linear", [False, True], ids=["figure 7.9", "figure 7.10"])
def test_links_of_a_pendulum_are_as_late_as_asked_and_keep_their_shape(frames, linear):
    take = pendulum_take(linear=linear)
    late = after(take, Stagger(frames / FPS, quick_s=0.0)).take.motion
    for link in range(3):
        wanted = swings(np.arange(1001) - link * frames, linear)
        assert np.max(np.abs(angles_of(late)[:, link] - wanted)[MIDDLE]) < 0.01


@pytest.mark.parametrize("nonlinearity", [1.0, 2.0])
def test_extrema_move_by_what_is_asked_within_a_frame(walk, nonlinearity):
    edit = Stagger(0.03, nonlinearity, joint=JointRef("Chest", Role.CHEST))
    skeleton = walk.motion.skeleton
    late = after(walk, edit).take
    top = skeleton.joint(Role.CHEST)
    depths = depths_below(skeleton, top)
    plan = edit.plan(walk, StageTiming())
    for role in (Role.LEFT_SHOULDER, Role.RIGHT_ELBOW):
        joint = skeleton.joint(role)
        old, new = (turning_points(one.motion, joint) for one in (walk, late))
        inside = (old > 1.2) & (old < 3.4)
        assert np.sum(inside) >= 3
        asked = 0.03 * depths[joint] ** nonlinearity
        for moment in old[inside]:
            assert np.min(np.abs(new - moment - asked)) <= walk.motion.frame_time_s
    assert not np.any(plan.stopped[1:-1, depths == 0.0])


def turning_points(motion, joint):
    """(N,) the moments at which a joint turns back, by its own rotation about the axis that it turns about most."""
    turns = motion.local_rotations[:, joint]
    from model.rotation import conjugate, to_rotation_vector

    vectors = to_rotation_vector(multiply(turns, conjugate(turns[0])))
    centred = vectors - np.mean(vectors, axis=0)
    swing = centred @ np.linalg.svd(centred, full_matrices=False)[2][0]
    at = np.flatnonzero(np.diff(np.sign(np.diff(swing))) != 0) + 1
    big = np.abs(swing[at]) > 0.3 * np.max(np.abs(swing))
    return at[big] * motion.frame_time_s


def test_nothing_asked_for_changes_nothing(walk):
    assert after(walk, Stagger()).take is walk
    assert after(walk, Stagger(changes=(StaggerChange(1.0),), level=1.0)).take is walk
    stage = after(walk, Stagger(corrections=(ExtremeCorrection(What.ADDED, 1.0),)))
    assert stage.take is walk


def test_joints_that_do_not_hang_on_the_chosen_one_keep_their_very_numbers(walk):
    skeleton = walk.motion.skeleton
    late = after(walk, Stagger(0.05, joint=JointRef("", Role.LEFT_SHOULDER))).take.motion
    below = skeleton.subtree(skeleton.joint(Role.LEFT_SHOULDER))[1:]
    others = [joint for joint in range(len(skeleton)) if joint not in below]
    assert np.array_equal(late.local_rotations[:, others], walk.motion.local_rotations[:, others])
    assert all(np.any(late.local_rotations[:, joint] != walk.motion.local_rotations[:, joint]) for joint in below[:2])


def test_feet_stay_where_they_stand_when_contacts_are_kept(walk):
    before = quality.contact_drifts(walk.motion, walk.contacts)
    kept, free = (after(walk, Stagger(0.05, keep_contacts=one)).take for one in (True, False))
    assert np.max(quality.contact_drifts(kept.motion, kept.contacts)) <= np.max(before) + 0.002
    assert np.max(quality.contact_drifts(free.motion, free.contacts)) > np.max(before) + 0.02
    assert quality.jerk_p99(kept.motion) < 1.5 * quality.jerk_p99(walk.motion)


def test_pose_is_moved_as_a_whole_with_its_contacts_and_later_edits(walk):
    plan = Stagger().plan(walk, StageTiming())
    moment = float(plan.found.poses.times_s[3])
    stage = after(walk, Stagger(changes=(StaggerChange(moment, moment + 0.1),)))
    assert np.isclose(float(stage.time_map(moment)), moment + 0.1, atol=1e-3)
    frame = round((moment + 0.1) / walk.motion.frame_time_s)
    old = walk.motion.local_rotations[round(moment / walk.motion.frame_time_s)]
    assert np.max(angle_between(stage.take.motion.local_rotations[frame], old)) < 0.03
    for foot in FEET:
        assert len(stage.take.contacts.limbs[foot]) == len(walk.contacts.limbs[foot])
    assert np.allclose(stage.take.motion.root_positions[[0, -1]], walk.motion.root_positions[[0, -1]])


def test_one_knot_is_moved_and_others_stay():
    take = pendulum_take()
    moment = float(Stagger().plan(take, StageTiming()).found.poses.times_s[4])
    edited = after(take, Stagger(changes=(StaggerChange(moment, knots=((LOWER, 0.1),)),), quick_s=0.0)).take.motion
    assert np.array_equal(edited.local_rotations[:, :2], take.motion.local_rotations[:, :2])
    angles, peak = angles_of(edited)[:, 2], round(moment * FPS)
    assert abs(int(np.argmax(np.abs(angles[peak - 40 : peak + 41]))) - 40 - 12) <= 1
    assert np.max(np.abs(angles - angles_of(take.motion)[:, 2])[: peak - 205]) < 1e-9


def test_knot_stops_before_the_next_and_that_is_told():
    take = pendulum_take()
    plan = Stagger().plan(take, StageTiming())
    moment, following = plan.found.poses.times_s[4:6].tolist()
    edit = Stagger(changes=(StaggerChange(moment, knots=((LOWER, 5.0),)),))
    told = Asked()
    edit.apply(take, told)
    assert any("stop before" in note for note in told.notes)
    assert any("nearer to another pose" in note for note in told.notes)
    assert np.all(np.diff(edit.plan(take, StageTiming()).after_s, axis=0) > 0.0)
    near = StaggerChange(moment, knots=((LOWER, 0.6 * (following - moment)),))
    told = Asked()
    Stagger(changes=(near,)).apply(take, told)
    assert [note for note in told.notes if "nearer" in note]
    assert not [note for note in told.notes if "stop" in note]


def test_stagger_of_a_clip_collapses_and_grows():
    take = pendulum_take(late=(0, 8, 16))
    for scale in (0.0, 2.0):
        edit = Stagger(scale=scale, quick_s=0.0)
        again = Stagger().plan(after(take, edit).take, StageTiming()).found.poses
        apart = (again.knots_s - again.knots_s[:, :1])[2:-2] * FPS
        assert np.all(np.abs(apart - scale * np.array([0, 8, 16])) <= 1.5)


def test_randomness_is_within_its_bound_and_another_seed_gives_another(walk):
    plans = [Stagger(random_s=0.05, seed=seed).plan(walk, StageTiming()) for seed in (1, 1, 2)]
    moved = [plan.after_s - plan.before_s for plan in plans]
    assert np.array_equal(moved[0], moved[1])
    assert not np.allclose(moved[0], moved[2])
    assert 0.02 < np.max(np.abs(moved[0])) <= 0.05 + 1e-9


def test_phase_delays_instead_of_time():
    take = pendulum_take()
    late = after(take, Stagger(phase_rad=0.5)).take.motion
    for link in range(3):
        wanted = swings(np.arange(1001) - link * 0.5 / (2.0 * np.pi) * 200.0)
        assert np.max(np.abs(angles_of(late)[:, link] - wanted)[MIDDLE]) < 0.01


def test_pose_gets_other_values_at_its_moment_and_at_its_extremes(walk):
    plan = Stagger().plan(walk, StageTiming())
    moment = float(plan.found.poses.times_s[2])
    arm = walk.motion.skeleton.joint(Role.LEFT_SHOULDER)
    ref = walk.motion.skeleton.ref(arm)
    vector = (0.0, 0.0, 0.6)
    edited = after(walk, Stagger(changes=(StaggerChange(moment, offsets=((ref, vector),)),))).take.motion
    for time in (moment, float(plan.after.knots_s[2, arm])):
        frame = round(time / walk.motion.frame_time_s)
        wanted = multiply(from_rotation_vector(np.array(vector)), walk.motion.local_rotations[frame, arm])
        assert angle_between(edited.local_rotations[frame, arm], wanted) < 0.05


@pytest.mark.parametrize("of_extremes", [False, True], ids=["at the moment", "of extremes"])
@pytest.mark.parametrize("late_s", [0.02, 0.08, 0.13])
def test_pose_is_met_where_it_was_made_however_late_joints_are(walk, late_s, of_extremes):
    skeleton = walk.motion.skeleton
    plain = Stagger(late_s, keep_contacts=False)
    plan, before = plain.plan(walk, StageTiming()), after(walk, plain).take.motion
    joints = [skeleton.joint(role) for role in (Role.LEFT_SHOULDER, Role.LEFT_ELBOW, Role.LEFT_WRIST)]
    offsets = tuple((skeleton.ref(joint), (0.1, 0.2, 0.5)) for joint in joints)
    for number in (2, 4, 5):
        change = StaggerChange(float(plan.found.poses.times_s[number]), offsets=offsets, of_extremes=of_extremes)
        edited = after(walk, replace(plain, changes=(change,))).take.motion
        for joint in joints:
            moment = plan.after.knots_s[number, joint] if of_extremes else plan.after.times_s[number]
            frame = round(float(moment) / walk.motion.frame_time_s)
            wanted = multiply(from_rotation_vector(np.array(offsets[0][1])), before.local_rotations[frame, joint])
            assert angle_between(edited.local_rotations[frame, joint], wanted) < 0.06


def test_standing_foot_that_is_dragged_is_told_to_have_stayed(walk):
    plan = Stagger().plan(walk, StageTiming())
    knee, hip = (walk.motion.skeleton.ref(walk.motion.skeleton.joint(one)) for one in (Role.LEFT_KNEE, Role.LEFT_HIP))
    times = plan.found.poses.times_s
    frames = np.rint(times / walk.motion.frame_time_s).astype(int)
    standing = int(np.flatnonzero(walk.contacts.mask("left_foot")[frames])[1])
    change = StaggerChange(float(times[standing]), offsets=((knee, (0.9, 0.0, 0.0)), (hip, (-0.6, 0.0, 0.0))))
    stage = after(walk, Stagger(changes=(change,)))
    assert any("contact of the left foot" in note or "lower" in note for note in stage.notes)
    drifts = [np.max(quality.contact_drifts(one.motion, one.contacts)) for one in (walk, stage.take)]
    assert drifts[1] <= drifts[0] + 0.002


def test_poses_pushed_from_the_mean_are_more_extreme(walk):
    times = Stagger().plan(walk, StageTiming()).found.poses.times_s.tolist()
    edited = after(walk, Stagger(changes=tuple(StaggerChange(time, away=0.5) for time in times))).take
    elbow = walk.motion.skeleton.joint(Role.RIGHT_SHOULDER)
    frames = [round(time / walk.motion.frame_time_s) for time in times[1:-1]]
    spread = [
        float(np.mean(angle_between(one.local_rotations[frames[:-1], elbow], one.local_rotations[frames[1:], elbow])))
        for one in (walk.motion, edited.motion)
    ]
    assert 1.2 < spread[1] / spread[0] < 1.8
    drifts = [np.max(quality.contact_drifts(one.motion, one.contacts)) for one in (walk, edited)]
    assert drifts[1] <= drifts[0] + 0.002


def test_transition_eases_where_it_is_told(walk):
    moment = float(Stagger().plan(walk, StageTiming()).found.poses.times_s[3])
    stage = after(walk, Stagger(changes=(StaggerChange(moment, pace_before=0.0, pace_after=0.0),)))
    assert np.isclose(float(stage.time_map(moment)), moment, atol=1e-3)
    steps = np.linalg.norm(np.diff(stage.take.motion.root_positions, axis=0), axis=-1)
    usual = np.linalg.norm(np.diff(walk.motion.root_positions, axis=0), axis=-1)
    frame = round(moment / walk.motion.frame_time_s)
    assert np.min(steps[frame - 1 : frame + 1]) < 0.2 * usual[frame]


def test_wrong_settings_are_refused_by_name():
    with pytest.raises(ValueError, match="succession_s"):
        Stagger(3.0)
    with pytest.raises(ValueError, match="two of them are at the same moment"):
        Stagger(changes=(StaggerChange(1.0), StaggerChange(1.0)))
    with pytest.raises(ValueError, match="pace_after"):
        StaggerChange(1.0, pace_after=7.0)
    with pytest.raises(ValueError, match="named twice"):
        StaggerChange(1.0, knots=((LOWER, 0.1), (LOWER, 0.2)))
    with pytest.raises(ValueError, match="backwards"):
        Stagger(start_s=2.0, stop_s=1.0)


def test_poses_put_in_and_taken_out_leave_a_succession_as_it_is(walk):
    times = Stagger().plan(walk, StageTiming()).found.poses.times_s
    late = after(walk, Stagger(0.05)).take.motion
    for what, moment in ((What.ADDED, 0.5 * (times[4] + times[5])), (What.DELETED, times[5])):
        other = after(walk, Stagger(0.05, corrections=(ExtremeCorrection(what, float(moment)),))).take.motion
        assert np.max(np.abs(other.world.positions - late.world.positions)) < 0.001


def by_hand(walk):
    """A walk whose poses were moved, slanted, reshaped and eased by hand, with rules too."""
    times = Stagger().plan(walk, StageTiming()).found.poses.times_s.tolist()
    arm, elbow = (
        walk.motion.skeleton.ref(walk.motion.skeleton.joint(one)) for one in (Role.LEFT_SHOULDER, Role.LEFT_ELBOW)
    )
    changes = (
        StaggerChange(times[3], times[3] + 0.12, knots=((elbow, 0.08),)),
        StaggerChange(times[4], offsets=((arm, (0.0, 0.3, 0.5)),), root_move_m=(0.0, -0.05, 0.0)),
        StaggerChange(times[6], away=0.4, pace_before=0.3),
    )
    return times, Stagger(0.02, random_s=0.01, scale=0.6, changes=changes)


@pytest.mark.parametrize("keep_contacts", [True, False])
def test_poses_put_in_and_taken_out_leave_the_motion_exactly_as_it_is(walk, keep_contacts):
    times, edit = by_hand(walk)
    document = Document(
        Project((Clip("1", "Walk", Given(walk), (Layer("2", replace(edit, keep_contacts=keep_contacts)),)),), 3)
    )
    evaluator = Evaluator()
    wanted = evaluator.stages(document.project, "1")[-1]
    for command, arguments in (
        (add_staggered_pose, (0.5 * (times[3] + times[4]),)),
        (remove_staggered_poses, ((times[4], times[6]),)),
        (add_staggered_pose, (times[1] + 0.3 * (times[2] - times[1]),)),
        (remove_staggered_poses, ((times[3],),)),
    ):
        document.do(command, "1", "2", *arguments)
        stage = evaluator.stages(document.project, "1")[-1]
        assert np.array_equal(stage.take.motion.local_rotations, wanted.take.motion.local_rotations)
        assert np.array_equal(stage.take.motion.root_positions, wanted.take.motion.root_positions)
        assert stage.take.contacts == wanted.take.contacts
        moments = np.linspace(0.0, 5.0, 30)
        assert np.allclose(stage.time_map(moments), wanted.time_map(moments), atol=1e-9)
    edit = document.project.clip("1").layers[0].edit
    assert len(edit.earlier) == 1, "poses that nobody has touched since need no round of their own"
    assert len(Stagger().plan(walk, StageTiming()).after) - 1 == len(edit.plan(walk, StageTiming()).after)


@pytest.mark.parametrize(
    "edit", [Stagger(0.04), Stagger(scale=1.5), Stagger(random_s=0.05)], ids=["succession", "scale", "chance"]
)
def test_poses_put_in_side_by_side_leave_the_motion_as_it_is(walk, edit):
    times = Stagger().plan(walk, StageTiming()).found.poses.times_s.tolist()
    document = Document(Project((Clip("1", "Walk", Given(walk), (Layer("2", edit),)),), 3))
    evaluator = Evaluator()
    wanted = evaluator.take(document.project, "1").motion
    for low, high in pairwise(times):
        for part in (1.0 / 3.0, 2.0 / 3.0):
            document.do(add_staggered_pose, "1", "2", low + part * (high - low))
    last = document.project.clip("1").layers[0].edit
    plan = last.plan(walk, StageTiming())
    assert np.all(np.diff(plan.before_s, axis=0) > 0.0)
    assert np.array_equal(evaluator.take(document.project, "1").motion.local_rotations, wanted.local_rotations)


def test_pose_that_is_touched_later_keeps_its_knots_and_its_neighbours(walk):
    times, edit = by_hand(walk)
    document = Document(Project((Clip("1", "Walk", Given(walk), (Layer("2", edit),)),), 3))
    document.do(add_staggered_pose, "1", "2", 0.5 * (times[0] + times[1]))

    def last():
        return last_round(document.project.clip("1").layers[0].edit, walk)

    before = last()
    found = before.timing.to_source(before.plan.found.poses.times_s)
    elbow = walk.motion.skeleton.joint(Role.LEFT_ELBOW)
    for number in (4, 7):
        document.do(move_knots, "1", "2", ((float(found[number]), walk.motion.skeleton.ref(elbow), 0.01),))
    after_s, before_s = last().plan.after_s, before.plan.after_s
    moved = after_s - before_s
    assert np.allclose(moved[[5, 8], elbow], 0.01, atol=0.004), "as much of the source's time as was asked for"
    moved[[5, 8], elbow] = 0.0
    assert np.max(np.abs(moved)) < 1e-9
    # Poses that are nearer to each other than found ones ever are: one goes, the other stays.
    close = float(last().timing.to_source(last().plan.after.times_s[6] - 0.04))
    document.do(move_staggered_poses, "1", "2", (float(found[5]),), close - float(found[5]))
    document.do(add_staggered_pose, "1", "2", 0.5 * (times[-2] + times[-1]))
    count = len(last().plan.after)
    ids = last().timing.to_source(last().plan.found.poses.times_s)
    document.do(remove_staggered_poses, "1", "2", (float(ids[5]),))
    assert len(last().plan.after) == count - 1


def test_pose_eased_in_an_earlier_round_passes_evenly_again(walk):
    times, edit = by_hand(walk)
    document = Document(Project((Clip("1", "Walk", Given(walk), (Layer("2", edit),)),), 3))
    document.do(add_staggered_pose, "1", "2", 0.5 * (times[1] + times[2]))
    last = last_round(document.project.clip("1").layers[0].edit, walk)
    ids = last.timing.to_source(last.plan.found.poses.times_s)
    eased = float(ids[np.argmin(np.abs(ids - times[6]))])
    assert document.do(ease_staggered_poses, "1", "2", (eased,))
    edit = document.project.clip("1").layers[0].edit
    assert all(one.pace_before is None for part in edit.earlier for one in part.changes)


def test_pose_that_was_put_in_is_moved_from_where_it_is(walk):
    times, edit = by_hand(walk)
    added = 0.5 * (times[3] + times[4])
    edit = Stagger(changes=(), corrections=(ExtremeCorrection(What.ADDED, added),), earlier=(Round((), edit.changes),))
    before = after(walk, edit)
    moved = replace(edit, changes=(StaggerChange(added, added + 0.05),))
    stage = after(walk, moved)
    assert float(stage.time_map(added)) == pytest.approx(float(before.time_map(added + 0.05)), abs=2e-3)
    # What lies beyond the poses beside it keeps its time and its values.
    last = round(times[2] / walk.motion.frame_time_s) - 1
    same = stage.take.motion.world.positions[:last] - before.take.motion.world.positions[:last]
    assert np.max(np.abs(same)) < 1e-4
    nothing = after(walk, replace(edit, changes=(StaggerChange(added, added + 1e-7),)))
    apart = nothing.take.motion.world.positions - before.take.motion.world.positions
    assert np.max(np.abs(apart)) < 1e-5, "a pose that is taken up makes nothing jump"


def test_pose_is_reset_in_all_rounds(walk):
    times, edit = by_hand(walk)
    document = Document(Project((Clip("1", "Walk", Given(walk), (Layer("2", edit),)),), 3))
    document.do(add_staggered_pose, "1", "2", 0.5 * (times[1] + times[2]))
    last = last_round(document.project.clip("1").layers[0].edit, walk)
    document.do(reset_staggered_poses, "1", "2", tuple(last.timing.to_source(last.plan.found.poses.times_s).tolist()))
    edit = document.project.clip("1").layers[0].edit
    assert not any(one.changes for one in edit.earlier)


def test_body_without_the_chosen_joint_is_told(walk):
    told = Asked()
    assert Stagger(0.05, joint=JointRef("Tail")).apply(walk, told).motion is walk.motion
    assert "Tail" in told.notes[0]


def test_only_poses_within_the_range_are_staggered(walk):
    plan = Stagger(0.05, start_s=2.0, stop_s=3.0).plan(walk, StageTiming())
    assert np.all((plan.found.poses.times_s >= 2.0) & (plan.found.poses.times_s <= 3.0))
    late = after(walk, replace(Stagger(0.05), start_s=2.0, stop_s=3.0)).take.motion
    assert np.any(late.local_rotations != walk.motion.local_rotations)


RULES = {
    "succession": Stagger(0.05),
    "lead": Stagger(-0.05),
    "far": Stagger(0.03, 1.8),
    "chance": Stagger(random_s=0.1),
    "collapsed": Stagger(scale=0.0),
    "phase": Stagger(phase_rad=0.4),
}


@pytest.mark.parametrize("keep_contacts", [False, True], ids=["free", "contacts kept"])
@pytest.mark.parametrize("name", RULES)
def test_no_rule_makes_a_clip_jerk(name, keep_contacts):
    """A walk whose joints tremble, each pair of them so that it hardly shows: what recordings do."""
    source = trembling(ProceduralGait(Gait(seed=5), seconds=6.0).make(Asked()))
    edit = replace(RULES[name], keep_contacts=keep_contacts)
    edited, hard = (after(source, one).take.motion for one in (edit, replace(edit, soften=False)))
    limit = 1.5 * quality.jerk_p99(source.motion)
    assert quality.jerk_p99(edited) < limit
    assert quality.jerk_p99(edited) < quality.jerk_p99(hard)


def trembling(take):
    """A take whose limbs bend and stretch by turns of joints that make up for each other."""
    motion = take.motion
    skeleton, times = motion.skeleton, np.arange(motion.frames) * motion.frame_time_s
    rotations = np.array(motion.local_rotations)
    pairs = ((Role.LEFT_SHOULDER, Role.LEFT_ELBOW), (Role.RIGHT_SHOULDER, Role.RIGHT_ELBOW), (Role.SPINE, Role.CHEST))
    for n, (upper, lower) in enumerate(pairs):
        angle = 0.06 * np.sin(2.0 * np.pi * (5.0 + n) * times)
        for role, sign in ((upper, 1.0), (lower, -1.0)):
            joint = skeleton.joint(role)
            rotations[:, joint] = multiply(
                from_axis_angle(np.array([1.0, 0.0, 0.0]), sign * angle), rotations[:, joint]
            )
    return replace(take, motion=replace(motion, local_rotations=rotations))


@needs_data
@pytest.mark.parametrize("keep_contacts", [False, True], ids=["free", "contacts kept"])
@pytest.mark.parametrize(
    "name",
    [
        "cmu-bvh/02_01.bvh", "cmu-bvh/35_17.bvh", "cmu-bvh/111_37.bvh", "cmu-bvh/13_26.bvh", "cmu-acclaim/137_29.amc",
        "cmu-acclaim/127_03.amc", "other-bvh/accad_male1/Male1_B3_Walk.bvh", "other-bvh/accad_male1/Male1_C03_Run.bvh",
        "other-bvh/bandai/dataset-1_walk_old_001.bvh", "other-bvh/xia/sexy_01_000.bvh",
        "other-bvh/neuron_milad_6ch_all_joints.bvh",
    ],
)  # fmt: skip
def test_recorded_clips_stay_smooth_and_on_their_feet(name, keep_contacts):
    motion = read_motion(DATA / name).motion
    take = Take(motion, find_contacts(motion, hands=True))
    late = after(take, Stagger(0.05, keep_contacts=keep_contacts)).take
    assert quality.jerk_p99(late.motion) < 1.5 * quality.jerk_p99(motion)
    if keep_contacts:
        old, new = (np.max(quality.contact_drifts(one, take.contacts)) for one in (motion, late.motion))
        assert new <= old + 0.002
        assert moved_prints(take, late.motion) < 0.001


@pytest.mark.parametrize("name", ["jog", "march", "run"])
def test_slider_makes_no_jumps_on_samples(name):
    motion = read_motion(path_of("samples", f"{name}.bvh")).motion.resampled(30.0).sliced(0, 90)
    assert largest_jump(trembling(Take(motion, find_contacts(motion)))) < 0.001


@needs_data
@pytest.mark.parametrize(
    "name", ["other-bvh/accad_male1/Male1_C03_Run.bvh", "cmu-bvh/02_01.bvh", "other-bvh/xia/old_13_000.bvh"]
)
def test_slider_makes_no_jumps_on_recorded_clips(name):
    motion = read_motion(DATA / name).motion
    assert largest_jump(Take(motion, find_contacts(motion, hands=True))) < 0.001


def largest_jump(take):
    """How far joints get at the most, in metres, for a millionth of a second more succession.

    Looked for where softening changes fastest with the slider, by halving the way again and again.
    """

    def softening(succession_s):
        soft, hard = (
            Stagger(succession_s, keep_contacts=False, soften=one).apply(take, Asked()) for one in (True, False)
        )
        return soft.motion.world.positions - hard.motion.world.positions

    def apart(one, other):
        return float(np.max(np.abs(one - other)))

    places = np.arange(0.1, 0.2, 0.002)
    values = [softening(place) for place in places]
    steps = [apart(one, other) for one, other in pairwise(values)]
    found = 0.0
    for n in np.argsort(steps)[-5:]:
        low, high, first, last = places[n], places[n + 1], values[n], values[n + 1]
        while high - low > 1e-6:
            middle = 0.5 * (low + high)
            between = softening(middle)
            if apart(first, between) > apart(between, last):
                high, last = middle, between
            else:
                low, first = middle, between
        found = max(found, apart(first, last))
    return found


@pytest.mark.parametrize("name", [name for name in RULES if name != "collapsed"])  # that moves the pelvis in time
def test_feet_stand_where_they_stood_whatever_rule_acts(walk, name):
    source = trembling(walk)
    assert moved_prints(source, after(source, RULES[name]).take.motion) < 0.001


def test_hip_made_of_two_joints_and_a_root_above_the_pelvis_do_not_move_feet(walk):
    """As Xia's bodies have hips, and Bandai Namco's a root."""
    motion = walk.motion
    names, parents, offsets, roles = ["World"], [-1], [np.zeros(3)], [None]
    rotations = [np.tile([1.0, 0.0, 0.0, 0.0], (motion.frames, 1))]
    place = {}
    for joint, parent in enumerate(motion.skeleton.parents):
        above = 0 if parent < 0 else place[parent]
        turns, offset = motion.local_rotations[:, joint], motion.skeleton.offsets[joint]
        if motion.skeleton.roles[joint] in (Role.LEFT_HIP, Role.RIGHT_HIP):
            names.append(f"{motion.skeleton.names[joint]}Joint")
            parents.append(above)
            offsets.append(offset)
            roles.append(None)
            rotations.append(turns)
            above, offset, turns = len(names) - 1, np.zeros(3), np.tile([1.0, 0.0, 0.0, 0.0], (motion.frames, 1))
        place[joint] = len(names)
        names.append(motion.skeleton.names[joint])
        parents.append(above)
        offsets.append(np.zeros(3) if parent < 0 else offset)
        roles.append(motion.skeleton.roles[joint])
        rotations.append(turns)
    body = Skeleton(tuple(names), tuple(parents), np.array(offsets), (), tuple(roles))
    made = Motion(body, motion.frame_time_s, motion.root_positions, np.stack(rotations, axis=1), body.offsets)
    take = Take(made, walk.contacts)
    edited = after(take, Stagger(0.05)).take.motion
    assert np.array_equal(edited.local_rotations[:, :2], made.local_rotations[:, :2]), "world and pelvis"
    assert moved_prints(take, edited) < 0.001
    assert np.max(angle_between(edited.local_rotations, made.local_rotations)) > 0.1


def test_whole_body_hangs_on_the_joint_that_trunk_and_legs_have_in_common():
    roles = (None, Role.PELVIS, Role.LEFT_HIP, Role.SPINE)
    beside = Skeleton(("World", "Pelvis", "Thigh", "Spine"), (-1, 0, 1, 0), np.zeros((4, 3)), (), roles)
    below = Skeleton(("World", "Pelvis", "Thigh", "Spine"), (-1, 0, 1, 1), np.zeros((4, 3)), (), roles)
    assert [top_of_body(one) for one in (beside, below)] == [0, 1]


def test_joints_that_are_not_staggered_show_the_time_of_the_body():
    take = pendulum_take(late=(0, 6, 12))
    moment = float(Stagger().plan(take, StageTiming()).found.poses.times_s[3])
    plan = Stagger(changes=(StaggerChange(moment, moment + 0.2, knots=((LOWER, 0.1),)),)).plan(take, StageTiming())
    times = np.arange(1001) / FPS
    moments = joint_moments(plan, times)
    assert plan.staggered == (2,)
    assert np.array_equal(moments[:, :2], np.stack([times, times], axis=1))
    assert np.max(np.abs(moments[:, 2] - times)) > 0.05
