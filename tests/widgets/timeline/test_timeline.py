"""The timeline under a hand: scrubbing, keys, the loop range, zoom, the field, and what it shows without a clip."""

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QFontMetrics, QPaintEvent, QStatusTipEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from editor.stack.clips import add_clip, set_source
from editor.stack.layers import add_edit
from editor.timing.edit import Resample, Trim
from tests.stacks import Failing
from tests.widgets.timeline.shown import Standing, drag, move, press, release, shown_timeline
from widgets.common.theme import DARK, LIGHT, apply_theme
from widgets.timeline.lane import Lane, Row
from widgets.timeline.numbering import Unit

KEY, SHIFT, ALT, CTRL = (
    Qt.Key, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ControlModifier
)  # fmt: skip
IN_TICKS, IN_LOOP = 30, 6  # heights within the ruler


@pytest.fixture
def made(application):
    return shown_timeline(application)


def x_of(timeline, frame):
    return timeline.axis.scale.x_of(frame * timeline.axis.scale.frame_time_s)


def frame_of(shown):
    return pytest.approx(shown.session.view.time_s / shown.showing.current.take.motion.frame_time_s)


def wheel(widget, x, notches, modifiers=Qt.KeyboardModifier.NoModifier):
    point, turned, none = QPointF(x, 5.0), QPoint(0, round(120 * notches)), Qt.MouseButton.NoButton
    phase = Qt.ScrollPhase.NoScrollPhase
    event = QWheelEvent(point, widget.mapToGlobal(point), QPoint(), turned, none, modifiers, phase, False)
    QApplication.sendEvent(widget, event)


# Scrubbing


@pytest.mark.parametrize("frame", [0, 1, 41, 89])
def test_press_in_the_ruler_goes_to_the_frame_under_it(made, frame):
    shown, timeline = made
    QTest.mouseClick(
        timeline.ruler, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier,
        QPoint(round(x_of(timeline, frame) + 2), IN_TICKS),
    )  # fmt: skip
    assert frame_of(shown) == frame


def test_dragging_scrubs_and_stays_within_the_take(made):
    shown, timeline = made
    press(timeline.ruler, x_of(timeline, 20), IN_TICKS)
    move(timeline.ruler, x_of(timeline, 33) + 1, IN_TICKS)
    assert frame_of(shown) == 33
    move(timeline.ruler, 5000, IN_TICKS)
    assert frame_of(shown) == 89
    move(timeline.ruler, -5000, IN_TICKS)
    assert frame_of(shown) == 0
    release(timeline.ruler, -5000, IN_TICKS)
    move(timeline.ruler, 300, IN_TICKS)
    assert frame_of(shown) == 0, "the button is up"


def test_alt_scrubs_between_frames(made):
    shown, timeline = made
    press(timeline.ruler, x_of(timeline, 20.4), IN_TICKS, ALT)
    assert frame_of(shown) == 20.4


def test_empty_place_of_a_lane_and_below_the_lanes_scrubs(made):
    shown, timeline = made
    lane = timeline.lanes[0]
    drag(lane, x_of(timeline, 40), x_of(timeline, 44), 30)
    assert frame_of(shown) == 44
    drag(timeline._blank, x_of(timeline, 5), x_of(timeline, 7), 10)
    assert frame_of(shown) == 7
    assert shown.document.steps == ()


def test_escape_puts_the_playhead_back(made):
    shown, timeline = made
    shown.session.look(time_s=0.5)
    press(timeline.ruler, x_of(timeline, 60), IN_TICKS)
    QTest.keyClick(timeline.ruler, KEY.Key_Escape)
    assert shown.session.view.time_s == 0.5
    move(timeline.ruler, x_of(timeline, 70), IN_TICKS)
    assert shown.session.view.time_s == 0.5


def test_scrubbing_pauses(made):
    _, timeline = made
    timeline.playback.play()
    press(timeline.ruler, x_of(timeline, 60), IN_TICKS)
    assert not timeline.playback.playing


# Keys


def test_keys_step_and_jump(made):
    shown, timeline = made
    for key, modifier, frame in (
        (KEY.Key_Right, Qt.KeyboardModifier.NoModifier, 1),
        (KEY.Key_Right, SHIFT, 11),
        (KEY.Key_Left, Qt.KeyboardModifier.NoModifier, 10),
        (KEY.Key_End, Qt.KeyboardModifier.NoModifier, 89),
        (KEY.Key_Left, SHIFT, 79),
        (KEY.Key_Home, Qt.KeyboardModifier.NoModifier, 0),
    ):
        QTest.keyClick(timeline.ruler, key, modifier)
        assert frame_of(shown) == frame


