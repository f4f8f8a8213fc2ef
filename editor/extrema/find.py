"""Extreme poses of a body and extrema of its joints: measured once, then picked out by how far they stand out.

`body_measured` and `joint_measured` do the work; `selected` picks from what they found, which costs next to nothing: a
slider from few to many can follow the hand.
"""

from dataclasses import dataclass, field

import numpy as np

from editor.extrema.between import poses_between
from editor.extrema.filters import Filter, filtered
from editor.extrema.holds import BODY_STILL, JOINT_STILL, Hold, find_holds
from editor.extrema.measures import MEASURES, Measure, without_trembling
from editor.extrema.parts import WHOLE_BODY, body_root, joint_points, joints_of_part
from editor.extrema.selecting import saddles, semi_local_maxima, settled
from editor.extrema.turning import turned_back
from model.arrays import Array, IntArray, freeze, in_parallel
from model.clip import Take
from model.contacts import Mask
from model.derived import Deriver, uncached
from model.extremes import Extreme, ExtremeKind, Extremes
from model.motion import Motion

# In the middle of the slider from few to many.
DEFAULT_LEVEL = 0.5
# What stands out by this share is found by those who want few; at the default level an eighth of it.
_FEWEST = 0.32
# What is this near to a hold is the same pose.
_AT_HOLD_S = 0.15
# The end of a movement is so near to where its spatial extremeness is largest: two frames at 30 fps, so that slow and
# fast cameras give the same.
_SETTLES_S = 1.0 / 15.0
# What stands out by less has no clear end.
_CLEAR = 0.1
# What is so near to a clear one in time, and differs by no more than this share of the size, is the same pose again.
_AGAIN_S, _ALIKE = 0.2, 0.15
# Less is rounding.
_ROUNDING = 1e-5
# For each measure, in sizes of the configuration and seconds: changes that are small against this do not stand out,
# however small the rest is.
_SMALL = {Measure.SPATIAL: 0.05, Measure.VELOCITY: 0.3, Measure.ACCELERATION: 2.0, Measure.CURVATURE: 0.05}


@dataclass(frozen=True)
class ExtremaSettings:
    """What is measured, and what counts as an extreme of it.

    extreme : "max", "min", or "automatic", which are the minima of velocity and the maxima of everything else (5.7.2).
    window_s : beyond all within this time, half before and half after, an extreme must be. filter : of the positions.
    """

    measure: Measure = Measure.SPATIAL
    extreme: str = "automatic"
    part: str = WHOLE_BODY
    window_s: float = 1.0 / 6.0
    filter: Filter = field(default_factory=Filter)

    def __post_init__(self) -> None:
        if self.extreme not in EXTREMES:
            raise ValueError(f"extreme is {self.extreme!r}; it must be one of {', '.join(EXTREMES)}")
        if not 0.0 < self.window_s < np.inf:
            raise ValueError(f"window_s is {self.window_s}; it must be positive")

    @property
    def sign(self) -> float:
        """1 for maxima, -1 for minima."""
        least = self.extreme == "min" or (self.extreme == "automatic" and self.measure is Measure.VELOCITY)
        return -1.0 if least else 1.0


EXTREMES = ("automatic", "max", "min")


@dataclass(frozen=True, eq=False)
class Measured:
    """A measure over time, and all that might be extremes of it.

    values : (F,) in metres, m/s, m/s² or none; frames : (N,) the candidates, the first and last frame with them;
    prominences : (N,) how far each stands out, 0 to 1; holds : spans of stillness, in which there are no candidates.
    """

    frame_time_s: float
    values: Array
    frames: IntArray
    prominences: Array
    holds: tuple[Hold, ...]


def body_measured(motion: Motion, settings: ExtremaSettings | None = None) -> Measured:
    """What might be extreme poses. Raises ValueError where the body has no such part."""
    settings = settings or ExtremaSettings()
    joints = list(joints_of_part(motion.skeleton, settings.part))
    world = motion.world.positions
    root = body_root(motion.skeleton)
    facing = world[:, joints] - world[:, [root]]
    # Spatial extremeness is that of the stance (eq. 5.3); differential measures are those of the way through the world.
    stance = turned_back(facing, motion.world.rotations[:, root], motion.frame_time_s)
    positions = stance if settings.measure is Measure.SPATIAL else world[:, joints]
    # The top of a jump is told by its height alone.
    heights = world[:, [root]] * np.array([0.0, 1.0, 0.0])
    return measured([positions], stance, motion.frame_time_s, settings, way=facing + heights)


