"""The panel that puts the clip on another body: a list of characters, both bodies, and which joint follows which."""

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSplitter, QVBoxLayout, QWidget

from editor.document.document import Document
from editor.document.jobs import Job, Jobs
from editor.document.session import Session, View
from editor.document.showing import Showing
from editor.retarget.carry import spine_moves
from editor.retarget.character import character_of, stance_of
from editor.retarget.commands import guess_follows, remove_character, retarget_to, set_follows
from editor.retarget.edit import Retarget
from editor.retarget.mapping import followers, joint_pairs, unmoved
from editor.stack.command import Command
from editor.stack.evaluator import Evaluator
from model.character import Character, with_usual_limbs
from model.clip import Clip, Layer, Take
from model.files.formats import read_motion
from model.skeleton import Skeleton
from widgets.common.plain_label import PlainLabel
from widgets.common.theme import GRID
from widgets.retarget.bodies_view import SOURCE, TARGET, BodiesView, Shape
from widgets.retarget.character_list import CharacterList
from widgets.retarget.pair_tree import GUESS, NOTHING, PairTree

_CHOOSE = "Choose a body at the left to put the clip on it."
_OPEN = "Open a clip, then choose a body here to put it on."
_HINT = "Drag from a joint of the motion to the one that should follow it."


class RetargetPanel(QWidget):
    """Works on the selected retarget edit, else on the clip's last one, else makes one. file_wanted : a body is to be
    read from a file; `put_on_file` does it.
    """

    file_wanted = Signal()

    def __init__(
        self,
        document: Document,
        session: Session,
        showing: Showing,
        jobs: Jobs,
        evaluator: Evaluator,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._document, self._session, self._showing = document, session, showing
        self._jobs, self._evaluator = jobs, evaluator
        self._is_awake = True
        self._looking: Job | None = None
        self._looked_for: Skeleton | None = None
        self._source: tuple[Skeleton, Shape] | None = None  # the motion's skeleton, and how its body is drawn
        self._reading: Job | None = None
        self._reading_for: tuple[str, bool] | None = None  # the clip, and whether the body is kept
        self._picked: int | None = None
        self.characters = CharacterList()
        self.file_button = QPushButton("From a file…")
        self.file_button.setToolTip("Take the body of a motion file, or of an ASF skeleton, and keep it in the project")
        self.bodies = BodiesView()
        self.pairs = PairTree()
        self.guess_button = QPushButton("Guess again")
        self.guess_button.setToolTip("Forget what was set by hand: what joints follow is guessed from roles and names")
        self.told = PlainLabel()
        self.told.setWordWrap(True)
        self.told.setForegroundRole(self.told.foregroundRole().PlaceholderText)
        self._lay_out()
        self._connect()

    def put_on(self, character: Character, keep: bool = False) -> None:
        """Put the clip that is looked at on a character. keep : keep it in the project."""
        clip, layer = self._clip, self._layer
        if clip is None:
            self.told.setText(_OPEN)
            return
        known = {one.id for one in clip.layers}
        if not self._do(retarget_to, clip.id, character, None if layer is None else layer.id, keep):
            return
        new = [one.id for one in self._document.project.clip(clip.id).layers if one.id not in known]
        self._session.look(layer=new[0] if new else self._session.view.layer)

    def put_on_file(self, path: str | Path) -> None:
        """Put the clip on the body of a file, and keep that in the project."""
        self._read(f"Reading {Path(path).name}", lambda: _body_in(Path(path)), keep=True)

    def put_on_clip(self, clip_id: str) -> None:
        """Put the clip on the body of another."""
        project, evaluator = self._document.project, self._evaluator
        name = project.clip(clip_id).name
        self._read(f"Looking at {name}", lambda: _body_of(evaluator.take(project, clip_id), name), keep=False)

    # How

    def _lay_out(self) -> None:
        left, right = QWidget(), QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID // 2)
        column.addWidget(self.characters, 1)
        column.addWidget(self.file_button)
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID // 2)
        column.addWidget(self.pairs, 1)
        row = QHBoxLayout()
        row.addWidget(self.told, 1)
        row.addWidget(self.guess_button)
        column.addLayout(row)
        self._parts = QSplitter(Qt.Orientation.Horizontal)
        self._parts.setChildrenCollapsible(False)
        for part in (left, self.bodies, right):
            self._parts.addWidget(part)
        self._parts.setStretchFactor(1, 1)
        self._parts.setSizes([24 * GRID, 70 * GRID, 42 * GRID])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(GRID // 2, GRID // 2, GRID // 2, GRID // 2)
        layout.addWidget(self._parts)

    def _connect(self) -> None:
        self.characters.chosen.connect(self._on_chosen)
        self.characters.removed.connect(self._on_removed)
        self.file_button.clicked.connect(self.file_wanted)
        self.bodies.chosen.connect(self._on_joint_chosen)
        self.bodies.paired.connect(self._on_corrected)
        self.pairs.picked.connect(self._on_picked)
        self.pairs.corrected.connect(self._on_corrected)
        self.guess_button.clicked.connect(self._on_guess)
        self._document.changed.connect(self._refresh)
        self._session.changed.connect(self._on_view_changed)
        self._showing.changed.connect(self._refresh)

    @property
    def _clip(self) -> Clip | None:
        clip = self._session.view.clip
        return self._document.project.clip(clip) if clip is not None and clip in self._document.project else None

    @property
    def _layer(self) -> Layer | None:
        """The edit that is worked on: the selected one, else the clip's last."""
        clip = self._clip
        layers = [] if clip is None else [one for one in clip.layers if isinstance(one.edit, Retarget)]
        selected = [one for one in layers if one.id == self._session.view.layer]
        found = selected or layers
        return found[-1] if found else None

    def _take_before(self) -> Take | None:
        """What the edit is given, or would be; None where that is not worked out yet."""
        clip, layer, shown = self._clip, self._layer, self._showing.current
        if clip is None or shown is None or shown.clip.id != clip.id:
            return None
        if layer is None:
            return shown.final
        place = clip.place_of(layer.id)
        return shown.stages[place].take if place < len(shown.stages) else None

    def set_awake(self, on: bool) -> None:
        """The panel comes to the front of its tabs, or goes behind another, where Qt counts it as visible still."""
        self._is_awake = on
        if on:
            self._refresh()

    def _refresh(self, *_: object) -> None:
        if not (self._is_awake and self.isVisible()):
            return
        clip, layer = self._clip, self._layer
        edit = layer.edit if layer is not None and isinstance(layer.edit, Retarget) else None
        self.characters.show_characters(
            self._document.project, None if clip is None else clip.id, None if edit is None else edit.to
        )
        self.characters.setEnabled(clip is not None)
        self.file_button.setEnabled(clip is not None)
        self._show_source()
        self._show_target(edit)

    def _show_source(self) -> None:
        take = self._take_before()
        if take is None:
            self.bodies.set_body(SOURCE, None, _OPEN if self._clip is None else "Working out the clip …")
            return
        skeleton = take.motion.skeleton
        if self._source is not None and self._source[0] is skeleton:
            self.bodies.set_body(SOURCE, self._source[1])
        elif self._looking is None:
            name = "" if self._clip is None else self._clip.name
            self._looked_for = skeleton
            self._looking = self._jobs.start(f"Looking at the body of {name}", lambda tell: _shape_of(take, name))
            self._looking.over.connect(self._on_looked)

    def _on_looked(self, job: Job) -> None:
        self._looking = None
        if isinstance(job.result, Shape) and self._looked_for is not None:
            self._source = (self._looked_for, job.result)
            self._refresh()

    def _show_target(self, edit: Retarget | None) -> None:
        take = self._take_before()
        self.guess_button.setEnabled(edit is not None and bool(edit.mapping))
        self.pairs.setEnabled(edit is not None and take is not None)
        if edit is None or take is None:
            self.bodies.set_body(TARGET, None, _CHOOSE if self._clip is not None else "")
            self.bodies.set_follows({})
            self.pairs.show_pairs(None, None, {}, frozenset())
            self.told.setText("")
            return
        source, target = with_usual_limbs(take.motion), edit.to.skeleton
        pairs = joint_pairs(source, target, edit.mapping)
        found = followers(source, target, pairs, edit.mapping, not spine_moves(take.motion))
        follows = {one.joint: one.sources for one in found}
        by_hand = {target.resolve(pair.target) for pair in edit.mapping}
        self.bodies.set_body(TARGET, Shape.of(edit.to.name, target, edit.to.stance))
        self.bodies.set_follows(follows)
        self.pairs.show_pairs(source, target, follows, frozenset(joint for joint in by_hand if joint is not None))
        alone = len(unmoved(target, found))
        self.told.setText(f"{alone} {'joint follows' if alone == 1 else 'joints follow'} nothing." if alone else _HINT)
        if self._picked is not None and self._picked >= len(target):
            self._pick(None)

    def _do(self, command: Command, *arguments: object) -> bool:
        try:
            self._document.do(command, *arguments)
        except ValueError as error:
            text = str(error)
            self.told.setText(text[:1].upper() + text[1:])
            return False
        return True

    def _read(self, title: str, work: object, keep: bool) -> None:
        """Look for a body away from the interface, then put the clip on it."""
        clip = self._clip
        if clip is None or self._reading is not None:
            return
        self._reading_for = (clip.id, keep)
        self.told.setText(f"{title} …")
        self._reading = self._jobs.start_reading(title, lambda tell: work())  # type: ignore[operator]
        self._reading.over.connect(self._on_read)

    def _on_read(self, job: Job) -> None:
        self._reading = None
        clip_id, keep = self._reading_for or ("", False)
        if isinstance(job.result, Character):
            if self._session.view.clip == clip_id:
                self.put_on(job.result, keep)
        elif job.reason is not None:
            self.told.setText(job.reason)

    # What is heard

    def _on_view_changed(self, before: View, after: View) -> None:
        if (before.clip, before.layer) != (after.clip, after.layer):  # and not for every frame that is played
            self._refresh()

    def _on_chosen(self, what: object) -> None:
        if isinstance(what, Character):
            self.put_on(what)
        elif isinstance(what, str):
            self.put_on_clip(what)

    def _on_removed(self, name: str) -> None:
        self._do(remove_character, name)

    def _on_joint_chosen(self, which: int, joint: int) -> None:
        if which == TARGET:
            self._pick(joint)
            return
        clip, layer, take = self._clip, self._layer, self._take_before()
        if clip is None or layer is None or take is None or not isinstance(layer.edit, Retarget):
            return
        pairs = joint_pairs(with_usual_limbs(take.motion), layer.edit.to.skeleton, layer.edit.mapping)
        self._pick(next((ours for ours, theirs in pairs.items() if theirs == joint), None))

    def _on_picked(self, joint: int) -> None:
        self._pick(None if joint < 0 else joint)

    def _pick(self, joint: int | None) -> None:
        self._picked = joint
        self.bodies.select(joint)
        self.pairs.pick(joint)

    def _on_corrected(self, joint: int, follows: int) -> None:
        clip, layer, take = self._clip, self._layer, self._take_before()
        if clip is None or layer is None or take is None or not isinstance(layer.edit, Retarget):
            return
        source, target = take.motion.skeleton, layer.edit.to.skeleton
        ours = target.ref(joint)
        guessed = joint_pairs(source, target, tuple(one for one in layer.edit.mapping if one.target != ours))
        if follows == GUESS or guessed.get(joint, NOTHING) == follows:
            self._do(guess_follows, clip.id, layer.id, (ours,))
        else:
            self._do(set_follows, clip.id, layer.id, ours, None if follows == NOTHING else source.ref(follows))
        self._pick(joint)

    def _on_guess(self) -> None:
        clip, layer = self._clip, self._layer
        if clip is not None and layer is not None:
            self._do(guess_follows, clip.id, layer.id)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh()


def _shape_of(take: Take, name: str) -> Shape:
    return Shape.of(name, with_usual_limbs(take.motion), stance_of(take.motion, take.contacts))


def _body_of(take: Take, name: str) -> Character:
    return character_of(name, take.motion, take.contacts)


def _body_in(path: Path) -> Character:
    return character_of(path.stem, read_motion(path).motion)
