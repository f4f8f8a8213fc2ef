"""The limbs that touch the ground: which joints they have, and where the points of a sole or palm are."""

from dataclasses import dataclass

import numpy as np

from model.arrays import Array
from model.contacts import FEET, Mask
from model.motion import Motion
from model.roles import Role
from model.rotation import conjugate, rotate
from model.skeleton import Skeleton

_LEG_PARTS = ("HIP", "KNEE", "ANKLE", "TOE")
_ARM_PARTS = ("SHOULDER", "ELBOW", "WRIST", "HAND")


@dataclass(frozen=True)
class Limb:
    """The joints of a leg (hip, knee, ankle, toe) or an arm (shoulder, elbow, wrist, hand); None for one it lacks."""

    root: int | None
    middle: int | None
    end: int
    toe: int | None

    @property
    def bends(self) -> tuple[int, int, int] | None:
        """The three joints that reach for a target, or None for a limb that cannot."""
        if self.root is None or self.middle is None:
            return None
        return self.root, self.middle, self.end


def find_limb(skeleton: Skeleton, name: str) -> Limb | None:
    """The limb of this name, "left_foot" or "right_hand"; None if the skeleton has no ankle (or wrist) there."""
    side = name.split("_")[0].upper()
    parts = _LEG_PARTS if name in FEET else _ARM_PARTS
    root, middle, end, toe = (skeleton.joint(Role[f"{side}_{part}"]) for part in parts)
    return None if end is None else Limb(root, middle, end, toe)


def limb_points(motion: Motion, limb: Limb) -> Array:
    """(F, P, 3) the points of a limb that can touch the ground: ankle, toe and tip, as far as there are such."""
    world = motion.world
    joints = [limb.end] if limb.toe is None else [limb.end, limb.toe]
    points = [world.positions[:, joint] for joint in joints]
    tip = tip_offset(motion.skeleton, limb)
    if tip is not None:
        points.append(points[-1] + rotate(world.rotations[:, joints[-1]], tip))
    return np.stack(points, axis=1)


def tip_offset(skeleton: Skeleton, limb: Limb) -> Array | None:
    """(3,) the tip in the frame of the limb's last joint, or None where that has no end site."""
    last = limb.end if limb.toe is None else limb.toe
    return next((site.offset for site in skeleton.end_sites if site.joint == last), None)


def planted_point(motion: Motion, limb: Limb) -> Array:
    """(F, 3) the point that stays in place longest while a foot rolls: the toe joint, else the tip, else the end."""
    return limb_points(motion, limb)[:, 1 if limb.toe is not None else -1]


def heel_offset(ankle_rotations: Array, points: Array, flat: Mask) -> Array | None:
    """(3,) the heel in the ankle's frame: the point of the sole below the ankle. None where the foot never is flat.

    ankle_rotations : (F, 4) world; points : (F, P, 3) as from `limb_points`; flat : (F,) frames in which the ankle
    rests. There the sole is as low as the lowest point, and the heel is straight below the ankle.
    """
    if points.shape[1] < 2 or np.sum(flat) < 3:
        return None
    heights = points[flat, :, 1]
    drop = np.min(heights, axis=1) - heights[:, 0]
    below = np.stack([np.zeros_like(drop), drop, np.zeros_like(drop)], axis=-1)
    return np.asarray(np.median(rotate(conjugate(ankle_rotations[flat]), below), axis=0))
