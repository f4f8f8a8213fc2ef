"""The walk on a straight line: loops sampled as the timeline says, blended where they fade, planted feet still."""

from dataclasses import dataclass, replace

import numpy as np

from editor.contacts.plant import clean_feet
from editor.locomotion.loops import Loop
from editor.locomotion.timeline import Style, Timeline
from editor.locomotion.travel import Travel
from model.arrays import Array, IntArray
from model.clip import Take
from model.contacts import FEET, Contact, Contacts, intervals
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
    frames : (F, 2) of both loops; scale_rate : ... start, stop : the frames of the walk itself.
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
    row_times_s: Array

    def at_phases(self, timeline: Timeline, phases: Array) -> Array:
        """(...) in which frame, fractions included, phases (...) are shown."""
        times = np.interp(phases, timeline.phases, self.row_times_s)
        return np.asarray((times - self.times_s[0]) / (self.times_s[1] - self.times_s[0]))


def shown_frames(timeline: Timeline, travel: Travel, frame_time_s: float, end_m: float) -> Shown:
    """The frames of a walk from way 0 to `end_m`, with as many before and after as the timeline has."""
    paces = travel.paces_at(travel.arc_at(timeline.ways_m))
    slow = 1.0 / paces
    steps = 0.5 * (slow[1:] + slow[:-1]) * np.diff(timeline.times_s)
    row_times = np.concatenate([[0.0], np.cumsum(steps)])
    row_times -= np.interp(0.0, timeline.ways_m, row_times)
    last_s = float(np.interp(end_m, timeline.ways_m, row_times))
    before = int(np.floor(-row_times[0] / frame_time_s + 1e-6))
    after = int(np.floor(row_times[-1] / frame_time_s + 1e-6))
    times = np.arange(float(-before), after + 1.0) * frame_time_s
    row = np.clip(np.searchsorted(row_times, times + 1e-9, side="right") - 1, 0, len(row_times) - 2)
    width = row_times[row + 1] - row_times[row]
    part = np.clip((times - row_times[row]) / np.maximum(width, 1e-12), 0.0, 1.0)

    def between(values: Array) -> Array:
        share = part if values.ndim == 1 else part[:, None]
        return np.asarray((1.0 - share) * values[row] + share * values[row + 1])

    frames = between(timeline.frames)
    whole = np.rint(frames)
    frames = np.where(np.abs(frames - whole) < _ON_FRAME, whole, frames)
    return Shown(
        times, between(timeline.ways_m), between(timeline.phases), timeline.first[row], timeline.second[row],
        between(timeline.weights), frames, before, before + int(np.floor(last_s / frame_time_s + 1e-6)) + 1, row_times,
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
    roots[:, 2] += shown.ways_m
    motion = replace(styles[0].loop.motion, root_positions=roots, local_rotations=rotations)
    contacts = _contacts(styles, timeline, shown)
    return Take(_planted_in_fades(motion, contacts, shown), contacts)


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


def _contacts(styles: tuple[Style, ...], timeline: Timeline, shown: Shown) -> Contacts:
    """When feet are on the ground: what the loops say, blended where they fade."""
    cycles = np.arange(np.floor(timeline.phases[0]) - 1.0, np.ceil(timeline.phases[-1]) + 2.0)
    count = len(shown.times_s)
    limbs = {}
    for foot in FEET:
        strikes = shown.at_phases(timeline, _blended(styles, timeline, cycles, foot, "strikes"))
        leaves = shown.at_phases(timeline, _blended(styles, timeline, cycles, foot, "leaves"))
        # A stance of the left foot reaches into the next cycle.
        if foot == FEET[0]:
            strikes, leaves = strikes[:-1], leaves[1:]
        spans = np.stack([np.ceil(strikes - _ON_FRAME), np.floor(leaves + _ON_FRAME)], axis=-1).astype(np.intp)
        found: list[Contact] = []
        for start, stop in np.clip(spans, 0, count).tolist():
            if start < stop and (not found or start > found[-1].stop):
                found.append(Contact(start, stop))
        limbs[foot] = tuple(found)
    return Contacts(count, limbs, 0.0)


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


def _planted_in_fades(motion: Motion, contacts: Contacts, shown: Shown) -> Motion:
    """The motion with feet planted anew where loops fade, or are shown between their frames; elsewhere they stand."""
    between = np.any(np.abs(shown.frames - np.rint(shown.frames)) > 0.0, axis=1)
    fades = intervals(((shown.weights > 0.0) & (shown.first != shown.second)) | between)
    if not fades:
        return motion
    at, margin = np.arange(motion.frames), _AROUND_S / motion.frame_time_s
    share = np.zeros(motion.frames)
    for fade in fades:
        away = np.maximum(np.maximum(fade.start - at, at - fade.stop + 1), 0)
        share = np.maximum(share, ease(1.5 - away / margin))
    roots, rotations = np.array(motion.root_positions), np.array(motion.local_rotations)
    for span in intervals(share > 0.0):
        first, last = max(0, span.start - round(margin)), min(motion.frames, span.stop + round(margin))
        clean = clean_feet(motion.sliced(first, last), contacts.at(np.arange(float(first), float(last))))
        weights = share[first:last, None]
        roots[first:last] += weights * (clean.root_positions - motion.root_positions[first:last])
        rotations[first:last] = slerp(rotations[first:last], clean.local_rotations, weights)
    return replace(motion, root_positions=roots, local_rotations=rotations)
