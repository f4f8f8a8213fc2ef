"""A field for a number: typed with its unit, dragged sideways, or stepped with the arrow keys.

A gesture is told by `changing` while it goes on and by one `changed` or `cancelled` at its end; a key press by
`nudged`. Whoever listens turns the first into previews and the second into one step of undo.
"""

import math
import re
from collections.abc import Callable

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFont,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from model.measures import NUMBER, Measure
from widgets.common.plain_label import plain_tip
from widgets.common.theme import colour

# A drag goes one step in so many pixels.
_PIXELS_A_STEP = 4.0
_BAR = 2.0
_FRAMES = re.compile(r"([-+\u2212]?\d+(?:[.,]\d+)?)\s*(?:f|frames?)", re.IGNORECASE)
_STEPS = {Qt.Key.Key_Up: 1.0, Qt.Key.Key_Down: -1.0, Qt.Key.Key_PageUp: 10.0, Qt.Key.Key_PageDown: -10.0}
_tabular: dict[str, QFont] = {}  # copies of one font share what Qt works out for it, which takes long
HINT = "Drag sideways, type with a unit, or use ↑ and ↓; with Shift ten times as much, with Ctrl a tenth. Esc cancels."


def tabular(font: QFont) -> QFont:
    """The font with figures of equal width, so that numbers do not dance while they change."""
    key = font.key()
    if key not in _tabular:
        made = QFont(font)
        made.setFeature(QFont.Tag("tnum"), 1)
        _tabular[key] = made
    return _tabular[key]


