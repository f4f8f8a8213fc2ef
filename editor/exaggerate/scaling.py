"""How neighbouring extremes are moved apart: the arithmetic of Coleman 2012, section 8.3, on vectors and on rotations.

An extreme is moved away from the one before it and from the one after it, and the two results are mixed by the bias.
As its neighbours move likewise, each does half of it: s = (e - 1)/2 and the power (e + 1)/2 make extremes that
alternate end e times as far apart. (The printed s = e - 1 would make it 2e - 1 times.) A pose of rest, in which a body
stands before and after a movement, stays as it is; what is next to one does all of it.
"""

import numpy as np

from model.arrays import Array
from model.contacts import Mask
from model.rotation import conjugate, multiply, power, slerp

# As much of a pose is told by the extreme before it as by the one after.
EVEN = 0.5


def spread_vectors(vectors: Array, amount: Array | float, bias: float = EVEN, rests: Mask | None = None) -> Array:
    """Vectors of N extremes in the order of time, moved apart. vectors : (N, ..., 3) -> the same.

    amount : e, or for each vector its own (...); bias : 1 moves away from the extreme before only, 0 from that after;
    the first and the last have one neighbour. rests : (N,) those that stay, unless they are next to each other only.
    Lengths change: what cannot stretch is told its direction.
    """
    told = _Neighbours(len(vectors), bias, rests)
    more = (np.asarray(amount) - 1.0)[..., None]
    before, after, mix = (told.over(values, vectors.ndim) for values in (told.before, told.after, told.mix))
    from_before, from_after = vectors - vectors[told.earlier], vectors - vectors[told.later]
    return np.asarray(vectors + more * (mix * before * from_before + (1.0 - mix) * after * from_after))


def spread_rotations(rotations: Array, amount: Array | float, bias: float = EVEN, rests: Mask | None = None) -> Array:
    """Rotations of N extremes, turned apart. rotations : (N, ..., 4) -> the same; the rest as `spread_vectors`.

    q_a = (q_2 q_1*)^k q_1, q_b = (q_2 q_3*)^k q_3, and of these (q_a q_b*)^b q_b.
    """
    told = _Neighbours(len(rotations), bias, rests)
    more = np.asarray(amount) - 1.0
    dimensions = rotations.ndim - 1
    before, after, mix = (told.over(values, dimensions) for values in (told.before, told.after, told.mix))
    earlier, later = rotations[told.earlier], rotations[told.later]
    from_before = multiply(power(multiply(rotations, conjugate(earlier)), 1.0 + more * before), earlier)
    from_after = multiply(power(multiply(rotations, conjugate(later)), 1.0 + more * after), later)
    return slerp(from_after, from_before, mix)


class _Neighbours:
    """earlier, later : (N,) the extremes next to each; before, after : (N,) how much of the distance to them is its own
    to change, half where both move; mix : (N,) how much the earlier one counts.
    """

    def __init__(self, count: int, bias: float, rests: Mask | None) -> None:
        at = np.arange(count)
        self.earlier, self.later = np.maximum(at - 1, 0), np.minimum(at + 1, count - 1)
        resting = np.zeros(count) if rests is None else rests.astype(np.float64)
        self.before, self.after = (0.5 * (1.0 + resting[other] - resting) for other in (self.earlier, self.later))
        self.mix = np.where(at == 0, 0.0, np.where(at == count - 1, 1.0, bias))

    def over(self, values: Array, dimensions: int) -> Array:
        """Values (N,) against arrays of so many dimensions."""
        return values.reshape(-1, *[1] * (dimensions - 1))
