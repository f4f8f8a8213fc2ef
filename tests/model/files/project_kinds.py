"""Sources and edits for the tests of the project file, one field of every form among them, and a project of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from enum import Enum
from typing import ClassVar, Literal, Self

import numpy as np

from editor.contacts.detect import find_contacts
from model.arrays import Array, IntArray
from model.clip import Clip, Edit, Layer, Source, Take, setting
from model.contacts import Mask
from model.files.project_file import Kinds
from model.motion import Motion, Origin, Pose
from model.project import Project
from model.roles import Role
from model.rotation import from_axis_angle, multiply
from model.scope import Scope
from model.skeleton import EndSite, JointLimits, JointRef, Skeleton
from model.units import CENTIMETRE
from tests.clips import Y, waving_figure


@dataclass(frozen=True, eq=False)
class Recorded(Source):
    """A motion as it was read."""

    kind: ClassVar[str] = "recorded"
    title: ClassVar[str] = "Recorded"
    path: str
    motion: Motion

    def make(self, context):
        return Take(self.motion, find_contacts(self.motion))


@dataclass(frozen=True)
class Copied(Source):
    """The take of another clip."""

    kind: ClassVar[str] = "copied"
    title: ClassVar[str] = "Copied"
    clip: str

    def make(self, context):
        return context.take_of(self.clip)

    def clips_used(self):
        return (self.clip,)


@dataclass(frozen=True)
class Turn(Edit):
    """Turns everything about the vertical."""

    kind: ClassVar[str] = "turn"
    title: ClassVar[str] = "Turn"
    angle_rad: float = setting(0.5, "Angle", "rad", -10.0, 10.0)

    def apply(self, take, context):
        rotations = np.array(take.motion.local_rotations)
        rotations[:, 0] = multiply(from_axis_angle(Y, self.angle_rad), rotations[:, 0])
        return replace(take, motion=replace(take.motion, local_rotations=rotations))


@dataclass(frozen=True, eq=False)
class Weights(Edit):
    """Holds large numbers of its own."""

    kind: ClassVar[str] = "weights"
    title: ClassVar[str] = "Weights"
    weights: Array

    def apply(self, take, context):
        return take


class Colour(Enum):
    RED = 1
    BLUE = 2


@dataclass(frozen=True)
class Knot:
    time_s: float
    value: float = 0.0


@dataclass(frozen=True)
class Hold:
    time_s: float


@dataclass(frozen=True)
class Branch:
    below: tuple["Branch", ...] = ()


@dataclass(frozen=True)
class Everything(Edit):
    """One field of every form that can be stored."""

    kind: ClassVar[str] = "everything"
    title: ClassVar[str] = "Everything"
    count: int = 3
    seed: int = 2**100
    size: float = 0.1
    limits: tuple[float, float, float] = (float("nan"), float("inf"), float("-inf"))
    zero: float = -0.0
    on: bool = True
    text: str = 'größer → \n "quoted"'
    file: str = "bad\udcff.bvh"
    nothing: None = None
    maybe: float | None = None
    number_or_word: int | float | str | None = 7
    roles: tuple[Role | None, ...] = (Role.HEAD, None)
    colour: Colour = Colour.BLUE
    way: Literal["in", "out"] = "out"
    joints: tuple[JointRef, ...] = (JointRef("Hips", Role.PELVIS), JointRef("tail"))
    keys: tuple[Knot | Hold, ...] = (Knot(0.5, 2.0), Hold(1.5))
    knot: Knot | None = None
    pairs: tuple[tuple[str, tuple[int, int]], ...] = (("a", (1, 2)),)
    listed: list[str] = field(default_factory=lambda: ["a", "b"], compare=False)
    names: Sequence[str] = ("a", "b")
    table: Mapping[int, Knot] = field(default_factory=lambda: {3: Knot(1.0), -1: Knot(2.0)}, hash=False)
    by_role: dict[Role, str] = field(default_factory=lambda: {Role.NECK: "n"}, hash=False)
    tree: Branch = Branch((Branch(), Branch((Branch(),))))
    anything: object = "free"

    def apply(self, take, context):
        return take


@dataclass(frozen=True, eq=False)
class Arrays(Edit):
    """Arrays of every type and layout."""

    kind: ClassVar[str] = "arrays"
    title: ClassVar[str] = "Arrays"
    plain: Array
    frames_last: Array
    gappy: Array
    backwards: Array
    empty: Array
    single: Array
    not_numbers: Array
    counts: IntArray
    mask: Mask

    def apply(self, take, context):
        return take

    @classmethod
    def example(cls) -> Self:
        numbers = np.random.default_rng(5).normal(size=(6, 7, 50))
        return cls(
            plain=numbers,
            frames_last=numbers.transpose(2, 0, 1),
            gappy=numbers.transpose(2, 1, 0)[3:40:2, 1:],
            backwards=numbers[::-1, :, ::-1],
            empty=np.zeros((0, 3)),
            single=np.asfortranarray(numbers[:1, :, :1]),
            not_numbers=np.array([np.nan, -np.nan, np.inf, -0.0, 5e-324]),
            counts=np.arange(300).reshape(3, 100),
            mask=np.arange(2000) % 3 == 0,
        )


KINDS = Kinds(
    {"recorded": Recorded, "copied": Copied},
    {"turn": Turn, "weights": Weights, "everything": Everything, "arrays": Arrays},
)


def rich_motion() -> Motion:
    """A motion with a rest pose, limits and a file's numbers, frames last in memory."""
    motion = waving_figure(60)
    skeleton = replace(
        motion.skeleton,
        limits={2: JointLimits("ZX", from_axis_angle(Y, 0.3), np.array([-1.0, -np.inf]), np.array([1.0, np.inf]))},
    )
    layout = (
        ("Xposition", "Yposition", "Zposition", "Zrotation"),
        *((("Zrotation", "Xrotation"),) * (len(skeleton) - 1)),
    )
    columns = sum(map(len, layout))
    channels = np.random.default_rng(2).normal(size=(61, columns))
    rest = Pose(motion.root_positions[0], motion.local_rotations[0], motion.local_offsets)
    return replace(
        motion,
        skeleton=skeleton,
        local_rotations=np.ascontiguousarray(motion.local_rotations.transpose(1, 2, 0)).transpose(2, 0, 1),
        rest=rest,
        first_frame=1,
        origin=Origin("clips/wave.bvh", CENTIMETRE, "+Z", layout, channels[1:], channels[0]),
    )


