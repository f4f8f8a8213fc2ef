"""Projects are written and read back the same."""

import json
import os
import time
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from editor.stack.evaluator import Evaluator
from model.character import Character, CharacterJoint
from model.clip import Clip, Layer, Marker, Unknown
from model.files import project_upgrades
from model.files.acclaim import read_amc, write_amc
from model.files.bvh import read_bvh, write_bvh
from model.files.formats import read_motion
from model.files.problems import MotionFileError
from model.files.project_file import Kinds, check_kinds, read_project, write_project
from model.ground import FLAT, Box, Grid, Ground, Mesh, Ramp
from model.project import Project
from model.roles import Role
from tests.clips import data_name, needs_data, random_motion, recorded, waving_figure
from tests.model.files.acclaim_text import AMC, ASF
from tests.model.files.bvh_text import SMALL
from tests.model.files.project_kinds import (
    KINDS,
    Arrays,
    Recorded,
    Turn,
    Weights,
    assert_same,
    example_project,
    rich_motion,
    small_project,
)

VERSIONS = sorted((Path(__file__).parent / "project_versions").glob("*.mwright"))
NONE = Kinds({}, {})


def saved(project, folder, kinds=KINDS):
    path = folder / "project.mwright"
    write_project(project, path, kinds)
    return path


def reopened(project, folder):
    reading = read_project(saved(project, folder), KINDS)
    assert reading.problems == ()
    assert reading.is_whole
    return reading.project


def of_motion(motion):
    return Project((Clip("1", "clip", Recorded("", motion)),), 2)


