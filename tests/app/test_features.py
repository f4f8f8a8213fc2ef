"""Features as one value each: the window works without any of them, and keeps what a missing one left in a project."""

import pytest
from PySide6.QtCore import QSettings

from app.feature import Feature, Features
from app.features import ALL
from app.settings import Settings
from app.window import Window
from editor.stack.clips import rename_clip
from model.files.project_file import read_project, write_project
from tests.app.windows import wait_for
from tests.golden.test_projects import PROJECTS
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
