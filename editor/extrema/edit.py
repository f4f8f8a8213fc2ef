"""Extreme poses, found and set right by hand. The motion stays as it is; other edits and the views go by them."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

from editor.extrema.correct import ExtremeCorrection, correct
from editor.extrema.filters import Filter, FilterKind
from editor.extrema.find import DEFAULT_LEVEL, EXTREMES, ExtremaSettings, Measured, body_measured, selected
from editor.extrema.measures import Measure
from editor.extrema.parts import PARTS, WHOLE_BODY
from model.arrays import Array
from model.clip import Context, Edit, Take, setting
from model.extremes import Extremes

# A correction means an extreme within half a window of it, and not less than a frame of a slow camera.
_LEAST_TOLERANCE_S = 1.0 / 30.0


@dataclass(frozen=True)
class ExtremePoses(Edit):
    """Says which poses of a clip are its extremes. It has no half strength: it is done, or at strength 0 not."""

    kind: ClassVar[str] = "extreme_poses"
    title: ClassVar[str] = "Extreme poses"
    group: ClassVar[str] = "Extremes"
    reach: ClassVar[str] = "whole"

    level: float = setting(
        DEFAULT_LEVEL, "Few to many", "", 0.0, 1.0, tip="At 0 only what stands out most, at 1 every small change."
    )
    measure: str = setting(
        Measure.SPATIAL.value, "Measure", choices=tuple(one.value for one in Measure),
        tip="Poses far from those around them, slow or fast ones, those that are speeded up most, or sharp turns.",
    )  # fmt: skip
    extreme: str = setting(
        "automatic", "Look for", choices=EXTREMES,
        tip="The largest or the smallest values; automatic: the slowest poses, and the largest of all else.",
    )  # fmt: skip
    part: str = setting(WHOLE_BODY, "Part", choices=PARTS, tip="The part of the body that is looked at.")
    window_s: float = setting(
        1.0 / 6.0, "Window", "s", 0.01, 10.0, tip="An extreme is beyond all that is within this time around it."
    )
    filter: str = setting(
        FilterKind.NONE.value, "Filter", choices=tuple(one.value for one in FilterKind),
        tip="How the motion is smoothed before it is measured; the motion itself stays as it is.",
    )  # fmt: skip
    filter_steps: int = setting(20, "Laplacian steps", "", 1, 1000, tip="How often the Laplacian filter is applied.")
    filter_s: float = setting(
        0.15, "Low-pass window", "s", 0.0, 10.0, tip="A movement to and fro that takes this long counts for half."
    )
    corrections: tuple[ExtremeCorrection, ...] = setting(
        (), "Corrections", tip="Extremes added, moved, deleted and pinned by hand, each over those before."
    )

    @property
    def settings(self) -> ExtremaSettings:
        """What is measured, and how."""
        how = Filter(FilterKind(self.filter), self.filter_steps, self.filter_s)
        return ExtremaSettings(Measure(self.measure), self.extreme, self.part, self.window_s, how)

    @property
    def tolerance_s(self) -> float:
        """How near an extreme must be to a moment to be meant by it."""
        return max(0.5 * self.window_s, _LEAST_TOLERANCE_S)

    def moments_s(self) -> tuple[float, ...]:
        return tuple(one.time_s for one in self.corrections)

    def apply(self, take: Take, context: Context) -> Take:
        if context.strength == 0.0 or not take.motion.frames:
            return take
        # A slider from few to many, or a correction, need not have it measured again.
        measured = context.derived(body_measured, take.motion, self.settings)
        return replace(take, extremes=self.picked(measured, context.to_stage))

    def picked(self, measured: Measured, to_stage: Callable[[float], Array]) -> Extremes:
        """The extremes among those that were measured, with the corrections laid over them.

        to_stage : from the source's time to that of what was measured.
        """
        shown, possible = selected(measured, self.level), selected(measured, 1.0)
        here = [_at_stage(one, to_stage) for one in self.corrections]
        corrected = correct(shown, possible, here, self.tolerance_s)
        last_s = (len(measured.values) - 1) * measured.frame_time_s
        return Extremes(tuple(one for one in corrected.found if 0.0 <= one.time_s <= last_s + 1e-6))


def _at_stage(one: ExtremeCorrection, to_stage: Callable[[float], Array]) -> ExtremeCorrection:
    to_s = None if one.to_s is None else float(to_stage(one.to_s))
    return replace(one, time_s=float(to_stage(one.time_s)), to_s=to_s)
