"""How moments are called: by frame, in seconds, or by the number that the file gives the frame. Knows nothing of Qt."""

import math
from dataclasses import dataclass
from enum import StrEnum

from model.motion import Motion
from widgets.timeline.scale import Ticks, TimeScale, frame_ticks, second_ticks


class Unit(StrEnum):
    """What the ruler counts; the value is what the user reads."""

    FRAMES = "Frames"
    SECONDS = "Seconds"
    FILE = "File frames"


@dataclass(frozen=True)
class Numbering:
    """Moments as text and back. file_number : what the file calls the first frame."""

    unit: Unit
    frame_time_s: float
    file_number: int = 0

    @property
    def first_number(self) -> int:
        return self.file_number if self.unit is Unit.FILE else 0

    def text(self, time_s: float) -> str:
        """A moment as it is shown beside the unit's name."""
        if self.unit is Unit.SECONDS:
            return f"{time_s:.3f} s"
        number = time_s / self.frame_time_s + self.first_number
        whole = round(number)
        return str(whole) if abs(number - whole) < 1e-3 else f"{number:.2f}"

    def time_of(self, text: str) -> float | None:
        """The moment that was typed: a number of the unit, or seconds where "s" follows; None for anything else."""
        typed = text.strip().lower().replace(",", ".")
        seconds = typed.endswith("s")
        try:
            number = float(typed.removesuffix("s"))
        except ValueError:
            return None
        if not math.isfinite(number):
            return None
        if seconds or self.unit is Unit.SECONDS:
            return number
        return (number - self.first_number) * self.frame_time_s

    def ticks(self, scale: TimeScale, digit_px: float) -> Ticks:
        """The ticks of a ruler whose labels are written in digits so wide."""
        if self.unit is Unit.SECONDS:
            whole = len(str(round(scale.span_s)))
            return second_ticks(scale, (whole + 7.0) * digit_px)
        last = self.first_number + round(scale.span_s / scale.frame_time_s)
        longest = max(len(str(last)), len(str(self.first_number)))
        return frame_ticks(scale, (longest + 2.0) * digit_px, self.first_number)

    def tick_text(self, value: float, step: float) -> str:
        """The label of a tick, with as many decimals as the step between ticks asks for."""
        if self.unit is not Unit.SECONDS:
            return f"{value:.0f}"
        decimals = max(0, -math.floor(math.log10(step) + 1e-9))
        return f"{value:.{decimals}f} s"


def file_number_of(motion: Motion) -> int:
    """What the file of a motion calls its first frame. Files that number their frames say where they begin."""
    detail = None if motion.origin is None else motion.origin.detail
    begins: object = getattr(detail, "first_number", 0)
    return motion.first_frame + (begins if isinstance(begins, int) else 0)
