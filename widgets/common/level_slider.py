"""A slider from nothing to all, whose drag Escape takes back."""

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QSlider, QWidget

from widgets.common.theme import GRID

_STEPS = 100


class LevelSlider(QSlider):
    """A slider whose drag Escape takes back. trying : while it is dragged; chosen : in the end; stepped : by keys."""

    trying = Signal(float)
    chosen = Signal(float)
    stepped = Signal(float)
    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None, steps: int = _STEPS) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._steps = steps
        self.setRange(0, steps)
        self.setPageStep(10)
        self._dragged = False
        self.valueChanged.connect(self._on_value)

    @property
    def is_dragged(self) -> bool:
        return self._dragged

    def show_level(self, level: float) -> None:
        """Be at a level without telling anybody."""
        blocker = QSignalBlocker(self)
        self.setValue(round(level * self._steps))
        blocker.unblock()

    def _on_value(self, value: int) -> None:
        (self.trying if self._dragged else self.stepped).emit(value / self._steps)

    # Qt

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._dragged = True
            self._go_to(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._dragged:
            self._go_to(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._dragged and event.button() == Qt.MouseButton.LeftButton:
            self._dragged = False
            self.chosen.emit(self.value() / self._steps)

    def _go_to(self, event: QMouseEvent) -> None:
        """The knob goes to the mouse at once, wherever it was pressed."""
        part = (event.position().x() - GRID) / max(self.width() - 2 * GRID, 1)
        self.setValue(round(min(max(part, 0.0), 1.0) * self._steps))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._dragged and event.key() == Qt.Key.Key_Escape:
            self._dragged = False
            self.cancelled.emit()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        override = event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        arrows = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End)
        if override and isinstance(event, QKeyEvent) and event.key() in (*arrows, Qt.Key.Key_Escape):
            event.accept()  # the window steps through frames with these keys
            return True
        return super().event(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # a passing wheel changes nothing
