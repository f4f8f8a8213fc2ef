"""AMC files keep the skeleton that they have, whatever is written beside them."""

import errno
import os
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from model.files.acclaim import read_amc, write_amc, write_asf
from model.files.acclaim_beside import skeleton_beside
from model.files.problems import MissingSkeletonError, ProtectedFileError, WriteError
from tests.clips import waving_figure
from tests.model.files.acclaim_text import AMC, ASF


@pytest.fixture
def folder(tmp_path):
    """A subject's skeleton, and a motion that uses it."""
    (tmp_path / "16.asf").write_text(ASF)
    (tmp_path / "16_01.amc").write_text(AMC)
    return tmp_path


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_skeleton_of_others_is_not_replaced_and_the_proposed_name_works(folder):
    before = contents(folder)
    motion = waving_figure(frames=5)
    with pytest.raises(ProtectedFileError, match=r"16\.asf: holds another skeleton.*such as 16_new\.amc"):
        write_amc(motion, folder / "16.amc")
    assert contents(folder) == before
    write_amc(motion, folder / "16_new.amc")
    assert read_amc(folder / "16_new.amc").motion.skeleton.names == motion.skeleton.names
    assert read_amc(folder / "16_01.amc").motion.skeleton.names[-1] == "back"
    with pytest.raises(ProtectedFileError, match=r"such as 16_new2\.amc"):
        write_amc(motion, folder / "16.amc")


def test_skeleton_of_others_is_known_in_capitals_too(folder):
    (folder / "16.asf").rename(folder / "16.ASF")
    with pytest.raises(ProtectedFileError, match=r"16\.ASF: holds another"):
        write_amc(waving_figure(frames=5), folder / "16.amc")


@pytest.mark.parametrize("content", ["not a skeleton", ""])
def test_file_that_holds_no_skeleton_is_not_replaced_either(tmp_path, content):
    (tmp_path / "film.asf").write_text(content)
    with pytest.raises(ProtectedFileError):
        write_amc(waving_figure(frames=5), tmp_path / "film.amc")
    with pytest.raises(ProtectedFileError):
        write_asf(waving_figure(frames=5), tmp_path / "film.asf")
    assert (tmp_path / "film.asf").read_text() == content


def test_skeleton_of_others_is_replaced_when_asked(folder):
    motion = waving_figure(frames=5)
    write_amc(motion, folder / "16.amc", replace_skeleton=True)
    assert read_amc(folder / "16.amc").motion.skeleton.names == motion.skeleton.names


def test_skeleton_that_is_the_same_is_left_untouched(folder):
    motion = read_amc(folder / "16_01.amc").motion
    (folder / "16.asf").chmod(0o400)
    before, state = (folder / "16.asf").read_bytes(), (folder / "16.asf").stat()
    write_amc(motion, folder / "16.amc")
    write_asf(motion, folder / "16.asf")
    assert (folder / "16.asf").read_bytes() == before
    after = (folder / "16.asf").stat()
    assert (after.st_ino, after.st_mtime_ns, after.st_mode) == (state.st_ino, state.st_mtime_ns, state.st_mode)
    np.testing.assert_allclose(read_amc(folder / "16.amc").motion.world.positions, motion.world.positions, atol=1e-9)


def test_skeleton_of_our_own_is_left_untouched_when_written_again(tmp_path):
    motion = waving_figure(frames=5)
    write_amc(motion, tmp_path / "wave.amc")
    state = (tmp_path / "wave.asf").stat()
    write_amc(motion, tmp_path / "wave.amc")
    write_amc(read_amc(tmp_path / "wave.amc").motion, tmp_path / "wave.amc")
    assert (tmp_path / "wave.asf").stat().st_ino == state.st_ino
    longer = replace(motion, skeleton=replace(motion.skeleton, offsets=motion.skeleton.offsets * 1.001))
    with pytest.raises(ProtectedFileError):
        write_amc(longer, tmp_path / "wave.amc")


def test_both_files_or_none_when_the_motion_cannot_be_put_in_place(folder, monkeypatch):
    write_amc(waving_figure(frames=5), folder / "old.amc")
    before = contents(folder)
    put = os.replace

    def fail(source, target):
        if Path(target).suffix == ".amc":
            raise OSError(errno.EIO, "broken")
        put(source, target)

    monkeypatch.setattr(os, "replace", fail)
    other = read_amc(folder / "16_01.amc").motion
    with pytest.raises(WriteError, match=r"old\.amc: cannot be written: broken"):
        write_amc(other, folder / "old.amc", replace_skeleton=True)
    with pytest.raises(WriteError, match=r"new\.amc: cannot be written: broken"):
        write_amc(other, folder / "new.amc")
    assert contents(folder) == before


def test_new_skeleton_does_not_become_that_of_others(tmp_path):
    (tmp_path / "subject.asf").write_text(ASF)
    for name in ("16_01.amc", "16_02.amc", "run.amc"):
        (tmp_path / name).write_text(AMC)
    motion = waving_figure(frames=5)
    with pytest.raises(ProtectedFileError, match=r"16\.asf: would become the skeleton of 16_01\.amc.*16_new\.amc"):
        write_amc(motion, tmp_path / "16.amc")
    write_amc(motion, tmp_path / "16_new.amc")
    write_amc(motion, tmp_path / "walk.amc")
    for name in ("16_01.amc", "run.amc"):
        assert skeleton_beside(tmp_path / name).name == "subject.asf", "which is the only one that is shared"
    same = read_amc(tmp_path / "run.amc").motion
    write_amc(same, tmp_path / "16.amc")
    assert read_amc(tmp_path / "16_02.amc").motion.skeleton.names == same.skeleton.names


def test_several_skeletons_that_could_be_shared_are_not_guessed(tmp_path):
    for name in ("a.asf", "b.asf"):
        (tmp_path / name).write_text(ASF)
    (tmp_path / "c.amc").write_text(AMC)
    with pytest.raises(MissingSkeletonError, match="none of the 2 beside it has its name"):
        skeleton_beside(tmp_path / "c.amc")
    shutil.copy(tmp_path / "c.amc", tmp_path / "a.amc")
    assert skeleton_beside(tmp_path / "c.amc").name == "b.asf"
