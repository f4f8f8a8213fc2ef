"""The viewport as a hand uses it: the camera, picking, what is shown, and its survival."""

import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QPushButton

from editor.stack.clips import add_clip, delete_clips
from model.rotation import from_axis_angle, multiply, rotate
from tests.activating import activate
from tests.clips import Y
from tests.stacks import Cut, Lift, Made
from tests.widgets.viewport.stage import desk
from tests.widgets.viewport.test_image import pixels_of
from widgets.common.theme import DARK, LIGHT, apply_theme
from widgets.viewport.camera import Preset
from widgets.viewport.gl_platform import abilities
from widgets.viewport.overlay import Ghost, Overlay
from widgets.viewport.scene import Dots
from widgets.viewport.tool import Handles
from widgets.viewport.viewport import Viewport

LEFT, MIDDLE, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton, Qt.MouseButton.RightButton
NONE, SHIFT, ALT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
ROOT = Path(__file__).resolve().parents[3]
EMPTY = QPoint(12, 200)  # nothing stands there


@pytest.fixture(autouse=True)
def dark(application):
    apply_theme(application, DARK)


def shown(*edits, painter=False, size=(640, 480), **options):
    """A viewport in a window, with its document, session and what is shown."""
    document, session, shows = desk(*edits, **options)
    viewport = Viewport(document, session, shows)
    viewport.kept = (document, session, shows)
    viewport.rig.animated = False
    if painter:
        viewport.set_options(painter=True)
    viewport.resize(*size)
    viewport.show()
    QTest.qWaitForWindowExposed(viewport)
    activate(viewport)
    viewport.frame_all()
    return viewport, document, session, shows


def drag(widget, button, by, modifiers=NONE, start=EMPTY):
    QTest.mousePress(widget, button, modifiers, start)
    for part in (1, 2, 3):
        at = QPointF(start) + QPointF(by) * part / 3
        move(widget, at, button, modifiers)
    QTest.mouseRelease(widget, button, modifiers, start + by)


def move(widget, at, button=Qt.MouseButton.NoButton, modifiers=NONE):
    """Moves the mouse as the window system would; QTest's own moves carry no buttons."""
    place = QPointF(widget.mapToGlobal(QPointF(at).toPoint()))
    event = QMouseEvent(QEvent.Type.MouseMove, QPointF(at), place, Qt.MouseButton.NoButton, button, modifiers)
    QApplication.sendEvent(widget, event)


