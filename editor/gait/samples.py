"""The clips that come with the program: what each is made of, and writing them.

They are our own work, made by `procedural`, and free of anybody's recordings.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from editor.gait.parameters import Gait, Wave
from editor.gait.procedural import generate
from model.contacts import Contacts
from model.files.formats import write_motion
from model.motion import Motion

FPS = 60.0


@dataclass(frozen=True)
class Sample:
    """A bundled clip: its file's name without extension, what it shows, and how it is made."""

    name: str
    description: str
    make: Callable[[], tuple[Motion, Contacts]]


def _sample(
    name: str, description: str, gait: Gait, seconds: float, wave: Wave | None = None, turn_rad_s: float = 0.0
) -> Sample:
    return Sample(name, description, lambda: generate(gait, seconds, FPS, wave=wave, turn_rad_s=turn_rad_s))


def _rad(degrees: float) -> float:
    return float(np.radians(degrees))


_SNEAK = Gait(
    speed_m_s=0.55,
    cadence_hz=1.0,
    duty_factor=0.68,
    step_width_m=0.12,
    bounce_m=0.012,
    sway_m=0.035,
    lean_rad=_rad(18.0),
    hunch_rad=_rad(10.0),
    head_rad=_rad(-2.0),
    arm_swing_rad=_rad(9.0),
    arm_forward_rad=_rad(20.0),
    arm_spread_rad=_rad(6.0),
    elbow_rad=_rad(72.0),
    foot_lift_m=0.07,
    knee_rad=_rad(82.0),
    strike_rad=_rad(-16.0),
    push_rad=_rad(48.0),
    crouch_m=0.11,
    variation=0.03,
    seed=6,
)
_MARCH = Gait(
    speed_m_s=1.25,
    cadence_hz=1.9,
    bounce_m=0.03,
    sway_m=0.012,
    pelvis_turn_rad=_rad(3.0),
    pelvis_list_rad=_rad(2.0),
    chest_turn_rad=_rad(4.0),
    lean_rad=_rad(-1.0),
    head_rad=_rad(-2.0),
    arm_swing_rad=_rad(33.0),
    elbow_rad=_rad(7.0),
    knee_rad=_rad(108.0),
    reach_rad=_rad(34.0),
    strike_rad=_rad(13.0),
    give_rad=_rad(11.0),
    toe_out_rad=_rad(4.0),
    variation=0.006,
    seed=7,
)
_TIRED = Gait(
    speed_m_s=0.75,
    cadence_hz=1.38,
    bounce_m=0.016,
    sway_m=0.042,
    pelvis_list_rad=_rad(4.0),
    lean_rad=_rad(11.0),
    hunch_rad=_rad(15.0),
    head_rad=_rad(26.0),
    arm_swing_rad=_rad(5.0),
    elbow_rad=_rad(13.0),
    foot_lift_m=0.007,
    knee_rad=_rad(54.0),
    strike_rad=_rad(8.0),
    push_rad=_rad(44.0),
    give_rad=_rad(15.0),
    variation=0.03,
    seed=8,
)
_HAPPY = Gait(
    speed_m_s=1.45,
    cadence_hz=2.0,
    bounce_m=0.065,
    sway_m=0.028,
    pelvis_turn_rad=_rad(8.0),
    pelvis_list_rad=_rad(6.0),
    chest_turn_rad=_rad(9.0),
    lean_rad=_rad(0.0),
    head_rad=_rad(-7.0),
    arm_swing_rad=_rad(33.0),
    arm_spread_rad=_rad(4.0),
    elbow_rad=_rad(42.0),
    foot_lift_m=0.03,
    knee_rad=_rad(70.0),
    push_rad=_rad(68.0),
    variation=0.03,
    seed=9,
)

SAMPLES = (
    _sample("walk_slow", "a slow walk, 0.9 m/s", Gait(0.9, seed=1), 6.0),
    _sample("walk", "a walk at 1.35 m/s", Gait(1.35, seed=2), 6.0),
    _sample("walk_fast", "a fast walk, 1.8 m/s", Gait(1.8, seed=3), 5.0),
    _sample("jog", "a jog at 2.6 m/s", Gait(2.6, seed=4), 5.0),
    _sample("run", "a run at 3.8 m/s", Gait(3.8, seed=5), 4.0),
    _sample("sneak", "crouched, long careful steps that land on the ball", _SNEAK, 8.0),
    _sample("march", "upright, high knees, straight arms", _MARCH, 6.0),
    _sample("tired", "slow and bent, head down, feet hardly lifted", _TIRED, 7.0),
    _sample("happy", "a springy walk with swinging arms", _HAPPY, 6.0),
    _sample("stand", "standing: breath, sway, shifting weight", Gait(0.0, seed=10), 6.0),
    _sample("wave", "standing and waving with the right hand", Gait(0.0, seed=11), 5.5, Wave(0.7)),
    _sample("walk_wave", "walking and waving with the right hand", Gait(1.25, seed=12), 6.0, Wave(1.0)),
    _sample("walk_to_run", "from a walk to a run", Gait(speeds=((1.6, 1.35), (4.2, 3.6)), seed=13), 6.5),
    _sample("run_to_stop", "a run that ends standing", Gait(speeds=((1.4, 3.6), (3.6, 0.0)), seed=14), 6.0),
)


def write_samples(folder: Path) -> tuple[Path, ...]:
    """Write every sample as BVH, in centimetres, Y up. -> the files."""
    paths = []
    for sample in SAMPLES:
        path = folder / f"{sample.name}.bvh"
        write_motion(sample.make()[0], path)
        paths.append(path)
    return tuple(paths)
