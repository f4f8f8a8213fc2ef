"""Finding contacts: frames in which a point of a foot is low and slow, on any skeleton, scale and rate.

Each foot is watched at ankle, heel, toe and tip. Thresholds follow the clip: height counts from the lowest the
point gets within a stride, so a floor that drifts, slopes or climbs does no harm, and speed is held against the
body's own. Kim and Neff 2011, section 5.1; contacts of several points merged as in Coleman 2012, section 6.4.
"""

from dataclasses import dataclass

import numpy as np

from editor.contacts.feet import find_limb, heel_offset, limb_points
from model.arrays import Array
from model.contacts import FEET, HANDS, Contacts, Mask, intervals
from model.motion import Motion
from model.roles import Role
from model.rotation import rotate

# Smoothing: a polynomial of this degree over this time. Noisier clips are smoothed over longer.
_SMOOTH_S, _SMOOTH_DEGREE = 0.1, 4
_NOISY_M = 0.0008
# A walking foot has stood on the ground within this time of any moment; stairs rise little within it.
_NEARBY_S = 0.5
# How high above its lowest a resting point may be: this share of the ankle's rise, within these bounds.
_HEIGHT_SHARE, _HEIGHT_LEAST_M, _HEIGHT_MOST_M = 0.25, 0.02, 0.06
# How fast a resting point may be: surely resting, and still resting once it was surely so; m/s, and a share of
# the body's speed.
_SURE_SPEED, _SURE_SHARE = 0.12, 0.15
_STILL_SPEED, _STILL_SHARE = 0.25, 0.25
# So much later than it leaves a foot is seen to leave.
_LAG_S = 0.015
# Shorter gaps are closed where the foot stays low and near, shorter contacts dropped.
_GAP_S, _GAP_M = 0.12, 0.06
_SHORTEST_S = 0.05
# A hand this near to the ground and no faster leans on it: hands are there for nothing else, and rigs without
# palms show a wrist that rolls over its hand.
_HAND_M, _HAND_SPEED = 0.25, 1.0
# A foot this much higher than the other's ground stands on nothing; steps of stairs are lower.
_STEP_M = 0.35
# A foot this much higher than where it stood before and will stand next has stepped onto something only if it
# carries the body alone for so long; else it hangs in the air, slow at the top of a skip or held up.
_HANG_M, _CARRY_S = 0.1, 0.1


@dataclass(frozen=True, eq=False)
class _Watched:
    """The points of one limb. positions : (F, P, 3) smoothed; speeds : (F, P) m/s."""

    positions: Array
    speeds: Array

    @property
    def heights(self) -> Array:
        return self.positions[..., 1]


def find_contacts(motion: Motion, hands: bool = False) -> Contacts:
    """When the feet, and if asked the hands, of a motion rest on the ground.

    Limbs whose ankle (or wrist) has no role are left out. A motion of fewer than five frames is judged by height
    alone: a foot that is at its lowest rests.
    """
    skeleton, step_s = motion.skeleton, motion.frame_time_s
    feet = {name: limb for name in FEET if (limb := find_limb(skeleton, name)) is not None}
    watched = {name: _watch(limb_points(motion, limb), step_s) for name, limb in feet.items()}
    body_speed = _body_speed(motion)
    masks = {name: _rests(foot, body_speed, step_s) for name, foot in watched.items()}
    soles = {
        name: _with_heel(foot, motion.world.rotations[:, feet[name].end], masks[name], step_s)
        for name, foot in watched.items()
    }
    masks = {name: _rests(sole, body_speed, step_s) for name, sole in soles.items()}
    airborne = ~np.any(list(masks.values()), axis=0)
    masks = {name: _with_more(masks[name], _rests(sole, body_speed, step_s, airborne)) for name, sole in soles.items()}
    masks = _without_raised(watched, masks)
    masks = _without_hanging(watched, masks, step_s)
    ground = _ground(watched, masks)
    limbs = {limb: intervals(mask) for limb, mask in masks.items()}
    if hands:
        for name in HANDS:
            arm = find_limb(skeleton, name)
            if arm is not None:
                limbs[name] = intervals(_hand_rests(_watch(limb_points(motion, arm), step_s), ground, step_s))
    return Contacts(motion.frames, limbs, ground)


def _watch(positions: Array, frame_time_s: float, smooth: bool = True) -> _Watched:
    """Points smoothed, with their speeds. positions : (F, P, 3)."""
    if smooth:
        positions = _smoothed(positions, frame_time_s)
    if len(positions) < 2:
        return _Watched(positions, np.zeros(positions.shape[:2]))
    velocity = np.gradient(positions, frame_time_s, axis=0)
    return _Watched(positions, np.sqrt(np.sum(velocity * velocity, axis=-1)))


