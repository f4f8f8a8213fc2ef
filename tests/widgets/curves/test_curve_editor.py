"""The curve editor, driven with mouse and keys; asserted on the document."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from editor.curves.channels import POSITION, VECTOR, Channel
from editor.curves.edit import Curve, CurveKeys
from editor.curves.editing import Spot
from editor.curves.keys import TANGENTS, Key, Keys
from editor.posing.commands import set_pose
from editor.posing.edit import TargetPose, TargetPoses
from editor.stack.layers import add_edit, set_scope
from editor.timing.edit import Retime, Trim
from model.project import Project
from model.scope import Scope
from tests.widgets.curves.desk import (
    ALT,
    CTRL,
    ELBOW,
    FPS,
    FRAMES,
    HIPS,
    KNEE_X,
    KNEE_Y,
    KNEE_Z,
    NONE,
    SHIFT,
    Desk,
)  # fmt: skip

KEY = Qt.Key
MIDDLE = Qt.MouseButton.MiddleButton
THREE = CurveKeys((Curve(KNEE_X, Keys(tuple(Key(f / FPS, np.radians(v)) for f, v in ((20, 0), (40, 10), (60, 0))))),))


@pytest.fixture
def desk(application):
    """Without any keys yet."""
    return Desk(application)


@pytest.fixture
def keyed(application):
    """With three offset keys on the knee's X, at frames 20, 40 and 60."""
    return Desk(application, THREE)


def selected(desk):
    return sorted(round(spot.time_s * FPS, 3) for spot in desk.editing.selected)


# What is shown


def test_selected_joint_is_shown_by_its_axes(desk):
    assert [track.channel for track in desk.editing.board.tracks] == [KNEE_X, KNEE_Y, KNEE_Z]
    np.testing.assert_allclose(np.degrees(desk.editing.board.tracks[0].values), desk.curve(), atol=1e-9)
    assert desk.editor.values.unit == "°"


def test_nothing_selected_shows_the_roots_place_and_a_hint(desk):
    desk.session.look(joints=())
    assert {track.channel.space for track in desk.editing.board.tracks} == {POSITION}
    assert desk.editor.values.unit == "cm"
    assert desk.editor._hint.isVisible()
    desk.session.look(joints=(ELBOW,))
    assert not desk.editor._hint.isVisible()


def test_selected_root_shows_place_and_turning(desk):
    desk.session.look(joints=(HIPS,))
    assert [track.channel.space for track in desk.editing.board.tracks] == [POSITION] * 3 + ["ZXY"] * 3
    assert desk.editor.values.unit == "cm/°"


def test_rotation_vectors_are_shown_where_wanted(desk):
    desk.editor.bar.space.setCurrentIndex(1)
    assert {track.channel.space for track in desk.editing.board.tracks} == {VECTOR}


def test_joint_with_keys_is_shown_as_they_are(keyed):
    keyed.editor.bar.space.setCurrentIndex(1)
    assert [track.channel for track in keyed.editing.board.tracks] == [KNEE_X, KNEE_Y, KNEE_Z]


def test_without_a_clip_there_is_an_empty_state(application, desk):
    desk.document.restart(Project())
    assert desk.editor._pages.currentWidget() is desk.editor._empty


def test_keys_of_a_trimmed_clip_are_where_they_act(application):
    desk = Desk(application, Trim(start_s=0.5, stop_s=2.5), THREE)
    track = desk.editing.board.track(KNEE_X)
    assert track.times_s * FPS == pytest.approx([5, 25, 45])
    desk.drag(desk.on_curve(25), desk.px(0, 5))
    assert desk.keys_of()[1] == (40.0, pytest.approx(15.0, abs=0.2))


def test_curve_of_a_half_strong_edit_is_what_the_figure_does(application):
    desk = Desk(application, THREE)
    clip = desk.document.project.clips[0]
    desk.document.do(set_scope, clip.id, clip.layers[0].id, Scope(strength=0.5))
    np.testing.assert_allclose(np.degrees(desk.editing.board.track(KNEE_X).values), desk.curve(), atol=1e-6)


# Inserting


def test_double_click_inserts_a_key_that_changes_nothing(desk):
    before = desk.curve()
    desk.double_click(desk.on_curve(30))
    assert desk.keys_of() == [(30.0, 0.0)]
    np.testing.assert_allclose(desk.curve(), before, atol=1e-9)
    assert desk.document.undo_text == "Insert key of left knee"
    assert desk.session.view.layer == desk.document.project.clips[0].layers[-1].id, "what is edited is shown"
    assert selected(desk) == [30.0]


