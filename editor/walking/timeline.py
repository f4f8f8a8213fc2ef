"""What plays when: loops one after another along a straight line, each fading into the next over a length of its own.

The line is the path pulled straight. Within a fade both loops are shown at the same phase; the time for a unit of phase
and the way covered in it are blended, so that feet hardly slide. Kim and Neff 2011, sections 6.1 to 6.3; Park et al.
2002, section 5.2.
"""

from dataclasses import dataclass

import numpy as np

from editor.walking.candidates import Candidate
from editor.walking.loops import Loop
from editor.walking.phase import Phases
from model.arrays import Array, IntArray
from model.roles import Role

# Fades last no less and no more than this, seconds, and no more than the longer of both loops; nor do they change the
# body's speed faster than this, m/s^2.
SHORTEST_S, LONGEST_S = 0.4, 4.0
_SPEEDING_M_S2 = 2.0
# Phase is followed in steps of this.
_STEP = 0.004
_ENDS = (
    (Role.HEAD, Role.NECK),
    (Role.LEFT_WRIST, Role.LEFT_ELBOW),
    (Role.RIGHT_WRIST, Role.RIGHT_ELBOW),
    (Role.LEFT_ANKLE,),
    (Role.RIGHT_ANKLE,),
)


@dataclass(frozen=True, eq=False)
class Style:
    """A loop with its phases. choices : the loops that its clip could give, best first."""

    loop: Loop
    phases: Phases
    choices: tuple[Candidate, ...] = ()

    @staticmethod
    def of(loop: Loop, choices: tuple[Candidate, ...] = ()) -> "Style":
        return Style(loop, Phases.of(loop), choices)


@dataclass(frozen=True)
class Fade:
    """How one style goes over into the next: from `before` to `after`, indices of styles, over seconds of play.

    start_s, length_s : in a timeline those of its rows; of a walk, of its take.
    """

    before: int
    after: int
    start_s: float
    length_s: float


@dataclass(frozen=True, eq=False)
class Timeline:
    """A table of the walk along the straight line. All (N,), rising but for style and weight.

    times_s, ways_m, phases : how long, how far and in which phase; first, second : which styles are shown, and
    weights : how much of the second. frames : (N, 2) frames of both loops, counted on through their periods.
    """

    times_s: Array
    ways_m: Array
    phases: Array
    first: IntArray
    second: IntArray
    weights: Array
    frames: Array
    fades: tuple[Fade, ...]


def blend_length_s(before: Style, after: Style, phase_before: float, phase_after: float) -> float:
    """How long the fade between two styles takes at these phases (section 6.2), within bounds.

    The distance of the end-effector that is farthest apart in both poses, over the difference of how far it usually
    gets in a frame; both seen from the body.
    """
    apart, speeds = [], []
    for style, phase in ((before, phase_before), (after, phase_after)):
        ends = _ends(style.loop)
        at = round(float(style.phases.frames_at(np.array(phase)))) % style.loop.frames
        apart.append(ends[at])
        around = np.concatenate([ends, ends[:1]])
        speeds.append(np.mean(np.linalg.norm(np.diff(around, axis=0), axis=-1), axis=0) * style.loop.motion.fps)
    distances = np.linalg.norm(apart[0] - apart[1], axis=-1)
    worst = int(np.argmax(distances))
    difference = abs(float(speeds[0][worst] - speeds[1][worst]))
    longest = max(style.loop.frames * style.loop.motion.frame_time_s for style in (before, after))
    wanted = float(distances[worst]) / difference if difference > 1e-6 else np.inf
    least = max(SHORTEST_S, abs(before.loop.speed_m_s - after.loop.speed_m_s) / _SPEEDING_M_S2)
    return float(np.clip(wanted, least, max(least, min(longest, LONGEST_S))))


def _ends(loop: Loop) -> Array:
    """(P, E, 3) the end-effectors of a loop, seen from its line: head, hands and feet, as far as there are such."""
    joints = [
        next((joint for role in roles if (joint := loop.motion.skeleton.joint(role)) is not None), None)
        for roles in _ENDS
    ]
    return np.asarray(loop.motion.world.positions[:, [joint for joint in joints if joint is not None]])


