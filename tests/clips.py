"""Motions the tests make themselves, and where the recorded ones are, if they are there."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from model.kinematics import forward
from model.limbs import solve_limb, turn_limb
from model.monotone import monotone_spline
from model.motion import Motion
from model.roles import find_roles
from model.rotation import IDENTITY, from_axis_angle, from_rotation_vector, multiply, rotate
from model.skeleton import EndSite, Skeleton

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="the recorded clips (../shared/data) are not here")

X, Y, Z = np.eye(3)

# name, parent, rest offset in centimetres
_FIGURE = [
    ("Hips", None, (0, 94, 0)),
    ("Spine", "Hips", (0, 9, -1)),
    ("Spine1", "Spine", (0, 13, 0)),
    ("Chest", "Spine1", (0, 13, 0)),
    ("Neck", "Chest", (0, 16, 1)),
    ("Head", "Neck", (0, 9, 2)),
    ("LeftShoulder", "Chest", (3, 12, 1)),
    ("LeftArm", "LeftShoulder", (14, 0, -1)),
    ("LeftForeArm", "LeftArm", (28, 0, 0)),
    ("LeftHand", "LeftForeArm", (25, 0, 0)),
    ("RightShoulder", "Chest", (-3, 12, 1)),
    ("RightArm", "RightShoulder", (-14, 0, -1)),
    ("RightForeArm", "RightArm", (-28, 0, 0)),
    ("RightHand", "RightForeArm", (-25, 0, 0)),
    ("LeftUpLeg", "Hips", (9, -5, 0)),
    ("LeftLeg", "LeftUpLeg", (0, -41, 0.5)),
    ("LeftFoot", "LeftLeg", (0, -40, -0.5)),
    ("LeftToe", "LeftFoot", (0, -6, 13)),
    ("RightUpLeg", "Hips", (-9, -5, 0)),
    ("RightLeg", "RightUpLeg", (0, -41, 0.5)),
    ("RightFoot", "RightLeg", (0, -40, -0.5)),
    ("RightToe", "RightFoot", (0, -6, 13)),
]
_TIPS = [
    ("Head", (0, 18, 0)), ("LeftHand", (17, 0, 0)), ("RightHand", (-17, 0, 0)),
    ("LeftToe", (0, -1, 7)), ("RightToe", (0, -1, 7)),
]  # fmt: skip


def figure() -> Skeleton:
    """A person of 1.75 m in T-pose, facing +Z."""
    names = tuple(name for name, _, _ in _FIGURE)
    parents = tuple(names.index(parent) if parent else -1 for _, parent, _ in _FIGURE)
    offsets = np.array([offset for _, _, offset in _FIGURE]) * 0.01
    tips = tuple(EndSite(names.index(name), np.array(offset) * 0.01) for name, offset in _TIPS)
    return Skeleton(names, parents, offsets, tips, find_roles(names, parents))


def random_motion(frames=40, seed=1, skeleton=None, moving_limbs=False) -> Motion:
    """Smooth, large, aimless movement of every joint."""
    rng = np.random.default_rng(seed)
    skeleton = skeleton or figure()
    time = np.linspace(0.0, 1.0, frames)[:, None, None]
    joints = len(skeleton)
    phase, size = rng.uniform(0, 6, size=(2, joints, 3))
    rotations = from_rotation_vector(0.25 * size * np.sin(4 * time + phase))
    roots = np.array([0.0, 0.95, 0.0]) + 0.3 * np.sin(3 * time[:, 0] + phase[0])
    offsets = skeleton.offsets
    if moving_limbs:
        offsets = offsets * (1.0 + 0.05 * np.sin(5 * time + phase))
    return Motion(skeleton, 1 / 30, roots, rotations, offsets)


def waving_figure(frames=90, fps=30.0) -> Motion:
    """A person who shifts weight from foot to foot and waves with the right hand."""
    skeleton = figure()
    time = np.arange(frames) / fps
    rotations = np.tile(IDENTITY, (frames, len(skeleton), 1))

    def turn(name, axis, degrees):
        rotations[:, skeleton.find(name)] = from_axis_angle(axis, np.radians(degrees) * np.ones(frames))

    sway = np.sin(2 * np.pi * time / 3.0)
    up = np.clip(np.minimum(time, time[-1] - time) / 0.6, 0.0, 1.0)
    up = up * up * (3.0 - 2.0 * up)
    wave = np.sin(2 * np.pi * 1.6 * time) * up
    turn("LeftArm", Z, -75.0 + 3.0 * sway)
    turn("LeftForeArm", Y, -20.0 + 2.0 * sway)
    turn("RightArm", Z, 75.0 - 95.0 * up)
    turn("RightForeArm", Z, -75.0 * up + 22.0 * wave)
    turn("RightHand", Z, 12.0 * np.roll(wave, 3))
    turn("Spine", Z, 2.0 * sway)
    turn("Chest", Y, -4.0 * up + 2.0 * sway)
    turn("Head", Y, -12.0 * up)
    roots = skeleton.offsets[0] + np.stack([0.035 * sway, -0.02 - 0.006 * sway**2, 0.0 * sway], axis=-1)
    rest = skeleton.rest_positions()
    for side in ("Left", "Right"):
        joints = tuple(skeleton.find(side + part) for part in ("UpLeg", "Leg", "Foot"))
        world = forward(skeleton.parents, roots, rotations, skeleton.offsets)
        hip, knee, ankle = (world.positions[:, joint] for joint in joints)
        solution = solve_limb(hip, knee, ankle, np.tile(rest[joints[2]], (frames, 1)), X)
        rotations = turn_limb(skeleton.parents, rotations, world, joints, solution)
    return Motion(skeleton, 1.0 / fps, roots, rotations, skeleton.offsets)


def stepping_figure(
    seconds=6.0, fps=60.0, speed=1.2, stance_s=None, swing_s=0.35, clearance=0.09, ground=0.0, climb=0.0, turn=0.0
):
    """A person who puts one foot before the other, and when each foot stands. -> motion, {side: [[start, stop), …]}.

    Feet stand exactly still and fly on arcs; times are those of the frames. climb : metres gained a metre.
    """
    skeleton = figure()
    frames = round(seconds * fps)
    time = np.arange(frames) / fps
    stance_s = stance_s or 0.56 / speed
    rest = skeleton.rest_positions()
    cycle = stance_s + swing_s
    roots = np.stack([0 * time, ground + 0.86 + climb * speed * time, speed * time], axis=-1)
    rotations = np.tile(IDENTITY, (frames, len(skeleton), 1))
    truth = {}
    for side, phase in (("Left", 0.0), ("Right", 0.5 * cycle)):
        joints = tuple(skeleton.find(side + part) for part in ("UpLeg", "Leg", "Foot"))
        count, within = np.divmod(time - phase + 2 * cycle, cycle)
        standing = within < stance_s
        part = np.clip((within - stance_s) / swing_s, 0.0, 1.0)
        eased = 0.5 * (part + part * part * (3.0 - 2.0 * part))  # feet leave and strike at speed
        travelled = speed * (cycle * (count - 2 + eased) + phase + 0.5 * stance_s)
        height = ground + climb * travelled + rest[joints[2], 1] + clearance * np.sin(np.pi * part)
        target = np.stack([np.full(frames, rest[joints[2], 0]), height, travelled], axis=-1)
        world = forward(skeleton.parents, roots, rotations, skeleton.offsets)
        solution = solve_limb(*(world.positions[:, joint] for joint in joints), target, X)
        assert np.allclose(solution.end, target, atol=1e-9), "the legs do not reach: the feet would slide"
        rotations = turn_limb(skeleton.parents, rotations, world, joints, solution)
        edges = np.diff(np.concatenate([[0], standing.astype(int), [0]]))
        truth[side] = list(zip(np.flatnonzero(edges == 1), np.flatnonzero(edges == -1), strict=True))
    if turn:
        spin = from_axis_angle(Y, turn)
        roots = rotate(spin, roots)
        rotations[:, 0] = multiply(spin, rotations[:, 0])
    return Motion(skeleton, 1.0 / fps, roots, rotations, skeleton.offsets), truth


def sliding_figure(seconds=3.0):
    """A person who walks on feet that slide sideways while they stand."""
    motion, _ = stepping_figure(seconds)
    slide = np.outer(np.arange(motion.frames) / 60.0, 0.08 * X)
    return replace(motion, root_positions=motion.root_positions + slide)


def recorded(*patterns: str) -> list[Path]:
    """Recorded clips whose path under the data folder fits one of the patterns; none without the data."""
    return sorted(path for pattern in patterns for path in DATA.glob(pattern))


def data_name(path: Path) -> str:
    """How a recorded clip is called in test names."""
    return str(path.relative_to(DATA)) if path.is_relative_to(DATA) else path.name


def jumping_figure(fps=60.0, leap_m=0.5):
    """A person who crouches, jumps forward with both feet, lands, and stands up. -> motion, frames of the flight."""
    skeleton, flight_s, top_s = figure(), 0.45, 1.05
    time = np.arange(round(3.2 * fps)) / fps
    keys = np.array([0.0, 0.4, 0.78, top_s]), np.array([0.9, 0.9, 0.66, 0.9])
    landing = np.array([top_s + flight_s, top_s + flight_s + 0.22, 2.4, 3.2]), np.array([0.9, 0.66, 0.9, 0.9])
    since = np.clip(time - top_s, 0.0, flight_s)
    rise = 0.5 * 9.81 * since * (flight_s - since)
    height = np.where(time < top_s, monotone_spline(*keys, time), 0.9 + rise)
    height = np.where(time > top_s + flight_s, monotone_spline(*landing, time), height)
    part = since / flight_s
    ahead = leap_m * part
    roots = np.stack([0.0 * time, height, ahead], axis=-1)
    rotations = np.tile(IDENTITY, (len(time), len(skeleton), 1))
    lean = np.radians(40.0) * np.clip((0.9 - height) / 0.24, 0.0, 1.0)
    rotations[:, skeleton.find("Spine")] = from_axis_angle(X, lean)
    swing = np.radians(-70.0) * np.interp(time, [0.4, 0.78, 1.05, 1.3, 1.9, 2.4], [0.0, -0.6, 1.0, 1.0, 0.3, 0.0])
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        down = from_axis_angle(Z, -1.35 * sign)
        rotations[:, skeleton.find(f"{side}Arm")] = multiply(from_axis_angle(X, swing), down)
    rest = skeleton.rest_positions()
    for side in ("Left", "Right"):
        joints = tuple(skeleton.find(side + name) for name in ("UpLeg", "Leg", "Foot"))
        target = np.stack(
            [np.full(len(time), rest[joints[2], 0]), rest[joints[2], 1] + 1.1 * rise, ahead + 0.0 * time], axis=-1
        )
        world = forward(skeleton.parents, roots, rotations, skeleton.offsets)
        solution = solve_limb(*(world.positions[:, joint] for joint in joints), target, X)
        rotations = turn_limb(skeleton.parents, rotations, world, joints, solution)
    flying = np.flatnonzero(rise > 0.0)
    motion = Motion(skeleton, 1.0 / fps, roots, rotations, skeleton.offsets)
    return motion, (int(flying[0]), int(flying[-1]) + 1)
