"""The history: every step by its sentence, and the way back."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from editor.document.document import Document
from editor.stack.clips import rename_clip
from tests.stacks import Lift, stack
from tests.widgets.desk import show
from widgets.edits.history import History


@pytest.fixture
def made(application):
    document = Document(stack(Lift()))
    panel = show(History(document))
    for name in ("One", "Two", "Three"):
        document.do(rename_clip, "1", name)
    return document, panel


def name(document):
    return document.project.clip("1").name


def texts(panel):
    return [panel.model.index(row).data() for row in range(panel.model.rowCount())]


def test_steps_are_listed_with_the_current_one_marked(made):
    document, panel = made
    assert texts(panel) == ["Start", "Rename Clip to One", "Rename One to Two", "Rename Two to Three"]
    assert panel.list.currentIndex().row() == 3
    document.undo()
    assert panel.list.currentIndex().row() == 2
    assert panel.model.index(2).data(Qt.ItemDataRole.FontRole).bold()
    assert panel.model.index(3).data(Qt.ItemDataRole.FontRole).italic()
    assert panel.model.rowCount() == 4, "what is undone can be done again"


def test_click_goes_there_and_back(made):
    document, panel = made
    QTest.mouseClick(
        panel.list.viewport(), Qt.MouseButton.LeftButton, pos=panel.list.visualRect(panel.model.index(1)).center()
    )
    assert name(document) == "One"
    QTest.mouseClick(
        panel.list.viewport(), Qt.MouseButton.LeftButton, pos=panel.list.visualRect(panel.model.index(3)).center()
    )
    assert name(document) == "Three"


def test_arrow_keys_go_step_by_step(made):
    document, panel = made
    QTest.keyClick(panel.list, Qt.Key.Key_Up)
    assert name(document) == "Two"
    QTest.keyClick(panel.list, Qt.Key.Key_Home)
    assert name(document) == "Clip"


def announced(panel):
    """What the list is told of the rows from now on: what happened to them, the first and the last."""
    heard, model = [], panel.model
    model.dataChanged.connect(lambda first, last, _: heard.append(("changed", first.row(), last.row())))
    model.rowsInserted.connect(lambda _, first, last: heard.append(("inserted", first, last)))
    model.rowsRemoved.connect(lambda _, first, last: heard.append(("removed", first, last)))
    model.modelReset.connect(lambda: heard.append(("all", 0, 0)))
    return heard


def test_only_rows_that_come_go_or_change_are_announced_however_many_there_are(made):
    document, panel = made
    for step in range(300):
        document.do(rename_clip, "1", f"Name {step}")
    last = len(document.steps)
    heard = announced(panel)
    document.undo()
    document.redo()
    assert heard == [("changed", last - 1, last)] * 2
    heard.clear()
    document.go_to(0)
    assert heard == [("changed", 0, last)], "at once, and not row by row"
    heard.clear()
    document.go_to(last - 2)
    document.do(rename_clip, "1", "New")
    assert heard == [
        ("changed", 0, last - 2),
        ("removed", last - 1, last),
        ("inserted", last - 1, last - 1),
        ("changed", last - 2, last - 1),
    ]
    assert texts(panel) == ["Start", *(step.sentence for step in document.steps)]


def test_steps_that_the_document_forgets_leave_the_list(made):
    document, panel = made
    document.history_bytes = -1
    heard = announced(panel)
    document.do(rename_clip, "1", "Four")
    assert texts(panel) == ["Start", *(step.sentence for step in document.steps)]
    assert heard[0][:2] == ("removed", 1)
    assert panel.list.currentIndex().row() == document.done


def test_new_step_drops_what_was_undone(made):
    document, panel = made
    document.go_to(1)
    document.do(rename_clip, "1", "Four")
    assert texts(panel) == ["Start", "Rename Clip to One", "Rename One to Four"]


def test_going_elsewhere_ends_a_preview(made):
    document, panel = made
    document.preview(rename_clip, "1", "Maybe")
    panel.list.setCurrentIndex(panel.model.index(2))
    assert name(document) == "Two"
    assert not document.is_previewing


def test_without_steps_it_says_what_it_is_for(application):
    panel = show(History(Document()))
    assert panel._empty.isVisible()
    assert not panel.list.isVisible()
