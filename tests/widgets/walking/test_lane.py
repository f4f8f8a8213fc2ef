"""The lane of a walk's styles in the timeline."""

import numpy as np
import pytest

from tests.widgets.timeline.shown import drag, move, press
from tests.widgets.walking.desk import Desk
from widgets.timeline.timeline import Timeline
from widgets.walking.lane import StyleLane


class Hand(Desk):
    def __init__(self, application):
        super().__init__(application)
        self.timeline = Timeline(self.document, self.session, self.showing)
        self.lane = StyleLane(self.editing, self.document, self.showing)
        self.view = self.timeline.add_lane(self.lane, at=10)
        self.timeline.resize(1000, 260)
        self.timeline.show()
        application.processEvents()

    def x(self, time_s):
        return self.timeline.axis.scale.x_of(time_s)


@pytest.fixture
def hand(application):
    return Hand(application)


def test_styles_pass_where_the_walk_comes_to_their_border(hand):
    (passing,) = hand.lane.passings
    result = hand.editing.result
    frame = round(passing.middle_s / result.frame_time_s)
    assert result.arc_m[frame] == pytest.approx(3.0, abs=0.4)
    assert passing.stop_s - passing.start_s == pytest.approx(result.fades[0].length_s, abs=1e-6)


def test_border_is_dragged_in_time(hand):
    (passing,) = hand.lane.passings
    times, places = hand.lane.places()
    let_go = hand.x(passing.middle_s + 1.0)
    drag(hand.view, hand.x(passing.middle_s), let_go, 16)
    later = hand.timeline.axis.scale.time_at(let_go)  # the walk lasts longer now, and the timeline shows all of it
    assert later > passing.middle_s + 0.5
    assert hand.walk.styles[1].from_m == pytest.approx(float(np.interp(later, times, places)), abs=0.1)
    assert hand.document.undo_text.startswith("Move Slow to")
    hand.document.undo()
    assert hand.walk.styles[1].from_m == 3.0


def test_fade_is_drawn_longer(hand):
    (passing,) = hand.lane.passings
    drag(hand.view, hand.x(passing.stop_s), hand.x(passing.middle_s + 1.0), 16)
    assert hand.walk.styles[1].blend_s == pytest.approx(2.0, abs=0.1)
    hand.document.undo()
    assert hand.walk.styles[1].blend_s is None


def test_cancelled_drag_leaves_no_trace(hand):
    (passing,) = hand.lane.passings
    pulled = hand.lane.press(hand.lane.hit(*_at(hand, passing.middle_s)), _pointer(passing.middle_s))
    pulled.move(_pointer(passing.middle_s + 1.0))
    assert hand.walk.styles[1].from_m != 3.0
    pulled.cancel()
    assert hand.walk.styles[1].from_m == 3.0
    assert hand.document.steps == ()


def _at(hand, time_s):
    from PySide6.QtCore import QPointF, QRectF

    return QPointF(hand.x(time_s), 16.0), hand.timeline.axis.scale, QRectF(0.0, 0.0, hand.view.width(), 32.0)


def _pointer(time_s):
    from widgets.timeline.lane import Pointer

    return Pointer(time_s, lambda moment, magnets: moment)


def test_lane_of_no_walk_is_hidden(hand):
    hand.timeline.show_lane(hand.lane, False)
    assert not hand.view.isVisible()
    hand.timeline.show_lane(hand.lane, True)
    assert hand.view.isVisible()


def test_words_of_the_lane_tell_the_styles(hand):
    assert hand.lane.accessible_text() == "Styles of the walk: Calm from 0.0 metres, Slow from 3.0 metres."
    press(hand.view, hand.x(0.2), 16)
    move(hand.view, hand.x(0.4), 16)
    assert hand.document.steps == ()
