"""Motions whose extremes are known, and what is compared with them."""

import numpy as np

from model.motion import Motion
from model.roles import Role
from model.rotation import IDENTITY, from_axis_angle
from model.skeleton import Skeleton
from tests.clips import Z, figure

PENDULUM = Skeleton(("Pivot", "Bob"), (-1, 0), np.array([[0.0, 0.0, 0.0], [0.0, -1.0, 0.0]]))


def pendulum(angles_rad, fps):
    """A bob a metre below its pivot, swinging in a plane."""
    rotations = np.tile(IDENTITY, (len(angles_rad), 2, 1))
    rotations[:, 0] = from_axis_angle(Z, np.asarray(angles_rad))
    return Motion(PENDULUM, 1.0 / fps, np.zeros((len(angles_rad), 3)), rotations, PENDULUM.offsets)


def keyframed(swings=4, frames=20, size_rad=0.9):
    """A pendulum with a key every `frames` frames at 24 fps, eased in and out. -> motion, the keys within it."""
    at = np.arange(swings * frames + 1) / frames
    part = at % 1.0
    eased = part * part * (3.0 - 2.0 * part)
    angles = size_rad * np.where(at % 2.0 < 1.0, 1.0 - 2.0 * eased, 2.0 * eased - 1.0)
    return pendulum(angles, 24.0), [frames * n for n in range(1, swings)]


def damped(fps=120.0, seconds=6.0):
    """A pendulum in air, let go at one radian. -> motion, the frames nearest to its turning points."""
    from scipy.integrate import solve_ivp

    times = np.arange(round(seconds * fps) + 1) / fps
    turning = lambda _, y: y[1]  # noqa: E731
    solved = solve_ivp(
        lambda _, y: [y[1], -9.81 * np.sin(y[0]) - 0.3 * y[1]], (0.0, times[-1]), [1.0, 0.0], t_eval=times,
        events=turning, rtol=1e-9, atol=1e-9,
    )  # fmt: skip
    ends = [round(time * fps) for time in solved.t_events[0] if 0.1 < time < times[-1] - 0.1]
    return pendulum(solved.y[0], fps), ends


def standing(seconds=4.0, fps=60.0, sway_rad=0.004):
    """A person who stands and sways by a few millimetres."""
    skeleton = figure()
    time = np.arange(round(seconds * fps)) / fps
    rotations = np.tile(IDENTITY, (len(time), len(skeleton), 1))
    rotations[:, 0] = from_axis_angle(Z, sway_rad * np.sin(2.0 * np.pi * 0.9 * time))
    return Motion(skeleton, 1.0 / fps, np.tile(skeleton.offsets[0], (len(time), 1)), rotations, skeleton.offsets)


def somersault(seconds=3.0, fps=60.0):
    """A person who stands, turns over once in the air about the pelvis in the middle of the time, and stands."""
    skeleton = figure()
    time = np.linspace(0.0, 1.0, round(seconds * fps) + 1)
    part = np.clip((time - 0.25) / 0.5, 0.0, 1.0)
    rotations = np.tile(IDENTITY, (len(time), len(skeleton), 1))
    rotations[:, 0] = from_axis_angle(Z, 2.0 * np.pi * part * part * (3.0 - 2.0 * part))
    return Motion(skeleton, 1.0 / fps, np.tile(skeleton.offsets[0], (len(time), 1)), rotations, skeleton.offsets)


def hop(height_m=0.6, seconds=3.0, fps=60.0):
    """A person who crouches, flies stiffly, crouches and stands: only the height tells the flight. -> motion, top."""
    skeleton = figure()
    time = np.arange(round(seconds * fps) + 1) / fps
    bend = 0.9 * (np.exp(-(((time - 0.8) / 0.15) ** 2)) + np.exp(-(((time - 1.8) / 0.15) ** 2)))
    flight = np.clip((time - 0.8) * (1.8 - time) / 0.25, 0.0, None)
    rotations = np.tile(IDENTITY, (len(time), len(skeleton), 1))
    for side in ("Left", "Right"):
        rotations[:, skeleton.find(f"{side}UpLeg")] = from_axis_angle(np.array([1.0, 0.0, 0.0]), -bend)
        rotations[:, skeleton.find(f"{side}Leg")] = from_axis_angle(np.array([1.0, 0.0, 0.0]), 2.0 * bend)
    roots = np.tile(skeleton.offsets[0], (len(time), 1))
    roots[:, 1] += height_m * flight - 0.2 * bend
    return Motion(skeleton, 1.0 / fps, roots, rotations, skeleton.offsets), 1.3


def times(extremes, kind="extreme"):
    """The moments of the extremes of a kind."""
    return np.array([one.time_s for one in extremes.found if one.kind == kind])


def frames(motion, extremes, kind="extreme"):
    return [round(time / motion.frame_time_s) for time in times(extremes, kind)]


def widest_steps(motion):
    """The moments at which the ankles are farthest apart on the ground, one a step."""
    from scipy.signal import find_peaks

    skeleton, world = motion.skeleton, motion.world.positions
    left, right = (world[:, skeleton.joint(role)] for role in (Role.LEFT_ANKLE, Role.RIGHT_ANKLE))
    apart = np.hypot(*(left - right)[:, [0, 2]].T)
    return find_peaks(apart, prominence=0.1 * np.max(apart))[0] * motion.frame_time_s


def matched(wanted, found, within_s):
    """(N,) which of the wanted moments have a found one near by."""
    return np.array([np.any(np.abs(np.asarray(found) - one) <= within_s + 1e-9) for one in wanted], dtype=bool)
