"""The panel of a walk: tools, the path from above, speed along it, and its styles."""

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QStackedLayout,
    QToolBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from editor.session import Session
from editor.showing import Showing
from widgets.common.icons import icon
from widgets.common.path_editing import PathEditing
from widgets.common.theme import GRID
from widgets.path_canvas.canvas import PathCanvas
from widgets.path_canvas.profile import Profile
from widgets.path_canvas.style_cards import StyleCards

_EMPTY = "Draw a line on the floor, and somebody walks along it. Any walking or running clip lends its style."


class WalkPanel(QWidget):
    """Everything about the walk that is looked at. Without one, the way to begin."""

    example_wanted = Signal()
    file_wanted = Signal()

    def __init__(self, editing: PathEditing, session: Session, showing: Showing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._editing, self._session, self._showing = editing, session, showing
        self.canvas = PathCanvas(editing, session)
        self.profile = Profile(editing)
        self.cards = StyleCards(editing)
        self.bar = self._make_bar()
        self.welcome = self._make_welcome()
        over = QStackedLayout()
        over.setStackingMode(QStackedLayout.StackingMode.StackAll)
        over.addWidget(self.canvas)
        over.addWidget(self.welcome)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID // 2)
        layout.addWidget(self.bar)
        layout.addLayout(over, 1)
        layout.addWidget(self.profile)
        layout.addWidget(self.cards)
        self.profile.time_wanted.connect(self._on_time_wanted)
        self.cards.file_wanted.connect(self.file_wanted)
        editing.changed.connect(self._refresh)
        session.changed.connect(self._on_view_changed)
        self._refresh()

    def _make_bar(self) -> QToolBar:
        editing = self._editing
        bar = QToolBar("Path")
        bar.setIconSize(QSize(20, 20))
        self._buttons: dict[str, QToolButton] = {}
        for name, tip, do in (
            ("draw", "Draw a new path with the mouse (D)", lambda: editing.set_drawing(not editing.drawing)),
            (
                "path_straight",
                "Straight from the selected points, or everywhere",
                lambda: editing.set_shape("straight"),
            ),
            ("path_smooth", "Smooth from the selected points, or everywhere", lambda: editing.set_shape("smooth")),
            ("path_arc", "Arcs from the selected points, or everywhere", lambda: editing.set_shape("arc")),
            ("path_close", "Close the path, or open it", editing.toggle_closed),
            ("path_reverse", "Turn the path round", editing.reverse),
            ("frame_all", "Bring the path into view (F)", self.canvas.frame_all),
        ):
            button = QToolButton()
            button.setIcon(icon(name))
            button.setToolTip(tip)
            button.setAccessibleName(tip.partition(" (")[0])
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(do)
            self._buttons[name] = button
            bar.addWidget(button)
            if name in ("draw", "path_arc", "path_reverse"):
                bar.addSeparator()
        self._buttons["draw"].setCheckable(True)
        self._buttons["draw"].setText("Draw")
        self._buttons["draw"].setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.told = QLabel()
        self.told.setForegroundRole(self.told.foregroundRole().PlaceholderText)
        self.told.setContentsMargins(GRID, 0, 0, 0)
        bar.addWidget(self.told)
        return bar

    def _make_welcome(self) -> QWidget:
        """What is said over the empty floor."""
        card = QWidget()
        card.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, False)
        label = QLabel(_EMPTY)
        label.setWordWrap(True)
        label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        draw = QPushButton("Draw a path")
        draw.setDefault(True)
        draw.setToolTip("Then hold the left button and draw")
        draw.clicked.connect(lambda: self._editing.set_drawing(True))
        example = QPushButton("Show me an example")
        example.setToolTip("Adds a walk along a path in three styles")
        example.clicked.connect(self.example_wanted)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(draw)
        row.addWidget(example)
        row.addStretch(1)
        layout = QVBoxLayout(card)
        layout.setContentsMargins(3 * GRID, 3 * GRID, 3 * GRID, 3 * GRID)
        layout.addStretch(1)
        layout.addWidget(label)
        layout.addSpacing(GRID)
        layout.addLayout(row)
        layout.addStretch(1)
        self.draw_button, self.example_button = draw, example
        return card

    def _refresh(self) -> None:
        editing = self._editing
        has_walk = editing.walk is not None
        is_begun = has_walk or editing.drawing or editing.is_busy
        self.welcome.setVisible(not is_begun)
        if not is_begun:
            self.welcome.raise_()
        self.profile.setVisible(has_walk)
        self.cards.setVisible(has_walk)
        self._buttons["draw"].setChecked(editing.drawing)
        for name, button in self._buttons.items():
            button.setEnabled(has_walk or name == "draw")
        self.told.setText(self._summary())

    def _summary(self) -> str:
        editing = self._editing
        if editing.drawing:
            return "Hold the button and draw"
        result = editing.result
        if editing.walk is None or result is None:
            return ""
        return f"{editing.track.length_m:.1f} m, {result.walk.take.motion.duration_s:.1f} s, " + (
            f"{len(result.footprints)} steps"
        )

    def _on_view_changed(self, before: object, after: object) -> None:
        if self.isVisible():
            self.canvas.update()
            self.profile.update()

    def _on_time_wanted(self, time_s: float) -> None:
        shown = self._showing.current
        if shown is not None:
            self._session.look(time_s=float(shown.stage.time_map(time_s)))

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.PaletteChange:
            for name, button in self._buttons.items():
                button.setIcon(icon(name))
        return super().event(event)
