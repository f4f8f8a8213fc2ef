"""The view that draws with QPainter, where there is no OpenGL."""

from PySide6.QtCore import QSizeF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from widgets.viewport.painting import paint_scene
from widgets.viewport.view import Source


class PainterView(QWidget):
    """Draws what `source` gives whenever it is painted."""

    def __init__(self, source: Source, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._source = source
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def redraw(self) -> None:
        """Draw anew at the next occasion."""
        self.update()

    def free(self) -> None:
        """Give back what is held; there is nothing."""

    def paintEvent(self, event: QPaintEvent) -> None:
        scene, camera = self._source()
        with QPainter(self) as painter:
            paint_scene(painter, scene, camera, QSizeF(self.size()))
