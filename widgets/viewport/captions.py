"""What is written over the picture: from where it is seen, the axes, names of joints, and a note where one is due."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from widgets.common.theme import GRID, colour
from widgets.viewport.camera import Camera, Preset
from widgets.viewport.scene import Label

_CROSS_PX = 22.0
# Axes are told apart by their letters; colours of their own would mean something.
_AXES = (("X", (1.0, 0.0, 0.0)), ("Y", (0.0, 1.0, 0.0)), ("Z", (0.0, 0.0, 1.0)))
_SMALL_PX = 240  # a view this small has no room for words


_VIEW_NAMES = {
    Preset.FRONT: "Front", Preset.BACK: "Back", Preset.SIDE: "Right side", Preset.OTHER_SIDE: "Left side",
    Preset.TOP: "Top", Preset.BOTTOM: "Bottom", Preset.THREE_QUARTER: "Three-quarter",
}  # fmt: skip


@dataclass(frozen=True)
class Notes:
    """What there is to be said. preset : from where it is seen, None from anywhere."""

    preset: Preset | None = None
    clip: str = ""
    note: str = ""

    @property
    def view(self) -> str:
        return "Free view" if self.preset is None else _VIEW_NAMES[self.preset]


class Captions(QWidget):
    """Transparent, over the view; takes no mouse. labels : asked for when it is painted."""

    def __init__(self, labels: Callable[[], tuple[Label, ...]], parent: QWidget) -> None:
        super().__init__(parent)
        self._labels = labels
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self._notes = Notes()
        self._camera = Camera()

    @property
    def notes(self) -> Notes:
        return self._notes

    def say(self, notes: Notes, camera: Camera) -> None:
        """Show this; nothing is drawn where nothing changed."""
        if notes != self._notes or camera != self._camera:
            self._notes, self._camera = notes, camera
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._draw_labels(painter)
            if min(self.width(), self.height()) >= _SMALL_PX:
                self._draw_words(painter)
                self._draw_axes(painter)
            if self._notes.note:
                self._draw_note(painter)

    def _draw_words(self, painter: QPainter) -> None:
        line = QFontMetricsF(painter.font()).height()
        at = QPointF(1.5 * GRID, GRID + line)
        painter.setPen(colour("text"))
        painter.drawText(at, self._notes.view)
        painter.setPen(colour("muted"))
        painter.drawText(at + QPointF(0.0, line), self._notes.clip)

    def _draw_axes(self, painter: QPainter) -> None:
        """A small cross in the corner: where X, Y and Z point."""
        middle = QPointF(1.5 * GRID + _CROSS_PX + 6, self.height() - 1.5 * GRID - _CROSS_PX - 6)
        painter.save()
        font = QFont(painter.font())
        font.setPointSizeF(max(font.pointSizeF() * 0.85, 7.0))
        painter.setFont(font)
        ways = [(name, self._camera.axes @ np.array(axis)) for name, axis in _AXES]
        for name, way in sorted(ways, key=lambda one: float(one[1][2])):
            tip = middle + QPointF(float(way[0]), -float(way[1])) * _CROSS_PX
            ink = colour("text" if way[2] >= -0.05 else "muted", 0.9)
            painter.setPen(QPen(ink, 1.6, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            painter.drawLine(middle, tip)
            if float(np.hypot(way[0], way[1])) > 0.2:
                beyond = middle + QPointF(float(way[0]), -float(way[1])) * (_CROSS_PX + 9.0)
                painter.drawText(QRectF(beyond - QPointF(8, 8), beyond + QPointF(8, 8)), _CENTRED, name)
        painter.restore()

    def _draw_labels(self, painter: QPainter) -> None:
        labels = self._labels()
        if not labels:
            return
        places = np.array([label.position for label in labels])
        pixels, depths = self._camera.project(places, (float(self.width()), float(self.height())))
        metrics = QFontMetricsF(painter.font())
        taken: list[QRectF] = []
        # The strong ones first: of names that would lie on each other only the first is written.
        for n in sorted(range(len(places)), key=lambda n: (not labels[n].strong, float(depths[n]))):
            label = labels[n]
            x, y = (float(value) for value in pixels[n])
            if depths[n] <= self._camera.near_m:
                continue
            box = QRectF(x + 10.0, y - 0.5 * metrics.height() - 2.0, metrics.horizontalAdvance(label.text) + 8.0,
                         metrics.height() + 4.0)  # fmt: skip
            if box.right() > self.width():
                box.moveRight(x - 10.0)
            if any(box.intersects(other) for other in taken):
                continue
            taken.append(box)
            self._plate(painter, box, 0.82 if label.strong else 0.55)
            painter.setPen(colour("text"))
            painter.drawText(box, _CENTRED, label.text)

    def _draw_note(self, painter: QPainter) -> None:
        metrics = QFontMetricsF(painter.font())
        room = QRectF(2 * GRID, 0.0, self.width() - 4.0 * GRID, self.height() - 1.5 * GRID)
        flags = int(Qt.AlignmentFlag.AlignCenter) | int(Qt.TextFlag.TextWordWrap)
        need = metrics.boundingRect(room, flags, self._notes.note)
        box = QRectF(0.0, 0.0, need.width() + 3 * GRID, need.height() + GRID)
        box.moveCenter(QPointF(0.5 * self.width(), self.height() - 1.5 * GRID - 0.5 * box.height()))
        self._plate(painter, box, 0.92)
        painter.setPen(colour("text"))
        painter.drawText(box, flags, self._notes.note)

    def _plate(self, painter: QPainter, box: QRectF, opacity: float) -> None:
        """A ground on which text can be read whatever is behind."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour("panel", opacity))
        painter.drawRoundedRect(box, 4.0, 4.0)


_CENTRED = Qt.AlignmentFlag.AlignCenter
