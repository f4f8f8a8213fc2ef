"""Extremes in the whole window: keys, ghosts, keys on curves, the picture of poses; asserted on document and files."""

import re
from itertools import pairwise

import pytest
from PySide6.QtCore import QSettings, QUrl
from PySide6.QtGui import QImage, QTextDocument
from PySide6.QtWidgets import QFileDialog

from app.help import Page
from app.settings import Settings
from app.window import Window
from editor.curves.edit import CurveKeys
from editor.extrema.edit import ExtremePoses
from editor.stack.layers import add_edit
from resources import path_of, samples
from tests.app.windows import painted_window, state_of, wait_for
from tests.benchmarks import extremes_page
from tests.clips import needs_data
from widgets.common.theme import DARK, LIGHT, apply_theme
from widgets.extrema.actions import ExtremeActions
from widgets.extrema.extrema import Extrema

WALK = next(path for path in samples() if path.stem == "walk")


@pytest.fixture
def window(application, tmp_path):
    with painted_window(application, tmp_path) as made:
        made.file_actions.open_paths([WALK])
        wait_for(lambda: state_of(made, Extrema).measured is not None)
        wait_for(made.actions_["next_extreme"].isEnabled)
        yield made


def test_comma_and_point_step_from_extreme_to_extreme(window):
    actions, times = window.actions_, [one.time_s for one in state_of(window, Extrema).extremes]
    assert actions["next_extreme"].shortcut().toString() == "."
    assert actions["previous_extreme"].shortcut().toString() == ","
    for name, place in (("next_extreme", 1), ("next_extreme", 2), ("previous_extreme", 1)):
        actions[name].trigger()
        assert window.session.view.time_s == pytest.approx(times[place])
    assert len(window.document.steps) == 1, "but the opening"


def test_extremes_are_added_pinned_and_deleted_from_the_menu_and_all_is_undone(window):
    actions, before = window.actions_, window.document.project
    actions["next_extreme"].trigger()
    actions["pin_extreme"].trigger()
    assert state_of(window, Extrema).selected.pinned
    assert window.document.undo_text.startswith("Pin")
    actions["delete_extreme"].trigger()
    assert state_of(window, Extrema).selected is None
    window.session.look(time_s=window.session.view.time_s + 0.2)
    count = len(state_of(window, Extrema).extremes)
    actions["pin_extreme"].trigger()
    assert len(window.document.steps) == 3, "nothing is there to be pinned"
    actions["add_extreme"].trigger()
    assert len(state_of(window, Extrema).extremes) == count + 1
    for _ in range(3):
        actions["undo"].trigger()
    assert window.document.project == before


def test_ghosts_stand_at_the_nearest_extremes(window):
    assert not len(window.viewport.scene.ghosts)
    window.actions_["ghost_extremes"].setChecked(True)
    ghosts, body = window.viewport.scene.ghosts, window.viewport.scene.solids
    assert len(ghosts) == len(body) * min(8, len(state_of(window, Extrema).extremes) - 1), "one is at the playhead"
    opacities = ghosts.colours[:: len(body), 3]
    assert all(one >= other for one, other in pairwise(opacities)), "fainter farther away"
    assert opacities[-1] > 0.1
    window.actions_["ghost_extremes"].setChecked(False)
    assert not len(window.viewport.scene.ghosts)


def test_keys_are_put_on_the_shown_curves_at_the_joints_extremes(window):
    skeleton = window.showing.current.take.motion.skeleton
    knee = next(n for n, role in enumerate(skeleton.roles) if role == "left_knee")
    window.docks["Curves"].raise_()
    window.session.look(joints=(skeleton.ref(knee),))
    wait_for(lambda: len(window.docks["Curves"].widget().editing.edited_tracks) == 3)
    window.docks["Curves"].widget().bar.extremes.click()
    wait_for(lambda: len(window.document.steps) == 2)
    assert window.document.undo_text.startswith("Insert ")
    layer = window.document.project.clip(window.session.view.clip).layers[-1]
    assert isinstance(layer.edit, CurveKeys)
    assert {curve.channel.joint for curve in layer.edit.curves} == {skeleton.ref(knee)}
    keys = [key.time_s for key in layer.edit.curves[0].keys.keys]
    assert len(keys) > 6, "a knee turns back twice a step"
    assert all(key.value == 0.0 for curve in layer.edit.curves for key in curve.keys.keys), "curves stay as they are"
    window.document.undo()
    assert window.document.project.clip(window.session.view.clip).layers == ()


