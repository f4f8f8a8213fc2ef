"""What a take has of the one before it where the edit that made it does not say: its scope, extremes and ground."""

from dataclasses import replace

import numpy as np

from model.arrays import Array
from model.clip import Take
from model.contacts import Mask
from model.scope import blended_contacts, blended_motion
from model.time_map import TimeMap


def within(before: Take, after: Take, weights: Array, joints: Mask) -> Take:
    """What is left of an edit within its scope; the take before it where nothing is."""
    if after is before or not np.any(weights > 0.0) or not np.any(joints):
        return before
    return Take(
        blended_motion(before.motion, after.motion, weights, joints),
        blended_contacts(before.contacts, after.contacts, weights),
    )


def inherited(before: Take, after: Take, time_map: TimeMap) -> Take:
    """What an edit made, with the extremes and the ground of the take before where it has none of its own to say, and
    without the reports of that.
    """
    return _with_ground(before, _with_extremes(before, _with_own_reports(before, after), time_map))


def finite(take: Take) -> Take:
    """The take itself. Raises ValueError where it holds infinities, or numbers that are none."""
    motion = take.motion
    with np.errstate(all="ignore"):
        sums = [np.sum(array) for array in (motion.root_positions, motion.local_rotations, motion.local_offsets)]
    if not np.all(np.isfinite(sums)):
        raise ValueError("the result holds numbers that are none")
    return take


def _with_own_reports(before: Take, after: Take) -> Take:
    """The take after an edit without the reports of the one before, which do not tell of it."""
    own = tuple(report for report in after.reports if not any(report is other for other in before.reports))
    return after if after is before or len(own) == len(after.reports) else replace(after, reports=own)


def _with_extremes(before: Take, after: Take, time_map: TimeMap) -> Take:
    """The take after an edit with the extremes of the one before, where the edit has none of its own to say."""
    extremes = before.extremes
    own = after.extremes is not None and after.extremes is not extremes
    if after is before or extremes is None or own:
        return after
    return replace(after, extremes=extremes.through(time_map, after.motion.duration_s))


def _with_ground(before: Take, after: Take) -> Take:
    """The take after an edit on the ground of the one before, where the edit says nothing of it; floors that are lifted
    take what stands on them along.
    """
    if before.ground is None or after.ground is not None:
        return after
    lifted_m = after.contacts.ground_m - before.contacts.ground_m
    return replace(after, ground=before.ground.at_height(before.ground.height_m + lifted_m))
