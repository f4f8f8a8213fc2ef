"""Live bodies: steered step by step, and recorded by what steered them.

An engine is a pure step: from a state and controls to the next state and a pose. Time goes in steps of one length,
however often somebody draws. So the controls tell the whole motion: replayed through the same engine they give the same
frames, bit for bit. Who runs an engine in real time, and where its poses are shown, is not known here.
"""

import math
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, Protocol, TypeVar

import numpy as np

from model.arrays import Array, freeze, require_shape
from model.clip import Context, Source, Take
from model.contacts import FEET, HANDS, Contacts, intervals
from model.ground import Ground
from model.limits import check_length
from model.motion import Motion
from model.skeleton import Skeleton
from model.type_hints import fit_fields

STEP_S = 1.0 / 60.0
_LIMBS = FEET + HANDS
_STEPS_A_REPORT = 60  # of progress

State = TypeVar("State")
Controls = TypeVar("Controls")
_Steering = TypeVar("_Steering", contravariant=True)


@dataclass(frozen=True, eq=False)
class LivePose:
    """How a live body stands after a step.

    root_position : (3,) world; local_rotations : (J, 4); contacts : which of FEET and HANDS rest on the ground, none
    where the engine cannot tell.
    """

    root_position: Array
    local_rotations: Array
    contacts: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        for name, shape in (("root_position", (3,)), ("local_rotations", (None, 4))):
            array = np.asarray(getattr(self, name), dtype=np.float64)
            require_shape(name, array, shape)
            object.__setattr__(self, name, freeze(array.view()))
        unknown = self.contacts.difference(_LIMBS)
        if unknown:
            raise ValueError(f"contacts: {min(unknown)!r} is not one of {', '.join(_LIMBS)}")


class LiveEngine(Protocol[State, _Steering]):
    """Moves a body under somebody's control.

    States and controls are values that nobody changes: the same state and controls give the same result, whenever and
    however often they are asked for. Settings and the place to start from belong to the engine, not to its states.
    """

    @property
    def skeleton(self) -> Skeleton:
        """Whose poses these are; always the same object."""
        ...

    @property
    def ground(self) -> Ground | None:
        """What the body stands on; None for a flat floor at height 0."""
        ...

    def start(self) -> tuple[State, LivePose]:
        """The state before the first step, and how the body stands then."""
        ...

    def advance(self, state: State, controls: _Steering, dt_s: float) -> tuple[State, LivePose]:
        """The state after a step of `dt_s`, and how the body stands then."""
        ...


@dataclass(frozen=True)
class Recording(Generic[Controls]):
    """What steered a live body. controls : those of each step, values that are compared as such; dt_s : of one step."""

    controls: tuple[Controls, ...] = ()
    dt_s: float = STEP_S

    def __post_init__(self) -> None:
        fit_fields(self)
        if not (math.isfinite(self.dt_s) and self.dt_s > 0.0):
            raise ValueError(f"dt_s is {self.dt_s}; it must be positive")

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        # Asked for whenever a clip is looked up, and there may be many thousand controls.
        return hash((self.controls, self.dt_s))

    @property
    def duration_s(self) -> float:
        return len(self.controls) * self.dt_s


@dataclass(frozen=True)
class ReplaySource(Source, Generic[State, Controls]):
    """A clip that was steered live: its controls, replayed through the engine that they steered.

    A kind of it states `recording` again, with the class of its controls, so that project files know what they hold,
    and has the settings of its engine as further fields.
    """

    recording: Recording[Controls]

    @abstractmethod
    def engine(self, context: Context) -> LiveEngine[State, Controls]:
        """The engine that was steered: of equal settings, an equal one."""

    def make(self, context: Context) -> Take:
        return replay(self.engine(context), self.recording, context.progress)


def replay(
    engine: LiveEngine[State, Controls],
    recording: Recording[Controls],
    progress: Callable[[float], None] | None = None,
) -> Take:
    """The take that was steered: how the body stood at the start, then a frame for each step.

    progress : told how much is done, 0 to 1; may raise Cancelled. Raises ValueError for a recording that is too long.
    """
    frames = len(recording.controls) + 1
    check_length("The recording", frames, len(engine.skeleton), "Record less at a time.")
    poses = _poses(engine, recording, progress)
    return take_of(engine.skeleton, recording.dt_s, poses, frames, engine.ground)


def _poses(
    engine: LiveEngine[State, Controls], recording: Recording[Controls], progress: Callable[[float], None] | None
) -> Iterator[LivePose]:
    state, pose = engine.start()
    yield pose
    for step, controls in enumerate(recording.controls):
        if progress is not None and step % _STEPS_A_REPORT == 0:
            progress(step / len(recording.controls))
        state, pose = engine.advance(state, controls, recording.dt_s)
        yield pose


def take_of(
    skeleton: Skeleton, dt_s: float, poses: Iterable[LivePose], frames: int, ground: Ground | None = None
) -> Take:
    """Poses that are `dt_s` apart, `frames` of them, as a take with the contacts that they tell."""
    joints = len(skeleton)
    roots = np.empty((frames, 3))
    rotations = np.moveaxis(np.empty((joints, 4, frames)), -1, 0)
    touching = np.zeros((len(_LIMBS), frames), dtype=bool)
    for frame, pose in enumerate(poses):
        if len(pose.local_rotations) != joints:
            raise ValueError(f"a pose of {len(pose.local_rotations)} joints does not fit a skeleton of {joints}")
        roots[frame], rotations[frame] = pose.root_position, pose.local_rotations
        for limb in pose.contacts:
            touching[_LIMBS.index(limb), frame] = True
    # Feet are always listed; hands where they touched something.
    limbs = {name: intervals(mask) for name, mask in zip(_LIMBS, touching, strict=True) if name in FEET or np.any(mask)}
    motion = Motion(skeleton, dt_s, freeze(roots), freeze(rotations), skeleton.offsets)
    return Take(motion, Contacts(frames, limbs, 0.0), ground=ground)