def test_pose_strip_is_saved_as_a_picture(window, tmp_path, monkeypatch):
    path = tmp_path / "poses.png"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    window.actions_["pose_strip"].trigger()
    wait_for(lambda: window.banner.isVisible() and "poses.png" in window.banner.text)
    image = QImage(str(path))
    assert image.width() > 2 * image.height()


def test_pose_strip_that_cannot_be_written_is_told(window, tmp_path):
    state_of(window, ExtremeActions).save_strip(tmp_path / "nowhere" / "poses.png")
    wait_for(lambda: "could not be written" in window.banner.text)


def test_level_in_the_panel_is_an_edit_in_the_stack(window):
    before = len(state_of(window, Extrema).extremes)
    window.docks["Extremes"].widget().level.stepped.emit(0.0)
    layers = window.document.project.clip(window.session.view.clip).layers
    assert [layer.edit for layer in layers] == [ExtremePoses(level=0.0)]
    assert len(state_of(window, Extrema).extremes) < before
    wait_for(lambda: window.showing.current.final.extremes is not None)
    assert window.showing.current.final.extremes.found == state_of(window, Extrema).extremes


def test_what_is_not_changed_by_the_slider_is_not_drawn_anew(window):
    """The figure and the measure stay the same however many extremes there are of them."""
    measure = next(view.lane for view in window.timeline.lanes if view.lane.title == "Measure")
    drawn = []
    measure.changed.connect(lambda: drawn.append(True))
    scene, count = window.viewport.scene, len(state_of(window, Extrema).extremes)
    window.document.do(add_edit, window.session.view.clip, ExtremePoses(level=0.0))
    wait_for(lambda: not window.jobs.running and len(state_of(window, Extrema).extremes) < count)
    assert window.viewport.scene is scene
    assert not drawn


def test_actions_wait_for_extremes(application, tmp_path):
    settings = Settings(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))
    made = Window(settings, recovery_folder=tmp_path / "recovery")
    assert not made.actions_["next_extreme"].isEnabled()
    assert not made.actions_["pose_strip"].isEnabled()
    made.close()


@needs_data
def test_table_of_the_help_page_is_what_the_finder_gives():
    text = path_of("help", extremes_page.PAGE).read_text(encoding="utf-8")
    assert extremes_page.with_table(text) == text, "make it anew: python -m tests.benchmarks.extremes_page"


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=["dark", "light"])
def test_help_page_shows_its_pictures_in_the_colours_of_the_theme(application, theme):
    apply_theme(application, theme)
    try:
        page = Page()
        text = path_of("help", "extremes.md").read_text(encoding="utf-8")
        page.show_text(text)
        place = 0
        for name in re.findall(r"\]\((\w+\.png)\)", text):
            image = page.loadResource(QTextDocument.ResourceType.ImageResource.value, QUrl(name))
            assert 500 < image.deviceIndependentSize().width() <= 608, "as wide as the text"
            assert (image.pixelColor(5, 5).lightness() < 128) == (theme is DARK)
            block = page.document().find("\N{OBJECT REPLACEMENT CHARACTER}", place).block()
            place = block.position() + block.length()
            tall = page.document().documentLayout().blockBoundingRect(block).height()
            assert tall < image.deviceIndependentSize().height() + 24, "no hole below it"
    finally:
        apply_theme(application, DARK)
