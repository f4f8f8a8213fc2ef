"""The cards of a walk's styles, and its speed along the path."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.widgets.timeline.shown import press
from tests.widgets.walking.desk import LINE, Desk


@pytest.fixture
def desk(application):
    return Desk(application)


def test_every_style_has_a_card_that_says_from_where(desk):
    first, second = desk.panel.cards.cards
    assert (first.name.text(), first.where.text()) == ("Calm", "0.0 to 3.0 m")
    assert (second.name.text(), second.where.text()) == ("Slow", "3.0 to 6.0 m")
    assert first.figure._style.loop.speed_m_s > second.figure._style.loop.speed_m_s


def test_card_removes_its_style(desk):
    QTest.mouseClick(desk.panel.cards.cards[1].remove, Qt.MouseButton.LeftButton)
    assert [band.name for band in desk.editing.bands] == ["Calm"]
    assert desk.document.undo_text == "Remove Slow from the path"
    assert not desk.panel.cards.cards[0].remove.isVisible()  # the last one stays


def test_fade_is_set_and_fits_again(desk):
    card = desk.panel.cards.cards[1]
    assert card.adapts.isChecked()
    assert card.fade.value == pytest.approx(desk.editing.result.fades[0].length_s, abs=1e-6)
    QTest.mouseClick(card.adapts, Qt.MouseButton.LeftButton)
    assert desk.walk.styles[1].blend_s is not None
    card.fade.changed.emit(1.5)
    assert desk.walk.styles[1].blend_s == 1.5
    card.adapts.setChecked(True)
    assert desk.walk.styles[1].blend_s is None


def test_another_loop_is_chosen(desk):
    card = desk.panel.cards.cards[0]
    assert card.loop.count() > 1
    card.loop.setCurrentIndex(1)
    card.loop.activated.emit(1)
    assert desk.walk.styles[0].loop == 1


def test_styles_are_added_from_the_menu(desk):
    desk.panel.cards.fill_menu()
    action = next(one for one in desk.panel.cards.menu.actions() if one.text() == "Calm")
    action.trigger()
    assert [band.name for band in desk.editing.bands] == ["Calm", "Slow", "Calm"]
    assert desk.editing.bands[2].from_m == pytest.approx(4.5)


def test_click_on_the_profile_goes_to_that_place(desk):
    profile = desk.panel.profile
    press(profile, profile._x(4.0), 20)
    result = desk.editing.result
    frame = round(desk.editing.time_s / result.frame_time_s)
    assert result.arc_m[frame] == pytest.approx(4.0, abs=0.1)


def test_speed_along_the_path_is_that_of_the_styles(desk):
    result = desk.editing.result
    arc, speeds = desk.panel.profile._speeds(result)
    assert np.interp(1.5, arc, speeds) == pytest.approx(1.3, rel=0.12)
    assert np.interp(5.0, arc, speeds) == pytest.approx(0.9, rel=0.12)


def test_every_band_says_its_own_fade(application):
    desk = Desk(application, LINE, ((0.0, "1"), (1.5, "2"), (3.0, "1"), (4.5, "2")))
    told = [card.fade.value for card in desk.panel.cards.cards[1:]]
    assert told == pytest.approx([fade.length_s for fade in desk.editing.result.fades], abs=1e-6)


def test_walk_begins_and_ends_standing_where_that_is_wanted(desk):
    buttons = desk.panel._buttons
    duration_s = desk.editing.result.duration_s
    QTest.mouseClick(buttons["start_standing"], Qt.MouseButton.LeftButton)
    QTest.mouseClick(buttons["stop_standing"], Qt.MouseButton.LeftButton)
    assert (desk.walk.starts, desk.walk.stops) == ("standing", "standing")
    assert desk.editing.result.duration_s > duration_s
    desk.document.undo()
    assert not buttons["stop_standing"].isChecked()
    QTest.mouseClick(buttons["start_standing"], Qt.MouseButton.LeftButton)
    assert desk.walk.starts == "walking"
