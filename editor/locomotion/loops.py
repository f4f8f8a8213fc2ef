"""Loop sequences: the part of a locomotion clip that can be played over and over, and stands for its style.

A loop starts and ends in the middle of a foot's stance, the left foot's where the clip has such, and holds as many
steps as its style needs. It is told in the frame of its reference line, at constant speed towards +Z, and its ends are
blended into each other there. Kim and Neff 2011, section 5.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from editor.contacts.plant import clean_feet
from editor.gait.cycles import Kind, Locomotion, find_cycles
from editor.locomotion.straight import prepared, seen_from
from model.arrays import Array, IntArray
from model.clip import Take
from model.contacts import FEET, Contact, Contacts
from model.motion import Motion
from model.placing import headings_rad, pelvis_positions
from model.rotation import slerp

# Ends are blended over at least this time, where the clip has frames for it, and over no more than that share of it.
_BLEND_S, _BLEND_SHARE = 0.3, 0.25
# Poses at both ends are compared over this time, and movement counts as much as where this time leads.
_COMPARED_S, _MOVEMENT_S = 0.1, 0.1
# The end is looked for this near to the middle of its stance.
_SEARCH_S = 0.06
_MOST_STEPS = 16
# What a loop of two more steps must gain to be preferred, metres.
_STEPS_COST_M = 0.004
# A clip that turns more than this in a cycle is none that goes straight.
_TURN_RAD = np.radians(35.0)
# Slower clips go nowhere.
_SLOWEST_M_S = 0.08
# Cycles are compared at so many phases.
_PHASES = 24


class NoLoopError(ValueError):
    """A clip without a loop; says why."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """A part of a clip that could be a loop: frames [start, stop), from a foot's mid-stance to another.

    seam_m : how far joints are apart where it closes; misses_m : how far the clip's cycles are from the nearest of
    its own, that is what of the style it does not show; turned_rad : by how much the body turns on the way.
    """

    foot: str
    start: int
    stop: int
    steps: int
    seam_m: float
    misses_m: float
    turned_rad: float

    @property
    def cost_m(self) -> float:
        """By what candidates are ranked: less is better."""
        return self.seam_m + self.misses_m + _STEPS_COST_M * (0.5 * self.steps - 1.0)


@dataclass(frozen=True, eq=False)
class Loop:
    """A style that plays over and over.

    motion : one period, `frames` frames, in the frame of the reference line: root positions are offsets from a point
    that moves towards +Z at constant speed, the floor at 0. advance_m : how far that point gets in a period. strikes,
    leaves : by foot, (n,) frames in which the n steps of a period touch the ground and leave it, each leave after its
    strike, so that it may lie in the next period. candidate : the part of the clip it was made of. seam_cm,
    seam_angular_ratio : how well it closes, as `editor.quality` measures it.
    """

    motion: Motion
    advance_m: float
    strikes: dict[str, Array]
    leaves: dict[str, Array]
    candidate: Candidate
    running: bool
    seam_cm: float
    seam_angular_ratio: float

    @property
    def frames(self) -> int:
        return self.motion.frames

    @property
    def speed_m(self) -> float:
        """Metres in a frame."""
        return self.advance_m / self.frames

    @property
    def speed_m_s(self) -> float:
        return self.speed_m * self.motion.fps

    @property
    def period_s(self) -> float:
        return self.frames * self.motion.frame_time_s

    @property
    def steps(self) -> int:
        return self.candidate.steps

    @property
    def cycles(self) -> int:
        """How many pairs of steps a period has."""
        return self.candidate.steps // 2

    def travelling(self, periods: int) -> Take:
        """The loop played so many times along +Z, its contacts known."""
        return _travelling(self.motion, self.advance_m, self.strikes, self.leaves, periods)

    @cached_property
    def padded(self) -> tuple[Array, Array]:
        """Root positions (P + 3, 3) and rotations (P + 3, J, 4), a frame more before and two after, signs unrolled."""
        from model.rotation import unroll

        at = np.arange(-1, self.frames + 2) % self.frames
        return self.motion.root_positions[at], unroll(self.motion.local_rotations[at])


def ranked(take: Take) -> tuple[Candidate, ...]:
    """All loops that a prepared take could give, best first. Raises NoLoopError saying why there is none."""
    motion, contacts = take.motion, take.contacts
    if motion.frames == 0 or not any(contacts.limbs.get(foot) for foot in FEET):
        raise NoLoopError("no foot is seen to stand on the ground, so it has no steps")
    gait = find_cycles(motion, contacts)
    spans = _spans(gait)
    if not spans:
        raise NoLoopError(_why_none(gait, motion))
    poses, moves = _poses(motion)
    headings = np.unwrap(headings_rad(motion))
    found = [_candidate(gait, poses, moves, headings, motion, *span) for span in spans]
    straight = [one for one in found if abs(one.turned_rad) <= _TURN_RAD * one.steps / 2]
    if not straight:
        least = min(abs(np.degrees(one.turned_rad)) / (one.steps / 2) for one in found)
        raise NoLoopError(f"it turns by {least:.0f} degrees in two steps; a loop needs a clip that goes about straight")
    way = pelvis_positions(motion)[:, [0, 2]]
    going = [
        one
        for one in straight
        if np.hypot(*(way[one.stop] - way[one.start])) > _SLOWEST_M_S * (one.stop - one.start) * motion.frame_time_s
    ]
    if not going:
        raise NoLoopError("it steps on the spot and goes nowhere")
    left = [one for one in going if one.foot == FEET[0]]
    return tuple(sorted(left or going, key=lambda one: one.cost_m))


def find_loop(take: Take, fps: float | None = None, choice: int = 0) -> Loop:
    """The loop of a clip at a frame rate, its own if not given; choice : which of the ranked candidates.

    Raises NoLoopError saying why there is none.
    """
    ready = prepared(take, fps or take.motion.fps)
    candidates = ranked(ready)
    return make_loop(ready, candidates[min(choice, len(candidates) - 1)])


def _spans(gait: Locomotion) -> list[tuple[str, int, int, int]]:
    """(foot, start, stop, steps) of every part between mid-stances of a foot within which steps alternate."""
    spans = []
    for foot in FEET:
        middles = gait.mid_stances(foot)
        for first, start in enumerate(middles):
            for count, stop in enumerate(middles[first + 1 : first + 1 + _MOST_STEPS // 2], start=1):
                if _alternates(gait, foot, start, stop, count):
                    spans.append((foot, start, stop, 2 * count))
    return spans


def _alternates(gait: Locomotion, foot: str, start: int, stop: int, cycles: int) -> bool:
    """Whether a part is so many pairs of steps, left and right in turn, in one kind of going."""
    strikes = [key.foot for key in gait.key_times if key.event == "strike" and start < key.frame <= stop]
    other = FEET[1 - FEET.index(foot)]
    if strikes != [other, foot] * cycles:
        return False
    kinds = {stretch.kind for stretch in gait.stretches if stretch.start < stop and stretch.stop > start}
    return len(kinds) == 1 and Kind.STAND not in kinds


def _why_none(gait: Locomotion, motion: Motion) -> str:
    """Why a clip has no part that could be a loop."""
    steps = [step for step in gait.steps if step.mid_stance is not None]
    if gait.kind is Kind.STAND or not gait.steps:
        return "it stands; a loop needs three foot-plants of a walk or a run"
    if len(steps) < 3:
        count = {0: "no whole foot-plant", 1: "one whole foot-plant", 2: "two whole foot-plants"}[len(steps)]
        return (
            f"its {motion.duration_s:.1f} s hold {count}; a loop needs three in a row, from the middle of a foot's "
            "stance to the middle of its next"
        )
    runs = [before.foot == after.foot for before, after in pairwise(gait.steps)]
    if any(runs):
        return "its steps do not alternate left and right, so no two stances of a foot are a pair of steps apart"
    return "it changes between standing, walking and running, and no two steps in a row are of one kind"


def _poses(motion: Motion) -> tuple[Array, Array]:
    """(F, J, 3) joints seen from the floor below the pelvis, facing +Z, and how far they move in `_MOVEMENT_S`."""
    pelvis = pelvis_positions(motion)
    headings = headings_rad(motion)
    cos, sin = np.cos(headings)[:, None], np.sin(headings)[:, None]
    away = motion.world.positions - pelvis[:, None] * np.array([1.0, 0.0, 1.0])
    x, z = away[..., 0], away[..., 2]
    poses = np.stack([cos * x - sin * z, away[..., 1], sin * x + cos * z], axis=-1)
    moves = np.gradient(poses, axis=0) * (_MOVEMENT_S / motion.frame_time_s) if motion.frames > 1 else poses * 0.0
    return poses, moves


def _candidate(
    gait: Locomotion,
    poses: Array,
    moves: Array,
    headings: Array,
    motion: Motion,
    foot: str,
    start: int,
    stop: int,
    steps: int,
) -> Candidate:
    """A part of a clip as a candidate, its end moved a little to where it closes best."""
    step_s = motion.frame_time_s
    around = np.arange(-round(_COMPARED_S / step_s), round(_COMPARED_S / step_s) + 1)
    reach = round(_SEARCH_S / step_s)
    best, least = stop, np.inf
    for end in range(max(stop - reach, start + 2), min(stop + reach, motion.frames - 2) + 1):
        inside = (start + around >= 0) & (end + around < motion.frames)
        a, b = start + around[inside], end + around[inside]
        apart = float(np.mean(np.square(poses[a] - poses[b])) + np.mean(np.square(moves[a] - moves[b])))
        if apart < least:
            best, least = end, apart
    return Candidate(
        foot, start, best, steps,
        float(np.sqrt(3.0 * least)),
        _missed(gait, poses, foot, start, stop, steps),
        float(headings[min(best, motion.frames - 1)] - headings[start]),
    )  # fmt: skip


def _missed(gait: Locomotion, poses: Array, foot: str, start: int, stop: int, steps: int) -> float:
    """How far the clip's cycles are on average from the nearest of those in [start, stop), rms of joints, metres."""
    middles = gait.mid_stances(foot)
    cycles = [pair for n, pair in enumerate(pairwise(middles)) if _alternates(gait, foot, *pair, 1) or n is None]
    if len(cycles) < 2:
        return 0.0
    at = np.stack([np.linspace(a, b, _PHASES, endpoint=False) for a, b in cycles]).astype(np.intp)
    shapes = poses[at].reshape(len(cycles), -1)
    own = np.array([start <= a and b <= stop for a, b in cycles])
    if not np.any(own):
        return 0.0
    apart = np.sqrt(3.0 * np.mean(np.square(shapes[:, None] - shapes[None, own]), axis=-1))
    return float(np.mean(np.min(apart, axis=1)))


