"""A limb that touches the ground: where it was, where the poses want it, and where its contacts go.

A contact is kept if the foot moves in it as it did, turned and shifted as a whole on the floor and lifted with the
ground (Coleman 2012, section 6.4, equations 6.1 to 6.3).
"""

from dataclasses import dataclass, field

import numpy as np

from editor.contacts.feet import Limb, find_limb, heel_offset, limb_points
from editor.posing.grounded.curves import Complex
from model.arrays import Array
from model.contacts import Contact, Contacts, Mask
from model.ground import Ground
from model.kinematics import WorldPose
from model.motion import Motion
from model.rotation import conjugate, multiply, rotate

# Turns and moves below these are rounding.
NO_TURN_RAD, NO_MOVE_M = 1e-12, 1e-9


@dataclass(eq=False)
class Footing:
    """One limb over F frames. places are z + i x on the floor.

    original, asked : (F,) where the ankle was, and where the posed body has it with its root where it was; likewise
    heights; turns : (F,) the yaw by which the pose turns the foot; contact_turns, lifts : (F,) those of the contact,
    valid where the mask is true.
    """

    name: str
    bends: tuple[int, int, int]
    limb: Limb
    contacts: tuple[Contact, ...]
    mask: Mask
    original: Complex
    asked: Complex
    original_heights: Array
    asked_heights: Array
    turns: Array
    contact_turns: Array = field(default_factory=lambda: np.zeros(0))
    lifts: Array = field(default_factory=lambda: np.zeros(0))

    def slips(self) -> Complex:
        """(F,) how the pose has the ankle apart from where the contact has it; constant in a contact that is kept."""
        return np.asarray(self.asked - np.exp(1j * self.contact_turns) * self.original)

    def turn_contacts(self, weights: Array, chosen: "list[Array]") -> None:
        """Set the turn of each contact: the mean over its chosen frames. weights : (F,) how far the foot reaches out.

        The closed form of 6.6.2 "Contact Rotations": the foot below the ankle is as it was but for a yaw, so that
        v_j^p is v_j^o times e^(i yaw).
        """
        self.contact_turns = np.zeros(len(self.turns))
        for contact, frames in zip(self.contacts, chosen, strict=True):
            turn = np.angle(np.sum(weights[frames] * np.exp(1j * self.turns[frames])))
            self.contact_turns[contact.start : contact.stop] = turn if abs(turn) > NO_TURN_RAD else 0.0


def find_footings(
    motion: Motion, contacts: Contacts, posed: WorldPose, root: Array
) -> tuple[Footing, ...]:
    """The limbs that touch the ground somewhere, as the posed body has them. root : (F, 3) where its root was."""
    footings = []
    for name, held in contacts.limbs.items():
        limb = find_limb(motion.skeleton, name) if held else None
        if limb is None or limb.bends is None:
            continue
        was, now = motion.world.positions[:, limb.end], posed.positions[:, limb.end]
        turn = yaw(multiply(posed.rotations[:, limb.end], conjugate(motion.world.rotations[:, limb.end])))
        footings.append(
            Footing(
                name, limb.bends, limb, held, contacts.mask(name), on_floor(was), on_floor(now), was[:, 1], now[:, 1],
                turn,
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
    """The points of a foot about its ankle as they were: reach (F, P) complex, heights (F, P), and how far each was
    under the ground and above its own level of rest, (F, P).
    """

    reach: Complex
    heights: Array
    sunk: Array
    risen: Array
    grounds: Array

    @staticmethod
    def of(motion: Motion, footing: Footing, ground: Ground) -> "Sole":
        points = limb_points(motion, footing.limb)
        ankle = points[:, 0]
        turns = motion.world.rotations[:, footing.limb.end]
        heel = heel_offset(turns, points, footing.mask) if footing.name.endswith("foot") else None
        if heel is not None:
            points = np.concatenate([points, (ankle + rotate(turns, heel))[:, None]], axis=1)
        places = on_floor(points)
        grounds = heights_at(ground, places)
        above = points[..., 1] - grounds
        rest = np.percentile(above[footing.mask], 10, axis=0)
        return Sole(
            places - places[:, :1],
            points[..., 1] - points[:, :1, 1],
            np.maximum(-above, 0.0),
            np.maximum(above - rest, 0.0),
            grounds,
        )


def heights_at(ground: Ground, places: Complex) -> Array:
    """(...,) how high the ground is at places z + i x."""
    return ground.heights(np.stack([places.imag, places.real], axis=-1))
