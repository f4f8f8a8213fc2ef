"""The frame in which stances are compared: upright, and turning along with the body.

The thesis compares them in the axes of the world (eq. 5.3), where a body that goes round a corner seems to change its
stance; exaggerated, it would turn too far.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from editor.exaggerate.aiming import bends_rad
from editor.exaggerate.anatomy import anatomy_of
from editor.posing.pose import hinges_of
from model.arrays import Array, freeze
from model.motion import Motion
from model.placing import headings_rad
from model.roles import Role
from model.smoothing import smoothed

# A body turned to and fro within this time is in a stance, one that is turned longer has another heading.
_SWAY_S = 1.5
# The cosine of the angle within which a trunk is upright enough to have a heading.
_UPRIGHT = 0.5
_HIPS = (Role.LEFT_HIP, Role.RIGHT_HIP)
_SHOULDERS = (Role.LEFT_SHOULDER, Role.RIGHT_SHOULDER)


@dataclass(frozen=True, eq=False)
class BodyFacts:
    """What of a motion is asked for whatever the amount: a slider need not have it computed again.

    headings : (F,) see `find_headings`; straight : (L,) how far limbs are bent where they are straightest; hinges : the
    axes about which limbs fold, see `editor.posing.pose.hinges_of`.
    """

    headings: Array
    straight: Array
    hinges: Mapping[int, Array]


def body_facts(motion: Motion) -> BodyFacts:
    """What exaggeration asks of a motion."""
    straight = bends_rad(anatomy_of(motion.skeleton), motion.world.positions)
    return BodyFacts(find_headings(motion), straight, hinges_of(motion))


def find_headings(motion: Motion) -> Array:
    """(F,) radians about Y that the body faces, not wrapped, without its sway; 0 for a motion without frames.

    While the trunk is not upright, as in a cartwheel, a heading is carried over from before and after.
    """
    if not motion.frames:
        return freeze(np.zeros(0))
    clear = np.flatnonzero(_upright(motion))
    if not len(clear):
        return freeze(np.zeros(motion.frames))
    known = np.unwrap(headings_rad(motion)[clear])
    return freeze(smoothed(np.interp(np.arange(motion.frames), clear, known), _SWAY_S / motion.frame_time_s))


def _upright(motion: Motion) -> Array:
    """(F,) whether the shoulders are above the hips; where these are not known, yes."""
    joints = [[motion.skeleton.joint(role) for role in pair] for pair in (_HIPS, _SHOULDERS)]
    known = [[joint for joint in pair if joint is not None] for pair in joints]
    if not all(known):
        return np.ones(motion.frames, dtype=bool)
    hips, shoulders = (np.mean(motion.world.positions[:, pair], axis=1) for pair in known)
    trunk = shoulders - hips
    return np.asarray(trunk[:, 1] > _UPRIGHT * np.linalg.norm(trunk, axis=-1))
