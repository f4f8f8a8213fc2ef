"""A walk along a path from loops: what plays when, strides and lean as the path bends, feet planted where they tread.

The walk is put together on a straight line (`assemble`), as the timeline says, and the line is laid on the path
(`onto_path`). Kim and Neff 2011, sections 6 and 7.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from editor.walking.assemble import assemble, played, shown_frames
from editor.walking.curve import Curve
from editor.walking.onto_path import onto_path
from editor.walking.standing import Pacing, end_scales, ramp_s
from editor.walking.timeline import Fade, Style, Timeline, TimelineMaker
from editor.walking.travel import Travel, climbing_scales, hermite, plan_travel, samples
from model.arrays import Array
from model.clip import Take
from model.contacts import Contact, Contacts
from model.ground import FLAT, Ground
from model.limits import check_length
from model.motion import Motion
from model.time_map import IDENTITY_MAP, TimeMap

# A step of which the ends of the walk leave less than this share is not told.
_STEP_SHARE = 0.45
# The phase in which a walk that is under way begins: the left foot stands flat, the right has just left the ground.
UNDER_WAY_PHASE = -0.15
# So often the way is fitted to steps that end where it does, until the phase is this near. A walk that goes on ends
# about in this phase of a step, give or take that, where it takes no strides that are longer or shorter by more than
# this share.
_ROUNDS, _SAME_PHASE = 6, 1e-4
_BEFORE_LANDING, _ABOUT, _MOST_STRETCH = 0.18, 0.03, 0.15
# How long a step takes in the time that counts steps: about as long as a walker's.
STEP_S = 0.55
# So much of a phase the clock takes to get going where a walk begins and ends standing.
_RAMP_PHASE = 0.2


@dataclass(frozen=True)
class Switch:
    """From `at_m` metres along the path on, style number `style` plays; blend_s : over how long, None to adapt."""

    at_m: float
    style: int
    blend_s: float | None = None


@dataclass(frozen=True, eq=False)
class Walk:
    """A walk along a path. arc_m : (F,) how far along each frame is; lean_rad : (F,) to the left; scales : (F,)
    strides over the style's own; fades : in the time of the take; clock : from a time in which each step takes STEP_S,
    and which is the same for every walk, to that of the take.
    """

    take: Take
    arc_m: Array
    lean_rad: Array
    scales: Array
    fades: tuple[Fade, ...]
    clock: TimeMap


@dataclass(frozen=True)
class Ends:
    """Whether a walk begins and ends standing, or is under way already and goes on."""

    starts_standing: bool = False
    stops_standing: bool = False


UNDER_WAY = Ends()


def walk_along(
    curve: Curve,
    styles: Sequence[Style],
    switches: Sequence[Switch] = (),
    speed_factors: Sequence[tuple[float, float]] = (),
    ends: Ends = UNDER_WAY,
    ground: Ground = FLAT,
) -> Walk:
    """A walk along a curve, in the first style until the first switch. All loops are of one body and rate.

    speed_factors : (metres, factor) how much faster than its style the walk goes, straight between. ground : strides
    shorten where it climbs; the walk itself is on level ground at height 0.
    """
    styles = tuple(styles)
    switches = tuple(sorted((one for one in switches if one.at_m < curve.length_m), key=lambda one: one.at_m))
    travel = _travel(curve, styles, switches, speed_factors, ends, ground)
    timeline, travel = _timeline(styles, switches, travel, curve.length_m, ends)
    played_s = played(timeline, travel)
    play_s = float(np.interp(travel.straight_at(np.array(curve.length_m)), timeline.ways_m, played_s))
    pacing = Pacing(
        play_s,
        ramp_s(styles[0], play_s) if ends.starts_standing else 0.0,
        ramp_s(styles[timeline.second[-1]], play_s) if ends.stops_standing else 0.0,
    )
    shown = shown_frames(timeline, played_s, pacing, styles[0].loop.motion.frame_time_s)
    straight = assemble(styles, timeline, shown)
    laid = onto_path(straight, shown.ways_m, shown.times_s, curve, travel)
    inside = slice(shown.start, shown.stop)
    contacts = _inside(straight.contacts, shown.start, shown.stop)
    arc = laid.arc_m[inside]
    return Walk(
        Take(laid.motion.sliced(shown.start, shown.stop), contacts),
        arc, laid.lean_rad[inside], travel.scales_at(arc), _fades_of_take(timeline, played_s, pacing),
        step_clock(shown.phases[inside], straight.motion.frame_time_s),
    )  # fmt: skip


def step_clock(phases: Array, frame_time_s: float) -> TimeMap:
    """From the time that steps count to that of a take whose frames are in phases (F,), never falling.

    A step is half a phase. It starts at 0, which is where a walk begins that is under way. Where a walk gets going or
    comes to rest the clock does not stand still with it: it gains what one that is under way has more of that step.
    """
    times = np.arange(float(len(phases))) * frame_time_s
    steps = 2.0 * STEP_S * (np.maximum.accumulate(phases) - UNDER_WAY_PHASE)
    goes = np.flatnonzero(np.diff(steps) > 1e-9)
    if not len(goes) or len(phases) < 4:
        return IDENTITY_MAP
    ramp = 2.0 * STEP_S * _RAMP_PHASE
    if goes[0] > 0:
        under_way = int(np.searchsorted(steps, steps[0] + ramp))
        steps[:under_way] = _getting_going(times, steps, under_way, 0.0)
    if goes[-1] + 2 < len(phases):
        until, end = int(np.searchsorted(steps, steps[-1] - ramp)), steps[-1] - 2.0 * STEP_S * UNDER_WAY_PHASE
        back = _getting_going(-times[::-1], -steps[::-1], len(steps) - 1 - until, -end)
        steps[until + 1 :] = -back[::-1]
    steps[0] = 0.0
    rises = np.concatenate([[True], np.diff(np.maximum.accumulate(steps)) > 1e-9])
    return TimeMap(steps[rises], times[rises])


def _getting_going(times: Array, steps: Array, under_way: int, start: float) -> Array:
    """(N,) for the frames before one in which a walk is under way: steps that start with a value and pass into those of
    that frame as they go on there, never standing still. times, steps : (F,) of all frames.
    """
    under_way = min(max(under_way, 1), len(times) - 2)
    mean = (steps[under_way] - start) / (times[under_way] - times[0])
    slope = (steps[under_way + 1] - steps[under_way - 1]) / (times[under_way + 1] - times[under_way - 1])
    slopes = mean * np.array([0.5, np.clip(slope / mean, 0.2, 2.4)])
    return hermite(times[[0, under_way]], np.array([start, steps[under_way]]), slopes, times[:under_way])


def _fades_of_take(timeline: Timeline, played_s: Array, pacing: Pacing) -> tuple[Fade, ...]:
    """The fades in the time of the take."""
    found = []
    for fade in timeline.fades:
        both = np.interp([fade.start_s, fade.start_s + fade.length_s], timeline.times_s, played_s)
        start, stop = pacing.to_take(both)
        found.append(replace(fade, start_s=float(start), length_s=float(stop - start)))
    return tuple(found)


def _travel(
    curve: Curve,
    styles: tuple[Style, ...],
    switches: Sequence[Switch],
    factors: Sequence[tuple[float, float]],
    ends: Ends,
    ground: Ground,
) -> Travel:
    """How the straight way lies on the path."""
    margin = 2.5 * max(style.loop.advance_m / style.loop.cycles for style in styles) + 0.5
    arc = samples(curve, margin)
    last = styles[switches[-1].style if switches else 0]
    others = end_scales(
        arc, curve.length_m, styles[0] if ends.starts_standing else None, last if ends.stops_standing else None
    )
    speeds, steps, wanted = _nominal(styles, switches, factors, arc)
    if not ground.is_flat:
        others = others * climbing_scales(ground.heights(curve.places(arc)), steps)
    travel = plan_travel(curve, speeds, steps, wanted, arc, others)
    _check_length(travel, speeds, styles[0].loop.motion, curve.length_m)
    return travel


def _check_length(travel: Travel, speeds_m_s: Array, motion: Motion, length_m: float) -> None:
    """Raise ValueError for a walk that takes too long. speeds_m_s : of the styles at places of the travel."""
    lasts_s = float(np.sum(np.diff(travel.straight_m) / (speeds_m_s * travel.paces)[1:]))
    check_length(
        f"A walk of {length_m:,.0f} m", lasts_s / motion.frame_time_s, len(motion.skeleton),
        "Shorten the path, or take faster styles.",
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
    in_turn = np.array([0, *(switch.style for switch in switches)])
    which = in_turn[np.searchsorted([switch.at_m for switch in switches], arc, side="right")]
    speeds = np.array([style.loop.speed_m_s for style in styles])
    steps = np.array([style.loop.advance_m / style.loop.steps for style in styles])
    wanted = np.ones(len(arc))
    if factors:
        at, values = np.array(sorted(factors), dtype=np.float64).T
        wanted = np.interp(arc, at, values)
    return speeds[which], steps[which], wanted


def _timeline(
    styles: tuple[Style, ...], switches: Sequence[Switch], travel: Travel, length_m: float, ends: Ends
) -> tuple[Timeline, Travel]:
    """What plays when, and the way that belongs to it. A walk that ends standing ends in mid-stance, and one that goes
    on just before a foot lands: for that all its strides are made a little longer or shorter.
    """
    last, near = (0.0, _SAME_PHASE) if ends.stops_standing else (_BEFORE_LANDING, _ABOUT)
    for _ in range(_ROUNDS):
        maker = _played_to(styles, switches, travel, length_m, ends)
        wanted = max(np.rint(2.0 * (maker.phase - last)) / 2.0 + last, maker.first_phase + 0.5)
        end = float(travel.straight_at(np.array(length_m)))
        factor = end / maker.way_at(float(wanted))
        if abs(wanted - maker.phase) < near or (not ends.stops_standing and abs(factor - 1.0) > _MOST_STRETCH):
            break
        travel = travel.stretched(factor)
    if not ends.stops_standing:
        style = styles[maker.style].loop
        maker.play_to(maker.way_m + 1.2 * style.advance_m / style.cycles)
    return maker.table(), travel


def _played_to(
    styles: tuple[Style, ...], switches: Sequence[Switch], travel: Travel, length_m: float, ends: Ends
) -> TimelineMaker:
    """What plays up to the end of the path."""
    first = styles[0]
    # Starting on a frame of the loop, every frame shows one until styles fade or the walk is slowed.
    begins = 0.0 if ends.starts_standing else UNDER_WAY_PHASE
    start, begin = np.rint(first.phases.frames_at(np.array([begins - 1.0, begins])))
    start = begin if ends.starts_standing else start
    phase = float(first.phases.phases_at(start))
    maker = TimelineMaker(styles, 0, phase, float(start - begin) * first.loop.speed_m)
    end = float(travel.straight_at(np.array(length_m)))
    places = [float(travel.straight_at(np.array(switch.at_m))) for switch in switches]
    for n, (switch, place) in enumerate(zip(switches, places, strict=True)):
        if switch.style != maker.style:
            following = places[n + 1] if n + 1 < len(places) else end
            maker.fade_about(switch.style, place, following, switch.blend_s)
    maker.play_to(end)
    return maker