def test_ctrl_click_inserts_between_keys_without_changing_the_curve(keyed):
    before = keyed.curve()
    keyed.click(keyed.on_curve(30), CTRL)
    assert [frame for frame, _ in keyed.keys_of()] == [20.0, 30.0, 40.0, 60.0]
    np.testing.assert_allclose(keyed.curve(), before, atol=1e-9)


def test_k_inserts_at_the_playhead_on_all_seen_channels_or_on_the_active_one(desk):
    desk.session.look(time_s=25 / FPS)
    QTest.keyClick(desk.plot, KEY.Key_K)
    assert [desk.keys_of(channel) for channel in (KNEE_X, KNEE_Y, KNEE_Z)] == [[(25.0, 0.0)]] * 3
    desk.editing.activate([KNEE_Y])
    desk.session.look(time_s=50 / FPS)
    QTest.keyClick(desk.plot, KEY.Key_K)
    assert len(desk.keys_of(KNEE_X)) == 1
    assert len(desk.keys_of(KNEE_Y)) == 2


# Dragging


def test_dragged_curve_moves_only_within_reach_and_is_one_step(desk):
    before = desk.curve()
    desk.drag(desk.on_curve(45), desk.px(0, 12))
    first, middle, last = (frame for frame, _ in desk.keys_of())
    assert (first, middle, last) == (pytest.approx(37.5, abs=0.5), 45.0, pytest.approx(52.5, abs=0.5))
    assert all(frame == round(frame) for frame in (first, middle, last))
    after = desk.curve()
    assert after[45] - before[45] == pytest.approx(12.0, abs=0.3)
    far = np.abs(np.arange(FRAMES) - 45) > 8
    np.testing.assert_allclose(after[far], before[far], atol=1e-9)
    assert [step.sentence for step in desk.document.steps] == ["Pull curve of left knee"]
    desk.undo_all()
    assert desk.document.project.clips[0].layers == ()


def test_escape_while_dragging_a_curve_leaves_no_trace(desk):
    before = desk.document.project
    start = desk.on_curve(45)
    desk.press(start)
    desk.move(start + desk.px(0, 10))
    assert desk.document.is_previewing
    assert len(desk.editing.board.track(KNEE_X).keys) == 3, "seen at once"
    QTest.keyClick(desk.plot, KEY.Key_Escape)
    assert desk.document.project is before
    desk.move(start + desk.px(0, 20))
    desk.release(start + desk.px(0, 20))
    assert desk.document.project is before
    assert desk.document.steps == ()


def test_dragged_key_moves_in_time_and_value(keyed):
    keyed.drag(keyed.on_curve(40), keyed.px(5, 4))
    (_, moved, _) = keyed.keys_of()
    assert moved == (45.0, pytest.approx(14.0, abs=0.2))
    assert keyed.document.undo_text == "Move key of left knee"
    assert selected(keyed) == [45.0]


def test_shift_moves_along_one_axis(keyed):
    keyed.click(keyed.on_curve(40))
    start = keyed.on_curve(40)
    keyed.press(start)
    for part in (0.5, 1.0):
        keyed.move(start + keyed.px(5 * part, 1 * part), SHIFT)
    keyed.release(start + keyed.px(5, 1), SHIFT)
    assert keyed.keys_of()[1] == (45.0, 10.0)


def test_alt_moves_between_frames(keyed):
    start = keyed.on_curve(40)
    keyed.press(start)
    keyed.move(start + keyed.px(2.4, 0), ALT)
    keyed.release(start + keyed.px(2.4, 0), ALT)
    assert keyed.keys_of()[1][0] == pytest.approx(42.4, abs=0.05)


def test_snap_buttons_decide_where_keys_go(keyed):
    keyed.editor.bar.snap_time.click()
    keyed.editor.bar.snap_value.click()
    keyed.drag(keyed.on_curve(40), keyed.px(2.4, 3.3))
    assert keyed.keys_of()[1] == (pytest.approx(42.4, abs=0.05), 13.0)


