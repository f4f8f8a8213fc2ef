"""Making poses: auto-key on and off, mirror, copy and paste, holding, and what puts an end to it."""

from dataclasses import replace

import numpy as np
import pytest

from editor.posing.drag import drag, turn
from editor.posing.edit import TargetPose, TargetPoses
from editor.posing.pose import Pose
from editor.posing.transfer import mirrored
from editor.stack.clips import add_clip, duplicate_clip, rename_clip
from editor.stack.layers import set_scope, switch_edit
from editor.timing.edit import Retime
from model.clip import Clip, Layer
from model.contacts import Contact, Contacts
from model.motion import rest_motion
from model.project import Project
from model.roles import Role
from model.scope import Scope
from model.skeleton import JointRef, Skeleton
from tests.clips import figure, random_motion
from tests.editor.evaluated import Given, take_of
from tests.stacks import Cut, Lift, Made, stack
from tests.widgets.desk import desk
from tests.widgets.timeline.shown import shown_clip
from widgets.posing.posing import Posing


class On:
    """A posing hand on a document of one clip, at one second. Joints only turn, unless feet shall be kept."""

    def __init__(self, *edits, project=None, grounded=False):
        self.desk = desk(project or stack(*edits))
        self.document, self.session = self.desk.document, self.desk.session
        self.posing = Posing(self.document, self.session, self.desk.showing)
        self.posing.set_grounded(grounded)
        self.session.look(time_s=1.0)
        self.start = self.document.committed

    @property
    def motion(self):
        return self.desk.showing.current.take.motion

    @property
    def shown(self) -> Pose:
        """The pose of the take that is worked out, at the playhead."""
        return Pose.of(self.motion, round(self.session.view.time_s / self.motion.frame_time_s))

    def joint(self, role):
        return self.motion.skeleton.joint(role)

    def turned(self, role=Role.SPINE, by=0.3):
        return turn(self.posing.pose, self.joint(role), np.array([by, 0.0, 0.0])).pose

    def lifted_hand(self):
        hand = self.joint(Role.LEFT_WRIST)
        pose = self.posing.pose
        return drag(pose, hand, pose.world.positions[hand] + [0.0, 0.15, 0.1], self.posing.pins(pose)).pose

    @property
    def poses(self):
        return [pose for layer in self.desk.layers() for pose in layer.edit.poses]


def same(one: Pose, other: Pose):
    np.testing.assert_allclose(one.world.positions, other.world.positions, atol=1e-9)


def test_gesture_is_one_step_and_the_take_is_the_pose(application):
    on = On()
    start = on.posing.begin()
    for by in (0.1, 0.2, 0.3):
        wanted = turn(start, on.joint(Role.SPINE), np.array([by, 0.0, 0.0])).pose
        on.posing.show(wanted, "Turn spine")
    on.posing.finish()
    assert len(on.document.steps) == 1
    same(on.shown, wanted)
    on.document.undo()
    assert on.document.committed is on.start


def test_stand_in_is_what_the_hand_made_and_ghost_what_was(application):
    on = On()
    before = on.posing.begin()
    wanted = on.lifted_hand()
    on.posing.show(wanted, "Move left hand")
    np.testing.assert_array_equal(on.posing.stand_in.now.positions, wanted.world.positions)
    np.testing.assert_allclose(on.posing.stand_in.before.positions, before.world.positions)
    on.posing.finish()
    assert on.posing.stand_in is None


def test_without_auto_key_a_pose_is_shown_but_only_kept_when_asked(application):
    on = On()
    on.posing.set_auto_key(False)
    wanted = on.turned()
    on.posing.apply(wanted, "Turn spine")
    assert on.posing.is_pending
    assert on.document.committed is on.start
    same(on.posing.pose, wanted)
    again = turn(on.posing.pose, on.joint(Role.HEAD), np.array([0.0, 0.3, 0.0])).pose
    on.posing.apply(again, "Turn head")
    same(on.posing.pose, again)
    on.posing.add()
    assert not on.posing.is_pending
    assert [step.sentence for step in on.document.steps] == ["Turn head at 1.00 s"]
    same(on.shown, again)


