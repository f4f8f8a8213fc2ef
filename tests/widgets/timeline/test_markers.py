"""Markers under a hand: set, dragged, renamed, removed, jumped to, and as magnets for others."""

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from editor.stack.markers import add_marker, remove_markers
from editor.timing.edit import Trim
from tests.widgets.timeline.shown import Standing, drag, move, press, release, shown_timeline
from widgets.timeline.markers import STRIP_HEIGHT
from widgets.timeline.numbering import Unit

KEY, SHIFT, ALT, CTRL = (
    Qt.Key, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ControlModifier
)  # fmt: skip
LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier
IN_FLAGS = 20  # a height within the ruler


def with_markers(application, *marked, edits=(), source=None):
    """A timeline whose clip has markers: (frame of the source, name)."""
    shown, timeline = shown_timeline(application, *edits, source=source)
    for frame, name in marked:
        shown.document.do(add_marker, "1", frame / (source or Standing()).fps, name)
    shown.document.restart(shown.document.project)
    application.processEvents()
    return shown, timeline


@pytest.fixture
def made(application):
    return with_markers(application, (30, "Kick"), (60, ""))


def x_of(timeline, frame):
    return timeline.axis.scale.x_of(frame * timeline.axis.scale.frame_time_s)


def frames_of(shown):
    """The markers as frames of the source."""
    return [pytest.approx(marker.time_s * 30.0) for marker in shown.document.project.clip("1").markers]


def names_of(shown):
    return [marker.name for marker in shown.document.project.clip("1").markers]


def frame_of(shown):
    return pytest.approx(shown.session.view.time_s * 30.0)


def select(timeline, frame):
    QTest.mouseClick(timeline.ruler, LEFT, NONE, QPoint(round(x_of(timeline, frame)) + 3, IN_FLAGS))


# Setting


def test_ctrl_m_sets_a_marker_at_the_playhead(application):
    shown, timeline = shown_timeline(application)
    shown.session.look(time_s=1.2)
    QTest.keyClick(timeline.ruler, KEY.Key_M, CTRL)
    assert frames_of(shown) == [36]
    assert shown.document.undo_text == "Add marker at 1.20 s"
    assert timeline.markers.selected.time_s == pytest.approx(1.2)
    timeline.add_marker_here()
    assert len(shown.document.steps) == 1, "there is one already"


def test_marker_beyond_the_end_is_set_in_the_last_frame(application):
    shown, timeline = shown_timeline(application)
    shown.session.look(time_s=99.0)
    timeline.add_marker_here()
    assert frames_of(shown) == [89]


def test_without_a_clip_no_marker_is_set(application):
    shown, timeline = shown_timeline(application, source=False)
    timeline.add_marker_here()
    timeline.go_to_marker(1)
    assert shown.document.steps == ()


def test_ruler_has_a_strip_for_markers_only_while_there_are_some(application):
    shown, timeline = shown_timeline(application)
    height = timeline.ruler.height()
    timeline.add_marker_here()
    assert timeline.ruler.height() == height + STRIP_HEIGHT
    shown.document.undo()
    assert timeline.ruler.height() == height


def test_markers_of_a_trimmed_clip_are_where_their_moments_are(application):
    shown, timeline = with_markers(application, (3, "Gone"), (30, "Kick"), edits=(Trim(0.5, 2.0),))
    (kick,) = timeline.markers.all
    assert kick.time_s == pytest.approx(0.5)
    shown.session.look(time_s=1.0)
    timeline.add_marker_here()
    assert frames_of(shown) == [3, 30, 45]
    drag(timeline.ruler, x_of(timeline, 15) + 3, x_of(timeline, 20) + 3, IN_FLAGS)
    assert frames_of(shown) == [3, 35, 45]


# Moving


def test_dragging_a_flag_moves_it_in_one_step(made):
    shown, timeline = made
    drag(timeline.ruler, x_of(timeline, 30) + 3, x_of(timeline, 44) + 4, IN_FLAGS)
    assert frames_of(shown) == [44, 60]
    assert [step.sentence for step in shown.document.steps] == ["Move marker Kick to 1.47 s"]
    assert frame_of(shown) == 0, "it does not scrub"
    shown.document.undo()
    assert frames_of(shown) == [30, 60]


