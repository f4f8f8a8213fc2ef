"""Autosaves of processes that died are offered in the window; restoring them never costs what was saved."""

import json
import os
import socket

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QMessageBox, QPushButton

from app.features import FEATURES
from editor.clips.imported import import_file
from editor.gait.source import ProceduralGait
from editor.stack.clips import add_clip, rename_clip
from model.files.project_file import read_project, write_project
from model.project import Project
from tests.app.test_window import RUN, WALK
from tests.app.windows import painted_window, wait_for


@pytest.fixture
def window(application, tmp_path):
    with painted_window(application, tmp_path) as made:
        yield made


def two_clips(name="run"):
    project = add_clip(Project(), import_file(WALK), "walk")
    return add_clip(project, import_file(RUN), name)


def leave_autosave(tmp_path, project, original=None, state=None):
    """What a process leaves that was killed. -> the file of the autosave."""
    file = tmp_path / "recovery" / "dead.mwright"
    file.parent.mkdir(exist_ok=True)
    write_project(project, file, FEATURES.kinds)
    note = {
        "original": None if original is None else str(original),
        "pid": os.getpid(),
        "birth": "long ago",
        "host": socket.gethostname(),
        "state": None if state is None else vars(state),
    }
    file.with_suffix(".json").write_text(json.dumps(note))
    return file


def damage(file):
    """Flip bytes in the middle of the last array of a project: the numbers of the second clip."""
    data = bytearray(file.read_bytes())
    at = data.rindex(b"PK\3\4") + 5000
    data[at : at + 8] = bytes(byte ^ 0xFF for byte in data[at : at + 8])
    file.write_bytes(data)


def buttons(window):
    return {button.text(): button for button in window.banner.findChildren(QPushButton) if button.isVisible()}


def press(window, text):
    QTest.mouseClick(buttons(window)[text], Qt.MouseButton.LeftButton)


def look(window):
    looked = []
    window.restoring.looked.connect(looked.append)
    window.restoring.look()
    wait_for(lambda: looked)
    return looked[0]


def names(project):
    return [clip.name for clip in project.clips]


def test_autosave_of_a_new_project_is_restored_without_a_path(window, tmp_path):
    leave_autosave(tmp_path, two_clips())
    assert look(window)
    assert "Unsaved work on a new project was kept" in window.banner.text
    press(window, "Restore")
    wait_for(lambda: names(window.document.project) == ["walk", "run"])
    assert window.document.modified
    assert window.document.path is None


def test_whole_autosave_is_restored_to_its_project(window, tmp_path):
    original = tmp_path / "dance.mwright"
    state = write_project(two_clips("old"), original, FEATURES.kinds)
    leave_autosave(tmp_path, two_clips("new"), original, state)
    assert look(window)
    press(window, "Restore")
    wait_for(lambda: names(window.document.project) == ["walk", "new"])
    assert (window.document.path, window.document.modified) == (original, True)
    window.actions_["save"].trigger()
    wait_for(lambda: not window.document.modified)
    assert names(read_project(original, FEATURES.kinds).project) == ["walk", "new"]


def test_damaged_autosave_tells_what_is_missing_and_leaves_the_original(window, tmp_path, monkeypatch):
    original = tmp_path / "dance.mwright"
    state = write_project(two_clips(), original, FEATURES.kinds)
    before = original.read_bytes()
    damage(leave_autosave(tmp_path, two_clips("late"), original, state))
    look(window)
    press(window, "Restore")
    wait_for(lambda: names(window.document.project) == ["walk"])
    assert "dance.mwright is damaged" in window.banner.text
    assert "clip 'late' is left out" in window.banner.text
    assert window.docks["Report"].isVisible()
    assert (window.document.path, window.document.modified) == (None, True)
    proposed = []

    def choose(parent, title, start, kinds):
        proposed.append(start)
        return start, kinds

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    window.actions_["save"].trigger()
    wait_for(lambda: not window.document.modified)
    assert proposed == [str(tmp_path / "dance-recovered.mwright")]
    assert original.read_bytes() == before
    assert names(read_project(tmp_path / "dance-recovered.mwright", FEATURES.kinds).project) == ["walk"]


def test_damaged_autosave_that_is_autosaved_again_is_no_longer_the_originals(window, tmp_path):
    original = tmp_path / "dance.mwright"
    state = write_project(two_clips(), original, FEATURES.kinds)
    damage(leave_autosave(tmp_path, two_clips("late"), original, state))
    look(window)
    press(window, "Restore")
    wait_for(lambda: window.document.modified)
    (note,) = (tmp_path / "recovery").glob("*.json")
    assert json.loads(note.read_text())["original"] is None


