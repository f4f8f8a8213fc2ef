"""A lane as it is shown: its rows along the time axis, and its header, which folds it."""

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from editor.document.session import Session
from widgets.common.icons import icon
from widgets.common.plain_label import plain_tip
from widgets.common.theme import GRID, colour
from widgets.timeline.area import TimeArea
from widgets.timeline.axis import TimeAxis
from widgets.timeline.lane import Drag, Hit, Lane, Pointer

HEADER_WIDTH = 16 * GRID
TITLE_HEIGHT = 3 * GRID
_TAB = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)


class LaneView(TimeArea):
    """The rows of a lane. Folded, it shows them small, in the height of its title."""

    room_wanted = Signal()  # it needs another height than before

    def __init__(self, lane: Lane, axis: TimeAxis, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(axis, session, parent)
        self.lane = lane
        self._folded = False
        self._tabbed = False
        self._needed = self._extra = 0
        self.setAccessibleName(f"{lane.title} lane")
        self.setToolTip(plain_tip(lane.tip))
        self.setStatusTip(lane.tip)
        lane.changed.connect(self._on_changed)
        lane.revealed.connect(axis.reveal)
        self._on_changed()

    @property
    def folded(self) -> bool:
        return self._folded

    def set_folded(self, folded: bool) -> None:
        """Show the rows large or small."""
        self._folded = folded
        self.lane.set_folded(folded)
        self._on_changed()

    @property
    def needed(self) -> int:
        """How high it is where there is no room to spare, in pixels."""
        return self._needed

    def take_room(self, spare: int) -> int:
        """Grow into what is to spare, as far as the lane wants. -> what is left of it."""
        extra = min(max(self.lane.most_height - self._needed, 0), spare) if self._is_large_and_flat else 0
        if extra != self._extra:
            self._extra = extra
            self.setFixedHeight(self._needed + extra)
            self.refresh()
        return spare - extra

    @property
    def _is_large_and_flat(self) -> bool:
        return self.lane.is_flat and not self._folded and bool(self.lane.rows)

    @property
    def _title_height(self) -> int:
        """How high the strip of the title is: a flat lane's row needs its height there."""
        return max(self.lane.row_height, TITLE_HEIGHT) + self._extra if self._is_large_and_flat else TITLE_HEIGHT

    def _on_changed(self) -> None:
        rows = 0 if self._folded or self.lane.is_flat else len(self.lane.rows) * self.lane.row_height
        if not self._is_large_and_flat:
            self._extra = 0
        needed = self._title_height + rows - self._extra
        self.setFixedHeight(needed + self._extra)
        if needed != self._needed:
            self._needed = needed
            self.room_wanted.emit()
        self.setAccessibleDescription(self.lane.accessible_text())
        self.refresh()

    def _rows_rect(self) -> QRectF:
        if self._folded:
            return QRectF(0, 3, self.width(), TITLE_HEIGHT - 6)
        if self.lane.is_flat:
            return QRectF(0, 0, self.width(), self._title_height)
        return QRectF(0, TITLE_HEIGHT, self.width(), self.height() - TITLE_HEIGHT)

    def paint_picture(self, painter: QPainter) -> None:
        painter.fillRect(QRectF(0, 0, self.width(), TITLE_HEIGHT), colour("window", 0.5))
        rect = self._rows_rect()
        self.guide(painter, QRectF(self.rect()))
        if not self._folded and not self.lane.is_flat:
            painter.setPen(colour("line"))
            for row in range(len(self.lane.rows)):
                y = rect.top() + row * self.lane.row_height + 0.5
                painter.drawLine(QPointF(0, y), QPointF(self.width(), y))
        if not self.lane.rows:
            painter.setPen(colour("muted"))
            left = max(self.axis.scale.x_of(0.0), 0.0) + GRID  # clear of the line at the start of the clip
            strip = QRectF(left, 0, self.width() - left, TITLE_HEIGHT)
            painter.drawText(strip, Qt.AlignmentFlag.AlignVCenter, self.lane.nothing)
        painter.save()
        self.lane.paint(painter, self.axis.scale, rect, self._folded)
        painter.restore()
        self.shade(painter, QRectF(self.rect()))
        if self._tabbed:
            painter.setPen(QPen(colour("accent"), 1))
            painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -1.5, -1.5))

    def hit(self, point: QPointF) -> Hit | None:
        return None if self._folded else self.lane.hit(point, self.axis.scale, self._rows_rect())

    def hover(self, hit: Hit | None) -> None:
        self.lane.hover(hit)

    def drag_of(self, hit: Hit | None, pointer: Pointer, modifiers: Qt.KeyboardModifier) -> Drag | None:
        self._set_tabbed(False)
        return self.lane.press(hit, pointer)

    def double_click(self, point: QPointF, pointer: Pointer) -> bool:
        return not self._folded and self.lane.double_click(point, self._rows_rect(), pointer)

    def menu_at(self, point: QPointF) -> QMenu:
        """What can be done at a place, as a menu that goes away when it is closed."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        pointer = self.pointer_at(point, Qt.KeyboardModifier.NoModifier)
        for text, do in self.lane.menu(self.hit(point), point, self._rows_rect(), pointer):
            menu.addAction(text).triggered.connect(do)
        return menu

    def _set_tabbed(self, tabbed: bool) -> None:
        if self._tabbed != tabbed:
            self._tabbed = tabbed
            self.refresh()

    # Qt

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if not self._folded and not self.is_dragging:
            self.menu_at(QPointF(event.pos())).popup(event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self.is_dragging and self.lane.wants_key(event, self._tabbed):
            self.lane.press_key(event)
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        # The window has shortcuts on the same keys; those that the lane wants are the lane's.
        override = event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        if override and isinstance(event, QKeyEvent) and self.lane.wants_key(event, self._tabbed):
            event.accept()
            return True
        return super().event(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._set_tabbed(event.reason() in _TAB)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._set_tabbed(False)


class LaneHeader(QWidget):
    """The lane's title with a button that folds it, and the names of its rows."""

    folded = Signal(bool)

    def __init__(self, lane: Lane, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lane = lane
        self._folded = False
        self.setFixedWidth(HEADER_WIDTH)
        self.setToolTip(plain_tip(lane.tip))
        self.button = QToolButton(self)
        self.button.setGeometry(2, 2, TITLE_HEIGHT - 4, TITLE_HEIGHT - 4)
        # A lane that is folded is no pressed button: it must not look like one.
        self.button.setStyleSheet(
            "QToolButton { padding: 0px; }"
            "QToolButton:checked:!focus { background: transparent; border-color: transparent; }"
        )
        self.button.setCheckable(True)
        self.button.clicked.connect(self._on_clicked)
        lane.changed.connect(self._on_changed)
        self._on_changed()
        self.button.setChecked(lane.starts_folded)
        self._on_clicked(lane.starts_folded)

    def _on_changed(self) -> None:
        self.setAccessibleName(", ".join((self._lane.title, *(row.name for row in self._lane.rows))))
        self.update()

    def _on_clicked(self, folded: bool) -> None:
        self._folded = folded
        self.button.setIcon(icon("unfold" if folded else "fold"))
        text = f"{'Unfold' if folded else 'Fold'} {self._lane.title.lower()}"
        self.button.setAccessibleName(text)
        self.button.setToolTip(plain_tip(text))
        self.folded.emit(folded)
        self.update()

    # Qt

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), colour("panel"))
            painter.fillRect(QRectF(0, 0, self.width(), TITLE_HEIGHT), colour("window", 0.5))
            painter.setPen(colour("text"))
            middle = Qt.AlignmentFlag.AlignVCenter
            painter.drawText(QRectF(TITLE_HEIGHT + 4, 0, self.width(), TITLE_HEIGHT), middle, self._lane.title)
            rows = () if self._folded or self._lane.is_flat else self._lane.rows
            if self._lane.is_flat and not self._folded:
                self._draw_subtitle(painter)
            for place, row in enumerate(rows):
                top = TITLE_HEIGHT + place * self._lane.row_height
                painter.setPen(colour("line"))
                painter.drawLine(QPointF(0, top + 0.5), QPointF(self.width(), top + 0.5))
                painter.setPen(colour(row.colour))
                painter.drawText(QRectF(TITLE_HEIGHT + 4, top, self.width(), self._lane.row_height), middle, row.name)
            painter.setPen(colour("line"))
            painter.drawLine(QPointF(self.width() - 0.5, 0), QPointF(self.width() - 0.5, self.height()))

    def _draw_subtitle(self, painter: QPainter) -> None:
        room = self.height() - TITLE_HEIGHT
        if room > 0:
            painter.setPen(colour("muted"))
            flags = Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
            box = QRectF(TITLE_HEIGHT + 4, TITLE_HEIGHT - 4, self.width() - TITLE_HEIGHT - 8, room)
            painter.drawText(box, int(flags), self._lane.subtitle)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.button.setIcon(icon("unfold" if self._folded else "fold"))
            self.update()
