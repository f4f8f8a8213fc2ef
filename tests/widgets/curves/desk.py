"""A clip whose curves are known, shown in a curve editor without a worker's thread, and hands to move its keys."""

import time
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from editor.contacts.detect import find_contacts
from editor.curves.channels import Channel, dense
from editor.document.document import Document
from editor.document.session import Session
from editor.document.showing import Showing
from model.clip import Clip, Layer, Source, Take
from model.project import Project
from model.rotation import from_axis_angle
from tests.activating import activate
from tests.clips import figure, waving_figure
from tests.widgets.timeline.shown import AtOnce
from widgets.curves.panel import make_curve_editor
from widgets.timeline.timeline import Timeline

FPS = 30.0
FRAMES = 90
KNEE = figure().ref(figure().find("LeftLeg"))
ELBOW = figure().ref(figure().find("LeftForeArm"))
HIPS = figure().ref(figure().find("Hips"))
KNEE_X, KNEE_Y, KNEE_Z = (Channel(KNEE, "ZXY", axis) for axis in "XYZ")
NONE = Qt.KeyboardModifier.NoModifier
SHIFT, CTRL, ALT = (
    Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier,
)  # fmt: skip


@dataclass(frozen=True)
class Bending(Source):
    """A person who waves and bends the left knee: X from 0 to 40 degrees and back, Y and Z at rest."""

    kind: ClassVar = "bending"
    title: ClassVar = "Bending"

    def make(self, context):
        motion = waving_figure(FRAMES, FPS)
        rotations = np.array(motion.local_rotations)
        angle = np.radians(20.0) * (1.0 - np.cos(2.0 * np.pi * np.arange(FRAMES) / (FRAMES - 1)))
        rotations[:, motion.skeleton.find("LeftLeg")] = from_axis_angle(np.array([1.0, 0.0, 0.0]), angle)
        motion = replace(motion, local_rotations=rotations)
        return Take(motion, find_contacts(motion))


class Desk:
    """Everything together, the left knee selected."""

    def __init__(self, application, *edits, joints=(KNEE,), size=(1100, 420), source=None):
        layers = tuple(Layer(f"e{place}", edit) for place, edit in enumerate(edits))
        self.document = Document(Project((Clip("1", "Clip", source or Bending(), layers),), 10))
        self.session = Session(self.document)
        self.evaluations = AtOnce()
        self.showing = Showing(self.document, self.session, self.evaluations)
        self.timeline = Timeline(self.document, self.session, self.showing)
        self.editor = make_curve_editor(self.document, self.session, self.showing, self.timeline)
        self.session.look(joints=tuple(joints))
        self.editor.resize(*size)
        self.editor.show()
        activate(self.editor)
        self.plot, self.editing = self.editor.plot, self.editor.editing
        self.plot.setFocus()
        for _ in range(100):  # the keyboard comes a moment after the window
            application.processEvents()
            if self.plot.hasFocus():
                break
            time.sleep(0.01)

    @property
    def edit(self):
        """The topmost edit."""
        return self.document.project.clips[0].layers[-1].edit

    def keys_of(self, channel=KNEE_X):
        """The keys of a channel, as (frame, degrees)."""
        curve = self.edit.curve(channel)
        if curve is None:
            return []
        return [(round(key.time_s * FPS, 3), round(np.degrees(key.value), 3)) for key in curve.keys.keys]

    def on_curve(self, frame, channel=KNEE_X):
        """Where the curve of a channel is at a frame."""
        track, scale = self.editing.board.track(channel), self.plot.layout_.times
        value = track.value_at(np.array([frame / FPS]))[0] / track.measure.factor
        return QPointF(scale.x_of(frame / FPS), self.plot.values.y_of(float(value)))

    def px(self, frames, units):
        """So many frames and degrees or centimetres, in pixels."""
        return QPointF(frames / FPS * self.plot.layout_.times.pixels_per_s, -units / self.plot.values.per_px)

    def curve(self, channel=KNEE_X):
        """What the finished take does, in degrees."""
        motion = self.showing.current.final.motion
        joint = motion.skeleton.resolve(channel.joint)
        return np.degrees(dense(motion, joint, channel.space)[:, channel.column])

    # Hands

    def mouse(self, kind, at, modifiers=NONE, button=Qt.MouseButton.LeftButton):
        held = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseButtonRelease else button
        of = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseMove else button
        event = QMouseEvent(kind, at, QPointF(self.plot.mapToGlobal(at)), of, held, modifiers)
        QApplication.sendEvent(self.plot, event)

    def press(self, at, modifiers=NONE, button=Qt.MouseButton.LeftButton):
        self.mouse(QEvent.Type.MouseButtonPress, at, modifiers, button)

    def move(self, at, modifiers=NONE, button=Qt.MouseButton.LeftButton):
        self.mouse(QEvent.Type.MouseMove, at, modifiers, button)

    def release(self, at, modifiers=NONE, button=Qt.MouseButton.LeftButton):
        self.mouse(QEvent.Type.MouseButtonRelease, at, modifiers, button)

    def click(self, at, modifiers=NONE):
        self.press(at, modifiers)
        self.release(at, modifiers)

    def double_click(self, at):
        self.click(at)
        self.mouse(QEvent.Type.MouseButtonDblClick, at)
        self.release(at)

    def drag(self, start, by, modifiers=NONE, button=Qt.MouseButton.LeftButton):
        self.press(start, modifiers, button)
        for part in np.linspace(0.2, 1.0, 5):
            self.move(start + by * float(part), modifiers, button)
        self.release(start + by, modifiers, button)

    def undo_all(self):
        while self.document.undo():
            pass
