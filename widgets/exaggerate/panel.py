"""The panel that exaggerates: a slider that follows the hand, weights on a figure, a curve over time, what it did."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QFormLayout,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from editor.document.document import Document
from editor.document.jobs import Job, Jobs
from editor.document.session import Session, View
from editor.document.showing import Showing
from editor.exaggerate.change import extreme_frames
from editor.exaggerate.commands import exaggerate_by_poses
from editor.exaggerate.edit import Exaggerate
from editor.exaggerate.extent import body_extent
from editor.exaggerate.presets import PRESETS
from editor.posing.edit import TargetPose
from editor.stack.command import Command
from editor.stack.layers import add_edit, change_edit, switch_edit
from model.arrays import IntArray
from model.clip import Clip, Layer, Take
from model.derived import Deriver
from widgets.common.empty import EmptyState
from widgets.common.plain_label import PlainLabel
from widgets.common.setting_kinds import FormContext, described
from widgets.common.theme import GRID
from widgets.exaggerate.amount import MOST, AmountSlider, ExtentBars
from widgets.exaggerate.body_weights import BodyWeights
from widgets.exaggerate.share_curve import ShareCurveEditor
from widgets.inspector.playhead import frames_long_s, playhead_source_s
from widgets.inspector.section import Section
from widgets.inspector.setting_editors import ChoiceEditor, Editor, NumberEditor, QuietCombo, SwitchEditor
from widgets.inspector.settings_form import form_label

# The slider stays at 1, where nothing changes, when it is this near.
_SNAP = 0.035
_HOW = ("scope", "space", "bias")
_SWITCHES = ("keep_legs", "jumps", "limits")


class ExaggeratePanel(QWidget):
    """Exaggeration of the clip that is looked at. The first change makes the edit that keeps it.

    ghost_wanted : the figure of the source shall be seen beside the result.
    """

    ghost_wanted = Signal()

    def __init__(
        self, document: Document, session: Session, showing: Showing, jobs: Jobs, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._document, self._session, self._showing, self._jobs = document, session, showing, jobs
        self.amount = AmountSlider()
        self.told = PlainLabel()
        self.extent = ExtentBars()
        self.presets = QuietCombo()
        self.body = BodyWeights()
        self.note = PlainLabel()
        self.switch_on = QPushButton("Switch the edit on")
        self.ghost = QPushButton("Show the source as a ghost")
        self.convert = QPushButton("Make target poses of it")
        self.editors: dict[str, Editor] = {}
        self._known: tuple[Take, IntArray, float] | None = None  # a take, its extremes, and its extent
        self._is_awake = True
        self._measuring: Job | None = None
        self._pages = QStackedWidget()
        self._pages.addWidget(EmptyState("Make a motion larger or more subtle: its extreme poses are moved apart."))
        self._pages.addWidget(self._scrolling(self._built()))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._pages)
        self._connect()
        self._refresh()

    # How it is built

    def _built(self) -> QWidget:
        self._inner = QWidget()
        column = QVBoxLayout(self._inner)
        column.setContentsMargins(GRID, GRID, GRID, GRID)
        column.setSpacing(GRID)
        column.addLayout(self._amount_row())
        column.addWidget(self.extent)
        column.addLayout(self._preset_row())
        context = FormContext(
            self._moment_s,
            str,
            self._frames_s,
            length_s=self._length_s,
            read_s=self._showing.read_s,
            meant_s=self._showing.meant_s,
        )
        kinds = {what.name: what for what in described(Exaggerate)}
        for name in _HOW:
            is_choice = bool(kinds[name].setting.choices)
            self.editors[name] = (
                ChoiceEditor(kinds[name], self) if is_choice else NumberEditor(kinds[name], context, self)
            )
        for name in _SWITCHES:
            self.editors[name] = SwitchEditor(kinds[name], self)
        self.curve = ShareCurveEditor(kinds["over_time"], context, self)
        self.curve.curve.shows_now = True
        self.editors["over_time"] = self.curve
        column.addWidget(Section("Parts of the body", self.body))
        column.addWidget(Section("Over time", self.editors["over_time"]))
        column.addWidget(Section("How", self._form()))
        self.note.setWordWrap(True)
        self.note.setForegroundRole(self.note.foregroundRole().PlaceholderText)
        column.addWidget(self.note)
        for button in (self.switch_on, self.ghost, self.convert):
            column.addWidget(button)
        self.switch_on.setToolTip("Let the edit Exaggerate of this clip work again")
        self.ghost.setToolTip("See the figure as it was beside the one that is exaggerated (G)")
        self.convert.setToolTip("Put target poses in the place of this edit, which you can refine one by one")
        column.addStretch(1)
        return self._inner

    def _amount_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(GRID)
        self.amount.setAccessibleName("Amount")
        self.amount.setToolTip(
            "How far apart extreme poses get: 1, at the mark, changes nothing; 2 is twice as far, 0.5 half. "
            "Left and Right step."
        )
        font = self.told.font()
        font.setBold(True)
        self.told.setFont(font)
        self.told.setMinimumWidth(6 * GRID)
        self.told.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(PlainLabel("Amount"))
        row.addWidget(self.amount, 1)
        row.addWidget(self.told)
        return row

    def _preset_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(GRID)
        self.presets.addItem("Choose…")
        for name in PRESETS:
            self.presets.addItem(name)
        self.presets.setAccessibleName("Preset")
        self.presets.setToolTip("Begin with settings that suit a purpose, and change them from there")
        row.addWidget(PlainLabel("Preset"))
        row.addWidget(self.presets, 1)
        return row

    def _form(self) -> QWidget:
        form = QWidget()
        layout = QFormLayout(form)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setHorizontalSpacing(GRID)
        layout.setVerticalSpacing(GRID // 2)
        for name in _HOW:
            layout.addRow(form_label(self.editors[name].what.setting.label, self.editors[name]), self.editors[name])
        for name in _SWITCHES:
            layout.addRow("", self.editors[name])
        return form

    def _scrolling(self, inner: QWidget) -> QScrollArea:
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(inner)
        return area

    def _connect(self) -> None:
        self._document.restarted.connect(self._on_restarted)
        self.amount.trying.connect(self._on_amount_trying)
        self.amount.chosen.connect(self._on_amount_chosen)
        self.amount.stepped.connect(self._on_amount_stepped)
        self.amount.cancelled.connect(self._on_cancelled)
        self.presets.activated.connect(self._on_preset)
        self.body.changing.connect(self._on_weights_changing)
        self.body.changed.connect(self._on_weights_changed)
        self.body.nudged.connect(self._on_weights_nudged)
        self.body.cancelled.connect(self._on_cancelled)
        for editor in self.editors.values():
            editor.changing.connect(self._on_changing)
            editor.changed.connect(self._on_changed)
            editor.nudged.connect(self._on_nudged)
            editor.cancelled.connect(self._on_cancelled)
            editor.refused.connect(self._say)
        self.switch_on.clicked.connect(self._on_switch_on)
        self.ghost.clicked.connect(self.ghost_wanted)
        self.convert.clicked.connect(self._on_convert)
        self._document.changed.connect(self._refresh)
        self._showing.changed.connect(self._refresh)
        self._session.changed.connect(self._on_view_changed)

    # What it shows

    @property
    def _clip(self) -> str | None:
        clip = self._session.view.clip
        return clip if clip is not None and clip in self._document.project else None

    @property
    def layer(self) -> Layer | None:
        """The exaggeration that is meant: the selected edit, or the clip's last one; None where there is none."""
        return None if self._clip is None else self._meant(self._document.project.clip(self._clip))

    def _meant(self, clip: Clip) -> Layer | None:
        layers = [one for one in clip.layers if isinstance(one.edit, Exaggerate)]
        chosen = [one for one in layers if one.id == self._session.view.layer]
        return chosen[0] if chosen else layers[-1] if layers else None

    @property
    def edit(self) -> Exaggerate:
        """The settings that are shown; without an edit those that change nothing."""
        layer = self.layer
        return layer.edit if layer is not None and isinstance(layer.edit, Exaggerate) else Exaggerate(1.0)

    def _takes(self) -> tuple[Take, Take] | None:
        """What the edit is given and what it makes of it; without an edit twice what is shown in the end."""
        shown, layer = self._showing.current, self.layer
        if shown is None:
            return None
        if layer is None:
            return shown.final, shown.final
        place = shown.clip.place_of(layer.id)
        if place + 1 >= len(shown.stages):
            return None
        return shown.stages[place].take, shown.stages[place + 1].take

    def set_awake(self, on: bool) -> None:
        """The panel comes to the front of its tabs, or goes behind another, where Qt counts it as visible still."""
        self._is_awake = on
        if on:
            self._refresh()

    @property
    def _is_seen(self) -> bool:
        return self._is_awake and self.isVisible()

    def _refresh(self, *_: object) -> None:
        self._pages.setCurrentIndex(0 if self._clip is None else 1)
        if self._clip is None or not self._is_seen:
            return  # what nobody sees is not measured
        layer, edit = self.layer, self.edit
        is_off = layer is not None and not layer.acts
        if not self.amount.is_dragged:
            self.amount.show_level(edit.amount / MOST)
        self.told.setText(f"{edit.amount:.2f} x")
        self.body.set_weights(edit.weights)
        for name, editor in self.editors.items():
            editor.set_value(getattr(edit, name))
        self.presets.setCurrentIndex(0)
        for widget in (self.amount, self.body, self.presets, *self.editors.values()):
            widget.setEnabled(not is_off)
        self.switch_on.setVisible(is_off)
        self.convert.setEnabled(layer is not None and not is_off and edit.amount != 1.0)
        self.note.setText(_noted(layer, is_off))
        self._show_extent()

    def _show_extent(self) -> None:
        takes = self._takes()
        if takes is None or takes[0].motion.frames < 2:
            self.extent.show_extents(None)
            return
        before, after = takes
        if self._known is None or self._known[0] is not before:
            self._measure(before)
            return
        _, frames, extent = self._known
        if after.motion.frames != before.motion.frames:
            self.extent.show_extents(None)
        else:
            self.extent.show_extents((extent, extent if after is before else body_extent(after.motion, frames)))

    def _measure(self, take: Take) -> None:
        """Find the extremes of a take, on a worker."""
        if self._measuring is not None:
            return  # when it is done, it is seen whether another is wanted
        derive = self._showing.evaluator.derived
        self._measuring = self._jobs.start("Measuring the extent", lambda tell: _measured(take, derive))
        self._measuring.finished.connect(self._on_measured)
        self._measuring.failed.connect(self._on_not_measured)

    def _on_restarted(self) -> None:
        self._known = None

    def _on_measured(self, known: tuple[Take, IntArray, float]) -> None:
        self._measuring, self._known = None, known
        self._show_extent()

    def _on_not_measured(self, reason: str) -> None:
        self._measuring = None
        self.extent.show_extents(None)

    def _say(self, text: str) -> None:
        self.note.setText(text)

    def _moment_s(self) -> float:
        return playhead_source_s(self._session, self._showing)

    def _frames_s(self, frames: float, is_moment: bool) -> float | None:
        return frames_long_s(frames, self._showing)

    def _length_s(self) -> float:
        shown = self._showing.current
        return 0.0 if shown is None else shown.source_s(shown.source.motion.duration_s)

    def _on_view_changed(self, before: View, after: View) -> None:
        if (before.clip, before.layer) != (after.clip, after.layer):
            self._refresh()
        elif before.time_s != after.time_s and self._is_seen:
            self.curve.curve.set_time(self._length_s(), self._moment_s())

    # What hands do

    @property
    def _kept(self) -> Layer | None:
        """The exaggeration that is meant as it is without what is being tried out; None where it is not there then."""
        clip, committed = self._clip, self._document.committed
        return None if clip is None or clip not in committed else self._meant(committed.clip(clip))

    def _call(self, changes: Mapping[str, Any]) -> tuple[Command, *tuple[Any, ...]] | None:
        """The command that gives the clip other settings; None, and told, where that cannot be."""
        clip, kept = self._clip, self._kept
        if clip is None:
            return None
        try:
            if kept is None:  # the body stays where it is seen
                return add_edit, clip, replace(Exaggerate(1.0, time_s=self._moment_s()), **changes)
            assert isinstance(kept.edit, Exaggerate)
            return change_edit, clip, kept.id, replace(kept.edit, **changes)
        except (ValueError, TypeError) as error:
            self._say(str(error))
            return None

    def _try(self, changes: Mapping[str, Any]) -> None:
        if (call := self._call(changes)) is not None:
            self._document.preview(*call)

    def _keep(self, changes: Mapping[str, Any], merge: str | None = None) -> None:
        call = self._call(changes)
        if call is None:
            self._document.cancel()
        elif merge is not None:
            self._document.do(*call, merge=merge)
        else:
            self._document.preview(*call)  # and never what was before: what is selected would be let go
            self._document.commit()
        self._refresh()

    def _on_cancelled(self, *_: object) -> None:
        self._document.cancel()
        self._refresh()

    def _on_amount_trying(self, level: float) -> None:
        self._try({"amount": _snapped(level)})

    def _on_amount_chosen(self, level: float) -> None:
        self._keep({"amount": _snapped(level)})

    def _on_amount_stepped(self, level: float) -> None:
        self._keep({"amount": round(MOST * level, 2)}, "exaggerate amount")

    def _on_preset(self, row: int) -> None:
        if row > 0:
            plain = {name: getattr(Exaggerate(), name) for name in ("keep_legs", "jumps", *self.body.weights)}
            self._keep({**plain, **PRESETS[self.presets.itemText(row)]})

    def _on_weights_changing(self, weights: Mapping[str, float]) -> None:
        self._try(weights)

    def _on_weights_changed(self, weights: Mapping[str, float]) -> None:
        self._keep(weights)

    def _on_weights_nudged(self, weights: Mapping[str, float]) -> None:
        self._keep(weights, f"exaggerate {self.body.chosen}")

    def _on_changing(self, name: str, value: object) -> None:
        self._try({name: value})

    def _on_changed(self, name: str, value: object) -> None:
        self._keep({name: value})

    def _on_nudged(self, name: str, value: object) -> None:
        self._keep({name: value}, f"exaggerate {name}")

    def _on_switch_on(self) -> None:
        if self._clip is not None and self.layer is not None:
            self._document.do(switch_edit, self._clip, self.layer.id, on=True)

    def _on_convert(self) -> None:
        takes, layer, shown = self._takes(), self.layer, self._showing.current
        if takes is None or layer is None or shown is None or self._clip is None:
            return
        to_source = shown.stages[shown.clip.place_of(layer.id)].time_map.inverse()
        clip, edit, before, derive = self._clip, self.edit, takes[0], self._showing.evaluator.derived
        self.convert.setEnabled(False)
        job = self._jobs.start(
            "Making target poses", lambda tell: (clip, layer.id, edit, edit.as_poses(before, to_source, derive))
        )
        job.finished.connect(self._on_converted)
        job.failed.connect(self._say)

    def _on_converted(self, made: tuple[str, str, Exaggerate, tuple[TargetPose, ...]]) -> None:
        clip, layer, edit, poses = made
        committed = self._document.committed
        layers = committed.clip(clip).layers if clip in committed else ()
        if any(one.id == layer and one.edit == edit for one in layers):  # else it was changed meanwhile
            self._document.do(exaggerate_by_poses, clip, layer, poses)
        self._refresh()

    # Qt

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh()


def _snapped(level: float) -> float:
    amount = MOST * level
    return 1.0 if abs(amount - 1.0) < _SNAP else round(amount, 2)


def _measured(take: Take, derive: Deriver) -> tuple[Take, IntArray, float]:
    frames = extreme_frames(take, derive)
    return take, frames, body_extent(take.motion, frames)


def _noted(layer: Layer | None, is_off: bool) -> str:
    if is_off:
        return "The edit is switched off."
    if layer is None:
        return "Move the slider, and an edit keeps what you see. Extreme poses are those of the timeline."
    return "Kept in the edit “Exaggerate”. Extreme poses are those of the timeline; correct them there."