def test_escape_puts_dragged_keys_back(keyed):
    before = keyed.document.project
    start = keyed.on_curve(40)
    keyed.press(start)
    keyed.move(start + keyed.px(5, 5))
    QTest.keyClick(keyed.plot, KEY.Key_Escape)
    assert keyed.document.project is before
    assert selected(keyed) == [40.0]


# Selecting


def test_box_selects_keys_and_they_move_together_as_one_step(keyed):
    start, stop = keyed.on_curve(15) + QPointF(0, 30), keyed.on_curve(45) + QPointF(0, -40)
    keyed.drag(start, stop - start)
    assert selected(keyed) == [20.0, 40.0]
    keyed.drag(keyed.on_curve(20), keyed.px(-5, 0))
    assert [frame for frame, _ in keyed.keys_of()] == [15.0, 35.0, 60.0]
    assert [step.sentence for step in keyed.document.steps] == ["Move 2 keys of left knee"]


def test_shift_adds_to_the_selection_and_takes_from_it(keyed):
    keyed.click(keyed.on_curve(20))
    keyed.click(keyed.on_curve(60), SHIFT)
    assert selected(keyed) == [20.0, 60.0]
    keyed.click(keyed.on_curve(20), SHIFT)
    assert selected(keyed) == [60.0]
    keyed.click(QPointF(keyed.plot.width() - 30, 8))
    assert selected(keyed) == []


def test_click_on_one_of_several_selected_keys_selects_it_alone(keyed):
    QTest.keyClick(keyed.plot, KEY.Key_A, CTRL)
    assert selected(keyed) == [20.0, 40.0, 60.0]
    keyed.click(keyed.on_curve(40))
    assert selected(keyed) == [40.0]


def test_alt_arrows_go_from_key_to_key_and_escape_selects_none(keyed):
    keyed.session.look(time_s=38 / FPS)
    for wanted in (40.0, 60.0, 20.0):
        QTest.keyClick(keyed.plot, KEY.Key_Right, ALT)
        assert selected(keyed) == [wanted]
    QTest.keyClick(keyed.plot, KEY.Key_Escape)
    assert selected(keyed) == []


def test_shift_with_alt_and_arrows_adds_to_the_selection(keyed):
    keyed.click(keyed.on_curve(20))
    QTest.keyClick(keyed.plot, KEY.Key_Right, ALT | SHIFT)
    assert selected(keyed) == [20.0, 40.0]


def test_alt_up_and_down_scale_what_is_selected_as_one_step(keyed):
    QTest.keyClick(keyed.plot, KEY.Key_Up, ALT)
    assert keyed.document.steps == (), "nothing is selected"
    keyed.click(keyed.on_curve(40))
    QTest.keyClick(keyed.plot, KEY.Key_Up, ALT)
    QTest.keyClick(keyed.plot, KEY.Key_Up, ALT)
    assert keyed.keys_of() == [(20, 0), (40, pytest.approx(12.1)), (60, 0)]
    assert [step.sentence for step in keyed.document.steps] == ["Scale key of left knee"]
    QTest.keyClick(keyed.plot, KEY.Key_Down, ALT)
    assert keyed.keys_of()[1][1] == pytest.approx(11.0)
    keyed.undo_all()
    keyed.session.look(time_s=40 / FPS)
    QTest.keyClick(keyed.plot, KEY.Key_A, CTRL)
    QTest.keyClick(keyed.plot, KEY.Key_Up, ALT | SHIFT)
    assert [frame for frame, _ in keyed.keys_of()] == [18, 40, 62], "in time, about the playhead"


def test_absolute_keys_are_scaled_about_their_mean(application):
    desk = Desk(application, CurveKeys((Curve(KNEE_X, THREE.curves[0].keys, absolute=True),)))
    QTest.keyClick(desk.plot, KEY.Key_A, CTRL)
    before = [value for _, value in desk.keys_of()]
    QTest.keyClick(desk.plot, KEY.Key_Up, ALT)
    after = [value for _, value in desk.keys_of()]
    assert np.mean(after) == pytest.approx(np.mean(before), abs=1e-2)
    assert np.ptp(after) == pytest.approx(1.1 * np.ptp(before), abs=1e-2)


def test_selecting_is_no_change_of_the_document(keyed):
    QTest.keyClick(keyed.plot, KEY.Key_A, CTRL)
    assert not keyed.document.modified


# Keys of the keyboard


