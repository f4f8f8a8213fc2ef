"""Playback with a clock that the test sets."""

import pytest

from editor.stack.clips import delete_clips
from tests.widgets.timeline.shown import Standing, shown_clip
from widgets.timeline.playback import FASTEST, SLOWEST, Playback


class Clock:
    """Tells the time that it is told."""

    def __init__(self):
        self.now_s = 100.0

    def __call__(self):
        return self.now_s


class Player:
    """Playback of a clip of 90 frames, 30 a second, that ticks when it is told."""

    def __init__(self, **made):
        self.shown = shown_clip(**made)
        self.clock = Clock()
        self.playback = Playback(self.shown.session, self.shown.showing, self.clock)

    def play(self):
        self.playback.play()
        self.playback.tick()

    def after(self, seconds):
        """The frame that is shown so much later."""
        self.clock.now_s += seconds
        self.playback.tick()
        return self.frame

    @property
    def frame(self):
        return pytest.approx(self.shown.session.view.time_s * 30.0)


@pytest.fixture
def player(application):
    made = Player()
    yield made
    made.playback.pause()


@pytest.mark.parametrize("speed", [0.1, 0.5, 1.0, 2.0])
def test_frames_are_dropped_to_keep_real_time(player, speed):
    player.playback.set_speed(speed)
    player.play()
    assert player.after(1.0) == int(30 * speed)
    assert player.after(0.4) == int(42 * speed)


def test_many_ticks_do_not_drift(player):
    player.play()
    for _ in range(2 * 60):
        player.after(1.0 / 60.0)
    assert player.frame == 60
    for _ in range(60 * 1000 // 7):
        player.after(0.007)
    assert player.frame == (60 + int(60 * 1000 // 7 * 0.007 * 30)) % 90


def test_speed_has_limits(player):
    player.playback.set_speed(50.0)
    assert player.playback.speed == FASTEST
    player.playback.set_speed(0.0)
    assert player.playback.speed == SLOWEST


def test_changed_speed_counts_from_here(player):
    player.play()
    player.after(1.0)
    player.playback.set_speed(0.5)
    player.after(0.0)
    assert player.after(1.0) == 45


def test_end_wraps_when_looping(player):
    player.play()
    assert player.after(2.99) == 89
    assert player.after(0.02) == 0
    assert player.after(3.0 * 1000 + 0.5) == 15
    assert player.playback.playing


def test_end_stops_when_not_looping_and_play_starts_over(player):
    player.playback.set_looping(False)
    player.play()
    assert player.after(10.0) == 89
    assert not player.playback.playing
    player.play()
    assert player.frame == 0
    assert player.after(0.5) == 15


def test_last_frame_is_shown_as_long_as_any(player):
    player.playback.set_looping(False)
    player.play()
    assert player.after(89.5 / 30) == 89
    assert player.playback.playing


def test_loop_range_is_played_with_both_ends(player):
    player.shown.session.look(loop_s=(10 / 30, 19 / 30))
    player.play()
    assert player.frame == 10
    assert player.after(9.5 / 30) == 19
    assert player.after(1 / 30) == 10
    player.playback.set_looping(False)
    player.after(1.0)
    assert player.frame == 19
    assert not player.playback.playing


def test_loop_range_beyond_a_shorter_take_is_not_heeded(player):
    player.shown.session.look(loop_s=(5.0, 9.0))
    player.play()
    assert player.after(1.0) == 30


def test_every_frame_shows_one_a_tick_however_late(player):
    player.playback.set_every_frame(True)
    player.playback.play()
    frames = []
    for _ in range(4):
        player.after(0.7)
        frames.append(round(player.shown.session.view.time_s * 30))
    assert frames == [1, 2, 3, 4]


def test_every_frame_wraps_and_stops_as_well(player):
    player.playback.set_every_frame(True)
    player.shown.session.look(time_s=88 / 30)
    player.playback.play()
    assert player.after(0.0) == 89
    assert player.after(0.0) == 0
    player.playback.set_looping(False)
    player.shown.session.look(time_s=89 / 30)
    player.after(0.0)
    assert not player.playback.playing


def test_scrubbing_while_it_plays_goes_on_from_there(player):
    player.play()
    player.after(1.0)
    player.shown.session.look(time_s=2.0)
    assert player.after(0.5) == 60
    assert player.after(0.5) == 75


def test_pause_keeps_the_frame(player):
    player.play()
    player.after(1.013)
    player.playback.toggle()
    assert not player.playback.playing
    assert player.frame == 30


@pytest.mark.parametrize(
    ("start", "step", "reached"), [(10, 1, 11), (10, -1, 9), (10.4, 1, 11), (10.4, -1, 10), (3, -10, 0), (85, 10, 89)]
)
def test_step_goes_to_whole_frames_within_the_take(player, start, step, reached):
    player.shown.session.look(time_s=start / 30)
    player.playback.step(step)
    assert player.frame == reached


def test_step_pauses(player):
    player.play()
    player.playback.step(1)
    assert not player.playback.playing


def test_loop_range_is_set_from_the_playhead(player):
    session, playback = player.shown.session, player.playback
    session.look(time_s=1.0)
    playback.loop_from_here()
    assert session.view.loop_s == pytest.approx((1.0, 89 / 30))
    session.look(time_s=2.0)
    playback.loop_up_to_here()
    assert session.view.loop_s == pytest.approx((1.0, 2.0))
    session.look(time_s=2.5)
    playback.loop_from_here()
    assert session.view.loop_s == pytest.approx((2.5, 89 / 30)), "a start behind the stop opens the range"
    session.look(time_s=0.5)
    playback.loop_up_to_here()
    assert session.view.loop_s == pytest.approx((0.0, 0.5))
    session.look(time_s=0.0)
    playback.loop_up_to_here()
    assert session.view.loop_s == pytest.approx((0.0, 0.5)), "a range without length is none"


def test_one_frame_can_be_played(application):
    player = Player(source=Standing(frames=1, steps=()))
    player.play()
    assert player.after(1.0) == 0
    player.playback.step(1)
    assert player.frame == 0


def test_nothing_to_play_does_nothing(application):
    player = Player(source=False)
    player.play()
    assert not player.playback.playing
    player.playback.step(1)
    player.playback.loop_from_here()
    assert player.shown.session.view.loop_s is None


def test_playing_ends_with_the_last_clip(player):
    player.play()
    player.shown.document.do(delete_clips, ("1",))
    assert not player.playback.playing


def test_timer_moves_the_playhead(application):
    import time

    shown = shown_clip()
    playback = Playback(shown.session, shown.showing)
    playback.play()
    end = time.monotonic() + 10.0
    while shown.session.view.time_s == 0.0 and time.monotonic() < end:
        application.processEvents()
        time.sleep(0.002)
    playback.pause()
    assert 0.0 < shown.session.view.time_s < 3.0
