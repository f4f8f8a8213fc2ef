"""Chips that judge what is shown: feet that drift, slide or sink, and pops; before the edits and after.

They are measured beside the interface, shortly after the last change. A click goes to the worst frame. Others may give
takes to be judged instead, such as the last seconds of a live figure, which are measured every so often.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QIcon, QPainter, QPixmap, QPolygonF
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QWidget

from editor.document.document import Document
from editor.document.jobs import Job, Jobs
from editor.document.session import Session
from editor.document.showing import Showing
from editor.quality.figures import Quality, measure
from editor.quality.worst_frames import WorstFrames, worst_frames
from model.clip import Take
from widgets.common.number_field import tabular
from widgets.common.plain_label import plain_tip
from widgets.common.theme import GRID, colour

_WAIT_MS = 200
_ASK_MS = 500
_GOOD, _FAIR, _POOR, _UNJUDGED = "good", "fair", "poor", "not judged"
_COLOURS = {_GOOD: "contact", _FAIR: "warning", _POOR: "problem", _UNJUDGED: "muted"}


@dataclass(frozen=True)
class Measured:
    """The figures of a take before its edits and as it is shown, and where the latter is worst."""

    source: Take
    shown: Take
    before: Quality
    after: Quality
    worst: WorstFrames

    @property
    def is_source(self) -> bool:
        return self.shown is self.source


@dataclass(frozen=True)
class Figure:
    """What a chip shows. value : of the figures; judge : what to think of a value, given that before the edits."""

    name: str
    tip: str
    value: Callable[[Quality], float | None]
    text: Callable[[float], str]
    judge: Callable[[float, float | None], str]
    frame: Callable[[WorstFrames], int | None]
    unit: str


def within(good: float, fair: float) -> Callable[[float, float | None], str]:
    """A judge that has limits of its own."""
    return lambda value, before: _GOOD if value <= good else _FAIR if value <= fair else _POOR


def gained(good: float, fair: float) -> Callable[[float, float | None], str]:
    """A judge of how much a value has grown; without one from before there is nothing to judge."""

    def judge(value: float, before: float | None) -> str:
        if before is None:
            return _UNJUDGED
        return _GOOD if value - before <= good else _FAIR if value - before <= fair else _POOR

    return judge


# Real recordings drift 0.5 to 3 cm at worst. Their toes swing low, so that slides say something by comparison only.
FIGURES = (
    Figure(
        "Drift",
        "How far a foot that stands gets from its place, at worst; recordings have 0.5 to 3 cm.",
        lambda quality: quality.contact_drift_worst_cm,
        lambda value: f"{value:.1f}",
        within(3.0, 6.0),
        lambda worst: worst.drift,
        "cm",
    ),
    Figure(
        "Slide",
        "The share of frames in which a toe near the ground moves; it should not be more than before the edits.",
        lambda quality: None if quality.skate_ratio is None else 100.0 * quality.skate_ratio,
        lambda value: f"{value:.0f}",
        gained(2.0, 10.0),
        lambda worst: worst.slide,
        "%",
    ),
    Figure(
        "Depth",
        "How deep a foot gets under the ground, at worst.",
        lambda quality: quality.penetration_cm,
        lambda value: f"{value:.1f}",
        within(1.5, 4.0),
        lambda worst: worst.depth,
        "cm",
    ),
    Figure(
        "Jerk",
        "How abruptly joints move, against the recording; far above 1 there are pops.",
        lambda quality: 1.0 if quality.jerk_ratio is None and quality.jerk_p99 is not None else quality.jerk_ratio,
        lambda value: f"{value:.2f}",
        gained(0.15, 0.6),
        lambda worst: worst.jerk,
        "\u00d7",
    ),
)


class QualityChips(QWidget):
    """One chip for each figure; none until something is measured."""

    def __init__(
        self, document: Document, session: Session, showing: Showing, jobs: Jobs, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._showing = showing
        self._jobs = jobs
        self._job: Job | None = None
        self._measured: Measured | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_WAIT_MS)
        self._timer.timeout.connect(self._start)
        self._given: Callable[[], Take | None] | None = None
        self._reference: Take | None = None
        self._asking = QTimer(self)
        self._asking.setInterval(_ASK_MS)
        self._asking.timeout.connect(self._ask)
        self.chips = tuple(Chip(figure) for figure in FIGURES)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, GRID, 0)
        layout.setSpacing(GRID // 2)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        for chip in self.chips:
            layout.addWidget(chip)
            chip.frame_wanted.connect(self._go_to)
        document.changed.connect(self._want)
        showing.changed.connect(self._want)
        self._want()

    @property
    def measured(self) -> Measured | None:
        """What was measured last."""
        return self._measured

    def judge(self, take: Callable[[], Take | None] | None, reference: Take | None = None) -> None:
        """Judge the take that somebody gives, asked for every half second; None: what is shown again.

        The same take is measured once. reference : what it is compared with. Clicks go nowhere meanwhile.
        """
        self._given, self._reference = take, reference
        if self._job is not None:
            self._job.cancel()
        self._timer.stop()
        self._show(None)
        if take is None:
            self._asking.stop()
            self._want()
        else:
            self._asking.start()

    def _ask(self) -> None:
        """Measure the take that is given, if it is another one and the last is done with."""
        take = None if self._given is None else self._given()
        is_known = self._measured is not None and self._measured.shown is take
        if take is not None and not is_known and self._job is None:
            self._measure(self._reference or take, take)

    def _want(self, *_: object) -> None:
        """Measure soon, when nothing changes any more."""
        if self._given is not None:
            return
        shown = self._showing.current
        if shown is None:
            self._show(None)
        elif self._measured is None or (self._measured.shown, self._measured.source) != (shown.take, shown.source):
            self._timer.start()

    def _start(self) -> None:
        shown = self._showing.current
        if shown is None:
            return
        if self._job is not None:
            # One at a time, so that a worker stays free for what is shown.
            self._job.cancel()
            self._timer.start()
            return
        self._measure(shown.source, shown.take)

    def _measure(self, source: Take, take: Take) -> None:
        last = self._measured
        before = last.before if last is not None and last.source is source else None
        self._job = self._jobs.start("Measuring quality", lambda tell: measured(source, take, before, tell))
        self._job.finished.connect(self._on_finished)
        self._job.failed.connect(self._on_failed)
        self._job.over.connect(self._on_over)

    def _on_finished(self, result: Measured) -> None:
        shown = self._showing.current
        if self._given is not None:
            self._show(replace(result, worst=WorstFrames()))  # its frames are none of the clip's
        elif shown is not None and shown.take is result.shown:
            self._show(result)

    def _on_failed(self, reason: str, trace: str) -> None:
        self._show(None)

    def _on_over(self, job: Job) -> None:
        if job is self._job:
            self._job = None

    def _show(self, result: Measured | None) -> None:
        self._measured = result
        for chip in self.chips:
            chip.show_figure(result)

    def _go_to(self, frame: int) -> None:
        if self._measured is not None:
            self._session.look(time_s=frame * self._measured.shown.motion.frame_time_s)


class Chip(QToolButton):
    """One figure, as a shape and colour that judge it and its value before and after."""

    frame_wanted = Signal(int)

    def __init__(self, figure: Figure, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.figure = figure
        self.verdict = _UNJUDGED
        self._frame: int | None = None
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setIconSize(QSize(10, 10))
        self.setFont(tabular(self.font()))
        self.clicked.connect(self._on_clicked)
        self.show_figure(None)

    def show_figure(self, result: Measured | None) -> None:
        """Show the figure of what was measured."""
        figure = self.figure
        value = None if result is None else figure.value(result.after)
        before = None if result is None or result.is_source else figure.value(result.before)
        self._frame = None if result is None or value is None else figure.frame(result.worst)
        self.verdict = _UNJUDGED if value is None else figure.judge(value, before)
        numbers = "\u2013" if value is None else _before_and_after(figure, before, value)
        self.setText(f"{figure.name} {numbers}")
        self.setVisible(value is not None)
        self._show_verdict()
        where = (
            ""
            if self._frame is None or result is None
            else f" Click to go to the worst, frame {self._frame + result.shown.motion.first_frame}."
        )
        self.setToolTip(plain_tip(figure.tip, f"{self.verdict.capitalize()}.{where}"))
        self.setAccessibleName(f"{figure.name}: {numbers}, {self.verdict}")

    def _show_verdict(self) -> None:
        self.setIcon(_shape(self.verdict, self.devicePixelRatioF()))

    def _on_clicked(self) -> None:
        if self._frame is not None:
            self.frame_wanted.emit(self._frame)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "verdict"):
            self._show_verdict()


def measured(source: Take, shown: Take, before: Quality | None, tell: Callable[[float], None]) -> Measured:
    """The figures of a take and of its source. before : the source's, where they are known."""
    if before is None:
        before = measure(source.motion, source.contacts, ground=source.ground)
    tell(0.4)
    references = () if shown is source else (source.motion,)
    after = before if shown is source else measure(shown.motion, shown.contacts, references, ground=shown.ground)
    tell(0.8)
    return Measured(source, shown, before, after, worst_frames(shown))


def _before_and_after(figure: Figure, before: float | None, value: float) -> str:
    numbers = figure.text(value)
    if before is not None and figure.text(before) != numbers:
        numbers = f"{figure.text(before)} → {numbers}"
    return f"{numbers} {figure.unit}"


def _shape(verdict: str, ratio: float) -> QIcon:
    """A disc, triangle or square in the colour of a verdict: colours alone do not tell everybody."""
    size = 10.0
    pixmap = QPixmap(round(size * ratio), round(size * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(_COLOURS[verdict]))
        if verdict == _FAIR:
            painter.drawPolygon(QPolygonF([QPointF(5.0, 0.5), QPointF(9.8, 9.5), QPointF(0.2, 9.5)]))
        elif verdict == _POOR:
            painter.drawRect(QRectF(1.0, 1.0, 8.0, 8.0))
        else:
            painter.drawEllipse(QRectF(1.0, 1.0, 8.0, 8.0))
    return QIcon(pixmap)
