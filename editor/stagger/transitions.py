"""Transitions between knots: a spline for the sweep of a movement, and a displacement map for all that it misses.

Each joint goes from knot to knot on a cubic Bezier curve of rotations by recursive slerp, in the time from the one to
the other, 0 to 1. What the motion does beyond that is the displacement d = v - s: d + s is the motion again, exactly.
Give knots other values, and the sweep changes while the detail stays. Coleman 2012, sections 7.2, 7.3 and 7.6.2 f.
"""

from dataclasses import dataclass

import numpy as np

from model.arrays import Array, IntArray
from model.motion import Motion
from model.rotation import angle_between, conjugate, from_rotation_vector, multiply, slerp, to_rotation_vector, unroll
from model.splines import bezier_rotation

# A transition is fitted at so many moments of it, its ends left out.
_SAMPLES = 14
# How often controls are set right, and when that is enough, in radians.
_ROUNDS, _ENOUGH_RAD = 8, 1e-4
# Curves that miss their values by more on average are fitted more finely, so often and by such differences.
_ROUGH_RAD, _FINE_ROUNDS, _DIFFERENCE = 0.01, 3, 1e-5


@dataclass(frozen=True, eq=False)
class Transitions:
    """How N joints get from knot to knot. knots_s : (K, N) rising; controls : (K - 1, N, 4, 4) four rotations for each
    transition, the first and last being the knots' own values; parts, places : (F, N) in which transition each frame
    is, and how far through it; displacements : (F, N, 4).
    """

    joints: tuple[int, ...]
    knots_s: Array
    controls: Array
    parts: IntArray
    places: Array
    displacements: Array

    @staticmethod
    def of(motion: Motion, joints: tuple[int, ...], knots_s: Array) -> "Transitions":
        """Those of a motion. knots_s : (K, N) rising, K > 1; frames outside of them are not part of any transition and
        count as its ends.
        """
        times = np.arange(float(motion.frames)) * motion.frame_time_s
        values = motion.local_rotations[:, list(joints)]
        controls = _fitted_controls(motion, joints, knots_s)
        parts, places = _places(times, knots_s)
        curves = _curves(controls, parts, places)
        return Transitions(joints, knots_s, controls, parts, places, multiply(values, conjugate(curves)))

    def values(self, changes: Array | None = None) -> Array:
        """(F, N, 4) the joints' rotations: spline and displacement together.

        changes : (K, N, 4) rotations in the parents' frames that knots are turned by after their own. The controls
        beside a knot turn along with it, so that a joint passes it as it did. Where they come to be more than half a
        turn apart, the way between them is still the one that it was: the shorter one would be on the other side.
        """
        if changes is None:
            return multiply(self.displacements, _curves(self.controls, self.parts, self.places))
        way = unroll(self.controls, axis=2)
        short = np.where(changes[..., :1] < 0.0, -changes, changes)
        return multiply(self.displacements, _curves(turned_controls(way, short), self.parts, self.places, short=False))


def turned_controls(controls: Array, changes: Array) -> Array:
    """Controls (K - 1, N, 4, 4) of transitions whose knots are turned by changes (K, N, 4)."""
    start, stop = changes[:-1, :, None], changes[1:, :, None]
    both = np.concatenate([start, start, stop, stop], axis=2)
    return multiply(both, controls)


def fitted(values: Array, places: Array) -> Array:
    """(T, 4, 4) controls of the curves nearest to rotations on their way. values : (S, T, 4), of which the first and
    last are met; places : (S,) from 0 to 1.

    Minimises the mean squared angle to the values over the two inner controls (7.6.2) as Gauss and Newton do, for all
    transitions at once: with the derivative of a curve that turns little, and where that does not fit, with its own.
    """
    u = places[1:-1]
    v = 1.0 - u
    weights = np.stack([3.0 * v * v * u, 3.0 * v * u * u])  # of the two inner controls
    solve = np.linalg.solve(weights @ weights.T, weights)
    controls = best = _even_controls(values[0], values[-1])
    least = np.full(len(controls), np.inf)
    for _ in range(_ROUNDS):
        errors = _errors(controls, values, u)
        squares = np.mean(np.sum(errors * errors, axis=-1), axis=0)
        best = np.where((squares < least)[:, None, None], controls, best)
        least = np.minimum(squares, least)
        steps = np.einsum("ks,sti->tki", solve, errors)
        if np.max(np.abs(steps), initial=0.0) < _ENOUGH_RAD:
            break
        controls = _stepped(controls, steps)
    rough = np.flatnonzero(least > _ROUGH_RAD**2)
    if len(rough):
        best = np.array(best)
        best[rough] = _refined(best[rough], values[:, rough], u)
    return best


