"""Icons: line drawings of our own under resources/icons, in the colour of the theme."""

from functools import lru_cache

from PySide6.QtCore import QByteArray, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from resources import path_of
from widgets.common.theme import theme

_SIZES = (16, 24, 32, 48)


def icon(name: str, colour_name: str = "text") -> QIcon:
    """The icon of this name; its strokes, drawn in `currentColor`, take a colour of the theme in use."""
    return _icon(name, getattr(theme(), colour_name), theme().muted)


@lru_cache(maxsize=512)
def _icon(name: str, colour: str, disabled: str) -> QIcon:
    made = QIcon()
    for mode, tint in ((QIcon.Mode.Normal, colour), (QIcon.Mode.Disabled, disabled)):
        for drawing in _drawings(name):
            made.addPixmap(_tinted(drawing, tint), mode)
    return made


@lru_cache(maxsize=512)
def _drawings(name: str) -> tuple[QPixmap, ...]:
    """The icon in all sizes, in black: drawing takes long, and another theme wants the same strokes."""
    renderer = QSvgRenderer(QByteArray(path_of("icons", f"{name}.svg").read_bytes()))
    drawn = []
    for size in _SIZES:
        pixmap = QPixmap(QSize(size, size))
        pixmap.fill(Qt.GlobalColor.transparent)
        with QPainter(pixmap) as painter:
            renderer.render(painter)
        drawn.append(pixmap)
    return tuple(drawn)


def _tinted(drawing: QPixmap, colour: str) -> QPixmap:
    tinted = QPixmap(drawing)
    with QPainter(tinted) as painter:
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
        painter.fillRect(tinted.rect(), QColor(colour))
    return tinted
