"""Jumps that go higher or lower: what the thesis leaves to a trajectory-centred approach (Coleman 2012, section 8.4).

Timing stays, as in all of exaggeration: a jump twice as high takes as long, and so the body falls twice as fast.
"""

import numpy as np

from model.arrays import Array
from model.contacts import Contacts, intervals
from model.motion import Motion
from model.placing import pelvis_positions

# Flights shorter than this are those of a run.
_JUMP_S = 0.25


def raised(motion: Motion, contacts: Contacts, amount: float) -> Array:
    """(F,) metres by which the body is higher, where it flies between two contacts: its arc over the line from taking
    off to landing is made `amount` times as high.

    What is added is a smooth arch that leaves speed alone where feet leave the ground and meet it.
    """
    heights = pelvis_positions(motion)[:, 1]
    higher = np.zeros(motion.frames)
    touching = np.zeros(motion.frames, dtype=bool)
    for name in contacts.limbs:
        touching |= contacts.mask(name)
    for flight in intervals(~touching):
        start, stop = flight.start - 1, flight.stop
        if start < 0 or stop >= motion.frames or (stop - start) * motion.frame_time_s < _JUMP_S:
            continue
        part = np.linspace(0.0, 1.0, stop - start + 1)
        arc = heights[start : stop + 1] - ((1.0 - part) * heights[start] + part * heights[stop])
        top = max(float(np.max(arc)), 0.0)
        higher[start : stop + 1] = (amount - 1.0) * top * (4.0 * part * (1.0 - part)) ** 2
    return higher
