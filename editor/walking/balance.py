"""Balance on a bend: where a body's centre of mass is, and how far it must lean for its weight to stay over its feet.

Segment masses are those of de Leva 1996 (J. Biomech. 29, table 4, the mean of women and men), each taken at the place
along its bone that he gives. The lean is that of the zero moment point: Shin et al. 2003, cited by Kim and Neff 2011,
section 7.2.
"""

from collections.abc import Callable

import numpy as np

from model.arrays import Array
from model.motion import Motion
from model.roles import Role

GRAVITY_M_S2 = 9.81
# Accelerations are read off over this time, by a central difference of fourth order.
_SAMPLING_S = 0.5
# Nobody leans farther and keeps walking.
_MOST_RAD = np.radians(35.0)
# From, to, share of the body's mass, and where between the two it lies.
_TRUNK = (Role.PELVIS, Role.NECK, 0.4303, 0.55)
_HEAD = (Role.NECK, Role.HEAD, 0.0681, 1.0)
_SIDES = (
    ("SHOULDER", "ELBOW", 0.0263, 0.575),
    ("ELBOW", "WRIST", 0.0150, 0.457),
    ("WRIST", "HAND", 0.0059, 0.7),
    ("HIP", "KNEE", 0.1447, 0.386),
    ("KNEE", "ANKLE", 0.0457, 0.437),
    ("ANKLE", "TOE", 0.0133, 0.42),
)


def centre_of_mass(motion: Motion) -> Array:
    """(F, 3) the centre of mass of the segments whose joints are known; the pelvis without any."""
    positions = motion.world.positions
    segments = [_TRUNK, _HEAD]
    for side in ("LEFT", "RIGHT"):
        segments += [(Role[f"{side}_{a}"], Role[f"{side}_{b}"], mass, part) for a, b, mass, part in _SIDES]
    total, mass_in_all = np.zeros((motion.frames, 3)), 0.0
    for start, stop, mass, part in segments:
        a, b = motion.skeleton.joint(start), motion.skeleton.joint(stop)
        if a is None:
            continue
        end = positions[:, a if b is None else b]
        total += mass * ((1.0 - part) * positions[:, a] + part * end)
        mass_in_all += mass
    if mass_in_all == 0.0:
        return np.asarray(positions[:, motion.skeleton.joint(Role.PELVIS) or 0])
    return np.asarray(total / mass_in_all)


def accelerations(places_at: Callable[[Array], Array], times_s: Array) -> Array:
    """(F, 2) how a way over the floor is accelerated: a central difference of fourth order, half a second apart."""
    h = _SAMPLING_S
    ahead, behind = places_at(times_s + h), places_at(times_s - h)
    far, early = places_at(times_s + 2.0 * h), places_at(times_s - 2.0 * h)
    return np.asarray((16.0 * (ahead + behind) - far - early - 30.0 * places_at(times_s)) / (12.0 * h * h))


def lean_rad(sideways_m_s2: Array, curvatures: Array, height_m: float) -> Array:
    """(F,) how far to lean to the left for the zero moment point to stay over the feet.

    sideways_m_s2 : (F,) of the way below, left positive; curvatures : (F,) of the way; height_m : of the centre of
    mass. Leaning in by h sin(lean) the mass goes round a smaller circle and needs that much less of it.
    """
    lean = np.arctan2(sideways_m_s2, GRAVITY_M_S2)
    for _ in range(3):
        inner = np.clip(1.0 - curvatures * height_m * np.sin(lean), 0.5, 1.0)
        lean = np.arctan2(sideways_m_s2 * inner, GRAVITY_M_S2)
    return np.asarray(np.clip(lean, -_MOST_RAD, _MOST_RAD))
