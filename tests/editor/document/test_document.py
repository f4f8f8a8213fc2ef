"""The document: history, previews, hints; and the session beside it."""

import gc
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from editor.contacts.commands import correct_contacts
from editor.contacts.correct import Correction
from editor.document.document import Document
from editor.document.session import Session
from editor.stack.clips import add_clip, delete_clips, rename_clip
from editor.stack.evaluator import Evaluator
from editor.stack.layers import add_edit, change_edit, move_edit, remove_edits, set_scope, switch_edit
from model.project import Project
from model.scope import Scope
from tests import scripts
from tests.stacks import Lift, Made, stack


class Heard:
    """Collects what a signal says."""

    def __init__(self, signal):
        self.said = []
        signal.connect(lambda *what: self.said.append(what))


def test_changes_are_announced_once_with_before_and_after():
    document = Document(stack(Lift(1.0)))
    heard = Heard(document.changed)
    before = document.project
    document.do(rename_clip, "1", "Other")
    assert heard.said == [(before, document.project)]
    document.undo()
    assert heard.said[1:] == [(heard.said[0][1], before)]
    document.do(rename_clip, "1", "Clip")  # nothing changes
    assert len(heard.said) == 2


def test_new_step_drops_what_could_be_redone():
    document = Document(stack())
    document.do(rename_clip, "1", "A")
    document.do(rename_clip, "1", "B")
    document.undo()
    document.do(rename_clip, "1", "C")
    assert [step.sentence for step in document.steps] == ["Rename Clip to A", "Rename A to C"]
    assert not document.redo()


def test_history_can_be_walked_to_any_step():
    document = Document(stack())
    projects = [document.project]
    for name in "ABCDE":
        document.do(rename_clip, "1", name)
        projects.append(document.project)
    for done in (0, 5, 2, 3, 1):
        assert document.go_to(done)
        assert document.project is projects[done]
        assert document.done == done
    assert not document.go_to(6)
    assert not document.go_to(-1)


def test_modified_follows_saving_and_undo():
    document = Document(stack())
    heard = Heard(document.modified_changed)
    document.do(rename_clip, "1", "A")
    saved = document.committed
    document.mark_saved(saved, Path("a.mwright"))
    document.do(rename_clip, "1", "B")
    document.undo()
    assert heard.said == [(True,), (False,), (True,), (False,)]
    assert document.path == Path("a.mwright")


def test_nudges_are_merged_and_other_steps_are_not():
    document = Document(stack(Lift(1.0)))
    before = document.project
    for value in (1.5, 2.0, 2.5):
        document.do(change_edit, "1", "e0", Lift(value), merge="e0.by_m")
    assert len(document.steps) == 1
    document.do(change_edit, "1", "e0", Lift(3.0), merge="other")
    document.do(change_edit, "1", "e0", Lift(4.0))
    assert len(document.steps) == 3
    for _ in range(3):
        document.undo()
    assert document.project is before
    document.go_to(3)
    assert document.project.clip("1").layers[0].edit == Lift(4.0)


def replayed(document, project):
    """What the document's script makes of a project."""
    return scripts.replayed(document, project, Lift=Lift, Made=Made)


def test_script_of_merged_steps_does_all_of_them_again():
    start = stack(Lift(1.0))
    document = Document(start)
    for n in range(3):
        touch = Correction("left_foot", float(n), n + 0.5, True)
        document.do(correct_contacts, "1", (touch,), merge="touch")
    assert len(document.steps) == 1
    assert len(document.steps[0].calls) == 3
    for value in (1.5, 2.0, 2.5):
        document.do(change_edit, "1", "e0", Lift(value), merge="e0")
    assert len(document.steps) == 2
    assert len(document.steps[1].calls) == 1, "the last does it alone"
    assert replayed(document, start) == document.project
    document.undo()
    assert replayed(document, start) == document.project


def test_different_commands_and_things_are_not_merged():
    start = stack(Lift(1.0), Lift(2.0))
    document = Document(start)
    document.do(change_edit, "1", "e0", Lift(3.0), merge="x")
    document.do(change_edit, "1", "e1", Lift(4.0), merge="x")
    document.do(set_scope, "1", "e1", Scope(strength=0.5), merge="x")
    assert len(document.steps) == 3
    assert replayed(document, start) == document.project


def test_nudges_that_come_to_nothing_are_no_step():
    document = Document(stack(Lift(1.0)))
    document.do(rename_clip, "1", "A")
    saved = document.committed
    document.mark_saved(saved, None)
    for value in (1.5, 2.0, 1.0):
        document.do(change_edit, "1", "e0", Lift(value), merge="e0")
    assert document.project is document.committed is saved
    assert not document.modified
    assert [step.sentence for step in document.steps] == ["Rename Clip to A"]
    document.do(change_edit, "1", "e0", Lift(1.5), merge="e0")
    assert document.done == 2


def test_merged_step_says_what_it_does_to_what_was_before():
    document = Document(stack())
    for name in ("A", "B"):
        document.do(rename_clip, "1", name, merge="name")
    assert document.undo_text == "Rename Clip to B"


def test_undo_while_something_is_tried_out_cancels_that_only():
    document = Document(stack(Lift(1.0)))
    document.do(rename_clip, "1", "A")
    committed = document.project
    document.preview(change_edit, "1", "e0", Lift(2.0))
    document.preview(change_edit, "1", "e0", Lift(3.0))
    assert document.is_previewing
    assert document.undo()
    assert document.project is committed
    assert document.done == 1
    assert not document.is_previewing


