"""Clips that walk along a path, made of other clips."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from editor.posing.grounded.asked import PoseChange
from editor.posing.grounded.solve import solve
from editor.walking.candidates import NoLoopError
from editor.walking.curve import Curve
from editor.walking.footprints import footprints
from editor.walking.report import WalkReport
from editor.walking.rounding import ArcsOf, corner_radii, rounded
from editor.walking.styles import style_of
from editor.walking.timeline import Style
from editor.walking.walk import STEP_S, Ends, Switch, walk_along
from model.arrays import Array
from model.clip import Context, Source, Take, setting
from model.ground import Ground
from model.motion import Motion
from model.path import Path
from model.type_hints import fit_fields, require_finite_fields


@dataclass(frozen=True)
class StyleBand:
    """A style of a walk. from_m : how far along the path it begins, unused of the first; blend_s : over how long the
    one before fades into it, None for what suits both; loop : which of the clip's loops it shows, 0 the best.
    """

    clip_id: str
    from_m: float = 0.0
    blend_s: float | None = None
    loop: int = 0

    def __post_init__(self) -> None:
        fit_fields(self)
        require_finite_fields(self)
        if self.from_m < 0.0:
            raise ValueError(f"from_m is {self.from_m}; it must be 0 or more metres")
        if self.blend_s is not None and not 0.05 <= self.blend_s <= 10.0:
            raise ValueError(f"blend_s is {self.blend_s}; it must be 0.05 to 10 s")
        if self.loop < 0:
            raise ValueError(f"loop is {self.loop}; it must be 0 or more")

    def fading(self, blend_s: float | None) -> "StyleBand":
        """The same style, faded into over another time."""
        return replace(self, blend_s=blend_s)


_ENDS = ("walking", "standing")
_USUAL = Path.through([(0.0, 0.0), (0.0, 6.0)])
# Nobody steps up or down farther than this.
_TOO_HIGH_M = 0.5
# Objects farther away from the body's way than this do not change it.
_NEAR_M = 1.0


@dataclass(frozen=True)
class WalkAlongPath(Source):
    """A walk along a path in one style after another, each taken from a clip that goes about straight.

    styles : in the order of the path.

    The body is that of the first style; others are put on it. Strides shorten in bends, the body leans into them, and
    feet tread on what stands on the project's ground. Edits are anchored to its steps: what was done to the fifth step
    stays with the fifth, however the path is changed.
    """

    kind: ClassVar[str] = "walk_along_path"
    title: ClassVar[str] = "Walk along a path"
    step_s: ClassVar[float | None] = STEP_S

    path: Path = setting(_USUAL, "Path", tip="The line on the floor that is walked.")
    styles: tuple[StyleBand, ...] = setting((), "Styles", tip="The clips whose ways of going are used, in order.")
    speeds: tuple[tuple[float, float], ...] = setting(
        (),
        "Speeds",
        tip="How much faster or slower than its style the walk goes: metres along the path, and a factor. Between two "
        "of them it passes over; before the first and behind the last it stays.",
    )

    starts: str = setting(
        "walking", "Starts", tip="Whether the walk begins standing or is under way already.", choices=_ENDS
    )
    stops: str = setting("walking", "Stops", tip="Whether the walk ends standing or goes on.", choices=_ENDS)

    def __post_init__(self) -> None:
        super().__post_init__()
        later = sorted(self.styles[1:], key=lambda band: band.from_m)
        object.__setattr__(self, "styles", (*self.styles[:1], *later))
        object.__setattr__(self, "speeds", tuple(sorted(self.speeds)))
        for at, factor in self.speeds:
            if not 0.3 <= factor <= 2.0:
                raise ValueError(f"speeds: the factor at {at:g} m is {factor:g}; it must be 0.3 to 2")

    def make(self, context: Context) -> Take:
        styles, switches = self._styles(context)
        context.progress(0.4)
        curve = self.curve(styles, switches)
        context.progress(0.5)
        ends = Ends(self.starts == "standing", self.stops == "standing")
        on_curve = ArcsOf(curve, self.path)  # metres are told along the path as it is drawn
        beyond = [f"{at:g} m" for at, _ in self.speeds if at > on_curve.length_m + 1e-6]
        if beyond:
            context.note(f"Speeds at {', '.join(beyond)} lie beyond the path, which is {on_curve.length_m:.1f} m long.")
        switches = tuple(replace(one, at_m=on_curve.of_path(one.at_m)) for one in switches)
        speeds = [(on_curve.of_path(at), factor) for at, factor in self.speeds]
        walk = walk_along(curve, styles, switches, speeds, ends, context.ground)
        motion = as_file_of(context.take_of(self.styles[0].clip_id).motion, walk.take.motion)
        take, ground = Take(motion, walk.take.contacts), context.ground
        if not ground.is_flat_near(motion.root_positions[:, [0, 2]], _NEAR_M):
            highest = _highest_step_m(take, ground)
            if highest > _TOO_HIGH_M:
                context.note(f"A step climbs or falls by {highest:.2f} m, which nobody's legs do.")
            solved = solve(motion, take.contacts, PoseChange(), None, ground)
            take = Take(solved.motion, solved.contacts, ground=ground)
        context.set_clock(walk.clock)
        return replace(take, reports=(WalkReport.of(walk, take, curve, styles),))

    def _styles(self, context: Context) -> tuple[tuple[Style, ...], tuple[Switch, ...]]:
        if not self.styles:
            raise ValueError("a walk needs a style: a clip of somebody who walks or runs about straight")
        kinds = list(dict.fromkeys((band.clip_id, band.loop) for band in self.styles))
        first = context.take_of(kinds[0][0])
        styles = []
        for clip_id, loop in kinds:
            try:
                styles.append(context.derived(style_of, context.take_of(clip_id), first, loop))
            except NoLoopError as error:
                raise NoLoopError(f"{context.name_of(clip_id)!r} has no loop: {error}") from None
        switches = tuple(
            Switch(band.from_m, kinds.index((band.clip_id, band.loop)), band.blend_s) for band in self.styles[1:]
        )
        return tuple(styles), switches

    def curve(self, styles: tuple[Style, ...], switches: tuple[Switch, ...]) -> Curve:
        """The curve that is walked: corners are rounded as the speed there asks."""

        def radius_at(arc: Array) -> Array:
            in_turn = np.array([styles[one].loop.speed_m_s for one in (0, *(switch.style for switch in switches))])
            return corner_radii(in_turn[np.searchsorted([switch.at_m for switch in switches], arc, side="right")])

        return rounded(self.path.line(), self.path.closed, radius_at)

    def clips_used(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(band.clip_id for band in self.styles))

    def uses_ground(self) -> bool:
        return True


def _highest_step_m(take: Take, ground: Ground) -> float:
    """How far the ground rises or falls at most from one tread to the next."""
    heights = ground.heights(np.array([one.toe for one in footprints(take)]).reshape(-1, 2))
    return float(np.max(np.abs(np.diff(heights)), initial=0.0))


def as_file_of(first: Motion, motion: Motion) -> Motion:
    """A motion written as the file of another is, whose numbers it has nothing of."""
    if first.origin is None:
        return replace(motion, origin=None)
    return replace(motion, origin=replace(first.origin.without_numbers(), channels=np.zeros((motion.frames, 0))))
