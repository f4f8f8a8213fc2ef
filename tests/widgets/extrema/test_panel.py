"""The panel of extremes: the slider shows its effect at once and makes one step; settings make the edit."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from editor.extrema.commands import add_extreme
from editor.extrema.edit import ExtremePoses
from tests.activating import activate
from tests.widgets.extrema.desk import FPS, desk
from widgets.extrema.panel import ExtremesPanel

LEFT = Qt.MouseButton.LeftButton


class Panel:
    def __init__(self, application, *edits, source=None):
        self.application = application
        self.desk = desk(*edits, source=source)
        self.panel = ExtremesPanel(self.desk.document, self.desk.showing, self.desk.extrema)
        self.panel.resize(300, 500)
        self.panel.show()
        activate(self.panel)
        application.processEvents()

    def at(self, part):
        slider = self.panel.level
        return QPoint(round(8 + part * (slider.width() - 16)), slider.height() // 2)

    @property
    def edit(self):
        layers = self.desk.document.project.clip("1").layers
        return layers[0].edit if layers else None


@pytest.fixture
def made(application):
    return Panel(application)


def choose(panel, name, value):
    combo = panel.editors[name].combo
    combo.setCurrentIndex(combo.findData(value))
    combo.activated.emit(combo.currentIndex())


def test_panel_counts_what_there_is(made):
    assert made.panel.counts.text() == "4 extremes, 1 hold"
    made.desk.document.do(add_extreme, "1", 1.0)
    assert made.panel.counts.text() == "5 extremes, 1 hold, 1 set by hand"


def test_slider_shows_its_effect_while_it_is_dragged_and_makes_one_step(made):
    slider = made.panel.level
    QTest.mousePress(slider, LEFT, pos=made.at(0.5))
    QTest.mouseMove(slider, made.at(0.3))
    QTest.mouseMove(slider, made.at(0.0))
    assert made.desk.frames == [7, 74]
    assert made.panel.counts.text() == "1 extreme, 1 hold"
    assert made.desk.document.steps == ()
    QTest.mouseRelease(slider, LEFT, pos=made.at(0.0))
    assert len(made.desk.document.steps) == 1
    assert made.edit == ExtremePoses(level=0.0)
    made.desk.document.undo()
    assert made.edit is None
    assert slider.value() == 50


def test_escape_takes_a_drag_of_the_slider_back(made):
    slider, before = made.panel.level, made.desk.document.committed
    slider.setFocus()
    QTest.mousePress(slider, LEFT, pos=made.at(0.5))
    QTest.mouseMove(slider, made.at(0.1))
    QTest.keyClick(slider, Qt.Key.Key_Escape)
    QTest.mouseRelease(slider, LEFT, pos=made.at(0.1))
    assert made.desk.document.project is before
    assert made.desk.document.steps == ()
    assert slider.value() == 50


def test_keys_step_the_slider_as_one_step(made):
    made.panel.level.setFocus()
    for _ in range(3):
        QTest.keyClick(made.panel.level, Qt.Key.Key_Left)
    assert made.edit.level == pytest.approx(0.47)
    QTest.keyClick(made.panel.level, Qt.Key.Key_Left)
    assert made.edit.level == pytest.approx(0.46)


def test_slider_keeps_corrections_and_settings(application):
    made = Panel(application, ExtremePoses(window_s=0.2))
    made.desk.extrema.add(1.0)
    QTest.mouseClick(made.panel.level, LEFT, pos=made.at(0.0))
    assert made.edit.window_s == 0.2
    assert len(made.edit.corrections) == 1
    assert made.edit.level == 0.0
    assert made.desk.frames == [7, 30, 74]


def test_choice_makes_the_edit_and_is_measured_anew(made):
    choose(made.panel, "measure", "velocity")
    assert made.edit == ExtremePoses(measure="velocity")
    made.desk.settle()
    assert made.desk.extrema.edit.measure == "velocity"
    choose(made.panel, "part", "legs")
    assert made.edit == ExtremePoses(measure="velocity", part="legs")
    assert len(made.desk.document.steps) == 2


def test_settings_of_a_filter_are_seen_with_it_only(made):
    steps, long = made.panel.editors["filter_steps"], made.panel.editors["filter_s"]
    assert not steps.isVisible()
    assert not long.isVisible()
    choose(made.panel, "filter", "laplacian")
    assert steps.isVisible()
    choose(made.panel, "filter", "low-pass")
    assert not steps.isVisible()
    assert long.isVisible()


def test_edit_that_is_off_is_told_and_switched_on(application):
    from editor.stack.layers import switch_edit

    made = Panel(application, ExtremePoses(level=0.0))
    made.desk.document.do(switch_edit, "1", "e0", on=False)
    assert not made.panel.level.isEnabled()
    made.panel.switch_on.click()
    assert made.panel.level.isEnabled()
    assert made.panel.level.value() == 0


def test_corrections_are_forgotten_as_one_step(made):
    assert not made.panel.forget.isVisible()
    made.desk.extrema.add(1.0)
    made.desk.extrema.remove(made.desk.at(22))
    made.panel.forget.click()
    assert made.desk.frames == [7, 22, 37, 52, 74]
    assert made.edit.corrections == ()


def test_buttons_go_from_extreme_to_extreme(made):
    made.panel.next.click()
    made.panel.next.click()
    assert made.desk.session.view.time_s * FPS == pytest.approx(22)
    made.panel.previous.click()
    assert made.desk.session.view.time_s * FPS == pytest.approx(7)


def test_panel_says_what_it_is_for_without_a_clip(application):
    made = Panel(application, source=False)
    assert made.panel._pages.currentIndex() == 0


def test_every_control_has_a_name_and_a_tip(made):
    panel = made.panel
    controls = [panel.level, panel.previous, panel.next, panel.forget]
    controls += [editor.focusProxy() for editor in panel.editors.values()]
    assert all(one.accessibleName() or one.text() for one in controls)
    assert all(one.toolTip() for one in controls)
