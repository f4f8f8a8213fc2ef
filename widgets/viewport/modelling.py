"""How parts are laid about bones: points that follow joints, and capsules whose ends are ellipses between them.

What a person looks like is said elsewhere (`person`); here are its means, and what can be known of a body that moves.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from model.arrays import Array, IntArray
from model.motion import Motion
from model.roles import Role
from model.rotation import to_matrix
from model.skeleton import Skeleton
from widgets.viewport.poses import world_at

LEFT, RIGHT, CENTRE = range(3)  # how a part is painted
SHORTEST_M = 0.004  # shorter bones are not drawn

_STATURE_M = 1.75
_LEG_SHARE = 0.491  # hip to ankle, of the stature: Winter 2009, table 4.1
_SAMPLES = 25
_ALL = slice(None)

# Along a limb: (how far, half width, half depth), for a stature of 1.75 m.
Profile = tuple[tuple[float, float, float], ...]


@dataclass(frozen=True, eq=False)
class Anchor:
    """A point that follows joints: `part` of the way from joint a to joint b, then `offset` in the frame of a."""

    a: int
    b: int
    part: float
    offset: Array


@dataclass(frozen=True, eq=False)
class Stretch:
    """A straight piece of a limb: a bone, or between two points of one joint's frame."""

    start: Anchor
    end: Anchor
    length: float

    def at(self, part: float) -> Anchor:
        """A point on the way from start to end."""
        one, other = self.start, self.end
        return Anchor(
            one.a, one.b, one.part + part * (other.part - one.part), one.offset + part * (other.offset - one.offset)
        )


@dataclass(frozen=True, eq=False)
class Part:
    """A rounded part. side : across its width, in the frame of its joint; shape : see `Solids.shapes`."""

    joint: int
    start: Anchor
    end: Anchor
    side: Array
    shape: Array
    paint: int


class Modeller:
    """Makes the parts of one body.

    paints : (J,) of its joints; drawn : the bones, named by their lower joint, that need no more parts.
    """

    def __init__(self, motion: Motion, paints: IntArray) -> None:
        self.skeleton = motion.skeleton
        frames = np.unique(np.linspace(0, motion.frames - 1, min(_SAMPLES, motion.frames)).round())
        world = world_at(motion, frames)
        self.positions = np.nan_to_num(world.positions)  # (S, J, 3)
        self._axes = to_matrix(np.nan_to_num(world.rotations))  # (S, J, 3, 3)
        up = np.maximum(self.skeleton.parents, 0)
        self._bones = middle(np.linalg.norm(self.positions - self.positions[:, up], axis=-1))
        self.paints = paints
        self.scale = self._scale()
        self.drawn: set[int] = set()
        self.tipped: set[int] = set()  # joints whose end sites are covered
        self.made: list[Part] = []

    # What is known of the body

    def joint(self, side: str, part: str) -> int | None:
        return self.skeleton.joint(Role[f"{side}_{part}"])

    def at(self, joint: int) -> Array:
        """(S, 3) where a joint is in the sampled frames."""
        return self.positions[:, joint]

    def length(self, a: int, b: int) -> float:
        """How far apart two joints are, mostly."""
        if self.skeleton.parents[b] == a:
            return float(self._bones[b])
        return float(middle(np.linalg.norm(self.at(b) - self.at(a), axis=-1)))

    def local(self, joint: int, vectors: Array, samples: IntArray | slice = _ALL) -> Array:
        """(3,) world vectors (S, 3), or one (3,), as the joint sees them, the middle of all frames or some samples."""
        return middle(np.sum(self._axes[samples, joint] * vectors[..., None], axis=-2))

    def turned(self, joint: int, vector: Array) -> Array:
        """(S, 3) what the joint sees as (3,), in the world."""
        return np.asarray(self._axes[:, joint] @ vector)

    def across(self, upper: bool) -> Array | None:
        """(S, 3) from the right to the left shoulder, or hip; None where there are none."""
        for part in ("SHOULDER", "HIP") if upper else ("HIP", "SHOULDER"):
            left, right = self.joint("LEFT", part), self.joint("RIGHT", part)
            if left is not None and right is not None:
                return np.asarray(self.at(left) - self.at(right))
        return None

    def tip(self, joint: int) -> Array | None:
        """(3,) the joint's end site, in its frame; the farthest, where eyes and crown are some."""
        sites = [site.offset for site in self.skeleton.end_sites if site.joint == joint]
        return max(sites, key=lambda offset: float(offset @ offset), default=None)

    def _scale(self) -> float:
        legs = [
            self.length(hip, knee) + self.length(knee, ankle)
            for side in ("LEFT", "RIGHT")
            if (hip := self.joint(side, "HIP")) is not None
            and (knee := self.joint(side, "KNEE")) is not None
            and (ankle := self.joint(side, "ANKLE")) is not None
        ]
        if legs and np.mean(legs) > 1e-3:
            return float(np.mean(legs)) / (_LEG_SHARE * _STATURE_M)
        spread = np.ptp(self.positions, axis=1).max(axis=-1)
        return max(float(np.median(spread)) / _STATURE_M, 1e-3)

    # Making parts

    def add(
        self,
        joint: int,
        start: Anchor,
        end: Anchor,
        side: Array,
        radii: Sequence[float],
        paint: int,
        caps: tuple[float, float] = (1.0, 1.0),
        slopes: Sequence[float] = (0.0, 0.0, 0.0, 0.0),
    ) -> None:
        shape = np.array([*(self.scale * radius for radius in radii), *caps, *slopes])
        self.made.append(Part(joint, start, end, side, shape, paint))

    def rigid(
        self, joint: int, start: Array, end: Array, side: Array, radii: Sequence[float], paint: int | None = None
    ) -> None:
        """A part between two points of one joint's frame."""
        paint = int(self.paints[joint]) if paint is None else paint
        self.add(joint, Anchor(joint, joint, 0.0, start), Anchor(joint, joint, 0.0, end), side, radii, paint)

    def bones(self, chain: Sequence[int]) -> list[Stretch]:
        """The bones of a chain of joints; they get no parts of their own."""
        self.drawn.update(chain[1:])
        return [
            Stretch(Anchor(a, b, 0.0, np.zeros(3)), Anchor(a, b, 1.0, np.zeros(3)), length)
            for a, b in pairwise(chain)
            if (length := self.length(a, b)) >= SHORTEST_M
        ]

    def along(self, stretches: list[Stretch], profile: Profile, side: Array, side_joint: int, paint: int) -> None:
        """Parts along some stretches, cut where the profile has a knot. side : in the frame of side_joint."""
        total = sum(stretch.length for stretch in stretches)
        if not stretches:
            return
        shape = _Shape(profile, total / self.scale)
        world_side = self.turned(side_joint, side)
        done = 0.0
        for stretch in stretches:
            first, last = done / total, (done + stretch.length) / total
            joint = stretch.start.a
            own_side = self.local(joint, world_side)
            for s0, s1 in pairwise(shape.cuts(first, last)):
                start, end = (stretch.at((s - first) / (last - first)) for s in (s0, s1))
                # Where a limb is cut within a bone its pieces fit without caps; where a chain bends, rounder ones close
                # the gap.
                self.add(
                    joint, start, end, own_side, [*shape.radii(s0), *shape.radii(s1)], paint,
                    (_cap(s0, first, last), _cap(s1, first, last)), [*shape.slopes(s0), *shape.slopes(s1)],
                )  # fmt: skip
            done += stretch.length

    def cover(self, top: int, bottom: int) -> None:
        """Say that the bones from one joint down to another need no parts of their own."""
        if top in ancestors(self.skeleton, bottom):
            self.drawn.update(self.skeleton.chain(top, bottom)[1:])

    def meeting(self, one: int, other: int) -> int:
        """The lowest joint above both."""
        above = ancestors(self.skeleton, other)
        return next((joint for joint in ancestors(self.skeleton, one) if joint in above), one)


