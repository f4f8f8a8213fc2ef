"""Levelling the floor: a recording whose floor drifts or tilts is put on level ground at a given height.

The floor is read off the places where feet rest. Recording systems that creep show a height that changes with *time*
(Akbay 2011, section 4.1.2: a line through the heights of the contacts); ones whose axes are off show a plane that
tilts in *space*. On a straight walk the two look the same, and both look like a real slope, so the way is the caller's
choice; `recommend_levelling` says which one fits.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from editor.contacts.feet import find_limb, limb_points
from model.arrays import Array, IntArray
from model.contacts import FEET, Contact, Contacts
from model.motion import Motion
from model.rotation import between, multiply, rotate

# A contact's height is read over this part of it, away from rolling on and off.
_SETTLED = (0.2, 0.8)
# A slope is read in directions in which resting feet spread this far, a drift over this time.
_SPREAD_M, _SPREAD_S = 1.0, 0.5
# Drift and tilt are told apart if where feet stand leaves this share of the time's spread unexplained.
_OWN_TIME_SHARE = 0.3
# Heights are exact to about this much; what lies many times farther off the fit does not count (a step on a box).
_EXACT_M, _OUTLIER_TIMES = 0.003, 4.0
_ROUNDS = 30
# What rises more than this share of the way it goes is a real slope or stairs; what leaves more than this is uneven.
_REAL_SLOPE, _UNEVEN_M = 0.04, 0.02
# A drift or tilt is there if the floor rises by this much, by this many times what is left, and this share is left.
_RISE_M, _RISE_TIMES, _LEFT_SHARE = 0.01, 2.0, 0.8


class How(StrEnum):
    """What is taken out: a wrong height alone, a drift over time, a tilt in space, or both of these."""

    HEIGHT = "height"
    DRIFT = "drift"
    TILT = "tilt"
    BOTH = "both"


@dataclass(frozen=True, eq=False)
class Levelled:
    """A motion on level ground, its contacts with that ground's height, and what was taken out.

    drift_m_s : how fast the floor rose; slope : (2,) how far it rose in a metre along x and along z. residual_before_m,
    residual_after_m : how far resting feet typically are from one height (1.48 times the median distance).
    """

    motion: Motion
    contacts: Contacts
    drift_m_s: float
    slope: Array
    residual_before_m: float
    residual_after_m: float


@dataclass(frozen=True)
class Recommendation:
    """The way of levelling that fits a clip, a sentence that says why, and what each way would leave."""

    how: How
    reason: str
    height_residual_m: float
    drift_residual_m: float
    tilt_residual_m: float


def level_floor(motion: Motion, contacts: Contacts, how: How = How.HEIGHT, ground_m: float = 0.0) -> Levelled:
    """The motion with its floor level and at height ground_m. how : also as text, "drift".

    Only roots are moved and turned, so limbs and poses stay exactly as they are. Directions and times over which
    resting feet do not spread far enough are left alone, and without contacts only the height is set.
    """
    if contacts.frames != motion.frames:
        raise ValueError(f"contacts are of {contacts.frames} frames, the motion has {motion.frames}")
    how = How(how)
    times, places = _resting(motion, contacts)
    before = _spread(places[:, 1])
    if len(times) == 0:
        times, places = np.zeros(1), np.array([[0.0, contacts.ground_m, 0.0]])
    floor = _at_the_lower_foot(_fit_floor(times, places, how), motion, contacts)
    at = np.asarray(np.arange(motion.frames) * motion.frame_time_s, dtype=np.float64)
    return Levelled(
        motion=_moved(motion, floor, floor.rise(at), ground_m),
        contacts=replace(contacts, ground_m=ground_m),
        drift_m_s=floor.drift_m_s,
        slope=floor.slope,
        residual_before_m=before,
        residual_after_m=_spread(_placed(places - floor.rise(times), floor)[:, 1]),
    )


def recommend_levelling(motion: Motion, contacts: Contacts) -> Recommendation:
    """Which way of levelling fits: the simplest that leaves little, and never one that flattens a slope or stairs.

    Where drift and tilt fit alike it is a tilt: clips of one recording session turn out to be tilted alike, whichever
    way and however fast people walk.
    """
    ways = {how: level_floor(motion, contacts, how) for how in (How.HEIGHT, How.DRIFT, How.TILT)}
    left = {how: way.residual_after_m for how, way in ways.items()}
    how, rise, reason = How.HEIGHT, 0.0, "The floor is level."
    times, places = _resting(motion, contacts)
    if len(times):
        way_m = float(np.hypot(*np.ptp(places[:, [0, 2]], axis=0)))
        how = How.DRIFT if left[How.DRIFT] < _LEFT_SHARE * left[How.TILT] else How.TILT
        steepness = float(np.hypot(*ways[How.TILT].slope))
        rise = steepness * way_m if how is How.TILT else abs(ways[How.DRIFT].drift_m_s) * float(np.ptp(times))
        if left[how] > _LEFT_SHARE * left[How.HEIGHT] or rise < max(_RISE_M, _RISE_TIMES * left[how]):
            how = How.HEIGHT
        elif left[how] > _UNEVEN_M:
            how, reason = How.HEIGHT, "The floor is uneven."
        elif rise > max(_REAL_SLOPE * way_m, 5.0 * _RISE_M):
            how, reason = How.HEIGHT, f"The floor rises or falls by {100.0 * rise:.0f} cm: a slope or stairs, no error."
        elif how is How.DRIFT:
            reason = f"The floor drifts by {100.0 * rise:.1f} cm over the clip."
        else:
            reason = f"The floor is tilted by {np.degrees(np.arctan(steepness)):.1f} degrees."
    return Recommendation(how, reason, left[How.HEIGHT], left[How.DRIFT], left[How.TILT])


def _at_the_lower_foot(floor: "_Floor", motion: Motion, contacts: Contacts) -> "_Floor":
    """The floor where the foot that stands lower usually is: neither shall stand in the ground."""
    off = []
    for foot in FEET:
        times, places = _resting(motion, contacts, (foot,))
        if len(times):
            off.append(float(np.median((_placed(places - floor.rise(times), floor) - floor.point)[:, 1])))
    return replace(floor, point=floor.point + np.array([0.0, min(off, default=0.0), 0.0]))


def _resting(motion: Motion, contacts: Contacts, feet: tuple[str, ...] = FEET) -> tuple[Array, Array]:
    """Times (N,) and places (N, 3) of the lowest points of resting feet, one for each foot and frame."""
    times, places = [np.zeros(0)], [np.zeros((0, 3))]
    for foot in feet:
        limb = find_limb(motion.skeleton, foot)
        if limb is None or not contacts.limbs.get(foot):
            continue
        frames = np.concatenate([_settled(contact) for contact in contacts.limbs[foot]])
        points = limb_points(motion, limb)[frames]
        lowest = np.argmin(points[..., 1], axis=1)
        times.append(frames * motion.frame_time_s)
        places.append(points[np.arange(len(frames)), lowest])
    return np.concatenate(times), np.concatenate(places)


def _settled(contact: Contact) -> IntArray:
    """The frames of a contact in which the foot is flat on the ground, at least one."""
    length = contact.stop - contact.start
    first = contact.start + int(_SETTLED[0] * length)
    return np.arange(first, max(first + 1, contact.start + int(_SETTLED[1] * length)))


@dataclass(frozen=True, eq=False)
class _Floor:
    """A plane that moves: at time_s its height over the point (3,) is the point's; slope : (2,) along x and z."""

    point: Array
    time_s: float
    slope: Array
    drift_m_s: float

    @property
    def turn(self) -> Array:
        """(4,) the smallest rotation that makes the plane level."""
        return between(np.array([-self.slope[0], 1.0, -self.slope[1]]), np.array([0.0, 1.0, 0.0]))

    def rise(self, times: Array) -> Array:
        """(N, 3) how far the plane has risen at these times (N,)."""
        return np.asarray(self.drift_m_s * (times - self.time_s)[:, None] * np.array([0.0, 1.0, 0.0]))


