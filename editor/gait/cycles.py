"""Steps, gait cycles and parameters of a locomotion clip, read off its contacts.

Every feature that walks, loops or blends asks here where steps begin and end, what phase a frame has, how fast and how
tightly the clip goes, and whether it stands, walks or runs. Contacts are taken as they are; finding them is the work of
`editor/contacts`.
"""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise

import numpy as np

from editor.contacts.feet import find_limb, limb_points, planted_point
from editor.gait.arc import Arc, fit_arc
from model.arrays import Array, freeze
from model.contacts import FEET, Contact, Contacts, Mask, intervals
from model.motion import Motion
from model.roles import Role

# Both feet in the air for so long is a flight; among flights less will do. Shorter still is a slip of the detection.
_FLIGHT_S, _LEAST_FLIGHT_S = 0.045, 0.02
# Both feet down for so long is standing; at the clip's ends, which cut it short, less will do.
_STAND_S, _STAND_AT_END_S = 0.75, 0.35
# A foot's place is read over this part of its contact, away from rolling on and off.
_SETTLED = (0.2, 0.8)
# A shorter stride has no direction.
_NO_WAY_M = 0.05
# The way of a body turns as the body does, but for this much. A way that is shorter, or not that many times longer than
# what the arc leaves over, says nothing of turning: the body's own is taken.
_NEAR_BODY_RAD = np.pi
_SHORT_WAY_M, _SHORT_WAY_TIMES = 0.5, 4.0


class Kind(StrEnum):
    """How somebody goes. Running is to leave the ground; mixed is a clip that changes from one kind to another."""

    STAND = "stand"
    WALK = "walk"
    RUN = "run"
    MIXED = "mixed"


class Event(StrEnum):
    """What a foot does at a key-time: it touches the ground (first frame on it), or leaves it (first frame off it)."""

    STRIKE = "strike"
    TOE_OFF = "toe-off"


@dataclass(frozen=True, order=True)
class KeyTime:
    """A frame in which a foot, one of FEET, touches the ground or leaves it."""

    frame: int
    foot: str
    event: Event


@dataclass(frozen=True, eq=False)
class Step:
    """A foot set down, one of FEET. place : (3,) where its toes stand, at the height of the foot's lowest point.

    strike, toe_off : its key-times; None where the clip begins later or ends sooner. length_m, width_m : how far it
    stands ahead of the other foot's last place and how far to its own side of it, against the line of the stride
    (Huxham et al. 2006, who measure curved walks); None for a first step. Crossed feet have a negative width.
    """

    foot: str
    contact: Contact
    strike: int | None
    toe_off: int | None
    place: Array
    length_m: float | None = None
    width_m: float | None = None

    @property
    def mid_stance(self) -> int | None:
        """The middle frame of the contact, or None where the clip cuts it."""
        if self.strike is None or self.toe_off is None:
            return None
        return (self.strike + self.toe_off - 1) // 2


@dataclass(frozen=True)
class Cycle:
    """From a foot's strike to its next, [start, stop), with what the other foot does within.

    toe_off is this foot's. What the other does is None unless it does it just once. With one strike of it the cycle is
    regular.
    """

    foot: str
    start: int
    stop: int
    toe_off: int
    other_toe_off: int | None
    other_strike: int | None

    @property
    def is_regular(self) -> bool:
        """Whether the other foot takes one step, no more and no less."""
        return self.other_strike is not None


@dataclass(frozen=True)
class Stretch:
    """Frames [start, stop) of one kind: stand, walk or run."""

    start: int
    stop: int
    kind: Kind


