"""The whole window, driven with mouse and keys as a hand would; asserted on the document."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, QSettings, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox, QPushButton

from app.features import FEATURES
from app.palette_entries import entries_of
from app.settings import Settings
from app.window import Window
from editor.clips.imported import import_file
from editor.contacts.edit import ContactCorrections, FootCleanUp
from editor.placing.edit import Mirror
from editor.stack.layers import add_edit
from editor.timing.edit import Trim
from model.clip import Clip, settings_of
from model.files import reading
from model.files.formats import read_motion, write_motion
from model.files.project_file import write_project
from model.project import Project
from resources import samples
from tests.app.windows import state_of
from widgets.clips.actions import ClipActions
from widgets.clips.file_parts import FilePart
from widgets.common.keys import ButtonKeys
from widgets.common.theme import DARK, LIGHT, apply_theme, theme
from widgets.contacts.lane import ContactLane
from widgets.desk.contributions import HelpPage
from widgets.edits.edit_menu import grouped
from widgets.viewport.gl_platform import abilities

EDITS = FEATURES.edits

ROOT = Path(__file__).resolve().parents[2]
LEFT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton
WALK = next(path for path in samples() if path.stem == "walk")
RUN = next(path for path in samples() if path.stem == "run")


def wait_for(done, seconds=20.0):
    end = time.monotonic() + seconds
    while not done() and time.monotonic() < end:
        QApplication.processEvents()
        time.sleep(0.002)
    assert done()


@pytest.fixture
def settings(tmp_path):
    return Settings(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))


@pytest.fixture(params=["opengl", "painter"])
def window(application, settings, tmp_path, request):
    if request.param == "opengl" and not abilities().available:
        pytest.skip("there is no OpenGL here")
    apply_theme(application, DARK)
    made = Window(settings, recovery_folder=tmp_path / "recovery")
    if request.param == "painter":
        made.viewport.set_options(painter=True)
    made.resize(1280, 720)
    made.show()
    made.workspaces.switch("Edit")
    take_keyboard(made)
    yield made
    made.document.mark_saved(made.document.committed, None)
    made.close()
    wait_for(lambda: not made.jobs.running)


def take_keyboard(window):
    """Make the window the active one; where the screen gives it to nobody, keys cannot be tested."""
    for _ in range(100):
        QApplication.processEvents()  # to raise it where nobody needs to is not possible everywhere
        if window.isActiveWindow():
            return
        window.raise_()
        window.activateWindow()
        QApplication.processEvents()
        time.sleep(0.02)
    pytest.skip("this screen does not give the keyboard to the window")


def key(window, *pressed):
    """Press a key while the window has the keyboard."""
    take_keyboard(window)
    QTest.keyClick(window, *pressed)


def mouse(widget, kind, at, button, buttons, modifiers):
    """An event of the mouse, sent straight to a widget: the pointer of a shared screen moves by itself."""
    place = QPointF(at)
    QApplication.sendEvent(
        widget, QMouseEvent(kind, place, QPointF(widget.mapToGlobal(at)), button, buttons, modifiers)
    )


def drop(window, *paths):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    arguments = (Qt.DropAction.CopyAction, data, LEFT, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(window, QDragEnterEvent(QPoint(400, 300), *arguments))
    QApplication.sendEvent(window, QDropEvent(QPointF(400, 300), *arguments))


def drag(widget, start, stop, button=LEFT, modifiers=Qt.KeyboardModifier.NoModifier, escape=False):
    none = Qt.MouseButton.NoButton
    mouse(widget, QEvent.Type.MouseMove, start, none, none, modifiers)
    mouse(widget, QEvent.Type.MouseButtonPress, start, button, button, modifiers)
    for part in np.linspace(0.1, 1.0, 8):
        mouse(widget, QEvent.Type.MouseMove, start + (stop - start) * float(part), none, button, modifiers)
    if escape:
        QTest.keyClick(widget, Qt.Key.Key_Escape)
    mouse(widget, QEvent.Type.MouseButtonRelease, stop, button, none, modifiers)


@pytest.fixture
def opened(window):
    """The window with the sample walk dropped on it, its parts in their places."""
    drop(window, WALK)
    wait_for(lambda: window.showing.current is not None)
    settle(window)
    return window


def settle(window):
    """Let layouts come to rest: the timeline's scale must stay for a while."""
    calm = 0
    while calm < 20:
        scale = window.timeline.axis.scale.x_of(1.0), window.timeline.lanes[0].height()
        QApplication.processEvents()
        time.sleep(0.01)
        calm = calm + 1 if scale == (window.timeline.axis.scale.x_of(1.0), window.timeline.lanes[0].height()) else 0