def make_loop(take: Take, candidate: Candidate) -> Loop:
    """The loop of a part of a prepared take, ends blended (section 5.2, eq. 1-2) and feet planted through the seam."""
    motion = take.motion
    start, stop = candidate.start, candidate.stop
    period = stop - start
    before, after = _windows(motion, start, stop)
    places, headings, advance = _reference(motion, candidate, before, after)
    part = seen_from(motion.sliced(start - before, stop + after), places, headings)
    looped = _closed(part, period, before, after)
    strikes, leaves = _events(take.contacts, candidate)
    planted = _planted(looped, advance, strikes, leaves)
    played = _travelling(planted, advance, strikes, leaves, 2).motion
    from editor.quality import seam

    jump, ratio = seam(played, period)
    running = bool(np.any(_flights(strikes, leaves, period) > 1))
    return Loop(planted, advance, strikes, leaves, candidate, running, jump, ratio)


def _windows(motion: Motion, start: int, stop: int) -> tuple[int, int]:
    """How many frames before and after both ends are blended: after them as far as the paper has it, and before them
    where the clip has no frames behind its end.
    """
    most = max(2, int(_BLEND_SHARE * (stop - start)))
    wanted = min(most, max(2, round(_BLEND_S / motion.frame_time_s)))
    after = min(wanted, motion.frames - 1 - stop)
    before = min(wanted - after, start)
    return before, max(after, 0)


