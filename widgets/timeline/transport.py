"""The transport: buttons that play and step, speed, and the field that says where in time we are."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QToolButton, QWidget

from editor.document.session import Session
from model.measures import Measure
from widgets.common.icons import icon
from widgets.common.number_field import NumberField, tabular
from widgets.common.plain_label import plain_tip
from widgets.common.theme import GRID
from widgets.timeline.axis import TimeAxis
from widgets.timeline.numbering import Unit
from widgets.timeline.playback import FASTEST, SLOWEST, Playback

_TIMES = Measure("", "×", 1.0, 2, 1, 0.1)  # noqa: RUF001


class Button(QToolButton):
    """A button with an icon. Reached by Tab it is pressed by Space, whatever the window does with that key."""

    def __init__(self, icon_name: str, tip: str, checkable: bool = False) -> None:
        super().__init__()
        self._icon_name = icon_name
        self.setCheckable(checkable)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setIconSize(QSize(20, 20))
        self.say(icon_name, tip)

    def say(self, icon_name: str, tip: str) -> None:
        """Show what a press would do. tip : with the shortcut in brackets, where there is one."""
        self._icon_name = icon_name
        self.setIcon(icon(icon_name))
        self.setToolTip(plain_tip(tip))
        self.setAccessibleName(tip.partition(" (")[0])

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Space:
                event.accept()
                return True
        elif event.type() == QEvent.Type.PaletteChange:
            self.setIcon(icon(self._icon_name))
        return super().event(event)


class TimeField(QLineEdit):
    """Where the playhead is; what is typed goes there. Esc puts back what was there."""

    done = Signal()  # the user has typed, or thought better of it

    def __init__(self, axis: TimeAxis, session: Session, go_to: Callable[[float], None]) -> None:
        super().__init__()
        self._axis = axis
        self._session = session
        self._go_to = go_to
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setFixedWidth(11 * GRID)
        self.setFont(tabular(self.font()))
        self.returnPressed.connect(self._on_return)
        axis.changed.connect(self.show_time)
        session.changed.connect(self.show_time)
        self.show_time()

    def show_time(self, *_: object) -> None:
        """Show the playhead's time, unless the user is typing."""
        if self.isModified():
            return
        time_s = min(max(self._session.view.time_s, 0.0), self._axis.last_s)
        text = self._axis.numbering.text(time_s) if self._axis.frames else ""
        if text != self.text():
            self.setText(text)

    def describe(self) -> None:
        """Say what can be typed."""
        unit = self._axis.numbering.unit.value
        self.setAccessibleName(f"Time in {unit.lower()}")
        self.setToolTip(
            plain_tip(f"Where the playhead is, in {unit.lower()}. Type a number, or seconds as in 1.5 s, and Enter")
        )

    def _on_return(self) -> None:
        time_s = self._axis.numbering.time_of(self.text())
        self.setModified(False)
        if time_s is not None:
            self._go_to(time_s)
        self.show_time()
        self.done.emit()

    # Qt

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.setModified(False)
            self.show_time()
            self.done.emit()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.setModified(False)
        self.show_time()


