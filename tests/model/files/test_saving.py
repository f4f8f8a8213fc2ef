"""Files are replaced whole or not at all."""

import os
import stat

import pytest

from model.files.problems import MotionFileError
from model.files.saving import replacing


def test_new_file_appears_when_done(tmp_path):
    target = tmp_path / "out"
    with replacing(target) as file:
        file.write(b"half")
        assert not target.exists()
        file.write(b" whole")
    assert target.read_bytes() == b"half whole"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("interruption", [ValueError, KeyboardInterrupt, MemoryError])
def test_interruption_leaves_the_old_file(tmp_path, interruption):
    target = tmp_path / "out"
    target.write_bytes(b"old")

    def write_and_break_off():
        with replacing(target) as file:
            file.write(b"new")
            raise interruption

    with pytest.raises(interruption):
        write_and_break_off()
    assert target.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_permissions_are_handed_on_and_new_files_follow_the_umask(tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_bytes(b"")
    old.chmod(0o640)
    before = os.umask(0o027)
    try:
        for target in (old, new):
            with replacing(target) as file:
                file.write(b"x")
    finally:
        os.umask(before)
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    assert stat.S_IMODE(new.stat().st_mode) == 0o640


def test_umask_of_the_process_is_left_alone(tmp_path, monkeypatch):
    def refuse(mask):
        raise AssertionError("other threads would make files with it")

    monkeypatch.setattr(os, "umask", refuse)
    with replacing(tmp_path / "out") as file:
        file.write(b"x")
    assert (tmp_path / "out").read_bytes() == b"x"


def test_link_is_followed(tmp_path):
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to("real")
    with replacing(tmp_path / "link") as file:
        file.write(b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


def test_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(MotionFileError, match="cannot be written: No such file"), replacing(tmp_path / "no" / "out"):
        pass


def test_target_that_is_a_folder_is_named(tmp_path):
    (tmp_path / "out").mkdir()
    with pytest.raises(MotionFileError, match="cannot be written"), replacing(tmp_path / "out") as file:
        file.write(b"x")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
