"""Walks that begin and end standing: how the body gets going and comes to rest, and how it stands.

It stands as its loop does on average, on both feet, each as it is in the middle of its stance. Getting going, time runs
slower at first, and the foot that is in the air at that phase of the loop leaves the ground; likewise at the end.
"""

from dataclasses import dataclass, replace

import numpy as np

from editor.contacts.feet import find_limb
from editor.contacts.plant import reach
from editor.walking.timeline import Style
from model.arrays import Array
from model.contacts import FEET
from model.kinematics import WorldPose
from model.motion import Motion
from model.rotation import conjugate, multiply, normalize, unroll

# Getting going and coming to rest each take the play of this share of a cycle, at half the speed on average.
_SHARE = 0.7
# So long the body stands before and after.
_HOLD_S = 0.4
# How short strides are at the ends, and over how many steps they grow.
_SHORTEST, _OVER_STEPS = 0.6, 1.5
# Of the time until the first foot lands, or since the last left: when it leaves the ground, and when the walk's poses
# begin to show and are all that shows.
_LIFT, _SHOWS, _SHOWN = 0.35, 0.1, 0.9


@dataclass(frozen=True)
class Pacing:
    """From the time of the take to the time that loops have played, and back.

    play_s : how long they play in all; start_s, stop_s : how much of that is getting going and coming to rest, 0 for a
    walk that does not. Getting going takes twice as long as what it plays.
    """

    play_s: float
    start_s: float = 0.0
    stop_s: float = 0.0

    @property
    def hold_start_s(self) -> float:
        return _HOLD_S if self.start_s else 0.0

    @property
    def hold_stop_s(self) -> float:
        return _HOLD_S if self.stop_s else 0.0

    @property
    def length_s(self) -> float:
        """How long the take lasts."""
        return self.hold_start_s + self.start_s + self.play_s + self.stop_s + self.hold_stop_s

    def to_play(self, times_s: Array) -> Array:
        """(...) what has played at times of the take (...), straight on beyond both ends of a walk that goes on."""
        since = np.asarray(times_s, dtype=np.float64) - self.hold_start_s
        until = self.length_s - self.hold_stop_s - np.asarray(times_s, dtype=np.float64)
        play = since - self.start_s
        if self.start_s:
            play = np.where(since < 2.0 * self.start_s, self.start_s * _ramp(since / (2.0 * self.start_s)), play)
        if self.stop_s:
            end = self.play_s - self.stop_s * _ramp(until / (2.0 * self.stop_s))
            play = np.where(until < 2.0 * self.stop_s, end, play)
        return np.asarray(play)

    def to_take(self, play_s: Array) -> Array:
        """(...) when so much has played: the inverse of `to_play`; before the first moment that of its start."""
        play = np.asarray(play_s, dtype=np.float64)
        times = play + self.hold_start_s + self.start_s
        fine = np.linspace(0.0, 1.0, 400)
        if self.start_s:
            early = self.hold_start_s + 2.0 * self.start_s * np.interp(play / self.start_s, _ramp(fine), fine)
            times = np.where(play < self.start_s, early, times)
        if self.stop_s:
            left = (self.play_s - play) / self.stop_s
            late = self.length_s - self.hold_stop_s - 2.0 * self.stop_s * np.interp(left, _ramp(fine), fine)
            times = np.where(left < 1.0, late, times)
        return np.asarray(times)


def _ramp(u: Array) -> Array:
    """From 0 to 1, at rest at first, at slope 2 at last, its own slope level at both."""
    u = np.clip(u, 0.0, 1.0)
    return np.asarray(u * u * u * (2.0 - u))


def ramp_s(style: Style, play_s: float) -> float:
    """How much of a loop's play getting going takes, of `play_s` in all."""
    return min(_SHARE * style.loop.period_s / style.loop.cycles, 0.45 * play_s)


def end_scales(arc_m: Array, length_m: float, start: Style | None, stop: Style | None) -> Array:
    """(N,) how much shorter strides are near the ends of a path, at places (N,) along it; start, stop : the styles
    that get going and come to rest there, None where the walk does not.
    """
    scales = np.ones(len(arc_m))
    for style, away in ((start, arc_m), (stop, length_m - arc_m)):
        if style is not None:
            u = np.clip(away / (_OVER_STEPS * style.loop.advance_m / style.loop.steps), 0.0, 1.0)
            scales *= _SHORTEST + (1.0 - _SHORTEST) * u * u * (3.0 - 2.0 * u)
    return scales


@dataclass(frozen=True, eq=False)
class Stand:
    """How a body stands, seen from its reference line. root_position : (3,), local_rotations : (J, 4)."""

    root_position: Array
    local_rotations: Array


def standing(style: Style) -> Stand:
    """The stand of a style: its mean pose, each foot where and as it is in the middle of its stance."""
    loop = style.loop
    motion = loop.motion
    middles = {FEET[0]: 0.0, FEET[1]: 0.5}
    at = {foot: round(float(style.phases.frames_at(np.array(phase)))) % loop.frames for foot, phase in middles.items()}
    mean = normalize(np.mean(unroll(motion.local_rotations), axis=0))
    height = float(np.mean([motion.root_positions[frame, 1] for frame in at.values()]))
    root = np.mean(motion.root_positions, axis=0) * np.array([1.0, 0.0, 1.0]) + np.array([0.0, height, 0.0])
    still = _still(motion, root, mean)
    rotations = np.array(still.local_rotations)
    ends = {}
    for foot, frame in at.items():
        limb = find_limb(motion.skeleton, foot)
        if limb is None or limb.bends is None:
            continue
        world: WorldPose = motion.world
        ends[foot] = world.positions[frame : frame + 1, limb.end]
        above = still.world.rotations[:, motion.skeleton.parents[limb.end]]
        rotations[:, limb.end] = multiply(conjugate(above), world.rotations[frame, limb.end])
        if limb.toe is not None:
            rotations[:, limb.toe] = motion.local_rotations[frame, limb.toe]
    stood = reach(replace(still, local_rotations=rotations), ends)
    return Stand(stood.root_positions[0], stood.local_rotations[0])


def _still(motion: Motion, root: Array, rotations: Array) -> Motion:
    """One frame of a body."""
    return replace(motion, root_positions=root[None], local_rotations=rotations[None])


def walking_share(times_s: Array, rests_s: float, lands_s: float) -> Array:
    """(F,) how much of the walk shows, from 0 standing to 1: between the moment at which the body rests and that at
    which the first foot lands. For the end, times run backwards.
    """
    u = (times_s - rests_s) / max(lands_s - rests_s, 1e-9)
    u = np.clip((u - _SHOWS) / (_SHOWN - _SHOWS), 0.0, 1.0)
    return np.asarray(u * u * u * (u * (6.0 * u - 15.0) + 10.0))


def lift_s(rests_s: float, lands_s: float) -> float:
    """When the first foot leaves the ground, between these moments."""
    return rests_s + _LIFT * (lands_s - rests_s)
