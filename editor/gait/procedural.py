"""Walks, jogs, runs, standing and waving, made from published gait kinematics, with the contacts they were made of.

The order of work: the way and the footfalls on it (`footfalls`), a pelvis that both legs reach the ground from
(`pelvis`), feet that stand exactly still and swing between their places (`legs`), then everything above
(`upper_body`). All of it is a function of continuous time, so every frame rate shows the same motion.
"""

import math
from itertools import pairwise

import numpy as np

from editor.gait.figure import figure, require
from editor.gait.footfalls import Footfall, Plan, plan_walk, speed_at
from editor.gait.legs import (
    SIDEWAYS,
    Carrier,
    Leg,
    LegPose,
    above_ground,
    ankle_of,
    from_angles,
    leg_of,
    leg_pose,
    plan_swing,
    stance,
)
from editor.gait.parameters import Gait, Wave, measures
from editor.gait.pelvis import OUT_OF_REACH, plan_pelvis
from editor.gait.upper_body import pose_upper_body
from model.arrays import Array
from model.contacts import Contact, Contacts
from model.motion import Motion
from model.roles import Role
from model.rotation import IDENTITY, conjugate, from_axis_angle, multiply
from model.skeleton import Skeleton

# A foot that stands this far from where it should does not reach the ground.
_MISSED_M = 0.005
# Thigh and shank of a man of 1.75 m, whose gait the published figures describe.
_USUAL_LEG_M = 0.491 * 1.75


def generate(
    gait: Gait,
    seconds: float,
    fps: float = 60.0,
    skeleton: Skeleton | None = None,
    wave: Wave | None = None,
    turn_rad_s: float = 0.0,
) -> tuple[Motion, Contacts]:
    """A person moving as `gait` says, from the origin towards +Z, and when each foot is on the ground.

    skeleton : a `figure`, one of 1.75 m if none is given; the ground is y = 0. turn_rad_s : left positive. A foot's
    contact starts with the first frame in which its heel, or whatever lands first, touches the ground, and ends with
    the last in which the tip of its toes does. Raises ValueError where legs cannot do what the numbers ask of them.
    """
    if not (math.isfinite(seconds) and seconds > 0.0):
        raise ValueError(f"seconds is {seconds}; it must be positive")
    if not (math.isfinite(fps) and fps > 0.0):
        raise ValueError(f"fps is {fps}; it must be positive")
    skeleton = skeleton or figure()
    leg = leg_of(skeleton)
    scale = leg.length_m / _USUAL_LEG_M
    frames = max(1, round(seconds * fps))
    times = np.arange(frames) / fps
    plan = plan_walk(gait, seconds, turn_rad_s, scale)
    hips = tuple(skeleton.offsets[require(skeleton, role)] for role in (Role.LEFT_HIP, Role.RIGHT_HIP))
    pelvis = plan_pelvis(gait, plan, leg, (hips[0], hips[1]), scale)

    rotations = np.tile(IDENTITY, (frames, len(skeleton), 1))
    turned = pelvis.rotation(times)
    rotations[:, require(skeleton, Role.PELVIS)] = turned
    for joint, local in pose_upper_body(gait, plan, skeleton, scale, turned, times, wave).items():
        rotations[:, joint] = local
    for side, sign, hip in (("LEFT", 1.0, hips[0]), ("RIGHT", -1.0, hips[1])):
        carrier = pelvis.carrier(hip, 0.6 * sign * gait.toe_out_rad)
        footfalls = [footfall for footfall in plan.footfalls if footfall.left == (side == "LEFT")]
        pose = _walking_leg(leg, carrier, footfalls, gait.reach_rad, times)
        for part, local in _leg_rotations(turned, pose).items():
            rotations[:, require(skeleton, Role[f"{side}_{part}"])] = local
    positions = pelvis.position(times)
    if not (np.all(np.isfinite(positions)) and np.all(np.isfinite(rotations))):
        raise ValueError("the gait cannot be worked out: its numbers, or how they change, are too far from a person's")
    motion = Motion(skeleton, 1.0 / fps, positions, rotations, skeleton.offsets)
    return motion, _contacts(plan, leg, frames, fps)


