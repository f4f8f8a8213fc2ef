"""Bad frames of a recording: found, and filled in again from the good ones beside them.

Recording systems lose people: they write zeros, write one pose again and again, or take one marker for another for a
frame or two. A frame is judged only by steps to its neighbours that no body makes, never by what it shows.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np

from model.arrays import Array, IntArray, freeze
from model.contacts import Mask, intervals
from model.motion import Motion, Origin
from model.rotation import IDENTITY, angle_between, conjugate, from_rotation_vector, multiply, slerp, to_rotation_vector

# Fewer frames than this have no usual step.
_FEWEST_FRAMES = 8
# Equal numbers, in radians and metres; and how many steps without any change make a freeze.
_EQUAL, _FROZEN_STEPS = 1e-9, 3
# Within a clip a freeze breaks movement off: a step beside it is at least this share of a usual one. Clips that stand
# still for more than this share of their time were made so.
_ABRUPT_SHARE, _STEPPED_SHARE = 0.25, 0.25
# A step of the whole body is a jump if it is this many times the step that nine in ten do not exceed, and so large.
_BODY_TIMES, _BODY_PERCENT = 8.0, 90.0
_BODY_RAD, _BODY_M = 0.1, 0.1
# A step of one joint is a jump if it is this many times any step near it, and beyond both the noise of recordings and
# what the swiftest bodies do in a frame (radians, radians/s2; metres, metres/s2).
_JOINT_TIMES, _NEAR_STEPS, _NEAR_S = 6.0, 8, 0.1
_JUMP_RAD, _JUMP_RAD_S2 = 0.17, 500.0
_JUMP_M, _JUMP_M_S2 = 0.03, 50.0
# A spike lasts so many frames at most, and returns but for this share of its jump. Joints that jump with it by so many
# times their steps near it belong to it: often one makes up for another.
_SPIKE_FRAMES, _SPIKE_LEFT, _COMPANION_TIMES = 3, 0.5, 2.0
# Into a gap, movement goes on as it was before, and fades within this time.
_FADE_S = 0.3


@dataclass(frozen=True)
class BadSpan:
    """Frames [start, stop) that are wrong, in the joints named or, without any, as a whole; reason : a sentence."""

    start: int
    stop: int
    reason: str = ""
    joints: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.stop:
            raise ValueError(f"a span of frames [{self.start}, {self.stop}) holds no frame")


@dataclass(frozen=True)
class BadFrames:
    """What is wrong with a motion: frames without a pose, frames that repeat one, joints that jump and return."""

    zeroed: tuple[BadSpan, ...] = ()
    frozen: tuple[BadSpan, ...] = ()
    spiking: tuple[BadSpan, ...] = ()

    @property
    def spans(self) -> tuple[BadSpan, ...]:
        """All of them in order of time."""
        return tuple(sorted(self.zeroed + self.frozen + self.spiking, key=lambda span: (span.start, span.stop)))


def find_bad_frames(motion: Motion) -> BadFrames:
    """Frames of a motion that cannot be right. A clip that never moves, or is very short, has none."""
    if motion.frames < _FEWEST_FRAMES:
        return BadFrames()
    steps = _distances(motion, slice(1, None), slice(None, -1))
    still = np.max(steps, axis=1) <= _EQUAL
    if np.all(still):
        return BadFrames()
    body = _body_steps(steps[:, : len(motion.skeleton)])
    jumps = _jumps(body, still, _BODY_RAD) | _jumps(np.max(steps[:, len(motion.skeleton) :], axis=1), still, _BODY_M)
    zeroed = _zeroed(motion, jumps)
    zero = _mask(zeroed, motion.frames)
    frozen = tuple(span for span in _frozen(body, still, jumps) if not np.any(zero[span.start : span.stop]))
    known = zero | _mask(frozen, motion.frames)
    ends = _foreign_ends(jumps, known)
    spikes = _spikes(motion, steps, known | _mask(ends, motion.frames))
    return BadFrames(zeroed, frozen, tuple(sorted([*ends, *spikes], key=lambda span: span.start)))


def repair_frames(motion: Motion, spans: Iterable[BadSpan], trim: bool = False) -> Motion:
    """The motion with the frames of `spans` made anew; all other frames keep their very numbers.

    Between good frames movement goes on at the speed it has on both sides, without a kink. At the clip's ends it fades
    into a hold; with trim such frames are cut off instead, where they are bad as a whole.
    """
    spans = tuple(spans)
    if not spans:
        return motion
    if any(span.stop > motion.frames for span in spans):
        raise ValueError(f"spans: one ends behind the motion's {motion.frames} frames")
    whole = _mask([span for span in spans if not span.joints], motion.frames)
    rotations, offsets = np.array(motion.local_rotations), np.array(motion.local_offsets)
    for joints, bad in _by_joints(motion, spans):
        if np.all(bad):
            raise ValueError("spans: they leave no good frame")
        rotations[:, joints] = _filled(rotations[:, joints], bad, motion.frame_time_s, _ROTATIONS)
        if not motion.limbs_are_fixed:
            offsets[:, joints] = _filled(offsets[:, joints], bad, motion.frame_time_s, _POSITIONS)
    repaired = replace(
        motion,
        root_positions=_filled(motion.root_positions, whole, motion.frame_time_s, _POSITIONS),
        local_rotations=rotations,
        local_offsets=offsets,
        origin=_with_hints(motion.origin, whole),
    )
    if not trim:
        return repaired
    good = np.flatnonzero(~whole)
    return repaired.sliced(int(good[0]), int(good[-1]) + 1)


# Finding


def _distances(motion: Motion, later: slice | int, earlier: slice | int) -> Array:
    """(..., K) how far apart frames are: J angles of joints in radians, the root's way in metres, where limbs are not
    fixed J ways of joints against their parents."""

    def ways(positions: Array) -> Array:
        return np.asarray(np.linalg.norm(positions[later] - positions[earlier], axis=-1))

    angles = angle_between(motion.local_rotations[later], motion.local_rotations[earlier])
    parts = [angles, ways(motion.root_positions)[..., None]]
    if not motion.limbs_are_fixed:
        parts.append(ways(motion.local_offsets))
    return np.concatenate(parts, axis=-1)


def _body_steps(angles: Array) -> Array:
    """(F-1,) how far most of the body turns in each step: a hand that flips over is not the body. angles : (F-1, J)."""
    moving = np.max(angles, axis=0) > _EQUAL
    return np.asarray(np.median(angles[:, moving], axis=1)) if np.any(moving) else np.zeros(len(angles))


def _mask(spans: Iterable[BadSpan], frames: int) -> Mask:
    """(F,) the frames of the spans."""
    mask = np.zeros(frames, dtype=bool)
    for span in spans:
        mask[span.start : span.stop] = True
    return mask


def _jumps(sizes: Array, still: Mask, least: float) -> Mask:
    """(F-1,) steps of the whole body that are far larger than all but a few others. sizes, still : (F-1,)."""
    return np.asarray(sizes > max(_BODY_TIMES * float(np.percentile(sizes[~still], _BODY_PERCENT)), least))


def _beside(start: int, stop: int, frames: int) -> list[int]:
    """The steps into and out of frames [start, stop)."""
    return [step for step in (start - 1, stop - 1) if 0 <= step < frames - 1]


def _count(start: int, stop: int) -> str:
    return "1 frame" if stop - start == 1 else f"{stop - start} frames"


def _zeroed(motion: Motion, jumps: Mask) -> tuple[BadSpan, ...]:
    """Frames in which every joint is unturned, with a jump on at least one side."""
    unturned = np.max(angle_between(motion.local_rotations, IDENTITY), axis=1) <= _EQUAL
    return tuple(
        BadSpan(run.start, run.stop, f"{_count(run.start, run.stop)} without a pose: every angle is zero.")
        for run in intervals(unturned)
        if np.any(jumps[_beside(run.start, run.stop, motion.frames)])
    )


def _frozen(body: Array, still: Mask, jumps: Mask) -> list[BadSpan]:
    """Runs of equal frames: padding at the clip's ends, and breaks within, but not holds that movement eases into.

    body : (F-1,) how far the body turns in each step; still : steps without any change.
    """
    frames = len(still) + 1
    usual = float(np.median(body[~still]))
    runs = [(run.start, run.stop + 1) for run in intervals(still)]  # from steps to frames
    inner = [(start, stop) for start, stop in runs if start > 0 and stop < frames]
    stepped = sum(stop - start - 1 for start, stop in inner) > _STEPPED_SHARE * frames
    usual_run = max(stop - start for start, stop in inner) if stepped else _FROZEN_STEPS
    found = []
    for start, stop in runs:
        beside = _beside(start, stop, frames)
        eased = np.max(body[beside]) < _ABRUPT_SHARE * usual
        if stop - start <= max(usual_run, _FROZEN_STEPS) or ((start, stop) in inner and eased):
            continue
        if np.all(jumps[beside]):
            found.append(BadSpan(start, stop, f"{_count(start, stop)} of one pose that does not belong here."))
            continue
        # One of the equal frames was recorded: the first, or where the clip begins with them, the last.
        start, stop = (start, stop - 1) if start == 0 else (start + 1, stop)
        found.append(BadSpan(start, stop, f"{_count(start, stop)} without any movement."))
    return found


def _foreign_ends(jumps: Mask, known: Mask) -> list[BadSpan]:
    """The first and last frames, where a jump of the whole body parts them from the rest. known : (F,) found before."""
    frames = len(known)
    free = jumps & ~known[1:] & ~known[:-1]
    first, last = np.flatnonzero(free[:_SPIKE_FRAMES]), np.flatnonzero(free[-_SPIKE_FRAMES:])
    spans = [(0, int(first[-1]) + 1)] if len(first) else []
    if len(last):
        spans.append((frames - _SPIKE_FRAMES + int(last[0]), frames))
    return [BadSpan(start, stop, f"{_count(start, stop)} apart from the rest of the motion.") for start, stop in spans]


def _spikes(motion: Motion, steps: Array, known: Mask) -> list[BadSpan]:
    """Frames in which something jumps and returns. steps : (F-1, K) as from `_distances`; known : (F,) found before."""
    joints, step_s = len(motion.skeleton), motion.frame_time_s
    steps = np.where((known[1:] | known[:-1])[:, None], 0.0, steps)
    least = np.full(steps.shape[1], max(_JUMP_M, _JUMP_M_S2 * step_s**2))
    least[:joints] = max(_JUMP_RAD, _JUMP_RAD_S2 * step_s**2)
    before, after = _largest_near(steps, max(_NEAR_STEPS, round(_NEAR_S / step_s)))
    taken = np.array(known)
    found = []
    for length in range(1, _SPIKE_FRAMES + 1):
        sizes = np.minimum(steps[:-length], steps[length:])
        near = np.maximum(before[:-length], after[length:])
        jumping = (sizes > least) & (sizes > _JOINT_TIMES * near)
        for step in np.flatnonzero(np.any(jumping, axis=1)).tolist():
            start, stop = step + 1, step + 1 + length
            returns = _distances(motion, stop, step) < _SPIKE_LEFT * sizes[step]
            if np.any(taken[start:stop]) or not np.any(jumping[step] & returns):
                continue
            taken[start:stop] = True
            together = np.flatnonzero(returns & (sizes[step] > _COMPANION_TIMES * near[step]))
            found.append(_spike(motion, start, stop, together, sizes[step]))
    return found


def _spike(motion: Motion, start: int, stop: int, columns: IntArray, sizes: Array) -> BadSpan:
    """The span of a spike in these columns of `_distances`. A root that jumps takes the whole body with it."""
    joints = len(motion.skeleton)
    worst = int(columns[np.argmax(sizes[columns])])
    if worst < joints:
        reason = f"{motion.skeleton.names[worst]} jumps by {np.degrees(sizes[worst]):.0f} degrees and returns."
    else:
        mover = 0 if worst == joints else worst - joints - 1
        reason = f"{motion.skeleton.names[mover]} jumps by {100.0 * sizes[worst]:.0f} cm and returns."
    whole = joints in columns or any(root in columns for root in motion.skeleton.roots)
    members = {int(column) if column < joints else int(column) - joints - 1 for column in columns}
    return BadSpan(start, stop, reason, () if whole else tuple(sorted(members)))


def _largest_near(steps: Array, near: int) -> tuple[Array, Array]:
    """The largest of the `near` steps before each step, and of those after it; 0 where there are none. (N, K) each."""
    from scipy.ndimage import maximum_filter1d  # slow to import

    padded = np.zeros((len(steps) + 2 * near, steps.shape[1]))
    padded[near:-near] = steps
    # Entry i is now the largest of the padded rows [i - near // 2, i - near // 2 + near).
    largest = maximum_filter1d(padded, near, axis=0, mode="constant")
    return largest[near // 2 :][: len(steps)], largest[near // 2 + near + 1 :][: len(steps)]


# Filling in


@dataclass(frozen=True)
class _Algebra:
    """How values are told apart, moved and mixed: positions, or rotations with rotation vectors between them."""

    minus: Callable[[Array, Array], Array]
    plus: Callable[[Array, Array], Array]
    between: Callable[[Array, Array, Array], Array]


_POSITIONS = _Algebra(np.subtract, np.add, lambda a, b, part: np.asarray(a + part[..., None] * (b - a)))
_ROTATIONS = _Algebra(
    lambda later, earlier: to_rotation_vector(multiply(later, conjugate(earlier))),
    lambda rotations, vectors: multiply(from_rotation_vector(vectors), rotations),
    slerp,
)


def _by_joints(motion: Motion, spans: tuple[BadSpan, ...]) -> list[tuple[list[int], Mask]]:
    """Joints that are bad in the same frames, and those frames (F,)."""
    bad = np.zeros((motion.frames, len(motion.skeleton)), dtype=bool)
    for span in spans:
        bad[span.start : span.stop, list(span.joints) or slice(None)] = True
    groups: dict[bytes, list[int]] = {}
    for joint in np.flatnonzero(np.any(bad, axis=0)).tolist():
        groups.setdefault(bad[:, joint].tobytes(), []).append(joint)
    return [(joints, bad[:, joints[0]]) for joints in groups.values()]


def _filled(values: Array, bad: Mask, frame_time_s: float, algebra: _Algebra) -> Array:
    """The values (F, ..., D) with the bad frames made anew from the good ones.

    With A and B the good frames on both sides of a gap of n steps, u and v the steps before A and after B, and w the
    smooth step from 0 to 1, frame t is A + w (B - A) + u h(t) - v h(n - t) with h(t) = t (1 - t/m)^2 up to m and 0 from
    there on. For m = n that is the cubic Hermite curve; in long gaps m is less, lest the speeds at its ends carry the
    curve away.
    """
    result = np.array(values)
    fade = max(_FADE_S / frame_time_s, 1.0)

    def step(earlier: int) -> Array | None:
        inside = earlier >= 0 and earlier + 1 < len(bad)
        if not inside or bad[earlier] or bad[earlier + 1]:
            return None
        return algebra.minus(values[earlier + 1], values[earlier])

    for gap in intervals(bad):
        before, after, count = gap.start - 1, gap.stop, gap.stop - gap.start + 1
        times = np.arange(1.0, count).reshape(-1, *[1] * (values.ndim - 2))
        into, out = step(before - 1), step(after)
        if before < 0:
            slide = -_coast(count - times, fade)[..., None] * (0.0 if out is None else out)
            result[gap.start : gap.stop] = algebra.plus(values[after], slide)
        elif after == len(bad):
            slide = _coast(times, fade)[..., None] * (0.0 if into is None else into)
            result[gap.start : gap.stop] = algebra.plus(values[before], slide)
        else:
            mean = algebra.minus(values[after], values[before]) / count
            reach = min(float(count), fade)
            slide = _nudge(times, reach)[..., None] * (mean if into is None else into)
            slide = slide - _nudge(count - times, reach)[..., None] * (mean if out is None else out)
            part = times / count
            mixed = algebra.between(values[before], values[after], part * part * (3.0 - 2.0 * part))
            result[gap.start : gap.stop] = algebra.plus(mixed, slide)
    return result


def _nudge(times: Array, reach: float) -> Array:
    """h of `_filled`: leaves 0 at speed 1, and is back for good at `reach`."""
    return np.asarray(times * np.maximum(1.0 - times / reach, 0.0) ** 2)


def _coast(times: Array, fade: float) -> Array:
    """The way of something that leaves 0 at speed 1 and is at rest from `fade` on: the integral of (1 - t/fade)^2."""
    return np.asarray(fade / 3.0 * (1.0 - np.maximum(1.0 - times / fade, 0.0) ** 3))


def _with_hints(origin: Origin | None, bad: Mask) -> Origin | None:
    """The origin with the file's numbers of bad frames replaced by some between those of good frames.

    They are hints to angles; zeros in a file that counts past 360 degrees would point the writer the wrong way.
    """
    if origin is None or not np.any(bad):
        return origin
    good = np.flatnonzero(~bad)
    later = np.minimum(np.searchsorted(good, np.flatnonzero(bad)), len(good) - 1)
    before, after = good[np.maximum(later - 1, 0)], good[later]
    part = np.clip((np.flatnonzero(bad) - before) / np.maximum(after - before, 1), 0.0, 1.0)[:, None]
    channels = np.array(origin.channels)
    channels[bad] = (1.0 - part) * channels[before] + part * channels[after]
    return replace(origin, channels=freeze(channels))
