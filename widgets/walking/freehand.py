"""A line drawn with the hand held down: smoothed as it comes."""

import math

import numpy as np

from editor.walking.drawing import OnlineFilter
from editor.walking.track import Place
from model.arrays import Array

_STEP_M = 0.02  # a hand that moves less has not moved
_DOT_M = 0.3  # what is smaller is no line


class Freehand:
    """The places that a hand went through."""

    def __init__(self) -> None:
        self._places: list[Place] = []
        self._filter = OnlineFilter()

    @property
    def points(self) -> Array:
        """(N, 2) the line so far, smoothed."""
        return self._filter.points

    @property
    def whole(self) -> Array:
        """(N, 2) the smoothed line up to where the hand ended."""
        return np.concatenate([self.points[:-1], np.array(self._places[-1:])])

    @property
    def is_dot(self) -> bool:
        """Whether the hand stayed about where it began."""
        return bool(np.hypot(*np.ptp(np.array(self._places), axis=0)) < _DOT_M)

    def add(self, place: Place) -> bool:
        """The hand is here. -> whether it moved."""
        if self._places and math.dist(place, self._places[-1]) < _STEP_M:
            return False
        self._places.append(place)
        self._filter.add(*place)
        return True
