"""The picture of a scene in a window: drawn with OpenGL where there is any, else with QPainter, and written over."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from widgets.viewport.camera import Camera
from widgets.viewport.captions import Captions, Notes
from widgets.viewport.gl_platform import abilities
from widgets.viewport.painter_view import PainterView
from widgets.viewport.scene import Label
from widgets.viewport.view import Source

if TYPE_CHECKING:
    from widgets.viewport.gl_view import GlView

    View3D = GlView | PainterView


class Picture(QWidget):
    """Draws what `source` gives, and over it the `labels`. It takes no mouse."""

    replaced = Signal()  # OpenGL gave up, the painter draws now

    def __init__(self, source: Source, labels: Callable[[], tuple[Label, ...]], parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._source = source
        self._painter_wanted = self._gl_failed = False
        self._view: View3D | None = None
        self._room = QVBoxLayout(self)
        self._room.setContentsMargins(0, 0, 0, 0)
        self._make_view()
        self.captions = Captions(labels, self)

    @property
    def uses_opengl(self) -> bool:
        return not isinstance(self._view, PainterView)

    @property
    def lacks_opengl(self) -> bool:
        """Whether simple drawing is used although nobody asked for it."""
        return not self._painter_wanted and not self.uses_opengl

    def want_painter(self, wanted: bool) -> None:
        """Draw without OpenGL, or with it again."""
        if wanted != self._painter_wanted:
            self._painter_wanted = wanted
            self._make_view()

    def redraw(self) -> None:
        """Draw anew at the next occasion."""
        if self._view is not None:
            self._view.redraw()

    def say(self, notes: Notes, camera: Camera) -> None:
        """Write this over the picture."""
        self.captions.say(notes, camera)

    def _make_view(self) -> None:
        """The view that suits the machine and what is wanted, in the place of the one before."""
        view: View3D
        if self._painter_wanted or self._gl_failed or not abilities().available:
            view = PainterView(self._source, self)
        else:
            from widgets.viewport.gl_view import GlView

            view = GlView(self._source, self)
            view.failed.connect(self.on_gl_failed, Qt.ConnectionType.QueuedConnection)
        before, self._view = self._view, view
        self._room.addWidget(view)
        view.lower()
        if before is not None:
            before.free()
            before.hide()
            before.deleteLater()

    def on_gl_failed(self, reason: str) -> None:
        """Draw with the painter from now on."""
        self._gl_failed = True
        self._make_view()
        self.replaced.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.captions.setGeometry(self.rect())
        self.captions.raise_()