def steps_more_than_asked(gait: Gait, skeleton: Skeleton) -> bool:
    """Whether a figure takes more steps than the gait asks for, because longer ones are out of its legs' reach."""
    if gait.cadence_hz is None:
        return False
    speeds = np.array([speed for _, speed in gait.speeds] or [gait.speed_m_s])
    return bool(np.any(measures(gait, speeds, leg_of(skeleton).length_m / _USUAL_LEG_M).cadence_hz > gait.cadence_hz))


def seconds_for(gait: Gait, distance_m: float) -> float:
    """How long a gait takes for a distance; ValueError where it stops before, or takes more than ten minutes."""
    times = np.arange(0.0, 600.0, 0.01)
    speeds = speed_at(gait, times)
    way = np.concatenate([[0.0], np.cumsum(0.5 * (speeds[1:] + speeds[:-1]) * np.diff(times))])
    if way[-1] < distance_m:
        raise ValueError(f"distance_m is {distance_m}; the gait covers {way[-1]:.2f} m in ten minutes")
    return float(np.interp(distance_m, way, times))


def _walking_leg(leg: Leg, carrier: Carrier, footfalls: list[Footfall], reach_rad: float, times: Array) -> LegPose:
    """A leg over its stances and the swings between them."""
    hips, yaws = carrier.hip(times), carrier.yaw(times)
    thigh, shank, foot = (np.tile(IDENTITY, (len(times), 1)) for _ in range(3))
    toe_rad = np.zeros(len(times))
    for footfall in footfalls:
        inside = (times >= footfall.strike_s) & (times <= footfall.leave_s)
        if np.any(inside):
            ankle, foot[inside], toe_rad[inside] = stance(leg, footfall, times[inside])
            thigh[inside], shank[inside] = leg_pose(leg, hips[inside], yaws[inside], ankle)
            missed = ankle_of(leg, hips[inside], thigh[inside], shank[inside]) - ankle
            if not np.max(np.abs(missed)) <= _MISSED_M:
                raise ValueError(OUT_OF_REACH)
    for before, after in pairwise(footfalls):
        inside = (times > before.leave_s) & (times < after.strike_s)
        if np.any(inside):
            swing = plan_swing(leg, carrier, before, after, reach_rad)
            pose = from_angles(leg, hips[inside], yaws[inside], swing.angles(times[inside]))
            pose = above_ground(leg, hips[inside], yaws[inside], pose)
            thigh[inside], shank[inside], foot[inside] = pose.thigh, pose.shank, pose.foot
            toe_rad[inside] = pose.toe_rad
    return LegPose(thigh, shank, foot, toe_rad)


def _leg_rotations(pelvis: Array, pose: LegPose) -> dict[str, Array]:
    """Local rotations (T, 4) of a leg's joints, by part."""
    return {
        "HIP": multiply(conjugate(pelvis), pose.thigh),
        "KNEE": multiply(conjugate(pose.thigh), pose.shank),
        "ANKLE": multiply(conjugate(pose.shank), pose.foot),
        "TOE": from_axis_angle(SIDEWAYS, -pose.toe_rad),
    }


def _contacts(plan: Plan, leg: Leg, frames: int, fps: float) -> Contacts:
    """The frames in which feet are on the ground; the ground is where the lowest point of a flat foot is, the tip."""
    limbs: dict[str, list[Contact]] = {"left_foot": [], "right_foot": []}
    for footfall in plan.footfalls:
        start = math.ceil(max(footfall.strike_s * fps - 1e-6, 0.0))
        stop = math.floor(min(footfall.leave_s * fps + 1e-6, frames - 1)) + 1
        contacts = limbs["left_foot" if footfall.left else "right_foot"]
        if contacts and start <= contacts[-1].stop:  # so few frames a second that none shows the swing
            start = contacts.pop().start
        if start < stop:
            contacts.append(Contact(start, stop))
    ground = float(leg.ball[1] + leg.tip[1] - leg.heel[1])
    return Contacts(frames, {limb: tuple(contacts) for limb, contacts in limbs.items()}, ground)
