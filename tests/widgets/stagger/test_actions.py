"""Staggered poses in the whole window: columns, knots and slants dragged by hand; asserted on document and takes."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from editor.posing.commands import set_pose
from editor.posing.edit import TargetPose
from editor.stack.layers import change_edit
from editor.stagger.edit import Stagger
from editor.stagger.source import StaggeredPosesSource
from model.roles import Role
from model.rotation import angle_between
from resources import samples
from tests.app.windows import painted_window, state_of, wait_for
from widgets.inspector.setting_editors import JointEditor
from widgets.stagger.actions import StaggerActions

WALK = next(path for path in samples() if path.stem == "walk")
LEFT, ALT, SHIFT = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ShiftModifier
NONE = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def window(application, tmp_path):
    with painted_window(application, tmp_path, size=(1400, 1000), workspace="Timing") as made:
        made.file_actions.open_paths([WALK])
        wait_for(lambda: made.showing.current is not None)
        made.actions_["stagger"].trigger()
        wait_for(lambda: state_of(made, StaggerActions).lane.columns is not None)
        settle(made)
        yield made


def settle(window):
    wait_for(lambda: not window.jobs.running and not window.showing.is_late)
    QApplication.processEvents()


def view_of(window):
    return next(view for view in window.timeline.lanes if view.lane is state_of(window, StaggerActions).lane)


def place(window, pose, joint):
    """Where a knot is in its lane's view; joint -1 for the pose as a whole."""
    view, columns = view_of(window), state_of(window, StaggerActions).lane.columns
    rect, scale = view._rows_rect(), view.axis.scale
    if joint < 0:
        return QPoint(round(scale.x_of(columns.centre_s(pose))), round(columns.y_of(0, rect)))
    return columns.place(pose, joint, scale, rect).toPoint()


def drag(window, start, by_px, modifiers=ALT, down=0, release=True):
    view = view_of(window)
    window.timeline._area.ensureVisible(start.x(), view.pos().y() + start.y())
    QTest.mousePress(view, LEFT, modifiers, start)
    for part in (0.3, 0.7, 1.0):
        point = start + QPoint(round(part * by_px), round(part * down))
        event_move(view, point, modifiers)
    if release:
        QTest.mouseRelease(view, LEFT, modifiers, start + QPoint(by_px, down))


def event_move(view, point, modifiers):
    from PySide6.QtCore import QEvent, QPointF
    from PySide6.QtGui import QMouseEvent

    at = QPointF(point)
    QApplication.sendEvent(
        view, QMouseEvent(QEvent.Type.MouseMove, at, view.mapToGlobal(at), Qt.MouseButton.NoButton, LEFT, modifiers)
    )


def edit_of(window):
    return next(layer.edit for layer in window.showing.current.clip.layers if isinstance(layer.edit, Stagger))


def seconds_of(window, pixels):
    scale = view_of(window).axis.scale
    return scale.time_at(pixels) - scale.time_at(0)


def joint_of(window, role):
    return state_of(window, StaggerActions).lane.columns.basis.skeleton.joint(role)


def test_column_dragged_retimes_the_whole_pose_as_one_step(window):
    lane, steps = state_of(window, StaggerActions).lane, len(window.document.steps)
    knots = lane.columns.knots.copy()
    by_s = seconds_of(window, 14)
    drag(window, place(window, 3, -1), 14)
    settle(window)
    (change,) = edit_of(window).changes
    assert change.to_s - change.time_s == pytest.approx(by_s, abs=1e-6)
    assert np.allclose(lane.columns.knots[3] - knots[3], by_s, atol=1e-3)
    assert np.allclose(lane.columns.knots[[1, 5]], knots[[1, 5]])
    assert len(window.document.steps) == steps + 1
    assert "Move pose at" in window.document.steps[-1].sentence
    before, after = window.showing.current.stages[0].take, window.showing.current.final
    assert after.motion.frames == before.motion.frames
    assert not np.allclose(after.motion.root_positions, before.motion.root_positions)
    window.document.undo()
    settle(window)
    assert edit_of(window).changes == ()
    assert np.allclose(lane.columns.knots, knots)


def test_poses_are_found_once_and_shown_although_no_cache_has_room_for_them(window):
    window.evaluator._cache.budget_bytes = 10
    titles = []
    window.jobs.started.connect(lambda job: titles.append(job.title))
    layer = window.showing.current.clip.layers[-1]
    window.document.do(change_edit, window.session.view.clip, layer.id, replace(layer.edit, measure="velocity"))
    wait_for(lambda: titles.count("Finding staggered poses") == 1)
    settle(window)
    assert state_of(window, StaggerActions).lane.columns is not None
    assert titles.count("Finding staggered poses") == 1