def with_json(path, change):
    """Rewrite the JSON of a project."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    root = json.loads(parts["project.json"])
    parts["project.json"] = json.dumps(change(root) or root).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)


def test_project_comes_back_the_same(tmp_path):
    project = example_project()
    assert_same(project, reopened(project, tmp_path))


def test_ground_comes_back_and_old_files_have_a_flat_one(tmp_path):
    ground = Ground(
        0.0,
        (Box((0.1, 2.0), (1.0, 0.5), 0.2, 1.0 / 3.0), Box((1.0, 0.0), (1.0, 1.0), -0.1)),
        (Ramp((0.0, 0.0), (0.0, 2.0), 1.0, (0.0, 0.4)),),
        (Grid((1.0, 2.0), 0.5, ((0.0, 1.0), (-2.0, 3.0))),),
        (Mesh((((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.5, 1.0)),)),),
    )
    project = replace(small_project(), ground=ground)
    assert reopened(project, tmp_path).ground == ground
    path = saved(project, tmp_path)
    with_json(path, lambda root: {name: value for name, value in root.items() if name != "ground"})
    reading = read_project(path, KINDS)
    assert reading.problems == ()
    assert reading.project.ground == FLAT


def test_ground_that_is_none_is_told_and_the_clips_open(tmp_path):
    path = saved(replace(small_project(), ground=Ground(boxes=(Box((0.0, 0.0), (1.0, 1.0), 0.1),))), tmp_path)

    def spoil(root):
        root["ground"]["boxes"][0]["size_m"] = [0.0, 1.0]

    with_json(path, spoil)
    reading = read_project(path, KINDS)
    assert not reading.is_whole
    assert any("ground" in str(problem) for problem in reading.problems)
    assert reading.project.ground == FLAT
    assert len(reading.project.clips) == len(small_project().clips)


def test_characters_come_back_and_old_files_have_none(tmp_path):
    tips = ((0.0, 0.1, 1.0 / 3.0),)
    joints = (
        CharacterJoint("Hips", -1, (0.0, 1.0, 0.0), Role.PELVIS),
        CharacterJoint("Spine", 0, (0.0, 0.2, 0.0), None, (0.6, 0.8, 0.0, 0.0), tips),
    )
    project = replace(small_project(), characters=(Character("Ann", joints), Character("Bob", joints[:1])))
    assert reopened(project, tmp_path).characters == project.characters
    path = saved(project, tmp_path)
    with_json(path, lambda root: {name: value for name, value in root.items() if name != "characters"})
    reading = read_project(path, KINDS)
    assert reading.problems == ()
    assert reading.project.characters == ()


def test_characters_that_are_none_are_told_and_the_clips_open(tmp_path):
    path = saved(
        replace(small_project(), characters=(Character("Ann", (CharacterJoint("Hips", -1, (0.0, 1.0, 0.0)),)),)),
        tmp_path,
    )

    def spoil(root):
        root["characters"][0]["joints"][0]["parent"] = 7

    with_json(path, spoil)
    reading = read_project(path, KINDS)
    assert not reading.is_whole
    assert any("characters" in str(problem) for problem in reading.problems)
    assert reading.project.characters == ()
    assert len(reading.project.clips) == len(small_project().clips)


def test_empty_project_comes_back(tmp_path):
    assert reopened(Project(), tmp_path) == Project()


def test_markers_come_back(tmp_path):
    markers = (Marker("2", 0.5, "Kick"), Marker("3", 1.0 / 3.0), Marker("4", -0.25, "Before the take"))
    project = Project((Clip("1", "clip", Recorded("", rich_motion()), (), markers),), 5)
    again = reopened(project, tmp_path)
    assert_same(project, again)
    assert [marker.name for marker in again.clip("1").markers] == ["Before the take", "", "Kick"]


def test_clips_of_files_without_markers_have_none(tmp_path):
    path = saved(small_project(), tmp_path)

    def without(root):
        for clip in root["clips"]:
            del clip["markers"]

    with_json(path, without)
    reading = read_project(path, KINDS)
    assert reading.problems == ()
    assert_same(small_project(), reading.project)


def test_markers_that_cannot_be_read_cost_the_clip_nothing_else(tmp_path):
    path = saved(small_project(), tmp_path)

    def at_no_time(root):
        root["clips"][0]["markers"] = [{"id": "1", "time_s": {"$float": "nan"}}]

    with_json(path, at_no_time)
    reading = read_project(path, KINDS)
    assert not reading.is_whole
    assert_same(small_project(), reading.project)


def test_markers_without_ids_of_their_own_get_new_ones(tmp_path):
    path = saved(small_project(), tmp_path)

    def alike(root):
        root["clips"][0]["markers"] = [{"id": "90", "time_s": 1.0}, {"id": "90", "time_s": 0.5}]

    with_json(path, alike)
    project = read_project(path, KINDS).project
    ids = {marker.id for marker in project.clips[0].markers}
    assert len(ids) == 2
    assert not ids & set(project.new_ids()[1])


def test_takes_of_a_reopened_project_are_the_same(tmp_path):
    project = example_project()
    again = reopened(project, tmp_path)
    for clip in project.clips:
        before, after = Evaluator().take(project, clip.id), Evaluator().take(again, clip.id)
        for name in ("root_positions", "local_rotations", "local_offsets"):
            assert getattr(before.motion, name).tobytes() == getattr(after.motion, name).tobytes()
        assert before.contacts == after.contacts


@pytest.mark.parametrize("motion", [random_motion(7, moving_limbs=True), random_motion(1), waving_figure(0 + 2)])
def test_motions_of_all_shapes_come_back(tmp_path, motion):
    project = of_motion(motion)
    assert_same(project, reopened(project, tmp_path))


def test_arrays_of_every_type_and_layout_come_back(tmp_path):
    project = Project((Clip("1", "clip", Recorded("", rich_motion()), (Layer("2", Arrays.example()),)),), 3)
    again = reopened(project, tmp_path)
    assert_same(project, again)
    # What had gaps lies in one run now.
    assert again.clips[0].layers[0].edit.gappy.transpose(2, 1, 0).flags.c_contiguous


def test_slices_store_only_what_they_show(tmp_path):
    motion = random_motion(4000)
    whole, part = (saved(of_motion(one), tmp_path).stat().st_size for one in (motion, motion.sliced(10, 20)))
    assert part < whole / 50


def test_equal_arrays_are_stored_and_held_once(tmp_path):
    numbers = np.random.default_rng(1).normal(size=5000)
    layers = tuple(Layer(str(n), Weights(numbers.copy())) for n in range(5))
    project = Project((Clip("x", "clip", Recorded("", waving_figure(3)), layers),), 9)
    path = saved(project, tmp_path)
    assert path.stat().st_size < 2 * numbers.nbytes
    edits = [layer.edit for layer in read_project(path, KINDS).project.clips[0].layers]
    assert all(edit.weights is edits[0].weights for edit in edits)


def test_clips_of_one_source_share_it_again(tmp_path):
    again = reopened(example_project(), tmp_path)
    assert again.clips[0].source is again.clips[1].source


def test_equal_projects_give_equal_files(tmp_path):
    first = saved(example_project(), tmp_path).read_bytes()
    again = read_project(tmp_path / "project.mwright", KINDS).project
    assert saved(again, tmp_path).read_bytes() == first


def test_arrays_are_files_that_numpy_reads(tmp_path):
    motion = rich_motion()
    with zipfile.ZipFile(saved(of_motion(motion), tmp_path)) as archive:
        arrays = [np.load(archive.open(name)) for name in archive.namelist() if name.endswith(".npy")]
    assert any(np.array_equal(array, motion.local_rotations.transpose(1, 2, 0)) for array in arrays)


# Origins


def test_acclaim_numbers_are_written_back_after_reopening(tmp_path):
    (tmp_path / "a.asf").write_text(ASF)
    (tmp_path / "a.amc").write_text(AMC)
    project = of_motion(read_amc(tmp_path / "a.amc").motion)
    again = reopened(project, tmp_path)
    assert_same(project, again)
    texts = []
    for one in (project, again):
        write_amc(one.clips[0].source.motion, tmp_path / "out.amc")
        texts.append((tmp_path / "out.amc").read_text() + (tmp_path / "out.asf").read_text())
    assert texts[0] == texts[1]
    assert "thigh 5.0 6.0 7.0" in texts[1]


def test_bvh_numbers_are_written_back_after_reopening(tmp_path):
    (tmp_path / "a.bvh").write_text(SMALL)
    motion = read_bvh(tmp_path / "a.bvh").motion
    write_bvh(motion, tmp_path / "before.bvh")
    write_bvh(reopened(of_motion(motion), tmp_path).clips[0].source.motion, tmp_path / "after.bvh")
    assert (tmp_path / "before.bvh").read_bytes() == (tmp_path / "after.bvh").read_bytes()


@needs_data
@pytest.mark.parametrize(
    "path", recorded("cmu-acclaim/0*_01.amc", "other-bvh/*.bvh", "quirks/*.bvh")[:40], ids=data_name
)
def test_recorded_clips_come_back_the_same(tmp_path, path):
    try:
        project = of_motion(read_motion(path).motion)
    except MotionFileError:
        pytest.skip("not a motion")
    assert_same(project, reopened(project, tmp_path))


# Kinds that are not known


def test_unknown_kinds_are_kept_and_known_again_later(tmp_path):
    project = example_project()
    before = saved(project, tmp_path).read_bytes()
    reading = read_project(tmp_path / "project.mwright", NONE)
    assert all(isinstance(clip.source, Unknown) for clip in reading.project.clips)
    assert {layer.edit.kind for layer in reading.project.clips[0].layers} == {"turn", "everything", "weights"}
    assert reading.is_whole
    assert any("this version does not know it" in problem.message for problem in reading.problems)
    assert saved(reading.project, tmp_path, NONE).read_bytes() == before
    assert_same(project, read_project(tmp_path / "project.mwright", KINDS).project)


def test_unknown_json_is_kept_whole(tmp_path):
    data = '{"kind":"dance","deep":{"a":[1,2.50,null,true,"é",{"$float":"nan"}],"b":1e-7},"empty":{}}'
    project = Project((Clip("1", "clip", Unknown("dance", data)),), 2)
    again = read_project(saved(project, tmp_path), KINDS).project
    assert json.loads(again.clips[0].source.data) == json.loads(data)
    once = again.clips[0].source.data
    assert read_project(saved(again, tmp_path), KINDS).project.clips[0].source.data == once


def test_edit_that_cannot_be_read_is_kept_and_has_no_effect(tmp_path):
    path = saved(example_project(), tmp_path)

    def spoil(root):
        root["clips"][0]["layers"][0]["edit"]["angle_rad"] = 99.0

    with_json(path, spoil)
    reading = read_project(path, KINDS)
    layer = reading.project.clips[0].layers[0]
    assert layer.edit == Unknown("turn", '{"kind":"turn","angle_rad":99.0}')
    assert not layer.acts
    assert reading.problems[0].message.startswith(
        "clip 'wave', edit 1: 'turn' has no effect, but is kept: angle_rad is 99"
    )
    write_project(reading.project, path, KINDS)
    assert read_project(path, KINDS).project.clips[0].layers[0] == layer


def test_part_of_a_kind_that_is_not_listed_is_not_written(tmp_path):
    with pytest.raises(ValueError, match="Recorded is not among them"):
        write_project(example_project(), tmp_path / "a.mwright", NONE)
    assert list(tmp_path.iterdir()) == []


def test_kinds_are_checked_before_they_are_used():
    check_kinds(KINDS)
    with pytest.raises(TypeError, match="Turn is called 'turn' and listed as 'spin'"):
        check_kinds(Kinds({}, {"spin": Turn}))


# Versions


@pytest.mark.parametrize("path", VERSIONS, ids=lambda path: path.name)
def test_older_version_opens(path):
    reading = read_project(path, KINDS)
    assert reading.problems == ()
    assert_same(small_project(), reading.project)


def test_there_are_files_of_every_version():
    assert {f"version-{n}.mwright" for n in range(1, project_upgrades.VERSION + 1)} <= {path.name for path in VERSIONS}


def test_older_versions_are_upgraded_step_by_step(tmp_path, monkeypatch):
    path = saved(small_project(), tmp_path)

    def rename(root):
        """What version 2 might do: the clips' name becomes a title, and back in version 3."""
        return {**root, "clips": [{**clip, "name": clip["name"] + "+"} for clip in root["clips"]]}

    monkeypatch.setattr(project_upgrades, "VERSION", 3)
    monkeypatch.setattr("model.files.project_file.VERSION", 3)
    monkeypatch.setattr(project_upgrades, "UPGRADES", {1: rename, 2: rename})
    assert [clip.name for clip in read_project(path, KINDS).project.clips] == ["first++", "second++"]


