"""Clips on other bodies in the whole window: a dropped file, the panel, the inspector; asserted on the document."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog

from editor.gait.parameters import Gait
from editor.gait.procedural import generate
from editor.quality import figures as quality
from editor.retarget.character import built_in
from editor.retarget.edit import Retarget
from editor.stack.clips import delete_clips
from editor.stack.layers import remove_edits
from model.files.bvh import write_bvh
from model.files.project_file import read_project
from model.roles import Role
from tests.app.windows import painted_window, wait_for
from tests.clips import DATA, needs_data
from tests.editor.retarget.bodies import along_x, plane_errors_deg, reframed
from widgets.retarget.bodies_view import SOURCE, TARGET

ROKOKO = DATA / "other-bvh" / "rokoko_jesse_dance.bvh"
LEFT = Qt.MouseButton.LeftButton
CHILD = built_in("child")


@pytest.fixture
def window(application, tmp_path):
    with painted_window(application, tmp_path) as made:
        yield made


@pytest.fixture
def foreign(tmp_path):
    """A walk on a skeleton of another make: bones along X, which is no rest pose, and names as another program's."""
    motion = generate(Gait(), 3.0, 30.0)[0]
    path = tmp_path / "foreign.bvh"
    write_bvh(reframed(motion, along_x(motion.skeleton)), path)
    return path


