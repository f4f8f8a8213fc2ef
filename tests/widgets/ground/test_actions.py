"""The ground in the whole window: drawn up with the mouse, shaped, heeded by the clip, undone, saved and read back."""

import json
import os
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from editor.ground.shaping import grips
from editor.posing.adapt_to_ground import AdaptToGround
from editor.posing.edit import TargetPoses
from editor.stack.layers import add_edit
from model.files.ground_file import read_ground
from model.ground import Box, Ramp, Stairs
from model.roles import Role
from tests.app.test_window import WALK, drop, key, mouse, settings, settle, wait_for, window  # noqa: F401  fixtures
from tests.app.windows import state_of
from widgets.ground.actions import GroundActions
from widgets.ground.editing import GroundEditing
from widgets.ground.properties import GroundProperties
from widgets.posing.limb_lengths import LimbLengths

LEFT, NO = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
NONE, CONTROL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def opened(window):  # noqa: F811
    """The window with the sample walk, seen from above and aside, the ground tool in the hand."""
    drop(window, WALK)
    wait_for(lambda: window.showing.current is not None)
    settle(window)
    window.viewport.rig.animated = False
    window.viewport.set_options(follow=False)
    window.session.look(time_s=1.0)
    x, z = way(window, 0.3)
    window.viewport.rig.set(replace(window.viewport.camera, target=(x, 0.4, z), distance_m=5.0))
    window.viewport.setFocus()
    QApplication.processEvents()
    key(window, Qt.Key.Key_B)
    return window


def pixel(on, x, y, z):
    view = on.viewport
    floor = state_of(on, GroundEditing).floor_m
    at = view.camera.project(np.array([x, y + floor, z]), (view.width(), view.height()))[0]
    return QPointF(float(at[0]), float(at[1])).toPoint()


def press(on, pressed):
    """Press a key while the viewport has the keyboard."""
    on.viewport.setFocus()
    QTest.keyClick(on.viewport, pressed)


def drag(on, start, stop, modifiers=NONE, let_go=True):
    view = on.viewport
    mouse(view, QEvent.Type.MouseMove, start, NO, NO, modifiers)
    mouse(view, QEvent.Type.MouseButtonPress, start, LEFT, LEFT, modifiers)
    for part in np.linspace(0.2, 1.0, 5):
        mouse(view, QEvent.Type.MouseMove, start + (stop - start) * float(part), NO, LEFT, modifiers)
    if let_go:
        mouse(view, QEvent.Type.MouseButtonRelease, stop, LEFT, NO, modifiers)


def click(on, at):
    mouse(on.viewport, QEvent.Type.MouseMove, at, NO, NO, NONE)
    mouse(on.viewport, QEvent.Type.MouseButtonPress, at, LEFT, LEFT, NONE)
    mouse(on.viewport, QEvent.Type.MouseButtonRelease, at, LEFT, NO, NONE)


def way(on, share):
    """Where the walk is on the floor, x and z, after a share of its time."""
    motion = on.showing.current.source.motion
    pelvis = motion.skeleton.joint(Role.PELVIS) or 0
    x, _, z = motion.world.positions[int(share * (motion.frames - 1)), pelvis].tolist()
    return x, z


def worked_out(on):
    wait_for(lambda: not on.jobs.running)
    QApplication.processEvents()


def look(on, name):
    """Keep a picture where somebody wants to see it."""
    folder = os.environ.get("GROUND_PICTURES")
    if folder:
        worked_out(on)
        on.grab().save(f"{folder}/{name}_{'painter' if on.viewport.options.painter else 'gl'}.png")


def box_in_the_way(on):
    """Draw a box in front of the figure with the mouse. -> it."""
    (x, z), ground = way(on, 0.3), state_of(on, GroundEditing)
    state_of(on, GroundActions).bar.buttons["box"].click()
    look(on, "0_drawing")
    drag(on, pixel(on, x - 0.6, 0.0, z - 0.5), pixel(on, x + 0.6, 0.0, z + 0.5))
    assert ground.mode == "select"
    return ground.selected


def grip(on, part):
    return next(one for one in grips(state_of(on, GroundEditing).selected) if one.part == part).place


