"""The library: the clips of the project, with pictures. Selecting one looks at it."""

from functools import partial
from pathlib import PurePath

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QImage, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QListWidgetItem, QMenu, QToolButton, QVBoxLayout, QWidget

from editor.document.document import Document
from editor.document.session import Session, View
from editor.document.showing import Showing
from editor.stack.clips import delete_clips, duplicate_clip, move_clip, rename_clip
from editor.stack.command import Command
from editor.stack.layers import copy_edits
from model.clip import Clip, Unknown
from widgets.common.carried_edits import CarriedEdits
from widgets.common.empty import EmptyState
from widgets.common.icons import icon
from widgets.common.message import Message
from widgets.common.plain_label import plain_tip
from widgets.common.theme import GRID
from widgets.library.clip_list import CLIP_ROLE, ClipList, ClipRow


class Library(QWidget):
    """The clips. Pictures come from outside, through `set_thumbnail`."""

    import_wanted = Signal()
    new_walk_wanted = Signal()
    files_dropped = Signal(list)  # paths

    def __init__(self, document: Document, session: Session, showing: Showing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._session = session
        self._showing = showing
        self._images: dict[str, QImage] = {}
        self._is_filling = False
        self.setAcceptDrops(True)
        self.list = ClipList(document)
        self.message = Message()
        self.search = _Search()
        self.search.setPlaceholderText("Search clips")
        self.search.setAccessibleName("Search clips")
        self.search.setToolTip("Show only clips whose names have this in them; Esc shows all")
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._show_found)
        self.search.left.connect(self.list.setFocus)
        self.add_button = QToolButton()
        self.add_button.setAccessibleName("Add clips")
        self.add_button.setToolTip("Open clips (Ctrl+O), or make a walk")
        self.add_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.add_menu = QMenu("Add clips", self)
        self.add_menu.addAction("Open clips…").triggered.connect(self._on_import)
        self.add_menu.addAction("New walk").triggered.connect(self._on_new_walk)
        self.add_button.setMenu(self.add_menu)
        self.add_button.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        self.empty = EmptyState("Clips you open or make appear here.", "Open clips…", self.import_wanted.emit)
        self.empty.button.setAccessibleName("Open clips")
        self.empty.button.setToolTip("Open motion files (Ctrl+O)")
        self._lay_out()
        self._connect()
        self._show_icons()
        self._refresh()

    def set_thumbnail(self, clip_id: str, image: QImage) -> None:
        """Give a clip its picture."""
        self._images[clip_id] = image
        self._refresh()

    def _lay_out(self) -> None:
        bar = QHBoxLayout()
        bar.setContentsMargins(GRID, GRID // 2, GRID // 2, GRID // 2)
        bar.addWidget(self.search, 1)
        bar.addWidget(self.add_button)
        self._bar = QWidget()
        self._bar.setLayout(bar)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for widget in (self._bar, self.message, self.list, self.empty):
            layout.addWidget(widget)

    def _connect(self) -> None:
        self.list.currentRowChanged.connect(self._on_row_changed)
        self.list.compare_wanted.connect(self._compare)
        self.list.rename_wanted.connect(self._rename)
        self.list.delete_wanted.connect(self._delete)
        self.list.duplicate_wanted.connect(self._duplicate)
        self.list.move_wanted.connect(self._on_moved)
        self.list.step_wanted.connect(self._step)
        self.list.edits_dropped.connect(self._on_edits_dropped)
        self.list.files_dropped.connect(self.files_dropped)
        self.list.customContextMenuRequested.connect(self._on_menu_wanted)
        self._document.changed.connect(self._refresh)
        self._showing.changed.connect(self._refresh)
        self._session.changed.connect(self._on_view_changed)

    # What is shown

    def _refresh(self, *_: object) -> None:
        clips, view = self._document.project.clips, self._session.view
        self._images = {clip.id: self._images[clip.id] for clip in clips if clip.id in self._images}
        self._is_filling = True
        while self.list.count() > len(clips):
            self.list.takeItem(self.list.count() - 1)
        while self.list.count() < len(clips):
            item = QListWidgetItem()
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable | Qt.ItemFlag.ItemIsDragEnabled)
            self.list.addItem(item)
        for place, clip in enumerate(clips):
            _fill(self.list.item(place), self._row(clip))
            if clip.id == view.clip:
                self.list.setCurrentRow(place)
        self._is_filling = False
        self._bar.setVisible(bool(clips))
        self.list.setVisible(bool(clips))
        self.empty.setVisible(not clips)
        self._show_found()

    def _row(self, clip: Clip) -> ClipRow:
        view, image = self._session.view, self._images.get(clip.id)
        failure = self._showing.failure if clip.id == view.clip else None
        key = 0 if image is None else image.cacheKey()
        return ClipRow(clip.id, clip.name, about(clip), clip.id in view.compared, failure, key, image)

    def _show_found(self, *_: object) -> None:
        wanted = self.search.text().strip().casefold()
        for place in range(self.list.count()):
            self.list.setRowHidden(place, wanted not in self.list.item(place).data(CLIP_ROLE).name.casefold())

    def _on_view_changed(self, before: View, after: View) -> None:
        if (before.clip, before.compared) != (after.clip, after.compared):
            self._refresh()

    # What is wanted

    def _on_row_changed(self, place: int) -> None:
        if not self._is_filling and place >= 0:
            self.message.clear()
            self._session.look(clip=self.list.item(place).data(CLIP_ROLE).clip_id)

    def _do(self, command: Command, *arguments: object) -> bool:
        try:
            done = self._document.do(command, *arguments)
        except ValueError as error:
            self.message.say(str(error))
            return False
        self.message.clear()
        return done

    def _compare(self, clip_id: str) -> None:
        """Show a clip beside the current one, or no longer."""
        view = self._session.view
        if clip_id != view.clip:
            without = tuple(one for one in view.compared if one != clip_id)
            self._session.look(compared=without if clip_id in view.compared else (*view.compared, clip_id))

    def _rename(self, clip_id: str, name: str) -> None:
        self._do(rename_clip, clip_id, name)

    def _delete(self) -> None:
        clip = self._session.view.clip
        if clip is None:
            return
        place = [one.id for one in self._document.project.clips].index(clip)
        if self._do(delete_clips, (clip,)):
            clips = self._document.project.clips
            self._session.look(clip=clips[min(place, len(clips) - 1)].id if clips else None)

    def _duplicate(self) -> None:
        clip = self._session.view.clip
        if clip is not None and self._do(duplicate_clip, clip):
            clips = self._document.project.clips
            self._session.look(clip=clips[[one.id for one in clips].index(clip) + 1].id)

    def _on_moved(self, clip_id: str, row: int) -> None:
        ids = [clip.id for clip in self._document.project.clips]
        if clip_id in ids:
            # Places are counted without the clip that is moved.
            self._do(move_clip, clip_id, row - (ids.index(clip_id) < row))

    def _step(self, by: int) -> None:
        clip = self._session.view.clip
        if clip is not None:
            place = [one.id for one in self._document.project.clips].index(clip)
            self._do(move_clip, clip, max(place + by, 0))

    def _on_edits_dropped(self, carried: CarriedEdits, clip_id: str) -> None:
        self._do(copy_edits, carried.clip, carried.layers, clip_id)

    def _on_import(self) -> None:
        self.import_wanted.emit()

    def _on_new_walk(self) -> None:
        self.new_walk_wanted.emit()

    def _on_rename(self) -> None:
        if self.list.currentItem() is not None:
            self.list.editItem(self.list.currentItem())

    def _on_menu_wanted(self, position: QPoint) -> None:
        self.menu_for(self._session.view.clip).popup(self.list.viewport().mapToGlobal(position))

    def menu_for(self, clip_id: str | None) -> QMenu:
        """What can be done with a clip, and what can be shown beside it."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for text, keys, slot in (
            ("Rename", "F2", self._on_rename),
            ("Duplicate", "Ctrl+D", self._duplicate),
            ("Delete", "Del", self._delete),
        ):
            action = menu.addAction(text)
            action.setShortcut(QKeySequence(keys))
            action.setShortcutVisibleInContextMenu(True)
            action.setEnabled(clip_id is not None)
            action.triggered.connect(slot)
        beside = menu.addMenu("Show beside")
        others = [clip for clip in self._document.project.clips if clip.id != clip_id]
        for clip in others:
            action = beside.addAction(clip.name)
            action.setCheckable(True)
            action.setChecked(clip.id in self._session.view.compared)
            action.triggered.connect(partial(self._compare_by_menu, clip.id))
        beside.setEnabled(bool(others))
        menu.addSeparator()
        menu.addActions(self.add_menu.actions())
        return menu

    def _compare_by_menu(self, clip_id: str, _checked: bool = False) -> None:
        self._compare(clip_id)

    def _show_icons(self) -> None:
        self.add_button.setIcon(icon("plus"))

    # Qt

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            self.files_dropped.emit(paths)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._show_icons()


class _Search(QLineEdit):
    """A field whose Esc takes out what was typed, and then leaves it."""

    left = Signal()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress:
                if not self.text():
                    self.left.emit()
                self.clear()
                return True
        return super().event(event)


def _fill(item: QListWidgetItem, row: ClipRow) -> None:
    if item.data(CLIP_ROLE) == row:
        return
    item.setData(CLIP_ROLE, row)
    beside = ", shown beside" if row.compared else ""
    failure = f", {row.failure}" if row.failure else ""
    item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{row.name}, {row.about}{beside}{failure}")
    lines = (row.name, row.about, row.failure)
    item.setToolTip(plain_tip(*lines))


def about(clip: Clip) -> str:
    """What a clip is, in a few words."""
    path = getattr(clip.source, "path", None)
    title = clip.source.kind if isinstance(clip.source, Unknown) else clip.source.title
    source = PurePath(path).name if isinstance(path, str) else title
    count = len(clip.layers)
    return source if not count else f"{source}, {count} edit{'s' if count > 1 else ''}"
