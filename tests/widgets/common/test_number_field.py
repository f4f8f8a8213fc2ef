"""Number fields: typed, dragged, stepped; one word at the end of every gesture."""

import math

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from model.measures import DEGREES, METRES, PERCENT
from tests.widgets.desk import drag, move, show, type_into
from widgets.common.number_field import NumberField


class Heard:
    """What a field said, in order."""

    def __init__(self, field):
        self.said = []
        for name in ("changing", "changed", "nudged", "refused"):
            getattr(field, name).connect(lambda value, name=name: self.said.append((name, value)))
        field.cancelled.connect(lambda: self.said.append(("cancelled", None)))

    def names(self):
        return [name for name, _ in self.said]


@pytest.fixture
def made(application):
    field = NumberField("Lift", METRES, low=-1.0, high=5.0)
    field.set_value(1.0)
    show(field, 160, 32)
    return field, Heard(field)


def test_typed_length_is_taken_in_its_unit(made):
    field, heard = made
    type_into(field, "12 cm")
    assert heard.said == [("changed", pytest.approx(0.12))]
    assert field.text() == "0.12 m"


def test_typed_angle_is_taken_in_degrees(application):
    field = show(NumberField("Turn", DEGREES), 160, 32)
    heard = Heard(field)
    type_into(field, "30°")
    assert heard.said == [("changed", pytest.approx(math.pi / 6.0))]


@pytest.mark.parametrize(
    ("text", "reason"), [("9", "out of range"), ("1e400", "too large"), ("much", "not a number"), ("3 s", "use m")]
)
def test_typed_nonsense_is_refused_and_put_back(made, text, reason):
    field, heard = made
    type_into(field, text)
    assert heard.names() == ["refused"]
    assert reason in heard.said[0][1]
    assert field.text() == "1.00 m"
    assert field.value == 1.0


def test_typing_the_same_says_nothing_and_keeps_hidden_decimals(made):
    field, heard = made
    field.set_value(1.23456)
    QTest.mouseClick(field, Qt.MouseButton.LeftButton)
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert heard.said == []
    assert field.value == 1.23456


def test_escape_while_typing_puts_back(made):
    field, heard = made
    QTest.mouseClick(field, Qt.MouseButton.LeftButton)
    QTest.keyClicks(field, "3")
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == "1.00 m"
    assert heard.said == []


def test_leaving_the_field_takes_what_was_typed(made):
    field, heard = made
    QTest.mouseClick(field, Qt.MouseButton.LeftButton)
    QTest.keyClicks(field, "3")
    QApplication.sendEvent(field, _focus_out())
    assert heard.said == [("changed", 3.0)]


def test_drag_changes_and_ends_with_one_word(made):
    field, heard = made
    drag(field, 40)
    assert heard.names()[:-1] == ["changing"] * (len(heard.said) - 1)
    assert heard.said[-1] == ("changed", pytest.approx(1.1))
    values = [value for _, value in heard.said]
    assert values == sorted(values)


def test_drag_is_coarser_with_shift_and_finer_with_control(made):
    field, heard = made
    drag(field, 40, modifiers=Qt.KeyboardModifier.ShiftModifier)
    assert heard.said[-1] == ("changed", pytest.approx(2.0))
    drag(field, 40, modifiers=Qt.KeyboardModifier.ControlModifier)
    assert heard.said[-1] == ("changed", pytest.approx(2.01))


def test_drag_stays_within_the_range(made):
    field, heard = made
    drag(field, 100, modifiers=Qt.KeyboardModifier.ShiftModifier)
    drag(field, 100, modifiers=Qt.KeyboardModifier.ShiftModifier)
    assert field.value == 5.0
    assert max(value for _, value in heard.said) == 5.0


def test_escape_in_a_drag_cancels_and_what_follows_has_no_effect(made):
    field, heard = made
    drag(field, 40, release=False)
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert heard.said[-1] == ("cancelled", None)
    assert field.value == 1.0
    move(field, QPoint(120, 10))
    QTest.mouseRelease(field, Qt.MouseButton.LeftButton)
    assert heard.said[-1] == ("cancelled", None)
    assert "changed" not in heard.names()


def test_drag_that_returns_is_no_change(made):
    field, heard = made
    drag(field, 40, release=False)
    move(field, QPoint(20, field.height() // 2))
    QTest.mouseRelease(field, Qt.MouseButton.LeftButton, pos=QPoint(20, 10))
    assert heard.names()[-1] == "cancelled"
    assert "changed" not in heard.names()
    assert field.value == pytest.approx(1.0)


def test_arrow_keys_nudge(made):
    field, heard = made
    QTest.keyClick(field, Qt.Key.Key_Up)
    QTest.keyClick(field, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(field, Qt.Key.Key_PageUp)
    assert heard.said == [
        ("nudged", pytest.approx(1.01)), ("nudged", pytest.approx(0.91)), ("nudged", pytest.approx(1.01)),
    ]  # fmt: skip


def test_nudge_at_the_end_of_the_range_says_nothing(made):
    field, heard = made
    field.set_value(5.0)
    QTest.keyClick(field, Qt.Key.Key_Up)
    assert heard.said == []


def test_value_that_may_be_absent_is_cleared_by_emptying(application):
    field = show(NumberField("Start", METRES, absent="not set"), 160, 32)
    heard = Heard(field)
    assert field.value is None
    type_into(field, "2")
    QTest.mouseClick(field, Qt.MouseButton.LeftButton)
    QTest.keyClick(field, Qt.Key.Key_Backspace)
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert heard.said == [("changed", 2.0), ("changed", None)]


def test_bar_is_dragged_over_its_width(application):
    field = show(NumberField("Strength", PERCENT, 0.0, 1.0, filled=True), 200, 32)
    heard = Heard(field)
    drag(field, 100)
    assert heard.said[-1][0] == "changed"
    assert heard.said[-1][1] == pytest.approx(100 / field.width(), abs=0.02)


def test_value_set_from_outside_does_not_disturb_a_drag(made):
    field, _ = made
    drag(field, 40, release=False)
    field.set_value(3.0)
    assert field.value != 3.0
    QTest.mouseRelease(field, Qt.MouseButton.LeftButton)
    field.set_value(3.0)
    assert field.value == 3.0


def test_shortcuts_of_the_window_pass_unless_somebody_types(made):
    field, _ = made
    space = (Qt.Key.Key_Space, " ")
    undo = (Qt.Key.Key_Z, "\x1a", Qt.KeyboardModifier.ControlModifier)
    assert not _claims(field, *space)
    assert not _claims(field, *undo)
    assert _claims(field, Qt.Key.Key_5, "5")
    assert _claims(field, Qt.Key.Key_Up, "")
    QTest.mouseClick(field, Qt.MouseButton.LeftButton)
    QTest.keyClicks(field, "3")
    assert _claims(field, *space)
    assert _claims(field, *undo)
    assert _claims(field, Qt.Key.Key_Escape, "")


def _claims(field, key, text, modifiers=Qt.KeyboardModifier.NoModifier):
    event = QKeyEvent(QEvent.Type.ShortcutOverride, key, modifiers, text)
    event.ignore()
    QApplication.sendEvent(field, event)
    return event.isAccepted()


def _focus_out():
    from PySide6.QtGui import QFocusEvent

    return QFocusEvent(QEvent.Type.FocusOut, Qt.FocusReason.TabFocusReason)
