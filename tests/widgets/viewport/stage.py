"""A document, a session and what is shown of them, worked out at once, for tests of views."""

import numpy as np
from PySide6.QtCore import QObject, Signal

from editor.contacts.detect import find_contacts
from editor.document.document import Document
from editor.document.session import Session
from editor.document.showing import Shown
from editor.stack.evaluator import Evaluator
from model.clip import Take
from model.project import Project
from model.skeleton import Skeleton
from tests.clips import stepping_figure
from tests.stacks import stack


class Shows(QObject):
    """Stands for `Showing`, without threads."""

    changed = Signal()

    def __init__(self, document, session):
        super().__init__()
        self._document, self._session = document, session
        self.evaluator = Evaluator()
        self.failure = None
        self.waiting = False
        document.changed.connect(self.changed)
        session.changed.connect(self._on_view_changed)

    @property
    def current(self):
        view = self._session.view
        return None if view.clip is None or self.waiting else self._shown(view.clip, view.layer)

    @property
    def is_late(self):
        return self.waiting

    @property
    def compared(self):
        return tuple(self._shown(clip, None) for clip in self._session.view.compared)

    @property
    def duration_s(self):
        return self.current.take.motion.duration_s

    def _shown(self, clip_id, layer):
        clip = self._document.project.clip(clip_id)
        stages = self.evaluator.stages(self._document.project, clip_id)
        place = len(stages) - 1 if layer is None else clip.place_of(layer) + 1
        return Shown(clip, stages, place, self.evaluator)

    def _on_view_changed(self, before, after):
        if (before.clip, before.layer, before.compared) != (after.clip, after.layer, after.compared):
            self.changed.emit()


def desk(*edits, empty=False, source=None):
    """A document, its session and what is shown."""
    document = Document(Project() if empty else stack(*edits, source=source))
    session = Session(document)
    return document, session, Shows(document, session)


def stepping_take(**options):
    motion, _ = stepping_figure(**options)
    return Take(motion, find_contacts(motion, hands=True))


def blob():
    """Something with joints that is nobody: a chain without roles, as long as a snake."""
    names = tuple(f"part{n}" for n in range(5))
    offsets = np.array([[0.0, 0.1, 0.0]] + [[0.0, 0.0, 0.4]] * 4)
    return Skeleton(names, (-1, 0, 1, 2, 3), offsets)
