"""Tools of the viewport: when they are called, and that their handles are drawn and can be picked."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMainWindow

from tests.widgets.viewport.test_image import pixels_of
from tests.widgets.viewport.test_viewport import CONTROL, EMPTY, LEFT, MIDDLE, NONE, drag, move, pixel_of, shown
from widgets.common.theme import DARK
from widgets.viewport import shapes
from widgets.viewport.camera import Camera
from widgets.viewport.gl_platform import abilities
from widgets.viewport.image import drawn, painted
from widgets.viewport.picking import points_px, polyline_px
from widgets.viewport.scene import Label, Scene, backdrop_of, rgba
from widgets.viewport.tool import Handles, Hover

SIZE = (400.0, 300.0)
RIGHT_SIDE, LEFT_SIDE = QPoint(600, 20), EMPTY


class Recorder:
    """A tool whose handle is the right half of the view; it wants the key X."""

    def __init__(self):
        self.calls = []
        self.pointers = []

    def note(self, name, pointer=None):
        self.calls.append(name)
        self.pointers.append(pointer)

    def hover(self, pointer):
        self.note("hover", pointer)
        over = pointer is not None and pointer.pixel[0] > 320
        return Hover("Drag turns it", Qt.CursorShape.SizeAllCursor) if over else None

    def press(self, pointer):
        self.note("press", pointer)
        return pointer.pixel[0] > 320

    def move(self, pointer):
        self.note("move", pointer)

    def release(self, pointer):
        self.note("release", pointer)

    def cancel(self):
        self.note("cancel")

    def wants_key(self, key):
        return key.key == Qt.Key.Key_X

    def press_key(self, key):
        self.note(f"key {key.text}")

    def draw(self, scene, camera, size):
        self.drawn_for = size
        return Handles(labels=(Label("34°", (0.0, 0.0, 0.0)),))


def with_tool(**options):
    viewport, _, session, _ = shown(**options)
    viewport.tool = Recorder()
    return viewport, session, viewport.tool


def test_hover_over_a_handle_sets_cursor_and_hint_and_leaves_joints_alone(application):
    viewport, _, tool = with_tool()
    hints = []
    viewport.hint_changed.connect(hints.append)
    move(viewport, RIGHT_SIDE)
    assert viewport.cursor().shape() == Qt.CursorShape.SizeAllCursor
    assert hints == ["Drag turns it"]
    move(viewport, LEFT_SIDE)
    assert viewport.cursor().shape() == Qt.CursorShape.ArrowCursor
    assert "orbits" in hints[-1]
    assert set(tool.calls) == {"hover"}


def test_joint_under_no_handle_lights_up_although_there_is_a_tool(application):
    viewport, _, tool = with_tool()
    hints = []
    viewport.hint_changed.connect(hints.append)
    tool.hover = lambda pointer: None
    move(viewport, pixel_of(viewport, "Head"))
    assert "Click selects" in hints[-1]


def test_drag_is_pressed_moved_and_released_and_hovers_only_before_and_after(application):
    viewport, _, tool = with_tool()
    before = viewport.camera
    move(viewport, RIGHT_SIDE)
    drag(viewport, LEFT, QPoint(-30, 30), start=RIGHT_SIDE)
    assert tool.calls == ["hover", "press", "move", "move", "move", "release"]
    assert tool.pointers[-1].pixel == (570.0, 50.0)
    assert viewport.camera == before


def test_press_beside_the_handles_is_the_cameras(application):
    viewport, _, tool = with_tool()
    before = viewport.camera
    drag(viewport, LEFT, QPoint(40, 0), start=LEFT_SIDE)
    assert tool.calls == ["press"]
    assert viewport.camera != before


def test_camera_buttons_do_not_reach_the_tool(application):
    viewport, _, tool = with_tool()
    drag(viewport, MIDDLE, QPoint(-30, 30), start=RIGHT_SIDE)
    assert tool.calls == []


def test_another_button_does_not_end_the_drag(application):
    viewport, _, tool = with_tool()
    QTest.mousePress(viewport, LEFT, NONE, RIGHT_SIDE)
    QTest.mousePress(viewport, MIDDLE, NONE, RIGHT_SIDE)
    QTest.mouseRelease(viewport, MIDDLE, NONE, RIGHT_SIDE)
    move(viewport, RIGHT_SIDE + QPoint(5, 5), LEFT)
    QTest.mouseRelease(viewport, LEFT, NONE, RIGHT_SIDE)
    assert tool.calls == ["press", "move", "release"]


def test_escape_cancels_and_the_rest_of_the_drag_does_nothing(application):
    viewport, session, tool = with_tool()
    before = viewport.camera
    QTest.mousePress(viewport, LEFT, NONE, RIGHT_SIDE)
    QTest.keyClick(viewport, Qt.Key.Key_Escape)
    move(viewport, RIGHT_SIDE + QPoint(-200, 100), LEFT)
    QTest.mouseRelease(viewport, LEFT, NONE, RIGHT_SIDE)
    assert tool.calls == ["press", "cancel"]
    assert viewport.camera == before
    assert session.view.joints == ()


def test_hiding_the_view_cancels_the_drag(application):
    viewport, _, tool = with_tool()
    QTest.mousePress(viewport, LEFT, NONE, RIGHT_SIDE)
    viewport.hide()
    assert tool.calls == ["press", "cancel"]


def test_modifier_that_changes_while_dragging_moves_again(application):
    viewport, _, tool = with_tool()
    QTest.mousePress(viewport, LEFT, NONE, RIGHT_SIDE)
    QTest.keyPress(viewport, Qt.Key.Key_Control)
    QTest.keyRelease(viewport, Qt.Key.Key_Control)
    QTest.mouseRelease(viewport, LEFT, NONE, RIGHT_SIDE)
    assert tool.calls == ["press", "move", "move", "release"]
    assert [bool(one.modifiers & CONTROL) for one in tool.pointers[1:3]] == [True, False]
    assert tool.pointers[1].pixel == tool.pointers[0].pixel


def test_double_click_on_a_handle_is_a_press_that_says_so(application):
    viewport, _, tool = with_tool()
    before = viewport.camera
    QTest.mouseDClick(viewport, LEFT, NONE, RIGHT_SIDE)
    assert [one.is_double for one, call in zip(tool.pointers, tool.calls, strict=True) if call == "press"][-1]
    QTest.mouseRelease(viewport, LEFT, NONE, RIGHT_SIDE)
    assert tool.calls[-1] == "release"
    assert viewport.camera == before


def in_window_with_shortcuts(viewport, *keys):
    """A window with actions that have these keys -> it and what was triggered."""
    window, triggered = QMainWindow(), []
    for key in keys:
        action = QAction(key, window)
        action.setShortcut(key)
        action.triggered.connect(lambda *_, key=key: triggered.append(key))
        window.addAction(action)
    window.setCentralWidget(viewport)
    window.resize(640, 480)
    window.show()
    QTest.qWaitForWindowExposed(window)
    window.activateWindow()
    viewport.setFocus()
    if not QTest.qWaitForWindowActive(window, 2000):
        pytest.skip("this screen does not give the keyboard to the window")
    return window, triggered


def test_wanted_keys_reach_the_tool_before_shortcuts_and_others_do_not(application):
    viewport, _, tool = with_tool()
    window, triggered = in_window_with_shortcuts(viewport, "X", "M")
    tool.calls.clear()
    QTest.keyClick(viewport, Qt.Key.Key_X)
    QTest.keyClick(viewport, Qt.Key.Key_M)
    assert tool.calls == ["key x"]
    assert triggered == ["M"]
    window.takeCentralWidget().setParent(None)


def test_shortcuts_sleep_while_the_tool_has_the_mouse(application):
    viewport, *_ = with_tool()
    window, triggered = in_window_with_shortcuts(viewport, "M")
    QTest.mousePress(viewport, LEFT, NONE, RIGHT_SIDE)
    QTest.keyClick(viewport, Qt.Key.Key_M)
    assert triggered == []
    QTest.mouseRelease(viewport, LEFT, NONE, RIGHT_SIDE)
    QTest.keyClick(viewport, Qt.Key.Key_M)
    assert triggered == ["M"]
    window.takeCentralWidget().setParent(None)


def test_handles_are_drawn_anew_when_the_camera_moves(application):
    viewport, _, tool = with_tool()
    assert viewport.scene.labels[-1].text == "34°"
    seen = []
    tool.draw = lambda scene, camera, size: seen.append(camera) or Handles()
    drag(viewport, MIDDLE, QPoint(30, 0))
    assert viewport.scene is not None
    assert seen[-1] == viewport.camera


# Shapes and distances


def camera():
    return Camera(target=(0.0, 0.9, 0.0), distance_m=3.0)


def test_metres_at_a_place_are_as_many_pixels_there():
    seen = camera()
    at = np.array([0.2, 1.1, 0.3])
    length = shapes.metres_at(at, 50.0, seen, SIZE)
    pixels, _ = seen.project(np.stack([at, at + length * seen.axes[0]]), SIZE)
    np.testing.assert_allclose(np.linalg.norm(pixels[1] - pixels[0]), 50.0, rtol=1e-9)


def test_ring_is_round_about_its_normal_and_closed():
    normal = np.array([1.0, 2.0, -0.5]) / np.linalg.norm([1.0, 2.0, -0.5])
    points = shapes.ring(np.array([1.0, 2.0, 3.0]), normal, 0.4) - [1.0, 2.0, 3.0]
    np.testing.assert_allclose(np.linalg.norm(points, axis=-1), 0.4)
    np.testing.assert_allclose(points @ normal, 0.0, atol=1e-12)
    np.testing.assert_allclose(points[0], points[-1], atol=1e-12)


@pytest.mark.parametrize("angle", [0.3, -2.0, 5.0])
def test_arc_turns_by_its_angle(angle):
    points = shapes.arc(np.zeros(3), np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0]), angle)
    np.testing.assert_allclose(points[-1], [np.cos(angle), 0.0, -np.sin(angle)], atol=1e-12)


def test_square_faces_the_camera_and_has_its_size():
    pixels, _ = camera().project(shapes.square(np.array([0.1, 1.0, 0.2]), 6.0, camera(), SIZE), SIZE)
    np.testing.assert_allclose(np.ptp(pixels, axis=0), 12.0, rtol=1e-9)


def test_distances_in_pixels_are_those_on_the_screen():
    seen = camera()
    line = np.array([[-0.3, 0.9, 0.0], [0.3, 0.9, 0.0], [0.3, 1.2, 0.0]])
    pixels, _ = seen.project(line, SIZE)
    middle = 0.5 * (pixels[0] + pixels[1])
    across = np.array([pixels[0, 1] - pixels[1, 1], pixels[1, 0] - pixels[0, 0]])
    at = middle + 7.0 * across / np.linalg.norm(across)
    np.testing.assert_allclose(polyline_px(line, seen, tuple(at), SIZE)[0], 7.0, rtol=1e-9)
    beyond = pixels[2] + (pixels[2] - pixels[1])
    np.testing.assert_allclose(
        polyline_px(line, seen, tuple(beyond), SIZE)[1], np.linalg.norm(beyond - pixels[2]), rtol=1e-9
    )
    np.testing.assert_allclose(points_px(line, seen, tuple(pixels[2]), SIZE)[2], 0.0, atol=1e-9)


def test_what_is_behind_the_camera_is_infinitely_far():
    seen = camera()
    behind = seen.eye + 2.0 * seen.axes[2]
    assert np.isinf(points_px(behind[None], seen, (200.0, 150.0), SIZE)[0])
    assert np.isinf(polyline_px(np.stack([behind, np.zeros(3)]), seen, (200.0, 150.0), SIZE)[0])


@pytest.fixture(params=["painter", "opengl"])
def draw(request, application):
    if request.param == "painter":
        return painted
    if not abilities().available:
        pytest.skip("no OpenGL here")
    return drawn


def test_sector_of_more_than_half_a_turn_is_filled_but_for_what_is_left_out(draw):
    front = Camera(target=(0.0, 0.0, 0.0), distance_m=3.0, yaw_rad=0.0, pitch_rad=0.0)
    arc = shapes.arc(np.zeros(3), np.array([0.5, 0.0, 0.0]), np.array([0.0, 0.0, 1.0]), 1.5 * np.pi)
    fills = shapes.filled(np.concatenate([np.zeros((1, 3)), arc]), rgba("#FF0000"))
    scene = Scene(backdrop_of(DARK), grid=False, front_fills=fills)
    picture = pixels_of(draw(scene, front, QSize(300, 300)))
    for x, y, red in ((0.2, 0.2, True), (-0.2, 0.2, True), (-0.2, -0.2, True), (0.2, -0.2, False)):
        (across, down), _ = front.project(np.array([x, y, 0.0]), (300.0, 300.0))
        assert (picture[round(down), round(across), 0] > 0.9) == red, (x, y)


def test_lines_are_as_wide_as_asked_and_an_even_tone_where_they_meet(draw):
    front = Camera(target=(0.0, 0.0, 0.0), distance_m=3.0, yaw_rad=0.0, pitch_rad=0.0)
    points = np.stack([np.linspace(-0.5, 0.5, 21), np.zeros(21), np.zeros(21)], axis=-1)
    lines = shapes.polyline(points, rgba("#FF0000", 0.5), 6.0)
    scene = Scene(backdrop_of(DARK), ground_m=-50.0, grid=False, front_lines=lines)
    picture = pixels_of(draw(scene, front, QSize(300, 300)))
    bare = pixels_of(draw(Scene(backdrop_of(DARK), ground_m=-50.0, grid=False), front, QSize(300, 300)))
    redder = (picture - bare)[..., 0]
    assert 5 <= np.count_nonzero(redder[:, 150] > 0.1) <= 8
    assert np.ptp(redder[150, 110:190]) < 0.12
