"""Contacts corrected by hand: spans of time in which a limb is said to touch the ground, or not to.

Adding, trimming, moving and deleting a contact are all such spans, laid over what was found in the order in which
they were made. They are times, so they hold at any rate.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from model.contacts import FEET, HANDS, Contacts, Mask, intervals


@dataclass(frozen=True)
class Correction:
    """From start_s up to stop_s, in seconds, the limb touches the ground or does not."""

    limb: str
    start_s: float
    stop_s: float
    touches: bool

    def __post_init__(self) -> None:
        if self.limb not in (*FEET, *HANDS):
            raise ValueError(f"limb is {self.limb!r}; it must be one of {', '.join((*FEET, *HANDS))}")
        if not self.start_s < self.stop_s:
            raise ValueError(f"start_s is {self.start_s}, stop_s {self.stop_s}: a span of time must have a length")


def move(limb: str, old_s: tuple[float, float], new_s: tuple[float, float]) -> tuple[Correction, Correction]:
    """What moves, trims or lengthens a contact: it no longer is where it was, and is where it shall be."""
    return Correction(limb, *old_s, touches=False), Correction(limb, *new_s, touches=True)


def correct(contacts: Contacts, corrections: Iterable[Correction], frame_time_s: float) -> Contacts:
    """The contacts with corrections laid over them, in their order; what lies outside the motion has no effect.

    A frame belongs to a span if its time does. A limb that had no contacts gets some.
    """
    times = (np.arange(contacts.frames) + 1e-6) * frame_time_s  # a span that starts at a frame's time holds it
    masks: dict[str, Mask] = {}
    for correction in corrections:
        mask = masks.setdefault(correction.limb, contacts.mask(correction.limb))
        mask[(times >= correction.start_s) & (times < correction.stop_s)] = correction.touches
    changed = {limb: intervals(mask) for limb, mask in masks.items()}
    return Contacts(contacts.frames, {**contacts.limbs, **changed}, contacts.ground_m)
