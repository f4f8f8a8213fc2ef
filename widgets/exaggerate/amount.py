"""How much a motion is exaggerated, as a slider, and how far the body then moves, as bars."""

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from widgets.common.level_slider import LevelSlider
from widgets.common.plain_label import plain_tip
from widgets.common.theme import GRID, colour

MOST = 3.0
_STEPS = 300


class AmountSlider(LevelSlider):
    """From 0 to 3, with a mark at 1; trying, chosen and stepped tell the amount as a share of 3."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, _STEPS)
        self.setSingleStep(5)
        self.setPageStep(25)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            x = GRID + round((self.width() - 2 * GRID) / MOST)
            painter.setPen(QPen(colour("muted"), 1))
            painter.drawLine(QPoint(x, self.height() // 2 - GRID), QPoint(x, self.height() // 2 + GRID))
        super().paintEvent(event)


class ExtentBars(QWidget):
    """How far a body moves against itself, before and after, as two bars with their numbers."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(5 * GRID + 4)
        self.setAccessibleName("Spatial extent")
        self._values: tuple[float, float] | None = None
        self.show_extents(None)

    @property
    def values(self) -> tuple[float, float] | None:
        """Metres before and after."""
        return self._values

    def show_extents(self, values: tuple[float, float] | None) -> None:
        self._values = values
        told = "not known yet" if values is None else f"{values[0]:.2f} m before, {values[1]:.2f} m after"
        self.setAccessibleDescription(told)
        self.setToolTip(
            plain_tip(
                f"Spatial extent: how far joints move about the pelvis from extreme to extreme, on average; {told}"
            )
        )
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            before, after = self._values or (0.0, 0.0)
            most = max(before, after, 1e-9)
            rows = (("Before", before, "source", ""), ("After", after, "accent", _times(before, after)))
            name_width, number_width = 6 * GRID, 13 * GRID
            for n, (name, value, shade, more) in enumerate(rows):
                top = n * (2 * GRID + 6)
                painter.setPen(colour("muted"))
                painter.drawText(QRect(0, top, name_width, 2 * GRID + 4), Qt.AlignmentFlag.AlignVCenter, name)
                room = max(self.width() - name_width - number_width - GRID, 1)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(colour(shade))
                painter.drawRoundedRect(name_width, top + 5, round(room * value / most), GRID + 2, 3, 3)
                text = "…" if self._values is None else f"{value:.2f} m{more}"
                painter.setPen(colour("text"))
                place = QRect(self.width() - number_width, top, number_width, 2 * GRID + 4)
                painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, text)


def _times(before: float, after: float) -> str:
    return f", {after / before:.2f} x" if before > 1e-6 else ""
