"""The curve editor in the window: beside the timeline, with keys of its own."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.settings import Settings
from app.window import Window
from tests.app.test_window import WALK, clip, drag, drop, key, settle, take_keyboard, wait_for
from tests.app.windows import state_of
from widgets.common.theme import DARK, apply_theme
from widgets.curves.actions import CurveActions


@pytest.fixture
def window(application, tmp_path):
    """A window with the sample walk, its left knee selected, curves in front."""
    if application.platformName() == "offscreen":
        pytest.skip("windows cannot be raised on a screen in memory")
    apply_theme(application, DARK)
    settings = Settings(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))
    made = Window(settings, recovery_folder=tmp_path / "recovery")
    made.viewport.set_options(painter=True)
    made.resize(1280, 800)
    made.show()
    made.workspaces.switch("Timing")
    take_keyboard(made)
    drop(made, WALK)
    wait_for(lambda: made.showing.current is not None)
    made.docks["Curves"].raise_()
    skeleton = made.showing.current.take.motion.skeleton
    made.session.look(joints=(skeleton.ref(skeleton.find("LeftLeg")),))
    settle(made)
    wait_for(
        lambda: (
            made.docks["Curves"].widget().plot.isVisible() and len(made.docks["Curves"].widget().editing.visible) == 3
        )
    )
    yield made
    made.document.mark_saved(made.document.committed, None)
    made.close()
    wait_for(lambda: not made.jobs.running)


def on_curve(window, frame):
    track, layout = window.docks["Curves"].widget().editing.visible[0], window.docks["Curves"].widget().plot.layout_
    time_s = frame * track.frame_time_s
    value = float(track.value_at(np.array([time_s]))[0] / track.measure.factor)
    return QPointF(layout.times.x_of(time_s), layout.values.y_of(value)).toPoint()


def test_pulled_curve_bends_the_figure_and_is_undone_by_the_window(window):
    before = window.document.project
    take = window.showing.current.final
    drag(window.docks["Curves"].widget().plot, on_curve(window, 60), on_curve(window, 60) - QPoint(0, 30))
    assert [layer.edit.kind for layer in clip(window).layers] == ["curve_keys"]
    wait_for(lambda: window.showing.current.final is not take and not window.jobs.running)
    assert not np.allclose(window.showing.current.final.motion.local_rotations, take.motion.local_rotations)
    key(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.document.project == before


def test_keys_are_the_editors_while_it_has_the_focus_and_else_the_windows(window):
    plot = window.docks["Curves"].widget().plot
    plot.setFocus()
    QTest.mouseDClick(plot, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, on_curve(window, 60))
    assert window.document.undo_text == "Insert key of left knee"
    take_keyboard(window)
    QTest.keyClick(plot, Qt.Key.Key_Right)
    assert window.document.undo_text == "Move key of left knee"
    assert window.session.view.time_s == 0.0
    camera = window.viewport.camera
    QTest.keyClick(plot, Qt.Key.Key_F)
    assert window.viewport.camera == camera
    assert window.docks["Curves"].widget().plot.layout_.times.seen_s < 1.0
    QTest.keyClick(plot, Qt.Key.Key_Escape)
    QTest.keyClick(plot, Qt.Key.Key_Right)
    QApplication.processEvents()
    assert window.session.view.time_s > 0.0, "without selected keys the arrow steps"


def test_hidden_curves_follow_nothing_and_are_up_to_date_when_shown(window):
    window.docks["Timeline"].raise_()
    wait_for(lambda: window.docks["Curves"].widget().visibleRegion().isEmpty())
    window.session.look(joints=())
    assert window.docks["Curves"].widget().editing.board.tracks[0].channel.space != "position"
    window.docks["Curves"].raise_()
    wait_for(lambda: not window.docks["Curves"].widget().visibleRegion().isEmpty())
    assert window.docks["Curves"].widget().editing.board.tracks[0].channel.space == "position"


def test_reduce_to_keys_is_in_the_menu_and_shows_the_curves(window):
    window.docks["Timeline"].raise_()
    window.actions_["reduce_to_keys"].trigger()
    form = state_of(window, CurveActions)._form
    assert form.isVisible()
    assert window.geometry().contains(form.geometry().center()), "over the window, not in a corner of the screen"
    form.close()
    window.docks["Curves"].widget().bar.reduce.click()
    assert form.isVisible()
    form.start.click()
    wait_for(lambda: clip(window).layers != () and form.start.isEnabled())
    assert "keys" in form.told.text()
    wait_for(lambda: not window.docks["Curves"].widget().visibleRegion().isEmpty())
    form.close()
