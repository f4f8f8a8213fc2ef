"""The history: every step by its sentence, and the way back."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from editor.commands.clips import rename_clip
from editor.document import Document
from tests.stacks import Lift, stack
from tests.widgets.panels.desk import show
from widgets.panels.history import History


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
    return [panel.list.item(row).text() for row in range(panel.list.count())]


def test_steps_are_listed_with_the_current_one_marked(made):
    document, panel = made
    assert texts(panel) == ["Start", "Rename Clip to One", "Rename One to Two", "Rename Two to Three"]
    assert panel.list.currentRow() == 3
    document.undo()
    assert panel.list.currentRow() == 2
    assert panel.list.item(2).font().bold()
    assert panel.list.item(3).font().italic()
    assert panel.list.count() == 4, "what is undone can be done again"


def test_click_goes_there_and_back(made):
    document, panel = made
    QTest.mouseClick(
        panel.list.viewport(), Qt.MouseButton.LeftButton, pos=panel.list.visualItemRect(panel.list.item(1)).center()
    )
    assert name(document) == "One"
    QTest.mouseClick(
        panel.list.viewport(), Qt.MouseButton.LeftButton, pos=panel.list.visualItemRect(panel.list.item(3)).center()
    )
    assert name(document) == "Three"


def test_arrow_keys_go_step_by_step(made):
    document, panel = made
    QTest.keyClick(panel.list, Qt.Key.Key_Up)
    assert name(document) == "Two"
    QTest.keyClick(panel.list, Qt.Key.Key_Home)
    assert name(document) == "Clip"


def test_new_step_drops_what_was_undone(made):
    document, panel = made
    document.go_to(1)
    document.do(rename_clip, "1", "Four")
    assert texts(panel) == ["Start", "Rename Clip to One", "Rename One to Four"]


def test_going_elsewhere_ends_a_preview(made):
    document, panel = made
    document.preview(rename_clip, "1", "Maybe")
    panel.list.setCurrentRow(2)
    assert name(document) == "Two"
    assert not document.is_previewing


def test_without_steps_it_says_what_it_is_for(application):
    panel = show(History(Document()))
    assert panel._empty.isVisible()
    assert not panel.list.isVisible()
