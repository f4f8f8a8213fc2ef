"""Keys, and the curve that they make: what an animator edits in the place of thousands of frames.

Between two keys the curve is a cubic Bezier whose handles stand a third of the way to the neighbour in time, so it is
told by a value and a slope on either side of each key, and has one value at every moment.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from model.arrays import Array
from model.contacts import Mask
from model.monotone import slope_between
from model.type_hints import fit_fields, require_finite_fields

# How the curve goes through a key: auto follows the neighbours and never overshoots them; flat is level; linear aims
# at the neighbours; stepped holds until the next key; free has a slope of its own, broken one on either side.
TANGENTS = ("auto", "flat", "linear", "stepped", "free", "broken")
SAME_S = 1e-6  # keys nearer than this are at the same moment


@dataclass(frozen=True)
class Key:
    """A value at a moment of the source. slope_in, slope_out : per second, heeded where the tangent is free (the same
    on both sides) or broken.
    """

    time_s: float
    value: float
    tangent: str = "auto"
    slope_in: float = 0.0
    slope_out: float = 0.0

    def __post_init__(self) -> None:
        fit_fields(self)
        require_finite_fields(self)
        if self.tangent not in TANGENTS:
            raise ValueError(f"tangent is {self.tangent!r}; it must be one of {', '.join(TANGENTS)}")
        if self.tangent == "free" and self.slope_in != self.slope_out:
            raise ValueError("a free tangent has one slope; slope_in and slope_out differ")


@dataclass(frozen=True)
class Keys:
    """Keys in the order of time, whatever order they are given in, and the curve through them.

    Before the first key and after the last their values are held.
    """

    keys: tuple[Key, ...] = ()

    def __post_init__(self) -> None:
        fit_fields(self)
        require_finite_fields(self)  # no key is infinite: then thousands of them are not looked at with every change
        object.__setattr__(self, "keys", tuple(sorted(self.keys, key=lambda key: key.time_s)))
        if any(later.time_s - earlier.time_s < SAME_S for earlier, later in pairwise(self.keys)):
            raise ValueError("keys: two of them are at the same moment")

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        # Evaluation asks for it again and again, and there may be thousands of keys.
        return hash(self.keys)

    def __len__(self) -> int:
        return len(self.keys)

    def __str__(self) -> str:
        return f"{len(self.keys)} key{'s' if len(self.keys) != 1 else ''}"

    @cached_property
    def times_s(self) -> Array:
        """(K,) when the keys are."""
        return np.array([key.time_s for key in self.keys])

    @cached_property
    def values(self) -> Array:
        """(K,) the curve's values there."""
        return np.array([key.value for key in self.keys])

    @cached_property
    def slopes(self) -> tuple[Array, Array]:
        """(K,), (K,) the curve's slope before and after each key, per second."""
        return _slopes(self.keys, self.times_s, self.values)

    def at(self, times_s: Array) -> Array:
        """The curve at moments (T,) of the source -> (T,); zero without keys."""
        if not self.keys:
            return np.zeros(np.shape(times_s))
        if len(self.keys) == 1:
            return np.full(np.shape(times_s), self.keys[0].value)
        knots, values = self.times_s, self.values
        slope_in, slope_out = self.slopes
        segment = np.clip(np.searchsorted(knots, times_s, side="right") - 1, 0, len(knots) - 2)
        width = knots[segment + 1] - knots[segment]
        u = np.clip((times_s - knots[segment]) / width, 0.0, 1.0)
        v = 1.0 - u
        start, end = values[segment], values[segment + 1]
        curve = (
            start * v * v * (1.0 + 2.0 * u)
            + end * u * u * (1.0 + 2.0 * v)
            + width * u * v * (v * slope_out[segment] - u * slope_in[segment + 1])
        )
        held = np.array([key.tangent == "stepped" for key in self.keys])[segment] & (times_s < knots[segment + 1])
        return np.where(held, start, curve)

    def inserted(self, added: Iterable[Key]) -> "Keys":
        """With more keys; one at the moment of another takes its place."""
        new = tuple(added)
        if not new or not self.keys:
            return Keys((*self.keys, *new))
        replaced = among(self.times_s, np.sort([key.time_s for key in new]))
        return Keys((*(key for key, gone in zip(self.keys, replaced, strict=True) if not gone), *new))


def among(times_s: Array, wanted_s: Array) -> Mask:
    """(T,) which of some moments (T,) are among others (W,), which rise; W is at least 1."""
    after = np.searchsorted(wanted_s, times_s)
    nearest = np.minimum(
        np.abs(wanted_s[np.minimum(after, len(wanted_s) - 1)] - times_s),
        np.abs(wanted_s[np.maximum(after - 1, 0)] - times_s),
    )
    return np.asarray(nearest < SAME_S)


def _slopes(keys: tuple[Key, ...], times_s: Array, values: Array) -> tuple[Array, Array]:
    """The slopes before and after each key as its tangent wants them."""
    widths = np.diff(times_s)
    chords = np.diff(values) / widths
    before = np.concatenate([[0.0], chords])
    after = np.concatenate([chords, [0.0]])
    auto = np.zeros(len(keys))
    if len(keys) > 2:
        auto[1:-1] = slope_between(chords[:-1], chords[1:], widths[:-1], widths[1:])
    slope_in, slope_out = np.array(auto), np.array(auto)
    for n, key in enumerate(keys):
        if key.tangent == "linear":
            slope_in[n], slope_out[n] = before[n], after[n]
        elif key.tangent in ("flat", "stepped"):
            slope_in[n] = slope_out[n] = 0.0
        elif key.tangent in ("free", "broken"):
            slope_in[n], slope_out[n] = key.slope_in, key.slope_out
    return slope_in, slope_out
