"""Icons: line drawings of our own under resources/icons, in the colour of the theme."""

from functools import lru_cache
from importlib.resources import files

from PySide6.QtCore import QByteArray, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from widgets.common.theme import theme

_SIZES = (16, 24, 32, 48)


def icon(name: str, colour_name: str = "text") -> QIcon:
    """The icon of this name; its strokes, drawn in `currentColor`, take a colour of the theme in use."""
    return _icon(name, getattr(theme(), colour_name), theme().muted)


@lru_cache(maxsize=512)
def _icon(name: str, colour: str, disabled: str) -> QIcon:
    made = QIcon()
    for mode, tint in ((QIcon.Mode.Normal, colour), (QIcon.Mode.Disabled, disabled)):
        for size in _SIZES:
            made.addPixmap(_pixmap(name, tint, size), mode)
    return made


def _pixmap(name: str, colour: str, size: int) -> QPixmap:
    drawing = files("resources").joinpath("icons", f"{name}.svg").read_text().replace("currentColor", colour)
    renderer = QSvgRenderer(QByteArray(drawing.encode()))
    pixmap = QPixmap(QSize(size, size))
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    renderer.render(painter)
    painter.end()
    return pixmap