@dataclass(frozen=True, eq=False)
class Locomotion:
    """How a clip goes.

    steps, key_times : in order of time. cycles : of one foot, the left where it has a regular one. phases : (F,), never
    falling; whole at strikes of the left foot and half way between at those of the right, the fraction being the
    phase. Beyond the first and last strike it goes on for at most half a cycle and is held. stretches : the
    kinds of going, one after another, over all frames.

    measured : the frames from which parameters are read, whole cycles where whole_cycles > 0. arc : fitted to the
    body's way over them; a clip that goes straight, round a corner and straight again is no arc, and its residual says
    so. body_turned_rad : by how much the body itself turns, left positive. duty_factor : the share of time that a foot
    is on the ground; double_support_share, flight_share : the shares in which both and neither are.
    """

    steps: tuple[Step, ...]
    cycles: tuple[Cycle, ...]
    key_times: tuple[KeyTime, ...]
    phases: Array
    stretches: tuple[Stretch, ...]
    measured: Contact
    whole_cycles: int
    arc: Arc
    body_turned_rad: float
    duty_factor: float
    double_support_share: float
    flight_share: float

    @property
    def kind(self) -> Kind:
        """How the clip goes as a whole."""
        kinds = {stretch.kind for stretch in self.stretches}
        return kinds.pop() if len(kinds) == 1 else Kind.MIXED

    @property
    def speed_m_s(self) -> float:
        """How fast the body goes over ground; none for a stand (Akbay 2011, section 4.1.3)."""
        return 0.0 if self.kind is Kind.STAND else self.arc.speed_m_s

    @property
    def turning_rad_s(self) -> float:
        """How fast its way turns, left positive; none for a stand."""
        return 0.0 if self.kind is Kind.STAND else self.arc.turning_rad_s

    @property
    def cycle_s(self) -> float | None:
        """How long a cycle takes, or None without a whole one."""
        return self.arc.duration_s / self.whole_cycles if self.whole_cycles else None

    @property
    def cadence_per_min(self) -> float | None:
        """Steps of either foot in a minute, or None without a whole cycle."""
        return None if self.cycle_s is None else 120.0 / self.cycle_s

    @property
    def stride_m(self) -> float | None:
        """How far the body goes in a cycle, or None without a whole one."""
        return None if self.cycle_s is None else self.arc.speed_m_s * self.cycle_s

    def mid_stances(self, foot: str = FEET[0]) -> tuple[int, ...]:
        """The middle frames of a foot's whole contacts: where loops begin and end (Kim and Neff 2011, section 5.2)."""
        return tuple(step.mid_stance for step in self.steps if step.foot == foot and step.mid_stance is not None)


def find_cycles(motion: Motion, contacts: Contacts) -> Locomotion:
    """Steps, cycles, phases and parameters of a motion, which must have a frame; only its feet's contacts count."""
    if contacts.frames != motion.frames:
        raise ValueError(f"contacts are of {contacts.frames} frames, the motion has {motion.frames}")
    if motion.frames == 0:
        raise ValueError("motion has no frames")
    to_left = _to_left(motion)
    steps = _sized(_steps(motion, contacts), to_left)
    key_times = _key_times(steps)
    left, right = (contacts.mask(foot) for foot in FEET)
    strikes = tuple(key for key in key_times if key.event is Event.STRIKE)
    stretches = _stretches(left, right, [step.contact.start for step in steps], motion.frame_time_s)
    cycles = {foot: _cycles(foot, key_times) for foot in FEET}
    runs = [_longest_run(cycles[foot], stretches) for foot in FEET]
    run = max(runs, key=len)  # the left foot's, of equals
    measured = Contact(run[0].start, run[-1].stop) if run else Contact(0, motion.frames)
    part = slice(measured.start, measured.stop)
    body_turned = _body_turned(to_left, measured)
    return Locomotion(
        steps=steps,
        cycles=cycles[FEET[0]] if runs[0] or not runs[1] else cycles[FEET[1]],
        key_times=key_times,
        phases=freeze(_phases(strikes, motion.frames)),
        stretches=stretches,
        measured=measured,
        whole_cycles=len(run),
        arc=_arc(motion, measured, body_turned),
        body_turned_rad=body_turned,
        duty_factor=float(np.mean(left[part]) + np.mean(right[part])) / 2.0,
        double_support_share=float(np.mean((left & right)[part])),
        flight_share=float(np.mean((~left & ~right)[part])),
    )


def _to_left(motion: Motion) -> Array | None:
    """(F, 2) from the right hip to the left, x and z; None for a body without hips."""
    left, right = (motion.skeleton.joint(role) for role in (Role.LEFT_HIP, Role.RIGHT_HIP))
    if left is None or right is None:
        return None
    return np.asarray((motion.world.positions[:, left] - motion.world.positions[:, right])[:, [0, 2]])


def _steps(motion: Motion, contacts: Contacts) -> tuple[Step, ...]:
    """The feet set down, in order; a foot that never leaves the ground takes no step."""
    steps = []
    for foot in FEET:
        limb = find_limb(motion.skeleton, foot)
        found = [c for c in contacts.limbs.get(foot, ()) if c.start > 0 or c.stop < motion.frames]
        if limb is None or not found:
            continue
        toes, heights = planted_point(motion, limb), np.min(limb_points(motion, limb)[..., 1], axis=1)
        for contact in found:
            length = contact.stop - contact.start
            part = slice(contact.start + int(_SETTLED[0] * length), contact.start + int(np.ceil(_SETTLED[1] * length)))
            x, z = np.mean(toes[part][:, [0, 2]], axis=0)
            steps.append(
                Step(
                    foot=foot,
                    contact=contact,
                    strike=contact.start if contact.start > 0 else None,
                    toe_off=contact.stop if contact.stop < motion.frames else None,
                    place=freeze(np.array([x, np.median(heights[part]), z])),
                )
            )
    return tuple(sorted(steps, key=lambda step: (step.contact, step.foot)))