def test_autosave_that_cannot_be_read_at_all_is_told_and_stays(window, tmp_path):
    file = leave_autosave(tmp_path, two_clips())
    file.write_bytes(b"nonsense")
    look(window)
    press(window, "Restore")
    wait_for(lambda: "not a project file" in window.banner.text)
    assert file.read_bytes() == b"nonsense"


@pytest.mark.parametrize("clock_s", [0.0, -3600.0, 3600.0])
def test_autosave_of_what_was_saved_since_is_offered_as_a_copy_whatever_the_clock(window, tmp_path, clock_s):
    original = tmp_path / "dance.mwright"
    state = write_project(two_clips("old"), original, FEATURES.kinds)
    file = leave_autosave(tmp_path, two_clips("middle"), original, state)
    write_project(two_clips("newest"), original, FEATURES.kinds)
    moment = file.stat().st_mtime + clock_s
    os.utime(original, (moment, moment))
    before = original.read_bytes()
    look(window)
    assert "Unsaved work" not in window.banner.text
    assert "may be newer" in window.banner.text
    press(window, "Open as copy")
    wait_for(lambda: names(window.document.project) == ["walk", "middle"])
    assert window.document.path is None
    assert window.files.proposed_path == tmp_path / "dance-recovered.mwright"
    assert original.read_bytes() == before


@pytest.mark.parametrize("clock_s", [-3600.0, 3600.0])
def test_unsaved_work_is_offered_as_such_although_the_clock_was_set(window, tmp_path, clock_s):
    original = tmp_path / "dance.mwright"
    state = write_project(two_clips("old"), original, FEATURES.kinds)
    file = leave_autosave(tmp_path, two_clips("new"), original, state)
    moment = original.stat().st_mtime + clock_s
    os.utime(file, (moment, moment))
    look(window)
    assert "Unsaved work on dance.mwright was kept" in window.banner.text


def test_autosave_of_what_is_saved_already_is_cleared_without_a_word(window, tmp_path):
    original = tmp_path / "dance.mwright"
    state = write_project(two_clips("old"), original, FEATURES.kinds)
    leave_autosave(tmp_path, two_clips("new"), original, state)
    write_project(two_clips("new"), original, FEATURES.kinds)
    assert not look(window)
    assert window.banner.text == ""
    assert list((tmp_path / "recovery").iterdir()) == []


def test_next_autosave_is_offered_once_one_is_discarded(window, tmp_path):
    for name in ("a", "b"):
        leave_autosave(tmp_path, two_clips(), tmp_path / f"{name}.mwright").rename(
            tmp_path / "recovery" / f"{name}.mwright"
        )
        (tmp_path / "recovery" / "dead.json").rename(tmp_path / "recovery" / f"{name}.json")
    look(window)
    offered = []
    for _ in range(2):
        offered.append(next(name for name in ("a.mwright", "b.mwright") if name in window.banner.text))
        press(window, "Discard")
    assert sorted(offered) == ["a.mwright", "b.mwright"]
    assert list((tmp_path / "recovery").iterdir()) == []


def test_restoring_over_unsaved_work_asks_first(window, tmp_path, monkeypatch):
    leave_autosave(tmp_path, two_clips())
    look(window)
    window.document.do(add_clip, ProceduralGait(), "mine")
    window.document.do(rename_clip, window.document.project.clips[0].id, "precious")
    monkeypatch.setattr(QMessageBox, "exec", lambda box: QMessageBox.StandardButton.Cancel)
    press(window, "Restore")
    assert names(window.document.project) == ["precious"]
    assert "Restore" in buttons(window), "it is still offered"


def test_restored_project_that_changed_meanwhile_is_not_saved_over(window, tmp_path, monkeypatch):
    original = tmp_path / "dance.mwright"
    state = write_project(two_clips("old"), original, FEATURES.kinds)
    leave_autosave(tmp_path, two_clips("new"), original, state)
    look(window)
    press(window, "Restore")
    wait_for(lambda: window.document.path == original)
    write_project(two_clips("theirs"), original, FEATURES.kinds)
    asked = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: asked.append(box.text()))
    window.actions_["save"].trigger()
    wait_for(lambda: asked)
    assert names(read_project(original, FEATURES.kinds).project) == ["walk", "theirs"]