def test_flag_is_seen_to_move_and_escape_puts_it_back(made):
    shown, timeline = made
    press(timeline.ruler, x_of(timeline, 30) + 3, IN_FLAGS)
    move(timeline.ruler, x_of(timeline, 50) + 3, IN_FLAGS)
    assert [placed.time_s for placed in timeline.markers.all] == pytest.approx([50 / 30, 2.0])
    assert shown.document.is_previewing
    QTest.keyClick(timeline.ruler, KEY.Key_Escape)
    release(timeline.ruler, x_of(timeline, 50) + 3, IN_FLAGS)
    assert frames_of(shown) == [30, 60]
    assert shown.document.steps == ()
    assert not shown.document.is_previewing


def test_click_selects_and_is_no_step(made):
    shown, timeline = made
    select(timeline, 60)
    assert timeline.markers.selected.time_s == pytest.approx(2.0)
    assert shown.document.steps == ()
    QTest.mouseClick(timeline.ruler, LEFT, NONE, QPoint(round(x_of(timeline, 10)), IN_FLAGS))
    assert timeline.markers.selected is None
    assert frame_of(shown) == 10, "beside the flags it scrubs"


def test_flag_stays_within_the_take_and_goes_past_others(made):
    shown, timeline = made
    drag(timeline.ruler, x_of(timeline, 30) + 3, x_of(timeline, 300), IN_FLAGS)
    assert frames_of(shown) == [60, 89]
    assert names_of(shown) == ["", "Kick"]
    assert timeline.markers.selected.marker.name == "Kick"


def test_marker_that_goes_away_while_dragged_is_let_go(made):
    shown, timeline = made
    press(timeline.ruler, x_of(timeline, 30) + 3, IN_FLAGS)
    move(timeline.ruler, x_of(timeline, 40) + 3, IN_FLAGS)
    shown.document.cancel()
    shown.document.do(remove_markers, "1", tuple(one.marker.id for one in timeline.markers.all))
    move(timeline.ruler, x_of(timeline, 45) + 3, IN_FLAGS)
    release(timeline.ruler, x_of(timeline, 45) + 3, IN_FLAGS)
    assert frames_of(shown) == []
    assert len(shown.document.steps) == 1


def test_flag_can_be_grabbed_by_its_name(made):
    shown, timeline = made
    over_name = x_of(timeline, 30) + 8 + 0.7 * QFontMetrics(timeline.ruler.font()).horizontalAdvance("Kick")
    drag(timeline.ruler, over_name, over_name + x_of(timeline, 5) - x_of(timeline, 0), IN_FLAGS)
    assert frames_of(shown) == [35, 60]


def test_alt_with_arrows_moves_the_selected_marker_by_frames(made):
    shown, timeline = made
    select(timeline, 30)
    QTest.keyClick(timeline.ruler, KEY.Key_Right, ALT)
    QTest.keyClick(timeline.ruler, KEY.Key_Right, ALT)
    assert frames_of(shown) == [32, 60]
    assert len(shown.document.steps) == 1, "nudges are one step"
    QTest.keyClick(timeline.ruler, KEY.Key_Left, ALT)
    QTest.keyClick(timeline.ruler, KEY.Key_Left)
    assert frames_of(shown) == [31, 60]


# Naming


def test_double_click_renames(made):
    shown, timeline = made
    at = QPoint(round(x_of(timeline, 30)) + 3, IN_FLAGS)
    QTest.mouseDClick(timeline.ruler, LEFT, NONE, at)
    field = timeline.ruler.name_field
    assert field.isVisible()
    assert field.text() == "Kick"
    assert timeline.ruler.rect().contains(field.geometry())
    QTest.keyClicks(field, "High kick ")
    QTest.keyClick(field, KEY.Key_Return)
    assert names_of(shown) == ["High kick", ""]
    assert not field.isVisible()
    assert timeline.ruler.hasFocus(), "so that keys play and step again"
    assert len(shown.document.steps) == 1


def test_escape_leaves_the_name_as_it_was(made):
    shown, timeline = made
    select(timeline, 30)
    QTest.keyClick(timeline.ruler, KEY.Key_F2)
    QTest.keyClicks(timeline.ruler.name_field, "Punch")
    QTest.keyClick(timeline.ruler.name_field, KEY.Key_Escape)
    assert not timeline.ruler.name_field.isVisible()
    assert names_of(shown) == ["Kick", ""]
    assert shown.document.steps == ()


