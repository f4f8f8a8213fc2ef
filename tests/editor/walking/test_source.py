"""The source that walks along a path: other clips by id, the ground, project files, scripts."""

from dataclasses import replace

import numpy as np
import pytest

from app.features import FEATURES
from editor.contacts.detect import find_contacts
from editor.gait.cycles import find_cycles
from editor.gait.parameters import Gait
from editor.gait.source import ProceduralGait
from editor.quality.figures import contact_drifts, penetration_cm, stretch_percent
from editor.retarget.carry import retargeted
from editor.retarget.character import built_in
from editor.stack.evaluator import Evaluator, SourceError
from editor.walking.commands import (
    add_walk_style,
    change_walk_style,
    move_walk_style,
    remove_walk_style,
    set_walk_path,
)
from editor.walking.source import StyleBand, WalkAlongPath
from model.clip import Clip, Take
from model.contacts import FEET
from model.files.formats import read_motion, write_motion
from model.files.project_file import read_project, write_project
from model.ground import Box, Ground, Stairs
from model.path import Path, PathPoint
from model.project import Project
from tests.editor.evaluated import Given, same_take

EDITS = FEATURES.edits
SCRIPT_NAMES = FEATURES.values
SOURCES = FEATURES.sources

BEND = Path((PathPoint(0.0, 0.0), PathPoint(0.0, 3.0, "arc", 0.4), PathPoint(3.0, 6.0)))
WALK = WalkAlongPath(BEND, (StyleBand("1"), StyleBand("2", 4.0)))


@pytest.fixture(scope="module")
def project():
    return Project((
        Clip("1", "Walk", ProceduralGait(Gait(1.3, seed=2))),
        Clip("2", "Slow", ProceduralGait(Gait(0.8, seed=4))),
        Clip("3", "Stand", ProceduralGait(Gait(0.0))),
        Clip("4", "Path", WALK),
    ), 5)  # fmt: skip


def take_of(project):
    return Evaluator().take(project, "4")


def test_walk_is_made_of_clips_and_knows_its_contacts(project):
    take = take_of(project)
    assert take.contacts.ground_m == 0.0
    assert np.max(contact_drifts(take.motion, take.contacts)) < 0.003
    assert penetration_cm(take.motion, 0.0) < 0.3
    way = take.motion.root_positions[[0, -1]][:, [0, 2]]
    assert np.allclose(way, [[0.0, 0.0], [3.0, 6.0]], atol=0.25)


def test_same_walk_is_the_same_take(project):
    assert same_take(take_of(project), take_of(project))


def test_walk_is_worked_out_once_and_again_where_its_clips_change(project):
    evaluator = Evaluator()
    first = evaluator.take(project, "4")
    runs = evaluator.runs
    assert evaluator.take(project, "4") is first
    assert evaluator.runs == runs
    other = project.with_clip(replace(project.clip("2"), source=ProceduralGait(Gait(0.9, seed=4))))
    assert evaluator.take(other, "4") is not first


def test_written_walk_reads_back_as_it_was(project, tmp_path):
    take = take_of(project)
    write_motion(take.motion, tmp_path / "walk.bvh")
    back = read_motion(tmp_path / "walk.bvh").motion
    assert np.allclose(back.world.positions, take.motion.world.positions, atol=1e-4)
    assert stretch_percent(back, [project.clip("1").source.make(None).motion]) < 0.2


def test_project_file_keeps_a_walk(project, tmp_path):
    kinds = FEATURES.kinds
    write_project(project, tmp_path / "walk.mwright", kinds)
    back = read_project(tmp_path / "walk.mwright", kinds).project
    assert back == project
    assert same_take(take_of(back), take_of(project))


def test_walk_prints_as_python():
    assert eval(repr(WALK), dict(SCRIPT_NAMES)) == WALK


def test_styles_are_kept_in_the_order_of_the_path():
    walk = WalkAlongPath(BEND, (StyleBand("1"), StyleBand("2", 5.0), StyleBand("3", 2.0)))
    assert [band.clip_id for band in walk.styles] == ["1", "3", "2"]


def test_speeds_are_kept_in_the_order_of_the_path_and_those_beyond_it_told(project):
    walk = WalkAlongPath(BEND, (StyleBand("1"),), speeds=((40.0, 1.5), (1.0, 0.8)))
    assert walk.speeds == ((1.0, 0.8), (40.0, 1.5))
    stages = Evaluator().stages(project.with_clip(replace(project.clip("4"), source=walk)), "4")
    assert any("Speeds at 40 m lie beyond the path" in note for note in stages[0].notes)
    within = replace(walk, speeds=((1.0, 0.8),))
    assert Evaluator().stages(project.with_clip(replace(project.clip("4"), source=within)), "4")[0].notes == ()


@pytest.mark.parametrize(
    ("walk", "says"),
    [
        (WalkAlongPath(BEND), "needs a style"),
        (WalkAlongPath(BEND, (StyleBand("3"),)), "'Stand' has no loop: it stands"),
        (WalkAlongPath(Path.through([(0.0, 0.0), (0.0, 0.1)]), (StyleBand("1"),)), "10 cm long"),
        (WalkAlongPath(Path.through([(0.0, 0.0)]), (StyleBand("1"),)), "two points"),
        (WalkAlongPath(BEND, (StyleBand("9"),)), "gone"),
    ],
)
def test_walk_that_cannot_be_made_says_why(project, walk, says):
    with pytest.raises(SourceError, match=says):
        take_of(project.with_clip(replace(project.clip("4"), source=walk)))


