"""Named points moving through space: markers, wrists. Owns gaps, resampling, and the way in from a file's numbers.

Knows nothing of bodies or of file formats.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from model.arrays import Array, freeze, require_shape
from model.limits import check_rate
from model.units import METRE, UNITS, UP_AXES, Unit, from_y_up, parse_unit, to_y_up

ASSUMED_FPS = 30.0  # of a file that does not say

# A point that falls this near to a frame, in frames, falls on it.
_ON_FRAME = 1e-6
# A step so many times the usual one is no jitter: a frame was left out.
_LEFT_OUT = 1.8

_UNIT_WORDS = {
    "m": "m", "meter": "m", "meters": "m", "metre": "m", "metres": "m",
    "dm": "dm", "decimeter": "dm", "decimeters": "dm", "decimetre": "dm", "decimetres": "dm",
    "cm": "cm", "centimeter": "cm", "centimeters": "cm", "centimetre": "cm", "centimetres": "cm",
    "mm": "mm", "millimeter": "mm", "millimeters": "mm", "millimetre": "mm", "millimetres": "mm",
    "in": "in", "inch": "in", "inches": "in", "ft": "ft", "foot": "ft", "feet": "ft", "cmu": "cmu",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class PointTracks:
    """Points over frames at a constant rate. Metres, seconds, Y up.

    positions : (F, N, 3), NaN in all three coordinates where a point was not seen. start_time_s : when
    frame 0 is. unit, up : what the file used; they say how to write the tracks back, not how to read them.
    """

    names: tuple[str, ...]
    frame_time_s: float
    positions: Array
    start_time_s: float = 0.0
    unit: Unit = METRE
    up: str = "+Y"

    def __post_init__(self) -> None:
        array = np.asarray(self.positions, dtype=np.float64)
        if array.flags.writeable:
            # A view: the array stays its maker's, but cannot be written through the tracks.
            array = freeze(array.view())
        object.__setattr__(self, "positions", array)
        self.validate()

    def validate(self) -> None:
        """Raise ValueError naming the rule that is broken."""
        if self.positions.ndim != 3:
            raise ValueError(f"positions has shape {self.positions.shape}; it must be (frames, points, 3)")
        require_shape("positions", self.positions, (len(self.names), 3))
        if not all(self.names):
            raise ValueError(f"names: point {self.names.index('') + 1} has none")
        if len(set(self.names)) != len(self.names):
            twice = next(name for n, name in enumerate(self.names) if name in self.names[:n])
            raise ValueError(f"names has {twice!r} twice; they must differ")
        if not (math.isfinite(self.frame_time_s) and self.frame_time_s > 0.0):
            raise ValueError(f"frame_time_s is {self.frame_time_s}; it must be positive")
        if not math.isfinite(self.start_time_s):
            raise ValueError(f"start_time_s is {self.start_time_s}; it must be finite")
        if self.up not in UP_AXES:
            raise ValueError(f"up is {self.up!r}; it must be one of {', '.join(UP_AXES)}")
        if np.any(np.isinf(self.positions)):
            raise ValueError("positions holds infinite numbers")
        missing = np.isnan(self.positions)
        if np.any(missing[..., 0] != missing[..., 1]) or np.any(missing[..., 0] != missing[..., 2]):
            raise ValueError("positions: a point is seen with all three coordinates or not at all")

    @property
    def frames(self) -> int:
        return int(self.positions.shape[0])

    @property
    def fps(self) -> float:
        return 1.0 / self.frame_time_s

    @property
    def duration_s(self) -> float:
        """Time from the first frame to the last."""
        return max(self.frames - 1, 0) * self.frame_time_s

    def point(self, name: str) -> Array:
        """The positions of one point. -> (F, 3); ValueError where no point has that name."""
        if name not in self.names:
            raise ValueError(f"name: there is no point {name!r}")
        return self.positions[:, self.names.index(name)]

    def gaps(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """For each point, in the order of `names`, the frames [start, stop) in which it was not seen."""
        missing = np.zeros((len(self.names), self.frames + 2), dtype=np.int8)
        missing[:, 1:-1] = np.isnan(self.positions[..., 0]).T
        change = np.diff(missing, axis=1)
        return tuple(
            tuple(zip(np.flatnonzero(row == 1).tolist(), np.flatnonzero(row == -1).tolist(), strict=True))
            for row in change
        )

    def resampled(self, fps: float) -> "PointTracks":
        """The same tracks at another rate, from the first frame's time to at most the last's.

        Points move straight between frames. Gaps stay gaps: nothing is made up between a frame that saw
        a point and one that did not. A rate that divides the present one picks frames exactly.
        """
        if not (math.isfinite(fps) and fps > 0.0):
            raise ValueError(f"fps is {fps}; it must be positive")
        step = self.fps / fps  # in frames of ours
        if abs(step - 1.0) < 1e-9:
            return self
        if abs(step - round(step)) < 1e-4 * step:  # frame times are rounded in files: 1/120 is .0083333
            step = float(round(step))
        check_rate(fps, max(self.frames - 1, 0) / step, len(self.names), self.frames, "points")
        count = math.floor((self.frames - 1) / step + 1e-9) + 1 if self.frames else 0
        frames, at = np.arange(self.frames, dtype=np.float64), np.arange(count, dtype=np.float64) * step
        positions = interpolated(frames, self.positions, at)
        return replace(self, frame_time_s=1.0 / fps, positions=freeze(positions))

    def in_file(self, unit: Unit, up: str) -> Array:
        """The positions as numbers of a file with this unit and up axis. -> (F, N, 3)."""
        return np.asarray(from_y_up(self.positions, up) / unit.metres)

    def in_text(self, unit: Unit, up: str) -> Array:
        """The same to a nanometre, so that text stays short. -> (F, N, 3)."""
        return np.asarray(np.round(self.in_file(unit, up), max(3, math.ceil(math.log10(unit.metres) + 9))))


def tracks_of_file(
    names: Sequence[str],
    numbers: Array,
    frame_time_s: float,
    start_time_s: float,
    unit: Unit,
    up: str,
) -> PointTracks:
    """Tracks from the numbers of a file in its own unit and axes. numbers : (F, N, 3), NaN in gaps."""
    # Frames last in memory: what happens to one point is one straight run.
    positions = np.asfortranarray(to_y_up(numbers, up) * unit.metres)
    return PointTracks(tuple(names), frame_time_s, freeze(positions), start_time_s, unit, up)


def interpolated(times: Array, positions: Array, at: Array, longest: float = math.inf) -> Array:
    """Positions at other times, on the straight line between the frames around each.

    times : (F,), rising; positions : (F, N, 3); at : (G,), within the times. -> (G, N, 3). NaN where
    either frame is, and where the two are more than `longest` apart; a time on a frame takes that frame.
    """
    if len(times) == 0:
        return np.empty((0, *positions.shape[1:]))
    below = np.clip(np.searchsorted(times, at, side="right") - 1, 0, len(times) - 1)
    above = np.minimum(below + 1, len(times) - 1)
    span = times[above] - times[below]
    part = np.clip((at - times[below]) / np.where(span > 0.0, span, 1.0), 0.0, 1.0)
    result = positions[np.where(part > 0.5, above, below)]
    inside = np.flatnonzero((part > _ON_FRAME) & (part < 1.0 - _ON_FRAME))
    weight = part[inside, None, None]
    result[inside] = (1.0 - weight) * positions[below[inside]] + weight * positions[above[inside]]
    result[inside[span[inside] > longest]] = np.nan
    return result


def whole_points(numbers: Array) -> int:
    """Make gaps, in place, of points of which a coordinate is missing. numbers : (F, N, 3). -> how many."""
    missing = np.isnan(numbers)
    broken = np.any(missing, axis=-1) & ~np.all(missing, axis=-1)
    numbers[broken] = np.nan
    return int(np.sum(broken))


def zeros_as_gaps(numbers: Array) -> int:
    """Make gaps, in place, of points at exactly the origin, as recorders write what they did not see. -> how many."""
    at_zero = np.all(numbers == 0.0, axis=-1)
    numbers[at_zero] = np.nan
    return int(np.sum(at_zero))


def not_at_zero(numbers: Array) -> Array:
    """The same points, those at exactly the origin moved by nothing that matters, in place: they *were* seen."""
    numbers[np.all(numbers == 0.0, axis=-1)] = 1e-9
    return numbers


def clean_names(names: Sequence[str]) -> tuple[str, ...]:
    """Names fit for a line of text, none empty and no two the same; good ones stay as they are."""
    printable = [" ".join("".join(c if c.isprintable() else " " for c in name).split()) for name in names]
    taken = set(printable)
    used: set[str] = set()
    last: dict[str, int] = {}
    result = []
    for n, name in enumerate(printable, start=1):
        wanted = name or f"point {n}"
        while wanted in used or (wanted != name and wanted in taken):
            last[name] = last.get(name, 1) + 1
            wanted = f"{name or 'point'} {last[name]}"
        used.add(wanted)
        result.append(wanted)
    return tuple(result)


def unit_named(text: str) -> Unit | None:
    """The unit that a file names ('mm', 'Meters', '0.05 m'), or None."""
    word = text.strip().lower()
    for unit in UNITS:
        if unit.name == _UNIT_WORDS.get(word):
            return unit
    number, _, metre = word.partition(" ")
    try:
        return parse_unit(number) if metre == "m" else None
    except ValueError:
        return None


def guess_cloud_unit(numbers: Array) -> Unit:
    """Metres, unless the numbers are absurdly large for that: then centimetres or millimetres.

    numbers : (F, N, 3) in the file's unit. People are recorded within some tens of metres.
    """
    sample = np.abs(_some_frames(numbers))
    sample = sample[np.isfinite(sample)]
    reach = float(np.percentile(sample, 99.0)) if len(sample) else 0.0
    return UNITS[0] if reach <= 50.0 else UNITS[1] if reach <= 900.0 else UNITS[2]


def guess_cloud_up(numbers: Array) -> str | None:
    """The file axis along which a person's markers stand, or None where it is not clear.

    numbers : (F, N, 3), in any unit. Upright is the axis along which the cloud is long *and* ends near
    zero, where the floor is: arms spread wide are long but reach to both sides, a walker leaves zero.
    """
    sample = _some_frames(numbers)
    seen = np.isfinite(sample[..., 0])
    sample, seen = sample[np.sum(seen, axis=1) >= 10], seen[np.sum(seen, axis=1) >= 10]
    if len(sample) == 0:
        return None
    lowest = np.min(np.where(seen[..., None], sample, np.inf), axis=1)
    highest = np.max(np.where(seen[..., None], sample, -np.inf), axis=1)
    length = np.median(highest - lowest, axis=0)
    size = float(np.max(length))
    if not size > 0.0:
        return None
    score = {}
    for axis in range(3):
        for sign, end in (("+", lowest), ("-", highest)):
            from_floor = float(np.median(np.abs(end[:, axis]))) / size
            score[sign + "XYZ"[axis]] = length[axis] / size * math.exp(-from_floor / 0.15)
    best, second = sorted(score, key=lambda up: -score[up])[:2]
    return best if score[best] > 0.2 and score[best] > 2.0 * score[second] else None


def _some_frames(numbers: Array) -> Array:
    """Some hundred frames, evenly spread: enough to judge by."""
    return numbers[:: max(1, len(numbers) // 500)]


@dataclass(frozen=True, eq=False)
class Timed:
    """Positions at even times; remarks : what was assumed or repaired; rounding_s : what times may be off."""

    positions: Array
    start_time_s: float
    frame_time_s: float
    remarks: tuple[str, ...] = ()
    rounding_s: float = 0.0


def timed_by(
    positions: Array, times: Array | None, frames: Array | None, seconds: float | None, fps: float | None
) -> Timed:
    """Positions put at even times by the columns of a file that tell them.

    positions : (F, N, 3); times : (F,) each of so many `seconds`, which are one or, by their size, a thousandth
    where that is not told; frames : (F,) frame numbers, for want of times; fps : the rate stated elsewhere.
    """
    rate = fps or ASSUMED_FPS
    assumed = () if fps else (f"the file does not state its rate; {rate:g} frames a second are assumed",)
    if times is not None and np.any(np.isfinite(times)):
        timed = evenly_timed(times * (seconds or 1.0), positions)
        if timed is not None and seconds is None and fps is None and 2.0 <= timed.frame_time_s <= 1000.0:
            remark = f"times step by {timed.frame_time_s:.4g}; read as milliseconds"
            timed = evenly_timed(times * 1e-3, positions) or timed
            return replace(timed, remarks=(remark, *timed.remarks))
        first = float(times[np.isfinite(times)][0]) * (seconds or 1.0)
        if timed is None:
            return Timed(positions, first, 1.0 / rate, assumed)
        return _agreed(timed, fps) if fps else timed
    if frames is not None and np.any(np.isfinite(frames)):
        from_one = frames[np.isfinite(frames)][0] == 1.0
        timed = evenly_timed((frames - from_one) / rate, positions, exact=True)
        if timed is not None:
            return replace(timed, remarks=assumed + timed.remarks)
    return Timed(positions, 0.0, 1.0 / rate, assumed)


def _agreed(timed: Timed, fps: float) -> Timed:
    """The stated rate where the times bear it out; they are often written to the millisecond only."""
    apart = abs(timed.frame_time_s - 1.0 / fps)
    if apart * (len(timed.positions) - 1) <= 2.0 * timed.rounding_s or apart * fps < 1e-5:
        return replace(timed, frame_time_s=1.0 / fps)
    remark = f"the rate is said to be {fps:g} but times step by {timed.frame_time_s:.6g} s; the times count"
    return replace(timed, remarks=(*timed.remarks, remark))


def evenly_timed(times: Array, positions: Array, exact: bool = False) -> Timed | None:
    """Positions given at their own times, put at even ones.

    times : (F,) seconds, NaN where unknown; positions : (F, N, 3). Times that are even up to the decimals they
    are written with (or exactly, as frame numbers are) leave the positions alone. Others are resampled at
    their median step; where frames were left out there are gaps. None where times tell no step.
    """
    known = np.isfinite(times)
    if np.sum(known) < 2:
        return None
    remarks = []
    if not np.all(known):
        rows = np.arange(len(times))
        times = np.interp(rows, rows[known], times[known])
        remarks.append(f"{int(np.sum(~known))} rows have no time; it is taken from their neighbours")
    first, resolution = float(times[0]), 0.0 if exact else _resolution(times)
    step = float(times[-1] - times[0]) / (len(times) - 1)
    slack = min(1.01 * resolution, 1.5 * abs(step)) + 1e-9 * abs(step) + 1e-12 * abs(first)
    if step > 1e-9 and np.all(np.abs(times - first - step * np.arange(len(times))) <= slack):
        step = _simple_step(step, slack / (len(times) - 1))
        whole = round(first / step) * step  # a start on a frame is not to drift with its rounding
        return Timed(positions, whole if abs(whole - first) <= slack else first, step, tuple(remarks), slack)

    rising = np.ones(len(times), dtype=bool)
    rising[1:] = times[1:] > np.maximum.accumulate(times)[:-1]
    steps = np.diff(times[rising])
    step = float(np.sort(steps)[(len(steps) - 1) // 2]) if len(steps) else 0.0
    if step <= 1e-9:
        return None
    if np.sum(~rising) > 0.1 * len(times):
        return Timed(positions, first, step, (*remarks, "times do not rise; rows are counted"))
    if not np.all(rising):
        remarks.append(f"{int(np.sum(~rising))} rows are not later than those before; they are left out")
        times, positions = times[rising], positions[rising]
    count = math.floor((times[-1] - first) / step + 1e-6) + 1
    if count > 4 * len(times) + 1000:  # memory follows what the file holds
        return Timed(positions, first, step, (*remarks, "times leap too far; rows are counted"))
    step = _simple_step(step, resolution)
    leaps = int(np.sum(steps > _LEFT_OUT * step))
    remarks.append(
        f"times are not even: resampled at the median step of {step:.6g} s"
        + (f", with gaps where they leap ({leaps} times)" if leaps else "")
    )
    at = np.minimum(first + step * np.arange(count), times[-1])
    return Timed(interpolated(times, positions, at, _LEFT_OUT * step), first, step, tuple(remarks))


def _resolution(times: Array) -> float:
    """What times may be off, having been rounded when they were written: 0.001 for 0.033 and 0.067.

    Coarse rounding shows in steps that differ; where nearly all are the same, times are as they should be.
    """
    steps = np.diff(times)
    usual = abs(float(np.median(steps)))
    for digits in range(10):
        scaled = times * 10.0**digits
        if np.all(np.abs(scaled - np.round(scaled)) < 1e-4):
            place = float(10.0**-digits)
            even = np.mean(np.abs(steps - usual) <= 1e-6 * usual) > 0.9
            return 0.0 if even and place > 0.1 * usual else place
    return 1e-10


def _simple_step(step: float, uncertainty: float) -> float:
    """The step of the roundest rate that the uncertainty allows: 0.03333 is 1/30."""
    for digits in range(7):
        rate = round(1.0 / step, digits)
        if rate > 0.0 and abs(1.0 / rate - step) <= uncertainty + 1e-10 * step:
            return 1.0 / rate
    return step
