"""Drags with a real mouse, where the window system has one."""

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.features import FEATURES
from model.clip import Clip
from model.project import Project
from tests.stacks import Lift, Made, stack
from tests.widgets.desk import desk, show
from widgets.edits.edit_stack import EditStack
from widgets.library.library import Library


@pytest.fixture
def made(application):
    if QGuiApplication.platformName() != "xcb":
        pytest.skip("without a window system nothing can be dragged")
    one = stack(Lift(1.0), Lift(2.0), Lift(3.0)).clips[0]
    on = desk(Project((one, Clip("2", "Second", Made())), 10))
    window = QWidget()
    layout = QHBoxLayout(window)
    library = Library(on.document, on.session, on.showing)
    edits = EditStack(on.document, on.session, on.showing, FEATURES.edits)
    layout.addWidget(library)
    layout.addWidget(edits)
    show(window, 700, 500)
    application.processEvents()
    return on, window, library.list, edits.list


def place(window, view, row, lower=0):
    return view.viewport().mapTo(window, view.visualItemRect(view.item(row)).center() + QPoint(0, lower))


def carry(application, on, window, start, stop):
    """Press, move and let go, more slowly each time: on a busy machine a quick drag may come to nothing."""
    before = on.project
    for slower in (1, 3, 8):
        _carry(application, window, start, stop, slower)
        if on.project is not before:
            return


def _carry(application, window, start, stop, slower):
    """What comes after the drag has begun is sent from within it."""
    screen, left, none = window.windowHandle(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    steps = [start + (stop - start) * part / 6 for part in range(1, 7)]
    QTest.mousePress(screen, left, none, start)
    for late, step in enumerate(steps[2:]):
        QTimer.singleShot((60 + 20 * late) * slower, window, lambda step=step: QTest.mouseMove(screen, step))
    QTimer.singleShot(200 * slower, window, lambda: QTest.mouseRelease(screen, left, none, stop))
    for step in steps[:2]:
        QTest.mouseMove(screen, step)
        application.processEvents()
    QTest.qWait(300 * slower)


def test_edit_is_dragged_to_another_place(application, made):
    on, window, _, edits = made
    carry(application, on, window, place(window, edits, 1), place(window, edits, 3, 10))
    assert on.edits() == [Lift(2.0), Lift(3.0), Lift(1.0)]


def test_edit_is_dragged_to_another_clip_and_stays(application, made):
    on, window, clips, edits = made
    carry(application, on, window, place(window, edits, 2), place(window, clips, 1))
    assert on.edits("2") == [Lift(2.0)]
    assert on.edits() == [Lift(1.0), Lift(2.0), Lift(3.0)]


def test_clip_is_dragged_to_another_place(application, made):
    on, window, clips, _ = made
    carry(application, on, window, place(window, clips, 1), place(window, clips, 0, -15))
    assert [clip.id for clip in on.project.clips] == ["2", "1"]
