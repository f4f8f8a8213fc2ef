"""The bar over the viewport: which tool is used and how, and what became of a pose that is not kept."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QCheckBox, QFrame, QHBoxLayout, QPushButton, QToolButton, QWidget

from widgets.common.icons import icon
from widgets.common.plain_label import PlainLabel, plain_tip
from widgets.common.theme import GRID, colour
from widgets.posing.posing import Posing
from widgets.posing.repeating import Repeating

_LEAST_WIDTH = 20 * GRID


class PoseBar(QFrame):
    """Buttons of actions, in groups. The chip at its end tells of a pose that is shown and not kept."""

    def __init__(
        self,
        posing: Posing,
        repeating: Repeating,
        groups: Sequence[Sequence[QAction]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._posing, self._repeating = posing, repeating
        self.setAccessibleName("Posing")
        self.setObjectName("pose_bar")
        self.buttons: dict[str, QToolButton] = {}
        self._layout = layout = QHBoxLayout(self)
        layout.setSizeConstraint(QHBoxLayout.SizeConstraint.SetNoConstraint)  # what does not fit is left out
        layout.setContentsMargins(GRID, GRID // 2, GRID, GRID // 2)
        layout.setSpacing(0)
        self._groups = [self._group(group, is_first=place == 0) for place, group in enumerate(groups)]
        for part in self._groups:
            layout.addWidget(part)
        layout.addStretch(1)
        self.chip = self._make_chip()
        layout.addWidget(self.chip)
        self.repeat_chip = RepeatChip(repeating)
        layout.addWidget(self.repeat_chip)
        posing.changed.connect(self._on_changed)
        repeating.changed.connect(self._on_changed)
        self._dress()
        self._on_changed()

    def _group(self, actions: Sequence[QAction], is_first: bool) -> QWidget:
        """Buttons side by side, after a thin line."""
        group = QWidget()
        layout = QHBoxLayout(group)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        if not is_first:
            layout.addSpacing(GRID)
            layout.addWidget(_line())
            layout.addSpacing(GRID)
        for action in actions:
            layout.addWidget(self._button(action))
        return group

    def _button(self, action: QAction) -> QToolButton:
        button = QToolButton()
        button.setDefaultAction(action)
        button.setIconSize(QSize(20, 20))
        button.setAccessibleName(action.text().replace("&", ""))
        button.setToolButtonStyle(
            Qt.ToolButtonStyle.ToolButtonTextOnly if action.icon().isNull() else Qt.ToolButtonStyle.ToolButtonIconOnly
        )
        self.buttons[action.objectName()] = button
        return button

    def _make_chip(self) -> QWidget:
        chip = QWidget()
        layout = QHBoxLayout(chip)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        self.label = PlainLabel("Not kept yet")
        self.keep_button = QPushButton("Keep (I)")
        self.keep_button.setToolTip("Keep this pose as a target pose at this frame  I")
        self.keep_button.clicked.connect(self._posing.keep)
        self.drop_button = QPushButton("Drop (Esc)")
        self.drop_button.setToolTip("Forget this pose  Esc")
        self.drop_button.clicked.connect(self._posing.drop)
        for widget in (self.label, self.keep_button, self.drop_button):
            layout.addWidget(widget)
        return chip

    def _on_changed(self) -> None:
        self.chip.setVisible(self._posing.is_pending)
        self.repeat_chip.setVisible(self._repeating.is_on)
        self._fit()

    def _fit(self) -> None:
        """Leave out what there is no room for: words first, then the last groups; menus and keys have them all."""
        parts = [self.label, *self._groups[:0:-1], self.repeat_chip.mirrored]
        parts = [part for part in parts if part is not self.repeat_chip.mirrored or self._repeating.is_on]
        for part in parts:
            part.show()
        for part in parts:
            self._layout.invalidate()  # it learns only later who came and went
            if self.sizeHint().width() <= self.width():
                break
            part.hide()

    def _dress(self) -> None:
        self.setStyleSheet(
            f"#pose_bar {{ background: {colour('panel').name()}; }}"
            f"#pose_bar #line {{ background: {colour('line').name()}; }}"
            f"#pose_bar QPushButton {{ padding: 1px {GRID}px; }}"
            f"#pose_bar QLabel {{ color: {colour('warning').name()}; }}"
        )

    def minimumSizeHint(self) -> QSize:
        return QSize(_LEAST_WIDTH, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "chip"):
            wanted = colour("panel").name()
            if wanted not in self.styleSheet():
                self._dress()


class RepeatChip(QWidget):
    """At which poses one is about to be repeated: more or fewer of them, mirrored ones or not, yes or no."""

    def __init__(self, repeating: Repeating, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._repeating = repeating
        self.label = PlainLabel()
        self.fewer = _small("minus", "Fewer poses", "Leave out the pose that is least alike")
        self.more = _small("plus", "More poses", "Take in the pose that is next in likeness")
        self.mirrored = QCheckBox("Mirrored")
        self.mirrored.setToolTip("Repeat it mirrored where the other side does the same")
        self.keep_button = QPushButton("Repeat")
        self.keep_button.setToolTip("Put the pose at all of these moments  Ctrl+R")
        self.drop_button = QPushButton("Drop (Esc)")
        self.drop_button.setToolTip("Leave the pose where it is  Esc")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID // 2)
        for widget in (self.label, self.fewer, self.more, self.mirrored, self.keep_button, self.drop_button):
            layout.addWidget(widget)
        self.fewer.clicked.connect(self._on_fewer)
        self.more.clicked.connect(self._on_more)
        self.mirrored.clicked.connect(repeating.set_mirrored)
        self.keep_button.clicked.connect(repeating.keep)
        self.drop_button.clicked.connect(repeating.drop)
        repeating.changed.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        self.label.setText(self._repeating.told)
        self.setAccessibleName(self._repeating.told)
        self.fewer.setEnabled(self._repeating.can_be_fewer)
        self.more.setEnabled(self._repeating.can_be_more)
        self.mirrored.setChecked(self._repeating.mirrored)

    def _on_fewer(self) -> None:
        self._repeating.take_in(-1)

    def _on_more(self) -> None:
        self._repeating.take_in(1)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "more"):
            self.fewer.setIcon(icon("minus"))
            self.more.setIcon(icon("plus"))


def _small(picture: str, name: str, tip: str) -> QToolButton:
    button = QToolButton()
    button.setIcon(icon(picture))
    button.setAccessibleName(name)
    button.setToolTip(plain_tip(tip))
    return button


def _line() -> QFrame:
    """A thin line between groups."""
    line = QFrame()
    line.setObjectName("line")
    line.setFixedSize(1, 2 * GRID)
    return line