def test_knot_dragged_delays_one_joint_in_one_pose(window):
    lane, joint = state_of(window, StaggerActions).lane, joint_of(window, Role.LEFT_ELBOW)
    knots = lane.columns.knots.copy()
    by_s = seconds_of(window, 9)
    drag(window, place(window, 4, joint), 9)
    settle(window)
    moved = lane.columns.knots - knots
    assert moved[4, joint] == pytest.approx(by_s, abs=1e-3)
    moved[4, joint] = 0.0
    assert np.allclose(moved, 0.0, atol=1e-9)
    assert window.document.steps[-1].sentence.startswith("Move left elbow by +")
    assert window.session.view.joints[0].role is Role.LEFT_ELBOW
    rotations = [stage.take.motion.local_rotations for stage in window.showing.current.stages]
    changed = np.flatnonzero(np.any(rotations[0] != rotations[1], axis=(0, 2)))
    assert changed.tolist() == [joint]


def test_slant_dragged_lets_a_limb_lag_more_and_more(window):
    lane = state_of(window, StaggerActions).lane
    elbow, wrist = joint_of(window, Role.RIGHT_ELBOW), joint_of(window, Role.RIGHT_WRIST)
    knots = lane.columns.knots.copy()
    limb = lane.columns.limb_of(wrist)
    start = (place(window, 5, elbow) + place(window, 5, wrist)) / 2
    hit = view_of(window).hit(start.toPointF())
    assert hit.part == "slant"
    drag(window, start, 8)
    settle(window)
    moved = (lane.columns.knots - knots)[5, list(limb)]
    assert moved[0] == pytest.approx(0.0, abs=1e-9)
    assert np.all(np.diff(moved) > 0.0)
    assert np.allclose(np.diff(moved, 2), 0.0, atol=2e-3)
    assert "slant" in window.document.steps[-1].sentence


def test_escape_puts_back_what_is_dragged(window):
    steps, knots = len(window.document.steps), state_of(window, StaggerActions).lane.columns.knots.copy()
    drag(window, place(window, 3, -1), 30, release=False)
    assert window.document.is_previewing
    assert not np.allclose(state_of(window, StaggerActions).lane.columns.knots, knots)
    QTest.keyClick(view_of(window), Qt.Key.Key_Escape)
    settle(window)
    assert len(window.document.steps) == steps
    assert np.allclose(state_of(window, StaggerActions).lane.columns.knots, knots)


def test_knot_stops_before_the_one_of_the_next_pose(window):
    lane, joint = state_of(window, StaggerActions).lane, joint_of(window, Role.LEFT_SHOULDER)
    drag(window, place(window, 2, joint), 600)
    settle(window)
    knots = lane.columns.knots[:, joint]
    assert np.all(np.diff(knots) > 0.0)
    assert lane.columns.basis.plan.near[2, joint]
    assert any("nearer to another pose" in note for note in window.showing.current.stages[-1].notes)


def test_box_selects_knots_that_move_together(window):
    lane = state_of(window, StaggerActions).lane
    shoulder, hand = joint_of(window, Role.LEFT_CLAVICLE), joint_of(window, Role.LEFT_WRIST)
    first, last = place(window, 3, shoulder), place(window, 4, hand)
    left = min(place(window, pose, joint).x() for pose in (3, 4) for joint in lane.columns.limb_of(hand)) - 12
    right = max(place(window, pose, joint).x() for pose in (3, 4) for joint in lane.columns.limb_of(hand)) + 12
    start = QPoint(left, first.y() - 6)
    drag(window, start, right - left, SHIFT, down=last.y() + 6 - start.y())
    assert len(lane.chosen) >= 6
    assert {pose for pose, _ in lane.chosen} == {3, 4}
    knots = lane.columns.knots.copy()
    drag(window, place(window, 3, hand), 6)
    settle(window)
    moved = lane.columns.knots - knots
    assert {tuple(one) for one in np.argwhere(np.abs(moved) > 1e-6)} == set(lane.chosen)


def test_poses_are_added_removed_and_reset_from_the_menu(window):
    lane, view = state_of(window, StaggerActions).lane, view_of(window)
    count = len(lane.columns.centres)
    menu = view.menu_at(place(window, 3, -1).toPointF())
    texts = [action.text() for action in menu.actions()]
    assert "Remove pose" in texts
    menu.actions()[texts.index("Remove pose")].trigger()
    settle(window)
    assert len(lane.columns.centres) == count - 1
    between = (place(window, 2, -1) + place(window, 3, -1)) / 2
    menu = view.menu_at(between.toPointF())
    next(action for action in menu.actions() if action.text().startswith("Add pose at")).trigger()
    settle(window)
    assert len(lane.columns.centres) == count
    assert window.showing.current.final is window.showing.current.stages[0].take, "nothing is staggered yet"
    menu = view.menu_at(place(window, 2, -1).toPointF())
    next(action for action in menu.actions() if action.text() == "Ease in and out").trigger()
    settle(window)
    assert edit_of(window).changes[0].pace_before == 0.0