def _sized(steps: tuple[Step, ...], to_left: Array | None) -> tuple[Step, ...]:
    """The steps with their lengths and widths."""
    sized = []
    last: dict[str, Step] = {}
    for n, step in enumerate(steps):
        own = last.get(step.foot)
        other = next((one for foot, one in last.items() if foot != step.foot), None)
        last[step.foot] = step
        if other is None:
            sized.append(step)
            continue
        if own is not None:
            stride = step.place - own.place
        else:  # the foot has not stood before: the line of the other's stride past it
            following = next((one for one in steps[n + 1 :] if one.foot != step.foot), other)
            stride = following.place - other.place
        ahead = stride[[0, 2]]
        if np.hypot(*ahead) < _NO_WAY_M:
            sized.append(step)
            continue
        ahead = ahead / np.hypot(*ahead)
        aside = np.array([ahead[1], -ahead[0]])  # to the left of the way
        if to_left is not None and aside @ to_left[step.contact.start] < 0.0:
            aside = -aside  # walking backwards, the body's left is the way's right
        moved = (step.place - other.place)[[0, 2]]
        outward = 1.0 if step.foot == FEET[0] else -1.0
        sized.append(replace(step, length_m=float(moved @ ahead), width_m=outward * float(moved @ aside)))
    return tuple(sized)


def _key_times(steps: tuple[Step, ...]) -> tuple[KeyTime, ...]:
    """All strikes and toe-offs in order: the key-times of Park et al. 2002, section 5.2."""
    keys = [KeyTime(step.strike, step.foot, Event.STRIKE) for step in steps if step.strike is not None]
    keys += [KeyTime(step.toe_off, step.foot, Event.TOE_OFF) for step in steps if step.toe_off is not None]
    return tuple(sorted(keys))


def _cycles(foot: str, key_times: tuple[KeyTime, ...]) -> tuple[Cycle, ...]:
    """From each strike of a foot to its next."""
    strikes = [key.frame for key in key_times if key.foot == foot and key.event is Event.STRIKE]
    cycles = []
    frames = [key.frame for key in key_times]
    for start, stop in pairwise(strikes):
        within = key_times[bisect_left(frames, start) : bisect_left(frames, stop)]
        toe_off = next(key.frame for key in within if key.foot == foot and key.event is Event.TOE_OFF)
        off, strike = (
            [key.frame for key in within if key.foot != foot and key.event is event]
            for event in (Event.TOE_OFF, Event.STRIKE)
        )
        cycles.append(Cycle(foot, start, stop, toe_off, *(one[0] if len(one) == 1 else None for one in (off, strike))))
    return tuple(cycles)


def _longest_run(cycles: tuple[Cycle, ...], stretches: tuple[Stretch, ...]) -> list[Cycle]:
    """The longest run of regular cycles, one after another, in which nobody stands."""
    stands = [stretch for stretch in stretches if stretch.kind is Kind.STAND]
    stops = [stand.stop for stand in stands]
    longest = run = (0, 0)
    for n, cycle in enumerate(cycles):
        following = bisect_right(stops, cycle.start)  # the first stand that is not over before the cycle
        stood = following < len(stands) and stands[following].start < cycle.stop
        run = (run[0], n + 1) if cycle.is_regular and not stood else (n + 1, n + 1)
        longest = max(longest, run, key=lambda part: part[1] - part[0])
    return list(cycles[slice(*longest)])


def _phases(strikes: tuple[KeyTime, ...], frames: int) -> Array:
    """(F,) the phase, counted on through all cycles; see `Locomotion`."""
    times: list[int] = []
    values: list[float] = []
    for before, strike in zip((None, *strikes), strikes, strict=False):
        if before is None:
            times.append(strike.frame)
            values.append(1.0 if strike.foot == FEET[0] else 0.5)
        elif strike.frame > before.frame:  # of two feet that land together the first counts
            times.append(strike.frame)
            values.append(values[-1] + (1.0 if strike.foot == before.foot else 0.5))
    if not times:
        return np.zeros(frames)
    if len(times) == 1:
        return np.full(frames, values[0])
    at = np.arange(frames, dtype=np.float64)
    phases = np.interp(at, times, values)
    first, last = ((values[n + 1] - values[n]) / (times[n + 1] - times[n]) for n in (0, -2))
    phases -= np.clip((times[0] - at) * first, 0.0, 0.5)
    return np.asarray(phases + np.clip((at - times[-1]) * last, 0.0, 0.5))