def clip(window):
    return window.document.project.clip(window.session.view.clip)


def titles(window):
    return [layer.edit.title for layer in clip(window).layers]


def change_theme(window, wanted):
    window.actions_["dark"].trigger()
    wait_for(lambda: theme() is wanted and window.updatesEnabled())


def test_dropped_files_and_folders_become_clips(window, tmp_path):
    folder = tmp_path / "clips"
    folder.mkdir()
    for path in (WALK, RUN):
        (folder / path.name).write_bytes(path.read_bytes())
    (folder / "broken.bvh").write_text("HIERARCHY\n")
    (folder / "notes.txt").write_text("no clip")
    drop(window, folder)
    wait_for(lambda: len(window.document.project.clips) == 2)
    assert [one.name for one in window.document.project.clips] == ["run", "walk"]
    assert "broken.bvh" in window.banner.text
    assert window.document.undo_text == "Add 2 clips"
    wait_for(lambda: window.showing.current is not None)
    assert len(window.settings.recent_files()) == 2


def test_camera_orbits_and_a_click_picks_a_joint(opened):
    viewport = opened.viewport
    before = viewport.camera
    middle = QPoint(viewport.width() // 2, viewport.height() // 2)
    drag(viewport, middle, middle + QPoint(80, 20), MIDDLE)
    assert viewport.camera != before
    motion = opened.showing.current.take.motion
    knee = motion.skeleton.find("RightLeg")
    pixels, _ = viewport.camera.project(motion.world.positions[0], (viewport.width(), viewport.height()))
    QTest.mouseClick(viewport, LEFT, Qt.KeyboardModifier.NoModifier, QPointF(*pixels[knee]).toPoint())
    assert [ref.name for ref in opened.session.view.joints] == ["RightLeg"]
    assert not opened.document.modified, "looking is no change"


def test_scrubbing_loop_range_and_playing(opened):
    timeline = opened.timeline
    y = timeline.ruler.height() // 2
    x = round(timeline.axis.scale.x_of(1.0))
    QTest.mouseClick(timeline.ruler, LEFT, Qt.KeyboardModifier.NoModifier, QPoint(x, y))
    assert opened.session.view.time_s == pytest.approx(1.0, abs=0.03)
    timeline.setFocus()
    key(opened, Qt.Key.Key_BracketLeft)
    key(opened, Qt.Key.Key_End)
    assert opened.session.view.time_s == pytest.approx(opened.showing.duration_s)
    for _ in range(3):
        key(opened, Qt.Key.Key_Left)
    key(opened, Qt.Key.Key_BracketRight)
    start, stop = opened.session.view.loop_s
    assert (start, stop) == (pytest.approx(1.0, abs=0.03), pytest.approx(opened.showing.duration_s - 3 / 60, abs=0.03))
    key(opened, Qt.Key.Key_Home)
    key(opened, Qt.Key.Key_Space)
    assert timeline.playback.playing
    at = opened.session.view.time_s
    wait_for(lambda: opened.session.view.time_s not in (at, 0.0))
    key(opened, Qt.Key.Key_Space)
    assert not timeline.playback.playing


def contact_edge(opened, limb, number):
    """The view of the contact lane, and the point on it where a contact ends."""
    view = next(view for view in opened.timeline.lanes if isinstance(view.lane, ContactLane))
    contact = opened.showing.current.take.contacts.limbs[limb][number]
    frame_s = opened.showing.current.take.motion.frame_time_s
    x = round(opened.timeline.axis.scale.x_of(contact.stop * frame_s)) - 2
    middle = round(opened.timeline.axis.scale.x_of(0.5 * (contact.start + contact.stop) * frame_s))
    ys = [
        y
        for y in range(view.height())
        if view.hit(QPointF(middle, y)) and view.hit(QPointF(middle, y)).item.limb == limb
    ]
    return view, QPoint(x, ys[len(ys) // 2]), contact


def test_dragging_the_edge_of_a_contact_corrects_it_in_one_step(opened):
    view, point, contact = contact_edge(opened, "left_foot", 1)
    drag(view, point, point + QPoint(40, 0))
    assert titles(opened) == ["Contact corrections"]
    assert opened.document.undo_text == "Correct contacts"
    wait_for(lambda: opened.showing.current.take.contacts.limbs["left_foot"][1].stop > contact.stop + 3)
    assert isinstance(clip(opened).layers[0].edit, ContactCorrections)
    key(opened, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert titles(opened) == []
    drag(view, point, point + QPoint(40, 0), escape=True)
    assert titles(opened) == []
    assert opened.document.redo_text == "Correct contacts", "Esc leaves no trace"


def test_edits_are_switched_reordered_and_deleted(opened):
    document, clip_id = opened.document, opened.session.view.clip
    for edit in (Trim(1.0, 4.0), Mirror(), FootCleanUp()):
        document.do(add_edit, clip_id, edit)
    wait_for(lambda: len(opened.showing.current.stages) == 4)
    before = document.project
    stack = opened.edits.list
    stack.setFocus()
    stack.setCurrentRow(1)
    assert opened.session.view.layer == clip(opened).layers[0].id
    QTest.keyClick(stack, Qt.Key.Key_Return)
    assert not clip(opened).layers[0].on
    QTest.keyClick(stack, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    moved = titles(opened)
    QTest.keyClick(stack, Qt.Key.Key_Delete)
    assert len(titles(opened)) == 2
    assert "Trim" not in titles(opened)
    steps = document.done
    for _ in range(3):
        key(opened, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert document.project is before
    assert titles(opened) == ["Trim", "Mirror", "Foot clean-up"]
    for _ in range(steps):
        key(opened, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert len(titles(opened)) == 2
    assert moved == ["Mirror", "Trim", "Foot clean-up"]


def test_save_reopen_and_export(opened, tmp_path, monkeypatch):
    path = tmp_path / "work.mwright"
    opened.document.do(add_edit, opened.session.view.clip, Trim(1.0, 3.0))
    assert opened.isWindowModified()
    monkeypatch.setattr(
        "app.file_actions.QFileDialog.getSaveFileName",
        lambda *_, **__: (str(path if "project" in _[1] else tmp_path / "out.bvh"), ""),
    )
    key(opened, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    wait_for(lambda: not opened.document.modified)
    assert path.is_file()
    assert opened.windowTitle().startswith("work.mwright")
    saved = repr(opened.document.project)
    opened.file_actions.new_project()
    assert opened.document.project.clips == ()
    drop(opened, path)
    wait_for(lambda: opened.document.path == path)
    assert repr(opened.document.project) == saved
    wait_for(lambda: opened.showing.current is not None and len(opened.showing.current.stages) == 2)
    key(opened, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    wait_for(lambda: (tmp_path / "out.bvh").is_file() and not opened.jobs.running)
    exported = read_motion(tmp_path / "out.bvh").motion
    np.testing.assert_allclose(exported.world.positions, opened.showing.current.final.motion.world.positions, atol=1e-5)


def test_source_can_be_compared_and_a_clip_shown_beside(opened):
    opened.document.do(add_edit, opened.session.view.clip, Mirror())
    wait_for(lambda: len(opened.showing.current.stages) == 2)
    key(opened, Qt.Key.Key_G)
    assert opened.viewport.options.ghost_source
    first = opened.session.view.clip
    drop(opened, RUN)
    wait_for(lambda: len(opened.document.project.clips) == 2)
    assert opened.session.view.clip == opened.document.project.clips[1].id, "what is dropped is shown"
    opened.session.look(compared=(first,))
    wait_for(lambda: len(opened.showing.compared) == 1)


def test_workspace_and_theme_change_and_are_remembered(opened, settings):
    timing = next(button for button in opened.workspace_buttons.buttons() if button.text() == "Timing")
    QTest.mouseClick(timing, LEFT)
    assert not opened.docks["Library"].isVisible()
    opened.docks["Inspector"].show()
    edit = next(button for button in opened.workspace_buttons.buttons() if button.text() == "Edit")
    QTest.mouseClick(edit, LEFT)
    assert opened.docks["Library"].isVisible()
    QTest.mouseClick(timing, LEFT)
    assert opened.docks["Inspector"].isVisible(), "as the user left it"
    change_theme(opened, LIGHT)
    assert settings.theme == "light"
    change_theme(opened, DARK)
    for _ in range(2):  # at once: the last word counts
        opened.actions_["dark"].trigger()
    wait_for(opened.updatesEnabled)
    assert (theme(), settings.theme) == (DARK, "dark")


def arrangement(window):
    return {
        name: (dock.isVisible(), window.dockWidgetArea(dock), dock.isFloating()) for name, dock in window.docks.items()
    }


def test_changed_workspace_is_the_same_after_a_restart_until_it_is_reset(window, settings, tmp_path):
    window.go_to_workspace("Timing")
    as_it_comes = arrangement(window)
    window.docks["Library"].show()
    window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, window.docks["Edits"])
    changed = arrangement(window)
    assert changed != as_it_comes
    window.close()
    again = Window(settings, recovery_folder=tmp_path / "again")
    again.go_to_workspace(settings.workspace)
    again.show()
    QApplication.processEvents()
    assert again.workspaces.current.name == "Timing"
    assert again.workspace_buttons.checkedButton().text() == "Timing"
    assert arrangement(again) == changed
    again.actions_["reset_workspace"].trigger()
    assert arrangement(again) == as_it_comes
    key(again, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)
    assert (again.workspaces.current.name, settings.workspace) == ("Edit", "Edit")
    again.close()


def test_workspace_that_there_is_no_more_is_the_first_one(window, settings):
    window.go_to_workspace("Dreams")
    assert settings.workspace == window.workspaces.current.name == "Edit"


def test_unsaved_changes_are_asked_about(opened, monkeypatch):
    answers = []

    def answer(box):
        answers.append(box.text())
        return QMessageBox.StandardButton.Cancel

    monkeypatch.setattr(QMessageBox, "exec", answer)
    opened.document.do(add_edit, opened.session.view.clip, Mirror())
    assert not opened.close()
    assert answers == ["Save the changes to the new project?"]
    assert opened.isVisible()


def test_bug_in_an_action_is_told_and_costs_nothing(opened, tmp_path):
    opened.document.do(add_edit, opened.session.view.clip, Mirror())
    before = opened.document.project
    opened.crashed("ZeroDivisionError: division by zero")
    assert "nothing of your work is lost" in opened.banner.text
    wait_for(lambda: any((tmp_path / "recovery").glob("*.mwright")))
    assert opened.document.project is before


def test_closing_while_something_is_worked_out_ends_it(opened):
    from tests.stacks import Slow

    opened.document.do(add_edit, opened.session.view.clip, Slow())
    wait_for(lambda: opened.jobs.running)
    opened.document.mark_saved(opened.document.committed, None)
    assert opened.close()
    wait_for(lambda: not opened.jobs.running)


def test_palette_finds_and_does_a_command(opened):
    key(opened, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    palette = opened.doing._palette
    assert palette.isVisible()
    QTest.keyClicks(palette.field, "dupl")
    assert palette.list.item(0).text().startswith("Duplicate clip")
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert [one.name for one in opened.document.project.clips] == ["walk", "walk copy"]
    assert not palette.isVisible()


@pytest.mark.parametrize(
    ("typed", "found"),
    [("onion skin", "Ghost of the source"), ("smooth", "Add edit: Smooth"), ("foot", "Add edit: Foot clean-up"),
     ("jitter", "Add edit: Smooth"), ("unit", "Export clip…"), ("keyframe", "Add target pose"),
     ("smooth window", "Smooth: Window")],
)  # fmt: skip
def test_palette_finds_things_by_the_words_that_people_know(opened, typed, found):
    opened.doing.palette()
    palette = opened.doing._palette
    palette.field.setText(typed)
    rows = [palette.list.item(row).text() for row in range(palette.list.count())]
    assert any(row.startswith(found) for row in rows[:4]), rows[:6]
    palette.hide()


def test_palette_puts_an_edit_on_and_goes_to_its_settings(opened):
    for _ in range(2):  # the second time the edit is there
        opened.session.look(layer=None)
        opened.doing.palette()
        palette = opened.doing._palette
        palette.field.setText("smooth window")
        QTest.keyClick(palette.field, Qt.Key.Key_Return)
        layers = opened.document.project.clip(opened.session.view.clip).layers
        assert [layer.edit.title for layer in layers] == ["Smooth"]
        assert opened.session.view.layer == layers[0].id


def test_every_edit_that_a_form_can_fill_is_found_with_its_settings(opened):
    texts = {entry.text for entry in entries_of(opened)}
    for _, kinds in grouped(EDITS.values()):
        for kind in kinds:
            assert f"Add edit: {kind.title}" in texts
            assert all(f"{kind.title}: {setting.label}" in texts for _, setting in settings_of(kind))


def test_palette_says_that_nothing_is_called_so(opened):
    opened.doing.palette()
    palette = opened.doing._palette
    palette.field.setText("zzqx")
    assert palette.nothing.isVisible()
    assert palette.nothing.text() == "No action is called “zzqx”."
    palette.field.setText("play")
    assert not palette.nothing.isVisible()
    assert palette.list.isVisible()
    palette.hide()


def test_shortcuts_can_be_changed_and_clashes_are_refused(opened, settings):
    opened.doing.shortcuts()
    editor = opened.doing._shortcuts
    editor.select("trails")
    editor.change("G")
    assert "already means" in editor.message.text()
    assert opened.actions_.keys("trails") == "T"
    editor.change("Ctrl+Alt+T")
    assert settings.shortcuts() == {"trails": "Ctrl+Alt+T"}
    key(opened, Qt.Key.Key_T, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
    assert opened.viewport.options.trails
    editor._reset()
    assert settings.shortcuts() == {}


def test_every_action_has_a_tip_and_no_two_share_keys(window):
    keys = {}
    for name in window.actions_.names():
        described = window.actions_.described(name)
        assert described.tip
        assert described.text
        if described.keys:
            assert described.keys not in keys, (name, keys.get(described.keys))
            keys[described.keys] = name


def test_help_opens_on_the_page_of_what_is_under_the_mouse(opened):
    opened.doing.help()
    page = opened.doing._help
    page.open_for(opened.timeline.ruler)
    assert page.list.currentItem().text() == "Timeline"
    page.open("shortcuts")
    assert "Ctrl+Shift+P" in page.page.toPlainText()
    for name in ("start", "viewport", "edits", "library", "inspector", "quality"):
        page.open(name)
        assert len(page.page.toPlainText()) > 200


def test_help_tells_of_every_edit_and_every_page_can_be_read(opened):
    opened.doing.help()
    page, told = opened.doing._help, ""
    for name in (page.name for page in opened.brought(HelpPage)):
        page.open(name)
        text = page.page.toPlainText()
        assert len(text) > 200, name
        told += text
    assert [kind.title for kind in EDITS.values() if kind.title not in told] == []
    key_of_help = opened.actions_.keys("help")
    assert key_of_help in told


def test_tour_goes_round_and_does_not_come_again(opened, settings):
    opened.doing.tour()
    tour = opened.doing._tour
    texts = set()
    for _ in range(5):
        texts.add(tour.label.text())
        assert opened.rect().contains(tour.geometry())
        QTest.mouseClick(tour.next, LEFT)
    assert len(texts) == 5
    assert not tour.isVisible()
    assert settings.tour_seen
    assert opened.viewport.hasFocus(), "keys are the figure's again"


def test_space_plays_while_the_tour_tells_of_it(application, opened):
    keys = ButtonKeys(application)
    opened.doing.tour()
    tour = opened.doing._tour
    take_keyboard(opened)
    tour.next.setFocus()
    QTest.keyClick(opened.windowHandle(), Qt.Key.Key_Space)
    assert opened.timeline.playback.playing
    assert tour.count.text() == "1 of 5"
    QTest.keyClick(opened.windowHandle(), Qt.Key.Key_Return)
    assert tour.count.text() == "2 of 5"
    opened.timeline.playback.pause()
    QTest.keyClick(opened.windowHandle(), Qt.Key.Key_Escape)
    assert not tour.isVisible()
    keys.deleteLater()


def test_file_dialogs_begin_beside_what_was_opened_last(opened, tmp_path, settings):
    assert opened.file_actions.folder() != WALK.parent, "samples are not the user's"
    mine = tmp_path / "mine" / "run.bvh"
    mine.parent.mkdir()
    mine.write_bytes(RUN.read_bytes())
    drop(opened, mine)
    wait_for(lambda: len(opened.document.project.clips) == 2)
    assert opened.file_actions.folder() == mine.parent


def test_new_walk_is_made_and_changes_as_it_is_set(window):
    window.trigger("new_walk")
    wait_for(lambda: window.showing.current is not None)
    assert window.document.undo_text == "Add New walk"
    assert window.docks["Inspector"].isVisible()


def test_changed_file_is_noticed_and_reloaded(window, tmp_path):
    path = tmp_path / "mine.bvh"
    path.write_bytes(WALK.read_bytes())
    drop(window, path)
    wait_for(lambda: window.showing.current is not None)
    told = []
    state_of(window, ClipActions).stale_files.told.connect(lambda clip_id, state: told.append(state))
    wait_for(lambda: not window.jobs.running)
    path.write_bytes(RUN.read_bytes())
    state_of(window, ClipActions).stale_files.look()
    wait_for(lambda: "changed" in told)
    before = window.showing.current.take.motion.frames
    window.actions_["reload_clip"].trigger()
    wait_for(lambda: window.showing.current.take.motion.frames != before)
    assert window.document.undo_text == "Change the source of mine"
    path.unlink()
    wait_for(lambda: not window.jobs.running)
    state_of(window, ClipActions).stale_files.look()
    wait_for(lambda: told[-1] == "missing")


def test_clip_on_another_machine_is_not_touched_until_it_is_reloaded(window, tmp_path, monkeypatch):
    path = tmp_path / "far.mwright"
    source = replace(import_file(WALK), path="//server/share/walk.bvh")
    write_project(Project((Clip("1", "far", source),), 2), path, window.files.kinds)
    touched, open_regular = [], reading.open_regular

    def note(path, *rest):
        touched.append(str(path))
        return open_regular(path, *rest)

    monkeypatch.setattr("editor.clips.imported.open_regular", note)
    told = []
    state_of(window, ClipActions).stale_files.told.connect(lambda clip_id, state: told.append(state))
    drop(window, path)
    wait_for(lambda: told)
    assert (told, touched) == (["unchecked"], [])
    file = window.inspector.part(FilePart)
    assert "on another computer" in file._state.text()
    assert file.reload_button.isEnabled()
    wait_for(window.actions_["reload_clip"].isEnabled)
    window.actions_["reload_clip"].trigger()
    wait_for(lambda: "//server/share/walk.bvh" in window.banner.text)
    assert touched


def test_project_dropped_over_unsaved_work_asks_first(opened, tmp_path, monkeypatch):
    path = tmp_path / "other.mwright"
    opened.files.save(path)
    wait_for(lambda: path.is_file() and not opened.jobs.running)
    opened.document.do(add_edit, opened.session.view.clip, Mirror())
    asked = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: asked.append(box.text()) or QMessageBox.StandardButton.Cancel)
    drop(opened, path)
    assert asked == ["Save the changes to other.mwright?"]
    assert titles(opened) == ["Mirror"]


def test_recent_files_open_again(opened):
    (action,) = opened.file_actions.recent.actions()
    assert action.text() == "walk.bvh"
    action.trigger()
    wait_for(lambda: len(opened.document.project.clips) == 2)


_POLITE = """
import sys
from pathlib import Path
from PySide6.QtCore import QStandardPaths, QTimer
import app.application as application
from editor.stack.layers import add_edit
from editor.placing.edit import Mirror

class Window(application.Window):
    def __init__(self, settings):
        super().__init__(settings, recovery_folder=Path(sys.argv[1]))
        QTimer.singleShot(50, self.act)

    def act(self):
        if self.showing.current is None:
            QTimer.singleShot(50, self.act)
        else:
            self.document.do(add_edit, self.session.view.clip, Mirror())
            print("ready", flush=True)

QStandardPaths.setTestModeEnabled(True)
application.Window = Window
sys.exit(application.start([sys.argv[2]]))
"""


def test_polite_end_keeps_unsaved_work(application, tmp_path):
    if not os.environ.get("DISPLAY"):
        pytest.skip("there is no screen")
    child = subprocess.Popen(
        [sys.executable, "-c", _POLITE, str(tmp_path), str(WALK)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stdout.readline() == "ready\n"
    child.send_signal(signal.SIGTERM)
    _, err = child.communicate(timeout=30)
    assert (child.returncode, err) == (0, "")
    assert len(list(tmp_path.glob("*.mwright"))) == 1


# The mouse


def test_mouse_is_used_as_in_maya_once_chosen_and_again_the_next_time(opened, settings, tmp_path):
    middle = opened.viewport.rect().center()
    away = middle + QPoint(60, 0)
    before = opened.viewport.camera
    drag(opened.viewport, middle, away, MIDDLE)
    assert opened.viewport.camera != before
    opened.actions_["mouse_maya"].trigger()
    assert not opened.actions_["mouse_blender"].isChecked()
    before = opened.viewport.camera
    drag(opened.viewport, middle, away, MIDDLE)
    assert opened.viewport.camera == before
    drag(opened.viewport, middle, away, LEFT, Qt.KeyboardModifier.AltModifier)
    assert opened.viewport.camera != before
    again = Window(settings, recovery_folder=tmp_path / "again")
    assert again.actions_["mouse_maya"].isChecked()
    assert again.viewport.options.mouse == "maya"
    again.close()


def test_hint_of_what_the_mouse_would_do_goes_when_the_mouse_leaves(opened):
    none = Qt.MouseButton.NoButton
    for view, at in ((opened.viewport, QPoint(30, 200)), (opened.timeline.ruler, QPoint(200, 30))):
        mouse(view, QEvent.Type.MouseMove, at, none, none, Qt.KeyboardModifier.NoModifier)
        assert opened.statusBar().currentMessage()
        QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
        assert opened.statusBar().currentMessage() == ""


# Themes


def test_news_and_help_change_with_the_theme(opened):
    opened.banner.warn("A problem")
    opened.doing.help()
    dark = opened.banner.palette().window().color()
    change_theme(opened, LIGHT)
    light = opened.banner.palette().window().color()
    assert dark.lightness() < 100 < 200 < light.lightness()
    assert opened.doing._help.page.palette().text().color().lightness() < 100


# Skeletons of Acclaim files


def without_its_skeleton(tmp_path):
    """An AMC file and its ASF file, each in a folder of its own."""
    write_motion(read_motion(WALK).motion.sliced(0, 20), tmp_path / "walk.amc")
    (tmp_path / "motion").mkdir()
    (tmp_path / "body").mkdir()
    amc, asf = tmp_path / "motion" / "walk.amc", tmp_path / "body" / "someone.asf"
    (tmp_path / "walk.amc").rename(amc)
    (tmp_path / "walk.asf").rename(asf)
    return amc, asf


def test_skeleton_of_an_amc_file_is_asked_for_and_taken(window, tmp_path, monkeypatch):
    amc, asf = without_its_skeleton(tmp_path)
    drop(window, amc)
    wait_for(lambda: "walk.amc" in window.banner.text)
    assert "--" not in window.banner.text
    (button,) = (one for one in window.banner.findChildren(QPushButton) if one.text().startswith("Choose"))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(asf), ""))
    button.click()
    wait_for(lambda: len(window.document.project.clips) == 1)
    assert window.document.project.clips[0].source.options.skeleton == str(asf)


def test_skeleton_dropped_with_its_motion_is_used_and_is_no_clip(window, tmp_path):
    drop(window, *without_its_skeleton(tmp_path))
    wait_for(lambda: len(window.document.project.clips) == 1)
    assert window.document.project.clips[0].name == "walk"
    assert window.document.project.clips[0].source.motion.frames == 20


def test_keys_that_come_together_find_actions_as_they_are(opened):
    take_keyboard(opened)
    opened.actions_.refresh_now()
    assert not opened.actions_["paste_pose"].isEnabled()
    QTest.keyClick(opened.viewport, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    opened.session.look(time_s=0.5)
    QTest.keyClick(opened.viewport, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert "aste" in opened.document.undo_text
