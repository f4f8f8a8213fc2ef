"""What a clip may ask for: refused before the memory is taken, with what to do."""

import numpy as np
import pytest

from model.limits import MOST_JOINT_FRAMES, MOST_PATH_M, check_length
from model.motion import Motion
from model.path import Path, PathPoint
from model.retiming import frames_at_rate
from model.smoothing import smoothed
from model.tracks import PointTracks
from tests.clips import random_motion
from tests.memory import peak_bytes


def test_a_motion_as_long_as_any_may_be_is_let_through():
    check_length("An edit", MOST_JOINT_FRAMES // 20, 20, "Do something.")


def test_a_longer_one_is_refused_with_what_was_asked_the_limit_and_what_to_do():
    with pytest.raises(ValueError, match=r"An edit would make 400,001 frames of 20 joints; 400,000 are the most\. "
                                         r"Do something\."):  # fmt: skip
        check_length("An edit", MOST_JOINT_FRAMES // 20 + 1, 20, "Do something.")


@pytest.mark.parametrize("frames", [float("inf"), float("nan")])
def test_lengths_that_are_no_number_are_refused(frames):
    with pytest.raises(ValueError, match="endlessly many"):
        check_length("An edit", frames, 1, "Do something.")


def test_what_is_long_already_may_get_twice_as_long():
    given = 20 * MOST_JOINT_FRAMES
    check_length("An edit", 2 * given // 20, 20, "Do something.", given)
    with pytest.raises(ValueError, match="are the most"):
        check_length("An edit", 2 * given // 20 + 1, 20, "Do something.", given)


@pytest.mark.parametrize("resampled", [Motion.resampled, frames_at_rate])
def test_a_rate_that_makes_too_many_frames_is_refused_before_they_are_made(resampled):
    motion = random_motion(3000)

    def refused():
        with pytest.raises(ValueError, match=r"A frame rate of 1e\+07 fps would make .* Use a lower frame rate"):
            resampled(motion, 1e7)

    assert peak_bytes(refused) < 1 << 20


def test_points_at_too_high_a_rate_are_refused():
    tracks = PointTracks(("one",), 1.0, np.zeros((1000, 1, 3)))
    with pytest.raises(ValueError, match="frames of 1 points"):
        tracks.resampled(100_000.0)


def test_a_path_longer_than_any_that_is_walked_has_points_farther_apart():
    far = 90.0 * MOST_PATH_M
    path = Path((PathPoint(0.0, 0.0, "arc", 10.0), PathPoint(far, 0.0, "smooth"), PathPoint(0.0, far)))
    assert peak_bytes(lambda: path.line()) < 64 << 20
    assert 1000 < len(path.line()) < 2.0 * MOST_PATH_M / 0.03


def test_a_window_much_longer_than_the_clip_takes_no_more_room_than_the_clip():
    values = np.cumsum(np.random.default_rng(1).normal(size=(50, 8)), axis=0)
    assert peak_bytes(lambda: smoothed(values, 1e9)) < 1 << 20
    line = values[0] + np.linspace(0.0, 1.0, 50)[:, None] * (values[-1] - values[0])
    np.testing.assert_allclose(smoothed(values, 1e9), line, atol=1e-9)


def test_windows_about_as_long_as_it_is_followed_smooth_alike():
    values = np.cumsum(np.random.default_rng(1).normal(size=(50, 8)), axis=0)
    longest = 4.0 * 50 / (6.0 * 0.18739)
    np.testing.assert_allclose(smoothed(values, longest - 1e-6), smoothed(values, longest + 1e-6), atol=1e-6)
