"""The whole window by keys alone, and as it is named to those who do not see it."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLineEdit, QTabBar, QWidget

from resources import samples
from tests.app.test_window import WALK, drop, settings, settle, take_keyboard, wait_for, window  # noqa: F401  fixtures
from tests.app.windows import state_of
from tests.widgets.test_access import is_control
from widgets.quality.chips import QualityChips

TABS = 400


@pytest.fixture
def opened(window):  # noqa: F811
    """The window with the sample walk."""
    drop(window, WALK)
    wait_for(lambda: window.showing.current is not None)
    settle(window)
    return window


def named(widget):
    return widget.accessibleName() or (widget.text() if isinstance(widget, QAbstractButton) else "")


def place(widget):
    """Where a widget is, for messages."""
    names = []
    while widget is not None:
        names.append(f"{type(widget).__name__} {widget.objectName() or widget.accessibleName()}".strip())
        widget = widget.parentWidget()
    return " in ".join(names[:4])


def is_shown(on, widget):
    return widget.isVisible() and widget.isEnabled() and widget.window() is on


def walked(on):
    """The widgets that Tab leads to, from one round to where it began."""
    take_keyboard(on)
    on.viewport.setFocus()
    met = []
    for _ in range(TABS):
        QTest.keyClick(on.windowHandle(), Qt.Key.Key_Tab)
        now = QApplication.focusWidget()
        if now is None or now in met:
            break
        met.append(now)
    return met


@pytest.mark.parametrize("workspace", ["Edit", "Timing", "Walk"])
def test_tab_leads_to_every_control_that_is_seen(opened, workspace):
    opened.workspaces.switch(workspace)
    settle(opened)
    for dock in [name for name, dock in opened.docks.items() if dock.isVisible()]:
        opened.docks[dock].raise_()
        QApplication.processEvents()
        met = walked(opened)
        assert len(met) > 10
        missed = [
            place(one)
            for one in opened.findChildren(QWidget)
            if is_shown(opened, one) and is_control(one) and not one.visibleRegion().isEmpty() and one not in met
        ]
        assert missed == [], dock


def test_everything_that_takes_the_focus_or_a_click_is_named(opened):
    for dock in opened.docks.values():
        dock.show()
        dock.raise_()
        QApplication.processEvents()
    for name in ("palette", "help", "shortcuts", "tour", "reduce_to_keys"):
        opened.actions_[name].trigger()
    QApplication.processEvents()
    checked, nameless, without_tip = 0, [], []
    for one in opened.findChildren(QWidget):
        inner = one.objectName().startswith("qt_") or isinstance(one.parent(), QLineEdit | QTabBar | QComboBox)
        if inner or not (is_control(one) or isinstance(one, QAbstractButton)):
            continue
        checked += 1
        if not named(one):
            nameless.append(place(one))
        if isinstance(one, QAbstractButton) and not one.toolTip():
            without_tip.append(f"{named(one)}: {place(one)}")
    assert nameless == []
    assert without_tip == []
    assert checked > 60


def test_views_and_docks_tell_what_they_are(opened):
    chips = state_of(opened, QualityChips)
    for view in (opened.viewport, opened.timeline.ruler, opened.library, opened.edits, opened.inspector, chips):
        texts = [view.accessibleName(), *(child.accessibleName() for child in view.findChildren(QWidget))]
        assert any(texts), place(view)
    for dock in opened.docks.values():
        assert dock.windowTitle()
        assert opened.docks[dock.objectName()].toggleViewAction().text()


def test_menus_lead_to_every_action(opened):
    offered = {action.objectName() for menu in opened.menus.values() for action in menu.actions()}
    assert set(opened.actions_.names()) - offered == {"open_sample"}
    assert sum(bool(one.data()) for one in opened.menus["File/Samples"].actions()) == len(samples()), "in its place"
