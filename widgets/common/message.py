"""A message inside a panel: what could not be done, and why. It goes when it is dismissed or the next thing is done."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QToolButton, QWidget

from widgets.common.icons import icon
from widgets.common.plain_label import PlainLabel
from widgets.common.theme import GRID, theme


class Message(QFrame):
    """One sentence with a button that dismisses it; hidden while there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("message")
        self._label = PlainLabel()
        self._label.setWordWrap(True)
        self._label.setMinimumWidth(1)  # else a long path would widen the panel
        self._label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._close = QToolButton()
        self._close.setAccessibleName("Dismiss message")
        self._close.setToolTip("Dismiss this message")
        self._close.clicked.connect(self.clear)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(GRID, GRID // 2, GRID // 2, GRID // 2)
        layout.setSpacing(GRID // 2)
        layout.addWidget(self._label, 1)
        layout.addWidget(self._close, 0, Qt.AlignmentFlag.AlignTop)
        self._restyle()
        self.hide()

    @property
    def text(self) -> str:
        """What is said, empty where nothing is."""
        return self._label.text()

    def say(self, text: str) -> None:
        """Show a sentence."""
        self._label.setText(text[:1].upper() + text[1:])
        self._label.setAccessibleName(self._label.text())
        self.setVisible(bool(text))

    def clear(self) -> None:
        """Say nothing."""
        self._label.setText("")
        self.hide()

    def _restyle(self) -> None:
        self._close.setIcon(icon("close"))
        self.setStyleSheet(
            f"#message {{ background: {theme().raised}; border: none; border-left: 3px solid {theme().problem}; }}"
        )

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._close.icon().cacheKey() != icon("close").cacheKey():
            self._restyle()
