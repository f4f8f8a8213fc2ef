"""The slow turning of a body about the vertical, taken out of its poses.

Spatial extremeness asks how far a pose is from those around it. While somebody walks round a corner, the whole body
comes to face elsewhere: that alone makes all poses of the corner far from each other, neighbourhoods grow over several
steps, and the steps are lost. Coleman 2012, eq. 5.3, takes the way through space out of the body's configuration; this
takes out the turning as well. Quick turns stay: they are swings of the body, and have ends.
"""

import numpy as np

from model.arrays import Array
from model.rotation import conjugate, multiply, to_rotation_vector
from model.smoothing import smoothed

# A walk sways the pelvis once a stride, which takes about a second.
_SLOW_S = 1.5


def turned_back(points: Array, rotations: Array, frame_time_s: float) -> Array:
    """Points (F, P, 3) relative to a body in world axes, as they are where the body does not turn on the whole.

    rotations : (F, 4) of the body in the world. Its turning is what its rotation from frame to frame has about Y. So a
    body that turns over, as in a cartwheel, turns by nothing, while where it faces jumps to the other side.
    """
    if len(points) < 2:
        return points
    steps = to_rotation_vector(multiply(rotations[1:], conjugate(rotations[:-1])))[:, 1]
    turn = smoothed(np.concatenate([[0.0], np.cumsum(steps)]), _SLOW_S / frame_time_s)[:, None]
    cos, sin = np.cos(turn), np.sin(turn)
    x, z = points[..., 0], points[..., 2]
    return np.stack([cos * x - sin * z, points[..., 1], sin * x + cos * z], axis=-1)
