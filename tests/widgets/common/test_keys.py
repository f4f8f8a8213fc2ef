"""Buttons by keys: Space and Enter press the one with the focus, though the window plays on Space."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QDialog, QMenu, QPushButton, QToolButton, QVBoxLayout, QWidget

from widgets.common.keys import ButtonKeys

KINDS = [QToolButton, QPushButton, QCheckBox]


@pytest.fixture
def keys(application):
    made = ButtonKeys(application)
    yield made
    made.deleteLater()


def opened(window, *widgets):
    layout = QVBoxLayout(window)
    for widget in widgets:
        widget.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        layout.addWidget(widget)
    window.played = []
    shortcut = QShortcut(QKeySequence(Qt.Key.Key_Space), window)
    shortcut.activated.connect(lambda: window.played.append(True))
    window.show()
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window)
    widgets[0].setFocus()
    return window


def clicks(button):
    heard = []
    button.clicked.connect(lambda: heard.append(True))
    return heard


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("key", [Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_key_clicks_a_button_once_and_does_not_play(keys, kind, key):
    button = kind()
    heard = clicks(button)
    window = opened(QWidget(), button)
    QTest.keyClick(window.windowHandle(), key)
    assert heard == [True]
    assert window.played == []


def test_space_plays_where_no_button_has_the_focus(keys):
    button, other = QToolButton(), QWidget()
    heard = clicks(button)
    window = opened(QWidget(), button, other)
    other.setFocus()
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_Space)
    assert heard == []
    assert window.played == [True]


def test_space_plays_after_a_click_on_a_button(keys):
    button, other = QPushButton(), QWidget()
    heard = clicks(button)
    window = opened(QWidget(), other, button)
    QTest.mouseClick(window.windowHandle(), Qt.MouseButton.LeftButton, pos=button.geometry().center())
    assert button.hasFocus()
    assert heard == [True]
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_Space)
    assert window.played == [True]
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_Return)
    assert heard == [True, True]


def test_keys_with_modifiers_are_left_to_the_window(keys):
    button = QToolButton()
    heard = clicks(button)
    window = opened(QWidget(), button)
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert heard == []


def test_enter_opens_the_menu_of_a_button(keys):
    if QGuiApplication.platformName() == "offscreen":
        pytest.skip("this platform complains of every menu")
    button, opens = QToolButton(), []
    menu = QMenu(button)
    menu.addAction("One")
    menu.aboutToShow.connect(lambda: opens.append(True))
    menu.aboutToShow.connect(menu.close, Qt.ConnectionType.QueuedConnection)  # it waits for an answer
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    button.setMenu(menu)
    window = opened(QWidget(), button)
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_Return)
    assert opens == [True]


def test_enter_in_a_dialog_stays_with_its_default_button(keys):
    box, default = QCheckBox("More"), QPushButton("Do")
    default.setDefault(True)
    heard = clicks(default)
    window = opened(QDialog(), box, default)
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_Return)
    assert heard == [True]
    assert not box.isChecked()
