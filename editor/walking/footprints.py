"""Where feet tread: the footprints that a walk leaves on the floor."""

from dataclasses import dataclass

import numpy as np

from editor.contacts.feet import find_limb, limb_points
from model.clip import Take
from model.contacts import FEET

# A foot without toes is drawn this long.
_FOOT_M = 0.2


@dataclass(frozen=True)
class Footprint:
    """A foot on the ground for a while. heel, toe : x and z; start_s, stop_s : of the take that it was found in."""

    foot: str
    heel: tuple[float, float]
    toe: tuple[float, float]
    start_s: float
    stop_s: float


def footprints(take: Take) -> tuple[Footprint, ...]:
    """The footprints of a take in the order of time: where each foot is in the middle of its contacts."""
    motion, found = take.motion, []
    for foot in FEET:
        limb = find_limb(motion.skeleton, foot)
        if limb is None:
            continue
        points = limb_points(motion, limb)
        for contact in take.contacts.limbs.get(foot, ()):
            middle = points[(contact.start + contact.stop) // 2][:, [0, 2]]
            heel, toe = middle[0], middle[-1]
            if len(middle) == 1:
                toe = heel + np.array([0.0, _FOOT_M])
            found.append(
                Footprint(
                    foot,
                    (float(heel[0]), float(heel[1])),
                    (float(toe[0]), float(toe[1])),
                    contact.start * motion.frame_time_s,
                    contact.stop * motion.frame_time_s,
                )
            )
    return tuple(sorted(found, key=lambda one: one.start_s))
