"""Reduce to keys: dense motion as sparse curves whose keys are where an animator looks for them.

Keys are on the extrema that stand out, and where else a curve needs them. Knots are taken away from the motion until
few are left (`decimate`); curves are then fitted to all of it (`spline_fit`), as smooth as the tolerance allows: level
at extrema, with one slope elsewhere. Where the body is too far off (`body_errors`), the channels to blame get slopes of
their own on either side of their keys, and then more keys. Coleman 2012, 9.3.3, tells why animators ask for this.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from editor.curves.body_errors import Body, Errors
from editor.curves.decimate import decimate_to_count, decimate_within
from editor.curves.edit import Curve
from editor.curves.keys import Key, Keys
from editor.curves.levers import FLESH_M
from editor.curves.spline_fit import (
    BROKEN,
    FLAT,
    FREE,
    Fit,
    Knots,
    Layout,
    Mask,
    Report,
    blocks_of,
    fit_again,
    fit_spline,
)
from editor.curves.turning_points import prominences
from model.arrays import Array, IntArray, require_shape
from model.motion import Motion

Progress = Callable[[float], None]

# Keys cannot be nearer to each other.
_LEAST_STEP_S = 2e-6
# A root that may turn by an angle may move as far as that takes a point at this distance from it.
_REACH_M = 0.2
# How much of the tolerance a single channel may use up: errors add up along a limb, and over three angles.
_SHARE_OF_DISTANCE, _SHARE_OF_ANGLE = 1.0, 0.8
# Channels with a smaller range than this stand still.
_STILL = 1e-9
# Rounding of curves made anew from their keys.
_ROUNDING = 1e-7
# Of a given number of keys so many go to extrema, whatever they cost, and so many to where the body is worst.
_FOR_EXTREMA, _FOR_WORST = 0.2, 0.1
_WORST_ROUNDS = 4
# Slopes are made one where that moves the curve by so much of its usual error, or of what it may be off.
_SMOOTH, _SMOOTH_WITHIN = 1.5, 0.4
# How loose a knot may get: an extremum stays smooth, as animators want it, though a few more keys are needed for that.
_LOOSEST, _LOOSEST_EXTREMUM = BROKEN, FREE
# A new knot goes where the curve is worst, and rather between two knots than beside one, where it helps little: what is
# added to u (1 - u), which is 0 at knots and 0.25 in the middle.
_BESIDE_KNOTS = 0.05
_TANGENTS = {FLAT: "flat", FREE: "free", BROKEN: "broken"}


@dataclass(frozen=True)
class Tolerance:
    """How far keys may lead away from the motion, at any frame; at least one of the two is given.

    degrees : how far any joint may be turned against its parent. The root's place then may be off by as much as such a
    turn takes a point 20 cm away. centimetres : how far any joint, or tip, may be from its place in the world. A
    turn that moves none of them, such as a hand's about itself, counts as far as it moves skin 5 cm off the bone.
    """

    degrees: float | None = None
    centimetres: float | None = None

    def __post_init__(self) -> None:
        given = [one for one in (self.degrees, self.centimetres) if one is not None]
        if not given or not all(np.isfinite(one) and one > 0.0 for one in given):
            raise ValueError("degrees, centimetres: at least one must be given, and be more than 0")

    @property
    def angle_rad(self) -> float:
        """How far a joint may turn."""
        turn = np.inf if self.degrees is None else np.radians(self.degrees)
        return float(min(turn, self.distance_m / FLESH_M))

    @property
    def distance_m(self) -> float:
        """How far a point may be off; infinite where only turns count."""
        return np.inf if self.centimetres is None else 0.01 * self.centimetres

    @property
    def root_m(self) -> float:
        """How far the root may be off."""
        return min(self.distance_m, np.inf if self.degrees is None else np.radians(self.degrees) * _REACH_M)


@dataclass(frozen=True, eq=False)
class Reduction:
    """Curves that stand in the place of a motion, ready for `CurveKeys`, and what they cost.

    keys : of all curves together; share : keys to numbers of the motion on the same channels; worst_degrees : of any
    joint against its parent; worst_centimetres, mean_centimetres : of joints and tips in the world; over all frames.
    """

    curves: tuple[Curve, ...]
    keys: int
    share: float
    worst_degrees: float
    worst_centimetres: float
    mean_centimetres: float


def reduce_to_keys(
    motion: Motion,
    times_s: Array,
    tolerance: Tolerance,
    space: str | None = None,
    joints: Sequence[int] | None = None,
    progress: Progress = lambda fraction: None,
) -> Reduction:
    """Curves with few keys that hold a tolerance at every frame.

    times_s : (F,) when each frame is in the time of the source, rising; space : "vector", an order of Euler axes, or
    None for that of each joint's file; joints : whose curves are wanted (the root's place goes with the root), None for
    all. Raises what `progress` raises.
    """
    work = _Work.of(motion, times_s, space, joints, progress)
    if not work.samples.size:
        return Reduction((), 0, 0.0, 0.0, 0.0, 0.0)
    limits = _limits(work.body, tolerance)
    still = np.ptp(work.samples, axis=1) <= 2.0 * np.min(limits, axis=1)
    extrema = prominences(work.samples) >= 2.0 * limits
    extrema[still] = False
    at = work.ends(still)
    at[~still] = decimate_within(work.times, work.samples[~still], limits[~still], (at | extrema)[~still], work.report)
    modes = np.where(extrema, np.int8(FLAT), np.int8(FREE))
    fit = fit_spline(work.times, work.samples, Knots(at, extrema, modes), work.report)
    fit = _repaired(work, fit, limits, tolerance)
    fit = _tightened(work, fit, lambda rows: _SMOOTH_WITHIN * limits[rows])
    return _reduction(work, _repaired(work, fit, limits, tolerance))


def reduce_to_share(
    motion: Motion,
    times_s: Array,
    share: float,
    space: str | None = None,
    joints: Sequence[int] | None = None,
    progress: Progress = lambda fraction: None,
) -> Reduction:
    """The curves nearest to a motion that a number of keys allows: a share, 0 to 1, of the motion's numbers.

    There is at least one key a channel. Slopes break at keys, at extrema too, wherever that is nearer to the motion:
    this is for sparing keys. Otherwise as `reduce_to_keys`.
    """
    if not 0.0 < share <= 1.0:
        raise ValueError(f"share is {share}; it must be more than 0 and at most 1")
    work = _Work.of(motion, times_s, space, joints, progress)
    if not work.samples.size:
        return Reduction((), 0, 0.0, 0.0, 0.0, 0.0)
    count = int(share * work.samples.size + 1e-9)
    weights = np.sqrt(np.mean(work.body.effects**2, axis=1))
    still = _stillest(np.ptp(work.samples, axis=1), weights, count)
    at = work.ends(still)
    spare = count - int(np.count_nonzero(at))
    prominence = prominences(work.samples)
    prominence *= np.where(still, 0.0, weights)[:, None]
    extrema = _most_prominent(prominence, max(0, min(spare, int(_FOR_EXTREMA * count))))
    kept = count - int(np.count_nonzero(still)) - int(_FOR_WORST * spare)
    at[~still] = decimate_to_count(
        work.times, work.samples[~still], weights[~still], (at | extrema)[~still], kept, work.report
    )
    del prominence
    modes = np.full(at.shape, BROKEN, dtype=np.int8)
    fit = fit_spline(work.times, work.samples, Knots(at, extrema, modes), work.report)
    fit = _with_worst_mended(work, fit, count)
    effects = work.body.effects
    squares = sum(
        float(np.sum((effects[rows] * (fit.curve[rows] - work.samples[rows])) ** 2))
        for rows in blocks_of(*effects.shape)
    )
    usual = float(np.sqrt(squares / effects.size))
    return _reduction(work, _tightened(work, fit, lambda rows: _SMOOTH * usual / effects[rows]))


@dataclass(frozen=True, eq=False)
class _Work:
    """What is worked on. samples : (C, F) of the body's channels; times : (F,) in frames of mean length, in which
    slopes are of moderate size; report : tells that a part of a round is done.
    """

    body: Body
    samples: Array
    times_s: Array
    times: Array
    step_s: float
    report: Report

    @classmethod
    def of(
        cls, motion: Motion, times_s: Array, space: str | None, joints: Sequence[int] | None, progress: Progress
    ) -> "_Work":
        times_s = np.asarray(times_s, dtype=np.float64)
        require_shape("times_s", times_s, (motion.frames,))
        if np.any(~np.isfinite(times_s)) or np.any(np.diff(times_s) < _LEAST_STEP_S):
            raise ValueError("times_s must rise from frame to frame")
        step_s = float(times_s[-1] - times_s[0]) / (len(times_s) - 1) if len(times_s) > 1 else 1.0
        body = Body.of(motion, space, joints)
        rounds = 0.0

        def report(part: float) -> None:
            nonlocal rounds
            rounds += part
            progress(1.0 - 0.95**rounds)  # how many there will be nobody knows

        return cls(body, body.samples, times_s, (times_s - times_s[:1]) / step_s, step_s, report)

    def ends(self, still: Mask) -> Mask:
        """(C, F) the knots that every channel has: its first frame, and its last unless it stands still (C,)."""
        at = np.zeros(self.samples.shape, dtype=bool)
        at[:, 0] = True
        at[~still, -1] = True
        return at

    def sections(self, curve: Array) -> Iterator[tuple[slice, Body, Array, Errors]]:
        """A few frames after the other, with the body there, how far curves (C, F) miss its samples, and its errors."""
        for frames, body in self.body.sections():
            self.report((frames.stop - frames.start) / len(self.times))
            part = curve[:, frames]
            yield frames, body, part - body.samples, body.errors(part)


# Within a tolerance


def _limits(body: Body, tolerance: Tolerance) -> Array:
    """(C, F) how far a curve may be off its channel, so that most of the body stays within a tolerance."""
    limits = np.full(body.samples.shape, _SHARE_OF_ANGLE * tolerance.angle_rad)
    if np.isfinite(tolerance.distance_m):
        for rows in blocks_of(*body.samples.shape):
            reached = _SHARE_OF_DISTANCE * tolerance.distance_m / np.maximum(body.effects[rows], 1e-3)
            limits[rows] = np.minimum(reached, limits[rows])
    limits[body.moves] = np.minimum(limits[body.moves], _SHARE_OF_ANGLE * tolerance.root_m)
    return limits


def _repaired(work: _Work, fit: Fit, limits: Array, tolerance: Tolerance) -> Fit:
    """The fit with slopes loosened and knots added until the body is within a tolerance."""
    while True:
        blamed = np.zeros(work.samples.shape, dtype=bool)
        for frames, body, misses, errors in work.sections(fit.curve):
            blamed[:, frames] = _blamed(body, misses, errors, tolerance)
        if not np.any(blamed):
            return fit
        knots = fit.knots.copy()
        for rows in blocks_of(*work.samples.shape):
            if not np.any(blamed[rows]):
                continue
            badness = np.where(blamed[rows], np.abs(fit.curve[rows] - work.samples[rows]) / limits[rows], 0.0)
            segments = _Segments.of(work.times, knots.rows(rows), badness)
            segments.loosen()
            _add_knots(segments.knots, segments.places(segments.bad & ~segments.tight))
        assert not _same(knots, fit.knots), "a round changed nothing: the next would not either"
        fit = fit_again(work.times, work.samples, fit, knots, np.any(blamed, axis=1), work.report)


def _same(one: Knots, other: Knots) -> bool:
    pairs = ((one.at, other.at), (one.pinned, other.pinned), (one.modes, other.modes))
    return all(np.array_equal(a, b) for a, b in pairs)


def _blamed(body: Body, misses: Array, errors: Errors, tolerance: Tolerance) -> Mask:
    """(C, F) the channels that lead the body beyond a tolerance. misses : (C, F) curves less samples."""
    near = 1.0 - _ROUNDING
    blamed = body.blame_for_angles(misses, errors.angles_rad, near * tolerance.angle_rad)
    blamed |= body.blame_for_distances(misses, errors.distances_m, near * tolerance.distance_m)
    root = np.abs(misses[body.moves])
    beyond = np.sqrt(np.sum(root**2, axis=0)) > near * tolerance.root_m
    blamed[body.moves] |= beyond & (root >= 0.5 * np.max(root, axis=0, initial=0.0))
    return blamed


# With so many keys


def _stillest(ranges: Array, weights: Array, count: int) -> Mask:
    """(C,) the channels that get a single key: those that stand still, and more where two for each are too many."""
    order = np.argsort(ranges * weights)
    most = max(2 * len(ranges) - count, np.count_nonzero(ranges < _STILL))
    still = ranges < _STILL
    still[order[: min(most, len(order))]] = True
    return still


def _most_prominent(prominence: Array, count: int) -> Mask:
    """(C, F) the extrema that stand out most, so many of them."""
    least = np.partition(prominence.ravel(), -count - 1)[-count - 1] if count < prominence.size else 0.0
    return np.asarray((prominence > least) & (prominence > 0.0))


def _with_worst_mended(work: _Work, fit: Fit, count: int) -> Fit:
    """The fit with knots added where the body is farthest off, until there are `count`."""
    for turn in range(_WORST_ROUNDS):
        spare = (count - int(np.count_nonzero(fit.knots.at))) // (_WORST_ROUNDS - turn)
        if spare < 1:
            continue
        distances = np.concatenate([errors.distances_m for *_, errors in work.sections(fit.curve)], axis=1)
        limit = 0.5 * float(np.max(distances))
        blamed = np.zeros(work.samples.shape, dtype=bool)
        for frames, body in work.body.sections():
            misses = fit.curve[:, frames] - body.samples
            blamed[:, frames] = body.blame_for_distances(misses, distances[:, frames], limit)
        knots = fit.knots.copy()

        def segments(rows: slice, knots: Knots = knots, fit: Fit = fit, blamed: Mask = blamed) -> _Segments:
            misses = np.abs(fit.curve[rows] - work.samples[rows]) * work.body.effects[rows]
            return _Segments.of(work.times, knots.rows(rows), np.where(blamed[rows], misses, 0.0))

        blocks = blocks_of(*work.samples.shape)
        worst = [segments(rows).worst for rows in blocks]
        chosen = np.zeros(sum(map(len, worst)), dtype=bool)
        chosen[np.argsort(-np.concatenate(worst))[:spare]] = True
        for rows, some in zip(blocks, np.split(chosen, np.cumsum([len(part) for part in worst])[:-1]), strict=True):
            if np.any(some):
                block = segments(rows)
                _add_knots(block.knots, block.places(some & block.bad), BROKEN)
        fit = fit_again(work.times, work.samples, fit, knots, np.any(blamed, axis=1), work.report)
    return fit


# Slopes that hardly differ, and segments that are not good enough


def _tightened(work: _Work, fit: Fit, slack: Callable[[slice], Array]) -> Fit:
    """The fit with one slope at knots, and level extrema, where that moves the curve by no more than the slack.

    slack : of some channels, (C, F). A slope that changes by d moves the segment of width w next to it by 4/27 w d at
    most.
    """
    knots = fit.knots.copy()
    ends = np.cumsum(np.count_nonzero(knots.at, axis=1))
    for rows in blocks_of(*knots.at.shape):
        told = slice(ends[rows.start] - np.count_nonzero(knots.at[rows.start]), ends[rows.stop - 1])
        _tighten(work.times, knots.rows(rows), fit.slope_in[told], fit.slope_out[told], slack(rows))
    return fit_spline(work.times, work.samples, knots, work.report)


def _tighten(times: Array, knots: Knots, slope_in: Array, slope_out: Array, slack: Array) -> None:
    """Change the modes of the N knots of some channels. slope_in, slope_out : (N,); slack : (C, F)."""
    layout = Layout.of(times, knots.at)
    first = np.append(True, layout.ends[:-1])
    after = np.where(layout.ends, 0.0, layout.width)
    before = np.where(first, 0.0, np.append(0.0, layout.width[:-1]))
    allowed = 27.0 / 4.0 * slack.ravel()[layout.knot]
    present = knots.modes.ravel()[layout.knot]
    tight = np.array(present)
    tight[np.minimum(before, after) * np.abs(slope_out - slope_in) <= allowed] = FREE
    level = np.maximum(before * np.abs(slope_in), after * np.abs(slope_out)) <= allowed
    tight[level & knots.pinned.ravel()[layout.knot]] = FLAT
    knots.modes.ravel()[layout.knot] = np.minimum(tight, present)


@dataclass(frozen=True, eq=False)
class _Segments:
    """The N segments between knots. worst : (N,) the badness of their worst sample; bad : (N,) whether it is above 0;
    tight : (N,) whether they are bad and the slope at one of their ends can be loosened.
    """

    knots: Knots
    layout: Layout
    badness: Array
    worst: Array
    bad: Mask
    tight: Mask

    @classmethod
    def of(cls, times: Array, knots: Knots, badness: Array) -> "_Segments":
        """badness : (C, F), 0 where all is well."""
        layout = Layout.of(times, knots.at)
        worst = layout.largest(badness.ravel())
        # A channel's last sample is by itself; it is mended with the segment before it, unless there is none.
        last = 1 + np.flatnonzero(layout.ends[1:] & ~layout.ends[:-1])
        worst[last - 1] = np.maximum(worst[last - 1], worst[last])
        worst[last] = 0.0
        modes = knots.modes.ravel()[layout.knot]
        bad = worst > 0.0
        can = modes < np.where(knots.pinned.ravel()[layout.knot], _LOOSEST_EXTREMUM, _LOOSEST)
        tight = bad & ~layout.ends & (can | can[layout.after])
        return cls(knots, layout, badness, worst, bad, tight)

    def loosen(self) -> None:
        """Make the knots at the ends of tight segments one step looser."""
        about = np.array(self.tight)
        about[self.layout.after[self.tight]] = True
        place = self.layout.knot[about]
        modes = self.knots.modes.ravel()
        loosest = np.where(self.knots.pinned.ravel()[place], _LOOSEST_EXTREMUM, _LOOSEST)
        modes[place] = np.where(modes[place] < loosest, modes[place] + 1, modes[place])

    def places(self, chosen: Mask | IntArray) -> IntArray:
        """Where among all samples a knot would help each chosen segment most; its ends are among them."""
        starts, after = self.layout.knot[chosen], self.layout.knot[self.layout.after[chosen]]
        frames = self.badness.shape[1]
        stops = np.where(self.layout.ends[chosen], (starts // frames + 1) * frames, after + 1)
        flat = self.badness.ravel() * (_BESIDE_KNOTS + self.layout.u * (1.0 - self.layout.u))
        worst = [start + np.argmax(flat[start:stop]) for start, stop in zip(starts, stops, strict=True)]
        return np.array(worst, dtype=np.intp)


def _add_knots(knots: Knots, places: IntArray, mode: int = FREE) -> None:
    """Put knots at more places among all samples; where there is one, its value is the sample's from now on."""
    at, pinned, modes = knots.at.ravel(), knots.pinned.ravel(), knots.modes.ravel()
    present = at[places]
    pinned[places[present]] = True
    modes[places[~present]] = mode
    at[places] = True
    # A channel that had a single knot is constant wherever that was: from now on it has one at its end as well.
    rows = np.unique(places // knots.at.shape[1])
    rows = rows[~knots.at[rows, -1]]
    knots.at[rows, -1] = True
    knots.modes[rows, -1] = mode


# Keys


def _reduction(work: _Work, fit: Fit) -> Reduction:
    """Curves and figures."""
    counts = np.count_nonzero(fit.knots.at, axis=1)
    told = (np.split(part, np.cumsum(counts)[:-1]) for part in (fit.values, fit.slope_in, fit.slope_out))
    rows = enumerate(zip(work.body.channels, *told, strict=True))
    curves = tuple(Curve(one, _keys(work, fit.knots, row, *numbers), absolute=True) for row, (one, *numbers) in rows)
    figures = [
        (np.max(errors.angles_rad), np.max(errors.distances_m), np.mean(errors.distances_m), len(misses[0]))
        for _, _, misses, errors in work.sections(fit.curve)
    ]
    angles, farthest, means, frames = np.array(figures).T
    return Reduction(
        curves,
        int(np.sum(counts)),
        float(np.sum(counts)) / work.samples.size,
        float(np.degrees(np.max(angles))),
        100.0 * float(np.max(farthest)),
        100.0 * float(np.average(means, weights=frames)),
    )


def _keys(work: _Work, knots: Knots, row: int, values: Array, slopes_in: Array, slopes_out: Array) -> Keys:
    """The keys of a channel."""
    frames = np.flatnonzero(knots.at[row])
    tangents = [_TANGENTS[mode] for mode in knots.modes[row, frames].tolist()]
    numbers = (work.times_s[frames], values, slopes_in / work.step_s, slopes_out / work.step_s)
    times_s, values_at, before, after = (part.tolist() for part in numbers)
    return Keys(tuple(map(Key, times_s, values_at, tangents, before, after)))
