"""The bar over the plot: tangents, the numbers of the selected keys, snapping, and what part is seen."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QEvent, QObject, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QSizePolicy, QToolBar, QToolButton, QWidget

from editor.curves.keys import TANGENTS, Key
from model.arrays import Array
from model.measures import CENTIMETRES, DEGREES, DEGREES_A_SECOND, SECONDS, Measure
from widgets.common.icons import icon
from widgets.common.number_field import NumberField
from widgets.common.plain_label import PlainLabel, plain_tip
from widgets.common.theme import GRID
from widgets.curves.key_editing import KeyEditing
from widgets.curves.tracks import Track

_TIPS = {
    "auto": "follows the neighbours and never overshoots them",
    "flat": "level",
    "linear": "straight to the neighbours",
    "stepped": "holds until the next key",
    "free": "has a slope of its own",
    "broken": "has a slope of its own on either side",
}
_CENTIMETRES_A_SECOND = Measure("m/s", "cm/s", 0.01, 1, 1, 1.0)
_MIXED = "–"  # noqa: RUF001
_MOST = 1e6  # in our own units: larger numbers are slips, and curves through them overflow
_VALUE, _SLOPE_IN, _SLOPE_OUT = "Value", "Slope in", "Slope out"


class Button(QToolButton):
    """A button with an icon that follows the theme."""

    def __init__(self, icon_name: str, tip: str, checkable: bool = False) -> None:
        super().__init__()
        self._icon_name = icon_name
        self.setCheckable(checkable)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setIconSize(QSize(20, 20))
        self.setIcon(icon(icon_name))
        self.setToolTip(plain_tip(tip))
        self.setAccessibleName(tip.partition(" (")[0].partition(":")[0])

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.PaletteChange:
            self.setIcon(icon(self._icon_name))
        return super().event(event)


class KeyBar(QToolBar):
    """What does not fit is behind the arrow at its end."""

    framed = Signal(bool)  # bring into view: all, or the selected keys
    insert_wanted = Signal()
    extremes_wanted = Signal()
    reduce_wanted = Signal()

    def __init__(self, editing: KeyEditing, parent: QWidget | None = None) -> None:
        super().__init__("Keys", parent)
        self._editing = editing
        self.setIconSize(QSize(20, 20))
        self.insert = Button("insert_key", "Insert a key at the playhead (K)")
        self.insert.clicked.connect(self.insert_wanted)
        self.addWidget(self.insert)
        self.extremes = Button("keys_at_extremes", "Insert keys at the extremes of the joints (Shift+K)")
        self.extremes.clicked.connect(self.extremes_wanted)
        self.addWidget(self.extremes)
        self.reduce = Button("reduce_keys", "Reduce to keys: few keys in the place of all the clip's frames")
        self.reduce.clicked.connect(self.reduce_wanted)
        self.addWidget(self.reduce)
        self.addSeparator()
        self.tangents: dict[str, Button] = {}
        for number, tangent in enumerate(TANGENTS, start=1):
            tip = f"{tangent.capitalize()} tangent: {_TIPS[tangent]} ({number})"
            button = Button(f"tangent_{tangent}", tip, checkable=True)
            button.setProperty("tangent", tangent)
            button.clicked.connect(self._on_tangent)
            self.tangents[tangent] = button
            self.addWidget(button)
        self.addSeparator()
        self.time = NumberField("Time of the key", SECONDS, -_MOST, _MOST, absent=_MIXED)
        self.time.set_tip("When the first selected key is, in seconds of the clip that is shown. Frames as in 12f.")
        self.time.set_frames(self._frames)
        self._connect(self.time, None)
        self._add("Time", self.time)
        self.fields: dict[tuple[str, bool], NumberField] = {}
        for name, (angle, length), to in (
            (_VALUE, (DEGREES, CENTIMETRES), self._to_value),
            (_SLOPE_IN, (DEGREES_A_SECOND, _CENTIMETRES_A_SECOND), self._to_slope_in),
            (_SLOPE_OUT, (DEGREES_A_SECOND, _CENTIMETRES_A_SECOND), self._to_slope_out),
        ):
            for is_place, measure in ((False, angle), (True, length)):
                field = NumberField(f"{name} of the key", measure, -_MOST, _MOST, absent=_MIXED)
                field.set_tip(f"{name} of the selected keys, in {measure.suffix}. Of offset keys, the offset.")
                self._connect(field, to)
                self.fields[name, is_place] = field
        self._add(_VALUE, *(self.fields[_VALUE, is_place] for is_place in (False, True)))
        slopes = [self.fields[name, is_place] for name in (_SLOPE_IN, _SLOPE_OUT) for is_place in (False, True)]
        self._add("Slopes", *slopes)
        self.addSeparator()
        self._add_settings()
        self._more = self.findChild(QToolButton, "qt_toolbar_ext_button")
        self._draw_more()
        editing.changed.connect(self.show_keys)
        editing.marked.connect(self.show_keys)
        self.show_keys()

    def _add_settings(self) -> None:
        editing = self._editing
        self.snap_time = Button("snap_frames", "Snap keys to frames (Alt while dragging: not)", checkable=True)
        self.snap_time.setChecked(editing.snaps_time)
        self.snap_time.toggled.connect(self._on_snap_time)
        self.snap_value = Button("snap_values", "Move keys by whole degrees and centimetres", checkable=True)
        self.snap_value.toggled.connect(self._on_snap_value)
        for button in (self.snap_time, self.snap_value):
            self.addWidget(button)
        self.reach = NumberField("Reach", SECONDS, 0.01, 10.0)
        self.reach.set_value(editing.reach_s)
        self.reach.set_tip("How far from the mouse a curve that is pulled begins and ends to move, in seconds.")
        for told in (self.reach.changing, self.reach.changed, self.reach.nudged):
            told.connect(self._on_reach)
        self._add("Reach", self.reach)
        self.space = QComboBox()
        self.space.addItems(["Euler angles", "Rotation vector"])
        self.space.setAccessibleName("Turning is shown as")
        self.space.setToolTip(
            "How turning is shown: Euler angles in the joint's order, or the parts of a rotation vector. "
            "A joint that has keys stays as they are."
        )
        self.space.currentIndexChanged.connect(self._on_space)
        self.addSeparator()
        self.addWidget(self.space)
        stretch = QWidget()
        stretch.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.addWidget(stretch)
        self.frame_selection = Button("frame_selection", "Bring the selected keys into view (F)")
        self.frame_selection.clicked.connect(self._on_frame_selection)
        self.frame_all = Button("frame_all", "Bring all curves into view (A)")
        self.frame_all.clicked.connect(self._on_frame_all)
        self.addWidget(self.frame_selection)
        self.addWidget(self.frame_all)

    def show_keys(self) -> None:
        """Show the numbers of what is selected; where they differ, a dash."""
        chosen = self._editing.chosen()
        kinds = {key.tangent for track, mask in chosen for key, on in zip(track.keys.keys, mask, strict=True) if on}
        for name, button in self.tangents.items():
            blocker = QSignalBlocker(button)
            button.setEnabled(bool(chosen))
            button.setChecked(bool(chosen) and kinds == {name})
            blocker.unblock()
        places = {track.measure is CENTIMETRES for track, _ in chosen}
        self.time.setEnabled(bool(chosen))
        self.time.set_value(
            min((float(track.times_s[mask].min()) for track, mask in chosen if mask.any()), default=None)
        )
        for (name, is_place), field in self.fields.items():
            # One of the two is there; angles where nothing is selected.
            field.setVisible(is_place == (places == {True}))
            field.setEnabled(places == {is_place})
            field.set_value(_common([_numbers(name, track)[mask] for track, mask in chosen]))

    # How

    def _draw_more(self) -> None:
        """Qt's own arrow at the end of the bar is dark, whatever the theme."""
        if self._more is not None:
            self._more.setIcon(icon("unfold"))
            self._more.setStyleSheet("padding: 0px;")
            self._more.setToolTip("More")
            self._more.setAccessibleName("More")

    def _add(self, name: str, *fields: NumberField) -> None:
        box = QWidget()
        row = QHBoxLayout(box)
        row.setContentsMargins(GRID // 2, 0, GRID // 2, 0)
        row.setSpacing(GRID // 2)
        label = PlainLabel(name)
        label.setForegroundRole(label.foregroundRole().PlaceholderText)
        row.addWidget(label)
        for field in fields:
            field.setFixedWidth(9 * GRID)
            row.addWidget(field)
        box.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.addWidget(box)

    def _connect(self, field: NumberField, to: Callable[[Key, float], Key] | None) -> None:
        """A drag of the number is previewed, and one step in the end; so is what is typed. to : None moves the keys."""
        changer = _Changer(self._editing, field, to)
        field.changing.connect(changer.try_out)
        field.changed.connect(changer.keep)
        field.nudged.connect(changer.keep)
        field.cancelled.connect(changer.put_back)

    def _frames(self, count: float) -> float | None:
        return count * self._editing.board.frame_time_s if self._editing.board.frames else None

    def _to_value(self, key: Key, value: float) -> Key:
        return replace(key, value=value)

    def _to_slope_in(self, key: Key, slope: float) -> Key:
        both = key.tangent != "broken"
        tangent = "free" if both else "broken"
        return replace(key, tangent=tangent, slope_in=slope, slope_out=slope if both else key.slope_out)

    def _to_slope_out(self, key: Key, slope: float) -> Key:
        both = key.tangent != "broken"
        tangent = "free" if both else "broken"
        return replace(key, tangent=tangent, slope_out=slope, slope_in=slope if both else key.slope_in)

    def _on_tangent(self) -> None:
        button = self.sender()
        if isinstance(button, Button):
            self._editing.set_tangent(str(button.property("tangent")))
            self.show_keys()

    def _on_snap_time(self, on: bool) -> None:
        self._editing.snaps_time = on

    def _on_snap_value(self, on: bool) -> None:
        self._editing.snaps_value = on

    def _on_reach(self, reach_s: float) -> None:
        self._editing.reach_s = reach_s

    def _on_space(self, place: int) -> None:
        self._editing.set_vectors(place == 1)

    def _on_frame_selection(self) -> None:
        self.framed.emit(False)

    def _on_frame_all(self) -> None:
        self.framed.emit(True)

    # Qt

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_more"):
            self._draw_more()


class _Changer(QObject):
    """Turns what is told by a field into previews and steps. A child of the field, so that it lives as long."""

    def __init__(self, editing: KeyEditing, field: NumberField, to: Callable[[Key, float], Key] | None) -> None:
        super().__init__(field)
        self._editing = editing
        self._name = field.accessibleName().removesuffix(" of the key").lower()
        self._to = to

    def try_out(self, value: float | None) -> None:
        """Show what the number would do."""
        if value is None:
            return
        if not self._editing.is_holding:
            self._editing.hold()
        to = self._to
        if to is None:
            self._editing.move_to(value)
        else:
            self._editing.change(lambda key: to(key, value), f"Set {self._name} of")

    def keep(self, value: float | None) -> None:
        """Make it a step."""
        self.try_out(value)
        self._editing.let_go()

    def put_back(self) -> None:
        self._editing.put_back()


def _numbers(name: str, track: Track) -> Array:
    """(K,) what a field shows of a track's keys."""
    return track.keys.values if name == _VALUE else track.keys.slopes[0 if name == _SLOPE_IN else 1]


def _common(parts: list[Array]) -> float | None:
    """The number that all are, if they are."""
    numbers = np.concatenate(parts) if parts else np.zeros(0)
    return float(numbers[0]) if len(numbers) and np.ptp(numbers) < 1e-9 else None
