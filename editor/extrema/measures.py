"""How extreme a configuration of points is at each frame: three differential measures, and spatial extremeness.

Each takes positions (F, P, 3) of P points in metres and gives (F,), the mean over the points: for the body what the
thesis sums, for a single point its own (Coleman 2012, sections 5.3 and 5.4). Differences are taken over a thirtieth of
a second, or a frame where frames are longer: so they are the same at all rates, and less is noise.
"""

from collections.abc import Callable
from enum import StrEnum

import numpy as np

from editor.extrema.neighbourhood import lags_of, mean_distances, sample_frames
from model.arrays import Array, require_shape
from model.smoothing import smoothed

# Movement to and fro this quick says nothing of extreme poses.
_TREMBLING_S = 0.12
# Edges of a path whose directions differ by less, as the sine of the angle, lie on one line and curve nowhere.
_STRAIGHT = 1e-7


class Measure(StrEnum):
    """What is looked at to find extrema. Printed, it is Python."""

    SPATIAL = "spatial"
    VELOCITY = "velocity"
    ACCELERATION = "acceleration"
    CURVATURE = "curvature"

    def __repr__(self) -> str:
        return f"Measure({self.value!r})"


def speed(positions: Array, frame_time_s: float) -> Array:
    """(F,) m/s, by central differences; at the ends of the motion by what there is of them."""
    points = _frames_last(positions)
    frames, step = points.shape[-1], sample_frames(frame_time_s)
    at = np.arange(frames)
    before, after = np.maximum(at - step, 0), np.minimum(at + step, frames - 1)
    time_s = np.maximum(after - before, 1) * frame_time_s
    return np.asarray(np.mean(_length(points[..., after] - points[..., before]), axis=0) / time_s)


def acceleration(positions: Array, frame_time_s: float) -> Array:
    """(F,) m/s², by central differences; the first and last of them are held to the ends of the motion."""
    points = _frames_last(positions)
    step = sample_frames(frame_time_s)
    backward, forward = _edges(points, step)
    inside = np.mean(_length(backward + forward), axis=0) / (step * frame_time_s) ** 2
    return _held(inside, points.shape[-1])


def pseudo_curvature(positions: Array, frame_time_s: float) -> Array:
    """(F,) how sharply paths bend, 0 to 1: n·e/|e|, averaged over the edges e away from a sample on both sides.

    n is the normal of the Frenet frame, across the chord between the samples before and after, in the plane of the two
    edges. Where these lie on one line there is no such plane, and the value is 0. Section 5.3.1, after Taubin 1995.
    """
    points, step = _frames_last(positions), sample_frames(frame_time_s)
    # A point at a time: what is needed on the way is many times as much as the points.
    curved = np.concatenate([_bends(points[n : n + 1], step) for n in range(len(points))])
    return _held(np.mean(curved, axis=0), points.shape[-1])


def _bends(points: Array, step: int) -> Array:
    """(P, F - 2 step) how sharply the paths of points (P, 3, F) bend."""
    backward, forward = _edges(points, step)
    lengths = _length(backward), _length(forward)
    chord, bend = forward - backward, forward + backward
    across = np.cross(np.cross(chord, bend, axis=1), chord, axis=1)
    normal = across / np.maximum(_length(across), 1e-300)[:, None]
    parts = [
        np.abs(np.sum(normal * edge, axis=1)) / np.maximum(length, 1e-300)
        for edge, length in zip((backward, forward), lengths, strict=True)
    ]
    sine = _length(np.cross(backward, forward, axis=1)) / np.maximum(lengths[0] * lengths[1], 1e-300)
    return np.where(sine > _STRAIGHT, 0.5 * (parts[0] + parts[1]), 0.0)


def spatial_extremeness(positions: Array, frame_time_s: float) -> Array:
    """(F,) metres from the configurations of the temporal neighbourhood, on average (section 5.4, eq. 5.1 to 5.3).

    Noise ends neighbourhoods too soon, and their bounds jump. So trembling is taken out of the positions, and steps out
    of the measure, both of which section 5.5 suggests.
    """
    points = _frames_last(without_trembling(positions, frame_time_s))
    frames = points.shape[-1]
    # What does not tremble is told by its frames at half the steps along which neighbourhoods grow.
    step = max(1, sample_frames(frame_time_s) // 2)
    some = np.minimum(np.arange(0, frames + step - 1, step), frames - 1)
    distances = mean_distances(points[..., some], lags_of(step * frame_time_s, len(some)))
    return without_trembling(np.interp(np.arange(frames), some, distances), frame_time_s)


def without_trembling(values: Array, frame_time_s: float) -> Array:
    """Values (F, ...) without what is too quick to matter for extreme poses."""
    return smoothed(values, _TREMBLING_S / frame_time_s)


MEASURES: dict[Measure, Callable[[Array, float], Array]] = {
    Measure.SPATIAL: spatial_extremeness,
    Measure.VELOCITY: speed,
    Measure.ACCELERATION: acceleration,
    Measure.CURVATURE: pseudo_curvature,
}


def _frames_last(positions: Array) -> Array:
    """(P, 3, F), what happens to a point being one straight run through memory."""
    require_shape("positions", positions, (None, None, 3))
    if not len(positions) or not positions.shape[1]:
        raise ValueError(f"positions has shape {positions.shape}: there must be a frame and a point")
    return np.ascontiguousarray(np.moveaxis(positions, 0, -1))


def _edges(points: Array, step: int) -> tuple[Array, Array]:
    """(P, 3, F - 2 step) from each sample to the one before it, and to the one after it; none in a short motion."""
    frames = points.shape[-1]
    if frames <= 2 * step:
        nothing = np.zeros((*points.shape[:2], 1))
        return nothing, nothing
    here = points[..., step:-step]
    return points[..., : frames - 2 * step] - here, points[..., 2 * step :] - here


def _held(inside: Array, frames: int) -> Array:
    """(F,) values of the middle of a motion, with the first and last of them held to its ends."""
    margin = (frames - len(inside)) // 2
    return np.pad(inside, (margin, frames - len(inside) - margin), mode="edge")


def _length(vectors: Array) -> Array:
    """Vectors (P, 3, F) -> (P, F)."""
    return np.asarray(np.sqrt(np.sum(vectors * vectors, axis=1)))
