"""Docks are named once: by their title, or by their tab."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDockWidget, QLabel, QMainWindow

from app.dock_titles import DockTitles


@pytest.fixture
def docks(application):
    window = QMainWindow()
    window.setCentralWidget(QLabel("Middle"))
    made = []
    for name in ("One", "Two"):
        dock = QDockWidget(name, window)
        dock.setWidget(QLabel(name))
        window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, dock)
        made.append(dock)
    DockTitles(window, made)
    window.show()
    settle()
    yield window, *made
    window.close()
    window.deleteLater()
    settle()


def settle():
    for _ in range(5):
        QApplication.processEvents()


def titled(dock):
    return dock.titleBarWidget() is None


def test_docks_side_by_side_have_titles(docks):
    _, one, two = docks
    assert titled(one)
    assert titled(two)


def test_tabs_have_no_titles_besides(docks):
    window, one, two = docks
    window.tabifyDockWidget(one, two)
    settle()
    assert not titled(one)
    assert not titled(two)


def test_dock_that_floats_away_has_a_title_again_and_so_has_the_one_left(docks):
    window, one, two = docks
    window.tabifyDockWidget(one, two)
    settle()
    two.setFloating(True)
    settle()
    assert titled(one)
    assert titled(two)


def test_dock_whose_neighbour_is_closed_has_a_title_again(docks):
    window, one, two = docks
    window.tabifyDockWidget(one, two)
    settle()
    two.close()
    settle()
    assert titled(one)
    two.show()
    settle()
    assert not titled(one)
