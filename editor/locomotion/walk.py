"""A walk along a path from loops: what plays when, strides and lean as the path bends, feet planted where they tread.

The walk is put together on a straight line (`assemble`), as the timeline says, and the line is laid on the path
(`onto_path`). Kim and Neff 2011, sections 6 and 7.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from editor.locomotion.assemble import assemble, shown_frames
from editor.locomotion.curve import Curve
from editor.locomotion.onto_path import onto_path
from editor.locomotion.timeline import Fade, Style, Timeline, TimelineMaker
from editor.locomotion.travel import Travel, plan_travel, samples
from model.arrays import Array
from model.clip import Take


@dataclass(frozen=True)
class Switch:
    """From `at_m` metres along the path on, style number `style` plays; blend_s : over how long, None to adapt."""

    at_m: float
    style: int
    blend_s: float | None = None


@dataclass(frozen=True, eq=False)
class Walk:
    """A walk along a path. arc_m : (F,) how far along each frame is; lean_rad : (F,) to the left; scales : (F,)
    strides over the style's own; fades : their times are those of the walk, unless it is slowed.
    """

    take: Take
    arc_m: Array
    lean_rad: Array
    scales: Array
    fades: tuple[Fade, ...]


def walk_along(
    curve: Curve,
    styles: Sequence[Style],
    switches: Sequence[Switch] = (),
    speed_factors: Sequence[tuple[float, float]] = (),
) -> Walk:
    """A walk along a curve, in the first style until the first switch. All loops are of one body and rate.

    speed_factors : (metres, factor) how much faster than its style the walk goes, straight between.
    """
    styles = tuple(styles)
    switches = tuple(sorted(switches, key=lambda one: one.at_m))
    margin = 2.5 * max(style.loop.advance_m / style.loop.cycles for style in styles) + 0.5
    arc = samples(curve, margin)
    travel = plan_travel(curve, *_nominal(styles, switches, speed_factors, arc), arc)
    end = float(travel.straight_at(np.array(curve.length_m)))
    timeline = _timeline(styles, switches, travel, end)
    shown = shown_frames(timeline, travel, styles[0].loop.motion.frame_time_s, end)
    straight = assemble(styles, timeline, shown)
    laid = onto_path(straight, shown.ways_m, shown.times_s, curve, travel)
    inside = slice(shown.start, shown.stop)
    contacts = straight.contacts.at(np.arange(float(shown.start), float(shown.stop)))
    arc = laid.arc_m[inside]
    return Walk(
        Take(laid.motion.sliced(shown.start, shown.stop), contacts),
        arc, laid.lean_rad[inside], travel.scales_at(arc), timeline.fades,
    )  # fmt: skip


def _nominal(
    styles: tuple[Style, ...], switches: Sequence[Switch], factors: Sequence[tuple[float, float]], arc: Array
) -> tuple[Array, Array, Array]:
    """(N,) each: speed and step length of the style at places along the path, and the factor wanted there."""
    which = np.zeros(len(arc), dtype=np.intp)
    for switch in switches:
        which[arc >= switch.at_m] = switch.style
    speeds = np.array([style.loop.speed_m_s for style in styles])
    steps = np.array([style.loop.advance_m / style.loop.steps for style in styles])
    wanted = np.ones(len(arc))
    if factors:
        at, values = np.array(sorted(factors), dtype=np.float64).T
        wanted = np.interp(arc, at, values)
    return speeds[which], steps[which], wanted


def _timeline(styles: tuple[Style, ...], switches: Sequence[Switch], travel: Travel, end_m: float) -> Timeline:
    """What plays when, from a cycle before the start to a cycle behind the end."""
    first = styles[0]
    early = first.loop.advance_m / first.loop.cycles
    start = float(first.phases.frames_at(np.array(-1.0)) - first.phases.frames_at(np.array(0.0))) * first.loop.speed_m
    maker = TimelineMaker(styles, 0, -1.0, start)
    places = [float(travel.straight_at(np.array(switch.at_m))) for switch in switches]
    for n, (switch, place) in enumerate(zip(switches, places, strict=True)):
        if switch.style == maker.style:
            continue
        following = places[n + 1] if n + 1 < len(places) else end_m + early
        maker.fade_about(switch.style, place, following, switch.blend_s)
    maker.play_to(end_m + 1.2 * styles[maker.style].loop.advance_m / styles[maker.style].loop.cycles)
    return maker.table()
