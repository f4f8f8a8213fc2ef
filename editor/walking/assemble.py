"""The walk on a straight line: loops sampled as the timeline says, blended where they fade, planted feet still."""

from dataclasses import dataclass, replace

import numpy as np

from editor.contacts.plant import clean_feet
from editor.walking.loops import Loop
from editor.walking.standing import Pacing, Stand, lift_s, standing, walking_share
from editor.walking.timeline import Style, Timeline
from editor.walking.travel import Travel
from model.arrays import Array, IntArray
from model.clip import Take
from model.contacts import FEET, Contact, Contacts, Mask, intervals
from model.monotone import ease
from model.motion import Motion
from model.rotation import slerp

# Moments this near to a frame, in frames, are at it.
_ON_FRAME = 1e-3
# So many frames before and after what fades are planted anew with it.
_AROUND_S = 0.6


@dataclass(frozen=True, eq=False)
class Shown:
    """What each frame shows, frames before the start and after the end of the walk included. All (F,).

    times_s : 0 at the start; ways_m : on the straight line; phases, first, second, weights : as in the timeline;
    frames : (F, 2) of both loops. start, stop : the frames of the walk itself. played_s : (N,) when loops have played
    to each row of the timeline; pacing : from there to the take.
    """

    times_s: Array
    ways_m: Array
    phases: Array
    first: IntArray
    second: IntArray
    weights: Array
    frames: Array
    start: int
    stop: int
    played_s: Array
    pacing: Pacing

    def at_phases(self, timeline: Timeline, phases: Array) -> Array:
        """(...) in which frame, fractions included, phases (...) are shown; those that are not, before or behind."""
        times = self.pacing.to_take(np.interp(phases, timeline.phases, self.played_s))
        frames = (times - self.times_s[0]) / (self.times_s[1] - self.times_s[0])
        frames = np.where(phases <= timeline.phases[0], 0.0, frames)
        return np.where(phases >= timeline.phases[-1], float(len(self.times_s)), frames)


def played(timeline: Timeline, travel: Travel) -> Array:
    """(N,) when loops have played to each row of the timeline, 0 at way 0; where the path slows them, later."""
    slow = 1.0 / travel.paces_at(travel.arc_at(timeline.ways_m))
    steps = 0.5 * (slow[1:] + slow[:-1]) * np.diff(timeline.times_s)
    played_s = np.concatenate([[0.0], np.cumsum(steps)])
    return np.asarray(played_s - np.interp(0.0, timeline.ways_m, played_s))


def shown_frames(timeline: Timeline, played_s: Array, pacing: Pacing, frame_time_s: float) -> Shown:
    """The frames of a walk, with as many before and after as the timeline has."""
    first_s = 0.0 if pacing.start_s else played_s[0]
    last_s = pacing.length_s if pacing.stop_s else pacing.length_s + played_s[-1] - pacing.play_s
    before = int(np.floor(-first_s / frame_time_s + 1e-6))
    after = int(np.floor(last_s / frame_time_s + 1e-6))
    times = np.arange(float(-before), after + 1.0) * frame_time_s
    now = pacing.to_play(times)
    row = np.clip(np.searchsorted(played_s, now + 1e-9, side="right") - 1, 0, len(played_s) - 2)
    width = played_s[row + 1] - played_s[row]
    part = np.clip((now - played_s[row]) / np.maximum(width, 1e-12), 0.0, 1.0)

    def between(values: Array) -> Array:
        share = part if values.ndim == 1 else part[:, None]
        return np.asarray((1.0 - share) * values[row] + share * values[row + 1])

    frames = between(timeline.frames)
    whole = np.rint(frames)
    frames = np.where(np.abs(frames - whole) < _ON_FRAME, whole, frames)
    stop = before + int(np.floor(pacing.length_s / frame_time_s + 1e-6)) + 1
    return Shown(
        times, between(timeline.ways_m), between(timeline.phases), timeline.first[row], timeline.second[row],
        between(timeline.weights), frames, before, stop, played_s, pacing,
    )  # fmt: skip


