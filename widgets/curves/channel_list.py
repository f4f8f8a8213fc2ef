"""The channels beside the plot: joints with X, Y and Z below them, what is seen of them, and which are active."""

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QRectF, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from editor.curves.channels import POSITION, VECTOR, Channel
from widgets.common.icons import icon
from widgets.common.plain_label import plain_tip
from widgets.common.theme import GRID, colour
from widgets.curves.key_editing import KeyEditing
from widgets.curves.tracks import Track

_NAME, _EYE, _SOLO = range(3)


@dataclass(frozen=True, eq=False)
class _Row:
    """A row and the channels that it stands for."""

    item: QTreeWidgetItem
    channels: list[Channel]
    is_joint: bool


class ChannelList(QTreeWidget):
    """Selecting rows makes their channels active; a joint stands for all of its channels."""

    def __init__(self, editing: KeyEditing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._editing = editing
        self._rows: list[_Row] = []
        self.setColumnCount(3)
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setIndentation(2 * GRID)
        self.setIconSize(QSize(16, 16))
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setAccessibleName("Channels")
        header = self.header()
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(2 * GRID)
        header.setSectionResizeMode(_NAME, QHeaderView.ResizeMode.Stretch)
        for column in (_EYE, _SOLO):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            self.setColumnWidth(column, 3 * GRID)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setToolTip("Select channels to put keys on them. H hides and shows them, Shift+H shows them alone")
        self.itemClicked.connect(self._on_clicked)
        self.itemSelectionChanged.connect(self._on_selected)
        editing.channels_changed.connect(self.fill)
        editing.marked.connect(self._show_marks)
        self.fill()

    def fill(self) -> None:
        """List the channels that there are now."""
        blocker = QSignalBlocker(self)
        self.clear()
        self._rows = []
        below: dict[tuple[str, bool], _Row] = {}
        for track in self._editing.board.tracks:
            channel = track.channel
            key = (channel.joint.name, channel.space == POSITION)
            if key not in below:
                below[key] = _Row(self._group(track), [], True)
                self._rows.append(below[key])
            item = QTreeWidgetItem(below[key].item, [channel.axis])
            item.setData(_NAME, Qt.ItemDataRole.AccessibleTextRole, f"{track.name} {channel.axis}")
            below[key].channels.append(channel)
            self._rows.append(_Row(item, [channel], False))
        self.expandAll()
        blocker.unblock()
        self._show_marks()

    def hide_or_show(self) -> None:
        """Hide the active channels, or show them again where all are hidden."""
        active, hidden = self._editing.active, self._editing.hidden
        if active:
            self._editing.show_channels(hidden - active if active <= hidden else hidden | active, self._editing.solo)

    def show_alone(self) -> None:
        """Show only the active channels, or all again."""
        solo = self._editing.active
        self._editing.show_channels(self._editing.hidden, () if self._editing.solo == solo else solo)

    # How

    def _group(self, track: Track) -> QTreeWidgetItem:
        space = track.channel.space
        what = "place" if space == POSITION else "vector" if space == VECTOR else space
        item = QTreeWidgetItem(self, [f"{track.name[:1].upper()}{track.name[1:]} · {what}"])
        told = {"place": "where it is, in cm", "vector": "its turning as a rotation vector, in degrees"}
        tip = told.get(what, f"its turning as Euler angles about {', '.join(space)}, in degrees")
        item.setToolTip(_NAME, plain_tip(f"{track.channel.joint.name}: {tip}"))
        return item

    def _channels(self, item: QTreeWidgetItem) -> list[Channel]:
        return next((row.channels for row in self._rows if row.item is item), [])

    def _on_clicked(self, item: QTreeWidgetItem, column: int) -> None:
        channels, editing = frozenset(self._channels(item)), self._editing
        if column == _EYE:
            hidden = editing.hidden
            editing.show_channels(hidden - channels if channels <= hidden else hidden | channels, editing.solo)
        elif column == _SOLO:
            solo = editing.solo
            editing.show_channels(editing.hidden, solo - channels if channels <= solo else solo | channels)

    def _on_selected(self) -> None:
        self._editing.activate(channel for item in self.selectedItems() for channel in self._channels(item))

    def _show_marks(self) -> None:
        """Eyes, stars, and the rows of the active channels; a joint's row hands its selection on to theirs."""
        blocker = QSignalBlocker(self)
        editing = self._editing
        seen = {track.channel for track in editing.visible}
        for row in self._rows:
            channels = set(row.channels)
            self._mark(row.item, channels <= editing.hidden, channels <= editing.solo)
            row.item.setSelected(not row.is_joint and channels <= editing.active)
            if not row.is_joint:
                row.item.setIcon(_NAME, _swatch(f"axis_{row.channels[0].axis.lower()}", channels <= seen))
        blocker.unblock()
        self.viewport().update()

    def _mark(self, item: QTreeWidgetItem, hidden: bool, solo: bool) -> None:
        item.setIcon(_EYE, icon("eye_closed" if hidden else "eye", "muted"))
        item.setToolTip(_EYE, "Show (H)" if hidden else "Hide (H)")
        item.setIcon(_SOLO, icon("solo", "accent" if solo else "muted"))
        item.setToolTip(_SOLO, "Show the others too (Shift+H)" if solo else "Show only this (Shift+H)")

    # Qt

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_rows"):
            self._show_marks()


def _swatch(name: str, on: bool) -> QIcon:
    """A dot in the colour of a curve; faint where that is not seen."""
    made = QIcon()
    for ratio in (1, 2):
        picture = QPixmap(16 * ratio, 16 * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        with QPainter(picture) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour(name, 1.0 if on else 0.3))
            painter.drawEllipse(QRectF(3, 3, 10, 10))
        for mode in (QIcon.Mode.Normal, QIcon.Mode.Selected):  # not tinted in a selected row
            made.addPixmap(picture, mode)
    return made
