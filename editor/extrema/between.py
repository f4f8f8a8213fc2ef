"""Poses that must be told although nothing turns back in them: no blend of the extremes around them comes near.

Where a body turns over, as in a cartwheel, its points run on along their circles from one side to the other. Spatial
extremeness has one wide peak then, and sees nothing of the lunge, the landing and the way up; Coleman 2012, section
5.6.2, finds it less clear too which poses of a cartwheel would do. Extremes are there to be edited and blended between.
So a pose that is far from all blends of its neighbours belongs to them: first the farthest, then those beside it.
"""

import numpy as np

from model.arrays import Array, IntArray

# In sizes of the configuration. Of walks and runs the passing poses are 0.1 to 0.3 away from what the steps tell.
_FAR = 0.4


def poses_between(positions: Array, anchors: IntArray, size_m: float, margin: int) -> tuple[IntArray, Array]:
    """(N,) the rising frames of such poses, and (N,) by how many sizes each is farther away than it may be.

    positions : (F, P, 3); anchors : rising frames of the extremes; margin : frames that lie at least between any two.
    """
    found: dict[int, float] = {}
    waiting = list(zip(anchors[:-1].tolist(), anchors[1:].tolist(), strict=True))
    while waiting:
        start, stop = waiting.pop()
        if stop - start < 2 * margin:
            continue
        away = _off_the_blends(positions[start : stop + 1])[margin : stop - start - margin + 1]
        farthest = int(np.argmax(away))
        if (too_far := float(away[farthest]) / size_m - _FAR) > 0.0:
            middle = start + margin + farthest
            found[middle] = too_far
            waiting += [(start, middle), (middle, stop)]
    frames = sorted(found)
    return np.array(frames, dtype=np.intp), np.array([found[frame] for frame in frames])


def _off_the_blends(positions: Array) -> Array:
    """(F,) metres, on average over the points (F, P, 3), from the nearest blend of the first and last frame's."""
    first, change = positions[0], positions[-1] - positions[0]
    length = max(float(np.sum(change * change)), 1e-12)
    shares = np.clip(np.einsum("fpc,pc->f", positions - first, change) / length, 0.0, 1.0)
    return np.asarray(np.mean(np.linalg.norm(positions - first - shares[:, None, None] * change, axis=-1), axis=1))
