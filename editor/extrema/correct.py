"""Extremes corrected by hand: added, moved, deleted and pinned, laid over whatever was found.

A correction speaks of a moment, not of a place in a list. So it holds when extremes are found anew, with other settings
or on a changed motion: an extreme near enough to the moment is the one that was meant.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from model.extremes import Extreme, Extremes
from model.type_hints import fit_fields, require_finite

# Corrections that are nearer to each other speak of the same moment.
_SAME_S = 1e-6
# Extremes that are nearer than this are in one place: less than half a frame of a fast camera.
_UPON_S = 1e-3


class What(StrEnum):
    """What is done to an extreme. Printed, it is Python."""

    ADDED = "added"
    MOVED = "moved"
    DELETED = "deleted"
    PINNED = "pinned"

    def __repr__(self) -> str:
        return f"What({self.value!r})"


@dataclass(frozen=True)
class ExtremeCorrection:
    """At time_s, in seconds, an extreme is added, deleted, pinned, or moved from there to to_s."""

    what: What
    time_s: float
    to_s: float | None = None

    def __post_init__(self) -> None:
        fit_fields(self)
        require_finite(self.time_s, "time_s")
        require_finite(self.to_s, "to_s")
        if (self.to_s is not None) != (self.what is What.MOVED):
            raise ValueError("to_s is where an extreme is moved to: what is moved has it, nothing else does")

    @property
    def puts_s(self) -> float | None:
        """The moment at which there is an extreme by this correction; None for one that takes it away."""
        if self.what is What.DELETED:
            return None
        return self.to_s if self.what is What.MOVED else self.time_s


def with_correction(
    corrections: tuple[ExtremeCorrection, ...], new: ExtremeCorrection
) -> tuple[ExtremeCorrection, ...]:
    """Corrections with one more. What a hand has put somewhere and now takes up again leaves nothing behind there."""
    kept = []
    for one in corrections:
        again = one.puts_s is not None and abs(one.puts_s - new.time_s) < _SAME_S
        if not again:
            kept.append(one)
        elif one.what is What.MOVED:
            if new.what is What.PINNED:
                return corrections  # moved by hand, it is pinned
            new = replace(new, time_s=one.time_s)
    if new.what is What.MOVED and new.to_s is not None and abs(new.to_s - new.time_s) < _SAME_S:
        return tuple(kept)
    return (*kept, new)


def without_pin(
    corrections: tuple[ExtremeCorrection, ...], time_s: float, tolerance_s: float
) -> tuple[ExtremeCorrection, ...]:
    """Corrections without the pins near a moment."""
    return tuple(one for one in corrections if one.what is not What.PINNED or abs(one.time_s - time_s) > tolerance_s)


def correct(
    shown: Extremes, possible: Extremes, corrections: Iterable[ExtremeCorrection], tolerance_s: float
) -> Extremes:
    """Extremes with corrections laid over them, in their order.

    shown : those that were found; possible : those that could be, from which a pinned one is taken. tolerance_s : how
    near an extreme must be to a moment to be meant by it; a hold is meant by all moments in it.
    """
    extremes = list(shown.found)
    for one in corrections:
        meant = _meant(extremes, one.time_s, tolerance_s)
        if one.what is What.PINNED:
            pinned = meant or _meant(possible.found, one.time_s, tolerance_s) or Extreme(one.time_s)
            extremes = [other for other in extremes if other is not meant] + [replace(pinned, pinned=True)]
        elif one.what is What.ADDED:
            # Another one so near would be the same pose once more.
            extremes = [other for other in extremes if other.is_end or abs(other.time_s - one.time_s) > tolerance_s]
            extremes.append(Extreme(one.time_s, pinned=True))
        else:
            extremes = [other for other in extremes if other is not meant]
            if one.to_s is not None:
                # One that is put upon another takes its place.
                extremes = [other for other in extremes if other.is_end or abs(other.time_s - one.to_s) > _UPON_S]
                extremes.append(_moved(meant, one.to_s))
    return Extremes(tuple(extremes))


def _meant(extremes: Iterable[Extreme], time_s: float, tolerance_s: float) -> Extreme | None:
    """The extreme that a moment means: of those near enough the nearest, one that is no end of the motion first."""
    near = [one for one in extremes if one.is_near(time_s, tolerance_s)]
    return min(near, key=lambda one: (one.is_end, abs(one.time_s - time_s)), default=None)


def _moved(meant: Extreme | None, to_s: float) -> Extreme:
    """An extreme at another moment. A hold stays one as long as it is moved within itself."""
    if meant is not None and meant.is_hold and meant.is_near(to_s, 0.0):
        return replace(meant, time_s=to_s, pinned=True)
    return Extreme(to_s, prominence=1.0 if meant is None else meant.prominence, pinned=True)
