"""Numbers of the selected joint, typed and dragged, pose it."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from model.euler import to_euler
from model.roles import Role
from tests.stacks import stack
from tests.widgets.desk import desk, drag, show, type_into, wait_for
from widgets.posing.pose_values import PoseValues
from widgets.posing.posing import Posing

PLACE, TURN = 0, 1


class On:
    def __init__(self, role=Role.SPINE):
        self.desk = desk(stack())
        self.document, self.session = self.desk.document, self.desk.session
        self.posing = Posing(self.document, self.session, self.desk.showing)
        self.role = role
        self.session.look(joints=(self.motion.skeleton.ref(self.joint),), time_s=1.0)
        self.panel = show(PoseValues(self.session, self.desk.showing, self.posing), 360, 160)
        self.start = self.document.committed

    @property
    def motion(self):
        return self.desk.showing.current.take.motion

    @property
    def joint(self):
        return self.motion.skeleton.joint(self.role)

    @property
    def angles(self):
        """Degrees about X, Y, Z against the parent."""
        return np.degrees(to_euler(self.motion.local_rotations[30, self.joint], "XYZ"))

    @property
    def place(self):
        return self.motion.world.positions[30, self.joint]


def test_typed_angle_turns_the_joint_against_its_parent(application):
    on = On()
    before = on.angles
    type_into(on.panel.fields[TURN][1], "25")
    np.testing.assert_allclose(on.angles, [before[0], 25.0, before[2]], atol=1e-6)
    assert [step.sentence for step in on.document.steps] == ["Turn spine at 1.00 s"]
    on.document.undo()
    assert on.document.committed is on.start


def test_angles_are_the_worlds_with_the_worlds_axes(application):
    on = On(Role.LEFT_ELBOW)
    on.posing.set_axes("world")
    world = np.degrees(to_euler(on.motion.world.rotations[30, on.joint], "XYZ"))
    assert on.panel.fields[TURN][0].text() == f"{world[0]:.1f}°"
    type_into(on.panel.fields[TURN][0], "10")
    after = np.degrees(to_euler(on.motion.world.rotations[30, on.joint], "XYZ"))
    np.testing.assert_allclose(after, [10.0, world[1], world[2]], atol=1e-6)


def test_typed_place_moves_the_pelvis_in_centimetres_and_feet_stay(application):
    on = On(Role.PELVIS)
    foot = on.motion.skeleton.joint(Role.LEFT_ANKLE)
    before, stood = np.array(on.place), np.array(on.motion.world.positions[30, foot])
    assert on.panel.fields[PLACE][1].text() == f"{100 * before[1]:.1f}"
    type_into(on.panel.fields[PLACE][1], "80")
    np.testing.assert_allclose(on.place, [before[0], 0.8, before[2]], atol=1e-6)
    assert np.linalg.norm(on.motion.world.positions[30, foot] - stood) < 1e-3


def test_place_is_typed_in_any_unit(application):
    on = On(Role.PELVIS)
    type_into(on.panel.fields[PLACE][1], "0.85 m")
    assert on.place[1] == pytest.approx(0.85, abs=1e-6)


def test_dragged_field_is_one_step_and_escape_none(application):
    on = On()
    drag(on.panel.fields[TURN][2], 40)
    assert len(on.document.steps) == 1
    turned = on.angles
    drag(on.panel.fields[TURN][2], 40, release=False)
    wait_for(application, lambda: on.document.is_previewing)
    QTest.keyClick(on.panel.fields[TURN][2], Qt.Key.Key_Escape)
    assert not on.document.is_previewing
    assert len(on.document.steps) == 1
    np.testing.assert_allclose(on.angles, turned)


def test_arrow_keys_nudge_as_one_step(application):
    on = On()
    before = on.angles[0]
    field = on.panel.fields[TURN][0]
    type_into(field, f"{before + 1.0}")
    field.setFocus()
    for _ in range(3):
        QTest.keyClick(field, Qt.Key.Key_Up)
    assert on.angles[0] == pytest.approx(before + 4.0, abs=0.11)
    assert len(on.document.steps) == 2


def test_fields_follow_a_pose_that_is_being_made(application):
    on = On()
    start = on.posing.begin()
    turned = np.array(start.local_rotations)
    turned[on.joint] = [np.cos(0.5), np.sin(0.5), 0.0, 0.0]
    on.posing.show(start.with_rotations(turned), "Turn spine")
    assert on.panel.fields[TURN][0].text() == f"{np.degrees(1.0):.1f}°"
    on.posing.cancel()


def test_nonsense_is_told_and_changes_nothing(application):
    on = On()
    told = []
    on.panel.refused.connect(told.append)
    type_into(on.panel.fields[TURN][0], "12 kg")
    assert len(told) == 1
    assert on.document.steps == ()
