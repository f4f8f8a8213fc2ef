"""A part of a panel under a heading, which folds."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QToolButton, QVBoxLayout, QWidget

from widgets.common.icons import icon
from widgets.common.plain_label import menu_text, one_line, plain_tip
from widgets.common.theme import GRID


class Section(QWidget):
    """A heading, and what it opens and closes."""

    opening = Signal()  # right before the content is shown

    def __init__(self, title: str, content: QWidget, is_open: bool = True, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.content = content
        self._heading = QToolButton()
        self._heading.setCheckable(True)
        self._heading.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._heading.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        font = self._heading.font()
        font.setBold(True)
        self._heading.setFont(font)
        # A fold that is open is no pressed button: it must not look like one.
        self._heading.setStyleSheet(
            "QToolButton { padding: 4px 0; text-align: left; }"
            "QToolButton:checked:!focus { background: transparent; border-color: transparent; }"
        )
        self._heading.setChecked(is_open)
        self._heading.toggled.connect(self._on_toggled)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID // 2)
        layout.addWidget(self._heading)
        layout.addWidget(content)
        self.set_title(title)
        self._on_toggled(is_open)

    @property
    def is_open(self) -> bool:
        """Whether the content is shown."""
        return self._heading.isChecked()

    def set_open(self, is_open: bool) -> None:
        """Show or hide the content."""
        self._heading.setChecked(is_open)

    def set_title(self, title: str) -> None:
        """Change the heading."""
        self._heading.setText(menu_text(title))
        self._heading.setAccessibleName(one_line(title))
        self._heading.setToolTip(plain_tip(f"Fold or unfold “{title}” (Enter)"))

    def _on_toggled(self, is_open: bool) -> None:
        if is_open:
            self.opening.emit()
        self.content.setVisible(is_open)
        self._heading.setIcon(icon("fold" if is_open else "unfold", "muted"))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._heading.setIcon(icon("fold" if self.is_open else "unfold", "muted"))
