"""Loop sequences: the part of a locomotion clip that can be played over and over, and stands for its style.

A loop starts and ends in the middle of a foot's stance, the left foot's where the clip has such, and holds as many
steps as its style needs. It is told in the frame of its reference line, at constant speed towards +Z, and its ends are
blended into each other there. Kim and Neff 2011, section 5.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from editor.contacts.feet import find_limb, planted_point
from editor.contacts.plant import clean_feet
from editor.quality.figures import seam
from editor.walking.candidates import Candidate, ranked, step_events
from editor.walking.straight import prepared, seen_from
from model.arrays import Array, IntArray
from model.clip import Take
from model.contacts import FEET, Contact, Contacts
from model.limits import check_length
from model.motion import Motion
from model.placing import pelvis_positions
from model.rotation import slerp, unroll

# Ends are blended over at least this time, where the clip has frames for it, longer the farther they are apart, s/m
# beyond what is usual, and over no more than that share of it.
_BLEND_S, _BLEND_S_M, _USUAL_M, _BLEND_SHARE = 0.3, 3.0, 0.05, 0.25
# A body goes this far beside the path at most for its feet to tread on both sides of it.
_ASIDE_M = 0.025


@dataclass(frozen=True, eq=False)
class Loop:
    """A style that plays over and over.

    motion : one period, `frames` frames, in the frame of the reference line: root positions are offsets from a point
    that moves towards +Z at constant speed, the floor at 0. advance_m : how far that point gets in a period. strikes,
    leaves : by foot, (n,) frames in which the n steps of a period touch the ground and leave it, each leave after its
    strike, so that it may lie in the next period. candidate : the part of the clip it was made of. seam_cm,
    seam_angular_ratio : how well it closes, as `editor.quality.figures` measures it.
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
        """The loop played so many times along +Z, its contacts known. Raises ValueError where that is too long."""
        joints = len(self.motion.skeleton)
        check_length("A loop played so often", periods * self.frames, joints, "Play it fewer times.")
        return _travelling(self.motion, self.advance_m, self.strikes, self.leaves, periods)

    @cached_property
    def padded(self) -> tuple[Array, Array]:
        """Root positions (P + 3, 3) and rotations (P + 3, J, 4), a frame more before and two after, signs unrolled."""
        at = np.arange(-1, self.frames + 2) % self.frames
        return self.motion.root_positions[at], unroll(self.motion.local_rotations[at])


def find_loop(take: Take, fps: float | None = None, choice: int = 0) -> Loop:
    """The loop of a clip at a frame rate, its own if not given; choice : which of the ranked candidates.

    Raises NoLoopError saying why there is none.
    """
    ready = prepared(take, fps or take.motion.fps)
    candidates = ranked(ready)
    return make_loop(ready, candidates[min(choice, len(candidates) - 1)])


def make_loop(take: Take, candidate: Candidate) -> Loop:
    """The loop of a part of a prepared take, ends blended (section 5.2, eq. 1-2) and feet planted through the seam."""
    motion = take.motion
    start, stop = candidate.start, candidate.stop
    period = stop - start
    before, after = _windows(motion, candidate)
    places, headings, advance = _reference(motion, candidate, before, after)
    part = seen_from(motion.sliced(start - before, stop + after), places, headings)
    looped = _closed(part, period, before, after)
    events = step_events(take.contacts, candidate.start, candidate.stop, candidate.steps)
    assert events is not None, "a candidate whose steps do not pair up"
    strikes, leaves = events
    planted = _centred(_planted(looped, advance, strikes, leaves), strikes, leaves)
    played = _travelling(planted, advance, strikes, leaves, 2).motion
    jump, ratio = seam(played, period)
    running = bool(np.any(_flights(strikes, leaves, period) > 1))
    return Loop(planted, advance, strikes, leaves, candidate, running, jump, ratio)


