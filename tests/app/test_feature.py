"""Features as one value each: the window works without any of them, and keeps what a missing one left in a project."""

import pytest
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtTest import QTest

from app import features as app_features
from app.feature import Feature, Features
from app.features import ALL
from app.palette_entries import entries_of
from app.settings import Settings
from app.window import Window
from editor.stack.clips import rename_clip
from model.files.project_file import read_project, write_project
from resources import samples
from tests.activating import activate
from tests.app.windows import wait_for
from tests.golden.test_projects import PROJECTS
from tests.raising.feature import RAISING as RAISING_CORE
from tests.raising.shown import RAISING as RAISING_SHOWN
from widgets.common.theme import DARK, apply_theme
from widgets.desk.contributions import Action, Panel, TimelineLane, Workspace
from widgets.desk.feature import VisibleFeature

NAMES = [feature.name for feature in ALL]
OWN = {"stack"}  # without which nothing can be done to a clip


@pytest.fixture
def make(application, tmp_path):
    """Makes windows of some features, and closes them."""
    apply_theme(application, DARK)
    made = []

    def window_of(features):
        settings = Settings(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))
        window = Window(settings, tmp_path / "recovery", features)
        window.viewport.set_options(painter=True)
        window.resize(1100, 700)
        window.show()
        window.go_to_workspace("Edit")
        made.append(window)
        return window

    yield window_of
    for window in made:
        window.document.mark_saved(window.document.committed, None)
        window.close()
        wait_for(lambda: not window.jobs.running)  # noqa: B023  done at once


@pytest.mark.parametrize("name", NAMES)
def test_window_works_without_a_feature_and_keeps_what_it_left(make, name, tmp_path):
    left = ALL.without(name)
    window = make(left)
    for path in PROJECTS:
        present, again = tmp_path / path.name, tmp_path / f"again_{path.name}"
        write_project(read_project(path, ALL.core.kinds).project, present, ALL.core.kinds)
        window.files.open_project(present)
        wait_for(lambda: window.document.path == present)  # noqa: B023  done at once
        wait_for(lambda: not window.jobs.running)
        window.actions_.refresh_now()
        for workspace in window.workspaces.all:
            window.go_to_workspace(workspace.name)
        window.files.save(again)
        wait_for(lambda: window.document.path == again)  # noqa: B023
        assert again.read_bytes() == present.read_bytes()
        clip = window.document.project.clips[0]
        assert window.document.do(rename_clip, clip.id, "Renamed")
        assert window.document.undo()


@pytest.mark.parametrize("name", sorted(set(NAMES) - OWN))
def test_what_a_feature_brings_goes_with_it(make, name):
    gone = {feature.name for feature in ALL} - {feature.name for feature in ALL.without(name)}
    assert name in gone
    whole, without = make(ALL), make(ALL.without(name))
    for kind, called in ((Action, "name"), (Panel, "name"), (Workspace, "name")):
        names = [{getattr(one, called) for one in window.brought(kind)} for window in (whole, without)]
        assert names[1] <= names[0]
    if all(feature.visible is None for feature in ALL if feature.name in gone):
        return
    assert len(without.brought(object)) < len(whole.brought(object))
    assert len(without.timeline.lanes) == len(without.brought(TimelineLane))


def test_a_broken_feature_of_others_costs_only_itself(make):
    def fails(desk):
        raise KeyError("spring")

    broken = Feature(visible=VisibleFeature("springs", fails), package="springs-for-motion")
    window = make(Features((*ALL, broken)))
    assert window.banner.isVisible()
    assert "springs-for-motion" in window.banner.text
    assert "spring" in window.banner.text


RAISED = Features((*ALL, Feature(RAISING_CORE, RAISING_SHOWN)))


@pytest.fixture
def raising(make):
    window = make(RAISED)
    window.files.open_paths([next(path for path in samples() if path.stem == "walk")])
    wait_for(lambda: window.showing.current is not None and not window.jobs.running)
    window.actions_.refresh_now()
    return window


def edits_of(window):
    return [type(layer.edit).__name__ for layer in window.clip.layers]


def test_feature_of_the_tests_is_in_menus_palette_and_edits(raising):
    action = raising.actions_["raise_clip"]
    assert action in raising.menus["Clip"].actions()
    assert action.isEnabled()
    activate(raising)
    QTest.keyClick(raising, Qt.Key.Key_U, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
    assert edits_of(raising) == ["Raise"]
    assert raising.document.undo_text == "Raise walk by 0.5 m"
    texts = {entry.text: entry for entry in entries_of(raising)}
    assert {"Raise clip", "Add edit: Raise", "Raise: By"} <= set(texts)
    texts["Raise: By"].do()
    wait_for(lambda: raising.inspector.form is not None)
    assert list(raising.inspector.form.editors) == ["by_m"]


def test_feature_of_the_tests_has_a_panel_a_lane_an_overlay_and_help(raising):
    panel = next(one for one in raising.brought(Panel) if one.name == "Raise")
    lane = raising.brought(TimelineLane)[-1]
    assert raising.docks["Raise"].widget() is panel.widget
    raising.show_panel("Raise")
    QTest.qWait(30)
    QTest.mouseClick(panel.widget.button, Qt.MouseButton.LeftButton)
    assert edits_of(raising) == ["Raise"]
    assert raising.timeline.lanes[-1].lane is lane.lane
    raising.timeline._area.ensureWidgetVisible(raising.timeline.lanes[-1])
    wait_for(lambda: lane.lane.painted > 0)
    dots = len(raising.viewport.scene.front_dots)
    raising.actions_["level"].trigger()
    assert len(raising.viewport.scene.front_dots) == dots + 1
    raising.doing.help()
    raising.doing._help.open("raising")
    assert "higher above the floor" in raising.doing._help.page.toPlainText()


def test_tool_of_a_feature_of_the_tests_drags_the_figure_as_one_step(raising):
    raising.actions_["tool_lift"].trigger()
    assert raising.tools.name == "lift"
    view = raising.viewport
    start = QPoint(view.width() // 2, view.height() // 2)
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=start)
    for step in (10, 30, 50):
        QTest.mouseMove(view, start - QPoint(0, step))
    assert raising.document.is_previewing
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=start - QPoint(0, 50))
    assert edits_of(raising) == ["Raise"]
    assert raising.clip.layers[0].edit.by_m == pytest.approx(0.5)
    assert len(raising.document.steps) == 2, "the clip that was opened, and the drag"


def test_visible_half_of_another_package_is_seen(make, monkeypatch):
    monkeypatch.setattr(app_features, "visible_plug_ins", lambda: [("raising", RAISING_SHOWN)])
    monkeypatch.setattr(app_features, "_core", RAISED.core)
    window = make(app_features.all_features())
    assert "Raise" in window.docks
    assert "raise_body" in window.edits.kinds
