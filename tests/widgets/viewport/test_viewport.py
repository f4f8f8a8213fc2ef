"""The viewport as a hand uses it: the camera, picking, what is shown, and its survival."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QPushButton

from editor.commands.clips import add_clip, delete_clips
from tests.stacks import Lift, Made
from tests.widgets.viewport.stage import desk
from tests.widgets.viewport.test_image import pixels_of
from widgets.common.theme import DARK, LIGHT, apply_theme
from widgets.viewport.camera import Preset
from widgets.viewport.gl_platform import abilities
from widgets.viewport.scene import Dots, Lines
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
    viewport.activateWindow()
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
    assert viewport.findChild(type(viewport._overlay)).notes.view == "Right side"
    drag(viewport, MIDDLE, QPoint(30, 0))
    assert viewport.findChild(type(viewport._overlay)).notes.view == "Free view"
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
    assert "the well is dry" in viewport._overlay.notes.note
    assert not len(viewport.scene.solids)
    shows.waiting, shows.failure = False, None
    shows.changed.emit()
    assert len(viewport.scene.solids)


def test_without_opengl_the_painter_is_used_and_it_is_said(application):
    viewport, *_ = shown()
    assert viewport.uses_opengl == abilities().available
    note = "OpenGL 3.3 is not available: simple drawing is used."
    assert (viewport._overlay.notes.note == note) == (not viewport.uses_opengl)
    viewport.set_options(painter=True)
    assert not viewport.uses_opengl
    assert viewport._overlay.notes.note == ""


def test_view_that_fails_is_replaced_by_the_painter(application):
    viewport, *_ = shown()
    viewport._on_gl_failed("the driver is broken")
    assert not viewport.uses_opengl
    assert "OpenGL" in viewport._overlay.notes.note
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
        assert viewport._overlay.size() == viewport.size()


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

    def draw(self, scene, camera, size):
        return Lines(), Dots(np.zeros((1, 3)), np.ones((1, 4)), np.array([20.0]))


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


def test_ghosts_stand_at_the_keys_that_are_named(application):
    viewport, *_ = shown()
    viewport.key_times_s = (0.5, 1.0)
    assert not len(viewport.scene.ghosts)
    viewport.set_options(ghost_keys=True)
    assert len(viewport.scene.ghosts) == 2 * len(viewport.scene.solids)


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
