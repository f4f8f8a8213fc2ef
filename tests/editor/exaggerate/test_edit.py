"""The edit that exaggerates: curve over time, poses to refine, presets."""

from dataclasses import fields

import numpy as np
import pytest

from editor.curves.keys import Key, Keys
from editor.exaggerate.edit import Exaggerate
from editor.exaggerate.presets import PRESETS
from editor.posing.edit import TargetPoses
from editor.quality.figures import contact_drifts
from model.placing import pelvis_positions
from tests.editor.evaluated import Asked, after, positions_at, take_of
from tests.editor.posing.grounded.asking import Clip


@pytest.fixture(scope="module")
def take():
    clip = Clip.sample("walk")
    return take_of(clip.motion.sliced(0, 300))


def test_amount_1_gives_the_take_itself(take):
    assert after(take, Exaggerate(1.0)).take is take


def test_curve_over_time_turns_it_on_slowly(take):
    edit = Exaggerate(2.0, over_time=Keys((Key(1.0, 0.0), Key(2.0, 1.0))))
    plain, eased = after(take, Exaggerate(2.0)), after(take, edit)
    times = np.array([0.2, 0.5])
    assert np.allclose(positions_at(eased, times), positions_at(after(take), times), atol=0.02)
    rotations = [stage.take.motion.local_rotations[-60:] for stage in (plain, eased)]
    assert np.max(np.abs(rotations[0] - rotations[1])) < 0.1


def test_values_beyond_0_and_1_count_as_those(take):
    edit = Exaggerate(2.0, over_time=Keys((Key(0.0, 5.0),)))
    assert np.array_equal(edit.shares(np.zeros(3)), np.ones(3))


@pytest.mark.parametrize("scope", ["body", "joints"])
def test_poses_do_about_what_the_edit_does_and_can_be_refined(take, scope):
    edit = Exaggerate(1.6, scope)
    poses = edit.as_poses(take, Asked().to_source)
    assert len(poses) > 4
    converted, wanted = after(take, TargetPoses(poses, grounded=True)), after(take, edit)
    apart = np.abs(converted.take.motion.world.positions - wanted.take.motion.world.positions)
    moved = np.abs(wanted.take.motion.world.positions - take.motion.world.positions)
    assert np.mean(apart) < 0.25 * np.mean(moved)
    assert (
        contact_drifts(converted.take.motion, take.contacts).max()
        < contact_drifts(take.motion, take.contacts).max() + 0.002
    )


def test_poses_are_told_in_the_time_of_the_source(take):
    early, late = (Exaggerate(1.6).as_poses(take, lambda times, by=by: times + by) for by in (0.0, 3.0))
    assert [one.time_s + 3.0 for one in early] == pytest.approx([one.time_s for one in late])


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_settings_of_the_edit_that_have_an_effect(take, name):
    edit = Exaggerate(**PRESETS[name])
    assert set(PRESETS[name]) <= {field.name for field in fields(Exaggerate)}
    assert np.max(np.abs(pelvis_positions(after(take, edit).take.motion) - pelvis_positions(take.motion))) >= 0.0
    assert after(take, edit).take is not take
