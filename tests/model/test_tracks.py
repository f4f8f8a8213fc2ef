"""Point tracks: their rules, gaps, resampling, timing, and what is judged from a cloud of points."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.tracks import (
    PointTracks,
    clean_names,
    evenly_timed,
    guess_cloud_unit,
    guess_cloud_up,
    timed_by,
    tracks_of_file,
    unit_named,
)
from model.units import CENTIMETRE, CMU, INCH, METRE, MILLIMETRE, UP_AXES, from_y_up
from tests.clips import waving_figure


def tracks(positions, **changes):
    positions = np.asarray(positions, dtype=float)
    names = tuple(f"p{n}" for n in range(positions.shape[1]))
    return PointTracks(**({"names": names, "frame_time_s": 0.1, "positions": positions} | changes))


def ramp(frames, points=2):
    """Points that move on straight lines."""
    return np.arange(frames)[:, None, None] * np.ones(3) * 0.1 + np.arange(points)[:, None] + [0.0, 1.0, 2.0]


def test_frames_rate_and_duration():
    clip = tracks(ramp(11))
    assert (clip.frames, clip.fps, clip.duration_s) == (11, 10.0, 1.0)
    np.testing.assert_array_equal(clip.point("p1"), clip.positions[:, 1])


def test_positions_are_read_only_and_the_makers_array_is_not():
    array = ramp(3)
    clip = tracks(array)
    with pytest.raises(ValueError, match="read-only"):
        clip.positions[0] = 1.0
    array[0] = 1.0


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"positions": np.zeros((4, 3))}, "positions has shape"),
        ({"positions": np.zeros((4, 3, 3))}, "positions has shape"),
        ({"positions": np.zeros((4, 2, 2))}, "positions has shape"),
        ({"positions": np.full((4, 2, 3), np.inf)}, "infinite"),
        ({"positions": np.array([[[np.nan, 1, 2], [0, 0, 0]]])}, "all three coordinates or not at all"),
        ({"names": ("a", "a")}, "'a' twice"),
        ({"names": ("a", "")}, "point 2 has none"),
        ({"frame_time_s": 0.0}, "frame_time_s"),
        ({"frame_time_s": np.nan}, "frame_time_s"),
        ({"start_time_s": np.inf}, "start_time_s"),
        ({"up": "Y"}, "up is 'Y'"),
    ],
)
def test_validation_names_the_broken_rule(changes, rule):
    with pytest.raises(ValueError, match=rule):
        PointTracks(**({"names": ("a", "b"), "frame_time_s": 0.1, "positions": np.zeros((4, 2, 3))} | changes))


def test_an_unknown_point_is_named():
    with pytest.raises(ValueError, match="'LWrist'"):
        tracks(ramp(2)).point("LWrist")


def test_gaps_are_intervals_of_each_point():
    positions = ramp(8, 3)
    positions[0:2, 0] = positions[4:5, 0] = positions[6:8, 0] = np.nan
    positions[:, 2] = np.nan
    assert tracks(positions).gaps() == (((0, 2), (4, 5), (6, 8)), (), ((0, 8),))
    assert tracks(np.zeros((0, 1, 3))).gaps() == ((),)


@pytest.mark.parametrize("fps", [3.0, 5.0, 7.5, 10.0, 25.0, 30.0])
def test_resampling_follows_straight_lines(fps):
    clip = tracks(ramp(31)).resampled(fps)
    assert clip.fps == pytest.approx(fps)
    assert clip.frames == int(3.0 * fps + 1e-9) + 1
    expected = ramp(2)[0] + (np.arange(clip.frames) / fps)[:, None, None] * np.ones(3)
    np.testing.assert_allclose(clip.positions, expected, atol=1e-12)


def test_resampling_to_a_divisor_picks_frames_exactly():
    positions = np.random.default_rng(1).normal(size=(41, 3, 3))
    np.testing.assert_array_equal(tracks(positions).resampled(2.5).positions, positions[::4])


def test_resampling_keeps_gaps_and_makes_none():
    positions = ramp(10)
    positions[3:5, 0] = np.nan
    clip = tracks(positions).resampled(20.0)
    # Frames 3 and 4 become 6 to 9; what lies between a seen frame and an unseen one is not made up.
    assert clip.gaps() == (((5, 10),), ())
    assert tracks(positions).resampled(5.0).gaps() == (((2, 3),), ())


@pytest.mark.parametrize("fps", [0.0, -1.0, np.nan, np.inf])
def test_resampling_to_an_impossible_rate_is_refused(fps):
    with pytest.raises(ValueError, match="fps"):
        tracks(ramp(3)).resampled(fps)


@pytest.mark.parametrize("up", UP_AXES)
def test_file_numbers_come_in_and_go_out_the_same(up):
    numbers = np.random.default_rng(2).normal(size=(5, 4, 3)).round(3) * 1000
    numbers[2, 1] = np.nan
    clip = tracks_of_file("abcd", numbers, 0.1, 0.0, MILLIMETRE, up)
    np.testing.assert_allclose(clip.in_file(MILLIMETRE, up), numbers, atol=1e-6)
    np.testing.assert_allclose(clip.in_file(CENTIMETRE, up), numbers / 10, atol=1e-7)


@pytest.mark.parametrize("up", UP_AXES)
@pytest.mark.parametrize("scale", [1.0, 100.0, 1000.0])
def test_people_tell_which_axis_is_up(up, scale):
    positions = waving_figure().world.positions
    assert guess_cloud_up(from_y_up(positions, up) * scale) == up
    assert guess_cloud_up(from_y_up(positions + np.array([3.0, 0.0, -4.0]), up) * scale) == up


def test_few_points_do_not_tell_which_axis_is_up():
    assert guess_cloud_up(waving_figure().world.positions[:, :9]) is None
    assert guess_cloud_up(np.full((5, 20, 3), np.nan)) is None
    assert guess_cloud_up(np.zeros((5, 20, 3))) is None


def test_units_are_guessed_by_size():
    positions = waving_figure().world.positions
    assert guess_cloud_unit(positions) == METRE
    assert guess_cloud_unit(positions * 100) == CENTIMETRE
    assert guess_cloud_unit(positions * 1000) == MILLIMETRE
    assert guess_cloud_unit(np.full((5, 2, 3), np.nan)) == METRE


@pytest.mark.parametrize(
    ("text", "unit"),
    [("mm", MILLIMETRE), (" Meters ", METRE), ("CM", CENTIMETRE), ("inches", INCH), ("cmu", CMU), ("parsec", None),
     ("", None), ("1", None), ("x m", None)],
)  # fmt: skip
def test_units_are_known_by_their_names(text, unit):
    assert unit_named(text) == unit


def test_a_unit_may_be_a_number_of_metres():
    assert unit_named("0.05 m").metres == 0.05


def test_names_are_made_fit_and_unique():
    assert clean_names(["a", "a", "b", "a 2", "", " c\td\n", "a"]) == ("a", "a 3", "b", "a 2", "point 5", "c d", "a 4")
    assert clean_names(["LASI", "Subject:RASI", "*12"]) == ("LASI", "Subject:RASI", "*12")


@given(st.lists(st.text(max_size=3), max_size=20))
def test_any_names_become_valid(names):
    clean = clean_names(names)
    assert len(set(clean)) == len(names)
    assert all(clean)
    assert clean_names(clean) == clean


@pytest.mark.parametrize("fps", [24.0, 25.0, 29.97, 30.0, 50.0, 60.0, 100.0, 119.88, 120.0, 240.0])
@pytest.mark.parametrize("decimals", [3, 4, 6, 9])
def test_rounded_times_are_even_and_give_a_round_rate(fps, decimals):
    times = np.round(7.0 + np.arange(500) / fps, decimals)
    timed = evenly_timed(times, ramp(500))
    assert not timed.remarks
    assert timed.frame_time_s == pytest.approx(1 / fps, rel=1e-3)
    np.testing.assert_array_equal(timed.positions, ramp(500))
    if decimals >= 6:
        assert 1.0 / timed.frame_time_s == pytest.approx(fps, rel=1e-9)


def test_uneven_times_are_resampled_at_the_median_step():
    rng = np.random.default_rng(3)
    times = np.arange(200) * 0.01 + rng.uniform(-0.003, 0.003, 200)
    positions = times[:, None, None] * np.array([1.0, -2.0, 3.0])
    timed = evenly_timed(times, positions)
    at = timed.start_time_s + timed.frame_time_s * np.arange(len(timed.positions))
    np.testing.assert_allclose(timed.positions[:-1, 0, 0], at[:-1], atol=1e-9)
    assert "not even" in timed.remarks[0]


def test_frames_left_out_become_gaps():
    times = np.delete(np.arange(20) * 0.1, [5, 6, 12])
    timed = evenly_timed(times, np.delete(ramp(20), [5, 6, 12], axis=0))
    clip = tracks(timed.positions)
    assert clip.frames == 20
    assert clip.gaps()[0] == ((5, 7), (12, 13))
    np.testing.assert_allclose(clip.positions[13:], ramp(20)[13:], atol=1e-9)


@pytest.mark.parametrize(
    ("times", "frames", "step"),
    [
        ([0.0, 0.1, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1], 12, 0.1),  # a row twice
        ([0.0, 0.1, np.nan, 0.3, 0.4], 5, 0.1),
        ([0.5, 0.4, 0.3, 0.2, 0.1, 0.6], 6, 0.1),  # backwards: rows are counted
        ([0.0, 0.1, 0.2, 1e8], 4, 0.1),  # no memory for what is not there
    ],
)
def test_strange_times_are_dealt_with(times, frames, step):
    timed = evenly_timed(np.array(times), ramp(len(times)))
    assert len(timed.positions) == frames
    assert timed.frame_time_s == pytest.approx(step)
    assert timed.remarks


@pytest.mark.parametrize("times", [[1.0], [np.nan, np.nan], [2.0, 2.0, 2.0], [3.0, 2.0, 1.0]])
def test_times_that_tell_no_step_are_passed_over(times):
    assert evenly_timed(np.array(times), ramp(len(times))) is None
    assert timed_by(ramp(len(times)), np.array(times), None, None, 50.0).frame_time_s == 0.02


def test_times_far_too_coarse_for_seconds_are_milliseconds():
    timed = timed_by(ramp(50), np.arange(50) * 20.0, None, None, None)
    assert timed.frame_time_s == pytest.approx(0.02)
    assert "milliseconds" in timed.remarks[0]


def test_frame_numbers_count_for_want_of_times():
    timed = timed_by(ramp(3), None, np.array([1.0, 2.0, 4.0]), None, 10.0)
    assert (timed.start_time_s, len(timed.positions)) == (0.0, 4)
    assert np.all(np.isnan(timed.positions[2]))


@settings(deadline=None)
@given(st.lists(st.floats(-1e9, 1e9) | st.just(np.nan), min_size=1, max_size=40))
def test_any_times_give_sane_tracks(times):
    timed = timed_by(ramp(len(times)), np.array(times), np.array(times), None, None)
    clip = tracks(timed.positions, frame_time_s=timed.frame_time_s, start_time_s=timed.start_time_s)
    assert 1 <= clip.frames <= 4 * len(times) + 1000