def _reference(motion: Motion, candidate: Candidate, before: int, after: int) -> tuple[Array, Array, float]:
    """The reference line of a loop: places (N, 2) and headings (N,) for frames [start - before, stop + after), and how
    far it gets in a period.

    The arc at constant speed whose chord is what the body advances by from one end to the other, and that turns as the
    body does: so both ends are alike seen from it. A clip that goes straight has a straight one.
    """
    start, stop = candidate.start, candidate.stop
    period, turned = stop - start, candidate.turned_rad
    way = pelvis_positions(motion)[:, [0, 2]]
    window = np.arange(start - before, start + after + 1)
    ends = np.clip(window + period, 0, motion.frames - 1)
    # z + i x: multiplying by i turns left
    path = way[:, 1] + 1j * way[:, 0]
    # The loop's own way from frame to frame a period later, which a turning clip takes turned.
    chord = np.mean((path[ends] - path[window]) * np.exp(-1j * turned * (window - start) / period))
    at = np.arange(start - before, stop + after) - start
    share = at / period

    def travel(part: Array) -> Array:
        half = 0.5 * turned * part
        return np.asarray(part * np.sinc(half / np.pi) * np.exp(1j * half))

    heading = np.angle(chord) - 0.5 * turned
    length = abs(chord) / np.sinc(0.5 * turned / np.pi)
    line = length * np.exp(1j * heading) * travel(share)
    inside = slice(before, before + period)
    own = path[start:stop]
    # The line runs where the body is on average.
    line = line + np.mean(own - line[inside])
    places = np.stack([line.imag, line.real], axis=-1)
    return places, heading + turned * share, float(length)


