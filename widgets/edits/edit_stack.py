"""The edit stack: the source on top, the edits below it in the order in which they act."""

from collections.abc import Callable, Mapping
from pathlib import PurePath

from PySide6.QtCore import QEvent, QItemSelectionModel, QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QListWidgetItem, QMenu, QToolButton, QVBoxLayout, QWidget

from editor.document.document import Document
from editor.document.session import Session, View
from editor.document.showing import Showing
from editor.stack.command import Command
from editor.stack.layers import add_edit, copy_edits, move_edit, remove_edits, switch_edit
from model.clip import Clip, Edit, Layer, Unknown
from model.measures import PERCENT
from widgets.common.carried_edits import CarriedEdits
from widgets.common.edit_notes import told_by
from widgets.common.empty import EmptyState
from widgets.common.icons import icon
from widgets.common.message import Message
from widgets.common.plain_label import plain_tip
from widgets.common.setting_kinds import summary_of
from widgets.common.theme import GRID
from widgets.edits.edit_list import EditList
from widgets.edits.edit_menu import EditMenu
from widgets.edits.edit_row import ROW_ROLE, Row


class EditStack(QWidget):
    """The source and edits of the clip that is looked at."""

    edits_copied = Signal(int)  # how many edits were put on the clipboard

    def __init__(
        self,
        document: Document,
        session: Session,
        showing: Showing,
        kinds: Mapping[str, type[Edit]],
        parent: QWidget | None = None,
    ) -> None:
        """kinds : of edits that can be added, by name."""
        super().__init__(parent)
        self._document = document
        self._session = session
        self._showing = showing
        self._is_filling = False
        self.kinds = kinds
        self.list = EditList(document)
        self.add_menu = EditMenu(kinds, self)
        self.add_button = QToolButton()
        self.add_button.setText("Add edit")
        self.add_button.setAccessibleName("Add edit")
        self.add_button.setToolTip("Put an edit on the clip, behind the selected one (Insert)")
        self.add_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.add_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.add_button.setMenu(self.add_menu)
        self.add_button.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        self.remove_button = QToolButton()
        self.remove_button.setAccessibleName("Remove edits")
        self.remove_button.setToolTip("Remove the selected edits (Delete)")
        self.message = Message()
        self._empty = EmptyState("The source and the edits of a clip appear here. Open clips to begin.")
        bar = QHBoxLayout()
        bar.setContentsMargins(GRID // 2, GRID // 2, GRID // 2, GRID // 2)
        bar.addWidget(self.add_button)
        bar.addStretch(1)
        bar.addWidget(self.remove_button)
        self._bar = QWidget()
        self._bar.setLayout(bar)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for widget in (self._bar, self.message, self.list, self._empty):
            layout.addWidget(widget)
        self._connect()
        self._show_icons()
        self._refresh()

    def _connect(self) -> None:
        self.add_menu.chosen.connect(self.add)
        self.remove_button.clicked.connect(self._remove)
        self.list.itemSelectionChanged.connect(self._on_selection_changed)
        self.list.remove_wanted.connect(self._remove)
        self.list.switch_wanted.connect(self._switch)
        self.list.copy_wanted.connect(self._copy)
        self.list.paste_wanted.connect(self._paste)
        self.list.add_wanted.connect(self.add_button.showMenu)
        self.list.move_wanted.connect(self._move)
        self.list.edits_dropped.connect(self._on_dropped)
        self.list.customContextMenuRequested.connect(self._on_menu_wanted)
        self._document.changed.connect(self._refresh)
        self._showing.changed.connect(self._refresh)
        self._session.changed.connect(self._on_view_changed)

    # What is shown

    @property
    def _clip(self) -> Clip | None:
        clip = self._session.view.clip
        return self._document.project.clip(clip) if clip is not None and clip in self._document.project else None

    def _refresh(self, *_: object) -> None:
        clip = self._clip
        rows = () if clip is None else (self._source_row(clip), *(self._row(clip, layer) for layer in clip.layers))
        self._is_filling = True
        self.list.set_clip(None if clip is None else clip.id)
        while self.list.count() > len(rows):
            self.list.takeItem(self.list.count() - 1)
        while self.list.count() < len(rows):
            self.list.addItem(QListWidgetItem())
        for place, row in enumerate(rows):
            _fill(self.list.item(place), row)
        self._is_filling = False
        self._bar.setVisible(clip is not None)
        self.list.setVisible(clip is not None)
        self._empty.setVisible(clip is None)
        self._show_selection()

    def _source_row(self, clip: Clip) -> Row:
        source = clip.source
        if isinstance(source, Unknown):
            return Row(source.kind, "not known to this version", failed=True)
        path = getattr(source, "path", None)
        value = PurePath(path).name if isinstance(path, str) else summary_of(source)
        picture = "file" if isinstance(path, str) else "figure"
        failure, shown = self._showing.failure, self._showing.current
        if failure is not None:
            return Row(source.title, value, notes=(failure,), failed=True, picture=picture)
        return Row(source.title, value, notes=() if shown is None else shown.stages[0].notes, picture=picture)

    def _row(self, clip: Clip, layer: Layer) -> Row:
        if isinstance(layer.edit, Unknown):
            told = ("This version does not know this edit: it is kept, and has no effect.",)
            return Row(layer.edit.kind, "", layer.id, None, told)
        notes, failed = told_by(self._showing, clip, layer)
        return Row(layer.edit.title, _value(layer, self._showing.read_s), layer.id, layer.on, notes, failed)

    def _show_selection(self) -> None:
        """Select the row of the edit that the session has; others stay selected beside it only if it was too."""
        layer = self._session.view.layer
        self._is_filling = True
        for place in range(self.list.count()):
            item = self.list.item(place)
            if item.data(ROW_ROLE).layer == layer and not (item.isSelected() and self.list.currentRow() == place):
                self.list.setCurrentRow(place, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self._is_filling = False
        self.remove_button.setEnabled(bool(self._selected()))

    def _on_view_changed(self, before: View, after: View) -> None:
        if before.clip != after.clip:
            self.message.clear()
            self._refresh()
        elif before.layer != after.layer:
            self._show_selection()

    # What is wanted

    def _selected(self) -> tuple[str, ...]:
        """The ids of the selected edits, in their order."""
        rows = sorted(self.list.row(item) for item in self.list.selectedItems())
        layers = (self.list.item(row).data(ROW_ROLE).layer for row in rows)
        return tuple(layer for layer in layers if layer is not None)

    def _on_selection_changed(self) -> None:
        if self._is_filling:
            return
        current, selected = self.list.currentItem(), self._selected()
        layer = None if current is None or not selected else current.data(ROW_ROLE).layer
        self._session.look(layer=layer if layer in selected else None)
        self.remove_button.setEnabled(bool(selected))

    def _do(self, command: Command, *arguments: object) -> bool:
        try:
            done = self._document.do(command, *arguments)
        except ValueError as error:
            self.message.say(str(error))
            return False
        self.message.clear()
        return done

    def add(self, edit: Edit) -> None:
        """Put an edit on the clip, after the selected one, and select it."""
        clip = self._clip
        if clip is None:
            return
        layer = self._session.view.layer
        place = len(clip.layers) if layer is None else clip.place_of(layer) + 1
        if self._do(add_edit, clip.id, edit, place):
            self._session.look(layer=self._document.project.clip(clip.id).layers[place].id)

    def go_to_kind(self, kind: type[Edit]) -> None:
        """Select the clip's last edit of a kind, so that its settings are seen; put one on where there is none."""
        clip = self._clip
        layers = () if clip is None else clip.layers
        found = [layer.id for layer in layers if type(layer.edit) is kind]
        if found:
            self._session.look(layer=found[-1])
        else:
            self.add(kind())

    def _remove(self) -> None:
        clip, layers = self._clip, self._selected()
        if clip is not None and layers:
            self._do(remove_edits, clip.id, layers)

    def _switch(self, layer_id: str) -> None:
        clip = self._clip
        if clip is not None:
            self._do(switch_edit, clip.id, layer_id, not clip.layer(layer_id).on)

    def _switch_selected(self) -> None:
        for layer_id in self._selected()[:1]:
            self._switch(layer_id)

    def _move(self, by: int) -> None:
        """Move the current edit up or down the stack."""
        clip, layer = self._clip, self._session.view.layer
        if clip is not None and layer is not None:
            self._do(move_edit, clip.id, layer, max(clip.place_of(layer) + by, 0))

    def _copy(self) -> None:
        clip, layers = self._clip, self._selected()
        if clip is not None and layers:
            QGuiApplication.clipboard().setMimeData(CarriedEdits(clip.id, layers).to_mime())
            self.edits_copied.emit(len(layers))

    def _paste(self) -> None:
        clip = self._clip
        carried = CarriedEdits.of(QGuiApplication.clipboard().mimeData(), self._document.project)
        if clip is not None and carried is not None:
            self._take_in(carried, clip)

    def _take_in(self, carried: CarriedEdits, clip: Clip) -> None:
        if self._do(copy_edits, carried.clip, carried.layers, clip.id):
            self._session.look(layer=self._document.project.clip(clip.id).layers[-1].id)

    def _on_dropped(self, carried: CarriedEdits, place: int, copies: bool) -> None:
        clip = self._clip
        if clip is None:
            return
        if carried.clip != clip.id or copies:
            self._take_in(carried, clip)
        elif len(carried.layers) == 1:
            # Places are counted without the edit that is moved.
            gone = clip.place_of(carried.layers[0]) < place
            self._do(move_edit, clip.id, carried.layers[0], place - gone)

    def _on_menu_wanted(self, position: QPoint) -> None:
        menu = QMenu(self)
        has_edits = bool(self._selected())
        carried = CarriedEdits.of(QGuiApplication.clipboard().mimeData(), self._document.project)
        for text, keys, slot, possible in (
            ("Switch on or off", "Return", self._switch_selected, has_edits),
            ("Move up", "Alt+Up", self._move_up, has_edits),
            ("Move down", "Alt+Down", self._move_down, has_edits),
            ("Copy", "Ctrl+C", self._copy, has_edits),
            ("Paste", "Ctrl+V", self._paste, carried is not None),
            ("Remove", "Del", self._remove, has_edits),
        ):
            action = menu.addAction(text)
            action.setShortcut(QKeySequence(keys))
            action.setShortcutVisibleInContextMenu(True)
            action.setEnabled(possible)
            action.triggered.connect(slot)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.list.viewport().mapToGlobal(position))

    def _move_up(self) -> None:
        self._move(-1)

    def _move_down(self) -> None:
        self._move(1)

    def _show_icons(self) -> None:
        self.add_button.setIcon(icon("plus"))
        self.remove_button.setIcon(icon("minus"))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._show_icons()


def _fill(item: QListWidgetItem, row: Row) -> None:
    if item.data(ROW_ROLE) == row:
        return
    item.setData(ROW_ROLE, row)
    item.setData(Qt.ItemDataRole.AccessibleTextRole, row.spoken)
    item.setToolTip(plain_tip(*(row.notes or (row.spoken,))))
    flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
    if row.layer is not None:
        flags |= Qt.ItemFlag.ItemIsDragEnabled
    if row.on is not None:
        flags |= Qt.ItemFlag.ItemIsUserCheckable
        item.setCheckState(Qt.CheckState.Checked if row.on else Qt.CheckState.Unchecked)
    item.setFlags(flags)


def _value(layer: Layer, read_s: Callable[[float], float]) -> str:
    """The most important value of an edit, and its strength where it is not full."""
    strength = "" if layer.scope.strength == 1.0 else PERCENT.format(layer.scope.strength)
    return " · ".join(part for part in (summary_of(layer.edit, read_s), strength) if part)