class Transport(QWidget):
    """A row of controls over playback and axis."""

    def __init__(self, playback: Playback, axis: TimeAxis, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._playback = playback
        self._axis = axis
        self.first = Button("first_frame", "First frame (Home)")
        self.previous = Button("previous_frame", "Previous frame (Left; ten with Shift)")
        self.play = Button("play", "Play (Space)")
        self.next = Button("next_frame", "Next frame (Right; ten with Shift)")
        self.last = Button("last_frame", "Last frame (End)")
        self.loop = Button("loop", "Begin anew at the end (the loop range is set with [ and ])", checkable=True)
        self.every_frame = Button(
            "every_frame", "Show every frame (even where that is slower than real time)", checkable=True
        )
        self.zoom_out = Button("zoom_out", "Show more time (wheel)")
        self.fit = Button("fit_width", "Show the whole clip")
        self.zoom_in = Button("zoom_in", "Show less time, larger (wheel)")
        self.speed = self._make_speed()
        self.unit = self._make_unit()
        self.field = TimeField(axis, session, self._go_to)
        self._lay_out()
        for button in (self.previous, self.next):
            button.setAutoRepeat(True)
        self.first.clicked.connect(playback.to_first)
        self.previous.clicked.connect(self._on_previous)
        self.play.clicked.connect(playback.toggle)
        self.next.clicked.connect(self._on_next)
        self.last.clicked.connect(playback.to_last)
        self.loop.toggled.connect(playback.set_looping)
        self.every_frame.toggled.connect(playback.set_every_frame)
        self.zoom_out.clicked.connect(self._on_zoom_out)
        self.fit.clicked.connect(axis.fit)
        self.zoom_in.clicked.connect(self._on_zoom_in)
        playback.changed.connect(self._on_playback_changed)
        axis.changed.connect(self._on_axis_changed)
        self._on_playback_changed()
        self._on_axis_changed()

    def _make_speed(self) -> NumberField:
        speed = NumberField("Playback speed", _TIMES, SLOWEST, FASTEST)
        speed.setFixedWidth(9 * GRID)
        speed.set_tip(f"Playback speed, {SLOWEST:g} to {FASTEST:g} times as recorded.")
        for told in (speed.changing, speed.changed, speed.nudged):
            told.connect(self._playback.set_speed)
        speed.cancelled.connect(self._on_speed_cancelled)
        return speed

    def _make_unit(self) -> QComboBox:
        unit = QComboBox()
        unit.addItems([one.value for one in Unit])
        unit.setAccessibleName("Unit of the ruler")
        unit.setToolTip("Count in frames, in seconds, or in the frame numbers of the clip's file")
        unit.currentTextChanged.connect(self._on_unit)
        return unit

    def _lay_out(self) -> None:
        layout = QHBoxLayout(self)
        layout.setContentsMargins(GRID // 2, GRID // 2, GRID // 2, GRID // 2)
        layout.setSpacing(GRID // 2)
        for button in (self.first, self.previous, self.play, self.next, self.last):
            layout.addWidget(button)
        layout.addSpacing(GRID)
        layout.addWidget(self.field)
        layout.addWidget(self.unit)
        layout.addSpacing(GRID)
        for part in (self.loop, self.every_frame, self.speed):
            layout.addWidget(part)
        layout.addStretch(1)
        for button in (self.zoom_out, self.fit, self.zoom_in):
            layout.addWidget(button)

    def _go_to(self, time_s: float) -> None:
        self._playback.go_to_frame(round(time_s / self._axis.scale.frame_time_s))

    def _on_previous(self) -> None:
        self._playback.step(-1)

    def _on_next(self) -> None:
        self._playback.step(1)

    def _on_zoom_out(self) -> None:
        self._axis.zoom(0.5, 0.5 * self._axis.scale.width_px)

    def _on_zoom_in(self) -> None:
        self._axis.zoom(2.0, 0.5 * self._axis.scale.width_px)

    def _on_unit(self, text: str) -> None:
        self._axis.set_unit(Unit(text))

    def _on_axis_changed(self) -> None:
        self.unit.setCurrentText(self._axis.numbering.unit.value)
        self.field.describe()
        scale = self._axis.scale
        self.zoom_out.setEnabled(not scale.is_fitted)
        self.fit.setEnabled(not scale.is_fitted)
        self.zoom_in.setEnabled(scale.pixels_per_s < scale.most_pixels_per_s)

    def _on_playback_changed(self) -> None:
        playing = self._playback.playing
        self.play.say("pause" if playing else "play", "Pause (Space)" if playing else "Play (Space)")
        for control, value in (
            (self.loop, self._playback.looping),
            (self.every_frame, self._playback.every_frame),
        ):
            blocker = QSignalBlocker(control)
            control.setChecked(value)
            blocker.unblock()
        self.speed.set_value(self._playback.speed)

    def _on_speed_cancelled(self) -> None:
        self._playback.set_speed(self.speed.value or 1.0)
