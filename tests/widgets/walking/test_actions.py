"""The Walk workspace in the real window: a path drawn, styles dropped, border, point and box dragged, all undone."""

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from editor.posing.commands import set_pose
from editor.posing.edit import TargetPose
from editor.stack.markers import add_marker
from editor.walking.commands import set_walk_path
from editor.walking.source import WalkAlongPath
from model.files.project_file import read_project, write_project
from model.path import Path
from model.roles import Role
from resources import samples
from tests.app.test_window import LEFT, drag, mouse, settings, settle, wait_for, window  # noqa: F401  fixtures
from tests.app.windows import state_of
from widgets.common.clip_mime import CLIP_FORMAT
from widgets.timeline.markers import placed_markers
from widgets.walking.path_editing import PathEditing


def sample(name):
    return next(path for path in samples() if path.stem == name)


def dropped(canvas, data, place):
    arguments = (Qt.DropAction.CopyAction | Qt.DropAction.MoveAction, data, LEFT, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(canvas, QDragEnterEvent(place, *arguments))
    QApplication.sendEvent(canvas, QDropEvent(QPointF(place), *arguments))


def pixel(canvas, place):
    x, y = canvas.plan.to_px(np.array(place)).tolist()
    return QPoint(round(x), round(y))


def draw(canvas):
    """An S over most of the canvas."""
    from PySide6.QtCore import QEvent

    none = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
    t = np.linspace(0.0, 1.0, 50)
    wide, tall = canvas.width(), canvas.height()
    points = [QPoint(round(30 + x * (wide - 60)), round(tall / 2 - 0.3 * tall * np.sin(5.0 * x))) for x in t.tolist()]
    mouse(canvas, QEvent.Type.MouseButtonPress, points[0], LEFT, LEFT, none[1])
    for point in points[1:]:
        mouse(canvas, QEvent.Type.MouseMove, point, none[0], LEFT, none[1])
    mouse(canvas, QEvent.Type.MouseButtonRelease, points[-1], LEFT, none[0], none[1])


@pytest.fixture
def walking(window):  # noqa: F811
    """The window in its Walk workspace with a path drawn by hand."""
    window.go_to_workspace("Walk")
    settle(window)
    QTest.mouseClick(window.docks["Path"].widget().draw_button, LEFT)
    draw(window.docks["Path"].widget().canvas)
    wait_for(lambda: state_of(window, PathEditing).result is not None)
    settle(window)
    return window


def test_newcomer_draws_and_sees_a_sample_walk(walking):
    window = walking  # noqa: F811
    assert [clip.name for clip in window.document.project.clips] == ["walk", "Path walk"]
    assert window.showing.current.clip.name == "Path walk"
    assert window.document.undo_text == "Draw a path"
    assert len(state_of(window, PathEditing).result.footprints) > 8
    assert window.docks["Path"].widget().told.text().endswith("steps")
    assert window.timeline.playback.playing


def test_styles_border_point_and_box_are_dragged_and_all_undone(walking):
    window, canvas, editing = walking, walking.docks["Path"].widget().canvas, state_of(walking, PathEditing)  # noqa: F811
    length = editing.track.length_m
    walk = editing.clip_id
    for name, part in (("happy", 0.4), ("tired", 0.7)):
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(sample(name)))])
        count = len(editing.bands)
        dropped(canvas, data, pixel(canvas, editing.track.place(part * length)))
        wait_for(lambda count=count: len(editing.bands) == count + 1)
    data = QMimeData()
    data.setData(CLIP_FORMAT, window.document.project.clips[0].id.encode())
    dropped(canvas, data, pixel(canvas, editing.track.place(0.9 * length)))
    assert [band.name for band in editing.bands] == ["walk", "happy", "tired", "walk"]
    assert window.session.view.clip == walk
    wait_for(lambda: editing.result is not None and len(editing.result.fades) == 3)
    settle(window)
    canvas.frame_all()
    free = canvas.plan.to_m(canvas.width() - 40, 30)  # where the S does not go
    next(one for one in window.docks["Path"].widget().ground_menu.actions() if one.text() == "Box").trigger()
    drag(canvas, pixel(canvas, np.subtract(free, 0.25)), pixel(canvas, np.add(free, 0.25)))
    assert window.document.undo_text == "Add a box"

    before = editing.walk.styles[1].from_m
    drag(canvas, pixel(canvas, editing.track.place(before)), pixel(canvas, editing.track.place(before - 0.5)))
    assert editing.walk.styles[1].from_m == pytest.approx(before - 0.5, abs=0.1)
    end = editing.path.x_z[-1]
    lower = np.add(end, (0.0, 0.4))
    drag(canvas, pixel(canvas, end), pixel(canvas, lower))
    assert editing.path.x_z[-1] == pytest.approx(lower, abs=0.05)
    centre = np.array(window.document.project.ground.boxes[0].center)
    aside = centre - (0.4, 0.0)
    drag(canvas, pixel(canvas, centre), pixel(canvas, aside))
    assert np.allclose(window.document.project.ground.boxes[0].center, aside, atol=0.05)
    wait_for(lambda: not window.jobs.running)
    assert state_of(window, PathEditing).failure is None

    while window.document.undo():
        pass
    assert window.document.project.clips == ()
    assert window.docks["Path"].widget().welcome.isVisible()