def test_space_plays_and_pauses(made):
    _, timeline = made
    QTest.keyClick(timeline.ruler, KEY.Key_Space)
    assert timeline.playback.playing
    assert timeline.transport.play.accessibleName() == "Pause"
    QTest.keyClick(timeline.ruler, KEY.Key_Space)
    assert not timeline.playback.playing
    assert timeline.transport.play.accessibleName() == "Play"


def test_brackets_set_the_loop_range(made):
    shown, timeline = made
    shown.session.look(time_s=1.0)
    QTest.keyClick(timeline.ruler, KEY.Key_BracketLeft)
    shown.session.look(time_s=2.0)
    QTest.keyClick(timeline.ruler, KEY.Key_BracketRight)
    assert shown.session.view.loop_s == pytest.approx((1.0, 2.0))


def test_keys_of_the_window_come_first_but_not_those_that_a_lane_or_button_needs(application, made):
    shown, timeline = made
    stepped = []
    for keys in ("Right", "Space", "Delete"):
        action = QAction(timeline)
        action.setShortcut(keys)
        action.triggered.connect(lambda checked=False, keys=keys: stepped.append(keys))
        timeline.addAction(action)
    view = timeline.lanes[0]
    press(view, x_of(timeline, 20), 36)
    release(view, x_of(timeline, 20), 36)
    QTest.keyClick(view, KEY.Key_Right)
    assert stepped == ["Right"]
    assert frame_of(shown) == 0, "the window steps, not we as well"
    QTest.keyClick(view, KEY.Key_Delete)
    assert len(shown.document.steps) == 1
    QTest.keyClick(view, KEY.Key_Delete)
    assert stepped == ["Right", "Delete"], "with nothing selected it is the window's"
    view.clearFocus()
    view.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(view, KEY.Key_Right)
    assert view.lane.selected is not None
    QTest.keyClick(timeline.transport.next, KEY.Key_Space)
    assert frame_of(shown) == 1
    QTest.keyClick(timeline.ruler, KEY.Key_Space)
    assert stepped == ["Right", "Delete", "Space"]


def test_frames_count_from_the_end_if_negative(made):
    shown, timeline = made
    timeline.go_to_frame(-1)
    assert frame_of(shown) == 89


# The loop range


def test_shift_drag_makes_a_range_either_way(made):
    shown, timeline = made
    drag(timeline.ruler, x_of(timeline, 20) + 2, x_of(timeline, 41) - 2, IN_TICKS, SHIFT)
    assert shown.session.view.loop_s == pytest.approx((20 / 30, 41 / 30))
    drag(timeline.ruler, x_of(timeline, 65), x_of(timeline, 45), IN_TICKS, SHIFT)
    assert shown.session.view.loop_s == pytest.approx((45 / 30, 65 / 30))
    assert frame_of(shown) == 0, "it does not scrub"


def test_shift_click_makes_no_range(made):
    shown, timeline = made
    press(timeline.ruler, 300, IN_TICKS, SHIFT)
    release(timeline.ruler, 300, IN_TICKS, SHIFT)
    assert shown.session.view.loop_s is None


def test_handles_resize_and_the_band_moves_the_range(made):
    shown, timeline = made
    shown.session.look(loop_s=(20 / 30, 40 / 30))
    drag(timeline.ruler, x_of(timeline, 20) - 3, x_of(timeline, 15) - 3, IN_LOOP)
    assert shown.session.view.loop_s == pytest.approx((15 / 30, 40 / 30))
    drag(timeline.ruler, x_of(timeline, 40) + 3, x_of(timeline, 62) + 3, IN_LOOP)
    assert shown.session.view.loop_s == pytest.approx((15 / 30, 62 / 30))
    drag(timeline.ruler, x_of(timeline, 40), x_of(timeline, 35), IN_LOOP)
    assert shown.session.view.loop_s == pytest.approx((10 / 30, 57 / 30))
    drag(timeline.ruler, x_of(timeline, 40), x_of(timeline, 400), IN_LOOP)
    assert shown.session.view.loop_s == pytest.approx((42 / 30, 89 / 30)), "it ends with the take, and keeps its length"


def test_escape_puts_the_range_back(made):
    shown, timeline = made
    shown.session.look(loop_s=(20 / 30, 40 / 30))
    press(timeline.ruler, x_of(timeline, 20) - 3, IN_LOOP)
    move(timeline.ruler, x_of(timeline, 5), IN_LOOP)
    assert shown.session.view.loop_s != (20 / 30, 40 / 30)
    QTest.keyClick(timeline.ruler, KEY.Key_Escape)
    assert shown.session.view.loop_s == (20 / 30, 40 / 30)


