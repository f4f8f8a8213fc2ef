import os
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.features import FEATURES
from editor.clips.imported import import_file, is_stale, reloaded, with_roles
from editor.contacts.detect import find_contacts
from model.files.bvh import write_bvh
from model.files.file_state import FileState
from model.files.problems import MotionFileError, ReadOptions
from model.roles import Role
from model.units import INCH
from tests.clips import needs_data, recorded, stepping_figure, waving_figure
from tests.editor.evaluated import Asked

SCRIPT_NAMES = FEATURES.values


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


# Looking at files unasked


@pytest.fixture
def reads(monkeypatch):
    """How often files were read to see what they hold."""
    done, of = [], FileState.of
    monkeypatch.setattr(FileState, "of", lambda file: done.append(1) or of(file))
    return done


def test_file_whose_size_and_time_are_as_they_were_is_not_read(path, reads):
    source = import_file(path)
    reads.clear()
    assert is_stale(source, unasked=True) is None
    assert is_stale(source) is None
    assert not reads


def test_file_of_another_size_has_changed_without_being_read(path, reads):
    source = import_file(path)
    reads.clear()
    with path.open("r+b") as file:
        file.truncate(1 << 30)
    assert is_stale(source, unasked=True) == "changed"
    assert not reads


def test_file_with_another_time_is_read_to_see_whether_it_changed(path, reads):
    source = import_file(path)
    os.utime(path, (1e9, 1e9))
    reads.clear()
    assert is_stale(source, unasked=True) is None
    assert reads
    data = bytearray(path.read_bytes())
    data[-3] ^= 1
    path.write_bytes(data)
    assert is_stale(source, unasked=True) == "changed"


def test_large_file_of_which_little_is_known_is_not_read_unasked(path, reads, monkeypatch):
    source = replace(import_file(path), size=None, modified_ns=None)  # as older versions wrote it
    reads.clear()
    assert is_stale(source, unasked=True) is None
    assert reads
    monkeypatch.setattr("editor.clips.imported._UNASKED_BYTES", 100)
    reads.clear()
    assert is_stale(source, unasked=True) == "unchecked"
    assert not reads
    assert is_stale(source) is None


def test_file_on_another_machine_is_not_touched_unasked(path, monkeypatch):
    source = replace(import_file(path), path="//server/share/walk.bvh")
    with monkeypatch.context() as patched:
        patched.setattr("editor.clips.imported.open_regular", lambda *_: pytest.fail("it was touched"))
        patched.setattr(os, "stat", lambda *_, **__: pytest.fail("it was touched"))
        assert is_stale(source, unasked=True) == "unchecked"
    assert is_stale(source) == "missing"
