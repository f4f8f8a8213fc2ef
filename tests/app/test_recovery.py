"""Autosave, and what is left after a crash."""

import json
import os
import socket
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QElapsedTimer, QObject, Signal

from app.processes import birth_of
from app.recovery import Recovery, default_folder
from editor.document.document import Document
from model.clip import Clip, Layer
from model.files import project_file
from model.files.problems import MotionFileError
from model.files.project_file import read_project, write_project
from model.project import Project
from tests.model.files.project_kinds import KINDS, Copied, Weights, assert_same, small_project

ROOT = Path(__file__).resolve().parents[2]


class Stub(QObject):
    """As much of a document as an autosave needs."""

    modified_changed = Signal(bool)

    def __init__(self, project=None, path=None):
        super().__init__()
        self.committed = project or small_project()
        self.modified = False
        self.path = path
        self.file_state = None

    def change(self, name):
        self.committed = replace(self.committed, clips=(replace(self.committed.clips[0], name=name),))
        self.set_modified(True)

    def set_modified(self, modified):
        if modified != self.modified:
            self.modified = modified
            self.modified_changed.emit(modified)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "recovery"


@pytest.fixture
def document():
    return Stub()


@pytest.fixture
def start(application, folder):
    """Makes recoveries that never autosave by themselves, and closes them."""
    made = []

    def make(document, every_s=1000.0):
        made.append(Recovery(document, KINDS, folder, every_s))
        return made[-1]

    yield make
    for recovery in made:
        recovery.close()


@pytest.fixture
def wait(application):
    """Lets the application run until something is so."""

    def until(is_so):
        timer = QElapsedTimer()
        timer.start()
        while not is_so():
            application.processEvents()
            time.sleep(0.002)
            assert timer.elapsed() < 20_000, "it never came"

    return until


@pytest.fixture
def autosaved(wait):
    """Autosaves at once, and waits until it is told."""

    def save(recovery):
        told = []
        recovery.autosaved.connect(lambda: told.append(True))
        recovery.autosave()
        wait(lambda: told)

    return save


def files(folder):
    return sorted(path.suffix for path in folder.iterdir()) if folder.exists() else []


def leave_orphan(folder, project, original=None, name="dead", age_s=0.0, **note):
    """What a process leaves that was killed."""
    folder.mkdir(exist_ok=True)
    write_project(project, folder / f"{name}.mwright", KINDS)
    known = {"original": original, "pid": os.getpid(), "birth": "long ago", "host": socket.gethostname()}
    (folder / f"{name}.json").write_text(json.dumps(known | note))
    when = time.time() - age_s
    os.utime(folder / f"{name}.mwright", (when, when))


# Autosaving


def test_modified_document_is_autosaved_in_time(start, document, folder, wait):
    start(document, every_s=0.02)
    document.change("changed")
    wait(lambda: files(folder) == [".json", ".mwright"])
    (file,) = folder.glob("*.mwright")
    assert_same(document.committed, read_project(file, KINDS).project)


def test_later_changes_replace_the_autosave(start, document, folder, autosaved):
    recovery = start(document)
    for name in ("once", "twice"):
        document.change(name)
        autosaved(recovery)
    (file,) = folder.glob("*.mwright")
    assert read_project(file, KINDS).project.clips[0].name == "twice"


def test_document_that_is_not_modified_is_not_autosaved(start, document, folder, application):
    recovery = start(document)
    recovery.autosave()
    recovery.close()
    application.processEvents()
    assert files(folder) == []


def test_same_project_is_written_once(start, document, autosaved, monkeypatch):
    recovery = start(document)
    document.change("changed")
    autosaved(recovery)
    monkeypatch.setattr("app.recovery.write_project", lambda *_: pytest.fail("written again"))
    recovery.autosave()


def test_autosave_is_written_by_another_thread(start, document, autosaved, monkeypatch):
    threads = []
    monkeypatch.setattr("app.recovery.write_project", lambda *_: threads.append(threading.get_ident()))
    recovery = start(document)
    document.change("changed")
    autosaved(recovery)
    assert threads
    assert threads[0] != threading.get_ident()


def test_change_while_an_autosave_is_written_is_autosaved_after_it(start, document, wait, monkeypatch):
    go_on, written = threading.Event(), []

    def write(project, *_):
        go_on.wait(10)
        written.append(project.clips[0].name)

    monkeypatch.setattr("app.recovery.write_project", write)
    recovery = start(document)
    for name in ("first", "second", "third"):
        document.change(name)
        recovery.autosave()
    go_on.set()
    wait(lambda: len(written) == 2)
    assert written == ["first", "third"]


