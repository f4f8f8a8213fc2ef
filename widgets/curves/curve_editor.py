"""The curve editor panel: channels, their curves over time, and a bar for their keys."""

from collections.abc import Iterable, Mapping
from functools import partial

import numpy as np
from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QHideEvent, QKeyEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import QGridLayout, QMenu, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from editor.curves.editing import Spot
from editor.curves.keys import TANGENTS
from editor.document.document import Document
from editor.document.session import Session, View
from editor.document.showing import Showing
from model.arrays import Array
from model.skeleton import JointRef
from widgets.common.empty import EmptyState
from widgets.common.plain_label import PlainLabel, menu_text
from widgets.common.theme import GRID
from widgets.curves.axis import Axis
from widgets.curves.channel_list import ChannelList
from widgets.curves.key_bar import KeyBar
from widgets.curves.key_editing import KeyEditing
from widgets.curves.plot import Plot
from widgets.curves.value_axis import ValueAxis

_TEN = 10
_SCALED_BY = 1.1  # with a press of a key
_FRAMED_PART = 0.7  # of the width that framed keys fill
_ARROWS = {
    Qt.Key.Key_Left: (-1, 0.0),
    Qt.Key.Key_Right: (1, 0.0),
    Qt.Key.Key_Up: (0, 1.0),
    Qt.Key.Key_Down: (0, -1.0),
}
_TANGENT_KEYS = {Qt.Key(Qt.Key.Key_1 + place): tangent for place, tangent in enumerate(TANGENTS)}
_KEYS_TOLD = (
    "K inserts a key at the playhead, arrows move the selected keys, Alt with left and right goes from key to key, "
    "Alt with up and down scales them, 1 to 6 choose a tangent, Delete removes, Ctrl+A selects all, F and A bring keys "
    "and curves into view"
)


