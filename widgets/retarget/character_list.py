"""The characters that a clip can be put on: those that come with the program, those kept in the project, and the
bodies of its clips.
"""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon, QKeyEvent, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from editor.retarget.character import BUILT_IN, built_in
from model.character import Character
from model.project import Project
from widgets.common.plain_label import plain_tip
from widgets.common.theme import GRID, colour
from widgets.retarget.bodies_view import Shape

_WHAT_ROLE = Qt.ItemDataRole.UserRole
_PICTURE = QSize(40, 40)


class CharacterList(QListWidget):
    """chosen : a Character, or the id of a clip whose body is meant; removed : the name of one that is kept."""

    chosen = Signal(object)
    removed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._listed: object = None
        self.setAccessibleName("Characters")
        self.setToolTip("Click a body to put the clip on it; Delete removes one that was kept")
        self.setIconSize(_PICTURE)
        self.setMinimumWidth(18 * GRID)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.itemClicked.connect(self._on_activated)

    def show_characters(self, project: Project, clip_id: str | None, current: Character | None) -> None:
        """List them. clip_id : the clip that is looked at; current : the character that it is on."""
        others = tuple((clip.id, clip.name) for clip in project.clips if clip.id != clip_id)
        listed = (project.characters, others)
        if listed != self._listed:
            self._listed = listed
            self.clear()
            self._add_title("Samples")
            for name in BUILT_IN:
                self._add(name.capitalize(), built_in(name), _picture(built_in(name)))
            if project.characters:
                self._add_title("Kept in the project")
                for character in project.characters:
                    self._add(character.name, character, _picture(character))
            if others:
                self._add_title("Bodies of clips")
                for other, name in others:
                    self._add(name, other, QIcon())
        self._mark(current)

    def item_of(self, what: object) -> QListWidgetItem:
        """The row of a character, or of a clip's id."""
        return next(self.item(place) for place in range(self.count()) if self.item(place).data(_WHAT_ROLE) == what)

    def _mark(self, current: Character | None) -> None:
        for place in range(self.count()):
            item = self.item(place)
            what = item.data(_WHAT_ROLE)
            is_it = isinstance(what, Character) and what == current
            if is_it and not item.isSelected():
                self.setCurrentItem(item)
        if current is None:
            self.clearSelection()

    def _add_title(self, text: str) -> None:
        item = QListWidgetItem(text)
        item.setFlags(Qt.ItemFlag.NoItemFlags)
        self.addItem(item)

    def _add(self, text: str, what: object, picture: QIcon) -> None:
        item = QListWidgetItem(picture, text)
        item.setData(_WHAT_ROLE, what)
        item.setToolTip(plain_tip(f"Put the clip on {text}"))
        self.addItem(item)

    def _on_activated(self, item: QListWidgetItem) -> None:
        what = item.data(_WHAT_ROLE)
        if what is not None:
            self.chosen.emit(what)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        item = self.currentItem()
        what = None if item is None else item.data(_WHAT_ROLE)
        if what is not None and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.chosen.emit(what)
        elif isinstance(what, Character) and event.key() == Qt.Key.Key_Delete and what.name not in BUILT_IN:
            self.removed.emit(what.name)
        else:
            super().keyPressEvent(event)


def _picture(character: Character) -> QIcon:
    """A small drawing of a body, as large as it is beside the others."""
    shape = Shape.of(character.name, character.skeleton, character.stance)
    pixmap = QPixmap(_PICTURE * 2)
    pixmap.setDevicePixelRatio(2.0)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        scale = _PICTURE.height() / 2.3  # pixels a metre: of people, few are taller
        low = float(min(shape.points[:, 1].min(), *(tip[1] for _, tip in shape.tips))) if shape.tips else 0.0
        for joint, parent in enumerate(shape.skeleton.parents):
            if parent < 0:
                continue
            ends = [
                (0.5 * _PICTURE.width() + scale * x, _PICTURE.height() - 1.0 - scale * (y - low))
                for x, y in (shape.points[parent], shape.points[joint])
            ]
            painter.setPen(QPen(colour(shape.sides[joint]), 2.0))
            painter.drawLine(*(round(value) for end in ends for value in end))
    return QIcon(pixmap)
