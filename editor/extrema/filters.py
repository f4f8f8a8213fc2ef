"""Filters that make positions fit to be measured, against noise (Coleman 2012, section 5.5)."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from model.arrays import Array
from model.smoothing import smoothed


class FilterKind(StrEnum):
    """How positions are smoothed before they are measured. Printed, it is Python."""

    NONE = "none"
    LAPLACIAN = "laplacian"
    LOW_PASS = "low-pass"

    def __repr__(self) -> str:
        return f"FilterKind({self.value!r})"


@dataclass(frozen=True)
class Filter:
    """iterations : of the Laplacian filter; window_s : a movement to and fro of this length keeps half its size."""

    kind: FilterKind = FilterKind.NONE
    iterations: int = 20
    window_s: float = 0.15


def filtered(positions: Array, how: Filter, frame_time_s: float) -> Array:
    """Positions (F, ...), smoothed over time. The first and last frame stay as they are."""
    if how.kind is FilterKind.LAPLACIAN:
        return laplacian(positions, how.iterations)
    if how.kind is FilterKind.LOW_PASS:
        return smoothed(positions, how.window_s / frame_time_s)
    return positions


def laplacian(positions: Array, iterations: int) -> Array:
    """Positions (F, ...), of which each has gone half way to the mean of its neighbours so many times."""
    result = np.array(positions)
    for _ in range(iterations):
        result[1:-1] += 0.25 * (result[:-2] - 2.0 * result[1:-1] + result[2:])
    return result