class CurveEditor(QWidget):
    """Channels of the selected joints. axis, ruler : of this panel, given by the window; the ruler keeps to the axis.

    Keys that it wants while it has the focus are its own, whatever the window uses them for.
    """

    import_wanted = Signal()
    reduce_wanted = Signal()
    extremes_wanted = Signal()  # keys at the extremes of the joints, found by whoever listens: `insert_at_extremes`

    def __init__(
        self,
        document: Document,
        session: Session,
        showing: Showing,
        axis: Axis,
        ruler: QWidget,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._showing = showing
        self._axis = axis
        self.editing = KeyEditing(document, session, showing, self)
        self.editing.set_awake(False)  # until it is shown
        self.plot = Plot(axis, session, self.editing)
        self.values = ValueAxis(self.plot, self.editing)
        self.channels = ChannelList(self.editing)
        self.bar = KeyBar(self.editing)
        self._hint = PlainLabel()
        self._message = PlainLabel()
        self._pages = QStackedWidget()
        self._empty = EmptyState(
            "The curve editor shows how joints turn over time, and moves them by keys.",
            "Open clips…",
            self.import_wanted.emit,
        )
        self._lay_out(ruler)
        self._needs_framing = True
        self._framed: tuple[float, float] | None = None  # lowest value and span, as long as nobody looks elsewhere
        self.bar.framed.connect(self._on_framed)
        self.bar.insert_wanted.connect(self.insert_here)
        self.bar.extremes_wanted.connect(self.extremes_wanted)
        self.bar.reduce_wanted.connect(self.reduce_wanted)
        self.plot.menu_wanted.connect(self._on_menu)
        self.editing.channels_changed.connect(self._on_channels_changed)
        self.editing.changed.connect(self._on_changed)
        self.editing.marked.connect(self._describe)
        session.changed.connect(self._on_view_changed)
        showing.changed.connect(self._on_shown)
        self._on_shown()
        self._on_channels_changed()

    # What can be done

    def insert_here(self) -> None:
        """Put keys at the playhead on the active channels, or on all that are seen."""
        channels = [track.channel for track in self.editing.edited_tracks]
        self.editing.insert(channels, self._session.view.time_s)

    def insert_at_extremes(self, moments_s: Mapping[JointRef, Iterable[float]]) -> None:
        """Put keys on the active channels, or on all that are seen, at moments of their joints."""
        channels = [track.channel for track in self.editing.edited_tracks]
        known = {channel: tuple(moments_s[channel.joint]) for channel in channels if channel.joint in moments_s}
        self.editing.insert_many(known)

    def frame_all(self) -> None:
        """Show all of the take and of its curves."""
        self._axis.fit()
        self._frame_whole()

    def frame_selection(self) -> None:
        """Show the selected keys, or where there are none the curves in the time that is seen."""
        chosen = self.editing.chosen()
        if not chosen:
            self._frame_values(self._seen_values())
            return
        times = np.concatenate([track.times_s[mask] for track, mask in chosen])
        shown = [track.key_values[mask] / track.measure.factor for track, mask in chosen]
        if len(times) == 1:  # and the curve beside it
            around = times[0] + np.linspace(-0.3, 0.3, 13)
            shown += [track.value_at(around) / track.measure.factor for track, _ in chosen]
        self._frame_values(shown)
        span_s = max(float(np.ptp(times)) / _FRAMED_PART, 20.0 * self.editing.board.frame_time_s)
        self._axis.zoom(self._axis.scale.seen_s / span_s, 0.0)
        middle_s = 0.5 * float(times.min() + times.max())
        scale = self._axis.scale
        self._axis.pan((middle_s - scale.start_s - 0.5 * scale.seen_s) * scale.pixels_per_s)

    def select_next(self, by: int, adds: bool = False) -> None:
        """Select the next key of the channel, or the one before; the first time the one at the playhead.

        adds : to those that are selected.
        """
        keyed = [track for track in self.editing.visible if len(track.keys)]
        if not keyed:
            return
        spots = [Spot(track.channel, key.time_s) for track in keyed for key in track.keys.keys]
        chosen = [place for place, spot in enumerate(spots) if spot in self.editing.selected]
        if chosen:
            place = (chosen[-1] if by > 0 else chosen[0]) + by
        else:
            at_s = self.editing.board.to_source(self._session.view.time_s)
            place = min(range(len(spots)), key=lambda one: abs(spots[one].time_s - at_s))
        spot = spots[place % len(spots)]
        self.editing.select([*self.editing.selected, spot] if adds else [spot])
        self._axis.reveal(min(max(self.editing.board.to_shown(spot.time_s), 0.0), self._axis.last_s))

    def menu_at(self, point: QPointF) -> QMenu:
        """What can be done at a place, as a menu that goes away when it is closed."""
        menu, editing = QMenu(self), self.editing
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        track = self.plot.layout_.track_at(point)
        if track is not None:
            time_s = self._axis.scale.time_at(point.x())
            insert = menu.addAction(menu_text(f"Insert key on {track.name} {track.channel.axis} here"))
            insert.triggered.connect(partial(editing.insert, [track.channel], time_s))
        menu.addAction("Insert keys at the playhead\tK").triggered.connect(self.insert_here)
        menu.addAction("Insert keys at extremes\tShift+K").triggered.connect(self.extremes_wanted)
        delete = menu.addAction("Delete\tDel")
        delete.triggered.connect(editing.delete)
        tangents = menu.addMenu("Tangent")
        for number, tangent in enumerate(TANGENTS, start=1):
            action = tangents.addAction(f"{tangent.capitalize()}\t{number}")
            action.triggered.connect(partial(editing.set_tangent, tangent))
        menu.addSeparator()
        copy = menu.addAction("Copy keys\tCtrl+C")
        copy.triggered.connect(editing.copy)
        paste = menu.addAction("Paste keys at the playhead\tCtrl+V")
        paste.triggered.connect(editing.paste)
        paste.setEnabled(editing.can_paste)
        menu.addAction("Select all keys\tCtrl+A").triggered.connect(editing.select_all)
        menu.addAction("Reduce to keys…").triggered.connect(self.reduce_wanted)
        menu.addSeparator()
        menu.addAction("Bring selected keys into view\tF").triggered.connect(self.frame_selection)
        menu.addAction("Bring all curves into view\tA").triggered.connect(self.frame_all)
        for needs in (delete, tangents.menuAction(), copy):
            needs.setEnabled(bool(editing.selected))
        return menu

    # How it is built

    def _lay_out(self, ruler: QWidget) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._pages)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        left = QWidget()
        listed = QVBoxLayout(left)
        listed.setContentsMargins(0, 0, 0, 0)
        listed.setSpacing(0)
        self._hint.setWordWrap(True)
        self._hint.setMargin(GRID)
        self._hint.setMinimumWidth(1)
        self._hint.setForegroundRole(self._hint.foregroundRole().PlaceholderText)
        self._hint.setText("Select a joint to see how it turns. This is the root's place.")
        listed.addWidget(self.channels, 1)
        listed.addWidget(self._hint)
        split.addWidget(left)
        right = QWidget()
        grid = QGridLayout(right)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(0)
        grid.addWidget(ruler, 0, 1)
        grid.addWidget(self.values, 1, 0)
        grid.addWidget(self.plot, 1, 1)
        grid.setColumnStretch(1, 1)
        grid.setRowStretch(1, 1)
        split.addWidget(right)
        split.setStretchFactor(1, 1)
        left.setMinimumWidth(16 * GRID)
        split.setSizes([27 * GRID, 100 * GRID])
        column.addWidget(split, 1)
        self._message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._message.setWordWrap(True)
        self._message.setForegroundRole(self._message.foregroundRole().PlaceholderText)
        for page in (body, self._empty, self._message):
            self._pages.addWidget(page)

    # What it follows

    def _on_shown(self) -> None:
        shown = self._showing.current
        motion = None if shown is None else shown.take.motion
        if motion is not None and motion.frames:
            self._pages.setCurrentIndex(0)
        elif self._session.view.clip is None:
            self._pages.setCurrentWidget(self._empty)
        else:
            waiting = "Working out the clip …" if motion is None else "This clip has no frames."
            self._message.setText(self._showing.failure or waiting)
            self._pages.setCurrentWidget(self._message)

    def _on_channels_changed(self) -> None:
        self._hint.setVisible(self.editing.board.is_root_only)
        self._needs_framing = True
        self._frame_anew()

    def _on_changed(self) -> None:
        self._frame_anew()
        self._keep_in_view()
        self._describe()

    def _frame_anew(self) -> None:
        """Other channels need other values; what the user looks at of the same ones stays."""
        if self._needs_framing and self.editing.board.tracks:
            self._needs_framing = False
            self._frame_whole()

    def _frame_whole(self) -> None:
        self._frame_values(self._all_values())
        self._framed = self.plot.values.low, self.plot.values.span

    def _keep_in_view(self) -> None:
        """Show more where a hand has moved a curve out of a view that had shown all of them."""
        scale, shown = self.plot.values, [part for part in self._all_values() if len(part)]
        if self.plot.is_dragging or self._framed != (scale.low, scale.span) or not shown:
            return
        low, high = min(float(part.min()) for part in shown), max(float(part.max()) for part in shown)
        if low < scale.low or high > scale.low + scale.span:
            self._frame_whole()

    def _all_values(self) -> list[Array]:
        return [track.values / track.measure.factor for track in self.editing.visible]

    def _on_view_changed(self, before: View, after: View) -> None:
        if before.clip != after.clip:
            self._needs_framing = True

    def _describe(self) -> None:
        """Tell those who do not see it what is selected."""
        count = len(self.editing.selected)
        told = "no key selected" if not count else "1 key selected" if count == 1 else f"{count} keys selected"
        self.plot.setAccessibleDescription(f"{len(self.editing.visible)} curves, {told}. {_KEYS_TOLD}")

    def _seen_values(self) -> list[Array]:
        scale, board = self._axis.scale, self.editing.board
        first = max(int(scale.start_s / board.frame_time_s), 0)
        last = int((scale.start_s + scale.seen_s) / board.frame_time_s) + 2
        return [track.values[first:last] / track.measure.factor for track in self.editing.visible]

    def _frame_values(self, shown: list[Array]) -> None:
        parts = [part for part in shown if len(part)]
        if parts:
            low, high = min(float(part.min()) for part in parts), max(float(part.max()) for part in parts)
            self.plot.set_values(self.plot.values.framing(low, high))

    def _on_framed(self, everything: bool) -> None:
        if everything:
            self.frame_all()
        else:
            self.frame_selection()

    def _on_menu(self, event: QContextMenuEvent) -> None:
        self.menu_at(QPointF(event.pos())).popup(event.globalPos())

    # Keys

    def _wants(self, event: QKeyEvent) -> bool:
        key, modifiers = event.key(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        standard = QKeySequence.StandardKey
        if any(event.matches(one) for one in (standard.Copy, standard.Paste, standard.SelectAll)):
            return True
        plain = modifiers in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier)
        alone = modifiers == Qt.KeyboardModifier.NoModifier
        has_keys = bool(self.editing.selected)
        if key in _ARROWS and modifiers & ~Qt.KeyboardModifier.ShiftModifier == Qt.KeyboardModifier.AltModifier:
            return has_keys or key in (Qt.Key.Key_Left, Qt.Key.Key_Right)
        if key in _ARROWS:
            return plain and has_keys and self.plot.hasFocus()
        if key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace, Qt.Key.Key_Escape) or key in _TANGENT_KEYS:
            return alone and has_keys
        shifted = (Qt.Key.Key_H, Qt.Key.Key_K)
        return (alone and key in (Qt.Key.Key_F, Qt.Key.Key_A)) or (plain and key in shifted)

    def _press(self, event: QKeyEvent) -> None:
        key, standard = Qt.Key(event.key()), QKeySequence.StandardKey
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.matches(standard.Copy):
            self.editing.copy()
        elif event.matches(standard.Paste):
            self.editing.paste()
        elif event.matches(standard.SelectAll):
            self.editing.select_all()
        elif event.modifiers() & Qt.KeyboardModifier.AltModifier:
            frames, units = _ARROWS[key]
            if frames:
                self.select_next(frames, adds=shift)
            else:
                factor = _SCALED_BY**units
                self.editing.scale_by(*((factor, 1.0) if shift else (1.0, factor)))
        elif key in _ARROWS:
            frames, units = _ARROWS[key]
            by = _TEN if shift else 1
            self.editing.nudge(by * frames, by * units)
        elif key in _TANGENT_KEYS:
            self.editing.set_tangent(_TANGENT_KEYS[key])
        elif key == Qt.Key.Key_Escape:
            self.editing.select(())
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.editing.delete()
        elif key == Qt.Key.Key_K and shift:
            self.extremes_wanted.emit()
        elif key == Qt.Key.Key_K:
            self.insert_here()
        elif key == Qt.Key.Key_F:
            self.frame_selection()
        elif key == Qt.Key.Key_A:
            self.frame_all()
        elif shift:
            self.channels.show_alone()
        else:
            self.channels.hide_or_show()

    # Qt

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.editing.set_awake(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.editing.set_awake(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._wants(event) and not self.plot.is_dragging:
            self._press(event)
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        # The window has shortcuts on the same keys; those that the editor wants are its own while it has the focus.
        override = event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        if override and isinstance(event, QKeyEvent) and self._wants(event):
            event.accept()
            return True
        return super().event(event)