def _windows(motion: Motion, candidate: Candidate) -> tuple[int, int]:
    """How many frames before and after both ends are blended: after them as far as the paper has it, and before them
    where the clip has no frames behind its end.
    """
    start, stop = candidate.start, candidate.stop
    most = max(2, int(_BLEND_SHARE * (stop - start)))
    seconds = _BLEND_S + _BLEND_S_M * max(candidate.seam_m - _USUAL_M, 0.0)
    wanted = min(most, max(2, round(seconds / motion.frame_time_s)))
    after = min(wanted, motion.frames - 1 - stop)
    before = min(wanted - after, start)
    return before, max(after, 0)


def _reference(motion: Motion, candidate: Candidate, before: int, after: int) -> tuple[Array, Array, float]:
    """The reference line of a loop: places (N, 2) and headings (N,) for frames [start - before, stop + after), and how
    far it gets in a period.

    The arc at constant speed whose chord is what the body advances by from one end to the other, and that turns as the
    body does: so both ends are alike seen from it. Where a loop of several cycles wanders to the sides, so does it.
    """
    start, stop = candidate.start, candidate.stop
    period, turned = stop - start, candidate.turned_rad
    way = pelvis_positions(motion)[:, [0, 2]]
    path = way[:, 1] + 1j * way[:, 0]  # z + i x: multiplying by i turns left
    window = np.arange(start - before, start + after + 1)
    ends = np.clip(window + period, 0, motion.frames - 1)
    # The way from a frame to that a period later, which a turning clip takes turned.
    chord = np.mean((path[ends] - path[window]) * np.exp(-1j * turned * (window - start) / period))
    share = (np.arange(start - before, stop + after) - start) / period
    half = 0.5 * turned * share
    travel = share * np.sinc(half / np.pi) * np.exp(1j * half)
    heading = np.angle(chord) - 0.5 * turned
    length = abs(chord) / np.sinc(0.5 * turned / np.pi)
    line = length * np.exp(1j * heading) * travel
    headings = heading + turned * share
    inside = slice(before, before + period)
    line = line + np.mean(path[start:stop] - line[inside])
    away = (path[start:stop] - line[inside]) * np.exp(-1j * headings[inside])
    aside, slope = _wandering(away.imag, candidate.steps // 2, length / period)
    at = np.arange(-before, period + after) % period
    line = line + (np.mean(away.real) + 1j * aside[at]) * np.exp(1j * headings)
    return np.stack([line.imag, line.real], axis=-1), headings + slope[at], float(length)


def _wandering(aside: Array, cycles: int, speed_m: float) -> tuple[Array, Array]:
    """How far a reference line lies to the left (P,), and its direction there (P,): the body's place without what sways
    within a cycle. aside : (P,) of a period that closes; speed_m : metres ahead in a frame.
    """
    from scipy.ndimage import uniform_filter1d

    if cycles < 2:
        return np.full(len(aside), np.mean(aside)), np.zeros(len(aside))
    width = max(1, len(aside) // cycles)
    calm = uniform_filter1d(uniform_filter1d(aside, width, mode="wrap"), max(1, width // 3), mode="wrap")
    slope = 0.5 * (np.roll(calm, -1) - np.roll(calm, 1)) / max(speed_m, 1e-9)
    return np.asarray(calm), np.arctan(slope)


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


def _centred(motion: Motion, strikes: dict[str, Array], leaves: dict[str, Array]) -> Motion:
    """A period moved sideways so that its feet tread as far to the left of its line as to the right, and the body does
    not leave it by much: the feet, not the pelvis, belong on a path.
    """
    sides = []
    for foot in FEET:
        limb = find_limb(motion.skeleton, foot)
        if limb is None or not len(strikes[foot]):
            return motion
        middles = np.rint(0.5 * (strikes[foot] + leaves[foot])).astype(np.intp) % motion.frames
        sides.append(float(np.mean(planted_point(motion, limb)[middles, 0])))
    aside = float(np.clip(np.mean(sides), -_ASIDE_M, _ASIDE_M))
    return replace(motion, root_positions=motion.root_positions - np.array([aside, 0.0, 0.0]))


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
