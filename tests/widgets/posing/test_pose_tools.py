"""Rings that turn a joint and arrows that move it."""

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt

from model.roles import Role
from model.rotation import angle_between, conjugate, multiply, rotate, to_rotation_vector
from tests.widgets.posing.hands import hand
from widgets.posing.move_tool import Arrow
from widgets.posing.rotate_tool import Ring
from widgets.viewport.gl_platform import abilities

CONTROL = Qt.KeyboardModifier.ControlModifier
ELBOW, SPINE = Role.RIGHT_ELBOW, Role.SPINE


@pytest.fixture(params=["painter", "opengl"])
def painter(request, application):
    if request.param == "opengl" and not abilities().available:
        pytest.skip("no OpenGL here")
    return request.param == "painter"


def on_joint(role, tool, **options):
    on = hand(tool, **options)
    on.session.look(joints=(on.motion.skeleton.ref(on.joint(role)),))
    return on


def rings(on):
    size = (float(on.viewport.width()), float(on.viewport.height()))
    tool = on.viewport.tool
    return tool._rings(on.posing.pose, on.posing.joint, on.viewport.camera, size)


def grabbable(on, ring: Ring):
    """A place of the ring at which nothing else is nearer."""
    for place in ring.points():
        at = on.pixel(place)
        on.hover(at)
        over = on.viewport.tool.hovered
        if over is not None and over.axis == ring.axis:
            return at, place
    raise AssertionError("the ring cannot be taken anywhere")


def along(on, ring, place, angle):
    """The pixel to which a place of a ring goes when it is turned."""
    radius = place - ring.centre
    turned = np.cos(angle) * radius + np.sin(angle) * np.cross(ring.normal, radius)
    return on.pixel(ring.centre + turned)


def turn_ring(on, axis, angle, modifiers=Qt.KeyboardModifier.NoModifier):
    ring = rings(on)[axis]
    at, place = grabbable(on, ring)
    on.press(at, modifiers)
    for part in np.linspace(0.1, 1.0, 10):
        at = along(on, ring, place, part * angle)
        on.move(at, at, modifiers, steps=1)
    on.release(at, modifiers)


@pytest.mark.parametrize("axes", ["local", "world"])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_ring_turns_the_joint_about_its_axis_by_what_the_mouse_goes_round(painter, axes, axis):
    on = on_joint(SPINE, "rotate", painter=painter)
    on.posing.set_axes(axes)
    joint, start = on.joint(SPINE), on.document.committed
    before = on.motion.world.rotations[on.frame, joint]
    normal = rotate(before, np.eye(3)[axis]) if axes == "local" else np.eye(3)[axis]
    turn_ring(on, axis, 0.5)
    after = on.motion.world.rotations[on.frame, joint]
    vector = to_rotation_vector(multiply(after, conjugate(before)))
    np.testing.assert_allclose(vector, 0.5 * normal, atol=0.08)
    assert np.linalg.norm(np.cross(vector, normal)) < 1e-6
    assert [step.sentence for step in on.document.steps] == ["Turn spine at 1.00 s"]
    on.undo_all()
    assert on.document.committed is start


def test_control_snaps_to_five_degrees(application):
    on = on_joint(ELBOW, "rotate")
    before = on.motion.local_rotations[on.frame, on.joint(ELBOW)]
    turn_ring(on, 3, 0.4, CONTROL)
    degrees = np.degrees(angle_between(on.motion.local_rotations[on.frame, on.joint(ELBOW)], before))
    assert degrees > 4.0
    assert abs(degrees / 5.0 - round(degrees / 5.0)) < 1e-6


def test_turn_tells_its_angle_while_dragged(application):
    on = on_joint(ELBOW, "rotate")
    ring = rings(on)[3]
    at, place = grabbable(on, ring)
    on.press(at)
    for part in (0.1, 0.2, 0.3):
        on.move(at, along(on, ring, place, part), steps=1)
    (label,) = [label.text for label in on.viewport.scene.labels if "°" in label.text]
    assert abs(float(label[:-1]) - np.degrees(0.3)) < 1.5
    assert len(on.viewport.scene.front_fills) == 1
    on.viewport.tool.cancel()


