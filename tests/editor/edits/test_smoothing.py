from dataclasses import replace

import numpy as np
import pytest

from editor.contacts.plant import clean_feet
from editor.edits.smoothing import Smooth
from editor.quality import contact_drifts, jerk_p99
from model.rotation import angle_between, from_rotation_vector, multiply
from tests.clips import random_motion, stepping_figure
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


def test_feet_stay_in_place_where_contacts_are_kept(trembling):
    _, noisy = trembling
    loose, kept = (Smooth(0.4, keep_contacts=keep).apply(noisy, Asked()).motion for keep in (False, True))
    assert np.max(contact_drifts(kept, noisy.contacts)) < 0.002
    assert np.max(contact_drifts(loose, noisy.contacts)) > 0.01
    assert np.array_equal(kept.root_positions, clean_feet(loose, noisy.contacts).root_positions)


def test_limbs_that_move_against_each_other_are_smoothed_too():
    take = take_of(random_motion(60, moving_limbs=True))
    shaken = replace(take.motion, local_offsets=take.motion.local_offsets + 0.01 * (np.arange(60) % 2)[:, None, None])
    result = Smooth(0.3, keep_contacts=False).apply(take_of(shaken, take.contacts), Asked()).motion
    assert np.max(np.abs(np.diff(result.local_offsets[10:-10, 1:], 2, axis=0))) < 0.002


def test_no_window_gives_the_take_itself(trembling):
    assert Smooth(0.0).apply(trembling[0], Asked()) is trembling[0]
