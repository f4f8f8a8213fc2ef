"""Laws that every command keeps, and what each does."""

import inspect
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.features import FEATURES
from editor.clips.commands import set_role
from editor.clips.imported import import_file
from editor.contacts.commands import correct_contacts
from editor.contacts.correct import Correction
from editor.curves.channels import Channel
from editor.curves.edit import Curve
from editor.curves.keys import Key, Keys
from editor.document.document import Document
from editor.exaggerate.edit import Exaggerate
from editor.gait.source import ProceduralGait
from editor.ground.commands import add_ground_object, change_ground_object, remove_ground_objects, set_ground
from editor.posing.edit import TargetPose, TargetPoses
from editor.retarget.character import built_in
from editor.retarget.edit import Retarget
from editor.retarget.mapping import Pair
from editor.stack.clips import add_clip, delete_clips, duplicate_clip, move_clip, rename_clip, set_source
from editor.stack.command import Call
from editor.stack.layers import add_edit, copy_edits, move_edit, remove_edits, set_scope, switch_edit
from editor.stack.markers import add_marker, move_marker, remove_markers, rename_marker
from editor.stagger.by_hand import StaggerChange
from editor.stagger.edit import Stagger
from editor.timing.edit import Trim
from editor.walking.source import StyleBand, WalkAlongPath
from model.character import Character, CharacterJoint
from model.clip import Clip, Layer, Marker, Unknown
from model.files.project_file import write_project
from model.ground import Box, Ground, Ramp
from model.path import Path as WalkedPath
from model.project import Project
from model.roles import Role
from model.scope import Scope
from model.skeleton import JointRef
from tests.scripts import replayed
from tests.stacks import After, Cut, Lift, Made

EDITS = FEATURES.edits
SCRIPT_NAMES = FEATURES.values
SOURCES = FEATURES.sources

TOUCH = Correction("left_foot", 0.1, 0.4, True)
BEND = Curve(Channel(JointRef("Head"), "vector", "X"), Keys((Key(0.5, 0.2),)))


IMPORTED = import_file(Path(__file__).parents[3] / "resources" / "samples" / "wave.bvh")
FOREARM = IMPORTED.motion.skeleton.find("LeftForeArm")


BOW = TargetPose(0.5, ((JointRef("Spine", Role.SPINE), (0.4, 0.0, 0.0)),))
RISE = TargetPose(0.2, (), (0.0, 0.1, 0.0))
NOD = TargetPose(0.8, ((JointRef("Head", Role.HEAD), (0.3, 0.0, 0.0)),))


LATE = Stagger(changes=(StaggerChange(1.0, 1.1),))
ELBOW = JointRef("LeftForeArm", Role.LEFT_ELBOW)
BLOCK = Box((0.0, 2.0), (1.0, 0.5), 0.2)
FURTHER = Box((1.0, 4.0), (1.0, 0.5), 0.3)
WALK = WalkAlongPath(WalkedPath.through([(0.0, 0.0), (0.0, 9.0)]), (StyleBand("9"), StyleBand("9", 4.0)))
SLOPE = Ramp((0.0, 0.0), (0.0, 2.0), 1.0, (0.0, 0.4))
SHRUG = Pair(JointRef("Head", Role.HEAD), JointRef("Neck", Role.NECK))
BARE = Character("Bare", (CharacterJoint("Hips", -1, (0.0, 1.0, 0.0), Role.PELVIS),))
SMALL = Layer("small", Retarget(built_in("child"), (SHRUG,)))


def sample_project():
    return Project(
        (
            Clip("1", "Walk", Made(), (Layer("2", Lift(1.0)), Layer("3", Cut(0.5)), Layer("4", Lift(2.0)))),
            Clip("5", "Run", Made(40), markers=(Marker("10", 0.5, "Kick"), Marker("11", 0.25))),
            Clip("6", "Both", After("5")),
            Clip(
                "7", "Odd", Made(50), (Layer("8", Unknown("fly", "{}")), Layer("bent", TargetPoses((RISE, BOW))), SMALL)
            ),
            Clip(
                "9",
                "Read",
                IMPORTED,
                (Layer("big", Exaggerate(2.0)), Layer("late", LATE), Layer("nod", TargetPoses((NOD,)))),
            ),
            Clip("walk", "Path", WALK),
        ),
        12,
        Ground(boxes=(BLOCK, FURTHER)),
        (BARE,),
    )


