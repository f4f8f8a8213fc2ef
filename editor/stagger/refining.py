"""Timing of staggered poses made anew: successions, chance, more or less stagger, and how far knots may go.

Everything here is arithmetic on times (N,) and refinements (N, J) in seconds. Coleman 2012, section 7.4.
"""

import numpy as np

from model.arrays import Array
from model.contacts import Mask

# A knot keeps this share of the time to the knots before and after it, where a rule moves it and where a hand does: a
# rule makes nothing more than about three times as fast.
RULE_SHARE, HAND_SHARE = 0.5, 0.1
# Moments that are farther apart have chances of their own.
_CHANCE_S = 0.2


def succession(depths: Array, per_level_s: float, nonlinearity: float = 1.0) -> Array:
    """(J,) how much later each joint gets: s d^l, zero at depth 0. depths : (J,), see `depths_below`.

    nonlinearity : 1 delays each level by as much as the one before (Neff and Fiume); more lets the ends of limbs drag.
    """
    return np.where(depths > 0.0, per_level_s * np.power(np.maximum(depths, 1e-9), nonlinearity), 0.0)


def chance(times_s: Array, joints: int, bound_s: float, seed: int, chosen: Mask) -> Array:
    """(N, J) delays between -bound_s and bound_s by chance, for the joints of a mask (J,). times_s : (N,), 0 or more.

    The same seed gives the same, larger bounds more of it. Chance belongs to moments and joints, not to numbers of
    poses: one pose more or less leaves the others alone, and one found a frame later is delayed by much the same.
    """
    if bound_s == 0.0 or not len(times_s):
        return np.zeros((len(times_s), joints))
    at = np.maximum(times_s, 0.0) / _CHANCE_S
    cell = np.floor(at).astype(np.intp)
    dice = np.random.default_rng(seed).uniform(-1.0, 1.0, (int(np.max(cell)) + 2, joints))
    part = (at - cell)[:, None]
    return np.where(chosen, bound_s * ((1.0 - part) * dice[cell] + part * dice[cell + 1]), 0.0)


def scaled(refinements_s: Array, factor: float, chosen: Mask) -> Array:
    """(N, J) refinements with so many times the stagger, for the joints of a mask (J,): 0 collapses, 1 restores it."""
    return np.where(chosen, factor * refinements_s, refinements_s)


def in_order(before: Array, asked: Array, share: float) -> Array:
    """(K, J) knots as near as can be to where they are asked to be, none beyond the next. The first and last stay.

    before : (K, J) rising, where they were; share : of the time to the knot beside it that each keeps. Where a knot is
    in another's way, both give way. Knots of which nothing is asked keep their very numbers.
    """
    room = np.concatenate([np.zeros((1, before.shape[1])), np.cumsum(share * np.diff(before, axis=0), axis=0)])
    free = asked - room
    inside = np.clip(free, before[:1] - room[:1], before[-1:] - room[-1:])
    forward = np.maximum.accumulate(inside, axis=0)
    backward = np.minimum.accumulate(inside[::-1], axis=0)[::-1]
    after = 0.5 * (forward + backward) + room
    return np.where(np.abs(after - before) < 1e-12, before, after)


def near_neighbours(times_s: Array, knots_s: Array) -> Mask:
    """(N, J) which knots (N, J) are nearer to a neighbouring pose than to their own (7.4 warns of these).

    times_s : (N,) rising, the poses' central times.
    """
    if len(times_s) < 2:
        return np.zeros(knots_s.shape, dtype=bool)
    middles = 0.5 * (times_s[1:] + times_s[:-1])
    low, high = np.concatenate([[-np.inf], middles]), np.concatenate([middles, [np.inf]])
    return np.asarray((knots_s < low[:, None] - 1e-9) | (knots_s > high[:, None] + 1e-9))