@pytest.mark.parametrize(
    "make",
    [
        lambda: StyleBand("1", -1.0),
        lambda: StyleBand("1", 0.0, 0.01),
        lambda: StyleBand("1", loop=-1),
        lambda: WalkAlongPath(BEND, speeds=((0.0, 9.0),)),
    ],
)
def test_settings_that_nobody_can_mean_are_refused(make):
    with pytest.raises(ValueError, match="must be"):
        make()


def test_style_on_another_body_is_put_on_the_first_ones(project):
    child = retargeted(*(lambda take: (take.motion, take.contacts))(Evaluator().take(project, "2")), built_in("child"))
    mixed = project.with_clip(replace(project.clip("2"), source=Given(Take(child, find_contacts(child)))))
    take = take_of(mixed)
    assert take.motion.skeleton is Evaluator().take(mixed, "1").motion.skeleton or np.array_equal(
        take.motion.skeleton.offsets, Evaluator().take(mixed, "1").motion.skeleton.offsets
    )
    assert np.max(contact_drifts(take.motion, take.contacts)) < 0.003


def test_walk_steps_onto_what_stands_on_the_ground(project):
    ground = Ground(boxes=(Box((0.0, 2.5), (2.0, 1.6), 0.15),))
    evaluator = Evaluator()
    flat, stepped = (evaluator.take(one, "4") for one in (project, replace(project, ground=ground)))
    assert stepped.ground == ground
    highest = [np.max(one.motion.root_positions[:, 1]) for one in (flat, stepped)]
    assert 0.08 < highest[1] - highest[0] < 0.25
    assert penetration_cm(stepped.motion, ground) < 1.0
    far = replace(project, ground=Ground(boxes=(Box((50.0, 2.5), (2.0, 1.6), 0.15),)))
    assert same_take(evaluator.take(far, "4"), flat)


def test_stairs_are_climbed_a_step_at_a_time(project):
    flight = Stairs((0.0, 2.0), 0.0, 5, 0.32, 0.16, 2.0)
    ground = Ground(stairs=(flight,), boxes=(Box((0.0, 6.6), (2.0, 6.0), 0.8),))
    walk = replace(WALK, path=Path.through([(0.0, 0.0), (0.0, 7.0)]), styles=(StyleBand("1"),))
    here = replace(project.with_clip(replace(project.clip("4"), source=walk)), ground=ground)
    stage = Evaluator().stages(here, "4")[-1]
    take = stage.take
    steps = find_cycles(take.motion, take.contacts).steps
    heights = ground.heights(np.array([step.place[[0, 2]] for step in steps]))
    assert np.max(np.abs(np.diff(heights))) < 0.33
    assert np.max(contact_drifts(take.motion, take.contacts)) < 0.003
    assert penetration_cm(take.motion, ground) < 0.3
    assert not stage.notes


def test_cliff_is_told(project):
    ground = Ground(boxes=(Box((0.0, 1.5), (3.0, 3.0), 1.2),))
    walk = replace(WALK, path=Path.through([(0.0, 0.5), (0.0, 6.0)]), styles=(StyleBand("1"),))
    here = replace(project.with_clip(replace(project.clip("4"), source=walk)), ground=ground)
    assert "1.20 m" in Evaluator().stages(here, "4")[-1].notes[0]


def test_walk_stands_where_it_should(project):
    walk = replace(WALK, starts="standing", stops="standing")
    take = take_of(project.with_clip(replace(project.clip("4"), source=walk)))
    assert all(np.all(take.contacts.mask(foot)[[0, -1]]) for foot in FEET)
    assert np.allclose(take.motion.root_positions[-1, [0, 2]], [3.0, 6.0], atol=0.12)


def test_commands_change_path_and_styles(project):
    straight = Path.through([(0.0, 0.0), (0.0, 8.0)])
    assert set_walk_path(project, "4", straight).clip("4").source.path == straight
    three = add_walk_style(project, "4", StyleBand("1", 6.0))
    assert [band.from_m for band in three.clip("4").source.styles] == [0.0, 4.0, 6.0]
    moved = move_walk_style(three, "4", 1, 7.5)
    assert [band.from_m for band in moved.clip("4").source.styles] == [0.0, 6.0, 7.5]
    assert len(remove_walk_style(three, "4", 1).clip("4").source.styles) == 2
    faded = change_walk_style(project, "4", 1, StyleBand("2", 4.0, 1.5))
    assert faded.clip("4").source.styles[1].blend_s == 1.5


@pytest.mark.parametrize(
    ("act", "says"),
    [
        (lambda project: set_walk_path(project, "1", BEND), "no walk"),
        (lambda project: set_walk_path(project, "4", Path.through([(0.0, 0.0)])), "two points"),
        (lambda project: add_walk_style(project, "4", StyleBand("77")), "no clip"),
        (lambda project: add_walk_style(project, "4", StyleBand("4")), "itself"),
        (lambda project: move_walk_style(project, "4", 0, 1.0), "first style"),
        (lambda project: move_walk_style(project, "4", 5, 1.0), "2 styles"),
        (lambda project: remove_walk_style(remove_walk_style(project, "4", 1), "4", 0), "only style"),
    ],
)
def test_commands_that_cannot_be_done_say_why(project, act, says):
    with pytest.raises(ValueError, match=says):
        act(project)
