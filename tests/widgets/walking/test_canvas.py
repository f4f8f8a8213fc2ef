"""The path from above: drawn, pulled about, styles dropped on it; asserted on the document."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from editor.clips.imported import import_file
from editor.gait.parameters import Gait
from editor.gait.source import ProceduralGait
from editor.walking.track import Track
from model.clip import Clip
from model.ground import end_of
from model.path import Path
from model.project import Project
from resources import samples
from tests.widgets.timeline.shown import mouse, move, press, release
from tests.widgets.walking.desk import LINE, Desk
from widgets.common.clip_mime import CLIP_FORMAT
from widgets.walking.painting import free_boxes, thinned

KEY, LEFT = Qt.Key, Qt.MouseButton.LeftButton


@pytest.fixture
def desk(application):
    return Desk(application)


def stroke(canvas, points, let_go=True):
    """Draw through pixels."""
    press(canvas, *points[0])
    for point in points[1:]:
        move(canvas, *point)
    if let_go:
        release(canvas, *points[-1])


def pull(canvas, start, stop, let_go=True, modifiers=Qt.KeyboardModifier.NoModifier):
    ways = [tuple(np.array(start) + part * (np.array(stop) - start)) for part in np.linspace(0.0, 1.0, 6)]
    press(canvas, *ways[0], modifiers)
    for way in ways[1:]:
        move(canvas, *way, modifiers)
    if let_go:
        release(canvas, *ways[-1], modifiers)


def wave(canvas, count=60):
    t = np.linspace(0.0, 1.0, count)
    wide, tall = canvas.width(), canvas.height()
    return [(40 + x * (wide - 80), 0.5 * tall + 0.25 * tall * np.sin(6.0 * x)) for x in t.tolist()]


def drop(canvas, data, x, y):
    arguments = (Qt.DropAction.CopyAction | Qt.DropAction.MoveAction, data, LEFT, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(canvas, QDragEnterEvent(QPointF(x, y).toPoint(), *arguments))
    QApplication.sendEvent(canvas, QDropEvent(QPointF(x, y), *arguments))


def clip_data(clip_id):
    data = QMimeData()
    data.setData(CLIP_FORMAT, clip_id.encode())
    return data


def test_drawn_line_becomes_a_walk_of_the_clip_that_is_shown(application):
    desk = Desk(application, path=None)
    desk.session.look(clip="2")
    assert desk.panel.welcome.isVisible()
    QTest.mouseClick(desk.panel.draw_button, LEFT)
    stroke(desk.canvas, wave(desk.canvas))
    assert [band.name for band in desk.editing.bands] == ["Slow"]
    assert desk.document.undo_text == "Draw a path"
    assert not desk.panel.welcome.isVisible()
    assert desk.editing.result.footprints
    start = desk.canvas.plan.to_px(desk.path.x_z[0])
    assert np.all(np.isfinite(start))
    desk.document.undo()
    assert len(desk.document.project.clips) == 3


def test_new_line_replaces_the_path_in_one_step(desk):
    steps = len(desk.document.steps)
    QTest.keyClick(desk.canvas, KEY.Key_D)
    pixels = wave(desk.canvas)
    stroke(desk.canvas, pixels)
    assert len(desk.document.steps) == steps + 1
    assert not desk.editing.drawing
    assert len(desk.path.points) < 20
    desk.document.undo()
    assert desk.path == LINE


@pytest.mark.parametrize("pixels", [[(200, 200)], [(200, 200), (202, 201), (200, 199)]], ids=["dot", "scribble"])
def test_dot_is_told_and_nothing_changes(desk, pixels):
    desk.editing.set_drawing(True)
    stroke(desk.canvas, pixels)
    assert desk.path == LINE
    assert desk.said
    assert desk.editing.drawing  # the next stroke may be better


def test_point_follows_the_hand_and_is_one_step(desk):
    stop = desk.px(1.0, 3.5)
    pull(desk.canvas, desk.px(0.0, 3.0), stop, let_go=False)
    assert desk.path.x_z[1] == pytest.approx([1.0, 3.5], abs=0.02)
    assert desk.document.steps == ()
    assert desk.editing.result is not None
    release(desk.canvas, *stop)
    assert desk.document.undo_text == "Move point 2"
    desk.document.undo()
    assert desk.path == LINE


def test_escape_puts_a_point_back(desk):
    pull(desk.canvas, desk.px(0.0, 3.0), desk.px(1.0, 3.5), let_go=False)
    QTest.keyClick(desk.canvas, KEY.Key_Escape)
    assert desk.path == LINE
    release(desk.canvas, *desk.px(1.0, 3.5))
    assert desk.path == LINE
    assert desk.document.steps == ()


def test_path_that_cannot_be_walked_stops_the_hand_where_it_can(application):
    desk = Desk(application, Path.through([(0.0, 0.0), (0.0, 1.0)]), ((0.0, "1"),))
    pull(desk.canvas, desk.px(0.0, 1.0), desk.px(0.0, 0.0))
    line = desk.path.x_z
    assert np.hypot(*(line[1] - line[0])) >= 0.3


def test_border_goes_along_the_path(application):
    desk = Desk(application, LINE, ((0.0, "1"), (4.2, "2")))
    pull(desk.canvas, desk.px(0.0, 4.2), desk.px(0.3, 2.0))
    assert desk.walk.styles[1].from_m == pytest.approx(2.0, abs=0.05)
    assert desk.document.undo_text == "Move Slow to 2.00 m"
    desk.document.undo()
    assert desk.walk.styles[1].from_m == pytest.approx(4.2)


def test_box_is_moved_by_hand(desk):
    before = desk.document.project.ground.boxes[0].center
    pull(desk.canvas, desk.px(2.0, 3.0), desk.px(2.5, 4.0))
    assert desk.document.project.ground.boxes[0].center == pytest.approx((2.5, 4.0), abs=0.02)
    assert desk.session.view.ground_object == ("box", 0)
    desk.document.undo()
    assert desk.document.project.ground.boxes[0].center == before


def test_dropped_clip_becomes_a_style_where_it_falls(desk):
    drop(desk.canvas, clip_data("1"), *desk.px(0.2, 5.0))
    assert [round(band.from_m) for band in desk.editing.bands] == [0, 3, 5]
    assert desk.document.undo_text == "Walk as Calm from 5.00 m"


def test_clip_dropped_on_an_empty_floor_walks_straight_on(application):
    desk = Desk(application, path=None)
    drop(desk.canvas, clip_data("2"), 100, 100)
    assert [band.name for band in desk.editing.bands] == ["Slow"]


def test_walk_is_no_style_of_itself(desk):
    drop(desk.canvas, clip_data(desk.editing.clip_id), *desk.px(0.2, 5.0))
    assert len(desk.walk.styles) == 2
    assert desk.said == ["A walk cannot be a style of itself."]


def test_dropped_files_are_handed_on_with_their_place(desk, tmp_path):
    fallen = []
    desk.canvas.files_dropped.connect(lambda paths, at_m: fallen.append((paths, at_m)))
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "run.bvh"))])
    drop(desk.canvas, data, *desk.px(0.2, 5.0))
    ((paths, at_m),) = fallen
    assert paths == [tmp_path / "run.bvh"]
    assert at_m == pytest.approx(5.0, abs=0.05)


@pytest.mark.parametrize("has_path", [True, False])
def test_clip_without_a_loop_is_refused_by_its_name(application, has_path):
    desk = Desk(application, LINE if has_path else None)
    before = desk.document.project
    drop(desk.canvas, clip_data("3"), *(desk.px(0.2, 5.0) if has_path else (100, 100)))
    application.processEvents()
    assert desk.document.project == before
    assert desk.editing.failure is None
    (told,) = desk.said
    assert told.startswith("'Stand' has no loop: it stands")


def test_path_drawn_for_a_clip_without_a_loop_is_walked_by_a_sample(application):
    sample = import_file(next(path for path in samples() if path.stem == "walk"))
    short = Clip("4", "Short", ProceduralGait(Gait(1.6), 0.8))
    desk = Desk(application, path=None)
    desk.editing.usual_style = lambda: sample
    desk.document.restart(Project((short,), 10))
    desk.session.look(clip="4")
    desk.editing.set_drawing(True)
    stroke(desk.canvas, wave(desk.canvas))
    application.processEvents()
    assert [band.name for band in desk.editing.bands] == ["walk"]
    assert desk.editing.result is not None
    assert "Short" in desk.said[0]


def test_styles_keep_their_share_of_a_path_that_is_drawn_anew(desk):
    QTest.keyClick(desk.canvas, KEY.Key_D)
    stroke(desk.canvas, wave(desk.canvas))
    first, second = desk.editing.bands
    assert first.to_m == pytest.approx(0.5 * desk.editing.track.length_m)
    assert second.to_m == pytest.approx(desk.editing.track.length_m)


@pytest.mark.parametrize("kind", ["box", "stairs", "ramp"])
def test_object_is_put_down_with_a_click_along_the_path(desk, kind):
    desk.editing.set_placing(kind)
    stroke(desk.canvas, [desk.px(-1.5, 1.5)])
    (name, one) = [pair for pair in desk.document.project.ground.objects if pair[0][0] == kind][-1]
    assert desk.session.view.ground_object == name
    assert desk.editing.placing is None
    if kind != "box":
        assert one.start == pytest.approx((-1.5, 1.5), abs=0.02)
        assert end_of(one)[0] == pytest.approx(-1.5, abs=0.05)  # it rises the way that the path goes
    desk.canvas.setFocus()
    QTest.keyClick(desk.canvas, KEY.Key_Delete)
    assert name not in dict(desk.document.project.ground.objects)
    assert len(desk.document.steps) == 2


def test_box_is_drawn_up_from_corner_to_corner_and_escape_leaves_none(desk):
    before = desk.document.project.ground
    desk.editing.set_placing("box")
    stroke(desk.canvas, [desk.px(-1.5, 1.0), desk.px(-1.0, 1.8), desk.px(-0.5, 2.0)], let_go=False)
    assert len(desk.document.project.ground.boxes) == 2
    QTest.keyClick(desk.canvas, KEY.Key_Escape)
    assert desk.document.project.ground == before
    assert desk.editing.placing == "box"
    stroke(desk.canvas, [desk.px(-1.5, 1.0), desk.px(-0.5, 2.0)])
    box = desk.document.project.ground.boxes[-1]
    assert box.center == pytest.approx((-1.0, 1.5), abs=0.02)
    assert box.size_m == pytest.approx((1.0, 1.0), abs=0.03)
    assert desk.document.undo_text == "Add a box"


def test_menu_puts_things_on_the_ground_where_it_was_opened(desk):
    menu = desk.canvas.make_menu(QPointF(*desk.px(-1.5, 4.0)).toPoint())
    ground = next(action.menu() for action in menu.actions() if action.text() == "Put on the ground")
    next(action for action in ground.actions() if action.text() == "Box").trigger()
    assert desk.document.project.ground.boxes[-1].center == pytest.approx((-1.5, 4.0), abs=0.03)


def test_keyboard_begins_with_a_straight_line(application):
    desk = Desk(application, path=None)
    desk.session.look(clip="2")
    desk.canvas.setFocus()
    QTest.keyClick(desk.canvas, KEY.Key_D)
    QTest.keyClick(desk.canvas, KEY.Key_Return)
    assert [band.name for band in desk.editing.bands] == ["Slow"]
    assert len(desk.path.points) == 2
    assert not desk.editing.drawing
    QTest.keyClick(desk.canvas, KEY.Key_Tab)
    QTest.keyClick(desk.canvas, KEY.Key_Tab)
    QTest.keyClick(desk.canvas, KEY.Key_Backtab)
    assert desk.editing.selected == {0}


def test_time_that_goes_on_is_no_change_of_the_path(desk):
    heard = []
    desk.editing.changed.connect(lambda: heard.append(1))
    desk.session.look(time_s=1.0)
    assert not heard


def test_points_selected_on_one_walk_are_not_on_another(desk):
    desk.editing.select_all()
    desk.session.look(clip="1")
    assert not desk.editing.selected


def test_what_is_walked_is_told_where_it_is_not_what_was_drawn(application):
    t = np.linspace(0.0, 1.0, 60)
    zigzag = Path.through(np.stack([0.4 * np.cos(40.0 * t), 4.0 * t], -1))
    desk = Desk(application, zigzag, ((0.0, "1"), (0.5 * Track.of(zigzag).length_m, "2")))
    assert "m drawn" in desk.panel.told.text()
    assert "m walked" in desk.panel.told.text()
    walk = desk.editing.result
    (fade,) = walk.fades
    middle = round((fade.start_s + 0.5 * fade.length_s) / walk.frame_time_s)
    assert walk.arc_m[middle] / walk.arc_m[-1] == pytest.approx(0.5, abs=0.15)


def test_thinned_line_keeps_corners_between_straights_and_bends():
    bend = np.stack([0.1 * np.arange(400.0), np.zeros(400)], -1)
    corners = np.array([[50.0, 90.0], [140.0, -60.0], [230.0, 90.0]])
    line = thinned(np.concatenate([bend, corners]))
    assert len(line) < 30
    assert all(np.any(np.all(line == corner, axis=1)) for corner in corners)


def test_words_beside_places_hide_neither_each_other_nor_the_path(application):
    path = np.stack([np.arange(0.0, 300.0, 4.0), np.full(75, 100.0)], -1)
    sizes = [(60.0, 18.0)] * 3
    boxes = free_boxes([np.array([x, 100.0]) for x in (100.0, 110.0, 120.0)], sizes, path, (300.0, 200.0))
    for n, box in enumerate(boxes):
        assert not any(box.contains(QPointF(*pixel)) for pixel in path.tolist())
        assert not any(box.intersects(other) for other in boxes[:n])


def test_double_click_on_the_line_adds_a_point_and_delete_removes_it(desk):
    mouse(desk.canvas, QEvent.Type.MouseButtonDblClick, *desk.px(0.0, 1.5))
    assert desk.path.x_z[1] == pytest.approx([0.0, 1.5], abs=0.03)
    assert desk.editing.selected == {1}
    QTest.keyClick(desk.canvas, KEY.Key_Delete)
    assert desk.path == LINE


def test_double_click_beside_the_line_lengthens_it(desk):
    mouse(desk.canvas, QEvent.Type.MouseButtonDblClick, *desk.px(0.7, 6.2))
    assert len(desk.path.points) == 4
    assert desk.path.x_z[-1] == pytest.approx([0.7, 6.2], abs=0.03)


def test_keys_choose_and_move_points(desk):
    desk.canvas.setFocus()
    QTest.keyClick(desk.canvas, KEY.Key_Tab)
    QTest.keyClick(desk.canvas, KEY.Key_Tab)
    assert desk.editing.selected == {1}
    for _ in range(3):
        QTest.keyClick(desk.canvas, KEY.Key_Right)
    assert desk.path.x_z[1] == pytest.approx([0.15, 3.0])
    assert len(desk.document.steps) == 1
    QTest.keyClick(desk.canvas, KEY.Key_Insert)
    assert len(desk.path.points) == 4


def test_last_two_points_stay(application):
    desk = Desk(application, Path.through([(0.0, 0.0), (0.0, 3.0)]), ((0.0, "1"),))
    desk.editing.select_all()
    QTest.keyClick(desk.canvas, KEY.Key_Delete)
    assert len(desk.path.points) == 2
    assert desk.said == ["A path needs two points at least."]


def test_arc_is_bent_by_its_handle(application):
    desk = Desk(application, Path.through([(0.0, 0.0), (0.0, 4.0)]), ((0.0, "1"),))
    desk.editing.set_shape("arc")
    ((_, handle),) = desk.editing.bulge_handles
    assert desk.editing.track.nearest(handle)[1] < 0.01  # it lies on the arc
    pull(desk.canvas, desk.px(*handle), desk.px(-1.0, 2.0))
    ((_, handle),) = desk.editing.bulge_handles
    assert handle == pytest.approx((-1.0, 2.0), abs=0.05)
    assert desk.editing.track.nearest((-1.0, 2.0))[1] < 0.05


def test_turned_round_path_is_the_same_line_backwards(application):
    bent = Path.through([(0.0, 0.0), (1.0, 3.0), (4.0, 3.0)], "arc")
    bent = Path(tuple(point.__class__(point.x, point.z, "arc", 0.3) for point in bent.points))
    desk = Desk(application, bent, ((0.0, "1"),))
    before = desk.editing.track.points
    desk.editing.reverse()
    after = desk.editing.track
    assert np.allclose(after.points[0], before[-1])
    assert max(after.nearest((x, z))[1] for x, z in before.tolist()) < 0.01


def test_closed_path_walks_round(desk):
    desk.editing.toggle_closed()
    assert desk.path.closed
    assert desk.document.undo_text == "Close the path"
    desk.editing.toggle_closed()
    assert desk.path == LINE


def test_wheel_zooms_about_the_mouse(desk):
    before = desk.canvas.plan.to_m(100.0, 80.0)
    place = QPointF(100.0, 80.0)
    QApplication.sendEvent(
        desk.canvas,
        QWheelEvent(
            place, QPointF(desk.canvas.mapToGlobal(place)), QPointF(0, 0).toPoint(), QPointF(0, 240).toPoint(),
            Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
        ),
    )  # fmt: skip
    assert desk.canvas.plan.to_m(100.0, 80.0) == pytest.approx(before)


def test_empty_space_is_panned_by_hand(desk):
    before = desk.canvas.plan.centre
    press(desk.canvas, 5, 5)
    move(desk.canvas, 45, 5)
    release(desk.canvas, 45, 5)
    assert desk.canvas.plan.centre[0] == pytest.approx(before[0] - 40 / desk.canvas.plan.pixels_per_m)
    assert desk.document.steps == ()


def test_menu_of_the_line_begins_a_style_there(desk):
    x, y = desk.px(0.0, 4.5)
    menu = desk.canvas.make_menu(QPointF(x, y).toPoint())
    styles = next(action.menu() for action in menu.actions() if action.text() == "Begin a style here")
    next(action for action in styles.actions() if action.text() == "Calm").trigger()
    assert desk.editing.bands[-1].from_m == pytest.approx(4.5, abs=0.05)


def test_picture_shows_path_footprints_and_walker(desk):
    image = desk.canvas.grab().toImage()
    x, y = desk.px(0.0, 1.5)
    colours = {image.pixelColor(int(x) + dx, int(y)).name() for dx in range(-6, 7)}
    assert len(colours) > 3


def test_walker_goes_on_over_a_plan_that_is_not_drawn_anew(desk):
    before, drawn = desk.canvas.grab().toImage(), desk.canvas._still
    desk.session.look(time_s=2.0)
    assert desk.canvas.grab().toImage() != before
    assert desk.canvas._still is drawn
    desk.editing.select_all()
    desk.canvas.grab()
    assert desk.canvas._still is not drawn
