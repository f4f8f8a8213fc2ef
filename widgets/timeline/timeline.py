"""The timeline panel: transport, ruler and lanes over one time axis."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QScrollArea,
    QScrollBar,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from editor.document.document import Document
from editor.document.session import Session, View
from editor.document.showing import Showing
from widgets.common.empty import EmptyState
from widgets.common.plain_label import PlainLabel
from widgets.common.theme import GRID
from widgets.timeline.area import TimeArea
from widgets.timeline.axis import TimeAxis
from widgets.timeline.lane import Lane
from widgets.timeline.lane_view import HEADER_WIDTH, LaneHeader, LaneView
from widgets.timeline.markers import Markers
from widgets.timeline.numbering import file_number_of
from widgets.timeline.playback import Playback
from widgets.timeline.ruler import Ruler
from widgets.timeline.transport import Transport

_TEN = 10
# A playhead is beside a frame if it is off by more than this part of one.
_BESIDE = 1e-3


class Blank(TimeArea):
    """The room below the lanes, in which one can scrub."""

    def __init__(self, axis: TimeAxis, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(axis, session, parent)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)

    def paint_picture(self, painter: QPainter) -> None:
        self.guide(painter, self.rect().toRectF())
        self.shade(painter, self.rect().toRectF())


class Scrolled(QScrollArea):
    """Lanes that scroll; arrow keys step through time instead."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.ignore()