def assemble(styles: tuple[Style, ...], timeline: Timeline, shown: Shown) -> Take:
    """The walk along +Z, every frame of `shown`, with the contacts that its loops say."""
    count = len(shown.times_s)
    skeleton = styles[0].loop.motion.skeleton
    roots = np.empty((count, 3))
    rotations = np.moveaxis(np.empty((len(skeleton), 4, count)), -1, 0)
    for n, style in enumerate(styles):
        here = np.flatnonzero(shown.first == n)
        if len(here):
            roots[here], rotations[here] = _sampled(style.loop, shown.frames[here, 0])
    for n, style in enumerate(styles):
        fading = np.flatnonzero((shown.second == n) & (shown.weights > 0.0))
        if len(fading):
            weights = shown.weights[fading]
            root, turns = _sampled(style.loop, shown.frames[fading, 1])
            roots[fading] += weights[:, None] * (root - roots[fading])
            rotations[fading] = slerp(rotations[fading], turns, weights[:, None])
    spans = _contacts(styles, timeline, shown)
    changed = (shown.weights > 0.0) & (shown.first != shown.second)
    changed |= np.any(np.abs(shown.frames - np.rint(shown.frames)) > 0.0, axis=1)
    for rest in _rests(styles, timeline, shown, spans):
        stood = np.flatnonzero(rest.walking < 1.0)
        share = rest.walking[stood, None]
        roots[stood] = rest.stand.root_position + share * (roots[stood] - rest.stand.root_position)
        rotations[stood] = slerp(rest.stand.local_rotations, rotations[stood], share)
        spans[rest.foot] = sorted([*spans[rest.foot], rest.contact])
        changed |= rest.walking < 1.0
    roots[:, 2] += shown.ways_m
    motion = replace(styles[0].loop.motion, root_positions=roots, local_rotations=rotations)
    contacts = Contacts(count, {foot: tuple(held) for foot, held in spans.items()}, 0.0)
    return Take(_planted(motion, contacts, changed), contacts)


@dataclass(frozen=True, eq=False)
class _Rest:
    """Standing at an end of the walk: walking : (F,) how much of the walk shows; foot, contact : the foot that is in
    the air at that phase of the loop and when it stands.
    """

    stand: Stand
    walking: Array
    foot: str
    contact: Contact


def _rests(styles: tuple[Style, ...], timeline: Timeline, shown: Shown, spans: dict[str, list[Contact]]) -> list[_Rest]:
    """How the walk begins and ends, where it does so standing. spans : the contacts of the walk between."""
    pacing, step_s = shown.pacing, shown.times_s[1] - shown.times_s[0]
    count = len(shown.times_s)
    found = []
    if pacing.start_s:
        style, phase = styles[timeline.first[0]], float(timeline.phases[0])
        foot = FEET[1] if abs(phase - np.rint(phase)) < 0.25 else FEET[0]
        lands = spans[foot][0].start if spans[foot] else count
        lands_s = float(shown.times_s[min(lands, count - 1)])
        walking = walking_share(shown.times_s, pacing.hold_start_s, lands_s)
        stop = max(1, int(lift_s(pacing.hold_start_s, lands_s) / step_s))
        found.append(_Rest(standing(style), walking, foot, Contact(0, stop)))
    if pacing.stop_s:
        style, phase = styles[timeline.second[-1]], float(timeline.phases[-1])
        foot = FEET[1] if abs(phase - np.rint(phase)) < 0.25 else FEET[0]
        left_s = pacing.length_s - float(shown.times_s[min(spans[foot][-1].stop, count - 1) if spans[foot] else 0])
        until = pacing.length_s - shown.times_s
        walking = walking_share(until, pacing.hold_stop_s, left_s)
        comes_s = pacing.length_s - lift_s(pacing.hold_stop_s, left_s)
        start = min(count - 1, shown.start + int(np.ceil(comes_s / step_s)))
        found.append(_Rest(standing(style), walking, foot, Contact(start, count)))
    return found