def example_project() -> Project:
    """Three clips: recorded with edits, another on the same source, and one made of the first."""
    source = Recorded("clips/wave.bvh", rich_motion())
    layers = (
        Layer("2", Turn(1.25), True, Scope(0.5, (JointRef("Hips", Role.PELVIS),), 0.5, None, 0.1)),
        Layer("3", Everything(), False),
        Layer("4", Weights(np.random.default_rng(4).normal(size=(500,)))),
    )
    return Project(
        (
            Clip("1", "wave", source, layers),
            Clip("5", "wave 2", source, (Layer("2", Turn()),)),
            Clip("6", "copy", Copied("1")),
        ),
        next_id=7,
    )


def small_project() -> Project:
    """A project of a few kilobytes whose every number is written down here: what old files are compared with."""
    skeleton = Skeleton(
        ("Hips", "Knee"),
        (-1, 0),
        np.array([[0.0, 1.0, 0.0], [0.0, -0.5, 0.0]]),
        (EndSite(1, np.array([0.0, -0.5, 0.0]), "Toe"),),
        (Role.PELVIS, None),
        {1: JointLimits("X", np.array([1.0, 0.0, 0.0, 0.0]), np.array([-np.inf]), np.array([2.5]))},
    )
    frames = 20
    rotations = np.zeros((2, 4, frames))
    rotations[:, 0], rotations[1, 1] = 0.8, 0.6
    rotations[0] = np.array([0.0, 0.0, 1.0, 0.0])[:, None]
    roots = np.arange(frames * 3.0).reshape(frames, 3) / 16.0
    channels = np.arange(frames * 4.0).reshape(frames, 4)
    layout = (("Xposition", "Yposition", "Zposition"), ("Xrotation",))
    motion = Motion(
        skeleton, 0.025, roots, rotations.transpose(2, 0, 1), skeleton.offsets,
        Pose(roots[0], rotations[..., 0], skeleton.offsets), 1,
        Origin("a/b.bvh", CENTIMETRE, "+Z", layout, channels, channels[0] + 0.5),
    )  # fmt: skip
    layers = (
        Layer("2", Turn(1.25), False, Scope(0.5, (JointRef("Hips", Role.PELVIS),), 0.5, None, 0.125)),
        Layer("3", Weights(np.arange(200.0))),
        Layer("4", Everything()),
    )
    return Project((Clip("1", "first", Recorded("a/b.bvh", motion), layers), Clip("5", "second", Copied("1"))), 6)


def assert_same(one: object, other: object, place: str = "it") -> None:
    """The same values to the last bit, of the same types, arrays in the same order in memory."""
    assert type(one) is type(other), place
    if isinstance(one, np.ndarray):
        assert one.dtype == other.dtype, place
        assert one.shape == other.shape, place
        assert one.tobytes() == other.tobytes(), place
        assert _order(one) == _order(other), place
        assert not other.flags.writeable, place
    elif is_dataclass(one):
        for part in fields(one):
            assert_same(getattr(one, part.name), getattr(other, part.name), f"{place}.{part.name}")
    elif isinstance(one, tuple | list):
        assert len(one) == len(other), place
        for n, (mine, theirs) in enumerate(zip(one, other, strict=True)):
            assert_same(mine, theirs, f"{place}[{n}]")
    elif isinstance(one, dict):
        assert_same(list(one.items()), list(other.items()), place)
    else:
        assert repr(one) == repr(other), place


def _order(array):
    """The axes with more than one item as they lie in memory."""
    return sorted(
        (axis for axis in range(array.ndim) if array.shape[axis] > 1), key=lambda axis: -abs(array.strides[axis])
    )