def joint_measured(motion: Motion, joint: int, settings: ExtremaSettings | None = None) -> Measured:
    """What might be extrema of a joint's rotation: the measure is the largest over the points that it moves (5.3.1)."""
    points = joint_points(motion, joint)
    alone = [points[:, [n]] for n in range(points.shape[1])]
    return measured(alone, points, motion.frame_time_s, settings or ExtremaSettings(), JOINT_STILL)


def all_joints_measured(motion: Motion, settings: ExtremaSettings | None = None) -> tuple[Measured, ...]:
    """The same for every joint, in their order."""
    found: list[Measured | None] = [None] * len(motion.skeleton)
    motion.world  # noqa: B018  worked out once, not by every thread

    def work(joint: int) -> None:
        found[joint] = joint_measured(motion, joint, settings)

    in_parallel(work, range(len(found)))
    return tuple(one for one in found if one is not None)


def measured(
    groups: list[Array],
    stance: Array,
    frame_time_s: float,
    settings: ExtremaSettings,
    still: float = BODY_STILL,
    way: Array | None = None,
) -> Measured:
    """The measure of groups of points (F, P, 3), the largest over the groups, and what might be extremes of it.

    stance : (F, Q, 3) the points of all groups relative to what they hang on; it tells sizes. way : (F, Q, 3) those of
    a body with its height and its turning; in it poses between the spatial extremes are looked for. Stillness is that
    of the way where there is one, else of the stance. still : what counts as that, see `holds`.
    """
    frames = len(stance)
    if not frames:
        nothing = np.zeros(0)
        return Measured(frame_time_s, nothing, np.zeros(0, dtype=np.intp), nothing, ())
    measure = MEASURES[settings.measure]
    values = measure(filtered(groups[0], settings.filter, frame_time_s), frame_time_s)
    for group in groups[1:]:
        values = np.maximum(values, measure(filtered(group, settings.filter, frame_time_s), frame_time_s))
    size_m = float(np.mean(np.linalg.norm(stance, axis=-1)))
    holds = find_holds(stance if way is None else way, size_m, frame_time_s, still)
    peaks = semi_local_maxima(settings.sign * values, settings.window_s / frame_time_s)
    candidates = np.unique(np.concatenate([[0], peaks, [frames - 1]]))
    small = _SMALL[settings.measure] * (1.0 if settings.measure is Measure.CURVATURE else size_m)
    share = _prominences(settings.sign * values, candidates, small)
    is_spatial = settings.measure is Measure.SPATIAL and settings.sign > 0.0
    if is_spatial:
        candidates, share = _settled(stance, candidates, share, frame_time_s)
    free = (candidates == 0) | (candidates == frames - 1) | ~_held(candidates, holds, _AT_HOLD_S / frame_time_s)
    candidates, share = candidates[free], share[free]
    if is_spatial and way is not None and size_m > 0.0:
        once = ~_again(stance / size_m, candidates, share, frame_time_s)
        candidates, share = _with_between(way, candidates[once], share[once], holds, size_m, settings, frame_time_s)
    return Measured(frame_time_s, freeze(values), candidates, freeze(share), holds)


def selected(found: Measured, level: float = DEFAULT_LEVEL) -> Extremes:
    """The extremes that stand out enough. level : 0 for few to 1 for all. The first and last frame are always there."""
    least = _least(level)
    step_s, last = found.frame_time_s, len(found.values) - 1
    enough = (found.prominences >= least) | (found.frames == 0) | (found.frames == last)
    extremes = [
        Extreme(frame * step_s, _kind(frame, last), prominence)
        for frame, prominence in zip(found.frames[enough].tolist(), found.prominences[enough].tolist(), strict=True)
    ]
    for hold in found.holds:
        prominence = _hold_prominence(hold, step_s)
        if prominence >= least:
            extremes.append(
                Extreme(
                    hold.frame * step_s, ExtremeKind.HOLD, prominence,
                    start_s=hold.start * step_s, stop_s=hold.stop * step_s,
                )
            )  # fmt: skip
    return Extremes(tuple(extremes))