class _Shape:
    """A profile laid along a chain `length` metres long, for a stature of 1.75 m."""

    def __init__(self, profile: Profile, length: float) -> None:
        self._knots, *self._sizes = np.array(profile).T
        # At a knot the mean of the slopes beside it: light then runs smoothly over it.
        grown = [np.diff(sizes) / np.diff(self._knots) / length for sizes in self._sizes]
        self._slopes = [0.5 * (np.append(one, one[-1]) + np.insert(one, 0, one[0])) for one in grown]

    def cuts(self, first: float, last: float) -> list[float]:
        """Where the pieces from one place of the chain to another begin and end."""
        return [first, *(float(knot) for knot in self._knots if first + 1e-6 < knot < last - 1e-6), last]

    def radii(self, at: float) -> list[float]:
        """Half the width and depth."""
        return [float(np.interp(at, self._knots, sizes)) for sizes in self._sizes]

    def slopes(self, at: float) -> list[float]:
        """How much width and depth grow a metre."""
        return [float(np.interp(at, self._knots, slopes)) for slopes in self._slopes]


def _cap(at: float, first: float, last: float) -> float:
    """How round the end of a piece is: it ends a bone, which may end a chain, or is a cut within one."""
    if at <= 1e-6 or at >= 1.0 - 1e-6:
        return 1.0
    return 0.7 if at in (first, last) else 0.0


def ancestors(skeleton: Skeleton, joint: int) -> list[int]:
    """The joints above one, nearest first."""
    found = []
    while (joint := skeleton.parents[joint]) >= 0:
        found.append(joint)
    return found


def middle(values: Array) -> Array:
    """The median along the first axis; numpy's own takes much longer for a few."""
    ordered = np.sort(values, axis=0)
    count = len(ordered)
    return np.asarray(0.5 * (ordered[(count - 1) // 2] + ordered[count // 2]))


def unit(vector: Array) -> Array:
    length = float(np.linalg.norm(vector))
    return vector / length if length > 1e-12 else np.array([0.0, 1.0, 0.0])
