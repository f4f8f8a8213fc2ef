"""Help: a page a part of the window, and the list of shortcuts as they are now."""

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QEvent, QSize, QUrl
from PySide6.QtGui import (
    QImage,
    QKeySequence,
    QResizeEvent,
    QShortcut,
    QTextBlockFormat,
    QTextCursor,
    QTextDocument,
    QTextLength,
    QTextTable,
)
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QTextBrowser, QWidget

from app.actions import Actions
from resources import path_of
from widgets.common.theme import GRID, theme
from widgets.desk.contributions import HelpPage

SHORTCUTS = "shortcuts"  # the page that is made when it is opened
_LINE_WIDTH = 76 * GRID
_LINE_PERCENT = 125.0
_KEYS_WIDTH = 16 * GRID
_PICTURE = "\N{OBJECT REPLACEMENT CHARACTER}"  # what stands for a picture in a text


class Help(QWidget):
    """A list of pages and the page. Views name theirs in the property "help"."""

    def __init__(self, actions: Actions, pages: Iterable[HelpPage], window: QWidget) -> None:
        super().__init__(window, window.windowFlags() & ~window.windowFlags() | window.windowType().Tool)
        self._actions = actions
        self._pages = {page.name: page for page in sorted(pages, key=lambda page: page.at)}
        self.setWindowTitle("Help")
        self.resize(100 * GRID, 76 * GRID)
        self.list = QListWidget()
        self.list.setAccessibleName("Help pages")
        self.list.setFixedWidth(20 * GRID)
        self.list.addItems([page.title for page in self._pages.values()])
        for row in range(self.list.count()):
            self.list.item(row).setSizeHint(QSize(0, 4 * GRID))
        self.page = Page()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(GRID, GRID, 0, 0)
        layout.setSpacing(GRID)
        layout.addWidget(self.list)
        layout.addWidget(self.page, 1)
        self.list.currentRowChanged.connect(self._on_row)
        QShortcut(QKeySequence.StandardKey.Cancel, self, self.hide)
        self.list.setCurrentRow(0)

    def open_for(self, widget: QWidget | None) -> None:
        """Show the page on the part of the window that a widget belongs to."""
        page = "start"
        while widget is not None:
            named = widget.property("help")
            if named in self._pages:
                page = str(named)
                break
            widget = widget.parentWidget()
        self.open(page)

    def open(self, page: str) -> None:
        self.list.setCurrentRow(list(self._pages).index(page))
        self._on_row(self.list.currentRow())
        self.show()
        self.raise_()

    def _on_row(self, row: int) -> None:
        page = list(self._pages.values())[row]
        if page.name == SHORTCUTS:
            self.page.show_text(self._shortcuts())
        else:
            path = page.path or path_of("help", f"{page.name}.md")
            self.page.show_text(path.read_text(encoding="utf-8"))

    def _shortcuts(self) -> str:
        lines = ["# Shortcuts", "", "| | |", "|---|---|"]
        for name in self._actions.names():
            if keys := self._actions.keys(name):
                described = self._actions.described(name)
                text = described.text.replace("&", "").rstrip("…")
                lines.append(f"| {keys} | {text if text == described.tip else f'{text}: {described.tip}'} |")
        return "\n".join([*lines, "", "Change them in the menu **Help**, **Shortcuts…**"])


class Page(QTextBrowser):
    """A text to read: in lines of a good length, with air around them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self.setAccessibleName("Help")
        self.setOpenExternalLinks(False)
        self.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.document().setIndentWidth(2 * GRID)

    def show_text(self, markdown: str) -> None:
        """Show a page written in Markdown, from its top."""
        self._text = markdown
        self.setMarkdown(markdown)
        lines = QTextBlockFormat()
        lines.setLineHeight(_LINE_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(lines)
        self._let_pictures_be()
        for frame in self.document().rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                _dress(frame)
        self._set_margins()
        self.verticalScrollBar().setValue(0)

    def _let_pictures_be(self) -> None:
        """Lines of pictures need no air between them: a quarter of a tall picture would be a hole in the page."""
        single = QTextBlockFormat()
        single.setLineHeight(100.0, QTextBlockFormat.LineHeightTypes.SingleHeight.value)
        block = self.document().begin()
        while block.isValid():
            if block.text() == _PICTURE:
                QTextCursor(block).mergeBlockFormat(single)
            block = block.next()

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Pictures of the pages, in the colours of the theme; they are drawn for fine screens."""
        if kind != QTextDocument.ResourceType.ImageResource.value:
            return super().loadResource(kind, name)
        image = QImage(str(path_of("help", f"{Path(QUrl(name).path()).stem}_{theme().name}.png")))
        image.setDevicePixelRatio(2.0)
        return image

    def _set_margins(self) -> None:
        """Keep lines readable however wide the window is."""
        frame = self.document().rootFrame().frameFormat()
        frame.setMargin(2 * GRID)
        frame.setRightMargin(max(2 * GRID, self.viewport().width() - _LINE_WIDTH - 2 * GRID))
        self.document().rootFrame().setFrameFormat(frame)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._set_margins()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._text:
            self.show_text(self._text)  # what was made of it has the colours of the theme before


def _dress(table: QTextTable) -> None:
    """A table as a list in two columns, without the frames of a sheet."""
    dress = table.format()
    dress.setBorder(0)
    dress.setCellSpacing(0)
    dress.setCellPadding(GRID // 2)
    dress.setColumnWidthConstraints([QTextLength(QTextLength.Type.FixedLength, _KEYS_WIDTH)])
    table.setFormat(dress)