def _smoothed(values: Array, frame_time_s: float) -> Array:
    """Savitzky-Golay smoothing along frames, over twice the time where the clip is noisy. values : (F, ...)."""

    def window(seconds: float) -> int:
        most = len(values) if len(values) % 2 else len(values) - 1
        return min(max(round(seconds / frame_time_s) | 1, 5), most)

    if len(values) < 5:
        return values
    width = window(_SMOOTH_S)
    once = savitzky_golay(values, width, _SMOOTH_DEGREE)
    noise = float(np.median(np.abs(values - once)))
    if noise < _NOISY_M or window(2.0 * _SMOOTH_S) == width:
        return once
    return savitzky_golay(values, window(2.0 * _SMOOTH_S), 2)


def savitzky_golay(values: Array, width: int, degree: int) -> Array:
    """Each value replaced by that of the polynomial that fits it and its neighbours best. values : (F, ...).

    width : an odd number of frames, at most F; near the ends the polynomials of the first and last `width` frames are
    used. As scipy.signal's, which takes a second to import.
    """
    from scipy.ndimage import correlate1d

    half = width // 2
    at = np.vander(np.arange(-half, half + 1.0), degree + 1, increasing=True)
    fitted = at @ np.linalg.pinv(at)  # (W, W) from values to those of their polynomial
    result = np.asarray(correlate1d(values, fitted[half], axis=0, mode="nearest"))
    result[:half] = np.tensordot(fitted[:half], values[:width], axes=1)
    result[len(values) - half :] = np.tensordot(fitted[half + 1 :], values[-width:], axes=1)
    return result


def _body_speed(motion: Motion) -> Array:
    """(F,) how fast the body travels over ground, without the sway within a step."""
    from scipy.ndimage import uniform_filter1d

    pelvis = motion.world.positions[:, motion.skeleton.joint(Role.PELVIS) or 0]
    if motion.frames < 2:
        return np.zeros(motion.frames)
    velocity = np.gradient(_smoothed(pelvis, motion.frame_time_s)[:, [0, 2]], motion.frame_time_s, axis=0)
    mean = uniform_filter1d(velocity, max(1, round(0.4 / motion.frame_time_s)), axis=0, mode="nearest")
    return np.asarray(np.sqrt(np.sum(mean * mean, axis=-1)))


