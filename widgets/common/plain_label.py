"""Text as it is: names and messages may hold what looks like HTML, and be longer than any screen."""

from html import escape

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QLabel, QWidget

LONGEST = 2000  # characters: nobody reads more in a label or a tooltip
LONGEST_LINE = 80
_LINES = 24
_PARAGRAPHS = 10  # of a tooltip
_MOST_PX = 640  # wide or high: what no label needs to be


class PlainLabel(QLabel):
    """Plain text, shortened where nobody would read to its end; it never asks for more room than screens have."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)

    def setText(self, text: str) -> None:
        super().setText(shortened(text))

    def sizeHint(self) -> QSize:
        return super().sizeHint().boundedTo(QSize(_MOST_PX, _MOST_PX))

    def minimumSizeHint(self) -> QSize:
        return super().minimumSizeHint().boundedTo(QSize(_MOST_PX, _MOST_PX))


def plain_tip(*paragraphs: str | None) -> str:
    """A tooltip that says paragraphs as they are, in lines of a readable width; nothing for nothing."""
    said = [text for text in paragraphs if text]
    shown = said if len(said) <= _PARAGRAPHS else [*said[: _PARAGRAPHS - 1], "…"]
    return "".join(f"<p>{escape(shortened(text, LONGEST // len(shown)))}</p>" for text in shown)


def one_line(text: str, longest: int = LONGEST_LINE) -> str:
    """A name or sentence for a button, a list or a title: on one line, and short."""
    return shortened(" ".join(text.split()), longest)


def menu_text(text: str, longest: int = LONGEST_LINE) -> str:
    """One line for a menu, where an ampersand would otherwise underline what comes after it."""
    return one_line(text, longest).replace("&", "&&")


def shortened(text: str, longest: int = LONGEST) -> str:
    """A text of at most so many characters, and of lines that a screen has room for: what is too much is left out in
    the middle.
    """
    if len(text) > longest:
        half = (longest - 1) // 2
        text = f"{text[:half]}…{text[-half:]}"
    lines = text.split("\n")
    if len(lines) > _LINES:
        text = "\n".join([*lines[: _LINES // 2], "…", *lines[-_LINES // 2 :]])
    return text
