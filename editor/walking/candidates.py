"""Which parts of a locomotion clip could be loops, best first, or why there is none.

A loop goes from the middle of a foot's stance to the middle of a later one, the left foot's where the clip has such.
Parts are ranked by how well they close and by how much of the clip's style they show: a regular walk is told by two
steps, a limp or a stagger by more. Kim and Neff 2011, sections 5.2 and 8.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter

import numpy as np

from editor.gait.cycles import Event, Kind, Locomotion, find_cycles
from model.arrays import Array, IntArray
from model.clip import Take
from model.contacts import FEET, Contact, Contacts
from model.motion import Motion
from model.placing import headings_rad, pelvis_positions

# Poses at both ends are compared over this time, at so many moments; movement counts as where this time leads.
_COMPARED_S, _MOMENTS, _MOVEMENT_S = 0.1, 7, 0.1
# The end is looked for this near to the middle of its stance.
_SEARCH_S = 0.06
_MOST_STEPS = 16
# What a loop of two more steps must gain to be preferred, metres; what a wandering way and another speed than the
# clip's usual one count for.
_STEPS_COST_M, _WANDER_SHARE, _SPEED_COST_M = 0.004, 1.0, 0.1
# Where the left foot's best costs more than this, the right foot's are looked at, and taken if they cost this share.
_POOR_M, _FAR_BETTER = 0.12, 0.7
# A clip that turns more than this in a cycle is none that goes straight; nor one that gets less far than this share of
# its way.
_TURN_RAD, _STRAIGHT_SHARE = np.radians(35.0), 0.8
# Ends that are farther apart than this cannot be joined.
_APART_M = 0.25
# Slower clips go nowhere.
_SLOWEST_M_S = 0.08
# How long a cycle takes where the clip does not tell.
_CYCLE_S = 1.1
# Cycles are compared at so many phases.
_PHASES = 24
# What a loop does not show is judged by so many of the clip's cycles at most, evenly spread over it.
_MOST_COMPARED = 256


class NoLoopError(ValueError):
    """A clip without a loop; says why."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """A part of a clip that could be a loop: frames [start, stop), from a foot's mid-stance to another.

    seam_m : how far joints are apart where it closes; misses_m : how far the clip's cycles are from the nearest of
    its own, that is what of the style it does not show; turned_rad : by how much the body turns on the way; wander_m :
    how far its way strays from an arc; hurry : by what share it is faster or slower than the clip usually is.
    """

    foot: str
    start: int
    stop: int
    steps: int
    seam_m: float
    misses_m: float
    turned_rad: float
    wander_m: float = 0.0
    hurry: float = 0.0

    @property
    def cost_m(self) -> float:
        """By what candidates are ranked: less is better."""
        more = _STEPS_COST_M * (0.5 * self.steps - 1.0) + _WANDER_SHARE * self.wander_m + _SPEED_COST_M * self.hurry
        return self.seam_m + self.misses_m + more


def ranked(take: Take) -> tuple[Candidate, ...]:
    """All loops that a prepared take could give, best first. Raises NoLoopError saying why there is none."""
    motion, contacts = take.motion, take.contacts
    if motion.frames == 0 or not any(contacts.limbs.get(foot) for foot in FEET):
        raise NoLoopError("no foot is seen to stand on the ground, so it has no steps")
    gait = find_cycles(motion, contacts)
    reasons = []
    for spans_of in (_spans, _cut_spans):
        found = []
        for foot in FEET:
            spans = spans_of(gait, foot, motion.frames)
            try:
                found.append(_ranked_of(motion, contacts, gait, foot, spans) if spans else ())
            except NoLoopError as reason:
                reasons.append(reason)
        found = [one for one in found if one]
        if len(found) > 1:
            left, right = found
            better = left[0].cost_m > _POOR_M and right[0].cost_m < _FAR_BETTER * left[0].cost_m
            return right if better else left
        if found:
            return found[0]
    raise reasons[0] if reasons else NoLoopError(_why_none(gait, motion))


def _ranked_of(
    motion: Motion, contacts: Contacts, gait: Locomotion, foot: str, spans: Sequence[tuple[int, int, int]]
) -> tuple[Candidate, ...]:
    """All loops between stances of a foot, best first. Raises NoLoopError saying why there is none."""
    search = _Search(motion, gait, foot)
    found = [search.candidate(*span) for span in spans]
    found = [one for one in found if step_events(contacts, one.start, one.stop, one.steps) is not None]
    if not found:
        raise NoLoopError("its foot-plants are cut so that no pair of steps is whole")
    straight = [one for one in found if abs(one.turned_rad) <= _TURN_RAD * one.steps / 2]
    if not straight:
        least = min(abs(np.degrees(one.turned_rad)) / (one.steps / 2) for one in found)
        raise NoLoopError(f"it turns by {least:.0f} degrees in two steps; a loop needs a clip that goes about straight")
    going = [one for one in straight if search.speed_m_s(one.start, one.stop) > _SLOWEST_M_S]
    if not going:
        raise NoLoopError("it steps on the spot and goes nowhere")
    ahead = [one for one in going if search.straightness(one.start, one.stop) > _STRAIGHT_SHARE]
    if not ahead:
        raise NoLoopError("its way bends to and fro; a loop needs a clip that goes about straight")
    closing = [one for one in ahead if one.seam_m < _APART_M]
    if not closing:
        least = 100.0 * min(one.seam_m for one in ahead)
        raise NoLoopError(f"no two of its stances are alike: joints are {least:.0f} cm apart where it would close")
    return tuple(sorted(closing, key=lambda one: one.cost_m))


def step_events(
    contacts: Contacts, start: int, stop: int, steps: int
) -> tuple[dict[str, Array], dict[str, Array]] | None:
    """By foot, the frames of a period [start, stop) in which its steps strike, and in which they leave, from its start.

    Each leave is behind its strike: a stance that the start or the end cuts is finished as it is a period later or
    earlier. None where strikes and leaves do not make so many steps.
    """
    period = stop - start
    strikes, leaves = {}, {}
    for foot in FEET:
        held = contacts.limbs.get(foot, ())
        down, off = (_edges_within(held, edge, start, stop) for edge in ("start", "stop"))
        if len(down) != steps // 2 or len(off) != len(down):
            return None
        strikes[foot] = np.array(down, dtype=np.float64)
        following = [min(one for one in (*off, *(late + period for late in off)) if one > strike) for strike in down]
        leaves[foot] = np.array(following, dtype=np.float64)
    return strikes, leaves


def _edges_within(contacts: Sequence[Contact], edge: str, start: int, stop: int) -> list[int]:
    """The starts or stops of contacts, which are in order, that lie in (start, stop], as frames of that period."""
    key = attrgetter(edge)
    first, last = (bisect_right(contacts, at, key=key) for at in (start, stop))
    return sorted((key(contact) - start) % (stop - start) for contact in contacts[first:last])


def _spans(gait: Locomotion, foot: str, frames: int) -> list[tuple[int, int, int]]:
    """(start, stop, steps) of every part between mid-stances of a foot within which steps alternate."""
    good = _regular(gait, foot)
    middles = gait.mid_stances(foot)
    spans = []
    for first, start in enumerate(middles):
        for count in range(1, _MOST_STEPS // 2 + 1):
            last = first + count
            if last >= len(middles) or not good[last - 1] or not _one_kind(gait, start, middles[last]):
                break
            spans.append((start, middles[last], 2 * count))
    return spans


def _cut_spans(gait: Locomotion, foot: str, frames: int) -> list[tuple[int, int, int]]:
    """Such parts of a clip that cuts its stances: between frames as far after both strikes, or before both toe-offs."""
    steps = [step for step in gait.steps if step.foot == foot]
    strikes = sorted(step.contact.start for step in gait.steps if step.foot != foot and step.strike is not None)
    spans = []
    for before, after in pairwise(steps):
        if before.strike is not None and after.strike is not None:
            seen = min(before.contact.stop - before.strike, frames - 1 - after.strike)
            late = min((before.contact.stop - before.contact.start) // 2, seen)
            start, stop = before.strike + late, after.strike + late
        elif before.toe_off is not None and after.toe_off is not None:
            early = min((after.contact.stop - after.contact.start) // 2, before.toe_off)
            start, stop = before.toe_off - early, after.toe_off - early
        else:
            continue
        once = bisect_right(strikes, stop) - bisect_right(strikes, start) == 1
        if once and stop < frames and _one_kind(gait, start, stop):
            spans.append((start, stop, 2))
    return spans


def _regular(gait: Locomotion, foot: str) -> list[bool]:
    """For each pair of mid-stances of a foot in a row, whether the other foot takes one step between them."""
    other = FEET[1 - FEET.index(foot)]
    keys = [key for key in gait.key_times if key.event is Event.STRIKE]
    frames = np.array([key.frame for key in keys])
    found = []
    for start, stop in pairwise(gait.mid_stances(foot)):
        first, last = np.searchsorted(frames, [start, stop], side="right")
        found.append([key.foot for key in keys[first:last]] == [other, foot])
    return found


def _one_kind(gait: Locomotion, start: int, stop: int) -> bool:
    """Whether frames [start, stop) are all of one kind of going, and none of standing."""
    first = bisect_right(gait.stretches, start, key=attrgetter("stop"))
    last = bisect_left(gait.stretches, stop, key=attrgetter("start"))
    kinds = {stretch.kind for stretch in gait.stretches[first:last]}
    return len(kinds) == 1 and Kind.STAND not in kinds


def _why_none(gait: Locomotion, motion: Motion) -> str:
    """Why a clip has no part that could be a loop."""
    steps = [step for step in gait.steps if step.mid_stance is not None]
    if gait.kind is Kind.STAND or not gait.steps:
        return "it stands; a loop needs three foot-plants of a walk or a run"
    if max(len(gait.mid_stances(foot)) for foot in FEET) < 2:
        count = {0: "no whole foot-plant", 1: "one whole foot-plant"}.get(len(steps), f"{len(steps)} whole foot-plants")
        return (
            f"its {motion.duration_s:.1f} s hold {count}; a loop needs three in a row, from the middle of a foot's "
            "stance to the middle of its next"
        )
    if any(before.foot == after.foot for before, after in pairwise(gait.steps)):
        return "its steps do not alternate left and right, so no two stances of a foot are a pair of steps apart"
    return "it changes between standing, walking and running, and no two steps in a row are of one kind"


class _Search:
    """What all candidates of a clip are judged by, worked out once."""

    def __init__(self, motion: Motion, gait: Locomotion, foot: str) -> None:
        self._motion, self._foot = motion, foot
        self._step_s = motion.frame_time_s
        self._way = pelvis_positions(motion)[:, [0, 2]]
        self._headings = np.unwrap(headings_rad(motion))
        self._poses = self._seen_from_the_body()
        moves = np.gradient(self._poses, axis=0) if motion.frames > 1 else np.zeros_like(self._poses)
        self._moves = moves * (_MOVEMENT_S / self._step_s)
        middles = gait.mid_stances(foot)
        self._stances = {step.mid_stance: step.contact for step in gait.steps if step.foot == foot}
        good = _regular(gait, foot)
        self._cycles = [pair for pair, fine in zip(pairwise(middles), good, strict=True) if fine]
        self._firsts, self._lasts = ([cycle[end] for cycle in self._cycles] for end in (0, 1))
        self._apart = self._between_cycles()
        speeds = [self.speed_m_s(start, stop) for start, stop in self._cycles]
        self._usual_m_s = max(float(np.median(speeds)), 1e-6) if speeds else None
        lengths = [stop - start for start, stop in self._cycles] or [round(_CYCLE_S / self._step_s)]
        self._calm = self._calmed(round(float(np.mean(lengths))))

    def candidate(self, start: int, stop: int, steps: int) -> Candidate:
        """A part of the clip as a candidate, its end moved a little to where it closes best."""
        ends = self._ends_near(start, stop)
        apart = self._apart_at(start, ends)
        best = int(ends[int(np.argmin(apart))])
        turned = float(self._headings[best] - self._headings[start])
        speed = self.speed_m_s(start, best)
        hurry = 0.0 if self._usual_m_s is None else abs(speed / self._usual_m_s - 1.0)
        wander = self._wander(start, best, turned)
        misses = self._missed(start, stop)
        return Candidate(self._foot, start, best, steps, float(np.min(apart)), misses, turned, wander, hurry)

    def speed_m_s(self, start: int, stop: int) -> float:
        """How fast the body gets from one frame to another, as the crow flies."""
        return float(np.hypot(*(self._way[stop] - self._way[start]))) / ((stop - start) * self._step_s)

    def straightness(self, start: int, stop: int) -> float:
        """The share of its way that the body gets ahead by, sway left out."""
        way = self._calm[start : stop + 1]
        length = float(np.sum(np.hypot(*np.diff(way, axis=0).T)))
        return float(np.hypot(*(way[-1] - way[0]))) / length if length > 0.0 else 0.0

    def _seen_from_the_body(self) -> Array:
        """(F, J, 3) joints with a role, seen from the floor below the pelvis, facing +Z."""
        skeleton = self._motion.skeleton
        joints = [joint for joint, role in enumerate(skeleton.roles) if role is not None]
        pelvis = pelvis_positions(self._motion) * np.array([1.0, 0.0, 1.0])
        cos, sin = np.cos(self._headings)[:, None], np.sin(self._headings)[:, None]
        x, y, z = np.moveaxis(self._motion.world.positions[:, joints] - pelvis[:, None], -1, 0)
        return np.stack([cos * x - sin * z, y, sin * x + cos * z], axis=-1)

    def _between_cycles(self) -> Array:
        """(M, C) how far cycles, of very many some, are from each of all C, rms of joints, metres."""
        if not self._cycles:
            return np.zeros((0, 0))
        at = np.stack([np.linspace(*cycle, _PHASES, endpoint=False) for cycle in self._cycles]).astype(np.intp)
        shapes = self._poses[at].reshape(len(self._cycles), -1)
        some = np.unique(np.linspace(0, len(shapes) - 1, min(len(shapes), _MOST_COMPARED)).astype(np.intp))
        sizes = np.sum(shapes * shapes, axis=1)
        squares = np.maximum(sizes[some, None] + sizes - 2.0 * shapes[some] @ shapes.T, 0.0)
        return np.asarray(np.sqrt(3.0 * squares / shapes.shape[1]))

    def _missed(self, start: int, stop: int) -> float:
        """How far the clip's cycles are on average from the nearest of those in [start, stop)."""
        own = slice(bisect_left(self._firsts, start), bisect_right(self._lasts, stop))
        if len(self._cycles) < 2 or own.start >= own.stop:
            return 0.0
        return float(np.mean(np.min(self._apart[:, own], axis=1)))

    def _calmed(self, cycle: int) -> Array:
        """(F, 2) the body's way without what sways within a cycle."""
        from scipy.ndimage import uniform_filter1d

        return np.asarray(uniform_filter1d(self._way, max(1, min(cycle, len(self._way))), axis=0, mode="nearest"))

    def _wander(self, start: int, stop: int, turned: float) -> float:
        """How far the way strays sideways from the arc from start to stop, rms, metres."""
        way = self._calm[start : stop + 1, 1] + 1j * self._calm[start : stop + 1, 0]
        share = np.linspace(0.0, 1.0, len(way))
        half = 0.5 * turned * share
        arc = share * np.sinc(half / np.pi) * np.exp(1j * half)
        arc = way[0] + (way[-1] - way[0]) * arc / arc[-1]
        aside = ((way - arc) * np.exp(-1j * (np.angle(way[-1] - way[0]) + (share - 0.5) * turned))).imag
        return float(np.std(aside))

    def _ends_near(self, start: int, stop: int) -> IntArray:
        stance = self._stances.get(stop)
        if stance is None:
            return np.arange(stop, stop + 1)
        reach = round(_SEARCH_S / self._step_s)
        low = max(stop - reach, start + 2, stance.start + 1)
        high = min(stop + reach, self._motion.frames - 2, stance.stop - 2)
        return np.arange(low, high + 1) if low <= high else np.arange(stop, stop + 1)

    def _apart_at(self, start: int, ends: IntArray) -> Array:
        """(E,) how far the poses around `start` are from those around each of `ends`, rms of joints, metres."""
        around = np.unique(np.rint(np.linspace(-_COMPARED_S, _COMPARED_S, _MOMENTS) / self._step_s).astype(np.intp))
        last = self._motion.frames - 1
        inside = (start + around >= 0) & (ends[-1] + around <= last)
        around = around[inside] if np.any(inside) else np.zeros(1, dtype=np.intp)
        at = np.clip(ends[:, None] + around, 0, last)
        poses = np.mean(np.square(self._poses[at] - self._poses[start + around]), axis=(1, 2, 3))
        moves = np.mean(np.square(self._moves[at] - self._moves[start + around]), axis=(1, 2, 3))
        return np.asarray(np.sqrt(3.0 * (poses + moves)))
