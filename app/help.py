"""Help: a page a part of the window, and the list of shortcuts as they are now."""

from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QTextBrowser, QWidget

from app.actions import Actions
from resources import path_of
from widgets.common.theme import GRID

# Pages in their order, with their titles; "shortcuts" is made when it is opened.
PAGES = {
    "start": "Getting started",
    "viewport": "Viewport",
    "timeline": "Timeline",
    "edits": "Edits",
    "library": "Library",
    "inspector": "Inspector",
    "quality": "Quality",
    "shortcuts": "Shortcuts",
}


class Help(QWidget):
    """A list of pages and the page. Views name theirs in the property "help"."""

    def __init__(self, actions: Actions, window: QWidget) -> None:
        super().__init__(window, window.windowFlags() & ~window.windowFlags() | window.windowType().Tool)
        self._actions = actions
        self.setWindowTitle("Help")
        self.resize(760, 560)
        self.list = QListWidget()
        self.list.setAccessibleName("Help pages")
        self.list.setFixedWidth(20 * GRID)
        self.list.addItems(list(PAGES.values()))
        self.page = QTextBrowser()
        self.page.setAccessibleName("Help")
        self.page.setOpenExternalLinks(False)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.list)
        layout.addWidget(self.page, 1)
        self.list.currentRowChanged.connect(self._on_row)
        self.list.setCurrentRow(0)

    def open_for(self, widget: QWidget | None) -> None:
        """Show the page on the part of the window that a widget belongs to."""
        page = "start"
        while widget is not None:
            named = widget.property("help")
            if named in PAGES:
                page = str(named)
                break
            widget = widget.parentWidget()
        self.open(page)

    def open(self, page: str) -> None:
        self.list.setCurrentRow(list(PAGES).index(page))
        self._on_row(self.list.currentRow())
        self.show()
        self.raise_()

    def _on_row(self, row: int) -> None:
        page = list(PAGES)[row]
        if page == "shortcuts":
            self.page.setMarkdown(self._shortcuts())
        else:
            self.page.setSource(QUrl())
            self.page.setMarkdown(path_of("help", f"{page}.md").read_text(encoding="utf-8"))

    def _shortcuts(self) -> str:
        lines = ["# Shortcuts", "", "| | |", "|---|---|"]
        for name in self._actions.names():
            if keys := self._actions.keys(name):
                described = self._actions.described(name)
                lines.append(f"| {keys} | {described.text.replace('&', '')}: {described.tip} |")
        return "\n".join([*lines, "", "Change them in the menu **Help**, **Shortcuts…**"])
