"""Exaggeration in the whole window: menu, slider, inspector, ghost and poses; asserted on document and views."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from editor.exaggerate.edit import Exaggerate
from editor.placing.edit import Mirror
from editor.posing.edit import TargetPoses
from editor.stack.layers import add_edit
from resources import samples
from tests.app.windows import painted_window, wait_for

WALK = next(path for path in samples() if path.stem == "walk")
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def window(application, tmp_path):
    with painted_window(application, tmp_path, size=(1280, 900)) as made:
        made.file_actions.open_paths([WALK])
        wait_for(lambda: made.showing.current is not None)
        yield made


def test_slider_makes_the_walk_larger_and_poses_can_be_made_of_it(window):
    window.actions_["exaggerate"].trigger()
    panel = window.docks["Exaggerate"].widget()
    wait_for(lambda: panel.amount.isVisible() and panel.amount.width() > 50)
    before = window.showing.current.final.motion
    slider = panel.amount

    def at(amount):
        return QPoint(round(8 + amount / 3.0 * (slider.width() - 16)), slider.height() // 2)

    QTest.mousePress(slider, LEFT, pos=at(1.0))
    QTest.mouseMove(slider, at(2.0))
    wait_for(lambda: window.showing.current.final.motion is not before)
    wait_for(lambda: panel.extent.values is not None and panel.extent.values[1] > 1.4 * panel.extent.values[0])
    QTest.mouseRelease(slider, LEFT, pos=at(2.0))
    clip = window.session.view.clip
    (layer,) = window.document.project.clip(clip).layers
    assert isinstance(layer.edit, Exaggerate)
    window.session.look(layer=layer.id)
    assert set(window.inspector.form.editors) >= {"amount", "scope", "space", "bias", "over_time"}
    wait_for(lambda: window.showing.current.place == 1)
    larger = window.showing.current.take.motion
    assert np.max(np.abs(larger.root_positions - before.root_positions)) > 0.1
    window.inspector.form.editors["amount"].field.changed.emit(1.4)
    assert window.document.project.clip(clip).layers[0].edit.amount == 1.4
    wait_for(lambda: window.showing.current.take.motion is not larger)
    panel.convert.click()
    wait_for(lambda: isinstance(window.document.project.clip(clip).layers[0].edit, TargetPoses))
    window.document.go_to(1)
    assert window.document.project.clip(clip).layers == ()


def test_ghost_button_shows_the_source(window):
    window.actions_["exaggerate"].trigger()
    was = window.actions_["ghosts"].isChecked()
    window.docks["Exaggerate"].widget().ghost.click()
    assert window.actions_["ghosts"].isChecked() != was


def test_panel_behind_another_tab_measures_nothing(window, monkeypatch):
    """Measuring while a hand poses the figure would take from the pose the time that it needs."""
    wait_for(lambda: not window.jobs.running)
    window.docks["Inspector"].raise_()
    QApplication.processEvents()
    titles, start = [], window.jobs.start
    monkeypatch.setattr(window.jobs, "start", lambda title, *rest: titles.append(title) or start(title, *rest))
    before = window.showing.current.final
    window.document.do(add_edit, window.session.view.clip, Mirror())
    wait_for(lambda: window.showing.current.final is not before and not window.jobs.running)
    assert "Measuring the extent" not in titles
    window.docks["Exaggerate"].raise_()
    wait_for(lambda: "Measuring the extent" in titles)
