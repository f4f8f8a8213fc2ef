"""The numbers beside the plot: degrees or centimetres."""

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from widgets.common.number_field import tabular
from widgets.common.theme import GRID, colour
from widgets.curves.key_editing import KeyEditing
from widgets.curves.plot import APART_PX, Plot
from widgets.curves.value_scale import tick_text

WIDTH = 7 * GRID
_ZOOM_A_NOTCH = 1.25


class ValueAxis(QWidget):
    """Drag to pan the values, wheel to zoom them."""

    def __init__(self, plot: Plot, editing: KeyEditing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._plot = plot
        self._editing = editing
        self._from: QPointF | None = None
        self.setFixedWidth(WIDTH)
        self.setFont(tabular(self.font()))
        self.setAccessibleName("Values")
        self.setToolTip("Angles in degrees, places in centimetres. Drag to pan, wheel to zoom")
        self.setCursor(Qt.CursorShape.SizeVerCursor)
        plot.values_changed.connect(self.update)
        editing.changed.connect(self.update)
        editing.marked.connect(self.update)

    @property
    def unit(self) -> str:
        """What the numbers are: "°", "cm", or both."""
        return "/".join(dict.fromkeys(track.measure.suffix for track in self._editing.visible))

    # Qt

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), colour("panel"))
            unit, scale = self.unit, self._plot.values
            step, ticks = scale.ticks(APART_PX)
            painter.setPen(colour("muted"))
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            for value in ticks if unit else ():
                y = scale.y_of(value)
                if 8.0 <= y <= self.height() - 8.0:
                    text = tick_text(value, step)
                    text = f"{text}°" if unit == "°" else f"{text} cm" if unit == "cm" else text
                    painter.drawText(QRectF(0, y - 8, self.width() - GRID // 2 - 2, 16), right, text)
            if "/" in unit:
                painter.fillRect(QRectF(0, 0, self.width(), 16), colour("panel"))
                painter.drawText(QRectF(0, 0, self.width() - GRID // 2 - 2, 16), right, "° or cm")
            painter.setPen(colour("line"))
            painter.drawLine(QPointF(self.width() - 0.5, 0), QPointF(self.width() - 0.5, self.height()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton):
            self._from = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._from is not None:
            self._plot.set_values(self._plot.values.panned(event.position().y() - self._from.y()))
            self._from = event.position()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._from = None

    def wheelEvent(self, event: QWheelEvent) -> None:
        factor = _ZOOM_A_NOTCH ** (event.angleDelta().y() / 120.0)
        self._plot.set_values(self._plot.values.zoomed(factor, event.position().y()))
        event.accept()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.update()