def _stretches(left: Mask, right: Mask, landings: list[int], frame_time_s: float) -> tuple[Stretch, ...]:
    """The kinds of going, one after another. left, right : (F,) on the ground; landings : first frames of steps."""
    frames = len(left)
    if not landings:
        return (Stretch(0, frames, Kind.STAND),)
    running = _running(left, right, landings, frame_time_s)
    standing = np.zeros(frames, dtype=bool)
    for span in intervals(left & right):
        at_end = span.start == 0 or span.stop == frames
        if (span.stop - span.start) * frame_time_s >= (_STAND_AT_END_S if at_end else _STAND_S):
            standing[span.start : span.stop] = True
    codes = np.where(standing, 0, np.where(running, 2, 1))
    kinds = (Kind.STAND, Kind.WALK, Kind.RUN)
    bounds = [0, *(np.flatnonzero(np.diff(codes)) + 1).tolist(), frames]
    return _joined([Stretch(start, stop, kinds[codes[start]]) for start, stop in pairwise(bounds)], landings)


def _running(left: Mask, right: Mask, landings: list[int], frame_time_s: float) -> Mask:
    """(F,) frames from the landing before a flight to the landing after it."""
    running = np.zeros(len(left), dtype=bool)
    surely = np.zeros(len(left), dtype=bool)
    bounds = np.array([0, *landings, len(left)])
    for flight in intervals(~left & ~right):
        lasts_s = (flight.stop - flight.start) * frame_time_s
        if lasts_s >= _LEAST_FLIGHT_S - 1e-9:
            start, stop = bounds[np.searchsorted(bounds, [flight.start + 1, flight.stop]) - [1, 0]]
            running[start:stop] = True
            surely[start:stop] |= lasts_s >= _FLIGHT_S - 1e-9
    for span in intervals(running):
        if not np.any(surely[span.start : span.stop]):
            running[span.start : span.stop] = False
    return running


def _joined(stretches: list[Stretch], landings: list[int]) -> tuple[Stretch, ...]:
    """The stretches, those of a single step taken into the longer neighbour that walks or runs."""

    def length(stretch: Stretch) -> int:
        return stretch.stop - stretch.start

    while True:
        short: dict[int, Stretch] = {}  # by place, with the neighbour that takes it
        for n, stretch in enumerate(stretches):
            moving = [one for one in (*stretches[n - 1 : n], *stretches[n + 1 : n + 2]) if one.kind is not Kind.STAND]
            first, behind = np.searchsorted(landings, [stretch.start, stretch.stop])
            if stretch.kind is not Kind.STAND and moving and behind - first < 2:
                short[n] = max(moving, key=length)
        if not short:
            return tuple(stretches)
        least = min(short, key=lambda n: length(stretches[n]))
        stretches[least] = replace(stretches[least], kind=short[least].kind)
        stretches = _merged(stretches)


def _merged(stretches: list[Stretch]) -> list[Stretch]:
    """Stretches of the same kind one after another made one."""
    merged = stretches[:1]
    for stretch in stretches[1:]:
        if merged[-1].kind is stretch.kind:
            merged[-1] = replace(merged[-1], stop=stretch.stop)
        else:
            merged.append(stretch)
    return merged


def _body_turned(to_left: Array | None, measured: Contact) -> float:
    """By how much the hips turn from the first measured frame to the one after the last, where there is one."""
    if to_left is None:
        return 0.0
    part = to_left[measured.start : measured.stop + 1]
    headings = np.unwrap(np.arctan2(part[:, 0], part[:, 1]))
    return float(headings[-1] - headings[0])


def _arc(motion: Motion, measured: Contact, body_turned_rad: float) -> Arc:
    """The arc of the body's way. Where cycles are measured the strike that ends the last one belongs to it."""
    frames = slice(measured.start, measured.stop + 1)
    way = motion.world.positions[frames, motion.skeleton.joint(Role.PELVIS) or 0][:, [0, 2]]
    arc = fit_arc(way, motion.frame_time_s, body_turned_rad, _NEAR_BODY_RAD)
    if arc.length_m < max(_SHORT_WAY_M, _SHORT_WAY_TIMES * arc.residual_m):
        return fit_arc(way, motion.frame_time_s, body_turned_rad, 0.0)
    return arc
