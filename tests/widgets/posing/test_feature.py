"""Pose edits in the whole window, driven by mouse and keys: by gizmo and by IK, repeated, undone; and the lesson."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from editor.posing.edit import TargetPoses
from editor.quality import figures as quality
from model.roles import Role
from tests.app.test_window import key, mouse, settle, wait_for
from tests.app.windows import state_of
from tests.widgets.posing.test_actions import (  # noqa: F401  fixtures
    at,
    drag_joint,
    opened,
    pixel,
    point,
    poses,
    settings,
    window,
    worked_out,
)
from widgets.extrema.actions import ExtremeActions
from widgets.extrema.extrema import Extrema
from widgets.posing.actions import PosingActions
from widgets.posing.posing import Posing

LEFT, NO = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
RING_PX = 72.0  # the rings of the tool that turns joints are so large
NONE, SHIFT, CONTROL = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
)


@pytest.fixture
def at_extreme(opened):  # noqa: F811
    """The walk at its third extreme, both feet on the ground, seen from its side."""
    wait_for(lambda: state_of(opened, Extrema).measured is not None)
    opened.session.look(time_s=0.0)
    for _ in range(3):
        key(opened, Qt.Key.Key_Period)
    key(opened, Qt.Key.Key_3)
    QApplication.processEvents()
    return opened


def done(on):
    wait_for(lambda: not on.jobs.running and state_of(on, Posing).stand_in is None and not on.showing.is_late)


def front_foot(on):
    left, right = (at(on, role) for role in (Role.LEFT_ANKLE, Role.RIGHT_ANKLE))
    return Role.LEFT_ANKLE if left[2] > right[2] else Role.RIGHT_ANKLE


def travelled(motion):
    return float(np.linalg.norm((motion.root_positions[-1] - motion.root_positions[0])[[0, 2]]))


def drift_cm(on):
    """How much farther planted feet get from their places than in the source."""
    shown = on.showing.current
    drifts = [quality.contact_drifts(take.motion, shown.source.contacts) for take in (shown.final, shown.source)]
    return 100.0 * float(np.max(drifts[0] - drifts[1]))


def test_stance_is_widened_by_ik_and_repeated_and_undone(at_extreme):
    on, start, before = at_extreme, at_extreme.document.committed, at_extreme.document.done
    key(on, Qt.Key.Key_E, SHIFT)
    assert on.tools.name == "ik"
    drag_joint(on, front_foot(on), point(18, 0))
    done(on)
    assert len(poses(on)) == 1
    assert on.document.project.clips[0].layers[-1].edit.grounded
    assert drift_cm(on) < 0.1
    assert len(on.viewport.scene.ghosts), "the figure without the pose stands beside it"
    key(on, Qt.Key.Key_R, CONTROL)
    wait_for(lambda: state_of(on, PosingActions).repeating.is_on)
    done(on)
    assert state_of(on, PosingActions).bar.repeat_chip.isVisible()
    assert state_of(on, PosingActions).bar.repeat_chip.label.text().startswith("Repeat at 10 similar poses")
    assert sum(mark.tried for mark in state_of(on, PosingActions).lane.marks) == 10
    key(on, Qt.Key.Key_R, CONTROL)
    done(on)
    assert [step.sentence.split(" at ")[0] for step in on.document.steps[before:]] == [
        "Move left foot" if front_foot(on) == Role.LEFT_ANKLE else "Move right foot",
        "Repeat pose",
    ]
    assert len(poses(on)) == 11
    shown = on.showing.current
    assert travelled(shown.final.motion) > 1.08 * travelled(shown.source.motion)
    assert drift_cm(on) < 0.1
    assert quality.measure(shown.final.motion, shown.source.contacts, [shown.source.motion]).jerk_ratio < 1.5
    key(on, Qt.Key.Key_Z, CONTROL)
    assert len(poses(on)) == 1
    key(on, Qt.Key.Key_Z, CONTROL)
    assert on.document.committed is start


def test_escape_drops_what_would_be_repeated(at_extreme):
    on = at_extreme
    key(on, Qt.Key.Key_E, SHIFT)
    drag_joint(on, front_foot(on), point(15, 0))
    done(on)
    committed = on.document.committed
    key(on, Qt.Key.Key_R, CONTROL)
    wait_for(lambda: state_of(on, PosingActions).repeating.is_on)
    on.viewport.setFocus()
    QTest.keyClick(on.viewport, Qt.Key.Key_Escape)
    assert not state_of(on, PosingActions).repeating.is_on
    assert on.document.project is committed


def test_spine_is_turned_by_the_rings_and_feet_stay(at_extreme):
    on = at_extreme
    motion = on.showing.current.take.motion
    spine = motion.skeleton.joint(Role.SPINE)
    on.session.look(joints=(motion.skeleton.ref(spine),))
    key(on, Qt.Key.Key_E)
    view, centre, radius = on.viewport, pixel(on, Role.SPINE), RING_PX
    # The ring about the axis across the body faces this camera.
    start = centre + point(0, -radius)
    mouse(view, QEvent.Type.MouseMove, start, NO, NO, NONE)
    mouse(view, QEvent.Type.MouseButtonPress, start, LEFT, LEFT, NONE)
    for angle in np.linspace(0.0, 0.5, 6):
        on_ring = centre + point(radius * np.sin(angle), -radius * np.cos(angle))
        mouse(view, QEvent.Type.MouseMove, on_ring, NO, LEFT, NONE)
    mouse(view, QEvent.Type.MouseButtonRelease, on_ring, LEFT, NO, NONE)
    done(on)
    (pose,) = poses(on)
    assert [ref.role for ref, _ in pose.offsets] == [Role.SPINE]
    assert on.document.undo_text.startswith("Turn spine at")
    assert drift_cm(on) < 0.1
    on.document.undo()
    assert poses(on) == []


def test_pelvis_is_lowered_over_planted_feet_and_the_switch_lets_them_go(at_extreme):
    on = at_extreme
    key(on, Qt.Key.Key_R)
    height = at(on, Role.PELVIS)[1]
    drag_joint(on, Role.PELVIS, point(0, 25))
    done(on)
    assert at(on, Role.PELVIS)[1] < height - 0.03
    assert drift_cm(on) < 0.1
    action = on.actions_["grounded"]
    assert action.isChecked()
    action.trigger()
    done(on)
    (edit,) = [layer.edit for layer in on.document.project.clips[0].layers]
    assert isinstance(edit, TargetPoses)
    assert not edit.grounded
    assert not state_of(on, Posing).grounded
    assert drift_cm(on) > 0.1, "only joints turn now"
    key(on, Qt.Key.Key_Z, CONTROL)
    assert action.isChecked()


def test_context_menu_of_an_extreme_edits_its_pose(at_extreme):
    on = at_extreme
    lane = state_of(on, ExtremeActions).lane
    one = state_of(on, Extrema).extremes[5]
    lane._edit(one)
    assert on.session.view.time_s == pytest.approx(one.time_s)
    assert on.tools.name == "ik"
    assert on.actions_["tool_ik"].isChecked()


def test_lesson_widens_a_stance_in_five_gestures(at_extreme):
    on = at_extreme
    on.trigger("lesson")
    tour = on.doing._tour
    assert tour.isVisible()
    assert tour.count.text() == "1 of 4"
    gestures = 0

    def gesture(do, *arguments):
        nonlocal gestures
        do(*arguments)
        gestures += 1
        done(on)

    gesture(key, on, Qt.Key.Key_Period)
    wait_for(lambda: tour.count.text() == "2 of 4")
    gesture(key, on, Qt.Key.Key_E, SHIFT)
    gesture(drag_joint, on, front_foot(on), point(18, 0))
    wait_for(lambda: tour.count.text() == "3 of 4")
    gesture(key, on, Qt.Key.Key_R, CONTROL)
    wait_for(lambda: state_of(on, PosingActions).repeating.is_on)
    wait_for(lambda: tour.count.text() == "3 of 4")
    gesture(key, on, Qt.Key.Key_R, CONTROL)
    wait_for(lambda: tour.count.text() == "4 of 4")
    QTest.mouseClick(tour.next, LEFT)
    assert not tour.isVisible()
    assert gestures == 5
    shown = on.showing.current
    assert travelled(shown.final.motion) > 1.05 * travelled(shown.source.motion)
    assert drift_cm(on) < 0.1


def test_lesson_opens_a_walk_where_there_is_none(window):  # noqa: F811
    window.trigger("lesson")
    wait_for(lambda: window.showing.current is not None)
    assert window.doing._tour.isVisible()
    settle(window)
    assert [clip.name for clip in window.document.project.clips] == ["walk"]