def test_arrows_nudge_selected_keys_and_are_one_step(keyed):
    keyed.click(keyed.on_curve(40))
    QTest.keyClick(keyed.plot, KEY.Key_Right)
    QTest.keyClick(keyed.plot, KEY.Key_Right, SHIFT)
    QTest.keyClick(keyed.plot, KEY.Key_Up)
    assert keyed.keys_of()[1] == (51.0, 11.0)
    assert len(keyed.document.steps) == 1
    assert keyed.session.view.time_s == 0.0


def test_arrows_without_a_selection_are_the_windows(keyed):
    QTest.keyClick(keyed.plot, KEY.Key_Right)
    assert keyed.document.steps == ()


def test_delete_removes_the_selected_keys(keyed):
    keyed.click(keyed.on_curve(40))
    QTest.keyClick(keyed.plot, KEY.Key_Delete)
    assert [frame for frame, _ in keyed.keys_of()] == [20.0, 60.0]
    assert keyed.document.undo_text == "Delete key of left knee"


@pytest.mark.parametrize("number", range(1, 7))
def test_digits_and_buttons_choose_the_tangent(keyed, number):
    keyed.click(keyed.on_curve(40))
    QTest.keyClick(keyed.plot, Qt.Key(KEY.Key_0 + number))
    wanted = TANGENTS[number - 1]
    assert keyed.edit.curve(KNEE_X).keys.keys[1].tangent == wanted
    assert keyed.editor.bar.tangents[wanted].isChecked()
    other = TANGENTS[number % 6]
    keyed.editor.bar.tangents[other].click()
    assert keyed.edit.curve(KNEE_X).keys.keys[1].tangent == other


def test_copied_keys_are_pasted_at_the_playhead_on_the_same_and_on_another_channel(keyed):
    keyed.click(keyed.on_curve(20))
    keyed.click(keyed.on_curve(40), SHIFT)
    QTest.keyClick(keyed.plot, KEY.Key_C, CTRL)
    keyed.session.look(time_s=65 / FPS)
    QTest.keyClick(keyed.plot, KEY.Key_V, CTRL)
    assert [frame for frame, _ in keyed.keys_of()] == [20.0, 40.0, 60.0, 65.0, 85.0]
    assert selected(keyed) == [65.0, 85.0]
    keyed.editing.activate([KNEE_Z])
    QTest.keyClick(keyed.plot, KEY.Key_V, CTRL)
    assert keyed.keys_of(KNEE_Z) == [(65.0, 0.0), (85.0, 10.0)]
    keyed.session.look(joints=(ELBOW,))
    QTest.keyClick(keyed.plot, KEY.Key_V, CTRL)
    elbow = Channel(ELBOW, "ZXY", "X")
    assert [frame for frame, _ in keyed.keys_of(elbow)] == [65.0, 85.0]


def test_the_editor_takes_keys_from_the_window_only_for_what_it_does(keyed):
    def is_ours(key, modifiers=NONE):
        event = QKeyEvent(QEvent.Type.ShortcutOverride, key, modifiers)
        event.ignore()
        QApplication.sendEvent(keyed.plot, event)
        return event.isAccepted()

    assert is_ours(KEY.Key_C, CTRL)
    assert is_ours(KEY.Key_F)
    assert not is_ours(KEY.Key_Right)
    assert not is_ours(KEY.Key_1)
    assert not is_ours(KEY.Key_Space)
    keyed.click(keyed.on_curve(40))
    assert is_ours(KEY.Key_Right)
    assert is_ours(KEY.Key_1)
    assert not is_ours(KEY.Key_Space)


# Tangents and scaling by hand


def test_handle_turns_the_tangent(keyed):
    keyed.click(keyed.on_curve(40))
    handle = next(one for one in keyed.plot.layout_.handles() if one.side == "out")
    keyed.drag(handle.at, QPointF(0, -30))
    key = keyed.edit.curve(KNEE_X).keys.keys[1]
    assert key.tangent == "free"
    assert key.slope_out > 0.1
    assert keyed.document.undo_text == "Turn tangent of left knee"


def test_right_edge_of_the_box_scales_in_time_about_the_left(keyed):
    QTest.keyClick(keyed.plot, KEY.Key_A, CTRL)
    grip = next(one for one in keyed.plot.layout_.grips() if one.part == ("right",))
    keyed.drag(grip.rect.center(), keyed.px(20, 0))
    assert [frame for frame, _ in keyed.keys_of()] == [20.0, 50.0, 80.0]
    assert keyed.document.undo_text == "Scale 3 keys of left knee"