def test_pending_pose_is_dropped_by_escape_and_by_another_moment_and_by_other_work(application):
    def drop(on):
        on.posing.drop()

    def go(on):
        on.session.look(time_s=0.5)

    def work(on):
        on.document.do(rename_clip, "1", "Other")

    def undo(on):
        on.document.undo()

    for end in (drop, go, work, undo):
        on = On(Lift(0.1))
        on.posing.set_auto_key(False)
        on.posing.apply(on.turned(), "Turn spine")
        end(on)
        assert not on.posing.is_pending, end
        assert not on.document.is_previewing, end
        assert on.posing.stand_in is None, end
        assert [layer.edit for layer in on.desk.layers()] == [Lift(0.1)]


def test_escape_in_a_drag_goes_back_to_what_was_pending(application):
    on = On()
    on.posing.set_auto_key(False)
    first = on.turned()
    on.posing.apply(first, "Turn spine")
    on.posing.begin()
    on.posing.show(on.lifted_hand(), "Move left hand")
    on.posing.cancel()
    assert on.posing.is_pending
    same(on.posing.pose, first)
    on.posing.keep()
    same(on.shown, first)


def test_switching_auto_key_on_keeps_what_is_pending(application):
    on = On()
    on.posing.set_auto_key(False)
    on.posing.apply(on.turned(), "Turn spine")
    on.posing.set_auto_key(True)
    assert len(on.document.steps) == 1
    assert len(on.poses) == 1


def test_mirror_exchanges_left_and_right_and_twice_is_nothing(application):
    on = On()
    before = on.shown
    on.posing.mirror()
    same(on.shown, mirrored(before))
    assert on.document.undo_text == "Mirror pose at 1.00 s"
    on.posing.mirror()
    same(on.shown, before)


def test_copied_pose_is_pasted_at_another_frame_in_place(application):
    on = On()
    copied = on.shown
    on.posing.copy()
    on.session.look(time_s=0.2)
    there = on.shown
    on.posing.paste()
    np.testing.assert_allclose(on.shown.local_rotations[1:], copied.local_rotations[1:], atol=1e-9)
    np.testing.assert_allclose(on.shown.root_position[[0, 2]], there.root_position[[0, 2]], atol=1e-9)
    assert on.document.undo_text == "Paste pose at 0.20 s"


def test_only_selected_joints_are_copied(application):
    on = On()
    head, arm = on.joint(Role.HEAD), on.joint(Role.RIGHT_SHOULDER)
    on.session.look(joints=(on.motion.skeleton.ref(arm),))
    copied = on.shown
    on.posing.copy()
    on.session.look(time_s=0.1, joints=())
    there = on.shown
    on.posing.paste()
    np.testing.assert_allclose(on.shown.local_rotations[arm], copied.local_rotations[arm], atol=1e-9)
    np.testing.assert_allclose(on.shown.local_rotations[head], there.local_rotations[head], atol=1e-12)


def test_pose_is_pasted_on_another_clip(application):
    project = Project((Clip("1", "One", Made()), Clip("2", "Two", Made(40))), 5)
    on = On(project=project)
    copied = on.turned()
    on.posing.apply(copied, "Turn spine")
    on.posing.copy()
    on.session.look(clip="2")
    on.session.look(time_s=0.3)
    on.posing.paste()
    np.testing.assert_allclose(on.shown.local_rotations[1:], copied.local_rotations[1:], atol=1e-9)
    assert [len(clip.layers) for clip in on.document.project.clips] == [1, 1]


def test_pasting_nothing_says_so(application):
    on = On()
    told = []
    on.posing.said.connect(told.append)
    on.posing.paste()
    assert "Nothing was copied" in told[0]
    assert on.document.steps == ()


def test_held_pose_keeps_the_figure_there_whatever_comes_beside_it(application):
    on = On()
    before = on.shown
    on.posing.add()
    assert on.document.undo_text == "Hold pose at 1.00 s"
    same(on.shown, before)
    on.session.look(time_s=1.2)
    on.posing.apply(on.turned(), "Turn spine")
    on.session.look(time_s=1.0)
    same(on.shown, before)


