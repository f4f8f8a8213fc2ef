"""A limb that touches the ground: where it was, where the poses want it, and where its contacts go.

A contact is kept if the foot moves in it as it did, turned and shifted as a whole on the floor and lifted with the
ground (Coleman 2012, section 6.4, equations 6.1 to 6.3).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from editor.contacts.feet import Limb, find_limb, heel_offset, limb_points
from editor.posing.grounded.curves import Complex, Gaps
from editor.posing.grounded.posed import PosedJoints
from model.arrays import Array, IntArray
from model.contacts import Contact, Contacts, Mask
from model.ground import Ground
from model.motion import Motion
from model.rotation import conjugate, multiply, rotate
from model.skeleton import Skeleton

# Turns and moves below these are rounding.
NO_TURN_RAD, NO_MOVE_M = 1e-12, 1e-9
# A point that stays so much higher than it usually rests does not rest.
_RESTING_M = 0.01


@dataclass(eq=False)
class Footing:
    """One limb over F frames. places are z + i x on the floor.

    original, asked : (F,) where the ankle was, and where the posed body has it with its root where it was; likewise
    heights; turns : (F,) the yaw by which the pose turns the foot; contact_turns, lifts : (F,) those of the contact,
    valid where the mask is true; tilts : (F, 3) rotation vectors by which slopes tip the foot, (0, 3) where none does;
    leans, rises : (F,) what that moves the ankle by in contact.
    """

    name: str
    bends: tuple[int, int, int]
    limb: Limb
    contacts: tuple[Contact, ...]
    gaps: Gaps
    original: Complex
    asked: Complex
    original_heights: Array
    asked_heights: Array
    turns: Array
    contact_turns: Array = field(default_factory=lambda: np.zeros(0))
    lifts: Array = field(default_factory=lambda: np.zeros(0))
    tilts: Array = field(default_factory=lambda: np.zeros((0, 3)))
    leans: Complex = field(default_factory=lambda: np.zeros(0, dtype=np.complex128))
    rises: Array = field(default_factory=lambda: np.zeros(0))

    @property
    def mask(self) -> Mask:
        """(F,) whether the limb is in contact."""
        return self.gaps.mask

    def slips(self) -> Complex:
        """(F,) how the pose has the ankle apart from where the contact has it; constant in a contact that is kept."""
        return np.asarray(self.asked - np.exp(1j * self.contact_turns) * self.original)

    def turn_contacts(self, chosen: Sequence[IntArray]) -> None:
        """Set the turn of each contact: the mean over its chosen frames.

        6.6.2 "Contact Rotations": below the ankle the foot is as it was but for a yaw, so that v_j^p is v_j^o times
        e^(i yaw), and its length is much the same all through a contact.
        """
        self.contact_turns = np.zeros(len(self.turns))
        for contact, frames in zip(self.contacts, chosen, strict=True):
            turn = np.angle(np.sum(np.exp(1j * self.turns[frames])))
            self.contact_turns[contact.start : contact.stop] = turn if abs(turn) > NO_TURN_RAD else 0.0


def limbs_in_contact(skeleton: Skeleton, contacts: Contacts) -> dict[str, Limb]:
    """The limbs that touch the ground somewhere and can bend, by name."""
    found = {name: find_limb(skeleton, name) for name, held in contacts.limbs.items() if held}
    return {name: limb for name, limb in found.items() if limb is not None and limb.bends is not None}


def find_footings(motion: Motion, contacts: Contacts, posed: PosedJoints) -> tuple[Footing, ...]:
    """The limbs that touch the ground somewhere, as the posed body has them, its root where it was."""
    footings = []
    for name, limb in limbs_in_contact(motion.skeleton, contacts).items():
        assert limb.bends is not None
        was, now = motion.world.positions[:, limb.end], posed.position(limb.end)
        turn = yaw(multiply(posed.rotation(limb.end), conjugate(motion.world.rotations[:, limb.end])))
        gaps = Gaps.of(contacts.mask(name))
        footings.append(
            Footing(
                name, limb.bends, limb, contacts.limbs[name], gaps,
                on_floor(was), on_floor(now), was[:, 1], now[:, 1], turn,
            )
        )  # fmt: skip
    return tuple(footings)


def on_floor(positions: Array) -> Complex:
    """(...,) places z + i x of positions (..., 3)."""
    return np.asarray(positions[..., 2] + 1j * positions[..., 0])


def yaw(rotation: Array) -> Array:
    """(...,) the turn about Y that does much as a rotation (..., 4) does. Coleman 2012, appendix A."""
    up = rotation[..., 2]
    angle = np.arctan2(2.0 * rotation[..., 0] * up, 1.0 - 2.0 * up * up)
    return np.where(np.abs(angle) > NO_TURN_RAD, angle, 0.0)


@dataclass(frozen=True, eq=False)
class Sole:
    """The points of a foot as they were, (F, P) each. reach : complex, and heights : about the ankle; grounds : the
    ground's height there; above, sunk : how far above and how far under it they were; rest : (P,) how far above it
    they usually come to rest.
    """

    reach: Complex
    heights: Array
    grounds: Array
    above: Array
    sunk: Array
    rest: Array

    @staticmethod
    def of(motion: Motion, footing: Footing, ground: Ground) -> "Sole":
        points = sole_points(motion, footing)
        places = on_floor(points)
        grounds = heights_at(ground, places)
        above = points[..., 1] - grounds
        return Sole(
            places - places[:, :1],
            points[..., 1] - points[:, :1, 1],
            grounds,
            above,
            np.maximum(-above, 0.0),
            np.percentile(above[footing.mask], 10, axis=0),
        )

    def risen(self, frames: slice) -> Array:
        """(N, P) how far points are above where they rest in a contact, all of which are frames."""
        above = self.above[frames]
        lowest = np.min(above, axis=0)
        rest = np.where(lowest > self.rest + _RESTING_M, self.rest, lowest)
        return np.asarray(np.maximum(above - np.maximum(rest, 0.0), 0.0))


def sole_points(motion: Motion, footing: Footing) -> Array:
    """(F, P, 3) the points of a limb that meet the ground: the ankle first, then toe, tip and heel as far as known."""
    points = limb_points(motion, footing.limb)
    turns = motion.world.rotations[:, footing.limb.end]
    heel = heel_offset(turns, points, footing.mask) if footing.name.endswith("foot") else None
    if heel is None:
        return points
    return np.concatenate([points, (points[:, 0] + rotate(turns, heel))[:, None]], axis=1)


def heights_at(ground: Ground, places: Complex) -> Array:
    """(...,) how high the ground is at places z + i x."""
    return ground.heights(np.stack([places.imag, places.real], axis=-1))
