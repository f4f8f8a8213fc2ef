"""The import report: what was assumed and repaired, and its way to the clipboard."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from model.files.problems import MotionFileError, Problem, Severity
from tests.widgets.desk import show
from widgets.library.import_report import ImportReport

NOTE = Problem(Severity.NOTE, None, "unit: cm, as the body is tall")
WARNING = Problem(Severity.WARNING, 12, "a number was missing")


@pytest.fixture
def report(application):
    made = show(ImportReport(), 480, 320)
    made.add("clips/hop.bvh", (NOTE, WARNING))
    return made


def rows(report):
    items = [report.tree.topLevelItem(row) for row in range(report.tree.topLevelItemCount())]
    return [(item.text(0), item.text(1), item.text(2)) for item in items]


def test_problems_are_listed_with_file_and_line(report):
    assert rows(report) == [(NOTE.message, "hop.bvh", ""), (WARNING.message, "hop.bvh", "12")]
    spoken = report.tree.topLevelItem(1).data(0, Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "Warning: a number was missing"


def test_newest_file_comes_first_and_replaces_what_was_said_of_it(report):
    report.add("clips/run.bvh", (WARNING,))
    report.add("clips/hop.bvh", (NOTE,))
    assert rows(report) == [(NOTE.message, "hop.bvh", ""), (WARNING.message, "run.bvh", "12")]


def test_file_that_cannot_be_read_is_an_error(report):
    report.add("clips/bad.bvh", MotionFileError("clips/bad.bvh", 3, "this is not BVH"))
    assert report.entries[0].severity == "error"
    assert rows(report)[0] == ("this is not BVH", "bad.bvh", "3")


def test_copy_puts_everything_on_the_clipboard(report):
    QTest.mouseClick(report.copy_button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == (
        "clips/hop.bvh: note: unit: cm, as the body is tall\nclips/hop.bvh:12: warning: a number was missing\n"
    )


def test_copy_key_takes_the_selected_lines(report):
    report.add("clips/run.bvh", (WARNING,))
    for row in (0, 2):
        report.tree.topLevelItem(row).setSelected(True)
    QTest.keyClick(report.tree, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == (
        "clips/run.bvh:12: warning: a number was missing\nclips/hop.bvh:12: warning: a number was missing\n"
    )


def test_long_message_is_wrapped_and_not_cut(application, report):
    report.add("clips/long.bvh", (Problem(Severity.NOTE, None, "a word and " * 30),))
    application.processEvents()
    heights = [report.tree.visualItemRect(report.tree.topLevelItem(row)).height() for row in range(2)]
    assert heights[0] > 2 * heights[1]


def test_cleared_report_says_what_it_is_for(report):
    assert report.tree.isVisible()
    QTest.mouseClick(report.clear_button, Qt.MouseButton.LeftButton)
    assert report.entries == ()
    assert report._empty.isVisible()
    assert not report.tree.isVisible()
