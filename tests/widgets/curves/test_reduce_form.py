"""The form that reduces a clip to keys."""

import time

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QApplication

from editor.curves.edit import CurveKeys
from editor.document.jobs import Jobs
from editor.repair.smoothing import Smooth
from editor.stack.layers import add_edit
from tests.widgets.curves.desk import KNEE_X, Desk
from widgets.curves.reduce_form import ReduceForm


@pytest.fixture
def made(application):
    desk = Desk(application)
    jobs = Jobs()
    form = ReduceForm(desk.document, desk.session, desk.showing, jobs)
    form.setWindowFlags(Qt.WindowType.Window)  # tools are raised, which a screen in memory cannot
    form.show()
    yield desk, form
    jobs.close()
    QApplication.processEvents()


def reduce(form):
    form.start.click()
    wait_for(form)


def wait_for(form):
    end = time.monotonic() + 20.0
    while not form.start.isEnabled() and time.monotonic() < end:
        QApplication.processEvents()
        time.sleep(0.002)
    assert form.start.isEnabled()


def keys_in(desk):
    return sum(len(curve.keys) for curve in desk.edit.curves)


def test_reducing_puts_an_edit_of_keys_within_the_tolerance_on_top(made):
    desk, form = made
    before = desk.curve()
    form.kind.setCurrentIndex(1)
    reduce(form)
    (layer,) = desk.document.project.clips[0].layers
    assert isinstance(layer.edit, CurveKeys)
    assert all(curve.absolute for curve in layer.edit.curves)
    assert desk.session.view.layer == layer.id
    assert abs(desk.curve() - before).max() <= 1.0 + 1e-6
    assert f"{keys_in(desk):,} keys" in form.told.text()


def test_another_tolerance_makes_the_same_edits_keys_anew_from_the_motion(made):
    desk, form = made
    form.kind.setCurrentIndex(1)
    form.degrees.set_value(5.0)
    reduce(form)
    few = keys_in(desk)
    form.degrees.set_value(0.05)
    reduce(form)
    assert len(desk.document.project.clips[0].layers) == 1
    assert keys_in(desk) > few
    assert len(desk.document.steps) == 2
    desk.undo_all()
    assert desk.document.project.clips[0].layers == ()


def test_centimetres_and_degrees_are_told_apart(made):
    _, form = made
    assert (form.tolerance.centimetres, form.tolerance.degrees) == (1.0, None)
    form.kind.setCurrentIndex(1)
    assert (form.tolerance.centimetres, form.tolerance.degrees) == (None, 1.0)
    assert form.degrees.isVisible()
    assert not form.centimetres.isVisible()


def test_reduced_keys_can_be_dragged(made):
    desk, form = made
    reduce(form)
    track = desk.editing.board.track(KNEE_X)
    place = len(track.keys) // 2
    before = track.keys.values[place]
    desk.editing.activate([KNEE_X])
    at = desk.plot.layout_.key_points(track)[place]
    desk.drag(QPointF(*at), QPointF(0, -20))
    after = desk.edit.curve(track.channel).keys
    assert after.values[place] > before
    assert desk.document.undo_text == "Move key of left knee"


def test_edit_that_took_the_place_of_an_undone_reduction_is_left_alone(made):
    desk, form = made
    reduce(form)
    desk.document.undo()
    desk.document.do(add_edit, "1", Smooth())
    reduce(form)
    assert [layer.edit.kind for layer in desk.document.project.clips[0].layers] == ["smooth", "curve_keys"]


def test_clip_that_was_changed_meanwhile_is_left_alone(made):
    desk, form = made
    form.start.click()
    desk.document.do(add_edit, "1", Smooth())
    wait_for(form)
    assert [layer.edit.kind for layer in desk.document.project.clips[0].layers] == ["smooth"]
    assert "changed" in form.told.text()
