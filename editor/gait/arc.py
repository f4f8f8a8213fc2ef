"""The circular arc, walked at constant speed, that comes nearest to a path on the floor.

It gives a locomotion clip its speed and its turning. The arc is told by its curvature, not its radius, so a
straight line is an arc like any other. Park et al. 2002, section 4, eq. 1; Akbay 2011, section 4.1.3.

Headings are angles about +Y: 0 is +Z, and what turns left grows.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from model.arrays import Array, require_shape

_Complex = npt.NDArray[np.complex128]

# The search for the turning tries this many points of the path, and angles this far apart.
_SEARCH_POINTS, _SEARCH_STEP_RAD = 256, 0.4
# More turning than this is found only where the caller says about how much there is.
_MOST_TURNING_RAD = 40.0 * np.pi


@dataclass(frozen=True, eq=False)
class Arc:
    """A walk at constant speed and turning. start : (2,) x and z at time 0; residual_m : rms distance from the path."""

    start: Array
    heading_rad: float
    speed_m_s: float
    turning_rad_s: float
    duration_s: float
    residual_m: float

    @property
    def length_m(self) -> float:
        """How long the way is."""
        return self.speed_m_s * self.duration_s

    @property
    def turned_rad(self) -> float:
        """By how much the heading changes in all, left positive."""
        return self.turning_rad_s * self.duration_s

    def at(self, times_s: Array) -> Array:
        """Where the walk is. times_s : (...) from the start, may lie outside the duration -> (..., 2) x and z."""
        times = np.asarray(times_s, dtype=np.float64)
        way = self.speed_m_s * np.exp(1j * self.heading_rad) * _travel(self.turning_rad_s, times)
        return np.asarray(self.start + np.stack([way.imag, way.real], axis=-1))

    def headings_at(self, times_s: Array) -> Array:
        """(...) where the walk heads, in radians, not wrapped."""
        return np.asarray(self.heading_rad + self.turning_rad_s * np.asarray(times_s, dtype=np.float64))


def fit_arc(points: Array, frame_time_s: float, about_rad: float = 0.0, within_rad: float = _MOST_TURNING_RAD) -> Arc:
    """The arc nearest to a path in the least-squares sense, each point at its own time.

    points : (F, 2) x and z of each frame. Two points make a straight line, one stands. about_rad, within_rad : the
    turning in all is looked for this near to this; what sways more than it goes can be read in many ways, and whoever
    knows how the body turns should say so. For a given turning the rest of the arc is linear in the path, so only the
    turning is searched for: over a grid, then within the best part of it.
    """
    require_shape("points", points, (2,))
    if points.ndim != 2 or len(points) == 0:
        raise ValueError(f"points has shape {points.shape}; it must be (F, 2) with at least one point")
    offsets = points - points[0]
    path = offsets[:, 1] + 1j * offsets[:, 0]  # z + i x: multiplying by i turns left
    progress = np.linspace(-0.5, 0.5, len(path)) if len(path) > 1 else np.zeros(1)
    turned = _best_turning(path, progress, about_rad, within_rad)
    middle, step, residual = _fit(path, progress, turned)
    start = complex(middle + step * _travel(turned, np.array(-0.5)))
    duration = (len(path) - 1) * frame_time_s
    heading = float(np.angle(step)) - 0.5 * turned
    return Arc(
        start=points[0] + np.array([start.imag, start.real]),
        heading_rad=float(np.angle(np.exp(1j * heading))),
        speed_m_s=float(np.abs(step)) / duration if duration > 0.0 else 0.0,
        turning_rad_s=turned / duration if duration > 0.0 else 0.0,
        duration_s=duration,
        residual_m=float(np.sqrt(residual / len(path))),
    )


def _travel(turning: Array | float, times: Array) -> _Complex:
    """The way after `times` at unit speed and this turning, heading along the real axis at time 0.

    The integral of exp(i turning t): t exp(i a) sin(a)/a with a = turning t / 2, as good at no turning as at any.
    """
    half = 0.5 * np.multiply(turning, times)
    return np.asarray(times * np.sinc(half / np.pi) * np.exp(1j * half))


def _fit(path: _Complex, progress: Array, turned: Array | float) -> tuple[complex, complex, float]:
    """The arc of this turning: its middle, its way there as a complex number, and the squares left over."""
    shape = _travel(turned, progress)
    centred = shape - np.mean(shape)
    spread = float(np.vdot(centred, centred).real)
    step = complex(np.vdot(centred, path)) / spread if spread > 0.0 else 0j
    middle = complex(np.mean(path) - step * np.mean(shape))
    left_over = path - middle - step * shape
    return middle, step, float(np.vdot(left_over, left_over).real)


def _best_turning(path: _Complex, progress: Array, about_rad: float, within_rad: float) -> float:
    """The turning in all whose arc leaves the least over; of equals the one that turns least."""
    from scipy.optimize import minimize_scalar  # slow to import

    # Two points say nothing of turning, and no more than a quarter turn is read into a frame.
    most = min(within_rad, 0.5 * np.pi * (len(path) - 2))
    if most <= 0.0 or not np.any(path):
        return about_rad
    count = int(np.ceil(most / _SEARCH_STEP_RAD))
    tried = about_rad + most * np.arange(-count, count + 1) / count
    tried = tried[np.argsort(np.abs(tried), kind="stable")]
    some = np.unique(np.linspace(0, len(path) - 1, min(len(path), _SEARCH_POINTS)).round().astype(np.intp))
    left_over = [_fit(path[some], progress[some], turned)[2] for turned in tried]
    best = float(tried[int(np.argmin(left_over))])
    reach = most / count
    refined = minimize_scalar(
        lambda turned: np.sqrt(_fit(path, progress, turned)[2]),
        bounds=(max(best - reach, about_rad - most), min(best + reach, about_rad + most)),
        method="bounded",
        options={"xatol": 1e-10},
    )
    return float(refined.x)