def _fit_floor(times: Array, places: Array, how: How) -> _Floor:
    """The floor under resting feet. times : (N,), places : (N, 3).

    It tilts only along those main directions of the places in which they spread far enough, and drifts only if they
    spread over time; on a straight way at even speed, where tilt and drift are one, what `both` finds is tilt.
    """
    centre, middle = np.mean(places[:, [0, 2]], axis=0), float(np.mean(times))
    across, since = places[:, [0, 2]] - centre, times - middle
    directions = np.zeros((0, 2))
    if how in (How.TILT, How.BOTH) and len(places) > 1:
        directions = np.linalg.svd(across, full_matrices=False)[2]
        directions = directions[np.ptp(across @ directions.T, axis=0) >= _SPREAD_M]
    columns = [np.ones((len(times), 1)), across @ directions.T]
    drifts = how in (How.DRIFT, How.BOTH) and np.ptp(times) >= _SPREAD_S
    if drifts:
        explained = columns[1] @ np.linalg.lstsq(columns[1], since, rcond=None)[0]
        drifts = np.std(since - explained) >= _OWN_TIME_SHARE * np.std(since)
    if drifts:
        columns.append(since[:, None])
    height, *rises = _robust_fit(np.concatenate(columns, axis=1), places[:, 1])
    return _Floor(
        np.array([centre[0], height, centre[1]]),
        middle,
        np.array(rises[: len(directions)]) @ directions,
        float(rises[-1]) if drifts else 0.0,
    )