def _closed(part: Motion, period: int, before: int, after: int) -> Motion:
    """One period of a motion (before + period + after frames, seen from its line) whose ends are blended."""
    window = np.arange(-before, after)
    weights = 0.5 - 0.5 * np.cos(np.pi * (np.arange(len(window)) + 0.5) / max(len(window), 1))
    late, early = before + window + period, before + window  # frames after the end, and after the start
    roots = np.array(part.root_positions[before : before + period])
    rotations = np.array(part.local_rotations[before : before + period])
    share = weights[:, None]
    into = window % period
    roots[into] = (1.0 - share) * part.root_positions[late] + share * part.root_positions[early]
    rotations[into] = slerp(part.local_rotations[late], part.local_rotations[early], share)
    return replace(part, root_positions=roots, local_rotations=rotations)


def _events(contacts: Contacts, candidate: Candidate) -> tuple[dict[str, Array], dict[str, Array]]:
    """By foot, the frames of a period in which its steps strike, and in which they leave."""
    start, stop, period = candidate.start, candidate.stop, candidate.stop - candidate.start
    strikes, leaves = {}, {}
    for foot in FEET:
        found = [one for one in contacts.limbs.get(foot, ()) if one.stop > start and one.start < stop]
        whole = [(float(one.start - start), float(one.stop - start)) for one in found]
        if foot == candidate.foot:
            # The stance that is cut by the start is finished as it began a period later.
            whole[0] = (whole[-1][0] - period, whole[0][1])
            whole.pop()
        strikes[foot] = np.array([one[0] % period for one in whole])
        leaves[foot] = strikes[foot] + np.array([one[1] - one[0] for one in whole])
        order = np.argsort(strikes[foot])
        strikes[foot], leaves[foot] = strikes[foot][order], leaves[foot][order]
    return strikes, leaves


def _flights(strikes: dict[str, Array], leaves: dict[str, Array], period: int) -> IntArray:
    """The lengths, in frames, of the times in which neither foot is on the ground."""
    down = np.zeros(period, dtype=bool)
    for foot in FEET:
        for strike, leave in zip(strikes[foot], leaves[foot], strict=True):
            down[np.arange(round(strike), round(leave)) % period] = True
    edges = np.flatnonzero(np.diff(np.concatenate([[True], down, [True]]).astype(np.int8)))
    return np.asarray(np.diff(edges)[::2]) if len(edges) else np.zeros(0, dtype=np.intp)


def _travelling(
    motion: Motion, advance_m: float, strikes: dict[str, Array], leaves: dict[str, Array], periods: int
) -> Take:
    """A period played so many times along +Z."""
    period = motion.frames
    at = np.arange(periods * period)
    roots = motion.root_positions[at % period] + (advance_m / period * at)[:, None] * np.array([0.0, 0.0, 1.0])
    played = replace(motion, root_positions=roots, local_rotations=motion.local_rotations[at % period])
    limbs = {}
    for foot in FEET:
        spans = [
            (int(strike + n * period), int(leave + n * period))
            for n in range(-1, periods)
            for strike, leave in zip(strikes[foot], leaves[foot], strict=True)
        ]
        cut = [(max(a, 0), min(b, len(at))) for a, b in spans]
        limbs[foot] = tuple(Contact(a, b) for a, b in cut if a < b)
    return Take(played, Contacts(len(at), limbs, 0.0))


def _planted(motion: Motion, advance_m: float, strikes: dict[str, Array], leaves: dict[str, Array]) -> Motion:
    """A period with feet planted all the way round: cleaned as the middle of three."""
    take = _travelling(motion, advance_m, strikes, leaves, 3)
    clean = clean_feet(take.motion, take.contacts)
    period = motion.frames
    at = np.arange(period, 2 * period)
    roots = clean.root_positions[at] - (advance_m / period * at)[:, None] * np.array([0.0, 0.0, 1.0])
    return replace(motion, root_positions=roots, local_rotations=np.array(clean.local_rotations[at]))
