"""What edits tell of themselves once they have been worked out."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QWidget

from editor.document.showing import Showing
from model.clip import Clip, Layer
from widgets.common.plain_label import PlainLabel
from widgets.common.theme import GRID, theme


def told_by(showing: Showing, clip: Clip, layer: Layer) -> tuple[tuple[str, ...], bool]:
    """The notes of an edit, and whether it failed; of what has been worked out so far."""
    shown, place = showing.current, clip.place_of(layer.id) + 1
    if shown is None or not layer.acts or len(shown.stages) != len(clip.layers) + 1:
        return (), False
    return shown.stages[place].notes, shown.stages[place].failed


class Notes(PlainLabel):
    """The notes over a form, beside a bar: a warning's, or a problem's colour. Hidden where there are none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._failed = False
        self.setObjectName("notes")
        self.setWordWrap(True)
        self.setMinimumWidth(1)  # else a long word would widen the panel
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._restyle()
        self.hide()

    def show_notes(self, notes: tuple[str, ...], failed: bool) -> None:
        """Show these and no others."""
        text = "\n".join(notes)
        self.setText(f"This edit could not be done: {text}" if failed else text)
        self.setAccessibleName(self.text())
        if failed != self._failed:
            self._failed = failed
            self._restyle()
        self.setVisible(bool(notes))

    def _restyle(self) -> None:
        self._theme = theme()
        bar = theme().problem if self._failed else theme().warning
        self.setStyleSheet(
            f"#notes {{ background: {theme().raised}; color: {theme().text}; border: none;"
            f" border-left: 3px solid {bar}; padding: {GRID // 2}px {GRID}px; }}"
        )

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._theme is not theme():
            self._restyle()