# For every command: a call that changes something, one that changes nothing (None where there is none), the sentence.
CALLS = {
    "add_clip": ((Made(30), "New"), None, "Add New"),
    "add_clips": (((Made(30), Made(31)), ("New", "Newer")), ((), ()), "Add 2 clips"),
    "set_role": (("9", FOREARM, "left_wrist"), ("9", FOREARM, "left_elbow"), "Call LeftForeArm left wrist"),
    "rename_clip": (("1", "Stroll"), ("1", " Walk "), "Rename Walk to Stroll"),
    "duplicate_clip": (("1",), None, "Duplicate Walk"),
    "delete_clips": ((("1", "7"),), ((),), "Delete 2 clips"),
    "move_clip": (("1", 2), ("1", 0), "Move Walk in the library"),
    "set_source": (("5", Made(41)), ("5", Made(40)), "Change the source of Run"),
    "add_edit": (("5", Lift(3.0)), None, "Add lift"),
    "change_edit": (("1", "2", Lift(9.0)), ("1", "2", Lift(1.0)), "Set lift by to 9.00 m"),
    "set_scope": (("1", "2", Scope(strength=0.5)), ("1", "2", Scope()), "Set strength of lift to 50 %"),
    "switch_edit": (("1", "3", False), ("1", "3", True), "Switch cut off"),
    "move_edit": (("1", "2", 2), ("1", "2", 0), "Move lift"),
    "remove_edits": (("1", ("3",)), ("1", ()), "Remove cut"),
    "copy_edits": (("1", ("2", "4"), "5"), ("1", (), "5"), "Copy 2 edits to Run"),
    "correct_contacts": (("5", (TOUCH,)), ("5", ()), "Correct contact"),
    "set_curves": (("5", (BEND,), None, "Bend head"), ("5", ()), "Bend head"),
    "add_extreme": (("5", 0.5), None, "Add extreme pose at 0.50 s"),
    "move_extreme": (("5", 0.5, 0.7), ("5", 0.5, 0.5), "Move extreme pose to 0.70 s"),
    "remove_extreme": (("5", 0.5), None, "Remove extreme pose at 0.50 s"),
    "pin_extreme": (("5", 0.5), ("5", 0.5, False), "Pin extreme pose at 0.50 s"),
    "add_marker": (("1", 1.2), None, "Add marker at 1.20 s"),
    "move_marker": (("5", "10", 0.75), ("5", "10", 0.5), "Move marker Kick to 0.75 s"),
    "rename_marker": (("5", "11", " Turn "), ("5", "10", "Kick "), "Name marker Turn"),
    "remove_markers": (("5", ("10", "11")), ("5", ()), "Remove 2 markers"),
    "set_poses": (("7", "bent", (NOD,), 0.5), ("7", "bent", ()), "Repeat pose at 0.50 s in 1 place"),
    "set_lengths": (
        ("7", "bent", (JointRef("Head", Role.HEAD),), 0.5, "neck"),
        ("7", "bent", (JointRef("Head", Role.HEAD),), 1.0),
        "Set the length of neck to 50%",
    ),
    "limit_pose": (("7", "bent", 0.5, ()), ("7", "bent", 0.5, None), "Limit to 0 joints the pose at 0.50 s"),
    "set_grounded": (("7", "bent", True), ("7", "bent", False), "Keep feet on the ground in target poses"),
    "set_pose": (("7", "bent", NOD), ("7", "bent", BOW), "Turn head at 0.80 s"),
    "remove_poses": (("7", "bent", (0.5,)), ("7", "bent", ()), "Remove pose at 0.50 s"),
    "move_poses": (("7", "bent", (0.2,), 0.1), ("7", "bent", (0.5,), 0.0), "Move pose at 0.20 s by +0.10 s"),
    "exaggerate_by_poses": (("9", "big", (BOW, NOD)), None, "Make 2 target poses of exaggerate"),
    "set_ground": ((Ground(ramps=(SLOPE,)), "Clear up"), (Ground(boxes=(BLOCK, FURTHER)),), "Clear up"),
    "add_ground_object": ((SLOPE,), None, "Add a ramp"),
    "change_ground_object": (
        (("box", 1), replace(FURTHER, center=(0.0, 0.0))),
        (("box", 0), BLOCK),
        "Move box 2",
    ),
    "remove_ground_objects": (((("box", 0),),), ((),), "Remove box 1"),
    "draw_walk": ((WALK.path, ((0.0, "9"), (3.0, IMPORTED)), "Round"), None, "Draw a path"),
    "redraw_walk": (("walk", WalkedPath.through([(0.0, 0.0), (1.0, 5.0)])), ("walk", WALK.path), "Draw a path"),
    "set_walk_path": (("walk", WalkedPath.through([(0.0, 0.0), (1.0, 9.0)])), ("walk", WALK.path), "Change the path"),
    "add_walk_style": (("walk", StyleBand("9", 6.0)), None, "Walk as Read from 6.00 m"),
    "change_walk_style": (
        ("walk", 1, StyleBand("9", 4.0, 1.0)),
        ("walk", 1, StyleBand("9", 4.0)),
        "Change Read on the path",
    ),
    "move_walk_style": (("walk", 1, 5.0), ("walk", 1, 4.0), "Move Read to 5.00 m"),
    "remove_walk_style": (("walk", 1), None, "Remove Read from the path"),
    "retarget_to": (("7", built_in("tall"), "small"), ("7", built_in("child"), "small"), "Retarget Odd to tall"),
    "set_follows": (
        ("7", "small", JointRef("Neck", Role.NECK), None),
        ("7", "small", SHRUG.target, SHRUG.source),
        "Let Neck follow nothing",
    ),
    "guess_follows": (
        ("7", "small", (SHRUG.target,)),
        ("7", "small", (JointRef("Tail"),)),
        "Guess what Head follows",
    ),
    "add_character": ((replace(BARE, name="Ann"),), (BARE,), "Keep character Ann"),
    "remove_character": (("Bare",), None, "Remove character Bare"),
    "move_staggered_poses": (("9", "late", (1.0,), 0.2), ("9", "late", (1.0,), 0.0), "Move pose at 1.00 s by +0.20 s"),
    "move_knots": (
        ("9", "late", ((1.0, ELBOW, 0.1),)),
        ("9", "late", ((1.0, ELBOW, 0.0),)),
        "Move left elbow by +0.10 s in pose at 1.00 s",
    ),
    "shape_staggered_pose": (
        ("9", "late", 1.0, ((ELBOW, (0.0, 0.3, 0.0)),)),
        ("9", "late", 1.0, ()),
        "Pose body at 1.00 s",
    ),
    "push_staggered_poses": (
        ("9", "late", (1.0,), 0.5),
        ("9", "late", (1.0,), 0.0),
        "Set pose at 1.00 s 50% farther from the mean",
    ),
    "ease_staggered_poses": (("9", "late", (1.0,), 0.0), ("9", "late", (1.0,)), "Ease at pose at 1.00 s"),
    "reset_staggered_poses": (("9", "late", (1.0,)), ("9", "late", (2.0,)), "Reset pose at 1.00 s"),
    "take_in_poses": (
        ("9", "late", "nod", ((1.0, 0.8),)),
        ("9", "late", "nod", ()),
        "Take a target pose into staggered poses",
    ),
    "add_staggered_pose": (("9", "late", 2.0), None, "Add staggered pose at 2.00 s"),
    "remove_staggered_poses": (("9", "late", (1.0,)), ("9", "late", ()), "Remove pose at 1.00 s"),
    "change_pose": (("7", "bent", 0.5, None, 0.2), ("7", "bent", 0.5, None, 0.5), "Change pose at 0.50 s"),
}


