"""A table for settings that are rows: knots of a curve, spans of time, records such as corrections."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import Field, dataclass, fields, is_dataclass, replace
from typing import Any, get_args, get_type_hints

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QBoxLayout,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableWidget,
    QTableWidgetItem,
    QToolButton,
    QWidget,
)

from model.clip import Setting
from model.measures import METRES, MOMENTS, NUMBER, PERCENT, SECONDS, Measure, measure_of, setting_from_name
from widgets.common.icons import icon
from widgets.common.number_field import tabular
from widgets.common.plain_label import plain_tip
from widgets.common.setting_kinds import Described, FormContext, can_be_added
from widgets.common.theme import GRID
from widgets.inspector.setting_editors import Editor

_TIMES = Measure("", "\u00d7", 1.0, 3, 2, 0.05)
_SPEED = Measure("m/s", "m/s", 1.0, 3, 2, 0.05)
# Rows that are plain tuples do not say what their numbers are; those named here are known better.
_COLUMNS: dict[str, tuple[tuple[str, Measure], ...]] = {
    "Retime.speeds": (("Moment", SECONDS), ("Speed", _TIMES)),
    "Gait.speeds": (("Moment", SECONDS), ("Speed", _SPEED)),
    "RepairFrames.spans": (("From", SECONDS), ("To", SECONDS)),
    "WalkAlongPath.speeds": (("Along", METRES), ("Speed", _TIMES)),
}
# Records of which a table shows some fields only, under shorter headings.
_FIELDS: dict[str, tuple[tuple[str, str, Measure | None], ...]] = {
    "TargetPose": (
        ("time_s", "At", SECONDS),
        ("before_s", "In", SECONDS),
        ("after_s", "Out", SECONDS),
        ("strength", "Share", PERCENT),
        ("offsets", "Joints", None),
    ),
}
_MOST_ROWS = 6
# More columns than these are scrolled to.
_COLUMNS_THAT_FIT = 2
_NEW_SPAN_S = 0.5
_TYPED = object()  # what a cell shows that somebody typed into: nothing that could be kept


@dataclass(frozen=True)
class Column:
    """A column of a table. get, put : its value of a row, and the row with another; measure : of numbers.

    The unit stands in the heading, so that narrow columns have room for the numbers. is_moment : whether it holds
    moments of the source, which people read otherwise where steps are counted.
    """

    label: str
    get: Callable[[Any], Any]
    put: Callable[[Any, Any], Any]
    measure: Measure | None
    is_fixed: bool = False
    is_moment: bool = False

    def heading(self, between: str) -> str:
        """The label and its unit. between : what parts them."""
        unit = "" if self.measure is None else self.measure.suffix
        return f"{self.label}{between}({unit})" if unit else self.label


class RowsEditor(Editor):
    """The rows of a setting. Numbers are edited in place; Delete takes rows away."""

    is_wide = True

    def __init__(self, what: Described, context: FormContext, parent: QWidget | None = None) -> None:
        super().__init__(what, parent)
        self._context = context
        self._rows: tuple[Any, ...] = ()
        self._shown: tuple[tuple[Any, ...], ...] = ()
        self._columns = columns_of(what, context)
        self._is_filling = False
        label = what.setting.label
        self.table = _Table(0, len(self._columns), self)
        self.table.setHorizontalHeaderLabels([column.heading(" " if self._fits else "\n") for column in self._columns])
        header, modes = self.table.horizontalHeader(), QHeaderView.ResizeMode
        header.setSectionResizeMode(modes.Stretch if self._fits else modes.ResizeToContents)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setStretchLastSection(True)
        self.table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.table.setWordWrap(False)
        self.table.verticalHeader().hide()
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setItemDelegate(_NumberDelegate(self.table))
        self.table.setFont(tabular(self.table.font()))
        self.table.setToolTip(
            plain_tip(f"{what.setting.tip} Enter or F2 changes a number; Delete removes rows.".strip())
        )
        self.table.itemChanged.connect(self._on_item_changed)
        self.table.remove_wanted.connect(self._on_remove)
        self.table.itemSelectionChanged.connect(self._show_buttons)
        self.add_button = _button(f"Add to {label.lower()}", "Add a row at the moment that is shown")
        self.remove_button = _button(f"Remove from {label.lower()}", "Remove the selected rows (Delete)")
        self.add_button.clicked.connect(self._on_add)
        self.remove_button.clicked.connect(self._on_remove)
        self.add_button.setVisible(can_be_added(what.row_type))
        self._layout.setDirection(QBoxLayout.Direction.TopToBottom)  # the columns need the whole width
        self._add(self.table)
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID // 2)
        buttons.addStretch(1)
        buttons.addWidget(self.add_button)
        buttons.addWidget(self.remove_button)
        self._layout.addLayout(buttons)
        self._show_icons()
        self._fit()

    @property
    def _fits(self) -> bool:
        """Whether the columns are few enough to share the width; else they are as wide as they need, and scroll."""
        return len(self._columns) <= _COLUMNS_THAT_FIT

    def set_value(self, value: Any) -> None:
        rows = tuple(value)
        if rows != self._rows or self._read(rows) != self._shown:
            self._rows = rows
            self._fill()

    def _read(self, rows: tuple[Any, ...]) -> tuple[tuple[Any, ...], ...]:
        """What the cells of rows show."""
        return tuple(
            tuple(
                self._context.read_s(value) if column.is_moment and value is not None else value
                for column in self._columns
                for value in (column.get(record),)
            )
            for record in rows
        )

    def _fill(self) -> None:
        """Show the rows: cells that show something else than before are made again, the others stay."""
        self._is_filling = True
        before, self._shown = self._shown, self._read(self._rows)
        self.table.setRowCount(len(self._shown))
        with self._columns_kept():
            for row, cells in enumerate(self._shown):
                known = before[row] if row < len(before) else None
                for place, (column, value) in enumerate(zip(self._columns, cells, strict=True)):
                    if known is None or not _is_same(known[place], value):
                        self.table.setItem(row, place, _item(column, value))
        self._is_filling = False
        self._fit()

    @contextmanager
    def _columns_kept(self) -> Iterator[None]:
        """Let columns be fitted to their cells once at the end, and not for every cell."""
        if self._fits:
            yield
            return
        header, modes = self.table.horizontalHeader(), QHeaderView.ResizeMode
        header.setSectionResizeMode(modes.Fixed)
        yield
        header.setSectionResizeMode(modes.ResizeToContents)

    def _fit(self) -> None:
        """As high as its rows, up to a few; more are scrolled to."""
        rows = min(max(len(self._rows), 1), _MOST_ROWS)
        row_height = self.table.verticalHeader().defaultSectionSize()
        height = self.table.horizontalHeader().sizeHint().height() + rows * row_height + 2
        if not self._fits:
            height += self.table.horizontalScrollBar().sizeHint().height()
        self.table.setFixedHeight(max(height, 8 * GRID))
        self._show_buttons()

    def _show_buttons(self) -> None:
        self.remove_button.setEnabled(bool(self.table.selectedItems()))

    def _on_item_changed(self, item: QTableWidgetItem) -> None:
        if self._is_filling:
            return
        column, row = self._columns[item.column()], item.row()
        shown = self._shown[row][item.column()]
        self._shown = (*self._shown[:row], (_TYPED,) * len(self._columns), *self._shown[row + 1 :])
        try:
            value: Any
            if column.measure is None:
                value = item.checkState() == Qt.CheckState.Checked
            else:
                value = column.measure.parse(item.text())
                value = self._context.meant_s(value) if column.is_moment else value
                if column.measure.number(shown) == item.text().strip():
                    value = column.get(self._rows[row])
            rows = (*self._rows[:row], column.put(self._rows[row], value), *self._rows[row + 1 :])
        except ValueError as error:
            self._fill()
            self.refused.emit(str(error))
            return
        self._tell(rows)

    def _on_add(self) -> None:
        last = self._rows[-1] if self._rows else None
        moment = self._context.moment_s()
        if self._columns[0].measure is METRES:  # no moment, but a place
            moment = self._context.along_m() or 0.0
        spans = all(column.measure is SECONDS for column in self._columns)
        rest = [moment + _NEW_SPAN_S] if spans else list(last[1:]) if last else [1.0] * (len(self._columns) - 1)
        others = (row for row in self._rows if row[0] != moment)
        self._tell(tuple(sorted((*others, (moment, *rest)))))

    def _on_remove(self) -> None:
        gone = {index.row() for index in self.table.selectedIndexes()}
        if gone:
            self._tell(tuple(record for row, record in enumerate(self._rows) if row not in gone))

    def _tell(self, rows: tuple[Any, ...]) -> None:
        """Say what the rows shall be; who listens shows what became of it."""
        if rows != self._rows:
            self._on_changed(rows)
        self._fill()

    def _show_icons(self) -> None:
        self.add_button.setIcon(icon("plus"))
        self.remove_button.setIcon(icon("minus"))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._show_icons()


class _Table(QTableWidget):
    """A table that tells of Delete."""

    remove_wanted = Signal()

    def event(self, event: QEvent) -> bool:
        deletes = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Delete
        if deletes and event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete:
            self.remove_wanted.emit()
        else:
            super().keyPressEvent(event)


class _NumberDelegate(QStyledItemDelegate):
    """Edits a cell in a line that fills it."""

    def createEditor(
        self, parent: QWidget, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QWidget:
        editor = QLineEdit(parent)
        editor.setAccessibleName("Value")
        editor.setStyleSheet("QLineEdit { padding: 0 2px; border-radius: 0; min-height: 0; }")
        return editor


def columns_of(what: Described, context: FormContext) -> tuple[Column, ...]:
    """The columns of a setting's rows."""
    row_type = what.row_type
    known_fields = _FIELDS.get(getattr(row_type, "__name__", ""))
    if known_fields is not None:
        return tuple(_named_column(*one) for one in known_fields)
    if is_dataclass(row_type):
        hints = get_type_hints(row_type)
        return tuple(_field_column(one, hints[one.name], context) for one in fields(row_type))
    count = len(get_args(row_type))
    known = _COLUMNS.get(f"{what.owner}.{what.name}")
    if known is None or len(known) != count:
        unit = measure_of(what.setting) if what.setting.unit else NUMBER
        known = (("Moment", SECONDS), *((f"Value {n}" if count > 2 else "Value", unit) for n in range(1, count)))
    return tuple(_place_column(place, label, measure) for place, (label, measure) in enumerate(known))