def test_holding_beside_another_pose_changes_nothing_there(application):
    on = On()
    on.posing.apply(on.turned(by=0.6), "Turn spine")
    on.session.look(time_s=1.2)
    faded = on.shown
    on.posing.add()
    same(on.shown, faded)


def test_pose_that_only_moves_the_body_can_be_gone_on_with(application):
    on = On()
    pelvis = on.joint(Role.PELVIS)
    up = on.posing.pose.world.positions[pelvis] + [0.0, 0.1, 0.0]
    on.posing.apply(drag(on.posing.pose, pelvis, up).pose, "Move pelvis")
    (pose,) = on.poses
    assert pose.offsets == ()
    np.testing.assert_allclose(on.posing.pose.world.positions[pelvis], up, atol=1e-9)
    wanted = on.turned()
    on.posing.apply(wanted, "Turn spine")
    same(on.shown, wanted)


def test_edit_that_shows_its_poses_in_part_takes_no_more_of_them(application):
    for change in (
        lambda on, layer: on.document.do(set_scope, "1", layer, Scope(strength=0.5)),
        lambda on, layer: on.document.do(switch_edit, "1", layer, on=False),
    ):
        on = On()
        on.posing.apply(on.turned(), "Turn spine")
        layer = on.desk.layers()[0].id
        change(on, layer)
        on.session.look(layer=layer)
        wanted = on.turned(Role.HEAD)
        on.posing.apply(wanted, "Turn head")
        assert len(on.desk.layers()) == 2
        same(on.shown, wanted)


def test_pose_stands_at_the_frame_that_is_seen_although_time_was_cut(application):
    on = On(Cut(0.5))
    wanted = on.turned()
    on.posing.apply(wanted, "Turn spine")
    same(on.shown, wanted)
    (pose,) = on.desk.layers()[1].edit.poses
    assert pose.time_s == pytest.approx(1.5)


def test_playhead_between_frames_goes_to_the_nearest(application):
    on = On()
    on.session.look(time_s=1.0 + 0.3 / 30.0)
    wanted = on.turned()
    on.posing.apply(wanted, "Turn spine")
    assert on.session.view.time_s == pytest.approx(1.0)
    same(on.shown, wanted)


def test_feet_on_the_ground_are_pinned_until_the_user_says_otherwise(application):
    on = On()
    foot, wrist = on.joint(Role.LEFT_ANKLE), on.joint(Role.LEFT_WRIST)
    assert foot in on.posing.pinned
    on.posing.toggle_pin(foot)
    on.posing.toggle_pin(wrist)
    on.session.look(time_s=0.5)
    assert foot not in on.posing.pinned
    assert wrist in on.posing.pinned
    on.document.do(add_clip, Made(20), "Other")
    on.session.look(clip=on.document.project.clips[-1].id)
    assert wrist not in on.posing.pinned


def test_joint_that_cannot_be_pinned_is_told(application):
    on = On()
    told = []
    on.posing.said.connect(told.append)
    on.posing.toggle_pin(on.joint(Role.LEFT_ELBOW))
    assert on.joint(Role.LEFT_ELBOW) not in on.posing.pinned
    assert "cannot" in told[0]


def test_undo_while_a_hand_holds_the_figure_forgets_the_gesture(application):
    on = On()
    on.posing.apply(on.turned(), "Turn spine")
    on.posing.begin()
    on.posing.show(on.lifted_hand(), "Move left hand")
    on.document.undo()
    assert not on.posing.is_busy
    assert on.posing.finish() is False
    assert len(on.document.steps) == 1


ELBOW = JointRef("LeftForeArm", Role.LEFT_ELBOW)


def given(take, *edits):
    """A project of one clip that is this take."""
    return Project((Clip("1", "Clip", Given(take), tuple(Layer(f"e{n}", edit) for n, edit in enumerate(edits))),), 10)


def test_pose_on_a_copy_of_a_clip_is_the_copys(application):
    on = On()
    on.session.look(time_s=0.0)
    assert on.posing.place.clip == "1"
    on.document.do(duplicate_clip, "1")
    copy = on.document.project.clips[1].id
    on.session.look(clip=copy)
    on.posing.apply(on.turned(), "Turn spine")
    assert [len(clip.layers) for clip in on.document.project.clips] == [0, 1]