def wheel(widget, steps):
    middle = QPointF(widget.rect().center())
    place = QPointF(widget.mapToGlobal(middle.toPoint()))
    event = QWheelEvent(
        middle, place, QPoint(), QPoint(0, 120 * steps), Qt.MouseButton.NoButton, NONE,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(widget, event)


def pixel_of(viewport, name):
    _, _, shows = viewport.kept
    joint = shows.current.take.motion.skeleton.find(name)
    pixels, _ = viewport.camera.project(viewport.scene.joints[joint], (viewport.width(), viewport.height()))
    return QPoint(round(pixels[0]), round(pixels[1]))


def names(session):
    return [ref.name for ref in session.view.joints]


def test_middle_drag_orbits_and_keeps_the_target(application):
    viewport, *_ = shown()
    before = viewport.camera
    drag(viewport, MIDDLE, QPoint(60, 30))
    assert viewport.camera.yaw_rad < before.yaw_rad
    assert viewport.camera.pitch_rad > before.pitch_rad
    assert viewport.camera.target == before.target
    assert viewport.camera.distance_m == before.distance_m


def test_shift_and_middle_drag_pans(application):
    viewport, *_ = shown()
    before = viewport.camera
    drag(viewport, MIDDLE, QPoint(60, 30), SHIFT)
    assert viewport.camera.target != before.target
    assert viewport.camera.yaw_rad == before.yaw_rad


def test_wheel_comes_nearer_and_goes_away(application):
    viewport, *_ = shown()
    start = viewport.camera.distance_m
    wheel(viewport, 2)
    near = viewport.camera.distance_m
    wheel(viewport, -4)
    assert near < start < viewport.camera.distance_m


def test_left_drag_on_empty_space_orbits_and_selects_nothing(application):
    viewport, _, session, _ = shown()
    before = viewport.camera
    session.look(joints=(viewport.kept[2].current.take.motion.skeleton.ref(3),))
    drag(viewport, LEFT, QPoint(50, 0))
    assert viewport.camera.yaw_rad != before.yaw_rad
    assert len(session.view.joints) == 1


@pytest.mark.parametrize(
    ("button", "changes"), [(LEFT, "yaw_rad"), (MIDDLE, "target"), (RIGHT, "distance_m")], ids=["orbit", "pan", "zoom"]
)
def test_maya_preset_uses_alt_with_each_button(application, button, changes):
    viewport, *_ = shown()
    viewport.set_options(mouse="maya")
    before = viewport.camera
    drag(viewport, button, QPoint(40, 25), ALT)
    for name in ("yaw_rad", "target", "distance_m"):
        assert (getattr(viewport.camera, name) != getattr(before, name)) == (name == changes), name
    plain = viewport.camera
    drag(viewport, MIDDLE, QPoint(40, 25))
    assert viewport.camera == plain


@pytest.mark.parametrize("painter", [False, True])
def test_click_selects_the_joint_and_shift_adds_and_takes_away(application, painter):
    viewport, _, session, _ = shown(painter=painter)
    QTest.mouseClick(viewport, LEFT, NONE, pixel_of(viewport, "LeftLeg"))
    assert names(session) == ["LeftLeg"]
    QTest.mouseClick(viewport, LEFT, SHIFT, pixel_of(viewport, "Head"))
    assert names(session) == ["LeftLeg", "Head"]
    QTest.mouseClick(viewport, LEFT, SHIFT, pixel_of(viewport, "LeftLeg"))
    assert names(session) == ["Head"]
    QTest.mouseClick(viewport, LEFT, SHIFT, EMPTY)
    assert names(session) == ["Head"]
    QTest.mouseClick(viewport, LEFT, NONE, EMPTY)
    assert names(session) == []


def test_selection_made_elsewhere_is_marked(application):
    viewport, _, session, shows = shown()
    skeleton = shows.current.take.motion.skeleton
    session.look(joints=(skeleton.ref(skeleton.find("RightHand")),))
    assert [label.text for label in viewport.scene.labels] == ["RightHand"]
    assert len(viewport.scene.front_dots)


def test_hovering_names_the_joint_and_says_what_a_click_would_do(application):
    viewport, _, session, _ = shown()
    told = []
    viewport.hint_changed.connect(told.append)
    move(viewport, QPointF(pixel_of(viewport, "Head")))
    assert [label.text for label in viewport.scene.labels] == ["Head"]
    assert "Head" in told[-1]
    move(viewport, QPointF(EMPTY))
    assert viewport.scene.labels == ()
    assert "orbits" in told[-1]
    assert names(session) == []


def test_double_click_frames_the_joint(application):
    viewport, *_ = shown()
    before = viewport.camera.distance_m
    at = pixel_of(viewport, "LeftLeg")
    joint = viewport.scene.joints[viewport.kept[2].current.take.motion.skeleton.find("LeftLeg")]
    QTest.mouseDClick(viewport, LEFT, NONE, at)
    np.testing.assert_allclose(viewport.camera.target, joint, atol=1e-6)
    assert viewport.camera.distance_m < before


@pytest.mark.parametrize(
    ("key", "modifiers", "towards"),
    [
        (Qt.Key.Key_1, NONE, (0, 0, 1)), (Qt.Key.Key_1, CONTROL, (0, 0, -1)), (Qt.Key.Key_3, NONE, (-1, 0, 0)),
        (Qt.Key.Key_3, CONTROL, (1, 0, 0)), (Qt.Key.Key_7, NONE, (0, 1, 0)), (Qt.Key.Key_7, CONTROL, (0, -1, 0)),
    ],
)  # fmt: skip
def test_number_keys_look_from_the_sides(application, key, modifiers, towards):
    viewport, *_ = shown()
    QTest.keyClick(viewport, key, modifiers | Qt.KeyboardModifier.KeypadModifier)
    eye = viewport.camera.eye - np.array(viewport.camera.target)
    assert eye @ np.array(towards) > 0.99 * np.linalg.norm(eye)


def test_f_frames_the_selection_and_a_everything(application):
    viewport, _, session, shows = shown()
    everything = viewport.camera.distance_m
    skeleton = shows.current.take.motion.skeleton
    session.look(joints=(skeleton.ref(skeleton.find("RightHand")),))
    QTest.keyClick(viewport, Qt.Key.Key_F)
    assert viewport.camera.distance_m < 0.7 * everything
    QTest.keyClick(viewport, Qt.Key.Key_A)
    assert viewport.camera.distance_m == pytest.approx(everything)


def test_escape_changes_nothing(application):
    viewport, document, session, _ = shown()
    before = (viewport.camera, session.view, document.project)
    QTest.keyClick(viewport, Qt.Key.Key_Escape)
    assert (viewport.camera, session.view, document.project) == before
    assert document.undo_text is None


def test_names_of_presets_are_taken_and_shown(application):
    viewport, *_ = shown()
    viewport.look_from("side")
    assert viewport.findChild(type(viewport._picture.captions)).notes.view == "Right side"
    drag(viewport, MIDDLE, QPoint(30, 0))
    assert viewport.findChild(type(viewport._picture.captions)).notes.view == "Free view"
    with pytest.raises(ValueError, match="nose"):
        viewport.look_from("nose")


def test_camera_move_arrives_when_it_is_animated(application):
    viewport, *_ = shown()
    viewport.rig.animated = True
    viewport.look_from(Preset.FRONT)
    on_the_way = viewport.camera
    QTest.qWait(400)
    assert viewport.camera == viewport.rig.goal
    assert viewport.camera != on_the_way
    assert viewport.camera.yaw_rad == pytest.approx(0.0, abs=1e-9)


def test_time_moves_the_figure_and_the_camera_follows(application):
    viewport, _, session, _ = shown()
    first, target = viewport.scene.joints, viewport.camera.target
    session.look(time_s=0.75)
    assert np.any(np.abs(viewport.scene.joints - first) > 0.01)
    assert viewport.camera.target != target
    moved = np.subtract(viewport.camera.target, target)
    walked = viewport.scene.joints[0] - first[0]
    assert moved[1] == 0.0
    assert np.linalg.norm((walked - moved)[[0, 2]]) < 0.5 * np.linalg.norm(walked[[0, 2]])
    viewport.set_options(follow=False)
    target = viewport.camera.target
    session.look(time_s=1.5)
    assert viewport.camera.target == target


def test_selected_edit_shows_its_stage_and_the_final_as_a_ghost(application):
    viewport, _, session, _ = shown(Lift(1.0), Lift(2.0))
    assert not len(viewport.scene.ghosts)
    height = viewport.scene.joints[0, 1]
    session.look(layer="e0")
    assert viewport.scene.joints[0, 1] == pytest.approx(height - 2.0)
    assert len(viewport.scene.ghosts) == len(viewport.scene.solids)


def test_clips_beside_are_shown_with_it(application):
    viewport, document, session, _ = shown()
    alone = len(viewport.scene.solids)
    document.do(add_clip, Made(20), "Second")
    session.look(compared=(document.project.clips[1].id,))
    assert len(viewport.scene.solids) == 2 * alone
    assert len(viewport.scene.shadows) == 2
    assert [label.text for label in viewport.scene.labels] == [clip.name for clip in document.project.clips]
    session.look(compared=())
    assert viewport.scene.labels == ()


def test_empty_document_shows_the_empty_state_with_a_button(application):
    viewport, document, *_ = shown(empty=True)
    wanted = []
    viewport.import_wanted.connect(lambda: wanted.append(True))
    button = viewport.findChild(QPushButton)
    assert button.isVisible()
    QTest.mouseClick(button, LEFT)
    assert wanted == [True]
    for act in (lambda: drag(viewport, LEFT, QPoint(30, 0)), lambda: QTest.keyClick(viewport, Qt.Key.Key_A)):
        act()
    document.do(add_clip, Made(30), "First")
    assert not button.isVisible()
    document.do(delete_clips, (document.project.clips[0].id,))
    assert button.isVisible()


def test_clip_that_cannot_be_shown_says_why(application):
    viewport, _, _, shows = shown()
    shows.waiting, shows.failure = True, "the well is dry"
    shows.changed.emit()
    assert "the well is dry" in viewport._picture.captions.notes.note
    assert not len(viewport.scene.solids)
    shows.waiting, shows.failure = False, None
    shows.changed.emit()
    assert len(viewport.scene.solids)


def test_without_opengl_the_painter_is_used_and_it_is_said(application):
    viewport, *_ = shown()
    assert viewport.uses_opengl == abilities().available
    note = "OpenGL 3.3 is not available: simple drawing is used."
    assert (viewport._picture.captions.notes.note == note) == (not viewport.uses_opengl)
    viewport.set_options(painter=True)
    assert not viewport.uses_opengl
    assert viewport._picture.captions.notes.note == ""


def test_view_that_fails_is_replaced_by_the_painter(application):
    viewport, *_ = shown()
    viewport._picture.on_gl_failed("the driver is broken")
    assert not viewport.uses_opengl
    assert "OpenGL" in viewport._picture.captions.notes.note
    assert has_figure(viewport)


def test_driver_that_cannot_build_the_shaders_gives_way_to_the_painter(application, monkeypatch):
    if not abilities().available:
        pytest.skip("there is no OpenGL here")

    def broken():
        raise RuntimeError("no such shader")

    monkeypatch.setattr("widgets.viewport.gl_view.Renderer", broken)
    viewport, *_ = shown()
    QTest.qWait(50)
    assert not viewport.uses_opengl
    assert has_figure(viewport)


def test_view_survives_the_loss_of_its_context(application):
    """In a process of its own: where contexts are not shared, each window that the view moves to brings another."""
    if not abilities().available:
        pytest.skip("there is no OpenGL here")
    done = subprocess.run([sys.executable, "-c", _LOSING_CONTEXTS], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["seen", "seen", "seen", "made", "3", "freed", "3"]


_LOSING_CONTEXTS = """
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMainWindow
application = QApplication([])
from tests.widgets.viewport.test_viewport import has_figure, shown
from widgets.viewport import gl_view
count = {"made": 0, "freed": 0}
class Counted(gl_view.Renderer):
    def __init__(self):
        super().__init__()
        count["made"] += 1
    def free(self):
        super().free()
        count["freed"] += 1
gl_view.Renderer = Counted
viewport, *_ = shown()
print("seen" if has_figure(viewport) else "lost")
windows = [QMainWindow(), QMainWindow()]
for window in windows:
    window.resize(640, 480)
    window.setCentralWidget(viewport)
    window.show()
    QTest.qWaitForWindowExposed(window)
    print("seen" if has_figure(viewport) else "lost")
viewport.set_options(painter=True)
QTest.qWait(30)
print("made", count["made"], "freed", count["freed"])
"""


def has_figure(viewport):
    QTest.qWait(30)
    pixels = pixels_of(viewport.grab().toImage())
    blue = np.count_nonzero(pixels[..., 2] - pixels[..., 0] > 0.3)
    coral = np.count_nonzero(pixels[..., 0] - pixels[..., 2] > 0.3)
    return blue > 200 and coral > 200


@pytest.mark.parametrize("painter", [False, True])
def test_figure_is_seen_after_resizing(application, painter):
    viewport, *_ = shown(painter=painter)
    for size in ((900, 600), (320, 240), (200, 500)):
        viewport.resize(*size)
        viewport.frame_all()
        assert has_figure(viewport), size
        assert viewport._picture.captions.size() == viewport.size()


@pytest.mark.parametrize("painter", [False, True])
def test_view_survives_moving_to_other_windows(application, painter):
    viewport, *_ = shown(painter=painter)
    assert has_figure(viewport)
    for _ in range(2):
        window = QMainWindow()
        window.resize(700, 500)
        window.setCentralWidget(viewport)
        window.show()
        QTest.qWaitForWindowExposed(window)
        viewport.frame_all()
        assert has_figure(viewport)
        viewport.setParent(None)
        viewport.show()
        QTest.qWaitForWindowExposed(viewport)
        assert has_figure(viewport)


@pytest.mark.parametrize("painter", [False, True])
def test_view_survives_docking_and_floating(application, painter):
    if QGuiApplication.platformName() == "offscreen":
        pytest.skip("docks cannot float without a window system")
    viewport, *_ = shown(painter=painter)
    window = QMainWindow()
    dock = QDockWidget("View", window)
    dock.setWidget(viewport)
    window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
    window.resize(700, 500)
    window.show()
    QTest.qWaitForWindowExposed(window)
    viewport.frame_all()
    for floating in (True, False, True):
        dock.setFloating(floating)
        QTest.qWait(60)
        assert has_figure(viewport), f"floating: {floating}"


def test_theme_switch_changes_the_picture(application):
    viewport, *_ = shown()
    QTest.qWait(30)
    dark = pixels_of(viewport.grab().toImage())[100, 5]
    apply_theme(application, LIGHT)
    QTest.qWait(30)
    light = pixels_of(viewport.grab().toImage())[100, 5]
    assert np.all(light > dark + 0.4)


class Handle:
    """A tool that takes presses on the right half."""

    def __init__(self):
        self.calls = []

    def press(self, pointer):
        self.calls.append("press")
        return pointer.pixel[0] > 320

    def move(self, pointer):
        self.calls.append("move")

    def release(self, pointer):
        self.calls.append("release")

    def cancel(self):
        self.calls.append("cancel")

    def hover(self, pointer):
        return None

    def wants_key(self, key):
        return False

    def press_key(self, key):
        raise AssertionError("no key is wanted")

    def draw(self, scene, camera, size):
        return Handles(dots=Dots(np.zeros((1, 3)), np.ones((1, 4)), np.array([20.0])))


def test_tool_gets_the_mouse_first_and_escape_cancels_it(application):
    viewport, *_ = shown()
    tool = viewport.tool = Handle()
    assert viewport.scene.front_dots.sizes[-1] == 20.0
    before = viewport.camera
    drag(viewport, LEFT, QPoint(40, 0), start=QPoint(600, 20))
    assert (tool.calls[0], tool.calls[-1]) == ("press", "release")
    assert viewport.camera == before
    drag(viewport, LEFT, QPoint(40, 0))
    assert viewport.camera != before
    QTest.mousePress(viewport, LEFT, NONE, QPoint(600, 20))
    QTest.keyClick(viewport, Qt.Key.Key_Escape)
    assert tool.calls[-1] == "cancel"
    QTest.mouseRelease(viewport, LEFT, NONE, QPoint(600, 20))
    assert "release" not in tool.calls[tool.calls.index("cancel") :]


def test_options_are_told_once_when_they_change(application):
    viewport, *_ = shown()
    told = []
    viewport.options_changed.connect(told.append)
    viewport.set_options(trails=True)
    viewport.set_options(trails=True)
    assert [options.trails for options in told] == [True]
    assert len(viewport.scene.lines)


class Halo(Overlay):
    """Two ghosts, and a dot at the head."""

    def __init__(self):
        super().__init__()
        self.times_s = ()

    def ghosts(self, now_s, theme):
        return [Ghost(at_s, np.ones((3, 4))) for at_s in self.times_s]

    def draw(self, scene, camera, size):
        head = scene.joints[[5]]
        return Handles(dots=Dots(head, np.ones((1, 4)), np.full(1, 9.0))) if self.times_s else Handles()


def test_overlay_shows_ghosts_and_marks_once_it_says_so(application):
    viewport, *_ = shown()
    halo = Halo()
    viewport.add_overlay(halo)
    before = viewport.scene
    assert not len(before.ghosts)
    halo.times_s = (0.5, 1.0)
    assert viewport.scene is before
    halo.changed.emit()
    assert len(viewport.scene.ghosts) == 2 * len(viewport.scene.solids)
    assert len(viewport.scene.front_dots) == len(before.front_dots) + 1
    viewport.source_key.hold()
    assert not len(viewport.scene.front_dots)


def test_camera_that_nobody_moved_fits_the_figure_again_when_the_view_grows(application):
    viewport, *_ = shown(size=(300, 300))
    viewport.resize(300, 700)
    QTest.qWait(20)
    pixels, _ = viewport.camera.project(viewport.scene.joints, (viewport.width(), viewport.height()))
    assert np.all((pixels > 0) & (pixels < [300, 700]))
    wheel(viewport, 3)
    moved = viewport.camera
    viewport.resize(500, 400)
    QTest.qWait(20)
    assert viewport.camera == moved


def test_names_go_when_they_are_no_longer_wanted(application):
    viewport, *_ = shown(painter=True)
    QTest.qWait(20)
    plain = pixels_of(viewport.grab().toImage())
    viewport.set_options(names=True)
    QTest.qWait(20)
    named = pixels_of(viewport.grab().toImage())
    assert np.any(np.abs(named - plain) > 0.2)
    viewport.set_options(names=False)
    QTest.qWait(20)
    np.testing.assert_array_equal(pixels_of(viewport.grab().toImage()), plain)


# Holding up the source

BACKTICK = Qt.Key.Key_QuoteLeft


def key_event(kind, repeated=False):
    return QKeyEvent(kind, BACKTICK, NONE, "`", repeated)


def note(viewport):
    return viewport._picture.captions.notes.note


@pytest.mark.parametrize("painter", [False, True])
def test_source_is_shown_in_place_as_long_as_the_key_is_held(application, painter):
    viewport, document, session, _ = shown(Lift(0.25), painter=painter)
    edited, before = viewport.scene.joints, viewport.camera
    QTest.keyPress(viewport, BACKTICK)
    np.testing.assert_allclose(viewport.scene.joints, edited - [0.0, 0.25, 0.0])
    assert not len(viewport.scene.ghosts)
    assert note(viewport) == "Source"
    assert viewport.camera == before
    QTest.keyRelease(viewport, BACKTICK)
    np.testing.assert_allclose(viewport.scene.joints, edited)
    assert note(viewport) != "Source"
    assert viewport.camera == before
    assert document.undo_text is None
    assert session.view.layer is None


def test_source_is_shown_at_its_own_time(application):
    viewport, _, session, shows = shown(Cut(0.5))
    session.look(time_s=0.2)
    edited = viewport.scene.joints
    QTest.keyPress(viewport, BACKTICK)
    np.testing.assert_allclose(viewport.scene.joints, edited, atol=1e-9)
    assert shows.current.source.motion.frames > shows.current.take.motion.frames
    QTest.keyRelease(viewport, BACKTICK)


def test_repeating_key_keeps_the_source_and_its_release_ends_it(application):
    viewport, *_ = shown(Lift(0.25))
    told = []
    viewport.source_key.changed.connect(told.append)
    QTest.keyPress(viewport, BACKTICK)
    for _ in range(3):
        QApplication.sendEvent(viewport, key_event(QEvent.Type.KeyRelease, repeated=True))
        QApplication.sendEvent(viewport, key_event(QEvent.Type.KeyPress, repeated=True))
    assert told == [True]
    QTest.keyRelease(viewport, BACKTICK)
    assert told == [True, False]


def test_source_goes_when_the_key_comes_up_elsewhere(application):
    viewport, *_ = shown(Lift(0.25))
    other = QPushButton("Elsewhere")
    QTest.keyPress(viewport, BACKTICK)
    QApplication.sendEvent(other, key_event(QEvent.Type.KeyRelease))
    assert not viewport.shows_source


@pytest.mark.parametrize("lose", ["deactivate", "hide"])
def test_source_goes_when_the_release_cannot_be_seen(application, lose):
    viewport, *_ = shown(Lift(0.25))
    QTest.keyPress(viewport, BACKTICK)
    assert viewport.shows_source
    if lose == "hide":
        viewport.hide()
    else:
        QApplication.sendEvent(viewport.window(), QEvent(QEvent.Type.WindowDeactivate))
    assert not viewport.shows_source


def test_source_that_stands_far_away_is_gone_to_and_come_back_from(application):
    viewport, *_ = shown(Lift(9.0))
    before = viewport.camera
    QTest.keyPress(viewport, BACKTICK)
    pixels, _ = viewport.camera.project(viewport.scene.joints, (viewport.width(), viewport.height()))
    assert np.all((pixels > 0) & (pixels < [viewport.width(), viewport.height()]))
    QTest.keyRelease(viewport, BACKTICK)
    np.testing.assert_allclose(viewport.camera.target, before.target)


def test_source_can_be_held_up_from_anywhere_in_the_window(application):
    viewport, *_ = shown(Lift(0.25))
    window, button = QMainWindow(), QPushButton("Elsewhere")
    window.setMenuWidget(button)
    window.setCentralWidget(viewport)
    window.show()
    QTest.qWaitForWindowExposed(window)
    window.activateWindow()
    if not QTest.qWaitForWindowActive(window, 2000):
        pytest.skip("this screen does not give the keyboard to the window")
    button.setFocus()
    QTest.keyPress(button, BACKTICK)
    assert viewport.shows_source
    QTest.keyRelease(button, BACKTICK)
    assert not viewport.shows_source


def test_tool_rests_while_the_source_is_held_up(application):
    viewport, *_ = shown(Lift(0.25))
    tool = viewport.tool = Handle()
    QTest.keyPress(viewport, BACKTICK)
    assert not len(viewport.scene.front_dots)
    tool.calls.clear()
    move(viewport, QPoint(600, 20))
    QTest.mouseClick(viewport, LEFT, NONE, QPoint(600, 20))
    assert tool.calls == []
    QTest.keyRelease(viewport, BACKTICK)
    assert len(viewport.scene.front_dots)


# Camera drags


@pytest.mark.parametrize(
    ("button", "modifiers", "mouse"),
    [(LEFT, NONE, "blender"), (MIDDLE, NONE, "blender"), (MIDDLE, SHIFT, "blender"), (MIDDLE, CONTROL, "blender"),
     (LEFT, NONE, "maya"), (LEFT, ALT, "maya"), (MIDDLE, ALT, "maya"), (RIGHT, ALT, "maya")],
)  # fmt: skip
def test_escape_puts_a_dragged_camera_back(application, button, modifiers, mouse):
    viewport, _, session, _ = shown()
    viewport.set_options(mouse=mouse)
    viewport.look_from(Preset.SIDE)
    before = viewport.camera
    QTest.mousePress(viewport, button, modifiers, EMPTY)
    move(viewport, EMPTY + QPoint(50, 30), button, modifiers)
    assert viewport.camera != before
    QTest.keyClick(viewport, Qt.Key.Key_Escape)
    assert viewport.camera == before
    assert viewport._picture.captions.notes.view == "Right side"
    move(viewport, EMPTY + QPoint(90, 60), button, modifiers)
    QTest.mouseRelease(viewport, button, modifiers, EMPTY + QPoint(90, 60))
    assert viewport.camera == before
    assert session.view.joints == ()


def test_escape_while_playing_puts_the_camera_where_the_figure_went(application):
    viewport, _, session, _ = shown()
    untouched = shown()
    QTest.mousePress(viewport, MIDDLE, NONE, EMPTY)
    move(viewport, EMPTY + QPoint(50, 30), MIDDLE)
    session.look(time_s=0.6)
    QTest.keyClick(viewport, Qt.Key.Key_Escape)
    untouched[2].look(time_s=0.6)
    np.testing.assert_allclose(viewport.camera.target, untouched[0].camera.target)
    assert viewport.camera.yaw_rad == untouched[0].camera.yaw_rad


@pytest.mark.parametrize("mouse", ["blender", "maya"])
def test_left_drag_on_empty_space_orbits_with_either_preset(application, mouse):
    viewport, *_ = shown()
    viewport.set_options(mouse=mouse)
    before = viewport.camera
    drag(viewport, LEFT, QPoint(50, 20))
    assert viewport.camera.yaw_rad != before.yaw_rad
    assert viewport.camera.pitch_rad != before.pitch_rad
    assert (viewport.camera.target, viewport.camera.distance_m) == (before.target, before.distance_m)


@pytest.mark.parametrize(
    ("modifiers", "changes"), [(NONE, "yaw_rad"), (SHIFT, "target"), (CONTROL, "distance_m")],
)  # fmt: skip
def test_blender_preset_uses_the_middle_button(application, modifiers, changes):
    viewport, *_ = shown()
    before = viewport.camera
    drag(viewport, MIDDLE, QPoint(40, 25), modifiers)
    for name in ("yaw_rad", "target", "distance_m"):
        assert (getattr(viewport.camera, name) != getattr(before, name)) == (name == changes), name


def test_second_of_two_quick_drags_moves_the_camera_too(application):
    viewport, *_ = shown()
    QTest.mouseDClick(viewport, MIDDLE, NONE, EMPTY)
    before = viewport.camera
    move(viewport, EMPTY + QPoint(50, 30), MIDDLE)
    assert viewport.camera.yaw_rad != before.yaw_rad
    QTest.mouseRelease(viewport, MIDDLE, NONE, EMPTY)


# Another clip


def two_clips(**figure):
    """A view of a clip, and the name of a second one of a figure elsewhere."""
    viewport, document, session, _ = shown()
    document.do(add_clip, Elsewhere(**figure), "Second")
    return viewport, session, document.project.clips[1].id


@dataclass(frozen=True)
class Elsewhere(Made):
    """The same figure at another place, facing another way, of another size."""

    kind: ClassVar = "elsewhere"
    away_m: float = 0.0
    turn_deg: float = 0.0
    size: float = 1.0

    def make(self, context):
        take = super().make(context)
        motion, turn = take.motion, from_axis_angle(Y, np.radians(self.turn_deg))
        rotations = np.array(motion.local_rotations)
        rotations[:, 0] = multiply(turn, rotations[:, 0])
        positions = self.size * rotate(turn, motion.root_positions) + [self.away_m, 0.0, 0.0]
        offsets = self.size * motion.skeleton.offsets
        skeleton = replace(motion.skeleton, offsets=offsets)
        moved = replace(
            motion, skeleton=skeleton, local_rotations=rotations, root_positions=positions,
            local_offsets=self.size * motion.local_offsets,
        )  # fmt: skip
        return replace(take, motion=moved)


def share_of_view(viewport):
    """How much of the view's height the figure takes, and whether all of it is in view."""
    size = (viewport.width(), viewport.height())
    pixels, _ = viewport.camera.project(viewport.scene.joints, size)
    return np.ptp(pixels[:, 1]) / size[1], bool(np.all((pixels > 0) & (pixels < np.array(size))))


@pytest.mark.parametrize("figure", [{}, {"away_m": 40.0}, {"size": 0.2}, {"size": 4.0}, {"turn_deg": 90.0}])
def test_another_clip_is_in_view_and_large(application, figure):
    viewport, session, second = two_clips(**figure)
    session.look(clip=second)
    share, inside = share_of_view(viewport)
    assert inside
    assert share > 0.5


@pytest.mark.parametrize("figure", [{}, {"away_m": 40.0}, {"size": 0.2}, {"size": 4.0}, {"turn_deg": 90.0}])
def test_another_clip_is_seen_from_the_direction_that_the_user_chose(application, figure):
    viewport, session, second = two_clips(**figure)
    drag(viewport, MIDDLE, QPoint(70, 30))
    before = viewport.camera
    session.look(clip=second)
    assert (viewport.camera.yaw_rad, viewport.camera.pitch_rad) == (before.yaw_rad, before.pitch_rad)
    share, inside = share_of_view(viewport)
    assert inside
    assert share > 0.4


def test_preset_of_the_view_holds_for_another_clip(application):
    viewport, session, second = two_clips(turn_deg=90.0)
    viewport.look_from(Preset.FRONT)
    before = viewport.camera
    session.look(clip=second)
    assert viewport.camera.yaw_rad - before.yaw_rad == pytest.approx(np.pi / 2, abs=0.05)
    assert viewport._picture.captions.notes.view == "Front"


def test_camera_close_to_a_part_stays_there_for_another_clip(application):
    viewport, session, second = two_clips(away_m=5.0)
    wheel(viewport, 6)
    before = viewport.camera
    session.look(clip=second)
    assert viewport.camera.distance_m == before.distance_m
    np.testing.assert_allclose(np.subtract(viewport.camera.target, before.target), [5.0, 0.0, 0.0], atol=1e-6)


def test_camera_that_looks_at_nothing_finds_another_clip(application):
    viewport, session, second = two_clips()
    drag(viewport, MIDDLE, QPoint(900, 0), SHIFT)
    assert not share_of_view(viewport)[1]
    session.look(clip=second)
    assert share_of_view(viewport)[1]


def test_camera_that_only_followed_still_fits_when_the_view_grows(application):
    viewport, _, session, _ = shown(size=(300, 300))
    session.look(time_s=0.7)
    viewport.resize(300, 700)
    QTest.qWait(20)
    moved = viewport.camera
    viewport.frame_all()
    assert moved == viewport.camera