def _place_column(place: int, label: str, measure: Measure) -> Column:
    return Column(
        label,
        lambda row: row[place],
        lambda row, value: (*row[:place], value, *row[place + 1 :]),
        measure,
        is_moment=measure is SECONDS,
    )


def _named_column(name: str, label: str, measure: Measure | None) -> Column:
    return Column(
        label,
        lambda row: getattr(row, name),
        lambda row, value: replace(row, **{name: value}),
        measure,
        is_fixed=measure is None,
        is_moment=name in MOMENTS,
    )


def _field_column(one: Field[Any], hint: Any, context: FormContext) -> Column:
    name, setting = one.name, setting_from_name(one)
    if name == "clip_id":
        return Column("Clip", lambda row: context.clip_name(row.clip_id), _keep, None, is_fixed=True)
    measure = measure_of(Setting("", setting.unit)) if hint in (float, float | None) else None
    is_fixed = hint not in (float, bool)
    return Column(
        setting.label,
        lambda row: getattr(row, name),
        lambda row, value: replace(row, **{name: value}),
        measure,
        is_fixed,
        name in MOMENTS,
    )


def _is_same(one: Any, other: Any) -> bool:
    """Whether cells show the same; True is no 1.0."""
    return type(one) is type(other) and bool(one == other)


def _keep(row: Any, value: Any) -> Any:
    return row


def _item(column: Column, value: Any) -> QTableWidgetItem:
    item = QTableWidgetItem()
    flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
    if column.measure is not None and value is not None:
        item.setText(column.measure.number(value))
        item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if not column.is_fixed:
            flags |= Qt.ItemFlag.ItemIsEditable
    elif isinstance(value, bool) and not column.is_fixed:
        item.setCheckState(Qt.CheckState.Checked if value else Qt.CheckState.Unchecked)
        flags |= Qt.ItemFlag.ItemIsUserCheckable
    else:
        item.setText(_words(value))
    item.setFlags(flags)
    return item


def _words(value: Any) -> str:
    if isinstance(value, tuple):
        is_vector = bool(value) and all(isinstance(part, float) for part in value)
        return ", ".join(f"{part:g}" for part in value) if is_vector else str(len(value))
    return "" if value is None else str(value).replace("_", " ")


def _button(name: str, tip: str) -> QToolButton:
    button = QToolButton()
    button.setAccessibleName(name)
    button.setToolTip(plain_tip(tip))
    return button
