"""Saving where another program was at the same file: nobody's work is replaced without a question."""

import os
import threading

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox

from app.features import FEATURES
from app.window import Window
from editor.gait.source import ProceduralGait
from editor.stack.clips import add_clip, rename_clip
from model.files.project_file import read_project, write_project
from model.project import Project
from tests.app.windows import painted_window, wait_for


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "dance.mwright"
    write_project(add_clip(Project(), ProceduralGait(), "walk"), path, FEATURES.kinds)
    return path


@pytest.fixture
def window(application, tmp_path, path):
    with painted_window(application, tmp_path) as made:
        made.files.open_project(path)
        wait_for(lambda: made.document.path == path)
        yield made


@pytest.fixture
def other(application, tmp_path, window, path):
    """A second window with the same project."""
    made = Window(window.settings, recovery_folder=tmp_path / "recovery")
    made.viewport.set_options(painter=True)
    made.files.open_project(path)
    wait_for(lambda: made.document.path == path)
    yield made
    made.document.mark_saved(made.document.committed, None)
    made.close()
    wait_for(lambda: not made.jobs.running)


def rename(window, name):
    window.document.do(rename_clip, window.document.project.clips[0].id, name)


def save(window):
    window.actions_["save"].trigger()
    wait_for(lambda: not window.files.is_saving)


def saved_name(path):
    return read_project(path, FEATURES.kinds).project.clips[0].name


def answer(text, asked):
    """Press a button of the question as soon as it is on the screen."""

    def press():
        box = QApplication.activeModalWidget()
        if not isinstance(box, QMessageBox):
            QTimer.singleShot(10, press)
            return
        asked.append(box.text())
        next(button for button in box.buttons() if button.text().replace("&", "") == text).click()

    QTimer.singleShot(0, press)


def test_second_window_is_told_that_the_project_is_open(window, other):
    assert "dance.mwright is already open" in other.banner.text
    assert "saving here asks first" in other.banner.text


@pytest.mark.parametrize(("button", "left"), [("Overwrite", "first"), ("Cancel", "second")])
def test_save_over_what_another_window_saved_asks(window, other, path, button, left):
    rename(other, "second")
    save(other)
    assert saved_name(path) == "second"
    rename(window, "first")
    asked = []
    answer(button, asked)
    save(window)
    assert "dance.mwright was changed by another window or program" in asked[0]
    assert saved_name(path) == left
    assert window.document.modified == (button == "Cancel"), "what is not saved is still to be saved"
    assert window.document.project.clips[0].name == "first"


def test_save_as_keeps_both_and_goes_on_with_ones_own(window, other, path, monkeypatch):
    rename(other, "second")
    save(other)
    rename(window, "first")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda parent, title, start, kinds: (start, kinds))
    answer("Save as…", [])
    save(window)
    copy = path.with_name("dance-copy.mwright")
    assert (saved_name(path), saved_name(copy)) == ("second", "first")
    assert window.document.path == copy
    rename(window, "again")
    save(window)
    assert (saved_name(path), saved_name(copy)) == ("second", "again")


def test_closing_with_a_conflict_asks_and_stays_open_when_cancelled(window, path, monkeypatch):
    write_project(add_clip(Project(), ProceduralGait(), "theirs"), path, FEATURES.kinds)
    rename(window, "mine")
    asked = []

    def answer_both(box):
        asked.append(box.text())
        wanted = "Save" if len(asked) == 1 else "Cancel"
        button = next(one for one in box.buttons() if one.text().replace("&", "") == wanted)
        button.click()
        return box.standardButton(button)

    monkeypatch.setattr(QMessageBox, "exec", answer_both)
    assert not window.close()
    assert len(asked) == 2
    assert window.document.modified
    assert saved_name(path) == "theirs"


def test_saves_in_quick_succession_do_not_disturb_each_other(window, path):
    for number in range(5):
        rename(window, f"version {number}")
        window.actions_["save"].trigger()
    wait_for(lambda: not window.files.is_saving)
    assert saved_name(path) == "version 4"
    assert not window.document.modified


def test_touched_and_restored_files_are_no_conflict(window, path):
    os.utime(path, (1e9, 1e9))
    rename(window, "mine")
    save(window)
    assert saved_name(path) == "mine"


def test_file_that_was_deleted_is_written_again(window, path):
    path.unlink()
    rename(window, "mine")
    save(window)
    assert saved_name(path) == "mine"


def test_file_that_became_something_else_is_asked_about(window, path):
    path.write_bytes(b"a letter to somebody")
    rename(window, "mine")
    asked = []
    answer("Cancel", asked)
    save(window)
    assert asked
    assert path.read_bytes() == b"a letter to somebody"


def test_file_that_was_made_read_only_stays_and_is_told(window, path):
    path.chmod(0o444)
    rename(window, "mine")
    save(window)
    assert "dance.mwright: cannot be written: the file is read-only" in window.banner.text
    assert saved_name(path) == "walk"
    assert window.document.modified
    path.chmod(0o644)
    save(window)
    assert saved_name(path) == "mine"


def test_project_opened_while_another_is_saved_is_not_taken_for_it(window, path, monkeypatch):
    go_on = threading.Event()

    def write_late(*arguments):
        go_on.wait(20)
        return write_project(*arguments)

    monkeypatch.setattr("app.files.write_project", write_late)
    rename(window, "mine")
    window.actions_["save"].trigger()
    window.files.new_project()
    go_on.set()
    wait_for(lambda: not window.files.is_saving)
    assert saved_name(path) == "mine"
    assert window.document.path is None
    assert not window.document.modified


def test_save_that_never_ends_can_be_cancelled_and_another_place_be_saved_to(window, path, tmp_path, monkeypatch):
    end = threading.Event()

    def write_or_wait(project, target, *rest):
        return end.wait() if target == path else write_project(project, target, *rest)

    monkeypatch.setattr("app.files.write_project", write_or_wait)
    rename(window, "mine")
    window.actions_["save"].trigger()
    (job,) = (job for job in window.jobs.running if job.title.startswith("Saving"))
    job.cancel()
    wait_for(lambda: not window.files.is_saving)
    assert "Saving was cancelled" in window.banner.text
    assert window.document.modified
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "other.mwright"), ""))
    window.actions_["save_as"].trigger()
    wait_for(lambda: not window.document.modified)
    assert saved_name(tmp_path / "other.mwright") == "mine"
    end.set()
