"""How a row of the edit stack is drawn: switch, title, its most important value, and a badge."""

from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPalette
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionButton, QStyleOptionViewItem

from widgets.common.icons import icon
from widgets.common.theme import GRID, colour

ROW_ROLE = Qt.ItemDataRole.UserRole
_HEIGHT = 4 * GRID
_SOURCE_HEIGHT = 6 * GRID
_SWITCH = 2 * GRID
_BADGE = 2 * GRID


@dataclass(frozen=True)
class Row:
    """What a row shows. layer : its id, None for the source; on : None where there is no switch; notes : what the
    edit wants the user to know; failed : whether it could not be done.
    """

    title: str
    value: str
    layer: str | None = None
    on: bool | None = None
    notes: tuple[str, ...] = ()
    failed: bool = False
    picture: str = "file"

    @property
    def spoken(self) -> str:
        """The row as one sentence."""
        state = () if self.on is None else ("on" if self.on else "off",)
        told = ("failed",) if self.failed else ("with notes",) if self.notes else ()
        return ", ".join(part for part in (self.title, *state, self.value, *told, *self.notes) if part)


class RowDelegate(QStyledItemDelegate):
    """Draws rows."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        row = index.data(ROW_ROLE)
        return QSize(20 * GRID, _SOURCE_HEIGHT if isinstance(row, Row) and row.layer is None else _HEIGHT)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row = index.data(ROW_ROLE)
        if not isinstance(row, Row):
            return
        painter.save()
        self._paint_ground(painter, option)
        area = QRect(option.rect).adjusted(GRID, 0, -GRID, 0)
        if row.layer is None:
            self._paint_source(painter, option, row, area)
        else:
            self._paint_layer(painter, option, row, area)
        painter.restore()

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        state = option.state
        rect = QRect(option.rect)
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, colour("accent", 0.28))
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), colour("accent"))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, colour("raised"))
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(colour("accent"))
            painter.drawRect(rect.adjusted(0, 0, -1, -1))
        painter.setPen(colour("line"))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())

    def _paint_source(self, painter: QPainter, option: QStyleOptionViewItem, row: Row, area: QRect) -> None:
        picture = QRect(area.left(), area.center().y() - _SWITCH // 2, _SWITCH, _SWITCH)
        icon(row.picture, "muted").paint(painter, picture)
        area = _badge(painter, row, area)
        height = QFontMetrics(option.font).height()
        lines = area.adjusted(_SWITCH + GRID, (area.height() - 2 * height) // 2 - 1, 0, 0)
        lines.setHeight(2 * height + 2)
        font = QFont(option.font)
        font.setBold(True)
        middle = Qt.AlignmentFlag.AlignTop if row.value else Qt.AlignmentFlag.AlignVCenter
        _write(painter, lines, row.title, font, "text", middle)
        _write(painter, lines, row.value, QFont(option.font), "muted", Qt.AlignmentFlag.AlignBottom)

    def _paint_layer(self, painter: QPainter, option: QStyleOptionViewItem, row: Row, area: QRect) -> None:
        style = option.widget.style()
        if row.on is not None:
            box = QStyleOptionButton()
            box.rect = switch_area(QRect(option.rect)).adjusted(4, 4, -4, -4)
            box.state = QStyle.StateFlag.State_Enabled
            box.state |= QStyle.StateFlag.State_On if row.on else QStyle.StateFlag.State_Off
            box.palette = QPalette(option.palette)
            style.drawPrimitive(QStyle.PrimitiveElement.PE_IndicatorCheckBox, box, painter, option.widget)
        area = _badge(painter, row, area.adjusted(_SWITCH + GRID, 0, 0, 0))
        font = QFont(option.font)
        title_width = QFontMetrics(font).horizontalAdvance(row.title)
        value_width = min(QFontMetrics(font).horizontalAdvance(row.value), max(area.width() - title_width - GRID, 0))
        tint = "text" if row.on else "muted"
        _write(painter, area, row.title, font, tint, Qt.AlignmentFlag.AlignVCenter)
        value = QRect(area.right() - value_width, area.top(), value_width + 1, area.height())
        _write(painter, value, row.value, font, "muted", Qt.AlignmentFlag.AlignVCenter)


def switch_area(rect: QRect) -> QRect:
    """Where a click switches: the box, and a little around it."""
    return QRect(rect.left() + GRID - 4, rect.center().y() - _SWITCH // 2 - 3, _SWITCH + 8, _SWITCH + 8)


def _badge(painter: QPainter, row: Row, area: QRect) -> QRect:
    """Draw the badge, if there is something to tell. -> what is left of the area."""
    if not row.notes and not row.failed:
        return area
    place = QRect(area.right() - _BADGE + 1, area.center().y() - _BADGE // 2 + 1, _BADGE, _BADGE)
    name, tint = ("failed", "problem") if row.failed else ("warning", "warning")
    icon(name, tint).paint(painter, place)
    return area.adjusted(0, 0, -_BADGE - GRID, 0)


def _write(painter: QPainter, area: QRect, text: str, font: QFont, tint: str, where: Qt.AlignmentFlag) -> None:
    painter.setFont(font)
    painter.setPen(colour(tint))
    elided = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, area.width())
    painter.drawText(area, int(where | Qt.AlignmentFlag.AlignLeft), elided)
