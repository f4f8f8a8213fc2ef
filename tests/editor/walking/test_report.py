"""What a walk reports of its take, and what of it is derived once while a path is drawn."""

from dataclasses import replace

import numpy as np
import pytest

from editor.gait.parameters import Gait
from editor.gait.source import ProceduralGait
from editor.placing.edit import Mirror
from editor.stack.evaluator import Evaluator, SourceError
from editor.walking.footprints import footprints
from editor.walking.report import WalkReport
from editor.walking.source import StyleBand, WalkAlongPath
from editor.walking.styles import style_of
from model.clip import Clip, Layer
from model.ground import Box, Ground
from model.path import Path
from model.project import Project

WALK = WalkAlongPath(Path.through([(0.0, 0.0), (0.0, 6.0), (3.0, 8.0)]), (StyleBand("1"), StyleBand("2", 4.0)))


@pytest.fixture(scope="module")
def project():
    return Project((
        Clip("1", "Walk", ProceduralGait(Gait(1.3, seed=2))),
        Clip("2", "Slow", ProceduralGait(Gait(0.8, seed=4))),
        Clip("3", "Stand", ProceduralGait(Gait(0.0))),
        Clip("4", "Path", WALK, (Layer("5", Mirror()),)),
    ), 6)  # fmt: skip


@pytest.fixture(scope="module")
def evaluator():
    return Evaluator()


@pytest.fixture(scope="module")
def take(project, evaluator):
    return evaluator.stages(project, "4")[0].take


def walking(project, **changes):
    return project.with_clip(replace(project.clip("4"), source=replace(WALK, **changes)))


def test_report_tells_of_every_frame_of_the_take(take):
    report = take.report(WalkReport)
    assert np.array_equal(report.places, take.motion.root_positions[:, [0, 2]])
    assert len(report.arc_m) == len(report.lean_rad) == len(report.scales) == take.motion.frames
    assert report.duration_s == pytest.approx(take.motion.duration_s)
    assert report.footprints == footprints(take)
    assert report.arc_m[-1] == pytest.approx(report.curve.length_m, abs=0.2)
    (fade,) = report.fades
    assert (fade.before, fade.after) == (0, 1)
    middle = round((fade.start_s + 0.5 * fade.length_s) / report.frame_time_s)
    assert report.arc_m[middle] == pytest.approx(4.0, abs=0.5)


def test_report_of_a_walk_on_steps_tells_where_feet_tread_there(project, evaluator):
    here = replace(project, ground=Ground(boxes=(Box((0.0, 3.0), (2.0, 1.0), 0.2),)))
    take = evaluator.stages(here, "4")[0].take
    assert take.ground is not None
    assert take.report(WalkReport).footprints == footprints(take)


def test_edits_after_a_walk_carry_no_report_and_the_source_keeps_it(project, evaluator):
    source, mirrored = evaluator.stages(project, "4")
    assert mirrored.take.report(WalkReport) is None
    assert source.take.report(WalkReport) is not None


def test_clock_is_that_of_the_stage(project, evaluator):
    source, mirrored = evaluator.stages(project, "4")
    steps = source.time_map.inverse()(np.array([one.start_s for one in source.take.report(WalkReport).footprints[2:]]))
    assert np.allclose(np.diff(steps), source.steps.step_s, atol=0.2)
    assert mirrored.steps is source.steps


def test_loops_are_found_once_while_the_path_is_drawn(project, evaluator, take):
    first, second = (evaluator.take(project, clip) for clip in "12")
    styles = take.report(WalkReport).styles
    assert styles == tuple(evaluator.known_derived(style_of, one, first, 0) for one in (first, second))
    longer = walking(project, path=Path.through([(0.0, 0.0), (0.0, 7.0)]))
    assert evaluator.stages(longer, "4")[0].take.report(WalkReport).styles == styles


def test_rename_of_a_style_re_runs_nothing_but_a_walk_that_tells_its_name(project, evaluator, take):
    renamed = project.with_clip(replace(project.clip("2"), name="Sly"))
    assert evaluator.known(renamed, "4")[0].take is take
    for name in ("Stand", "Statue"):
        failing = walking(project.with_clip(replace(project.clip("3"), name=name)), styles=(StyleBand("3"),))
        with pytest.raises(SourceError, match=f"'Path': '{name}' has no loop"):
            evaluator.stages(failing, "4")
