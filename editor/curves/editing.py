"""What hands do to keys: insert, delete, move, scale, tangents, copy and paste. Pure functions on the keys of channels.

A key is spoken of by its channel and its moment (`Spot`). Moments are those of the source, values those of the channel.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from editor.curves.channels import Channel
from editor.curves.keys import SAME_S, Key, Keys, among
from model.contacts import Mask

Curves = Mapping[Channel, Keys]
Snap = Callable[[float], float]
_LEAST_SCALE = 1e-3


@dataclass(frozen=True)
class Spot:
    """A key: the one of a channel at a moment."""

    channel: Channel
    time_s: float


@dataclass(frozen=True)
class Edited:
    """curves : the channels that were changed, each with all its keys; spots : where the edited keys are now."""

    curves: Curves
    spots: frozenset[Spot]


@dataclass(frozen=True)
class Copied:
    """Keys of a channel to be pasted, their moments counted from the first key that was copied."""

    channel: Channel
    keys: tuple[Key, ...]


def as_it_is(time_s: float) -> float:
    """No snapping."""
    return time_s


# Finding


def key_at(keys: Keys, time_s: float) -> Key | None:
    """The key at a moment."""
    return next((key for key in keys.keys if abs(key.time_s - time_s) < SAME_S), None)


def present(curves: Curves, spots: Iterable[Spot]) -> frozenset[Spot]:
    """Those of some spots at which there still is a key."""
    found: set[Spot] = set()
    for channel, moments in by_channel(spots).items():
        if channel in curves and len(curves[channel]):
            there = among(np.array(moments), curves[channel].times_s)
            found |= {Spot(channel, moment) for moment, is_there in zip(moments, there, strict=True) if is_there}
    return frozenset(found)


def merged(*parts: Edited) -> Edited:
    """What was done to different channels, as one."""
    curves = {channel: keys for part in parts for channel, keys in part.curves.items()}
    return Edited(curves, frozenset[Spot]().union(*(part.spots for part in parts)))


def by_channel(spots: Iterable[Spot]) -> dict[Channel, list[float]]:
    """The moments of some keys, channel by channel."""
    chosen: dict[Channel, list[float]] = {}
    for spot in spots:
        chosen.setdefault(spot.channel, []).append(spot.time_s)
    return chosen


def at_moments(keys: Keys, moments: Sequence[float]) -> Mask:
    """(K,) which keys are at some moments, of which there is at least one."""
    return among(keys.times_s, np.sort(np.asarray(moments)))


# Inserting and deleting


def insert_key(keys: Keys, time_s: float) -> Keys:
    """With one more key that leaves the curve as it is. Neighbours whose tangents depend on it get slopes of their own.

    A cubic is told by values and slopes at its ends, so its two parts are what it was.
    """
    if key_at(keys, time_s) is not None:
        return keys
    if not len(keys):
        return Keys((Key(time_s, 0.0),))
    after = int(np.searchsorted(keys.times_s, time_s))
    left, right = after - 1, after
    value, slope = float(keys.at(np.array([time_s]))[0]), _slope_at(keys, time_s)
    held = 0 <= left < len(keys) - 1 and keys.keys[left].tangent == "stepped"
    outside = left < 0 or right == len(keys)
    slope_in, slope_out = (np.array(side) for side in keys.slopes)
    if left >= 0 and outside:
        slope_out[left] = 0.0  # after the last key the curve is level, and stays so
    if right < len(keys) and outside:
        slope_in[right] = 0.0
    new = Key(time_s, value, "stepped" if held else "auto")
    made = keys.inserted([new])
    if not held and not _has_slopes(made, after, slope, slope):
        made = made.inserted([Key(time_s, value, "free", slope, slope)])
    for old, place in ((left, left), (right, right + 1)):
        if 0 <= old < len(keys) and not _has_slopes(made, place, slope_in[old], slope_out[old]):
            made = made.inserted([_with_slopes(keys.keys[old], float(slope_in[old]), float(slope_out[old]))])
    return made


def pull(keys: Keys, time_s: float, by: float, reach_s: float, snap: Snap = as_it_is) -> Keys:
    """With a key at a moment that lifts the curve there, and only within reach.

    On a side that has no key within reach one is put at its end, which leaves the curve there as it is. snap : the
    moment that is meant by that end.
    """
    made = keys
    for near, far in ((time_s - reach_s, time_s), (time_s, time_s + reach_s)):
        end = near if far == time_s else far
        if not np.any((keys.times_s >= near - SAME_S) & (keys.times_s <= far + SAME_S) & ~at_moments(keys, [time_s])):
            made = insert_key(made, snap(end))
    made = insert_key(made, time_s)
    key = key_at(made, time_s)
    assert key is not None
    return made.inserted([replace(key, value=key.value + by)])


def delete_keys(curves: Curves, spots: Iterable[Spot]) -> Edited:
    """Without some keys."""
    changed = {}
    for channel, moments in by_channel(spots).items():
        keys = curves[channel]
        changed[channel] = Keys(_parted(keys, moments)[1])
    return Edited(changed, frozenset())


# Moving


def move_keys(curves: Curves, spots: Iterable[Spot], by_s: float, by: float, snap: Snap = as_it_is) -> Edited:
    """Keys moved in time and value. snap : the moment that is meant by one that a key is moved to.

    A key that is moved onto another takes its place.
    """

    def moved(key: Key) -> Key:
        time_s = snap(key.time_s + by_s) if by_s else key.time_s
        return replace(key, time_s=time_s, value=key.value + by)

    return change_keys(curves, spots, moved)


def scale_keys(
    curves: Curves,
    spots: Iterable[Spot],
    pivot: tuple[float, float],
    factors: tuple[float, float],
    snap: Snap = as_it_is,
) -> Edited:
    """Keys spread or drawn together about a moment and a value, slopes with them. A negative factor turns them round.

    pivot, factors : in time and in value. Moments do not fall together: the factor of time stays away from zero.
    """
    pivot_s, pivot_value = pivot
    factor_s, factor = factors
    if abs(factor_s) < _LEAST_SCALE:
        factor_s = _LEAST_SCALE if factor_s >= 0.0 else -_LEAST_SCALE

    def scaled(key: Key) -> Key:
        sides = (key.slope_in, key.slope_out) if factor_s > 0.0 else (key.slope_out, key.slope_in)
        slope_in, slope_out = (side * factor / factor_s for side in sides)
        time_s = pivot_s + factor_s * (key.time_s - pivot_s)
        value = pivot_value + factor * (key.value - pivot_value)
        time_s = key.time_s if factor_s == 1.0 else snap(time_s)
        return replace(key, time_s=time_s, value=value, slope_in=slope_in, slope_out=slope_out)

    return change_keys(curves, spots, scaled)


def change_keys(curves: Curves, spots: Iterable[Spot], change: Callable[[Key], Key]) -> Edited:
    """Keys put through a function. One that comes to where another is takes its place; of two that come to the same
    moment the later stays.
    """
    changed: dict[Channel, Keys] = {}
    now: set[Spot] = set()
    for channel, moments in by_channel(spots).items():
        chosen, kept = _parted(curves[channel], moments)
        made: list[Key] = []
        for key in sorted(map(change, chosen), key=lambda key: key.time_s):
            if made and key.time_s - made[-1].time_s < SAME_S:
                made.pop()
            made.append(key)
        changed[channel] = Keys(kept).inserted(made)
        now |= {Spot(channel, key.time_s) for key in made}
    return Edited(changed, frozenset(now))


# Tangents


def set_tangents(curves: Curves, spots: Iterable[Spot], tangent: str) -> Edited:
    """Keys with another tangent. A free or broken one starts as the curve is, a free one with the mean of the sides."""
    changed: dict[Channel, Keys] = {}
    chosen = frozenset(spots)
    for channel, moments in by_channel(chosen).items():
        keys = curves[channel]
        made = []
        for place, (key, is_chosen) in enumerate(zip(keys.keys, at_moments(keys, moments), strict=True)):
            if is_chosen:
                slope_in, slope_out = (float(side[place]) for side in keys.slopes)
                if tangent == "free":
                    slope_in = slope_out = 0.5 * (slope_in + slope_out)
                elif tangent != "broken":
                    slope_in = slope_out = 0.0
                made.append(replace(key, tangent=tangent, slope_in=slope_in, slope_out=slope_out))
            else:
                made.append(key)
        changed[channel] = Keys(tuple(made))
    return Edited(changed, chosen)


def set_slope(keys: Keys, time_s: float, slope: float, side: str | None) -> Keys:
    """A key with another slope: of a broken tangent on one side ("in", "out"), else on both, and then it is free."""
    place = int(np.argmin(np.abs(keys.times_s - time_s)))
    key = keys.keys[place]
    if key.tangent == "broken" and side is not None:
        slopes = (slope, key.slope_out) if side == "in" else (key.slope_in, slope)
        return keys.inserted([replace(key, slope_in=slopes[0], slope_out=slopes[1])])
    return keys.inserted([replace(key, tangent="free", slope_in=slope, slope_out=slope)])


# Copying


def copy_keys(curves: Curves, spots: Iterable[Spot]) -> tuple[Copied, ...]:
    """Keys to be pasted elsewhere, their slopes as they are."""
    chosen = by_channel(spots)
    first_s = min((min(moments) for moments in chosen.values()), default=0.0)
    copied = []
    for channel, moments in chosen.items():
        keys, _ = _parted(curves[channel], moments)
        copied.append(Copied(channel, tuple(replace(key, time_s=key.time_s - first_s) for key in keys)))
    return tuple(copied)


def paste_keys(curves: Curves, copied: Iterable[Copied], at_s: float, onto: Iterable[Channel]) -> Edited:
    """Keys put so that the first is at a moment; each on its own channel where that is among `onto`, else on those of
    `onto` with the same axis, and one channel alone onto whatever single one there is. Angles stay angles.
    """
    targets = tuple(onto)
    changed: dict[Channel, Keys] = {}
    now: set[Spot] = set()
    all_copied = tuple(copied)
    for one in all_copied:
        keys = tuple(replace(key, time_s=key.time_s + at_s) for key in one.keys)
        for channel in _pasted_on(one.channel, targets, alone=len(all_copied) == 1):
            changed[channel] = changed.get(channel, curves.get(channel, Keys())).inserted(keys)
            now |= {Spot(channel, key.time_s) for key in keys}
    return Edited(changed, frozenset(now))


def _pasted_on(copied: Channel, targets: tuple[Channel, ...], alone: bool) -> tuple[Channel, ...]:
    if copied in targets:
        return (copied,)
    alike = tuple(one for one in targets if (one.space == "position") == (copied.space == "position"))
    if alone and len(alike) == 1:
        return alike
    return tuple(one for one in alike if one.axis == copied.axis)


# How


def _parted(keys: Keys, moments: Sequence[float]) -> tuple[tuple[Key, ...], tuple[Key, ...]]:
    """The keys at some moments, and the others."""
    at = at_moments(keys, moments)
    return (
        tuple(key for key, chosen in zip(keys.keys, at, strict=True) if chosen),
        tuple(key for key, chosen in zip(keys.keys, at, strict=True) if not chosen),
    )


def _slope_at(keys: Keys, time_s: float) -> float:
    """The slope of the curve between keys; 0 where a value is held."""
    knots, place = keys.times_s, int(np.searchsorted(keys.times_s, time_s))
    if place in (0, len(knots)) or keys.keys[place - 1].tangent == "stepped":
        return 0.0
    width = knots[place] - knots[place - 1]
    u = (time_s - knots[place - 1]) / width
    rise = (keys.values[place] - keys.values[place - 1]) / width
    before, after = keys.slopes[1][place - 1], keys.slopes[0][place]
    return float(6.0 * u * (1.0 - u) * rise + (1.0 - u) * (1.0 - 3.0 * u) * before + u * (3.0 * u - 2.0) * after)


def _has_slopes(keys: Keys, place: int, slope_in: float, slope_out: float) -> bool:
    """Whether the curve has these slopes beside a key; what is beyond the ends does not matter."""
    near = 1e-9 * (1.0 + abs(slope_in) + abs(slope_out))
    goes_in = place == 0 or abs(keys.slopes[0][place] - slope_in) <= near
    goes_out = place == len(keys) - 1 or abs(keys.slopes[1][place] - slope_out) <= near
    return bool(goes_in and goes_out)


def _with_slopes(key: Key, slope_in: float, slope_out: float) -> Key:
    if key.tangent == "stepped":
        return key
    tangent = "free" if slope_in == slope_out else "broken"
    return replace(key, tangent=tangent, slope_in=slope_in, slope_out=slope_out)
