"""The panel that exaggerates: hands on the slider, the figure and the curve; asserted on the document."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

from editor.curves.keys import Key, Keys
from editor.exaggerate.anatomy import PARTS
from editor.exaggerate.edit import Exaggerate
from editor.exaggerate.presets import PRESETS
from editor.posing.edit import TargetPoses
from model.clip import Layer
from tests.activating import activate
from tests.widgets.extrema.desk import desk
from widgets.exaggerate.panel import ExaggeratePanel

LEFT, SHIFT = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier


class Panel:
    def __init__(self, application, *edits, source=None):
        self.application = application
        self.desk = desk(*edits, source=source)
        self.document = self.desk.document
        self.panel = ExaggeratePanel(self.document, self.desk.session, self.desk.showing, self.desk.jobs)
        self.panel.resize(320, 1000)
        self.panel.show()
        activate(self.panel)
        self.settle()

    def settle(self):
        for _ in range(20):
            self.application.processEvents()

    def at(self, amount):
        slider = self.panel.amount
        return QPoint(round(8 + amount / 3.0 * (slider.width() - 16)), slider.height() // 2)

    def drag(self, *amounts):
        slider = self.panel.amount
        QTest.mousePress(slider, LEFT, pos=self.at(amounts[0]))
        for amount in amounts[1:]:
            QTest.mouseMove(slider, self.at(amount))
            self.settle()

    def release(self, amount):
        QTest.mouseRelease(self.panel.amount, LEFT, pos=self.at(amount))
        self.settle()

    @property
    def layers(self) -> tuple[Layer, ...]:
        return self.document.project.clip("1").layers

    @property
    def edit(self):
        return self.layers[-1].edit


@pytest.fixture
def made(application):
    return Panel(application)


def test_slider_shows_its_effect_while_it_is_dragged_and_makes_one_step(made):
    before = made.desk.showing.current.final.motion
    made.drag(1.0, 1.6, 2.0)
    assert made.edit.amount == pytest.approx(2.0, abs=0.02)
    assert made.document.steps == ()
    shown = made.desk.showing.current.final.motion
    assert shown is not before
    first, second = made.panel.extent.values
    assert second > 1.3 * first
    made.release(2.0)
    assert len(made.document.steps) == 1
    assert made.panel.told.text().endswith(" x")
    made.document.undo()
    assert made.layers == ()
    assert made.panel.told.text() == "1.00 x"
    assert made.panel.extent.values[0] == made.panel.extent.values[1]


def test_slider_changes_the_edit_that_is_there(application):
    made = Panel(application, Exaggerate(1.5, "joints", bias=0.3))
    assert made.panel.told.text() == "1.50 x"
    made.drag(1.5, 0.5)
    made.release(0.5)
    assert len(made.layers) == 1
    assert made.edit == Exaggerate(made.edit.amount, "joints", bias=0.3)
    assert made.edit.amount == pytest.approx(0.5, abs=0.02)
    assert made.document.undo_text.startswith("Set exaggerate amount to 0.")


def test_slider_stays_at_1_when_it_comes_near(application):
    made = Panel(application, Exaggerate(1.5))
    made.drag(1.5, 1.02)
    made.release(1.02)
    assert made.edit.amount == 1.0


def test_escape_takes_a_drag_back(made):
    before = made.document.committed
    made.panel.amount.setFocus()
    made.drag(1.0, 2.5)
    QTest.keyClick(made.panel.amount, Qt.Key.Key_Escape)
    QTest.mouseRelease(made.panel.amount, LEFT, pos=made.at(2.5))
    assert made.document.project is before
    assert made.document.steps == ()
    assert made.panel.told.text() == "1.00 x"


def test_keys_step_the_slider_as_one_step(application):
    made = Panel(application, Exaggerate(1.5))
    made.panel.amount.setFocus()
    for _ in range(3):
        QTest.keyClick(made.panel.amount, Qt.Key.Key_Right)
    assert made.edit.amount == pytest.approx(1.65)
    assert len(made.document.steps) == 1


def test_first_change_keeps_the_body_where_it_is_seen(made):
    made.desk.session.look(time_s=1.2)
    made.drag(1.0, 2.0)
    made.release(2.0)
    assert made.edit.time_s == pytest.approx(1.2)


def test_part_is_dragged_up_for_more(application):
    made = Panel(application, Exaggerate(2.0))
    body = made.panel.body
    for part in PARTS:
        assert body.part_at(body.centre_of(part)) == part
    place = body.centre_of("left_arm").toPoint()
    QTest.mousePress(body, LEFT, pos=place)
    QTest.mouseMove(body, place - QPoint(0, 40))
    assert made.edit.left_arm == pytest.approx(1.5)
    assert made.document.steps == ()
    QTest.mouseRelease(body, LEFT, pos=place - QPoint(0, 40))
    assert made.edit == Exaggerate(2.0, left_arm=1.5)
    assert len(made.document.steps) == 1
    QTest.mouseDClick(body, LEFT, pos=place)
    assert made.edit == Exaggerate(2.0)


def test_both_legs_are_dragged_with_shift_and_escape_takes_it_back(application):
    made = Panel(application, Exaggerate(2.0))
    body = made.panel.body
    body.setFocus()
    place = body.centre_of("right_leg").toPoint()
    QTest.mousePress(body, LEFT, SHIFT, place)
    event_place = place + QPoint(0, 200)
    move(body, event_place, SHIFT)
    assert (made.edit.left_leg, made.edit.right_leg, made.edit.trunk) == (0.0, 0.0, 1.0)
    QTest.keyClick(body, Qt.Key.Key_Escape)
    QTest.mouseRelease(body, LEFT, SHIFT, event_place)
    assert made.edit == Exaggerate(2.0)
    assert made.document.steps == ()


def move(widget, place, modifiers):
    """Move the mouse with a button and keys held."""
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QMouseEvent
    from PySide6.QtWidgets import QApplication

    event = QMouseEvent(
        QEvent.Type.MouseMove, QPointF(place), widget.mapToGlobal(QPointF(place)), LEFT, LEFT, modifiers
    )
    QApplication.sendEvent(widget, event)


def test_parts_are_chosen_and_weighed_by_keys(application):
    made = Panel(application, Exaggerate(2.0))
    body = made.panel.body
    body.setFocus()
    QTest.keyClick(body, Qt.Key.Key_Right)
    assert body.chosen == "trunk"
    for _ in range(2):
        QTest.keyClick(body, Qt.Key.Key_Down)
    assert made.edit.trunk == pytest.approx(0.8)
    assert len(made.document.steps) == 1
    assert body.accessibleDescription() == "Trunk 80 %"
    QTest.keyClick(body, Qt.Key.Key_Home)
    assert made.edit.trunk == 1.0


def test_curve_gets_keys_that_are_dragged_and_removed(application):
    made = Panel(application, Exaggerate(2.0))
    curve = made.panel.editors["over_time"].curve
    press = curve.place_of(1.5, 1.0).toPoint()
    QTest.mousePress(curve, LEFT, pos=press)
    QTest.mouseMove(curve, curve.place_of(1.5, 0.5).toPoint())
    assert made.document.steps == ()
    QTest.mouseRelease(curve, LEFT, pos=curve.place_of(1.5, 0.5).toPoint())
    (key,) = made.edit.over_time.keys
    assert key.time_s == pytest.approx(1.5, abs=0.05)
    assert key.value == pytest.approx(0.5, abs=0.05)
    curve.setFocus()
    QTest.keyClick(curve, Qt.Key.Key_Up)
    assert made.edit.over_time.keys[0].value == pytest.approx(key.value + 0.05)
    QTest.keyClick(curve, Qt.Key.Key_Delete)
    assert made.edit.over_time == Keys()


def test_key_of_the_curve_is_removed_by_a_double_click_and_a_drag_taken_back(application):
    made = Panel(application, Exaggerate(2.0, over_time=Keys((Key(0.5, 0.2), Key(2.0, 0.8)))))
    curve = made.panel.editors["over_time"].curve
    curve.setFocus()
    QTest.mousePress(curve, LEFT, pos=curve.place_of(0.5, 0.2).toPoint())
    QTest.mouseMove(curve, curve.place_of(2.8, 0.9).toPoint())
    assert made.edit.over_time.keys[0].time_s < 2.0, "keys do not pass each other"
    QTest.keyClick(curve, Qt.Key.Key_Escape)
    QTest.mouseRelease(curve, LEFT, pos=curve.place_of(2.8, 0.9).toPoint())
    assert made.edit.over_time.keys[0] == Key(0.5, 0.2)
    QTest.mouseDClick(curve, LEFT, pos=curve.place_of(0.5, 0.2).toPoint())
    assert made.edit.over_time == Keys((Key(2.0, 0.8),))


def test_presets_set_amount_and_parts(made):
    made.panel.presets.setCurrentText("Swinging arms")
    made.panel.presets.activated.emit(made.panel.presets.currentIndex())
    assert made.edit == replace(Exaggerate(**PRESETS["Swinging arms"]), time_s=made.edit.time_s)
    made.panel.presets.setCurrentText("Bigger")
    made.panel.presets.activated.emit(made.panel.presets.currentIndex())
    assert made.edit == replace(Exaggerate(1.5), time_s=made.edit.time_s), "what the other preset set is taken back"


def test_choices_and_switches_are_settings_of_the_edit(application):
    made = Panel(application, Exaggerate(2.0))
    combo = made.panel.editors["space"].combo
    combo.setCurrentIndex(combo.findData("rotation"))
    combo.activated.emit(combo.currentIndex())
    made.panel.editors["jumps"].box.click()
    assert made.edit == Exaggerate(2.0, space="rotation", jumps=True)


def test_target_poses_take_the_place_of_the_edit(application):
    made = Panel(application, Exaggerate(2.0))
    made.panel.convert.click()
    made.settle()
    assert isinstance(made.edit, TargetPoses)
    assert made.edit.grounded
    assert len(made.edit.poses) > 3
    assert made.document.undo_text == f"Make {len(made.edit.poses)} target poses of exaggerate"
    assert not made.panel.convert.isEnabled()
    made.document.undo()
    assert made.edit == Exaggerate(2.0)


def test_edit_that_is_off_is_told_and_switched_on(application):
    made = Panel(application, Exaggerate(2.0))
    assert not made.panel.switch_on.isVisible()
    from editor.stack.layers import switch_edit

    made.document.do(switch_edit, "1", made.layers[0].id, on=False)
    assert made.panel.switch_on.isVisible()
    assert not made.panel.amount.isEnabled()
    made.panel.switch_on.click()
    assert made.layers[0].on
    assert made.panel.amount.isEnabled()


def test_selected_edit_is_the_one_that_is_meant(application):
    made = Panel(application, Exaggerate(1.2), Exaggerate(2.2))
    assert made.panel.told.text() == "2.20 x"
    made.desk.session.look(layer=made.layers[0].id)
    assert made.panel.told.text() == "1.20 x"


def test_without_a_clip_it_says_what_it_is_for(application):
    made = Panel(application, source=False)
    assert not made.panel.amount.isVisible()
