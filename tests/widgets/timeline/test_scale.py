"""Time on pixels: there and back, zoom about the mouse, ticks that do not run into each other."""

from itertools import pairwise

import pytest

from widgets.timeline.scale import MARGIN_PX, TimeScale, frame_ticks, second_ticks

WIDTHS = (60, 150, 333, 800, 1919, 3840)
TAKES = ((1, 30.0), (2, 30.0), (90, 30.0), (343, 120.0), (6000, 120.0), (200_000, 120.0))


def fitted(frames=90, fps=30.0, width=1000.0):
    return TimeScale.fitting(frames / fps, 1.0 / fps, width)


def scales():
    for frames, fps in TAKES:
        for width in WIDTHS:
            scale = fitted(frames, fps, width)
            for factor in (1.0, 1.7, 9.0, 1e6):
                yield scale.zoomed(factor, 0.3 * width)


def test_time_and_place_are_inverse():
    for scale in scales():
        for x in (-50.0, 0.0, 17.5, scale.width_px):
            assert scale.x_of(scale.time_at(x)) == pytest.approx(x, abs=1e-6)


def test_whole_take_fits_between_the_margins():
    scale = fitted()
    assert scale.x_of(0.0) == pytest.approx(MARGIN_PX)
    assert scale.x_of(3.0) == pytest.approx(1000.0 - MARGIN_PX)
    assert scale.is_fitted


@pytest.mark.parametrize("x", [200.0, 500.0, 900.0])
@pytest.mark.parametrize("factor", [1.25, 1.9])
def test_zoom_keeps_the_time_under_the_mouse(x, factor):
    scale = fitted().zoomed(3.0, 500.0)
    there = scale.time_at(x)
    closer = scale.zoomed(factor, x)
    assert closer.pixels_per_s > scale.pixels_per_s
    assert closer.time_at(x) == pytest.approx(there)
    assert closer.zoomed(1.0 / factor, x).start_s == pytest.approx(scale.start_s)


def test_zoom_ends_at_the_whole_take_and_at_wide_frames():
    scale = fitted()
    assert scale.zoomed(0.01, 300.0) == scale
    closest = scale.zoomed(1e9, 300.0)
    assert closest.pixels_per_s == closest.most_pixels_per_s == closest.zoomed(2.0, 300.0).pixels_per_s
    assert closest.pixels_per_s / 30.0 == pytest.approx(64.0)


def test_take_of_one_frame_can_be_shown_and_not_zoomed():
    scale = fitted(1)
    assert scale.zoomed(10.0, 500.0) == scale
    assert scale.x_of(0.0) == pytest.approx(MARGIN_PX)


def test_pan_stops_at_the_ends():
    scale = fitted().zoomed(4.0, 500.0)
    assert scale.panned(-1e6).start_s == 0.0
    end = scale.panned(1e6)
    assert end.x_of(3.0) == pytest.approx(1000.0 - MARGIN_PX)
    assert scale.panned(37.0).x_of(1.5) == pytest.approx(scale.x_of(1.5) - 37.0)
    assert fitted().panned(200.0) == fitted()


def test_revealing_moves_just_so_far():
    scale = fitted().zoomed(4.0, 500.0)
    seen = scale.start_s + 0.5 * scale.seen_s
    assert scale.revealing(seen) == scale
    assert scale.revealing(0.1).x_of(0.1) == pytest.approx(MARGIN_PX)
    assert scale.revealing(2.9).x_of(2.9) == pytest.approx(1000.0 - MARGIN_PX)


def test_other_width_or_take_stays_whole_or_as_large():
    assert fitted().resized(500.0) == fitted(width=500.0)
    assert fitted().over(10.0, 0.1) == TimeScale.fitting(10.0, 0.1, 1000.0)
    close = fitted().zoomed(4.0, 500.0)
    assert close.resized(500.0).pixels_per_s == close.pixels_per_s
    assert close.over(6.0, 1 / 30).pixels_per_s == close.pixels_per_s


@pytest.mark.parametrize("label_px", [20.0, 61.0])
@pytest.mark.parametrize("make", [frame_ticks, second_ticks])
def test_labelled_ticks_are_a_label_apart(make, label_px):
    for scale in scales():
        ticks = make(scale, label_px)
        for (x, _), (after, _) in pairwise(ticks.major):
            assert after - x >= label_px - 1e-6
        assert len(ticks.major) + len(ticks.minor) <= scale.width_px / 2 + 3


@pytest.mark.parametrize("make", [frame_ticks, second_ticks])
def test_ticks_stand_at_their_values_within_the_take(make):
    for scale in scales():
        ticks = make(scale, 40.0)
        unit_s = 1.0 if make is second_ticks else scale.frame_time_s
        last_s = scale.span_s - scale.frame_time_s
        for x, value in ticks.major:
            assert scale.time_at(x) == pytest.approx(value * unit_s, abs=1e-6)
            assert value / ticks.step == pytest.approx(round(value / ticks.step), abs=1e-6)
            assert -1e-6 <= scale.time_at(x) <= last_s + 1e-6


def test_whole_take_shows_ticks_over_all_its_length():
    ticks = frame_ticks(fitted(), 40.0)
    assert [value for _, value in ticks.major] == [0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75, 80, 85]
    assert len(ticks.minor) == 90 - 18


def test_frames_are_numbered_as_the_file_does():
    ticks = frame_ticks(fitted(), 40.0, first_number=17)
    x, value = ticks.major[0]
    assert value == 20
    assert fitted().time_at(x) == pytest.approx(3 / 30)


def test_wide_frames_have_a_tick_each_and_none_between():
    ticks = frame_ticks(fitted().zoomed(1e6, 0.0), 40.0)
    assert ticks.step == 1.0
    assert ticks.minor == ()