def test_double_click_clears_the_range_only_where_it_is(made):
    shown, timeline = made
    shown.session.look(loop_s=(20 / 30, 40 / 30))
    for frame, left in ((60, (20 / 30, 40 / 30)), (30, None)):
        at = QPoint(round(x_of(timeline, frame)), IN_LOOP)
        QTest.mouseDClick(timeline.ruler, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
        assert shown.session.view.loop_s == left


def test_range_snaps_to_contacts_where_frames_are_narrow(application):
    shown, timeline = shown_timeline(application, source=Standing(3000, 120.0, (("left_foot", 1000, 1500),)))
    assert timeline.axis.scale.pixels_per_s / 120.0 < 1.0
    drag(timeline.ruler, x_of(timeline, 1000) + 4, x_of(timeline, 2000), IN_TICKS, SHIFT)
    assert shown.session.view.loop_s[0] == pytest.approx(1000 / 120)
    drag(timeline.ruler, x_of(timeline, 1000) + 4, x_of(timeline, 2000), IN_TICKS, SHIFT | ALT)
    assert shown.session.view.loop_s[0] == pytest.approx(timeline.axis.scale.time_at(x_of(timeline, 1000) + 4))


# Zoom and pan


def test_wheel_zooms_about_the_mouse(made):
    _, timeline = made
    before = timeline.axis.scale
    wheel(timeline.ruler, 400.0, 2)
    after = timeline.axis.scale
    assert after.pixels_per_s > before.pixels_per_s
    assert after.time_at(400.0) == pytest.approx(before.time_at(400.0))
    wheel(timeline.lanes[0], 400.0, -20)
    assert timeline.axis.scale.is_fitted


def test_ctrl_wheel_and_middle_drag_pan(made):
    _, timeline = made
    wheel(timeline.ruler, 400.0, 4)
    start_s = timeline.axis.scale.start_s
    wheel(timeline.ruler, 400.0, -1, CTRL)
    assert timeline.axis.scale.start_s > start_s
    there = timeline.axis.scale.time_at(300.0)
    drag(timeline.lanes[0], 300, 340, 40, button=Qt.MouseButton.MiddleButton)
    assert timeline.axis.scale.time_at(340.0) == pytest.approx(there)


def test_buttons_zoom_within_limits(made):
    _, timeline = made
    transport = timeline.transport
    assert not transport.zoom_out.isEnabled()
    assert not transport.fit.isEnabled()
    for _ in range(10):
        QTest.mouseClick(transport.zoom_in, Qt.MouseButton.LeftButton)
    assert not transport.zoom_in.isEnabled()
    assert timeline._bar.isVisible()
    QTest.mouseClick(transport.fit, Qt.MouseButton.LeftButton)
    assert timeline.axis.scale.is_fitted
    assert not timeline._bar.isVisible()


def test_scroll_bar_pans(made):
    _, timeline = made
    timeline.axis.zoom(4.0, 0.0)
    timeline._bar.setValue(timeline._bar.maximum())
    scale = timeline.axis.scale
    assert scale.start_s + scale.seen_s == pytest.approx(scale.span_s, abs=2.0 / scale.pixels_per_s)


def test_view_follows_the_playhead(made):
    shown, timeline = made
    timeline.axis.zoom(5.0, 0.0)
    shown.session.look(time_s=2.5)
    scale = timeline.axis.scale
    assert scale.start_s <= 2.5 <= scale.start_s + scale.seen_s


def test_window_that_widens_keeps_the_whole_take_in_sight(application, made):
    _, timeline = made
    timeline.resize(1400, 260)
    application.processEvents()
    assert timeline.axis.scale.is_fitted
    assert timeline.axis.scale.width_px == timeline.ruler.width() == timeline.lanes[0].width()


def test_labels_of_the_ruler_do_not_overlap(application):
    for frames, fps in ((1, 30.0), (90, 30.0), (5000, 120.0)):
        _, timeline = shown_timeline(application, source=Standing(frames, fps, (), first_frame=12345))
        metrics = QFontMetrics(timeline.ruler.font())
        for unit in Unit:
            timeline.axis.set_unit(unit)
            for width in (200, 431, 900, 1700):
                for factor in (1.0, 3.0, 1000.0):
                    scale = timeline.axis.scale.resized(width).zoomed(factor, 100.0)
                    numbering = timeline.axis.numbering
                    ticks = numbering.ticks(scale, timeline.ruler.digit_px)
                    end = -1e9
                    for x, value in ticks.major:
                        half = 0.5 * metrics.horizontalAdvance(numbering.tick_text(value, ticks.step))
                        assert x - half > end + 3
                        end = x + half


# The transport


def test_buttons_do_what_they_say(made):
    shown, timeline = made
    transport = timeline.transport
    for button, frame in (
        (transport.last, 89), (transport.previous, 88), (transport.first, 0), (transport.next, 1),
    ):  # fmt: skip
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        assert frame_of(shown) == frame
    QTest.mouseClick(transport.loop, Qt.MouseButton.LeftButton)
    QTest.mouseClick(transport.every_frame, Qt.MouseButton.LeftButton)
    assert not timeline.playback.looping
    assert timeline.playback.every_frame


def test_space_presses_the_button_that_has_the_focus(made):
    shown, timeline = made
    QTest.keyClick(timeline.transport.next, KEY.Key_Space)
    assert frame_of(shown) == 1
    assert not timeline.playback.playing


def test_speed_can_be_typed(made):
    _, timeline = made
    speed = timeline.transport.speed
    QTest.mouseClick(speed, Qt.MouseButton.LeftButton)
    QTest.keyClicks(speed, "0.5")
    QTest.keyClick(speed, KEY.Key_Return)
    assert timeline.playback.speed == 0.5


def test_typed_frame_is_gone_to(made):
    shown, timeline = made
    field = timeline.transport.field
    for typed, frame in (("41", 41), ("1 s", 30), ("9999", 89), ("-3", 0), ("abc", 0)):
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, typed)
        QTest.keyClick(field, KEY.Key_Return)
        assert frame_of(shown) == frame
        assert field.text() == str(round(shown.session.view.time_s * 30))


