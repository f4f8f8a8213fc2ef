"""Time laid out on pixels: zoom, pan, and where the ticks of a ruler stand. Knows nothing of Qt."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

MARGIN_PX = 16.0  # beside the first and the last frame, so that marks there can be grabbed
_FRAME_AT_MOST_PX = 64.0
_MINOR_AT_LEAST_PX = 6.0
# Seconds are read in halves of minutes and quarters of hours, not in powers of ten.
_LONG_STEPS_S = (1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1800.0, 3600.0)


@dataclass(frozen=True)
class TimeScale:
    """What part of a take is seen, and how large. Values that make no sense are brought to the nearest that do.

    span_s : the take's frames times frame_time_s, so that the last frame has a length too; start_s : what stands at
    x = MARGIN_PX. Everything fits at least; a frame gets no wider than some pixels unless so few fit anyway.
    """

    span_s: float
    frame_time_s: float
    width_px: float
    pixels_per_s: float
    start_s: float = 0.0

    def __post_init__(self) -> None:
        pixels_per_s = min(max(self.pixels_per_s, self.least_pixels_per_s), self.most_pixels_per_s)
        object.__setattr__(self, "pixels_per_s", pixels_per_s)
        object.__setattr__(self, "start_s", min(max(self.start_s, 0.0), max(self.span_s - self.seen_s, 0.0)))

    @staticmethod
    def fitting(span_s: float, frame_time_s: float, width_px: float) -> "TimeScale":
        """The whole take."""
        return TimeScale(span_s, frame_time_s, width_px, 0.0)

    @property
    def _inner_px(self) -> float:
        return max(self.width_px - 2.0 * MARGIN_PX, 1.0)

    @property
    def least_pixels_per_s(self) -> float:
        """The scale at which the whole take is seen."""
        return self._inner_px / self.span_s

    @property
    def most_pixels_per_s(self) -> float:
        return max(_FRAME_AT_MOST_PX / self.frame_time_s, self.least_pixels_per_s)

    @property
    def seen_s(self) -> float:
        """How much time is seen."""
        return self._inner_px / self.pixels_per_s

    @property
    def is_fitted(self) -> bool:
        return self.pixels_per_s <= self.least_pixels_per_s * (1.0 + 1e-9)

    def x_of(self, time_s: float) -> float:
        return MARGIN_PX + (time_s - self.start_s) * self.pixels_per_s

    def time_at(self, x_px: float) -> float:
        """The time at a place, also beyond the take's ends."""
        return self.start_s + (x_px - MARGIN_PX) / self.pixels_per_s

    def zoomed(self, factor: float, x_px: float) -> "TimeScale":
        """Larger by a factor; the time at x stays there as long as the take's ends allow."""
        time_s = self.time_at(x_px)
        larger = replace(self, pixels_per_s=self.pixels_per_s * factor)
        return replace(larger, start_s=time_s - (x_px - MARGIN_PX) / larger.pixels_per_s)

    def panned(self, by_px: float) -> "TimeScale":
        """Moved so that what is seen comes from further right."""
        return replace(self, start_s=self.start_s + by_px / self.pixels_per_s)

    def revealing(self, time_s: float) -> "TimeScale":
        """Moved just so far that a moment is seen."""
        if self.start_s <= time_s <= self.start_s + self.seen_s:
            return self
        return replace(self, start_s=time_s if time_s < self.start_s else time_s - self.seen_s)

    def resized(self, width_px: float) -> "TimeScale":
        """For another width: all of the take where all of it was seen, else at the same scale."""
        return replace(self, width_px=width_px, pixels_per_s=0.0 if self.is_fitted else self.pixels_per_s)

    def over(self, span_s: float, frame_time_s: float) -> "TimeScale":
        """For another take: all of it where all was seen, else at the same scale."""
        scale = 0.0 if self.is_fitted else self.pixels_per_s
        return replace(self, span_s=span_s, frame_time_s=frame_time_s, pixels_per_s=scale)


@dataclass(frozen=True)
class Ticks:
    """step : between labelled ticks, in the ruler's unit; major : (x, value) of these; minor : x of those between."""

    step: float
    major: tuple[tuple[float, float], ...]
    minor: tuple[float, ...]


def frame_ticks(scale: TimeScale, label_px: float, first_number: int = 0) -> Ticks:
    """Ticks at whole frames; first_number : what the first frame is called."""
    frames = round(scale.span_s / scale.frame_time_s)
    return _ticks(scale, scale.frame_time_s, first_number, first_number + frames - 1, label_px, _decimal_steps(0))


def second_ticks(scale: TimeScale, label_px: float) -> Ticks:
    """Ticks at round seconds, or at parts of them."""
    return _ticks(scale, 1.0, 0.0, scale.span_s - scale.frame_time_s, label_px, _second_steps())


def _ticks(
    scale: TimeScale, unit_s: float, first: float, last: float, label_px: float, steps: Iterator[float]
) -> Ticks:
    """Ticks from the first value to the last, labels label_px wide apart; unit_s : how long one unit is."""
    unit_px = unit_s * scale.pixels_per_s
    tried: list[float] = []
    for step in steps:
        tried.append(step)
        if step * unit_px >= label_px:
            break
    step = tried[-1]
    least = min(_MINOR_AT_LEAST_PX / unit_px, step)
    fine = next(one for one in tried if one >= least and _divides(one, step))
    low = max(first, first + scale.time_at(0.0) / unit_s)
    high = min(last, first + scale.time_at(scale.width_px) / unit_s)
    per = round(step / fine)
    major, minor = [], []
    for count in range(math.ceil(low / fine - 1e-9), math.floor(high / fine + 1e-9) + 1):
        x = scale.x_of((count * fine - first) * unit_s)
        if count % per == 0:
            major.append((x, count * fine))
        else:
            minor.append(x)
    return Ticks(step, tuple(major), tuple(minor))


def _divides(one: float, other: float) -> bool:
    return abs(other / one - round(other / one)) < 1e-6


def _decimal_steps(power: int) -> Iterator[float]:
    """1, 2, 5, 10, 20, … from a power of ten on."""
    while True:
        for mantissa in (1, 2, 5):
            yield float(f"{mantissa}e{power}")
        power += 1


def _second_steps() -> Iterator[float]:
    for step in _decimal_steps(-4):
        if step >= 1.0:
            break
        yield step
    yield from _LONG_STEPS_S
    yield from (3600.0 * step for step in _decimal_steps(0) if step > 1.0)
