"""The styles of a walk as cards: who walks how, from where on, by which loop, and how long it takes to get there."""

from functools import partial

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QMenu,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from editor.walking.timeline import Style
from model.measures import SECONDS
from widgets.common.elided import ElidedLabel
from widgets.common.icons import icon
from widgets.common.number_field import NumberField
from widgets.common.plain_label import PlainLabel, menu_text
from widgets.common.small_figure import paint_pose
from widgets.common.theme import GRID, colour
from widgets.walking.path_editing import PathEditing
from widgets.walking.path_hits import Band
from widgets.walking.style_colours import style_colour

_FIGURE = QSize(5 * GRID, 7 * GRID)
_TICK_MS = 50
_MOST_CHOICES = 8


class LoopFigure(QWidget):
    """A small figure that walks the loop of a style on the spot."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedSize(_FIGURE)
        self.setAccessibleName("The loop, playing")
        self._style: Style | None = None
        self._time_s = 0.0
        self._timer = QTimer(self)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self._on_tick)

    def set_style(self, style: Style | None) -> None:
        self._style = style
        self.update()

    def _on_tick(self) -> None:
        self._time_s += _TICK_MS / 1000.0
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._style is None:
            return
        motion = self._style.loop.motion
        frame = round(self._time_s / motion.frame_time_s) % motion.frames
        world = motion.world.positions[frame]
        points = np.stack([world[:, 2] - world[0, 2], world[:, 1]], axis=-1)  # it goes along +Z: to the right
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            scale = (self.height() - 8.0) / max(float(np.max(motion.world.positions[..., 1])), 0.1)
            foot = QPointF(0.5 * self.width(), self.height() - 4.0)
            paint_pose(painter, points, motion.skeleton, foot, scale)

    def showEvent(self, event: QShowEvent) -> None:
        self._timer.start()
        super().showEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self._timer.stop()
        super().hideEvent(event)


class StyleCard(QFrame):
    """One style on the path."""

    def __init__(self, editing: PathEditing, number: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._editing, self._number = editing, number
        self.setObjectName("card")
        self.setFixedWidth(40 * GRID)
        self.figure = LoopFigure()
        self.name = ElidedLabel()
        self._kind = 0  # by which its colour goes
        self.where = PlainLabel()
        self.where.setForegroundRole(self.where.foregroundRole().PlaceholderText)
        self.remove = QToolButton()
        self.remove.setIcon(icon("close"))
        self.remove.setToolTip("Take this style off the path")
        self.remove.setAccessibleName("Remove style")
        self.remove.clicked.connect(lambda: editing.remove_style(number))
        self.loop = QComboBox()
        self.loop.setToolTip(
            "Which part of the clip is played over and over, and how well it closes; the first is best"
        )
        self.loop.setAccessibleName("Loop")
        self.loop.activated.connect(lambda choice: editing.change_style(number, loop=choice))
        self.adapts = QCheckBox("Fits")
        self.adapts.setToolTip("The fade from the style before lasts as long as suits both; else set how long")
        self.adapts.toggled.connect(self._on_adapts)
        self.fade = NumberField("Fade", SECONDS, 0.05, 10.0)
        self.fade.set_tip("Over how long the style before fades into this one")
        self.fade.changed.connect(self._on_fade)
        self.fade.nudged.connect(self._on_fade)
        self._arrange()

    def _arrange(self) -> None:
        top = QHBoxLayout()
        top.addWidget(self.name, 1)
        top.addWidget(self.where)
        top.addWidget(self.remove)
        below = QHBoxLayout()
        below.setSpacing(GRID // 2)
        below.addWidget(self.loop, 1)
        below.addWidget(self.fade)
        below.addWidget(self.adapts)
        self.fade.setFixedWidth(8 * GRID)
        right = QVBoxLayout()
        right.setSpacing(GRID // 2)
        right.addLayout(top)
        right.addLayout(below)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(GRID, GRID // 2, GRID // 2, GRID // 2)
        layout.addWidget(self.figure)
        layout.addLayout(right, 1)

    def show_band(self, band: Band, kind: int, style: Style | None, adapted_s: float | None) -> None:
        """Say what the band is. adapted_s : how long its fade came to be."""
        self._kind = kind
        walk = self._editing.walk
        assert walk is not None
        told = walk.styles[band.number]
        self.name.setText(band.name)
        self.where.setText(f"{band.from_m:.1f} to {band.to_m:.1f} m" if band.to_m > band.from_m else "beyond the path")
        self.figure.set_style(style)
        self.remove.setVisible(len(walk.styles) > 1)
        self._show_choices(style, told.loop)
        is_first = band.number == 0
        for field in (self.adapts, self.fade):
            field.setVisible(not is_first)
        with QSignalBlocker(self.adapts):
            self.adapts.setChecked(told.blend_s is None)
        self.fade.setEnabled(told.blend_s is not None)
        self.fade.set_value(told.blend_s if told.blend_s is not None else adapted_s)
        self.update()

    def _show_choices(self, style: Style | None, chosen: int) -> None:
        choices = [] if style is None else style.choices[:_MOST_CHOICES]
        told = [f"{one.steps} steps, {100.0 * one.seam_m:.1f} cm" for one in choices]
        with QSignalBlocker(self.loop):
            if told != [self.loop.itemText(n) for n in range(self.loop.count())]:
                self.loop.clear()
                self.loop.addItems(told)
            self.loop.setCurrentIndex(min(chosen, len(told) - 1))
        self.loop.setEnabled(len(told) > 1)

    def _on_adapts(self, on: bool) -> None:
        value = self.fade.value
        self._editing.change_style(self._number, blend_s=None if on else value if value is not None else 0.5)

    def _on_fade(self, value: float) -> None:
        self._editing.change_style(self._number, blend_s=value)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.PaletteChange:
            self.remove.setIcon(icon("close"))
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), colour("raised"))
            painter.fillRect(0, 0, 4, self.height(), style_colour(self._kind))


class StyleCards(QWidget):
    """A row of cards, and a button for more."""

    file_wanted = Signal()

    def __init__(self, editing: PathEditing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._editing = editing
        self.setFixedHeight(10 * GRID)
        inner = QWidget()
        self._row = QHBoxLayout(inner)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(GRID)
        self._row.addStretch(1)
        self.area = QScrollArea()
        self.area.setAccessibleName("Styles along the path")
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setWidgetResizable(True)
        self.area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setWidget(inner)
        self.add = QToolButton()
        self.add.setText("Add style")
        self.add.setIcon(icon("plus"))
        self.add.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        self.add.setToolTip("Another way of going, behind the last one; or drop a clip on the path")
        self.add.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu = QMenu(self.add)
        self.menu.aboutToShow.connect(self.fill_menu)
        self.add.setMenu(self.menu)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.area, 1)
        layout.addWidget(self.add)
        self.cards: list[StyleCard] = []
        editing.changed.connect(self.refresh)
        self.refresh()

    def fill_menu(self) -> None:
        """Offer the clips of the project, and files."""
        self.menu.clear()
        for clip in self._editing.project.clips:
            if clip.id != self._editing.clip_id:
                self.menu.addAction(menu_text(clip.name), partial(self._editing.add_style, clip.id, self._free_m()))
        self.menu.addSeparator()
        self.menu.addAction("From a file…", self.file_wanted.emit)

    def _free_m(self) -> float:
        """Where a new style begins: in the middle of the last one."""
        bands = self._editing.bands
        return 0.5 * (bands[-1].from_m + bands[-1].to_m) if bands else 0.0

    def refresh(self) -> None:
        """Show the walk's styles."""
        bands, walk, result = self._editing.bands, self._editing.walk, self._editing.result
        while len(self.cards) > len(bands):
            gone = self.cards.pop()
            self._row.removeWidget(gone)
            gone.hide()
            gone.deleteLater()
        while len(self.cards) < len(bands):
            card = StyleCard(self._editing, len(self.cards))
            self._row.insertWidget(len(self.cards), card)
            self.cards.append(card)
        self.add.setVisible(walk is not None)
        if walk is None:
            return
        kinds = list(dict.fromkeys((band.clip_id, band.loop) for band in walk.styles))
        clips = list(dict.fromkeys(band.clip_id for band in walk.styles))
        fades = self._editing.fades
        for card, band in zip(self.cards, bands, strict=True):
            kind = kinds.index((band.clip_id, walk.styles[band.number].loop))
            style = result.styles[kind] if result is not None and kind < len(result.styles) else None
            fade = fades.get(band.number)
            card.show_band(band, clips.index(band.clip_id), style, None if fade is None else fade.length_s)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.PaletteChange:
            self.add.setIcon(icon("plus"))
        return super().event(event)
