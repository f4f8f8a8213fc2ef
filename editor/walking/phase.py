"""Time that styles share: a phase that is whole when the left foot is in mid-stance, whatever loop is played.

Key-times are the two ends of each time in which both feet are down, or both in the air: a walk's double support and a
run's flight answer to each other. Loops with different numbers of steps meet in the cycle of two steps, which is the
shorter clip between them. Kim and Neff 2011, section 6.1; Rose et al. 1998.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from editor.walking.loops import Loop
from model.arrays import Array
from model.contacts import FEET
from model.monotone import slope_between

# Phases of the key-times within a cycle: mid-stance of the left foot, both ends of the first and of the second change
# of feet. About those of a walk, so that a walk's phase runs evenly.
KEYS = np.array([0.0, 0.20, 0.32, 0.70, 0.82])


@dataclass(frozen=True, eq=False)
class Phases:
    """How a loop's frames and the shared phase belong together.

    keys, frames : (K,) phases and frames of the key-times of a period and of some before and after it, both rising;
    slopes : (K,) frames for a unit of phase at each. strikes, leaves : by foot, (cycles,) phases of its steps.
    """

    period: int
    cycles: int
    keys: Array
    frames: Array
    slopes: Array
    strikes: dict[str, Array]
    leaves: dict[str, Array]

    @staticmethod
    def of(loop: Loop) -> "Phases":
        """The phases of a loop; a frame of the first left mid-stance has phase 0."""
        period, cycles = loop.frames, loop.cycles
        left, right = FEET
        keys, frames = [], []
        strikes: dict[str, list[float]] = {foot: [] for foot in FEET}
        leaves: dict[str, list[float]] = {foot: [] for foot in FEET}
        order = np.argsort(loop.strikes[left])
        for n in range(cycles):
            # A cycle from the middle of one stance of the left foot to the middle of its next.
            this, following = order[n], order[(n + 1) % cycles]
            late = period if n + 1 == cycles else 0.0
            middle = 0.5 * (loop.strikes[left][this] + loop.leaves[left][this])
            end = 0.5 * (loop.strikes[left][following] + loop.leaves[left][following]) + late
            left_off, left_on = loop.leaves[left][this], loop.strikes[left][following] + late
            right_on, right_off = _step_between(loop, right, middle, end)
            changes = [*sorted((right_on, left_off)), *sorted((left_on, right_off))]
            inner = _spread(np.array([middle, *changes, end]))
            keys += [n + key for key in KEYS]
            frames += list(inner[:-1])
            strikes[right].append(n + (KEYS[1] if right_on <= left_off else KEYS[2]))
            leaves[left].append(n + (KEYS[2] if right_on <= left_off else KEYS[1]))
            strikes[left].append(n + (KEYS[3] if left_on <= right_off else KEYS[4]))
            leaves[right].append(n + (KEYS[4] if left_on <= right_off else KEYS[3]))
        one, at = np.array(keys), np.array(frames)
        shifts = np.arange(-1, 3)[:, None]
        all_keys, all_frames = (shifts * cycles + one).ravel(), (shifts * period + at).ravel()
        widths, rises = np.diff(all_keys), np.diff(all_frames)
        slopes = np.empty(len(all_keys))
        slopes[1:-1] = slope_between(rises[:-1] / widths[:-1], rises[1:] / widths[1:], widths[:-1], widths[1:])
        slopes[[0, -1]] = slopes[[len(one), -1 - len(one)]] if len(one) < len(all_keys) - 1 else period / cycles
        return Phases(
            period, cycles, all_keys, all_frames, slopes,
            {foot: np.array(values) for foot, values in strikes.items()},
            {foot: np.array(values) for foot, values in leaves.items()},
        )  # fmt: skip

    def frames_at(self, phases: Array) -> Array:
        """(...) frames, counted on through periods, at phases (...), counted on through cycles."""
        return self._at(phases)[0]

    def slopes_at(self, phases: Array) -> Array:
        """(...) how many frames go by in a unit of phase there."""
        return self._at(phases)[1]

    def phases_at(self, frames: Array) -> Array:
        """(...) the phases of frames (...), both counted on: the inverse of `frames_at`."""
        periods = np.floor(np.asarray(frames, dtype=np.float64) / self.period)
        inside = frames - periods * self.period
        guess = np.interp(inside, *self._table)
        for _ in range(2):  # Newton's; the table is already good to a thousandth of a cycle
            there, slope = self._at(guess)
            guess = guess - (there - inside) / np.maximum(slope, 1e-6)
        return np.asarray(guess + periods * self.cycles)

    @cached_property
    def _table(self) -> tuple[Array, Array]:
        """Frames of a period and some more, and their phases, finely."""
        fine = np.linspace(-1.0, self.cycles + 1.0, 400 * (self.cycles + 2))
        return self.frames_at(fine), fine

    def _at(self, phases: Array) -> tuple[Array, Array]:
        phases = np.asarray(phases, dtype=np.float64)
        periods = np.floor(phases / self.cycles)
        inside = phases - periods * self.cycles
        segment = np.clip(np.searchsorted(self.keys, inside, side="right") - 1, 0, len(self.keys) - 2)
        width = self.keys[segment + 1] - self.keys[segment]
        u = (inside - self.keys[segment]) / width
        v = 1.0 - u
        first, last = self.frames[segment], self.frames[segment + 1]
        a, b = self.slopes[segment], self.slopes[segment + 1]
        values = v * v * (1.0 + 2.0 * u) * first + u * u * (1.0 + 2.0 * v) * last + width * u * v * (v * a - u * b)
        slopes = 6.0 * u * v * (last - first) / width + v * (v - 2.0 * u) * a + u * (u - 2.0 * v) * b
        return values + periods * self.period, slopes


def _step_between(loop: Loop, foot: str, start: float, stop: float) -> tuple[float, float]:
    """Strike and leave of a foot's step whose middle lies between these frames, counted on through periods."""
    for shift in (-loop.frames, 0, loop.frames):
        for strike, leave in zip(loop.strikes[foot] + shift, loop.leaves[foot] + shift, strict=True):
            if start <= 0.5 * (strike + leave) < stop:
                return float(strike), float(leave)
    raise AssertionError("a cycle without a step of the other foot")


def _spread(frames: Array) -> Array:
    """Frames (K,) that rise by at least half a frame from one to the next, the first and last kept."""
    least = 0.5
    up = np.maximum.accumulate(frames - least * np.arange(len(frames))) + least * np.arange(len(frames))
    excess = up[-1] - frames[-1]
    if excess > 0.0:
        up = np.minimum(up, frames[-1] - least * np.arange(len(frames))[::-1])
    return np.asarray(up)
