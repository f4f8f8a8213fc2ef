"""What the views show follows document and session."""

import time

import pytest

from editor.document.document import Document
from editor.document.jobs import Evaluations, Jobs
from editor.document.session import Session
from editor.document.showing import Showing
from editor.stack.clips import add_clip, delete_clips, set_source
from editor.stack.evaluator import Evaluator
from editor.stack.layers import add_edit, change_edit
from tests.stacks import Failing, Lift, Made, stack


@pytest.fixture
def shown(application):
    """A document with its session and what is shown of it."""
    jobs = Jobs()
    document = Document(stack(Lift(1.0), Lift(2.0)))
    session = Session(document)
    showing = Showing(document, session, Evaluations(Evaluator(), jobs))
    yield document, session, showing
    jobs.close()
    application.processEvents()


def wait_for(application, done):
    end = time.monotonic() + 10.0
    while not done() and time.monotonic() < end:
        application.processEvents()
        time.sleep(0.002)
    assert done()


def height(take):
    return take.motion.root_positions[0, 1]


def test_selected_edit_decides_what_is_shown(application, shown):
    _, session, showing = shown
    wait_for(application, lambda: showing.current is not None)
    base = height(showing.current.source)
    assert height(showing.current.take) == pytest.approx(base + 3.0)
    session.look(layer="e0")
    assert height(showing.current.take) == pytest.approx(base + 1.0)
    assert height(showing.current.final) == pytest.approx(base + 3.0)


def test_change_is_shown_when_it_is_worked_out_and_the_old_until_then(application, shown):
    document, _, showing = shown
    wait_for(application, lambda: showing.current is not None)
    base = height(showing.current.source)
    document.preview(change_edit, "1", "e1", Lift(5.0))
    assert showing.current is not None
    wait_for(application, lambda: height(showing.current.take) == pytest.approx(base + 6.0))
    document.cancel()
    assert height(showing.current.take) == pytest.approx(base + 3.0), "known already: shown at once"


def test_added_edit_is_not_asked_for_before_it_is_worked_out(application, shown):
    document, session, showing = shown
    wait_for(application, lambda: showing.current is not None)
    document.do(add_edit, "1", Lift(4.0))
    session.look(layer=document.project.clip("1").layers[-1].id)
    assert showing.current.place <= len(showing.current.stages) - 1
    wait_for(application, lambda: len(showing.current.stages) == 4)


def test_clips_beside_it_come_and_go(application, shown):
    document, session, showing = shown
    document.do(add_clip, Made(20), "Second")
    second = document.project.clips[1].id
    session.look(compared=(second,))
    wait_for(application, lambda: len(showing.compared) == 1)
    assert showing.compared[0].take.motion.frames == 20
    document.do(delete_clips, (second,))
    assert showing.compared == ()


def test_failing_source_is_told_and_mended(application, shown):
    document, _, showing = shown
    wait_for(application, lambda: showing.current is not None)
    document.do(set_source, "1", Failing())
    wait_for(application, lambda: showing.failure is not None)
    assert showing.current is None
    assert "the well is dry" in showing.failure
    document.undo()
    wait_for(application, lambda: showing.current is not None)
    assert showing.failure is None
    assert showing.duration_s == pytest.approx(59 / 30)
