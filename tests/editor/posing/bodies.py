"""Poses to work on: of figures made here, and of recorded people where those are there."""

import numpy as np

from editor.posing.body import body_of
from editor.posing.pose import Pin, Pose
from model.files.formats import read_motion
from model.rotation import angle_between
from tests.clips import recorded, stepping_figure, waving_figure

MADE = {"wave": lambda: waving_figure(60), "step": lambda: stepping_figure(seconds=2.0)[0]}
RECORDED = (
    "cmu-acclaim/16_31.amc", "cmu-bvh/02_01.bvh", "other-bvh/rokoko_jesse_dance.bvh",
    "other-bvh/accad_male1/Male1_C03_Run.bvh", "other-bvh/bandai/dataset-1_walk_happy_001.bvh",
)  # fmt: skip
BODIES = (*MADE, *(path for path in RECORDED if recorded(path)))
_READ = {}


def motion_of(name):
    if name not in _READ:
        _READ[name] = MADE[name]() if name in MADE else read_motion(recorded(name)[0]).motion
    return _READ[name]


def pose_of(name, seed=0):
    motion = motion_of(name)
    return Pose.of(motion, int(np.random.default_rng(seed).integers(motion.frames)))


def feet_pinned(pose):
    return [Pin.of(pose, limb.joints[2]) for limb in body_of(pose.skeleton).limbs if limb.is_leg]


def joint(pose, role):
    found = pose.skeleton.joint(role)
    assert found is not None, role
    return found


def place(pose, at):
    return pose.world.positions[at]


def turned_most(one, other):
    """The largest turn of a joint between two poses, in radians."""
    return float(np.max(angle_between(one.local_rotations, other.local_rotations)))


def folds(pose, limb):
    """The axis about which a limb is folded, in the frame of its upper joint, not normalised."""
    from model.rotation import conjugate, rotate

    root, middle, end = (place(pose, one) for one in limb.joints)
    return rotate(conjugate(pose.world.rotations[limb.joints[0]]), np.cross(middle - root, end - middle))
