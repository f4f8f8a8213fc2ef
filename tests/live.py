"""A live engine that the tests make themselves: a figure that slides along, turns and swings its legs."""

import math
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from editor.stack.live import STEP_S, LivePose, Recording, ReplaySource
from model.ground import Ground
from model.rotation import IDENTITY, from_axis_angle, multiply
from model.skeleton import Skeleton
from tests.clips import X, Y, Z, figure

_STRIDES_HZ, _SWING_RAD = 1.0, 0.45


@dataclass(frozen=True)
class Steer:
    """speed : m/s ahead; turn : rad/s, left positive."""

    speed: float = 0.0
    turn: float = 0.0


@dataclass(frozen=True)
class ToyState:
    x: float
    z: float
    heading_rad: float
    phase: float  # of the stride, in turns


@dataclass(frozen=True, eq=False)
class ToyEngine:
    """Legs swing while it goes; each foot stands for half of the stride."""

    skeleton: Skeleton = field(default_factory=figure)
    start_x: float = 0.0
    ground: Ground | None = None

    def start(self):
        state = ToyState(self.start_x, 0.0, 0.0, 0.0)
        return state, self._pose(state, 0.0)

    def advance(self, state, controls, dt_s):
        heading = state.heading_rad + controls.turn * dt_s
        state = ToyState(
            state.x + controls.speed * dt_s * math.sin(heading),
            state.z + controls.speed * dt_s * math.cos(heading),
            heading,
            round(state.phase + _STRIDES_HZ * dt_s, 9) % 1.0 if controls.speed else 0.0,
        )
        return state, self._pose(state, controls.speed)

    def _pose(self, state, speed):
        skeleton = self.skeleton
        rotations = np.tile(IDENTITY, (len(skeleton), 1))
        swing = _SWING_RAD * math.sin(2.0 * math.pi * state.phase) * min(abs(speed), 1.0)
        turns = [("Hips", Y, state.heading_rad)]
        for side, sign in (("Left", 1.0), ("Right", -1.0)):
            turns += [
                (f"{side}UpLeg", X, -sign * swing), (f"{side}Leg", X, 0.6 * abs(swing)),
                (f"{side}ForeArm", Y, -0.3 * sign), (f"{side}Arm", Z, -1.35 * sign),
            ]  # fmt: skip
        names, axes, angles = zip(*turns, strict=True)
        rotations[[skeleton.find(name) for name in names]] = from_axis_angle(np.array(axes), np.array(angles))
        arms = [skeleton.find("LeftArm"), skeleton.find("RightArm")]
        rotations[arms] = multiply(from_axis_angle(X, np.array([swing, -swing])), rotations[arms])
        root = np.array([state.x, skeleton.offsets[0, 1] - 0.05 * abs(swing), state.z])
        going = "left_foot" if state.phase < 0.5 else "right_foot"
        return LivePose(root, rotations, frozenset([going] if speed else ["left_foot", "right_foot"]))


@dataclass(frozen=True)
class SteeredClip(ReplaySource[ToyState, Steer]):
    kind: ClassVar = "steered"
    title: ClassVar = "Steered"

    recording: Recording[Steer] = field(default_factory=Recording)
    start_x: float = 0.0

    def engine(self, context):
        return ToyEngine(start_x=self.start_x)


def wandering(steps, seed=1):
    """A recording of somebody who changes their mind."""
    rng = np.random.default_rng(seed)
    speeds, turns = rng.uniform(0.0, 2.0, size=steps), rng.uniform(-1.0, 1.0, size=steps)
    return Recording(tuple(Steer(*one) for one in zip(speeds.tolist(), turns.tolist(), strict=True)), STEP_S)


def straight(steps, speed=1.2, turn=0.0):
    return Recording((Steer(speed, turn),) * steps, STEP_S)