class Timeline(QWidget):
    """What is shown over time. Keys that reach it: Space, arrows, Home, End, [ and ], and Ctrl+M for markers."""

    import_wanted = Signal()

    def __init__(self, document: Document, session: Session, showing: Showing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._showing = showing
        self.axis = TimeAxis(self)
        self.playback = Playback(session, showing, parent=self)
        self.transport = Transport(self.playback, self.axis, session)
        self.markers = Markers(document, session, showing, self.axis, self)
        self.ruler = Ruler(self.axis, session, self.markers, self._magnets)
        self.lanes: list[LaneView] = []
        self._headers: list[LaneHeader] = []
        self._places: list[int] = []  # the numbers of the lanes, in order
        self._blank = Blank(self.axis, session)
        self._bar = QScrollBar(Qt.Orientation.Horizontal)
        self._area = Scrolled()
        self._grid = QGridLayout()
        self._pages = QStackedWidget()
        self._empty = EmptyState(
            "The timeline plays a clip, and shows and corrects when its feet touch the ground.",
            "Open clips…",
            self.import_wanted.emit,
        )
        self._message = PlainLabel()
        self._lay_out()
        self.transport.field.done.connect(self._on_typed)
        self.ruler.scrubbed.connect(self.playback.pause)
        self._blank.scrubbed.connect(self.playback.pause)
        self._bar.valueChanged.connect(self._on_bar)
        self.axis.changed.connect(self._on_axis_changed)
        session.changed.connect(self._on_view_changed)
        showing.changed.connect(self._on_shown)
        self._on_shown()

    def show_lane(self, lane: Lane, on: bool) -> None:
        """Show a lane, or hide it while it has no meaning."""
        for view, header in zip(self.lanes, self._headers, strict=True):
            if view.lane is lane and view.isHidden() == on:
                view.setVisible(on)
                header.setVisible(on)

    def add_lane(self, lane: Lane, at: int = 0) -> LaneView:
        """Show a lane, below those whose number is not higher."""
        view, header = LaneView(lane, self.axis, self._session), LaneHeader(lane)
        header.folded.connect(view.set_folded)
        view.set_folded(lane.starts_folded)
        view.scrubbed.connect(self.playback.pause)
        view.room_wanted.connect(self._share_room)
        place = sum(other <= at for other in self._places)
        self._places.insert(place, at)
        self.lanes.insert(place, view)
        self._headers.insert(place, header)
        for row, (one, heading) in enumerate(zip(self.lanes, self._headers, strict=True)):
            self._grid.addWidget(heading, row, 0)
            self._grid.addWidget(one, row, 1)
        self._grid.addWidget(self._blank, len(self.lanes), 1)
        self._share_room()
        return view

    def fold(self, lane: Lane, folded: bool) -> None:
        """Fold a lane, or unfold it."""
        for view, header in zip(self.lanes, self._headers, strict=True):
            if view.lane is lane and view.folded != folded:
                header.button.click()

    # What the window's actions do

    def step(self, frames: int) -> None:
        """Go so many frames on, or back."""
        self.playback.step(frames)

    def go_to_frame(self, frame: int) -> None:
        """Go to a frame; negative ones count from the end, -1 is the last."""
        self.playback.go_to_frame(frame if frame >= 0 else self.axis.frames + frame)

    def loop_from_here(self) -> None:
        """Start the loop range at the playhead."""
        self.playback.loop_from_here()

    def loop_up_to_here(self) -> None:
        """End the loop range at the playhead."""
        self.playback.loop_up_to_here()

    def add_marker_here(self) -> None:
        """Mark the moment at which the playhead is."""
        self.markers.add(self._session.view.time_s)

    def go_to_marker(self, by: int) -> None:
        """Pause at the next marker, or for by < 0 at the one before, and select it."""
        self.playback.pause()
        placed = self.markers.next(by)
        if placed is not None:
            self.markers.select(placed.marker.id)
            self._session.look(time_s=min(max(placed.time_s, 0.0), self.axis.last_s))

    # How it is built

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.transport)
        layout.addWidget(self._pages, 1)
        self._message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._message.setWordWrap(True)
        self._message.setMargin(2 * GRID)
        self._message.setForegroundRole(self._message.foregroundRole().PlaceholderText)
        for page in (self._make_body(), self._empty, self._message):
            self._pages.addWidget(page)

    def _make_body(self) -> QWidget:
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._top = QHBoxLayout()
        self._top.setSpacing(0)
        corner = QWidget()
        corner.setFixedWidth(HEADER_WIDTH)
        self._top.addWidget(corner)
        self._top.addWidget(self.ruler, 1)
        column.addLayout(self._top)
        inner = QWidget()
        inner.setLayout(self._grid)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(0)
        self._grid.setColumnStretch(1, 1)
        self._area.setWidget(inner)
        self._area.setWidgetResizable(True)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.viewport().installEventFilter(self)
        column.addWidget(self._area, 1)
        bottom = QHBoxLayout()
        bottom.addSpacing(HEADER_WIDTH)
        self._bar.setAccessibleName("Which part of the clip is shown")
        kept = self._bar.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self._bar.setSizePolicy(kept)
        bottom.addWidget(self._bar)
        column.addLayout(bottom)
        return body

    def _share_room(self) -> None:
        """Let lanes grow into the room that none needs."""
        spare = max(self._area.viewport().height() - sum(view.needed for view in self.lanes), 0)
        for view in self.lanes:
            spare = view.take_room(spare)

    def _magnets(self) -> list[float]:
        return [time_s for view in self.lanes for time_s in view.lane.magnets()]

    # What it follows

    def _on_shown(self) -> None:
        shown = self._showing.current
        motion = None if shown is None else shown.take.motion
        if motion is not None and motion.frames:
            other_rate = motion.frame_time_s != self.axis.scale.frame_time_s
            self.axis.set_take(motion.frames, motion.frame_time_s, file_number_of(motion))
            if other_rate:
                self._stand_on_a_frame()
            self._pages.setCurrentIndex(0)
        elif self._session.view.clip is None:
            self._pages.setCurrentWidget(self._empty)
        else:
            waiting = "Working out the clip …" if motion is None else "This clip has no frames."
            self._message.setText(self._showing.failure or waiting)
            self._pages.setCurrentWidget(self._message)
        self.transport.setEnabled(motion is not None and motion.frames > 0)

    def _stand_on_a_frame(self) -> None:
        """Go to the frame nearest to the playhead: at another rate it would be left between two."""
        step_s, time_s = self.axis.scale.frame_time_s, self._session.view.time_s
        nearest_s = round(time_s / step_s) * step_s
        if abs(nearest_s - time_s) > _BESIDE * step_s:
            self._session.look(time_s=nearest_s)

    def _on_view_changed(self, before: View, after: View) -> None:
        if before.time_s != after.time_s:
            self._follow(after.time_s)

    def _follow(self, time_s: float) -> None:
        """Keep the playhead in sight: page by page while it plays, else just so far."""
        scale = self.axis.scale
        time_s = min(max(time_s, 0.0), self.axis.last_s)
        if self.playback.playing and not scale.start_s <= time_s <= scale.start_s + scale.seen_s:
            self.axis.pan((time_s - scale.start_s) * scale.pixels_per_s)
        else:
            self.axis.reveal(time_s)

    def _on_axis_changed(self) -> None:
        scale = self.axis.scale
        hidden_s = max(scale.span_s - scale.seen_s, 0.0)
        was = self._bar.blockSignals(True)
        self._bar.setRange(0, round(hidden_s * scale.pixels_per_s))
        self._bar.setPageStep(round(scale.seen_s * scale.pixels_per_s))
        self._bar.setSingleStep(8 * GRID)
        self._bar.setValue(round(scale.start_s * scale.pixels_per_s))
        self._bar.blockSignals(was)
        self._bar.setVisible(not scale.is_fitted)

    def _on_typed(self) -> None:
        self.ruler.setFocus()  # so that keys play and step again

    def _on_bar(self, value: int) -> None:
        scale = self.axis.scale
        self.axis.pan(value - scale.start_s * scale.pixels_per_s)

    # Qt

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Where the window has no shortcuts for these keys, they work here."""
        step = _TEN if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
        with_ctrl = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        match event.key():
            case Qt.Key.Key_M if with_ctrl:
                self.add_marker_here()
            case Qt.Key.Key_Left if with_ctrl:
                self.go_to_marker(-1)
            case Qt.Key.Key_Right if with_ctrl:
                self.go_to_marker(1)
            case Qt.Key.Key_Space:
                self.playback.toggle()
            case Qt.Key.Key_Left:
                self.step(-step)
            case Qt.Key.Key_Right:
                self.step(step)
            case Qt.Key.Key_Home:
                self.go_to_frame(0)
            case Qt.Key.Key_End:
                self.go_to_frame(-1)
            case Qt.Key.Key_BracketLeft:
                self.loop_from_here()
            case Qt.Key.Key_BracketRight:
                self.loop_up_to_here()
            case _:
                super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._area.viewport() and event.type() == QEvent.Type.Resize:
            width = self._area.viewport().width()
            self._top.setContentsMargins(0, 0, self._area.width() - width, 0)
            self.axis.set_width(max(width - HEADER_WIDTH, 1))
            self._share_room()
        return super().eventFilter(watched, event)