def _sampled(loop: Loop, frames: Array) -> tuple[Array, Array]:
    """Root positions (N, 3) and rotations (N, J, 4) of a loop at frames (N,), counted on, on cubics between them."""
    roots, rotations = loop.padded
    inside = frames - np.floor(frames / loop.frames) * loop.frames
    below = np.minimum(inside.astype(np.intp), loop.frames - 1)
    u = inside - below
    if np.all(u < 1e-9):
        return roots[below + 1], rotations[below + 1]
    v = 1.0 - u
    weights = (-0.5 * u * v * v, v * (1.0 + u - 1.5 * u * u), u * (1.0 + v - 1.5 * v * v), -0.5 * u * u * v)
    frames_last = np.moveaxis(rotations, 0, -1)
    turned = np.zeros((*frames_last.shape[:-1], len(frames)))
    moved = np.zeros((3, len(frames)))
    for shift, weight in enumerate(weights):
        turned += weight * np.take(frames_last, below + shift, axis=-1)
        moved += weight * np.take(roots.T, below + shift, axis=-1)
    turned /= np.sqrt(np.sum(turned * turned, axis=1, keepdims=True))
    return moved.T, np.moveaxis(turned, -1, 0)


def _contacts(styles: tuple[Style, ...], timeline: Timeline, shown: Shown) -> dict[str, list[Contact]]:
    """When feet are on the ground: what the loops say, blended where they fade."""
    cycles = np.arange(np.floor(timeline.phases[0]) - 1.0, np.ceil(timeline.phases[-1]) + 2.0)
    count = len(shown.times_s)
    limbs: dict[str, list[Contact]] = {}
    for foot in FEET:
        strikes = shown.at_phases(timeline, _blended(styles, timeline, cycles, foot, "strikes"))
        leaves = shown.at_phases(timeline, _blended(styles, timeline, cycles, foot, "leaves"))
        # A stance of the left foot reaches into the next cycle.
        if foot == FEET[0]:
            strikes, leaves = strikes[:-1], leaves[1:]
        spans = np.stack([np.ceil(strikes - _ON_FRAME), np.floor(leaves + _ON_FRAME)], axis=-1).astype(np.intp)
        found = limbs.setdefault(foot, [])
        for start, stop in np.clip(spans, 0, count).tolist():
            if start < stop and (not found or start > found[-1].stop):
                found.append(Contact(start, stop))
    return limbs


def _blended(styles: tuple[Style, ...], timeline: Timeline, cycles: Array, foot: str, what: str) -> Array:
    """(C,) the shared phases of a foot's strikes or leaves in each cycle."""
    about = cycles + float(np.mean([np.mean(getattr(style.phases, what)[foot] % 1.0) for style in styles]))
    row = np.clip(np.searchsorted(timeline.phases, about), 0, len(timeline.phases) - 1)
    keys = np.zeros((2, len(cycles)))
    for n, which in enumerate((timeline.first[row], timeline.second[row])):
        for index, style in enumerate(styles):
            here = which == index
            if np.any(here):
                # All cycles of a loop are of one kind of going: the first tells.
                keys[n, here] = getattr(style.phases, what)[foot][0] % 1.0
    weights = timeline.weights[row]
    return np.asarray(cycles + (1.0 - weights) * keys[0] + weights * keys[1])


def _planted(motion: Motion, contacts: Contacts, changed: Mask) -> Motion:
    """The motion with feet planted anew about frames that are no longer those of a loop; elsewhere they stand."""
    spans = intervals(changed)
    if not spans:
        return motion
    at, margin = np.arange(motion.frames), _AROUND_S / motion.frame_time_s
    share = np.zeros(motion.frames)
    for span in spans:
        away = np.maximum(np.maximum(span.start - at, at - span.stop + 1), 0)
        share = np.maximum(share, ease(1.5 - away / margin))
    roots, rotations = np.array(motion.root_positions), np.array(motion.local_rotations)
    for span in intervals(share > 0.0):
        first, last = max(0, span.start - round(margin)), min(motion.frames, span.stop + round(margin))
        clean = clean_feet(motion.sliced(first, last), contacts.at(np.arange(float(first), float(last))))
        weights = share[first:last, None]
        roots[first:last] += weights * (clean.root_positions - motion.root_positions[first:last])
        rotations[first:last] = slerp(rotations[first:last], clean.local_rotations, weights)
    return replace(motion, root_positions=roots, local_rotations=rotations)