def test_click_elsewhere_takes_the_name(made):
    shown, timeline = made
    select(timeline, 60)
    QTest.keyClick(timeline.ruler, KEY.Key_F2)
    QTest.keyClicks(timeline.ruler.name_field, "Land")
    QTest.mouseClick(timeline.ruler, LEFT, NONE, QPoint(round(x_of(timeline, 5)), IN_FLAGS))
    assert names_of(shown) == ["Kick", "Land"]
    assert not timeline.ruler.name_field.isVisible()


def test_field_goes_with_its_marker(made):
    shown, timeline = made
    select(timeline, 60)
    timeline.ruler.rename_selected()
    before = timeline.ruler.name_field.x()
    timeline.axis.zoom(1.3, 0.0)
    assert timeline.ruler.name_field.x() > before
    shown.document.do(remove_markers, "1", (timeline.markers.selected.marker.id,))
    assert not timeline.ruler.name_field.isVisible()
    assert len(shown.document.steps) == 1


# Removing and the menu


@pytest.mark.parametrize("key", [KEY.Key_Delete, KEY.Key_Backspace])
def test_delete_removes_the_selected_marker_only(made, key):
    shown, timeline = made
    QTest.keyClick(timeline.ruler, key)
    assert frames_of(shown) == [30, 60]
    select(timeline, 30)
    QTest.keyClick(timeline.ruler, key)
    assert frames_of(shown) == [60]
    QTest.keyClick(timeline.ruler, key)
    assert frames_of(shown) == [60]


def test_keys_of_the_window_give_way_to_the_selected_marker(made):
    shown, timeline = made
    pressed = []
    action = QAction(timeline)
    action.setShortcut("Delete")
    action.triggered.connect(lambda: pressed.append("Delete"))
    timeline.addAction(action)
    select(timeline, 30)
    QTest.keyClick(timeline.ruler, KEY.Key_Delete)
    assert pressed == []
    assert frames_of(shown) == [60]
    QTest.keyClick(timeline.ruler, KEY.Key_Delete)
    assert pressed == ["Delete"]


def test_menu_renames_removes_and_adds(application, made):
    shown, timeline = made
    over = QPointF(x_of(timeline, 30) + 3, IN_FLAGS)
    rename, remove = timeline.ruler.menu_at(over).actions()
    assert (rename.text(), remove.text()) == ("Rename marker", "Remove marker")
    rename.trigger()
    assert timeline.ruler.name_field.item == timeline.markers.selected.marker.id
    remove.trigger()
    assert frames_of(shown) == [60]
    add = timeline.ruler.menu_at(QPointF(x_of(timeline, 12) + 1, IN_FLAGS)).actions()[0]
    add.trigger()
    assert frames_of(shown) == [12, 60]


def test_menu_sets_and_clears_the_loop_where_the_mouse_is(application, made):
    shown, timeline = made

    def choose(frame, text):
        menu = timeline.ruler.menu_at(QPointF(x_of(timeline, frame), timeline.ruler.height() - 4))
        (action,) = (one for one in menu.actions() if one.text() == text)
        enabled = action.isEnabled()
        action.trigger()
        return enabled

    step_s = timeline.axis.scale.frame_time_s
    assert not choose(40, "Clear the loop"), "there is none"
    choose(40, "Loop from here")
    assert shown.session.view.loop_s == pytest.approx((40 * step_s, timeline.axis.last_s))
    choose(50, "Loop up to here")
    assert shown.session.view.loop_s == pytest.approx((40 * step_s, 50 * step_s))
    choose(60, "Loop from here")
    assert shown.session.view.loop_s == pytest.approx((60 * step_s, timeline.axis.last_s)), "the end was before it"
    assert choose(20, "Clear the loop")
    assert shown.session.view.loop_s is None