def test_neighbouring_frames_of_slow_motion_have_a_pose_each(application):
    on = On(Retime(((0.0, 0.25),)))
    for frame, role in ((40, Role.SPINE), (41, Role.HEAD)):
        on.session.look(time_s=frame * on.motion.frame_time_s)
        wanted = on.turned(role)
        on.posing.apply(wanted, "Turn")
        same(on.shown, wanted)
    assert len(on.desk.layers()[-1].edit.poses) == 2


def test_holding_a_pose_that_is_turned_by_more_than_half_a_turn_changes_nothing_beside_it(application):
    pose = TargetPose(1.0, ((ELBOW, (0.0, 4.0, 0.0)), (JointRef("Tail"), (0.1, 0.0, 0.0))))
    on = On(TargetPoses((pose,)))
    before = on.motion.world.positions
    on.posing.add()
    np.testing.assert_allclose(on.motion.world.positions, before, atol=1e-9)
    assert pose.offsets[1] in on.poses[0].offsets, "what is said of joints of other bodies stays"


def test_figure_put_back_to_where_it_was_is_no_step(application):
    on = On()
    start = on.posing.begin()
    on.posing.show(on.turned(), "Turn spine")
    on.posing._on_follow()
    on.posing.show(start, "Turn spine")
    assert not on.posing.finish()
    assert on.document.project is on.start
    assert on.posing.stand_in is None


def test_pose_that_stands_beside_the_frame_is_shown_as_the_take_is(application):
    beside = TargetPose(1.0 + 0.3 / 30.0, ((ELBOW, (0.0, 0.5, 0.0)),), before_s=0.1, after_s=0.1)
    on = On(TargetPoses((beside,)))
    on.posing.apply(on.turned(by=1.0), "Turn spine")
    assert on.posing.stand_in is None


def test_body_with_a_name_that_repeats_can_be_posed(application):
    body = figure()
    names = tuple("Spine" if name == "Spine1" else name for name in body.names)
    roles = tuple(None if name == "Spine" else role for name, role in zip(names, body.roles, strict=True))
    twice = Skeleton(names, body.parents, body.offsets, body.end_sites, roles)
    on = On(project=given(take_of(random_motion(60, skeleton=twice))))
    on.posing.mirror()
    assert [step.sentence for step in on.document.steps] == ["Mirror pose at 1.00 s"]
    assert on.posing.stand_in is None


def test_foot_that_no_limb_can_hold_is_not_pinned(application):
    body = figure()
    parents, offsets = list(body.parents), np.array(body.offsets)
    hip = body.joint(Role.LEFT_HIP)
    parents[hip], offsets[hip] = -1, body.rest_positions()[hip]
    apart = Skeleton(body.names, tuple(parents), offsets, body.end_sites, body.roles)
    touching = (Contact(0, 60),)
    contacts = Contacts(60, {"left_foot": touching, "right_foot": touching}, 0.0)
    on = On(project=given(replace(take_of(rest_motion(apart, 1.0 / 30.0, 60)), contacts=contacts)))
    assert on.posing.pinned == (apart.joint(Role.RIGHT_ANKLE),)


@pytest.mark.parametrize("selected", [None, "e0"])
def test_kept_pose_stands_in_until_the_take_is_worked_out(application, selected):
    shown = shown_clip(Lift(0.1))
    posing = Posing(shown.document, shown.session, shown.showing)
    shown.session.look(layer=selected, time_s=1.0)
    wanted = turn(posing.pose, 1, np.array([0.3, 0.0, 0.0])).pose
    shown.evaluations.held_back = True
    posing.apply(wanted, "Turn spine")
    np.testing.assert_array_equal(posing.stand_in.now.positions, wanted.world.positions)
    shown.evaluations.let_go()
    assert posing.stand_in is None
    same(posing.pose, wanted)


# With feet on the ground


def standing(frames=90):
    """A person who stands with both feet for all of the clip."""
    take = take_of(rest_motion(figure(), 1 / 30, frames))
    both = {foot: (Contact(0, frames),) for foot in ("left_foot", "right_foot")}
    return Project((Clip("1", "Stand", Given(replace(take, contacts=Contacts(frames, both, 0.0)))),), 2)