def extremes_of(take: Take, derive: Deriver = uncached) -> Extremes:
    """The extremes that a take comes with; where nobody has looked for them, those of the whole body."""
    if take.extremes is not None:
        return take.extremes
    return selected(derive(body_measured, take.motion, ExtremaSettings()))


def _least(level: float) -> float:
    """What an extreme stands out by at least."""
    return max(_FEWEST * (1.0 - level) ** 3, _ROUNDING)


def _kind(frame: int, last: int) -> ExtremeKind:
    if frame == 0:
        return ExtremeKind.FIRST
    return ExtremeKind.LAST if frame == last else ExtremeKind.EXTREME


def _prominences(values: Array, peaks: IntArray, small: float) -> Array:
    """(N,) how far peaks stand out as a share of what there is: the same for small and large bodies."""
    if len(values) < 2:
        return np.zeros(len(peaks))
    heights, lows = values[peaks], saddles(values, peaks)
    return np.asarray((heights - lows) / (np.maximum(np.abs(heights), np.abs(lows)) + small))


def _settled(stance: Array, peaks: IntArray, shares: Array, frame_time_s: float) -> tuple[IntArray, Array]:
    """Peaks (N,) with what they stand out by (N,), those that are clear moved to the ends of their movements."""
    clear = (shares >= _CLEAR) | (peaks == 0) | (peaks == len(stance) - 1)
    moved = peaks.copy()
    moved[clear] = settled(without_trembling(stance, frame_time_s), peaks[clear], _SETTLES_S / frame_time_s)
    # A clear one may come to lie on one that is not, which then goes.
    order = np.lexsort((-shares, moved))
    once = np.concatenate([[True], np.diff(moved[order]) > 0])
    return moved[order][once], shares[order][once]


def _again(stance: Array, peaks: IntArray, shares: Array, frame_time_s: float) -> Mask:
    """(N,) which peaks (N,) show a pose that one beside them shows more clearly. stance : (F, P, 3) in sizes."""
    near = np.abs(peaks[1:] - peaks[:-1]) * frame_time_s <= _AGAIN_S
    near &= np.mean(np.linalg.norm(stance[peaks[1:]] - stance[peaks[:-1]], axis=-1), axis=-1) <= _ALIKE
    weak, inside = shares < _CLEAR, (peaks > 0) & (peaks < len(stance) - 1)
    again = np.zeros(len(peaks), dtype=bool)
    again[1:] |= near & weak[1:] & ~weak[:-1]
    again[:-1] |= near & weak[:-1] & ~weak[1:]
    return again & inside


def _with_between(
    way: Array,
    peaks: IntArray,
    shares: Array,
    holds: tuple[Hold, ...],
    size_m: float,
    settings: ExtremaSettings,
    frame_time_s: float,
) -> tuple[IntArray, Array]:
    """Peaks (N,) and what they stand out by (N,), with the poses between those that are shown at the usual level."""
    last, margin = len(way) - 1, max(1, round(0.5 * settings.window_s / frame_time_s))
    edges = [frame for hold in holds for frame in (hold.start, hold.stop - 1)]
    anchors = np.unique([0, last, *edges, *peaks[shares >= _least(DEFAULT_LEVEL)]])
    frames, far = poses_between(without_trembling(way, frame_time_s), anchors, size_m, margin)
    new = ~_held(frames, holds, _AT_HOLD_S / frame_time_s)
    # What was a faint peak here is now told by more.
    old = np.array([np.all(np.abs(frames - one) > margin) or one in (0, last) for one in peaks], dtype=bool)
    every, told = np.concatenate([peaks[old], frames[new]]), np.concatenate([shares[old], np.minimum(far[new], 1.0)])
    order = np.argsort(every)
    return every[order], told[order]


def _hold_prominence(hold: Hold, frame_time_s: float) -> float:
    """The longer the more: a second gives a half."""
    held_s = (hold.stop - hold.start) * frame_time_s
    return held_s / (held_s + 1.0)


def _held(frames: IntArray, holds: tuple[Hold, ...], margin: float) -> Mask:
    """(N,) whether frames lie in a hold, or within a margin of one."""
    inside = np.zeros(len(frames), dtype=bool)
    for hold in holds:
        inside |= (frames >= hold.start - margin) & (frames < hold.stop + margin)
    return inside
