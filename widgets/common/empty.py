"""What a panel shows while it has nothing to show: what it is for, and a button to begin."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from widgets.common.plain_label import PlainLabel, plain_tip
from widgets.common.theme import GRID

_TIP = "Choose motion files or a project. To drop them on the window does the same"


class EmptyState(QWidget):
    """One sentence, and one button where there is something to begin with: opening files."""

    def __init__(
        self,
        sentence: str,
        button: str | None = None,
        begin: Callable[[], object] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        layout.setSpacing(GRID)
        layout.addStretch(1)
        label = PlainLabel(sentence)
        label.setWordWrap(True)
        label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        label.setForegroundRole(label.foregroundRole().PlaceholderText)
        layout.addWidget(label)
        if button is not None and begin is not None:
            self.button = QPushButton(button)
            self.button.setToolTip(plain_tip(_TIP))
            self.button.clicked.connect(lambda: begin())
            layout.addWidget(self.button, alignment=Qt.AlignmentFlag.AlignCenter)
        layout.addStretch(1)
