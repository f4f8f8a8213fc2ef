"""Limbs told by shape, where names say nothing: pairs of chains alike, and where on them bones lie by proportion.

It works on parents, children and positions of joints, and knows nothing of roles.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nlargest
from itertools import accumulate, combinations

import numpy as np

from model.arrays import Array

_WORST_FIT = 1.0
LONGEST_CHAIN = 12
_MOST_BRANCHES = 8


@dataclass(frozen=True, slots=True)
class ChainPair:
    """Two chains alike that leave one joint."""

    start: int
    chains: tuple[list[int], list[int]]
    length: float  # the mean of both, from the start to the tips
    lowest: float  # how far down they come, the mean of both


def like_chains(parents_of: Sequence[int], children: Sequence[Sequence[int]], positions: Array) -> list[ChainPair]:
    """Every pair of chains of at least three joints that leave one joint and have bones of like lengths.

    A chain follows the farthest-reaching child from joint to joint.
    """
    joints = len(parents_of)
    parents = np.maximum(np.asarray(parents_of, dtype=np.intp), 0)
    bones: list[float] = np.linalg.norm(positions - positions[parents], axis=-1).tolist()
    heights: list[float] = positions[:, 1].tolist()
    reach = [0.0] * joints  # from the joint's parent through the joint to the farthest tip
    onward = [-1] * joints
    for joint in reversed(range(joints)):
        onward[joint] = max(children[joint], key=reach.__getitem__, default=-1)
        reach[joint] = bones[joint] + (reach[onward[joint]] if onward[joint] >= 0 else 0.0)
    pairs = []
    for start in range(joints):
        tops = nlargest(_MOST_BRANCHES, children[start], key=reach.__getitem__)
        for one, other in combinations(tops, 2):
            length = 0.5 * (reach[one] + reach[other])
            if abs(reach[one] - reach[other]) > 0.2 * length:
                continue
            chains = _follow(onward, one), _follow(onward, other)
            lengths = [[bones[joint] for joint in chain[1:4]] for chain in chains]
            unlike = any(abs(a - b) > 0.2 * max(a, b) + 0.02 * length for a, b in zip(*lengths, strict=False))
            if min(map(len, chains)) >= 3 and not unlike:
                lowest = 0.5 * sum(min(heights[joint] for joint in chain) for chain in chains)
                pairs.append(ChainPair(start, chains, length, lowest))
    return pairs


def _follow(onward: Sequence[int], joint: int) -> list[int]:
    """The chain from a joint towards its tip, or the first joints of a long one."""
    chain: list[int] = []
    while joint >= 0 and len(chain) < LONGEST_CHAIN:
        chain.append(joint)
        joint = onward[joint]
    return chain


def bends_of(
    children: Sequence[Sequence[int]], positions: Array, pair: ChainPair, shape: tuple[float, float]
) -> tuple[int, int, int] | None:
    """Where on both chains are hip, knee and ankle (or shoulder, elbow and wrist), by proportion.

    None if nowhere looks like a limb: two bones about equally long and each straight, the gap between the
    sides and the rest beyond as long as `shape` says.
    """
    count = min(map(len, pair.chains))
    one, other = (positions[chain[:count]] for chain in pair.chains)
    apart = np.linalg.norm(one - other, axis=-1).tolist()
    costs: dict[tuple[int, int, int], float] = {}
    for chain in pair.chains:
        points = positions[chain]
        gaps = np.linalg.norm(points[:, None] - points, axis=-1).tolist()
        along = [0.0, *accumulate(gaps[n][n + 1] for n in range(len(chain) - 1))]
        for top, middle, end in combinations(range(count), 3):
            upper, lower = gaps[top][middle], gaps[middle][end]
            if min(upper, lower) <= 0.2 * max(upper, lower):
                continue
            slack = (along[middle] - along[top]) / upper + (along[end] - along[middle]) / lower - 2.0
            cost = math.log(lower / upper) ** 2 + 2.0 * slack
            cost += 0.5 * (apart[top] / upper - shape[0]) ** 2
            cost += 0.5 * ((along[-1] - along[end]) / upper - shape[1]) ** 2
            if len(children[chain[end]]) > 1:
                cost -= 0.15  # fingers and toes fan out from wrists and ankles
            costs[top, middle, end] = costs.get((top, middle, end), 0.0) + 0.5 * cost
    best = min(costs, key=costs.__getitem__, default=None)
    return best if best is not None and costs[best] < _WORST_FIT else None


def facing_of(positions: Array, legs: Sequence[dict[str, int]]) -> Array:
    """Forward, level: where the toes point, else where the knees bend to, else +Z."""
    toes, knees, length = np.zeros(3), np.zeros(3), 0.0
    for leg in legs:
        if "hip" not in leg:
            continue
        hip, knee, ankle = (positions[leg[part]] for part in ("hip", "knee", "ankle"))
        axis = ankle - hip
        length += float(np.linalg.norm(axis))
        knees += knee - hip - axis * (np.dot(knee - hip, axis) / max(np.dot(axis, axis), 1e-12))
        if leg["toe"] >= 0:
            toes += positions[leg["toe"]] - ankle
    for forward in (toes, knees):
        forward[1] = 0.0
        if np.linalg.norm(forward) > 0.02 * length:
            return forward
    return np.array([0.0, 0.0, 1.0])
