"""Docks are pulled out by their tabs, with the mouse, and nothing is rearranged before it is let go."""

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMainWindow, QTabBar, QWidget

from app.dock_tabs import DropFrame
from tests.activating import activate
from tests.app.windows import painted_window, wait_for
from tests.benchmarks.docks import survived

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def window(application, tmp_path):
    with painted_window(application, tmp_path) as made:
        activate(made)
        yield made


def bars(window):
    return [bar for bar in window.findChildren(QTabBar) if bar.parent() is window]


def tab(window, name):
    """The bar and the middle of a dock's tab, in the window."""
    for bar in bars(window):
        for place in range(bar.count()):
            if bar.isVisible() and bar.tabText(place) == name:
                return bar.mapTo(window, bar.tabRect(place).center())
    raise AssertionError(f"{name} has no tab")


def pull(window, name, to, steps=6):
    handle, start = window.windowHandle(), tab(window, name)
    QTest.mousePress(handle, LEFT, pos=start)
    for step in range(1, steps + 1):
        QTest.mouseMove(handle, start + (to - start) * step / steps)
        QApplication.processEvents()
    return handle


def let_go(handle, at):
    QTest.mouseRelease(handle, LEFT, pos=at)
    QApplication.processEvents()
    QApplication.processEvents()


def middle(window, widget):
    return widget.mapTo(window, widget.rect().center())


def frames():
    return [shown for shown in QApplication.topLevelWidgets() if isinstance(shown, DropFrame) and shown.isVisible()]


def order(window, name):
    """The names of the tabs of the bar that has one of this name."""
    for bar in bars(window):
        names = [bar.tabText(place) for place in range(bar.count())]
        if bar.isVisible() and name in names:
            return names
    raise AssertionError(f"{name} has no tab")


def test_tab_let_go_over_the_viewport_floats(window):
    at = middle(window, window.viewport)
    let_go(pull(window, "Extremes", at), at)
    wait_for(lambda: window.docks["Extremes"].isFloating())
    assert window.docks["Extremes"].isVisible()


def test_tab_let_go_over_another_dock_joins_it(window):
    at = middle(window, window.docks["Library"])
    let_go(pull(window, "Extremes", at), at)
    library, extremes = window.docks["Library"], window.docks["Extremes"]
    wait_for(lambda: extremes in window.tabifiedDockWidgets(library))
    assert not extremes.isFloating()


def test_nothing_moves_while_the_mouse_is_down_and_a_frame_shows_where_it_would_go(window):
    before = window.saveState()
    at = middle(window, window.viewport)
    handle = pull(window, "Extremes", at)
    assert len(frames()) == 1
    assert not window.docks["Extremes"].isFloating()
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_Escape)
    let_go(handle, at)
    QTest.qWait(50)
    assert not window.docks["Extremes"].isFloating(), "Esc puts it back"
    assert len(window.saveState()) == len(before)
    assert not frames()


def test_tab_that_is_clicked_or_hardly_moved_stays(window):
    start = tab(window, "Extremes")
    let_go(pull(window, "Extremes", start + QPoint(4, 6)), start + QPoint(4, 6))
    QTest.qWait(50)
    assert not window.docks["Extremes"].isFloating()
    assert not window.docks["Extremes"].visibleRegion().isEmpty(), "it is the tab in front now"


def test_what_crashes_in_qt_is_off_in_every_workspace(window):
    """Grouped dragging and tabs that can be reordered rearrange docks under a held button, and end in a crash."""
    for name in ("Timing", "Walk", "Edit"):
        window.go_to_workspace(name)
        QTest.qWait(20)
        assert not window.dockOptions() & QMainWindow.DockOption.GroupedDragging
        assert bars(window)
        assert not [bar for bar in bars(window) if bar.isMovable()], name


