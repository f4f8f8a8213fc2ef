import numpy as np

from editor.stagger.warping import cubic_between, moments_shown, padded, rotations_at
from model.rotation import angle_between
from tests.clips import random_motion
from tests.editor.stagger.pendulum import FPS, pendulum, swings

KNOTS = np.array([0.0, 1.0, 2.5, 4.0, 5.0])[:, None] + np.zeros(3)


def test_time_is_as_it_was_where_knots_stay():
    times = np.linspace(0.0, 5.0, 301)
    assert np.array_equal(moments_shown(KNOTS, KNOTS, times), np.repeat(times[:, None], 3, axis=1))


def test_knots_are_met_and_time_never_runs_backwards():
    after = KNOTS + np.array([0.0, 0.4, -0.5, 0.3, 0.0])[:, None] * [1.0, -1.0, 0.5]
    times = np.linspace(0.0, 5.0, 5001)
    shown = moments_shown(KNOTS, after, times)
    for joint in range(3):
        assert np.allclose(np.interp(after[:, joint], times, shown[:, joint]), KNOTS[:, joint], atol=1e-3)
    assert np.all(np.diff(shown, axis=0) > 0.0)
    pace = np.diff(shown, axis=0) / np.diff(times)[:, None]
    assert np.max(np.abs(np.diff(pace, axis=0))) < 0.03  # no corners


def test_transition_eases_in_and_out_as_it_is_told():
    paces = np.full((4, 2), np.nan)
    paces[1] = 0.0, 2.0
    times = np.linspace(0.0, 5.0, 50001)
    shown = moments_shown(KNOTS[:, :1], KNOTS[:, :1], times, paces)[:, 0]
    pace = np.gradient(shown, times)
    assert np.isclose(pace[np.searchsorted(times, 1.0005)], 0.0, atol=0.01)
    assert np.isclose(pace[np.searchsorted(times, 2.4995)], 2.0, atol=0.01)
    assert np.allclose(shown[[10000, 25000]], [1.0, 2.5], atol=1e-3)
    outside = (times < 1.0) | (times > 2.5)
    assert np.allclose(shown[outside], times[outside])


def test_joints_at_frames_are_as_they_are_there():
    motion = random_motion(frames=30)
    every = tuple(range(len(motion.skeleton)))
    times = np.repeat((np.arange(30) * motion.frame_time_s)[:, None], len(every), axis=1)
    assert np.max(angle_between(rotations_at(motion, times, every), motion.local_rotations)) < 1e-12
    backwards = rotations_at(motion, times[::-1], every)
    assert np.max(angle_between(backwards, motion.local_rotations[::-1])) < 1e-12


def test_delayed_link_shows_what_it_did_between_frames():
    motion = pendulum()
    times = np.arange(motion.frames) / FPS
    late = rotations_at(motion, np.maximum(times - 0.0371, 0.0)[:, None], (2,))
    angles = 2.0 * np.arctan2(late[:, 0, 3], late[:, 0, 0])
    assert np.max(np.abs(angles - swings(np.arange(motion.frames) - 0.0371 * FPS))[10:]) < 1e-5


def test_curve_through_a_single_frame_stays_there():
    assert np.array_equal(cubic_between(padded(np.array([[3.0]])), np.zeros(4)), np.full((1, 4), 3.0))