def drop(window, *paths):
    """Drop files on the window, as the file manager would."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    actions, no_keys = Qt.DropAction.CopyAction, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(window, QDragEnterEvent(QPoint(640, 300), actions, data, LEFT, no_keys))
    QApplication.sendEvent(window, QDropEvent(QPointF(640.0, 300.0), actions, data, LEFT, no_keys))
    wait_for(lambda: window.showing.current is not None)


def put_on(window, what):
    """Open the panel by its action, and click a body in its list."""
    window.actions_["retarget"].trigger()
    panel = window.docks["Retarget"].widget()
    wait_for(lambda: panel.isVisible() and panel._source is not None)
    item = panel.characters.item_of(what)
    panel.characters.scrollToItem(item)
    QTest.mouseClick(panel.characters.viewport(), LEFT, pos=panel.characters.visualItemRect(item).center())


def shown_body(window):
    shown = window.showing.current
    return None if shown is None else shown.take.motion.skeleton


def on_child(window, *paths):
    drop(window, *paths)
    put_on(window, CHILD)
    wait_for(lambda: shown_body(window) is CHILD.skeleton)
    return window.showing.current


def assert_well_retargeted(shown):
    source, take = shown.source, shown.take
    assert take.motion.frames == source.motion.frames
    drifts = [quality.contact_drifts(one.motion, source.contacts) for one in (take, source)]
    scale = 0.75  # a child's legs are shorter
    assert np.max(drifts[0] - scale * drifts[1], initial=0.0) < 0.002
    assert quality.penetration_cm(take.motion, source.contacts.ground_m) < 0.3
    assert np.percentile(plane_errors_deg(source.motion, take.motion), 99) < 10.0


@needs_data
@pytest.mark.skipif(not ROKOKO.is_file(), reason="the Rokoko clip is not among the recorded ones")
def test_dropped_rokoko_clip_goes_to_the_sample_character(window):
    shown = on_child(window, ROKOKO)
    assert_well_retargeted(shown)
    assert len(shown.source.motion.skeleton) == 60
    assert any("Nothing moves" in note for note in shown.stage.notes)
    assert window.inspector.layer_properties.notes.isVisible()


def test_dropped_clip_of_another_make_goes_to_the_sample_character(window, foreign):
    shown = on_child(window, foreign)
    assert_well_retargeted(shown)
    assert window.document.undo_text == "Retarget foreign to child"
    pelvis = shown.take.motion.world.positions[:, CHILD.skeleton.joint(Role.PELVIS)]
    assert 0.3 < pelvis[:, 1].min() < pelvis[:, 1].max() < 0.7, "a child's height"
    assert window.viewport.scene.joints.shape == (len(CHILD.skeleton), 3), "the viewport shows the new body"
    window.actions_["undo"].trigger()
    wait_for(lambda: shown_body(window) is shown.source.motion.skeleton)


def test_ghost_of_the_source_body_stands_beside_the_new_one(window, foreign):
    on_child(window, foreign)
    window.actions_["ghosts"].setChecked(True)
    ghosts = window.viewport.scene.ghosts
    solids = window.viewport.scene.solids
    assert len(ghosts)
    assert np.ptp(ghosts.ends[:, 1]) > 1.3 * np.ptp(solids.ends[:, 1]), "the source is taller"


def test_thumbnail_is_drawn_of_the_new_body(window, foreign):
    drawn = []
    window.thumbnails.made.connect(lambda clip, image: drawn.append(image))
    drop(window, foreign)
    wait_for(lambda: len(drawn) == 1)
    put_on(window, CHILD)
    wait_for(lambda: len(drawn) == 2)
    assert drawn[0] != drawn[1]


@pytest.mark.parametrize("goes", ["clip", "edit"])
def test_body_that_goes_during_a_drag_ends_the_drag(window, foreign, goes):
    """What is drawn of the drag would be of a body that is no more: exceptions fail this test."""
    on_child(window, foreign)
    panel = window.docks["Retarget"].widget()
    bodies = panel.bodies
    head, arm = CHILD.skeleton.find("Head"), window.showing.current.source.motion.skeleton.joint(Role.LEFT_SHOULDER)
    start, end = bodies.place_of(TARGET, head).toPoint(), bodies.place_of(SOURCE, arm).toPoint()
    QTest.mousePress(bodies, LEFT, pos=start)
    QTest.mouseMove(bodies, (start + end) / 2)
    clip = window.document.project.clips[0]
    if goes == "clip":
        window.document.do(delete_clips, (clip.id,))
    else:
        window.document.do(remove_edits, clip.id, (clip.layers[0].id,))
    before = window.document.project
    QTest.qWait(50)
    QTest.mouseMove(bodies, end)
    QTest.qWait(50)
    QTest.mouseRelease(bodies, LEFT, pos=end)
    QTest.qWait(50)
    assert window.document.project is before
    assert panel.isVisible()


def test_drag_in_the_panel_shows_at_once_and_undo_puts_it_back(window, foreign):
    before = on_child(window, foreign).take.motion
    bodies = window.docks["Retarget"].widget().bodies
    head, arm = CHILD.skeleton.find("Head"), window.showing.current.source.motion.skeleton.joint(Role.LEFT_SHOULDER)
    start, end = bodies.place_of(SOURCE, arm).toPoint(), bodies.place_of(TARGET, head).toPoint()
    QTest.mousePress(bodies, LEFT, pos=start)
    QTest.mouseMove(bodies, (start + end) / 2)
    QTest.mouseMove(bodies, end)
    QTest.mouseRelease(bodies, LEFT, pos=end)
    assert window.document.undo_text.startswith("Let Head follow ")
    wait_for(lambda: window.showing.current.take.motion is not before)
    assert window.inspector.form.editors["mapping"].label.text() == "1 joint set by hand"
    assert window.document.undo()
    assert window.document.project.clips[0].layers[0].edit == Retarget(CHILD)


def test_inspector_changes_the_character_and_opens_the_panel(window, foreign):
    on_child(window, foreign)
    editor = window.inspector.form.editors["to"]
    assert editor.combo.currentText() == "Child"
    place = editor.combo.findText("Tall")
    editor.combo.setCurrentIndex(place)
    editor.combo.activated.emit(place)
    wait_for(lambda: shown_body(window) is built_in("tall").skeleton)
    assert window.document.undo_text == "Set retarget character to tall"
    window.docks["Retarget"].hide()
    window.inspector.form.editors["mapping"].button.click()
    assert window.docks["Retarget"].isVisible()
    window.docks["Retarget"].hide()
    editor.combo.activated.emit(editor.combo.count() - 1)
    assert window.docks["Retarget"].isVisible()
    assert editor.combo.currentText() == "Tall"


def test_body_of_a_file_is_kept_saved_and_there_again(window, foreign, tmp_path, monkeypatch):
    hero = tmp_path / "hero.bvh"
    write_bvh(generate(Gait(), 1.0, 30.0)[0], hero)
    drop(window, foreign)
    window.actions_["retarget"].trigger()
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(hero), ""))
    window.docks["Retarget"].widget().file_button.click()
    wait_for(lambda: bool(window.document.project.characters))
    project = window.document.project
    assert project.characters[0].name == "hero"
    assert project.clips[0].layers[0].edit.to == project.characters[0]
    path = Path(tmp_path / "kept.mwright")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    window.actions_["save_as"].trigger()
    wait_for(lambda: path.exists() and not window.document.modified)
    reading = read_project(path, window.files.kinds)
    assert reading.is_whole
    assert reading.project.characters == project.characters
    assert reading.project.clips[0].layers[0].edit == project.clips[0].layers[0].edit


def test_help_is_about_the_panel(window):
    assert window.docks["Retarget"].widget().property("help") == "retarget"