def test_box_is_drawn_moved_resized_turned_raised_and_deleted_one_step_each(opened):
    document, editing = opened.document, state_of(opened, GroundEditing)
    look(opened, "empty")
    box = box_in_the_way(opened)
    x, z = way(opened, 0.3)
    assert isinstance(box, Box)
    assert np.allclose(box.center, (x, z), atol=0.02)
    assert np.allclose(box.size_m, (1.2, 1.0), atol=0.04)
    assert document.undo_text == "Add a box"
    look(opened, "1_box")

    there = (box.center[0] + 0.4, box.height_m, box.center[1] + 0.4)
    drag(opened, pixel(opened, there[0] - 0.1, *there[1:]), pixel(opened, *there))
    after = editing.selected
    assert document.undo_text == "Move box 1"
    assert after.size_m == box.size_m
    assert np.allclose(np.subtract(after.center, box.center), (0.1, 0.0), atol=0.02)

    place = grip(opened, "z+")
    drag(opened, pixel(opened, *place), pixel(opened, place[0], place[1], place[2] + 0.4))
    longer = editing.selected
    assert document.undo_text == "Resize box 1"
    assert longer.size_m[1] == pytest.approx(after.size_m[1] + 0.4, abs=0.03)
    assert longer.center[1] - 0.5 * longer.size_m[1] == pytest.approx(after.center[1] - 0.5 * after.size_m[1], abs=1e-9)

    place = grip(opened, "height")
    drag(opened, arrow_pixel(opened, place), arrow_pixel(opened, place, 0.15))
    assert document.undo_text == "Set the height of box 1"
    assert editing.selected.height_m == pytest.approx(longer.height_m + 0.15, abs=0.03)

    place = grip(opened, "turn")
    middle = np.array([editing.selected.center[0], place[1], editing.selected.center[1]])
    beside = middle + np.array([0.7, 0.0, 0.7]) * np.linalg.norm(np.array(place) - middle)
    drag(opened, pixel(opened, *place), pixel(opened, *beside), CONTROL)
    assert document.undo_text == "Turn box 1"
    assert editing.selected.yaw_rad == pytest.approx(np.radians(45.0))
    look(opened, "2_shaped")

    press(opened, Qt.Key.Key_Delete)
    assert document.undo_text == "Remove box 1"
    assert document.project.ground.is_flat
    assert len(document.steps) == 7  # with that which opened the clip
    for _ in range(6):
        document.undo()
    assert document.project.ground.is_flat
    assert document.done == 1
    for _ in range(5):
        document.redo()
    assert document.project.ground.boxes[0].yaw_rad == pytest.approx(np.radians(45.0))


def arrow_pixel(on, place, by_m=0.0):
    """Where the arrow over a grip is held, or is pulled to."""
    shaft = pixel(on, *place) - QPointF(0.0, 30.0).toPoint()
    return shaft + (pixel(on, place[0], place[1] + by_m, place[2]) - pixel(on, *place))


def test_figure_steps_onto_a_box_once_that_is_offered_and_follows_while_it_is_dragged(opened):
    document, editing = opened.document, state_of(opened, GroundEditing)
    before = opened.showing.current.final.motion
    box = box_in_the_way(opened)
    worked_out(opened)
    assert opened.showing.current.final.motion is before
    assert "goes through" in state_of(opened, GroundActions).bar.hint.text()
    assert state_of(opened, GroundActions).bar.adapt_button.isVisible()
    state_of(opened, GroundActions).bar.adapt_button.click()
    worked_out(opened)
    assert document.undo_text == "Add adapt to ground"
    assert not state_of(opened, GroundActions).bar.adapt_button.isVisible()
    assert highest(opened) > highest_of(before) + 0.1
    look(opened, "3_adapted")

    start = pixel(opened, box.center[0], box.height_m, box.center[1])
    away = pixel(opened, box.center[0] + 3.0, box.height_m, box.center[1])
    adapted = highest(opened)
    drag(opened, start, away, let_go=False)
    wait_for(lambda: not opened.jobs.running and highest(opened) < adapted - 0.05)
    press(opened, Qt.Key.Key_Escape)
    wait_for(lambda: not opened.jobs.running and highest(opened) == pytest.approx(adapted))
    mouse(opened.viewport, QEvent.Type.MouseButtonRelease, away, LEFT, NO, NONE)
    assert editing.selected == box
    assert document.undo_text == "Add adapt to ground"


def highest(on):
    return highest_of(on.showing.current.final.motion)


def highest_of(motion):
    return float(np.max(motion.world.positions[..., 1]))


def test_stairs_and_ramps_are_drawn_from_start_to_end_and_a_click_puts_one_across_the_way(opened):
    editing, (x, z) = state_of(opened, GroundEditing), way(opened, 0.3)
    opened.actions_["add_stairs"].trigger()
    drag(opened, pixel(opened, x, 0.0, z - 0.7), pixel(opened, x, 0.0, z + 0.7))
    flight = editing.selected
    assert isinstance(flight, Stairs)
    assert (flight.count, flight.count * flight.depth_m) == (4, pytest.approx(1.4, abs=0.04))
    assert opened.document.undo_text == "Add stairs"
    look(opened, "4_stairs")
    press(opened, Qt.Key.Key_Delete)
    opened.actions_["add_ramp"].trigger()
    click(opened, pixel(opened, x, 0.0, z))
    ramp = editing.selected
    assert isinstance(ramp, Ramp)
    ahead = np.subtract(ramp.end, ramp.start)
    along = np.subtract(way(opened, 1.0), way(opened, 0.0))
    assert float(ahead @ along) / np.linalg.norm(ahead) / np.linalg.norm(along) > 0.99
    look(opened, "5_ramp")
    place = grip(opened, "end")
    drag(opened, pixel(opened, *place), pixel(opened, place[0] + 0.5, place[1], place[2]))
    assert editing.selected.end[0] == pytest.approx(ramp.end[0] + 0.5, abs=0.03)


