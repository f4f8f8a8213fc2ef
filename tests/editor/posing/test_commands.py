import pytest

from editor.posing.commands import change_pose, move_poses, part_called, pose_layer, remove_poses, set_pose
from editor.posing.edit import TargetPose, TargetPoses
from editor.stack.command import Call
from editor.stack.layers import add_edit, set_scope, switch_edit
from model.clip import Clip
from model.project import Project
from model.roles import Role
from model.scope import Scope
from model.skeleton import JointRef
from tests.stacks import Lift, Made

HAND = JointRef("LeftHand", Role.LEFT_WRIST)
SPINE = JointRef("Spine1", Role.SPINE)
TAIL = JointRef("Tail")
BENT = (0.1, 0.2, 0.3)


def pose(time_s, *refs, **more):
    return TargetPose(time_s, tuple((ref, BENT) for ref in refs), **more)


def bare():
    return Project((Clip("1", "Walk", Made()),), 2)


def posed(*times_s, grounded=False):
    """A project with one clip, whose only edit, "2", holds poses at these moments."""
    return add_edit(bare(), "1", TargetPoses(tuple(pose(time, HAND) for time in times_s), grounded))


def moments(project):
    return [one.time_s for one in project.clip("1").layers[-1].edit.poses]


def test_first_pose_makes_an_edit_and_the_next_joins_it_in_order():
    project = set_pose(bare(), "1", None, pose(1.0, HAND))
    project = set_pose(project, "1", None, pose(0.5, SPINE))
    assert len(project.clip("1").layers) == 1
    assert moments(project) == [0.5, 1.0]


def test_pose_takes_the_place_of_one_at_the_same_moment():
    project = set_pose(posed(0.5, 1.0), "1", "2", pose(1.0 + 1e-9, SPINE))
    assert moments(project) == [0.5, 1.0 + 1e-9]
    assert project.clip("1").layers[0].edit.poses[1].offsets == ((SPINE, BENT),)


def test_new_edit_is_made_where_the_top_one_would_not_show_the_pose():
    for project in (
        add_edit(posed(0.5), "1", Lift(1.0)),
        switch_edit(posed(0.5), "1", "2", False),
        set_scope(posed(0.5), "1", "2", Scope(strength=0.5)),
    ):
        count = len(project.clip("1").layers)
        assert pose_layer(project.clip("1")) is None
        project = set_pose(project, "1", None, pose(1.0, HAND))
        assert len(project.clip("1").layers) == count + 1
        assert moments(project) == [1.0]
    assert pose_layer(posed(0.5).clip("1")) == pose_layer(posed(0.5, grounded=True).clip("1")) == "2"
    assert pose_layer(bare().clip("1")) is None


def test_pose_goes_to_the_layer_that_is_named():
    project = set_pose(add_edit(posed(0.5), "1", Lift(1.0)), "1", "2", pose(1.0, HAND))
    assert [one.time_s for one in project.clip("1").layers[0].edit.poses] == [0.5, 1.0]
    with pytest.raises(ValueError, match="no poses"):
        set_pose(project, "1", "3", pose(1.0, HAND))


def test_new_edit_comes_right_after_the_one_that_is_named():
    project = add_edit(add_edit(bare(), "1", Lift(1.0)), "1", Lift(2.0))
    project = set_pose(project, "1", None, pose(1.0, HAND), after="2")
    assert [type(layer.edit) for layer in project.clip("1").layers] == [Lift, TargetPoses, Lift]


def test_removed_poses_are_gone_and_an_empty_edit_with_them():
    project = posed(0.5, 1.0, 1.5)
    assert moments(remove_poses(project, "1", "2", (0.5, 1.5))) == [1.0]
    assert remove_poses(project, "1", "2", (0.5, 1.0, 1.5)).clip("1").layers == ()
    assert remove_poses(project, "1", "2", ()) is project
    with pytest.raises(ValueError, match=r"no pose at 0\.70 s"):
        remove_poses(project, "1", "2", (0.7,))


def test_poses_move_together_and_may_pass_but_not_meet_others():
    project = posed(0.5, 1.0, 2.0)
    assert moments(move_poses(project, "1", "2", (0.5, 1.0), 0.5)) == [1.0, 1.5, 2.0]
    assert moments(move_poses(project, "1", "2", (0.5,), 1.0)) == [1.0, 1.5, 2.0]
    assert move_poses(project, "1", "2", (0.5,), 0.0) is project
    with pytest.raises(ValueError, match=r"another pose at 2\.00 s"):
        move_poses(project, "1", "2", (1.0,), 1.0)


def test_change_sets_what_is_given_and_keeps_the_rest():
    project = change_pose(posed(0.5, 1.0), "1", "2", 1.0, after_s=0.2)
    project = change_pose(project, "1", "2", 1.0, strength=0.5)
    one = project.clip("1").layers[0].edit.poses[1]
    assert (one.before_s, one.after_s, one.strength) == (0.5, 0.2, 0.5)
    assert change_pose(project, "1", "2", 1.0, strength=0.5) is project
    with pytest.raises(ValueError, match="before_s"):
        change_pose(project, "1", "2", 1.0, before_s=0.0)


@pytest.mark.parametrize(("call", "sentence"), [
    ((set_pose, None, pose(1.2, HAND, SPINE), "Move left hand"), "Move left hand at 1.20 s"),
    ((set_pose, None, pose(1.2, SPINE)), "Turn spine at 1.20 s"),
    ((set_pose, None, pose(1.2, TAIL)), "Turn Tail at 1.20 s"),
    ((set_pose, None, pose(1.2, HAND, SPINE)), "Pose body at 1.20 s"),
    ((set_pose, None, pose(1.2, root_move_m=(0.0, 0.1, 0.0))), "Move body at 1.20 s"),
    ((remove_poses, "2", (0.5,)), "Remove pose at 0.50 s"),
    ((remove_poses, "2", (0.5, 1.0)), "Remove 2 poses"),
    ((move_poses, "2", (0.5,), -0.25), "Move pose at 0.50 s by -0.25 s"),
    ((change_pose, "2", 0.5, None, 0.3), "Change pose at 0.50 s"),
])  # fmt: skip
def test_sentence_names_the_part_and_the_moment(call, sentence):
    command, *arguments = call
    assert Call.of(command, "1", *arguments).sentence(posed(0.5, 1.0)) == sentence


def test_parts_are_called_as_people_do():
    assert part_called(HAND) == "left hand"
    assert part_called(JointRef("foot_r", Role.RIGHT_ANKLE)) == "right foot"
    assert part_called(SPINE) == "spine"
    assert part_called(TAIL) == "Tail"
