"""A clip whose extremes are known, with its extremes found without a worker's thread."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication

from editor.document.document import Document
from editor.document.jobs import Job
from editor.document.session import Session
from editor.document.showing import Showing
from model.clip import Clip, Layer, Source, Take
from model.contacts import Contacts
from model.motion import Motion
from model.project import Project
from model.rotation import from_axis_angle
from tests.clips import X, figure
from tests.widgets.timeline.shown import AtOnce
from widgets.extrema.extrema import Extrema

FPS, FRAMES = 30.0, 91


@dataclass(frozen=True)
class Swinging(Source):
    """A person who hangs and swings the legs, one forward, one back, less and less: a swing takes a second."""

    kind: ClassVar = "swinging"
    title: ClassVar = "Swinging"
    frames: int = FRAMES

    def make(self, context):
        skeleton = figure()
        time_s = np.arange(self.frames) / FPS
        rotations = np.tile([1.0, 0.0, 0.0, 0.0], (self.frames, len(skeleton), 1))
        swing = 0.6 * np.exp(-0.8 * time_s) * np.sin(2.0 * np.pi * time_s)
        rotations[:, skeleton.find("LeftUpLeg")] = from_axis_angle(X, -swing)
        rotations[:, skeleton.find("RightUpLeg")] = from_axis_angle(X, swing)
        roots = np.tile(skeleton.offsets[0], (self.frames, 1))
        motion = Motion(skeleton, 1.0 / FPS, roots, rotations, skeleton.offsets)
        return Take(motion, Contacts(self.frames, {}, 0.0))


class JobsAtOnce(QObject):
    """Jobs that are done at the next turn of the event loop."""

    def __init__(self):
        super().__init__()
        self.started = 0

    def start(self, title, work):
        self.started += 1
        job = Job(title, work, self)
        QTimer.singleShot(0, job, job.run)
        return job


@dataclass
class Desk:
    document: Document
    session: Session
    showing: Showing
    jobs: JobsAtOnce
    extrema: Extrema

    def settle(self):
        """Wait until extremes are found."""
        for _ in range(200):
            QApplication.processEvents()
            if self.extrema.measured is not None or self.extrema.failure is not None:
                return
            if self.extrema._timer.isActive():
                self.extrema._timer.start(0)

    @property
    def frames(self):
        """Where extremes are, without the ends."""
        return [round(one.time_s * FPS, 3) for one in self.extrema.extremes if not one.is_end]

    def at(self, frame):
        return next(one for one in self.extrema.extremes if abs(one.time_s * FPS - frame) < 1.5 and not one.is_end)


def desk(*edits, source=None):
    layers = tuple(Layer(f"e{place}", edit) for place, edit in enumerate(edits))
    clips = () if source is False else (Clip("1", "Clip", source or Swinging(), layers),)
    document = Document(Project(clips, 10))
    session = Session(document)
    showing = Showing(document, session, AtOnce())
    jobs = JobsAtOnce()
    made = Desk(document, session, showing, jobs, Extrema(document, session, showing, jobs))
    made.settle()
    return made
