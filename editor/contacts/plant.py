"""Planting: feet that rest on the ground stay where they are. The one place that moves feet.

`clean_feet` takes the sliding out of a motion: within a contact the foot keeps rolling and flexing as it did, but
about a point that stands still; between contacts what was changed passes over smoothly. `reach` bends legs so that
ankles meet given places, shifting the pelvis where a leg is too short. Kovar et al. 2002; Kim and Neff 2011,
section 7.1; Coleman 2012, sections 6.4, 6.6.3 and 6.6.4.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from editor.contacts.feet import Limb, find_limb, heel_offset, limb_points, tip_offset
from model.arrays import Array
from model.contacts import FEET, Contact, Contacts, Mask
from model.limbs import SOFT_ANGLE_RAD, solve_limb, turn_limb
from model.motion import Motion
from model.rotation import between, conjugate, multiply, rotate

# A foot comes to rest, and leaves, over this time at most, and this share of its contact.
_SETTLE_S, _SETTLE_SHARE = 0.06, 0.15
# A foot rolls on and off in this share of its contact at either end.
_ROLL_SHARE = 0.2
# A toe joint higher than this above its level in the contact no longer carries the foot, and over this height more.
_RISE_M, _RISE_OVER_M = 0.01, 0.02
# Where the contacts of a foot mostly differ by no more than this in height, they stand on one level floor.
_FLOOR_M = 0.015
# What the clip's ends leave of a contact says little of its height where it is shorter than this.
_BRIEF_S = 0.2
# Over this much above and below the ground what keeps toes out of it sets in.
_SOFT_M = 0.003
# What a foot was moved by fades within this time, where the next contact is farther away than twice that.
_FADE_S = 0.5
# How slowly the pelvis follows feet that were moved, and gives way where a leg is too short.
_PELVIS_S = 0.2
# So long before and after a contact its foot must be in reach.
_NEAR_S = 0.12
# What feet are moved by changes no faster than this: what trembled before may, but nothing trembles more.
_EVEN_S = 0.03
# A planted foot that moves less than this stands still to the eye.
_SEEN_M = 0.0012
_SINK_S = 0.1
# An ankle no faster than this, m/s, stands over a flat foot.
_STILL_SPEED = 0.15
_UP = np.array([0.0, 1.0, 0.0])


def clean_feet(motion: Motion, contacts: Contacts) -> Motion:
    """The motion with feet that stand still in their contacts, and nothing of a foot under the ground."""
    if contacts.frames != motion.frames:
        raise ValueError(f"contacts are those of {contacts.frames} frames, the motion has {motion.frames}")
    ends, floors, held = {}, {}, {}
    shift, weight = np.zeros((motion.frames, 3)), np.full(motion.frames, 1e-3)
    for name in FEET:
        limb = find_limb(motion.skeleton, name)
        if limb is None or limb.bends is None or not contacts.limbs.get(name):
            continue
        foot = _Foot.of(motion, limb, contacts.limbs[name])
        moved = foot.moves(motion.frame_time_s)
        ends[name] = motion.world.positions[:, limb.end] + moved
        floors[name] = foot.floor
        resting = contacts.mask(name)
        held[name] = near_contacts(resting, motion.frame_time_s)
        share = 0.05 + resting
        shift += share[:, None] * moved
        weight += share
    if not ends:
        return motion
    pelvis = _evened(shift / weight[:, None], _PELVIS_S, motion.frame_time_s)
    return flex_toes(reach(motion, ends, pelvis, held), floors)


def reach(
    motion: Motion, ends: Mapping[str, Array], pelvis: Array | None = None, held: Mapping[str, Array] | None = None
) -> Motion:
    """The motion with ankles (or wrists) at given places, feet and hands turned as they were.

    ends : for limbs by name, (F, 3) world places of their end joints; pelvis : (F, 3) how the body is moved first;
    held : (F,) how much it matters in each frame that a foot gets there, 0 to 1, 1 if not given. Where a leg is too
    short the body sinks as much, for legs do not stretch in files, and a foot that does not matter falls short.
    """
    limbs = {name: limb for name in ends if (limb := find_limb(motion.skeleton, name)) is not None}
    moved = np.zeros((motion.frames, 3)) if pelvis is None else pelvis
    sink = np.zeros(motion.frames)
    for name, limb in limbs.items():
        if name in FEET and limb.bends is not None:
            missing = _missing(motion, limb, ends[name] - moved)
            sink = np.maximum(sink, missing if held is None else held[name] * missing)
    if np.any(sink > 0.0):
        moved = moved - envelope(sink, motion.frame_time_s)[:, None] * _UP
    rotations, world = motion.local_rotations, motion.world
    for name, limb in limbs.items():
        if limb.bends is None:
            continue
        root, middle, end = (world.positions[:, joint] + moved for joint in limb.bends)
        solution = solve_limb(root, middle, end, ends[name], _bend_axis(motion, limb), max_stretch=0.0)
        rotations = turn_limb(motion.skeleton.parents, rotations, world, limb.bends, solution)
    return replace(motion, root_positions=motion.root_positions + moved, local_rotations=rotations)


@dataclass(frozen=True, eq=False)
class _Foot:
    """A foot and the ground it meets. points : (F, P, 3) toe, then heel and tip as far as known; floor : (F,)."""

    contacts: tuple[Contact, ...]
    points: Array
    stiff: int  # how many of the points cannot be bent out of the ground
    levels: Array  # for each contact, how much its toe must rise to stand on its ground
    floor: Array

    @staticmethod
    def of(motion: Motion, limb: Limb, contacts: tuple[Contact, ...]) -> "_Foot":
        seen = limb_points(motion, limb)
        ankle = seen[:, 0]
        turns = motion.world.rotations[:, limb.end]
        resting = np.zeros(motion.frames, dtype=bool)
        for contact in contacts:
            resting[contact.start : contact.stop] = True
        flat = resting & (_speed(ankle, motion.frame_time_s) < _STILL_SPEED)
        offset = heel_offset(turns, seen, flat)
        toe = seen[:, 1] if limb.toe is not None else seen[:, -1]
        points = [toe]
        if offset is not None:
            points.append(ankle + rotate(turns, offset))
        stiff = len(points)
        if limb.toe is not None and seen.shape[1] > 2:
            points.append(seen[:, 2])
        heights = _heights(np.min(seen[..., 1], axis=1), contacts, motion.frame_time_s)
        off = np.abs(heights - np.median(heights))
        level = np.percentile(off, 80) < _FLOOR_M  # a floor that tilts or rises is followed, step by step
        grounds = np.where(level & (off < 2.0 * _FLOOR_M), np.median(heights), heights)
        floor = _floor_line(contacts, grounds, motion.frames)
        return _Foot(contacts, np.stack(points, axis=1), stiff, grounds - heights, floor)

    def moves(self, frame_time_s: float) -> Array:
        """(F, 3) by how much to move the foot so that it stands."""
        moves = np.zeros(self.points[:, 0].shape)
        for contact, level in zip(self.contacts, self.levels, strict=True):
            moves[contact.start : contact.stop] = self._standing(contact, frame_time_s)
            moves[contact.start : contact.stop, 1] = level
        _pass_over(moves, self.contacts, frame_time_s)
        deep = np.max(self.floor[:, None] - self.points[:, : self.stiff, 1] - moves[:, 1:2], axis=1)
        if np.any(deep > 0.0):
            moves[:, 1] += envelope(np.maximum(deep, 0.0), frame_time_s)
        return self._evened_but_standing(moves, frame_time_s)

    def _evened_but_standing(self, moves: Array, frame_time_s: float) -> Array:
        """Moves (F, 3) without what is sudden, where the foot does not stand, or stands still to the eye."""
        even = _evened(moves, _EVEN_S, frame_time_s)
        sudden = moves - even
        standing = np.zeros(len(moves))
        for contact in self.contacts:
            if np.max(_length(sudden[_middle(contact)])) > _SEEN_M:
                count = contact.stop - contact.start
                rolled = (_from_ends(count) + 1.0) / (int(_ROLL_SHARE * count) + 1.0)
                standing[contact.start : contact.stop] = _smoothstep(rolled)
        return even + standing[:, None] * sudden

    def _standing(self, contact: Contact, frame_time_s: float) -> Array:
        """(N, 3) moves that keep the carrying point of the foot in place, zero on average."""
        points = self.points[contact.start : contact.stop]
        count = len(points)
        weights = self._carrying(points)
        steps = np.einsum("np,npi->ni", 0.5 * (weights[1:] + weights[:-1]), np.diff(points, axis=0))
        settle = min(_SETTLE_S / frame_time_s, _SETTLE_SHARE * count, int(_ROLL_SHARE * count) + 0.5)
        at = np.arange(count - 1) + 0.5
        held = np.ones(count - 1)
        if contact.start > 0:
            held = np.minimum(held, at / max(settle, 1e-9))
        if contact.stop < len(self.points):
            held = np.minimum(held, at[::-1] / max(settle, 1e-9))
        held = _smoothstep(held)
        moves = np.concatenate([np.zeros((1, 3)), np.cumsum(-held[:, None] * steps, axis=0)])
        return np.asarray(moves - np.mean(moves, axis=0))

    @staticmethod
    def _carrying(points: Array) -> Array:
        """(N, P) which of the points carries the foot: the toe, but where it is up while the foot rolls on or off,
        whichever is lowest.
        """
        above = points[..., 1] - np.percentile(points[..., 1], 10, axis=0)
        weights = np.zeros(above.shape)
        weights[:, 0] = 1.0
        if above.shape[1] > 1:
            margin = int(_ROLL_SHARE * len(above))
            rolling = _smoothstep((margin - _from_ends(len(above))) / max(margin, 1))
            risen = rolling * _smoothstep((above[:, 0] - _RISE_M) / _RISE_OVER_M)
            others = np.exp(-above[:, 1:] / _RISE_M)
            weights[:, 0] -= risen
            weights[:, 1:] = risen[:, None] * others / np.sum(others, axis=1, keepdims=True)
        return weights


def _middle(contact: Contact) -> slice:
    """The frames of a contact in which the foot rolls neither on nor off."""
    margin = int(_ROLL_SHARE * (contact.stop - contact.start))
    return slice(contact.start + margin, contact.stop - margin)


def _from_ends(count: int) -> Array:
    """(N,) how many frames each of a run is away from its nearer end."""
    at = np.arange(float(count))
    return np.asarray(np.minimum(at, at[::-1]))


def _pass_over(moves: Array, contacts: tuple[Contact, ...], frame_time_s: float) -> None:
    """Let what contacts are moved by pass over smoothly from each to the next, and fade where that is far away.

    On the Hermite curve that starts and ends at rest. `moves` (F, 3) is changed.
    """
    moves[: contacts[0].start] = moves[contacts[0].start]
    moves[contacts[-1].stop :] = moves[contacts[-1].stop - 1]
    for before, after in pairwise(contacts):
        steps = after.start - before.stop + 1.0
        fade = steps if steps * frame_time_s <= 2.0 * _FADE_S else _FADE_S / frame_time_s
        at = np.arange(1.0, steps)[:, None]
        leaving, coming = _smoothstep(1.0 - at / fade), _smoothstep(1.0 - (steps - at) / fade)
        moves[before.stop : after.start] = leaving * moves[before.stop - 1] + coming * moves[after.start]


def _heights(lowest: Array, contacts: tuple[Contact, ...], frame_time_s: float) -> Array:
    """(C,) how high a foot stands in each of its contacts. lowest : (F,) of its points.

    Where the clip's ends leave little of a contact, the foot may be rolling all through it: then it is the
    neighbour's height.
    """
    heights = np.array([np.percentile(lowest[_middle(contact)], 25) for contact in contacts])
    for one, neighbour in ((0, 1), (-1, -2)):
        cut = contacts[one].start == 0 or contacts[one].stop == len(lowest)
        brief = (contacts[one].stop - contacts[one].start) * frame_time_s < _BRIEF_S
        if len(contacts) > 1 and cut and brief:
            heights[one] = heights[neighbour]
    return heights


def _floor_line(contacts: tuple[Contact, ...], grounds: Array, frames: int) -> Array:
    """(F,) the ground's height under a foot: its contact's, and in swing the lower of both contacts'.

    Before the first and after the last it may go on falling as it did.
    """
    floor = np.full(frames, grounds[0])
    floor[contacts[-1].start :] = grounds[-1]
    if len(contacts) > 1:
        floor[: contacts[0].start] = min(grounds[0], 2.0 * grounds[0] - grounds[1])
        floor[contacts[-1].stop :] = min(grounds[-1], 2.0 * grounds[-1] - grounds[-2])
    for n, (before, after) in enumerate(pairwise(contacts)):
        floor[before.start : before.stop] = grounds[n]
        floor[before.stop : after.start] = min(grounds[n], grounds[n + 1])
    return floor


def _missing(motion: Motion, limb: Limb, ends: Array) -> Array:
    """(F,) how much lower the hip must be for its leg to reach `ends`, no straighter than it was or 170 degrees."""
    assert limb.bends is not None
    hip, knee, ankle = (motion.world.positions[:, joint] for joint in limb.bends)
    upper, lower = _length(knee - hip), _length(ankle - knee)
    straight = np.sqrt(upper**2 + lower**2 - 2.0 * upper * lower * np.cos(SOFT_ANGLE_RAD))
    longest = np.maximum(straight, _length(ankle - hip))
    wanted = ends - hip
    across = wanted[:, 0] ** 2 + wanted[:, 2] ** 2
    lowest = np.sqrt(np.maximum(longest**2 - across, 0.0))
    sink = np.maximum(-wanted[:, 1] - lowest, 0.0)
    return np.where(ends[:, 1] < hip[:, 1], sink, 0.0)


def _bend_axis(motion: Motion, limb: Limb) -> Array:
    """(F, 3) the axis about which the knee bends, in the world: how it bends where it does, carried by the thigh."""
    assert limb.bends is not None
    hip, knee, ankle = (motion.world.positions[:, joint] for joint in limb.bends)
    axis = np.cross(knee - hip, ankle - knee)
    turns = motion.world.rotations[:, limb.bends[0]]
    mean = np.sum(rotate(conjugate(turns), axis), axis=0)
    size = float(_length(mean))
    return rotate(turns, mean / size if size > 1e-9 else np.array([1.0, 0.0, 0.0]))


def flex_toes(motion: Motion, floors: Mapping[str, Array]) -> Motion:
    """The motion with toes bent up where their tips would be under the ground. floors : (F,) by limb."""
    rotations = np.array(motion.local_rotations)
    world = motion.world
    for name, floor in floors.items():
        limb = find_limb(motion.skeleton, name)
        assert limb is not None
        tip = tip_offset(motion.skeleton, limb)
        if limb.toe is None or tip is None:
            continue
        base = world.positions[:, limb.toe]
        toe = rotate(world.rotations[:, limb.toe], tip)
        deep = _soft_positive(floor - base[:, 1] - toe[:, 1])
        if not np.any(deep > 0.0):
            continue
        length = _length(toe)
        high = np.clip(toe[:, 1] + deep, -length, length)
        flat = np.sqrt(np.maximum(length**2 - high**2, 0.0)) / np.maximum(_length(toe[:, [0, 2]]), 1e-9)
        lifted = np.stack([toe[:, 0] * flat, high, toe[:, 2] * flat], axis=-1)
        turn = between(toe, lifted)
        parent = world.rotations[:, motion.skeleton.parents[limb.toe]]
        local = multiply(conjugate(parent), multiply(turn, world.rotations[:, limb.toe]))
        rotations[:, limb.toe] = np.where((deep > 0.0)[:, None], local, rotations[:, limb.toe])
    return replace(motion, local_rotations=rotations)


def _evened(values: Array, over_s: float, frame_time_s: float) -> Array:
    """Values (F, ...) without what changes faster: their running mean over this time, twice."""
    from scipy.ndimage import uniform_filter1d

    width = max(1, round(over_s / frame_time_s)) | 1
    once = uniform_filter1d(values, width, axis=0, mode="nearest")
    return np.asarray(uniform_filter1d(once, width, axis=0, mode="nearest"))


def near_contacts(resting: Mask, frame_time_s: float) -> Array:
    """(F,) 1 where a foot rests and shortly before and after, fading to 0 where it is long in the air."""
    from scipy.ndimage import maximum_filter1d

    reach = 2 * max(1, round(_NEAR_S / frame_time_s)) + 1
    return _evened(maximum_filter1d(resting.astype(np.float64), reach, mode="nearest"), _NEAR_S, frame_time_s)


def envelope(values: Array, frame_time_s: float) -> Array:
    """(F,) a smooth curve nowhere below `values` (F,): the largest nearby, averaged over as far."""
    from scipy.ndimage import maximum_filter1d, uniform_filter1d

    half = max(1, round(0.5 * _SINK_S / frame_time_s))
    most = maximum_filter1d(values, 4 * half + 1, mode="nearest")
    once = uniform_filter1d(most, 2 * half + 1, mode="nearest")
    return np.asarray(uniform_filter1d(once, 2 * half + 1, mode="nearest"))


def _speed(positions: Array, frame_time_s: float) -> Array:
    """(F,) of a point (F, 3)."""
    if len(positions) < 2:
        return np.zeros(len(positions))
    return _length(np.gradient(positions, frame_time_s, axis=0))


def _soft_positive(x: Array) -> Array:
    """x where it is positive and 0 elsewhere, without a corner between."""
    near = np.clip(x, -_SOFT_M, _SOFT_M)
    return np.asarray(np.maximum(x - _SOFT_M, 0.0) + (near + _SOFT_M) ** 2 / (4.0 * _SOFT_M))


def _smoothstep(x: Array) -> Array:
    """From 0 to 1, at rest and without acceleration at both ends."""
    x = np.clip(x, 0.0, 1.0)
    return np.asarray(x * x * x * (x * (6.0 * x - 15.0) + 10.0))


def _length(v: Array) -> Array:
    return np.asarray(np.sqrt(np.sum(v * v, axis=-1)))
