"""A small figure whose parts are dragged up and down: how much of something each of them gets."""

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPainterPathStroker,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from editor.exaggerate.anatomy import PARTS
from model.measures import in_words
from widgets.common.plain_label import plain_tip
from widgets.common.theme import GRID, colour

MOST = 2.0
_SIZE = QSize(26 * GRID, 25 * GRID)
# Pixels that a hand moves up to add 1.
_WHOLE = 80.0
_STEP = 0.1
# Where parts are, in a figure 100 wide and 200 high that faces us: its left is on our right.
_LINES = {
    "left_arm": ((64, 48), (82, 82), (86, 116)),
    "right_arm": ((36, 48), (18, 82), (14, 116)),
    "left_leg": ((58, 108), (63, 148), (64, 190)),
    "right_leg": ((42, 108), (37, 148), (36, 190)),
}
_WIDE = {"left_arm": 13.0, "right_arm": 13.0, "left_leg": 17.0, "right_leg": 17.0}
_LABELS = {
    "head": (50, 19), "trunk": (50, 72), "left_arm": (116, 104), "right_arm": (-16, 104),
    "left_leg": (98, 172), "right_leg": (2, 172),
}  # fmt: skip
_OTHER = {"left_arm": "right_arm", "right_arm": "left_arm", "left_leg": "right_leg", "right_leg": "left_leg"}
_COLOURS = {"left_arm": "left", "left_leg": "left", "right_arm": "right", "right_leg": "right"}