def test_frame_hides_nothing_of_what_is_under_it(window):
    at = middle(window, window.docks["Library"])
    handle = pull(window, "Extremes", at)
    (frame,) = frames()
    assert frame.geometry().center() == window.mapToGlobal(at)
    assert not frame.mask().contains(frame.rect().center())
    QTest.keyClick(handle, Qt.Key.Key_Escape)
    let_go(handle, at)


def test_tab_let_go_over_another_tab_takes_its_place(window):
    assert order(window, "Inspector") == ["Inspector", "Extremes", "Exaggerate"]
    at = tab(window, "Inspector")
    let_go(pull(window, "Exaggerate", at), at)
    wait_for(lambda: order(window, "Inspector") == ["Exaggerate", "Inspector", "Extremes"])
    at = tab(window, "Extremes")
    let_go(pull(window, "Exaggerate", at), at)
    wait_for(lambda: order(window, "Inspector") == ["Inspector", "Extremes", "Exaggerate"])
    assert not window.docks["Exaggerate"].visibleRegion().isEmpty(), "it is in front"


def test_double_click_on_a_tab_floats_and_on_the_title_docks_again(window):
    dock = window.docks["Extremes"]
    QTest.mouseDClick(window.windowHandle(), LEFT, pos=tab(window, "Extremes"))
    wait_for(dock.isFloating)
    QTest.qWait(50)
    QTest.mouseDClick(dock.windowHandle(), LEFT, pos=QPoint(60, 8))
    wait_for(lambda: not dock.isFloating())


def test_pull_ends_when_the_window_is_left_or_another_button_is_pressed(window):
    at = middle(window, window.viewport)
    handle = pull(window, "Extremes", at)
    QApplication.sendEvent(window, QEvent(QEvent.Type.WindowDeactivate))
    assert not frames()
    let_go(handle, at)
    handle = pull(window, "Extremes", at)
    QTest.mousePress(handle, Qt.MouseButton.RightButton, pos=at)
    assert not frames()
    QTest.mouseRelease(handle, Qt.MouseButton.RightButton, pos=at)
    let_go(handle, at)
    QTest.qWait(50)
    assert not window.docks["Extremes"].isFloating()


def test_pull_ends_when_the_tabs_go_in_its_midst(window):
    at = middle(window, window.viewport)
    handle = pull(window, "Extremes", at)
    window.go_to_workspace("Walk")
    QTest.qWait(50)
    assert not frames()
    assert QWidget.keyboardGrabber() is None
    let_go(handle, at)


def drag_title(window, name, to):
    """Drag a dock by its title, and leave the button down."""
    handle, start = window.windowHandle(), window.docks[name].mapTo(window, QPoint(60, 8))
    QTest.mousePress(handle, LEFT, pos=start)
    for step in range(1, 7):
        QTest.mouseMove(handle, start + (to - start) * step / 6)
        QTest.qWait(20)
    assert QWidget.mouseGrabber() is window.docks[name]
    return handle


def test_titles_neither_come_nor_go_while_a_dock_is_dragged(window):
    titles = [dock.titleBarWidget() for dock in window.docks.values()]
    at = middle(window, window.docks["Inspector"])
    handle = drag_title(window, "Edits", at)
    QTest.qWait(200)
    assert [dock.titleBarWidget() for dock in window.docks.values()] == titles
    let_go(handle, at)
    edits = window.docks["Edits"]
    wait_for(lambda: window.docks["Inspector"] in window.tabifiedDockWidgets(edits))
    wait_for(lambda: edits.titleBarWidget() is not None)


def test_dragged_dock_is_let_go_when_the_workspace_changes(window):
    at = middle(window, window.viewport)
    for go in (lambda: window.go_to_workspace("Timing"), lambda: window.actions_["reset_workspace"].trigger()):
        handle = drag_title(window, "Edits", at)
        go()
        assert QWidget.mouseGrabber() is None
        assert not window.docks["Edits"].isFloating()
        let_go(handle, at)


def test_docks_dragged_about_quickly_do_not_crash_the_window():
    assert survived(drags=60, pause_ms=8, seed=28) == 60
