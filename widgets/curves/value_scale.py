"""Values laid out on pixels, upwards: zoom, pan, and round numbers for ticks. Knows nothing of Qt."""

import math
from dataclasses import dataclass, replace

LEAST_SPAN = 1e-3
MOST_SPAN = 1e7
_MARGIN = 0.08  # of the span, above and below what is framed


@dataclass(frozen=True)
class ValueScale:
    """low : the value at the bottom edge; span : how much is seen; in degrees or centimetres."""

    low: float = -1.0
    span: float = 2.0
    height_px: float = 100.0

    @property
    def per_px(self) -> float:
        return self.span / max(self.height_px, 1.0)

    def y_of(self, value: float) -> float:
        return self.height_px - (value - self.low) / self.per_px

    def value_at(self, y_px: float) -> float:
        return self.low + (self.height_px - y_px) * self.per_px

    def zoomed(self, factor: float, y_px: float) -> "ValueScale":
        """Larger by a factor; the value at y stays there."""
        span = min(max(self.span / factor, LEAST_SPAN), MOST_SPAN)
        value = self.value_at(y_px)
        return replace(self, span=span, low=value - (value - self.low) * span / self.span)

    def panned(self, by_px: float) -> "ValueScale":
        """Moved so that what is seen comes from further up."""
        return replace(self, low=self.low + by_px * self.per_px)

    def framing(self, low: float, high: float) -> "ValueScale":
        """All from low to high, with a margin; level curves get at least a unit of room."""
        span = max(high - low, 1.0) * (1.0 + 2.0 * _MARGIN)
        return replace(self, span=span, low=0.5 * (low + high) - 0.5 * span)

    def ticks(self, apart_px: float) -> tuple[float, list[float]]:
        """Round values at least so far apart, and the step between them."""
        wanted = max(apart_px * self.per_px, 1e-9)
        power = 10.0 ** math.floor(math.log10(wanted))
        step = next(one * power for one in (1.0, 2.0, 5.0, 10.0) if one * power >= wanted * (1.0 - 1e-9))
        first, last = math.ceil(self.low / step), math.floor((self.low + self.span) / step)
        return step, [count * step for count in range(first, last + 1)]


def tick_text(value: float, step: float) -> str:
    """A tick's label, with as many decimals as the step asks for."""
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    return f"{round(value, decimals) + 0.0:.{decimals}f}"
