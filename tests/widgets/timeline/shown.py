"""A clip with contacts that the tests choose, shown without a worker's thread, and hands to move things."""

from dataclasses import dataclass, replace
from typing import ClassVar

from PySide6.QtCore import QEvent, QObject, QPointF, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from editor.document.document import Document
from editor.document.session import Session
from editor.document.showing import Showing
from editor.stack.evaluator import Evaluator, SourceError
from model.clip import Clip, Layer, Source, Take
from model.contacts import Contact, Contacts
from model.motion import rest_motion
from model.project import Project
from tests.activating import activate
from tests.clips import figure
from widgets.contacts.lane import ContactLane
from widgets.timeline.timeline import Timeline

LEFT, RIGHT = "left_foot", "right_foot"
STEPS = ((LEFT, 10, 30), (LEFT, 50, 70), (RIGHT, 25, 55), (RIGHT, 80, 90))


@dataclass(frozen=True)
class Standing(Source):
    """A person whose feet touch the ground when they are told to: (limb, start, stop) in frames."""

    kind: ClassVar = "standing"
    title: ClassVar = "Standing"
    frames: int = 90
    fps: float = 30.0
    steps: tuple = STEPS
    first_frame: int = 0

    def make(self, context):
        motion = replace(rest_motion(figure(), 1.0 / self.fps, self.frames), first_frame=self.first_frame)
        limbs = {LEFT: [], RIGHT: []}
        for limb, start, stop in self.steps:
            limbs.setdefault(limb, []).append(Contact(start, stop))
        return Take(motion, Contacts(self.frames, {limb: tuple(all_) for limb, all_ in limbs.items()}, 0.0))


class AtOnce(QObject):
    """Evaluations that are there when they are wanted; or, held back, when they are let go."""

    evaluated = Signal(str, object)
    failed = Signal(str, str)

    def __init__(self):
        super().__init__()
        self.evaluator = Evaluator()
        self.held_back = False
        self._wanted = None

    def want(self, project, clip_id):
        self._wanted = None
        if self.held_back:
            known = self.evaluator.known(project, clip_id)
            if known is None:
                self._wanted = (project, clip_id)
            return known
        try:
            return self.evaluator.stages(project, clip_id)
        except SourceError as error:
            self.failed.emit(clip_id, str(error))
            return None

    def is_waiting(self, clip_id):
        return self._wanted is not None and self._wanted[1] == clip_id

    def let_go(self):
        if self._wanted is not None:
            (project, clip_id), self._wanted = self._wanted, None
            self.evaluated.emit(clip_id, self.evaluator.stages(project, clip_id))


@dataclass
class Shown:
    document: Document
    session: Session
    showing: Showing
    evaluations: AtOnce

    def contacts(self, limb):
        """The contacts of a limb that are shown, as (start, stop)."""
        found = self.showing.current.take.contacts.limbs.get(limb, ())
        return [(contact.start, contact.stop) for contact in found]


def shown_clip(*edits, source=None):
    """A document whose only clip has these edits; without clip for source=False."""
    layers = tuple(Layer(f"e{place}", edit) for place, edit in enumerate(edits))
    clips = () if source is False else (Clip("1", "Clip", source or Standing(), layers),)
    document = Document(Project(clips, 10))
    session = Session(document)
    evaluations = AtOnce()
    return Shown(document, session, Showing(document, session, evaluations), evaluations)


def shown_timeline(application, *edits, source=None, width=1000, height=260):
    """The same with a timeline in a window."""
    shown = shown_clip(*edits, source=source)
    timeline = Timeline(shown.document, shown.session, shown.showing)
    timeline.add_lane(ContactLane(shown.document, shown.session, shown.showing, timeline), at=50)
    timeline.resize(width, height)
    timeline.show()
    activate(timeline)
    application.processEvents()
    return shown, timeline


def mouse(widget, kind, x, y, modifiers=Qt.KeyboardModifier.NoModifier, button=Qt.MouseButton.LeftButton):
    """One event of the mouse; the button is held while it moves."""
    held = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseButtonRelease else button
    point = QPointF(x, y)
    of = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseMove else button
    QApplication.sendEvent(widget, QMouseEvent(kind, point, widget.mapToGlobal(point), of, held, modifiers))


def press(widget, x, y, modifiers=Qt.KeyboardModifier.NoModifier, button=Qt.MouseButton.LeftButton):
    mouse(widget, QEvent.Type.MouseButtonPress, x, y, modifiers, button)


def move(widget, x, y, modifiers=Qt.KeyboardModifier.NoModifier, button=Qt.MouseButton.LeftButton):
    mouse(widget, QEvent.Type.MouseMove, x, y, modifiers, button)


def release(widget, x, y, modifiers=Qt.KeyboardModifier.NoModifier, button=Qt.MouseButton.LeftButton):
    mouse(widget, QEvent.Type.MouseButtonRelease, x, y, modifiers, button)


def drag(widget, start, stop, y, modifiers=Qt.KeyboardModifier.NoModifier, button=Qt.MouseButton.LeftButton):
    """Press at x = start, move in some steps to x = stop, let go."""
    press(widget, start, y, modifiers, button)
    for step in range(1, 6):
        move(widget, start + (stop - start) * step / 5, y, modifiers, button)
    release(widget, stop, y, modifiers, button)