def test_upgrade_that_stumbles_over_damage_is_told(tmp_path, monkeypatch):
    path = saved(small_project(), tmp_path)
    monkeypatch.setattr(project_upgrades, "VERSION", 2)
    monkeypatch.setattr("model.files.project_file.VERSION", 2)
    monkeypatch.setattr(project_upgrades, "UPGRADES", {1: lambda root: root["no such thing"]})
    with pytest.raises(MotionFileError, match="file version 1 is damaged"):
        read_project(path, KINDS)


def test_newer_version_is_refused_with_a_sentence(tmp_path):
    path = saved(small_project(), tmp_path)
    with_json(path, lambda root: {**root, "version": 99})
    with pytest.raises(MotionFileError, match=r"a newer Motionwright saved this project \(file version 99;"):
        read_project(path, KINDS)


def test_fields_of_later_versions_are_told_and_dropped(tmp_path):
    path = saved(small_project(), tmp_path)

    def add(root):
        root["weather"] = "fair"
        root["clips"][0]["colour"] = "red"
        root["clips"][0]["layers"][0]["edit"]["axis"] = [0, 1, 0]

    with_json(path, add)
    reading = read_project(path, KINDS)
    assert_same(small_project(), reading.project)
    assert [problem.message for problem in reading.problems] == [
        "Project has no 'weather' in this version; dropped",
        "Clip has no 'colour' in this version; dropped",
        "Turn has no 'axis' in this version; dropped",
    ]