def test_turning_several_times_round_does_not_lose_count(application):
    on = on_joint(ELBOW, "rotate")
    ring = rings(on)[3]
    at, place = grabbable(on, ring)
    on.press(at)
    for angle in np.linspace(0.2, 8.0, 40):
        on.move(at, along(on, ring, place, angle), steps=1)
    assert abs(on.viewport.tool.drag.angle_rad - 8.0) < 0.05
    on.viewport.tool.cancel()


def test_pinned_feet_stay_while_the_pelvis_turns(application):
    on = on_joint(Role.PELVIS, "rotate")
    feet = [np.array(on.at(role)) for role in (Role.LEFT_ANKLE, Role.RIGHT_ANKLE)]
    turn_ring(on, 1, 0.2)
    for role, place in zip((Role.LEFT_ANKLE, Role.RIGHT_ANKLE), feet, strict=True):
        assert np.linalg.norm(on.at(role) - place) < 1e-3


def gizmo(on):
    size = (float(on.viewport.width()), float(on.viewport.height()))
    return on.viewport.tool._gizmo(on.posing.pose, on.posing.joint, on.viewport.camera, size)


def test_arrow_moves_the_hand_along_one_axis_and_under_the_mouse(painter):
    on = on_joint(Role.LEFT_WRIST, "move", painter=painter)
    on.posing.set_axes("world")
    before = np.array(on.at(Role.LEFT_WRIST))
    shape = gizmo(on)
    grabbed = 0.3 * shape.centre + 0.7 * shape.tip(1)
    at = on.pixel(grabbed)
    on.hover(at)
    assert on.viewport.tool.hovered.key == ("axis", 1)
    stop = on.drag(at, QPointF(0, -50))
    moved = on.at(Role.LEFT_WRIST) - before
    assert moved[1] > 0.05
    assert np.hypot(moved[0], moved[2]) < 1e-4
    assert abs(on.pixel(grabbed + moved).y() - stop.y()) < 1.0


def test_square_moves_in_its_plane_and_the_middle_across_the_view(application):
    on = on_joint(Role.LEFT_WRIST, "move")
    on.posing.set_axes("world")
    before = np.array(on.at(Role.LEFT_WRIST))
    on.drag(on.pixel(np.mean(gizmo(on).corners(2), axis=0)), QPointF(15, -25))
    moved = on.at(Role.LEFT_WRIST) - before
    assert np.linalg.norm(moved) > 0.03
    assert abs(moved[2]) < 1e-4
    at = on.pixel(Role.LEFT_WRIST)
    stop = on.drag(at, QPointF(-20, -15))
    off = on.pixel(on.at(Role.LEFT_WRIST)) - stop
    assert max(abs(off.x()), abs(off.y())) < 1.0
    assert len(on.document.steps) == 2


def test_arrows_of_the_joint_itself_lie_as_it_does(application):
    on = on_joint(Role.LEFT_WRIST, "move")
    on.posing.set_axes("local")
    rotation = on.motion.world.rotations[on.frame, on.joint(Role.LEFT_WRIST)]
    np.testing.assert_allclose(gizmo(on).axes, rotate(rotation, np.eye(3)), atol=1e-9)
    on.posing.set_axes("world")
    np.testing.assert_allclose(gizmo(on).axes, np.eye(3))


def test_without_a_selection_the_pelvis_has_the_handles(application):
    on = hand("move")
    np.testing.assert_allclose(gizmo(on).centre, on.at(Role.PELVIS), atol=1e-9)
    assert on.viewport.tool.handle_at is not None
    on.hover(on.pixel(Role.PELVIS))
    assert isinstance(on.viewport.tool.hovered, Arrow)


def test_click_beside_the_handles_selects_a_joint(application):
    on = hand("rotate")
    on.click(on.pixel(Role.HEAD))
    assert [ref.role for ref in on.session.view.joints] == [Role.HEAD]


def test_name_of_the_joint_does_not_lie_over_its_rings(application):
    on = on_joint(ELBOW, "select")
    assert [label.text for label in on.viewport.scene.labels] == ["RightForeArm"]
    on.box.use("rotate")
    assert on.viewport.scene.labels == ()
