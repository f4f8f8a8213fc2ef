"""Small settings that ask for very much: refused with a sentence, before the memory is taken, and nothing is lost."""

import re
from dataclasses import replace

import numpy as np
import pytest

from editor.clips.sequence import Part, Sequence
from editor.placing.edit import Place
from editor.retarget.edit import Retarget
from editor.stack import evaluator as evaluate
from editor.stack.evaluator import Evaluator, SourceError
from editor.stagger.source import StaggeredPose, StaggeredPosesSource
from editor.timing.edit import Resample, Retime, Trim
from editor.walking.loops import find_loop
from editor.walking.source import StyleBand, WalkAlongPath
from model.clip import Clip, Layer, Take
from model.path import Path, PathPoint
from model.project import Project
from tests.clips import stepping_figure
from tests.editor.evaluated import Given, take_of
from tests.memory import peak_bytes
from tests.stacks import Raising, stack


@pytest.fixture(scope="module")
def walk():
    return take_of(stepping_figure(seconds=6.0)[0])


def slowed(take, fps):
    """The take as if it had been recorded at another rate."""
    return Take(replace(take.motion, frame_time_s=1.0 / fps), take.contacts)


def project_of(take, *edits):
    layers = tuple(Layer(f"{n}", edit) for n, edit in enumerate(edits))
    return Project((Clip("1", "Walk", Given(take), layers),))


def evaluated(project, clip="1"):
    """The stages, or the error, and the most memory that it took."""
    found = []

    def work():
        try:
            found.append(Evaluator().stages(project, clip))
        except SourceError as error:
            found.append(error)

    peak = peak_bytes(work)
    return found[0], peak


@pytest.mark.parametrize(
    ("fps", "edit", "reason"),
    [
        (
            60.0,
            (Retime(((0.0, 0.01),)),) * 2,
            r"Retime would make .* frames of 22 joints; 363,636 are the most\. Use a",
        ),
        (0.1, (Resample(1000.0),), r"A frame rate of 1000 fps would make .* are the most\. Use a lower frame rate"),
    ],
    ids=["retime", "resample"],
)
def test_an_edit_that_would_make_too_many_frames_fails_and_leaves_the_take(walk, fps, edit, reason):
    stages, peak = evaluated(project_of(slowed(walk, fps), *edit, Trim(0.0, 1.0)))
    failed = [stage for stage in stages if stage.failed]
    assert len(failed) == 1
    assert stages[stages.index(failed[0]) - 1].take is failed[0].take
    assert re.match(reason, failed[0].notes[0])
    assert not stages[-1].failed  # edits after it go on
    assert peak < 400 << 20


def test_retargeting_to_a_body_of_very_many_joints_fails(walk, monkeypatch):
    monkeypatch.setattr("model.limits.MOST_JOINT_FRAMES", 22 * 100)
    monkeypatch.setattr("model.limits._MOST_TIMES", 1)
    stages, _ = evaluated(project_of(walk, Retarget()))
    assert stages[-1].failed
    assert stages[-1].notes[0].startswith("Retarget would make 360 frames of 26 joints")


def test_edits_that_together_need_too_much_memory_fail_from_there_on_and_come_back(walk, monkeypatch):
    size = walk.motion.root_positions.nbytes + walk.motion.local_rotations.nbytes
    monkeypatch.setattr(evaluate, "MOST_STAGE_BYTES", 5 * size)
    edits = [Place(move_x_m=float(n + 1), turn_rad=0.1) for n in range(50)]
    evaluator = Evaluator()
    project = project_of(walk, *edits)
    stages = evaluator.stages(project, "1")
    assert [stage.failed for stage in stages].index(True) in range(4, 12)
    assert stages[-1].failed
    assert stages[-1].notes[0].startswith("the edits before this one need more than")
    assert stages[-1].take is stages[20].take
    assert evaluator.known(project, "1") == stages
    assert not any(stage.failed for stage in evaluator.stages(project_of(walk, *edits[:3]), "1"))


