from dataclasses import replace

import numpy as np
import pytest

from editor.quality.figures import contact_drifts, jerk_p99
from editor.repair.smoothing import Smooth
from model.files.formats import read_motion
from model.roles import Role
from model.rotation import angle_between, from_rotation_vector, multiply
from tests.clips import data_name, needs_data, random_motion, recorded, stepping_figure
from tests.editor.evaluated import Asked, take_of


@pytest.fixture(scope="module")
def trembling():
    """A walk and the same with trembling joints and root."""
    motion, _ = stepping_figure(seconds=4.0, fps=60.0)
    rng = np.random.default_rng(3)
    noise = from_rotation_vector(rng.normal(scale=0.02, size=(*motion.local_rotations.shape[:2], 3)))
    noisy = replace(
        motion,
        local_rotations=multiply(noise, motion.local_rotations),
        root_positions=motion.root_positions + rng.normal(scale=0.003, size=motion.root_positions.shape),
    )
    clean = take_of(motion)
    return clean, take_of(noisy, clean.contacts)


def test_trembling_is_taken_out_and_the_walk_stays(trembling):
    clean, noisy = trembling
    result = Smooth(0.15, keep_contacts=False).apply(noisy, Asked()).motion
    off, was = (
        np.mean(angle_between(one.local_rotations, clean.motion.local_rotations)) for one in (result, noisy.motion)
    )
    assert off < 0.6 * was
    assert jerk_p99(result) < 0.1 * jerk_p99(noisy.motion)


def test_ends_keep_their_pose(trembling):
    _, noisy = trembling
    result = Smooth(0.3, keep_contacts=False).apply(noisy, Asked()).motion
    assert np.allclose(angle_between(result.local_rotations[[0, -1]], noisy.motion.local_rotations[[0, -1]]), 0.0)
    assert np.array_equal(result.root_positions[[0, -1]], noisy.motion.root_positions[[0, -1]])


def test_root_stays_where_only_joints_are_smoothed(trembling):
    _, noisy = trembling
    result = Smooth(0.3, root=False, keep_contacts=False).apply(noisy, Asked()).motion
    assert result.root_positions is noisy.motion.root_positions


@pytest.mark.parametrize("window_s", [0.3, 1.0])
def test_feet_that_stood_still_stand_still(trembling, window_s):
    clean, _ = trembling
    loose, kept = (Smooth(window_s, keep_contacts=keep).apply(clean, Asked()).motion for keep in (False, True))
    assert np.max(contact_drifts(clean.motion, clean.contacts)) < 1e-6
    assert np.max(contact_drifts(kept, clean.contacts)) < 0.001
    assert np.max(contact_drifts(loose, clean.contacts)) > 0.005


@pytest.mark.parametrize("window_s", [0.05, 0.15, 0.4, 1.0])
def test_feet_do_not_slide_more_than_they_did(trembling, window_s):
    _, noisy = trembling
    kept = Smooth(window_s).apply(noisy, Asked()).motion
    before, now = (contact_drifts(motion, noisy.contacts) for motion in (noisy.motion, kept))
    assert np.max(now) <= np.max(before) + 0.001


def test_feet_that_stand_tremble_less(trembling):
    _, noisy = trembling
    kept = Smooth(0.15).apply(noisy, Asked()).motion
    toe = noisy.motion.skeleton.joint(Role.LEFT_TOE)
    standing = noisy.contacts.mask("left_foot")[1:-1]
    was, now = (np.diff(one.world.positions[:, toe], 2, axis=0)[standing] for one in (noisy.motion, kept))
    assert np.mean(np.abs(now)) < 0.4 * np.mean(np.abs(was))


def test_feet_that_stand_do_not_tilt(trembling):
    clean, _ = trembling
    kept = Smooth(0.3).apply(clean, Asked()).motion
    ankle = clean.motion.skeleton.joint(Role.LEFT_ANKLE)
    turned = angle_between(kept.world.rotations[:, ankle], clean.motion.world.rotations[:, ankle])
    assert np.max(turned[clean.contacts.mask("left_foot")]) < 0.01


def test_tiny_window_has_a_tiny_effect(trembling):
    for take in trembling:
        for window_s, most_m in ((1e-6, 1e-6), (0.005, 0.002)):
            result = Smooth(window_s).apply(take, Asked()).motion
            assert np.max(np.abs(result.world.positions - take.motion.world.positions)) < most_m


@pytest.mark.parametrize("window_s", [0.15, 1.0])
def test_ends_keep_their_pose_with_feet_in_place(trembling, window_s):
    for take in trembling:
        result = Smooth(window_s).apply(take, Asked()).motion
        assert np.allclose(result.world.positions[[0, -1]], take.motion.world.positions[[0, -1]], atol=1e-6)


@needs_data
@pytest.mark.parametrize("path", recorded("cmu-acclaim/16_31.amc", "cmu-acclaim/35_02.amc"), ids=data_name)
def test_recorded_walk_keeps_its_feet_and_its_ends(path):
    take = take_of(read_motion(path).motion)
    for window_s in (0.15, 1.0):
        result = Smooth(window_s).apply(take, Asked()).motion
        before, now = (contact_drifts(motion, take.contacts) for motion in (take.motion, result))
        assert np.max(now) <= np.max(before) + 0.001
        assert np.allclose(result.world.positions[[0, -1]], take.motion.world.positions[[0, -1]], atol=1e-4)
    tiny = Smooth(1e-6).apply(take, Asked()).motion
    assert np.max(np.abs(tiny.world.positions - take.motion.world.positions)) < 1e-6


def test_limbs_that_move_against_each_other_are_smoothed_too():
    take = take_of(random_motion(60, moving_limbs=True))
    shaken = replace(take.motion, local_offsets=take.motion.local_offsets + 0.01 * (np.arange(60) % 2)[:, None, None])
    result = Smooth(0.3, keep_contacts=False).apply(take_of(shaken, take.contacts), Asked()).motion
    assert np.max(np.abs(np.diff(result.local_offsets[10:-10, 1:], 2, axis=0))) < 0.002


def test_no_window_gives_the_take_itself(trembling):
    assert Smooth(0.0).apply(trembling[0], Asked()) is trembling[0]