def test_every_command_is_in_the_table():
    assert set(CALLS) == set(FEATURES.commands)


@pytest.mark.parametrize("name", CALLS)
def test_undo_is_exact_and_redo_repeats(name):
    arguments, _, sentence = CALLS[name]
    document = Document(sample_project())
    before = document.project
    text = repr(before)
    assert document.do(FEATURES.commands[name], *arguments)
    after = document.project
    assert document.undo_text == sentence
    assert repr(before) == text, "the project before was changed"
    assert document.undo()
    assert document.project is before
    assert document.redo_text == sentence
    assert document.redo()
    assert document.project is after
    again = FEATURES.commands[name](before, *arguments)
    assert repr(again) == repr(after), "the same command gives the same project"


@pytest.mark.parametrize("name", [name for name, (_, nothing, _) in CALLS.items() if nothing is not None])
def test_command_that_changes_nothing_is_no_step(name):
    document = Document(sample_project())
    before = document.project
    assert not document.do(FEATURES.commands[name], *CALLS[name][1])
    assert document.project is before
    assert document.steps == ()
    assert not document.modified


@pytest.mark.parametrize("name", CALLS)
def test_call_is_a_line_of_python_that_gives_the_same(name):
    arguments, _, _ = CALLS[name]
    call = Call.of(FEATURES.commands[name], *arguments)
    names = {**SCRIPT_NAMES, **{one.__name__: one for one in (Made, Lift, Cut, After)}}
    known = {**names, name: FEATURES.commands[name], "project": sample_project()}
    assert repr(eval(call.line("project"), known)) == repr(call(sample_project()))