# Saving


def test_saving_leaves_nothing_beside_the_file(tmp_path):
    saved(example_project(), tmp_path)
    saved(example_project(), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["project.mwright"]


def test_saving_that_fails_keeps_the_old_file(tmp_path, monkeypatch):
    path = saved(small_project(), tmp_path)
    before = path.read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("model.files.project_file.write_archive", full)
    with pytest.raises(MotionFileError, match="cannot be written: No space left"):
        write_project(example_project(), path, KINDS)
    assert path.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["project.mwright"]


def test_remains_of_dead_writers_are_removed_by_the_next_save(tmp_path):
    old, young, other = (tmp_path / name for name in (".project.mwright.a1.tmp", ".project.mwright.b2.tmp", ".x.c.tmp"))
    for path in (old, young, other):
        path.write_bytes(b"half")
    hour_ago = time.time() - 3600
    for path in (old, other):
        os.utime(path, (hour_ago, hour_ago))
    saved(small_project(), tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"project.mwright", young.name, other.name}


def test_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(MotionFileError, match=r"no\.mwright: cannot be read: No such file"):
        read_project(tmp_path / "no.mwright", KINDS)


def test_next_id_is_free_whatever_the_file_says(tmp_path):
    path = saved(replace(example_project(), next_id=3), tmp_path)
    assert read_project(path, KINDS).project.next_id == 7
