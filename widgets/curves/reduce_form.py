"""Reduce to keys: asks how far keys may lead away from the motion, works them out and puts them on the clip."""

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QFormLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from editor.curves.channels import VECTOR
from editor.curves.edit import CurveKeys
from editor.curves.reduce import Progress, Reduction, Tolerance, reduce_to_keys
from editor.document.document import Document
from editor.document.jobs import Job, Jobs
from editor.document.session import Session
from editor.document.showing import Showing, Shown
from editor.stack.evaluator import Stage
from editor.stack.layers import add_edit, change_edit
from model.clip import Clip
from model.measures import Measure
from widgets.common.number_field import NumberField
from widgets.common.plain_label import PlainLabel
from widgets.common.theme import GRID

_CENTIMETRES = Measure("", "cm", 1.0, 2, 0, 0.1)
_DEGREES = Measure("", "°", 1.0, 2, 0, 0.1)
_LEAST, _MOST = 0.01, 100.0


class ReduceForm(QWidget):
    """A window of its own that stays open: with another tolerance its keys are made anew in the same edit."""

    made = Signal()  # keys are on the clip

    def __init__(
        self, document: Document, session: Session, showing: Showing, jobs: Jobs, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, Qt.WindowType.Tool)
        self._document = document
        self._session = session
        self._showing = showing
        self._jobs = jobs
        self._job: Job | None = None
        self._reduced: Clip | None = None  # the clip as it was when the job began
        self._made: tuple[str, str] | None = None  # the clip and the edit that hold the keys made last
        self.setWindowTitle("Reduce to keys")
        self.kind = QComboBox()
        self.kind.addItems(["Centimetres", "Degrees"])
        self.kind.setAccessibleName("Tolerance in")
        self.kind.setToolTip("Whether joints keep their places, in cm, or their turns, in degrees")
        self.centimetres = self._make_field("Tolerance in centimetres", _CENTIMETRES, "place in the world, in cm")
        self.degrees = self._make_field("Tolerance in degrees", _DEGREES, "turn against its parent, in degrees")
        self.space = QComboBox()
        self.space.addItems(["Euler angles", "Rotation vectors"])
        self.space.setAccessibleName("Curves of")
        self.space.setToolTip("Which numbers get keys: Euler angles in each joint's order, or rotation vectors")
        self.start = QPushButton("Reduce")
        self.start.setToolTip("Put an edit on the clip whose keys stand in the place of all its frames")
        self.told = PlainLabel("Keys at the extremes, and as many more as the tolerance needs.")
        self._lay_out()
        self.kind.currentIndexChanged.connect(self._on_kind)
        self.start.clicked.connect(self.reduce)
        showing.changed.connect(self._on_shown)
        document.restarted.connect(self._on_restarted)
        self._on_kind(0)
        self._on_shown()

    @property
    def tolerance(self) -> Tolerance:
        """What is asked for."""
        if self.kind.currentIndex() == 0:
            return Tolerance(centimetres=self.centimetres.value)
        return Tolerance(degrees=self.degrees.value)

    def reduce(self) -> None:
        """Work out the keys of the clip that is looked at."""
        shown = self._showing.current
        if shown is None or self._job is not None:
            return
        if len(shown.stages) != len(shown.clip.layers) + 1:
            self.told.setText("The clip is still being worked out. Try again in a moment.")
            return
        stage, tolerance = self._input(shown), self.tolerance
        space = VECTOR if self.space.currentIndex() == 1 else None
        self._reduced = shown.clip
        self._job = self._jobs.start(
            f"Reducing {shown.clip.name}", lambda tell: _reduced(stage, tolerance, space, tell)
        )
        self._job.finished.connect(self._on_finished)
        self._job.failed.connect(self._on_failed)
        self._job.cancelled.connect(self._on_cancelled)
        self.told.setText("Working …")
        self._on_shown()

    # How

    def _make_field(self, name: str, measure: Measure, what: str) -> NumberField:
        field = NumberField(name, measure, _LEAST, _MOST)
        field.set_value(1.0)
        field.set_tip(f"How far any joint may be from its {what}, at any frame.")
        return field

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        layout.setSpacing(GRID)
        form = QFormLayout()
        row = QHBoxLayout()
        for part in (self.centimetres, self.degrees, self.kind):
            row.addWidget(part)
        form.addRow("Tolerance", row)
        form.addRow("Curves of", self.space)
        layout.addLayout(form)
        self.told.setWordWrap(True)
        self.told.setMinimumHeight(5 * GRID)
        self.told.setAlignment(Qt.AlignmentFlag.AlignTop)
        layout.addWidget(self.told, 1)
        layout.addWidget(self.start, alignment=Qt.AlignmentFlag.AlignRight)
        self.setMinimumWidth(40 * GRID)

    def _own_layer(self, clip_id: str) -> str | None:
        """The topmost edit of a clip, where this form made it: its keys are made anew, not put on top of it."""
        if clip_id not in self._document.project:
            return None
        layers = self._document.project.clip(clip_id).layers
        if not layers or self._made != (clip_id, layers[-1].id):
            return None
        # After an undo the next edit, whatever it is, is called by the same id.
        edit = layers[-1].edit
        return layers[-1].id if isinstance(edit, CurveKeys) and all(one.absolute for one in edit.curves) else None

    def _input(self, shown: Shown) -> Stage:
        """What is reduced: the finished clip, without the keys that this form made of it."""
        return shown.stages[-1] if self._own_layer(shown.clip.id) is None else shown.stages[-2]

    def _on_finished(self, reduction: Reduction) -> None:
        self._job = None
        if self._is_as_it_was():
            self._put(reduction)
            self.told.setText(
                f"{reduction.keys:,} keys, {100.0 * reduction.share:.1f} % of the numbers that they stand for. Joints "
                f"are at most {reduction.worst_degrees:.2f}° and {reduction.worst_centimetres:.2f} cm off."
            )
        else:
            self.told.setText("The clip was changed meanwhile, so nothing was done. Reduce it again.")
        self._on_shown()

    def _on_restarted(self) -> None:
        self._reduced = self._made = None

    def _is_as_it_was(self) -> bool:
        """Whether the clip still is what was reduced: its keys stand in the place of everything below them."""
        clip, project = self._reduced, self._document.committed
        if clip is None or clip.id not in project:
            return False
        now = project.clip(clip.id)
        return (now.source, now.layers) == (clip.source, clip.layers)

    def _put(self, reduction: Reduction) -> None:
        """Put the keys on the clip, or make those that were put there anew."""
        assert self._reduced is not None
        clip, edit = self._reduced.id, CurveKeys(reduction.curves)
        layer = self._own_layer(clip)
        if layer is None:
            self._document.do(add_edit, clip, edit)
        else:
            self._document.do(change_edit, clip, layer, edit)
        self._made = (clip, self._document.project.clip(clip).layers[-1].id)
        if self._session.view.clip == clip:
            self._session.look(layer=self._made[1])
        self.made.emit()

    def _on_failed(self, reason: str, details: str) -> None:
        self._job = None
        self.told.setText(reason)
        self._on_shown()

    def _on_cancelled(self) -> None:
        self._job = None
        self.told.setText("Cancelled.")
        self._on_shown()

    def _on_kind(self, place: int) -> None:
        self.centimetres.setVisible(place == 0)
        self.degrees.setVisible(place == 1)

    def _on_shown(self) -> None:
        self.start.setEnabled(self._showing.current is not None and self._job is None)


def _reduced(stage: Stage, tolerance: Tolerance, space: str | None, tell: Progress) -> Reduction:
    """On a worker: the keys of a stage, in the source's time."""
    motion = stage.take.motion
    times_s = stage.time_map.inverse()(np.arange(float(motion.frames)) * motion.frame_time_s)
    return reduce_to_keys(motion, times_s, tolerance, space, progress=tell)
