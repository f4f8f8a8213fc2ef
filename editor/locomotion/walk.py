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
from model.contacts import Contact, Contacts

# A step of which the ends of the walk leave less than this share is not told.
_STEP_SHARE = 0.45


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
    contacts = _inside(straight.contacts, shown.start, shown.stop)
    arc = laid.arc_m[inside]
    return Walk(
        Take(laid.motion.sliced(shown.start, shown.stop), contacts),
        arc, laid.lean_rad[inside], travel.scales_at(arc), timeline.fades,
    )  # fmt: skip


def _inside(contacts: Contacts, start: int, stop: int) -> Contacts:
    """The contacts within frames [start, stop). What little the end leaves of a step shows no foot that stands yet, and
    is none.
    """
    limbs = {}
    for foot, all_of_it in contacts.limbs.items():
        kept = [
            Contact(max(one.start, start) - start, min(one.stop, stop) - start)
            for one in all_of_it
            if one.start < stop and one.stop > start and (stop - one.start) >= _STEP_SHARE * (one.stop - one.start)
            and (one.stop - start) >= _STEP_SHARE * (one.stop - one.start)
        ]  # fmt: skip
        limbs[foot] = tuple(kept)
    return Contacts(stop - start, limbs, contacts.ground_m)


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
    # Starting on a frame of the loop, every frame shows one until styles fade or the walk is slowed.
    start, middle = np.rint(first.phases.frames_at(np.array([-1.0, 0.0])))
    phase = float(first.phases.phases_at(start))
    maker = TimelineMaker(styles, 0, phase, float(start - middle) * first.loop.speed_m)
    places = [float(travel.straight_at(np.array(switch.at_m))) for switch in switches]
    for n, (switch, place) in enumerate(zip(switches, places, strict=True)):
        if switch.style == maker.style:
            continue
        following = places[n + 1] if n + 1 < len(places) else end_m + early
        maker.fade_about(switch.style, place, following, switch.blend_s)
    maker.play_to(end_m + 1.2 * styles[maker.style].loop.advance_m / styles[maker.style].loop.cycles)
    return maker.table()
