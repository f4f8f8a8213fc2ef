"""From a line with corners to one that can be walked: corners are rounded, reversals widened, wiggles evened out.

A corner becomes an arc of the radius that its speed allows, r = v^2 / a, which leaves it by 0.41 r at a right angle. A
line that stands for a bend, a vertex every few centimetres, keeps its shape: its arcs meet in the middles of its
segments. Where the line turns back on itself the walker swings out to one side instead of cutting the tip off.
"""

from collections.abc import Callable
from typing import Literal

import numpy as np

from editor.walking.curve import Curve, curve_through
from model.arrays import Array
from model.contacts import Mask
from model.limits import MOST_PATH_M
from model.path import Path
from model.smoothing import smoothed

# Sideways a body is moved no harder than this, m/s^2.
LATERAL_M_S2 = 3.6
# A vertex nearer than this to the line without it is no corner. What cannot be walked is smoothed over that much.
_FLAT_M, _ROUGHER_M = 0.0015, (0.3, 0.6, 1.2, 2.4)
# So far from its vertex every arc may stay, whatever its radius: gentle bends have wide ones.
_GENTLE_M = 0.008
# Turns sharper than this are reversals, walked on a circle of this radius or more.
_REVERSAL_RAD, _REVERSAL_M = np.radians(115.0), 0.2
# Nobody turns tighter while going on.
_TIGHTEST_M = 0.19
# Curvature comes and goes over about this length.
_EASE_M = 0.3
_FINE_M = 0.005
_ROUNDS = 12
# Shorter lines are no way.
SHORTEST_M = 0.3

# Corners are taken slower than straights by those who are faster than this, m/s: by walkers at this share of their
# speed, by runners at that.
_UNHURRIED_M_S = 0.9
_WALKING_M_S, _WALKING_SHARE, _RUNNING_M_S, _RUNNING_SHARE = 1.6, 0.8, 3.2, 0.5

Radius = Callable[[Array], Array]


def corner_radii(speeds_m_s: Array) -> Array:
    """(N,) the radii that corners are given by those who go this fast (N,)."""
    shares = np.interp(speeds_m_s, [_WALKING_M_S, _RUNNING_M_S], [_WALKING_SHARE, _RUNNING_SHARE])
    slowed = np.maximum(np.minimum(speeds_m_s, _UNHURRIED_M_S), shares * speeds_m_s)
    return np.asarray(np.square(slowed) / LATERAL_M_S2)


def rounded(line: Array, closed: bool = False, radius_at: Radius | None = None) -> Curve:
    """The curve to walk along a line. line : (N, 2) x and z; radius_at : for metres along the line (M,), the radius
    (M,) that corners there are given, 0.47 m if not given (a walk at 1.3 m/s). Raises ValueError for a line that is
    none.
    """
    points = check_line(line, closed)
    radius_at = radius_at or (lambda arc: np.full(len(arc), 0.47))
    for window_m in (0.0, *_ROUGHER_M):
        if window_m:
            points = _smooth(_filled(points, closed), window_m / _FINE_M, closed, keep_peaks=False)
        vertices, limits = _widened(_simplified(points, closed), closed, radius_at)
        curve = _evened(_filleted(vertices, limits, closed), closed)
        if curve.tightest_m > 0.7 * _TIGHTEST_M:
            break
    return curve


def check_line(line: Array, closed: bool = False) -> Array:
    """The line's points (N, 2) without repetitions. Raises ValueError naming what is wrong."""
    points = np.asarray(line, dtype=np.float64)
    if points.ndim != 2 or points.shape[1] != 2:
        raise ValueError(f"the path's points have shape {points.shape}; they must be pairs x, z")
    if not np.all(np.isfinite(points)):
        raise ValueError(f"point {int(np.argmin(np.all(np.isfinite(points), axis=1)))} of the path is no number")
    if len(points) and np.max(np.abs(points)) > 1e6:
        raise ValueError("a point of the path lies more than 1,000 km away")
    if len(points) < 2:
        raise ValueError("a path needs two points or more")
    keep = np.concatenate([[True], np.hypot(*np.diff(points, axis=0).T) > 1e-6])
    points = points[keep]
    if closed and len(points) > 2 and np.hypot(*(points[0] - points[-1])) < 1e-6:
        points = points[:-1]
    length = float(np.sum(np.hypot(*np.diff(points, axis=0).T)))
    if length < SHORTEST_M:
        raise ValueError(f"the path is {100.0 * length:.0f} cm long; a walk needs {100.0 * SHORTEST_M:.0f} cm or more")
    whole = length + (float(np.hypot(*(points[0] - points[-1]))) if closed else 0.0)
    if whole > MOST_PATH_M:
        raise ValueError(
            f"the path is {whole:,.0f} m long; a walk can have {MOST_PATH_M:,.0f} m at most. Draw a shorter one, or "
            "walk it in parts"
        )
    if closed and len(points) < 3:
        raise ValueError("a closed path needs three points or more")
    return np.asarray(points)