@pytest.mark.parametrize("name", CALLS)
def test_preview_shows_it_and_cancel_leaves_no_trace(name):
    arguments, _, sentence = CALLS[name]
    document = Document(sample_project())
    before = document.project
    document.do(rename_clip, "1", "First")
    document.undo()
    document.preview(FEATURES.commands[name], *arguments)
    assert document.project is not before
    assert document.committed is before
    assert not document.modified
    document.cancel()
    assert document.project is before
    assert document.redo_text == "Rename Walk to First", "what could be redone still can"
    document.preview(FEATURES.commands[name], *arguments)
    assert document.commit()
    assert [step.sentence for step in document.steps] == [sentence]


@pytest.mark.parametrize("name", CALLS)
def test_commands_say_what_they_do(name):
    assert inspect.getdoc(FEATURES.commands[name])


WRONG = {
    "no such clip": (rename_clip, ("99", "x"), "there is no clip '99'"),
    "empty name": (rename_clip, ("1", "  "), "needs a name"),
    "name taken": (rename_clip, ("1", "Run"), "another clip named 'Run'"),
    "clip in use": (delete_clips, (("5",),), "'Run' is used by 'Both'"),
    "circle": (set_source, ("5", After("6")), "'Both' is itself made of this clip"),
    "circle of one": (set_source, ("5", After("5")), "itself made of this clip"),
    "source gone": (add_clip, (After("99"), "x"), "there is no clip '99'"),
    "roles of a made clip": (set_role, ("1", 3, "spine"), "'Walk' is not imported"),
    "no such joint": (set_role, ("9", 99, "spine"), "joint is 99"),
    "no such role": (set_role, ("9", 3, "tail"), "'tail' is not a valid Role"),
    "no such edit": (switch_edit, ("1", "99", True), "'Walk' has no edit '99'"),
    "source as edit": (add_edit, ("1", Made()), r"edit is Made\(.*; it must be of type Edit"),
    "edit as source": (add_clip, (Lift(), "x"), "source is .* it must be of type Source"),
    "one text for several": (delete_clips, ("17",), "clips is '17'; it must be a tuple"),
    "number as name": (rename_clip, ("1", 5), "name is 5; it must be a text"),
    "text as switch": (switch_edit, ("1", "2", "off"), "on is 'off'; it must be True or False"),
    "part of a place": (move_edit, ("1", "2", 1.5), "place is 1.5; it must be a whole number"),
    "no place": (move_clip, ("1", None), "place is None; it must be a whole number"),
    "no such marker": (move_marker, ("5", "99", 1.0), "'Run' has no marker '99'"),
    "no such markers": (remove_markers, ("5", ("10", "99")), "'Run' has no marker '99'"),
    "marker at no time": (add_marker, ("5", float("nan")), "time_s is nan; it must be a finite number"),
    "no such box": (change_ground_object, (("box", 2), BLOCK), "there is no box 3 on the ground"),
    "no such object": (remove_ground_objects, ((("wall", 0),),), "there is no wall 1 on the ground"),
    "ramp for a box": (change_ground_object, (("box", 0), SLOPE), "changed is a ramp"),
    "floor aloft": (set_ground, (Ground(0.5),), "its floor must be at 0"),
    "range for all": (set_scope, ("1", "3", Scope(start_s=1.0)), "Cut acts on all"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_cannot_be_done_says_why_and_changes_nothing(wrong):
    function, arguments, reason = WRONG[wrong]
    document = Document(sample_project())
    before = document.project
    with pytest.raises(ValueError, match=reason):
        document.do(function, *arguments)
    with pytest.raises(ValueError, match=reason):
        document.preview(function, *arguments)
    with pytest.raises(ValueError, match=reason):
        function(before, *arguments)
    assert document.project is document.committed is before
    assert document.steps == ()


def test_lists_are_taken_as_tuples_and_numpy_numbers_as_numbers():
    document = Document(sample_project())
    assert document.do(delete_clips, ["1", "7"])
    assert document.do(move_clip, "9", np.int64(0))
    assert document.do(add_edit, "5", Lift(np.float64(1.5)), scope=Scope(joints=[JointRef("Head")]))
    assert hash(document.project.clip("5").layers[0])
    assert repr(replayed(document, sample_project(), Lift=Lift)) == repr(document.project)


def test_what_is_not_a_command_is_refused():
    with pytest.raises(ValueError, match="len is not a command"):
        Call.of(len, "1")


def test_deleting_a_clip_with_its_users_is_allowed():
    project = delete_clips(sample_project(), ("5", "6"))
    assert [clip.id for clip in project.clips] == ["1", "7", "9", "walk"]


def test_new_ids_are_never_used_twice():
    document = Document(sample_project())
    document.do(add_edit, "5", Lift(1.0))
    first = document.project.clip("5").layers[0].id
    document.do(remove_edits, "5", (first,))
    document.do(add_edit, "5", Lift(1.0))
    assert document.project.clip("5").layers[0].id != first


def test_names_are_made_their_own():
    project = add_clip(add_clip(sample_project(), Made(), "Walk"), Made(), "Walk")
    assert [clip.name for clip in project.clips[-2:]] == ["Walk 2", "Walk 3"]
    assert duplicate_clip(project, "1").clips[1].name == "Walk copy"


def test_duplicates_share_the_source_and_have_edits_of_their_own():
    project = duplicate_clip(sample_project(), "1")
    one, copy = project.clips[:2]
    assert copy.source is one.source
    assert [layer.edit for layer in copy.layers] == [layer.edit for layer in one.layers]
    assert not {layer.id for layer in copy.layers} & {layer.id for layer in one.layers}


def test_duplicates_have_markers_of_their_own():
    project = duplicate_clip(sample_project(), "5")
    one, copy = project.clip("5"), project.clips[2]
    assert [(marker.time_s, marker.name) for marker in copy.markers] == [(0.25, ""), (0.5, "Kick")]
    assert not {marker.id for marker in copy.markers} & {marker.id for marker in one.markers}


def test_markers_stay_in_the_order_of_time():
    project = add_marker(move_marker(sample_project(), "5", "11", 2.0), "5", 1.0, " Land  here ")
    assert [marker.name for marker in project.clip("5").markers] == ["Kick", "Land here", ""]
    assert [marker.id for marker in remove_markers(project, "5", ("10",)).clip("5").markers] == ["12", "11"]


def test_markers_of_one_clip_have_ids_of_their_own():
    with pytest.raises(ValueError, match="markers: those of 'Run' do not all have ids"):
        Clip("1", "Run", Made(), markers=(Marker("2", 0.0), Marker("2", 1.0)))


def test_marker_sentences_say_which():
    document = Document(sample_project())
    document.do(move_marker, "5", "11", 0.3)
    assert document.undo_text == "Move marker to 0.30 s"
    document.do(rename_marker, "5", "10", "")
    assert document.undo_text == "Remove the name of marker Kick"
    document.do(remove_markers, "5", ("10",))
    assert document.undo_text == "Remove marker"


def test_edits_go_where_they_are_put():
    project = add_edit(sample_project(), "1", Lift(7.0), place=1)
    assert [layer.edit for layer in project.clip("1").layers] == [Lift(1.0), Lift(7.0), Cut(0.5), Lift(2.0)]
    project = move_edit(sample_project(), "1", "2", 1)
    assert [layer.id for layer in project.clip("1").layers] == ["3", "2", "4"]
    assert [clip.id for clip in move_clip(sample_project(), "1", 99).clips] == ["5", "6", "7", "9", "walk", "1"]


def test_copied_edits_keep_switch_and_scope():
    project = set_scope(switch_edit(sample_project(), "1", "2", False), "1", "2", Scope(strength=0.25))
    (copied,) = copy_edits(project, "1", ("2",), "5").clip("5").layers
    assert (copied.edit, copied.on, copied.scope.strength) == (Lift(1.0), False, 0.25)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        (replace(BLOCK, center=(3.0, 3.0)), "Move box 1"),
        (replace(BLOCK, yaw_rad=0.5), "Turn box 1"),
        (replace(BLOCK, height_m=0.5), "Set the height of box 1"),
        (replace(BLOCK, size_m=(2.0, 0.5)), "Resize box 1"),
        (replace(BLOCK, size_m=(2.0, 0.5), center=(0.5, 2.0)), "Resize box 1"),
        (replace(BLOCK, size_m=(2.0, 0.5), height_m=0.5), "Change box 1"),
    ],
)
def test_undo_says_what_was_done_to_a_box(changed, sentence):
    document = Document(sample_project())
    document.do(change_ground_object, ("box", 0), changed)
    assert document.undo_text == sentence


