"""Projects of the editor's own sources and edits are saved, opened and worked out the same."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.features import FEATURES
from editor.clips.imported import import_file, is_stale, with_roles
from editor.clips.sequence import Part, Sequence
from editor.gait.parameters import Wave
from editor.gait.source import ProceduralGait
from editor.stack.evaluator import Evaluator
from editor.stagger.source import StaggeredPose, StaggeredPosesSource
from editor.walking.source import StyleBand, WalkAlongPath
from model.clip import Clip, Layer
from model.files.problems import ReadOptions
from model.files.project_file import check_kinds, read_project, write_project
from model.path import Path as WalkedPath
from model.project import Project
from model.roles import Role
from model.scope import Scope
from model.skeleton import JointRef
from model.units import CENTIMETRE
from tests.editor.stack.test_edit_laws import EXAMPLES
from tests.model.files.project_kinds import assert_same

EDITS = FEATURES.edits
SOURCES = FEATURES.sources

SAMPLE = Path(__file__).resolve().parents[3] / "resources" / "samples" / "wave.bvh"
KINDS = FEATURES.kinds
HEAD = JointRef("Head", Role.HEAD)


def sources(sample=SAMPLE):
    imported = import_file(sample, ReadOptions(unit=CENTIMETRE))
    roles = [None, *imported.motion.skeleton.roles[1:]]
    return {
        "imported_file": with_roles(imported, roles),
        "procedural_gait": ProceduralGait(seconds=6.0, fps=30.0, wave=Wave(0.5)),
        "sequence": Sequence((Part("source 2"), Part("source 2", 0.3))),
        "staggered_poses": StaggeredPosesSource(
            (
                StaggeredPose(0.0, ((HEAD, (0.1, 0.0, 0.0)),)),
                StaggeredPose(0.5, ((HEAD, (0.4, 0.0, 0.0)),), late=((HEAD, 0.1),)),
            )
        ),
        "walk_along_path": WalkAlongPath(
            WalkedPath.through([(0.0, 0.0), (1.0, 4.0)], "smooth"),
            (StyleBand("source 2"), StyleBand("source 2", 2.0, 0.5, 1)),
        ),
    }


@pytest.fixture(scope="module")
def project():
    """A clip of every source, and a clip with every edit."""
    clips = [Clip(f"source {n}", kind, source) for n, (kind, source) in enumerate(sources().items(), 1)]
    walk = clips[1].source
    for kind, edit in EXAMPLES.items():
        scope = Scope(0.75) if edit.reach == "whole" else Scope(0.75, (JointRef("Hips"),), 0.2, 1.5)
        clips.append(Clip(kind, kind, walk, (Layer("1", edit), Layer("2", edit, False, scope))))
    return Project(tuple(clips), 5)


@pytest.fixture(scope="module")
def reopened(project, tmp_path_factory):
    path = tmp_path_factory.mktemp("kinds") / "kinds.mwright"
    write_project(project, path, KINDS)
    reading = read_project(path, KINDS)
    assert reading.problems == ()
    return reading.project


@pytest.fixture(scope="module")
def evaluators():
    """One for each of two projects: neither may find what the other worked out."""
    return Evaluator(), Evaluator()


def test_there_is_a_source_of_every_kind():
    assert sorted(sources()) == sorted(SOURCES)


def test_every_kind_can_be_stored():
    check_kinds(KINDS)


def test_every_kind_comes_back_the_same(project, reopened):
    assert_same(project, reopened)


@pytest.mark.parametrize("clip", [*(f"source {n + 1}" for n in range(len(SOURCES))), *EXAMPLES])
def test_every_kind_is_worked_out_the_same(project, reopened, evaluators, clip):
    both = zip(evaluators, (project, reopened), strict=True)
    before, after = (evaluator.stages(one, clip)[-1] for evaluator, one in both)
    assert_same(before.take.contacts, after.take.contacts)
    for name in ("root_positions", "local_rotations", "local_offsets"):
        assert getattr(before.take.motion, name).tobytes() == getattr(after.take.motion, name).tobytes()
    assert (before.notes, before.failed) == (after.notes, after.failed)


def test_imported_file_that_is_gone_is_still_in_the_project(tmp_path):
    path = tmp_path / "gone.bvh"
    path.write_bytes(SAMPLE.read_bytes())
    project = Project((Clip("1", "gone", import_file(path)),), 2)
    write_project(project, tmp_path / "a.mwright", KINDS)
    path.unlink()
    reading = read_project(tmp_path / "a.mwright", KINDS)
    source = reading.project.clips[0].source
    assert is_stale(source) == "missing"
    assert_same(project, reading.project)
    assert Evaluator().take(reading.project, "1").motion.frames == project.clips[0].source.motion.frames


def test_unknown_file_names_are_kept(tmp_path):
    project = Project((Clip("1", "odd", replace(import_file(SAMPLE), path="caf\udce9.bvh")),), 2)
    write_project(project, tmp_path / "a.mwright", KINDS)
    assert_same(project, read_project(tmp_path / "a.mwright", KINDS).project)