def test_menu_key_is_about_the_selected_marker(made, monkeypatch):
    _, timeline = made
    opened = []
    monkeypatch.setattr(QMenu, "popup", lambda menu, at: opened.append(menu))  # which takes the keyboard
    select(timeline, 60)
    by_key = QContextMenuEvent.Reason.Keyboard
    at = QPoint(5, 5)
    QApplication.sendEvent(timeline.ruler, QContextMenuEvent(by_key, at, timeline.ruler.mapToGlobal(at)))
    assert [action.text() for action in opened[0].actions()] == ["Rename marker", "Remove marker"]


# Jumping


def test_ctrl_arrows_jump_from_marker_to_marker(made):
    shown, timeline = made
    for key, frame in ((KEY.Key_Right, 30), (KEY.Key_Right, 60), (KEY.Key_Right, 60), (KEY.Key_Left, 30)):
        QTest.keyClick(timeline.ruler, key, CTRL)
        assert frame_of(shown) == frame
    assert timeline.markers.selected.marker.name == "Kick"
    QTest.keyClick(timeline.ruler, KEY.Key_Left, CTRL)
    assert frame_of(shown) == 30
    timeline.playback.play()
    timeline.go_to_marker(1)
    assert not timeline.playback.playing


# Magnets

LONG = Standing(3000, 120.0, (("left_foot", 1000, 1500),))


def test_loop_range_snaps_to_markers_where_frames_are_narrow(application):
    shown, timeline = with_markers(application, (2000, ""), source=LONG)
    drag(timeline.ruler, x_of(timeline, 500), x_of(timeline, 2000) - 4, 50, SHIFT)
    assert shown.session.view.loop_s[1] == pytest.approx(2000 / 120)


def test_contacts_snap_to_markers_where_frames_are_narrow(application):
    shown, timeline = with_markers(application, (2000, ""), source=LONG)
    drag(timeline.lanes[0], x_of(timeline, 1500), x_of(timeline, 2000) - 4, 36)
    assert shown.contacts("left_foot") == [(1000, 2000)]


def test_markers_snap_to_contacts_but_not_to_themselves(application):
    shown, timeline = with_markers(application, (2000, ""), source=LONG)
    drag(timeline.ruler, x_of(timeline, 2000) + 3, x_of(timeline, 1500) + 7, IN_FLAGS)
    (marker,) = shown.document.project.clip("1").markers
    assert marker.time_s == pytest.approx(1500 / 120)
    drag(timeline.ruler, x_of(timeline, 1500) + 3, x_of(timeline, 1500) - 6, IN_FLAGS, ALT)
    (marker,) = shown.document.project.clip("1").markers
    assert marker.time_s == pytest.approx(timeline.axis.scale.time_at(x_of(timeline, 1500) - 9))


# What is told


def test_names_end_before_the_next_flag(application):
    _, timeline = with_markers(application, (10, "A name that is much too long"), (20, "B"), (21, "C"), (22, "D"))
    flags = timeline.markers.flags(QFontMetrics(timeline.ruler.font()), 12)
    assert [bool(flag.text) for flag in flags] == [True, False, False, True]
    assert flags[0].text.endswith("…")
    for one, after in pairwise(flags):
        assert one.rect.right() <= max(after.x_px, one.x_px + 8)


def test_hover_tip_tells_name_and_time(made):
    _, timeline = made
    tip = timeline.ruler.hit(QPointF(x_of(timeline, 30) + 3, IN_FLAGS)).tip
    assert tip.startswith("Marker Kick, frame 30, 1.00 s. Drag to move it")
    timeline.axis.set_unit(Unit.SECONDS)
    tip = timeline.ruler.hit(QPointF(x_of(timeline, 60) + 3, IN_FLAGS)).tip
    assert tip.startswith("Marker, 2.000 s. Drag to move it")


def test_accessible_text_counts_markers(application):
    shown, timeline = shown_timeline(application)
    assert timeline.ruler.accessibleDescription().startswith("No markers. Left and Right step")
    shown.document.do(add_marker, "1", 1.0, "Kick")
    assert timeline.ruler.accessibleDescription().startswith("1 marker. ")
    shown.document.do(add_marker, "1", 2.0)
    assert timeline.ruler.accessibleDescription().startswith("2 markers. ")
    select(timeline, 30)
    assert "2 markers, selected: Marker Kick, frame 30, 1.00 s. " in timeline.ruler.accessibleDescription()
    assert "Delete removes it" in timeline.ruler.accessibleDescription()