def _robust_fit(design: Array, values: Array) -> Array:
    """(K,) least squares in which what lies far off counts for little. design : (N, K), values : (N,).

    Weighted again and again: first by 1/distance, which no outlier can carry away, then by Tukey's biweight, for which
    what lies beyond the limit does not exist.
    """
    weights: Array = np.ones(len(values))
    result: Array = np.zeros(design.shape[1])
    for n in range(2 * _ROUNDS):
        root = np.sqrt(weights)
        result = np.asarray(np.linalg.lstsq(design * root[:, None], values * root, rcond=None)[0], dtype=np.float64)
        off = np.abs(values - design @ result)
        scale = max(1.4826 * float(np.median(off)), _EXACT_M)
        if n < _ROUNDS:
            weights = 1.0 / np.maximum(off, scale)
        else:
            weights = np.maximum(1.0 - (off / (_OUTLIER_TIMES * scale)) ** 2, 0.0) ** 2
    return result


def _spread(heights: Array) -> float:
    """How far heights (N,) typically are from their middle."""
    if len(heights) == 0:
        return 0.0
    return 1.4826 * float(np.median(np.abs(heights - np.median(heights))))


def _placed(positions: Array, floor: _Floor) -> Array:
    """Positions (..., 3) turned as the floor is; without a slope they are not touched."""
    if not np.any(floor.slope):
        return positions
    return np.asarray(floor.point + rotate(floor.turn, positions - floor.point))


def _moved(motion: Motion, floor: _Floor, rise: Array, ground_m: float) -> Motion:
    """The motion without the floor's rise (F, 3), turned as a whole, its floor brought to ground_m."""
    lift = np.array([0.0, ground_m - floor.point[1], 0.0])
    rotations, offsets = motion.local_rotations, motion.local_offsets
    if np.any(floor.slope):
        rotations = np.array(rotations)
        for root in motion.skeleton.roots:
            rotations[:, root] = multiply(floor.turn, rotations[:, root])
    further = list(motion.skeleton.roots[1:])
    if further:
        # A further root's offset is where it is in the world; on a drifting floor that changes from frame to frame.
        if floor.drift_m_s:
            offsets = np.broadcast_to(offsets, (motion.frames, *offsets.shape[-2:]))
        offsets = np.array(offsets)
        sunk = offsets[..., further, :] - rise[:, None] if floor.drift_m_s else offsets[..., further, :]
        offsets[..., further, :] = _placed(sunk, floor) + lift
    return replace(
        motion,
        root_positions=_placed(motion.root_positions - rise, floor) + lift,
        local_rotations=rotations,
        local_offsets=offsets,
    )
