"""Where curves turn round: their maxima and minima, and how much each stands out."""

import numpy as np

from model.arrays import Array, IntArray

# Rises and falls below this, in metres or radians, are rounding.
_LEAST = 1e-9
# So many samples are looked at at a time: what is known of all their steps needs room.
_BLOCK = 1 << 21


def prominences(samples: Array) -> Array:
    """(C, F) how far the curve must come back from each extremum before it goes beyond it; 0 where there is none.

    samples : (C, F). The ends are no extrema. A plateau has one at its first and its last frame.
    """
    found = np.zeros(samples.shape)
    frames = samples.shape[1]
    if frames < 3:
        return found
    step = max(1, _BLOCK // frames)
    for start in range(0, len(samples), step):
        _find(samples[start : start + step], found[start : start + step])
    return found


def _find(samples: Array, found: Array) -> None:
    """Put the prominences of some channels into `found`, which is zero."""
    frames = samples.shape[1]
    first, last = _turns(samples)
    prominence = _prominences(samples.ravel()[first], first // frames)
    prominence[prominence < _LEAST] = 0.0
    found.ravel()[first] = found.ravel()[last] = prominence
    found[:, [0, -1]] = 0.0


def _turns(samples: Array) -> tuple[IntArray, IntArray]:
    """Where among all samples the curves turn round, their ends included: each plateau's first and last frame."""
    frames = samples.shape[1]
    start = np.arange(len(samples)) * frames
    channel, step = np.nonzero(np.diff(samples, axis=1))
    moves = channel * frames + step
    up = samples.ravel()[moves + 1] > samples.ravel()[moves]
    turns = np.flatnonzero((up[1:] != up[:-1]) & (channel[1:] == channel[:-1]))
    first = np.concatenate([start, moves[turns] + 1, start + frames - 1])
    order = np.argsort(first, kind="stable")
    return first[order], np.concatenate([start, moves[turns + 1], start + frames - 1])[order]


def _prominences(values: Array, channel: IntArray) -> Array:
    """(E,) the prominence of each turn of curves that follow each other; of their ends it means nothing.

    Two neighbours that are nearer to each other than to their other neighbours stand out by what lies between them.
    Without them the curve goes straight on, so they go, all such pairs at once, until only ends are left. Where one of
    the two is an end, the other takes its place.
    """
    result = np.zeros(len(values))
    left = np.arange(len(values))
    while True:
        inside = channel[left[1:]] == channel[left[:-1]]
        gap = np.where(inside, np.abs(np.diff(values[left])), np.inf)
        edge = np.concatenate([[True], ~inside, [True]])
        head, tail = edge[:-2], edge[2:]  # of each gap: whether it begins, or ends, at an end of its curve
        gap[head & tail] = np.inf
        small = (gap < np.append(np.inf, gap[:-1])) & (gap <= np.append(gap[1:], np.inf)) & np.isfinite(gap)
        if not np.any(small):
            return result
        # Ends get nothing, and go where the turn next to them takes their place.
        begins, ends = np.flatnonzero(small & ~head), np.flatnonzero(small & ~tail) + 1
        result[left[begins]], result[left[ends]] = gap[begins], gap[ends - 1]
        stays = np.ones(len(left), dtype=bool)
        stays[np.flatnonzero(small & ~tail)] = False
        stays[np.flatnonzero(small & ~head) + 1] = False
        left = left[stays]
