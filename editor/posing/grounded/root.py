"""Where the root goes so that contacts stay and poses are met. Coleman 2012, section 6.6.2."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from editor.posing.grounded.asked import PoseChange, Target, faded_in_gap, targets_within
from editor.posing.grounded.bending import missing, straightness
from editor.posing.grounded.curves import Complex, Gaps, filled, tented, through_knots
from editor.posing.grounded.footing import Footing
from editor.posing.grounded.posed import PosedJoints
from model.arrays import Array, IntArray
from model.contacts import Contact, Mask, intervals
from model.monotone import ease

# The tent that smooths what contacts ask of the root is so wide on either side: half a second in all.
TENT_S = 0.25
# Less than this in a frame is rounding.
_NO_STEP_M = 1e-13
# In flight what the last contact asked of the root's velocity fades within this share of that.
_COASTING = 0.8


@dataclass(frozen=True)
class Moments:
    """The frames of the targets, and of the anchors, where fades have ended and the motion is as it was; in order."""

    targets: tuple[int, ...]
    anchors: tuple[int, ...]

    @property
    def all(self) -> tuple[int, ...]:
        return tuple(sorted({*self.targets, *self.anchors}))

    def within(self, start: int, stop: int) -> IntArray:
        """The frames of [start, stop) by which a contact there is placed: its targets, else anchors, else all."""
        for some in (self.targets, self.anchors):
            found = some[bisect_left(some, start) : bisect_left(some, stop)]
            if found:
                return np.array(found)
        return np.arange(start, stop)


def shifted_root(
    pelvis: Complex,
    posed: Complex,
    turns: Array,
    footings: Sequence[Footing],
    moments: Moments,
    quiet: Mask,
    tent: float,
) -> Complex:
    """(F,) how far the root goes on the floor from where it was.

    pelvis : (F,) where it was, and posed : where the posed body has it, its root where it was; in some files the root
    stays at the origin and the pelvis travels. turns : (F,) the yaw that the poses give it; quiet : (F,) frames in
    which nothing was changed. The pelvis' velocity is turned along; what the ankles in contact then slip is taken back,
    smoothly; at last it is led through the places that contacts shared by neighbouring targets ask for.
    """
    velocity, as_posed = (np.diff(way, prepend=way[:1]) for way in (pelvis, posed))
    steps = np.exp(1j * turns) * velocity - as_posed
    steps = np.where(np.abs(steps) > _NO_STEP_M, steps, 0.0)
    wanted, count = np.zeros(len(pelvis), dtype=np.complex128), np.zeros(len(pelvis))
    for footing in footings:
        slips = footing.slips()
        both = footing.mask & np.concatenate([[False], footing.mask[:-1]])
        wanted -= np.where(both, np.diff(slips, prepend=slips[:1]) + steps, 0.0)
        count += both
    known = (count > 0) | quiet
    correction = filled(np.where(count > 0, wanted / np.maximum(count, 1.0), 0.0), known)
    # What contacts asked for last says little of a long flight: there the velocity is the original's, turned.
    correction *= ease(1.0 - Gaps.of(known).away() / (_COASTING * tent))
    shift = np.cumsum(steps + tented(correction, tent))
    shift -= shift[0]
    return shift + _refinement(shift, footings, moments)


def _refinement(shift: Complex, footings: Sequence[Footing], moments: Moments) -> Complex:
    """(F,) what leads the root through places from which all contacts shared by neighbouring moments are met."""
    at = moments.all
    if len(at) < 2:
        return np.zeros(len(shift), dtype=np.complex128)
    slips = [footing.slips() for footing in footings]
    lifted = [np.cumsum(~footing.mask) for footing in footings]  # the same all through a contact
    knots: list[complex] = [0.0]
    for before, after in pairwise(at):
        shared = [
            slip[before] - slip[after]
            for footing, slip, off in zip(footings, slips, lifted, strict=True)
            if footing.mask[before] and off[before] == off[after]
        ]
        knot = knots[-1]
        if shared:
            knot += complex(np.mean(shared)) - (shift[after] - shift[before])
        knots.append(knot)
    return through_knots(at, knots, len(shift))


def risen_root(footings: Sequence[Footing], moments: Moments, quiet: Mask, tent: float) -> Array:
    """(F,) how far the root goes up, so that ankles in contact are as high above the ground as they were.

    quiet : (F,) frames in which neither poses nor the ground changed. Targets are met exactly; away from them, from
    their anchors on, the root goes up smoothly, or not at all where all is quiet.
    """
    frames = len(quiet)
    wanted, count = np.zeros(frames), np.zeros(frames)
    for footing in footings:
        wanted += np.where(footing.mask, footing.original_heights + footing.lifts - footing.asked_heights, 0.0)
        count += footing.mask
    exact = np.where(count > 0, wanted / np.maximum(count, 1.0), 0.0)
    rise = tented(filled(exact, (count > 0) | quiet), tent)
    loose = {frame for frame in moments.anchors if not quiet[frame]}
    at = [frame for frame in moments.all if count[frame] > 0 or quiet[frame] or frame in loose]
    if at:
        apart = [0.0 if frame in loose else complex(exact[frame] - rise[frame]) for frame in at]
        rise = rise + through_knots(at, apart, frames).real
    return rise


def flown_root(targets: Sequence[Target], touching: Mask, rise: Array) -> Array:
    """(F,) how much higher the poses have the root while nothing touches the ground, 0 where a flight starts and ends.

    touching : (F,); rise : (F,) how far the root goes up already because of the poses, which is taken back there. Moves
    along the ground are not heeded: where a body flies follows from how it left the ground (6.3).
    """
    risen = np.zeros(len(touching))
    for flight, inside in targets_within(intervals(~touching), targets):
        moves = np.array([one.move_m[1] for one in inside]) - rise[[one.frame for one in inside]]
        risen[flight.start : flight.stop] = faded_in_gap(flight, inside, len(touching), moves)
    return risen


def moved_over_feet(change: PoseChange, footings: Sequence[Footing], posed: PosedJoints, frames: int) -> Array:
    """(F, 3) how targets move the root that leave the limbs in contact as they are: over planted feet, and no higher
    than these reach. Where nothing ever touches the ground, along it as they are.
    """
    moves = np.array([_over_feet(one, change, footings, posed) for one in change.targets]).reshape(-1, 3)
    if not np.any(moves):
        return np.zeros((frames, 3))
    return faded_in_gap(Contact(0, frames), change.targets, frames, moves)


def _over_feet(target: Target, change: PoseChange, footings: Sequence[Footing], posed: PosedJoints) -> Array:
    """(3,) how a target moves the root over the feet that stand, none where it speaks of their limbs."""
    frame, none = target.frame, np.zeros(3)
    if not footings:
        return np.array([target.move_m[0], 0.0, target.move_m[2]])  # the height is that of a flight
    standing = [one.bends for one in footings if one.mask[frame]]
    if not any(target.move_m) or not standing:
        return none
    if any(change.turned_at(frame) & {*joints} for joints in standing):
        return none
    move = np.array(target.move_m)
    hips, knees, ankles = (np.array([posed.position(joints[n])[frame] for joints in standing]) for n in range(3))
    was = straightness(hips, knees, ankles)
    short = float(np.max(missing(hips + move, knees + move, ankles + move, ankles, was)))
    move[1] -= min(short, max(move[1], 0.0))
    return move
