import numpy as np
import pytest

from editor.curves.channels import POSITION, VECTOR, Channel, dense
from editor.curves.commands import set_curves
from editor.curves.edit import Curve, CurveKeys
from editor.curves.keys import Key, Keys
from editor.repair.smoothing import Smooth
from editor.timing.edit import Trim
from model.clip import Clip, Layer
from model.motion import rest_motion
from model.project import Project
from model.roles import Role
from model.skeleton import JointRef, Skeleton
from tests.clips import figure, random_motion
from tests.editor.evaluated import Asked, Given, after, same_take, take_of

ELBOW = JointRef("LeftForeArm", Role.LEFT_ELBOW)
BUMP = Keys((Key(1.0, 0.0), Key(2.0, 0.4), Key(3.0, 0.0)))


@pytest.fixture
def take():
    return take_of(random_motion(121))


def elbow_of(take, space):
    return dense(take.motion, take.motion.skeleton.joint(Role.LEFT_ELBOW), space)


@pytest.mark.parametrize("space", [VECTOR, "ZXY", "XYZ"])
def test_offset_keys_add_to_what_the_joint_does(take, space):
    result = after(take, CurveKeys((Curve(Channel(ELBOW, space, "Y"), BUMP),))).take
    times = np.arange(take.motion.frames) * take.motion.frame_time_s
    wanted = np.array(elbow_of(take, space))
    wanted[:, 1] += BUMP.at(times)
    got = elbow_of(result, space)
    got = got + 2.0 * np.pi * np.rint((wanted - got)[:1] / (2.0 * np.pi)) * (space != VECTOR)
    np.testing.assert_allclose(got, wanted, atol=1e-7)


def test_frames_outside_of_offset_keys_keep_their_very_numbers(take):
    result = after(take, CurveKeys((Curve(Channel(ELBOW, "ZXY", "Y"), BUMP),))).take
    far = np.abs(np.arange(take.motion.frames) * take.motion.frame_time_s - 2.0) >= 1.0
    np.testing.assert_array_equal(result.motion.local_rotations[far], take.motion.local_rotations[far])
    assert not same_take(result, take)


def test_absolute_keys_stand_in_the_place_of_the_motion(take):
    curves = tuple(Curve(Channel(ELBOW, VECTOR, axis), BUMP, absolute=True) for axis in "XYZ")
    times = np.arange(take.motion.frames) * take.motion.frame_time_s
    got = elbow_of(after(take, CurveKeys(curves)).take, VECTOR)
    np.testing.assert_allclose(got, np.repeat(BUMP.at(times)[:, None], 3, axis=1), atol=1e-9)


def test_root_moves_by_keys_on_its_place(take):
    root = take.motion.skeleton.ref(0)
    result = after(take, CurveKeys((Curve(Channel(root, POSITION, "Y"), BUMP),))).take
    lifted = result.motion.root_positions - take.motion.root_positions
    assert lifted[:, 1].max() == pytest.approx(0.4)
    np.testing.assert_array_equal(lifted[:, [0, 2]], 0.0)


def test_keys_stay_at_their_moment_behind_a_trim(take):
    keys = CurveKeys((Curve(Channel(ELBOW, VECTOR, "Y"), BUMP),))
    cut = after(take, Trim(1.5, 3.5), keys)
    whole = after(take, keys, Trim(1.5, 3.5))
    np.testing.assert_allclose(cut.take.motion.local_rotations, whole.take.motion.local_rotations, atol=1e-9)


def test_zero_keys_change_nothing(take):
    edit = CurveKeys((Curve(Channel(ELBOW, "ZXY", "Y"), Keys((Key(1.0, 0.0), Key(2.0, 0.0)))),))
    assert edit.apply(take, Asked()) is take


def test_joint_that_is_not_there_is_told(take):
    asked = Asked()
    edit = CurveKeys((Curve(Channel(JointRef("Tail"), VECTOR, "X"), BUMP),))
    assert edit.apply(take, asked) is take
    assert "Tail" in asked.notes[0]


def test_a_channel_has_one_curve():
    one = Curve(Channel(ELBOW, VECTOR, "X"), BUMP)
    with pytest.raises(ValueError, match="two of them"):
        CurveKeys((one, one))


# The command


@pytest.fixture
def project(take):
    return Project((Clip("c", "Clip", Given(take)),))


def curve(axis="X", keys=BUMP):
    return Curve(Channel(ELBOW, VECTOR, axis), keys)


def test_first_keys_make_an_edit_and_more_go_into_it(project):
    project = set_curves(set_curves(project, "c", (curve("X"),)), "c", (curve("Y"),))
    (layer,) = project.clip("c").layers
    assert [one.channel.axis for one in layer.edit.curves] == ["X", "Y"]


def test_keys_after_another_edit_make_a_new_one_on_top(project):
    project = set_curves(project, "c", (curve("X"),))
    present = project.clip("c")
    project = project.with_clip(Clip("c", "Clip", present.source, (*present.layers, Layer("s", Smooth()))))
    project = set_curves(project, "c", (curve("X"),))
    assert [layer.edit.kind for layer in project.clip("c").layers] == ["curve_keys", "smooth", "curve_keys"]


def test_a_curve_without_keys_takes_the_present_one_away(project):
    project = set_curves(project, "c", (curve("X"), curve("Y")))
    project = set_curves(project, "c", (curve("X", Keys()),))
    assert [one.channel.axis for one in project.clip("c").layers[0].edit.curves] == ["Y"]


def test_no_keys_on_a_clip_without_any_change_nothing(project):
    assert set_curves(project, "c", (curve("X", Keys()),)) is project


def test_layer_that_holds_no_keys_is_refused(project):
    project = project.with_clip(Clip("c", "Clip", project.clip("c").source, (Layer("s", Smooth()),)))
    with pytest.raises(ValueError, match="no curve keys"):
        set_curves(project, "c", (curve("X"),), layer="s")


def test_keys_on_the_roots_place_are_told_and_others_act_on_a_body_whose_pelvis_is_no_root():
    body = figure()
    names, parents = ("Reference", *body.names), (-1, *(parent + 1 for parent in body.parents))
    below = Skeleton(names, parents, np.vstack([np.zeros(3), body.offsets]), (), (None, *body.roles))
    take = take_of(rest_motion(below, 1.0 / 30.0, 121))
    edit = CurveKeys((Curve(Channel(body.ref(0), POSITION, "Y"), BUMP), Curve(Channel(ELBOW, VECTOR, "Y"), BUMP)))
    stage = after(take, edit)
    assert not stage.failed
    assert "Hips" in stage.notes[0]
    assert elbow_of(stage.take, VECTOR)[60, 1] == pytest.approx(0.4)