def _even_controls(start: Array, stop: Array) -> Array:
    """(T, 4, 4) those of even turns from start to stop (T, 4)."""
    third = to_rotation_vector(multiply(stop, conjugate(start))) / 3.0
    first, second = multiply(from_rotation_vector(third), start), multiply(from_rotation_vector(-third), stop)
    return np.stack([start, first, second, stop], axis=1)


def _errors(controls: Array, values: Array, u: Array) -> Array:
    """(S - 2, T, 3) what turns the curves of controls (T, 4, 4) at u (S - 2,) into values (S, T, 4)."""
    start, first, second, stop = np.moveaxis(controls, 1, 0)
    curves = bezier_rotation(start, first, second, stop, u[:, None])
    return to_rotation_vector(multiply(values[1:-1], conjugate(curves)))


def _stepped(controls: Array, steps: Array) -> Array:
    """Controls (T, 4, 4) whose inner two are turned by steps (T, 2, 3)."""
    inner = multiply(from_rotation_vector(steps), controls[:, 1:3])
    return np.concatenate([controls[:, :1], inner, controls[:, 3:]], axis=1)


def _refined(controls: Array, values: Array, u: Array) -> Array:
    """Controls (T, 4, 4) of curves that turn far, improved with derivatives by differences."""
    for _ in range(_FINE_ROUNDS):
        errors = _errors(controls, values, u)
        slopes = np.empty((6, *errors.shape))
        for n in range(6):
            steps = np.zeros((len(controls), 2, 3))
            steps[:, n // 3, n % 3] = _DIFFERENCE
            slopes[n] = (_errors(_stepped(controls, steps), values, u) - errors) / _DIFFERENCE
        normal = np.einsum("asti,bsti->tab", slopes, slopes) + 1e-9 * np.eye(6)
        steps = -np.linalg.solve(normal, np.einsum("asti,sti->ta", slopes, errors)[..., None])[..., 0]
        moved = _stepped(controls, steps.reshape(-1, 2, 3))
        better = np.sum(_errors(moved, values, u) ** 2, axis=(0, 2)) < np.sum(errors**2, axis=(0, 2))
        controls = np.where(better[:, None, None], moved, controls)
    return controls


def mean_square_angle(controls: Array, values: Array, places: Array) -> Array:
    """(T,) what `fitted` makes small: the mean squared angle, in rad², from the curves to values (S, T, 4)."""
    start, first, second, stop = np.moveaxis(controls, 1, 0)
    curves = bezier_rotation(start, first, second, stop, places[1:-1, None])
    return np.asarray(np.mean(angle_between(values[1:-1], curves) ** 2, axis=0))


def _fitted_controls(motion: Motion, joints: tuple[int, ...], knots_s: Array) -> Array:
    """(K - 1, N, 4, 4) for all transitions of some joints."""
    places = np.linspace(0.0, 1.0, _SAMPLES + 2)
    moments = knots_s[:-1] + places[:, None, None] * np.diff(knots_s, axis=0)  # (S, K - 1, N)
    frames = np.clip(moments / motion.frame_time_s, 0.0, motion.frames - 1.0)
    below = np.clip(np.floor(frames).astype(np.intp), 0, max(motion.frames - 2, 0))
    rotations = unroll(motion.local_rotations[:, list(joints)])
    above = np.minimum(below + 1, motion.frames - 1)
    columns = np.arange(len(joints))
    values = slerp(rotations[below, columns], rotations[above, columns], frames - below)
    count = moments.shape[1] * moments.shape[2]
    return fitted(values.reshape(len(places), count, 4), places).reshape(*moments.shape[1:], 4, 4)


def _places(times_s: Array, knots_s: Array) -> tuple[IntArray, Array]:
    """(F, N) twice: the transition in which each moment (F,) is, and how far through it, 0 to 1."""
    parts = np.empty((len(times_s), knots_s.shape[1]), dtype=np.intp)
    for n in range(knots_s.shape[1]):
        parts[:, n] = np.searchsorted(knots_s[:, n], times_s, side="right") - 1
    parts = np.clip(parts, 0, len(knots_s) - 2)
    columns = np.arange(knots_s.shape[1])
    start, stop = knots_s[parts, columns], knots_s[parts + 1, columns]
    return parts, np.clip((times_s[:, None] - start) / (stop - start), 0.0, 1.0)


def _curves(controls: Array, parts: IntArray, places: Array, short: bool = True) -> Array:
    """(F, N, 4) the splines at frames. short : as of `slerp`."""
    chosen = controls[parts, np.arange(parts.shape[1])]
    start, first, second, stop = np.moveaxis(chosen, -2, 0)
    return bezier_rotation(start, first, second, stop, places, short)
