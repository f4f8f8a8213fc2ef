"""What curves do to the body: the levers of channels, and who is to blame."""

import numpy as np
import pytest

from editor.curves.body_errors import Body
from editor.curves.channels import VECTOR
from editor.curves.levers import FLESH_M
from tests.clips import random_motion

SPACES = [None, VECTOR, "XYZ"]


@pytest.fixture(scope="module")
def motion():
    return random_motion(25, seed=6)


@pytest.mark.parametrize("space", SPACES)
def test_the_channels_themselves_make_no_error(motion, space):
    errors = Body.of(motion, space, None).errors(Body.of(motion, space, None).samples)
    assert np.max(errors.distances_m) < 1e-9
    assert np.max(errors.angles_rad) < 1e-7


@pytest.mark.parametrize("space", SPACES)
def test_effect_is_how_far_a_small_change_moves_all_points(motion, space):
    body = Body.of(motion, space, None)
    step = 1e-5
    for channel in range(0, len(body.samples), 4):
        curves = np.array(body.samples)
        curves[channel] += step
        errors = body.errors(curves)
        moved = np.sum((errors.distances_m / step) ** 2, axis=0)
        flesh = 0.0 if body.moves[channel] else (FLESH_M * body.speeds[channel]) ** 2
        np.testing.assert_allclose(body.effects[channel], np.sqrt(moved + flesh), rtol=1e-3)


@pytest.mark.parametrize("space", SPACES)
def test_speed_is_how_fast_a_channel_turns_its_joint(motion, space):
    body = Body.of(motion, space, None)
    for channel in np.flatnonzero(~body.moves)[::5]:
        curves = np.array(body.samples)
        curves[channel] += 1e-5
        turned = body.errors(curves).angles_rad[body.joints[channel]] / 1e-5
        np.testing.assert_allclose(turned, body.speeds[channel], rtol=1e-3)


def test_the_only_channel_that_is_off_is_to_blame(motion):
    body = Body.of(motion, "ZXY", None)
    for channel in range(len(body.samples)):
        curves = np.array(body.samples)
        curves[channel, 7:9] += 0.3
        errors, misses = body.errors(curves), curves - body.samples
        wanted = misses != 0.0
        if not body.moves[channel]:
            np.testing.assert_array_equal(body.blame_for_angles(misses, errors.angles_rad, 0.01), wanted)
        if np.all(np.max(errors.distances_m[:, 7:9], axis=0) > 1e-3):
            np.testing.assert_array_equal(body.blame_for_distances(misses, errors.distances_m, 1e-3), wanted)


def test_nobody_is_blamed_within_the_limits(motion):
    body = Body.of(motion, None, None)
    curves = body.samples + 1e-3
    errors = body.errors(curves)
    assert not np.any(body.blame_for_angles(curves - body.samples, errors.angles_rad, 1.0))
    assert not np.any(body.blame_for_distances(curves - body.samples, errors.distances_m, 1.0))


def test_limbs_that_are_right_are_not_blamed_for_others(motion):
    body = Body.of(motion, "ZXY", None)
    left, right = (motion.skeleton.find(f"{side}Arm") for side in ("Left", "Right"))
    curves = np.array(body.samples)
    curves[body.joints == left] += 0.2
    curves[body.joints == right] += 1e-5
    errors = body.errors(curves)
    blamed = body.blame_for_distances(curves - body.samples, errors.distances_m, 0.01)
    assert np.any(blamed[body.joints == left])
    assert not np.any(blamed[body.joints != left])


def test_only_the_chosen_joints_have_channels(motion):
    assert {channel.joint.name for channel in Body.of(motion, None, [4, 2]).channels} == {"Neck", "Spine1"}
    assert len(Body.of(motion, None, [0]).channels) == 6
