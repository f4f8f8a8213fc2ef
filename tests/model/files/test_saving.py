"""Files are replaced whole or not at all."""

import errno
import os
import shutil
import stat
import time
from pathlib import Path

import pytest

from model.files.problems import MotionFileError, ProtectedFileError, WriteError
from model.files.saving import check_target, remove_left_over, replace_together, replacing


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


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_pipes_and_devices_are_not_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(os.devnull)
    for name in ("pipe", "link"):
        with (
            pytest.raises(MotionFileError, match="it is a device or a pipe, not a file"),
            replacing(tmp_path / name) as file,
        ):
            file.write(b"x")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "pipe"]
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


def test_name_that_is_too_long_is_told(tmp_path):
    for check in (check_target, lambda path: replace_together([(path, [b"x"])])):
        with pytest.raises(MotionFileError, match="cannot be written: File name too long") as raised:
            check(tmp_path / ("x" * 300))
        assert not isinstance(raised.value, WriteError), "the user can choose another name"
    assert list(tmp_path.iterdir()) == []


def test_full_disk_is_no_fault_of_the_name(tmp_path, monkeypatch):
    def fail(handle):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(WriteError, match="out: cannot be written: No space left"), replacing(tmp_path / "out") as file:
        file.write(b"x")
    assert list(tmp_path.iterdir()) == []


PAIR = ("first", "second")


def _failing_replace(monkeypatch, name, failure):
    replace = os.replace

    def fail(source, target):
        if Path(target).name == name and Path(source).read_bytes() == b"new":
            raise failure
        replace(source, target)

    monkeypatch.setattr(os, "replace", fail)


def _no_links(*_):
    raise OSError(errno.EPERM, "this disk has no links")


@pytest.mark.parametrize("failure", [OSError(errno.EIO, "broken"), KeyboardInterrupt()], ids=["error", "Ctrl-C"])
@pytest.mark.parametrize("links", [True, False])
@pytest.mark.parametrize("failing", PAIR)
@pytest.mark.parametrize("old", [b"old", None])
def test_files_that_belong_together_are_replaced_both_or_not_at_all(
    tmp_path, monkeypatch, failing, old, links, failure
):
    targets = [tmp_path / name for name in PAIR]
    if old is not None:
        for target in targets:
            target.write_bytes(old)
            target.chmod(0o640)
    if not links:
        monkeypatch.setattr(os, "link", _no_links)
    _failing_replace(monkeypatch, failing, failure)
    with pytest.raises((WriteError, KeyboardInterrupt)):
        replace_together([(target, [b"n", b"ew"]) for target in targets])
    assert sorted(path.name for path in tmp_path.iterdir()) == (sorted(PAIR) if old else [])
    for target in targets if old else ():
        assert (target.read_bytes(), stat.S_IMODE(target.stat().st_mode)) == (old, 0o640)


def test_files_that_belong_together_stay_when_the_second_cannot_be_written(tmp_path):
    (tmp_path / "first").write_bytes(b"old")

    def parts():
        yield b"new"
        raise OSError(errno.ENOSPC, "full")

    with pytest.raises(WriteError, match="second: cannot be written: full"):
        replace_together([(tmp_path / "first", [b"new"]), (tmp_path / "second", parts())])
    assert (tmp_path / "first").read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["first"]


@pytest.mark.parametrize("spelling", ["itself", "link", "hard", "sub/../source"])
def test_source_is_known_by_any_name(tmp_path, spelling):
    source = tmp_path / "source"
    source.write_bytes(b"x")
    (tmp_path / "sub").mkdir()
    (tmp_path / "link").symlink_to("source")
    (tmp_path / "hard").hardlink_to(source)
    with pytest.raises(ProtectedFileError, match="is not replaced: choose another name"):
        check_target(source if spelling == "itself" else tmp_path / spelling, [tmp_path / "absent", source])
    check_target(tmp_path / "other", [source])


def test_read_only_file_is_not_replaced(tmp_path):
    target = tmp_path / "out"
    target.write_bytes(b"old")
    target.chmod(0o444)
    with pytest.raises(MotionFileError, match="cannot be written: the file is read-only"), replacing(target):
        pass
    assert target.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_folder_that_goes_meanwhile_is_named(tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    with pytest.raises(MotionFileError, match="cannot be written: No such file"), replacing(folder / "out"):
        shutil.rmtree(folder)


def test_what_a_dead_program_left_is_removed_and_what_a_living_one_writes_is_not(tmp_path):
    target = tmp_path / "out"
    left, fresh, others = tmp_path / ".out.1.tmp", tmp_path / ".out.2.tmp", tmp_path / ".outer.1.tmp"
    for path in (left, fresh, others):
        path.write_bytes(b"half")
    now = time.time()
    os.utime(left, (now - 60, now - 60))
    os.utime(others, (now - 60, now - 60))
    with replacing(target) as file:
        file.write(b"new")
        file.flush()
        (mine,) = (path for path in tmp_path.iterdir() if path not in (left, fresh, others))
        os.utime(mine, (now - 60, now - 60))
        remove_left_over(target)
        assert sorted(tmp_path.iterdir()) == sorted([mine, fresh, others])
    assert target.read_bytes() == b"new"


def test_what_a_dead_program_left_is_removed_although_the_clock_was_set_back(tmp_path):
    left = tmp_path / ".out.1.tmp"
    left.write_bytes(b"half")
    later = time.time() + 3600
    os.utime(left, (later, later))
    remove_left_over(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []
