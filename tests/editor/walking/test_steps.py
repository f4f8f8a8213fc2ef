"""Edits on a walk are anchored to its steps: paths, styles and starts change, and what was done stays in its step."""

from dataclasses import replace

import numpy as np
import pytest

from editor.document.document import Document
from editor.gait.parameters import Gait
from editor.gait.source import ProceduralGait
from editor.posing.commands import set_pose
from editor.posing.edit import TargetPose, TargetPoses
from editor.repair.smoothing import Smooth
from editor.stack.evaluator import Evaluator
from editor.stack.layers import add_edit, change_edit, set_scope
from editor.stack.markers import add_marker
from editor.timing.edit import Trim
from editor.walking.source import StyleBand, WalkAlongPath
from editor.walking.walk import STEP_S, step_clock
from model.clip import Clip, Layer
from model.contacts import FEET
from model.path import Path
from model.project import Project
from model.roles import Role
from model.scope import Scope
from model.skeleton import JointRef

SPINE = JointRef("Spine", Role.SPINE)
STRAIGHT = Path.through([(0.0, 0.0), (0.0, 8.0)])
WALKS = {
    "straight": WalkAlongPath(STRAIGHT, (StyleBand("1"),)),
    "bent": WalkAlongPath(Path.through([(0.0, 0.0), (0.0, 3.0), (3.0, 3.0), (3.0, 9.0)]), (StyleBand("1"),)),
    "slower": WalkAlongPath(STRAIGHT, (StyleBand("1"),), speeds=((0.0, 1.0), (2.0, 0.6), (8.0, 1.0))),
    "other style": WalkAlongPath(STRAIGHT, (StyleBand("2"),)),
    "two styles": WalkAlongPath(STRAIGHT, (StyleBand("1"), StyleBand("2", 3.0))),
    "a run": WalkAlongPath(STRAIGHT, (StyleBand("1"), StyleBand("3", 3.0))),
    "from standing": WalkAlongPath(STRAIGHT, (StyleBand("1"),), starts="standing"),
    "to standing": WalkAlongPath(STRAIGHT, (StyleBand("1"),), stops="standing"),
}


@pytest.fixture(scope="module")
def clips():
    return (
        Clip("1", "Walk", ProceduralGait(Gait(1.3, seed=2))),
        Clip("2", "Slow", ProceduralGait(Gait(0.8, seed=4))),
        Clip("3", "Run", ProceduralGait(Gait(3.2, seed=5))),
    )


@pytest.fixture(scope="module")
def evaluator():
    return Evaluator()


def walk(clips, source, *edits):
    layers = tuple(Layer(str(10 + n), edit) for n, edit in enumerate(edits))
    return Project((*clips, Clip("4", "Path", source, layers)), 30)


def strikes_s(take):
    """(N,) when feet are set down, but for those that stand already."""
    starts = [one.start for foot in FEET for one in take.contacts.limbs[foot] if one.start > 0]
    return np.sort(starts) * take.motion.frame_time_s


def bend(time_s):
    return TargetPoses((TargetPose(time_s, ((SPINE, (0.4, 0.0, 0.0)),), before_s=0.3, after_s=0.3),))


@pytest.mark.parametrize("name", WALKS)
def test_steps_are_at_the_same_times_of_the_clock_whatever_the_walk(clips, evaluator, name):
    stage = evaluator.stages(walk(clips, WALKS[name]), "4")[0]
    told = stage.time_map.inverse()(strikes_s(stage.take)) / STEP_S
    told = told[:-1] if WALKS[name].stops == "standing" else told  # the foot that joins the other makes half a step
    # A foot lands at about seven tenths of each step, a runner's somewhat later.
    assert np.all(np.abs(told - np.arange(len(told)) - 0.75) < 0.25)
    assert np.max(np.abs(np.diff(told) - 1.0)) < 0.25
    assert float(stage.time_map(0.0)) == 0.0
    assert len(told) <= stage.steps.stop_s / STEP_S <= len(told) + 1.5
    # It never stands still or jumps, also where the walk does.
    frames = np.arange(stage.take.motion.frames) * stage.take.motion.frame_time_s
    rates = np.diff(stage.time_map.inverse()(frames)) / stage.take.motion.frame_time_s
    assert np.min(rates) > 0.1
    assert np.max(np.abs(np.diff(rates[1:]))) < 0.15  # the first frame is at 0 exactly


