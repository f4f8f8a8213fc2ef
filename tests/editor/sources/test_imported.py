import shutil
from pathlib import Path

import numpy as np
import pytest

from editor.contacts.detect import find_contacts
from editor.kinds import SCRIPT_NAMES
from editor.sources.imported import import_file, is_stale, reloaded, with_roles
from model.files.bvh import write_bvh
from model.files.problems import MotionFileError, ReadOptions
from model.roles import Role
from model.units import INCH
from tests.clips import needs_data, recorded, stepping_figure, waving_figure
from tests.editor.evaluated import Asked


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "walk.bvh"
    write_bvh(stepping_figure(seconds=1.0, fps=30.0)[0], path)
    return path


def test_import_keeps_what_the_file_held_and_finds_contacts(path):
    source = import_file(path)
    take = source.make(Asked())
    assert take.motion is source.motion
    assert take.contacts == find_contacts(source.motion, hands=True)
    assert {"left_foot", "right_foot", "left_hand", "right_hand"} == set(take.contacts.limbs)
    assert len(source.sha256) == 64


def test_import_prints_as_the_call_that_makes_it(path, monkeypatch):
    monkeypatch.chdir(path.parent)
    assert repr(import_file("walk.bvh")) == f"import_file({str(path)!r})"
    inches = import_file("walk.bvh", ReadOptions(unit=INCH))
    again = eval(repr(inches), dict(SCRIPT_NAMES))
    assert again.options == inches.options
    assert np.array_equal(again.motion.root_positions, inches.motion.root_positions)


def test_import_finds_its_file_from_another_folder(path, monkeypatch, tmp_path_factory):
    monkeypatch.chdir(path.parent)
    source = import_file("walk.bvh")
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert Path(source.path).is_absolute()
    assert is_stale(source) is None


def test_imports_are_equal_only_if_they_are_the_same_motion(path):
    source = import_file(path)
    assert source != import_file(path)
    assert hash(source) == hash(source)
    assert with_roles(source, source.motion.skeleton.roles) is source


def test_import_tells_when_the_file_changed_or_is_gone(path):
    source = import_file(path)
    assert is_stale(source) is None
    assert reloaded(source) is source
    write_bvh(waving_figure(frames=20), path)
    assert is_stale(source) == "changed"
    assert reloaded(source).motion.frames == 20
    path.unlink()
    assert is_stale(source) == "missing"
    with pytest.raises(MotionFileError):
        reloaded(source)


def test_roles_set_by_hand_are_used_printed_and_kept_on_reload(path):
    source = import_file(path)
    roles = list(source.motion.skeleton.roles)
    head = roles.index(Role.HEAD)
    roles[head] = None
    corrected = with_roles(source, roles)
    assert corrected.motion.skeleton.joint(Role.HEAD) is None
    assert source.motion.skeleton.joint(Role.HEAD) == head
    assert corrected.motion.local_rotations is source.motion.local_rotations
    again = eval(repr(corrected), dict(SCRIPT_NAMES))
    assert again.motion.skeleton.roles == tuple(roles)
    path.write_bytes(path.read_bytes() + b"\n")
    assert reloaded(corrected).motion.skeleton.roles == tuple(roles)


def test_roles_must_fit_the_skeleton(path):
    source = import_file(path)
    with pytest.raises(ValueError, match="roles are 1, the skeleton has 22"):
        with_roles(source, [None])
    with pytest.raises(ValueError, match="nose"):
        with_roles(source, ["nose"] * 22)


def test_file_that_is_not_there_cannot_be_imported(tmp_path):
    with pytest.raises(MotionFileError):
        import_file(tmp_path / "none.bvh")


@needs_data
def test_acclaim_is_imported_with_its_skeleton_file(tmp_path):
    amc = recorded("cmu-acclaim/07_01.amc")[0]
    moved = Path(shutil.copy(amc, tmp_path))
    source = import_file(moved, ReadOptions(skeleton=str(amc.with_name("07.asf"))))
    assert source.motion.skeleton.joint(Role.LEFT_KNEE) is not None
    assert "07.asf" in repr(source)