def test_sliders_are_in_the_inspector_and_show_at_once(window):
    lane = state_of(window, StaggerActions).lane
    knots = lane.columns.knots.copy()
    form = window.inspector.layer_properties.form
    form.editors["succession_s"]._on_changing(0.04)
    assert window.document.is_previewing
    moved = lane.columns.knots - knots
    assert moved[3, joint_of(window, Role.LEFT_ELBOW)] > moved[3, joint_of(window, Role.CHEST)] > 0.01
    form.editors["succession_s"]._on_changed(0.04)
    settle(window)
    assert edit_of(window).succession_s == pytest.approx(0.04)
    joints = form.editors["joint"]
    assert isinstance(joints, JointEditor)
    joints.combo.activated.emit(joints.combo.findText("LeftArm"))
    settle(window)
    assert edit_of(window).joint.role is Role.LEFT_SHOULDER


def test_clip_is_made_of_the_poses_alone(window):
    window.actions_["stagger_clip"].trigger()
    settle(window)
    made = window.document.project.clips[-1]
    assert isinstance(made.source, StaggeredPosesSource)
    assert len(made.source.poses) == len(state_of(window, StaggerActions).lane.columns.centres)


def test_copies_stand_from_the_first_to_the_last_joint_of_the_nearest_pose(window):
    columns = state_of(window, StaggerActions).lane.columns
    window.actions_["ghost_stagger"].trigger()
    for pose in (2, 6):
        window.session.look(time_s=columns.centre_s(pose))
        knots = columns.knots[pose, list(columns.joints)]
        times = state_of(window, StaggerActions).ghosts.times_s(window.session.view.time_s)
        assert (times[0], times[-1]) == pytest.approx((knots.min(), knots.max()))
        assert len(times) == 5


def test_pose_is_pushed_from_the_menu_and_feet_stay(window):
    menu = view_of(window).menu_at(place(window, 3, -1).toPointF())
    push = next(action for action in menu.actions() if "from the mean" in action.text())
    push.trigger()
    push.trigger()
    settle(window)
    assert edit_of(window).changes[0].away == pytest.approx(0.5)
    assert not window.showing.current.stages[-1].failed
    assert "farther from the mean" in window.document.steps[-1].sentence


def test_target_pose_becomes_part_of_the_staggered_one(window):
    columns = state_of(window, StaggerActions).lane.columns
    moment, skeleton = columns.centre_s(4), columns.basis.skeleton
    arm = skeleton.joint(Role.LEFT_SHOULDER)
    before = window.showing.current.stages[0].take.motion
    pose = TargetPose(moment, ((skeleton.ref(arm), (0.0, 0.0, 0.5)),))
    window.document.do(set_pose, window.session.view.clip, None, pose)
    settle(window)
    window.actions_["take_in_poses"].trigger()
    settle(window)
    clip = window.showing.current.clip
    assert [type(layer.edit) for layer in clip.layers] == [Stagger]
    (change,) = edit_of(window).changes
    assert change.time_s == pytest.approx(moment)
    frame = round(moment / before.frame_time_s)
    turned = window.showing.current.final.motion.local_rotations[frame, arm]
    assert angle_between(turned, before.local_rotations[frame, arm]) == pytest.approx(0.5, abs=0.02)
    window.document.undo()
    settle(window)
    assert len(window.showing.current.clip.layers) == 2


def test_keys_select_poses_and_nudge_them(window):
    view, lane = view_of(window), state_of(window, StaggerActions).lane
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window)
    view.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(view, Qt.Key.Key_Right)
    QTest.keyClick(view, Qt.Key.Key_Right)
    assert lane.chosen == {(1, -1)}
    before = lane.columns.centres.copy()
    QTest.keyClick(view, Qt.Key.Key_Right, ALT)
    settle(window)
    step_s = lane.columns.basis.before.motion.frame_time_s
    assert lane.columns.centres[1] - before[1] == pytest.approx(step_s, abs=1e-6)
    assert "1 knots" in lane.accessible_text() or "selected" in lane.accessible_text()


def test_lane_without_the_edit_offers_it(window):
    window.document.undo()
    settle(window)
    lane = state_of(window, StaggerActions).lane
    assert lane.rows == ()
    assert "double click" in lane.nothing
    QTest.mouseDClick(view_of(window), LEFT, NONE, QPoint(400, 10))
    wait_for(lambda: lane.columns is not None)
    assert edit_of(window) == Stagger()
    window.go_to_workspace("Edit")
    assert view_of(window).folded
    window.go_to_workspace("Timing")
    assert not view_of(window).folded


def test_empty_lane_is_seen_for_timing_only(window):
    lane = view_of(window)
    window.go_to_workspace("Edit")
    assert lane.isVisible(), "it has something to show"
    while window.document.undo_text != "Add walk":
        window.document.undo()
    settle(window)
    assert not lane.isVisible()
    window.go_to_workspace("Timing")
    assert lane.isVisible()