def test_previews_are_not_autosaved(start, folder, autosaved):
    from editor.stack.clips import rename_clip

    document = Document(small_project())
    recovery = start(document)
    document.do(rename_clip, "1", "committed")
    document.preview(rename_clip, "1", "tried")
    autosaved(recovery)
    (file,) = folder.glob("*.mwright")
    assert read_project(file, KINDS).project.clips[0].name == "committed"


def test_autosave_that_fails_is_told_and_tried_again(start, document, folder, wait, autosaved):
    folder.write_text("in the way")
    recovery = start(document)
    told = []
    recovery.failed.connect(told.append)
    document.change("changed")
    recovery.autosave()
    wait(lambda: told)
    assert "File exists" in told[0]
    folder.unlink()
    autosaved(recovery)
    assert files(folder) == [".json", ".mwright"]


def test_save_removes_the_autosave(start, document, folder, wait, autosaved):
    recovery = start(document)
    document.change("changed")
    autosaved(recovery)
    document.set_modified(False)
    wait(lambda: files(folder) == [])


def test_save_while_an_autosave_is_written_leaves_none(start, document, folder, monkeypatch, wait):
    go_on, is_writing = threading.Event(), threading.Event()

    def write(*arguments):
        is_writing.set()
        go_on.wait(10)
        project_file.write_project(*arguments)

    monkeypatch.setattr("app.recovery.write_project", write)
    recovery = start(document)
    document.change("changed")
    recovery.autosave()
    assert is_writing.wait(10)
    document.set_modified(False)
    go_on.set()
    recovery.forget()
    wait(lambda: files(folder) == [])
    document.change("changed again")
    told = []
    recovery.autosaved.connect(lambda: told.append(True))
    recovery.autosave()
    wait(lambda: told)
    assert files(folder) == [".json", ".mwright"]


def test_close_leaves_nothing(start, document, folder, autosaved):
    recovery = start(document)
    document.change("changed")
    autosaved(recovery)
    recovery.close()
    assert files(folder) == []


def test_close_while_an_autosave_is_written_and_another_is_due_leaves_nothing(
    start, document, folder, monkeypatch, application
):
    go_on = threading.Event()

    def write(*arguments):
        go_on.wait(10)
        project_file.write_project(*arguments)

    monkeypatch.setattr("app.recovery.write_project", write)
    recovery = start(document)
    for name in ("first", "second"):
        document.change(name)
        recovery.autosave()
    go_on.set()
    recovery.close()
    application.processEvents()
    assert files(folder) == []


def test_autosaves_are_for_their_user_only(start, document, folder, autosaved):
    recovery = start(document)
    document.change("changed")
    autosaved(recovery)
    assert folder.stat().st_mode & 0o077 == 0


def test_default_folder_is_the_applications_own(application):
    assert default_folder().name == "recovery"
    assert "motionwright" in str(default_folder())


# Orphans


def test_no_folder_has_no_orphans(start, document):
    assert start(document).orphans() == ()


def test_own_autosaves_and_those_of_living_processes_are_no_orphans(start, document, folder, autosaved):
    one, other = start(document), start(Stub())
    document.change("changed")
    autosaved(one)
    assert one.orphans() == ()
    assert other.orphans() == ()


def test_orphans_are_told_newest_first_with_where_they_belong(start, document, folder, tmp_path):
    leave_orphan(folder, small_project(), str(tmp_path / "a.mwright"), "old", age_s=100.0)
    leave_orphan(folder, small_project(), None, "new")
    found = start(document).orphans()
    assert [(orphan.id, orphan.original) for orphan in found] == [("new", None), ("old", tmp_path / "a.mwright")]
    assert found[0].time_s - found[1].time_s == pytest.approx(100.0, abs=5.0)


def test_process_of_the_same_number_that_started_later_does_not_count(start, document, folder):
    leave_orphan(folder, small_project(), name="reused", pid=os.getpid(), birth="another time")
    leave_orphan(folder, small_project(), name="alive", pid=os.getpid(), birth=birth_of(os.getpid()))
    assert [orphan.id for orphan in start(document).orphans()] == ["reused"]


def test_autosave_of_another_machine_is_an_orphan_after_a_day_only(start, document, folder):
    leave_orphan(folder, small_project(), name="young", host="elsewhere", age_s=3600.0)
    leave_orphan(folder, small_project(), name="old", host="elsewhere", age_s=2 * 24 * 3600.0)
    assert [orphan.id for orphan in start(document).orphans()] == ["old"]