def test_edge_of_the_box_makes_offsets_stronger(keyed):
    QTest.keyClick(keyed.plot, KEY.Key_A, CTRL)
    layout = keyed.plot.layout_
    grip = next(one for one in layout.grips() if one.part == ("top",))
    keyed.drag(grip.rect.center(), QPointF(0, -layout.box().height()))
    assert keyed.keys_of()[1] == (40.0, pytest.approx(20.0, abs=0.3))
    assert keyed.keys_of()[0] == (20.0, 0.0)


# Numbers


def test_typed_numbers_change_the_selected_key(keyed):
    keyed.click(keyed.on_curve(40))
    bar = keyed.editor.bar
    value = bar.fields["Value", False]
    assert (bar.time.value, value.value) == (pytest.approx(40 / FPS), pytest.approx(np.radians(10.0)))
    for field, text in ((value, "25"), (bar.time, "45f"), (bar.fields["Slope out", False], "30")):
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, text)
        QTest.keyClick(field, KEY.Key_Return)
    key = keyed.edit.curve(KNEE_X).keys.keys[1]
    assert keyed.keys_of()[1] == (45.0, 25.0)
    assert (key.tangent, np.degrees(key.slope_out)) == ("free", pytest.approx(30.0))
    assert len(keyed.document.steps) == 3


def test_typed_time_moves_several_keys_by_the_first(keyed):
    QTest.keyClick(keyed.plot, KEY.Key_A, CTRL)
    field = keyed.editor.bar.time
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "30f")
    QTest.keyClick(field, KEY.Key_Return)
    assert [frame for frame, _ in keyed.keys_of()] == [30.0, 50.0, 70.0]


def test_dragged_number_is_seen_at_once_and_is_one_step(keyed):
    keyed.click(keyed.on_curve(40))
    field, held = keyed.editor.bar.time, Qt.MouseButton.LeftButton
    middle = field.rect().center()
    QTest.mousePress(field, held, NONE, middle)
    frames = []
    for by in (10, 20, 30):
        at = QPointF(middle) + QPointF(by, 0)
        event = QMouseEvent(
            QEvent.Type.MouseMove, at, QPointF(field.mapToGlobal(at)), Qt.MouseButton.NoButton, held, NONE
        )
        QApplication.sendEvent(field, event)
        frames.append(keyed.keys_of()[1][0])
    QTest.mouseRelease(field, held, NONE, middle)
    assert 40.0 < frames[0] < frames[1] < frames[2]
    assert [step.sentence for step in keyed.document.steps] == ["Move key of left knee"]
    assert keyed.document.undo()
    assert keyed.keys_of()[1][0] == 40.0


def test_numbers_that_differ_are_a_dash(keyed):
    QTest.keyClick(keyed.plot, KEY.Key_A, CTRL)
    assert keyed.editor.bar.fields["Value", False].value is None
    keyed.editing.select(())
    assert not keyed.editor.bar.time.isEnabled()


# What part is seen


