"""Clips one after another: each is put where the one before it ends, and they fade into each other."""

from collections.abc import Sequence as Many
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from editor.contacts.feet import find_limb, planted_point
from editor.contacts.plant import clean_feet
from model.arrays import Array, IntArray, freeze
from model.clip import Context, Source, Take, setting
from model.contacts import FEET, Contacts, Mask, intervals
from model.limits import check_length
from model.monotone import ease
from model.motion import Motion
from model.placing import turned
from model.retiming import frames_at_rate, sampled
from model.rotation import slerp
from model.scope import blended_motion
from model.skeleton import Skeleton

# Bodies whose bones differ by less than this are the same.
_SAME_BONE_M = 1e-4
# Within a fade a limb touches the ground where the clip that counts for this much says so, or both do at places no
# farther apart than this. In between it goes from one place to the other.
_COUNTS, _SAME_PLACE_M = 0.8, 0.1
# Moments to fade at are looked for in steps of this time, by so many poses of the fade. Cutting all that may be cut off
# counts like poses that differ by this much.
_SEARCH_STEP_S, _SEARCH_POSES, _CUT_M = 0.025, 5, 0.03
# Feet that were planted anew go over into what they were within this time.
_RELEASE_S = 0.3


@dataclass(frozen=True)
class Part:
    """A clip of a sequence. blend_s : over how long the part before it fades into it; search_s : how much of that one's
    end and of its own start may be cut off for the fade to fall where poses are alike. Of the first both are unused.
    """

    clip_id: str
    blend_s: float = 0.4
    search_s: float = 0.6  # of both clips together, a stride

    def __post_init__(self) -> None:
        for name in ("blend_s", "search_s"):
            if not 0.0 <= getattr(self, name) <= 60.0:
                raise ValueError(f"{name} is {getattr(self, name)}; it must be 0 to 60 s")


@dataclass(frozen=True)
class Sequence(Source):
    """Clips one after another, aligned over the floor and faded into each other, with feet that stay in place."""

    kind: ClassVar[str] = "sequence"
    title: ClassVar[str] = "Sequence of clips"

    parts: tuple[Part, ...] = setting((), "Parts", tip="The clips in their order, and how long each fades in.")

    def make(self, context: Context) -> Take:
        if not self.parts:
            raise ValueError("a sequence needs at least one clip")
        takes = [context.take_of(part.clip_id) for part in self.parts]
        first = takes[0]
        for part, take in zip(self.parts, takes, strict=True):
            if not take.motion.frames:
                raise ValueError(f"the clip {part.clip_id!r} has no frames")
            _check_same_body(first.motion.skeleton, take.motion.skeleton, part.clip_id)
        _check_length(first.motion, takes)
        so_far = _Joined(first)
        for count, (part, take) in enumerate(zip(self.parts[1:], takes[1:], strict=True)):
            context.progress(count / len(takes))
            so_far.add(_at_rate_of(first, take), part, context)
        return so_far.planted()

    def clips_used(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(part.clip_id for part in self.parts))


