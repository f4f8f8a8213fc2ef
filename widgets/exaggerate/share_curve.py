"""A curve over time from nothing to all, drawn in a strip: keys that are added, dragged and removed by hand."""

from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from editor.curves.keys import SAME_S, Key, Keys
from widgets.common.plain_label import plain_tip
from widgets.common.setting_kinds import Described, FormContext
from widgets.common.theme import GRID, colour
from widgets.inspector.setting_editors import Editor

_HEIGHT = 9 * GRID
_NEAR = GRID + 2  # pixels from a key within which it is meant
_STEP, _STEP_S = 0.05, 0.05
_DRAWN = 120


class ShareCurve(QWidget):
    """Keys between 0 and 1 over the time of a clip; without any, all of it always.

    changing : Keys while a key is dragged; changed : in the end; nudged : after a press of a key; cancelled : by Esc.
    """

    changing = Signal(object)
    changed = Signal(object)
    nudged = Signal(object)
    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keys = Keys()
        self._length_s, self._now_s = 1.0, 0.0
        self.shows_now = False  # where somebody keeps telling where the playhead is
        self._chosen: int | None = None
        self._dragged: Keys | None = None  # the keys at the start of a drag
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(_HEIGHT)
        self.setCursor(Qt.CursorShape.CrossCursor)

    @property
    def keys(self) -> Keys:
        return self._keys

    @property
    def chosen(self) -> int | None:
        """Which key is selected."""
        return self._chosen

    def set_keys(self, keys: Keys) -> None:
        """Show other keys without telling anybody."""
        self._keys = keys
        if self._chosen is not None and self._chosen >= len(keys):
            self._chosen = None
        self.update()

    def set_time(self, length_s: float, now_s: float) -> None:
        """How long the clip is, and where its playhead is."""
        self._length_s, self._now_s = max(length_s, 0.1), now_s
        self.update()

    def place_of(self, time_s: float, value: float) -> QPointF:
        """Where a value at a moment is drawn."""
        area = self._area
        return QPointF(area.left() + area.width() * time_s / self._length_s, area.bottom() - area.height() * value)

    @property
    def _area(self) -> QRectF:
        return QRectF(self.rect()).adjusted(GRID, GRID, -GRID, -GRID)

    def _told_at(self, place: QPointF) -> tuple[float, float]:
        area = self._area
        time_s = self._length_s * (place.x() - area.left()) / max(area.width(), 1.0)
        value = (area.bottom() - place.y()) / max(area.height(), 1.0)
        return min(max(time_s, 0.0), self._length_s), min(max(round(value, 2), 0.0), 1.0)

    def _key_at(self, place: QPointF) -> int | None:
        places = [self.place_of(key.time_s, key.value) for key in self._keys.keys]
        away = [max(abs(one.x() - place.x()), abs(one.y() - place.y())) for one in places]
        nearest = min(range(len(away)), key=away.__getitem__, default=None)
        return nearest if nearest is not None and away[nearest] <= _NEAR else None

    def _moved(self, number: int, time_s: float, value: float) -> Keys:
        """The keys with one elsewhere, between its neighbours in time."""
        keys = list(self._keys.keys)
        low = keys[number - 1].time_s + 2.0 * SAME_S if number else 0.0
        high = keys[number + 1].time_s - 2.0 * SAME_S if number + 1 < len(keys) else self._length_s
        keys[number] = Key(min(max(time_s, low), max(high, low)), min(max(value, 0.0), 1.0))
        return Keys(tuple(keys))

    def _with(self, time_s: float, value: float) -> Keys:
        return self._keys.inserted((Key(time_s, value),))

    def _without(self, number: int) -> Keys:
        return Keys(tuple(key for n, key in enumerate(self._keys.keys) if n != number))

    def _shown(self, keys: Keys) -> Keys:
        self.set_keys(keys)
        return keys

    # Qt

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self._dragged = self._keys
        self._chosen = self._key_at(event.position())
        if self._chosen is None:
            time_s, value = self._told_at(event.position())
            keys = self._shown(self._with(time_s, value))
            self._chosen = min(range(len(keys)), key=lambda n: abs(keys.keys[n].time_s - time_s))
            self.changing.emit(keys)
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._dragged is not None and self._chosen is not None:
            self.changing.emit(self._shown(self._moved(self._chosen, *self._told_at(event.position()))))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._dragged is None or event.button() != Qt.MouseButton.LeftButton:
            return
        before, self._dragged = self._dragged, None
        if self._keys != before:
            self.changed.emit(self._keys)
        else:
            self.cancelled.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        number = self._key_at(event.position())
        if number is not None:
            self._dragged, self._chosen = None, None
            self.changed.emit(self._shown(self._without(number)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, chosen = event.key(), self._chosen
        moves = {
            Qt.Key.Key_Left: (-_STEP_S, 0.0), Qt.Key.Key_Right: (_STEP_S, 0.0),
            Qt.Key.Key_Up: (0.0, _STEP), Qt.Key.Key_Down: (0.0, -_STEP),
        }  # fmt: skip
        if key == Qt.Key.Key_Escape and self._dragged is not None:
            self.set_keys(self._dragged)
            self._dragged = None
            self.cancelled.emit()
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and chosen is not None:
            self._chosen = None
            self.changed.emit(self._shown(self._without(chosen)))
        elif key == Qt.Key.Key_Insert:
            value = float(self._keys.at(np.array([self._now_s]))[0]) if len(self._keys) else 1.0
            self.changed.emit(self._shown(self._with(self._now_s, min(max(value, 0.0), 1.0))))
        elif Qt.Key(key) in moves and chosen is not None:
            late, more = moves[Qt.Key(key)]
            one = self._keys.keys[chosen]
            self.nudged.emit(self._shown(self._moved(chosen, one.time_s + late, one.value + more)))
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            ours = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Delete)
            if event.key() in (*ours, Qt.Key.Key_Escape, Qt.Key.Key_Insert):
                event.accept()  # the window steps through frames with these keys
                return True
        return super().event(event)

    def focusInEvent(self, event: Any) -> None:
        if self._chosen is None and len(self._keys) and event.reason() != Qt.FocusReason.MouseFocusReason:
            self._chosen = 0
        super().focusInEvent(event)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(24 * GRID, _HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.fillRect(self.rect(), colour("window"))
            area = self._area
            painter.setPen(QPen(colour("line"), 1.0))
            for value in (0.0, 0.5, 1.0):
                painter.drawLine(self.place_of(0.0, value), self.place_of(self._length_s, value))
            times = np.linspace(0.0, self._length_s, _DRAWN)
            values = np.clip(self._keys.at(times), 0.0, 1.0) if len(self._keys) else np.ones(_DRAWN)
            points = [self.place_of(*pair) for pair in zip(times.tolist(), values.tolist(), strict=True)]
            painter.setBrush(colour("accent", 0.18))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.drawPolygon(QPolygonF([area.bottomLeft(), *points, area.bottomRight()]))
            painter.setPen(QPen(colour("accent"), 1.5))
            painter.drawPolyline(points)
            painter.setPen(QPen(colour("text", 0.6), 1.0))
            if self.shows_now and 0.0 <= self._now_s <= self._length_s:
                painter.drawLine(self.place_of(self._now_s, 0.0), self.place_of(self._now_s, 1.0))
            for number, key in enumerate(self._keys.keys):
                self._draw_key(painter, self.place_of(key.time_s, key.value), number == self._chosen)
            if self.hasFocus():
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(colour("accent"), 1.0))
                painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))

    def _draw_key(self, painter: QPainter, place: QPointF, is_chosen: bool) -> None:
        size = 5.0
        corners = [QPointF(0, -size), QPointF(size, 0), QPointF(0, size), QPointF(-size, 0)]
        painter.setPen(QPen(colour("window"), 1.0))
        painter.setBrush(colour("text" if is_chosen else "accent"))
        painter.drawPolygon(QPolygonF([place + corner for corner in corners]))


class ShareCurveEditor(Editor):
    """The curve as a setting of a form."""

    is_wide = True

    def __init__(self, what: Described, context: FormContext, parent: QWidget | None = None) -> None:
        super().__init__(what, parent)
        self._context = context
        self.curve = ShareCurve(self)
        self.curve.setToolTip(
            plain_tip(
                f"{what.setting.tip} Press to add a key and drag it; double click or Delete removes it; arrows move it."
            )
        )
        self._add(self.curve)
        self.curve.changing.connect(self._on_changing)
        self.curve.changed.connect(self._on_changed)
        self.curve.nudged.connect(self._on_nudged)
        self.curve.cancelled.connect(self._on_cancelled)

    def set_value(self, value: Any) -> None:
        self.curve.set_keys(value)
        self.curve.set_time(self._context.length_s(), self._context.moment_s())