def wheel(desk, at, notches, modifiers=NONE):
    event = QWheelEvent(
        at, QPointF(desk.plot.mapToGlobal(at)), QPointF(0, 0).toPoint(), QPointF(0, 120 * notches).toPoint(),
        Qt.MouseButton.NoButton, modifiers, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(desk.plot, event)


@pytest.mark.parametrize(
    ("modifiers", "time", "value"), [(NONE, True, True), (CTRL, True, False), (SHIFT, False, True)]
)
def test_wheel_zooms_both_axes_or_one(desk, modifiers, time, value):
    at = desk.on_curve(30)
    scale, values = desk.plot.layout_.times, desk.plot.values
    wheel(desk, at, 2, modifiers)
    assert (desk.plot.layout_.times.pixels_per_s > scale.pixels_per_s) == time
    assert (desk.plot.values.span < values.span) == value
    assert desk.plot.values.value_at(at.y()) == pytest.approx(values.value_at(at.y()))


def test_middle_drag_pans_and_a_shows_all_again(desk):
    before = desk.plot.values
    wheel(desk, desk.on_curve(45), 5)
    zoomed = desk.plot.layout_.times
    desk.drag(QPointF(300, 100), QPointF(-50, 40), button=MIDDLE)
    assert desk.plot.layout_.times.start_s > zoomed.start_s
    QTest.keyClick(desk.plot, KEY.Key_A)
    assert desk.plot.layout_.times.seen_s == pytest.approx(FRAMES / FPS)
    assert desk.plot.values == before
    assert not desk.document.modified


def test_view_of_everything_grows_with_a_curve_that_is_pulled_out_of_it(desk):
    def is_seen():
        scale, curve = desk.plot.values, desk.curve()
        return scale.low <= curve.min() and curve.max() <= scale.low + scale.span

    before = desk.plot.values
    desk.press(desk.on_curve(45))
    for step in range(1, 6):
        desk.move(desk.on_curve(45) - QPointF(0, 60 * step))
        assert desk.plot.values == before, "nothing slips under the hand"
    desk.release(desk.on_curve(45) - QPointF(0, 300))
    assert desk.document.steps
    assert is_seen()
    wheel(desk, desk.on_curve(20), 3)
    zoomed = desk.plot.values
    desk.drag(desk.on_curve(20), desk.px(0, 150))
    assert desk.plot.values == zoomed, "who looks closely goes on doing so"


def test_f_brings_the_selected_keys_into_view(keyed):
    keyed.click(keyed.on_curve(60))
    QTest.keyClick(keyed.plot, KEY.Key_F)
    scale = keyed.plot.layout_.times
    assert scale.seen_s < 1.0
    assert scale.start_s < 2.0 < scale.start_s + scale.seen_s


def test_time_axis_is_the_timelines(desk):
    desk.timeline.resize(700, 200)
    desk.timeline.show()
    QApplication.processEvents()
    wheel(desk, desk.on_curve(30), 3, CTRL)
    mine, its = desk.plot.layout_.times, desk.timeline.axis.scale
    assert (its.start_s, its.seen_s) == (pytest.approx(mine.start_s), pytest.approx(mine.seen_s))
    desk.timeline.axis.fit()
    assert desk.plot.layout_.times.seen_s == pytest.approx(FRAMES / FPS)


def test_ruler_scrubs(desk):
    ruler = desk.editor.findChild(type(desk.timeline.ruler))
    x = desk.plot.layout_.times.x_of(1.0)
    QTest.mouseClick(ruler, Qt.MouseButton.LeftButton, NONE, QPointF(x, 25).toPoint())
    assert desk.session.view.time_s == pytest.approx(1.0, abs=0.02)


# Channels


def test_eye_and_star_decide_what_is_seen(desk):
    channels = desk.editor.channels
    joint = channels.topLevelItem(0)
    channels.itemClicked.emit(joint.child(1), 1)
    assert [track.channel for track in desk.editing.visible] == [KNEE_X, KNEE_Z]
    channels.itemClicked.emit(joint.child(1), 2)
    assert [track.channel for track in desk.editing.visible] == [KNEE_Y]
    channels.itemClicked.emit(joint.child(1), 2)
    channels.itemClicked.emit(joint.child(1), 1)
    assert len(desk.editing.visible) == 3


def test_h_hides_the_channels_that_are_selected_in_the_list(desk):
    channels = desk.editor.channels
    channels.topLevelItem(0).child(0).setSelected(True)
    assert desk.editing.active == {KNEE_X}
    QTest.keyClick(desk.plot, KEY.Key_H)
    assert [track.channel for track in desk.editing.visible] == [KNEE_Y, KNEE_Z]
    QTest.keyClick(desk.plot, KEY.Key_H)
    assert len(desk.editing.visible) == 3


def test_selecting_a_joints_row_makes_all_its_channels_active(desk):
    desk.editor.channels.topLevelItem(0).setSelected(True)
    assert desk.editing.active == {KNEE_X, KNEE_Y, KNEE_Z}


# Which edit holds the keys


def test_keys_go_on_top_where_another_edit_is_selected(application):
    desk = Desk(application, Trim(start_s=0.2, stop_s=2.8), THREE, Trim(start_s=0.4, stop_s=2.6))
    desk.session.look(layer="e0")
    assert not desk.editing.board.track(KNEE_X).keys.keys, "those of a later edit are not of what is shown"
    desk.drag(desk.on_curve(30), desk.px(0, 8))
    layers = desk.document.project.clips[0].layers
    assert [layer.edit.kind for layer in layers][-1] == "curve_keys"
    assert len(layers) == 4
    assert desk.session.view.layer == layers[-1].id
    pulled = [frame for frame, value in desk.keys_of() if value]
    assert pulled == pytest.approx([36]), "frame 30 of what was shown, from which six are cut off"


def test_selected_edit_of_keys_is_the_one_that_is_changed(application):
    desk = Desk(application, THREE, CurveKeys())
    desk.session.look(layer="e0")
    desk.drag(desk.on_curve(40), desk.px(0, 8))
    layers = desk.document.project.clips[0].layers
    assert len(layers) == 2
    assert np.degrees(layers[0].edit.curves[0].keys.values[1]) == pytest.approx(18.0, abs=0.3)


def test_absolute_keys_stand_in_the_place_of_the_motion(application):
    keys = Keys((Key(0.0, 0.0), Key(1.0, 0.5), Key(2.0, 0.2)))
    desk = Desk(application, CurveKeys((Curve(KNEE_X, keys, absolute=True),)))
    track = desk.editing.board.track(KNEE_X)
    np.testing.assert_array_equal(track.key_values, keys.values)
    desk.drag(desk.on_curve(30), desk.px(0, 5))
    assert desk.edit.curves[0].absolute
    assert np.degrees(desk.edit.curves[0].keys.values[1]) == pytest.approx(np.degrees(0.5) + 5.0, abs=0.3)


def test_undoing_everything_gives_back_the_very_project(keyed):
    start = keyed.document.project
    keyed.drag(keyed.on_curve(40), keyed.px(3, 6))
    keyed.double_click(keyed.on_curve(70))
    QTest.keyClick(keyed.plot, KEY.Key_2)
    keyed.drag(keyed.on_curve(10), keyed.px(0, -5))
    QTest.keyClick(keyed.plot, KEY.Key_A, CTRL)
    QTest.keyClick(keyed.plot, KEY.Key_C, CTRL)
    keyed.session.look(time_s=2.0)
    QTest.keyClick(keyed.plot, KEY.Key_V, CTRL)
    QTest.keyClick(keyed.plot, KEY.Key_Delete)
    assert len(keyed.document.steps) == 6
    final = keyed.document.project
    keyed.undo_all()
    assert keyed.document.project == start
    assert selected(keyed) == []
    while keyed.document.redo():
        pass
    assert keyed.document.project == final


def test_selection_follows_another_clip_or_joint(keyed):
    QTest.keyClick(keyed.plot, KEY.Key_A, CTRL)
    keyed.session.look(joints=(ELBOW,))
    assert keyed.editing.selected == frozenset()


def test_menu_offers_what_can_be_done(keyed):
    menu = keyed.editor.menu_at(keyed.on_curve(30))
    texts = [action.text().partition("\t")[0] for action in menu.actions() if action.text()]
    assert "Insert key on left knee X here" in texts
    menu.actions()[0].trigger()
    assert [frame for frame, _ in keyed.keys_of()] == [20.0, 30.0, 40.0, 60.0]
    menu.close()


def test_spots_of_a_preview_are_those_of_the_moved_keys(keyed):
    start = keyed.on_curve(40)
    keyed.press(start)
    keyed.move(start + keyed.px(10, 0))
    assert selected(keyed) == [50.0]
    keyed.release(start + keyed.px(10, 0))


def test_edit_added_elsewhere_is_followed(desk):
    desk.document.do(add_edit, "1", THREE)
    assert len(desk.editing.board.track(KNEE_X).keys) == 3


def test_takes_that_come_late_do_not_lose_the_keys(desk):
    desk.evaluations.held_back = True
    desk.drag(desk.on_curve(45), desk.px(0, 10))
    assert len(desk.editing.board.track(KNEE_X).keys) == 3, "drawn before the take is worked out"
    desk.evaluations.let_go()
    assert desk.curve()[45] == pytest.approx(np.degrees(desk.editing.board.track(KNEE_X).values[45]), abs=1e-6)


def test_arrows_step_by_shown_frames_where_the_clip_runs_slower(application):
    desk = Desk(application, Retime(((0.0, 0.5),)), THREE)
    track = desk.editing.board.track(KNEE_X)
    assert track.times_s * FPS == pytest.approx([40, 80, 120], abs=1.0)
    desk.click(desk.on_curve(track.times_s[1] * FPS))
    before = desk.editing.board.track(KNEE_X).times_s[1]
    QTest.keyClick(desk.plot, KEY.Key_Right, SHIFT)
    assert (desk.editing.board.track(KNEE_X).times_s[1] - before) * FPS == pytest.approx(10.0, abs=0.51)


def test_handle_stays_in_the_hand_where_the_clip_runs_slower(application):
    desk = Desk(application, Retime(((0.0, 0.5),)), THREE)
    desk.editing.select([Spot(KNEE_X, 40 / FPS)])
    (before,) = (handle for handle in desk.plot.layout_.handles() if handle.side == "out")
    desk.drag(before.at, QPointF(0.0, -40.0))
    (now,) = (handle for handle in desk.plot.layout_.handles() if handle.side == "out")
    assert now.at.y() == pytest.approx(before.at.y() - 40.0, abs=0.5)


def test_key_between_frames_keeps_its_moment_when_it_is_moved_straight_up(application):
    moments = tuple(0.7 + 0.1234567 * n for n in range(12))
    keys = Keys(tuple(Key(moment, 0.1) for moment in moments))
    desk = Desk(application, Retime(((0.0, 0.7),)), CurveKeys((Curve(KNEE_X, keys),)))
    for n in range(len(moments)):
        at = QPointF(*desk.plot.layout_.key_points(desk.editing.board.track(KNEE_X))[n])
        desk.editing.select(())
        desk.press(at)
        desk.move(at + QPointF(0.0, -20.0), SHIFT)
        desk.release(at + QPointF(0.0, -20.0), SHIFT)
    assert len(desk.document.steps) == len(moments)
    assert [key.time_s for key in desk.edit.curve(KNEE_X).keys.keys] == list(moments)


def test_what_others_try_out_is_neither_kept_nor_put_back(keyed):
    keyed.document.preview(set_pose, "1", None, TargetPose(1.0, ((ELBOW, (0.3, 0.0, 0.0)),)))
    for end in (keyed.editing.let_go, keyed.editing.put_back):
        keyed.editing.hold()
        end()
        assert keyed.document.is_previewing
        assert keyed.document.steps == ()
    assert isinstance(keyed.edit, TargetPoses)


def test_hand_lets_go_where_the_project_is_changed_by_others(keyed):
    held = CurveKeys((Curve(KNEE_X, Keys((Key(0.0, 0.5),)), absolute=True),))
    at = keyed.on_curve(40)
    keyed.press(at)
    keyed.move(at + QPointF(0.0, -20.0))
    keyed.document.do(add_edit, "1", held)
    keyed.move(at + QPointF(0.0, -30.0))
    keyed.release(at + QPointF(0.0, -30.0))
    assert [layer.edit for layer in keyed.document.project.clips[0].layers] == [THREE, held]
    assert len(keyed.document.steps) == 1


def test_edge_of_the_box_stays_in_the_hand_while_time_is_zoomed(keyed):
    keyed.editing.select_all()
    (grip,) = (one for one in keyed.plot.layout_.grips() if one.part == ("right",))
    at = grip.rect.center()
    keyed.press(at)
    keyed.move(at + QPointF(10.0, 0.0), ALT)
    keyed.plot._axis.zoom(2.0, 0.0)
    keyed.move(at + QPointF(11.0, 0.0), ALT)
    time_s = keyed.plot.layout_.times.time_at(at.x() + 11.0)
    last_s = keyed.editing.board.track(KNEE_X).times_s[-1]
    assert last_s == pytest.approx(time_s, abs=0.1)


def test_nudges_of_other_keys_are_another_step(keyed):
    for frame in (20, 60):
        keyed.editing.select([Spot(KNEE_X, frame / FPS)])
        for _ in range(3):
            QTest.keyClick(keyed.plot, KEY.Key_Up)
    assert len(keyed.document.steps) == 2
    keyed.document.undo()
    assert keyed.keys_of() == [(20, 3), (40, 10), (60, 0)]


@pytest.mark.parametrize("text", ["1e400", "1e300"])
def test_typed_numbers_beyond_all_measure_are_refused(keyed, text):
    keyed.editing.select([Spot(KNEE_X, 40 / FPS)])
    bar = keyed.editor.bar
    for field in (bar.time, bar.fields["Value", False], bar.fields["Slope in", False]):
        field.setFocus()
        field.setText(text)
        QTest.keyClick(field, KEY.Key_Return)
    assert keyed.document.steps == ()
    assert not keyed.editing.is_holding
    assert keyed.edit == THREE