class BodyWeights(QWidget):
    """A figure with a weight for each of its parts, 0 to 2; 1 is the usual one.

    changing : a mapping of all weights while one is dragged; changed : in the end; nudged : after a press of a key;
    cancelled : by Esc. With Shift both arms or both legs go together.
    """

    changing = Signal(object)
    changed = Signal(object)
    nudged = Signal(object)
    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._weights = dict.fromkeys(PARTS, 1.0)
        self._chosen = PARTS[0]
        self._hovered: str | None = None
        self._start: tuple[QPointF, dict[str, float]] | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(_SIZE.height())
        self.setAccessibleName("How much each part of the body gets")
        self._tell()

    @property
    def weights(self) -> Mapping[str, float]:
        return self._weights

    @property
    def chosen(self) -> str:
        """The part that keys change."""
        return self._chosen

    def set_weights(self, weights: Mapping[str, float]) -> None:
        """Show other weights without telling anybody."""
        self._weights = {part: weights[part] for part in PARTS}
        self._tell()
        self.update()

    def centre_of(self, part: str) -> QPointF:
        """A point of a part, in the widget."""
        if part in _LINES:
            x, y = _LINES[part][1]
        else:
            x, y = _LABELS[part]
        return self._place(x, y)

    def part_at(self, place: QPointF) -> str | None:
        """The part under a point of the widget."""
        return next((part for part in PARTS if self._shape(part).contains(place)), None)

    def _tell(self) -> None:
        """For those who hear what is shown."""
        self.setAccessibleDescription(f"{_named(self._chosen)} {_told(self._weights[self._chosen])}")

    @property
    def _scale(self) -> float:
        return (self.height() - GRID) / 200.0

    def _place(self, x: float, y: float) -> QPointF:
        return QPointF(0.5 * self.width() + self._scale * (x - 50.0), GRID // 2 + self._scale * y)

    def _shape(self, part: str) -> QPainterPath:
        path = QPainterPath()
        if part == "head":
            path.addEllipse(self._place(50, 19), 14.0 * self._scale, 17.0 * self._scale)
        elif part == "trunk":
            top, bottom = self._place(33, 40), self._place(67, 110)
            path.addRoundedRect(QRectF(top, bottom), 12.0 * self._scale, 12.0 * self._scale)
        else:
            points = [self._place(x, y) for x, y in _LINES[part]]
            path.moveTo(points[0])
            for point in points[1:]:
                path.lineTo(point)
            stroker = QPainterPathStroker()
            stroker.setWidth(_WIDE[part] * self._scale)
            stroker.setCapStyle(Qt.PenCapStyle.RoundCap)
            stroker.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            path = stroker.createStroke(path).simplified()
        return path

    def _changed(self, before: Mapping[str, float], part: str, weight: float, both: bool) -> dict[str, float]:
        weight = min(max(round(weight, 2), 0.0), MOST)
        if abs(weight - 1.0) < 0.04:
            weight = 1.0
        parts = (part, _OTHER[part]) if both and part in _OTHER else (part,)
        return {**before, **dict.fromkeys(parts, weight)}

    # Qt

    def mousePressEvent(self, event: QMouseEvent) -> None:
        part = self.part_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and part is not None:
            self._chosen = part
            self._start = event.position(), dict(self._weights)
            self._tell()
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._start is None:
            hovered = self.part_at(event.position())
            if hovered != self._hovered:
                self._hovered = hovered
                self.setCursor(Qt.CursorShape.ArrowCursor if hovered is None else Qt.CursorShape.SizeVerCursor)
                self.update()
            return
        place, before = self._start
        weight = before[self._chosen] + (place.y() - event.position().y()) / _WHOLE
        both = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        self.set_weights(self._changed(before, self._chosen, weight, both))
        self.changing.emit(dict(self._weights))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._start is not None and event.button() == Qt.MouseButton.LeftButton:
            (_, before), self._start = self._start, None
            if before != self._weights:
                self.changed.emit(dict(self._weights))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        part = self.part_at(event.position())
        if part is not None and event.button() == Qt.MouseButton.LeftButton:
            self._start = None
            both = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.set_weights(self._changed(self._weights, part, 1.0, both))
            self.changed.emit(dict(self._weights))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        both = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if key == Qt.Key.Key_Escape and self._start is not None:
            (_, before), self._start = self._start, None
            self.set_weights(before)
            self.cancelled.emit()
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            step = 1 if key == Qt.Key.Key_Right else -1
            self._chosen = PARTS[(PARTS.index(self._chosen) + step) % len(PARTS)]
            self._tell()
            self.update()
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home):
            step_up = {Qt.Key.Key_Up: _STEP, Qt.Key.Key_Down: -_STEP}.get(Qt.Key(key))
            weight = 1.0 if step_up is None else self._weights[self._chosen] + step_up
            weights = self._changed(self._weights, self._chosen, weight, both)
            if weights != self._weights:
                self.set_weights(weights)
                self.nudged.emit(dict(weights))
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            ours = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home)
            if event.key() in (*ours, Qt.Key.Key_Escape):
                event.accept()  # the window steps through frames with these keys
                return True
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            part = self.part_at(QPointF(event.pos()))
            told = "Drag a part up or down." if part is None else f"{_named(part)}: {_told(self._weights[part])}."
            more = "Drag up for more, down for less, Shift for both sides; double click: as much as usual."
            QToolTip.showText(event.globalPos(), plain_tip(f"{told} {more}"), self)
            return True
        return super().event(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._hovered = None
        self.update()

    def sizeHint(self) -> QSize:
        return _SIZE

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for part in reversed(PARTS):
                weight, shade = self._weights[part], _COLOURS.get(part, "centre")
                marked = part == self._hovered or (
                    part == self._chosen and (self.hasFocus() or self._start is not None)
                )
                shape = self._shape(part)
                painter.setPen(QPen(colour("text" if marked else "line"), 1.5))
                painter.setBrush(colour("raised"))
                painter.drawPath(shape)
                painter.setBrush(colour(shade, 0.12 + 0.44 * weight))
                painter.drawPath(shape)
            for part, (x, y) in _LABELS.items():
                self._write(painter, self._place(x, y), _told(self._weights[part]), inside=part in ("head", "trunk"))

    def _write(self, painter: QPainter, place: QPointF, text: str, inside: bool) -> None:
        size = QFontMetricsF(painter.font()).boundingRect(text)
        area = QRectF(
            place.x() - 0.5 * size.width() - 3, place.y() - 0.5 * size.height(), size.width() + 6, size.height()
        )
        if inside:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour("window", 0.72))
            painter.drawRoundedRect(area, 4, 4)
        painter.setPen(colour("text"))
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, text)


def _told(weight: float) -> str:
    return f"{100.0 * weight:.0f} %"


def _named(part: str) -> str:
    return in_words(part)
