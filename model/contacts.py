"""What a contact is: an interval of frames in which a foot or hand rests on the ground."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from model.arrays import Array

Mask = npt.NDArray[np.bool_]

FEET = ("left_foot", "right_foot")
HANDS = ("left_hand", "right_hand")


@dataclass(frozen=True, order=True)
class Contact:
    """Frames [start, stop) of a motion. A foot's first frame is its strike, its last the one before it leaves."""

    start: int
    stop: int

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.stop:
            raise ValueError(f"a contact of frames [{self.start}, {self.stop}) holds no frame")


@dataclass(frozen=True)
class Contacts:
    """The contacts of a motion of `frames` frames, by limb, in order and apart; ground_m : the floor's height."""

    frames: int
    limbs: Mapping[str, tuple[Contact, ...]]
    ground_m: float

    def __post_init__(self) -> None:
        for limb, contacts in self.limbs.items():
            for before, after in pairwise(contacts):
                if after.start <= before.stop:
                    raise ValueError(f"limbs: the contacts of {limb} touch or overlap at frame {after.start}")
            if contacts and contacts[-1].stop > self.frames:
                raise ValueError(f"limbs: a contact of {limb} ends behind the last frame")

    def mask(self, limb: str) -> Mask:
        """(F,) whether the limb touches the ground in each frame."""
        mask = np.zeros(self.frames, dtype=bool)
        for contact in self.limbs.get(limb, ()):
            mask[contact.start : contact.stop] = True
        return mask

    def at(self, frames: Array) -> "Contacts":
        """The contacts of a motion whose frames show these moments of ours. frames : (F,), may be fractional."""
        nearest = np.clip(np.floor(np.add(frames, 0.5)).astype(np.intp), 0, max(self.frames - 1, 0))
        if not self.frames:
            return self
        return Contacts(len(nearest), {name: intervals(self.mask(name)[nearest]) for name in self.limbs}, self.ground_m)

    def flights(self) -> tuple[Contact, ...]:
        """The intervals in which neither a foot nor a hand touches the ground."""
        touching = np.zeros(self.frames, dtype=bool)
        for limb in self.limbs:
            touching |= self.mask(limb)
        return intervals(~touching)


def intervals(mask: Mask) -> tuple[Contact, ...]:
    """The runs of true frames in a mask (F,)."""
    edges = np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8))
    starts, stops = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
    return tuple(Contact(int(start), int(stop)) for start, stop in zip(starts, stops, strict=True))
