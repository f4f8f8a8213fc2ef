"""Sources and edits that the tests make themselves, small enough to know what must come out."""

import threading
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from editor.contacts.detect import find_contacts
from model.clip import Clip, Edit, Layer, Source, Take, setting
from model.project import Project
from model.scope import Scope
from model.time_map import shifted
from tests.clips import Y, waving_figure


@dataclass(frozen=True)
class Made(Source):
    kind: ClassVar = "made"
    title: ClassVar = "Made"
    frames: int = 60

    def make(self, context):
        motion = waving_figure(self.frames)
        return Take(motion, find_contacts(motion))


@dataclass(frozen=True)
class After(Source):
    kind: ClassVar = "after"
    title: ClassVar = "After"
    clip: str = "1"

    def make(self, context):
        return context.take_of(self.clip)

    def clips_used(self):
        return (self.clip,)


@dataclass(frozen=True)
class Failing(Source):
    kind: ClassVar = "failing"
    title: ClassVar = "Failing"

    def make(self, context):
        raise ValueError("the well is dry")


@dataclass(frozen=True)
class Lift(Edit):
    kind: ClassVar = "lift"
    title: ClassVar = "Lift"
    by_m: float = setting(1.0, "By", unit="m", low=-10.0, high=10.0)

    def apply(self, take, context):
        context.note(f"lifted by {self.by_m}")
        motion = take.motion
        return replace(take, motion=replace(motion, root_positions=motion.root_positions + self.by_m * Y))


@dataclass(frozen=True)
class OnGround(Edit):
    """Lifts a clip by how high the ground is at x, z = 0."""

    kind: ClassVar = "on_ground"
    title: ClassVar = "On ground"

    def uses_ground(self):
        return True

    def apply(self, take, context):
        by_m = float(context.ground.heights(np.zeros(2)))
        return replace(take, motion=replace(take.motion, root_positions=take.motion.root_positions + by_m * Y))


@dataclass(frozen=True)
class Standing(Source):
    """A clip made as high as the ground is at x, z = 0."""

    kind: ClassVar = "standing"
    title: ClassVar = "Standing"

    def uses_ground(self):
        return True

    def make(self, context):
        return OnGround().apply(Made().make(context), context)


@dataclass(frozen=True)
class Cut(Edit):
    kind: ClassVar = "cut"
    title: ClassVar = "Cut"
    reach: ClassVar = "whole"
    start_s: float = 0.5

    def apply(self, take, context):
        first = round(float(context.to_stage(self.start_s)) / take.motion.frame_time_s)
        frames = np.arange(first, take.motion.frames)
        return Take(take.motion.sliced(first, take.motion.frames), take.contacts.at(frames))

    def time_map(self, take, context):
        return shifted(-float(context.to_stage(self.start_s)))


@dataclass(frozen=True)
class Slow(Edit):
    kind: ClassVar = "slow"
    title: ClassVar = "Slow"
    event: ClassVar = threading.Event()

    def apply(self, take, context):
        for step in range(2000):
            context.progress(step / 2000)
            self.event.wait(0.005)
        return take


@dataclass(frozen=True)
class Broken(Edit):
    kind: ClassVar = "broken"
    title: ClassVar = "Broken"

    def apply(self, take, context):
        raise ValueError("there are no wings")


@dataclass(frozen=True)
class Pair(Source):
    """Two other clips, of which it shows the first."""

    kind: ClassVar = "pair"
    title: ClassVar = "Pair"
    one: str = "1"
    other: str = "2"

    def make(self, context):
        context.take_of(self.other)
        return context.take_of(self.one)

    def clips_used(self):
        return (self.one, self.other)


@dataclass(frozen=True)
class Naming(Edit):
    """Tells what another clip is called, or fails with it."""

    kind: ClassVar = "naming"
    title: ClassVar = "Naming"
    clip: str = "2"
    fails: bool = False

    def apply(self, take, context):
        text = f"beside {context.name_of(self.clip)}"
        if self.fails:
            raise ValueError(text)
        context.note(text)
        return Lift(1.0).apply(take, context)

    def clips_used(self):
        return (self.clip,)


@dataclass(frozen=True, eq=False)
class Put(Edit):
    """Puts a take of ours in the place of the one before."""

    kind: ClassVar = "put"
    title: ClassVar = "Put"
    take: Take

    def apply(self, take, context):
        return self.take


@dataclass(frozen=True, eq=False)
class Raising(Edit):
    kind: ClassVar = "raising"
    title: ClassVar = "Raising"
    error: Exception

    def apply(self, take, context):
        raise self.error


def stack(*edits, source=None, scopes=None):
    scopes = scopes or [Scope()] * len(edits)
    layers = tuple(Layer(f"e{n}", edit, scope=scope) for n, (edit, scope) in enumerate(zip(edits, scopes, strict=True)))
    return Project((Clip("1", "Clip", source or Made(), layers),), 10)