class NumberField(QLineEdit):
    """A number in our own units, shown as a measure has it; None, if allowed, is shown as `absent`.

    low, high : the range; filled : show by a bar where in the range the value is.
    """

    changing = Signal(object)  # the value while it is dragged
    changed = Signal(object)  # the value at the end of a drag, or typed
    nudged = Signal(object)  # the value after a step by key
    cancelled = Signal()
    refused = Signal(str)  # why what was typed is no value

    def __init__(
        self,
        name: str,
        measure: Measure = NUMBER,
        low: float | None = None,
        high: float | None = None,
        absent: str | None = None,
        filled: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._measure = measure
        self._low = -math.inf if low is None else low
        self._high = math.inf if high is None else high
        self._absent = absent
        self._filled = filled and math.isfinite(self._high - self._low)
        self._value: float | None = None if absent is not None else min(max(0.0, self._low), self._high)
        self._press_x: float | None = None
        self._before: float | None = None
        self._exact = 0.0  # where a drag has got to, before rounding
        self._dragging = False
        self._typing = False
        self._read_frames: Callable[[float], float | None] | None = None
        self.setAccessibleName(name)
        self.setFont(tabular(self.font()))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.SizeHorCursor)
        self.setMinimumWidth(72)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        if absent is not None:
            self.setPlaceholderText(absent)
        self.textEdited.connect(self._on_text_edited)
        self._show_value()

    @property
    def value(self) -> float | None:
        """The number, in our own unit; None where there is none."""
        return self._value

    @property
    def is_busy(self) -> bool:
        """Whether somebody is dragging it or typing into it."""
        return self._dragging or self._typing

    def set_value(self, value: float | None) -> None:
        """Show a value, without telling anybody; not under the hand of somebody who is changing it."""
        if not self.is_busy:
            self._value = value
            self._show_value()

    def set_tip(self, text: str) -> None:
        """Say what the value does; how the field is used is added."""
        self.setToolTip(plain_tip(text, HINT))

    def set_frames(self, read: Callable[[float], float | None]) -> None:
        """Let the value be typed in frames too, as "60f". read : what so many are in our unit; None: not known."""
        self._read_frames = read

    # How

    def _show_value(self) -> None:
        self.setText("" if self._value is None else self._measure.format(self._value))
        self.setCursorPosition(0)
        self.update()

    def _clamped(self, value: float) -> float:
        """The value within the range; rounded to what is shown, but never out of the range by that."""
        return min(max(self._measure.rounded(value), self._low), self._high)

    def _start_value(self) -> float:
        """Where a change starts from."""
        return self._value if self._value is not None else min(max(0.0, self._low), self._high)

    def _on_text_edited(self, text: str) -> None:
        self._set_typing(True)

    def _set_typing(self, typing: bool) -> None:
        self._typing = typing
        self.setCursor(Qt.CursorShape.IBeamCursor if typing else Qt.CursorShape.SizeHorCursor)

    def _finish_typing(self) -> None:
        """Take what was typed, if it is a value; else put back what there was and say why."""
        if not self._typing:
            return
        self._set_typing(False)
        text, before = self.text().strip(), self._value
        try:
            value = self._typed(text)
        except ValueError as error:
            self._show_value()
            self.refused.emit(str(error))
            return
        shown = "" if before is None else self._measure.format(before)
        self._value = before if text == shown else value
        self._show_value()
        if self._value != before:
            self.changed.emit(self._value)

    def _typed(self, text: str) -> float | None:
        if not text or text == self._absent:
            if self._absent is None:
                raise ValueError(f"{self.accessibleName()} needs a value")
            return None
        value = self._parse(text)
        if not math.isfinite(value):
            raise ValueError(f"{self.accessibleName()}: {text} is too large a number")
        if not self._low <= value <= self._high:
            raise ValueError(f"{self.accessibleName()}: {self._measure.format(value)} is out of range; {self._range()}")
        return value

    def _parse(self, text: str) -> float:
        found = None if self._read_frames is None else _FRAMES.fullmatch(text)
        if found is None or self._read_frames is None:
            return self._measure.parse(text)
        value = self._read_frames(float(found[1].replace(",", ".").replace("\u2212", "-")))
        if value is None:
            raise ValueError(f"{self.accessibleName()}: frames have no length while no clip is shown; use s")
        return value

    def _range(self) -> str:
        low, high = (self._measure.format(end) if math.isfinite(end) else "" for end in (self._low, self._high))
        if low and high:
            return f"it must be {low} to {high}"
        return f"it must be at least {low}" if low else f"it must be at most {high}"

    def _nudge(self, steps: float) -> None:
        self._set_typing(False)
        before = self._value
        value = self._clamped(self._start_value() + steps * self._measure.step * self._measure.factor)
        self._value = value
        self._show_value()
        if value != before:
            self.nudged.emit(value)

    def _drag_to(self, x: float, modifiers: Qt.KeyboardModifier) -> None:
        assert self._press_x is not None
        moved = x - self._press_x
        if not self._dragging:
            if abs(moved) < QApplication.startDragDistance() / 2.0:
                return
            self._dragging, self._exact = True, self._start_value()
            self.setFocus(Qt.FocusReason.MouseFocusReason)
        self._press_x = x
        if self._filled:
            by = moved / max(self.width(), 1) * (self._high - self._low)
        else:
            by = moved / _PIXELS_A_STEP * self._measure.step * self._measure.factor
        self._exact += by * _pace(modifiers)
        value = self._clamped(self._exact)
        if value != self._value:
            self._value = value
            self._show_value()
            self.changing.emit(value)

    def _end_drag(self, keep: bool) -> None:
        self._press_x = None
        if not self._dragging:
            return
        self._dragging = False
        if not keep:
            self._value = self._before
        self._show_value()
        if keep and self._value != self._before:
            self.changed.emit(self._value)
        else:
            self.cancelled.emit()

    # Qt

    def event(self, event: QEvent) -> bool:
        """Leave the window's shortcuts alone unless somebody types, and keep the keys that are ours."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            ours = event.key() in _STEPS or (event.key() == Qt.Key.Key_Escape and self.is_busy)
            if ours:
                event.accept()
                return True
            if not self._typing and not _starts_number(event):
                event.ignore()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _STEPS and not self._dragging:
            self._nudge(_STEPS[Qt.Key(event.key())] * _pace(event.modifiers()))
        elif event.key() == Qt.Key.Key_Escape and self._dragging:
            self._end_drag(keep=False)
        elif event.key() == Qt.Key.Key_Escape and self._typing:
            self._set_typing(False)
            self._show_value()
            self.selectAll()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self._typing:
                self._finish_typing()
                self.selectAll()
            else:
                self._set_typing(True)
                self.selectAll()
        elif self._typing or _starts_number(event):
            super().keyPressEvent(event)
        else:
            event.ignore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self._typing:
            super().mousePressEvent(event)
        elif event.button() == Qt.MouseButton.LeftButton:
            self._press_x, self._before = event.position().x(), self._value

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._press_x is not None:
            self._drag_to(event.position().x(), event.modifiers())
        elif self._typing:
            super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._press_x is None:
            super().mouseReleaseEvent(event)
        elif self._dragging:
            self._end_drag(keep=True)
        else:
            self._press_x = None
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self._set_typing(True)
            self.selectAll()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self._typing:
            super().mouseDoubleClickEvent(event)
        else:
            self.mousePressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # the panel scrolls; a value must not change under a passing mouse

    def focusOutEvent(self, event: QFocusEvent) -> None:
        if self._dragging and event.reason() != Qt.FocusReason.PopupFocusReason:
            self._end_drag(keep=False)
        self._finish_typing()
        super().focusOutEvent(event)
        self.deselect()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._filled or self._value is None or self._typing:
            return
        share = (self._value - self._low) / (self._high - self._low)
        groove = QRectF(2.0, self.height() - 2.0 - _BAR, self.width() - 4.0, _BAR)
        with QPainter(self) as painter:
            painter.fillRect(groove, colour("line"))
            groove.setWidth(groove.width() * share)
            painter.fillRect(groove, colour("accent" if self.isEnabled() else "muted"))


def _pace(modifiers: Qt.KeyboardModifier) -> float:
    if modifiers & Qt.KeyboardModifier.ShiftModifier:
        return 10.0
    return 0.1 if modifiers & Qt.KeyboardModifier.ControlModifier else 1.0


def _starts_number(event: QKeyEvent) -> bool:
    """Whether a key begins to type a number, edits text, or moves on to the next field."""
    text = event.text()
    if text and text in "0123456789.,-+\u2212":
        return True
    if event.key() in (Qt.Key.Key_Backspace, Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
        return True
    return event.matches(QKeySequence.StandardKey.Copy) or event.matches(QKeySequence.StandardKey.Paste)
