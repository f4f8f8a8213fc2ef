"""The same project opened twice says so."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.project_lock import ProjectLock

ROOT = Path(__file__).resolve().parents[2]

_HOLD = """
import sys
from app.project_lock import ProjectLock
lock = ProjectLock(sys.argv[1])
print(lock.held, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def other_process(tmp_path):
    """Another process that holds the lock of a project."""
    process = subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(tmp_path / "walk.mwright")],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout.readline() == "True\n"
    yield process
    process.kill()
    process.communicate()


def test_free_project_is_locked_until_it_is_released(tmp_path):
    lock = ProjectLock(tmp_path / "walk.mwright")
    assert lock.held
    assert lock.message is None
    assert [path.name for path in tmp_path.iterdir()] == [".walk.mwright.lock"]
    lock.release()
    assert not lock.held
    assert list(tmp_path.iterdir()) == []


def test_second_lock_in_the_same_process_says_so(tmp_path):
    first, second = ProjectLock(tmp_path / "walk.mwright"), ProjectLock(tmp_path / "walk.mwright")
    assert second.is_open_elsewhere
    assert second.holder.is_this_process
    second.release()
    assert first.held
    assert (tmp_path / ".walk.mwright.lock").exists()
    first.release()


def test_link_to_a_project_has_its_lock(tmp_path):
    (tmp_path / "walk.mwright").touch()
    (tmp_path / "link.mwright").symlink_to("walk.mwright")
    first = ProjectLock(tmp_path / "walk.mwright")
    assert ProjectLock(tmp_path / "link.mwright").is_open_elsewhere
    first.release()


def test_lock_of_another_process_tells_who_has_it(tmp_path, other_process):
    lock = ProjectLock(tmp_path / "walk.mwright")
    assert lock.is_open_elsewhere
    assert lock.holder.pid == other_process.pid
    assert not lock.holder.is_this_process
    assert lock.message.startswith("walk.mwright is already open in python")
    assert f"(process {other_process.pid} on " in lock.message


def test_lock_of_a_living_process_does_not_get_old(tmp_path, other_process):
    os.utime(tmp_path / ".walk.mwright.lock", (1e9, 1e9))
    assert ProjectLock(tmp_path / "walk.mwright").is_open_elsewhere


def test_lock_is_free_when_its_process_ends(tmp_path, other_process):
    other_process.communicate("")
    lock = ProjectLock(tmp_path / "walk.mwright")
    assert lock.held
    lock.release()


def test_lock_of_a_killed_process_is_taken_over(tmp_path, other_process):
    other_process.kill()
    other_process.wait()
    assert (tmp_path / ".walk.mwright.lock").exists()
    lock = ProjectLock(tmp_path / "walk.mwright")
    assert lock.held
    assert lock.message is None
    lock.release()


def test_lock_is_taken_from_another_when_the_user_says_so(tmp_path, other_process):
    lock = ProjectLock(tmp_path / "walk.mwright")
    lock.take_over()
    assert lock.held
    assert lock.holder is None
    assert ProjectLock(tmp_path / "walk.mwright").holder.pid == os.getpid()
    lock.release()


def test_folder_that_takes_no_lock_is_noted(tmp_path):
    (tmp_path / "file").touch()
    lock = ProjectLock(tmp_path / "file" / "walk.mwright")  # in no folder at all, so that it fails for everyone
    assert not lock.held
    assert not lock.is_open_elsewhere
    assert lock.message == "walk.mwright cannot be locked in its folder: nobody is warned who opens it too"
    lock.release()
