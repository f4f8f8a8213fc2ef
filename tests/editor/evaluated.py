"""Takes and edits put through the evaluator, as the program does."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from editor.contacts.detect import find_contacts
from editor.stack.evaluator import Evaluator, Stage
from model.clip import Clip, Layer, Source, Take
from model.contacts import Contacts
from model.ground import FLAT, Ground
from model.motion import Motion
from model.project import Project
from model.scope import EVERYTHING
from model.time_map import IDENTITY_MAP


@dataclass(frozen=True, eq=False)
class Given(Source):
    """A source that has its take already."""

    kind: ClassVar[str] = "given"
    title: ClassVar[str] = "Given"

    take: Take

    def make(self, context):
        return self.take


class Asked:
    """A context for edits that are called directly."""

    def __init__(self, strength=1.0, time_map=IDENTITY_MAP, takes=None, ground=FLAT):
        self.strength, self.time_map, self.takes, self.notes = strength, time_map, takes or {}, []
        self.ground, self.marks, self.clock, self._known = ground, [], IDENTITY_MAP, {}

    def to_stage(self, source_times_s):
        return self.time_map(source_times_s)

    def to_source(self, stage_times_s):
        return self.time_map.inverse()(stage_times_s)

    def take_of(self, clip_id):
        return self.takes[clip_id]

    def name_of(self, clip_id):
        return clip_id

    def derived(self, work, *arguments):
        if (work, arguments) not in self._known:
            self._known[work, arguments] = work(*arguments)
        return self._known[work, arguments]

    def set_clock(self, clock):
        self.clock = clock

    def progress(self, fraction):
        assert 0.0 <= fraction <= 1.0

    def note(self, text):
        self.notes.append(text)

    def mark(self, time_s, text):
        self.marks.append((time_s, text))

    def moment(self, time_s):
        return f"{time_s:.2f} s"


def take_of(motion: Motion, contacts: Contacts | None = None) -> Take:
    return Take(motion, contacts or find_contacts(motion, hands=True))


def stages(take: Take, *edits, ground: Ground = FLAT) -> tuple[Stage, ...]:
    """The take and what it is after each edit; an edit may come with its scope, as a pair. ground : the project's."""
    layers = []
    for n, edit in enumerate(edits):
        edit, scope = edit if isinstance(edit, tuple) else (edit, EVERYTHING)
        layers.append(Layer(str(n), edit, scope=scope))
    clip = Clip("clip", "Clip", Given(take), tuple(layers))
    return Evaluator().stages(Project((clip,), ground=ground), "clip")


def after(take: Take, *edits, ground: Ground = FLAT) -> Stage:
    """The last stage of a stack of edits, none of which may fail."""
    found = stages(take, *edits, ground=ground)
    assert not any(stage.failed for stage in found), [stage.notes for stage in found]
    return found[-1]


def positions_at(stage: Stage, source_times_s) -> np.ndarray:
    """(T, J, 3) where joints are at moments of the source, straight between frames."""
    motion = stage.take.motion
    at = stage.time_map(np.asarray(source_times_s)) / motion.frame_time_s
    below = np.clip(np.floor(at + 1e-9).astype(int), 0, max(motion.frames - 2, 0))
    part = (at - below)[:, None, None]
    world = motion.world.positions
    return (1.0 - part) * world[below] + part * world[np.minimum(below + 1, motion.frames - 1)]


def touching_at(stage: Stage, limb: str, source_times_s) -> np.ndarray:
    """(T,) whether a limb touches the ground at moments of the source."""
    at = np.rint(stage.time_map(np.asarray(source_times_s)) / stage.take.motion.frame_time_s).astype(int)
    return stage.take.contacts.mask(limb)[at]


def same_take(one: Take, other: Take) -> bool:
    """Whether two takes are equal to the last bit."""
    arrays = ("root_positions", "local_rotations", "local_offsets")
    return (
        all(np.array_equal(getattr(one.motion, name), getattr(other.motion, name)) for name in arrays)
        and one.motion.frame_time_s == other.motion.frame_time_s
        and one.contacts == other.contacts
        and one.extremes == other.extremes
        and one.ground == other.ground
    )
