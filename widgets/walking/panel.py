"""The panel of a walk: tools, the path from above, speed along it, and its styles."""

from functools import partial

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QStackedLayout,
    QToolBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from editor.document.session import Session
from editor.document.showing import Showing
from model.clip import Unknown
from widgets.common.icons import icon
from widgets.common.plain_label import PlainLabel, plain_tip
from widgets.common.theme import GRID
from widgets.walking.canvas import DRAWING, PathCanvas
from widgets.walking.path_editing import PathEditing
from widgets.walking.path_hits import PLACING
from widgets.walking.profile import Profile
from widgets.walking.style_cards import StyleCards

_NOTICED = 0.1  # a walk that is this much shorter than its drawing is told of
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
        self.told = self._make_told()
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
            ("path_reverse", "Reverse path", editing.reverse),
            ("start_standing", "Begin standing, or walk from the first moment on", self._set_start),
            ("stop_standing", "Stop at the end and stand, or walk on", self._set_stop),
            ("box", "Put a box, stairs or a ramp on the ground", lambda: None),
            ("frame_all", "Bring the path into view (F)", self.canvas.frame_all),
        ):
            button = QToolButton()
            button.setIcon(icon(name))
            button.setToolTip(plain_tip(tip))
            button.setAccessibleName(tip.partition(" (")[0])
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(do)
            self._buttons[name] = button
            bar.addWidget(button)
            if name in ("draw", "path_arc", "path_reverse", "stop_standing"):
                bar.addSeparator()
        self._buttons["draw"].setCheckable(True)
        self._buttons["draw"].setText("Draw")
        self._buttons["draw"].setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        for name in ("start_standing", "stop_standing"):
            self._buttons[name].setCheckable(True)
        ground = self._buttons["box"]
        ground.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.ground_menu = QMenu(ground)
        for kind in PLACING:
            self.ground_menu.addAction(icon(kind), kind.capitalize(), partial(editing.set_placing, kind))
        ground.setMenu(self.ground_menu)
        return bar

    def _make_told(self) -> QLabel:
        """What the walk came to, in a corner of the canvas."""
        told = PlainLabel(parent=self.canvas)
        told.setForegroundRole(told.foregroundRole().PlaceholderText)
        told.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        corner = QVBoxLayout(self.canvas)
        corner.setContentsMargins(GRID, GRID, GRID, GRID)
        corner.addWidget(told, 0, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom)
        return told

    def _set_start(self) -> None:
        self._editing.set_ends(starts="standing" if self._buttons["start_standing"].isChecked() else "walking")

    def _set_stop(self) -> None:
        self._editing.set_ends(stops="standing" if self._buttons["stop_standing"].isChecked() else "walking")

    def _make_welcome(self) -> QWidget:
        """What is said over the empty floor."""
        card = QWidget()
        label = PlainLabel(_EMPTY)
        label.setWordWrap(True)
        label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        draw = QPushButton("Draw a path")
        draw.setDefault(True)
        draw.setToolTip("Then hold the left button and draw")
        draw.clicked.connect(self._on_draw)
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

    def _on_draw(self) -> None:
        self._editing.set_drawing(True)
        self.canvas.setFocus()

    def _refresh(self) -> None:
        editing = self._editing
        has_walk = editing.walk is not None
        is_begun = has_walk or editing.drawing or editing.is_busy or len(editing.gesture) > 0
        self.welcome.setVisible(not is_begun)
        if not is_begun:
            self.welcome.raise_()
        self.profile.setVisible(has_walk)
        self.cards.setVisible(has_walk)
        self._buttons["draw"].setChecked(editing.drawing)
        for name, button in self._buttons.items():
            button.setEnabled(has_walk or name in ("draw", "box"))
        for name, state in (("start_standing", "starts"), ("stop_standing", "stops")):
            self._buttons[name].setChecked(getattr(editing.walk, state, "") == "standing")
        self.told.setText(self._summary())

    def _summary(self) -> str:
        editing = self._editing
        if editing.drawing:
            return DRAWING if editing.walk is not None else ""  # on an empty floor it is said in the middle
        if editing.placing is not None:
            return PLACING[editing.placing]
        result = editing.result
        if editing.walk is None or result is None:
            return ""
        drawn_m, walked_m = editing.track.length_m, result.curve.length_m
        way = f"{drawn_m:.1f} m"
        if abs(walked_m - drawn_m) > _NOTICED * drawn_m:  # corners were rounded, wiggles evened out
            way = f"{drawn_m:.1f} m drawn, {walked_m:.1f} m walked"
        shown = self._showing.current
        steps = None if shown is None else shown.stages[0].steps
        count = len(result.footprints) if steps is None else steps.last
        told = f"{way}, {result.duration_s:.1f} s, {count} steps"
        return f"{told}; {self._gone}" if self._gone else told

    @property
    def _gone(self) -> str:
        """That steps are gone at which edits on the walk did something; here nobody sees their badges."""
        shown = self._showing.current
        steps = None if shown is None else shown.stages[0].steps
        if shown is None or steps is None:
            return ""
        edits = (layer.edit for layer in shown.clip.layers if layer.on and not isinstance(layer.edit, Unknown))
        marked = (marker.time_s for marker in shown.clip.markers)
        return steps.gone([*marked, *(time_s for edit in edits for time_s in edit.moments_s())]) or ""

    def _on_view_changed(self, before: object, after: object) -> None:
        if self.isVisible():
            self.canvas.update()
            self.profile.update()

    def _on_time_wanted(self, time_s: float) -> None:
        shown = self._showing.current
        if shown is not None:
            self._session.look(time_s=float(shown.from_source(time_s)))

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.PaletteChange:
            for name, button in self._buttons.items():
                button.setIcon(icon(name))
            for kind, action in zip(PLACING, self.ground_menu.actions(), strict=True):
                action.setIcon(icon(kind))
        return super().event(event)
