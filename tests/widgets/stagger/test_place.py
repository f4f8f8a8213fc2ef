"""Staggered poses posed by hand in the whole window: as the body passes through them, and in their extremes."""

import numpy as np
import pytest

from editor.stagger.edit import Stagger
from editor.stagger.reshaping import non_staggered
from model.roles import Role
from model.rotation import angle_between
from tests.app.windows import state_of
from tests.widgets.posing.test_actions import at, drag_joint, pixel, point, worked_out
from tests.widgets.stagger.test_actions import WALK, edit_of, place, settle, view_of, wait_for, window  # noqa: F401  a fixture
from widgets.posing.posing import Posing
from widgets.stagger.actions import StaggerActions

POSE = 4


@pytest.fixture
def at_pose(window):  # noqa: F811
    """The window at a staggered pose, with handles on the figure."""
    window.viewport.rig.animated = False
    window.timeline.playback.pause()
    window.session.look(time_s=state_of(window, StaggerActions).lane.columns.centre_s(POSE))
    window.actions_["tool_ik"].setChecked(True)
    window.actions_["frame_all"].trigger()
    settle(window)
    return window


def basis_of(on):
    return state_of(on, StaggerActions).staggering.basis


def extremes_of(on):
    return non_staggered(on.showing.current.final.motion, basis_of(on).plan.after)[POSE]


def test_hand_dragged_at_a_staggered_pose_gives_it_other_values_as_one_step(at_pose):
    steps, knots = len(at_pose.document.steps), basis_of(at_pose).plan.after.knots_s.copy()
    foot = at(at_pose, Role.RIGHT_ANKLE)
    stop = drag_joint(at_pose, Role.LEFT_WRIST, point(25, -50))
    worked_out(at_pose)
    settle(at_pose)
    assert [type(layer.edit) for layer in at_pose.showing.current.clip.layers] == [Stagger]
    assert [step.sentence.split(" at ")[0] for step in at_pose.document.steps[steps:]] == ["Move left hand"]
    (change,) = edit_of(at_pose).changes
    assert change.time_s == pytest.approx(basis_of(at_pose).found_s[POSE])
    assert change.offsets
    assert (pixel(at_pose, Role.LEFT_WRIST) - stop).manhattanLength() <= 2
    assert np.linalg.norm(at(at_pose, Role.RIGHT_ANKLE) - foot) < 2e-3
    assert np.allclose(basis_of(at_pose).plan.after.knots_s, knots), "timing stays"
    stop = drag_joint(at_pose, Role.LEFT_WRIST, point(-5, -20))
    worked_out(at_pose)
    assert (pixel(at_pose, Role.LEFT_WRIST) - stop).manhattanLength() <= 2
    assert len(edit_of(at_pose).changes) == 1
    for _ in range(2):
        at_pose.document.undo()
    assert edit_of(at_pose).changes == ()


def test_hand_dragged_beside_a_staggered_pose_makes_a_target_pose(at_pose):
    at_pose.session.look(time_s=at_pose.session.view.time_s + 0.15)
    settle(at_pose)
    drag_joint(at_pose, Role.LEFT_WRIST, point(20, -40))
    worked_out(at_pose)
    assert edit_of(at_pose).changes == ()
    assert len(at_pose.showing.current.clip.layers) == 2


def test_extremes_are_seen_and_posed_together(at_pose):
    skeleton = basis_of(at_pose).skeleton
    arm = skeleton.joint(Role.LEFT_SHOULDER)
    wanted = extremes_of(at_pose)
    assert state_of(at_pose, Posing).stand_in is None
    at_pose.actions_["stagger_extremes"].setChecked(True)
    settle(at_pose)
    assert np.allclose(state_of(at_pose, Posing).pose.local_rotations, wanted)
    assert np.allclose(at_pose.viewport.scene.joints, state_of(at_pose, Posing).pose.world.positions, atol=1e-5)
    stop = drag_joint(at_pose, Role.LEFT_WRIST, point(20, -60))
    wait_for(lambda: not at_pose.jobs.running)
    settle(at_pose)
    assert (pixel(at_pose, Role.LEFT_WRIST) - stop).manhattanLength() <= 2
    # Extreme and editing knot were turned by the same (section 7.3).
    frame = round(at_pose.session.view.time_s / at_pose.showing.current.final.motion.frame_time_s)
    before, after = (at_pose.showing.current.stages[n].take.motion for n in (0, 1))
    turned = angle_between(after.local_rotations[frame, arm], before.local_rotations[frame, arm])
    assert turned == pytest.approx(float(angle_between(extremes_of(at_pose)[arm], wanted[arm])), abs=0.02)
    assert turned > 0.05
    at_pose.actions_["stagger_extremes"].setChecked(False)
    settle(at_pose)
    assert state_of(at_pose, Posing).stand_in is None


def test_lane_offers_to_pose_extremes(at_pose):
    at_pose.session.look(time_s=0.0)
    at_pose.actions_["tool_select"].setChecked(True)
    menu = view_of(at_pose).menu_at(place(at_pose, POSE, -1).toPointF())
    next(action for action in menu.actions() if "extremes" in action.text()).trigger()
    settle(at_pose)
    assert state_of(at_pose, StaggerActions).places.stands_in()
    assert at_pose.actions_["stagger_extremes"].isChecked()
    assert at_pose.tools.name == "ik"
    assert state_of(at_pose, Posing).stand_in is not None


def test_extremes_are_left_while_it_plays_and_at_other_moments(at_pose):
    at_pose.actions_["stagger_extremes"].setChecked(True)
    assert state_of(at_pose, Posing).stand_in is not None
    at_pose.timeline.playback.play()
    assert state_of(at_pose, Posing).stand_in is None
    at_pose.timeline.playback.pause()
    at_pose.session.look(time_s=state_of(at_pose, StaggerActions).lane.columns.centre_s(POSE) + 0.2)
    assert state_of(at_pose, Posing).stand_in is None
    at_pose.session.look(time_s=state_of(at_pose, StaggerActions).lane.columns.centre_s(POSE))
    assert state_of(at_pose, Posing).stand_in is not None


def test_grounding_and_holding_are_those_of_the_staggered_pose(at_pose):
    at_pose.actions_["grounded"].trigger()
    assert edit_of(at_pose).keep_contacts is False
    said = []
    state_of(at_pose, Posing).said.connect(said.append)
    at_pose.actions_["add_pose"].trigger()
    assert "staggered pose already" in said[0]
    assert len(at_pose.showing.current.clip.layers) == 1