class _Joined:
    """Clips joined so far. Only the last of them is worked on: those before it are put together when all are there."""

    def __init__(self, first: Take) -> None:
        self._first = self._last = first  # the last one from its fade on
        self._free = first.motion.frames  # how many frames at its end belong to no fade
        self._done: list[Take] = []  # what lies before it
        self._frames = 0  # how long that is
        self._fades: list[tuple[int, int]] = []  # frames [start, stop) of all

    def add(self, after: Take, part: Part, context: Context) -> None:
        """Put another clip behind."""
        before, step_s = self._last, self._last.motion.frame_time_s
        wanted = max(1, round(part.blend_s / step_s))
        overlap = min(wanted, self._free, after.motion.frames)
        if overlap < wanted:
            context.note(f"A fade of {part.blend_s:g} s is longer than the clips that it joins: it was cut short.")
        most = round(part.search_s / step_s)
        spare = [min(most, (one - overlap) // 2) for one in (self._free, after.motion.frames)]
        ends, starts = (np.arange(0, one + 1, max(1, round(_SEARCH_STEP_S / step_s))) for one in spare)
        end, start = _alike(before, after, overlap, ends, starts)
        before, after = _part(before, 0, before.motion.frames - end), _part(after, start, after.motion.frames)
        both, fade = joined(before, after, overlap), before.motion.frames - overlap
        self._done.append(_part(both, 0, fade))
        self._last = _part(both, fade, both.motion.frames)
        self._frames += fade
        self._fades.append((self._frames, self._frames + overlap))
        self._free = max(after.motion.frames - overlap, 1)

    def planted(self) -> Take:
        """The take with feet planted anew in and around the fades, and all else as it is."""
        if not self._fades:
            return self._first
        take = _one_after_another([*self._done, self._last], self._first.motion)
        everywhere = np.ones(len(take.motion.skeleton), dtype=bool)
        clean = clean_feet(take.motion, take.contacts)
        return Take(blended_motion(take.motion, clean, _around(take, self._fades), everywhere), take.contacts)


def _check_length(first: Motion, takes: Many[Take]) -> None:
    """Raise ValueError for clips that are too long together, at the frame rate of the first."""
    frames = sum(take.motion.duration_s / first.frame_time_s + 1.0 for take in takes)
    given = sum(take.motion.frames for take in set(takes)) * len(first.skeleton)
    check_length("A sequence of these clips", frames, len(first.skeleton), "Take fewer or shorter ones.", given)


def _one_after_another(takes: Many[Take], first: Motion) -> Take:
    """Takes as one. first : where the whole comes from."""
    motions = [take.motion for take in takes]
    offsets = first.local_offsets
    if not all(one.limbs_are_fixed and np.array_equal(one.local_offsets, offsets) for one in motions):
        offsets = np.concatenate(
            [np.broadcast_to(one.local_offsets, (one.frames, *offsets.shape[-2:])) for one in motions]
        )
    motion = replace(
        first,
        root_positions=np.concatenate([one.root_positions for one in motions]),
        local_rotations=np.concatenate([one.local_rotations for one in motions]),
        local_offsets=offsets,
    )
    if first.origin is not None:  # the numbers of one file say nothing of the other's frames
        origin = replace(first.origin, channels=freeze(np.zeros((motion.frames, 0))), rest_channels=None)
        motion = replace(motion, origin=origin)
    limbs = dict.fromkeys(limb for take in takes for limb in take.contacts.limbs)
    masks = {limb: np.concatenate([take.contacts.mask(limb) for take in takes]) for limb in limbs}
    contacts = {limb: intervals(mask) for limb, mask in masks.items()}
    return Take(motion, Contacts(motion.frames, contacts, takes[-1].contacts.ground_m))


def _check_same_body(first: Skeleton, other: Skeleton, clip_id: str) -> None:
    same = first.names == other.names and first.parents == other.parents
    if not same or np.max(np.abs(first.offsets[1:] - other.offsets[1:]), initial=0.0) > _SAME_BONE_M:
        raise ValueError(
            f"the clip {clip_id!r} has another skeleton than the first: only clips of one body can be joined"
        )


def _at_rate_of(first: Take, take: Take) -> Take:
    """A take at the frame rate of another."""
    if abs(take.motion.frame_time_s / first.motion.frame_time_s - 1.0) < 1e-6:
        return take
    frames = frames_at_rate(take.motion, first.motion.fps)
    return Take(sampled(take.motion, frames, first.motion.frame_time_s), take.contacts.at(frames))


def _part(take: Take, start: int, stop: int) -> Take:
    """Frames [start, stop) of a take."""
    if (start, stop) == (0, take.motion.frames):
        return take
    return Take(take.motion.sliced(start, stop), take.contacts.at(np.arange(float(start), float(stop))))


def _last(take: Take, count: int) -> Motion:
    """The last frames of a take: what was joined before them need not be looked at again."""
    return take.motion.sliced(take.motion.frames - count, take.motion.frames)


def _alike(before: Take, after: Take, overlap: int, ends: IntArray, starts: IntArray) -> tuple[int, int]:
    """How many frames to cut off the end of one take and the start of another, of those given, for a fade between.

    Where their joints over the fade are least apart, each pair aligned as `_aligned` does; the distance of Kovar,
    Gleicher and Pighin 2002, section 3.1, in closed form.
    """
    at = np.unique(np.linspace(0, overlap - 1, min(_SEARCH_POSES, overlap)).astype(np.intp))
    spare = int(ends[-1])
    a = _last(before, overlap + spare).world.positions[spare - ends[:, None] + at].reshape(len(ends), -1, 3)
    b = after.motion.world.positions[starts[:, None] + at].reshape(len(starts), -1, 3)
    lift = before.contacts.ground_m - after.contacts.ground_m
    rises = np.mean(np.square(a[:, None, :, 1] - b[None, :, :, 1] - lift), axis=-1)
    a, b = (one[..., [0, 2]] - np.mean(one[..., [0, 2]], axis=1, keepdims=True) for one in (a, b))
    points = a.shape[1]
    along = np.einsum("ipk,jpk->ij", a, b) / points
    across = (np.einsum("ip,jp->ij", a[..., 0], b[..., 1]) - np.einsum("ip,jp->ij", a[..., 1], b[..., 0])) / points
    sizes = (np.mean(np.sum(one * one, axis=-1), axis=1) for one in (a, b))
    apart = np.add.outer(*sizes) - 2.0 * np.hypot(along, across) + rises
    cut = np.add.outer(ends, starts) / max(int(ends[-1] + starts[-1]), 1)
    best = int(np.argmin(apart + _CUT_M**2 * cut))
    return int(ends[best // len(starts)]), int(starts[best % len(starts)])


def joined(before: Take, after: Take, overlap: int) -> Take:
    """One take after another, whose first `overlap` frames, at least one, lie over the last of the one before.

    The later one is turned and moved over the floor so that bodies lie over each other as well as they can, and put on
    the same ground.
    """
    start = before.motion.frames - overlap
    weights = ease((np.arange(overlap) + 0.5) / overlap)
    after = _aligned(before, after, overlap)
    a, b = before.motion, after.motion
    old, new = slice(start, None), slice(None, overlap)

    def mixed(x: Array, y: Array) -> Array:
        share = weights.reshape(-1, *[1] * (x.ndim - 1))
        return np.concatenate([x[:start], (1.0 - share) * x[old] + share * y[new], y[overlap:]])

    faded = slerp(a.local_rotations[old], b.local_rotations[new], weights[:, None])
    offsets = a.local_offsets
    if not (a.limbs_are_fixed and b.limbs_are_fixed and np.array_equal(offsets, b.local_offsets)):
        offsets = mixed(*(np.broadcast_to(one.local_offsets, (one.frames, *offsets.shape[-2:])) for one in (a, b)))
    motion = replace(
        a,
        root_positions=mixed(a.root_positions, b.root_positions),
        local_rotations=np.concatenate([a.local_rotations[:start], faded, b.local_rotations[overlap:]]),
        local_offsets=offsets,
    )
    if a.origin is not None:  # the numbers of one file say nothing of the other's frames
        origin = replace(a.origin, channels=freeze(np.zeros((motion.frames, 0))), rest_channels=None)
        motion = replace(motion, origin=origin)
    return Take(motion, _joined_contacts(before, after, weights))


def _aligned(before: Take, after: Take, overlap: int) -> Take:
    """`after` moved and turned over the floor so that its first frames lie over the last of `before`.

    Least squares over all joints of these frames; Kovar, Gleicher and Pighin 2002, section 3.1.
    """
    goal = _last(before, overlap).world.positions[..., [0, 2]].reshape(-1, 2)
    here = after.motion.world.positions[:overlap, :, [0, 2]].reshape(-1, 2)
    centre, pivot = np.mean(goal, axis=0), np.mean(here, axis=0)
    (x, z), (u, w) = (goal - centre).T, (here - pivot).T
    turn_rad = float(np.arctan2(np.sum(x * w - z * u), np.sum(x * u + z * w)))
    lift = before.contacts.ground_m - after.contacts.ground_m
    move = np.array([centre[0] - pivot[0], lift, centre[1] - pivot[1]])
    motion = turned(after.motion, turn_rad, np.array([pivot[0], 0.0, pivot[1]]), move)
    return Take(motion, replace(after.contacts, ground_m=before.contacts.ground_m))


def _joined_contacts(before: Take, after: Take, weights: Array) -> Contacts:
    """The contacts of two takes of which the later fades in over as many frames as there are weights."""
    overlap = len(weights)
    start = before.motion.frames - overlap
    limbs = {}
    for limb in dict.fromkeys((*before.contacts.limbs, *after.contacts.limbs)):
        old, new = before.contacts.mask(limb), after.contacts.mask(limb)
        a, b = old[start:], new[:overlap]
        faded = (
            (a & (weights < 1.0 - _COUNTS)) | (b & (weights > _COUNTS)) | (a & b & _near(before, after, limb, overlap))
        )
        limbs[limb] = intervals(np.concatenate([old[:start], faded, new[overlap:]]))
    return Contacts(start + after.motion.frames, limbs, before.contacts.ground_m)


def _near(before: Take, after: Take, name: str, overlap: int) -> Mask:
    """(N,) where a limb is at about the same place in both takes."""
    limb = find_limb(before.motion.skeleton, name)
    if limb is None:
        return np.zeros(overlap, dtype=bool)
    there = planted_point(_last(before, overlap), limb)
    here = planted_point(after.motion.sliced(0, overlap), limb)
    return np.asarray(np.linalg.norm(there - here, axis=-1) < _SAME_PLACE_M)


def _around(take: Take, fades: Many[tuple[int, int]]) -> Array:
    """(F,) 1 in fades and in contacts that they touch, 0 well away from them."""
    frames = take.motion.frames
    inside = np.zeros(frames, dtype=bool)
    for start, stop in fades:
        inside[start:stop] = True
    touched = np.array(inside)
    for foot in FEET:
        for contact in take.contacts.limbs.get(foot, ()):
            if np.any(inside[contact.start : contact.stop]):
                touched[contact.start : contact.stop] = True
    at = np.arange(float(frames))
    before = np.maximum.accumulate(np.where(touched, at, -np.inf))
    after = np.minimum.accumulate(np.where(touched, at, np.inf)[::-1])[::-1]
    return ease(1.0 - np.minimum(at - before, after - at) * take.motion.frame_time_s / _RELEASE_S)