def test_objects_are_counted_within_their_kind():
    project = add_ground_object(add_ground_object(sample_project(), SLOPE), BLOCK)
    assert [name for name, _ in project.ground.objects] == [("box", 0), ("box", 1), ("box", 2), ("ramp", 0)]
    left = remove_ground_objects(project, (("box", 0), ("ramp", 0))).ground
    assert left.objects == ((("box", 0), FURTHER), (("box", 1), BLOCK))


def test_role_goes_to_one_joint_only():
    project = set_role(sample_project(), "9", FOREARM, "left_wrist")
    skeleton = project.clip("9").source.motion.skeleton
    assert skeleton.roles[FOREARM] == "left_wrist"
    assert list(skeleton.roles).count("left_wrist") == 1
    assert set_role(project, "9", FOREARM, None).clip("9").source.motion.skeleton.roles[FOREARM] is None


def test_contact_corrections_gather_in_one_edit_at_the_bottom():
    project = correct_contacts(sample_project(), "1", (TOUCH,))
    layer = project.clip("1").layers[0]
    assert layer.edit.corrections == (TOUCH,)
    other = replace(TOUCH, touches=False)
    project = correct_contacts(switch_edit(project, "1", layer.id, False), "1", (other,))
    assert project.clip("1").layers[0].edit.corrections == (TOUCH, other)
    assert project.clip("1").layers[0].on
    assert len(project.clip("1").layers) == 4


def test_script_of_a_document_does_it_all_again():
    document = Document(sample_project())
    for name, (arguments, _, _) in CALLS.items():
        if name not in ("delete_clips", "remove_edits", "remove_markers", "remove_poses", "set_ground"):
            document.do(FEATURES.commands[name], *arguments)
    project = replayed(document, sample_project(), Made=Made, Lift=Lift, Cut=Cut, After=After)
    assert repr(project) == repr(document.project)


def test_script_of_an_opened_project_runs_as_it_is_printed_in_a_process_of_its_own(tmp_path):
    path = tmp_path / "shot.mwright"
    document = Document()
    document.do(add_clip, ProceduralGait(seconds=1.0), "Walk")
    write_project(document.project, path, FEATURES.kinds)
    document.restart(document.project, path)
    document.do(add_edit, "1", Trim(0.2, 0.8), scope=Scope(0.5))
    document.do(rename_clip, "1", "Short")
    script = tmp_path / "script.py"
    script.write_text(f"{document.script(FEATURES.values)}print(repr(project))\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, env=environment)
    assert done.stderr == ""
    assert done.stdout.strip() == repr(document.project)
