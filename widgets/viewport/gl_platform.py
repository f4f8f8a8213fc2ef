"""Whether OpenGL 3.3 can be had here, and PyOpenGL made to fit Qt. The only place that knows of platforms."""

import os
import sys
from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtGui import QGuiApplication, QOffscreenSurface, QOpenGLContext, QSurfaceFormat

VERSION = (3, 3)
# These draw into memory and give no context, or crash when asked for one.
_WITHOUT = ("offscreen", "minimal", "vnc", "linuxfb")
_SOFTWARE = ("llvmpipe", "softpipe", "swrast", "swiftshader", "software")


@dataclass(frozen=True)
class Abilities:
    """What the graphics driver can do. software : it draws on the processor, so every pixel costs time."""

    available: bool
    software: bool = False
    renderer: str = ""


def fit_pyopengl() -> None:
    """Make PyOpenGL look for contexts where Qt makes them. Must run before OpenGL is imported, after Qt has started."""
    if "OpenGL" in sys.modules or os.environ.get("PYOPENGL_PLATFORM"):
        return
    platform = QGuiApplication.platformName()
    if platform == "xcb":
        by_egl = os.environ.get("QT_XCB_GL_INTEGRATION") == "xcb_egl"
        os.environ["PYOPENGL_PLATFORM"] = "egl" if by_egl else "glx"
    elif platform.startswith(("wayland", "eglfs")):
        os.environ["PYOPENGL_PLATFORM"] = "egl"


def surface_format(samples: int) -> QSurfaceFormat:
    """The format that the shaders need."""
    wanted = QSurfaceFormat()
    wanted.setVersion(*VERSION)
    wanted.setProfile(QSurfaceFormat.OpenGLContextProfile.CoreProfile)
    wanted.setDepthBufferSize(24)
    wanted.setSamples(samples)
    return wanted


@lru_cache(maxsize=1)
def abilities() -> Abilities:
    """What can be done here; asked once. There must be an application."""
    if QGuiApplication.platformName() in _WITHOUT:
        return Abilities(False)
    made = make_context(0)
    if made is None:
        return Abilities(False)
    context, surface = made
    try:
        fit_pyopengl()
        from OpenGL import GL  # type: ignore[import-untyped]

        name = bytes(GL.glGetString(GL.GL_RENDERER)).decode(errors="replace")
    except Exception:  # PyOpenGL without a library that fits: anything can be raised
        return Abilities(False)
    finally:
        context.doneCurrent()
        surface.destroy()
    return Abilities(True, any(word in name.lower() for word in _SOFTWARE), name)


def make_context(samples: int) -> tuple[QOpenGLContext, QOffscreenSurface] | None:
    """A context of its own, made current, that needs no window; None where there is no OpenGL 3.3."""
    surface = QOffscreenSurface()
    surface.setFormat(surface_format(samples))
    surface.create()
    context = QOpenGLContext()
    context.setFormat(surface_format(samples))
    if not surface.isValid() or not context.create() or not context.makeCurrent(surface):
        surface.destroy()
        return None
    got = context.format()
    if got.version() < VERSION:
        context.doneCurrent()
        surface.destroy()
        return None
    return context, surface