def test_command_during_a_preview_replaces_it():
    document = Document(stack(Lift(1.0)))
    document.preview(change_edit, "1", "e0", Lift(2.0))
    document.do(rename_clip, "1", "A")
    assert document.project is document.committed
    assert document.project.clip("1").layers[0].edit == Lift(1.0)
    document.preview(change_edit, "1", "e0", Lift(2.0))
    document.preview(change_edit, "1", "e0", Lift(1.0))
    assert not document.commit(), "back where it started: no step"
    assert not document.commit()


def test_another_project_starts_without_history():
    document = Document(stack())
    document.do(rename_clip, "1", "A")
    other = stack(Lift(1.0))
    document.restart(other, Path("other.mwright"))
    assert (document.project, document.steps, document.modified) == (other, (), False)
    document.restart(Project(), modified=True)
    assert document.modified


def test_history_is_bounded_in_bytes():
    document = Document(Project())
    document.history_bytes = 50_000
    for n in range(200):
        document.do(add_clip, Made(10 + n), f"Clip {n}")
    assert sum(step.size for step in document.steps) <= 50_000
    assert 1 < len(document.steps) < 200
    done = document.done
    while document.undo():
        done -= 1
    assert done == 0
    assert document.project.clips, "what was forgotten cannot be undone, and is not lost"


def test_memory_stays_flat_over_ten_thousand_edits_and_undos(request):
    rng = np.random.default_rng(0)
    document = Document(stack(Lift(1.0), Lift(2.0)))
    document.history_bytes = 200_000
    evaluator = Evaluator(budget_bytes=2_000_000)

    def act():
        clip = document.project.clip("1")
        layers = [layer.id for layer in clip.layers]
        what = rng.integers(8)
        value = Lift(float(rng.integers(1, 20)) / 2.0)
        if what == 0 and len(layers) < 5:
            document.do(add_edit, "1", value)
        elif what == 1 and len(layers) > 1:
            document.do(remove_edits, "1", (layers[0],))
        elif what == 2:
            document.do(switch_edit, "1", layers[-1], bool(rng.integers(2)))
        elif what == 3:
            document.do(move_edit, "1", layers[0], 1)
        elif what in (4, 5):
            document.undo()
        elif what == 6:
            document.redo()
        else:
            document.do(change_edit, "1", layers[-1], value)

    def held():
        gc.collect()
        return len(gc.get_objects()), tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    request.addfinalizer(tracemalloc.stop)
    counts = []
    for n in range(10_000):
        act()
        if n % 4 == 0:
            evaluator.take(document.project, "1")
            assert evaluator.size <= 2_000_000
        if n in (4_000, 9_999):
            counts.append(held())
            if n == 4_000:
                tracemalloc.reset_peak()
    peak = tracemalloc.get_traced_memory()[1]
    (objects, size), (more_objects, more_size) = counts
    assert sum(step.size for step in document.steps) <= 200_000
    assert more_objects < 1.2 * objects + 2_000
    assert more_size - size < 100_000
    assert peak - size < 4_000_000, "the working memory of one edit, and a history that comes and goes"


def test_session_is_no_part_of_the_project():
    document = Document(stack(Lift(1.0)))
    session = Session(document)
    heard = Heard(session.changed)
    session.look(time_s=1.5, layer="e0")
    assert not document.modified
    assert (session.view.clip, session.view.time_s, session.view.layer) == ("1", 1.5, "e0")
    session.look(time_s=1.5)
    assert len(heard.said) == 1


def test_undo_returns_to_where_the_change_was_made():
    document = Document(stack(Lift(1.0)))
    document.do(add_clip, Made(), "Second")
    second = document.project.clips[1].id
    session = Session(document)
    session.look(time_s=1.5, layer="e0")
    document.do(change_edit, "1", "e0", Lift(2.0))
    session.look(clip=second)
    assert (session.view.layer, session.view.time_s) == (None, 0.0)
    session.look(time_s=0.7)
    document.undo()
    assert (session.view.clip, session.view.time_s, session.view.layer) == ("1", 1.5, "e0")
    session.look(clip=second, time_s=0.3)
    document.redo()
    assert (session.view.clip, session.view.time_s) == ("1", 1.5)


def test_redo_leads_to_what_the_step_made_and_was_shown():
    document = Document(stack(Lift(1.0)))
    session = Session(document)
    document.do(add_clip, Made(), "Second")
    second = document.project.clips[1].id
    session.look(clip=second)
    document.do(add_edit, second, Lift(2.0))
    layer = document.project.clip(second).layers[0].id
    session.look(layer=layer, time_s=0.5)
    document.undo()
    assert (session.view.clip, session.view.layer) == (second, None)
    document.undo()
    assert session.view.clip == "1"
    document.redo()
    assert (session.view.clip, session.view.layer) == (second, None)
    document.redo()
    assert (session.view.clip, session.view.layer, session.view.time_s) == (second, layer, 0.5)


def test_view_lets_go_of_what_is_gone():
    document = Document(stack(Lift(1.0)))
    document.do(add_clip, Made(), "Second")
    second = document.project.clips[1].id
    session = Session(document)
    session.look(layer="e0", compared=(second,))
    document.do(remove_edits, "1", ("e0",))
    assert session.view.layer is None
    document.do(delete_clips, (second,))
    assert session.view.compared == ()
    document.do(delete_clips, ("1",))
    assert session.view.clip is None
    document.undo()
    assert session.view.clip == "1"


@pytest.mark.parametrize("count", [0, 3])
def test_empty_history_has_nothing_to_undo(count):
    document = Document(stack())
    for n in range(count):
        document.do(rename_clip, "1", f"N{n}")
    for _ in range(count):
        assert document.undo()
    assert not document.undo()
    assert document.undo_text is None