def test_escape_leaves_the_field_as_it_was(made):
    shown, timeline = made
    field = timeline.transport.field
    field.selectAll()
    QTest.keyClicks(field, "77")
    shown.session.look(time_s=0.1)
    assert field.text() == "77", "what is typed is not written over"
    QTest.keyClick(field, KEY.Key_Escape)
    assert field.text() == "3"
    assert frame_of(shown) == 3


def test_units_change_field_and_ruler(application):
    shown, timeline = shown_timeline(application, source=Standing(first_frame=100))
    shown.session.look(time_s=0.5)
    for unit, text in ((Unit.SECONDS, "0.500 s"), (Unit.FILE, "115"), (Unit.FRAMES, "15")):
        timeline.transport.unit.setCurrentText(unit.value)
        assert timeline.transport.field.text() == text


def test_playhead_stands_on_a_frame_after_the_rate_changed(application):
    shown, timeline = shown_timeline(application)
    shown.session.look(time_s=41 / 30)
    shown.document.do(add_edit, shown.session.view.clip, Resample(24.0))
    assert timeline.axis.scale.frame_time_s == pytest.approx(1 / 24)
    assert shown.session.view.time_s == pytest.approx(33 / 24), "32.8 frames at the new rate"
    assert timeline.transport.field.text() == "33"


def test_trimmed_clip_keeps_the_numbers_of_its_file(application):
    _, timeline = shown_timeline(application, Trim(0.5, 2.0))
    timeline.axis.set_unit(Unit.FILE)
    assert timeline.transport.field.text() == "15"


# What it shows, and how little it draws


class Marks(Lane):
    title = "Marks"

    @property
    def rows(self):
        return (Row("One"), Row("Two"))

    def __init__(self):
        super().__init__()
        self.painted = 0

    def paint(self, painter, scale, rect, small):
        self.painted += 1


def test_playhead_moves_without_drawing_lanes_again(application, made):
    shown, timeline = made
    lane = Marks()
    timeline.add_lane(lane)
    for _ in range(5):
        application.processEvents()
    painted = lane.painted
    assert painted > 0
    for frame in range(1, 30):
        shown.session.look(time_s=frame / 30)
        application.processEvents()
    assert lane.painted == painted
    timeline.axis.zoom(1.5, 300.0)
    application.processEvents()
    assert lane.painted == painted + 1


def test_playhead_is_where_the_time_is(application, made):
    shown, timeline = made
    apply_theme(application, DARK)
    blank = timeline._blank
    for frame in (10, 70):
        shown.session.look(time_s=frame / 30)
        application.processEvents()
        image = blank.grab().toImage()
        line = [x for x in range(image.width()) if image.pixelColor(x, 20).name() == DARK.accent.lower()]
        ratio = image.devicePixelRatio()
        assert line
        assert sum(line) / len(line) / ratio == pytest.approx(x_of(timeline, frame), abs=1.5)


