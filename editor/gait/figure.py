"""A well-proportioned person as a skeleton: what procedural motion moves, and what samples are drawn on.

Segment lengths as shares of the standing height are those of Drillis and Contini 1966, as printed in Winter 2009,
figure 4.1; joint centres of hips and shoulders lie inside the breadths given there. The rest pose is a T-pose facing
+Z with the soles at y = 0 and straight legs, palms down and thumbs forward.
"""

from dataclasses import dataclass

import numpy as np

from model.arrays import Array
from model.roles import Role, find_roles
from model.skeleton import EndSite, Skeleton


@dataclass(frozen=True)
class Build:
    """How a body differs from the average: factors on lengths and breadths, 1 being average.

    Lengths are relative to each other: the whole is scaled to its height in the end. A child has a large head and
    short legs, a stocky person broad shoulders and hips.
    """

    leg: float = 1.0
    torso: float = 1.0
    head: float = 1.0
    arm: float = 1.0
    foot: float = 1.0
    shoulders: float = 1.0
    hips: float = 1.0

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if not 0.2 < value < 5.0:
                raise ValueError(f"{name} is {value}; a factor on an average body lies between 0.2 and 5")


AVERAGE = Build()

# Shares of the standing height.
_ANKLE, _SHANK, _THIGH = 0.039, 0.246, 0.245
_HEEL_TO_ANKLE, _ANKLE_TO_BALL, _BALL_TO_TIP = 0.030, 0.078, 0.044  # together the foot, 0.152
_BALL_HEIGHT, _TIP_HEIGHT = 0.014, 0.006
_HIP_BREADTH, _SHOULDER_BREADTH = 0.052, 0.104  # from the middle to one joint centre
_UPPER_ARM, _FOREARM, _PALM, _FINGERS = 0.186, 0.146, 0.055, 0.053
# The trunk from the hip joints up, and how far behind them: pelvis, three spine joints, neck, collar bones, shoulders.
_PELVIS, _SPINE, _SPINE1, _CHEST, _NECK = (0.025, 0.0), (0.07, -0.007), (0.125, -0.011), (0.185, -0.013), (0.3, -0.011)
_COLLAR, _SHOULDER = (0.277, -0.002), (0.282, -0.013)
_HEAD, _TOP = (0.052, 0.007), (0.118, 0.006)  # from the neck, and from there


def figure(height_m: float = 1.75, build: Build = AVERAGE) -> Skeleton:
    """A person of this height in T-pose, facing +Z, left at +X; every role is there."""
    if not 0.3 < height_m < 4.0:
        raise ValueError(f"height_m is {height_m}; people are between 0.3 and 4 m tall")
    leg = (_SHANK + _THIGH) * build.leg
    total = _ANKLE * build.foot + leg + _NECK[0] * build.torso + (_HEAD[0] + _TOP[0]) * build.head
    joints, tips = _joints(build), _tips(build)
    names = tuple(name for name, _, _ in joints)
    parents = tuple(names.index(parent) if parent else -1 for _, parent, _ in joints)
    offsets = np.array([offset for _, _, offset in joints]) * (height_m / total)
    sites = tuple(EndSite(names.index(name), offset * (height_m / total)) for name, offset in tips)
    return Skeleton(names, parents, offsets, sites, find_roles(names, parents))


def require(skeleton: Skeleton, role: Role) -> int:
    """The joint of this role; ValueError where there is none."""
    joint = skeleton.joint(role)
    if joint is None:
        raise ValueError(f"skeleton has no {role.value}; procedural motion needs every role, as `figure` has them")
    return joint


def heel_offset(skeleton: Skeleton) -> Array:
    """(3,) the sole of the heel, below and behind the ankle of a figure, in the ankle's frame.

    The skeleton has no heel: it lies as far behind the ankle as in people whose feet are this long.
    """
    ankle, ball = require(skeleton, Role.LEFT_ANKLE), require(skeleton, Role.LEFT_TOE)
    behind = skeleton.offsets[ball, 2] * _HEEL_TO_ANKLE / _ANKLE_TO_BALL
    return np.array([0.0, -skeleton.rest_positions()[ankle, 1], -behind])


def _joints(build: Build) -> list[tuple[str, str, Array]]:
    """Every joint with its parent's name and its rest offset as a share of the average height."""
    leg_length = (_SHANK + _THIGH) * build.leg

    def trunk(above: tuple[float, float], below: tuple[float, float], side: float = 0.0) -> Array:
        return np.array([side, (above[0] - below[0]) * build.torso, (above[1] - below[1]) * build.torso])

    pelvis = np.array([0.0, _ANKLE * build.foot + leg_length + _PELVIS[0] * build.torso, 0.0])
    joints = [
        ("Hips", "", pelvis),
        ("Spine", "Hips", trunk(_SPINE, _PELVIS)),
        ("Spine1", "Spine", trunk(_SPINE1, _SPINE)),
        ("Chest", "Spine1", trunk(_CHEST, _SPINE1)),
        ("Neck", "Chest", trunk(_NECK, _CHEST)),
        ("Head", "Neck", np.array([0.0, *_HEAD]) * build.head),
    ]
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        collar = 0.12 * _SHOULDER_BREADTH * build.shoulders
        shoulder = _SHOULDER_BREADTH * build.shoulders
        joints += [
            (f"{side}Shoulder", "Chest", trunk(_COLLAR, _CHEST, sign * collar)),
            (f"{side}Arm", f"{side}Shoulder", trunk(_SHOULDER, _COLLAR, sign * (shoulder - collar))),
            (f"{side}ForeArm", f"{side}Arm", np.array([sign * _UPPER_ARM * build.arm, 0.0, 0.0])),
            (f"{side}Hand", f"{side}ForeArm", np.array([sign * _FOREARM * build.arm, 0.0, 0.0])),
            (f"{side}FingerBase", f"{side}Hand", np.array([sign * _PALM * build.arm, 0.0, 0.0])),
            (f"{side}Thumb", f"{side}Hand", np.array([sign * 0.016, -0.004, 0.014]) * build.arm),
        ]
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        joints += [
            (f"{side}UpLeg", "Hips", np.array([sign * _HIP_BREADTH * build.hips, -_PELVIS[0] * build.torso, 0.0])),
            (f"{side}Leg", f"{side}UpLeg", np.array([0.0, -_THIGH * build.leg, 0.0])),
            (f"{side}Foot", f"{side}Leg", np.array([0.0, -_SHANK * build.leg, 0.0])),
            (f"{side}ToeBase", f"{side}Foot", np.array([0.0, _BALL_HEIGHT - _ANKLE, _ANKLE_TO_BALL]) * build.foot),
        ]
    return joints


def _tips(build: Build) -> list[tuple[str, Array]]:
    """The end sites: the joint each hangs on, and its offset as a share of the average height."""
    tips = [("Head", np.array([0.0, *_TOP]) * build.head)]
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        tips += [
            (f"{side}FingerBase", np.array([sign * _FINGERS * build.arm, 0.0, 0.0])),
            (f"{side}Thumb", np.array([sign * 0.022, -0.004, 0.02]) * build.arm),
            (f"{side}ToeBase", np.array([0.0, _TIP_HEIGHT - _BALL_HEIGHT, _BALL_TO_TIP]) * build.foot),
        ]
    return tips