def _floors(heights: Array, frame_time_s: float) -> tuple[Array, Array]:
    """(F, P) each: the lowest that each point was shortly before or will be shortly after; the higher, the lower.

    Looking to both sides apart, a foot that strikes uphill is measured against where it will stand, and one that
    leaves against where it stood: that is the higher. In a long swing it may lie in the air; the lower hardly does.
    """
    from scipy.ndimage import minimum_filter1d

    half = 2 * max(1, round(0.5 * _NEARBY_S / frame_time_s))
    before = minimum_filter1d(heights, half + 1, axis=0, mode="nearest", origin=half // 2)
    after = minimum_filter1d(heights, half + 1, axis=0, mode="nearest", origin=-(half // 2))
    return np.asarray(np.maximum(before, after)), np.asarray(np.minimum(before, after))


def _rests(points: _Watched, body_speed: Array, frame_time_s: float, airborne: Mask | None = None) -> Mask:
    """(F,) whether any point of a foot rests.

    airborne : (F,) frames in which no foot was found to rest. A foot that is down with all its points then carries
    the body even if it slides, as in a sudden stop.
    """
    heights = points.heights
    floor, lowest = _floors(heights, frame_time_s)
    above = heights - floor
    rise = float(np.percentile(above[:, 0], 97)) if len(above) else 0.0
    allowed = float(np.clip(_HEIGHT_SHARE * rise, _HEIGHT_LEAST_M, _HEIGHT_MOST_M))
    speeds = points.speeds
    sure = (above < allowed) & (speeds < (_SURE_SPEED + _SURE_SHARE * body_speed)[:, None])
    if airborne is not None:
        sure |= (airborne & np.all(heights - lowest < allowed, axis=1))[:, None]
    still = (above < 1.5 * allowed) & (speeds < (_STILL_SPEED + _STILL_SHARE * body_speed)[:, None])
    resting = np.zeros(len(heights), dtype=bool)
    for point in range(heights.shape[1]):
        for run in intervals(still[:, point]):
            if np.any(sure[run.start : run.stop, point]):
                resting[run.start : run.stop] = True
    _close_gaps(resting, points.positions, above, 2.0 * allowed, frame_time_s)
    _drop_short(resting, frame_time_s)
    _allow_for_lag(resting, frame_time_s)
    return resting


def _with_more(resting: Mask, other: Mask) -> Mask:
    """`resting` with the contacts of `other` that are no part of its own: none of its own becomes longer."""
    result = resting.copy()
    for run in intervals(other):
        if not np.any(resting[run.start : run.stop]):
            result[run.start : run.stop] = True
    return result


def _allow_for_lag(resting: Mask, frame_time_s: float) -> None:
    """End contacts a moment sooner: a foot leaves so gently that it is seen to only then. `resting` is changed."""
    lag = round(_LAG_S / frame_time_s)
    for run in intervals(resting):
        if run.stop < len(resting) and run.stop - run.start > 3 * lag:
            resting[run.stop - lag : run.stop] = False


def _close_gaps(resting: Mask, positions: Array, above: Array, low: float, frame_time_s: float) -> None:
    """Fill short gaps in which the foot stays low and near; `resting` is changed."""
    for gap in intervals(~resting):
        if gap.start == 0 or gap.stop == len(resting) or gap.stop - gap.start > _GAP_S / frame_time_s:
            continue
        part = slice(gap.start, gap.stop)
        lowest = int(np.argmin(np.mean(above[part], axis=0)))
        moved = positions[gap.stop, lowest] - positions[gap.start - 1, lowest]
        if float(np.linalg.norm(moved)) < _GAP_M and float(np.max(np.min(above[part], axis=1))) < low:
            resting[part] = True


def _drop_short(resting: Mask, frame_time_s: float) -> None:
    """Take out contacts too short to be steps; `resting` is changed. Those cut by the clip's ends may be shorter."""
    for run in intervals(resting):
        cut = run.start == 0 or run.stop == len(resting)
        # Rates in files are rounded: a hundredth of a frame decides nothing.
        if (run.stop - run.start + 0.01) * frame_time_s < _SHORTEST_S * (0.5 if cut else 1.0):
            resting[run.start : run.stop] = False


def _with_heel(foot: _Watched, ankle_rotations: Array, resting: Mask, frame_time_s: float) -> _Watched:
    """The foot watched at its heel too, which is read off the frames in which the ankle rests, if there are such."""
    offset = heel_offset(ankle_rotations, foot.positions, resting & (foot.speeds[:, 0] < _SURE_SPEED))
    if offset is None:
        return foot
    heel = foot.positions[:, :1] + rotate(ankle_rotations, offset)[:, None]
    return _watch(np.concatenate([foot.positions, heel], axis=1), frame_time_s, smooth=False)


def _without_raised(watched: dict[str, _Watched], masks: dict[str, Mask]) -> dict[str, Mask]:
    """The masks without spans in which a foot is held still in the air, high above where the other stands."""
    if len(watched) < 2:
        return masks
    lowest = {limb: np.min(points.heights, axis=1) for limb, points in watched.items()}
    result = {}
    for limb, mask in masks.items():
        (other,) = (name for name in watched if name != limb)
        raised = masks[other] & (lowest[limb] > lowest[other] + _STEP_M)
        result[limb] = mask & ~raised
    return result


def _without_hanging(watched: dict[str, _Watched], masks: dict[str, Mask], frame_time_s: float) -> dict[str, Mask]:
    """The masks without contacts above those of the same foot before and after that hardly carry the body alone."""
    if len(watched) < 2:
        return masks
    result = {}
    for limb, mask in masks.items():
        (other,) = (name for name in watched if name != limb)
        lowest = np.min(watched[limb].heights, axis=1)
        runs = intervals(mask)
        heights = [float(np.median(lowest[run.start : run.stop])) for run in runs]
        result[limb] = mask.copy()
        for n in range(1, len(runs) - 1):
            frames = slice(runs[n].start, runs[n].stop)
            hangs = heights[n] > max(heights[n - 1], heights[n + 1]) + _HANG_M
            if hangs and np.sum(~masks[other][frames]) * frame_time_s < _CARRY_S:
                result[limb][frames] = False
    return result


def _ground(watched: dict[str, _Watched], masks: dict[str, Mask]) -> float:
    """The floor's height: where the lowest points of a resting foot usually are, of the foot that stands lower.

    The soles of a recorded figure are rarely at one height; neither shall stand in the ground.
    """
    feet = [np.min(points.heights, axis=1) for points in watched.values()]
    resting = [lowest[mask] for lowest, mask in zip(feet, masks.values(), strict=True) if np.any(mask)]
    if resting:
        return min(float(np.median(heights)) for heights in resting)
    return float(min((np.min(heights) for heights in feet if heights.size), default=0.0))


def _hand_rests(points: _Watched, ground_m: float, frame_time_s: float) -> Mask:
    """(F,) whether a hand rests on the ground: near the floor that the feet stand on, and still."""
    above = points.heights - ground_m
    resting: Mask = np.any((above < _HAND_M) & (points.speeds < _HAND_SPEED), axis=1)
    _close_gaps(resting, points.positions, above, 1.5 * _HAND_M, frame_time_s)
    _drop_short(resting, frame_time_s)
    return resting
