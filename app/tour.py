"""A short walk round the window: a note beside each part, which never stops the work; and a lesson, whose notes go on
when what they tell of is done.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from widgets.common.keys import LEAVES_SPACE
from widgets.common.plain_label import PlainLabel, plain_tip
from widgets.common.theme import GRID, colour
from widgets.desk.contributions import Lesson, Note

if TYPE_CHECKING:
    from app.window import Window

_WIDTH = 300
_LOOK_MS = 100  # how often it is asked whether what a note tells of is done


class _Outline(QWidget):
    """A frame round a part of the window. The mouse goes through it."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(colour("accent"), 2))
            painter.drawRoundedRect(self.rect().adjusted(1, 1, -1, -1), 6, 6)


class Tour(QFrame):
    """Notes one after another; Esc or Skip ends them."""

    def __init__(self, window: "Window") -> None:
        super().__init__(window)
        self._window = window
        self._notes: tuple[Note, ...] = ()
        self._steps = (
            Note(lambda: window.viewport, "This is your clip. Drag to look round, turn the wheel to come nearer, "
             "click a joint to select it."),
            Note(lambda: window.timeline, "Space plays. Drag in the ruler to scrub. The green bars are the steps: "
             "drag their ends to correct them."),
            Note(lambda: window.edits, "Put edits on the clip here. Each can be switched off, changed or moved "
             "at any time; nothing is baked in."),
            Note(lambda: window.inspector, "What you select shows its settings here, and everything changes while "
             "you drag."),
            Note(lambda: window.library, "Drop your own BVH, AMC or glTF files anywhere. They appear here."),
        )  # fmt: skip
        self._at = 0
        self._outline = _Outline(window)
        self.setObjectName("tour")
        self.setAutoFillBackground(True)
        self.setFixedWidth(_WIDTH)
        self.setAccessibleName("Tour")
        self.label = PlainLabel()
        self.label.setWordWrap(True)
        self.count = PlainLabel()
        self.skip = QPushButton("Skip")
        self.skip.setToolTip("End the tour")
        self.next = QPushButton("Next")
        self.next.setToolTip("The next note")
        self.next.setDefault(True)
        for button in (self.skip, self.next):
            button.setProperty(LEAVES_SPACE, True)  # a note says that it plays
        self._lesson = next(iter(window.brought(Lesson)), None)
        self.lesson = QPushButton("" if self._lesson is None else self._lesson.text)
        self.lesson.setToolTip("" if self._lesson is None else plain_tip(self._lesson.tip))
        self.lesson.setProperty(LEAVES_SPACE, True)
        self._looking = QTimer(self)
        self._looking.setInterval(_LOOK_MS)
        self._looking.timeout.connect(self._look)
        row = QHBoxLayout()
        row.addWidget(self.count, 1)
        row.addWidget(self.skip)
        row.addWidget(self.next)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        layout.setSpacing(GRID)
        layout.addWidget(self.label)
        layout.addWidget(self.lesson)
        layout.addLayout(row)
        window.installEventFilter(self)
        self.next.clicked.connect(self._on_next)
        self.skip.clicked.connect(self.end)
        if self._lesson is not None:
            self.lesson.clicked.connect(self._lesson.begin)
        self.hide()

    def begin(self) -> None:
        """Start from the first note."""
        self._at, self._notes = 0, self._steps
        self._show()

    def teach(self, notes: Iterable[Note]) -> None:
        """Start a lesson."""
        self._at, self._notes = 0, tuple(notes)
        self._show()

    def _look(self) -> None:
        """Go on where what the note tells of is done."""
        if self.isVisible() and self._at < len(self._notes):
            done = self._notes[self._at].done
            if done is not None and done():
                self._on_next()

    def end(self) -> None:
        self._looking.stop()
        self._outline.hide()
        self.hide()
        self._window.viewport.setFocus()
        self._window.settings.tour_seen = True

    def _on_next(self) -> None:
        self._at += 1
        if self._at >= len(self._notes):
            self.end()
        else:
            self._show()

    def _show(self) -> None:
        note, is_last = self._notes[self._at], self._at == len(self._notes) - 1
        self.label.setText(note.text)
        self.count.setText(f"{self._at + 1} of {len(self._notes)}")
        self._dress()
        self.lesson.setVisible(is_last and self._notes is self._steps and self._lesson is not None)
        self.next.setText("Done" if is_last else "Next")
        self.adjustSize()
        self._place()
        self.show()
        self.raise_()
        self.next.setFocus()
        if note.done is not None:
            self._looking.start()
        else:
            self._looking.stop()

    def _dress(self) -> None:
        wanted = (
            f"#tour {{ background: {colour('raised').name()}; border: 1px solid {colour('accent').name()};"
            " border-radius: 6px; }"
        )
        if self.styleSheet() != wanted:
            self.setStyleSheet(wanted)

    def _place(self) -> None:
        """Beside the part that the note is about, wherever that is now."""
        part = self._notes[min(self._at, len(self._notes) - 1)].part()
        shown = QRect(part.mapTo(self._window, QPoint(0, 0)), part.size()) if part.isVisible() else self._window.rect()
        self._outline.setGeometry(shown.adjusted(-2, -2, 2, 2))
        self._outline.show()
        self._outline.raise_()
        self.move(self._beside(shown))
        self.raise_()

    def _beside(self, shown: QRect) -> QPoint:
        """A place next to a part of the window, inside the window."""
        whole = self._window.rect().adjusted(GRID, GRID, -GRID, -GRID)
        left = (
            shown.right() + GRID
            if shown.right() + self.width() + GRID < whole.right()
            else shown.left() - self.width() - GRID
        )
        if left < whole.left():  # a part as wide as the window: in its corner, where little is hidden
            return QPoint(shown.right() - self.width() - 2 * GRID, shown.top() + 2 * GRID)
        top = min(max(shown.center().y() - self.height() // 2, whole.top()), whole.bottom() - self.height())
        return QPoint(left, top)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if self.isVisible() and event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            QTimer.singleShot(0, self, self._place)  # once the parts have their new places
        return super().eventFilter(watched, event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._dress()

    def keyPressEvent(self, event) -> None:  # type: ignore[no-untyped-def]
        if event.key() == Qt.Key.Key_Escape:
            self.end()
        else:
            super().keyPressEvent(event)
