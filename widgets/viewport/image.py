"""Pictures of scenes without a window: for files, thumbnails and tests."""

from PySide6.QtCore import QSize, QSizeF
from PySide6.QtGui import QImage, QPainter

from model.clip import Take
from model.motion import Motion
from widgets.common.theme import theme
from widgets.viewport.camera import Camera, Preset
from widgets.viewport.composing import Composer, Moment, ViewOptions, Wanted
from widgets.viewport.gl_platform import abilities, make_context
from widgets.viewport.painting import paint_scene
from widgets.viewport.poses import front_yaw
from widgets.viewport.scene import Scene

_SAMPLES = 4
_THUMBNAIL = QSize(160, 120)
_PLAIN = ViewOptions(contacts=False)


def picture(scene: Scene, camera: Camera, size: QSize, painter: bool = False) -> QImage:
    """A scene as a picture, drawn with OpenGL where there is any, unless `painter` is wanted."""
    made = None if painter or not abilities().available else drawn(scene, camera, size)
    return painted(scene, camera, size) if made is None else made


def painted(scene: Scene, camera: Camera, size: QSize) -> QImage:
    """A scene drawn with QPainter; works everywhere, and is the quicker way for small pictures."""
    image = QImage(size, QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        paint_scene(painter, scene, camera, QSizeF(size))
    return image


def drawn(scene: Scene, camera: Camera, size: QSize) -> QImage | None:
    """A scene drawn with OpenGL in a context of its own; None where that cannot be had."""
    made = make_context(0)
    if made is None:
        return None
    context, surface = made
    try:
        from PySide6.QtOpenGL import QOpenGLFramebufferObject, QOpenGLFramebufferObjectFormat

        from widgets.viewport.gl_renderer import Renderer

        kind = QOpenGLFramebufferObjectFormat()
        kind.setAttachment(QOpenGLFramebufferObject.Attachment.CombinedDepthStencil)
        kind.setSamples(_SAMPLES)
        target = QOpenGLFramebufferObject(size, kind)
        if not target.isValid() or not target.bind():
            return None
        renderer = Renderer()
        renderer.draw(scene, camera, (size.width(), size.height()))
        renderer.free()
        image = target.toImage().convertToFormat(QImage.Format.Format_RGB32)
        target.release()
        del target
        return image
    finally:
        context.doneCurrent()
        surface.destroy()


def thumbnail(take: Take, size: QSize = _THUMBNAIL) -> QImage:
    """A small picture of a take, in its middle, in the colours of the theme. May be called on any thread."""
    motion = take.motion
    scene = Composer().scene(Wanted(Moment(take, 0.5 * motion.duration_s)), _PLAIN, theme())
    return painted(scene, good_camera(scene, motion, 0.5 * (motion.frames - 1), size), size)


def good_camera(
    scene: Scene, motion: Motion, frame: float, size: QSize, preset: Preset = Preset.THREE_QUARTER
) -> Camera:
    """The camera that sees a scene whole, from a side of the figure as it stands at a frame."""
    camera = Camera().at_preset(preset, front_yaw(motion, frame))
    return camera.framing(scene.outline(), (float(size.width()), float(size.height())))
