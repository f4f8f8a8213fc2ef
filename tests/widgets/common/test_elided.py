"""Labels that give way: long texts do not widen what they stand in."""

from PySide6.QtGui import QGuiApplication

from widgets.common.elided import ElidedLabel

LONG = "a_name_without_any_place_to_break_it_" * 4 + "end.bvh"


def test_long_text_is_left_out_in_the_middle_and_asks_for_no_width(application):
    label = ElidedLabel(LONG)
    label.resize(120, 24)
    assert label.minimumSizeHint().width() == 0
    start, stop = label.shown_text.split("…")
    assert LONG.startswith(start)
    assert LONG.endswith(stop)
    assert stop
    assert label.fontMetrics().horizontalAdvance(label.shown_text) <= 120
    label.grab()


def test_whole_text_is_in_the_tip_and_is_copied(application):
    label = ElidedLabel(LONG)
    label.resize(120, 24)
    assert label.text() == LONG
    assert LONG in label.toolTip()
    label.actions()[0].trigger()
    assert QGuiApplication.clipboard().text() == LONG


def test_short_text_is_shown_whole(application):
    label = ElidedLabel("walk.bvh")
    label.resize(200, 24)
    assert label.shown_text == "walk.bvh"
