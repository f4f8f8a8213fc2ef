"""Where moments of one stage of a clip are in another: monotone maps of time.

An edit that trims or retimes states such a map; composed, they lead from the source's time, in which edits speak, to
the time of any stage. Outside its knots a map goes on at unit speed, so nothing is lost that a trim cuts off.
"""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from model.arrays import Array, freeze


@dataclass(frozen=True, eq=False)
class TimeMap:
    """A rising, piecewise linear function of time. before, after : (K,) rising knots in seconds; none: identity."""

    before: Array = field(default_factory=lambda: np.zeros(0))
    after: Array = field(default_factory=lambda: np.zeros(0))

    def __post_init__(self) -> None:
        for name in ("before", "after"):
            object.__setattr__(self, name, freeze(np.array(getattr(self, name), dtype=np.float64)))
        if self.before.shape != self.after.shape or self.before.ndim != 1:
            raise ValueError(
                f"before and after must be equally many knots, not {self.before.shape}, {self.after.shape}"
            )
        if np.any(np.diff(self.before) <= 0.0) or np.any(np.diff(self.after) <= 0.0):
            raise ValueError("before and after must rise")

    @property
    def is_identity(self) -> bool:
        return np.array_equal(self.before, self.after)

    def __call__(self, times_s: Array | float) -> Array:
        """Moments (...) of the earlier stage as moments of the later one."""
        return _through(self.before, self.after, np.asarray(times_s, dtype=np.float64))

    def inverse(self) -> "TimeMap":
        """From the later stage back to the earlier one."""
        return self._inverse

    @cached_property
    def _inverse(self) -> "TimeMap":
        return TimeMap(self.after, self.before)

    def then(self, other: "TimeMap") -> "TimeMap":
        """This map and then another."""
        if not len(other.before):
            return self
        if not len(self.before):
            return other
        knots = np.union1d(self.before, self.inverse()(other.before))
        after = other(self(knots))
        # Knots that fall together up to rounding are one.
        apart = np.concatenate([[True], (np.diff(knots) > 1e-12) & (np.diff(after) > 1e-12)])
        return TimeMap(knots[apart], after[apart])


IDENTITY_MAP = TimeMap()


def shifted(by_s: float) -> TimeMap:
    """A map to a time that runs `by_s` ahead."""
    return TimeMap(np.array([0.0]), np.array([by_s]))


def _through(x: Array, y: Array, at: Array) -> Array:
    """y at x = at, straight between knots, at unit slope outside."""
    if not len(x):
        return at
    inside = np.interp(at, x, y)
    return np.asarray(inside + np.minimum(at - x[0], 0.0) + np.maximum(at - x[-1], 0.0))
