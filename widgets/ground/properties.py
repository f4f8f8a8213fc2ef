"""What the selected object on the ground measures, in fields."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFormLayout, QPushButton, QVBoxLayout, QWidget

from model.ground import Box, Grid, GroundObject, Mesh, Ramp, Stairs, told_name
from model.measures import CENTIMETRES, DEGREES, METRES, WHOLE, Measure
from widgets.common.number_field import NumberField
from widgets.common.plain_label import PlainLabel
from widgets.common.theme import GRID
from widgets.ground.editing import GroundEditing
from widgets.inspector.section import Section
from widgets.inspector.settings_form import form_label

_LEAST_M = 0.01
_THROUGH = "The clip goes through what stands there, until it has the edit Adapt to ground."
_FARTHEST_M = 1000.0


@dataclass(frozen=True)
class _Row:
    """A field. field : of the object, part : of that, where it is several numbers."""

    label: str
    tip: str
    measure: Measure
    field: str
    part: int | None = None
    low: float = -_FARTHEST_M
    high: float = _FARTHEST_M

    def value(self, one: GroundObject) -> float:
        value = getattr(one, self.field)
        return float(value if self.part is None else value[self.part])

    def set(self, one: Any, value: float) -> GroundObject:
        """The object with another number. Raises ValueError where it cannot be so."""
        new: Any = round(value) if self.measure is WHOLE else value
        if self.part is not None:
            numbers = list(getattr(one, self.field))
            numbers[self.part] = new
            new = tuple(numbers)
        changed: GroundObject = replace(one, **{self.field: new})
        return changed


def _place(field: str, of: str) -> tuple[_Row, _Row]:
    return (
        _Row(f"{of}X", f"Where {of.strip().lower() or 'its middle'} is along X", METRES, field, 0),
        _Row(f"{of}Z", f"Where {of.strip().lower() or 'its middle'} is along Z", METRES, field, 1),
    )


def _size(label: str, tip: str, field: str, part: int | None = None) -> _Row:
    return _Row(label, tip, METRES, field, part, _LEAST_M)


_TURN = _Row("Turned by", "About the vertical, left positive", DEGREES, "yaw_rad", None, -4.0 * math.pi, 4.0 * math.pi)
_ROWS: dict[type, tuple[_Row, ...]] = {
    Box: (
        *_place("center", ""),
        _size("Width", "Along its own X", "size_m", 0),
        _size("Length", "Along its own Z", "size_m", 1),
        _Row("Height", "Above the floor; below zero it is a pit", CENTIMETRES, "height_m"),
        _TURN,
    ),
    Stairs: (
        *_place("start", "Start "),
        _Row("Steps", "How many steps there are", WHOLE, "count", None, 1, 200),
        _size("Depth of a step", "From one edge to the next", "depth_m"),
        _Row("Rise of a step", "How much higher each step is", CENTIMETRES, "rise_m"),
        _size("Width", "From side to side", "width_m"),
        _TURN,
    ),
    Ramp: (
        *_place("start", "Start "),
        *_place("end", "End "),
        _size("Width", "From side to side", "width_m"),
        _Row("Height at start", "Above the floor", CENTIMETRES, "heights_m", 0),
        _Row("Height at end", "Above the floor", CENTIMETRES, "heights_m", 1),
    ),
    Grid: (*_place("origin", "Corner "), _size("Spacing", "From value to value", "spacing_m")),
    Mesh: (),
}


class GroundProperties(QWidget):
    """The fields of one object; a drag in a field is one step of undo."""

    refused = Signal(str)

    def __init__(self, editing: GroundEditing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._editing = editing
        self._kind: type | None = None
        self.fields: dict[str, NumberField] = {}
        self._form_place = QWidget()
        self._form = QFormLayout(self._form_place)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setHorizontalSpacing(GRID)
        self._form.setVerticalSpacing(GRID // 2)
        self._section = Section("Ground", self._form_place)
        self._told = PlainLabel()
        self._told.setWordWrap(True)
        self.remove_button = QPushButton("Remove")
        self.remove_button.setToolTip("Take it off the ground  Delete")
        self.remove_button.clicked.connect(editing.remove)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        for widget in (self._section, self._told, self.remove_button):
            layout.addWidget(widget)
        editing.changed.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        one, name = self._editing.selected, self._editing.name
        if one is None or name is None:
            return
        if type(one) is not self._kind:
            self._build(type(one))
        self._section.set_title(told_name(name).capitalize())
        for row in _ROWS[type(one)]:
            self.fields[row.label].set_value(row.value(one))
        faces = f"{len(one.triangles):,} triangles. " if isinstance(one, Mesh) else ""
        self._told.setText(f"{faces}{_THROUGH if self._editing.needs_adapting else ''}".strip())
        self._told.setVisible(bool(self._told.text()))

    def _build(self, kind: type) -> None:
        while self._form.rowCount():
            self._form.removeRow(0)
        self._kind, self.fields = kind, {}
        for row in _ROWS[kind]:
            field = NumberField(row.label, row.measure, row.low, row.high)
            field.set_tip(row.tip)
            field.setProperty("row", row.label)
            field.changing.connect(self._on_changing)
            field.changed.connect(self._on_changed)
            field.nudged.connect(self._on_nudged)
            field.cancelled.connect(self._editing.cancel)
            field.refused.connect(self.refused)
            self.fields[row.label] = field
            self._form.addRow(form_label(row.label, field), field)

    def _on_changing(self, value: float) -> None:
        self._with(value, lambda name, one: self._editing.try_change(name, one))

    def _on_changed(self, value: float) -> None:
        self._editing.cancel()
        self._with(value, lambda name, one: self._editing.change(name, one))

    def _on_nudged(self, value: float) -> None:
        label = self.sender().property("row")
        self._with(value, lambda name, one: self._editing.change(name, one, merge=f"{name} {label}"))

    def _with(self, value: float, do: Callable[[Any, GroundObject], object]) -> None:
        """Do something with the object as the field has it."""
        one, name, label = self._editing.selected, self._editing.name, self.sender().property("row")
        if one is None or name is None:
            return
        row = next(each for each in _ROWS[type(one)] if each.label == label)
        try:
            do(name, row.set(one, value))
        except ValueError as error:
            self.refused.emit(str(error))
        self._refresh()