def test_playhead_draws_again_only_where_it_was_and_where_it_is(application, made):
    shown, timeline = made
    shown.session.look(time_s=20 / 30)
    application.processEvents()
    regions = []
    timeline._blank.installEventFilter(watcher := _Repaints(regions))
    shown.session.look(time_s=60 / 30)
    application.processEvents()
    if not regions:  # a busy screen draws when it likes
        QTest.qWaitFor(lambda: bool(regions), 2000)
    timeline._blank.removeEventFilter(watcher)
    drawn = [rect for region in regions for rect in region]
    for frame in (20, 60):
        assert any(rect.left() <= x_of(timeline, frame) <= rect.right() + 1 for rect in drawn)
    assert sum(rect.width() for rect in drawn) < 20


class _Repaints(QObject):
    """Notes which parts of a widget are drawn."""

    def __init__(self, regions):
        super().__init__()
        self._regions = regions

    def eventFilter(self, watched, event):  # noqa: N802
        if isinstance(event, QPaintEvent):
            self._regions.append(event.region())
        return False


def test_lane_folds_to_its_title(application, made):
    _, timeline = made
    view, header = timeline.lanes[0], timeline._grid.itemAtPosition(0, 0).widget()
    tall = view.height()
    QTest.mouseClick(header.button, Qt.MouseButton.LeftButton)
    assert view.height() < tall
    assert header.button.accessibleName() == "Unfold contacts"
    press(view, x_of(timeline, 20), 12)
    move(view, x_of(timeline, 28), 12)
    assert timeline._showing.current.take.contacts.limbs["left_foot"][0].start == 10, "small bars cannot be dragged"
    release(view, x_of(timeline, 28), 12)
    QTest.mouseClick(header.button, Qt.MouseButton.LeftButton)
    assert view.height() == tall


def test_without_a_clip_it_says_what_it_is_for(application):
    shown, timeline = shown_timeline(application, source=False)
    wanted = []
    timeline.import_wanted.connect(lambda: wanted.append(1))
    button = timeline._empty.findChild(QPushButton)
    assert button.isVisible()
    assert not timeline.transport.isEnabled()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert wanted
    QTest.keyClick(timeline, KEY.Key_Space)
    assert not timeline.playback.playing
    shown.document.do(add_clip, Standing(), "Walk")
    assert timeline.ruler.isVisible()
    assert timeline.transport.isEnabled()


def test_failing_clip_is_told(application, made):
    shown, timeline = made
    shown.document.do(set_source, "1", Failing())
    assert timeline._message.isVisible()
    assert "the well is dry" in timeline._message.text()
    shown.document.undo()
    assert timeline.ruler.isVisible()


@pytest.mark.parametrize("frames", [0, 1, 2])
def test_very_short_clips_are_shown(application, frames):
    shown, timeline = shown_timeline(application, source=Standing(frames, 30.0, ()))
    assert timeline.ruler.isVisible() == (frames > 0)
    drag(timeline.ruler, 100, 900, IN_TICKS)
    assert shown.session.view.time_s <= max(frames - 1, 0) / 30
    wheel(timeline.ruler, 500.0, 5)
    timeline.grab()
    for key in (KEY.Key_Right, KEY.Key_End, KEY.Key_BracketLeft, KEY.Key_BracketRight):
        QTest.keyClick(timeline, key)
    assert shown.session.view.time_s == pytest.approx(max(frames - 1, 0) / 30)


def test_both_themes_are_drawn(application, made):
    _, timeline = made
    grounds = []
    for theme in (LIGHT, DARK):
        apply_theme(application, theme)
        application.processEvents()
        grounds.append(timeline._blank.grab().toImage().pixelColor(60, 20).lightness())
    assert grounds[0] > 200
    assert grounds[1] < 80


def test_status_bar_is_told_what_the_mouse_would_do(application, made):
    _, timeline = made
    told = []

    timeline.installEventFilter(watcher := _StatusTips(told))
    view = timeline.lanes[0]
    move(view, x_of(timeline, 20), 36, button=Qt.MouseButton.NoButton)
    assert any("Left foot" in tip for tip in told)
    timeline.removeEventFilter(watcher)


class _StatusTips(QObject):
    def __init__(self, told):
        super().__init__()
        self._told = told

    def eventFilter(self, watched, event):  # noqa: N802
        if event.type() == QEvent.Type.StatusTip and isinstance(event, QStatusTipEvent):
            self._told.append(event.tip())
        return False
