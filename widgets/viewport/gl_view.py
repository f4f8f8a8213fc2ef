"""The view that draws with OpenGL. Handles belong to its context: they are made when a context comes and freed when it
goes, which happens whenever a dock is torn off; what is drawn is sent again each time, so nothing is lost with it.
"""

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtOpenGL import QOpenGLFramebufferObject, QOpenGLFramebufferObjectFormat
from PySide6.QtOpenGLWidgets import QOpenGLWidget
from PySide6.QtWidgets import QWidget

from widgets.viewport.gl_platform import VERSION, abilities, fit_pyopengl, surface_format
from widgets.viewport.view import Source

fit_pyopengl()
from widgets.viewport.gl_renderer import Renderer, copy_framebuffer  # noqa: E402  PyOpenGL must be told first where contexts are

_SAMPLES = 4
_STILL_MS = 150  # a picture that stays this long is drawn again with smooth edges, where that takes time


class GlView(QOpenGLWidget):
    """Draws what `source` gives whenever it is painted."""

    failed = Signal(str)  # why it cannot draw; the view is then of no use

    def __init__(self, source: Source, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._source = source
        self._renderer: Renderer | None = None
        self._smooth: QOpenGLFramebufferObject | None = None
        self._still = False
        # On the processor smooth edges cost as much as all the rest: only pictures that stay get them.
        self._slow = abilities().software
        self.setFormat(surface_format(0 if self._slow else _SAMPLES))
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._refining = QTimer(self)
        self._refining.setSingleShot(True)
        self._refining.setInterval(_STILL_MS)
        self._refining.timeout.connect(self._refine)

    def redraw(self) -> None:
        """Draw anew at the next occasion."""
        self._still = False
        self.update()

    def _refine(self) -> None:
        self._still = True
        self.update()

    def _pixels(self) -> QSize:
        """The size of the framebuffer."""
        return self.size() * self.devicePixelRatioF()

    def free(self) -> None:
        """Give the handles back before the context goes, or the view."""
        if self._renderer is None:
            return
        self.makeCurrent()
        self._renderer.free()
        self._renderer = None
        self._smooth = None
        self.doneCurrent()

    def _draw(self, renderer: Renderer) -> None:
        scene, camera = self._source()
        pixels = self._pixels()
        target = self._smooth_target(pixels) if self._slow and self._still else None
        if target is not None:
            target.bind()
        renderer.draw(scene, camera, (pixels.width(), pixels.height()), self.devicePixelRatioF())
        if target is not None:
            copy_framebuffer(target.handle(), self.defaultFramebufferObject(), (pixels.width(), pixels.height()))
        elif self._slow:
            self._refining.start()

    def _smooth_target(self, pixels: QSize) -> QOpenGLFramebufferObject | None:
        """A framebuffer with several samples a pixel."""
        if self._smooth is None or self._smooth.size() != pixels:
            kind = QOpenGLFramebufferObjectFormat()
            kind.setAttachment(QOpenGLFramebufferObject.Attachment.CombinedDepthStencil)
            kind.setSamples(_SAMPLES)
            self._smooth = QOpenGLFramebufferObject(pixels, kind)
        return self._smooth if self._smooth.isValid() else None

    # Qt

    def initializeGL(self) -> None:
        try:
            if self.context().format().version() < VERSION:
                raise RuntimeError("the context is older than OpenGL 3.3")
            self._renderer = Renderer()
        except Exception as error:  # drivers fail in many ways: whichever, there is another way to draw
            self._renderer = None
            self.failed.emit(str(error))
            return
        self.context().aboutToBeDestroyed.connect(self.free)

    def paintGL(self) -> None:
        if self._renderer is not None:
            self._draw(self._renderer)