def feet(on):
    return on.shown.world.positions[[on.joint(Role.LEFT_ANKLE), on.joint(Role.RIGHT_ANKLE)]]


def lowered(on, by=0.12):
    """The figure with its pelvis lower, feet pinned."""
    pose, pelvis = on.posing.pose, on.joint(Role.PELVIS)
    goal = pose.world.positions[pelvis] - [0.0, by, 0.0]
    return drag(pose, pelvis, goal, on.posing.pins(pose)).pose


def test_new_poses_keep_feet_on_the_ground_unless_told_otherwise(application):
    on = On(project=standing(), grounded=True)
    assert on.posing.grounded
    before = feet(on)
    on.posing.apply(lowered(on), "Move pelvis")
    assert on.desk.edits()[0].grounded
    frames = np.arange(on.motion.frames)
    ankles = on.motion.world.positions[frames][:, [on.joint(Role.LEFT_ANKLE), on.joint(Role.RIGHT_ANKLE)]]
    assert np.max(np.abs(ankles - before)) < 1e-4
    on.posing.set_grounded(False)
    assert not on.desk.edits()[0].grounded
    assert on.document.undo_text == "Only turn joints in target poses"
    on.document.undo()
    assert on.posing.grounded


def test_consistent_pose_is_seen_as_it_was_made(application):
    on = On(project=standing(), grounded=True)
    wanted = lowered(on)
    on.posing.apply(wanted, "Move pelvis")
    np.testing.assert_allclose(on.shown.world.positions, wanted.world.positions, atol=2e-3)
    assert on.posing.stand_in is None


def test_second_drag_at_a_frame_keeps_what_the_first_asked_for(application):
    """Contacts may have had their say in what is seen; what was asked for is not forgotten by another drag."""
    on = On(project=standing(), grounded=True)
    tipped = turn(on.posing.pose, on.joint(Role.LEFT_ANKLE), np.array([0.4, 0.0, 0.0])).pose
    on.posing.apply(tipped, "Turn left foot")
    (first,) = on.poses
    assert not np.allclose(on.shown.world.rotations, tipped.world.rotations, atol=0.1), "the foot stays on the ground"
    on.posing.apply(on.turned(Role.HEAD), "Turn head")
    (second,) = on.poses
    assert dict(second.offsets)[first.offsets[0][0]] == pytest.approx(first.offsets[0][1])
    assert len(second.offsets) == 2


def test_body_moved_in_steps_goes_as_far_as_all_of_them(application):
    on = On(project=standing(), grounded=True)
    start = on.posing.pose.root_position[1]
    for _ in range(3):
        on.posing.apply(lowered(on, 0.03), "Move pelvis")
    assert on.shown.root_position[1] == pytest.approx(start - 0.09, abs=2e-3)
    (pose,) = on.poses
    assert pose.root_move_m[1] == pytest.approx(-0.09, abs=2e-3)


def test_ghost_is_the_figure_without_its_poses(application):
    on = On(project=standing(), grounded=True)
    before = on.shown
    assert on.posing.ghost() is None
    on.posing.apply(lowered(on), "Move pelvis")
    np.testing.assert_allclose(on.posing.ghost().positions, before.world.positions, atol=1e-6)
    on.session.look(time_s=2.8)
    assert on.posing.ghost() is None
    on.session.look(time_s=1.0)
    on.posing.set_asleep(True)
    assert on.posing.ghost() is None


def test_next_drag_begins_with_what_the_last_one_made_although_it_is_not_worked_out(application):
    shown = shown_clip(source=standing().clips[0].source)
    posing = Posing(shown.document, shown.session, shown.showing)
    shown.session.look(time_s=1.0)
    shown.evaluations.held_back = True
    head = shown.showing.current.take.motion.skeleton.joint(Role.HEAD)
    wanted = turn(posing.pose, head, np.array([0.0, 0.4, 0.0])).pose
    posing.apply(wanted, "Turn head")
    assert posing.stand_in is not None
    same(posing.begin(), wanted)
    posing.cancel()
    same(posing.pose, wanted)
    shown.evaluations.let_go()
    assert posing.stand_in is None