class TimelineMaker:
    """Lays loops end to end. The table grows style by style."""

    def __init__(self, styles: tuple[Style, ...], first: int, phase: float, way_m: float = 0.0) -> None:
        """phase : of the first style, at the start of the way, which is at way_m."""
        self._styles = styles
        self._style = first
        self._shift = 0.0  # by how much the present style's own phase is ahead of the shared one
        self._rows: list[Array] = []
        self._fades: list[Fade] = []
        self._time_s, self._way_m, self._phase = 0.0, way_m, phase

    def play_to(self, way_m: float) -> None:
        """Play the present style on until it has come so far."""
        if way_m <= self._way_m:
            return
        style = self._styles[self._style]
        start = float(style.phases.frames_at(np.array(self._phase + self._shift)))
        span = (way_m - self._way_m) / style.loop.speed_m
        count = max(1, int(np.ceil(span / max(1.0, 0.02 * style.loop.frames / style.loop.cycles))))
        frames = start + span * np.linspace(0.0, 1.0, count + 1)
        since = frames - start
        phases = style.phases.phases_at(frames) - self._shift
        self._add(
            self._time_s + since * style.loop.motion.frame_time_s,
            self._way_m + since * style.loop.speed_m,
            phases, self._style, self._style, np.zeros(len(frames)), frames, frames,
        )  # fmt: skip

    def phase_at(self, way_m: float) -> float:
        """The phase in which the present style comes to a place ahead, if it plays on."""
        style = self._styles[self._style]
        start = float(style.phases.frames_at(np.array(self._phase + self._shift)))
        frame = start + (way_m - self._way_m) / style.loop.speed_m
        return float(style.phases.phases_at(np.array(frame))) - self._shift

    def fade_about(self, after: int, way_m: float, until_m: float, length_s: float | None = None) -> None:
        """Play on and go over into another style about a place ahead, done by half way to `until_m`.

        length_s : how long the fade takes, None to adapt it to both styles.
        """
        way_m = max(way_m, self._way_m)
        phase = self.phase_at(way_m)
        before, then = self._styles[self._style], self._styles[after]
        if length_s is None:
            length_s = blend_length_s(before, then, phase + self._shift, phase + self._best_shift(after, phase))
        cycles_s, strides = (
            0.5 * sum(getattr(style.loop, name) / style.loop.cycles for style in (before, then))
            for name in ("period_s", "advance_m")
        )
        half = 0.5 * length_s / cycles_s
        room = max(0.5 * (until_m - way_m) / strides, 0.1)
        half = min(half, max(room, 0.1))
        earliest = self._phase
        start = max(phase - half, earliest)
        if start > self._phase:
            frames = before.phases.frames_at(np.array([self._phase, start]) + self._shift)
            self.play_to(self._way_m + float(frames[1] - frames[0]) * before.loop.speed_m)
        self.fade_to(after, 2.0 * half)

    def _best_shift(self, after: int, phase: float) -> float:
        """By how many cycles to shift a style for its pose to be nearest to the present one's at a phase."""
        before, then = self._styles[self._style], self._styles[after]
        now = round(float(before.phases.frames_at(np.array(phase + self._shift)))) % before.loop.frames
        here = _ends(before.loop)[now]
        whole = np.floor(phase)
        shifts = np.arange(then.phases.cycles) - whole
        at = np.rint(then.phases.frames_at(phase + shifts)).astype(np.intp) % then.loop.frames
        apart = np.sum(np.square(_ends(then.loop)[at] - here), axis=(1, 2))
        return float(shifts[int(np.argmin(apart))])

    def fade_to(self, after: int, phases: float) -> None:
        """Go over into another style within so much phase, from here on."""
        before, then = self._styles[self._style], self._styles[after]
        shift = self._best_shift(after, self._phase + 0.5 * phases)
        count = max(8, int(np.ceil(phases / _STEP)))
        at = self._phase + phases * np.linspace(0.0, 1.0, count + 1)
        part = np.linspace(0.0, 1.0, count + 1)
        weights = part**3 * (part * (6.0 * part - 15.0) + 10.0)
        a, b = before.phases.slopes_at(at + self._shift), then.phases.slopes_at(at + shift)
        seconds = [style.loop.motion.frame_time_s for style in (before, then)]
        paces = 1.0 / ((1.0 - weights) / (a * seconds[0]) + weights / (b * seconds[1]))
        ways = (1.0 - weights) * a * before.loop.speed_m + weights * b * then.loop.speed_m
        start_s = self._time_s
        times, way = (_integrated(one, at) for one in (paces, ways))
        self._add(
            self._time_s + times, self._way_m + way, at, self._style, after, weights,
            before.phases.frames_at(at + self._shift), then.phases.frames_at(at + shift),
        )  # fmt: skip
        self._fades.append(Fade(self._style, after, start_s, self._time_s - start_s))
        self._style, self._shift = after, shift

    def _add(
        self, times: Array, ways: Array, phases: Array, first: int, second: int, weights: Array, a: Array, b: Array
    ) -> None:
        count = len(times)
        rows = [times, ways, phases, np.full(count, float(first)), np.full(count, float(second)), weights, a, b]
        self._rows.append(np.stack(rows, axis=-1))
        self._time_s, self._way_m, self._phase = float(times[-1]), float(ways[-1]), float(phases[-1])

    @property
    def way_m(self) -> float:
        return self._way_m

    @property
    def phase(self) -> float:
        return self._phase

    @property
    def first_phase(self) -> float:
        return float(self._rows[0][0, 2]) if self._rows else self._phase

    def way_at(self, phase: float) -> float:
        """Where the present style is in a phase ahead or shortly behind, if it plays."""
        style = self._styles[self._style]
        frames = style.phases.frames_at(np.array([self._phase, phase]) + self._shift)
        return self._way_m + float(frames[1] - frames[0]) * style.loop.speed_m

    @property
    def style(self) -> int:
        return self._style

    def table(self) -> Timeline:
        rows = np.concatenate(self._rows)
        styles = rows[:, 3:5].astype(np.intp)
        return Timeline(
            rows[:, 0], rows[:, 1], rows[:, 2], styles[:, 0], styles[:, 1], rows[:, 5], rows[:, 6:8],
            tuple(self._fades),
        )  # fmt: skip


def _integrated(values: Array, at: Array) -> Array:
    """(N,) the integral of values (N,) from the first moment to each, by trapezoids."""
    steps = 0.5 * (values[1:] + values[:-1]) * np.diff(at)
    return np.concatenate([[0.0], np.cumsum(steps)])