@pytest.mark.parametrize("note", [None, b"", b"{}", b"[1]", b'{"original": 5, "pid": "x", "birth": 1, "host": 2}'])
def test_autosave_without_a_note_that_makes_sense_is_an_orphan_too(start, document, folder, note):
    leave_orphan(folder, small_project())
    if note is None:
        (folder / "dead.json").unlink()
    else:
        (folder / "dead.json").write_bytes(note)
    (orphan,) = start(document).orphans()
    assert orphan.original is None


def test_remains_that_hold_nothing_are_cleared_away(start, document, folder):
    leave_orphan(folder, small_project())
    (folder / "dead.mwright").unlink()
    (folder / ".gone.mwright.x.tmp").write_bytes(b"half")
    os.utime(folder / ".gone.mwright.x.tmp", (1e9, 1e9))
    (folder / ".live.mwright.y.tmp").write_bytes(b"half")
    assert start(document).orphans() == ()
    assert [path.name for path in folder.iterdir()] == [".live.mwright.y.tmp"]


def test_restored_orphan_is_the_documents_autosave_from_then_on(start, document, folder, autosaved, wait):
    leave_orphan(folder, small_project(), "/somewhere/a.mwright")
    recovery = start(document)
    (orphan,) = recovery.orphans()
    recovery.adopt(orphan)
    assert recovery.orphans() == ()
    assert start(Stub()).orphans() == ()
    (file,) = folder.glob("*.mwright")
    assert json.loads(file.with_suffix(".json").read_text())["original"] == "/somewhere/a.mwright"
    document.change("restored and changed")
    autosaved(recovery)
    assert [path.stem for path in folder.glob("*.mwright")] == [file.stem]
    document.set_modified(False)
    wait(lambda: files(folder) == [])


def test_orphan_that_another_restored_first_is_refused(start, document, folder):
    leave_orphan(folder, small_project())
    one, other = start(document), start(Stub())
    (orphan,) = one.orphans()
    one.adopt(orphan)
    with pytest.raises(MotionFileError, match="cannot be restored: No such file"):
        other.adopt(orphan)
    assert files(folder) == [".json", ".mwright"]


def test_discarded_orphan_is_gone(start, document, folder):
    leave_orphan(folder, small_project())
    recovery = start(document)
    recovery.discard(recovery.orphans()[0])
    assert files(folder) == []


# Killing

_KILLER = """
import os, random, signal, sys, time
from pathlib import Path
import numpy as np
from PySide6.QtCore import QCoreApplication, QTimer
from app.recovery import Recovery
from model.clip import Clip, Layer
from model.project import Project
from tests.app.test_recovery import Stub, version
from tests.model.files.project_kinds import KINDS

def work(folder, told):
    application = QCoreApplication([])
    document = Stub(version(0), Path("walk.mwright"))
    recovery = Recovery(document, KINDS, folder, every_s=0.01)
    recovery.autosaved.connect(lambda: os.write(told, b"."))
    count = 0
    def change():
        nonlocal count
        count += 1
        document.committed = version(count)
        document.set_modified(count % 10 != 0)
    timer = QTimer(interval=3)
    timer.timeout.connect(change)
    timer.start()
    application.exec()

rng = random.Random(3)
for kill in range(int(sys.argv[2])):
    saved, told = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            work(Path(sys.argv[1]), told)
        finally:
            os._exit(1)
    os.close(told)
    os.read(saved, 1)
    time.sleep(rng.uniform(0.0, 0.1))
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    os.close(saved)
    assert os.WIFSIGNALED(status), status
"""


def version(number):
    """A project that shows whether it is one or a mixture of several."""
    weights = Weights(np.full(100_000, float(number)))
    return Project((Clip("1", str(number), Copied("9"), (Layer("2", weights),)),), 3)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that split")
def test_killed_processes_leave_whole_autosaves(start, document, folder):
    found = subprocess.run(
        [sys.executable, "-c", _KILLER, str(folder), "30"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stderr
    recovery = start(document)
    orphans = recovery.orphans()
    assert 5 < len(orphans) <= 30
    for orphan in orphans:
        assert orphan.original == ROOT / "walk.mwright"
        reading = read_project(orphan.file, KINDS)
        recovery.adopt(orphan)
        assert reading.problems == ()
        clip = reading.project.clips[0]
        assert np.all(clip.layers[0].edit.weights == float(clip.name))
    for path in folder.glob(".*.tmp"):
        os.utime(path, (1e9, 1e9))
    assert recovery.orphans() == ()
    recovery.close()
    assert files(folder) == []
