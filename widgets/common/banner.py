"""A line of news over the work: what happened, and what can be done about it. Never modal.

It lies over a view and takes no room from it: what is looked at does not jump when there is news.
"""

from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, QEvent, QObject, QRectF, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QToolButton, QWidget

from widgets.common.icons import icon
from widgets.common.plain_label import PlainLabel, menu_text, plain_tip, shortened
from widgets.common.theme import GRID, colour, theme

_NEWS_MS = 6000
_FRESH_MS = 3000
_BESIDE_PX = 17 * GRID  # left free on both sides where there is room: the view has labels in its corners
_LEAST_PX = 40 * GRID
_LONGEST = 600  # characters of a message: it must not cover what it lies over


class Banner(QFrame):
    """Hidden until there is something to say. News go by themselves, problems stay until closed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ground, self._theme = "raised", theme()
        self._view: QWidget | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_NoMousePropagation)
        self.setAccessibleName("Message")
        self.label = PlainLabel()
        self.label.setWordWrap(True)
        self.label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(GRID)
        self.close_button = QToolButton()
        self.close_button.setAccessibleName("Close this message")
        self.close_button.setToolTip("Close this message")
        self.close_button.clicked.connect(self.hide)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(2 * GRID, GRID // 2, GRID // 2, GRID // 2)
        layout.addWidget(self.label, 1)
        layout.addLayout(self._buttons)
        layout.addWidget(self.close_button)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.hide)
        self._is_problem = False
        self._age = QElapsedTimer()
        self._age.start()
        self.hide()

    def lie_over(self, view: QWidget) -> None:
        """Be at the top of a view, a sibling, wherever that is."""
        self._view = view
        view.installEventFilter(self)

    @property
    def text(self) -> str:
        return self.label.text() if not self.isHidden() else ""

    def say(self, text: str) -> None:
        """Show news for a while. Problems of just now are more important, and stay."""
        if not self.isHidden() and self._is_problem and self._age.elapsed() < _FRESH_MS:
            return
        self._show(text, "raised", ())
        self._is_problem = False
        self._timer.start(_NEWS_MS)

    def offer(self, text: str, buttons: tuple[tuple[str, Callable[[], object]], ...]) -> None:
        """Show what could be done, until it is done, closed, or something newer is to be told."""
        self._timer.stop()
        self._is_problem = False
        self._show(text, "raised", buttons)

    def warn(self, text: str, buttons: tuple[tuple[str, Callable[[], object]], ...] = ()) -> None:
        """Show a problem until it is closed, one of its buttons is pressed, or something newer is to be told.

        Problems that come together are shown together.
        """
        fresh = not self.isHidden() and self._is_problem and self._age.elapsed() < _FRESH_MS and not buttons
        shown = self.label.text() if fresh else ""
        lines = [*shown.split("\n"), text] if shown and text not in shown else [text]
        self._timer.stop()
        self._is_problem = True
        self._age.start()
        self._show("\n".join(lines[-4:]), "problem", buttons)

    def _show(self, text: str, ground: str, buttons: tuple[tuple[str, Callable[[], object]], ...]) -> None:
        self._ground = ground
        self._paint_ground()
        self.label.setText(shortened(text, _LONGEST))
        while self._buttons.count():
            item = self._buttons.takeAt(0)
            if item is not None and (widget := item.widget()) is not None:
                widget.deleteLater()
        for words, do in buttons:
            button = QPushButton(menu_text(words))
            button.setToolTip(plain_tip(words))
            button.clicked.connect(self.hide)
            button.clicked.connect(lambda _=False, do=do: do())
            self._buttons.addWidget(button)
        self._place()
        self.show()

    def _place(self) -> None:
        layout = self.layout()
        if self._view is None or layout is None:
            return
        view, metrics = self._view.geometry(), self.fontMetrics()
        words = max(metrics.horizontalAdvance(line) for line in self.label.text().split("\n"))
        others = self._buttons.sizeHint().width() + self.close_button.sizeHint().width() + 7 * GRID
        room = max(view.width() - 2 * _BESIDE_PX, min(view.width() - 2 * GRID, _LEAST_PX))
        width = min(words + others, room)
        layout.activate()
        height = max(layout.heightForWidth(width), 4 * GRID)
        self.setGeometry(view.left() + (view.width() - width) // 2, view.top() + GRID, width, height)
        self.raise_()

    def _paint_ground(self) -> None:
        self._theme = theme()
        fill = colour("raised")
        if self._ground == "problem":
            mark = colour("problem")
            mixed = [round(0.75 * a + 0.25 * b) for a, b in zip(fill.getRgb()[:3], mark.getRgb()[:3], strict=True)]  # type: ignore[index]
            fill.setRgb(*mixed)
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Window, fill)
        self.setPalette(palette)
        self.close_button.setIcon(icon("close"))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not self.isHidden() and event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._place()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(colour("problem" if self._ground == "problem" else "line")))
            painter.setBrush(self.palette().window())
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._theme is not theme():
            self._paint_ground()