def test_clips_of_clips_that_together_need_too_much_memory_fail(walk, monkeypatch):
    size = walk.motion.root_positions.nbytes + walk.motion.local_rotations.nbytes
    monkeypatch.setattr(evaluate, "MOST_STAGE_BYTES", 3 * size)
    takes = [take_of(stepping_figure(seconds=6.0)[0]) for _ in range(6)]
    parts = tuple(Part(f"{n}") for n in range(6))
    clips = [Clip(f"{n}", f"Walk {n}", Given(take)) for n, take in enumerate(takes)]
    project = Project((*clips, Clip("all", "All", Sequence(parts))))
    with pytest.raises(SourceError, match="'All': the clips that it is made of need more than"):
        Evaluator().stages(project, "all")


def test_a_lack_of_memory_is_told_on_the_edit_and_on_the_clip():
    stages = Evaluator().stages(stack(Raising(MemoryError())), "1")
    assert stages[-1].failed
    assert "not enough memory" in stages[-1].notes[0]


def test_sequences_of_sequences_of_very_many_clips_fail_before_they_are_joined(walk, monkeypatch):
    monkeypatch.setattr("model.limits.MOST_JOINT_FRAMES", 22 * 1500)
    clips = [Clip("0", "Walk", Given(walk))]
    clips += [Clip(f"{n}", f"Deep {n}", Sequence((Part(f"{n - 1}", 0.1, 0.0),) * 4)) for n in range(1, 9)]
    project = Project(tuple(clips))
    assert len(Evaluator().stages(project, "1")) == 1
    with pytest.raises(
        SourceError, match=r"'Deep 2': A sequence of these clips would make .* Take fewer or shorter ones"
    ):
        Evaluator().stages(project, "2")
    with pytest.raises(SourceError, match="'Deep 8': 'Deep 7', of which it is made, is gone, fails"):
        Evaluator().stages(project, "8")


def test_staggered_poses_very_far_apart_fail():
    source = StaggeredPosesSource((StaggeredPose(0.0), StaggeredPose(1e9)))
    reason, peak = evaluated(Project((Clip("1", "Poses", source),)))
    assert "Staggered poses would make 60,000,000,030 frames" in str(reason)
    assert peak < 1 << 20


@pytest.mark.parametrize(
    "path",
    [
        Path.through([(0.0, 0.0), (0.0, 1e5)]),
        Path((PathPoint(0.0, 0.0, "arc", 10.0), PathPoint(0.0, 9e4))),
        Path.through([(0.0, 0.0), (4e5, 3e5), (0.0, 8e5)], "smooth", closed=True),
    ],
    ids=["straight", "arc", "smooth"],
)
def test_a_walk_of_very_many_kilometres_fails_with_its_length_and_the_longest(walk, path):
    project = Project(
        (Clip("style", "Style", Given(walk)), Clip("1", "Far", WalkAlongPath(path, (StyleBand("style"),))))
    )
    reason, peak = evaluated(project)
    assert "m long; a walk can have 10,000 m at most" in str(reason)
    assert peak < 100 << 20


def test_a_walk_that_would_take_too_long_fails(walk, monkeypatch):
    monkeypatch.setattr("model.limits.MOST_JOINT_FRAMES", 22 * 1000)
    source = WalkAlongPath(Path.through([(0.0, 0.0), (0.0, 50.0)]), (StyleBand("style"),))
    reason, _ = evaluated(Project((Clip("style", "Style", Given(walk)), Clip("1", "Far", source))))
    assert "'Far': A walk of 50 m would make" in str(reason)
    assert "Shorten the path, or take faster styles." in str(reason)


def test_a_walk_of_a_kilometre_goes_all_the_way():
    style = take_of(stepping_figure(seconds=6.0, fps=30.0)[0])
    source = WalkAlongPath(Path.through([(0.0, 0.0), (0.0, 1000.0)]), (StyleBand("style"),))
    take = Evaluator().take(Project((Clip("style", "Style", Given(style)), Clip("1", "Far", source))), "1")
    assert np.ptp(take.motion.root_positions[:, 2]) == pytest.approx(1000.0, abs=2.0)


def test_a_loop_played_very_often_is_refused(walk):
    with pytest.raises(ValueError, match=r"A loop played so often would make .* Play it fewer times\."):
        find_loop(walk).travelling(1_000_000)
