"""The colours by which styles are told apart, none of which means anything else in the window."""

from PySide6.QtGui import QColor

from widgets.common.theme import theme

_DARK = ("#A78BDB", "#4DB6AC", "#D98CB3", "#B5B35C", "#8FA3BF", "#C29A6B")
_LIGHT = ("#6B4FB3", "#1F7F76", "#A8437A", "#6F6D1B", "#4A5F7D", "#87592A")


def style_colour(number: int, alpha: float = 1.0) -> QColor:
    """The colour of a style, by its place among those of a walk, each clip counted once."""
    colours = _DARK if theme().name == "dark" else _LIGHT
    made = QColor(colours[number % len(colours)])
    made.setAlphaF(alpha)
    return made