def test_escape_ends_drawing_and_then_selects_nothing(opened):
    editing = state_of(opened, GroundEditing)
    state_of(opened, GroundActions).bar.buttons["ramp"].click()
    opened.viewport.setFocus()
    press(opened, Qt.Key.Key_Escape)
    assert editing.mode == "select"
    box_in_the_way(opened)
    opened.viewport.setFocus()
    assert editing.name == ("box", 0)
    press(opened, Qt.Key.Key_Escape)
    assert editing.name is None
    box = opened.document.project.ground.boxes[0]
    click(opened, pixel(opened, box.center[0] + 0.4, box.height_m, box.center[1] + 0.3))
    assert editing.name == ("box", 0)
    key(opened, Qt.Key.Key_Q)
    assert editing.name is None
    assert not state_of(opened, GroundActions).bar.isVisible()


def test_inspector_has_the_numbers_of_what_is_selected(opened):
    box_in_the_way(opened)
    panel = opened.inspector.part(GroundProperties)
    assert panel.isVisible()
    field = panel.fields["Height"]
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "35 cm")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert state_of(opened, GroundEditing).selected.height_m == pytest.approx(0.35)
    assert opened.document.undo_text == "Set the height of box 1"
    QTest.keyClick(field, Qt.Key.Key_Up)
    QTest.keyClick(field, Qt.Key.Key_Up)
    assert state_of(opened, GroundEditing).selected.height_m == pytest.approx(0.36)
    opened.document.undo()
    assert state_of(opened, GroundEditing).selected.height_m == pytest.approx(0.35)
    look(opened, "6_inspector")


def test_grounds_are_dropped_exported_saved_and_read_back(opened, tmp_path, monkeypatch):
    told = {
        "boxes": [{"center": [0, 1], "size": [1, 1], "height": 0.2, "yaw": 0}],
        "ramps": [{"from": [3, 0], "to": [3, 2], "width": 1, "heights": [0, 0.4]}],
    }
    (tmp_path / "park.json").write_text(json.dumps(told))
    (tmp_path / "hill.obj").write_text("v 4 0 0\nv 5 0 0\nv 4 1 1\nf 1 2 3\n")
    drop(opened, tmp_path / "park.json", tmp_path / "hill.obj")
    wait_for(lambda: len(opened.document.project.ground.objects) == 3)
    assert {step.sentence for step in opened.document.steps} >= {"Import park.json", "Import hill.obj"}
    look(opened, "7_dropped")

    state_of(opened, GroundActions).export_file(tmp_path / "out.json")
    wait_for(lambda: "Wrote out.json" in opened.banner.text)
    assert read_ground(tmp_path / "out.json").boxes == opened.document.project.ground.boxes

    clip = opened.session.view.clip
    state_of(opened, GroundEditing).adapt()
    assert isinstance(opened.document.project.clip(clip).layers[-1].edit, AdaptToGround)
    ground = opened.document.project.ground
    opened.files.save(tmp_path / "park.mwright")
    wait_for(lambda: not opened.document.modified)
    opened.files.new_project()
    assert opened.document.project.ground.is_flat
    opened.files.open_project(tmp_path / "park.mwright")
    wait_for(lambda: opened.document.project.clips)
    assert opened.document.project.ground == ground


def test_legs_are_made_shorter_in_the_inspector_and_the_clip_follows(opened):
    clip = opened.session.view.clip
    opened.document.do(add_edit, clip, TargetPoses(grounded=True))
    opened.session.look(layer=opened.document.project.clip(clip).layers[-1].id)
    worked_out(opened)
    before = highest(opened)
    field = opened.inspector.part(LimbLengths).fields["legs"]
    assert field.isVisible()
    assert field.text() == "100 %"
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "60")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert opened.document.undo_text == "Set the length of legs to 60%"
    wait_for(lambda: not opened.jobs.running and highest(opened) < before - 0.2)
    assert opened.inspector.part(LimbLengths).fields["left leg"].text() == "60 %"
    look(opened, "8_lengths")
    opened.document.undo()
    wait_for(lambda: not opened.jobs.running and highest(opened) == pytest.approx(before))
    assert field.text() == "100 %"


def test_broken_ground_file_is_told_of_and_changes_nothing(opened, tmp_path):
    (tmp_path / "broken.json").write_text('{"boxes": [{"center": [0, 1]}]}')
    drop(opened, tmp_path / "broken.json")
    wait_for(lambda: "broken.json" in opened.banner.text)
    assert "box 0 has no 'size'" in opened.banner.text
    assert opened.document.project.ground.is_flat
    assert not opened.document.steps or opened.document.undo_text != "Import broken.json"
