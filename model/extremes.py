"""What an extreme pose is: a moment at which a motion changes, or a span in which it holds still."""

from dataclasses import dataclass, replace
from enum import StrEnum

from model.time_map import TimeMap

# Moments that are nearer to an end than this belong to it.
_EXACT_S = 1e-6


class ExtremeKind(StrEnum):
    """An extreme proper, a span of stillness, or an end of the motion, which is as it is because it is cut there."""

    EXTREME = "extreme"
    HOLD = "hold"
    FIRST = "first"
    LAST = "last"


@dataclass(frozen=True)
class Extreme:
    """A moment, in seconds of its take. prominence : 0 to 1, how far it stands out.

    pinned : somebody said that it is there. start_s, stop_s : when a hold starts and stops, for others None; time_s is
    that of the pose which stands for it.
    """

    time_s: float
    kind: ExtremeKind = ExtremeKind.EXTREME
    prominence: float = 1.0
    pinned: bool = False
    start_s: float | None = None
    stop_s: float | None = None

    def __post_init__(self) -> None:
        if (self.start_s is None, self.stop_s is None) != (not self.is_hold, not self.is_hold):
            raise ValueError("start_s and stop_s are those of a hold, and every hold has them")

    @property
    def is_hold(self) -> bool:
        return self.kind is ExtremeKind.HOLD

    @property
    def is_end(self) -> bool:
        """Whether it is the first or last frame of the motion."""
        return self.kind in (ExtremeKind.FIRST, ExtremeKind.LAST)

    def is_near(self, time_s: float, tolerance_s: float) -> bool:
        """Whether a moment means this extreme: it is within a tolerance of it, or within the hold."""
        if self.start_s is not None and self.stop_s is not None and self.start_s <= time_s <= self.stop_s:
            return True
        return abs(self.time_s - time_s) <= tolerance_s


@dataclass(frozen=True)
class Extremes:
    """The extremes of a take, put in the order of time."""

    found: tuple[Extreme, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "found", tuple(sorted(self.found, key=lambda one: one.time_s)))

    def through(self, time_map: TimeMap, duration_s: float) -> "Extremes":
        """The extremes of a take that shows these at other moments; those outside of it are dropped.

        Its first and last frame are its own. Of a hold that is cut, what is left is kept.
        """
        kept = []
        for one in self.found:
            moved = _mapped(one, time_map)
            if one.kind is ExtremeKind.FIRST:
                moved = replace(moved, time_s=0.0)
            elif one.kind is ExtremeKind.LAST:
                moved = replace(moved, time_s=duration_s)
            elif not _reaches(moved, duration_s):
                continue
            kept.append(_within(moved, duration_s))
        return Extremes(tuple(kept))


def _mapped(one: Extreme, time_map: TimeMap) -> Extreme:
    if one.start_s is None or one.stop_s is None:
        return replace(one, time_s=float(time_map(one.time_s)))
    time_s, start_s, stop_s = (float(time_map(time)) for time in (one.time_s, one.start_s, one.stop_s))
    return replace(one, time_s=time_s, start_s=start_s, stop_s=stop_s)


def _reaches(one: Extreme, duration_s: float) -> bool:
    """Whether an extreme, or some of a hold, lies within a take."""
    start_s = one.time_s if one.start_s is None else one.start_s
    stop_s = one.time_s if one.stop_s is None else one.stop_s
    return stop_s >= -_EXACT_S and start_s <= duration_s + _EXACT_S


def _within(one: Extreme, duration_s: float) -> Extreme:
    """The extreme with its moments held within the take."""
    time_s = min(max(one.time_s, 0.0), duration_s)
    if one.start_s is None or one.stop_s is None:
        return replace(one, time_s=time_s)
    return replace(one, time_s=time_s, start_s=max(one.start_s, 0.0), stop_s=min(one.stop_s, duration_s))