@pytest.mark.parametrize("name", WALKS)
def test_pose_stays_with_its_step(clips, evaluator, name):
    first = evaluator.stages(walk(clips, WALKS["straight"]), "4")[0]
    fifth_s = float(first.time_map.inverse()(strikes_s(first.take)[4]))
    before, after = evaluator.stages(walk(clips, WALKS[name], bend(fifth_s)), "4")
    spine = before.take.motion.skeleton.joint(Role.SPINE)
    change = np.linalg.norm(
        after.take.motion.local_rotations[:, spine] - before.take.motion.local_rotations[:, spine], axis=-1
    )
    at_s = float(np.argmax(change)) * before.take.motion.frame_time_s
    step_s = float(np.median(np.diff(strikes_s(before.take))))
    assert abs(at_s - strikes_s(before.take)[4]) < 0.2 * step_s
    assert after.notes == ()


def test_step_that_is_gone_is_told_and_waits(clips, evaluator):
    long, short = WALKS["straight"], replace(WALKS["straight"], path=Path.through([(0.0, 0.0), (0.0, 3.0)]))
    edit = bend(9.4 * STEP_S)
    there = evaluator.stages(walk(clips, long, edit), "4")
    assert there[1].take is not there[0].take
    assert there[1].notes == ()
    gone = evaluator.stages(walk(clips, short, edit), "4")
    (note,) = gone[1].notes
    assert ", step 10 is gone." in note
    assert np.array_equal(gone[1].take.motion.local_rotations, gone[0].take.motion.local_rotations)
    two = TargetPoses((*edit.poses, *bend(11.4 * STEP_S).poses))
    assert evaluator.stages(walk(clips, short, two), "4")[1].notes[0].find("steps 10 to 12 are gone") > 0
    # An edit that trims the walk takes nothing away from it.
    cut = evaluator.stages(walk(clips, long, Trim(stop_s=3.0), edit), "4")
    assert cut[2].notes == ()


def test_trim_keeps_the_same_steps(clips, evaluator):
    counts = set()
    for name in ("straight", "slower", "bent"):
        stage = evaluator.stages(walk(clips, WALKS[name], Trim(STEP_S, 6.0 * STEP_S)), "4")[1]
        counts.add(len(strikes_s(stage.take)))
    assert counts == {5}


def test_sentences_tell_the_step(clips):
    document = Document(walk(clips, WALKS["straight"]))

    def said(command, *arguments):
        document.do(command, *arguments)
        return document.undo_text

    assert said(add_marker, "4", 4.5 * STEP_S) == "Add marker at step 5"
    assert said(set_pose, "4", None, bend(2.2 * STEP_S).poses[0], "Bend spine") == "Bend spine at step 3"
    document.do(add_edit, "4", Trim())
    trim = document.project.clip("4").layers[-1].id
    assert said(change_edit, "4", trim, Trim(start_s=1.1 * STEP_S)) == "Set trim start to step 2"
    document.do(add_edit, "4", Smooth())
    smooth = document.project.clip("4").layers[-1].id
    assert said(set_scope, "4", smooth, Scope(start_s=3.0 * STEP_S)) == "Let smooth act from step 4"
    assert said(add_marker, "1", 1.25) == "Add marker at 1.25 s"


def test_clock_of_a_walk_that_never_goes_is_that_of_its_take():
    clock = step_clock(np.zeros(30), 1.0 / 60.0)
    assert float(clock(0.4)) == 0.4


def test_clock_counts_time_that_passes_standing():
    phases = np.concatenate([np.zeros(24), np.linspace(0.0, 3.0, 200), np.full(24, 3.0)])
    clock = step_clock(phases, 1.0 / 60.0)
    last_s = (len(phases) - 1) / 60.0
    told = clock.inverse()(np.array([0.0, 0.2, last_s - 0.2, last_s]))
    assert told[0] == 0.0
    assert np.all(np.diff(told) > 0.05)
    assert np.allclose(clock(told), [0.0, 0.2, last_s - 0.2, last_s])
