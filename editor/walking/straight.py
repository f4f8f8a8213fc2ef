"""A locomotion clip made ready: on level ground at height 0, its limbs of fixed length, its planted feet still."""

from dataclasses import replace

import numpy as np

from editor.contacts.plant import clean_feet
from model.arrays import Array
from model.clip import Take
from model.contacts import Contacts
from model.motion import Motion
from model.placing import pelvis_positions, shifted
from model.retiming import frames_at_rate, sampled
from model.roles import Role
from model.rotation import from_axis_angle, multiply, rotate
from model.skeleton import Skeleton

UP = np.array([0.0, 1.0, 0.0])


def prepared(take: Take, fps: float) -> Take:
    """The take on a floor at height 0, at this rate, with limbs of one length each and feet that stand still."""
    motion = with_fixed_limbs(take.motion)
    contacts = take.contacts
    if abs(motion.fps / fps - 1.0) > 1e-6:
        frames = frames_at_rate(motion, fps)
        motion, contacts = sampled(motion, frames, 1.0 / fps), contacts.at(frames)
    lift = np.tile([0.0, -contacts.ground_m, 0.0], (motion.frames, 1))
    motion = shifted(replace(motion, rest=None, first_frame=0, origin=None), lift)
    contacts = Contacts(contacts.frames, contacts.limbs, 0.0)
    return Take(clean_feet(motion, contacts), contacts)


def with_fixed_limbs(motion: Motion) -> Motion:
    """The motion with every bone as long as it usually is, travelling on its root, the pelvis where it was.

    For files that move joints against each other, such as those that travel on the hips below a root that stays.
    """
    if motion.limbs_are_fixed and len(motion.skeleton.roots) == 1:
        return motion
    offsets = motion.local_offsets
    if not motion.limbs_are_fixed:
        pelvis = motion.skeleton.joint(Role.PELVIS) or 0
        above = motion.skeleton.chain(0, pelvis) if pelvis else (0,)
        offsets = np.median(offsets, axis=0)
        offsets[list(above)[1:]] = 0.0  # where a file travels on the pelvis, its bone above is no bone
    skeleton = motion.skeleton
    body = Skeleton(skeleton.names, skeleton.parents, offsets, skeleton.end_sites, skeleton.roles, skeleton.limits)
    stiff = replace(motion, skeleton=body, local_offsets=offsets)
    return shifted(stiff, pelvis_positions(motion) - pelvis_positions(stiff))


def yaw(angles_rad: Array | float) -> Array:
    """(..., 4) turns about Y."""
    return from_axis_angle(UP, angles_rad)


def seen_from(motion: Motion, places: Array, headings_rad: Array) -> Motion:
    """The motion in frames that move along: each seen from a place (F, 2) and heading (F,) of its own, as if that
    were the origin and +Z. Of one root only.
    """
    turn = yaw(-headings_rad)
    at = np.stack([places[:, 0], np.zeros(len(places)), places[:, 1]], axis=-1)
    rotations = np.array(motion.local_rotations)
    rotations[:, 0] = multiply(turn, rotations[:, 0])
    return replace(motion, root_positions=rotate(turn, motion.root_positions - at), local_rotations=rotations)
