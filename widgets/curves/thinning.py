"""Long curves as few points: of each column of pixels the lowest and the highest value."""

import numpy as np

from model.arrays import Array

_FRAMES_A_COLUMN = 2.0  # below this every frame is drawn


def thinned(values: Array, first: int, last: int, columns: int) -> tuple[Array, Array]:
    """Curves over frames first to last, both included, in about two points a column.

    values : (C, F) -> frames (P,) and values (C, P). Frames that do not fill a column at either end stay as they are.
    """
    first, last = max(first, 0), min(last, values.shape[1] - 1)
    if last < first:
        return np.zeros(0), np.zeros((len(values), 0))
    count = last - first + 1
    part = values[:, first : last + 1]
    if count <= _FRAMES_A_COLUMN * max(columns, 1):
        return np.arange(first, last + 1, dtype=np.float64), part
    # Columns begin at multiples of a whole number of frames, so that a curve does not flicker while it is moved.
    step = int(np.ceil(count / max(columns, 1)))
    lead = min(-first % step, count)
    whole = (count - lead) // step
    inner = part[:, lead : lead + whole * step]
    low, high = inner[:, ::step].copy(), inner[:, ::step].copy()
    for place in range(1, step):  # many times faster than numpy's reductions over short runs
        np.minimum(low, inner[:, place::step], out=low)
        np.maximum(high, inner[:, place::step], out=high)
    middle = first + lead + np.arange(whole) * step + 0.5 * (step - 1.0)
    rest = lead + whole * step
    points = np.empty((len(values), lead + 2 * whole + count - rest))
    points[:, :lead], points[:, lead + 2 * whole :] = part[:, :lead], part[:, rest:]
    points[:, lead : lead + 2 * whole : 2], points[:, lead + 1 : lead + 2 * whole : 2] = low, high
    frames = [first + np.arange(lead), np.repeat(middle, 2), first + np.arange(rest, count)]
    return np.concatenate(frames), points