def test_what_was_done_to_a_step_stays_with_it_while_the_path_is_dragged(walking):
    window, canvas, editing = walking, walking.docks["Path"].widget().canvas, state_of(walking, PathEditing)  # noqa: F811
    window.timeline.playback.pause()
    sixth = editing.result.footprints[5]
    window.session.look(time_s=sixth.start_s)
    window.actions_["add_marker"].trigger()
    assert window.document.undo_text.startswith("Add marker at step ")
    before_s = placed_markers(window.showing.current)[0].time_s
    assert before_s == pytest.approx(sixth.start_s, abs=0.01)
    first = np.array(editing.path.x_z[0])
    drag(canvas, pixel(canvas, first), pixel(canvas, np.add(first, (-0.1, 0.7))))
    wait_for(lambda: not window.jobs.running and len(editing.result.footprints) > 6)
    settle(window)
    dragged_s = placed_markers(window.showing.current)[0].time_s
    assert dragged_s == pytest.approx(editing.result.footprints[5].start_s, abs=0.03)
    QTest.mouseClick(window.docks["Path"].widget()._buttons["start_standing"], LEFT)
    wait_for(
        lambda: not window.jobs.running and window.showing.current.source.contacts.limbs["right_foot"][0].start == 0
    )
    settle(window)
    standing_s = placed_markers(window.showing.current)[0].time_s
    assert standing_s > dragged_s + 0.4
    # Both feet stand at first: the one that goes first has a footprint more.
    same = editing.result.footprints[6]
    assert same.foot == sixth.foot
    assert standing_s == pytest.approx(same.start_s, abs=0.05)
    # The playhead was at the marker, and went along with its step; undo brings it back.
    assert window.session.view.time_s == pytest.approx(standing_s, abs=0.01)
    assert f"{standing_s:.1f}" in window.statusBar().place.text()
    window.document.undo()
    settle(window)
    assert window.session.view.time_s == pytest.approx(dragged_s, abs=0.01)


def test_step_that_the_path_has_lost_is_told_beside_the_canvas(walking):
    window, editing = walking, state_of(walking, PathEditing)  # noqa: F811
    window.timeline.playback.pause()
    skeleton = window.showing.current.take.motion.skeleton
    spine = skeleton.ref(skeleton.joint(Role.SPINE))
    at_s = window.showing.current.source_s(editing.result.footprints[-2].start_s)
    window.document.do(set_pose, editing.clip_id, None, TargetPose(at_s, ((spine, (0.3, 0.0, 0.0)),)))
    wait_for(lambda: len(window.showing.current.stages) == 2 and not window.jobs.running)
    assert window.docks["Path"].widget().told.text().endswith("steps")
    first, second = editing.path.x_z[:2]
    short = Path.through([first, np.add(first, 0.5 * np.subtract(second, first))])
    window.document.do(set_walk_path, editing.clip_id, short)
    window.document.do(add_marker, editing.clip_id, at_s + 1.0)
    wait_for(lambda: not window.jobs.running and "gone" in window.docks["Path"].widget().told.text())
    assert window.docks["Path"].widget().told.text().endswith("are gone"), "that of the pose and that of the marker"
    count = window.showing.current.stages[0].steps.last
    assert f", {count} steps; steps " in window.docks["Path"].widget().told.text()
    assert any("is gone" in note for note in window.showing.current.stages[-1].notes)


def test_walk_is_saved_and_opened_again(walking, tmp_path):
    window = walking  # noqa: F811
    kinds = window.files.kinds
    write_project(window.document.project, tmp_path / "walk.mwright", kinds)
    again = read_project(tmp_path / "walk.mwright", kinds).project
    assert again.clips[-1].source == window.document.project.clips[-1].source


def test_example_has_three_styles_and_plays(window):  # noqa: F811
    offered = window.menus["File/Samples"].actions()[-1]  # where a newcomer looks
    assert offered is window.actions_["walk_example"]
    offered.trigger()
    wait_for(lambda: state_of(window, PathEditing).result is not None)
    source = window.document.project.clips[-1].source
    assert isinstance(source, WalkAlongPath)
    assert len(source.styles) == 3
    assert window.document.undo_text == "Draw a path"
    assert window.workspaces.current.name == "Walk"


def test_path_is_drawn_and_edited_on_the_floor_of_the_viewport(window):  # noqa: F811
    window.actions_["tool_path"].trigger()
    window.files.open_paths([sample("walk")])
    wait_for(lambda: window.showing.current is not None)
    settle(window)
    window.actions_["view_top"].trigger()
    settle(window)
    view = window.viewport
    middle = QPoint(view.width() // 2, view.height() // 2)
    drag(view, middle - QPoint(100, 40), middle + QPoint(100, 60))
    wait_for(lambda: state_of(window, PathEditing).result is not None)
    assert len(state_of(window, PathEditing).path.points) >= 2
    window.document.undo()
    assert len(window.document.project.clips) == 1


def test_clip_lends_its_way(window):  # noqa: F811
    window.files.open_paths([sample("walk")])
    wait_for(lambda: window.showing.current is not None)
    window.actions_["path_from_clip"].trigger()
    wait_for(lambda: state_of(window, PathEditing).result is not None)
    root = window.document.project.clips[0].source.motion.root_positions
    assert state_of(window, PathEditing).track.length_m == pytest.approx(
        np.hypot(*np.ptp(root[:, [0, 2]], axis=0)), rel=0.15
    )