def _simplified(points: Array, closed: bool) -> Array:
    """The line without vertices that hardly bend it (Douglas and Peucker 1973)."""
    if closed:
        half = int(np.argmax(np.hypot(*(points - points[0]).T)))
        first = _kept(points[: half + 1])
        second = _kept(np.concatenate([points[half:], points[:1]]))
        return np.concatenate([points[: half + 1][first], np.concatenate([points[half:], points[:1]])[second][1:-1]])
    return np.asarray(points[_kept(points)])


def _kept(points: Array) -> Mask:
    """(N,) which vertices are needed for the line to come within `_FLAT_M` of all of them."""
    keep = np.zeros(len(points), dtype=bool)
    keep[[0, -1]] = True
    waiting = [(0, len(points) - 1)]
    while waiting:
        start, stop = waiting.pop()
        if stop - start < 2:
            continue
        along = points[stop] - points[start]
        away = points[start + 1 : stop] - points[start]
        size = float(np.hypot(*along))
        if size > 1e-9:
            part = np.clip(away @ along / size**2, 0.0, 1.0)
            away = away - part[:, None] * along
        far = np.hypot(*away.T)
        worst = int(np.argmax(far))
        if far[worst] > _FLAT_M:
            middle = start + 1 + worst
            keep[middle] = True
            waiting += [(start, middle), (middle, stop)]
    return keep


def _corners(points: Array, closed: bool) -> tuple[Array, Array, Array]:
    """At each inner vertex (all of a closed line): lengths of the segments before and after, and the turn, in rad."""
    ring = np.concatenate([points[-1:], points, points[:1]]) if closed else points
    steps = np.diff(ring, axis=0)
    sizes = np.hypot(*steps.T)
    cross = steps[:-1, 1] * steps[1:, 0] - steps[:-1, 0] * steps[1:, 1]
    turns = np.arctan2(cross, np.sum(steps[:-1] * steps[1:], axis=1))
    return sizes[:-1], sizes[1:], turns


def _widened(points: Array, closed: bool, radius_at: Radius) -> tuple[Array, Array]:
    """The line with reversals swung out, and for each of its vertices the radius (N,) that it should be given."""
    arc = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    wanted = np.maximum(radius_at(arc), _TIGHTEST_M)
    before, after, turns = _corners(points, closed)
    if not closed:
        before, after, turns = (np.concatenate([[0.0], one, [0.0]]) for one in (before, after, turns))
    # Cutting a corner off by no more than a right angle's is cut.
    half = np.clip(0.5 * np.abs(turns), 0.0, 1.5)
    cut = 1.0 / np.cos(half) - 1.0
    radii = np.minimum(wanted, np.where(cut > 0.4142, 0.4142 * wanted / np.maximum(cut, 1e-9), wanted))
    vertices, limits = [], []
    for n, point in enumerate(points):
        room = min(before[n], after[n])
        if abs(turns[n]) < _REVERSAL_RAD or room < 2.0 * _REVERSAL_M:
            vertices.append(point[None])
            limits.append(radii[n : n + 1])
            continue
        radius = min(max(_REVERSAL_M, 0.2 * wanted[n]), 0.25 * room)
        swing = _swung(points[n - 1], point, points[(n + 1) % len(points)], np.sign(turns[n]), room, radius)
        vertices.append(swing)
        limits.append(np.full(len(swing), radius))
    return np.concatenate(vertices), np.concatenate(limits)


def _swung(before: Array, tip: Array, after: Array, side: float, room: float, radius: float) -> Array:
    """(7, 2) a way round the tip of a reversal: out to one side, round and back. side : 1 where it turns left."""
    ahead, back = tip - before, after - tip
    ahead, back = ahead / np.hypot(*ahead), back / np.hypot(*back)
    outward = ahead - back
    outward = outward / np.hypot(*outward)
    aside = np.array([outward[1], -outward[0]]) * side  # to the left of outward where the turn is to the left
    centre = tip - radius * outward
    away = min(4.0 * radius, 0.5 * room)
    at = np.linspace(-0.5 * np.pi, 0.5 * np.pi, 5)[:, None]
    around = centre + radius * (np.sin(at) * aside + np.cos(at) * outward)
    return np.concatenate([[tip - away * ahead], around, [tip + away * back]])


