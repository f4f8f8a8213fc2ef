"""The panel of extreme poses: how they are measured, and a slider from few to many that follows the hand."""

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from editor.document.document import Document
from editor.document.showing import Showing
from editor.extrema.commands import extreme_layer
from editor.extrema.edit import ExtremePoses
from editor.extrema.filters import FilterKind
from editor.stack.layers import add_edit, change_edit, switch_edit
from model.clip import Layer
from widgets.common.empty import EmptyState
from widgets.common.level_slider import LevelSlider
from widgets.common.plain_label import PlainLabel, plain_tip
from widgets.common.setting_kinds import Described, FormContext, described
from widgets.common.theme import GRID
from widgets.extrema.extrema import Extrema, told_counts
from widgets.inspector.playhead import frames_long_s
from widgets.inspector.setting_editors import ChoiceEditor, Editor, NumberEditor
from widgets.inspector.settings_form import form_label

_SHOWN = ("measure", "extreme", "part", "window_s", "filter", "filter_steps", "filter_s")
_WITH_FILTER = {"filter_steps": FilterKind.LAPLACIAN, "filter_s": FilterKind.LOW_PASS}


class ExtremesPanel(QWidget):
    """Settings of the clip's extreme poses. The first change makes the edit that keeps them."""

    def __init__(self, document: Document, showing: Showing, extrema: Extrema, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document, self._showing, self._extrema = document, showing, extrema
        self.level = LevelSlider()
        self.counts = PlainLabel()
        self.note = PlainLabel()
        self.switch_on = QPushButton("Switch the edit on")
        self.switch_on.setToolTip("Let the edit Extreme poses of this clip work again")
        self.forget = QPushButton("Forget corrections")
        self.previous, self.next = QPushButton("Previous"), QPushButton("Next")
        self.editors: dict[str, Editor] = {}
        self._labels: dict[str, QLabel] = {}
        self._pages = QStackedWidget()
        self._form = QWidget()
        self._pages.addWidget(EmptyState("Extreme poses tell a motion: where it turns, and where it holds still."))
        self._pages.addWidget(self._scrolling(self._built()))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._pages)
        self._connect()
        self._refresh()

    # How it is built

    def _built(self) -> QWidget:
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(GRID, GRID, GRID, GRID)
        column.setSpacing(GRID)
        font = self.counts.font()
        font.setBold(True)
        self.counts.setFont(font)
        self.counts.setAccessibleName("How many extremes there are")
        column.addWidget(self.counts)
        column.addLayout(self._slider_row())
        column.addWidget(self._settings())
        self.note.setWordWrap(True)
        self.note.setForegroundRole(self.note.foregroundRole().PlaceholderText)
        column.addWidget(self.note)
        column.addWidget(self.switch_on)
        column.addWidget(self.forget)
        row = QHBoxLayout()
        row.setSpacing(GRID)
        for button, keys, which in ((self.previous, ",", "before"), (self.next, ".", "after")):
            button.setToolTip(plain_tip(f"Go to the extreme pose {which} this frame ({keys})"))
            button.setAccessibleName(f"{button.text()} extreme")
            row.addWidget(button)
        column.addLayout(row)
        column.addStretch(1)
        self.forget.setToolTip("Take back what was added, moved, deleted and pinned by hand")
        return inner

    def _slider_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(GRID)
        self.level.setAccessibleName("Few to many")
        self.level.setToolTip("From the few poses that stand out most to every small change. Left and Right step.")
        for widget, stretch in ((PlainLabel("Few"), 0), (self.level, 1), (PlainLabel("Many"), 0)):
            row.addWidget(widget, stretch)
        return row

    def _settings(self) -> QWidget:
        layout = QFormLayout(self._form)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setHorizontalSpacing(GRID)
        layout.setVerticalSpacing(GRID // 2)
        context = FormContext(lambda: 0.0, str, self._frames_s)
        kinds = {what.name: what for what in described(ExtremePoses)}
        for name in _SHOWN:
            editor = _editor(kinds[name], context, self._form)
            self.editors[name] = editor
            self._labels[name] = form_label(kinds[name].setting.label, editor)
            layout.addRow(self._labels[name], editor)
        return self._form

    def _scrolling(self, inner: QWidget) -> QScrollArea:
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(inner)
        return area

    def _connect(self) -> None:
        self.level.trying.connect(self._on_level_trying)
        self.level.chosen.connect(self._on_level_chosen)
        self.level.stepped.connect(self._on_level_stepped)
        self.level.cancelled.connect(self._document.cancel)
        for editor in self.editors.values():
            editor.changing.connect(self._on_changing)
            editor.changed.connect(self._on_changed)
            editor.nudged.connect(self._on_nudged)
            editor.cancelled.connect(self._document.cancel)
            editor.refused.connect(self._say)
        self.switch_on.clicked.connect(self._on_switch_on)
        self.forget.clicked.connect(self._on_forget)
        self.previous.clicked.connect(self._on_previous)
        self.next.clicked.connect(self._on_next)
        self._extrema.changed.connect(self._refresh)

    # What it shows

    def _layer(self) -> Layer | None:
        """The clip's edit: the one in use, or one that does not act."""
        basis = self._extrema.basis
        if basis is None or basis.shown.clip.id not in self._document.project:
            return None
        return extreme_layer(self._document.project, basis.shown.clip.id, basis.layer)

    def _refresh(self) -> None:
        basis, layer = self._extrema.basis, self._layer()
        self._pages.setCurrentIndex(0 if basis is None else 1)
        if basis is None:
            return
        edit, is_off = self._extrema.edit, layer is not None and not layer.acts
        if not self.level.is_dragged:
            self.level.show_level(edit.level)
        for name, editor in self.editors.items():
            editor.set_value(getattr(edit, name))
            seen = name not in _WITH_FILTER or edit.filter == _WITH_FILTER[name]
            editor.setVisible(seen)
            self._labels[name].setVisible(seen)
        for widget in (self.level, self._form):
            widget.setEnabled(not is_off)
        self.counts.setText(self._told())
        self.note.setText(self._noted(layer, is_off))
        self.switch_on.setVisible(is_off)
        self.forget.setVisible(bool(edit.corrections))
        some = bool(self._extrema.extremes)
        self.previous.setEnabled(some)
        self.next.setEnabled(some)

    def _told(self) -> str:
        some = [one for one in self._extrema.extremes if not one.is_end]
        if not self._extrema.is_known and not some:
            return "…" if self._extrema.failure is None else "No extremes"
        by_hand = sum(one.pinned for one in some)
        return (told_counts(some) or "No extremes") + (f", {by_hand} set by hand" if by_hand else "")

    def _noted(self, layer: Layer | None, is_off: bool) -> str:
        if self._extrema.failure is not None:
            return f"{self._extrema.failure[:1].upper()}{self._extrema.failure[1:]}."
        if is_off:
            return "The edit of extreme poses is switched off: the usual settings are shown."
        if layer is None:
            return "These are the usual settings. Change one, or correct a pose in the timeline, and an edit keeps it."
        return "Kept in the edit “Extreme poses”. The motion stays as it is."

    def _say(self, text: str) -> None:
        self.note.setText(text)

    def _frames_s(self, frames: float, is_moment: bool) -> float | None:
        return frames_long_s(frames, self._showing)

    # What hands do

    def _call(self, edit: ExtremePoses) -> tuple[Any, ...] | None:
        """The command that gives the clip these settings."""
        basis = self._extrema.basis
        if basis is None:
            return None
        clip, layer = basis.shown.clip.id, self._extrema.changes()
        return (add_edit, clip, edit, 0) if layer is None else (change_edit, clip, layer, edit)

    def _edited(self, **changes: Any) -> ExtremePoses | None:
        try:
            return replace(self._extrema.edit, **changes)
        except ValueError as error:
            self._say(str(error))
            return None

    def _try(self, **changes: Any) -> None:
        edit = self._edited(**changes)
        if edit is not None and (call := self._call(edit)) is not None:
            self._document.preview(*call)

    def _keep(self, merge: str | None = None, **changes: Any) -> None:
        edit = self._edited(**changes)
        if self._document.is_previewing:
            self._document.cancel()
        if edit is not None and (call := self._call(edit)) is not None:
            self._document.do(*call, merge=merge)
        self._refresh()

    def _on_level_trying(self, level: float) -> None:
        self._try(level=level)

    def _on_level_chosen(self, level: float) -> None:
        self._keep(level=level)

    def _on_level_stepped(self, level: float) -> None:
        self._keep("level of extremes", level=level)

    def _on_changing(self, name: str, value: object) -> None:
        self._try(**{name: value})

    def _on_changed(self, name: str, value: object) -> None:
        self._keep(None, **{name: value})

    def _on_nudged(self, name: str, value: object) -> None:
        self._keep(f"extremes {name}", **{name: value})

    def _on_switch_on(self) -> None:
        basis, layer = self._extrema.basis, self._layer()
        if basis is not None and layer is not None:
            self._document.do(switch_edit, basis.shown.clip.id, layer.id, on=True)

    def _on_forget(self) -> None:
        self._keep(corrections=())

    def _on_previous(self) -> None:
        self._extrema.step(-1)

    def _on_next(self) -> None:
        self._extrema.step(1)


def _editor(what: Described, context: FormContext, parent: QWidget) -> Editor:
    return ChoiceEditor(what, parent) if what.setting.choices else NumberEditor(what, context, parent)
