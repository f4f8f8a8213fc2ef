"""Bugs of ours and closing at the wrong moment: the user is told, and nothing of the work is lost."""

import sys
from dataclasses import replace

import pytest

from app.actions import Actions
from app.application import _tell_bugs
from editor.placing.edit import Mirror
from editor.stack.clips import rename_clip
from editor.stack.layers import add_edit
from editor.timing.edit import Trim
from tests.app.test_window import RUN, WALK, drop, settings, wait_for, window  # noqa: F401  fixtures

ARMED = []


@pytest.fixture
def faulty(monkeypatch):
    """Every action breaks while ARMED names it."""
    add = Actions._add

    def add_breaking(self, entry):
        def broken_or_done(*arguments):
            if entry.name in ARMED:
                raise RuntimeError(f"{entry.name} broke")
            return entry.do(*arguments)

        return add(self, replace(entry, do=broken_or_done))

    monkeypatch.setattr(Actions, "_add", add_breaking)
    yield
    ARMED.clear()


@pytest.fixture
def told(faulty, window, monkeypatch):  # noqa: F811
    """The window with a clip and an edit, wired as the program wires it."""
    drop(window, WALK)
    wait_for(lambda: window.showing.current is not None)
    window.document.do(add_edit, window.session.view.clip, Mirror())
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)  # put back afterwards
    _tell_bugs(window)
    return window


def test_bug_in_any_action_is_told_and_leaves_the_document_as_it_was(told, tmp_path, capfd):
    before = told.document.project
    for name in told.actions_.names():
        ARMED[:] = [name]
        told.banner.hide()
        told.document.preview(rename_clip, before.clips[0].id, "half way")
        action = told.actions_[name]
        action.setEnabled(True)
        action.toggle() if action.isCheckable() else action.trigger()
        wait_for(lambda: told.banner.isVisible() and f"{name} broke" in told.banner.text)  # noqa: B023  done at once
        assert told.document.project is before, name
    ARMED.clear()
    wait_for(lambda: any((tmp_path / "recovery").glob("*.mwright")))
    told.actions_["undo"].trigger()
    told.actions_["redo"].trigger()
    assert told.document.project is before, "and it goes on working"


def test_bug_while_drawing_is_told(told, monkeypatch, capfd):
    def broken(*_):
        raise RuntimeError("no ink")

    ruler, times = told.timeline.ruler, []
    told.recovery.autosaved.connect(lambda: times.append(1))
    with monkeypatch.context() as patched:
        patched.setattr(type(ruler), "paint_picture", broken)
        ruler.refresh()
        wait_for(lambda: "no ink" in told.banner.text)
        for _ in range(5):
            ruler.refresh()
            wait_for(lambda: not told.jobs.running)
    assert len(times) <= 1, "told once, though it breaks again and again"
    ruler.refresh()
    assert not ruler.grab().isNull()


def test_painter_ends_when_drawing_breaks(told, monkeypatch, capfd):
    """Qt tells of painters that live on, which fails this test."""
    kept = []
    monkeypatch.setattr(sys, "excepthook", lambda kind, error, trace: kept.append(trace))

    def broken(*_):
        raise RuntimeError("no ink")

    monkeypatch.setattr(type(told.docks["Retarget"].widget().bodies), "_paint_links", broken)
    told.docks["Retarget"].show()
    told.docks["Retarget"].raise_()
    wait_for(lambda: kept)
    told.docks["Retarget"].widget().bodies.update()
    wait_for(lambda: len(kept) > 1)


@pytest.mark.parametrize("work", ["reading", "saving", "exporting", "thinking"])
def test_closing_during_work_ends_it(told, tmp_path, work):
    if work == "reading":
        drop(told, *[RUN, WALK] * 10)
    elif work == "saving":
        told.files.save(tmp_path / "late.mwright")
    elif work == "exporting":
        told.files.export(told.session.view.clip, tmp_path / "late.bvh")
    else:
        told.document.do(add_edit, told.session.view.clip, Trim(0.5, 2.0))
    told.document.mark_saved(told.document.committed, None)
    assert told.close()
    wait_for(lambda: not told.jobs.running)
    assert not [path for path in tmp_path.iterdir() if path.suffix == ".tmp"], "nothing half written stays"
