"""The bar of the ground tool: what can be put on the floor, what to do next, and a way to let the clip heed it."""

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QToolButton, QWidget

from widgets.common.elided import ElidedLabel
from widgets.common.icons import icon
from widgets.common.plain_label import plain_tip
from widgets.common.theme import GRID, colour
from widgets.ground.editing import SELECT, GroundEditing

_KINDS = (
    ("box", "Box", "Draw a box on the floor: drag from corner to corner, or click"),
    ("stairs", "Stairs", "Draw stairs on the floor: drag from the first step to the last, or click"),
    ("ramp", "Ramp", "Draw a ramp on the floor: drag from the low end to the high one, or click"),
)
_DRAWING = {
    "box": "Drag on the floor to draw a box. Esc ends.",
    "stairs": "Drag on the floor from the first step to the last. Esc ends.",
    "ramp": "Drag on the floor from the low end to the high one. Esc ends.",
}
_EMPTY = "Nothing stands on the ground yet. Choose what to put in the figure's way."
_CHOOSE = "Click an object to select it, drag to move it."
_THROUGH = "The figure goes through what stands there."
_CHOSEN = "Drag the handles to shape it; Ctrl snaps, Delete removes it."


class GroundBar(QFrame):
    """Shown while the ground tool is in use."""

    def __init__(self, editing: GroundEditing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._editing = editing
        self.setAccessibleName("Ground")
        self.setObjectName("ground_bar")
        self.buttons: dict[str, QToolButton] = {}
        layout = QHBoxLayout(self)
        layout.setContentsMargins(GRID, GRID // 2, GRID, GRID // 2)
        layout.setSpacing(GRID // 2)
        for kind, text, tip in _KINDS:
            layout.addWidget(self._button(kind, text, tip))
        self.hint = ElidedLabel()
        self.hint.setAccessibleName("What to do")
        self.hint.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        layout.addSpacing(GRID)
        layout.addWidget(self.hint, 1)
        self.adapt_button = QPushButton("Let the clip step onto it")
        self.adapt_button.setToolTip("Add the edit Adapt to ground to this clip: its feet then stand on what is there")
        self.adapt_button.clicked.connect(editing.adapt)
        layout.addWidget(self.adapt_button)
        editing.changed.connect(self._refresh)
        self._dress()
        self._refresh()

    def _button(self, kind: str, text: str, tip: str) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setCheckable(True)
        button.setIconSize(QSize(20, 20))
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setToolTip(plain_tip(tip))
        button.setAccessibleName(f"Draw {text.lower()}")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setProperty("kind", kind)
        button.clicked.connect(self._on_clicked)
        self.buttons[kind] = button
        return button

    def _on_clicked(self, checked: bool) -> None:
        self._editing.set_mode(str(self.sender().property("kind")) if checked else SELECT)
        self._refresh()

    def _refresh(self) -> None:
        editing = self._editing
        for kind, button in self.buttons.items():
            button.setChecked(editing.mode == kind)
        if editing.mode != SELECT:
            hint = _DRAWING[editing.mode]
        elif editing.ground.is_flat:
            hint = _EMPTY
        else:
            hint = _CHOOSE if editing.selected is None else _CHOSEN
        needs = editing.mode == SELECT and editing.needs_adapting
        self.hint.setText(_THROUGH if needs else hint)
        self.adapt_button.setVisible(needs)

    def _dress(self) -> None:
        self.setStyleSheet(
            f"#ground_bar {{ background: {colour('panel').name()}; }}"
            f"#ground_bar QPushButton {{ padding: 1px {GRID}px; border: none; border-radius: 3px;"
            f" background: {colour('accent').name()}; color: {colour('on_accent').name()}; }}"
        )
        for kind, button in self.buttons.items():
            button.setIcon(icon(kind))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        changed = event.type() == QEvent.Type.PaletteChange and hasattr(self, "hint")
        if changed and colour("panel").name() not in self.styleSheet():
            self._dress()
