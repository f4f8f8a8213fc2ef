"""Disks that are full, folders that go, rights that are lost: it is told, no file is harmed, and it works again."""

import errno
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from app.features import FEATURES
from editor.gait.source import ProceduralGait
from editor.stack.clips import add_clip, rename_clip
from model.files.project_file import read_project, write_project
from model.project import Project
from tests.app.test_window import WALK, drop
from tests.app.windows import painted_window, wait_for

if sys.platform == "win32":
    pytest.skip("disks cannot be made to fail there", allow_module_level=True)

import resource


class FullDisk:
    """A disk with no room left: a small one that is filled where we may make one, else a limit on files of 0 bytes."""

    reason = "No space left|File too large"

    def __init__(self, folder):
        self.folder = folder
        command = ["mount", "-t", "tmpfs", "-o", "size=2m", "none", str(folder)]
        self._is_mounted = subprocess.run(command, capture_output=True, check=False).returncode == 0

    def begin(self):
        if not self._is_mounted:
            self._limits = resource.getrlimit(resource.RLIMIT_FSIZE)
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, self._limits[1]))
            return
        with (self.folder / "filler").open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError:
                pass

    def end(self):
        if self._is_mounted:
            (self.folder / "filler").unlink(missing_ok=True)
        else:
            resource.setrlimit(resource.RLIMIT_FSIZE, self._limits)

    def close(self):
        if self._is_mounted:
            subprocess.run(["umount", "--lazy", str(self.folder)], check=True)


class LostRights:
    """A folder that may no longer be written to. Root, whom no mode stops, becomes nobody for a while."""

    reason = "Permission denied"
    _NOBODY = 65534

    def __init__(self, folder):
        self.folder = folder

    def begin(self):
        self.folder.chmod(0o555)
        if os.getuid() == 0:
            os.seteuid(self._NOBODY)

    def end(self):
        if os.getuid() == 0:
            os.seteuid(0)
        self.folder.chmod(0o755)

    def close(self):
        pass


class LostFolder:
    """A folder that is moved away, such as on a stick that is pulled out."""

    reason = "No such file|Not a directory|is not a folder"

    def __init__(self, folder):
        self.folder = folder

    def begin(self):
        self.folder.rename(self.folder.with_name("gone"))
        self.folder.write_text("in the way")

    def end(self):
        self.folder.unlink()
        self.folder.with_name("gone").rename(self.folder)

    def close(self):
        pass


@pytest.fixture(params=[FullDisk, LostRights, LostFolder], ids=["full", "no rights", "gone"])
def disk(request):
    with tempfile.TemporaryDirectory() as outer:  # pytest's folders are closed to nobody
        os.chmod(outer, 0o755)
        folder = Path(outer) / "disk"
        folder.mkdir()
        made = request.param(folder)
        yield made
        made.close()


@pytest.fixture
def window(application, tmp_path, disk):
    with painted_window(application, tmp_path) as made:
        yield made


def contents(disk):
    """What the files of a disk hold, by their names; temporary and lock files too."""
    folder = disk.folder if disk.folder.is_dir() else disk.folder.with_name("gone")
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.name != "filler"}


def told(window, disk):
    return re.search(disk.reason, window.banner.text)


def test_save_that_fails_keeps_file_and_work_and_works_later(window, disk):
    path = disk.folder / "dance.mwright"
    write_project(add_clip(Project(), ProceduralGait(), "old"), path, FEATURES.kinds)
    drop(window, path)
    wait_for(lambda: window.document.path == path)
    window.document.do(rename_clip, window.document.project.clips[0].id, "new")
    before = contents(disk)
    disk.begin()
    try:
        window.actions_["save"].trigger()
        wait_for(lambda: not window.files.is_saving)
        assert told(window, disk), window.banner.text
        assert "dance.mwright: cannot be written" in window.banner.text
        assert "Your work is still open, but not saved" in window.banner.text
        assert contents(disk) == before
        assert window.document.modified
        assert window.document.project.clips[0].name == "new"
    finally:
        disk.end()
    window.actions_["save"].trigger()
    wait_for(lambda: not window.document.modified)
    assert read_project(path, FEATURES.kinds).project.clips[0].name == "new"


def test_autosave_that_fails_is_told_keeps_the_last_one_and_works_later(window, disk):
    window.recovery._folder = disk.folder / "recovery"
    window.document.do(add_clip, ProceduralGait(), "first")
    written = []
    window.recovery.autosaved.connect(lambda: written.append(True))
    window.recovery.autosave()
    wait_for(lambda: written)
    before = contents(disk)
    window.document.do(rename_clip, window.document.project.clips[0].id, "second")
    disk.begin()
    try:
        window.recovery.autosave()
        wait_for(lambda: "The autosave could not be written" in window.banner.text)
        assert "Save the project to be safe" in window.banner.text
    finally:
        disk.end()
    assert contents(disk) == before
    window.recovery.autosave()
    wait_for(lambda: len(written) == 2)
    (file,) = disk.folder.rglob("*.mwright")
    assert read_project(file, FEATURES.kinds).project.clips[0].name == "second"


def test_export_that_fails_keeps_the_old_file_and_works_later(window, disk):
    path = disk.folder / "walk.bvh"
    path.write_bytes(b"an older export")
    drop(window, WALK)
    wait_for(lambda: window.showing.current is not None)
    before = contents(disk)
    disk.begin()
    try:
        window.files.export(window.session.view.clip, path)
        wait_for(lambda: "walk.bvh: cannot be written" in window.banner.text)
        assert told(window, disk), window.banner.text
        assert contents(disk) == before
    finally:
        disk.end()
    window.files.export(window.session.view.clip, path)
    wait_for(lambda: path.read_bytes().startswith(b"HIERARCHY"))


class _Broken(io.FileIO):
    """A file on a disk that is breaking: it opens, and cannot be read."""

    def readinto(self, *_):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    read = readall = readinto


def refuse(*_):
    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


READING_FAULTS = {
    "No such file": lambda path, patch: path.unlink(),
    "Permission denied": lambda path, patch: patch.setattr("model.files.reading.os.open", refuse),
    "Input/output error": lambda path, patch: patch.setattr(
        "model.files.reading.os.fdopen", lambda handle, mode: _Broken(handle)
    ),
}


@pytest.mark.parametrize("reason", READING_FAULTS)
@pytest.mark.parametrize("name", ["walk.bvh", "dance.mwright"])
def test_reading_that_fails_is_told_and_what_is_open_stays(application, tmp_path, monkeypatch, name, reason):
    path = tmp_path / name
    write_project(add_clip(Project(), ProceduralGait(), "walk"), tmp_path / "dance.mwright", FEATURES.kinds)
    shutil.copy(WALK, tmp_path / "walk.bvh")
    whole = path.read_bytes()
    with painted_window(application, tmp_path) as window:
        window.document.do(add_clip, ProceduralGait(), "mine")
        window.document.mark_saved(window.document.committed, None)
        before = window.document.project
        with monkeypatch.context() as patch:
            READING_FAULTS[reason](path, patch)
            drop(window, path)
            wait_for(lambda: f"{name}: cannot be read: {reason}" in window.banner.text)
        assert window.document.project is before
        path.write_bytes(whole)
        drop(window, path)
        wait_for(lambda: window.document.project.clips and window.document.project.clips[-1].name == "walk")