def _filleted(points: Array, radii: Array, closed: bool) -> Array:
    """(M, 2) a dense line with every vertex replaced by an arc of its radius, or what its segments have room for."""
    before, after, turns = _corners(points, closed)
    inner = np.arange(len(points)) if closed else np.arange(1, len(points) - 1)
    shares = np.full((2, len(inner)), 0.5)
    if not closed and len(inner):
        shares[0, 0] = shares[1, -1] = 1.0
    half = np.clip(0.5 * np.abs(turns), 0.0, 1.56)
    wanted = np.maximum(radii[inner] * np.tan(half), _GENTLE_M / np.maximum(np.tan(0.5 * half), 1e-9))
    reach = np.minimum(wanted, np.minimum(shares[0] * before, shares[1] * after))
    pieces: list[Array] = [] if closed else [points[:1]]
    for n, at in enumerate(inner):
        corner, turn, t = points[at], float(turns[n]), float(reach[n])
        ahead = (corner - points[at - 1]) / max(before[n], 1e-12)
        if abs(turn) < 1e-6 or t < 1e-6:
            pieces.append(corner[None])
            continue
        radius = t / np.tan(0.5 * abs(turn)) if abs(turn) < 3.1 else 1e-3
        count = max(2, int(np.ceil(radius * abs(turn) / _FINE_M)))
        swept = turn * np.linspace(0.0, 1.0, count + 1)
        heading = np.arctan2(ahead[0], ahead[1])
        signed = radius * np.sign(turn)
        # The integral of the heading's direction over the arc.
        x = signed * (np.cos(heading) - np.cos(heading + swept))
        z = signed * (np.sin(heading + swept) - np.sin(heading))
        pieces.append(corner - t * ahead + np.stack([x, z], axis=-1))
    if not closed:
        pieces.append(points[-1:])
    return _filled(np.concatenate(pieces), closed)


def _filled(points: Array, closed: bool) -> Array:
    """(M, 2) the line with points every few millimetres."""
    ring = np.concatenate([points, points[:1]]) if closed else points
    steps = np.hypot(*np.diff(ring, axis=0).T)
    keep = np.concatenate([[True], steps > 1e-9])
    arc = np.concatenate([[0.0], np.cumsum(steps)])[keep]
    at = np.linspace(0.0, arc[-1], max(16, round(float(arc[-1]) / _FINE_M)) + 1)
    dense = np.stack([np.interp(at, arc, column) for column in ring[keep].T], axis=-1)
    return dense[:-1] if closed else dense


def _evened(dense: Array, closed: bool) -> Curve:
    """The curve along a dense line, its curvature coming and going, and nowhere tighter than a walker can turn."""
    window = _EASE_M / _FINE_M
    curve = curve_through(_smooth(dense, window, closed), closed)
    for _ in range(_ROUNDS):
        arc = np.linspace(0.0, curve.length_m, len(dense), endpoint=not closed)
        tight = np.abs(curve.curvatures(arc)) > 1.05 / _TIGHTEST_M
        if not np.any(tight):
            break
        share = _near(tight, 2.0 * window, closed)[:, None]
        here = curve.places(arc)
        dense = here + share * (_smooth(here, window, closed, keep_peaks=False) - here)
        curve = curve_through(dense, closed)
    return curve


def _smooth(points: Array, window: float, closed: bool, keep_peaks: bool = True) -> Array:
    """Points (N, 2) without what bends within the window."""
    if not closed:
        return smoothed(points, window, keep_peaks)
    count = len(points)
    margin = min(count, int(4.0 * window))
    ring = np.take(points, np.arange(-margin, count + margin), axis=0, mode="wrap")
    return smoothed(ring, window, keep_peaks)[margin : margin + count]


def _near(mask: Mask, width: float, closed: bool) -> Array:
    """(N,) 1 where the mask is set, fading to 0 within so many samples."""
    from scipy.ndimage import maximum_filter1d, uniform_filter1d

    mode: Literal["wrap", "nearest"] = "wrap" if closed else "nearest"
    size = max(3, int(width)) | 1
    return np.asarray(uniform_filter1d(maximum_filter1d(mask.astype(np.float64), size, mode=mode), size, mode=mode))


class ArcsOf:
    """Where on the curve places of a drawn path are, both in metres from their starts: rounded corners make the curve
    shorter.
    """

    def __init__(self, curve: Curve, path: Path) -> None:
        line = path.line()
        line = np.concatenate([line, line[:1]]) if path.closed else line
        self._curve, self._line = curve, line
        self._arc = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])

    @property
    def length_m(self) -> float:
        """How long the path is as it is drawn."""
        return float(self._arc[-1])

    def of_path(self, path_m: float) -> float:
        """Metres along the curve of the place that is nearest to that so many metres along the path."""
        whole = float(self._arc[-1])
        if not 0.0 < path_m < whole:
            return path_m + (self._curve.length_m - whole if path_m >= whole else 0.0)
        place = np.array([np.interp(path_m, self._arc, column) for column in self._line.T])
        # Only near where it should be: a path may cross itself.
        about = path_m / whole * self._curve.length_m
        reach = 0.5 + abs(self._curve.length_m - whole)
        near = np.clip(np.linspace(about - reach, about + reach, 400), 0.0, self._curve.length_m)
        return float(near[int(np.argmin(np.hypot(*(self._curve.places(near) - place).T)))])
