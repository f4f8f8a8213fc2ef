"""How feet go from contact to contact, and over what lies between. Coleman 2012, section 6.6.3."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from editor.posing.grounded.asked import bounds
from editor.posing.grounded.curves import Complex
from editor.posing.grounded.footing import NO_MOVE_M, Footing, Sole, heights_at
from editor.posing.grounded.root import Moments
from model.arrays import Array
from model.contacts import intervals
from model.ground import Ground
from model.monotone import ease, monotone_spline

# Above these heights over its contacts a foot or hand begins to follow the body alone, and from the second on does.
_HIGH_M = {"foot": (0.6, 1.0), "hand": (0.25, 0.7)}
# So long before and after a contact it is led by it, and longer than that no more.
_LED_S, _FREE_S = 0.5, 1.0
# What a foot is moved by goes on across a contact's end at most so fast.
_STEEPEST_M_S, _STEEPEST_RAD_S = 2.0, 3.0
# Deeper than this counts as under the ground; after so many layers the rest is lifted as it is.
_DEEP_M, _LAYERS = 5e-4, 16
_OPEN_S = 0.5
# A foot rises over an edge about so fast, within this share of its swing.
_CLIMB_M_S, _CLIMB_SHARE = 2.5, 0.3


@dataclass(frozen=True, eq=False)
class FootPath:
    """Where an ankle goes: places (F,), heights (F,), turns (F,) the foot's yaw from how it was; led : (F,) how much
    that counts, 1 in contact, 0 where the limb is free.
    """

    places: Complex
    heights: Array
    turns: Array
    led: Array


def place_contacts(footing: Footing, places: Complex, moments: Moments) -> Complex:
    """(F,) how far each ankle in contact is from `places` (F,), where the body would have it.

    The contact's location is the mean over its chosen frames, 6.6.2 "Contact Locations".
    """
    apart = np.zeros(len(places), dtype=np.complex128)
    turned = np.exp(1j * footing.contact_turns) * footing.original
    for contact in footing.contacts:
        slip = places[contact.start : contact.stop] - turned[contact.start : contact.stop]
        chosen = moments.within(contact.start, contact.stop) - contact.start
        off = np.mean(slip[chosen]) - slip
        if np.max(np.abs(off)) > NO_MOVE_M:
            apart[contact.start : contact.stop] = off
    return apart


def lift_contacts(footing: Footing, places: Complex, sole: Sole, ground: Ground) -> None:
    """Set how far each contact is lifted: so far that no point of the sole that rests is under the new ground.

    places : (F,) of the ankle in contact. On ground that is level there the whole foot stands on it.
    """
    lifts = np.zeros(len(places))
    if len(footing.tilts):
        places = places + footing.leans
    for contact in footing.contacts:
        part = slice(contact.start, contact.stop)
        turned = np.exp(1j * footing.contact_turns[part])[:, None] * sole.reach[part]
        gained = heights_at(ground, places[part, None] + turned) - sole.grounds[part]
        most = float(np.max(gained))
        if most - float(np.min(gained)) < NO_MOVE_M:
            lifts[part] = most
        else:
            lifts[part] = np.max(gained - sole.risen(part))
    footing.lifts = lifts + footing.rises if len(footing.tilts) else lifts


def foot_path(
    footing: Footing, places: Complex, heights: Array, apart: Complex, flown: Array, frame_time_s: float
) -> FootPath:
    """The ankle's way: as its contacts have it, and between them as the body has it, led from one to the next.

    places, heights : (F,) where the body would have the ankle; apart : (F,) as from `place_contacts`; flown : (F,) how
    much higher the poses have the whole body in flight. In height it goes as it did, above whichever ground it leaves
    and meets (the first layer of 6.6.3).
    """
    off_turns = _wrapped(footing.contact_turns - footing.turns)
    gaps = footing.gaps
    off_turns = gaps.bridged(np.where(gaps.mask, off_turns, 0.0), _STEEPEST_RAD_S * frame_time_s)
    off_places = gaps.bridged(apart, _STEEPEST_M_S * frame_time_s)
    lifts = gaps.bridged(footing.lifts, 0.0)
    led = _led(footing, frame_time_s)
    off_heights = footing.original_heights + lifts + flown - heights
    off_heights = np.where(np.abs(off_heights) > NO_MOVE_M, off_heights, 0.0)
    return FootPath(places + led * off_places, heights + led * off_heights, footing.turns + led * off_turns, led)


def _led(footing: Footing, frame_time_s: float) -> Array:
    """(F,) how much a limb is led by its contacts: less where it is high above them, or long away from them."""
    earlier, later = footing.gaps.earlier, footing.gaps.later
    frames = len(earlier)
    heights = footing.original_heights
    levels = np.maximum(
        np.where(earlier < 0, -np.inf, heights[np.maximum(earlier, 0)]),
        np.where(later >= frames, -np.inf, heights[np.minimum(later, frames - 1)]),
    )
    low, high = _HIGH_M["foot" if footing.name.endswith("foot") else "hand"]
    by_height = ease((high - (heights - levels)) / (high - low))
    by_time = ease((_FREE_S - footing.gaps.away() * frame_time_s) / (_FREE_S - _LED_S))
    return np.where(footing.mask, 1.0, by_height * by_time)


def _wrapped(angles_rad: Array) -> Array:
    """The same angles within half a turn of zero; exactly zero stays so."""
    return np.asarray(angles_rad - 2.0 * np.pi * np.rint(angles_rad / (2.0 * np.pi)))


def floor_under(places: Complex, turns: Array, sole: Sole, ground: Ground) -> Array:
    """(F,) how high an ankle must be there for no point of its foot to be under the ground, or deeper than it was.

    places, turns : (F,) the ankle's, the foot being turned by a yaw from how it was.
    """
    points = places[:, None] + np.exp(1j * turns)[:, None] * sole.reach
    return np.asarray(np.max(heights_at(ground, points) - sole.heights - sole.sunk, axis=1))


def held_back(path: FootPath, floor: Array, footing: Footing, frame_time_s: float) -> FootPath:
    """The way of a foot that has risen before it meets an edge, and is past the last one before it comes down: where it
    has no time for that it waits beside the edge, as people do who stand close to a step.

    floor : (F,) as from `floor_under`. Only when it goes along is changed, between contacts, not where.
    """
    deep = np.where(footing.mask, 0.0, floor - path.heights)
    if not np.any(deep > _DEEP_M):
        return path
    frames = len(deep)
    when = np.arange(float(frames))
    needed = np.maximum(deep, 0.0) / (_CLIMB_M_S * frame_time_s)  # frames that it takes to rise so far
    for gap in intervals(~footing.mask):
        low, high = gap.start - 1.0, float(gap.stop)
        part = np.arange(gap.start, gap.stop)
        most, rise = _CLIMB_SHARE * (high - low), needed[part]
        early, late = (np.flatnonzero(rise > near) for near in (part - low, high - part))
        knots = [(low - most, low - most), (low, low)]  # beyond the swing time goes on as it did
        if gap.start > 0 and len(early):
            knots.append((low + min(_longest(rise, early[0]), most), part[early[0]] - 1.0))
        if gap.stop < frames and len(late):
            knots.append((high - min(_longest(rise, late[-1]), most), part[late[-1]] + 1.0))
        knots += [(high, high), (high + most, high + most)]
        if len(knots) > 4:
            at, to = np.array(knots).T
            when[part] = monotone_spline(at, np.maximum.accumulate(to), part.astype(np.float64))
    return replace(path, places=_sampled(path.places, when), turns=_sampled(path.turns, when))


def _longest(rise: Array, at: int) -> float:
    """How long a foot takes to rise over what it meets at one of its frames and within that time of it. rise : (N,)."""
    longest = float(rise[at])
    for _ in range(3):
        near = int(np.ceil(longest)) + 1
        longest = float(np.max(rise[max(at - near, 0) : at + near + 1]))
    return longest


def _sampled(values: npt.NDArray, when: Array) -> npt.NDArray:  # type: ignore[type-arg]
    """Values (F,), real or complex, at moments (F,) in frames; the very numbers where those are whole."""
    before = np.clip(np.floor(when), 0, len(values) - 2).astype(np.intp)
    share = when - before
    return np.asarray(
        np.where(share == 0.0, values[before], (1.0 - share) * values[before] + share * values[before + 1])
    )


def cleared(heights: Array, floor: Array, footing: Footing, frame_time_s: float, targets: Sequence[int] = ()) -> Array:
    """Heights (F,) of an ankle lifted over the floor (F,) between contacts: layer by layer, each a bump that starts and
    ends with the swing, or at a target that is above the floor, and clears its deepest frame.
    """
    if not np.any((floor - heights)[~footing.mask] > _DEEP_M):
        return heights
    kept = np.array(footing.mask)
    kept[[frame for frame in targets if floor[frame] - heights[frame] <= _DEEP_M]] = True
    heights = np.array(heights)
    wide = _OPEN_S / frame_time_s
    for gap in intervals(~kept):
        part = slice(gap.start, gap.stop)
        at = np.arange(gap.start, gap.stop, dtype=np.float64)
        low, high = bounds(gap, len(heights))
        for _ in range(_LAYERS):
            deep = floor[part] - heights[part]
            worst = int(np.argmax(deep))
            if deep[worst] <= _DEEP_M:
                break
            centre = gap.start + worst
            before, after = (min(side, wide) for side in (centre - low, high - centre))
            bump = np.where(at < centre, ease(1.0 - (centre - at) / before), ease(1.0 - (at - centre) / after))
            heights[part] += deep[worst] * bump
        heights[part] = np.maximum(heights[part], floor[part])
    return heights
